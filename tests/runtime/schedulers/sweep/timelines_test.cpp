// Timelines, tables and figures of Sim-PETEK, 2010, chapter 3, event by event.
#include <catch2/catch.hpp>

#include "runtime/results/metrics.h"
#include "runtime/schedulers/sweep/node_power.h"
#include "tests/runtime/schedulers/sweep/chapter3.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

namespace {

const std::map<std::string, Value> kThree = {{"rounds", 3.0}};
const std::map<std::string, Value> kSine = {{"peak", 1.0}, {"k", 3.0}, {"m", 2.3}};

std::map<std::string, Value> with(std::map<std::string, Value> given, const std::string& name, Value value) {
  given[name] = std::move(value);
  return given;
}

// Times at which ENPR were recomputed.
std::vector<Time> updates(const Outcome& outcome) {
  std::vector<Time> times;
  for (const Note& note : outcome.trace.notes())
    if (note.name == "npp") times.push_back(note.time);
  return times;
}

PowerUpdate power_at(const Outcome& outcome, Time time) {
  for (const PowerUpdate& update : power_history(outcome.trace.notes()))
    if (update.time == time) return update;
  return {};
}

// Compares to six decimals with the exact values, and to two decimals with the printed ones.
void check_enpr(const Outcome& outcome, Time time, const std::vector<double>& exact,
                const std::vector<double>& printed) {
  const PowerUpdate update = power_at(outcome, time);
  REQUIRE(update.enpr.size() == exact.size());
  for (std::size_t h = 0; h < exact.size(); ++h) {
    CHECK(update.enpr[h] == Approx(exact[h]).margin(5e-7).epsilon(0));
    CHECK(update.enpr[h] == Approx(printed[h]).margin(5e-3).epsilon(0));
  }
}

void check_npp(const Outcome& outcome, Time time, const std::vector<double>& npp) {
  const PowerUpdate update = power_at(outcome, time);
  REQUIRE(update.npp.size() == npp.size());
  for (std::size_t h = 0; h < npp.size(); ++h) CHECK(update.npp[h] == Approx(npp[h]).epsilon(1e-12));
}

// Seconds in which the host computed runs that counted.
Seconds useful(const Outcome& outcome, std::uint32_t host) {
  Seconds sum = 0;
  Time from = 0;
  for (std::size_t i = 0; i < outcome.trace.size(); ++i) {
    const Record& record = outcome.trace[i];
    if (record.on != ResourceId::of(HostId(host)) || record.what != ActivityKind::compute) continue;
    if (record.kind == RecordKind::started) from = record.time;
    if (record.kind == RecordKind::ended) sum += record.time - from;
  }
  return sum;
}

void check_useful(const Outcome& outcome, const std::vector<Seconds>& busy) {
  for (std::uint32_t h = 0; h < busy.size(); ++h) CHECK(useful(outcome, h) == Approx(busy[h]).epsilon(1e-12));
}

}  // namespace

TEST_CASE("amrs: Figure 3.5, 65 s, Tables 3.2 to 3.6") {
  const Outcome outcome = outcome_of(sweep_scenario(chapter3_nodes()), "amrs", kThree);
  CHECK(outcome.end == 65);
  CHECK(timeline(outcome, "A") == "0-10:8 25-37:9 45-58:10");
  CHECK(timeline(outcome, "B") == "0-25:4 25-45:3 45-65:3");
  CHECK(timeline(outcome, "C") == "0-10:4 25-38:5 45-58:5");
  CHECK(timeline(outcome, "D") == "0-20:2 25-45:2");
  CHECK(timeline(outcome, "E") == "0-10:2 25-40:3");
  CHECK(updates(outcome) == std::vector<Time>{25, 45});
  check_npp(outcome, 25, {0.8, 0.16, 0.4, 0.1, 0.2});
  check_enpr(outcome, 0, {0.4, 0.2, 0.2, 0.1, 0.1}, {0.4, 0.2, 0.2, 0.1, 0.1});
  check_enpr(outcome, 25, {.440964, .148193, .220482, .080120, .110241}, {.44, .15, .22, .08, .11});
  check_npp(outcome, 45, {9.0 / 12, 3.0 / 20, 5.0 / 13, 0.1, 0.2});
  check_enpr(outcome, 45, {.457132, .121426, .231600, .071614, .118227}, {.46, .12, .23, .07, .12});
}

TEST_CASE("amrs with 10 rounds: Figure 5.2, 70 s; D and E never get a package") {
  const Outcome outcome = outcome_of(sweep_scenario(chapter3_nodes()), "amrs", {{"rounds", 10.0}});
  CHECK(outcome.end == 70);
  CHECK(timeline(outcome, "A") ==
        "0-4:3 12.5-16.5:3 20-25:4 27.5-32.5:4 35-40:4 42.5-47.5:4 50-55:4 57.5-62.5:4 65-70:4");
  CHECK(timeline(outcome, "B") ==
        "0-12.5:2 12.5-20:1 20-27.5:1 27.5-35:1 35-42.5:1 42.5-50:1 50-57.5:1 57.5-65:1");
  CHECK(timeline(outcome, "C") ==
        "0-5:2 12.5-17.5:2 20-25:2 27.5-32.5:2 35-40:2 42.5-47.5:2 50-55:2 57.5-62.5:2 65-68:1");
  CHECK(timeline(outcome, "D").empty());
  CHECK(timeline(outcome, "E").empty());
  check_useful(outcome, {43, 65, 43, 0, 0});
}

TEST_CASE("amra: Figure 3.7, 45 s") {
  const Outcome outcome = outcome_of(sweep_scenario(chapter3_nodes()), "amra", kThree);
  CHECK(outcome.end == 45);
  CHECK(timeline(outcome, "A") == "0-10:8 10-20:8 20-30:8 30-39:7");
  CHECK(timeline(outcome, "B") == "0-25:4 25-45:3");
  CHECK(timeline(outcome, "C") == "0-10:4 10-20:4 20-30:4");
  CHECK(timeline(outcome, "D") == "0-20:2 20-40:2");
  CHECK(timeline(outcome, "E") == "0-10:2 10-20:2 20-30:2");
  CHECK(updates(outcome) == std::vector<Time>{25, 30});
  check_useful(outcome, {39, 45, 30, 40, 30});
}

TEST_CASE("samra: Figure 3.9, 40 s, Tables 3.7 to 3.10") {
  const Outcome outcome = outcome_of(sweep_scenario(chapter3_nodes()), "samra", kThree);
  CHECK(outcome.end == 40);
  CHECK(timeline(outcome, "A") == "0-5:4 5-15:8 15-25:8 25-35:8 35-37:1");
  CHECK(timeline(outcome, "B") == "0-12.5:2 12.5-25:2 25-37.5:2");
  CHECK(timeline(outcome, "C") == "0-5:2 5-15:4 15-25:4 25-35:4");
  CHECK(timeline(outcome, "D") == "0-10:1 10-30:2 30-40:1");
  CHECK(timeline(outcome, "E") == "0-5:1 5-15:2 15-25:2 25-35:2");
  CHECK(updates(outcome) == std::vector<Time>{12.5, 15, 25, 30, 35});
  check_npp(outcome, 12.5, {0.8, 0.16, 0.4, 0.1, 0.2});
  check_enpr(outcome, 12.5, {.440964, .148193, .220482, .080120, .110241}, {.44, .15, .22, .08, .11});
  check_npp(outcome, 15, {0.8, 0.16, 0.4, 0.1, 0.2});
  check_enpr(outcome, 15, {.461446, .122289, .230723, .070181, .115361}, {.46, .12, .23, .07, .12});
  check_useful(outcome, {37, 37.5, 35, 40, 35});
}

TEST_CASE("samra: a threshold of 0.08 keeps the last run from D, 38 s") {
  // In the example D gets its last run at 30 s with the ENPR 0.063.
  CHECK(makespan(sweep_scenario(chapter3_nodes()), "samra", with(kThree, "threshold", 0.08)) == 38);
}

TEST_CASE("ssse_amra: Figure 3.12, 39 s, Table 3.11; issse_amra has the same timeline") {
  for (const std::string name : {"ssse_amra", "issse_amra"}) {
    INFO(name);
    const Outcome outcome = outcome_of(sweep_scenario(chapter3_nodes()), name, kSine);
    CHECK(outcome.end == 39);
    CHECK(timeline(outcome, "A") == "0-10:8 10-20:8 20-30:8 30-39:7");
    CHECK(timeline(outcome, "B") == "0-25:4 25-37.5:2");
    CHECK(timeline(outcome, "C") == "0-10:4 10-20:4 20-30:4 30-35:2");
    CHECK(timeline(outcome, "D") == "0-20:2 20-30:1");
    CHECK(timeline(outcome, "E") == "0-10:2 10-20:2 20-30:2");
    check_enpr(outcome, 25, {.440964, .148193, .220482, .080120, .110241}, {.44, .15, .22, .08, .11});
    check_useful(outcome, {39, 37.5, 35, 30, 30});
    // Quotas 26.087, 22.592, 13.043; 34 runs are out after A, C and E at 10 s, 28 when the second round
    // begins, 48 when the third does.
    std::vector<Note> rounds;
    for (const Note& note : outcome.trace.notes())
      if (note.name == "round") rounds.push_back(note);
    REQUIRE(rounds.size() == 3);
    const double quota[] = {26.087, 22.592, 13.043}, dealt[] = {0, 28, 48}, time[] = {0, 10, 20};
    for (std::size_t r = 0; r < 3; ++r) {
      CHECK(rounds[r].time == time[r]);
      CHECK(rounds[r].values[0] == static_cast<double>(r) + 1);
      CHECK(rounds[r].values[1] == Approx(quota[r]).margin(5e-4).epsilon(0));
      CHECK(rounds[r].values[2] == dealt[r]);
    }
  }
}

TEST_CASE("the assumed case: 45 s, and 40 s where C takes over from B, Figures 3.14 and 3.15") {
  const Outcome slow = outcome_of(assumed_case(), "ssse_amra", kSine);
  CHECK(slow.end == 45);
  CHECK(timeline(slow, "B") == "0-25:4 25-45:2");
  for (const std::string redistribute : {"completed", "idle"}) {
    const Outcome outcome =
        outcome_of(assumed_case(), "issse_amra", with(kSine, "redistribute", redistribute));
    CHECK(outcome.end == 40);
    CHECK(timeline(outcome, "A") == "0-10:8 10-20:8 20-30:8 30-39:7");
    CHECK(timeline(outcome, "D") == "0-20:2 20-30:1");
    if (redistribute == "completed") {  // C is the duplicate, 5 s; the 15 s of B are redundant
      CHECK(timeline(outcome, "B") == "0-25:4 25-40:2x");
      CHECK(timeline(outcome, "C") == "0-10:4 10-20:4 20-30:4 30-35:2 +35-40:2");
      CHECK(timeline(outcome, "E") == "0-10:2 10-20:2 20-30:2");
    }
  }
}

TEST_CASE("readings of the publication that its text also allows") {
  const auto scenario = sweep_scenario(chapter3_nodes());
  // The learning rate of the listing, Figure 3.4: 60 s instead of 65, 58 s where hosts are served as
  // declared.
  const auto by_round = with(kThree, "alpha", "1/round");
  CHECK(makespan(scenario, "amrs", by_round) == 60);
  CHECK(makespan(scenario, "amrs", with(by_round, "order", "list")) == 58);
  // As declared, ten rounds take 72.5 s; with the learning rate of the listing 70.
  const std::map<std::string, Value> ten_listed = {{"rounds", 10.0}, {"order", "list"}};
  CHECK(makespan(scenario, "amrs", ten_listed) == 72.5);
  CHECK(makespan(scenario, "amrs", with(ten_listed, "alpha", "1/round")) == 70);
  // Whole quotas capped by the runs that earlier rounds leave: 26, 22, 12.
  CHECK(makespan(scenario, "ssse_amra", with(kSine, "sizing", "capped")) == 38);
  // Units of 4 runs for 8 slots.
  CHECK(makespan(scenario, "samra", with(kThree, "units", "gcd")) == 40);
  CHECK(makespan(scenario, "ssse_amra", with(kSine, "units", "gcd")) == 40);
}
