#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/layers.h"

namespace perigee::kernel {

// A set of indices below a bound, in order. All operations take O(log bound) time, with base 64.
class IndexSet {
 public:
  // Empty, for indices below `bound`, which is less than 2^32.
  void reset(std::size_t bound) {
    bound_ = bound;
    top_ = 0;
    std::size_t words = 0;
    for (first_[0] = 0;; first_[++top_] = words) {
      bound = (bound + kBits - 1) / kBits;
      words += bound;
      if (bound <= 1) break;
    }
    words_.assign(words, 0);
  }
  bool empty() const { return words_.empty() || words_.back() == 0; }

  void insert(std::size_t index) {
    for (std::size_t level = 0; level <= top_; ++level, index /= kBits) {
      Word& word = words_[first_[level] + index / kBits];
      const bool was_empty = word == 0;
      word |= Word{1} << index % kBits;
      if (!was_empty) return;
    }
  }
  void erase(std::size_t index) {
    for (std::size_t level = 0; level <= top_; ++level, index /= kBits) {
      Word& word = words_[first_[level] + index / kBits];
      word &= ~(Word{1} << index % kBits);
      if (word != 0) return;
    }
  }
  // The first index of the set that is not below `from`; the bound if there is none.
  std::size_t next(std::size_t from) const {
    std::size_t level = 0;
    for (;; ++level, from = from / kBits + 1) {  // up to a word that has one
      const std::size_t at = first_[level] + from / kBits;
      if (at >= (level < top_ ? first_[level + 1] : words_.size())) return bound_;
      if (const Word rest = words_[at] >> from % kBits; rest != 0) {
        from += static_cast<std::size_t>(std::countr_zero(rest));
        break;
      }
      if (level == top_) return bound_;
    }
    for (; level > 0; --level)  // and down to its first
      from = from * kBits + static_cast<std::size_t>(std::countr_zero(words_[first_[level - 1] + from]));
    return from;
  }

 private:
  using Word = std::uint64_t;
  static constexpr std::size_t kBits = 64, kLevels = 6;
  std::size_t bound_ = 0;
  std::size_t top_ = 0;  // the last level, of one word
  // Level after level; a bit of each one after the first tells whether a word of the one before is not 0.
  std::vector<Word> words_;
  std::array<std::size_t, kLevels> first_{};  // word of each level
};

}  // namespace perigee::kernel
