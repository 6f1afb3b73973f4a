#include "runtime/cost/chart.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "runtime/cost/chart_mapping.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

namespace {

// Files of some bytes over links of 10 B/s, and tasks of some seconds on hosts of a speed.
struct Grid {
  ChartProblem problem;
  std::vector<std::vector<std::uint32_t>> in, out;
  std::vector<double> seconds;
  std::vector<double> speed;

  Grid(std::vector<double> sizes, std::vector<std::uint32_t> cluster, std::vector<double> speeds)
      : speed(std::move(speeds)) {
    problem.cluster = std::move(cluster);
    for (const std::uint32_t c : problem.cluster)
      problem.clusters = std::max<std::size_t>(problem.clusters, c + 1);
    problem.files = sizes.size();
    for (std::size_t c = 0; c < problem.clusters; ++c)
      for (const double size : sizes) problem.transfer.push_back(size / 10);
  }
  void task(double time, std::vector<std::uint32_t> inputs, std::vector<std::uint32_t> outputs) {
    in.push_back(std::move(inputs));
    out.push_back(std::move(outputs));
    seconds.push_back(time);
  }
  const ChartProblem& done() {
    for (std::size_t t = 0; t < in.size(); ++t) {
      problem.inputs.emplace_back(in[t]);
      problem.outputs.emplace_back(out[t]);
    }
    for (const double each : speed)
      for (const double time : seconds) problem.time.push_back(time / each);
    return problem;
  }
};

}  // namespace

TEST_CASE("transfers, computation and output of a task on a chart") {
  Grid grid({20, 10, 10, 10, 40, 10}, {0}, {1});
  grid.task(5, {0}, {1});
  grid.task(3, {0, 2}, {3});
  grid.task(2, {4}, {5});
  Chart chart(grid.done(), 0);
  CHECK(chart.completion(0, 0).computed == 7);  // sent 0-2, computed 2-7
  CHECK(chart.completion(0, 0).complete == 8);
  const ChartTask first = chart.place(0, 0);
  CHECK(first.slot.start == 2);
  REQUIRE(first.transfers.size() == 2);
  CHECK(first.transfers[1].home);
  CHECK(first.transfers[1].slot.start == 7);
  // File 0 is there at 2; file 2 is sent from 2 to 3; the host is free at 7; home from 10 to 11.
  const ChartTask second = chart.place(1, 0);
  CHECK(second.slot.start == 7);
  CHECK(second.complete == 11);
  REQUIRE(second.transfers.size() == 2);
  CHECK(second.transfers[0].file == 2);
  CHECK(second.transfers[0].slot.start == 2);
  // 4 s of transfer fit between 3 and 7, before the output of the first one.
  const ChartTask third = chart.place(2, 0);
  CHECK(third.transfers[0].slot.start == 3);
  CHECK(third.slot.start == 10);
  CHECK(third.complete == 13);
}

TEST_CASE("the transfers of one task do not overlap each other") {
  Grid grid({30, 10, 20, 20}, {0}, {1});
  grid.task(1, {0, 1, 2}, {3, 3});
  Chart chart(grid.done(), 0);
  chart.occupy_link(0, 2);
  const ChartTask placed = chart.place(0, 0);
  CHECK(placed.transfers[0].slot.start == 2);
  CHECK(placed.transfers[1].slot.start == 5);
  CHECK(placed.transfers[2].slot.start == 6);
  CHECK(placed.slot.start == 8);
  CHECK(placed.transfers[3].slot.start == 9);
  CHECK(placed.transfers[4].slot.start == 11);
}

TEST_CASE("what never ends closes its column") {
  Grid grid({10, 10}, {0, 1}, {1, 1});
  grid.task(1, {0}, {1});
  Chart chart(grid.done(), 3);
  chart.occupy_link(0, kNever);
  CHECK(chart.completion(0, 0).complete == kNever);
  CHECK(chart.completion(0, 1).complete == 6);
  ChartView view(chart, {0});
  CHECK(view.best_host(0) == 1);
  CHECK(view.candidate(0).clusters.size() == 1);
  CHECK(view.candidate(0).second == kNever);
  chart.occupy_host(1, kNever);
  CHECK(choose(ChartView(chart, {0}), *min_min_rule()).is_none());
}

TEST_CASE("the first jump between clusters") {
  // Steps 1 1 18 1: mean 5.25, deviation sqrt(54.1875) = 7.36; 18 is more than both.
  const Jump jump = first_jump(std::vector<Time>{10, 11, 12, 30, 31}, NoJump::none);
  CHECK(jump.clusters == 3);
  CHECK(jump.height == 18);
  // With two steps, the larger one is exactly mean + deviation, which is not enough.
  const std::vector<Time> three = {1, 2, 10};
  CHECK(first_jump(three, NoJump::largest).clusters == 2);
  CHECK(first_jump(three, NoJump::largest).height == 8);
  CHECK(first_jump(three, NoJump::none).clusters == 3);
  CHECK(first_jump(three, NoJump::none).height == 0);
  CHECK(first_jump(three, NoJump::classic).clusters == 1);
  CHECK(first_jump(three, NoJump::classic).height == 1);
  CHECK(suffering(three, first_jump(three, NoJump::none), Suffering::group) == 0);
  // 10, less the mean of 1 and 2; the mean of 2 and 10, less 1.
  CHECK(suffering(three, first_jump(three, NoJump::largest), Suffering::group) == 8.5);
  CHECK(suffering(three, first_jump(three, NoJump::classic), Suffering::group) == 5);
  CHECK(suffering(three, first_jump(three, NoJump::classic), Suffering::jump) == 1);
  // 30 and 31 are 19.5 later than 10, 11 and 12 are.
  const std::vector<Time> five = {10, 11, 12, 30, 31};
  CHECK(suffering(five, first_jump(five, NoJump::none), Suffering::group) == 19.5);
  // Steps 1 1 20 1 20 1: mean 44 / 6, deviation 8.96; two of them jump, and 23, 24 are between.
  const std::vector<Time> seven = {1, 2, 3, 23, 24, 44, 45};
  const Jump first = first_jump(seven, NoJump::none);
  CHECK(first.clusters == 3);
  CHECK(first.height == 20);
  CHECK(first.next == 5);
  CHECK(suffering(seven, first, Suffering::group) == 21.5);
  CHECK(first_jump(std::vector<Time>{4}, NoJump::largest).clusters == 1);
  CHECK(first_jump(std::vector<Time>{4, 9}, NoJump::largest).height == 5);
}

// Rules that use all completions, computed anew at each step.
TEST_CASE("what a view of a chart keeps is what the chart says") {
  std::mt19937_64 random(11);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  for (int round = 0; round < 150; ++round) {
    const std::size_t clusters = 1 + below(4), hosts = clusters + below(5), tasks = 1 + below(12);
    std::vector<double> sizes(4 + 2 * tasks);
    for (double& size : sizes) size = static_cast<double>(10 * (1 + below(6)));
    std::vector<std::uint32_t> cluster;
    std::vector<double> speed;
    for (std::size_t h = 0; h < hosts; ++h) {
      cluster.push_back(static_cast<std::uint32_t>(h < clusters ? h : below(clusters)));
      speed.push_back(below(2) == 0 ? 1 : 0.5);
    }
    Grid grid(sizes, cluster, speed);
    for (std::size_t t = 0; t < tasks; ++t)
      grid.task(static_cast<double>(1 + below(8)),
                {static_cast<std::uint32_t>(below(4)), static_cast<std::uint32_t>(4 + 2 * t)},
                {static_cast<std::uint32_t>(5 + 2 * t)});
    Chart chart(grid.done(), 0);
    std::vector<std::uint32_t> all(tasks);
    for (std::size_t t = 0; t < tasks; ++t) all[t] = static_cast<std::uint32_t>(t);
    ChartView view(chart, all);
    while (!view.waiting().empty()) {
      double least = kNever, most = -kNever, suffers = -kNever;
      std::uint32_t min_min = 0, max_min = 0, sufferage = 0;
      for (const std::uint32_t task : view.waiting()) {
        double best = kNever, second = kNever;
        std::vector<double> in_cluster(clusters, kNever);
        for (std::uint32_t h = 0; h < hosts; ++h) {
          const Completion end = chart.completion(task, h);
          in_cluster[cluster[h]] = std::min(in_cluster[cluster[h]], end.complete);
          if (end.complete < best) {
            second = best;
            best = end.complete;
          } else {
            second = std::min(second, end.complete);
          }
        }
        std::ranges::sort(in_cluster);
        const ChartCandidate candidate = view.candidate(task);
        REQUIRE(candidate.best == best);
        REQUIRE(candidate.second == second);
        REQUIRE(std::ranges::equal(candidate.clusters, in_cluster));
        REQUIRE(chart.completion(task, view.best_host(task)).complete == best);
        if (best < least) least = best, min_min = task;
        if (best > most) most = best, max_min = task;
        const double suffering = second < kNever ? second - best : 0;
        if (suffering > suffers) suffers = suffering, sufferage = task;
      }
      REQUIRE(choose(view, *min_min_rule()).task == min_min);
      REQUIRE(choose(view, *max_min_rule()).task == max_min);
      const auto [task, host] = choose(view, *sufferage_rule());
      REQUIRE(task == sufferage);
      view.place(task, host);
    }
  }
}

// Long and short computations, wide and narrow links. Inputs come long before a host is free, just in time or
// too late. The other hosts and links are full, or begin with something that goes on. There are up to three
// outputs. Latencies may fall, so that the task computed first is not always complete first.
TEST_CASE("the best hosts of a cluster are those of the completions of all its hosts") {
  std::mt19937_64 random(31);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const auto unit = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  constexpr double kDepends = std::numeric_limits<double>::quiet_NaN();
  int later_first = 0;  // computed later, complete first
  for (int round = 0; round < 400; ++round) {
    const std::size_t clusters = 1 + below(3), hosts = clusters + below(6), tasks = 5 + below(30);
    const double long_ones = std::pow(10, 3 * unit());
    const bool whole = below(3) == 0;  // numbers: many ties
    std::vector<double> sizes(4 + 5 * tasks);
    for (double& size : sizes) size = whole ? static_cast<double>(10 * below(4)) : 40 * unit();
    std::vector<std::uint32_t> cluster;
    std::vector<double> speed;
    for (std::size_t h = 0; h < hosts; ++h) {
      cluster.push_back(static_cast<std::uint32_t>(h < clusters ? h : below(clusters)));
      speed.push_back(0.5 + static_cast<double>(below(3)) / 2);
    }
    Grid grid(sizes, cluster, speed);
    for (std::size_t t = 0; t < tasks; ++t) {
      const auto own = static_cast<std::uint32_t>(4 + 5 * t);
      std::vector<std::uint32_t> in{own, static_cast<std::uint32_t>(below(4)), own + 1};
      in.resize(below(4));
      std::vector<std::uint32_t> out{own + 2, own + 3, own + 4};
      out.resize(below(4));
      grid.task(long_ones * (whole ? static_cast<double>(1 + below(4)) : unit()), in, out);
    }
    ChartProblem problem = grid.done();
    if (below(4) == 0) problem.cluster[hosts - 1] = ChartProblem::kAway;
    const auto time = problem.time, transfer = problem.transfer;
    if (below(4) == 0)
      for (double& each : problem.time)
        if (below(3) == 0) each = kDepends;
    if (below(2) == 0)
      for (double& each : problem.transfer)
        if (below(3) > 0) each = kDepends;
    problem.task_end = [&](std::size_t t, std::size_t h, Time start) { return start + time[h * tasks + t]; };
    const double slow_until = below(3) == 0 ? 0 : 2 + 5 * long_ones * unit(), latency = long_ones * unit();
    problem.transfer_end = [&](std::size_t f, std::size_t c, Time start) {
      return start + transfer[c * problem.files + f] + (start < slow_until ? latency : 0);
    };
    Chart chart(problem, 2);
    for (std::size_t c = 0; c < clusters; ++c) {
      for (std::size_t f = 0; f < 4; ++f)
        if (below(3) == 0) chart.has_file(f, c, 2 + long_ones * unit());
      if (below(3) == 0) chart.occupy_link(c, below(9) == 0 ? kNever : 2 + long_ones * unit());
    }
    for (std::size_t h = 0; h < hosts; ++h)
      if (below(3) == 0) chart.occupy_host(h, below(9) == 0 ? kNever : 2 + long_ones * unit());
    if (below(3) == 0) chart.set_floor(2 + long_ones * unit());
    for (std::size_t t = 0; t < tasks; ++t) {
      for (std::size_t c = 0; c < clusters; ++c) {
        BestInCluster plain;
        Completion second;  // on plain.next
        for (std::uint32_t h = 0; h < hosts; ++h) {
          if (problem.cluster[h] != c) continue;
          const Completion end = chart.completion(t, h);
          const auto before = [&](const Completion& other) {
            return clearly_less(end.complete, other.complete) ||
                   (!clearly_less(other.complete, end.complete) &&
                    clearly_less(end.computed, other.computed));
          };
          later_first += end.complete < plain.first.complete && end.computed > plain.first.computed ? 1 : 0;
          if (before(plain.first)) {
            plain.next = plain.host, second = plain.first;
            plain.host = h, plain.first = end;
          } else if (before(second)) {
            plain.next = h, second = end;
          }
        }
        INFO("round " << round << ", task " << t << " in cluster " << c);
        const BestInCluster best = chart.best_in(t, chart.outlook(c));
        REQUIRE(best.host == plain.host);
        REQUIRE(best.next == plain.next);
        REQUIRE(best.first.computed == plain.first.computed);
        REQUIRE(best.first.complete == plain.first.complete);
        REQUIRE(best.next_computed == second.computed);
        REQUIRE(chart.complete_after(t, c, best.next_computed) == second.complete);
      }
      const std::size_t host = below(hosts);
      if (chart.completion(t, host).complete < kNever) chart.place(t, host);
    }
  }
  CHECK(later_first >= 5);
}

// Clusters of hosts that are alike, or nearly, and tasks that begin with a file that many need. Inputs come
// before hosts are free, fit before the common file or follow it, or neither. Hosts wait for inputs, so that
// there are gaps, long enough for some tasks.
TEST_CASE("a view of a chart keeps, step by step, the best hosts of all completions") {
  std::mt19937_64 random(57);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const auto unit = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  for (int round = 0; round < 300; ++round) {
    const std::size_t clusters = 1 + below(3), hosts = clusters * (1 + below(6)), tasks = 5 + below(25);
    const bool whole = below(3) == 0;  // numbers: many ties
    const double common = std::pow(10, 4 * unit()), seconds = std::pow(10, 2 * unit());
    std::vector<double> sizes(3 + 3 * tasks);
    for (std::size_t f = 0; f < sizes.size(); ++f)
      sizes[f] = (f < 3 ? common : 10) * (whole ? static_cast<double>(below(3)) : unit());
    std::vector<std::uint32_t> cluster;
    std::vector<double> speed;
    for (std::size_t h = 0; h < hosts; ++h) {
      cluster.push_back(static_cast<std::uint32_t>(h % clusters));
      const auto odd = static_cast<double>(below(30) == 0 ? 1 : 0);
      speed.push_back(1 + static_cast<double>(h % clusters) / 2 + (whole ? 0.5 : 1e-10) * odd);
    }
    Grid grid(sizes, cluster, speed);
    for (std::size_t t = 0; t < tasks; ++t) {
      const auto own = static_cast<std::uint32_t>(3 + 3 * t);
      std::vector<std::uint32_t> in{static_cast<std::uint32_t>(below(3)), own, own + 1};
      in.resize(3 - below(3) / 2);
      grid.task(seconds * (whole ? static_cast<double>(below(4)) : 0.5 + unit()), in, {own + 2});
    }
    ChartProblem problem = grid.done();
    problem.until_home = below(4) > 0;
    Chart chart(problem, 1);
    for (std::size_t c = 0; c < clusters; ++c)
      if (below(3) == 0) chart.has_file(below(3), c, 1 + common * unit());
    for (std::size_t h = 0; h < hosts; ++h)
      if (below(4) == 0) chart.occupy_host(h, below(9) == 0 ? kNever : 1 + seconds * unit());
    if (below(4) == 0) chart.set_floor(1 + seconds * unit());
    std::vector<std::uint32_t> all(tasks);
    for (std::size_t t = 0; t < tasks; ++t) all[t] = static_cast<std::uint32_t>(t);
    ChartView view(chart, all);
    while (!view.waiting().empty()) {
      for (const std::uint32_t task : view.waiting())
        for (std::size_t c = 0; c < clusters; ++c) {
          BestInCluster plain;
          Completion second;  // on plain.next
          for (std::uint32_t h = 0; h < hosts; ++h) {
            if (problem.cluster[h] != c) continue;
            const Completion end = chart.completion(task, h);
            if (goes_before(end, plain.first)) {
              plain.next = plain.host, second = plain.first;
              plain.host = h, plain.first = end;
            } else if (goes_before(end, second)) {
              plain.next = h, second = end;
            }
          }
          INFO("round " << round << ", task " << task << " in cluster " << c);
          const BestInCluster& best = view.in_cluster(task, c);
          REQUIRE(best.host == plain.host);
          REQUIRE(best.next == plain.next);
          REQUIRE(best.first.computed == plain.first.computed);
          REQUIRE(best.first.complete == plain.first.complete);
          REQUIRE(best.next_computed == second.computed);
        }
      const std::uint32_t task = view.waiting()[below(view.waiting().size())];
      const auto anywhere = static_cast<std::uint32_t>(below(hosts));
      const std::uint32_t host = below(2) == 0 ? anywhere : view.best_host(task);
      if (host == BestInCluster::kNone || !(chart.completion(task, host).complete < kNever)) break;
      view.place(task, host);
    }
  }
}

TEST_CASE("a draft of a chart is a value, and a plan of a task is what placing it does") {
  std::mt19937_64 rng(7);
  for (int round = 0; round < 50; ++round) {
    Grid grid({20, 10, 30, 10, 10, 10}, {0, 0, 1}, {1, 2, 4});
    for (std::uint32_t t = 0; t < 6; ++t)
      grid.task(static_cast<double>(1 + rng() % 9), {static_cast<std::uint32_t>(rng() % 3)},
                {static_cast<std::uint32_t>(3 + rng() % 3)});
    ChartDraft draft(Chart(grid.done(), 0), {0, 1, 2, 3, 4, 5});
    while (draft.view().waiting().size() > 1) {
      const std::uint32_t task = draft.view().waiting()[rng() % draft.view().waiting().size()],
                          host = static_cast<std::uint32_t>(rng() % 3);
      const ChartDraft before = draft;
      const ChartTask planned = before.view().chart().plan(task, host);
      const std::size_t count = before.view().placed().size();
      const ChartTask placed = draft.view().place(task, host);
      REQUIRE(placed.slot.start == planned.slot.start);
      REQUIRE(placed.complete == planned.complete);
      REQUIRE(placed.transfers.size() == planned.transfers.size());
      for (std::size_t i = 0; i < placed.transfers.size(); ++i)
        REQUIRE(placed.transfers[i].slot.start == planned.transfers[i].slot.start);
      REQUIRE(before.view().waits(task));
      REQUIRE(before.view().chart().completion(task, host).complete == planned.complete);
      REQUIRE(before.view().placed().size() == count);
      // Candidates not reported as changed have not changed, and a fresh view agrees.
      const ChartDraft fresh(draft.view().chart(),
                             {draft.view().waiting().begin(), draft.view().waiting().end()});
      for (const std::uint32_t other : draft.view().waiting()) {
        const ChartCandidate now = draft.view().candidate(other), then = before.view().candidate(other);
        const bool same = now.best == then.best && now.second == then.second &&
                          std::ranges::equal(now.clusters, then.clusters);
        if (draft.view().changed(other) <= count) REQUIRE(same);
        REQUIRE(fresh.view().candidate(other).best == now.best);
        REQUIRE(fresh.view().candidate(other).second == now.second);
        REQUIRE(std::ranges::equal(fresh.view().candidate(other).clusters, now.clusters));
      }
    }
  }
}

namespace {

// Rates that change: full for 5 s, half for 5 s, and so on.
double work_until(Time t) {
  const double cycle = std::floor(t / 10), rest = t - 10 * cycle;
  return 7.5 * cycle + std::min(rest, 5.0) + std::max(0.0, rest - 5) / 2;
}
Time end_of_work(Time start, double amount) {
  const double work = work_until(start) + amount, cycle = std::floor(work / 7.5), rest = work - 7.5 * cycle;
  return std::max(start, 10 * cycle + (rest <= 5 ? rest : 5 + 2 * (rest - 5)));
}

struct Plain {  // all that a rule may ask, from all completions
  double best = kNever, second = kNever, computed = kNever;
  std::uint32_t host = 0;
  std::vector<double> clusters;
};

Plain chart_asked(const Chart& chart, std::uint32_t task) {
  const ChartProblem& problem = chart.problem();
  std::vector<Completion> ends;
  for (std::uint32_t h = 0; h < problem.hosts(); ++h) ends.push_back(chart.completion(task, h));
  Plain out;
  std::vector<double> least(problem.clusters, kNever);
  for (std::size_t c = 0; c < problem.clusters; ++c)
    for (std::uint32_t h = 0; h < problem.hosts(); ++h) {
      if (problem.cluster[h] != c) continue;
      least[c] = std::min(least[c], ends[h].complete);
      if (clearly_less(ends[h].complete, out.best) ||
          (!clearly_less(out.best, ends[h].complete) && clearly_less(ends[h].computed, out.computed)))
        out.best = ends[h].complete, out.computed = ends[h].computed, out.host = h;
    }
  for (std::uint32_t h = 0; h < problem.hosts(); ++h)
    if (h != out.host) out.second = std::min(out.second, ends[h].complete);
  for (const double each : least)
    if (each < kNever) out.clusters.push_back(each);
  std::ranges::sort(out.clusters);
  return out;
}

}  // namespace

// The textbook form: all completions of all tasks anew at each step.
TEST_CASE(
    "what rules choose step by step is what they choose from all completions, also at rates that change") {
  std::mt19937_64 random(23);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const auto unit = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  struct Named {
    const char* name;
    std::unique_ptr<CandidateRule> rule;
    bool largest;
    std::function<std::pair<double, double>(const Plain&)> key;
  };
  std::vector<Named> rules;
  rules.push_back({"min_min", min_min_rule(), false, [](const Plain& t) { return std::pair(t.best, 0.0); }});
  rules.push_back({"max_min", max_min_rule(), true, [](const Plain& t) { return std::pair(t.best, 0.0); }});
  rules.push_back({"sufferage", sufferage_rule(), true,
                   [](const Plain& t) { return std::pair(t.second < kNever ? t.second - t.best : 0, 0.0); }});
  rules.push_back({"xsufferage", xsufferage_rule(), true, [](const Plain& t) {
                     return std::pair(t.clusters.size() > 1 ? t.clusters[1] - t.clusters[0] : 0, 0.0);
                   }});
  for (const NoJump no : {NoJump::largest, NoJump::none, NoJump::classic})
    for (const Suffering as : {Suffering::jump, Suffering::group}) {
      rules.push_back({"extended_sufferage", extended_sufferage_rule(no, as), true, [=](const Plain& t) {
                         return std::pair(suffering(t.clusters, first_jump(t.clusters, no), as), 0.0);
                       }});
      rules.push_back({"sufferage_2", sufferage_2_rule(no, as), false, [=](const Plain& t) {
                         const Jump jump = first_jump(t.clusters, no);
                         return std::pair(static_cast<double>(jump.clusters),
                                          suffering(t.clusters, jump, as));
                       }});
    }
  for (std::size_t round = 0; round < 2 * rules.size(); ++round) {
    const std::size_t clusters = 1 + below(5), hosts = round == 0 ? 20 : clusters + below(6),
                      tasks = round == 0 ? 200 : 10 + below(30);
    // Whole numbers tie, also where rounding separates them.
    const auto whole = [&](std::size_t most) {
      return static_cast<double>(1 + below(most)) *
             (round % 6 == 0 ? 1.0 : 1 + 1e-12 * static_cast<double>(below(3)));
    };
    std::vector<double> sizes(6 + 3 * tasks);
    for (double& size : sizes) size = round % 3 == 0 ? 10 * whole(6) : 80 * unit();
    std::vector<std::uint32_t> cluster;
    std::vector<double> speed;
    for (std::size_t h = 0; h < hosts; ++h) {
      cluster.push_back(static_cast<std::uint32_t>(h < clusters ? h : below(clusters)));
      speed.push_back(0.5 + static_cast<double>(below(3)) / 2);
    }
    Grid grid(sizes, cluster, speed);
    for (std::size_t t = 0; t < tasks; ++t) {
      const auto own = static_cast<std::uint32_t>(6 + 3 * t);
      grid.task(round % 3 == 0 ? whole(8) : 1 + 8 * unit(),
                {static_cast<std::uint32_t>(below(6)), own, own + 1}, {own + 2});
    }
    ChartProblem problem = grid.done();
    const auto time = problem.time, transfer = problem.transfer;
    if (round % 2 == 0) {  // half of them change over time
      constexpr double kDepends = std::numeric_limits<double>::quiet_NaN();
      for (std::size_t i = 0; i < time.size(); ++i)
        if (i / tasks % 2 == 0) problem.time[i] = kDepends;
      for (std::size_t i = 0; i < transfer.size(); ++i)
        if (i / problem.files % 2 == 1) problem.transfer[i] = kDepends;
      problem.task_end = [&](std::size_t t, std::size_t h, Time start) {
        return end_of_work(start, time[h * tasks + t]);
      };
      problem.transfer_end = [&](std::size_t f, std::size_t c, Time start) {
        return end_of_work(start, transfer[c * problem.files + f]);
      };
    }
    Chart chart(problem, 3);
    std::vector<std::uint32_t> all(tasks);
    for (std::size_t t = 0; t < tasks; ++t) all[t] = static_cast<std::uint32_t>(t);
    ChartView view(chart, all);
    while (!view.waiting().empty()) {
      std::vector<Plain> plain;
      for (const std::uint32_t task : view.waiting()) plain.push_back(chart_asked(chart, task));
      ChartChoice next;
      for (std::size_t r = 0; r < rules.size(); ++r) {
        const Named& each = rules[r];
        std::size_t chosen = 0;
        for (std::size_t i = 1; i < plain.size(); ++i) {
          const auto [a, a2] = each.key(plain[i]);
          const auto [b, b2] = each.key(plain[chosen]);
          const bool before = each.largest ? clearly_less(b, a) : clearly_less(a, b);
          const bool after = each.largest ? clearly_less(a, b) : clearly_less(b, a);
          if (before || (!after && clearly_less(b2, a2))) chosen = i;
        }
        const ChartChoice choice = choose(view, *each.rule);
        INFO(each.name << ", round " << round << ", " << plain.size() << " tasks wait");
        REQUIRE(choice == ChartChoice{view.waiting()[chosen], plain[chosen].host});
        REQUIRE(choose_by_bounds(view, *each.rule) == choice);
        if (r == round % rules.size()) next = choice;
      }
      view.place(next.task, next.host);
    }
  }
}
