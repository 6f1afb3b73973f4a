// workload.tasks(400, function(i, rng) return { time = ... } end), workload.tasks { {...}, {...} } and the
// like.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "interpreter/bindings/declare/speedup.h"
#include "interpreter/bindings/declare/workload/records.h"
#include "interpreter/bindings/declare/workload/stream.h"
#include "interpreter/bindings/declare/workload/workload.h"
#include "interpreter/bindings/parts.h"
#include "interpreter/bindings/simulation_value.h"
#include "interpreter/language/fields/events.h"
#include "interpreter/language/fields/work.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/declarations.h"
#include "interpreter/values/graphs.h"

namespace perigee::bindings {

namespace {

template <WorkKind kind>
int make_list(lua_State* L) {
  return guard(L, [&] {
    const std::string what = fmt::format("workload.{}s", name_of(kind));
    WorkloadPart part;
    part.kind = kind;
    part.declared_at = caller(L);
    if (const auto* graph = kind == WorkKind::task ? test<values::GraphValue>(L, 1) : nullptr) {
      part.graph = *graph;
      part.count = static_cast<std::int64_t>((*graph)->tasks.size());
    } else if (lua_type(L, 1) == LUA_TTABLE) {
      if (!lua_isnoneornil(L, 2))
        fail("bad_type", "{}: a list stands alone; a generator follows a number", what);
      const Fields fields(L, 1, {what}, {}, true);
      auto records = std::make_shared<WorkRecords>();
      for (std::int64_t i = 1; i <= fields.count(); ++i) {
        lua_rawgeti(L, 1, i);
        records->add(inside_entry(L, 1, i, [&] { return record_at(L, -1, kind, i); }));
        lua_pop(L, 1);
      }
      part.count = fields.count();
      if constexpr (kind == WorkKind::task) check_links(L, 1, what, *records, false);
      part.records = std::move(records);
    } else {
      part.count = integer_at(L, 1, what + ": the number of them", 0, kWorkloadMostWorks);
      if (lua_type(L, 2) != LUA_TFUNCTION)
        fail("bad_type", "{}: the second argument must be a function(i, rng), got {}", what, shown(L, 2));
      part.generator = Reference(L, 2);
      part.made_in = Interpreter::of(L).cell().number();
    }
    WorkloadValue value;
    value.parts.push_back(std::move(part));
    push_new(L, std::move(value));
    return 1;
  });
}

int make_sweep(lua_State* L) {
  return guard(L, [&] {
    WorkloadPart part;
    part.kind = WorkKind::sweep;
    part.declared_at = caller(L);
    auto records = std::make_shared<WorkRecords>();
    records->add(record_at(L, 1, WorkKind::sweep, 1));
    part.records = std::move(records);
    part.count = 1;
    WorkloadValue value;
    value.parts.push_back(std::move(part));
    push_new(L, std::move(value));
    return 1;
  });
}

// workload.etc(matrix [, { times =, quality =, arrivals =, priorities = }]), or a function(rng) that returns
// these.
int make_etc_of_workload(lua_State* L) {
  return guard(L, [&] {
    WorkloadPart part;
    part.declared_at = caller(L);
    if (lua_type(L, 1) == LUA_TFUNCTION) {
      if (!lua_isnoneornil(L, 2))
        fail("bad_type", "workload.etc: a function stands alone; it returns matrix and fields");
      part.generator = Reference(L, 1);
      part.made_in = Interpreter::of(L).cell().number();
      part.generates_matrix = true;
    } else {
      part.matrix = matrix_tasks_at(L, 1);
      part.count = static_cast<std::int64_t>(part.matrix.etc->tasks);
    }
    WorkloadValue value;
    value.parts.push_back(std::move(part));
    push_new(L, std::move(value));
    return 1;
  });
}

// workload.merge(a, b, ...): all of a, then all of b.
int merge(lua_State* L) {
  return guard(L, [&] {
    WorkloadValue value;
    const auto add = [&](const WorkloadValue& each) {
      did_work(each.steps_to_copy());
      value.parts.insert(value.parts.end(), each.parts.begin(), each.parts.end());
    };
    if (lua_gettop(L) == 1 && lua_type(L, 1) == LUA_TTABLE) {
      const lua_Integer count = list_length(L, 1, "workload.merge");
      for (lua_Integer i = 1; i <= count; ++i) {
        lua_rawgeti(L, 1, i);
        inside_entry(L, 1, i,
                     [&] { add(check<WorkloadValue>(L, -1, fmt::format("workload.merge: entry {}", i))); });
        lua_pop(L, 1);
      }
    } else {
      for (int i = 1; i <= lua_gettop(L); ++i)
        add(check<WorkloadValue>(L, i, fmt::format("workload.merge: argument {}", i)));
    }
    for (const WorkloadPart& part : value.parts)
      if (part.is_stream && value.parts.size() > 1)
        fail_at(
            part.declared_at, "bad_work",
            "workload.merge: a stream is the only work of its scenario, because works are numbered as they "
            "come; let its function give the other works too");
    push_new(L, std::move(value));
    return 1;
  });
}

// file(name, size [, estimate]) or file(name, size, { home = true })
int make_file(lua_State* L) {
  return guard(L, [&] {
    const auto name = text_at(L, 1);
    if (!name || name->empty()) fail("bad_type", "file: the first argument is its name, got {}", shown(L, 1));
    FileRecord file;
    file.name = *name;
    if (lua_type(L, 2) == LUA_TNUMBER && lua_tonumber(L, 2) >= 0 && lua_tonumber(L, 2) < kAbsurd)
      file.size = lua_tonumber(L, 2);
    else
      file.size = number_at(L, 2, fmt::format("file '{}': size", *name), Dimension::bytes, kNotNegative);
    if (lua_type(L, 3) == LUA_TTABLE) {
      const Fields fields(L, 3, {"file", *name}, work_fields::kFile);
      file.home = fields.flag(work_fields::kHome);
      file.estimate = fields.number(work_fields::kFileEstimate, file.size);
    } else {
      file.estimate = lua_isnoneornil(L, 3) ? file.size
                                            : number_at(L, 3, fmt::format("file '{}': estimate", *name),
                                                        Dimension::bytes, kNotNegative);
    }
    push_new(L, std::move(file));
    return 1;
  });
}

int file_text(lua_State* L) {
  return guard(L, [&] {
    const auto& file = check<FileRecord>(L, 1);
    host::push(L, fmt::format("file '{}' of {}", file.name, format_quantity(file.size, Dimension::bytes)));
    return 1;
  });
}

bool file_property(lua_State* L, int index, std::string_view name) {
  const auto& file = check<FileRecord>(L, index);
  if (name == "name") {
    host::push(L, file.name);
  } else if (name == "size") {
    lua_pushnumber(L, file.size);
  } else {
    return false;
  }
  return true;
}

int shown_workload(lua_State* L) {
  return guard(L, [&] {
    const auto& value = check<WorkloadValue>(L, 1);
    host::push(
        L, value.is_stream() ? "workload that is a stream" : fmt::format("workload of {}", value.pieces()));
    return 1;
  });
}

bool workload_property(lua_State* L, int index, std::string_view name) {
  if (name != "log") return false;
  push_log(L, check<WorkloadValue>(L, index));
  return true;
}

int workload_size(lua_State* L) {
  return guard(L, [&] {
    const auto& value = check<WorkloadValue>(L, 1);
    if (!value.counted()) fail("not_known", "a workload of {} has no length before", value.pieces());
    lua_pushinteger(L, value.size());
    return 1;
  });
}

constexpr luaL_Reg kWorkloadMeta[] = {
    {"__tostring", shown_workload}, {"__len", workload_size}, {nullptr, nullptr}};
constexpr luaL_Reg kFileMeta[] = {{"__tostring", file_text}, {nullptr, nullptr}};
constexpr luaL_Reg kWorkloadModule[] = {{"tasks", make_list<WorkKind::task>},
                                        {"jobs", make_list<WorkKind::job>},
                                        {"loads", make_list<WorkKind::load>},
                                        {"reservations", make_list<WorkKind::reservation>},
                                        {"sweeps", make_list<WorkKind::sweep>},
                                        {"sweep", make_sweep},
                                        {"workflow", make_workflow},
                                        {"workflows", make_workflows},
                                        {"grid", sweep_grid},
                                        {"etc", make_etc_of_workload},
                                        {"stream", make_stream},
                                        {"merge", merge},
                                        {"random_loads", random_loads},
                                        {"periodic", periodic},
                                        {nullptr, nullptr}};

}  // namespace

WorkloadValue submission_at(lua_State* L, int index, const char* what) {
  if (const WorkloadValue* value = test<WorkloadValue>(L, index)) {
    if (value->is_stream())
      fail("bad_type", "{}: a stream cannot be submitted; it is the workload of a scenario", what);
    return *value;
  }
  if (lua_type(L, index) != LUA_TTABLE)
    fail("bad_type", "{}: a record {{ time = ... }}, a list of them or a workload is needed, got {}", what,
         shown(L, index));
  WorkloadPart part;
  part.declared_at = caller(L);
  // `at` is an option of sim:submit and sim:quote, not of the record.
  const auto with_when = [&](const Error& error, int record) {
    Diagnostic diagnostic = error.diagnostic();
    if (diagnostic.code == "unknown_field" && has_field(L, record, event_fields::kAt))
      diagnostic.notes.assign(1, test<SimulationValue>(L, 1) != nullptr
                                     ? fmt::format("`at` stands in a second table, sim:{}({{ time "
                                                   "= 60 }}, {{ at = 5 }}); or write arrival = 5",
                                                   what)
                                     : "when it comes is written arrival = 5");
    return Error(std::move(diagnostic));
  };
  auto records = std::make_shared<WorkRecords>();
  const auto add = [&](int record, std::int64_t number) {
    try {
      records->add(record_at(L, record, kind_of_record(L, record), number));
    } catch (const ScriptError&) {
      throw;
    } catch (const Error& error) {
      throw with_when(error, record);
    }
  };
  index = lua_absindex(L, index);
  if (lua_rawlen(L, index) > 0) {
    const Fields fields(L, index, {what}, {}, true);
    for (std::int64_t i = 1; i <= fields.count(); ++i) {
      lua_rawgeti(L, index, i);
      inside_entry(L, index, i, [&] { add(lua_gettop(L), i); });
      lua_pop(L, 1);
    }
  } else {
    add(lua_absindex(L, index), 1);
  }
  part.count = static_cast<std::int64_t>(records->size());
  part.records = std::move(records);
  WorkloadValue value;
  value.parts.push_back(std::move(part));
  return value;
}

void open_workload(lua_State* L) {
  new_type<WorkloadValue>(L, nullptr, kWorkloadMeta, workload_property, {"log"});
  new_type<FileRecord>(L, nullptr, kFileMeta, file_property, {"name", "size"});
  push_module(L, "workload", kWorkloadModule);
  define(L, "workload");
  define(L, "file", make_file);
  open_speedups(L);
}

}  // namespace perigee::bindings
