// feedback: the controller and the monitor by hand, the policy by hand and against the discrete
// simulation that Chapter 7 of Mamat (2011) describes, written out.
#include <algorithm>
#include <functional>

#include "runtime/results/executions.h"
#include "runtime/results/job_rows.h"
#include "runtime/schedulers/realtime/feedback_control.h"
#include "runtime/schedulers/realtime/period_state.h"
#include "tests/runtime/schedulers/realtime/loads.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;
using Catch::Matchers::Contains;

namespace {

// A load whose true costs are these factors times the declared ones.
struct Uncertain : Load {
  double transmission = 1, computation = 1;
};

std::shared_ptr<Scenario> uncertain(const Head& head, const std::vector<Uncertain>& loads) {
  auto scenario = scenario_of_loads(head, {loads.begin(), loads.end()});
  auto workload = std::make_shared<Workload>(*scenario->workload);
  for (std::size_t i = 0; i < loads.size(); ++i) {
    workload->extras[i].bytes_estimate = 1;
    workload->extras[i].bytes = loads[i].transmission;
    workload->works[i].amount = head.costs.computation * loads[i].computation;
  }
  scenario->workload = workload;
  return scenario;
}

Outcome feedback_run(const std::shared_ptr<Scenario>& scenario, const std::map<std::string, Value>& given,
                     bool perfect = false) {
  const ConfigPtr config = Catalogue().configure("feedback", given);
  Simulation simulation(scenario,
                        {"feedback", config->make_policy(), config->entry->accepts, config->entry->instants},
                        perfect ? perfect_estimator() : declared_estimator(), {});
  return finish(std::move(simulation));
}

std::vector<std::vector<double>> periods(const Outcome& outcome) {
  std::vector<std::vector<double>> rows;
  for (const Note& note : outcome.trace.notes())
    if (note.name == "period") rows.push_back(note.values);
  return rows;
}

class FeedbackSays final : public Rule {
 public:
  explicit FeedbackSays(std::function<double(double, const PeriodState&)> bound) : bound_(std::move(bound)) {}
  std::unique_ptr<Rule> clone() const override { return std::make_unique<FeedbackSays>(*this); }
  std::string text() const override { return "says"; }
  Answer ask_period(double period, const PeriodState& state) override { return bound_(period, state); }

 private:
  std::function<double(double, const PeriodState&)> bound_;
};

}  // namespace

TEST_CASE("the bound follows the miss ratio in velocity form, and does not wind up at its ends") {
  BoundController control({}, 1);
  const auto after = [&](std::optional<double> ratio) {
    control.update(ratio);
    return control.bound();
  };
  CHECK(after(0.25) == Approx(1 - 0.2 * 0.2 - 0.6 * 0.2));    // err = -0.2 after 0
  CHECK(after(0.05) == Approx(0.84 + 0.2 * 0.2));             // err = 0
  CHECK(after({}) == Approx(0.88));                           // nothing resolved: it holds
  CHECK(after(0) == Approx(0.88 + 0.2 * 0.05 + 0.6 * 0.05));  // err = 0.05
  CHECK(after(1) == Approx(0.92 - 0.2 * 1.0 - 0.6 * 0.95));   // err = -0.95
  CHECK(after(1) == 0.1);
  for (int i = 0; i < 100; ++i) CHECK(after(1) == 0.1);
  CHECK(after(0) == Approx(0.1 + 0.2 * 1.0 + 0.6 * 0.05));  // at once
  for (int i = 0; i < 1000; ++i) control.update(0);
  CHECK(control.bound() == 2);
}

TEST_CASE("each load is counted once: when it is done in time, or at its deadline") {
  MissMonitor monitor(1e-9);
  monitor.admitted(1, 10);
  monitor.admitted(2, 10);
  monitor.admitted(3, 20);
  monitor.admitted(4, 30);
  monitor.admitted(5, 50);
  const auto counts = [&](Time now) {
    const MissMonitor::Counts found = monitor.sample(now);
    return std::pair(found.misses, found.resolved);
  };
  monitor.complete(1, 10, 9);
  CHECK(counts(10) == std::pair<std::size_t, std::size_t>(0, 1));  // load 2 may still be done now
  monitor.complete(2, 10, 12);
  monitor.complete(3, 20, 20 + 1e-9);  // within the tolerance
  CHECK(counts(25) == std::pair<std::size_t, std::size_t>(1, 2));
  CHECK(counts(31) == std::pair<std::size_t, std::size_t>(1, 1));
  monitor.complete(4, 30, 35);
  CHECK_FALSE(monitor.sample(40).ratio());
  monitor.given_up(5, 50);
  CHECK(monitor.sample(45).ratio() == 1.0);
}

TEST_CASE("every load that waits has to stay within the bound") {
  // The second one starts when the first is done, at 5 + 10 = 15: 10/15 and 9/45.
  const std::vector<LoadOnAll> loads = {{20, 10}, {60, 9}};
  CHECK(within_bound(loads, 5, 2.0 / 3, 1e-9));
  CHECK_FALSE(within_bound(loads, 5, 0.66, 1e-9));
  CHECK(within_bound(loads, -5, 0.4, 1e-9));
  CHECK(within_bound({}, 5, 0.1, 1e-9));
  CHECK(within_bound(std::vector<LoadOnAll>{{10, 14}}, 0, 1.4, 1e-9));
  CHECK_FALSE(within_bound(std::vector<LoadOnAll>{{5, 0}}, 5, 2, 1e-9));  // no time is left
}

TEST_CASE("feedback: two loads on two nodes, by hand") {
  // On both nodes a unit takes 1 / (1 - (3/4)^2) = 16/7 s: load 1 takes 16 of 20 s. Chunks are of an eighth
  // of the time that is left: 2.5 and 2.1875, then as nodes become free 1.25 at 10 and the last 1.0625
  // at 11.25. At 1, load 1 has sent 2.5, which are done at 40/7, and takes 72/7 of the 100/7 s that it then
  // has: 0.72.
  const Head head{2, {1, 3}};
  const auto scenario = uncertain(head, {{{0, 7, 20}}, {{1, 7, 59}}});
  const Outcome outcome = feedback_run(scenario, {{"bound", 0.8}, {"period", 30.0}});
  std::vector<std::pair<Time, double>> chunks;
  for (const Execution& each : executions(outcome).all)
    if (each.kind == ActivityKind::chunk) chunks.emplace_back(each.started, each.size);
  using Chunks = std::vector<std::pair<Time, double>>;
  CHECK(chunks == Chunks{{0, 2.5}, {2.5, 2.1875}, {10, 1.25}, {11.25, 1.0625}, {15, 5.625}, {20.625, 1.375}});
  CHECK(job_rows(outcome)[0].finish == 15.5);
  CHECK(job_rows(outcome)[1].finish == 37.5);
  // One node is busy in all of [0, 30), the other in [2.5, 15.5) and [20.625, 26.125).
  REQUIRE(periods(outcome).size() == 1);
  CHECK(periods(outcome)[0] == std::vector<double>{1, 0.8, 0, 1, 2, 0, 48.5 / 60});

  const auto below = feedback_run(scenario, {{"bound", 0.79}});
  CHECK(job_rows(below)[0].state == WorkState::rejected);
  CHECK(job_rows(below)[1].state == WorkState::finished);
  // The bound falls at 0.5 below the share that load 1 takes. So load 2 is not admitted, although it has time
  // enough.
  const RulePtr falls = std::make_shared<FeedbackSays>([](double period, const PeriodState& state) {
    if (period == 2) CHECK(state.bound == 0.8);
    if (period == 2) CHECK(std::isnan(state.miss_ratio));
    return period == 1 ? 0.8 : 0.71;
  });
  const auto falling = feedback_run(scenario, {{"bound", falls}, {"period", 0.5}});
  CHECK(job_rows(falling)[0].state == WorkState::finished);
  CHECK(job_rows(falling)[1].state == WorkState::rejected);
}

TEST_CASE("a load that takes longer than declared misses its deadline: it is finished or dropped") {
  const Head head{2, {1, 3}};
  const auto scenario = uncertain(head, {{{0, 7, 20}, 1, 2}, {{50, 1, 40}}});
  const Outcome finished = feedback_run(scenario, {{"period", 30.0}});
  CHECK(job_rows(finished)[0].missed);
  CHECK(job_rows(finished)[0].finish > 20);
  CHECK(periods(finished)[0][2] == 1);
  CHECK(periods(finished)[0][3] == 1);
  // 1 + 0.2 (0.05 - 1) + 0.6 (0.05 - 1)
  CHECK(periods(finished).size() == 1);
  const Outcome dropped = feedback_run(scenario, {{"period", 15.0}, {"late", "drop"}});
  CHECK(job_rows(dropped)[0].state == WorkState::expired);
  // Chunks are sent at 0, 2.5, 17.5 and 17.8125 s, and with the least size, 0.07, at 19.6875 and 19.7575 s:
  // these are computed when the load is due, until 20.1775 and 20.2475 s. Nothing is sent from 20 s on.
  Time last = 0;
  for (const Execution& each : executions(dropped).all) {
    if (each.work != WorkId(0)) continue;
    CHECK(each.how == RecordKind::ended);
    if (each.kind == ActivityKind::chunk) CHECK(each.started < 20);
    last = std::max(last, each.ended);
  }
  CHECK(last == Approx(20.2475).epsilon(1e-12));
  for (std::size_t i = 0; i < dropped.trace.size(); ++i)
    if (dropped.trace[i].kind == RecordKind::expired) CHECK(dropped.trace[i].time == last);
  REQUIRE(periods(dropped).size() >= 3);
  CHECK(periods(dropped)[1][3] == 1);
  CHECK(periods(dropped)[2][1] == Approx(1 + 0.2 * -0.95 + 0.6 * -0.95));
  // A policy that knows, or assumes the worst, rejects it: it takes 7 (1 / (1 - (6/7)^2)) = 26.4 s and 32 s.
  CHECK(job_rows(feedback_run(scenario, {}, true))[0].state == WorkState::rejected);
  CHECK(job_rows(feedback_run(scenario, {{"cost_factor", 2.0}}))[0].state == WorkState::rejected);
}

TEST_CASE("what a node loses is sent again, and admission is not told that it is away") {
  const Head head{2, {1, 3}};
  auto scenario = uncertain(head, {{{0, 7, 40}}, {{30, 7, 20}}});
  scenario->happenings.push_back(happening(6, HappeningKind::down, ResourceId::of(HostId(1))));
  const Outcome outcome = feedback_run(scenario, {{"period", 1000.0}});
  // 5 units are sent to the node that stays and 2 to the one that goes. These are sent again at 20, when the
  // first are done.
  CHECK(job_rows(outcome)[0].finish == 28);
  // It takes 16 s of 20 on two nodes; on the one that is left it takes 28.
  CHECK(job_rows(outcome)[1].state == WorkState::finished);
  CHECK(job_rows(outcome)[1].missed);
}

TEST_CASE("the utilization of a period counts the time for which each node was up") {
  // A chunk may be as large as a node can compute by the deadline, so that each load goes to node 1 whole: it
  // is busy in [0, 100) and [120, 170). Node 2 has nothing to do, is away in [50, 150), and there for 50 s of
  // each period of 100 s.
  const Head head{2, {1, 4}};
  auto scenario = uncertain(head, {{{0, 20, 1000}}, {{120, 10, 1000}}, {{210, 1, 1000}}});
  const ResourceId second = ResourceId::of(HostId(1));
  scenario->happenings = {happening(50, HappeningKind::down, second),
                          happening(150, HappeningKind::up, second)};
  const auto found = periods(feedback_run(scenario, {{"period", 100.0}, {"chunk_factor", 1.0}}));
  REQUIRE(found.size() == 2);
  CHECK(found[0][6] == 100.0 / 150);
  CHECK(found[1][6] == 50.0 / 150);
}

TEST_CASE("a load that is sent whole waits no longer, whatever its size") {
  // One node. Chunks have a quarter of the time that is left, then the rest. Load 2 comes long after all of
  // load 1 is computed, and takes next to nothing of the time that it has.
  const Head head{1, {1, 1}};
  for (int i = 1; i <= 200; ++i) {
    const double size = i / 7.0;
    const auto scenario = uncertain(head, {{{0, size, 2.5 * size}, 1, 20}, {{24 * size, 1, 1000 * size}}});
    const Outcome outcome = feedback_run(scenario, {{"bound", 1.0}, {"chunk_factor", 4.0}});
    INFO("size " << size);
    CHECK(job_rows(outcome)[1].state == WorkState::finished);
  }
}

TEST_CASE("parameters that do not go together are refused") {
  const auto refused = [](const std::map<std::string, Value>& given) {
    Catalogue().configure("feedback", given);
  };
  REQUIRE_THROWS_WITH(refused({{"least_bound", 2.0}}),
                      Contains("least_bound must be less than most_bound = 2, got 2"));
  REQUIRE_THROWS_WITH(refused({{"start_bound", 3.0}}),
                      Contains("between least_bound = 0.1 and most_bound = 2, got 3"));
  REQUIRE_THROWS_WITH(refused({{"target", 0.0}}), Contains("target must be > 0 and < 1, got 0"));
  REQUIRE_THROWS_WITH(refused({{"period", 0.0}}), Contains("period"));
  REQUIRE_THROWS_WITH(refused({{"chunk_factor", 0.5}}), Contains("chunk_factor"));
  REQUIRE_THROWS_WITH(refused({{"bound", "control"}}), Contains("did you mean 'controlled'?"));
}

namespace {

// Sections 7.2.1 and 7.2.2 as a loop over dispatches, arrivals and samples, in true and estimated costs.
struct Simulated {
  std::vector<bool> admitted;
  std::vector<Time> finish;
  std::vector<std::vector<double>> samples;  // bound, misses, resolved
};
Simulated simulated(const Head& head, const std::vector<Uncertain>& loads, Seconds period,
                    double chunk_factor, double least_chunk) {
  const double tau = head.costs.transmission, chi = head.costs.computation, beta = chi / (tau + chi);
  const auto on_all = [&](double x) {
    return x * tau / (1 - std::pow(beta, static_cast<double>(head.nodes)));
  };
  const auto deadline = [&](std::size_t i) { return loads[i].arrival + loads[i].within; };
  Simulated out{std::vector<bool>(loads.size()), std::vector<Time>(loads.size(), 0), {}};
  std::vector<Time> free(head.nodes, 0);
  std::vector<std::size_t> queue;
  std::vector<double> left(loads.size(), 0);
  std::vector<bool> counted(loads.size());
  Time channel = 0, last = 0, done = 0;
  double bound = 1, error = 0;
  std::size_t next = 0;
  for (std::size_t k = 1; next < loads.size() || !queue.empty();) {
    const Time dispatch =
        queue.empty() ? kNever : std::max({*std::min_element(free.begin(), free.end()), channel, last});
    const Time sample = static_cast<double>(k) * period,
               arrival = next < loads.size() ? loads[next].arrival : kNever;
    if (dispatch <= sample && dispatch <= arrival) {
      const std::size_t i = queue.front();
      std::size_t node = 0;
      while (free[node] > dispatch) ++node;
      double x = loads[i].size / static_cast<double>(head.nodes);
      if (dispatch < deadline(i))
        x = std::max((deadline(i) - dispatch) / (chunk_factor * (tau + chi)), least_chunk * loads[i].size);
      if (left[i] - x <= 1e-9 * loads[i].size) x = left[i];
      left[i] -= x;
      channel = dispatch + x * tau * loads[i].transmission;
      free[node] = channel + x * chi * loads[i].computation;
      out.finish[i] = std::max(out.finish[i], free[node]);
      done = std::max(done, dispatch) + on_all(x);
      last = dispatch;
      if (left[i] == 0) queue.erase(queue.begin());
    } else if (sample <= arrival) {
      double misses = 0, resolved = 0;
      for (std::size_t i = 0; i < next; ++i) {
        if (!out.admitted[i] || counted[i]) continue;
        const bool hit = left[i] == 0 && out.finish[i] <= deadline(i);
        if ((hit ? out.finish[i] : deadline(i)) > sample) continue;
        counted[i] = true;
        ++resolved;
        if (!hit) ++misses;
      }
      out.samples.push_back({bound, misses, resolved});
      if (resolved > 0) {
        const double now = 0.05 - misses / resolved;
        bound = std::clamp(bound + 0.2 * (now - error) + 0.6 * now, 0.1, 2.0);
        error = now;
      }
      ++k;
    } else {
      const std::size_t i = next++;
      left[i] = loads[i].size;
      std::vector<std::size_t> with = queue;
      with.insert(
          std::find_if(with.begin(), with.end(), [&](std::size_t j) { return deadline(j) > deadline(i); }),
          i);
      const bool busy = channel > arrival || *std::max_element(free.begin(), free.end()) > arrival;
      Time start = busy ? std::max(done, arrival) : arrival;
      out.admitted[i] = true;
      for (const std::size_t j : with) {
        const double room = deadline(j) - start;
        if (room <= 0 || on_all(left[j]) / room > bound) out.admitted[i] = false;
        start += on_all(left[j]);
      }
      if (out.admitted[i]) queue = with, last = arrival;
    }
  }
  return out;
}

}  // namespace

TEST_CASE("the policy does what the discrete simulation of Chapter 7 does") {
  std::size_t misses = 0, rejected = 0, sampled = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Stream random(seed, "feedback");
    const Head head{1 + random.below(8), {random.uniform(0.5, 2), random.uniform(1, 40)}};
    const double alone = 50 * (head.costs.transmission + head.costs.computation);
    const double chunk_factor = random.uniform(1, 3), least_chunk = random.uniform(0.005, 0.2);
    std::vector<Uncertain> loads;
    Time arrival = 0;
    for (int i = 0; i < 150; ++i) {
      arrival += alone / static_cast<double>(head.nodes) * random.uniform(0, 2);
      const double size = random.uniform(1, 100);
      loads.push_back(
          {{arrival, size, alone * random.uniform(0.2, 4)}, random.uniform(0.1, 2), random.uniform(0.1, 2)});
    }
    const Seconds period = 5 * alone;
    const Simulated expected = simulated(head, loads, period, chunk_factor, least_chunk);
    const Outcome outcome =
        feedback_run(uncertain(head, loads),
                     {{"period", period}, {"chunk_factor", chunk_factor}, {"least_chunk", least_chunk}});
    INFO("seed " << seed);
    CHECK(accepted(outcome) == expected.admitted);
    const auto rows = job_rows(outcome);
    for (std::size_t i = 0; i < loads.size(); ++i) {
      if (!expected.admitted[i]) continue;
      CHECK(rows[i].finish == Approx(expected.finish[i]).epsilon(1e-9));
      CHECK(rows[i].missed == (expected.finish[i] > loads[i].arrival + loads[i].within));
      misses += rows[i].missed ? 1 : 0;
    }
    rejected += static_cast<std::size_t>(std::ranges::count(expected.admitted, false));
    const auto found = periods(outcome);
    REQUIRE(found.size() >= expected.samples.size());
    for (std::size_t k = 0; k < expected.samples.size(); ++k, ++sampled) {
      CHECK(found[k][0] == static_cast<double>(k + 1));
      CHECK(found[k][1] == Approx(expected.samples[k][0]).epsilon(1e-12));
      CHECK(found[k][2] == expected.samples[k][1]);
      CHECK(found[k][3] == expected.samples[k][2]);
      CHECK(found[k][1] >= 0.1);
      CHECK(found[k][1] <= 2);
      CHECK(found[k][6] <= 1 + 1e-9);
    }
  }
  CHECK(misses > 100);  // the comparison is about something
  CHECK(rejected > 1000);
  CHECK(sampled > 400);
}

TEST_CASE("with exact costs no chunk that is sent before its deadline ends after it") {
  std::size_t chunks = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Stream random(seed, "exact");
    const Head head{1 + random.below(8), {random.uniform(0.5, 2), random.uniform(1, 40)}};
    const double alone = 50 * (head.costs.transmission + head.costs.computation);
    std::vector<Uncertain> loads;
    Time arrival = 0;
    for (int i = 0; i < 60; ++i) {
      arrival += alone / static_cast<double>(head.nodes) * random.uniform(0, 2);
      loads.push_back({{arrival, random.uniform(1, 100), alone * random.uniform(0.2, 4)}});
    }
    const Outcome outcome =
        feedback_run(uncertain(head, loads), {{"bound", 1.0}, {"chunk_factor", 1.0}, {"least_chunk", 1e-6}});
    for (const Execution& each : executions(outcome).all) {
      const Load& load = loads[each.work.index];
      const Time deadline = load.arrival + load.within;
      const Time sent = each.kind == ActivityKind::chunk ? each.started
                                                         : each.started - each.size * head.costs.transmission;
      const Seconds least = 1e-6 * load.size * (head.costs.transmission + head.costs.computation);
      if (sent < deadline - 1e-6) CHECK(each.ended <= deadline + least + 1e-6);
      ++chunks;
    }
  }
  CHECK(chunks > 1000);
}
