// sim:quote(work [, { at = }]): the fate of more work, without any change to the simulation.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "interpreter/bindings/declare/workload/workload.h"
#include "interpreter/bindings/parts.h"
#include "interpreter/bindings/simulation_value.h"
#include "interpreter/bindings/tables.h"
#include "runtime/results/quote.h"
#include "runtime/schedulers/reasons.h"

namespace perigee::bindings {

struct QuoteValue {
  Quote quote;
  std::shared_ptr<const Platform> platform;
};

}  // namespace perigee::bindings

namespace perigee::host {

template <>
struct TypeName<bindings::QuoteValue> {
  static constexpr const char* value = "quote";
};

}  // namespace perigee::host

namespace perigee::bindings {

namespace {

// Runs `asked` until all works from `first` on are settled, or will never be.
void go_on(Interpreter& interpreter, const Simulation& now, Simulation& asked, std::size_t first) {
  const Interpreter::InRun in_run(interpreter);
  bool interrupted = false;
  {
    const Interpreter::Advancing advancing(interpreter);
    say_when(asked, [&] {
      for (std::uint64_t done = 1; !interrupted && is_open(asked, first); ++done) {
        asked.step();
        if (done % kOften != 0) continue;
        interrupted = interpreter.asked_to_stop(true);
        interpreter.output().progress(&asked);
      }
    });
  }
  if (interrupted) stop_between(interpreter, now);
}

bool push_quote_field(lua_State* L, const Quote& quote, const Platform& platform, std::string_view name) {
  const auto push_time = [L](Time time) {
    if (time < kNever)  // false for NaN too
      lua_pushnumber(L, time);
    else
      lua_pushnil(L);
  };
  if (name == "name") {
    host::push(L, quote.job.name);
  } else if (name == "admitted") {
    lua_pushboolean(L, quote.admitted ? 1 : 0);
  } else if (name == "reason") {
    if (quote.admitted)
      lua_pushnil(L);
    else
      host::push(L, schedulers::name_of(quote.reason));
  } else if (name == "state") {
    host::push(L, name_of(quote.job.state));
  } else if (name == "arrival") {
    push_time(quote.job.arrival);
  } else if (name == "start") {
    push_time(quote.job.start);
  } else if (name == "finish") {
    push_time(quote.job.finish);
  } else if (name == "deadline") {
    push_time(quote.job.deadline);
  } else if (name == "hosts") {
    lua_createtable(L, static_cast<int>(quote.job.hosts.size()), 0);
    for (std::size_t i = 0; i < quote.job.hosts.size(); ++i) {
      host::push(L, platform[quote.job.hosts[i]].name);
      lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
    }
  } else if (name == "waiting") {
    lua_createtable(L, static_cast<int>(quote.waiting.size()), 0);
    for (std::size_t i = 0; i < quote.waiting.size(); ++i) {
      host::push(L, quote.waiting[i]);
      lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
    }
  } else {
    return false;
  }
  return true;
}

bool quote_property(lua_State* L, int index, std::string_view name) {
  const auto& value = check<QuoteValue>(L, index);
  return push_quote_field(L, value.quote, *value.platform, name);
}

int names_text(lua_State* L) {
  return guard(L, [&] {
    std::string text;
    const auto count = static_cast<lua_Integer>(lua_rawlen(L, 1));
    for (lua_Integer i = 1; i <= count; ++i) {
      lua_rawgeti(L, 1, i);
      luaL_tolstring(L, -1, nullptr);
      text += (i > 1 ? " " : "") + std::string(*text_at(L, -1));
      lua_pop(L, 2);
    }
    host::push(L, text);
    return 1;
  });
}

// Pushes rows that have the fields of a single quote. A list of names prints as in a table.
void push_quotes(lua_State* L, const std::vector<Quote>& all, const Platform& platform) {
  push_table(L, table_of(all, platform));
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, names_text);
  lua_setfield(L, -2, "__tostring");
  for (std::size_t r = 0; r < all.size(); ++r) {
    lua_rawgeti(L, -2, static_cast<lua_Integer>(r) + 1);
    for (const char* field : {"arrival", "hosts", "waiting"}) {
      push_quote_field(L, all[r], platform, field);
      if (lua_type(L, -1) == LUA_TTABLE) {
        lua_pushvalue(L, -3);
        lua_setmetatable(L, -2);
      }
      lua_setfield(L, -2, field);
    }
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

int quote_text(lua_State* L) {
  return guard(L, [&] {
    const auto& value = check<QuoteValue>(L, 1);
    host::push(L, text_of(value.quote, *value.platform));
    return 1;
  });
}

constexpr luaL_Reg kNothing[] = {{nullptr, nullptr}};
constexpr luaL_Reg kQuoteMeta[] = {{"__tostring", quote_text}, {nullptr, nullptr}};

}  // namespace

// One quote for a record; rows for a list or workload.
int quote(lua_State* L) {
  return guard(L, [&] {
    SimulationValue& value = simulation_at(L);
    const Busy busy(L, value);
    const WorkloadValue work = submission_at(L, 2, "quote");
    const Simulation& now = *value.simulation;
    const std::size_t first = now.scenario().workload->size();
    const Time at = at_option(L, now, "quote");
    did_work(steps_to_copy(now) + first);
    Simulation asked =
        to_quote(now, longer(L, work, value.platform, value.seed, *now.scenario().workload, now.now(), at));
    go_on(Interpreter::of(L), now, asked, first);
    std::vector<Quote> all = quotes(asked, first);
    const bool single = lua_type(L, 2) == LUA_TTABLE && lua_rawlen(L, 2) == 0;
    if (single && !all.empty())
      push_new(L, QuoteValue{std::move(all.front()), value.platform.platform});
    else
      push_quotes(L, all, *value.platform.platform);
    return 1;
  });
}

void open_quote(lua_State* L) {
  new_type<QuoteValue>(
      L, kNothing, kQuoteMeta, quote_property,
      {"name", "admitted", "reason", "state", "arrival", "start", "finish", "deadline", "hosts", "waiting"});
}

}  // namespace perigee::bindings
