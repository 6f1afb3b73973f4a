// Dispatch: tasks are given to machines when they are ready, in an order, each to the machine that is best by estimates
// then. Nothing is planned for tasks that still wait for others.
//
// Source: dynamic list scheduling: Maheswaran et al., JPDC 59(2), 1999 (immediate mode, MCT); priorities of the whole
// graph as in Topcuoglu, Hariri, Wu, IEEE TPDS 13(3), 2002. `among = "all"` posts at once, and what is posted counts;
// `among = "idle"` leaves tasks unassigned until a machine is idle. Cost: O(H) for each ready task, H hosts.
// Ties: lowest task, lowest host.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/cost/graph_choice.h"
#include "runtime/cost/graph_costs.h"
#include "runtime/engine/sim.h"
#include "runtime/engine/why.h"
#include "runtime/kernel/quantity.h"
#include "runtime/kernel/work.h"
#include "runtime/schedulers/catalogue.h"
#include "runtime/schedulers/choices.h"
#include "runtime/schedulers/files.h"
#include "runtime/schedulers/workflow/list_scheduler.h"
#include "runtime/schedulers/workflow/present_graph.h"

namespace perigee::workflow {
namespace {

constexpr Time kAtOnce = -1;

constexpr std::string_view kReady = "ready";
std::vector<std::string> orders() {
  std::vector<std::string> names = names_of(kListPriorities);
  names.emplace(names.begin(), kReady);
  return names;
}

constexpr std::array<std::pair<std::string_view, ListChoice>, 4> kChoices{{{"finish", ListChoice::finish},
                                                                           {"start", ListChoice::start},
                                                                           {"time", ListChoice::time},
                                                                           {"free", ListChoice::free}}};
std::string_view name_of(ListChoice choice) {
  return std::ranges::find(kChoices, choice, [](const auto& each) { return each.second; })->first;
}

class Dispatch final : public PolicyOf<Dispatch> {
 public:
  // No `order`: that in which tasks become ready.
  Dispatch(std::optional<ListPriority> order, ListChoice choose, bool idle_only)
      : order_(order), choose_(choose), idle_only_(idle_only) {}

  void begin(Sim& sim) override {
    const View& view = sim.view();
    ready_.clear();
    is_listed_.clear();
    priority_.clear();
    lines_.assign(view.hosts().size(), {});
    stale_.assign(view.hosts().size(), kAtOnce);
    withdraw_from_hosts(sim);
    const std::vector<WorkId> left = left_works(view);
    rank(sim, left);
    for (const WorkId work : left)
      if (sim.is_ready(work)) add(sim, work);
    fetch_all_outputs(sim);
    decide(sim);
  }

  void react(Sim& sim, std::span<const Event> events) override {
    const View& view = sim.view();
    arrived_.clear();
    bool resupply = false;
    for (const Event& event : events) {
      if (event.on.host().valid())
        stale_[event.on.host().index] = kAtOnce;
      else if (event.kind == EventKind::down || event.kind == EventKind::up)  // of a cluster
        std::ranges::fill(stale_, kAtOnce);
      switch (event.kind) {
        case EventKind::arrived:
          arrived_.push_back(event.work);
          break;
        case EventKind::ready:
          fresh_.push_back(event.work);
          break;
        case EventKind::ended:
          if (!event.transfer && event.work.valid() && !event.finishes) fetch_outputs(sim, event.work);
          break;
        case EventKind::lost:
          resupply = true;
          if (!event.transfer && event.work.valid()) fresh_.push_back(event.work);
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
    }
    rank(sim, arrived_);
    for (const WorkId work : fresh_) add(sim, work);
    fresh_.clear();
    if (resupply) {
      for (std::size_t h = 0; h < lines_.size(); ++h)
        for (const Posted& each : lines_[h])
          if (view[each.work].posted > 0) send_inputs(sim, each.work, view[HostId(h)].cluster);
      fetch_all_outputs(sim);
    }
    decide(sim);
  }

  void why(Sim& sim, WorkId work, Decision& out) override {
    out.rule = fmt::format("ready tasks {}, each to the host {} by estimates now",
                           !order_ ? "in the order in which they became so" : "by priority",
                           idle_only_ ? "among the idle ones that is best" : "that is best");
    out.hosts = {
        .score = fmt::format("{}, s", name_of(choose_)), .better = Prefer::smallest, .ties = "lowest host"};
    const bool decides = posting_.work == work;  // else as things are now
    if (!decides && !sim.is_ready(work)) return;
    const auto kept = std::pair(free_, stale_);  // it goes on as if nobody had asked
    if (!decides) look_at_hosts(sim);
    for (std::size_t h = 0; h < lines_.size(); ++h)
      if (const Value value = value_of(sim, work, HostId(h)); value.is_possible)
        out.hosts.candidates.push_back({.index = static_cast<std::uint32_t>(h), .score = value.score});
    std::tie(free_, stale_) = kept;
    out.works = !order_
                    ? Comparison{.score = "ready since, s", .better = Prefer::smallest, .ties = "lowest task"}
                    : Comparison{.score = "priority", .better = Prefer::largest, .ties = "lowest task"};
    const auto add = [&](const Ready& each) {
      Comparison::Candidate candidate{.index = each.work.index,
                                      .score = !order_ ? each.since : each.priority};
      if (decides && each < posting_) {
        candidate.open = false;
        candidate.note = "no host could take it";
      }
      out.works.candidates.push_back(std::move(candidate));
    };
    if (decides) add(posting_);
    for (const Ready& each : ready_) add(each);
    std::ranges::sort(out.works.candidates, {}, &Comparison::Candidate::index);
  }

 private:
  struct Ready {
    double priority = 0;  // greatest first
    Time since = 0;
    WorkId work;
    bool operator<(const Ready& other) const {
      if (priority != other.priority) return priority > other.priority;
      return since != other.since ? since < other.since : work < other.work;
    }
  };
  struct Posted {
    WorkId work;
    Seconds time = 0;  // as estimated
    Time arrival = 0;  // of its data, as estimated when it was posted
  };
  struct Value {
    bool is_possible = false;
    double score = 0;
  };

  // Takes up the tasks of a workflow, or of several: the priority of each by the whole graph, on all hosts that are up.
  void rank(Sim& sim, std::vector<WorkId> works) {
    if (!order_ || works.empty()) return;
    std::ranges::sort(works);
    priority_.resize(std::max(priority_.size(), sim.view().works().size()));
    const GraphProblem graph = present_graph(sim, works);
    const std::vector<double> values = list_priorities(GraphCosts(graph), *order_);
    const std::vector<std::uint32_t> groups = ranks_of(values);
    std::vector<std::optional<double>> first(values.size());  // what is alike counts as the first of its kind
    for (std::size_t t = 0; t < works.size(); ++t) {
      std::optional<double>& value = first[groups[t]];
      if (!value) value = values[t];
      priority_[works[t].index] = *value;
    }
  }

  void add(const Sim& sim, WorkId work) {
    const WorkView& view = sim.view()[work];
    if (view.state != WorkState::waiting || view.posted > 0 || view.running > 0 || !sim.is_ready(work))
      return;
    const Ready entry{work.index < priority_.size() ? priority_[work.index] : 0, sim.now(), work};
    is_listed_.resize(std::max(is_listed_.size(), sim.view().works().size()));
    if (std::exchange(is_listed_[work.index], 1) != 0) return;
    ready_.insert(entry);
  }

  // Returns the next one.
  std::set<Ready>::iterator take_out(std::set<Ready>::iterator each) {
    is_listed_[each->work.index] = 0;
    return ready_.erase(each);
  }

  // Tasks posted on a host that is down wait for another one.
  void take_back(Sim& sim, HostId host) {
    for (const ActivityId id : sim.queued_on(ResourceId::of(host))) {
      const WorkId work = sim.activity(id)->work;
      sim.withdraw(id);
      add(sim, work);
    }
  }

  // Per host the times when its cores are free, of what runs and of what is posted. They stay as found where
  // estimates change with events alone, nothing was told about the host, and nothing has begun on it or was to begin or end till now.
  void look_at_hosts(Sim& sim) {
    const View& view = sim.view();
    const bool all = !sim.estimate().is_perfect();
    free_.resize(lines_.size());
    for (std::size_t h = 0; h < lines_.size(); ++h) {
      const bool is_known = sim.now() <= stale_[h] && lines_[h].size() == view[HostId(h)].queued;
      if (!all && is_known) continue;
      stale_[h] = kNever;
      const HostId host(h);
      std::vector<Time>& free = free_[h];
      free.clear();
      if (!view[host].up) continue;
      for (const ActivityId id : sim.running_on(host)) {
        const Time end = std::max(sim.now(), sim.estimate().end_of(sim, id));
        for (std::int32_t core = 0; core < sim.activity(id)->cores; ++core) free.push_back(end);
        stale_[h] = std::min(stale_[h], end);
      }
      const auto cores =
          static_cast<std::size_t>(view.platform()[host].exclusive ? 1 : view.platform()[host].cores);
      free.resize(cores, sim.now());
      std::erase_if(lines_[h], [&](const Posted& each) { return view[each.work].posted == 0; });
      for (const Posted& each : lines_[h]) take_up(host, each);
    }
  }
  // Puts it behind what is on the core that is free first.
  void take_up(HostId host, const Posted& each) {
    Time& free = *std::ranges::min_element(free_[host.index]);
    const Time start = std::max(free, each.arrival);
    stale_[host.index] = std::min(stale_[host.index], start);
    free = start + each.time;
  }
  Time free_from(const Sim& sim, HostId host) const {
    return std::max(sim.now(), *std::ranges::min_element(free_[host.index]));
  }

  // When its data could be in the cluster.
  Time arrival(Sim& sim, WorkId work, ClusterId cluster) {
    Time last = sim.now();
    for (const FileId file : sim.view().workload().inputs(work))
      if (!sim.in_store(file, cluster))
        last = std::max(last, sim.estimate().end_of(sim, file, cluster, sim.now()));
    return last;
  }

  Value value_of(Sim& sim, WorkId work, HostId host) {
    const View& view = sim.view();
    if (!view[host].up || (idle_only_ && !has_room(view, host))) return {};
    const Seconds time = sim.estimate().duration(sim, {work, 0, 1}, host);
    if (!(time < kNever)) return {};
    const Time free = free_from(sim, host);
    if (choose_ == ListChoice::time) return {true, time};
    if (choose_ == ListChoice::free) return {true, free};
    const Time start = std::max(free, arrival(sim, work, view[host].cluster));
    return {true, choose_ == ListChoice::start ? start : start + time};
  }

  HostId best_host(Sim& sim, WorkId work) {
    values_.assign(lines_.size(), kNever);
    for (std::size_t h = 0; h < lines_.size(); ++h)
      if (const Value value = value_of(sim, work, HostId(h)); value.is_possible) values_[h] = value.score;
    const std::size_t best = first_least(values_);
    return best == cost::kNoChoice ? HostId{} : HostId(best);
  }

  void decide(Sim& sim) {
    if (ready_.empty()) return;
    did_work(ready_.size() * lines_.size() / 8);
    const View& view = sim.view();
    const auto any_room = [&] {
      for (std::size_t h = 0; h < lines_.size(); ++h)
        if (has_room(view, HostId(h))) return true;
      return false;
    };
    if (idle_only_ && !any_room()) return;
    look_at_hosts(sim);
    for (auto each = ready_.begin(); each != ready_.end() && (!idle_only_ || any_room());) {
      const WorkId work = each->work;
      if (view[work].state != WorkState::waiting || view[work].posted > 0) {
        each = take_out(each);
        continue;
      }
      const HostId host = best_host(sim, work);
      if (!host.valid()) {
        ++each;
        continue;
      }
      posting_ = *each;
      each = take_out(each);
      const Posted made{work, sim.estimate().duration(sim, {work, 0, 1}, host),
                        arrival(sim, work, view[host].cluster)};
      post_with_inputs(sim, work, host);
      posting_ = {};
      lines_[host.index].push_back(made);
      take_up(host, made);
    }
  }

  std::optional<ListPriority> order_;
  ListChoice choose_;
  bool idle_only_;
  std::set<Ready> ready_;                   // by priority
  std::vector<std::uint8_t> is_listed_;     // per work: it is among these
  std::vector<double> priority_;            // per work, where the order is one of the graph
  std::vector<std::vector<Posted>> lines_;  // per host: posted there; some have begun
  std::vector<std::vector<Time>> free_;     // per host and core, as of the last look
  std::vector<Time> stale_;                 // per host: later than this it is to be looked at again
  // Scratch.
  std::vector<double> values_;
  std::vector<WorkId> arrived_, fresh_;
  Ready posting_;  // while it is posted, for `why`
};

}  // namespace

Entry dispatch() {
  Entry entry;
  entry.name = "dispatch";
  entry.family = Family::workflow;
  entry.role = Role::policy;
  entry.summary = "ready tasks in an order, each to the host that is best by estimates then";
  entry.source =
      "Maheswaran et al., JPDC 59(2), 1999, section 3 (immediate mode); Topcuoglu, Hariri, Wu 2002 (ranks)";
  entry.complexity = "O(H) a ready task, H hosts";
  entry.ties = "lowest task, then lowest host";
  entry.parameters = {
      {.name = "order",
       .type = ParameterType::choice,
       .summary =
           "which ready task is first: the one that became so first, or by a priority of the whole graph",
       .fallback = std::string(kReady),
       .choices = orders()},
      {.name = "choose",
       .type = ParameterType::choice,
       .summary = "the host with the least finish, start or time of the task, or that is free first",
       .fallback = "finish",
       .choices = names_of(kChoices)},
      {.name = "among",
       .type = ParameterType::choice,
       .summary = "all hosts, the busy ones too, or only those that are idle",
       .fallback = "all",
       .choices = {"all", "idle"}},
  };
  entry.accepts = {.tasks = true, .files = true, .precedence = true};
  entry.make_policy = [](const Arguments& given) -> std::unique_ptr<Policy> {
    const std::string& order = given.choice("order");
    return std::make_unique<Dispatch>(
        order == kReady ? std::nullopt : std::optional(value_of(kListPriorities, order)),
        value_of(kChoices, given.choice("choose")), given.choice("among") == "idle");
  };
  return entry;
}

}  // namespace perigee::workflow
