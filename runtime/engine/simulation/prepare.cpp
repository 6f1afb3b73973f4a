// Checks that the policy accepts the scenario, and makes the run ready.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "runtime/engine/simulation/draw.h"
#include "runtime/engine/simulation/loop.h"

namespace perigee::engine {

namespace {

constexpr std::uint64_t kStepsOfPart = 5;  // a work, host or happening, before anything happens

}  // namespace

void Loop::accept_or_refuse(const Workload& workload, WorkId first) const {
  if (!setup.accepts.streams && (feed || workload.works.first() > 0))
    fail("not_accepted",
         "policy '{}' does not accept a stream, because it asks for works before they come or after they are "
         "settled",
         setup.name);
  for (std::size_t w = std::max<std::size_t>(first.index, workload.works.first()); w < workload.size(); ++w)
    if (const std::string refusal = refusal_of(setup.accepts, scenario(), workload, WorkId(w));
        !refusal.empty())
      fail("not_accepted", "policy '{}' does not accept {}", setup.name, refusal);
  if (const Demands* demands = setup.accepts.demands)
    demands->check(*scenario().platform, workload, first, setup.name);
}

void Loop::check_accepted(PolicySetup policy) {
  std::swap(setup, policy);
  try {
    accept_or_refuse(*state_.workload, WorkId(0));
  } catch (...) {
    std::swap(setup, policy);
    throw;
  }
  std::swap(setup, policy);
}

void Loop::prepare() {
  if (scenario().stream) {
    feed.emplace(scenario());
    adopt_feed();
  }
  const Workload& workload = *scenario().workload;
  const auto by_arrival = [&](std::uint32_t a, std::uint32_t b) {
    return workload.works[a].arrival < workload.works[b].arrival;
  };
  did_work(kStepsOfPart * (work_count + state_.platform->hosts().size() + scenario().happenings.size()));
  accept_or_refuse(workload, WorkId(0));
  if (!std::ranges::is_sorted(workload.works, {}, &Work::arrival)) {
    std::vector<std::uint32_t> order(workload.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), by_arrival);
    arrival_order = std::make_shared<const std::vector<std::uint32_t>>(std::move(order));
  }
  std::vector<std::uint32_t> order(scenario().happenings.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return scenario().happenings[a].at < scenario().happenings[b].at;
  });
  const Absent absent = absent_at_start(scenario());
  for (std::size_t h = 0; h < absent.hosts.size(); ++h)
    if (absent.hosts[h] != 0) state_.hosts.leave(HostId(h));
  for (std::size_t c = 0; c < absent.clusters.size(); ++c) {
    if (absent.clusters[c] == 0) continue;
    state_.clusters[c].leave();
    state_.links.leave((*scenario().platform)[ClusterId(c)].link);
  }
  happening_order = std::make_shared<const std::vector<std::uint32_t>>(std::move(order));
  state_.windows = windows_of(scenario());
  for (std::uint32_t w = 0; w < state_.windows.size(); ++w)
    if (state_.windows[w].known <= 0)
      state_.windows_known = w + 1;
    else
      push(Sim::Due::window, state_.windows[w].known, 0, w);
  for (const auto& process : scenario().processes) {
    push(Sim::Due::process, 0, 0, static_cast<std::uint32_t>(processes.size()));
    processes.push_back({.process = process->clone(), .next = 0});
  }
  find_routes();
  draw_first_failures();
  subscribe();
  tried.assign(state_.hosts.size(), 0);
  look_ahead();
}

void Loop::adopt_feed() {
  state_.adopt(feed->scenario());
  trace_.extend(state_.scenario);
}

void Loop::take_from_stream() {
  const std::size_t known = work_count, users = state_.workload->users.size();
  if (!feed->pull()) return feed.reset();
  state_.works.extend(*state_.workload);
  work_count = declared = state_.workload->size();
  accept_or_refuse(*state_.workload, WorkId(known));
  if (state_.workload->users.size() == users) return;
  trace_.tell_all();
  trace_.extend(state_.scenario);
}

// Nobody asks for a work again once it is settled and the policy has been told.
void Loop::forget_settled() {
  if (!events_.empty()) return;
  const Works& works = state_.works;
  const auto is_over = [&](const WorkView& work) {
    return work.state >= WorkState::finished && work.running == 0 && work.posted == 0;
  };
  while (settled_before < arrivals && is_over(works.views()[settled_before])) ++settled_before;
  look_at_settled = arrivals + options.works_at_once;
  if (settled_before - works.views().first() < options.works_at_once) return;
  trace_.tell_all();
  feed->forget_before(std::min<std::size_t>(settled_before, trace_.first_needed().index), state_.works,
                      forgotten);
}

void Loop::draw_first_failures() {
  const std::vector<FailureModel>& failures = scenario().failures;
  std::vector<std::uint32_t> models(failures.empty() ? 0 : state_.hosts.size());
  for (std::size_t m = 0; m < failures.size(); ++m)
    for (const HostId host : failures[m].hosts) {
      std::string name = "failures/" + (*state_.platform)[host].name;
      if (++models[host.index] > 1)
        name += fmt::format("/{}", models[host.index]);  // each model draws on its own
      Stream stream(options.seed, name);
      const Time first = draw(stream, failures[m].law, failures[m].mtbf, failures[m].shape);
      push(Due::failure, first, 0, static_cast<std::uint32_t>(drawn.size()));
      drawn.push_back({host, static_cast<std::uint32_t>(m), false, first, stream});
    }
}

// Subscribes the policy to the known steps of profiles, if it wants them.
void Loop::subscribe() {
  tolerance = std::max(tolerance, setup.instants.tolerance);
  tells_saved_ = setup.instants.saves;
  tells_pending_ = setup.accepts.precedence;
  watched.clear();
  if (!setup.instants.steps) return;
  watched.resize(state_.hosts.size() + state_.links.size());
  for (std::uint32_t k = 0; k < watched.size(); ++k) watch(k, now());
}

}  // namespace perigee::engine
