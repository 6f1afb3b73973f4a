#include "runtime/results/packages.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "runtime/plots/plot.h"
#include "runtime/results/export.h"
#include "runtime/results/gantt.h"
#include "runtime/results/metrics.h"
#include "tests/runtime/schedulers/sweep/chapter3.h"
#include "tests/support/layers.h"
#include "tests/support/scenarios.h"
#include "tests/support/toys.h"

using namespace perigee;
using namespace perigee::test;

namespace {

std::map<std::string, Value> sine() { return {{"peak", 1.0}, {"k", 3.0}, {"m", 2.3}}; }

// Useful and idle seconds of each host.
void check_times(const Outcome& outcome, const std::vector<std::pair<double, double>>& times) {
  const std::vector<HostRow> rows = host_rows(outcome, executions(outcome));
  REQUIRE(rows.size() == times.size());
  for (std::size_t h = 0; h < rows.size(); ++h) {
    CHECK(rows[h].useful == Approx(times[h].first).epsilon(1e-12));
    CHECK(rows[h].idle == Approx(times[h].second).margin(1e-9));
    CHECK(rows[h].duplicate + rows[h].redundant + rows[h].lost == 0);
  }
}

}  // namespace

// Sums of the packages stated in the example of Sim-PETEK, 2010, chapter 3.
TEST_CASE("what the time of the hosts went into, in the example of Sim-PETEK") {
  const auto scenario = sweep_scenario(chapter3_nodes());
  check_times(outcome_of(scenario, "amrs", {{"rounds", 10.0}}),
              {{43, 27}, {65, 5}, {43, 27}, {0, 70}, {0, 70}});
  check_times(outcome_of(scenario, "amra", {{"rounds", 3.0}}),
              {{39, 6}, {45, 0}, {30, 15}, {40, 5}, {30, 15}});
  check_times(outcome_of(scenario, "samra", {{"rounds", 3.0}}),
              {{37, 3}, {37.5, 2.5}, {35, 5}, {40, 0}, {35, 5}});
  check_times(outcome_of(scenario, "ssse_amra", sine()), {{39, 0}, {37.5, 1.5}, {35, 4}, {30, 9}, {30, 9}});
}

TEST_CASE("copies are duplicate time, the originals that they make pointless redundant time") {
  // The assumed case, Figure 3.15: C copies B's package of 25 s at 35 s and ends it at 40 s.
  const Outcome outcome = outcome_of(assumed_case(), "issse_amra", sine());
  const std::vector<HostRow> rows = host_rows(outcome, executions(outcome));
  CHECK(rows[1].useful == 25);
  CHECK(rows[1].redundant == 15);
  CHECK(rows[1].idle == 0);
  CHECK(rows[1].runs == 4);
  CHECK(rows[1].computations == 2);
  CHECK(rows[1].last_finish == 40);
  CHECK(rows[2].useful == 35);
  CHECK(rows[2].duplicate == 5);
  CHECK(rows[2].runs == 16);
  CHECK(rows[0].idle == 1);
  CHECK(rows[3].idle == 10);  // 0-20, 20-30
  CHECK(rows[3].last_finish == 30);
  double runs = 0;
  for (const HostRow& row : rows) runs += row.runs;
  CHECK(runs == 60);

  const std::vector<PackageRow> packages = package_rows(outcome, executions(outcome));
  const PackageRow& copy = packages.back();
  CHECK(copy.use == Use::duplicate);
  CHECK(copy.host == HostId(2));
  CHECK(copy.start == 35);
  CHECK(copy.finish == 40);
  CHECK(copy.size == 2);
  CHECK(std::count_if(packages.begin(), packages.end(), [&](const PackageRow& row) {
          return row.use == Use::redundant && row.first == copy.first && row.size == 2 && row.start == 25;
        }) == 1);
  for (std::size_t i = 1; i < packages.size(); ++i)  // by start, then host
    CHECK(std::pair(packages[i - 1].start, packages[i - 1].host.index) <
          std::pair(packages[i].start, packages[i].host.index));

  const Metrics m = measure(outcome);
  CHECK(m["duplicate_time"] == 5);
  CHECK(m["redundant_time"] == 15);
  CHECK(m["idle_time"] == 1 + 0 + 0 + 10 + 10);  // E ends at 30 s, too
  CHECK(m["finish_spread"] == 10);
  CHECK(m["package_count"] == static_cast<double>(packages.size()));
  CHECK(m["utilization.hosts"] == Approx((39 + 25 + 35 + 30 + 30) / 200.0).epsilon(1e-12));
  // 600 simulations; 8 + 4/2.5 + 4 + 1 + 1/0.5 of them in a second.
  CHECK(m["ideal_time"] == Approx(600 / 16.6).epsilon(1e-12));
  CHECK(m["efficiency"] == Approx(600 / 16.6 / 40).epsilon(1e-12));
}

TEST_CASE("the ideal time counts weights and noise, and knows nothing of other work") {
  auto scenario = sweep_scenario(chapter3_nodes(), 2, 2);
  auto workload = std::make_shared<Workload>(*scenario->workload);
  workload->extras[0].weights = static_cast<std::uint32_t>(workload->times.size());
  workload->times.insert(workload->times.end(), {1, 3});
  scenario->workload = workload;
  CHECK(ideal_time(*scenario) == Approx((2 * 1 + 2 * 3) / 16.6).epsilon(1e-12));
  workload->extras[0].noise = static_cast<std::uint32_t>(workload->times.size());
  workload->times.insert(workload->times.end(), {0.5, 1.5, 1, 2});
  CHECK(ideal_time(*scenario) == Approx((1 * (0.5 + 1.5) + 3 * (1 + 2)) / 16.6).epsilon(1e-12));
  workload->works.push_back({});
  CHECK(std::isnan(ideal_time(*scenario)));
}

TEST_CASE("the time of lost work, and of work that is cut off by the horizon") {
  auto scenario = sweep_scenario({{"a", 1, 1, 1}, {"b", 1, 1, 1}}, 4, 10);
  scenario->happenings = {happening(5, HappeningKind::down, ResourceId::of(HostId(1)), Cause::outage),
                          happening(15, HappeningKind::up, ResourceId::of(HostId(1)), Cause::outage)};
  const Outcome outcome = outcome_of(scenario, "workqueue", {});
  // a: 10 s each of runs 1, 2, 4; b: lost from 0 to 5, run 3 from 15 on.
  const std::vector<HostRow> rows = host_rows(outcome, executions(outcome));
  CHECK(rows[1].lost == 5);
  CHECK(rows[0].useful + rows[1].useful == 40);
  CHECK(rows[1].lost + rows[1].useful + rows[1].idle == measure(outcome)["makespan"]);
}

TEST_CASE("what is under way when a run is cut is not useful yet, and counts up to the cut") {
  Story story(four_jobs());
  // Job 1 on a.2 [0, 5); job 2 on both cores of a.1 and job 4 on a.2 go on when the run is cut at 8 s.
  for (std::uint32_t w = 0; w < 4; ++w) story.work(0, RecordKind::arrived, w);
  story.compute(1, 0, 1, 0, 5).work(5, RecordKind::finished, 0);
  story.compute(2, 1, 0, 0, 90, RecordKind::ended, 2).compute(3, 3, 1, 5, 90);
  std::erase_if(story.records, [](const Record& r) { return r.time == 90; });
  story.status = RunStatus::horizon;
  story.end = 8;
  const Outcome outcome = story.sort().outcome();
  const std::vector<HostRow> rows = host_rows(outcome, executions(outcome));
  CHECK(rows[0].useful == 0);
  CHECK(rows[0].running == 8);
  CHECK(rows[0].idle == 0);
  CHECK(rows[1].useful == 5);
  CHECK(rows[1].running == 3);
  CHECK(rows[1].idle == 0);
  CHECK(measure(outcome)["utilization.hosts"] == 5 / 16.0);
}

TEST_CASE("computations of sweeps that are given up after the last finish count up to it") {
  auto workload = sweep_of(1, 5);
  workload->works.push_back(workload->works[0]);
  workload->extras.push_back(workload->extras[0]);
  workload->works[1].extra = 1;
  workload->extras[1].size = 2;
  Story story(scenario_of(platform_of({cluster_of({1, 1})}), workload));
  // Sweep 1 on c.1 [0, 5); a run of sweep 2 on c.2 [0, 20), the other one from then on. It is given up at 30 s.
  story.work(0, RecordKind::arrived, 0).work(0, RecordKind::arrived, 1);
  story.piece(1, 0, 0, 1, 0, 0, 5).piece(2, 1, 0, 1, 1, 0, 20).work(5, RecordKind::finished, 0);
  story.piece(3, 1, 1, 1, 1, 20, 30, RecordKind::cancelled).work(30, RecordKind::expired, 1);
  const Outcome outcome = story.sort().outcome();
  const std::vector<HostRow> rows = host_rows(outcome, executions(outcome));
  CHECK(rows[1].useful == 5);
  CHECK(rows[1].lost == 0);
  const Metrics m = measure(outcome);
  CHECK(m["makespan"] == 5);
  CHECK(m["utilization.hosts"] == 1);
  CHECK(std::isnan(m["efficiency"]));  // the ideal time is that of both

  // Cut at 25 s, with the second run under way.
  std::erase_if(story.records, [](const Record& r) { return r.time == 30; });
  story.status = RunStatus::horizon;
  story.end = 25;
  const Outcome cut = story.outcome();
  CHECK(measure(cut)["utilization.hosts"] == 25 / 50.0);
  const std::vector<PackageRow> packages = package_rows(cut, executions(cut));
  REQUIRE(packages.size() == 3);
  CHECK(packages[1].use == Use::useful);
  CHECK(packages[2].use == Use::running);
  CHECK(std::isnan(packages[2].finish));
  CHECK_THAT(petek_record(cut),
             Catch::Contains(R"("start":20.000000,"finish":null,"runs":1,"first_run":1,"kind":"job")"));
}

TEST_CASE("the record of a run, in the words of Sim-PETEK") {
  const auto scenario = sweep_scenario({{"A", 8, 8, 1}, {"B \"2\"", 2, 1, 0.5}}, 6, 10);
  // In proportion to the cores 0.8 and 0.2 of 6 runs: 5 of them take ceil(50/8) = 7 s, the last one 5 s.
  const Outcome outcome = outcome_of(scenario, "amrs", {{"rounds", 1.0}});
  const std::string expected =
      R"({"makespan":7.000000,"jobs":[)"
      R"({"node":"A","start":0.000000,"finish":7.000000,"runs":5,"first_run":0,"kind":"job"},)"
      R"({"node":"B \"2\"","start":0.000000,"finish":5.000000,"runs":1,"first_run":5,"kind":"job"}],)"
      R"("nodes":[{"name":"A","runs":5,"useful":7.000000,"duplicate":0.000000,"redundant":0.000000,)"
      R"("idle":0.000000,"last_finish":7.000000},{"name":"B \"2\"","runs":1,"useful":5.000000,)"
      R"("duplicate":0.000000,"redundant":0.000000,"idle":2.000000,"last_finish":5.000000}],)"
      R"("enpr_updates":[]})";
  CHECK(petek_record(outcome) == expected);
}

TEST_CASE(
    "the record has ENPR and NPP of each recomputation, kinds of packages, null for what is not known") {
  const auto record = nlohmann::json::parse(
      petek_record(outcome_of(sweep_scenario(chapter3_nodes()), "amrs", {{"rounds", 10.0}})));
  const auto& first = record["enpr_updates"][0];
  CHECK(first["t"] == 12.5);
  // Section 3.1: NPP of 3 runs in 4 s, 2 in 12.5 s, 2 in 5 s; D and E are not measured, their ENPR halve.
  const double total = 3 / 4.0 + 2 / 12.5 + 2 / 5.0;
  CHECK(first["npp"][0] == Approx(0.75));
  CHECK(first["npp"][3].is_null());
  CHECK(first["npp"][4].is_null());
  CHECK(first["enpr"][0] == Approx(0.5 * 0.4 + 0.5 * 0.75 / total));
  CHECK(first["enpr"][3] == Approx(0.05));
  CHECK(record["nodes"][3]["last_finish"].is_null());

  const auto assumed = nlohmann::json::parse(petek_record(outcome_of(assumed_case(), "issse_amra", sine())));
  std::map<std::string, int> kinds;
  for (const auto& job : assumed["jobs"]) ++kinds[job["kind"].get<std::string>()];
  CHECK(kinds["duplicate"] == 1);
  CHECK(kinds["redundant"] == 1);
  CHECK(assumed["makespan"] == 40);
}

TEST_CASE("notes that a script makes under the names of shares do no harm") {
  Outcome outcome = outcome_of(sweep_scenario(chapter3_nodes()), "workqueue", {});
  for (const auto& [name, values] :
       std::vector<std::pair<std::string, std::vector<double>>>{{"npp", {0.5, 7, 1}},
                                                                {"sweep", {}},
                                                                {"sweep", {1e300, 1}},
                                                                {"enpr", {}},
                                                                {"enpr", {1, 2}},
                                                                {"npp", {0.5, std::nan(""), 1, -3, 2, 99, 3}},
                                                                {"sweep", {7}},
                                                                {"enpr", {1, 0, 0, 0, 0}},
                                                                {"npp", {}}})
    outcome.trace.add(Note{1, name, values});
  CHECK(enpr(outcome).rows.empty());
  CHECK(nlohmann::json::accept(petek_record(outcome)));
}

TEST_CASE("a picture of sweeps has a lane for each host, with the runs of each package") {
  const Outcome outcome = outcome_of(sweep_scenario(chapter3_nodes()), "amra", {{"rounds", 3.0}});
  const std::string text = gantt(outcome, 48, false);  // a column a second
  CHECK_THAT(text, Catch::StartsWith("A|[8=======][8=======][8=======][7======]      |\n"
                                     "B|[4======================][3=================]|\n"
                                     "C|[4=======][4=======][4=======]               |\n"));
  const Figure figure = gantt_figure(outcome);
  CHECK(figure.y.categories == std::vector<std::string>{"A", "B", "C", "D", "E"});
  CHECK(figure.series[0].gantt_bars.front().label == "8");
  const Figure assumed = gantt_figure(outcome_of(assumed_case(), "issse_amra", sine()));
  std::vector<std::string> names;
  for (const Series& series : assumed.series)
    if (series.hatched) names.push_back(series.name);
  CHECK(names == std::vector<std::string>{"copy", "superseded"});
}
