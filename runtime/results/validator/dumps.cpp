// Dumps of jobs: their times and what they hold, and that jobs go on from them.
#include "runtime/results/validator/check.h"

namespace perigee::validation {
namespace {

bool is_on_its_way(const Act& transfer) {
  return transfer.life == Life::posted || transfer.life == Life::running;
}

}  // namespace

void Check::saved(const Record& r) {
  if (r.size == 0) {  // those of another set of hosts, or of a host that left
    Track& track = tracks_[r.work.index];
    const Checkpoint* checkpoint = workload_.checkpoint_of(r.work);
    if (track.saved == 0 || checkpoint == nullptr || !checkpoint->local)
      bad(r.time, "{} has no dump that could be gone", work_name(r.work));
    track.saved = 0;
    return;
  }
  const auto known = by_serial_.find(r.activity);
  if (known == by_serial_.end() || acts_[known->second].life != Life::running) {
    bad(r.time, "a dump is whole of activity {}, which does not run", r.activity);
    return;
  }
  Act& act = acts_[known->second];
  Track& track = tracks_[act.work.index];
  if (workload_.checkpoint_of(act.work) == nullptr)
    bad(r.time, act, "it writes a dump, but has no checkpoint");
  if (!(r.size > track.saved && r.size < 1))
    bad(r.time, act, "its dump holds a share of {} of its time, the one before held {}", text(r.size),
        text(track.saved));
  track.saved = r.size;
  track.saved_on = act.on;
  act.dumped = true;
  act.dumps.push_back({r.time, r.size});
}

// Over a link: as it was when the attempt began, idle.
Seconds Check::cost_of_dump(const Act& act, const Checkpoint& checkpoint) const {
  if (!checkpoint.link.valid()) return checkpoint.cost;
  const Timeline& line = link_lines_[checkpoint.link.index];
  const Step& step = line[step_at(line, act.started)];
  const double bandwidth = step.profile->at(act.started - step.anchor) * step.factor;
  return step.latency->at(act.started - step.latency_anchor) + checkpoint.bytes / bandwidth;
}

void Check::asked_to_dump(const Record& r) {
  const auto known = by_serial_.find(r.activity);
  if (known == by_serial_.end() || acts_[known->second].life != Life::running ||
      acts_[known->second].kind != ActivityKind::compute) {
    bad(r.time, "a dump is asked for of activity {}, which does not run", r.activity);
    return;
  }
  Act& act = acts_[known->second];
  if (act.work != r.work || workload_.checkpoint_of(act.work) == nullptr)
    bad(r.time, act, "a dump of it is asked for, but it has no checkpoint");
  if (act.interrupted || act.is_suspended())
    bad(r.time, act, "a dump of it is asked for while it stands still");
  if (!act.transfers.empty() && is_on_its_way(acts_[act.transfers.back()]))
    bad(r.time, act, "a dump of it is asked for while one is on its way");
  act.asked.push_back({r.time, r.size == 1});
}

void Check::posts_dump(std::size_t a, const Record& r) {
  Act& act = acts_[a];
  const Checkpoint* checkpoint = r.work.valid() ? workload_.checkpoint_of(r.work) : nullptr;
  const bool of_link = checkpoint != nullptr && checkpoint->link.valid();
  if (!of_link || tracks_[r.work.index].running.size() != 1) {
    act.broken = true;
    bad(r.time, act, "{}", of_link ? "its job does not run" : "its job sends no dumps over links");
    return;
  }
  act.job = tracks_[r.work.index].running.front();
  Act& job = acts_[act.job];
  if (r.on != ResourceId::of(checkpoint->link))
    bad(r.time, act, "it goes over '{}', not over '{}'", platform_.name_of(r.on),
        platform_[checkpoint->link].name);
  if (r.size != checkpoint->bytes)
    bad(r.time, act, "it has {} B, its job declares {} B", text(r.size), text(checkpoint->bytes));
  if (!job.transfers.empty())
    if (const Act& last = acts_[job.transfers.back()]; is_on_its_way(last))
      bad(r.time, act, "its job has another one on its way, activity {}", last.serial);
  if (job.interrupted) bad(r.time, act, "its job stands still because a host is away");
  job.transfers.push_back(a);
  if (r.why != Reason::limit) return;
  if (scenario_.at_limit != AtLimit::checkpoint ||
      r.time < job.started + job.paused_by(r.time) + workload_.limit_of(r.work) - slack(r.time))
    bad(r.time, act, "it begins for a limit that is not over, or says nothing of dumps");
  job.asked.push_back({r.time, false});
}

void Check::start_dump(const Act& act) {
  const Checkpoint* checkpoint = act.work.valid() ? workload_.checkpoint_of(act.work) : nullptr;
  if (act.job == SIZE_MAX || checkpoint == nullptr || act.on.front() != ResourceId::of(checkpoint->link))
    bad(act.started, act, "it is no dump that a job has sent there");
}

// By the rates, and by the ends of the transfers before. Each begins where it must, and ends early only with its job, or
// while a host of that is away.
void Check::check_transfers(const Act& act) {
  const Checkpoint* checkpoint = workload_.checkpoint_of(act.work);
  if (checkpoint == nullptr || !checkpoint->link.valid()) return;
  const Time stop = act.life == Life::running ? outcome_.end : act.ended;
  for (std::size_t k = 0; k < std::max(act.transfers.size(), begun_.size()); ++k) {
    if (k >= begun_.size()) {
      const Act& sent = acts_[act.transfers[k]];
      return bad(sent.posted, sent, "its job sends or reads no dump then");
    }
    const auto& [at, reads] = begun_[k];
    if (k >= act.transfers.size()) {
      if (at < stop - slack(at))
        bad(at, act, "it does not {} its dump over the link", reads ? "read" : "send");
      return;
    }
    const Act& sent = acts_[act.transfers[k]];
    if (!near(sent.posted, at) || (sent.first == 1) != reads)
      return bad(sent.posted, sent, "its job {} one at {}", reads ? "reads" : "sends", text(at));
    const bool given_up = sent.life == Life::withdrawn || sent.how == RecordKind::cancelled;
    const bool is_away = std::ranges::any_of(act.on, [&](ResourceId on) {
      const Timeline& line = timeline(on);
      return std::ranges::any_of(line, [&](const Step& step) { return step.at == sent.ended && !step.up; });
    });
    const bool is_paused = std::ranges::count(act.pauses, sent.ended, &Act::Pause::from) > 0;
    if (given_up && sent.ended != act.ended && !is_away && !is_paused)
      bad(sent.ended, sent, "it is given up, but its job goes on");
    if (act.life == Life::over && is_on_its_way(sent))
      bad(act.ended, sent, "it goes on although its job is over");
  }
}

// A job that is to wait again after a dump leaves its hosts when that is whole.
void Check::check_asked(const Act& act) {
  for (const Act::Asked& each : act.asked) {
    if (!each.requeues) continue;
    const auto whole = std::ranges::find_if(act.dumps, [&](const Dump& dump) { return dump.at >= each.at; });
    if (whole == act.dumps.end()) continue;
    const bool by_link = std::ranges::any_of(act.transfers, [&](std::size_t a) {
      return acts_[a].how == RecordKind::lost && acts_[a].ended >= each.at && acts_[a].ended <= whole->at;
    });
    const bool anew =
        scenario_.compute_rule == OnFailure::restarted && std::ranges::any_of(act.on, [&](ResourceId on) {
          return std::ranges::any_of(timeline(on), [&](const Step& step) {
            return !step.up && step.at >= each.at && step.at <= whole->at;
          });
        });
    if (by_link || anew) continue;  // that one was never whole
    if (act.life != Life::over || act.ended != whole->at || act.how != RecordKind::cancelled ||
        act.why != Reason::policy)
      bad(whole->at, act, "it was to wait again when its dump is whole, but goes on");
  }
}

// The mean time between failures (Young, 1974; Daly, 2006) is that of all drawn failures of its hosts together.
Seconds Check::dump_interval(const Act& act) const {
  if (act.kind != ActivityKind::compute || !act.work.valid()) return kNever;
  const Checkpoint* checkpoint = workload_.checkpoint_of(act.work);
  if (checkpoint == nullptr) return kNever;
  if (checkpoint->rule == Checkpoint::Rule::given) return checkpoint->interval;
  double rate = 0;
  for (const ResourceId on : act.on)
    for (const FailureModel& model : scenario_.failures)
      rate += static_cast<double>(std::ranges::count(model.hosts, on.host())) / model.mtbf;
  if (rate == 0) return kNever;
  const Seconds cost = cost_of_dump(act, *checkpoint);
  if (!(cost < kNever)) return kNever;
  const Seconds young = std::sqrt(2 * cost / rate);
  if (checkpoint->rule == Checkpoint::Rule::young) return young;
  const double x = cost * rate / 2;  // Daly (2006), equation 37
  return x >= 1 ? 1 / rate : young * (1 + std::sqrt(x) / 3 + x / 9) - cost;
}

// `dumps_` are those that follow from the rates. A job that is to leave at its limit writes one more, before that.
void Check::check_dumps(const Act& act) {
  const Checkpoint* checkpoint = workload_.checkpoint_of(act.work);
  if (checkpoint == nullptr) return;
  const Time stop = act.life == Life::running ? outcome_.end : act.ended;
  const Time limit = scenario_.at_limit == AtLimit::checkpoint && !checkpoint->link.valid()
                         ? act.started + act.paused_by(stop) + workload_.limit_of(act.work)
                         : kNever;
  const auto is_checked = [&](Time at) { return at < std::min(stop, limit) - slack(at); };
  std::size_t next = 0;
  for (const Dump& each : dumps_) {
    if (!is_checked(each.at) || !(each.share > act.begun_with)) continue;
    if (next == act.dumps.size() || !near(act.dumps[next].at, each.at) ||
        std::abs(act.dumps[next].share - each.share) > 1e-6)
      return bad(each.at, act,
                 "a dump that holds a share of {} of its time is whole, which is not in the trace",
                 text(each.share));
    ++next;
  }
  for (; next < act.dumps.size(); ++next)
    if (is_checked(act.dumps[next].at))
      bad(act.dumps[next].at, act, "no dump of it is whole then, but one is in the trace");
}

}  // namespace perigee::validation
