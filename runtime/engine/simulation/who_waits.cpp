// "Who waits for what", where a run cannot go on.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "runtime/engine/simulation/loop.h"
#include "runtime/kernel/quantity.h"

namespace perigee::engine {

bool Simulation::woke_in_vain() const { return loop_->idle_wakes >= kMaxIdleWakes; }

std::vector<std::string> Simulation::still_to_come() const {
  std::vector<std::string> lines;
  const Timers& timers = loop_->timers();
  const bool processes_wait =
      std::ranges::any_of(loop_->processes, [](const Loop::Running& each) { return each.next < kNever; });
  const std::string in_vain = !woke_in_vain() ? ""
                                              : fmt::format("; {} woke {} times while nothing progressed",
                                                            !timers.any_keeping() ? "processes"
                                                            : processes_wait      ? "processes and timers"
                                                                                  : "timers",
                                                            kMaxIdleWakes);
  for (const bool keeps : {true, false}) {
    Time first = kNever;
    for (const Timers::Timer& timer : timers.slots())
      if (timer.serial != 0 && (timer.keeps != Keeps::nothing) == keeps) first = std::min(first, timer.at);
    if (first == kNever) continue;
    lines.push_back(
        keeps ? fmt::format("policy '{}' has a timer for t = {} s{}", policy_name(), format_number(first),
                            in_vain)
              : fmt::format("policy '{}' has a timer for t = {} s, for which alone no run goes on (idle)",
                            policy_name(), format_number(first)));
  }
  for (const Loop::Running& each : loop_->processes) {
    if (each.for_condition)
      lines.push_back(fmt::format("{} waits for its condition", each.process->name()));
    else if (each.next < kNever)
      lines.push_back(
          fmt::format("{} waits until t = {} s{}", each.process->name(), format_number(each.next), in_vain));
  }
  return lines;
}

namespace {

// "file 'x' is posted to cluster 'c' and waits for its link"
std::string waits_posted(const Sim& sim, ActivityId id, ResourceId on) {
  const View& view = sim.view();
  const Workload& workload = view.workload();
  const ActivityView activity = *sim.activity(id);
  const bool in = activity.kind == ActivityKind::transfer_in;
  const std::string what =
      activity.link.valid() ? fmt::format("a dump of {} is posted on {}", workload.name_of(activity.work),
                                          view.platform()[activity.link].name)
      : activity.file.valid()
          ? fmt::format("file '{}' is posted {} cluster '{}'", workload.files[activity.file.index].name,
                        in ? "to" : "home from", view.platform()[activity.cluster].name)
      : activity.work.valid()
          ? fmt::format("{}{} is posted on {}", activity.kind == ActivityKind::chunk ? "a chunk of " : "",
                        workload.name_of(activity.work), view.platform().name_of(on))
          : fmt::format("a {} is posted on {}", name_of(activity.kind), view.platform().name_of(on));
  return fmt::format("{} and waits for {}", what, sim.obstacle_of(id));
}

// "task 3 is under way on h.1 and waits for its host, which is down"
std::string waits_under_way(const Sim& sim, const ActivityView& activity) {
  const View& view = sim.view();
  const Workload& workload = view.workload();
  const std::string on = activity.host.valid() ? view.platform()[activity.host].name
                         : activity.cluster.valid()
                             ? view.platform().name_of(ResourceId::of(view.platform()[activity.cluster].link))
                         : activity.link.valid() ? view.platform()[activity.link].name
                                                 : "";
  const std::string what =
      activity.link.valid()   ? fmt::format("a dump of {}", workload.name_of(activity.work))
      : activity.file.valid() ? fmt::format("file '{}'", workload.files[activity.file.index].name)
      : activity.work.valid() ? workload.name_of(activity.work)
                              : fmt::format("a {}", name_of(activity.kind));
  return fmt::format("{} is under way on {} and waits for {}", what, on, sim.obstacle_of_stuck(activity.id));
}

}  // namespace

std::vector<std::string> who_waits(const Simulation& simulation) {
  constexpr std::size_t kMost = 20;
  constexpr std::uint64_t kStepsOfWork = 20;
  std::vector<std::string> lines;
  const View& view = simulation.view();
  did_work(kStepsOfWork * view.works().count());
  const Sim& sim = simulation.sim();
  const Workload& workload = view.workload();
  std::size_t left_out = 0;
  const auto say = [&](std::string line) {
    if (lines.size() < kMost)
      lines.push_back(std::move(line));
    else
      ++left_out;
  };
  std::vector<std::string> of_policy;
  simulation.policy().explain(view, of_policy);
  for (std::string& line : of_policy) say(std::move(line));
  std::set<std::uint32_t> said;  // a posted activity may wait in several queues
  const auto say_queue = [&](ResourceId on) {
    for (const ActivityId id : sim.queued_on(on)) {
      if (!said.insert(id.serial).second) continue;
      say(waits_posted(sim, id, on));
    }
  };
  for (std::size_t h = 0; h < view.hosts().size(); ++h) say_queue(ResourceId::of(HostId(h)));
  for (std::size_t l = 0; l < view.links().size(); ++l) say_queue(ResourceId::of(LinkId(l)));
  std::set<WorkId> stuck;
  for (const ActivityId id : sim.stuck()) {
    const ActivityView activity = *sim.activity(id);
    if (activity.kind == ActivityKind::compute) stuck.insert(activity.work);
    say(waits_under_way(sim, activity));
  }
  for (std::size_t w = view.works().first(); w < view.works().size(); ++w) {
    const WorkView& work = view.works()[w];
    if (work.state >= WorkState::finished || work.posted > 0 || stuck.contains(WorkId(w))) continue;
    const std::string name = workload.name_of(WorkId(w));
    if (work.state == WorkState::future)
      say(fmt::format("{} has not arrived", name));
    else if (work.state == WorkState::pending) {
      const auto before = workload.precedence->predecessors(w);
      const auto first = std::ranges::find_if(
          before, [&](std::uint32_t other) { return view.works()[other].state < WorkState::computed; });
      say(fmt::format("{} waits for {}", name,
                      workload.name_of(WorkId(first != before.end() ? *first : before.front()))));
    } else if (work.state == WorkState::running)
      say(fmt::format("{} is running", name));
    else if (work.state == WorkState::computed)
      say(fmt::format("{} waits for its outputs to come home", name));
    else
      say(fmt::format("{} waits to be started by policy '{}'{}", name, simulation.policy_name(),
                      sim.why_unstartable(WorkId(w))));
  }
  for (std::string& line : simulation.still_to_come()) say(std::move(line));
  if (left_out > 0) lines.push_back(fmt::format("... and {} more", left_out));
  return lines;
}

}  // namespace perigee::engine
