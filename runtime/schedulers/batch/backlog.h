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
// and for the first of each width with a key that is small enough. It grows as works arrive, and forgets those
// that are settled.
class Backlog {
 public:
  // Nothing waits.
  void reset() {
    all_ = {};
    widths_.clear();
  }

  // Amortized O(log n) for a work that has just arrived, or that was here before.
  void add(const View& view, WorkId work, double key) { set(view, work, std::min(key, kLargest)); }
  void remove(const View& view, WorkId work) { set(view, work, kAbsent); }

  // Calls f(work) in order of arrival until it is true. Returns the work for which it was true, or none.
  template <class F>
  WorkId find(F f) const {
    for (std::size_t i = all_.first(kLargest, 0); i < all_.size(); i = all_.first(kLargest, i + 1))
      if (f(all_[i])) return all_[i];
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
      for (std::size_t i = line.first(most, 0); i < line.size(); i = line.first(most, i + 1)) {
        if (best.valid() && !ArrivalQueue::earlier(view, line[i], best)) break;
        if (!suits(line[i])) continue;
        best = line[i];
        break;
      }
    }
    return best;
  }

 private:
  static constexpr double kAbsent = std::numeric_limits<double>::infinity();
  static constexpr double kLargest = std::numeric_limits<double>::max();

  // Works in order of arrival. A work that runs keeps its place, to which it goes back when it is lost.
  class Line {
   public:
    std::size_t size() const { return works_.size(); }
    WorkId operator[](std::size_t place) const { return works_[place].work; }

    // The first place, not before `from`, with a key of at most `limit`; at least size() if there is none.
    std::size_t first(double limit, std::size_t from) const {
      const std::size_t leaves = least_.size() / 2;
      if (from >= works_.size() || least_[1] > limit) return leaves;
      std::size_t node = from == 0 ? 1 : leaves + from;
      while (least_[node] > limit) {  // on to the next subtree to the right
        while ((node & 1) == 1) node /= 2;
        if (node == 0) return leaves;
        ++node;
      }
      while (node < leaves) node = least_[2 * node] <= limit ? 2 * node : 2 * node + 1;
      return node - leaves;
    }

    void set(const View& view, WorkId work, double key) {
      const Place own{view.workload()[work].arrival, work};
      auto at = works_.end();
      if (!works_.empty() && own <= works_.back()) at = std::ranges::lower_bound(works_, own);
      if (at == works_.end() || *at != own) {
        if (key == kAbsent) return;
        if (works_.size() == least_.size() / 2) {
          compact(view);
          at = std::ranges::lower_bound(works_, own);
        }
        const std::size_t place = static_cast<std::size_t>(at - works_.begin());
        const bool last = at == works_.end();
        at = works_.insert(at, own);
        if (!last) make_room(place);
      }
      set_key(static_cast<std::size_t>(at - works_.begin()), key);
    }

   private:
    struct Place {
      Time arrival;
      WorkId work;
      auto operator<=>(const Place&) const = default;
    };

    void set_key(std::size_t place, double key) {
      std::size_t node = least_.size() / 2 + place;
      least_[node] = key;
      while (node > 1) {
        node /= 2;
        const double now = std::min(least_[2 * node], least_[2 * node + 1]);
        if (least_[node] == now) break;
        least_[node] = now;
      }
    }

    // Settled works lose their places, and there is room for as many again as are left.
    void compact(const View& view) {
      const std::size_t leaves = least_.size() / 2;
      std::vector<double> keys;
      std::size_t kept = 0;
      for (std::size_t i = 0; i < works_.size(); ++i) {
        const std::size_t work = works_[i].work.index;
        const double key = least_[leaves + i];
        const bool is_open = view.works().has(work) && view.works()[work].state < WorkState::finished;
        if (key == kAbsent && !is_open) continue;
        works_[kept++] = works_[i];
        keys.push_back(key);
      }
      works_.resize(kept);
      build(keys);
    }

    // The keys from `place` on move by one.
    void make_room(std::size_t place) {
      const auto leaves = least_.begin() + static_cast<std::ptrdiff_t>(least_.size() / 2);
      std::vector<double> keys(leaves, leaves + static_cast<std::ptrdiff_t>(works_.size() - 1));
      keys.insert(keys.begin() + static_cast<std::ptrdiff_t>(place), kAbsent);
      build(keys);
    }

    void build(const std::vector<double>& keys) {
      constexpr std::size_t kFewest = 8;
      const std::size_t leaves = std::bit_ceil(std::max(kFewest, 2 * keys.size()));
      least_.assign(2 * leaves, kAbsent);
      std::ranges::copy(keys, least_.begin() + static_cast<std::ptrdiff_t>(leaves));
      for (std::size_t node = leaves - 1; node > 0; --node)
        least_[node] = std::min(least_[2 * node], least_[2 * node + 1]);
    }

    std::vector<Place> works_;   // ascending
    std::vector<double> least_;  // of their keys, a tree of minima: node i over 2i and 2i + 1, from 1
  };

  Line& of(const View& view, WorkId work) {
    const std::int32_t cores = view.workload()[work].cores;
    auto at = std::ranges::lower_bound(widths_, cores, {}, &std::pair<std::int32_t, Line>::first);
    if (at == widths_.end() || at->first != cores) at = widths_.insert(at, {cores, {}});
    return at->second;
  }

  void set(const View& view, WorkId work, double key) {
    all_.set(view, work, key);
    of(view, work).set(view, work, key);
  }

  Line all_;
  std::vector<std::pair<std::int32_t, Line>> widths_;  // in order of width
};

}  // namespace perigee::batch
