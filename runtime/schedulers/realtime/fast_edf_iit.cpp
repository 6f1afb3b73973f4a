// FAST-EDF-IIT: divisible loads with deadlines. They are admitted by their completion on all nodes together.
// They are sent to any free node, the earliest deadline first.
#include <fmt/format.h>

#include "runtime/schedulers/realtime/fast_admission.h"
#include "runtime/schedulers/realtime/head_policy.h"

namespace perigee::realtime {
namespace {

struct FastEdfTest : FastAdmission {
  using FastAdmission::FastAdmission;

  template <class F>
  void dispatch(F&& each) {
    const Chunk chunk = FastAdmission::dispatch();
    each(DueChunk{chunk.id, chunk.node, chunk.size, chunk.last});
  }

  void explain(WorkId, double size, Decision& out) const {
    if (start() == HeadStart::exact) {
      std::size_t next = 0;
      const std::vector<End> ends = look_ahead();
      queue().for_each([&](const DeadlineQueue::Load& load, double) {
        out.works.candidates.push_back({.index = load.id, .score = load.deadline - ends[next++].at});
      });
      return;
    }
    queue().for_each([&](const DeadlineQueue::Load& load, double slack) {
      out.works.candidates.push_back({.index = load.id, .score = slack});
    });
    out.notes.push_back(fmt::format("it takes {} s on all nodes together", format_number(time_on_all(size))));
  }
};

struct FastEdfSettings {
  static constexpr const char* kRule =
      "a load is admitted when it can be complete on all nodes together by its "
      "deadline, behind those with earlier deadlines, and takes no more than the least "
      "slack of those behind it; the first one is sent to the lowest node that is free";
  HeadStart start;
  double tolerance;
  bool keeps_deadlines() const { return start != HeadStart::literal && tolerance <= kEps; }
  FastEdfTest make(const UnitCosts& costs, std::size_t nodes) const {
    return {costs, nodes, start, tolerance};
  }
};

}  // namespace

Entry fast_edf_iit() {
  Entry entry =
      head_entry("fast_edf_iit",
                 "divisible loads, admitted by their completion on all nodes, sent to whichever is free");
  entry.source = "Mamat, 2011, Algorithms 6 to 8 (AC-FAST) and section 6.2.2 (FAST-EDF-IIT)";
  entry.complexity =
      "O(log W) an arrival, with W loads that wait, O(log N) a chunk, with N nodes; with start = \"exact\" "
      "O((W + N) log N) an arrival";
  entry.ties = "earliest arrival, order of input; lowest node";
  entry.parameters.insert(
      entry.parameters.begin(),
      {.name = "start",
       .type = ParameterType::choice,
       .summary =
           "safe: a load goes behind what has been sent of the first that waits; literal: as Algorithm 6 "
           "is printed, and loads may miss their deadlines; exact: sends all that wait in advance, as if "
           "nothing else arrived, and admits a load when all are in time",
       .fallback = "safe",
       .choices = {"safe", "literal", "exact"}});
  entry.make_policy = [](const Arguments& arguments) -> std::unique_ptr<Policy> {
    const std::string& start = arguments.choice("start");
    return std::make_unique<HeadPolicy<FastEdfTest, FastEdfSettings>>(
        FastEdfSettings{start == "exact"     ? HeadStart::exact
                        : start == "literal" ? HeadStart::literal
                                             : HeadStart::safe,
                        arguments.number("tolerance")});
  };
  return entry;
}

}  // namespace perigee::realtime
