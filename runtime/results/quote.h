// What would become of more work, if it were submitted to a run under way and nothing else came.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/engine/simulation.h"
#include "runtime/results/job_rows.h"

namespace perigee::results {

// A copy of the run to ask, with `workload`, which begins with the present one: see Simulation::submit and
// forget_future. It is to be advanced while is_open().
Simulation to_quote(const Simulation& now, std::shared_ptr<const Workload> workload);
// Something from the work `first` on is not settled, and may be.
bool is_open(const Simulation& asked, std::size_t first);

struct Quote {
  JobRow job;                             // as it would go
  bool admitted = false;                  // not rejected; a work that the policy says nothing about is
  Reason reason = Reason::none;           // of a rejection
  std::vector<std::string> waiting = {};  // who waits for what, when it would never be settled
};
// Of the works from `first` on.
std::vector<Quote> quotes(const Simulation& asked, std::size_t first);

// "load 4 would be admitted: from 7 s to 15 s on c.3, 10 s before its deadline".
std::string text_of(const Quote& quote, const Platform& platform);
// A row for each: name, admitted (true or false), reason, start, finish, hosts, deadline, state.
Table table_of(const std::vector<Quote>& quotes, const Platform& platform);

}  // namespace perigee::results
