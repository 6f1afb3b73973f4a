// Quality of information: the estimates of each setting for the same hosts, links and work.
#include "runtime/engine/information.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "runtime/kernel/error.h"
#include "tests/support/layers.h"
#include "tests/support/toys.h"

using namespace perigee;
using namespace perigee::test;
using Catch::Contains;

namespace {

// A task of 100 s, declared as 150. Host c.1 has the availability 50 52 49 51 90 50 48 %, 5 s each, repeated;
// host c.2 is always ours and has speed 2. The input has 1000 B, declared as 500. The link has 100, 200, 60
// B/s and 1, 2, 3 s of latency, 5 s each.
std::shared_ptr<Scenario> noisy() {
  auto workload = tasks_of({{100}, {10, 1000}});
  workload->works[0].estimate = 150;
  workload->files.push_back({"in", 1000, 500});
  workload->file_lists = {FileId(0)};
  workload->works[0].input_count = 1;
  auto cluster = with_link(cluster_of({1, 2}), 100, 1);
  cluster.hosts[0].availability = Profile::circular({0.5, 0.52, 0.49, 0.51, 0.9, 0.5, 0.48}, 5);
  cluster.link.bandwidth = Profile::circular({100, 200, 60}, 5);
  cluster.link.latency = Profile::circular({1, 2, 3}, 5);
  return scenario_of(platform_of({cluster}), workload);
}

// Calls f(sim) at these times, from a policy that does nothing else.
template <class F>
void ask_at(std::shared_ptr<Scenario> scenario, const std::string& information, std::vector<Time> times, F f,
            std::uint64_t seed = 1) {
  RunOptions options;
  options.horizon = 10000;
  options.seed = seed;
  Simulation run(std::move(scenario),
                 toy(
                     [&](Sim& sim, std::vector<double>&) {
                       for (const Time at : times) sim.timer(at, TimerPhase::due, Keeps::alive);
                     },
                     [&](Sim& sim, std::span<const Event> events, std::vector<double>&) {
                       for (const Event& event : events)
                         if (event.kind == EventKind::timer) f(sim);
                     }),
                 estimator(information_of(information)), options);
  run.run();
}

double duration(std::shared_ptr<Scenario> scenario, const std::string& information, Time at,
                std::size_t host = 0, std::uint64_t seed = 1) {
  double found = -1;
  ask_at(
      std::move(scenario), information, {at},
      [&](Sim& sim) {
        const Piece task{WorkId(0), 0, 1};
        found = sim.estimate().duration(sim, task, HostId(host));
        CHECK(sim.estimate().end_of(sim, task, HostId(host), at + 7) - (at + 7) ==
              Approx(found).epsilon(
                  information.starts_with("perfect") || information.starts_with("error") ? 1 : 1e-12));
        std::vector<double> matrix(1);
        sim.estimate().matrix(sim, std::vector{WorkId(0)}, std::vector{HostId(host)}, matrix);
        CHECK(matrix[0] == found);
      },
      seed);
  return found;
}

double sending(std::shared_ptr<Scenario> scenario, const std::string& information, Time at) {
  double found = -1;
  ask_at(std::move(scenario), information, {at},
         [&](Sim& sim) { found = sim.estimate().end_of(sim, FileId(0), ClusterId(0), at) - at; });
  return found;
}

}  // namespace

TEST_CASE("information is read and shown") {
  for (const char* text :
       {"perfect", "declared", "learnt", "nominal", "current", "mean", "last", "median(5)", "exp(0.25)",
        "quantile(0.9)", "adapt_mse", "error(0.25)", "error(0.25) error_seed(7)", "declared perfect",
        "learnt last error(0.1) age(30) sample_period(10) progress overdue(0)", "current age(60)"})
    CHECK(information_of(text).text() == text);
  CHECK(information_of(" error( 25 % )  last ").text() == "last error(0.25)");
  CHECK(information_of("declared nominal").text() == "declared");
  CHECK(information_of("age(1 min) current").age == 60);
  CHECK(information_of("perfect").is_perfect());
  CHECK_FALSE(information_of("error(0.1)").is_perfect());
  CHECK(Information{} == information_of("perfect"));
}

TEST_CASE("information that makes no sense is refused") {
  const auto says = [](const char* text, const char* what) {
    INFO(text);
    CHECK_THROWS_WITH(information_of(text), Contains(what));
  };
  says("", "the text is empty");
  says("perfekt", "there is no 'perfekt'");
  says("perfekt", "did you mean 'perfect'?");
  says("adaptmse", "did you mean 'adapt_mse'?");
  says("error(1)", "error must be from 0 to below 1, got 1");
  says("error(-0.1)", "error must be from 0 to below 1, got -0.1");
  says("error", "'error' needs a number in brackets");
  says("error(x)", "'error(x)'");
  says("current age(-1)", "age must be finite and >= 0 s, got -1");
  says("last sample_period(0)", "sample_period must be finite and > 0 s, got 0");
  says("declared overdue(-1)", "overdue must be finite and >= 0 s");
  says("quantile(2)", "the number must be from 0 to 1, got 2");
  says("age(30)", "perfect rates look at none");
  says("mean age(30)", "mean rates look at none");
  says("declared age(30)", "nominal rates look at none");
  says("current sample_period(10)", "current rates look at none");
  says("error_seed(3)", "error_seed has no meaning without an error");
  says("error(0.1) error_seed(1.5)", "whole number");
  says("progress", "progress has no meaning where all is known exactly");
  says("overdue(3)", "overdue has no meaning where all is known exactly");
  says("declared learnt", "either declared or learnt");
  says("last mean", "says twice how rates are foretold");
  says("last last", "says last twice");
  says("declared(2)", "declared takes no number");
  CHECK_THROWS_WITH(estimator({.error = NAN}), Contains("error must be"));
}

TEST_CASE("the units of errors are those of SplitMix64's output function, chained") {
  // The number is from an independent program.
  CHECK(hash_unit(1, {1, 0, 0}) == 0.024327425068858766);
  CHECK(hash_unit(1, {2, 3, 4}) == 0.4457826182066039);
  CHECK(hash_unit(0, {}) == 0);
}

TEST_CASE("rates as they are foretold, and what a task takes by them") {
  const auto scenario = noisy();
  // At 32 s seven measurements have been made: 50 52 49 51 90 50 48 %.
  CHECK(duration(scenario, "last", 32) == Approx(100 / 0.48).epsilon(1e-12));
  CHECK(duration(scenario, "run_avg", 32) == Approx(100 / (3.9 / 7)).epsilon(1e-12));
  CHECK(duration(scenario, "median(5)", 32) == Approx(200).epsilon(1e-12));
  CHECK(duration(scenario, "quantile(1)", 32) == Approx(100 / 0.9).epsilon(1e-12));
  CHECK(duration(scenario, "mean", 3) == Approx(100 / (3.9 / 7)).epsilon(1e-12));
  CHECK(duration(scenario, "nominal", 32) == 100);
  CHECK(duration(scenario, "current", 22) == Approx(100 / 0.9).epsilon(1e-12));
  CHECK(duration(scenario, "current age(10)", 22) == Approx(100 / 0.49).epsilon(1e-12));
  CHECK(duration(scenario, "current age(100)", 22) == 200);  // the first is always known
  CHECK(duration(scenario, "last age(10)", 24.9) == Approx(100 / 0.49).epsilon(1e-12));
  CHECK(duration(scenario, "last age(10)", 25) == Approx(100 / 0.51).epsilon(1e-12));
  CHECK(duration(scenario, "last age(1 h)", 25) == 200);
  CHECK(duration(scenario, "last sample_period(20)", 39) == Approx(100 / 0.9).epsilon(1e-12));
  CHECK(duration(scenario, "last", 0) == 200);
  CHECK(duration(scenario, "perfect", 0) == Approx(180).epsilon(1e-12));
  // The other host never changes.
  for (const char* text : {"last", "mean", "current", "perfect", "adapt_mae", "quantile(0)"})
    CHECK(duration(scenario, text, 32, 1) == 50);
  // The declared time.
  CHECK(duration(scenario, "declared", 32) == 150);
  CHECK(duration(scenario, "declared last", 32) == Approx(150 / 0.48).epsilon(1e-12));
  CHECK(duration(scenario, "declared perfect", 32, 1) == 75);
  CHECK(duration(scenario, "learnt", 32, 1) == 75);  // nothing has been learnt
}

TEST_CASE("bandwidth and latency are foretold apart") {
  const auto scenario = noisy();
  CHECK(sending(scenario, "current", 7) == 2 + 1000.0 / 200);
  CHECK(sending(scenario, "nominal", 7) == 2 + 1000.0 / 200);
  CHECK(sending(scenario, "mean", 7) == Approx(2 + 1000.0 / 120).epsilon(1e-12));
  CHECK(sending(scenario, "run_avg", 7) == Approx(1.5 + 1000.0 / 150).epsilon(1e-12));
  CHECK(sending(scenario, "median(3)", 14) == Approx(2 + 1000.0 / 100).epsilon(1e-12));
  CHECK(sending(scenario, "declared", 7) == 2 + 500.0 / 200);
  CHECK(sending(scenario, "declared mean", 7) == Approx(2 + 500.0 / 120).epsilon(1e-12));
  // From 7 on: 2 s of latency until 9, 1 s at 200, 5 s at 60, then 100 B/s.
  CHECK(sending(scenario, "perfect", 7) == Approx(2 + 1 + 5 + 5).epsilon(1e-12));
  CHECK(sending(scenario, "declared perfect", 7) == Approx(2 + 1 + 5).epsilon(1e-12));
}

TEST_CASE("rates have a least value") {
  auto workload = tasks_of({{100}, {10, 1000}});
  workload->files.push_back({"in", 1000, 1000});
  workload->file_lists = {FileId(0)};
  workload->works[0].input_count = 1;
  auto cluster = with_link(cluster_of({1}), 100, 0);
  cluster.hosts[0].availability = Profile::circular({0, 1}, 5);
  cluster.link.bandwidth = Profile::steps({0, 20}, {0.5, 100});
  const auto scenario = scenario_of(platform_of({cluster}), workload);
  CHECK(duration(scenario, "current", 2) == Approx(10000).epsilon(1e-12));
  CHECK(sending(scenario, "current", 2) == Approx(1000).epsilon(1e-12));
  CHECK(sending(scenario, "mean", 2) == Approx(10).epsilon(1e-12));  // in the long run 100 B/s
}

TEST_CASE("what is measured begins anew when a profile is installed") {
  auto scenario = noisy();
  auto changed = happening(100, HappeningKind::change, ResourceId::of(HostId(0)));
  scenario->profiles.push_back(Profile::circular({0.2, 0.4}, 5));
  changed.profile = 0;
  scenario->happenings.push_back(changed);
  CHECK(duration(scenario, "run_avg", 104) == Approx(500).epsilon(1e-12));
  CHECK(duration(scenario, "run_avg", 105) == Approx(100 / 0.3).epsilon(1e-12));
  CHECK(duration(scenario, "last age(7)", 106) == Approx(500).epsilon(1e-12));
  CHECK(duration(scenario, "mean", 101) == Approx(100 / 0.3).epsilon(1e-12));
}

TEST_CASE("errors are bounded, stable, centred and drawn from the seed") {
  const auto workload = tasks_of(std::vector<TaskSpec>(200, {100}));
  const auto scenario = scenario_of(platform_of({cluster_of({1, 2})}), workload);
  const auto matrix = [&](const std::string& information, std::uint64_t seed, Time at) {
    std::vector<double> found(400);
    ask_at(
        scenario, information, {at},
        [&](Sim& sim) {
          std::vector<WorkId> works;
          for (std::size_t w = 0; w < 200; ++w) works.emplace_back(w);
          sim.estimate().matrix(sim, works, std::vector{HostId(0), HostId(1)}, found);
        },
        seed);
    return found;
  };
  const std::vector<double> found = matrix("error(0.25)", 1, 3);
  CHECK(found == matrix("error(0.25)", 1, 300));
  CHECK(found == matrix("error(0.25) error_seed(1)", 9, 3));
  CHECK(found != matrix("error(0.25)", 2, 3));
  double sum = 0, least = 1e9, most = 0;
  for (std::size_t i = 0; i < 400; ++i) {
    const double relative = found[i] / (i % 2 == 0 ? 100 : 50);
    CHECK(relative == Approx(1 + 0.25 * (2 * hash_unit(1, {1, i / 2, i % 2}) - 1)).epsilon(1e-12));
    sum += relative;
    least = std::min(least, relative);
    most = std::max(most, relative);
  }
  CHECK(least >= 0.75);
  CHECK(least < 0.76);
  CHECK(most <= 1.25);
  CHECK(most > 1.24);
  CHECK(sum / 400 == Approx(1).margin(0.03));  // of 400 with deviation 0.25 / sqrt(3): 4 of the mean's
}

TEST_CASE("when what runs will end: by its estimate, by its progress, and when it is overdue") {
  auto workload = tasks_of({{100}});
  workload->works[0].estimate = 60;
  auto cluster = cluster_of({1});
  cluster.hosts[0].availability = Profile::circular({0.5, 1}, 10);  // 0.75 on average
  const auto scenario = scenario_of(platform_of({cluster}), workload);
  const auto end_at = [&](const std::string& information, Time at) {
    double found = -1;
    RunOptions options;
    ActivityId running;
    Simulation run(scenario,
                   toy([&](Sim& sim, std::vector<double>&) { sim.timer(at); },
                       [&](Sim& sim, std::span<const Event> events, std::vector<double>&) {
                         for (const Event& event : events)
                           if (event.kind == EventKind::arrived)
                             running = sim.start(event.work, HostId(0));
                           else if (event.kind == EventKind::timer)
                             found = sim.estimate().end_of(sim, running);
                       }),
                   estimator(information_of(information)), options);
    run.run();
    return found;
  };
  CHECK(end_at("perfect", 30) == 135);  // six cycles of 20 s give 90, then 10 s give 5, and 5 s 5
  CHECK(end_at("declared", 30) == 60);
  CHECK(end_at("declared", 70) == 70);
  CHECK(end_at("declared overdue(4)", 70) == 74);
  CHECK(end_at("declared mean", 30) == Approx(80));
  CHECK(end_at("declared mean", 90) == Approx(100));  // overdue: 10 s
  CHECK(end_at("declared perfect", 30) == Approx(80));
  CHECK(end_at("mean", 30) == Approx(100 / 0.75));
  // At 35: 5 + 10 + 5 + 5 = 25 s are done.
  CHECK(end_at("mean progress", 35) == Approx(35 + 75 / 0.75));
  CHECK(end_at("declared mean progress", 35) == Approx(35 + 35 / 0.75));
  CHECK(end_at("declared progress", 35) == Approx(35 + 35));
  CHECK(end_at("declared perfect progress", 35) == Approx(80));
  CHECK(end_at("declared mean progress", 90) == Approx(100));  // 65 are done: overdue
}

TEST_CASE("progress of a transfer: latency, then bytes") {
  const auto scenario = noisy();
  const auto end_at = [&](const std::string& information, Time at) {
    double found = -1;
    ActivityId running;
    Simulation run(scenario,
                   toy(
                       [&](Sim& sim, std::vector<double>&) {
                         running = sim.start_transfer(FileId(0), ClusterId(0), ActivityKind::transfer_in);
                         sim.timer(at);
                       },
                       [&](Sim& sim, std::span<const Event> events, std::vector<double>&) {
                         for (const Event& event : events)
                           if (event.kind == EventKind::timer) found = sim.estimate().end_of(sim, running);
                       }),
                   estimator(information_of(information)), {.horizon = 1000});
    run.run();
    return found;
  };
  // Latency until 1, 400 B until 5, 600 B more until 8.
  CHECK(end_at("perfect", 3) == 8);
  CHECK(end_at("mean", 3) == Approx(2 + 1000.0 / 120));
  CHECK(end_at("mean progress", 3) == Approx(3 + 800.0 / 120));
  CHECK(end_at("mean progress", 0.5) == Approx(1 + 1000.0 / 120));
  CHECK(end_at("declared progress", 3) == Approx(3 + 300.0 / 100));
  CHECK(end_at("declared progress", 6) == 6);
  CHECK(end_at("declared mean progress", 6) == 16);
}

TEST_CASE("learnt: ratios of what finished work took to what was declared, host by host") {
  // All are declared to take 10 s; they take 20, 40 and 30.
  auto workload = tasks_of({{20}, {40}, {30, 100}});
  for (Work& work : workload->works) work.estimate = 10;
  auto cluster = cluster_of({1, 1, 1});
  cluster.hosts[1].availability = Profile(0.5);
  const auto scenario = scenario_of(platform_of({cluster}), workload);
  const auto learnt = [&](const std::string& information) {
    std::vector<double> found(3);
    Simulation run(scenario,
                   toy({},
                       [&](Sim& sim, std::span<const Event> events, std::vector<double>&) {
                         for (const Event& event : events)
                           if (event.kind == EventKind::arrived && event.work.index < 2) {
                             sim.start(event.work, HostId(event.work.index));
                           } else if (event.kind == EventKind::arrived) {
                             for (std::size_t h = 0; h < 3; ++h)
                               found[h] = sim.estimate().duration(sim, {WorkId(2), 0, 1}, HostId(h));
                             sim.start(event.work, HostId(0));
                           }
                       }),
                   estimator(information_of(information)));
    run.run();
    return found;
  };
  // Times: 20 on c.1, 80 on c.2: ratios 2 and 8; over all (1 + 2 + 8) / 3.
  const double all = 11.0 / 3;
  std::vector<double> found = learnt("learnt");
  CHECK(found[0] == Approx(10 * (2 + all) / 2));
  CHECK(found[1] == Approx(10 * (8 + all) / 2));
  CHECK(found[2] == Approx(10 * all));
  // With availability known, the ratios are 2 and 4, and c.2 takes twice as long.
  const double amounts = 7.0 / 3;
  found = learnt("learnt current");
  CHECK(found[0] == Approx(10 * (2 + amounts) / 2));
  CHECK(found[1] == Approx(20 * (4 + amounts) / 2));
  CHECK(found[2] == Approx(10 * amounts));
}

TEST_CASE("promises count where nothing is guessed") {
  for (const char* text : {"perfect", "declared", "declared perfect progress", "nominal"})
    CHECK(estimator(information_of(text))->is_faithful());
  for (const char* text : {"error(0.1)", "mean", "last", "learnt", "declared current", "declared error(0.1)"})
    CHECK_FALSE(estimator(information_of(text))->is_faithful());
}

TEST_CASE("a way that is down is expected to be up by those who have not been told") {
  auto scenario = noisy();
  for (const bool announced : {true, false}) {
    auto down = happening(5, HappeningKind::down, ResourceId::of(LinkId(0)));
    down.announced = announced;
    scenario->happenings = {down};
    INFO("announced " << announced);
    CHECK((sending(scenario, "current", 7) < kNever) == !announced);
    CHECK((sending(scenario, "declared", 7) < kNever) == !announced);
    CHECK(sending(scenario, "perfect", 7) == kNever);
  }
}

TEST_CASE("forks in the middle know what the unforked run knows") {
  const auto scenario = noisy();
  auto workload = tasks_of({{20}, {35, 3}, {14, 20}, {40, 41}, {10, 60}, {25, 61}, {3, 90}});
  for (std::size_t w = 0; w < workload->works.size(); ++w)
    workload->works[w].estimate = workload->works[w].amount * (w % 2 == 0 ? 1.5 : 0.7);
  const auto several = scenario_of(scenario->platform, workload);
  // Starts each task where it is expected to end first.
  const auto policy = [] {
    return toy({}, [](Sim& sim, std::span<const Event>, std::vector<double>&) {
      for (std::size_t w = 0; w < sim.view().works().size(); ++w) {
        if (sim.view().works()[w].state != WorkState::waiting) continue;
        HostId best;
        double least = kNever;
        for (std::size_t h = 0; h < 2; ++h) {
          const double takes = sim.estimate().duration(sim, {WorkId(w), 0, 1}, HostId(h));
          if (sim.fits(WorkId(w), HostId(h)) && takes < least) least = takes, best = HostId(h);
        }
        if (best.valid()) {
          const double values[] = {least};
          sim.note("expected", values);
          sim.start(WorkId(w), best);
        }
      }
    });
  };
  for (const char* text :
       {"declared", "learnt", "learnt last", "error(0.5)", "mean", "run_avg age(7)", "adapt_mse",
        "quantile(0.3)", "exp(0.2) error(0.3) progress", "sw_avg(3) sample_period(2)"}) {
    INFO(text);
    Simulation whole(several, policy(), estimator(information_of(text)));
    whole.run();
    for (Time at = 1; at < 120; at += 13) {
      Simulation run(several, policy(), estimator(information_of(text)));
      run.run_until(at);
      Simulation fork(run);
      run.run();
      fork.run();
      CHECK(run.outcome().full == whole.outcome().full);
      CHECK(fork.outcome().full == whole.outcome().full);
    }
  }
}

TEST_CASE("too many measurements are an error, not an endless loop") {
  const auto scenario = noisy();
  CHECK_THROWS_WITH(duration(scenario, "run_avg sample_period(1e-6)", 9000),
                    Contains("a longer sample_period is needed"));
  CHECK(duration(scenario, "current", 9000) > 0);
}
