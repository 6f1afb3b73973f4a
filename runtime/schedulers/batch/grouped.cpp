// Grouped: work collects in a pool. The scheduler, a server of its own, maps one group of it at a time. Each
// work then queues at its host.
//
// The scheduling time follows the publication's equation with the coefficients of its Table 4, and is 0
// where that is negative. A quality of service in place of time follows section VII.A. The publication has
// ready = "zero" and the mapper max_min { adds = "completion" }. Cost: that of the mapper for each group,
// O(log P) for an event with P works in the pool; `when` is called for all P. Ties: those of the mapper,
// over hosts; work of equal priority by arrival.

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "runtime/cost/scheduling_time.h"
#include "runtime/engine/sim.h"
#include "runtime/kernel/clone_ptr.h"
#include "runtime/schedulers/batch/arrival_queue.h"
#include "runtime/schedulers/batch/host_problem.h"
#include "runtime/schedulers/batch/pool.h"
#include "runtime/schedulers/catalogue.h"
#include "runtime/schedulers/explain_step.h"

namespace perigee::batch {
namespace {

enum class By : std::uint8_t { time, least_quality, most_quality };

struct GroupingSettings {
  std::size_t size;
  By by;
  Seconds timeout;
  bool flush, aware, reschedule, priority_pool, priority_queues, published_cost;
  Seconds cost;
  ClonePtr<Rule> when, cost_of;  // or none
};

class Grouped final : public PolicyOf<Grouped> {
 public:
  Grouped(GroupingSettings settings, std::unique_ptr<Mapper> mapper)
      : settings_(std::move(settings)), mapper_(std::move(mapper)), pool_(settings_.priority_pool) {}

  void begin(Sim& sim) override {
    const View& view = sim.view();
    mapper_->reseed(sim.stream("policy/grouped"));
    pool_.clear();
    group_.clear();
    unmapped_.clear();
    timer_at_ = kNever;
    for (std::size_t w = view.works().first(); settings_.by != By::time && w < view.works().size(); ++w)
      quality_of(view, WorkId(w));
    for (std::size_t w = view.works().first(); w < view.works().size(); ++w)
      if (sim.waits(WorkId(w))) pool_.put(view.workload(), WorkId(w));
    check(sim);
  }

  void react(Sim& sim, std::span<const Event> events) override {
    const View& view = sim.view();
    bool looks = false;  // at the pool: not when a machine has ended something
    const auto again = [&] {
      hosts_changed_ = looks = true;
      for (const WorkId unmapped : std::exchange(unmapped_, {})) pool_.put(view.workload(), unmapped);
    };
    for (const Event& event : events) switch (event.kind) {
        case EventKind::arrived:
          pool_.put(view.workload(), event.work);
          looks = true;
          break;
        case EventKind::lost:
          if (event.work.valid() && view[event.work].state == WorkState::waiting)
            pool_.put(view.workload(), event.work);
          again();
          break;
        case EventKind::down:
          if (event.why == Reason::membership && event.on.host().valid())
            looks = take_back(sim, event.on.host()) || looks;
          break;
        case EventKind::ended:  // perhaps of what stood still
          hosts_changed_ = hosts_changed_ || stuck_;
          if (stuck_ && !unmapped_.empty()) again();
          break;
        case EventKind::up:
        case EventKind::changed:
        case EventKind::stalled:  // hosts may have come back without a word
          again();
          break;
        case EventKind::timer:
          timer_at_ = kNever;
          looks = true;
          break;
        case EventKind::thought:
          release(sim);
          looks = true;
          break;
        default:
          break;
      }
    if (looks) check(sim);
  }

  void explain(const View& view, Waiting& lines) const override {
    if (!pool_.empty())
      lines.push_back(
          fmt::format("{} works are in the pool, and a group has {}", pool_.size(), settings_.size));
    for (const WorkId work : unmapped_)
      lines.push_back(fmt::format("{} was mapped to no host", view.workload().name_of(work)));
  }

  void why(Sim& sim, WorkId work, Decision& out) override {
    const View& view = sim.view();
    if (out.kind == Decision::Kind::posted) {
      const auto task = static_cast<std::size_t>(std::ranges::find(group_, work) - group_.begin());
      MappingStep step;
      mapper_->explain(problem(), mapping_, task, step);
      explain_step(
          step, group_, [&](std::uint32_t machine) { return machines_.hosts[machine]; }, out);
      for (std::string* score : {&out.hosts.score, &out.works.score}) {
        if (settings_.by != By::time && score->ends_with(", s"))
          *score = "ready time and quality" +
                   std::string(settings_.by == By::most_quality ? " short of the most" : "");
        else if (score->ends_with("completion, s"))
          *score += " from when its group was made";
      }
      out.rule += fmt::format("; in a group of {}, released to the queues of its hosts", group_.size());
      return;
    }
    out.rule = fmt::format("a group of {} is mapped at a time", settings_.size);
    out.works = {.score = "arrival, s",
                 .better = settings_.priority_pool ? Prefer::neither : Prefer::smallest,
                 .ties = "order of input"};
    pool_.for_each([&](WorkId each) {
      out.works.candidates.push_back({.index = each.index, .score = view.workload()[each].arrival});
    });
    if (std::ranges::find(group_, work) != group_.end())
      out.notes.emplace_back("its group is being mapped");
    else if (std::ranges::find(unmapped_, work) != unmapped_.end())
      out.notes.emplace_back("no host that was up could run it");
    else
      out.notes.push_back(fmt::format("{} works are in the pool", pool_.size()));
  }

 private:
  // The problem that the mapper is given.
  MappingProblem problem() const {
    MappingProblem asked = machines_.problem(false);
    if (machines_.ready.size() == machines_.hosts.size() &&
        std::ranges::all_of(machines_.widths, [](std::uint32_t width) { return width == 1; }))
      asked.first_core = asked.width = {};
    return asked;
  }

  // The qualities of service that the workload states for the hosts.
  static std::span<const double> quality_of(const View& view, WorkId work) {
    const auto quality = view.workload().quality_of(work, view.hosts().size());
    if (quality.empty())
      fail("no_quality",
           "grouped: {} states no quality of service by which "
           "it could be mapped; workload.etc has a field for it",
           view.workload().name_of(work));
    return quality;
  }

  bool ripe(Sim& sim) {
    const View& view = sim.view();
    return pool_.size() >= settings_.size || (settings_.flush && view.works_in(WorkState::future) == 0) ||
           (settings_.timeout < kNever && pool_.oldest() + settings_.timeout <= view.now()) ||
           (settings_.when && says_when(sim));
  }
  // Calls `when` for all works in the pool.
  bool says_when(Sim& sim) {
    look_at_hosts(sim);
    if (machines_.hosts.empty()) return false;
    pool_.for_each([&](WorkId work) { group_.push_back(work); });
    set_works(sim);
    const Rule::Answer answer = settings_.when->ask(problem());
    group_.clear();
    if (const bool* yes = std::get_if<bool>(&answer)) return *yes;
    fail("bad_answer", "grouped: {} must say true or false", settings_.when->text());
  }

  void check(Sim& sim) {
    if (!pool_.empty() && !sim.view().thinking() && ripe(sim)) form(sim);
    wake(sim);
  }

  // Sets the timer to when the oldest work of the pool is to be scheduled.
  void wake(Sim& sim) {
    Time at = kNever;
    if (settings_.timeout < kNever && !pool_.empty()) at = pool_.oldest() + settings_.timeout;
    if (at <= sim.now()) at = kNever;  // it leaves as soon as the scheduler is idle
    if (at == timer_at_) return;
    if (timer_at_ < kNever) sim.cancel(timer_);
    if (at < kNever) timer_ = sim.timer(at, TimerPhase::late, Keeps::alive);
    timer_at_ = at;
  }

  void form(Sim& sim) {
    const View& view = sim.view();
    if (std::ranges::none_of(view.hosts(), &HostView::up)) return;
    if (settings_.reschedule) recall(sim);
    const std::size_t recalled = group_.size(), taken = std::min(settings_.size, pool_.size());
    for (std::size_t i = 0; i < taken; ++i) group_.push_back(pool_.take_first());

    look_at_hosts(sim);
    set_works(sim);
    const Seconds cost = cost_of();
    for (double& ready : machines_.ready) ready = std::max(0.0, ready - cost);
    stuck_ = std::ranges::find(machines_.ready, kNever) != machines_.ready.end();
    hosts_changed_ = false;
    mapper_->map(problem(), mapping_);
    goes_to_.assign(group_.size(), HostId());
    for (std::size_t task = 0; task < group_.size(); ++task)
      if (mapping_.machine[task] != kUnmapped) goes_to_[task] = machines_.hosts[mapping_.machine[task]];
    const double values[] = {static_cast<double>(taken), static_cast<double>(recalled), cost};
    sim.note("group", values);
    sim.think(cost);
  }

  // Work that queues at a host which has left comes back to the pool, now or when its group is mapped. True
  // if it has.
  bool take_back(Sim& sim, HostId host) {
    for (std::size_t i = 0; i < group_.size(); ++i)
      if (goes_to_[i] == host) {
        goes_to_[i] = HostId();
        hosts_changed_ = true;
      }
    const std::vector<ActivityId> queued = sim.queued_on(ResourceId::of(host));
    for (const ActivityId id : queued) {
      pool_.put(sim.view().workload(), sim.activity(id)->work);
      sim.withdraw(id);
    }
    return !queued.empty();
  }

  // Work that queues at hosts comes back to the pool, in order of arrival.
  void recall(Sim& sim) {
    const View& view = sim.view();
    for (std::size_t h = 0; h < view.hosts().size(); ++h)
      for (const ActivityId id : sim.queued_on(ResourceId::of(HostId(h)))) {
        group_.push_back(sim.activity(id)->work);
        sim.withdraw(id);
      }
    std::ranges::sort(group_, [&](WorkId a, WorkId b) { return ArrivalQueue::earlier(view, a, b); });
  }

  // Finds the hosts that are up and, from now, when each core is expected to be free of all that is there.
  // These times are 0 unless the mapper is aware of them.
  void look_at_hosts(Sim& sim) {
    const View& view = sim.view();
    machines_.clear();
    for (std::size_t h = 0; h < view.hosts().size(); ++h) {
      const HostId host(h);
      if (!view[host].up) continue;
      free_.assign(static_cast<std::size_t>(view[host].cores), view.now());
      if (settings_.aware) {
        const auto take = [&](ActivityId id, Time until) {
          take_cores(free_, sim.activity(id)->cores, std::max(until, sim.now()));
        };
        for (const ActivityId id : sim.running_on(host)) take(id, sim.estimate().end_of(sim, id));
        for (const ActivityId id : sim.queued_on(ResourceId::of(host))) {
          const ActivityView queued = *sim.activity(id);
          const Time start = free_[static_cast<std::size_t>(queued.cores - 1)];
          take(id, sim.estimate().end_of(sim, queued.piece, host, start));
        }
      }
      for (const Time free : free_) machines_.ready.push_back(std::max(0.0, free - view.now()));
      machines_.add(host, view[host].cluster);
    }
  }

  // Sets the rows of the group: times or, where the work can run, what the mapper compares in their place.
  void set_works(Sim& sim) {
    machines_.set_works(sim, group_);
    if (settings_.by == By::time) return;
    std::vector<double>& rows = machines_.etc;
    double most = 0;
    for (std::size_t t = 0, at = 0; t < group_.size(); ++t) {
      const auto quality = quality_of(sim.view(), group_[t]);
      for (const HostId host : machines_.hosts) {
        double& entry = rows[at++];
        if (entry < kNever) entry = quality[host.index];
        if (entry < kNever) most = std::max(most, entry);
      }
    }
    if (settings_.by == By::most_quality)
      for (double& entry : rows)
        if (entry < kNever) entry = most - entry;
  }

  // The time that mapping the group takes.
  Seconds cost_of() {
    if (settings_.cost_of) {
      const Rule::Answer answer = settings_.cost_of->ask(problem());
      const double* seconds = std::get_if<double>(&answer);
      if (seconds == nullptr || !(*seconds >= 0 && *seconds < kNever))
        fail("bad_answer", "grouped: {} must say how many seconds, >= 0 and finite{}",
             settings_.cost_of->text(), seconds == nullptr ? "" : ", got " + format_number(*seconds));
      return *seconds;
    }
    if (!settings_.published_cost) return settings_.cost;
    return SchedulingTime()(static_cast<double>(group_.size()), static_cast<double>(machines_.hosts.size()));
  }

  // The group goes to the queues of its hosts in the order of the pool, whatever the mapper's order was.
  void release(Sim& sim) {
    const View& view = sim.view();
    for (std::size_t i = 0; i < group_.size(); ++i) {
      const WorkId work = group_[i];
      if (view[work].state != WorkState::waiting) continue;
      if (!goes_to_[i].valid()) {
        if (hosts_changed_)
          pool_.put(view.workload(), work);
        else
          unmapped_.push_back(work);
        continue;
      }
      Posting posting;
      posting.piece = {work, 0, 1};
      posting.host = goes_to_[i];
      posting.rank = settings_.priority_queues ? -view.workload()[work].priority : 0;
      sim.post(posting);
    }
    group_.clear();
    sim.settle();
  }

  GroupingSettings settings_;
  ClonePtr<Mapper> mapper_;
  Pool pool_;
  std::vector<WorkId> group_;     // the group that keeps the scheduler busy
  std::vector<HostId> goes_to_;   // of each in the group
  std::vector<WorkId> unmapped_;  // no host that was up could run them
  bool hosts_changed_ = false;    // since the group was mapped
  bool stuck_ = false;            // a core was never expected to be free when it was mapped
  Time timer_at_ = kNever;
  TimerId timer_;
  // Scratch, kept for its capacity.
  HostProblem machines_;
  std::vector<Time> free_;
  Mapping mapping_;
};

}  // namespace

Entry grouped() {
  Entry entry;
  entry.name = "grouped";
  entry.family = Family::batch;
  entry.role = Role::policy;
  entry.summary = "work collects in a pool; a group at a time is mapped and queues at its hosts";
  entry.source =
      "Breitinger, Optimal Size of Job Pool for Initiating a "
      "Scheduling Event, 1999, chapter IV, Figure 6, equation 5";
  entry.complexity = "that of the mapper for each group";
  entry.ties = "those of the mapper, over hosts; works of equal priority by arrival";
  constexpr double kMost = 1e9;
  entry.parameters = {
      {.name = "size",
       .type = ParameterType::integer,
       .summary = "works that make a group; none has more",
       .fallback = 10.0,
       .min = 1,
       .max = kMost},
      {.name = "timeout",
       .type = ParameterType::quantity,
       .summary = "a group is made too when its oldest work has waited so long",
       .min = 0,
       .unit = Dimension::seconds,
       .optional = true},
      {.name = "flush",
       .type = ParameterType::boolean,
       .summary = "what is left when no more work will come makes a group; false in the publication",
       .fallback = true},
      {.name = "map", .type = ParameterType::mapper, .summary = "the mapper", .fallback = "max_min"},
      {.name = "ready",
       .type = ParameterType::choice,
       .summary = "whether the mapper knows of what earlier groups have left at the hosts",
       .fallback = "aware",
       .choices = {"zero", "aware"}},
      {.name = "by",
       .type = ParameterType::choice,
       .summary =
           "what the mapper sees: times, or the stated quality of service, better the less or the more",
       .fallback = "time",
       .choices = {"time", "least_quality", "most_quality"}},
      {.name = "cost",
       .type = ParameterType::quantity,
       .summary = "what the scheduler takes for a group",
       .fallback = 0.0,
       .min = 0,
       .max = kMost,
       .unit = Dimension::seconds},
      {.name = "cost_law",
       .type = ParameterType::choice,
       .summary = "that cost for every group, or the published polynomial of its size and the hosts",
       .fallback = "constant",
       .choices = {"constant", "published"}},
      {.name = "cost_of",
       .type = ParameterType::rule,
       .summary = "that cost as a function of the group's problem, in seconds, in place of cost and cost_law",
       .optional = true},
      {.name = "when",
       .type = ParameterType::rule,
       .summary = "a group is made too when this says true of what is in the pool",
       .optional = true},
      {.name = "reschedule",
       .type = ParameterType::boolean,
       .summary = "what queues at hosts is mapped again with each group",
       .fallback = false},
      {.name = "priority",
       .type = ParameterType::choice,
       .summary = "where work of larger priority goes first",
       .fallback = "both",
       .choices = {"both", "pool", "queues", "none"}}};
  entry.accepts = {.tasks = true, .jobs = true, .several_cores = true, .streams = true};
  entry.instants = {.ask = Ask::each};
  entry.check = [](const Arguments& given) {
    if (given.number("cost") > 0 && given.choice("cost_law") != "constant")
      fail("bad_parameter", "grouped: cost and cost_law are both given; one of them says what a group costs");
    if (given.has("cost_of") && (given.number("cost") > 0 || given.choice("cost_law") != "constant"))
      fail("bad_parameter",
           "grouped: cost_of is given beside cost or cost_law; one of them says what a group costs");
  };
  entry.make_policy = [](const Arguments& given) -> std::unique_ptr<Policy> {
    const std::string& priority = given.choice("priority");
    const std::string& by = given.choice("by");
    return std::make_unique<Grouped>(
        GroupingSettings{.size = static_cast<std::size_t>(given.number("size")),
                         .by = by == "time"            ? By::time
                               : by == "least_quality" ? By::least_quality
                                                       : By::most_quality,
                         .timeout = given.has("timeout") ? given.number("timeout") : kNever,
                         .flush = given.flag("flush"),
                         .aware = given.choice("ready") == "aware",
                         .reschedule = given.flag("reschedule"),
                         .priority_pool = priority == "both" || priority == "pool",
                         .priority_queues = priority == "both" || priority == "queues",
                         .published_cost = given.choice("cost_law") == "published",
                         .cost = given.number("cost"),
                         .when = given.rule("when"),
                         .cost_of = given.rule("cost_of")},
        given.mapper("map"));
  };
  return entry;
}

}  // namespace perigee::batch
