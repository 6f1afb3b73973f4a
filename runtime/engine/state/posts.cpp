#include "runtime/engine/state/posts.h"

#include <algorithm>

#include "runtime/kernel/error.h"

namespace perigee::engine {

void PostQueue::insert(const Post& post) {
  if (head_ > 64 && head_ > entries_.size() / 2) {
    entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(head_));
    head_ = 0;
  }
  if (empty() || !(post < entries_.back())) {
    entries_.push_back(post);
    return;
  }
  const auto begin = entries_.begin() + static_cast<std::ptrdiff_t>(head_);
  entries_.insert(std::upper_bound(begin, entries_.end(), post), post);
}

void PostQueue::erase(const Post& post) {
  const auto begin = entries_.begin() + static_cast<std::ptrdiff_t>(head_);
  const auto at = std::lower_bound(begin, entries_.end(), post);
  PERIGEE_ASSERT(at != entries_.end() && at->serial == post.serial, "posted activity missing from its queue");
  if (at == begin)
    ++head_;
  else
    entries_.erase(at);
}

}  // namespace perigee::engine
