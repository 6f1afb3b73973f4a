// Duplex: run min-min and max-min and keep the mapping with the smaller makespan.
//
// Source: Braun et al., JPDC 61(6), 2001, pp. 810-837.
// Cost: that of both. Ties: min-min when the makespans are equal.
#include <fmt/format.h>

#include <string>
#include <utility>

#include "runtime/cost/explain.h"
#include "runtime/schedulers/catalogue.h"
#include "runtime/schedulers/mapping/sorted_form.h"

namespace perigee {
namespace {

class Duplex final : public Mapper {
 public:
  Duplex(std::unique_ptr<Mapper> min_min, std::unique_ptr<Mapper> max_min, bool sticky)
      : min_min_(std::move(min_min)), max_min_(std::move(max_min)), sticky_(sticky) {}

  std::unique_ptr<Mapper> clone() const override {
    auto copy = std::make_unique<Duplex>(min_min_->clone(), max_min_->clone(), sticky_);
    copy->chosen_ = chosen_;
    return copy;
  }

  void map(const MappingProblem& problem, Mapping& out) override {
    Chosen taken = chosen_;
    if (taken != Chosen::none) {
      (taken == Chosen::min_min ? min_min_ : max_min_)->map(problem, out);
    } else {
      min_min_->map(problem, out);
      Mapping other;
      max_min_->map(problem, other);
      taken = other.makespan < out.makespan ? Chosen::max_min : Chosen::min_min;
      if (taken == Chosen::max_min) out = std::move(other);
      if (sticky_ && problem.tasks > 0) chosen_ = taken;
    }
    out.search.counts = {{"max_min_taken", taken == Chosen::max_min ? 1 : 0}};
  }

  void explain(const MappingProblem& problem, const Mapping& answer, std::size_t task,
               MappingStep& out) override {
    const bool max_min = !answer.search.counts.empty() && answer.search.counts.front().second != 0;
    (max_min ? max_min_ : min_min_)->explain(problem, answer, task, out);
    Mapping other;
    (max_min ? min_min_ : max_min_)->map(problem, other);
    out.rule = fmt::format(
        "of min_min and max_min the answer of {} is taken, with a makespan of {} s against {} s: {}",
        max_min ? "max_min" : "min_min", format_number(answer.makespan), format_number(other.makespan),
        out.rule);
  }

 private:
  enum class Chosen : std::uint8_t { none, min_min, max_min };

  std::unique_ptr<Mapper> min_min_, max_min_;
  bool sticky_;
  Chosen chosen_ = Chosen::none;  // for good
};

std::unique_ptr<Mapper> make(Entry entry, const std::string& form) {
  return Config{std::make_shared<const Entry>(std::move(entry)), {form}}.make_mapper();
}

}  // namespace

Entry mapping::duplex() {
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
          .make_mapper = [](const Arguments& given) {
            const std::string& form = given.choice("form");
            return std::make_unique<Duplex>(make(mapping::min_min(), form), make(mapping::max_min(), form),
                                            given.flag("sticky"));
          }};
}

}  // namespace perigee
