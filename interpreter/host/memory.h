// The memory of the values of a script, Lua's and those of C++ alike. Every allocation of a thread is
// counted. While a script runs, allocations beyond its limit are refused.
#pragma once

#include <cstdint>
#include <limits>
#include <new>

#include "interpreter/layers.h"

namespace perigee::host {

// Thrown by operator new when the limit is reached.
class MemoryLimit : public std::bad_alloc {
 public:
  const char* what() const noexcept override { return "the limit of memory is reached"; }
};

// The account of one thread. Memory that another thread frees makes both accounts wrong; interpreters share
// next to nothing.
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

// "study.lua:3: ": the line at which the machine, not a limit, refused memory to a script of this thread
// last; "" when it never did. Written without an allocation.
extern constinit thread_local char memory_ended_at[512];

}  // namespace perigee::host
