// tournament { schedulers =, space = }: a duel of each pair.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "interpreter/bindings/duel/duel.h"
#include "interpreter/bindings/methods.h"
#include "interpreter/bindings/parts.h"
#include "interpreter/bindings/run/experiment/carried_out.h"
#include "interpreter/bindings/tables.h"
#include "interpreter/host/unknown.h"
#include "interpreter/language/fields/duels.h"
#include "interpreter/session/interpreter.h"

namespace perigee::bindings {

struct TournamentValue {
  std::vector<std::string> names;  // of the schedulers
  double even = 1;                 // the ratio, or difference, of a scheduler to itself
  std::vector<std::vector<DuelPtr>>
      duels{};  // [a][b], of the space in which a is worst; null on the diagonal
};

}  // namespace perigee::bindings

namespace perigee::host {

template <>
struct TypeName<bindings::TournamentValue> {
  static constexpr const char* value = "tournament";
};

}  // namespace perigee::host

namespace perigee::bindings {

namespace {

std::vector<Arena> arenas_in(const Fields& fields) {
  lua_State* L = fields.state();
  std::vector<Arena> arenas;
  if (fields.has(duel_fields::kOneSpace) == fields.has(duel_fields::kSpaces))
    fields.fail(nullptr, "one of 'space' and 'spaces' is needed");
  if (fields.push(duel_fields::kOneSpace)) {
    arenas.push_back(arena_at(L, -1, "tournament: space"));
  } else {
    fields.push(duel_fields::kSpaces);
    if (lua_type(L, -1) != LUA_TTABLE)
      fields.fail(duel_fields::kSpaces, "spaces must be a list, got {}", shown(L, -1));
    const int list = lua_gettop(L);
    const lua_Integer count = list_length(L, list, "tournament: spaces");
    if (count == 0) fields.fail(duel_fields::kSpaces, "one space at least is needed");
    for (lua_Integer i = 1; i <= count; ++i) {
      lua_rawgeti(L, list, i);
      arenas.push_back(arena_at(L, -1, fmt::format("tournament: spaces[{}]", i)));
      lua_pop(L, 1);
    }
  }
  lua_pop(L, 1);
  return arenas;
}

// The schedulers, each as a side in the space.
std::vector<Side> sides_in(const Fields& fields, const SpaceValue& space) {
  lua_State* L = fields.state();
  if (!fields.push(duel_fields::kSchedulers)) fields.fail(nullptr, "'schedulers' is missing: a list");
  if (lua_type(L, -1) != LUA_TTABLE)
    fields.fail(duel_fields::kSchedulers, "schedulers must be a list, got {}", shown(L, -1));
  const int list = lua_gettop(L);
  const lua_Integer count = list_length(L, list, "tournament: schedulers");
  if (count < 2) fields.fail(duel_fields::kSchedulers, "two schedulers at least are needed, got {}", count);
  std::vector<Side> sides;
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, list, i);
    Side side = side_at(fields, duel_fields::kSchedulers, -1, space);
    lua_pop(L, 1);
    if (side.function.valid())
      fields.fail(duel_fields::kSchedulers, "schedulers[{}] is a function; functions are sides of a duel", i);
    for (const Side& other : sides)
      if (other.text == side.text) fields.fail(duel_fields::kSchedulers, "'{}' is named twice", side.text);
    sides.push_back(std::move(side));
  }
  lua_pop(L, 1);
  return sides;
}

int tournament(lua_State* L) {
  return guard(L, [&] {
    Interpreter& interpreter = Interpreter::of(L);
    refuse_inside(L, "a tournament");
    const Fields fields(L, 1, {"tournament"}, duel_fields::kTournament);
    TournamentValue made;
    const std::vector<Arena> arenas = arenas_in(fields);
    for (const Arena& arena : arenas) {
      const std::vector<Side> sides = sides_in(fields, *arena.space);
      if (made.duels.empty()) {
        made.duels.assign(sides.size(), std::vector<DuelPtr>(sides.size()));
        for (const Side& side : sides) made.names.push_back(side.text);
      }
      for (std::size_t a = 0; a < sides.size(); ++a)
        for (std::size_t b = 0; b < sides.size(); ++b) {
          if (a == b) continue;
          auto duel = std::make_shared<DuelValue>(
              duel_at(fields, arena, {sides[a], sides[b]}, duel_fields::kBudgetOfPair));
          if (interpreter.checking()) continue;
          made.even = duel->design.compared.difference ? 0 : 1;
          try {
            fight(L, *duel);
          } catch (const Error& error) {
            if (error.diagnostic().code != "no_case") throw;
            interpreter.output().warn(fmt::format("tournament: {} against {}: {}", sides[a].text,
                                                  sides[b].text, error.diagnostic().message));
            continue;
          }
          DuelPtr& worst = made.duels[a][b];
          if (!worst || duel->found.score > worst->found.score) worst = std::move(duel);
        }
    }
    if (interpreter.checking())
      push_unknown(L, TypeName<TournamentValue>::value);
    else
      push_new(L, std::move(made));
    return 1;
  });
}

Table square_of(const TournamentValue& value) {
  Table table{{"a"}, {}, {}};
  for (const std::string& name : value.names) table.columns.push_back(name);
  for (std::size_t a = 0; a < value.names.size(); ++a) {
    std::vector<Cell> row{value.names[a]};
    for (const DuelPtr& duel : value.duels[a]) row.push_back(duel ? Cell{duel->ratio()} : Cell{});
    table.rows.push_back(std::move(row));
  }
  return table;
}

// The ratio of a scheduler against itself is 1: a square then has all its cells, in one order.
Table square_cells_of(const TournamentValue& value) {
  Table table{{"a", "b", "ratio"}, {}, {}};
  for (std::size_t a = 0; a < value.names.size(); ++a)
    for (std::size_t b = 0; b < value.names.size(); ++b) {
      const DuelPtr& duel = value.duels[a][b];
      if (duel || a == b)
        table.rows.push_back({value.names[a], value.names[b], duel ? duel->ratio() : value.even});
    }
  return table;
}

Table pairs_of(const TournamentValue& value) {
  Table table{{"a", "b", "ratio", "space", "evaluations"}, {}, {}};
  for (std::size_t a = 0; a < value.names.size(); ++a)
    for (std::size_t b = 0; b < value.names.size(); ++b)
      if (const DuelPtr& duel = value.duels[a][b])
        table.rows.push_back({value.names[a], value.names[b], duel->ratio(),
                              duel->design.compared.space->name,
                              static_cast<double>(duel->found.evaluations)});
  return table;
}

const TournamentValue& tournament_at(lua_State* L) { return check<TournamentValue>(L, 1); }

int square(lua_State* L) {
  return guard(L, [&] {
    push_table(L, square_of(tournament_at(L)));
    return 1;
  });
}
int pairs(lua_State* L) {
  return guard(L, [&] {
    push_table(L, pairs_of(tournament_at(L)));
    return 1;
  });
}
int pairs_csv(lua_State* L) {
  guard(L, [&] {
    push_table(L, pairs_of(tournament_at(L)));
    lua_replace(L, 1);
    return 0;
  });
  return table_csv(L);
}

int heat_map(lua_State* L) {
  guard(L, [&] {
    push_table(L, square_cells_of(tournament_at(L)));
    lua_replace(L, 1);
    if (lua_gettop(L) == 1) lua_newtable(L);
    const std::pair<const char*, const char*> kFallbacks[] = {
        {"kind", "heatmap"}, {"x", "b"}, {"y", "a"}, {"value", "ratio"}};
    for (const auto& [field, value] : kFallbacks) {
      if (lua_getfield(L, 2, field) == LUA_TNIL) {
        lua_pushstring(L, value);
        lua_setfield(L, 2, field);
      }
      lua_pop(L, 1);
    }
    return 0;
  });
  return plot(L);
}

// t:worst(a)
int worst(lua_State* L) {
  return guard(L, [&] {
    const TournamentValue& value = tournament_at(L);
    const auto name = text_at(L, 2);
    if (!name) fail("bad_type", "worst: the name of a scheduler is needed, got {}", shown(L, 2));
    const auto at = std::ranges::find(value.names, *name);
    if (at == value.names.end())
      fail("unknown_name", "the tournament has no '{}'{}", *name,
           did_you_mean(std::string(*name), value.names));
    const auto a = static_cast<std::size_t>(at - value.names.begin());
    DuelPtr found;
    for (const DuelPtr& duel : value.duels[a])
      if (duel && (!found || duel->found.score > found->found.score)) found = duel;
    if (!found) fail("no_case", "worst: no case of '{}' counted", *name);
    push_new(L, DuelPtr(found));
    return 1;
  });
}

bool tournament_property(lua_State* L, int index, std::string_view name) {
  if (name != "cases") return false;
  const TournamentValue& value = check<TournamentValue>(L, index);
  luaL_checkstack(L, 6, "a tournament");
  lua_createtable(L, 0, static_cast<int>(value.names.size()));
  for (std::size_t a = 0; a < value.names.size(); ++a) {
    lua_createtable(L, 0, static_cast<int>(value.names.size()));
    for (std::size_t b = 0; b < value.names.size(); ++b) {
      if (!value.duels[a][b]) continue;
      push_new(L, DuelPtr(value.duels[a][b]));
      lua_setfield(L, -2, value.names[b].c_str());
    }
    lua_setfield(L, -2, value.names[a].c_str());
  }
  return true;
}

int tournament_text(lua_State* L) {
  return guard(L, [&] {
    push_table(L, square_of(tournament_at(L)));
    luaL_tolstring(L, -1, nullptr);
    return 1;
  });
}

constexpr luaL_Reg kTournament[] = {{"table", square},  {"rows", pairs},  {"heat_map", heat_map},
                                    {"csv", pairs_csv}, {"worst", worst}, {nullptr, nullptr}};
constexpr luaL_Reg kTournamentMeta[] = {{"__tostring", tournament_text}, {nullptr, nullptr}};

}  // namespace

void open_tournaments(lua_State* L) {
  new_type<TournamentValue>(L, kTournament, kTournamentMeta, tournament_property, {"cases"});
  define(L, "tournament", tournament);
  Interpreter::of(L).contents().note(TypeName<TournamentValue>::value, [](lua_State* state, int index) {
    std::string all;
    for (const auto& row : test<TournamentValue>(state, index)->duels)
      for (const DuelPtr& duel : row)
        if (duel) all += text_of_answer(*duel) + "\n";
    return all;
  });
}

}  // namespace perigee::bindings
