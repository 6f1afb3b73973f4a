#include "runtime/results/validator.h"

#include "runtime/results/validator/check.h"

namespace perigee::validation {

std::vector<std::string> Check::run() {
  if (!sound()) return finish();
  prepare();
  for (std::size_t i = 0; i < trace_.size();) {
    if (trace_[i].time > now_) settle_instant(trace_[i].time);
    now_ = trace_[i].time;
    i = step(i);
  }
  settle_instant(kNever);
  at_the_end();
  power_at_the_end();
  durations();
  platform_events();
  promises();
  return finish();
}

std::string Check::describe(const Act& act) const {
  std::string what(name_of(act.kind));
  if (act.kind == ActivityKind::transfer_in || act.kind == ActivityKind::transfer_out) {
    what += act.file.index < workload_.files.size()
                ? fmt::format(" of file '{}'", workload_.files[act.file.index].name)
                : fmt::format(" of file #{}", act.file.index);
  } else if (act.work.valid()) {
    what += " of " + work_name(act.work);
    if (act.work.index < workload_.size() && partial(act.work) && act.kind != ActivityKind::hold)
      what += fmt::format(" [{}, {})", text(act.first), text(act.first + act.size));
  }
  for (std::size_t r = 0; r < act.on.size(); ++r)
    what += (r == 0 ? " on " : ", ") + platform_.name_of(act.on[r]);
  return fmt::format("activity {} ({})", act.serial, what);
}

bool Check::sound() {
  bool fine = true;
  Time last = -kNever;
  for (std::size_t i = 0; i < trace_.size(); ++i) {
    const Record& r = trace_[i];
    const auto out_of_range = [&](std::string_view what) {
      bad(r.time, "record {} ({}) names {} that the scenario does not have", i + 1, name_of(r.kind), what);
      fine = false;
    };
    if (!std::isfinite(r.time)) {
      bad(r.time, "record {} ({}) is at no time", i + 1, name_of(r.kind));
      fine = false;
    } else if (r.time < last) {
      bad(r.time, "record {} ({}) goes back in time: the one before is at {}", i + 1, name_of(r.kind),
          text(last));
      fine = false;
    } else {
      last = r.time;
    }
    if (r.kind == RecordKind::note) continue;
    if (!std::isfinite(r.first) || !std::isfinite(r.size)) {
      bad(r.time, "record {} ({}) has a size that is no number", i + 1, name_of(r.kind));
      fine = false;
    }
    if (r.work.valid() && r.work.index >= workload_.size()) out_of_range("a work");
    if (tells_of_work(r.kind) && !r.work.valid()) out_of_range("no work, a work");
    if (r.file.valid() && r.file.index >= workload_.files.size()) out_of_range("a file");
    if (r.on.kind() == ResourceKind::host && r.on.at() >= platform_.hosts().size()) out_of_range("a host");
    if (r.on.kind() == ResourceKind::link && r.on.at() >= platform_.links().size()) out_of_range("a link");
    if (r.on.kind() == ResourceKind::store && r.on.at() >= platform_.clusters().size())
      out_of_range("a cluster");
    if (!r.on.valid() && r.kind >= RecordKind::posted && r.kind <= RecordKind::ignored)
      out_of_range("no resource, one");
  }
  if (trace_.size() > 0 && !(outcome_.end >= last))
    bad(last, "the run ended before, at {}", text(outcome_.end));
  return fine;
}

void Check::prepare() {
  const std::size_t hosts = platform_.hosts().size(), links = platform_.links().size();
  hosts_.resize(hosts);
  links_.resize(links);
  host_lines_.resize(hosts);
  link_lines_.resize(links);
  host_changes_.resize(hosts);
  link_changes_.resize(links);
  joins_.resize(hosts);
  arrivals_.resize(platform_.clusters().size());
  clusters_up_.assign(platform_.clusters().size(), 1);
  tracks_.resize(workload_.size());
  prepare_files();
  for (const Happening& happening : scenario_.happenings) in_order_.push_back(&happening);
  sort_happenings();
  find_who_comes_later();
  for (const Happening& happening : outcome_.injected) in_order_.push_back(&happening);
  sort_happenings();
  list_changes();
  for (std::size_t h = 0; h < hosts; ++h) {
    const Host& host = platform_.hosts()[h];
    hosts_[h].cluster = host.cluster;
    hosts_[h].architecture = host.architecture;
    host_lines_[h].push_back({-kNever, hosts_[h].up(), true, 1, &host.availability, 0});
  }
  for (std::size_t l = 0; l < links; ++l)
    link_lines_[l].push_back({-kNever, links_[l].up(), true, 1, &platform_.links()[l].bandwidth, 0,
                              &platform_.links()[l].latency, 0});
}

void Check::prepare_files() {
  const std::size_t files = workload_.files.size();
  stored_.assign(platform_.clusters().size(), std::vector<std::uint8_t>(files, 0));
  if (platform_.has_store_limit()) coming_.assign(platform_.clusters().size(), std::vector<int>(files, 0));
  home_.assign(files, 1);
  makers_.resize(files);
  for (std::size_t w = 0; w < workload_.size(); ++w)
    for (const FileId file : outputs(WorkId(w))) {
      home_[file.index] = 0;
      makers_[file.index] = WorkId(w);
    }
}

void Check::sort_happenings() {
  std::ranges::stable_sort(in_order_, {}, [](const Happening* each) { return each->at; });
}

// Hosts and clusters whose first join comes before any leave were not there at the start.
void Check::find_who_comes_later() {
  std::vector<std::uint8_t> host_seen(hosts_.size()), cluster_seen(clusters_up_.size());
  for (const Happening* h : in_order_) {
    const ResourceId on = h->on;
    const bool join = h->kind == HappeningKind::join;
    if (!join && h->kind != HappeningKind::leave) continue;
    if (on.kind() == ResourceKind::host) {
      if (!host_seen[on.at()] && join) hosts_[on.at()].present = false;
      host_seen[on.at()] = 1;
    } else if (on.kind() == ResourceKind::store) {
      const Cluster& cluster = platform_[on.store()];
      if (!cluster_seen[on.at()] && join) {
        clusters_up_[on.at()] = 0;
        links_[cluster.link.index].present = false;
        for (const HostId host : cluster.hosts) hosts_[host.index].present = false;
      }
      cluster_seen[on.at()] = 1;
      if (!join)
        for (const HostId host : cluster.hosts) host_seen[host.index] = 1;
    }
  }
}

void Check::list_changes() {
  for (const Happening* h : in_order_) {
    const ResourceId on = h->on;
    if (h->kind == HappeningKind::change &&
        (on.kind() == ResourceKind::host || on.kind() == ResourceKind::link))
      changes(on).push_back({h});
    if (h->kind == HappeningKind::join && on.kind() == ResourceKind::host) joins_[on.at()].push_back({h});
    if (h->kind == HappeningKind::join && on.kind() == ResourceKind::store) arrivals_[on.at()].push_back({h});
  }
}

std::size_t Check::step(std::size_t i) {
  const Record& r = trace_[i];
  switch (r.kind) {
    case RecordKind::arrived:
    case RecordKind::accepted:
    case RecordKind::rejected:
    case RecordKind::finished:
    case RecordKind::missed:
    case RecordKind::expired:
    case RecordKind::killed:
    case RecordKind::requeued:
    case RecordKind::stranded:
    case RecordKind::recovered:
      of_work(r);
      return i + 1;
    case RecordKind::up:
    case RecordKind::down:
    case RecordKind::joined:
    case RecordKind::left:
      of_resource(r);
      return i + 1;
    case RecordKind::discarded:
      discarded(r);
      return i + 1;
    case RecordKind::changed:
      changed(r, true);
      return i + 1;
    case RecordKind::ignored:
      if (r.why == Reason::change) changed(r, false);
      return i + 1;
    case RecordKind::powered:
      powered(r);
      return i + 1;
    case RecordKind::saved:
      saved(r);
      return i + 1;
    case RecordKind::dumping:
      asked_to_dump(r);
      return i + 1;
    case RecordKind::mark:
    case RecordKind::note:
      return i + 1;
    default:
      break;
  }
  std::size_t end = i + 1;  // one record per resource
  while (end < trace_.size() && trace_[end].activity == r.activity && trace_[end].kind == r.kind &&
         trace_[end].time == r.time)
    ++end;
  of_activity(i, end);
  return end;
}

void Check::settle_instant(Time next) {
  if (next <= now_) return;
  for (const auto& [a, why] : must_go_)
    if (acts_[a].life == Life::running) bad(now_, acts_[a], "goes on although {}", why);
  must_go_.clear();
  for (const auto& [work, at] : to_finish_) {
    const Track& track = tracks_[work.index];
    if (track.covered && track.settled == RecordKind::arrived && all_home(work))
      bad(at, "{} is complete, but not reported as finished", work_name(work));
  }
  to_finish_.clear();
}

}  // namespace perigee::validation

namespace perigee::results {

std::vector<std::string> validate(const Outcome& outcome) {
  if (outcome.trace.level() != TraceLevel::full)
    fail("not_validatable", "only a full trace can be validated, this one has level '{}'",
         outcome.trace.level() == TraceLevel::work ? "work" : "none");
  return validation::Check(outcome).run();
}

}  // namespace perigee::results
