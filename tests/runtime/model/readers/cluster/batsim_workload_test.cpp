#include "runtime/model/readers/cluster/batsim_workload.h"

#include <fmt/format.h>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "runtime/kernel/error.h"
#include "tests/support/faults.h"
#include "tests/support/folder.h"
#include "tests/support/layers.h"
#include "tests/support/paths.h"

using namespace perigee;
using namespace perigee::test;

namespace {

// One job of two hosts whose profile is p, among these profiles.
std::string batsim_of(const std::string& profiles, const std::string& more = "",
                      const std::string& res = "2") {
  return "{ \"nb_res\": 4,\n  \"jobs\": [ { \"id\": 1, \"subtime\": 0, \"res\": " + res +
         ", \"profile\": \"p\"" + more + " } ],\n  \"profiles\": { " + profiles + " } }";
}

// "code | message", with file and line in it.
std::string batsim_refused(const std::string& text) {
  const Fault fault = fault_of([&] { parse_batsim_workload(text, "w.json"); });
  return fault.code + " | " + fault.text;
}

BatsimJob batsim_job(const std::string& profiles, const std::string& more = "") {
  return parse_batsim_workload(batsim_of(profiles, more), "w.json").jobs.at(0);
}

// "id arrival amount unit nodes limit", each job's hosts its own.
std::vector<std::string> batsim_works(const BatsimWorkload& file) {
  const Workload workload = batsim_jobs(file);
  std::vector<std::string> all;
  for (std::size_t w = 0; w < workload.size(); ++w) {
    const WorkId id(w);
    const Work& work = workload[id];
    const Shape* shape = workload.shape_of(id);
    CHECK(work.kind == WorkKind::job);
    REQUIRE(shape != nullptr);
    CHECK(shape->exclusive);
    CHECK(work.cores == 1);
    const double limit = workload.limit_of(id);
    CHECK(workload.extras[work.extra].limit_is_estimate == (limit < kNever));
    all.push_back(fmt::format("{} {} {:g} {} {} {}", workload.name_of(id), work.arrival, work.amount,
                              work.form == TimeForm::seconds ? "s" : "op", shape->nodes, limit));
  }
  return all;
}

std::vector<std::string> batsim_found(const BatsimWorkload& file) {
  std::vector<std::string> all;
  for (const LogFinding& each : file.report())
    all.push_back(fmt::format("{} {}: {}", each.anomaly, each.count, each.what));
  return all;
}

}  // namespace

TEST_CASE("batsim: jobs") {
  const BatsimWorkload file = parse_batsim_workload(R"({ "nb_res": 3, "jobs": [
    { "id": "b", "subtime": 2.5, "res": 2, "profile": "work", "walltime": 60 },
    { "id": 7, "subtime": 0, "res": 1, "profile": "wait", "walltime": -1 },
    { "id": "late", "subtime": 1, "res": 4, "profile": "wait" } ],
    "profiles": { "work": { "type": "parallel_homogeneous", "cpu": 4e9, "com": 0 },
                  "wait": { "type": "delay", "delay": 10 },
                  "unused": { "type": "smpi" } } })",
                                                    "w.json");
  CHECK(batsim_works(file) ==
        std::vector<std::string>{"b 2.5 4e+09 op 2 60", "7 0 10 s 1 inf", "late 1 10 s 4 inf"});
  CHECK(file.machines == 3);
  CHECK(file.lines == 7);
  CHECK(batsim_found(file) == std::vector<std::string>{"no_walltime 2: jobs without a walltime",
                                                       "more_than_nb_res 1: jobs of more hosts than nb_res"});
  CHECK(file.ignored.empty());
  CHECK(parse_batsim_workload(R"({"jobs": [], "profiles": {}})", "w.json").machines == 0);
}

TEST_CASE("batsim: types of profiles, by either name") {
  for (const char* type : {"delay", "DelayProfile"})
    CHECK(batsim_job(fmt::format(R"("p": {{ "type": "{}", "delay": 2.5 }})", type)) ==
          BatsimJob{.id = "1", .amount = 2.5, .hosts = 2, .is_delay = true});
  for (const char* type : {"parallel_homogeneous", "ParallelTaskHomogeneousProfile"})
    CHECK(batsim_job(fmt::format(R"("p": {{ "type": "{}", "cpu": 6e9 }})", type)) ==
          BatsimJob{.id = "1", .amount = 6e9, .hosts = 2});
  // 6e9 in all are 3e9 on each of two hosts.
  for (
      const char* profile :
      {R"("p": { "type": "parallel_homogeneous_total", "cpu": 6e9, "com": 0 })",
       R"("p": { "type": "ParallelTaskHomogeneousProfile", "cpu": 6e9, "generation_strategy": "DefinedAmountsSpreadUniformly" })",
       R"("p": { "type": "parallel_homogeneous", "cpu": 6e9, "generation_strategy": "DefinedAmountsSpreadUniformly" })"})
    CHECK(batsim_job(profile) == BatsimJob{.id = "1", .amount = 3e9, .hosts = 2});
  CHECK(
      batsim_job(
          R"("p": { "type": "parallel_homogeneous", "cpu": 6e9, "generation_strategy": "DefinedAmountsUsedForEachValue" })")
          .amount == 6e9);
  for (const char* type : {"parallel", "ParallelTaskProfile"})
    CHECK(batsim_job(fmt::format(R"("p": {{ "type": "{}", "cpu": [1e9, 5e9], "com": [0, 0, 0, 0] }})",
                                 type)) == BatsimJob{.id = "1", .amount = 5e9, .hosts = 2});
  for (const char* type : {"composed", "SequentialCompositionProfile"}) {
    // 3 x (1e9 + 4e9 / 2 + 2e9)
    CHECK(batsim_job(fmt::format(R"("p": {{ "type": "{}", "repeat": 3, "seq": ["a", "b", "c"] }},
                                    "a": {{ "type": "parallel_homogeneous", "cpu": 1e9 }},
                                    "b": {{ "type": "parallel_homogeneous_total", "cpu": 4e9 }},
                                    "c": {{ "type": "parallel", "cpu": [2e9, 2e9] }})",
                                 type)) == BatsimJob{.id = "1", .amount = 15e9, .hosts = 2});
    // 2 x (5 + 5) + 5 s, once
    CHECK(batsim_job(fmt::format(R"("p": {{ "type": "{}", "seq": ["twice", "a"] }},
                                    "twice": {{ "type": "{}", "repeat": 2, "seq": ["a", "a"] }},
                                    "a": {{ "type": "delay", "delay": 5 }})",
                                 type, type)) ==
          BatsimJob{.id = "1", .amount = 25, .hosts = 2, .is_delay = true});
  }
}

TEST_CASE("batsim: bytes and unequal amounts are said with the names of the profiles") {
  const BatsimWorkload file = parse_batsim_workload(R"({ "nb_res": 4, "jobs": [
    { "id": 1, "subtime": 0, "res": 2, "profile": "talk", "walltime": 9 },
    { "id": 2, "subtime": 0, "res": 2, "profile": "both", "walltime": 9 },
    { "id": 3, "subtime": 0, "res": 2, "profile": "both", "walltime": 9 },
    { "id": 4, "subtime": 0, "res": 2, "profile": "quiet", "walltime": 9 },
    { "id": 5, "subtime": 0, "res": 2, "profile": "parts", "walltime": 9 } ],
    "profiles": { "talk": { "type": "parallel_homogeneous", "cpu": 1, "com": 1e6 },
                  "both": { "type": "parallel", "cpu": [1, 2], "com": [0, 5, 0, 0] },
                  "quiet": { "type": "parallel", "cpu": [1, 1], "com": [0, 0, 0, 0] },
                  "parts": { "type": "composed", "seq": ["quiet", "talk"] } } })",
                                                    "w.json");
  CHECK(batsim_found(file) ==
        std::vector<std::string>{"communication 4: jobs whose profile sends bytes (talk, both)",
                                 "uneven 2: jobs whose profile has unequal amounts to compute (both)"});
  std::string text = "{ \"jobs\": [", profiles;
  for (int j = 1; j <= 7; ++j) {
    text += fmt::format("{}{{\"id\": {}, \"subtime\": 0, \"res\": 1, \"profile\": \"p{}\"}}",
                        j == 1 ? "" : ",", j, j);
    profiles += fmt::format("{}\"p{}\": {{\"type\": \"parallel_homogeneous\", \"cpu\": 1, \"com\": 1}}",
                            j == 1 ? "" : ",", j);
  }
  CHECK(parse_batsim_workload(text + "], \"profiles\": {" + profiles + "}}", "w.json").talking.text() ==
        "p1, p2, p3, p4, p5 and 2 more");
}

TEST_CASE("batsim: fields that play no part are told once") {
  const BatsimWorkload file = parse_batsim_workload(R"({ "description": "x", "version": 3, "jobs": [
    { "id": 1, "subtime": 0, "res": 1, "profile": "p", "extra_data": {} },
    { "id": 2, "subtime": 0, "res": 1, "profile": "p", "extra_data": {} } ],
    "profiles": { "p": { "type": "delay", "delay": 1, "ret": 1 } } })",
                                                    "w.json");
  CHECK(file.ignored ==
        std::vector<std::string>{"field 'version' is ignored (first at $.version)",
                                 "field 'extra_data' is ignored (first at $.jobs[0].extra_data, 2 times)",
                                 "field 'ret' is ignored (first at $.profiles.p.ret)"});
}

TEST_CASE("batsim: bad files") {
  const std::string good = R"("p": { "type": "delay", "delay": 1 })";
  CHECK(batsim_refused("") == "bad_file | w.json: the file is empty");
  CHECK(batsim_refused("{").starts_with("bad_json | w.json:1: column "));
  CHECK(batsim_refused("[]") == "bad_json | w.json:1: column 1: $: must be an object, got an array (E_JSON)");
  CHECK(batsim_refused(R"({"profiles": {}})") ==
        "missing_field | w.json:1: column 1: $: 'jobs' is missing (E_FIELD)");
  CHECK(batsim_refused(R"({"jobs": []})") ==
        "missing_field | w.json:1: column 1: $: 'profiles' is missing (E_FIELD)");
  CHECK(batsim_refused(R"({"jobs": [ 5 ], "profiles": {}})") ==
        "bad_json | w.json:1: column 12: $.jobs[0]: must be an object, got 5 (E_JSON)");
  for (const char* field : {"id", "subtime", "res", "profile"}) {
    std::string text = batsim_of(good);
    text.replace(text.find(fmt::format("\"{}\"", field)) + 1, 1, "x");
    CHECK(batsim_refused(text) ==
          fmt::format("missing_field | w.json:2: column 13: $.jobs[0]: '{}' is missing (E_FIELD)", field));
  }
  CHECK(
      batsim_refused(batsim_of(good, R"(, "walltime": 0)")) ==
      "out_of_range | w.json:2: column 76: $.jobs[0].walltime: must be > 0 s, or -1: none, got 0 (E_RANGE)");
  CHECK(batsim_refused(batsim_of(good, R"(, "walltime": "1 h")"))
            .ends_with("$.jobs[0].walltime: must be a number, got '1 h' (E_JSON)"));
  for (const char* res : {"0", "-1", "1.5", "3e9", "\"all\""})
    CHECK(batsim_refused(batsim_of(good, "", res)).find("$.jobs[0].res: must be a") != std::string::npos);
  CHECK(batsim_refused(R"({"nb_res": 0, "jobs": [], "profiles": {}})")
            .ends_with("$.nb_res: must be a whole number, 1 to 2147483647, got 0 (E_RANGE)"));
  CHECK(batsim_refused(R"({"jobs": [ {"id": 1, "subtime": -1, "res": 1, "profile": "p"} ], "profiles": {}})")
            .ends_with("$.jobs[0].subtime: must be >= 0 s, got -1 (E_RANGE)"));
  CHECK(batsim_refused(R"({"jobs": [ {"id": "1", "subtime": 0, "res": 1, "profile": "p"},
      {"id": 1, "subtime": 0, "res": 1, "profile": "p"} ], "profiles": {)" +
                       good + "}}") ==
        "duplicate_id | w.json:2: column 14: $.jobs[1].id: '1' is already the id of $.jobs[0] (E_ID)");
  CHECK(batsim_refused(batsim_of(R"("pp": { "type": "delay", "delay": 1 })"))
            .starts_with("unknown_reference | w.json:2: "));
  CHECK(batsim_refused(batsim_of(R"("p": 5)")).ends_with("$.profiles.p: must be an object, got 5 (E_JSON)"));
  CHECK(batsim_refused(batsim_of(R"("p": {})")).ends_with("$.profiles.p: 'type' is missing (E_FIELD)"));
  CHECK(
      batsim_refused(batsim_of(R"("p": { "type": "smpi" })")) ==
      "unsupported_profile | w.json:3: column 32: $.profiles.p.type: jobs of type 'smpi' are not taken, those "
      "of delay, DelayProfile, parallel_homogeneous, ParallelTaskHomogeneousProfile, parallel_homogeneous_total, "
      "parallel, ParallelTaskProfile, composed, SequentialCompositionProfile are (E_PROFILE)");
  CHECK(batsim_refused(batsim_of(R"("p": { "type": "Delay", "delay": 1 })")).find("did you mean 'delay'?") !=
        std::string::npos);
  CHECK(batsim_refused(
            batsim_of(R"("p": { "type": "parallel_homogeneous", "cpu": 1, "generation_strategy": "x" })"))
            .ends_with("$.profiles.p.generation_strategy: must be DefinedAmountsUsedForEachValue or "
                       "DefinedAmountsSpreadUniformly, got 'x' (E_PROFILE)"));
  CHECK(batsim_refused(batsim_of(R"("p": { "type": "parallel_homogeneous" })"))
            .ends_with("$.profiles.p: 'cpu' is missing (E_FIELD)"));
  CHECK(batsim_refused(batsim_of(R"("p": { "type": "parallel_homogeneous", "cpu": -1 })"))
            .ends_with("$.profiles.p.cpu: must be >= 0 operations, got -1 (E_RANGE)"));
  CHECK(batsim_refused(batsim_of(R"("p": { "type": "parallel_homogeneous", "cpu": 1, "com": [0, -2] })"))
            .ends_with("$.profiles.p.com[1]: must be >= 0 bytes, got -2 (E_RANGE)"));
  CHECK(
      batsim_refused(batsim_of(R"("p": { "type": "parallel", "cpu": [1, 2, 3] })")) ==
      "bad_json | w.json:2: column 45: $.jobs[0].res: is 2, but 'cpu' of profile 'p' has 3 entries (E_JSON)");
  CHECK(batsim_refused(batsim_of(R"("p": { "type": "parallel", "cpu": [] })"))
            .ends_with("$.profiles.p.cpu: must have an entry for each host (E_JSON)"));
  CHECK(batsim_refused(batsim_of(R"("p": { "type": "parallel", "cpu": 5 })"))
            .ends_with("$.profiles.p.cpu: must be an array, got 5 (E_JSON)"));
  CHECK(batsim_refused(batsim_of(R"("p": { "type": "parallel_homogeneous", "cpu": 1e308 },
      "q": { "type": "delay", "delay": 1 })")) == " | ");
}

TEST_CASE("batsim: bad sequences") {
  const std::string parts =
      R"(, "wait": { "type": "delay", "delay": 1 }, "work": { "type": "parallel_homogeneous", "cpu": 1 },
    "two": { "type": "parallel", "cpu": [1, 1] }, "three": { "type": "parallel", "cpu": [1, 1, 1] })";
  const auto refused = [&](const std::string& sequence) {
    return batsim_refused(batsim_of("\"p\": { \"type\": \"composed\", " + sequence + " }" + parts));
  };
  CHECK(refused(R"("seq": ["wait", "work"])") ==
        "mixed_sequence | w.json:3: column 60: $.profiles.p.seq[1]: 'work' computes and 'wait' is a delay: a "
        "sequence is all delays, or computes all the time (E_SEQUENCE)");
  CHECK(refused(R"("seq": [])").ends_with("$.profiles.p.seq: must name a profile (E_JSON)"));
  CHECK(refused(R"("seq": ["wait"], "repeat": 0)")
            .ends_with("$.profiles.p.repeat: must be a whole number, 1 to 1000000000, got 0 (E_RANGE)"));
  CHECK(refused(R"("seq": ["p"])")
            .ends_with("$.profiles.p.seq[0]: the sequence 'p' has itself as a part (E_JSON)"));
  CHECK(refused(R"("seq": ["wrok"])")
            .ends_with("$.profiles.p.seq[0]: there is no profile 'wrok'; did you mean 'work'? (E_REF)"));
  CHECK(refused(R"("seq": ["two", "three"])")
            .ends_with("$.profiles.p.seq[1]: 'three' is for 3 hosts, a part before it for 2 (E_JSON)"));
  CHECK(refused(R"("seq": ["three"])").ends_with("is 2, but 'cpu' of profile 'p' has 3 entries (E_JSON)"));

  // Each is twice the one before: 2^60 parts are read as 60.
  std::string doubled =
      R"("p": { "type": "composed", "seq": ["d60"] }, "d0": { "type": "delay", "delay": 1 })";
  for (int d = 1; d <= 60; ++d)
    doubled += fmt::format(R"(, "d{}": {{ "type": "composed", "seq": ["d{}", "d{}"] }})", d, d - 1, d - 1);
  CHECK(batsim_job(doubled).amount == std::pow(2.0, 60));
  std::string deep =
      R"("p": { "type": "composed", "seq": ["d5000"] }, "d0": { "type": "delay", "delay": 1 })";
  for (int d = 1; d <= 5000; ++d)
    deep += fmt::format(R"(, "d{}": {{ "type": "composed", "seq": ["d{}"] }})", d, d - 1);
  CHECK(batsim_refused(batsim_of(deep)).ends_with("it is a sequence in more than 100 sequences (E_JSON)"));
  std::string huge = R"("p": { "type": "composed", "repeat": 1000000000, "seq": ["d0", "d0"] }, )"
                     R"("d0": { "type": "delay", "delay": 1e300 })";
  CHECK(batsim_refused(batsim_of(huge)).ends_with("what the job takes is too large for a number (E_RANGE)"));
}

TEST_CASE("batsim: a file") {
  const Folder folder;
  folder.write("w.json", batsim_of(R"("p": { "type": "delay", "delay": 1 })"));
  CHECK(read_batsim_workload(folder.path / "w.json").jobs.size() == 1);
  CHECK(fault_of([&] { read_batsim_workload(folder.path / "none.json"); }).code == "bad_file");
}

TEST_CASE("batsim: the samples, in both spellings") {
  const std::filesystem::path path = data_file("batsim/workload.json"),
                              old = data_file("batsim/workload_v4.json");
  if (!std::filesystem::exists(path) || !std::filesystem::exists(old)) {
    WARN("skipped: there is no " << path);
    return;
  }
  const BatsimWorkload file = read_batsim_workload(path);
  CHECK(batsim_works(file) == std::vector<std::string>{"first 0 4e+10 op 2 60", "second 0 1.2e+11 op 5 100",
                                                       "3 2.5 10 s 1 12", "wide 4 4e+10 op 8 60",
                                                       "short 5 10 s 1 inf", "killed 6 1.2e+11 op 2 15",
                                                       "spread 7 4e+10 op 4 90", "uneven 8 4e+10 op 3 90",
                                                       "parts 9 3.2e+11 op 2 200", "talk 10 4e+10 op 2 90",
                                                       "tie_a 30 4e+10 op 1 60", "tie_b 30 10 s 1 60"});
  CHECK(file.machines == 8);
  CHECK(batsim_found(file) ==
        std::vector<std::string>{"communication 1: jobs whose profile sends bytes (talk)",
                                 "uneven 1: jobs whose profile has unequal amounts to compute (uneven)",
                                 "no_walltime 1: jobs without a walltime"});
  CHECK(file.ignored ==
        std::vector<std::string>{"field 'extra_data' is ignored (first at $.jobs[9].extra_data)"});
  const BatsimWorkload same = read_batsim_workload(old);
  CHECK(same.jobs == file.jobs);
  CHECK(same.machines == file.machines);
  CHECK(batsim_found(same) == batsim_found(file));
}
