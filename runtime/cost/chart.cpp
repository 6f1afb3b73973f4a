// Source: Berman et al., LIP RR 1999-46, sections 5.4 and 5.5, see the header.
#include "runtime/cost/chart.h"

#include <limits>
#include <utility>

#include "runtime/kernel/work.h"

namespace perigee::cost {
namespace {

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
      open_from_(problem.hosts(), now),
      file_from_(problem.files * problem.clusters, kNowhere),
      hosts_in_(problem.clusters) {
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
}

void Chart::take_host(std::size_t host, const Slot& slot) {
  hosts_[host].take(slot);
  const auto free = hosts_[host].free();
  open_from_[host] = free.size() == 1 && free[0].end == kNever ? free[0].start : kNowhere;
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
  Outlook there{.cluster = cluster, .idle_until = kNever, .room = 0};
  for (const std::uint32_t host : hosts_in_[cluster])
    if (const auto free = hosts_[host].free(); !free.empty())
      there.idle_until = std::min(there.idle_until, free.front().start);
  for (const Slot& each : links_[cluster].free()) {
    if (!(each.start < there.idle_until)) break;
    there.room = std::max(there.room, std::min(each.end, there.idle_until) - std::max(each.start, floor_));
  }
  return there;
}

// True if the inputs are surely in the cluster before any host is free. They fit one after another into the
// room that the link has by then, and none that is sent already comes later. Their exact arrival then does
// not matter.
bool Chart::inputs_before_hosts(std::size_t task, const Outlook& there) const {
  Seconds missing = 4 * chart_slack(there.idle_until);  // rounding
  for (const std::uint32_t file : problem_->inputs[task]) {
    const Time at = file_from(file, there.cluster);
    if (std::isnan(at))
      missing += problem_->transfer_of(file, there.cluster);
    else if (at > there.idle_until)
      return false;
  }
  return missing <= there.room;  // NaN is not
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

BestInCluster Chart::best_in(std::size_t task, const Outlook& there) const {
  did_work(20);
  BestInCluster best;
  const std::size_t cluster = there.cluster;
  if (hosts_in_[cluster].empty()) return best;
  Own& own = own_;
  own.clear();
  const Time ready = inputs_before_hosts(task, there) ? floor_ : inputs_ready(task, cluster, own);
  const std::size_t tasks = problem_->tasks();
  const Seconds* const times = problem_->time.data() + task;
  const Time* const open_from = open_from_.data();
  const auto computed_on = [&](std::uint32_t host) {
    // The case of most hosts. The sum is +inf if the task cannot run there, and NaN if the slot must be
    // searched.
    const Time end = std::max(open_from[host], ready) + times[host * tasks];
    return std::isnan(end) ? compute_slot(task, host, ready).end : end;
  };
  if (!completes_as_computed(task, cluster)) {
    Completion next;
    for (const std::uint32_t host : hosts_in_[cluster]) {
      const Time end = computed_on(host);
      if (!(end < next.complete)) continue;
      const Completion here{end, complete_after(task, cluster, end)};
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
  for (const std::uint32_t host : hosts_in_[cluster]) {
    const Time end = computed_on(host);
    if (!(end < best.next_computed)) continue;
    if (clearly_less(end, best.first.computed)) {
      best.next = best.host, best.next_computed = best.first.computed;
      best.host = host, best.first.computed = end;
    } else if (clearly_less(end, best.next_computed)) {
      best.next = host, best.next_computed = end;
    }
  }
  best.first.complete = complete_after(task, cluster, best.first.computed);
  return best;
}

Time Chart::complete_after(std::size_t task, std::size_t cluster, Time computed) const {
  if (!problem_->until_home || !(computed < kNever)) return computed;
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
