// Source: Mamat, 2011, section 6.4 (EDF-IIT-1 and EDF-IIT-2).
#include "runtime/schedulers/realtime/staggered_policy.h"

#include <fmt/format.h>

#include "runtime/schedulers/realtime/head_policy.h"
#include "runtime/schedulers/realtime/reasons.h"

namespace perigee::realtime {
namespace {

struct StaggeredTest : StaggeredPlans {
  using StaggeredPlans::StaggeredPlans;

  Reason arrive(std::uint32_t id, Time now, double size, Time deadline) {
    return StaggeredPlans::arrive(id, now, size, deadline) ? Reason::none : refusal::plan;
  }

  Time next_dispatch() const { return next_start(); }

  template <class F>
  void dispatch(F&& each) {
    const Plan plan = send();
    for (const Chunk& chunk : plan.chunks)
      each(DueChunk{plan.id, chunk.node, chunk.size, &chunk == &plan.chunks.back()});
  }

  void explain(WorkId, double, Decision& out) const {
    for (const Plan& plan : plans())
      out.works.candidates.push_back(
          {.index = plan.id,
           .score = plan.deadline - plan.end,
           .note = fmt::format("{} chunk{} from {} s", plan.chunks.size(), plan.chunks.size() == 1 ? "" : "s",
                               format_number(plan.chunks.front().start))});
  }
};

struct StaggeredSettings {
  static constexpr const char* kRule =
      "a load is admitted when it and all that wait, in the order of their "
      "deadlines, can each be planned to end in time, on the fewest nodes that do";
  IdleTimes idle_times;
  double tolerance;
  bool keeps_deadlines() const { return tolerance <= kEps; }
  StaggeredTest make(const UnitCosts& costs, std::size_t nodes) const {
    return {costs, nodes, idle_times, tolerance};
  }
};

}  // namespace

Entry staggered_entry(std::string name, std::string summary, IdleTimes idle_times) {
  Entry entry = head_entry(std::move(name), std::move(summary));
  entry.ties = "earliest arrival, order of input; nodes by free time, then lowest";
  entry.make_policy = [idle_times](const Arguments& arguments) -> std::unique_ptr<Policy> {
    return std::make_unique<HeadPolicy<StaggeredTest, StaggeredSettings>>(
        StaggeredSettings{idle_times, arguments.number("tolerance")});
  };
  return entry;
}

}  // namespace perigee::realtime
