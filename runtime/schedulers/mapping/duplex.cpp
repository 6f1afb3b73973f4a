// Duplex: runs min-min and max-min and keeps the mapping with the smaller makespan; best_of does this for any
// mappers.
//
// Source: Braun et al., JPDC 61(6), 2001, pp. 810-837.
// Cost: that of both. Ties: min-min when the makespans are equal.
#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "runtime/cost/explain.h"
#include "runtime/schedulers/catalogue.h"
#include "runtime/schedulers/mapping/alternatives.h"
#include "runtime/schedulers/mapping/sorted_form.h"

namespace perigee::mapping {
namespace {

class Duplex final : public MapperOf<Duplex> {
 public:
  Duplex(std::vector<std::unique_ptr<Mapper>> both, bool sticky) : both_(std::move(both)), sticky_(sticky) {}

  void map(const MappingProblem& problem, Mapping& out) override {
    std::size_t taken = chosen_.value_or(0);
    if (chosen_)
      both_[taken].map(problem, out);
    else
      taken = both_.map_best(problem, out);
    if (sticky_ && problem.tasks > 0) chosen_ = taken;
    out.search.counts = {{"max_min_taken", taken}};
  }

  void explain(const MappingProblem& problem, const Mapping& answer, std::size_t task,
               MappingStep& out) override {
    const bool max_min = !answer.search.counts.empty() && answer.search.counts.front().second != 0;
    both_.explain(max_min ? 1 : 0, problem, answer, task, out);
    Mapping other;
    both_[max_min ? 0 : 1].map(problem, other);
    out.rule = fmt::format(
        "of min_min and max_min the answer of {} is taken, with a makespan of {} s against {} s: {}",
        max_min ? "max_min" : "min_min", format_number(answer.makespan), format_number(other.makespan),
        out.rule);
  }

 private:
  Alternatives both_;  // min_min, max_min
  bool sticky_;
  std::optional<std::size_t> chosen_;  // the choice for all later problems
};

// A mapper with this form and the defaults of its other parameters.
std::unique_ptr<Mapper> make(Entry entry, const std::string& form) {
  std::vector<Value> values;
  for (const Parameter& parameter : entry.parameters)
    values.push_back(parameter.name == "form" ? Value(form) : parameter.fallback);
  return Config{std::make_shared<const Entry>(std::move(entry)), std::move(values)}.make_mapper();
}

}  // namespace

std::vector<std::unique_ptr<Mapper>> both_of_duplex(const Arguments& given) {
  std::vector<std::unique_ptr<Mapper>> both;
  both.push_back(make(min_min(), given.choice("form")));
  both.push_back(make(max_min(), given.choice("form")));
  return both;
}

Entry duplex() {
  return {.name = "duplex",
          .family = Family::mapping,
          .role = Role::mapper,
          .summary = "the better of min_min and max_min by makespan",
          .source = "Braun et al. 2001",
          .complexity = "that of min_min and max_min together",
          .ties = "min_min when the makespans are equal",
          .parameters = {form_parameter(),
                         {.name = "sticky",
                          .type = ParameterType::boolean,
                          .summary = "the first choice of a run holds for the rest of it (IRMaSim's program)",
                          .fallback = false}},
          .chooses_ready = true,
          .make_mapper = [](const Arguments& given) {
            return std::make_unique<Duplex>(both_of_duplex(given), given.flag("sticky"));
          }};
}

}  // namespace perigee::mapping
