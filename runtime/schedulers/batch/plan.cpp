// Placing jobs over several hosts. At a time, the hosts in the order of a rule are filled up until the job has what
// it asks for. Where it would not fit until its end, a host has less room, and the hosts are filled up again.
//
// Source: at later times jobs over several hosts take busy hosts first, as with bf_busy_nodes of slurm.conf(5), release
// 26.05, SchedulerParameters.
#include "runtime/schedulers/batch/plan.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

namespace perigee::batch {

std::uint32_t group_of(const View& view, HostId host, Together same) {
  switch (same) {
    case Together::cluster:
      return view[host].cluster.index;
    case Together::network_switch:
      return view.platform().switch_of(host);
    case Together::anywhere:
      break;
  }
  return 0;
}

namespace {

bool has_group(HostRuleView rule) {
  return rule == HostChoice::same_cluster || rule == HostChoice::same_switch;
}

}  // namespace

namespace {

bool has_listed_times(TimeForm form) {
  return form == TimeForm::by_host || form == TimeForm::by_architecture;
}

// Cores of each host, or in all.
std::int32_t cores_in_size(const View& view, const Sized& sized) {
  const Shape* declared = view.workload().shape_of(sized.work);
  return sized.size > 0 && declared != nullptr && declared->nodes == 0 ? sized.size
                                                                       : view.workload()[sized.work].cores;
}

// The Shape as it is declared, or in `made`, where the size makes it another.
const Shape& shape_in(const View& view, const Sized& sized, Shape& made) {
  const Shape* declared = view.workload().shape_of(sized.work);
  if (declared == nullptr) return made;
  const bool resized = declared->nodes > 0 && sized.size > 0;
  const bool single = declared->nodes == 0 && cores_in_size(view, sized) == 1;
  const bool alone = declared->nodes == 1 && declared->same != Together::anywhere;
  if (!resized && !single && !alone) return *declared;
  made = *declared;
  if (resized) made.nodes = sized.size;
  if (single) made.nodes = 1;
  if (made.nodes == 1) made.same = Together::anywhere;
  return made;
}

}  // namespace

// One question to a plan.
struct Plan::Query {
  Query(Sim& asked, const Sized& sized, Time when, HostRuleView how, bool really)
      : sim(asked),
        view(asked.view()),
        work(sized.work),
        size(sized.size),
        shape(shape_in(view, sized, made_)),
        cores(cores_in_size(view, sized)),
        at(when),
        rule(how),
        idle_now(really),
        is_listed(has_listed_times(view.workload()[work].form)),
        are_alike(!is_listed && !shape.checkpoints && sim.estimate().is_faithful()) {}
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  Sim& sim;
  const View& view;
  WorkId work;
  std::int32_t size;  // of a moldable job

 private:
  Shape made_;

 public:
  const Shape& shape;  // in that size
  std::int32_t cores;
  Time at;
  HostRuleView rule;
  bool idle_now;
  bool lowest_first = false;
  bool wakes = false;  // by the rule, but by when hosts are on first
  bool wants_end = true;
  MostOfHosts most = {};
  Stream* random = nullptr;
  bool is_listed;                       // some hosts may not be able to run it
  bool are_alike;                       // it takes as long on all hosts of a kind
  mutable std::vector<Time> ends = {};  // by kind, of a start at that time; NaN = not asked yet

  bool is_now() const { return !(at > view.now()); }
  // The fewest cores that a host may give the work.
  std::int32_t least() const { return shape.nodes > 0 ? cores : 1; }
  // How many of these idle cores of a host it may use; and the cores of a share that so many suffice for.
  std::int32_t usable(const HostView& host, std::int32_t idle) const {
    const bool whole = host.exclusive || shape.exclusive;
    return !whole ? idle : idle >= host.cores ? host.cores : 0;
  }
  std::int32_t cores_of(std::int32_t usable) const {
    return shape.nodes == 0  ? std::clamp(std::min(usable, shape.per_node), 0, cores)
           : usable >= cores ? cores
                             : 0;
  }
  // The cores of a host that a share of so many keeps from others.
  std::int32_t taken(const HostView& host, std::int32_t share) const {
    return host.exclusive || shape.exclusive ? host.cores : share;
  }
  // Otherwise what is idle now is left to others, as far as it can be.
  bool by_rule() const { return wakes || shape.nodes == 1 || (is_now() && !lowest_first); }
  std::int64_t wanted() const { return shape.nodes > 0 ? shape.nodes : cores; }
  std::int64_t size_of(const Room& room) const { return shape.nodes > 0 ? 1 : room.cores; }
  const Demand* demand() const { return shape.demand.get(); }
};

Shape shape_of(const View& view, const Sized& sized) {
  Shape made;
  return shape_in(view, sized, made);
}

const Demand* demand_of(const View& view, WorkId work) {
  const Shape* shape = work.valid() ? view.workload().shape_of(work) : nullptr;
  return shape != nullptr ? shape->demand.get() : nullptr;
}

Time expected_end(Sim& sim, const Sized& work, std::span<const Share> shares, Time start) {
  return sim.estimate().end_of(sim, Piece{work.work, 0, 1, work.size}, shares, start);
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

// The most of so many cores for which the consumables on the host suffice, from the time of the query until `end`.
std::int32_t Plan::cores_by_stock(const Query& query, HostId host, std::int32_t cores, Time end) const {
  const Demand& demand = *query.demand();
  if (cores > 0 && (is_flat_ || (query.idle_now && query.is_now())))
    cores = demand.cores_within(stock_now(host), cores);
  if (cores > 0 && !query.most.stock.empty()) {
    const std::size_t width = query.most.stock.size() / idle_now_.size();
    cores = demand.cores_within(query.most.stock.subspan(host.index * width, width), cores);
  }
  if (is_flat_ || cores <= 0 || lines_[host.index].empty()) return cores;
  const Line& line = lines_[host.index];
  line.all_steps(line.step_at(query.at), end, [&](std::size_t step) {
    cores = demand.cores_within(line.free(step), cores);
    return cores > 0;
  });
  return cores;
}

// Whether the licences suffice from the time of the query until `end`.
bool Plan::has_licences(const Query& query, Time end) const {
  const Demand* demand = query.demand();
  if (demand == nullptr || demand->licences.empty()) return true;
  if (is_flat_ || (query.idle_now && query.is_now()))
    if (!demand->fits_licences(licences_now_)) return false;
  if (is_flat_ || licences_.empty() || !plans_licences_) return true;
  return licences_.all_steps(licences_.step_at(query.at), end,
                             [&](std::size_t step) { return demand->fits_licences(licences_.free(step)); });
}

// The share that the room has for the work could start now.
bool Plan::is_really_idle(const Query& query, const Room& room) const {
  return idle_now_[room.host.index] >= query.taken(query.view[room.host], room.cores) &&
         (query.demand() == nullptr || query.demand()->fits(stock_now(room.host), room.cores));
}

// The cores that are idle there from the time of the query until `end`, and the cores of a share that fits into it.
Plan::Room Plan::room_on(const Query& query, HostId host, Time end) const {
  const Line* line = is_flat_ || lines_[host.index].empty() ? nullptr : &lines_[host.index];
  return room_on(query, host, end, line != nullptr ? line->step_at(query.at) : 0);
}

// The same, where the step of the host's line is known that is under way then.
Plan::Room Plan::room_on(const Query& query, HostId host, Time end, std::size_t step) const {
  Room room{host, 0, 0, static_cast<std::uint32_t>(step)};
  if (is_flat_)
    room.idle = idle_now_[host.index];
  else if (!lines_[host.index].empty())
    room.idle = idle(lines_[host.index], step, end);
  if (!is_flat_ && query.idle_now && query.is_now()) room.idle = std::min(room.idle, idle_now_[host.index]);
  if (!query.most.cores.empty()) room.idle = std::min(room.idle, query.most.cores[host.index]);
  room.idle = query.usable(query.view[host], room.idle);
  room.cores = query.cores_of(room.idle);
  if (query.demand() != nullptr && room.cores > 0)
    room.cores = query.cores_of(cores_by_stock(query, host, room.cores, end));
  return room;
}

// The first time from now on since which the room has been there without a break until the time of the query.
Time Plan::has_room_since(const Query& query, const Room& room) const {
  const Line& line = lines_[room.host.index];
  const std::int32_t needed = query.taken(query.view[room.host], room.cores);
  const auto has_room = [&](std::size_t step) {
    return line.steps[step].idle >= needed &&
           (query.demand() == nullptr || query.demand()->fits(line.free(step), room.cores));
  };
  std::size_t step = room.step;
  while (step > 0 && has_room(step - 1)) --step;
  return std::max(line.steps[step].at, query.view.now());
}

// The rooms that a job over several hosts takes at a later time, of these, which ascend by host: where it would have had
// room last, of equals those that are not idle now, then the fastest, then the lowest.
void Plan::keep_busy_nodes(const Query& query, std::vector<Room>& rooms) const {
  struct Key {
    Time since;
    double speed;
    bool is_idle;
    std::uint32_t place;
  };
  std::vector<Key> keys;
  keys.reserve(rooms.size());
  for (const Room& room : rooms)
    keys.push_back({has_room_since(query, room), query.lowest_first ? 0 : query.view[room.host].speed,
                    is_really_idle(query, room), static_cast<std::uint32_t>(keys.size())});
  const auto comes_first = [](const Key& a, const Key& b) {
    if (a.since != b.since) return a.since > b.since;
    if (a.is_idle != b.is_idle) return b.is_idle;
    return a.speed != b.speed ? a.speed > b.speed : a.place < b.place;
  };
  const auto wanted = static_cast<std::size_t>(query.wanted());
  std::ranges::nth_element(keys, keys.begin() + static_cast<std::ptrdiff_t>(wanted - 1), comes_first);
  std::vector<std::uint8_t> kept(rooms.size());
  for (std::size_t i = 0; i < wanted; ++i) kept[keys[i].place] = 1;
  std::size_t next = 0;
  for (std::size_t i = 0; i < rooms.size(); ++i)
    if (kept[i] != 0) rooms[next++] = rooms[i];
  rooms.resize(wanted);
}

void Plan::order(const Query& query, std::vector<Room>& rooms) const {
  if (!query.by_rule()) return keep_busy_nodes(query, rooms);
  const View& view = query.view;
  const bool may_be_busy = query.is_now() && query.shape.nodes > 1 && !is_real(query);
  if (!may_be_busy && !query.wakes && is_in_order(query)) return;
  if (query.random != nullptr)
    for (std::size_t i = 0; i + 1 < rooms.size(); ++i)
      std::swap(rooms[i], rooms[i + query.random->below(rooms.size() - i)]);
  const auto only_expected = [&](const Room& room) {  // last
    return may_be_busy && !is_really_idle(query, room);
  };
  const auto key = [&](const Room& room) {
    double value = 0;
    if (query.rule == HostChoice::fastest && !query.lowest_first) value = -view[room.host].speed;
    if (query.rule == HostChoice::most_idle) value = -idle_now_[room.host.index];
    if (query.rule == HostChoice::least_idle) value = idle_now_[room.host.index];
    for (const HostChoice choice : {HostChoice::low_power, HostChoice::high_memory, HostChoice::least_energy})
      if (query.rule == choice) value = -preference(view, room.host, choice);
    return std::tuple(only_expected(room), value);
  };
  if (!std::ranges::is_sorted(rooms, {}, key)) std::ranges::stable_sort(rooms, {}, key);
  if (query.wakes)
    std::ranges::stable_sort(rooms, {}, [&](const Room& room) { return has_room_since(query, room); });
}

// A function of a script puts some of the rooms in an order, or returns the shares itself. No rooms are left if those
// do not hold the job.
std::vector<Share> Plan::order_by_function(const Query& query, std::vector<Room>& rooms) const {
  std::vector<HostId> hosts;
  for (const Room& room : rooms) hosts.push_back(room.host);
  const Rule::Hosts answer = query.rule.function()->ask_hosts(query.sim, query.work, hosts);
  const auto room_at = [&](HostId host) { return *std::ranges::lower_bound(rooms, host, {}, &Room::host); };
  if (const auto* shares = std::get_if<std::vector<Share>>(&answer)) {
    const bool holds = std::ranges::all_of(
        *shares, [&](const Share& share) { return share.cores <= room_at(share.host).cores; });
    if (!holds) rooms.clear();
    return holds ? *shares : std::vector<Share>{};
  }
  std::vector<Room> ordered;
  std::int64_t all = 0;
  for (const HostId host : std::get<std::vector<HostId>>(answer)) {
    ordered.push_back(room_at(host));
    all += query.size_of(ordered.back());
  }
  if (all < query.wanted()) ordered.clear();
  rooms = std::move(ordered);
  if (query.is_now() && query.shape.nodes > 1)  // really idle ones first
    std::ranges::stable_partition(rooms, [&](const Room& room) { return is_really_idle(query, room); });
  return {};
}

// The rule is that of the shortest stretch of hosts: only those in it are left.
namespace {

template <class Room, class SizeOf>
void keep_shortest_stretch(std::vector<Room>& rooms, std::int64_t wanted, SizeOf size_of) {
  std::size_t best = 0, best_end = 0, first = 0;
  std::uint32_t shortest = std::numeric_limits<std::uint32_t>::max();
  std::int64_t inside = 0;
  for (std::size_t last = 0; last < rooms.size(); ++last) {
    inside += size_of(rooms[last]);
    while (inside - size_of(rooms[first]) >= wanted) inside -= size_of(rooms[first++]);
    const std::uint32_t length = rooms[last].host.index - rooms[first].host.index;
    if (inside < wanted || length >= shortest) continue;
    shortest = length;
    best = first;
    best_end = last + 1;
  }
  rooms.assign(rooms.begin() + static_cast<std::ptrdiff_t>(best),
               rooms.begin() + static_cast<std::ptrdiff_t>(best_end));
}

}  // namespace

// The processes of a job, host by host: of each first so many cores as first(room) says, then what is left.
template <class First>
std::vector<Share> Plan::fill_cores(const Query& query, const std::vector<Room>& rooms, First first) {
  std::vector<Share> shares;
  shares.reserve(rooms.size());
  std::int64_t left = query.wanted();
  for (const Room& room : rooms) {
    const auto taken =
        static_cast<std::int32_t>(std::min<std::int64_t>(std::clamp(first(room), 0, room.cores), left));
    left -= taken;
    shares.push_back({room.host, taken});
  }
  for (std::size_t i = 0; i < rooms.size(); ++i) {
    const auto more =
        static_cast<std::int32_t>(std::min<std::int64_t>(rooms[i].cores - shares[i].cores, left));
    left -= more;
    shares[i].cores += more;
  }
  std::erase_if(shares, [](const Share& share) { return share.cores == 0; });
  return shares;
}

// Cores that are not idle now, from the lowest host on.
std::vector<Share> Plan::fill_busy_cores(const Query& query, const std::vector<Room>& rooms) const {
  return fill_cores(query, rooms,
                    [&](const Room& room) { return room.idle - std::max(0, idle_now_[room.host.index]); });
}

// Cores that are really idle now. Where the job needs whole hosts, those of whole hosts.
std::vector<Share> Plan::fill_idle_cores(const Query& query, const std::vector<Room>& rooms) const {
  return fill_cores(query, rooms, [&](const Room& room) {
    const HostView& declared = query.view[room.host];
    const std::int32_t idle = idle_now_[room.host.index];
    return (declared.exclusive || query.shape.exclusive) && idle < declared.cores ? 0 : idle;
  });
}

// The shares of the job among the rooms, which ascend by host; empty if they do not hold it.
std::vector<Share> Plan::fill(const Query& query, std::vector<Room>& rooms) const {
  std::int64_t all = 0;
  for (const Room& room : rooms) all += query.size_of(room);
  if (all < query.wanted()) return {};
  if (!query.by_rule() && query.shape.nodes == 0) return fill_busy_cores(query, rooms);
  if (query.by_rule() && query.rule == HostChoice::contiguous)
    keep_shortest_stretch(rooms, query.wanted(), [&](const Room& room) { return query.size_of(room); });
  if (query.by_rule() && has_group(query.rule)) {
    const Together same =
        query.rule == HostChoice::same_cluster ? Together::cluster : Together::network_switch;
    std::map<std::uint32_t, std::pair<std::int64_t, HostId>> groups;  // their room, and their lowest host
    for (const Room& room : rooms)
      groups.try_emplace(group_of(query.view, room.host, same), 0, room.host).first->second.first +=
          query.size_of(room);
    const auto key = [&](const Room& room) {
      const auto& [size, lowest] = groups.at(group_of(query.view, room.host, same));
      const bool holds_all = size >= query.wanted();
      return std::tuple(!holds_all, holds_all ? size : -size, lowest, room.host);
    };
    std::ranges::sort(rooms, {}, key);
  } else if (query.by_rule() && query.rule.function() != nullptr) {
    if (std::vector<Share> shares = order_by_function(query, rooms); !shares.empty()) return shares;
    if (rooms.empty()) return {};
  } else {
    order(query, rooms);
  }
  std::vector<Share> shares;
  std::int64_t left = query.wanted();
  const bool fewest = query.by_rule() && query.rule == HostChoice::fewest_hosts && query.shape.nodes == 0;
  for (std::vector<Room> rest = fewest ? rooms : std::vector<Room>{}; left > 0 && fewest;) {
    const auto holds_rest = [&](const Room& room) { return room.cores >= left; };
    auto best = rest.end();
    for (auto each = rest.begin(); each != rest.end(); ++each)
      if (best == rest.end() || (holds_rest(*each) ? !holds_rest(*best) || each->cores < best->cores
                                                   : !holds_rest(*best) && each->cores > best->cores))
        best = each;
    const auto taken = static_cast<std::int32_t>(std::min<std::int64_t>(best->cores, left));
    shares.push_back({best->host, taken});
    left -= taken;
    rest.erase(best);
  }
  if (query.shape.nodes == 0 && query.is_now() && !fewest) {
    shares = fill_idle_cores(query, rooms);
    left = 0;
  }
  if (left > 0) shares.reserve(static_cast<std::size_t>(std::min<std::int64_t>(left, std::ssize(rooms))));
  for (std::size_t i = 0; i < rooms.size() && left > 0; ++i) {
    const std::int64_t size = std::min(query.size_of(rooms[i]), left);
    shares.push_back({rooms[i].host, query.shape.nodes > 0 ? query.cores : static_cast<std::int32_t>(size)});
    left -= size;
  }
  if (!std::ranges::is_sorted(shares, {}, &Share::host)) std::ranges::sort(shares, {}, &Share::host);
  return shares;
}

// The rule takes the hosts as they are declared.
bool Plan::is_in_order(const Query& query) const {
  if (query.random != nullptr) return false;
  return query.rule == HostChoice::first ||
         (query.rule == HostChoice::fastest && kinds_.count() == 1 && kinds_.is_of(query.sim));
}

// Only cores that are really idle are there at the time of the query.
bool Plan::is_real(const Query& query) const { return is_flat_ || (query.idle_now && query.is_now()); }

// False only if what is really idle now does not hold the work.
bool Plan::may_hold_now(const Query& query) const {
  std::int64_t room = 0;
  if (query.shape.nodes > 0)
    for (const std::int32_t idle : idle_now_) room += idle >= query.cores ? 1 : 0;
  else
    for (const std::int32_t idle : idle_now_)
      room += std::clamp(std::min(idle, query.shape.per_node), 0, query.cores);
  return room >= query.wanted();
}

bool Plan::are_of_one_kind(const Query& query, std::span<const Share> shares) const {
  const auto alike = [&](const Share& share) {
    return kinds_.of(share.host) == kinds_.of(shares.front().host);
  };
  return !query.ends.empty() && (query.ends.size() == 1 || std::ranges::all_of(shares, alike));
}

// The end of the work on that host alone, begun at the time of the query.
Time Plan::end_alone(const Query& query, HostId host) const {
  const Share alone{host, query.least()};
  const auto asked = [&] {
    return expected_end(query.sim, {query.work, query.size}, std::span(&alone, 1), query.at);
  };
  if (query.ends.empty()) return asked();
  Time& known = query.ends[kinds_.of(host)];
  if (std::isnan(known)) known = asked();
  return known;
}

// The room that the work could have on a host, were it there alone.
Plan::Room Plan::room_for(const Query& query, HostId host) const {
  if (is_real(query) && idle_now_[host.index] < query.least()) return {host};
  std::size_t step = 0;
  if (!is_flat_) {
    const Line& line = lines_[host.index];
    if (line.empty()) return {host};
    step = line.step_at(query.at);
    if (line.steps[step].idle < query.least()) return {host};
  }
  if (!query.shape.allows(host)) return {host};
  const Time end = is_flat_ && !query.is_listed ? query.at : end_alone(query, host);
  return end < kNever ? room_on(query, host, end, step) : Room{host};
}

Placement Plan::place_within(const Query& query, std::vector<Room> rooms) const {
  for (;;) {
    std::vector<Room> tried = is_flat_ ? std::move(rooms) : rooms;
    std::vector<Share> shares = fill(query, tried);
    if (shares.empty()) return {};
    const bool alike = are_of_one_kind(query, shares);  // they end together as each would alone
    Time end = query.at;
    if (alike && query.wants_end)
      end = end_alone(query, shares.front().host);
    else if (!is_flat_ || query.wants_end)
      end = expected_end(query.sim, {query.work, query.size}, shares, query.at);
    bool fits = true;
    if (!has_licences(query, end)) return {};
    if (is_flat_ || alike) return {query.at, end, std::move(shares)};
    for (const Share& share : shares) {
      const Room room = room_on(query, share.host, end);
      if (room.cores >= share.cores) continue;
      fits = false;
      *std::ranges::find(rooms, share.host, &Room::host) = room;
    }
    if (fits) return {query.at, end, std::move(shares)};
    std::erase_if(rooms, [](const Room& room) { return room.cores == 0; });
  }
}

Placement Plan::place(const Query& query) const {
  const View& view = query.view;
  if (query.shape.reservation != inside_) return {};
  if (!has_licences(query, query.at)) return {};
  if (is_real(query) && !may_hold_now(query)) return {};
  const bool share_ends = query.are_alike && kinds_.is_of(query.sim);
  query.ends.assign(share_ends ? kinds_.count() : 0, std::numeric_limits<Time>::quiet_NaN());
  if (query.shape.same == Together::anywhere) {
    const std::int32_t least = is_real(query) ? query.least() : std::numeric_limits<std::int32_t>::min();
    const bool first_will_do = is_flat_ && query.shape.nodes > 0 && query.by_rule() && is_in_order(query);
    std::vector<Room> rooms;
    rooms.reserve(idle_now_.size());
    for (std::size_t h = 0; h < idle_now_.size(); ++h) {
      if (idle_now_[h] < least) continue;
      if (first_will_do && std::ssize(rooms) == query.shape.nodes) break;
      if (const Room room = room_for(query, HostId(h)); room.cores > 0) rooms.push_back(room);
    }
    return place_within(query, std::move(rooms));
  }
  std::map<std::pair<HostId, std::uint32_t>, std::vector<Room>> groups;  // in order of their lowest host
  std::map<std::uint32_t, HostId> lowest;
  for (std::size_t h = 0; h < idle_now_.size(); ++h) {
    const Room room = room_for(query, HostId(h));
    if (room.cores == 0) continue;
    const std::uint32_t group = group_of(view, room.host, query.shape.same);
    groups[{lowest.try_emplace(group, room.host).first->second, group}].push_back(room);
  }
  for (auto& [group, all] : groups)
    if (Placement found = place_within(query, std::move(all)); found.valid()) return found;
  return {};
}

Placement Plan::place(Sim& sim, const Sized& work, Time at, HostRuleView rule, bool idle_now,
                      MostOfHosts most, Stream* random) const {
  Query query(sim, work, at, rule, idle_now);
  query.most = most;
  query.random = random;
  return place(query);
}

bool Plan::ends_on_all(Sim& sim, const Sized& work) const {
  const Query query(sim, work, sim.now(), HostChoice::first, false);
  if (!query.are_alike || !kinds_.is_of(sim)) return false;
  query.ends.assign(kinds_.count(), std::numeric_limits<Time>::quiet_NaN());
  return std::ranges::all_of(
      kinds_.firsts(), [&](HostId host) { return !query.view[host].up || end_alone(query, host) < kNever; });
}

std::vector<Share> Plan::shares_now(Sim& sim, const Sized& work, HostRuleView rule, Stream* random) const {
  Query query(sim, work, sim.now(), rule, true);
  query.random = random;
  query.wants_end = false;
  return place(query).shares;
}

// Where all hosts are served whole and times are alike, the job is placed where so many hosts are idle until its end,
// and more than before.
Placement Plan::earliest_by_count(Query& query, Time from) const {
  const std::int64_t wanted = query.wanted();
  std::int64_t idle = idle_hosts_;
  auto next = moments_.begin();
  for (; next != moments_.end() && next->at <= from; ++next) idle += next->more;
  bool grows = true;
  const auto pass = [&](Time at) {
    for (; next != moments_.end() && next->at == at; ++next) {
      idle += next->more;
      grows = grows || next->grows;
    }
  };
  for (query.at = from;;) {
    if (grows && idle >= wanted) {
      Time end = query.at;
      if (kinds_.count() == 1) {
        query.ends.assign(1, std::numeric_limits<Time>::quiet_NaN());
        end = end_alone(query, HostId(0));
      }
      std::int64_t then = idle;
      auto later = next;
      while (later != moments_.end() && later->at < end && then >= wanted)
        for (const Time at = later->at; later != moments_.end() && later->at == at; ++later)
          then += later->more;
      if (then >= wanted) {
        if (Placement found = place(query); found.valid()) return found;
      } else {  // too few are left at some time, for all starts until then
        next = later;
        idle = then;
      }
    }
    if (next == moments_.end()) return {};
    query.at = next->at;
    grows = false;
    pass(query.at);
  }
}

Placement Plan::earliest(Sim& sim, const Sized& work, Time from, HostRuleView rule, bool idle_now,
                         bool lowest_first) const {
  const View& view = sim.view();
  Query query(sim, work, from, rule, idle_now);
  query.lowest_first = lowest_first;
  query.wakes = wakes_;
  if (is_flat_) return place(query);
  const Shape& shape = query.shape;
  if (counts_ && shape.nodes > 0 && shape.demand == nullptr && shape.only == nullptr &&
      shape.same == Together::anywhere && query.are_alike && kinds_.is_of(sim) && rule.function() == nullptr)
    return earliest_by_count(query, from);
  // The room of all hosts grows and shrinks from step to step. The job is placed where there is enough, and more than
  // at the step before on some host.
  const Demand* demand = query.demand();
  const auto size_of = [&](HostId host, const Line& line, std::size_t step) -> std::int64_t {
    std::int32_t share = query.cores_of(query.usable(view[host], line.steps[step].idle));
    if (demand != nullptr && share > 0) share = query.cores_of(demand->cores_within(line.free(step), share));
    return query.shape.nodes > 0 ? std::min(share, 1) : share;
  };
  const auto grew = [&](const Line& line, std::size_t step) {
    if (line.steps[step].idle > line.steps[step - 1].idle) return true;
    if (demand == nullptr) return false;
    const std::span<const double> before = line.free(step - 1), after = line.free(step);
    return !std::ranges::equal(before, after, [](double was, double is) { return is <= was; });
  };
  std::int64_t room = 0;
  for (std::size_t h = 0; h < lines_.size(); ++h)
    if (!lines_[h].empty() && query.shape.allows(HostId(h))) room += size_of(HostId(h), lines_[h], 0);
  std::vector<std::uint32_t> at(lines_.size() +
                                1);  // the step of each host that has come, and of the licences
  bool tried = false;
  const auto turn = [&](HostId host) {
    const Line& line = host.valid() ? lines_[host.index] : licences_;
    const std::uint32_t step = ++at[host.valid() ? host.index : lines_.size()];
    if (host.valid() && !query.shape.allows(host)) return false;
    if (host.valid()) room += size_of(host, line, step) - size_of(host, line, step - 1);
    return grew(line, step);
  };
  for (std::size_t i = 0; i < moments_.size() || !tried;) {
    bool grows = !tried;
    if (tried || (i < moments_.size() && moments_[i].at <= from)) {
      const Time now = moments_[i].at;
      for (; i < moments_.size() && moments_[i].at == now; ++i)
        for (std::uint32_t k = 0; k < moments_[i].count; ++k)
          grows = turn(turning_[moments_[i].first + k]) || grows;
      if (!tried) continue;
      query.at = now;
    }
    tried = true;
    if (!grows || room < query.wanted()) continue;
    if (Placement found = place(query); found.valid()) return found;
  }
  return {};
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

}  // namespace perigee::batch
