#include "runtime/model/graph_structures.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "runtime/kernel/error.h"
#include "runtime/kernel/room.h"
#include "runtime/kernel/work.h"

namespace perigee::model {

namespace {

void check_size(const char* graph, const char* name, std::uint64_t value, std::uint64_t least) {
  if (value < least || value > kMostGraphTasks)
    fail("bad_parameter", "{}: '{}' must be a whole number from {} to {}, got {}", graph, name, least,
         kMostGraphTasks, value);
}

// A structure that grows task by task.
class Structure {
 public:
  // The counts are those in closed form, as doubles because they may be far too large.
  Structure(const char* graph, double tasks, double edges) {
    if (tasks > static_cast<double>(kMostGraphTasks))
      fail("bad_parameter", "{}: a graph has at most {} tasks, got {}", graph, kMostGraphTasks, tasks);
    if (edges > static_cast<double>(kMostGraphEdges))
      fail("bad_parameter", "{}: a graph has at most {} edges, got {}", graph, kMostGraphEdges, edges);
    will_take(tasks * sizeof(GraphTask) + edges * sizeof(std::uint32_t),
              [&] { return fmt::format("a graph of {} tasks and {} edges", tasks, edges); });
    graph_.tasks.reserve(static_cast<std::size_t>(tasks));
  }

  // "potrf" or "gemm 3,2,1". The answer is its number.
  std::uint32_t add(const char* category, std::initializer_list<std::uint64_t> place = {},
                    std::vector<std::uint32_t> after = {}) {
    did_work(kStepsOfOne);
    std::string name = category;
    for (const std::uint64_t& number : place)
      name += fmt::format("{}{}", &number == place.begin() ? ' ' : ',', number);
    const auto task = static_cast<std::uint32_t>(graph_.tasks.size());
    graph_.tasks.push_back({.name = std::move(name), .category = category, .after = std::move(after)});
    return task;
  }
  void edge(std::uint32_t from, std::uint32_t to) { graph_.tasks[to].after.push_back(from); }
  TaskGraph take() {
    for (GraphTask& task : graph_.tasks) std::ranges::sort(task.after);
    return std::move(graph_);
  }

 private:
  static constexpr std::uint64_t kStepsOfOne = 50;
  TaskGraph graph_;
};

// Who wrote each tile of a square matrix last.
class Tiles {
 public:
  explicit Tiles(std::uint64_t size) : size_(size), writer_(size * size, kNone) {}
  std::vector<std::uint32_t> writers(std::initializer_list<std::pair<std::uint64_t, std::uint64_t>> tiles) {
    std::vector<std::uint32_t> found;
    for (const auto& [row, column] : tiles)
      if (const std::uint32_t writer = at(row, column); writer != kNone) found.push_back(writer);
    return found;
  }
  std::uint32_t& at(std::uint64_t row, std::uint64_t column) {
    return writer_[(row - 1) * size_ + column - 1];
  }

 private:
  std::uint64_t size_;
  std::vector<std::uint32_t> writer_;
};

double tree_size(std::uint64_t branching, std::uint64_t depth) {
  double level = 1, tasks = 1;
  for (std::uint64_t d = 0; d < depth && tasks <= static_cast<double>(kMostGraphTasks); ++d)
    tasks += level *= static_cast<double>(branching);
  return tasks;
}

TaskGraph tree(const char* graph, std::uint64_t branching, std::uint64_t depth, bool root_first) {
  check_size(graph, "branching", branching, 2);
  check_size(graph, "depth", depth, 0);
  const double size = tree_size(branching, depth);
  Structure structure(graph, size, size - 1);
  const auto tasks = static_cast<std::uint32_t>(size);
  for (std::uint32_t t = 0; t < tasks; ++t) structure.add("task", {t + std::uint64_t{1}});
  for (std::uint32_t child = 1; child < tasks; ++child) {
    const auto parent = static_cast<std::uint32_t>((child - 1) / branching);
    if (root_first)
      structure.edge(parent, child);
    else
      structure.edge(tasks - 1 - child, tasks - 1 - parent);
  }
  return structure.take();
}

}  // namespace

TaskGraph chain_structure(std::uint64_t tasks) {
  check_size("chain", "tasks", tasks, 1);
  Structure structure("chain", static_cast<double>(tasks), static_cast<double>(tasks - 1));
  for (std::uint32_t t = 0; t < tasks; ++t) {
    structure.add("task", {t + std::uint64_t{1}});
    if (t > 0) structure.edge(t - 1, t);
  }
  return structure.take();
}

TaskGraph fork_join_structure(std::uint64_t width, std::uint64_t stages) {
  check_size("fork_join", "width", width, 1);
  check_size("fork_join", "stages", stages, 1);
  const auto w = static_cast<double>(width), s = static_cast<double>(stages);
  Structure structure("fork_join", s * (w + 1) + 1, 2 * w * s);
  std::uint32_t fork = structure.add("fork");
  for (std::uint64_t stage = 1; stage <= stages; ++stage) {
    std::vector<std::uint32_t> works;
    for (std::uint64_t i = 1; i <= width; ++i) works.push_back(structure.add("work", {stage, i}, {fork}));
    fork = structure.add("join", {stage}, std::move(works));
  }
  return structure.take();
}

TaskGraph out_tree_structure(std::uint64_t branching, std::uint64_t depth) {
  return tree("out_tree", branching, depth, true);
}
TaskGraph in_tree_structure(std::uint64_t branching, std::uint64_t depth) {
  return tree("in_tree", branching, depth, false);
}

TaskGraph stencil_structure(std::uint64_t rows, std::uint64_t columns) {
  check_size("stencil", "rows", rows, 1);
  check_size("stencil", "columns", columns, 1);
  const auto r = static_cast<double>(rows), c = static_cast<double>(columns);
  Structure structure("stencil", r * c, 2 * r * c - r - c);
  for (std::uint64_t row = 1; row <= rows; ++row)
    for (std::uint64_t column = 1; column <= columns; ++column) {
      const std::uint32_t cell = structure.add("cell", {row, column});
      if (row > 1) structure.edge(static_cast<std::uint32_t>(cell - columns), cell);
      if (column > 1) structure.edge(cell - 1, cell);
    }
  return structure.take();
}

TaskGraph gaussian_structure(std::uint64_t size) {
  check_size("gaussian", "size", size, 2);
  const auto s = static_cast<double>(size);
  Structure structure("gaussian", (s * s + s - 2) / 2, s * (s - 1) - 1);
  std::vector<std::uint32_t> column(size + 1, kNone);  // the task that changed it last
  for (std::uint64_t k = 1; k < size; ++k) {
    const std::uint32_t pivot = structure.add("pivot", {k});
    if (k > 1) structure.edge(column[k], pivot);
    for (std::uint64_t j = k + 1; j <= size; ++j) {
      const std::uint32_t update = structure.add("update", {k, j}, {pivot});
      if (k > 1) structure.edge(column[j], update);
      column[j] = update;
    }
  }
  return structure.take();
}

TaskGraph fft_structure(std::uint64_t points) {
  check_size("fft", "points", points, 2);
  if (!std::has_single_bit(points))
    fail("bad_parameter", "fft: 'points' must be a power of two, got {}", points);
  const int stages = std::countr_zero(points);
  const auto p = static_cast<double>(points);
  Structure structure("fft", 2 * p - 1 + p * stages, 2 * p - 2 + 2 * p * stages);
  const auto width = static_cast<std::uint32_t>(points);
  for (std::uint32_t call = 0; call < 2 * width - 1; ++call) {
    structure.add("call", {call + std::uint64_t{1}});
    if (call > 0) structure.edge((call - 1) / 2, call);
  }
  std::uint32_t before = width - 1;  // the first of the stage before: the leaves of the tree
  for (int stage = 1; stage <= stages; ++stage) {
    const std::uint32_t partner = std::uint32_t{1} << (stage - 1);
    for (std::uint32_t i = 0; i < width; ++i)
      structure.add("butterfly", {static_cast<std::uint64_t>(stage), i + std::uint64_t{1}},
                    {before + i, before + (i ^ partner)});
    before += width;
  }
  return structure.take();
}

TaskGraph cholesky_structure(std::uint64_t tiles) {
  check_size("cholesky", "tiles", tiles, 1);
  const auto t = static_cast<double>(tiles);
  Structure structure("cholesky", t * (t + 1) * (t + 2) / 6,
                      (t - 1) + t * (t - 1) + (t - 1) * (t - 2) + t * (t - 1) * (t - 2) / 3 +
                          (t - 1) * (t - 2) * (t - 3) / 6);
  Tiles tile(tiles);
  for (std::uint64_t k = 1; k <= tiles; ++k) {
    tile.at(k, k) = structure.add("potrf", {k}, tile.writers({{k, k}}));
    for (std::uint64_t i = k + 1; i <= tiles; ++i)
      tile.at(i, k) = structure.add("trsm", {i, k}, tile.writers({{k, k}, {i, k}}));
    for (std::uint64_t i = k + 1; i <= tiles; ++i) {
      tile.at(i, i) = structure.add("syrk", {i, k}, tile.writers({{i, k}, {i, i}}));
      for (std::uint64_t j = k + 1; j < i; ++j)
        tile.at(i, j) = structure.add("gemm", {i, j, k}, tile.writers({{i, k}, {j, k}, {i, j}}));
    }
  }
  return structure.take();
}

TaskGraph lu_structure(std::uint64_t tiles) {
  check_size("lu", "tiles", tiles, 1);
  const auto t = static_cast<double>(tiles);
  Structure structure("lu", t * (t + 1) * (2 * t + 1) / 6,
                      (t - 1) + t * (t - 1) + (t - 1) * (t - 2) + (t - 1) * t * (2 * t - 1) / 3 +
                          (t - 2) * (t - 1) * (2 * t - 3) / 6);
  Tiles tile(tiles);
  for (std::uint64_t k = 1; k <= tiles; ++k) {
    tile.at(k, k) = structure.add("getrf", {k}, tile.writers({{k, k}}));
    for (std::uint64_t i = k + 1; i <= tiles; ++i)
      tile.at(i, k) = structure.add("lower", {i, k}, tile.writers({{k, k}, {i, k}}));
    for (std::uint64_t j = k + 1; j <= tiles; ++j)
      tile.at(k, j) = structure.add("upper", {k, j}, tile.writers({{k, k}, {k, j}}));
    for (std::uint64_t i = k + 1; i <= tiles; ++i)
      for (std::uint64_t j = k + 1; j <= tiles; ++j)
        tile.at(i, j) = structure.add("gemm", {i, j, k}, tile.writers({{i, k}, {k, j}, {i, j}}));
  }
  return structure.take();
}

TaskGraph montage_structure(std::uint64_t rows, std::uint64_t columns) {
  check_size("montage", "rows", rows, 1);
  check_size("montage", "columns", columns, 1);
  const auto r = static_cast<double>(rows), c = static_cast<double>(columns);
  const double overlaps = 4 * r * c - 3 * r - 3 * c + 2;
  Structure structure("montage", 2 * r * c + overlaps + 5, 3 * overlaps + 4 * r * c + 3);
  const auto images = static_cast<std::uint32_t>(rows * columns);
  for (std::uint64_t row = 1; row <= rows; ++row)
    for (std::uint64_t column = 1; column <= columns; ++column) structure.add("project", {row, column});
  std::vector<std::uint32_t> diffs, backgrounds;
  const auto diff = [&](std::uint32_t image, std::uint32_t other) {
    diffs.push_back(structure.add("diff", {diffs.size() + 1}, {image, other}));
  };
  const auto width = static_cast<std::uint32_t>(columns);
  for (std::uint32_t image = 0; image < images; ++image) {
    const bool right = (image + 1) % width != 0, left = image % width != 0, below = image + width < images;
    if (right) diff(image, image + 1);
    if (below) diff(image, image + width);
    if (below && right) diff(image, image + width + 1);
    if (below && left) diff(image, image + width - 1);
  }
  const std::uint32_t concat = structure.add("concat", {}, std::move(diffs));
  const std::uint32_t model = structure.add("model", {}, {concat});
  for (std::uint32_t image = 0; image < images; ++image)
    backgrounds.push_back(structure.add(
        "background", {image / width + std::uint64_t{1}, image % width + std::uint64_t{1}}, {image, model}));
  const std::uint32_t table = structure.add("table", {}, backgrounds);
  backgrounds.push_back(table);
  const std::uint32_t add = structure.add("add", {}, std::move(backgrounds));
  structure.add("view", {}, {add});
  return structure.take();
}

}  // namespace perigee::model
