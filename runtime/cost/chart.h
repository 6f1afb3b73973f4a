// A Gantt chart of a grid: the plan of each link and each host. It tells when a task would be complete if it
// were placed on a host now. Links and hosts serve one thing at a time.
//
// Source: Berman et al., LIP RR 1999-46, sections 5.4 and 5.5 and Figure 5.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "runtime/cost/timeline.h"

namespace perigee::cost {

// The tasks, files, hosts and clusters of a chart, by numbers from 0. Spans and functions must outlive the
// charts made of it.
struct ChartProblem {
  static constexpr std::uint32_t kAway = 0xffffffffU;

  std::size_t clusters = 0, files = 0;
  std::vector<std::uint32_t> cluster;  // per host; kAway: nothing can be placed there
  // Per task. Inputs are the files that must be in the cluster before it starts, in the order of sending.
  // Outputs are the files that are sent home when it ends.
  std::vector<std::span<const std::uint32_t>> inputs, outputs;
  // time[host * tasks + task] of a computation; NaN: it depends on the start; +inf: the task cannot run
  // there.
  std::vector<Seconds> time;
  // transfer[cluster * files + file], in either direction; NaN and +inf as above.
  std::vector<Seconds> transfer;
  // True: a task is complete when its outputs are at home. False: when it has been computed.
  bool until_home = true;
  // The end of a computation or transfer that starts at `start`; asked if the times above are NaN. A
  // computation that starts later does not end earlier. A transfer may, if latency falls.
  std::function<Time(std::size_t task, std::size_t host, Time start)> task_end = {};
  std::function<Time(std::size_t file, std::size_t cluster, Time start)> transfer_end = {};

  std::size_t tasks() const { return inputs.size(); }
  std::size_t hosts() const { return cluster.size(); }
  Seconds time_of(std::size_t task, std::size_t host) const { return time[host * tasks() + task]; }
  Seconds transfer_of(std::size_t file, std::size_t to) const { return transfer[to * files + file]; }
};

struct Completion {
  Time computed = kNever;
  Time complete = kNever;
};

// The two hosts of a cluster on which a task would be complete first. Ties: the earlier end of its
// computation, then the lower host.
struct BestInCluster {
  static constexpr std::uint32_t kNone = 0xffffffffU;
  std::uint32_t host = kNone, next = kNone;  // kNone: it would never be computed
  Completion first;                          // on `host`
  Time next_computed = kNever;               // on `next`
};

// A transfer or a computation of the chart.
struct ChartTransfer {
  std::uint32_t file = 0, cluster = 0;
  bool home = false;
  Slot slot{};
};
struct ChartTask {
  std::uint32_t task = 0, host = 0;
  Slot slot{};
  Time complete = 0;
  std::vector<ChartTransfer> transfers = {};  // of its own: inputs, then outputs
};

// `a` is smaller than `b` beyond rounding.
inline bool clearly_less(double a, double b) {
  return a < b && (b == kNever || a < b - kChartTolerance * std::max(1.0, std::abs(b)));
}

// Compares by completion, then by the end of the computation.
inline bool goes_before(const Completion& a, const Completion& b) {
  return clearly_less(a.complete, b.complete) ||
         (!clearly_less(b.complete, a.complete) && clearly_less(a.computed, b.computed));
}

class Chart {
 public:
  // Everything is free from `now`, and no file is anywhere.
  Chart(const ChartProblem& problem, Time now);

  const ChartProblem& problem() const { return *problem_; }
  Time now() const { return now_; }
  Time floor() const { return floor_; }

  // Everything placed from now on starts at `floor` at the earliest (>= now).
  void set_floor(Time floor) { floor_ = floor; }
  // The file is in the cluster from `at` on, without a transfer of this chart.
  void has_file(std::size_t file, std::size_t cluster, Time at) { file_at(file, cluster) = at; }
  Time file_from(std::size_t file, std::size_t cluster) const {  // NaN: nobody sends it there
    return file_from_[cluster * problem_->files + file];
  }
  // The host or link is busy from now to `end`, +inf included.
  void occupy_host(std::size_t host, Time end) { take_host(host, {now_, end}); }
  void occupy_link(std::size_t cluster, Time end) { links_[cluster].take({now_, end}); }
  // Places the transfer of an output that is, or will be, in the cluster.
  ChartTransfer send_home(std::size_t file, std::size_t cluster, Time ready);

  // The completion of the task if it were placed there now. Nothing is recorded.
  Completion completion(std::size_t task, std::size_t host) const;
  // The inputs of a task in a cluster.
  struct Needs {
    Seconds missing = -kNever;  // transfers of those that nobody sends there; -inf: there are none
    Time last = -kNever;        // arrival of all others
  };
  Needs needs(std::size_t task, std::size_t cluster) const;
  // The time of a host after its last activity, and the gaps before.
  struct Rest {
    Time open = kNever;         // it is free for ever from then on
    Time gaps_until = -kNever;  // the end of the last gap before
    Seconds longest_gap = 0;
    // A task that takes so long surely fits into no gap if it may begin at `ready`.
    bool is_beyond_gaps(Time ready, Seconds time) const {
      const Time least = ready + time;
      return gaps_until + 4 * chart_slack(least) < least ||
             longest_gap + 4 * chart_slack(gaps_until + time) < time;
    }
  };
  // The state of a cluster as tasks find it; valid until something is placed there.
  struct Outlook {
    struct Open {
      Time from;  // the host is free for ever from then on
      std::uint32_t host;
      std::uint32_t lowest = 0, next = 0;  // the two lowest hosts up to this one
    };
    // The first two hosts that are free for ever when the inputs of a task are there, and from when on.
    struct Pair {
      std::uint32_t host, next;
      Time from, next_from;
      Seconds step = 0;  // between such times, to one that would change the choice
    };
    Pair pair_from(Time ready) const;

    std::size_t cluster;
    Time idle_until;  // none of its hosts is free for anything new before this
    Seconds room;     // the longest time for which its link is free before that, less rounding
    std::uint64_t number;
    // If all hosts take equally long for each task: those that are free for ever some time, by that and by
    // their numbers. Else it is empty.
    std::vector<Open> open = {};
    Seconds to_second = kNever, to_third = kNever;  // steps from the first and the second to later ones
    Rest rest = {};                                 // the last and the longest gap of all
    Pair at_floor = {};                             // of a task whose inputs are there in time
  };
  Outlook outlook(std::size_t cluster) const;
  BestInCluster best_in(std::size_t task, const Outlook& there) const {
    return best_in(task, there, needs(task, there.cluster));
  }
  BestInCluster best_in(std::size_t task, const Outlook& there, const Needs& needs) const;
  // The time when the outputs of the task are at home if its computation in the cluster ends at `computed`.
  Time complete_after(std::size_t task, std::size_t cluster, Time computed) const;

  // The task as it would be placed there now; its slot ends at +inf if it would never be complete.
  ChartTask plan(std::size_t task, std::size_t host) const;
  ChartTask place(std::size_t task, std::size_t host);

  const Timeline& host(std::size_t host) const { return hosts_[host]; }
  const Rest& rest(std::size_t host) const { return rest_[host]; }
  std::span<const std::uint32_t> hosts_in(std::size_t cluster) const {
    return hosts_in_[cluster];
  }  // ascending
  const Timeline& link(std::size_t cluster) const { return links_[cluster]; }

 private:
  struct Sent {
    std::uint32_t file;
    bool home;
    Slot slot;
  };
  using Own = std::vector<Sent>;  // transfers of the task at hand
  static const Sent* in_the_way(const Own& own, const Slot& slot);
  Time& file_at(std::size_t file, std::size_t cluster) {
    return file_from_[cluster * problem_->files + file];
  }
  void take_host(std::size_t host, const Slot& slot);
  static Rest rest_of(const Timeline& host);
  Slot compute_slot(std::size_t task, std::size_t host, Time ready) const;
  Slot transfer_slot(std::size_t file, std::size_t cluster, Time ready, const Own& own) const;
  bool completes_as_computed(std::size_t task, std::size_t cluster) const;
  Time inputs_with_first(std::size_t task, const Outlook& there) const;
  static bool best_of_alike(Seconds time, Time ready, const Outlook::Pair& pair, const Outlook& there,
                            BestInCluster& best);
  struct Placing;
  BestInCluster best_by_completion(const Placing& placing) const;
  bool best_beyond_gaps(const Placing& placing, const Rest& all, BestInCluster& best) const;
  static BestInCluster best_computed(const Placing& placing);
  Time inputs_ready(std::size_t task, std::size_t cluster, Own& own) const;
  Time outputs_home(std::size_t task, std::size_t cluster, Time computed, Own& own) const;

  const ChartProblem* problem_;
  Time now_, floor_;
  std::vector<Timeline> hosts_, links_;
  std::vector<Rest> rest_;  // per host
  std::vector<Time> file_from_;
  std::vector<std::vector<std::uint32_t>> hosts_in_;  // per cluster, ascending
  std::vector<std::uint8_t> alike_;  // per cluster, 1: its hosts take equally long, 0: they do not
  mutable Own own_;                  // scratch, kept for its capacity
  // A file as tasks find it that send it first, by outlook; kept for its capacity.
  struct First {
    std::uint64_t outlook = 0;
    Time at = 0;           // it is there
    Seconds room = 0;      // the longest time for which the link is free before that or before it is sent
    Seconds rounding = 0;  // of these times
    Time free_until = 0;   // from then on the link is free up to here; -inf: it is not sent
  };
  mutable std::vector<First> firsts_;  // per file
  mutable std::uint64_t outlooks_ = 0;
};

}  // namespace perigee::cost
