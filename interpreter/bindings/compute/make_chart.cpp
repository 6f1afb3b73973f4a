// How scripts come to Gantt charts: cost.chart { } and sim:chart().
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "interpreter/bindings/compute/chart.h"
#include "interpreter/bindings/compute/mappings.h"
#include "interpreter/bindings/simulation_value.h"
#include "interpreter/callbacks/mapper_call.h"
#include "interpreter/callbacks/schedulers.h"
#include "interpreter/language/fields/problems.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/charts.h"
#include "runtime/cost/etc.h"
#include "runtime/schedulers/grid/present_chart.h"

namespace perigee::bindings {

namespace {

std::vector<std::uint32_t> first_places(std::size_t count) {
  std::vector<std::uint32_t> places(count);
  std::iota(places.begin(), places.end(), 0U);
  return places;
}

// The data of a chart that a script makes.
struct OwnChart {
  ChartProblem problem;
  Platform platform;
  Workload workload;
  std::vector<WorkId> tasks;
  std::vector<HostId> hosts;
  std::vector<FileId> files;
  std::vector<std::uint32_t> uses;
  std::vector<std::vector<std::uint32_t>> inputs, outputs;
};

// A list of lists of places, one for each of `count` things.
std::vector<std::vector<std::uint32_t>> lists_at(const Fields& fields, const FieldRow& field,
                                                 std::size_t count, const char* of, std::size_t places) {
  std::vector<std::vector<std::uint32_t>> lists(count);
  const std::string_view name = field.name;
  if (!fields.push(field)) return lists;
  lua_State* L = fields.state();
  if (lua_type(L, -1) != LUA_TTABLE)
    fields.fail(field, "{} must be a list of lists, got {}", name, shown(L, -1));
  const auto given = static_cast<std::size_t>(list_length(L, -1, fmt::format("cost.chart: {}", name)));
  if (given != count) fields.fail(field, "{} lists of {} for {} {}", given, name, count, of);
  for (std::size_t i = 0; i < count; ++i) {
    lua_rawgeti(L, -1, static_cast<lua_Integer>(i) + 1);
    if (places == 0 && lua_type(L, -1) == LUA_TTABLE && lua_rawlen(L, -1) > 0)
      fields.fail(field, "{}[{}] names a file, but transfers has none", name, i + 1);
    lists[i] = places_at(L, -1, fmt::format("cost.chart: {}[{}]", name, i + 1), places);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return lists;
}

// Names the hosts, clusters, files and tasks by their numbers.
void describe(OwnChart& own) {
  const ChartProblem& problem = own.problem;
  PlatformSpec spec;
  spec.clusters.resize(problem.clusters);
  for (std::size_t c = 0; c < problem.clusters; ++c) {
    spec.clusters[c].name = fmt::format("cluster {}", c + 1);
    spec.clusters[c].has_link = true;
    spec.clusters[c].link.name = fmt::format("link {}", c + 1);
    spec.clusters[c].link.bandwidth = Profile(1);
  }
  for (std::size_t h = 0; h < problem.hosts(); ++h) {
    PlatformSpec::ClusterSpec& cluster = spec.clusters[problem.cluster[h]];
    spec.host_order.push_back({problem.cluster[h], static_cast<std::uint32_t>(cluster.hosts.size())});
    cluster.hosts.push_back(Host{.name = fmt::format("machine {}", h + 1), .cluster = {}});
    own.hosts.emplace_back(h);
  }
  own.platform = Platform(spec);
  own.workload.works.resize(problem.tasks());
  for (std::size_t t = 0; t < problem.tasks(); ++t) own.tasks.emplace_back(t);
  for (std::size_t f = 0; f < problem.files; ++f) {
    own.files.emplace_back(f);
    own.workload.files.push_back({.name = fmt::format("file {}", f + 1)});
  }
}

// The fields of cost.chart { }, in the order in which they are read: what comes later is checked by what came
// before.
class ChartFields {
 public:
  ChartFields(lua_State* L, OwnChart& own)
      : L_(L), own_(own), problem_(own.problem), fields_(L, 1, {"cost.chart"}, own_chart_fields::kAll) {}

  void read_problem() {
    read_times();
    read_clusters();
    read_transfers();
    own_.inputs = lists_at(fields_, own_chart_fields::kInputs, tasks_, "tasks", problem_.files);
    own_.outputs = lists_at(fields_, own_chart_fields::kOutputs, tasks_, "tasks", problem_.files);
    own_.uses.assign(problem_.files, 0);
    for (std::size_t t = 0; t < tasks_; ++t) {
      for (const std::uint32_t file : own_.inputs[t]) ++own_.uses[file];
      problem_.inputs.emplace_back(own_.inputs[t]);
      problem_.outputs.emplace_back(own_.outputs[t]);
    }
  }

  // The chart of the problem, with what is there and what is taken already.
  Chart read_chart() {
    Chart chart(problem_, fields_.number(own_chart_fields::kNow));
    const auto stores =
        lists_at(fields_, own_chart_fields::kStores, problem_.clusters, "clusters", problem_.files);
    for (std::size_t c = 0; c < problem_.clusters; ++c)
      for (const std::uint32_t file : stores[c]) chart.has_file(file, c, chart.now());
    read_ends(own_chart_fields::kReady, hosts_, "machines", chart.now(),
              [&](std::size_t i, Time end) { chart.occupy_host(i, end); });
    read_ends(own_chart_fields::kLinkReady, problem_.clusters, "clusters", chart.now(),
              [&](std::size_t i, Time end) { chart.occupy_link(i, end); });
    Interpreter::of(L_).count(tasks_ * hosts_);
    return chart;
  }

  std::size_t tasks() const { return tasks_; }

 private:
  void read_times() {
    if (!fields_.push(own_chart_fields::kTimes))
      fields_.fail(nullptr,
                   "'times' is missing: seconds of each task on each machine, an etc matrix or rows");
    std::shared_ptr<const EtcMatrix> times;
    if (const auto* given = test<std::shared_ptr<const EtcMatrix>>(L_, -1))
      times = *given;
    else
      times = std::make_shared<const EtcMatrix>(etc_at(L_, -1));
    lua_pop(L_, 1);
    tasks_ = times->tasks;
    hosts_ = times->machines;
    for (std::size_t h = 0; h < hosts_; ++h)
      for (std::size_t t = 0; t < tasks_; ++t) problem_.time.push_back(times->values[t * hosts_ + h]);
  }

  void read_clusters() {
    problem_.cluster.assign(hosts_, 0);
    problem_.clusters = 1;
    if (!fields_.push(own_chart_fields::kClusters)) return;
    problem_.cluster = places_at(L_, -1, "cost.chart: clusters", hosts_);
    if (problem_.cluster.size() != hosts_)
      fields_.fail(own_chart_fields::kClusters, "{} clusters for {} machines", problem_.cluster.size(),
                   hosts_);
    for (const std::uint32_t cluster : problem_.cluster)
      problem_.clusters = std::max<std::size_t>(problem_.clusters, cluster + 1);
    lua_pop(L_, 1);
  }

  // Each file has a time, or a time for each cluster.
  void read_transfers() {
    const FieldRow& field = own_chart_fields::kTransfers;
    if (!fields_.push(field)) return;
    if (lua_type(L_, -1) != LUA_TTABLE)
      fields_.fail(field, "transfers must be a list with seconds for each file, got {}", shown(L_, -1));
    problem_.files = static_cast<std::size_t>(list_length(L_, -1, "cost.chart: transfers"));
    Interpreter::of(L_).count(problem_.files * problem_.clusters);
    problem_.transfer.resize(problem_.clusters * problem_.files);
    for (std::size_t f = 0; f < problem_.files; ++f) {
      lua_rawgeti(L_, -1, static_cast<lua_Integer>(f) + 1);
      const std::string what = fmt::format("cost.chart: transfers[{}]", f + 1);
      std::vector<double> row;
      if (lua_type(L_, -1) == LUA_TTABLE) {
        row = fields_.numbers(field, what);
        if (row.size() != problem_.clusters)
          fields_.fail(field, "file {} has {} transfer times for {} clusters", f + 1, row.size(),
                       problem_.clusters);
      } else {
        row.assign(problem_.clusters, number_at(L_, -1, what, field.dimension, field.range));
      }
      for (std::size_t c = 0; c < problem_.clusters; ++c) problem_.transfer[c * problem_.files + f] = row[c];
      lua_pop(L_, 1);
    }
    lua_pop(L_, 1);
  }

  template <class Occupy>
  void read_ends(const FieldRow& field, std::size_t count, const char* of, Time now, const Occupy& occupy) {
    if (!fields_.push(field)) return;
    const std::vector<double> ends = fields_.numbers(field, fmt::format("cost.chart: {}", field.name));
    if (ends.size() != count) fields_.fail(field, "{} times for {} {}", ends.size(), count, of);
    for (std::size_t i = 0; i < count; ++i)
      if (ends[i] > now) occupy(i, ends[i]);
    lua_pop(L_, 1);
  }

  lua_State* L_;
  OwnChart& own_;
  ChartProblem& problem_;
  const Fields fields_;
  std::size_t tasks_ = 0, hosts_ = 0;
};

}  // namespace

int make_chart(lua_State* L) {
  return guard(L, [&] {
    auto own = std::make_shared<OwnChart>();
    ChartFields fields(L, *own);
    fields.read_problem();
    auto draft = std::make_unique<ChartDraft>(fields.read_chart(), first_places(fields.tasks()));
    describe(*own);
    const ChartPlan plan{.platform = &own->platform,
                         .workload = &own->workload,
                         .tasks = own->tasks,
                         .hosts = own->hosts,
                         .files = own->files,
                         .uses = own->uses};
    push_new(L, ChartValue{std::make_shared<MapperCall>(), plan, std::move(own), std::move(draft)});
    return 1;
  });
}

int chart_of_simulation(lua_State* L) {
  return guard(L, [&] {
    SimulationValue& value = simulation_at(L);
    const ConfigPtr planner = lua_isnoneornil(L, 2) ? Catalogue().configure("planner")
                                                    : scheduler_at(L, 2, "chart: the planner", Role::policy);
    if (planner->entry->name != "planner")
      fail("bad_parameter", "chart: {} draws no Gantt chart; a planner does", planner->entry->name);
    if (value.running) fail("bad_call", "this simulation is running: its own callbacks cannot draw it");
    Interpreter& interpreter = Interpreter::of(L);
    constexpr std::uint64_t kStepsOfPlace = 5;
    const Simulation& now = seen(value);
    const View& view = now.view();
    did_work(kStepsOfPlace * view.unsettled() * view.hosts().size());
    std::shared_ptr<const grid::PresentChart> present;
    say_when(now, [&] {
      const Interpreter::InRun in_run(interpreter);
      present = std::make_shared<const grid::PresentChart>(now, *planner);
    });
    const ChartProblem& problem = present->chart().problem();
    auto draft = std::make_unique<ChartDraft>(present->chart(), first_places(problem.tasks()));
    const ChartPlan plan = present->plan();
    push_new(L, ChartValue{std::make_shared<MapperCall>(), plan, std::move(present), std::move(draft)});
    return 1;
  });
}

}  // namespace perigee::bindings
