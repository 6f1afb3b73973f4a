// What Lua's own instructions do to long texts, comparing them and making numbers of them, takes long and
// calls nothing of ours. It calls these functions of the C library, which the linker leads here first
// (--wrap): they count what they have read.
#include <algorithm>
#include <cstring>

#include "interpreter/interpreter.h"

namespace {

constexpr std::size_t kLong = 1024;  // bytes: less costs next to nothing

void read_text(std::size_t bytes) noexcept {
  if (bytes < kLong) [[likely]]
    return;
  if (void* who = perigee::kernel::work_meter.who)
    static_cast<perigee::interpreter::Interpreter*>(who)->note_bytes(bytes);
}

}  // namespace

extern "C" {

int __real_memcmp(const void* a, const void* b, std::size_t size);
int __wrap_memcmp(const void* a, const void* b, std::size_t size);
int __wrap_strcoll(const char* a, const char* b);
const char* __real_strpbrk(const char* text, const char* set);
const char* __wrap_strpbrk(const char* text, const char* set);

int __wrap_memcmp(const void* a, const void* b, std::size_t size) {
  read_text(size);
  return __real_memcmp(a, b, size);
}

// By bytes, whatever the locale.
int __wrap_strcoll(const char* a, const char* b) {
  read_text(std::min(std::strlen(a), std::strlen(b)));
  return std::strcmp(a, b);
}

const char* __wrap_strpbrk(const char* text, const char* set) {
  const char* found = __real_strpbrk(text, set);
  read_text(found != nullptr ? static_cast<std::size_t>(found - text) : std::strlen(text));
  return found;
}

}  // extern "C"
