// The tasks of a run that are left, as a problem of the textbook model.
//
// Source: the model of Topcuoglu, Hariri, Wu, IEEE TPDS 13(3), 2002, section 2, from a given time on.
#include "runtime/schedulers/workflow/present_graph.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "runtime/kernel/room.h"
#include "runtime/kernel/work.h"

namespace perigee::workflow {
namespace {

// A time that is later than all others, and that a schedule can add to. Anything that is never over, as far as is
// known, ends then.
constexpr Time kFar = 1e15;  // s

class Present {
 public:
  Present(Sim& sim, std::span<const WorkId> works, std::span<const std::pair<WorkId, Promise>> kept)
      : sim_(sim), view_(sim.view()), workload_(view_.workload()) {
    out_.works.assign(works.begin(), works.end());
    for (std::size_t t = 0; t < works.size(); ++t) place_[works[t]] = static_cast<std::uint32_t>(t);
    for (const auto& [work, promise] : kept) kept_[work] = promise;
    did_work(works.size() + view_.hosts().size());
  }

  GraphProblem make() {
    out_.now = sim_.now();
    add_machines();
    add_promised();
    add_times();
    add_network();
    add_edges();
    add_release();
    return std::move(out_);
  }

 private:
  // The end of what runs, as it is expected; now where that is over.
  Time end_of(ActivityId running) {
    return std::clamp(sim_.estimate().end_of(sim_, running), sim_.now(), std::max(sim_.now(), kFar));
  }

  void add_machines() {
    std::vector<std::uint32_t> kind, cluster;
    for (std::size_t h = 0; h < view_.hosts().size(); ++h) {
      const HostId host(h);
      if (!view_[host].up) continue;
      first_machine_[host] = static_cast<std::uint32_t>(out_.hosts.size());
      std::vector<Time> busy;
      for (const ActivityId id : sim_.running_on(host)) {
        const Time end = end_of(id);
        for (std::int32_t core = 0; core < sim_.activity(id)->cores; ++core) busy.push_back(end);
      }
      const std::int32_t cores = view_.platform()[host].exclusive ? 1 : view_.platform()[host].cores;
      const auto used = std::min<std::size_t>(busy.size(), static_cast<std::size_t>(cores));
      for (std::size_t core = 0; core < static_cast<std::size_t>(cores); ++core) {
        const std::size_t idle = static_cast<std::size_t>(cores) - used;
        out_.ready.push_back(core < idle ? sim_.now() : busy[core - idle]);
        out_.hosts.push_back(host);
        kind.push_back(static_cast<std::uint32_t>(up_.size()));
        cluster.push_back(view_[host].cluster.index);
      }
      up_.push_back(host);
    }
    out_.machines = out_.hosts.size();
    out_.kind = MachineGroups(std::move(kind));
    out_.cluster = MachineGroups(std::move(cluster));
  }

  // Each by its start on the first core of its host that is free by then, else on the one that is free first.
  void add_promised() {
    std::vector<std::pair<Time, WorkId>> by_start;
    for (const auto& [work, promise] : kept_)
      if (first_machine_.contains(promise.host)) by_start.emplace_back(promise.start, work);
    std::ranges::sort(by_start);
    std::vector<Time> end = out_.ready;
    for (const auto& [start, work] : by_start) {
      const Promise& promise = kept_.at(work);
      const std::uint32_t first = first_machine_.at(promise.host);
      std::uint32_t chosen = first;
      for (std::uint32_t m = first; m < out_.hosts.size() && out_.hosts[m] == promise.host; ++m) {
        if (end[m] <= promise.start) {
          chosen = m;
          break;
        }
        if (end[m] < end[chosen]) chosen = m;
      }
      const Time from = std::max({promise.start, end[chosen], sim_.now()});
      const Time to = from + (promise.finish - promise.start);
      end[chosen] = from == promise.start ? promise.finish : to;
      out_.occupied.push_back({chosen, from, end[chosen]});
    }
    std::ranges::stable_sort(out_.occupied, {},
                             [](const GraphOccupied& each) { return std::pair(each.machine, each.from); });
  }

  // A speed says all, for operations on hosts of steady speed that nobody shares.
  bool are_related() {
    if (!sim_.estimate().is_perfect()) return false;
    for (const WorkId work : out_.works)
      if (workload_[work].form != TimeForm::operations) return false;
    return std::ranges::all_of(up_, [&](HostId host) {
      const Host& declared = view_.platform()[host];
      const engine::Rate& rate = sim_.availability_of(host);
      return declared.setup == 0 && rate.profile.is_constant() && rate.profile.at(0) * rate.factor == 1;
    });
  }

  void add_times() {
    if (are_related()) {
      for (const WorkId work : out_.works) out_.amounts.push_back(workload_[work].amount);
      for (const HostId host : up_) out_.speeds.push_back(view_.platform()[host].speed);
      return;
    }
    will_take_matrix(out_.works.size(), up_.size(), "fewer tasks at a time need less");
    std::vector<double> times(out_.works.size() * up_.size());
    sim_.estimate().matrix(sim_, out_.works, up_, times);
    out_.set_times(std::move(times));
  }

  void add_network() {
    const std::size_t clusters = view_.platform().clusters().size();
    if (const auto& complete = view_.platform().complete(); complete) {
      out_.network = GraphNetwork(clusters, complete->bandwidth, complete->latency);
      return;
    }
    std::vector<double> bandwidth(clusters * clusters, kNever), latency(clusters * clusters);
    for (std::size_t from = 0; from < clusters; ++from)
      for (std::size_t to = 0; to < clusters; ++to) {
        if (from == to) continue;
        const std::uint32_t route = sim_.links().route_between(ClusterId(from), ClusterId(to));
        double& rate = bandwidth[from * clusters + to];
        latency[from * clusters + to] =
            route == model::kNone ? kFar : sim_.links().latency_of(route, sim_.now());
        for (const LinkId link : sim_.links().route(route))
          if (!view_.platform()[link].implied) rate = std::min(rate, sim_.bandwidth_of(link).at(sim_.now()));
        if (!(rate > 0)) {
          rate = kNever;
          latency[from * clusters + to] = kFar;
        }
      }
    out_.network = GraphNetwork(clusters, std::move(bandwidth), std::move(latency));
  }

  double size_of(FileId file) {
    const File& declared = workload_.files[file.index];
    return sim_.estimate().is_perfect() ? declared.size : declared.estimate;
  }

  void add_edges() {
    std::vector<GraphEdge> edges;
    const auto& precedence = workload_.precedence;
    for (std::uint32_t t = 0; precedence != nullptr && t < out_.works.size(); ++t) {
      const WorkId work = out_.works[t];
      for (const std::uint32_t before : precedence->predecessors(work.index)) {
        const auto from = place_.find(WorkId(before));
        if (from == place_.end()) continue;
        GraphEdge edge{.from = from->second, .to = t};
        for (const FileId file : workload_.inputs(work)) {
          if (sim_.maker_of(file) != WorkId(before)) continue;
          const double bytes = size_of(file);
          ++edge.files;
          edge.bytes += bytes;
          edge.largest = std::max(edge.largest, bytes);
        }
        edges.push_back(edge);
      }
    }
    std::ranges::sort(edges, {}, [](const GraphEdge& edge) { return std::pair(edge.from, edge.to); });
    out_.arcs = GraphArcs(out_.works.size(), edges);
  }

  // When and where a work ends that is not to be placed; none: nobody knows.
  std::optional<Promise> expected(WorkId work) {
    if (const auto kept = kept_.find(work); kept != kept_.end()) return kept->second;
    if (view_[work].running == 0) return std::nullopt;
    if (running_.empty())
      for (std::size_t h = 0; h < view_.hosts().size(); ++h)
        for (const ActivityId id : sim_.running_on(HostId(h)))
          running_.try_emplace(sim_.activity(id)->work, Promise{HostId(h), sim_.now(), end_of(id)});
    const auto found = running_.find(work);
    return found != running_.end() ? std::optional(found->second) : std::nullopt;
  }

  Time available(FileId file, ClusterId cluster) {
    if (sim_.in_store(file, cluster)) return sim_.now();
    const WorkId maker = sim_.maker_of(file);
    if (maker.valid() && view_[maker].state < WorkState::computed) {
      const std::optional<Promise> made = expected(maker);
      if (!made) return sim_.now();
      const ClusterId from = view_[made->host].cluster;
      return from == cluster ? made->finish
                             : out_.network.arrival(made->finish, size_of(file), from.index, cluster.index);
    }
    const Time alone = std::max(sim_.now(), sim_.estimate().end_of(sim_, file, cluster, sim_.now()));
    return sim_.in_transfer(file, cluster) ? under_way(file, cluster).value_or(alone) : alone;
  }

  // When the transfer of the file ends that has begun; none: it only waits.
  std::optional<Time> under_way(FileId file, ClusterId cluster) {
    if (looked_at_.insert(cluster).second)
      for (const ActivityId id : sim_.transfers_of(cluster))
        if (const auto activity = sim_.activity(id); activity->kind == ActivityKind::transfer_in)
          transfers_.try_emplace({activity->file, cluster}, end_of(id));
    const auto found = transfers_.find({file, cluster});
    return found != transfers_.end() ? std::optional(found->second) : std::nullopt;
  }

  // When data can be there that comes from outside: initial inputs, and outputs of tasks that are not to be placed.
  void add_release() {
    const std::size_t clusters = out_.clusters();  // up to the last one that has a machine
    std::vector<double> release;
    std::map<std::pair<FileId, std::uint32_t>, Time> known;
    for (std::size_t t = 0; t < out_.works.size(); ++t) {
      const WorkId work = out_.works[t];
      const auto row = [&] {
        if (release.empty()) release.assign(out_.works.size() * clusters, sim_.now());
        return std::span(release).subspan(t * clusters, clusters);
      };
      if (workload_.precedence != nullptr)
        for (const std::uint32_t before : workload_.precedence->predecessors(work.index)) {
          if (place_.contains(WorkId(before)) || view_[WorkId(before)].state >= WorkState::computed) continue;
          if (const std::optional<Promise> end = expected(WorkId(before)))
            for (double& each : row()) each = std::max(each, end->finish);
        }
      for (const FileId file : workload_.inputs(work)) {
        if (const WorkId maker = sim_.maker_of(file); maker.valid() && place_.contains(maker)) continue;
        if (view_.platform().complete() && sim_.at_home(file)) continue;
        for (std::uint32_t c = 0; c < clusters; ++c) {
          const auto [found, is_new] = known.try_emplace({file, c});
          if (is_new) found->second = available(file, ClusterId(c));
          if (found->second > sim_.now()) row()[c] = std::max(row()[c], std::min(found->second, kFar));
        }
      }
    }
    out_.release = std::move(release);
  }

  Sim& sim_;
  const View& view_;
  const Workload& workload_;
  GraphProblem out_;
  std::map<WorkId, std::uint32_t> place_;
  std::map<WorkId, Promise> kept_, running_;
  std::map<HostId, std::uint32_t> first_machine_;
  std::map<std::pair<FileId, ClusterId>, Time>
      transfers_;  // under way, to clusters that somebody has asked about
  std::set<ClusterId> looked_at_;
  std::vector<HostId> up_;
};

}  // namespace

bool is_left(const View& view, WorkId work) {
  const WorkView& each = view[work];
  return (each.state == WorkState::pending || each.state == WorkState::waiting) && each.running == 0 &&
         each.posted == 0;
}

std::vector<WorkId> left_works(const View& view) {
  std::vector<WorkId> works;
  for (std::size_t w = 0; w < view.works().size(); ++w)
    if (is_left(view, WorkId(w))) works.emplace_back(w);
  return works;
}

GraphProblem present_graph(Sim& sim, std::span<const WorkId> works,
                           std::span<const std::pair<WorkId, Promise>> kept) {
  return Present(sim, works, kept).make();
}

}  // namespace perigee::workflow
