#include "runtime/engine/state/links.h"

#include <cmath>

#include "runtime/model/routes.h"

namespace perigee::engine {

Links::Links(const Platform& platform)
    : platform_(&platform),
      links_(platform.links().size()),
      views_(platform.links().size()),
      route_to_(platform.clusters().size(), kNone) {
  for (std::size_t l = 0; l < links_.size(); ++l) {
    links_[l].bandwidth.profile = platform.links()[l].bandwidth;
    links_[l].latency.profile = platform.links()[l].latency;
  }
}

// ---- presence ----

Presence::Begun Links::begin_outage(LinkId link, const Outage& outage) {
  const Presence::Begun begun = at(link).presence.begin(outage);
  show(link);
  return begun;
}

bool Links::recover(LinkId link) {
  const bool told = at(link).presence.recover();
  show(link);
  return told;
}

void Links::leave(LinkId link) {
  at(link).presence.leave();
  show(link);
}

void Links::join(LinkId link) {
  at(link).presence.join();
  show(link);
}

// ---- routes ----

void Links::find_routes(Time now) {
  up_.resize(links_.size());
  latencies_.resize(links_.size());
  for (std::size_t l = 0; l < links_.size(); ++l) {
    up_[l] = links_[l].presence.is_up() ? 1 : 0;
    latencies_[l] = links_[l].latency.at(now);
  }
  for (Row& row : between_) row.is_found = false;
  std::vector<std::vector<std::uint32_t>> known(links_.size());  // in routes_, by their last link
  for (std::size_t r = 0; r < routes_.size(); ++r)
    known[routes_[r].back().index].push_back(static_cast<std::uint32_t>(r));
  std::vector<Route> routes = all_routes(*platform_, up_, latencies_);
  for (std::size_t c = 0; c < route_to_.size(); ++c) {
    Route& route = routes[c];
    route_to_[c] = kNone;
    if (route.empty()) continue;
    several_hops_ = several_hops_ || route.size() > 1;
    const std::vector<std::uint32_t>& alike = known[route.back().index];
    const auto same = std::ranges::find_if(alike, [&](std::uint32_t r) { return routes_[r] == route; });
    route_to_[c] = same != alike.end() ? *same : static_cast<std::uint32_t>(routes_.size());
    if (same == alike.end()) routes_.push_back(std::move(route));
  }
}

std::uint32_t Links::route_between(ClusterId from, ClusterId to) const {
  const std::size_t clusters = route_to_.size();
  if (between_.empty()) between_.resize(clusters);
  Row& row = between_[from.index];
  if (!row.is_found) {
    row.is_found = true;
    row.routes.resize(clusters, kNone);
    if (platform_->complete())
      find_direct(from, row);
    else
      find_between(from, row);
  }
  return row.is_open[to.index] != 0 ? row.routes[to.index] : kNone;
}

void Links::find_direct(ClusterId from, Row& row) const {
  const CompleteNetwork& network = *platform_->complete();
  const std::size_t clusters = route_to_.size();
  row.is_open.assign(clusters, 0);
  const auto gateway = [&](std::size_t cluster) { return platform_->clusters()[cluster].link; };
  for (std::size_t c = 0; c < clusters; ++c) {
    if (c == from.index) continue;
    row.is_open[c] = up_[gateway(from.index).index] & up_[gateway(c).index];
    if (row.routes[c] != kNone) continue;
    row.routes[c] = static_cast<std::uint32_t>(routes_.size());
    routes_.push_back({gateway(from.index), gateway(c)});
    directs_.resize(routes_.size());
    directs_.back() = {network.latency_of(from, ClusterId(c), clusters),
                       network.bandwidth_of(from, ClusterId(c), clusters)};
  }
}

void Links::find_between(ClusterId from, Row& row) const {
  std::vector<Route> found = all_routes(*platform_, from, up_, latencies_);
  row.is_open.assign(found.size(), 0);
  for (std::size_t c = 0; c < found.size(); ++c) {
    if (found[c].empty()) continue;
    row.is_open[c] = 1;
    several_hops_ = several_hops_ || found[c].size() > 1;
    if (row.routes[c] != kNone && routes_[row.routes[c]] == found[c]) continue;
    row.routes[c] = static_cast<std::uint32_t>(routes_.size());
    routes_.push_back(std::move(found[c]));
  }
}

std::uint32_t Links::route_over(LinkId link) {
  const auto same = std::ranges::find_if(
      routes_, [&](const std::vector<LinkId>& each) { return each.size() == 1 && each.front() == link; });
  if (same == routes_.end()) {
    routes_.push_back({link});
    return static_cast<std::uint32_t>(routes_.size() - 1);
  }
  return static_cast<std::uint32_t>(same - routes_.begin());
}

// ---- rates ----

bool Links::is_steady(std::uint32_t number) const {
  return std::ranges::all_of(route(number), [this](LinkId link) {
    return at(link).bandwidth.profile.is_constant() && at(link).latency.profile.is_constant();
  });
}

void Links::install(LinkId link, double factor, const Profile* bandwidth, const Profile* latency, Time now) {
  State& state = at(link);
  if (!std::isnan(factor)) state.bandwidth.factor = factor;
  if (bandwidth != nullptr) {
    state.bandwidth.profile = *bandwidth;
    state.bandwidth.since = now;
  }
  if (latency != nullptr) {
    state.latency.profile = *latency;
    state.latency.since = now;
  }
}

// A transfer's bandwidth now. It is 0 until every link that carries nothing now has changed, however often the
// others do.
LeastRate Links::rate_at(std::span<const LinkId> route, Time now) const {
  return LeastRate::at(now, route, [&](LinkId link) {
    const State& state = at(link);
    double here = state.bandwidth.at(now);
    if (is_fair(link) && state.moving > 1) here /= state.moving;
    return std::pair((*platform_)[link].implied ? nullptr : &state.bandwidth, here);
  });
}

Time Links::sent_over_several(double bytes, std::span<const LinkId> links, Time from) const {
  return end_at_least_rate(from, bytes, [&](Time now) { return rate_at(links, now); });
}

Seconds Links::alone(double bytes, std::uint32_t number, Time now) const {
  const Seconds latency = latency_of(number, now);
  if (bytes <= 0) return latency;
  if (const Direct* way = direct(number); way != nullptr) return latency + bytes / way->bandwidth;
  double least = kNever;
  for (const LinkId link : route(number))
    if (!(*platform_)[link].implied) least = std::min(least, at(link).bandwidth.at(now));
  return latency + bytes / least;
}

double Links::sent(double left, std::uint32_t number, Time from, Time to) const {
  const std::span<const LinkId> links = route(number);
  if (const Direct* way = direct(number); way != nullptr)
    return way->bandwidth < kNever ? way->bandwidth * (to - from) : left;
  if (links.size() == 1 && !(*platform_)[links.front()].implied)
    return at(links.front()).bandwidth.integral(from, to, share_of(links.front()));
  return done_at_least_rate(from, to, left, [&](Time now) { return rate_at(links, now); });
}

void Links::hold(LinkId link) {
  ++at(link).busy;
  ++at(link).held;
}

void Links::free(LinkId link) {
  --at(link).busy;
  --at(link).held;
}

}  // namespace perigee::engine
