// The declarations of scripts, as the values that their userdata hold.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "interpreter/host/stack.h"
#include "interpreter/values/reads.h"
#include "interpreter/values/work_records.h"
#include "runtime/cost/etc.h"
#include "runtime/kernel/random.h"
#include "runtime/model/scenario.h"
#include "runtime/model/task_graph.h"
#include "runtime/model/work_stream.h"
#include "runtime/schedulers/catalogue.h"

namespace perigee::values {

// ---- platform ----

// Architectures have names in scripts and numbers in the model; the number is the place in `architectures`.
struct PlatformValue {
  std::shared_ptr<const Platform> platform;
  std::vector<std::string> architectures;
};

// `cluster`, `host`, `router`, `link`, `licence` and `complete` before they are part of a platform.
struct PlatformPart {
  std::variant<PlatformSpec::ClusterSpec, PlatformSpec::LinkSpec, Licence, model::CompleteNetwork,
               std::string>
      what;
  std::vector<std::string> architectures;  // of the cluster's hosts, one each
  bool is_host = false;
  std::uint32_t given = 0;  // the fields of kPlatformHostFields that a single host names, as bits
  std::string text() const;
};

inline constexpr std::int64_t kMostCores = 1'000'000;  // cores of all machines of a problem

// ---- workload ----

// A log as scripts see it: interpreter/bindings/declare/log.h.
struct LogValue;

// Tasks as rows of a matrix. Lists have an entry for each task or none at all.
struct MatrixTasks {
  std::shared_ptr<const EtcMatrix> etc;      // declared times
  std::shared_ptr<const EtcMatrix> times;    // true times; null: the declared ones
  std::shared_ptr<const EtcMatrix> quality;  // quality of service on each machine; null: none
  std::vector<double> arrivals, priorities;
};

inline constexpr std::uint64_t kStepsOfRecord = 20;  // steps to copy a record or to make a work of it

// A part of a workload: records, a generator, a matrix (or a generator of one), jobs read from a file, or
// drawn work. A generator is called, and work is drawn, when a run starts.
struct WorkloadPart {
  WorkKind kind = WorkKind::task;
  std::shared_ptr<const WorkRecords> records;  // null: there are none
  std::int64_t count = 0;
  Reference generator;
  std::uint64_t made_in = 0;  // the cell of an experiment in which the generator was made; 0 = none
  bool generates_matrix = false;
  bool generates_workflows = false;
  std::shared_ptr<const WorkflowRecord> workflow =
      {};  // the records, or the graph, are its tasks; null: of none
  std::shared_ptr<const model::TaskGraph> graph =
      {};                  // null: the tasks are records, or come from the generator
  bool is_stream = false;  // the generator is called while the run goes on, `count` times at most
  MatrixTasks matrix;
  std::function<Workload(const Platform&)> jobs;  // the jobs on that platform
  std::shared_ptr<const LogValue> log;            // the log of the jobs, if any
  // The jobs one after the other; empty: they are only there as a whole.
  std::function<std::unique_ptr<model::WorkStream>(const Platform&)> stream;
  // Calls add(record) for each piece of work. It may call `generator`.
  std::function<void(lua_State*, const Platform&, const Stream&, const std::function<void(WorkRecord)>& add)>
      draw;
  SourceLocation declared_at = {};

  std::size_t record_count() const { return records ? records->size() : 0; }
};

struct WorkloadValue {
  std::vector<WorkloadPart> parts;
  std::int64_t size() const;  // without drawn work and matrices that a generator makes
  std::uint64_t steps_to_copy() const;
  bool is_stream() const;      // and nothing else
  bool counted() const;        // size() counts everything
  std::string pieces() const;  // "12 pieces", "12 pieces and a matrix made when a run starts"
};

// ---- scenario ----

// `queue` and `qos` before they are part of a scenario.
struct QueuePart {
  std::variant<model::Queue, model::Qos> what;
  std::vector<std::string> hosts = {};  // names of hosts and clusters; empty: all
  SourceLocation declared_at = {};
};

struct ScenarioValue {
  PlatformValue platform;
  std::shared_ptr<const model::Queues> queues;  // null: it declares none
  WorkloadValue workload;
  Scenario base;  // everything except the workload
  struct Realized {
    std::uint64_t seed;
    std::shared_ptr<const Scenario> scenario;
    Reads reads = {};         // reads of its generators: each cell that uses it depends on them
    std::uint64_t steps = 0;  // steps to make it: each cell that uses it takes as many
  };
  std::optional<Realized> last;  // the same seed gives the same work to every policy
  bool realizing = false;
};
using ScenarioPtr = std::shared_ptr<ScenarioValue>;

// ---- random streams ----

// `rng` of generators, stream("name"), stream.splitmix(seed). A view of a run's own stream expires with the
// call that got it.
struct RandomValue {
  std::variant<Stream, SplitMix64> own;
  Stream* borrowed = nullptr;
  bool is_view = false;
};

// Calls draw(generator) with whichever generator it is.
template <class F>
auto with_generator(RandomValue& value, F&& draw) {
  if (value.is_view) {
    if (value.borrowed == nullptr)
      fail(
          "stale",
          "this random stream belongs to a call that is over; do not keep it but ask for it in each call, as "
          "by sim:stream(name), which goes on where it stopped");
    return draw(*value.borrowed);
  }
  return std::visit([&](auto& generator) { return draw(generator); }, value.own);
}

// ---- schedulers ----

using SchedulerValue = ConfigPtr;  // min_min {}, mapped { map = "mct" }

}  // namespace perigee::values

namespace perigee::host {

template <>
struct TypeName<values::PlatformValue> {
  static constexpr const char* value = "platform";
};
template <>
struct TypeName<values::PlatformPart> {
  static constexpr const char* value = "platform part";
};
template <>
struct TypeName<values::QueuePart> {
  static constexpr const char* value = "queue";
};
template <>
struct TypeName<values::WorkloadValue> {
  static constexpr const char* value = "workload";
};
template <>
struct TypeName<values::FileRecord> {
  static constexpr const char* value = "file";
};
template <>
struct TypeName<values::ScenarioPtr> {
  static constexpr const char* value = "scenario";
};
template <>
struct TypeName<values::RandomValue> {
  static constexpr const char* value = "random stream";
};
template <>
struct TypeName<values::SchedulerValue> {
  static constexpr const char* value = "scheduler";
};
template <>
struct TypeName<std::shared_ptr<const cost::EtcMatrix>> {
  static constexpr const char* value = "etc matrix";
};

}  // namespace perigee::host
