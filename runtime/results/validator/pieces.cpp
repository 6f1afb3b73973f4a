// Computations: their pieces, shapes and data.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "runtime/results/validator/check.h"

namespace perigee::validation {

void Check::check_piece(const Act& act) {
  const double whole = workload_.size_of(act.work);
  if (!(act.size > 0) || !(act.first >= 0) || !(act.first + act.size <= whole * (1 + kTolerance)))
    bad(act.started, act, "its piece [{}, {}) is not inside [0, {})", text(act.first),
        text(act.first + act.size), text(whole));
  else if (!partial(act.work) && (act.first != 0 || act.size != 1))
    bad(act.started, act, "its work has no parts, but its piece is [{}, {})", text(act.first),
        text(act.first + act.size));
  else if (workload_[act.work].kind == WorkKind::sweep &&
           (std::floor(act.first) != act.first || std::floor(act.size) != act.size))
    bad(act.started, act, "a package is a whole number of runs");
}

bool Check::overlap(const Act& a, const Act& b) {
  const double margin = kTolerance * std::min(a.size, b.size);
  return a.first < b.first + b.size - margin && b.first < a.first + a.size - margin;
}

void Check::start_compute(std::size_t a, HostId host) {
  const Act& act = acts_[a];
  const Work& work = workload_[act.work];
  Track& track = tracks_[act.work.index];
  if (work.kind == WorkKind::reservation) {
    bad(act.started, act, "reservations hold hosts, they do not compute");
    return;
  }
  check_piece(act);
  if (act.over_hosts())
    check_shape(act);
  else if (work.kind == WorkKind::job && act.cores != work.cores)
    bad(act.started, act, "it has {} cores, the job asks for {}", act.cores, work.cores);
  // A piece may run twice at a time only as a copy. A finished piece may not run again.
  bool original = false;
  for (const std::size_t other : track.running) {
    const Act& running = acts_[other];
    if (!overlap(act, running)) continue;
    if (!act.copy)
      bad(act.started, act, "activity {} computes the same piece", running.serial);
    else if (running.first != act.first || running.size != act.size)
      bad(act.started, act, "it is a copy, but activity {} computes only part of its piece", running.serial);
    else
      original = true;
  }
  if (act.copy && !original) bad(act.started, act, "it is a copy of nothing that runs");
  if (const Span* done = finished_piece(track, act.first, act.first + act.size))
    bad(act.started, act, "[{}, {}) of it is finished already", text(done->first), text(done->end));
  track.running.push_back(a);

  const HostNow& now = hosts_[host.index];
  if (now.place_known)
    for (const FileId file : inputs(act.work))
      if (!stored_[now.cluster.index][file.index] || !clusters_up_[now.cluster.index])
        bad(act.started, act, "its input '{}' is not in the store of cluster '{}'",
            workload_.files[file.index].name, platform_[now.cluster].name);
  if (partial(act.work)) check_chunks(act, host);
  if (workload_.precedence == nullptr) return;
  for (const std::uint32_t before : workload_.precedence->predecessors(act.work.index))
    if (!tracks_[before].covered)
      bad(act.started, act, "{}, which comes before it, is not computed", work_name(WorkId(before)));
}

void Check::check_shape(const Act& act) {
  const Shape& shape = *workload_.shape_of(act.work);
  const std::int32_t wanted = workload_[act.work].cores;
  const auto wrong = [&](std::string_view what) { bad(act.started, act, "{}", what); };
  std::int64_t cores = 0;
  for (std::size_t i = 0; i < act.on.size(); ++i) {
    const HostId host = act.on[i].host(), first = act.on.front().host();
    const std::string& name = platform_[host].name;
    cores += act.cores_of[i];
    for (std::size_t other = 0; other < i; ++other)
      if (act.on[other] == act.on[i]) wrong(fmt::format("it has host '{}' twice", name));
    if (shape.only != nullptr && (*shape.only)[host.index] == 0)
      wrong(fmt::format("host '{}' is not among those it may use", name));
    if (shape.nodes > 0 && act.cores_of[i] != wanted)
      wrong(fmt::format("it has {} cores of host '{}', the job asks for {}", act.cores_of[i], name, wanted));
    if (shape.nodes == 0 && act.cores_of[i] > shape.per_node)
      wrong(fmt::format("it has {} cores of host '{}', at most {} of each", act.cores_of[i], name,
                        shape.per_node));
    const bool known = hosts_[host.index].place_known && hosts_[first.index].place_known;
    if (shape.same == Together::cluster && known && hosts_[host.index].cluster != hosts_[first.index].cluster)
      wrong(fmt::format("hosts '{}' and '{}' are in different clusters", platform_[first].name, name));
    if (shape.same == Together::network_switch && platform_.switch_of(host) != platform_.switch_of(first))
      wrong(fmt::format("hosts '{}' and '{}' are at different switches", platform_[first].name, name));
  }
  if (shape.sizes != nullptr) {
    if (!place_of_size(act))
      wrong(fmt::format("it has {} {}, which is none of its sizes",
                        shape.nodes > 0 ? std::ssize(act.on) : cores, shape.nodes > 0 ? "hosts" : "cores"));
    return;
  }
  if (shape.nodes > 0 && act.on.size() != static_cast<std::size_t>(shape.nodes))
    wrong(fmt::format("it has {} hosts, the job asks for {}", act.on.size(), shape.nodes));
  if (shape.nodes == 0 && cores != wanted)
    wrong(fmt::format("it has {} cores, the job asks for {}", cores, wanted));
}

// Which of its sizes a moldable job has; none if it has another one, or only one.
std::optional<std::size_t> Check::place_of_size(const Act& act) const {
  const Shape& shape = *workload_.shape_of(act.work);
  if (shape.sizes == nullptr) return std::nullopt;
  std::int64_t size = std::ssize(act.on);
  if (shape.nodes == 0) size = std::accumulate(act.cores_of.begin(), act.cores_of.end(), std::int64_t{0});
  const std::vector<std::int32_t>& allowed = shape.sizes->allowed;
  for (std::size_t i = 0; i < allowed.size(); ++i)
    if (allowed[i] == size) return i;
  return std::nullopt;
}

void Check::check_chunks(const Act& act, HostId host) {
  if (!(workload_.extras[workload_[act.work].extra].bytes > 0)) return;
  std::vector<Span> sent;
  for (const std::size_t c : tracks_[act.work.index].chunks) {
    const Act& chunk = acts_[c];
    if (chunk.host() == host && chunk.life == Life::over && chunk.how == RecordKind::ended)
      sent.push_back({chunk.first, chunk.first + chunk.size});
  }
  std::sort(sent.begin(), sent.end(), [](const Span& x, const Span& y) { return x.first < y.first; });
  const double margin = kTolerance * act.size;
  double reached = act.first;
  for (const Span& span : sent)
    if (span.first <= reached + margin) reached = std::max(reached, span.end);
  if (reached < act.first + act.size - margin)
    bad(act.started, act, "its data from {} on has not been sent to '{}'", text(reached),
        platform_[host].name);
}

const Span* Check::finished_piece(const Track& track, double first, double end) const {
  const double margin = kTolerance * (end - first);
  auto span = std::upper_bound(track.pieces.begin(), track.pieces.end(), first + margin,
                               [](double x, const Span& s) { return x < s.end; });
  return span != track.pieces.end() && span->first < end - margin ? &*span : nullptr;
}

}  // namespace perigee::validation
