#include "runtime/schedulers/catalogue.h"

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "runtime/cost/etc.h"
#include "runtime/cost/graph_problem.h"
#include "runtime/kernel/constants.h"
#include "runtime/schedulers/mapping/improver.h"
#include "runtime/space/search.h"
#include "tests/runtime/schedulers/textbook_mappers.h"
#include "tests/support/layers.h"
#include "tests/support/paths.h"
#include "tests/support/small_search.h"

using namespace perigee;
using namespace perigee::test;

namespace {

template <class Act>
std::string message_of(Act act, const std::string& code) {
  try {
    act();
  } catch (const Error& error) {
    CHECK(error.diagnostic().code == code);
    return error.diagnostic().message;
  }
  return "no error";
}

// Every native mapper with its defaults and with each value of each choice; searches are small. Not `optimal`, which gives
// up (mapping/optimal_test.cpp).
std::vector<ConfigPtr> all_mappers() {
  const Catalogue catalogue;
  std::vector<ConfigPtr> out;
  for (const auto& entry : catalogue.entries()) {
    if (entry->role != Role::mapper || gives_up(*entry)) continue;
    std::map<std::string, Value> given = test::small_search(*entry);
    out.push_back(catalogue.configure(entry->name, given));
    for (const Parameter& parameter : entry->parameters)
      for (const std::string& choice : parameter.choices) {
        given[parameter.name] = choice;
        out.push_back(catalogue.configure(entry->name, given));
        given.erase(parameter.name);
      }
  }
  return out;
}

bool catalogue_same(const Mapping& a, const Mapping& b) {
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  return a.machine == b.machine && a.order == b.order && bits(a.makespan) == bits(b.makespan) &&
         std::ranges::equal(a.completion, b.completion, {}, bits, bits) &&
         std::ranges::equal(a.search.curve, b.search.curve, {}, bits, bits) &&
         a.search.counts == b.search.counts;
}

// Conditions that every mapping must satisfy. Each task that can run somewhere is mapped once, to where it
// can run. The ends and the makespan are those of running each machine's tasks in the order of choice.
void check_valid(const MappingProblem& problem, const Mapping& mapping) {
  REQUIRE(mapping.machine.size() == problem.tasks);
  REQUIRE(mapping.completion.size() == problem.tasks);
  textbook::State state(problem);
  std::set<std::uint32_t> seen;
  bool valid = true;
  for (const std::uint32_t task : mapping.order) {
    REQUIRE(task < problem.tasks);
    REQUIRE(seen.insert(task).second);
    const std::uint32_t machine = mapping.machine[task];
    REQUIRE(machine < problem.machines);
    valid &= state.feasible(task, machine) && mapping.completion[task] == state.end(task, machine);
    state.assign(task, machine);
  }
  for (std::uint32_t task = 0; task < problem.tasks; ++task) {
    bool feasible = false;
    for (std::size_t m = 0; m < problem.machines; ++m) feasible |= state.feasible(task, m);
    valid &= feasible == seen.contains(task);
    if (!feasible) valid &= mapping.machine[task] == kUnmapped && std::isnan(mapping.completion[task]);
  }
  CHECK(valid);
  const std::vector<double>& curve = mapping.search.curve;
  CHECK(std::ranges::is_sorted(curve, std::ranges::greater()));
  if (!curve.empty()) CHECK(curve.back() == mapping.makespan);
  CHECK(mapping.makespan == state.out.makespan);
  CHECK(mapping.makespan >= makespan_bound(problem) * (1 - 1e-12));
}

}  // namespace

TEST_CASE("every mapper gives a valid mapping, and the same again") {
  for (const ConfigPtr& config : all_mappers()) {
    INFO(config->text());
    std::mt19937_64 rng(1);
    const std::unique_ptr<Mapper> mapper = config->make_mapper();
    Mapping out, again;
    const auto check = [&](const MappingProblem& problem) {
      const std::unique_ptr<Mapper> clone = mapper->clone();
      mapper->map(problem, out);
      check_valid(problem, out);
      clone->map(problem, again);  // on top of an old answer
      CHECK(catalogue_same(out, again));
      const Stream stream(rng(), "map");
      for (Mapping* answer : {&out, &again}) {
        mapper->reseed(stream);
        mapper->map(problem, *answer);
      }
      check_valid(problem, out);
      CHECK(catalogue_same(out, again));
    };
    check({});
    check({0, 3, {}, {}});
    check({3, 0, {}, {}});
    const double one[] = {5};
    check({1, 1, one, {}});
    const double none[] = {kInfinity, kInfinity};
    check({1, 2, none, {}});
    check({2, 1, none, {}});
    const double busy[] = {7, 3};
    check({1, 2, none, busy});
    for (int round = 0; round < 60; ++round) {
      const std::size_t tasks = rng() % 40, machines = rng() % 8;
      std::vector<double> etc(tasks * machines), ready(round % 2 == 0 ? machines : 0);
      for (double& x : etc)
        x = rng() % 5 == 0   ? kInfinity
            : round % 3 == 0 ? static_cast<double>(rng() % 4)
                             : static_cast<double>(rng() >> 40);
      for (double& x : ready) x = static_cast<double>(rng() % 100);
      if (tasks > 0) std::fill_n(etc.begin(), machines, kInfinity);
      check({tasks, machines, etc, ready});
      std::vector<std::uint32_t> first_core(1, 0), width(tasks);
      for (std::size_t m = 0; m < machines; ++m)
        first_core.push_back(first_core.back() + 1 + static_cast<std::uint32_t>(rng() % 4));
      for (std::uint32_t& each : width) each = 1 + static_cast<std::uint32_t>(rng() % 5);
      check({tasks, machines, etc, {}, first_core, width, 0, round % 2 == 0});
    }
  }
}

TEST_CASE("every native entry is complete") {
  const Catalogue catalogue;
  std::set<std::string> names;
  for (const auto& entry : catalogue.entries()) {
    INFO(entry->name);
    CHECK(names.insert(entry->name).second);
    CHECK(catalogue.find(entry->name) == entry);
    CHECK(!entry->summary.empty());
    CHECK(!entry->source.empty());
    if (entry->role != Role::policy) CHECK(!entry->complexity.empty());
    if (entry->role != Role::policy) CHECK(!entry->ties.empty());
    CHECK((entry->make_mapper != nullptr) == (entry->role == Role::mapper));
    CHECK((entry->make_policy != nullptr) == (entry->role == Role::policy));
    CHECK((entry->make_graph_scheduler != nullptr) == (entry->role == Role::graph));
    CHECK((entry->make_search != nullptr) == (entry->role == Role::search));
    CHECK((entry->role == Role::search) == (entry->family == Family::search));
    CHECK((entry->role == Role::mapper || !entry->chooses_ready));
    CHECK((entry->chooses_ready || !entry->in_turn));
    std::map<std::string, Value> all;
    for (const Parameter& parameter : entry->parameters) {
      INFO(parameter.name);
      CHECK(!parameter.summary.empty());
      CHECK((parameter.type != ParameterType::choice || !parameter.choices.empty()));
      CHECK((parameter.choices.empty() || parameter.type == ParameterType::choice));
      all[parameter.name] = parameter.fallback;
    }
    if (std::ranges::any_of(entry->parameters, &Parameter::required)) continue;
    std::string text = entry->name;  // the parts it is composed of are shown, other defaults are not
    const auto show = [&](const std::string& part) { text += (text == entry->name ? " { " : ", ") + part; };
    for (const Parameter& p : entry->parameters) {
      if (is_part(p.type)) {
        const std::string& name = std::get<std::string>(p.fallback);
        show(p.name + " = " + catalogue.configure(name)->text());
      }
      if (p.type == ParameterType::mappers)
        for (const Part& part : std::get<Parts>(p.fallback)) show(std::get<std::string>(part));
    }
    if (text != entry->name) text += " }";
    CHECK(catalogue.configure(entry->name)->text() == text);
    CHECK(catalogue.configure(entry->name, all)->text() == text);
  }
  CHECK(Catalogue().entries()[0] == catalogue.entries()[0]);  // created once
}

namespace {

// A catalogue with entries made for these tests.
Catalogue test_catalogue() {
  Catalogue catalogue;
  Entry entry;
  entry.name = "probe";
  entry.parameters = {
      {.name = "flag", .type = ParameterType::boolean, .summary = "s", .fallback = false},
      {.name = "count", .type = ParameterType::integer, .summary = "s", .fallback = 3.0, .min = 1, .max = 9},
      {.name = "rate", .type = ParameterType::number, .summary = "s", .fallback = 0.5, .min = 0},
      {.name = "wait",
       .type = ParameterType::quantity,
       .summary = "s",
       .fallback = "2 s",
       .min = 0,
       .unit = Dimension::seconds},
      {.name = "form",
       .type = ParameterType::choice,
       .summary = "s",
       .fallback = "small",
       .choices = {"small", "large"}},
      {.name = "map", .type = ParameterType::mapper, .summary = "s", .fallback = "sufferage"},
      {.name = "size", .type = ParameterType::integer, .summary = "tasks at once"},
      {.name = "limit", .type = ParameterType::number, .summary = "s", .min = 0, .optional = true},
      {.name = "rule", .type = ParameterType::rule, .summary = "s", .optional = true},
  };
  for (Parameter& parameter : entry.parameters)
    if (parameter.name == "size") parameter.min = 1;
  catalogue.add(entry);
  return catalogue;
}

std::string refused(const std::map<std::string, Value>& given, const std::string& code = "bad_parameter") {
  const Catalogue catalogue = test_catalogue();
  std::map<std::string, Value> all = {{"size", 1.0}};
  for (const auto& [name, value] : given) all[name] = value;
  return message_of([&] { (void)catalogue.configure("probe", all); }, code);
}

}  // namespace

TEST_CASE("values are checked, converted and shown as a script writes them") {
  const Catalogue catalogue = test_catalogue();
  const ConfigPtr plain = catalogue.configure("probe", {{"size", 4.0}});
  CHECK(plain->text() == "probe { map = sufferage, size = 4 }");
  const Arguments arguments(*plain);
  CHECK(arguments.flag("flag") == false);
  CHECK(arguments.number("count") == 3);
  CHECK(arguments.number("wait") == 2);
  CHECK(arguments.choice("form") == "small");
  CHECK(arguments.mapper("map") != nullptr);
  CHECK_THROWS_AS(arguments.number("nothing"), InternalError);
  CHECK_THROWS_AS(arguments.number("form"), InternalError);

  const ConfigPtr passes = catalogue.configure("sufferage", {{"form", "passes"}});
  const ConfigPtr given = catalogue.configure(
      "probe",
      {{"flag", true}, {"count", 9.0}, {"wait", "67 ms"}, {"form", "large"}, {"map", passes}, {"size", 1.0}});
  CHECK(given->text() ==
        "probe { flag = true, count = 9, wait = 0.067, form = \"large\", map = sufferage { form = \"passes\" "
        "}, size = 1 }");
  CHECK(catalogue.configure("probe", {{"wait", 2.0}, {"map", "sufferage"}, {"size", 1.0}})->text() ==
        "probe { map = sufferage, size = 1 }");
  CHECK(catalogue.configure("probe", {{"map", "min_min"}, {"size", 1.0}})->text() ==
        "probe { map = min_min, size = 1 }");
  CHECK_THROWS_AS(plain->make_mapper(), Error);
}

TEST_CASE("what is optional is none where it is left out, and checked where it is given") {
  const Catalogue catalogue = test_catalogue();
  const ConfigPtr without = catalogue.configure("probe", {{"size", 4.0}});
  CHECK_FALSE(Arguments(*without).has("limit"));
  CHECK(Arguments(*without).rule("rule") == nullptr);
  CHECK_THROWS_AS(Arguments(*without).number("limit"), InternalError);
  const ConfigPtr with = catalogue.configure("probe", {{"size", 4.0}, {"limit", 0.0}});
  CHECK(Arguments(*with).has("limit"));
  CHECK(Arguments(*with).number("limit") == 0);
  CHECK(with->text() == "probe { map = sufferage, size = 4, limit = 0 }");
  CHECK(refused({{"limit", -1.0}}) == "probe: limit must be >= 0, got -1");
  CHECK(refused({{"rule", 1.0}}) == "probe: rule must be a function, got 1");
  CHECK_FALSE(without->entry->parameters.back().required());
}

TEST_CASE("wrong names and values say what is allowed") {
  const Catalogue catalogue;
  CHECK(message_of([&] { (void)catalogue.require("minmin"); }, "unknown_scheduler") ==
        "unknown scheduler 'minmin'; did you mean 'min_min'?");
  CHECK(message_of([&] { (void)catalogue.configure("zzzzzzzz"); }, "unknown_scheduler") ==
        "unknown scheduler 'zzzzzzzz'; `perigee list` has those that there are");
  CHECK(message_of(
            [&] {
              (void)catalogue.configure("mapped", {{"map", std::string("zzzzzzzz")}});
            },
            "unknown_scheduler")
            .find("mapped: map: unknown mapper 'zzzzzzzz'; there are olb, met, ") == 0);
  CHECK(message_of(
            [&] {
              (void)catalogue.configure("mct", {{"foo", 1.0}});
            },
            "unknown_parameter") == "mct has no parameter 'foo'; it takes none");
  CHECK(message_of(
            [&] {
              (void)catalogue.configure("sufferage", {{"from", "passes"}});
            },
            "unknown_parameter") ==
        "sufferage has no parameter 'from'; did you mean 'form'?; it takes: form");
  CHECK(message_of([&] { (void)test_catalogue().configure("probe"); }, "missing_parameter") ==
        "probe: size must be given: tasks at once");
  CHECK(refused({{"flag", 1.0}}) == "probe: flag must be true or false, got 1");
  CHECK(refused({{"count", 2.5}}) == "probe: count must be an integer, got 2.5");
  CHECK(refused({{"count", "2"}}) == "probe: count must be an integer, got \"2\"");
  CHECK(refused({{"count", 10.0}}) == "probe: count must be from 1 to 9, got 10");
  CHECK(refused({{"rate", -0.1}}) == "probe: rate must be >= 0, got -0.1");
  CHECK(refused({{"rate", std::nan("")}}) == "probe: rate must be a number, got nan");
  CHECK(refused({{"size", kInfinity}}) == "probe: size must be an integer, got inf");
  CHECK_THAT(refused({{"wait", "2 KB"}}), Catch::Matchers::StartsWith("probe: wait: "));
  CHECK(refused({{"wait", -2.0}}) == "probe: wait must be >= 0, got -2");
  CHECK(refused({{"form", "lage"}}) ==
        "probe: form must be \"small\" or \"large\", got \"lage\"; did you mean 'large'?");
  CHECK(refused({{"form", 1.0}}) == "probe: form must be \"small\" or \"large\", got 1");
  CHECK(refused({{"map", "minmin"}}, "unknown_scheduler") ==
        "probe: map: unknown mapper 'minmin'; did you mean 'min_min'?");
  CHECK(refused({{"map", "fcfs"}}) == "probe: map must be a mapper, but \"fcfs\" is a policy");
  CHECK(refused({{"map", true}}) == "probe: map must be a mapper, got true");
  CHECK(refused({{"map", Parts{"mct"}}}) == "probe: map must be a mapper, got { \"mct\" }");
}

TEST_CASE("a search is no scheduler, and no scheduler is a search") {
  const Catalogue catalogue;
  const ConfigPtr search = catalogue.configure("annealing", {{"tries", 5.0}}),
                  mapper = catalogue.configure("mct");
  CHECK(search->text() == "annealing { tries = 5 }");
  CHECK(search->make_search() != nullptr);
  CHECK(message_of([&] { (void)search->make_mapper(); }, "not_a_mapper") ==
        "annealing is a search, not a mapper");
  CHECK(message_of([&] { (void)search->make_policy(); }, "not_a_policy") ==
        "annealing is a search, not a policy");
  CHECK(message_of([&] { (void)search->make_graph_scheduler(); }, "not_a_graph_scheduler") ==
        "annealing is a search, not a graph scheduler");
  CHECK(message_of([&] { (void)mapper->make_search(); }, "not_a_search") == "mct is a mapper, not a search");
  CHECK(message_of(
            [&] {
              (void)catalogue.configure("mapped", {{"map", "genetic"}});
            },
            "bad_parameter") == "mapped: map must be a mapper, but \"genetic\" is a search");
  CHECK(message_of(
            [&] {
              (void)catalogue.configure("mapped", {{"map", search}});
            },
            "bad_parameter") == "mapped: map must be a mapper, but annealing { tries = 5 } is a search");
  CHECK(message_of(
            [&] {
              (void)catalogue.configure("annealing", {{"tries", 0.0}});
            },
            "bad_parameter") == "annealing: tries must be from 1 to 10000, got 0");
}

TEST_CASE("a list holds names and mappers with their parameters; its items stand by themselves") {
  const Catalogue catalogue;
  const ConfigPtr passes = catalogue.configure("sufferage", {{"form", "passes"}});
  const ConfigPtr pair = catalogue.configure("best_of", {{"maps", Parts{"min_min", passes}}});
  CHECK(pair->text() == "best_of { min_min, sufferage { form = \"passes\" } }");
  CHECK(catalogue.configure("best_of", {{"maps", Parts{"mct", pair}}})->text() ==
        "best_of { mct, best_of { min_min, sufferage { form = \"passes\" } } }");
  CHECK(Arguments(*pair).mappers("maps").size() == 2);
  const auto refused_list = [&](const Value& value, const std::string& code = "bad_parameter") {
    return message_of([&] { (void)catalogue.configure("best_of", {{"maps", value}}); }, code);
  };
  CHECK(refused_list(Parts{}) == "best_of: maps must be one mapper at least");
  CHECK(refused_list("mct") == "best_of: maps must be a list of mappers, got \"mct\"");
  CHECK(refused_list(Parts{"mct", "minmin"}, "unknown_scheduler") ==
        "best_of: maps: unknown mapper 'minmin'; did you mean 'min_min'?");
  CHECK(refused_list(Parts{"mct", "fcfs"}) ==
        "best_of: maps must be a list of mappers, but \"fcfs\" is a policy");
  CHECK(message_of(
            [&] {
              (void)catalogue.configure("switch", {{"when", 3.0}});
            },
            "bad_parameter") == "switch: when must be a function, got 3");

  Entry two;
  two.name = "two";
  two.parameters = {{.name = "a", .type = ParameterType::mappers, .summary = "s", .fallback = Parts{"mct"}},
                    {.name = "b", .type = ParameterType::mappers, .summary = "s", .fallback = Parts{"met"}}};
  Catalogue more;
  more.add(two);
  CHECK(more.require("two")->list_parameter() == nullptr);
  CHECK(more.configure("two")->text() == "two { a = { mct }, b = { met } }");
}

TEST_CASE("what improves a mapping is told from what makes its own") {
  const Catalogue catalogue;
  for (const auto& entry : catalogue.entries()) {
    INFO(entry->name);
    const bool improver = entry->role == Role::mapper &&
                          dynamic_cast<Improver*>(catalogue.configure(entry->name)->make_mapper().get());
    CHECK(entry->improves == improver);
  }
  CHECK(
      message_of(
          [&] {
            (void)catalogue.configure("then_improve", {{"with", "mct"}});
          },
          "bad_parameter") ==
      "then_improve: with must improve a given mapping, as ga, sa, gsa, tabu, local_search do, but mct makes "
      "its own");
}

TEST_CASE("scripts add entries of their own") {
  Catalogue catalogue;
  Entry entry;
  entry.name = "min_min";
  CHECK(message_of([&] { catalogue.add(entry); }, "duplicate_scheduler") ==
        "there is already a scheduler 'min_min'");
  entry.name = "Mine";
  CHECK_THAT(message_of([&] { catalogue.add(entry); }, "bad_name"), Catch::Matchers::Contains("'Mine'"));
  entry.name = "mine";
  entry.parameters = {{.name = "a", .summary = "s", .fallback = 1.0},
                      {.name = "a", .summary = "s", .fallback = 1.0}};
  message_of([&] { catalogue.add(entry); }, "duplicate_parameter");
  entry.parameters = {{.name = "map", .type = ParameterType::mapper, .summary = "s", .fallback = "mine"}};
  message_of([&] { catalogue.add(entry); }, "unknown_scheduler");
  entry.parameters.clear();
  const std::size_t before = catalogue.entries().size();
  catalogue.add(entry);
  CHECK(catalogue.entries().size() == before + 1);
  CHECK(catalogue.require("mine")->name == "mine");
  CHECK(Catalogue().find("mine") == nullptr);
}

TEST_CASE("the pages on mappers and on batch policies list all that there are") {
  // The lines of tables.
  const auto rows_of = [](const char* name) {
    std::ifstream file(test::source_folder() / "docs" / name);
    std::string rows;
    for (std::string line; std::getline(file, line);)
      if (line.starts_with('|')) rows += line;
    return rows;
  };
  const std::string mapping = rows_of("mapping.md"), batch = rows_of("batch.md");
  const Catalogue catalogue;
  for (const auto& entry : catalogue.entries()) {
    if (entry->family != Family::mapping && entry->family != Family::batch) continue;
    INFO(entry->name);
    const std::string& rows = entry->family == Family::mapping ? mapping : batch;
    const bool listed = rows.find("`" + entry->name + "`") != std::string::npos ||
                        rows.find("`" + entry->name + " {") != std::string::npos;
    CHECK(listed);
  }
}
