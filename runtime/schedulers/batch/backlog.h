#pragma once

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>
#include <vector>

#include "runtime/engine/sim.h"
#include "runtime/schedulers/batch/arrival_queue.h"

namespace perigee::batch {

// Waiting work, each with a key. Two searches take logarithmic time: for the first work in order of arrival,
// and for the first of each width with a key that is small enough.
class Backlog {
 public:
  // Makes room for the whole workload; nothing waits yet.
  void reset(const View& view) {
    all_ = {};
    widths_.clear();
    places_.resize(view.workload().size());
    for (std::size_t w = 0; w < places_.size(); ++w) all_.works.push_back(WorkId(w));
    std::ranges::sort(all_.works, [&](WorkId a, WorkId b) { return ArrivalQueue::earlier(view, a, b); });
    for (std::size_t i = 0; i < all_.works.size(); ++i) {
      const WorkId work = all_.works[i];
      Line& line = of(view, work);
      places_[work.index] = {i, line.works.size()};
      line.works.push_back(work);
    }
    all_.empty();
    for (auto& [cores, line] : widths_) line.empty();
  }
  bool knows(WorkId work) const { return work.index < places_.size(); }

  void add(const View& view, WorkId work, double key) { set(view, work, std::min(key, kLargest)); }
  void remove(const View& view, WorkId work) { set(view, work, kAbsent); }

  // Calls f(work) in order of arrival until it is true. Returns the work for which it was true, or none.
  template <class F>
  WorkId find(F f) const {
    for (std::size_t i = all_.first(kLargest, 0); i < all_.works.size(); i = all_.first(kLargest, i + 1))
      if (f(all_.works[i])) return all_.works[i];
    return {};
  }

  // The earliest work with a key of at most limit(cores) that suits, or none. A limit < 0 holds for all wider
  // works too.
  template <class Limit, class Suits>
  WorkId earliest(const View& view, Limit limit, Suits suits) const {
    WorkId best;
    for (const auto& [cores, line] : widths_) {
      const double most = std::min(limit(cores), kLargest);
      if (most < 0) break;
      for (std::size_t i = line.first(most, 0); i < line.works.size(); i = line.first(most, i + 1)) {
        if (best.valid() && !ArrivalQueue::earlier(view, line.works[i], best)) break;
        if (!suits(line.works[i])) continue;
        best = line.works[i];
        break;
      }
    }
    return best;
  }

 private:
  static constexpr double kAbsent = std::numeric_limits<double>::infinity();
  static constexpr double kLargest = std::numeric_limits<double>::max();

  struct Line {
    std::vector<WorkId> works;  // in order of arrival
    std::vector<double> least;  // of their keys, a tree of minima: node i over 2i and 2i + 1, from 1

    void empty() { least.assign(2 * std::bit_ceil(works.size()), kAbsent); }
    // The first place, not before `from`, with a key of at most `limit`; the number of leaves if there is
    // none.
    std::size_t first(double limit, std::size_t from) const {
      const std::size_t leaves = least.size() / 2;
      if (from >= works.size() || least[1] > limit) return leaves;
      std::size_t node = from == 0 ? 1 : leaves + from;
      while (least[node] > limit) {  // on to the next subtree to the right
        while ((node & 1) == 1) node /= 2;
        if (node == 0) return leaves;
        ++node;
      }
      while (node < leaves) node = least[2 * node] <= limit ? 2 * node : 2 * node + 1;
      return node - leaves;
    }
    void set(std::size_t place, double key) {
      std::size_t node = least.size() / 2 + place;
      least[node] = key;
      while (node > 1) {
        node /= 2;
        const double now = std::min(least[2 * node], least[2 * node + 1]);
        if (least[node] == now) break;
        least[node] = now;
      }
    }
  };

  Line& of(const View& view, WorkId work) {
    const std::int32_t cores = view.workload()[work].cores;
    auto at = std::ranges::lower_bound(widths_, cores, {}, &std::pair<std::int32_t, Line>::first);
    if (at == widths_.end() || at->first != cores) at = widths_.insert(at, {cores, {}});
    return at->second;
  }

  void set(const View& view, WorkId work, double key) {
    const auto [among_all, in_line] = places_[work.index];
    all_.set(among_all, key);
    of(view, work).set(in_line, key);
  }

  Line all_;
  std::vector<std::pair<std::int32_t, Line>> widths_;        // in order of width
  std::vector<std::pair<std::size_t, std::size_t>> places_;  // per work: among all, among those of its width
};

}  // namespace perigee::batch
