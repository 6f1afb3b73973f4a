#pragma once

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>
#include <vector>

#include "runtime/engine/sim.h"
#include "runtime/schedulers/batch/arrival_queue.h"

namespace perigee {

// Work that waits, each with a key; for each width the first in order of arrival whose key is small enough
// is found in logarithmic time.
class Backlog {
 public:
  // Room for all the workload, nothing waits.
  void reset(const View& view) {
    widths_.clear();
    place_.resize(view.workload().size());
    std::vector<WorkId> order;
    for (std::size_t w = 0; w < view.workload().size(); ++w) order.push_back(WorkId(w));
    std::ranges::sort(order, [&](WorkId a, WorkId b) {
      const std::int32_t x = view.workload()[a].cores, y = view.workload()[b].cores;
      return x != y ? x < y : ArrivalQueue::earlier(view, a, b);
    });
    for (const WorkId work : order) {
      const std::int32_t cores = view.workload()[work].cores;
      if (widths_.empty() || widths_.back().cores != cores) widths_.push_back({cores, {}, {}});
      place_[work.index] = {widths_.size() - 1, widths_.back().works.size()};
      widths_.back().works.push_back(work);
    }
    for (Width& width : widths_) width.least.assign(2 * std::bit_ceil(width.works.size()), kAbsent);
  }
  bool knows(WorkId work) const { return work.index < place_.size(); }

  void add(WorkId work, double key) { set(work, std::min(key, kLargest)); }
  void remove(WorkId work) { set(work, kAbsent); }

  // The earliest work whose key is at most limit(cores) and that suits; not valid = there is none.
  template <class Limit, class Suits>
  WorkId earliest(const View& view, Limit limit, Suits suits) const {
    WorkId best;
    for (const Width& width : widths_) {
      const double most = std::min(limit(width.cores), kLargest);
      for (std::size_t i = width.first(most, 0); i < width.works.size(); i = width.first(most, i + 1)) {
        const WorkId work = width.works[i];
        if (best.valid() && !ArrivalQueue::earlier(view, work, best)) break;
        if (!suits(work)) continue;
        best = work;
        break;
      }
    }
    return best;
  }

  template <class F>
  void for_each(F f) const {
    for (const Width& width : widths_)
      for (std::size_t i = width.first(kLargest, 0); i < width.works.size(); i = width.first(kLargest, i + 1))
        f(width.works[i]);
  }

 private:
  static constexpr double kAbsent = std::numeric_limits<double>::infinity();
  static constexpr double kLargest = std::numeric_limits<double>::max();
  struct Width {
    std::int32_t cores;
    std::vector<WorkId> works;  // in order of arrival
    std::vector<double> least;  // a tree of minima: node i over 2i and 2i + 1, from 1

    // The first place, from the given one on, whose key is at most `limit`, or one behind all.
    std::size_t first(double limit, std::size_t from) const {
      const std::size_t leaves = least.size() / 2;
      if (from >= leaves) return leaves;
      std::size_t node = leaves + from;
      while (least[node] > limit) {  // on to the next subtree to the right
        while ((node & 1) == 1) node /= 2;
        if (node == 0) return leaves;
        ++node;
      }
      while (node < leaves) node = least[2 * node] <= limit ? 2 * node : 2 * node + 1;
      return node - leaves;
    }
  };

  void set(WorkId work, double key) {
    const auto [at, place] = place_[work.index];
    std::vector<double>& least = widths_[at].least;
    std::size_t node = least.size() / 2 + place;
    least[node] = key;
    while (node > 1) {
      node /= 2;
      least[node] = std::min(least[2 * node], least[2 * node + 1]);
    }
  }

  std::vector<Width> widths_;                               // ascending
  std::vector<std::pair<std::size_t, std::size_t>> place_;  // per work: width, place
};

}  // namespace perigee
