#pragma once

#include <cassert>
#include <cstddef>
#include <initializer_list>
#include <utility>
#include <vector>

#include "runtime/layers.h"

namespace perigee::kernel {

// A list whose first items may be dropped when they are no longer needed; the others keep their places. It
// has items at the places [first(), size()).
template <class T>
class Sliding {
 public:
  using value_type = T;

  Sliding() = default;
  Sliding(std::vector<T> items) : items_(std::move(items)) {}
  Sliding(std::initializer_list<T> items) : items_(items) {}
  bool operator==(const Sliding&) const = default;

  std::size_t first() const { return dropped_ + unneeded_; }
  std::size_t size() const { return dropped_ + items_.size(); }
  std::size_t count() const { return items_.size() - unneeded_; }  // of items that are there
  bool empty() const { return unneeded_ == items_.size(); }
  bool has(std::size_t place) const { return first() <= place && place < size(); }
  // The item is there.
  T& operator[](std::size_t place) {
    assert(has(place));
    return items_[place - dropped_];
  }
  const T& operator[](std::size_t place) const {
    assert(has(place));
    return items_[place - dropped_];
  }
  const T& front() const { return *begin(); }
  T& back() { return items_.back(); }
  const T& back() const { return items_.back(); }
  // The items that are there, in order.
  auto begin() { return items_.begin() + static_cast<std::ptrdiff_t>(unneeded_); }
  auto end() { return items_.end(); }
  auto begin() const { return items_.begin() + static_cast<std::ptrdiff_t>(unneeded_); }
  auto end() const { return items_.end(); }

  void reserve(std::size_t size) {
    if (size > dropped_) items_.reserve(size - dropped_);
  }
  void push_back(T item) {
    if (items_.size() == items_.capacity() && first() > 0) make_room(items_.size() + 1);
    items_.push_back(std::move(item));
  }
  T& emplace_back() { return items_.emplace_back(); }
  void pop_back() { items_.pop_back(); }
  // `size` >= first()
  void resize(std::size_t size) {
    if (size - dropped_ > items_.capacity() && first() > 0) make_room(size - dropped_);
    items_.resize(size - dropped_);
  }
  void extend(std::size_t size) {
    if (size > this->size()) resize(size);
  }
  // The items before `place`, which is at most size(), are no longer needed. Their memory is used again when
  // they are a quarter of all.
  void drop_before(std::size_t place) {
    if (place <= first()) return;
    unneeded_ = place - dropped_;
    if (unneeded_ >= kFew && 4 * unneeded_ >= items_.size()) forget_unneeded();
  }
  // Drops all; what is added next has the place `size`.
  void restart_at(std::size_t size) {
    items_.clear();
    dropped_ = size;
    unneeded_ = 0;
  }
  std::size_t bytes() const { return items_.size() * sizeof(T); }

 private:
  static constexpr std::size_t kFew = 64;
  void forget_unneeded() {
    items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(unneeded_));
    dropped_ += std::exchange(unneeded_, 0);
  }
  // For so many items, some of which are unneeded. A list that slides has little room to spare.
  [[gnu::noinline]] void make_room(std::size_t items) {
    if (8 * unneeded_ >= items) {
      items -= unneeded_;
      forget_unneeded();
    }
    if (items > items_.capacity()) items_.reserve(items + items / 4);
  }

  std::vector<T> items_;
  std::size_t dropped_ = 0, unneeded_ = 0;  // how many are gone, and how many of the first items may go
};

}  // namespace perigee::kernel
