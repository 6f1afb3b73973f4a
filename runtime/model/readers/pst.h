// The files of the Parameter Sweep Template's simulator (Casanova, Zagorodnov, Berman, Legrand 1999, section
// 7.2, appendices A and B). They are read, made into perigee's own values, and written. A grid has resources
// that come, go and change. An application has tasks that share files. A behaviour is that of a host or link
// over time.
//
// Arguments stand in < >; blank lines and lines that begin with # are left out. Errors tell file and line:
//   pst_header         not the header of such a file, or of another version
//   pst_line           an unknown event, a wrong number of arguments or values, or a malformed one
//   out_of_range       a number, time or id that is not allowed; an architecture without run times
//   duplicate_id       something is added that is there already; an id or a file is there twice
//   unknown_reference  a cluster, host or file that is not declared before; a cluster that is away
//   unknown_behaviour, wrong_behaviour   there is no such behaviour; one of a link where a host's is needed
//   pst_name           a name that the format cannot write
// and bad_file. Reading a grid does not need its behaviours.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/model/scenario.h"

namespace perigee::readers {

inline constexpr std::uintmax_t kLargestPstFile = std::uintmax_t{256} << 20;  // bytes
inline constexpr std::int32_t kMostPstArchitectures = 10'000;

// Something odd that can still be read.
struct PstWarning {
  int line = 0;
  std::string text;
};

// ---- grid ----

enum class PstEventKind : std::uint8_t {
  add_cluster,
  add_host,
  remove_cluster,
  remove_host,
  change_host,
  change_cluster,
};
std::string_view name_of(PstEventKind kind);  // "ADD_CLUSTER", ...

struct PstEvent {
  Time at = 0;  // s
  PstEventKind kind = PstEventKind::add_cluster;
  std::string cluster, host;  // empty where the event names none
  std::string behaviour;
  std::uint64_t offset = 0;  // of the first entry that counts, modulo their number
  std::int32_t architecture = 0;
  int line = 0;

  bool operator==(const PstEvent& other) const;  // ignores the line
};

struct PstGrid {
  std::string file;
  std::vector<PstEvent> events;  // in order of the file, which is that of time
  std::vector<PstWarning> warnings;
};

PstGrid read_pst_grid(const std::filesystem::path& path);
PstGrid parse_pst_grid(std::string_view text, std::string_view name);
std::string write_pst(const PstGrid& grid);

// ---- behaviours ----

// A series that repeats, with an entry per sample period. It describes a host or a link.
struct PstBehaviour {
  std::vector<double> percent;    // of a host's CPU, 0 to 100
  std::vector<double> latency;    // of a link, ms
  std::vector<double> bandwidth;  // of a link, B/s

  bool of_link() const { return percent.empty(); }
  std::size_t size() const { return of_link() ? latency.size() : percent.size(); }
  bool operator==(const PstBehaviour&) const = default;
};

PstBehaviour read_pst_behaviour(const std::filesystem::path& path);
PstBehaviour parse_pst_behaviour(std::string_view text, std::string_view name);
std::string write_pst(const PstBehaviour& behaviour);

// Behaviours by name. A host and a link may have behaviours of the same name.
struct PstBehaviours {
  std::map<std::string, PstBehaviour> of_hosts, of_links;
};

// ---- a grid with its behaviours ----

// All clusters and hosts that are ever added, in order of their first addition. Happenings add them in time.
struct PstPlatform {
  PlatformSpec spec;
  std::vector<Happening> happenings;  // their indices are those of a Platform of `spec`, and of `profiles`
  std::vector<Profile> profiles;
  std::int32_t architectures = 1;  // 0 .. architectures - 1
};
inline constexpr Seconds kPstSamplePeriod = 5;
PstPlatform pst_platform(const PstGrid& grid, const PstBehaviours& behaviours,
                         Seconds sample_period = kPstSamplePeriod);

// ---- application ----

struct PstFile {
  std::string name;
  double size = 0, estimate = 0;  // B, >= 0
  bool operator==(const PstFile&) const = default;
};

struct PstTask {
  std::vector<std::uint32_t> inputs, outputs;  // in PstApplication::files
  std::vector<double> times, estimates;        // s on a dedicated host of each architecture, >= 0
  bool operator==(const PstTask&) const = default;
};

struct PstApplication {
  std::vector<PstFile> files;  // by id
  std::vector<PstTask> tasks;  // by id
  std::vector<PstWarning> warnings;
};

PstApplication read_pst_application(const std::filesystem::path& path);
PstApplication parse_pst_application(std::string_view text, std::string_view name);
std::string write_pst(const PstApplication& application);

// Tasks "task0", "task1", ... that all arrive at 0.
Workload pst_workload(const PstApplication& application);

// ---- the way back ----

// A scenario as files. Names of `behaviours` say what they hold. `lost` lists what the formats have no room
// for: cores, set-ups, outages, arrivals, ... Error "not_pst" if the formats cannot express the run times.
struct PstFiles {
  PstGrid grid;
  PstBehaviours behaviours;
  PstApplication application;
  std::vector<std::string> lost;
};
PstFiles pst_files(const Scenario& scenario, Seconds sample_period = kPstSamplePeriod);

}  // namespace perigee::readers
