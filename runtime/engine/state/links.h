// The links of a run: whether they are up, at what rate they send, who uses them, and the ways over them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/engine/state/presence.h"
#include "runtime/engine/state/rate.h"
#include "runtime/model/platform.h"

namespace perigee::engine {

struct LinkView {
  bool up = true;              // as far as the policy has been told
  std::int32_t transfers = 0;  // under way
  std::uint32_t queued = 0;
};

// A route goes from home to a cluster and back, or from a cluster to another one. It has a number, which stays the same
// while the run lasts; kNone = there is no way. Transfers are named by the slots of their activities.
class Links {
 public:
  explicit Links(const Platform& platform);  // which outlives this

  std::size_t size() const { return links_.size(); }
  std::span<const LinkView> views() const { return views_; }

  // ---- presence ----

  const Presence& presence(LinkId link) const { return at(link).presence; }
  bool is_up(LinkId link) const { return at(link).presence.is_up(); }
  Presence::Begun begin_outage(LinkId link, const Outage& outage);
  bool end_outage(LinkId link, const Outage& outage) { return at(link).presence.end(outage); }
  bool recover(LinkId link);  // see Presence::recover
  void leave(LinkId link);
  void join(LinkId link);

  // ---- routes ----

  // Finds the routes to all clusters over the links that are up. Who is under way keeps the old one.
  void find_routes(Time now);
  std::uint32_t route_to(ClusterId cluster) const { return route_to_[cluster.index]; }
  // From a cluster to another one, over the links that were up and had these latencies when routes were last found.
  std::uint32_t route_between(ClusterId from, ClusterId to) const;
  // The time of a transfer over the route that begins now and is alone on it, if nothing changes meanwhile.
  Seconds alone(double bytes, std::uint32_t route, Time now) const;
  // A route between clusters of a complete network, which goes over their gateways. Null for all others.
  struct Direct {
    Seconds latency = 0;
    double bandwidth = 0;  // B/s; 0: the route is one of links
  };
  const Direct* direct(std::uint32_t number) const {
    return number < directs_.size() && directs_[number].bandwidth > 0 ? &directs_[number] : nullptr;
  }
  std::uint32_t route_over(LinkId link);  // that alone, wherever it leads
  std::span<const LinkId> route(std::uint32_t number) const {
    return number == kNone ? std::span<const LinkId>{} : std::span<const LinkId>(routes_[number]);
  }
  bool any_of_several_hops() const {
    return several_hops_;
  }  // some cluster is or was reached over more than one link

  // ---- rates ----

  const Rate& bandwidth(LinkId link) const { return at(link).bandwidth; }  // B/s
  const Rate& latency(LinkId link) const { return at(link).latency; }      // s
  [[gnu::always_inline]] inline Seconds latency_of(std::uint32_t route, Time now) const;
  bool is_steady(std::uint32_t route) const;  // its rates change only by events
  // From now on; a null profile leaves the old one, a NaN the old factor.
  void install(LinkId link, double factor, const Profile* bandwidth, const Profile* latency, Time now);

  // The time at which `bytes` have been sent that begin at `from`, as links are shared now. kNever = never.
  // Throws TooManySteps where that cannot be found in reasonable time.
  inline Time sent_by(double bytes, std::uint32_t route, Time from) const;
  // The bytes of `left` that go over the route in that time.
  double sent(double left, std::uint32_t route, Time from, Time to) const;

  // ---- use ----

  bool is_busy(LinkId link) const { return at(link).busy > 0; }  // with a transfer or a hold
  bool is_held(LinkId link) const { return at(link).held > 0; }
  bool is_exclusive(LinkId link) const { return (*platform_)[link].sharing == Sharing::exclusive; }
  bool takes_transfer(LinkId link) const {
    return at(link).held == 0 && (!is_exclusive(link) || at(link).busy == 0);
  }
  // Transfers under way, in order of start.
  std::span<const std::uint32_t> transfers_on(LinkId link) const { return at(link).transfers; }
  // Transfers that have a part of the link's bandwidth each.
  std::int32_t sharing(LinkId link) const { return is_fair(link) ? std::max(at(link).moving, 1) : 1; }
  [[gnu::always_inline]] inline bool any_fair(std::uint32_t route) const;
  // Other transfers on the route's fair links for which keep(slot) holds, each once; valid until the next
  // call.
  template <class Keep>
  [[gnu::always_inline]] inline std::span<const std::uint32_t> sharing_with(std::uint32_t slot,
                                                                            std::uint32_t route, Keep keep);

  [[gnu::always_inline]] inline void enter(std::uint32_t route, std::uint32_t slot);
  [[gnu::always_inline]] inline void leave(std::uint32_t route, std::uint32_t slot);
  // A transfer's data begins to move, or no longer does.
  void begin_moving(std::uint32_t route) { count_moving(route, 1); }
  void end_moving(std::uint32_t route) { count_moving(route, -1); }
  void hold(LinkId link);
  void free(LinkId link);  // from a hold
  void show_queued(LinkId link, std::size_t posts) {
    views_[link.index].queued = static_cast<std::uint32_t>(posts);
  }

 private:
  struct State {
    Presence presence;
    std::int32_t busy = 0;    // transfers and holds that use it
    std::int32_t held = 0;    // holds among these
    std::int32_t moving = 0;  // transfers in their data phase
    Rate bandwidth, latency;
    std::vector<std::uint32_t> transfers;
  };
  State& at(LinkId link) { return links_[link.index]; }
  const State& at(LinkId link) const { return links_[link.index]; }
  bool is_fair(LinkId link) const { return (*platform_)[link].sharing == Sharing::fair; }
  double share_of(LinkId link) const {  // a transfer's factor on the profile
    const State& state = at(link);
    return is_fair(link) && state.moving > 1 ? state.bandwidth.factor / state.moving : state.bandwidth.factor;
  }
  Time sent_over_several(double bytes, std::span<const LinkId> route, Time from) const;
  LeastRate rate_at(std::span<const LinkId> route, Time now) const;
  [[gnu::always_inline]] inline void count_moving(std::uint32_t route, std::int32_t more);
  void show(LinkId link) { views_[link.index].up = at(link).presence.seems_up(); }

  const Platform* platform_;
  std::vector<State> links_;
  std::vector<LinkView> views_;
  // The routes from a cluster to each of the others. Routes that are not open lead over links that are down.
  struct Row {
    bool is_found = false;
    std::vector<std::uint32_t> routes;
    std::vector<std::uint8_t> is_open;
  };
  void find_direct(ClusterId from, Row& row) const;
  void find_between(ClusterId from, Row& row) const;

  // Routes between clusters are found when somebody asks for them, which changes no answer.
  mutable std::vector<std::vector<LinkId>> routes_;
  mutable std::vector<Direct> directs_;  // by route; those past the end are none
  mutable std::vector<Row> between_;     // per cluster; empty until somebody asks
  std::vector<std::uint32_t> route_to_;  // per cluster
  std::vector<std::uint8_t> up_;         // when routes were last found
  std::vector<Seconds> latencies_;       // the same
  mutable bool several_hops_ = false;
  std::vector<std::uint32_t> others_;  // kept for its capacity
};

inline Seconds Links::latency_of(std::uint32_t number, Time now) const {
  Seconds latency = 0;
  for (const LinkId link : route(number)) latency += at(link).latency.at(now);
  if (!directs_.empty()) [[unlikely]]
    if (const Direct* way = direct(number); way != nullptr) return way->latency;
  return latency;
}

inline Time Links::sent_by(double bytes, std::uint32_t number, Time from) const {
  if (bytes <= 0) return from;
  const std::span<const LinkId> links = route(number);
  if (links.size() != 1) {
    const Direct* way = direct(number);
    return way != nullptr ? from + bytes / way->bandwidth : sent_over_several(bytes, links, from);
  }
  const LinkId link = links.front();
  return (*platform_)[link].implied ? from : at(link).bandwidth.end_of(from, bytes, share_of(link));
}

inline bool Links::any_fair(std::uint32_t number) const {
  return std::ranges::any_of(route(number), [this](LinkId link) { return is_fair(link); });
}

template <class Keep>
inline std::span<const std::uint32_t> Links::sharing_with(std::uint32_t slot, std::uint32_t number,
                                                          Keep keep) {
  others_.clear();
  std::size_t fair = 0;
  for (const LinkId link : route(number)) {
    if (!is_fair(link)) continue;
    ++fair;
    for (const std::uint32_t other : at(link).transfers)
      if (other != slot && keep(other)) others_.push_back(other);
  }
  if (fair > 1) {  // who goes over several of them was found on each
    std::sort(others_.begin(), others_.end());
    others_.erase(std::unique(others_.begin(), others_.end()), others_.end());
  }
  return others_;
}

inline void Links::enter(std::uint32_t number, std::uint32_t slot) {
  for (const LinkId link : route(number)) {
    ++at(link).busy;
    at(link).transfers.push_back(slot);
    ++views_[link.index].transfers;
  }
}

inline void Links::leave(std::uint32_t number, std::uint32_t slot) {
  for (const LinkId link : route(number)) {
    std::vector<std::uint32_t>& transfers = at(link).transfers;
    --at(link).busy;
    transfers.erase(std::find(transfers.begin(), transfers.end(), slot));
    --views_[link.index].transfers;
  }
}

inline void Links::count_moving(std::uint32_t number, std::int32_t more) {
  for (const LinkId link : route(number)) at(link).moving += more;
}

}  // namespace perigee::engine
