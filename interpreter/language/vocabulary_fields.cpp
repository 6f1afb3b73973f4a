// Meanings of fields, and terms of what they take.
#include <fmt/format.h>

#include <iterator>
#include <variant>
#include <vector>

#include "interpreter/language/fields/runs.h"
#include "interpreter/language/vocabulary.h"
#include "interpreter/language/words/families.h"
#include "runtime/kernel/quantity.h"

namespace perigee::language {

namespace {

constexpr Meaning kTerms[] = {
    {"on_failure", "lost", "what is interrupted ends without effect, and is to be done again"},
    {"on_failure", "resumed",
     "what is interrupted waits and goes on where it was, its rest of latency or set-up included"},
    {"on_failure", "restarted",
     "what is interrupted waits and begins anew on the same resource, with set-up or latency"},
    {"information", "declared", "amounts are what submissions declare"},
    {"information", "learnt",
     "amounts are what submissions declare, times the ratio of truth to it observed so far"},
    {"information", "perfect", "rates are the profiles that are installed, future included"},
    {"information", "nominal", "hosts have the speed that was announced, links stay as they are now"},
    {"information", "current", "rates stay as they are now, or were `age` ago"},
    {"information", "mean", "rates are those of the profile in the long run"},
    {"information", "last run_avg sw_avg median exp quantile adapt_mse adapt_mae",
     "a forecast of rates from measurements, as by stats.forecast"},
    {"information", "progress",
     "what runs ends by what it has not done yet, not by the estimate for its start"},
    {"a profile", "every", "the length of each of its values, which repeat, s"},
    {"a profile", "period", "after which its values repeat, s (never)"},
};

}  // namespace

bool has_word(std::string_view words, std::string_view word) {
  if (words == word) return true;
  for (std::size_t at = words.find(word); at != std::string_view::npos; at = words.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || words[at - 1] == ' ') && (end == words.size() || words[end] == ' ')) return true;
  }
  return false;
}

std::string chain_of(const Word& word) {
  return word.owner.empty() ? std::string(word.name) : std::string(word.owner) + "." + std::string(word.name);
}

std::string text_of(const host::FieldRow& field) {
  constexpr std::string_view kDefault = "{default}";
  std::string text = fmt::format("{}{}", field.meaning, field.required ? "; must be given" : "");
  const std::size_t at = text.find(kDefault);
  if (at == text.npos) return text;
  std::string value;
  if (const auto* flag = std::get_if<bool>(&field.fallback)) value = *flag ? "true" : "false";
  if (const auto* number = std::get_if<double>(&field.fallback)) value = format_number(*number);
  if (const auto* words = std::get_if<std::string_view>(&field.fallback))
    value = fmt::format("\"{}\"", *words);
  return text.replace(at, kDefault.size(), value);
}

std::string meaning_of(std::string_view owner, std::string_view field) {
  if (const Word* word = word_of_chain(owner))
    for (const host::FieldRow& row : word->fields.rows)
      if (row.name == field) return text_of(row);
  std::string_view otherwise;
  for (const Meaning& meaning : meanings()) {
    if (meaning.name != field) continue;
    if (meaning.of.empty()) otherwise = meaning.text;
    if (!meaning.of.empty() && has_word(meaning.of, owner)) return std::string(meaning.text);
  }
  return std::string(otherwise);
}

std::string field_meaning(std::string_view type, std::string_view field) {
  if (type == "result")
    if (const std::string_view metric = metric_meaning(field); !metric.empty()) return std::string(metric);
  if (type == "process") return field_meaning("state", field);  // a process sees the state
  if (const Word* word = find_word(type, field)) return std::string(word->summary);
  return meaning_of(type, field);
}

std::span<const Meaning> meanings() { return kMeaningsOfMembers; }

std::span<const Meaning> terms() {
  static const std::vector<std::string> kTexts = [] {
    std::vector<std::string> texts;
    for (const host::FieldRow& row : information_fields::kAll) texts.push_back(text_of(row));
    return texts;
  }();
  static const std::vector<Meaning> kAllTerms = [] {
    std::vector<Meaning> all(std::begin(kTerms), std::end(kTerms));
    for (std::size_t i = 0; i < kTexts.size(); ++i)
      all.push_back({"information", information_fields::kAll[i].name, kTexts[i]});
    return all;
  }();
  return kAllTerms;
}

}  // namespace perigee::language
