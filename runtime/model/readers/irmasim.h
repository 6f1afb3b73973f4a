// The files of IRMaSim: workload.json or .csv, platform.json, options.json; read, made
// into perigee's own values, and written.
//
// Errors tell file, line, column and JSON path, and end with its short code:
//   bad_json (E_JSON)       not JSON, a key twice in one object, or a value of the wrong type
//   missing_field, conflicting_fields (E_FIELD)   a required field is missing; two spellings differ
//   duplicate_id (E_ID)     two jobs, clusters or nodes of a cluster
//   out_of_range (E_RANGE)  a number that is not allowed, or not finite
//   unknown_reference (E_REF)      platform, node type, processor type or profile
//   not_homogeneous (E_HOMOGENEOUS), bad_nodes (E_NODES), empty_platform (E_EMPTY)
//   bad_parameter (E_POLICY: a selection, E_OPTION: any other option), unknown_scheduler (E_MANAGER)
// and bad_file. Fields that play no part are ignored, and told once per name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/model/platform.h"
#include "runtime/model/workload.h"

namespace perigee::readers {

inline constexpr std::uintmax_t kLargestIrmasimFile = std::uintmax_t{256} << 20;  // bytes

struct IrmasimIgnored {
  std::string key;
  std::string first;  // its first place: "$.jobs[2].color"
  std::int64_t count = 0;
  std::string text() const;
  bool operator==(const IrmasimIgnored&) const = default;
};

// ---- platform ----

struct IrmasimPlatform {
  // The power of a core, as IRMaSim's modelV1 has it: a processor that computes draws static_power for each of its cores and
  // dynamic_power for each busy one, an idle processor min_power * static_power for each core.
  struct CorePower {
    double static_power = 0, dynamic_power = 0;  // W, >= 0
    double min_power = 1;                        // part of static_power, 0 to 1
    bool operator==(const CorePower&) const = default;
  };
  struct Processor {
    std::string name;  // its type
    std::string id;
    std::string kind = "CPU";
    std::int32_t cores = 1;
    double clock_rate = 1;                                              // GHz
    double flops_per_cycle = 1;                                         // operations per cycle
    std::optional<CorePower> power = {};                                // none: unknown
    double rate() const { return clock_rate * 1e9 * flops_per_cycle; }  // op/s of a core
    bool operator==(const Processor&) const = default;
  };
  struct NodeType {
    std::string name;
    std::string id;
    std::uint32_t processor = 0;        // in processors
    std::int32_t count = 1;             // of them
    std::optional<double> memory = {};  // GB, >= 0; none: unknown
    bool operator==(const NodeType&) const = default;
  };
  struct Node {
    std::string id;  // within its cluster; "node0", "node1", ... by its position when the file has none
    std::uint32_t cluster = 0;
    std::uint32_t type = 0;
    bool operator==(const Node&) const = default;
  };
  std::string name, id, model_name;
  std::vector<std::string> clusters;  // their ids; "cluster0", ... when the file has none
  std::vector<Node> nodes;            // cluster by cluster
  std::vector<NodeType> node_types;   // only used ones, in order of use
  std::vector<Processor> processors;

  std::int32_t cores(const Node& node) const;
  // A host for each node, "cluster.node"; its architecture is the index of its processor. All processors of a node draw
  // static_power as soon as one of them computes.
  PlatformSpec spec() const;
  bool operator==(const IrmasimPlatform&) const = default;
};

struct IrmasimPlatformFile {
  IrmasimPlatform platform;
  std::vector<IrmasimIgnored> ignored;
};

// The platform called `platform_name`; empty = the only one of the file.
IrmasimPlatformFile read_irmasim_platform(const std::filesystem::path& path,
                                          std::string_view platform_name = {});
IrmasimPlatformFile parse_irmasim_platform(std::string_view text, std::string_view name,
                                           std::string_view platform_name = {});

// The platform as far as the format has room for it, each host with one processor. `lost`, if given, receives the rest
// (links, availability, ...).
IrmasimPlatform irmasim_platform(const Platform& platform, std::string_view name,
                                 std::vector<std::string>* lost = nullptr);
std::string write_irmasim(const IrmasimPlatform& platform);

// ---- workload ----

struct IrmasimJob {
  std::string id;
  double submit_time = 0;                          // s, >= 0
  std::int32_t ntasks = 1;                         // cores of one node
  double req_time = 1;                             // s on the slowest node, > 0
  std::optional<double> req_ops;                   // per task, >= 0; none = the estimate is exact
  double opc = 1;                                  // operations per cycle, > 0
  std::optional<double> mem, mem_vol, req_energy;  // B, B to and from memory, J; nothing takes longer by them
  std::string profile;                             // the profile whose fields it took, empty = none
  bool operator==(const IrmasimJob&) const = default;
};

struct IrmasimWorkloadFile {
  std::vector<IrmasimJob> jobs;
  std::vector<IrmasimIgnored> ignored;
};

// The file is CSV when its name ends in .csv (or .csv.gz); it has a column per field and no profiles.
IrmasimWorkloadFile read_irmasim_workload(const std::filesystem::path& path);
IrmasimWorkloadFile parse_irmasim_workload(std::string_view text, std::string_view name);

struct IrmasimTrajectory {
  std::uint64_t origin = 0;       // index of the first job, whose submit time becomes time 0 when > 0
  std::uint64_t length = 0;       // jobs; 0 = all to the end
  bool enforce_req_time = false;  // a job ends when its requested time is over
};

// Jobs of the workload. On a node, the operations of a job take ceil(req_ops / opc) / rate; its declared time
// is req_time * (slowest rate of the platform) / rate.
Workload irmasim_workload(const std::vector<IrmasimJob>& jobs, const Platform& platform,
                          const IrmasimTrajectory& trajectory = {});

// The reverse, for workloads of jobs and of tasks. Error "not_irmasim" if the format cannot express a run
// time.
std::vector<IrmasimJob> irmasim_jobs(const Workload& workload, const Platform& platform,
                                     std::vector<std::string>* lost = nullptr);
std::string write_irmasim(std::span<const IrmasimJob> jobs);

// ---- options ----

struct IrmasimOptions {
  using Value = std::variant<bool, double, std::string>;
  struct Manager {
    std::string type;
    // Empty string or no value = not given.
    std::string job_selection, resource_selection, scheduling_option, job_order;
    std::optional<std::int64_t> max_tree_nodes;
    // Options of a type that the format does not name, in order of name.
    std::vector<std::pair<std::string, Value>> others;
    bool operator==(const Manager&) const = default;
  };
  std::uint64_t seed = 0;
  std::string workload_file, platform_file, platform_name;
  std::uint64_t trajectory_origin = 0, trajectory_length = 0;
  bool enforce_req_time = false;
  bool submit_first = false;  // same_instant = "submit_first": arrivals before the ends of the same instant
  std::string output_dir;
  Manager workload_manager;
  bool operator==(const IrmasimOptions&) const = default;
};

struct IrmasimOptionsFile {
  IrmasimOptions options;
  std::vector<IrmasimIgnored> ignored;
};

// `managers`: further accepted types, besides Minimal, Heuristic, Duplex and AStar; empty = any type.
IrmasimOptionsFile read_irmasim_options(const std::filesystem::path& path,
                                        std::span<const std::string_view> managers = {});
IrmasimOptionsFile parse_irmasim_options(std::string_view text, std::string_view name,
                                         std::span<const std::string_view> managers = {});
std::string write_irmasim(const IrmasimOptions& options);

}  // namespace perigee::readers
