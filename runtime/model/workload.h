#pragma once

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/kernel/error.h"
#include "runtime/kernel/ids.h"
#include "runtime/kernel/sliding.h"
#include "runtime/model/checkpoint.h"
#include "runtime/model/platform.h"
#include "runtime/model/precedence.h"
#include "runtime/model/queues.h"

namespace perigee::model {

enum class WorkKind : std::uint8_t { task, job, sweep, load, reservation };
std::string_view name_of(WorkKind kind);

// The form of a run time. For `by_architecture` and `by_host`, the times are rows of Workload::times.
enum class TimeForm : std::uint8_t { operations, seconds, by_architecture, by_host };

// Whether an output has to come home before its work is finished.
enum class GoesHome : std::uint8_t { unless_read, always, never };  // unless_read: by another work

struct File {
  std::string name;
  double size = 0;                        // B, >= 0
  double estimate = 0;                    // B, what a policy may know
  GoesHome home = GoesHome::unless_read;  // connect() makes it `never` where somebody reads it
};

inline constexpr std::uint32_t kNone = 0xffffffffU;

// One submission. A family adds fields with defaults, never a further kind.
//   task         runs once on one host; its input files must be in the host's cluster, its outputs come home
//   job          runs once on `cores` cores of one host, or on several hosts: see Shape
//   sweep        `size` runs of `trials` simulations each, dealt out in packages; times are of one simulation
//   load         `size` units, divisible at will; a time is that of one unit, and `bytes` are sent for each
//   reservation  `hosts` whole hosts during [from, to); the link too during the first `io_ratio` of that time
struct Work {
  WorkKind kind = WorkKind::task;
  TimeForm form = TimeForm::seconds;
  std::int32_t cores = 1;  // of a job with a Shape: on each of its hosts, or in all
  UserId user = {};
  Time arrival = 0;
  double amount = 0;       // operations or seconds on a dedicated core of nominal speed, per piece of size 1
  double estimate = 0;     // the same, as declared
  Time deadline = kNever;  // absolute
  double priority = 0;     // larger is more important
  std::uint32_t times = kNone;            // first entry of its row in Workload::times
  std::uint32_t estimates = kNone;        // as `times`, for the declared times
  std::uint32_t inputs = 0, outputs = 0;  // first entries in Workload::file_lists
  std::uint16_t input_count = 0, output_count = 0;
  std::uint32_t extra = kNone;  // in Workload::extras
};

// Whether the hosts of a job belong together.
enum class Together : std::uint8_t { anywhere, cluster, network_switch };

// The sizes of a moldable job, two at least, in ascending order: hosts, or cores in all. Its run time depends on which of
// them it has.
struct Sizes {
  std::vector<std::int32_t> allowed;
  // One for each size, as Work::amount and Work::estimate; empty = those of the work, whatever the size.
  std::vector<double> amounts, estimates;
  std::size_t place_of(std::int32_t size) const;  // allowed.size() = it is not allowed
};

// The demands of a job beyond so many cores of any one host.
struct Shape {
  static constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  std::int32_t nodes = 1;  // different hosts, Work::cores of each; 0 = Work::cores in all, on any hosts
  std::int32_t per_node = kMost;  // cores of a host at most, where nodes = 0
  bool exclusive = false;         // nothing else runs on its hosts meanwhile
  Together same = Together::anywhere;
  std::shared_ptr<const std::vector<std::uint8_t>> only = {};  // per host, 1 = may be used; null = all may
  bool checkpoints = false;                                    // WorkExtra::checkpoint
  std::shared_ptr<const Demand> demand = {};                   // of consumables; null = none
  // It runs inside of that one alone, and not beyond its end; invalid = outside of all.
  WorkId reservation = {};
  // The sizes of a moldable job, whose `nodes`, or Work::cores where those are 0, are the least; null = it has one size.
  std::shared_ptr<const Sizes> sizes = {};
  bool takes_turns = false;  // its queue or quality of service bounds what runs at a time
  // So many cores of any one host, as every other work.
  bool is_plain() const {
    return nodes == 1 && !exclusive && only == nullptr && !checkpoints && demand == nullptr &&
           !reservation.valid() && sizes == nullptr && !takes_turns;
  }
  bool is_plain_but_for_demand() const {
    Shape rest = *this;
    rest.demand = nullptr;
    return rest.is_plain();
  }
  bool allows(HostId host) const { return only == nullptr || (*only)[host.index] != 0; }
};

// So many cores of a host, as part of a job.
struct Share {
  HostId host;
  std::int32_t cores = 0;
  bool operator==(const Share&) const = default;
};

// Fields that only some kinds of work have.
struct WorkExtra {
  double size = 1;                // runs or units
  std::int32_t trials = 1;        // simulations in a run
  std::uint32_t weights = kNone;  // first of `size` run weights in Workload::times
  // First of `size` x `trials` factors there, run by run, which are not declared; behind them the coefficient of variation
  // with which they were drawn, which is.
  std::uint32_t noise = kNone;
  double bytes = 0;  // sent per unit of load, or per run before it is computed
  double bytes_estimate = std::numeric_limits<double>::quiet_NaN();  // of a load, as declared; NaN = bytes
  std::int32_t hosts = 0;  // of a reservation, as from, to and io_ratio
  Time from = 0, to = 0;
  double io_ratio = 0;  // 0 to 1
  Shape shape = {};     // of a job
  Seconds limit =
      kNever;         // of a job: requested time of each attempt; what happens then is Scenario::at_limit
  Seconds grace = 0;  // beyond it
  bool limit_is_estimate = false;  // nothing else is declared of its run time
  Checkpoint checkpoint = {};      // of a job with Shape::checkpoints
  double load = 1;  // of a job: the part that its cores draw of the power between an idle core and a busy one
  // A job's places in Workload::queues; kNone = none.
  std::uint32_t queue = kNone, qos = kNone, account = kNone;
  double nice = 0;  // what its owner takes off its priority
};

// Part of a work: a whole task or job, the runs [first, first + size) of a sweep, or `size` units of a load.
struct Piece {
  WorkId work;
  double first = 0;       // run or unit, from 0
  double size = 1;        // runs or units; 1 for a task or job
  std::int32_t mold = 0;  // of a moldable job, the size that it has, or would have; 0 = the least
  bool operator==(const Piece&) const = default;
};

// Further declarations of a job. NaN = not declared. They do not change how long the job takes.
struct Needs {
  static constexpr double kUndeclared = std::numeric_limits<double>::quiet_NaN();
  double memory = kUndeclared;          // B
  double memory_traffic = kUndeclared;  // B, to and from memory in all its run
};

// A field of some format of files that has no meaning here: what a reader found, for its writer to give it
// back unchanged. Works past the end have none.
struct KeptField {
  std::vector<double> numbers;     // per work, NaN = none; or empty
  std::vector<std::string> texts;  // per work, or empty
  double number_of(WorkId id) const {
    return id.index < numbers.size() ? numbers[id.index] : std::numeric_limits<double>::quiet_NaN();
  }
  std::string text_of(WorkId id) const { return id.index < texts.size() ? texts[id.index] : std::string(); }
};

// A named set of tasks that follow each other in Workload::works.
struct Workflow {
  std::string name;
  WorkId first;
  std::uint32_t tasks = 0;
  Time arrival = 0;        // no task arrives before it
  Time deadline = kNever;  // absolute
};

// All work of a scenario: a plain value, indexed by WorkId in order of input. For a stream it holds the works
// that have come and are still needed.
struct Workload {
  Sliding<Work> works;
  std::vector<WorkExtra> extras;
  std::vector<File> files;
  std::vector<FileId> file_lists;  // inputs and outputs of all works, row by row
  // Rows of run times in seconds, with a column per architecture or host; +inf = cannot run there.
  std::vector<double> times;
  std::uint32_t architectures = 0;  // columns of every row by architecture; 0 = those of the platform's hosts
  // Empty, or per work the first entry in `times` of its row of qualities of service; kNone = it has none.
  // The row has a number >= 0 for each host, which a mapper may use in place of time; +inf = cannot run
  // there.
  std::vector<std::uint32_t> qualities;
  std::vector<std::string> names;  // per work, or empty
  std::vector<Needs> needs;        // per work, or empty
  std::vector<NamedDemand>
      asked;  // per work, or empty: of a reader that knows no platform; see Shape::demand
  std::vector<std::string> users;
  std::shared_ptr<const Queues> queues;                // null = no job names any
  std::vector<Workflow> workflows;                     // in order of their tasks
  std::shared_ptr<const Precedence> precedence;        // of all works; null = nobody waits for another
  std::map<std::string, KeptField, std::less<>> kept;  // by format and name: "irmasim.profile"

  std::size_t size() const { return works.size(); }  // so far, those that are gone included
  const Work& operator[](WorkId id) const { return works[id.index]; }
  std::span<const FileId> inputs(WorkId id) const;
  std::span<const FileId> outputs(WorkId id) const;
  // The place in `workflows` of the one that the work is a task of; kNone = of none.
  std::uint32_t workflow_of(WorkId id) const;
  bool goes_home(FileId file) const { return files[file.index].home != GoesHome::never; }
  double size_of(WorkId id) const;         // 1 for tasks, jobs and reservations
  double declared_bytes(WorkId id) const;  // per unit or run; 0 where nothing is sent
  // Null for a work that takes `cores` cores of one host.
  const Shape* shape_of(WorkId id) const {
    const Work& work = works[id.index];
    if (work.kind != WorkKind::job || work.extra == kNone) return nullptr;
    const Shape& shape = extras[work.extra].shape;
    return shape.is_plain() ? nullptr : &shape;
  }
  // Null for a job of one size, and for all other works.
  const Sizes* sizes_of(WorkId id) const {
    const Shape* shape = shape_of(id);
    return shape != nullptr ? shape->sizes.get() : nullptr;
  }
  // The whole work, in the size that it has on these cores, if there are any.
  Piece piece_on(WorkId id, std::span<const Share> shares) const;
  // All cores that it asks for, on all its hosts; of a moldable job, at least.
  std::int64_t width_of(WorkId id) const {
    const Shape* shape = shape_of(id);
    return std::int64_t{works[id.index].cores} * (shape != nullptr && shape->nodes > 1 ? shape->nodes : 1);
  }
  Seconds limit_of(WorkId id) const {  // +inf = none
    const Work& work = works[id.index];
    return work.kind == WorkKind::job && work.extra != kNone ? extras[work.extra].limit : kNever;
  }
  double load_of(WorkId id) const {  // of each of its cores, see WorkExtra::load
    const Work& work = works[id.index];
    return work.kind == WorkKind::job && work.extra != kNone ? extras[work.extra].load : 1;
  }
  // The queue that the job was submitted to; null = none.
  const Queue* queue_of(WorkId id) const {
    const std::uint32_t number = queue_number(id);
    return number != kNone ? &queues->queues[number] : nullptr;
  }
  const Qos* qos_of(WorkId id) const {
    const std::uint32_t extra = queues != nullptr ? works[id.index].extra : kNone;
    return extra != kNone && extras[extra].qos != kNone ? &queues->qos[extras[extra].qos] : nullptr;
  }
  std::uint32_t queue_number(WorkId id) const {  // kNone = none
    const std::uint32_t extra = queues != nullptr ? works[id.index].extra : kNone;
    return extra != kNone ? extras[extra].queue : kNone;
  }
  std::int32_t tier_of(WorkId id) const;
  const Checkpoint* checkpoint_of(WorkId id) const {  // null = it writes none
    const Shape* shape = shape_of(id);
    return shape != nullptr && shape->checkpoints ? &extras[works[id.index].extra].checkpoint : nullptr;
  }
  // One number per host; empty = the work has none.
  std::span<const double> quality_of(WorkId id, std::size_t hosts) const {
    if (id.index >= qualities.size() || qualities[id.index] == kNone) return {};
    return std::span(times).subspan(qualities[id.index], hosts);
  }
  const KeptField& kept_field(std::string_view name) const;  // an empty one where there is none
  Needs needs_of(WorkId id) const { return id.index < needs.size() ? needs[id.index] : Needs{}; }
  std::string name_of(WorkId id) const;  // "task 3" where it has none

  // Throws Error naming the work and field at fault; `platform` bounds rows by architecture and by host.
  void check(const Platform& platform) const;
  // The same for the works from `first` on, each by itself.
  void check_works(const Platform& platform, WorkId first) const;
  // The same check for a host of that architecture.
  void check_architecture(std::int32_t architecture, std::string_view host,
                          const SourceLocation& where) const;
};

namespace detail {

// Duration of a package in times of one simulation; see true_time(). `noisy`: with the noise factors.
double waves(const Workload& workload, const WorkExtra& extra, const Piece& piece, std::int32_t slots,
             bool noisy);

// Time of one piece of size 1 (a task, one simulation, one unit) on a dedicated core of the host.
inline Seconds unit_time(const Workload& workload, const Work& work, double amount, std::uint32_t row,
                         const Host& host, HostId id, std::int32_t architecture) {
  switch (work.form) {
    case TimeForm::operations:
      return amount / host.speed;
    case TimeForm::seconds:
      return amount;
    case TimeForm::by_architecture:
      return workload.times[row + static_cast<std::uint32_t>(architecture)];
    case TimeForm::by_host:
      return workload.times[row + id.index];
  }
  return kNever;
}

inline Seconds time_of(const Workload& workload, const Piece& piece, double amount, std::uint32_t row,
                       const Host& host, HostId id, std::int32_t architecture, bool noisy) {
  const Work& work = workload.works[piece.work.index];
  const Seconds unit = unit_time(workload, work, amount, row, host, id, architecture);
  switch (work.kind) {
    case WorkKind::sweep:
      return unit * waves(workload, workload.extras[work.extra], piece, host.slots, noisy);
    case WorkKind::load:
      return unit * piece.size;
    default:
      return unit;
  }
}

// The same of a job in the size that its piece says; +inf if that is not allowed.
Seconds molded_time(const Workload& workload, const Piece& piece, const Host& host, HostId id,
                    std::int32_t architecture, bool declared);

}  // namespace detail

// Seconds that `piece` truly takes on one dedicated host of nominal speed, without the host's set-up. +inf =
// it cannot run there. A package of a sweep fills the host's slots in queue order: each simulation runs on
// the slot that is free first (Sim-PETEK, 2010, section 3.1).
inline Seconds true_time(const Workload& workload, const Piece& piece, const Host& host, HostId id,
                         std::int32_t architecture) {
  if (piece.mold > 0) [[unlikely]]
    return detail::molded_time(workload, piece, host, id, architecture, false);
  const Work& work = workload.works[piece.work.index];
  return detail::time_of(workload, piece, work.amount, work.times, host, id, architecture, true);
}

// The same by the declared times.
inline Seconds declared_time(const Workload& workload, const Piece& piece, const Host& host, HostId id,
                             std::int32_t architecture) {
  if (piece.mold > 0) [[unlikely]]
    return detail::molded_time(workload, piece, host, id, architecture, true);
  const Work& work = workload.works[piece.work.index];
  return detail::time_of(workload, piece, work.estimate,
                         work.estimates == kNone ? work.times : work.estimates, host, id, architecture,
                         false);
}

// Says what no set of hosts of the platform could ever give a task or job, by its declared times: "it takes 4 hosts with
// 2 cores, there are 3". Empty if one could.
std::string why_never(const Workload& workload, const Platform& platform, WorkId work);
// The same of the files of a task or job alone, which have to be in one store together: "its files have 300 B, the largest
// store of a host that can run it has room for 200 B". Files have their true sizes, hosts are in the clusters in which they
// are declared.
std::string why_in_no_store(const Workload& workload, const Platform& platform, WorkId work);
// The sizes of a moldable job that some set of hosts of the platform could give it, in ascending order.
std::span<const std::int32_t> possible_sizes(const Workload& workload, const Platform& platform, WorkId work);

}  // namespace perigee::model
