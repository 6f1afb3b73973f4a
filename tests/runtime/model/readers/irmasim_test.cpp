#include "runtime/model/readers/irmasim.h"

#include <unistd.h>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "runtime/kernel/error.h"
#include "tests/runtime/model/readers/irmasim_faults.h"
#include "tests/support/faults.h"
#include "tests/support/layers.h"
#include "tests/support/mutate.h"

using namespace perigee;
using namespace perigee::test;
using namespace std::string_view_literals;

namespace {

std::string platform_fault(std::string_view text, std::string_view name = {}) {
  return fault_line([&] { parse_irmasim_platform(text, "p.json", name); });
}
std::string options_fault(std::string_view text, std::vector<std::string_view> managers = {}) {
  return fault_line([&] { parse_irmasim_options(text, "o.json", managers); });
}

// IRMaSim's own example of a platform, and more.
const std::string kPlatforms = R"({
  "platform": {
    "one": { "id": "One", "model_name": "modelV1",
             "clusters": [ { "id": "c0", "nodes": [ { "type": "nA", "number": 6 } ] } ] },
    "two": { "clusters": [ { "nodes": [ { "type": "nA" }, { "type": "nB", "id": "big" }, { "type": "nA", "number": 2 } ] },
                           { "id": "last", "nodes": [ { "type": "nB" } ] } ] },
    "none": { "clusters": [ { "id": "c", "nodes": [] } ] },
    "zero": { "clusters": [ { "id": "c", "nodes": [ { "type": "nA", "number": 0 } ] } ] },
    "mixed": { "clusters": [ { "id": "c", "nodes": [ { "type": "nMixed" } ] } ] },
    "lost": { "clusters": [ { "id": "c", "nodes": [ { "type": "nAA" } ] } ] },
    "lost2": { "clusters": [ { "id": "c", "nodes": [ { "type": "nLost" } ] } ] },
    "same": { "clusters": [ { "id": "c", "nodes": [ { "type": "nA", "id": "x" }, { "type": "nA", "id": "x" } ] } ] },
    "same2": { "clusters": [ { "id": "c", "nodes": [ { "type": "nA", "id": "x", "number": 2 } ] } ] },
    "same3": { "clusters": [ { "id": "c", "nodes": [] }, { "id": "c", "nodes": [] } ] },
    "huge": { "clusters": [ { "id": "c", "nodes": [ { "type": "nA", "number": 2000000 } ] } ] }
  },
  "node": {
    "nA": { "id": "nA", "processors": [ { "type": "pA", "number": 1 } ] },
    "nB": { "processors": [ { "type": "pB" }, { "type": "pB", "number": 2 } ], "memory": { "capacity": 32 } },
    "nMixed": { "processors": [ { "type": "pA" }, { "type": "pB" } ] },
    "nLost": { "processors": [ { "type": "pZ" } ] }
  },
  "processor": {
    "pA": { "id": "pA", "type": "CPU", "cores": 4, "clock_rate": 2.5, "dpflops_per_cycle": 1, "power": 100 },
    "pB": { "type": "CPU", "cores": 2, "clock_rate": 1.5, "flops_per_cycle": 4, "power": 90, "llc_size": 8,
            "static_power": 5, "dynamic_power": 4, "min_power": 0.05 }
  }
})";

// The fault of a platform with a processor of these fields.
std::string processor_fault(const std::string& fields) {
  return platform_fault(R"({"platform": {"p": {"clusters": [{"id": "c", "nodes": [{"type": "n"}]}]}},
"node": {"n": {"processors": [{"type": "q"}]}},
"processor": {"q": {)" + fields +
                        "}}}");
}

Sliding<Work> works(const std::string& json, const Platform& platform,
                    const IrmasimTrajectory& trajectory = {}) {
  return irmasim_workload(parse_irmasim_workload(json, "w.json").jobs, platform, trajectory).works;
}

}  // namespace

TEST_CASE("irmasim: platforms") {
  const IrmasimPlatformFile one = parse_irmasim_platform(kPlatforms, "p.json", "one");
  CHECK(one.platform.id == "One");
  CHECK(one.platform.model_name == "modelV1");
  const Platform platform(one.platform.spec());
  REQUIRE(platform.hosts().size() == 6);
  CHECK(platform.hosts()[0].name == "c0.node0");
  CHECK(platform.hosts()[5].name == "c0.node5");
  CHECK(platform.hosts()[5].cores == 4);
  CHECK(platform.hosts()[5].speed == 2.5e9);
  CHECK(texts(one.ignored) ==
        std::vector<std::string>{"field 'power' is ignored (first at $.processor.pA.power)"});

  // 1.5 GHz * 4 = 6e9 op/s; 3 processors of 2 cores.
  const IrmasimPlatformFile two = parse_irmasim_platform(kPlatforms, "p.json", "two");
  const Platform mixed(two.platform.spec());
  std::vector<std::string> names;
  for (const Host& host : mixed.hosts()) names.push_back(host.name);
  CHECK(names == std::vector<std::string>{"cluster0.node0", "cluster0.big", "cluster0.node2",
                                          "cluster0.node3", "last.node0"});
  CHECK(mixed.hosts()[1].cores == 6);
  CHECK(mixed.hosts()[1].speed == 6e9);
  CHECK(mixed.hosts()[0].architecture == 0);
  CHECK(mixed.hosts()[4].architecture == 1);
  CHECK(texts(two.ignored) ==
        std::vector<std::string>{"field 'power' is ignored (first at $.processor.pA.power, 2 times)",
                                 "field 'llc_size' is ignored (first at $.processor.pB.llc_size)"});
}

TEST_CASE("irmasim: what nodes draw, and their memory") {
  const IrmasimPlatformFile two = parse_irmasim_platform(kPlatforms, "p.json", "two");
  const Platform platform(two.platform.spec());
  CHECK(platform.hosts()[0].power == nullptr);
  CHECK(platform.hosts()[0].supply == nullptr);
  // Six cores of 5 W, and 4 W more of each busy one; a twentieth of the 5 W while all are idle.
  REQUIRE(platform.hosts()[1].power != nullptr);
  const SpeedState& state = platform.hosts()[1].power->states.at(0);
  CHECK(state.idle == 1.5);
  CHECK(state.epsilon == 30);
  CHECK(state.busy == 54);
  CHECK(platform.memory(HostId(1)) == 32e9);
  CHECK(platform.hosts()[4].power == platform.hosts()[1].power);

  const std::string cpu = "\"cores\": 1, \"clock_rate\": 1, \"flops_per_cycle\": 1, ";
  CHECK(processor_fault(cpu + "\"static_power\": 1, \"min_power\": 0.5") ==
        "missing_field p.json:3: column 20: $.processor.q: 'dynamic_power' is missing (E_FIELD)");
  CHECK(
      processor_fault(cpu + "\"dynamic_power\": -1, \"static_power\": 1, \"min_power\": 0.5") ==
      "out_of_range p.json:3: column 89: $.processor.q.dynamic_power: must be a number, 0 to 1000000000 W, got "
      "-1 (E_RANGE)");
  CHECK(processor_fault(cpu + "\"dynamic_power\": 1, \"static_power\": 1, \"min_power\": 1.5")
            .find("$.processor.q.min_power: must be a number, 0 to 1, got 1.5 (E_RANGE)") !=
        std::string::npos);
  const auto memory_fault = [](const std::string& memory) {
    return platform_fault(R"({"platform": {"p": {"clusters": [{"id": "c", "nodes": [{"type": "n"}]}]}},
"node": {"n": {"processors": [{"type": "q"}], "memory": )" +
                          memory + R"(}},
"processor": {"q": {"cores": 1, "clock_rate": 1, "flops_per_cycle": 1}}})");
  };
  CHECK(memory_fault("{\"capacity\": 0}").empty());
  CHECK(memory_fault("{\"type\": \"DDR3\"}").find("$.node.n.memory: 'capacity' is missing (E_FIELD)") !=
        std::string::npos);
  CHECK(memory_fault("{\"capacity\": -1}")
            .find("$.node.n.memory.capacity: must be a number, 0 to 9000000 GB, got -1 (E_RANGE)") !=
        std::string::npos);
  CHECK(memory_fault("32").find("bad_json") == 0);

  // Hosts of a scenario as nodes of one processor.
  PlatformSpec spec = two.platform.spec();
  PowerModel more = *platform.hosts()[1].power;
  more.off = 1;
  spec.clusters[0].hosts[1].power = std::make_shared<const PowerModel>(more);
  std::vector<std::string> lost;
  const IrmasimPlatform written = irmasim_platform(Platform(spec), "again", &lost);
  CHECK(lost == std::vector<std::string>{"states of speed and powers of hosts that are off or away"});
  const IrmasimPlatform again = parse_irmasim_platform(write_irmasim(written), "again.json").platform;
  CHECK(again == written);
  const Platform as_before(again.spec());
  CHECK(as_before.hosts()[0].power == nullptr);
  CHECK(as_before.hosts()[1].power->states[0].idle == Approx(1.5));
  CHECK(as_before.hosts()[1].power->states[0].epsilon == 30);
  CHECK(as_before.hosts()[1].power->states[0].busy == 54);
  CHECK(as_before.memory(HostId(1)) == 32e9);
}

TEST_CASE("irmasim: errors of platforms") {
  CHECK(platform_fault("").find("bad_file p.json: the file is empty") == 0);
  CHECK(platform_fault("{\n \"platform\": {,}\n}") ==
        "bad_json p.json:2: column 15: syntax error while parsing object key - unexpected ','; expected "
        "string literal "
        "(E_JSON)");
  CHECK(platform_fault("[1, 2]") ==
        "bad_json p.json:1: column 1: $: must be an object, got an array (E_JSON)");
  CHECK(platform_fault("{\"platform\": 7}") ==
        "bad_json p.json:1: column 14: $.platform: must be an object, got 7 (E_JSON)");
  CHECK(platform_fault("{\"a\": 1,\n \"a\": 2}") ==
        "bad_json p.json:2: column 2: the key \"a\" is there twice in one object (E_JSON)");
  CHECK(platform_fault("{\"a\": 1,\n \"\\u0061\": 2}") ==
        "bad_json p.json:2: column 2: the key 'a' is there twice in one object (E_JSON)");
  CHECK(platform_fault("{}\n\0{\"\t\": }"sv) ==
        "bad_json p.json:2: column 1: a byte 0 is no part of JSON (E_JSON)");
  CHECK(platform_fault("{\"a\": 1e999}") ==
        "out_of_range p.json:1: column 7: the number 1e999 is too large (E_RANGE)");
  CHECK(platform_fault("{}") == "missing_field p.json:1: column 1: $: 'platform' is missing (E_FIELD)");
  CHECK(platform_fault(kPlatforms, "tow")
            .find("unknown_reference p.json:2: column 15: $.platform: unknown platform 'tow'; did you mean "
                  "'two'?") == 0);
  CHECK(platform_fault(kPlatforms)
            .find("unknown_reference p.json:2: column 15: $.platform: there are 11 platforms: huge,") == 0);
  CHECK(platform_fault("{\"platform\": {}}") ==
        "unknown_reference p.json:1: column 14: $.platform: there are 0 platforms; one has to be named "
        "(E_REF)");
  for (const char* name : {"none", "zero"})
    CHECK(platform_fault(kPlatforms, name)
              .find("$.platform." + std::string(name) + ".clusters: there is no node (E_EMPTY)") !=
          std::string::npos);
  CHECK(platform_fault(kPlatforms, "none").find("empty_platform p.json:7: ") == 0);
  CHECK(platform_fault(kPlatforms, "mixed") ==
        "not_homogeneous p.json:20: column 61: $.node.nMixed.processors[1].type: the processors of a node "
        "must be of one "
        "type, got 'pA' and 'pB' (E_HOMOGENEOUS)");
  CHECK(platform_fault(kPlatforms, "lost") ==
        "unknown_reference p.json:10: column 63: $.platform.lost.clusters[0].nodes[0].type: there is no node "
        "type 'nAA'; "
        "did you mean 'nA'? (E_REF)");
  CHECK(platform_fault(kPlatforms, "lost2")
            .find("$.node.nLost.processors[0].type: there is no processor type 'pZ'") != std::string::npos);
  CHECK(platform_fault(kPlatforms, "same")
            .find("duplicate_id p.json:12: column 104: $.platform.same.clusters[0].nodes[1].id: "
                  "there are two nodes 'x' in cluster 'c' (E_ID)") == 0);
  CHECK(platform_fault(kPlatforms, "same2").find("with a number, leave the id out (E_ID)") !=
        std::string::npos);
  CHECK(platform_fault(kPlatforms, "same3")
            .find("$.platform.same3.clusters[1].id: there are two clusters 'c' (E_ID)") != std::string::npos);
  CHECK(platform_fault(kPlatforms, "huge").find("out_of_range") == 0);

  CHECK(processor_fault("\"cores\": 1, \"clock_rate\": 1, \"flops_per_cycle\": 1").empty());
  CHECK(processor_fault("\"cores\": 1, \"clock_rate\": 1, \"flops_per_cycle\": 1, \"dpflops_per_cycle\": 1.0")
            .empty());
  CHECK(
      processor_fault("\"cores\": 1, \"clock_rate\": 1, \"flops_per_cycle\": 1, \"dpflops_per_cycle\": 2") ==
      "conflicting_fields p.json:3: column 93: $.processor.q.dpflops_per_cycle: dpflops_per_cycle is another "
      "spelling of "
      "flops_per_cycle, but they are 2 and 1 (E_FIELD)");
  CHECK(processor_fault("\"clock_rate\": 1, \"flops_per_cycle\": 1") ==
        "missing_field p.json:3: column 20: $.processor.q: 'cores' is missing (E_FIELD)");
  CHECK(processor_fault("\"cores\": 1, \"clock_rate\": 1")
            .find("$.processor.q: 'flops_per_cycle' (or 'dpflops_per_cycle') is missing") !=
        std::string::npos);
  const auto range = [&](const std::string& fields, const std::string& message) {
    const std::string error = processor_fault(fields);
    CHECK(error.find("out_of_range p.json:3: ") == 0);
    CHECK(error.find("$.processor.q." + message + " (E_RANGE)") != std::string::npos);
  };
  range("\"cores\": 0, \"clock_rate\": 1, \"flops_per_cycle\": 1",
        "cores: must be a whole number, 1 to 2147483647, got 0");
  range("\"cores\": 1.5, \"clock_rate\": 1, \"flops_per_cycle\": 1",
        "cores: must be a whole number, 1 to 2147483647, got 1.5");
  range("\"cores\": 1, \"clock_rate\": 0, \"flops_per_cycle\": 1", "clock_rate: must be > 0 GHz, got 0");
  range("\"cores\": 1, \"clock_rate\": 1, \"flops_per_cycle\": -1",
        "flops_per_cycle: must be > 0 operations, got -1");
  range("\"cores\": 1, \"clock_rate\": 1e300, \"flops_per_cycle\": 1",
        "clock_rate: clock_rate * 1e9 * flops_per_cycle must be finite and > 0, got inf");
  CHECK(processor_fault("\"cores\": \"1\", \"clock_rate\": 1, \"flops_per_cycle\": 1")
            .find("$.processor.q.cores: must be a number, got '1' (E_JSON)") != std::string::npos);
}

// run = ceil(req_ops / opc) / rate; without req_ops it is req_time / speed-up. The declared time is req_time
// / speed-up.
TEST_CASE("irmasim: run times on each node") {
  const Platform platform(parse_irmasim_platform(kPlatforms, "p.json", "two").platform.spec());
  // Rates 2.5e9 (slowest) and 6e9: speed-ups 1 and 2.4.
  const std::string json =
      R"({"jobs": [ {"subtime": 1, "res": 2, "req_time": 12, "req_ops": 45000000001, "ipc": 3},
                                         {"subtime": 5, "res": 1, "req_time": 12},
                                         {"subtime": 9, "res": 99, "req_time": 1, "req_ops": 1e10} ]})";
  const Workload workload = irmasim_workload(parse_irmasim_workload(json, "w.json").jobs, platform);
  workload.check(platform);
  const auto time = [&](auto function, std::uint32_t job, std::uint32_t node) {
    return function(workload, Piece{WorkId(job)}, platform.hosts()[node], HostId(node),
                    platform.hosts()[node].architecture);
  };
  CHECK(time(true_time, 0, 0) == 15000000001 / 2.5e9);
  CHECK(time(true_time, 0, 1) == 15000000001 / 6e9);
  CHECK(time(declared_time, 0, 0) == 12);
  CHECK(time(declared_time, 0, 1) == Approx(5).epsilon(1e-15));
  CHECK(time(true_time, 1, 0) == 12);
  CHECK(time(true_time, 1, 1) == time(declared_time, 1, 1));
  CHECK(workload.works[2].cores == 99);  // too wide: rejected at submission, no error here
  CHECK(workload.names == std::vector<std::string>{"job0", "job1", "job2"});
  CHECK(workload.works[0].arrival == 1);

  IrmasimTrajectory part{.origin = 1, .length = 1};
  REQUIRE(works(json, platform, part).size() == 1);
  CHECK(works(json, platform, part)[0].arrival == 0);
  part = {.origin = 1};
  CHECK(works(json, platform, part)[1].arrival == 4);
  part = {.enforce_req_time = true};
  CHECK(works(json, platform, part)[2].amount == 2.5e9);
  CHECK(fault_line([&] { works(json, platform, {.origin = 3}); }) ==
        "out_of_range trajectory_origin must be below the number of jobs, 3, got 3 (E_RANGE)");
  CHECK(fault_line([&] { works(json, platform, {.origin = 1, .length = 3}); }) ==
        "out_of_range trajectory_length must be at most 2 (jobs from number 1 on), got 3 (E_RANGE)");
  CHECK(fault_line([&] { works(json, Platform()); }) == "empty_platform the platform has no node (E_EMPTY)");
  CHECK(fault_line([&] {
          works(R"({"jobs": [{"subtime": 0, "res": 1, "req_time": 1e305}]})", platform);
        }).find("out_of_range") == 0);
}

TEST_CASE("irmasim: what is written reads back the same") {
  for (const char* name : {"one", "two"}) {
    const IrmasimPlatform platform = parse_irmasim_platform(kPlatforms, "p.json", name).platform;
    const IrmasimPlatformFile again = parse_irmasim_platform(write_irmasim(platform), "again.json");
    CHECK(again.platform == platform);
    CHECK(again.ignored.empty());
  }
  std::mt19937_64 random(3);
  const auto uniform = [&](double from, double to) {
    return from + (to - from) * static_cast<double>(random() >> 11) * 0x1p-53;
  };
  std::vector<IrmasimJob> jobs;
  for (int j = 0; j < 300; ++j) {
    IrmasimJob job{"j \"" + std::to_string(j) + "\"\t\xc3\xa9", uniform(0, 1e6), 1 + j % 7,
                   uniform(1e-3, 1e5)};
    if (j % 2 == 0) job.req_ops = std::floor(uniform(0, 1e15));
    if (j % 3 == 0) job.opc = uniform(0.1, 3);
    if (j % 5 == 0) job.mem = 50;
    if (j % 5 == 1) job.mem_vol = 1.5, job.req_energy = 3;
    if (j % 5 == 2) job.profile = "p" + std::to_string(j % 3);
    jobs.push_back(job);
  }
  const IrmasimWorkloadFile read = parse_irmasim_workload(write_irmasim(jobs), "again.json");
  CHECK(read.jobs == jobs);
  CHECK(read.ignored.empty());

  // A round trip from perigee's own values.
  PlatformSpec spec;
  for (int c = 0; c < 3; ++c) {
    spec.clusters.push_back({.name = "c" + std::to_string(c), .hosts = {}});
    for (int h = 0; h < 4; ++h) {
      Host host;
      host.name = h % 2 == 0 ? "c" + std::to_string(c) + ".node" + std::to_string(h)
                             : "own" + std::to_string(c * 4 + h);
      host.cores = 1 + h % 3;
      host.speed = c == 0 ? 1 : uniform(1, 1e12);
      spec.clusters.back().hosts.push_back(host);
    }
  }
  const Platform platform(spec);
  std::vector<std::string> lost;
  const IrmasimPlatform written = irmasim_platform(platform, "mine", &lost);
  CHECK(lost.empty());
  const Platform again(parse_irmasim_platform(write_irmasim(written), "p.json", "mine").platform.spec());
  REQUIRE(again.hosts().size() == platform.hosts().size());
  for (std::size_t h = 0; h < again.hosts().size(); ++h) {
    CHECK(again.hosts()[h].speed == platform.hosts()[h].speed);
    CHECK(again.hosts()[h].cores == platform.hosts()[h].cores);
  }
  CHECK(again.hosts()[0].name == "c0.node0");
  CHECK(again.hosts()[1].name == "c0.own1");

  const Workload workload = irmasim_workload(jobs, platform);
  const std::vector<IrmasimJob> back =
      parse_irmasim_workload(write_irmasim(irmasim_jobs(workload, platform, &lost)), "w.json").jobs;
  CHECK(lost.empty());
  REQUIRE(back.size() == jobs.size());
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    IrmasimJob expected = jobs[j];
    expected.req_time = back[j].req_time;  // but for the last bits of req_time, see below
    CHECK(back[j] == expected);
    CHECK(back[j].req_time == Approx(jobs[j].req_time).epsilon(1e-15));
  }
  const Workload twice = irmasim_workload(back, platform);
  REQUIRE(twice.size() == workload.size());
  for (std::size_t w = 0; w < twice.size(); ++w) {
    CHECK(twice.works[w].estimate == workload.works[w].estimate);
    CHECK(twice.works[w].amount == workload.works[w].amount);
    CHECK(twice.works[w].arrival == workload.works[w].arrival);
    CHECK(twice.works[w].cores == workload.works[w].cores);
  }
  CHECK(twice.names == workload.names);
  Workload other = workload;
  other.works[0].form = TimeForm::seconds;
  CHECK(fault_line([&] { irmasim_jobs(other, platform); }).find("not_irmasim") == 0);
  other = workload;
  other.works[0].kind = WorkKind::sweep;
  CHECK(fault_line([&] { irmasim_jobs(other, platform); }).find("the format has jobs only, got a sweep") !=
        std::string::npos);
  // When the amount has changed, the operations declared for the file no longer hold.
  other = workload;
  other.works[0].amount = 77;
  CHECK(irmasim_jobs(other, platform)[0].req_ops == 77.0);
  CHECK(irmasim_jobs(other, platform)[0].opc == 1);
  other = workload;
  other.works[0].deadline = 5;
  irmasim_jobs(other, platform, &lost);
  CHECK(lost == std::vector<std::string>{"deadlines"});
}

TEST_CASE("irmasim: options that are no object") {
  CHECK(options_fault("\"\"") == "bad_json o.json:1: column 1: $: must be an object, got '' (E_JSON)");
  CHECK(options_fault("{\"workload_manager\": \"\"}") ==
        "bad_json o.json:1: column 22: $.workload_manager: must be an object, got '' (E_JSON)");
  CHECK(options_fault("{\"workload_manager\": {\"type\": \"\"}}") ==
        "unknown_scheduler o.json:1: column 31: $.workload_manager.type: unknown workload manager '' "
        "(E_MANAGER)");
}

TEST_CASE("irmasim: no nodes of a type") {
  const auto read = [](std::string_view text) { return parse_irmasim_platform(text, "p.json").platform; };
  const auto platform = read(R"({
    "platform": { "p": { "clusters": [ { "nodes": [ { "type": "a", "number": 0 }, { "type": "b" } ] } ] } },
    "node": { "a": { "processors": [ { "type": "q" } ] }, "b": { "processors": [ { "type": "q" } ] } },
    "processor": { "q": { "cores": 2, "clock_rate": 1, "dpflops_per_cycle": 1 } } })");
  REQUIRE(platform.nodes.size() == 1);
  CHECK(platform.node_types[platform.nodes[0].type].name == "b");
  CHECK(read(write_irmasim(platform)) == platform);
}

TEST_CASE("irmasim: options") {
  const IrmasimOptionsFile file = parse_irmasim_options(R"({ "seed": 1995, "workload_file": "w.json",
    "platform_file": "p.json", "platform_name": "one", "trajectory_origin": 3, "trajectory_length": 500,
    "output_dir": "out", "debug": true,
    "workload_manager": { "type": "Heuristic", "job_selection": "low_mem_ops", "resource_selection": "high_core", "x": 1 } })",
                                                        "o.json");
  IrmasimOptions options;
  options.seed = 1995;
  options.workload_file = "w.json";
  options.platform_file = "p.json";
  options.platform_name = "one";
  options.trajectory_origin = 3;
  options.trajectory_length = 500;
  options.output_dir = "out";
  options.workload_manager.type = "Heuristic";
  options.workload_manager.job_selection = "low_mem_bw";
  options.workload_manager.resource_selection = "high_cores";
  CHECK(file.options == options);
  CHECK(texts(file.ignored) ==
        std::vector<std::string>{"field 'debug' is ignored (first at $.debug)",
                                 "field 'x' is ignored (first at $.workload_manager.x)"});
  CHECK(parse_irmasim_options(write_irmasim(options), "o.json").options == options);
  CHECK(parse_irmasim_options("{}", "o.json").options == IrmasimOptions{});
  IrmasimOptions other =
      parse_irmasim_options(
          R"({"enforce_req_time": true, "workload_manager": {"type": "kpb", "k": 20.5, "b": true, "s": "x"}})",
          "o.json")
          .options;
  CHECK(other.workload_manager.others.size() == 3);
  CHECK(parse_irmasim_options(write_irmasim(other), "o.json").options == other);
  other = parse_irmasim_options(
              R"({"workload_manager": {"type": "AStar", "max_tree_nodes": 128, "job_order": "random"}})",
              "o.json")
              .options;
  CHECK(other.workload_manager.max_tree_nodes == 128);
  CHECK(parse_irmasim_options(write_irmasim(other), "o.json").options == other);
  other = parse_irmasim_options(R"({"workload_manager": {"type": "Duplex", "scheduling_option": "max_min"}})",
                                "o.json")
              .options;
  CHECK(parse_irmasim_options(write_irmasim(other), "o.json").options == other);

  CHECK(options_fault("{\"seed\": -1}") ==
        "out_of_range o.json:1: column 10: $.seed: must be a whole number, 0 to 9007199254740992, got -1 "
        "(E_RANGE)");
  CHECK(options_fault("{\"seed\": \"1\"}") ==
        "bad_json o.json:1: column 10: $.seed: must be a number, got '1' (E_JSON)");
  CHECK(options_fault("{\"trajectory_origin\": \"random\"}").find("must be a number, got 'random'") !=
        std::string::npos);
  CHECK(options_fault("{\"workload_manager\": {}}").find("$.workload_manager: 'type' is missing (E_FIELD)") !=
        std::string::npos);
  CHECK(options_fault("{\"workload_manager\": {\"type\": \"Minimum\"}}", {"mct", "olb"}) ==
        "unknown_scheduler o.json:1: column 31: $.workload_manager.type: unknown workload manager 'Minimum'; "
        "did you mean "
        "'Minimal'? (E_MANAGER)");
  CHECK(options_fault("{\"workload_manager\": {\"type\": \"mct\"}}", {"mct", "olb"}).empty());
  const auto manager = [&](const std::string& fields) {
    return options_fault("{\"workload_manager\": {" + fields + "}}");
  };
  CHECK(manager("\"type\": \"Heuristic\", \"job_selection\": \"shortes\"")
            .find("bad_parameter o.json:1: column 61: ") == 0);
  CHECK(
      manager("\"type\": \"Heuristic\", \"resource_selection\": \"high_mem_bw\"") ==
      "bad_parameter o.json:1: column 66: $.workload_manager.resource_selection: 'high_mem_bw' needs the memory "
      "bandwidth of nodes, which is not modelled; there are random, first, high_gflops, high_cores, low_cores, "
      "high_mem, low_power (E_POLICY)");
  for (const std::string node : {"high_mem", "low_power", "high_core"})
    CHECK(manager("\"type\": \"Heuristic\", \"resource_selection\": \"" + node + "\"").empty());
  for (const std::string job : {"low_mem", "low_mem_bw", "low_mem_ops"})
    CHECK(manager("\"type\": \"Heuristic\", \"job_selection\": \"" + job + "\"").empty());
  CHECK(manager("\"type\": \"Duplex\", \"scheduling_option\": \"minmin\"") ==
        "bad_parameter o.json:1: column 62: $.workload_manager.scheduling_option: must be one of duplex, "
        "min_min, max_min, got "
        "'minmin'; did you mean 'min_min'? (E_OPTION)");
  for (const char* value : {"1", "-2", "2.5"})
    CHECK(manager("\"type\": \"AStar\", \"max_tree_nodes\": " + std::string(value)).find("bad_parameter") ==
          0);
}

TEST_CASE("irmasim: mutated files give a value or an error, never anything else") {
  const std::string jobs =
      R"({"jobs": [{"id": "a", "subtime": 1, "ntasks": 2, "req_time": 10, "req_ops": 7, "ipc": 2},
    {"submit_time": 2, "res": 3, "profile": "p", "color": [1, {"x": null}]}], "profiles": {"p": {"req_time": 2e1}}})";
  const std::string csv = "id,subtime,res,req_time,req_ops,opc,color\na,1,2,10,7,2,red\n,2,1,5,,,\n";
  const std::string options = R"({"seed": 3, "workload_file": "w", "trajectory_length": 1,
    "workload_manager": {"type": "AStar", "max_tree_nodes": 128, "job_order": "random"}})";
  const std::string_view letters = "{}[]\",:0123456789-+.eE\\u nultrfasidp\n\0\xff"sv;
  std::mt19937_64 random(4);
  const Platform platform(parse_irmasim_platform(kPlatforms, "p.json", "one").platform.spec());
  int read = 0, refused = 0;
  for (int round = 0; round < 6000; ++round) {
    const int which = round % 4;
    const std::string text = mutated(which == 0   ? jobs
                                     : which == 1 ? csv
                                     : which == 2 ? options
                                                  : kPlatforms,
                                     random, letters, 4);
    try {
      if (which == 0 || which == 1) {
        const std::vector<IrmasimJob> all =
            parse_irmasim_workload(text, which == 0 ? "w.json" : "w.csv").jobs;
        CHECK(parse_irmasim_workload(write_irmasim(all), "w.json").jobs == all);
        irmasim_workload(all, platform).check(platform);
      } else if (which == 2) {
        const IrmasimOptions all = parse_irmasim_options(text, "o.json").options;
        CHECK(parse_irmasim_options(write_irmasim(all), "o.json").options == all);
      } else {
        const IrmasimPlatform all =
            parse_irmasim_platform(text, "p.json", below(random, 2) == 0 ? "one" : "two").platform;
        CHECK(parse_irmasim_platform(write_irmasim(all), "p.json").platform == all);
        all.spec();
      }
      ++read;
    } catch (const Error&) {
      ++refused;
    }
  }
  CHECK(read > 100);
  CHECK(refused > 100);
  const std::string deep(200000, '[');
  CHECK(workload_fault("{\"jobs\": " + deep).find("bad_json") == 0);
  CHECK(workload_fault("{\"jobs\": " + deep + std::string(200000, ']') + "}").find("bad_json") == 0);
}
