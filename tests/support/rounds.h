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

// How often a test repeats what it draws at random: `many` times where tests are thorough, else an eighth of that; a
// fifth under the sanitizers, where each time takes several times as long.
inline std::uint64_t rounds(std::uint64_t many) {
#if defined(__SANITIZE_ADDRESS__)
  return (many + 4) / 5;
#else
  return thorough() ? many : (many + 7) / 8;
#endif
}

}  // namespace perigee::test
