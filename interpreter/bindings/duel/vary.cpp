// vary.real { } and its like, and space "name" { }.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "interpreter/bindings/duel/cases.h"
#include "interpreter/bindings/parts.h"
#include "interpreter/bindings/run/experiment/declaration.h"
#include "interpreter/host/unknown.h"
#include "interpreter/language/arguments.h"
#include "interpreter/language/fields/duels.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/declarations.h"

namespace perigee::bindings {

namespace {

using Kind = Variable::Kind;

constexpr double kMostWhole = 9007199254740992;  // 2^53: a double holds each whole number up to it
constexpr int kDeepestSpace = 16;

// { low, high }, the entries without names.
std::pair<double, double> bounds_of(const Fields& fields, bool whole) {
  lua_State* L = fields.state();
  if (fields.count() != 2)
    fail_at(fields.where_it_begins(), "bad_space", "{}: two bounds are needed, {{ low, high }}, got {}",
            fields.subject(), fields.count());
  double bounds[2];
  for (lua_Integer i = 0; i < 2; ++i) {
    lua_rawgeti(L, fields.index(), i + 1);
    const bool number = lua_type(L, -1) == LUA_TNUMBER && std::isfinite(lua_tonumber(L, -1));
    if (!number || (whole && lua_tonumber(L, -1) != std::floor(lua_tonumber(L, -1))))
      fail_at(fields.where_it_begins(), "bad_space", "{}: the {} bound must be a {}number, got {}",
              fields.subject(), i == 0 ? "lower" : "upper", whole ? "whole " : "finite ", shown(L, -1));
    bounds[i] = lua_tonumber(L, -1);
    lua_pop(L, 1);
    if (std::abs(bounds[i]) > (whole ? kMostWhole : kAbsurd))
      fail_at(fields.where_it_begins(), "bad_space", "{}: the {} bound {} is too far from 0, at most {}",
              fields.subject(), i == 0 ? "lower" : "upper", bounds[i], whole ? kMostWhole : kAbsurd);
  }
  if (bounds[0] > bounds[1])
    fail_at(fields.where_it_begins(), "bad_space",
            "{}: the lower bound must not exceed the upper one, got {} and {}", fields.subject(), bounds[0],
            bounds[1]);
  return {bounds[0], bounds[1]};
}

int push_variable(lua_State* L, VariableValue value) {
  push_new(L, std::move(value));
  return 1;
}

int vary_real(lua_State* L) {
  return guard(L, [&] {
    const Fields fields(L, 1, {"vary.real"}, vary_fields::kReal, true);
    VariableValue made;
    std::tie(made.variable.low, made.variable.high) = bounds_of(fields, false);
    made.variable.logarithmic = fields.choice(vary_fields::kScale) == 1;
    made.variable.step = fields.number(vary_fields::kStep);
    if (made.variable.logarithmic && made.variable.low <= 0)
      fail_at(fields.where(vary_fields::kScale.name), "bad_space",
              "vary.real: on the scale of the logarithm the lower bound must be > 0, got {}",
              made.variable.low);
    return push_variable(L, std::move(made));
  });
}

int vary_whole(lua_State* L) {
  return guard(L, [&] {
    const Fields fields(L, 1, {"vary.whole"}, std::span<const FieldRow>(), true);
    VariableValue made;
    made.variable.kind = Kind::whole;
    std::tie(made.variable.low, made.variable.high) = bounds_of(fields, true);
    return push_variable(L, std::move(made));
  });
}

VariableValue choice_of(std::vector<Reference> values) {
  VariableValue made;
  made.variable.kind = Kind::choice;
  made.variable.high = static_cast<double>(values.size() - 1);
  made.variable.kept = std::make_shared<const Choices>(Choices{std::move(values)});
  return made;
}

int vary_choice(lua_State* L) {
  return guard(L, [&] {
    if (lua_type(L, 1) != LUA_TTABLE)
      fail("bad_space", "vary.choice: a list of values is needed, got {}", shown(L, 1));
    const lua_Integer count = list_length(L, 1, "vary.choice");
    if (count == 0) fail("bad_space", "vary.choice: one value at least is needed");
    std::vector<Reference> values;
    for (lua_Integer i = 1; i <= count; ++i) {
      lua_rawgeti(L, 1, i);
      values.emplace_back(L, -1);
      lua_pop(L, 1);
    }
    return push_variable(L, choice_of(std::move(values)));
  });
}

// A count in a field: a number, { least, most }, or a function, which goes to `function`.
CountRange count_in(const Fields& fields, const FieldRow& field, Reference& function) {
  lua_State* L = fields.state();
  if (!fields.push(field))
    fields.fail(nullptr, "'{}' is missing: {}", field.name, "a number, { least, most } or a function");
  CountRange count;
  const auto number = [&](int index) {
    const bool whole =
        lua_isinteger(L, index) != 0 ||
        (lua_type(L, index) == LUA_TNUMBER && lua_tonumber(L, index) == std::floor(lua_tonumber(L, index)));
    const double given = whole ? lua_tonumber(L, index) : -1;
    if (!(given >= 0) || given > static_cast<double>(kMostElements))
      fail_at(fields.where(field.name), "bad_space", "{}: {} must be whole numbers from 0 to {}, got {}",
              fields.subject(), field.name, kMostElements, shown(L, index));
    return static_cast<std::uint64_t>(given);
  };
  if (lua_type(L, -1) == LUA_TFUNCTION) {
    function = Reference(L, -1);
  } else if (lua_type(L, -1) == LUA_TTABLE) {
    if (lua_rawlen(L, -1) != 2)
      fail_at(fields.where(field.name), "bad_space", "{}: {} must be {{ least, most }}, got {} entries",
              fields.subject(), field.name, lua_rawlen(L, -1));
    lua_rawgeti(L, -1, 1);
    lua_rawgeti(L, -2, 2);
    count.least = number(-2);
    count.most = number(-1);
    lua_pop(L, 2);
    if (count.least > count.most)
      fail_at(fields.where(field.name), "bad_space",
              "{}: {}: the least must not exceed the most, got {} and {}", fields.subject(), field.name,
              count.least, count.most);
  } else {
    count.least = count.most = number(-1);
  }
  lua_pop(L, 1);
  return count;
}

std::vector<std::string> names_after(const Fields& fields) {
  lua_State* L = fields.state();
  std::vector<std::string> names;
  if (!fields.push(vary_fields::kAfter)) return names;
  if (lua_type(L, -1) != LUA_TTABLE)
    fields.fail(vary_fields::kAfter, "after must be a list of names, got {}", shown(L, -1));
  const int list = lua_gettop(L);
  const lua_Integer count = list_length(L, list, fields.subject() + ": after");
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, list, i);
    const auto name = text_at(L, -1);
    if (!name) fields.fail(vary_fields::kAfter, "after must be a list of names, got {} in it", shown(L, -1));
    names.emplace_back(*name);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return names;
}

int space_depth(const Variable& variable) {
  int most = 0;
  for (const Variable& of : variable.of) most = std::max(most, space_depth(of));
  for (const NamedVariable& field : variable.fields) most = std::max(most, space_depth(field.parameter));
  return most + 1;
}

Variable varied_record_at(lua_State* L, int index, const std::string& subject,
                          std::span<const FieldRow> others,
                          std::vector<std::pair<std::string, Reference>>& functions, int depth);

// The variable at `index`, or the record that a plain table is.
Variable variable_at(lua_State* L, int index, const std::string& subject,
                     std::vector<std::pair<std::string, Reference>>& functions, int depth) {
  if (const auto* value = test<VariableValue>(L, index)) {
    if (value->count.valid() || value->columns.valid())
      fail("bad_space",
           "{}: a count may be a function in a field of a table with names only, as in of = {{ n = ... }}",
           subject);
    if (value->inner) functions.insert(functions.end(), value->inner->begin(), value->inner->end());
    return value->variable;
  }
  if (lua_type(L, index) == LUA_TTABLE) return varied_record_at(L, index, subject, {}, functions, depth + 1);
  fail("bad_space", "{}: a parameter such as vary.real {{ 0, 1 }}, or a table of them, is needed, got {}",
       subject, shown(L, index));
}

Variable inner_variable(const Fields& fields, const FieldRow& field, VariableValue& made) {
  lua_State* L = fields.state();
  if (!fields.push(field)) fields.fail(nullptr, "'{}' is missing: {}", field.name, field.meaning);
  std::vector<std::pair<std::string, Reference>> functions;
  Variable inner = fields.inside(field, [&] {
    return variable_at(L, -1, fmt::format("{}: {}", fields.subject(), field.name), functions, 0);
  });
  lua_pop(L, 1);
  if (space_depth(inner) >= kDeepestSpace)
    fields.fail(field, "parameters are nested more than {} deep", kDeepestSpace);
  if (!functions.empty())
    made.inner = std::make_shared<const std::vector<std::pair<std::string, Reference>>>(std::move(functions));
  return inner;
}

int vary_list(lua_State* L) {
  return guard(L, [&] {
    const Fields fields(L, 1, {"vary.list"}, vary_fields::kList);
    VariableValue made;
    made.variable.kind = Kind::list;
    made.variable.count = count_in(fields, vary_fields::kCount, made.count);
    made.variable.of.push_back(inner_variable(fields, vary_fields::kOf, made));
    made.after = names_after(fields);
    return push_variable(L, std::move(made));
  });
}

int vary_matrix(lua_State* L) {
  return guard(L, [&] {
    const Fields fields(L, 1, {"vary.matrix"}, vary_fields::kMatrix);
    VariableValue made;
    made.variable.kind = Kind::matrix;
    made.variable.count = count_in(fields, vary_fields::kRows, made.count);
    made.variable.columns = count_in(fields, vary_fields::kColumns, made.columns);
    made.variable.of.push_back(inner_variable(fields, vary_fields::kOf, made));
    if (made.variable.of.front().kind > Kind::choice)
      fields.fail(vary_fields::kOf, "the entries of a matrix are numbers or choices");
    made.after = names_after(fields);
    return push_variable(L, std::move(made));
  });
}

int vary_permutation(lua_State* L) {
  return guard(L, [&] {
    const Fields fields(L, 1, {"vary.permutation"}, vary_fields::kPermutation);
    VariableValue made;
    made.variable.kind = Kind::permutation;
    made.variable.count = count_in(fields, vary_fields::kCount, made.count);
    made.after = names_after(fields);
    return push_variable(L, std::move(made));
  });
}

int vary_dag(lua_State* L) {
  return guard(L, [&] {
    const Fields fields(L, 1, {"vary.dag"}, vary_fields::kDag);
    VariableValue made;
    made.variable.kind = Kind::dag;
    made.variable.count = count_in(fields, vary_fields::kCount, made.count);
    made.variable.of.push_back(inner_variable(fields, vary_fields::kEdge, made));
    if (made.variable.of.front().kind > Kind::choice)
      fields.fail(vary_fields::kEdge, "the value of an edge is a number or a choice");
    made.after = names_after(fields);
    return push_variable(L, std::move(made));
  });
}

// Calls a count's function with the fields of the record that have a value.
std::uint64_t counted(Interpreter& interpreter, const Reference& function, const Variable& shape,
                      std::size_t known, const std::string& who, const Datum& record) {
  std::uint64_t count = 0;
  protect(interpreter.running(), [&](lua_State* L) {
    const Interpreter::InRun in_run(interpreter);
    function.push(L);
    push_datum(L, shape, record, known);
    lua_call(L, 1, 1);
    count = static_cast<std::uint64_t>(integer_at(L, -1, who, 0, static_cast<std::int64_t>(kMostElements)));
    lua_pop(L, 1);
  });
  return count;
}

// The order in which the fields are drawn: those without functions by name, then the others, each behind what it names.
std::vector<std::size_t> order_of(const std::vector<NamedVariable>& fields,
                                  const std::vector<VariableValue>& values, const std::string& subject) {
  std::vector<std::size_t> order;
  std::vector<bool> placed(fields.size(), false);
  const auto has_function = [&](std::size_t i) {
    return values[i].count.valid() || values[i].columns.valid();
  };
  const auto place_of = [&](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(fields, name, &NamedVariable::name) - fields.begin());
  };
  std::vector<std::string> names;
  for (const NamedVariable& field : fields) names.push_back(field.name);
  for (std::size_t i = 0; i < fields.size(); ++i)
    for (const std::string& name : values[i].after)
      if (place_of(name) == fields.size())
        fail("bad_space", "{}: '{}' comes after '{}', which is no parameter there{}", subject, fields[i].name,
             name, did_you_mean(name, names));
  for (bool functions : {false, true})
    for (bool more = true; more;) {
      more = false;
      for (std::size_t i = 0; i < fields.size(); ++i) {
        if (placed[i] || has_function(i) != functions) continue;
        if (!std::ranges::all_of(values[i].after,
                                 [&](const std::string& name) { return placed[place_of(name)]; }))
          continue;
        placed[i] = more = true;
        order.push_back(i);
      }
    }
  if (order.size() < fields.size()) {
    const auto left = static_cast<std::size_t>(std::ranges::find(placed, false) - placed.begin());
    fail("bad_space", "{}: '{}' comes after what comes after it", subject, fields[left].name);
  }
  return order;
}

// The record that the table's fields make, but for those of `others`.
Variable varied_record_at(lua_State* L, int index, const std::string& subject,
                          std::span<const FieldRow> others,
                          std::vector<std::pair<std::string, Reference>>& functions, int depth) {
  if (depth > kDeepestSpace)
    fail("bad_space", "{}: tables are nested more than {} deep", subject, kDeepestSpace);
  luaL_checkstack(L, 12, "a space");
  Variable record;
  record.kind = Kind::record;
  std::vector<VariableValue> values;
  each_sorted(L, index, [&] {
    const auto name = text_at(L, -2);
    if (name && std::ranges::find(others, *name, &FieldRow::name) != others.end()) return;
    if (!name || !is_name(*name))
      fail("bad_space", "{}: parameters have names of letters, digits and _, got {}", subject, shown(L, -2));
    const auto* given = test<VariableValue>(L, -1);
    VariableValue value;
    if (given != nullptr) {
      value = *given;
      if (value.inner) functions.insert(functions.end(), value.inner->begin(), value.inner->end());
    } else {
      value.variable = variable_at(L, -1, fmt::format("{}: {}", subject, *name), functions, depth);
    }
    record.fields.push_back({std::string(*name), value.variable});
    values.push_back(std::move(value));
  });
  record.order = order_of(record.fields, values, subject);
  const auto shape = std::make_shared<const Variable>(record);
  Interpreter& interpreter = Interpreter::of(L);
  for (std::size_t known = 0; known < record.order.size(); ++known) {
    const std::size_t place = record.order[known];
    Variable& variable = record.fields[place].parameter;
    const auto bind = [&](const Reference& function, CountRange& count, const char* what) {
      if (!function.valid()) return;
      const std::string who = fmt::format("{} of '{}'", what, record.fields[place].name);
      functions.emplace_back(who, function);
      count.of = [&interpreter, function, shape, known, who](const Datum& so_far) {
        return counted(interpreter, function, *shape, known, who, so_far);
      };
    };
    bind(values[place].count, variable.count, variable.kind == Kind::matrix ? "rows" : "n");
    bind(values[place].columns, variable.columns, "columns");
  }
  return record;
}

Reference function_in(const Fields& fields, const FieldRow& field) {
  lua_State* L = fields.state();
  if (!fields.push(field)) return {};
  if (lua_type(L, -1) != LUA_TFUNCTION)
    fail_at(fields.where(field.name), "bad_space", "{}: '{}' is the name of a function of a space, got {}{}",
            fields.subject(), field.name, shown(L, -1),
            test<VariableValue>(L, -1) != nullptr ? "; give the parameter another name" : "");
  Reference function(L, -1);
  lua_pop(L, 1);
  return function;
}

// The rows of a space's fields, parameters of these names among them.
std::vector<FieldRow> rows_of_space(std::span<const std::string> names) {
  std::vector<FieldRow> all(std::begin(space_fields::kAll), std::end(space_fields::kAll));
  for (const std::string& name : names)
    if (std::ranges::find(space_fields::kAll, name, &FieldRow::name) == std::end(space_fields::kAll))
      all.push_back(other_field(name, {}));
  return all;
}

// Whether a case is one of the space, as `valid` says.
std::function<bool(const Datum&)> condition_of(Interpreter& interpreter, const Reference& valid,
                                               const Variable& root, const std::string& subject) {
  const auto shape = std::make_shared<const Variable>(root);
  return [&interpreter, valid, shape, subject](const Datum& value) {
    bool wanted = false;
    protect(interpreter.running(), [&](lua_State* in) {
      const Interpreter::InRun in_run(interpreter);
      valid.push(in);
      push_datum(in, *shape, value);
      lua_call(in, 1, 1);
      wanted = condition_at(in, -1, subject + ": valid");
      lua_pop(in, 1);
    });
    return wanted;
  };
}

// A case near another one, as `move` says.
std::function<std::optional<Datum>(const Datum&, Stream&)> move_of(
    Interpreter& interpreter, const Reference& move, const std::shared_ptr<const SpaceValue>& made,
    const std::string& subject) {
  // The space is not to hold itself.
  const std::weak_ptr<const SpaceValue> itself = made;
  return [&interpreter, move, itself, subject](const Datum& value, Stream& stream) {
    std::optional<Datum> moved;
    const auto whole = itself.lock();
    protect(interpreter.running(), [&](lua_State* in) {
      const Interpreter::InRun in_run(interpreter);
      // It stands below the call, which else would leave it to the collector.
      const struct Lent {
        RandomValue& rng;
        ~Lent() { rng.borrowed = nullptr; }
      } lent{push_new(in, RandomValue{{}, &stream, true})};
      move.push(in);
      push_case(in, whole->space, value);
      lua_pushvalue(in, -3);
      lua_call(in, 2, 1);
      if (!lua_isnil(in, -1)) moved = case_at(in, lua_gettop(in), *whole, subject + ": what move returned");
      lua_pop(in, 2);
    });
    return moved;
  };
}

int finish_space(lua_State* L) {
  return guard(L, [&] {
    refuse_second(L, "space");
    auto made = std::make_shared<SpaceValue>();
    made->name = *text_at(L, lua_upvalueindex(1));
    if (lua_type(L, 1) != LUA_TTABLE)
      fail("bad_type", "space '{}': a table is needed, got {}", made->name, shown(L, 1));
    const std::string subject = fmt::format("space '{}'", made->name);
    std::vector<std::string> names;  // of all fields: parameters may have any name
    each_sorted(L, 1, [&] {
      if (const auto name = text_at(L, -2)) names.emplace_back(*name);
    });
    if (lua_rawlen(L, 1) > 0)
      fail("bad_space", "{}: parameters have names, as in nodes = vary.whole {{ 1, 3 }}", subject);
    const std::vector<FieldRow> rows = rows_of_space(names);
    const Fields fields(L, 1, {"space", made->name}, rows);
    const Reference scenario = function_in(fields, space_fields::kScenario),
                    problem = function_in(fields, space_fields::kProblem),
                    valid = function_in(fields, space_fields::kValid),
                    move = function_in(fields, space_fields::kMove);
    if (scenario.valid() == problem.valid())
      fail("bad_space", "{}: {} needed: scenario(x, seed), or problem(x, seed)", subject,
           scenario.valid() ? "one of two functions is" : "a function is");
    made->is_problem = problem.valid();
    made->build = made->is_problem ? problem : scenario;
    made->functions.emplace_back(made->is_problem ? "problem" : "scenario", made->build);
    made->space.root = varied_record_at(L, 1, subject, space_fields::kAll, made->functions, 0);
    if (space_depth(made->space.root) > 2 * kDeepestSpace)
      fail("bad_space", "{}: parameters are nested more than {} deep", subject, 2 * kDeepestSpace);
    if (made->space.root.fields.empty()) fail("bad_space", "{}: it has no parameters", subject);
    Interpreter& interpreter = Interpreter::of(L);
    if (valid.valid()) {
      made->functions.emplace_back("valid", valid);
      made->space.valid = condition_of(interpreter, valid, made->space.root, subject);
    }
    if (move.valid()) {
      made->functions.emplace_back("move", move);
      made->space.move = move_of(interpreter, move, made, subject);
    }
    push_new(L, SpacePtr(std::move(made)));
    return 1;
  });
}

int begin_space(lua_State* L) {
  return guard(L, [&] {
    const auto name = text_at(L, 1);
    if (!name || name->empty())
      fail("bad_type", "space: a name comes first, as in space \"small\" {{ }}, got {}", shown(L, 1));
    lua_settop(L, 1);
    lua_pushcclosure(L, finish_space, 1);
    return 1;
  });
}

// s:draw(seed): a case
int space_draw(lua_State* L) {
  return guard(L, [&] {
    const SpacePtr space = check<SpacePtr>(L, 1);
    const auto seed = static_cast<std::uint64_t>(
        integer_at(L, 2, "draw: seed", 0, std::numeric_limits<std::int64_t>::max()));
    Stream stream(seed, "case");
    push_case(L, space->space, draw(space->space, stream));
    return 1;
  });
}

// s:size(): the number of cases; math.huge with reals
int space_size(lua_State* L) {
  return guard(L, [&] {
    const double count = size(check<SpacePtr>(L, 1)->space);
    lua_Integer whole = 0;
    if (count < kMostWhole && lua_numbertointeger(count, &whole))
      lua_pushinteger(L, whole);
    else
      lua_pushnumber(L, count);
    return 1;
  });
}

// s:at(case [, seed]): the scenario or problem of it, also where it lies outside of the bounds
int space_at(lua_State* L) {
  return guard(L, [&] {
    const SpacePtr space = check<SpacePtr>(L, 1);
    if (lua_type(L, 2) != LUA_TTABLE) fail("bad_type", "at: a case, a table, is needed, got {}", shown(L, 2));
    const std::int64_t seed = lua_isnoneornil(L, 3)
                                  ? static_cast<std::int64_t>(Interpreter::of(L).cell().seed())
                                  : integer_at(L, 3, "at: seed", 0, std::numeric_limits<std::int64_t>::max());
    if (Interpreter::of(L).checking()) {
      push_unknown(L);
      return 1;
    }
    space->build.push(L);
    push_copy(L, 2);
    lua_pushinteger(L, seed);
    lua_call(L, 2, 1);
    return 1;
  });
}

int space_text(lua_State* L) {
  return guard(L, [&] {
    const SpacePtr space = check<SpacePtr>(L, 1);
    std::vector<std::string> names;
    for (const NamedVariable& field : space->space.root.fields) names.push_back(field.name);
    host::push(L, fmt::format("space '{}' of {}", space->name, fmt::join(names, ", ")));
    return 1;
  });
}

bool space_property(lua_State* L, int index, std::string_view name) {
  if (name != "name") return false;
  host::push(L, check<SpacePtr>(L, index)->name);
  return true;
}

int variable_text(lua_State* L) {
  return guard(L, [&] {
    constexpr const char* kNames[] = {"real",   "whole",       "choice", "list",
                                      "matrix", "permutation", "dag",    "record"};
    const Variable& variable = check<VariableValue>(L, 1).variable;
    const auto range = [&]() -> std::string {
      if (variable.kind == Kind::real || variable.kind == Kind::whole)
        return fmt::format(" from {} to {}", format_number(variable.low), format_number(variable.high));
      if (variable.kind == Kind::choice) return fmt::format(" of {} values", variable.high + 1);
      return {};
    };
    host::push(L, fmt::format("vary.{}{}", kNames[static_cast<std::size_t>(variable.kind)], range()));
    return 1;
  });
}

constexpr luaL_Reg kVary[] = {{"real", vary_real}, {"whole", vary_whole},   {"choice", vary_choice},
                              {"list", vary_list}, {"matrix", vary_matrix}, {"permutation", vary_permutation},
                              {"dag", vary_dag},   {nullptr, nullptr}};
constexpr luaL_Reg kVariableMethods[] = {{nullptr, nullptr}};
constexpr luaL_Reg kVariableMeta[] = {{"__tostring", variable_text}, {nullptr, nullptr}};
constexpr luaL_Reg kSpaceMethods[] = {
    {"draw", space_draw}, {"size", space_size}, {"at", space_at}, {nullptr, nullptr}};
constexpr luaL_Reg kSpaceMeta[] = {{"__tostring", space_text}, {nullptr, nullptr}};

}  // namespace

void open_spaces(lua_State* L) {
  new_type<VariableValue>(L, kVariableMethods, kVariableMeta);
  new_type<SpacePtr>(L, kSpaceMethods, kSpaceMeta, space_property, {"name"});
  lua_newtable(L);
  luaL_setfuncs(L, kVary, 0);
  std::vector<Reference> both;
  for (const int truth : {0, 1}) {
    lua_pushboolean(L, truth);
    both.emplace_back(L, -1);
    lua_pop(L, 1);
  }
  push_new(L, choice_of(std::move(both)));
  lua_setfield(L, -2, "flag");
  freeze(L, "vary");
  define(L, "vary");
  define(L, "space", begin_space);
}

}  // namespace perigee::bindings
