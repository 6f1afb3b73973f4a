#include "tests/fuzz/targets.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <tuple>
#include <vector>

#include "runtime/kernel/error.h"
#include "runtime/kernel/quantity.h"
#include "runtime/model/readers/cluster/batsim_workload.h"
#include "runtime/model/readers/cluster/sacct.h"
#include "runtime/model/readers/etc_file.h"
#include "runtime/model/readers/graph/workflow_files.h"
#include "runtime/model/readers/irmasim.h"
#include "runtime/model/readers/pst.h"
#include "runtime/model/readers/scheduler_list.h"
#include "runtime/model/readers/simgrid.h"
#include "runtime/model/readers/swf.h"
#include "runtime/model/readers/table.h"
#include "runtime/model/routes.h"
#include "tests/support/layers.h"

namespace perigee::fuzz {

namespace {

// The first byte chooses the dimension.
void quantity(std::string_view bytes) {
  static constexpr std::array kDimensions{Dimension::seconds,
                                          Dimension::bytes,
                                          Dimension::bytes_per_second,
                                          Dimension::operations,
                                          Dimension::operations_per_second,
                                          Dimension::fraction,
                                          Dimension::count,
                                          Dimension::watts,
                                          Dimension::joules};
  if (bytes.empty()) return;
  const Dimension dimension = kDimensions[static_cast<unsigned char>(bytes[0]) % kDimensions.size()];
  const double value = parse_quantity(bytes.substr(1), dimension);
  require(!std::isnan(value), "a quantity is a number");
  (void)format_quantity(value, dimension);
}

void swf(std::string_view bytes) {
  SwfOptions options;
  options.max_jobs = 10'000;
  options.bad_lines = bytes.size() % 2 == 0 ? SwfBadLines::skip : SwfBadLines::error;
  const SwfLog log = parse_swf(bytes, "log.swf", options);
  options.oversize = SwfOversize::drop;
  (void)swf_workload(log, options);
}

void sacct(std::string_view bytes) {
  SacctOptions options;
  options.max_jobs = 10'000;
  options.limits = bytes.size() % 2 == 0;
  options.duplicates = static_cast<SacctDuplicates>(bytes.size() % 3);
  options.shape = static_cast<SacctShape>(bytes.size() / 3 % 3);
  const SacctLog log = parse_sacct(bytes, "sacct.txt", options);
  (void)log.report();
  (void)log.limitations();
  const Workload workload = sacct_workload(log);
  require(workload.size() == log.jobs.size(), "each job that is kept is a work");
  for (std::size_t w = 0; w < workload.size(); ++w) {
    const Work& work = workload[WorkId(w)];
    require(work.arrival >= 0 && work.amount > 0 && work.estimate > 0 && work.cores >= 1,
            "a job arrives, takes time and has a core");
    require(workload.width_of(WorkId(w)) <= Shape::kMost, "all its cores can be counted");
  }
}

void batsim_workload(std::string_view bytes) {
  const BatsimWorkload file = parse_batsim_workload(bytes, "workload.json");
  (void)file.report();
  (void)file.limitations();
  const Workload workload = batsim_jobs(file);
  for (std::size_t w = 0; w < workload.size(); ++w) {
    const Work& work = workload[WorkId(w)];
    require(work.arrival >= 0 && work.amount >= 0 && std::isfinite(work.amount), "a job arrives and ends");
    require(workload.limit_of(WorkId(w)) > 0 && workload.shape_of(WorkId(w)) != nullptr,
            "a job has its hosts for itself, and no limit or one > 0");
  }
}

// A value that was read can be written, and is the same when it is read again.
template <class Value, class Read>
void same_again(const Value& value, const std::string& written, Read&& read) {
  try {
    require(read(written) == value, "what was written is read as it was");
  } catch (const Error& error) {
    require(false, error.what());
  }
}

void irmasim_platform(std::string_view bytes) {
  const auto read = [](std::string_view text) {
    return parse_irmasim_platform(text, "platform.json").platform;
  };
  const auto platform = read(bytes);
  same_again(platform, write_irmasim(platform), read);
}

void irmasim_workload(std::string_view bytes) {
  const auto read = [](std::string_view text) { return parse_irmasim_workload(text, "workload.json").jobs; };
  const auto jobs = read(bytes);
  same_again(jobs, write_irmasim(jobs), read);
}

void irmasim_csv(std::string_view bytes) {
  const auto jobs = parse_irmasim_workload(bytes, "workload.csv").jobs;
  same_again(jobs, write_irmasim(jobs),
             [](std::string_view text) { return parse_irmasim_workload(text, "workload.json").jobs; });
}

void irmasim_options(std::string_view bytes) {
  const auto read = [](std::string_view text) { return parse_irmasim_options(text, "options.json").options; };
  const auto options = read(bytes);
  same_again(options, write_irmasim(options), read);
}

// Any behaviour will do.
void pst_grid(std::string_view bytes) {
  const auto read = [](std::string_view text) { return parse_pst_grid(text, "grid.txt").events; };
  const PstGrid grid = parse_pst_grid(bytes, "grid.txt");
  same_again(grid.events, write_pst(grid), read);
  PstBehaviours behaviours;
  for (const PstEvent& event : grid.events) {
    behaviours.of_hosts[event.behaviour].percent = {50, 0, 100};
    behaviours.of_links[event.behaviour] = {{}, {0, 1}, {10, 1000}};
  }
  PstPlatform made = pst_platform(grid, behaviours);
  Scenario scenario;
  scenario.platform = std::make_shared<const Platform>(made.spec);
  scenario.workload = std::make_shared<const Workload>();
  scenario.happenings = std::move(made.happenings);
  scenario.profiles = std::move(made.profiles);
  scenario.check();
  const PstFiles files = pst_files(scenario);
  require(read(write_pst(files.grid)) == files.grid.events, "a grid from a scenario is read as it was");
}

void pst_behaviour(std::string_view bytes) {
  const auto read = [](std::string_view text) { return parse_pst_behaviour(text, "b.host"); };
  const PstBehaviour behaviour = read(bytes);
  require(behaviour.size() > 0, "a behaviour has entries");
  same_again(behaviour, write_pst(behaviour), read);
}

void pst_application(std::string_view bytes) {
  const PstApplication application = parse_pst_application(bytes, "application.txt");
  same_again(application.tasks, write_pst(application),
             [](std::string_view text) { return parse_pst_application(text, "application.txt").tasks; });
  const Workload workload = pst_workload(application);
  require(workload.size() == application.tasks.size(), "every task is a piece of work");
}

void etc(std::string_view bytes) {
  try {
    const EtcMatrix matrix = parse_etc(bytes, "matrix.etc");
    require(matrix.values.size() == matrix.tasks * matrix.machines, "a matrix is full");
  } catch (const Error&) {
  }
  (void)parse_etc(bytes, "matrix.csv", EtcShape{2, 2});
}

void table(std::string_view bytes) {
  try {
    const std::vector<TableColumn> columns = {{"host"},
                                              {"from", TableColumn::Kind::quantity, true, Dimension::seconds},
                                              {"to", TableColumn::Kind::quantity, false, Dimension::seconds},
                                              {"cores", TableColumn::Kind::whole, false}};
    parse_table(bytes, "table.csv", columns, [](const TableRow& row) {
      require(!std::isnan(row.number(1)), "a required quantity is there");
      (void)row.text(0);
    });
  } catch (const Error&) {
  }
  (void)parse_table_data(bytes, "table.csv");
}

void scheduler_list(std::string_view bytes) {
  const SchedulerList list = parse_scheduler_list(bytes, "SchedulerList.xml");
  require(!list.entries.empty(), "a list has an entry");
  for (const SchedulerListEntry& entry : list.entries)
    require(entry.line >= 1 && !entry.label.empty(), "an entry has a line and a label");
}

// With the first host as the place where files start, every host can be reached.
void simgrid(std::string_view bytes) {
  constexpr std::size_t kMostHosts = 1000;
  try {
    (void)Platform(parse_simgrid(bytes, "platform.xml", {.batsim = true, .most_hosts = kMostHosts}).spec);
  } catch (const Error&) {
  }
  const Platform plain(parse_simgrid(bytes, "platform.xml", {.most_hosts = kMostHosts}).spec);
  require(!plain.hosts().empty(), "a platform has a host");
  const SimgridOptions from_first{.origin = plain.hosts()[0].name, .most_hosts = kMostHosts};
  const Platform routed(parse_simgrid(bytes, "platform.xml", from_first).spec);
  require(routed.hosts().size() == plain.hosts().size(), "hosts do not depend on routes");
  for (const auto& route : all_routes(routed, 0)) require(!route.empty(), "each host can be reached");
}

struct SameGraph {
  TaskGraph graph;
  bool operator==(const SameGraph& other) const {
    const auto fields = [](const GraphTask& task) {
      return std::tie(task.name, task.category, task.amount, task.priority, task.inputs, task.outputs,
                      task.after);
    };
    const auto of_file = [](const GraphFile& file) { return std::tie(file.name, file.size); };
    return graph.form == other.graph.form && graph.hosts == other.graph.hosts &&
           graph.times == other.graph.times &&
           std::ranges::equal(graph.tasks, other.graph.tasks, {}, fields, fields) &&
           std::ranges::equal(graph.files, other.graph.files, {}, of_file, of_file);
  }
};

void wfformat(std::string_view bytes) {
  const auto read = [](std::string_view text) {
    return SameGraph{parse_wfformat(text, "w.json", {.time = 1, .older = true}).graph};
  };
  const SameGraph same = read(bytes);
  same_again(same, write_wfformat(same.graph, "w"), read);
}

// Where the dummies that are written are those that were read.
void stg(std::string_view bytes) {
  for (const bool drop : {true, false}) {
    const auto read = [&](std::string_view text) {
      return SameGraph{parse_stg(text, "a.stg", {.drop_dummies = drop}).graph};
    };
    const SameGraph same = read(bytes);
    const std::string written = write_stg(same.graph);
    const std::size_t tasks = parse_stg(written, "a.stg", {}).graph.tasks.size(), dummies = drop ? 2 : 0;
    if (tasks == same.graph.tasks.size() + dummies) same_again(same, written, read);
  }
}

void dot(std::string_view bytes) {
  const auto read = [](std::string_view text) { return SameGraph{parse_dot(text, "a.dot").graph}; };
  const SameGraph same = read(bytes);
  require(has_edge_files(same.graph), "each file is an edge");
  same_again(same, write_dot(same.graph, "g"), read);
}

template <void (*target)(std::string_view)>
void guarded(std::string_view bytes) {
  try {
    target(bytes);
  } catch (const Error& error) {  // a clear error is right, a fault of the program is not
    require(error.diagnostic().code != "internal", error.diagnostic().message.c_str());
  }
}

constexpr Target kTargets[] = {
    {"batsim_workload", guarded<batsim_workload>, 2500},
    {"bindings", guarded<bindings>, 250},
    {"dot", guarded<dot>, 5000},
    {"etc", guarded<etc>, 10000},
    {"irmasim_csv", guarded<irmasim_csv>, 2500},
    {"irmasim_options", guarded<irmasim_options>, 2500},
    {"irmasim_platform", guarded<irmasim_platform>, 2500},
    {"irmasim_workload", guarded<irmasim_workload>, 2500},
    {"messages", guarded<messages>, 10000},
    {"patterns", guarded<patterns>, 2500},
    {"prompt", guarded<prompt>, 250},
    {"pst_application", guarded<pst_application>, 5000},
    {"pst_behaviour", guarded<pst_behaviour>, 10000},
    {"pst_grid", guarded<pst_grid>, 2500},
    {"quantity", guarded<quantity>, 10000},
    {"records", guarded<records>, 2500},
    {"sacct", guarded<sacct>, 2500},
    {"scheduler_list", guarded<scheduler_list>, 5000},
    {"script", guarded<script>, 400},
    {"simgrid", guarded<simgrid>, 2500},
    {"stg", guarded<stg>, 5000},
    {"swf", guarded<swf>, 2500},
    {"table", guarded<table>, 5000},
    {"wfformat", guarded<wfformat>, 2500},
};

}  // namespace

std::span<const Target> targets() { return kTargets; }

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

}  // namespace perigee::fuzz
