// The native mappers: equal to the textbook in every bit, and to published numbers.
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "runtime/cost/etc.h"
#include "runtime/cost/greedy.h"
#include "runtime/cost/greedy_largest.h"
#include "runtime/cost/starts.h"
#include "runtime/model/readers/etc_file.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/runtime/schedulers/random_matrices.h"
#include "tests/runtime/schedulers/textbook_mappers.h"
#include "tests/support/layers.h"
#include "tests/support/paths.h"
#include "tests/support/rounds.h"

using namespace perigee;
using namespace perigee::test;

namespace {

struct Twin {
  const char* label;
  ConfigPtr config;
  std::function<Mapping(const MappingProblem&)> textbook;
};

const std::vector<Twin>& twins() {
  static const Catalogue catalogue;
  static const std::vector<Twin> all = {
      {"olb", catalogue.configure("olb"), textbook::olb},
      {"met", catalogue.configure("met"), textbook::met},
      {"mct", catalogue.configure("mct"), textbook::mct},
      {"min_min", catalogue.configure("min_min"), textbook::min_min},
      {"max_min", catalogue.configure("max_min"), textbook::max_min},
      {"duplex", catalogue.configure("duplex"), textbook::duplex},
      {"sufferage", catalogue.configure("sufferage"), textbook::sufferage},
      {"sufferage_mah", catalogue.configure("sufferage", {{"form", std::string("passes")}}),
       textbook::sufferage_passes},
      {"min_min sorted", catalogue.configure("min_min", {{"form", std::string("sorted")}}),
       [](const MappingProblem& p) { return textbook::sorted(p, false); }},
      {"max_min sorted", catalogue.configure("max_min", {{"form", std::string("sorted")}}),
       [](const MappingProblem& p) { return textbook::sorted(p, true); }},
      {"kpb", catalogue.configure("kpb", {{"k", 40.0}}),
       [](const MappingProblem& p) { return textbook::kpb(p, 40); }},
      {"switching", catalogue.configure("switching", {{"low", 0.3}, {"high", 0.6}}),
       [](const MappingProblem& p) { return textbook::switching(p, 0.3, 0.6); }},
      {"xsufferage", catalogue.configure("xsufferage"), textbook::xsufferage},
      {"extended_sufferage", catalogue.configure("extended_sufferage"),
       [](const MappingProblem& p) {
         return textbook::extended_sufferage(p, NoJump::largest, Suffering::jump);
       }},
      {"extended_sufferage of groups",
       catalogue.configure("extended_sufferage",
                           {{"jump", std::string("none")}, {"suff", std::string("group")}}),
       [](const MappingProblem& p) {
         return textbook::extended_sufferage(p, NoJump::none, Suffering::group);
       }},
      {"sufferage_2", catalogue.configure("sufferage_2"), textbook::sufferage_2},
  };
  return all;
}

Mapping map_with(const std::string& label, const MappingProblem& problem) {
  Mapping out;
  for (const Twin& twin : twins())
    if (label == twin.label) twin.config->make_mapper()->map(problem, out);
  return out;
}

bool mappers_same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::bit_cast<std::uint64_t>(a[i]) != std::bit_cast<std::uint64_t>(b[i])) return false;
  return true;
}

void check_twins(const MappingProblem& problem, const std::string& what) {
  Mapping fast;
  for (const Twin& twin : twins()) {
    const Mapping slow = twin.textbook(problem);
    twin.config->make_mapper()->map(problem, fast);
    INFO(twin.label << ": " << what << ", " << problem.tasks << " x " << problem.machines);
    if (fast.order != slow.order || fast.machine != slow.machine ||
        !mappers_same_bits(fast.completion, slow.completion) || fast.makespan != slow.makespan)
      FAIL("differs from the textbook");
  }
  SUCCEED();
}

std::filesystem::path braun_folder() { return data_file("braun"); }

std::vector<std::uint32_t> ids(std::initializer_list<std::uint32_t> list) { return list; }

EtcMatrix on_speeds(const std::vector<double>& speeds, const std::vector<double>& times) {
  EtcMatrix etc{times.size(), speeds.size(), {}};
  for (const double time : times)
    for (const double speed : speeds) etc.values.push_back(time / speed);
  return etc;
}

}  // namespace

TEST_CASE("fast mappers equal the textbook in order, machines and bits") {
  std::mt19937_64 rng(20240521);
  for (int round = 0; round < static_cast<int>(rounds(3000)); ++round) {
    const auto kind = static_cast<Kind>(round % kKinds);
    const bool large = round % 10 == 0;
    const std::size_t tasks = rng() % (large ? 61 : 14), machines = rng() % (large ? 13 : 6);
    const Case c = make(kind, tasks, machines, rng() % 2 == 0, rng);
    check_twins(c.problem(), "kind " + std::to_string(kind));
  }
}

void compare_on_many_machines(std::size_t least_tasks, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  for (int kind = 0; kind < kKinds; ++kind)
    for (const std::size_t machines : {31, 64, 65, 97, 160}) {
      const Case c =
          make(static_cast<Kind>(kind), least_tasks + rng() % least_tasks, machines, rng() % 2 == 0, rng);
      check_twins(c.problem(), "kind " + std::to_string(kind));
    }
}

TEST_CASE("fast mappers equal the textbook on many machines") { compare_on_many_machines(12, 7); }

TEST_CASE("fast mappers equal the textbook on many machines, with more tasks", "[.long]") {
  compare_on_many_machines(20, 7);
  compare_on_many_machines(45, 8);
}

void compare_on_512_x_16(std::initializer_list<Kind> kinds) {
  std::mt19937_64 rng(11);
  for (const Kind kind : kinds)
    check_twins(make(kind, 512, 16, kind == holes, rng).problem(), "kind " + std::to_string(kind));
}

TEST_CASE("fast mappers equal the textbook on 512 x 16") { compare_on_512_x_16({random_times}); }

TEST_CASE("fast mappers equal the textbook on 512 x 16 with ties and holes", "[.long]") {
  compare_on_512_x_16({small_integers, holes});
}

void compare_with_many_tasks(std::initializer_list<std::pair<std::size_t, std::size_t>> sizes,
                             std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  for (int kind = 0; kind < kKinds; ++kind)
    for (const auto& [tasks, machines] : sizes)
      check_twins(make(static_cast<Kind>(kind), tasks, machines, kind % 2 == 0, rng).problem(),
                  "kind " + std::to_string(kind));
}

TEST_CASE("fast mappers equal the textbook when many tasks share many machines") {
  compare_with_many_tasks({{60, 24}, {110, 10}}, 13);
}

TEST_CASE("fast mappers equal the textbook when very many tasks share many machines", "[.long]") {
  compare_with_many_tasks({{120, 40}, {200, 12}, {200, 70}, {300, 12}}, 14);
}

// greedy_by_key keeps each task's two best machines; greedy_largest looks at a task only when its key may be the
// largest. There are more machines than watch at a time, and enough tasks for many rounds.
TEST_CASE("the largest key is found as if every key was looked at") {
  std::mt19937_64 rng(19);
  Mapping fast, plain;
  for (int kind = 0; kind < kKinds; ++kind)
    for (const bool ready : {false, true})
      for (const auto& [tasks, machines] : {std::pair<std::size_t, std::size_t>{400, 40}, {90, 130}}) {
        const Case c = make(static_cast<Kind>(kind), tasks, machines, ready, rng);
        const MappingProblem problem = c.problem();
        INFO("kind " << kind << ", " << tasks << " x " << machines);
        for (const LargestKey key : {LargestKey::best, LargestKey::sufferage}) {
          greedy_largest(problem, key, fast);
          greedy_by_key(
              problem,
              [key](const GreedyView& view, std::size_t task) {
                return key == LargestKey::best ? view.best(task) : view.second(task) - view.best(task);
              },
              true, true, plain);
          REQUIRE(fast.order == plain.order);
          REQUIRE(fast.machine == plain.machine);
          REQUIRE(mappers_same_bits(fast.completion, plain.completion));
        }
      }
}

// All machines are ordered for every task but a few, so that a sample of the tasks may take them for a chain.
void compare_with_a_column_out_of_order(std::size_t tasks, std::size_t machines, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  for (int round = 0; round < 8; ++round) {
    Case c = make(round % 2 == 0 ? consistent : equal_machines, tasks, machines, round % 4 < 2, rng);
    for (int i = 0; i < 3; ++i) {
      const std::size_t task = rng() % tasks, machine = rng() % machines;
      c.etc[task * machines + machine] *= rng() % 2 == 0 ? 1e-3 : 1e3;
    }
    check_twins(c.problem(), "round " + std::to_string(round));
  }
}

TEST_CASE("one column out of order, far down, changes nothing") {
  compare_with_a_column_out_of_order(120, 20, 17);
}

TEST_CASE("one column out of order, far down, changes nothing on many machines", "[.long]") {
  compare_with_a_column_out_of_order(250, 40, 17);
}

TEST_CASE("fast mappers equal the textbook on machines with cores") {
  std::mt19937_64 rng(21);
  for (int round = 0; round < static_cast<int>(rounds(1200)); ++round) {
    Case c = make(static_cast<Kind>(round % kKinds), rng() % 30, 1 + rng() % 5, false, rng);
    add_cores(c, round % 2 == 0, rng);
    check_twins(c.problem(), "round " + std::to_string(round));
  }
  // With one core on each machine and tasks of one core, the result is that of the matrix alone.
  for (int round = 0; round < 100; ++round) {
    Case c = make(static_cast<Kind>(round % kKinds), 20, 4, true, rng);
    const Case plain = c;
    c.first_core = {0, 1, 2, 3, 4};
    c.whole_machine = round % 2 == 0;
    for (const Twin& twin : twins()) {
      INFO(twin.label);
      Mapping a, b;
      twin.config->make_mapper()->map(c.problem(), a);
      twin.config->make_mapper()->map(plain.problem(), b);
      CHECK((a.order == b.order && a.machine == b.machine && mappers_same_bits(a.completion, b.completion)));
    }
  }
}

TEST_CASE("fast mappers equal the textbook where machines belong to clusters") {
  std::mt19937_64 rng(23);
  for (int round = 0; round < static_cast<int>(rounds(800)); ++round) {
    Case c = make(static_cast<Kind>(round % kKinds), rng() % 40, 1 + rng() % 12, round % 3 == 0, rng);
    if (round % 5 == 0) add_cores(c, round % 2 == 0, rng);
    std::vector<std::uint32_t> cluster(c.machines);
    for (std::uint32_t& each : cluster) each = static_cast<std::uint32_t>(rng() % c.machines);
    MappingProblem problem = c.problem();
    problem.cluster = cluster;
    check_twins(problem, "round " + std::to_string(round));
  }
}

TEST_CASE("where only what begins at once counts, a mapper makes the first choices of the whole mapping") {
  std::mt19937_64 rng(29);
  int shorter = 0;
  for (int round = 0; round < static_cast<int>(rounds(1500)); ++round) {
    Case c = make(static_cast<Kind>(round % kKinds), rng() % (round % 10 == 0 ? 90 : 20), 1 + rng() % 6, true,
                  rng);
    if (round % 2 == 0) add_cores(c, round % 4 == 0, rng);
    for (double& ready : c.ready)
      if (rng() % 2 == 0) ready = 0;
    const MappingProblem problem = c.problem();
    Mapping whole, part;
    for (const Twin& twin : twins()) {
      INFO(twin.label << ", round " << round);
      twin.config->make_mapper()->map(problem, whole);
      const auto mapper = twin.config->make_mapper();
      auto* const stops = dynamic_cast<MapsStarts*>(mapper.get());
      if (stops == nullptr) continue;
      stops->map_starts(problem, part);
      textbook::State state(problem);
      std::size_t chosen = 0;
      bool prefix = part.order.size() <= whole.order.size();
      for (; prefix && chosen < part.order.size(); ++chosen) {
        const std::uint32_t task = part.order[chosen];
        prefix = task == whole.order[chosen] && part.machine[task] == whole.machine[task];
        if (prefix) state.assign(task, whole.machine[task]);
      }
      REQUIRE(prefix);
      bool begins = false;  // behind the part
      for (; chosen < whole.order.size(); ++chosen) {
        const std::uint32_t task = whole.order[chosen];
        begins = begins || state.start(task, whole.machine[task]) == 0;
        state.assign(task, whole.machine[task]);
      }
      CHECK_FALSE(begins);
      shorter += part.order.size() < whole.order.size() ? 1 : 0;
    }
  }
  CHECK(shorter > static_cast<int>(rounds(1000)));
}

TEST_CASE("tasks of several cores, by hand") {
  // A machine of three cores that are free at 1, 4, 2 and one of two cores, free at 0; the times are 6 and 9,
  // 1 and 2, 2 and 4. In order, by the end of the task alone: the first needs two cores and ends at 2 + 6 = 8
  // on the first machine (9 on the second: 0 + 9); the second needs one, and ends at 2 on the second; the
  // third needs three, which the second machine lacks: 8 + 2.
  Case c{3, 2, {6, 9, 1, 2, 2, 4}, {1, 4, 2, 0, 0}};
  c.first_core = {0, 3, 5};
  c.width = {2, 1, 3};
  Mapping mapping = map_with("mct", c.problem());
  CHECK(mapping.machine == ids({0, 1, 0}));
  CHECK(mapping.completion == std::vector<double>{8, 2, 10});
  CHECK(mapping.makespan == 10);
  // By the end of everything on a machine, the second task has 8 on the first machine and 2 on the second.
  c.whole_machine = true;
  c.etc[3] = 20;
  mapping = map_with("mct", c.problem());
  CHECK(mapping.machine == ids({0, 0, 0}));
  CHECK(mapping.completion == std::vector<double>{8, 5, 10});  // core free at 4, then 1 more
}

TEST_CASE("no mapper beats the optimum or the bound") {
  std::mt19937_64 rng(3);
  for (int round = 0; round < static_cast<int>(rounds(300)); ++round) {
    Case c = make(static_cast<Kind>(round % 8), 1 + rng() % 6, 1 + rng() % 3, rng() % 2 == 0, rng);
    if (round % 3 == 0) add_cores(c, round % 2 == 0, rng);
    const MappingProblem problem = c.problem();
    const double best = textbook::optimum(problem);
    const double slack = 1e-12 * best;
    CHECK(makespan_bound(problem) <= best + slack);
    if (problem.has_cores()) continue;  // there the order of choice matters as well
    for (const Twin& twin : twins()) {
      INFO(twin.label);
      CHECK(map_with(twin.label, problem).makespan >= best - slack);
    }
  }
}

TEST_CASE("makespans of Braun's matrices") {
  if (!thorough()) return;  // it takes seconds
  if (!std::filesystem::is_directory(braun_folder())) {
    WARN("skipped: no folder " << braun_folder().string() << " (set PERIGEE_DATA)");
    return;
  }
  // The min-min values are published. The other values are from an independent program.
  const std::vector<const char*> columns = {"min_min", "max_min",   "mct",          "met",
                                            "olb",     "sufferage", "sufferage_mah"};
  const std::map<std::string, std::vector<double>> expected = {
      {"u_c_hihi.0",
       {8460675.003, 12385671.828, 11422624.494, 47472299.430, 14376662.176, 10249172.885, 10908697.837}},
      {"u_i_hihi.0",
       {3513919.281, 8018378.072, 4413582.982, 4508506.792, 26102017.618, 3306818.943, 3391758.359}},
      {"u_i_lolo.0", {2785.645, 5177.709, 3137.350, 3399.285, 8938.027, 2639.318, 2673.829}},
      {"u_s_hilo.0", {104375.164, 172822.698, 126587.591, 605363.773, 250362.114, 102499.893, 103400.813}},
  };
  for (const auto& [name, values] : expected) {
    const EtcMatrix etc = read_etc(braun_folder() / name);
    REQUIRE(etc.tasks == 512);
    REQUIRE(etc.machines == 16);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      INFO(name << " " << columns[i]);
      CHECK(map_with(columns[i], problem_of(etc)).makespan == Approx(values[i]).margin(0.0005).epsilon(0));
    }
    check_twins(problem_of(etc), name);
  }
}

TEST_CASE("the small examples of Figures 1 to 3") {  // of the IRMaSim thesis
  const EtcMatrix etc = on_speeds({1, 3, 3}, {1, 2, 6, 3});
  const Mapping min_min = map_with("min_min", problem_of(etc));
  CHECK(min_min.machine == ids({1, 2, 2, 1}));
  CHECK(min_min.makespan == Approx(8.0 / 3));
  const Mapping max_min = map_with("max_min", problem_of(etc));
  CHECK(max_min.machine == ids({0, 2, 1, 2}));
  CHECK(max_min.makespan == 2);
  const Mapping duplex = map_with("duplex", problem_of(etc));
  CHECK(duplex.machine == max_min.machine);
  CHECK(duplex.makespan == 2);
}

TEST_CASE("duplex takes min-min when it is better, and on a tie") {
  const EtcMatrix better = on_speeds({1, 4, 2}, {8, 8, 6, 6});
  CHECK(map_with("min_min", problem_of(better)).makespan == 5);
  CHECK(map_with("max_min", problem_of(better)).makespan == 5.5);
  CHECK(map_with("duplex", problem_of(better)).machine == map_with("min_min", problem_of(better)).machine);

  const EtcMatrix loaded = on_speeds({1, 1}, {2, 3, 3, 2});
  const std::vector<double> ready = {6, 2};
  CHECK(map_with("min_min", problem_of(loaded, ready)).makespan == 9);
  CHECK(map_with("max_min", problem_of(loaded, ready)).makespan == 10);
  CHECK(map_with("duplex", problem_of(loaded, ready)).makespan == 9);

  const EtcMatrix tie = on_speeds({1, 1}, {3, 3, 2, 2, 2});
  CHECK(map_with("min_min", problem_of(tie)).makespan == 7);
  CHECK(map_with("max_min", problem_of(tie)).makespan == 7);
  CHECK(map_with("duplex", problem_of(tie)).order == map_with("min_min", problem_of(tie)).order);
}

TEST_CASE("max-min of the grouping study") {  // Breitinger, 1999, Figure 7 by hand, and Table 5
  const EtcMatrix nine{
      9, 3, {9, 12, 10, 8, 7, 9, 15, 14, 16, 4, 5, 6, 11, 9, 12, 6, 8, 7, 13, 12, 11, 3, 4, 2, 10, 10, 9}};
  const Mapping a = map_with("max_min", problem_of(nine));
  CHECK(a.order == ids({2, 4, 6, 0, 1, 8, 5, 3, 7}));
  CHECK(a.machine == ids({0, 2, 1, 2, 0, 0, 2, 1, 1}));
  std::vector<double> decided;
  for (const std::uint32_t task : a.order) decided.push_back(a.completion[task]);
  CHECK(decided == std::vector<double>{14, 11, 11, 20, 20, 24, 26, 26, 28});

  const EtcMatrix seven{7, 2, {40, 50, 30, 20, 10, 60, 25, 26, 45, 44, 12, 13, 33, 31}};
  const Mapping b = map_with("max_min", problem_of(seven));
  CHECK(b.machine == ids({0, 1, 0, 1, 1, 0, 0}));
  CHECK(b.makespan == 95);

  const EtcMatrix table5{
      10, 10, {133, 136, 157, 179, 130, 139, 120, 136, 131, 162, 176, 219, 178, 221, 222, 181, 197,
               192, 175, 218, 29,  37,  35,  35,  25,  35,  34,  29,  26,  32,  21,  19,  19,  27,
               20,  21,  22,  21,  21,  20,  35,  32,  36,  30,  34,  29,  34,  31,  35,  40,  124,
               134, 129, 114, 116, 132, 114, 117, 128, 120, 94,  103, 88,  108, 104, 99,  96,  115,
               92,  99,  178, 194, 210, 172, 182, 181, 159, 163, 169, 186, 135, 126, 129, 126, 138,
               119, 132, 141, 112, 107, 71,  75,  71,  75,  62,  76,  61,  78,  77,  83}};
  const Mapping c = map_with("max_min", problem_of(table5));
  CHECK(c.machine == ids({4, 8, 7, 1, 5, 3, 2, 6, 9, 0}));
  CHECK(c.makespan == 175);
}

TEST_CASE("sufferage prefers the task that loses most") {
  // Task 0 loses 1 without machine 0, task 1 loses 9: task 1 gets it although task 0 comes first.
  const EtcMatrix etc{2, 2, {2, 3, 1, 10}};
  const Mapping out = map_with("sufferage", problem_of(etc));
  CHECK(out.order == ids({1, 0}));
  CHECK(out.machine == ids({0, 0}));  // then task 0 ends at 3 on both machines: the lowest index
}

TEST_CASE("a task with one feasible machine goes first in sufferage") {
  const EtcMatrix etc{3, 2, {1, 100, 5, kInf, 2, 300}};
  const Mapping out = map_with("sufferage", problem_of(etc));
  CHECK(out.order.front() == 1);
  CHECK(out.machine[1] == 0);
}
