// Runs written for SimGrid, read back by parsers that share nothing with the writer. All stories are told by hand; the
// comparison with SimGrid itself is tests/independent.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include "runtime/model/readers/simgrid.h"
#include "runtime/results/export.h"
#include "tests/support/folder.h"
#include "tests/support/layers.h"
#include "tests/support/scenarios.h"
#include "tests/support/toys.h"

using namespace perigee;
using namespace perigee::test;

namespace {

using nlohmann::json;

struct Files {
  std::map<std::string, std::string> texts;
  std::map<std::string, std::string>
      traces;  // "SPEED of n.1": its steps, "in 3" behind them where they repeat
  pugi::xml_document xml;
  json activities;

  explicit Files(const Outcome& outcome) {
    for (const NamedText& file : simgrid_files(outcome)) texts[file.name] = file.text;
    REQUIRE(xml.load_string(texts.at("simgrid_platform.xml").c_str()));
    std::map<std::string, std::string> steps;
    const pugi::xml_node zone = xml.child("platform").child("zone");
    for (const pugi::xml_node trace : zone.children("trace")) {
      std::string text = trace.child_value();
      for (char& c : text) c = c == '\n' ? ',' : c;
      if (trace.attribute("periodicity").as_double() > 0)
        text += std::string("in ") + trace.attribute("periodicity").value();
      steps[trace.attribute("id").value()] = text;
    }
    for (const pugi::xml_node each : zone.children("trace_connect"))
      traces[std::string(each.attribute("kind").value()) + " of " + each.attribute("element").value()] =
          steps.at(each.attribute("trace").value());
    activities = json::parse(texts.at("simgrid_activities.json")).at("activities");
  }
  // "id, speed, cores" of each host, or the attributes of each link.
  std::vector<std::string> all(const char* element) const {
    std::vector<std::string> found;
    for (const pugi::xml_node node : xml.child("platform").child("zone").children(element)) {
      std::string text;
      for (const pugi::xml_attribute each : node.attributes())
        text += (text.empty() ? "" : " ") + std::string(each.value());
      found.push_back(text);
    }
    return found;
  }
};

std::string simgrid_refused(const Outcome& outcome) {
  try {
    simgrid_files(outcome);
  } catch (const Error& error) {
    return error.diagnostic().code + ": " + error.diagnostic().message;
  }
  return "nothing";
}

ResourceId host_at(std::uint32_t h) { return ResourceId::of(HostId(h)); }

// Three hosts n.1 to n.3 of speed 2 with a set-up of 2 s, a job of 20 op on each of them, and n.2 away from 5 to 20.
Story wide_outage(OnFailure rule) {
  auto cluster = cluster_of({2, 2, 2}, "n");
  for (Host& host : cluster.hosts) host.setup = 2;
  auto workload = wide_jobs({{3}});
  workload->works[0].amount = 20;
  auto scenario = scenario_of(platform_of({cluster}), workload);
  scenario->compute_rule = rule;
  Story story(scenario);
  story.work(0, RecordKind::arrived, 0);
  return story.on(5, RecordKind::down, host_at(1), Reason::outage)
      .on(20, RecordKind::up, host_at(1), Reason::outage);
}

// A file of 200 B goes over a backbone and a gateway to c.1, is worked on there, and comes home with 50 B.
struct There {
  std::shared_ptr<Scenario> scenario;
  LinkId gateway, backbone;
};
There with_backbone(const Profile& bandwidth, const Profile& latency = Profile(1.0)) {
  PlatformSpec spec;
  spec.clusters = {with_link(cluster_of({1}), 100, 0.5, Sharing::unlimited)};
  spec.clusters[0].at = "hub";
  spec.routers = {"hub"};
  PlatformSpec::LinkSpec backbone;
  backbone.link.name = "backbone";
  backbone.link.bandwidth = bandwidth;
  backbone.link.latency = latency;
  backbone.link.sharing = Sharing::fair;
  backbone.from = "origin";
  backbone.to = "hub";
  spec.links = {backbone};
  auto workload = tasks_of({{10}});
  workload->files = {{"in", 200, 200}, {"out", 50, 50}};
  There there{scenario_of(std::make_shared<const Platform>(spec), workload), {}, {}};
  there.gateway = there.scenario->platform->link("c.link");
  there.backbone = there.scenario->platform->link("backbone");
  return there;
}

void send(Story& story, const There& there, std::uint32_t serial, std::uint32_t file, ActivityKind kind,
          double from, double to, RecordKind how = RecordKind::ended) {
  Record what;
  what.activity = serial;
  what.what = kind;
  what.file = FileId(file);
  what.size = there.scenario->workload->files[file].size;
  const std::vector<ResourceId> on{ResourceId::of(there.backbone), ResourceId::of(there.gateway)};
  story.activity(from, RecordKind::started, what, on).activity(to, how, what, on);
}

}  // namespace

TEST_CASE("simgrid: hosts, operations, and what a start waited for") {
  const Files files(four_jobs_story().outcome());
  CHECK(files.all("host") == std::vector<std::string>{"@origin 1f 1", "a.1 1f 2", "a.2 2f 1"});
  CHECK(files.all("link").empty());
  CHECK(files.traces.empty());
  REQUIRE(files.activities.size() == 4);
  CHECK(files.activities[0] == json::parse(R"({"id": 1, "work": "job 1", "kind": "compute",
    "start": {"at": 0.0}, "hosts": [{"host": "a.2", "cores": 1, "ops": 10.0}],
    "observed": {"start": 0.0, "end": 5.0, "how": "ended"}})"));
  CHECK(files.activities[1].at("hosts") == json::parse(R"([{"host": "a.1", "cores": 2, "ops": 4.0}])"));
  CHECK(files.activities[2].at("start") == json::parse(R"({"after": [2]})"));  // job 2 left its core at 4
  CHECK(files.activities[3].at("start") == json::parse(R"({"after": [1]})"));
  // Another program's reader, though ours: hosts as they were.
  const PlatformSpec spec = parse_simgrid(files.texts.at("simgrid_platform.xml"), "p.xml").spec;
  REQUIRE(spec.clusters.size() == 1);
  REQUIRE(spec.clusters[0].hosts.size() == 3);
  CHECK(spec.clusters[0].hosts[1].cores == 2);
  CHECK(spec.clusters[0].hosts[2].speed == 2);
}

TEST_CASE("simgrid: what stands still has next to no speed, and so has its clock") {
  Story story = wide_outage(OnFailure::resumed);
  const Files files(story.wide(1, 0, {0, 1, 2}, 0, 27).sort().outcome());
  CHECK(files.traces == std::map<std::string, std::string>{{"SPEED of n.2", ",0 1,5 1e-15,20 1,"},
                                                           {"SPEED of @clock n.2", ",0 1,5 1e-15,20 1,"}});
  CHECK(files.activities[0].at("setup") == 2);
  CHECK(files.activities[0].at("hosts")[2] ==
        json::parse(R"({"host": "n.3", "cores": 1, "ops": 20.0, "clock": "@clock n.3"})"));
  CHECK(!files.activities[0].contains("stop"));
}

TEST_CASE("simgrid: a host whose work is lost is off") {
  Story story = wide_outage(OnFailure::lost);
  story.wide(1, 0, {0, 1, 2}, 0, 5, 1, RecordKind::lost, Reason::outage).wide(2, 0, {0, 1, 2}, 20, 32);
  const Files files(story.sort().outcome());
  CHECK(files.traces == std::map<std::string, std::string>{{"HOST_AVAIL of n.2", ",0 1,5 0,20 1,"},
                                                           {"HOST_AVAIL of @clock n.2", ",0 1,5 0,20 1,"}});
  CHECK(files.activities[0].at("observed").at("how") == "lost");
  CHECK(!files.activities[0].contains("stop"));
  CHECK(files.activities[1].at("start") == json::parse(R"({"at": 20.0})"));
}

TEST_CASE("simgrid: who is not told stands still first, and is stopped then") {
  Story story = wide_outage(OnFailure::lost);
  story.wide(1, 0, {0, 1, 2}, 0, 20, 1, RecordKind::lost, Reason::outage);
  const Files files(story.sort().outcome());
  CHECK(files.traces.at("SPEED of n.2") == ",0 1,5 1e-15,20 1,");
  CHECK(files.traces.count("HOST_AVAIL of n.2") == 0);
  CHECK(files.activities[0].at("stop") == 20);
}

TEST_CASE("simgrid: what is under way at the end, and what a policy ends, is stopped") {
  Story story(scenario_of(platform_of({cluster_of({1, 1})}), tasks_of({{9}, {9}})));
  story.work(0, RecordKind::arrived, 0).work(0, RecordKind::arrived, 1);
  story.compute(1, 0, 0, 0, 4, RecordKind::cancelled).compute(2, 1, 1, 0, 7);
  story.records.pop_back();  // still going on
  story.end = 6;
  story.status = RunStatus::horizon;
  const Files files(story.sort().outcome());
  CHECK(files.activities[0].at("stop") == 4);
  CHECK(files.activities[1].at("stop") == 6);
  CHECK(files.activities[1].at("observed").at("how") == "running");
}

TEST_CASE("simgrid: profiles, loops, and changes with both") {
  auto cluster = cluster_of({1, 1, 1});
  cluster.hosts[0].availability = Profile::periodic({0, 2}, {1, 0.5}, 3);
  cluster.hosts[1].availability = Profile::periodic({0, 2}, {1, 0.5}, 3);
  cluster.hosts[2].availability = Profile::steps({0, 4}, {0.25, 0.1 + 0.2});
  auto scenario = scenario_of(platform_of({cluster}), tasks_of({{4}}));
  Happening change = happening(4, HappeningKind::change, host_at(1), Cause::change);
  change.factor = 2;
  scenario->happenings = {change};
  Story story(scenario);
  story.work(0, RecordKind::arrived, 0).compute(1, 0, 0, 0, 5);
  story.on(4, RecordKind::changed, host_at(1), Reason::change);
  story.end = 9;
  const Files files(story.sort().outcome());
  CHECK(files.traces ==
        std::map<std::string, std::string>{{"SPEED of c.1", ",0 1,2 0.5,in 3"},
                                           {"SPEED of c.2", ",0 1,2 0.5,3 1,4 2,5 1,6 2,8 1,"},
                                           {"SPEED of c.3", ",0 0.25,4 0.30000000000000004,"}});
}

// 4 op at 1 op/s until 1, at a quarter until 9, then, a change having doubled the speed, at half until 11.
TEST_CASE("simgrid: states of speed are a part of the speed") {
  auto cluster = cluster_of({1});
  PowerModel power;
  power.states = {{.idle = 1, .epsilon = 1, .busy = 2}, {.factor = 0.25, .idle = 1, .epsilon = 1, .busy = 2}};
  cluster.hosts[0].power = std::make_shared<const PowerModel>(power);
  auto scenario = scenario_of(platform_of({cluster}), tasks_of({{4}}));
  Happening change = happening(9, HappeningKind::change, host_at(0), Cause::change);
  change.factor = 2;
  scenario->happenings = {change};
  Simulation simulation(scenario,
                        toy([](Sim& sim, std::vector<double>&) { sim.timer(1); },
                            [](Sim& sim, std::span<const Event> events, std::vector<double>&) {
                              if (events[0].kind == EventKind::timer) sim.set_state(HostId(0), 1);
                              start_all(sim);
                            }),
                        perfect_estimator());
  simulation.run();
  const Outcome outcome = simulation.outcome();
  CHECK(outcome.end == 11);
  const Files files(outcome);
  CHECK(files.traces == std::map<std::string, std::string>{{"SPEED of c.1", ",0 1,1 0.25,9 0.5,"}});
  const std::vector<std::vector<std::string>> trace = parse_csv(trace_csv(outcome));
  const auto powered = std::ranges::find(trace, "powered", [](const auto& line) { return line[1]; });
  REQUIRE(powered != trace.end());
  CHECK((*powered)[3] == "0");  // on
  CHECK((*powered)[4] == "2");  // the second state
}

TEST_CASE("simgrid: files over several links, there and back") {
  const There there =
      with_backbone(Profile::steps({0, 3, 30}, {16, 0, 10}), Profile::steps({0, 5}, {1, 0.25}));
  Story story(there.scenario);
  story.work(0, RecordKind::arrived, 0);
  send(story, there, 1, 0, ActivityKind::transfer_in, 0, 4);
  story.compute(2, 0, 0, 4, 14);
  send(story, there, 3, 1, ActivityKind::transfer_out, 14, 20);
  story.end = 40;
  const Files files(story.sort().outcome());
  const std::string backbone = std::to_string(there.backbone.index + 1);
  CHECK(files.all("host") == std::vector<std::string>{"@origin 1f 1", "c.1 1f 1", "@route 1 1f 1"});
  CHECK(files.all("route") == std::vector<std::string>{"@origin @route 1 YES"});
  const auto links = files.all("link");
  REQUIRE(links.size() == 2);
  CHECK(std::count(links.begin(), links.end(), "c.link 100Bps 0.5s FATPIPE") == 1);
  CHECK(std::count(links.begin(), links.end(),
                   "backbone 16Bps 1s SHARED simgrid_link_" + backbone + "_bandwidth.txt simgrid_link_" +
                       backbone + "_latency.txt") == 1);
  CHECK(files.texts.at("simgrid_link_" + backbone + "_bandwidth.txt") == "0 16\n3 1.6e-14\n30 10\n");
  CHECK(files.texts.at("simgrid_link_" + backbone + "_latency.txt") == "0 1\n5 0.25\n");
  CHECK(files.activities[0].at("from") == "@origin");
  CHECK(files.activities[0].at("to") == "@route 1");
  CHECK(files.activities[0].at("bytes") == 200);
  CHECK(files.activities[0].at("file") == "in");
  CHECK(!files.activities[0].contains("work"));
  CHECK(files.activities[0].at("links") == json::parse(R"(["backbone", "c.link"])"));
  CHECK(files.activities[1].at("start") == json::parse(R"({"after": [1]})"));
  CHECK(files.activities[2].at("from") == "@route 1");
  CHECK(files.activities[2].at("bytes") == 50);
}

TEST_CASE("simgrid: awkward names and numbers come back") {
  auto workload = tasks_of({{0.1 + 0.2}});
  workload->names = {"a \"b\" <c>\n"};
  Story story(scenario_of(platform_of({cluster_of({1.0 / 3}, "x<&\"y")}), workload));
  story.work(0, RecordKind::arrived, 0).compute(1, 0, 0, 1e-7, 0.1);
  const Files files(story.sort().outcome());
  CHECK(files.activities[0].at("work") == "a \"b\" <c>\n");
  CHECK(files.activities[0].at("hosts")[0].at("host") == "x<&\"y.1");
  CHECK(files.activities[0].at("hosts")[0].at("ops") == 0.1 + 0.2);
  CHECK(files.activities[0].at("observed").at("start") == 1e-7);
  CHECK(files.all("host")[1] == "x<&\"y.1 0.3333333333333333f 1");
}

TEST_CASE("simgrid: what cannot be said") {
  SECTION("work begun anew on the same host") {
    Story story = wide_outage(OnFailure::restarted);
    CHECK(
        simgrid_refused(story.wide(1, 0, {0, 1, 2}, 0, 32).sort().outcome()) ==
        "not_simgrid: this run cannot be written for SimGrid: work on 'n.2' is begun anew after its absence "
        "from t = 5 on");
  }
  SECTION("a latency that stands still") {
    const There there = with_backbone(Profile(20.0));
    there.scenario->transfer_rule = OnFailure::resumed;
    Story story(there.scenario);
    story.work(0, RecordKind::arrived, 0);
    send(story, there, 1, 0, ActivityKind::transfer_in, 0, 20);
    story.on(1, RecordKind::down, ResourceId::of(there.backbone), Reason::outage);
    story.on(9, RecordKind::up, ResourceId::of(there.backbone), Reason::outage);
    CHECK(
        simgrid_refused(story.sort().outcome()) ==
        "not_simgrid: this run cannot be written for SimGrid: a latency stands still while 'backbone' is away from "
        "t = 1 on");
    // 1.5 s of latency are over by then.
    for (Record& record : story.records)
      if (record.kind == RecordKind::down) record.time = 2;
    CHECK(simgrid_refused(story.outcome()) == "nothing");
  }
  SECTION("dumps of jobs") {
    Story story = wide_outage(OnFailure::lost);
    auto workload = std::make_shared<Workload>(*story.scenario->workload);
    workload->extras[0].shape.checkpoints = true;
    auto scenario = std::make_shared<Scenario>(*story.scenario);
    scenario->workload = workload;
    story.scenario = scenario;
    CHECK(simgrid_refused(story.wide(1, 0, {0, 1, 2}, 20, 32).sort().outcome()) ==
          "not_simgrid: this run cannot be written for SimGrid: job 1 writes checkpoints");
  }
  SECTION("names that are ours") {
    Story story(scenario_of(platform_of({cluster_of({1}, "@c")}), tasks_of({{1}})));
    CHECK(simgrid_refused(story.work(0, RecordKind::arrived, 0).outcome()) ==
          "not_simgrid: this run cannot be written for SimGrid: '@c.1' begins with @");
  }
  SECTION("a change that nobody declared") {
    Story story = four_jobs_story();
    story.on(3, RecordKind::changed, host_at(0), Reason::change);
    CHECK(simgrid_refused(story.sort().outcome()) ==
          "not_simgrid: this run cannot be written for SimGrid: the scenario does not say how 'a.1' changed");
  }
  SECTION("a trace that was not kept") {
    Story story = four_jobs_story();
    story.level = TraceLevel::work;
    CHECK(simgrid_refused(story.outcome()).starts_with("not_measured: "));
  }
}

TEST_CASE("simgrid: the files are saved, listed and replaced, and nothing is left of a refusal") {
  const Folder folder;
  const There there = with_backbone(Profile::steps({0, 3}, {20, 10}));
  Story story(there.scenario);
  story.work(0, RecordKind::arrived, 0);
  send(story, there, 1, 0, ActivityKind::transfer_in, 0, 14);
  story.compute(2, 0, 0, 14, 24);
  story.sort();
  const Saving saving{.also = {Format::simgrid}, .only = {RunFile::metrics}};
  for (int time = 0; time < 2; ++time)
    CHECK(save(story.outcome(), folder.path / "run", json(), saving).empty());
  std::vector<std::string> there_now;
  for (const auto& file : std::filesystem::directory_iterator(folder.path / "run"))
    there_now.push_back(file.path().filename().string());
  std::sort(there_now.begin(), there_now.end());
  const std::string bandwidth = "simgrid_link_" + std::to_string(there.backbone.index + 1) + "_bandwidth.txt";
  CHECK(there_now == std::vector<std::string>{"manifest.json", "metrics.json", "simgrid_activities.json",
                                              bandwidth, "simgrid_platform.xml"});
  Story other = wide_outage(OnFailure::restarted);
  CHECK_THROWS_AS(
      save(other.wide(1, 0, {0, 1, 2}, 0, 32).sort().outcome(), folder.path / "other", json(), saving),
      Error);
  CHECK(!std::filesystem::exists(folder.path / "other"));
}

TEST_CASE("simgrid: what has no times of its own is left out, and said") {
  Story story = four_jobs_story();
  Record think;
  think.activity = 9;
  think.what = ActivityKind::think;
  story.activity(1, RecordKind::started, think, {ResourceId(ResourceKind::scheduler, 0)})
      .activity(2, RecordKind::ended, think, {ResourceId(ResourceKind::scheduler, 0)});
  const Outcome outcome = story.sort().outcome();
  CHECK(Files(outcome).activities.size() == 4);
  CHECK(simgrid_lost(outcome) == std::vector<std::string>{"scheduling time (1)"});
}
