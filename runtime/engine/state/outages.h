// The outages of one host, link or cluster.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/model/scenario.h"

namespace perigee::engine {

struct Outage {
  std::uint32_t number = kNone;
  Cause cause = Cause::outage;
  bool announced = true;

  static Outage of(const Happening& happening) {
    return {happening.outage, happening.cause, happening.announced};
  }
  OutageOrigin origin() const { return model::outage_origin(number); }
  bool is_reservation() const { return cause == Cause::reservation; }
};

// The outages that cover now, in the order in which they began. Each ends for itself.
class Outages {
 public:
  bool empty() const { return all_.empty(); }
  std::size_t size() const { return all_.size(); }
  bool any_announced() const;
  bool any_by_hand() const;
  bool any_reserved() const;
  bool any_to_recover() const;  // that is not a reservation
  bool only_drawn() const;      // and there are some

  void begin(const Outage& outage) { all_.push_back(outage); }
  // The outage that an `up` ends; the `up` itself where there is none. An `up` of the scenario, or a drawn
  // one, ends its very outage. Another ends one of its own kind: a reservation ends reservations only. It
  // ends the last of its own origin, else the last of an intervention or a process, else the first.
  Outage ended_by(const Outage& up) const;
  bool end(const Outage& outage);  // false: no such one covers now
  // Its host goes from one cluster, whose outages no longer count, to another.
  void move(const Outages& from, const Outages& to);

 private:
  std::vector<Outage> all_;
};

}  // namespace perigee::engine
