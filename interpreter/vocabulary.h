// What the words of the language are for: help at the prompt. Schedulers have their catalogue entries
// instead.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace perigee {

struct Word {
  std::string_view owner;  // "" for globals, a module, or the type that has the method
  std::string_view name;
  std::string_view usage;
  std::string_view summary;
  // Names in the table that it takes, separated by blanks; "trace=full|work|none" names the values as well.
  std::string_view fields = {};
};
// One of those names, and the values that it names, separated by '|'.
struct FieldWord {
  std::string_view name, choices;
};
std::vector<FieldWord> fields_of(std::string_view fields);
std::span<const Word> vocabulary();
const Word* find_word(std::string_view owner, std::string_view name);

}  // namespace perigee
