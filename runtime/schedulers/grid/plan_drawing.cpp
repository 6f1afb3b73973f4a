// Source: Berman et al., LIP RR 1999-46, sections 5.4 to 5.6 and 7.4 and Figure 5.
#include "runtime/schedulers/grid/plan_drawing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "runtime/kernel/room.h"
#include "runtime/schedulers/explain_step.h"

namespace perigee::grid {
namespace {

constexpr std::uint32_t kUnnumbered = 0xffffffffU;

}  // namespace

PlanDrawing::PlanDrawing(const PlannerSettings& settings, GridQueues& queues, Sim& sim,
                         std::vector<WorkId> tasks, std::size_t kept)
    : settings_(settings),
      queues_(queues),
      sim_(sim),
      view_(sim.view()),
      tasks_(std::move(tasks)),
      kept_(kept) {
  state_problem();
  chart_.emplace(problem_, sim.now());
  draw_present();
  chart_->set_floor(sim.now() + settings_.planning_time);
}

void PlanDrawing::place_new(ChartMapper& mapper, Time horizon, GridQueues::Fresh& out) {
  std::vector<std::uint32_t> fresh(tasks_.size() - kept_);
  std::iota(fresh.begin(), fresh.end(), static_cast<std::uint32_t>(kept_));
  ChartView waiting(*chart_, std::move(fresh), mapper.needs_second());
  const ChartPlan plan = this->plan(horizon);
  Stream& stream = sim_.stream("planner");
  std::size_t most = tasks_.size();
  if (settings_.count > 0) {
    const auto away = std::ranges::count(problem_.cluster, ChartProblem::kAway);
    const double up = static_cast<double>(problem_.hosts()) - static_cast<double>(away);
    most = static_cast<std::size_t>(
        std::min(std::ceil(settings_.count * up - 1e-9), static_cast<double>(tasks_.size())));
  }
  for (std::size_t assigned = 0; assigned < most && !waiting.waiting().empty(); ++assigned) {
    if (settings_.to_horizon && all_planned_beyond(horizon)) break;
    const ChartChoice choice = mapper.next(waiting, plan, stream);
    if (choice.is_none()) break;
    if (sim_.recorder() != nullptr && sim_.recorder()->work() == tasks_[choice.task]) [[unlikely]]
      explain(mapper, waiting, plan, choice);
    add(waiting.place(choice.task, choice.host), out);
  }
}

void PlanDrawing::explain(const ChartMapper& mapper, const ChartView& waiting, const ChartPlan& plan,
                          const ChartChoice& choice) {
  MappingStep step;
  mapper.explain(waiting, plan, choice, step);
  decided_.emplace();
  decided_->host = hosts_[choice.host];
  explain_step(
      step, tasks_, [&](std::uint32_t host) { return hosts_[host]; }, *decided_);
}

ChartPlan PlanDrawing::plan(Time horizon) const {
  return {.platform = &view_.platform(),
          .workload = &view_.workload(),
          .tasks = tasks_,
          .hosts = hosts_,
          .files = files_,
          .uses = uses_,
          .horizon = horizon};
}

std::uint32_t PlanDrawing::number(FileId file) {
  std::uint32_t& known = numbers_[file.index];
  if (known == kUnnumbered) {
    known = static_cast<std::uint32_t>(files_.size());
    files_.push_back(file);
  }
  return known;
}

void PlanDrawing::state_problem() {
  const Workload& workload = view_.workload();
  numbers_.assign(workload.files.size(), kUnnumbered);
  problem_.clusters = queues_.channels().size();
  problem_.until_home = settings_.until_home;
  for (std::uint32_t s = 0; s < queues_.servers().size(); ++s) {
    hosts_.push_back(queues_.servers()[s].host);
    problem_.cluster.push_back(queues_.is_up(sim_, s) ? view_[hosts_.back()].cluster.index
                                                      : ChartProblem::kAway);
  }
  count_uses();
  std::vector<std::pair<std::size_t, std::size_t>> ends;
  std::vector<FileId> sorted;
  for (const WorkId task : tasks_) {
    const auto inputs = workload.inputs(task), outputs = workload.outputs(task);
    sorted.assign(inputs.begin(), inputs.end());
    sort_inputs(sorted);
    for (const FileId file : sorted) listed_.push_back(number(file));
    const std::size_t between = listed_.size();
    for (const FileId file : outputs)
      if (sim_.comes_home(file)) listed_.push_back(number(file));
    ends.emplace_back(between, listed_.size());
  }
  std::size_t first = 0;
  for (const auto& [between, end] : ends) {
    problem_.inputs.push_back(std::span(listed_).subspan(first, between - first));
    problem_.outputs.push_back(std::span(listed_).subspan(between, end - between));
    first = end;
  }
  add_present_files();
  problem_.files = files_.size();
  measure_times();
}

// Adds the files that are under way and those that computations under way will make.
void PlanDrawing::add_present_files() {
  for (const GridQueues::Channel& channel : queues_.channels()) {
    if (channel.sending.file.valid()) number(channel.sending.file);
    for (const GridQueues::Sending& each : channel.queue) number(each.file);
  }
  for (const GridQueues::Server& server : queues_.servers())
    if (server.running.work.valid())
      for (const FileId file : view_.workload().outputs(server.running.work))
        if (sim_.comes_home(file)) number(file);
}

void PlanDrawing::measure_times() {
  const std::size_t servers = queues_.servers().size(), clusters = problem_.clusters;
  Estimator& estimator = sim_.estimate();
  constexpr double kDepends = std::numeric_limits<double>::quiet_NaN();
  will_take_matrix(tasks_.size(), servers, "with `count` a plan has a few tasks for each host");
  problem_.time.resize(tasks_.size() * servers);
  for (std::size_t s = 0; s < servers; ++s) {
    const HostId host = queues_.servers()[s].host;
    const bool same = s > 0 && queues_.servers()[s - 1].host == host,
               steady = estimator.is_steady(sim_, host);
    for (std::size_t t = 0; t < tasks_.size(); ++t) {
      Seconds& time = problem_.time[s * tasks_.size() + t];
      if (same)
        time = problem_.time[(s - 1) * tasks_.size() + t];
      else if (problem_.cluster[s] == ChartProblem::kAway)
        time = kNever;
      else
        time = steady ? estimator.duration(sim_, {tasks_[t], 0, 1}, host) : kDepends;
    }
  }
  problem_.transfer.resize(files_.size() * clusters);
  for (std::size_t c = 0; c < clusters; ++c) {
    const ClusterId cluster(c);
    const bool steady = estimator.is_steady(sim_, cluster);
    for (std::size_t f = 0; f < files_.size(); ++f)
      problem_.transfer[c * files_.size() + f] =
          steady ? estimator.end_of(sim_, files_[f], cluster, sim_.now()) - sim_.now() : kDepends;
  }
  problem_.task_end = [this](std::size_t task, std::size_t server, Time start) {
    return sim_.estimate().end_of(sim_, Piece{tasks_[task], 0, 1}, queues_.servers()[server].host, start);
  };
  problem_.transfer_end = [this](std::size_t file, std::size_t cluster, Time start) {
    return sim_.estimate().end_of(sim_, files_[file], ClusterId(cluster), start);
  };
}

// Counts, for each file, the waiting tasks that need it.
void PlanDrawing::count_uses() {
  const Workload& workload = view_.workload();
  uses_.assign(workload.files.size(), 0);
  const auto count = [&](WorkId work) {
    for (const FileId file : workload.inputs(work)) ++uses_[file.index];
  };
  for (const WorkId work : queues_.pool()) count(work);
  for (const GridQueues::Server& server : queues_.servers())
    for (const GridQueues::Queued& each : server.queue) count(each.work);
}

void PlanDrawing::sort_inputs(std::vector<FileId>& files) const {
  const auto size = [&](FileId file) { return view_.workload().files[file.index].estimate; };
  const auto by = [&](auto&& key) {
    std::ranges::sort(files, {}, [&](FileId file) { return std::tuple(key(file), file.index); });
  };
  switch (settings_.order) {
    case PlannerSettings::Order::usage:
      return by([&](FileId file) { return -static_cast<std::int64_t>(uses_[file.index]); });
    case PlannerSettings::Order::largest:
      return by([&](FileId file) { return -size(file); });
    case PlannerSettings::Order::smallest:
      return by(size);
    case PlannerSettings::Order::listed:
      return;
  }
}

// Draws what cannot change, and then the tasks that hosts keep.
void PlanDrawing::draw_present() {
  for (std::size_t c = 0; c < problem_.clusters; ++c)
    for (std::size_t f = 0; f < files_.size(); ++f)
      if (sim_.in_store(files_[f], ClusterId(c))) chart_->has_file(f, c, sim_.now());
  for (std::uint32_t c = 0; c < queues_.channels().size(); ++c) {
    const GridQueues::Activity& sending = queues_.channels()[c].sending;
    if (!sending.file.valid()) continue;
    const Time end = queues_.end_of_running(sim_, sending);
    chart_->occupy_link(c, end);
    transfers_.push_back({c, sending.file, sending.work.valid(), {sim_.now(), end}});
    if (!sending.work.valid()) chart_->has_file(numbers_[sending.file.index], c, end);
  }
  std::vector<std::pair<Time, std::uint32_t>> running;
  for (std::uint32_t s = 0; s < queues_.servers().size(); ++s) {
    const GridQueues::Activity& computing = queues_.servers()[s].running;
    if (!computing.work.valid()) continue;
    const Time end = queues_.end_of_running(sim_, computing);
    chart_->occupy_host(s, end);
    computations_.push_back({s, computing.work, {sim_.now(), end}});
    running.emplace_back(end, s);
  }
  for (std::uint32_t c = 0; c < queues_.channels().size(); ++c)
    for (GridQueues::Sending& each : queues_.channels()[c].queue)
      if (each.home() && view_[each.work].state == WorkState::computed)
        each.start = send_home(c, each.file, sim_.now());
  std::ranges::sort(running);
  for (const auto& [end, s] : running) {
    const std::uint32_t cluster = view_[queues_.servers()[s].host].cluster.index;
    const WorkId work = queues_.servers()[s].running.work;
    for (const FileId file : view_.workload().outputs(work)) {
      if (!sim_.comes_home(file)) continue;
      const Time start = send_home(cluster, file, end);
      for (GridQueues::Sending& each : queues_.channels()[cluster].queue)
        if (each.work == work && each.file == file) each.start = start;
    }
  }
  draw_kept();
}

Time PlanDrawing::send_home(std::uint32_t cluster, FileId file, Time ready) {
  const ChartTransfer sent = chart_->send_home(numbers_[file.index], cluster, ready);
  transfers_.push_back({cluster, file, true, sent.slot});
  return sent.slot.start;
}

void PlanDrawing::draw_kept() {
  std::uint32_t task = 0;  // kept ones come first, in this order
  for (std::size_t at = 0; task < kept_; ++at)
    for (std::uint32_t s = 0; s < queues_.servers().size(); ++s) {
      auto& queue = queues_.servers()[s].queue;
      if (at >= queue.size()) continue;
      const ChartTask placed = chart_->place(task++, s);
      queue[at].start = placed.slot.start;
      note(placed);
      for (const ChartTransfer& each : placed.transfers)
        for (GridQueues::Sending& entry : queues_.channels()[each.cluster].queue)
          if (entry.file == files_[each.file] && entry.home() == each.home) entry.start = each.slot.start;
    }
}

void PlanDrawing::note(const ChartTask& placed) {
  computations_.push_back({placed.host, tasks_[placed.task], placed.slot});
  for (const ChartTransfer& each : placed.transfers)
    transfers_.push_back({each.cluster, files_[each.file], each.home, each.slot});
}

void PlanDrawing::add(const ChartTask& placed, GridQueues::Fresh& out) {
  note(placed);
  const WorkId work = tasks_[placed.task];
  out.tasks.push_back({placed.host, {work, placed.slot.start}});
  for (const ChartTransfer& each : placed.transfers)
    out.transfers.push_back(
        {each.cluster, {files_[each.file], each.home ? work : WorkId{}, each.slot.start}});
}

bool PlanDrawing::all_planned_beyond(Time horizon) {
  if (horizon == kNever) return false;
  beyond_.assign(queues_.servers().size(), 0);
  for (const Computation& each : computations_)
    if (each.slot.start > horizon) beyond_[each.server] = 1;
  for (std::size_t s = 0; s < beyond_.size(); ++s)
    if (problem_.cluster[s] != ChartProblem::kAway && beyond_[s] == 0) return false;
  return true;
}

}  // namespace perigee::grid
