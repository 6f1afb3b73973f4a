// Counts work that scripts cause in C++ and Lua without a call of ours that could count it. The linker leads
// calls of some functions here first (--wrap). Lua's own instructions that compare long texts or make numbers
// of them call functions of the C library. Code that reads or writes a list calls functions of Lua's
// interface.
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "interpreter/host/guest.h"

namespace {

constexpr std::size_t kLong = 1024;  // bytes: less costs next to nothing

void read_uncalled_work_text(std::size_t bytes) noexcept {
  if (bytes < kLong) [[likely]]
    return;
  if (void* who = perigee::kernel::work_meter.who) static_cast<perigee::host::Guest*>(who)->note_bytes(bytes);
}

// Nothing may be thrown here; the next look will see it.
void reach_entry() noexcept { ++perigee::kernel::work_meter.done; }

// Lua compares the pieces of a text between bytes 0 one after another.
void pass_piece_of_text(std::size_t bytes) noexcept {
  if (void* who = perigee::kernel::work_meter.who) {
    auto& guest = *static_cast<perigee::host::Guest*>(who);
    guest.note_steps(1);
    guest.note_bytes(bytes);
  }
}

// Lua passes the free places of a table's hash too, which are many where entries were removed.
void pass_places(const void* table) noexcept {
  constexpr int kPlacesOfStep = 16;
  perigee::kernel::work_meter.done += perigee::host::places_of_hash(table) / kPlacesOfStep;
}

// Moved by one instruction: `f(...)`, `return ...`. A step each.
void move_values(int count) noexcept {
  constexpr int kMany = 64;  // fewer cost next to nothing
  if (count < kMany) [[likely]]
    return;
  if (void* who = perigee::kernel::work_meter.who)
    static_cast<perigee::host::Guest*>(who)->note_steps(static_cast<std::uint64_t>(count));
}

// Metatables that one instruction goes through.
void follow_metatable(std::uint64_t steps) noexcept {
  if (void* who = perigee::kernel::work_meter.who) static_cast<perigee::host::Guest*>(who)->note_steps(steps);
}

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier): the linker wants these names
extern "C" {

int __real_memcmp(const void* a, const void* b, std::size_t size);
int __wrap_memcmp(const void* a, const void* b, std::size_t size);
int __wrap_strcoll(const char* a, const char* b);

int __wrap_memcmp(const void* a, const void* b, std::size_t size) {
  read_uncalled_work_text(size);
  return __real_memcmp(a, b, size);
}

// By bytes, whatever the locale.
int __wrap_strcoll(const char* a, const char* b) {
  pass_piece_of_text(std::min(std::strlen(a), std::strlen(b)));
  return std::strcmp(a, b);
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
  if (lua_isnil(L, -1)) pass_places(lua_topointer(L, index));
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

// ---- inside of Lua 5.4. Weak: where a Lua has no such function, nothing calls its stand-in.

struct CallInfo;
struct StackValue;
struct Table;
struct TString;
struct TValue {
  std::uint64_t value;
  std::uint8_t tag;
};
enum : int { kIndexEvent = 0, kNewIndexEvent = 1, kCallEvent = 23 };  // TMS

[[gnu::weak]] std::size_t __real__Z12luaO_str2numPKcP6TValue(const char* text, TValue* number);
std::size_t __wrap__Z12luaO_str2numPKcP6TValue(const char* text, TValue* number);
[[gnu::weak]] void __real__Z15luaT_getvarargsP9lua_StateP8CallInfoP10StackValuei(lua_State* L, CallInfo* call,
                                                                                 StackValue* to, int wanted);
void __wrap__Z15luaT_getvarargsP9lua_StateP8CallInfoP10StackValuei(lua_State* L, CallInfo* call,
                                                                   StackValue* to, int wanted);
[[gnu::weak]] void __real__Z12luaD_poscallP9lua_StateP8CallInfoi(lua_State* L, CallInfo* call, int count);
void __wrap__Z12luaD_poscallP9lua_StateP8CallInfoi(lua_State* L, CallInfo* call, int count);
[[gnu::weak]] const TValue* __real__Z10luaT_gettmP5Table3TMSP7TString(Table* events, int event,
                                                                      TString* name);
const TValue* __wrap__Z10luaT_gettmP5Table3TMSP7TString(Table* events, int event, TString* name);
[[gnu::weak]] const TValue* __real__Z15luaT_gettmbyobjP9lua_StatePK6TValue3TMS(lua_State* L, const TValue* of,
                                                                               int event);
const TValue* __wrap__Z15luaT_gettmbyobjP9lua_StatePK6TValue3TMS(lua_State* L, const TValue* of, int event);

// Skips blanks and zeros one by one.
std::size_t __wrap__Z12luaO_str2numPKcP6TValue(const char* text, TValue* number) {
  read_uncalled_work_text(std::strlen(text));
  return __real__Z12luaO_str2numPKcP6TValue(text, number);
}

void __wrap__Z15luaT_getvarargsP9lua_StateP8CallInfoP10StackValuei(lua_State* L, CallInfo* call,
                                                                   StackValue* to, int wanted) {
  __real__Z15luaT_getvarargsP9lua_StateP8CallInfoP10StackValuei(L, call, to, wanted);
  move_values(wanted < 0 ? lua_gettop(L) : wanted);  // all of them end at the top
}

void __wrap__Z12luaD_poscallP9lua_StateP8CallInfoi(lua_State* L, CallInfo* call, int count) {
  move_values(count);
  __real__Z12luaD_poscallP9lua_StateP8CallInfoi(L, call, count);
}

const TValue* __wrap__Z10luaT_gettmP5Table3TMSP7TString(Table* events, int event, TString* name) {
  const TValue* found = __real__Z10luaT_gettmP5Table3TMSP7TString(events, event, name);
  // Lua asks only once for each table without the metamethod, then it remembers.
  if (found != nullptr && (event == kIndexEvent || event == kNewIndexEvent)) follow_metatable(1);
  return found;
}

// A __call may be no function but a value with a __call itself, and so on. Lua follows these links without a
// look at anything and moves all arguments each time. A circle of links takes minutes.
const TValue* __wrap__Z15luaT_gettmbyobjP9lua_StatePK6TValue3TMS(lua_State* L, const TValue* of, int event) {
  static constexpr TValue kNone{0, LUA_TNIL};
  static thread_local int links = 0;
  const TValue* found = __real__Z15luaT_gettmbyobjP9lua_StatePK6TValue3TMS(L, of, event);
  if (event != kCallEvent) return found;
  follow_metatable(10);
  constexpr int kMost = 100;
  const int kind = found->tag & 0x0f;
  links = kind == LUA_TFUNCTION || kind == LUA_TNIL ? 0 : links + 1;
  if (links <= kMost) return found;
  links = 0;
  return &kNone;
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier)
