// What the values of a script take, Lua's and those of C++ alike: every allocation of a thread is counted,
// and refused beyond the limit that is set while a script runs.
#pragma once

#include <cstdint>
#include <limits>
#include <new>

#include "interpreter/layers.h"

namespace perigee::interpreter {

// Thrown by operator new when the limit is reached.
class MemoryLimit : public std::bad_alloc {
 public:
  const char* what() const noexcept override { return "the limit of memory is reached"; }
};

// Of one thread. What another thread frees is missing on both sides; interpreters share next to nothing.
struct MemoryAccount {
  static constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();

  std::int64_t used = 0;  // bytes that are allocated and not freed
  std::int64_t limit = kUnlimited;
  std::uint64_t refused = 0;  // bytes that were asked for when the limit was met last

  bool allows(std::uint64_t bytes) const {
    return limit == kUnlimited || (used <= limit && bytes <= static_cast<std::uint64_t>(limit - used));
  }
};
extern constinit thread_local MemoryAccount memory_account;

}  // namespace perigee::interpreter
