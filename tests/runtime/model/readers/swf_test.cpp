#include "runtime/model/readers/swf.h"

#include <unistd.h>
#include <zlib.h>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
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
using Anomaly = SwfAnomaly;

namespace {

Fault swf_fault(std::string_view text, const SwfOptions& options = {}) {
  return fault_of([&] { parse_swf(text, "a.swf", options); });
}

// A line of a log; fields not given are -1.
struct SwfLine {
  std::string number = "1", submit = "0", run = "10", allocated = "1";
  std::string wait = "-1", requested = "-1", requested_time = "-1", status = "1", user = "-1", cpu = "-1",
              memory = "-1", preceding = "-1";
  operator std::string() const {
    return number + " " + submit + " " + wait + " " + run + " " + allocated + " " + cpu + " " + memory + " " +
           requested + " " + requested_time + " -1 " + status + " " + user + " -1 -1 -1 -1 " + preceding +
           " -1\n";
  }
};

std::string log_of(const std::vector<SwfLine>& lines) {
  std::string text;
  for (const SwfLine& line : lines) text += line;
  return text;
}

std::int64_t swf_count(const SwfLog& log, Anomaly anomaly) { return log.count(anomaly).count; }

// The anomalies as "name count@line", in order.
std::vector<std::string> found(const std::vector<SwfFinding>& report) {
  std::vector<std::string> all;
  for (const SwfFinding& each : report)
    all.push_back(std::string(name_of(each.anomaly)) + " " + std::to_string(each.count) + "@" +
                  std::to_string(each.first_line));
  return all;
}

bool has(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

bool mentions(const std::vector<std::string>& all, const std::string& words) {
  return std::any_of(all.begin(), all.end(),
                     [&](const std::string& text) { return text.find(words) != std::string::npos; });
}

std::vector<double> arrivals(const Workload& workload) {
  std::vector<double> all;
  for (const Work& work : workload.works) all.push_back(work.arrival);
  return all;
}

Platform hosts(const std::vector<int>& cores, double speed = 1e9) {
  PlatformSpec spec;
  spec.clusters.push_back({.name = "c", .hosts = {}});
  for (std::size_t h = 0; h < cores.size(); ++h) {
    Host host;
    host.name = "c." + std::to_string(h + 1);
    host.cores = cores[h];
    host.speed = speed;
    spec.clusters[0].hosts.push_back(host);
  }
  return Platform(spec);
}

std::string gzip(const std::string& text) {
  z_stream stream = {};
  deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()) + 32, '\0');
  std::string in = text;
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(out.size() - stream.avail_out);
  deflateEnd(&stream);
  return out;
}

const std::filesystem::path kNasa = data_file("swf/NASA-iPSC-1993-3.1-cln.swf.gz");

}  // namespace

TEST_CASE("swf: all 18 fields, headers, blank lines, carriage returns") {
  const SwfLog log = parse_swf(
      "\xEF\xBB\xBF; Version: 2.2\r\n"
      ";MaxProcs: 64 (of 70)\r\n"
      "; UnixStartTime: 749458803\n"
      "; Note: first line\n"
      ";       second line\n"
      ";\n"
      "; a remark\n"
      "; Information: http://www.cs.huji.ac.il/\n"
      ";              http://elsewhere/\n"
      "\n"
      "  7 1.5 2 3.25 4 5.5 6 8 9 10 1 12 13 14 15 16 3 18  \r\n"
      "; Note: in between\n"
      "+8 2e1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1",
      "a.swf");
  REQUIRE(log.jobs.size() == 2);
  SwfJob job;
  job.number = 7;
  job.submit = 1.5;
  job.wait = 2;
  job.run = 3.25;
  job.allocated = 4;
  job.cpu_time = 5.5;
  job.memory = 6;
  job.requested = 8;
  job.requested_time = 9;
  job.requested_memory = 10;
  job.status = 1;
  job.user = 12;
  job.group = 13;
  job.executable = 14;
  job.queue = 15;
  job.partition = 16;
  job.preceding = 3;
  job.think_time = 18;
  job.line = 11;
  CHECK(log.jobs[0] == job);
  job = {};
  job.number = 8;
  job.submit = 20;
  job.line = 13;
  CHECK(log.jobs[1] == job);
  using Header = std::pair<std::string, std::string>;
  CHECK(log.headers == std::vector<Header>{{"Version", "2.2"},
                                           {"MaxProcs", "64 (of 70)"},
                                           {"UnixStartTime", "749458803"},
                                           {"Note", "first line second line"},
                                           {"", "a remark"},
                                           {"Information", "http://www.cs.huji.ac.il/ http://elsewhere/"},
                                           {"Note", "in between"}});
  CHECK(log.header("maxprocs") == "64 (of 70)");
  CHECK(log.max_procs() == 64);
  CHECK(log.header_number("UnixStartTime") == 749458803);
  CHECK_FALSE(log.header_number("Note"));
  CHECK_FALSE(log.header_number("MaxNodes"));
  CHECK(log.lines == 13);
  CHECK(log.name == "a.swf");
}

TEST_CASE("swf: lines without 18 numbers") {
  const std::string good = SwfLine{};
  const auto check = [&](const std::string& bad, Anomaly anomaly, const std::string& text) {
    const Fault error = swf_fault("; a\n" + good + bad + "\n" + good);
    CHECK(error.code == "swf_line");
    CHECK(error.text == "a.swf:3: " + text + " (E_SWF; bad_lines = \"skip\" leaves such lines out)");
    SwfOptions skip;
    skip.bad_lines = SwfBadLines::skip;
    const SwfLog log = parse_swf("; a\n" + good + bad + "\n" + good, "a.swf", skip);
    CHECK(log.jobs.size() == 2);
    CHECK(log.count(anomaly) == SwfCount{1, 3});
  };
  check("1 2 3", Anomaly::too_few_fields, "column 6: the line has 3 fields, 18 are needed");
  check("1", Anomaly::too_few_fields, "column 2: the line has 1 field, 18 are needed");
  check(" 1 2 3 4 5 6 7 8 9 10 1 12 13 14 15 16 17", Anomaly::too_few_fields,
        "column 42: the line has 17 fields, 18 are needed");
  check("1 2 3 4 5 6 7 8 9 10 1 12 13 14 15 16 17 18 19 20", Anomaly::too_many_fields,
        "column 45: the line has 20 fields, 18 are needed");
  check("1 2 abc 4 5 6 7 8 9 10 1 12 13 14 15 16 17 18", Anomaly::not_a_number,
        "column 5: field 3 (wait time): 'abc' is not a number");
  check("1 2 nan 4 5 6 7 8 9 10 1 12 13 14 15 16 17 18", Anomaly::not_a_number,
        "column 5: field 3 (wait time): 'nan' is not a number");
  check("1 2 3 inf 5 6 7 8 9 10 1 12 13 14 15 16 17 18", Anomaly::not_a_number,
        "column 7: field 4 (run time): 'inf' is not a number");
  check("1 2 3 1e999 5 6 7 8 9 10 1 12 13 14 15 16 17 18", Anomaly::not_a_number,
        "column 7: field 4 (run time): '1e999' is not a number");
  check("1 2 3 4 5.5 6 7 8 9 10 1 12 13 14 15 16 17 18", Anomaly::not_a_number,
        "column 9: field 5 (allocated processors): 5.5 is not a whole number");
  check("1 2 3 4 3000000000 6 7 8 9 10 1 12 13 14 15 16 17 18", Anomaly::not_a_number,
        "column 9: field 5 (allocated processors): 3000000000 is too large, at most 2147483647");
  check("99999999999999999999 2 3 4 5 6 7 8 9 10 1 12 13 14 15 16 17 18", Anomaly::not_a_number,
        "column 1: field 1 (job number): 99999999999999999999 is too large, at most 9007199254740991");
  check("9007199254740993 2 3 4 5 6 7 8 9 10 1 12 13 14 15 16 17 18", Anomaly::not_a_number,
        "column 1: field 1 (job number): 9007199254740993 is too large, at most 9007199254740991");
  check("1 1e31 3 4 5 6 7 8 9 10 1 12 13 14 15 16 17 18", Anomaly::not_a_number,
        "column 3: field 2 (submit time): 1e31 is beyond any sense");
  check("1 2 3 1e308 5 6 7 8 9 10 1 12 13 14 15 16 17 18", Anomaly::not_a_number,
        "column 7: field 4 (run time): 1e308 is beyond any sense");
  check("- 2 3 4 5 6 7 8 9 10 1 12 13 14 15 16 17 18", Anomaly::not_a_number,
        "column 1: field 1 (job number): '-' is not a number");
  check("host,from,to", Anomaly::not_a_number,
        "column 1: field 1 (job number): 'host,from,to' is not a number");
  CHECK(parse_swf(std::string("1 2 3 4 5.0 6 7 8e0 9 10 1 12 13 14 15 16 17 18"), "a").jobs[0].requested ==
        8);
}

TEST_CASE("swf: files that cannot be read") {
  const Folder folder;
  const auto read = [&](const std::filesystem::path& path, const SwfOptions& options = {}) {
    const Fault error = fault_of([&] { read_swf(path, options); });
    CHECK(error.code == "bad_file");
    const std::string name = path.string() + ": ";
    REQUIRE(error.text.substr(0, name.size()) == name);
    return error.text.substr(name.size());
  };
  std::string text;
  for (int j = 1; j <= 20000; ++j)
    text += SwfLine{.number = std::to_string(j), .submit = std::to_string(j * j % 7919)};
  const std::string packed = gzip(text);
  CHECK(read(folder.path / "none.swf") == "there is no such file");
  CHECK(read(folder.path) == "a file is needed, this is a folder");
  CHECK(read(folder.write("empty.swf", "")) == "the file is empty");
  CHECK(read(folder.write("blank.swf", " \n\n\t\r\n")) == "the file is empty");
  CHECK(read(folder.write("empty.gz", "")) == "the file is empty");
  CHECK(read(folder.write("none.gz", gzip(""))) == "the file is empty");
  CHECK(read(folder.write("plain.swf.gz", text)) == "it is named .gz but does not begin as a gzip file does");
  const std::string cut = read(folder.write("cut.swf.gz", packed.substr(0, packed.size() / 2)));
  CHECK(cut.find("the gzip file is cut off (") == 0);
  CHECK(read(folder.write("cut1.swf.gz", packed.substr(0, 5))) ==
        "the gzip file is cut off (0 bytes of text could be read)");
  CHECK(read(folder.write("crc.swf.gz", packed.substr(0, packed.size() - 4)))
            .find("the gzip file is cut off") == 0);
  std::string corrupt = packed;
  for (std::size_t i = packed.size() / 2; i < packed.size() / 2 + 40; ++i)
    corrupt[i] = static_cast<char>(i * 37);
  CHECK(read(folder.write("corrupt.swf.gz", corrupt)).find("the gzip data are corrupt: ") == 0);
  corrupt = packed;
  corrupt[packed.size() - 6] = static_cast<char>(corrupt[packed.size() - 6] ^ 1);  // the checksum
  CHECK(read(folder.write("sum.swf.gz", corrupt)).find("the gzip data are corrupt: incorrect data check") ==
        0);
  CHECK(read(folder.write("more.swf.gz", packed + "more")) ==
        "the gzip data are corrupt: other bytes follow their end");
  SwfOptions small;
  small.max_bytes = 100000;
  CHECK(read(folder.write("large.swf.gz", packed), small) == "more than 100000 bytes of text are not read");
  CHECK(fault_of([&] {
          read_swf(folder.write("line.swf", std::string(2 << 20, '1')));
        }).text.find(":1: a line of more than 1048576 bytes: this is no text file") != std::string::npos);
  SwfOptions few;
  few.max_jobs = 10;
  CHECK(swf_fault(text, few).text == "a.swf:11: more than 10 jobs are not read");

  // gzip allows several members and padding. The name need not end in .gz.
  const SwfLog plain = read_swf(folder.write("plain.swf", text));
  CHECK(plain.jobs.size() == 20000);
  CHECK(plain.bytes == text.size());
  const std::string half = text.substr(0, text.size() / 2), rest = text.substr(text.size() / 2);
  CHECK(read_swf(folder.write("two.swf.gz", gzip(half) + gzip(rest))).jobs == plain.jobs);
  CHECK(read_swf(folder.write("padded", packed + std::string(600000, '\0'))).jobs == plain.jobs);
  CHECK(parse_swf(text, "a").jobs == plain.jobs);
}

TEST_CASE("swf: order and numbers of jobs") {
  const std::string text = log_of({{.number = "1", .submit = "10"},
                                   {.number = "2", .submit = "5"},
                                   {.number = "3", .submit = "10"},
                                   {.number = "2", .submit = "7"},
                                   {.number = "2", .submit = "20"},
                                   {.number = "-1", .submit = "21"},
                                   {.number = "-1", .submit = "21"}});
  const SwfLog log = parse_swf(text, "a.swf");
  std::vector<int> lines;
  for (const SwfJob& job : log.jobs) lines.push_back(job.line);
  CHECK(lines == std::vector<int>{2, 4, 1, 3, 5, 6, 7});
  CHECK(log.count(Anomaly::unsorted_submit) == SwfCount{2, 2});
  CHECK(log.count(Anomaly::duplicate_number) == SwfCount{2, 4});
  CHECK(log.count(Anomaly::unknown_number) == SwfCount{2, 6});
  CHECK(swf_workload(log, {}).workload.names ==
        std::vector<std::string>{"job2", "job2#2", "job1", "job3", "job2#3", "line6", "line7"});
  SwfOptions options;
  options.duplicates = SwfDuplicates::drop;
  const SwfWorkload dropped = swf_workload(parse_swf(text, "a.swf", options), options);
  CHECK(dropped.workload.names == std::vector<std::string>{"job2", "job1", "job3", "line6", "line7"});
  CHECK(dropped.left_out[static_cast<std::size_t>(Anomaly::duplicate_number)] == 2);
  options.duplicates = SwfDuplicates::error;
  CHECK(swf_fault(text, options).text ==
        "a.swf:4: field 1 (job number): 2 is already the job of line 2 (duplicates = \"rename\" or \"drop\" "
        "accepts such "
        "logs)");
  options.order = SwfOrder::error;
  CHECK(swf_fault(text, options).text ==
        "a.swf:2: field 2 (submit time): 5 follows 10 (order = \"sort\" sorts such logs)");
}

TEST_CASE("swf: every anomaly of fields is counted") {
  const std::string text =
      "; MaxProcs: 8\n; UnixStartTime: 1000\n; UnixEndTime: 1100\n; MaxJobs: many\n" +
      log_of({{.number = "1", .submit = "-5", .wait = "-3", .requested = "4"},
              {.number = "2", .submit = "0", .run = "-1"},
              {.number = "3", .submit = "0", .run = "-7", .user = "3"},
              {.number = "4", .submit = "0", .run = "0", .status = "5"},
              {.number = "5", .submit = "1", .allocated = "-1"},
              {.number = "6", .submit = "1", .allocated = "9", .status = "0"},
              {.number = "7", .submit = "1", .run = "20", .requested_time = "15", .cpu = "30"},
              {.number = "8", .submit = "1", .status = "3"},
              {.number = "9", .submit = "1", .status = "-1", .memory = "-4"},
              {.number = "10", .submit = "1", .status = "9", .preceding = "7"},
              {.number = "11", .submit = "99", .wait = "5", .requested_time = "10"},
              {.number = "12", .submit = "-1"}});
  const SwfLog log = parse_swf(text, "a.swf");
  // Lines 5 to 16 hold jobs 1 to 12. Over capacity at 1: job 1 uses 1, 6 uses 9 (10 > 8), 7, 8, 9, 10 more.
  CHECK(found(log.report()) == std::vector<std::string>{"bad_header 1@0",
                                                        "unknown_submit 1@16",
                                                        "negative_submit 1@5",
                                                        "negative_wait 1@5",
                                                        "unknown_wait 10@6",
                                                        "negative_run 1@7",
                                                        "unknown_run 1@6",
                                                        "zero_run 1@8",
                                                        "no_processors 1@9",
                                                        "unknown_requested_processors 10@6",
                                                        "processors_differ 1@5",
                                                        "more_than_max_procs 1@10",
                                                        "unknown_requested_time 10@5",
                                                        "run_over_requested 1@11",
                                                        "cpu_over_run 1@11",
                                                        "negative_field 1@13",
                                                        "unknown_user 11@5",
                                                        "failed 1@10",
                                                        "cancelled 1@8",
                                                        "partial_run 1@12",
                                                        "unknown_status 1@13",
                                                        "bad_status 1@14",
                                                        "dependency 1@14",
                                                        "before_predecessor 1@14",
                                                        "start_after_end 1@15",
                                                        "over_capacity 5@10"});
  for (const SwfFinding& finding : log.report()) {
    CHECK_FALSE(finding.what.empty());
    CHECK_FALSE(finding.done.empty());
  }
  const SwfWorkload work = swf_workload(log, {});
  CHECK(work.workload.names == std::vector<std::string>{"job1", "job6", "job7", "job9", "job10", "job11"});
  CHECK(work.left_out[static_cast<std::size_t>(Anomaly::zero_run)] == 1);
  CHECK(work.left_out[static_cast<std::size_t>(Anomaly::partial_run)] == 1);
  CHECK(work.left_out[static_cast<std::size_t>(Anomaly::no_processors)] == 1);
  CHECK(work.left_out[static_cast<std::size_t>(Anomaly::unknown_submit)] == 1);
  CHECK(work.first_submit == -5);
  CHECK(arrivals(work.workload) == std::vector<double>{0, 6, 6, 6, 6, 104});
  CHECK(work.workload.works[0].cores == 4);
  const SwfLog counted = parse_swf("; MaxJobs: 3\n" + std::string(SwfLine{}), "a");
  CHECK(swf_count(counted, Anomaly::job_count_differs) == 1);
  CHECK(mentions(counted.limitations(), "the header tells 3 jobs, the file has 1"));
  const SwfLog chatter =
      parse_swf("; x: " + std::string(1000000, 'a') + "\n; y: " + std::string(100000, 'b') + "\n", "a");
  CHECK(swf_count(chatter, Anomaly::long_header) == 1);
  CHECK(chatter.limitations() == std::vector<std::string>{"there are no jobs"});
}

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

TEST_CASE("swf: mutated logs give a log or an error, never anything else") {
  std::string seed = "; MaxProcs: 8\n; UnixStartTime: 5\n; UnixEndTime: 100\n";
  for (int j = 1; j <= 12; ++j)
    seed += SwfLine{.number = std::to_string(j),
                    .submit = std::to_string(j * 3),
                    .run = std::to_string(j % 4),
                    .allocated = std::to_string(j),
                    .requested_time = "5",
                    .preceding = std::to_string(j - 2)};
  const std::string packed = gzip(seed);
  const std::string_view letters = "0123456789-+.eE; :\n\r\t\"\0xnai"sv;
  const Folder folder;
  const Platform platform = hosts({3, 4});
  std::mt19937_64 random(1);
  int read = 0, refused = 0;
  for (int round = 0; round < 4000; ++round) {
    const bool zipped = round % 8 == 0;
    const std::string text = mutated(zipped ? packed : seed, random, letters, 6);
    SwfOptions options;
    options.bad_lines = below(random, 2) == 0 ? SwfBadLines::skip : SwfBadLines::error;
    options.oversize = static_cast<SwfOversize>(below(random, 4));
    options.max_jobs = 1000;
    try {
      const SwfLog log =
          zipped ? read_swf(folder.write("a.swf.gz", text), options) : parse_swf(text, "a", options);
      log.report();
      log.limitations();
      const SwfWorkload out = swf_workload(log, options, &platform);
      out.workload.check(platform);
      out.report();
      ++read;
    } catch (const Error&) {
      ++refused;
    }
  }
  CHECK(read > 100);
  CHECK(refused > 100);
}
