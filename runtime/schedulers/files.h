// Steps of policies that send files themselves.
#pragma once

#include "runtime/engine/sim.h"

namespace perigee::schedulers {

// Posts the transfer of the file to the cluster, unless it is there or on its way; then there is no activity.
inline ActivityId send_file(Sim& sim, FileId file, ClusterId cluster, double rank = 0) {
  if (sim.in_store(file, cluster) || sim.in_transfer(file, cluster)) return {};
  Posting transfer;
  transfer.kind = ActivityKind::transfer_in;
  transfer.file = file;
  transfer.cluster = cluster;
  transfer.rank = rank;
  return sim.post(transfer);
}

inline void send_inputs(Sim& sim, WorkId work, ClusterId cluster, double rank = 0) {
  for (const FileId file : sim.view().workload().inputs(work)) send_file(sim, file, cluster, rank);
}

// Posts the whole work.
inline ActivityId post_whole(Sim& sim, WorkId work, HostId host, double rank = 0) {
  Posting compute;
  compute.kind = ActivityKind::compute;
  compute.piece = {work, 0, 1};
  compute.host = host;
  compute.rank = rank;
  return sim.post(compute);
}

// The same, and sends the files that the host's cluster lacks.
inline ActivityId post_with_inputs(Sim& sim, WorkId work, HostId host, double rank = 0) {
  send_inputs(sim, work, sim.view()[host].cluster, rank);
  return post_whole(sim, work, host, rank);
}

// Withdraws whatever is posted on hosts, as a policy that takes over may.
inline void withdraw_from_hosts(Sim& sim) {
  for (std::size_t h = 0; h < sim.view().hosts().size(); ++h)
    for (const ActivityId id : sim.queued_on(ResourceId::of(HostId(h)))) sim.withdraw(id);
}

// The host is up, and has more idle cores than works in its queue.
inline bool has_room(const View& view, HostId host) {
  return view[host].up && view[host].idle > static_cast<std::int32_t>(view[host].queued);
}

inline bool is_going_home(const Sim& sim, FileId file) {
  for (std::size_t c = 0; c < sim.view().platform().clusters().size(); ++c)
    if (sim.in_transfer_home(file, ClusterId(c))) return true;
  return false;
}

// Sends the outputs of a computed work home from the cluster, those that have to come home.
inline void fetch_outputs(Sim& sim, WorkId work, ClusterId cluster) {
  for (const FileId file : sim.view().workload().outputs(work)) {
    if (sim.at_home(file) || !sim.comes_home(file) || is_going_home(sim, file)) continue;
    Posting transfer;
    transfer.kind = ActivityKind::transfer_out;
    transfer.file = file;
    transfer.cluster = cluster;
    sim.post(transfer);
  }
}

// The same from the first cluster that has some of them, and has not left as far as is known.
inline void fetch_outputs(Sim& sim, WorkId work) {
  const View& view = sim.view();
  if (view[work].state != WorkState::computed) return;
  for (std::size_t c = 0; c < view.platform().clusters().size(); ++c)
    for (const FileId file : view.workload().outputs(work))
      if (view.links()[view.platform()[ClusterId(c)].link.index].up && sim.in_store(file, ClusterId(c)) &&
          sim.comes_home(file) && !sim.at_home(file))
        return fetch_outputs(sim, work, ClusterId(c));
}

// The same of all works, which another policy may have left so. Whether the outputs of each are home or on their way.
inline bool fetch_all_outputs(Sim& sim) {
  const View& view = sim.view();
  bool all = true;
  for (std::size_t w = view.works().first(); w < view.works().size(); ++w) {
    const WorkId work(w);
    if (view[work].state != WorkState::computed) continue;
    fetch_outputs(sim, work);
    for (const FileId file : view.workload().outputs(work))
      all = all && (!sim.comes_home(file) || sim.at_home(file) || is_going_home(sim, file));
  }
  return all;
}

}  // namespace perigee::schedulers
