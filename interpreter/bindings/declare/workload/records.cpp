// Reads the records of works, and matrices of their times.
#include "interpreter/bindings/declare/workload/records.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/bindings/declare/counts.h"
#include "interpreter/bindings/declare/hosts_by_name.h"
#include "interpreter/bindings/declare/workload/run_times.h"
#include "interpreter/language/fields/checkpoints.h"
#include "interpreter/language/fields/work.h"

namespace perigee::bindings {

namespace {

void read_files(const Fields& fields, const FieldRow& field, std::vector<FileRecord>& files) {
  lua_State* L = fields.state();
  const std::string_view name = field.name;
  if (!fields.push(field)) return;
  const int table = lua_gettop(L);
  if (lua_type(L, table) != LUA_TTABLE)
    fields.fail(field, "{} must be a list of files, got {}", name, shown(L, table));
  const lua_Integer count = list_length(L, table, fmt::format("{}: {}", fields.subject(), name));
  if (count > std::numeric_limits<std::uint16_t>::max())
    fields.fail(field, "{} has {} files, too many", name, count);
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, table, i);
    const bool is_input = &field == &work_fields::kInputs;
    if (const FileRecord* file = test<FileRecord>(L, -1))
      files.push_back(*file);
    else if (const auto alone = lua_type(L, -1) == LUA_TSTRING ? text_at(L, -1) : std::nullopt;
             is_input && alone)
      files.push_back({.name = std::string(*alone), .is_sized = false});
    else
      fields.fail(field, "{}[{}] must be file(name, size){}, got {}", name, i,
                  is_input ? ", or the name of a file that another task makes" : "", shown(L, -1));
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

void read_after(const Fields& fields, std::vector<AfterRecord>& after) {
  lua_State* L = fields.state();
  const FieldRow& field = work_fields::kAfter;
  if (!fields.push(field)) return;
  const int table = lua_gettop(L);
  if (lua_type(L, table) != LUA_TTABLE)
    fields.fail(field, "after must be a list of tasks of the same list, by name or number, got {}",
                shown(L, table));
  const lua_Integer count = list_length(L, table, fmt::format("{}: after", fields.subject()));
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, table, i);
    int whole = 0;
    const lua_Integer place = lua_type(L, -1) == LUA_TNUMBER ? lua_tointegerx(L, -1, &whole) : 0;
    if (const auto name = lua_type(L, -1) == LUA_TSTRING ? text_at(L, -1) : std::nullopt;
        name && !name->empty())
      after.push_back({.name = std::string(*name)});
    else if (whole != 0)
      after.push_back({.place = place});
    else
      fields.fail(field, "after[{}] must be the name of a task or its number in the list, got {}", i,
                  shown(L, -1));
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

// Reads `runs` or `points`, `trials`, `weights` (a list, or a function of point and run) and `noise`.
void read_sweep(const Fields& fields, WorkRecord& record) {
  lua_State* L = fields.state();
  const Balanced balanced(L);
  std::optional<std::int64_t> points;
  const bool has_points = fields.push(work_fields::kPoints);
  const int list = lua_gettop(L);
  if (has_points) {
    if (lua_type(L, list) == LUA_TTABLE)
      points = list_length(L, list, fmt::format("{}: points", fields.subject()));
    if (points.value_or(0) < 1)
      fields.fail(work_fields::kPoints,
                  "points must be a list with one at least, as of workload.grid, got {}", shown(L, list));
  }
  const std::int64_t runs = fields.integer(work_fields::kRuns, points);
  if (points && *points != runs) fields.fail(work_fields::kRuns, "{} runs, but {} points", runs, *points);
  record.extra.size = static_cast<double>(runs);
  record.extra.trials = static_cast<std::int32_t>(fields.integer(work_fields::kTrials));
  if (const double simulations = record.extra.size * record.extra.trials; simulations > 1e9)
    fields.fail(work_fields::kTrials, "runs = {} with trials = {} are {} simulations, more than 1000000000",
                runs, record.extra.trials, format_number(simulations));
  record.noise = fields.number(work_fields::kNoise);
  if (!fields.push(work_fields::kWeights)) return;
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
      record.weights.push_back(number_at(L, -1, fmt::format("{} of run {}", what, run),
                                         work_fields::kWeights.dimension, work_fields::kWeights.range));
      lua_pop(L, 1);
    }
    return;
  }
  record.weights =
      fields.inside(work_fields::kWeights, [&] { return fields.numbers(work_fields::kWeights, what); });
  if (std::ssize(record.weights) != runs)
    fields.fail(work_fields::kWeights, "{} weights for {} runs", record.weights.size(), runs);
}

std::span<const FieldRow> rows_of_record(WorkKind kind) {
  switch (kind) {
    case WorkKind::task:
      return work_fields::kTask;
    case WorkKind::job:
      return work_fields::kJob;
    case WorkKind::sweep:
      return work_fields::kSweep;
    case WorkKind::load:
      return work_fields::kLoad;
    case WorkKind::reservation:
      break;
  }
  return work_fields::kReservation;
}

void read_task(const Fields& fields, WorkRecord& record) {
  lua_State* L = fields.state();
  read_files(fields, work_fields::kInputs, record.inputs);
  read_files(fields, work_fields::kOutputs, record.outputs);
  read_after(fields, record.after);
  if (fields.push(work_fields::kOutput)) {
    if (test<FileRecord>(L, -1) != nullptr) {
      record.outputs.push_back(*test<FileRecord>(L, -1));
      lua_pop(L, 1);
    } else {
      lua_pop(L, 1);
      const double size = fields.number(work_fields::kOutput);
      record.outputs.push_back({"", size, size});
    }
  }
}

void read_cost_of_dump(const Fields& fields, Checkpoint& read, std::string& link) {
  const bool has_bytes = fields.has(checkpoint_fields::kBytes),
             has_link = fields.has(checkpoint_fields::kLink);
  if (has_bytes && fields.has(checkpoint_fields::kCostOfJob))
    fields.fail(checkpoint_fields::kCostOfJob,
                "bytes over a link stand in place of 'cost'; give one of them");
  if (has_bytes && !has_link)
    fields.fail(checkpoint_fields::kBytes, "bytes need the 'link' that they go over, which is missing");
  if (has_link && !has_bytes)
    fields.fail(checkpoint_fields::kLink, "link is where 'bytes' go, which are missing");
  if (!has_bytes) {
    read.cost = fields.number(checkpoint_fields::kCostOfJob);
    return;
  }
  read.bytes = fields.number(checkpoint_fields::kBytes);
  link = fields.text(checkpoint_fields::kLink);
  if (link.empty()) fields.fail(checkpoint_fields::kLink, "link must be the name of a link, got ''");
}

// Reads the table on top of the stack.
void read_checkpoint_of_job(const Fields& job, ShapeRecord& record) {
  lua_State* L = job.state();
  const std::string subject = fmt::format("{}: checkpoint", job.subject());
  const Fields fields(L, lua_gettop(L), {subject}, checkpoint_fields::kOfJob);
  Checkpoint& read = record.checkpoint;
  read_cost_of_dump(fields, read, record.link);
  read.restart = fields.number(checkpoint_fields::kRestart);
  read.local = fields.choice(checkpoint_fields::kStore) == 1;
  record.shape.checkpoints = true;
  if (!fields.push(checkpoint_fields::kEvery)) fields.fail(nullptr, "'interval' is missing");
  const auto word = lua_type(L, -1) == LUA_TSTRING ? text_at(L, -1) : std::nullopt;
  const bool by_formula = word == "young" || word == "daly";
  lua_pop(L, 1);
  if (by_formula) {
    read.rule = word == "young" ? Checkpoint::Rule::young : Checkpoint::Rule::daly;
    if (read.cost == 0 && read.bytes == 0)
      fields.fail(checkpoint_fields::kCostOfJob, "where interval is \"{}\", cost must be above 0 s", *word);
  } else {
    read.interval = fields.number(checkpoint_fields::kInterval);
  }
}

void read_checkpoint(const Fields& job, ShapeRecord& record) {
  try {
    read_checkpoint_of_job(job, record);
  } catch (const Error& error) {
    Diagnostic diagnostic = error.diagnostic();
    if (diagnostic.code != "bad_field" && diagnostic.code != "out_of_range") throw;
    diagnostic.code = "bad_checkpoint";
    throw Error(std::move(diagnostic));
  }
}

void read_shape(const Fields& fields, WorkRecord& record) {
  ShapeRecord read;
  Shape& shape = read.shape;
  SizesRecord sizes;
  if (fields.has(work_fields::kPerNode))
    shape.per_node = static_cast<std::int32_t>(fields.integer(work_fields::kPerNode));
  if (fields.has(work_fields::kProcesses)) {
    for (const FieldRow* other : {&work_fields::kNodes, &work_fields::kCores})
      if (fields.has(*other))
        fail_shape(fields, *other, "processes stands in place of nodes and cores, so '{}' has no place",
                   other->name);
    shape.nodes = 0;
    sizes = {.field = &work_fields::kProcesses, .cores = 0};
    read_sizes(fields, sizes);
    record.cores = sizes.allowed.front();
  } else {
    if (fields.has(work_fields::kPerNode))
      fail_shape(fields, work_fields::kPerNode,
                 "per_node is the most of each host for 'processes', which is missing");
    record.cores = static_cast<std::int32_t>(fields.integer(work_fields::kCores));
    sizes = {.field = &work_fields::kNodes, .cores = record.cores};
    read_sizes(fields, sizes);
    shape.nodes = sizes.allowed.front();
    if (static_cast<std::int64_t>(sizes.allowed.back()) * record.cores > Shape::kMost)
      fail_shape(fields, work_fields::kNodes, "{} nodes of {} cores are more than {} cores",
                 sizes.allowed.back(), record.cores, Shape::kMost);
  }
  read_mold(fields, sizes, record, shape);
  shape.exclusive = fields.flag(work_fields::kExclusive);
  shape.same = static_cast<Together>(fields.choice(work_fields::kSame));
  read.only = names_of_hosts(fields, work_fields::kOnly);
  read.reservation = fields.text(work_fields::kInside);
  if (read.reservation.empty() && fields.has(work_fields::kInside))
    fields.fail(work_fields::kInside, "reservation must be the name of one, got ''");
  read.limit = fields.number(work_fields::kLimit);
  read.grace = fields.number(work_fields::kGrace);
  if (read.grace > 0 && read.limit == kNever)
    fields.fail(work_fields::kGrace, "grace is a time beyond 'limit', which is missing");
  if (fields.push(work_fields::kCheckpoint)) {
    read_checkpoint(fields, read);
    lua_pop(fields.state(), 1);
  }
  read.load = fields.number(work_fields::kPowerLoad);
  if (!shape.is_plain() || !read.only.empty() || read.limit < kNever || !read.reservation.empty() ||
      read.load != 1)
    record.shape = std::move(read);
}

void read_job(const Fields& fields, WorkRecord& record) {
  read_shape(fields, record);
  record.submission = {.queue = fields.text(work_fields::kQueue),
                       .qos = fields.text(work_fields::kQos),
                       .account = fields.text(work_fields::kAccount),
                       .nice = fields.number(work_fields::kNice)};
  record.needs.memory = fields.number(work_fields::kMemory, Needs::kUndeclared);
  NamedDemand demand;
  if (!std::isnan(record.needs.memory)) demand.memory = std::ceil(record.needs.memory);
  demand.memory_per_core = std::ceil(fields.number(work_fields::kMemoryPerCore, 0));
  demand.resources = counts_of(fields, work_fields::kResources);
  demand.resources_per_core = counts_of(fields, work_fields::kResourcesPerCore);
  demand.licences = counts_of(fields, work_fields::kLicences);
  for (const FieldRow* field : {&work_fields::kMemory, &work_fields::kMemoryPerCore})
    if (fields.number(*field, 0) > model::kMostOfConsumable)
      fields.fail(*field, "{} must be at most 2^53 B, got {}", field->name, fields.number(*field, 0));
  if (demand != NamedDemand{}) record.demand = std::move(demand);
  record.needs.memory_traffic = fields.number(work_fields::kMemoryTraffic, Needs::kUndeclared);
}

void read_load(const Fields& fields, WorkRecord& record) {
  record.extra.size = fields.number(work_fields::kSize);
  record.extra.bytes = fields.number(work_fields::kBytes);
  record.extra.bytes_estimate = fields.number(work_fields::kBytesEstimate, record.extra.bytes);
}

void read_reservation(const Fields& fields, WorkRecord& record) {
  record.extra.hosts = static_cast<std::int32_t>(fields.integer(work_fields::kHosts));
  record.extra.from = fields.number(work_fields::kFrom);
  record.extra.to = fields.number(work_fields::kTo);
  record.extra.io_ratio = fields.number(work_fields::kIoRatio);
  if (!(record.extra.to > record.extra.from))
    fields.fail(work_fields::kTo, "to must be after from = {} s, got {}", record.extra.from, record.extra.to);
}

}  // namespace

std::string name_in_record(lua_State* L, int index) {
  std::string name;
  if (lua_type(L, index) == LUA_TTABLE) {
    lua_pushliteral(L, "name");
    if (lua_rawget(L, index) == LUA_TSTRING) name = *text_at(L, -1);
    lua_pop(L, 1);
  }
  return name;
}

WorkRecord record_at(lua_State* L, int index, WorkKind kind, std::int64_t number) {
  WorkRecord record;
  record.kind = kind;
  index = lua_absindex(L, index);
  const std::string name = name_in_record(L, index);
  const Subject subject{name_of(kind), name, number};
  const Fields fields(L, index, subject, rows_of_record(kind));
  record.name = fields.text(work_fields::kName);
  record.arrival = fields.number(work_fields::kArrival);
  record.priority = fields.number(work_fields::kPriority);
  record.user = fields.text(work_fields::kUser);
  if (kind != WorkKind::reservation) {
    record.deadline = fields.number(work_fields::kDeadline);
    if (!(record.deadline > record.arrival))
      fields.fail(
          work_fields::kDeadline,
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
      record.extra.bytes = fields.number(work_fields::kBytes);
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
  const Fields fields(L, index + 1, {"workload.etc"}, matrix_fields::kAll);
  const auto matrix = [&](const FieldRow& field, std::shared_ptr<const EtcMatrix>& out) {
    const std::string_view name = field.name;
    if (!fields.push(field)) return;
    out = check<std::shared_ptr<const EtcMatrix>>(L, -1, fmt::format("workload.etc: {}", name));
    if (out->tasks != tasks.etc->tasks || out->machines != tasks.etc->machines)
      fields.fail(field, "{} is {} x {}, the matrix is {} x {}", name, out->tasks, out->machines,
                  tasks.etc->tasks, tasks.etc->machines);
    lua_pop(L, 1);
  };
  matrix(matrix_fields::kTimes, tasks.times);
  matrix(matrix_fields::kQuality, tasks.quality);
  const auto list = [&](const FieldRow& field, std::vector<double>& out) {
    const std::string_view name = field.name;
    if (!fields.push(field)) return;
    out = fields.numbers(field, fmt::format("workload.etc: {}", name));
    if (out.size() != tasks.etc->tasks)
      fields.fail(field, "there are {} {} for {} tasks", out.size(), name, tasks.etc->tasks);
    lua_pop(L, 1);
  };
  list(matrix_fields::kArrivals, tasks.arrivals);
  list(matrix_fields::kPriorities, tasks.priorities);
  const auto late = std::ranges::is_sorted_until(tasks.arrivals);
  if (late != tasks.arrivals.end())
    fields.fail(matrix_fields::kArrivals, "arrivals must ascend: number {} is {} s, after {} s",
                late - tasks.arrivals.begin() + 1, format_number(*late), format_number(*(late - 1)));
  return tasks;
}

bool has_field(lua_State* L, int record, const FieldRow& field) {
  const Balanced balanced(L);
  if (lua_type(L, record) != LUA_TTABLE) return false;
  lua_pushvalue(L, record);
  host::push(L, field.name);
  return lua_rawget(L, -2) != LUA_TNIL;
}

WorkKind kind_of_record(lua_State* L, int record) {
  const auto is_there = [&](const FieldRow& field) { return has_field(L, record, field); };
  for (const FieldRow* of_job : {&work_fields::kCores,         &work_fields::kMemory,
                                 &work_fields::kMemoryTraffic, &work_fields::kNodes,
                                 &work_fields::kProcesses,     &work_fields::kPerNode,
                                 &work_fields::kExclusive,     &work_fields::kSame,
                                 &work_fields::kOnly,          &work_fields::kLimit,
                                 &work_fields::kGrace,         &work_fields::kCheckpoint,
                                 &work_fields::kInside,        &work_fields::kMemoryPerCore,
                                 &work_fields::kResources,     &work_fields::kResourcesPerCore,
                                 &work_fields::kLicences,      &work_fields::kQueue,
                                 &work_fields::kQos,           &work_fields::kAccount,
                                 &work_fields::kNice,          &work_fields::kPowerLoad})
    if (is_there(*of_job)) return WorkKind::job;
  if (is_there(work_fields::kRuns) || is_there(work_fields::kPoints)) return WorkKind::sweep;
  if (is_there(work_fields::kSize)) return WorkKind::load;
  if (is_there(work_fields::kHosts)) return WorkKind::reservation;
  return WorkKind::task;
}

}  // namespace perigee::bindings
