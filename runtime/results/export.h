// A run in files, and back.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/engine/simulation.h"

namespace perigee::results {

// Bars, one per core of an activity, beyond which a picture of a run is left out: no viewer opens more.
inline constexpr double kMostBars = 1e6;      // in chrome_trace.json
inline constexpr double kMostPajeBars = 1e7;  // in paje.trace

// Files for other programs, written on demand.
enum class Format : std::uint8_t {
  batsim,   // batsim_jobs.csv
  paje,     // paje.trace
  irmasim,  // platform.json, workload.json, options.json, irmasim_jobs.csv, irmasim_states.csv
  petek,    // petek.json
};
std::string_view name_of(Format format);
// Error "unknown_format" with the nearest name.
Format format_named(std::string_view name);

// jobs.csv, resources.csv, trace.csv, chrome_trace.json, metrics.json and manifest.json in `dir`, and the
// files of each format in `also`. Written to a fresh folder beside it, then renamed, so that nothing is ever
// half written. An existing `dir` is replaced when it is empty or holds nothing but files that its own
// manifest lists; otherwise, and when a folder cannot be written, Error "bad_output" and everything is as
// before. `manifest_extra` (an object) is merged into the manifest; names of further files that somebody else
// will put there go into its "files". Returns what was left out, a line each: chrome_trace.json beyond
// kMostBars.
std::vector<std::string> save(const Outcome& outcome, const std::filesystem::path& dir,
                              const nlohmann::json& manifest_extra = {}, std::span<const Format> also = {});

std::string trace_csv(const Outcome& outcome);
// Chrome's trace-event format: a process per cluster, a thread per core and link, one more for the waiting
// works. Times in microseconds.
std::string chrome_trace(const Outcome& outcome);
// The columns of Batsim's PREFIX_jobs.csv, one row per work that arrived. A resource is a core, counted from
// 0 over the hosts in order; times that there are not are empty; requested_time is that on the host that
// served it, -1 where a work may have several.
std::string batsim_jobs_csv(const Outcome& outcome);
// In the Paje format, see export_paje.cpp.
std::string paje_trace(const Outcome& outcome);
// IRMaSim's inputs, as runtime/model/readers/irmasim.h reads them; error "not_irmasim" where the format
// cannot tell them; the options name no manager. What it has no room for is named by irmasim_lost.
std::string irmasim_platform_json(const Outcome& outcome);
std::string irmasim_workload_json(const Outcome& outcome);
std::string irmasim_options_json(const Outcome& outcome);
std::vector<std::string> irmasim_lost(const Outcome& outcome);
// A line for each job that finished, and one for each instant at which a job was submitted, started or
// finished. Columns of what is not modelled (energy, memory, exploitation) are empty.
std::string irmasim_jobs_csv(const Outcome& outcome);
std::string irmasim_states_csv(const Outcome& outcome);
nlohmann::json metrics_json(const Outcome& outcome);  // NaN as null
nlohmann::json manifest(const Outcome& outcome);

// The first event in which a stored trace and this run differ, such as "event 17: expected t=3 started
// compute job 2 on a.1, got t=4 ..."; none when they are the same to the last bit. Error "bad_trace" when the file is no such trace.
std::optional<std::string> first_difference(const Outcome& outcome, const std::filesystem::path& trace_file);

}  // namespace perigee::results
