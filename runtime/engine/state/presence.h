// Whether a host, link or cluster is there and up, and as far as the policy has been told.
#pragma once

#include <utility>

#include "runtime/engine/state/outages.h"

namespace perigee::engine {

class Presence {
 public:
  bool is_present() const { return present_; }  // it has not left
  bool is_up() const { return present_ && outages_.empty(); }
  bool seems_up() const { return present_ && !told_down_; }  // as far as the policy has been told
  const Outages& outages() const { return outages_; }

  struct Begun {
    bool was_up;
    bool is_first;  // nothing else covered
    bool is_news;   // it is announced, and no other one was
  };
  Begun begin(const Outage& outage);
  bool end(const Outage& outage) { return outages_.end(outage); }  // false: no such one covers now
  // Its outage shows, whether it was announced or not. True if there is one and that is news.
  bool notice() { return !outages_.empty() && !std::exchange(told_down_, true); }
  // Nothing covers any more. True when the policy had been told of an outage.
  bool recover() { return std::exchange(told_down_, false); }
  void leave() { present_ = false; }
  void join() { present_ = true; }
  // Its host, which is away, goes from one cluster to another. Outages of the one no longer count, those of
  // the other do.
  void move(const Outages& from, const Outages& to);

 private:
  bool present_ = true, told_down_ = false;
  Outages outages_;
};

}  // namespace perigee::engine
