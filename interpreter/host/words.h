// The words of a script's text, without parsing it.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/layers.h"
#include "runtime/kernel/text.h"

namespace perigee::host {

inline bool begins_name(std::string_view token) { return is_word(token.front()) && !is_digit(token.front()); }

// Calls f(token, line) for each word, text and other character of Lua; comments and white space are skipped.
template <class F>
void each_token(std::string_view text, F&& f) {
  // The place after the long bracket that begins at `at`; `at` when none begins there.
  const auto behind_bracket = [&](std::size_t at) {
    if (at >= text.size() || text[at] != '[') return at;
    const std::size_t second = text.find_first_not_of('=', at + 1);
    if (second == std::string::npos || text[second] != '[') return at;
    const std::string close = "]" + std::string(second - at - 1, '=') + "]";
    return std::min(text.find(close, second), text.size() - close.size()) + close.size();
  };
  int line = 1;
  for (std::size_t at = 0, end = 0; at < text.size(); at = end) {
    const char c = text[at];
    end = at + 1;
    bool token = true;
    if (text.substr(at, 2) == "--") {
      token = false;
      end = behind_bracket(at + 2);
      if (end == at + 2) end = std::min(text.find('\n', at), text.size());
    } else if (c == '"' || c == '\'') {
      while (end < text.size() && text[end] != c) end += text[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, text.size());
    } else if (c == '[') {
      end = std::max(end, behind_bracket(at));
    } else if (is_word(c)) {
      while (end < text.size() && is_word(text[end])) ++end;
    } else if (is_blank(c)) {
      token = false;
    }
    const std::string_view found = text.substr(at, end - at);
    if (token) f(found, line);
    line += static_cast<int>(std::ranges::count(found, '\n'));
  }
}

struct Token {
  std::string_view text;  // a view into the text that was read
  int line;
};
inline std::vector<Token> tokens_of(std::string_view text) {
  std::vector<Token> tokens;
  each_token(text, [&](std::string_view token, int line) { tokens.push_back({token, line}); });
  return tokens;
}

// The place behind the `end` of the function whose keyword is at `at`; the number of tokens where that is
// missing.
inline std::size_t behind_function(const std::vector<Token>& tokens, std::size_t at) {
  for (int blocks = 0; at < tokens.size(); ++at) {
    const std::string_view token = tokens[at].text;
    if (token == "function" || token == "if" || token == "do" || token == "repeat") ++blocks;
    if ((token == "end" || token == "until") && --blocks == 0) return at + 1;
  }
  return at;
}

// The text without <const>, in the same columns, so that such locals exist when it runs.
inline std::string without_const(const std::string& text) {
  std::string out = text;
  std::string_view before_that, before;
  each_token(text, [&](std::string_view token, int) {
    if (before_that == "<" && before == "const" && token == ">")
      for (const char* c = before_that.data(); c <= token.data(); ++c)
        if (char& blanked = out[static_cast<std::size_t>(c - text.data())]; blanked != '\n') blanked = ' ';
    before_that = before;
    before = token;
  });
  return out;
}

// Calls f(word, line) for each identifier that is not the name of a field.
template <class F>
void each_word(std::string_view text, F&& f) {
  char before = '\n', before_that = '\n';
  each_token(text, [&](std::string_view token, int line) {
    const bool field = (before == '.' && before_that != '.') || (before == ':' && before_that != ':');
    if (!field && begins_name(token)) f(token, line);
    before_that = before;
    before = token.back();
  });
}

}  // namespace perigee::host
