// A run as a figure.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "runtime/kernel/error.h"
#include "runtime/results/executions.h"
#include "runtime/results/plot.h"

namespace perigee {
namespace {

struct Unit {
  const char* name;
  double seconds;
};
constexpr std::array<Unit, 7> kUnits = {
    {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"min", 60}, {"h", 3600}, {"d", 86400}}};

// The largest that fits into the time several times.
Unit unit_for(double seconds) {
  Unit unit = kUnits[0];
  for (const Unit& u : kUnits)
    if (seconds >= (u.seconds > 1 ? 5 : 1) * u.seconds) unit = u;
  return unit;
}

}  // namespace

Figure gantt_figure(const Outcome& outcome) {
  const Platform& platform = *outcome.scenario->platform;
  const Workload& workload = *outcome.scenario->workload;
  const Executions runs = executions(outcome);
  const Absences away = absences(outcome);
  const auto on_host = lanes(outcome, runs);
  if (runs.all.empty()) fail("bad_figure", "nothing has run");

  const auto user_of = [&](WorkId work) -> std::string {
    const UserId user = workload[work].user;
    return user.valid() && user.index < workload.users.size() ? workload.users[user.index] : "no user";
  };
  std::set<std::string> users;
  std::set<WorkKind> kinds;
  for (const Execution& run : runs.all)
    if (run.work.valid()) {
      users.insert(user_of(run.work));
      kinds.insert(workload[run.work].kind);
    }
  const bool by_user = users.size() > 1 && users.size() <= 7;

  // What lies behind is drawn first; within a layer in the order of the names.
  enum Layer { kBehind, kHeld, kWork, kBroken };
  using Class = std::pair<Layer, std::string>;
  std::map<Class, Series> classes;
  const auto put = [&](const Class& what, Span span) {
    Series& series = classes[what];
    series.name = what.second;
    series.hatched = what.first == kBehind || what.first == kBroken;
    series.spans.push_back(std::move(span));
  };
  const auto class_of = [&](const Execution& run) -> Class {
    if (run.how == RecordKind::lost) return {kBroken, "lost"};
    if (run.how == RecordKind::cancelled) return {kBroken, "cancelled"};
    if (run.how == RecordKind::superseded) return {kBroken, "superseded"};
    if (run.kind == ActivityKind::transfer_in) return {kWork, "file in"};
    if (run.kind == ActivityKind::transfer_out) return {kWork, "file out"};
    if (run.kind == ActivityKind::chunk) return {kWork, "receiving"};
    if (!run.work.valid()) return {kHeld, "held"};
    if (by_user) return {kWork, user_of(run.work)};
    return {kWork, std::string(name_of(workload[run.work].kind))};
  };

  Figure figure;
  figure.kind = FigureKind::gantt;
  const Unit unit = unit_for(outcome.end);
  figure.x = {"time", unit.name};
  figure.by = by_user ? "user" : "what";
  const auto span_of = [&](const Execution& run, std::size_t lane) {
    const std::string label = run.work.valid() ? fmt::format("{}", run.work.index + 1) : "";
    return Span{run.started / unit.seconds, run.ended / unit.seconds, lane, label};
  };
  const auto absent = [&](const std::vector<Away>& all, std::size_t lane) {
    for (const Away& a : all)
      put({kBehind, a.why == Reason::reservation ? "set aside" : "away"},
          {a.from / unit.seconds, a.to / unit.seconds, lane});
  };
  for (std::size_t h = 0; h < platform.hosts().size(); ++h) {
    const Host& host = platform.hosts()[h];
    for (std::int32_t core = 0; core < host.cores; ++core) {
      const std::size_t lane = figure.y.categories.size();
      figure.y.categories.push_back(host.cores == 1 ? host.name : fmt::format("{} {}", host.name, core + 1));
      absent(away.hosts[h], lane);
      for (const Lane& on : on_host[h])
        if (on.core == core || on.core < 0) {
          const Execution& run = runs.all[on.execution];
          put(class_of(run), span_of(run, lane));
        }
    }
  }
  for (std::size_t l = 0; l < platform.links().size(); ++l) {
    if (platform.links()[l].implied) continue;
    const std::size_t lane = figure.y.categories.size();
    bool used = false;
    for (const Execution& run : runs.all) {
      const auto on = runs.on(run);
      if (!run.is_transfer() || std::find(on.begin(), on.end(), ResourceId::of(LinkId(l))) == on.end())
        continue;
      used = true;
      put(class_of(run), span_of(run, lane));
    }
    if (!used) continue;
    figure.y.categories.push_back(platform.links()[l].name);
    absent(away.links[l], lane);
  }

  for (auto& [what, series] : classes) figure.series.push_back(std::move(series));
  return figure;
}

}  // namespace perigee
