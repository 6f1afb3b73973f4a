// Fair shares of a machine: how much of it users should have, by a tree of accounts, and what is to be held against those
// that had more.
//
// Source: the classic fair-share factor of Slurm's multifactor priority plug-in (Slurm's pages "Multifactor Priority
// Plugin" and "Classic Fairshare Algorithm").
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/layers.h"

namespace perigee::cost {

// Accounts, which have users and accounts below them. Places are numbers; parents come before their children, and the
// root, which has no name, is 0.
class ShareTree {
 public:
  using Place = std::uint32_t;
  static constexpr Place kRoot = 0;
  static constexpr Place kNowhere = 0xffffffffU;

  // Adds a place with a share > 0 among its siblings. Error "duplicate_name" where a sibling, or another account,
  // has the name.
  Place add_account(Place parent, std::string_view name, double share);
  Place add_user(Place parent, std::string_view name, double share);

  std::size_t size() const { return nodes_.size(); }
  Place parent(Place place) const { return nodes_[place].parent; }
  const std::string& name(Place place) const { return nodes_[place].name; }
  bool is_user(Place place) const { return nodes_[place].is_user; }
  double share(Place place) const { return nodes_[place].share; }
  // kNowhere: there is none.
  Place account(std::string_view name) const;
  Place user_below(Place account, std::string_view name) const;
  Place user_anywhere(std::string_view name) const;  // the first in order of places

  struct Standing {
    double share = 1;   // of all: the product of shares down the tree
    double usage = 0;   // effective: what its account has used too much counts too
    double factor = 1;  // 2^(-usage / share), in [0, 1]
  };
  // used(place) is the part of all usage, or of the machine, of that place and all below it, >= 0.
  template <class Used>
  Standing standing(Place place, Used used) const {
    if (place == kRoot) return {};
    const Place above = nodes_[place].parent;
    const double part = nodes_[place].share / nodes_[above].shares_below, own = used(place);
    if (above == kRoot) return made(part, own);
    const Standing parent = standing(above, used);
    return made(parent.share * part, own + (parent.usage - own) * part);
  }

 private:
  struct Node {
    std::string name;
    double share = 1;
    Place parent = kRoot;
    bool is_user = false;
    double shares_below = 0;
  };
  static Standing made(double share, double usage);
  Place add(Place parent, std::string_view name, double share, bool is_user);

  std::vector<Node> nodes_ = std::vector<Node>(1);
  std::map<std::string, Place, std::less<>> accounts_;
  std::map<std::pair<Place, std::string>, Place, std::less<>> users_;  // by account and name
};

// Use that counts for less the longer it is past: a core-second counts half as much after each half-life. It is
// exact for use that changes by steps.
class DecayingUsage {
 public:
  // From `now`, not before the last time, on so much is used per second.
  void change(double now, double more_per_second, double half_life);
  // At a time not before the last change; half_life +inf: nothing is forgotten.
  double at(double time, double half_life) const;

 private:
  double used_ = 0;  // at since_
  double since_ = 0;
  double per_second_ = 0;
};

}  // namespace perigee::cost
