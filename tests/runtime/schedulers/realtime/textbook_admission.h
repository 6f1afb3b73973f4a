// The admission tests of Mamat (2011), Chapter 6, over plain lists and planned anew at each arrival.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

#include "runtime/cost/divisible.h"
#include "runtime/engine/event.h"
#include "runtime/schedulers/realtime/reasons.h"
#include "runtime/schedulers/realtime/staggered_plans.h"
#include "tests/support/layers.h"

namespace perigee::test {

// Algorithms 6 to 8 as printed, with an ordered list of loads and a list of nodes (Mamat, 2011, Chapter 6).
struct TextbookFast {
  struct Load {
    double deadline, size, left, completion;
    std::uint32_t id;
    double slack() const { return deadline - completion; }
  };
  UnitCosts costs;
  std::vector<double> free;
  bool safe = true;
  std::vector<Load> queue = {};
  double channel = 0, last = 0, last_completion = 0;
  bool has_dispatched = false;
  double margin = 1;  // the least relative distance of what was compared

  double on_all(double size) const {
    const double beta = costs.computation / (costs.transmission + costs.computation);
    return size * costs.transmission / (1 - std::pow(beta, static_cast<double>(free.size())));
  }
  bool at_most(double a, double b) {
    const double scale = std::max({1.0, std::fabs(a), std::fabs(b)});
    margin = std::min(margin, std::fabs(a - b) / scale);
    return a <= b + 1e-9 * scale;
  }

  Reason arrive(std::uint32_t id, double now, double size, double deadline) {
    margin = 1;
    if (at_most(deadline, channel + size * costs.transmission)) return refusal::head;
    const double time = on_all(size);
    const auto k = static_cast<std::size_t>(std::count_if(
        queue.begin(), queue.end(), [&](const Load& load) { return load.deadline <= deadline; }));
    double least = kNever;
    for (std::size_t i = k; i < queue.size(); ++i) least = std::min(least, queue[i].slack());
    if (k < queue.size() && !at_most(time, least)) return refusal::succ;
    double start = now;
    if (k > 0) {
      start = queue[k - 1].completion;
    } else if (!queue.empty()) {
      start = safe ? queue[0].completion - on_all(queue[0].left) : has_dispatched ? last_completion : now;
    } else if (has_dispatched) {
      double idle = 0;
      for (const double at : free) idle += std::max(now - std::max(at, channel), 0.0);
      const bool empty = channel <= now && *std::max_element(free.begin(), free.end()) <= now;
      if (!empty) start = last_completion + on_all(idle / (costs.transmission + costs.computation));
    }
    start = std::max(start, now);
    if (!at_most(time, deadline - start)) return refusal::self;
    for (std::size_t i = k; i < queue.size(); ++i) queue[i].completion += time;
    queue.insert(queue.begin() + static_cast<std::ptrdiff_t>(k), {deadline, size, size, start + time, id});
    last = std::max(last, now);
    return Reason::none;
  }

  double next_dispatch() const {
    if (queue.empty()) return kNever;
    return std::max({*std::min_element(free.begin(), free.end()), channel, last});
  }

  // The load that missed its deadline, or -1.
  int dispatch() {
    const double now = next_dispatch(), both = costs.transmission + costs.computation;
    std::size_t node = 0;
    while (free[node] > now) ++node;
    Load& load = queue[0];
    double size = (load.deadline - now) / both;
    const bool too_late = size <= 1e-9 * load.size;
    if (load.left - size <= 1e-9 * load.size) size = load.left;
    last = now;
    if (!too_late) {
      has_dispatched = true;
      channel = now + size * costs.transmission;
      free[node] = now + size * both;
      load.left -= size;
    }
    const int missed = too_late ? static_cast<int>(load.id) : -1;
    if (too_late || load.left == 0) {
      last_completion = load.completion;
      queue.erase(queue.begin());
    }
    return missed;
  }

  // True if all waiting loads are in time when nothing else arrives.
  bool is_feasible() const {
    TextbookFast copy = *this;
    while (!copy.queue.empty())
      if (copy.dispatch() >= 0) return false;
    return true;
  }
};

// Both algorithms with a sort for each load and a bisection for each end (Mamat, 2011, section 6.4).
struct TextbookPlans {
  struct Load {
    double at, size, deadline;
    std::uint32_t id;
  };
  UnitCosts costs;
  IdleTimes rule;
  std::vector<double> free;
  double channel = 0;
  struct Plan {
    Load load;
    double start = 0, sent = 0, end = 0;  // sent: the end of its last transmission
    std::vector<double> ends = {};
  };
  std::vector<Plan> waiting = {};
  double margin = 1;  // the least relative distance of an end to its deadline

  double load_by(const std::vector<double>& at, double from, std::size_t n, double end) const {
    double sent = from, sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double start = std::max(sent, at[i]);
      const double size = std::max(0.0, (end - start) / (costs.transmission + costs.computation));
      sent = start + size * costs.transmission;
      sum += size;
    }
    return sum;
  }

  bool plan_one(std::vector<double>& at, double& from, Plan& plan) {
    std::sort(at.begin(), at.end());
    const double size = plan.load.size, deadline = plan.load.deadline;
    const double both = costs.transmission + costs.computation;
    std::vector<double> chunks;
    for (std::size_t n = 1; n <= at.size() && chunks.empty(); ++n) {
      if (rule == IdleTimes::exact) {
        const double possible = load_by(at, from, n, deadline);
        margin = std::min(margin, std::fabs(possible - size) / size);
        if (possible < size * (1 - 1e-9)) continue;
        double low = std::max(from, at[0]), high = std::max(from, at[n - 1]) + size * both;
        for (int i = 0; i < 200; ++i) {
          const double middle = (low + high) / 2;
          (load_by(at, from, n, middle) < size ? low : high) = middle;
        }
        double sent = from;
        for (std::size_t i = 0; i < n; ++i) {
          const double start = std::max(sent, at[i]);
          chunks.push_back(std::max(0.0, (high - start) / both));
          sent = start + chunks.back() * costs.transmission;
        }
      } else {
        const auto ready = [&](std::size_t i) { return std::max(at[i], from); };
        const double together = DivisibleCosts(costs, Partition::optimal).time(size, n);
        const auto slow = [&](std::size_t i) {
          return costs.computation * together / (together + ready(n - 1) - ready(i));
        };
        std::vector<double> parts = {1};
        for (std::size_t i = 1; i < n; ++i)
          parts.push_back(parts.back() * slow(i - 1) / (costs.transmission + slow(i)));
        double sum = 0;
        for (const double part : parts) sum += part;
        const double estimate = ready(n - 1) + size / sum * (costs.transmission + slow(0));
        margin = std::min(margin, std::fabs(estimate - deadline) / deadline);
        if (!at_most(estimate, deadline)) continue;
        for (const double part : parts) chunks.push_back(part / sum * size);
        double sent = from;  // the claim: no later than estimated
        for (std::size_t i = 0; i < n; ++i) {
          sent = std::max(sent, at[i]) + chunks[i] * costs.transmission;
          REQUIRE(at_most(sent + chunks[i] * costs.computation, estimate));
        }
        REQUIRE(at_most(estimate, ready(n - 1) + together));
      }
    }
    if (chunks.empty()) return false;
    plan.start = std::max(from, at[0]);
    plan.ends.clear();
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      from = std::max(from, at[i]) + chunks[i] * costs.transmission;
      at[i] = from + chunks[i] * costs.computation;
      plan.ends.push_back(at[i]);
    }
    plan.sent = from;
    plan.end = *std::max_element(plan.ends.begin(), plan.ends.end());
    return at_most(plan.end, deadline);
  }

  bool arrive(const Load& load) {
    margin = 1;
    std::vector<Plan> list = waiting;
    list.push_back({load});
    return replan(list, load.at);
  }

  bool replan(std::vector<Plan> list, double now) {
    std::stable_sort(list.begin(), list.end(),
                     [](const Plan& a, const Plan& b) { return a.load.deadline < b.load.deadline; });
    std::vector<double> at = free;
    for (double& time : at) time = std::max(time, now);
    double from = std::max(channel, now);
    for (Plan& plan : list)
      if (!plan_one(at, from, plan)) return false;
    waiting = list;
    return true;
  }

  double next_start() const { return waiting.empty() ? kNever : waiting[0].start; }
  void send() {
    std::sort(free.begin(), free.end());  // nodes are alike: those that are free first take part
    std::copy(waiting[0].ends.begin(), waiting[0].ends.end(), free.begin());
    channel = waiting[0].sent;
    waiting.erase(waiting.begin());
  }
};

}  // namespace perigee::test
