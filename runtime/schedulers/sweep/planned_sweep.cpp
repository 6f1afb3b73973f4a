// Source: plans in order of sending, as in Bharadwaj, Ghose, Mani and Robertazzi, 1996, chapter 10; see the
// header.
#include "runtime/schedulers/sweep/planned_sweep.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/engine/why.h"
#include "runtime/schedulers/sweep/workers.h"

namespace perigee::sweep {

std::vector<HostId> PlannedSweep::hosts_here() const {
  std::vector<HostId> hosts;
  for (std::size_t h = 0; h < present().size(); ++h)
    if (present(HostId(h))) hosts.emplace_back(h);
  return hosts;
}

void PlannedSweep::deal(Sim& sim) {
  const double left = undealt(sim);
  if (left == 0) return;
  const std::vector<HostId> hosts = hosts_here();
  if (hosts.empty()) return;
  post_plan(sim, plan(sim, left, hosts, is_planned()));
}

void PlannedSweep::post_plan(Sim& sim, std::span<const Share> shares) {
  ++plans_;
  for (const Share& share : shares) {
    choice_ = share;
    for (double rest = share.runs; rest > 0;) {  // in several pieces where some runs are done already
      const double sent = send(sim, share.host, rest);
      if (sent == 0) return;
      rest -= sent;
    }
  }
}

void PlannedSweep::why_package(Sim& sim, Decision& out) {
  const View& view = sim.view();
  out.rule = rule();
  if (out.host.valid())
    out.rule += fmt::format(": {} runs for {}", choice_.runs, view.platform()[out.host].name);
  if (plans_ > 1) out.rule += "; this is what hosts that went away have left";
  out.hosts = {.score = "packages that it has", .better = Prefer::neither};
  for (const HostId host : hosts_here())
    out.hosts.candidates.push_back(
        {.index = host.index, .score = static_cast<double>(packages_on(host).size())});
}

std::vector<Share> whole_shares(std::span<const HostId> hosts, std::span<const std::uint32_t> to,
                                std::span<const double> chunks) {
  const std::vector<double> whole = largest_remainder(chunks);
  std::vector<Share> shares;
  for (std::size_t c = 0; c < whole.size(); ++c)
    if (whole[c] > 0) shares.push_back({hosts[to[c]], whole[c]});
  return shares;
}

std::vector<Share> in_one_installment(Sim& sim, WorkId sweep, double left, std::span<const HostId> hosts) {
  const Cut cut = single_installment(workers_of(sim, sweep, hosts));
  std::vector<double> chunks = cut.fraction;
  for (double& chunk : chunks) chunk *= left;
  return whole_shares(hosts, cut.worker, chunks);
}

Entry sweep_entry(std::string name) {
  Entry entry;
  entry.name = std::move(name);
  entry.family = Family::sweep;
  entry.role = Role::policy;
  entry.accepts = {.sweeps = true, .files = true, .several_cores = true};
  entry.instants = {.tolerance = 1e-9};
  return entry;
}

}  // namespace perigee::sweep
