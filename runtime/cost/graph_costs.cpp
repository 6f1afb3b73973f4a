#include "runtime/cost/graph_costs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "runtime/cost/graph_choice.h"
#include "runtime/kernel/constants.h"
#include "runtime/kernel/error.h"
#include "runtime/kernel/room.h"
#include "runtime/kernel/work.h"

namespace perigee::cost {
namespace {

constexpr std::size_t kNumbersPerStep = 4;  // that are looked at in one step of work

struct Weighted {
  double value, count;
};

// The mean of the middle two, or the middle one, of values that occur so many times.
double weighted_median(std::vector<Weighted>& values) {
  std::ranges::sort(values, {}, &Weighted::value);
  double all = 0;
  for (const Weighted& each : values) all += each.count;
  const auto at = [&](double place) {
    double below = 0;
    for (const Weighted& each : values)
      if ((below += each.count) > place) return each.value;
    return values.back().value;
  };
  const double low = at(std::floor((all - 1) / 2)), high = at(std::floor(all / 2));
  return low == high ? low : (low + high) / 2;
}

double weighted_mean(std::span<const Weighted> values, GraphMean how, std::vector<Weighted>& room) {
  if (values.empty()) return kInfinity;
  if (how == GraphMean::median) {
    room.assign(values.begin(), values.end());
    return weighted_median(room);
  }
  if (how == GraphMean::best) return std::ranges::min_element(values, {}, &Weighted::value)->value;
  if (how == GraphMean::worst) return std::ranges::max_element(values, {}, &Weighted::value)->value;
  double sum = 0, count = 0;
  for (const Weighted& each : values) {
    sum += each.value * each.count;
    count += each.count;
  }
  return sum / count;
}

// Four sums side by side, which does not wait for each addition.
double sum_of_row(const double* values, std::size_t count) {
  std::array<double, 4> sums{};
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4)
    for (std::size_t k = 0; k < 4; ++k) sums[k] += values[i + k];
  for (; i < count; ++i) sums[0] += values[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace

GraphMean graph_mean_of(std::string_view name) {
  static const std::vector<std::string> names = {"mean", "median", "best", "worst", "none"};
  const auto found = std::ranges::find(names, name);
  if (found == names.end())
    fail("bad_value", "there is no mean '{}'{}; there are {}", name, did_you_mean(name, names),
         fmt::join(names, ", "));
  return static_cast<GraphMean>(found - names.begin());
}

GraphCosts::GraphCosts(const GraphProblem& problem)
    : problem_(problem),
      order_(problem.arcs.precedence().order()),
      placeable_(problem.placeable()),
      machines_of_kind_(problem.kinds(), 0),
      machines_of_cluster_(problem.clusters(), 0) {
  for (std::size_t m = 0; m < problem.machines; ++m) {
    ++machines_of_kind_[problem.kind[m]];
    ++machines_of_cluster_[problem.cluster[m]];
  }
  const auto count = static_cast<double>(problem.machines);
  pairs_ = count * (count - 1);
  pairs_apart_ = count * count;
  for (const double each : machines_of_cluster_) pairs_apart_ -= each * each;
  const GraphNetwork& network = problem.network;
  if (pairs_apart_ == 0) return;
  if (network.is_uniform()) return;
  const std::size_t clusters = machines_of_cluster_.size();
  did_work(clusters * clusters);
  double latency = 0, slowness = 0, bandwidth = 0;
  for (std::size_t a = 0; a < clusters; ++a)
    for (std::size_t b = 0; b < clusters; ++b) {
      if (a == b) continue;
      const double pairs = machines_of_cluster_[a] * machines_of_cluster_[b];
      latency += pairs * network.latency(a, b);
      slowness += pairs / network.bandwidth(a, b);
      bandwidth += pairs * network.bandwidth(a, b);
    }
  mean_latency_ = latency / pairs_;
  mean_slowness_ = slowness / pairs_;
  latency_apart_ = latency / pairs_apart_;
  bandwidth_apart_ = bandwidth / pairs_apart_;
}

template <class Make>
const std::vector<double>& GraphCosts::kept(Kind kind, const RankOptions& options, Make&& make) const {
  for (const Kept& each : kept_)
    if (each.kind == kind && each.options == options) return *each.values;
  auto values = std::make_unique<const std::vector<double>>(make());
  kept_.push_back({kind, options, std::move(values)});
  return *kept_.back().values;
}

const std::vector<double>& GraphCosts::mean_times(GraphMean how) const {
  return kept(Kind::mean_time, {.computation = how}, [&] {
    std::vector<double> values(tasks(), 0);
    if (how == GraphMean::none) return values;
    const std::size_t kinds = machines_of_kind_.size();
    did_work(tasks() * (1 + kinds / kNumbersPerStep));
    std::vector<Weighted> able, room;
    const bool is_row = !problem_.is_related() && problem_.kind.is_each_its_own() && how == GraphMean::mean;
    for (std::size_t t = 0; t < tasks(); ++t) {
      if (is_row) {
        values[t] = sum_of_row(problem_.times.data() + t * kinds, kinds) / static_cast<double>(kinds);
        if (values[t] < kInfinity) continue;
      }
      able.clear();
      for (std::size_t k = 0; k < kinds; ++k)
        if (const double time = problem_.time_of_kind(t, k); time < kInfinity && machines_of_kind_[k] > 0)
          able.push_back({time, machines_of_kind_[k]});
      values[t] = weighted_mean(able, how, room);
    }
    return values;
  });
}

double GraphCosts::mean_over_pairs(const GraphArc& arc, GraphMean how) const {
  const std::size_t clusters = machines_of_cluster_.size();
  std::vector<Weighted> values;
  if (pairs_ > pairs_apart_) values.push_back({0, pairs_ - pairs_apart_});
  const GraphNetwork& network = problem_.network;
  if (network.is_uniform()) {
    if (pairs_apart_ > 0) values.push_back({network.arrival(0, arc.bytes, 0, 0), pairs_apart_});
  } else {
    did_work(clusters * clusters);
    for (std::size_t a = 0; a < clusters; ++a)
      for (std::size_t b = 0; b < clusters; ++b)
        if (a != b && machines_of_cluster_[a] * machines_of_cluster_[b] > 0)
          values.push_back(
              {network.arrival(0, arc.bytes, a, b), machines_of_cluster_[a] * machines_of_cluster_[b]});
  }
  std::vector<Weighted> room;
  return weighted_mean(values, how, room);
}

double GraphCosts::mean_transfer(const GraphArc& arc, GraphMean how, bool rates) const {
  if (!arc.has_data || how == GraphMean::none || pairs_apart_ <= 0) return 0;
  if (how != GraphMean::mean) return mean_over_pairs(arc, how);
  if (problem_.network.is_uniform())
    return problem_.network.arrival(0, arc.bytes, 0, 0) * (pairs_apart_ / pairs_);
  if (rates) return (latency_apart_ + arc.bytes / bandwidth_apart_) * (pairs_apart_ / pairs_);
  return mean_latency_ + arc.bytes * mean_slowness_;
}

const std::vector<double>& GraphCosts::upward_rank(const RankOptions& options) const {
  return kept(Kind::upward_rank, options, [&] {
    const std::vector<double>& time = mean_times(options.computation);
    std::vector<double> rank(tasks(), kInfinity);
    did_work(tasks() + problem_.arcs.precedence().edges());
    for (std::size_t i = order_.size(); i-- > 0;) {
      const std::uint32_t task = order_[i];
      double longest = 0;
      for (const GraphArc& arc : problem_.arcs.behind(task))
        if (placeable(arc.task))
          longest =
              std::max(longest, mean_transfer(arc, options.communication, options.rates) + rank[arc.task]);
      if (placeable(task)) rank[task] = time[task] + longest;
    }
    return rank;
  });
}

const std::vector<double>& GraphCosts::downward_rank(const RankOptions& options) const {
  return kept(Kind::downward_rank, options, [&] {
    const std::vector<double>& time = mean_times(options.computation);
    std::vector<double> rank(tasks(), kInfinity);
    did_work(tasks() + problem_.arcs.precedence().edges());
    for (const std::uint32_t task : order_) {
      if (!placeable(task)) continue;
      rank[task] = 0;
      for (const GraphArc& arc : problem_.arcs.before(task))
        rank[task] = std::max(rank[task], rank[arc.task] + time[arc.task] +
                                              mean_transfer(arc, options.communication, options.rates));
    }
    return rank;
  });
}

double GraphCosts::longest(const RankOptions& options) const {
  const std::vector<double>& rank = upward_rank(options);
  double longest = 0;
  for (std::size_t t = 0; t < tasks(); ++t)
    if (placeable(t)) longest = std::max(longest, rank[t]);
  return longest;
}

const std::vector<double>& GraphCosts::alap(const RankOptions& options) const {
  return kept(Kind::alap, options, [&] {
    const double end = longest(options);
    std::vector<double> latest = upward_rank(options);
    for (std::size_t t = 0; t < tasks(); ++t) latest[t] = placeable(t) ? end - latest[t] : kInfinity;
    return latest;
  });
}

const std::vector<double>& GraphCosts::path_length(const RankOptions& options) const {
  return kept(Kind::path_length, options, [&] {
    std::vector<double> sum = upward_rank(options);
    const std::vector<double>& down = downward_rank(options);
    for (std::size_t t = 0; t < tasks(); ++t) sum[t] += down[t];
    return sum;
  });
}

CriticalPath GraphCosts::critical_path(const RankOptions& options) const {
  const std::vector<double>& sum = path_length(options);
  CriticalPath path;
  const std::size_t entry = first_least(tasks(), [&](std::size_t task) {
    return placeable(task) && problem_.arcs.before(task).empty() ? -sum[task] : kInfinity;
  });
  if (entry == kNoChoice) return path;
  path.length = sum[entry];
  path.tasks.push_back(static_cast<std::uint32_t>(entry));
  for (;;) {
    const std::span<const GraphArc> next = problem_.arcs.behind(path.tasks.back());
    const auto found = std::ranges::find_if(
        next, [&](const GraphArc& arc) { return placeable(arc.task) && alike(sum[arc.task], path.length); });
    if (found == next.end()) return path;
    path.tasks.push_back(found->task);
  }
}

std::vector<double> GraphCosts::sub_deadlines(double deadline, const RankOptions& options) const {
  const std::vector<double>&rank = upward_rank(options), &time = mean_times(options.computation);
  std::vector<double> deadlines(tasks(), deadline);
  for (std::size_t t = 0; t < tasks(); ++t)
    if (placeable(t)) deadlines[t] = deadline - (rank[t] - time[t]);
  return deadlines;
}

std::uint32_t GraphCosts::fastest_for(std::span<const std::uint32_t> tasks) const {
  std::vector<double> sum(machines(), 0), room;
  for (const std::uint32_t task : tasks) {
    const double* const time = problem_.times_of(task, room);
    for (std::size_t m = 0; m < sum.size(); ++m) sum[m] += time[m];
  }
  const std::size_t machine = first_least(sum);
  return machine == kNoChoice ? kUnmapped : static_cast<std::uint32_t>(machine);
}

std::span<const double> GraphCosts::oct() const {
  const std::size_t width = machines();
  if (!oct_.empty() || tasks() == 0) return oct_;
  will_take(static_cast<double>(tasks() * width * sizeof(double)), [&] {
    return fmt::format("a table of optimistic costs of {} tasks on {} machines", tasks(), width);
  });
  oct_.assign(tasks() * width, 0);
  std::vector<double> room, least(tasks(), kInfinity);  // of OCT + time, over all machines
  for (std::size_t i = order_.size(); i-- > 0;) {
    const std::uint32_t task = order_[i];
    double* const row = oct_.data() + task * width;
    for (const GraphArc& arc : problem_.arcs.behind(task)) {
      if (!placeable(arc.task)) continue;
      did_work(1 + width / kNumbersPerStep);
      const double elsewhere = least[arc.task] + mean_transfer(arc);
      const double* const next = oct_.data() + arc.task * width;
      const double* const time = problem_.times_of(arc.task, room);
      for (std::size_t p = 0; p < width; ++p) {
        const double here = next[p] + time[p];
        const double best = elsewhere < here ? elsewhere : here;
        row[p] = row[p] < best ? best : row[p];
      }
    }
    const double* const time = problem_.times_of(task, room);
    for (std::size_t p = 0; p < width; ++p) least[task] = std::min(least[task], row[p] + time[p]);
  }
  return oct_;
}

std::span<const double> GraphCosts::bil() const {
  const std::size_t width = machines();
  if (!bil_.empty() || tasks() == 0) return bil_;
  will_take(static_cast<double>(tasks() * width * sizeof(double)),
            [&] { return fmt::format("the levels of {} tasks on {} machines", tasks(), width); });
  bil_.assign(tasks() * width, 0);
  std::vector<double> room, least(tasks(), kInfinity);
  for (std::size_t i = order_.size(); i-- > 0;) {
    const std::uint32_t task = order_[i];
    double* const row = bil_.data() + task * width;
    for (const GraphArc& arc : problem_.arcs.behind(task)) {
      if (!placeable(arc.task)) continue;
      did_work(1 + width / kNumbersPerStep);
      const double elsewhere = least[arc.task] + mean_transfer(arc);
      const double* const next = bil_.data() + arc.task * width;
      for (std::size_t p = 0; p < width; ++p) row[p] = std::max(row[p], std::min(next[p], elsewhere));
    }
    const double* const time = problem_.times_of(task, room);
    for (std::size_t p = 0; p < width; ++p) {
      row[p] += time[p];
      least[task] = std::min(least[task], row[p]);
    }
  }
  return bil_;
}

const std::vector<double>& GraphCosts::mean_oct() const {
  return kept(Kind::mean_oct, {}, [&] {
    const std::span<const double> table = oct();
    const std::size_t width = machines();
    std::vector<double> mean(tasks(), kInfinity), room;
    for (std::size_t t = 0; t < tasks(); ++t) {
      if (!placeable(t)) continue;
      const double* const time = problem_.times_of(t, room);
      double sum = 0, able = 0;
      for (std::size_t p = 0; p < width; ++p) {
        if (!(time[p] < kInfinity)) continue;
        sum += table[t * width + p];
        ++able;
      }
      mean[t] = sum / able;
    }
    return mean;
  });
}

}  // namespace perigee::cost
