#include "interpreter/bindings/script/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <utility>

#include "interpreter/bindings/script/parts.h"
#include "interpreter/language/fields/checkpoints.h"
#include "interpreter/language/fields/work.h"

namespace perigee::bindings {

namespace {

using namespace language;
using model::kNone;

// ---- run times ----

bool by_size(const WorkOf& of) { return of.sizes() != nullptr && !of.sizes()->amounts.empty(); }

std::string table_by_size(const model::Sizes& sizes, const std::vector<double>& times) {
  std::string all;
  for (std::size_t i = 0; i < sizes.allowed.size(); ++i)
    all += fmt::format("{}[{}] = {}", i > 0 ? ", " : "", sizes.allowed[i], lua_number(times[i]));
  return fmt::format("speedup.table {{ {} }}", all);
}

// A row of Workload::times: by the names of architectures, or by host.
std::string row_text(const WorkOf& of, std::uint32_t first) {
  const std::vector<double>& times = of.workload().times;
  if (of.work().form == TimeForm::by_host)
    return lua_numbers(std::span(times).subspan(first, of.platform().hosts().size()));
  const std::size_t columns =
      of.workload().architectures > 0
          ? std::min<std::size_t>(of.workload().architectures, of.architectures.size())
          : of.architectures.size();
  LuaTable row;
  for (std::size_t a = 0; a < columns; ++a)
    if (times[first + a] < kNever) row.field(of.architectures[a], lua_number(times[first + a]));
  if (row.empty()) row.field(of.architectures.front(), lua_number(kNever));
  return row.text();
}

template <TimeForm form>
void say_amount(LuaTable& t, const FieldRow& f, const WorkOf& of) {
  if (of.work().form != form) return;
  if (by_size(of))
    t.field(f.name, table_by_size(*of.sizes(), of.sizes()->amounts));
  else
    t.number(f, of.work().amount);
}
void say_time(LuaTable& t, const FieldRow& f, const WorkOf& of) {
  if (of.work().form == TimeForm::by_architecture) return t.field(f.name, row_text(of, of.work().times));
  say_amount<TimeForm::seconds>(t, f, of);
}
void say_times(LuaTable& t, const FieldRow& f, const WorkOf& of) {
  if (of.work().form == TimeForm::by_host) t.field(f.name, row_text(of, of.work().times));
}

// Whether an estimate has to be given though it is the truth: without it the limit would be the estimate, the queue
// would give the job a limit, or the time would be known without the dumps.
bool is_estimate_given(const WorkOf& of) {
  if (of.work().kind != WorkKind::job) return false;
  const WorkExtra& extra = of.extra();
  if (extra.limit_is_estimate) return false;
  const model::Queue* queue = of.workload().queue_of(of.id);
  return extra.limit < kNever || extra.checkpoint.estimate_is_given ||
         (queue != nullptr && queue->default_time < kNever);
}
void say_estimate(LuaTable& t, const FieldRow& f, const WorkOf& of) {
  const Work& work = of.work();
  if (work.form == TimeForm::by_architecture || work.form == TimeForm::by_host) {
    if (work.estimates != kNone)
      t.field(f.name, row_text(of, work.estimates));
    else if (is_estimate_given(of))
      t.field(f.name, row_text(of, work.times));
    return;
  }
  if (const model::Sizes* sizes = of.sizes(); sizes != nullptr && !sizes->estimates.empty()) {
    if (sizes->estimates != sizes->amounts || is_estimate_given(of))
      t.field(f.name, table_by_size(*sizes, sizes->estimates));
    return;
  }
  const bool is_one_for_all_sizes = by_size(of);
  if (work.estimate != work.amount || is_one_for_all_sizes || is_estimate_given(of))
    t.field(f.name, lua_number(work.estimate));
}

// ---- fields of all kinds ----

void say_name(LuaTable& t, const FieldRow& f, const WorkOf& of) {
  const std::vector<std::string>& names = of.workload().names;
  if (of.id.index < names.size()) t.text(f, names[of.id.index]);
}
void say_arrival(LuaTable& t, const FieldRow& f, const WorkOf& of) { t.number(f, of.work().arrival); }
void say_priority(LuaTable& t, const FieldRow& f, const WorkOf& of) { t.number(f, of.work().priority); }
void say_deadline(LuaTable& t, const FieldRow& f, const WorkOf& of) { t.number(f, of.work().deadline); }
void say_user(LuaTable& t, const FieldRow& f, const WorkOf& of) {
  if (of.work().user.valid()) t.text(f, of.workload().users[of.work().user.index]);
}
void say_bytes(LuaTable& t, const FieldRow& f, const WorkOf& of) { t.number(f, of.extra().bytes); }

// ---- tasks ----

std::string file_script(const File& file) {
  if (file.home == model::GoesHome::always) {
    LuaTable more;
    more.field(work_fields::kHome.name, "true");
    if (file.estimate != file.size) more.field(work_fields::kFileEstimate.name, lua_number(file.estimate));
    return fmt::format("file({}, {}, {})", lua_string(file.name), lua_number(file.size), more.text());
  }
  if (file.estimate != file.size)
    return fmt::format("file({}, {}, {})", lua_string(file.name), lua_number(file.size),
                       lua_number(file.estimate));
  return fmt::format("file({}, {})", lua_string(file.name), lua_number(file.size));
}

void say_inputs(LuaTable& t, const FieldRow& f, const WorkOf& of) {
  LuaTable files;
  for (const FileId id : of.workload().inputs(of.id)) {
    const File& file = of.workload().files[id.index];
    files.item(of.makers[id.index] != kNone ? lua_string(file.name) : file_script(file));
  }
  if (!files.empty()) t.field(f.name, files.text());
}
void say_outputs(LuaTable& t, const FieldRow& f, const WorkOf& of) {
  LuaTable files;
  for (const FileId id : of.workload().outputs(of.id)) files.item(file_script(of.workload().files[id.index]));
  if (!files.empty()) t.field(f.name, files.text());
}
void say_after(LuaTable& t, const FieldRow& f, const WorkOf& of) {
  if (of.workload().precedence == nullptr) return;
  std::set<std::uint32_t> by_files;
  for (const FileId id : of.workload().inputs(of.id)) by_files.insert(of.makers[id.index]);
  LuaTable after;
  for (const std::uint32_t before : of.workload().precedence->predecessors(of.id.index))
    if (!by_files.contains(before)) after.item(fmt::format("{}", before - of.first_of_list + 1));
  if (!after.empty()) t.field(f.name, after.text());
}

constexpr Said<WorkOf> kOfTask[] = {{work_fields::kName, say_name},
                                    {work_fields::kTime, say_time},
                                    {work_fields::kOps, say_amount<TimeForm::operations>},
                                    {work_fields::kTimes, say_times},
                                    {work_fields::kEstimate, say_estimate},
                                    {work_fields::kArrival, say_arrival},
                                    {work_fields::kInputs, say_inputs},
                                    {work_fields::kOutputs, say_outputs},
                                    {work_fields::kAfter, say_after},
                                    {work_fields::kPriority, say_priority},
                                    {work_fields::kUser, say_user},
                                    {work_fields::kDeadline, say_deadline}};

// ---- jobs ----

const Shape& shape_of(const WorkOf& of) { return of.extra().shape; }

void say_sizes(LuaTable& t, const FieldRow& f, const model::Sizes& sizes) {
  const std::vector<std::int32_t>& allowed = sizes.allowed;
  std::string all;
  if (allowed.back() - allowed.front() + 1 == std::ssize(allowed))
    all = fmt::format("{{ least = {}, most = {} }}", allowed.front(), allowed.back());
  else
    all = fmt::format("{{ {} }}", fmt::join(allowed, ", "));
  t.field(f.name, all);
}
void say_nodes(LuaTable& t, const FieldRow& f, const WorkOf& of) {
  if (shape_of(of).nodes == 0) return;
  if (of.sizes() != nullptr)
    say_sizes(t, f, *of.sizes());
  else
    t.whole(f, shape_of(of).nodes);
}
void say_cores(LuaTable& t, const FieldRow& f, const WorkOf& of) {
  if (shape_of(of).nodes > 0) t.whole(f, of.work().cores);
}
void say_processes(LuaTable& t, const FieldRow& f, const WorkOf& of) {
  if (shape_of(of).nodes > 0) return;
  if (of.sizes() != nullptr)
    say_sizes(t, f, *of.sizes());
  else
    t.whole(f, of.work().cores);
}
void say_per_node(LuaTable& t, const FieldRow& f, const WorkOf& of) {
  if (shape_of(of).per_node < Shape::kMost) t.whole(f, shape_of(of).per_node);
}

void say_only(LuaTable& t, const FieldRow& f, const WorkOf& of) {
  if (shape_of(of).only == nullptr) return;
  const std::vector<std::uint8_t>& only = *shape_of(of).only;
  const model::Queue* queue = of.workload().queue_of(of.id);
  const std::vector<std::uint8_t>* of_queue = queue != nullptr ? queue->hosts.get() : nullptr;
  if (of_queue != nullptr && *of_queue == only) return;
  if (std::ranges::count(only, 1) > 0) {
    t.field(f.name, lua_strings(names_of_flags(of.platform(), only)));
    return;
  }
  // The job names none of the hosts of its queue: any others say the same.
  if (of_queue == nullptr) of.refuse("may use no host");
  std::vector<std::uint8_t> others(of_queue->size());
  for (std::size_t h = 0; h < others.size(); ++h) others[h] = (*of_queue)[h] == 0 ? 1 : 0;
  t.field(f.name, lua_strings(names_of_flags(of.platform(), others)));
}

constexpr Said<WorkOf> kOfCheckpoint[] = {
    {checkpoint_fields::kEvery,
     [](LuaTable& t, const FieldRow& f, const WorkOf& of) {
       const Checkpoint& dumps = of.extra().checkpoint;
       t.field(f.name, dumps.rule == Checkpoint::Rule::given   ? lua_number(dumps.interval)
                       : dumps.rule == Checkpoint::Rule::young ? "\"young\""
                                                               : "\"daly\"");
     }},
    {checkpoint_fields::kCostOfJob,
     [](LuaTable& t, const FieldRow& f, const WorkOf& of) { t.number(f, of.extra().checkpoint.cost); }},
    {checkpoint_fields::kBytes,
     [](LuaTable& t, const FieldRow& f, const WorkOf& of) {
       if (of.extra().checkpoint.link.valid()) t.number(f, of.extra().checkpoint.bytes);
     }},
    {checkpoint_fields::kLink,
     [](LuaTable& t, const FieldRow& f, const WorkOf& of) {
       if (const LinkId link = of.extra().checkpoint.link; link.valid()) t.text(f, of.platform()[link].name);
     }},
    {checkpoint_fields::kRestart,
     [](LuaTable& t, const FieldRow& f, const WorkOf& of) { t.number(f, of.extra().checkpoint.restart); }},
    {checkpoint_fields::kStore, [](LuaTable& t, const FieldRow& f, const WorkOf& of) {
       t.choice(f, of.extra().checkpoint.local ? 1 : 0);
     }}};

// ---- consumables of jobs ----

const Demand& demand_of(const WorkOf& of) {
  static const Demand kNothing;
  return shape_of(of).demand != nullptr ? *shape_of(of).demand : kNothing;
}
// The memory of hosts that the work takes.
const Demand::OfHost& memory_of(const WorkOf& of) {
  static const Demand::OfHost kNothing;
  const auto& names = of.platform().consumables();
  const auto& all = demand_of(of).of_hosts;
  return !all.empty() && names[all.front().what] == model::kMemory ? all.front() : kNothing;
}
void say_memory(LuaTable& t, const FieldRow& f, const WorkOf& of) {
  const double declared = of.workload().needs_of(of.id).memory, takes = memory_of(of).each;
  const auto& names = of.platform().consumables();
  const bool is_counted = !names.empty() && names.front() == model::kMemory;
  if (std::isnan(declared)) {
    if (takes > 0) t.number(f, takes);
    return;
  }
  if (is_counted && std::ceil(declared) != takes) of.refuse("declares another memory than it takes");
  t.number(f, declared);
}
template <double Demand::OfHost::*part>
void say_resources(LuaTable& t, const FieldRow& f, const WorkOf& of) {
  LuaTable counts;
  for (const Demand::OfHost& each : demand_of(of).of_hosts) {
    const std::string& name = of.platform().consumables()[each.what];
    if (name != model::kMemory && each.*part > 0) counts.field(name, lua_number(each.*part));
  }
  if (!counts.empty()) t.field(f.name, counts.text());
}

constexpr Said<WorkOf> kOfJob[] = {
    {work_fields::kName, say_name},
    {work_fields::kJobTime, say_time},
    {work_fields::kJobOps, say_amount<TimeForm::operations>},
    {work_fields::kTimes, say_times},
    {work_fields::kJobEstimate, say_estimate},
    {work_fields::kArrival, say_arrival},
    {work_fields::kNodes, say_nodes},
    {work_fields::kCores, say_cores},
    {work_fields::kProcesses, say_processes},
    {work_fields::kPerNode, say_per_node},
    {work_fields::kExclusive,
     [](LuaTable& t, const FieldRow& f, const WorkOf& of) { t.flag(f, shape_of(of).exclusive); }},
    {work_fields::kSame, [](LuaTable& t, const FieldRow& f,
                            const WorkOf& of) { t.choice(f, static_cast<std::size_t>(shape_of(of).same)); }},
    {work_fields::kOnly, say_only},
    {work_fields::kLimit,
     [](LuaTable& t, const FieldRow& f, const WorkOf& of) { t.number(f, of.extra().limit); }},
    {work_fields::kGrace,
     [](LuaTable& t, const FieldRow& f, const WorkOf& of) { t.number(f, of.extra().grace); }},
    {work_fields::kCheckpoint,
     [](LuaTable& t, const FieldRow& f, const WorkOf& of) {
       if (!shape_of(of).checkpoints) return;
       LuaTable dumps;
       say_all<WorkOf>(dumps, kOfCheckpoint, of);
       t.field(f.name, dumps.text());
     }},
    {work_fields::kInside,
     [](LuaTable& t, const FieldRow& f, const WorkOf& of) {
       if (shape_of(of).reservation.valid()) t.text(f, of.workload().name_of(shape_of(of).reservation));
     }},
    {work_fields::kMemory, say_memory},
    {work_fields::kMemoryPerCore,
     [](LuaTable& t, const FieldRow& f, const WorkOf& of) {
       if (memory_of(of).per_core > 0) t.number(f, memory_of(of).per_core);
     }},
    {work_fields::kResources, say_resources<&Demand::OfHost::each>},
    {work_fields::kResourcesPerCore, say_resources<&Demand::OfHost::per_core>},
    {work_fields::kLicences,
     [](LuaTable& t, const FieldRow& f, const WorkOf& of) {
       LuaTable counts;
       for (const Demand::OfAll& each : demand_of(of).licences)
         counts.field(of.platform().licences()[each.what].name, lua_number(each.count));
       if (!counts.empty()) t.field(f.name, counts.text());
     }},
    {work_fields::kMemoryTraffic,
     [](LuaTable& t, const FieldRow& f, const WorkOf& of) {
       if (const double bytes = of.workload().needs_of(of.id).memory_traffic; !std::isnan(bytes))
         t.number(f, bytes);
     }},
    {work_fields::kPriority, say_priority},
    {work_fields::kUser, say_user},
    {work_fields::kDeadline, say_deadline},
    {work_fields::kQueue,
     [](LuaTable& t, const FieldRow& f, const WorkOf& of) {
       if (const model::Queue* queue = of.workload().queue_of(of.id); queue != nullptr)
         t.text(f, queue->name);
     }},
    {work_fields::kQos,
     [](LuaTable& t, const FieldRow& f, const WorkOf& of) {
       if (const model::Qos* qos = of.workload().qos_of(of.id); qos != nullptr) t.text(f, qos->name);
     }},
    {work_fields::kAccount,
     [](LuaTable& t, const FieldRow& f, const WorkOf& of) {
       if (const std::uint32_t number = of.extra().account; number != kNone)
         t.text(f, of.workload().queues->accounts[number]);
     }},
    {work_fields::kNice,
     [](LuaTable& t, const FieldRow& f, const WorkOf& of) { t.number(f, of.extra().nice); }},
    {work_fields::kPowerLoad,
     [](LuaTable& t, const FieldRow& f, const WorkOf& of) { t.number(f, of.extra().load); }}};

// ---- sweeps, loads, reservations ----

constexpr Said<WorkOf> kOfSweep[] = {
    {work_fields::kName, say_name},
    {work_fields::kTime, say_time},
    {work_fields::kOps, say_amount<TimeForm::operations>},
    {work_fields::kTimes, say_times},
    {work_fields::kEstimate, say_estimate},
    {work_fields::kArrival, say_arrival},
    {work_fields::kRuns,
     [](LuaTable& t, const FieldRow& f, const WorkOf& of) { t.number(f, of.extra().size); }},
    {work_fields::kTrials,
     [](LuaTable& t, const FieldRow& f, const WorkOf& of) { t.whole(f, of.extra().trials); }},
    {work_fields::kWeights,
     [](LuaTable& t, const FieldRow& f, const WorkOf& of) {
       if (of.extra().weights == kNone) return;
       t.field(f.name,
               lua_numbers(std::span(of.workload().times)
                               .subspan(of.extra().weights, static_cast<std::size_t>(of.extra().size))));
     }},
    {work_fields::kNoise,
     [](LuaTable& t, const FieldRow& f, const WorkOf& of) {
       if (of.extra().noise == kNone) return;
       const double factors = of.extra().size * of.extra().trials;
       t.number(f, of.workload().times[of.extra().noise + static_cast<std::size_t>(factors)]);
     }},
    {work_fields::kBytes, say_bytes},
    {work_fields::kPriority, say_priority},
    {work_fields::kUser, say_user},
    {work_fields::kDeadline, say_deadline}};

constexpr Said<WorkOf> kOfLoad[] = {
    {work_fields::kName, say_name},
    {work_fields::kTime, say_time},
    {work_fields::kOps, say_amount<TimeForm::operations>},
    {work_fields::kTimes, say_times},
    {work_fields::kEstimate, say_estimate},
    {work_fields::kArrival, say_arrival},
    {work_fields::kSize,
     [](LuaTable& t, const FieldRow& f, const WorkOf& of) { t.number(f, of.extra().size); }},
    {work_fields::kBytes, say_bytes},
    {work_fields::kBytesEstimate,
     [](LuaTable& t, const FieldRow& f, const WorkOf& of) {
       const double declared = of.extra().bytes_estimate;
       if (!std::isnan(declared) && declared != of.extra().bytes) t.number(f, declared);
     }},
    {work_fields::kPriority, say_priority},
    {work_fields::kUser, say_user},
    {work_fields::kDeadline, say_deadline}};

constexpr Said<WorkOf> kOfReservation[] = {
    {work_fields::kName, say_name},
    {work_fields::kArrival, say_arrival},
    {work_fields::kHosts,
     [](LuaTable& t, const FieldRow& f, const WorkOf& of) { t.whole(f, of.extra().hosts); }},
    {work_fields::kFrom,
     [](LuaTable& t, const FieldRow& f, const WorkOf& of) { t.number(f, of.extra().from); }},
    {work_fields::kTo, [](LuaTable& t, const FieldRow& f, const WorkOf& of) { t.number(f, of.extra().to); }},
    {work_fields::kIoRatio,
     [](LuaTable& t, const FieldRow& f, const WorkOf& of) { t.number(f, of.extra().io_ratio); }},
    {work_fields::kPriority, say_priority},
    {work_fields::kUser, say_user}};

}  // namespace

std::string record_text(const WorkOf& of) {
  LuaTable table;
  switch (of.work().kind) {
    case WorkKind::task:
      say_all<WorkOf>(table, kOfTask, of);
      break;
    case WorkKind::job:
      say_all<WorkOf>(table, kOfJob, of);
      break;
    case WorkKind::sweep:
      say_all<WorkOf>(table, kOfSweep, of);
      break;
    case WorkKind::load:
      say_all<WorkOf>(table, kOfLoad, of);
      break;
    case WorkKind::reservation:
      say_all<WorkOf>(table, kOfReservation, of);
      break;
  }
  return table.text();
}

void add_record_words(std::vector<WrittenWord>& words) {
  const auto add = [&](std::string_view word, std::span<const FieldRow> takes, const auto& rows,
                       std::vector<std::string_view> others = {}) {
    words.push_back({word, takes, {}, std::move(others)});
    add_names(words.back().writes, rows);
  };
  add("workload.tasks", work_fields::kTask, kOfTask, {"output"});
  add("workload.jobs", work_fields::kJob, kOfJob);
  add("workload.sweeps", work_fields::kSweep, kOfSweep, {"points"});
  add("workload.loads", work_fields::kLoad, kOfLoad);
  add("workload.reservations", work_fields::kReservation, kOfReservation);
  add("checkpoint", checkpoint_fields::kOfJob, kOfCheckpoint);
}

}  // namespace perigee::bindings
