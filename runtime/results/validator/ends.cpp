// When an activity would have ended: its walk through fixed phases, pauses, dumps and the steps of its resources.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "runtime/kernel/work.h"
#include "runtime/results/validator/check.h"

namespace perigee::validation {
namespace {

// Segments of a profile during one activity, but for the periods that are skipped. If there are more, its
// duration is not checked.
constexpr std::size_t kMostSegments = 2'000'000;
constexpr std::uint64_t kStepsOfSegment = 10;  // see did_work()

}  // namespace

class Check::Walk {
 public:
  Walk(Check& check, const Act& act, double amount, bool forgiving);
  Time end();

 private:
  Time next_edge() const;
  Seconds slack_before(Time edge) const;
  void pass_sending();
  void pass_asked();
  void pass_pauses();
  void whole_dump(Time at);
  void go_to(Time next);
  bool send(Time boundary);
  bool pass_fixed(Time boundary);
  std::optional<Time> compute(Time boundary);

  Check& check_;
  const Act& act_;
  const double amount_;
  const bool forgiving_;
  std::vector<Cursor> all_;
  Time t_;
  Seconds fixed_;
  double left_;
  const Seconds interval_;
  Seconds to_dump_;  // of computing, until the next one
  bool writing_ = false;
  const Checkpoint* checkpoint_;
  const bool over_link_;
  bool reading_;
  std::size_t sent_ = 0, asked_ = 0;  // of the transfers and of what was asked for: those that are over
  bool is_sending_ = false;
  double share_;           // that the last dump holds
  std::size_t pause_ = 0;  // the one that it is in, or the next one
  bool is_paused_ = false;
  Time skipped_until_;  // the whole periods until then
};

Check::Walk::Walk(Check& check, const Act& act, double amount, bool forgiving)
    : check_(check),
      act_(act),
      amount_(amount),
      forgiving_(forgiving),
      all_(check.cursors(act)),
      t_(act.started),
      fixed_(check.fixed_phase(act, t_)),
      left_(amount * (1 - act.begun_with)),
      interval_(check.dump_interval(act)),
      to_dump_(interval_),
      checkpoint_(act.over_hosts() ? check.workload_.checkpoint_of(act.work) : nullptr),
      over_link_(checkpoint_ != nullptr && checkpoint_->link.valid()),
      reading_(over_link_ && act.begun_with > 0),
      share_(act.begun_with),
      skipped_until_(t_) {
  check_.dumps_.clear();
  check_.begun_.clear();
}

Time Check::Walk::end() {
  pass_pauses();
  if (left_ <= 0 && fixed_ <= 0 && all_up(all_) && !is_paused_) return t_;
  std::size_t segments = 0;
  for (;;) {
    if (++segments > kMostSegments) return kNaN;
    did_work(kStepsOfSegment);
    const Time boundary = next_edge();
    if (!all_up(all_) || is_paused_) {  // stands still until all is back
      if (boundary == kNever) return kNever;
      go_to(boundary);
      continue;
    }
    if (is_sending_) {
      if (!send(boundary)) return kNever;
      continue;
    }
    if (fixed_ > 0 && !pass_fixed(boundary)) continue;
    if (over_link_ && (reading_ || writing_)) {
      check_.begun_.push_back({t_, reading_});
      if (sent_ == act_.transfers.size()) return kNever;
      is_sending_ = true;
      continue;
    }
    if (std::exchange(writing_, false)) whole_dump(t_);
    if (left_ <= 0) return t_;
    if (t_ >= boundary) {
      go_to(t_);
      continue;
    }
    if (const std::optional<Time> end = compute(boundary)) return *end;
  }
}

Time Check::Walk::next_edge() const {
  const Time step = next_step(all_);
  if (pause_ == act_.pauses.size()) return step;
  return std::min(step, is_paused_ ? act_.pauses[pause_].to : act_.pauses[pause_].from);
}

// How much later than at `edge` something may be and yet come in its instant, before the pause that begins with it.
Seconds Check::Walk::slack_before(Time edge) const {
  const bool pauses = pause_ < act_.pauses.size() && !is_paused_ && act_.pauses[pause_].from == edge;
  return pauses ? check_.slack(edge) : 0;
}

// A transfer may begin between two pauses in one instant.
void Check::Walk::pass_sending() {
  if (!(over_link_ && (reading_ || writing_)) || fixed_ > 0 || sent_ == act_.transfers.size()) return;
  const Act& transfer = check_.acts_[act_.transfers[sent_]];
  if (transfer.posted != t_ || transfer.ended != t_ || transfer.how == RecordKind::ended) return;
  check_.begun_.push_back({t_, reading_});
  ++sent_;
}

// So may a dump that takes no time.
void Check::Walk::pass_asked() {
  if (checkpoint_ == nullptr || over_link_ || checkpoint_->cost > 0 || fixed_ > 0) return;
  for (; asked_ < act_.asked.size() && act_.asked[asked_].at == t_; ++asked_) whole_dump(t_);
}

void Check::Walk::pass_pauses() {
  while (pause_ < act_.pauses.size() &&
         (is_paused_ ? act_.pauses[pause_].to : act_.pauses[pause_].from) <= t_) {
    if (is_paused_) {
      ++pause_;
    } else {
      pass_sending();
      pass_asked();
    }
    is_paused_ = !is_paused_;
  }
}

void Check::Walk::whole_dump(Time at) {
  to_dump_ = interval_;
  const double done = amount_ > 0 ? 1 - left_ / amount_ : 0;
  if (done > share_) check_.dumps_.push_back({at, done});
  share_ = std::max(share_, done);
}

// It begins anew from its last dump where the rule says so.
void Check::Walk::go_to(Time next) {
  t_ = next;
  pass_pauses();
  if (!advance(all_, t_) || !all_up(all_) || check_.rule(act_) != OnFailure::restarted) return;
  left_ = amount_ * (1 - share_);
  fixed_ = check_.fixed_phase(act_, t_);
  if (share_ > 0 && act_.begun_with == 0) fixed_ += check_.workload_.checkpoint_of(act_.work)->restart;
  to_dump_ = interval_;
  writing_ = false;
  reading_ = over_link_ && share_ > 0;
}

// Goes on while its dump or restart is sent; false: it never goes on.
bool Check::Walk::send(Time boundary) {
  const Act& transfer = check_.acts_[act_.transfers[sent_]];
  const Time over = std::isnan(transfer.ended) ? kNever : transfer.ended;
  if (over == kNever && boundary == kNever) return false;
  if (over > boundary) {
    go_to(boundary);
    return true;
  }
  is_sending_ = false;
  ++sent_;
  if (transfer.how == RecordKind::ended) {
    if (!std::exchange(reading_, false) && std::exchange(writing_, false)) whole_dump(over);
  } else if (transfer.how == RecordKind::lost) {
    if (reading_) return false;
    writing_ = false;
    to_dump_ = interval_;
  } else if (act_.life != Life::running && act_.ended == over) {
    return false;
  }
  go_to(over);
  return true;
}

// Whether the fixed phase is over before the boundary.
bool Check::Walk::pass_fixed(Time boundary) {
  if (t_ + fixed_ > boundary + slack_before(boundary)) {
    fixed_ -= boundary - t_;
    go_to(boundary);
    return false;
  }
  t_ = std::min(t_ + fixed_, boundary);
  fixed_ = 0;
  return true;
}

// Goes on at one speed until the boundary, the next dump or the next change of speed; the end, if it comes first.
std::optional<Time> Check::Walk::compute(Time boundary) {
  if (interval_ == kNever && asked_ == act_.asked.size() && t_ >= skipped_until_) {
    Period each = check_.period(act_, all_, t_);
    each.until = std::min(each.until, boundary);
    skipped_until_ = each.until;
    if (!each.skip(t_, left_)) return kNever;
  }
  Time until = kNever;
  const double speed = check_.rate(act_, all_, t_, until);
  if (std::isnan(speed)) return kNaN;
  if (speed == kNever) return t_;
  until = std::min(until, boundary);
  const bool is_due = t_ + to_dump_ <= until + slack_before(until);
  if (is_due) until = std::min(until, t_ + to_dump_);
  const bool is_asked = asked_ < act_.asked.size() && act_.asked[asked_].at <= until;
  if (is_asked) until = std::max(t_, act_.asked[asked_++].at);
  const bool dumps = is_due || is_asked;
  if (until <= t_ && !is_asked) until = std::nextafter(t_, kNever);
  const Seconds more = forgiving_ && until < kNever ? check_.slack(until) : 0;
  if (speed > 0 && t_ + left_ / speed <= until + more) return t_ + left_ / speed;
  if (until == kNever) return kNever;
  left_ -= speed * (until - t_);
  to_dump_ -= until - t_;
  if (dumps) {
    fixed_ = over_link_ ? 0 : checkpoint_->cost;
    writing_ = over_link_ || fixed_ > 0;
    if (!writing_) whole_dump(until);
  }
  if (dumps && over_link_) {  // it begins even if a host goes away in this instant
    t_ = until;
    return std::nullopt;
  }
  go_to(until);
  return std::nullopt;
}

Time Check::end_with(const Act& act, double amount, bool forgiving) {
  return Walk(*this, act, amount, forgiving).end();
}

}  // namespace perigee::validation
