#pragma once

#include <cstdint>

namespace perigee::test {

// How often a test repeats what it draws at random: `many` times, and a fifth of that under the sanitizers, where each
// time takes several times as long.
constexpr std::uint64_t rounds(std::uint64_t many) {
#if defined(__SANITIZE_ADDRESS__)
  return (many + 4) / 5;
#else
  return many;
#endif
}

}  // namespace perigee::test
