// Min-min: maps the waiting task with the smallest best completion time first.
//
// Source: Ibarra and Kim, JACM 24(2), 1977; Braun et al., JPDC 61(6), 2001, pp. 810-837; form = "sorted" is
// Algorithm 1 of the IRMaSim thesis. Cost: O(T M log T), with cores O(T^2 M), for T tasks, M machines.
// Ties: lowest task position, then lowest machine index.
#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "runtime/cost/chart_mapping.h"
#include "runtime/cost/explain.h"
#include "runtime/cost/greedy.h"
#include "runtime/cost/scan.h"
#include "runtime/kernel/constants.h"
#include "runtime/schedulers/catalogue.h"
#include "runtime/schedulers/mapping/sorted_form.h"

namespace perigee::mapping {
namespace {

constexpr std::size_t kTile = 8;            // machines sorted together: one cache line of a matrix row
constexpr std::size_t kLongInsertion = 24;  // entries

// Per machine, the tasks that can run there, by (time, position). They are sorted by the leading bits of the
// times in two passes of a radix sort, then within each group of equal leading bits.
class SortedColumns {
 public:
  explicit SortedColumns(const MappingProblem& problem) : tasks_(problem.tasks) {
    list_.resize(problem.tasks * problem.machines);
    length_.resize(problem.machines);
    digit_bits_ = std::clamp(static_cast<unsigned>(std::bit_width(problem.tasks)) / 2 + 4, 6u, 11u);
    counts_.resize(std::size_t{2} << digit_bits_);
    entries_.resize(problem.tasks);
    sorted_.resize(problem.tasks);
    columns_.resize(kTile * problem.tasks);
    for (std::size_t first = 0; first < problem.machines; first += kTile) {
      const std::size_t width = std::min(kTile, problem.machines - first);
      for (std::size_t t = 0; t < problem.tasks; ++t)
        for (std::size_t k = 0; k < width; ++k)
          columns_[k * problem.tasks + t] =
              problem.etc[t * problem.machines + first + k] + 0.0;  // -0 becomes 0
      for (std::size_t k = 0; k < width; ++k) sort(first + k, columns_.data() + k * problem.tasks);
    }
  }

  std::size_t length(std::size_t machine) const { return length_[machine]; }
  std::uint32_t task(std::size_t machine, std::size_t i) const { return list_[machine * tasks_ + i]; }

 private:
  struct Item {
    std::uint32_t digits, task;
  };

  void sort(std::size_t machine, const double* column) {
    // The bits of doubles >= 0 have the same order as their values.
    std::uint64_t low = ~std::uint64_t{0}, high = 0;
    std::size_t n = 0;
    for (std::size_t t = 0; t < tasks_; ++t) {
      if (!(column[t] < kInfinity)) continue;
      const auto bits = std::bit_cast<std::uint64_t>(column[t]);
      low = std::min(low, bits);
      high = std::max(high, bits);
      ++n;
    }
    length_[machine] = static_cast<std::uint32_t>(n);
    if (n == 0) return;
    const auto width = static_cast<unsigned>(std::bit_width(high - low));
    const unsigned shift = width > 2 * digit_bits_ ? width - 2 * digit_bits_ : 0;
    const std::uint32_t radix = std::uint32_t{1} << digit_bits_;
    const std::uint32_t mask = radix - 1;

    std::fill(counts_.begin(), counts_.end(), 0);
    std::uint32_t* const lower = counts_.data();
    std::uint32_t* const upper = counts_.data() + radix;
    n = 0;
    for (std::size_t t = 0; t < tasks_; ++t) {
      if (!(column[t] < kInfinity)) continue;
      const auto digits =
          static_cast<std::uint32_t>((std::bit_cast<std::uint64_t>(column[t]) - low) >> shift);
      entries_[n++] = {digits, static_cast<std::uint32_t>(t)};
      ++lower[digits & mask];
      ++upper[digits >> digit_bits_];
    }
    std::uint32_t below = 0, above = 0;
    for (std::uint32_t d = 0; d < radix; ++d) {
      below += std::exchange(lower[d], below);
      above += std::exchange(upper[d], above);
    }
    for (std::size_t i = 0; i < n; ++i) sorted_[lower[entries_[i].digits & mask]++] = entries_[i];
    for (std::size_t i = 0; i < n; ++i) entries_[upper[sorted_[i].digits >> digit_bits_]++] = sorted_[i];

    std::uint32_t* const list = list_.data() + machine * tasks_;
    for (std::size_t i = 0; i < n;) {
      std::size_t end = i + 1;
      list[i] = entries_[i].task;
      for (; end < n && entries_[end].digits == entries_[i].digits; ++end) list[end] = entries_[end].task;
      if (shift > 0 && end - i > 1) settle(list + i, list + end, column);
      i = end;
    }
  }

  // Sorts tasks by time. They come in the order of their positions.
  static void settle(std::uint32_t* first, std::uint32_t* last, const double* column) {
    const auto earlier = [column](std::uint32_t a, std::uint32_t b) { return column[a] < column[b]; };
    if (static_cast<std::size_t>(last - first) > kLongInsertion) {
      if (!std::is_sorted(first, last, earlier)) std::stable_sort(first, last, earlier);
      return;
    }
    for (std::uint32_t* i = first + 1; i < last; ++i) {
      const std::uint32_t task = *i;
      std::uint32_t* to = i;
      for (; to > first && column[task] < column[to[-1]]; --to) *to = to[-1];
      *to = task;
    }
  }

  std::size_t tasks_;
  unsigned digit_bits_;
  std::vector<std::uint32_t> list_;  // list_[machine * tasks + rank]
  std::vector<std::uint32_t> length_;
  std::vector<std::uint32_t> counts_;
  std::vector<Item> entries_, sorted_;
  std::vector<double> columns_;
};

// Each machine offers its shortest waiting task. The earliest completion among the offers is the earliest of
// all.
class MinMin final : public MapperOf<MinMin> {
 public:
  void map(const MappingProblem& problem, Mapping& out) override {
    if (problem.has_cores() || problem.has_earliest())
      return greedy_by_key(
          problem, [](const GreedyView& view, std::size_t task) { return view.best(task); }, false, true,
          out);
    start_mapping(problem, out);
    const std::size_t machines = problem.machines;
    if (problem.tasks == 0 || machines == 0) return;
    const SortedColumns columns(problem);
    std::vector<Queue> queues(machines);
    std::vector<double> ready(machines, 0.0), ends(machines, kInfinity);
    std::vector<std::uint32_t> heads(machines, kUnmapped);
    std::vector<std::uint8_t> mapped(problem.tasks, 0);
    if (!problem.ready.empty()) std::ranges::copy(problem.ready, ready.begin());

    const auto offer = [&](std::size_t m) {
      Queue& queue = queues[m];
      const std::size_t length = columns.length(m);
      while (queue.head < length && mapped[columns.task(m, queue.head)] != 0) ++queue.head;
      heads[m] = queue.head < length ? columns.task(m, queue.head) : kUnmapped;
      queue.time = queue.head < length ? problem.time(heads[m], m) : kInfinity;
      ends[m] = ready[m] + queue.time;
    };
    // The lowest position among the tasks that would end at ends[m] on m. Tasks of equal times stand in the
    // order of their positions, but by rounding, longer times can give the same end.
    const auto first_of_equals = [&](std::size_t m) {
      Queue& queue = queues[m];
      const std::size_t length = columns.length(m);
      const auto time_at = [&](std::size_t i) { return problem.time(columns.task(m, i), m); };
      queue.longer = std::max(queue.longer, queue.head + 1);
      while (queue.longer < length && time_at(queue.longer) == queue.time) ++queue.longer;
      std::uint32_t task = heads[m];
      for (std::size_t i = queue.longer; i < length && ready[m] + time_at(i) == ends[m]; ++i)
        if (mapped[columns.task(m, i)] == 0) task = std::min(task, columns.task(m, i));
      return task;
    };

    for (std::size_t m = 0; m < machines; ++m) offer(m);
    for (;;) {
      const Smallest found = smallest(ends);
      if (!(found.value < kInfinity)) break;
      std::uint32_t machine = found.at;
      std::uint32_t task = first_of_equals(machine);
      for (std::size_t m = machine + 1; m < machines; ++m) {
        if (ends[m] != found.value) continue;
        const std::uint32_t other = first_of_equals(m);
        if (other < task) {
          task = other;
          machine = static_cast<std::uint32_t>(m);
        }
      }
      record(out, task, machine, found.value);
      mapped[task] = 1;
      ready[machine] = found.value;
      ends[machine] = ready[machine] + queues[machine].time;
      for (std::size_t m = 0; m < machines; ++m)
        if (heads[m] == task) offer(m);
    }
  }

  void explain(const MappingProblem& problem, const Mapping& answer, std::size_t task,
               MappingStep& out) override {
    explain_greedy(
        problem, answer, task, [](const GreedyView& view, std::size_t other) { return view.best(other); },
        false, "best completion, s", out);
  }

 private:
  struct Queue {
    std::size_t head = 0;    // rank of the shortest waiting task
    std::size_t longer = 0;  // rank of the first task that takes longer than the head, when > head
    double time = 0;         // of the head
  };
};

}  // namespace

Entry min_min() {
  return {.name = "min_min",
          .family = Family::mapping,
          .role = Role::mapper,
          .summary = "the task with the earliest best completion first",
          .source = "Ibarra and Kim 1977; Braun et al. 2001",
          .complexity = "O(T M log T), with works of several cores O(T^2 M)",
          .ties = "lowest task position, then lowest machine index",
          .parameters = {form_parameter()},
          .chooses_ready = true,
          .make_mapper = [](const Arguments& given) { return make_form<MinMin>(given, false); },
          .make_chart_rule = [](const Arguments&) { return min_min_rule(); }};
}

}  // namespace perigee::mapping
