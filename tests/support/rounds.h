#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace perigee::test {

// Whether tests that draw at random draw all that they may, PERIGEE_TESTS=thorough, or what somebody at work waits for.
inline bool thorough() {
  const char* chosen = std::getenv("PERIGEE_TESTS");
  return chosen != nullptr && std::string_view(chosen) == "thorough";
}

// How often a test repeats what it draws at random: `many` times where tests are thorough, else an eighth of that; under
// the sanitizers, where each time takes several times as long, a quarter of either.
inline std::uint64_t rounds(std::uint64_t many) {
#if defined(PERIGEE_SANITIZED)
  const std::uint64_t slower = 4;
#else
  const std::uint64_t slower = 1;
#endif
  const std::uint64_t shares = (thorough() ? 1 : 8) * slower;
  return (many + shares - 1) / shares;
}

}  // namespace perigee::test
