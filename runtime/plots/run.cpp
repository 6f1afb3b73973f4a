// Runs as figures.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/kernel/error.h"
#include "runtime/plots/plot.h"
#include "runtime/results/energy.h"
#include "runtime/results/executions.h"
#include "runtime/results/time_units.h"

namespace perigee::plots {
namespace {

// The largest unit that fits into the time several times.
TimeUnit unit_for(double seconds) {
  TimeUnit unit = kTimeUnits[0];
  for (const TimeUnit& u : kTimeUnits)
    if (seconds >= (u.seconds > 1 ? 5 : 1) * u.seconds) unit = u;
  return unit;
}

using Changes = std::vector<std::pair<Time, double>>;  // by how much a value changes when

// The values of a sum of changes, from the first time on.
std::vector<Point> levels(Changes changes, Time from) {
  std::stable_sort(changes.begin(), changes.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Point> points = {{from, 0}};
  for (const auto& [at, by] : changes) {
    if (at > points.back().x) points.push_back({at, points.back().y});
    points.back().y += by;
  }
  return points;
}

// A value that lasts until the next one has another, and the last one at `end`.
std::vector<Point> without_repetition(std::vector<Point> points, Time end) {
  if (end > points.back().x) points.push_back({end, points.back().y});
  std::vector<Point> kept;
  for (const Point& p : points)
    if (kept.empty() || p.y != kept.back().y || &p == &points.back()) kept.push_back(p);
  return kept;
}

constexpr std::size_t kMostPlottedSteps = 1000, kMeans = 400;

// Over kMeans intervals, equally long.
std::vector<Point> means_of(const std::vector<Point>& steps, Time from, Time end) {
  const double length = (end - from) / static_cast<double>(kMeans);
  std::vector<Point> means;
  for (std::size_t i = 0, at = 0; i < kMeans; ++i) {
    const double start = from + length * static_cast<double>(i), stop = start + length;
    double area = 0;
    for (double t = start; t < stop;) {
      while (at + 1 < steps.size() && steps[at + 1].x <= t) ++at;
      const double next = at + 1 < steps.size() ? std::min(steps[at + 1].x, stop) : stop;
      area += steps[at].y * (next - t);
      t = next;
    }
    means.push_back({start, area / length});
  }
  means.push_back({end, means.back().y});
  return means;
}

using Curve = std::pair<std::string, std::vector<Point>>;  // by time; each value lasts until the next

// A point for each time at which a curve has a new value, until the end of the run, or means where there are too many.
// Where curves stand on each other, all have means or none.
Figure over_time(const Outcome& outcome, std::string what, std::vector<Curve> curves, Time from,
                 FigureKind kind = FigureKind::steps) {
  if (!(outcome.end > from)) fail("bad_figure", "nothing has run");
  const TimeUnit unit = unit_for(outcome.end);
  Figure figure;
  figure.kind = kind;
  figure.x = {"time", unit.name};
  figure.y = {std::move(what)};
  bool many = false;
  for (auto& [name, points] : curves) {
    points = without_repetition(std::move(points), outcome.end);
    many = many || points.size() > kMostPlottedSteps;
  }
  if (many) figure.note = fmt::format("means over {} intervals", kMeans);
  for (auto& [name, points] : curves) {
    if (many && (points.size() > kMostPlottedSteps || kind == FigureKind::areas))
      points = means_of(points, from, outcome.end);
    for (Point& p : points) p.x /= unit.seconds;
    figure.series.push_back({name, std::move(points)});
  }
  return figure;
}

Figure over_time(const Outcome& outcome, std::string what,
                 const std::vector<std::pair<std::string, Changes>>& changing) {
  Time from = outcome.end;
  for (const auto& [name, changes] : changing)
    for (const auto& [at, by] : changes) from = std::min(from, at);
  std::vector<Curve> curves;
  for (const auto& [name, changes] : changing) curves.emplace_back(name, levels(changes, from));
  return over_time(outcome, std::move(what), std::move(curves), from);
}

class GanttFigure {
 public:
  GanttFigure(const Outcome& outcome, const ChartPart& part)
      : outcome_(outcome),
        part_(part),
        platform_(*outcome.scenario->platform),
        workload_(*outcome.scenario->workload),
        runs_(spells(executions(outcome))),
        away_(absences(outcome)),
        unit_(unit_for(part.to < kNever && !windows_of(*outcome.scenario).empty()
                           ? part.to
                           : std::min(outcome.end, part.to))),
        spans_(spans_hosts(runs_)) {
    if (part.to < kNever) add_windows_to_come(away_, outcome, part.to);
  }

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
    if (part_.rows > 0) {
      add_rows(hosts, on_host, part_.rows);
    } else if (!spans_) {
      for (const std::size_t h : hosts) add_host(h, on_host[h]);
    } else {
      find_rectangles(hosts, on_host);
      if (are_illegible(hosts.size()))
        add_rows(hosts, on_host, kRows);
      else
        add_rectangles(hosts);
    }
    for (std::size_t l = 0; l < platform_.links().size(); ++l)
      if (!platform_.links()[l].implied && theirs[l] != 0) add_link(LinkId(l));
    for (auto& [what, series] : classes_) figure_.series.push_back(std::move(series));
    if (figure_.series.empty()) fail("bad_figure", "nothing has run in that part");
    return std::move(figure_);
  }

 private:
  static constexpr std::size_t kRows = 32;   // of neighbouring hosts, where bars cannot be told apart
  static constexpr std::uint8_t kTints = 7;  // of neighbouring jobs
  // Layers are drawn from back to front; within a layer, classes are in the order of their names.
  enum Layer { kHeld, kWork, kBroken, kAway };
  using Class = std::pair<Layer, std::string>;

  void look_for_users() {
    std::set<std::string> users;
    for (const Execution& run : runs_.all)
      if (run.work.valid()) users.insert(user_label(workload_, run.work));
    by_user_ = users.size() > 1 && users.size() <= 7;
  }

  Class class_of(const Execution& run) const {
    if (run.how == RecordKind::lost) return {kBroken, "lost"};
    if (run.how == RecordKind::cancelled) return {kBroken, run.why == Reason::limit ? "killed" : "cancelled"};
    if (run.how == RecordKind::superseded) return {kBroken, run.copy ? "copy, superseded" : "superseded"};
    if (run.copy) return {kBroken, "copy"};
    if (run.kind == ActivityKind::transfer_in) return {kWork, "file in"};
    if (run.kind == ActivityKind::transfer_out) return {kWork, "file out"};
    if (run.kind == ActivityKind::chunk) return {kWork, "receiving"};
    if (run.kind == ActivityKind::dump) return {kWork, run.first == 1 ? "restart" : "dump"};
    if (!run.work.valid()) return {kHeld, "held"};
    if (spans_ && workload_[run.work].kind == WorkKind::reservation) return {kHeld, kReserved};
    if (by_user_) return {kWork, user_label(workload_, run.work)};
    return {kWork, std::string(name_of(workload_[run.work].kind))};
  }

  bool is_within(Time from, Time to) const {
    return from <= part_.to && to >= part_.from && (to > part_.from || from == to);
  }
  double place(Time t) const { return std::clamp(t, part_.from, part_.to) / unit_.seconds; }

  void put(const Class& what, GanttBar bar) {
    Series& series = classes_[what];
    series.name = what.second;
    series.hatched = what.first >= kBroken || (what.first == kHeld && what.second == kReserved);
    series.edged = !collapsed_;
    series.gantt_bars.push_back(std::move(bar));
  }
  void put(const Execution& run, std::size_t lane) {
    put(class_of(run), {place(run.started), place(run.ended), lane, bar_label(workload_, run)});
  }
  static Class class_of(const Away& away) {
    return {kAway, away.why == Reason::reservation   ? "set aside"
                   : away.why == Reason::maintenance ? "maintenance"
                                                     : "away"};
  }
  void absent(const std::vector<Away>& all, std::size_t lane) {
    for (const Away& a : all)
      if (is_within(a.from, a.to)) put(class_of(a), {place(a.from), place(a.to), lane});
  }

  // A part of a lane, or of several that follow one another.
  struct Rectangle {
    std::uint32_t execution = kNone;  // none: the hosts are away
    Class away = {};
    Time from = 0, to = 0;
    std::size_t lane = 0, more = 0;
    double top = 0, bottom = 1;
    void lengthen(const Rectangle& below) {
      more = below.lane - lane;
      bottom = below.bottom;
    }
    bool touches(const Rectangle& below) const {
      return lane + more + 1 == below.lane && bottom == 1 && below.top == 0;
    }
  };

  bool takes_all(const Execution& run, const Host& host) const {
    if (run.kind == ActivityKind::hold || host.exclusive) return true;
    if (!run.work.valid()) return false;
    const Shape* shape = workload_.shape_of(run.work);
    return shape != nullptr && shape->exclusive;
  }

  // Each activity on each host, and each absence, in one rectangle with what touches it on the host before.
  void find_rectangles(const std::vector<std::size_t>& hosts, const std::vector<std::vector<Lane>>& on_host) {
    std::vector<std::size_t> last_of(runs_.all.size(), kNone);  // rectangle of an execution
    std::map<std::pair<Class, std::pair<Time, Time>>, std::size_t> last_away;
    const auto add = [&](std::size_t& last, Rectangle made) {
      if (last != kNone && rectangles_[last].touches(made)) {
        rectangles_[last].lengthen(made);
        return;
      }
      last = rectangles_.size();
      rectangles_.push_back(std::move(made));
    };
    for (std::size_t lane = 0; lane < hosts.size(); ++lane) {
      const std::size_t h = hosts[lane];
      const Host& host = platform_.hosts()[h];
      const auto cores = static_cast<double>(host.cores);
      const std::vector<Lane>& all = on_host[h];
      for (std::size_t i = 0, next = 0; i < all.size(); i = next) {
        const Execution& run = runs_.all[all[i].execution];
        const auto follows = [&](std::size_t at) {
          return all[at].execution == all[i].execution && all[at].core == all[at - 1].core + 1;
        };
        for (next = i + 1; next < all.size() && follows(next);) ++next;
        if (!is_within(run.started, run.ended) || (run.started >= part_.to && run.ended > part_.to)) continue;
        Rectangle made{all[i].execution, {}, run.started, run.ended, lane};
        const bool takes_host = takes_all(run, host);
        if (!takes_host) {
          made.top = all[i].core / cores;
          made.bottom = (all[next - 1].core + 1) / cores;
        }
        const bool again = i > 0 && all[i - 1].execution == all[i].execution;  // further cores of this host
        if (!again || !takes_host) add(last_of[all[i].execution], made);
      }
      for (const Away& away : away_.hosts[h]) {
        if (!is_within(away.from, away.to)) continue;
        const Class what = class_of(away);
        const auto known = last_away.try_emplace({what, {away.from, away.to}}, std::size_t{kNone}).first;
        add(known->second, {kNone, what, away.from, away.to, lane});
      }
    }
  }

  // More than half of many bars are narrower than a pixel, or there are too many lanes.
  bool are_illegible(std::size_t lanes) const {
    constexpr std::size_t kFew = 1000;
    constexpr double kPixels = 640;
    if (lanes > kMostLanes || rectangles_.size() > kMostMarks) return true;
    if (rectangles_.size() <= kFew) return false;
    Time first = kNever, last = 0;
    for (const Rectangle& each : rectangles_) {
      first = std::min(first, std::max(each.from, part_.from));
      last = std::max(last, std::min(each.to, part_.to));
    }
    const Seconds pixel = (last - first) / kPixels;
    const auto narrow = std::ranges::count_if(
        rectangles_, [&](const Rectangle& each) { return each.to - each.from < pixel; });
    return static_cast<std::size_t>(narrow) > rectangles_.size() / 2;
  }

  void add_rectangles(const std::vector<std::size_t>& hosts) {
    for (const std::size_t h : hosts) figure_.y.categories.push_back(platform_.hosts()[h].name);
    for (const Rectangle& each : rectangles_) {
      GanttBar bar{place(each.from), place(each.to), each.lane, {}, each.more, each.top, each.bottom};
      if (each.execution == kNone) {
        put(each.away, std::move(bar));
        continue;
      }
      const Execution& run = runs_.all[each.execution];
      bar.label = bar_label(workload_, run);
      const Class what = class_of(run);
      if (what.first == kWork && !by_user_ && run.work.valid() && !run.is_transfer())
        bar.tint = static_cast<std::uint8_t>(run.work.index % kTints + 1);
      put(what, std::move(bar));
    }
  }

  // A sum over time, in equal intervals.
  class Shares {
   public:
    Shares(Time from, Seconds each, std::size_t count)
        : from_(from), each_(each), sums_(count), steps_(count + 1) {}
    void add(Time a, Time b, double cores) {
      const auto count = static_cast<double>(sums_.size());
      const double x = std::clamp((a - from_) / each_, 0.0, count),
                   y = std::clamp((b - from_) / each_, 0.0, count);
      if (!(y > x)) return;
      const auto first = static_cast<std::size_t>(x),
                 last = std::min(static_cast<std::size_t>(y), sums_.size() - 1);
      if (first == last) {
        sums_[first] += cores * (y - x);
        return;
      }
      sums_[first] += cores * (static_cast<double>(first + 1) - x);
      sums_[last] += cores * (y - static_cast<double>(last));
      steps_[first + 1] += cores;
      steps_[last] -= cores;
    }
    // The mean of an interval; those before it must have been asked for.
    double next(std::size_t i) { return sums_[i] + (level_ += steps_[i]); }

   private:
    Time from_;
    Seconds each_;
    std::vector<double> sums_, steps_;
    double level_ = 0;
  };

  // A lane for each group of neighbouring hosts, with the shares of their cores from below. The share that is away
  // comes from above.
  void add_rows(const std::vector<std::size_t>& hosts, const std::vector<std::vector<Lane>>& on_host,
                std::size_t most) {
    constexpr std::size_t kIntervals = 400, kFewest = 50;
    collapsed_ = true;
    const std::size_t group = std::max<std::size_t>(1, (hosts.size() + most - 1) / most);
    const std::size_t rows = (hosts.size() + group - 1) / group;
    Time from = kNever, to = outcome_.end;
    for (const Execution& run : runs_.all) from = std::min(from, run.started);
    for (const std::size_t h : hosts)
      for (const Away& away : away_.hosts[h]) to = std::max(to, away.to);
    to = std::min(to, part_.to);
    from = std::max(from, part_.from);
    if (!(to > from)) fail("bad_figure", "nothing has run in that part");
    std::set<Class> known;
    for (const Execution& run : runs_.all) known.insert(class_of(run));
    const std::size_t intervals = std::clamp(kMostMarks / (rows * (known.size() + 3)), kFewest, kIntervals);
    const Seconds each = (to - from) / static_cast<double>(intervals);
    for (std::size_t row = 0; row < rows; ++row) {
      const std::size_t first = row * group, end = std::min(first + group, hosts.size());
      const std::string& name = platform_.hosts()[hosts[first]].name;
      figure_.y.categories.push_back(end - first == 1 ? name
                                                      : name + ".." + platform_.hosts()[hosts[end - 1]].name);
      std::map<Class, Shares> shares;
      const auto share_of = [&](const Class& what) -> Shares& {
        return shares.try_emplace(what, from, each, intervals).first->second;
      };
      double cores = 0;
      for (std::size_t k = first; k < end; ++k) {
        const std::size_t h = hosts[k];
        const double all = platform_.hosts()[h].cores;
        cores += all;
        for (const Lane& lane : on_host[h]) {
          const Execution& run = runs_.all[lane.execution];
          if (!is_within(run.started, run.ended)) continue;
          each_present(away_.hosts[h], run.started, run.ended,
                       [&](Time a, Time b) { share_of(class_of(run)).add(a, b, lane.core < 0 ? all : 1); });
        }
        for (const Away& away : away_.hosts[h]) share_of(class_of(away)).add(away.from, away.to, all);
      }
      add_row(row, shares, cores, from, each, intervals);
    }
    figure_.note =
        fmt::format("{} hosts in rows of {}; heights are shares of their cores, means over {} intervals",
                    hosts.size(), group, intervals);
  }

  void add_row(std::size_t lane, std::map<Class, Shares>& shares, double cores, Time from, Seconds each,
               std::size_t intervals) {
    constexpr double kSteps = 100;  // of a height
    struct Open {
      GanttBar bar;
      bool is_there = false;
    };
    std::map<Class, Open> open;
    const auto close = [&](const Class& what, Open& last) {
      if (std::exchange(last.is_there, false)) put(what, last.bar);
    };
    for (std::size_t i = 0; i < intervals; ++i) {
      double below = 0, above = 0;  // taken so far
      for (auto& [what, of] : shares) {
        const double share = std::clamp(of.next(i) / cores, 0.0, 1.0);
        const double before = what.first == kAway ? above : below;
        const double after = std::min(before + share, what.first == kAway ? 1 - below : 1);
        (what.first == kAway ? above : below) = std::max(before, after);
        const double a = std::round(before * kSteps) / kSteps, b = std::round(after * kSteps) / kSteps;
        Open& last = open[what];
        if (!(b > a)) {
          close(what, last);
          continue;
        }
        const double top = what.first == kAway ? a : 1 - b, bottom = what.first == kAway ? b : 1 - a;
        const double start = (from + each * static_cast<double>(i)) / unit_.seconds;
        const double stop = (from + each * static_cast<double>(i + 1)) / unit_.seconds;
        if (last.is_there && last.bar.top == top && last.bar.bottom == bottom) {
          last.bar.to = stop;
          continue;
        }
        close(what, last);
        last = {{start, stop, lane, {}, 0, top, bottom}, true};
      }
    }
    for (auto& [what, last] : open) close(what, last);
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
  Absences away_;
  const TimeUnit unit_;
  const bool spans_;  // jobs had several hosts
  static constexpr const char* kReserved = "reservation";
  std::vector<Rectangle> rectangles_;
  bool by_user_ = false, collapsed_ = false;
  Figure figure_;
  std::map<Class, Series> classes_;
};

}  // namespace

Figure gantt_figure(const Outcome& outcome, const ChartPart& part) {
  return GanttFigure(outcome, part).figure();
}

Figure utilization_figure(const Outcome& outcome) {
  const std::span<const Host> hosts = outcome.scenario->platform->hosts();
  const Executions runs = spells(executions(outcome));
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

Figure power_figure(const Outcome& outcome) {
  const EnergyMeter meter = energy_of(outcome);
  if (!meter.measures()) fail("bad_figure", "no host of the run declares its power");
  std::array<bool, kEnergyParts> occurs = {};
  Time from = outcome.end;
  for (const PowerStep& step : meter.steps())
    for (std::size_t part = 0; part < kEnergyParts; ++part) {
      if (step.power[part] == 0) continue;
      occurs[part] = true;
      from = std::min(from, step.at);
    }
  // A curve of what is drawn in the states for which `is_in`.
  const auto curve = [&](std::string name, auto&& is_in) {
    Curve made{std::move(name), {}};
    for (const PowerStep& step : meter.steps()) {
      if (step.at < from) continue;
      double sum = 0;
      for (std::size_t part = 0; part < kEnergyParts; ++part)
        if (is_in(part)) sum += step.power[part];
      made.second.push_back({step.at, sum});
    }
    return made;
  };
  std::vector<Curve> curves;
  if (from < outcome.end) {
    curves.push_back(curve("all", [](std::size_t) { return true; }));
    for (std::size_t part = 0; part < kEnergyParts; ++part)
      if (occurs[part])
        curves.push_back(curve(std::string(name_of(static_cast<EnergyPart>(part))),
                               [part](std::size_t each) { return each == part; }));
  }
  Figure figure = over_time(outcome, "power", std::move(curves), from, FigureKind::areas);
  figure.series.front().is_sum = true;
  // A state has the same look in all figures, whatever else occurs: light blue, blue, black, orange, red, green.
  static constexpr std::array<int, kEnergyParts> kLooks = {3, 0, 6, 1, 4, 2};
  auto next = figure.series.begin() + 1;
  for (std::size_t part = 0; part < kEnergyParts; ++part)
    if (occurs[part]) (next++)->colour = kLooks[part];
  figure.y.unit = "W";
  return figure;
}

}  // namespace perigee::plots
