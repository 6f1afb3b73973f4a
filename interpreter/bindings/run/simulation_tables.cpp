#include "interpreter/bindings/run/simulation_tables.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "interpreter/bindings/simulation_value.h"
#include "interpreter/bindings/tables.h"

namespace perigee::bindings {

namespace {

// Hosts on which each work that is present runs, is suspended or is posted.
std::vector<std::vector<std::string>> places(const Simulation& simulation) {
  const View& view = simulation.view();
  const std::size_t first = view.works().first();
  std::vector<std::vector<std::string>> hosts(view.works().size() - first);
  for (std::size_t h = 0; h < view.hosts().size(); ++h) {
    const auto note = [&](const std::vector<ActivityId>& activities) {
      for (const ActivityId id : activities)
        if (const auto activity = simulation.sim().activity(id); activity && activity->work.valid()) {
          auto& list = hosts[activity->work.index - first];
          const std::string& name = view.platform().hosts()[h].name;
          if (list.empty() || list.back() != name) list.push_back(name);
        }
    };
    note(simulation.sim().under_way_on(HostId(h)));
    note(simulation.sim().queued_on(ResourceId::of(HostId(h))));
  }
  for (const ActivityId id : simulation.sim().suspended())
    for (const Share& share : simulation.sim().allocation(id))
      hosts[simulation.sim().activity(id)->work.index - first].push_back(view.platform()[share.host].name);
  return hosts;
}

std::string state_of(const Simulation& simulation, WorkId work) {
  for (const ActivityId id : simulation.sim().suspended())
    if (simulation.sim().activity(id)->work == work) return "suspended";
  return std::string(name_of(simulation.view()[work].state));
}

// "up", or what keeps it from computing.
std::string state_of(const HostView& host) {
  if (!host.up) return "down";
  return host.power == engine::Power::on ? "up" : std::string(name_of(host.power));
}

// The cores that moldable jobs have now; 0 = it has none, or is another work.
std::vector<std::int32_t> molded_cores(const Simulation& simulation) {
  const View& view = simulation.view();
  const std::size_t first = view.works().first();
  std::vector<std::int32_t> cores(view.works().size() - first);
  for (std::size_t h = 0; h < view.hosts().size(); ++h)
    for (const ActivityId id : simulation.sim().running_on(HostId(h)))
      if (const auto activity = simulation.sim().activity(id); activity && activity->piece.mold > 0)
        cores[activity->work.index - first] = activity->cores;
  return cores;
}

Cell joined(const std::vector<std::string>& names) {
  if (names.empty()) return {};
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

int host_table(lua_State* L) {
  return guard(L, [&] {
    const Simulation& simulation = seen(simulation_at(L));
    const View& view = simulation.view();
    Table table{{"host", "state", "cores", "idle", "running", "queued", "speed", "work"}, {}};
    for (std::size_t h = 0; h < view.hosts().size(); ++h) {
      const HostView& host = view.hosts()[h];
      std::vector<std::string> works;
      for (const ActivityId id : simulation.sim().under_way_on(HostId(h)))
        if (const auto activity = simulation.sim().activity(id); activity && activity->work.valid())
          works.push_back(view.workload().name_of(activity->work));
      constexpr std::size_t kMost = 4;
      const std::size_t more = works.size() > kMost ? works.size() - kMost : 0;
      works.resize(works.size() - more);
      std::string text = fmt::format("{}", fmt::join(works, ", "));
      if (more > 0) text += fmt::format(" and {} more", more);
      table.rows.push_back({view.platform().hosts()[h].name, state_of(host), double(host.cores),
                            double(host.idle), double(host.running), double(host.queued), host.speed, text});
    }
    push_table(L, table);
    return 1;
  });
}

int work_table(lua_State* L) {
  return guard(L, [&] {
    const Simulation& simulation = seen(simulation_at(L));
    const View& view = simulation.view();
    const auto hosts = places(simulation);
    const auto molded = molded_cores(simulation);
    Table table{{"name", "kind", "state", "arrival", "cores", "hosts"}, {}};
    const std::size_t first = view.works().first();
    for (std::size_t w = first; w < view.works().size(); ++w) {
      if (view.works()[w].state == WorkState::future) continue;
      const Work& work = view.workload()[WorkId(w)];
      table.rows.push_back(
          {view.workload().name_of(WorkId(w)), std::string(name_of(work.kind)),
           state_of(simulation, WorkId(w)), work.arrival,
           molded[w - first] > 0 ? double(molded[w - first]) : double(view.workload().width_of(WorkId(w))),
           joined(hosts[w - first])});
    }
    push_table(L, table);
    return 1;
  });
}

int simulation_queue_table(lua_State* L) {
  return guard(L, [&] {
    const Simulation& simulation = seen(simulation_at(L));
    const View& view = simulation.view();
    const auto hosts = places(simulation);
    Table table{{"name", "kind", "arrival", "waits", "cores", "priority", "posted_at"}, {}};
    const std::size_t first = view.works().first();
    for (std::size_t w = first; w < view.works().size(); ++w) {
      if (view.works()[w].state != WorkState::waiting) continue;
      const Work& work = view.workload()[WorkId(w)];
      table.rows.push_back({view.workload().name_of(WorkId(w)), std::string(name_of(work.kind)), work.arrival,
                            simulation.now() - work.arrival, double(view.workload().width_of(WorkId(w))),
                            work.priority, joined(hosts[w - first])});
    }
    push_table(L, table);
    return 1;
  });
}

}  // namespace perigee::bindings
