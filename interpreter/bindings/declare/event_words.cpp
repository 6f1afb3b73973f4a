// Constructors of events, outage { ... }, failures { ... }, change { ... } and the like, and what can be checked before the
// platform is known.
#include "interpreter/bindings/declare/event_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include "interpreter/bindings/declare/events.h"
#include "interpreter/bindings/plain_table.h"
#include "interpreter/language/fields/events.h"
#include "interpreter/session/interpreter.h"

namespace perigee::bindings {

namespace {

struct EventKind {
  const char* name;  // of its constructor too
  std::span<const FieldRow> rows;
};
constexpr std::array<EventKind, 8> kEventKinds = {{{"outage", event_fields::kOutage},
                                                   {"leave", event_fields::kLeave},
                                                   {"join", join_fields::kJoin},
                                                   {"change", change_fields::kChange},
                                                   {"reserve", event_fields::kReserve},
                                                   {"maintenance", event_fields::kMaintenance},
                                                   {"mark", event_fields::kMark},
                                                   {"failures", failure_fields::kFailures}}};

}  // namespace

Fields scenario_fields_of(lua_State* L, int index, const std::string& kind) {
  return {L, index, {kind}, std::ranges::find(kEventKinds, kind, &EventKind::name)->rows};
}

void check_change(const Fields& fields) {
  if (int{fields.has(change_fields::kSpeed)} + int{fields.has(change_fields::kFactor)} +
          int{fields.has(change_fields::kAvailability)} + int{fields.has(change_fields::kBandwidth)} +
          int{fields.has(change_fields::kLatency)} !=
      1)
    fields.fail(nullptr,
                "exactly one of speed, factor, availability, bandwidth and latency says what changes");
  if (fields.has(change_fields::kFactor)) (void)fields.number(change_fields::kFactor);
}

Time check_known(const Fields& fields, const FieldRow& field, bool announced) {
  const Time from = fields.number(event_fields::kFrom), known = fields.number(field, kNever);
  if (known == kNever) return known;
  if (!announced) fields.fail(field, "known has no place beside announced = false");
  if (known > from)
    fields.fail(field, "known must be at most from = {} s, got {}", format_number(from),
                format_number(known));
  return known;
}

namespace {

void check_interval(const Fields& fields) {
  const Time from = fields.number(event_fields::kFrom), to = fields.number(event_fields::kTo);
  if (!(to > from))
    fields.fail(event_fields::kTo, "to must be after from = {} s, got {}", format_number(from),
                format_number(to));
}

void check_maintenance(const Fields& fields) {
  check_interval(fields);
  check_known(fields, event_fields::kKnownBefore, true);
  const std::int64_t times = fields.integer(event_fields::kTimes);
  if (!fields.has(event_fields::kEvery)) {
    if (fields.has(event_fields::kTimes))
      fields.fail(event_fields::kTimes, "times = {} needs every, the time between two", times);
    return;
  }
  if (!fields.has(event_fields::kTimes))
    fields.fail(event_fields::kTimes, "every needs times: how often it comes");
  const double length = fields.number(event_fields::kTo) - fields.number(event_fields::kFrom),
               every = fields.number(event_fields::kEvery);
  if (every < length)
    fields.fail(event_fields::kEvery, "every must be at least the {} s that it lasts, got {}",
                format_number(length), format_number(every));
}

// Checks as much of an event as can be checked before the platform is known.
void check_event(const Fields& fields, const std::string& kind) {
  if (kind == "maintenance") return check_maintenance(fields);
  const bool announced = fields.flag(event_fields::kAnnounced);
  if (kind == "outage" || kind == "reserve") {
    check_interval(fields);
    check_known(fields, event_fields::kKnown, announced);
  } else if (kind == "failures") {
    (void)fields.number(failure_fields::kMtbf);
    (void)fields.number(failure_fields::kMttr);
    (void)fields.choice(failure_fields::kLaw);
    (void)fields.choice(failure_fields::kRepairLaw);
    (void)fields.number(failure_fields::kShape);
    (void)fields.number(failure_fields::kRepairShape);
  } else {
    (void)fields.number(event_fields::kAt);
  }
  if (kind == "leave" || kind == "join") {
    const double at = fields.number(event_fields::kAt), known = fields.number(event_fields::kKnownMember, at);
    if (known > at)
      fields.fail(event_fields::kKnownMember, "known must be at most at = {} s, got {}", format_number(at),
                  format_number(known));
  }
  if (kind == "join" && fields.has(join_fields::kWithHosts)) {
    (void)fields.flag(join_fields::kWithHosts);
    if (fields.has(event_fields::kHost))
      fields.fail(join_fields::kWithHosts, "with_hosts is for a cluster that joins");
  }
  if (kind == "change") check_change(fields);
}

// Pushes a copy of the table and of the tables in it, so that later changes by the script have no effect.
void push_event_copy(lua_State* L, int index, int depth = 4) {
  luaL_checkstack(L, 6, "an event");
  index = lua_absindex(L, index);
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, index) != 0;) {
    if (depth > 0 && is_plain_table(L, -1)) {
      push_event_copy(L, -1, depth - 1);
      lua_remove(L, -2);
    }
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -4);
  }
}

}  // namespace

Reference declared_event(lua_State* L, int index) {
  if (!is_plain_table(L, index)) return {L, index};
  push_event_copy(L, index);
  Reference copy(L, -1);
  lua_pop(L, 1);
  return copy;
}

namespace {

template <std::size_t number>
int make_event(lua_State* L) {
  return guard(L, [&] {
    const std::string kind = kEventKinds[number].name;
    check_event(scenario_fields_of(L, 1, kind), kind);
    push_new(L, EventPart{kind, declared_event(L, 1), caller(L)});
    return 1;
  });
}

template <std::size_t... number>
void define_events(lua_State* L, std::index_sequence<number...>) {
  (define(L, kEventKinds[number].name, make_event<number>), ...);
}

// outages_from "file.csv": columns host (or cluster or link), from, to.
int outages_from(lua_State* L) {
  return guard(L, [&] {
    const auto path = text_at(L, 1);
    if (!path) fail("bad_type", "outages_from: the name of a file is needed, got {}", shown(L, 1));
    push_new(L, EventPart{"outages_from " + Interpreter::of(L).files().data_file(std::string(*path)),
                          Reference(L, 1), caller(L)});
    return 1;
  });
}

int event_text(lua_State* L) {
  return guard(L, [&] {
    host::push(L, check<EventPart>(L, 1).kind);
    return 1;
  });
}

constexpr luaL_Reg kEventMeta[] = {{"__tostring", event_text}, {nullptr, nullptr}};

}  // namespace

void open_events(lua_State* L) {
  new_type<EventPart>(L, nullptr, kEventMeta);
  define_events(L, std::make_index_sequence<kEventKinds.size()>());
  define(L, "outages_from", outages_from);
}

}  // namespace perigee::bindings
