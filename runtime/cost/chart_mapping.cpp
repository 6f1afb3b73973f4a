// Source: Berman et al., LIP RR 1999-46, section 5.6.3, see the header.
#include "runtime/cost/chart_mapping.h"

#include <algorithm>
#include <cmath>

#include "runtime/kernel/clone_ptr.h"

namespace perigee {

Jump first_jump(std::span<const Time> times, NoJump otherwise) {
  if (times.size() < 2) return {times.size(), 0};
  const std::size_t steps = times.size() - 1;
  const auto step = [&](std::size_t r) { return times[r + 1] - times[r]; };
  const double mean = (times.back() - times.front()) / static_cast<double>(steps);
  double squares = 0;
  for (std::size_t r = 0; r < steps; ++r) squares += (step(r) - mean) * (step(r) - mean);
  const double limit = mean + std::sqrt(squares / static_cast<double>(steps));
  const double slack = chart_slack(times.back());
  std::size_t largest = 0;
  for (std::size_t r = 0; r < steps; ++r) {
    if (step(r) > limit + slack) return {r + 1, step(r)};
    if (step(r) > step(largest) + slack) largest = r;
  }
  switch (otherwise) {
    case NoJump::none:
      return {times.size(), 0};
    case NoJump::classic:
      return {1, step(0)};
    case NoJump::largest:
      break;
  }
  return {largest + 1, step(largest)};
}

namespace {

// A key as a function.
template <class KeyOf>
class RuleOf final : public ChartRule {
 public:
  RuleOf(KeyOf key_of, bool largest) : key_of_(key_of), largest_(largest) {}
  std::unique_ptr<ChartRule> clone() const override { return std::make_unique<RuleOf>(*this); }
  void keys(const ChartView& view, const ChartPlan&, Stream&, std::vector<Key>& out) override {
    out.clear();
    for (const std::uint32_t task : view.waiting()) out.push_back(key_of_(view.candidate(task)));
  }
  bool largest_first() const override { return largest_; }

 private:
  KeyOf key_of_;
  bool largest_;
};
template <class KeyOf>
std::unique_ptr<ChartRule> rule(bool largest, KeyOf key_of) {
  return std::make_unique<RuleOf<KeyOf>>(key_of, largest);
}

}  // namespace

std::unique_ptr<ChartRule> min_min_rule() {
  return rule(false, [](const ChartCandidate& task) { return ChartRule::Key{task.best}; });
}

std::unique_ptr<ChartRule> max_min_rule() {
  return rule(true, [](const ChartCandidate& task) { return ChartRule::Key{task.best}; });
}

std::unique_ptr<ChartRule> sufferage_rule() {
  return rule(true, [](const ChartCandidate& task) {
    return ChartRule::Key{task.second < kNever ? task.second - task.best : 0};
  });
}

std::unique_ptr<ChartRule> extended_sufferage_rule(NoJump otherwise) {
  return rule(true, [otherwise](const ChartCandidate& task) {
    return ChartRule::Key{first_jump(task.clusters, otherwise).height};
  });
}

std::unique_ptr<ChartRule> sufferage_2_rule(NoJump otherwise) {
  return rule(false, [otherwise](const ChartCandidate& task) {
    const Jump jump = first_jump(task.clusters, otherwise);
    return ChartRule::Key{static_cast<double>(jump.clusters), jump.height};
  });
}

std::unique_ptr<ChartRule> xsufferage_rule() {
  return rule(true, [](const ChartCandidate& task) {
    return ChartRule::Key{task.clusters.size() > 1 ? task.clusters[1] - task.clusters[0] : 0};
  });
}

ChartView::ChartView(Chart& chart, std::vector<std::uint32_t> tasks)
    : chart_(&chart),
      waiting_(std::move(tasks)),
      place_(chart.problem().tasks(), BestInCluster::kNone),
      rows_(waiting_.size()),
      ends_(waiting_.size() * chart.problem().clusters),
      sorted_(ends_.size()) {
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    place_[waiting_[i]] = static_cast<std::uint32_t>(i);
    for (std::size_t c = 0; c < chart.problem().clusters; ++c)
      ends_[i * chart.problem().clusters + c] = chart.best_in(waiting_[i], c);
    update(waiting_[i]);
  }
}

ChartCandidate ChartView::candidate(std::uint32_t task) const {
  const Row& row = rows_[place_[task]];
  return {row.best.complete, row.second,
          std::span(sorted_).subspan(place_[task] * chart_->problem().clusters, row.clusters)};
}

void ChartView::update(std::uint32_t task) {
  const std::size_t clusters = chart_->problem().clusters, first = place_[task] * clusters;
  Row row{.changed = rows_[place_[task]].changed};
  Time* sorted = sorted_.data() + first;
  for (std::size_t c = 0; c < clusters; ++c) {
    const BestInCluster& here = ends_[first + c];
    if (!(here.first.complete < kNever)) continue;
    std::uint32_t at = row.clusters++;
    for (; at > 0 && sorted[at - 1] > here.first.complete; --at) sorted[at] = sorted[at - 1];
    sorted[at] = here.first.complete;
    const bool better = clearly_less(here.first.complete, row.best.complete) ||
                        (!clearly_less(row.best.complete, here.first.complete) &&
                         clearly_less(here.first.computed, row.best.computed));
    if (better) {
      row.second = std::min(row.best.complete, here.second.complete);
      row.best = here.first;
      row.host = here.host;
    } else {
      row.second = std::min(row.second, here.first.complete);
    }
  }
  rows_[place_[task]] = row;
}

const ChartTask& ChartView::place(std::uint32_t task, std::uint32_t host) {
  placed_.push_back(chart_->place(task, host));
  waiting_.erase(std::ranges::lower_bound(waiting_, task));
  place_[task] = BestInCluster::kNone;
  const std::size_t clusters = chart_->problem().clusters;
  const std::uint32_t cluster = chart_->problem().cluster[host];
  for (const std::uint32_t other : waiting_) {
    BestInCluster& here = ends_[place_[other] * clusters + cluster];
    const Time first = here.first.complete, second = here.second.complete;
    here = chart_->best_in(other, cluster);
    update(other);
    if (here.first.complete != first || here.second.complete != second)
      rows_[place_[other]].changed = placed_.size();
  }
  return placed_.back();
}

ChartChoice choose(const ChartView& view, std::span<const ChartRule::Key> keys, bool largest_first) {
  ChartChoice chosen;
  ChartRule::Key best;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::uint32_t task = view.waiting()[i];
    if (view.best_host(task) == BestInCluster::kNone) continue;
    const ChartRule::Key key = keys[i];
    const auto goes_before = [&](double a, double b) {
      return largest_first ? clearly_less(b, a) : clearly_less(a, b);
    };
    if (chosen.is_none() || goes_before(key.first, best.first) ||
        (!goes_before(best.first, key.first) && clearly_less(best.second, key.second))) {
      chosen = {task, view.best_host(task)};
      best = key;
    }
  }
  return chosen;
}

ChartChoice choose(const ChartView& view, ChartRule& rule) {
  Stream none(0, "none");
  std::vector<ChartRule::Key> keys;
  rule.keys(view, {}, none, keys);
  return choose(view, keys, rule.largest_first());
}

ChartChoice draw(const ChartView& view, std::span<const ChartRule::Key> keys, bool largest_first, double eps,
                 Stream& stream) {
  const Chart& chart = view.chart();
  std::vector<std::uint32_t> tasks, hosts, open;
  std::vector<double> firsts;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::uint32_t task = view.waiting()[i];
    if (view.best_host(task) == BestInCluster::kNone) continue;
    const Time best = view.candidate(task).best;
    open.clear();
    for (std::uint32_t h = 0; h < chart.problem().hosts(); ++h)
      if (!clearly_less(best * (1 + eps), chart.completion(task, h).complete)) open.push_back(h);
    tasks.push_back(task);
    hosts.push_back(open[stream.below(open.size())]);
    firsts.push_back(keys[i].first);
  }
  if (tasks.empty()) return {};
  const double best = largest_first ? *std::ranges::max_element(firsts) : *std::ranges::min_element(firsts);
  const double allowed = std::max(eps, kChartTolerance) * std::max(1.0, std::abs(best));
  open.clear();
  for (std::uint32_t i = 0; i < tasks.size(); ++i)
    if (std::abs(firsts[i] - best) <= allowed) open.push_back(i);
  const std::uint32_t chosen = open[stream.below(open.size())];
  return {tasks[chosen], hosts[chosen]};
}

namespace {

class ByRule final : public ChartMapper {
 public:
  ByRule(std::unique_ptr<ChartRule> rule, std::optional<double> eps) : rule_(std::move(rule)), eps_(eps) {}
  std::unique_ptr<ChartMapper> clone() const override { return std::make_unique<ByRule>(*this); }
  ChartChoice next(const ChartView& view, const ChartPlan& plan, Stream& stream) override {
    rule_->keys(view, plan, stream, keys_);
    const bool largest = rule_->largest_first();
    return eps_ ? draw(view, keys_, largest, *eps_, stream) : choose(view, keys_, largest);
  }

 private:
  std::vector<ChartRule::Key> keys_;  // kept for its memory
  ClonePtr<ChartRule> rule_;
  std::optional<double> eps_;
};

}  // namespace

std::unique_ptr<ChartMapper> chart_mapper(std::unique_ptr<ChartRule> rule, std::optional<double> eps) {
  return std::make_unique<ByRule>(std::move(rule), eps);
}

}  // namespace perigee
