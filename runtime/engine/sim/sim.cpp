#include "runtime/engine/sim.h"

#include <fmt/format.h>

#include "runtime/engine/sim/shared.h"

namespace perigee::engine {

Sim::Sim(std::shared_ptr<const Scenario> scenario, std::uint64_t seed, TraceLevel level)
    : scenario_(std::move(scenario)),
      platform_(scenario_->platform.get()),
      workload_(scenario_->workload.get()),
      view_(scenario_->platform),
      trace_(level),
      posts_(platform_->hosts().size(), platform_->links().size()),
      stores_(platform_->clusters().size()),
      seed_(seed) {
  const Platform& platform = *platform_;
  for (std::size_t h = 0; h < platform.hosts().size(); ++h)
    if (platform.hosts()[h].overtake) posts_.let_overtake(ResourceId::of(HostId(h)));
  for (std::size_t l = 0; l < platform.links().size(); ++l)
    if (platform.links()[l].overtake) posts_.let_overtake(ResourceId::of(LinkId(l)));

  clusters_.resize(platform.clusters().size());
  make_room(0);

  std::vector<std::uint32_t> models(scenario_->failures.empty() ? 0 : platform.hosts().size());
  for (std::size_t m = 0; m < scenario_->failures.size(); ++m)
    for (const HostId host : scenario_->failures[m].hosts) {
      std::string name = "failures/" + platform[host].name;
      if (++models[host.index] > 1)
        name += fmt::format("/{}", models[host.index]);  // each model draws on its own
      failing_.push_back({host, static_cast<std::uint32_t>(m), false, kNever, Stream(seed, name)});
    }
}

// State of the workload's works from `first` on, and of their files.
void Sim::make_room(std::size_t first) {
  const Workload& workload = *workload_;
  view_.workload_ = scenario_->workload;
  view_.works_.extend(workload);
  stores_.extend(workload, first);
}

void Sim::extend(std::shared_ptr<const Workload> workload) {
  const std::size_t first = workload_->size();
  auto longer = std::make_shared<Scenario>(*scenario_);
  longer->workload = std::move(workload);
  scenario_ = std::move(longer);
  workload_ = scenario_->workload.get();
  make_room(first);
}

Stream& Sim::stream(std::string_view name) {
  const auto found = streams_.find(name);
  if (found != streams_.end()) return found->second;
  return streams_.emplace(std::string(name), Stream(seed_, name)).first->second;
}

// ---- messages ----

void Sim::bad(std::string_view decision, std::string_view problem) const {
  fail("bad_action", "policy '{}' at t = {}: {}: {}", policy_name_, view_.now_, decision, problem);
}

std::string Sim::text_of(const Piece& piece) const {
  const Workload& workload = *workload_;
  std::string name = piece.work.index < workload.size() ? workload.name_of(piece.work)
                                                        : fmt::format("work #{}", piece.work.index);
  if (piece.work.index < workload.size() && workload[piece.work].extra == kNone) return name;
  return fmt::format("{} [{}, {})", name, piece.first, piece.first + piece.size);
}

void Sim::bad_work(WorkId work, std::string_view action) const {
  if (work.index >= view_.works_.size())
    bad(fmt::format("{} work #{}", action, work.index),
        fmt::format("there are {} works", view_.works_.size()));
  const WorkState state = view_.works_[work].state;
  bad(fmt::format("{} {}", action, text_of({work})),
      state == WorkState::future ? "it has not arrived" : fmt::format("it is {}", name_of(state)));
}

void Sim::bad_host(HostId host, std::string_view action) const {
  bad(fmt::format("{} on host #{}", action, host.index),
      fmt::format("there are {} hosts", view_.hosts_.size()));
}

void Sim::bad_piece(const Piece& piece, std::string_view action, std::string_view problem) const {
  bad(fmt::format("{} {}", action, text_of(piece)), problem);
}

Activity& Sim::live(ActivityId id, std::string_view action) {
  if (!activities_.lives(id)) bad(fmt::format("{} activity {}", action, id.serial), "it is over");
  return activities_[id.slot];
}

// ---- timers, notes ----

TimerId Sim::timer(Time at, TimerPhase phase, Keeps keeps) {
  if (!(at >= view_.now_)) bad(fmt::format("set a timer at {}", at), "that is in the past or no time");
  if (at == kNever) keeps = Keeps::nothing;
  const TimerId id = timers_.add(at, phase, keeps);
  if (at < kNever) push(Due::timer, at, id.serial, id.slot);
  return id;
}

void Sim::cancel(TimerId timer) {
  if (timer.valid() && !timers_.has_been(timer)) bad("cancel a timer", "there was never such a timer");
  timers_.remove(timer);
}

void Sim::note(std::string_view name, std::span<const double> values) {
  trace_.add(Note{view_.now_, std::string(name), {values.begin(), values.end()}});
}

}  // namespace perigee::engine
