// A scheduler at the origin of a grid that plans its future on a Gantt chart, seldom, and serves the queues
// of hosts and links from the plan, often.
//
// Source: Berman et al., LIP RR 1999-46, sections 5 and 7 and Figures 5 and 10. Ties: lowest task, then the
// order of clusters and hosts. Cost of a plan: O(T^2 H / C) completions for T tasks, H hosts in C clusters.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <tuple>

#include "runtime/cost/chart_mapping.h"
#include "runtime/engine/sim.h"
#include "runtime/engine/why.h"
#include "runtime/schedulers/catalogue.h"

namespace perigee {
namespace {

enum class LinkPolicy : std::uint8_t { greedy, strict, hybrid };
enum class Interval : std::uint8_t { constant, deviation, weighted };
enum class Margin : std::uint8_t { constant, interval, adaptive };
enum class Subset : std::uint8_t { all, random, affinity };
enum class FileOrder : std::uint8_t { usage, listed, largest, smallest };
enum class IdleReplan : std::uint8_t { pool, always, never };
enum class PlanCause : std::uint8_t { none, timer, idle, add, remove, arrival, starved };

struct Settings {
  LinkPolicy links;
  Seconds patience;  // of hybrid links
  bool steal;
  std::size_t keep;  // works that each host keeps in its queue
  Seconds planning_time;
  Interval strategy;
  Seconds interval, min_interval, max_interval;
  double threshold, grow, shrink;
  Margin margin_policy;
  Seconds margin;
  bool to_horizon;
  double count;  // times the hosts: assignments in a plan; 0 = any number
  bool replan_on_add, replan_on_remove;
  IdleReplan idle_replan;
  bool with_outputs;
  FileOrder order;
  Subset subset;
  std::size_t subset_size;
  Seconds overdue;
  double random;  // < 0: not
};

constexpr std::uint32_t kNowhere = 0xffffffffU;
constexpr double kGrowWeight = 0.1, kLeastWeight = 0.1;

class Planner final : public PolicyOf<Planner> {
 public:
  Planner(const Settings& settings, std::unique_ptr<ChartRule> rule)
      : settings_(settings), rule_(std::move(rule)) {}

  void begin(Sim& sim) override {
    const View& view = sim.view();
    servers_.clear();
    first_server_.clear();
    for (std::size_t h = 0; h < view.hosts().size(); ++h) {
      first_server_.push_back(static_cast<std::uint32_t>(servers_.size()));
      const std::int32_t cores = view.platform()[HostId(h)].exclusive ? 1 : view.platform()[HostId(h)].cores;
      servers_.resize(servers_.size() + static_cast<std::size_t>(cores), Server{.host = HostId(h)});
    }
    first_server_.push_back(static_cast<std::uint32_t>(servers_.size()));
    channels_.assign(view.platform().clusters().size(), Channel{});
    interval_ = settings_.interval;
    margin_ = settings_.margin;
    pool_.clear();
    works_.clear();
    pending_ = PlanCause::none;
    plan_.reset();
    timer_ = {};
    adopt(sim);
    request_ = pool_.empty() ? PlanCause::none : PlanCause::arrival;
    plan_now(sim);
  }

  void react(Sim& sim, std::span<const Event> events) override {
    bool serve_now = false, merged = false;
    request_ = PlanCause::none;
    for (const Event& event : events) switch (event.kind) {
        case EventKind::arrived:
          enter(sim, event.work);
          request(PlanCause::arrival);
          serve_now = true;
          break;
        case EventKind::ended:
        case EventKind::superseded:
          serve_now = true;
          break;
        case EventKind::lost:
          lost(sim, event);
          break;
        case EventKind::up:
          if (event.on.host().valid()) {
            serve_now = true;
            if (settings_.replan_on_add) request(PlanCause::add);
          }
          if (event.on.store().valid()) fetch_stranded(sim, event.on.store());
          if (event.on.link().valid()) serve_now = true;
          break;
        case EventKind::down:
          if (event.on.host().valid()) ++servers_[first_server_[event.on.host().index]].failures;
          if (event.on.store().valid()) {
            ++channels_[event.on.store().index].failures;
            channels_[event.on.store().index].queue.clear();
          }
          if (settings_.replan_on_remove && !event.on.link().valid()) request(PlanCause::remove);
          break;
        case EventKind::thought:
          merged = true;
          break;
        case EventKind::timer:
          if (event.timer() == timer_) {
            timer_ = {};
            if (request_ == PlanCause::none) request_ = PlanCause::timer;
          }
          break;
        case EventKind::stalled:
          request(PlanCause::starved);
          break;
        default:
          break;
      }
    take_back(sim);
    if (merged && plan_) {
      merge(sim);
      serve_now = true;
      request(std::exchange(pending_, PlanCause::none));
    }
    if (serve_now && serve(sim)) request(PlanCause::idle);
    plan_now(sim);
  }

  void explain(const View& view, Waiting& out) const override {
    if (!pool_.empty()) out.push_back(fmt::format("{} tasks are in no queue", pool_.size()));
    for (const Server& server : servers_)
      for (const Queued& each : server.queue)
        out.push_back(fmt::format("{} is in the queue of {}", view.workload().name_of(each.work),
                                  view.platform()[server.host].name));
  }

  void why(Sim&, WorkId work, Decision& out) override {
    out.rule = "the first of a host's queue whose input files are there; queues are filled by a plan";
    out.works = {.score = "planned start, s",
                 .better = settings_.steal ? Prefer::neither : Prefer::smallest,
                 .ties = "order of the plan"};
    out.hosts = {.score = "planned start, s", .better = Prefer::neither};
    for (const Server& server : servers_) {
      const auto own = std::ranges::find(server.queue, work, &Queued::work);
      if (own == server.queue.end()) continue;
      out.hosts.candidates.push_back({.index = server.host.index, .score = own->start});
      for (const Queued& each : server.queue)
        out.works.candidates.push_back({.index = each.work.index, .score = each.start});
    }
  }

 private:
  struct Queued {
    WorkId work;
    Time start;  // planned
  };
  struct Sending {
    FileId file;
    WorkId work;  // of an output; invalid: an input
    Time start;   // planned
    bool home() const { return work.valid(); }
  };
  struct Activity {
    ActivityId id;
    WorkId work;  // of a computation, or of an output
    FileId file;
  };
  struct Server {  // a core of a host
    HostId host;
    std::vector<Queued> queue = {};
    Activity running = {};
    WorkId predicted = {};  // by the latest plan, at its next timer
    double weight = 1;
    std::uint32_t failures = 0;  // of the host, with its first core
  };
  struct Channel {  // of a cluster
    std::vector<Sending> queue = {};
    Activity sending = {};
    FileId predicted = {};
    bool predicted_home = false;
    double weight = 1;
    std::uint32_t failures = 0;
  };
  struct Place {                      // of a task
    std::uint32_t server = kNowhere;  // in whose queue it is, or where it runs or ran
  };
  struct Planned {
    std::uint32_t server;
    Queued entry;
  };
  struct PlannedTransfer {
    std::uint32_t cluster;
    Sending entry;
  };
  // New work of a plan, until it is merged into the queues.
  struct Plan {
    std::vector<Planned> tasks = {};
    std::vector<PlannedTransfer> transfers = {};
    std::vector<std::uint32_t> failures = {}, cluster_failures = {};  // when it was made
  };

  void request(PlanCause cause) {
    const bool open = request_ == PlanCause::none || request_ == PlanCause::timer;
    if (open && cause != PlanCause::none) request_ = cause;
  }
  Place& place(WorkId work) {
    if (works_.size() <= work.index) works_.resize(work.index + 1);
    return works_[work.index];
  }
  std::uint32_t failures_of(std::uint32_t server) const {
    return servers_[first_server_[servers_[server].host.index]].failures;
  }
  bool is_up(const Sim& sim, std::uint32_t server) const { return sim.view()[servers_[server].host].up; }
  bool is_idle(const Sim& sim, std::uint32_t server) const {
    return is_up(sim, server) && !servers_[server].running.work.valid();
  }
  ClusterId cluster_of(const Sim& sim, std::uint32_t server) const {
    return sim.view()[servers_[server].host].cluster;
  }

  void enter(Sim& sim, WorkId work) {
    if (sim.view()[work].state != WorkState::waiting) return;
    place(work) = {};
    const auto at = std::ranges::lower_bound(pool_, work.index, {}, &WorkId::index);
    if (at == pool_.end() || *at != work) pool_.insert(at, work);
  }

  // From the policy before: what is under way goes on where it is, all else is planned anew.
  void adopt(Sim& sim) {
    const View& view = sim.view();
    for (std::size_t h = 0; h < view.hosts().size(); ++h) {
      for (const ActivityId id : sim.queued_on(ResourceId::of(HostId(h)))) sim.withdraw(id);
      std::uint32_t server = first_server_[h];
      for (const ActivityId id : sim.running_on(HostId(h)))
        if (const auto running = sim.activity(id); running->work.valid() && server < first_server_[h + 1]) {
          servers_[server].running = {id, running->work, {}};
          place(running->work) = {server++};
        }
    }
    for (std::size_t c = 0; c < channels_.size(); ++c) {
      const ResourceId link = ResourceId::of(view.platform()[ClusterId(c)].link);
      for (const ActivityId id : sim.queued_on(link)) sim.withdraw(id);
      fetch_stranded(sim, ClusterId(c));
    }
    for (std::size_t w = 0; w < view.works().size(); ++w) enter(sim, WorkId(w));
  }

  void lost(Sim& sim, const Event& event) {
    if (event.transfer || !event.work.valid()) return;
    forget_outputs(event.work);
    if (event.why != Reason::cancelled) enter(sim, event.work);
  }

  void forget_outputs(WorkId work) {
    for (Channel& channel : channels_)
      std::erase_if(channel.queue, [&](const Sending& each) { return each.work == work; });
  }

  // What is over is not running; what is queued on hosts that are down, or was settled by somebody else, is
  // not queued; transfers that were cut are to be made again.
  void take_back(Sim& sim) {
    const View& view = sim.view();
    for (std::uint32_t s = 0; s < servers_.size(); ++s) {
      Server& server = servers_[s];
      if (server.running.work.valid() && !sim.activity(server.running.id)) server.running = {};
      std::erase_if(server.queue, [&](const Queued& each) {
        const bool waits = view[each.work].state == WorkState::waiting;
        if (waits && view[server.host].up) return false;
        forget_outputs(each.work);
        if (waits) enter(sim, each.work);
        return true;
      });
    }
    for (std::size_t c = 0; c < channels_.size(); ++c) {
      Channel& channel = channels_[c];
      const Activity was = channel.sending;
      if (!was.file.valid() || sim.activity(was.id)) continue;
      channel.sending = {};
      const ClusterId cluster(c);
      // Cut, while its cluster stays: first again.
      const bool wanted = was.work.valid()
                              ? view[was.work].state == WorkState::computed && !sim.at_home(was.file) &&
                                    sim.in_store(was.file, cluster)
                              : !sim.in_store(was.file, cluster) && is_needed(sim, was.file, cluster);
      if (wanted) channel.queue.insert(channel.queue.begin(), {was.file, was.work, sim.now()});
    }
  }

  bool is_needed(const Sim& sim, FileId file, ClusterId cluster) const {
    for (std::uint32_t s = 0; s < servers_.size(); ++s)
      if (cluster_of(sim, s) == cluster)
        for (const Queued& each : servers_[s].queue)
          if (std::ranges::find(sim.view().workload().inputs(each.work), file) !=
              sim.view().workload().inputs(each.work).end())
            return true;
    return false;
  }

  // Outputs that waited for their cluster to come back go first.
  void fetch_stranded(Sim& sim, ClusterId cluster) {
    const View& view = sim.view();
    std::vector<Sending> first;
    for (std::size_t w = 0; w < view.works().size(); ++w) {
      const WorkId work(w);
      if (view[work].state != WorkState::computed) continue;
      for (const FileId file : view.workload().outputs(work))
        if (sim.in_store(file, cluster) && !sim.at_home(file)) first.push_back({file, work, sim.now()});
    }
    auto& queue = channels_[cluster.index].queue;
    queue.insert(queue.begin(), first.begin(), first.end());
  }

  // Figure 10: starts what can start; whether an idle host asks for a plan.
  bool serve(Sim& sim) {
    const View& view = sim.view();
    bool idle = false;
    for (std::uint32_t s = 0; s < servers_.size(); ++s) {
      if (!is_idle(sim, s)) continue;
      Server& server = servers_[s];
      if (!server.queue.empty()) {
        if (has_inputs(sim, server.queue.front().work, cluster_of(sim, s))) {
          start(sim, server.queue.front().work, s);
          server.queue.erase(server.queue.begin());
        }
      } else if (!(settings_.steal && steal(sim, s)) && !plan_) {
        idle = idle || asks_for_plan();
      }
    }
    for (std::size_t c = 0; c < channels_.size(); ++c) {
      Channel& channel = channels_[c];
      const ClusterId cluster(c);
      if (channel.sending.file.valid() || !view.links()[view.platform()[cluster].link.index].up) continue;
      for (std::size_t i = 0; i < channel.queue.size();) {
        const Sending entry = channel.queue[i];
        if (entry.home() && view[entry.work].state != WorkState::computed) {
          if (stops_at(sim, entry)) break;
          ++i;
          continue;
        }
        channel.queue.erase(channel.queue.begin() + static_cast<std::ptrdiff_t>(i));
        if (!is_to_send(sim, entry, cluster)) continue;
        Posting posting;
        posting.kind = entry.home() ? ActivityKind::transfer_out : ActivityKind::transfer_in;
        posting.file = entry.file;
        posting.cluster = cluster;
        channel.sending = {sim.post(posting), entry.work, entry.file};
        break;
      }
    }
    return idle;
  }

  // Nobody has seen to it meanwhile.
  static bool is_to_send(const Sim& sim, const Sending& entry, ClusterId cluster) {
    if (!entry.home()) return !sim.in_store(entry.file, cluster) && !sim.in_transfer(entry.file, cluster);
    return sim.in_store(entry.file, cluster) && !sim.at_home(entry.file) &&
           !sim.in_transfer_home(entry.file, cluster);
  }

  bool asks_for_plan() const {
    switch (settings_.idle_replan) {
      case IdleReplan::pool:
        return !pool_.empty();
      case IdleReplan::always:
        return !pool_.empty() ||
               std::ranges::any_of(servers_, [](const Server& each) { return !each.queue.empty(); });
      case IdleReplan::never:
        break;
    }
    return false;
  }

  // Whether the link waits for an output that is not there yet.
  bool stops_at(Sim& sim, const Sending& entry) const {
    switch (settings_.links) {
      case LinkPolicy::greedy:
        return false;
      case LinkPolicy::strict:
        return true;
      case LinkPolicy::hybrid:
        break;
    }
    const Place& at = works_[entry.work.index];
    if (at.server == kNowhere || servers_[at.server].running.work != entry.work) return false;
    return end_of_running(sim, servers_[at.server].running) <= sim.now() + settings_.patience;
  }

  static bool has_inputs(const Sim& sim, WorkId work, ClusterId cluster) {
    return std::ranges::all_of(sim.view().workload().inputs(work),
                               [&](FileId file) { return sim.in_store(file, cluster); });
  }

  void start(Sim& sim, WorkId work, std::uint32_t server) {
    place(work) = {server};
    servers_[server].running = {sim.start(work, servers_[server].host), work, {}};
  }

  // From the longest queue of its cluster, the first task whose inputs are there.
  bool steal(Sim& sim, std::uint32_t thief) {
    std::vector<std::uint32_t> victims;
    for (std::uint32_t s = 0; s < servers_.size(); ++s)
      if (cluster_of(sim, s) == cluster_of(sim, thief) && !servers_[s].queue.empty()) victims.push_back(s);
    std::ranges::stable_sort(victims, std::greater{},
                             [&](std::uint32_t s) { return servers_[s].queue.size(); });
    for (const std::uint32_t victim : victims) {
      auto& queue = servers_[victim].queue;
      for (auto each = queue.begin(); each != queue.end(); ++each) {
        const WorkId work = each->work;
        if (!has_inputs(sim, work, cluster_of(sim, thief)) || !sim.fits(work, servers_[thief].host)) continue;
        start(sim, work, thief);
        queue.erase(each);
        const double values[] = {static_cast<double>(servers_[thief].host.index),
                                 static_cast<double>(servers_[victim].host.index),
                                 static_cast<double>(work.index)};
        sim.note("steal", values);
        return true;
      }
    }
    return false;
  }

  Time end_of_running(Sim& sim, const Activity& activity) const {
    const Time end = sim.estimate().end_of(sim, activity.id);
    return end > sim.now() ? end : sim.now() + settings_.overdue;
  }

  void plan_now(Sim& sim) {
    if (request_ == PlanCause::none) return;
    if (plan_) {
      pending_ = request_;
      return;
    }
    make_plan(sim, request_);
    request_ = PlanCause::none;
    if (plan_ && settings_.planning_time > 0) {
      sim.think(settings_.planning_time);
    } else if (plan_) {
      merge(sim);
    }
    serve(sim);
  }

  class Drawing;  // a plan in the making
  void make_plan(Sim& sim, PlanCause cause);
  void truncate(Sim& sim);
  void measure_deviation(Sim& sim);
  std::vector<WorkId> chosen_tasks(Sim& sim);
  void merge(Sim& sim);

  Settings settings_;
  ClonePtr<ChartRule> rule_;
  std::vector<Server> servers_;
  std::vector<std::uint32_t> first_server_;  // per host, and the number of all
  std::vector<Channel> channels_;            // per cluster
  std::vector<Place> works_;
  std::vector<WorkId> pool_;  // ascending
  Seconds interval_ = 0, margin_ = 0;
  TimerId timer_;
  bool has_prediction_ = false;
  PlanCause request_ = PlanCause::none, pending_ = PlanCause::none;
  std::optional<Plan> plan_;
};

// A chart of what is under way, then of what hosts keep, then of new tasks.
class Planner::Drawing {
 public:
  Drawing(Planner& planner, Sim& sim, std::vector<WorkId> tasks)
      : planner_(planner), sim_(sim), view_(sim.view()), tasks_(std::move(tasks)) {
    state_problem();
    chart_.emplace(problem_, sim.now());
    draw_present();
  }

  // What will start by then, on each resource, is remembered as a prediction.
  void plan(Plan& out, std::size_t first_new, Time horizon) {
    const Settings& settings = planner_.settings_;
    chart_->set_floor(sim_.now() + settings.planning_time);
    std::vector<std::uint32_t> fresh(tasks_.size() - first_new);
    std::iota(fresh.begin(), fresh.end(), static_cast<std::uint32_t>(first_new));
    ChartView waiting(*chart_, std::move(fresh));
    std::size_t up = 0;
    for (const std::uint32_t cluster : problem_.cluster) up += cluster != ChartProblem::kAway ? 1 : 0;
    std::size_t most = tasks_.size();
    if (settings.count > 0)
      most = static_cast<std::size_t>(std::ceil(settings.count * static_cast<double>(up) - 1e-9));
    for (std::size_t assigned = 0; assigned < most && !waiting.waiting().empty(); ++assigned) {
      if (settings.to_horizon && all_planned_beyond(horizon)) break;
      const auto [task, server] = settings.random < 0 ? choose(waiting, *planner_.rule_) : draw(waiting);
      if (task == BestInCluster::kNone) break;
      add(out, waiting.place(task, server));
    }
  }

  void predict(Time at) {
    planner_.has_prediction_ = at < kNever;
    for (Server& server : planner_.servers_) server.predicted = {};
    for (Channel& channel : planner_.channels_) channel.predicted = {};
    if (!planner_.has_prediction_) return;
    const auto covers = [at](const Slot& slot) { return slot.start <= at && at < slot.end; };
    for (const auto& [server, work, slot] : computations_)
      if (covers(slot)) planner_.servers_[server].predicted = work;
    for (const auto& [cluster, file, home, slot] : transfers_)
      if (covers(slot)) {
        planner_.channels_[cluster].predicted = file;
        planner_.channels_[cluster].predicted_home = home;
      }
  }

 private:
  struct Computing {
    std::uint32_t server;
    WorkId work;
    Slot slot;
  };
  struct Moving {
    std::uint32_t cluster;
    FileId file;
    bool home;
    Slot slot;
  };

  std::uint32_t number(FileId file) {
    std::uint32_t& known = numbers_[file.index];
    if (known == kNowhere) {
      known = static_cast<std::uint32_t>(files_.size());
      files_.push_back(file);
    }
    return known;
  }

  void state_problem() {
    const Workload& workload = view_.workload();
    numbers_.assign(workload.files.size(), kNowhere);
    problem_.clusters = planner_.channels_.size();
    for (const Server& server : planner_.servers_)
      problem_.cluster.push_back(view_[server.host].up ? view_[server.host].cluster.index
                                                       : ChartProblem::kAway);
    count_uses();
    std::vector<std::pair<std::size_t, std::size_t>> ends;
    std::vector<FileId> sorted;
    for (const WorkId task : tasks_) {
      const auto inputs = workload.inputs(task), outputs = workload.outputs(task);
      sorted.assign(inputs.begin(), inputs.end());
      sort_inputs(sorted);
      for (const FileId file : sorted) listed_.push_back(number(file));
      const std::size_t between = listed_.size();
      if (planner_.settings_.with_outputs)
        for (const FileId file : outputs) listed_.push_back(number(file));
      ends.emplace_back(between, listed_.size());
    }
    std::size_t first = 0;
    for (const auto& [between, end] : ends) {
      problem_.inputs.push_back(std::span(listed_).subspan(first, between - first));
      problem_.outputs.push_back(std::span(listed_).subspan(between, end - between));
      first = end;
    }
    add_present_files();
    problem_.files = files_.size();
    measure_times();
  }

  // Files that are under way, or that computations under way will make.
  void add_present_files() {
    for (const Channel& channel : planner_.channels_) {
      if (channel.sending.file.valid()) number(channel.sending.file);
      for (const Sending& each : channel.queue) number(each.file);
    }
    for (const Server& server : planner_.servers_)
      if (server.running.work.valid())
        for (const FileId file : view_.workload().outputs(server.running.work)) number(file);
  }

  void measure_times() {
    const std::size_t servers = planner_.servers_.size(), clusters = problem_.clusters;
    Estimator& estimator = sim_.estimate();
    constexpr double kDepends = std::numeric_limits<double>::quiet_NaN();
    problem_.time.resize(tasks_.size() * servers);
    for (std::size_t s = 0; s < servers; ++s) {
      const HostId host = planner_.servers_[s].host;
      const bool same = s > 0 && planner_.servers_[s - 1].host == host,
                 steady = estimator.is_steady(sim_, host);
      for (std::size_t t = 0; t < tasks_.size(); ++t) {
        Seconds& time = problem_.time[t * servers + s];
        if (same)
          time = problem_.time[t * servers + s - 1];
        else if (problem_.cluster[s] == ChartProblem::kAway)
          time = kNever;
        else
          time = steady ? estimator.duration(sim_, {tasks_[t], 0, 1}, host) : kDepends;
      }
    }
    problem_.transfer.resize(files_.size() * clusters);
    for (std::size_t c = 0; c < clusters; ++c) {
      const ClusterId cluster(c);
      const bool steady = estimator.is_steady(sim_, cluster);
      for (std::size_t f = 0; f < files_.size(); ++f)
        problem_.transfer[f * clusters + c] =
            steady ? estimator.end_of(sim_, files_[f], cluster, sim_.now()) - sim_.now() : kDepends;
    }
    problem_.task_end = [this](std::size_t task, std::size_t server, Time start) {
      return sim_.estimate().end_of(sim_, Piece{tasks_[task], 0, 1}, planner_.servers_[server].host, start);
    };
    problem_.transfer_end = [this](std::size_t file, std::size_t cluster, Time start) {
      return sim_.estimate().end_of(sim_, files_[file], ClusterId(cluster), start);
    };
  }

  // How many tasks that wait need each file.
  void count_uses() {
    const Workload& workload = view_.workload();
    uses_.assign(workload.files.size(), 0);
    const auto count = [&](WorkId work) {
      for (const FileId file : workload.inputs(work)) ++uses_[file.index];
    };
    for (const WorkId work : planner_.pool_) count(work);
    for (const Server& server : planner_.servers_)
      for (const Queued& each : server.queue) count(each.work);
  }

  void sort_inputs(std::vector<FileId>& files) const {
    const auto size = [&](FileId file) { return view_.workload().files[file.index].estimate; };
    const auto by = [&](auto&& key) {
      std::ranges::sort(files, {}, [&](FileId file) { return std::tuple(key(file), file.index); });
    };
    switch (planner_.settings_.order) {
      case FileOrder::usage:
        return by([&](FileId file) { return -static_cast<std::int64_t>(uses_[file.index]); });
      case FileOrder::largest:
        return by([&](FileId file) { return -size(file); });
      case FileOrder::smallest:
        return by(size);
      case FileOrder::listed:
        return;
    }
  }

  // What cannot change, and then what the hosts keep.
  void draw_present() {
    for (std::size_t c = 0; c < problem_.clusters; ++c)
      for (std::size_t f = 0; f < files_.size(); ++f)
        if (sim_.in_store(files_[f], ClusterId(c))) chart_->has_file(f, c, sim_.now());
    for (std::uint32_t c = 0; c < planner_.channels_.size(); ++c) {
      const Activity& sending = planner_.channels_[c].sending;
      if (!sending.file.valid()) continue;
      const Time end = planner_.end_of_running(sim_, sending);
      chart_->occupy_link(c, end);
      transfers_.push_back({c, sending.file, sending.work.valid(), {sim_.now(), end}});
      if (!sending.work.valid()) chart_->has_file(numbers_[sending.file.index], c, end);
    }
    std::vector<std::pair<Time, std::uint32_t>> running;
    for (std::uint32_t s = 0; s < planner_.servers_.size(); ++s) {
      const Activity& computing = planner_.servers_[s].running;
      if (!computing.work.valid()) continue;
      const Time end = planner_.end_of_running(sim_, computing);
      chart_->occupy_host(s, end);
      computations_.push_back({s, computing.work, {sim_.now(), end}});
      running.emplace_back(end, s);
    }
    for (std::uint32_t c = 0; c < planner_.channels_.size(); ++c)
      for (Sending& each : planner_.channels_[c].queue)
        if (each.home() && view_[each.work].state == WorkState::computed)
          each.start = send_home(c, each.file, sim_.now());
    std::ranges::sort(running);
    for (const auto& [end, s] : running) {
      const std::uint32_t cluster = view_[planner_.servers_[s].host].cluster.index;
      const WorkId work = planner_.servers_[s].running.work;
      for (const FileId file : view_.workload().outputs(work)) {
        const Time start = send_home(cluster, file, end);
        for (Sending& each : planner_.channels_[cluster].queue)
          if (each.work == work && each.file == file) each.start = start;
      }
    }
    draw_kept();
  }

  Time send_home(std::uint32_t cluster, FileId file, Time ready) {
    const ChartTransfer sent = chart_->send_home(numbers_[file.index], cluster, ready);
    transfers_.push_back({cluster, file, true, sent.slot});
    return sent.slot.start;
  }

  void draw_kept() {
    std::uint32_t task = 0;  // kept ones come first, in this order
    for (std::size_t at = 0; at < planner_.settings_.keep; ++at)
      for (std::uint32_t s = 0; s < planner_.servers_.size(); ++s) {
        auto& queue = planner_.servers_[s].queue;
        if (at >= queue.size()) continue;
        const ChartTask placed = chart_->place(task++, s);
        queue[at].start = placed.slot.start;
        note(placed);
        for (const ChartTransfer& each : placed.transfers)
          for (Sending& entry : planner_.channels_[each.cluster].queue)
            if (entry.file == files_[each.file] && entry.home() == each.home) entry.start = each.slot.start;
      }
  }

  void note(const ChartTask& placed) {
    computations_.push_back({placed.host, tasks_[placed.task], placed.slot});
    for (const ChartTransfer& each : placed.transfers)
      transfers_.push_back({each.cluster, files_[each.file], each.home, each.slot});
  }

  void add(Plan& out, const ChartTask& placed) {
    note(placed);
    const WorkId work = tasks_[placed.task];
    out.tasks.push_back({placed.host, {work, placed.slot.start}});
    for (const ChartTransfer& each : placed.transfers)
      out.transfers.push_back(
          {each.cluster, {files_[each.file], each.home ? work : WorkId{}, each.slot.start}});
    if (!planner_.settings_.with_outputs)
      for (const FileId file : view_.workload().outputs(work))
        out.transfers.push_back({problem_.cluster[placed.host], {file, work, placed.slot.end}});
  }

  bool all_planned_beyond(Time horizon) {
    if (horizon == kNever) return false;
    beyond_.assign(planner_.servers_.size(), 0);
    for (const Computing& each : computations_)
      if (each.slot.start > horizon) beyond_[each.server] = 1;
    for (std::size_t s = 0; s < beyond_.size(); ++s)
      if (problem_.cluster[s] != ChartProblem::kAway && beyond_[s] == 0) return false;
    return true;
  }

  // A task and a host among those that are nearly as good as the best: one draw for the host of each task, in
  // order, then one for the task.
  std::pair<std::uint32_t, std::uint32_t> draw(const ChartView& waiting) {
    Stream& stream = sim_.stream("planner");
    const double eps = planner_.settings_.random;
    std::vector<std::uint32_t> tasks, hosts, open;
    std::vector<ChartRule::Key> keys;
    for (const std::uint32_t task : waiting.waiting()) {
      if (waiting.best_host(task) == BestInCluster::kNone) continue;
      const ChartCandidate candidate = waiting.candidate(task);
      open.clear();
      for (std::uint32_t s = 0; s < planner_.servers_.size(); ++s)
        if (!clearly_less(candidate.best * (1 + eps), chart_->completion(task, s).complete))
          open.push_back(s);
      tasks.push_back(task);
      hosts.push_back(open[stream.below(open.size())]);
      keys.push_back(planner_.rule_->key(candidate));
    }
    if (tasks.empty()) return {BestInCluster::kNone, BestInCluster::kNone};
    const bool largest = planner_.rule_->largest_first();
    double best = keys.front().first;
    for (const ChartRule::Key& key : keys)
      best = largest ? std::max(best, key.first) : std::min(best, key.first);
    open.clear();
    const double allowed = std::max(eps, kChartTolerance) * std::max(1.0, std::abs(best));
    for (std::uint32_t i = 0; i < tasks.size(); ++i)
      if (std::abs(keys[i].first - best) <= allowed) open.push_back(i);
    const std::uint32_t chosen = open[stream.below(open.size())];
    return {tasks[chosen], hosts[chosen]};
  }

  Planner& planner_;
  Sim& sim_;
  const View& view_;
  std::vector<WorkId> tasks_;
  std::vector<FileId> files_;
  std::vector<std::uint32_t> numbers_, listed_, uses_;
  ChartProblem problem_;
  std::optional<Chart> chart_;
  std::vector<Computing> computations_;
  std::vector<Moving> transfers_;
  std::vector<std::uint8_t> beyond_;
};

void Planner::make_plan(Sim& sim, PlanCause cause) {
  if (cause == PlanCause::timer) measure_deviation(sim);
  if (timer_.valid()) sim.cancel(timer_);
  timer_ = {};
  const Time next = sim.now() + interval_;
  if (next < kNever) timer_ = sim.timer(next);
  truncate(sim);
  std::vector<WorkId> tasks;  // kept ones first, position by position
  for (std::size_t at = 0; at < settings_.keep; ++at)
    for (const Server& server : servers_)
      if (at < server.queue.size()) tasks.push_back(server.queue[at].work);
  const std::size_t kept = tasks.size();
  for (const WorkId work : chosen_tasks(sim)) tasks.push_back(work);
  plan_.emplace();
  Drawing drawing(*this, sim, std::move(tasks));
  const Seconds margin = settings_.margin_policy == Margin::interval ? interval_ : margin_;
  drawing.plan(*plan_, kept, next + margin);
  drawing.predict(next);
  for (const Server& server : servers_) plan_->failures.push_back(server.failures);
  for (const Channel& channel : channels_) plan_->cluster_failures.push_back(channel.failures);
  const double values[] = {static_cast<double>(cause), static_cast<double>(plan_->tasks.size()), interval_};
  sim.note("plan", values);
}

// Queues keep their first works, and links what these need or what has been computed, or is being so.
void Planner::truncate(Sim& sim) {
  const View& view = sim.view();
  for (Server& server : servers_)
    while (server.queue.size() > settings_.keep) {
      const WorkId work = server.queue.back().work;
      server.queue.pop_back();
      forget_outputs(work);
      enter(sim, work);
    }
  for (std::size_t c = 0; c < channels_.size(); ++c)
    std::erase_if(channels_[c].queue, [&](const Sending& each) {
      if (each.home())
        return view[each.work].state != WorkState::computed && view[each.work].state != WorkState::running &&
               works_[each.work.index].server == kNowhere;
      return !is_needed(sim, each.file, ClusterId(c));
    });
}

std::vector<WorkId> Planner::chosen_tasks(Sim& sim) {
  const std::size_t most = settings_.subset_size;
  if (settings_.subset == Subset::all || most >= pool_.size()) return pool_;
  std::vector<WorkId> chosen = pool_;
  if (settings_.subset == Subset::random) {
    Stream& stream = sim.stream("planner");
    for (std::size_t i = 0; i < most; ++i) std::swap(chosen[i], chosen[i + stream.below(chosen.size() - i)]);
    chosen.resize(most);
  } else {
    chosen.clear();
    const Workload& workload = sim.view().workload();
    std::vector<std::uint8_t> taken(pool_.size(), 0);
    while (chosen.size() < most) {
      std::vector<double> weight(workload.files.size(), 0);
      for (std::size_t i = 0; i < pool_.size(); ++i)
        if (taken[i] == 0)
          for (const FileId file : workload.inputs(pool_[i]))
            weight[file.index] += workload.files[file.index].estimate;
      const auto heaviest = std::ranges::max_element(weight);
      const bool any = heaviest != weight.end() && *heaviest > 0;
      const FileId file(static_cast<std::size_t>(heaviest - weight.begin()));
      for (std::size_t i = 0; i < pool_.size() && chosen.size() < most; ++i) {
        const auto inputs = workload.inputs(pool_[i]);
        if (taken[i] != 0 || (any && std::ranges::find(inputs, file) == inputs.end())) continue;
        taken[i] = 1;
        chosen.push_back(pool_[i]);
      }
    }
  }
  std::ranges::sort(chosen);
  return chosen;
}

// How much of what the latest plan predicted for now is not so.
void Planner::measure_deviation(Sim& sim) {
  const bool adapts = settings_.strategy != Interval::constant || settings_.margin_policy == Margin::adaptive;
  if (!has_prediction_ || !adapts) return;
  double wrong = 0, all = 0;
  const auto count = [&](bool correct, double& weight) {
    const double counts = settings_.strategy == Interval::weighted ? weight : 1;
    all += counts;
    if (!correct) wrong += counts;
    weight = correct ? std::min(1.0, weight + kGrowWeight) : std::max(kLeastWeight, weight / 2);
  };
  for (Server& server : servers_)
    if (server.predicted.valid()) count(server.running.work == server.predicted, server.weight);
  for (Channel& channel : channels_)
    if (channel.predicted.valid())
      count(
          channel.sending.file == channel.predicted && channel.sending.work.valid() == channel.predicted_home,
          channel.weight);
  const double deviation = all > 0 ? wrong / all : 0;
  const bool low = deviation <= settings_.threshold;
  if (settings_.strategy != Interval::constant)
    interval_ = low ? std::min(settings_.max_interval, interval_ * settings_.grow)
                    : std::max(settings_.min_interval, interval_ * settings_.shrink);
  if (settings_.margin_policy == Margin::adaptive) margin_ *= low ? 0.9 : 2;
  const double values[] = {deviation, interval_, margin_};
  sim.note("deviation", values);
}

// The new entries join those that were kept, in the order of planned starts.
void Planner::merge(Sim& sim) {
  const View& view = sim.view();
  const auto gone = [&](std::uint32_t server) {
    const std::uint32_t first = first_server_[servers_[server].host.index];
    const std::uint32_t cluster = cluster_of(sim, server).index;
    return !is_up(sim, server) || servers_[first].failures != plan_->failures[first] ||
           channels_[cluster].failures != plan_->cluster_failures[cluster];
  };
  std::vector<WorkId> placed;
  for (const Planned& each : plan_->tasks) {
    if (gone(each.server) || view[each.entry.work].state != WorkState::waiting) continue;
    servers_[each.server].queue.push_back(each.entry);
    place(each.entry.work) = {each.server};
    placed.push_back(each.entry.work);
  }
  std::ranges::sort(placed);
  std::erase_if(pool_, [&](WorkId work) { return std::ranges::binary_search(placed, work); });
  for (const PlannedTransfer& each : plan_->transfers) {
    const ClusterId cluster(each.cluster);
    if (channels_[each.cluster].failures != plan_->cluster_failures[each.cluster]) continue;
    const Sending& entry = each.entry;
    if (entry.home() ? !std::ranges::binary_search(placed, entry.work)
                     : sim.in_store(entry.file, cluster) || !is_needed(sim, entry.file, cluster))
      continue;
    channels_[each.cluster].queue.push_back(entry);
  }
  for (Server& server : servers_) std::ranges::stable_sort(server.queue, {}, &Queued::start);
  for (Channel& channel : channels_) std::ranges::stable_sort(channel.queue, {}, &Sending::start);
  plan_.reset();
}

}  // namespace

Entry grid::planner() {
  Entry entry;
  entry.name = "planner";
  entry.family = Family::grid;
  entry.role = Role::policy;
  entry.summary =
      "plans tasks and file transfers on a Gantt chart; queues of hosts and links are served from it";
  entry.source = "Berman et al., LIP RR 1999-46, sections 5 and 7, Figures 5 and 10";
  entry.complexity = "O(T^2 H / C) completions a plan of T tasks on H hosts in C clusters";
  entry.ties = "lowest task, then the order of clusters and hosts; completions within 1e-9 are ties";
  const auto seconds = [](std::string name, std::string summary, double fallback, double min = 0) {
    return Parameter{.name = std::move(name),
                     .type = ParameterType::quantity,
                     .summary = std::move(summary),
                     .fallback = fallback,
                     .min = min,
                     .unit = Dimension::seconds};
  };
  const auto choice = [](std::string name, std::string summary, std::vector<std::string> choices) {
    return Parameter{.name = std::move(name),
                     .type = ParameterType::choice,
                     .summary = std::move(summary),
                     .fallback = choices.front(),
                     .choices = choices};
  };
  const auto number = [](std::string name, std::string summary, double fallback, double min, double max) {
    return Parameter{.name = std::move(name),
                     .type = ParameterType::number,
                     .summary = std::move(summary),
                     .fallback = fallback,
                     .min = min,
                     .max = max};
  };
  const auto flag = [](std::string name, std::string summary) {
    return Parameter{.name = std::move(name),
                     .type = ParameterType::boolean,
                     .summary = std::move(summary),
                     .fallback = false};
  };
  const auto count = [](std::string name, std::string summary, double fallback, double min) {
    return Parameter{.name = std::move(name),
                     .type = ParameterType::integer,
                     .summary = std::move(summary),
                     .fallback = fallback,
                     .min = min};
  };
  Parameter map{
      .name = "map",
      .type = ParameterType::mapper,
      .summary = "which task goes first, each to the host that completes it first",
      .fallback = std::string("extended_sufferage"),
      .choices = {"min_min", "max_min", "sufferage", "extended_sufferage", "sufferage_2", "xsufferage"}};
  Parameter random = number("random",
                            "tasks and hosts are drawn among those that are this near to the best, relative "
                            "(the randomised heuristics H5 to H8)",
                            0, 0, 1);
  random.fallback = {};
  random.optional = true;
  entry.parameters = {
      map,
      choice(
          "links",
          "when the next in a link's queue is an output that has not been computed: greedy: what is behind "
          "it is sent; strict: the link waits; hybrid: it waits if that will be within `patience`",
          {"greedy", "strict", "hybrid"}),
      seconds("patience", "of hybrid links", 10),
      flag("steal", "an idle host takes ready tasks from the queues of its cluster"),
      count("keep", "tasks that each host keeps in its queue when a new plan is made", 0, 0),
      seconds("planning_time", "that a plan takes", 0),
      choice(
          "strategy",
          "the interval between plans: constant; deviation: it grows while plans come true and shrinks when "
          "they do not; weighted: the same, and resources that did not count less",
          {"constant", "deviation", "weighted"}),
      seconds("interval", "between plans, the first one where it changes", kNever),
      seconds("min_interval", "of a changing interval", 5),
      seconds("max_interval", "of a changing interval", kNever),
      number("threshold", "the share of wrong predictions up to which a plan has come true", 0.25, 0, 1),
      number("grow", "factor of the interval when a plan has come true", 1.1, 1, kNever),
      number("shrink", "factor of the interval when it has not", 0.5, 0, 1),
      choice(
          "margin_policy",
          "how far a plan goes beyond the next one: constant; interval: as long again; adaptive: `margin`, "
          "which shrinks while plans come true and doubles when they do not",
          {"constant", "interval", "adaptive"}),
      seconds("margin", "how far a plan goes beyond the next one", 0),
      choice(
          "stop",
          "a plan ends when each host has a task beyond the next plan and margin; never: when all tasks are "
          "planned",
          {"horizon", "never"}),
      number("count", "a plan ends after so many tasks for each host, at the latest; 0: no such end", 0, 0,
             kNever),
      choice("replan", "which changes of hosts make a plan at once", {"add", "none", "remove", "both"}),
      choice(
          "idle_replan",
          "an idle host with an empty queue asks for a plan when there is a task in no queue; always: or in "
          "any queue",
          {"pool", "always", "never"}),
      choice("completion", "of a task: when its outputs are at home, or when it has been computed",
             {"output", "compute"}),
      choice("order",
             "in which the files of a task are sent: those that most tasks need first, as listed, or by size",
             {"usage", "listed", "largest", "smallest"}),
      choice("subset", "which tasks a plan is made of: all, or `subset_size` at random or that share files",
             {"all", "random", "affinity"}),
      count("subset_size", "of the tasks a plan is made of", 100, 1),
      seconds("overdue", "from now, the end of what should have ended already", 10),
      random,
  };
  entry.accepts = {.tasks = true, .files = true};
  entry.instants = {.tolerance = 1e-9};
  entry.check = [](const Arguments& given) {
    const ConfigPtr chosen = given.parts("map").front();
    if (!chosen->entry->make_chart_rule)
      fail("bad_parameter", "planner: map: {} is not the native one, which can choose on a Gantt chart",
           chosen->entry->name);
    if (given.number("interval") <= 0)
      fail("bad_parameter", "planner: interval must be > 0, got {}", format_number(given.number("interval")));
  };
  entry.make_policy = [](const Arguments& given) -> std::unique_ptr<Policy> {
    const std::string &links = given.choice("links"), &strategy = given.choice("strategy"),
                      &margin = given.choice("margin_policy"), &replan = given.choice("replan"),
                      &idle = given.choice("idle_replan"), &order = given.choice("order"),
                      &subset = given.choice("subset");
    const Settings settings{.links = links == "strict"   ? LinkPolicy::strict
                                     : links == "hybrid" ? LinkPolicy::hybrid
                                                         : LinkPolicy::greedy,
                            .patience = given.number("patience"),
                            .steal = given.flag("steal"),
                            .keep = static_cast<std::size_t>(given.number("keep")),
                            .planning_time = given.number("planning_time"),
                            .strategy = strategy == "deviation"  ? Interval::deviation
                                        : strategy == "weighted" ? Interval::weighted
                                                                 : Interval::constant,
                            .interval = given.number("interval"),
                            .min_interval = given.number("min_interval"),
                            .max_interval = given.number("max_interval"),
                            .threshold = given.number("threshold"),
                            .grow = given.number("grow"),
                            .shrink = given.number("shrink"),
                            .margin_policy = margin == "interval"   ? Margin::interval
                                             : margin == "adaptive" ? Margin::adaptive
                                                                    : Margin::constant,
                            .margin = given.number("margin"),
                            .to_horizon = given.choice("stop") == "horizon",
                            .count = given.number("count"),
                            .replan_on_add = replan == "add" || replan == "both",
                            .replan_on_remove = replan == "remove" || replan == "both",
                            .idle_replan = idle == "always"  ? IdleReplan::always
                                           : idle == "never" ? IdleReplan::never
                                                             : IdleReplan::pool,
                            .with_outputs = given.choice("completion") == "output",
                            .order = order == "listed"     ? FileOrder::listed
                                     : order == "largest"  ? FileOrder::largest
                                     : order == "smallest" ? FileOrder::smallest
                                                           : FileOrder::usage,
                            .subset = subset == "random"     ? Subset::random
                                      : subset == "affinity" ? Subset::affinity
                                                             : Subset::all,
                            .subset_size = static_cast<std::size_t>(given.number("subset_size")),
                            .overdue = given.number("overdue"),
                            .random = given.has("random") ? given.number("random") : -1};
    const ConfigPtr chosen = given.parts("map").front();
    return std::make_unique<Planner>(settings, chosen->entry->make_chart_rule(Arguments(*chosen)));
  };
  return entry;
}

}  // namespace perigee
