// The priority of a job as a sum of weighted factors: how long it has waited, how large it is, whether its user has had
// less than a fair share, and what its queue and quality of service are worth.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/cost/fair_share.h"
#include "runtime/engine/sim.h"
#include "runtime/schedulers/catalogue.h"

namespace perigee::batch {

struct MultifactorSettings {
  double age = 0, size = 0, fair_share = 0, queue = 0, qos = 0;  // weights
  Seconds max_age = 604800;                    // > 0: who waits so long has all of the factor `age`
  bool favours_small = false;                  // of `size`
  Seconds half_life = 604800;                  // > 0, of what was used; +inf: nothing is forgotten
  std::optional<cost::ShareTree> shares = {};  // none: each user has one share
  Seconds period = 0;                          // usage is reckoned at its multiples; 0: at any time
  std::string text = "multifactor";            // as a script would write it
};

// Follows the run from begin() on: of what ran before, it knows what runs still. Cost: O(d) for each start and end, with
// d the depth of the tree of accounts; O(d) a work that is asked about.
class Multifactor final : public Rule {
 public:
  explicit Multifactor(MultifactorSettings settings) : settings_(std::move(settings)) {}
  std::unique_ptr<Rule> clone() const override { return std::make_unique<Multifactor>(*this); }
  std::string text() const override { return settings_.text; }

  void begin(Sim& sim) override;
  void follow(Sim& sim, std::span<const Event> events) override;
  void started(Sim& sim, WorkId work, std::span<const Share> shares) override;
  Answer ask_work(Sim& sim, WorkId work) override;
  std::vector<std::string> explain_work(Sim& sim, WorkId work) override;

 private:
  using Place = cost::ShareTree::Place;
  struct Factor {
    const char* name;
    double weight, value;
  };
  std::array<Factor, 5> factors_of(Sim& sim, WorkId work);
  double fair_share_of(Sim& sim, WorkId work);
  double size_of(const Sim& sim, WorkId work) const;
  Place place_of(const View& view, WorkId work);
  Place find_or_add_user(const View& view, WorkId work);
  void change(Place place, Time now, double more_per_second);
  double used(Place place, Time now) const;
  void stop(WorkId work, Time now);

  // The use of a place and all below it.
  struct Account {
    cost::DecayingUsage usage = {};
    // At the last multiple of the period before that was changed, where there is one.
    Time reckoned_at = -1;
    double reckoned = 0;
  };
  struct Running {
    Place place;
    double per_second;
  };

  MultifactorSettings settings_;
  cost::ShareTree tree_;
  std::vector<Account> accounts_;                               // by place in the tree
  std::map<std::pair<std::uint32_t, UserId>, Place> place_of_;  // by account and user
  std::map<WorkId, Running> running_;
};

}  // namespace perigee::batch
