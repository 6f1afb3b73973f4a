#include "runtime/model/graph_generators.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "runtime/kernel/error.h"
#include "runtime/kernel/math.h"
#include "runtime/kernel/room.h"
#include "runtime/kernel/work.h"

namespace perigee::model {

namespace {

constexpr std::uint64_t kStepsOfTask = 50;  // to name one, see did_work()

void check_count(const char* graph, const char* name, std::uint64_t value, std::uint64_t most) {
  if (value < 1 || value > most)
    fail("bad_parameter", "{}: '{}' must be a whole number from 1 to {}, got {}", graph, name, most, value);
}
// [low, high], or (low, high] where `above`.
void check_range(const char* graph, const char* name, double value, double low, double high,
                 bool above = false) {
  if ((above ? value > low : value >= low) && value <= high && std::isfinite(value)) return;
  fail("bad_parameter", "{}: '{}' must be {} {}{}, got {}", graph, name, above ? "more than" : "at least",
       low, std::isfinite(high) ? fmt::format(" and at most {}", high) : " and finite", value);
}

template <class Generator>
std::uint64_t integer(Generator& rng, std::uint64_t low, std::uint64_t high) {
  return low + rng.below(high - low + 1);
}

TaskGraph tasks_alone(std::uint64_t tasks) {
  will_take(static_cast<double>(tasks) * sizeof(GraphTask),
            [&] { return fmt::format("a graph of {} tasks", tasks); });
  TaskGraph graph;
  graph.tasks.resize(tasks);
  for (std::size_t t = 0; t < tasks; ++t) {
    did_work(kStepsOfTask);
    graph.tasks[t].name = fmt::format("task {}", t + 1);
  }
  return graph;
}

// Beside those that are there.
void will_take_edges(double edges, double more) {
  will_take((edges + more) * sizeof(std::uint32_t),
            [&] { return fmt::format("a graph of {} edges", edges + more); });
}

// Tasks in a row of the numbering.
struct Level {
  std::uint32_t first = 0, size = 0;
};

}  // namespace

template <class Generator>
TaskGraph layered_structure(const LayeredShape& shape, Generator& rng) {
  check_count("layered", "tasks", shape.tasks, kMostGraphTasks);
  check_range("layered", "alpha", shape.alpha, 0, HUGE_VAL, true);
  check_count("layered", "degree", shape.degree, kMostGraphTasks);
  TaskGraph graph = tasks_alone(shape.tasks);
  const auto tasks = static_cast<std::uint32_t>(shape.tasks);
  const double widest = math::ceil(2 * shape.alpha * math::sqrt(tasks)) - 1;
  const auto most = static_cast<std::uint64_t>(std::clamp(widest, 1.0, 0x1p53));
  std::vector<Level> layers{{0, 1}};
  for (std::uint32_t next = 1; next < tasks; next += layers.back().size) {
    const std::uint64_t drawn = integer(rng, 1, most);
    layers.push_back({next, static_cast<std::uint32_t>(std::min<std::uint64_t>(drawn, tasks - next))});
  }
  std::vector<std::uint32_t> lower;
  std::vector<std::uint64_t> swapped;
  double edges = 0;
  for (std::size_t l = 0; l + 1 < layers.size(); ++l) {
    const Level above = layers[l], below = layers[l + 1];
    will_take_edges(edges,
                    above.size * static_cast<double>(std::min<std::uint64_t>(below.size, shape.degree)));
    lower.resize(below.size);
    std::iota(lower.begin(), lower.end(), below.first);
    for (std::uint32_t task = above.first; task < above.first + above.size; ++task) {
      const auto successors = std::min<std::uint64_t>(below.size, integer(rng, 1, shape.degree));
      did_work(kStepsOfTask * successors);
      swapped.clear();
      for (std::uint64_t i = 0; i < successors; ++i) {
        swapped.push_back(integer(rng, i, below.size - 1));
        std::swap(lower[i], lower[swapped.back()]);
        graph.tasks[lower[i]].after.push_back(task);
      }
      for (std::uint64_t i = successors; i-- > 0;) std::swap(lower[i], lower[swapped[i]]);  // in order again
      edges += static_cast<double>(successors);
    }
    for (std::uint32_t task = below.first; task < below.first + below.size; ++task)
      if (auto& after = graph.tasks[task].after; after.empty())
        after.push_back(above.first + static_cast<std::uint32_t>(integer(rng, 0, above.size - 1)));
  }
  return graph;
}

template <class Generator>
TaskGraph levels_structure(const LevelsShape& shape, Generator& rng) {
  check_count("levels", "tasks", shape.tasks, kMostGraphTasks);
  check_range("levels", "fat", shape.fat, 0, 1);
  check_range("levels", "regularity", shape.regularity, 0, 1);
  check_range("levels", "density", shape.density, 0, 1);
  check_count("levels", "jump", shape.jump, kMostGraphTasks);
  TaskGraph graph = tasks_alone(shape.tasks);
  const auto tasks = static_cast<std::uint32_t>(shape.tasks);
  const double width = math::pow(tasks, shape.fat);
  std::vector<Level> levels;
  for (std::uint32_t next = 0; next < tasks; next += levels.back().size) {
    const double drawn = math::floor(width * rng.uniform(shape.regularity, 2 - shape.regularity));
    levels.push_back({next, static_cast<std::uint32_t>(std::clamp<double>(drawn, 1, tasks - next))});
  }
  double edges = 0;
  for (std::size_t l = 1; l < levels.size(); ++l) {
    const double above = levels[l - 1].size;
    will_take_edges(edges, levels[l].size * std::min(above, 1 + shape.density * above));
    for (std::uint32_t task = levels[l].first; task < levels[l].first + levels[l].size; ++task) {
      const double drawn = 1 + math::floor(rng.uniform(0, shape.density * above));
      auto& after = graph.tasks[task].after;
      const auto predecessors = static_cast<std::uint64_t>(std::min(above, drawn));
      did_work(kStepsOfTask * predecessors);
      for (std::uint64_t i = 0; i < predecessors; ++i) {
        const Level level = levels[l - integer(rng, 1, std::min<std::uint64_t>(shape.jump, l))];
        after.push_back(level.first + static_cast<std::uint32_t>(integer(rng, 0, level.size - 1)));
      }
      std::ranges::sort(after);
      after.erase(std::unique(after.begin(), after.end()), after.end());
      edges += static_cast<double>(after.size());
    }
  }
  return graph;
}

void make_edges_files(TaskGraph& graph, std::span<const double> bytes) {
  const std::vector<GraphEdge> edges = edges_of(graph);
  std::vector<Dependency> dependencies;
  dependencies.reserve(edges.size());
  for (std::size_t e = 0; e < edges.size(); ++e)
    dependencies.push_back({edges[e].from, edges[e].to, bytes[e]});
  for (GraphTask& task : graph.tasks) task.after.clear();
  add_dependencies(graph, std::move(dependencies));
}

template <class Generator>
void draw_costs(TaskGraph& graph, const DrawnCosts& costs, Generator& rng) {
  check_count("costs", "hosts", costs.hosts, kMostGraphTasks);
  check_range("costs", "ccr", costs.ccr, 0, HUGE_VAL);
  check_range("costs", "beta", costs.beta, 0, 2);
  check_range("costs", "mean", costs.mean, 0, HUGE_VAL, true);
  will_take_matrix(graph.tasks.size(), costs.hosts);
  graph.form = TimeForm::by_host;
  graph.hosts = costs.hosts;
  graph.times.resize(graph.tasks.size() * costs.hosts);
  for (std::size_t t = 0; t < graph.tasks.size(); ++t) {
    did_work(costs.hosts);
    const double mean = rng.uniform(0, 2 * costs.mean);
    const double low = mean * (1 - costs.beta / 2), high = mean * (1 + costs.beta / 2);
    for (double& time : std::span(graph.times).subspan(t * costs.hosts, costs.hosts))
      time = rng.uniform(low, high);
  }
  std::vector<double> bytes(edges_of(graph).size());
  for (double& each : bytes) each = rng.uniform(0, 2 * costs.mean * costs.ccr);
  make_edges_files(graph, bytes);
}

template TaskGraph layered_structure(const LayeredShape&, Stream&);
template TaskGraph layered_structure(const LayeredShape&, SplitMix64&);
template TaskGraph levels_structure(const LevelsShape&, Stream&);
template TaskGraph levels_structure(const LevelsShape&, SplitMix64&);
template void draw_costs(TaskGraph&, const DrawnCosts&, Stream&);
template void draw_costs(TaskGraph&, const DrawnCosts&, SplitMix64&);

}  // namespace perigee::model
