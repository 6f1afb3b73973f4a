// List scheduling: of the work that waits the first in the list starts on one of the hosts with enough idle
// cores; when there is none it blocks the rest. The list is sorted, ties by arrival, then by input.
//
// Source: dynamic list scheduling of the IRMaSim thesis, section 2.2.3 and Table 1.
#pragma once

#include <memory>
#include <string>

#include "runtime/schedulers/catalogue.h"

namespace perigee::batch {

enum class JobOrder : std::uint8_t { first, shortest, longest, smallest, low_memory, low_traffic, random };
// Ties: lowest host. `fastest` is the one whose cores are.
enum class HostChoice : std::uint8_t { first, fastest, most_idle, least_idle, random };

// How long a job is: its longest predicted time on any host, for a start at time 0, so that it does not
// depend on when it is asked. +inf when no host can run it.
Seconds length_of(Sim& sim, WorkId work);

// The shortest predicted time on any host, from now; while has_steady_hosts() and no host reports a change no
// host will ever take less.
Seconds shortest_of(Sim& sim, WorkId work);
bool has_steady_hosts(Sim& sim);

// Up, with enough idle cores, and able to run the work.
bool can_start(Sim& sim, WorkId work, HostId host);
// Able to run it, idle or not, as far as its declared time and width tell.
bool can_ever_run(const View& view, WorkId work, HostId host);
// `value` of hosts that may be compared by it: larger is better.
double preference(const View& view, HostId host, HostChoice choice);

// The hosts where the work can start, by that.
void compare_hosts(Sim& sim, WorkId work, HostChoice choice, Decision& out);

// The parameter `host` of policies, and its value.
Parameter host_parameter();
HostChoice host_choice(const std::string& name);

std::unique_ptr<Policy> list_policy(JobOrder jobs, HostChoice hosts);
// What list policies have in common, for one without parameters.
Entry list_entry(std::string name, std::string summary, JobOrder jobs, HostChoice hosts);
// The same, asked after the ends of an instant and again after its arrivals, as IRMaSim's pending list is
// (thesis, section 2.3).
Entry pending_entry(std::string name, std::string summary, JobOrder jobs, HostChoice hosts);

}  // namespace perigee::batch
