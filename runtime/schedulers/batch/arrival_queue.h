#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "runtime/engine/sim.h"

namespace perigee {

// Work that waits to be started, in order of arrival, ties in order of input.
class ArrivalQueue {
 public:
  // Holds what waits now and is not posted: for a policy that begins or takes over.
  void reset(const View& view) {
    works_.clear();
    works_.reserve(view.works().size());
    head_ = 0;
    for (std::size_t w = 0; w < view.works().size(); ++w)
      if (view.works()[w].state == WorkState::waiting && view.works()[w].posted == 0)
        works_.push_back(WorkId(w));
    std::stable_sort(works_.begin(), works_.end(), [&](WorkId a, WorkId b) { return earlier(view, a, b); });
  }
  // It has just arrived.
  void push(WorkId work) { works_.push_back(work); }
  // It was lost: back to its place, unless it is there already.
  void put_back(const View& view, WorkId work) {
    const auto at = std::lower_bound(first(), works_.end(), work,
                                     [&](WorkId a, WorkId b) { return earlier(view, a, b); });
    if (at != works_.end() && *at == work) return;
    if (head_ == 0) {
      works_.insert(at, work);
    } else {  // most often it was among the first
      *std::move(first(), at, first() - 1) = work;
      --head_;
    }
  }

  bool empty() const { return head_ == works_.size(); }
  std::size_t size() const { return works_.size() - head_; }
  WorkId operator[](std::size_t i) const { return works_[head_ + i]; }
  std::span<const WorkId> all() const { return std::span(works_).subspan(head_); }

  void erase(std::size_t i) {  // those passed over close the gap
    std::move_backward(first(), first() + offset(i), first() + offset(i) + 1);
    ++head_;
    if (head_ > 4096 && head_ > works_.size() / 2) {
      works_.erase(works_.begin(), first());
      head_ = 0;
    }
  }
  // Erases every i-th for which gone[i] is set.
  void erase_marked(std::span<const std::uint8_t> gone) {
    std::size_t kept = head_;
    for (std::size_t i = 0; i < gone.size(); ++i)
      if (gone[i] == 0) works_[kept++] = works_[head_ + i];
    works_.resize(kept);
  }

 private:
  std::vector<WorkId>::iterator first() { return works_.begin() + offset(head_); }
  static std::ptrdiff_t offset(std::size_t i) { return static_cast<std::ptrdiff_t>(i); }
  static bool earlier(const View& view, WorkId a, WorkId b) {
    const Time x = view.workload()[a].arrival, y = view.workload()[b].arrival;
    return x != y ? x < y : a < b;
  }

  std::vector<WorkId> works_;  // those before head_ are gone
  std::size_t head_ = 0;
};

}  // namespace perigee
