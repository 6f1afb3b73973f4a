#include "interpreter/bindings/declare/workload/task_scope.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "runtime/kernel/quantity.h"

namespace perigee::bindings {

namespace {

// The place that a task without a name is called by: "task 3". 0 = it is no such name.
std::uint32_t place_in_name(std::string_view name) {
  constexpr std::string_view kTask = "task ";
  std::uint32_t place = 0;
  if (!name.starts_with(kTask)) return 0;
  const char* const end = name.data() + name.size();
  const auto [read, error] = std::from_chars(name.data() + kTask.size(), end, place);
  return error == std::errc() && read == end ? place : 0;
}

}  // namespace

void TaskScope::add(const WorkRecord& record) {
  const std::uint32_t task = tasks_++;
  if (!record.name.empty() && !named_.emplace(record.name, task).second) twice_.insert(record.name);
  for (const FileRecord& file : record.outputs)
    if (!file.name.empty()) made_.emplace(file.name, Made{task, file.size});
  if (!record.after.empty()) after_.push_back(task);
  names_alone_ = names_alone_ ||
                 std::ranges::any_of(record.inputs, [](const FileRecord& file) { return !file.is_sized; });
  if (!record.after.empty() || !record.inputs.empty() || !record.outputs.empty())
    linked_[task] = {record.name, record.after, record.inputs, record.outputs};
}

std::string TaskScope::name_of(std::uint32_t task) const {
  const auto found = linked_.find(task);
  if (found != linked_.end() && !found->second.name.empty()) return found->second.name;
  const auto named = std::ranges::find(named_, task, [](const auto& each) { return each.second; });
  return named != named_.end() ? named->first : fmt::format("task {}", task + 1);
}

std::uint32_t TaskScope::maker_of(const std::string& file) const {
  const auto found = made_.find(file);
  return found != made_.end() ? found->second.task : kNone;
}

std::uint32_t TaskScope::find(const AfterRecord& wanted, std::uint32_t task) const {
  if (wanted.name.empty()) {
    if (wanted.place >= 1 && wanted.place <= tasks_) return static_cast<std::uint32_t>(wanted.place - 1);
    fail("workflow_reference", "{}: {}: after names task {}; there are {}", subject_, name_of(task),
         wanted.place, tasks_);
  }
  if (const auto found = named_.find(wanted.name); found != named_.end()) return found->second;
  if (const std::uint32_t place = place_in_name(wanted.name);
      place >= 1 && place <= tasks_ && name_of(place - 1) == wanted.name)
    return place - 1;
  std::vector<std::string> names;
  for (const auto& [name, place] : named_) names.push_back(name);
  fail("workflow_reference", "{}: {}: after names '{}', which is no task of the same list{}", subject_,
       name_of(task), wanted.name, did_you_mean(wanted.name, names));
}

void TaskScope::check(std::uint32_t task) const {
  const auto found = linked_.find(task);
  if (found == linked_.end()) return;
  const Task& own = found->second;
  const std::string who = fmt::format("{}: {}", subject_, name_of(task));
  std::vector<std::string_view> seen;
  const auto once = [&](const FileRecord& file, std::string_view list) {
    if (std::ranges::find(seen, file.name) != seen.end())
      fail("workflow_duplicate", "{}: file '{}' is listed twice in its {}", who, file.name, list);
    seen.push_back(file.name);
  };
  for (const FileRecord& file : own.outputs) {
    if (file.name.empty()) continue;
    once(file, "outputs");
    if (const Made& made = made_.at(file.name); made.task != task)
      fail("workflow_duplicate", "{}: file '{}' is an output of {} too", who, file.name, name_of(made.task));
  }
  seen.clear();
  for (const FileRecord& file : own.inputs) {
    once(file, "inputs");
    const auto made = made_.find(file.name);
    if (made == made_.end()) {
      if (file.is_sized) continue;
      std::vector<std::string> names;
      for (const auto& [name, each] : made_) names.push_back(name);
      fail("workflow_reference",
           "{}: no task of the same list makes file '{}'{}; a file that nobody makes needs its size, "
           "file(\"{}\", size)",
           who, file.name, did_you_mean(file.name, names), file.name);
    }
    if (file.is_sized && file.size != made->second.size)
      fail("workflow_size", "{}: file '{}' is {} here, but {} where {} makes it", who, file.name,
           format_quantity(file.size, Dimension::bytes), format_quantity(made->second.size, Dimension::bytes),
           name_of(made->second.task));
  }
  for (const AfterRecord& wanted : own.after) (void)find(wanted, task);
}

void TaskScope::check_names() const {
  if (!twice_.empty())
    fail("workflow_duplicate",
         "{}: two tasks are called '{}'; where tasks wait for each other each has a name of its own",
         subject_, *twice_.begin());
}

std::vector<std::string> TaskScope::inputs_of(std::uint32_t task) const {
  std::vector<std::string> names;
  if (const auto found = linked_.find(task); found != linked_.end())
    for (const FileRecord& file : found->second.inputs) names.push_back(file.name);
  return names;
}

std::vector<Precedence::Edge> TaskScope::after() const {
  std::vector<Precedence::Edge> edges;
  for (const std::uint32_t task : after_)
    for (const AfterRecord& wanted : linked_.at(task).after) edges.emplace_back(find(wanted, task), task);
  return edges;
}

void TaskScope::check_order() const {
  std::vector<Precedence::Edge> edges = after();
  for (const auto& [task, own] : linked_)
    for (const FileRecord& file : own.inputs)
      if (const std::uint32_t maker = maker_of(file.name); maker != kNone) edges.emplace_back(maker, task);
  const std::vector<std::uint32_t> cycle = Precedence(tasks_, std::move(edges)).shortest_cycle();
  if (cycle.empty()) return;
  constexpr std::size_t kMost = 50;
  std::string names;
  for (std::size_t i = 0; i < std::min(cycle.size(), kMost); ++i) names += name_of(cycle[i]) + " -> ";
  if (cycle.size() > kMost) names += fmt::format("... ({} tasks) -> ", cycle.size());
  fail("workflow_cycle", "{}: tasks wait for each other: {}{}", subject_, names, name_of(cycle.front()));
}

}  // namespace perigee::bindings
