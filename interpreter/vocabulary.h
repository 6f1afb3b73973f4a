// What the words of the language are for: help at the prompt. Schedulers have their catalogue entries
// instead.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/layers.h"

namespace perigee::interpreter {

struct Word {
  std::string_view owner;  // "" for globals, a module, or the type that has the method
  std::string_view name;
  std::string_view usage;
  std::string_view summary;
  // Names in the table that it takes, separated by blanks; "trace=full|work|none" names the values as well,
  // which end in "|..." when there are others.
  std::string_view fields = {};
};
// One of those names, and the values that it names, separated by '|'.
struct FieldWord {
  std::string_view name, choices;
};
std::vector<FieldWord> fields_of(std::string_view fields);
// The same of a table that is itself a field, such as `link = { ... }`; empty of any other.
std::vector<FieldWord> fields_of_field(std::string_view field);
std::span<const Word> vocabulary();
const Word* find_word(std::string_view owner, std::string_view name);
// What says today what that word once said; empty where it never was one.
std::string_view word_instead_of(std::string_view owner, std::string_view name);
// Where a word is found that a type lacks and its sibling has; empty where there is no such.
std::string_view sibling_with(std::string_view type, std::string_view name);
std::string chain_of(const Word& word);  // "workload.tasks", "result.save"

// What a field means: of the table that a word takes (units and defaults, where it has them), or of a native
// type. "type" has the types themselves, "errors" when calls fail whose arguments are of the right kinds.
struct Meaning {
  std::string_view of, name, text;
};
std::span<const Meaning> meanings();
// `owner`: the chain of a word, or the name of a type. Empty when nothing is known of it.
std::string_view meaning_of(std::string_view owner, std::string_view field);
// Of a native type, where a field may be a word of its own.
std::string_view field_meaning(std::string_view type, std::string_view field);

// Types of words, by chain; several chains are separated by ", ".
struct TypedWords {
  std::string_view chains, type;
};
std::span<const TypedWords> returned_types();
std::span<const TypedWords> given_types();
// What a word returns, by its chain: the name of a native type, or a type as the Lua language server writes
// it; several are separated by ", ". Empty when nothing is said.
std::string_view returned_by(std::string_view chain);
// With what the function is called that a field of the word's table is ("heuristic.pick"), or the arguments
// of a word that takes a function ("process"); written likewise.
std::string_view given_to(std::string_view chain);

// A script that runs by itself, of a word's chain or a type.
struct Example {
  std::string_view of, script;
};
std::span<const Example> examples();
std::string_view example_of(std::string_view owner);  // empty when there is none

}  // namespace perigee::interpreter
