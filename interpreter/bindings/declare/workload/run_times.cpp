#include "interpreter/bindings/declare/workload/run_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string_view>

#include "interpreter/bindings/declare/speedup.h"
#include "interpreter/language/fields/speedups.h"
#include "interpreter/language/fields/work.h"

namespace perigee::bindings {

namespace {

// Reads a number, or a table of numbers by architecture (`time`) or host (`times`).
TimesRecord times_at(const Fields& fields, const FieldRow& field, TimeForm number_form, TimeForm table_form) {
  lua_State* L = fields.state();
  const std::string_view name = field.name;
  TimesRecord record;
  record.form = number_form;
  if (lua_type(L, -1) != LUA_TTABLE) {
    lua_pop(L, 1);
    record.amount = fields.number(field);
    return record;
  }
  const std::string subject = fmt::format("{}: {}", fields.subject(), name);
  if (number_form == TimeForm::operations)
    fields.fail(field, "{} must be a number of operations, got a table", name);
  record.form = table_form;
  const int table = lua_gettop(L);
  if (lua_rawlen(L, table) > 0) {
    if (table_form == TimeForm::by_architecture)
      fields.fail(field, "{} by architecture needs their names as keys", name);
    record.by_place =
        fields.inside(field, [&] { return numbers_at(L, table, subject, field.dimension, kTimeOrNever); });
    return record;
  }
  each_sorted(L, table, [&] {
    const auto key = text_at(L, -2);
    if (!key) fields.fail(field, "{}: {} is no name", name, shown(L, -2));
    const double time = fields.inside(field, [&] {
      return number_at(L, -1, fmt::format("{}.{}", subject, *key), field.dimension, kTimeOrNever);
    });
    record.by_name.emplace_back(*key, time);
  });
  if (record.by_name.empty()) fields.fail(field, "{} is an empty table", name);
  return record;
}

// Whether the field tells a time by size. The job's sizes are read later.
bool is_by_size(const Fields& fields, const FieldRow& field) {
  lua_State* L = fields.state();
  if (!fields.push(field)) return false;
  const bool by_size = lua_type(L, -1) == LUA_TFUNCTION || test<values::SpeedUp>(L, -1) != nullptr;
  lua_pop(L, 1);
  return by_size;
}

// The whole number on top of the stack.
std::int64_t size_on_top(const Fields& fields, const FieldRow& field, std::string_view what) {
  lua_State* L = fields.state();
  int whole = 0;
  const lua_Integer size = lua_type(L, -1) == LUA_TNUMBER ? lua_tointegerx(L, -1, &whole) : 0;
  if (whole == 0 || size < 1 || size > work_fields::kMostCores)
    fail_shape(fields, field, "{} must be a whole number from 1 to {}, got {}", what, work_fields::kMostCores,
               shown(L, -1));
  return size;
}

}  // namespace

void read_sizes(const Fields& fields, SizesRecord& sizes) {
  constexpr std::int64_t kMostSizes = 10'000;
  lua_State* L = fields.state();
  const Balanced balanced(L);
  const FieldRow& field = *sizes.field;
  const std::string_view name = field.name;
  if (!fields.push(field) || lua_type(L, -1) != LUA_TTABLE) {
    sizes.allowed.assign(1, static_cast<std::int32_t>(fields.integer(field)));
    return;
  }
  sizes.listed = true;
  const int table = lua_gettop(L);
  const auto check_count = [&](std::int64_t count) {
    if (count > kMostSizes)
      fail_shape(fields, field, "{} has {} sizes, more than {}; list fewer of them", name, count, kMostSizes);
  };
  lua_pushnil(L);
  if (lua_next(L, table) == 0) fail_shape(fields, field, "{} is an empty list of sizes", name);
  lua_pop(L, 2);
  if (lua_rawlen(L, table) > 0) {
    const lua_Integer count = list_length(L, table, fmt::format("{}: {}", fields.subject(), name));
    check_count(count);
    for (lua_Integer i = 1; i <= count; ++i) {
      lua_rawgeti(L, table, i);
      sizes.allowed.push_back(
          static_cast<std::int32_t>(size_on_top(fields, field, fmt::format("{}[{}]", name, i))));
      lua_pop(L, 1);
    }
    std::ranges::sort(sizes.allowed);
    if (const auto twice = std::ranges::adjacent_find(sizes.allowed); twice != sizes.allowed.end())
      fail_shape(fields, field, "{} has the size {} twice", name, *twice);
    return;
  }
  const std::string subject = fmt::format("{}: {}", fields.subject(), name);
  const Fields range(L, table, {subject}, speedup_fields::kRange);
  const auto bound = [&](const FieldRow& of) -> std::int64_t {
    if (!range.push(of)) return 1;
    const std::int64_t size = size_on_top(fields, field, fmt::format("{}.{}", name, of.name));
    lua_pop(L, 1);
    return size;
  };
  if (!range.has(speedup_fields::kMost)) fail_shape(fields, field, "{}: 'most' is missing", name);
  const std::int64_t least = bound(speedup_fields::kLeast), most = bound(speedup_fields::kMost);
  if (least > most) fail_shape(fields, field, "{}: least = {} is more than most = {}", name, least, most);
  check_count(most - least + 1);
  for (std::int64_t size = least; size <= most; ++size)
    sizes.allowed.push_back(static_cast<std::int32_t>(size));
}

namespace {

// The time that the value on top of the stack, a speed-up or a function, tells for one size. `of` names the field in
// messages.
double time_of_size(const Fields& fields, const FieldRow& field, std::string_view of,
                    const SizesRecord& sizes, std::int32_t size) {
  lua_State* L = fields.state();
  const int top = lua_gettop(L);
  const std::int64_t cores = sizes.cores == 0 ? size : std::int64_t{size} * sizes.cores;
  double time = 0;
  std::string got;
  if (const auto* given = test<values::SpeedUp>(L, top)) {
    if (given->law == values::SpeedUp::Law::table) {
      const auto entry = time_in_table(*given, size);
      if (!entry)
        fail_shape(fields, field, "{}: the table of the speed-up has no time for {}", of, sizes.text(size));
      time = *entry;
    } else {
      time = *given->alone / speedup_at(*given, static_cast<double>(cores));
    }
  } else {
    lua_pushvalue(L, top);
    if (sizes.cores == 0)
      lua_pushnil(L);
    else
      lua_pushinteger(L, size);
    lua_pushinteger(L, cores);
    lua_call(L, 2, 1);
    got = shown(L, -1);
    if (lua_type(L, -1) == LUA_TNUMBER)
      time = lua_tonumber(L, -1);
    else if (lua_type(L, -1) == LUA_TSTRING)
      time = number_at(L, -1, fmt::format("{}: {} on {}", fields.subject(), of, sizes.text(size)),
                       field.dimension, Range{});
    lua_pop(L, 1);
  }
  if (!(time > 0) || !(time < kAbsurd))
    fail_shape(fields, field, "{} on {} must be positive and finite, got {}", of, sizes.text(size),
               got.empty() ? format_number(time) : got);
  return time;
}

// The times of all sizes, where the field tells them by size; otherwise none.
std::vector<double> times_by_size(const Fields& fields, const FieldRow& field, bool operations,
                                  const SizesRecord& sizes) {
  lua_State* L = fields.state();
  const Balanced balanced(L);
  if (!is_by_size(fields, field)) return {};
  FieldRow unit = operations ? work_fields::kOps : work_fields::kTime;
  unit.name = field.name;
  if (!sizes.listed)
    fail_shape(fields, field,
               "{} is by size, so the job needs several: nodes = {{ 1, 2, 4 }} or {{ least = 1, most = 4 }}, "
               "likewise processes",
               field.name);
  (void)fields.push(field);
  if (const auto* given = test<values::SpeedUp>(L, -1)) {
    if (given->law != values::SpeedUp::Law::table && !given->alone)
      fail_shape(fields, field,
                 "{}: the speed-up has no 'time', so it says nothing of how long the job takes", field.name);
    const auto other = operations ? values::SpeedUp::Unit::seconds : values::SpeedUp::Unit::operations;
    if (given->unit == other)
      fail_shape(fields, field, "{}: the speed-up is of {}, not of {}", field.name,
                 operations ? "seconds" : "operations", operations ? "operations" : "seconds");
  }
  std::vector<double> times;
  for (const std::int32_t size : sizes.allowed)
    times.push_back(time_of_size(fields, unit, field.name, sizes, size));
  return times;
}

}  // namespace

void read_mold(const Fields& fields, const SizesRecord& sizes, WorkRecord& record, Shape& shape) {
  const bool operations = record.time.form == TimeForm::operations;
  std::vector<double> amounts = times_by_size(
      fields, fields.has(work_fields::kOps) ? work_fields::kOps : work_fields::kTime, operations, sizes);
  std::vector<double> estimates = times_by_size(fields, work_fields::kEstimate, operations, sizes);
  if (!amounts.empty()) record.time.amount = amounts.front();
  if (!estimates.empty()) record.estimate->amount = estimates.front();
  if (sizes.allowed.size() == 1) return;
  auto made = std::make_shared<Sizes>();
  made->estimates = record.estimate ? std::move(estimates) : amounts;
  made->amounts = std::move(amounts);
  made->allowed = sizes.allowed;
  shape.sizes = std::move(made);
}

namespace {

void refuse_by_size(const Fields& fields, const FieldRow& field) {
  if (is_by_size(fields, field))
    fail_shape(fields, field, "{} is by size, which only jobs have, with nodes or processes", field.name);
}

// Reads a time whose value by size, if it has one, is filled in later.
TimesRecord time_or_later(const Fields& fields, const FieldRow& field, TimeForm number_form,
                          TimeForm table_form) {
  if (test<values::SpeedUp>(fields.state(), -1) == nullptr && lua_type(fields.state(), -1) != LUA_TFUNCTION)
    return times_at(fields, field, number_form, table_form);
  lua_pop(fields.state(), 1);
  return {.form = number_form};
}

}  // namespace

void read_times(const Fields& fields, WorkRecord& record) {
  lua_State* L = fields.state();
  const Balanced balanced(L);
  const int given = int{fields.has(work_fields::kTime)} + int{fields.has(work_fields::kOps)} +
                    int{fields.has(work_fields::kTimes)};
  if (given == 0) fields.fail(nullptr, "its run time is missing: time, ops or times");
  if (given > 1) fields.fail(work_fields::kOps, "only one of time, ops and times can be given");
  if (record.kind != WorkKind::job)
    for (const FieldRow* field : {&work_fields::kTime, &work_fields::kOps, &work_fields::kEstimate})
      refuse_by_size(fields, *field);
  if (fields.push(work_fields::kTime))
    record.time = time_or_later(fields, work_fields::kTime, TimeForm::seconds, TimeForm::by_architecture);
  else if (fields.push(work_fields::kOps))
    record.time = time_or_later(fields, work_fields::kOps, TimeForm::operations, TimeForm::operations);
  else if (fields.push(work_fields::kTimes)) {
    if (lua_type(L, -1) != LUA_TTABLE)
      fields.fail(work_fields::kTimes, "times must be a table with a time per host, got {}", shown(L, -1));
    record.time = times_at(fields, work_fields::kTimes, TimeForm::seconds, TimeForm::by_host);
  }
  if (fields.push(work_fields::kEstimate)) {
    const bool operations = record.time.form == TimeForm::operations;
    const TimeForm table =
        record.time.form == TimeForm::by_architecture ? TimeForm::by_architecture : TimeForm::by_host;
    FieldRow estimate = operations ? work_fields::kOps : work_fields::kTime;
    estimate.name = work_fields::kEstimate.name;
    record.estimate =
        time_or_later(fields, estimate, operations ? TimeForm::operations : TimeForm::seconds, table);
    if (record.estimate->form != record.time.form)
      fields.fail(estimate, "estimate must have the same form as the time itself");
  }
}

}  // namespace perigee::bindings
