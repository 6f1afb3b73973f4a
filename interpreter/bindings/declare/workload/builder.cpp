// Makes the works of a run from records, matrices and works that were read from files.
#include "interpreter/bindings/declare/workload/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "interpreter/bindings/declare/hosts_by_name.h"
#include "interpreter/language/fields/work.h"
#include "runtime/kernel/room.h"
#include "runtime/kernel/work.h"

namespace perigee::bindings {

WorkloadBuilder::WorkloadBuilder(const PlatformValue& platform, const Workload* onto, std::uint64_t seed,
                                 std::shared_ptr<const model::Queues> queues)
    : platform_(platform), seed_(seed) {
  out_.queues = std::move(queues);
  if (onto == nullptr) return;
  out_ = *onto;
  first_ = out_.size();
  for (std::size_t u = 0; u < out_.users.size(); ++u) users_.emplace(out_.users[u], u);
  for (std::size_t f = 0; f < out_.files.size(); ++f) files_.emplace(out_.files[f].name, f);
}

void WorkloadBuilder::add(const WorkRecord& record) {
  if (tasks_ && !tasks_->knows_all) tasks_->scope.add(record);
  if (!tasks_ && !record.after.empty())
    fail_at(record.declared_at, "bad_work", "{}: only tasks of one list or workflow can wait for each other",
            name(record, out_.works.size()));
  Work work;
  work.kind = record.kind;
  work.cores = record.cores;
  work.arrival = record.arrival;
  work.deadline = record.deadline;
  work.priority = record.priority;
  const std::size_t number = out_.works.size();
  work.form = record.time.form;
  work.amount = record.time.amount;
  work.estimate = record.estimate ? record.estimate->amount : work.amount;
  if (work.form == TimeForm::by_architecture || work.form == TimeForm::by_host) {
    work.times = row(record, record.time);
    if (record.estimate) work.estimates = row(record, *record.estimate);
  }
  if (!record.user.empty()) work.user = user_named(record.user);
  take_files(record, work);
  if (record.kind == WorkKind::sweep || record.kind == WorkKind::load ||
      record.kind == WorkKind::reservation) {
    const WorkExtra extra = extra_of(record);
    work.extra = static_cast<std::uint32_t>(out_.extras.size());
    out_.extras.push_back(extra);
  }
  const std::shared_ptr<const Demand> demand =
      record.demand ? demand_of(*record.demand, name(record, number), record.declared_at) : nullptr;
  if (record.shape || demand != nullptr || record.submission != SubmissionRecord{}) {
    WorkExtra extra = extra_of_job(record, demand);
    work.extra = static_cast<std::uint32_t>(out_.extras.size());
    out_.extras.push_back(std::move(extra));
  }
  if (!record.name.empty()) {
    out_.names.resize(number);
    out_.names.push_back(record.name);
  }
  if (!std::isnan(record.needs.memory) || !std::isnan(record.needs.memory_traffic)) {
    out_.needs.resize(number);
    out_.needs.push_back(record.needs);
  }
  out_.works.push_back(work);
}

UserId WorkloadBuilder::user_named(const std::string& name) {
  const auto [found, is_new] = users_.emplace(name, static_cast<std::uint32_t>(out_.users.size()));
  if (is_new) out_.users.push_back(name);
  return UserId(found->second);
}

void WorkloadBuilder::take_files(const WorkRecord& record, Work& work) {
  work.inputs = static_cast<std::uint32_t>(out_.file_lists.size());
  for (const FileRecord& file : record.inputs) out_.file_lists.push_back(input_of(record, file));
  work.input_count = static_cast<std::uint16_t>(record.inputs.size());
  work.outputs = static_cast<std::uint32_t>(out_.file_lists.size());
  for (std::size_t i = 0; i < record.outputs.size(); ++i) {
    FileRecord file = record.outputs[i];
    if (file.name.empty()) file.name = fmt::format("{}.out", name(record, out_.works.size()));
    out_.file_lists.push_back(tasks_ ? output_of(file) : file_id(record, file));
  }
  work.output_count = static_cast<std::uint16_t>(record.outputs.size());
}

WorkExtra WorkloadBuilder::extra_of(const WorkRecord& record) {
  WorkExtra extra = record.extra;
  if (!record.weights.empty()) {
    extra.weights = static_cast<std::uint32_t>(out_.times.size());
    out_.times.insert(out_.times.end(), record.weights.begin(), record.weights.end());
  }
  if (record.noise > 0) add_noise(record, extra, out_.works.size());
  return extra;
}

WorkExtra WorkloadBuilder::extra_of_job(const WorkRecord& record, std::shared_ptr<const Demand> demand) {
  WorkExtra extra;
  const ShapeRecord shape = record.shape.value_or(ShapeRecord{});
  extra.shape = shape.shape;
  extra.shape.demand = std::move(demand);
  if (!shape.only.empty()) extra.shape.only = only(record);
  extra.limit = shape.limit;
  extra.grace = shape.grace;
  extra.load = shape.load;
  extra.checkpoint = shape.checkpoint;
  if (!shape.link.empty()) extra.checkpoint.link = link_of_dumps(record);
  extra.checkpoint.estimate_is_given = record.estimate.has_value();
  submit(record, extra);
  extra.limit_is_estimate = extra.limit < kNever && !record.estimate;
  if (!shape.reservation.empty())
    inside_.push_back(
        {out_.extras.size(), name(record, out_.works.size()), shape.reservation, record.declared_at});
  return extra;
}

bool WorkloadBuilder::add_plain(lua_State* L) {
  if (lua_type(L, -1) != LUA_TTABLE) return false;
  Work work;
  bool timed = false;
  lua_pushnil(L);
  while (lua_next(L, -2) != 0) {
    const auto key = text_at(L, -2);
    const double value = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : -1;
    const bool is_time = key == work_fields::kTime.name, is_ops = key == work_fields::kOps.name,
               is_arrival = key == work_fields::kArrival.name;
    if (!(is_time || is_ops || is_arrival) || !(value >= 0 && value < kAbsurd) || (!is_arrival && timed)) {
      lua_pop(L, 2);
      return false;
    }
    if (is_arrival) {
      work.arrival = value;
    } else {
      timed = true;
      work.form = is_ops ? TimeForm::operations : TimeForm::seconds;
      work.amount = work.estimate = value;
    }
    lua_pop(L, 1);
  }
  if (!timed) return false;
  if (tasks_) tasks_->scope.add_plain();
  out_.works.push_back(work);
  return true;
}

void WorkloadBuilder::add(const MatrixTasks& tasks, const SourceLocation& where) {
  const EtcMatrix& matrix = *tasks.etc;
  const std::size_t hosts = platform_.platform->hosts().size();
  if (matrix.machines != hosts)
    fail_at(where, "etc_size", "workload.etc: the matrix has {} machines, the platform {} hosts",
            matrix.machines, hosts);
  const auto first = static_cast<std::uint32_t>(out_.times.size());
  out_.times.insert(out_.times.end(), matrix.values.begin(), matrix.values.end());
  const auto truth = static_cast<std::uint32_t>(out_.times.size());
  if (tasks.times)
    out_.times.insert(out_.times.end(), tasks.times->values.begin(), tasks.times->values.end());
  const auto quality = static_cast<std::uint32_t>(out_.times.size());
  if (tasks.quality)
    out_.times.insert(out_.times.end(), tasks.quality->values.begin(), tasks.quality->values.end());
  for (std::size_t t = 0; t < matrix.tasks; ++t) {
    Work work;
    work.form = TimeForm::by_host;
    work.times = first + static_cast<std::uint32_t>(t * hosts);
    if (tasks.times)
      work.estimates = std::exchange(work.times, truth + static_cast<std::uint32_t>(t * hosts));
    if (!tasks.arrivals.empty()) work.arrival = tasks.arrivals[t];
    if (!tasks.priorities.empty()) work.priority = tasks.priorities[t];
    if (tasks.quality) {
      out_.qualities.resize(out_.works.size(), kNone);
      out_.qualities.push_back(quality + static_cast<std::uint32_t>(t * hosts));
    }
    if (t < matrix.task_names.size() && !matrix.task_names[t].empty()) {
      out_.names.resize(out_.works.size());
      out_.names.push_back(matrix.task_names[t]);
    }
    out_.works.push_back(work);
  }
}

void WorkloadBuilder::add(Workload&& made) {
  PERIGEE_ASSERT(made.qualities.empty(), "works of other kinds");
  const auto extras = static_cast<std::uint32_t>(out_.extras.size());
  out_.extras.insert(out_.extras.end(), made.extras.begin(), made.extras.end());
  if (made.queues != nullptr) take_labels(made, out_.extras.begin() + extras);
  const std::size_t first = out_.works.size();
  const auto times = static_cast<std::uint32_t>(out_.times.size());
  const auto lists = static_cast<std::uint32_t>(out_.file_lists.size());
  const std::size_t files = out_.files.size();
  std::vector<UserId> users;
  for (std::string& name : made.users) {
    const auto [found, is_new] = users_.emplace(name, static_cast<std::uint32_t>(out_.users.size()));
    if (is_new) out_.users.push_back(std::move(name));
    users.emplace_back(found->second);
  }
  for (std::size_t w = 0; w < made.works.size(); ++w) {
    Work& work = made.works[w];
    if (work.user.valid()) work.user = users[work.user.index];
    if (w < made.asked.size() && made.asked[w] != NamedDemand{})
      if (auto demand = demand_of(made.asked[w], made.name_of(WorkId(w)), {}); demand != nullptr) {
        if (work.extra == kNone) {
          work.extra = static_cast<std::uint32_t>(out_.extras.size()) - extras;
          out_.extras.emplace_back();
        }
        out_.extras[extras + work.extra].shape.demand = std::move(demand);
      }
    if (work.times != kNone) work.times += times;
    if (work.estimates != kNone) work.estimates += times;
    if (work.extra != kNone) work.extra += extras;
    work.inputs += lists;
    work.outputs += lists;
    out_.works.push_back(work);
  }
  out_.times.insert(out_.times.end(), made.times.begin(), made.times.end());
  for (const FileId file : made.file_lists) out_.file_lists.emplace_back(files + file.index);
  for (File& file : made.files) {
    files_.emplace(file.name, static_cast<std::uint32_t>(out_.files.size()));
    out_.files.push_back(std::move(file));
  }
  if (made.architectures > 0)
    out_.architectures =
        out_.architectures == 0 ? made.architectures : std::min(out_.architectures, made.architectures);
  const auto append = [&](auto& from, auto& to, auto none) {
    if (from.empty()) return;
    to.resize(first, none);
    std::move(from.begin(), from.end(), std::back_inserter(to));
  };
  append(made.names, out_.names, std::string());
  append(made.needs, out_.needs, Needs());
  for (auto& [name, field] : made.kept) {
    append(field.numbers, out_.kept[name].numbers, Needs::kUndeclared);
    append(field.texts, out_.kept[name].texts, std::string());
  }
}

void WorkloadBuilder::begin_tasks(TaskScope scope, const WorkflowRecord* workflow) {
  const bool knows_all = scope.tasks() > 0;
  tasks_.emplace(Tasks{.scope = std::move(scope), .knows_all = knows_all, .first = out_.size()});
  if (workflow == nullptr) return;
  tasks_->workflow = *workflow;
  begin_workflow(*workflow);
}

void WorkloadBuilder::begin_workflow(const WorkflowRecord& given) {
  out_.workflows.push_back(
      {.name = given.name.empty() ? fmt::format("workflow {}", out_.workflows.size() + 1) : given.name,
       .first = WorkId(out_.size()),
       .arrival = given.arrival,
       .deadline = given.deadline});
}

void WorkloadBuilder::end_tasks() {
  const Tasks tasks = std::move(*tasks_);
  tasks_.reset();
  const TaskScope& scope = tasks.scope;
  if (tasks.workflow) out_.workflows.back().tasks = static_cast<std::uint32_t>(out_.size() - tasks.first);
  if (!scope.may_link() && !tasks.workflow) return;
  scope.check_names();
  const auto count = static_cast<std::uint32_t>(scope.tasks());
  for (std::uint32_t task = 0; task < count; ++task) scope.check(task);
  scope.check_order();
  linked_ = true;
  for (const auto& [before, task] : scope.after())
    after_.emplace_back(static_cast<std::uint32_t>(tasks.first) + before,
                        static_cast<std::uint32_t>(tasks.first) + task);
  for (std::uint32_t task = 0; task < count; ++task) {
    std::uint32_t place = out_.works[tasks.first + task].inputs;
    for (const std::string& file : scope.inputs_of(task)) {
      if (const auto made = tasks.made.find(file); made != tasks.made.end())
        out_.file_lists[place] = made->second;
      ++place;
    }
  }
}

// end_tasks() says which file it is where a task of the same list makes it.
FileId WorkloadBuilder::input_of(const WorkRecord& record, const FileRecord& file) {
  if (tasks_ && (!file.is_sized || tasks_->scope.maker_of(file.name) != kNone)) return {};
  if (!file.is_sized)
    fail_at(record.declared_at, "bad_work", "{}: file '{}' needs its size here: file('{}', size)",
            name(record, out_.works.size()), file.name, file.name);
  return file_id(record, file);
}

FileId WorkloadBuilder::output_of(const FileRecord& file) {
  const FileId id(out_.files.size());
  File made{.name = file.name, .size = file.size, .estimate = file.estimate};
  if (file.home || (tasks_->workflow && tasks_->workflow->home == WorkflowRecord::Home::all))
    made.home = model::GoesHome::always;
  else if (tasks_->workflow && tasks_->workflow->home == WorkflowRecord::Home::none)
    made.home = model::GoesHome::never;
  out_.files.push_back(std::move(made));
  tasks_->made.emplace(file.name, id);
  return id;
}

std::vector<FileId> WorkloadBuilder::files_of(const model::TaskGraph& graph, WorkflowRecord::Home home,
                                              const SourceLocation& where) {
  const std::vector<std::uint32_t> makers = model::makers_of(graph);
  std::vector<FileId> ids;
  for (std::size_t f = 0; f < graph.files.size(); ++f) {
    const model::GraphFile& file = graph.files[f];
    if (makers[f] == kNone) {
      ids.push_back(file_id({.name = "the graph", .declared_at = where}, {file.name, file.size, file.size}));
      continue;
    }
    File made{.name = file.name, .size = file.size, .estimate = file.size};
    if (file.home || home == WorkflowRecord::Home::all) made.home = model::GoesHome::always;
    if (home == WorkflowRecord::Home::none) made.home = model::GoesHome::never;
    ids.emplace_back(out_.files.size());
    out_.files.push_back(std::move(made));
  }
  return ids;
}

void WorkloadBuilder::add(const model::TaskGraph& graph, const WorkflowRecord* workflow,
                          const SourceLocation& where) {
  const WorkflowRecord given = workflow != nullptr ? *workflow : WorkflowRecord{};
  const std::size_t hosts = platform_.platform->hosts().size(), first = out_.size();
  const bool by_host = graph.form == TimeForm::by_host;
  if (by_host && graph.hosts != hosts)
    fail_at(where, "workflow_hosts", "the graph has times for {} hosts, the platform has {}", graph.hosts,
            hosts);
  did_work(graph.tasks.size() + graph.times.size() / 8);
  if (workflow != nullptr) {
    begin_workflow(given);
    out_.workflows.back().tasks = static_cast<std::uint32_t>(graph.tasks.size());
  }
  linked_ = true;
  const std::vector<FileId> ids = files_of(graph, given.home, where);
  const auto times = static_cast<std::uint32_t>(out_.times.size());
  out_.times.insert(out_.times.end(), graph.times.begin(), graph.times.end());
  const UserId user = given.user.empty() ? UserId() : user_named(given.user);
  out_.names.resize(first);
  for (std::size_t t = 0; t < graph.tasks.size(); ++t) {
    const model::GraphTask& task = graph.tasks[t];
    Work work;
    work.form = graph.form;
    work.amount = work.estimate = task.amount;
    if (by_host) work.times = times + static_cast<std::uint32_t>(t * hosts);
    work.arrival = given.arrival;
    work.deadline = given.deadline;
    work.priority = task.priority != 0 ? task.priority : given.priority;
    work.user = user;
    const auto list = [&](const std::vector<std::uint32_t>& files, std::uint32_t& begin,
                          std::uint16_t& count) {
      if (files.size() > std::numeric_limits<std::uint16_t>::max())
        fail_at(where, "too_large", "{}: {} files are too many for one task", task.name, files.size());
      begin = static_cast<std::uint32_t>(out_.file_lists.size());
      count = static_cast<std::uint16_t>(files.size());
      for (const std::uint32_t file : files) out_.file_lists.push_back(ids[file]);
    };
    list(task.inputs, work.inputs, work.input_count);
    list(task.outputs, work.outputs, work.output_count);
    for (const std::uint32_t before : task.after)
      after_.emplace_back(static_cast<std::uint32_t>(first) + before, static_cast<std::uint32_t>(first + t));
    out_.names.push_back(task.name);
    out_.works.push_back(work);
  }
}

void WorkloadBuilder::restart_at(std::size_t number) {
  out_.works.restart_at(number);
  out_.times.clear();
  out_.extras.clear();
}

void WorkloadBuilder::put_inside_reservations() {
  if (inside_.empty()) return;
  std::map<std::string, WorkId, std::less<>> known;
  std::set<std::string, std::less<>> twice;
  for (std::size_t w = out_.works.first(); w < out_.works.size(); ++w)
    if (out_.works[w].kind == WorkKind::reservation)
      if (std::string name = out_.name_of(WorkId(w)); !known.emplace(name, WorkId(w)).second)
        twice.insert(std::move(name));
  for (const Inside& each : inside_) {
    if (twice.contains(each.reservation))
      fail_at(each.where, "duplicate_name", "{}: two reservations are called '{}'", each.job,
              each.reservation);
    const auto found = known.find(each.reservation);
    if (found == known.end()) {
      std::vector<std::string> names;
      for (const auto& [name, id] : known) names.push_back(name);
      fail_at(each.where, "unknown_reservation", "{}: the workload has no reservation '{}'{}", each.job,
              each.reservation, did_you_mean(each.reservation, names));
    }
    out_.extras[each.extra].shape.reservation = found->second;
  }
  inside_.clear();
}

Workload WorkloadBuilder::take() {
  put_inside_reservations();
  if (linked_ || out_.precedence != nullptr) model::connect(out_, WorkId(first_), after_);
  if (!out_.names.empty()) out_.names.resize(out_.works.size());
  if (!out_.needs.empty()) out_.needs.resize(out_.works.size());
  if (!out_.qualities.empty()) out_.qualities.resize(out_.works.size(), kNone);
  return std::move(out_);
}

std::string WorkloadBuilder::name(const WorkRecord& record, std::size_t number) {
  return record.name.empty() ? fmt::format("{} {}", name_of(record.kind), number + 1) : record.name;
}

void WorkloadBuilder::add_noise(const WorkRecord& record, WorkExtra& extra, std::size_t number) {
  const double count = extra.size * extra.trials;
  if (static_cast<double>(out_.times.size()) + count + 1 > double{kNone - 1})
    fail_at(record.declared_at, "too_large", "{}: noise of {:.0f} simulations is too much, at most {}",
            name(record, number), count, kNone - 1);
  will_take(count * sizeof(double),
            [&] { return fmt::format("{}: noise of {:.0f} simulations", name(record, number), count); });
  extra.noise = static_cast<std::uint32_t>(out_.times.size());
  constexpr std::uint64_t kStepsOfNoise = 5;
  const Stream of_work = Stream(seed_, "noise").sub(number);
  for (std::uint64_t run = 0; run < static_cast<std::uint64_t>(extra.size); ++run) {
    did_work(kStepsOfNoise * static_cast<std::uint64_t>(extra.trials));
    Stream rng = of_work.sub(run);
    for (std::int32_t trial = 0; trial < extra.trials; ++trial)
      out_.times.push_back(rng.lognormal(1, record.noise));
  }
  out_.times.push_back(record.noise);
}

std::uint32_t WorkloadBuilder::row(const WorkRecord& record, const TimesRecord& times) {
  const auto first = static_cast<std::uint32_t>(out_.times.size());
  const Platform& platform = *platform_.platform;
  const bool by_host = times.form == TimeForm::by_host;
  const std::size_t columns = by_host ? platform.hosts().size() : platform_.architectures.size();
  const std::string_view what = by_host ? "host" : "architecture";
  if (!times.by_place.empty()) {
    if (times.by_place.size() != columns)
      fail_at(record.declared_at, "bad_work", "{}: times has {} values, the platform {} hosts",
              name(record, out_.works.size()), times.by_place.size(), columns);
    out_.times.insert(out_.times.end(), times.by_place.begin(), times.by_place.end());
    return first;
  }
  if (by_host && host_of_.empty())
    for (std::size_t h = 0; h < columns; ++h) host_of_.emplace(platform.hosts()[h].name, h);
  out_.times.resize(first + columns, kNever);
  for (const auto& [key, value] : times.by_name) {
    std::size_t column = columns;
    if (by_host) {
      const auto found = host_of_.find(key);
      if (found != host_of_.end()) column = found->second;
    } else {
      const auto& names = platform_.architectures;
      column = static_cast<std::size_t>(std::find(names.begin(), names.end(), key) - names.begin());
    }
    if (column == columns) {
      std::vector<std::string> names;
      if (by_host)
        for (const Host& host : platform.hosts()) names.push_back(host.name);
      else
        names = platform_.architectures;
      fail_at(record.declared_at, "bad_work", "{}: the platform has no {} '{}'{}",
              name(record, out_.works.size()), what, key, did_you_mean(key, names));
    }
    out_.times[first + column] = value;
  }
  return first;
}

LinkId WorkloadBuilder::link_of_dumps(const WorkRecord& record) {
  const Platform& platform = *platform_.platform;
  std::vector<std::string> names;
  for (std::size_t l = 0; l < platform.links().size(); ++l) {
    const Link& link = platform.links()[l];
    if (link.implied) continue;
    if (link.name == record.shape->link) return LinkId(l);
    names.push_back(link.name);
  }
  fail_at(record.declared_at, "bad_checkpoint", "{}: checkpoint: the platform has no link '{}'{}",
          name(record, out_.works.size()), record.shape->link,
          names.empty() ? "; it declares none" : did_you_mean(record.shape->link, names));
}

std::shared_ptr<const std::vector<std::uint8_t>> WorkloadBuilder::only(const WorkRecord& record) {
  const std::vector<std::string>& wanted = record.shape->only;
  std::shared_ptr<const std::vector<std::uint8_t>>& known = only_[wanted];
  if (known != nullptr) return known;
  known = hosts_by_name(*platform_.platform, wanted, name(record, out_.works.size()) + ": only",
                        record.declared_at);
  return known;
}

// Null if the platform has enough of what it takes, whatever runs: memory of which no host has a bound.
std::shared_ptr<const Demand> WorkloadBuilder::demand_of(const NamedDemand& wanted, const std::string& who,
                                                         const SourceLocation& where) {
  constexpr std::size_t kMostKept = 1000;  // jobs mostly ask for the same; a stream has no end
  if (demands_.size() > kMostKept) demands_.clear();
  const auto [known, is_new] = demands_.try_emplace(wanted);
  if (!is_new) return known->second;
  const Platform& platform = *platform_.platform;
  const std::span<const std::string> consumables = platform.consumables();
  Demand made;
  std::map<std::uint32_t, Demand::OfHost> of_hosts;
  if (!consumables.empty() && consumables.front() == model::kMemory)
    of_hosts[0] = {0, wanted.memory, wanted.memory_per_core};
  const auto number_of = [&](const std::string& name) {
    const auto found = std::ranges::find(consumables, name);
    if (found == consumables.end() || name == model::kMemory)
      fail_at(where, "unknown_resource", "{}: no host of the platform has the resource '{}'{}", who, name,
              did_you_mean(name, std::vector<std::string>(consumables.begin(), consumables.end())));
    return static_cast<std::uint32_t>(found - consumables.begin());
  };
  for (const auto& [name, count] : wanted.resources) of_hosts[number_of(name)].each = count;
  for (const auto& [name, count] : wanted.resources_per_core) of_hosts[number_of(name)].per_core = count;
  for (auto& [what, item] : of_hosts) {
    item.what = what;
    if (item.each > 0 || item.per_core > 0) made.of_hosts.push_back(item);
  }
  for (const auto& [name, count] : wanted.licences) {
    const auto found = std::ranges::find(platform.licences(), name, &Licence::name);
    if (found == platform.licences().end()) {
      std::vector<std::string> names;
      for (const Licence& licence : platform.licences()) names.push_back(licence.name);
      fail_at(where, "unknown_licence", "{}: the platform has no licence '{}'{}", who, name,
              did_you_mean(name, names));
    }
    if (count > 0)
      made.licences.push_back({static_cast<std::uint32_t>(found - platform.licences().begin()), count});
  }
  std::ranges::sort(made.licences, {}, &Demand::OfAll::what);
  if (made != Demand{}) known->second = std::make_shared<const Demand>(std::move(made));
  return known->second;
}

FileId WorkloadBuilder::file_id(const WorkRecord& record, const FileRecord& file) {
  const auto [found, is_new] = files_.emplace(file.name, static_cast<std::uint32_t>(out_.files.size()));
  if (is_new) {
    out_.files.push_back({.name = file.name, .size = file.size, .estimate = file.estimate});
  } else if (const File& known = out_.files[found->second]; known.size != file.size) {
    fail_at(record.declared_at, "bad_work", "{}: file '{}' is {} here but {} elsewhere",
            name(record, out_.works.size()), file.name, format_quantity(file.size, Dimension::bytes),
            format_quantity(known.size, Dimension::bytes));
  } else if (known.estimate != file.estimate) {
    fail_at(record.declared_at, "bad_work", "{}: file '{}' is estimated as {} here but as {} elsewhere",
            name(record, out_.works.size()), file.name, format_quantity(file.estimate, Dimension::bytes),
            format_quantity(known.estimate, Dimension::bytes));
  }
  return FileId(found->second);
}

}  // namespace perigee::bindings
