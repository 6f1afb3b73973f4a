// Scenarios and problems as texts of Lua: every field is written, and what is read again is the same to the bit.
#include "interpreter/bindings/script/script.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/bindings/script/lua_text.h"
#include "interpreter/host/fields.h"
#include "interpreter/host/reading.h"
#include "runtime/kernel/random.h"
#include "tests/interpreter/bindings/script/said.h"
#include "tests/interpreter/session.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;
using namespace perigee::bindings;
using Catch::Matchers::Contains;

namespace {

// The value of an expression of Lua, as fields are read.
class Expression {
 public:
  explicit Expression(const std::string& text) : L_(luaL_newstate()) {
    luaL_requiref(L_, "math", luaopen_math, 1);
    const std::string chunk = "return " + text;
    INFO(chunk);
    REQUIRE(luaL_loadbuffer(L_, chunk.data(), chunk.size(), "text") == LUA_OK);
    REQUIRE(lua_pcall(L_, 0, 1, 0) == LUA_OK);
  }
  ~Expression() { lua_close(L_); }
  lua_State* state() const { return L_; }

 private:
  lua_State* L_;
};

std::uint64_t bits_read(double value) {
  return std::bit_cast<std::uint64_t>(lua_tonumber(Expression(lua_number(value)).state(), -1));
}

}  // namespace

TEST_CASE("numbers read back to the bit") {
  const double extremes[] = {0.0,
                             -0.0,
                             0.1,
                             1.0 / 3,
                             1e308,
                             std::numeric_limits<double>::max(),
                             std::numeric_limits<double>::min(),
                             std::numeric_limits<double>::denorm_min(),
                             -std::numeric_limits<double>::denorm_min(),
                             9007199254740992,
                             9007199254740991,
                             9007199254740994,
                             -9007199254740993.0 * 3,
                             9223372036854775808.0,
                             1e15,
                             1e16,
                             1e17,
                             std::numeric_limits<double>::infinity(),
                             -std::numeric_limits<double>::infinity()};
  for (const double value : extremes) {
    INFO(value);
    CHECK(bits_read(value) == std::bit_cast<std::uint64_t>(value));
  }
  Stream rng(1, "numbers");
  for (int i = 0; i < 20'000; ++i) {
    const auto value = std::bit_cast<double>(rng());
    if (!std::isnan(value) && bits_read(value) != std::bit_cast<std::uint64_t>(value))
      FAIL(fmt::format("{} is read as another number", lua_number(value)));
  }
}

TEST_CASE("strings of any bytes read back") {
  std::vector<std::string> all{"", "\"", "\\", "]]", "--[[", "\\n", "a\nb\r\n", "\xff\xfe 9", "]]\"\\\0z"};
  std::string every;
  for (int c = 0; c < 256; ++c) every += static_cast<char>(c);
  all.push_back(every);
  std::ranges::reverse(every);
  all.push_back(every);
  for (const std::string& bytes : all) {
    const Expression read(lua_string(bytes));
    std::size_t length = 0;
    const char* const found = lua_tolstring(read.state(), -1, &length);
    CHECK(std::string(found, length) == bytes);
  }
  LuaTable keys;
  for (const char* key : {"end", "a b", "1", "", "a", "_x9", "\n"}) keys.field(key, "1");
  const Expression table(keys.text());
  int count = 0;
  for (lua_pushnil(table.state()); lua_next(table.state(), -2) != 0; lua_pop(table.state(), 1)) ++count;
  CHECK(count == 7);
}

TEST_CASE("profiles read back, with the instants that count as a step") {
  std::vector<Profile> all{Profile(0),
                           Profile(0.1),
                           Profile::steps({2, 5}, {1, 0.3}),
                           Profile::steps({0, 0.1, 0.30000000000000004}, {1, 2, 0}),
                           Profile::periodic({0, 5}, {1, 0.5}, 10),
                           Profile::periodic({0, 1, 5}, {1, 1, 0.5}, 10),  // two steps of one value
                           Profile::circular({1, 1, 2}, 0.1),
                           Profile::circular({0, 0, 0, 1}, 1.0 / 3),
                           Profile::circular({1, 2, 2, 1}, 7)};
  Stream rng(2, "profiles");
  const auto between = [&](double low, double high) { return low + (high - low) * rng.uniform(); };
  for (int i = 0; i < 300; ++i) {
    std::vector<double> values, times{0};
    for (std::uint64_t n = 1 + rng() % 6; n > 0; --n) values.push_back(static_cast<double>(rng() % 3));
    all.push_back(Profile::circular(values, between(0.01, 3)));
    while (times.size() < values.size()) times.push_back(times.back() + between(0.1, 1));
    all.push_back(Profile::periodic(times, values, times.back() + between(0.1, 1)));
  }
  for (const Profile& profile : all) {
    const std::string text = lua_profile(profile);
    INFO(text);
    const Expression read(text);
    const Profile again =
        host::profile_at(read.state(), -1, "profile", kernel::Dimension::count, host::kNotNegative);
    CHECK(again == profile);
    CHECK(again.slack() == profile.slack());
  }
}

TEST_CASE("each field that a word takes is written, or another one says it") {
  std::set<std::string_view> words;
  for (const WrittenWord& each : written_words()) {
    INFO(each.word);
    CHECK(words.insert(each.word).second);
    std::set<std::string_view> taken;
    for (const host::FieldRow& field : each.takes) {
      INFO(field.name);
      taken.insert(field.name);
      CHECK(std::ranges::count(each.writes, field.name) + std::ranges::count(each.others, field.name) == 1);
    }
    for (const auto* list : {&each.writes, &each.others})
      for (const std::string_view name : *list) {
        INFO(name);
        CHECK(taken.contains(name));
      }
  }
  for (const char* word : {"host",
                           "cluster",
                           "link",
                           "licence",
                           "complete",
                           "power",
                           "scenario",
                           "queue",
                           "qos",
                           "workload.tasks",
                           "workload.jobs",
                           "workload.sweeps",
                           "workload.loads",
                           "workload.reservations",
                           "workload.workflow",
                           "workload.etc",
                           "outage",
                           "leave",
                           "join",
                           "change",
                           "reserve",
                           "maintenance",
                           "mark",
                           "failures"}) {
    INFO(word);
    CHECK(words.contains(word));
  }
}

namespace {

// A scenario in which `@` stands for fields of the word.
const std::map<std::string_view, std::string>& frames() {
  const auto frame = [](const std::string& parts, const std::string& work, const std::string& rest) {
    return "scenario { platform = platform { router 'r', cluster 'c' { nodes = 3, cores = 8, memory = 1000, "
           "resources = { gpu = 8 }, architecture = 'k', link = { bandwidth = 3 } }, licence 'lic' { count = 5 }, " +
           parts + " }, workload = " + (work.empty() ? "workload.tasks { { time = 1 } }" : work) +
           ", queues = { queue 'q' { } }, qos = { qos 's' { } }, " + rest + " }";
  };
  const auto part = [&](const std::string& text) { return frame(text, "", ""); };
  const auto work = [&](const std::string& text) { return frame("", text, ""); };
  const auto event = [&](const std::string& text) { return frame("", "", "events = { " + text + " }"); };
  static const std::map<std::string_view, std::string> kFrames = {
      {"host", part("host 'x' { @ }")},
      {"cluster", part("cluster 'x' { @ }")},
      {"link", part("link 'x' { to = 'r', bandwidth = 1, @ }")},
      {"link of a cluster", part("cluster 'x' { link = { bandwidth = 1, @ } }")},
      {"licence", part("licence 'x' { @ }")},
      {"complete",
       "scenario { platform = platform { cluster 'x' { }, cluster 'y' { }, complete { @ } }, workload = "
       "workload.tasks { { time = 1 } } }"},
      {"power", part("host 'x' { power = { idle = 1, busy = 50, @ } }")},
      {"power: states",
       part("host 'x' { power = { states = { { idle = 1, busy = 50 }, { idle = 1, busy = 50, @ } } } }")},
      {"power: boot", part("host 'x' { power = { idle = 1, busy = 2, boot = { @ } } }")},
      {"power of a link", part("link 'x' { to = 'r', bandwidth = 1, power = { idle = 1, busy = 50, @ } }")},
      {"scenario", frame("", "", "@")},
      {"on_failure", frame("", "", "on_failure = { @ }")},
      {"queue", frame("", "", "queues = { queue 'q' { @ } }")},
      {"qos", frame("", "", "qos = { qos 's' { @ } }")},
      {"workload.tasks",
       work("workload.tasks { { time = 1, outputs = { file('made', 3) } }, { time = 1, @ } }")},
      {"workload.jobs",
       work("workload.merge { workload.reservations { { name = 'res', hosts = 1, from = 1, to = 90 } }, "
            "workload.jobs { { time = 1, @ } } }")},
      {"workload.sweeps", work("workload.sweeps { { time = 1, runs = 2, @ } }")},
      {"workload.loads", work("workload.loads { { time = 1, size = 2, @ } }")},
      {"workload.reservations", work("workload.reservations { { hosts = 1, from = 1, to = 40, @ } }")},
      {"workload.workflow", work("workload.workflow { tasks = { { time = 1, output = 3 } }, @ }")},
      {"workload.etc",
       work(
           "workload.etc(etc { { 1, 2, 3 }, { 4, 5, 6 } }, { quality = etc { { 1, 1, 1 }, { 1, 1, 1 } }, @ })")},
      {"checkpoint", work("workload.jobs { { time = 1, checkpoint = { interval = 5, @ } } }")},
      {"outage", event("outage { from = 1, to = 40, @ }")},
      {"leave", event("leave { at = 3, @ }")},
      {"join", event("leave { at = 0, cluster = 'c' }, join { at = 3, @ }")},
      {"change", event("change { at = 3, @ }")},
      {"reserve", event("reserve { from = 5, to = 40, @ }")},
      {"maintenance", event("maintenance { from = 5, to = 40, @ }")},
      {"mark", event("mark { at = 3, name = 'm', @ }")},
      {"failures", event("failures { mtbf = 5, mttr = 6, @ }")}};
  return kFrames;
}

// How a field is given, and how it is written where that is otherwise.
struct Sample {
  std::string_view word, field;
  std::string given, written = {};
};

const std::vector<Sample>& samples() {
  const std::string profile = "{ { 0, 0.5 }, { 37, 0.25 } }";
  static const std::vector<Sample> kSamples = {
      {"host", "cores", "cores = 37"},
      {"host", "speed", "speed = 37.5"},
      {"host", "availability", "availability = " + profile},
      {"host", "architecture", "architecture = \"own\""},
      {"host", "slots", "slots = 37"},
      {"host", "setup", "setup = 37"},
      {"host", "exclusive", "exclusive = true"},
      {"host", "overtake", "overtake = true"},
      {"host", "switch", "switch = 'leaf'", "switch = \"s1\""},
      {"host", "memory", "memory = 37"},
      {"host", "resources", "resources = { fpga = 37 }"},
      {"host", "power", "power = { idle = 3, busy = 37 }"},
      {"host", "link", "link = { bandwidth = 37 }"},
      {"host", "at", "at = 'r'", "at = \"r\""},
      {"host", "store", "store = 37"},
      {"cluster", "nodes", "nodes = 37"},
      {"link", "from", "from = 'c', to = 'r'", "from = \"c\""},
      {"link", "to", "to = 'c'", "to = \"c\""},
      {"link", "bandwidth", "bandwidth = 37"},
      {"link", "latency", "latency = " + profile},
      {"link", "sharing", "sharing = \"unlimited\""},
      {"link", "overtake", "overtake = true"},
      {"link", "power", "power = { idle = 3, busy = 37 }"},
      {"link of a cluster", "name", "name = \"way in\""},
      {"licence", "count", "count = 37"},
      {"complete", "bandwidth", "bandwidth = 37"},
      {"complete", "latency", "latency = { 3, 37 }"},
      {"power", "idle", "idle = 37"},
      {"power", "busy", "busy = 37"},
      {"power", "epsilon", "epsilon = 37"},
      {"power", "off", "off = 37"},
      {"power", "down", "down = 37"},
      {"power", "boot", "boot = { time = 3, power = 37 }"},
      {"power", "shutdown", "shutdown = { time = 3, power = 37 }"},
      {"power", "states",
       "idle = nil, busy = nil, states = { { idle = 3, busy = 4 }, { idle = 3, busy = 4, factor = 0.5 } }",
       "states = { { idle = 3, busy = 4 }, { idle = 3, busy = 4, factor = 0.5 } }"},
      {"power: states", "idle", "idle = 37"},
      {"power: states", "busy", "busy = 37"},
      {"power: states", "epsilon", "epsilon = 37"},
      {"power: states", "factor", "factor = 37"},
      {"power: boot", "time", "time = 37"},
      {"power: boot", "power", "time = 1, power = 37"},
      {"power of a link", "idle", "idle = 37"},
      {"power of a link", "busy", "busy = 37"},
      {"scenario", "platform", "", "platform = platform {"},
      {"scenario", "workload", "", "workload = workload.tasks {"},
      {"scenario", "events", "events = { mark { at = 37, name = 'm' } }", "mark { at = 37, name = \"m\" }"},
      {"scenario", "on_failure", "on_failure = { compute = \"resumed\" }"},
      {"scenario", "at_limit", "at_limit = \"requeue\""},
      {"scenario", "queues", "queues = { queue 'own' { } }", "queue \"own\" {}"},
      {"scenario", "qos", "qos = { qos 'own' { } }", "qos \"own\" {}"},
      {"on_failure", "compute", "compute = \"restarted\""},
      {"on_failure", "transfer", "transfer = \"restarted\""},
      {"on_failure", "hold", "hold = \"restarted\""},
      {"on_failure", "requeue_stranded", "requeue_stranded = false"},
      {"on_failure", "store", "store = \"lost\""},
      {"queue", "hosts", "hosts = { 'c.1', 'c.3' }", "hosts = { \"c.1\", \"c.3\" }"},
      {"queue", "tier", "tier = 37"},
      {"queue", "priority", "priority = 37"},
      {"queue", "max_time", "max_time = 37"},
      {"queue", "max_nodes", "max_nodes = 37"},
      {"queue", "max_cores", "max_cores = 37"},
      {"queue", "max_running", "max_running = 37"},
      {"queue", "max_running_user", "max_running_user = 37"},
      {"queue", "max_cores_user", "max_cores_user = 37"},
      {"queue", "default_time", "default_time = 37"},
      {"qos", "tier", "tier = 37"},
      {"qos", "priority", "priority = 37"},
      {"qos", "usage", "usage = 37"},
      {"qos", "max_running_user", "max_running_user = 37"},
      {"workload.tasks", "name", "name = \"own\""},
      {"workload.tasks", "time", "time = 37"},
      {"workload.tasks", "ops", "time = nil, ops = 37", "ops = 37"},
      {"workload.tasks", "times", "time = nil, times = { 37, 38, math.huge }",
       "times = { 37, 38, math.huge }"},
      {"workload.tasks", "estimate", "estimate = 37"},
      {"workload.tasks", "arrival", "arrival = 37"},
      {"workload.tasks", "inputs", "inputs = { 'made', file('f', 37) }",
       "inputs = { \"made\", file(\"f\", 37) }"},
      {"workload.tasks", "outputs", "outputs = { file('f', 37, 38) }", "outputs = { file(\"f\", 37, 38) }"},
      {"workload.tasks", "after", "after = { 1 }"},
      {"workload.tasks", "priority", "priority = 37"},
      {"workload.tasks", "user", "user = \"own\""},
      {"workload.tasks", "deadline", "deadline = 37"},
      {"workload.jobs", "name", "name = \"own\""},
      {"workload.jobs", "time", "time = { k = 37 }"},
      {"workload.jobs", "ops", "time = nil, ops = 37", "ops = 37"},
      {"workload.jobs", "times", "time = nil, times = { 37, 38, 39 }", "times = { 37, 38, 39 }"},
      {"workload.jobs", "estimate", "estimate = 37"},
      {"workload.jobs", "arrival", "arrival = 37"},
      {"workload.jobs", "nodes", "nodes = 3"},
      {"workload.jobs", "cores", "cores = 7"},
      {"workload.jobs", "processes", "processes = 17"},
      {"workload.jobs", "per_node", "processes = 17, per_node = 6", "per_node = 6"},
      {"workload.jobs", "exclusive", "exclusive = true"},
      {"workload.jobs", "same", "nodes = 3, same = \"switch\"", "same = \"switch\""},
      {"workload.jobs", "only", "only = { 'c.1', 'c.3' }", "only = { \"c.1\", \"c.3\" }"},
      {"workload.jobs", "limit", "limit = 37"},
      {"workload.jobs", "grace", "limit = 3, grace = 37", "grace = 37"},
      {"workload.jobs", "checkpoint", "checkpoint = { interval = 37 }"},
      {"workload.jobs", "reservation", "reservation = \"res\""},
      {"workload.jobs", "memory", "memory = 37"},
      {"workload.jobs", "memory_per_core", "memory_per_core = 37"},
      {"workload.jobs", "resources", "resources = { gpu = 7 }"},
      {"workload.jobs", "resources_per_core", "resources_per_core = { gpu = 7 }"},
      {"workload.jobs", "licences", "licences = { lic = 4 }"},
      {"workload.jobs", "memory_traffic", "memory_traffic = 37"},
      {"workload.jobs", "priority", "priority = -37"},
      {"workload.jobs", "user", "user = \"own\""},
      {"workload.jobs", "deadline", "deadline = 37"},
      {"workload.jobs", "queue", "queue = \"q\""},
      {"workload.jobs", "qos", "qos = \"s\""},
      {"workload.jobs", "account", "account = \"own\""},
      {"workload.jobs", "nice", "nice = 37"},
      {"workload.jobs", "load", "load = 0.37"},
      {"workload.sweeps", "runs", "runs = 37"},
      {"workload.sweeps", "trials", "trials = 37"},
      {"workload.sweeps", "weights", "weights = { 3, 37 }"},
      {"workload.sweeps", "noise", "noise = 0.37"},
      {"workload.sweeps", "bytes", "bytes = 37"},
      {"workload.loads", "size", "size = 37"},
      {"workload.loads", "bytes", "bytes = 37"},
      {"workload.loads", "bytes_estimate", "bytes = 3, bytes_estimate = 37", "bytes_estimate = 37"},
      {"workload.reservations", "name", "name = \"own\""},
      {"workload.reservations", "arrival", "arrival = 37"},
      {"workload.reservations", "hosts", "hosts = 2"},
      {"workload.reservations", "from", "from = 37"},
      {"workload.reservations", "to", "to = 37"},
      {"workload.reservations", "io_ratio", "io_ratio = 0.37"},
      {"workload.reservations", "priority", "priority = 37"},
      {"workload.reservations", "user", "user = \"own\""},
      {"workload.workflow", "name", "name = \"own\""},
      {"workload.workflow", "arrival", "arrival = 37"},
      {"workload.workflow", "deadline", "deadline = 37"},
      {"workload.workflow", "home", "home = \"none\""},
      {"workload.workflow", "tasks", "", "tasks = {"},
      {"workload.etc", "times", "times = etc { { 37, 2, 3 }, { 4, 5, 6 } }",
       "times = etc { { 37, 2, 3 }, { 4, 5, 6 } }"},
      {"workload.etc", "quality", "quality = etc { { 37, 1, 1 }, { 1, 1, 1 } }",
       "quality = etc { { 37, 1, 1 }, { 1, 1, 1 } }"},
      {"workload.etc", "arrivals", "arrivals = { 3, 37 }"},
      {"workload.etc", "priorities", "priorities = { 37, 3 }"},
      {"checkpoint", "interval", "interval = \"daly\", cost = 3", "interval = \"daly\""},
      {"checkpoint", "cost", "cost = 37"},
      {"checkpoint", "bytes", "bytes = 37, link = 'c.link'", "bytes = 37"},
      {"checkpoint", "link", "bytes = 37, link = 'c.link'", "link = \"c.link\""},
      {"checkpoint", "restart", "restart = 37"},
      {"checkpoint", "store", "store = \"local\""},
      {"outage", "host", "host = 'c.2'", "host = \"c.2\""},
      {"outage", "cluster", "cluster = 'c'", "cluster = \"c\""},
      {"outage", "link", "link = 'c.link'", "link = \"c.link\""},
      {"outage", "from", "host = 'c.1', from = 37", "from = 37"},
      {"outage", "to", "host = 'c.1', to = 37", "to = 37"},
      {"outage", "announced", "host = 'c.1', announced = false", "announced = false"},
      {"outage", "known", "host = 'c.1', known = 0.37", "known = 0.37"},
      {"leave", "host", "host = 'c.2'", "host = \"c.2\""},
      {"leave", "cluster", "cluster = 'c'", "cluster = \"c\""},
      {"leave", "at", "host = 'c.2', at = 37", "at = 37"},
      {"leave", "known", "host = 'c.2', known = 0.37", "known = 0.37"},
      {"join", "host", "host = 'c.1'", "join { host = \"c.1\", at = 3 }"},
      {"join", "cluster", "cluster = 'c'", "join { cluster = \"c\", at = 3 }"},
      {"join", "at", "cluster = 'c', at = 37", "at = 37"},
      {"join", "architecture", "host = 'c.1', architecture = 'k'", "architecture = \"k\" }"},
      {"join", "with_hosts", "cluster = 'c', with_hosts = false", "with_hosts = false"},
      {"join", "known", "host = 'c.1', known = 0.37", "known = 0.37"},
      {"change", "host", "host = 'c.2', factor = 1", "host = \"c.2\""},
      {"change", "link", "link = 'c.link', factor = 1", "link = \"c.link\""},
      {"change", "at", "host = 'c.2', factor = 1, at = 37", "at = 37"},
      {"change", "factor", "host = 'c.2', factor = 37", "factor = 37"},
      {"change", "availability", "host = 'c.2', availability = " + profile, "availability = " + profile},
      {"change", "bandwidth", "link = 'c.link', bandwidth = 37", "bandwidth = 37"},
      {"change", "latency", "link = 'c.link', latency = 37", "latency = 37"},
      {"change", "announced", "host = 'c.2', factor = 1, announced = false", "announced = false"},
      {"reserve", "hosts", "hosts = { 'c.3', 'c.1' }", "hosts = { \"c.3\", \"c.1\" }"},
      {"reserve", "link", "link = 'c.link'", "link = \"c.link\""},
      {"reserve", "from", "host = 'c.1', from = 37", "from = 37"},
      {"reserve", "to", "host = 'c.1', to = 37", "to = 37"},
      {"reserve", "announced", "host = 'c.1', announced = false", "announced = false"},
      {"reserve", "known", "host = 'c.1', known = 0.37", "known = 0.37"},
      {"maintenance", "hosts", "hosts = { 'c.3', 'c.1' }", "hosts = { \"c.3\", \"c.1\" }"},
      {"maintenance", "from", "all = true, from = 37", "from = 37"},
      {"maintenance", "to", "all = true, to = 37", "to = 37"},
      {"maintenance", "known", "all = true, known = 0.37", "known = 0.37"},
      {"mark", "at", "at = 37"},
      {"mark", "name", "name = \"own\""},
      {"failures", "hosts", "hosts = { 'c.3', 'c.1' }", "hosts = { \"c.3\", \"c.1\" }"},
      {"failures", "mtbf", "all = true, mtbf = 37", "mtbf = 37"},
      {"failures", "mttr", "all = true, mttr = 37", "mttr = 37"},
      {"failures", "law", "all = true, law = \"weibull\"", "law = \"weibull\""},
      {"failures", "shape", "all = true, law = 'weibull', shape = 37", "shape = 37"},
      {"failures", "repair_law", "all = true, repair_law = \"weibull\"", "repair_law = \"weibull\""},
      {"failures", "repair_shape", "all = true, repair_law = 'weibull', repair_shape = 37",
       "repair_shape = 37"},
      {"failures", "announced", "all = true, announced = false", "announced = false"}};
  return kSamples;
}

}  // namespace

TEST_CASE("each field stands in the text where it is declared") {
  Session session;
  const auto written = [&](std::string_view word, const std::string& given) {
    std::string declaration = frames().at(word);
    declaration.replace(declaration.find('@'), 1, given);
    INFO(declaration);
    const std::string text = said(session, "print((" + declaration + "):script())");
    INFO(text);
    CHECK(said(session, "s = load([====[" + text + "]====])() print(s:script())") == text);
    return one_line(text);
  };
  std::set<std::pair<std::string_view, std::string_view>> tried;
  for (const Sample& each : samples()) {
    INFO(each.word << "." << each.field << ": " << each.given);
    tried.emplace(each.word, each.field);
    CHECK_THAT(written(each.word, each.given), Contains(each.written.empty() ? each.given : each.written));
  }
  // Fields that several words share are tried once.
  const std::map<std::string_view, std::string_view> kAlike = {{"cluster", "host"},
                                                               {"link of a cluster", "link"},
                                                               {"workload.sweeps", "workload.tasks"},
                                                               {"workload.loads", "workload.tasks"}};
  for (const WrittenWord& word : written_words()) {
    if (!frames().contains(word.word)) continue;
    for (const std::string_view field : word.writes) {
      const auto alike = kAlike.find(word.word);
      INFO(word.word << "." << field);
      CHECK((tried.contains({word.word, field}) ||
             (alike != kAlike.end() && tried.contains({alike->second, field}))));
    }
  }
}
