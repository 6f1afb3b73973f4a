// speedup: run times of jobs by their sizes, as values.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "interpreter/bindings/declare/speedup.h"
#include "interpreter/bindings/statistics.h"
#include "interpreter/language/fields/speedups.h"
#include "interpreter/session/interpreter.h"
#include "runtime/cost/speedup.h"
#include "runtime/kernel/name_ranges.h"

namespace perigee::bindings {

using values::SpeedUp;

namespace {

std::string speedup_text(const SpeedUp& given) {
  switch (given.law) {
    case SpeedUp::Law::amdahl:
      return fmt::format("speedup.amdahl {{ serial = {} }}", format_number(given.serial));
    case SpeedUp::Law::downey:
      return fmt::format("speedup.downey {{ parallelism = {}, sigma = {} }}",
                         format_number(given.parallelism), format_number(given.sigma));
    case SpeedUp::Law::table:
      break;
  }
  return fmt::format("speedup.table of {} size{}", given.times.size(), given.times.size() == 1 ? "" : "s");
}

}  // namespace

template <>
struct Shown<SpeedUp> {
  static std::string text(const SpeedUp& given) { return speedup_text(given); }
};

namespace {

std::string sizes_of_table(const SpeedUp& given) {
  std::vector<std::int32_t> sizes;
  for (const auto& [size, time] : given.times) sizes.push_back(size);
  return one_of(sizes);
}

void read_alone(const Fields& fields, SpeedUp& made) {
  const bool ops = fields.has(speedup_fields::kOps);
  if (ops && fields.has(speedup_fields::kTime))
    fields.fail(speedup_fields::kOps, "only one of time and ops can be given");
  const FieldRow& field = ops ? speedup_fields::kOps : speedup_fields::kTime;
  if (!fields.push(field)) return;
  made.unit = ops                                           ? SpeedUp::Unit::operations
              : lua_type(fields.state(), -1) == LUA_TSTRING ? SpeedUp::Unit::seconds
                                                            : SpeedUp::Unit::number;
  lua_pop(fields.state(), 1);
  made.alone = fields.number(field);
}

// speedup.amdahl { time =, serial = }
int amdahl(lua_State* L) {
  const Fields fields(L, 1, {"speedup.amdahl"}, speedup_fields::kAmdahl);
  SpeedUp made{.law = SpeedUp::Law::amdahl};
  read_alone(fields, made);
  made.serial = fields.number(speedup_fields::kSerial);
  push_new(L, std::move(made));
  return 1;
}

// speedup.downey { time =, parallelism =, sigma = }
int downey(lua_State* L) {
  const Fields fields(L, 1, {"speedup.downey"}, speedup_fields::kDowney);
  SpeedUp made{.law = SpeedUp::Law::downey};
  read_alone(fields, made);
  made.parallelism = fields.number(speedup_fields::kParallelism);
  made.sigma = fields.number(speedup_fields::kSigma);
  push_new(L, std::move(made));
  return 1;
}

// speedup.table { [1] = 100, [2] = 60 }
int speedup_table(lua_State* L) {
  if (lua_type(L, 1) != LUA_TTABLE)
    fail("bad_type", "speedup.table: a table of times by size is needed, got {}", shown(L, 1));
  SpeedUp made{.law = SpeedUp::Law::table};
  lua_pushnil(L);
  while (lua_next(L, 1) != 0) {
    const std::string what = fmt::format("speedup.table[{}]", shown(L, -2));
    if (lua_isinteger(L, -2) == 0 || lua_tointeger(L, -2) < 1 || lua_tointeger(L, -2) > Shape::kMost)
      fail("bad_shape", "{}: a size is a whole number >= 1", what);
    if (lua_type(L, -1) == LUA_TSTRING) made.unit = SpeedUp::Unit::seconds;
    const double time = number_at(L, -1, what, Dimension::seconds, Range{});
    if (!(time > 0) || !(time < kAbsurd))
      fail("bad_shape", "{} must be positive and finite, got {}", what, format_number(time));
    made.times.emplace_back(static_cast<std::int32_t>(lua_tointeger(L, -2)), time);
    lua_pop(L, 1);
  }
  if (made.times.empty()) fail("bad_shape", "speedup.table: the table is empty");
  std::ranges::sort(made.times);
  push_new(L, std::move(made));
  return 1;
}

// s:at(n) -> how much faster than on one core; of a table, than at its least size
int faster_at(lua_State* L) {
  const auto& given = check<SpeedUp>(L, 1);
  if (given.law != SpeedUp::Law::table) {
    const double cores = number_at(L, 2, "at: the number of cores", Dimension::count, Range{1, kAbsurd});
    return push_number(L, speedup_at(given, cores));
  }
  const auto size = static_cast<std::int32_t>(integer_at(L, 2, "at: the size", 1, Shape::kMost));
  const auto time = time_in_table(given, size);
  if (!time)
    fail("bad_shape", "at: the table has no time of size {}, it has of size {}", size, sizes_of_table(given));
  return push_number(L, given.times.front().second / *time);
}

constexpr luaL_Reg kSpeedUpMethods[] = {{"at", word<faster_at>}, {nullptr, nullptr}};
constexpr luaL_Reg kSpeedUps[] = {
    {"amdahl", word<amdahl>}, {"downey", word<downey>}, {"table", word<speedup_table>}, {nullptr, nullptr}};

}  // namespace

double speedup_at(const SpeedUp& given, double cores) {
  return given.law == SpeedUp::Law::amdahl ? cost::amdahl_speedup(given.serial, cores)
                                           : cost::downey_speedup(given.parallelism, given.sigma, cores);
}

std::optional<double> time_in_table(const SpeedUp& given, std::int32_t size) {
  const auto found = std::ranges::lower_bound(given.times, size, {}, &std::pair<std::int32_t, double>::first);
  if (found == given.times.end() || found->first != size) return std::nullopt;
  return found->second;
}

void open_speedups(lua_State* L) {
  constexpr luaL_Reg kMeta[] = {{"__tostring", to_text<SpeedUp>}, {nullptr, nullptr}};
  new_type<SpeedUp>(L, kSpeedUpMethods, kMeta);
  push_module(L, "speedup", kSpeedUps);
  define(L, "speedup");
}

}  // namespace perigee::bindings
