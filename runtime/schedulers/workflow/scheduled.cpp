// Scheduled: a graph scheduler plans each workflow when it arrives, and all of the plan is posted at once.
//
// This is static scheduling. A plan is made around what runs and what is promised. Posts have their planned start as
// rank, so that each host keeps the planned order; a file is sent to the cluster of its reader as soon as it exists.
// `replan` says what makes all that has not begun be planned anew. Otherwise a task that is lost goes to the host that
// ends it first by estimates. Cost: that of the graph scheduler for each plan. Ties: those of the graph scheduler.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/cost/graph_explain.h"
#include "runtime/cost/graph_schedule.h"
#include "runtime/engine/sim.h"
#include "runtime/engine/why.h"
#include "runtime/kernel/clone_ptr.h"
#include "runtime/kernel/quantity.h"
#include "runtime/schedulers/catalogue.h"
#include "runtime/schedulers/explain_step.h"
#include "runtime/schedulers/files.h"
#include "runtime/schedulers/workflow/present_graph.h"

namespace perigee::workflow {
namespace {

struct ReplanRule {
  bool failure = false, deviation = false, arrival = false;
  double tolerance = 0;  // of the planned time of a computation

  bool any() const { return failure || deviation || arrival; }
};

class Scheduled final : public PolicyOf<Scheduled> {
 public:
  Scheduled(std::unique_ptr<GraphScheduler> scheduler, std::string name, const ReplanRule& replan)
      : scheduler_(std::move(scheduler)), name_(std::move(name)), replan_(replan) {}

  void begin(Sim& sim) override {
    scheduler_->reseed(sim.stream("policy/scheduled"));
    placed_.clear();
    posted_.clear();
    transfers_.clear();
    to_place_.clear();
    const View& view = sim.view();
    withdraw_from_hosts(sim);
    placed_.resize(view.works().size());
    for (std::size_t h = 0; h < view.hosts().size(); ++h)  // what another policy has started
      for (const ActivityId id : sim.running_on(HostId(h)))
        if (const auto activity = sim.activity(id); activity->work.valid())
          placed_[activity->work.index].host = HostId(h);
    fetch_all_outputs(sim);
    plan_left(sim);
  }

  void react(Sim& sim, std::span<const Event> events) override {
    bool failure = false, deviation = false, missing = false;
    arrived_.clear();
    for (const Event& event : events) switch (event.kind) {
        case EventKind::arrived:
          arrived_.push_back(event.work);
          break;
        case EventKind::ended:
          if (event.transfer || !event.work.valid()) break;
          deviation = deviation || deviates(event);
          if (!event.finishes) fetch_outputs(sim, event.work);
          break;
        case EventKind::lost:
          if (event.transfer)
            missing = true;
          else if (event.work.valid())
            to_place_.push_back(event.work);
          failure = true;
          break;
        case EventKind::superseded:  // it need not be done again
          missing = true;
          break;
        case EventKind::down:
          failure = true;
          if (event.why == Reason::membership && event.on.host().valid()) leave(sim, event.on.host());
          break;
        case EventKind::up:
          failure = missing = true;
          break;
        default:
          break;
      }
    const bool again = (failure && replan_.failure) || (deviation && replan_.deviation) ||
                       (!arrived_.empty() && replan_.arrival);
    if (again) {
      replan(sim);
    } else {
      if (failure || !to_place_.empty()) place_lost(sim);
      plan_arrived(sim);
    }
    if (failure || missing) {
      for (const WorkId work : posted(sim)) supply(sim, work);
      if (missing) fetch_all_outputs(sim);
    }
  }

  void explain(const View& view, Waiting& lines) const override {
    for (const WorkId work : to_place_)
      if (view[work].state < WorkState::computed)
        lines.push_back(
            fmt::format("{} has no host that is up and could run it", view.workload().name_of(work)));
  }

  void why(Sim& sim, WorkId work, Decision& out) override {
    const std::string_view when =
        replan_.any() ? "arrives, and all that is left again when something changes" : "arrives";
    out.rule = fmt::format("{} plans all tasks of a workflow when it {}; each host keeps the planned order",
                           name_, when);
    if (posting_ != nullptr) return why_posted(sim, work, out);
    if (const Placed placed = placed_of(work); placed.finish > 0) say_planned(sim, placed, out);
  }

  std::size_t bytes() const override { return placed_.size() * sizeof(Placed); }

 private:
  struct Placed {
    HostId host;
    Time start = 0, finish = 0;  // as planned
    double rank = 0;
    ActivityId post;
  };

  // A plan that is being posted. `by_plan`: the graph scheduler has made it, else each task went where it ends first.
  struct PlanPosted {
    const GraphProblem& graph;
    const GraphPlan& plan;
    bool by_plan;
  };

  void say_planned(const Sim& sim, const Placed& placed, Decision& out) const {
    out.notes.push_back(fmt::format("planned on {} from {} to {} s", sim.view().platform()[placed.host].name,
                                    format_number(placed.start), format_number(placed.finish)));
  }

  // The step of the plan at which the task was placed.
  void why_posted(const Sim& sim, WorkId work, Decision& out) {
    const auto& [graph, plan, by_plan] = *posting_;
    const auto found = std::ranges::find(graph.works, work);
    if (found == graph.works.end()) return;
    const auto task = static_cast<std::size_t>(found - graph.works.begin());
    GraphStep step;
    if (by_plan)
      scheduler_->explain(graph, plan, task, step);
    else
      compare_finishes(before_graph_step(graph, plan, task, GraphFit::insertion, step), task, step);
    const std::string rule = out.rule;
    explain_step(
        step, graph.works, [&](std::uint32_t machine) { return graph.hosts[machine]; }, out);
    out.rule = !by_plan            ? "it was given back: it goes to the host that ends it first by estimates"
               : step.rule.empty() ? rule
                                   : fmt::format("{}: {}", rule, step.rule);
    const Platform& platform = sim.view().platform();
    say_planned(sim, {graph.hosts[plan.machine[task]], plan.start[task], plan.finish[task], {}}, out);
    if (by_plan)
      out.notes.push_back(fmt::format("placed as number {} of {}", step.number, plan.order.size()));
    constexpr std::size_t kMost = 20;
    for (const GraphStep::Input& input : std::span(step.inputs).first(std::min(step.inputs.size(), kMost)))
      out.notes.push_back(fmt::format("planned behind {}: on {} until {} s, its data here at {} s",
                                      sim.view().workload().name_of(graph.works[input.task]),
                                      platform[graph.hosts[input.machine]].name, format_number(input.finish),
                                      format_number(input.arrival)));
  }

  Placed placed_of(WorkId work) const { return work.index < placed_.size() ? placed_[work.index] : Placed{}; }

  bool deviates(const Event& event) const {
    const Placed placed = placed_of(event.work);
    return placed.finish > 0 &&
           std::abs(event.at - placed.finish) > replan_.tolerance * (placed.finish - placed.start);
  }

  // Tasks that are posted and have not begun.
  const std::vector<WorkId>& posted(const Sim& sim) {
    std::erase_if(posted_, [&](WorkId work) {
      const auto activity = sim.activity(placed_[work.index].post);
      return !activity || !activity->posted;
    });
    return posted_;
  }
  std::vector<std::pair<WorkId, Promise>> promised(const Sim& sim) {
    std::vector<std::pair<WorkId, Promise>> kept;
    for (const WorkId work : posted(sim)) {
      const Placed& placed = placed_[work.index];
      kept.emplace_back(work, Promise{placed.host, placed.start, placed.finish});
    }
    return kept;
  }

  // Takes the works whose predecessors all have a place, or get one with them; the others are left in `works`.
  // A post that waits for a task of which nobody knows where it will run could stand before it in a queue.
  static std::vector<WorkId> take_plannable(const Sim& sim, std::vector<WorkId>& works) {
    const auto& precedence = sim.view().workload().precedence;
    std::ranges::sort(works);
    works.erase(std::unique(works.begin(), works.end()), works.end());
    std::erase_if(works, [&](WorkId work) { return !is_left(sim.view(), work); });
    if (precedence == nullptr) return std::exchange(works, {});
    const auto place_of = [&](std::uint32_t work) {
      const auto found = std::ranges::lower_bound(works, work, {}, &WorkId::index);
      return found != works.end() && found->index == work ? found - works.begin() : -1;
    };
    std::vector<std::uint32_t> misses(works.size());  // predecessors without a place
    std::vector<std::size_t> next;
    for (std::size_t i = 0; i < works.size(); ++i) {
      for (const std::uint32_t before : precedence->predecessors(works[i].index)) {
        const WorkView& view = sim.view()[WorkId(before)];
        if (view.state < WorkState::computed && view.running == 0 && view.posted == 0) ++misses[i];
      }
      if (misses[i] == 0) next.push_back(i);
    }
    std::vector<std::uint8_t> taken(works.size());
    for (std::size_t n = 0; n < next.size(); ++n) {
      taken[next[n]] = 1;
      for (const std::uint32_t behind : precedence->successors(works[next[n]].index))
        if (const auto at = place_of(behind); at >= 0 && --misses[static_cast<std::size_t>(at)] == 0)
          next.push_back(static_cast<std::size_t>(at));
    }
    std::vector<WorkId> plannable, others;
    for (std::size_t i = 0; i < works.size(); ++i) (taken[i] != 0 ? plannable : others).push_back(works[i]);
    works = std::move(others);
    return plannable;
  }

  // Each workflow by itself, in their order; tasks of no workflow together.
  void plan_arrived(Sim& sim) {
    if (arrived_.empty() && later_.empty()) return;
    const Workload& workload = sim.view().workload();
    later_.insert(later_.end(), arrived_.begin(), arrived_.end());
    std::vector<WorkId> plannable = take_plannable(sim, later_);
    std::ranges::stable_sort(plannable, {}, [&](WorkId work) { return workload.workflow_of(work); });
    for (std::size_t first = 0; first < plannable.size();) {
      const auto of_another = [&](WorkId work) {
        return workload.workflow_of(work) != workload.workflow_of(plannable[first]);
      };
      const auto end =
          std::find_if(plannable.begin() + static_cast<std::ptrdiff_t>(first), plannable.end(), of_another);
      const std::vector<WorkId> works(plannable.begin() + static_cast<std::ptrdiff_t>(first), end);
      plan(sim, works);
      first += works.size();
    }
  }

  void replan(Sim& sim) {
    for (const WorkId work : posted(sim)) sim.withdraw(placed_[work.index].post);
    posted_.clear();
    for (const ActivityId id : transfers_)
      if (const auto activity = sim.activity(id); activity && activity->posted) sim.withdraw(id);
    transfers_.clear();
    to_place_.clear();
    plan_left(sim);
  }

  void plan_left(Sim& sim) {
    later_ = left_works(sim.view());
    plan(sim, take_plannable(sim, later_));
  }

  void plan(Sim& sim, const std::vector<WorkId>& works) {
    if (works.empty()) return;
    const GraphProblem graph = present_graph(sim, works, promised(sim));
    GraphPlan made;
    scheduler_->schedule(graph, made);
    post(sim, graph, made, true);
  }

  // Places lost tasks, each on the machine that ends it first. Its place in the order of posts stays.
  void place_lost(Sim& sim) {
    const std::vector<WorkId> works = take_plannable(sim, to_place_);
    if (works.empty()) return;
    const GraphProblem graph = present_graph(sim, works, promised(sim));
    GraphSchedule schedule(graph);
    for (std::uint32_t task; (task = schedule.first_ready()) != kUnmapped;)
      schedule.place(task, schedule.least_finish(task).machine);
    GraphPlan made;
    schedule.write(made);
    post(sim, graph, made, false);
  }

  // Posts have ranks that ascend along all edges: a post never waits for one behind it, on whatever host. A task that
  // the graph scheduler did not place keeps its rank.
  void post(Sim& sim, const GraphProblem& graph, const GraphPlan& made, bool by_plan) {
    const PlanPosted posting{graph, made, by_plan};
    posting_ = &posting;
    placed_.resize(std::max(placed_.size(), sim.view().works().size()));
    std::vector<std::uint32_t> order(made.order);  // predecessors first, also of equal starts
    std::ranges::stable_sort(order, {}, [&](std::uint32_t task) { return made.start[task]; });
    for (const std::uint32_t task : order) {
      const WorkId work = graph.works[task];
      const HostId host = graph.hosts[made.machine[task]];
      Placed& placed = placed_[work.index];
      const double rank =
          placed.post.valid() && !by_plan ? placed.rank : rank_after(sim, work, made.start[task]);
      placed = {host, made.start[task], made.finish[task], rank, post_whole(sim, work, host, rank)};
      posted_.push_back(work);
    }
    posting_ = nullptr;
    for (const std::uint32_t task : order) {
      const WorkId work = graph.works[task];
      supply(sim, work);
      if (sim.view().workload().precedence == nullptr) continue;
      for (const std::uint32_t next : sim.view().workload().precedence->successors(work.index))
        if (placed_of(WorkId(next)).post.valid() && sim.view()[WorkId(next)].posted > 0)
          supply(sim, WorkId(next));
    }
    for (std::uint32_t task = 0; task < graph.works.size(); ++task)
      if (made.machine[task] == kUnmapped) to_place_.push_back(graph.works[task]);
  }

  // The planned start, or a little more: behind those before it that are posted.
  double rank_after(const Sim& sim, WorkId work, Time start) const {
    const auto& precedence = sim.view().workload().precedence;
    double rank = start;
    if (precedence != nullptr)
      for (const std::uint32_t before : precedence->predecessors(work.index))
        if (before < placed_.size() && sim.view()[WorkId(before)].posted > 0 && placed_[before].rank >= rank)
          rank = std::nextafter(placed_[before].rank, kNever);
    return rank;
  }

  // The files that its cluster lacks, and that nobody is to make there.
  void supply(Sim& sim, WorkId work) {
    const View& view = sim.view();
    if (view[work].posted == 0) return;
    const Placed& placed = placed_[work.index];
    const ClusterId cluster = view[placed.host].cluster;
    for (const FileId file : view.workload().inputs(work)) {
      if (const WorkId maker = sim.maker_of(file); maker.valid() && view[maker].state < WorkState::computed) {
        const bool is_placed = view[maker].posted > 0 || view[maker].running > 0;
        if (!is_placed || view[placed_of(maker).host].cluster == cluster) continue;
      }
      if (const ActivityId sent = send_file(sim, file, cluster, placed.rank); sent.valid())
        transfers_.push_back(sent);
    }
  }

  // The host does not come back by itself: what is posted there goes elsewhere.
  void leave(Sim& sim, HostId host) {
    for (const WorkId work : posted(sim))
      if (placed_[work.index].host == host) {
        sim.withdraw(placed_[work.index].post);
        to_place_.push_back(work);
      }
  }

  ClonePtr<GraphScheduler> scheduler_;
  std::string name_;
  ReplanRule replan_;
  std::vector<Placed> placed_;         // per work
  std::vector<WorkId> posted_;         // in order of posting; some have begun
  std::vector<ActivityId> transfers_;  // to clusters; some have begun, or are over
  std::vector<WorkId> to_place_;       // lost, or without a host
  std::vector<WorkId> later_;          // not planned, for a task before them has not arrived or has no place
  std::vector<WorkId> arrived_;        // scratch
  const PlanPosted* posting_ = nullptr;  // while posts of a plan are made, for `why`
};

}  // namespace

Entry scheduled() {
  Entry entry;
  entry.name = "scheduled";
  entry.family = Family::workflow;
  entry.role = Role::policy;
  entry.summary = "a graph scheduler plans each workflow when it arrives";
  entry.source = "Topcuoglu, Hariri, Wu, IEEE TPDS 13(3), 2002, section 2 (static scheduling)";
  entry.complexity = "that of the graph scheduler for each plan";
  entry.ties = "those of the graph scheduler, over cores in order of host";
  entry.parameters = {
      {.name = "plan",
       .type = ParameterType::graph,
       .summary = "the graph scheduler, or a mapper that chooses among ready tasks",
       .fallback = std::string("heft")},
      {.name = "replan",
       .type = ParameterType::choice,
       .summary =
           "what makes all that has not begun be planned anew: a host, store or piece that goes or comes, a "
           "computation that ends at another time than planned, an arrival",
       .fallback = "never",
       .choices = {"never", "failure", "deviation", "arrival", "failure_or_deviation", "failure_or_arrival",
                   "deviation_or_arrival", "always"}},
      {.name = "tolerance",
       .type = ParameterType::number,
       .summary =
           "how far the end of a computation may be from the planned one, as a part of its planned time, until "
           "it is a deviation",
       .fallback = 0.1,
       .min = 0},
  };
  entry.accepts = {.tasks = true, .files = true, .precedence = true};
  entry.make_policy = [](const Arguments& given) -> std::unique_ptr<Policy> {
    const std::string& when = given.choice("replan");
    const auto is_named = [&](std::string_view what) {
      return when == "always" || when.find(what) != std::string::npos;
    };
    return std::make_unique<Scheduled>(given.graph_scheduler("plan"), given.parts("plan").front()->text(),
                                       ReplanRule{.failure = is_named("failure"),
                                                  .deviation = is_named("deviation"),
                                                  .arrival = is_named("arrival"),
                                                  .tolerance = given.number("tolerance")});
  };
  return entry;
}

}  // namespace perigee::workflow
