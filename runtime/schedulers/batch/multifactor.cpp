// Source: Slurm's multifactor priority plug-in (page "Multifactor Priority Plugin"; slurm.conf(5), release 26.05,
// PriorityWeight*, PriorityMaxAge, PriorityFavorSmall, PriorityDecayHalfLife, PriorityCalcPeriod). Usage is exact here,
// where Slurm adds it up every few minutes.
#include "runtime/schedulers/batch/multifactor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/kernel/quantity.h"
#include "runtime/schedulers/batch/arrival_queue.h"

namespace perigee::batch {

void Multifactor::begin(Sim& sim) {
  const View& view = sim.view();
  tree_ = settings_.shares.value_or(cost::ShareTree{});
  accounts_.assign(tree_.size(), {});
  place_of_.clear();
  running_.clear();
  for (std::size_t w = view.works().first(); w < view.works().size(); ++w)
    if (view.works()[w].state != WorkState::future) place_of(view, WorkId(w));
  for (std::size_t h = 0; h < view.hosts().size(); ++h)
    for (const ActivityId id : sim.running_on(HostId(h))) {
      const auto activity = sim.activity(id);
      if (activity->kind != engine::ActivityKind::compute || running_.contains(activity->work)) continue;
      started(sim, activity->work, sim.allocation(id));
    }
}

void Multifactor::follow(Sim& sim, std::span<const Event> events) {
  for (const Event& event : events) {
    if (!event.work.valid()) continue;
    if (event.kind == engine::EventKind::arrived)
      place_of(sim.view(), event.work);
    else if (running_.contains(event.work) && sim.view()[event.work].running == 0)
      stop(event.work, sim.now());
  }
}

void Multifactor::started(Sim& sim, WorkId work, std::span<const Share> shares) {
  const model::Qos* qos = sim.view().workload().qos_of(work);
  double cores = 0;
  for (const Share& share : shares) cores += share.cores;
  stop(work, sim.now());  // an attempt of which nobody said that it is over
  const Running made{place_of(sim.view(), work), cores * (qos != nullptr ? qos->usage : 1)};
  running_.emplace(work, made);
  change(made.place, sim.now(), made.per_second);
}

void Multifactor::stop(WorkId work, Time now) {
  const auto found = running_.find(work);
  if (found == running_.end()) return;
  change(found->second.place, now, -found->second.per_second);
  running_.erase(found);
}

void Multifactor::change(Place place, Time now, double more_per_second) {
  const Time multiple = settings_.period > 0 ? std::floor(now / settings_.period) * settings_.period : 0;
  for (;; place = tree_.parent(place)) {
    Account& account = accounts_[place];
    if (settings_.period > 0 && account.reckoned_at != multiple) {
      account.reckoned = account.usage.at(multiple, settings_.half_life);
      account.reckoned_at = multiple;
    }
    account.usage.change(now, more_per_second, settings_.half_life);
    if (place == cost::ShareTree::kRoot) return;
  }
}

// As far as it has been reckoned.
double Multifactor::used(Place place, Time now) const {
  const Account& account = accounts_[place];
  if (settings_.period == 0) return account.usage.at(now, settings_.half_life);
  const Time multiple = std::floor(now / settings_.period) * settings_.period;
  return account.reckoned_at == multiple ? account.reckoned : account.usage.at(multiple, settings_.half_life);
}

Multifactor::Place Multifactor::place_of(const View& view, WorkId work) {
  const Work& declared = view.workload()[work];
  const std::uint32_t account = settings_.shares && declared.extra != model::kNone
                                    ? view.workload().extras[declared.extra].account
                                    : model::kNone;
  const auto [known, is_new] = place_of_.try_emplace({account, declared.user}, cost::ShareTree::kNowhere);
  if (is_new) {
    known->second = find_or_add_user(view, work);
    accounts_.resize(tree_.size());
  }
  return known->second;
}

// A user is below the account of the job, otherwise where the tree has the name first, otherwise at its root.
Multifactor::Place Multifactor::find_or_add_user(const View& view, WorkId work) {
  const Workload& workload = view.workload();
  const Work& declared = workload[work];
  const std::string user = declared.user.valid() ? workload.users[declared.user.index] : std::string();
  Place above = cost::ShareTree::kRoot;
  if (declared.extra != model::kNone && settings_.shares)
    if (const std::uint32_t number = workload.extras[declared.extra].account; number != model::kNone)
      if (const Place account = tree_.account(workload.queues->accounts[number]);
          account != cost::ShareTree::kNowhere)
        above = account;
  const Place known =
      above == cost::ShareTree::kRoot ? tree_.user_anywhere(user) : tree_.user_below(above, user);
  return known != cost::ShareTree::kNowhere ? known : tree_.add_user(above, user, 1);
}

double Multifactor::fair_share_of(Sim& sim, WorkId work) {
  const Place place = place_of(sim.view(), work);
  const double all = used(cost::ShareTree::kRoot, sim.now());
  if (!(all > 0)) return 1;
  return tree_.standing(place, [&](Place of) { return std::max(0.0, used(of, sim.now()) / all); }).factor;
}

double Multifactor::size_of(const Sim& sim, WorkId work) const {
  const Workload& workload = sim.view().workload();
  const Shape* shape = workload.shape_of(work);
  const double nodes = shape != nullptr ? std::max(shape->nodes, 1) : 1;
  const auto hosts = static_cast<double>(sim.view().hosts().size());
  const double cores = static_cast<double>(workload.width_of(work)),
               all = static_cast<double>(sim.view().platform().total_cores());
  const double large = (nodes / hosts + cores / all) / 2;
  return settings_.favours_small ? ((hosts - nodes) / hosts + (all - cores) / all) / 2 : large;
}

std::array<Multifactor::Factor, 5> Multifactor::factors_of(Sim& sim, WorkId work) {
  const View& view = sim.view();
  const Workload& workload = view.workload();
  const auto share_of_most = [&](const auto& all, const auto* own) {
    double most = 0;
    for (const auto& each : all) most = std::max(most, each.priority);
    return own != nullptr && most > 0 ? own->priority / most : 0;
  };
  std::array<Factor, 5> factors{{{"age", settings_.age, 0},
                                 {"size", settings_.size, 0},
                                 {"fair_share", settings_.fair_share, 0},
                                 {"queue", settings_.queue, 0},
                                 {"qos", settings_.qos, 0}}};
  if (settings_.age != 0)
    factors[0].value = std::min(1.0, (view.now() - view.place_in_line(work)) / settings_.max_age);
  if (settings_.size != 0) factors[1].value = size_of(sim, work);
  if (settings_.fair_share != 0) factors[2].value = fair_share_of(sim, work);
  if (workload.queues != nullptr) {
    factors[3].value = share_of_most(workload.queues->queues, workload.queue_of(work));
    factors[4].value = share_of_most(workload.queues->qos, workload.qos_of(work));
  }
  return factors;
}

namespace {

double nice_of(const Workload& workload, WorkId work) {
  const Work& declared = workload[work];
  return declared.extra != model::kNone ? workload.extras[declared.extra].nice : 0;
}

}  // namespace

Rule::Answer Multifactor::ask_work(Sim& sim, WorkId work) {
  double sum = -nice_of(sim.view().workload(), work);
  for (const Factor& factor : factors_of(sim, work)) sum += factor.weight * factor.value;
  return sum;
}

std::vector<std::string> Multifactor::explain_work(Sim& sim, WorkId work) {
  std::vector<std::string> lines;
  double sum = -nice_of(sim.view().workload(), work);
  for (const Factor& factor : factors_of(sim, work)) {
    sum += factor.weight * factor.value;
    if (factor.weight != 0)
      lines.push_back(fmt::format("{}: {} of a weight of {} = {}", factor.name, format_number(factor.value),
                                  format_number(factor.weight), format_number(factor.weight * factor.value)));
  }
  if (const double nice = nice_of(sim.view().workload(), work); nice != 0)
    lines.push_back(fmt::format("nice: {} = {}", format_number(nice), format_number(-nice)));
  lines.push_back(fmt::format("priority: {}, the sum", format_number(sum)));
  return lines;
}

}  // namespace perigee::batch
