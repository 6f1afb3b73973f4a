// A run in files, and back.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/engine/simulation.h"

namespace perigee::results {

// The most bars, one per core of an activity (one per host where jobs had several), in a picture of a run. A larger picture is left out, as no
// viewer opens it.
inline constexpr double kMostBars = 1e6;      // in chrome_trace.json
inline constexpr double kMostPajeBars = 1e7;  // in paje.trace

// Files for other programs, written on demand.
enum class Format : std::uint8_t {
  batsim,   // batsim_jobs.csv, and consumed_energy.csv where hosts declare their power
  paje,     // paje.trace
  irmasim,  // platform.json, workload.json, options.json, irmasim_jobs.csv, irmasim_states.csv
  petek,    // petek.json
  simgrid,  // simgrid_platform.xml, simgrid_activities.json, and what simgrid_files() adds
};
std::string_view name_of(Format format);
// Error "unknown_format" with the nearest name.
Format format_named(std::string_view name);

// Files of a saved run, which all are written unless some are asked for. manifest.json is always there.
enum class RunFile : std::uint8_t { jobs, resources, trace, chrome_trace, metrics };
// "jobs" is jobs.csv, "chrome_trace" is chrome_trace.json. Error "unknown_file" with the nearest name.
RunFile run_file_named(std::string_view name);

// The tasks of the run, or of the workflow of that number from 0, in WfFormat, with the run time, start and host of their
// last computations. `name`: of the workflow. Error "bad_call" where one was not computed, "workflow_duplicate" where two
// tasks or files have one name. The run must have kept its trace.
std::string wfformat_of(const Outcome& outcome, std::optional<std::uint32_t> workflow, std::string_view name);

struct Saving {
  std::vector<Format> also;
  std::vector<RunFile> only;  // none: all of them
  bool gzip = false;          // compresses each RunFile but metrics.json; .gz ends its name
};

// Writes a run's files to `dir`. They are written to a fresh folder beside it, which is then renamed, so
// that nothing is ever half written. An existing `dir` is replaced if it is empty or holds only files that
// its own manifest lists. Otherwise, and if a folder cannot be written, Error "bad_output", and everything is
// as before. `manifest_extra` (an object) is merged into the manifest; its "files" are further files that
// somebody else will put there. Returns what was left out, a line each: chrome_trace.json beyond kMostBars.
std::vector<std::string> save(const Outcome& outcome, const std::filesystem::path& dir,
                              const nlohmann::json& manifest_extra, const Saving& saving = {});
std::vector<std::string> save(const Outcome& outcome, const std::filesystem::path& dir);

std::string trace_csv(const Outcome& outcome);
// Chrome's trace-event format. There is a process per cluster, with a thread per core and link, and one more
// process for the waiting works. Where jobs had several hosts, a host has threads for the activities that it serves
// at a time, not for its cores. Times are in microseconds.
std::string chrome_trace(const Outcome& outcome);
// The columns of Batsim's PREFIX_jobs.csv, one row per work that arrived. A resource is a core, counted from
// 0 over the hosts in order. Missing times are empty. requested_time is that on the host that served the
// work, -1 if a work may have several hosts.
std::string batsim_jobs_csv(const Outcome& outcome);
// The columns of Batsim's PREFIX_consumed_energy.csv. There is a row where a work begins to compute (s), where it
// computes no more (e), and where a host is switched or changes its state of speed (p): `energy` is J of all hosts from
// time 0 on, `wattmin` W of all hosts if those that are on had hardly any load, `epower` W on average since the row
// before, NA without a time in between. Error "not_measured" for a run that did not keep its whole trace.
std::string batsim_energy_csv(const Outcome& outcome);
// The Paje format, see export_paje.cpp.
std::string paje_trace(const Outcome& outcome);
// IRMaSim's inputs, as runtime/model/readers/irmasim.h reads them. Error "not_irmasim" if the format cannot
// express them. The options name no manager. irmasim_lost names what the format has no room for.
std::string irmasim_platform_json(const Outcome& outcome);
std::string irmasim_workload_json(const Outcome& outcome);
std::string irmasim_options_json(const Outcome& outcome);
std::vector<std::string> irmasim_lost(const Outcome& outcome);
// A line for each job that finished, and a line for each instant at which a job was submitted, started or
// finished. Columns that are not modelled (energy, memory, exploitation) are empty.
std::string irmasim_jobs_csv(const Outcome& outcome);
std::string irmasim_states_csv(const Outcome& outcome);
struct NamedText {
  std::string name, text;
};
// simgrid_platform.xml; simgrid_activities.json, the decisions of the run and the times of their ends; and a file for
// each profile of a link. Error "not_simgrid" where SimGrid cannot tell when what was decided ends. simgrid_lost names
// what is left out, because its times are given or none.
std::vector<NamedText> simgrid_files(const Outcome& outcome);
std::vector<std::string> simgrid_lost(const Outcome& outcome);
nlohmann::json json_number(double value);             // a whole number as such; what is not finite as null
nlohmann::json metrics_json(const Outcome& outcome);  // NaN as null
nlohmann::json manifest(const Outcome& outcome);

// The first event in which a stored trace and this run differ; none if they are the same to the last bit. An
// example is "event 17: expected t=3 started compute job 2 on a.1, got t=4 ...". Error "bad_trace" if the
// file is no such trace.
std::optional<std::string> first_difference(const Outcome& outcome, const std::filesystem::path& trace_file);

}  // namespace perigee::results
