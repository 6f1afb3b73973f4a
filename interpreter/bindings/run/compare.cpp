// Methods of a comparison: the place where two runs part, and both charts one above the other.
#include <fmt/format.h>

#include <array>

#include "interpreter/bindings/gantt.h"
#include "interpreter/bindings/items.h"
#include "interpreter/bindings/parts.h"
#include "interpreter/bindings/run/compare.h"
#include "interpreter/host/terminal.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/runs.h"
#include "runtime/results/compare.h"
#include "runtime/results/difference.h"
#include "runtime/results/gantt.h"
#include "runtime/schedulers/reasons.h"

namespace perigee::bindings {

struct DifferenceValue {
  std::array<std::shared_ptr<const Outcome>, 2> of;
  std::optional<Difference> difference;
};

}  // namespace perigee::bindings

namespace perigee::host {

template <>
struct TypeName<bindings::DifferenceValue> {
  static constexpr const char* value = "difference";
};

}  // namespace perigee::host

namespace perigee::bindings {

namespace {

DifferenceValue difference_of(std::shared_ptr<const Outcome> a, std::shared_ptr<const Outcome> b) {
  DifferenceValue value{{std::move(a), std::move(b)}, {}};
  value.difference = results::first_difference(*value.of[0], *value.of[1]);
  return value;
}

// Counts the work of a walk over the trace and the hosts.
const Outcome& looked_at(const Outcome& outcome) {
  constexpr std::uint64_t kStepsOfRow = 500, kStepsOfRecord = 5;
  did_work(kStepsOfRow * outcome.scenario->platform->hosts().size() + kStepsOfRecord * outcome.trace.size());
  return outcome;
}

const Outcome& outcome_at(lua_State* L, int index, std::size_t fallback) {
  const auto& results = check<ComparisonValue>(L, 1).results;
  if (lua_isnoneornil(L, index)) {
    if (fallback >= results.size())
      fail("bad_call", "two runs are needed, the comparison has {}", results.size());
    return looked_at(*results[fallback].outcome);
  }
  const auto number =
      integer_at(L, index, "the number of a result", 1, static_cast<std::int64_t>(results.size()));
  return looked_at(*results[static_cast<std::size_t>(number - 1)].outcome);
}

// One record as a table of plain fields.
void push_record(lua_State* L, const std::optional<Record>& record, const Outcome& outcome) {
  if (!record) return lua_pushnil(L);
  const Platform& platform = *outcome.scenario->platform;
  const Workload& workload = *outcome.scenario->workload;
  lua_createtable(L, 0, 6);
  const auto set = [L](const char* name, std::string_view text) {
    host::push(L, text);
    lua_setfield(L, -2, name);
  };
  lua_pushnumber(L, record->time);
  lua_setfield(L, -2, "time");
  set("kind", name_of(record->kind));
  if (record->what != ActivityKind::none) set("what", name_of(record->what));
  if (record->work.valid()) set("work", workload.name_of(record->work));
  if (record->on.valid() && record->on.kind() != ResourceKind::scheduler)
    set("on", platform.name_of(record->on));
  if (record->why != Reason::none) set("why", schedulers::name_of(record->why));
  set("text", text_of(*record, platform, workload));
}

bool difference_property(lua_State* L, int index, std::string_view name) {
  const auto& value = check<DifferenceValue>(L, index);
  if (name == "same") {
    lua_pushboolean(L, value.difference ? 0 : 1);
  } else if (name == "time") {
    if (value.difference)
      lua_pushnumber(L, value.difference->time);
    else
      lua_pushnil(L);
  } else if (name == "first" || name == "second") {
    const std::size_t which = name == "first" ? 0 : 1;
    if (value.difference)
      push_record(L, which == 0 ? value.difference->first : value.difference->second, *value.of[which]);
    else
      lua_pushnil(L);
  } else if (name == "settings") {
    const std::vector<std::string> lines = different_settings(*value.of[0], *value.of[1]);
    lua_createtable(L, static_cast<int>(lines.size()), 0);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      host::push(L, lines[i]);
      lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
    }
  } else {
    return false;
  }
  return true;
}

int difference_text(lua_State* L) {
  return guard(L, [&] {
    const auto& value = check<DifferenceValue>(L, 1);
    std::string text = text_of(value.difference, *value.of[0], *value.of[1]);
    text.pop_back();
    host::push(L, text);
    return 1;
  });
}

constexpr luaL_Reg kCompareMethods[] = {{nullptr, nullptr}};
constexpr luaL_Reg kCompareMeta[] = {{"__tostring", difference_text}, {nullptr, nullptr}};

std::string both_charts(const Interpreter& interpreter, const Outcome& a, const Outcome& b,
                        const ChartOptions& options, const std::array<std::string, 2>& titles) {
  const auto parting = results::first_difference(a, b);
  return gantt(a, b, parting ? parting->time : kNever, options.width, true, interpreter.output().width() > 0,
               options.part, titles);
}

std::array<std::string, 2> titles_of(const ComparisonValue& comparison, std::size_t a, std::size_t b) {
  if (comparison.names.empty()) return {};
  return {comparison.names[a], comparison.names[b]};
}

}  // namespace

// comparison:first_difference([i, j]): by default that of the first two results.
int first_difference(lua_State* L) {
  return guard(L, [&] {
    const auto& results = check<ComparisonValue>(L, 1).results;
    const auto find = [&](const Outcome& outcome) {
      for (const ResultValue& result : results)
        if (result.outcome.get() == &outcome) return result.outcome;
      return results.front().outcome;
    };
    push_new(L, difference_of(find(outcome_at(L, 2, 0)), find(outcome_at(L, 3, 1))));
    return 1;
  });
}

// comparison:gantt([width or { from =, to =, hosts =, width = }]): the charts of the first two results.
int comparison_gantt(lua_State* L) {
  return guard(L, [&] {
    const Outcome &a = outcome_at(L, 3, 0), &b = outcome_at(L, 4, 1);
    Interpreter& interpreter = Interpreter::of(L);
    const ChartOptions options = chart_options(L, 2, a);
    const auto place = [&](int index, std::size_t fallback) {
      return lua_isnoneornil(L, index) ? fallback : static_cast<std::size_t>(lua_tointeger(L, index) - 1);
    };
    const auto titles = titles_of(check<ComparisonValue>(L, 1), place(3, 0), place(4, 1));
    interpreter.output().show(both_charts(interpreter, a, b, options, titles), true, [&] {
      const std::vector<std::string> shown_titles =
          titles[0].empty() ? std::vector<std::string>()
                            : std::vector<std::string>(titles.begin(), titles.end());
      return charts_item({&a, &b}, shown_titles, "charts");
    });
    lua_settop(L, 1);
    return 1;
  });
}

std::vector<Outcome> outcomes_of(const ComparisonValue& comparison) {
  std::vector<Outcome> outcomes;
  outcomes.reserve(comparison.results.size());
  for (const ResultValue& result : comparison.results) outcomes.push_back(*result.outcome);
  return outcomes;
}

std::string shown_comparison(lua_State* L, const ComparisonValue& comparison) {
  const std::vector<Outcome> outcomes = outcomes_of(comparison);
  std::string text = comparison_table(outcomes, comparison.metrics, comparison.names,
                                      static_cast<std::size_t>(Interpreter::of(L).output().width()));
  const bool traced = std::ranges::all_of(
      outcomes, [](const Outcome& outcome) { return outcome.trace.level() == TraceLevel::full; });
  if (outcomes.size() == 2 && traced) {
    const Outcome &a = outcomes[0], &b = outcomes[1];
    text += "\n" + printable(text_of(results::first_difference(a, b), a, b), "\n");
    if (alike(*a.scenario->platform, *b.scenario->platform))
      text += "\n" + both_charts(Interpreter::of(L), a, b, {terminal_width()}, titles_of(comparison, 0, 1));
  }
  text.pop_back();
  return text;
}

void open_compare(lua_State* L) {
  new_type<DifferenceValue>(L, kCompareMethods, kCompareMeta, difference_property,
                            {"same", "time", "first", "second", "settings"});
}

}  // namespace perigee::bindings
