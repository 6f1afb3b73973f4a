// platform.pst(path [, { behaviours =, period = }]), workload.pst(path) and scenario:pst(folder): the files
// of the Parameter Sweep Template's simulator.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "interpreter/bindings/declare/events.h"
#include "interpreter/bindings/declare/scenario.h"
#include "interpreter/bindings/files.h"
#include "interpreter/language/fields/readers.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/declarations.h"
#include "runtime/model/readers/pst.h"

namespace perigee::bindings {

namespace {

constexpr Range kPercent{0, 1, false};

bool names_link(const PstEvent& event) {
  return event.kind == PstEventKind::add_cluster || event.kind == PstEventKind::change_cluster;
}

void warn_of(lua_State* L, const std::string& path, const std::vector<PstWarning>& warnings) {
  for (const PstWarning& each : warnings) warn_once(L, fmt::format("{}:{}: {}", path, each.line, each.text));
}

// ---- behaviours ----

std::string_view extension_of(const PstEvent& event) { return names_link(event) ? ".link" : ".host"; }

// The first of folder/NAME and folder/NAME.host or .link that exists; nothing when there is neither.
std::optional<PstBehaviour> behaviour_in(lua_State* L, const std::string& folder, const PstEvent& event) {
  const std::string plain = (std::filesystem::path(folder) / event.behaviour).string();
  for (const std::string& each : {plain, fmt::format("{}{}", plain, extension_of(event))}) try {
      Interpreter::of(L).files().look_for(each);
      return with_file(L, each, [](const std::string& real) { return read_pst_behaviour(real); });
    } catch (const Error& error) {
      if (error.diagnostic().code != "no_file") throw;
    }
  return std::nullopt;
}

// Error that lists the missing behaviours in the form of a table.
[[noreturn]] void missing(const std::string& folder, const PstGrid& grid,
                          const std::vector<const PstEvent*>& events) {
  constexpr std::size_t kMost = 20;
  const PstEvent& first = *events.front();
  const std::string plain = (std::filesystem::path(folder) / first.behaviour).string();
  std::string table;
  for (std::size_t i = 0; i < std::min(events.size(), kMost); ++i) {
    const std::string& name = events[i]->behaviour;
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    const bool plain_key = letter(name[0]) && std::ranges::all_of(name, [&](char c) {
                             return letter(c) || (c >= '0' && c <= '9');
                           });
    table += fmt::format("{}{} = {}", i > 0 ? ", " : "", plain_key ? name : fmt::format("[\"{}\"]", name),
                         names_link(*events[i]) ? "{ bandwidth = }" : "1");
  }
  fail_at({grid.file, first.line}, "unknown_behaviour",
          "there is no file '{}' or '{}{}'; platform.pst(..., {{ behaviours = }}) takes another folder, or a "
          "table of what is missing: {{ {}{} }}",
          plain, plain, extension_of(first), table, events.size() > kMost ? ", ..." : "");
}

PstBehaviours behaviours_in(lua_State* L, const std::string& folder, const PstGrid& grid) {
  PstBehaviours behaviours;
  std::vector<const PstEvent*> absent;
  for (const PstEvent& event : grid.events) {
    if (event.behaviour.empty()) continue;
    auto& mine = names_link(event) ? behaviours.of_links : behaviours.of_hosts;
    if (mine.contains(event.behaviour)) continue;
    std::optional<PstBehaviour> read = behaviour_in(L, folder, event);
    if (!read) {
      const auto same = [&](const PstEvent* each) {
        return each->behaviour == event.behaviour && names_link(*each) == names_link(event);
      };
      if (std::ranges::none_of(absent, same)) absent.push_back(&event);
      continue;
    }
    if (read->of_link() != names_link(event))
      fail_at({grid.file, event.line}, "wrong_behaviour",
              "'{}' is the behaviour of a {}, that of a {} is needed", event.behaviour,
              read->of_link() ? "link" : "host", read->of_link() ? "host" : "link");
    mine.emplace(event.behaviour, std::move(*read));
  }
  if (!absent.empty()) missing(folder, grid, absent);
  return behaviours;
}

// A number or quantity, or a list of them; the value is at -1.
std::vector<double> entries_at(lua_State* L, const std::string& what, Dimension dimension, Range range) {
  if (lua_type(L, -1) != LUA_TTABLE) return {number_at(L, -1, what, dimension, range)};
  std::vector<double> entries = numbers_at(L, -1, what, dimension, range);
  if (entries.empty()) fail("out_of_range", "{} has no entries", what);
  return entries;
}

// { name = 0.7, name = { 0.7, "50 %" }, name = { bandwidth =, latency = } }
PstBehaviours behaviours_at(const Fields& fields) {
  lua_State* L = fields.state();
  PstBehaviours behaviours;
  each_sorted(L, -1, [&] {
    const auto text = text_at(L, -2);
    if (!text) fields.fail(pst_fields::kBehaviours, "behaviours: {} is no name", shown(L, -2));
    const std::string name(*text), what = fmt::format("platform.pst: behaviour '{}'", name);
    PstBehaviour behaviour;
    const bool is_link = lua_type(L, -1) == LUA_TTABLE && lua_rawlen(L, -1) == 0;
    if (!is_link) {
      for (const double share : entries_at(L, what, Dimension::fraction, kPercent))
        behaviour.percent.push_back(share * 100);
      behaviours.of_hosts.emplace(name, std::move(behaviour));
      return;
    }
    const Fields link(L, -1, {what}, pst_fields::kLink);
    const auto read = [&](const FieldRow& field) {
      std::vector<double> entries{0};
      if (!link.push(field)) return entries;
      entries = entries_at(L, fmt::format("{}: {}", what, field.name), field.dimension, field.range);
      lua_pop(L, 1);
      return entries;
    };
    if (!link.has(pst_fields::kBandwidth)) link.fail(nullptr, "'bandwidth' is missing");
    behaviour.bandwidth = read(pst_fields::kBandwidth);
    behaviour.latency = read(pst_fields::kLatency);
    for (double& latency : behaviour.latency) latency *= 1000;
    const std::size_t size = std::max(behaviour.bandwidth.size(), behaviour.latency.size());
    for (auto* entries : {&behaviour.bandwidth, &behaviour.latency}) {
      if (entries->size() != 1 && entries->size() != size)
        link.fail(pst_fields::kLatency, "{} entries of bandwidth and {} of latency do not go together",
                  behaviour.bandwidth.size(), behaviour.latency.size());
      entries->resize(size, entries->front());
    }
    behaviours.of_links.emplace(name, std::move(behaviour));
  });
  return behaviours;
}

// ---- reading ----

// The text to be read: from a path, or { text = } itself.
struct Source {
  std::string name;
  std::optional<std::string> text;

  template <class Read, class Parse>
  auto get(lua_State* L, Read read, Parse parse) const {
    if (text) return parse(*text, name);
    return with_file(L, name, [&](const std::string& real) { return read(real); });
  }
};

Source source_at(lua_State* L, std::string_view what) {
  if (lua_type(L, 1) != LUA_TTABLE) return {path_at(L, 1, what), std::nullopt};
  const Fields fields(L, 1, {what}, pst_fields::kSource);
  return {"text", fields.text(pst_fields::kText)};
}

// platform.pst(path or { text = } [, { behaviours =, period = }]) -> platform, list of events
int read_pst_platform(lua_State* L) {
  return guard(L, [&] {
    const Source source = source_at(L, "platform.pst");
    const std::string& path = source.name;
    std::string folder = std::filesystem::path(path).parent_path().string();
    std::optional<PstBehaviours> behaviours;
    Seconds period = kPstSamplePeriod;
    if (!lua_isnoneornil(L, 2)) {
      const Fields fields(L, 2, {"platform.pst"}, pst_fields::kPlatform);
      period = fields.number(pst_fields::kPeriod);
      if (fields.push(pst_fields::kBehaviours)) {
        if (const auto given = text_at(L, -1))
          folder = *given;
        else if (lua_type(L, -1) == LUA_TTABLE)
          behaviours = behaviours_at(fields);
        else
          fields.fail(pst_fields::kBehaviours, "behaviours must be a folder or a table of them, got {}",
                      shown(L, -1));
        lua_pop(L, 1);
      }
    }
    PstGrid grid = source.get(L, read_pst_grid, parse_pst_grid);
    grid.file = path;
    warn_of(L, path, grid.warnings);
    if (!behaviours) behaviours = behaviours_in(L, folder, grid);
    PstPlatform made = pst_platform(grid, *behaviours, period);
    if (made.spec.clusters.empty())
      fail_at({path, 1}, "bad_platform", "the grid has no clusters: nothing is ever added");
    PlatformValue value;
    value.platform = std::make_shared<const Platform>(made.spec);
    for (std::int32_t a = 0; a < made.architectures; ++a) value.architectures.push_back(fmt::format("{}", a));
    auto events = std::make_shared<FileEvents>();
    events->platform = value.platform;
    events->happenings = std::move(made.happenings);
    events->profiles = std::move(made.profiles);
    push_new(L, std::move(value));
    lua_createtable(L, 1, 0);
    push_new(L, EventPart{.kind = fmt::format("events of {}", path),
                          .declared_at = caller(L),
                          .file = std::move(events)});
    lua_rawseti(L, -2, 1);
    return 2;
  });
}

// workload.pst(path or { text = })
int read_workload(lua_State* L) {
  return guard(L, [&] {
    const Source source = source_at(L, "workload.pst");
    const PstApplication application = source.get(L, read_pst_application, parse_pst_application);
    warn_of(L, source.name, application.warnings);
    push_workload(L, WorkKind::task, static_cast<std::int64_t>(application.tasks.size()),
                  [workload = std::make_shared<const Workload>(pst_workload(application))](const Platform&) {
                    return *workload;
                  });
    return 1;
  });
}

}  // namespace

// ---- writing ----

// s:pst(folder [, { seed = }]): grid.txt, application.txt and a file for each behaviour, below --out.
int write_pst_files(lua_State* L) {
  return guard(L, [&] {
    ScenarioValue& value = *check<ScenarioPtr>(L, 1);
    const std::string folder = path_at(L, 2, "pst");
    Interpreter& interpreter = Interpreter::of(L);
    std::uint64_t seed = interpreter.cell().seed();
    if (!lua_isnoneornil(L, 3)) {
      const Fields fields(L, 3, {"pst"}, pst_fields::kWritten);
      seed = static_cast<std::uint64_t>(fields.integer(pst_fields::kSeed, static_cast<std::int64_t>(seed)));
    }
    if (interpreter.checking()) return 0;
    const auto scenario = scenario_for(L, value, seed);
    if (scenario->stream)
      fail("bad_type", "pst: an application lists its tasks, and a stream has none before it runs");
    const PstFiles files = pst_files(*scenario);
    if (!files.lost.empty())
      warn_once(L, fmt::format("{}: the format has no room for {}", folder, fmt::join(files.lost, ", ")));
    if (!interpreter.writes()) return 0;
    std::vector<std::pair<std::string, std::string>> texts = {
        {folder + "/grid.txt", write_pst(files.grid)},
        {folder + "/application.txt", write_pst(files.application)}};
    for (const auto& [name, behaviour] : files.behaviours.of_hosts)
      texts.emplace_back(fmt::format("{}/{}.host", folder, name), write_pst(behaviour));
    for (const auto& [name, behaviour] : files.behaviours.of_links)
      texts.emplace_back(fmt::format("{}/{}.link", folder, name), write_pst(behaviour));
    write_below_out(L, texts);
    return 0;
  });
}

const luaL_Reg kPstWorkload{"pst", read_workload};
const luaL_Reg kPstPlatform{"pst", read_pst_platform};

}  // namespace perigee::bindings
