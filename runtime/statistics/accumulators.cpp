#include "runtime/statistics/accumulators.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/statistics/checks.h"

namespace perigee::statistics {

using namespace statistics;

namespace {
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
}

void Observations::add(double value) {
  need_finite("observations", "each value", value);
  min_ = count_ == 0 ? value : std::min(min_, value);
  max_ = count_ == 0 ? value : std::max(max_, value);
  last_ = value;
  const double before = value - mean_;
  mean_ += before / static_cast<double>(++count_);
  squares_ += before * (value - mean_);
}

double Observations::mean() const { return count_ == 0 ? kNone : mean_; }
double Observations::sd() const {
  if (count_ < 2) return count_ == 0 ? kNone : 0;
  return std::sqrt(squares_ / static_cast<double>(count_ - 1));
}
double Observations::min() const { return count_ == 0 ? kNone : min_; }
double Observations::max() const { return count_ == 0 ? kNone : max_; }
double Observations::last() const { return count_ == 0 ? kNone : last_; }

void Totals::add(double x) {
  if (std::isnan(x)) return;
  least = count == 0 ? x : std::min(least, x);
  most = count == 0 ? x : std::max(most, x);
  ++count;
  sum += x;
}

TimeWeighted::TimeWeighted(double value, double start)
    : start_(start), now_(start), value_(value), min_(value), max_(value) {
  need_finite("time-weighted statistic", "the start", start);
  need_finite("time-weighted statistic", "the value", value);
}

void TimeWeighted::advance(double time) {
  if (!(std::isfinite(time) && time >= now_))
    fail("bad_parameter", "time-weighted statistic: the time must be finite and >= {}, where it is, got {}",
         format_number(now_), format_number(time));
  if (time == now_) return;
  const double lasted = time - now_;
  now_ = time;
  const double before = value_ - mean_;
  mean_ += before * (lasted / period());
  squares_ += lasted * before * (value_ - mean_);
}

void TimeWeighted::set(double time, double value) {
  need_finite("time-weighted statistic", "the value", value);
  advance(time);
  value_ = value;
  min_ = std::min(min_, value);
  max_ = std::max(max_, value);
}

void TimeWeighted::reset(double time) {
  advance(time);
  *this = TimeWeighted(value_, time);
}

double TimeWeighted::mean() const { return period() > 0 ? mean_ : kNone; }
double TimeWeighted::sd() const { return period() > 0 ? std::sqrt(squares_ / period()) : kNone; }

double LittlesLaw::relative_difference() const {
  if (number == rate * time) return 0;
  return (rate * time - number) / number;
}

LittlesLaw littles_law(double rate, double time, double number) {
  need_not_negative("Little's law", "the rate", rate);
  need_not_negative("Little's law", "the time", time);
  need_not_negative("Little's law", "the number", number);
  return {rate, time, number};
}

}  // namespace perigee::statistics
