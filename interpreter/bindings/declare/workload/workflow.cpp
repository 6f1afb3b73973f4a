// workload.workflow { name =, tasks = { ... } }, and several of them.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>

#include "interpreter/bindings/declare/workload/records.h"
#include "interpreter/bindings/declare/workload/task_scope.h"
#include "interpreter/bindings/declare/workload/workload.h"
#include "interpreter/bindings/parts.h"
#include "interpreter/language/fields/work.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/graphs.h"

namespace perigee::bindings {

void check_links(lua_State* L, int list, const std::string& what, const WorkRecords& records,
                 bool is_workflow) {
  TaskScope scope(what);
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (records.is_plain(i))
      scope.add_plain();
    else
      scope.add(records[i]);
  }
  if (!scope.may_link() && !is_workflow) return;
  scope.check_names();
  for (std::size_t i = 0; i < records.size(); ++i)
    inside_entry(L, list, static_cast<std::int64_t>(i) + 1,
                 [&] { scope.check(static_cast<std::uint32_t>(i)); });
  scope.check_order();
}

namespace {

// The task takes from the workflow what it does not say itself.
void inherit(lua_State* L, int record, const Fields& workflow, const WorkflowRecord& given,
             WorkRecord& task) {
  if (!has_field(L, record, work_fields::kArrival)) task.arrival = given.arrival;
  if (!has_field(L, record, work_fields::kDeadline)) task.deadline = given.deadline;
  if (!has_field(L, record, work_fields::kPriority)) task.priority = given.priority;
  if (!has_field(L, record, work_fields::kUser)) task.user = given.user;
  if (task.arrival < given.arrival)
    workflow.fail(workflow_fields::kTasks, "{} arrives at {} s, before the workflow, at {} s",
                  task.name.empty() ? "a task" : task.name, format_number(task.arrival),
                  format_number(given.arrival));
  if (!(task.deadline > task.arrival))
    workflow.fail(workflow_fields::kTasks, "{} has the deadline {} s, and arrives at {} s",
                  task.name.empty() ? "a task" : task.name, format_number(task.deadline),
                  format_number(task.arrival));
}

}  // namespace

WorkloadPart workflow_at(lua_State* L, int index, std::int64_t number) {
  index = lua_absindex(L, index);
  const std::string name = name_in_record(L, index);
  const std::string subject = !name.empty() ? fmt::format("workflow '{}'", name)
                              : number > 0  ? fmt::format("workflow {}", number)
                                            : "workload.workflow";
  const Fields fields(L, index, {subject}, workflow_fields::kAll);
  auto given = std::make_shared<WorkflowRecord>();
  given->name = fields.text(workflow_fields::kName);
  given->arrival = fields.number(workflow_fields::kArrival);
  given->deadline = fields.number(workflow_fields::kDeadline);
  given->priority = fields.number(workflow_fields::kPriority);
  given->user = fields.text(workflow_fields::kUser);
  given->home = static_cast<WorkflowRecord::Home>(fields.choice(workflow_fields::kHome));
  if (!(given->deadline > given->arrival))
    fields.fail(workflow_fields::kDeadline, "deadline must be after its arrival at {}, got {}",
                format_number(given->arrival), format_number(given->deadline));
  WorkloadPart part;
  if (!fields.push(workflow_fields::kTasks))
    fields.fail(nullptr, "'tasks' is missing: a list of tasks, or a graph");
  const int list = lua_gettop(L);
  if (const auto* graph = test<values::GraphValue>(L, list)) {
    part.graph = *graph;
    part.count = static_cast<std::int64_t>((*graph)->tasks.size());
    part.workflow = std::move(given);
    lua_pop(L, 1);
    return part;
  }
  if (lua_type(L, list) != LUA_TTABLE)
    fields.fail(workflow_fields::kTasks, "tasks must be a list of tasks, or a graph, got {}", shown(L, list));
  auto records = std::make_shared<WorkRecords>();
  const lua_Integer count = list_length(L, list, fmt::format("{}: tasks", subject));
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, list, i);
    inside_entry(L, list, i, [&] {
      WorkRecord task = record_at(L, -1, WorkKind::task, i);
      inherit(L, lua_gettop(L), fields, *given, task);
      records->add(std::move(task));
    });
    lua_pop(L, 1);
  }
  if (count == 0) fields.fail(workflow_fields::kTasks, "a workflow has one task at least");
  check_links(L, list, subject, *records, true);
  lua_pop(L, 1);
  part.count = count;
  part.records = std::move(records);
  part.workflow = std::move(given);
  return part;
}

int make_workflow(lua_State* L) {
  return guard(L, [&] {
    WorkloadValue value;
    value.parts.push_back(workflow_at(L, 1, 0));
    value.parts.back().declared_at = caller(L);
    push_new(L, std::move(value));
    return 1;
  });
}

int make_workflows(lua_State* L) {
  return guard(L, [&] {
    WorkloadValue value;
    if (lua_type(L, 1) == LUA_TTABLE) {
      const lua_Integer count = list_length(L, 1, "workload.workflows");
      for (lua_Integer i = 1; i <= count; ++i) {
        lua_rawgeti(L, 1, i);
        inside_entry(L, 1, i, [&] {
          if (lua_type(L, -1) == LUA_TTABLE) {
            value.parts.push_back(workflow_at(L, lua_gettop(L), i));
            value.parts.back().declared_at = caller(L);
            return;
          }
          const auto& each = check<WorkloadValue>(L, -1, fmt::format("workload.workflows: entry {}", i));
          did_work(each.steps_to_copy());
          for (const WorkloadPart& part : each.parts) {
            if (part.workflow == nullptr && !part.generates_workflows)
              fail("bad_type", "workload.workflows: entry {} is no workflow, but {}", i, shown(L, -1));
            value.parts.push_back(part);
          }
        });
        lua_pop(L, 1);
      }
    } else {
      WorkloadPart part;
      part.declared_at = caller(L);
      part.count = integer_at(L, 1, "workload.workflows: the number of them", 0, kWorkloadMostWorks);
      if (lua_type(L, 2) != LUA_TFUNCTION)
        fail("bad_type", "workload.workflows: the second argument must be a function(i, rng), got {}",
             shown(L, 2));
      part.generator = Reference(L, 2);
      part.made_in = Interpreter::of(L).cell().number();
      part.generates_workflows = true;
      value.parts.push_back(std::move(part));
    }
    push_new(L, std::move(value));
    return 1;
  });
}

}  // namespace perigee::bindings
