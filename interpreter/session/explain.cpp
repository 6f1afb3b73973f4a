#include "interpreter/session/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "interpreter/language/hints.h"
#include "interpreter/session/interpreter.h"

namespace perigee::session {

namespace {

constexpr std::size_t kLongestLine = 200, kLongestToken = 80;  // of those that an error shows

// Where `at` or the next place is that does not part a character of several bytes.
std::size_t at_character(std::string_view text, std::size_t at) {
  while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) ++at;
  return at;
}

// A message of Lua ends with the token that it could not read, which may be as long as the file.
std::string with_short_token(const std::string& message) {
  const std::size_t token = message.find(" near '");
  if (token == message.npos || !message.ends_with('\'') || message.size() < token + 2 * kLongestToken)
    return message;
  return message.substr(0, at_character(message, token + kLongestToken)) + "...'";
}

// The line; a part of one that is too long, around the first name in quotes of the message that it has.
std::string excerpt(const std::string& line, std::string_view message) {
  if (line.size() <= kLongestLine) return line;
  std::size_t place = 0;
  for (std::size_t open = message.find('\''), close = 0; open != message.npos && place == 0;
       open = message.find('\'', close + 1)) {
    close = message.find('\'', open + 1);
    if (close == message.npos) break;
    const std::string_view name = message.substr(open + 1, close - open - 1);
    if (const std::size_t found = line.find(name); found != line.npos && !name.empty()) place = found;
    if (name == "<eof>") place = line.size();
  }
  const std::size_t from =
      at_character(line, std::min(place - std::min(place, kLongestLine / 2), line.size() - kLongestLine));
  const std::size_t to = at_character(line, from + kLongestLine);
  return fmt::format("{}{}{}", from > 0 ? "..." : "", line.substr(from, to - from),
                     to < line.size() ? "..." : "");
}

}  // namespace

std::string explain(const Error& error, const Interpreter& interpreter) {
  const Diagnostic& diagnostic = error.diagnostic();
  std::string out;
  if (diagnostic.where.known())
    out = diagnostic.where.line > 0 ? fmt::format("{}:{}: ", diagnostic.where.file, diagnostic.where.line)
                                    : diagnostic.where.file + ": ";
  out += "error: " + with_short_token(diagnostic.message) + "\n";
  const std::string line = interpreter.sources().line(diagnostic.where);
  if (!line.empty())
    out += fmt::format("{:>5} | {}\n", diagnostic.where.line, excerpt(line, diagnostic.message));
  for (const std::string& note : diagnostic.notes_in_short()) out += fmt::format("  note: {}\n", note);
  const std::string* source = interpreter.sources().text(diagnostic.where.file);
  for (const std::string& hint : hints_for(diagnostic, line, source == nullptr ? "" : *source))
    out += fmt::format("  note: {}\n", hint);
  if (const auto* script = dynamic_cast<const ScriptError*>(&error); script && script->trace().size() > 1) {
    out += "  calls, innermost first:\n";
    for (const std::string& call : script->trace()) out += fmt::format("    {}\n", call);
  }
  return out;
}

}  // namespace perigee::session
