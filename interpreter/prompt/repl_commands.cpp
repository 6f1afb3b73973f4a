// The commands of the prompt, and what Tab completes.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>

#include "interpreter/bindings/show/help.h"
#include "interpreter/language/vocabulary.h"
#include "interpreter/prompt/completion.h"
#include "interpreter/prompt/input_text.h"
#include "interpreter/prompt/repl.h"
#include "runtime/kernel/text.h"

namespace perigee::prompt {

namespace fs = std::filesystem;

namespace {

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

}  // namespace

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
