// Source: Berman et al., LIP RR 1999-46, section 5.6.3, see the header.
#include "runtime/cost/chart_mapping.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/kernel/clone_ptr.h"
#include "runtime/kernel/quantity.h"

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

// A rule whose key is a function of the candidate.
template <class KeyOf>
class RuleOf final : public ChartRule {
 public:
  RuleOf(std::string_view name, KeyOf key_of, bool largest, bool second)
      : name_(name), key_of_(key_of), largest_(largest), second_(second) {}
  std::unique_ptr<ChartRule> clone() const override { return std::make_unique<RuleOf>(*this); }
  void keys(const ChartView& view, const ChartPlan&, Stream&, std::vector<Key>& out) override {
    out.clear();
    for (const std::uint32_t task : view.waiting()) out.push_back(key_of_(view.candidate(task)));
  }
  bool largest_first() const override { return largest_; }
  bool needs_second() const override { return second_; }
  std::string_view key_name() const override { return name_; }

 private:
  std::string_view name_;
  KeyOf key_of_;
  bool largest_, second_;
};
template <class KeyOf>
std::unique_ptr<ChartRule> rule(std::string_view name, bool largest, KeyOf key_of, bool second = false) {
  return std::make_unique<RuleOf<KeyOf>>(name, key_of, largest, second);
}

std::string_view name_of_suffering(Suffering as) {
  return as == Suffering::jump ? "height of the first jump, s" : "later in the next group of clusters, s";
}

}  // namespace

std::unique_ptr<ChartRule> min_min_rule() {
  return rule("best completion, s", false,
              [](const ChartCandidate& task) { return ChartRule::Key{task.best}; });
}

std::unique_ptr<ChartRule> max_min_rule() {
  return rule("best completion, s", true,
              [](const ChartCandidate& task) { return ChartRule::Key{task.best}; });
}

std::unique_ptr<ChartRule> sufferage_rule() {
  return rule(
      "sufferage, s", true,
      [](const ChartCandidate& task) {
        return ChartRule::Key{task.second < kNever ? task.second - task.best : 0};
      },
      true);
}

std::unique_ptr<ChartRule> extended_sufferage_rule(NoJump otherwise, Suffering as) {
  return rule(name_of_suffering(as), true, [=](const ChartCandidate& task) {
    return ChartRule::Key{suffering(task.clusters, first_jump(task.clusters, otherwise), as)};
  });
}

std::unique_ptr<ChartRule> sufferage_2_rule(NoJump otherwise, Suffering as) {
  return rule("number of clusters that suit it", false, [=](const ChartCandidate& task) {
    const Jump jump = first_jump(task.clusters, otherwise);
    return ChartRule::Key{static_cast<double>(jump.clusters), suffering(task.clusters, jump, as)};
  });
}

std::unique_ptr<ChartRule> xsufferage_rule() {
  return rule("cluster-level sufferage, s", true, [](const ChartCandidate& task) {
    return ChartRule::Key{task.clusters.size() > 1 ? task.clusters[1] - task.clusters[0] : 0};
  });
}

ChartView::ChartView(Chart& chart, std::vector<std::uint32_t> tasks, bool with_second)
    : chart_(&chart),
      with_second_(with_second),
      waiting_(std::move(tasks)),
      place_(chart.problem().tasks(), BestInCluster::kNone),
      rows_(waiting_.size()),
      ends_(waiting_.size() * chart.problem().clusters),
      needs_(ends_.size()),
      shared_(chart.problem().files),
      sorted_(ends_.size()),
      order_(ends_.size()) {
  for (std::size_t i = 0; i < waiting_.size(); ++i) place_[waiting_[i]] = static_cast<std::uint32_t>(i);
  std::vector<std::uint32_t> user(chart.problem().files, BestInCluster::kNone);  // the first one
  for (const std::uint32_t task : waiting_)
    for (const std::uint32_t file : chart.problem().inputs[task]) {
      if (user[file] == BestInCluster::kNone) user[file] = task;
      if (user[file] != task) shared_[file] = 1;
    }
  for (std::size_t c = 0; c < chart.problem().clusters; ++c) {
    measure_needs(c);
    const Chart::Outlook there = chart.outlook(c);
    for (std::size_t i = 0; i < waiting_.size(); ++i)
      update(waiting_[i], i, c, chart.best_in(waiting_[i], there, needs_[c * rows_.size() + i]));
  }
}

void ChartView::measure_needs(std::size_t cluster) {
  for (const std::uint32_t task : waiting_)
    needs_[cluster * rows_.size() + place_[task]] = chart_->needs(task, cluster);
}

ChartCandidate ChartView::candidate(std::uint32_t task) const {
  const Row& row = rows_[place_[task]];
  return {row.best.complete, row.second,
          std::span(sorted_).subspan(place_[task] * chart_->problem().clusters, row.clusters)};
}

void ChartView::update(std::uint32_t task, std::size_t place, std::size_t cluster, const BestInCluster& now) {
  const std::size_t first = place * chart_->problem().clusters;
  Row& row = rows_[place];
  Time* const sorted = sorted_.data() + first;
  std::uint32_t* const order = order_.data() + first;
  BestInCluster& end = ends_[cluster * rows_.size() + place];
  const Time before = end.first.complete, after = now.first.complete;
  end = now;
  std::uint32_t count = row.clusters, at = count;  // `at`: the place among the sorted ones to fill
  if (before < kNever)
    for (at = 0; order[at] != cluster;) ++at;
  else if (after < kNever)
    ++count;
  if (at + 1 < count && sorted[at + 1] < after) {
    for (; at + 1 < count && sorted[at + 1] < after; ++at)
      sorted[at] = sorted[at + 1], order[at] = order[at + 1];
  } else {
    for (; at > 0 && sorted[at - 1] > after; --at) sorted[at] = sorted[at - 1], order[at] = order[at - 1];
  }
  if (after < kNever)
    sorted[at] = after, order[at] = static_cast<std::uint32_t>(cluster);
  else if (before < kNever)
    --count;
  row.clusters = count;
  const auto apart = [&](std::uint32_t i) {  // from the next one, beyond any tie
    return i + 1 >= count || sorted[i + 1] > sorted[i] + 4 * chart_slack(sorted[i]);
  };
  if (count > 0 && apart(0) && apart(1)) {
    const std::size_t best = order[0];
    const BestInCluster& there = ends_[best * rows_.size() + place];
    row.host = there.host;
    row.best = there.first;
    row.second = count > 1 ? sorted[1] : kNever;
    if (with_second_ && there.next_computed < row.second)
      row.second = std::min(row.second, complete_on_next(task, best, there));
  } else {
    compare_clusters(task, place);
  }
  if (!with_second_) row.second = kNever;
}

// Finds the best cluster when some are nearly equal.
void ChartView::compare_clusters(std::uint32_t task, std::size_t place) {
  const std::size_t clusters = chart_->problem().clusters;
  Row& row = rows_[place];
  row.host = BestInCluster::kNone;
  row.best = {};
  row.second = kNever;
  Time clearly_later = kNever;  // whatever is beyond it is no tie
  for (std::size_t c = 0; c < clusters; ++c) {
    const BestInCluster& here = ends_[c * rows_.size() + place];
    const Time time = here.first.complete;
    if (!(time < kNever)) continue;
    if (!(time > clearly_later) && goes_before(here.first, row.best)) {
      row.second = std::min(row.best.complete, complete_on_next(task, c, here));
      row.best = here.first;
      row.host = here.host;
      clearly_later = time + 4 * chart_slack(time);
    } else {
      row.second = std::min(row.second, time);
    }
  }
}

const ChartTask& ChartView::place(std::uint32_t task, std::uint32_t host) {
  placed_.push_back(chart_->place(task, host));
  waiting_.erase(std::ranges::lower_bound(waiting_, task));
  place_[task] = BestInCluster::kNone;
  const std::uint32_t cluster = chart_->problem().cluster[host];
  if (std::ranges::any_of(placed_.back().transfers,
                          [&](const ChartTransfer& each) { return !each.home && shared_[each.file] != 0; }))
    measure_needs(cluster);
  const Chart::Outlook there = chart_->outlook(cluster);
  const std::size_t first = cluster * rows_.size();
  for (const std::uint32_t other : waiting_) {
    const std::size_t at = place_[other];
    Row& row = rows_[at];
    const Time before = ends_[first + at].first.complete, second = row.second;
    const BestInCluster now = chart_->best_in(other, there, needs_[first + at]);
    update(other, at, cluster, now);
    if (now.first.complete != before || row.second != second) row.changed = placed_.size();
  }
  return placed_.back();
}

ChartChoice choose(const ChartView& view, std::span<const ChartRule::Key> keys, bool largest_first) {
  ChartChoice chosen;
  ChartRule::Key best;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const ChartRule::Key key = keys[i];
    // Most are not better at all. NaN is looked at closely.
    if (!chosen.is_none() && key.second <= best.second &&
        (largest_first ? key.first <= best.first : key.first >= best.first))
      continue;
    const std::uint32_t task = view.waiting()[i];
    if (view.best_host(task) == BestInCluster::kNone) continue;
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

// Scores that differ from the chosen one only by rounding are shown as equal to it.
void show_ties(Comparison& comparison, std::uint32_t chosen) {
  const Comparison::Candidate* const taken = comparison.find(chosen);
  if (taken == nullptr) return;
  const double score = taken->score;
  for (Comparison::Candidate& each : comparison.candidates)
    if (std::isfinite(each.score) && !clearly_less(each.score, score) && !clearly_less(score, each.score))
      each.score = score;
}

}  // namespace

void ChartMapper::explain(const ChartView& view, const ChartPlan&, const ChartChoice& choice,
                          MappingStep& out) const {
  const Chart& chart = view.chart();
  out.number = view.placed().size() + 1;
  out.machine = choice.host;
  out.rule = "its mapper says which task goes where, and not what it compared";
  out.machines = {.score = "completion, s"};
  for (std::uint32_t host = 0; host < chart.problem().hosts(); ++host) {
    Comparison::Candidate candidate{.index = host};
    if (chart.problem().cluster[host] == ChartProblem::kAway) {
      candidate.open = false;
      candidate.note = "down";
    } else if (const Time complete = chart.completion(choice.task, host).complete; complete < kNever) {
      candidate.score = complete;
    } else {
      candidate.open = false;
      candidate.note = "never complete";
    }
    out.machines.candidates.push_back(std::move(candidate));
  }
  show_ties(out.machines, choice.host);
}

void explain_keys(const ChartView& view, std::span<const ChartRule::Key> keys, bool largest_first,
                  std::string_view key_name, const ChartChoice& choice, MappingStep& out) {
  out.rule = fmt::format("the waiting task with the {} {} goes to the host that completes it first",
                         largest_first ? "largest" : "smallest", key_name.substr(0, key_name.find(", ")));
  out.machines.better = Prefer::smallest;
  out.machines.ties = "the earlier end of the computation, then the lowest host";
  out.tasks = {.score = std::string(key_name),
               .better = largest_first ? Prefer::largest : Prefer::smallest,
               .ties = "the larger second key, then the lowest task"};
  const bool second = std::ranges::any_of(keys, [](const ChartRule::Key& key) { return key.second != 0; });
  if (!second) out.tasks.ties = "the lowest task";
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (const std::uint32_t task = view.waiting()[i]; view.best_host(task) != BestInCluster::kNone)
      out.tasks.candidates.push_back({.index = task, .score = keys[i].first});
  show_ties(out.tasks, choice.task);
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
  bool needs_second() const override { return rule_->needs_second(); }
  void explain(const ChartView& view, const ChartPlan& plan, const ChartChoice& choice,
               MappingStep& out) const override {
    ChartMapper::explain(view, plan, choice, out);
    explain_keys(view, keys_, rule_->largest_first(), rule_->key_name(), choice, out);
    if (!eps_) return;
    out.rule += fmt::format("; drawn among those within {} of that, relative, both the host and the task",
                            format_number(*eps_));
    out.tasks.better = out.machines.better = Prefer::neither;
    out.tasks.ties = out.machines.ties = {};
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

}  // namespace perigee::cost
