// Source: Mamat, 2011, Chapter 4, see the header.
#include "runtime/schedulers/realtime/admission.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <tuple>
#include <vector>

#include "runtime/cost/divisible.h"
#include "runtime/engine/sim.h"
#include "runtime/engine/why.h"
#include "runtime/schedulers/realtime/demands.h"
#include "runtime/schedulers/realtime/head.h"
#include "runtime/schedulers/realtime/reasons.h"

namespace perigee::realtime {
namespace {

// The chunks that wait for the head's channel to be free.
enum class Channel : std::uint8_t {
  link,  // as the platform's link is shared: `load` when it is unlimited, else `head`
  load,  // the chunks of one load for each other; loads do not contend ("task", literally Figure 4.1)
  head,  // every chunk for all that were planned before
};

struct Rules {
  LoadOrder order = LoadOrder::deadline;
  Partition partition = Partition::optimal;
  bool all_nodes = false;
  bool wait_for_all = false;
  Channel channel = Channel::link;
  double tolerance = kEps;
};

class LoadAdmission final : public Head {
 public:
  explicit LoadAdmission(const Rules& rules) : rules_(rules) {}
  std::unique_ptr<Policy> clone() const override { return std::make_unique<LoadAdmission>(*this); }

  void begin(Sim& sim) override {
    const View& view = sim.view();
    start_anew(sim);
    waiting_.clear();
    before_.clear();
    channel_free_ = channel_free_from(sim);
    free_.assign(view.hosts().size(), 0);
    for (std::size_t h = 0; h < free_.size(); ++h) free_[h] = free_from(sim, HostId(h));
    sort_hosts(view);
    std::vector<WorkId> waits;
    for (std::size_t w = view.works().first(); w < view.works().size(); ++w) {
      const WorkId work(w);
      if (!sim.waits(work)) continue;
      if (sim.undealt(work) < view.workload().size_of(work))
        lost(work);
      else if (view[work].accepted)
        waiting_.push_back(unplanned(sim, work));
      else
        waits.push_back(work);
    }
    plan_late(sim, waiting_);
    before_.assign(waiting_.size(), nullptr);
    for (const WorkId work : waits) arrived(sim, work, view.now());
    go_on(sim);
  }

  bool keeps_deadlines(const Platform& platform) const override {
    return (rules_.channel != Channel::load ||
            platform[platform.clusters()[0].link].sharing == Sharing::unlimited) &&
           rules_.tolerance <= kEps;
  }

  void why(Sim& sim, WorkId work, Decision& out) override {
    out.rule = fmt::format(
        "a load is accepted when it and all that wait can "
        "be planned by their deadlines, {}, each on {} nodes",
        rules_.order == LoadOrder::arrival    ? "in the order of arrival"
        : rules_.order == LoadOrder::deadline ? "the earliest deadline first"
                                              : "the largest workload derivative first",
        rules_.all_nodes ? "all useful" : "the fewest that do");
    std::vector<Planned> list = waiting_;
    if (std::ranges::none_of(list, [&](const Planned& each) { return each.work == work; }))
      list.push_back(unplanned(sim, work));
    plan_late(sim, list);
    out.works = {.score = "planned end, s", .better = Prefer::neither};
    for (const Planned& each : list) {
      const Time deadline = sim.view().workload()[each.work].deadline;
      const bool late = !at_most(each.end, deadline, rules_.tolerance);
      out.works.candidates.push_back(
          {.index = each.work.index,
           .score = each.end,
           .open = !late,
           .note = each.nodes == 0
                       ? "no number of nodes is enough"
                       : fmt::format(
                             "{} from {} s on{}", plural(each.nodes), format_number(each.start),
                             late ? fmt::format("; its deadline is {} s", format_number(deadline)) : "")});
    }
  }

 private:
  struct Planned {
    WorkId work;
    HeadLoad load;
    std::shared_ptr<const DivisibleCosts> costs;
    std::size_t useful_nodes = 1;
    Time start = 0;
    std::size_t nodes = 0;
    Time end = 0;
    double derivative = 0;
  };

  // The nodes that become free at each time, in ascending order, and the time when the channel is free.
  struct State {
    struct Free {
      Time at;
      std::size_t nodes;
    };
    std::vector<Free> free;
    Time channel = 0;

    Time with(std::size_t nodes) const {  // the first time that so many are free
      std::size_t there = 0;
      for (const Free& each : free) {
        there += each.nodes;
        if (there >= nodes) return each.at;
      }
      return kNever;
    }
    void add(Time at, std::size_t nodes) {
      const auto place = std::ranges::lower_bound(free, at, {}, &Free::at);
      if (place != free.end() && place->at == at)
        place->nodes += nodes;
      else
        free.insert(place, {at, nodes});
    }
    void take(std::size_t nodes) {  // the first ones
      std::size_t gone = 0;
      for (; nodes > 0 && nodes >= free[gone].nodes; ++gone) nodes -= free[gone].nodes;
      free.erase(free.begin(), free.begin() + static_cast<std::ptrdiff_t>(gone));
      if (nodes > 0) free.front().nodes -= nodes;
    }
    void not_before(Time now) {
      channel = std::max(channel, now);
      std::size_t past = 0, nodes = 0;
      for (; past < free.size() && free[past].at <= now; ++past) nodes += free[past].nodes;
      if (past == 0) return;
      free.erase(free.begin(), free.begin() + static_cast<std::ptrdiff_t>(past - 1));
      free.front() = {now, nodes};
    }
  };
  static constexpr std::size_t kKeepEvery = 16;  // plans, between those before which the state is kept

  static std::string plural(std::size_t nodes) {
    return nodes == 1 ? "1 node" : fmt::format("{} nodes", nodes);
  }

  bool is_shared_channel(const View& view) const {
    if (rules_.channel != Channel::link) return rules_.channel == Channel::head;
    return head_link(view).sharing != Sharing::unlimited;
  }

  bool goes_before(const View& view, const Planned& a, const Planned& b) const {
    const Work &first = view.workload()[a.work], &second = view.workload()[b.work];
    const auto by_deadline = [](const Work& work, const Planned& planned) {
      return std::tuple(work.deadline, work.arrival, planned.work.index);
    };
    switch (rules_.order) {
      case LoadOrder::arrival:
        return std::tuple(first.arrival, a.work.index) < std::tuple(second.arrival, b.work.index);
      case LoadOrder::workload_derivative:
        if (a.derivative != b.derivative) return a.derivative > b.derivative;
        [[fallthrough]];
      case LoadOrder::deadline:
        return by_deadline(first, a) < by_deadline(second, b);
    }
    return false;
  }

  Planned unplanned(Sim& sim, WorkId work) {
    Planned out;
    out.work = work;
    out.load = load_of(sim, work);
    // A table pays for a load that will be planned many times.
    const std::size_t tabulated = waiting_.size() < kKeepEvery ? 0 : free_.size();
    if (!costs_ || costs_->unit() != out.load.costs || costs_->tabulated() < tabulated)
      costs_ = std::make_shared<DivisibleCosts>(out.load.costs, rules_.partition, tabulated);
    out.costs = costs_;
    out.useful_nodes = costs_->useful_nodes(out.load.size);
    return out;
  }

  State state_at(Time now) const {
    State state{.free = {}, .channel = std::max(channel_free_, now)};
    for (const std::uint32_t h : order_) {
      const Time at = std::max(free_[h], now);
      if (state.free.empty() || state.free.back().at != at) state.free.push_back({at, 0});
      ++state.free.back().nodes;
    }
    return state;
  }

  // Plans one load as in Figure 4.1; false if it cannot be in time. `late`: then it is planned as early as
  // possible.
  bool plan(const View& view, State& state, Planned& each, bool late = false) const {
    each.nodes = 0;
    each.start = each.end = kNever;
    if (state.free.empty()) return false;
    const bool shared = is_shared_channel(view);
    const auto from = [&](Time free) { return shared ? std::max(free, state.channel) : free; };
    const double size = each.load.size;
    const Time deadline = view.workload()[each.work].deadline;
    const std::size_t most = std::min(order_.size(), each.useful_nodes);
    if (rules_.all_nodes) {
      each.nodes = most;
      each.start = from(rules_.wait_for_all ? state.free.back().at : state.with(most));
    } else {
      const Seconds least = each.costs->time(size, most);
      std::size_t there = 0;
      for (std::size_t i = 0; i < state.free.size() && each.nodes == 0; ++i) {
        there += state.free[i].nodes;
        each.start = from(state.free[i].at);
        if (i + 1 < state.free.size() && each.start == from(state.free[i + 1].at)) continue;
        const Seconds within = deadline - each.start;
        if (!at_most(least, within)) break;  // a later start is no better
        if (there >= most || at_most(each.costs->time(size, there), within))
          each.nodes = each.costs->fewest_useful_nodes(size, within, std::min(there, most));
      }
      if (each.nodes == 0) {
        if (!late) return false;
        each.nodes = most;
        each.start = from(state.with(most));
      }
    }
    each.end = each.start + each.costs->time(size, each.nodes);
    if (!at_most(each.end, deadline, rules_.tolerance) && !late) return false;
    state.take(each.nodes);
    state.add(each.end, each.nodes);
    if (shared) state.channel = each.start + on_channel(each.load, each.nodes);
    return true;
  }

  // False if some load would be late even alone on all nodes.
  bool sort(const View& view, std::vector<Planned>& list, bool late = false) const {
    if (rules_.order == LoadOrder::workload_derivative)
      for (Planned& each : list) {
        const std::size_t nodes =
            each.costs->fewest_useful_nodes(each.load.size, view.workload()[each.work].deadline - view.now(),
                                            std::min(order_.size(), each.useful_nodes));
        if (nodes == 0 && !late) return false;
        each.derivative = each.costs->workload_derivative(each.load.size, std::max<std::size_t>(nodes, 1));
      }
    std::ranges::sort(list, [&](const Planned& a, const Planned& b) { return goes_before(view, a, b); });
    return true;
  }

  void plan_late(Sim& sim, std::vector<Planned>& list) const {
    sort(sim.view(), list, true);
    State state = state_at(sim.now());
    for (Planned& each : list) plan(sim.view(), state, each, true);
  }

  // Plans all waiting loads and this one; false leaves the plans as they were. Plans of loads before it stay
  // as they are, unless the order is that of workload derivatives, which change.
  bool plan_with(Sim& sim, const Planned& added) {
    const View& view = sim.view();
    std::size_t first = 0, place = 0;
    if (rules_.order != LoadOrder::workload_derivative) {
      while (place < waiting_.size() && goes_before(view, waiting_[place], added)) ++place;
      first = place;
      while (first > 0 && (first == waiting_.size() || !before_[first])) --first;
    }
    const auto at = [&](std::size_t i) { return waiting_.begin() + static_cast<std::ptrdiff_t>(i); };
    std::vector<Planned> list(at(first), at(place));
    list.push_back(added);
    list.insert(list.end(), at(place), waiting_.end());
    if (rules_.order == LoadOrder::workload_derivative && !sort(view, list)) return false;
    State state = first > 0 ? *before_[first] : state_at(sim.now());
    state.not_before(sim.now());
    std::vector<std::shared_ptr<const State>> before;
    for (Planned& each : list) {
      const bool keep = (first + before.size()) % kKeepEvery == 0;
      before.push_back(keep ? std::make_shared<const State>(state) : nullptr);
      if (!plan(view, state, each)) return false;
    }
    waiting_.resize(first);
    before_.resize(first);
    std::ranges::move(list, std::back_inserter(waiting_));
    std::ranges::move(before, std::back_inserter(before_));
    return true;
  }

  static Seconds on_channel(const HeadLoad& load, std::size_t nodes) {
    return static_cast<double>(nodes) * load.costs.transmission_setup + load.size * load.costs.transmission;
  }

  void arrived(Sim& sim, WorkId work, Time) override {
    send_due(sim);  // due chunks go before new loads
    if (!plan_with(sim, unplanned(sim, work))) return sim.reject(work, refusal::plan);
    sim.accept(work);
  }

  void host_changed(Sim& sim, HostId host) override {
    free_[host.index] = free_from(sim, host);
    sort_hosts(sim.view());
    forget_states();
  }

  void plan_again(Sim& sim) override {
    plan_late(sim, waiting_);
    forget_states();
  }

  // Planned starts are in the order of plans: each load takes nodes that are free before its start.
  Time next_due() const override { return waiting_.empty() ? kNever : waiting_.front().start; }

  void send_due(Sim& sim) override {
    std::size_t sent = 0;
    for (; sent < waiting_.size() && waiting_[sent].start <= due(); ++sent) {
      const Planned& each = waiting_[sent];
      if (each.start != sim.now()) forget_states();  // not to the bit as planned
      if (!dispatch(sim, {each.work, 0, each.load.size}, each.load, each.nodes, each.end)) break;
    }
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(sent));
    before_.erase(before_.begin(), before_.begin() + static_cast<std::ptrdiff_t>(sent));
  }

  // Sends it to the fewest nodes that make it in time, or else to all nodes.
  bool send_again(Sim& sim, WorkId work) override {
    HeadLoad load = load_of(sim, work);
    const Piece piece = sim.next_piece(work, sim.undealt(work));
    load.size = piece.size;
    const DivisibleCosts costs(load.costs, rules_.partition);
    const std::size_t up = order_.size();
    if (up == 0) return false;
    forget_states();
    std::size_t nodes = costs.fewest_nodes(load.size, sim.view().workload()[work].deadline - sim.now(), up);
    if (nodes == 0) nodes = std::min(up, costs.useful_nodes(load.size));
    return dispatch(sim, piece, load, nodes, sim.now() + costs.time(load.size, nodes));
  }

  void forget_states() { std::ranges::fill(before_, nullptr); }

  void sort_hosts(const View& view) {
    order_.clear();
    for (std::size_t h = 0; h < free_.size(); ++h)
      if (view.hosts()[h].up) order_.push_back(static_cast<std::uint32_t>(h));
    std::ranges::sort(order_, {}, [&](std::uint32_t h) { return std::tuple(free_[h], h); });
  }

  // Posts the chunks, one after another, and their computations on the hosts that are free first; false if no
  // host is up.
  bool dispatch(Sim& sim, const Piece& piece, const HeadLoad& load, std::size_t nodes, Time end) {
    if (order_.empty()) return false;
    nodes = std::clamp<std::size_t>(nodes, 1, order_.size());
    const std::vector<double> fractions =
        DivisibleCosts(load.costs, rules_.partition).fractions(load.size, nodes);
    Posting chunk, compute;
    chunk.kind = ActivityKind::chunk;
    chunk.piece.work = compute.piece.work = piece.work;
    double first = piece.first;
    for (std::size_t i = 0; i < nodes; ++i) {
      const double left = piece.first + piece.size - first;
      const double size = i + 1 < nodes ? std::min(fractions[i] * piece.size, left) : left;
      if (size <= 0) {  // of so small a fraction nothing is left
        forget_states();
        continue;
      }
      chunk.piece = compute.piece = {piece.work, first, size};
      chunk.host = compute.host = HostId(order_[i]);
      chunk.after = compute.after = sim.post(chunk);
      sim.post(compute);
      first += size;
      free_[order_[i]] = end;
    }
    const auto chosen = order_.begin() + static_cast<std::ptrdiff_t>(nodes);
    const auto goes_first = [&](std::uint32_t a, std::uint32_t b) {
      return std::tuple(free_[a], a) < std::tuple(free_[b], b);
    };
    std::sort(order_.begin(), chosen, goes_first);
    std::inplace_merge(order_.begin(), chosen, order_.end(), goes_first);
    if (is_shared_channel(sim.view()))
      channel_free_ = std::max(channel_free_, sim.now()) + on_channel(load, nodes);
    return true;
  }

  Rules rules_;
  std::vector<Planned> waiting_;  // accepted and not dispatched, as planned
  // Per plan, the state before it. Only some are kept; those before a new plan stay valid.
  std::vector<std::shared_ptr<const State>> before_;
  std::vector<Time> free_;            // per host, of all that is dispatched
  std::vector<std::uint32_t> order_;  // hosts that are up, by (time at which they are free, index)
  Time channel_free_ = 0;
  std::shared_ptr<const DivisibleCosts> costs_;  // of the last load
};

}  // namespace

Entry admission_entry(std::string name, std::string summary, LoadOrder order) {
  Entry entry;
  entry.name = std::move(name);
  entry.family = Family::realtime;
  entry.role = Role::policy;
  entry.summary = std::move(summary);
  entry.complexity = "O(W N log N) an arrival, with W loads that wait for N nodes";
  Parameter nodes{.name = "nodes",
                  .type = ParameterType::choice,
                  .summary = "fewest: as many as the deadline needs (MN); all: as many as are useful (AN)",
                  .fallback = "fewest",
                  .choices = {"fewest", "all"}};
  Parameter wait_for_all{
      .name = "wait_for_all",
      .type = ParameterType::boolean,
      .summary =
          "with nodes = \"all\": a load waits for every node, although only the useful ones get a chunk",
      .fallback = false};
  const bool knows_all = order != LoadOrder::workload_derivative;
  if (!knows_all) {
    nodes.summary = "fewest: as many as the deadline needs (MN)";
    nodes.choices = {"fewest"};
    nodes.lacking = {{"all",
                      "the order of edf or fifo, for the workload derivative of a load is that on the fewest "
                      "nodes that meet its deadline"}};
  }
  entry.parameters = {
      {.name = "partition",
       .type = ParameterType::choice,
       .summary = "optimal: chunks that end together (OPR); equal: chunks of one size (EPR)",
       .fallback = "optimal",
       .choices = {"optimal", "equal"}},
      nodes,
      {.name = "channel",
       .type = ParameterType::choice,
       .summary =
           "of the head: link: as the platform's link is shared; head: each chunk waits for those planned "
           "before; load: it waits for those of its own load only",
       .fallback = "link",
       .choices = {"link", "head", "load"}},
      {.name = "tolerance",
       .type = ParameterType::number,
       .summary = "relative, of comparing planned ends with deadlines",
       .fallback = kEps,
       .min = 0,
       .max = 1e-3}};
  if (knows_all) entry.parameters.insert(entry.parameters.end() - 1, wait_for_all);
  entry.accepts = {.loads = true, .streams = true, .demands = &kAnyLoads};
  entry.instants = {.tolerance = 1e-12};
  entry.make_policy = [order, knows_all](const Arguments& arguments) -> std::unique_ptr<Policy> {
    const std::string& channel = arguments.choice("channel");
    return std::make_unique<LoadAdmission>(
        Rules{.order = order,
              .partition = arguments.choice("partition") == "equal" ? Partition::equal : Partition::optimal,
              .all_nodes = arguments.choice("nodes") == "all",
              .wait_for_all = knows_all && arguments.flag("wait_for_all"),
              .channel = channel == "link"   ? Channel::link
                         : channel == "head" ? Channel::head
                                             : Channel::load,
              .tolerance = arguments.number("tolerance")});
  };
  return entry;
}

}  // namespace perigee::realtime
