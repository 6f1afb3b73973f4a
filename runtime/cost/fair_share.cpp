#include "runtime/cost/fair_share.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "runtime/kernel/error.h"
#include "runtime/kernel/math.h"

namespace perigee::cost {

ShareTree::Place ShareTree::add(Place parent, std::string_view name, double share, bool is_user) {
  const auto place = static_cast<Place>(nodes_.size());
  nodes_[parent].shares_below += share;
  nodes_.push_back(
      {.name = std::string(name), .share = share, .parent = parent, .is_user = is_user, .shares_below = 0});
  return place;
}

ShareTree::Place ShareTree::add_account(Place parent, std::string_view name, double share) {
  if (accounts_.contains(name)) fail("duplicate_name", "shares: two accounts are called '{}'", name);
  const Place place = add(parent, name, share, false);
  accounts_.emplace(name, place);
  return place;
}

ShareTree::Place ShareTree::add_user(Place parent, std::string_view name, double share) {
  if (user_below(parent, name) != kNowhere)
    fail("duplicate_name", "shares: two users of one account are called '{}'", name);
  const Place place = add(parent, name, share, true);
  users_.emplace(std::pair(parent, std::string(name)), place);
  return place;
}

ShareTree::Place ShareTree::account(std::string_view name) const {
  const auto found = accounts_.find(name);
  return found != accounts_.end() ? found->second : kNowhere;
}

ShareTree::Place ShareTree::user_below(Place account, std::string_view name) const {
  const auto found = users_.find(std::pair(account, std::string(name)));
  return found != users_.end() ? found->second : kNowhere;
}

ShareTree::Place ShareTree::user_anywhere(std::string_view name) const {
  for (Place place = 1; place < nodes_.size(); ++place)
    if (nodes_[place].is_user && nodes_[place].name == name) return place;
  return kNowhere;
}

ShareTree::Standing ShareTree::made(double share, double usage) {
  return {share, usage, math::exp2(-usage / share)};
}

void DecayingUsage::change(double now, double more_per_second, double half_life) {
  used_ = at(now, half_life);
  since_ = now;
  per_second_ += more_per_second;
}

double DecayingUsage::at(double time, double half_life) const {
  const double passed = time - since_;
  if (!(half_life < std::numeric_limits<double>::infinity())) return used_ + per_second_ * passed;
  const double decay = math::expm1(-std::numbers::ln2 * passed / half_life);  // what is left, less 1
  return used_ * (1 + decay) - per_second_ * half_life / std::numbers::ln2 * decay;
}

}  // namespace perigee::cost
