// Reads the records of works, and matrices of their times.
#include "interpreter/bindings/declare/workload/records.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace perigee::bindings {

namespace {

constexpr Range kTimeOrNever{0, std::numeric_limits<double>::infinity(), false};

// Reads a number, or a table of numbers by architecture (`time`) or host (`times`).
TimesRecord times_at(const Fields& fields, const char* name, Dimension dimension, TimeForm number_form,
                     TimeForm table_form) {
  lua_State* L = fields.state();
  TimesRecord record;
  record.form = number_form;
  const std::string subject = lua_type(L, -1) == LUA_TTABLE ? fields.subject() + ": " + name : std::string();
  if (lua_type(L, -1) != LUA_TTABLE) {
    lua_pop(L, 1);
    record.amount = fields.number(name, dimension, std::nullopt, kNotNegative);
    return record;
  }
  if (number_form == TimeForm::operations)
    fields.fail(name, "{} must be a number of operations, got a table", name);
  record.form = table_form;
  const int table = lua_gettop(L);
  if (lua_rawlen(L, table) > 0) {
    if (table_form == TimeForm::by_architecture)
      fields.fail(name, "{} by architecture needs their names as keys", name);
    record.by_place =
        fields.inside(name, [&] { return numbers_at(L, table, subject, dimension, kTimeOrNever); });
    return record;
  }
  each_sorted(L, table, [&] {
    const auto key = text_at(L, -2);
    if (!key) fields.fail(name, "{}: {} is no name", name, shown(L, -2));
    const double time = fields.inside(
        name, [&] { return number_at(L, -1, fmt::format("{}.{}", subject, *key), dimension, kTimeOrNever); });
    record.by_name.emplace_back(*key, time);
  });
  if (record.by_name.empty()) fields.fail(name, "{} is an empty table", name);
  return record;
}

void read_times(const Fields& fields, WorkRecord& record) {
  lua_State* L = fields.state();
  const Balanced balanced(L);
  const int given = int{fields.has("time")} + int{fields.has("ops")} + int{fields.has("times")};
  if (given == 0) fields.fail(nullptr, "its run time is missing: time, ops or times");
  if (given > 1) fields.fail("ops", "only one of time, ops and times can be given");
  if (fields.push("time"))
    record.time = times_at(fields, "time", Dimension::seconds, TimeForm::seconds, TimeForm::by_architecture);
  else if (fields.push("ops"))
    record.time = times_at(fields, "ops", Dimension::operations, TimeForm::operations, TimeForm::operations);
  else if (fields.push("times")) {
    if (lua_type(L, -1) != LUA_TTABLE)
      fields.fail("times", "times must be a table with a time per host, got {}", shown(L, -1));
    record.time = times_at(fields, "times", Dimension::seconds, TimeForm::seconds, TimeForm::by_host);
  }
  if (fields.push("estimate")) {
    const bool operations = record.time.form == TimeForm::operations;
    const TimeForm table =
        record.time.form == TimeForm::by_architecture ? TimeForm::by_architecture : TimeForm::by_host;
    record.estimate = times_at(fields, "estimate", operations ? Dimension::operations : Dimension::seconds,
                               operations ? TimeForm::operations : TimeForm::seconds, table);
    if (record.estimate->form != record.time.form)
      fields.fail("estimate", "estimate must have the same form as the time itself");
  }
}

void read_files(const Fields& fields, const char* name, std::vector<FileRecord>& files) {
  lua_State* L = fields.state();
  if (!fields.push(name)) return;
  const int table = lua_gettop(L);
  if (lua_type(L, table) != LUA_TTABLE)
    fields.fail(name, "{} must be a list of files, got {}", name, shown(L, table));
  const auto count = static_cast<lua_Integer>(lua_rawlen(L, table));
  if (count > std::numeric_limits<std::uint16_t>::max())
    fields.fail(name, "{} has {} files, too many", name, count);
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, table, i);
    if (const FileRecord* file = test<FileRecord>(L, -1))
      files.push_back(*file);
    else
      fields.fail(name, "{}[{}] must be file(name, size), got {}", name, i, shown(L, -1));
    lua_pop(L, 1);
  }
  each_sorted(L, table, [&] {
    if (lua_isinteger(L, -2) == 0)
      fields.fail(name, "{} must be a list of files; {} does not belong there", name, shown(L, -2));
  });
  lua_pop(L, 1);
}

// Reads `runs` or `points`, `trials`, `weights` (a list, or a function of point and run) and `noise`.
void read_sweep(const Fields& fields, WorkRecord& record) {
  constexpr std::int64_t kMostRuns = 1'000'000'000;
  lua_State* L = fields.state();
  const Balanced balanced(L);
  std::optional<std::int64_t> points;
  const bool has_points = fields.push("points");
  const int list = lua_gettop(L);
  if (has_points) {
    if (lua_type(L, list) == LUA_TTABLE) points = static_cast<std::int64_t>(lua_rawlen(L, list));
    if (points.value_or(0) < 1)
      fields.fail("points", "points must be a list with one at least, as of workload.grid, got {}",
                  shown(L, list));
  }
  const std::int64_t runs = fields.integer("runs", points, 1, kMostRuns);
  if (points && *points != runs) fields.fail("runs", "{} runs, but {} points", runs, *points);
  record.extra.size = static_cast<double>(runs);
  record.extra.trials = static_cast<std::int32_t>(fields.integer("trials", 1, 1, kMostRuns));
  if (const double simulations = record.extra.size * record.extra.trials; simulations > 1e9)
    fields.fail("trials", "runs = {} with trials = {} are {} simulations, more than 1000000000", runs,
                record.extra.trials, format_number(simulations));
  record.noise = fields.number("noise", Dimension::fraction, 0, kNotNegative);
  if (!fields.push("weights")) return;
  const int weights = lua_gettop(L);
  const std::string what = fields.subject() + ": weights";
  if (lua_type(L, weights) == LUA_TFUNCTION) {
    record.weights.reserve(static_cast<std::size_t>(runs));
    for (std::int64_t run = 1; run <= runs; ++run) {
      lua_pushvalue(L, weights);
      if (has_points)
        lua_rawgeti(L, list, run);
      else
        lua_pushnil(L);
      lua_pushinteger(L, run);
      lua_call(L, 2, 1);
      record.weights.push_back(
          number_at(L, -1, fmt::format("{} of run {}", what, run), Dimension::count, kNotNegative));
      lua_pop(L, 1);
    }
    return;
  }
  record.weights =
      fields.inside("weights", [&] { return numbers_at(L, weights, what, Dimension::count, kNotNegative); });
  if (std::ssize(record.weights) != runs)
    fields.fail("weights", "{} weights for {} runs", record.weights.size(), runs);
}

// The record's table, with the fields that a work of the kind has.
Fields fields_of_record(lua_State* L, int index, WorkKind kind, const Subject& subject) {
  switch (kind) {
    case WorkKind::task:
      return {L,
              index,
              subject,
              {"name", "time", "ops", "times", "estimate", "arrival", "inputs", "output", "outputs",
               "priority", "user", "deadline"}};
    case WorkKind::job:
      return {L,
              index,
              subject,
              {"name", "time", "ops", "times", "estimate", "arrival", "cores", "memory", "memory_traffic",
               "priority", "user", "deadline"}};
    case WorkKind::sweep:
      return {L,
              index,
              subject,
              {"name", "time", "ops", "times", "estimate", "arrival", "points", "runs", "trials", "weights",
               "noise", "bytes", "priority", "user", "deadline"}};
    case WorkKind::load:
      return {L,
              index,
              subject,
              {"name", "time", "ops", "times", "estimate", "arrival", "size", "bytes", "bytes_estimate",
               "priority", "user", "deadline"}};
    case WorkKind::reservation:
      break;
  }
  return {L, index, subject, {"name", "arrival", "hosts", "from", "to", "io_ratio", "priority", "user"}};
}

void read_task(const Fields& fields, WorkRecord& record) {
  lua_State* L = fields.state();
  read_files(fields, "inputs", record.inputs);
  read_files(fields, "outputs", record.outputs);
  if (fields.push("output")) {
    if (test<FileRecord>(L, -1) != nullptr) {
      record.outputs.push_back(*test<FileRecord>(L, -1));
      lua_pop(L, 1);
    } else {
      lua_pop(L, 1);
      const double size = fields.number("output", Dimension::bytes, std::nullopt, kNotNegative);
      record.outputs.push_back({"", size, size});
    }
  }
}

void read_job(const Fields& fields, WorkRecord& record) {
  record.cores = static_cast<std::int32_t>(fields.integer("cores", 1, 1, 100'000'000));
  record.needs.memory = fields.number("memory", Dimension::bytes, Needs::kUndeclared, kNotNegative);
  record.needs.memory_traffic =
      fields.number("memory_traffic", Dimension::bytes, Needs::kUndeclared, kNotNegative);
}

void read_load(const Fields& fields, WorkRecord& record) {
  record.extra.size = fields.number("size", Dimension::count, std::nullopt, kPositive);
  record.extra.bytes = fields.number("bytes", Dimension::bytes, 0, kNotNegative);
  record.extra.bytes_estimate =
      fields.number("bytes_estimate", Dimension::bytes, record.extra.bytes, kNotNegative);
}

void read_reservation(const Fields& fields, WorkRecord& record) {
  record.extra.hosts = static_cast<std::int32_t>(fields.integer("hosts", std::nullopt, 1, 100'000'000));
  record.extra.from = fields.number("from", Dimension::seconds, std::nullopt, kNotNegative);
  record.extra.to = fields.number("to", Dimension::seconds, std::nullopt, kPositive);
  record.extra.io_ratio = fields.number("io_ratio", Dimension::fraction, 0, {0, 1, false});
  if (!(record.extra.to > record.extra.from))
    fields.fail("to", "to must be after from = {} s, got {}", record.extra.from, record.extra.to);
}

}  // namespace

WorkRecord record_at(lua_State* L, int index, WorkKind kind, std::int64_t number) {
  WorkRecord record;
  record.kind = kind;
  index = lua_absindex(L, index);
  std::string name;
  if (lua_type(L, index) == LUA_TTABLE) {
    lua_pushliteral(L, "name");
    if (lua_rawget(L, index) == LUA_TSTRING) name = *text_at(L, -1);
    lua_pop(L, 1);
  }
  const Subject subject{name_of(kind), name, number};
  const Fields fields = fields_of_record(L, index, kind, subject);
  record.name = fields.text("name", "");
  record.arrival = fields.number("arrival", Dimension::seconds, 0, kNotNegative);
  record.priority = fields.number("priority", Dimension::count, 0, kAnyNumber);
  record.user = fields.text("user", "");
  if (kind != WorkKind::reservation) {
    record.deadline = fields.number("deadline", Dimension::seconds, kNever, kPositive);
    if (!(record.deadline > record.arrival))
      fields.fail(
          "deadline",
          "deadline must be after its arrival at {}, got {}; both count from the beginning of the run",
          format_number(record.arrival), format_number(record.deadline));
    read_times(fields, record);
  }
  switch (kind) {
    case WorkKind::task:
      read_task(fields, record);
      break;
    case WorkKind::job:
      read_job(fields, record);
      break;
    case WorkKind::sweep:
      record.extra.bytes = fields.number("bytes", Dimension::bytes, 0, kNotNegative);
      read_sweep(fields, record);
      break;
    case WorkKind::load:
      read_load(fields, record);
      break;
    case WorkKind::reservation:
      read_reservation(fields, record);
      break;
  }
  return record;
}

MatrixTasks matrix_tasks_at(lua_State* L, int index) {
  MatrixTasks tasks;
  tasks.etc = check<std::shared_ptr<const EtcMatrix>>(L, index, "workload.etc: the matrix");
  if (lua_isnoneornil(L, index + 1)) return tasks;
  const Fields fields(L, index + 1, {"workload.etc"}, {"times", "quality", "arrivals", "priorities"});
  const auto matrix = [&](const char* name, std::shared_ptr<const EtcMatrix>& out) {
    if (!fields.push(name)) return;
    out = check<std::shared_ptr<const EtcMatrix>>(L, -1, fmt::format("workload.etc: {}", name));
    if (out->tasks != tasks.etc->tasks || out->machines != tasks.etc->machines)
      fields.fail(name, "{} is {} x {}, the matrix is {} x {}", name, out->tasks, out->machines,
                  tasks.etc->tasks, tasks.etc->machines);
    lua_pop(L, 1);
  };
  matrix("times", tasks.times);
  matrix("quality", tasks.quality);
  const auto list = [&](const char* name, Dimension dimension, Range range, std::vector<double>& out) {
    if (!fields.push(name)) return;
    out = numbers_at(L, -1, fmt::format("workload.etc: {}", name), dimension, range);
    if (out.size() != tasks.etc->tasks)
      fields.fail(name, "there are {} {} for {} tasks", out.size(), name, tasks.etc->tasks);
    lua_pop(L, 1);
  };
  list("arrivals", Dimension::seconds, kNotNegative, tasks.arrivals);
  list("priorities", Dimension::count, kAnyNumber, tasks.priorities);
  const auto late = std::ranges::is_sorted_until(tasks.arrivals);
  if (late != tasks.arrivals.end())
    fields.fail("arrivals", "arrivals must ascend: number {} is {} s, after {} s",
                late - tasks.arrivals.begin() + 1, format_number(*late), format_number(*(late - 1)));
  return tasks;
}

}  // namespace perigee::bindings
