// The future of more work, if it were submitted to a run under way and nothing else came.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/engine/simulation.h"
#include "runtime/results/job_rows.h"

namespace perigee::results {

// A copy of the run to ask, with `workload`, which begins with the present workload: see Simulation::submit
// and forget_future. It is to be advanced while is_open().
Simulation to_quote(const Simulation& now, std::shared_ptr<const Workload> workload);
// True if some work from `first` on is not settled, and may still be.
bool is_open(const Simulation& asked, std::size_t first);

struct Quote {
  JobRow job;                             // its expected course
  bool admitted = false;                  // not rejected; true if the policy says nothing about the work
  Reason reason = Reason::none;           // of a rejection
  std::string why_never = {};             // what its shape asks for and the platform lacks
  std::vector<std::string> waiting = {};  // who waits for what, if it would never be settled
};
// A quote for each work from `first` on.
std::vector<Quote> quotes(const Simulation& asked, std::size_t first);

// "load 4 would be admitted: from 7 s to 15 s on c.3, 10 s before its deadline".
std::string text_of(const Quote& quote, const Platform& platform);
// A row for each: name, admitted (true or false), reason, start, finish, hosts, deadline, state.
Table table_of(const std::vector<Quote>& quotes, const Platform& platform);

}  // namespace perigee::results
