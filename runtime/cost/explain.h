// Why a task is where a mapper has put it, found from the problem and the answer alone.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/cost/greedy.h"
#include "runtime/cost/machine_times.h"
#include "runtime/cost/mapping.h"
#include "runtime/kernel/comparison.h"

namespace perigee::cost {

// The step of a mapping at which a task was chosen.
struct MappingStep {
  std::size_t number = 0;             // from 1, in the order of choice; 0 = the task can run nowhere
  std::uint32_t machine = kUnmapped;  // its machine
  std::string rule = {};              // in words
  Comparison tasks = {};              // it was chosen among these; empty: the order was fixed
  Comparison machines = {};           // and then its machine among these
};

inline constexpr const char* kLowestMachine = "lowest machine index";
inline constexpr const char* kLowestTask = "lowest task position";

// Per task, the number by which `mapper` chose it in its `answer`. It is the task's score among the tasks,
// or, if their order was fixed, the score of its machine; NaN if there is none. Explains every step to find
// them.
std::vector<double> decision_values(Mapper& mapper, const MappingProblem& problem, const Mapping& answer);

// Sets number and machine of the step in `out`. Returns the machines as they were before the step.
MachineTimes before_step(const MappingProblem& problem, const Mapping& answer, std::size_t task,
                         MappingStep& out);

// Compares all machines by score_of(machine). Machines where the task cannot run are marked.
void compare_machines(const MachineTimes& times, std::size_t task, std::string_view score, Prefer better,
                      const std::function<double(std::size_t machine)>& score_of, MappingStep& out,
                      std::string_view ties = kLowestMachine);
// The same by completion; the smallest is the best.
void compare_completions(const MachineTimes& times, std::size_t task, MappingStep& out);

// Explains greedy_by_key: the waiting tasks by their keys, called `key_name`, and the machines by completion.
// With `placed`, it says that a function of its own chose the machine.
void explain_greedy(const MappingProblem& problem, const Mapping& answer, std::size_t task,
                    const GreedyKey& key, bool largest, std::string_view key_name, MappingStep& out,
                    bool placed = false);

// Explains map_in_order with the order of by_length.
void explain_by_length(const MappingProblem& problem, const Mapping& answer, std::size_t task,
                       bool longest_first, MappingStep& out);

// Explains a search: the makespan with the task on each machine and the others where they are.
void explain_makespans(const MappingProblem& problem, const Mapping& answer, std::size_t task,
                       MappingStep& out);

}  // namespace perigee::cost
