// The outages of one host, link or cluster.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/model/scenario.h"

namespace perigee::engine {

struct Outage {
  // Numbers of outages that nobody has declared. A declared one has its number in the scenario (`Happening::outage`),
  // one that a process begins or ends has kNone.
  static constexpr std::uint32_t kByHand = Happening::kByHand;
  static constexpr std::uint32_t kDrawn = 0x8000'0000;  // the drawn failures, from here on

  std::uint32_t number = kNone;
  Cause cause = Cause::outage;
  bool announced = true;

  static Outage of(const Happening& happening) {
    return {happening.outage, happening.cause, happening.announced};
  }
  bool is_declared() const { return number < kByHand; }
  bool is_reservation() const { return cause == Cause::reservation; }
};

// Those that cover now, in the order in which they began. Each ends for itself.
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
  // The one that such a wish would end: of a declared or a drawn one that very one. Another ends, of those of its
  // own kind (a reservation ends reservations only), the last with its number, else the last that nobody has
  // declared, else the first. The wish itself where there is none.
  Outage ended_by(const Outage& wish) const;
  bool end(const Outage& outage);  // false: no such one covers now
  // Its host goes from one cluster, whose outages no longer count, to another.
  void move(const Outages& from, const Outages& to);

 private:
  std::vector<Outage> all_;
};

}  // namespace perigee::engine
