#include "interpreter/command/script_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>
#include <vector>

#include "interpreter/host/words.h"
#include "interpreter/session/cells.h"
#include "interpreter/session/claims.h"

namespace perigee::command {

namespace {

namespace fs = std::filesystem;

// The text in quotation marks; nothing for any other token, and where something in it is escaped.
std::optional<std::string> quoted(std::string_view token) {
  if (token.size() < 2 || (token.front() != '"' && token.front() != '\'') ||
      token.find('\\') != std::string_view::npos)
    return std::nullopt;
  return std::string(token.substr(1, token.size() - 2));
}

// The words of a script with the brackets that belong together.
class Words {
 public:
  explicit Words(std::string_view text) : tokens_(host::tokens_of(text)) {}

  std::size_t size() const { return tokens_.size(); }
  std::string_view at(std::size_t i) const { return i < size() ? tokens_[i].text : std::string_view(); }
  int line(std::size_t i) const { return tokens_[i].line; }
  bool opens(std::size_t i) const { return at(i) == "(" || at(i) == "{" || at(i) == "["; }
  bool closes(std::size_t i) const { return at(i) == ")" || at(i) == "}" || at(i) == "]"; }
  bool ends_value(std::size_t i) const { return closes(i) || at(i) == "," || at(i) == ";"; }

  // The place behind the bracket that closes the one at `i`.
  std::size_t behind_bracket(std::size_t i) const {
    int depth = 0;
    for (; i < size(); ++i) {
      if (opens(i)) ++depth;
      if (closes(i) && --depth == 0) return i + 1;
    }
    return i;
  }

  // The place behind the list of statements that begins at `i`; `i` when none does.
  std::size_t behind_statements(std::size_t i) const {
    if (at(i) != "statements" || (at(i + 1) != "{" && at(i + 1) != "(")) return i;
    const std::string_view before = i > 0 ? at(i - 1) : std::string_view();
    return before == "." || before == ":" || before == "function" ? i : behind_bracket(i + 1);
  }

  // The text that is the whole value at `i`.
  std::optional<std::string> value(std::size_t i) const {
    return ends_value(i + 1) ? quoted(at(i)) : std::nullopt;
  }

  // The fields, with a text as their values, of the table that opens at `i`.
  std::map<std::string_view, std::string> fields(std::size_t i) const {
    std::map<std::string_view, std::string> found;
    for (++i; i < size() && at(i) != "}"; i = opens(i) ? behind_bracket(i) : i + 1)
      if (at(i - 1) == "{" || at(i - 1) == "," || at(i - 1) == ";")
        if (const auto text = at(i + 1) == "=" ? value(i + 2) : std::nullopt)
          found.insert_or_assign(at(i), *text);
    return found;
  }

 private:
  std::vector<host::Token> tokens_;
};

bool is_verdict(const std::string& text) {
  for (std::size_t v = 0; v < session::kVerdicts; ++v)
    if (name_of(static_cast<session::Verdict>(v)) == text) return true;
  return false;
}

// Joins the words of the file, and of the modules in the folder that it requires, each file once.
void add_code(const fs::path& folder, const std::string& file, std::map<std::string, std::string>& code) {
  if (code.contains(file)) return;
  std::ifstream in(folder / file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const Words words(text);
  std::string& joined = code[file];
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (const std::size_t behind = words.behind_statements(i); behind > i) {
      i = behind - 1;
      continue;
    }
    joined += fmt::format("{}:{}", words.at(i).size(), words.at(i));
    if (words.at(i) != "require") continue;
    auto module = quoted(words.at(words.at(i + 1) == "(" ? i + 2 : i + 1));
    if (!module) continue;
    std::ranges::replace(*module, '.', '/');
    std::error_code none;
    if (fs::is_regular_file(folder / (*module + ".lua"), none)) add_code(folder, *module + ".lua", code);
  }
}

}  // namespace

bool ClaimText::may_have(std::string_view verdict) const {
  return verdicts.empty() || verdicts.contains("") || verdicts.contains(std::string(verdict));
}

ClaimsText claims_in_text(std::string_view text) {
  const Words words(text);
  ClaimsText found;
  std::vector<std::size_t> open;  // brackets
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (const std::size_t behind = words.behind_statements(i); behind > i) {
      found.lists_statements = true;
      for (; i + 1 < behind; ++i)
        if (const auto number = quoted(words.at(i)); number && session::is_number_of_statement(*number))
          found.listed.insert(*number);
    } else if (words.opens(i)) {
      open.push_back(i);
    } else if (words.closes(i) && !open.empty()) {
      open.pop_back();
    } else if (words.at(i) == "claim" && (words.at(i + 1) == "(" || words.at(i + 1) == "{")) {
      found.has_claims = true;
      const std::size_t table = words.at(i + 1) == "(" ? i + 2 : i + 1;
      if (words.at(table) != "{") continue;
      auto fields = words.fields(table);
      if (!fields.contains("says")) continue;
      ClaimText& claim = found.others.try_emplace(fields["says"], ClaimText{words.line(i), {}}).first->second;
      claim.verdicts.insert(fields["verdict"]);
    } else if (const auto number = quoted(words.at(i)); number && session::is_number_of_statement(*number)) {
      ClaimText& claim = found.numbers.try_emplace(*number, ClaimText{words.line(i), {}}).first->second;
      const bool named = i >= 2 && words.at(i - 1) == "=" && words.at(i - 2) == "statement" && !open.empty();
      if (named)
        claim.verdicts.insert(words.fields(open.back())["verdict"]);
      else if (const auto verdict = words.value(i + 2);
               words.at(i + 1) == "," && verdict && is_verdict(*verdict))
        claim.verdicts.insert(*verdict);  // the function that claims is given both
    }
  }
  return found;
}

std::string code_of_script(const fs::path& script) {
  std::map<std::string, std::string> code;
  std::error_code none;
  const fs::path real = fs::canonical(script, none);
  add_code(real.parent_path(), real.filename().string(), code);
  const auto own = code.extract(real.filename().string());
  std::string all = own.mapped();  // without its name, which may change
  for (const auto& [file, words] : code)
    all += fmt::format("|{}:{}{}:{}", file.size(), file, words.size(), words);
  return session::hash_text(all);
}

}  // namespace perigee::command
