#include "runtime/kernel/quantity.h"

#include <catch2/catch.hpp>
#include <clocale>
#include <limits>
#include <string>

#include "runtime/kernel/error.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

namespace {
std::string refusal(std::string_view text, Dimension dimension) {
  try {
    parse_quantity(text, dimension);
  } catch (const Error& e) {
    CHECK(e.diagnostic().code == "bad_quantity");
    return e.what();
  }
  return "accepted";
}
bool contains(const std::string& text, const std::string& part) {
  INFO(text);
  return text.find(part) != std::string::npos;
}
}  // namespace

TEST_CASE("quantities with units") {
  using D = Dimension;
  CHECK(parse_quantity("67 ms", D::seconds) == 0.067);
  CHECK(parse_quantity("1.2s", D::seconds) == 1.2);
  CHECK(parse_quantity("  3 us ", D::seconds) == 3e-6);
  CHECK(parse_quantity("5 ns", D::seconds) == 5e-9);
  CHECK(parse_quantity("2 min", D::seconds) == 120);
  CHECK(parse_quantity("1.5 h", D::seconds) == 5400);
  CHECK(parse_quantity("1 d", D::seconds) == 86400);
  CHECK(parse_quantity("-2 s", D::seconds) == -2);
  CHECK(parse_quantity("+2", D::seconds) == 2);
  CHECK(parse_quantity("1e3", D::seconds) == 1000);

  CHECK(parse_quantity("300 KB", D::bytes) == 3e5);
  CHECK(parse_quantity("300 kB", D::bytes) == 3e5);
  CHECK(parse_quantity("1.2 MB", D::bytes) == 1.2e6);
  CHECK(parse_quantity("2 KiB", D::bytes) == 2048);
  CHECK(parse_quantity("1 TiB", D::bytes) == 1099511627776.0);
  CHECK(parse_quantity("8 bit", D::bytes) == 1);
  CHECK(parse_quantity("1 Gbit", D::bytes) == 125e6);

  CHECK(parse_quantity("10 KB/s", D::bytes_per_second) == 1e4);
  CHECK(parse_quantity("10 KB / s", D::bytes_per_second) == 1e4);
  CHECK(parse_quantity("100 Mbit/s", D::bytes_per_second) == 12.5e6);
  CHECK(parse_quantity("1 Gbps", D::bytes_per_second) == 125e6);
  CHECK(parse_quantity("8Mbps", D::bytes_per_second) == 1e6);

  CHECK(parse_quantity("3 Gflop", D::operations) == 3e9);
  CHECK(parse_quantity("3 Gop", D::operations) == 3e9);
  CHECK(parse_quantity("2.6 GHz", D::operations_per_second) == 2.6e9);
  CHECK(parse_quantity("2.6 Gflop/s", D::operations_per_second) == 2.6e9);
  CHECK(parse_quantity("7 op/s", D::operations_per_second) == 7);

  CHECK(parse_quantity("70 %", D::fraction) == 0.7);
  CHECK(parse_quantity("0.7", D::fraction) == 0.7);
  CHECK(parse_quantity("12", D::count) == 12);
}

TEST_CASE("bad quantities are refused with what is allowed") {
  using D = Dimension;
  CHECK(contains(refusal("10 kbs/s", D::bytes_per_second), "did you mean 'KB/s'?"));
  CHECK(contains(refusal("10 sec", D::seconds), "unknown unit 'sec'"));
  CHECK(contains(refusal("10 sec", D::seconds), "min, h, d"));
  CHECK(contains(refusal("10 mb", D::bytes), "did you mean 'MB'?"));
  CHECK(contains(refusal("1 Mb", D::bytes), "did you mean 'Mbit'?"));
  CHECK(contains(refusal("10 MBps", D::bytes_per_second), "did you mean 'MB/s'?"));
  CHECK(contains(refusal("10 Kb/s", D::bytes_per_second), "did you mean 'kbit/s'?"));
  CHECK(contains(refusal("1 m", D::seconds), "did you mean 'min'?"));
  CHECK(contains(refusal("3 hours", D::seconds), "did you mean 'h'?"));
  CHECK(contains(refusal("10 KB", D::seconds), "'10 KB' is not a quantity in seconds"));
  CHECK(contains(refusal("1,5 s", D::seconds), "not a comma"));
  for (const char* text : {"", " ", "s", "ten s", "0x10 s", "1 s s", "1 s 2", "--1 s", "+-1 s", "inf",
                           "nan s", "1e999 s", "1e300 d e", ".", "-", "1.2.3 s", "1e s"}) {
    INFO(text);
    CHECK(refusal(text, D::seconds) != "accepted");
  }
  CHECK(contains(refusal("1e308 d", D::seconds), "too large"));
  CHECK(contains(refusal("12 %", D::count), "plain number"));
  CHECK(refusal(std::string(100000, 'x'), D::seconds).size() < 400);
  CHECK(refusal("1 " + std::string(100000, ' ') + "/ s", D::seconds).size() < 400);
}

TEST_CASE("quantities do not depend on the locale") {
  CHECK(parse_number(" -1.5e-3 ") == -0.0015);
  CHECK_THROWS_AS(parse_number("1,5"), Error);
  CHECK_THROWS_AS(parse_number("1 s"), Error);
  CHECK_THROWS_AS(parse_number(""), Error);
  CHECK_THROWS_AS(parse_number("inf"), Error);
  CHECK(format_number(0.1) == "0.1");
  CHECK(format_number(1e22) == "1e+22");
  CHECK(format_number(3) == "3");
  CHECK(format_number(1e5) == "100000");
  CHECK(format_number(-1e15) == "-1000000000000000");
  CHECK(format_number(0x1p53) == "9007199254740992");
  CHECK(format_number(0x1p53 + 2) == "9007199254740994");  // as short as with an exponent
  CHECK(format_number(1e16) == "1e+16");
  CHECK(format_number(123456.5) == "123456.5");
  CHECK(format_number(1.5e-7) == "1.5e-07");
  CHECK(format_number(1.0 / 3) == "0.3333333333333333");
  CHECK(format_number(-std::numeric_limits<double>::infinity()) == "-inf");
  CHECK(format_number(std::numeric_limits<double>::quiet_NaN()) == "nan");
}

TEST_CASE("quantities for people") {
  using D = Dimension;
  CHECK(format_quantity(0, D::seconds) == "0 s");
  CHECK(format_quantity(0.0012, D::seconds) == "1.2 ms");
  CHECK(format_quantity(90, D::seconds) == "90 s");
  CHECK(format_quantity(7500, D::seconds) == "2 h 5 min");
  CHECK(format_quantity(-125, D::seconds) == "-2 min 5 s");
  CHECK(format_quantity(7200, D::seconds) == "2 h");
  CHECK(format_quantity(3599.9, D::seconds) == "1 h");
  CHECK(format_quantity(90000, D::seconds) == "1 d 1 h");
  CHECK(format_quantity(1e4, D::bytes_per_second) == "10 KB/s");
  CHECK(format_quantity(1.2e6, D::bytes) == "1.2 MB");
  CHECK(format_quantity(12, D::bytes) == "12 B");
  CHECK(format_quantity(2.6e9, D::operations_per_second) == "2.6 Gop/s");
  CHECK(format_quantity(3e9, D::operations) == "3 Gop");
  CHECK(format_quantity(0.7, D::fraction) == "70 %");
  CHECK(format_quantity(std::numeric_limits<double>::infinity(), D::seconds) == "inf");
}
