#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "runtime/engine/sim.h"

namespace perigee::batch {

// Work that waits to be started, by its place in line (see View::place_in_line); ties: in order of input.
class ArrivalQueue {
 public:
  // Holds all waiting work, and the rest of work that is dealt out in parts: for a policy that begins or
  // takes over.
  void reset(const Sim& sim) {
    const View& view = sim.view();
    works_.clear();
    works_.reserve(view.works().count());
    head_ = 0;
    for (std::size_t w = view.works().first(); w < view.works().size(); ++w)
      if (sim.waits(WorkId(w)) && !is_apart(view, WorkId(w))) works_.push_back(WorkId(w));
    std::stable_sort(works_.begin(), works_.end(), [&](WorkId a, WorkId b) { return earlier(view, a, b); });
  }
  // The work has just arrived.
  void push(WorkId work) { works_.push_back(work); }
  // The work was lost. It goes back to its place, unless it is there already.
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

  // Takes up works that have arrived, and works that were lost and wait again.
  void follow(const View& view, std::span<const Event> events) {
    for (const Event& event : events) {
      if (!event.work.valid() || is_apart(view, event.work)) continue;
      if (event.kind == EventKind::arrived) {
        if (!empty() && earlier(view, event.work, works_.back()))  // which was sent to the end of the line
          put_back(view, event.work);
        else
          push(event.work);
      }
      if (event.kind == EventKind::lost && view[event.work].state == WorkState::waiting)
        put_back(view, event.work);
    }
  }

  // A reservation, or a job inside of one, does not wait in line: see Reservations.
  static bool is_apart(const View& view, WorkId work) {
    return is_reservation(view, work) || reservation_of(view, work).valid();
  }
  // Inside of which the job runs; invalid: of none.
  static WorkId reservation_of(const View& view, WorkId work) {
    const Shape* shape = view.workload().shape_of(work);
    return shape != nullptr ? shape->reservation : WorkId();
  }
  static bool is_reservation(const View& view, WorkId work) {
    return view.workload()[work].kind == WorkKind::reservation;
  }
  static bool earlier(const View& view, WorkId a, WorkId b) {
    const Time x = view.place_in_line(a), y = view.place_in_line(b);
    return x != y ? x < y : a < b;
  }

  bool empty() const { return head_ == works_.size(); }
  std::size_t size() const { return works_.size() - head_; }
  WorkId operator[](std::size_t i) const { return works_[head_ + i]; }
  std::span<const WorkId> all() const { return std::span(works_).subspan(head_); }

  void erase(std::size_t i) {  // works passed over close the gap
    std::move_backward(first(), first() + offset(i), first() + offset(i) + 1);
    ++head_;
    if (head_ > 4096 && head_ > works_.size() / 2) {
      works_.erase(works_.begin(), first());
      head_ = 0;
    }
  }
  void erase_work(WorkId work) {  // one of the last
    const auto at = std::find(works_.rbegin(), works_.rend(), work);
    if (at != works_.rend()) erase(static_cast<std::size_t>(works_.rend() - at) - 1 - head_);
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

  std::vector<WorkId> works_;  // the ones before head_ are gone
  std::size_t head_ = 0;
};

// The same with a queue for each width. Works that are too wide for a host are passed over as a whole, so a
// long queue costs no more than a short one. Sweeps, which take whole hosts, are a width of their own.
class WidthQueues {
 public:
  struct Place {
    std::size_t queue = 0, index = 0;
    WorkId work = {};  // invalid: there is none
  };

  void reset(const Sim& sim) {
    const View& view = sim.view();
    queues_.clear();
    size_ = 0;
    ArrivalQueue all;
    all.reset(sim);
    for (const WorkId work : all.all()) push(view, work);
  }
  void push(const View& view, WorkId work) {
    of(view, work).push(work);
    ++size_;
  }
  // The work has just arrived, or become ready after works that arrived later.
  void add(const View& view, WorkId work) {
    const ArrivalQueue& queue = of(view, work);
    if (!queue.empty() && !ArrivalQueue::earlier(view, queue.all().back(), work))
      put_back(view, work);
    else
      push(view, work);
  }
  void put_back(const View& view, WorkId work) {
    ArrivalQueue& queue = of(view, work);
    const std::size_t before = queue.size();
    queue.put_back(view, work);
    size_ += queue.size() - before;
  }
  bool empty() const { return size_ == 0; }
  void erase(const Place& place) {
    queues_[place.queue].second.erase(place.index);
    --size_;
  }

  // The earliest work for which `fits` and `suits` are true. `fits` is the same for all works of a width.
  template <class Fits, class Suits>
  Place first(const View& view, Fits fits, Suits suits) const {
    Place best;
    for (std::size_t q = 0; q < queues_.size(); ++q) {
      const ArrivalQueue& queue = queues_[q].second;
      if (queue.empty() || !fits(queue[0])) continue;
      for (std::size_t i = 0; i < queue.size(); ++i) {
        if (best.work.valid() && !ArrivalQueue::earlier(view, queue[i], best.work)) break;
        if (!suits(queue[i])) continue;
        best = {q, i, queue[i]};
        break;
      }
    }
    return best;
  }

 private:
  ArrivalQueue& of(const View& view, WorkId work) {
    const Work& declared = view.workload()[work];
    const std::int32_t width = declared.kind == WorkKind::sweep ? 0 : declared.cores;
    auto at = std::lower_bound(queues_.begin(), queues_.end(), width,
                               [](const auto& queue, std::int32_t value) { return queue.first < value; });
    if (at == queues_.end() || at->first != width) at = queues_.insert(at, {width, {}});
    return at->second;
  }

  std::vector<std::pair<std::int32_t, ArrivalQueue>> queues_;  // in order of width
  std::size_t size_ = 0;
};

}  // namespace perigee::batch
