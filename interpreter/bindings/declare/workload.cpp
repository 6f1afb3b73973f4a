// workload.tasks(400, function(i, rng) return { time = ... } end), workload.tasks { {...}, {...} } and the
// like.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <ranges>

#include "interpreter/bindings/simulation_value.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/declarations.h"

namespace perigee::interpreter {

using namespace lua;

namespace {

constexpr std::int64_t kWorkloadMostWorks = 100'000'000;
constexpr std::uint64_t kStepsOfRecord = 20;  // steps to copy a record or to make a work of it
constexpr Range kTimeOrNever{0, std::numeric_limits<double>::infinity(), false};

// ---- records ----

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

// The fields of a record of this kind.
Fields record_fields(lua_State* L, int index, const Subject& subject, WorkKind kind) {
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

void read_reservation(const Fields& fields, WorkRecord& record) {
  record.extra.hosts = static_cast<std::int32_t>(fields.integer("hosts", std::nullopt, 1, 100'000'000));
  record.extra.from = fields.number("from", Dimension::seconds, std::nullopt, kNotNegative);
  record.extra.to = fields.number("to", Dimension::seconds, std::nullopt, kPositive);
  record.extra.io_ratio = fields.number("io_ratio", Dimension::fraction, 0, {0, 1, false});
  if (!(record.extra.to > record.extra.from))
    fields.fail("to", "to must be after from = {} s, got {}", record.extra.from, record.extra.to);
}

// What only works of this kind have.
void read_kind(const Fields& fields, WorkRecord& record) {
  switch (record.kind) {
    case WorkKind::task:
      return read_task(fields, record);
    case WorkKind::job:
      record.cores = static_cast<std::int32_t>(fields.integer("cores", 1, 1, 100'000'000));
      record.needs.memory = fields.number("memory", Dimension::bytes, Needs::kUndeclared, kNotNegative);
      record.needs.memory_traffic =
          fields.number("memory_traffic", Dimension::bytes, Needs::kUndeclared, kNotNegative);
      break;
    case WorkKind::sweep:
      record.extra.bytes = fields.number("bytes", Dimension::bytes, 0, kNotNegative);
      read_sweep(fields, record);
      break;
    case WorkKind::load:
      record.extra.size = fields.number("size", Dimension::count, std::nullopt, kPositive);
      record.extra.bytes = fields.number("bytes", Dimension::bytes, 0, kNotNegative);
      record.extra.bytes_estimate =
          fields.number("bytes_estimate", Dimension::bytes, record.extra.bytes, kNotNegative);
      break;
    case WorkKind::reservation:
      return read_reservation(fields, record);
  }
}

// The record at `index`. `number`: its place in its list, from 1.
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
  const Fields fields = record_fields(L, index, subject, kind);
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
  read_kind(fields, record);
  return record;
}

// ---- from records to the model ----

class Builder {
 public:
  // `onto`: the works before the new ones; null = none. `seed`: of the noise. `memory`: limit for numbers, B.
  Builder(const PlatformValue& platform, const Workload* onto, std::uint64_t seed, std::uint64_t memory)
      : platform_(platform), seed_(seed), memory_(memory) {
    if (onto == nullptr) return;
    out_ = *onto;
    for (std::size_t u = 0; u < out_.users.size(); ++u) users_.emplace(out_.users[u], u);
    for (std::size_t f = 0; f < out_.files.size(); ++f) files_.emplace(out_.files[f].name, f);
  }

  void reserve(std::size_t works) { out_.works.reserve(out_.works.size() + works); }

  void add(const WorkRecord& record) {
    Work work;
    work.kind = record.kind;
    work.cores = record.cores;
    work.arrival = record.arrival;
    work.deadline = record.deadline;
    work.priority = record.priority;
    const std::size_t number = out_.works.size();
    work.form = record.time.form;
    work.amount = record.time.amount;
    work.estimate = record.estimate ? record.estimate->amount : work.amount;
    if (work.form == TimeForm::by_architecture || work.form == TimeForm::by_host) {
      work.times = row(record, record.time);
      if (record.estimate) work.estimates = row(record, *record.estimate);
    }
    if (!record.user.empty()) {
      const auto [found, is_new] = users_.emplace(record.user, static_cast<std::uint32_t>(out_.users.size()));
      if (is_new) out_.users.push_back(record.user);
      work.user = UserId(found->second);
    }
    work.inputs = static_cast<std::uint32_t>(out_.file_lists.size());
    for (const FileRecord& file : record.inputs) out_.file_lists.push_back(file_id(record, file));
    work.input_count = static_cast<std::uint16_t>(record.inputs.size());
    work.outputs = static_cast<std::uint32_t>(out_.file_lists.size());
    for (std::size_t i = 0; i < record.outputs.size(); ++i) {
      FileRecord file = record.outputs[i];
      if (file.name.empty()) file.name = fmt::format("{}.out", name(record, number));
      out_.file_lists.push_back(file_id(record, file));
    }
    work.output_count = static_cast<std::uint16_t>(record.outputs.size());
    if (record.kind == WorkKind::sweep || record.kind == WorkKind::load ||
        record.kind == WorkKind::reservation) {
      WorkExtra extra = record.extra;
      if (!record.weights.empty()) {
        extra.weights = static_cast<std::uint32_t>(out_.times.size());
        out_.times.insert(out_.times.end(), record.weights.begin(), record.weights.end());
      }
      if (record.noise > 0) add_noise(record, extra, number);
      work.extra = static_cast<std::uint32_t>(out_.extras.size());
      out_.extras.push_back(extra);
    }
    if (!record.name.empty()) {
      out_.names.resize(number);
      out_.names.push_back(record.name);
    }
    if (!std::isnan(record.needs.memory) || !std::isnan(record.needs.memory_traffic)) {
      out_.needs.resize(number);
      out_.needs.push_back(record.needs);
    }
    out_.works.push_back(work);
  }

  // Adds the table on top of the stack if it is a task of plain numbers, by far the most common; false when
  // it needs a closer look.
  bool add_plain(lua_State* L) {
    if (lua_type(L, -1) != LUA_TTABLE) return false;
    Work work;
    bool timed = false;
    lua_pushnil(L);
    while (lua_next(L, -2) != 0) {
      const auto key = text_at(L, -2);
      const double value = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : -1;
      const bool is_time = key == "time", is_ops = key == "ops", is_arrival = key == "arrival";
      if (!(is_time || is_ops || is_arrival) || !(value >= 0 && value < kAbsurd) || (!is_arrival && timed)) {
        lua_pop(L, 2);
        return false;
      }
      if (is_arrival) {
        work.arrival = value;
      } else {
        timed = true;
        work.form = is_ops ? TimeForm::operations : TimeForm::seconds;
        work.amount = work.estimate = value;
      }
      lua_pop(L, 1);
    }
    if (!timed) return false;
    out_.works.push_back(work);
    return true;
  }

  void add(const MatrixTasks& tasks, const SourceLocation& where) {
    const EtcMatrix& matrix = *tasks.etc;
    const std::size_t hosts = platform_.platform->hosts().size();
    if (matrix.machines != hosts)
      fail_at(where, "etc_size", "workload.etc: the matrix has {} machines, the platform {} hosts",
              matrix.machines, hosts);
    const auto first = static_cast<std::uint32_t>(out_.times.size());
    out_.times.insert(out_.times.end(), matrix.values.begin(), matrix.values.end());
    const auto truth = static_cast<std::uint32_t>(out_.times.size());
    if (tasks.times)
      out_.times.insert(out_.times.end(), tasks.times->values.begin(), tasks.times->values.end());
    const auto quality = static_cast<std::uint32_t>(out_.times.size());
    if (tasks.quality)
      out_.times.insert(out_.times.end(), tasks.quality->values.begin(), tasks.quality->values.end());
    for (std::size_t t = 0; t < matrix.tasks; ++t) {
      Work work;
      work.form = TimeForm::by_host;
      work.times = first + static_cast<std::uint32_t>(t * hosts);
      if (tasks.times)
        work.estimates = std::exchange(work.times, truth + static_cast<std::uint32_t>(t * hosts));
      if (!tasks.arrivals.empty()) work.arrival = tasks.arrivals[t];
      if (!tasks.priorities.empty()) work.priority = tasks.priorities[t];
      if (tasks.quality) {
        out_.qualities.resize(out_.works.size(), kNone);
        out_.qualities.push_back(quality + static_cast<std::uint32_t>(t * hosts));
      }
      if (t < matrix.task_names.size() && !matrix.task_names[t].empty()) {
        out_.names.resize(out_.works.size());
        out_.names.push_back(matrix.task_names[t]);
      }
      out_.works.push_back(work);
    }
  }

  // Adds works that refer to users, files and run times of their own.
  void add(Workload&& made) {
    PERIGEE_ASSERT(made.extras.empty() && made.qualities.empty(), "works of other kinds");
    const std::size_t first = out_.works.size();
    const auto times = static_cast<std::uint32_t>(out_.times.size());
    const auto lists = static_cast<std::uint32_t>(out_.file_lists.size());
    const std::size_t files = out_.files.size();
    std::vector<UserId> users;
    for (std::string& name : made.users) {
      const auto [found, is_new] = users_.emplace(name, static_cast<std::uint32_t>(out_.users.size()));
      if (is_new) out_.users.push_back(std::move(name));
      users.emplace_back(found->second);
    }
    for (Work& work : made.works) {
      if (work.user.valid()) work.user = users[work.user.index];
      if (work.times != kNone) work.times += times;
      if (work.estimates != kNone) work.estimates += times;
      work.inputs += lists;
      work.outputs += lists;
      out_.works.push_back(work);
    }
    out_.times.insert(out_.times.end(), made.times.begin(), made.times.end());
    for (const FileId file : made.file_lists) out_.file_lists.emplace_back(files + file.index);
    for (File& file : made.files) {
      files_.emplace(file.name, static_cast<std::uint32_t>(out_.files.size()));
      out_.files.push_back(std::move(file));
    }
    if (made.architectures > 0)
      out_.architectures =
          out_.architectures == 0 ? made.architectures : std::min(out_.architectures, made.architectures);
    const auto append = [&](auto& from, auto& to) {
      if (from.empty()) return;
      to.resize(first);
      std::move(from.begin(), from.end(), std::back_inserter(to));
    };
    append(made.names, out_.names);
    append(made.needs, out_.needs);
  }

  Workload take() {
    if (!out_.names.empty()) out_.names.resize(out_.works.size());
    if (!out_.needs.empty()) out_.needs.resize(out_.works.size());
    if (!out_.qualities.empty()) out_.qualities.resize(out_.works.size(), kNone);
    return std::move(out_);
  }

 private:
  static std::string name(const WorkRecord& record, std::size_t number) {
    return record.name.empty() ? fmt::format("{} {}", name_of(record.kind), number + 1) : record.name;
  }

  // Adds a lognormal factor of mean 1 for each trial of each run. The factor depends on seed, work, run and
  // trial alone, so that policies are compared on the same factors.
  void add_noise(const WorkRecord& record, WorkExtra& extra, std::size_t number) {
    const double count = extra.size * extra.trials;
    const double most = memory_ > 0 ? static_cast<double>(memory_) / sizeof(double) : kNever;
    if (static_cast<double>(out_.times.size()) + count > std::min(most, double{kNone - 1}))
      fail_at(record.declared_at, "too_large",
              "{}: noise of {:.0f} simulations is too much to keep (--memory)", name(record, number), count);
    extra.noise = static_cast<std::uint32_t>(out_.times.size());
    constexpr std::uint64_t kStepsOfNoise = 5;
    const Stream of_work = Stream(seed_, "noise").sub(number);
    for (std::uint64_t run = 0; run < static_cast<std::uint64_t>(extra.size); ++run) {
      did_work(kStepsOfNoise * static_cast<std::uint64_t>(extra.trials));
      Stream rng = of_work.sub(run);
      for (std::int32_t trial = 0; trial < extra.trials; ++trial)
        out_.times.push_back(rng.lognormal(1, record.noise));
    }
  }

  std::uint32_t row(const WorkRecord& record, const TimesRecord& times) {
    const auto first = static_cast<std::uint32_t>(out_.times.size());
    const Platform& platform = *platform_.platform;
    const bool by_host = times.form == TimeForm::by_host;
    const std::size_t columns = by_host ? platform.hosts().size() : platform_.architectures.size();
    const std::string_view what = by_host ? "host" : "architecture";
    if (!times.by_place.empty()) {
      if (times.by_place.size() != columns)
        fail_at(record.declared_at, "bad_work", "{}: times has {} values, the platform {} hosts",
                name(record, out_.works.size()), times.by_place.size(), columns);
      out_.times.insert(out_.times.end(), times.by_place.begin(), times.by_place.end());
      return first;
    }
    if (by_host && host_of_.empty())
      for (std::size_t h = 0; h < columns; ++h) host_of_.emplace(platform.hosts()[h].name, h);
    out_.times.resize(first + columns, kNever);
    for (const auto& [key, value] : times.by_name) {
      std::size_t column = columns;
      if (by_host) {
        const auto found = host_of_.find(key);
        if (found != host_of_.end()) column = found->second;
      } else {
        const auto& names = platform_.architectures;
        column = static_cast<std::size_t>(std::find(names.begin(), names.end(), key) - names.begin());
      }
      if (column == columns) {
        std::vector<std::string> names;
        if (by_host)
          for (const Host& host : platform.hosts()) names.push_back(host.name);
        else
          names = platform_.architectures;
        fail_at(record.declared_at, "bad_work", "{}: the platform has no {} '{}'{}",
                name(record, out_.works.size()), what, key, did_you_mean(key, names));
      }
      out_.times[first + column] = value;
    }
    return first;
  }

  FileId file_id(const WorkRecord& record, const FileRecord& file) {
    const auto [found, is_new] = files_.emplace(file.name, static_cast<std::uint32_t>(out_.files.size()));
    if (is_new) {
      out_.files.push_back({file.name, file.size, file.estimate});
    } else if (const File& known = out_.files[found->second]; known.size != file.size) {
      fail_at(record.declared_at, "bad_work", "{}: file '{}' is {} here but {} elsewhere",
              name(record, out_.works.size()), file.name, format_quantity(file.size, Dimension::bytes),
              format_quantity(known.size, Dimension::bytes));
    }
    return FileId(found->second);
  }

  const PlatformValue& platform_;
  const std::uint64_t seed_, memory_;
  Workload out_;
  std::unordered_map<std::string, std::uint32_t> users_, files_;
  std::unordered_map<std::string, std::size_t> host_of_;
};

// ---- constructors ----

template <WorkKind kind>
int make_list(lua_State* L) {
  return guard(L, [&] {
    const std::string what = fmt::format("workload.{}s", name_of(kind));
    WorkloadPart part;
    part.kind = kind;
    part.declared_at = caller(L);
    if (lua_type(L, 1) == LUA_TTABLE) {
      if (!lua_isnoneornil(L, 2))
        fail("bad_type", "{}: a list stands alone; a generator follows a number", what);
      const Fields fields(L, 1, {what}, {}, true);
      part.records.reserve(static_cast<std::size_t>(fields.count()));
      for (std::int64_t i = 1; i <= fields.count(); ++i) {
        lua_rawgeti(L, 1, i);
        part.records.push_back(record_at(L, -1, kind, i));
        part.records.back().declared_at = part.declared_at;
        lua_pop(L, 1);
      }
      part.count = fields.count();
    } else {
      part.count = integer_at(L, 1, what + ": the number of them", 0, kWorkloadMostWorks);
      if (lua_type(L, 2) != LUA_TFUNCTION)
        fail("bad_type", "{}: the second argument must be a function(i, rng), got {}", what, shown(L, 2));
      part.generator = Reference(L, 2);
      part.made_in = Interpreter::of(L).cell();
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
    part.records.push_back(record_at(L, 1, WorkKind::sweep, 1));
    part.count = 1;
    WorkloadValue value;
    value.parts.push_back(std::move(part));
    push_new(L, std::move(value));
    return 1;
  });
}

// A matrix at `index`, and after it perhaps { times =, quality =, arrivals =, priorities = }.
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
      part.made_in = Interpreter::of(L).cell();
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
      const int count = static_cast<int>(lua_rawlen(L, 1));
      for (int i = 1; i <= count; ++i) {
        lua_rawgeti(L, 1, i);
        add(check<WorkloadValue>(L, -1, fmt::format("workload.merge: entry {}", i)));
        lua_pop(L, 1);
      }
    } else {
      for (int i = 1; i <= lua_gettop(L); ++i)
        add(check<WorkloadValue>(L, i, fmt::format("workload.merge: argument {}", i)));
    }
    push_new(L, std::move(value));
    return 1;
  });
}

// file(name, size [, estimate])
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
    file.estimate = lua_isnoneornil(L, 3) ? file.size
                                          : number_at(L, 3, fmt::format("file '{}': estimate", *name),
                                                      Dimension::bytes, kNotNegative);
    push_new(L, std::move(file));
    return 1;
  });
}

int file_text(lua_State* L) {
  return guard(L, [&] {
    const auto& file = check<FileRecord>(L, 1);
    lua::push(L, fmt::format("file '{}' of {}", file.name, format_quantity(file.size, Dimension::bytes)));
    return 1;
  });
}

bool file_property(lua_State* L, int index, std::string_view name) {
  const auto& file = check<FileRecord>(L, index);
  if (name == "name") {
    lua::push(L, file.name);
  } else if (name == "size") {
    lua_pushnumber(L, file.size);
  } else {
    return false;
  }
  return true;
}

int workload_text(lua_State* L) {
  return guard(L, [&] {
    const auto& value = check<WorkloadValue>(L, 1);
    lua::push(L, fmt::format("workload of {}", value.pieces()));
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
    {"__tostring", workload_text}, {"__len", workload_size}, {nullptr, nullptr}};
constexpr luaL_Reg kFileMeta[] = {{"__tostring", file_text}, {nullptr, nullptr}};
constexpr luaL_Reg kWorkloadModule[] = {{"tasks", make_list<WorkKind::task>},
                                        {"jobs", make_list<WorkKind::job>},
                                        {"loads", make_list<WorkKind::load>},
                                        {"reservations", make_list<WorkKind::reservation>},
                                        {"sweeps", make_list<WorkKind::sweep>},
                                        {"sweep", make_sweep},
                                        {"grid", sweep_grid},
                                        {"etc", make_etc_of_workload},
                                        {"merge", merge},
                                        {"random_loads", random_loads},
                                        {nullptr, nullptr}};

}  // namespace

std::int64_t lua::WorkloadValue::size() const {
  std::int64_t count = 0;
  for (const WorkloadPart& part : parts) count += part.count;
  return count;
}

std::uint64_t lua::WorkloadValue::steps_to_copy() const {
  std::uint64_t steps = 0;
  for (const WorkloadPart& part : parts) steps += kStepsOfRecord * (1 + part.records.size());
  return steps;
}

bool lua::WorkloadValue::counted() const {
  return std::ranges::none_of(
      parts, [](const WorkloadPart& part) { return part.generates_matrix || part.draw != nullptr; });
}

std::string lua::WorkloadValue::pieces() const {
  const std::int64_t count = size();
  std::string known = fmt::format("{} {}", count, count == 1 ? "piece" : "pieces");
  if (counted()) return known;
  const bool matrix = std::ranges::any_of(parts, &WorkloadPart::generates_matrix);
  const char* made = matrix ? "a matrix made when a run starts" : "loads drawn when a run starts";
  return count == 0 ? made : fmt::format("{} and {}", known, made);
}

WorkloadValue lua::submission_at(lua_State* L, int index, const char* what) {
  if (const WorkloadValue* value = test<WorkloadValue>(L, index)) return *value;
  if (lua_type(L, index) != LUA_TTABLE)
    fail("bad_type", "{}: a record {{ time = ... }}, a list of them or a workload is needed, got {}", what,
         shown(L, index));
  const auto is_there = [&](int record, const char* field) {
    const Balanced balanced(L);
    if (lua_type(L, record) != LUA_TTABLE) return false;
    lua_pushvalue(L, record);
    lua_pushstring(L, field);
    return lua_rawget(L, -2) != LUA_TNIL;
  };
  const auto kind_of = [&](int record) {
    if (is_there(record, "cores") || is_there(record, "memory") || is_there(record, "memory_traffic"))
      return WorkKind::job;
    if (is_there(record, "runs") || is_there(record, "points")) return WorkKind::sweep;
    if (is_there(record, "size")) return WorkKind::load;
    if (is_there(record, "hosts")) return WorkKind::reservation;
    return WorkKind::task;
  };
  WorkloadPart part;
  part.declared_at = caller(L);
  // `at` is an option of sim:submit and sim:quote, not of the record.
  const auto with_when = [&](const Error& error, int record) {
    Diagnostic diagnostic = error.diagnostic();
    if (diagnostic.code == "unknown_field" && is_there(record, "at"))
      diagnostic.notes.assign(
          1,
          test<SimulationValue>(L, 1) != nullptr
              ? fmt::format("`at` stands in a second table, sim:{}({{ time = 60 }}, {{ at = 5 }}); or write "
                            "arrival = 5",
                            what)
              : "when it comes is written arrival = 5");
    return Error(std::move(diagnostic));
  };
  const auto add = [&](int record, std::int64_t number) {
    try {
      part.records.push_back(record_at(L, record, kind_of(record), number));
    } catch (const ScriptError&) {
      throw;
    } catch (const Error& error) {
      throw with_when(error, record);
    }
    part.records.back().declared_at = part.declared_at;
  };
  if (lua_rawlen(L, index) > 0) {
    const Fields fields(L, index, {what}, {}, true);
    for (std::int64_t i = 1; i <= fields.count(); ++i) {
      lua_rawgeti(L, index, i);
      add(lua_gettop(L), i);
      lua_pop(L, 1);
    }
  } else {
    add(lua_absindex(L, index), 1);
  }
  part.count = static_cast<std::int64_t>(part.records.size());
  WorkloadValue value;
  value.parts.push_back(std::move(part));
  return value;
}

namespace {

// While it lives, generators make the works of one workload. What they leave in captured variables is put back; what
// they change elsewhere is an error for the next workload that depends on it.
class Generating {
 public:
  explicit Generating(lua_State* L) : L_(L) {}
  ~Generating() {
    for (const CapturedVariables& each : std::ranges::reverse_view(captured_)) each.put_back(L_);
  }
  Generating(const Generating&) = delete;
  Generating& operator=(const Generating&) = delete;

  void enter(const WorkloadPart& part) {
    if (!part.generator.valid()) return;
    lua_Debug place;
    part.generator.push(L_);
    lua_getinfo(L_, ">S", &place);
    const auto seen = std::make_shared<Surroundings>(lua::kKeepsNothing);
    seen->add(fmt::format("the function in line {}", place.linedefined), part.generator);
    Interpreter& interpreter = Interpreter::of(L_);
    const bool of_cell = interpreter.in_cell() && part.made_in == interpreter.cell();
    interpreter.traces().enter(L_, interpreter.traces().new_run(), "a workload", seen, of_cell);
    captured_.emplace_back(L_, part.generator);
  }

 private:
  lua_State* L_;
  std::vector<CapturedVariables> captured_;
};

// Makes the works of a workload, part by part.
class Realizing {
 public:
  Realizing(lua_State* L, const PlatformValue& platform, std::uint64_t seed, const Workload* onto)
      : L_(L),
        platform_(platform),
        stream_(seed, onto == nullptr ? "workload" : fmt::format("workload/{}", onto->size())),
        memory_(Interpreter::of(L).options().memory),
        builder_(platform, onto, seed, memory_),
        in_run_(Interpreter::of(L)),
        generating_(L) {}

  Workload make(const WorkloadValue& value) {
    check_size(value.size(), sizeof(Work));
    builder_.reserve(static_cast<std::size_t>(value.size()));
    for (const WorkloadPart& part : value.parts) add(part);
    return builder_.take();
  }

 private:
  void check_size(std::int64_t pieces, std::size_t bytes_each) const {
    if (pieces > kWorkloadMostWorks) fail("too_large", "a workload of {} pieces is too large", pieces);
    const std::uint64_t needed = static_cast<std::uint64_t>(pieces) * bytes_each;
    if (memory_ > 0 && needed > memory_)
      Interpreter::of(L_).stop(
          "memory_limit",
          fmt::format("a workload of {} pieces needs {}, more than the limit of {} (--memory)", pieces,
                      format_quantity(static_cast<double>(needed), Dimension::bytes),
                      format_quantity(static_cast<double>(memory_), Dimension::bytes)));
  }

  void add(const WorkloadPart& part) {
    if (part.matrix.etc) return builder_.add(part.matrix, part.declared_at);
    if (part.jobs) return builder_.add(part.jobs(*platform_.platform));
    did_work(kStepsOfRecord * part.records.size());
    for (const WorkRecord& record : part.records) builder_.add(record);
    if (!part.generator.valid() && !part.draw) return;
    const std::uint64_t k = generators_++;
    const Stream own = k == 0 ? stream_ : stream_.sub(k);
    generating_.enter(part);
    if (part.draw)
      draw(part, own.sub(0));
    else
      generate(part, own);
  }

  void draw(const WorkloadPart& part, const Stream& stream) {
    protect(L_, [&](lua_State* L) {
      part.draw(L, *platform_.platform, stream, [&](WorkRecord record) {
        Interpreter::of(L).count(1);
        check_size(++drawn_, sizeof(Work) + sizeof(WorkExtra));
        record.declared_at = part.declared_at;
        builder_.add(record);
      });
    });
  }

  void generate(const WorkloadPart& part, const Stream& stream) {
    protect(L_, [&](lua_State* L) {
      push_new(L, RandomValue{stream});
      part.generator.push(L);
      lua_Debug place;
      lua_pushvalue(L, -1);
      lua_getinfo(L, ">S", &place);
      const SourceLocation defined =
          place.source[0] == '@' ? SourceLocation{place.source + 1, place.linedefined} : part.declared_at;
      const Anchor anchor(L, defined);
      if (part.generates_matrix) {
        lua_pushvalue(L, 2);
        lua_pushvalue(L, 1);
        lua_call(L, 1, 2);
        return builder_.add(matrix_tasks_at(L, lua_gettop(L) - 1), defined);
      }
      for (std::int64_t i = 1; i <= part.count; ++i) generate(L, part, i, defined);
    });
  }

  // Calls the function at 2 with the stream at 1.
  void generate(lua_State* L, const WorkloadPart& part, std::int64_t i, const SourceLocation& defined) {
    lua_pushvalue(L, 2);
    lua_pushinteger(L, i);
    lua_pushvalue(L, 1);
    lua_call(L, 2, 1);
    if (part.kind != WorkKind::task || !builder_.add_plain(L)) {
      if (lua_isnil(L, -1))
        fail_at(defined, "bad_type", "{} {}: the function returned nothing; it must return a table, as in {}",
                name_of(part.kind), i, "return { time = 5 }");
      WorkRecord record = record_at(L, -1, part.kind, i);
      record.declared_at = defined;
      builder_.add(record);
    }
    lua_pop(L, 1);
  }

  lua_State* L_;
  const PlatformValue& platform_;
  const Stream stream_;
  const std::uint64_t memory_;
  Builder builder_;
  std::uint64_t generators_ = 0;
  std::int64_t drawn_ = 0;
  const Interpreter::InRun in_run_;
  Generating generating_;
};

}  // namespace

Workload lua::realize(lua_State* L, const WorkloadValue& value, const PlatformValue& platform,
                      std::uint64_t seed, const Workload* onto) {
  return Realizing(L, platform, seed, onto).make(value);
}

void open_workload(lua_State* L) {
  new_type<WorkloadValue>(L, nullptr, kWorkloadMeta, workload_property, {"log"});
  new_type<FileRecord>(L, nullptr, kFileMeta, file_property, {"name", "size"});
  push_module(L, "workload", kWorkloadModule);
  define(L, "workload");
  define(L, "file", make_file);
}

}  // namespace perigee::interpreter
