#include "runtime/model/readers/etc_file.h"
#include "runtime/cost/etc.h"
#include "runtime/kernel/constants.h"

#include <unistd.h>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "runtime/kernel/error.h"
#include "tests/support/faults.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

namespace {

using MaybeShape = std::optional<EtcShape>;

Fault fault(std::string_view text, std::string_view name = "m.etc", MaybeShape shape = {}) {
  return fault_of([&] { parse_etc(text, name, shape); });
}

void check(const EtcMatrix& etc, std::size_t tasks, std::size_t machines, const std::vector<double>& values) {
  CHECK(etc.tasks == tasks);
  CHECK(etc.machines == machines);
  CHECK(etc.values == values);
}

}  // namespace

TEST_CASE("Braun files: with and without a first line") {
  check(parse_etc("2 3\n1 2 3\n4 5 6\n", "m"), 2, 3, {1, 2, 3, 4, 5, 6});
  check(parse_etc("2 3 0\r\n1\r\n2\r\n3\r\n4\r\n5\r\n6", "m"), 2, 3, {1, 2, 3, 4, 5, 6});
  check(parse_etc("\n 2 3\n1 2 3 4 5 6", "m", EtcShape{2, 3}), 2, 3, {1, 2, 3, 4, 5, 6});
  check(parse_etc("1\n2\n3\n4\n5\n6\n", "m", EtcShape{3, 2}), 3, 2, {1, 2, 3, 4, 5, 6});
  check(parse_etc("1.5e3 inf\nnull 0\n", "m", EtcShape{2, 2}), 2, 2, {1500, kInfinity, kInfinity, 0});
  check(parse_etc("\xEF\xBB\xBF"
                  "1 1\n7\n",
                  "m"),
        1, 1, {7});
  check(parse_etc("1 2\n1e-999 -0\n", "m"), 1, 2, {0, 0});
}

TEST_CASE("Braun files: a first line of values is not taken for a heading") {
  // Two integers a line: the shape given fits the whole file.
  check(parse_etc("3 4\n5 6\n7 8\n", "m", EtcShape{3, 2}), 3, 2, {3, 4, 5, 6, 7, 8});
  // One number on the first line is a value.
  check(parse_etc("2\n3\n4\n5\n", "m", EtcShape{2, 2}), 2, 2, {2, 3, 4, 5});
  // Both readings are possible, so the caller's shape decides.
  check(parse_etc("2 2\n1 2 3 4\n", "m", EtcShape{2, 3}), 2, 3, {2, 2, 1, 2, 3, 4});
  check(parse_etc("2 2\n1 2 3 4\n", "m"), 2, 2, {1, 2, 3, 4});
}

TEST_CASE("Braun files: the name tells the shape") {
  std::string text;
  for (int i = 0; i < 512 * 16; ++i) text += std::to_string(i) + "\n";
  const EtcMatrix etc = parse_etc(text, "data/u_s_lohi.3");
  CHECK(etc.tasks == 512);
  CHECK(etc.machines == 16);
  CHECK(etc.at(1, 2) == 18);
  CHECK(fault(text, "data/some.txt").code == "etc_size");
  CHECK(fault("1\n2\n", "u_s_lohi.3").text ==
        "u_s_lohi.3:3: column 1: 512 x 16 (tasks x machines) needs 8192 numbers, found 2");
}

TEST_CASE("Braun files: wrong counts and values with their place") {
  CHECK(fault("2 2\n1 2\n3\n").code == "etc_size");
  CHECK(fault("2 2\n1 2\n3\n").text ==
        "m.etc:4: column 1: 2 x 2 (tasks x machines) needs 4 numbers, found 3");
  CHECK(fault("2 2\n1 2\n3 4 5\n").text ==
        "m.etc:3: column 5: 2 x 2 (tasks x machines) needs 4 numbers, found 5");
  CHECK(fault("2 2\n1 2\n3 4\n", "m.etc", EtcShape{4, 1}).text ==
        "m.etc:1: column 1: the matrix is 2 x 2, expected 4 x 1");
  CHECK(fault("2 2\n1 -2\n3 4\n").code == "etc_value");
  CHECK(fault("2 2\n1 -2\n3 4\n").text == "m.etc:2: column 3: a time must be >= 0 or inf, got -2");
  CHECK(fault("2 2\n1 2\n3  4x\n").text ==
        "m.etc:3: column 4: '4x' is not a time (a number >= 0, or inf or null: cannot run there)");
  for (const char* bad : {"nan", "-inf", "1e999", "0x10", "1.2.3", "--1", "+-1", "1_0", "", "\x01\xff"})
    CHECK(fault("1 2\n5 " + std::string(bad) + "\n").code == (*bad == '\0' ? "etc_size" : "etc_value"));
  CHECK(fault("0 5\n").code == "etc_size");
  CHECK(fault("18446744073709551615 18446744073709551615\n1\n").code == "etc_size");
  CHECK(fault("4294967296 4294967296\n").code == "etc_size");
  CHECK(fault("1 2 3 4\n").code == "etc_size");
  CHECK(fault("").code == "bad_file");
  CHECK(fault(" \r\n\t\n").code == "bad_file");
}

TEST_CASE("CSV: names, separators, quotes") {
  check(parse_etc("1,2\n3,4\n", "m"), 2, 2, {1, 2, 3, 4});
  check(parse_etc("1;2\r\n3;inf\r\n\r\n", "m"), 2, 2, {1, 2, 3, kInfinity});
  check(parse_etc("1\n2\n", "m.CSV"), 2, 1, {1, 2});

  const EtcMatrix headed = parse_etc("fast,slow\n1,2\n3,4\n", "m.csv");
  check(headed, 2, 2, {1, 2, 3, 4});
  CHECK(headed.machine_names == std::vector<std::string>{"fast", "slow"});
  CHECK(headed.task_names.empty());

  const EtcMatrix both =
      parse_etc("task, fast ,\"s, \"\"low\"\"\"\nt1,1,2\n\"t;2\" ,3,4", "m.csv", EtcShape{2, 2});
  check(both, 2, 2, {1, 2, 3, 4});
  CHECK(both.machine_names == std::vector<std::string>{"fast", "s, \"low\""});
  CHECK(both.task_names == std::vector<std::string>{"t1", "t;2"});

  const EtcMatrix numbered = parse_etc(";0;1\n7;1;2\n8;3;4\n", "m.csv");
  check(numbered, 2, 2, {1, 2, 3, 4});
  CHECK(numbered.machine_names == std::vector<std::string>{"0", "1"});
  CHECK(numbered.task_names == std::vector<std::string>{"7", "8"});

  const EtcMatrix short_head = parse_etc("a,b\nt1,1,2\nt2,3,4\n", "m.csv");
  check(short_head, 2, 2, {1, 2, 3, 4});
  CHECK(short_head.machine_names == std::vector<std::string>{"a", "b"});

  const EtcMatrix rows = parse_etc("t1,1,2\nt2,3,4\n", "m.csv");
  check(rows, 2, 2, {1, 2, 3, 4});
  CHECK(rows.task_names == std::vector<std::string>{"t1", "t2"});
  CHECK(rows.machine_names.empty());
}

TEST_CASE("CSV: faults with their place") {
  CHECK(fault("1,2\n3\n", "m.csv").text == "m.csv:2: column 1: 1 cells in this row, 2 in the first");
  CHECK(fault("1,2\n3,4,5\n", "m.csv").text == "m.csv:2: column 5: 3 cells in this row, 2 in the first");
  CHECK(fault("a,b\n1,-2\n", "m.csv").text == "m.csv:2: column 3: a time must be >= 0 or inf, got -2");
  CHECK(fault("1,2\n3,x\n", "m.csv").code == "etc_value");
  CHECK(fault("1,x\n3,4\n", "m.csv").code == "etc_value");
  CHECK(fault("1,2\n3,\n", "m.csv").text ==
        "m.csv:2: column 3: empty cell (write inf where a task cannot run)");
  CHECK(fault("1;2,5\n", "m.csv").text == "m.csv:1: column 3: '2,5' is not a time: write a decimal point");
  CHECK(fault("\"1,2\n", "m.csv").text == "m.csv:1: column 1: a quote is not closed on its line");
  CHECK(fault("\"1\"x,2\n", "m.csv").code == "etc_value");
  CHECK(fault("a,b,c,d\n1,2\n", "m.csv").code == "etc_size");
  CHECK(fault("a,b\n", "m.csv").code == "etc_size");
  CHECK(fault("1,2\n", "m.csv", EtcShape{2, 2}).text ==
        "m.csv:1: column 1: the matrix is 1 x 2, expected 2 x 2");
}

TEST_CASE("files that cannot be read") {
  const auto folder = std::filesystem::temp_directory_path() / ("perigee_etc_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const auto write = [&](const char* name, const std::string& text) {
    std::ofstream(folder / name, std::ios::binary) << text;
    return folder / name;
  };
  const auto read = [](const std::filesystem::path& path) { return fault_of([&] { read_etc(path); }); };
  CHECK(read(folder / "missing").code == "bad_file");
  CHECK(read(folder / "missing").text == (folder / "missing").string() + ": there is no such file");
  CHECK(read(folder).code == "bad_file");
  CHECK(read("/dev/null").code == "bad_file");
  CHECK(read(write("empty", "")).text == (folder / "empty").string() + ": the file is empty");
  const auto huge = write("huge", "1");
  std::filesystem::resize_file(huge, kLargestEtcFile + 1);  // a hole, no space
  CHECK(read(huge).code == "bad_file");
  CHECK(read(write("cut", "2 2\n1\n2\n")).code == "etc_size");
  check(read_etc(write("good", "2 1\n1\n2\n")), 2, 1, {1, 2});
  std::filesystem::remove_all(folder);
}

TEST_CASE("no text makes the reader do anything but answer or throw an Error") {
  std::mt19937_64 rng(4);
  const std::string alphabet = "0123456789 \n\r,;\".-+einfaul\t\xff";
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (std::size_t i = rng() % 30; i > 0; --i) text += alphabet[rng() % alphabet.size()];
    try {
      const EtcMatrix etc =
          parse_etc(text, round % 2 == 0 ? "m.csv" : "m", round % 3 == 0 ? MaybeShape({2, 2}) : MaybeShape());
      check_etc(etc);
      REQUIRE(etc.values.size() == etc.tasks * etc.machines);
    } catch (const Error& error) {
      REQUIRE(!error.diagnostic().code.empty());
      REQUIRE(error.diagnostic().code != "bad_etc");
    }
  }
}
