#include "runtime/model/readers/swf.h"

#include <unistd.h>
#include <zlib.h>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "runtime/kernel/error.h"
#include "tests/runtime/model/readers/swf_lines.h"
#include "tests/support/faults.h"
#include "tests/support/folder.h"
#include "tests/support/layers.h"
#include "tests/support/mutate.h"

using namespace perigee;
using namespace perigee::test;
using namespace std::string_view_literals;
using Anomaly = SwfAnomaly;

namespace {

Fault swf_fault(std::string_view text, const SwfOptions& options = {}) {
  return fault_of([&] { parse_swf(text, "a.swf", options); });
}

std::int64_t swf_count(const SwfLog& log, Anomaly anomaly) { return log.count(anomaly).count; }

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
