#include "interpreter/prompt/repl.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "interpreter/bindings/show/help.h"
#include "interpreter/bindings/words.h"
#include "interpreter/host/words.h"
#include "interpreter/language/vocabulary.h"
#include "interpreter/prompt/completion.h"
#include "interpreter/prompt/prompt_text.h"
#include "interpreter/session/explain.h"
#include "runtime/kernel/text.h"

namespace perigee::prompt {

namespace fs = std::filesystem;

namespace {

constexpr const char* kName = "prompt";  // of the session in messages
constexpr std::size_t kLines = 1000;     // then a new page begins, so that long sessions stay quick
constexpr const char* kFirstLine = "-- a session of perigee";

struct Command {
  std::string_view name, usage, summary;
};
constexpr Command kCommands[] = {
    {":help", ":help [NAME]", "this text, or what NAME is; also ?NAME and help(x)"},
    {":load", ":load FILE", "runs a file; its top-level locals stay"},
    {":time", ":time INPUT", "runs INPUT and says how long it took"},
    {":write", ":write FILE", "writes the session as a script that repeats it"},
    {":quit", ":quit", "leaves; so do quit, exit and Ctrl-D"},
};

bool loads(lua_State* L, const std::string& text, const std::string& name = kName) {
  return luaL_loadbufferx(L, text.data(), text.size(), ("@" + name).c_str(), "t") == LUA_OK;
}

// The message of a failed load; empty when the error is no text, as for an overflow.
std::string_view message_at(lua_State* L, int index) { return host::text_at(L, index).value_or(""); }

// The message of a failed load, on top of the stack, is about the end of the text.
bool at_end(lua_State* L) { return message_at(L, -1).ends_with("<eof>"); }

// A function that does it, which sees the locals around it, as an argument of `of`.
std::string as_function(std::string_view of, const std::string& text) {
  return fmt::format("{}(function(...)\n{}\nend)", of, text);
}

bool uses_word(const std::string& text, const std::string& word) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || (!is_word(text[at - 1]) && text[at - 1] != '.')) &&
        (end == text.size() || !is_word(text[end])))
      return true;
  }
  return false;
}

std::set<std::string> global_names(lua_State* L) {
  std::set<std::string> names;
  lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1))
    if (const auto name = host::text_at(L, -2)) names.emplace(*name);
  lua_pop(L, 1);
  return names;
}

bool is_interrupt(const Error& error) { return error.diagnostic().code == "interrupted"; }

std::string commented(const std::string& text, std::string_view why) {
  std::string out = "-- " + std::string(why) + ": ";
  for (const char c : text) {
    out += c;
    if (c == '\n') out += "-- ";
  }
  return out;
}

}  // namespace

Repl::Repl(InterpreterOptions options)
    : interpreter_(open_words, [&] {
        options.interactive = true;
        return std::move(options);
      }()) {
  name_ = kName;
  const InterpreterOptions& given = interpreter_.options();
  std::error_code error;
  interpreter_.inputs().begin(kName,
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
  name_ = fmt::format("{} {}", kName, ++pages_);
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

namespace {

// Where the last expression of a cell begins that has statements before it; npos where it ends with a statement.
// A call is both, and its value is wanted.
std::size_t last_expression(lua_State* L, const std::string& text) {
  constexpr std::size_t kMostTries = 300;
  const auto good = [L](const std::string& part) {
    const int top = lua_gettop(L);
    const bool loaded = loads(L, part);
    lua_settop(L, top);
    return loaded;
  };
  if (good("return " + text + "\n")) return text.npos;
  const bool whole = good(text);
  const std::vector<host::Token> tokens = host::tokens_of(text);
  std::size_t tries = 0;
  for (std::size_t i = tokens.size(); i-- > 1 && tries < kMostTries;) {
    const bool begins = tokens[i].line > tokens[i - 1].line || tokens[i - 1].text == ";";
    if (!begins || tokens[i].text == ";") continue;
    ++tries;
    const auto at = static_cast<std::size_t>(tokens[i].text.data() - text.data());
    const std::string last = text.substr(at), before = text.substr(0, at);
    if (!good("return " + last + "\n")) continue;
    // A line that begins with a bracket goes on with the one before it.
    if (whole && (tokens[i].text == "(" || !good(last))) continue;
    if (good(before + std::string(kKeepLocals))) return at;
  }
  return text.npos;
}

// A cell whose last expression begins at `at`, with something done to that.
std::string cell_by(const std::string& text, std::size_t at, std::string_view before,
                    std::string_view behind) {
  return host::without_const(text.substr(0, at)) + std::string(before) + text.substr(at) +
         std::string(behind);
}

}  // namespace

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

std::string Repl::script() const {
  std::string out = fmt::format("{}, version {}\n", kFirstLine, PERIGEE_VERSION);
  if (interpreter_.redefinitions().count > 0) out += "redefine_schedulers()\n";
  if (uses_last_) out += "local _\nlocal function show(...) _ = ... print(...) end\n";
  for (const Statement& input : inputs_) {
    out += uses_last_ ? input.kept : input.plain;
    out += '\n';
  }
  return out;
}

Repl::Reply Repl::command(const std::string& line) {
  const std::size_t end = line.find_first_of(" \t");
  const std::string name = line.substr(0, end);
  const std::string rest(trimmed(std::string_view(line).substr(std::min(end, line.size()))));
  Reply reply;
  if (name == ":quit" || name == ":q") {
    reply.quit = true;
  } else if (name == ":help") {
    reply.output = help(rest);
    if (reply.output.empty()) reply.error = fmt::format("error: {}\n", no_help_on(interpreter_.main(), rest));
  } else if (name == ":load") {
    if (rest.empty()) {
      reply.error = "error: :load needs the name of a file\n";
      return reply;
    }
    try {
      return load(file_of_command(name, rest));
    } catch (const Error& error) {
      reply.error = fmt::format("error: {}\n", error.what());
    }
  } else if (name == ":time") {
    if (rest.empty())
      reply.error = "error: :time needs something to run\n";
    else
      return run(rest, true);
  } else if (name == ":write") {
    if (rest.empty()) {
      reply.error = "error: :write needs the name of a file\n";
      return reply;
    }
    try {
      return write(file_of_command(name, rest));
    } catch (const Error& error) {
      reply.error = fmt::format("error: {}\n", error.what());
    }
  } else {
    std::vector<std::string> names;
    for (const Command& command : kCommands) names.emplace_back(command.name);
    reply.error = fmt::format("error: there is no command '{}'{}\n", name, did_you_mean(name, names));
  }
  return reply;
}

// The file that a command names, perhaps in quotes. Error where a cell of a notebook names one elsewhere.
std::string Repl::file_of_command(std::string_view command, const std::string& given) const {
  std::string path = given;
  if (path.size() > 2 && (path[0] == '"' || path[0] == '\'') && path.back() == path[0])
    path = path.substr(1, path.size() - 2);
  if (confined_to_.empty()) return path;
  std::error_code error;
  const fs::path below = fs::weakly_canonical(fs::absolute(path), error).lexically_relative(confined_to_);
  if (error || below.empty() || *below.begin() == ".." || fs::path(path).extension() != ".lua")
    fail("no_place", "{} {}: in a notebook the file must end in .lua and lie below the notebook's folder, {}",
         command, path, confined_to_);
  return path;
}

Repl::Reply Repl::write(const std::string& path) {
  Reply reply;
  std::string first;
  if (std::ifstream there(path); there && std::getline(there, first) && !first.starts_with(kFirstLine)) {
    reply.error = fmt::format("error: {} exists and is no session of perigee; choose another name\n", path);
    return reply;
  }
  std::ofstream file(path, std::ios::binary);
  const std::string text = script();
  file << text;
  if (!file.flush()) {
    reply.error = fmt::format("error: {} cannot be written\n", path);
    return reply;
  }
  reply.output = fmt::format("{} inputs written to {}\n", inputs_.size(), path);
  if (differs_)
    reply.output += "it may differ from the session after what Ctrl-C stopped; comments say where\n";
  lua_State* L = interpreter_.main();
  if (!loads(L, text))  // more than 200 locals, say
    reply.output += fmt::format("it cannot run as it is: {}\n", message_at(L, -1));
  lua_settop(L, 0);
  return reply;
}

std::string Repl::help(const std::string& topic) {
  if (!topic.empty()) return help_on(interpreter_.main(), topic);
  std::string out = "An expression is shown, a statement is run; an input may go on in further lines.\n\n";
  for (const Command& command : kCommands) out += fmt::format("  {:<14}{}\n", command.usage, command.summary);
  out += "  Tab           completes names, fields, schedulers, their parameters, hosts and files\n";
  out += "  Ctrl-C        stops what runs; a simulation can be looked at and go on\n";
  out += "  Ctrl-D        gives an unfinished input up, leaves\n";
  out += "\nwords (?NAME says more):\n";
  std::string row = " ";
  for (const Word& word : vocabulary()) {
    if (!word.owner.empty()) continue;
    if (row.size() + word.name.size() > 76) out += std::exchange(row, " ") + "\n";
    row += fmt::format(" {}", word.name);
  }
  return out + row + "\nschedulers: schedulers() lists them\n";
}

namespace {

std::vector<std::string> files(const std::string& begin) {
  std::vector<std::string> found;
  const fs::path path(begin);
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::error_code error;
  for (fs::directory_iterator i(folder, error), end; !error && i != end; i.increment(error)) {
    std::string name = path.has_parent_path() ? (path.parent_path() / i->path().filename()).string()
                                              : i->path().filename().string();
    if (!name.starts_with(begin) || (i->path().filename().string()[0] == '.' && path.filename().empty()))
      continue;
    if (i->is_directory(error)) name += '/';
    found.push_back(std::move(name));
  }
  return found;
}

}  // namespace

Repl::Completion Repl::complete(const std::string& text, std::size_t cursor) {
  const std::string left = text.substr(0, std::min(cursor, text.size()));
  Completion completion;
  const auto offer = [&](std::size_t start, const std::vector<std::string>& all) {
    completion.start = start;
    const std::string begin = left.substr(start);
    for (const std::string& each : all)
      if (each.starts_with(begin)) completion.candidates.push_back(each);
    std::sort(completion.candidates.begin(), completion.candidates.end());
    const auto last = std::unique(completion.candidates.begin(), completion.candidates.end());
    completion.candidates.erase(last, completion.candidates.end());
    return completion;
  };
  std::size_t code = 0;  // where Lua begins
  if (pending_.empty() && left.starts_with(":")) {
    const std::size_t end = left.find(' ');
    if (end == std::string::npos) {
      std::vector<std::string> names;
      for (const Command& command : kCommands) names.emplace_back(command.name);
      return offer(0, names);
    }
    const std::string name = left.substr(0, end);
    const std::size_t start = std::min(left.find_first_not_of(' ', end), left.size());
    if (name == ":load" || name == ":write") return offer(start, files(left.substr(start)));
    if (name == ":help") return offer(start, help_topics(interpreter_.main()));
    if (name != ":time") return completion;
    code = start;
  } else if (pending_.empty() && left.starts_with("?")) {
    return offer(1, help_topics(interpreter_.main()));
  }
  const std::string source = pending_.empty() ? left.substr(code) : pending_ + "\n" + left;
  std::vector<std::string> found;
  std::size_t length = 0;  // of the word to be completed
  bool want_files = false;
  try {
    host::protect(interpreter_.main(),
                  [&](lua_State* L) { found = completions(L, source, length, want_files); });
  } catch (const std::exception&) {
    return completion;
  }
  length = std::min(length, left.size() - code);
  const std::size_t start = left.size() - length;
  if (want_files) {
    found = files(left.substr(start));
    for (std::string& name : found)  // a folder goes on
      if (!name.ends_with('/')) name += left[start - 1] == '[' ? "]]" : std::string(1, left[start - 1]);
  }
  const char next = cursor < text.size() ? text[cursor] : ' ';
  if (next == '"' || next == '\'')
    for (std::string& name : found)
      if (name.ends_with(next)) name.pop_back();
  return offer(start, found);
}

}  // namespace perigee::prompt
