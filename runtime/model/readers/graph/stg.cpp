#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "runtime/kernel/error.h"
#include "runtime/kernel/quantity.h"
#include "runtime/kernel/work.h"
#include "runtime/model/readers/graph/checked.h"
#include "runtime/model/readers/graph/workflow_files.h"
#include "runtime/model/readers/lines.h"

namespace perigee::readers {

namespace {

constexpr std::size_t kStgDummies = 2;

// The words of one line after the other, but for lines of '#' and empty ones.
class StgWords {
 public:
  explicit StgWords(Lines& lines) : lines_(lines) {}

  bool next_line() {
    while (lines_.next(line_)) {
      rest_ = trimmed(line_);
      if (!rest_.empty() && rest_.front() != '#') return true;
    }
    rest_ = {};
    return false;
  }
  bool at_end() const { return rest_.empty(); }

  // The next word of the line, which must be a number; `what` it is.
  double number(std::string_view what) {
    std::size_t length = 0;
    while (length < rest_.size() && !is_blank(rest_[length])) ++length;
    word_ = rest_.substr(0, length);
    if (word_.empty()) refuse("stg_line", "the line ends before {}", what);
    const double value = number_of(word_);
    if (std::isnan(value)) refuse("stg_line", "{} must be a number, got '{}'", what, shown(word_));
    rest_ = trimmed(rest_.substr(length));
    return value;
  }
  std::uint64_t whole(std::string_view what) {
    const double value = number(what);
    if (!(value >= 0 && value <= static_cast<double>(kMostGraphTasks)) || value != std::floor(value))
      refuse("stg_line", "{} must be a whole number from 0 to {}, got '{}'", what, kMostGraphTasks,
             shown(word_));
    return static_cast<std::uint64_t>(value);
  }

  // An error at the last word.
  template <class... Args>
  [[noreturn]] void refuse(std::string_view code, fmt::format_string<Args...> format, Args&&... args) const {
    fail_at(lines_.here(), code, "column {}: {}",
            word_.data() == nullptr ? 1 : word_.data() - line_.data() + 1,
            fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  Lines& lines_;
  std::string_view line_, rest_, word_;
};

WorkflowFile read_stg_lines(Lines& lines) {
  WorkflowFile out;
  TaskGraph& graph = out.graph;
  graph.form = TimeForm::seconds;
  StgWords words(lines);
  if (!words.next_line()) fail_at({lines.name(), 0}, "stg_line", "there is no number of tasks");
  const std::size_t tasks = words.whole("the number of tasks") + kStgDummies;
  if (!words.at_end()) words.refuse("stg_count", "the first line has nothing but the number of tasks");
  while (words.next_line()) {
    const std::size_t t = graph.tasks.size();
    const std::uint64_t number = words.whole("the number of the task");
    if (t == tasks)
      words.refuse("stg_count", "the file says {} tasks and {} dummies, and has more lines",
                   tasks - kStgDummies, kStgDummies);
    if (number != t) words.refuse("stg_order", "task {} is to come here, got {}", t, number);
    GraphTask& task = graph.tasks.emplace_back();
    task.name = std::to_string(t);
    task.amount = words.number("the time of the task") + 0.0;  // no -0
    if (!(task.amount >= 0))
      words.refuse("workflow_time", "the time of task {} must be >= 0, got {}", t, task.amount);
    const std::uint64_t count = words.whole("the number of predecessors");
    for (std::uint64_t found = 0; !words.at_end(); ++found) {
      const std::uint64_t before = words.whole("a predecessor");
      if (found == count)
        words.refuse("stg_count", "task {} says {} predecessors, and the line has more", t, count);
      if (before >= t)
        words.refuse("stg_order", "a predecessor of task {} must be less than it, got {}", t, before);
      task.after.push_back(static_cast<std::uint32_t>(before));
    }
    did_work(100 + 10 * count);
    if (task.after.size() != count)
      words.refuse("stg_count", "task {} says {} predecessors, and the line has {}", t, count,
                   task.after.size());
    std::ranges::sort(task.after);
    task.after.erase(std::unique(task.after.begin(), task.after.end()), task.after.end());
  }
  if (graph.tasks.size() != tasks)
    fail_at({lines.name(), 0}, "stg_count",
            "the file says {} tasks and {} dummies, and has {} lines for them", tasks - kStgDummies,
            kStgDummies, graph.tasks.size());
  return out;
}

void drop_stg_dummies(TaskGraph& graph, std::string_view name) {
  for (const auto* dummy : {&graph.tasks.front(), &graph.tasks.back()})
    if (dummy->amount > 0)
      fail_at({std::string(name), 0}, "workflow_time", "task {} is no dummy to be dropped: it takes {} s",
              dummy->name, dummy->amount);
  graph.tasks.pop_back();
  graph.tasks.erase(graph.tasks.begin());
  for (GraphTask& task : graph.tasks) {
    std::erase(task.after, 0);
    for (std::uint32_t& before : task.after) --before;
  }
}

WorkflowFile finish_stg(Lines& lines, const StgOptions& options) {
  WorkflowFile out = read_stg_lines(lines);
  if (options.drop_dummies) drop_stg_dummies(out.graph, lines.name());
  in_workflow_file(lines.name(), [&] { check_graph(out.graph); });
  return out;
}

// The first and the last task of the order are the only entry and the only exit, of no time.
bool has_stg_dummies(const TaskGraph& graph, const Precedence& precedence,
                     const std::vector<std::uint32_t>& order) {
  if (order.size() < kStgDummies) return false;
  if (graph.tasks[order.front()].amount > 0 || graph.tasks[order.back()].amount > 0) return false;
  for (std::size_t i = 0; i < order.size(); ++i)
    if ((i > 0 && precedence.predecessors(order[i]).empty()) ||
        (i + 1 < order.size() && precedence.successors(order[i]).empty()))
      return false;
  return true;
}

}  // namespace

WorkflowFile parse_stg(std::string_view text, std::string_view name, const StgOptions& options) {
  Lines lines(text, name);
  return finish_stg(lines, options);
}

WorkflowFile read_stg(const std::filesystem::path& path, const StgOptions& options) {
  Lines lines(path, kLargestWorkflowFile);
  return finish_stg(lines, options);
}

std::string write_stg(const TaskGraph& graph) {
  if (graph.form == TimeForm::by_host)
    fail("stg_line", "STG has one time for each task, and this graph has times by host");
  if (!graph.files.empty())
    fail("stg_line", "STG has no files, and this graph has '{}'{}",
         shown(std::string_view(graph.files[0].name)),
         graph.files.size() > 1 ? fmt::format(" and {} more", graph.files.size() - 1) : "");
  const Precedence precedence = precedence_of(graph);
  const std::vector<std::uint32_t> order = precedence.order();
  const bool with_dummies = has_stg_dummies(graph, precedence, order);
  const std::size_t first = with_dummies ? 0 : 1;  // the number of the first task
  std::vector<std::size_t> number(order.size()), before;
  for (std::size_t i = 0; i < order.size(); ++i) number[order[i]] = first + i;
  std::string out = fmt::format("{}\n", order.size() + 2 * first - kStgDummies);
  const auto add_line = [&](std::size_t at, double time) {
    did_work(100 + 10 * before.size());
    out += fmt::format("{} {} {}", at, format_number(time), before.size());
    for (const std::size_t each : before) out += fmt::format(" {}", each);
    out += '\n';
    before.clear();
  };
  if (!with_dummies) add_line(0, 0);
  std::vector<std::size_t> exits;
  for (const std::uint32_t task : order) {
    for (const std::uint32_t each : precedence.predecessors(task)) before.push_back(number[each]);
    std::ranges::sort(before);
    if (before.empty() && !with_dummies) before.push_back(0);
    add_line(number[task], graph.tasks[task].amount);
    if (precedence.successors(task).empty()) exits.push_back(number[task]);
  }
  if (!with_dummies) {
    before = std::move(exits);
    add_line(order.size() + 1, 0);
  }
  return out;
}

}  // namespace perigee::readers
