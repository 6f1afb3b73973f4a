// d:write(name): a case of a duel as a script that stands alone.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/bindings/compute/mappings.h"
#include "interpreter/bindings/duel/cases.h"
#include "interpreter/bindings/duel/duel.h"
#include "interpreter/bindings/files.h"
#include "interpreter/bindings/script/lua_text.h"
#include "interpreter/bindings/script/script.h"
#include "interpreter/host/words.h"
#include "interpreter/language/fields/duels.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/graph_problems.h"

namespace perigee::bindings {

namespace {

// The names of the schedulers of the script among a scheduler and its parts.
void own_schedulers(const Config& config, std::set<std::string>& names) {
  static const Catalogue natives;
  if (natives.find(config.entry->name) == nullptr) names.insert(config.entry->name);
  for (const schedulers::Value& value : config.values) {
    if (const auto* part = std::get_if<ConfigPtr>(&value)) own_schedulers(**part, names);
    if (const auto* parts = std::get_if<schedulers::Parts>(&value))
      for (const schedulers::Part& each : *parts)
        if (const auto* inner = std::get_if<ConfigPtr>(&each)) own_schedulers(**inner, names);
  }
}

// Statements of a script's files: declarations of schedulers, functions and numbers that these use.
class Definitions {
 public:
  explicit Definitions(const Sources& sources) {
    for (const auto& [file, text] : sources.texts()) {
      if (file.starts_with("=") || file.empty()) continue;
      if (const auto* tokens = sources.tokens(file)) read(*tokens);
    }
  }

  // The statements that declare these schedulers, with what they need, each once and in the order of their files.
  std::string of(const std::set<std::string>& schedulers) const {
    std::set<std::size_t> wanted;
    for (const std::string& name : schedulers)
      for (std::size_t i = 0; i < statements_.size(); ++i)
        if (statements_[i].scheduler && statements_[i].name == name) need(i, wanted);
    std::string out;
    for (const std::size_t i : wanted) out += fmt::format("{}\n\n", statements_[i].text);
    return out;
  }

 private:
  struct Statement {
    std::string name;
    bool scheduler;
    std::string_view text;
    bool plain = true;  // a local variable whose value is its text's, here and for good
  };

  // Whether a statement of one value may end before this token: no operator goes on with it, nor a second value.
  static bool begins_statement(const std::vector<Token>& tokens, std::size_t at) {
    if (at >= tokens.size()) return true;
    const std::string_view token = tokens[at].text;
    return (begins_name(token) && token != "and" && token != "or") || token == ";";
  }

  static std::string_view between(const std::vector<Token>& tokens, std::size_t first, std::size_t behind) {
    const char* const begin = tokens[first].text.data();
    const std::string_view last = tokens[behind - 1].text;
    return {begin, static_cast<std::size_t>(last.data() + last.size() - begin)};
  }

  static std::size_t behind_braces(const std::vector<Token>& tokens, std::size_t at) {
    int open = 0;
    for (; at < tokens.size(); ++at) {
      if (tokens[at].text == "{") ++open;
      if (tokens[at].text == "}" && --open == 0) return at + 1;
    }
    return at;
  }

  void read(const std::vector<Token>& tokens) {
    for (std::size_t at = 1; at + 2 < tokens.size(); ++at) {
      const std::string_view before = tokens[at - 1].text;
      if (begins_name(tokens[at].text) && tokens[at + 1].text == "=" && tokens[at + 2].text != "=" &&
          before != "local" && before != "{" && before != "," && before != ";" && before != "." &&
          before != "=")
        assigned_.insert(std::string(tokens[at].text));
    }
    for (std::size_t at = 0; at + 2 < tokens.size(); ++at) {
      const std::string_view word = tokens[at].text, next = tokens[at + 1].text;
      if ((word == "heuristic" || word == "policy") && (next.front() == '"' || next.front() == '\'') &&
          tokens[at + 2].text == "{") {
        const std::size_t behind = behind_braces(tokens, at + 2);
        statements_.push_back(
            {std::string(next.substr(1, next.size() - 2)), true, between(tokens, at, behind)});
        at = behind - 1;
      } else if (word == "local" && next == "function") {
        const std::size_t behind = behind_function(tokens, at + 1);
        statements_.push_back({std::string(tokens[at + 2].text), false, between(tokens, at, behind)});
        at = behind - 1;
      } else if (word == "local" && tokens[at + 2].text == "=" && at + 3 < tokens.size()) {
        const std::string_view value = tokens[at + 3].text;
        std::size_t behind = 0;
        if (value == "function") {
          behind = behind_function(tokens, at + 3);
        } else if (value.front() == '"' || value.front() == '\'' || value == "true" || value == "false") {
          behind = at + 4;
        } else if (is_digit(value.front())) {  // a number is several tokens: 2 . 5
          behind = at + 4;
          while (behind < tokens.size() && tokens[behind].text.data() == tokens[behind - 1].text.data() +
                                                                             tokens[behind - 1].text.size())
            ++behind;
        }
        if (behind == 0) continue;
        statements_.push_back(
            {std::string(next), false, between(tokens, at, behind), begins_statement(tokens, behind)});
        at = behind - 1;
      } else if (word == "function") {
        at = behind_function(tokens, at) - 1;  // what is local to it is nobody else's
      }
    }
  }

  void need(std::size_t i, std::set<std::size_t>& wanted) const {
    if (!wanted.insert(i).second) return;
    const std::string& name = statements_[i].name;
    if (!statements_[i].scheduler && (!statements_[i].plain || assigned_.contains(name) ||
                                      std::ranges::count_if(statements_, [&](const Statement& each) {
                                        return !each.scheduler && each.name == name;
                                      }) > 1))
      fail(
          "not_plain",
          "write: the variable '{}' is used, whose value is no plain number or text, or changes; give the scheduler a "
          "parameter in its place",
          name);
    each_word(statements_[i].text, [&](std::string_view word, int) {
      for (std::size_t other = 0; other < i; ++other)
        if (!statements_[other].scheduler && statements_[other].name == word) need(other, wanted);
    });
  }

  std::vector<Statement> statements_;
  std::set<std::string> assigned_;  // names of variables, and of fields that stand behind no brace or comma
};

// For a comment: what could end its line is a blank.
std::string one_line(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  return out;
}

// The parts of a script.
struct Written {
  std::string declared, told, expected;
};

}  // namespace

std::string as_literal(lua_State* L, const Reference& value) {
  value.push(L);
  std::string out;
  if (const auto whole = text_at(L, -1)) {
    out = lua_string(*whole);
  } else if (lua_type(L, -1) == LUA_TTABLE) {
    LuaTable table;
    each_sorted(L, -1, [&] {
      const auto name = text_at(L, -2);
      if (!name) return;
      if (const auto text = text_at(L, -1))
        table.field(*name, lua_string(*text));
      else if (lua_type(L, -1) == LUA_TNUMBER)
        table.field(*name, lua_number(lua_tonumber(L, -1)));
    });
    out = table.text();
  }
  lua_pop(L, 1);
  return out;
}

namespace {

std::string options_of_run(lua_State* L, const Compared& compared, const std::string& policy,
                           std::uint64_t seed) {
  const RunOptions& options = compared.request.options;
  std::string out = fmt::format("policy = {}, seed = {}", policy, seed);
  if (options.horizon < kNever) out += fmt::format(", horizon = {}", lua_number(options.horizon));
  if (options.warmup > 0) out += fmt::format(", warmup = {}", lua_number(options.warmup));
  if (compared.information.valid()) out += ", information = " + as_literal(L, compared.information);
  return out;
}

// A name alone is written as a text, for it may be a word of the script's own.
std::string policy_literal(const std::string& text) {
  if (text.find("function (") != std::string::npos)
    fail("not_plain",
         "write: {} has a function of the script among its parameters, which stands in no other script",
         text);
  return text.find('{') == std::string::npos ? lua_string(text) : text;
}

std::string expectation(std::string_view side, std::string_view field, double value) {
  if (!std::isfinite(value)) return {};
  if (field.find('.') != field.npos)
    return fmt::format("expect({0}[\"{1}\"] == {2}, \"{1} of {0} is {2}\")\n", side, field,
                       lua_number(value));
  return fmt::format("expect({0}.{1} == {2}, \"{1} of {0} is {2}\")\n", side, field, lua_number(value));
}

// Names of the architectures of the hosts: those of the case's platform. A scenario that a function has run may have
// another platform, whose names are not known any more.
std::vector<std::string> architectures_of(const Outcome& outcome, const PlatformValue* platform) {
  if (platform != nullptr && platform->platform == outcome.scenario->platform) return platform->architectures;
  std::int32_t most = 0;
  for (const Host& host : outcome.scenario->platform->hosts()) most = std::max(most, host.architecture);
  std::vector<std::string> names;
  for (std::int32_t i = 0; i <= most; ++i) names.push_back(i == 0 ? "" : fmt::format("architecture {}", i));
  return names;
}

// Side `which`, whose outcome is on top of the stack.
void write_side(lua_State* L, const Compared& compared, std::size_t which, const PlatformValue* built,
                Written& written, std::string& platform) {
  const Side& side = compared.sides[which];
  const std::string name(1, static_cast<char>('a' + which));
  if (const auto* result = test<ResultValue>(L, -1)) {
    const Outcome& outcome = *result->outcome;
    const std::string scenario = script_of(*outcome.scenario, architectures_of(outcome, built));
    std::string variable = "s";
    if (platform.empty()) {
      platform = scenario;
      written.declared += fmt::format("local s = {}\n", scenario);
    } else if (scenario != platform) {
      variable = "other";
      written.declared += fmt::format("local other = {}\n", scenario);
    }
    written.told += fmt::format("local {} = {}:run {{ {} }}\n", name, variable,
                                options_of_run(L, compared, policy_literal(outcome.policy), outcome.seed));
    if (compared.measure.valid())
      written.expected +=
          fmt::format("expect({0}.fingerprint == {1}, \"the run of {0} is the one that was found\")\n", name,
                      lua_string(outcome.physical.text()));
    else
      written.expected += expectation(name, compared.metric, result->measured()[compared.metric]);
    return;
  }
  if (lua_type(L, -1) == LUA_TNUMBER) {
    written.told += fmt::format("local {} = {{ value = {} }}  -- what {} returned\n", name,
                                lua_number(lua_tonumber(L, -1)), one_line(side.text));
    return;
  }
  lua_getfield(L, -1, "makespan");
  const double makespan = lua_tonumber(L, -1);
  lua_pop(L, 1);
  lua_getfield(L, -1, "host");
  const bool graph = !lua_isnil(L, -1);
  lua_pop(L, 1);
  written.told += fmt::format("local {} = {}({}, problem, {{ seed = {} }})\n", name,
                              graph ? "schedule" : "map", policy_literal(side.text), compared.seed);
  written.expected += expectation(name, "makespan", makespan);
}

// The problem on top of the stack as Lua text.
std::string problem_script(lua_State* L) {
  if (const auto* graph = test<GraphProblemValue>(L, -1)) return script_of(*graph->data);
  if (const auto* problem = test<ProblemValue>(L, -1)) return script_of(problem->draft.problem());
  if (const auto* matrix = test<std::shared_ptr<const EtcMatrix>>(L, -1)) return script_of(**matrix);
  return script_of(etc_at(L, lua_gettop(L)));
}

std::string script_of_case(lua_State* L, const DuelValue& duel, const Datum& value) {
  const Compared& compared = duel.design.compared;
  Interpreter& interpreter = Interpreter::of(L);
  const Interpreter::InCell in_cell(interpreter, compared.seed, false);
  const Balanced balanced(L);
  Evaluator evaluate(compared);
  Written written;
  evaluate.push_built(L, value);
  const auto* scenario = test<ScenarioPtr>(L, -1);
  const PlatformValue* built = scenario == nullptr ? nullptr : &(*scenario)->platform;
  if (compared.space->is_problem) written.declared += fmt::format("local problem = {}\n", problem_script(L));
  std::string platform;
  std::set<std::string> own;
  for (std::size_t which = 0; which < 2; ++which) {
    if (compared.sides[which].scheduler) own_schedulers(*compared.sides[which].scheduler, own);
    evaluate.push_outcome(L, value, which);
    write_side(L, compared, which, built, written, platform);
    lua_pop(L, 1);
  }
  const Scored scored = evaluate(L, value);
  std::string head = fmt::format("-- A case of a duel: a = {} against b = {} in the space '{}', by {}.\n",
                                 one_line(compared.sides[0].text), one_line(compared.sides[1].text),
                                 one_line(compared.space->name), compared.measure_text());
  head +=
      fmt::format("-- The {} is {:.6g}: {:.6g} to {:.6g}.\n", compared.difference ? "difference" : "ratio",
                  compared.ratio_of(scored.score), scored.of[0], scored.of[1]);
  const std::string definitions = own.empty() ? std::string() : Definitions(interpreter.sources()).of(own);
  std::string tail = written.expected;
  if (!platform.empty() && compared.sides[0].scheduler && compared.sides[1].scheduler)
    tail += "print(compare(a, b))\n";
  else
    tail += fmt::format("print(\"a: {:.6g}, b: {:.6g}\")\n", scored.of[0], scored.of[1]);
  return head + "\n" + definitions + written.declared + written.told + tail;
}

// Runs the script by itself. Error "not_plain" where it fails.
void check_alone(lua_State* L, const std::string& text) {
  const Interpreter& interpreter = Interpreter::of(L);
  InterpreterOptions options;
  options.output = options.warnings = [](std::string_view) {};
  options.jobs = 1;
  options.steps = interpreter.options().steps;
  options.memory = interpreter.options().memory;
  try {
    Interpreter alone(interpreter.open_words(), options);
    alone.run_text("written.lua", text);
  } catch (const Error& error) {
    fail("not_plain", "write: the case cannot stand alone: {}", error.diagnostic().message);
  }
}

}  // namespace

int write_duel(lua_State* L) {
  return guard(L, [&] {
    DuelValue& duel = *check<DuelPtr>(L, 1);
    const auto name = text_at(L, 2);
    if (!name || name->empty()) fail("bad_type", "write: the name of a file is needed, got {}", shown(L, 2));
    bool small = false;
    if (!lua_isnoneornil(L, 3))
      small = Fields(L, 3, {"write"}, duel_fields::kWrite).flag(duel_fields::kSmall);
    const std::string text = script_of_case(L, duel, small ? smallest_of(L, duel).value : duel.worst());
    check_alone(L, text);
    Interpreter& interpreter = Interpreter::of(L);
    if (interpreter.writes()) write_below_out(L, {{std::string(*name), text}});
    lua_settop(L, 1);
    return 1;
  });
}

}  // namespace perigee::bindings
