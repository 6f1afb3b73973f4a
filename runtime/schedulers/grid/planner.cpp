// A scheduler at the origin of a grid. It plans its future on a Gantt chart, seldom. It serves the queues of
// hosts and links from the plan, often.
//
// Ties: lowest task, then the order of clusters and hosts. Cost of a plan: O(T^2 H / C) completions for T
// tasks, H hosts in C clusters.
//
// grid_queues serves, plan_drawing plans, plan_intervals sets the times of plans; this file puts them
// together.

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "runtime/cost/chart_mapping.h"
#include "runtime/engine/sim.h"
#include "runtime/engine/why.h"
#include "runtime/kernel/quantity.h"
#include "runtime/schedulers/catalogue.h"
#include "runtime/schedulers/grid/plan_drawing.h"
#include "runtime/schedulers/grid/plan_intervals.h"
#include "runtime/schedulers/grid/plan_notes.h"

namespace perigee::grid {
namespace {

class Planner final : public PolicyOf<Planner> {
 public:
  Planner(const PlannerSettings& settings, std::unique_ptr<ChartMapper> mapper)
      : settings_(settings), mapper_(std::move(mapper)), queues_(settings), intervals_(settings) {}

  void begin(Sim& sim) override {
    queues_.adopt(sim);
    intervals_ = PlanIntervals(settings_);
    pending_ = PlanCause::none;
    plan_.reset();
    timer_ = {};
    starved_ = futile_ = false;
    alone_ = 0;
    request_ = queues_.pool().empty() || !queues_.any_up(sim) ? PlanCause::none : PlanCause::arrival;
    plan_now(sim);
  }

  void react(Sim& sim, std::span<const Event> events) override {
    News news;
    request_ = PlanCause::none;
    const auto is_own = [](const Event& event) {
      return event.kind == EventKind::thought || event.kind == EventKind::timer ||
             event.kind == EventKind::stalled;
    };
    if (!std::ranges::all_of(events, is_own)) {
      starved_ = futile_ = false;
      alone_ = 0;
    }
    for (const Event& event : events) take(sim, event, news);
    queues_.take_back(sim);
    if (news.thought) {  // the thinking may have been for a plan of an earlier policy
      if (plan_) merge(sim);
      news.serve = true;
      request(std::exchange(pending_, PlanCause::none));
      if (request_ == PlanCause::timer && in_vain()) {  // it waits for another interval
        request_ = PlanCause::none;
        set_timer(sim);
      }
    }
    const bool idle = news.serve && queues_.serve(sim) && !sim.view().thinking();
    if (idle && !in_vain() && request_ == PlanCause::none) request_ = PlanCause::idle;
    plan_now(sim);
  }

  void explain(const View& view, Waiting& out) const override {
    if (!queues_.pool().empty())
      out.push_back(queues_.pool().size() == 1
                        ? std::string("1 task is in no queue")
                        : fmt::format("{} tasks are in no queue", queues_.pool().size()));
    for (const GridQueues::Server& server : queues_.servers())
      for (const GridQueues::Queued& each : server.queue)
        out.push_back(fmt::format("{} is in the queue of {}", view.workload().name_of(each.work),
                                  view.platform()[server.host].name));
    for (std::size_t c = 0; c < queues_.channels().size(); ++c)
      for (const GridQueues::Sending& each : queues_.channels()[c].queue)
        out.push_back(fmt::format("{} is to be sent {} {}", view.workload().files[each.file.index].name,
                                  each.home() ? "home from" : "to", view.platform()[ClusterId(c)].name));
  }

  void why(Sim& sim, WorkId work, Decision& out) override {
    if (out.kind == Decision::Kind::planned) {
      out.rule = fmt::format("{}; planned, it waits for its files and its turn on {}", decided_->rule,
                             sim.view().platform()[out.host].name);
      out.works = decided_->works;
      out.hosts = decided_->hosts;
      return;
    }
    out.rule = "the first of a host's queue whose input files are there; queues are filled by a plan";
    out.works = {.score = "planned start, s",
                 .better = settings_.steal ? Prefer::neither : Prefer::smallest,
                 .ties = "order of the plan"};
    out.hosts = {.score = "planned start, s", .better = Prefer::neither};
    for (const GridQueues::Server& server : queues_.servers()) {
      const auto own = std::ranges::find(server.queue, work, &GridQueues::Queued::work);
      if (own == server.queue.end()) continue;
      out.hosts.candidates.push_back({.index = server.host.index, .score = own->start});
      for (const GridQueues::Queued& each : server.queue)
        out.works.candidates.push_back({.index = each.work.index, .score = each.start});
    }
  }

 private:
  // The requests of an instant's events: to serve the queues, to merge a plan that was thought of.
  struct News {
    bool serve = false, thought = false;
  };

  void take(Sim& sim, const Event& event, News& news) {
    switch (event.kind) {
      case EventKind::arrived:
        queues_.enter(sim, event.work);
        if (queues_.any_up(sim)) request(PlanCause::arrival);
        news.serve = true;
        break;
      case EventKind::superseded:
        if (event.why == Reason::recovered) queues_.recovered(sim, event.work);
        news.serve = true;
        break;
      case EventKind::ended:
        news.serve = true;
        break;
      case EventKind::lost:
        queues_.lost(sim, event);
        break;
      case EventKind::up:
        take_up(sim, event, news);
        break;
      case EventKind::down:
        if (event.on.host().valid()) queues_.host_failed(sim, event.on.host());
        if (event.on.store().valid()) queues_.cluster_failed(event.on.store());
        if (settings_.replan_on_remove && !event.on.link().valid()) request(PlanCause::remove);
        break;
      case EventKind::thought:
        news.thought = true;
        break;
      case EventKind::timer:
        if (event.timer() == timer_) {
          timer_ = {};
          if (request_ == PlanCause::none) request_ = PlanCause::timer;
        }
        break;
      case EventKind::stalled:  // planning again would not help: it would go on for ever
        if (queues_.any_up(sim) && !std::exchange(starved_, true)) request(PlanCause::starved);
        break;
      default:
        break;
    }
  }

  void take_up(Sim& sim, const Event& event, News& news) {
    if (event.on.host().valid()) {
      news.serve = true;
      if (settings_.replan_on_add) request(PlanCause::add);
    }
    if (event.on.store().valid()) queues_.cluster_back(sim, event.on.store());
    if (event.on.link().valid()) {
      queues_.link_back(sim, event.on.link());
      news.serve = true;
    }
  }

  void request(PlanCause cause) {
    const bool open = request_ == PlanCause::none || request_ == PlanCause::timer;
    if (open && cause != PlanCause::none) request_ = cause;
  }

  // Planning takes time, which keeps a run going. It must not go on for ever when nothing comes of it.
  bool in_vain() const { return settings_.planning_time > 0 && (futile_ || alone_ >= kMostInVain); }

  void plan_now(Sim& sim) {
    if (request_ == PlanCause::none) return;
    if (sim.view().thinking()) {
      pending_ = request_;
      return;
    }
    sim.settle();  // activities just handed to hosts and links are under way in the plan
    make_plan(sim, request_);
    request_ = PlanCause::none;
    if (settings_.planning_time > 0) {
      sim.think(settings_.planning_time);
    } else {
      merge(sim);
    }
    queues_.serve(sim);
  }

  void merge(Sim& sim) {
    queues_.join(sim, *plan_);
    plan_.reset();
  }

  // Makes a plan as in Figure 5.
  void make_plan(Sim& sim, PlanCause cause) {
    if (alone_++ == 0) alone_since_ = sim.now();
    if (cause == PlanCause::timer) {
      if (alone_ > kMostAlone && sim.now() - alone_since_ < 1)
        fail("time_stands_still",
             "{} plans within a second and nothing happened between "
             "them, the interval is {} s: longer ones are needed",
             kMostAlone, format_number(intervals_.interval()));
      intervals_.measure(sim, queues_);
    }
    const Time next = set_timer(sim);
    const bool truncated = queues_.truncate(sim);
    std::vector<WorkId> tasks;  // kept ones first, position by position
    for (std::size_t at = 0; at < settings_.keep; ++at) {
      const std::size_t before = tasks.size();
      for (const GridQueues::Server& server : queues_.servers())
        if (at < server.queue.size()) tasks.push_back(server.queue[at].work);
      if (tasks.size() == before) break;
    }
    const std::size_t kept = tasks.size();
    for (const WorkId work : chosen_tasks(sim)) tasks.push_back(work);
    PlanDrawing drawing(settings_, queues_, sim, std::move(tasks), kept);
    plan_.emplace();
    drawing.place_new(*mapper_, next + intervals_.margin(), *plan_);
    futile_ = plan_->tasks.empty() && !truncated;
    tell_recorder(sim, drawing);
    queues_.mark(*plan_);
    intervals_.predict(drawing, queues_, next);
    PlanNote{cause, static_cast<double>(plan_->tasks.size()), intervals_.interval()}.write(sim);
  }

  // Sets the timer for the next plan; returns when it rings.
  Time set_timer(Sim& sim) {
    if (timer_.valid()) sim.cancel(timer_);
    timer_ = {};
    const Time next = sim.now() + std::max(intervals_.interval(), 4 * chart_slack(sim.now()));
    if (next < kNever) timer_ = sim.timer(next, TimerPhase::due, Keeps::nothing);
    return next;
  }

  // Tells the recorder what the plan decided about its work.
  void tell_recorder(Sim& sim, const PlanDrawing& drawing) {
    Recorder* const recorder = sim.recorder();
    if (recorder == nullptr) return;
    if (drawing.decided()) {
      decided_ = drawing.decided();
      recorder->decides(sim, Decision::Kind::planned, decided_->host);
      decided_.reset();
    } else if (std::ranges::find(queues_.pool(), recorder->work()) != queues_.pool().end()) {
      recorder->decides(sim, Decision::Kind::waits);  // it may have lost its place in an earlier plan
    }
  }

  std::vector<WorkId> chosen_tasks(Sim& sim) const;

  PlannerSettings settings_;
  ClonePtr<ChartMapper> mapper_;
  GridQueues queues_;
  PlanIntervals intervals_;
  TimerId timer_;
  static constexpr std::uint32_t kMostAlone = 100'000, kMostInVain = 1000;
  std::uint32_t alone_ = 0;  // plans since anything else happened
  Time alone_since_ = 0;     // the first of them
  bool starved_ = false;     // nothing has happened since a plan was made because nothing moved
  bool futile_ = false;      // nor since one that placed nothing and left all queues as they were
  PlanCause request_ = PlanCause::none, pending_ = PlanCause::none;
  std::optional<GridQueues::Fresh> plan_;
  std::optional<Decision> decided_;  // while it is recorded
};

// The tasks of which the plan is made, ascending (section 5.6.2).
std::vector<WorkId> Planner::chosen_tasks(Sim& sim) const {
  const std::span<const WorkId> pool = queues_.pool();
  std::vector<WorkId> chosen(pool.begin(), pool.end());
  const std::size_t most = settings_.subset_size;
  if (settings_.subset == PlannerSettings::Subset::all || most >= pool.size()) return chosen;
  if (settings_.subset == PlannerSettings::Subset::random) {
    Stream& stream = sim.stream("planner");
    for (std::size_t i = 0; i < most; ++i) std::swap(chosen[i], chosen[i + stream.below(chosen.size() - i)]);
    chosen.resize(most);
  } else {
    chosen.clear();
    const Workload& workload = sim.view().workload();
    std::vector<std::uint8_t> taken(pool.size(), 0);
    while (chosen.size() < most) {
      std::vector<double> weight(workload.files.size(), 0);
      for (std::size_t i = 0; i < pool.size(); ++i)
        if (taken[i] == 0)
          for (const FileId file : workload.inputs(pool[i]))
            weight[file.index] += workload.files[file.index].estimate;
      const auto heaviest = std::ranges::max_element(weight);
      const bool any = heaviest != weight.end() && *heaviest > 0;
      const FileId file(static_cast<std::size_t>(heaviest - weight.begin()));
      for (std::size_t i = 0; i < pool.size() && chosen.size() < most; ++i) {
        const auto inputs = workload.inputs(pool[i]);
        if (taken[i] != 0 || (any && std::ranges::find(inputs, file) == inputs.end())) continue;
        taken[i] = 1;
        chosen.push_back(pool[i]);
      }
    }
  }
  std::ranges::sort(chosen);
  return chosen;
}

void check_intervals(const Arguments& given) {
  const double first = given.number("interval"), least = given.number("min_interval"),
               most = given.number("max_interval");
  if (given.choice("strategy") == "constant") return;
  if (least > most)
    fail("bad_parameter", "planner: min_interval must be at most max_interval = {} s, got {} s",
         format_number(most), format_number(least));
  if (first < least || first > most)
    fail("bad_parameter",
         "planner: an interval that changes must begin between "
         "min_interval = {} s and max_interval = {} s, got {} s",
         format_number(least), format_number(most), format_number(first));
}

}  // namespace

Entry planner() {
  Entry entry;
  entry.name = "planner";
  entry.family = Family::grid;
  entry.role = Role::policy;
  entry.summary =
      "plans tasks and file transfers on a Gantt chart; queues of hosts and links are served from it";
  entry.source = "Berman et al., LIP RR 1999-46, sections 5 and 7, Figures 5 and 10";
  entry.complexity = "O(T^2 H / C) completions a plan of T tasks on H hosts in C clusters";
  entry.ties = "lowest task, then the order of clusters and hosts; completions within 1e-9 are ties";
  entry.parameters = planner_parameters();
  entry.accepts = {.tasks = true, .files = true};
  entry.instants = {.tolerance = 1e-9};
  entry.check = [](const Arguments& given) {
    check_intervals(given);
    const ConfigPtr map = given.parts("map").front();
    if (given.has("random") && !map->entry->make_chart_rule)
      fail("bad_parameter", "planner: random draws by the keys of tasks, but {} gives none",
           map->entry->name);
  };
  entry.make_policy = [](const Arguments& given) -> std::unique_ptr<Policy> {
    const PlannerSettings settings = planner_settings(given);
    const ConfigPtr map = given.parts("map").front();
    const Arguments arguments(*map);
    auto mapper = map->entry->make_chart_rule
                      ? chart_mapper(map->entry->make_chart_rule(arguments), settings.random)
                      : map->entry->make_chart_mapper(arguments);
    return std::make_unique<Planner>(settings, std::move(mapper));
  };
  return entry;
}

}  // namespace perigee::grid
