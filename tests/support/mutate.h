#pragma once

#include <random>
#include <string>
#include <string_view>

#include "tests/support/layers.h"

namespace perigee::test {

inline std::size_t below(std::mt19937_64& random, std::size_t n) {
  return static_cast<std::size_t>(random() % n);
}

// `text` with 1 to `most` changes. A change replaces a byte by any other, replaces or precedes a byte by one
// of `letters`, cuts a part out, or puts a part in twice.
inline std::string mutated(std::string text, std::mt19937_64& random, std::string_view letters,
                           std::size_t most) {
  const auto letter = [&] { return letters[below(random, letters.size())]; };
  for (std::size_t n = 1 + below(random, most); n > 0 && !text.empty(); --n) {
    const std::size_t at = below(random, text.size());
    switch (below(random, 5)) {
      case 0:
        text[at] = static_cast<char>(random());
        break;
      case 1:
        text[at] = letter();
        break;
      case 2:
        text.erase(at, below(random, 20));
        break;
      case 3:
        text.insert(at, text.substr(below(random, text.size()), below(random, 60)));
        break;
      default:
        text.insert(at, 1, letter());
    }
  }
  return text;
}

}  // namespace perigee::test
