// Work is accepted, rejected, given up or finished; files are put into stores and thrown away.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/engine/sim/shared.h"
#include "runtime/engine/why.h"

namespace perigee::engine {

void Sim::discard(FileId file, ClusterId cluster) {
  const auto refuse = [&](const std::string& why) {
    bad(fmt::format("discard file '{}' in cluster '{}'", workload_->files[file.index].name,
                    (*platform_)[cluster].name),
        why);
  };
  if (!clusters_[cluster.index].is_present()) refuse("it is away");
  if (!stores_.has(file, cluster)) refuse("it is not there");
  if (!stores_.is_home(file)) refuse("it is an output that is not at home");
  for (std::size_t h = 0; h < view_.hosts_.size(); ++h)
    if (view_.hosts_[HostId(h)].cluster == cluster)
      for (const ActivityId id : running_on(HostId(h)))
        if (const Activity& user = activities_[id.slot];
            user.kind == ActivityKind::compute && std::ranges::count(workload_->inputs(user.work), file) > 0)
          refuse(fmt::format("{} uses it", workload_->name_of(user.work)));
  stores_.discard(file, cluster);
  Record record;
  record.time = view_.now_;
  record.on = ResourceId::of(cluster);
  record.file = file;
  record.kind = RecordKind::discarded;
  trace_.add(record);
}

void Sim::accept(WorkId work) {
  check_open(work, "accept");
  if (view_.works_[work].accepted) bad(fmt::format("accept {}", text_of({work})), "it is accepted already");
  view_.works_.accept(work);
  record_work(RecordKind::accepted, work);
}

void Sim::settle_work(WorkId work, WorkState state, RecordKind kind, Reason why) {
  // Posted and running activities of the work have no purpose any more.
  const WorkView& view = view_.works_[work];
  const bool any = view.running > 0 || view.posted > 0 || activities_.is_tied(work);
  for (std::uint32_t slot = 0; any && slot < activities_.slots(); ++slot) {
    const Activity& activity = activities_[slot];
    if (activity.serial == 0 || activity.work != work || activity.kind == ActivityKind::think) continue;
    if (activity.stage == Stage::posted)
      withdraw_slot(slot, why);
    else
      lose(slot, why, false, RecordKind::cancelled);
  }
  view_.works_.settle(work, state);
  record_work(kind, work, why);
}

void Sim::reject(WorkId work, Reason reason) {
  check_open(work, "reject");
  if (view_.works_[work].running > 0 || view_.works_[work].done > 0)
    bad(fmt::format("reject {}", text_of({work})), "part of it has started; expire it instead");
  if (recorder_ != nullptr && work == recorder_->work()) [[unlikely]]
    recorder_->decides(*this, Decision::Kind::rejected, {}, reason);
  settle_work(work, WorkState::rejected, RecordKind::rejected, reason);
}

void Sim::expire(WorkId work) {
  check_open(work, "expire");
  if (recorder_ != nullptr && work == recorder_->work()) [[unlikely]]
    recorder_->decides(*this, Decision::Kind::expired, {}, Reason::deadline);
  settle_work(work, WorkState::expired, RecordKind::expired, Reason::deadline);
}

}  // namespace perigee::engine
