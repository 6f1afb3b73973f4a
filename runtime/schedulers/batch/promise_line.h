#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "runtime/engine/why.h"
#include "runtime/schedulers/batch/arrival_queue.h"

namespace perigee::batch {

// The promises of conservative backfilling to the works that wait, in their order; the last ones may have none yet. A
// Promise names its `work`.
template <class Promise>
class PromiseLine {
 public:
  void clear() { promises_.clear(); }

  // Goes through the line: promise(work) makes those that are missing, and start(promise) is true for works that it has
  // started. True if a work that had a promise was settled in the meantime, so that all are to be made anew.
  template <class Make, class Start>
  bool serve(const View& view, ArrivalQueue& waiting, Make promise, Start start) {
    bool stale = false;
    std::vector<std::uint8_t> gone(waiting.size(), 0);
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      const WorkId work = waiting[i];
      const bool is_new = i >= promises_.size();
      if (view[work].state != WorkState::waiting) {
        gone[i] = 1;
        stale = stale || !is_new;
        if (is_new) promises_.push_back(Promise{work});
        continue;
      }
      if (is_new) promises_.push_back(promise(work));
      if (start(promises_[i])) gone[i] = 1;
    }
    waiting.erase_marked(gone);
    std::vector<Promise> kept;
    for (std::size_t i = 0; i < gone.size(); ++i)
      if (gone[i] == 0) kept.push_back(std::move(promises_[i]));
    promises_ = std::move(kept);
    return stale;
  }

  // A work that became ready late stands before others that have promises, so that all are to be made anew.
  bool is_overtaken(const View& view, const ArrivalQueue& waiting) const {
    if (view.workload().precedence == nullptr) return false;
    for (std::size_t i = 0; i < promises_.size() && i < waiting.size(); ++i)
      if (promises_[i].work != waiting[i]) return true;
    return false;
  }

  // Calls f(promise) for each of a work that waits.
  template <class F>
  void each(const View& view, F f) const {
    for (const Promise& promise : promises_)
      if (view[promise.work].state == WorkState::waiting) f(promise);
  }

  // Lists the work and those before it, with note(promise).
  template <class Note>
  void why(const View& view, WorkId work, Decision& out, Note note) const {
    out.rule =
        "it starts when its promised time has come: the earliest at which it delays none promised before";
    out.works = {.score = "arrival, s", .better = Prefer::smallest, .ties = "order of input"};
    for (const Promise& each : promises_) {
      if (view[each.work].state != WorkState::waiting) continue;
      if (each.work != work && !ArrivalQueue::earlier(view, each.work, work)) continue;
      Comparison::Candidate candidate{.index = each.work.index, .score = view.workload()[each.work].arrival};
      candidate.open = each.work == work;
      candidate.note = note(each);
      out.works.candidates.push_back(std::move(candidate));
    }
  }

 private:
  std::vector<Promise> promises_;
};

}  // namespace perigee::batch
