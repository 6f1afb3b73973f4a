#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "runtime/layers.h"

namespace perigee::results {

// The items [begin, end) of a long list of which the first ones are no longer needed.
template <class T>
class Sliding {
 public:
  std::size_t begin() const { return begin_; }
  std::size_t end() const { return dropped_ + items_.size(); }
  bool empty() const { return begin() == end(); }
  bool has(std::size_t i) const { return begin() <= i && i < end(); }
  // The item is there.
  T& operator[](std::size_t i) { return items_[i - dropped_]; }
  const T& operator[](std::size_t i) const { return items_[i - dropped_]; }
  void push_back(T item) { items_.push_back(std::move(item)); }
  void extend(std::size_t end) {
    if (end > this->end()) items_.resize(end - dropped_);
  }
  // The items before `begin` are no longer needed.
  void drop_before(std::size_t begin) {
    begin_ = begin;
    const std::size_t unneeded = begin_ - dropped_;
    if (unneeded < kFew || 2 * unneeded < items_.size()) return;
    items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(unneeded));
    dropped_ = begin_;
  }
  std::size_t bytes() const { return items_.size() * sizeof(T); }

 private:
  static constexpr std::size_t kFew = 64;
  std::vector<T> items_;
  std::size_t dropped_ = 0, begin_ = 0;  // dropped_ <= begin_
};

}  // namespace perigee::results
