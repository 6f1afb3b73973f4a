// Grids and applications of the Parameter Sweep Template as platforms, events and workloads, and back.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "runtime/kernel/error.h"
#include "runtime/kernel/quantity.h"
#include "runtime/model/readers/pst.h"

namespace perigee::readers {
namespace {

constexpr std::size_t kLongestSeries = 1'000'000;  // entries of a behaviour that is made of others
constexpr double kNoTime = 1e15;                   // B/s, written for links over which files move in no time

bool of_link(const PstEvent& event) {
  return event.kind == PstEventKind::add_cluster || event.kind == PstEventKind::change_cluster;
}

// The entries from `offset` on, repeated, each divided by `divisor`.
Profile series(const std::vector<double>& entries, std::uint64_t offset, Seconds period, double divisor) {
  std::vector<double> values(entries);
  std::rotate(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(offset % values.size()),
              values.end());
  for (double& value : values) value /= divisor;
  if (std::ranges::all_of(values, [&](double value) { return value == values[0]; }))
    return Profile(values[0]);
  return Profile::circular(std::move(values), period);
}

class Binder {
 public:
  Binder(const PstGrid& grid, const PstBehaviours& behaviours, Seconds period)
      : grid_(grid), behaviours_(behaviours), period_(period) {}

  PstPlatform bind() {
    for (const PstEvent& event : grid_.events) declare(event);
    // Hosts are numbered in the order of their first addition, across clusters.
    std::unordered_map<std::string, std::size_t> hosts;
    for (std::size_t h = 0; h < order_.size(); ++h) hosts.emplace(order_[h], h);
    for (const PstEvent& event : grid_.events) {
      const bool on_cluster = event.host.empty();
      Happening happening;
      happening.at = event.at;
      happening.on = on_cluster ? ResourceId::of(ClusterId(clusters_.at(event.cluster)))
                                : ResourceId::of(HostId(hosts.at(event.host)));
      happening.cause = Cause::membership;
      happening.declared_at = {grid_.file, event.line};
      switch (event.kind) {
        case PstEventKind::add_host:
          happening.cluster = ClusterId(clusters_.at(event.cluster));
          happening.architecture = event.architecture;
          [[fallthrough]];
        case PstEventKind::add_cluster:
          happening.kind = HappeningKind::join;
          break;
        case PstEventKind::remove_cluster:
        case PstEventKind::remove_host:
          happening.kind = HappeningKind::leave;
          break;
        case PstEventKind::change_host:
        case PstEventKind::change_cluster:
          happening.kind = HappeningKind::change;
          happening.cause = Cause::change;
          if (on_cluster) happening.on = ResourceId::of(LinkId(clusters_.at(event.cluster)));  // its gateway
          break;
      }
      if (!event.behaviour.empty()) std::tie(happening.profile, happening.latency) = installed(event);
      made_.happenings.push_back(std::move(happening));
    }
    return std::move(made_);
  }

 private:
  // Declares clusters and hosts when they are first named.
  void declare(const PstEvent& event) {
    auto& spec = made_.spec;
    const SourceLocation where{grid_.file, event.line};
    if (event.kind == PstEventKind::add_cluster &&
        clusters_.emplace(event.cluster, spec.clusters.size()).second) {
      auto& cluster = spec.clusters.emplace_back();
      cluster.name = event.cluster;
      cluster.has_link = true;
      cluster.declared_at = where;
      const auto [bandwidth, latency] = installed(event);
      cluster.link.bandwidth = made_.profiles[bandwidth];
      cluster.link.latency = made_.profiles[latency];
    }
    if (event.kind != PstEventKind::add_host) return;
    made_.architectures = std::max(made_.architectures, event.architecture + 1);
    if (!known_.insert(event.host).second) return;
    const std::size_t c = clusters_.at(event.cluster);
    auto& hosts = spec.clusters[c].hosts;
    spec.host_order.push_back({static_cast<std::uint32_t>(c), static_cast<std::uint32_t>(hosts.size())});
    order_.push_back(event.host);
    Host& host = hosts.emplace_back();
    host.name = event.host;
    host.architecture = event.architecture;
    host.availability = made_.profiles[installed(event).first];
    host.declared_at = where;
  }

  // Indices in `profiles` of the event's behaviour: first availability or bandwidth, then latency.
  std::pair<std::uint32_t, std::uint32_t> installed(const PstEvent& event) {
    const bool link = of_link(event);
    const SourceLocation where{grid_.file, event.line};
    const auto& mine = link ? behaviours_.of_links : behaviours_.of_hosts;
    const auto& others = link ? behaviours_.of_hosts : behaviours_.of_links;
    const auto found = mine.find(event.behaviour);
    if (found == mine.end()) {
      if (others.contains(event.behaviour))
        fail_at(where, "wrong_behaviour", "'{}' is the behaviour of a {}, that of a {} is needed",
                event.behaviour, link ? "host" : "link", link ? "link" : "host");
      std::vector<std::string> names;
      names.reserve(mine.size());
      for (const auto& [name, behaviour] : mine) names.push_back(name);
      fail_at(where, "unknown_behaviour", "there is no behaviour '{}' of a {}{}", event.behaviour,
              link ? "link" : "host", did_you_mean(event.behaviour, names));
    }
    const PstBehaviour& behaviour = found->second;
    PERIGEE_ASSERT(behaviour.of_link() == link && behaviour.size() > 0, "a behaviour of the other kind");
    const auto [known, is_new] =
        places_.try_emplace({link, event.behaviour, event.offset % behaviour.size()});
    if (is_new) {
      known->second = {
          add(series(link ? behaviour.bandwidth : behaviour.percent, event.offset, period_, link ? 1 : 100)),
          kNone};
      if (link) known->second.second = add(series(behaviour.latency, event.offset, period_, 1000));
    }
    return known->second;
  }

  std::uint32_t add(Profile profile) {
    made_.profiles.push_back(std::move(profile));
    return static_cast<std::uint32_t>(made_.profiles.size() - 1);
  }

  const PstGrid& grid_;
  const PstBehaviours& behaviours_;
  Seconds period_;
  PstPlatform made_;
  std::unordered_map<std::string, std::size_t> clusters_;
  std::set<std::string> known_;     // hosts
  std::vector<std::string> order_;  // of hosts
  std::map<std::tuple<bool, std::string, std::uint64_t>, std::pair<std::uint32_t, std::uint32_t>> places_;
};

// ---- the way back ----

// The entries from t on of a profile in force since `anchor`; none if its steps are not those of such a
// series.
std::optional<std::vector<double>> entries(const Profile& profile, Time anchor, Time t, Seconds period) {
  if (profile.is_constant()) return std::vector<double>{profile.at(0)};
  const double length = profile.period() / period;
  if (!profile.is_periodic() || profile.loop_begin() != 0 || !(length <= kLongestSeries)) return std::nullopt;
  const auto whole = [](double x) {
    return std::abs(x - std::round(x)) <= 1e-9 * std::max(1.0, std::abs(x));
  };
  if (!whole(length) || !whole((t - anchor) / period)) return std::nullopt;
  for (const double step : profile.times())
    if (!whole(step / period)) return std::nullopt;
  std::vector<double> values;
  const double first = std::round((t - anchor) / period);
  for (double k = 0; k < std::round(length); ++k) values.push_back(profile.at((first + k + 0.5) * period));
  return values;
}

class Writer {
 public:
  Writer(const Scenario& scenario, Seconds period)
      : scenario_(scenario), platform_(*scenario.platform), period_(period) {}

  PstFiles write() {
    grid();
    application();
    files_.lost.assign(lost_.begin(), lost_.end());
    return std::move(files_);
  }

 private:
  struct Current {  // the state in force
    const Profile* profile = nullptr;
    const Profile* latency = nullptr;
    Time anchor = 0, latency_anchor = 0;
    double factor = 1;
    bool present = true, added = false;  // now; ever, in the file
    std::size_t cluster = 0;             // of a host
    std::int32_t architecture = 0;       // of a host, as the platform counts them
  };

  void grid() {
    if (platform_.links().size() > platform_.clusters().size()) lost_.insert("links between routers");
    for (const Host& host : platform_.hosts()) {
      if (host.cores > 1) lost_.insert("cores");
      if (host.setup > 0) lost_.insert("set-up times");
      hosts_.push_back(
          {.profile = &host.availability, .cluster = host.cluster.index, .architecture = host.architecture});
    }
    for (const Cluster& cluster : platform_.clusters()) {
      const Link& link = platform_[cluster.link];
      if (link.sharing != Sharing::exclusive && !link.implied) lost_.insert("links that are shared");
      if (link.implied) lost_.insert(fmt::format("links of no time (they get {} B/s)", kNoTime));
      clusters_.push_back({.profile = &link.bandwidth, .latency = &link.latency});
    }
    if (!scenario_.failures.empty()) lost_.insert("failures");
    if (!scenario_.processes.empty()) lost_.insert("processes");
    classes();

    std::vector<const Happening*> happenings;
    happenings.reserve(scenario_.happenings.size());
    for (const Happening& happening : scenario_.happenings) happenings.push_back(&happening);
    std::ranges::stable_sort(happenings, {}, &Happening::at);
    std::vector<std::uint8_t> host_seen(hosts_.size()), cluster_seen(clusters_.size());
    for (const Happening* happening : happenings) {  // resources that join before they ever leave come later
      const bool joins = happening->kind == HappeningKind::join;
      if (!joins && happening->kind != HappeningKind::leave) continue;
      const ResourceId on = happening->on;
      if (on.kind() == ResourceKind::host) {
        if (std::exchange(host_seen[on.at()], 1) == 0 && joins) hosts_[on.at()].present = false;
      } else if (on.kind() == ResourceKind::store) {
        const bool away = std::exchange(cluster_seen[on.at()], 1) == 0 && joins;
        if (away) clusters_[on.at()].present = false;
        for (const HostId host : platform_[on.store()].hosts) {
          if (away) hosts_[host.index].present = false;
          if (!joins) host_seen[host.index] = 1;
        }
      }
    }
    std::size_t c = 0;
    const auto clusters_until = [&](std::size_t end) {
      for (; c < end; ++c)
        if (clusters_[c].present) event(PstEventKind::add_cluster, 0, c, 0);
    };
    for (std::size_t h = 0; h < hosts_.size(); ++h) {
      if (!hosts_[h].present) continue;
      clusters_until(hosts_[h].cluster + 1);
      event(PstEventKind::add_host, 0, hosts_[h].cluster, h);
    }
    clusters_until(clusters_.size());
    for (const Happening* happening : happenings) happen(*happening);
  }

  void happen(const Happening& happening) {
    const ResourceId on = happening.on;
    if (happening.kind == HappeningKind::mark) return;
    if (happening.kind == HappeningKind::down || happening.kind == HappeningKind::up) {
      lost_.insert("outages");
      return;
    }
    const bool on_host = on.kind() == ResourceKind::host;
    std::size_t at = on.at();
    if (on.kind() == ResourceKind::link) {
      const auto gateway = std::ranges::find(platform_.clusters(), on.link(), &Cluster::link);
      if (gateway == platform_.clusters().end()) return;  // one between routers
      at = static_cast<std::size_t>(gateway - platform_.clusters().begin());
    }
    Current& current = on_host ? hosts_[at] : clusters_[at];
    if (happening.kind == HappeningKind::leave) {
      event(on_host ? PstEventKind::remove_host : PstEventKind::remove_cluster, happening.at, at, at);
      current.present = false;
      for (Current& host : hosts_)
        if (!on_host && host.cluster == at) host.present = false;
      return;
    }
    if (happening.kind == HappeningKind::join) {
      if (current.present) return;  // it has no effect
      if (on_host && happening.cluster.valid()) current.cluster = happening.cluster.index;
      if (happening.architecture >= 0) current.architecture = happening.architecture;
      if (on_host && !clusters_[current.cluster].present) {
        lost_.insert("hosts that join a cluster which is away");
        return;
      }
    }
    if (happening.kind == HappeningKind::join || current.present) {
      if (!std::isnan(happening.factor)) current.factor = happening.factor;
      if (happening.profile != kNone) {
        current.profile = &scenario_.profiles[happening.profile];
        current.anchor = happening.at;
      }
      if (happening.latency != kNone) {
        current.latency = &scenario_.profiles[happening.latency];
        current.latency_anchor = happening.at;
      }
    }
    if (happening.kind == HappeningKind::join) {
      current.present = true;
      event(on_host ? PstEventKind::add_host : PstEventKind::add_cluster, happening.at,
            on_host ? current.cluster : at, at);
    } else {
      event(on_host ? PstEventKind::change_host : PstEventKind::change_cluster, happening.at, at, at);
    }
  }

  // Adds a line to the grid. The kind decides whether it names the cluster or the host.
  void event(PstEventKind kind, Time at, std::size_t cluster, std::size_t host) {
    PstEvent made;
    made.at = at;
    made.kind = kind;
    made.line = static_cast<int>(files_.grid.events.size()) + 2;
    const bool on_host = kind == PstEventKind::add_host || kind == PstEventKind::remove_host ||
                         kind == PstEventKind::change_host;
    if (on_host) made.host = platform_.hosts()[host].name;
    if (!on_host || kind == PstEventKind::add_host) made.cluster = platform_.clusters()[cluster].name;
    if (kind == PstEventKind::add_host) {
      if (!std::exchange(hosts_[host].added, true) && host < last_host_)
        lost_.insert("the order of hosts that join later");
      last_host_ = std::max(last_host_, host);
      made.architecture = class_of(host);
    }
    if (kind != PstEventKind::remove_host && kind != PstEventKind::remove_cluster)
      made.behaviour = on_host ? host_behaviour(hosts_[host], at)
                               : link_behaviour(clusters_[cluster], platform_.clusters()[cluster], at);
    files_.grid.events.push_back(std::move(made));
  }

  // The entries from t on; if there is no such series, only the value at t.
  std::vector<double> entries_at(const Profile& profile, Time anchor, Time t, std::string_view what) {
    if (auto found = entries(profile, anchor, t, period_)) return std::move(*found);
    lost_.insert(fmt::format("{} in steps of other than {} s", what, format_number(period_)));
    return {profile.at(t - anchor)};
  }

  std::string host_behaviour(const Current& host, Time t) {
    PstBehaviour behaviour;
    for (const double value : entries_at(*host.profile, host.anchor, t, "availability")) {
      const double percent = value * host.factor * 100;
      if (percent > 100) lost_.insert("speeds above the nominal one");
      behaviour.percent.push_back(std::min(percent, 100.0));
    }
    return named(behaviour, files_.behaviours.of_hosts,
                 fmt::format("stable_{}", format_number(behaviour.percent[0])), "host_series");
  }

  std::string link_behaviour(const Current& link, const Cluster& cluster, Time t) {
    std::vector<double> bandwidth = entries_at(*link.profile, link.anchor, t, "bandwidth");
    std::vector<double> latency = entries_at(*link.latency, link.latency_anchor, t, "latency");
    if (platform_[cluster.link].implied) bandwidth = {kNoTime};
    PstBehaviour behaviour;
    const std::size_t length = std::lcm(bandwidth.size(), latency.size());
    if (length > kLongestSeries) {
      lost_.insert("changes of latency");
      latency.resize(1);
    }
    for (std::size_t i = 0; i < std::lcm(bandwidth.size(), latency.size()); ++i) {
      behaviour.bandwidth.push_back(std::min(bandwidth[i % bandwidth.size()] * link.factor, kNoTime));
      behaviour.latency.push_back(latency[i % latency.size()] * 1000);
    }
    return named(behaviour, files_.behaviours.of_links,
                 fmt::format("link_{}_{}ms", format_number(behaviour.bandwidth[0]),
                             format_number(behaviour.latency[0])),
                 "link_series");
  }

  // The name of such a behaviour; a new one is added to `all`.
  static std::string named(const PstBehaviour& behaviour, std::map<std::string, PstBehaviour>& all,
                           const std::string& stable, std::string_view series) {
    for (const auto& [name, known] : all)
      if (known == behaviour) return name;
    std::string name = behaviour.size() == 1 ? stable : std::string(series) + "_1";
    for (std::size_t n = 2; all.contains(name); ++n) name = fmt::format("{}_{}", series, n);
    all.emplace(name, behaviour);
    return name;
  }

  // ---- run times ----

  // Hosts on which every task takes the same time have one architecture.
  struct Class {
    HostId host;                // one of them
    std::int32_t architecture;  // of the platform
    auto operator<=>(const Class&) const = default;
  };

  void classes() {
    const Workload& workload = *scenario_.workload;
    bool by_host = false;
    for (const Work& work : workload.works) by_host = by_host || work.form == TimeForm::by_host;
    const auto& hosts = platform_.hosts();
    std::int32_t most = static_cast<std::int32_t>(workload.architectures) - 1;
    bool one_speed = !by_host;
    for (const Host& host : hosts) {
      most = std::max(most, host.architecture);
      one_speed = one_speed && host.speed == hosts[0].speed;
    }
    for (const Happening& happening : scenario_.happenings) most = std::max(most, happening.architecture);
    alike_ = one_speed;
    by_host_ = by_host;
    if (!alike_) return;  // as they turn up
    for (std::int32_t a = 0; a <= most; ++a) classes_.push_back({HostId(0), a});
  }

  // The number of the class to which the host belongs.
  std::int32_t class_of(std::size_t host) {
    const std::int32_t architecture = hosts_[host].architecture;
    if (alike_) return architecture;
    for (std::size_t c = 0; c < classes_.size(); ++c)
      if (classes_[c].architecture == architecture &&
          (by_host_ ? classes_[c].host == HostId(host)
                    : platform_[classes_[c].host].speed == platform_.hosts()[host].speed))
        return static_cast<std::int32_t>(c);
    classes_.push_back({HostId(host), architecture});
    return static_cast<std::int32_t>(classes_.size() - 1);
  }

  void application() {
    const Workload& workload = *scenario_.workload;
    for (const File& file : workload.files)
      files_.application.files.push_back({file.name, file.size, file.estimate});
    if (classes_.empty()) classes_.push_back({HostId(0), 0});
    for (std::size_t w = 0; w < workload.size(); ++w) {
      const WorkId id(w);
      const Work& work = workload[id];
      const bool single = work.kind == WorkKind::task || (work.kind == WorkKind::job && work.cores == 1);
      if (!single) fail("not_pst", "{}: the format has tasks on one core only", workload.name_of(id));
      if (work.arrival > 0) lost_.insert("arrivals");
      if (work.deadline < kNever) lost_.insert("deadlines");
      if (work.priority != 0) lost_.insert("priorities");
      if (work.user.valid()) lost_.insert("users");
      PstTask task;
      for (const FileId file : workload.inputs(id)) task.inputs.push_back(file.index);
      for (const FileId file : workload.outputs(id)) task.outputs.push_back(file.index);
      for (const Class& each : classes_) {
        const Host& host = platform_[each.host];
        const Piece piece{id, 0, 1};
        task.times.push_back(true_time(workload, piece, host, each.host, each.architecture));
        task.estimates.push_back(declared_time(workload, piece, host, each.host, each.architecture));
        if (!(task.times.back() < kNever) || !(task.estimates.back() < kNever))
          fail("not_pst", "{}: the format has no hosts that cannot run a task, as host '{}'",
               workload.name_of(id), host.name);
      }
      files_.application.tasks.push_back(std::move(task));
    }
  }

  const Scenario& scenario_;
  const Platform& platform_;
  Seconds period_;
  PstFiles files_;
  std::set<std::string> lost_;
  std::vector<Current> hosts_, clusters_;
  std::vector<Class> classes_;
  std::size_t last_host_ = 0;
  bool alike_ = true, by_host_ = false;
};

}  // namespace

PstPlatform pst_platform(const PstGrid& grid, const PstBehaviours& behaviours, Seconds sample_period) {
  return Binder(grid, behaviours, sample_period).bind();
}

Workload pst_workload(const PstApplication& application) {
  Workload workload;
  for (const PstFile& file : application.files)
    workload.files.push_back({file.name, file.size, file.estimate});
  for (const PstTask& task : application.tasks) {
    Work work;
    work.form = TimeForm::by_architecture;
    work.times = static_cast<std::uint32_t>(workload.times.size());
    workload.times.insert(workload.times.end(), task.times.begin(), task.times.end());
    work.estimates = static_cast<std::uint32_t>(workload.times.size());
    workload.times.insert(workload.times.end(), task.estimates.begin(), task.estimates.end());
    work.inputs = static_cast<std::uint32_t>(workload.file_lists.size());
    work.input_count = static_cast<std::uint16_t>(task.inputs.size());
    for (const std::uint32_t file : task.inputs) workload.file_lists.emplace_back(file);
    work.outputs = static_cast<std::uint32_t>(workload.file_lists.size());
    work.output_count = static_cast<std::uint16_t>(task.outputs.size());
    for (const std::uint32_t file : task.outputs) workload.file_lists.emplace_back(file);
    workload.names.push_back(fmt::format("task{}", workload.works.size()));
    workload.works.push_back(work);
  }
  if (!application.tasks.empty())
    workload.architectures = static_cast<std::uint32_t>(application.tasks[0].times.size());
  return workload;
}

PstFiles pst_files(const Scenario& scenario, Seconds sample_period) {
  return Writer(scenario, sample_period).write();
}

}  // namespace perigee::readers
