// The keys of waiting tasks, of which the smallest comes out first; ties: by position.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/layers.h"

namespace perigee::cost {

// The keys stand in blocks, each with its lowest key. All are 0 at first.
class Keys {
 public:
  explicit Keys(std::size_t tasks);
  void set(std::size_t task, double key) { put(slot_[task], key); }  // not NaN
  double key(std::size_t task) const { return keys_[slot_[task]]; }  // as set
  void remove(std::size_t task);
  bool empty() const { return left_ == 0; }
  std::size_t lowest();  // there must be one

 private:
  static constexpr std::size_t kBlock = 64;  // keys

  // Sets the key of the slot.
  void put(std::size_t slot, double key) {
    const std::size_t block = slot / kBlock;
    if (key < low_[block]) low_[block] = key;           // still the lowest of all
    if (keys_[slot] == low_[block]) known_[block] = 0;  // perhaps the only one
    keys_[slot] = key;
  }
  std::span<const double> block(std::size_t b) const {
    return std::span(keys_).subspan(b * kBlock, std::min(kBlock, keys_.size() - b * kBlock));
  }

  std::vector<double> keys_;         // in order of position; removed ones are +inf
  std::vector<std::uint32_t> task_;  // per slot; kUnmapped = removed
  std::vector<std::uint32_t> slot_;
  std::vector<double> low_;  // per block: its lowest key, if known
  std::vector<std::uint8_t> known_;
  std::size_t left_;
};

}  // namespace perigee::cost
