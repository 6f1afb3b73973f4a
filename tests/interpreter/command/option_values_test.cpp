#include "interpreter/command/option_values.h"

#include <catch2/catch.hpp>

#include <string>

#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;
using Catch::Matchers::Contains;

TEST_CASE("a shard is a part of a number of parts") {
  const auto read = [](const std::string& text) {
    CAPTURE(text);
    CHECK(shard_error(text).empty());
    const session::Shard shard = shard_of(text);
    return std::to_string(shard.index) + " of " + std::to_string(shard.count);
  };
  CHECK(read("7/200") == "7 of 200");
  CHECK(read("1/1") == "1 of 1");
  CHECK(read("200/200") == "200 of 200");
  CHECK(read("007/0200") == "7 of 200");  // as `printf %03d` writes them
  CHECK(read("1000000/1000000") == "1000000 of 1000000");
}

TEST_CASE("what is no shard is refused, with what is allowed and what was given") {
  for (const char* text : {"",
                           "/",
                           "7",
                           "7/",
                           "/200",
                           "0/200",
                           "201/200",
                           "1/0",
                           "0/0",
                           "-1/200",
                           "1/-200",
                           "+1/2",
                           "1/+2",
                           "1.5/2",
                           "1e0/2",
                           "1/2e0",
                           "0x1/2",
                           "a/b",
                           "1/2/3",
                           "1//2",
                           " 1/2",
                           "1/2 ",
                           "1 / 2",
                           "1\\2",
                           "1of2",
                           "1/1000001",
                           "18446744073709551617/18446744073709551618",
                           "1/18446744073709551617",
                           "2/1"}) {
    CAPTURE(text);
    CHECK(shard_error(text) ==
          std::string("write I/N, part I of N, with I from 1 to N and N at most 1000000; got ") + text);
  }
  CHECK_FALSE(shard_error(std::string("1/2\0", 4)).empty());
}

TEST_CASE("how long a worker may be silent is a number of seconds") {
  for (const char* text : {"30", "0.1", "2.5", "1e3", "1000000"}) {
    CAPTURE(text);
    CHECK(silence_error(text).empty());
  }
  for (const char* text :
       {"", "0", "0.09", "-1", "1000001", "1e7", "nan", "inf", "-inf", "x", "30s", " 30", "+30", "1e400"}) {
    CAPTURE(text);
    CHECK(silence_error(text) == std::string("must be a number of seconds from 0.1 to 1000000, got ") + text);
  }
}

TEST_CASE("a cell is a number, or a number with the name of its experiment") {
  for (const char* text : {"1", "7", "e:7", "a b:12", "a:b:3", "007", "999999999999999"}) {
    CAPTURE(text);
    CHECK(cell_error(text).empty());
  }
  for (const char* text :
       {"", "0", "00", "e:", ":7", "e:0", "e:x", "x", "-1", "1.5", "e: 7", "7:", "9999999999999999"}) {
    CAPTURE(text);
    CHECK_THAT(cell_error(text), Contains("write the number of a cell, or NAME:NUMBER") && Contains(text));
  }
}
