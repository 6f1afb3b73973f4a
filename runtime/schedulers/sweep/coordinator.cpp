// Source: Sim-PETEK, 2010, chapter 3, see the header.
#include "runtime/schedulers/sweep/coordinator.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/engine/why.h"
#include "runtime/kernel/quantity.h"

namespace perigee::sweep {
namespace {

bool is_settled(WorkState state) {
  return state != WorkState::future && state != WorkState::waiting && state != WorkState::running;
}

}  // namespace

void Coordinator::begin(Sim& sim) {
  const View& view = sim.view();
  const std::size_t hosts = view.hosts().size();
  packages_.assign(hosts, {});
  present_.assign(hosts, 0);
  is_offered_.assign(hosts, 0);
  offered_.clear();
  freed_.clear();
  queue_.clear();
  work_ = {};
  under_way_ = 0;
  stalled_ = false;
  for (std::size_t w = view.works().first(); w < view.works().size(); ++w)
    if (view.works()[w].state != WorkState::future && !is_settled(view.works()[w].state))
      queue_.emplace_back(w);
  std::ranges::stable_sort(queue_, {}, [&](WorkId work) { return view.workload()[work].arrival; });
  for (std::size_t h = 0; h < hosts; ++h) {  // packages that another policy has left running
    offer(HostId(h));
    for (const ActivityId id : sim.running_on(HostId(h)))
      if (const auto running = sim.activity(id); running->kind == ActivityKind::compute) {
        packages_[h].push_back({id, running->piece, running->started, running->copy});
        ++under_way_;
      }
  }
  next_sweep(sim);
  if (work_.valid()) deal(sim);
}

void Coordinator::react(Sim& sim, std::span<const Event> events) {
  freed_.clear();
  stalled_ = false;
  for (const Event& event : events) {
    const HostId host = event.on.host();
    switch (event.kind) {
      case EventKind::arrived:
        queue_.push_back(event.work);
        break;
      case EventKind::ended:
      case EventKind::superseded:
      case EventKind::lost: {
        if (!host.valid()) break;
        offer(host);
        std::vector<Package>& packages = packages_[host.index];
        if (event.transfer) {
          const auto sent = std::ranges::find(packages, event.activity(), &Package::data);
          if (event.kind == EventKind::ended && sent != packages.end()) sent->arrived = event.at;
          break;
        }
        const auto place = std::ranges::find(packages, event.activity(), &Package::id);
        if (place == packages.end()) break;  // another policy's
        const Package package = *place;
        const auto next = packages.erase(place);
        if (next == packages.begin() && next != packages.end()) next->start = std::max(next->start, event.at);
        --under_way_;
        freed_.push_back(host);
        if (event.kind == EventKind::ended && event.work == work_) finished(sim, host, package, event.at);
        break;
      }
      case EventKind::up:
      case EventKind::down:
      case EventKind::changed:
        if (host.valid()) look_at(sim, host);
        break;
      case EventKind::stalled:
        stalled_ = true;
        for (std::size_t h = 0; h < packages_.size(); ++h) look_at(sim, HostId(h));
        break;
      default:
        break;
    }
  }
  next_sweep(sim);
  if (!work_.valid()) return;
  deal(sim);
  if (stalled_) rescue(sim);
}

void Coordinator::rescue(Sim& sim) {
  if (has_data(sim)) return;  // the data would have to be sent
  std::vector<HostId> hosts = idle(sim);
  std::vector<double> copied;  // first runs
  for (std::size_t h = 0; h < packages_.size() && !hosts.empty(); ++h) {
    if (packages_[h].empty() || sim.view().hosts()[h].up) continue;
    const Package package = packages_[h].front();
    const auto computation = sim.activity(package.id);
    if (package.piece.work != work_ || !computation || computation->posted) continue;
    if (std::ranges::find(copied, package.piece.first) != copied.end()) continue;
    copied.push_back(package.piece.first);
    copy(sim, package, hosts.front());
    hosts.erase(hosts.begin());
  }
}

void Coordinator::next_sweep(Sim& sim) {
  const View& view = sim.view();
  if (work_.valid() && !is_settled(view[work_].state)) return;
  work_ = {};
  const auto next = std::ranges::find_if(queue_, [&](WorkId work) { return !is_settled(view[work].state); });
  if (next != queue_.end()) work_ = *next;
  queue_.erase(queue_.begin(), next == queue_.end() ? next : next + 1);
  if (!work_.valid()) return;
  for (std::size_t h = 0; h < packages_.size(); ++h) {
    present_[h] = view.hosts()[h].up && able(view, HostId(h)) ? 1 : 0;
    offer(HostId(h));
  }
  open(sim);
}

// True if the declared time of a simulation there is finite.
bool Coordinator::able(const View& view, HostId host) const {
  return declared_time(view.workload(), {work_, 0, 1}, view.platform()[host], host, view[host].architecture) <
         kNever;
}

void Coordinator::look_at(Sim& sim, HostId host) {
  const View& view = sim.view();
  offer(host);
  if (!work_.valid()) return;
  const std::uint8_t now = view[host].up && able(view, host) ? 1 : 0;
  if (std::exchange(present_[host.index], now) == now) return;
  if (now != 0) {
    freed_.push_back(host);
    return host_came(sim, host);
  }
  take_back(sim, host);
  host_went(sim, host);
}

void Coordinator::offer(HostId host) {
  if (std::exchange(is_offered_[host.index], 1) == 0) offered_.push_back(host);
}

std::vector<HostId> Coordinator::idle(Sim& sim) {
  std::erase_if(offered_, [&](HostId host) {
    const bool stays = present(host) && packages_[host.index].empty() && sim.fits(work_, host);
    if (!stays) is_offered_[host.index] = 0;
    return !stays;
  });
  std::ranges::sort(offered_);
  return offered_;
}

std::vector<HostId> Coordinator::freed(Sim& sim) {
  std::vector<HostId> hosts;
  for (const HostId host : freed_)  // one may be there twice: it lost its package, and came back
    if (present(host) && package_on(host) == nullptr && sim.fits(work_, host) &&
        std::ranges::find(hosts, host) == hosts.end())
      hosts.push_back(host);
  return hosts;
}

bool Coordinator::has_data(const Sim& sim) const {
  const Workload& workload = sim.view().workload();
  return workload.extras[workload[work_].extra].bytes > 0;
}

void Coordinator::post(Sim& sim, HostId host, const Piece& piece) {
  Package package{.id = {}, .piece = piece, .start = sim.now()};
  Posting posting;
  posting.piece = piece;
  posting.host = host;
  if (has_data(sim)) {
    posting.kind = ActivityKind::chunk;
    posting.after = package.data = sim.post(posting);
  }
  posting.kind = ActivityKind::compute;
  package.id = sim.post(posting);
  packages_[host.index].push_back(package);
  ++under_way_;
}

double Coordinator::give(Sim& sim, HostId host, const Piece& piece) {
  if (!(piece.size > 0)) return 0;
  if (has_data(sim)) {
    post(sim, host, piece);
  } else {
    packages_[host.index].push_back({.id = sim.start(piece, host), .piece = piece, .start = sim.now()});
    ++under_way_;
  }
  return piece.size;
}

double Coordinator::send(Sim& sim, HostId host, double most) {
  const Piece piece = sim.next_piece(work_, most);
  if (piece.size > 0) post(sim, host, piece);
  return piece.size;
}

// Takes back packages that have not begun on a host that is away.
void Coordinator::take_back(Sim& sim, HostId host) {
  std::erase_if(packages_[host.index], [&](const Package& package) {
    const auto computation = sim.activity(package.id);
    if (!computation || !computation->posted) return false;
    sim.withdraw(package.id);
    if (const auto data = sim.activity(package.data)) {
      if (data->posted)
        sim.withdraw(package.data);
      else
        sim.cancel(package.data);
    }
    --under_way_;
    return true;
  });
}

void Coordinator::copy(Sim& sim, const Package& package, HostId host) {
  packages_[host.index].push_back({sim.copy(package.id, host), package.piece, sim.now(), true});
  ++under_way_;
}

void Coordinator::explain(const View& view, Waiting& lines) const {
  if (!work_.valid()) return;
  const Workload& workload = view.workload();
  lines.push_back(fmt::format("{}: {} of {} runs are done, {} package{} under way", workload.name_of(work_),
                              format_number(view[work_].done), format_number(workload.size_of(work_)),
                              under_way_, under_way_ == 1 ? "" : "s"));
  for (const WorkId work : queue_)
    lines.push_back(fmt::format("{} is dealt out after it", workload.name_of(work)));
}

void Coordinator::why(Sim& sim, WorkId work, Decision& out) {
  if (work == work_) return why_package(sim, out);
  const View& view = sim.view();
  out.rule = "sweeps are dealt out one after another, in order of arrival";
  out.works = {.score = "arrival, s", .better = Prefer::smallest, .ties = "order of input"};
  if (work_.valid())
    out.works.candidates.push_back({.index = work_.index, .score = view.workload()[work_].arrival});
  for (const WorkId each : queue_)
    out.works.candidates.push_back({.index = each.index, .score = view.workload()[each].arrival});
}

}  // namespace perigee::sweep
