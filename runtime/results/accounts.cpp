#include "runtime/results/accounts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "runtime/kernel/constants.h"

namespace perigee::results {

WorkFollower::WorkFollower(const Scenario& scenario, Time warmup, TraceLevel depth,
                           std::size_t most_responses)
    : warmup_(warmup), depth_(depth), requested_(*scenario.platform), finished_(most_responses) {
  extend(scenario);
}

void WorkFollower::extend(const Scenario& scenario) {
  std::map<std::string_view, std::uint32_t> first;
  const std::vector<std::string>& users = scenario.workload->users;
  user_slot_.clear();
  for (std::uint32_t user = 0; user < users.size(); ++user)
    user_slot_.push_back(first.emplace(users[user], user).first->second);
  if (const auto found = first.find(""); found != first.end()) nobody_ = found->second;
  bounded_slowdowns_.resize(users.size());
}

WorkFollower::Open* WorkFollower::open(WorkId work, const Scenario& scenario) {
  if (work.index >= scenario.workload->size() || work.index < open_.first()) return nullptr;
  for (std::size_t w = open_.size(); w <= work.index; ++w) {
    Open next;
    next.arrival = scenario.workload->works[w].arrival;
    open_.push_back(next);
  }
  return &open_[work.index];
}

void WorkFollower::take(const Record& record, std::size_t place, const Scenario& scenario) {
  if (!record.work.valid()) return;
  // All works may arrive at once, most of them as declared.
  if (record.kind == RecordKind::arrived && record.work.index < scenario.workload->size() &&
      record.time == (*scenario.workload)[record.work].arrival)
    return;
  Open* work = open(record.work, scenario);
  if (work == nullptr) return;
  switch (record.kind) {
    case RecordKind::arrived:
      work->arrival = record.time;
      break;
    case RecordKind::finished:
    case RecordKind::killed:
      work->finish = record.time;
      work->settled = true;
      break;
    case RecordKind::rejected:
    case RecordKind::expired:
      work->settled = true;
      break;
    case RecordKind::stranded:
      work->settled = false;
      before_[record.work] = *work;
      work->strand(place);
      break;
    case RecordKind::recovered:
      static_cast<Service&>(*work) = before_.at(record.work);
      work->finish = kNaN;
      break;
    case RecordKind::saved:  // its dumps are gone
      work->strand(place);
      break;
    default:
      return;
  }
  if (work->settled) add_up_settled(scenario);
}

void WorkFollower::begin(WorkId work, const Scenario& scenario) {
  if (Open* opened = open(work, scenario)) ++opened->executions;
}

void WorkFollower::add(const Execution& execution, std::span<const UsedResource> on,
                       const Scenario& scenario) {
  if (!open_.has(execution.work.index)) return;
  Open& work = open_[execution.work.index];
  --work.executions;
  if (work.is_served_by(execution, (*scenario.workload)[execution.work].kind))
    work.Service::add(execution, on, *scenario.platform);
  if (work.settled && work.executions == 0) add_up_settled(scenario);
}

Time WorkFollower::finish_of(WorkId work) const {
  return open_.has(work.index) ? open_[work.index].finish : kNaN;
}

// Where works wait for each other, one that is finished may have to be done again.
void WorkFollower::add_up_settled(const Scenario& scenario) {
  if (scenario.workload->precedence != nullptr) return;
  std::size_t next = open_.first();
  for (; next < open_.size() && open_[next].settled && open_[next].executions == 0; ++next)
    add_up(WorkId(next), open_[next], scenario);
  open_.drop_before(next);
}

void WorkFollower::end(const Scenario& scenario) {
  for (std::size_t w = open_.first(); w < open_.size(); ++w) add_up(WorkId(w), open_[w], scenario);
  open_.drop_before(open_.size());
}

void WorkFollower::add_up(WorkId work, const Service& service, const Scenario& scenario) {
  if (std::isnan(service.finish) || service.finish < warmup_) return;
  FinishedWorks& all = finished_;
  const Seconds response = service.finish - service.arrival;
  all.last = std::isnan(all.last) ? service.finish : std::max(all.last, service.finish);
  all.response.add(response);
  all.responses.add(response);
  if (depth_ != TraceLevel::full) return;
  const ServiceTimes times = times_of(service, scenario, work);
  all.wait.add(times.wait);
  all.queue_wait.add(times.queue_wait);
  all.quality.add(times.quality);
  all.run.add(times.run);
  if (times.run == 0) ++all.zero_run;
  all.core_seconds += service.core_seconds;
  all.slowdown.add(times.slowdown);
  all.bounded_slowdown.add(times.bounded_slowdown);
  if (Totals* user = user_of(work, scenario)) user->add(times.bounded_slowdown);
  const Seconds requested = requested_.of(scenario, work, service);
  if (!(requested > 0)) return;
  all.user_slowdown.add(times.response / requested);
  all.relative_run.add(times.run / requested);
}

Totals* WorkFollower::user_of(WorkId work, const Scenario& scenario) {
  const UserId user = (*scenario.workload)[work].user;
  const std::uint32_t slot = user.index < user_slot_.size() ? user_slot_[user.index] : nobody_;
  return slot != kNone ? &bounded_slowdowns_[slot] : nullptr;
}

double WorkFollower::fairness() const {
  double sum = 0, squares = 0, n = 0;
  for (const Totals& user : bounded_slowdowns_) {
    const double x = user.mean();
    if (std::isnan(x)) continue;
    sum += x;
    squares += x * x;
    ++n;
  }
  return squares > 0 ? sum * sum / (n * squares) : kNaN;
}

Accounts::Accounts(std::shared_ptr<const Scenario> scenario, Time warmup, TraceLevel depth, std::size_t most)
    : scenario_(std::move(scenario)),
      warmup_(warmup),
      depth_(depth),
      works_(*scenario_, warmup, depth, most),
      away_(*scenario_),
      resources_(*scenario_),
      host_use_(*scenario_->platform, most),
      energy_(*scenario_, warmup) {}

std::unique_ptr<Accounts> Accounts::kept_by(const Outcome& outcome) {
  const ClonePtr<Witness> witness = outcome.trace.witness();
  auto* accounts = witness ? dynamic_cast<Accounts*>(&*witness) : nullptr;
  return accounts != nullptr ? std::make_unique<Accounts>(std::move(*accounts)) : nullptr;
}

InfeasibleWorks infeasible_works(const Outcome& outcome) {
  if (const auto accounts = Accounts::kept_by(outcome)) return accounts->infeasible();
  InfeasibleWorks all;
  for (std::size_t i = 0; i < outcome.trace.size(); ++i) all.take(outcome.trace[i]);
  return all;
}

void Accounts::extend(std::shared_ptr<const Scenario> scenario) {
  scenario_ = std::move(scenario);
  works_.extend(*scenario_);
}

WorkId Accounts::first_needed() const { return WorkId(works_.first_open()); }

std::size_t Accounts::bytes() const {
  return counted_.bytes() + works_.bytes() + runs_.bytes() + host_use_.bytes() + energy_.bytes();
}

void Accounts::take(const Record& record) {
  constexpr std::size_t kAtOnce = 1024;  // records before executions are handed over: together they cost less
  const std::size_t place = place_++;
  if (tells_of_work(record.kind)) {
    count(record);
    infeasible_.take(record);
    works_.take(record, place, *scenario_);
  } else if (record.kind == RecordKind::saved && record.size == 0) {
    works_.take(record, place, *scenario_);
    core_time_.forget_dumps(record.work, place);
  }
  if (depth_ != TraceLevel::full) return;
  if (record.kind == RecordKind::finished || record.kind == RecordKind::killed) host_use_.finish(record.time);
  away_.take(record);
  energy_.take(record, *scenario_);
  resources_.take(record);
  if (resources_from_0_) resources_from_0_->take(record);
  if (runs_.take(record, place)) works_.begin(record.work, *scenario_);
  if (place_ % kAtOnce == 0) hand_over();
}

// An execution that was over before the first arrival waits for it: no time counts before.
void Accounts::hand_over() {
  if (first_arrival_)
    runs_.hand_over([&](const Execution& run, std::span<const UsedResource> on) { add(run, on); });
}

void Accounts::set_from() {
  if (from() > 0) resources_from_0_ = resources_;
  resources_.set_from(from());
}

void Accounts::count(const Record& record) {
  if (record.kind == RecordKind::arrived && !first_arrival_) {
    first_arrival_ = record.time;
    set_from();
  }
  if (record.time < warmup_) return;
  const auto is_counted = [&] { return counted_.has(record.work.index) && counted_[record.work.index] != 0; };
  switch (record.kind) {
    case RecordKind::arrived:
      ++counts_.arrived;
      counted_.drop_before(std::min(works_.first_open(), counted_.size()));
      counted_.extend(std::size_t{record.work.index} + 1);
      counted_[record.work.index] = 1;
      break;
    case RecordKind::finished:
      ++counts_.finished;
      break;
    case RecordKind::rejected:
      ++counts_.rejected;
      if (is_counted()) ++counts_.refused;
      break;
    case RecordKind::killed:
      ++counts_.killed;
      if (is_counted() && (*scenario_->workload)[record.work].deadline < kNever) ++counts_.late;
      break;
    case RecordKind::requeued:
      ++counts_.requeued;
      break;
    case RecordKind::stranded:
      if (const Time finish = works_.finish_of(record.work); finish >= warmup_) {
        --counts_.finished;
        if (finish > (*scenario_->workload)[record.work].deadline) {
          --counts_.missed;
          if (is_counted()) --counts_.late;
        }
      }
      break;
    case RecordKind::expired:
      ++counts_.expired;
      if (is_counted() && (*scenario_->workload)[record.work].deadline < kNever) ++counts_.late;
      break;
    case RecordKind::missed:
      ++counts_.missed;
      if (is_counted()) ++counts_.late;
      break;
    default:
      break;
  }
}

void Accounts::add(const Execution& run, std::span<const UsedResource> on) {
  const Scenario& scenario = *scenario_;
  if (run.kind == ActivityKind::think)
    activities_.thinking += overlap(run.started, run.ended, from(), kNever);
  if (run.kind == ActivityKind::compute && run.work.valid() &&
      (*scenario.workload)[run.work].kind == WorkKind::sweep)
    ++activities_.packages;
  if (run.ended >= from()) {
    if (run.how == RecordKind::lost) ++activities_.lost;
    if (run.how == RecordKind::cancelled) ++activities_.cancelled;
    if (run.how == RecordKind::superseded) ++activities_.superseded;
    if (run.copy) ++activities_.copies;
    activities_.preempted += run.suspensions.size();
    if (run.how == RecordKind::cancelled && run.why == Reason::policy) ++activities_.preempted;
    for (const Execution::Suspension& each : run.suspensions)
      activities_.suspended += overlap(each.from, std::min(each.to, run.ended), from(), kNever);
    if (run.how == RecordKind::ended) activities_.bytes += bytes_of(*scenario.workload, run);
  }
  const auto use = [&](ResourceUse& resources) {
    if (run.kind == ActivityKind::hold) resources.add_hold(scenario, run, on);
    resources.add(scenario, run, on, away_.all());
  };
  use(resources_);
  if (resources_from_0_) use(*resources_from_0_);
  host_use_.add(run, on, *scenario.platform, away_.all());
  core_time_.add(scenario, run, on, away_.all(), from());
  groups_.add(scenario, run, on, away_.all(), from());
  transfers_.add(run, on, *scenario.workload);
  if (run.how == RecordKind::started)
    under_way_.push_back({run, {on.begin(), on.end()}});
  else
    works_.add(run, on, scenario);
}

void Accounts::end(const Outcome& outcome) {
  count_states(outcome);
  if (depth_ == TraceLevel::full) {
    if (!first_arrival_) set_from();
    runs_.hand_over_all(outcome.end, place_,
                        [&](const Execution& run, std::span<const UsedResource> on) { add(run, on); });
    for (const UnderWay& each : under_way_) works_.add(each.run, each.on, *scenario_);
    away_.end(outcome.end);
    energy_.end(outcome.end);
    use_ = sum_up(resources_, from(), outcome.end);
    use_from_0_ = resources_from_0_ ? sum_up(*resources_from_0_, 0, outcome.end) : use_;
    const Time last = outcome.status == RunStatus::complete ? host_use_.last_finish() : kNaN;
    end_of_rows_ = std::isnan(last) ? outcome.end : last;
    host_rows_ = host_use_.rows(end_of_rows_, *scenario_->platform, away_.all());
  }
  works_.end(*scenario_);
}

Accounts::Use Accounts::sum_up(ResourceUse& use, Time from, Time end) const {
  Use all;
  const Seconds span = end - from;
  for (const ResourceRow& row : use.rows(*scenario_, away_.all(), end)) {
    if (row.id.kind() == ResourceKind::link) {
      ++all.links;
      all.link_busy += row.busy;
      continue;
    }
    const double cores = (*scenario_->platform)[row.id.host()].cores;
    all.busy += row.busy;
    all.held += row.held;
    all.useful += row.useful;
    all.lost += row.lost;
    all.capacity += cores * std::max(span, 0.0);
    all.up += cores * std::max(span - row.down, 0.0);
  }
  all.knows_held = use.knows_held();
  return all;
}

namespace {

bool is_overdue(const Outcome& outcome, std::size_t work) {
  const WorkState state = outcome.works[work];
  const Time deadline = outcome.scenario->workload->works[work].deadline;
  return state != WorkState::future && state < WorkState::finished &&
         outcome.end > deadline + kEps * std::max(1.0, deadline);
}

void count_unsettled(WorkState state, WorkCounts& n) {
  if (state < WorkState::finished) ++n.unfinished;
  if (state == WorkState::future) ++n.future;
  if (state == WorkState::waiting || state == WorkState::rejected) ++n.queued;
  if (state == WorkState::running || state == WorkState::computed) ++n.executing;
}

}  // namespace

void Accounts::count_states(const Outcome& outcome) {
  counts_.queued += outcome.forgotten.in(WorkState::rejected);
  for (std::size_t w = outcome.works.first(); w < outcome.works.size(); ++w) {
    if (counted_.has(w) && counted_[w] != 0 && is_overdue(outcome, w)) ++counts_.late;
    count_unsettled(outcome.works[w], counts_);
  }
}

WorkCounts counts_of_states(const Outcome& outcome) {
  WorkCounts n;
  const auto count = [&](WorkState state, std::size_t times) {
    if (state != WorkState::future) n.arrived += times;
    if (state == WorkState::finished) n.finished += times;
    if (state == WorkState::rejected) n.rejected += times, n.refused += times;
    if (state == WorkState::expired) n.expired += times;
    if (state == WorkState::killed) n.killed += times;
  };
  n.queued += outcome.forgotten.in(WorkState::rejected);
  for (std::size_t state = 0; state < kWorkStates; ++state)
    count(static_cast<WorkState>(state), outcome.forgotten.in_state[state]);
  for (std::size_t w = outcome.works.first(); w < outcome.works.size(); ++w) {
    if (is_overdue(outcome, w)) ++n.late;
    count_unsettled(outcome.works[w], n);
    count(outcome.works[w], 1);
  }
  return n;
}

}  // namespace perigee::results
