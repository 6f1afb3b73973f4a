#include "runtime/results/energy.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "runtime/cost/power.h"
#include "runtime/kernel/error.h"
#include "runtime/results/executions.h"

namespace perigee::results {

namespace {

constexpr std::array<std::string_view, kEnergyParts> kNames = {"idle",       "busy", "off",
                                                               "transition", "down", "links"};

std::size_t at(EnergyPart part) { return static_cast<std::size_t>(part); }
std::uint64_t key_of(const Record& record) { return std::uint64_t{record.activity} << 32 | record.on.at(); }

}  // namespace

std::string_view name_of(EnergyPart part) { return kNames[at(part)]; }

double HostEnergy::all() const { return std::accumulate(parts.begin(), parts.end(), 0.0); }

EnergyMeter::EnergyMeter(const Scenario& scenario, Time from, bool keeps) : from_(from), keeps_(keeps) {
  const Platform& platform = *scenario.platform;
  if (!platform.has_power() && !platform.has_link_power()) return;
  hosts_.resize(platform.hosts().size());
  energies_.resize(hosts_.size());
  const AbsenceFollower away(scenario);
  for (std::size_t h = 0; h < hosts_.size(); ++h) {
    hosts_[h].model = platform.hosts()[h].power.get();
    hosts_[h].cores = platform.hosts()[h].cores;
    hosts_[h].left = !away.all().hosts[h].empty();
    draw(hosts_[h], 0);
  }
  if (!platform.has_link_power()) return;
  links_.resize(platform.links().size());
  link_energies_.resize(links_.size());
  for (std::size_t l = 0; l < links_.size(); ++l) {
    const std::optional<model::LinkPower>& power = platform.links()[l].power;
    links_[l].left = !away.all().links[l].empty();
    if (power && !links_[l].left) total_[at(EnergyPart::links)] += links_[l].drawn = power->idle;
  }
}

double EnergyMeter::of(EnergyPart part) const {
  double sum = 0;
  for (const HostEnergy& host : energies_) sum += host.parts[at(part)];
  if (part == EnergyPart::links) sum += std::accumulate(link_energies_.begin(), link_energies_.end(), 0.0);
  return sum;
}

double EnergyMeter::all() const {
  double sum = 0;
  for (const HostEnergy& host : energies_) sum += host.all();
  return sum + std::accumulate(link_energies_.begin(), link_energies_.end(), 0.0);
}

double EnergyMeter::of_work(WorkId work) const {
  const auto found = of_work_.find(work);
  return found != of_work_.end() ? found->second : 0;
}

// Adds the energy that the host has drawn since its last change.
void EnergyMeter::integrate(State& host, HostEnergy& energy, Time to) {
  energy.parts[at(host.part)] += host.drawn * std::max(0.0, to - std::max(host.since, from_));
  if (host.part == EnergyPart::busy) host.per_load += host.drawn * (to - host.since) / host.load;
  host.since = to;
}

double EnergyMeter::watts_of(const State& host, double on) {
  const PowerModel& model = *host.model;
  return host.left                       ? 0
         : host.down                     ? model.down
         : host.power == Power::off      ? model.off
         : host.power == Power::booting  ? model.boot.power
         : host.power == Power::shutting ? model.shutdown.power
                                         : on;
}

double EnergyMeter::so_far() const {
  double sum = 0;
  for (std::size_t h = 0; h < hosts_.size(); ++h)
    sum += energies_[h].all() + hosts_[h].drawn * std::max(0.0, now_ - std::max(hosts_[h].since, from_));
  return sum;
}

double EnergyMeter::least_power() const {
  double sum = 0;
  for (const State& host : hosts_)
    if (host.model != nullptr) sum += watts_of(host, host.model->states[host.state].epsilon);
  return sum;
}

void EnergyMeter::draw(State& host, Time now) {
  host.since = now;
  total_[at(host.part)] -= host.drawn;
  if (host.model == nullptr) return;
  const PowerModel& model = *host.model;
  const bool away = host.left || host.down;
  const bool on = host.power == Power::on;
  host.part = away                       ? EnergyPart::down
              : host.power == Power::off ? EnergyPart::off
              : !on                      ? EnergyPart::transition
              : host.load > 0            ? EnergyPart::busy
                                         : EnergyPart::idle;
  host.drawn = watts_of(host, power_of(model.states[host.state], host.load, host.cores));
  total_[at(host.part)] += host.drawn;
}

// Closes the time until now, in which nothing changed.
void EnergyMeter::move_to(Time now) {
  if (!(now > now_)) return;
  if (now > from_) {
    peak_ = std::max(peak_, std::accumulate(total_.begin(), total_.end(), 0.0));
    if (keeps_) {
      PowerStep step{.at = now_};
      for (const State& host : hosts_) step.power[at(host.part)] += host.drawn;
      for (const LinkState& link : links_) step.power[at(EnergyPart::links)] += link.drawn;
      if (steps_.empty() || steps_.back().power != step.power) steps_.push_back(step);
    }
  }
  now_ = now;
}

EnergyMeter::State* EnergyMeter::host_of(const Record& record) {
  if (record.on.kind() != ResourceKind::host || record.on.at() >= hosts_.size()) return nullptr;
  State& host = hosts_[record.on.at()];
  integrate(host, energies_[record.on.at()], record.time);
  return &host;
}

void EnergyMeter::integrate(std::size_t link, Time to) {
  LinkState& state = links_[link];
  link_energies_[link] += state.drawn * std::max(0.0, to - std::max(state.since, from_));
  state.since = to;
}

// A record of the link, or of the cluster of which it is the gateway, and with which it leaves and joins.
void EnergyMeter::follow_link(const Record& record, const Scenario& scenario) {
  const Platform& platform = *scenario.platform;
  const bool of_cluster = record.on.kind() == ResourceKind::store;
  const std::size_t link = of_cluster ? platform[record.on.store()].link.index : record.on.at();
  if (of_cluster && record.kind != RecordKind::joined && record.kind != RecordKind::left) return;
  LinkState& state = links_[link];
  switch (record.kind) {
    case RecordKind::started:
      if (record.what != ActivityKind::hold) ++state.transfers;
      break;
    case RecordKind::ended:
    case RecordKind::lost:
    case RecordKind::cancelled:
    case RecordKind::superseded:
      if (record.what != ActivityKind::hold && state.transfers > 0) --state.transfers;
      break;
    case RecordKind::up:
    case RecordKind::down:
      state.down = record.kind == RecordKind::down;
      break;
    case RecordKind::joined:
    case RecordKind::left:
      state.left = record.kind == RecordKind::left;
      break;
    default:
      return;
  }
  integrate(link, record.time);
  const std::optional<model::LinkPower>& power = platform.links()[link].power;
  total_[at(EnergyPart::links)] -= state.drawn;
  state.drawn = !power || state.down || state.left ? 0 : state.transfers > 0 ? power->busy : power->idle;
  total_[at(EnergyPart::links)] += state.drawn;
}

void EnergyMeter::follow(const Record& record, const Scenario& scenario) {
  move_to(record.time);
  if (record.on.kind() == ResourceKind::link || record.on.kind() == ResourceKind::store) {
    if (!links_.empty()) follow_link(record, scenario);
    return;
  }
  switch (record.kind) {
    case RecordKind::started:
    case RecordKind::ended:
    case RecordKind::lost:
    case RecordKind::cancelled:
    case RecordKind::superseded:
    case RecordKind::suspended:
    case RecordKind::resumed:
      if (record.what == ActivityKind::compute) follow_computation(record, scenario);
      break;
    case RecordKind::up:
    case RecordKind::down:
    case RecordKind::joined:
    case RecordKind::left:
      if (State* host = host_of(record)) {
        if (record.kind == RecordKind::up || record.kind == RecordKind::down)
          host->down = record.kind == RecordKind::down;
        else
          host->left = record.kind == RecordKind::left;
        draw(*host, record.time);
      }
      break;
    case RecordKind::powered:
      if (State* host = host_of(record)) {
        const auto power = static_cast<Power>(record.first);
        if (power != host->power && record.time >= from_) {
          if (power == Power::booting) ++boots_;
          if (power == Power::shutting) ++shutdowns_;
        }
        host->power = power;
        host->state = static_cast<std::size_t>(record.size) - 1;
        draw(*host, record.time);
      }
      break;
    case RecordKind::finished:
    case RecordKind::killed:
      if (record.time >= from_) works_.add(of_work(record.work));
      [[fallthrough]];
    case RecordKind::rejected:
    case RecordKind::expired:
      if (!keeps_) of_work_.erase(record.work);
      break;
    default:
      break;
  }
}

void EnergyMeter::follow_computation(const Record& record, const Scenario& scenario) {
  State* host = host_of(record);
  if (host == nullptr || host->model == nullptr) return;
  if (record.kind == RecordKind::started || record.kind == RecordKind::resumed) {
    const double load = record.cores * scenario.workload->load_of(record.work);
    ++host->running;
    host->load += load;
    running_[key_of(record)] = {load, host->per_load};
  } else if (const auto found = running_.find(key_of(record)); found != running_.end()) {
    const Running& run = found->second;
    of_work_[record.work] += run.load * (host->per_load - run.per_load);
    host->load = --host->running == 0 ? 0 : host->load - run.load;
    running_.erase(found);
  }
  draw(*host, record.time);
}

void EnergyMeter::end(Time end) {
  if (!measures()) return;
  move_to(end);
  end_ = end;
  for (std::size_t h = 0; h < hosts_.size(); ++h) integrate(hosts_[h], energies_[h], end);
  for (std::size_t l = 0; l < links_.size(); ++l) integrate(l, end);
}

void check_measured(const Outcome& outcome) {
  if (outcome.trace.level() != TraceLevel::full)
    fail("not_measured", "what hosts drew and when was not kept of this run; run it with trace = \"full\"");
}

EnergyMeter energy_of(const Outcome& outcome) {
  check_measured(outcome);
  EnergyMeter meter(*outcome.scenario, outcome.warmup, true);
  for (std::size_t i = 0; i < outcome.trace.size(); ++i) meter.take(outcome.trace[i], *outcome.scenario);
  meter.end(outcome.end);
  return meter;
}

}  // namespace perigee::results
