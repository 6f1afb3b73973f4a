#include "runtime/model/readers/cluster/sacct.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "runtime/kernel/error.h"
#include "tests/support/faults.h"
#include "tests/support/folder.h"
#include "tests/support/layers.h"
#include "tests/support/mutate.h"
#include "tests/support/paths.h"

using namespace perigee;
using namespace perigee::test;
using namespace std::string_view_literals;

namespace {

// A line of the columns below.
struct SacctLine {
  std::string id = "1", submit = "2024-03-01T08:00:00", elapsed = "00:00:10", limit = "00:01:00",
              state = "COMPLETED", nodes = "1", cpus = "1", user = "ada", mem = "", tres = "";
  operator std::string() const {
    return id + "|" + submit + "|" + elapsed + "|" + limit + "|" + state + "|" + nodes + "|" + cpus + "|" +
           user + "|" + mem + "|" + tres + "\n";
  }
};
constexpr std::string_view kSacctHead =
    "JobID|Submit|Elapsed|Timelimit|State|NNodes|NCPUS|User|ReqMem|ReqTRES\n";

std::string sacct_of(const std::vector<SacctLine>& lines) {
  std::string text(kSacctHead);
  for (const SacctLine& line : lines) text += line;
  return text;
}

SacctLog sacct_log(const std::vector<SacctLine>& lines, const SacctOptions& options = {}) {
  return parse_sacct(sacct_of(lines), "a.txt", options);
}

// "code | message", with file and line in it.
std::string sacct_refused(const std::string& text, const SacctOptions& options = {}) {
  const Fault fault = fault_of([&] { parse_sacct(text, "a.txt", options); });
  return fault.code + " | " + fault.text;
}
std::string sacct_refused(const std::vector<SacctLine>& lines, const SacctOptions& options = {}) {
  return sacct_refused(sacct_of(lines), options);
}

// The anomalies as "name count@line", in order.
std::vector<std::string> sacct_found(const SacctLog& log) {
  std::vector<std::string> all;
  for (const LogFinding& each : log.report())
    all.push_back(fmt::format("{} {}@{}", each.anomaly, each.count, each.first_line));
  return all;
}

std::int64_t times_found(const SacctLog& log, SacctAnomaly anomaly) { return log.count(anomaly).count; }

// "id arrival amount/estimate nodes x cores", nodes 0 = anywhere.
std::vector<std::string> sacct_works(const SacctLog& log) {
  const Workload workload = sacct_workload(log);
  std::vector<std::string> all;
  for (std::size_t w = 0; w < workload.size(); ++w) {
    const WorkId id(w);
    const Work& work = workload[id];
    CHECK(work.kind == WorkKind::job);
    CHECK(work.form == TimeForm::seconds);
    const Shape* shape = workload.shape_of(id);
    all.push_back(fmt::format("{} {} {}/{} {}x{}", workload.name_of(id), work.arrival, work.amount,
                              work.estimate, shape != nullptr ? shape->nodes : 1, work.cores));
  }
  return all;
}

constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;

double sacct_memory(const std::string& mem, const std::string& tres, const std::string& nodes = "1",
                    const std::string& cpus = "1") {
  const SacctLog log = sacct_log({{.nodes = nodes, .cpus = cpus, .mem = mem, .tres = tres}});
  return log.jobs.at(0).memory;
}

}  // namespace

TEST_CASE("sacct: columns in any order and case, others, the raw ones, blank lines, carriage returns") {
  const SacctLog log = parse_sacct(
      "\xEF\xBB\xBFState|JobName|NCPUS|NNODES|jobidraw|Submit|ElapsedRaw|TimelimitRaw|AllocCPUS\r\n"
      "\r\n"
      "COMPLETED|a name, \"quoted\"|6|2|17|2024-02-29T23:59:58|125|3|8\r\n"
      "COMPLETED|b|1|1|18|2024-03-01T00:00:03|7|UNLIMITED|1",
      "a.txt");
  CHECK(log.lines == 4);
  CHECK(log.columns.size() == 9);
  CHECK(log.all_jobs == 2);
  // 29 February to 1 March 2024 is a day: 5 s from 23:59:58 to 00:00:03. 3 min are 180 s.
  CHECK(sacct_works(log) == std::vector<std::string>{"17 0 125/180 2x3", "18 5 7/7 1x1"});
  // 2024-02-29T23:59:58 is 19782 days and 86398 s after 1970: 54 years with 13 leap days, and 31 + 28 days.
  CHECK(log.first_arrival() == (54 * 365 + 13 + 31 + 28) * 86400.0 + 86398);
  CHECK(log.jobs[0].user == model::kNone);

  const SacctLog allocated = parse_sacct(
      "JobIDRaw|Submit|Elapsed|State|NNodes|AllocCPUS\n5|2024-03-01T00:00:00|10|COMPLETED|1|4\n", "a.txt");
  CHECK(sacct_works(allocated) == std::vector<std::string>{"5 0 10/10 1x4"});

  // sacct -p ends each line with a bar, -P does not.
  const SacctLog barred = parse_sacct(
      "JobID|Submit|Elapsed|State|NNodes|NCPUS|\n5|2024-03-01T00:00:00|10|COMPLETED|1|4|\n", "a.txt");
  CHECK(sacct_works(barred) == std::vector<std::string>{"5 0 10/10 1x4"});
}

TEST_CASE("sacct: spans and limits") {
  const auto run = [](const std::string& span) { return sacct_log({{.elapsed = span}}).jobs.at(0).run; };
  CHECK(run("45") == 45);
  CHECK(run("00:45") == 45);
  CHECK(run("90:05") == 5405);
  CHECK(run("02:00:01") == 7201);
  CHECK(run("30:00:00") == 108000);
  CHECK(run("1-02:03:04") == 93784);
  for (const char* wrong :
       {"", "-5", "1:2:3:4", "00:60", "00:60:00", "1-24:00:00", "1-02:03", "1-5", "1.5", "5s",
        "::", "-00:00:05", "1--00:00:05", "99999999999999999999", "9999999999999"}) {
    INFO(wrong);
    CHECK(sacct_refused({{.elapsed = wrong}}).starts_with("bad_csv | a.txt:2: column 23: Elapsed: '"));
  }
  CHECK(
      sacct_refused({{.elapsed = "1-02:03"}}) ==
      "bad_csv | a.txt:2: column 23: Elapsed: '1-02:03' is no span, as in 1-02:00:00, 02:00:00, 30:15 or 45 "
      "(seconds)");

  const auto limit = [](const std::string& text) { return sacct_log({{.limit = text}}).jobs.at(0).limit; };
  CHECK(limit("1-00:00:00") == 86400);
  CHECK(limit("10:00") == 600);
  for (const char* none : {"", "UNLIMITED", "Partition_Limit", "INVALID", "00:00:00"}) {
    INFO(none);
    CHECK(limit(none) == kNever);
  }
  CHECK(sacct_refused({{.limit = "long"}}) ==
        "bad_csv | a.txt:2: column 32: Timelimit: 'long' is no span, as in 1-02:00:00, 02:00:00, 30:15 or 45 "
        "(seconds)");
  CHECK(sacct_refused("JobID|Submit|Elapsed|State|NNodes|NCPUS|TimelimitRaw\n"
                      "1|2024-03-01T00:00:00|1|COMPLETED|1|1|00:10:00\n") ==
        "bad_csv | a.txt:2: column 39: TimelimitRaw: '00:10:00' is no whole number of minutes");
}

TEST_CASE("sacct: times") {
  const auto seconds = [](const std::string& text) {
    return sacct_log({{.submit = text}}).jobs.at(0).arrival;
  };
  CHECK(seconds("1970-01-01T00:00:00") == 0);
  CHECK(seconds("1970-01-02T01:02:03") == 86400 + 3723);
  CHECK(seconds("2000-03-01T00:00:00") == (30 * 365 + 7 + 31 + 29) * 86400.0);
  for (const char* wrong :
       {"2024-03-01 08:00:00", "2024-02-30T08:00:00", "2023-02-29T08:00:00", "2024-13-01T08:00:00",
        "2024-03-01T24:00:00", "2024-03-01T08:60:00", "24-03-01T08:00:00", "2024-03-01T08:00", "1709280000",
        "yesterday", "2024-03-01T08:00:00Z"}) {
    INFO(wrong);
    CHECK(sacct_refused({{.submit = wrong}}).starts_with("bad_csv | a.txt:2: column 3: Submit: '"));
  }
  CHECK(sacct_refused({{.submit = "yesterday"}}) ==
        "bad_csv | a.txt:2: column 3: Submit: 'yesterday' is no time, as in 2024-03-01T08:00:00");
  const SacctLog unknown = sacct_log({{.id = "1", .submit = "Unknown"}, {.id = "2"}});
  CHECK(sacct_found(unknown) == std::vector<std::string>{"unknown_submit 1@2"});
  CHECK(unknown.jobs.size() == 1);
}

TEST_CASE("sacct: what is left out, and why") {
  const SacctLog log = sacct_log({
      {.id = "1"},
      {.id = "1.batch"},
      {.id = "1.0", .elapsed = "odd", .nodes = "odd"},  // cells of steps are not looked at
      {.id = "2", .elapsed = "00:00:00", .state = "CANCELLED by 1000", .cpus = "0"},
      {.id = "3", .elapsed = "00:00:09", .state = "RUNNING"},
      {.id = "4", .state = "PENDING", .nodes = "1-4"},
      {.id = "5_[3-9%2]", .elapsed = "00:00:00", .state = "CANCELLED"},
      {.id = "6_[1,3,...]", .state = "SUSPENDED"},
      {.id = "7", .state = "REQUEUED"},
      {.id = "8", .cpus = "0"},
      {.id = "9", .nodes = "0"},
      {.id = "10", .elapsed = "INVALID"},
      {.id = "11", .state = "RESIZING"},
  });
  CHECK(log.all_jobs == 11);
  CHECK(sacct_works(log) == std::vector<std::string>{"1 0 10/60 1x1"});
  CHECK(sacct_found(log) ==
        std::vector<std::string>{"step 2@3", "not_ended 6@6", "no_time 2@5", "no_cores 2@11"});
  CHECK(log.left_out[static_cast<std::size_t>(SacctAnomaly::not_ended)] == 6);
  CHECK(log.left_out[static_cast<std::size_t>(SacctAnomaly::step)] == 0);  // a step is no job
}

TEST_CASE("sacct: the first word of State, its short forms, and words that are not known") {
  const SacctLog log = sacct_log({{.id = "1", .state = "CANCELLED by 1000"},
                                  {.id = "2", .state = "CA"},
                                  {.id = "3", .state = "OUT_OF_MEMORY"},
                                  {.id = "4", .state = "NODE_FAIL"},
                                  {.id = "5", .state = "PREEMPTED"},
                                  {.id = "6", .state = "TIMEOUT"},
                                  {.id = "7", .state = "TO"},
                                  {.id = "8", .state = "CD"},
                                  {.id = "9", .state = "EVAPORATED"},
                                  {.id = "10", .state = ""}});
  CHECK(log.jobs.size() == 10);
  CHECK(sacct_found(log) ==
        std::vector<std::string>{"failed 3@4", "cancelled 2@2", "timeout 2@7", "unknown_state 2@10"});
}

TEST_CASE("sacct: a repeated id is one job, the last line with the first Submit") {
  const std::vector<SacctLine> lines{
      {.id = "7", .submit = "2024-03-01T08:00:00", .elapsed = "5", .state = "NODE_FAIL"},
      {.id = "8", .submit = "2024-03-01T08:00:20"},
      {.id = "7", .submit = "2024-03-01T08:00:30", .elapsed = "6", .state = "REQUEUED"},
      {.id = "7", .submit = "2024-03-01T08:01:00", .elapsed = "9"},
      {.id = "9", .submit = "2024-03-01T08:02:00"},
      {.id = "9", .submit = "2024-03-01T08:03:00", .state = "RUNNING"},
  };
  const SacctLog last = sacct_log(lines);
  CHECK(last.all_jobs == 3);
  CHECK(sacct_works(last) == std::vector<std::string>{"7 0 9/60 1x1", "8 20 10/60 1x1"});
  CHECK(sacct_found(last) == std::vector<std::string>{"repeated_id 3@4", "not_ended 1@7"});
  CHECK(last.report()[0].policy == "duplicates = last");

  const SacctLog renamed = sacct_log(lines, {.duplicates = SacctDuplicates::rename});
  CHECK(renamed.all_jobs == 6);
  CHECK(sacct_works(renamed) ==
        std::vector<std::string>{"7 0 5/60 1x1", "8 20 10/60 1x1", "7#3 60 9/60 1x1", "9 120 10/60 1x1"});
  CHECK(sacct_found(renamed) == std::vector<std::string>{"repeated_id 3@4", "not_ended 2@4", "failed 1@2"});

  CHECK(sacct_refused(lines, {.duplicates = SacctDuplicates::error}) ==
        "bad_csv | a.txt:4: 7 is already the job of line 2 (duplicates = \"last\" or \"rename\" accepts such "
        "files)");
  // A first line without a Submit leaves that of the second.
  CHECK(sacct_works(sacct_log({{.id = "7", .submit = "Unknown"}, {.id = "7"}})) ==
        std::vector<std::string>{"7 0 10/60 1x1"});
}

TEST_CASE("sacct: arrays and components of heterogeneous jobs are jobs of their own") {
  const SacctLog log = sacct_log({{.id = "1002_1"},
                                  {.id = "1002_2"},
                                  {.id = "1007+0", .nodes = "2", .cpus = "8"},
                                  {.id = "1007+1"},
                                  {.id = "1007+1.0"}});
  CHECK(sacct_works(log) == std::vector<std::string>{"1002_1 0 10/60 1x1", "1002_2 0 10/60 1x1",
                                                     "1007+0 0 10/60 2x4", "1007+1 0 10/60 1x1"});
  CHECK(sacct_found(log) == std::vector<std::string>{"step 1@6", "heterogeneous 2@4"});
}

TEST_CASE("sacct: shapes") {
  const std::vector<SacctLine> lines{{.id = "1", .nodes = "3", .cpus = "40"},  // 40 / 3 = 13.3
                                     {.id = "2", .nodes = "2", .cpus = "64"},
                                     {.id = "3", .nodes = "1", .cpus = "5"},
                                     {.id = "4", .nodes = "4", .cpus = "3"},
                                     {.id = "5"}};
  const SacctLog nodes = sacct_log(lines);
  CHECK(sacct_works(nodes) == std::vector<std::string>{"1 0 10/60 3x14", "2 0 10/60 2x32", "3 0 10/60 1x5",
                                                       "4 0 10/60 4x1", "5 0 10/60 1x1"});
  CHECK(sacct_found(nodes) == std::vector<std::string>{"uneven 2@2"});
  const SacctLog processes = sacct_log(lines, {.shape = SacctShape::processes});
  CHECK(sacct_works(processes) == std::vector<std::string>{"1 0 10/60 0x40", "2 0 10/60 0x64",
                                                           "3 0 10/60 0x5", "4 0 10/60 0x3",
                                                           "5 0 10/60 1x1"});
  CHECK(sacct_found(processes).empty());
  const SacctLog host = sacct_log(lines, {.shape = SacctShape::host});
  CHECK(sacct_works(host) == std::vector<std::string>{"1 0 10/60 1x40", "2 0 10/60 1x64", "3 0 10/60 1x5",
                                                      "4 0 10/60 1x3", "5 0 10/60 1x1"});
}

TEST_CASE("sacct: limits end jobs where that is asked for") {
  const std::vector<SacctLine> lines{
      {.id = "1", .elapsed = "00:00:50"},                      // within
      {.id = "2", .elapsed = "00:01:15"},                      // over it, yet completed
      {.id = "3", .elapsed = "00:01:15", .state = "TIMEOUT"},  // ended by it
      {.id = "4", .elapsed = "00:01:00", .state = "TIMEOUT"},  // the same, to the second
      {.id = "5", .elapsed = "00:00:30", .state = "TIMEOUT"},  // some other limit
      {.id = "6", .elapsed = "00:02:00", .limit = "UNLIMITED", .state = "TIMEOUT"},
      {.id = "7", .elapsed = "00:01:00"}};
  const auto limits = [](const SacctLog& log) {
    const Workload workload = sacct_workload(log);
    std::vector<double> all;
    for (std::size_t w = 0; w < workload.size(); ++w) all.push_back(workload.limit_of(WorkId(w)));
    return all;
  };
  const SacctLog kept = sacct_log(lines);
  CHECK(sacct_works(kept) == std::vector<std::string>{"1 0 50/60 1x1", "2 0 75/60 1x1", "3 0 75/60 1x1",
                                                      "4 0 60/60 1x1", "5 0 30/60 1x1", "6 0 120/120 1x1",
                                                      "7 0 60/60 1x1"});
  CHECK(limits(kept) == std::vector<double>(7, kNever));
  CHECK(sacct_found(kept) == std::vector<std::string>{"timeout 4@4", "no_limit 1@7", "over_limit 2@3"});
  const SacctLog ended = sacct_log(lines, {.limits = true});
  CHECK(sacct_works(ended) == std::vector<std::string>{"1 0 50/60 1x1", "2 0 60/60 1x1", "3 0 61/60 1x1",
                                                       "4 0 61/60 1x1", "5 0 30/60 1x1", "6 0 120/120 1x1",
                                                       "7 0 60/60 1x1"});
  CHECK(limits(ended) == std::vector<double>{60, 60, 60, 60, 60, kNever, 60});
}

TEST_CASE("sacct: arrivals are counted from the first job that is kept, and sorted") {
  const std::string text =
      "JobID|Submit|Eligible|Elapsed|State|NNodes|NCPUS|Start|End\n"
      "1|2024-03-01T07:00:00|2024-03-01T07:00:00|00:00:00|CANCELLED|1|0|None|2024-03-01T07:00:05\n"
      "2|2024-03-01T08:00:09|2024-03-01T08:00:09|10|COMPLETED|1|1|2024-03-01T08:00:09|2024-03-01T08:00:19\n"
      "3|2024-03-01T08:00:05|2024-03-01T09:00:05|10|COMPLETED|1|1|2024-03-01T09:00:05|2024-03-01T09:00:25\n"
      "4|2024-03-01T08:00:07|Unknown|10|COMPLETED|1|1|2024-03-01T08:00:07|Unknown\n";
  const SacctLog submitted = parse_sacct(text, "a.txt");
  CHECK(sacct_works(submitted) ==
        std::vector<std::string>{"3 0 10/10 1x1", "4 2 10/10 1x1", "2 4 10/10 1x1"});
  CHECK(times_found(submitted, SacctAnomaly::end_differs) == 1);  // 3 took 10 s of the 20 from Start to End
  CHECK(times_found(submitted, SacctAnomaly::unknown_eligible) == 0);
  const SacctLog eligible = parse_sacct(text, "a.txt", {.arrive = SacctArrive::eligible});
  CHECK(sacct_works(eligible) ==
        std::vector<std::string>{"4 0 10/10 1x1", "2 2 10/10 1x1", "3 3598 10/10 1x1"});
  CHECK(times_found(eligible, SacctAnomaly::unknown_eligible) == 1);
  CHECK(sacct_refused(sacct_of({{}}), {.arrive = SacctArrive::eligible})
            .starts_with("missing_field | a.txt:1: there is no column Eligible: "));
}

TEST_CASE("sacct: memory and gpus are read by node, and not taken over") {
  CHECK(std::isnan(sacct_memory("", "")));
  CHECK(sacct_memory("64G", "", "2", "64") == 32 * kGiB);   // of the job
  CHECK(sacct_memory("30Gn", "", "3", "40") == 30 * kGiB);  // of a node
  CHECK(sacct_memory("4Gc", "", "2", "6") == 12 * kGiB);    // of a core: 3 cores of each node
  CHECK(sacct_memory("1T", "") == 1024 * kGiB);
  CHECK(sacct_memory("1.5G", "") == 1.5 * kGiB);
  CHECK(sacct_memory("1024K", "") == 1024.0 * 1024.0);
  CHECK(sacct_memory("2048", "") == 2 * kGiB);
  CHECK(sacct_memory("0n", "") == 0);
  CHECK(sacct_memory("1G", "billing=1,cpu=64,mem=90G,node=3", "3", "40") ==
        30 * kGiB);  // ReqTRES comes first
  CHECK(sacct_memory("8G", "cpu=1,node=1") == 8 * kGiB);
  const SacctLog log =
      sacct_log({{.id = "1", .nodes = "2", .cpus = "2", .tres = "cpu=2,gres/gpu=3,gres/gpu:a=3"},
                 {.id = "2", .mem = "8G", .tres = "cpu=1"},
                 {.id = "3"}});
  CHECK(log.jobs[0].gpus == 2);
  CHECK(sacct_found(log) == std::vector<std::string>{"memory 1@3", "gpus 1@2"});
  CHECK(sacct_workload(log).needs.empty());
  const std::vector<std::string> said = log.limitations();
  CHECK(std::ranges::count(said, "the memory that 1 of 3 jobs asked for is not taken over") == 1);
  CHECK(std::ranges::count(said, "the gpus that 1 of 3 jobs asked for are not taken over") == 1);

  CHECK(sacct_refused({{.mem = "much"}}) ==
        "bad_csv | a.txt:2: column 59: ReqMem: 'much' is no size, as in 64G, 4Gc or 30Gn");
  for (const char* wrong : {"G", "c", "-1G", "1e400G", "1GB", "0x10G", "nan"}) {
    INFO(wrong);
    CHECK(sacct_refused({{.mem = wrong}}).starts_with("bad_csv | a.txt:2: column 59: ReqMem: '"));
  }
  CHECK(sacct_refused({{.tres = "mem=lots"}}) ==
        "bad_csv | a.txt:2: column 60: ReqTRES: mem = 'lots' is no size, as in 64G");
  CHECK(sacct_refused({{.tres = "gres/gpu=some"}}) ==
        "bad_csv | a.txt:2: column 60: ReqTRES: gres/gpu = 'some' is no whole number");
}

TEST_CASE("sacct: users, and columns that are not taken over") {
  const SacctLog log = sacct_log({{.id = "1", .elapsed = "0", .user = "zoe"},
                                  {.id = "2", .user = "bob"},
                                  {.id = "3", .user = ""},
                                  {.id = "4", .user = "ada"},
                                  {.id = "5", .user = "bob"}});
  CHECK(log.users == std::vector<std::string>{"bob", "ada"});  // zoe's job is left out
  const Workload workload = sacct_workload(log);
  CHECK(workload[WorkId(0)].user == UserId(0));
  CHECK(workload[WorkId(1)].user == UserId());
  CHECK(workload[WorkId(2)].user == UserId(1));
  CHECK(workload[WorkId(3)].user == UserId(0));
  CHECK(times_found(log, SacctAnomaly::unknown_user) == 1);
}

TEST_CASE("sacct: partitions, qualities of service and accounts") {
  const SacctLog log = parse_sacct(
      "JobID|Submit|Elapsed|State|NNodes|NCPUS|Partition|QOS|Account\n"
      "1|2024-03-01T00:00:00|0|COMPLETED|1|1|gone|gone|gone\n"
      "2|2024-03-01T00:00:00|1|COMPLETED|1|1|batch|high|physics\n"
      "3|2024-03-01T00:00:01|1|COMPLETED|1|1|long||physics\n"
      "4|2024-03-01T00:00:02|1|COMPLETED|1|1|batch|high|\n",
      "a.txt");
  const Workload workload = sacct_workload(log);
  REQUIRE(workload.queues != nullptr);
  CHECK(!workload.queues->declared);
  REQUIRE(workload.queues->queues.size() == 2);  // that of the job which is left out is none
  CHECK(workload.queue_of(WorkId(0))->name == "batch");
  CHECK(workload.queue_of(WorkId(1))->name == "long");
  CHECK(workload.queue_of(WorkId(2)) == workload.queue_of(WorkId(0)));
  CHECK(workload.qos_of(WorkId(0))->name == "high");
  CHECK(workload.qos_of(WorkId(1)) == nullptr);
  CHECK(workload.queues->accounts == std::vector<std::string>{"physics"});
  CHECK(workload.extras[workload[WorkId(1)].extra].account == 0);
  CHECK(workload.extras[workload[WorkId(2)].extra].account == model::kNone);
  CHECK(sacct_workload(sacct_log({{.id = "1"}})).queues == nullptr);
}

TEST_CASE("sacct: bad files") {
  CHECK(sacct_refused("") == "bad_file | a.txt: the file is empty");
  CHECK(sacct_refused("\n  \n") == "bad_file | a.txt: the file is empty");
  // Without a header (-n), or printed for people.
  CHECK(sacct_refused("1|2024-03-01T00:00:00|10|COMPLETED|1|4\n") ==
        "missing_field | a.txt:1: there is no column JobID (or JobIDRaw): the first line must be the header "
        "that sacct -P prints, as of --format=JobID,Submit,Elapsed,Timelimit,State,NNodes,NCPUS,User");
  CHECK(sacct_refused("JobID  Submit  Elapsed  State\n").starts_with("missing_field | a.txt:1: "));
  CHECK(sacct_refused("JobID|Submit|Elapse|State|NNodes|NCPUS\n")
            .ends_with("NCPUS,User; did you mean 'Elapse'?"));
  for (const char* missing : {"JobID", "Submit", "Elapsed", "State", "NNodes", "NCPUS"}) {
    std::string head = "JobID|Submit|Elapsed|State|NNodes|NCPUS\n";
    head.replace(head.find(missing), std::string(missing).size(), "Other");
    INFO(head);
    CHECK(sacct_refused(head).starts_with(
        fmt::format("missing_field | a.txt:1: there is no column {}", missing)));
  }
  CHECK(sacct_refused("JobID|Submit|Elapsed|State|NNodes|NCPUS|state\n") ==
        "bad_csv | a.txt:1: the column State is there twice");
  CHECK(sacct_refused(std::string(kSacctHead) + "1|2024-03-01T08:00:00|10\n") ==
        "bad_csv | a.txt:2: the line has 3 cells, the header 10");
  CHECK(sacct_refused(sacct_of({{}}) + std::string(SacctLine{.user = "a|b"})) ==
        "bad_csv | a.txt:3: the line has 11 cells, the header 10: no cell may hold a '|'");
  CHECK(sacct_refused({{.id = ""}}) == "bad_csv | a.txt:2: column 1: JobID: '' is no job id");
  CHECK(sacct_refused({{.id = "job 7"}}) == "bad_csv | a.txt:2: column 1: JobID: 'job 7' is no job id");
  CHECK(sacct_refused({{.id = "7#2"}}).ends_with("'7#2' is no job id"));
  CHECK(sacct_refused({{.nodes = "two"}}) ==
        "bad_csv | a.txt:2: column 51: NNodes: 'two' is no whole number, 0 to 2147483647");
  CHECK(sacct_refused({{.cpus = "2147483648"}}) ==
        "bad_csv | a.txt:2: column 53: NCPUS: '2147483648' is no whole number, 0 to 2147483647");
  CHECK(sacct_refused({{.nodes = "2", .cpus = "2147483647"}}) ==
        "bad_csv | a.txt:2: column 53: NCPUS: 2147483647 processors are too many");
  CHECK(sacct_refused({{.user = "\xFF"}}) == "bad_csv | a.txt:2: column 55: User: '?' is not UTF-8");
  CHECK(sacct_refused({{.id = "1"}, {.id = "2"}}, {.max_jobs = 1}) ==
        "bad_file | a.txt:3: more than 1 jobs are not read");
  CHECK(sacct_log({}).limitations() == std::vector<std::string>{"there are no jobs that ran"});
  CHECK(sacct_workload(sacct_log({})).size() == 0);
}

TEST_CASE("sacct: a file") {
  const Folder folder;
  folder.write("jobs.txt", sacct_of({{}, {.id = "2"}}));
  CHECK(read_sacct(folder.path / "jobs.txt").jobs.size() == 2);
  CHECK(fault_of([&] { read_sacct(folder.path / "none.txt"); }).code == "bad_file");
  CHECK(fault_of([&] { read_sacct(folder.path / "jobs.txt", {.max_bytes = 50}); }).code == "bad_file");
}

TEST_CASE("sacct: the sample") {
  const std::filesystem::path path = data_file("slurm/sacct.txt");
  if (!std::filesystem::exists(path)) {
    WARN("skipped: there is no " << path);
    return;
  }
  const SacctLog log = read_sacct(path);
  CHECK(log.lines == 16);
  CHECK(log.all_jobs == 12);
  CHECK(sacct_works(log) == std::vector<std::string>{"1001 0 3600/7200 2x32", "1002_1 10 600/1800 1x1",
                                                     "1002_2 10 1815/1800 1x1", "1003 300 93600/172800 2x8",
                                                     "1005 600 30/14400 3x14", "1006 900 5400/14400 2x32",
                                                     "1008 1800 45/45 1x8", "1007+0 3600 1200/3600 1x4",
                                                     "1007+1 3600 1200/3600 1x32"});
  CHECK(sacct_found(log) == std::vector<std::string>{"step 2@3", "repeated_id 1@12", "not_ended 2@7",
                                                     "no_time 1@9", "failed 1@10", "timeout 1@6",
                                                     "heterogeneous 2@13", "uneven 1@10", "no_limit 1@15",
                                                     "over_limit 1@6", "memory 9@2", "gpus 2@8"});
  CHECK(log.users == std::vector<std::string>{"ada", "bob", "cyd", "dee"});
  std::vector<double> memory;
  std::vector<int> gpus;
  for (const SacctJob& job : log.jobs) {
    memory.push_back(job.memory / kGiB);
    gpus.push_back(job.gpus);
  }
  CHECK(memory == std::vector<double>{32, 4, 4, 128, 30, 32, 1500.0 / 1024, 16, 32});
  CHECK(gpus == std::vector<int>{0, 0, 0, 4, 0, 0, 0, 1, 0});

  const SacctLog eligible = read_sacct(path, {.arrive = SacctArrive::eligible});
  CHECK(sacct_works(eligible).back() == "1008 14400 45/45 1x8");
  CHECK(sacct_works(eligible)[5] == "1006 900 5400/14400 2x32");
  const Workload limited = sacct_workload(read_sacct(path, {.limits = true}));
  CHECK(limited[WorkId(2)].amount == 1801);
  CHECK(limited.limit_of(WorkId(2)) == 1800);
  CHECK(limited.limit_of(WorkId(6)) == kNever);
}

TEST_CASE("sacct: many lines of one id, and of many") {
  std::string text(kSacctHead);
  for (int j = 0; j < 20'000; ++j) text += SacctLine{.id = j % 2 == 0 ? "1" : std::to_string(j)};
  const SacctLog log = parse_sacct(text, "a.txt");
  CHECK(log.jobs.size() == 10'000);  // 1, and each odd number from 3 on; 1 itself is odd
  CHECK(times_found(log, SacctAnomaly::repeated_id) == 10'000);
}
