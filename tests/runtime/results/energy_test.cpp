#include "runtime/results/energy.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <vector>

#include "runtime/results/executions.h"
#include "runtime/results/metrics.h"
#include "runtime/results/validator.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/support/layers.h"
#include "tests/support/random_scenario.h"
#include "tests/support/shapes.h"

using namespace perigee;
using namespace perigee::test;

namespace {

// The platform again, three of four hosts with a power of their own.
std::shared_ptr<const Platform> with_power(const Platform& platform, Stream& random) {
  PlatformSpec spec;
  for (const Cluster& cluster : platform.clusters()) {
    PlatformSpec::ClusterSpec& again = spec.clusters.emplace_back();
    again.name = cluster.name;
    for (const HostId host : cluster.hosts) {
      again.hosts.push_back(platform[host]);
      if (random.below(4) == 0) continue;
      PowerModel power;
      const double idle = static_cast<double>(random.below(100));
      const double more = static_cast<double>(random.below(20));
      power.states.push_back({.idle = idle, .epsilon = idle + more, .busy = idle + more + 50});
      power.off = static_cast<double>(random.below(10));
      power.down = static_cast<double>(random.below(10));
      power.boot = {static_cast<double>(random.below(4)), 150};
      power.shutdown = {static_cast<double>(random.below(3)), 130};
      again.hosts.back().power = std::make_shared<const PowerModel>(power);
    }
  }
  return std::make_shared<const Platform>(spec);
}

// Watt by watt: what a host draws at a time, from all records before.
struct Picture {
  bool down = false, left = false;
  int power = 0;
  double load = 0;
  double watts(const Host& host) const {
    const PowerModel& model = *host.power;
    if (left) return 0;
    if (down) return model.down;
    if (power == 1) return model.shutdown.power;
    if (power == 2) return model.off;
    if (power == 3) return model.boot.power;
    const SpeedState& state = model.states[0];
    return load == 0 ? state.idle : state.epsilon + (state.busy - state.epsilon) * load / host.cores;
  }
};

double energy_by_hand(const Outcome& outcome, HostId host, const std::vector<std::uint8_t>& absent) {
  const Host& declared = (*outcome.scenario->platform)[host];
  if (declared.power == nullptr) return 0;
  std::vector<Time> times{0, outcome.end};
  for (std::size_t i = 0; i < outcome.trace.size(); ++i) times.push_back(outcome.trace[i].time);
  std::ranges::sort(times);
  double sum = 0;
  for (std::size_t t = 0; t + 1 < times.size(); ++t) {
    if (times[t + 1] == times[t]) continue;
    Picture picture{.left = absent[host.index] != 0};
    int running = 0;
    for (std::size_t i = 0; i < outcome.trace.size() && outcome.trace[i].time <= times[t]; ++i) {
      const Record record = outcome.trace[i];
      if (record.on.host() != host) continue;
      const bool computes = record.what == ActivityKind::compute;
      const double load = computes ? record.cores * outcome.scenario->workload->load_of(record.work) : 0;
      if (computes && record.kind == RecordKind::started) picture.load += load, ++running;
      if (computes && (record.kind == RecordKind::ended || record.kind == RecordKind::lost ||
                       record.kind == RecordKind::cancelled || record.kind == RecordKind::superseded))
        picture.load -= load, --running;
      if (record.kind == RecordKind::down) picture.down = true;
      if (record.kind == RecordKind::up) picture.down = false;
      if (record.kind == RecordKind::left) picture.left = true;
      if (record.kind == RecordKind::joined) picture.left = false;
      if (record.kind == RecordKind::powered) picture.power = static_cast<int>(record.first);
    }
    if (running == 0) picture.load = 0;
    sum += picture.watts(declared) * (times[t + 1] - times[t]);
  }
  return sum;
}

}  // namespace

TEST_CASE("energy is the integral of the power, and its parts and works add up") {
  const Catalogue catalogue;
  std::size_t shutdowns = 0, boots = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    for (const std::string name : {"fcfs", "sjf", "easy", "conservative"}) {
      CAPTURE(seed, name);
      const double after = static_cast<double>(seed % 8);
      const ConfigPtr config = catalogue.configure(name, {{"off_after", after}});
      Stream random(seed, "power");
      auto scenario = with_shapes(*random_scenario(seed, config->entry->accepts), seed, false);
      scenario->platform = with_power(*scenario->platform, random);
      auto workload = std::make_shared<Workload>(*scenario->workload);
      for (WorkExtra& extra : workload->extras) extra.load = static_cast<double>(random.below(5)) / 4;
      scenario->workload = workload;
      Simulation simulation(scenario,
                            {name, config->make_policy(), config->entry->accepts, config->entry->instants},
                            perfect_estimator());
      simulation.run();
      const Outcome outcome = simulation.outcome();
      CHECK(validate(outcome) == std::vector<std::string>{});
      const EnergyMeter meter = energy_of(outcome);
      if (!meter.measures()) continue;
      std::vector<std::uint8_t> absent(scenario->platform->hosts().size());
      const AbsenceFollower away(*scenario);
      for (std::size_t h = 0; h < absent.size(); ++h) absent[h] = away.all().hosts[h].empty() ? 0 : 1;
      double all = 0, of_works = 0;
      for (std::size_t h = 0; h < absent.size(); ++h) {
        const double expected = energy_by_hand(outcome, HostId(h), absent);
        CHECK(meter.hosts()[h].all() == Approx(expected).margin(1e-6));
        all += expected;
      }
      CHECK(measure(outcome)["energy"] == Approx(all).margin(1e-6));
      EnergyMeter followed(*scenario, 0);
      double before = 0;
      for (std::size_t i = 0; i < outcome.trace.size(); ++i) {
        followed.take(outcome.trace[i], *scenario);
        CHECK(followed.so_far() >= before - 1e-6);
        before = followed.so_far();
      }
      if (outcome.trace.size() > 0 && outcome.trace[outcome.trace.size() - 1].time == outcome.end)
        CHECK(before == Approx(all).margin(1e-6));
      for (std::size_t w = 0; w < scenario->workload->size(); ++w) of_works += meter.of_work(WorkId(w));
      CHECK(of_works <= meter.of(EnergyPart::busy) + 1e-6);
      if (outcome.status == RunStatus::complete)
        CHECK(of_works == Approx(meter.of(EnergyPart::busy)).margin(1e-6));
      shutdowns += meter.shutdowns();
      boots += meter.boots();
    }
  }
  CHECK(shutdowns > 100);
  CHECK(boots > 50);
}
