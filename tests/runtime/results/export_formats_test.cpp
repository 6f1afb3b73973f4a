// Exports for other programs, read back by parsers that know the formats and share nothing with the writer.
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <sstream>

#include "runtime/kernel/quantity.h"
#include "runtime/model/readers/irmasim.h"
#include "runtime/results/export.h"
#include "runtime/results/table.h"
#include "tests/support/layers.h"
#include "tests/support/scenarios.h"
#include "tests/support/toys.h"

using namespace perigee;
using namespace perigee::test;

namespace {

using Row = std::map<std::string, std::string>;

std::vector<Row> batsim(const Outcome& outcome) {
  const auto lines = parse_csv(batsim_jobs_csv(outcome));
  std::vector<Row> rows;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    REQUIRE(lines[i].size() == lines[0].size());
    for (std::size_t c = 0; c < lines[0].size(); ++c) {
      if (c == 0) rows.emplace_back();
      rows.back()[lines[0][c]] = lines[i][c];
    }
  }
  return rows;
}

// ---- a reader of Paje traces, after "Paje trace file" (de Oliveira Stein et al., 2010)

// "a b" "c d" -> words, quotes resolved
std::vector<std::string> words(const std::string& line) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < line.size();) {
    if (line[i] == ' ') {
      ++i;
    } else if (line[i] == '"') {
      const std::size_t end = line.find('"', i + 1);
      REQUIRE(end != std::string::npos);
      all.push_back(line.substr(i + 1, end - i - 1));
      i = end + 1;
    } else {
      const std::size_t end = std::min(line.find(' ', i), line.size());
      all.push_back(line.substr(i, end - i));
      i = end;
    }
  }
  return all;
}

struct Paje {
  std::map<std::string, std::string> parents;                 // containers by name: of which
  std::multiset<std::string> states;                          // "container type value from to"
  std::map<std::string, std::vector<std::string>> variables;  // "container type": "time value"
};

std::string shorter(const std::string& number) {
  std::ostringstream out;
  out << std::stod(number);
  return out.str();
}

Paje read_paje(const std::string& text) {
  Paje paje;
  struct Definition {
    std::string name;
    std::vector<std::string> fields;
  };
  std::map<std::string, Definition> definitions;
  std::map<std::string, std::string> names{{"0", ""}};  // of all aliases
  std::map<std::string, std::string> types;             // of containers, by alias
  std::map<std::string, std::string> type_parents;      // of all types, by alias
  std::map<std::string, std::vector<Row>> stacks;       // by container and type
  std::set<std::string> alive;
  Definition* open = nullptr;
  double last = 0;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    INFO(line);
    if (line[0] == '%') {
      std::istringstream parts(line.substr(1));
      std::string word, second, third;
      parts >> word >> second >> third;
      if (word == "EventDef") {
        open = &definitions[third];
        open->name = second;
      } else if (word == "EndEventDef") {
        open = nullptr;
      } else {
        REQUIRE(open != nullptr);
        REQUIRE(std::set<std::string>{"string", "date", "double", "color"}.count(second) == 1);
        open->fields.push_back(word);
      }
      continue;
    }
    const std::vector<std::string> values = words(line);
    REQUIRE(definitions.count(values[0]) == 1);
    const Definition& definition = definitions[values[0]];
    REQUIRE(values.size() == definition.fields.size() + 1);
    Row f;
    for (std::size_t i = 0; i < definition.fields.size(); ++i) f[definition.fields[i]] = values[i + 1];
    if (f.count("Time") == 1) {
      const double time = std::stod(f["Time"]);
      REQUIRE(time >= last);
      last = time;
    }
    const std::string& what = definition.name;
    if (what.starts_with("PajeDefine")) {
      REQUIRE(names.count(f["Alias"]) == 0);
      REQUIRE((names.count(f["Type"]) == 1));  // the type that it belongs to
      names[f["Alias"]] = f["Name"];
      type_parents[f["Alias"]] = f["Type"];
    } else if (what == "PajeCreateContainer") {
      REQUIRE(names.count(f["Alias"]) == 0);
      REQUIRE(names.count(f["Container"]) == 1);
      names[f["Alias"]] = f["Name"];
      types[f["Alias"]] = f["Type"];
      const std::string parent_type = f["Container"] == "0" ? "0" : types.at(f["Container"]);
      REQUIRE(type_parents.at(f["Type"]) == parent_type);
      paje.parents[names[f["Type"]] + " " + f["Name"]] = names[f["Container"]];
      alive.insert(f["Alias"]);
    } else if (what == "PajeDestroyContainer") {
      REQUIRE(alive.erase(f["Name"]) == 1);
      REQUIRE(types.at(f["Name"]) == f["Type"]);
    } else {
      REQUIRE(alive.count(f["Container"]) == 1);
      REQUIRE(type_parents.at(f["Type"]) == types.at(f["Container"]));
      const std::string key = names[f["Container"]] + " " + names[f["Type"]];
      if (what == "PajePushState") {
        REQUIRE(type_parents.at(f["Value"]) == f["Type"]);
        stacks[key].push_back(f);
      } else if (what == "PajePopState") {
        REQUIRE_FALSE(stacks[key].empty());
        const Row begin = stacks[key].back();
        stacks[key].pop_back();
        REQUIRE(stacks[key].empty());  // one thing at a time
        paje.states.insert(key + " " + names[begin.at("Value")] + " " + shorter(begin.at("Time")) + " " +
                           shorter(f["Time"]));
      } else {
        REQUIRE(what == "PajeSetVariable");
        std::vector<std::string>& all = paje.variables[key];
        const std::string time = shorter(f["Time"]) + " ";
        if (!all.empty() && all.back().starts_with(time)) all.pop_back();  // one value for the instant
        all.push_back(time + shorter(f["Value"]));
      }
    }
  }
  CHECK(alive.empty());
  for (const auto& [key, stack] : stacks) CHECK(stack.empty());
  return paje;
}

// Host a.1 of 4 cores, and a host "b" of 1 core behind a link. The awkward jobs: job 4 gets cores 2 and 4,
// job 5 is lost and done again, job 6 is rejected, job 7 is under way at the end, job 8 waits, job 9 is never
// submitted.
Story awkward_story() {
  auto a = cluster_of({1}, "a", 4);
  auto b = with_link(cluster_of({2}, "b"), 100);
  std::vector<TaskSpec> tasks(9, TaskSpec{10});
  tasks[3] = {3, 0, 2};
  tasks[8].arrival = 1000;
  auto workload = tasks_of(tasks);
  workload->works[3].estimate = 6;
  workload->works[4].estimate = 30;
  workload->names = {"", "two, \"2\"", "line\nbreak"};
  workload->names.resize(9);
  workload->files.push_back({"f", 200, 200});
  Story story(scenario_of(platform_of({a, b}), workload));
  for (std::uint32_t w = 0; w < 8; ++w) story.work(0, RecordKind::arrived, w);
  story.compute(1, 0, 0, 0, 10).compute(2, 1, 0, 0, 2).compute(3, 2, 0, 0, 10);
  story.compute(4, 3, 0, 2, 5, RecordKind::ended, 2);
  story.transfer(9, 0, 1, 0, 2);
  story.compute(5, 4, 1, 2, 4, RecordKind::lost);
  story.on(4, RecordKind::down, ResourceId::of(HostId(1)), Reason::outage);
  story.on(6, RecordKind::up, ResourceId::of(HostId(1)), Reason::outage);
  story.compute(6, 4, 1, 6, 11);
  story.work(3, RecordKind::rejected, 5);
  story.work(10, RecordKind::finished, 0).work(2, RecordKind::finished, 1).work(10, RecordKind::finished, 2);
  story.work(5, RecordKind::finished, 3).work(11, RecordKind::finished, 4);
  story.status = RunStatus::horizon;
  story.end = 12;
  story.sort();
  Record started;  // job 7, on core 1 of a.1 from 10 on
  started.time = 10;
  started.kind = RecordKind::started;
  started.what = ActivityKind::compute;
  started.work = WorkId(6);
  started.size = 1;
  started.activity = 7;
  started.cores = 1;
  started.on = ResourceId::of(HostId(0));
  std::size_t at = story.records.size();
  while (story.records[at - 1].time > 10) --at;
  story.records.insert(story.records.begin() + static_cast<std::ptrdiff_t>(at), started);
  return story;
}

}  // namespace

TEST_CASE("batsim: the columns of _jobs.csv, by hand") {
  const std::string text = batsim_jobs_csv(four_jobs_story().outcome());
  CHECK(text ==
        "job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,success,"
        "final_state,starting_time,execution_time,finish_time,waiting_time,turnaround_time,stretch,"
        "allocated_resources,consumed_energy,metadata\n"
        "job 1,workload,job,0,1,5,1,COMPLETED_SUCCESSFULLY,0,5,5,0,5,1,2,-1,\"\"\n"
        "job 2,workload,job,0,2,4,1,COMPLETED_SUCCESSFULLY,0,4,4,0,4,1,0-1,-1,\"\"\n"
        "job 3,workload,job,3,1,6,1,COMPLETED_SUCCESSFULLY,4,6,10,1,7,1.1666666666666667,0,-1,\"\"\n"
        "job 4,workload,job,5,1,10,1,COMPLETED_SUCCESSFULLY,5,10,15,0,10,1,2,-1,\"\"\n");
}

TEST_CASE("batsim: a job that is killed at its limit") {
  auto workload = tasks_of({{9}});
  workload->works[0].kind = WorkKind::job;
  workload->works[0].extra = 0;
  workload->extras.emplace_back().limit = 4;
  Story story(scenario_of(platform_of({cluster_of({1, 1})}), workload));
  story.work(0, RecordKind::arrived, 0).compute(1, 0, 1, 0, 4, RecordKind::cancelled);
  story.records.back().why = Reason::limit;
  story.work(4, RecordKind::killed, 0, Reason::limit).states = {WorkState::killed};
  const Row row = batsim(story.sort().outcome()).at(0);
  CHECK(row.at("final_state") == "COMPLETED_WALLTIME_REACHED");
  CHECK(row.at("success") == "0");
  CHECK(row.at("allocated_resources") == "1");
  CHECK(row.at("requested_time") == "4");
}

TEST_CASE("batsim: the columns of _consumed_energy.csv, by hand") {
  PlatformSpec::ClusterSpec cluster = cluster_of({1, 1});
  Host &one = cluster.hosts[0], &two = cluster.hosts[1];
  PowerModel of_one, of_two;
  of_one.states.push_back({.idle = 10, .epsilon = 20, .busy = 30});
  of_two.states.push_back({.idle = 40, .epsilon = 50, .busy = 90});
  of_two.off = 5;
  of_two.shutdown = {2, 60};
  one.power = std::make_shared<const PowerModel>(of_one);
  two.power = std::make_shared<const PowerModel>(of_two);
  two.cores = 2;
  Story story(scenario_of(platform_of({cluster}), tasks_of({{5}, {4}})));
  story.work(0, RecordKind::arrived, 0).work(2, RecordKind::arrived, 1);
  story.compute(1, 0, 0, 0, 5).compute(2, 1, 1, 2, 6);
  story.work(5, RecordKind::finished, 0).work(6, RecordKind::finished, 1).sort();
  for (const auto& [time, power] : {std::pair{6.0, Power::shutting}, {8.0, Power::off}}) {
    Record& record = story.records.emplace_back();
    record.time = time;
    record.kind = RecordKind::powered;
    record.on = ResourceId::of(HostId(1));
    record.first = static_cast<double>(power);
    record.size = 1;
  }
  Outcome outcome = story.outcome();
  // The second host draws 50 + 40 / 2 W with one of two cores busy. 2 s of 30 + 40 W, 3 s of 30 + 70, 1 s of 10 + 70,
  // and 2 s of 10 + 60.
  const std::string expected =
      "time,energy,wattmin,epower,event_type\n"
      "0,0,70,NA,s\n"
      "2,140,70,70,s\n"
      "5,440,70,100,e\n"
      "6,520,70,80,e\n"
      "6,520,80,NA,p\n"
      "8,660,25,70,p\n";
  CHECK(batsim_energy_csv(outcome) == expected);
  outcome.warmup = 3;
  CHECK(batsim_energy_csv(outcome) == expected);
  story.level = TraceLevel::work;
  CHECK_THROWS_WITH(batsim_energy_csv(story.outcome()),
                    Catch::Contains("what hosts drew and when was not kept"));
}

TEST_CASE("batsim: gaps, losses, what was not done, awkward names") {
  const std::vector<Row> rows = batsim(awkward_story().outcome());
  REQUIRE(rows.size() == 8);  // job 9 was never submitted
  CHECK(rows[1].at("job_id") == "two, \"2\"");
  CHECK(rows[2].at("job_id") == "line\nbreak");
  CHECK(rows[3].at("allocated_resources") == "1 3");
  CHECK(rows[3].at("requested_number_of_resources") == "2");
  CHECK(rows[3].at("requested_time") == "6");
  CHECK(rows[4].at("allocated_resources") == "4");
  CHECK(rows[4].at("requested_time") == "15");  // 30 op on a host of 2 op/s
  CHECK(rows[4].at("starting_time") == "6");
  CHECK(rows[4].at("execution_time") == "5");
  CHECK(rows[5].at("final_state") == "REJECTED");
  CHECK(rows[5].at("success") == "0");
  for (const char* empty : {"starting_time", "execution_time", "finish_time", "waiting_time",
                            "turnaround_time", "stretch", "allocated_resources"})
    CHECK(rows[5].at(empty).empty());
  CHECK(rows[6].at("final_state") == "RUNNING");
  CHECK(rows[6].at("starting_time") == "10");
  CHECK(rows[6].at("finish_time").empty());
  CHECK(rows[6].at("allocated_resources") == "0");
  CHECK(rows[7].at("final_state") == "SUBMITTED");
}

TEST_CASE("paje: containers, states and variables, by hand") {
  const Paje paje = read_paje(paje_trace(four_jobs_story().outcome()));
  CHECK(paje.parents == std::map<std::string, std::string>{{"platform platform", ""},
                                                           {"cluster a", "platform"},
                                                           {"host a.1", "a"},
                                                           {"core a.1 core 1", "a.1"},
                                                           {"core a.1 core 2", "a.1"},
                                                           {"host a.2", "a"},
                                                           {"core a.2 core 1", "a.2"}});
  CHECK(paje.states == std::multiset<std::string>{"a.2 core 1 work job 1 0 5", "a.1 core 1 work job 2 0 4",
                                                  "a.1 core 2 work job 2 0 4", "a.1 core 1 work job 3 4 10",
                                                  "a.2 core 1 work job 4 5 15"});
  CHECK(paje.variables.at("platform works in the system") ==
        std::vector<std::string>{"0 2", "3 3", "4 2", "5 2", "10 1", "15 0"});
}

TEST_CASE("paje: losses, absences, transfers, what is under way, awkward names") {
  const Paje paje = read_paje(paje_trace(awkward_story().outcome()));
  CHECK(paje.states == std::multiset<std::string>{
                           "a.1 core 1 work task 1 0 10", "a.1 core 2 work two, '2' 0 2",
                           "a.1 core 3 work line break 0 10", "a.1 core 2 work job 4 2 5",
                           "a.1 core 4 work job 4 2 5", "b.1 core 1 work task 5 2 4", "b.1 away outage 4 6",
                           "b.1 core 1 work task 5 6 11", "a.1 core 1 work task 7 10 12"});
  CHECK(paje.variables.at("b.link transfers") == std::vector<std::string>{"0 1", "2 0"});
  CHECK(paje.variables.at("platform works in the system") ==
        std::vector<std::string>{"0 8", "2 7", "3 6", "5 5", "10 3", "11 2"});
}

TEST_CASE("formats have names") {
  CHECK(format_named("paje") == Format::paje);
  CHECK(name_of(Format::batsim) == "batsim");
  try {
    format_named("batsm");
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(error.diagnostic().message ==
          "unknown format 'batsm'; did you mean 'batsim'? (there are batsim, paje, irmasim, petek, simgrid)");
  }
}

TEST_CASE("irmasim: what went in, and logs of jobs and states, by hand") {
  const Outcome outcome = four_jobs_story().outcome();
  const IrmasimPlatformFile platform = parse_irmasim_platform(irmasim_platform_json(outcome), "p.json");
  CHECK(platform.ignored.empty());
  const PlatformSpec spec = platform.platform.spec();
  REQUIRE(spec.clusters.size() == 1);
  REQUIRE(spec.clusters[0].hosts.size() == 2);
  CHECK(spec.clusters[0].hosts[0].cores == 2);
  CHECK(spec.clusters[0].hosts[1].speed == 2);
  const IrmasimWorkloadFile jobs = parse_irmasim_workload(irmasim_workload_json(outcome), "w.json");
  REQUIRE(jobs.jobs.size() == 4);
  CHECK(jobs.jobs[1].ntasks == 2);
  CHECK(jobs.jobs[3].req_time == 20);
  CHECK(jobs.jobs[3].submit_time == 5);
  const IrmasimOptions options = parse_irmasim_options(irmasim_options_json(outcome), "o.json").options;
  CHECK(options.workload_file == "workload.json");
  CHECK(options.seed == outcome.seed);
  CHECK(irmasim_lost(outcome) == std::vector<std::string>{"deadlines"});

  CHECK(irmasim_jobs_csv(outcome) ==
        "id,req_time,ntasks,mem,submit_time,start_time,finish_time,execution_time,operations,mem_vol,profile,"
        "resources\n"
        "job0,10,1,,0,0,5,5,10,,,a.2\n"
        "job1,4,2,,0,0,4,4,4,,,a.1\n"
        "job2,6,1,,3,4,10,6,6,,,a.1\n"
        "job3,20,1,,5,5,15,10,20,,,a.2\n");
  // The same with declarations of two of the jobs, and with the operations of IRMaSim's file: 4 are 10 at 2.5
  // of a cycle.
  Story story = four_jobs_story();
  auto scenario = std::make_shared<Scenario>(*story.scenario);
  auto workload = std::make_shared<Workload>(*scenario->workload);
  workload->needs.resize(4);
  workload->needs[1] = {1100, 19};
  workload->kept["irmasim.req_ops"].numbers = {Needs::kUndeclared, 10};
  workload->kept["irmasim.ipc"].numbers = {Needs::kUndeclared, 2.5};
  workload->kept["irmasim.profile"].texts = {"", "p, q"};
  workload->needs[2].memory = 0;
  scenario->workload = workload;
  story.scenario = scenario;
  const auto lines = parse_csv(irmasim_jobs_csv(story.outcome()));
  REQUIRE(lines.size() == 5);
  CHECK(lines[1] == std::vector<std::string>{"job0", "10", "1", "", "0", "0", "5", "5", "10", "", "", "a.2"});
  CHECK(lines[2] ==
        std::vector<std::string>{"job1", "4", "2", "1100", "0", "0", "4", "4", "10", "19", "p, q", "a.1"});
  CHECK(lines[3][3] == "0");
  const auto states = parse_csv(irmasim_states_csv(outcome));
  REQUIRE(states.size() == 7);  // at 0, 3, 4, 5, 10, 15
  CHECK(states[0].size() == 28);
  for (const auto& line : states) CHECK(line.size() == 28);
  using Line = std::vector<std::string>;
  const auto first = [&](std::size_t i) { return Line(states[i].begin(), states[i].begin() + 8); };
  CHECK(first(1) == Line{"0", "", "2", "0", "2", "0", "1", ""});
  CHECK(first(2) == Line{"3", "", "1", "1", "2", "0", "1", ""});
  CHECK(first(3) == Line{"4", "", "1", "0", "2", "1", format_number(2 / 3.0), ""});
  CHECK(first(4) == Line{"5", "", "0", "0", "2", "2", format_number(2 / 3.0), ""});
  CHECK(first(5) == Line{"10", "", "0", "0", "1", "3", format_number(1 / 3.0), ""});
  CHECK(first(6) == Line{"15", "", "0", "0", "0", "4", "0", ""});
  // Waiting times 0, 0, 1, 0: total, mean, largest, smallest.
  CHECK(Line(states[6].begin() + 20, states[6].begin() + 24) == Line{"1", "0.25", "1", "0"});
  // Run times over requested ones: 0.5, 1, 1, 0.5.
  CHECK(Line(states[6].begin() + 24, states[6].end()) == Line{"3", "0.75", "1", "0.5"});
  CHECK(Line(states[2].begin() + 20, states[2].begin() + 24) == Line{"0", "0", "", ""});
}
