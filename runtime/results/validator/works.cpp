// Works: arrivals, settlements, deadlines.
#include "runtime/results/validator/check.h"

namespace perigee::validation {

void Check::of_work(const Record& r) {
  Track& track = tracks_[r.work.index];
  const Work& work = workload_[r.work];
  const std::string name = work_name(r.work);
  if (r.kind != RecordKind::arrived && !track.arrived)
    bad(r.time, "{} is {} before it arrived", name, name_of(r.kind));
  switch (r.kind) {
    case RecordKind::arrived:
      if (track.arrived) bad(r.time, "{} arrives twice", name);
      if (!near(r.time, work.arrival))
        bad(r.time, "{} arrives, but it is submitted at {}", name, text(work.arrival));
      track.arrived = true;
      return;
    case RecordKind::accepted:
      if (track.accepted) bad(r.time, "{} is accepted twice", name);
      if (track.settled != RecordKind::arrived)
        bad(r.time, "{} is accepted after it was {}", name, name_of(track.settled));
      track.accepted = true;
      return;
    case RecordKind::missed:
      if (track.settled != RecordKind::finished ||
          r.time <= work.deadline + kTolerance * std::max(1.0, std::abs(work.deadline)))
        bad(r.time, "{} is said to miss its deadline {}, but has not", name, text(work.deadline));
      track.missed = true;
      return;
    case RecordKind::requeued:
      return of_requeueing(r);
    case RecordKind::stranded:
      return of_stranding(r);
    case RecordKind::recovered: {
      if (track.covered) bad(r.time, "{} is recovered, but it was computed", name);
      const double whole = workload_.size_of(r.work);
      track.done = whole;
      track.pieces.assign(1, {0, whole});
      covered(r.work, r.time);
      return;
    }
    default:
      break;
  }
  if (track.settled != RecordKind::arrived)
    bad(r.time, "{} is {} after it was {}", name, name_of(r.kind), name_of(track.settled));
  track.settled = r.kind;
  if (r.kind == RecordKind::rejected) check_rejection(r);
  if (r.kind == RecordKind::killed) {
    track.killed = r.time;
    const Shape* shape = workload_.shape_of(r.work);
    if (workload_.limit_of(r.work) == kNever && (shape == nullptr || !shape->reservation.valid()))
      bad(r.time, "{} is killed, but has no limit", name);
  }
  if (r.kind == RecordKind::finished) of_finish(r);
}

void Check::of_requeueing(const Record& r) {
  Track& track = tracks_[r.work.index];
  const std::string name = work_name(r.work);
  track.requeued = r.time;
  if (track.saved == 0 && r.why != Reason::policy) bad(r.time, "{} is requeued, but has no whole dump", name);
  if (track.cancelled != r.time || track.why_cancelled != r.why)
    bad(r.time, "{} is requeued, but nothing of it ended now for that reason", name);
  if (track.settled != RecordKind::arrived)
    bad(r.time, "{} is requeued after it was {}", name, name_of(track.settled));
}

void Check::of_stranding(const Record& r) {
  Track& track = tracks_[r.work.index];
  if (!track.covered) bad(r.time, "{} is stranded, but it was not computed", work_name(r.work));
  if (workload_.precedence != nullptr && track.settled == RecordKind::finished)
    track.settled = RecordKind::arrived;  // its files are needed again
  track.covered = false;
  track.done = 0;
  track.pieces.clear();
  if (workload_.precedence != nullptr) return;  // its files stay where they are
  for (const FileId file : outputs(r.work)) {
    home_[file.index] = 0;
    if (last_left_.valid()) stored_[last_left_.index][file.index] = 0;  // copies elsewhere stay
  }
}

void Check::of_finish(const Record& r) {
  Track& track = tracks_[r.work.index];
  const std::string name = work_name(r.work);
  track.finished = r.time;
  if (!track.covered) {
    const double whole = workload_.size_of(r.work);
    bad(r.time, "{} is finished, but of its size {} only {} is done", name, text(whole), text(track.done));
    return;
  }
  for (const FileId file : outputs(r.work))
    if (!home_[file.index] && workload_.goes_home(file))
      bad(r.time, "{} is finished, but its output '{}' is not home", name, workload_.files[file.index].name);
  if (!near(track.covered_at, r.time))
    bad(r.time, "{} is finished, but it was complete at {}", name, text(track.covered_at));
}

bool Check::all_home(WorkId work) const {
  for (const FileId file : outputs(work))
    if (!home_[file.index] && workload_.goes_home(file)) return false;
  return true;
}

void Check::at_the_end() {
  const Time end = outcome_.end;
  if (outcome_.works.size() != workload_.size()) {
    bad(end, "the outcome knows {} works, the scenario has {}", outcome_.works.size(), workload_.size());
    return;
  }
  for (std::size_t w = 0; w < workload_.size(); ++w) {
    const Track& track = tracks_[w];
    const WorkState state = outcome_.works[w];
    const std::string name = work_name(WorkId(w));
    if (track.arrived && state != WorkState::rejected && is_over_queue(WorkId(w)))
      bad(end, "{} is '{}', but it is above a maximum of its queue", name, name_of(state));
    if ((state == WorkState::future) == track.arrived)
      bad(end, "{} is '{}' in the outcome, but in the trace it {}", name, name_of(state),
          track.arrived ? "arrived" : "did not arrive");
    const RecordKind expected = state == WorkState::finished   ? RecordKind::finished
                                : state == WorkState::rejected ? RecordKind::rejected
                                : state == WorkState::expired  ? RecordKind::expired
                                : state == WorkState::killed   ? RecordKind::killed
                                                               : RecordKind::arrived;
    if (track.settled != expected && state != WorkState::future)
      bad(end, "{} is '{}' in the outcome, but in the trace it is {}", name, name_of(state),
          track.settled == RecordKind::arrived ? "unfinished" : name_of(track.settled));
    if (outcome_.status == RunStatus::complete && state < WorkState::finished)
      bad(end, "the run is complete, but {} is '{}'", name, name_of(state));
    const Time deadline = workload_.works[w].deadline;
    if (track.settled == RecordKind::finished && deadline < kNever && !track.missed &&
        track.finished > deadline + kTolerance * std::max(1.0, std::abs(deadline)))
      bad(track.finished, "{} missed its deadline {}, which is not reported", name, text(deadline));
  }
}

bool Check::promised() const {
  if (!outcome_.keeps_deadlines) return false;
  for (const Happening& happening : scenario_.happenings)
    if (happening.kind == HappeningKind::join) return false;  // its host may not be there at all
  for (std::size_t i = 0; i < trace_.size(); ++i)
    if (trace_[i].kind >= RecordKind::up && trace_[i].kind <= RecordKind::left) return false;
  const std::span<const Host> hosts = platform_.hosts();
  for (const Host& host : hosts)
    if (!host.availability.is_constant()) return false;
  for (std::size_t w = 0; w < workload_.size(); ++w) {
    if (workload_.works[w].kind != WorkKind::load) continue;
    const Piece all{WorkId(w), 0, workload_.size_of(WorkId(w))};
    const double bytes = workload_.extras[workload_.works[w].extra].bytes;
    if (workload_.declared_bytes(WorkId(w)) != bytes) return false;
    for (std::size_t h = 0; h < hosts.size(); ++h)
      if (declared_time(workload_, all, hosts[h], HostId(h), hosts[h].architecture) !=
          true_time(workload_, all, hosts[h], HostId(h), hosts[h].architecture))
        return false;
  }
  return true;
}

void Check::promises() {
  if (!promised()) return;
  for (std::size_t w = 0; w < workload_.size(); ++w) {
    const Track& track = tracks_[w];
    const Time deadline = workload_.works[w].deadline;
    if (workload_.works[w].kind != WorkKind::load || !track.accepted || deadline == kNever) continue;
    const Time until = track.settled == RecordKind::finished  ? track.finished
                       : track.settled == RecordKind::arrived ? outcome_.end
                                                              : kNever;
    if (until > deadline + slack(deadline))
      bad(deadline, "{} was accepted, but is not finished by its deadline {}", work_name(WorkId(w)),
          text(deadline));
  }
}

}  // namespace perigee::validation
