#include "runtime/kernel/profile.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/kernel/constants.h"
#include "runtime/kernel/error.h"
#include "runtime/kernel/quantity.h"

namespace perigee::kernel {

namespace {
constexpr double kFinishSlack = 1e-12;    // of what is left
constexpr double kRoundingSlack = 1e-14;  // of the whole amount: error of skipping whole cycles
constexpr std::size_t kMostSegments = 1'000'000;
constexpr double kLeastPeriod = 1e-200;  // seconds; the number of periods until any time of a run is finite
}  // namespace

// Neighbours differ in value, except perhaps the last and the first of a loop.
struct Profile::Table {
  std::vector<double> times;   // strictly increasing
  std::vector<double> values;  // finite, >= 0; values[0] also before times[0]
  double period = kInfinity;   // length of the loop, +inf: none
  std::size_t loop = 0;        // the loop is segments loop, loop+1, ..., last
  double cycle = 0;            // integral over the loop
  double step_slack = 0;       // seconds

  bool loops() const { return period < kInfinity; }
  std::size_t last() const { return times.size() - 1; }
  double end(std::size_t i) const {
    return i < last() ? times[i + 1] : times[loop] + period;  // +inf without loop
  }
  double length(std::size_t i) const { return end(i) - times[i]; }

  Position find(double t) const;
  void advance(Position& at) const;
};

// t = cycle * period + local, local in segment i.
struct Profile::Position {
  double cycle;
  double local;
  std::size_t i;
};

Profile::Position Profile::Table::find(double t) const {
  Position at{0, t, 0};
  if (loops()) {
    const double first = times[loop];
    if (t >= first + period || (loop == 0 && t < first)) {
      double inside = std::fmod(t - first, period);  // exact
      if (inside < 0) inside += period;
      if (inside >= period) inside = 0;
      at.local = first + inside;
      at.cycle = std::round((t - at.local) / period);
    }
  }
  const auto after = std::upper_bound(times.begin(), times.end(), at.local);
  at.i = after == times.begin() ? 0 : static_cast<std::size_t>(after - times.begin()) - 1;
  if (step_slack > 0 && end(at.i) - at.local <= step_slack) advance(at);
  return at;
}

// To the start of the next segment.
void Profile::Table::advance(Position& at) const {
  if (at.i == last()) {
    at.i = loop;
    at.cycle += 1;
  } else {
    at.i += 1;
  }
  at.local = times[at.i];
}

Profile::Profile(double constant) : constant_(constant) {
  if (!(std::isfinite(constant) && constant >= 0))
    fail("bad_profile", "profile: the value must be finite and >= 0, got {}", format_number(constant));
}

namespace {

void check(const std::vector<double>& times, const std::vector<double>& values) {
  if (times.empty() || times.size() != values.size())
    fail("bad_profile", "profile: needs as many values as times and at least one, got {} and {}",
         values.size(), times.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!std::isfinite(times[i]))
      fail("bad_profile", "profile: time {} must be finite, got {}", i + 1, format_number(times[i]));
    if (i > 0 && !(times[i] > times[i - 1]))
      fail("bad_profile", "profile: times must increase, but time {} is {} after {}", i + 1,
           format_number(times[i]), format_number(times[i - 1]));
    if (!(std::isfinite(values[i]) && values[i] >= 0))
      fail("bad_profile", "profile: value {} must be finite and >= 0, got {}", i + 1,
           format_number(values[i]));
  }
}

void check_period(const char* what, double period) {
  if (!(std::isfinite(period) && period > 0))
    fail("bad_profile", "profile: the {} must be finite and > 0 s, got {}", what, format_number(period));
  if (period < kLeastPeriod)
    fail("bad_profile", "profile: the {} is too short: it must be at least {} s, got {}", what, kLeastPeriod,
         format_number(period));
}

}  // namespace

// From checked arguments. `shortest`: the shortest segment, for the step slack.
Profile Profile::make(std::vector<double> times, std::vector<double> values, double period, std::size_t loop,
                      double shortest) {
  auto table = std::make_shared<Table>();
  table->period = period;
  for (std::size_t i = 0; i < times.size(); ++i) {
    // The loop keeps its own first segment.
    const bool is_loop_start = table->loops() && i == loop;
    if (is_loop_start) table->loop = table->times.size();
    if (i > 0 && !is_loop_start && values[i] == table->values.back()) continue;
    table->times.push_back(times[i]);
    table->values.push_back(values[i] == 0 ? 0.0 : values[i]);  // no -0
  }
  if (table->times.size() == 1) return Profile(table->values[0]);
  if (table->loops()) {
    for (std::size_t i = table->loop; i <= table->last(); ++i)
      table->cycle += table->values[i] * table->length(i);
    table->step_slack = kStepSlack * shortest;
  }
  Profile out;
  out.constant_ = 0;
  out.table_ = std::move(table);
  return out;
}

Profile Profile::steps(std::vector<double> times, std::vector<double> values) {
  check(times, values);
  return make(std::move(times), std::move(values), kInfinity, 0, 0);
}

Profile Profile::periodic(std::vector<double> times, std::vector<double> values, double period) {
  check(times, values);
  check_period("period", period);
  if (times.front() != 0)
    fail("bad_profile", "profile: the first time of a periodic profile must be 0, got {}",
         format_number(times.front()));
  if (!(times.back() < period))
    fail("bad_profile", "profile: times must be < period {}, got {}", format_number(period),
         format_number(times.back()));
  double shortest = period - times.back();
  for (std::size_t i = 1; i < times.size(); ++i) shortest = std::min(shortest, times[i] - times[i - 1]);
  return make(std::move(times), std::move(values), period, 0, shortest);
}

Profile Profile::circular(std::vector<double> values, double sample_period) {
  check_period("sample period", sample_period);
  if (values.empty()) fail("bad_profile", "profile: needs at least one value, got none");
  const double period = sample_period * static_cast<double>(values.size());
  check_period("length of the series", period);
  std::vector<double> times(values.size());
  for (std::size_t i = 0; i < times.size(); ++i) times[i] = sample_period * static_cast<double>(i);
  check(times, values);
  return make(std::move(times), std::move(values), period, 0, sample_period);
}

bool Profile::is_periodic() const noexcept { return table_ && table_->loops(); }

double Profile::table_at(Time t) const { return table_->values[table_->find(t).i]; }

double Profile::integral(Time a, Time b) const {
  PERIGEE_ASSERT(!std::isnan(a) && !std::isnan(b), "integral over NaN");
  if (a == b) return 0;
  if (b < a) return -integral(b, a);
  if (!table_) return constant_ == 0 ? 0.0 : constant_ * (b - a);
  const Table& table = *table_;
  if (b == kInfinity) {
    if (table.loops() ? table.cycle > 0 : table.values.back() > 0) return kInfinity;
    b = std::max(a, table.loops() ? table.times[table.loop] : table.times.back());
    if (a == b) return 0;
  }
  if (a == -kInfinity) {
    if (table.loops() && table.loop == 0 ? table.cycle > 0 : table.values[0] > 0) return kInfinity;
    a = std::min(b, table.times[0]);
    if (a == b) return 0;
  }
  const Position from = table.find(a), to = table.find(b);
  if (from.cycle == to.cycle && from.i == to.i) return table.values[from.i] * (b - a);
  // Segments of one pass, the first from `local` on, the last to `limit`.
  const auto pass = [&](std::size_t i, double local, std::size_t end, double limit) {
    double sum = 0;
    for (; i < end; ++i) {
      sum += table.values[i] * (table.end(i) - local);
      local = table.end(i);
    }
    return sum + table.values[end] * (limit - local);
  };
  if (from.cycle == to.cycle) return pass(from.i, from.local, to.i, to.local);
  const double cycles = to.cycle - from.cycle - 1;
  return pass(from.i, from.local, table.last(), table.end(table.last())) + cycles * table.cycle +
         pass(table.loop, table.times[table.loop], to.i, to.local);
}

Time Profile::table_end_of(Time start, double amount, double factor, Time anchor) const {
  PERIGEE_ASSERT(!std::isnan(amount) && !std::isnan(start - anchor) && factor >= 0,
                 "end_of: NaN or negative factor");
  if (start == kNever || factor == 0 || amount == kInfinity) return kNever;
  const Table& table = *table_;
  Position at = table.find(start - anchor);

  const double rounding = kRoundingSlack * amount;
  double left = amount;
  // True if the `span` seconds from the position on finish the amount; else subtracts their work from `left`.
  const auto ends_in = [&](double span) {
    const double rate = table.values[at.i] * factor;
    const double capacity = rate > 0 ? rate * span : 0;
    if (capacity > 0 && (capacity >= left * (1 - kFinishSlack) || left - capacity <= rounding)) return true;
    left -= capacity;
    return false;
  };

  // The segment of `start`.
  const double first_span = table.end(at.i) - at.local;
  if (ends_in(first_span)) return start + std::min(left / (table.values[at.i] * factor), first_span);
  if (first_span == kInfinity) return kNever;
  table.advance(at);

  std::size_t walked = 0;
  const std::size_t loop_size = table.times.size() - table.loop;
  for (;;) {
    if (table.loops() && at.i == table.loop) {
      const double cycle = table.cycle * factor;
      if (!(cycle > 0)) return kNever;
      // Skips all whole cycles but the last. Afterwards 0 < left <= cycle, up to rounding.
      double skipped = std::max(0.0, std::ceil(left / cycle) - 1);
      if (!std::isfinite(skipped)) return kNever;
      double rest = left - skipped * cycle;
      if (skipped > 0 && rest <= rounding) {
        skipped -= 1;
        rest = left - skipped * cycle;
      }
      at.cycle += skipped;
      left = std::max(rest, 0.0);
    }
    const double span = table.length(at.i);
    if (ends_in(span)) {
      const double base = table.loops() ? anchor + at.cycle * table.period : anchor;
      const double into = left / (table.values[at.i] * factor);
      const double end = into < span ? base + (table.times[at.i] + into) : base + table.end(at.i);
      return std::max(start, end);
    }
    if (span == kInfinity) return kNever;
    table.advance(at);
    PERIGEE_ASSERT(++walked <= table.times.size() + 3 * loop_size, "end_of does not end");
  }
}

Time Profile::table_next_change(Time t) const {
  if (!(t < kNever)) return kNever;
  const Table& table = *table_;
  Position at = table.find(t == -kInfinity ? table.times[0] : t);
  // Equal values may meet where a loop wraps; then it takes one step more.
  for (std::size_t tries = 0; tries < 2 * table.times.size() + 2; ++tries) {
    if (table.end(at.i) == kInfinity) return kNever;
    const double before = table.values[at.i];
    table.advance(at);
    if (table.values[at.i] == before) {
      // A loop of one segment after a head never changes again.
      if (table.loop == table.last() && at.i == table.loop) return kNever;
      continue;
    }
    const double when = table.loops() ? at.cycle * table.period + at.local : at.local;
    if (when > t) return when;
  }
  return std::nextafter(t, kInfinity);  // steps closer together than doubles at t
}

bool Profile::loops_from_zero() const { return is_periodic() && table_->loop == 0; }

Profile Profile::scaled(double factor) const {
  if (!(std::isfinite(factor) && factor >= 0))
    fail("bad_profile", "profile: the factor must be finite and >= 0, got {}", format_number(factor));
  if (!table_) return Profile(constant_ * factor);
  std::vector<double> values = table_->values;
  for (double& value : values) value *= factor;
  check(table_->times, values);
  return make(table_->times, std::move(values), table_->period, table_->loop,
              table_->step_slack / kStepSlack);
}

Profile operator*(const Profile& a, const Profile& b) {
  if (a.is_constant()) return b.scaled(a.constant_);
  if (b.is_constant()) return a.scaled(b.constant_);
  const Profile::Table& one = *a.table_;
  const Profile::Table& two = *b.table_;
  if (one.loops() && two.loops() && one.period != two.period)
    fail("bad_profile", "profile: cannot multiply loops of {} s and {} s", format_number(one.period),
         format_number(two.period));
  const bool loops = one.loops() || two.loops();
  const double period = std::min(one.period, two.period);
  // The segments until `head` are listed one by one; from there on the loops repeat together.
  const auto settled = [](const Profile::Table& table) {
    return table.loops() ? table.times[table.loop] : table.times.back();
  };
  const double first = std::min(one.times[0], two.times[0]);
  const bool only_loop = a.loops_from_zero() && b.loops_from_zero();
  const double head = only_loop ? 0 : std::max(settled(one), settled(two));
  const double limit = loops ? head + period : head;

  std::vector<double> times, values;
  std::size_t loop = 0;
  double shortest = std::min(one.step_slack, two.step_slack) / Profile::kStepSlack;
  if (!one.loops() || !two.loops()) shortest = std::max(one.step_slack, two.step_slack) / Profile::kStepSlack;
  double t = first;
  while (loops ? t < limit : t <= limit) {
    if (times.size() >= kMostSegments)
      fail("bad_profile", "profile: the product has more than {} segments", kMostSegments);
    if (loops && t == head) loop = times.size();
    times.push_back(t);
    values.push_back(a.at(t) * b.at(t));
    double next = std::min(a.next_change(t), b.next_change(t));
    if (loops && t < head) next = std::min(next, head);
    // An instant within the slack of the loop's end counts as the loop's end.
    if (loops && t >= head && limit - next <= Profile::kStepSlack * shortest) break;
    if (next == kInfinity) break;
    t = next;
  }
  check(times, values);
  if (loops)
    for (std::size_t i = loop; i < times.size(); ++i)
      shortest = std::min(shortest, (i + 1 < times.size() ? times[i + 1] : limit) - times[i]);
  return Profile::make(std::move(times), std::move(values), loops ? period : kInfinity, loop, shortest);
}

std::span<const double> Profile::times() const {
  static constexpr double kZero[] = {0.0};
  return table_ ? std::span<const double>(table_->times) : std::span<const double>(kZero);
}
std::span<const double> Profile::values() const {
  return table_ ? std::span<const double>(table_->values) : std::span<const double>(&constant_, 1);
}
double Profile::period() const noexcept { return table_ ? table_->period : kInfinity; }
std::size_t Profile::loop_begin() const noexcept { return table_ ? table_->loop : 0; }

double Profile::slack() const noexcept { return table_ ? table_->step_slack : 0; }

bool operator==(const Profile& a, const Profile& b) {
  if (!a.table_ || !b.table_) return !a.table_ && !b.table_ && a.constant_ == b.constant_;
  return a.table_ == b.table_ ||
         (a.table_->times == b.table_->times && a.table_->values == b.table_->values &&
          a.table_->period == b.table_->period && a.table_->loop == b.table_->loop);
}

}  // namespace perigee::kernel
