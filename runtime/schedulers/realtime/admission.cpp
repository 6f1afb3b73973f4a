// Source: Mamat, 2011, Chapter 4, see the header.
#include "runtime/schedulers/realtime/admission.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "runtime/cost/divisible.h"
#include "runtime/engine/sim.h"
#include "runtime/engine/why.h"
#include "runtime/schedulers/realtime/head.h"

namespace perigee {
namespace {

// Who waits for the head's channel to be free.
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
    channel_free_ = channel_free_from(sim);
    free_.assign(view.hosts().size(), 0);
    for (std::size_t h = 0; h < free_.size(); ++h) free_[h] = free_from(sim, HostId(h));
    std::vector<WorkId> waits;
    for (std::size_t w = 0; w < view.works().size(); ++w) {
      const WorkId work(w);
      if (!sim.waits(work)) continue;
      if (sim.undealt(work) < view.workload().size_of(work))
        lost(work);
      else if (view[work].accepted)
        waiting_.push_back({work, load_of(sim, work), view.now(), 0, view.now()});
      else
        waits.push_back(work);
    }
    plan(sim, waiting_, true);
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
        "a load is accepted when it and all that wait can be planned by their deadlines, {}, each on {} "
        "nodes",
        rules_.order == LoadOrder::arrival    ? "in the order of arrival"
        : rules_.order == LoadOrder::deadline ? "the earliest deadline first"
                                              : "the largest workload derivative first",
        rules_.all_nodes ? "all useful" : "the fewest that do");
    std::vector<Planned> list = waiting_;
    if (std::ranges::none_of(list, [&](const Planned& each) { return each.work == work; }))
      list.push_back({work, load_of(sim, work), 0, 0, 0});
    plan(sim, list, true);
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
    Time start;
    std::size_t nodes;
    Time end;
    double derivative = 0;
  };

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

  // Sorts the list and plans each (Figure 4.1); false when some load cannot be in time. `late`: goes on with
  // such a load as early as it can be.
  bool plan(Sim& sim, std::vector<Planned>& list, bool late = false) const {
    const View& view = sim.view();
    const Time now = sim.now();
    std::vector<Time> free;
    for (std::size_t h = 0; h < free_.size(); ++h)
      if (view.hosts()[h].up) free.push_back(std::max(free_[h], now));
    std::ranges::sort(free);
    const bool shared = is_shared_channel(view);
    if (rules_.order == LoadOrder::workload_derivative)
      for (Planned& each : list) {
        const DivisibleCosts costs(each.load.costs, rules_.partition);
        const std::size_t nodes =
            costs.fewest_nodes(each.load.size, view.workload()[each.work].deadline - now, free.size());
        if (nodes == 0 && !late) return false;
        each.derivative = costs.workload_derivative(each.load.size, std::max<std::size_t>(nodes, 1));
      }
    std::ranges::sort(list, [&](const Planned& a, const Planned& b) { return goes_before(view, a, b); });
    Time channel = std::max(channel_free_, now);
    for (Planned& each : list) {
      each.nodes = 0;
      each.start = each.end = kNever;
      if (free.empty()) return false;
      const DivisibleCosts costs(each.load.costs, rules_.partition);
      const std::size_t most = std::min(free.size(), costs.useful_nodes(each.load.size));
      const Time deadline = view.workload()[each.work].deadline;
      const auto start_with = [&](std::size_t nodes) {
        return shared ? std::max(free[nodes - 1], channel) : free[nodes - 1];
      };
      if (rules_.all_nodes) {
        each.nodes = most;
        each.start = start_with(rules_.wait_for_all ? free.size() : most);
      } else {
        for (std::size_t k = 1; k <= free.size() && each.nodes == 0; ++k) {
          if (k < free.size() && start_with(k) == start_with(k + 1)) continue;  // more at the same time
          each.start = start_with(k);
          const std::size_t nodes = costs.fewest_nodes(each.load.size, deadline - each.start, most);
          if (nodes == 0) break;  // later it would be no better
          if (nodes <= k) each.nodes = nodes;
        }
        if (each.nodes == 0) {
          if (!late) return false;
          each.nodes = most;
          each.start = start_with(most);
        }
      }
      each.end = each.start + costs.time(each.load.size, each.nodes);
      if (!at_most(each.end, deadline, rules_.tolerance) && !late) return false;
      take(free, each.nodes, each.end);
      if (shared) channel = each.start + on_channel(each.load, each.nodes);
    }
    return true;
  }

  // The first so many entries become `end`, in order.
  static void take(std::vector<Time>& free, std::size_t nodes, Time end) {
    const auto taken = free.begin() + static_cast<std::ptrdiff_t>(nodes);
    const auto place = std::upper_bound(taken, free.end(), end);
    std::fill(std::copy(taken, place, free.begin()), place, end);
  }

  static Seconds on_channel(const HeadLoad& load, std::size_t nodes) {
    return static_cast<double>(nodes) * load.costs.transmission_setup + load.size * load.costs.transmission;
  }

  void arrived(Sim& sim, WorkId work, Time) override {
    send_due(sim);  // what is due goes before what arrives
    std::vector<Planned> list = waiting_;
    list.push_back({work, load_of(sim, work), 0, 0, 0});
    if (!plan(sim, list)) return sim.reject(work, Reason::plan);
    waiting_ = std::move(list);
    sim.accept(work);
  }

  void host_changed(Sim& sim, HostId host) override { free_[host.index] = free_from(sim, host); }

  Time next_due() const override {
    Time next = kNever;
    for (const Planned& each : waiting_) next = std::min(next, each.start);
    return next;
  }

  void send_due(Sim& sim) override {
    std::erase_if(waiting_, [&](const Planned& each) {
      if (each.start > due()) return false;
      const WorkId work = each.work;
      return dispatch(sim, {work, 0, each.load.size}, each.load, each.nodes, each.end);
    });
  }

  // To the fewest nodes that make it in time, or to all.
  bool send_again(Sim& sim, WorkId work) override {
    HeadLoad load = load_of(sim, work);
    const Piece piece = sim.next_piece(work, sim.undealt(work));
    load.size = piece.size;
    const DivisibleCosts costs(load.costs, rules_.partition);
    const std::size_t up = hosts_up(sim.view());
    if (up == 0) return false;
    std::size_t nodes = costs.fewest_nodes(load.size, sim.view().workload()[work].deadline - sim.now(), up);
    if (nodes == 0) nodes = std::min(up, costs.useful_nodes(load.size));
    return dispatch(sim, piece, load, nodes, sim.now() + costs.time(load.size, nodes));
  }

  static std::size_t hosts_up(const View& view) {
    return static_cast<std::size_t>(
        std::ranges::count_if(view.hosts(), [](const HostView& host) { return host.up; }));
  }

  // Posts the chunks, one after the other, and their computations on the hosts that are free first; false
  // while none is up.
  bool dispatch(Sim& sim, const Piece& piece, const HeadLoad& load, std::size_t nodes, Time end) {
    std::vector<std::uint32_t> hosts;
    for (std::size_t h = 0; h < free_.size(); ++h)
      if (sim.view().hosts()[h].up) hosts.push_back(static_cast<std::uint32_t>(h));
    if (hosts.empty()) return false;
    nodes = std::clamp<std::size_t>(nodes, 1, hosts.size());
    const auto chosen = hosts.begin() + static_cast<std::ptrdiff_t>(nodes);
    std::ranges::partial_sort(hosts, chosen, {}, [&](std::uint32_t h) { return std::tuple(free_[h], h); });
    const std::vector<double> fractions =
        DivisibleCosts(load.costs, rules_.partition).fractions(load.size, nodes);
    Posting chunk, compute;
    chunk.kind = ActivityKind::chunk;
    chunk.piece.work = compute.piece.work = piece.work;
    double first = piece.first;
    for (std::size_t i = 0; i < nodes; ++i) {
      const double left = piece.first + piece.size - first;
      const double size = i + 1 < nodes ? std::min(fractions[i] * piece.size, left) : left;
      if (size <= 0) continue;  // of so small a fraction nothing is left
      chunk.piece = compute.piece = {piece.work, first, size};
      chunk.host = compute.host = HostId(hosts[i]);
      chunk.after = compute.after = sim.post(chunk);
      sim.post(compute);
      first += size;
      free_[hosts[i]] = end;
    }
    if (is_shared_channel(sim.view()))
      channel_free_ = std::max(channel_free_, sim.now()) + on_channel(load, nodes);
    return true;
  }

  Rules rules_;
  std::vector<Planned> waiting_;  // accepted and not dispatched, as planned
  std::vector<Time> free_;        // per host, of all that is dispatched
  Time channel_free_ = 0;
};

}  // namespace

Entry admission_entry(std::string name, std::string summary, LoadOrder order) {
  Entry entry;
  entry.name = std::move(name);
  entry.family = Family::realtime;
  entry.role = Role::policy;
  entry.summary = std::move(summary);
  entry.complexity = "O(W N log N) an arrival, with W loads that wait for N nodes";
  entry.parameters = {
      {.name = "partition",
       .type = ParameterType::choice,
       .summary = "optimal: chunks that end together (OPR); equal: chunks of one size (EPR)",
       .fallback = "optimal",
       .choices = {"optimal", "equal"}},
      {.name = "nodes",
       .type = ParameterType::choice,
       .summary = "fewest: as many as the deadline needs (MN); all: as many as are useful (AN)",
       .fallback = "fewest",
       .choices = {"fewest", "all"}},
      {.name = "channel",
       .type = ParameterType::choice,
       .summary =
           "of the head: link: as the platform's link is shared; head: each chunk waits for those planned "
           "before; load: it waits for those of its own load only",
       .fallback = "link",
       .choices = {"link", "head", "load"}},
      {.name = "wait_for_all",
       .type = ParameterType::boolean,
       .summary =
           "with nodes = \"all\": a load waits for every node, although only the useful ones get a chunk",
       .fallback = false},
      {.name = "tolerance",
       .type = ParameterType::number,
       .summary = "relative, of comparing planned ends with deadlines",
       .fallback = kEps,
       .min = 0,
       .max = 1e-3}};
  entry.accepts = {.loads = true, .one_channel = true};
  entry.instants = {.tolerance = 1e-12};
  entry.make_policy = [order](const Arguments& arguments) -> std::unique_ptr<Policy> {
    const std::string& channel = arguments.choice("channel");
    return std::make_unique<LoadAdmission>(
        Rules{.order = order,
              .partition = arguments.choice("partition") == "equal" ? Partition::equal : Partition::optimal,
              .all_nodes = arguments.choice("nodes") == "all",
              .wait_for_all = order != LoadOrder::workload_derivative && arguments.flag("wait_for_all"),
              .channel = channel == "link"   ? Channel::link
                         : channel == "head" ? Channel::head
                                             : Channel::load,
              .tolerance = arguments.number("tolerance")});
  };
  return entry;
}

}  // namespace perigee
