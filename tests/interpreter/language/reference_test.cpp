// The reference has everything that scripts can use, and nothing else. Its examples run.
#include "interpreter/language/reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "interpreter/bindings/parts.h"
#include "interpreter/bindings/show/help.h"
#include "interpreter/bindings/words.h"
#include "interpreter/host/field_row.h"
#include "interpreter/language/vocabulary.h"
#include "interpreter/session/explain.h"
#include "interpreter/session/interpreter.h"
#include "runtime/results/metrics.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;
using Catch::Matchers::Contains;

namespace {

std::vector<std::string> texts_in(lua_State* L, int table) {
  std::vector<std::string> names;
  table = lua_absindex(L, table);
  for (lua_pushnil(L); lua_next(L, table) != 0; lua_pop(L, 1))
    if (lua_type(L, -2) == LUA_TSTRING) names.emplace_back(lua_tostring(L, -2));
  return names;
}

// Pushes the table behind a module's view; false when the value is no module.
bool push_members(lua_State* L) {
  if (!lua_istable(L, -1)) return false;
  if (luaL_getmetafield(L, -1, "__index") == LUA_TTABLE) return true;
  lua_pushvalue(L, -1);
  return true;
}

// "a", "a.b", "a.b.c": all functions and modules, with what is in the modules; by chain.
std::set<std::string> chains(lua_State* L) {
  const host::Balanced balanced(L);
  std::set<std::string> all;
  const auto add = [&](const std::string& prefix, auto&& self) -> void {  // of the table on top
    for (const std::string& name : texts_in(L, -1)) {
      all.insert(prefix + name);
      lua_pushstring(L, name.c_str());
      lua_rawget(L, -2);
      const int top = lua_gettop(L);
      if (prefix + name != "args" && push_members(L)) self(prefix + name + ".", self);
      lua_settop(L, top - 1);
    }
  };
  lua_getfield(L, LUA_REGISTRYINDEX, "perigee.vocabulary");
  add("", add);
  return all;
}

bool is_standard_library(const std::string& chain) {
  const std::string library = chain.substr(0, chain.find('.'));
  return library != chain && (library == "math" || library == "string" || library == "table" ||
                              library == "utf8" || library == "coroutine");
}

bool reference_has(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const NativeType* find_type(const std::vector<NativeType>& types, std::string_view name) {
  const auto found = std::ranges::find(types, name, &NativeType::name);
  return found == types.end() ? nullptr : &*found;
}

std::string in_table(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? "\\|" : std::string(1, c);
  return out;
}

void run_silently(const std::string& name, const std::string& text) {
  InterpreterOptions options;
  options.output = [](std::string_view) {};
  options.warnings = [](std::string_view) {};
  Interpreter interpreter(open_words, options);
  try {
    interpreter.run_text(name, text);
  } catch (const Error& error) {
    FAIL_CHECK(explain(error, interpreter));
  }
}

}  // namespace

TEST_CASE("every word, method, field, scheduler and metric is in the reference, with a help text") {
  Interpreter interpreter(open_words);
  lua_State* L = interpreter.main();
  const std::string page = reference(L, Interpreter::of(L).catalogue());
  std::size_t words = 0, members = 0;
  for (const std::string& chain : chains(L)) {
    if (is_standard_library(chain) || interpreter.catalogue().find(chain)) continue;
    INFO(chain);
    const std::size_t dot = chain.rfind('.');
    const Word* word = dot == std::string::npos ? find_word("", chain)
                                                : find_word(chain.substr(0, dot), chain.substr(dot + 1));
    REQUIRE(word != nullptr);
    CHECK(!word->summary.empty());
    CHECK((page.find("# " + chain + "\n") != std::string::npos || word->summary.starts_with("standard Lua")));
    ++words;
  }
  for (const NativeType& type : native_types(L)) {
    INFO(type.name);
    CHECK(!meaning_of("type", type.name).empty());
    const std::size_t at = page.find("\n### " + type.name + "\n");
    REQUIRE(at != std::string::npos);
    for (const std::string& method : type.methods) {
      INFO(method);
      const Word* word = find_word(type.name, method);
      REQUIRE(word != nullptr);
      CHECK(page.find(in_table(word->summary), at) != std::string::npos);
      ++members;
    }
    for (const std::string& field : type.fields) {
      INFO(field);
      CHECK((!field_meaning(type.name, field).empty() || is_metric(field)));
      CHECK(page.find("| `" + field + "` |", at) != std::string::npos);
      ++members;
    }
  }
  for (const Word& word : vocabulary())
    for (const FieldWord& field : fields_of(word.fields)) {
      INFO(chain_of(word) << " " << field.name);
      CHECK(!meaning_of(chain_of(word), field.name).empty());
    }
  for (const auto& entry : interpreter.catalogue().entries()) {
    INFO(entry->name);
    const std::size_t at = page.find("\n### " + entry->name + "\n");
    REQUIRE(at != std::string::npos);
    for (const Parameter& parameter : entry->parameters)
      CHECK(page.find(parameter.summary, at) != std::string::npos);
  }
  for (const MetricInfo& info : metric_infos())
    CHECK(page.find("| `" + std::string(info.name) + "` | " + std::string(info.unit) + " |") !=
          std::string::npos);
  CHECK(words > 100);
  CHECK(members > 200);
}

TEST_CASE("nothing is described that is not there") {
  Interpreter interpreter(open_words);
  lua_State* L = interpreter.main();
  open_help(L);  // a word of the prompt
  const std::set<std::string> all = chains(L);
  const std::vector<NativeType> types = native_types(L);
  std::set<std::string> known;  // words by chain
  for (const Word& word : vocabulary()) {
    INFO(chain_of(word));
    CHECK(known.insert(chain_of(word)).second);
    const NativeType* type = find_type(types, word.owner);
    const bool of_type = type != nullptr &&
                         (reference_has(type->methods, word.name) || reference_has(type->fields, word.name));
    CHECK((all.contains(chain_of(word)) || of_type || word.owner == "rows"));
  }
  std::set<std::string> used;  // meanings of all words and types
  const auto use = [&](std::string_view owner, std::string_view field) {
    used.insert(std::string(meaning_of(owner, field)));
  };
  for (const Word& word : vocabulary()) {
    for (const FieldWord& field : fields_of(word.fields)) use(chain_of(word), field.name);
  }
  for (const NativeType& type : types) {
    use("type", type.name);
    for (const std::string& field : type.fields) use(type.name, field);
  }
  use("type", "rows");
  std::set<std::pair<std::string_view, std::string_view>> once;
  for (const Meaning& meaning : meanings()) {
    INFO(meaning.of << " " << meaning.name << ": " << meaning.text);
    CHECK(once.emplace(meaning.of, meaning.name).second);
    CHECK(used.contains(std::string(meaning.text)));
  }
  for (const Meaning& example : examples_of_types()) {
    INFO(example.of);
    CHECK(find_type(types, example.of) != nullptr);
  }
}

TEST_CASE(
    "every column of the tables of results, simulations and experiments has a meaning, and no other has") {
  InterpreterOptions options;
  std::string printed;
  options.output = [&](std::string_view text) { printed += text; };
  Interpreter interpreter(open_words, options);
  interpreter.run_text("columns.lua", R"(
    local s = scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 1 } } }
    local function heads(type, object, names)
      for _, name in ipairs(names) do print((type .. "." .. name .. "," .. object[name](object):csv():match "[^\n]*")) end
    end
    heads("result", s:run { policy = "fcfs" }, { "jobs", "attempts", "resources", "users", "groups", "classes", "queues", "workflows", "notes", "packages", "hosts",
      "enpr", "critical_chain", "components", "plans", "deviations" })
    local limited = scenario { platform = platform { host "a" {} }, workload = workload.jobs { { time = 1, limit = 2 } } }
    heads("result", limited:run { policy = "fcfs" }, { "jobs" })
    local waits = scenario { platform = platform { host "a" {} }, workload = workload.workflow { tasks = { { time = 1 } } } }
    heads("result", waits:run { policy = "fcfs" }, { "jobs" })
    local preempted = scenario {
      platform = platform { host "a" { power = { idle = 1, busy = 2 } } },
      workload = workload.jobs { { time = 9, queue = "low" }, { time = 1, arrival = 1, queue = "high" } },
      queues = { queue "low" { }, queue "high" { tier = 2 } },
    }
    heads("result", preempted:run { policy = easy { preempt = "suspend" } }, { "jobs", "attempts", "users", "groups", "resources" })
    for _, by in ipairs { "queue", "qos", "account" } do
      print((("result.groups," .. preempted:run { policy = "easy" }:groups { by = by }:csv()):match "[^\n]*"))
    end
    heads("simulation", s:start { policy = "fcfs" }, { "jobs", "hosts", "queue", "planned" })
    print((("scenario.decision_times," .. s:decision_times({ policy = "fcfs" }):csv()):match "[^\n]*"))
    local e = experiment "e" { factors = { mine = { 1, 2 } }, replications = 2, run = function() return { mine_too = 1 } end }
    heads("experiment", e, { "rows", "failures", "warnings" })
    local spread = robustness { policy = "fcfs", scenario = s, measure = "makespan", shake = { times = 0.1 }, n = 2, deadline = 1 }
    heads("spread", spread, { "rows", "table" })
    local cases = space "x" { n = vary.matrix { rows = 2, columns = 2, of = vary.real { 1, 2 } }, problem = function(x) return etc(x.n) end }
    heads("answer", duel { a = "mct", b = "olb", space = cases, budget = 9 }, { "history" })
    print((("answer.shaken," .. (duel { a = "mct", b = "olb", space = cases, budget = 9, draws = 2 }):shaken():csv()):match "[^\n]*"))
    heuristic "mine_a" { pick = function(c, task) return 1 end }
    heuristic "mine_b" { pick = function(c, task) return -task end }
    heads("tournament", tournament { schedulers = { "mine_a", "mine_b" }, space = cases, budget = 2 }, { "rows", "table" })
    print((("experiment.table," .. e:table({ warnings = true }):csv()):match "[^\n]*"))
    print((("experiment.compare," .. e:compare("mine_too", { factor = "mine" }):csv()):match "[^\n]*")))");
  std::istringstream lines(printed);
  std::set<std::string> there, described;
  for (std::string line, chain, column; std::getline(lines, line);) {
    std::istringstream cells(line);
    std::getline(cells, chain, ',');
    while (std::getline(cells, column, ','))
      if (!column.starts_with("mine")) there.insert(chain + " " + column);
  }
  for (const Meaning& each : columns()) {
    std::istringstream chains_of_it{std::string(each.of)};
    for (std::string chain; chains_of_it >> chain;) {
      std::istringstream names{std::string(each.name)};
      for (std::string name; names >> name;) CHECK(described.insert(chain + " " + name).second);
    }
  }
  CHECK(there.size() > 100);
  CHECK(described == there);
}

TEST_CASE("the states and kinds of work that check knows are those of the engine") {
  const auto literals = [](auto last) {
    std::string out;
    for (int i = 0; i <= static_cast<int>(last); ++i)
      out += fmt::format("{}\"{}\"", i > 0 ? "|" : "", name_of(static_cast<decltype(last)>(i)));
    return out;
  };
  CHECK(returned_by("sim.state") == literals(WorkState::killed));
  CHECK(returned_by("sim.kind") == literals(WorkKind::reservation));
}

TEST_CASE("the methods of rows are there") {
  run_silently("rows.lua", R"(
    local rows = scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 1 } } }
      :run { policy = "fcfs" }:jobs()
    for _, name in ipairs { "plot", "csv", "columns", "where", "sort_by" } do
      expect(type(rows[name]) == "function", name)
    end)");
  std::set<std::string_view> methods;
  for (const Word& word : vocabulary())
    if (word.owner == "rows") methods.insert(word.name);
  CHECK(methods == std::set<std::string_view>{"plot", "csv", "columns", "where", "sort_by"});
}

namespace {

constexpr const char* kBeforeCall = R"(
    local s = scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 1 } } }
    local e = experiment "e" { factors = { a = { 1, 2 } }, run = function(f) return { makespan = f.a } end }
    local ok, problem = pcall(function() return )";

// The known fields that the error of a call names, when the table of the call has an unknown field.
std::set<std::string> known_fields(const std::string& call) {
  std::string printed;
  InterpreterOptions options;
  options.output = [&](std::string_view line) { printed += line; };
  options.data = {"."};
  Interpreter interpreter(open_words, options);
  interpreter.run_text("call.lua",
                       kBeforeCall + call + " end) print(ok, problem.message, table.concat(problem.notes))");
  const std::size_t at = printed.find("known: ");
  INFO(call << "\n" << printed);
  REQUIRE(at != std::string::npos);
  std::set<std::string> known;
  std::string names = printed.substr(at + 7);
  names.erase(names.find('\n'));
  for (std::size_t begin = 0; begin < names.size();) {
    const std::size_t end = std::min(names.find(", ", begin), names.size());
    known.insert(names.substr(begin, end - begin));
    begin = end + 2;
  }
  return known;
}

}  // namespace

TEST_CASE("the fields of a table that is a field are those that it takes") {
  const std::map<std::string, std::string> calls = {
      {"link", "cluster 'x' { nodes = 1, link = %s }"},
      {"on_failure",
       "scenario { platform = platform { host 'a' {} }, workload = workload.tasks { { time = 1 } }, "
       "on_failure = %s }"},
      {"information", "s:run { policy = 'fcfs', information = %s }"},
      {"replications",
       "experiment 'x' { factors = { a = { 1 } }, replications = %s, run = function(f) return { b = f.a } "
       "end }"},
  };
  for (const auto& [field, call] : calls) {
    std::string text = call;
    text.replace(text.find("%s"), 2, "{ qqqqqqqqqqqqqqqq = 1 }");
    std::set<std::string> said;
    for (const FieldWord& each : fields_of_field(field)) said.insert(std::string(each.name));
    INFO(field);
    CHECK(said == known_fields(text));
  }
  CHECK(fields_of_field("makespan").empty());
}

TEST_CASE("the fields of a word are those that it takes") {
  std::ofstream("reference_test.swf") << "1 0 0 5 1 -1 -1 1 5 -1 1 1 1 -1 -1 -1 -1 -1\n";
  // The error of a call with an unknown field names those that are known. %s stands for the table; other
  // words than these take it as name { } or, of types, not at all.
  const std::string cases =
      "space 'x' { n = vary.matrix { rows = 2, columns = 2, of = vary.real { 1, 2 } }, problem = function(x) return "
      "etc(x.n) end }";
  const std::string duelled = "duel { a = 'mct', b = 'olb', budget = 2, space = " + cases + " }",
                    held = "tournament { schedulers = { 'mct', 'olb' }, budget = 2, space = " + cases + " }";
  const std::map<std::string, std::string> calls = {
      {"cluster", "cluster 'x' %s"},
      {"host", "host 'x' %s"},
      {"link", "link 'x' %s"},
      {"licence", "licence 'x' %s"},
      {"queue", "queue 'x' %s"},
      {"qos", "qos 'x' %s"},
      {"heuristic", "heuristic 'x' %s"},
      {"policy", "policy 'x' %s"},
      {"experiment", "experiment 'x' %s"},
      {"csv.read", "csv.read('x.csv', %s)"},
      {"etc.read", "etc.read('x', %s)"},
      {"graph.wfformat", "graph.wfformat('x', %s)"},
      {"graph.stg", "graph.stg('x', %s)"},
      {"cost.sub_deadlines", "cost.sub_deadlines(cost.graph { times = { { 1 } }, edges = {} }, 1, %s)"},
      {"schedule", "schedule('heft', cost.graph { times = { { 1 } }, edges = {} }, %s)"},
      {"graph problem.upward_rank", "cost.graph { times = { { 1 } }, edges = {} }:upward_rank(1, %s)"},
      {"graph problem.downward_rank", "cost.graph { times = { { 1 } }, edges = {} }:downward_rank(1, %s)"},
      {"graph problem.alap", "cost.graph { times = { { 1 } }, edges = {} }:alap(1, %s)"},
      {"graph problem.critical_path", "cost.graph { times = { { 1 } }, edges = {} }:critical_path(%s)"},
      {"graph problem.script", "cost.graph { times = { { 1 } }, edges = {} }:script(%s)"},
      {"mapping problem.script", "cost.problem { etc = { { 1 } } }:script(%s)"},
      {"etc matrix.script", "etc { { 1 } }:script(%s)"},
      {"graph problem.start", "cost.graph { times = { { 1 } }, edges = {} }:start(1, 1, %s)"},
      {"graph problem.finish", "cost.graph { times = { { 1 } }, edges = {} }:finish(1, 1, %s)"},
      {"graph problem.place", "cost.graph { times = { { 1 } }, edges = {} }:place(1, 1, %s)"},
      {"workload.workflows",
       "scenario { platform = platform { host 'a' {} }, workload = workload.workflows(1, function() return %s end) "
       "}:run { policy = 'fcfs' }"},
      {"map", "map('mct', etc { { 1 } }, %s)"},
      {"gantt chart.gantt", "cost.chart { times = { { 1 } } }:gantt %s"},
      {"gantt chart.fill", "cost.chart { times = { { 1 } } }:fill('mct', %s)"},
      {"profile", "profile('mct', etc { { 1 } }, %s)"},
      {"workload.swf", "workload.swf('x', %s)"},
      {"log.platform", "workload.swf('reference_test.swf').log:platform %s"},
      {"workload.sacct", "workload.sacct('x', %s)"},
      {"workload.irmasim", "workload.irmasim('x', %s)"},
      {"platform.pst", "platform.pst('x', %s)"},
      {"platform.simgrid", "platform.simgrid('x', %s)"},
      {"platform.batsim", "platform.batsim('x', %s)"},
      {"scenario.pst", "s:pst('x', %s)"},
      {"workload.tasks", "workload.tasks { %s }"},
      {"workload.jobs", "workload.jobs { %s }"},
      {"workload.sweeps", "workload.sweeps { %s }"},
      {"workload.loads", "workload.loads { %s }"},
      {"workload.reservations", "workload.reservations { %s }"},
      {"workload.etc", "workload.etc(etc { { 1 } }, %s)"},
      {"cost.greedy_by_key", "cost.greedy_by_key(etc { { 1 } }, function() return 1 end, %s)"},
      {"cost.scheduling_time", "cost.scheduling_time(1, 1, %s)"},
      {"profile", "profile('mct', etc { { 1 } }, %s)"},
      {"stats.interval", "stats.interval({ 1, 2 }, %s)"},
      {"stats.paired", "stats.paired({ 1, 2 }, { 2, 4 }, %s)"},
      {"stats.quantile", "stats.quantile({ 1, 2 }, 0.5, %s)"},
      {"stats.histogram", "stats.histogram({ 1, 2 }, %s)"},
      {"plot", "plot({ { a = 1 } }, %s)"},
      {"scenario.run", "s:run %s"},
      {"scenario.start", "s:start %s"},
      {"scenario.compare", "s:compare %s"},
      {"scenario.script", "s:script %s"},
      {"scenario.decision_times", "s:decision_times %s"},
      {"simulation.fail", "s:start { policy = 'fcfs' }:fail('a', %s)"},
      {"simulation.recover", "s:start { policy = 'fcfs' }:recover('a', %s)"},
      {"simulation.leave", "s:start { policy = 'fcfs' }:leave('a', %s)"},
      {"simulation.join", "s:start { policy = 'fcfs' }:join('a', %s)"},
      {"simulation.change", "s:start { policy = 'fcfs' }:change('a', %s)"},
      {"simulation.set_policy", "s:start { policy = 'fcfs' }:set_policy('sjf', %s)"},
      {"simulation.gantt", "s:start { policy = 'fcfs' }:gantt %s"},
      {"result.gantt", "s:run { policy = 'fcfs' }:gantt %s"},
      {"result.classes", "s:run { policy = 'fcfs' }:classes %s"},
      {"result.groups", "s:run { policy = 'fcfs' }:groups %s"},
      {"comparison.gantt", "s:compare { 'fcfs', 'sjf' }:gantt %s"},
      {"result.plot", "s:run { policy = 'fcfs' }:plot %s"},
      {"result.save", "s:run { policy = 'fcfs' }:save('x', %s)"},
      {"result.report", "s:run { policy = 'fcfs' }:report('x', %s)"},
      {"comparison.report", "s:compare { 'fcfs' }:report('x', %s)"},
      {"experiment.report", "e:report('x', %s)"},
      {"answer.write", duelled + ":write('x', %s)"},
      {"answer.shaken", duelled + ":shaken %s"},
      {"answer.report", duelled + ":report('x', %s)"},
      {"answer.plot", duelled + ":plot %s"},
      {"tournament.heat_map", held + ":heat_map %s"},
      {"spread.plot",
       "robustness { policy = 'fcfs', scenario = s, measure = 'makespan', shake = { times = 0.1 }, n = 2 }:plot %s"},
      {"comparison.plot", "s:compare { 'fcfs' }:plot %s"},
      {"rows.plot", "s:run { policy = 'fcfs' }:jobs():plot %s"},
      {"experiment.table", "e:table('makespan', %s)"},
      {"experiment.compare", "e:compare('makespan', %s)"},
      {"probability distribution.truncated", "distribution.uniform { low = 0, high = 1 }:truncated %s"},
  };
  std::size_t checked = 0;
  for (const Word& word : vocabulary()) {
    if (word.fields.empty()) continue;
    const std::string chain = chain_of(word);
    if (word.owner == "sim" || word.owner == "plan" || word.owner == "process" ||
        chain == "simulation.submit" || chain == "simulation.quote" || chain == "workload.stream" ||
        chain == "workload.periodic" || word.further.own_fields)
      continue;  // in callbacks; of several kinds of records, or with fields of the script's own beside them
    INFO(chain);
    const auto call = calls.find(chain);
    std::string text = call == calls.end() ? chain + " %s" : call->second;
    text.replace(text.find("%s"), 2, "{ qqqqqqqqqqqqqqqq = 1 }");
    const std::set<std::string> taken = known_fields(text);
    std::set<std::string> said;
    for (const FieldWord& field : fields_of(word.fields)) said.insert(std::string(field.name));
    CHECK(said == taken);
    ++checked;
  }
  CHECK(checked > 50);
  std::filesystem::remove("reference_test.swf");
}

TEST_CASE("every example of the reference runs") {
  Interpreter interpreter(open_words);
  const std::string page = reference(interpreter.main(), interpreter.catalogue());
  std::size_t scripts = 0;
  for (std::size_t at = 0; (at = page.find("```lua\n", at)) != std::string::npos; ++scripts) {
    at += 7;
    const std::size_t end = page.find("\n```\n", at);
    REQUIRE(end != std::string::npos);
    const std::string script = page.substr(at, end - at);
    INFO(script);
    run_silently("example.lua", script);
    at = end;
  }
  const auto with_example = [](const Word& word) { return !word.further.example.empty(); };
  const auto examples = static_cast<std::size_t>(std::ranges::count_if(vocabulary(), with_example));
  CHECK(examples > 20);
  CHECK(scripts >= examples + examples_of_types().size() + interpreter.catalogue().entries().size());
}

TEST_CASE("what editors are told is Lua without effect, and has every word") {
  Interpreter interpreter(open_words);
  lua_State* L = interpreter.main();
  const std::string types = editor_types(L, Interpreter::of(L).catalogue());
  CHECK_THAT(types, Catch::Matchers::StartsWith("---@meta\n"));
  CHECK(luaL_loadbufferx(L, types.data(), types.size(), "=types", "t") == LUA_OK);
  lua_pop(L, 1);
  const std::vector<NativeType> natives = native_types(L);
  for (const Word& word : vocabulary()) {
    const NativeType* type = find_type(natives, word.owner);
    if (word.summary.starts_with("standard Lua") || word.owner == "rows") continue;
    if (type != nullptr && reference_has(type->fields, word.name)) continue;  // has its meaning there
    INFO(chain_of(word));
    CHECK_THAT(types, Contains(std::string(word.summary)));
    for (const host::FieldRow& field : word.fields.rows) {
      INFO(field.name);
      CHECK_THAT(types, Contains(fmt::format("---@field {}? ", field.name)));
      if (field.kind != host::FieldKind::other)
        CHECK_THAT(types, !Contains(fmt::format("---@field {}? any {}\n", field.name, text_of(field))));
    }
  }
  for (const auto& entry : interpreter.catalogue().entries()) {
    INFO(entry->name);
    CHECK_THAT(types, Contains("\nfunction " + entry->name + "(parameters) end\n"));
  }
}

TEST_CASE("what is typed for editors is there") {
  Interpreter interpreter(open_words);
  lua_State* L = interpreter.main();
  const std::string types = editor_types(L, Interpreter::of(L).catalogue());
  const std::string_view prefix = "---@return perigee.";
  for (std::size_t at = types.find(prefix); at != types.npos; at = types.find(prefix, at + 1)) {
    const std::size_t begin = types.find("perigee.", at);
    const std::string name = types.substr(begin, types.find_first_of("|\n", begin) - begin);
    INFO(name);
    CHECK_THAT(types, Contains("---@class " + name + "\n"));
  }
  CHECK_THAT(types, Contains("\n---@return perigee.result\nfunction scenario:run(fields) end\n"));
  CHECK_THAT(
      types,
      Contains("---@field pick? fun(c: perigee.mapping_view|perigee.gantt_chart|perigee.graph_problem, "
               "task: integer, "));
  CHECK_THAT(types, Contains("---@field [\"makespan\"] number "));
  for (const char* field :
       {"cores? integer of the host", "speed? number|string of one core", "text? string the description",
        "availability? number|string|table share of the speed", "k? integer how many exponentials",
        "sharing? \"exclusive\"|\"fair\"|\"unlimited\" of transfers",
        "tree? boolean true: ", "edges? number[] of the bins", "free? (number|string)[] a list",
        "lambda? number arrivals", "inputs? (perigee.file|string)[] a list",
        "rng? perigee.random_stream a random", "time? number|string|table<string, number|string> run time",
        "proposal? perigee.probability_distribution|fun(rng: perigee.random_stream): number a dist"}) {
    INFO(field);
    CHECK_THAT(types, Contains(fmt::format("---@field {}", field)));
  }
  CHECK_THAT(types, Contains("---@overload fun(run: fun(sim: perigee.process)): perigee.event\n"));
  CHECK_THAT(types,
             Contains("---@return perigee.simulation\n---@return boolean\nfunction simulation:when(...)"));
}

TEST_CASE("the prompt's help says what the reference says") {
  Interpreter interpreter(open_words);
  lua_State* L = interpreter.main();
  for (const Word& word : vocabulary()) {
    const std::string chain = chain_of(word);
    INFO(chain);
    const std::string help = help_on(L, chain);
    CHECK_THAT(help, Contains(std::string(word.summary)));
    for (const FieldWord& field : fields_of(word.fields))
      CHECK_THAT(help, Contains(std::string(meaning_of(chain, field.name))));
    CHECK_THAT(help, Contains(std::string(meaning_of("errors", chain))));
  }
}
