#include "runtime/results/platform_changes.h"

#include <algorithm>
#include <cmath>

namespace perigee::results {

std::vector<PlatformChange> platform_changes(const Outcome& outcome) {
  struct Listed {
    const Happening* happening;
    bool used = false;
  };
  std::vector<Listed> listed;
  for (const auto* list : {&outcome.scenario->happenings, &outcome.injected})
    for (const Happening& each : *list)
      if (each.kind == HappeningKind::change || each.kind == HappeningKind::join) listed.push_back({&each});
  const auto time_of = [](const Listed& each) { return each.happening->at; };
  std::ranges::stable_sort(listed, {}, time_of);

  std::vector<PlatformChange> out;
  for (std::size_t i = 0; i < outcome.trace.size(); ++i) {
    const Record& record = outcome.trace[i];
    const bool joined = record.kind == RecordKind::joined;
    if (!joined && record.kind != RecordKind::changed) continue;
    out.push_back({i, record.on});
    const HappeningKind kind = joined ? HappeningKind::join : HappeningKind::change;
    const double near = kEps * std::max(1.0, std::abs(record.time));
    for (auto each = std::ranges::lower_bound(listed, record.time - near, {}, time_of);
         each != listed.end() && each->happening->at <= record.time + near; ++each)
      if (!each->used && each->happening->kind == kind && each->happening->on == record.on) {
        each->used = true;
        out.back().happening = each->happening;
        break;
      }
  }
  return out;
}

}  // namespace perigee::results
