// The lines of a plan: what each host has idle from step to step, and the moments at which that changes.
#include "runtime/schedulers/batch/plan.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace perigee::batch {

const Demand* demand_of(const View& view, WorkId work) {
  const Shape* shape = work.valid() ? view.workload().shape_of(work) : nullptr;
  return shape != nullptr ? shape->demand.get() : nullptr;
}

void Plan::Line::clear() {
  steps.clear();
  stock.clear();
}

void Plan::Line::add(Step step, std::span<const double> free) {
  steps.push_back(step);
  stock.insert(stock.end(), free.begin(), free.end());
}

std::size_t Plan::Line::step_at(Time at) const {
  constexpr std::size_t kFew = 16;
  if (steps.size() <= kFew) {  // counting them takes no branches
    std::size_t begun = 0;
    for (const Step& step : steps) begun += step.at <= at ? 1 : 0;
    return begun == 0 ? 0 : begun - 1;
  }
  const auto next = std::ranges::upper_bound(steps, at, {}, &Step::at);
  return next == steps.begin() ? 0 : static_cast<std::size_t>(next - steps.begin()) - 1;
}

void Plan::Line::forget_before(std::size_t step) {
  stock.erase(stock.begin(), stock.begin() + static_cast<std::ptrdiff_t>(step * width()));
  steps.erase(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(step));
}

std::size_t Plan::Line::split(Time at) {
  const auto next = std::ranges::upper_bound(steps, at, {}, &Step::at);
  const auto place = static_cast<std::size_t>(next - steps.begin());
  if (place == 0 || steps[place - 1].at == at) return place == 0 ? 0 : place - 1;
  if (const std::size_t wide = width(); wide > 0) {
    const std::vector<double> same(free(place - 1).begin(), free(place - 1).end());
    stock.insert(stock.begin() + static_cast<std::ptrdiff_t>(place * wide), same.begin(), same.end());
  }
  steps.insert(next, {at, steps[place - 1].idle});
  return place;
}

void Plan::Line::close(Time from, Time to) {
  if (to < kNever) split(to);
  for (std::size_t step = split(from); step < steps.size() && steps[step].at < to; ++step)
    steps[step].idle = 0;
}

bool any_off(const View& view) {
  return view.platform().has_power() && std::ranges::any_of(view.hosts(), is_off);
}

// Nothing is known but what is idle.
void Plan::make_lines() {
  lines_.resize(idle_now_.size());
  for (Line& line : lines_) line.clear();
  is_flat_ = false;
}

void Plan::close_windows(const Sim& sim) {
  const View& view = sim.view();
  const auto closed_until = [&](HostId host, Time to) {
    Line& line = lines_[host.index];
    line.clear();
    line.add({view.now(), 0}, view.platform().supplies(host));
    line.add({to, view[host].cores}, view.platform().supplies(host));
  };
  each_closed(sim, [&](HostId host, const Window& window) {  // a host that is down and known to come back
    if (!wakes_ && lines_[host.index].empty() && window.from <= view.now() && window.to < kNever &&
        sim.is_there(host, window.to))
      closed_until(host, window.to);
  });
  sim.each_hold([&](const Hold& hold, bool under_way) {
    if (!under_way || !(hold.to > view.now())) return;
    for (const HostId host : hold.hosts)  // on which nothing else runs
      if (!lines_[host.index].empty()) closed_until(host, hold.to);
  });
  each_closed(sim, [&](HostId host, const Window& window) {
    Line& line = lines_[host.index];
    if (line.empty()) return;
    line.close(std::max(window.from, view.now()), window.to);
  });
}

// Notes the consumables and licences that are really free.
void Plan::look_at_stock(const View& view) {
  const std::size_t width = view.platform().consumables().size();
  stock_now_.resize(width * idle_now_.size());
  for (std::size_t h = 0; h < idle_now_.size() && width > 0; ++h)
    std::ranges::copy(view.free_on(HostId(h)), stock_now_.begin() + static_cast<std::ptrdiff_t>(h * width));
  licences_now_.assign(view.free_licences().begin(), view.free_licences().end());
}

std::span<const double> Plan::stock_now(HostId host) const {
  const std::size_t width = stock_now_.size() / idle_now_.size();
  return std::span(stock_now_).subspan(host.index * width, width);
}

void Plan::look_at_hosts(const Sim& sim) {
  const std::span<const HostView> hosts = sim.view().hosts();
  kinds_.follow(sim);
  idle_now_.resize(hosts.size());
  for (std::size_t h = 0; h < hosts.size(); ++h) idle_now_[h] = hosts[h].up ? hosts[h].idle : 0;
}

void Plan::reset(const Sim& sim) {
  bool any = false;
  each_closed(sim, [&](HostId, const Window&) { any = true; });
  if (any || any_off(sim.view())) {
    begin_lines(sim);
    return end_lines(sim);
  }
  inside_ = {};
  wakes_ = false;
  is_flat_ = true;
  look_at_hosts(sim);
  look_at_stock(sim.view());
}

void Plan::reset_to_wake(const Sim& sim) {
  begin_lines(sim);
  wakes_ = true;
  end_lines(sim);
}

void Plan::reset_to_empty(const Sim& sim) {
  const View& view = sim.view();
  inside_ = {};
  is_flat_ = true;
  kinds_.follow(sim);
  idle_now_.resize(view.hosts().size());
  for (std::size_t h = 0; h < idle_now_.size(); ++h)
    idle_now_[h] = view.hosts()[h].up ? view.hosts()[h].cores : 0;
  each_closed(sim, [&](HostId host, const Window& window) {
    if (window.from <= view.now() && window.to < kNever && sim.is_there(host, window.to))
      idle_now_[host.index] = view[host].cores;
  });
  stock_now_.clear();
  for (std::size_t h = 0; h < idle_now_.size() && !view.platform().consumables().empty(); ++h) {
    const std::span<const double> all = view.platform().supplies(HostId(h));
    stock_now_.insert(stock_now_.end(), all.begin(), all.end());
  }
  licences_now_.clear();
  for (const model::Licence& licence : view.platform().licences()) licences_now_.push_back(licence.count);
}

// The lines of what is idle now, and of what is known but what runs.
void Plan::begin_lines(const Sim& sim) {
  const View& view = sim.view();
  inside_ = {};
  look_at_hosts(sim);
  make_lines();
  licences_back_.clear();
  for (std::size_t h = 0; h < lines_.size(); ++h)
    if (view.hosts()[h].up) lines_[h].add({sim.now(), idle_now_[h]}, view.free_on(HostId(h)));
  wakes_ = false;
  if (!any_off(view)) return;
  for (std::size_t h = 0; h < lines_.size(); ++h) {
    const HostView& host = view.hosts()[h];
    if (!is_off(host)) continue;
    lines_[h].split(std::max(sim.on_from(HostId(h)), std::nextafter(sim.now(), kNever)));  // never now
    lines_[h].steps.back().idle = host.cores;
  }
}

void Plan::add_end(const View& view, HostId host, const RunningJobs::Job& job, Time end) {
  Line& line = lines_[host.index];
  if (end > line.steps.back().at) line.split(end);
  line.steps.back().idle += job.cores;
  if (view.platform().consumables().empty() && view.platform().licences().empty()) return;
  const Demand* demand = demand_of(view, job.work);
  if (demand == nullptr) return;
  const std::span<double> free = line.free(line.steps.size() - 1);
  for (const Demand::OfHost& item : demand->of_hosts) free[item.what] += item.of(job.share);
  if (job.on_lowest && !demand->licences.empty()) licences_back_.emplace_back(end, job.work);
}

void Plan::end_lines(const Sim& sim) {
  const View& view = sim.view();
  look_at_stock(view);
  licences_.clear();
  if (!licences_now_.empty()) licences_.add({sim.now(), 0}, licences_now_);
  std::ranges::sort(licences_back_);
  for (const auto& [end, work] : licences_back_) {
    if (end > licences_.steps.back().at) licences_.split(end);
    const std::span<double> free = licences_.free(licences_.steps.size() - 1);
    for (const Demand::OfAll& item : demand_of(view, work)->licences) free[item.what] += item.count;
  }
  close_windows(sim);
  find_moments(view);
}

void Plan::reset_inside(const Sim& sim, WorkId reservation) {
  const View& view = sim.view();
  inside_ = reservation;
  const engine::Hold* hold = sim.hold_under_way(reservation);
  idle_now_.assign(view.hosts().size(), 0);
  kinds_.follow(sim);
  make_lines();
  licences_.clear();
  if (hold != nullptr)
    for (const HostId host : hold->hosts) {
      idle_now_[host.index] = sim.idle_inside(reservation, host);
      lines_[host.index].add({view.now(), idle_now_[host.index]}, view.free_on(host));
      lines_[host.index].split(hold->to);
      lines_[host.index].steps.back().idle = 0;
    }
  look_at_stock(view);
  if (!licences_now_.empty()) licences_.add({view.now(), 0}, licences_now_);
  each_away(sim, [&](HostId host, const Window& window) {  // the job does not begin again behind it
    if (!lines_[host.index].empty()) lines_[host.index].close(std::max(window.from, view.now()), kNever);
  });
  find_moments(view);
}

void Plan::advance(const Sim& sim) {
  const View& view = sim.view();
  const Time now = view.now();
  look_at_hosts(sim);
  for (Line& line : lines_)
    if (!line.empty()) line.forget_before(line.step_at(now));
  if (!licences_.empty()) licences_.forget_before(licences_.step_at(now));
  look_at_stock(view);
  forget_moments(now);
}

// Lists the steps of all lines.
void Plan::find_moments(const View& view) {
  struct Turn {
    Time at;
    HostId host;
    std::int32_t more;
    bool grows;
  };
  std::vector<Turn> turns;
  counts_ = kinds_.are_whole();
  idle_hosts_ = 0;
  for (std::size_t h = 0; h < lines_.size(); ++h) {
    const std::vector<Step>& steps = lines_[h].steps;
    const auto idle = [&](std::size_t step) { return steps[step].idle >= view.hosts()[h].cores ? 1 : 0; };
    if (counts_ && !steps.empty()) idle_hosts_ += idle(0);
    for (std::size_t i = 1; i < steps.size(); ++i)
      turns.push_back(
          {steps[i].at, HostId(h), counts_ ? idle(i) - idle(i - 1) : 0, steps[i].idle > steps[i - 1].idle});
  }
  for (std::size_t i = 1; i < licences_.steps.size(); ++i)
    turns.push_back({licences_.steps[i].at, {}, 0, true});
  std::ranges::sort(turns, {}, &Turn::at);  // those at one time have no order
  moments_.clear();
  turning_.clear();
  for (const Turn& turn : turns) {
    if (moments_.empty() || moments_.back().at != turn.at)
      moments_.push_back({turn.at, static_cast<std::uint32_t>(turning_.size()), 0, 0, false});
    turning_.push_back(turn.host);
    Moment& moment = moments_.back();
    ++moment.count;
    moment.more += turn.more;
    moment.grows = moment.grows || turn.grows;
  }
}

void Plan::forget_moments(Time now) {
  const auto later = std::ranges::upper_bound(moments_, now, {}, &Moment::at);
  for (auto each = moments_.begin(); each != later; ++each) idle_hosts_ += each->more;
  moments_.erase(moments_.begin(), later);
  std::size_t live = 0;
  for (const Moment& each : moments_) live += each.count;
  if (turning_.size() < 1024 + 2 * live) return;
  std::vector<HostId> kept;
  kept.reserve(live);
  for (Moment& each : moments_) {
    const auto from = turning_.begin() + each.first;
    each.first = static_cast<std::uint32_t>(kept.size());
    kept.insert(kept.end(), from, from + each.count);
  }
  turning_ = std::move(kept);
}

std::int32_t Plan::idle(const Line& line, Time from, Time to) {
  return line.empty() ? 0 : idle(line, line.step_at(from), to);
}

std::int32_t Plan::idle(const Line& line, std::size_t step, Time to) {
  std::int32_t least = line.steps[step].idle;
  line.all_steps(step, to, [&](std::size_t each) {
    least = std::min(least, line.steps[each].idle);
    return true;
  });
  return least;
}

std::int32_t Plan::idle(HostId host, Time from, Time to) const {
  return is_flat_ ? idle_now_[host.index] : idle(lines_[host.index], from, to);
}

std::span<const double> Plan::free_on(HostId host, Time at) const {
  if (is_flat_) return stock_now(host);
  const Line& line = lines_[host.index];
  return line.empty() ? stock_now(host) : line.free(line.step_at(at));
}

std::span<const double> Plan::free_licences(Time at) const {
  return is_flat_ || licences_.empty() ? std::span(licences_now_) : licences_.free(licences_.step_at(at));
}

// Makes steps at that time in the lines of all that the job uses. `more` hosts become wholly idle then.
void Plan::split_at(const Demand* demand, std::span<const Share> shares, Time at, std::int32_t more) {
  if (at == kNever) return;
  const auto first = static_cast<std::uint32_t>(turning_.size());
  const auto split = [&](Line& line, HostId host) {
    const std::size_t before = line.steps.size();
    if (line.empty()) return;
    line.split(at);
    if (line.steps.size() > before) turning_.push_back(host);
  };
  for (const Share& share : shares) split(lines_[share.host.index], share.host);
  if (demand != nullptr && !demand->licences.empty()) split(licences_, {});
  const std::uint32_t count = static_cast<std::uint32_t>(turning_.size()) - first;
  if (count == 0 && more == 0) return;
  moments_.insert(std::ranges::upper_bound(moments_, at, {}, &Moment::at),
                  {at, first, count, more, more > 0});
}

void Plan::take_licences(const Demand& demand, Time from, Time to) {
  if (demand.licences.empty() || licences_.empty()) return;
  for (std::size_t step = licences_.step_at(from);
       step < licences_.steps.size() && licences_.steps[step].at < to; ++step)
    for (const Demand::OfAll& item : demand.licences)
      if (licences_.steps[step].at >= from) licences_.free(step)[item.what] -= item.count;
}

// False unless all that is taken was idle in one step.
bool Plan::take_share(HostId host, Time from, Time to, std::int32_t cores, const Demand* demand,
                      std::int32_t share) {
  Line& line = lines_[host.index];
  std::size_t steps = 0;
  bool was_idle = true;
  for (std::size_t step = line.empty() ? 0 : line.step_at(from);
       step < line.steps.size() && line.steps[step].at < to; ++step) {
    if (line.steps[step].at < from) continue;
    std::int32_t& idle = line.steps[step].idle;
    ++steps;
    was_idle = was_idle && idle >= cores;
    idle = static_cast<std::int32_t>(
        std::max<std::int64_t>(std::int64_t{idle} - cores, -Shape::kMost));  // somebody takes too much
    if (demand == nullptr) continue;
    for (const Demand::OfHost& item : demand->of_hosts) line.free(step)[item.what] -= item.of(share);
  }
  return was_idle && steps == 1;
}

void Plan::take(const View& view, WorkId work, std::span<const Share> shares, Time from, Time to) {
  take(view, work, demand_of(view, work), shares, from, to);
}

void Plan::take_cores(const View& view, WorkId work, std::span<const Share> shares, Time from, Time to) {
  take(view, work, nullptr, shares, from, to);
}

void Plan::take(const View& view, WorkId work, const Demand* demand, std::span<const Share> shares, Time from,
                Time to) {
  const std::int32_t hosts = counts_ ? static_cast<std::int32_t>(shares.size()) : 0;
  split_at(demand, shares, from, -hosts);
  split_at(demand, shares, to, hosts);
  for (const Share& share : shares)
    if (!take_share(share.host, from, to, RunningJobs::cores_taken(view, work, share), demand, share.cores))
      counts_ = false;
  if (demand != nullptr) take_licences(*demand, from, to);
}

void Plan::start(const View& view, WorkId work, std::span<const Share> shares, Time end) {
  if (!is_flat_) take(view, work, shares, view.now(), end);
  show_idle(view, shares);
}

void Plan::show_idle(const View& view, std::span<const Share> shares) {
  for (const Share& share : shares) idle_now_[share.host.index] = view[share.host].idle;
  if (const std::size_t width = view.platform().consumables().size(); width > 0)
    for (const Share& share : shares)
      std::ranges::copy(view.free_on(share.host),
                        stock_now_.begin() + static_cast<std::ptrdiff_t>(share.host.index * width));
  licences_now_.assign(view.free_licences().begin(), view.free_licences().end());
}

}  // namespace perigee::batch
