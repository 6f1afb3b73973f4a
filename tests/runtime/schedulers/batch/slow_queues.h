// Batch queues as described, event by event over plain lists. Nothing is kept from one event to the next.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <vector>

namespace slow {

constexpr double kInf = std::numeric_limits<double>::infinity();

struct Job {
  double submit, run, estimate;  // seconds on a machine of speed 1
  int cores;
};

struct Machine {
  int cores;
  double speed;
};

enum class Choice { first, fastest, most_idle, least_idle };

struct Running {
  std::size_t job, machine;
  double end, expected;
};

struct Site {
  std::vector<Job> jobs;
  std::vector<Machine> machines;
  Choice choice = Choice::first;

  double now = 0;
  std::vector<std::size_t> queue;  // in order of arrival
  std::vector<Running> running;
  std::vector<double> starts;           // per job; +inf = never
  std::vector<std::size_t> machine_of;  // per job

  double estimate(std::size_t job, std::size_t m) const { return jobs[job].estimate / machines[m].speed; }
  double expected(const Running& r) const { return std::max(r.expected, now); }
  int idle(std::size_t m) const {
    int cores = machines[m].cores;
    for (const Running& r : running)
      if (r.machine == m) cores -= jobs[r.job].cores;
    return cores;
  }
  void start(std::size_t job, std::size_t m) {
    running.push_back({job, m, now + jobs[job].run / machines[m].speed, now + estimate(job, m)});
    starts[job] = now;
    machine_of[job] = m;
    std::erase(queue, job);
  }
  // The best of the machines for which `allowed` is true; their number if there is none.
  template <class Allowed>
  std::size_t choose(Allowed allowed) const {
    std::size_t best = machines.size();
    const auto value = [&](std::size_t m) {
      return choice == Choice::fastest      ? machines[m].speed
             : choice == Choice::most_idle  ? idle(m)
             : choice == Choice::least_idle ? -idle(m)
                                            : 0.0;
    };
    for (std::size_t m = 0; m < machines.size(); ++m)
      if (allowed(m) && (best == machines.size() || value(m) > value(best))) best = m;
    return best;
  }
};

// The acts at one of the times at which something happens.
using Pass = std::function<void(Site&)>;
using Key =
    std::function<double(const Site&, std::size_t job)>;  // the job with the least key is the first in line

// Calls pass(site) at each time at which something ends or arrives; with `phases` also between the two.
Site simulate(std::vector<Job> jobs, std::vector<Machine> machines, Choice choice, Pass pass,
              bool phases = false);

// A job that no machine is wide enough for does not block others.
bool fits_somewhere(const Site& site, std::size_t job);

Pass list_pass(Key key);
Pass fcfs_pass();
// shadows[job]: the latest start of a job, computed when it first was at the head and could not start.
Pass easy_pass(std::vector<double>* shadows = nullptr);
Pass conservative_pass();
// Sections 3.2, 3.3.2 and 4.1.2 of the IRMaSim thesis: each group in the order of the least key, each job to
// the machine with the earliest completion on planned core times; then every machine serves its queue.
Pass planned_pass(Key key, bool whole_machine, bool overtake);

}  // namespace slow
