// Jobs of IRMaSim's files, in JSON and in CSV.
#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/model/readers/irmasim.h"
#include "tests/runtime/model/readers/irmasim_faults.h"
#include "tests/support/faults.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

namespace {

// The fault of one job with these fields besides an id and a submit time.
std::string job_fault(const std::string& fields) {
  return workload_fault("{\"jobs\": [\n{\"id\": \"a\", \"subtime\": 0, " + fields + "}]}");
}

}  // namespace

TEST_CASE("irmasim: jobs, both spellings, profiles, ignored fields") {
  const IrmasimWorkloadFile file = parse_irmasim_workload(R"({ "nb_res": 60,
    "jobs": [ { "id": "a", "subtime": 1, "ntasks": 2, "req_time": 10, "req_ops": 7, "ipc": 2, "mem": 50, "nodes": 1 },
              { "submit_time": 2, "subtime": 2.0, "res": 3, "profile": "p", "color": 1 },
              { "id": 17, "subtime": 3, "res": 1, "req_time": 5, "profile": "p", "color": 2 } ],
    "profiles": { "p": { "req_time": 20, "req_ops": 100, "opc": 4, "type": "x" }, "unused": 0 } })",
                                                          "w.json");
  REQUIRE(file.jobs.size() == 3);
  CHECK(file.jobs[0] == IrmasimJob{"a", 1, 2, 10, 7.0, 2, 50.0, {}, {}, ""});
  CHECK(file.jobs[1] == IrmasimJob{"job1", 2, 3, 20, 100.0, 4, {}, {}, {}, "p"});
  CHECK(file.jobs[2] == IrmasimJob{"17", 3, 1, 5, 100.0, 4, {}, {}, {}, "p"});
  CHECK(texts(file.ignored) ==
        std::vector<std::string>{"field 'nb_res' is ignored (first at $.nb_res)",
                                 "field 'color' is ignored (first at $.jobs[1].color, 2 times)",
                                 "field 'type' is ignored (first at $.profiles.p.type, 2 times)"});
  CHECK(parse_irmasim_workload("{\"jobs\": []}", "w.json").jobs.empty());
}

TEST_CASE("irmasim: errors of jobs") {
  CHECK(workload_fault("{\"jobs\": [{}]}") ==
        "missing_field w.json:1: column 11: $.jobs[0]: 'submit_time' (or 'subtime') is missing (E_FIELD)");
  CHECK(workload_fault("{\"jobs\": {}}") ==
        "bad_json w.json:1: column 10: $.jobs: must be an array, got an object (E_JSON)");
  CHECK(workload_fault("{\"jobs\": [1]}") ==
        "bad_json w.json:1: column 11: $.jobs[0]: must be an object, got 1 (E_JSON)");
  CHECK(workload_fault("{}") == "missing_field w.json:1: column 1: $: 'jobs' is missing (E_FIELD)");
  CHECK(workload_fault("{\"jobs\": [").find("bad_json w.json:1: column 11: ") == 0);
  CHECK(job_fault("\"req_time\": 1") ==
        "missing_field w.json:2: column 1: $.jobs[0]: 'ntasks' (or 'res') is missing (E_FIELD)");
  CHECK(job_fault("\"ntasks\": 1") ==
        "missing_field w.json:2: column 1: $.jobs[0]: 'req_time' is missing (E_FIELD)");
  CHECK(job_fault("\"ntasks\": 1, \"res\": 2, \"req_time\": 1") ==
        "conflicting_fields w.json:2: column 47: $.jobs[0].res: res is another spelling of ntasks, but they "
        "are 2 and 1 "
        "(E_FIELD)");
  const auto range = [&](const std::string& fields, const std::string& message) {
    CHECK(job_fault(fields).find("out_of_range w.json:2: column ") == 0);
    CHECK(job_fault(fields).find("$.jobs[0]." + message + " (E_RANGE)") != std::string::npos);
  };
  range("\"ntasks\": 0, \"req_time\": 1", "ntasks: must be a whole number, 1 to 2147483647, got 0");
  range("\"res\": 1.5, \"req_time\": 1", "res: must be a whole number, 1 to 2147483647, got 1.5");
  range("\"ntasks\": 3000000000, \"req_time\": 1",
        "ntasks: must be a whole number, 1 to 2147483647, got 3000000000");
  range("\"ntasks\": 1, \"req_time\": 0", "req_time: must be > 0 s, got 0");
  range("\"ntasks\": 1, \"req_time\": 1, \"req_ops\": -1", "req_ops: must be >= 0 operations, got -1");
  range("\"ntasks\": 1, \"req_time\": 1, \"ipc\": 0", "ipc: must be > 0 operations per cycle, got 0");
  CHECK(workload_fault("{\"jobs\": [{\"subtime\": -1, \"ntasks\": 1, \"req_time\": 1}]}") ==
        "out_of_range w.json:1: column 23: $.jobs[0].subtime: must be >= 0 s, got -1 (E_RANGE)");
  CHECK(job_fault("\"ntasks\": 1, \"req_time\": 1, \"nodes\": 2") ==
        "bad_nodes w.json:2: column 64: $.jobs[0].nodes: must be 1: all tasks of a job run on one node, got "
        "2 (E_NODES)");
  CHECK(job_fault("\"ntasks\": true, \"req_time\": 1")
            .find("$.jobs[0].ntasks: must be a number, got true (E_JSON)") != std::string::npos);
  CHECK(job_fault("\"ntasks\": 1, \"req_time\": NaN").find("bad_json w.json:2: column ") == 0);
  CHECK(job_fault("\"ntasks\": 1, \"profile\": \"p\"")
            .find("$.jobs[0].profile: there is no profile 'p' (E_REF)") != std::string::npos);
  CHECK(workload_fault(
            R"({"jobs": [{"subtime": 0, "res": 1, "profile": "sort"}], "profiles": {"short": {}}})") ==
        "unknown_reference w.json:1: column 47: $.jobs[0].profile: there is no profile 'sort'; did you mean "
        "'short'? "
        "(E_REF)");
  CHECK(
      workload_fault(
          R"({"jobs": [{"subtime": 0, "res": 1, "profile": "p q"}], "profiles": {"p q": {"req_time": -1}}})") ==
      "out_of_range w.json:1: column 89: $.profiles['p q'].req_time: must be > 0 s, got -1 (E_RANGE)");
  const std::string good = "\"subtime\": 0, \"res\": 1, \"req_time\": 1}";
  CHECK(workload_fault("{\"jobs\": [{\"id\": \"a\", " + good + ",\n{\"id\": \"a\", " + good + "]}") ==
        "duplicate_id w.json:2: column 8: $.jobs[1].id: 'a' is already the id of $.jobs[0] (E_ID)");
  CHECK(workload_fault("{\"jobs\": [{\"id\": \"job1\", " + good + ", {" + good + "]}")
            .find("$.jobs[1]: 'job1' is already the id of $.jobs[0] (E_ID)") != std::string::npos);
  CHECK(workload_fault("{\"jobs\": [{\"id\": \"\", " + good + "]}").find("$.jobs[0].id: must not be empty") !=
        std::string::npos);
  CHECK(fault_line([] { read_irmasim_workload("/nowhere/w.json"); }) ==
        "bad_file /nowhere/w.json: there is no such file");
  CHECK(fault_line([] { read_irmasim_platform("/"); }) == "bad_file /: a file is needed, this is a folder");
}

TEST_CASE("irmasim: workloads in CSV") {
  const IrmasimWorkloadFile file = parse_irmasim_workload(
      "id,subtime,res,req_time,req_ops,opc,color\na,1,2,10,7,2,red\n,2,1,5,,,\n", "w.csv");
  REQUIRE(file.jobs.size() == 2);
  CHECK(file.jobs[0] == IrmasimJob{"a", 1, 2, 10, 7.0, 2, {}, {}, {}, ""});
  CHECK(file.jobs[1] == IrmasimJob{"job1", 2, 1, 5, {}, 1, {}, {}, {}, ""});
  CHECK(texts(file.ignored) == std::vector<std::string>{"field 'color' is ignored (first at column color)"});
  CHECK(workload_fault("id,subtime,res,req_time\na,1,0,1\n", "w.csv") ==
        "out_of_range w.csv:2: column 5: res: must be a whole number, 1 to 2147483647, got 0 (E_RANGE)");
  CHECK(workload_fault("id,subtime,submit_time,res,req_time\na,1,1.0,1,1\nb,1,2,1,1\n", "w.csv") ==
        "conflicting_fields w.csv:3: column 3: subtime is another spelling of submit_time, but they are 1 "
        "and 2 (E_FIELD)");
  CHECK(workload_fault("id,subtime,res,req_time\na,1,1,1\na,1,1,1\n", "w.csv") ==
        "duplicate_id w.csv:3: column 1: 'a' is already the id of line 2 (E_ID)");
  CHECK(workload_fault("id,subtime,res,req_time\n\xff,1,1,1\n", "w.csv") ==
        "bad_table w.csv:2: column 1: id: '?' is not UTF-8");
  CHECK(workload_fault("id,subtime,req_time\na,1,1\n", "w.csv") ==
        "missing_field w.csv:2: column 1: 'ntasks' (or 'res') is missing (E_FIELD)");
  CHECK(workload_fault("subtime,res,req_time,profile\n1,1,1,p\n", "w.csv")
            .find("unknown_reference w.csv:2: column 7: ") == 0);
  CHECK(workload_fault("subtime,res,req_time,nodes\n1,1,1,2\n", "w.csv")
            .find("bad_nodes w.csv:2: column 7: nodes: ") == 0);
}
