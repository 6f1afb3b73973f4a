// Logs in the Standard Workload Format as workloads: jobs, memory, options, and a whole log of its archive.
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "runtime/model/readers/swf.h"
#include "tests/runtime/model/readers/swf_lines.h"
#include "tests/support/faults.h"
#include "tests/support/layers.h"
#include "tests/support/paths.h"

using namespace perigee;
using namespace perigee::test;
using Anomaly = SwfAnomaly;

namespace {

const std::filesystem::path kNasa = data_file("swf/NASA-iPSC-1993-3.1-cln.swf.gz");

}  // namespace

TEST_CASE("swf: a job of the workload") {
  const SwfLog log =
      parse_swf(log_of({{.number = "3", .submit = "100", .run = "1.5", .allocated = "4", .user = "9"},
                        {.number = "4",
                         .submit = "160",
                         .run = "10",
                         .allocated = "4",
                         .requested = "2",
                         .requested_time = "30",
                         .user = "2"},
                        {.number = "5", .submit = "170", .run = "40", .requested_time = "30", .user = "9"}}),
                "a.swf");
  const Platform platform = hosts({4, 8}, 2e9);
  SECTION("operations") {
    const Workload w = swf_workload(log, {}, &platform).workload;
    w.check(platform);
    CHECK(w.names == std::vector<std::string>{"job3", "job4", "job5"});
    CHECK(arrivals(w) == std::vector<double>{0, 60, 70});
    CHECK(w.users == std::vector<std::string>{"user9", "user2"});
    CHECK(w.works[0].kind == WorkKind::job);
    CHECK(w.works[0].form == TimeForm::operations);
    CHECK(w.works[0].cores == 4);
    CHECK(w.works[1].cores == 2);
    CHECK(w.works[0].user == UserId(0));
    CHECK(w.works[1].user == UserId(1));
    CHECK(w.works[2].user == UserId(0));
    CHECK(w.works[0].amount == 1.5e9);
    CHECK(w.works[1].amount == 10e9);
    CHECK(w.works[1].estimate == 60e9);  // 30 s on the slowest host
    const SwfWorkload out = swf_workload(log, {}, &platform);
    CHECK(out.jobs == std::vector<std::uint32_t>{0, 1, 2});
    CHECK(mentions(out.limitations,
                   "the slowest host computes 2000000000 op/s: there a job runs 0.5 times as long"));
    SwfOptions faster;
    faster.ref_rate = 2e9;
    const SwfWorkload same = swf_workload(log, faster, &platform);
    CHECK_FALSE(mentions(same.limitations, "slowest host"));
    CHECK(same.workload.works[0].amount == 3e9);
    CHECK(same.workload.works[0].estimate == 3e9);
  }
  SECTION("seconds") {
    SwfOptions options;
    options.form = TimeForm::seconds;
    const Workload w = swf_workload(log, options, &platform).workload;
    CHECK(w.works[0].form == TimeForm::seconds);
    CHECK(w.works[0].amount == 1.5);
    CHECK(w.works[0].estimate == 1.5);
    CHECK(w.works[1].estimate == 30);
    CHECK(w.works[2].amount == 40);
    CHECK(w.works[2].estimate == 30);
    options.overrun = SwfOverrun::raise;
    CHECK(swf_workload(log, options).workload.works[2].estimate == 40);
    options.overrun = SwfOverrun::cut;
    CHECK(swf_workload(log, options).workload.works[2].amount == 30);
    options.req_factor = 2;
    CHECK(swf_workload(log, options).workload.works[2].estimate == 80);
    CHECK(swf_workload(log, options).workload.works[1].estimate == 20);
  }
  SECTION("arrivals") {
    SwfOptions options;
    options.speed = 2;
    CHECK(arrivals(swf_workload(log, options).workload) == std::vector<double>{0, 30, 35});
    options.round_submit = 10;  // halves up
    CHECK(arrivals(swf_workload(log, options).workload) == std::vector<double>{0, 30, 40});
  }
  SECTION("which jobs") {
    SwfOptions options;
    options.from_time = 160;
    CHECK(swf_workload(log, options).workload.names == std::vector<std::string>{"job4", "job5"});
    CHECK(swf_workload(log, options).first_submit == 160);
    options.to_time = 170;
    CHECK(swf_workload(log, options).workload.names == std::vector<std::string>{"job4"});
    CHECK(has(found(swf_workload(log, options).report()), "outside_time 2@1"));
    options = {};
    options.first = 2;
    CHECK(swf_workload(log, options).workload.names == std::vector<std::string>{"job3", "job4"});
    options.skip = 1;
    options.first = 1;
    CHECK(swf_workload(log, options).workload.names == std::vector<std::string>{"job4"});
    CHECK(has(found(swf_workload(log, options).report()), "outside_count 2@1"));
    options = {};
    options.last = 1;
    CHECK(swf_workload(log, options).workload.names == std::vector<std::string>{"job5"});
    options.last = 9;
    CHECK(swf_workload(log, options).workload.size() == 3);
    options = {};
    options.skip = 7;
    CHECK(swf_workload(log, options).workload.size() == 0);
    options = {};
    options.statuses = {0, 5};
    CHECK(swf_workload(log, options).workload.size() == 0);
    CHECK(has(found(swf_workload(log, options).report()), "not_kept_status 3@1"));
  }
  SECTION("wider than the widest host") {
    const Platform narrow = hosts({1, 3});
    SwfOptions options;
    const Fault error = fault_of([&] { swf_workload(log, options, &narrow); });
    CHECK(error.code == "oversize");
    CHECK(error.text ==
          "a.swf:1: job3 needs 4 cores, the widest host has 3 (E_OVERSIZE; oversize = \"drop\", \"clip\" or "
          "\"split\" "
          "accepts such jobs)");
    options.oversize = SwfOversize::drop;
    SwfWorkload out = swf_workload(log, options, &narrow);
    CHECK(out.workload.names == std::vector<std::string>{"job4", "job5"});
    CHECK(arrivals(out.workload) == std::vector<double>{0, 10});
    CHECK(has(found(out.report()), "oversize 1@1"));
    options.skip = 1;  // job4: job3, before it, is out of reach
    out = swf_workload(log, options, &narrow);
    CHECK(out.workload.names == std::vector<std::string>{"job5"});
    CHECK(out.anomalies[static_cast<std::size_t>(SwfAnomaly::oversize)].count == 0);
    CHECK(has(found(out.report()), "outside_count 2@1"));
    options = {};
    options.oversize = SwfOversize::clip;
    out = swf_workload(log, options, &narrow);
    CHECK(out.workload.works[0].cores == 3);
    CHECK(has(found(out.report()), "oversize 1@1"));
    options.oversize = SwfOversize::split;
    out = swf_workload(log, options, &narrow);
    CHECK(out.workload.names == std::vector<std::string>{"job3.1", "job3.2", "job4", "job5"});
    CHECK(out.workload.works[0].cores == 3);
    CHECK(out.workload.works[1].cores == 1);
    CHECK(out.workload.works[1].amount == 1.5e9);
    CHECK(out.jobs == std::vector<std::uint32_t>{0, 0, 1, 2});
    options.max_jobs = 3;
    CHECK(fault_of([&] { swf_workload(log, options, &narrow); }).code == "oversize");
    CHECK(fault_of([&] { swf_workload(log, {}, std::make_unique<Platform>().get()); }).code == "oversize");
  }
}

TEST_CASE("swf: the memory that is requested for each processor is the job's") {
  // KB per processor in field 10: 3 of 4, 0.5 of 2, none, 0 of 1; the first job is divided by hosts of 3
  // cores.
  const SwfLog log = parse_swf(
      "1 0 -1 9 4 -1 -1 4 -1 3 1 -1 -1 -1 -1 -1 -1 -1\n"
      "2 1 -1 9 2 -1 -1 2 -1 0.5 1 -1 -1 -1 -1 -1 -1 -1\n"
      "3 2 -1 9 1 -1 7 1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n"
      "4 3 -1 9 1 -1 -1 1 -1 0 1 -1 -1 -1 -1 -1 -1 -1\n",
      "m.swf");
  SwfOptions options;
  options.oversize = SwfOversize::split;
  const Platform platform = hosts({3});
  const Workload w = swf_workload(log, options, &platform).workload;
  REQUIRE(w.size() == 5);
  CHECK(w.needs_of(WorkId(0)).memory == 3 * 1024 * 3);
  CHECK(w.needs_of(WorkId(1)).memory == 3 * 1024);
  CHECK(w.needs_of(WorkId(2)).memory == 1024);
  CHECK(std::isnan(w.needs_of(WorkId(3)).memory));
  CHECK(w.needs_of(WorkId(4)).memory == 0);
  CHECK(std::isnan(w.needs_of(WorkId(0)).memory_traffic));
}

TEST_CASE("swf: options are checked") {
  const auto bad = [](auto change) {
    SwfOptions options;
    change(options);
    return fault_of([&] { parse_swf(std::string(SwfLine{}), "a", options); });
  };
  CHECK(bad([](SwfOptions& o) { o.speed = 0; }).text == "speed must be finite and > 0, got 0");
  CHECK(bad([](SwfOptions& o) { o.ref_rate = std::nan(""); }).code == "bad_parameter");
  CHECK(bad([](SwfOptions& o) { o.round_submit = -1; }).text ==
        "round_submit must be finite and >= 0, got -1");
  CHECK(bad([](SwfOptions& o) { o.from_time = 5, o.to_time = 4; }).text ==
        "from_time must be <= to_time, got 5 and 4");
  CHECK(bad([](SwfOptions& o) { o.first = o.last = 1; }).code == "bad_parameter");
  CHECK(bad([](SwfOptions& o) { o.statuses = {}; }).text ==
        "statuses names none of -1 to 5, which would leave out every job");
  CHECK(bad([](SwfOptions& o) { o.statuses = {7}; }).text == "statuses are -1 to 5, got 7");
  CHECK(bad([](SwfOptions& o) { o.form = TimeForm::by_host; }).code == "bad_parameter");
  SwfOptions options;
  CHECK(options.set_policy("oversize", "split"));
  CHECK(options.oversize == SwfOversize::split);
  CHECK(options.set_policy("duplicates", "drop"));
  CHECK(options.set_policy("bad_lines", "skip"));
  CHECK(options.set_policy("order", "error"));
  CHECK(options.set_policy("overrun", "cut"));
  CHECK_FALSE(options.set_policy("colour", "cut"));
  CHECK(fault_of([&] { options.set_policy("oversize", "splt"); }).text ==
        "oversize must be one of error, drop, clip, split, got 'splt'; did you mean 'split'?");
}

// The whole log of its README. Sums by
//   zcat FILE | grep -v '^;' | awk '{n++; a+=$1; b+=$2; c+=$4; d+=$5; e+=$4*$5; if($4==0)z++; u[$12]++} END{
//     printf "%d %.0f %.0f %.0f %.0f %.0f %d %d\n",n,a,b,c,d,e,z,length(u)}'
// Over capacity: starts and ends sorted and summed up in Python.
TEST_CASE("swf: the NASA iPSC log whole") {
  if (!std::filesystem::exists(kNasa)) {
    WARN("no " << kNasa << ": skipped");
    return;
  }
  const SwfLog log = read_swf(kNasa);
  CHECK(log.jobs.size() == 18239);
  CHECK(log.lines == 18271);
  CHECK(log.bytes == 1678956);
  double numbers = 0, submits = 0, runs = 0, processors = 0, area = 0;
  std::map<int, int> users;
  for (const SwfJob& job : log.jobs) {
    numbers += static_cast<double>(job.number);
    submits += job.submit;
    runs += job.run;
    processors += job.allocated;
    area += job.run * job.allocated;
    ++users[job.user];
  }
  CHECK(numbers == 392575794.0);
  CHECK(submits == 72500132611.0);
  CHECK(runs == 13950781.0);
  CHECK(processors == 309953.0);
  CHECK(area == 474238015.0);
  CHECK(users.size() == 69);
  CHECK(log.max_procs() == 128);
  CHECK(log.header_number("UnixStartTime") == 749458803);
  CHECK(log.header("Installation") == "NASA Ames Research Center");
  CHECK(found(log.report()) ==
        std::vector<std::string>{"job_count_differs 1@0", "unknown_wait 18239@33", "zero_run 173@248",
                                 "unknown_requested_processors 18239@33", "unknown_requested_time 18239@33",
                                 "unknown_status 18239@33", "over_capacity 10@6995"});
  const std::vector<std::string> limits = log.limitations();
  CHECK(mentions(limits, "no requested times: the estimates are the run times themselves"));
  CHECK(mentions(limits, "submit times may be start times"));
  CHECK(mentions(limits, "the given submit times are actually start times"));
  CHECK(mentions(limits, "no statuses"));
  CHECK(mentions(limits, "the header tells 42264 jobs, the file has 18239"));
  CHECK_FALSE(mentions(limits, "no users"));

  const Platform machine = hosts({128});
  const SwfWorkload out = swf_workload(log, {}, &machine);
  out.workload.check(machine);
  CHECK(out.workload.size() == 18066);
  CHECK(out.left_out[static_cast<std::size_t>(Anomaly::zero_run)] == 173);
  double amount = 0;
  for (const Work& work : out.workload.works) {
    amount += work.amount * work.cores / 1e9;
    CHECK(work.estimate == work.amount);
  }
  CHECK(amount == 474238015.0);
  CHECK(out.workload.works.back().arrival == 7948936);
  CHECK(out.workload.names.front() == "job1");
}
