// Source: Berman et al., LIP RR 1999-46, sections 5.6.5 and 7.3 and Figure 10.
#include "runtime/schedulers/grid/grid_queues.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "runtime/schedulers/files.h"
#include "runtime/schedulers/grid/plan_notes.h"

namespace perigee::grid {
namespace {

bool has_inputs(const Sim& sim, WorkId work, ClusterId cluster) {
  return std::ranges::all_of(sim.view().workload().inputs(work),
                             [&](FileId file) { return sim.in_store(file, cluster); });
}

// True if the file still has to be sent.
bool is_to_send(const Sim& sim, const GridQueues::Sending& entry, ClusterId cluster) {
  if (!entry.home()) return !sim.in_store(entry.file, cluster) && !sim.in_transfer(entry.file, cluster);
  return sim.in_store(entry.file, cluster) && !sim.at_home(entry.file) && !is_going_home(sim, entry.file);
}

}  // namespace

// A set of files for each cluster.
class GridQueues::FileSet {
 public:
  explicit FileSet(std::size_t files, std::size_t clusters) : files_(files), in_(files * clusters, 0) {}
  std::uint8_t& at(FileId file, ClusterId cluster) { return in_[cluster.index * files_ + file.index]; }
  // Removes the file; true if it was in the set.
  bool take(FileId file, ClusterId cluster) { return std::exchange(at(file, cluster), 0) != 0; }

 private:
  std::size_t files_;
  std::vector<std::uint8_t> in_;
};

void GridQueues::adopt(Sim& sim) {
  const View& view = sim.view();
  servers_.clear();
  first_server_.clear();
  for (std::size_t h = 0; h < view.hosts().size(); ++h) {
    first_server_.push_back(static_cast<std::uint32_t>(servers_.size()));
    const Host& host = view.platform()[HostId(h)];
    const std::int32_t cores = host.exclusive ? 1 : host.cores;
    servers_.resize(servers_.size() + static_cast<std::size_t>(cores), Server{.host = HostId(h)});
  }
  first_server_.push_back(static_cast<std::uint32_t>(servers_.size()));
  channels_.assign(view.platform().clusters().size(), Channel{});
  pool_.clear();
  server_of_.clear();
  withdraw_from_hosts(sim);
  for (std::size_t h = 0; h < view.hosts().size(); ++h) {
    std::uint32_t server = first_server_[h];
    for (const ActivityId id : sim.running_on(HostId(h)))
      if (const auto running = sim.activity(id); running->work.valid() && server < first_server_[h + 1]) {
        servers_[server].running = {id, running->work, {}};
        server_of(running->work) = server++;
        for (const FileId file : view.workload().outputs(running->work))
          if (sim.comes_home(file))
            channels_[view[HostId(h)].cluster.index].queue.push_back({file, running->work, sim.now()});
      }
  }
  for (std::size_t c = 0; c < channels_.size(); ++c) {
    const ResourceId link = ResourceId::of(view.platform()[ClusterId(c)].link);
    for (const ActivityId id : sim.queued_on(link)) sim.withdraw(id);
    for (const ActivityId id : sim.transfers_of(ClusterId(c))) {  // of several at a time the last one counts
      const auto running = sim.activity(id);
      const bool home = running->kind == ActivityKind::transfer_out;
      channels_[c].sending = {id, home ? running->work : WorkId{}, running->file};
    }
    channels_[c].away = !view.links()[link.at()].up && std::ranges::none_of(view.hosts(), [&](auto& host) {
      return host.up && host.cluster == ClusterId(c);
    });
    fetch_stranded(sim, ClusterId(c));
  }
  for (std::size_t w = 0; w < view.works().size(); ++w) enter(sim, WorkId(w));
}

std::uint32_t& GridQueues::server_of(WorkId work) {
  if (server_of_.size() <= work.index) server_of_.resize(work.index + 1, kNowhere);
  return server_of_[work.index];
}

Time GridQueues::end_of_running(Sim& sim, const Activity& activity) const {
  const Time end = sim.estimate().end_of(sim, activity.id);
  return end > sim.now() ? end : sim.now() + settings_.overdue;
}

void GridQueues::enter(const Sim& sim, WorkId work) {
  if (sim.view()[work].state != WorkState::waiting) return;
  server_of(work) = kNowhere;
  const auto at = std::ranges::lower_bound(pool_, work.index, {}, &WorkId::index);
  if (at == pool_.end() || *at != work) pool_.insert(at, work);
}

void GridQueues::lost(const Sim& sim, const Event& event) {
  if (event.transfer || !event.work.valid()) return;
  forget_outputs(event.work);
  if (event.why == Reason::stranded) look_again();
  if (event.why != Reason::cancelled) enter(sim, event.work);
}

// Empties the host's queues. The host may be back within the instant, perhaps in another cluster.
void GridQueues::host_failed(const Sim& sim, HostId host) {
  ++servers_[first_server_[host.index]].failures;
  for (std::uint32_t s = first_server_[host.index]; s < first_server_[host.index + 1]; ++s)
    for (const Queued& each : std::exchange(servers_[s].queue, {})) unqueue(sim, each.work);
}

void GridQueues::cluster_failed(ClusterId cluster) {
  ++channels_[cluster.index].failures;
  channels_[cluster.index].queue.clear();
  channels_[cluster.index].sending = {};
  channels_[cluster.index].away = true;
}

void GridQueues::cluster_back(const Sim& sim, ClusterId cluster) {
  channels_[cluster.index].away = false;
  fetch_stranded(sim, cluster);
}

void GridQueues::link_back(const Sim& sim, LinkId link) {
  for (std::size_t c = 0; c < channels_.size(); ++c)
    if (sim.view().platform()[ClusterId(c)].link == link) channels_[c].away = false;
}

void GridQueues::unqueue(const Sim& sim, WorkId work) {
  forget_outputs(work);
  enter(sim, work);
}

void GridQueues::forget_outputs(WorkId work) {
  for (Channel& channel : channels_)
    std::erase_if(channel.queue, [&](const Sending& each) { return each.work == work; });
}

void GridQueues::take_back(const Sim& sim) {
  const View& view = sim.view();
  const std::size_t settled = view.works_in(WorkState::rejected) + view.works_in(WorkState::expired);
  if (settled_ == kUnknown)
    std::erase_if(pool_, [&](WorkId work) { return view[work].state != WorkState::waiting; });
  const bool all_wait = std::exchange(settled_, settled) == settled;
  for (std::uint32_t s = 0; s < servers_.size(); ++s) {
    Server& server = servers_[s];
    const bool up = is_up(sim, s);
    if (server.running.work.valid() && !sim.activity(server.running.id)) server.running = {};
    if (up && all_wait) continue;
    std::erase_if(server.queue, [&](const Queued& each) {
      const bool waits = view[each.work].state == WorkState::waiting;
      if (waits && up) return false;
      unqueue(sim, each.work);
      return true;
    });
  }
  for (std::size_t c = 0; c < channels_.size(); ++c) {
    Channel& channel = channels_[c];
    const Activity was = channel.sending;
    if (!was.file.valid() || sim.activity(was.id)) continue;
    channel.sending = {};
    const ClusterId cluster(c);
    // The transfer was cut while its cluster stayed, so it goes to the front again.
    const bool wanted = was.work.valid()
                            ? view[was.work].state == WorkState::computed && !sim.at_home(was.file) &&
                                  sim.in_store(was.file, cluster)
                            : !sim.in_store(was.file, cluster) && needed(sim).at(was.file, cluster) != 0;
    if (wanted) channel.queue.insert(channel.queue.begin(), {was.file, was.work, sim.now()});
  }
}

GridQueues::FileSet GridQueues::needed(const Sim& sim) const {
  const Workload& workload = sim.view().workload();
  FileSet set(workload.files.size(), channels_.size());
  for (std::uint32_t s = 0; s < servers_.size(); ++s) {
    const ClusterId cluster = cluster_of(sim, s);
    for (const Queued& each : servers_[s].queue)
      for (const FileId file : workload.inputs(each.work))
        if (!sim.in_store(file, cluster) && !sim.in_transfer(file, cluster)) set.at(file, cluster) = 1;
  }
  return set;
}

void GridQueues::fetch_stranded(const Sim& sim, ClusterId cluster) {
  const View& view = sim.view();
  std::vector<Sending> first;
  for (std::size_t w = 0; w < view.works().size(); ++w) {
    const WorkId work(w);
    if (view[work].state != WorkState::computed) continue;
    for (const FileId file : view.workload().outputs(work))
      if (sim.in_store(file, cluster) && !sim.at_home(file) && sim.comes_home(file) &&
          !sim.in_transfer_home(file, cluster))
        first.push_back({file, work, sim.now()});
  }
  auto& queue = channels_[cluster.index].queue;
  queue.insert(queue.begin(), first.begin(), first.end());
}

void GridQueues::recovered(const Sim& sim, WorkId work) {
  look_again();
  forget_outputs(work);
  for (Server& server : servers_)
    std::erase_if(server.queue, [&](const Queued& each) { return each.work == work; });
  for (const FileId file : sim.view().workload().outputs(work))
    for (std::size_t c = 0; sim.comes_home(file) && !sim.at_home(file) && c < channels_.size(); ++c)
      if (sim.in_store(file, ClusterId(c))) {
        channels_[c].queue.push_back({file, work, sim.now()});
        break;
      }
}

bool GridQueues::serve(Sim& sim) {
  const View& view = sim.view();
  bool idle = false;
  for (std::uint32_t s = 0; s < servers_.size(); ++s) {
    Server& server = servers_[s];
    if (!is_up(sim, s) || server.running.work.valid()) continue;
    if (server.queue.empty()) {
      if (!(settings_.steal && steal(sim, s))) idle = idle || asks_for_plan();
    } else if (const WorkId work = server.queue.front().work;
               has_inputs(sim, work, cluster_of(sim, s)) && sim.fits(work, server.host)) {
      start(sim, work, s);
      server.queue.erase(server.queue.begin());
    }
  }
  for (std::size_t c = 0; c < channels_.size(); ++c)
    if (!channels_[c].sending.file.valid() && view.links()[view.platform()[ClusterId(c)].link.index].up)
      send_next(sim, ClusterId(c));
  return idle;
}

bool GridQueues::asks_for_plan() const {
  switch (settings_.idle_replan) {
    case PlannerSettings::IdleReplan::pool:
      return !pool_.empty();
    case PlannerSettings::IdleReplan::always:
      return !pool_.empty() ||
             std::ranges::any_of(servers_, [](const Server& each) { return !each.queue.empty(); });
    case PlannerSettings::IdleReplan::never:
      break;
  }
  return false;
}

void GridQueues::send_next(Sim& sim, ClusterId cluster) {
  Channel& channel = channels_[cluster.index];
  for (std::size_t i = 0; i < channel.queue.size();) {
    const Sending entry = channel.queue[i];
    const WorkState state = entry.home() ? sim.view()[entry.work].state : WorkState::computed;
    if (state < WorkState::computed) {
      if (stops_at(sim, entry)) return;
      ++i;
      continue;
    }
    channel.queue.erase(channel.queue.begin() + static_cast<std::ptrdiff_t>(i));
    if (state > WorkState::computed || !is_to_send(sim, entry, cluster)) continue;
    Posting posting;
    posting.kind = entry.home() ? ActivityKind::transfer_out : ActivityKind::transfer_in;
    posting.file = entry.file;
    posting.cluster = cluster;
    channel.sending = {sim.post(posting), entry.work, entry.file};
    return;
  }
}

// True if the link waits for an output that is not there yet.
bool GridQueues::stops_at(Sim& sim, const Sending& entry) const {
  switch (settings_.links) {
    case PlannerSettings::Links::greedy:
      return false;
    case PlannerSettings::Links::strict:
      return true;
    case PlannerSettings::Links::hybrid:
      break;
  }
  const std::uint32_t at = server_of_[entry.work.index];
  if (at == kNowhere || servers_[at].running.work != entry.work) return false;
  return end_of_running(sim, servers_[at].running) <= sim.now() + settings_.patience;
}

void GridQueues::start(Sim& sim, WorkId work, std::uint32_t server) {
  server_of(work) = server;
  servers_[server].running = {sim.start(work, servers_[server].host), work, {}};
}

// Takes the first task whose inputs are there, from the longest queue of the cluster that has one.
bool GridQueues::steal(Sim& sim, std::uint32_t thief) {
  std::vector<std::uint32_t> victims;
  for (std::uint32_t s = 0; s < servers_.size(); ++s)
    if (cluster_of(sim, s) == cluster_of(sim, thief) && !servers_[s].queue.empty()) victims.push_back(s);
  std::ranges::stable_sort(victims, std::greater{},
                           [&](std::uint32_t s) { return servers_[s].queue.size(); });
  for (const std::uint32_t victim : victims) {
    auto& queue = servers_[victim].queue;
    for (auto each = queue.begin(); each != queue.end(); ++each) {
      const WorkId work = each->work;
      if (!has_inputs(sim, work, cluster_of(sim, thief)) || !sim.fits(work, servers_[thief].host)) continue;
      start(sim, work, thief);
      queue.erase(each);
      StealNote{servers_[thief].host, servers_[victim].host, work}.write(sim);
      return true;
    }
  }
  return false;
}

bool GridQueues::truncate(const Sim& sim) {
  const View& view = sim.view();
  bool any = false;
  for (Server& server : servers_)
    while (server.queue.size() > settings_.keep) {
      const WorkId work = server.queue.back().work;
      server.queue.pop_back();
      unqueue(sim, work);
      any = true;
    }
  FileSet kept = needed(sim);
  for (std::size_t c = 0; c < channels_.size(); ++c)
    std::erase_if(channels_[c].queue, [&](const Sending& each) {
      if (each.home())
        return view[each.work].state != WorkState::computed && view[each.work].state != WorkState::running &&
               server_of_[each.work.index] == kNowhere;
      return kept.at(each.file, ClusterId(c)) == 0;
    });
  return any;
}

void GridQueues::mark(Fresh& fresh) const {
  for (const Server& server : servers_) fresh.failures.push_back(server.failures);
  for (const Channel& channel : channels_) fresh.cluster_failures.push_back(channel.failures);
}

void GridQueues::join(const Sim& sim, const Fresh& fresh) {
  const View& view = sim.view();
  const auto gone = [&](std::uint32_t server) {
    const std::uint32_t first = first_server_[servers_[server].host.index];
    const std::uint32_t cluster = cluster_of(sim, server).index;
    return !is_up(sim, server) || servers_[first].failures != fresh.failures[first] ||
           channels_[cluster].failures != fresh.cluster_failures[cluster];
  };
  std::vector<WorkId> placed;
  for (const Fresh::Task& each : fresh.tasks) {
    if (gone(each.server) || view[each.entry.work].state != WorkState::waiting) continue;
    servers_[each.server].queue.push_back(each.entry);
    server_of(each.entry.work) = each.server;
    placed.push_back(each.entry.work);
  }
  std::ranges::sort(placed);
  std::erase_if(pool_, [&](WorkId work) { return std::ranges::binary_search(placed, work); });
  FileSet missing = needed(sim);
  for (std::size_t c = 0; c < channels_.size(); ++c)
    for (const Sending& each : channels_[c].queue)
      if (!each.home()) missing.take(each.file, ClusterId(c));
  for (const Fresh::Transfer& each : fresh.transfers) {
    if (channels_[each.cluster].failures != fresh.cluster_failures[each.cluster]) continue;
    const Sending& entry = each.entry;
    if (entry.home() ? std::ranges::binary_search(placed, entry.work)
                     : missing.take(entry.file, ClusterId(each.cluster)))
      channels_[each.cluster].queue.push_back(entry);
  }
  // Inputs that were on their way when the plan was made may have been cut since; they are queued again.
  for (const Fresh::Task& each : fresh.tasks)
    if (std::ranges::binary_search(placed, each.entry.work))
      for (const FileId file : view.workload().inputs(each.entry.work))
        if (const ClusterId cluster = cluster_of(sim, each.server); missing.take(file, cluster))
          channels_[cluster.index].queue.push_back({file, {}, each.entry.start});
  for (Server& server : servers_) std::ranges::stable_sort(server.queue, {}, &Queued::start);
  for (Channel& channel : channels_) std::ranges::stable_sort(channel.queue, {}, &Sending::start);
}

}  // namespace perigee::grid
