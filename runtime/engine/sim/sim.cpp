#include "runtime/engine/sim.h"

#include <fmt/format.h>

#include "runtime/engine/sim/shared.h"

namespace perigee::engine {

Sim::Sim(std::shared_ptr<const Scenario> scenario, std::uint64_t seed, Trace trace)
    : state_(std::move(scenario)), trace_(std::move(trace)), seed_(seed) {}

Stream& Sim::stream(std::string_view name) {
  const auto found = streams_.find(name);
  if (found != streams_.end()) return found->second;
  return streams_.emplace(std::string(name), Stream(seed_, name)).first->second;
}

// ---- messages ----

void Sim::bad(std::string_view decision, std::string_view problem) const {
  fail("bad_action", "policy '{}' at t = {}: {}: {}", policy_name_, state_.now, decision, problem);
}

std::string Sim::text_of(const Piece& piece) const {
  const Workload& workload = *state_.workload;
  std::string name = piece.work.index < workload.size() ? workload.name_of(piece.work)
                                                        : fmt::format("work #{}", piece.work.index);
  if (piece.work.index < workload.size() && !state_.works.is_dealt_in_parts(piece.work) &&
      workload[piece.work].kind != WorkKind::reservation)
    return name;
  return fmt::format("{} [{}, {})", name, piece.first, piece.first + piece.size);
}

void Sim::bad_work(WorkId work, std::string_view action) const {
  if (work.index >= state_.works.size())
    bad(fmt::format("{} work #{}", action, work.index),
        fmt::format("there are {} works", state_.works.size()));
  const WorkState state = state_.works[work].state;
  bad(fmt::format("{} {}", action, text_of({work})),
      state == WorkState::future ? "it has not arrived" : fmt::format("it is {}", name_of(state)));
}

void Sim::bad_host(HostId host, std::string_view action) const {
  bad(fmt::format("{} on host #{}", action, host.index),
      fmt::format("there are {} hosts", state_.hosts.size()));
}

void Sim::bad_piece(const Piece& piece, std::string_view action, std::string_view problem) const {
  bad(fmt::format("{} {}", action, text_of(piece)), problem);
}

Activity& Sim::live(ActivityId id, std::string_view action) {
  if (!state_.activities.lives(id)) bad(fmt::format("{} activity {}", action, id.serial), "it is over");
  return state_.activities[id.slot];
}

// ---- timers, notes ----

TimerId Sim::timer(Time at, TimerPhase phase, Keeps keeps) {
  if (!(at >= state_.now)) bad(fmt::format("set a timer at {}", at), "that is in the past or no time");
  if (at == kNever) keeps = Keeps::nothing;
  const TimerId id = state_.timers.add(at, phase, keeps);
  if (at < kNever) push(Due::timer, at, id.serial, id.slot);
  return id;
}

void Sim::cancel(TimerId timer) {
  if (timer.valid() && !state_.timers.has_been(timer)) bad("cancel a timer", "there was never such a timer");
  state_.timers.remove(timer);
}

void Sim::note(std::string_view name, std::span<const double> values) {
  trace_.add(Note{state_.now, std::string(name), {values.begin(), values.end()}});
}

}  // namespace perigee::engine
