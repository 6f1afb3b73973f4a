// Reads an experiment: its factors, replications and functions.
#include "interpreter/bindings/run/experiment/declaration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "interpreter/language/fields/experiments.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/declarations.h"

namespace perigee::bindings {

bool is_name(std::string_view text, char between) {
  const auto word = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !text.empty() && word(text[0]) && std::all_of(text.begin(), text.end(), [&](char c) {
    return word(c) || (c >= '0' && c <= '9') || c == between;
  });
}

std::optional<Cell> level_at(lua_State* L, int index) {
  switch (lua_type(L, index)) {
    case LUA_TNUMBER:
      if (!std::isfinite(lua_tonumber(L, index))) return std::nullopt;
      return lua_tonumber(L, index);
    case LUA_TSTRING:
      return std::string(*text_at(L, index));
    case LUA_TBOOLEAN:
      return lua_toboolean(L, index) != 0;
    default:
      break;
  }
  if (const auto* config = test<SchedulerValue>(L, index)) return (*config)->text();
  if (const auto* constructor = test<Constructor>(L, index)) return constructor->entry->name;
  return std::nullopt;
}

std::string nearest_or_all(std::string_view name, const std::vector<std::string>& known) {
  constexpr std::size_t kFew = 12;
  const std::string near = did_you_mean(std::string(name), known);
  return near.empty() && !known.empty() && known.size() <= kFew
             ? fmt::format("; there are {}", fmt::join(known, ", "))
             : near;
}

void push_names(lua_State* L, const std::vector<Factor>& factors) {
  lua_createtable(L, static_cast<int>(factors.size()), 0);
  for (std::size_t f = 0; f < factors.size(); ++f) {
    host::push(L, factors[f].name);
    lua_rawseti(L, -2, static_cast<lua_Integer>(f) + 1);
  }
}

void push_levels(lua_State* L, const Declaration& declaration,
                 const std::vector<std::uint32_t>& combination) {
  lua_createtable(L, 0, static_cast<int>(combination.size()));
  declaration.levels.push(L);
  for (std::size_t f = 0; f < combination.size(); ++f) {
    lua_rawgeti(L, -1, static_cast<lua_Integer>(f) + 1);
    lua_rawgeti(L, -1, static_cast<lua_Integer>(combination[f]) + 1);
    lua_setfield(L, -4, declaration.design.factors[f].name.c_str());
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  declaration.factors_meta.push(L);
  lua_setmetatable(L, -2);
}

namespace {

constexpr double kMostCells = 1e6;

// Reads { "name", value }: pushes the value and returns its name.
std::optional<Cell> named_level_at(lua_State* L, int index) {
  index = lua_absindex(L, index);
  if (lua_type(L, index) != LUA_TTABLE || lua_rawlen(L, index) != 2) return std::nullopt;
  lua_rawgeti(L, index, 1);
  const auto name = text_at(L, -1);
  if (!name) {
    lua_pop(L, 1);
    return std::nullopt;
  }
  Cell cell = std::string(*name);
  lua_rawgeti(L, index, 2);
  lua_remove(L, -2);
  return cell;
}

// Reads the list on top of the stack and replaces it by a list of the levels' values.
Factor factor_at(lua_State* L, const Fields& fields, const std::string& name) {
  if (!is_name(name))
    fields.fail(experiment_fields::kFactors,
                "the name of a factor is a word of letters, digits and _, got '{}'", name);
  for (const char* taken :
       {"cell", "replication", "seed", "n", "message", "mean", "baseline_mean", "difference",
        "difference_half_width", "verdict", "warned", "cells", "warning", "count"})
    if (name == taken)
      fields.fail(experiment_fields::kFactors,
                  "'{}' cannot be the name of a factor: it is a column of the experiment's own tables; "
                  "choose another, such as my_{}",
                  name, name);
  if (name.ends_with(kHalfWidth))
    fields.fail(experiment_fields::kFactors,
                "'{}' cannot be the name of a factor: half-widths of intervals are named so", name);
  if (lua_type(L, -1) != LUA_TTABLE)
    fields.fail(experiment_fields::kFactors, "factor '{}' must be a list of levels, got {}", name,
                shown(L, -1));
  Factor factor{name, {}};
  const auto count = static_cast<lua_Integer>(lua_rawlen(L, -1));
  const int list = lua_gettop(L);
  std::unordered_set<std::string> texts;  // of the levels so far
  lua_createtable(L, static_cast<int>(std::min<lua_Integer>(count, 1000)), 0);
  each_sorted(L, list, [&] {
    if (lua_isinteger(L, -2) == 0 || lua_tointeger(L, -2) < 1 || lua_tointeger(L, -2) > count)
      fields.fail(experiment_fields::kFactors, "factor '{}' must be a list of levels, got the key {}", name,
                  shown(L, -2));
    auto level = level_at(L, -1);
    if (level) {
      lua_pushvalue(L, -1);
    } else {
      level = named_level_at(L, -1);
    }
    if (!level)
      fields.fail(
          experiment_fields::kFactors,
          "factor '{}': a level is a number, a text, true, false or a scheduler, got {}; anything else "
          "gets a name, {{ \"name\", value }}",
          name, shown(L, -1));
    lua_rawseti(L, list + 1, lua_tointeger(L, -3));
    if (!texts.insert(text_of(*level)).second)
      fields.fail(experiment_fields::kFactors, "factor '{}' has the level {} twice", name, text_of(*level));
    factor.levels.push_back(*level);
  });
  if (factor.levels.empty()) fields.fail(experiment_fields::kFactors, "factor '{}' has no levels", name);
  if (static_cast<lua_Integer>(factor.levels.size()) != count)
    fields.fail(experiment_fields::kFactors, "factor '{}' has a gap in its list of levels", name);
  lua_replace(L, list);
  return factor;
}

// Reads { name = { level, ... }, ... } in the order of names, or { { "name", { level, ... } }, ... } in this
// order.
void read_factors(lua_State* L, const Fields& fields, Declaration& declaration) {
  lua_newtable(L);
  const int levels = lua_gettop(L);
  std::vector<Factor>& factors = declaration.design.factors;
  const auto take = [&](const std::string& name) {  // the list on top of the stack
    for (const Factor& other : factors)
      if (other.name == name)
        fields.fail(experiment_fields::kFactors, "the factor '{}' is declared twice", name);
    factors.push_back(factor_at(L, fields, name));
    lua_pushvalue(L, -1);
    lua_rawseti(L, levels, static_cast<lua_Integer>(factors.size()));
  };
  if (fields.push(experiment_fields::kFactors)) {
    if (lua_type(L, -1) != LUA_TTABLE)
      fields.fail(experiment_fields::kFactors,
                  "factors must be a table, as in {{ size = {{ 1, 2 }} }}, got {}", shown(L, -1));
    const bool ordered = lua_rawlen(L, -1) > 0;
    each_sorted(L, -1, [&] {
      if (!ordered) {
        const auto name = text_at(L, -2);
        if (!name) fields.fail(experiment_fields::kFactors, "factors have names, got {}", shown(L, -2));
        take(std::string(*name));
        return;
      }
      std::optional<std::string> name;
      if (lua_isinteger(L, -2) != 0 && lua_type(L, -1) == LUA_TTABLE && lua_rawlen(L, -1) == 2) {
        lua_rawgeti(L, -1, 1);
        if (const auto text = text_at(L, -1)) name = *text;
        lua_pop(L, 1);
      }
      if (!name)
        fields.fail(experiment_fields::kFactors,
                    "an ordered list of factors has entries {{ \"name\", {{ level, ... }} }}, got {}",
                    shown(L, lua_isinteger(L, -2) != 0 ? -1 : -2));
      lua_rawgeti(L, -1, 2);
      take(*name);
      lua_pop(L, 1);
    });
    lua_pop(L, 1);
  }
  declaration.levels = Reference(L, levels);
  lua_pop(L, 1);
}

// Upvalue: the names of the factors.
int no_factor(lua_State* L) {
  return guard(L, [&] {
    std::vector<std::string> names;
    for (lua_Integer i = 1; i <= static_cast<lua_Integer>(lua_rawlen(L, lua_upvalueindex(1))); ++i) {
      lua_rawgeti(L, lua_upvalueindex(1), i);
      names.emplace_back(*text_at(L, -1));
      lua_pop(L, 1);
    }
    const auto name = text_at(L, 2);
    if (!name) fail("unknown_field", "factors have names, got {}", shown(L, 2));
    fail("unknown_field", "there is no factor '{}'{}", *name, nearest_or_all(*name, names));
    return 0;
  });
}

}  // namespace

Reference factors_meta(lua_State* L, const std::vector<Factor>& factors) {
  lua_createtable(L, 0, 2);
  push_names(L, factors);
  lua_pushcclosure(L, no_factor, 1);
  lua_setfield(L, -2, "__index");
  lua_pushliteral(L, "protected");
  lua_setfield(L, -2, "__metatable");
  Reference reference(L, -1);
  lua_pop(L, 1);
  return reference;
}

namespace {

Replications replications_of(lua_State* L, const Fields& fields) {
  Replications rule;
  if (!fields.push(experiment_fields::kReplications)) return rule;
  const bool is_table = lua_type(L, -1) == LUA_TTABLE;
  if (!is_table) {
    lua_pop(L, 1);
    rule.least = rule.most = static_cast<std::uint64_t>(fields.integer(experiment_fields::kReplications));
    return rule;
  }
  const std::string subject = fields.subject() + ": replications";
  const Fields own(L, lua_gettop(L), {subject}, replications_fields::kAll);
  rule.least = static_cast<std::uint64_t>(own.integer(replications_fields::kLeast));
  rule.most = static_cast<std::uint64_t>(own.integer(replications_fields::kMost));
  if (rule.most < rule.least)
    own.fail(replications_fields::kMost, "most must be >= least, got {} and {}", rule.most, rule.least);
  rule.measure = own.text(replications_fields::kMeasure);
  rule.confidence = own.number(replications_fields::kConfidence);
  if (rule.confidence >= 1)
    own.fail(replications_fields::kConfidence, "confidence must be < 1, got {}", rule.confidence);
  FieldRow half_width = replications_fields::kHalfWidth;
  if (!own.push(half_width))
    own.fail(nullptr, "'half_width' is missing: a number, or a share such as \"5 %\"");
  rule.relative = lua_type(L, -1) == LUA_TSTRING;
  lua_pop(L, 1);
  if (rule.relative) half_width.dimension = Dimension::fraction;
  rule.half_width = own.number(half_width);
  if (rule.relative && rule.half_width >= 1)
    own.fail(half_width,
             "half_width is a share of the mean below 1, such as \"5 %\", or a number without quotes");
  lua_pop(L, 1);
  return rule;
}

Reference function_field(lua_State* L, const Fields& fields, const FieldRow& field) {
  if (!fields.push(field)) return {};
  if (lua_type(L, -1) != LUA_TFUNCTION)
    fields.fail(field, "{} must be a function, got {}", field.name, shown(L, -1));
  Reference reference(L, -1);
  lua_pop(L, 1);
  return reference;
}

// Makes all combinations except those that `where` refuses.
void combine(lua_State* L, const Fields& fields, Declaration& declaration) {
  const Reference where = function_field(L, fields, experiment_fields::kWhere);
  Design& design = declaration.design;
  auto cells = static_cast<double>(design.replications.most);
  for (const Factor& factor : design.factors) cells *= static_cast<double>(factor.levels.size());
  if (cells > kMostCells) fields.fail(nullptr, "{} cells are too many, at most {}", cells, kMostCells);
  std::vector<std::uint32_t> combination(design.factors.size(), 0);
  for (bool more = true; more;) {
    bool wanted = true;
    if (where.valid()) {
      const Interpreter::InRun in_run(Interpreter::of(L));  // `where` must not begin an experiment
      where.push(L);
      push_levels(L, declaration, combination);
      lua_call(L, 1, 1);
      wanted = condition_at(L, -1, fields.subject() + ": where");
      lua_pop(L, 1);
    }
    if (wanted) design.combinations.push_back(combination);
    Interpreter::of(L).count(1);
    more = false;
    for (std::size_t f = combination.size(); f-- > 0 && !more;) {
      more = ++combination[f] < design.factors[f].levels.size();
      if (!more) combination[f] = 0;
    }
  }
  if (design.combinations.empty())
    fields.fail(experiment_fields::kWhere, "where leaves no combination of factors");
}

}  // namespace

Declaration declaration_at(lua_State* L, int index, const std::string& name) {
  Declaration declaration;
  const Fields fields(L, index, {"experiment", name}, experiment_fields::kAll);
  Design& design = declaration.design;
  design.name = name;
  design.where = caller(L);
  design.seed = Interpreter::of(L).options().seed;
  read_factors(L, fields, declaration);
  declaration.factors_meta = factors_meta(L, design.factors);
  design.replications = replications_of(L, fields);
  combine(L, fields, declaration);
  declaration.run = function_field(L, fields, experiment_fields::kRun);
  if (!declaration.run.valid())
    fields.fail(nullptr, "'run' is missing: a function(f, seed) that returns a result or a table of numbers");
  declaration.add_function("run", declaration.run);
  if (!fields.push(experiment_fields::kMeasure)) return declaration;
  if (lua_type(L, -1) == LUA_TFUNCTION) {
    declaration.measure = Reference(L, -1);
    declaration.add_function("measure", declaration.measure);
  } else if (lua_type(L, -1) == LUA_TTABLE && lua_rawlen(L, -1) > 0) {
    list_length(L, -1, fmt::format("{}: measure", fields.subject()));
    each_sorted(L, -1, [&] {
      const auto measure = text_at(L, -1);
      if (!measure || !is_name(*measure, '.'))
        fields.fail(experiment_fields::kMeasure, "measure[{}] must be the name of a metric, got {}",
                    shown(L, -2), shown(L, -1));
      if (std::find(declaration.metrics.begin(), declaration.metrics.end(), *measure) !=
          declaration.metrics.end())
        fields.fail(experiment_fields::kMeasure, "measure names '{}' twice", *measure);
      declaration.metrics.emplace_back(*measure);
    });
  } else {
    fields.fail(experiment_fields::kMeasure,
                "measure must be a list of metrics or a function(result, f), got {}", shown(L, -1));
  }
  lua_pop(L, 1);
  return declaration;
}

Declaration counted_declaration(lua_State* L, const std::string& name, const std::string& factor,
                                std::size_t count, Reference run, std::uint64_t seed) {
  Declaration declaration;
  Design& design = declaration.design;
  design.name = name;
  design.where = caller(L);
  design.seed = Interpreter::of(L).options().seed;
  design.seed_of_cells = seed;
  design.factors.push_back({factor, {}});
  lua_createtable(L, 1, 0);
  lua_createtable(L, static_cast<int>(count), 0);
  for (std::size_t i = 0; i < count; ++i) {
    lua_pushinteger(L, static_cast<lua_Integer>(i) + 1);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
    design.factors.front().levels.emplace_back(static_cast<double>(i + 1));
    design.combinations.push_back({static_cast<std::uint32_t>(i)});
  }
  lua_rawseti(L, -2, 1);
  declaration.levels = Reference(L, -1);
  lua_pop(L, 1);
  declaration.factors_meta = factors_meta(L, design.factors);
  declaration.run = std::move(run);
  return declaration;
}

}  // namespace perigee::bindings
