// HYBRID: divisible loads with deadlines, admitted by exact plans while few wait, and by their completion on
// all nodes together while many wait.
#include <fmt/format.h>

#include "runtime/schedulers/realtime/head_policy.h"
#include "runtime/schedulers/realtime/hybrid_admission.h"

namespace perigee::realtime {
namespace {

struct HybridTest : HybridAdmission {
  using HybridAdmission::HybridAdmission;

  template <class F>
  void dispatch(F&& each) {
    HybridAdmission::dispatch([&](const Chunk& chunk) {
      each(DueChunk{chunk.id, chunk.node, chunk.size, chunk.last});
    });
  }

  void note(Sim& sim) const {
    if (!last_switch()) return;
    const auto waiting = static_cast<double>(last_switch()->waiting);
    const std::string_view name = last_switch()->to_fast ? "fast" : "exact";
    sim.note(last_switch()->done ? std::string(name) : fmt::format("refused_{}", name), {&waiting, 1});
  }

  void explain(WorkId, double size, Decision& out) const {
    if (is_fast()) {
      fast().queue().for_each([&](const DeadlineQueue::Load& load, double slack) {
        out.works.candidates.push_back({.index = load.id, .score = slack});
      });
      out.notes.push_back(fmt::format("the fast test is in use; it takes {} s on all nodes together",
                                      format_number(fast().time_on_all(size))));
    } else {
      for (const StaggeredPlans::Plan& plan : exact().plans())
        out.works.candidates.push_back({.index = plan.id, .score = plan.deadline - plan.end});
      out.notes.push_back("exact plans are in use");
    }
  }
};

struct HybridSettings {
  static constexpr const char* kRule =
      "a load is admitted by the rule of edf_iit_2 while fewer than 'threshold' wait, and by that of "
      "fast_edf_iit while more do; the change is put off while a load that waits would lose its guarantee";
  std::size_t threshold;
  double tolerance;
  bool keeps_deadlines() const { return tolerance <= kEps; }
  HybridTest make(const UnitCosts& costs, std::size_t nodes) const {
    return {costs, nodes, threshold, tolerance};
  }
};

}  // namespace

Entry hybrid() {
  Entry entry = head_entry("hybrid", "edf_iit_2 while few divisible loads wait, fast_edf_iit while many do");
  entry.source = "Mamat, 2011, section 6.3, Algorithms 9 to 11 (HYBRID)";
  entry.complexity =
      "an arrival O(W N) while the plans are exact, with W loads that wait for N nodes; then O(log W)";
  entry.ties =
      "earliest arrival, order of input; nodes by free time, then lowest; in the fast mode lowest node";
  entry.parameters.insert(entry.parameters.begin(),
                          {.name = "threshold",
                           .type = ParameterType::integer,
                           .summary = "loads that wait, from which on the fast test is used",
                           .fallback = 500.0,
                           .min = 1,
                           .max = 1e9});
  entry.make_policy = [](const Arguments& arguments) -> std::unique_ptr<Policy> {
    return std::make_unique<HeadPolicy<HybridTest, HybridSettings>>(HybridSettings{
        static_cast<std::size_t>(arguments.number("threshold")), arguments.number("tolerance")});
  };
  return entry;
}

}  // namespace perigee::realtime
