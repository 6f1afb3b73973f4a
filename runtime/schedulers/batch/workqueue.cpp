// Workqueue: an idle host takes the next piece of work that it can run, in order of arrival; no estimates.
//
// This is self-scheduling; chunks are those of Kruskal and Weiss. Input files of the chosen work are sent
// to the host's cluster. Outputs are sent home when the computation ends. The data of a package of runs is
// sent before the package. order = "cores" serves idle hosts as Sim-PETEK (2010) does: more cores first,
// then more runs a second in the last package. Cost: O(W) an assignment of work that can run on any host,
// with W different widths. Ties: lowest host, earliest arrival.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "runtime/engine/sim.h"
#include "runtime/engine/why.h"
#include "runtime/kernel/index_set.h"
#include "runtime/schedulers/batch/arrival_queue.h"
#include "runtime/schedulers/catalogue.h"
#include "runtime/schedulers/files.h"

namespace perigee::batch {
namespace {

class Workqueue final : public PolicyOf<Workqueue> {
 public:
  Workqueue(double chunk, bool by_cores) : chunk_(chunk), by_cores_(by_cores) {}

  void begin(Sim& sim) override {
    const View& view = sim.view();
    files_ = false;
    seen_ = 0;
    look_for_files(view.workload());
    waiting_.reset(sim);
    measured_.assign(by_cores_ ? view.hosts().size() : 0, {});
    idle_.reset(view.hosts().size());
    only_ = {};
    owes_outputs_ = files_ && !fetch_all_outputs(sim);
    for (std::size_t h = 0; h < view.hosts().size(); ++h) {
      if (files_ && !view.hosts()[h].up) take_back(sim, HostId(h));  // of the policy before
      offer(view, HostId(h));
    }
    deal(sim);
  }

  void react(Sim& sim, std::span<const Event> events) override {
    const View& view = sim.view();
    look_for_files(view.workload());
    for (const Event& event : events) switch (event.kind) {
        case EventKind::arrived:
          waiting_.add(view, event.work);
          break;
        case EventKind::lost:
          if (event.transfer) {
            if (files_) resend(sim, event);
          } else if (event.work.valid() && event.why != Reason::cancelled) {
            again(view, event.work);
          }
          offer(view, event.on.host());
          break;
        case EventKind::ended:
          if (by_cores_ && !event.transfer) measure(event);
          if (files_ && !event.transfer && !event.finishes) fetch(sim, event.work, event.on.host());
          offer(view, event.on.host());
          break;
        case EventKind::up:
        case EventKind::superseded:
          if (event.why == Reason::recovered) fetch_outputs(sim, event.work);
          if (owes_outputs_) owes_outputs_ = !fetch_all_outputs(sim);
          offer(view, event.on.host());
          break;
        case EventKind::down:
          if (files_ && event.on.host().valid()) take_back(sim, event.on.host());
          break;
        default:
          break;
      }
    if (files_)
      for (const Event& event : events)
        if (event.kind == EventKind::down && event.on.store().valid()) forget_inputs(sim, event.on.store());
    deal(sim);
  }

  void why(Sim& sim, WorkId work, Decision& out) override {
    const View& view = sim.view();
    out.rule = "an idle host, the lowest first, takes the first work in order of arrival that it can run";
    out.works = {.score = "arrival, s", .better = Prefer::smallest, .ties = "order of input"};
    ArrivalQueue queue;
    queue.reset(sim);
    for (const WorkId other : queue.all()) {
      Comparison::Candidate candidate{.index = other.index, .score = view.workload()[other].arrival};
      if (out.host.valid() && other != work && !can_take(sim, out.host, other)) {
        candidate.open = false;
        candidate.note = fmt::format("{} cannot take it", view.platform()[out.host].name);
      }
      out.works.candidates.push_back(std::move(candidate));
    }
    if (by_cores_) {
      out.rule =
          "an idle host, that with the most cores first, takes "
          "the first work in order of arrival that it can run";
      out.hosts = {.score = "cores", .better = Prefer::largest, .ties = "runs/s of the last package, order"};
    } else {
      out.hosts = {.score = "order of hosts", .better = Prefer::smallest};
    }
    for (std::size_t h = 0; h < view.hosts().size(); ++h)
      if (has_room(view.hosts()[h]) && can_take(sim, HostId(h), work))
        out.hosts.candidates.push_back(
            {.index = static_cast<std::uint32_t>(h),
             .score = by_cores_ ? view.platform()[HostId(h)].cores : static_cast<double>(h) + 1});
  }

 private:
  void offer(const View& view, HostId host) {
    if (!host.valid() || view[host].idle == 0) return;
    if (idle_.empty() && (!only_.valid() || only_ == host)) {
      only_ = host;
      return;
    }
    if (only_.valid()) idle_.insert(std::exchange(only_, {}).index);
    idle_.insert(host.index);
  }

  // Lost work goes back to its place by arrival.
  void again(const View& view, WorkId work) {
    const auto state = view[work].state;
    if (state == WorkState::waiting || state == WorkState::running) waiting_.put_back(view, work);
  }

  void deal(Sim& sim) {
    if (waiting_.empty()) return;
    if (only_.valid()) {
      const HostId host = std::exchange(only_, {});
      if (serve(sim, host)) idle_.insert(host.index);
      return;
    }
    if (idle_.empty()) return;
    const View& view = sim.view();
    const std::size_t hosts = view.hosts().size();
    if (!by_cores_) {
      for (std::size_t h = idle_.next(0); h < hosts; h = idle_.next(h + 1)) {
        if (!serve(sim, HostId(h))) idle_.erase(h);
        if (waiting_.empty() || idle_.empty()) return;
      }
      return;
    }
    in_order_.clear();
    for (std::size_t h = idle_.next(0); h < hosts; h = idle_.next(h + 1)) in_order_.emplace_back(h);
    std::ranges::sort(in_order_, [&](HostId a, HostId b) { return before(view, a.index, b.index); });
    for (std::size_t i = 0; i < in_order_.size() && !waiting_.empty(); ++i)
      if (!serve(sim, in_order_[i])) idle_.erase(in_order_[i].index);
  }

  // Gives it works as long as it has room for them. True if some is left.
  bool serve(Sim& sim, HostId host) {
    const View& view = sim.view();
    bool room;
    while ((room = has_room(view[host])) && !waiting_.empty() && give(sim, host)) {
    }
    return room;
  }

  // Idle cores beyond those that posted work will need.
  bool has_room(const HostView& host) const {
    return host.up && host.idle > (files_ ? static_cast<std::int32_t>(host.queued) : 0);
  }

  // Starts the first waiting work that the host can run; false when there is none.
  bool give(Sim& sim, HostId host) {
    const View& view = sim.view();
    const WidthQueues::Place next = waiting_.first(
        view, [&](WorkId work) { return is_wide_enough(view, host, work); },
        [&](WorkId work) { return can_take(sim, host, work); });
    if (!next.work.valid()) return false;
    const Work& declared = view.workload()[next.work];
    const bool whole = declared.kind != WorkKind::sweep;
    const Piece piece = whole ? Piece{next.work, 0, 1} : sim.next_piece(next.work, chunk_);
    if (piece.size > 0) {
      if (by_cores_) measured_[host.index].since = sim.now(), measured_[host.index].runs = piece.size;
      if (declared.kind == WorkKind::sweep && view.workload().extras[declared.extra].bytes > 0)
        send_runs(sim, piece, host);
      else if (declared.input_count == 0)
        sim.start(piece, host);
      else
        post_with_inputs(sim, piece.work, host);
    }
    if (whole || sim.undealt(next.work) == 0) waiting_.erase(next);
    return true;
  }

  static bool is_wide_enough(const View& view, HostId host, WorkId work) {
    const Work& declared = view.workload()[work];
    const std::int32_t width =
        declared.kind == WorkKind::sweep ? view.platform()[host].cores : declared.cores;
    return view[host].idle >= width;
  }
  static bool can_take(Sim& sim, HostId host, WorkId work) {
    const WorkState state = sim.view()[work].state;
    if (state != WorkState::waiting && state != WorkState::running) return false;  // see Reason::recovered
    if (!sim.fits(work, host)) return false;
    const Work& declared = sim.view().workload()[work];
    return declared.kind == WorkKind::sweep ||
           (declared.form != TimeForm::by_host && declared.form != TimeForm::by_architecture) ||
           sim.estimate().end_of(sim, Piece{work, 0, 1}, host, sim.now()) < kNever;
  }

  // Whether something has to be at a host before a work can start. More works may have been submitted.
  void look_for_files(const Workload& workload) {
    if (workload.size() == seen_) return;
    seen_ = workload.size();
    files_ = !workload.file_lists.empty() ||
             std::ranges::any_of(workload.extras, [](const WorkExtra& extra) { return extra.bytes > 0; });
  }

  void measure(const Event& event) {
    Measured& host = measured_[event.on.host().index];
    if (event.at > host.since) host.power = host.runs / (event.at - host.since);
  }
  bool before(const View& view, std::uint32_t a, std::uint32_t b) const {
    const std::int32_t x = view.platform()[HostId(a)].cores, y = view.platform()[HostId(b)].cores;
    if (x != y) return x > y;
    const auto rounded = [this](std::uint32_t host) { return std::round(measured_[host].power * 1e9); };
    const double p = rounded(a), q = rounded(b);
    return p != q ? p > q : a < b;
  }

  static void send_runs(Sim& sim, const Piece& piece, HostId host) {
    Posting posting;
    posting.kind = ActivityKind::chunk;
    posting.piece = piece;
    posting.host = host;
    posting.after = sim.post(posting);
    posting.kind = ActivityKind::compute;
    sim.post(posting);
  }

  void fetch(Sim& sim, WorkId work, HostId host) {
    if (sim.view()[work].state == WorkState::computed) fetch_outputs(sim, work, sim.view()[host].cluster);
  }

  // A transfer was cut. Any work posted in the cluster still needs its file.
  void resend(Sim& sim, const Event& event) {
    if (event.on.kind() != ResourceKind::link) return;
    const View& view = sim.view();
    for (std::size_t c = 0; c < view.platform().clusters().size(); ++c) {
      const ClusterId cluster(c);
      if (view.platform()[cluster].link != event.on.link()) continue;
      if (event.work.valid()) {  // an output
        if (view[event.work].state == WorkState::computed &&
            std::ranges::any_of(view.workload().outputs(event.work),
                                [&](FileId file) { return sim.in_store(file, cluster); }))
          fetch_outputs(sim, event.work, cluster);
        continue;
      }
      for (std::size_t h = 0; h < view.hosts().size(); ++h)
        if (view.hosts()[h].cluster == cluster) supply(sim, HostId(h));
    }
  }

  // Sends the inputs of works posted on the host to the cluster where it is now.
  void supply(Sim& sim, HostId host) {
    for (const ActivityId id : sim.queued_on(ResourceId::of(host)))
      send_inputs(sim, sim.activity(id)->work, sim.view()[host].cluster);
  }

  // Takes back works posted on a host that is away, and packages of runs whose data has not come to it. Files
  // stay in the link's queue, as the next work in the cluster may need them.
  void take_back(Sim& sim, HostId host) {
    const View& view = sim.view();
    for (const ActivityId id : sim.queued_on(ResourceId::of(host))) {
      const WorkId work = sim.activity(id)->work;
      sim.withdraw(id);
      again(view, work);
    }
    for (const ActivityId id : sim.queued_on(ResourceId::of(view.platform()[view[host].cluster].link)))
      if (sim.activity(id)->host == host) sim.withdraw(id);
  }

  // The cluster has gone, so its queued inputs are no longer needed.
  static void forget_inputs(Sim& sim, ClusterId cluster) {
    for (const ActivityId id : sim.queued_on(ResourceId::of(sim.view().platform()[cluster].link)))
      if (sim.activity(id)->kind == ActivityKind::transfer_in) sim.withdraw(id);
  }

  struct Measured {
    Time since = 0;              // the last package began
    double runs = 0, power = 0;  // of it; runs/s of the last one that has ended
  };

  bool owes_outputs_ = false;  // the policy before has left some that cannot be fetched yet
  double chunk_;
  bool by_cores_;
  std::vector<Measured> measured_;  // per host, by cores only
  bool files_ = false;
  std::size_t seen_ = 0;  // works among which files were looked for
  WidthQueues waiting_;
  HostId only_;    // the only host that may have idle cores, most often there is no other; or none
  IndexSet idle_;  // otherwise all of them
  std::vector<HostId> in_order_;  // scratch, by cores only
};

}  // namespace

Entry workqueue() {
  Entry entry;
  entry.name = "workqueue";
  entry.family = Family::batch;
  entry.role = Role::policy;
  entry.summary = "an idle host takes the next piece of work that it can run";
  entry.source =
      "Berman et al., LIP RR 1999-46, section 5.2.1 (H0); Kruskal and Weiss, IEEE TSE 11(10), 1985";
  entry.complexity = "O(log H + W) an assignment, with W different widths";
  entry.ties = "lowest host, earliest arrival";
  entry.parameters = {{.name = "chunk",
                       .type = ParameterType::integer,
                       .summary = "runs of a sweep that a host takes at a time",
                       .fallback = 1.0,
                       .min = 1},
                      {.name = "order",
                       .type = ParameterType::choice,
                       .summary = "idle hosts are served as declared, or those with more cores first, then "
                                  "those with more runs/s in their last package",
                       .fallback = "hosts",
                       .choices = {"hosts", "cores"}}};
  entry.accepts = {
      .tasks = true, .jobs = true, .sweeps = true, .files = true, .several_cores = true, .streams = true};
  entry.make_policy = [](const Arguments& arguments) -> std::unique_ptr<Policy> {
    return std::make_unique<Workqueue>(arguments.number("chunk"), arguments.choice("order") == "cores");
  };
  return entry;
}

}  // namespace perigee::batch
