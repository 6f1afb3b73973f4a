// Source: PreemptType, PreemptMode and PreemptExemptTime of slurm.conf(5), release 26.05. The choice of victims is ours:
// the shortest beginning of the list of candidates that suffices, without those that turn out not to be needed.
#include "runtime/schedulers/batch/preemption.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "runtime/engine/why.h"
#include "runtime/kernel/error.h"
#include "runtime/kernel/name_ranges.h"
#include "runtime/kernel/quantity.h"
#include "runtime/schedulers/batch/mold.h"
#include "runtime/schedulers/batch/running_jobs.h"

namespace perigee::batch {
namespace {

constexpr std::array<std::pair<std::string_view, Preempt>, 4> kWays{{{"off", Preempt::off},
                                                                     {"suspend", Preempt::suspend},
                                                                     {"requeue", Preempt::requeue},
                                                                     {"checkpoint", Preempt::checkpoint}}};

// The room that is idle and free now, and the room that victims would add to it.
class RoomWithVictims {
 public:
  explicit RoomWithVictims(const Sim& sim) : view_(sim.view()) {
    empty_.reset_to_empty(sim);
    const bool limited = !view_.platform().consumables().empty();
    for (std::size_t h = 0; h < view_.hosts().size(); ++h) {
      idle_.push_back(view_.hosts()[h].idle);
      if (!limited) continue;
      const std::span<const double> free = view_.free_on(HostId(h));
      stock_.insert(stock_.end(), free.begin(), free.end());
    }
    licences_.assign(view_.free_licences().begin(), view_.free_licences().end());
  }

  // `sign` -1 takes it back.
  void add(WorkId work, std::span<const Share> shares, bool with_stock, int sign) {
    const Demand* demand = with_stock ? demand_of(view_, work) : nullptr;
    const std::size_t width = view_.platform().consumables().size();
    for (const Share& share : shares) {
      if (view_[share.host].up)
        idle_[share.host.index] += sign * RunningJobs::cores_taken(view_, work, share);
      if (demand == nullptr) continue;
      for (const Demand::OfHost& item : demand->of_hosts)
        stock_[share.host.index * width + item.what] += sign * item.of(share.cores);
    }
    if (demand != nullptr)
      for (const Demand::OfAll& item : demand->licences) licences_[item.what] += sign * item.count;
  }

  // Hosts that will be closed before the end of the work are left out.
  Placement place(Sim& sim, WorkId work, Mold mold, HostRuleView rule) const {
    const Demand* demand = demand_of(view_, work);
    if (demand != nullptr && !demand->fits_licences(licences_)) return {};
    std::vector<std::int32_t> idle = idle_;
    while (true) {
      Placement found = place_molded(sim, work, mold, [&](const Sized& sized) {
        return empty_.place(sim, sized, sim.now(), rule, false, {idle, stock_});
      });
      bool closes = false;
      each_closed(sim, [&](HostId host, const Window& window) {
        if (!(window.from < found.end) || std::ranges::count(found.shares, host, &Share::host) == 0) return;
        idle[host.index] = 0;
        closes = true;
      });
      if (!closes) return found;
    }
  }

 private:
  const View& view_;
  Plan empty_;
  std::vector<std::int32_t> idle_;
  std::vector<double> stock_, licences_;
};

}  // namespace

double tier_of(const View& view, WorkId work) { return view.workload().tier_of(work); }

std::vector<ActivityId> Preemption::resume(Sim& sim, double tier) const {
  std::vector<ActivityId> resumed, all = sim.suspended();
  const auto negative_tier = [&](ActivityId id) { return -tier_of(sim.view(), sim.activity(id)->work); };
  std::ranges::stable_sort(all, {}, negative_tier);
  for (const ActivityId id : all) {
    if (-negative_tier(id) < tier || !sim.obstacle_of_resume(id).empty()) continue;
    sim.resume(id);
    resumed.push_back(id);
  }
  return resumed;
}

// By tier, the lowest first; then the latest start, then the last in input; or as the function says.
std::vector<Preemption::Victim> Preemption::candidates(Sim& sim, WorkId work) {
  const View& view = sim.view();
  std::erase_if(promised_, [&](const auto& each) {
    return !view.works().has(each.first.index) || view[each.first].state != WorkState::waiting;
  });
  std::erase_if(taken_, [&](const auto& each) {
    return !view.works().has(each.first.index) || view[each.first].state >= WorkState::finished;
  });
  std::set<std::uint32_t> seen;
  for (const auto& [other, promise] : promised_)
    for (const std::vector<ActivityId>* victims : {&promise.writing, &promise.graced})
      for (const ActivityId id : *victims) seen.insert(id.serial);
  const double tier = tier_of(view, work);
  std::vector<std::pair<std::tuple<double, Time, std::int64_t>, Victim>> found;
  for (std::size_t h = 0; h < view.hosts().size(); ++h)
    for (const ActivityId id : sim.running_on(HostId(h))) {
      if (!seen.insert(id.serial).second) continue;
      const auto activity = sim.activity(id);
      if (activity->kind != ActivityKind::compute || activity->copy) continue;
      const WorkId running = activity->work;
      const WorkKind kind = view.workload()[running].kind;
      if (kind != WorkKind::job && kind != WorkKind::task) continue;
      if (!settings_.victims && !(tier_of(view, running) < tier)) continue;
      if (sim.now() - activity->started < settings_.exempt) continue;
      found.push_back({{tier_of(view, running), -activity->started, -std::int64_t{running.index}},
                       {id, running, sim.allocation(id)}});
    }
  std::ranges::sort(found, {}, [](const auto& each) { return each.first; });
  std::vector<Victim> victims;
  for (auto& [key, victim] : found) victims.push_back(std::move(victim));
  if (!settings_.victims || victims.empty()) return victims;
  std::vector<WorkId> works;
  for (const Victim& victim : victims) works.push_back(victim.work);
  std::vector<Victim> chosen;
  for (const WorkId each : settings_.victims->ask_works(sim, work, works))
    chosen.push_back(*std::ranges::find(victims, each, &Victim::work));
  return chosen;
}

// Begins a dump, after which the job waits again. False if it cannot: it may have nothing new, or write one already, or
// stand still on a host of which nobody knows that it is down.
bool Preemption::begins_dump(Sim& sim, const Victim& victim) {
  if (sim.view().workload().checkpoint_of(victim.work) == nullptr) return false;
  try {
    sim.checkpoint(victim.id, true);
  } catch (const Error&) {
    return false;
  }
  return true;
}

void Preemption::take(Sim& sim, ActivityId victim, WorkId by) {
  taken_[sim.activity(victim)->work] = {sim.now(), by};
  if (settings_.how == Preempt::suspend)
    sim.suspend(victim);
  else
    sim.requeue(victim);
}

Placement Preemption::make_room(Sim& sim, WorkId work, Mold mold, HostRuleView rule) {
  if (promised(sim, work).valid()) return {};
  if (const auto over = promised_.find(work); over != promised_.end()) {
    for (const ActivityId victim : std::exchange(over->second.graced, {})) take(sim, victim, work);
    if (!over->second.writing.empty()) return {};
    const Placement where = std::move(over->second.where);
    promised_.erase(over);
    return sim.fits(work, where.shares) ? where : Placement{};
  }
  std::vector<Victim> all = candidates(sim, work);
  RoomWithVictims room(sim);
  const auto add = [&](const Victim& victim, int sign) {
    room.add(victim.work, victim.shares, settings_.how != Preempt::suspend, sign);
  };
  Placement where;
  std::size_t count = 0;
  while (!where.valid() && count < all.size()) {
    add(all[count++], 1);
    where = room.place(sim, work, mold, rule);
  }
  if (!where.valid()) return {};
  all.resize(count);
  std::vector<Victim> victims;
  for (Victim& victim : all) {
    add(victim, -1);
    if (Placement without = room.place(sim, work, mold, rule); without.valid()) {
      where = std::move(without);
      continue;
    }
    add(victim, 1);
    victims.push_back(std::move(victim));
  }
  Promise promise{.where = where};
  for (const Victim& victim : victims) {
    if (settings_.how == Preempt::checkpoint && begins_dump(sim, victim)) {
      taken_[victim.work] = {sim.now(), work};
      if (sim.activity(victim.id)) promise.writing.push_back(victim.id);  // a dump may take no time
    } else if (settings_.grace > 0) {
      promise.graced.push_back(victim.id);
      promise.until = sim.now() + settings_.grace;
    } else {
      take(sim, victim.id, work);
    }
  }
  if (promise.writing.empty() && promise.graced.empty())
    return sim.fits(work, where.shares) ? where : Placement{};
  if (promise.until < kNever) sim.timer(promise.until);
  promised_[work] = std::move(promise);
  return {};
}

Placement Preemption::promised(const Sim& sim, WorkId work) {
  const auto found = promised_.find(work);
  if (found == promised_.end()) return {};
  Promise& promise = found->second;
  const auto has_left = [&](ActivityId id) {
    const auto victim = sim.activity(id);
    return !victim || victim->suspended;
  };
  std::erase_if(promise.writing, has_left);
  std::erase_if(promise.graced, has_left);
  if (promise.writing.empty() && promise.graced.empty())
    promised_.erase(found);
  else if (promise.graced.empty() || sim.now() < promise.until)
    return promise.where;
  return {};
}

void Preemption::explain(const Sim& sim, WorkId work, Decision& out) const {
  const Workload& workload = sim.view().workload();
  std::vector<std::string> victims;
  for (const auto& [victim, taken] : taken_)
    if (taken.by == work && taken.at == sim.now()) victims.push_back(workload.name_of(victim));
  constexpr std::size_t kMost = 10;
  if (!victims.empty()) out.notes.push_back("it preempts " + name_ranges(victims, ", ", kMost));
  if (const auto found = taken_.find(work); found != taken_.end())
    out.notes.push_back(fmt::format("it was preempted by {} at t = {} s", workload.name_of(found->second.by),
                                    format_number(found->second.at)));
}

std::vector<Parameter> with_preempt_parameters(std::vector<Parameter> others) {
  const auto add_time = [&](std::string name, std::string summary) {
    others.push_back({.name = std::move(name),
                      .type = ParameterType::quantity,
                      .summary = std::move(summary),
                      .fallback = 0.0,
                      .min = 0,
                      .unit = Dimension::seconds,
                      .open_max = true});
  };
  others.push_back({.name = "preempt",
                    .type = ParameterType::choice,
                    .summary = "what happens to running works for works that cannot start",
                    .fallback = std::string("off"),
                    .choices = names_of(kWays)});
  others.push_back({.name = "victims",
                    .type = ParameterType::choice,
                    .summary = "which running works may be preempted; a function returns them in its order",
                    .fallback = std::string("lower_tiers"),
                    .choices = {"lower_tiers"},
                    .function = "sim, work, works"});
  add_time("exempt", "works that have run for less long are not preempted");
  add_time("grace", "works that are preempted go on for so long; those that write a dump, until it is whole");
  return others;
}

Preemption preemption_of(const Arguments& given) {
  PreemptSettings settings{.how = value_of(kWays, given.choice("preempt")),
                           .exempt = given.number("exempt"),
                           .grace = given.number("grace")};
  if (given.is_rule("victims")) settings.victims = given.rule("victims");
  return Preemption(std::move(settings));
}

}  // namespace perigee::batch
