// `planned` and `mapped` as described, over the mappers as their papers write them; see slow_queues.h.
#pragma once

#include <functional>
#include <set>
#include <vector>

#include "tests/runtime/schedulers/batch/slow_queues.h"
#include "tests/runtime/schedulers/textbook_searches.h"
#include "tests/support/layers.h"

namespace slow {

using Map = std::function<perigee::test::Mapping(const perigee::test::MappingProblem&)>;

// The rule in the text under Table 1 of the IRMaSim thesis, with jobs in input order.
inline perigee::test::Mapping pairing(const perigee::test::MappingProblem& p) {
  textbook::State s(p);
  std::set<std::size_t> all, listed;
  for (std::size_t m = 0; m < p.machines; ++m) all.insert(m);
  for (std::size_t j = 0; j < p.tasks; ++j) {
    if (!s.best(j)) continue;
    if (std::ranges::none_of(listed, [&](std::size_t m) { return s.feasible(j, m); })) listed = all;
    std::optional<std::size_t> found;
    for (const std::size_t m : listed)
      if (s.feasible(j, m) && (!found || s.ct(j, m) < s.ct(j, *found) ||
                               (s.ct(j, m) == s.ct(j, *found) && p.time(j, m) < p.time(j, *found))))
        found = m;
    s.assign(j, *found);
    listed.erase(*found);
  }
  return s.out;
}

// Every core time is raised to now beforehand (IRMaSim thesis, sections 3.6 and 4.5).
inline perigee::test::Mapping a_star(const perigee::test::MappingProblem& p) {
  perigee::test::MappingProblem raised = p;
  std::vector<double> ready(p.ready.begin(), p.ready.end());
  for (double& each : ready) each = std::max(each, p.now);
  raised.ready = ready;
  const textbook::Vector order = textbook::schedulable(raised);
  if (order.empty()) return textbook::State(raised).out;
  return textbook::a_star(raised, order, 16, 4, false).state->out;
}

struct Group {  // of jobs and the machines that they are mapped to
  std::vector<std::size_t> jobs;
  std::vector<double> etc, ready;
  std::vector<std::uint32_t> first_core{0}, width;

  Group(const Site& site, std::vector<std::size_t> of) : jobs(std::move(of)) {
    for (const std::size_t job : jobs) {
      width.push_back(static_cast<std::uint32_t>(site.jobs[job].cores));
      for (std::size_t m = 0; m < site.machines.size(); ++m) etc.push_back(site.estimate(job, m));
    }
  }
  void add(const std::vector<double>& cores) {
    ready.insert(ready.end(), cores.begin(), cores.end());
    first_core.push_back(static_cast<std::uint32_t>(ready.size()));
  }
  perigee::test::MappingProblem problem(double now, bool whole_machine) const {
    return {.tasks = jobs.size(),
            .machines = first_core.size() - 1,
            .etc = etc,
            .ready = ready,
            .first_core = first_core,
            .width = width,
            .now = now,
            .whole_machine = whole_machine};
  }
};

// Each group is mapped once, onto planned times that nothing corrects; every machine serves its queue.
inline auto planned_by(Map map, bool whole_machine) {
  struct Plan {
    std::vector<double> core;
    std::vector<std::size_t> queue;
  };
  return [=, plans = std::vector<Plan>(), known = std::set<std::size_t>()](Site& site) mutable {
    if (plans.empty())
      for (const Machine& machine : site.machines)
        plans.push_back({std::vector<double>(static_cast<std::size_t>(machine.cores), 0.0), {}});
    std::vector<std::size_t> jobs;
    for (const std::size_t job : site.queue)
      if (known.insert(job).second && fits_somewhere(site, job)) jobs.push_back(job);
    if (!jobs.empty()) {
      Group group(site, jobs);
      for (const Plan& plan : plans) group.add(plan.core);
      const perigee::test::Mapping mapping = map(group.problem(site.now, whole_machine));
      for (const std::uint32_t task : mapping.order) {
        const std::size_t job = jobs[task], m = mapping.machine[task];
        std::vector<double>& core = plans[m].core;
        std::ranges::sort(core);
        const auto k = static_cast<std::size_t>(site.jobs[job].cores);
        std::fill_n(core.begin(), k, std::max(core[k - 1], site.now) + site.estimate(job, m));
        plans[m].queue.push_back(job);
      }
    }
    for (std::size_t m = 0; m < plans.size(); ++m)
      while (!plans[m].queue.empty() && site.idle(m) >= site.jobs[plans[m].queue.front()].cores) {
        site.start(plans[m].queue.front(), m);
        plans[m].queue.erase(plans[m].queue.begin());
      }
  };
}

// At each event, all waiting work is mapped onto what is idle now and what is expected to end. Work that
// would begin now does. While all jobs of the list take one core, every core is a machine.
inline auto mapped_by(Map map) {
  return [=](Site& site) {
    std::vector<std::size_t> jobs;
    for (const std::size_t job : site.queue)
      if (fits_somewhere(site, job)) jobs.push_back(job);
    if (jobs.empty()) return;
    bool any_idle = false;
    for (std::size_t m = 0; m < site.machines.size(); ++m) any_idle = any_idle || site.idle(m) > 0;
    if (!any_idle) return;
    std::vector<std::vector<double>> cores;
    for (std::size_t m = 0; m < site.machines.size(); ++m) {
      cores.emplace_back(static_cast<std::size_t>(site.idle(m)), 0.0);
      for (const Running& r : site.running)
        if (r.machine == m)
          cores[m].insert(cores[m].end(), static_cast<std::size_t>(site.jobs[r.job].cores),
                          std::max(0.0, site.expected(r) - site.now));
    }
    std::vector<std::pair<std::size_t, std::size_t>> starts;  // job, machine
    if (std::ranges::any_of(site.jobs, [](const Job& job) { return job.cores > 1; })) {
      Group group(site, jobs);
      for (const auto& each : cores) group.add(each);
      const perigee::test::Mapping mapping = map(group.problem(0, false));
      for (const std::uint32_t task : mapping.order) {
        const std::size_t m = mapping.machine[task], k = group.width[task];
        std::ranges::sort(cores[m]);
        if (cores[m][k - 1] == 0) starts.emplace_back(jobs[task], m);
        std::fill_n(cores[m].begin(), k, cores[m][k - 1] + group.etc[task * site.machines.size() + m]);
      }
    } else {
      std::vector<std::size_t> machine_of;
      std::vector<double> ready, etc;
      for (std::size_t m = 0; m < cores.size(); ++m)
        for (const double each : cores[m]) {
          machine_of.push_back(m);
          ready.push_back(each);
        }
      for (const std::size_t job : jobs)
        for (const std::size_t m : machine_of) etc.push_back(site.estimate(job, m));
      const perigee::test::Mapping mapping =
          map({.tasks = jobs.size(), .machines = ready.size(), .etc = etc, .ready = ready});
      std::set<std::uint32_t> taken;
      for (const std::uint32_t task : mapping.order)
        if (taken.insert(mapping.machine[task]).second && ready[mapping.machine[task]] == 0)
          starts.emplace_back(jobs[task], machine_of[mapping.machine[task]]);
    }
    for (const auto& [job, m] : starts)
      if (site.idle(m) >= site.jobs[job].cores) site.start(job, m);
  };
}

}  // namespace slow
