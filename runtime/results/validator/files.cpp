// Files: their transfers, and the room of stores.

#include "runtime/results/validator/check.h"

namespace perigee::validation {

void Check::discarded(const Record& r) {
  if (!r.file.valid() || r.on.kind() != ResourceKind::store) return bad(r.time, "nothing is discarded");
  const std::string& name = workload_.files[r.file.index].name;
  std::uint8_t& there = stored_[r.on.at()][r.file.index];
  if (!there)
    bad(r.time, "file '{}' is discarded in cluster '{}', which has it not", name, platform_.name_of(r.on));
  if (!home_[r.file.index] && workload_.goes_home(r.file))
    bad(r.time, "the output '{}' is discarded before it is home", name);
  there = 0;
}

std::span<const FileId> Check::brings(const Act& act) const {
  if (act.kind == ActivityKind::transfer_in && act.file.valid()) return {&act.file, 1};
  if (act.kind == ActivityKind::compute && act.work.valid()) return outputs(act.work);
  return {};
}

// The bytes of a store grow when something begins that will put files there, and at no other time.
void Check::take_room(Act& act) {
  const std::span<const FileId> files = brings(act);
  if (files.empty() || act.broken) return;
  ClusterId in = act.cluster;
  if (act.kind == ActivityKind::compute) {
    if (!hosts_[act.host().index].place_known) return;
    in = hosts_[act.host().index].cluster;
  }
  act.room_in = in;
  for (const FileId file : files) ++coming_[in.index][file.index];
  if (!(platform_[in].store < model::kNeverShort)) return;
  double bytes = 0;
  for (std::size_t f = 0; f < workload_.files.size(); ++f)
    if (stored_[in.index][f] || coming_[in.index][f] > 0) bytes += workload_.files[f].size;
  if (bytes > platform_[in].store * (1 + kTolerance))
    bad(act.started, act, "with it the store of cluster '{}' has {} B of {} B", platform_[in].name,
        text(bytes), text(platform_[in].store));
}

void Check::give_room_back(Act& act) {
  if (!act.room_in.valid()) return;
  for (const FileId file : brings(act)) --coming_[act.room_in.index][file.index];
  act.room_in = {};
}

// The cluster that a transfer comes from; none: it comes from home, or goes there.
ClusterId Check::source_of(const Act& act) const {
  const bool known = act.kind == ActivityKind::transfer_in && act.first >= 1 &&
                     act.first <= static_cast<double>(platform_.clusters().size());
  return known ? ClusterId(static_cast<std::size_t>(act.first) - 1) : ClusterId{};
}

void Check::start_transfer(Act& act, HostId host) {
  // The links must form a route from the origin, or from another cluster, to a cluster's gateway.
  const ClusterId from = source_of(act);
  std::uint32_t node = from.valid() ? platform_[from].node : 0;
  LinkId last;
  bool connected = true;
  for (const ResourceId on : act.on) {
    if (on.kind() != ResourceKind::link) continue;
    last = on.link();
    const Link& link = platform_[last];
    if (link.from != node && link.to != node) connected = false;
    node = link.from == node ? link.to : link.from;
  }
  for (std::size_t c = 0; c < platform_.clusters().size(); ++c)
    if (platform_.clusters()[c].link == last) act.cluster = ClusterId(c);
  if (!connected || !act.cluster.valid() || platform_[act.cluster].node != node)
    bad(act.started, act, "its links are no way from {} to a cluster",
        from.valid() ? fmt::format("cluster '{}'", platform_[from].name) : "the origin");
  if (!act.cluster.valid()) {
    act.broken = true;
    return;
  }
  if (!clusters_up_[act.cluster.index])
    bad(act.started, act, "cluster '{}' is away", platform_[act.cluster].name);
  if (act.kind == ActivityKind::chunk) {
    if (hosts_[host.index].place_known && hosts_[host.index].cluster != act.cluster)
      bad(act.started, act, "host '{}' is not in cluster '{}'", platform_[host].name,
          platform_[act.cluster].name);
    return;
  }
  if (!act.file.valid()) {
    bad(act.started, act, "it has no file");
    act.broken = true;
    return;
  }
  const File& file = workload_.files[act.file.index];
  if (act.size != file.size)
    bad(act.started, act, "it moves {} B, the file has {} B", text(act.size), text(file.size));
  if (from.valid()) {
    if (!stored_[from.index][act.file.index] || !clusters_up_[from.index])
      bad(act.started, act, "cluster '{}' does not have the file", platform_[from].name);
  } else if (act.kind == ActivityKind::transfer_in && !home_[act.file.index]) {
    bad(act.started, act, "the origin does not have the file");
  }
  if (act.kind == ActivityKind::transfer_out && !stored_[act.cluster.index][act.file.index])
    bad(act.started, act, "the file is not in the store of cluster '{}'", platform_[act.cluster].name);
}

}  // namespace perigee::validation
