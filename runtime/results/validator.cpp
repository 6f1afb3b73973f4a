#include "runtime/results/validator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_map>

#include "runtime/kernel/quantity.h"

namespace perigee {
namespace {

constexpr double kTolerance = 1e-9;  // of values and, times two for both ends, of times
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMostLines = 100;
constexpr std::size_t kMostSegments =
    2'000'000;  // of a profile during one activity; beyond, it is not checked

std::string text(double value) { return format_number(value); }

// State of a resource from a time on.
struct Step {
  Time at = 0;
  bool up = true;
  bool rate_known = true;
  double factor = 1;
  const Profile* profile = nullptr;
  Time anchor = 0;
  const Profile* latency = nullptr;  // of a link
  Time latency_anchor = 0;
};
using Timeline = std::vector<Step>;  // ascending; of equal times the last counts

// Index of the step in force at t.
std::size_t step_at(const Timeline& timeline, Time t) {
  const auto after = std::upper_bound(timeline.begin(), timeline.end(), t,
                                      [](Time x, const Step& step) { return x < step.at; });
  return after == timeline.begin() ? 0 : static_cast<std::size_t>(after - timeline.begin()) - 1;
}
Time end_of_step(const Timeline& timeline, std::size_t i) {
  return i + 1 < timeline.size() ? timeline[i + 1].at : kNever;
}

struct Count {
  Time at;
  int count;
};

struct Span {
  double first, end;
};

enum class Life : std::uint8_t { posted, withdrawn, running, over };

struct Act {
  std::uint32_t serial = 0;
  ActivityKind kind = ActivityKind::none;
  Life life = Life::posted;
  RecordKind how = RecordKind::started;  // it ended
  bool copy = false;
  bool interrupted = false;  // an outage stops it now
  bool checkable = true;     // its place and rates are known
  bool broken = false;       // it makes no sense at all, which has been said
  WorkId work;
  FileId file;
  ClusterId cluster;  // transfers
  double first = 0, size = 0;
  std::int32_t cores = 0;
  std::int32_t architecture = 0;  // of the host when it started
  Time started = kNaN, ended = kNaN;
  std::vector<ResourceId> on;

  bool moves() const {
    return kind == ActivityKind::transfer_in || kind == ActivityKind::transfer_out ||
           kind == ActivityKind::chunk;
  }
  HostId host() const {
    for (const ResourceId r : on)
      if (r.kind() == ResourceKind::host) return r.host();
    return {};
  }
};

struct Track {  // of a work
  bool arrived = false, accepted = false, missed = false, covered = false;
  RecordKind settled = RecordKind::arrived;  // arrived = not
  Time finished = kNaN, covered_at = kNaN;
  double done = 0;
  std::vector<Span> pieces;          // finished, ascending
  std::vector<std::size_t> running;  // computations
  std::vector<std::size_t> chunks;   // started
};

struct HostNow {
  bool present = true, down = false;
  bool silent = false;  // somebody may not know that it is down
  bool place_known = true;
  ClusterId cluster;
  std::int32_t architecture = 0;
  std::size_t held_by = SIZE_MAX;
  std::vector<std::size_t> acts;  // without holds
  bool up() const { return present && !down; }
};

struct LinkNow {
  bool up = true, silent = false;
  std::vector<std::size_t> acts;  // transfers
  std::size_t reserved_by = SIZE_MAX;
  Time reserved_until = 0;
};

class Check {
 public:
  explicit Check(const Outcome& outcome)
      : outcome_(outcome),
        scenario_(*outcome.scenario),
        platform_(*scenario_.platform),
        workload_(*scenario_.workload),
        trace_(outcome.trace) {}

  std::vector<std::string> run() {
    if (!sound()) return finish();
    prepare();
    for (std::size_t i = 0; i < trace_.size();) {
      if (trace_[i].time > now_) settle_instant(trace_[i].time);
      now_ = trace_[i].time;
      i = step(i);
    }
    settle_instant(kNever);
    at_the_end();
    durations();
    platform_events();
    promises();
    return finish();
  }

 private:
  // What happens within the tolerance of an instant is recorded at the instant.
  double slack(Time t) const {
    return 2 * std::max(kTolerance, outcome_.tolerance) * std::max(1.0, std::abs(t));
  }
  bool near(Time a, Time b) const {
    if (!std::isfinite(a) || !std::isfinite(b)) return a == b;
    return std::abs(a - b) <= slack(std::max(std::abs(a), std::abs(b)));
  }

  // ---- messages ----
  template <class... Args>
  void bad(Time t, fmt::format_string<Args...> format, Args&&... args) {
    if (lines_.size() < kMostLines)
      lines_.push_back(fmt::format("t = {}: ", text(t)) + fmt::format(format, std::forward<Args>(args)...));
    else
      ++more_;
  }
  template <class... Args>
  void bad(Time t, const Act& act, fmt::format_string<Args...> format, Args&&... args) {
    bad(t, "{}: {}", describe(act), fmt::format(format, std::forward<Args>(args)...));
  }
  std::vector<std::string> finish() {
    if (more_ > 0) lines_.push_back(fmt::format("... and {} more", more_));
    return std::move(lines_);
  }
  std::string work_name(WorkId work) const {
    return work.index < workload_.size() ? workload_.name_of(work) : fmt::format("work #{}", work.index);
  }
  std::string describe(const Act& act) const {
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
  bool partial(WorkId work) const {
    const WorkKind kind = workload_[work].kind;
    return kind == WorkKind::sweep || kind == WorkKind::load;
  }

  // ---- before anything else: records that can be read at all ----
  bool sound() {
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
      if (r.kind <= RecordKind::stranded && !r.work.valid()) out_of_range("no work, a work");
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

  // ---- the scenario's events, by resource ----
  struct Listed {  // a happening as it concerns one resource
    const Happening* happening;
    bool used = false;
  };
  Timeline& timeline(ResourceId r) {
    return r.kind() == ResourceKind::host ? host_lines_[r.at()] : link_lines_[r.at()];
  }
  std::vector<Listed>& changes(ResourceId r) {
    return r.kind() == ResourceKind::host ? host_changes_[r.at()] : link_changes_[r.at()];
  }

  void prepare() {
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
    const std::size_t files = workload_.files.size();
    stored_.assign(platform_.clusters().size(), std::vector<std::uint8_t>(files, 0));
    home_.assign(files, 1);
    makers_.resize(files);
    for (std::size_t w = 0; w < workload_.size(); ++w)
      for (const FileId file : outputs(WorkId(w))) {
        home_[file.index] = 0;
        makers_[file.index] = WorkId(w);
      }

    const auto sort_happenings = [this] {
      std::stable_sort(in_order_.begin(), in_order_.end(),
                       [](const Happening* a, const Happening* b) { return a->at < b->at; });
    };
    for (const Happening& happening : scenario_.happenings) in_order_.push_back(&happening);
    sort_happenings();
    // What joins before it ever leaves was not there at the start.
    std::vector<std::uint8_t> host_seen(hosts), cluster_seen(clusters_up_.size());
    for (const Happening* h : in_order_) {
      const ResourceId on = h->on;
      const bool join = h->kind == HappeningKind::join;
      if (!join && h->kind != HappeningKind::leave) continue;
      if (on.kind() == ResourceKind::host) {
        if (!host_seen[on.at()] && join) hosts_[on.at()].present = false;
        host_seen[on.at()] = 1;
      } else if (on.kind() == ResourceKind::store) {
        if (!cluster_seen[on.at()] && join) {
          const Cluster& cluster = platform_[on.store()];
          clusters_up_[on.at()] = 0;
          links_[cluster.link.index].up = false;
          for (const HostId host : cluster.hosts) hosts_[host.index].present = false;
        }
        cluster_seen[on.at()] = 1;
        if (!join)
          for (const HostId host : platform_[on.store()].hosts) host_seen[host.index] = 1;
      }
    }
    for (const Happening& happening : outcome_.injected) in_order_.push_back(&happening);
    sort_happenings();
    for (const Happening* h : in_order_) {
      const ResourceId on = h->on;
      if (h->kind == HappeningKind::change &&
          (on.kind() == ResourceKind::host || on.kind() == ResourceKind::link))
        changes(on).push_back({h});
      if (h->kind == HappeningKind::join && on.kind() == ResourceKind::host) joins_[on.at()].push_back({h});
      if (h->kind == HappeningKind::join && on.kind() == ResourceKind::store)
        arrivals_[on.at()].push_back({h});
    }
    for (std::size_t h = 0; h < hosts; ++h) {
      const Host& host = platform_.hosts()[h];
      hosts_[h].cluster = host.cluster;
      hosts_[h].architecture = host.architecture;
      host_lines_[h].push_back({-kNever, hosts_[h].up(), true, 1, &host.availability, 0});
    }
    for (std::size_t l = 0; l < links; ++l)
      link_lines_[l].push_back({-kNever, links_[l].up, true, 1, &platform_.links()[l].bandwidth, 0,
                                &platform_.links()[l].latency, 0});
  }

  std::span<const FileId> inputs(WorkId w) const {
    return workload_[w].input_count > 0 ? workload_.inputs(w) : std::span<const FileId>{};
  }
  std::span<const FileId> outputs(WorkId w) const {
    return workload_[w].output_count > 0 ? workload_.outputs(w) : std::span<const FileId>{};
  }

  // Of the outages that may begin at t: whether they are announced.
  template <class F>
  void each_outage(ResourceId r, Time t, Reason why, F hear) const {
    if (why == Reason::failure && r.kind() == ResourceKind::host)
      for (const FailureModel& model : scenario_.failures)
        if (std::find(model.hosts.begin(), model.hosts.end(), r.host()) != model.hosts.end())
          hear(model.announced);
    auto at = std::partition_point(in_order_.begin(), in_order_.end(),
                                   [&](const Happening* h) { return h->at < t - slack(t); });
    for (; at != in_order_.end() && (*at)->at <= t + slack(t); ++at) {
      const Happening* h = *at;
      if (h->kind != HappeningKind::down) continue;
      if (h->on == r) hear(h->announced);
      if (h->on.kind() != ResourceKind::store) continue;
      if (r.kind() == ResourceKind::link && platform_[h->on.store()].link == r.link()) hear(h->announced);
      if (r.kind() == ResourceKind::host && hosts_[r.at()].cluster == h->on.store()) hear(h->announced);
    }
    if (why != Reason::membership || r.kind() != ResourceKind::host) return;
    for (const Listed& join : joins_[r.at()])  // it comes into a cluster that is away
      if (near(join.happening->at, t) && join.happening->cluster.valid())
        each_in_force(ResourceId::of(join.happening->cluster), t, hear);
  }
  // Of the outages that the scenario lists for it and that cover t.
  template <class F>
  void each_in_force(ResourceId r, Time t, F hear) const {
    int announced = 0, silent = 0;
    for (const Happening* h : in_order_) {
      if (h->at > t + slack(t)) break;
      const bool on_it =
          h->on == r || (r.kind() == ResourceKind::link && h->on.kind() == ResourceKind::store &&
                         platform_[h->on.store()].link == r.link());
      if (!on_it) continue;
      int& count = h->announced ? announced : silent;
      if (h->kind == HappeningKind::down) ++count;
      if (h->kind == HappeningKind::up && count > 0) --count;
    }
    if (announced > 0) hear(true);
    if (silent > 0) hear(false);
  }
  // Whether the policy was told of an outage that begins at t; none when the scenario does not list it.
  std::optional<bool> announced(ResourceId r, Time t, Reason why) const {
    std::optional<bool> told;
    each_outage(r, t, why, [&](bool is) { told = told.value_or(false) || is; });
    return told;
  }

  // ---- the walk through the trace ----
  std::size_t step(std::size_t i) {
    const Record& r = trace_[i];
    switch (r.kind) {
      case RecordKind::arrived:
      case RecordKind::accepted:
      case RecordKind::rejected:
      case RecordKind::finished:
      case RecordKind::missed:
      case RecordKind::expired:
      case RecordKind::stranded:
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

  void of_work(const Record& r) {
    Track& track = tracks_[r.work.index];
    const Work& work = workload_[r.work];
    const std::string name = work_name(r.work);
    if (r.kind != RecordKind::arrived && !track.arrived)
      bad(r.time, "{} is {} before it arrived", name, name_of(r.kind));
    switch (r.kind) {
      case RecordKind::arrived:
        if (track.arrived) bad(r.time, "{} arrives twice", name);
        if (!near(r.time, work.arrival))
          bad(r.time, "{} arrives, but it is submitted at {}", name, text(work.arrival));
        track.arrived = true;
        return;
      case RecordKind::accepted:
        if (track.accepted) bad(r.time, "{} is accepted twice", name);
        if (track.settled != RecordKind::arrived)
          bad(r.time, "{} is accepted after it was {}", name, name_of(track.settled));
        track.accepted = true;
        return;
      case RecordKind::missed:
        if (track.settled != RecordKind::finished ||
            r.time <= work.deadline + kTolerance * std::max(1.0, std::abs(work.deadline)))
          bad(r.time, "{} is said to miss its deadline {}, but has not", name, text(work.deadline));
        track.missed = true;
        return;
      case RecordKind::stranded:
        if (!track.covered) bad(r.time, "{} is stranded, but it was not computed", name);
        track.covered = false;
        track.done = 0;
        track.pieces.clear();
        for (const FileId file : outputs(r.work)) {
          home_[file.index] = 0;
          for (auto& store : stored_) store[file.index] = 0;
        }
        return;
      default:
        break;
    }
    if (track.settled != RecordKind::arrived)
      bad(r.time, "{} is {} after it was {}", name, name_of(r.kind), name_of(track.settled));
    track.settled = r.kind;
    if (r.kind != RecordKind::finished) return;
    track.finished = r.time;
    if (!track.covered) {
      const double whole = workload_.size_of(r.work);
      bad(r.time, "{} is finished, but of its size {} only {} is done", name, text(whole), text(track.done));
      return;
    }
    for (const FileId file : outputs(r.work))
      if (!home_[file.index])
        bad(r.time, "{} is finished, but its output '{}' is not home", name,
            workload_.files[file.index].name);
    if (!near(track.covered_at, r.time))
      bad(r.time, "{} is finished, but it was complete at {}", name, text(track.covered_at));
  }

  // `joined`: by that happening, if any.
  void push_step(ResourceId r, Time t, const Happening* joined = nullptr) {
    Timeline& line = timeline(r);
    Step next = line.back();
    next.at = t;
    next.up = r.kind() == ResourceKind::host ? hosts_[r.at()].up() : links_[r.at()].up;
    if (joined != nullptr) install(*joined, next);
    line.push_back(next);
  }

  // What a change or a join says of speed, bandwidth and latency.
  void install(const Happening& happening, Step& step) const {
    if (!std::isnan(happening.factor)) step.factor = happening.factor;
    if (happening.profile != kNone) {
      step.profile = &scenario_.profiles[happening.profile];
      step.anchor = happening.at;
    }
    if (happening.latency != kNone) {
      step.latency = &scenario_.profiles[happening.latency];
      step.latency_anchor = happening.at;
    }
  }

  // The one of these, not yet used, that was to happen at t; null when there is none.
  const Happening* use(std::vector<Listed>& list, Time t) const {
    for (Listed& each : list)
      if (!each.used && near(each.happening->at, t)) {
        each.used = true;
        return each.happening;
      }
    return nullptr;
  }

  // An announced outage during a silent one, perhaps from the same time on, is recorded too.
  bool tells_at_last(const Record& r, bool silent) {
    if (r.kind != RecordKind::down) return false;
    if (silent) return true;
    const Step& last = timeline(r.on).back();
    bool unsaid = false;
    const auto hear = [&](bool is) { unsaid = unsaid || !is; };
    if (!last.up && last.at == r.time) each_outage(r.on, r.time, r.why, hear);
    if (!last.up && r.on.kind() == ResourceKind::link) each_in_force(r.on, r.time, hear);
    return unsaid;
  }

  void discarded(const Record& r) {
    if (!r.file.valid() || r.on.kind() != ResourceKind::store) return bad(r.time, "nothing is discarded");
    const std::string& name = workload_.files[r.file.index].name;
    std::uint8_t& there = stored_[r.on.at()][r.file.index];
    if (!there)
      bad(r.time, "file '{}' is discarded in cluster '{}', which has it not", name, platform_.name_of(r.on));
    if (!home_[r.file.index]) bad(r.time, "the output '{}' is discarded before it is home", name);
    there = 0;
  }

  void of_resource(const Record& r) {
    const std::string name = platform_.name_of(r.on);
    if (r.on.kind() == ResourceKind::store) {
      std::uint8_t& up = clusters_up_[r.on.at()];
      const std::uint8_t becomes = r.kind == RecordKind::joined || r.kind == RecordKind::up ? 1 : 0;
      if (up == becomes) bad(r.time, "cluster '{}' {} twice", name, name_of(r.kind));
      up = becomes;
      if (r.kind == RecordKind::joined)
        push_step(ResourceId::of(platform_[r.on.store()].link), r.time, use(arrivals_[r.on.at()], r.time));
      return;
    }
    if (r.on.kind() == ResourceKind::link) {
      LinkNow& link = links_[r.on.at()];
      const bool becomes = r.kind == RecordKind::up || r.kind == RecordKind::joined;
      const bool told_at_last = tells_at_last(r, link.silent);
      if (becomes == link.up && r.kind != RecordKind::left && !told_at_last)
        bad(r.time, "link '{}' is {} already", name, name_of(r.kind));
      const bool was = link.up;
      link.up = becomes;
      push_step(r.on, r.time);
      if (becomes) link.silent = false;
      if (!becomes)
        outage(r, was || told_at_last, link.silent);
      else if (!was)
        recovery(r);
      return;
    }
    if (r.on.kind() != ResourceKind::host) {
      bad(r.time, "'{}' goes {}", name, name_of(r.kind));
      return;
    }
    HostNow& host = hosts_[r.on.at()];
    const bool was = host.up(), told_at_last = tells_at_last(r, host.silent);
    bool twice = false;
    const Happening* joined = nullptr;
    switch (r.kind) {
      case RecordKind::down:
        twice = std::exchange(host.down, true) && !told_at_last;
        break;
      case RecordKind::up:
        twice = !std::exchange(host.down, false);
        break;
      case RecordKind::left:
        twice = !std::exchange(host.present, false);
        break;
      default:
        twice = std::exchange(host.present, true);
        joined = use(joins_[r.on.at()], r.time);
        host.place_known = joined != nullptr;  // the scenario says where it came
        if (joined == nullptr) break;
        if (joined->cluster.valid()) host.cluster = joined->cluster;
        if (joined->architecture >= 0) host.architecture = joined->architecture;
    }
    if (twice) bad(r.time, "host '{}' is {} already", name, name_of(r.kind));
    push_step(r.on, r.time, joined);
    if (!host.down) host.silent = false;
    if (r.kind == RecordKind::down || r.kind == RecordKind::left)
      outage(r, was || told_at_last, host.silent);
    else if (!was && host.up())
      recovery(r);
  }

  std::vector<std::size_t> acts_on(ResourceId r) const {
    if (r.kind() == ResourceKind::link) return links_[r.at()].acts;
    std::vector<std::size_t> acts = hosts_[r.at()].acts;
    if (hosts_[r.at()].held_by != SIZE_MAX) acts.push_back(hosts_[r.at()].held_by);
    return acts;
  }

  OnFailure rule(const Act& act) const {
    if (act.kind == ActivityKind::compute) return scenario_.compute_rule;
    return act.kind == ActivityKind::hold ? scenario_.hold_rule : scenario_.transfer_rule;
  }

  void outage(const Record& r, bool was_up, bool& silent) {
    const bool left = r.kind == RecordKind::left;
    const std::optional<bool> told = left ? true : announced(r.on, r.time, r.why);
    if (!told) bad(r.time, "'{}' goes down, but nothing was to happen to it", platform_.name_of(r.on));
    if (!left) silent = !told.value_or(false);
    for (const std::size_t a : acts_on(r.on)) {
      Act& act = acts_[a];
      act.interrupted = true;
      if (left || (was_up && told == true && rule(act) == OnFailure::lost))
        must_go_.push_back({a, fmt::format("'{}' {}", platform_.name_of(r.on), left ? "left" : "went down")});
    }
  }

  // The end of an outage that nobody was told of: what stood still meanwhile goes on as the rule says.
  void recovery(const Record& r) {
    for (const std::size_t a : acts_on(r.on)) {
      Act& act = acts_[a];
      if (!up(act)) continue;
      if (act.interrupted && rule(act) == OnFailure::lost)
        must_go_.push_back({a, fmt::format("'{}' had been down", platform_.name_of(r.on))});
      act.interrupted = false;
    }
  }

  bool up(ResourceId r) const {
    if (r.kind() == ResourceKind::host) return hosts_[r.at()].up();
    return r.kind() != ResourceKind::link || links_[r.at()].up;
  }
  bool up(const Act& act) const {
    for (const ResourceId r : act.on)
      if (!(act.kind == ActivityKind::hold && r.kind() == ResourceKind::link) && !up(r)) return false;
    return true;
  }

  void changed(const Record& r, bool applied) {
    if (r.on.kind() != ResourceKind::host && r.on.kind() != ResourceKind::link) return;
    const Happening* found = nullptr;
    std::vector<Listed>& list = changes(r.on);
    auto change = std::partition_point(
        list.begin(), list.end(), [&](const Listed& c) { return c.happening->at < r.time - slack(r.time); });
    while (change != list.end() && change->used) ++change;
    if (change != list.end() && near(change->happening->at, r.time)) {
      change->used = true;
      found = change->happening;
    }
    if (!applied) return;
    if (found == nullptr)
      bad(r.time, "'{}' changes, but nothing was to happen to it", platform_.name_of(r.on));
    Step next = timeline(r.on).back();
    next.at = r.time;
    next.rate_known = found != nullptr && (next.rate_known || found->profile != kNone);
    if (found != nullptr) install(*found, next);
    timeline(r.on).push_back(next);
  }

  // All that had to happen at the instant that is over.
  void settle_instant(Time next) {
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

  bool all_home(WorkId work) const {
    for (const FileId file : outputs(work))
      if (!home_[file.index]) return false;
    return true;
  }

  // ---- activities ----
  void of_activity(std::size_t begin, std::size_t end) {
    const Record& r = trace_[begin];
    const auto [known, fresh] = by_serial_.try_emplace(r.activity, acts_.size());
    if (fresh) {
      acts_.emplace_back();
      Act& made = acts_.back();
      made.serial = r.activity;
      made.kind = r.what;
      made.work = r.work;
      made.file = r.file;
      made.first = r.first;
      made.size = r.size;
      made.cores = r.cores;
      made.copy = r.copy != 0;
    }
    const std::size_t a = known->second;
    Act& act = acts_[a];
    std::vector<ResourceId> on;
    for (std::size_t i = begin; i < end; ++i) on.push_back(trace_[i].on);
    const auto wrong = [&](std::string_view what) {
      Act shown = act;
      if (shown.on.empty()) shown.on = on;
      bad(r.time, shown, "{}", what);
    };
    if (r.activity == 0) wrong("it has no serial number");
    if (act.kind != r.what || act.work != r.work || act.file != r.file || act.first != r.first ||
        act.size != r.size || act.cores != r.cores || act.copy != (r.copy != 0))
      wrong(fmt::format("its record '{}' disagrees with the one before", name_of(r.kind)));
    switch (r.kind) {
      case RecordKind::posted:
        if (!fresh) wrong("it is posted after it was posted or started");
        if (r.work.valid() && !tracks_[r.work.index].arrived) wrong("it is posted before its work arrived");
        return;
      case RecordKind::withdrawn:
        if (fresh)
          wrong("it is withdrawn, but was never posted");
        else if (act.life != Life::posted)
          wrong("it is withdrawn after it started or ended");
        act.life = Life::withdrawn;
        return;
      case RecordKind::started:
        if (!fresh && act.life != Life::posted) {
          wrong(act.life == Life::running ? "it starts twice" : "it starts after it was over");
          return;
        }
        act.life = Life::running;
        act.started = r.time;
        act.on = std::move(on);
        start(a, r);
        return;
      default:
        break;
    }
    if (fresh || act.life != Life::running) {
      wrong(fresh || act.life == Life::posted ? fmt::format("it is {}, but never started", name_of(r.kind))
                                              : fmt::format("it is {} after it was over", name_of(r.kind)));
      if (fresh) act.life = Life::withdrawn;
      return;
    }
    if (on != act.on) wrong(fmt::format("it gives back other resources than it took ({})", names(on)));
    act.life = Life::over;
    act.how = r.kind;
    act.ended = r.time;
    give_back(a);
    stop(a, r);
  }

  std::string names(const std::vector<ResourceId>& on) const {
    std::string out;
    for (const ResourceId r : on) out += (out.empty() ? "" : ", ") + platform_.name_of(r);
    return out;
  }

  void start(std::size_t a, const Record& r) {
    Act& act = acts_[a];
    const auto wrong = [&](std::string_view what) { bad(r.time, act, "{}", what); };
    const HostId host = act.host();
    std::size_t hosts = 0, links = 0, schedulers = 0;
    for (const ResourceId on : act.on) {
      hosts += on.kind() == ResourceKind::host ? 1 : 0;
      links += on.kind() == ResourceKind::link ? 1 : 0;
      schedulers += on.kind() == ResourceKind::scheduler ? 1 : 0;
    }
    bool fits = hosts + links + schedulers == act.on.size();
    switch (act.kind) {
      case ActivityKind::compute:
        fits = fits && hosts == 1 && links == 0 && schedulers == 0;
        break;
      case ActivityKind::transfer_in:
      case ActivityKind::transfer_out:
        fits = fits && hosts == 0 && links > 0 && schedulers == 0;
        break;
      case ActivityKind::chunk:
        fits = fits && hosts == 1 && links > 0 && schedulers == 0;
        break;
      case ActivityKind::hold:
        fits = fits && hosts > 0 && links <= 1 && schedulers == 0;
        break;
      case ActivityKind::think:
        fits = fits && hosts == 0 && links == 0 && schedulers == 1;
        break;
      case ActivityKind::none:
        fits = false;
        break;
    }
    if (!fits) {
      wrong("an activity of its kind does not use these resources");
      act.broken = true;
      return;
    }
    if (act.work.valid()) {
      const Track& track = tracks_[act.work.index];
      if (!track.arrived) wrong("it starts before its work arrived");
      if (track.settled != RecordKind::arrived)
        wrong(fmt::format("it starts after its work was {}", name_of(track.settled)));
    } else if (act.kind == ActivityKind::compute || act.kind == ActivityKind::chunk) {
      wrong("it has no work");
      act.broken = true;
      return;
    }
    for (const ResourceId on : act.on) {
      if (up(on)) continue;
      // Nobody need know that a host is down; a computation started there waits.
      if (on.kind() == ResourceKind::host && act.kind == ActivityKind::compute && hosts_[on.at()].present &&
          hosts_[on.at()].silent) {
        act.interrupted = true;
        continue;
      }
      if (act.kind == ActivityKind::hold && on.kind() == ResourceKind::link && !reservation_link(act))
        continue;
      wrong(fmt::format("it starts while '{}' is away", platform_.name_of(on)));
    }
    if (host.valid() && act.kind != ActivityKind::hold) {
      act.architecture = hosts_[host.index].architecture;
      if (!hosts_[host.index].place_known) act.checkable = false;
    }
    take(a);
    if (act.moves()) start_transfer(act, host);
    if (act.kind == ActivityKind::compute) start_compute(a, host);
    if (act.kind == ActivityKind::chunk) {
      if (!partial(act.work)) wrong("only loads and sweeps have chunks");
      check_piece(act);
      tracks_[act.work.index].chunks.push_back(a);
    }
    if (act.kind == ActivityKind::hold) start_hold(act, hosts, r);
  }

  bool reservation_link(const Act& act) const {
    if (!act.work.valid() || workload_[act.work].kind != WorkKind::reservation) return false;
    const WorkExtra& extra = workload_.extras[workload_[act.work].extra];
    return extra.from + extra.io_ratio * (extra.to - extra.from) > act.started;
  }

  void take(std::size_t a) {
    Act& act = acts_[a];
    const auto wrong = [&](std::string_view what) { bad(act.started, act, "{}", what); };
    for (const ResourceId on : act.on) {
      if (on.kind() == ResourceKind::host) {
        HostNow& now = hosts_[on.at()];
        const Host& host = platform_[on.host()];
        if (act.kind == ActivityKind::hold) {
          if (now.held_by != SIZE_MAX)
            wrong(fmt::format("host '{}' is held by activity {}", host.name, acts_[now.held_by].serial));
          if (const Act* user = user_of(now))
            wrong(fmt::format("host '{}' is used by activity {}", host.name, user->serial));
          now.held_by = a;
          continue;
        }
        if (beside(act)) {
          if (act.cores != 0)
            wrong(fmt::format("it uses {} cores, but comes while the host computes", act.cores));
          now.acts.push_back(a);
          continue;
        }
        if (now.held_by != SIZE_MAX && (acts_[now.held_by].work != act.work || !act.work.valid()))
          wrong(fmt::format(
              "host '{}' is held by activity {} for {}", host.name, acts_[now.held_by].serial,
              acts_[now.held_by].work.valid() ? work_name(acts_[now.held_by].work) : "something else"));
        std::int64_t used = 0;
        for (const std::size_t other : now.acts) used += acts_[other].cores;
        if (act.cores < 1) wrong(fmt::format("it uses {} cores", act.cores));
        if (used + act.cores > host.cores)
          wrong(fmt::format("it needs {} cores, but {} of the {} of host '{}' are in use", act.cores, used,
                            host.cores, host.name));
        if (const Act* user = user_of(now); host.exclusive && user != nullptr)
          wrong(fmt::format("host '{}' serves one activity at a time, now {}", host.name, user->serial));
        now.acts.push_back(a);
      } else if (on.kind() == ResourceKind::link) {
        LinkNow& now = links_[on.at()];
        const Link& link = platform_[on.link()];
        if (act.kind == ActivityKind::hold) {
          if (!reservation_link(act)) continue;
          const WorkExtra& extra = workload_.extras[workload_[act.work].extra];
          if (!now.acts.empty() && link.sharing == Sharing::exclusive)
            wrong(fmt::format("link '{}' is used by activity {}", link.name, acts_[now.acts.front()].serial));
          if (now.reserved_by != SIZE_MAX && now.reserved_until > act.started + slack(act.started))
            wrong(fmt::format("link '{}' is reserved by activity {}", link.name,
                              acts_[now.reserved_by].serial));
          now.reserved_by = a;
          now.reserved_until = extra.from + extra.io_ratio * (extra.to - extra.from);
          continue;
        }
        if (link.sharing == Sharing::exclusive && !now.acts.empty())
          wrong(fmt::format("link '{}' carries one transfer at a time, now activity {}", link.name,
                            acts_[now.acts.front()].serial));
        if (link.sharing == Sharing::exclusive && now.reserved_by != SIZE_MAX &&
            now.reserved_until > act.started + slack(act.started))
          wrong(fmt::format("link '{}' is reserved by activity {} until {}", link.name,
                            acts_[now.reserved_by].serial, text(now.reserved_until)));
        now.acts.push_back(a);
      } else {
        if (thinking_ != SIZE_MAX)
          wrong(fmt::format("the scheduler is busy with activity {}", acts_[thinking_].serial));
        thinking_ = a;
      }
    }
  }

  // Runs of a sweep that are sent to a host, whatever it does meanwhile.
  bool beside(const Act& act) const {
    return act.kind == ActivityKind::chunk && act.work.valid() && workload_[act.work].kind == WorkKind::sweep;
  }
  // Some activity that uses cores of the host; null when there is none.
  const Act* user_of(const HostNow& host) const {
    for (const std::size_t a : host.acts)
      if (!beside(acts_[a])) return &acts_[a];
    return nullptr;
  }

  void give_back(std::size_t a) {
    for (const ResourceId on : acts_[a].on) {
      if (on.kind() == ResourceKind::host) {
        HostNow& now = hosts_[on.at()];
        std::erase(now.acts, a);
        if (now.held_by == a) now.held_by = SIZE_MAX;
      } else if (on.kind() == ResourceKind::link) {
        LinkNow& now = links_[on.at()];
        std::erase(now.acts, a);
        if (now.reserved_by == a) now.reserved_by = SIZE_MAX;
      } else if (thinking_ == a) {
        thinking_ = SIZE_MAX;
      }
    }
  }

  void check_piece(const Act& act) {
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

  static bool overlap(const Act& a, const Act& b) {
    const double margin = kTolerance * std::min(a.size, b.size);
    return a.first < b.first + b.size - margin && b.first < a.first + a.size - margin;
  }

  void start_compute(std::size_t a, HostId host) {
    const Act& act = acts_[a];
    const Work& work = workload_[act.work];
    Track& track = tracks_[act.work.index];
    if (work.kind == WorkKind::reservation) {
      bad(act.started, act, "reservations hold hosts, they do not compute");
      return;
    }
    check_piece(act);
    if (work.kind == WorkKind::job && act.cores != work.cores)
      bad(act.started, act, "it has {} cores, the job asks for {}", act.cores, work.cores);
    // The same piece at the same time only as a copy; a finished one not at all.
    bool original = false;
    for (const std::size_t other : track.running) {
      const Act& running = acts_[other];
      if (!overlap(act, running)) continue;
      if (!act.copy)
        bad(act.started, act, "activity {} computes the same piece", running.serial);
      else if (running.first != act.first || running.size != act.size)
        bad(act.started, act, "it is a copy, but activity {} computes only part of its piece",
            running.serial);
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
  }

  // A package's data is sent before it is computed; that of a load too, where it is sent at all.
  void check_chunks(const Act& act, HostId host) {
    std::vector<Span> sent;
    bool any = false;
    for (const std::size_t c : tracks_[act.work.index].chunks) {
      const Act& chunk = acts_[c];
      if (chunk.host() != host) continue;
      any = true;
      if (chunk.life == Life::over && chunk.how == RecordKind::ended)
        sent.push_back({chunk.first, chunk.first + chunk.size});
    }
    const Work& work = workload_[act.work];
    const bool must = work.kind == WorkKind::sweep && workload_.extras[work.extra].bytes > 0;
    if (!any && !must) return;
    std::sort(sent.begin(), sent.end(), [](const Span& x, const Span& y) { return x.first < y.first; });
    const double margin = kTolerance * act.size;
    double reached = act.first;
    for (const Span& span : sent)
      if (span.first <= reached + margin) reached = std::max(reached, span.end);
    if (reached < act.first + act.size - margin)
      bad(act.started, act, "its data from {} on has not been sent to '{}'", text(reached),
          platform_[host].name);
  }

  const Span* finished_piece(const Track& track, double first, double end) const {
    const double margin = kTolerance * (end - first);
    auto span = std::upper_bound(track.pieces.begin(), track.pieces.end(), first + margin,
                                 [](double x, const Span& s) { return x < s.end; });
    return span != track.pieces.end() && span->first < end - margin ? &*span : nullptr;
  }

  void start_transfer(Act& act, HostId host) {
    // The links are a way from the origin to a cluster's gateway.
    std::uint32_t node = 0;
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
      bad(act.started, act, "its links are no way from the origin to a cluster");
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
    if (act.kind == ActivityKind::transfer_in && !home_[act.file.index])
      bad(act.started, act, "the origin does not have the file");
    if (act.kind == ActivityKind::transfer_out && !stored_[act.cluster.index][act.file.index])
      bad(act.started, act, "the file is not in the store of cluster '{}'", platform_[act.cluster].name);
  }

  void start_hold(const Act& act, std::size_t hosts, const Record& r) {
    if (r.why == Reason::late) bad(act.started, act, "it begins later than promised");
    if (!act.work.valid() || workload_[act.work].kind != WorkKind::reservation) return;
    const WorkExtra& extra = workload_.extras[workload_[act.work].extra];
    if (hosts != static_cast<std::size_t>(std::max(0, extra.hosts)))
      bad(act.started, act, "it holds {} hosts, the reservation is for {}", hosts, extra.hosts);
    if (act.started < extra.from - slack(extra.from) ||
        (r.why != Reason::late && act.started > extra.from + slack(extra.from)))
      bad(act.started, act, "the reservation is from {}", text(extra.from));
  }

  void stop(std::size_t a, const Record& r) {
    Act& act = acts_[a];
    if (act.kind == ActivityKind::compute && act.work.valid()) std::erase(tracks_[act.work.index].running, a);
    if (act.broken) return;
    switch (r.kind) {
      case RecordKind::ended:
        ended(a);
        return;
      case RecordKind::superseded: {
        const bool other = std::any_of(just_ended_.begin(), just_ended_.end(), [&](std::size_t e) {
          const Act& winner = acts_[e];
          return winner.work == act.work && winner.first == act.first && winner.size == act.size &&
                 winner.ended == r.time;
        });
        if (!other) bad(r.time, act, "it is superseded, but nothing else finished its piece now");
        return;
      }
      case RecordKind::lost: {
        if (r.why == Reason::stranded || r.why == Reason::predecessor) return;
        bool reason = false;
        for (const ResourceId on : act.on) {
          if (on.kind() != ResourceKind::host && on.kind() != ResourceKind::link) continue;
          const Timeline& line = timeline(on);
          for (std::size_t s = line.size(); s-- > 1 && line[s].at == r.time;)
            reason = reason || line[s].up != line[s - 1].up || !line[s].up;
        }
        if (!reason) bad(r.time, act, "it is lost, but none of its resources went away or came back now");
        return;
      }
      default:
        return;
    }
  }

  void ended(std::size_t a) {
    Act& act = acts_[a];
    const bool by_clock = act.kind == ActivityKind::hold && rule(act) != OnFailure::lost;
    for (const ResourceId on : act.on)
      if (!up(on) && !by_clock && !(act.kind == ActivityKind::hold && on.kind() == ResourceKind::link))
        bad(act.ended, act, "it ends well while '{}' is away", platform_.name_of(on));
    switch (act.kind) {
      case ActivityKind::compute: {
        std::erase_if(just_ended_, [&](std::size_t e) { return acts_[e].ended != act.ended; });
        just_ended_.push_back(a);
        Track& track = tracks_[act.work.index];
        if (const Span* done = finished_piece(track, act.first, act.first + act.size)) {
          bad(act.ended, act, "[{}, {}) of it is finished twice", text(done->first), text(done->end));
          return;
        }
        const auto place = std::lower_bound(track.pieces.begin(), track.pieces.end(), act.first,
                                            [](const Span& s, double x) { return s.first < x; });
        track.pieces.insert(place, {act.first, act.first + act.size});
        track.done += act.size;
        if (track.done >= workload_.size_of(act.work) * (1 - kTolerance)) {
          const HostNow& now = hosts_[act.host().index];
          if (now.place_known)
            for (const FileId file : outputs(act.work)) stored_[now.cluster.index][file.index] = 1;
          covered(act.work, act.ended);
        }
        return;
      }
      case ActivityKind::transfer_in: {
        if (stored_[act.cluster.index][act.file.index])
          bad(act.ended, act, "cluster '{}' has the file already", platform_[act.cluster].name);
        stored_[act.cluster.index][act.file.index] = 1;
        return;
      }
      case ActivityKind::transfer_out: {
        if (home_[act.file.index]) bad(act.ended, act, "the origin has the file already");
        home_[act.file.index] = 1;
        const WorkId maker = makers_[act.file.index];
        if (!maker.valid() || !tracks_[maker.index].covered) return;
        tracks_[maker.index].covered_at = act.ended;
        to_finish_.push_back({maker, act.ended});
        return;
      }
      case ActivityKind::hold:
        if (act.work.valid() && workload_[act.work].kind == WorkKind::reservation) {
          tracks_[act.work.index].done = 1;
          covered(act.work, act.ended);
        }
        return;
      default:
        return;
    }
  }

  void covered(WorkId work, Time at) {
    Track& track = tracks_[work.index];
    track.covered = true;
    track.covered_at = at;
    to_finish_.push_back({work, at});
  }

  // ---- when the trace is over ----
  void at_the_end() {
    const Time end = outcome_.end;
    if (outcome_.works.size() != workload_.size()) {
      bad(end, "the outcome knows {} works, the scenario has {}", outcome_.works.size(), workload_.size());
      return;
    }
    for (std::size_t w = 0; w < workload_.size(); ++w) {
      const Track& track = tracks_[w];
      const WorkState state = outcome_.works[w];
      const std::string name = work_name(WorkId(w));
      if ((state == WorkState::future) == track.arrived)
        bad(end, "{} is '{}' in the outcome, but in the trace it {}", name, name_of(state),
            track.arrived ? "arrived" : "did not arrive");
      const RecordKind expected = state == WorkState::finished   ? RecordKind::finished
                                  : state == WorkState::rejected ? RecordKind::rejected
                                  : state == WorkState::expired  ? RecordKind::expired
                                                                 : RecordKind::arrived;
      if (track.settled != expected && state != WorkState::future)
        bad(end, "{} is '{}' in the outcome, but in the trace it is {}", name, name_of(state),
            track.settled == RecordKind::arrived ? "unfinished" : name_of(track.settled));
      if (outcome_.status == RunStatus::complete && state < WorkState::finished)
        bad(end, "the run is complete, but {} is '{}'", name, name_of(state));
      const Time deadline = workload_.works[w].deadline;
      if (track.settled == RecordKind::finished && deadline < kNever && !track.missed &&
          track.finished > deadline + kTolerance * std::max(1.0, std::abs(deadline)))
        bad(track.finished, "{} missed its deadline {}, which is not reported", name, text(deadline));
    }
  }

  // Whether a policy that keeps deadlines has to keep them in this run.
  bool promised() const {
    if (!outcome_.keeps_deadlines) return false;
    for (const Happening& happening : scenario_.happenings)
      if (happening.kind == HappeningKind::join) return false;  // its host may not be there at all
    for (std::size_t i = 0; i < trace_.size(); ++i)
      if (trace_[i].kind >= RecordKind::up && trace_[i].kind <= RecordKind::left) return false;
    const std::span<const Host> hosts = platform_.hosts();
    for (const Host& host : hosts)
      if (!host.availability.is_constant()) return false;
    for (std::size_t w = 0; w < workload_.size(); ++w) {
      if (workload_.works[w].kind != WorkKind::load) continue;
      const Piece all{WorkId(w), 0, workload_.size_of(WorkId(w))};
      const double bytes = workload_.extras[workload_.works[w].extra].bytes;
      if (workload_.declared_bytes(WorkId(w)) != bytes) return false;
      for (std::size_t h = 0; h < hosts.size(); ++h)
        if (declared_time(workload_, all, hosts[h], HostId(h), hosts[h].architecture) !=
            true_time(workload_, all, hosts[h], HostId(h), hosts[h].architecture))
          return false;
    }
    return true;
  }
  void promises() {
    if (!promised()) return;
    for (std::size_t w = 0; w < workload_.size(); ++w) {
      const Track& track = tracks_[w];
      const Time deadline = workload_.works[w].deadline;
      if (workload_.works[w].kind != WorkKind::load || !track.accepted || deadline == kNever) continue;
      const Time until = track.settled == RecordKind::finished  ? track.finished
                         : track.settled == RecordKind::arrived ? outcome_.end
                                                                : kNever;
      if (until > deadline + slack(deadline))
        bad(deadline, "{} was accepted, but is not finished by its deadline {}", work_name(WorkId(w)),
            text(deadline));
    }
  }

  // What the scenario says happens to the platform is in the trace.
  void platform_events() {
    const Time end = outcome_.end - slack(outcome_.end);
    for (const auto* all : {&host_changes_, &link_changes_})
      for (const auto& list : *all)
        for (const Listed& change : list)
          if (!change.used && change.happening->at < end)
            bad(change.happening->at, "the change of '{}' is not in the trace",
                platform_.name_of(change.happening->on));
    std::unordered_map<std::uint32_t, std::pair<int, Time>> reserved;  // depth, since
    for (const Happening* h : in_order_) {
      if (h->at >= end) break;
      if (h->kind != HappeningKind::down && h->kind != HappeningKind::up) continue;
      const bool down = h->kind == HappeningKind::down;
      if (h->on.kind() == ResourceKind::store) {
        // Where hosts are now they need not have been then: the gateway stands for all.
        if (down) must_be_away(ResourceId::of(platform_[h->on.store()].link), h->at);
        continue;
      }
      if (down) must_be_away(h->on, h->at);
      if (h->cause != Cause::reservation) continue;
      auto& [depth, since] = reserved[h->on.packed()];
      if (down && depth++ == 0) since = h->at;
      if (!down && depth > 0 && --depth == 0) keep_free(h->on, since, h->at);
    }
    for (const Happening* h : in_order_) {  // reservations that last beyond the end
      const auto found = reserved.find(h->on.packed());
      if (found == reserved.end() || found->second.first == 0) continue;
      keep_free(h->on, found->second.second, outcome_.end);
      found->second.first = 0;
    }
  }

  void must_be_away(ResourceId on, Time at) {
    const Timeline& line = timeline(on);
    bool away = false;
    for (std::size_t s = step_at(line, at - slack(at)); s < line.size() && line[s].at <= at + slack(at); ++s)
      away = away || !line[s].up;
    if (!away) bad(at, "the outage of '{}' is not in the trace", platform_.name_of(on));
  }

  void keep_free(ResourceId on, Time from, Time to) {
    const Timeline& line = timeline(on);
    for (std::size_t s = step_at(line, from + slack(from)); s < line.size() && line[s].at < to - slack(to);
         ++s)
      if (line[s].up && (s > 0 && !line[s - 1].up) && line[s].at > from + slack(from)) {
        bad(line[s].at, "'{}' is up again inside its reservation [{}, {})", platform_.name_of(on), text(from),
            text(to));
        break;
      }
    for (const std::size_t a : everything_on(on)) {
      const Act& act = acts_[a];
      const Time stop = act.life == Life::running ? outcome_.end : act.ended;
      if (act.started >= to - slack(to) || stop <= from + slack(from)) continue;
      const bool begins_inside = act.started > from + slack(from);
      if (begins_inside ? announced(on, from, Reason::reservation) != true
                        : rule(act) != OnFailure::lost || announced(on, from, Reason::reservation) != true)
        continue;
      bad(std::max(act.started, from), act, "'{}' is reserved in [{}, {})", platform_.name_of(on), text(from),
          text(to));
    }
  }

  // Activities that ever used a resource.
  const std::vector<std::size_t>& everything_on(ResourceId on) {
    if (by_resource_.empty())
      for (std::size_t a = 0; a < acts_.size(); ++a)
        for (const ResourceId r : acts_[a].on) by_resource_[r.packed()].push_back(a);
    return by_resource_[on.packed()];
  }

  // ---- durations ----

  // Steps of the timelines of an activity, walked side by side.
  struct Cursor {
    const Timeline* line;
    std::size_t i;
    LinkId link;  // valid: a rate of the transfer
  };

  // Places of an activity's resources at its start.
  std::vector<Cursor> cursors(const Act& act) {
    std::vector<Cursor> all;
    for (const ResourceId on : act.on) {
      const Timeline& line = timeline(on);
      all.push_back({&line, step_at(line, act.started), on.link()});
    }
    return all;
  }

  static bool all_up(const std::vector<Cursor>& all) {
    return std::all_of(all.begin(), all.end(), [](const Cursor& c) { return (*c.line)[c.i].up; });
  }
  static Time next_step(const std::vector<Cursor>& all) {
    Time next = kNever;
    for (const Cursor& c : all) next = std::min(next, end_of_step(*c.line, c.i));
    return next;
  }
  static void advance(std::vector<Cursor>& all, Time to) {
    for (Cursor& c : all)
      while (end_of_step(*c.line, c.i) <= to) ++c.i;
  }

  Seconds fixed_phase(const Act& act, Time at) const {
    Seconds fixed = 0;
    for (const ResourceId on : act.on)
      if (on.kind() == ResourceKind::link) {
        const Timeline& line = link_lines_[on.at()];
        const Step& step = line[step_at(line, at)];
        fixed += step.latency->at(at - step.latency_anchor);
      }
    if (act.kind == ActivityKind::compute) fixed = platform_[act.host()].setup;
    return fixed;
  }

  // Speed now of what is done in the moving phase; `until`: it stays so. NaN = not known.
  double rate(const Act& act, const std::vector<Cursor>& all, Time t, Time& until) const {
    double least = kNever;
    until = kNever;
    for (const Cursor& c : all) {
      const Step& step = (*c.line)[c.i];
      if (act.kind != ActivityKind::compute && (!c.link.valid() || platform_[c.link].implied)) continue;
      if (!step.rate_known) return kNaN;
      double here = step.profile->at(t - step.anchor) * step.factor;
      until = std::min(until, step.profile->next_change(t - step.anchor) + step.anchor);
      if (c.link.valid() && platform_[c.link].sharing == Sharing::fair) {
        const std::vector<Count>& counts = counts_[c.link.index];
        const auto after = std::upper_bound(counts.begin(), counts.end(), t,
                                            [](Time x, const Count& n) { return x < n.at; });
        int users = after == counts.begin() ? 0 : std::prev(after)->count;
        const Time own_end = act.life == Life::running ? kNever : act.ended;
        if (t >= own_end) ++users;  // it no longer counts itself
        if (users > 1) here /= users;
        if (after != counts.end()) until = std::min(until, after->at);
        if (own_end > t) until = std::min(until, own_end);
      }
      least = std::min(least, here);
    }
    return least;
  }

  // When an activity with this amount would have ended; kNever = never, NaN = cannot be told. `forgiving`: an
  // end within the tolerance behind a step is of the step's instant, where ends come first.
  Time end_with(const Act& act, double amount, bool forgiving = false) {
    std::vector<Cursor> all = cursors(act);
    Time t = act.started;
    Seconds fixed = fixed_phase(act, t);
    double left = amount;
    std::size_t segments = 0;
    for (;;) {
      if (++segments > kMostSegments) return kNaN;
      if (!all_up(all)) {  // stands still until all is back
        const Time next = next_step(all);
        if (next == kNever) return kNever;
        t = next;
        advance(all, t);
        if (all_up(all) && rule(act) == OnFailure::restarted) {
          left = amount;
          fixed = fixed_phase(act, t);
        }
        continue;
      }
      const Time boundary = next_step(all);
      if (fixed > 0) {
        if (t + fixed > boundary) {
          fixed -= boundary - t;
          t = boundary;
          advance(all, t);
          continue;
        }
        t += fixed;
        fixed = 0;
      }
      if (left <= 0) return t;
      if (t >= boundary) {
        advance(all, t);
        continue;
      }
      Time until = kNever;
      const double speed = rate(act, all, t, until);
      if (std::isnan(speed)) return kNaN;
      if (speed == kNever) return t;
      until = std::min(until, boundary);
      if (until <= t) until = std::nextafter(t, kNever);
      const Seconds more = forgiving && until < kNever ? slack(until) : 0;
      if (speed > 0 && t + left / speed <= until + more) return t + left / speed;
      if (until == kNever) return kNever;
      left -= speed * (until - t);
      t = until;
      advance(all, t);
    }
  }

  // Moving phases of every transfer over fair links: how many share each at a time.
  void count_sharers() {
    counts_.resize(platform_.links().size());
    std::vector<std::vector<std::pair<Time, int>>> deltas(counts_.size());
    for (const Act& act : acts_) {
      if (!act.moves() || std::isnan(act.started) || act.broken) continue;
      const bool fair = std::any_of(act.on.begin(), act.on.end(), [&](ResourceId on) {
        return on.kind() == ResourceKind::link && platform_[on.link()].sharing == Sharing::fair;
      });
      if (!fair) continue;
      const Time end = act.life == Life::running ? kNever : act.ended;
      std::vector<Cursor> all = cursors(act);
      Time t = act.started;
      Seconds fixed = fixed_phase(act, t);
      while (t < end) {
        const Time boundary = std::min(next_step(all), end);
        if (all_up(all)) {
          const Time from = t + fixed;
          if (from < boundary) {
            for (const ResourceId on : act.on)
              if (on.kind() == ResourceKind::link) {
                deltas[on.at()].push_back({from, 1});
                if (boundary < kNever) deltas[on.at()].push_back({boundary, -1});
              }
            fixed = 0;
          } else {
            fixed -= boundary - t;
          }
        }
        if (boundary == kNever) break;
        const bool was_up = all_up(all);
        t = boundary;
        advance(all, t);
        if (!was_up && all_up(all) && rule(act) == OnFailure::restarted) fixed = fixed_phase(act, t);
      }
    }
    for (std::size_t l = 0; l < deltas.size(); ++l) {
      std::sort(deltas[l].begin(), deltas[l].end());
      int count = 0;
      for (const auto& [at, delta] : deltas[l]) {
        count += delta;
        if (!counts_[l].empty() && counts_[l].back().at == at)
          counts_[l].back().count = count;
        else
          counts_[l].push_back({at, count});
      }
    }
  }

  std::optional<double> amount(const Act& act) const {
    switch (act.kind) {
      case ActivityKind::compute: {
        const HostId host = act.host();
        const Work& work = workload_[act.work];
        if (work.kind == WorkKind::reservation) return std::nullopt;
        return true_time(workload_, {act.work, act.first, act.size}, platform_[host], host, act.architecture);
      }
      case ActivityKind::transfer_in:
      case ActivityKind::transfer_out:
        return workload_.files[act.file.index].size;
      case ActivityKind::chunk:
        if (workload_[act.work].extra == kNone) return std::nullopt;
        return act.size * workload_.extras[workload_[act.work].extra].bytes;
      default:
        return std::nullopt;
    }
  }

  void durations() {
    count_sharers();
    for (const Act& act : acts_) {
      if (std::isnan(act.started) || !act.checkable || act.broken) continue;
      if (act.kind == ActivityKind::hold) {
        hold_duration(act);
        continue;
      }
      const std::optional<double> whole = amount(act);
      if (!whole) continue;
      if (!(*whole < kNever)) {
        bad(act.started, act, "it cannot run on that host");
        continue;
      }
      const Time low = end_with(act, *whole * (1 - kTolerance)),
                 high = end_with(act, *whole * (1 + kTolerance));
      if (std::isnan(low) || std::isnan(high)) continue;
      const bool well = act.life == Life::over && act.how == RecordKind::ended;
      const Time stop = act.life == Life::running ? outcome_.end : act.ended;
      if (!well) {
        if (stop > high + slack(stop))
          bad(stop, act, "it is {}, but should have ended at {}",
              act.life == Life::running ? "running" : name_of(act.how), text(end_with(act, *whole)));
        continue;
      }
      if (near(stop, low) || near(stop, high)) continue;
      if (stop > low && stop < high && high - low < 1e-6 * std::max(1.0, stop)) continue;
      const Time expected = end_with(act, *whole);
      if (near(stop, expected) || near(stop, end_with(act, *whole, true))) continue;
      bad(stop, act, "it ran from {} to {} ({} s), but it takes {}", text(act.started), text(stop),
          text(stop - act.started),
          expected < kNever ? fmt::format("until {} ({} s)", text(expected), text(expected - act.started))
                            : "for ever");
    }
  }

  void hold_duration(const Act& act) {
    if (act.life != Life::over || act.how != RecordKind::ended || !act.work.valid() ||
        workload_[act.work].kind != WorkKind::reservation)
      return;
    const WorkExtra& extra = workload_.extras[workload_[act.work].extra];
    const Time expected = std::max(act.started, extra.to);
    if (!near(act.ended, expected)) bad(act.ended, act, "the reservation lasts until {}", text(expected));
  }

  const Outcome& outcome_;
  const Scenario& scenario_;
  const Platform& platform_;
  const Workload& workload_;
  const Trace& trace_;
  std::vector<std::string> lines_;
  std::size_t more_ = 0;
  Time now_ = -kNever;

  std::vector<const Happening*> in_order_;
  std::vector<HostNow> hosts_;
  std::vector<LinkNow> links_;
  std::vector<Timeline> host_lines_, link_lines_;
  std::vector<std::vector<Listed>> host_changes_, link_changes_;
  std::vector<std::vector<Listed>> joins_, arrivals_;  // of hosts, of clusters
  std::vector<std::uint8_t> clusters_up_;
  std::vector<std::vector<std::uint8_t>> stored_;  // per cluster and file
  std::vector<std::uint8_t> home_;                 // per file
  std::vector<WorkId> makers_;                     // per file: the work whose output it is
  std::vector<Track> tracks_;
  std::vector<Act> acts_;  // in order of appearance
  std::unordered_map<std::uint32_t, std::size_t> by_serial_;
  std::size_t thinking_ = SIZE_MAX;
  struct MustGo {
    std::size_t act;
    std::string why;
  };
  std::vector<MustGo> must_go_;  // by the end of this instant
  struct ToFinish {
    WorkId work;
    Time at;
  };
  std::vector<ToFinish> to_finish_;
  std::vector<std::size_t> just_ended_;  // computations, at the time of the last one
  std::vector<std::vector<Count>> counts_;
  std::unordered_map<std::uint32_t, std::vector<std::size_t>> by_resource_;
};

}  // namespace

std::vector<std::string> validate(const Outcome& outcome) {
  if (outcome.trace.level() != TraceLevel::full)
    fail("not_validatable", "only a full trace can be validated, this one has level '{}'",
         outcome.trace.level() == TraceLevel::work ? "work" : "none");
  return Check(outcome).run();
}

}  // namespace perigee
