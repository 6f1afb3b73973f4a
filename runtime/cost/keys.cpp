#include "runtime/cost/keys.h"

#include "runtime/cost/mapping.h"
#include "runtime/cost/scan.h"
#include "runtime/kernel/constants.h"
#include "runtime/kernel/work.h"

namespace perigee::cost {
namespace {
constexpr std::size_t kSmallestCompacted = 64;  // keys
}

Keys::Keys(std::size_t tasks)
    : keys_(tasks, 0.0),
      task_(tasks),
      slot_(tasks),
      low_((tasks + kBlock - 1) / kBlock, 0.0),
      known_(low_.size(), 0),
      left_(tasks) {
  for (std::size_t i = 0; i < tasks; ++i) task_[i] = slot_[i] = static_cast<std::uint32_t>(i);
}

void Keys::remove(std::size_t task) {
  const std::uint32_t slot = slot_[task];
  task_[slot] = kUnmapped;
  put(slot, kInfinity);
  if (--left_ * 2 >= keys_.size() || keys_.size() < kSmallestCompacted) return;
  std::size_t to = 0;
  for (std::size_t from = 0; from < keys_.size(); ++from) {
    if (task_[from] == kUnmapped) continue;
    keys_[to] = keys_[from];
    task_[to] = task_[from];
    slot_[task_[to]] = static_cast<std::uint32_t>(to);
    ++to;
  }
  keys_.resize(to);
  task_.resize(to);
  low_.resize((to + kBlock - 1) / kBlock);
  known_.assign(low_.size(), 0);
}

std::size_t Keys::lowest() {
  did_work(1 + low_.size() / 8);
  for (std::size_t b = 0; b < low_.size(); ++b) {
    if (known_[b] != 0) continue;
    low_[b] = smallest(block(b)).value;
    known_[b] = 1;
  }
  const Smallest found = smallest(low_);
  if (found.value < kInfinity) return task_[found.at * kBlock + smallest(block(found.at)).at];
  std::size_t slot = 0;
  while (task_[slot] == kUnmapped) ++slot;
  return task_[slot];
}

}  // namespace perigee::cost
