#include "interpreter/prompt/repl.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <regex>
#include <set>

#include "interpreter/bindings/words.h"
#include "interpreter/host/words.h"
#include "interpreter/prompt/input_text.h"
#include "interpreter/prompt/prompt_text.h"
#include "interpreter/session/explain.h"
#include "runtime/kernel/text.h"

namespace perigee::prompt {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLines = 1000;  // then a new page begins, so that long sessions stay quick

bool is_interrupt(const Error& error) { return error.diagnostic().code == "interrupted"; }

}  // namespace

Repl::Repl(InterpreterOptions options)
    : interpreter_(open_words, [&] {
        options.interactive = true;
        return std::move(options);
      }()) {
  name_ = kPromptName;
  const InterpreterOptions& given = interpreter_.options();
  std::error_code error;
  interpreter_.inputs().begin(kPromptName,
                              given.sources.empty() ? fs::current_path(error).string() : std::string());
}

void Repl::remember(const std::string& as, const std::string& kept) {
  inputs_.push_back({as, kept.empty() ? as : kept});
}

void Repl::turn_page(const std::string& text) {
  source_ += text + "\n";
  lines_ += 1 + static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  interpreter_.sources().set(name_, source_);
  if (lines_ < kLines) return;
  name_ = fmt::format("{} {}", kPromptName, ++pages_);
  source_.clear();
  lines_ = 0;
}

// The command that is meant by "quit", "exit()", "help" or "help fcfs", typed by a person who does not know
// the commands. Empty for other text, and when the session has a variable of that name.
std::string Repl::meant(const std::string& text) {
  static const std::regex leave(R"((quit|exit|bye)(\s*\(\s*\))?)"), help(R"(help(\s+([\w.:]+))?)");
  constexpr std::size_t kLongest = 100;
  std::smatch match;
  if (text.size() > kLongest) return {};
  if (std::regex_match(text, match, leave) && !global_names(interpreter_.main()).contains(match.str(1)))
    return ":quit";
  if (std::regex_match(text, match, help)) return ":help " + match.str(2);
  return {};
}

bool Repl::is_open(const std::string& input) {
  lua_State* L = interpreter_.main();
  const int top = lua_gettop(L);
  const std::string text = input + "\n";  // an unfinished text does not go on in the next line
  const bool open = !loads(L, "return " + text) && (at_end(L) || (!loads(L, text) && at_end(L)));
  lua_settop(L, top);
  return open;
}

bool Repl::needs_more(const std::string& line) {
  const std::string text(trimmed(line));
  if (pending_.empty() && (text.empty() || text[0] == ':' || text[0] == '?')) return false;
  return is_open(pending_.empty() ? line : pending_ + "\n" + line);
}

Repl::Reply Repl::feed(const std::string& line) {
  if (pending_.empty()) {
    const std::string text(trimmed(line));
    if (text.empty()) return {};
    if (const std::string command_meant = meant(text); !command_meant.empty()) return command(command_meant);
    if (text[0] == ':' && !text.starts_with("::")) return command(text);
    if (text[0] == '?') {
      const std::string topic(trimmed(std::string_view(text).substr(1)));
      return command(":help " + topic);
    }
    pending_ = line;
  } else {
    pending_ += "\n" + line;
  }
  if (is_open(pending_)) {
    Reply reply;
    reply.needs_more = true;
    return reply;
  }
  return run(std::exchange(pending_, {}), false);
}

Repl::Reply Repl::finish() {
  if (pending_.empty()) return {};
  return run(std::exchange(pending_, {}), false);
}

Repl::Reply Repl::cell(const std::string& name, const std::string& text) {
  Reply all;
  const auto add = [&](const Reply& reply) {
    all.output += reply.output;
    all.error = reply.error;
    all.code = reply.code;
    all.quit = reply.quit;
  };
  std::string rest = text;
  for (std::size_t line = 0; all.error.empty() && !all.quit;) {
    const std::size_t end = std::min(rest.find('\n', line), rest.size());
    const std::string first(trimmed(std::string_view(rest).substr(line, end - line)));
    const std::string_view behind = trimmed(std::string_view(rest).substr(end));
    if (first.empty() && end < rest.size()) {
      line = end + 1;
      continue;
    }
    const bool times =
        first.starts_with(":time") && (first.size() == 5 ? !behind.empty() : !is_word(first[5]));
    if (times) {  // all of the cell
      std::string timed = rest;
      timed.replace(timed.find(":time"), 5, 5, ' ');
      add(trimmed(timed).empty() ? command(":time") : run(timed, true, name));
      return all;
    }
    std::string asked = behind.empty() ? meant(first) : std::string();
    if (first.starts_with('?')) asked = ":help " + std::string(trimmed(std::string_view(first).substr(1)));
    if (first.ends_with('?'))
      asked = ":help " + std::string(trimmed(std::string_view(first).substr(0, first.size() - 1)));
    if (first.starts_with(':') && !first.starts_with("::")) asked = first;
    if (asked.empty()) {
      if (!trimmed(rest).empty()) add(run(rest, false, name));
      return all;
    }
    add(command(asked));
    rest.replace(line, end - line, end - line, ' ');  // what follows keeps its lines
    if (behind.empty()) return all;
  }
  return all;
}

Repl::State Repl::state_of_cell(const std::string& text) {
  const std::string code(trimmed(text));
  if (code.empty() || code[0] == '?' || code.ends_with('?') || (code[0] == ':' && !code.starts_with("::")))
    return State::complete;
  lua_State* L = interpreter_.main();
  const int top = lua_gettop(L);
  const bool good =
      loads(L, "return " + text + "\n") || loads(L, text) || last_expression(L, text) != text.npos;
  lua_settop(L, top);
  if (good || !meant(code).empty()) return State::complete;
  return is_open(text) ? State::incomplete : State::invalid;
}

// An input, what is known of it, and the state before it ran.
struct Repl::Running {
  const std::string& text;
  const std::string name;             // of the page that it is on
  const std::size_t lines_before;     // on that page
  const std::set<std::string> known;  // globals
  const void* const last;             // the last value
  const std::uint64_t printed, outcomes;
  bool expression = false, statement = false;  // what the text can be read as
  bool returns = false;  // a statement that ends with a return, so that its locals cannot be kept
  bool shown = false;    // it has values, and they were shown
  std::size_t last_at = std::string::npos;  // where the last expression of a cell begins
};

// Leaves the input as a function at the bottom of the stack, or throws the message of the form that it is
// more likely to be.
void Repl::compile(lua_State* L, Running& input) {
  const std::string before(input.lines_before, '\n');  // so that lines have their numbers
  if (input.last_at != std::string::npos) {
    input.statement = true;
    lua_newtable(L);
    if (!loads(L, before + cell_by(input.text, input.last_at, kKeepValues, "\n)"), input.name)) lua_error(L);
    lua_insert(L, 1);
    return;
  }
  input.expression = loads(L, before + "return " + input.text, input.name);
  input.statement = loads(L, before + input.text, input.name);
  if (!input.expression && !input.statement) {
    interpreter_.sources().set(input.name, before + input.text + "\n");  // hints are not on earlier inputs
    const auto says = [&](int message, std::string_view what) {
      return message_at(L, message).find(what) != std::string_view::npos;
    };
    const bool no_statement = says(-1, "unexpected symbol") || says(-1, "syntax error");
    const bool no_expression = says(-2, "unexpected symbol") || says(-2, "<eof> expected");
    if (no_statement && !no_expression) lua_pop(L, 1);
    lua_error(L);
  }
  if (!input.expression) {
    input.returns =
        !loads(L, before + host::without_const(input.text) + std::string(kKeepLocals), input.name);
    if (input.returns) lua_pop(L, 1);  // the message
    lua_replace(L, 1);
  }
  lua_settop(L, 1);
}

// Calls the function at the bottom of the stack; its values are shown.
void Repl::evaluate(lua_State* L, Running& input, Reply& reply) {
  std::uint64_t printed = input.printed;
  if (input.last_at == std::string::npos) {
    push_keeper(L);
    lua_call(L, 1, LUA_MULTRET);
  } else {
    push_keeper(L, 2);
    lua_pushvalue(L, 1);
    lua_insert(L, -2);
    lua_call(L, 1, 0);
    lua_getfield(L, 2, "n");
    const auto values = static_cast<int>(lua_tointeger(L, -1));
    luaL_checkstack(L, values, "values");
    for (int i = 1; i <= values; ++i) lua_rawgeti(L, 2, i);
    lua_getfield(L, 2, "printed");
    printed = static_cast<std::uint64_t>(lua_tointeger(L, -1));
    lua_pop(L, 1);
    for (int i = 0; i < 3; ++i) lua_remove(L, 1);
  }
  const int count = lua_gettop(L);
  bool nothing = true;
  for (int i = 1; i <= count; ++i) nothing = nothing && lua_isnil(L, i);
  if (nothing) return;
  set_last_value(L, 1);
  // A value that has printed itself and returns itself, as r:gantt() does, is not shown again. In a notebook, that
  // shows pictures, neither are the rows of a figure.
  const bool rows = show_ && lua_istable(L, 1) && luaL_getmetafield(L, 1, "units") != LUA_TNIL;
  lua_settop(L, count);
  if (count == 1 && (rows || lua_type(L, 1) == LUA_TUSERDATA) && interpreter_.output().printed() > printed)
    return;
  input.shown = true;
  for (int i = 1; i <= count; ++i)
    if (show_)
      show_(L, i);
    else
      reply.output += pretty(L, i) + "\n";
}

// Notes the input as a script repeats it. `limited`: it met a limit, after which a script cannot go on.
void Repl::note(const Running& input, const Reply& reply, bool limited) {
  lua_State* const L = interpreter_.main();
  const std::string& text = input.text;
  const std::string shown = text.find("--") == std::string::npos ? text : text + "\n";
  const std::string statements =
      input.last_at == text.npos || loads(L, text) ? text : cell_by(text, input.last_at, "local _ = ", "");
  lua_settop(L, 0);
  if (interpreter_.inputs().all().back().stopped_at > 0) {
    lua_gc(L, LUA_GCCOLLECT);
    const bool left = last_value(L) != input.last;
    remember(as_far_as(text, left, interpreter_.outcomes() - input.outcomes));
  } else if (!reply.error.empty()) {
    lua_gc(L, LUA_GCCOLLECT);
    const bool began = !limited && (input.expression || input.statement);
    remember(began ? in_spite(input.statement ? statements : "return " + text, input.known)
                   : commented(text, "failed"));
  } else if (text.starts_with("help(") || text.starts_with("help \"")) {  // no word of a script
    remember(commented(text, "asked"));
  } else if (input.last_at != text.npos) {
    const std::string_view close = shown.size() > text.size() ? "\n)" : ")";
    if (input.shown)
      remember(cell_by(text, input.last_at, "print(", close), cell_by(text, input.last_at, "show(", close));
    else
      remember(host::without_const(statements), cell_by(text, input.last_at, "_ = ", ""));
  } else if (input.expression && (!input.statement || input.shown)) {
    remember(fmt::format("print({})", shown), fmt::format("show({})", shown));
  } else if (input.expression) {
    remember(text, fmt::format("_ = {}", text));
  } else if (input.returns) {
    const std::string first = declared(input.known), value = as_function("", text) + "()";
    remember(fmt::format("{}print({})", first, value), fmt::format("{}show({})", first, value));
  } else {
    remember(host::without_const(text));
  }
}

Repl::Reply Repl::run(const std::string& text, bool timed, const std::string& cell) {
  lua_State* const L = interpreter_.main();
  Reply reply;
  interpreter_.resume();
  const bool typed = cell.empty();
  interpreter_.sources().set(typed ? name_ : cell, (typed ? source_ : std::string()) + text + "\n");
  Running input{text,
                typed ? name_ : cell,
                typed ? lines_ : 0,
                global_names(L),
                last_value(L),
                interpreter_.output().printed(),
                interpreter_.outcomes()};
  if (!typed) input.last_at = last_expression(L, text);
  interpreter_.inputs().all().push_back({.text = text, .cell = cell});
  uses_last_ = uses_last_ || uses_word(text, "_");
  const auto begin = std::chrono::steady_clock::now();
  try {
    host::protect(L, [&](lua_State* state) {
      compile(state, input);
      evaluate(state, input, reply);
    });
  } catch (const Error& error) {
    reply.error = error_text(error);
    reply.code = error.diagnostic().code;
    const bool in_run = error.diagnostic().message.find(" at t = ") != std::string::npos;
    if (is_interrupt(error) && in_run && last_value(L) != input.last)
      reply.error += "  note: _ is the simulation, as it was then; _:run() goes on\n";
  } catch (const std::exception& error) {
    reply.error = fmt::format("internal error: {}\n", error.what());
  }
  const bool limited = interpreter_.stopped();
  interpreter_.resume();
  lua_settop(L, 0);
  note(input, reply, limited);
  if (typed) turn_page(text);
  if (timed) {
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    reply.output += fmt::format("took {:.3f} s\n", took.count());
  }
  return reply;
}

std::string Repl::error_text(const Error& error) {
  if (!is_interrupt(error)) return explain(error, interpreter_);
  interpreter_.inputs().all().back().stopped_at = interpreter_.looks();
  const SourceLocation& where = error.diagnostic().where;
  const bool elsewhere = error.diagnostic().message != "interrupted";  // it says when
  return where.line > 0 && !elsewhere ? fmt::format("interrupted at {}:{}\n", where.file, where.line)
                                      : error.diagnostic().message + "\n";
}

// Statements that make the globals that are new since `known`, with any value, because a function of a script
// assigns only existing globals.
std::string Repl::declared(const std::set<std::string>& known) {
  std::string out;
  for (const std::string& name : global_names(interpreter_.main()))
    if (name != "_" && !known.contains(name)) out += name + " = false\n";
  return out;
}

// A failed input as a script repeats it: the script does the same up to the failure.
std::string Repl::in_spite(const std::string& text, const std::set<std::string>& known) {
  const std::string again = declared(known) + as_function("pcall", text) + "  -- it failed";
  lua_State* L = interpreter_.main();
  const bool good = loads(L, again);
  lua_settop(L, 0);
  return good ? again : commented(text, "failed");
}

// An input that Ctrl-C stopped, in a script that is to come as far. `left`: `_` is the simulation that it
// stopped, after so many outcomes.
std::string Repl::as_far_as(const std::string& text, bool left, std::uint64_t outcomes) {
  static const std::regex go_on(R"(\s*(?:\w+\s*=\s*)?([A-Za-z_][\w.]*)\s*:\s*run(?:_until)?\s*\([^()]*\)\s*)"
                                R"(|\s*while\s+([A-Za-z_][\w.]*)\s*:\s*step\s*\(\s*\)\s*do\s+end\s*)");
  static const std::regex begin(
      R"(\s*(?:(?:local\s+|return\s+)?\w+\s*=\s*)?([A-Za-z_][\w.]*)\s*:\s*(run|compare)\s*\(?\s*(\{[^]*\})\s*\)?\s*)");
  static const std::regex until(R"(\s*(?:[\w\s,]+=\s*)?([A-Za-z_][\w.]*)\s*:\s*when\s*\(([^]*)\)\s*)");
  static const std::regex back(R"(\s*[A-Za-z_][\w.]*\s*:\s*back_to\s*\([^()]*\)\s*)");
  constexpr std::size_t kLongest = 4000;  // the depth of a match grows with the text
  lua_State* L = interpreter_.main();
  const auto is_expression = [L](const std::string& inside) {
    const bool good = loads(L, "return " + inside);
    lua_settop(L, 0);
    return good;
  };
  std::smatch match;
  std::string simulation, first;
  if (text.size() > kLongest) {
  } else if (left && std::regex_match(text, match, begin)) {
    simulation = "_";
    if (match.str(2) == "run")
      first = fmt::format("_ = {}:start {}\n", match.str(1), match.str(3));
    else
      first = fmt::format(
          "do\n  local given = {}\n  _ = {}:start {{ policy = given[{}], seed = given.seed, "
          "horizon = given.horizon, warmup = given.warmup, trace = given.trace,\n    "
          "validate = given.validate, information = given.information }}\nend\n",
          match.str(3), match.str(1), outcomes + 1);
  } else if (!left && std::regex_match(text, match, go_on)) {
    simulation = match.str(1) + match.str(2);
  } else if (!left && std::regex_match(text, match, until) && is_expression(match.str(2))) {
    simulation = match.str(1);
  } else if (!left && std::regex_match(text, back)) {
    return commented(text, "interrupted, it left the simulation as it was");
  }
  std::string out;
  if (!simulation.empty()) try {
      host::protect(L, [&](lua_State* state) {
        if (!loads(state, fmt::format("return {}:now()", simulation))) lua_error(state);
        lua_call(state, 0, 1);
        out = fmt::format("{}\n{}{}:run_until({})", commented(text, "interrupted"), first, simulation,
                          lua_tonumber(state, -1));
        if (!loads(state, out)) lua_error(state);
      });
    } catch (const std::exception&) {
      out.clear();
    }
  lua_settop(L, 0);
  return out.empty() ? not_repeated(text) : out;
}

std::string Repl::not_repeated(const std::string& text) {
  differs_ = true;
  return commented(text, "interrupted, from here on this script may differ from the session");
}

template <class F>
Repl::Reply Repl::load_by(const std::string& path, F load) {
  Reply reply;
  interpreter_.resume();
  const std::size_t inputs = interpreter_.inputs().all().size();
  const std::set<std::string> known = global_names(interpreter_.main());
  try {
    load();
  } catch (const Error& error) {
    reply.error =
        interpreter_.inputs().all().size() > inputs ? error_text(error) : explain(error, interpreter_);
  } catch (const std::exception& error) {
    reply.error = fmt::format("internal error: {}\n", error.what());
  }
  const bool limited = interpreter_.stopped();
  interpreter_.resume();
  lua_State* L = interpreter_.main();
  lua_settop(L, 0);
  if (interpreter_.inputs().all().size() == inputs) return reply;  // it could not be read
  std::string text = interpreter_.inputs().all().back().text;
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  if (text.starts_with('#')) text.insert(0, "--");
  uses_last_ = uses_last_ || uses_word(text, "_");
  if (interpreter_.inputs().all().back().stopped_at > 0) {
    text = not_repeated(text) + "\n";
  } else if (!reply.error.empty()) {
    text = (limited || !loads(L, text) ? commented(text, "failed") : in_spite(text, known)) + "\n";
  } else if (!loads(L, text + std::string(kKeepLocals))) {
    text = "do\n" + text + "\nend";
  }
  lua_settop(L, 0);
  remember(fmt::format("-- from {}\n{}{}-- end of {}", path, text, text.ends_with('\n') ? "" : "\n", path));
  turn_page(":load " + path);
  return reply;
}

Repl::Reply Repl::load(const std::string& path) {
  return load_by(path, [&] { interpreter_.inputs().load_file(path); });
}

Repl::Reply Repl::repeat(const Input& input) {
  interpreter_.stop_at(input.stopped_at);
  if (input.file.empty()) return run(input.text, false, input.cell);
  return load_by(input.file, [&] { interpreter_.inputs().load(input); });
}

}  // namespace perigee::prompt
