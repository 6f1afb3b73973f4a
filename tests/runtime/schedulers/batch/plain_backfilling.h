// easy and conservative over several hosts, by their rules in plain form.
#pragma once

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/schedulers/catalogue.h"
#include "tests/runtime/schedulers/batch/plain_plan.h"
#include "tests/support/layers.h"
#include "tests/support/random_scenario.h"
#include "tests/support/shapes.h"

namespace perigee::test::plain {

// The state that both keep: the line, and what runs until when.
class PlainBackfilling {
 public:
  void begin(Sim& sim) {
    line_.clear();
    running_.clear();
    for (std::size_t w = 0; w < sim.view().works().size(); ++w)
      if (sim.waits(WorkId(w))) put(sim.view(), WorkId(w));
  }
  // Whether all went as expected.
  bool follow(Sim& sim, std::span<const Event> events) {
    bool expected = true;
    for (const Event& event : events) {
      if (event.kind == EventKind::arrived) {
        put(sim.view(), event.work);
        continue;
      }
      if (is_as_known(sim, event)) continue;
      const auto known = std::ranges::find(running_, event.activity(), &Running::id);
      const bool ends = event.kind == EventKind::ended || event.kind == EventKind::killed;
      if (ends && known != running_.end()) {
        expected = expected && known->end == sim.now();
        running_.erase(known);
        continue;
      }
      expected = false;
      if (event.kind == EventKind::lost && known != running_.end()) running_.erase(known);
      if (event.kind == EventKind::lost && event.work.valid() &&
          sim.view()[event.work].state == WorkState::waiting)
        put(sim.view(), event.work);
      for (Running& each : running_)
        for (const Share& share : each.shares)
          if (share.host == event.on.host()) each.end = sim.estimate().end_of(sim, each.id);
    }
    std::erase_if(line_, [&](WorkId work) { return sim.view()[work].state != WorkState::waiting; });
    return expected;
  }
  Time start(Sim& sim, WorkId work, const PlainShares& shares) {
    const ActivityId id = sim.start(work, shares);
    running_.push_back({id, work, shares, sim.estimate().end_of(sim, id)});
    return running_.back().end;
  }
  void take_running(Sim& sim, PlainPlan& plan, const std::map<WorkId, PlainPlace>& but = {}) const {
    for (const Running& each : running_) {
      if (but.contains(each.work)) continue;
      for (const Share& share : each.shares) {
        if (!sim.view()[share.host].up) continue;
        plan.take(share.host,
                  Asked(sim.view(), each.work).taken(sim.view().platform()[share.host], share.cores), 0,
                  std::max(each.end, 0.0));
        plan.take_stock(each.work, share, 0, std::max(each.end, 0.0));
      }
      plan.take_licences(each.work, 0,
                         sim.view()[each.shares.front().host].up ? std::max(each.end, 0.0) : kNever);
    }
  }
  bool any_overdue(Time now) const {
    return std::ranges::any_of(running_, [&](const Running& each) { return each.end <= now; });
  }
  std::vector<WorkId>& line() { return line_; }

 private:
  struct Running {
    ActivityId id;
    WorkId work;
    PlainShares shares;
    Time end;
  };
  bool is_as_known(const Sim& sim, const Event& event) const {
    for (const Running& each : running_)
      for (const Share& share : each.shares)
        if (event.on == ResourceId::of(share.host)) return false;
    for (const Window& window : sim.windows())
      if (event.on == window.on && window.known < event.at)
        if ((event.kind == EventKind::down && event.at == window.from) ||
            (event.kind == EventKind::up && event.at == window.to))
          return true;
    return false;
  }
  void put(const View& view, WorkId work) {
    if (std::ranges::find(line_, work) != line_.end()) return;
    line_.push_back(work);
    std::ranges::sort(line_, {}, [&](WorkId each) { return std::pair(view.workload()[each].arrival, each); });
  }

  std::vector<WorkId> line_;
  std::vector<Running> running_;
};

class PlainEasy final : public PolicyOf<PlainEasy> {
 public:
  void begin(Sim& sim) override {
    jobs_.begin(sim);
    decide(sim);
  }
  void react(Sim& sim, std::span<const Event> events) override {
    jobs_.follow(sim, events);
    decide(sim);
  }

 private:
  void decide(Sim& sim) {
    const View& view = sim.view();
    std::optional<PlainPlace> head;
    std::map<HostId, std::int32_t> extra;
    PlainStock extra_stock;
    std::vector<WorkId> rest;
    for (const WorkId work : jobs_.line()) {
      PlainPlan plan(sim);  // made anew for each: what has started counts too
      jobs_.take_running(sim, plan);
      if (!head && !plan.could_run(work)) {
        rest.push_back(work);
        continue;
      }
      const Asked asked(view, work);
      const auto fits_in = [&](std::uint32_t host, std::uint32_t what, double count) {
        return !extra_stock.contains({host, what}) || count <= extra_stock.at({host, what});
      };
      const bool licensed = std::ranges::all_of(asked.demand().licences, [&](const Demand::OfAll& item) {
        return fits_in(kLicence, item.what, item.count);
      });
      const auto within = [&](const PlainPlace& place) {
        return licensed && std::ranges::all_of(place.shares, [&](const Share& share) {
                 return !extra.contains(share.host) ||
                        (asked.taken(view.platform()[share.host], share.cores) <= extra.at(share.host) &&
                         std::ranges::all_of(asked.demand().of_hosts, [&](const Demand::OfHost& item) {
                           return fits_in(share.host.index, item.what,
                                          item.each + item.per_core * share.cores);
                         }));
               });
      };
      const auto choose = [&](const Want& want) {
        PlainPlace place = plan.place(want, sim.now(), true, true);
        if (!head || place.shares.empty() || !(place.end > head->start) || within(place)) return place;
        place = plan.place(want, sim.now(), true, true, &extra, &extra_stock);
        return place.end > head->start && !licensed ? PlainPlace{} : place;
      };
      auto [size, now] = least_end(sim, work, choose);
      if (!head && view.workload().sizes_of(work) != nullptr) {  // it may wait for another size
        std::tie(size, now) = least_end(sim, work, [&](const Want& want) {
          const PlainPlace place = plan.place(want, sim.now(), true, true);
          return place.shares.empty() ? plan.earliest(want, true) : place;
        });
        if (size == 0) size = view.workload().sizes_of(work)->allowed.front();
        if (now.start > sim.now() || !sim.fits(work, now.shares)) now = {};
      }
      if (!now.shares.empty()) {
        const Time end = jobs_.start(sim, work, now.shares);
        if (head && end > head->start) {
          const auto reduce = [&](std::uint32_t host, std::uint32_t what, double count) {
            if (extra_stock.contains({host, what})) extra_stock.at({host, what}) -= count;
          };
          for (const Share& share : now.shares) {
            if (extra.contains(share.host))
              extra.at(share.host) -= asked.taken(view.platform()[share.host], share.cores);
            for (const Demand::OfHost& item : asked.demand().of_hosts)
              reduce(share.host.index, item.what, item.each + item.per_core * share.cores);
          }
          for (const Demand::OfAll& item : asked.demand().licences) reduce(kLicence, item.what, item.count);
        }
        continue;
      }
      rest.push_back(work);
      if (head) continue;
      head = plan.earliest({work, size}, false);
      for (const Share& share : head->shares)
        extra[share.host] =
            plan.idle(share.host, head->start) - asked.taken(view.platform()[share.host], share.cores);
      for (const Share& share : head->shares)
        for (std::uint32_t what = 0; what < view.platform().consumables().size(); ++what)
          extra_stock[{share.host.index, what}] = plan.free(share.host.index, what, head->start);
      for (std::uint32_t what = 0; what < view.platform().licences().size(); ++what)
        extra_stock[{kLicence, what}] = plan.free(kLicence, what, head->start);
      for (const Share& share : head->shares)
        for (const Demand::OfHost& item : asked.demand().of_hosts)
          extra_stock[{share.host.index, item.what}] -= item.each + item.per_core * share.cores;
      for (const Demand::OfAll& item : asked.demand().licences)
        extra_stock[{kLicence, item.what}] -= item.count;
    }
    jobs_.line() = std::move(rest);
  }

  PlainBackfilling jobs_;
};

class PlainConservative final : public PolicyOf<PlainConservative> {
 public:
  void begin(Sim& sim) override {
    jobs_.begin(sim);
    promises_.clear();
    decide(sim, {});
  }
  void react(Sim& sim, std::span<const Event> events) override {
    if (!jobs_.follow(sim, events)) promises_.clear();
    decide(sim, events);
  }

 private:
  void decide(Sim& sim, std::span<const Event> events) {
    const Time before = std::exchange(asked_, sim.now());
    const auto reached = [&](const Window& window, Time at, EventKind kind) {
      if (!(at > before && at <= sim.now())) return false;
      for (const Event& event : events)
        if (event.kind == kind && event.on == window.on && event.at == at && window.known < at) return false;
      return true;  // a host that was down for another reason is known to come back now, or has not
    };
    const bool turned = std::ranges::any_of(sim.windows(), [&](const Window& window) {
      return reached(window, window.from, EventKind::down) || reached(window, window.to, EventKind::up);
    });
    if (turned || jobs_.any_overdue(sim.now())) promises_.clear();
    bool as_promised = true;
    std::vector<WorkId> rest;
    const std::vector<WorkId> line = jobs_.line();
    std::map<WorkId, PlainPlace> begun_now;
    for (const WorkId work : line) {
      if (!promises_.contains(work)) {
        PlainPlan plan(sim);
        jobs_.take_running(sim, plan, begun_now);
        for (const auto& [other, place] : begun_now) plan.take(other, place);  // as promised
        for (const WorkId other : line)
          if (promises_.contains(other) && !promises_.at(other).shares.empty())
            plan.take(other, promises_.at(other));
        promises_[work] =
            least_end(sim, work, [&](const Want& want) { return plan.earliest(want, true); }).second;
      }
      const PlainPlace place = promises_.at(work);
      if (place.shares.empty() || place.start > sim.now() || !sim.fits(work, place.shares)) {
        rest.push_back(work);
        continue;
      }
      begun_now[work] = place;
      as_promised = jobs_.start(sim, work, place.shares) == place.end && as_promised;
      promises_.erase(work);
    }
    jobs_.line() = std::move(rest);
    if (!as_promised) promises_.clear();
  }

  PlainBackfilling jobs_;
  std::map<WorkId, PlainPlace> promises_;
  Time asked_ = 0;
};

PolicySetup of_catalogue(const std::string& name) {
  const ConfigPtr config = Catalogue().configure(name);
  return {name, config->make_policy(), config->entry->accepts, config->entry->instants};
}

// Jobs with shapes on hosts that differ, with outages, failures, limits and times that are declared wrongly.
inline std::size_t compare(const std::string& name, const Policy& plain, std::uint64_t seed,
                           bool consumables = false, bool moldable = false) {
  auto scenario = with_shapes(*random_scenario(seed, of_catalogue(name).accepts, seed % 3 == 0), seed, false);
  if (consumables) scenario = with_consumables(*scenario, seed);
  if (moldable) scenario = with_molds(*scenario, seed);
  const auto moves = [](const Happening& each) {
    return each.kind == HappeningKind::leave || each.kind == HappeningKind::join;
  };
  if (std::ranges::any_of(scenario->happenings, moves)) return 0;
  auto workload = std::make_shared<Workload>(*scenario->workload);
  for (std::size_t w = 0; w < workload->size(); ++w) {  // all have shapes, so that one policy decides for all
    Work& work = workload->works[w];
    work.kind = WorkKind::job;
    if (workload->shape_of(WorkId(w)) != nullptr) continue;
    work.extra = static_cast<std::uint32_t>(workload->extras.size());
    workload->extras.emplace_back().shape.exclusive = false;
    workload->extras.back().shape.only =
        std::make_shared<std::vector<std::uint8_t>>(scenario->platform->hosts().size(), 1);
  }
  scenario->workload = workload;
  std::size_t records = 0;
  for (const bool perfect : {true, false}) {
    PolicySetup slow = of_catalogue(name);
    slow.policy = plain.clone();
    Simulation a(scenario, of_catalogue(name), perfect ? perfect_estimator() : declared_estimator());
    Simulation b(scenario, std::move(slow), perfect ? perfect_estimator() : declared_estimator());
    a.run();
    b.run();
    REQUIRE(a.outcome().physical == b.outcome().physical);
    records += a.outcome().trace.size();
  }
  return records;
}

}  // namespace perigee::test::plain
