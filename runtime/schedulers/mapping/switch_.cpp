// Switch: a rule looks at the problem and chooses one of several mappers for it.
//
// Source: algorithm selection by features of the problem, Rice, Advances in Computers 15, 1976, pp. 65-118.
// Cost: that of the rule and of the mapper taken. Ties: those of the mapper taken.
#include <algorithm>
#include <cmath>

#include "runtime/kernel/clone_ptr.h"
#include "runtime/schedulers/catalogue.h"
#include "runtime/schedulers/mapping/alternatives.h"

namespace perigee::mapping {
namespace {

// The default rule: true if the batch has more tasks than there are machines.
class LargeBatch final : public Rule {
 public:
  std::unique_ptr<Rule> clone() const override { return std::make_unique<LargeBatch>(*this); }
  std::string text() const override { return "more tasks than machines"; }
  Answer ask(const MappingProblem& problem) override { return problem.tasks > problem.machines; }
};

class Switch final : public MapperOf<Switch> {
 public:
  Switch(std::vector<std::string> names, std::vector<std::unique_ptr<Mapper>> mappers,
         std::unique_ptr<Rule> rule)
      : names_(std::move(names)), mappers_(std::move(mappers)), rule_(std::move(rule)) {}

  void reseed(const Stream& stream) override { mappers_.reseed(stream); }

  void map(const MappingProblem& problem, Mapping& out) override {
    const std::size_t taken =
        std::visit([this](const auto& answer) { return index_of(answer); }, rule_->ask(problem));
    mappers_[taken].map(problem, out);
    set_count(out.search, "taken", static_cast<double>(taken + 1));
  }

  void explain(const MappingProblem& problem, const Mapping& answer, std::size_t task,
               MappingStep& out) override {
    mappers_.explain_taken(problem, answer, task, out);
  }

 private:
  std::size_t index_of(bool yes) const {
    if (mappers_.size() != 2)
      fail("bad_answer", "switch: {} said {}, which chooses between two mappers; there are {}", rule_->text(),
           yes, mappers_.size());
    return yes ? 0 : 1;
  }
  std::size_t index_of(double number) const {
    if (!(number >= 1 && number <= static_cast<double>(mappers_.size()) && number == std::floor(number)))
      fail("bad_answer", "switch: {} said {}; there are mappers 1 to {}", rule_->text(),
           format_number(number), mappers_.size());
    return static_cast<std::size_t>(number) - 1;
  }
  std::size_t index_of(const std::string& name) const {
    const auto found = std::ranges::find(names_, name);
    if (found == names_.end())
      fail("bad_answer", "switch: {} said '{}', which is none of its mappers{}", rule_->text(), name,
           did_you_mean(name, names_));
    if (std::find(found + 1, names_.end(), name) != names_.end())
      fail("bad_answer", "switch: {} said '{}', the name of two of its mappers; give the number",
           rule_->text(), name);
    return static_cast<std::size_t>(found - names_.begin());
  }

  std::vector<std::string> names_;
  Alternatives mappers_;
  ClonePtr<Rule> rule_;
};

}  // namespace

// `switch` is a word of C++.
Entry switch_() {
  return {.name = "switch",
          .family = Family::mapping,
          .role = Role::mapper,
          .summary = "a function of the problem says which mapper is to map it",
          .source = "Rice 1976 (algorithm selection)",
          .complexity = "that of the mapper taken",
          .ties = "those of the mapper taken",
          .parameters = {{.name = "maps",
                          .type = ParameterType::mappers,
                          .summary = "the mappers",
                          .fallback = Parts{"min_min", "sufferage"}},
                         {.name = "when",
                          .type = ParameterType::rule,
                          .summary = "yes: the first of two; or the number of one, or its name",
                          .fallback = RulePtr(std::make_shared<const LargeBatch>())}},
          .chooses_ready = true,
          .make_mapper = [](const Arguments& given) {
            std::vector<std::string> names;
            for (const ConfigPtr& each : given.parts("maps")) names.push_back(each->entry->name);
            return std::make_unique<Switch>(std::move(names), given.mappers("maps"), given.rule("when"));
          }};
}

}  // namespace perigee::mapping
