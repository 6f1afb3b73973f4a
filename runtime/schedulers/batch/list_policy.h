// List scheduling: the first waiting work in the list starts on one of the hosts with enough idle cores. If
// there is no such host, it blocks the rest. The list is sorted; ties: by arrival, then by input.
//
// This is the dynamic list scheduling of the IRMaSim thesis; list_entry() names the section.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/schedulers/catalogue.h"
#include "runtime/schedulers/choices.h"

namespace perigee::batch {

enum class JobOrder : std::uint8_t { first, shortest, longest, smallest, low_memory, low_traffic, random };
// Ties: lowest host. `fastest` is the host with the fastest cores. The rules from `contiguous` on differ from `first`
// for jobs over several hosts, and `same_cluster` and `same_switch` for others too.
enum class HostChoice : std::uint8_t {
  first,
  fastest,
  most_idle,
  least_idle,
  low_power,     // which draws least now, each busy core as of a job with a load of 1
  high_memory,   // which has most memory, taken or not
  least_energy,  // of which one more busy core draws least for an operation
  random,
  contiguous,    // the shortest stretch of hosts
  fewest_hosts,  // of processes
  same_cluster,  // the cluster with the least room that holds the job alone
  same_switch,
};

// The rule `host` of a policy: one of these, or a function of a script. A policy that keeps it keeps a HostRule; what
// passes it on has a HostRuleView.
struct HostRule {
  HostChoice choice = HostChoice::fastest;
  ClonePtr<Rule> function = {};  // in place of the choice

  HostRule(HostChoice chosen, ClonePtr<Rule> given = {}) : choice(chosen), function(std::move(given)) {}
  bool is_function() const { return static_cast<bool>(function); }
};
class HostRuleView {
 public:
  HostRuleView(HostChoice choice) : choice_(choice) {}
  HostRuleView(const HostRule& rule)
      : choice_(rule.choice), function_(rule.function ? &*rule.function : nullptr) {}
  bool operator==(HostChoice choice) const { return function_ == nullptr && choice_ == choice; }
  Rule* function() const { return function_; }  // or null

 private:
  HostChoice choice_;
  Rule* function_ = nullptr;
};

// The rule `mold` of a policy: the size that a moldable job starts in, of those that the platform could ever give.
enum class Mold : std::uint8_t {
  least,
  most,
  earliest,  // that which ends first, if it has to wait for its hosts too
};

// The length of a job: its longest predicted time on any host, for a start at time 0, so that it does not
// depend on when it is asked for. +inf if no host can run it. The length of a moldable job is that in the size of
// the rule, or the least of all its sizes.
Seconds length_of(Sim& sim, WorkId work, Mold mold);
// All cores of a job, in the size of the rule, or the least.
std::int64_t width_of(const Sim& sim, WorkId work, Mold mold);

// The shortest predicted time on any host, from now. While has_steady_hosts() and no host reports a change,
// no host will ever take less.
Seconds shortest_of(Sim& sim, WorkId work);
// To be asked again when a host has changed.
bool has_steady_hosts(Sim& sim);

// True if the host is up, has enough idle cores and can run the work.
bool can_start(Sim& sim, WorkId work, HostId host);
// True if the host can run the work, idle or not, as far as its declared time and width tell.
bool can_ever_run(const View& view, WorkId work, HostId host);
// The value by which hosts are compared; larger is better.
double preference(const View& view, HostId host, HostChoice choice);

// Compares the hosts where the work can start by their preference().
void compare_hosts(Sim& sim, WorkId work, HostChoice choice, Decision& out);

// Whether the rule is another than `first` for works of one host too, and no order of hosts.
inline bool chooses_clusters(HostChoice rule) {
  return rule == HostChoice::same_cluster || rule == HostChoice::same_switch;
}

// For `why`: "n.1, n.2 and 3 more", and the hosts with idle cores for a share of the work.
std::string text_of(const View& view, std::span<const Share> shares);
void list_idle_hosts(Sim& sim, WorkId work, Decision& out);

// The parameter `host` of policies, and its value.
Parameter host_parameter();
// The jobs that count when a reservation is admitted: running ones, or promised ones too.
Parameter admission_parameter();
HostChoice host_choice(const std::string& name);
HostRule host_rule(const Arguments& given);

// The parameter `mold` of policies, and its value.
Parameter mold_parameter();
Mold mold_rule(const Arguments& given);
inline constexpr Mold kDefaultMold =
    Mold::earliest;  // needs no tuning: nobody waits, or ends, later than need be
// For `why`: the sizes of a moldable job, and the rule.
void note_sizes(const Sim& sim, WorkId work, Mold mold, Decision& out);

struct PowerSettings;
std::unique_ptr<Policy> list_policy(JobOrder jobs, HostRule hosts, Mold mold, const PowerSettings& power);
// An entry with the common properties of list policies, for one without parameters.
Entry list_entry(std::string name, std::string summary, JobOrder jobs, HostChoice hosts);
// The same, asked after the ends of an instant and again after its arrivals, like IRMaSim's pending list
// (thesis, section 2.3).
Entry pending_entry(std::string name, std::string summary, JobOrder jobs, HostChoice hosts);

}  // namespace perigee::batch
