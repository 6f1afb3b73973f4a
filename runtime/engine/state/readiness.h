// Works that wait for the computation of others, and what is posted for them meanwhile.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/model/workload.h"

namespace perigee::engine {

// Empty, and every work is ready, as long as no work has a predecessor.
class Readiness {
 public:
  void extend(const Workload& workload);  // which begins with the present works

  bool any() const { return !left_.empty(); }
  bool is_ready(WorkId work) const { return left_.empty() || left_[work.index] == 0; }
  // The computation of the work has ended. Calls f with each work that is ready by it, ascending.
  template <class F>
  void end(const Precedence& precedence, WorkId work, F f) {
    for (const std::uint32_t next : precedence.successors(work.index))
      if (--left_[next] == 0) f(WorkId(next));
  }
  // The work is to be computed again.
  void undo(const Precedence& precedence, WorkId work) {
    for (const std::uint32_t next : precedence.successors(work.index)) ++left_[next];
  }
  // Works that are given back, and have not begun again.
  void give_back(WorkId work) {
    if (again_.empty()) again_.resize(left_.size());
    again_[work.index] = 1;
  }
  void take_again(WorkId work) {
    if (!again_.empty()) again_[work.index] = 0;
  }
  bool is_given_back(WorkId work) const { return work.index < again_.size() && again_[work.index] != 0; }
  bool any_given_back() const { return !again_.empty(); }
  // The slot of the computation that is posted for a work; kNone = none.
  void set_post(WorkId work, std::uint32_t slot) {
    if (any()) post_[work.index] = slot;
  }
  std::uint32_t post_of(WorkId work) const { return any() ? post_[work.index] : kNone; }

 private:
  std::vector<std::uint32_t> left_;  // per work: predecessors that are not computed
  std::vector<std::uint32_t> post_;
  std::vector<std::uint8_t> again_;  // per work; empty until one is given back
};

inline void Readiness::extend(const Workload& workload) {
  if (workload.precedence == nullptr) return;
  const std::size_t known = left_.size();
  if (!again_.empty()) again_.resize(workload.size());
  left_.resize(workload.size());
  post_.resize(workload.size(), kNone);
  for (std::size_t w = known; w < workload.size(); ++w)
    left_[w] = static_cast<std::uint32_t>(workload.precedence->predecessors(w).size());
}

}  // namespace perigee::engine
