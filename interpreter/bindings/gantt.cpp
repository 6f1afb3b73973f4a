#include "interpreter/bindings/gantt.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "interpreter/bindings/items.h"
#include "interpreter/host/terminal.h"
#include "interpreter/language/fields/plots.h"
#include "interpreter/session/interpreter.h"

namespace perigee::bindings {

namespace {

constexpr std::uint64_t kStepsOfRow = 500;  // of a picture's rows

}  // namespace

ChartPart chart_part(const Fields& fields, const Outcome& outcome) {
  lua_State* L = fields.state();
  ChartPart part;
  part.from = fields.number(chart_fields::kFrom, part.from);
  part.to = fields.number(chart_fields::kTo, part.to);
  if (fields.has(chart_fields::kFrom) && part.from >= std::min(part.to, outcome.end))
    fields.fail(chart_fields::kFrom, "from must be before {}, which is {} s, got {} s",
                part.to < outcome.end ? "to" : "the end", format_number(std::min(part.to, outcome.end)),
                format_number(part.from));
  if (fields.has(chart_fields::kRows))
    part.rows = static_cast<std::size_t>(fields.integer(chart_fields::kRows));
  if (!fields.push(chart_fields::kHosts)) return part;
  const Platform& platform = *outcome.scenario->platform;
  const auto add = [&](std::string_view name) {
    std::vector<std::string> names;
    for (std::size_t h = 0; h < platform.hosts().size(); ++h) {
      const Host& host = platform.hosts()[h];
      const std::string& cluster = platform[host.cluster].name;
      if (host.name == name || cluster == name) {
        if (std::ranges::find(part.hosts, HostId(h)) == part.hosts.end()) part.hosts.push_back(HostId(h));
        names.clear();
        names.emplace_back(name);
        if (host.name == name) return;
      }
      if (names.empty() || names[0] != name) names.insert(names.end(), {host.name, cluster});
    }
    if (names.empty() || names[0] != name)
      fields.fail(chart_fields::kHosts, "there is no host or cluster '{}'{}", name,
                  did_you_mean(name, names));
  };
  if (const auto name = text_at(L, -1)) {
    add(*name);
  } else if (lua_type(L, -1) == LUA_TTABLE && lua_rawlen(L, -1) > 0) {
    const lua_Integer count = list_length(L, -1, fmt::format("{}: hosts", fields.subject()));
    for (lua_Integer i = 1; i <= count; ++i) {
      lua_rawgeti(L, -1, i);
      if (!text_at(L, -1))
        fields.fail(chart_fields::kHosts, "hosts[{}] must be a name, got {}", i, shown(L, -1));
      add(*text_at(L, -1));
      lua_pop(L, 1);
    }
  } else {
    fields.fail(chart_fields::kHosts, "hosts must be a list of names of hosts and clusters, got {}",
                shown(L, -1));
  }
  lua_pop(L, 1);
  return part;
}

ChartOptions chart_options(lua_State* L, int index, const Outcome& outcome) {
  ChartOptions options{terminal_width()};
  if (lua_type(L, index) == LUA_TTABLE) {
    const Fields fields(L, index, {"gantt"}, chart_fields::kAll);
    options.width = static_cast<int>(fields.integer(chart_fields::kWidth, options.width));
    options.part = chart_part(fields, outcome);
  } else if (!lua_isnoneornil(L, index)) {
    options.width = static_cast<int>(
        integer_at(L, index, "gantt: width", chart_fields::kLeastColumns, chart_fields::kMostColumns));
  }
  return options;
}

void print_gantt(lua_State* L, const Outcome& outcome, int index) {
  did_work(kStepsOfRow * outcome.scenario->platform->hosts().size() + outcome.trace.size());
  const ChartOptions options = chart_options(L, index, outcome);
  Interpreter& interpreter = Interpreter::of(L);
  interpreter.output().show(
      gantt(outcome, options.width, true, interpreter.output().width() > 0, options.part), true,
      [&] { return chart_item(outcome, "chart"); });
}

}  // namespace perigee::bindings
