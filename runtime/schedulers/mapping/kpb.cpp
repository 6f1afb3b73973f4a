// K-percent best: tasks in input order, each to the machine that completes it first among the k percent of
// the machines that run it fastest.
//
// Source: Maheswaran et al., JPDC 59(2), 1999, pp. 107-131. It looks at max(1, floor(k M / 100)) of M
// machines, or fewer if fewer can run the task. k = 100 is mct, and a k that leaves one machine is met.
//
// Cost: O(T M) for T tasks, M machines. Ties: lowest machine index, in the choice of the machines as well.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "runtime/cost/explain.h"
#include "runtime/cost/greedy.h"
#include "runtime/kernel/constants.h"
#include "runtime/schedulers/catalogue.h"

namespace perigee::mapping {
namespace {

class Kpb final : public MapperOf<Kpb> {
 public:
  explicit Kpb(double percent) : percent_(percent) {}

  void map(const MappingProblem& problem, Mapping& out) override {
    start_mapping(problem, out);
    MachineTimes times(problem);
    Fastest fastest;
    for (std::size_t task = 0; task < problem.tasks; ++task) {
      find_fastest(times, task, fastest);
      if (fastest.empty()) continue;
      std::pair<double, std::uint32_t> first{kInfinity, kUnmapped};
      for (const auto& [time, machine] : fastest)
        first = std::min(first, {times.completion(task, machine), machine});
      assign(times, out, task, first.second);
    }
  }

  void explain(const MappingProblem& problem, const Mapping& answer, std::size_t task,
               MappingStep& out) override {
    const MachineTimes times = before_step(problem, answer, task, out);
    Fastest fastest;
    find_fastest(times, task, fastest);
    compare_completions(times, task, out);
    for (Comparison::Candidate& machine : out.machines.candidates) {
      if (!machine.open || std::ranges::count(fastest, machine.index, &Fastest::value_type::second) > 0)
        continue;
      machine.open = false;
      machine.note = "not among those that run it fastest";
    }
    out.rule = fmt::format(
        "tasks in input order, each to the machine that completes it first, of the {} that run it fastest",
        fastest.size());
  }

 private:
  using Fastest = std::vector<std::pair<double, std::uint32_t>>;  // time, machine

  // Finds the share of the machines that run the task fastest; if fewer can run it, all of these.
  void find_fastest(const MachineTimes& times, std::size_t task, Fastest& fastest) const {
    fastest.clear();
    const std::size_t machines = times.problem().machines;
    for (std::size_t m = 0; m < machines; ++m)
      if (times.completion(task, m) < std::numeric_limits<double>::infinity())
        fastest.emplace_back(times.problem().time(task, m), static_cast<std::uint32_t>(m));
    // The small addend makes up for a rounded k, as in 33.333333333 percent of three.
    const auto share = static_cast<std::size_t>(percent_ * static_cast<double>(machines) / 100 + 1e-9);
    const std::size_t count = std::max<std::size_t>(share, 1);
    if (count >= fastest.size()) return;
    std::ranges::nth_element(fastest, fastest.begin() + static_cast<std::ptrdiff_t>(count));
    fastest.resize(count);
  }

  double percent_;
};

}  // namespace

Entry kpb() {
  return {.name = "kpb",
          .family = Family::mapping,
          .role = Role::mapper,
          .summary = "each task in turn by completion, among the k percent of machines that run it fastest",
          .source = "Maheswaran et al. 1999",
          .complexity = "O(T M)",
          .ties = "lowest machine index",
          .parameters = {{.name = "k",
                          .type = ParameterType::number,
                          .summary = "percentage of the machines, > 0",
                          .fallback = 20.0,
                          .min = 0,
                          .max = 100}},
          .chooses_ready = true,
          .in_turn = true,
          .check =
              [](const Arguments& given) {
                if (given.number("k") == 0) fail("bad_parameter", "kpb: k must be > 0, got 0");
              },
          .make_mapper = [](const Arguments& given) { return std::make_unique<Kpb>(given.number("k")); }};
}

}  // namespace perigee::mapping
