#include "interpreter/host/memory.h"

#include <malloc.h>

#include <cstdlib>

namespace perigee::host {

constinit thread_local MemoryAccount memory_account;
constinit thread_local char memory_ended_at[512] = "";

namespace {

// The block, counted, where there is one.
void* taken(void* block) noexcept {
  if (block != nullptr) [[likely]]
    memory_account.used += static_cast<std::int64_t>(malloc_usable_size(block));
  return block;
}

// As the standard asks, a new-handler is called, for it may make room.
template <class Allocate>
void* counted(std::size_t size, Allocate allocate) {
  MemoryAccount& account = memory_account;
  if (!account.allows(size)) [[unlikely]] {
    account.refused = size;
    account.limit = MemoryAccount::kUnlimited;  // the script ends, and destructors may allocate
    throw MemoryLimit();
  }
  for (;;) {
    if (void* block = taken(allocate())) [[likely]]
      return block;
    if (const std::new_handler handler = std::get_new_handler())
      handler();
    else
      throw std::bad_alloc();
  }
}

void release(void* block) noexcept {
  if (block == nullptr) return;
  memory_account.used -= static_cast<std::int64_t>(malloc_usable_size(block));
  std::free(block);
}

}  // namespace

}  // namespace perigee::host

// The other forms of new and delete call these.
void* operator new(std::size_t size) {
  return perigee::host::counted(size, [&] { return std::malloc(size == 0 ? 1 : size); });
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto align = static_cast<std::size_t>(alignment);
  return perigee::host::counted(
      size, [&] { return std::aligned_alloc(align, (size + align - (size == 0 ? 0 : 1)) / align * align); });
}
// For callers that can do without the memory, as a stable sort can: null when the limit does not allow it.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  const bool allowed = perigee::host::memory_account.allows(size);
  return allowed ? perigee::host::taken(std::malloc(size == 0 ? 1 : size)) : nullptr;
}
void operator delete(void* block) noexcept { perigee::host::release(block); }
void operator delete(void* block, std::size_t) noexcept { perigee::host::release(block); }
void operator delete(void* block, std::align_val_t) noexcept { perigee::host::release(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { perigee::host::release(block); }
