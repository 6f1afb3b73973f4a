// The rules that look at each candidate alone.
//
// Source: Berman et al., LIP RR 1999-46, section 5.6.3, Appendix C and Figures 12 and 13; XSufferage, Casanova
// et al., HCW 2000.
#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/cost/chart_mapping.h"

namespace perigee::cost {

Jump first_jump(std::span<const Time> times, NoJump otherwise) {
  if (times.size() < 2) return {times.size(), 0, times.size()};
  const std::size_t steps = times.size() - 1;
  const auto step = [&](std::size_t r) { return times[r + 1] - times[r]; };
  const double mean = (times.back() - times.front()) / static_cast<double>(steps);
  double squares = 0;
  for (std::size_t r = 0; r < steps; ++r) squares += (step(r) - mean) * (step(r) - mean);
  const double limit = mean + std::sqrt(squares / static_cast<double>(steps)) + chart_slack(times.back());
  const auto jump_from = [&](std::size_t r) {  // steps: there is none
    while (r < steps && !(step(r) > limit)) ++r;
    return r;
  };
  std::size_t at = jump_from(0);
  if (at == steps) {
    if (otherwise == NoJump::none) return {times.size(), 0, times.size()};
    at = 0;
    if (otherwise == NoJump::largest)
      for (std::size_t r = 1; r < steps; ++r)
        if (step(r) > step(at) + chart_slack(times.back())) at = r;
  }
  return {at + 1, step(at), jump_from(at + 1) + 1};
}

Seconds suffering(std::span<const Time> times, const Jump& jump, Suffering as) {
  if (as == Suffering::jump || jump.next == jump.clusters) return jump.height;
  const auto mean = [&](std::size_t from, std::size_t to) {
    double sum = 0;
    for (std::size_t i = from; i < to; ++i) sum += times[i] - times[0];
    return sum / static_cast<double>(to - from);
  };
  return mean(jump.clusters, jump.next) - mean(0, jump.clusters);
}

namespace {

constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();  // clusters

// No step between clusters, from the first to any one that can complete a task, is larger.
Seconds most_suffering(const ChartBounds& bounds, Suffering as) {
  Seconds most = 0;
  for (std::size_t i = 1; i < bounds.low.size() && bounds.low[i] < kNever; ++i)
    most = std::max(most, bounds.high[i] - bounds.low[as == Suffering::jump ? i - 1 : 0]);
  return most;
}

// The foremost of the keys of sufferage II. No step of a task is a jump unless its bound is above a bound of the
// limit, from the least mean and deviation.
ChartRule::Key fewest_clusters(const ChartBounds& bounds, NoJump otherwise, Suffering as) {
  const auto clusters =
      static_cast<std::size_t>(std::ranges::lower_bound(bounds.low, kNever) - bounds.low.begin());
  const bool sure = clusters > 1 && bounds.high[clusters - 1] < kNever;
  if (!sure || otherwise == NoJump::classic) return {1, most_suffering(bounds, as)};
  const auto steps = static_cast<double>(clusters - 1);
  const auto most = [&](std::size_t r) { return bounds.high[r + 1] - bounds.low[r]; };
  const auto least = [&](std::size_t r) { return bounds.low[r + 1] - bounds.high[r]; };
  const double least_mean = (bounds.low[clusters - 1] - bounds.high[0]) / steps,
               most_mean = (bounds.high[clusters - 1] - bounds.low[0]) / steps;
  double squares = 0;
  Seconds largest = 0;
  for (std::size_t r = 0; r + 1 < clusters; ++r) {
    const double off = std::max({0.0, least(r) - most_mean, least_mean - most(r)});
    squares += off * off;
    largest = std::max(largest, least(r));
  }
  double limit = least_mean + std::sqrt(squares / steps);
  if (otherwise == NoJump::largest) limit = std::min(limit, largest);
  limit -= 1e-6 * std::abs(limit);  // rounding of the sums
  for (std::size_t r = 0; r + 1 < clusters; ++r)
    if (most(r) >= limit)
      return {static_cast<double>(r + 1), as == Suffering::jump ? most(r) : most_suffering(bounds, as)};
  return {static_cast<double>(clusters), 0};
}

// A rule whose key is a function of the candidate, and whose foremost key is one of bounds.
template <class KeyOf, class ForemostOf>
class RuleOf final : public CandidateRule {
 public:
  RuleOf(std::string_view name, KeyOf key_of, ForemostOf foremost_of, bool largest, std::size_t clusters,
         bool second)
      : name_(name),
        key_of_(key_of),
        foremost_of_(foremost_of),
        largest_(largest),
        clusters_(clusters),
        second_(second) {}
  std::unique_ptr<ChartRule> clone() const override { return std::make_unique<RuleOf>(*this); }
  Key key(const ChartCandidate& task) const override { return key_of_(task); }
  Key foremost(const ChartBounds& bounds) const override { return foremost_of_(bounds); }
  std::size_t first_clusters() const override { return clusters_; }
  bool largest_first() const override { return largest_; }
  bool needs_second() const override { return second_; }
  std::string_view key_name() const override { return name_; }

 private:
  std::string_view name_;
  KeyOf key_of_;
  ForemostOf foremost_of_;
  bool largest_;
  std::size_t clusters_;
  bool second_;
};
template <class KeyOf, class ForemostOf>
std::unique_ptr<CandidateRule> rule(std::string_view name, bool largest, KeyOf key_of, ForemostOf foremost_of,
                                    std::size_t clusters, bool second = false) {
  return std::make_unique<RuleOf<KeyOf, ForemostOf>>(name, key_of, foremost_of, largest, clusters, second);
}

std::string_view name_of_suffering(Suffering as) {
  return as == Suffering::jump ? "height of the first jump, s" : "later in the next group of clusters, s";
}

}  // namespace

std::vector<ChartRule::Key> CandidateRule::keys(const ChartView& view) const {
  view.refresh();
  std::vector<Key> keys;
  keys.reserve(view.waiting().size());
  for (const std::uint32_t task : view.waiting()) keys.push_back(key(view.candidate(task)));
  return keys;
}

std::unique_ptr<CandidateRule> min_min_rule() {
  return rule(
      "best completion, s", false, [](const ChartCandidate& task) { return ChartRule::Key{task.best}; },
      [](const ChartBounds& bounds) { return ChartRule::Key{bounds.low[0]}; }, 1);
}

std::unique_ptr<CandidateRule> max_min_rule() {
  return rule(
      "best completion, s", true, [](const ChartCandidate& task) { return ChartRule::Key{task.best}; },
      [](const ChartBounds& bounds) { return ChartRule::Key{bounds.high[0]}; }, 1);
}

std::unique_ptr<CandidateRule> sufferage_rule() {
  return rule(
      "sufferage, s", true,
      [](const ChartCandidate& task) {
        return ChartRule::Key{task.second < kNever ? task.second - task.best : 0};
      },
      [](const ChartBounds& bounds) {
        const Time second =
            bounds.high.size() > 1 ? std::min(bounds.high[1], bounds.next_high) : bounds.next_high;
        return ChartRule::Key{second - bounds.low[0]};
      },
      2, true);
}

std::unique_ptr<CandidateRule> extended_sufferage_rule(NoJump otherwise, Suffering as) {
  return rule(
      name_of_suffering(as), true,
      [=](const ChartCandidate& task) {
        return ChartRule::Key{suffering(task.clusters, first_jump(task.clusters, otherwise), as)};
      },
      [=](const ChartBounds& bounds) { return ChartRule::Key{most_suffering(bounds, as)}; }, kAll);
}

std::unique_ptr<CandidateRule> sufferage_2_rule(NoJump otherwise, Suffering as) {
  return rule(
      "number of clusters that suit it", false,
      [=](const ChartCandidate& task) {
        const Jump jump = first_jump(task.clusters, otherwise);
        return ChartRule::Key{static_cast<double>(jump.clusters), suffering(task.clusters, jump, as)};
      },
      [=](const ChartBounds& bounds) { return fewest_clusters(bounds, otherwise, as); }, kAll);
}

std::unique_ptr<CandidateRule> xsufferage_rule() {
  return rule(
      "cluster-level sufferage, s", true,
      [](const ChartCandidate& task) {
        return ChartRule::Key{task.clusters.size() > 1 ? task.clusters[1] - task.clusters[0] : 0};
      },
      [](const ChartBounds& bounds) {
        const bool two = bounds.low.size() > 1 && bounds.low[1] < kNever;
        return ChartRule::Key{two ? bounds.high[1] - bounds.low[0] : 0};
      },
      2);
}

}  // namespace perigee::cost
