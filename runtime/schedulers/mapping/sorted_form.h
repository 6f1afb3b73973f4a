// Shared by min_min, max_min and duplex: their parameter `form`, and the mapper of its value "sorted".
#pragma once

#include <memory>
#include <vector>

#include "runtime/cost/explain.h"
#include "runtime/cost/greedy.h"
#include "runtime/schedulers/catalogue.h"

namespace perigee::mapping {

Entry min_min();
Entry max_min();

inline Parameter form_parameter() {
  return {
      .name = "form",
      .type = ParameterType::choice,
      .summary = "the choice at each step by completion time, or IRMaSim's: once by declared time, then mct",
      .fallback = "classic",
      .choices = {"classic", "sorted"}};
}

// Algorithms 1 and 2 of the IRMaSim thesis.
class SortedForm final : public MapperOf<SortedForm> {
 public:
  explicit SortedForm(bool longest_first) : longest_first_(longest_first) {}
  void map(const MappingProblem& problem, Mapping& out) override {
    map_in_order(problem, by_length(problem, longest_first_), out);
  }
  void explain(const MappingProblem& problem, const Mapping& answer, std::size_t task,
               MappingStep& out) override {
    explain_by_length(problem, answer, task, longest_first_, out);
  }

 private:
  bool longest_first_;
};

// The mapper that `form` asks for.
template <class Classic>
std::unique_ptr<Mapper> make_form(const Arguments& given, bool longest_first) {
  if (given.choice("form") == "sorted") return std::make_unique<SortedForm>(longest_first);
  return std::make_unique<Classic>();
}

// The two mappers of which duplex takes the better answer: min_min, max_min.
std::vector<std::unique_ptr<Mapper>> both_of_duplex(const Arguments& duplex);

}  // namespace perigee::mapping
