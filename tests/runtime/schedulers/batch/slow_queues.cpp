#include "tests/runtime/schedulers/batch/slow_queues.h"

#include <cstdint>
#include <set>
#include <utility>

namespace slow {

Site simulate(std::vector<Job> jobs, std::vector<Machine> machines, Choice choice, Pass pass, bool phases) {
  Site site{std::move(jobs), std::move(machines), choice, 0, {}, {}, {}, {}};
  site.starts.assign(site.jobs.size(), kInf);
  site.machine_of.assign(site.jobs.size(), site.machines.size());
  std::vector<std::uint8_t> arrived(site.jobs.size(), 0);
  for (;;) {
    double next = kInf;
    for (const Running& r : site.running) next = std::min(next, r.end);
    for (std::size_t j = 0; j < site.jobs.size(); ++j)
      if (!arrived[j]) next = std::min(next, site.jobs[j].submit);
    if (next == kInf) return site;
    site.now = next;
    std::erase_if(site.running, [&](const Running& r) { return r.end <= next; });
    if (phases) pass(site);
    for (std::size_t j = 0; j < site.jobs.size(); ++j) {
      if (arrived[j] || site.jobs[j].submit > next) continue;
      arrived[j] = 1;
      site.queue.push_back(j);
    }
    pass(site);
  }
}

bool fits_somewhere(const Site& site, std::size_t job) {
  return std::ranges::any_of(site.machines,
                             [&](const Machine& m) { return m.cores >= site.jobs[job].cores; });
}

Pass list_pass(Key key) {
  return [key](Site& site) {
    for (;;) {
      std::vector<std::size_t> line;
      for (const std::size_t job : site.queue)
        if (fits_somewhere(site, job)) line.push_back(job);
      std::ranges::stable_sort(line,
                               [&](std::size_t a, std::size_t b) { return key(site, a) < key(site, b); });
      if (line.empty()) return;
      const std::size_t m =
          site.choose([&](std::size_t each) { return site.idle(each) >= site.jobs[line[0]].cores; });
      if (m == site.machines.size()) return;
      site.start(line[0], m);
    }
  };
}

Pass fcfs_pass() {
  return list_pass([](const Site&, std::size_t) { return 0; });
}

Pass easy_pass(std::vector<double>* shadows) {
  return [shadows](Site& site) {
    std::vector<std::size_t> line;
    for (const std::size_t job : site.queue)
      if (fits_somewhere(site, job)) line.push_back(job);
    std::size_t i = 0;
    for (; i < line.size(); ++i) {
      const std::size_t m =
          site.choose([&](std::size_t each) { return site.idle(each) >= site.jobs[line[i]].cores; });
      if (m == site.machines.size()) break;
      site.start(line[i], m);
    }
    if (i == line.size()) return;
    const int needed = site.jobs[line[i]].cores;
    double shadow = kInf;
    std::size_t reserved = site.machines.size();
    int extra = 0;
    for (std::size_t m = 0; m < site.machines.size(); ++m) {
      if (site.machines[m].cores < needed) continue;
      std::set<double> ends;
      for (const Running& r : site.running)
        if (r.machine == m) ends.insert(site.expected(r));
      for (const double end : ends) {
        int free = site.machines[m].cores;
        for (const Running& r : site.running)
          if (r.machine == m && site.expected(r) > end) free -= site.jobs[r.job].cores;
        if (free < needed) continue;
        if (end < shadow) {
          shadow = end;
          reserved = m;
          extra = free - needed;
        }
        break;
      }
    }
    if (shadows != nullptr && (*shadows)[line[i]] == kInf) (*shadows)[line[i]] = shadow;
    for (++i; i < line.size(); ++i) {
      const std::size_t job = line[i];
      const int cores = site.jobs[job].cores;
      const auto ends_before = [&] { return site.now + site.estimate(job, reserved) <= shadow; };
      const std::size_t m = site.choose([&](std::size_t each) {
        return site.idle(each) >= cores && (each != reserved || cores <= extra || ends_before());
      });
      if (m == site.machines.size()) continue;
      if (m == reserved && !ends_before()) extra -= cores;
      site.start(job, m);
    }
  };
}

Pass conservative_pass() {
  return [](Site& site) {
    struct Busy {
      std::size_t machine;
      double from, to;
      int cores;
    };
    std::vector<Busy> busy;
    for (const Running& r : site.running)
      busy.push_back({r.machine, site.now, site.expected(r), site.jobs[r.job].cores});
    const std::vector<std::size_t> line = site.queue;
    for (const std::size_t job : line) {
      const int cores = site.jobs[job].cores;
      const auto earliest = [&](std::size_t m) {
        if (site.machines[m].cores < cores) return kInf;
        std::set<double> times{site.now};
        for (const Busy& b : busy)
          if (b.machine == m && b.to >= site.now) times.insert(b.to);
        for (const double from : times) {
          const double to = from + site.estimate(job, m);
          bool fits = true;
          std::set<double> points{from};
          for (const Busy& b : busy)
            if (b.machine == m && b.from > from && b.from < to) points.insert(b.from);
          for (const double point : points) {
            int free = site.machines[m].cores;
            for (const Busy& b : busy)
              if (b.machine == m && b.from <= point && point < b.to) free -= b.cores;
            fits = fits && free >= cores;
          }
          if (fits) return from;
        }
        return kInf;
      };
      double from = kInf;
      for (std::size_t m = 0; m < site.machines.size(); ++m) from = std::min(from, earliest(m));
      if (from == kInf) continue;
      std::size_t m = site.machines.size();
      for (std::size_t each = 0; each < site.machines.size(); ++each)
        if (earliest(each) == from &&
            (m == site.machines.size() || site.machines[each].speed > site.machines[m].speed))
          m = each;
      busy.push_back({m, from, from + site.estimate(job, m), cores});
      if (from == site.now && site.idle(m) >= cores) site.start(job, m);
    }
  };
}

Pass planned_pass(Key key, bool whole_machine, bool overtake) {
  struct Plan {
    std::vector<double> core;
    std::vector<std::size_t> queue;
  };
  return [=, plans = std::vector<Plan>(), known = std::set<std::size_t>()](Site& site) mutable {
    if (plans.empty())
      for (const Machine& machine : site.machines)
        plans.push_back({std::vector<double>(static_cast<std::size_t>(machine.cores), 0.0), {}});
    std::vector<std::size_t> group;
    for (const std::size_t job : site.queue)
      if (known.insert(job).second) group.push_back(job);
    std::ranges::stable_sort(group,
                             [&](std::size_t a, std::size_t b) { return key(site, a) < key(site, b); });
    for (const std::size_t job : group) {
      const auto after = [&](std::size_t m, double& end) {  // the plan of the machine if it took the job
        std::vector<double> core = plans[m].core;
        std::ranges::sort(core);
        const auto k = static_cast<std::size_t>(site.jobs[job].cores);
        end = std::max(core[k - 1], site.now) + site.estimate(job, m);
        std::fill_n(core.begin(), k, end);
        return core;
      };
      std::size_t best = site.machines.size();
      double least = kInf;
      for (std::size_t m = 0; m < site.machines.size(); ++m) {
        if (site.machines[m].cores < site.jobs[job].cores) continue;
        double end = 0;
        const std::vector<double> core = after(m, end);
        const double completion = whole_machine ? std::max(*std::ranges::max_element(core), site.now) : end;
        if (completion < least) {
          least = completion;
          best = m;
        }
      }
      if (best == site.machines.size()) continue;
      double end = 0;
      plans[best].core = after(best, end);
      plans[best].queue.push_back(job);
    }
    for (std::size_t m = 0; m < plans.size(); ++m) {
      const std::vector<std::size_t> queue = plans[m].queue;
      for (const std::size_t job : queue) {
        if (site.idle(m) >= site.jobs[job].cores) {
          site.start(job, m);
          std::erase(plans[m].queue, job);
        } else if (!overtake) {
          break;
        }
      }
    }
  };
}

}  // namespace slow
