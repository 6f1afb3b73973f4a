// The time of admission tests of divisible loads (Mamat, 2011, section 6.4.2): the mean of the first n
// decisions and of the 100 after them, behind a huge load and with deadlines so long that nothing is
// rejected, beside the published milliseconds of Tables 6.2 to 6.4; a decision of the fast test with many
// waiting; exact plans beside their textbook form; and a whole run of Chapter 4. A goal that is missed is an
// error.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include "runtime/cost/random_loads.h"
#include "runtime/engine/simulation.h"
#include "runtime/kernel/event_queue.h"
#include "runtime/kernel/random.h"
#include "runtime/schedulers/catalogue.h"
#include "runtime/schedulers/realtime/hybrid_admission.h"
#include "tests/bench/growth.h"
#include "tests/support/layers.h"

namespace {

using namespace perigee;
using namespace perigee::test;

// Loads of 200 units on average, one after the other each second; no deadline is close.
struct Arrivals {
  Stream random{1, "admission"};
  std::uint32_t next_id = 0;
  struct One {
    std::uint32_t id;
    Time at;
    double size;
    Time deadline;
  };
  One next() {
    const std::uint32_t id = next_id++;
    const auto at = static_cast<double>(id);
    if (id == 0) return {id, at, 1e6, 1e7};  // huge
    double size = 0;
    while (!(size > 0)) size = random.normal(200, 200);
    return {id, at, size, at + random.uniform(1e8, 3e8)};
  }
};

template <class Test>
bool decide(Test& test, const Arrivals::One& load) {
  if constexpr (std::is_same_v<Test, StaggeredPlans>)
    return test.arrive(load.id, load.at, load.size, load.deadline);
  else
    return test.arrive(load.id, load.at, load.size, load.deadline) == Reason::none;
}

// Sends the chunks that are due.
template <class Test>
void send(Test& test, Time now) {
  if constexpr (std::is_same_v<Test, StaggeredPlans>)
    while (test.next_start() <= now) test.send();
  else if constexpr (std::is_same_v<Test, FastAdmission>)
    while (test.next_dispatch() <= now) test.dispatch();
  else
    while (test.next_dispatch() <= now) test.dispatch([](const HybridAdmission::Chunk&) {});
}

struct Published {
  double first = 0, next = 0;  // ms; 0: none is
};

// A decision's mean time over the first n loads, and over the 100 that come then.
template <class Test>
void decisions(benchmark::State& state, const Test& empty, Published published) {
  const auto n = static_cast<std::uint32_t>(state.range(0));
  double first = 0, next = 0;
  std::size_t rounds = 0;
  for (auto _ : state) {
    Test test = empty;
    Arrivals arrivals;
    double taken = 0, before = 0;
    for (std::uint32_t i = 0; i < n + 100; ++i) {
      const Arrivals::One load = arrivals.next();
      send(test, load.at);
      if (i == n) before = taken;
      const double from = seconds_of_thread();
      const bool admitted = decide(test, load);
      taken += seconds_of_thread() - from;
      if (!admitted) state.SkipWithError("a load was rejected");
    }
    state.SetIterationTime(taken);
    first += before / n;
    next += (taken - before) / 100;
    ++rounds;
  }
  const auto mean = [&](double sum) { return sum / static_cast<double>(rounds); };
  state.counters["first_s"] = mean(first);  // in s, as they are printed with a prefix: 1.5u is 1.5 us
  state.counters["next_100_s"] = mean(next);
  if (published.first > 0) state.counters["published_first_s"] = published.first / 1e3;
  if (published.next > 0) state.counters["published_next_100_s"] = published.next / 1e3;
}

constexpr UnitCosts kCosts{.transmission = 1, .computation = 1000};
constexpr double kTolerance = 1e-9;
using Table = std::vector<std::pair<std::int64_t, Published>>;

void add_tables() {
  const auto add = [](const char* name, const auto& empty, const Table& table) {
    for (const auto& [n, published] : table)
      benchmark::RegisterBenchmark(name, [empty, published = published](
                                             benchmark::State& state) { decisions(state, empty, published); })
          ->Arg(n)
          ->UseManualTime()
          ->Iterations(1)
          ->Unit(benchmark::kMillisecond);
  };
  const Table none = {{300, {}}, {1000, {}}, {2000, {}}, {3000, {}}};
  for (const std::size_t nodes : {512, 1024}) {
    const bool small = nodes == 512;
    add(small ? "admission/fast_edf_iit/512" : "admission/fast_edf_iit/1024",
        FastAdmission(kCosts, nodes, HeadStart::safe, kTolerance),
        small
            ? Table{{300, {0.96, 1.71}}, {1000, {4.84, 16.25}}, {2000, {20.46, 67.24}}, {3000, {48.87, 157}}}
            : Table{{300, {1.01}}, {1000, {4.90}}, {2000, {21.1}}, {3000, {50}}});
    add(small ? "admission/edf_iit_2/512" : "admission/edf_iit_2/1024",
        StaggeredPlans(kCosts, nodes, IdleTimes::exact, kTolerance),
        small ? Table{{300, {151.32, 349.22}},
                      {1000, {494.07, 1034.21}},
                      {2000, {988.95, 2030.48}},
                      {3000, {1494.91, 3050.86}}}
              : Table{{300, {363.29}}, {1000, {1545.51}}, {2000, {3089.6}}, {3000, {4923.91}}});
    if (small)
      add("admission/edf_iit_1/512", StaggeredPlans(kCosts, nodes, IdleTimes::as_heterogeneity, kTolerance),
          Table{{300, {410.44, 850.01}},
                {1000, {1321.08, 3006.01}},
                {2000, {3119.76, 7536.32}},
                {3000, {6206.91, 31173.86}}});
    else
      add("admission/hybrid/1024", HybridAdmission(kCosts, nodes, 500, kTolerance), none);
  }
}
const bool tables_added = (add_tables(), true);

// EDF-IIT-2 as it is described: all that wait are planned at each arrival, the nodes sorted for each of them,
// the common end found by bisection. O(W N log N).
struct TextbookPlans {
  struct Plan {
    double size;
    Time deadline;
    std::uint32_t id;
    Time start = 0, end = 0;
    std::size_t nodes = 0;
  };
  std::vector<Time> free;
  Time channel = 0;
  std::vector<Plan> plans = {};

  static double load_by(const std::vector<Time>& at, Time from, Time end, std::size_t nodes,
                        std::vector<double>* chunks = nullptr) {
    double sum = 0;
    for (std::size_t i = 0; i < nodes; ++i) {
      const Time start = std::max(from, at[i]);
      const double size = std::max(0.0, (end - start) / (kCosts.transmission + kCosts.computation));
      if (chunks) chunks->push_back(size);
      from = start + size * kCosts.transmission;
      sum += size;
    }
    return sum;
  }

  bool arrive(const Arrivals::One& load) {
    std::vector<Plan> list = plans;
    const Plan added{load.size, load.deadline, load.id};
    list.insert(std::ranges::upper_bound(list, load.deadline, {}, &Plan::deadline), added);
    std::vector<Time> at = free;
    for (Time& time : at) time = std::max(time, load.at);
    Time from = std::max(channel, load.at);
    std::vector<double> chunks;
    for (Plan& plan : list) {
      std::ranges::sort(at);
      double sum = 0;
      Time sent = from;
      std::size_t n = 0;
      while (n < at.size() && sum < plan.size) {
        const Time start = std::max(sent, at[n]);
        const double size =
            std::max(0.0, (plan.deadline - start) / (kCosts.transmission + kCosts.computation));
        sent = start + size * kCosts.transmission;
        sum += size;
        ++n;
      }
      if (!at_most(plan.size, sum)) return false;
      Time low = std::max(from, at[0]), high = plan.deadline;
      while (high - low > 1e-13 * high) {
        const Time middle = low + (high - low) / 2;
        (load_by(at, from, middle, n) < plan.size ? low : high) = middle;
      }
      plan.start = std::max(from, at[0]);
      plan.end = high;
      plan.nodes = n;
      chunks.clear();
      load_by(at, from, high, n, &chunks);
      for (std::size_t i = 0; i < n; ++i) {
        from = std::max(from, at[i]) + chunks[i] * kCosts.transmission;
        at[i] = high;
      }
    }
    plans = std::move(list);
    return true;
  }
};

// The floor of a decision while deadlines are far: each load behind the new one takes the node that is free
// first, out of a heap.
Time floor_of_plans(std::vector<Time> free, Time channel, std::span<const StaggeredPlans::Plan> behind) {
  std::ranges::make_heap(free, std::greater<>());
  for (const StaggeredPlans::Plan& plan : behind) {
    std::ranges::pop_heap(free, std::greater<>());
    channel = std::max(channel, free.back()) + plan.size * kCosts.transmission;
    free.back() = channel + plan.size * kCosts.computation;
    std::ranges::push_heap(free, std::greater<>());
  }
  return channel;
}

void exact_plans(benchmark::State& state) {
  constexpr std::uint32_t kMeasured = 50;
  const auto nodes = static_cast<std::size_t>(state.range(0));
  const auto waiting = static_cast<std::uint32_t>(state.range(1));
  StaggeredPlans plans(kCosts, nodes, IdleTimes::exact, kTolerance);
  Arrivals arrivals;
  for (std::uint32_t i = 0; i < waiting; ++i) {
    const Arrivals::One load = arrivals.next();
    send(plans, load.at);
    decide(plans, load);
  }
  TextbookPlans textbook;
  for (std::size_t node = 0; node < nodes; ++node) textbook.free.push_back(plans.node_free(node));
  textbook.channel = plans.channel_free();
  for (const StaggeredPlans::Plan& plan : plans.plans())
    textbook.plans.push_back({plan.size, plan.deadline, plan.id});
  double ours = 0, theirs = 0, floor = 0;
  std::size_t rounds = 0;
  for (auto _ : state) {
    StaggeredPlans test = plans;
    TextbookPlans other = textbook;
    Arrivals then = arrivals;
    for (std::uint32_t i = 0; i < kMeasured; ++i) {
      const Arrivals::One load = then.next();
      const double from = seconds_of_thread();
      decide(test, load);
      const double between = seconds_of_thread();
      other.arrive(load);
      const double after = seconds_of_thread();
      theirs += after - between;
      ours += between - from;
      const auto& plans_now = test.plans();
      const auto place = std::ranges::find(plans_now, load.id, &StaggeredPlans::Plan::id);
      const double begin = seconds_of_thread();
      benchmark::DoNotOptimize(floor_of_plans(textbook.free, textbook.channel, {place, plans_now.end()}));
      floor += seconds_of_thread() - begin;
    }
    state.SetIterationTime(ours / static_cast<double>(++rounds));
    for (std::size_t i = 0; i < other.plans.size(); ++i)
      if (std::fabs(test.plans()[i].end / other.plans[i].end - 1) > 1e-9)
        state.SkipWithError("the textbook's plans end otherwise");
  }
  state.counters["s_per_decision"] = ours / static_cast<double>(rounds) / kMeasured;
  state.counters["times_floor"] = ours / floor;
  state.counters["times_faster_than_textbook"] = theirs / ours;
  state.SetLabel(
      "times_floor = each load behind the new one takes the first free node out of a heap; times_faster_than_textbook = "
      "all that wait are planned anew at each arrival");
  if (theirs < 5 * ours)
    state.SkipWithError(
        fmt::format("{:.3g} times as fast as the textbook's form, less than 5", theirs / ours).c_str());
}
BENCHMARK(exact_plans)
    ->ArgNames({"nodes", "waiting"})
    ->Args({512, 1000})
    ->Args({1024, 1000})
    ->Args({512, 3000})
    ->UseManualTime()
    ->Iterations(3)
    ->Unit(benchmark::kMillisecond);

void add_growth_of_admission() {
  const auto add = [](const std::string& name, IdleTimes idle) {
    constexpr std::size_t kNodes = 512;
    constexpr std::uint32_t kMeasured = 50;
    add_growth({.name = "admission/" + name,
                .measured = "decisions of `" + name + "` on 512 nodes while loads wait",
                .floor = "each load behind the new one takes the first free node out of a heap",
                .unit = "loads that wait",
                .sizes = {250, 500, 1000},
                .make = [=](double size) -> AtSize {
                  StaggeredPlans plans(kCosts, kNodes, idle, kTolerance);
                  Arrivals arrivals;
                  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(size); ++i) {
                    const Arrivals::One load = arrivals.next();
                    send(plans, load.at);
                    decide(plans, load);
                  }
                  std::vector<Time> free;
                  for (std::size_t node = 0; node < kNodes; ++node) free.push_back(plans.node_free(node));
                  return {[=] {
                            StaggeredPlans test = plans;
                            Arrivals then = arrivals;
                            return seconds_taken([&] {
                              for (std::uint32_t i = 0; i < kMeasured; ++i) decide(test, then.next());
                            });
                          },
                          [=] {  // half of the loads are behind the new one, on average
                            const std::span<const StaggeredPlans::Plan> waiting = plans.plans();
                            return seconds_taken([&] {
                              for (std::uint32_t i = 0; i < kMeasured; ++i)
                                benchmark::DoNotOptimize(floor_of_plans(free, plans.channel_free(),
                                                                        waiting.subspan(waiting.size() / 2)));
                            });
                          }};
                }});
  };
  add("edf_iit_1", IdleTimes::as_heterogeneity);
  add("edf_iit_2", IdleTimes::exact);
}
const bool growth_added = (add_growth_of_admission(), true);

// Decisions while n wait, in between those that are already there.
void fast_decision(benchmark::State& state) {
  constexpr std::uint32_t kMeasured = 1000;
  const auto n = static_cast<std::uint32_t>(state.range(0));
  FastAdmission waiting(kCosts, 512, HeadStart::safe, kTolerance);
  Arrivals arrivals;
  for (std::uint32_t i = 0; i <= n; ++i) {
    const Arrivals::One load = arrivals.next();
    send(waiting, load.at);
    decide(waiting, load);
  }
  const Arrivals::One one_more = arrivals.next();
  std::vector<Arrivals::One> loads(kMeasured);
  for (Arrivals::One& load : loads) load = arrivals.next();
  double sum = 0;
  std::size_t rounds = 0;
  for (auto _ : state) {
    FastAdmission test = waiting;
    decide(test, one_more);  // a copy has no room for it
    const double from = seconds_of_thread();
    for (const Arrivals::One& load : loads) benchmark::DoNotOptimize(decide(test, load));
    const double taken = seconds_of_thread() - from;
    state.SetIterationTime(taken);
    sum += taken;
    ++rounds;
  }
  const double each = sum / static_cast<double>(rounds) / kMeasured;
  state.counters["s_per_decision"] = each;
  if (each > 2e-6) state.SkipWithError(fmt::format("{:.3g} us a decision, more than 2", 1e6 * each).c_str());
}
BENCHMARK(fast_decision)->Arg(3000)->Arg(30000)->UseManualTime()->Unit(benchmark::kMillisecond);

// The base configuration of section 4.5.1 with set-ups of `theta` seconds, at system load 1 for 10^7 s.
std::shared_ptr<const Scenario> chapter_4(double theta, double deadline_ratio, Time horizon = 1e7) {
  constexpr std::size_t kNodes = 256;
  PlatformSpec spec;
  PlatformSpec::ClusterSpec& cluster = spec.clusters.emplace_back();
  cluster.name = "c";
  for (std::size_t h = 0; h < kNodes; ++h) {
    Host& host = cluster.hosts.emplace_back();
    host.name = "c." + std::to_string(h + 1);
    host.setup = theta;
  }
  cluster.has_link = true;
  cluster.link.bandwidth = Profile(1.0);
  cluster.link.latency = Profile(theta);
  cluster.link.sharing = Sharing::unlimited;
  RandomLoads loads({1, 1000, theta, theta}, kNodes, {.mean_size = 1000, .deadline_ratio = deadline_ratio},
                    Stream(1, "workload"));
  auto workload = std::make_shared<Workload>();
  for (RandomLoad load = loads.next(loads.mean_interval(1)); load.arrival < horizon;
       load = loads.next(loads.mean_interval(1))) {
    Work& work = workload->works.emplace_back();
    work.kind = WorkKind::load;
    work.amount = work.estimate = 1000;
    work.arrival = load.arrival;
    work.deadline = load.arrival + load.within;
    work.extra = static_cast<std::uint32_t>(workload->extras.size());
    WorkExtra& extra = workload->extras.emplace_back();
    extra.size = load.size;
    extra.bytes = 1;
  }
  auto scenario = std::make_shared<Scenario>();
  scenario->platform = std::make_shared<Platform>(spec);
  scenario->workload = std::move(workload);
  return scenario;
}

void chapter_4_run(benchmark::State& state) {
  const auto scenario = chapter_4(static_cast<double>(state.range(0)), static_cast<double>(state.range(1)));
  const ConfigPtr config = Catalogue().configure("edf");
  double sum = 0;
  std::size_t rounds = 0;
  for (auto _ : state) {
    const double taken = seconds_taken([&] {
      if (finished_run(scenario, config, perfect_estimator()).status() != RunStatus::complete)
        state.SkipWithError("the run is incomplete");
    });
    state.SetIterationTime(taken);
    sum += taken;
    ++rounds;
  }
  state.counters["loads"] = static_cast<double>(scenario->workload->works.size());
  if (sum > 0.1 * static_cast<double>(rounds))
    state.SkipWithError(
        fmt::format("{:.3g} s, longer than 0.1 s", sum / static_cast<double>(rounds)).c_str());
}
BENCHMARK(chapter_4_run)
    ->ArgNames({"theta", "ratio"})
    ->ArgsProduct({{0, 500}, {2, 10}})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

// The event queue with the end of each chunk of each load.
Time bare_loads(const Scenario& scenario, std::size_t chunks) {
  EventQueue queue;
  Time now = 0;
  std::uint32_t serial = 0;
  const auto& works = scenario.workload->works;
  const std::size_t each = std::max<std::size_t>(chunks / works.size(), 1);
  for (const Work& work : works) {
    while (!queue.empty() && queue.top().at <= work.arrival) {
      now = queue.top().at;
      queue.pop();
    }
    for (std::size_t i = 0; i < each; ++i) queue.push({work.deadline, serial++, 0});
  }
  while (!queue.empty()) {
    now = queue.top().at;
    queue.pop();
  }
  return now;
}

void add_growth_of_runs() {
  for (const char* policy : {"edf", "edf_iit_2"}) {
    const ConfigPtr config = Catalogue().configure(policy);
    add_growth(
        {.name = std::string("realtime/") + policy,
         .measured = fmt::format("a run of random loads under `{}` on 256 nodes, at load 1", policy),
         .floor = "the event queue, with the end of each chunk",
         .unit = "time units",
         .sizes = {2.5e6, 5e6, 1e7},
         .make = [=](double size) -> AtSize {
           const auto scenario = chapter_4(0, 2, size);
           const std::size_t chunks =
               begun_in(finished_run(scenario, config, perfect_estimator(), TraceLevel::full).trace());
           return {
               [=] { return seconds_taken([&] { finished_run(scenario, config, perfect_estimator()); }); },
               [=] {
                 return seconds_taken([&] { benchmark::DoNotOptimize(bare_loads(*scenario, chunks)); });
               }};
         }});
  }
}
const bool growth_of_runs_added = (add_growth_of_runs(), true);

}  // namespace
