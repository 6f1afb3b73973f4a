// Meanings of the words of the language, for help at the prompt. Schedulers have their catalogue entries
// instead.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/host/field_row.h"
#include "interpreter/layers.h"

namespace perigee::language {

// The rows of the fields of the table that a word takes.
struct TakenFields {
  constexpr TakenFields() = default;
  template <std::size_t n>
  constexpr TakenFields(const host::FieldRow (&all)[n]) : rows(all) {}
  constexpr bool empty() const { return rows.empty(); }
  std::span<const host::FieldRow> rows = {};
};

// The rest of a word's row; empty where nothing is said. A type is the name of a native one, or a type as the
// Lua language server writes it.
struct Further {
  std::string_view returns = {};  // its type; several are separated by ", "
  std::string_view given =
      {};  // the arguments, where some are functions of the script: "run: fun(sim: process)"
  std::string_view fails = {};    // when a call fails though its arguments are of the right kinds
  std::string_view example = {};  // a script that runs by itself
  bool own_fields = false;        // its table has fields of the script's own, too
};

// One row has all that is known of a word.
struct Word {
  std::string_view owner;  // "" for globals, a module, or the type that has the method
  std::string_view name;
  std::string_view usage;
  std::string_view summary;
  TakenFields fields = {};
  Further further = {};
};
// The name of a field, and the values that its row names, separated by '|'.
struct FieldWord {
  std::string_view name, choices;
};
std::vector<FieldWord> fields_of(const TakenFields& fields);
// The same for a table that is itself a field, such as `link = { ... }`; empty for any other field.
std::vector<FieldWord> fields_of_field(std::string_view field);
std::span<const Word> vocabulary();
const Word* find_word(std::string_view owner, std::string_view name);
// The present form of a word that perigee once had; empty for any other name.
std::string_view word_instead_of(std::string_view owner, std::string_view name);
// The place of a word that a type lacks and its sibling has, or of a global that is called otherwise; empty
// when there is none.
std::string_view sibling_with(std::string_view type, std::string_view name);
std::string chain_of(const Word& word);  // "workload.tasks", "result.save"
const Word* word_of_chain(std::string_view chain);
// The meaning of a field, with its default and whether it must be given.
std::string text_of(const host::FieldRow& field);

// The meaning of a field of a native type, or of the table that a word takes (with unit and default, if any).
// The owner "type" has the meanings of the types themselves.
struct Meaning {
  std::string_view of, name, text;
};
std::span<const Meaning> meanings();
// A script for some of the types that words return: "of" is the type, "text" the script.
std::span<const Meaning> examples_of_types();
// The columns of the rows that words return. "of" has the chains of the words, "name" columns that share a
// meaning, both separated by blanks; the columns of one word stand in the order of its table.
std::span<const Meaning> columns();
// Terms and inner fields of what a field takes, such as `information`. "of": that field; "name": terms that
// share a meaning.
std::span<const Meaning> terms();
// The meaning of a metric; empty for any other name.
std::string_view metric_meaning(std::string_view name);
// Whether the text, words separated by blanks, has this one; or is this one.
bool has_word(std::string_view words, std::string_view word);
// `owner`: the chain of a word, or the name of a type. Empty when the meaning is not known.
std::string meaning_of(std::string_view owner, std::string_view field);
// The meaning of a field of a native type; the field may be a word of its own.
std::string field_meaning(std::string_view type, std::string_view field);

// Entries of a word's row, by its chain; empty when it says nothing.
std::string_view returned_by(std::string_view chain);
std::string_view failure_of(std::string_view chain);
// The types of the arguments of a script's function, written likewise. The function is a field of the word's
// table ("heuristic.pick"), or the argument of a word ("process").
std::string_view given_to(std::string_view chain);
// The example of a word, by its chain, or of a type.
std::string_view example_of(std::string_view owner);

}  // namespace perigee::language
