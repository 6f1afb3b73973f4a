#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/layers.h"

namespace perigee::kernel {

// A set of indices below a bound, in order. All operations take O(log bound) time, with base 64.
class IndexSet {
 public:
  // Empty, for indices below `bound`.
  void reset(std::size_t bound) {
    bound_ = bound;
    levels_.clear();
    do levels_.emplace_back(bound = (bound + kBits - 1) / kBits);
    while (bound > 1);
  }
  bool has(std::size_t index) const { return (levels_[0][index / kBits] >> index % kBits & 1) != 0; }
  bool empty() const { return levels_.empty() || levels_.back().empty() || levels_.back()[0] == 0; }

  void insert(std::size_t index) {
    for (Words& words : levels_) {
      words[index / kBits] |= Word{1} << index % kBits;
      index /= kBits;
    }
  }
  void erase(std::size_t index) {
    for (Words& words : levels_) {
      Word& word = words[index / kBits];
      word &= ~(Word{1} << index % kBits);
      if (word != 0) return;
      index /= kBits;
    }
  }
  // The first index of the set that is not below `from`; the bound if there is none.
  std::size_t next(std::size_t from) const {
    std::size_t level = 0;
    for (;; ++level, from = from / kBits + 1) {  // up to a word that has one
      if (level == levels_.size() || from / kBits >= levels_[level].size()) return bound_;
      if (const Word rest = levels_[level][from / kBits] >> from % kBits; rest != 0) {
        from += static_cast<std::size_t>(std::countr_zero(rest));
        break;
      }
    }
    for (; level > 0; --level)  // and down to its first
      from = from * kBits + static_cast<std::size_t>(std::countr_zero(levels_[level - 1][from]));
    return from;
  }

 private:
  using Word = std::uint64_t;
  using Words = std::vector<Word>;
  static constexpr std::size_t kBits = 64;
  std::size_t bound_ = 0;
  std::vector<Words>
      levels_;  // a bit of each level after the first tells whether a word of the one before is not 0
};

}  // namespace perigee::kernel
