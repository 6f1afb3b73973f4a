#include "runtime/engine/simulation/feed.h"

#include <algorithm>
#include <span>
#include <utility>

#include "runtime/kernel/quantity.h"

namespace perigee::engine {

namespace {

constexpr std::size_t kMostAtOnce = 1'000'000;

}  // namespace

Feed::Feed(const Scenario& declared)
    : stream_(declared.stream->clone()),
      scenario_(std::make_shared<Scenario>(declared)),
      window_(std::make_shared<Workload>(*declared.workload)) {
  scenario_->workload = window_;
}

Feed::Feed(const Feed& other)
    : stream_(other.stream_),
      made_(other.made_),
      scenario_(std::make_shared<Scenario>(*other.scenario_)),
      window_(std::make_shared<Workload>(*other.window_)),
      free_rows_(other.free_rows_),
      free_extras_(other.free_extras_),
      last_arrival_(other.last_arrival_),
      at_once_(other.at_once_) {
  scenario_->workload = window_;
}

Feed& Feed::operator=(const Feed& other) {
  if (this != &other) *this = Feed(other);
  return *this;
}

std::shared_ptr<const Scenario> Feed::snapshot() const {
  auto copy = std::make_shared<Scenario>(*scenario_);
  copy->workload = std::make_shared<const Workload>(*window_);
  return copy;
}

Feed::Place Feed::row(Place of_made, TimeForm form, std::size_t columns) {
  if (of_made == kNone || (form != TimeForm::by_host && form != TimeForm::by_architecture)) return of_made;
  std::vector<double>& times = window_->times;
  std::vector<Place>& unused = free_rows(form);
  if (unused.empty()) {
    unused.push_back(static_cast<Place>(times.size()));
    times.resize(times.size() + columns);
  }
  const Place place = unused.back();
  unused.pop_back();
  std::copy_n(made_.times.begin() + of_made, columns, times.begin() + place);
  return place;
}

bool Feed::refill() {
  stream_->next(made_);
  if (made_.works.empty()) return false;
  made_.check_works(*scenario_->platform, WorkId(made_.works.first()));
  const std::span<const std::string> users = stream_->users();
  window_->users.insert(window_->users.end(),
                        users.begin() + static_cast<std::ptrdiff_t>(window_->users.size()), users.end());
  if (std::shared_ptr<const model::Queues> queues = stream_->queues()) window_->queues = std::move(queues);
  return true;
}

bool Feed::pull() {
  if (made_.works.empty() && !refill()) return false;
  const std::size_t place = made_.works.first();
  Work work = made_.works[place];
  if (work.arrival < last_arrival_)
    fail_at(stream_->declared_at(), "bad_work",
            "{}: a stream gives works in order of arrival; this one arrives at {} s, the one before at "
            "{} s",
            made_.name_of(WorkId(place)), format_number(work.arrival), format_number(last_arrival_));
  at_once_ = work.arrival > last_arrival_ ? 1 : at_once_ + 1;
  if (at_once_ > kMostAtOnce)
    fail_at(
        stream_->declared_at(), "time_stands_still",
        "time does not move: a stream gives more than {} works that arrive at t = {} s; workload.tasks declares so "
        "many at once",
        kMostAtOnce, format_number(work.arrival));
  last_arrival_ = work.arrival;
  const std::size_t columns =
      work.form == TimeForm::by_host ? scenario_->platform->hosts().size() : stream_->architectures();
  work.times = row(work.times, work.form, columns);
  work.estimates = row(work.estimates, work.form, columns);
  if (work.extra != kNone) {
    if (free_extras_.empty()) {
      free_extras_.push_back(static_cast<Place>(window_->extras.size()));
      window_->extras.emplace_back();
    }
    window_->extras[free_extras_.back()] = made_.extras[work.extra];
    work.extra = free_extras_.back();
    free_extras_.pop_back();
  }
  window_->works.push_back(work);
  made_.works.drop_before(place + 1);
  return true;
}

void Feed::forget_before(std::size_t first, Works& works, ForgottenWorks& forgotten) {
  for (std::size_t w = window_->works.first(); w < first; ++w) {
    const WorkState state = works[WorkId(w)].state;
    ++forgotten.in_state[static_cast<std::size_t>(state)];
    if (state != WorkState::finished) forgotten.unfinished.emplace_back(w, state);
    const Work& work = window_->works[w];
    const bool has_rows = work.form == TimeForm::by_host || work.form == TimeForm::by_architecture;
    for (const Place place : {work.times, work.estimates})
      if (has_rows && place != kNone) free_rows(work.form).push_back(place);
    if (work.extra == kNone) continue;
    works.free_extra(work.extra);
    free_extras_.push_back(work.extra);
  }
  window_->works.drop_before(first);
  works.drop_before(WorkId(first));
}

}  // namespace perigee::engine
