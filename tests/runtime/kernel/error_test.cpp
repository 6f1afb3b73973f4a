#include "runtime/kernel/error.h"
#include "tests/support/layers.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace perigee;
using namespace perigee::test;

TEST_CASE("an error shows place, message and notes") {
  try {
    fail_at({"cluster.lua", 14}, "bad_speed", "host '{}': speed must be > 0, got {}", "n07", -2);
    FAIL("no exception");
  } catch (const Error& e) {
    CHECK(std::string(e.what()) == "cluster.lua:14: host 'n07': speed must be > 0, got -2");
    CHECK(e.diagnostic().code == "bad_speed");
    CHECK(e.diagnostic().where.line == 14);
  }
  const Error with_notes(Diagnostic{"x", "message", {}, {"first", "second"}});
  CHECK(std::string(with_notes.what()) == "message\nfirst\nsecond");
  const Error again(Diagnostic{"x", "message", {}, {"in a", "in b", "in b", "in b", "in a"}});
  CHECK(std::string(again.what()) == "message\nin a\nin b (3 times)\nin a");
  CHECK(std::string(Error(Diagnostic{"x", "m", {"a.lua", 0}, {}}).what()) == "a.lua: m");
  CHECK_THROWS_AS(fail("x", "{}", 1), Error);
}

TEST_CASE("nearest name") {
  const std::vector<std::string> names = {"max_min", "min_min", "sufferage", "workqueue", "edf"};
  CHECK(nearest("minmin", names) == "min_min");
  CHECK(nearest("Min-Min", names) == "min_min");
  CHECK(nearest("sufferrage", names) == "sufferage");
  CHECK(nearest("suffreage", names) == "sufferage");  // one transposition
  CHECK(nearest("work queue", names) == "workqueue");
  CHECK(nearest("efd", names) == "edf");
  CHECK(nearest("bandwidth", names).empty());
  CHECK(nearest("", names).empty());
  CHECK(nearest("x", std::vector<std::string>{}).empty());
  CHECK(nearest(std::string(100000, 'a'), names).empty());

  const std::vector<std::string_view> views = {"ab", "ba", "abc"};
  CHECK(nearest("abd", views) == "ab");  // as near as "abc"; the first wins
  CHECK(did_you_mean("minmin", names) == "; did you mean 'min_min'?");
  CHECK(did_you_mean("zzz", names).empty());
}

TEST_CASE("an assertion throws InternalError with its place") {
  CHECK_NOTHROW([] { PERIGEE_ASSERT(1 + 1 == 2, "arithmetic"); }());
  try {
    PERIGEE_ASSERT(1 > 2, "ordered");
    FAIL("no exception");
  } catch (const InternalError& e) {
    const std::string text = e.what();
    CHECK(text.find("error_test.cpp:") != std::string::npos);
    CHECK(text.find("ordered (1 > 2)") != std::string::npos);
  }
}
