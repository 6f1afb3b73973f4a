// Runs as figures.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "runtime/kernel/error.h"
#include "runtime/results/executions.h"
#include "runtime/results/plot.h"
#include "runtime/results/time_units.h"

namespace perigee::results {
namespace {

// The largest unit that fits into the time several times.
TimeUnit unit_for(double seconds) {
  TimeUnit unit = kTimeUnits[0];
  for (const TimeUnit& u : kTimeUnits)
    if (seconds >= (u.seconds > 1 ? 5 : 1) * u.seconds) unit = u;
  return unit;
}

using Changes = std::vector<std::pair<Time, double>>;  // by how much a value changes when

// A point for each time at which the sum of the changes so far has a new value, from the first change to
// `end`. If there are more than kMostSteps, the means over kMeans intervals, equally long.
std::vector<Point> steps(Changes changes, Time from, Time end, double unit, std::size_t& intervals) {
  constexpr std::size_t kMostSteps = 1000, kMeans = 400;
  std::stable_sort(changes.begin(), changes.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Point> points = {{from, 0}};
  for (const auto& [at, by] : changes) {
    if (at > points.back().x) points.push_back({at, points.back().y});
    points.back().y += by;
  }
  if (end > points.back().x) points.push_back({end, points.back().y});
  std::vector<Point> kept;
  for (const Point& p : points)
    if (kept.empty() || p.y != kept.back().y || &p == &points.back()) kept.push_back(p);
  if (kept.size() > kMostSteps) {
    intervals = kMeans;
    const double length = (end - from) / static_cast<double>(kMeans);
    std::vector<Point> means;
    for (std::size_t i = 0, at = 0; i < kMeans; ++i) {
      const double start = from + length * static_cast<double>(i), stop = start + length;
      double area = 0;
      for (double t = start; t < stop;) {
        while (at + 1 < kept.size() && kept[at + 1].x <= t) ++at;
        const double next = at + 1 < kept.size() ? std::min(kept[at + 1].x, stop) : stop;
        area += kept[at].y * (next - t);
        t = next;
      }
      means.push_back({start, area / length});
    }
    means.push_back({end, means.back().y});
    kept = std::move(means);
  }
  for (Point& p : kept) p.x /= unit;
  return kept;
}

Figure over_time(const Outcome& outcome, std::string what,
                 const std::vector<std::pair<std::string, Changes>>& curves) {
  Time from = outcome.end;
  for (const auto& [name, changes] : curves)
    for (const auto& [at, by] : changes) from = std::min(from, at);
  if (!(outcome.end > from)) fail("bad_figure", "nothing has run");
  const TimeUnit unit = unit_for(outcome.end);
  Figure figure;
  figure.kind = FigureKind::steps;
  figure.x = {"time", unit.name};
  figure.y = {std::move(what)};
  std::size_t intervals = 0;
  for (const auto& [name, changes] : curves)
    figure.series.push_back({name, steps(changes, from, outcome.end, unit.seconds, intervals)});
  if (intervals > 0) figure.note = fmt::format("means over {} intervals", intervals);
  return figure;
}

class GanttFigure {
 public:
  GanttFigure(const Outcome& outcome, const ChartPart& part)
      : outcome_(outcome),
        part_(part),
        platform_(*outcome.scenario->platform),
        workload_(*outcome.scenario->workload),
        runs_(executions(outcome)),
        away_(absences(outcome)),
        unit_(unit_for(std::min(outcome.end, part.to))) {}

  Figure figure() {
    if (runs_.all.empty()) fail("bad_figure", "nothing has run");
    look_for_users();
    figure_.kind = FigureKind::gantt;
    figure_.x = {"time", unit_.name};
    figure_.by = by_user_ ? "user" : "what";
    std::vector<std::size_t> hosts;
    std::vector<std::uint8_t> theirs(platform_.links().size(), part_.hosts.empty() ? 1 : 0);
    for (std::size_t h = 0; part_.hosts.empty() && h < platform_.hosts().size(); ++h) hosts.push_back(h);
    for (const HostId host : part_.hosts) {
      hosts.push_back(host.index);
      theirs[platform_[platform_[host].cluster].link.index] = 1;
    }
    const auto on_host = lanes(outcome_, runs_);
    for (const std::size_t h : hosts) add_host(h, on_host[h]);
    for (std::size_t l = 0; l < platform_.links().size(); ++l)
      if (!platform_.links()[l].implied && theirs[l] != 0) add_link(LinkId(l));
    for (auto& [what, series] : classes_) figure_.series.push_back(std::move(series));
    if (figure_.series.empty()) fail("bad_figure", "nothing has run in that part");
    return std::move(figure_);
  }

 private:
  // Layers are drawn from back to front; within a layer, classes are in the order of their names.
  enum Layer { kHeld, kWork, kBroken, kAway };
  using Class = std::pair<Layer, std::string>;

  std::string user_of(WorkId work) const {
    const UserId user = workload_[work].user;
    return user.valid() && user.index < workload_.users.size() ? workload_.users[user.index] : "no user";
  }

  void look_for_users() {
    std::set<std::string> users;
    for (const Execution& run : runs_.all)
      if (run.work.valid()) users.insert(user_of(run.work));
    by_user_ = users.size() > 1 && users.size() <= 7;
  }

  Class class_of(const Execution& run) const {
    if (run.how == RecordKind::lost) return {kBroken, "lost"};
    if (run.how == RecordKind::cancelled) return {kBroken, "cancelled"};
    if (run.how == RecordKind::superseded) return {kBroken, run.copy ? "copy, superseded" : "superseded"};
    if (run.copy) return {kBroken, "copy"};
    if (run.kind == ActivityKind::transfer_in) return {kWork, "file in"};
    if (run.kind == ActivityKind::transfer_out) return {kWork, "file out"};
    if (run.kind == ActivityKind::chunk) return {kWork, "receiving"};
    if (!run.work.valid()) return {kHeld, "held"};
    if (by_user_) return {kWork, user_of(run.work)};
    return {kWork, std::string(name_of(workload_[run.work].kind))};
  }

  bool is_within(Time from, Time to) const {
    return from <= part_.to && to >= part_.from && (to > part_.from || from == to);
  }
  double place(Time t) const { return std::clamp(t, part_.from, part_.to) / unit_.seconds; }

  void put(const Class& what, GanttBar bar) {
    Series& series = classes_[what];
    series.name = what.second;
    series.hatched = what.first >= kBroken;
    series.gantt_bars.push_back(std::move(bar));
  }
  void put(const Execution& run, std::size_t lane) {
    put(class_of(run), {place(run.started), place(run.ended), lane, bar_label(workload_, run)});
  }
  void absent(const std::vector<Away>& all, std::size_t lane) {
    for (const Away& a : all)
      if (is_within(a.from, a.to))
        put({kAway, a.why == Reason::reservation ? "set aside" : "away"}, {place(a.from), place(a.to), lane});
  }

  void add_host(std::size_t h, const std::vector<Lane>& lanes) {
    const Host& host = platform_.hosts()[h];
    const std::int32_t cores = by_whole_hosts(workload_) ? 1 : host.cores;
    for (std::int32_t core = 0; core < cores; ++core) {
      const std::size_t lane = figure_.y.categories.size();
      figure_.y.categories.push_back(cores == 1 ? host.name : fmt::format("{} {}", host.name, core + 1));
      absent(away_.hosts[h], lane);
      for (const Lane& on : lanes)
        if (on.core == core || on.core < 0) {
          const Execution& run = runs_.all[on.execution];
          if (is_within(run.started, run.ended)) put(run, lane);
        }
    }
  }

  // A link has a lane when something went over it.
  void add_link(LinkId link) {
    const std::size_t lane = figure_.y.categories.size();
    bool used = false;
    for (const Execution& run : runs_.all) {
      const auto on = runs_.on(run);
      if (!run.is_transfer() || !is_within(run.started, run.ended) ||
          std::find(on.begin(), on.end(), ResourceId::of(link)) == on.end())
        continue;
      used = true;
      put(run, lane);
    }
    if (!used) return;
    figure_.y.categories.push_back(platform_[link].name);
    absent(away_.links[link.index], lane);
  }

  const Outcome& outcome_;
  const ChartPart& part_;
  const Platform& platform_;
  const Workload& workload_;
  const Executions runs_;
  const Absences away_;
  const TimeUnit unit_;
  bool by_user_ = false;
  Figure figure_;
  std::map<Class, Series> classes_;
};

}  // namespace

Figure gantt_figure(const Outcome& outcome, const ChartPart& part) {
  return GanttFigure(outcome, part).figure();
}

Figure utilization_figure(const Outcome& outcome) {
  const std::span<const Host> hosts = outcome.scenario->platform->hosts();
  const Executions runs = executions(outcome);
  const Absences away = absences(outcome);
  Changes busy, up;
  Time from = outcome.end;
  for (std::size_t i = 0; i < outcome.trace.size() && outcome.trace[i].time < from; ++i)
    if (outcome.trace[i].kind == RecordKind::arrived) from = outcome.trace[i].time;
  for (const Execution& run : runs.all)
    for (const UsedResource& on : runs.on(run)) {
      if (on.kind() != ResourceKind::host) continue;
      const bool hold = run.kind == ActivityKind::hold;
      if (hold &&
          !(run.work.valid() && (*outcome.scenario->workload)[run.work].kind == WorkKind::reservation))
        continue;
      const double cores = hold ? hosts[on.at()].cores : on.cores;
      from = std::min(from, run.started);
      each_present(away.hosts[on.at()], run.started, run.ended, [&](Time a, Time b) {
        busy.emplace_back(a, cores);
        busy.emplace_back(b, -cores);
      });
    }
  for (std::size_t h = 0; h < hosts.size(); ++h) {
    const double cores = hosts[h].cores;
    up.emplace_back(from, cores);
    for (const Away& a : away.hosts[h]) {
      if (a.to <= from) continue;
      up.emplace_back(std::max(a.from, from), -cores);
      up.emplace_back(a.to, cores);
    }
  }
  std::erase_if(up, [&](const auto& change) { return change.first >= outcome.end && change.second > 0; });
  return over_time(outcome, "cores", {{"busy", busy}, {"up", up}});
}

Figure queue_figure(const Outcome& outcome) {
  std::vector<bool> waits(outcome.scenario->workload->size());
  Changes waiting;
  for (std::size_t i = 0; i < outcome.trace.size(); ++i) {
    const Record& record = outcome.trace[i];
    if (!record.work.valid() || record.work.index >= waits.size()) continue;
    if (record.kind == RecordKind::arrived) {
      waits[record.work.index] = true;
      waiting.emplace_back(record.time, 1);
    } else if ((record.kind == RecordKind::started || record.kind == RecordKind::rejected ||
                record.kind == RecordKind::expired || record.kind == RecordKind::killed ||
                record.kind == RecordKind::finished) &&
               waits[record.work.index]) {
      waits[record.work.index] = false;
      waiting.emplace_back(record.time, -1);
    }
  }
  return over_time(outcome, "waiting works", {{"", waiting}});
}

}  // namespace perigee::results
