#include "runtime/model/readers/whole_number.h"

#include <catch2/catch.hpp>
#include <limits>
#include <string>

using nlohmann::json;
using perigee::readers::whole_number;

TEST_CASE("whole numbers of JSON are read where the type holds them") {
  CHECK(whole_number<std::uint64_t>(json::parse("18446744073709551615")) ==
        std::numeric_limits<std::uint64_t>::max());
  CHECK(whole_number<std::int64_t>(json::parse("-9223372036854775808")) ==
        std::numeric_limits<std::int64_t>::min());
  CHECK(whole_number<std::uint32_t>(json::parse("4294967295")) == 4294967295u);
  CHECK(whole_number<int>(nlohmann::ordered_json::parse("7.0")) == 7);
  CHECK(whole_number<int>(json::parse("-1e3")) == -1000);
}

TEST_CASE("what no integer type holds is refused") {
  for (const std::string text :
       {"18446744073709551616", "1e300", "-1e300", "1e16", "1.5", "true", "null", "\"7\"", "[7]"}) {
    INFO(text);
    CHECK_THROWS_AS(whole_number<std::uint64_t>(json::parse(text)), json::type_error);
    CHECK_THROWS_AS(whole_number<std::int64_t>(json::parse(text)), json::type_error);
  }
  CHECK_THROWS_AS(whole_number<std::uint64_t>(json::parse("-1")), json::type_error);
  CHECK_THROWS_AS(whole_number<std::uint32_t>(json::parse("4294967296")), json::type_error);
  CHECK_THROWS_AS(whole_number<std::uint64_t>(json(std::numeric_limits<double>::quiet_NaN())),
                  json::type_error);
}
