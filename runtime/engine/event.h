#pragma once

#include <string_view>

#include "runtime/kernel/ids.h"

namespace perigee::engine {

// Why something happened, or why a policy refused a work. The list has the engine's own reasons; those of admission tests
// have numbers between them. A number enters the fingerprints, so that it stays.
enum class Reason : std::uint8_t {
  none,
  outage,       // a listed outage
  failure,      // a drawn failure
  reservation,  // the scenario reserved the resource
  membership,   // it left or joined
  change,       // its speed or availability changed
  cancelled,    // by the policy
  superseded,   // another copy ended first
  predecessor,  // the activity before it did not end well
  stranded,     // its outputs are in a cluster that left
  deadline,
  infeasible,  // fits no host
  policy,      // for a reason of the policy's own
  late,        // began later than promised
  // 14 to 22 are the refusals of admission tests (schedulers/realtime/reasons.h); schedulers/reasons.h names all.
  limit = 23,        // its requested time is over
  maintenance = 24,  // a maintenance window
  recovered = 25,    // it need not be done again: its outputs are back
};
inline constexpr int kMostReasons = 64;  // all numbers are below

enum class EventKind : std::uint8_t {
  mark,        // a named instant of the scenario
  ended,       // an activity; `finishes` = its work is finished with it
  superseded,  // a copy that another copy made pointless
  lost,        // an activity; its piece is to be done again
  down,        // a resource
  up,
  changed,
  thought,  // scheduling time is over
  timer,
  arrived,  // work
  stalled,  // nothing progresses and work is left
  killed,   // a job, at its limit
  known,    // an outage that is to come
  saved,    // a dump of an activity is whole; see Instants::saves
  ready,    // work that waited for others; see Accepts::precedence
  powered,  // a host has been switched on or off, or its way there was cut short
};
std::string_view name_of(EventKind kind);

// One thing that a policy is told. Valid during the call only. Sim::mark_name gives the name of a mark.
struct Event {
  Time at = 0;  // the event's own time; `now` is that of its instant
  WorkId work = {};
  ResourceId on = {};
  std::uint32_t serial = 0, slot = 0;
  EventKind kind = EventKind::mark;
  Reason why = Reason::none;
  bool finishes = false;
  bool transfer = false;  // the activity moves data

  ActivityId activity() const { return {serial, slot}; }
  TimerId timer() const { return {serial, slot}; }
};

}  // namespace perigee::engine
