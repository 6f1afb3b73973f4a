// Source: Berman et al., LIP RR 1999-46, sections 5.4 and 5.5, see the header.
#include "runtime/cost/chart.h"

#include <limits>
#include <utility>

#include "runtime/kernel/work.h"

namespace perigee::cost {
namespace {

constexpr std::uint8_t kDepends = 2;  // hosts of which nobody knows whether they are alike
constexpr double kNowhere = std::numeric_limits<double>::quiet_NaN();

// The smaller of the two; a NaN time counts as 0, for it may be as short as can be.
Seconds least_of(Seconds least, Seconds time) { return time >= 0 ? std::min(least, time) : 0; }
// The shortest gap that is of use.
Seconds gap_of(Seconds shortest) { return shortest == kNever ? 0 : shortest * (1 - 1e-6); }

}  // namespace

// The first transfer in the way of the slot; null: there is none.
const Chart::Sent* Chart::in_the_way(const Own& own, const Slot& slot) {
  const Sent* first = nullptr;
  for (const Sent& each : own)
    if (clearly_less(each.slot.start, slot.end) && slot.start < each.slot.end &&
        (!first || each.slot.start < first->slot.start))
      first = &each;
  return first;
}

Chart::Chart(const ChartProblem& problem, Time now)
    : problem_(&problem),
      now_(now),
      floor_(now),
      rest_(problem.hosts(), Rest{now}),
      file_from_(problem.files * problem.clusters, kNowhere),
      hosts_in_(problem.clusters),
      alike_(problem.clusters, 1) {
  for (std::size_t h = 0; h < problem.hosts(); ++h)
    if (problem.cluster[h] != ChartProblem::kAway)
      hosts_in_[problem.cluster[h]].push_back(static_cast<std::uint32_t>(h));
  for (std::size_t h = 0; h < problem.hosts(); ++h) {
    Seconds shortest = kNever;
    for (std::size_t t = 0; t < problem.tasks(); ++t) shortest = least_of(shortest, problem.time_of(t, h));
    hosts_.emplace_back(now, gap_of(shortest));
  }
  std::vector<Seconds> shortest(problem.clusters, kNever);
  for (std::size_t c = 0; c < problem.clusters; ++c)
    for (std::size_t f = 0; f < problem.files; ++f)
      shortest[c] = least_of(shortest[c], problem.transfer_of(f, c));
  for (const Seconds each : shortest) links_.emplace_back(now, gap_of(each));
  const auto times_on = [&](std::uint32_t host) {
    return std::span(problem.time).subspan(host * problem.tasks(), problem.tasks());
  };
  for (std::size_t c = 0; c < problem.clusters; ++c)
    for (const std::uint32_t host : hosts_in_[c]) {  // times that depend on the start are unequal
      if (!std::ranges::equal(times_on(host), times_on(hosts_in_[c].front()))) alike_[c] = 0;
      if (std::ranges::any_of(times_on(host), [](Seconds time) { return std::isnan(time); })) {
        alike_[c] = kDepends;
        break;
      }
    }
}

void Chart::take_host(std::size_t host, const Slot& slot) {
  hosts_[host].take(slot);
  rest_[host] = rest_of(hosts_[host]);
}

Chart::Rest Chart::rest_of(const Timeline& host) {
  Rest rest;
  for (const Slot& each : host.free()) {
    if (each.end == kNever) {
      rest.open = each.start;
    } else {
      rest.gaps_until = std::max(rest.gaps_until, each.end);
      rest.longest_gap = std::max(rest.longest_gap, each.end - each.start);
    }
  }
  return rest;
}

Slot Chart::compute_slot(std::size_t task, std::size_t host, Time ready) const {
  const Seconds time = problem_->time_of(task, host);
  if (!std::isnan(time)) return hosts_[host].earliest(ready, time);
  return hosts_[host].earliest_by(ready, [&](Time start) { return problem_->task_end(task, host, start); });
}

Slot Chart::transfer_slot(std::size_t file, std::size_t cluster, Time ready, const Own& own) const {
  const Seconds time = problem_->transfer_of(file, cluster);
  for (;;) {
    const Slot slot =
        std::isnan(time)
            ? links_[cluster].earliest_by(
                  ready, [&](Time start) { return problem_->transfer_end(file, cluster, start); })
            : links_[cluster].earliest(ready, time);
    const Sent* other = slot.end < kNever ? in_the_way(own, slot) : nullptr;
    if (!other) return slot;
    ready = other->slot.end;
  }
}

Time Chart::inputs_ready(std::size_t task, std::size_t cluster, Own& own) const {
  Time ready = floor_;
  for (const std::uint32_t file : problem_->inputs[task]) {
    Time at = file_from(file, cluster);
    if (std::isnan(at)) {
      const Slot slot = transfer_slot(file, cluster, floor_, own);
      own.push_back({file, false, slot});
      at = slot.end;
    }
    ready = std::max(ready, at);
  }
  return ready;
}

Time Chart::outputs_home(std::size_t task, std::size_t cluster, Time computed, Own& own) const {
  Time home = computed;
  for (const std::uint32_t file : problem_->outputs[task]) {
    const Slot slot = transfer_slot(file, cluster, computed, own);
    own.push_back({file, true, slot});
    home = std::max(home, slot.end);
  }
  return home;
}

Completion Chart::completion(std::size_t task, std::size_t host) const {
  did_work(20);
  const std::uint32_t cluster = problem_->cluster[host];
  if (cluster == ChartProblem::kAway) return {};
  Own& own = own_;
  own.clear();
  const Slot slot = compute_slot(task, host, inputs_ready(task, cluster, own));
  return {slot.end, problem_->until_home ? outputs_home(task, cluster, slot.end, own) : slot.end};
}

Chart::Outlook Chart::outlook(std::size_t cluster) const {
  Outlook there{.cluster = cluster, .idle_until = kNever, .room = 0, .number = ++outlooks_};
  for (const std::uint32_t host : hosts_in_[cluster])
    if (const auto free = hosts_[host].free(); !free.empty())
      there.idle_until = std::min(there.idle_until, free.front().start);
  there.room = links_[cluster].room(floor_, there.idle_until) - 4 * chart_slack(there.idle_until);
  auto& open = there.open;
  for (const std::uint32_t host : hosts_in_[cluster]) {
    const Rest& rest = rest_[host];
    if (rest.open < kNever && alike_[cluster] == 1) open.push_back({rest.open, host});
    there.rest.gaps_until = std::max(there.rest.gaps_until, rest.gaps_until);
    there.rest.longest_gap = std::max(there.rest.longest_gap, rest.longest_gap);
  }
  std::ranges::stable_sort(open, {}, &Outlook::Open::from);
  std::uint32_t lowest = BestInCluster::kNone, next = lowest;
  for (Outlook::Open& each : open) {
    if (each.host < lowest)
      next = std::exchange(lowest, each.host);
    else
      next = std::min(next, each.host);
    each.lowest = lowest, each.next = next;
  }
  const auto step_from = [&](std::size_t i) {
    for (std::size_t later = i + 1; later < open.size(); ++later)
      if (open[later].from > open[i].from) return open[later].from - open[i].from;
    return kNever;
  };
  if (!open.empty()) there.to_second = step_from(0);
  if (open.size() > 1) there.to_third = step_from(1);
  if (!open.empty()) there.at_floor = there.pair_from(floor_);
  return there;
}

Chart::Outlook::Pair Chart::Outlook::pair_from(Time ready) const {
  std::size_t free = 0;  // hosts that are free at that time: the lowest of them goes first
  while (free < open.size() && open[free].from <= ready) ++free;
  if (free >= 2)
    return {open[free - 1].lowest, open[free - 1].next, ready, ready,
            free < open.size() ? open[free].from - ready : kNever};
  const Time from = std::max(open[0].from, ready);
  if (open.size() == 1) return {open[0].host, BestInCluster::kNone, from, kNever, kNever};
  return {open[0].host, open[1].host, from, open[1].from,
          std::min(free == 1 ? open[1].from - ready : to_second, to_third)};
}

Chart::Needs Chart::needs(std::size_t task, std::size_t cluster) const {
  Needs needs;
  for (const std::uint32_t file : problem_->inputs[task]) {
    const Time at = file_from(file, cluster);
    if (std::isnan(at))
      needs.missing = std::max(needs.missing, 0.0) + problem_->transfer_of(file, cluster);
    else
      needs.last = std::max(needs.last, at);
  }
  return needs;
}

// True if the task computed first is complete first. This holds if there are at most two outputs and each
// takes equally long whenever it starts. With three outputs, a short one that has missed its gap may leave it
// to others.
bool Chart::completes_as_computed(std::size_t task, std::size_t cluster) const {
  const auto outputs = problem_->outputs[task];
  return !problem_->until_home || outputs.empty() ||
         (outputs.size() <= 2 && std::ranges::none_of(outputs, [&](std::uint32_t file) {
            return std::isnan(problem_->transfer_of(file, cluster));
          }));
}

// The time when the inputs are there if that is clear from the first one. It is there, or is sent, so late
// that all others that are missing fit one after another before. Or it is sent so early that none of them
// fits before, and they follow it. NaN: it is not clear.
Time Chart::inputs_with_first(std::size_t task, const Outlook& there) const {
  const auto inputs = problem_->inputs[task];
  if (inputs.empty()) return floor_;
  firsts_.resize(problem_->files);
  First& first = firsts_[inputs.front()];
  if (first.outlook != there.number) {
    const Timeline& link = links_[there.cluster];
    first.outlook = there.number;
    first.at = file_from(inputs.front(), there.cluster);
    first.free_until = -kNever;
    Time before = first.at;
    if (std::isnan(before)) {
      own_.clear();
      const Slot slot = transfer_slot(inputs.front(), there.cluster, floor_, own_);
      first.at = slot.end;
      before = slot.start;
      first.free_until = link.free_until(before);
    }
    first.room = link.room(floor_, before);
    first.rounding = 4 * chart_slack(before);
  }
  Time ready = std::max(floor_, first.at), after = first.at;
  Seconds missing = -kNever, shortest = kNever;
  for (const std::uint32_t file : inputs.subspan(1)) {
    if (const Time at = file_from(file, there.cluster); !std::isnan(at)) {
      ready = std::max(ready, at);
      continue;
    }
    const Seconds time = problem_->transfer_of(file, there.cluster);
    missing = std::max(missing, 0.0) + time;
    after += time;
    shortest = std::min(shortest, time);
  }
  if (missing == -kNever || missing + first.rounding <= first.room) return ready;
  const Seconds rounding = 4 * chart_slack(after);
  if (shortest > first.room + rounding && after + rounding <= first.free_until) return std::max(ready, after);
  return kNowhere;
}

// Finds the two best hosts of a cluster where a task takes equally long on all, if it fits into no gap. They
// are the first two that are free for ever, unless some times are nearly equal: false.
inline bool Chart::best_of_alike(Seconds time, Time ready, const Outlook::Pair& pair, const Outlook& there,
                                 BestInCluster& best) {
  if (!(ready + time < kNever) || !there.rest.is_beyond_gaps(ready, time)) return false;
  best.first.computed = pair.from + time;
  best.next_computed = pair.next_from + time;
  const Time last = best.next_computed < kNever ? best.next_computed : best.first.computed;
  best.host = pair.host, best.next = pair.next;
  return pair.step > 4 * chart_slack(last);
}

// A task whose inputs are in a cluster from `ready` on, on the cluster's hosts.
struct Chart::Placing {
  const Chart& chart;
  std::size_t task, cluster;
  Time ready;
  const Seconds* times;  // of the task, a row of tasks for each host
  std::size_t tasks;

  Seconds time(std::uint32_t host) const { return times[host * tasks]; }
  std::span<const std::uint32_t> hosts() const { return chart.hosts_in_[cluster]; }
  Time computed_on(std::uint32_t host) const {  // NaN and +inf go the long way
    const Rest& rest = chart.rest_[host];
    return rest.is_beyond_gaps(ready, time(host)) ? std::max(rest.open, ready) + time(host)
                                                  : chart.compute_slot(task, host, ready).end;
  }
};

// Where the outputs arrive home in another order than their computations end.
inline BestInCluster Chart::best_by_completion(const Placing& placing) const {
  BestInCluster best;
  Completion next;
  for (const std::uint32_t host : placing.hosts()) {
    const Time end = placing.computed_on(host);
    if (!(end < next.complete)) continue;
    const Completion here{end, complete_after(placing.task, placing.cluster, end)};
    if (goes_before(here, best.first)) {
      best.next = std::exchange(best.host, host);
      next = std::exchange(best.first, here);
    } else if (goes_before(here, next)) {
      best.next = host;
      next = here;
    }
  }
  best.next_computed = next.computed;
  return best;
}

// Finds the two hosts on which the task is computed first if no times are nearly equal and it fits into no gap. False: it
// may be otherwise.
inline bool Chart::best_beyond_gaps(const Placing& placing, const Rest& all, BestInCluster& best) const {
  Time end = kNever, next = kNever, third = kNever;
  Seconds shortest = kNever;
  const Rest* const rests = rest_.data();
  for (const std::uint32_t host : placing.hosts()) {
    const Seconds time = placing.time(host);
    const Time here = std::max(rests[host].open, placing.ready) + time;
    shortest = std::min(shortest, time);
    if (!(here < third)) continue;
    if (here < end) {
      third = std::exchange(next, std::exchange(end, here));
      best.next = std::exchange(best.host, host);
    } else if (here < next) {
      third = std::exchange(next, here);
      best.next = host;
    } else {
      third = here;
    }
  }
  best.first.computed = end, best.next_computed = next;
  if (next < kNever) {
    const Seconds tie = 4 * chart_slack(next);
    if (!(end == next || next - end > tie) || !(third - next > tie)) return false;
  }
  return all.is_beyond_gaps(placing.ready, shortest);
}

// The same whatever the gaps and the ties; `best` has the two hosts and when they have computed.
inline BestInCluster Chart::best_computed(const Placing& placing) {
  BestInCluster best;
  for (const std::uint32_t host : placing.hosts()) {
    if (placing.ready + placing.time(host) >= best.next_computed) continue;
    const Time end = placing.computed_on(host);
    if (!(end < best.next_computed)) continue;
    if (clearly_less(end, best.first.computed)) {
      best.next = best.host, best.next_computed = best.first.computed;
      best.host = host, best.first.computed = end;
    } else if (clearly_less(end, best.next_computed)) {
      best.next = host, best.next_computed = end;
    }
  }
  return best;
}

BestInCluster Chart::best_in(std::size_t task, const Outlook& there, const Needs& needs) const {
  did_work(20);
  const std::size_t cluster = there.cluster;
  if (hosts_in_[cluster].empty()) return {};
  // The exact arrival of the inputs does not matter if they are surely in the cluster before any host is
  // free. They are if they fit one after another into the room that the link has by then, and none that is
  // sent already comes later.
  Time ready = floor_;
  const bool in_time = needs.missing <= there.room && needs.last <= there.idle_until;  // NaN is not
  if (!in_time) {
    ready = inputs_with_first(task, there);
    if (std::isnan(ready)) {
      own_.clear();
      ready = inputs_ready(task, cluster, own_);
    }
  }
  const Placing placing{*this, task, cluster, ready, problem_->time.data() + task, problem_->tasks()};
  // The case of most tasks: one output, which takes equally long whenever it is sent.
  const auto outputs = problem_->outputs[task];
  const Seconds home =
      problem_->until_home && outputs.size() == 1 ? problem_->transfer_of(outputs[0], cluster) : kNowhere;
  const bool one = !std::isnan(home);
  if (!one && !completes_as_computed(task, cluster)) return best_by_completion(placing);
  BestInCluster best;
  const bool found = alike_[cluster] == 0
                         ? best_beyond_gaps(placing, there.rest, best)
                         : !there.open.empty() &&
                               best_of_alike(placing.time(hosts_in_[cluster].front()), ready,
                                             in_time ? there.at_floor : there.pair_from(ready), there, best);
  if (!found) best = best_computed(placing);
  const Time computed = best.first.computed;
  best.first.complete = one && computed < kNever
                            ? std::max(computed, links_[cluster].earliest(computed, home).end)
                            : complete_after(task, cluster, computed);
  return best;
}

Time Chart::complete_after(std::size_t task, std::size_t cluster, Time computed) const {
  if (!problem_->until_home || !(computed < kNever)) return computed;
  const auto outputs = problem_->outputs[task];
  if (outputs.size() == 1)
    if (const Seconds time = problem_->transfer_of(outputs[0], cluster); !std::isnan(time))
      return std::max(computed, links_[cluster].earliest(computed, time).end);
  own_.clear();  // the inputs are not in the way of what comes later
  return outputs_home(task, cluster, computed, own_);
}

ChartTask Chart::plan(std::size_t task, std::size_t host) const {
  const std::uint32_t cluster = problem_->cluster[host];
  ChartTask out{.task = static_cast<std::uint32_t>(task),
                .host = static_cast<std::uint32_t>(host),
                .slot = {kNever, kNever},
                .complete = kNever};
  if (cluster == ChartProblem::kAway) return out;
  Own& own = own_;
  own.clear();
  out.slot = compute_slot(task, host, inputs_ready(task, cluster, own));
  out.complete = outputs_home(task, cluster, out.slot.end, own);
  if (!problem_->until_home) out.complete = out.slot.end;
  for (const Sent& each : own) out.transfers.push_back({each.file, cluster, each.home, each.slot});
  return out;
}

ChartTask Chart::place(std::size_t task, std::size_t host) {
  ChartTask out = plan(task, host);
  for (const ChartTransfer& each : out.transfers) {
    if (each.slot.start < kNever) links_[each.cluster].take(each.slot);
    if (!each.home) file_at(each.file, each.cluster) = each.slot.end;
  }
  if (out.slot.start < kNever) take_host(host, out.slot);
  return out;
}

ChartTransfer Chart::send_home(std::size_t file, std::size_t cluster, Time ready) {
  const Slot slot = transfer_slot(file, cluster, ready, Own{});
  if (slot.start < kNever) links_[cluster].take(slot);
  return {static_cast<std::uint32_t>(file), static_cast<std::uint32_t>(cluster), true, slot};
}

}  // namespace perigee::cost
