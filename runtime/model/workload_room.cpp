// Whether a platform has room for a work: its hosts, cores, consumables and stores.
#include "runtime/model/workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "runtime/kernel/quantity.h"

namespace perigee::model {
namespace {

// How much a set of hosts has for a job: hosts, or cores.
struct Room {
  std::int64_t hosts = 0, cores = 0;
};

// ", 4 gpu and 2 GB of memory for each core": what a share takes besides cores.
std::string text_of(const Demand& demand, const Platform& platform) {
  std::string text;
  for (const Demand::OfHost& item : demand.of_hosts) {
    const std::string& what = platform.consumables()[item.what];
    const auto amount = [&](double count) {
      return fmt::format("{}{} {}", amount_text(what, count), what == kMemory ? " of" : "", what);
    };
    if (item.each > 0) text += fmt::format(", {}", amount(item.each));
    if (item.per_core > 0) text += fmt::format(", {} for each core", amount(item.per_core));
  }
  return text;
}

// The most that a set of hosts could ever give a job.
struct MostRoom : Room {
  std::int64_t allowed = 0, able = 0;  // hosts that it may use; and those of them that can run it
  std::int64_t short_of_stock = 0;     // hosts that have too little of what it takes besides
};

// Architectures in which a host may come back, as far as the times of the work tell them apart.
std::int32_t architectures_for(const Platform& platform, const Work& work) {
  std::int32_t count = 1;
  if (work.form == TimeForm::by_architecture)
    for (const Host& host : platform.hosts()) count = std::max(count, host.architecture + 1);
  return count;
}

bool can_run(const Workload& workload, const Platform& platform, WorkId work, HostId host,
             std::int32_t architectures) {
  for (std::int32_t a = 0; a < architectures; ++a)
    if (declared_time(workload, {work, 0, 1}, platform[host], host, a) < kNever) return true;
  return false;
}

MostRoom most_room(const Workload& workload, const Platform& platform, WorkId work, const Shape& shape) {
  const Work& declared = workload[work];
  const std::int32_t architectures = architectures_for(platform, declared);
  std::map<std::uint32_t, Room> by_group;
  MostRoom most;
  for (std::size_t h = 0; h < platform.hosts().size(); ++h) {
    const HostId host(h);
    if (!shape.allows(host)) continue;
    ++most.allowed;
    if (!can_run(workload, platform, work, host, architectures)) continue;
    ++most.able;
    const std::int32_t cores = platform[host].cores;
    std::int32_t share =
        shape.nodes > 0 ? declared.cores : std::min(cores, shape.per_node);  // the most of it
    if (cores < share) continue;
    if (shape.demand != nullptr) {
      const std::int32_t within = shape.demand->cores_within(platform.supplies(host), share);
      if (within < share) ++most.short_of_stock;
      if (shape.nodes > 0 && within < share) continue;
      share = within;
    }
    Room& room = by_group[shape.same == Together::cluster          ? platform[host].cluster.index
                          : shape.same == Together::network_switch ? platform.switch_of(host)
                                                                   : 0];
    ++room.hosts;
    room.cores += share;
  }
  for (const auto& [group, room] : by_group) {
    most.hosts = std::max(most.hosts, room.hosts);
    most.cores = std::max(most.cores, room.cores);
  }
  return most;
}

// Whether the first hosts have enough room for a job that any hosts will do for. Most jobs are like that.
bool have_first_hosts_room(const Platform& platform, const Work& work, const Shape& shape) {
  if (shape.only != nullptr || shape.demand != nullptr || shape.same != Together::anywhere ||
      work.form == TimeForm::by_host || work.form == TimeForm::by_architecture)
    return false;
  std::int64_t left = shape.nodes > 0 ? shape.nodes : work.cores;
  for (const Host& host : platform.hosts()) {
    if (shape.nodes > 0)
      left -= host.cores >= work.cores ? 1 : 0;
    else
      left -= std::min(host.cores, shape.per_node);
    if (left <= 0) return true;
  }
  return false;
}

}  // namespace

std::string why_in_no_store(const Workload& workload, const Platform& platform, WorkId work) {
  const Work& declared = workload[work];
  const bool has_files = declared.input_count > 0 || declared.output_count > 0;
  if (!platform.has_store_limit() || !has_files) return {};
  std::vector<FileId> files;
  for (const auto of_work : {workload.inputs(work), workload.outputs(work)})
    files.insert(files.end(), of_work.begin(), of_work.end());
  std::ranges::sort(files);
  files.erase(std::ranges::unique(files).begin(), files.end());
  double bytes = 0;
  for (const FileId file : files) bytes += std::ceil(workload.files[file.index].size);
  const Shape* shape = workload.shape_of(work);
  const std::int32_t architectures = architectures_for(platform, declared);
  double most = -1;  // of the hosts that can run it
  for (std::size_t h = 0; h < platform.hosts().size(); ++h) {
    const Host& host = platform.hosts()[h];
    if (shape != nullptr ? !shape->allows(HostId(h)) : host.cores < declared.cores) continue;
    if (!can_run(workload, platform, work, HostId(h), architectures)) continue;
    most = std::max(most, platform[host.cluster].store);
    if (bytes <= most) return {};
  }
  if (most < 0) return {};  // which is not for want of room
  return fmt::format("its files have {}, the largest store of a host that can run it has room for {}",
                     format_quantity(bytes, Dimension::bytes), format_quantity(most, Dimension::bytes));
}

std::string why_never(const Workload& workload, const Platform& platform, WorkId work) {
  static const Shape kOneHost;
  const Work& declared = workload[work];
  const Shape* given = workload.shape_of(work);
  const Shape& shape = given != nullptr ? *given : kOneHost;
  if (std::string in_none = why_in_no_store(workload, platform, work); !in_none.empty()) return in_none;
  if (shape.demand != nullptr)
    for (const Demand::OfAll& item : shape.demand->licences)
      if (const Licence& licence = platform.licences()[item.what]; item.count > licence.count)
        return fmt::format("it takes {} of licence '{}', there {} {}", format_number(item.count),
                           licence.name, licence.count == 1 ? "is" : "are", format_number(licence.count));
  if (shape.reservation.valid())
    if (const std::int32_t hosts = workload.extras[workload[shape.reservation].extra].hosts;
        hosts < shape.nodes)
      return fmt::format("it takes {} hosts, {} has {}", shape.nodes, workload.name_of(shape.reservation),
                         hosts);
  if (have_first_hosts_room(platform, declared, shape)) return {};
  const MostRoom most = most_room(workload, platform, work, shape);
  if (most.allowed == 0) return "it may use none of the hosts";
  if (most.able == 0) return "none of the hosts that it may use can run it";
  const std::string_view at_least = shape.sizes != nullptr ? "at least " : "";
  const std::string where = shape.same == Together::cluster          ? " of one cluster"
                            : shape.same == Together::network_switch ? " of one switch"
                                                                     : "";
  const std::string stock = most.short_of_stock > 0 ? text_of(*shape.demand, platform) : "";
  if (shape.nodes > 0 && most.hosts < shape.nodes)
    return fmt::format("it takes {}{} host{}{} with {} core{}{}, there {} {}", at_least, shape.nodes,
                       shape.nodes == 1 ? "" : "s", where, declared.cores, declared.cores == 1 ? "" : "s",
                       stock, most.hosts == 1 ? "is" : "are", most.hosts);
  if (shape.nodes == 0 && most.cores < declared.cores)
    return fmt::format(
        "it takes {}{} cores{}{}{}, there are {}", at_least, declared.cores, where, stock,
        shape.per_node < Shape::kMost ? fmt::format(", at most {} of a host", shape.per_node) : "",
        most.cores);
  return {};
}

std::span<const std::int32_t> possible_sizes(const Workload& workload, const Platform& platform,
                                             WorkId work) {
  const Sizes* sizes = workload.sizes_of(work);
  if (sizes == nullptr) return {};
  const Shape& shape = *workload.shape_of(work);
  const MostRoom room = most_room(workload, platform, work, shape);
  std::int64_t most = shape.nodes > 0 ? room.hosts : room.cores;
  if (shape.reservation.valid() && shape.nodes > 0)
    most = std::min<std::int64_t>(most, workload.extras[workload[shape.reservation].extra].hosts);
  if (const Queue* queue = workload.queue_of(work); queue != nullptr) {
    const std::int64_t cores = std::min(queue->max_cores, queue->max_cores_user);
    most = std::min(most, shape.nodes > 0 ? std::min(queue->max_nodes, cores / workload[work].cores) : cores);
  }
  const auto end = std::ranges::upper_bound(sizes->allowed, most);
  return std::span(sizes->allowed).first(static_cast<std::size_t>(end - sizes->allowed.begin()));
}

}  // namespace perigee::model
