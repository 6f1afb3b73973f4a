// Rows, means, differences and files of experiments that are over.
#include "interpreter/bindings/run/experiment/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <tuple>
#include <utility>

#include "interpreter/bindings/files.h"
#include "interpreter/bindings/methods.h"
#include "interpreter/bindings/run/experiment/declaration.h"
#include "interpreter/bindings/tables.h"
#include "interpreter/experiments/report.h"
#include "interpreter/language/fields/experiments.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/runs.h"

namespace perigee::bindings {

MeanOptions mean_options(lua_State* L, int index) {
  MeanOptions options;
  if (lua_type(L, index) != LUA_TTABLE) return options;
  const Fields fields(L, index, {"table"}, experiment_fields::kTable);
  options.confidence = fields.number(experiment_fields::kConfidence);
  options.warnings = fields.flag(experiment_fields::kWarnings);
  return options;
}

std::uint32_t baseline_of(const Fields& fields, const Factor& factor) {
  if (!fields.push(experiment_fields::kBaseline)) return 0;
  lua_State* L = fields.state();
  const auto level = level_at(L, -1);
  const std::string text = level ? text_of(*level) : shown(L, -1);
  std::vector<std::string> levels;
  for (const Cell& each : factor.levels) levels.push_back(text_of(each));
  const auto found = std::find(levels.begin(), levels.end(), text);
  if (found == levels.end())
    fields.fail(experiment_fields::kBaseline, "factor '{}' has no level {}{}", factor.name, text,
                nearest_or_all(text, levels));
  lua_pop(L, 1);
  return static_cast<std::uint32_t>(found - levels.begin());
}

namespace {

const Experiment& experiment_at(lua_State* L) { return *check<ExperimentPtr>(L, 1); }

// Like push_table; the metatable keeps the names of the factors too.
void push_findings(lua_State* L, const Experiment& experiment, const Table& table) {
  push_table(L, table);
  lua_getmetatable(L, -1);
  push_names(L, experiment.design.factors);
  lua_setfield(L, -2, "factors");
  lua_pop(L, 1);
}

std::string result_measure_at(lua_State* L, int index, const Experiment& experiment, const char* who) {
  const auto name = text_at(L, index);
  if (!name) fail("bad_type", "{}: the name of a measure is needed, got {}", who, shown(L, index));
  const auto known = measures_of(experiment.outcomes);
  if (!known.empty() && std::find(known.begin(), known.end(), *name) == known.end())
    fail("unknown_measure", "{}: no cell of experiment '{}' has a measure '{}'{}", who,
         experiment.design.name, *name, nearest_or_all(*name, known));
  return std::string(*name);
}

int rows(lua_State* L) {
  return guard(L, [&] {
    const Experiment& experiment = experiment_at(L);
    push_findings(L, experiment, cell_table(experiment.design, experiment.outcomes));
    return 1;
  });
}

// e:table(measure, ... [, { confidence =, warnings = }])
int means(lua_State* L) {
  return guard(L, [&] {
    const Experiment& experiment = experiment_at(L);
    const MeanOptions options = mean_options(L, -1);
    if (lua_gettop(L) > 1 && lua_type(L, -1) == LUA_TTABLE) lua_pop(L, 1);
    std::vector<std::string> measures;
    for (int i = 2; i <= lua_gettop(L); ++i) {
      measures.push_back(result_measure_at(L, i, experiment, "table"));
      if (std::count(measures.begin(), measures.end(), measures.back()) > 1)
        fail("bad_call", "table: '{}' is named twice", measures.back());
    }
    if (measures.empty()) measures = measures_of(experiment.outcomes);
    push_findings(
        L, experiment,
        mean_table(experiment.design, experiment.outcomes, measures, options.confidence, options.warnings));
    return 1;
  });
}

// e:compare(measure, { factor =, baseline =, confidence = })
int differences(lua_State* L) {
  return guard(L, [&] {
    const Experiment& experiment = experiment_at(L);
    const Design& design = experiment.design;
    const std::string measure = result_measure_at(L, 2, experiment, "compare");
    const Fields fields(L, 3, {"compare"}, experiment_fields::kCompare);
    const std::string name = fields.text(experiment_fields::kFactor);
    std::vector<std::string> names;
    names.reserve(design.factors.size());
    for (const Factor& each : design.factors) names.push_back(each.name);
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end())
      fields.fail(experiment_fields::kFactor, "experiment '{}' has no factor '{}'{}", design.name, name,
                  nearest_or_all(name, names));
    const auto factor = static_cast<std::size_t>(at - names.begin());
    const std::uint32_t baseline = baseline_of(fields, design.factors[factor]);
    const double confidence = fields.number(experiment_fields::kConfidence);
    push_findings(L, experiment,
                  difference_table(design, experiment.outcomes, measure, factor, baseline, confidence));
    return 1;
  });
}

int failures(lua_State* L) {
  return guard(L, [&] {
    auto& experiment = *check<ExperimentPtr>(L, 1);
    const Interpreter& interpreter = Interpreter::of(L);
    if (interpreter.options().worker_of == nullptr && !interpreter.cell().under_way())
      experiment.failures_read = true;
    push_findings(L, experiment, failure_table(experiment.design, experiment.outcomes));
    return 1;
  });
}

int warnings(lua_State* L) {
  return guard(L, [&] {
    const Experiment& experiment = experiment_at(L);
    push_findings(L, experiment, warning_table(experiment.design, experiment.outcomes));
    return 1;
  });
}

int csv(lua_State* L) {
  return guard(L, [&] {
    const Experiment& experiment = experiment_at(L);
    host::push(L, exact_csv(cell_table(experiment.design, experiment.outcomes)));
    return 1;
  });
}

int json(lua_State* L) {
  return guard(L, [&] {
    const Experiment& experiment = experiment_at(L);
    host::push(L, experiment_json(experiment.design, experiment.outcomes));
    return 1;
  });
}

// Writes the whole file or nothing.
void write_file(const std::string& path, const std::string& text) {
  const std::string draft = path + ".part";
  std::ofstream stream(draft, std::ios::binary | std::ios::trunc);
  stream << text;
  stream.close();
  std::error_code error;
  if (stream) std::filesystem::rename(draft, path, error);
  if (stream && !error) return;
  std::filesystem::remove(draft, error);
  fail("unwritable", "{} cannot be written", path);
}

// e:save(name): writes name.csv and name.json below --out.
int save(lua_State* L) {
  return guard(L, [&] {
    const Experiment& experiment = experiment_at(L);
    const auto name = text_at(L, 2);
    if (!name) fail("bad_type", "save: a name is needed, got {}", shown(L, 2));
    Interpreter& interpreter = Interpreter::of(L);
    if (!interpreter.checking() && interpreter.writes()) {
      const std::string csv = own_file(interpreter, std::string(*name) + ".csv");
      const std::string json = own_file(interpreter, std::string(*name) + ".json");
      std::error_code error;
      std::filesystem::create_directories(std::filesystem::path(csv).parent_path(), error);
      for (const std::string& file : {csv, json}) note_own_file(interpreter, file);
      write_file(csv, exact_csv(cell_table(experiment.design, experiment.outcomes)));
      write_file(json, experiment_json(experiment.design, experiment.outcomes));
    }
    lua_settop(L, 1);
    return 1;
  });
}

// experiment.load(name): reads files of e:save.
int load(lua_State* L) {
  return guard(L, [&] {
    std::string name = path_at(L, 1, "experiment.load");
    if (!name.ends_with(".json")) name += ".json";
    auto experiment = std::make_shared<Experiment>();
    experiment->failures_read = true;
    std::tie(experiment->design, experiment->outcomes) = with_file(L, name, [&](const std::string& real) {
      std::ifstream stream(real, std::ios::binary);
      std::ostringstream text;
      if (!(text << stream.rdbuf())) fail("unreadable", "{} cannot be read", name);
      return read_experiment(std::move(text).str(), name);
    });
    for (const auto& [number, outcome] : experiment->outcomes) experiment->failed += outcome.failed() ? 1 : 0;
    experiment->over = true;
    push_new(L, ExperimentPtr(std::move(experiment)));
    return 1;
  });
}

int experiment_size(lua_State* L) {
  return guard(L, [&] {
    lua_pushinteger(L, static_cast<lua_Integer>(experiment_at(L).outcomes.size()));
    return 1;
  });
}

int text(lua_State* L) {
  return guard(L, [&] {
    const Experiment& experiment = experiment_at(L);
    std::string out =
        fmt::format("experiment '{}' of {} cells", experiment.design.name, experiment.outcomes.size());
    if (experiment.failed > 0) out += fmt::format(", {} failed", experiment.failed);
    host::push(L, out);
    return 1;
  });
}

constexpr luaL_Reg kExperimentMethods[] = {
    {"rows", rows}, {"table", means},   {"compare", differences}, {"csv", csv},           {"json", json},
    {"save", save}, {"report", report}, {"failures", failures},   {"warnings", warnings}, {nullptr, nullptr}};
constexpr luaL_Reg kExperimentModule[] = {{"load", load}, {nullptr, nullptr}};
constexpr luaL_Reg kExperimentMeta[] = {{"__tostring", text}, {"__len", experiment_size}, {nullptr, nullptr}};

}  // namespace

void open_results_of_experiments(lua_State* L) {
  new_type<ExperimentPtr>(L, kExperimentMethods, kExperimentMeta);
  Interpreter::of(L).contents().note(TypeName<ExperimentPtr>::value, [](lua_State* state, int index) {
    const ExperimentPtr& experiment = *test<ExperimentPtr>(state, index);
    experiment->reached = true;
    return experiment_json(experiment->design, experiment->outcomes);
  });
}

void open_module_of_experiments(lua_State* L) { extend(L, "experiment", kExperimentModule); }

}  // namespace perigee::bindings
