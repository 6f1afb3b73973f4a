#include "interpreter/language/vocabulary.h"

#include <algorithm>

#include "interpreter/language/fields/checkpoints.h"
#include "interpreter/language/fields/events.h"
#include "interpreter/language/fields/experiments.h"
#include "interpreter/language/fields/platform.h"
#include "interpreter/language/fields/power.h"
#include "interpreter/language/fields/robustness.h"
#include "interpreter/language/fields/runs.h"
#include "interpreter/language/words/families.h"

namespace perigee::language {

std::span<const Word> vocabulary() {
  static const std::vector<Word> kWords = [] {
    std::vector<Word> all;
    for (const std::span<const Word> family :
         {kWordsOfDeclarations, kWordsOfGraphs, kWordsOfMappings, kWordsOfGraphCosts, kWordsOfRuns,
          kWordsOfDuels, kWordsOfStatistics, kWordsOfCharts, kWordsOfPolicies, kWordsOfStandardLua,
          kWordsOfProcesses})
      all.insert(all.end(), family.begin(), family.end());
    return all;
  }();
  return kWords;
}

std::vector<FieldWord> fields_of(const TakenFields& fields) {
  std::vector<FieldWord> all;
  for (const host::FieldRow& row : fields.rows) all.push_back({row.name, row.choices});
  return all;
}

std::vector<FieldWord> fields_of_field(std::string_view field) {
  if (field == "link") return fields_of(link_fields::kGateway);
  if (field == "on_failure") return fields_of(scenario_fields::kRulesOnFailure);
  if (field == "checkpoint") return fields_of(checkpoint_fields::kOfJob);
  if (field == "power") return fields_of(power_fields::kAll);
  if (field == "information") return fields_of(information_fields::kAll);
  if (field == "shake") return fields_of(shake_fields::kAll);
  if (field == "replications") return fields_of(replications_fields::kAll);
  return {};
}

std::string_view word_instead_of(std::string_view owner, std::string_view name) {
  if (owner != "sim") return {};
  if (name == "idle") return "sim:idle_cores(host)";
  if (name == "running") return "#sim:running_on(host)";
  if (name == "queued") return "#sim:queued_on(host)";
  return {};
}

std::string_view sibling_with(std::string_view type, std::string_view name) {
  // c of a heuristic is the one or the other.
  if (type == "mapping view" && find_word("gantt chart", name) != nullptr)
    return "it is a word of Gantt charts, which a planner has";
  if (type.empty() && (name == "reservation" || name == "reservations"))
    return "the event is reserve { }, and work that reserves hosts workload.reservations { }";
  return {};
}

const Word* find_word(std::string_view owner, std::string_view name) {
  for (const Word& word : vocabulary())
    if (word.owner == owner && word.name == name) return &word;
  return nullptr;
}

const Word* word_of_chain(std::string_view chain) {
  const std::size_t dot = chain.rfind('.');
  return dot == chain.npos ? find_word({}, chain) : find_word(chain.substr(0, dot), chain.substr(dot + 1));
}

namespace {

Further further_of(std::string_view chain) {
  const Word* word = word_of_chain(chain);
  return word == nullptr ? Further() : word->further;
}

}  // namespace

std::string_view returned_by(std::string_view chain) { return further_of(chain).returns; }
std::string_view failure_of(std::string_view chain) { return further_of(chain).fails; }

std::string_view given_to(std::string_view chain) {
  if (const std::string_view arguments = further_of(chain).given; !arguments.empty()) return arguments;
  const std::size_t dot = chain.rfind('.');
  const Word* word = dot == chain.npos ? nullptr : word_of_chain(chain.substr(0, dot));
  if (word == nullptr) return {};
  const auto field = std::ranges::find(word->fields.rows, chain.substr(dot + 1), &host::FieldRow::name);
  return field == word->fields.rows.end() ? std::string_view() : field->type;
}

std::string_view example_of(std::string_view owner) {
  if (const std::string_view example = further_of(owner).example; !example.empty()) return example;
  const auto type = std::ranges::find(examples_of_types(), owner, &Meaning::of);
  return type == examples_of_types().end() ? std::string_view() : type->text;
}

}  // namespace perigee::language
