// What scripts make C++ and Lua do without a call of ours that could count it: the linker leads some functions
// here first (--wrap). Lua's own instructions on long texts, comparing them and making numbers of them, call
// those of the C library; whoever reads or writes a list goes through those of Lua's interface.
#include <algorithm>
#include <cstring>

#include "interpreter/interpreter.h"

namespace {

constexpr std::size_t kLong = 1024;  // bytes: less costs next to nothing

void read_uncalled_work_text(std::size_t bytes) noexcept {
  if (bytes < kLong) [[likely]]
    return;
  if (void* who = perigee::kernel::work_meter.who)
    static_cast<perigee::interpreter::Interpreter*>(who)->note_bytes(bytes);
}

// Nothing may be thrown here; whoever looks next will see it.
void reach_entry() noexcept { ++perigee::kernel::work_meter.done; }

}  // namespace

extern "C" {

int __real_memcmp(const void* a, const void* b, std::size_t size);
int __wrap_memcmp(const void* a, const void* b, std::size_t size);
int __wrap_strcoll(const char* a, const char* b);
const char* __real_strpbrk(const char* text, const char* set);
const char* __wrap_strpbrk(const char* text, const char* set);

int __wrap_memcmp(const void* a, const void* b, std::size_t size) {
  read_uncalled_work_text(size);
  return __real_memcmp(a, b, size);
}

// By bytes, whatever the locale.
int __wrap_strcoll(const char* a, const char* b) {
  read_uncalled_work_text(std::min(std::strlen(a), std::strlen(b)));
  return std::strcmp(a, b);
}

const char* __wrap_strpbrk(const char* text, const char* set) {
  const char* found = __real_strpbrk(text, set);
  read_uncalled_work_text(found != nullptr ? static_cast<std::size_t>(found - text) : std::strlen(text));
  return found;
}

int __real_lua_next(lua_State* L, int index);
int __wrap_lua_next(lua_State* L, int index);
int __real_lua_rawget(lua_State* L, int index);
int __wrap_lua_rawget(lua_State* L, int index);
int __real_lua_rawgeti(lua_State* L, int index, lua_Integer n);
int __wrap_lua_rawgeti(lua_State* L, int index, lua_Integer n);
void __real_lua_rawset(lua_State* L, int index);
void __wrap_lua_rawset(lua_State* L, int index);
void __real_lua_rawseti(lua_State* L, int index, lua_Integer n);
void __wrap_lua_rawseti(lua_State* L, int index, lua_Integer n);
void __real_lua_setfield(lua_State* L, int index, const char* name);
void __wrap_lua_setfield(lua_State* L, int index, const char* name);

int __wrap_lua_next(lua_State* L, int index) {
  reach_entry();
  return __real_lua_next(L, index);
}
int __wrap_lua_rawget(lua_State* L, int index) {
  reach_entry();
  return __real_lua_rawget(L, index);
}
int __wrap_lua_rawgeti(lua_State* L, int index, lua_Integer n) {
  reach_entry();
  return __real_lua_rawgeti(L, index, n);
}
void __wrap_lua_rawset(lua_State* L, int index) {
  reach_entry();
  __real_lua_rawset(L, index);
}
void __wrap_lua_rawseti(lua_State* L, int index, lua_Integer n) {
  reach_entry();
  __real_lua_rawseti(L, index, n);
}
void __wrap_lua_setfield(lua_State* L, int index, const char* name) {
  reach_entry();
  __real_lua_setfield(L, index, name);
}

}  // extern "C"
