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
  std::vector<std::uint8_t> up(links_.size());
  std::vector<Seconds> latencies(links_.size());
  for (std::size_t l = 0; l < links_.size(); ++l) {
    up[l] = links_[l].presence.is_up() ? 1 : 0;
    latencies[l] = links_[l].latency.at(now);
  }
  std::vector<std::vector<std::uint32_t>> known(links_.size());  // in routes_, by their last link
  for (std::size_t r = 0; r < routes_.size(); ++r)
    known[routes_[r].back().index].push_back(static_cast<std::uint32_t>(r));
  std::vector<Route> routes = all_routes(*platform_, up, latencies);
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

double Links::sent(double left, std::uint32_t number, Time from, Time to) const {
  const std::span<const LinkId> links = route(number);
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
