// Functions and loops of a script by their text, for checks of what has not run.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/host/guest.h"
#include "interpreter/host/words.h"
#include "interpreter/language/vocabulary.h"

namespace perigee::language {

using Tokens = std::vector<Token>;

// The text of the token; a line's end where there is none.
std::string_view at(const Tokens& tokens, std::size_t i);

// a.name and a:name, but neither a .. name nor ::name
bool is_field(const Tokens& tokens, std::size_t i);
// The token behind the bracket that opens at i.
std::size_t behind(const Tokens& tokens, std::size_t i);

// f(i) for each token that is a name after `local`, `for` or in the parameters of a function.
template <class F>
void each_local(const Tokens& tokens, F&& f) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    std::size_t k = i + 1;
    if (tokens[i].text == "function") {
      while (k < tokens.size() && tokens[k].text != "(") ++k;
      for (; k < tokens.size() && tokens[k].text != ")"; ++k)
        if (begins_name(tokens[k].text)) f(k);
    } else if (tokens[i].text == "local" || tokens[i].text == "for") {
      if (at(tokens, k) == "function") ++k;
      for (; begins_name(at(tokens, k)); ++k) {
        f(k);
        if (at(tokens, k + 1) == "<") k += 3;  // <const>
        if (at(tokens, ++k) != ",") break;
      }
    }
  }
}

// The token of the first unknown field of the table whose brace opens at i. Functions in the table are
// skipped.
std::optional<std::size_t> strange_field(const Tokens& tokens, std::size_t i,
                                         const std::vector<std::string>& known);
// The fields of the table that a word takes.
std::vector<std::string> field_names_of(const Word& word);

// A function's text and the name that its parameter has there.
struct Body {
  std::string file;
  std::string name;
  Tokens tokens;
};

// The function at `index`, in check mode. Nothing where its text is not known.
std::optional<Body> body_at(lua_State* L, int index, int parameter);
// Puts one token in the place of each function within the body whose parameters have the same name.
Tokens without_shadows(const Body& body);
// Whether the body declares its name only once: it is the same thing everywhere.
bool is_declared_once(const Body& body);

// The line of a script that runs, in the tokens of its file.
struct RunningLine {
  std::string file;
  const Tokens& tokens;
  int line;

  // The place of the only token in the line that has that text.
  std::optional<std::size_t> only(std::string_view text) const {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < tokens.size() && tokens[i].line <= line; ++i) {
      if (tokens[i].line < line || tokens[i].text != text) continue;
      if (found) return std::nullopt;  // it may be the other one
      found = i;
    }
    return found;
  }
};

// None outside of check mode, or where the text is not known.
std::optional<RunningLine> running_line(lua_State* L);
// The tokens from `begin` to the end of the block whose `do` is the next one.
Tokens loop_from(const Tokens& tokens, std::size_t begin);
// Whether the tokens declare the name anew or assign to it.
bool sets_name(const Tokens& tokens, std::string_view name);

}  // namespace perigee::language
