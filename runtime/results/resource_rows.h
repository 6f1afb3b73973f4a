// The use of each host and link of a run.
#pragma once

#include <string>
#include <vector>

#include "runtime/engine/simulation.h"
#include "runtime/results/executions.h"
#include "runtime/results/table.h"

namespace perigee::results {

// One host or declared link. Core-seconds on hosts; seconds with at least one transfer on links.
struct ResourceRow {
  ResourceId id;
  std::string name;
  double busy = 0;         // computing, receiving a load's chunk, or reserved work; not while away
  double held = 0;         // the same and cores kept by holds
  double useful = 0;       // part of `busy` that ended well
  double lost = 0;         // part of `busy` that was lost, cancelled or superseded
  Seconds down = 0;        // away
  double utilization = 0;  // busy / (cores * span)
  std::size_t activities = 0;
  double bytes = 0;          // of the transfers that ended well
  double bytes_out = 0;      // part of `bytes` that went to the origin
  std::size_t computed = 0;  // computations that ended well
  std::size_t aborted = 0;   // activities lost, cancelled or superseded
  double aborted_bytes = 0;  // B that transfers among these were to move
};
// The rows are of the time from the warm-up and the first arrival on.
std::vector<ResourceRow> resource_rows(const Outcome& outcome);

// Sums up the executions on each resource, which are told in order of start.
class ResourceUse {
 public:
  explicit ResourceUse(const Scenario& scenario);
  // The time that counts, known before the first execution is told.
  void set_from(Time from);
  // Each record, before the executions that are over with it.
  void take(const Record& record);
  // The part of a hold that counts as held, before it is added like all others.
  void add_hold(const Scenario& scenario, const Execution& execution, std::span<const UsedResource> on);
  void add(const Scenario& scenario, const Execution& execution, std::span<const UsedResource> on,
           const Absences& away);
  // At the end of the run. Hosts come first, in order, then the links that are declared.
  std::vector<ResourceRow> rows(const Scenario& scenario, const Absences& away, Time end);
  // ResourceRow::held has all digits: no hold was added to a host after activities outside of holds.
  bool knows_held() const { return knows_held_; }

 private:
  struct Hold {
    Time from, to;
    std::uint32_t serial;
  };
  struct Covered {
    Time any, well;  // up to which transfers have been added: all, and those that ended well
  };

  Seconds within(Time a, Time b) const { return overlap(a, b, from_, to_); }
  bool counted(const Execution& execution) const { return execution.ended >= from_; }
  void add_to_link(const Scenario& scenario, std::size_t link, const Execution& execution,
                   const std::vector<Away>& away);
  void add_to_host(const Scenario& scenario, std::size_t host, std::int32_t used, const Execution& execution,
                   const std::vector<Away>& away);
  Seconds held_within(std::size_t host, Time from, Time to) const;

  Time from_ = 0, to_ = kNever;
  std::vector<ResourceRow> rows_;      // without names
  std::vector<std::size_t> link_row_;  // kNone: implied
  std::vector<std::vector<Hold>> holds_;
  std::vector<std::uint8_t> outside_;  // per host: something outside of holds was added
  bool knows_held_ = true;
  std::vector<Covered> covered_;
};
Table resources(const Outcome& outcome);

}  // namespace perigee::results
