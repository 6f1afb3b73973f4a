// Work stealing: a task that becomes ready joins the queue of the host that ended its last predecessor. An idle host
// takes the newest task of its own queue; if that is empty, it steals from another one.
//
// Hosts may differ. The victim has the longest queue, or is drawn. Tasks without predecessors join the queues in turn.
// Cost: O(H) a task, H hosts. Ties: lowest host.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "runtime/engine/sim.h"
#include "runtime/engine/why.h"
#include "runtime/kernel/work.h"
#include "runtime/schedulers/catalogue.h"
#include "runtime/schedulers/files.h"

namespace perigee::workflow {
namespace {

class Stealing final : public PolicyOf<Stealing> {
 public:
  Stealing(bool drawn, bool oldest) : drawn_(drawn), oldest_(oldest) {}

  void begin(Sim& sim) override {
    const View& view = sim.view();
    queues_.assign(view.hosts().size(), {});
    is_queued_.clear();
    ended_.clear();
    turn_ = 0;
    withdraw_from_hosts(sim);
    for (std::size_t w = 0; w < view.works().size(); ++w) add(sim, WorkId(w));
    fetch_all_outputs(sim);
    deal(sim);
  }

  void react(Sim& sim, std::span<const Event> events) override {
    bool resupply = false;
    for (const Event& event : events) switch (event.kind) {
        case EventKind::ended:
          if (event.transfer || !event.work.valid()) break;
          ended_.resize(std::max(ended_.size(), sim.view().works().size()));
          ended_[event.work.index] = {++count_, event.on.host()};
          if (!event.finishes) fetch_outputs(sim, event.work);
          break;
        case EventKind::ready:
          add(sim, event.work);
          break;
        case EventKind::lost:
          resupply = true;
          if (!event.transfer && event.work.valid()) add(sim, event.work);
          break;
        case EventKind::superseded:
        case EventKind::up:
          resupply = true;
          break;
        case EventKind::down:
          resupply = true;
          if (event.on.host().valid()) take_back(sim, event.on.host());
          break;
        default:
          break;
      }
    if (resupply) {
      for (std::size_t h = 0; h < queues_.size(); ++h)
        for (const ActivityId id : sim.queued_on(ResourceId::of(HostId(h))))
          send_inputs(sim, sim.activity(id)->work, sim.view()[HostId(h)].cluster);
      fetch_all_outputs(sim);
      forget_settled(sim);
    }
    deal(sim);
  }

  void why(Sim& sim, WorkId work, Decision& out) override {
    out.rule =
        fmt::format("an idle host takes the newest task of its own queue; else the {} one of {}",
                    oldest_ ? "oldest" : "newest", drawn_ ? "a queue that is drawn" : "the longest queue");
    out.hosts = {.score = "tasks in its queue"};
    const auto name = [&](std::size_t h) { return sim.view().platform()[HostId(h)].name; };
    for (std::size_t h = 0; h < queues_.size(); ++h) {
      const bool is_here = std::ranges::count(queues_[h], work) > 0;
      out.hosts.candidates.push_back(
          {.index = static_cast<std::uint32_t>(h),
           .score =
               static_cast<double>(queues_[h].size() + (taken_.work == work && taken_.from == h ? 1 : 0))});
      if (is_here)
        out.notes.push_back(fmt::format("it is in the queue of {}, with {} other{}", name(h),
                                        queues_[h].size() - 1, queues_[h].size() == 2 ? "" : "s"));
    }
    if (taken_.work != work) return;
    out.notes.push_back(taken_.from == taken_.by
                            ? fmt::format("{} took it from its own queue", name(taken_.by))
                            : fmt::format("{} stole it from {}", name(taken_.by), name(taken_.from)));
  }

 private:
  struct Ended {
    std::uint64_t number = 0;  // 0 = it has not
    HostId host;
  };

  // A task that is being posted, for `why`.
  struct Taken {
    WorkId work;
    std::size_t from = 0, by = 0;  // hosts
  };

  // To the queue of the host that ended its last predecessor; in turn where there is none.
  void add(Sim& sim, WorkId work) {
    const View& view = sim.view();
    if (view[work].state != WorkState::waiting || view[work].posted > 0 || view[work].running > 0 ||
        !sim.is_ready(work))
      return;
    is_queued_.resize(std::max(is_queued_.size(), view.works().size()));
    if (std::exchange(is_queued_[work.index], 1) != 0) return;
    Ended last;
    if (view.workload().precedence != nullptr)
      for (const std::uint32_t before : view.workload().precedence->predecessors(work.index))
        if (before < ended_.size() && ended_[before].number > last.number) last = ended_[before];
    const std::size_t at = last.host.valid() ? last.host.index : turn_++ % queues_.size();
    queues_[at].push_back(work);
  }

  void take_back(Sim& sim, HostId host) {
    for (const ActivityId id : sim.queued_on(ResourceId::of(host))) {
      const WorkId work = sim.activity(id)->work;
      sim.withdraw(id);
      is_queued_[work.index] = 1;
      queues_[host.index].push_back(work);
    }
  }

  static bool can_run(Sim& sim, WorkId work, HostId host) {
    return sim.estimate().duration(sim, {work, 0, 1}, host) < kNever;
  }

  // Works that were lost with their inputs, or need not be done again.
  void forget_settled(const Sim& sim) {
    for (std::vector<WorkId>& queue : queues_)
      std::erase_if(queue, [&](WorkId work) {
        if (sim.view()[work].state == WorkState::waiting) return false;
        is_queued_[work.index] = 0;
        return true;
      });
  }

  void deal(Sim& sim) {
    bool any = true;
    while (any) {
      any = false;
      for (std::size_t h = 0; h < queues_.size(); ++h)
        if (has_room(sim.view(), HostId(h)) && serve(sim, HostId(h))) any = true;
    }
  }

  bool serve(Sim& sim, HostId host) {
    did_work(queues_.size() / 8);
    if (take(sim, host, host.index, false)) return true;
    std::vector<std::uint32_t> victims;
    for (std::uint32_t h = 0; h < queues_.size(); ++h)
      if (h != host.index && !queues_[h].empty()) victims.push_back(h);
    if (!drawn_)
      std::ranges::stable_sort(victims, std::greater{}, [&](std::uint32_t h) { return queues_[h].size(); });
    while (!victims.empty()) {
      std::size_t next = 0;
      if (drawn_ && victims.size() > 1)
        next = static_cast<std::size_t>(sim.stream("policy/stealing").below(victims.size()));
      if (take(sim, host, victims[next], oldest_)) return true;
      victims.erase(victims.begin() + static_cast<std::ptrdiff_t>(next));
    }
    return false;
  }

  // Posts the oldest or newest task of the queue that the host can run.
  bool take(Sim& sim, HostId host, std::size_t from, bool oldest) {
    std::vector<WorkId>& queue = queues_[from];
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const std::size_t at = oldest ? i : queue.size() - 1 - i;
      const WorkId work = queue[at];
      if (!can_run(sim, work, host)) continue;
      is_queued_[work.index] = 0;
      queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(at));
      taken_ = {work, from, host.index};
      post_with_inputs(sim, work, host);
      taken_ = {};
      return true;
    }
    return false;
  }

  bool drawn_, oldest_;
  std::vector<std::vector<WorkId>> queues_;  // per host, the oldest first
  std::vector<std::uint8_t> is_queued_;      // per work
  std::vector<Ended> ended_;                 // per work
  std::uint64_t count_ = 0;                  // computations that have ended
  std::size_t turn_ = 0;
  Taken taken_;
};

}  // namespace

Entry stealing() {
  Entry entry;
  entry.name = "stealing";
  entry.family = Family::workflow;
  entry.role = Role::policy;
  entry.summary = "an idle host takes the newest task of its own queue, or steals one";
  entry.source = "Blumofe, Leiserson, Journal of the ACM 46(5), 1999, section 3";
  entry.complexity = "O(H) a task, H hosts";
  entry.ties = "lowest host";
  entry.parameters = {{.name = "victim",
                       .type = ParameterType::choice,
                       .summary = "from whom an idle host steals",
                       .fallback = "longest",
                       .choices = {"longest", "random"}},
                      {.name = "take",
                       .type = ParameterType::choice,
                       .summary = "which task of the victim it takes",
                       .fallback = "oldest",
                       .choices = {"oldest", "newest"}}};
  entry.accepts = {.tasks = true, .files = true, .precedence = true};
  entry.make_policy = [](const Arguments& given) -> std::unique_ptr<Policy> {
    return std::make_unique<Stealing>(given.choice("victim") == "random", given.choice("take") == "oldest");
  };
  return entry;
}

}  // namespace perigee::workflow
