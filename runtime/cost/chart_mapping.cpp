// Source: Berman et al., LIP RR 1999-46, section 5.6.3, see the header.
#include "runtime/cost/chart_mapping.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ranges>
#include <utility>

#include "runtime/kernel/clone_ptr.h"
#include "runtime/kernel/quantity.h"

namespace perigee::cost {

ChartView::ChartView(Chart& chart, std::vector<std::uint32_t> tasks, bool with_second)
    : chart_(&chart),
      with_second_(with_second),
      waiting_(std::move(tasks)),
      place_(chart.problem().tasks(), BestInCluster::kNone),
      used_(chart.problem().clusters),
      rows_(waiting_.size()),
      ends_(waiting_.size() * chart.problem().clusters),
      found_(ends_.size()),
      sorted_(ends_.size()),
      order_(ends_.size()) {
  for (std::size_t i = 0; i < waiting_.size(); ++i) place_[waiting_[i]] = static_cast<std::uint32_t>(i);
  for (std::size_t c = 0; c < chart.problem().clusters; ++c) outlooks_.push_back(chart.outlook(c));
}

ChartCandidate ChartView::candidate(std::uint32_t task) const {
  const Row& row = row_of(task);
  return {row.best.complete, row.second,
          std::span(sorted_).subspan(place_[task] * chart_->problem().clusters, row.clusters)};
}

void ChartView::bring_up_to_date(std::uint32_t task) const {
  Row& row = rows_[place_[task]];
  const std::size_t uses = placed_.size() + 1 - row.seen;
  if (row.seen == 0 || uses > used_.size()) {
    for (std::size_t c = 0; c < used_.size(); ++c) look_at(task, c);
  } else {
    for (std::size_t i = row.seen; i <= placed_.size(); ++i)
      if (const std::uint32_t c = chart_->problem().cluster[placed_[i - 1].host]; used_[c] == i)
        look_at(task, c);
  }
  row.seen = placed_.size() + 1;
}

void ChartView::refresh() const {
  for (std::size_t c = 0; c < used_.size(); ++c)
    if (used_[c] >= refreshed_)
      for (const std::uint32_t task : waiting_) look_at(task, c);
  refreshed_ = placed_.size() + 1;
  for (const std::uint32_t task : waiting_) rows_[place_[task]].seen = placed_.size() + 1;
}

const BestInCluster& ChartView::in_cluster(std::uint32_t task, std::size_t cluster) const {
  const std::size_t at = cluster * rows_.size() + place_[task];
  if (used_[cluster] >= found_[at]) {
    ends_[at] = chart_->best_in(task, outlooks_[cluster]);
    found_[at] = placed_.size() + 1;
  }
  return ends_[at];
}

ChartCandidate ChartView::candidate_in(std::uint32_t task, std::span<const std::uint32_t> clusters) const {
  few_.clear();
  for (const std::uint32_t cluster : clusters)
    if (const Time time = in_cluster(task, cluster).first.complete; time < kNever) few_.push_back(time);
  std::ranges::sort(few_);
  Row row;
  compare(task, clusters, row);
  return {row.best.complete, with_second_ ? row.second : kNever, few_};
}

// Brings a row up to date with the last use of the cluster, if it is not.
void ChartView::look_at(std::uint32_t task, std::size_t cluster) const {
  const std::size_t place = place_[task];
  if (used_[cluster] >= rows_[place].seen) update(task, place, cluster, in_cluster(task, cluster));
}

const ChartBlocks& ChartView::blocks() const {
  if (!blocks_) blocks_.emplace(*chart_, waiting_);
  blocks_->refresh(*chart_, outlooks_, placed_);
  return *blocks_;
}

void ChartView::update(std::uint32_t task, std::size_t place, std::size_t cluster,
                       const BestInCluster& now) const {
  const std::size_t first = place * chart_->problem().clusters;
  Row& row = rows_[place];
  Time* const sorted = sorted_.data() + first;
  std::uint32_t* const order = order_.data() + first;
  const Time after = now.first.complete, second = row.second;
  std::uint32_t count = row.clusters, at = 0;  // `at`: the place among the sorted ones to fill
  while (at < count && order[at] != cluster) ++at;
  const Time before = at < count ? sorted[at] : kNever;
  if (at == count && after < kNever) ++count;
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
    compare(task, std::views::iota(std::size_t{0}, chart_->problem().clusters), row);
  }
  if (!with_second_) row.second = kNever;
  if (row.seen == 0)
    row.changed = placed_.size();
  else if (after != before || row.second != second)
    row.changed = std::max(row.changed, used_[cluster]);
}

// Finds the best of the clusters, also when some are nearly equal.
template <class Clusters>
void ChartView::compare(std::uint32_t task, const Clusters& clusters, Row& row) const {
  row.host = BestInCluster::kNone;
  row.best = {};
  row.second = kNever;
  Time clearly_later = kNever;  // whatever is beyond it is no tie
  for (const std::size_t c : clusters) {
    const BestInCluster& here = ends_[c * rows_.size() + place_[task]];
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
  used_[cluster] = placed_.size();
  outlooks_[cluster] = chart_->outlook(cluster);
  return placed_.back();
}

namespace {

struct TaskKey {
  std::uint32_t task;
  ChartRule::Key key;
};

// The task that the rule prefers; they come in their order, and there is one.
std::uint32_t first_of(std::span<const TaskKey> tasks, bool largest_first) {
  const TaskKey* best = &tasks.front();
  for (const TaskKey& each : tasks) {
    const ChartRule::Key key = each.key, most = best->key;
    // Most are not better at all. NaN is looked at closely.
    if (key.second <= most.second && (largest_first ? key.first <= most.first : key.first >= most.first))
      continue;
    const auto goes_before = [&](double a, double b) {
      return largest_first ? clearly_less(b, a) : clearly_less(a, b);
    };
    if (goes_before(key.first, most.first) ||
        (!goes_before(most.first, key.first) && clearly_less(most.second, key.second)))
      best = &each;
  }
  return best->task;
}

}  // namespace

ChartChoice choose(const ChartView& view, std::span<const ChartRule::Key> keys, bool largest_first) {
  std::vector<TaskKey> tasks;
  tasks.reserve(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (const std::uint32_t task = view.waiting()[i]; view.best_host(task) != BestInCluster::kNone)
      tasks.push_back({task, keys[i]});
  if (tasks.empty()) return {};
  const std::uint32_t task = first_of(tasks, largest_first);
  return {task, view.best_host(task)};
}

namespace {

// The tasks that were looked at for the one that goes first.
struct Foremost {
  bool largest_first;
  std::vector<TaskKey> known = {};
  ChartRule::Key best = {};  // the foremost first key, and the largest second one with it

  bool is_first(double a, double b) const { return largest_first ? b < a : a < b; }
  // Keys that are so far apart are no tie, and other keys that tie may be between them.
  static double far(double key) { return 64 * kChartTolerance * std::max(1.0, std::abs(key)); }

  void meet(std::uint32_t task, const ChartRule::Key& key) {
    if (known.empty() || is_first(key.first, best.first) ||
        (key.first == best.first && key.second > best.second))
      best = key;
    known.push_back({task, key});
  }
  // No task within the bound changes the choice.
  bool is_beyond(const ChartRule::Key& bound) const {
    if (known.empty()) return false;
    if (bound.first == best.first) return bound.second < best.second - far(best.second);
    return is_first(best.first, bound.first) && std::abs(bound.first - best.first) > far(best.first);
  }
  // Leaves the keys from the foremost one to the first gap that no tie bridges. False if there is none nearby.
  template <class KeyOf>
  bool cut(KeyOf key_of) {
    std::ranges::sort(known,
                      [&](const TaskKey& a, const TaskKey& b) { return is_first(key_of(a), key_of(b)); });
    const double first = key_of(known.front()), gap = far(first) / 16;
    std::size_t kept = 1;
    while (kept < known.size() && std::abs(key_of(known[kept]) - key_of(known[kept - 1])) <= gap) ++kept;
    const bool near = std::abs(key_of(known[kept - 1]) - first) <= far(first) - gap;
    known.resize(kept);
    return near;
  }
};

}  // namespace

ChartChoice choose(const ChartView& view, const CandidateRule& rule) {
  constexpr std::size_t kFew = 512;  // tasks, for which blocks do not pay
  if (view.waiting().size() < kFew) return choose(view, rule.keys(view), rule.largest_first());
  return choose_by_bounds(view, rule);
}

ChartChoice choose_by_bounds(const ChartView& view, const CandidateRule& rule) {
  const ChartBlocks& blocks = view.blocks();
  struct Bound {
    ChartRule::Key key;
    std::size_t block;
  };
  Foremost foremost{rule.largest_first()};
  const auto comes_later = [&](const Bound& a, const Bound& b) {
    return a.key.first != b.key.first ? foremost.is_first(b.key.first, a.key.first)
                                      : a.key.second < b.key.second;
  };
  std::vector<Bound> bounds;
  std::vector<std::uint32_t> clusters;
  for (std::size_t b = 0; b < blocks.size(); ++b)
    if (!blocks.tasks(b).empty()) bounds.push_back({rule.foremost(blocks.bounds(b)), b});
  std::ranges::make_heap(bounds, comes_later);
  for (; !bounds.empty() && !foremost.is_beyond(bounds.front().key); bounds.pop_back()) {
    const std::size_t block = bounds.front().block;
    blocks.first_clusters(block, rule.first_clusters(), clusters);
    for (const std::uint32_t task : blocks.tasks(block)) {
      const bool all = clusters.size() == view.chart().problem().clusters;
      const ChartCandidate candidate = all ? view.candidate(task) : view.candidate_in(task, clusters);
      if (candidate.best < kNever) foremost.meet(task, rule.key(candidate));
    }
    std::ranges::pop_heap(bounds, comes_later);
  }
  auto& known = foremost.known;
  if (known.empty()) return {};
  bool clear = foremost.cut([](const TaskKey& each) { return each.key.first; });
  if (std::ranges::any_of(known, [](const TaskKey& each) { return each.key.second != 0; })) {
    foremost.largest_first = true;
    clear = clear && foremost.cut([](const TaskKey& each) { return each.key.second; });
  }
  if (!clear) return choose(view, rule.keys(view), rule.largest_first());
  std::ranges::sort(known, {}, &TaskKey::task);
  const std::uint32_t task = first_of(known, rule.largest_first());
  return {task, view.best_host(task)};
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
    keys_.clear();
    if (const CandidateRule* rule = eps_ ? nullptr : rule_->of_candidates()) return choose(view, *rule);
    rule_->keys(view, plan, stream, keys_);
    const bool largest = rule_->largest_first();
    return eps_ ? draw(view, keys_, largest, *eps_, stream) : choose(view, keys_, largest);
  }
  bool needs_second() const override { return rule_->needs_second(); }
  void explain(const ChartView& view, const ChartPlan& plan, const ChartChoice& choice,
               MappingStep& out) const override {
    ChartMapper::explain(view, plan, choice, out);
    const CandidateRule* rule = rule_->of_candidates();
    explain_keys(view, rule != nullptr ? rule->keys(view) : keys_, rule_->largest_first(), rule_->key_name(),
                 choice, out);
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
