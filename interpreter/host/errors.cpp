#include "interpreter/host/errors.h"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include "interpreter/host/guest.h"
#include "interpreter/host/stack.h"

namespace perigee::host {

template <>
struct TypeName<ErrorValue> {
  static constexpr const char* value = "error";
};

namespace {

constexpr int kInnermost = 12;  // calls shown of a deep recursion
constexpr int kOutermost = 4;
constexpr std::uint64_t kStepsOfCall = 10;  // steps of a call of C++, whatever it does

bool is_script(const lua_Debug& frame) { return frame.source != nullptr && frame.source[0] == '@'; }

// The text without the "name:line: " that Lua put before it, and that place.
bool strip_position(lua_State* L, std::string& message, SourceLocation& where) {
  lua_Debug frame;
  for (int level = 0; level < 64 && lua_getstack(L, level, &frame) != 0; ++level) {
    lua_getinfo(L, "Sl", &frame);
    if (frame.currentline <= 0) continue;
    const std::string prefix =
        fmt::format("{}:{}: ", static_cast<const char*>(frame.short_src), frame.currentline);
    if (message.compare(0, prefix.size(), prefix) != 0) continue;
    message.erase(0, prefix.size());
    if (is_script(frame)) where = {frame.source + 1, frame.currentline};
    return true;
  }
  // A syntax error: its chunk does not run.
  for (const auto& [name, text] : Guest::of(L).sources().texts()) {
    const std::string head =
        name.size() < LUA_IDSIZE - 1 ? name : "..." + name.substr(name.size() - (LUA_IDSIZE - 4));
    if (message.compare(0, head.size() + 1, head + ":") != 0) continue;
    std::size_t end = head.size() + 1;
    int line = 0;
    while (end < message.size() && message[end] >= '0' && message[end] <= '9' && line < 100000000)
      line = line * 10 + (message[end++] - '0');
    if (line == 0 || message.compare(end, 2, ": ") != 0) continue;
    where = {name, line};
    message.erase(0, end + 2);
    return true;
  }
  return false;
}

std::string frame_text(lua_State* L, lua_Debug& frame) {
  lua_getinfo(L, "Slnt", &frame);
  if (!is_script(frame) || frame.currentline <= 0) return {};
  std::string function;
  if (*frame.what == 'm')
    function = "in the main chunk";
  else if (frame.name != nullptr && *frame.namewhat != '\0')
    function = fmt::format("in '{}'", frame.name);
  else
    function = fmt::format("in the function at line {}", frame.linedefined);
  return fmt::format("{}:{}: {}", frame.source + 1, frame.currentline, function);
}

// Calls of the script that are under way, innermost first; the middle of a deep recursion is left out.
std::vector<std::string> trace_of(lua_State* L) {
  lua_Debug frame;
  int depth = 1;  // found by doubling, then bisection: the stack may be deep
  while (lua_getstack(L, depth, &frame) != 0) depth *= 2;
  int low = depth / 2, high = depth;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (lua_getstack(L, middle, &frame) != 0)
      low = middle + 1;
    else
      high = middle;
  }
  std::vector<std::string> lines;
  for (int level = 0; level < low; ++level) {
    if (level == kInnermost && low > kInnermost + kOutermost) {
      lines.push_back(fmt::format("... {} more calls", low - kInnermost - kOutermost));
      level = low - kOutermost;
    }
    if (lua_getstack(L, level, &frame) == 0) break;
    std::string line = frame_text(L, frame);
    if (!line.empty()) lines.push_back(std::move(line));
  }
  return lines;
}

// The message of a value that the script raised and that is no text: its `message`, and what else a table
// has.
std::string text_of_raised(lua_State* L, int index) {
  constexpr std::size_t kMost = 5;
  std::string text = fmt::format("the script raised {}", shown(L, index));
  if (lua_type(L, index) != LUA_TTABLE || lua_getmetatable(L, index) != 0) return text;
  std::string message, others;
  std::size_t count = 0;
  each_sorted(L, index, [&] {
    const auto key = text_at(L, -2), value = text_at(L, -1);
    if (key == "message" && value) {
      message = *value;
    } else if (++count <= kMost) {
      others += fmt::format("{}{} = {}", count > 1 ? ", " : "", key ? std::string(*key) : shown(L, -2),
                            shown(L, -1));
    }
  });
  if (count > kMost) others += ", ...";
  if (!message.empty()) return others.empty() ? message : fmt::format("{} ({})", message, others);
  return others.empty() ? text : fmt::format("{}: {}", text, others);
}

// Turns whatever was raised into an ErrorValue. Message handler of every protected call of ours.
int on_error(lua_State* L) {
  return guard<EnteredAtAnyDepth>(L, [&] {
    if (auto* raised = test<ErrorValue>(L, 1)) {
      if (raised->trace.empty()) raised->trace = trace_of(L);
      return 1;
    }
    ErrorValue value;
    value.diagnostic.code = "script_error";
    if (const auto text = text_at(L, 1)) {
      value.diagnostic.message = *text;
      if (!strip_position(L, value.diagnostic.message, value.diagnostic.where))
        value.diagnostic.where = caller(L);
    } else {
      value.diagnostic.message = text_of_raised(L, 1);
      value.diagnostic.where = caller(L);
    }
    value.trace = trace_of(L);
    push_new(L, std::move(value));
    return 1;
  });
}

int error_text(lua_State* L) {
  return guard(L, [&] {
    push(L, check<ErrorValue>(L, 1).diagnostic.text());
    return 1;
  });
}

int error_concat(lua_State* L) {
  luaL_tolstring(L, 1, nullptr);
  luaL_tolstring(L, 2, nullptr);
  lua_concat(L, 2);
  return 1;
}

bool error_property(lua_State* L, int index, std::string_view name) {
  const Diagnostic& diagnostic = check<ErrorValue>(L, index).diagnostic;
  if (name == "message") {
    push(L, diagnostic.message);
  } else if (name == "code") {
    push(L, diagnostic.code);
  } else if (name == "file") {
    push(L, diagnostic.where.file);
  } else if (name == "line") {
    lua_pushinteger(L, diagnostic.where.line);
  } else if (name == "notes") {
    lua_newtable(L);
    for (std::size_t i = 0; i < diagnostic.notes.size(); ++i) {
      push(L, diagnostic.notes[i]);
      lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
    }
  } else {
    return false;
  }
  return true;
}

struct Body {
  const std::function<void(lua_State*)>* run;
  std::exception_ptr thrown;
};

int run_body(lua_State* L) {
  auto* body = static_cast<Body*>(lua_touserdata(L, 1));
  lua_settop(L, 0);
  try {
    (*body->run)(L);
  } catch (const std::bad_alloc& error) {
    try {
      Guest::of(L).stop_for_memory(error);
    } catch (const Stopped&) {
      body->thrown = std::current_exception();
    }
  } catch (const std::exception&) {
    body->thrown = std::current_exception();
  }
  return 0;
}

}  // namespace

void open_errors(lua_State* L) {
  static constexpr luaL_Reg kMeta[] = {
      {"__tostring", error_text}, {"__concat", error_concat}, {nullptr, nullptr}};
  new_type<ErrorValue>(L, nullptr, kMeta, error_property, {"message", "code", "file", "line", "notes"});
}

bool find_script_line(lua_State* L, lua_Debug& frame) {
  for (int level = 0; lua_getstack(L, level, &frame) != 0; ++level) {
    lua_getinfo(L, "Sl", &frame);
    if (is_script(frame) && frame.currentline > 0) return true;
  }
  return false;
}

SourceLocation caller(lua_State* L) {
  lua_Debug frame;
  if (!find_script_line(L, frame)) return {};
  return {frame.source + 1, frame.currentline};
}

void push_error(lua_State* L, const std::exception& error) {
  luaL_checkstack(L, 8, "errors");
  const Running running(L);
  ErrorValue value;
  if (const auto* ours = dynamic_cast<const Error*>(&error)) {
    value.diagnostic = ours->diagnostic();
    value.stop = dynamic_cast<const Stopped*>(&error) != nullptr;
    if (const auto* script = dynamic_cast<const ScriptError*>(&error)) value.trace = script->trace();
  } else if (const auto* memory = dynamic_cast<const std::bad_alloc*>(&error)) {
    try {
      Guest::of(L).stop_for_memory(*memory);
    } catch (const Stopped& stopped) {
      value.diagnostic = stopped.diagnostic();
      value.stop = true;
    }
  } else if (dynamic_cast<const std::length_error*>(&error) != nullptr) {  // thrown by a container
    value.diagnostic = {"too_large", "this is larger than any memory", {}, {}};
  } else {
    value.diagnostic = {"internal", error.what(), {}, {"this is a fault of perigee, not of the script"}};
  }
  if (!value.diagnostic.where.known() && !value.stop) value.diagnostic.where = caller(L);
  if (std::string note = Guest::of(L).wording().note_on_call(L, value.diagnostic); !note.empty())
    value.diagnostic.notes.push_back(std::move(note));
  push_new(L, std::move(value));
}

namespace {

// Addresses below are too near to the end of the stack of this thread; it grows downwards.
std::uintptr_t stack_floor() {
  static constexpr std::size_t kReserve = 64 << 10;  // bytes, for what C++ does at one call
  static thread_local const std::uintptr_t floor = [] {
    pthread_attr_t attributes;
    void* lowest = nullptr;
    std::size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return std::uintptr_t{0};
    pthread_attr_getstack(&attributes, &lowest, &size);
    pthread_attr_destroy(&attributes);
    return reinterpret_cast<std::uintptr_t>(lowest) + std::min(kReserve, size / 2);
  }();
  return floor;
}

}  // namespace

Running::Running(lua_State* L) : guest_(Guest::of(L)), before_(guest_.running_) { guest_.running_ = L; }
Running::~Running() { guest_.running_ = before_; }

EnteredAtAnyDepth::EnteredAtAnyDepth(lua_State* L) : Running(L) {
  did_work(kStepsOfCall);
  Guest::of(L).collect_when_due();
}

Entered::Entered(lua_State* L) : EnteredAtAnyDepth(L) {
  if (reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) < stack_floor())
    fail("too_deep", "calls are nested too deeply for the stack of this process (ulimit -s)");
}

void push_error_handler(lua_State* L) { lua_pushcfunction(L, on_error); }

void throw_error(lua_State* L, int status) {
  Guest& guest = Guest::of(L);
  if (status == LUA_ERRMEM && !guest.stopped()) {
    lua_pop(L, 1);
    guest.stop_for_memory();
  }
  if (const ErrorValue* value = test<ErrorValue>(L, -1)) {
    ErrorValue copy = *value;
    lua_pop(L, 1);
    if (copy.stop) throw Stopped(std::move(copy.diagnostic));
    throw ScriptError(std::move(copy.diagnostic), std::move(copy.trace));
  }
  if (guest.stopped()) {
    lua_pop(L, 1);
    throw Stopped(guest.stop_reason());
  }
  Diagnostic diagnostic{"script_error", text_at(L, -1) ? std::string(*text_at(L, -1)) : shown(L, -1), {}, {}};
  if (status == LUA_ERRERR)
    diagnostic.message = "an error inside the handling of an error: " + diagnostic.message;
  lua_pop(L, 1);
  throw ScriptError(std::move(diagnostic), {});
}

void protect(lua_State* L, const std::function<void(lua_State*)>& run) {
  const Guest::Bounded bounded(Guest::of(L));
  Body body{&run, nullptr};
  luaL_checkstack(L, 4, "calls");
  lua_pushcfunction(L, on_error);
  const int handler = lua_gettop(L);
  lua_pushcfunction(L, run_body);
  lua_pushlightuserdata(L, &body);
  const int status = lua_pcall(L, 1, 0, handler);
  lua_remove(L, handler);
  if (status != LUA_OK) throw_error(L, status);
  if (body.thrown) std::rethrow_exception(body.thrown);
}

struct Reference::Held {
  std::shared_ptr<Guest::Handle> handle;
  int key = LUA_NOREF;
  ~Held() {
    const std::uint64_t work = work_meter.done;  // whatever it costs: when the collector comes is not counted
    if (handle->state != nullptr) luaL_unref(handle->state, LUA_REGISTRYINDEX, key);
    work_meter.done = work;
  }
};

Reference::Reference(lua_State* L, int index) {
  lua_pushvalue(L, index);
  auto held = std::make_shared<Held>();
  held->handle = Guest::of(L).handle();
  held->key = luaL_ref(L, LUA_REGISTRYINDEX);
  held_ = std::move(held);
}

void Reference::push(lua_State* L) const {
  PERIGEE_ASSERT(held_ != nullptr, "a reference to nothing");
  lua_rawgeti(L, LUA_REGISTRYINDEX, held_->key);
}

SourceLocation definition_of(lua_State* L, const Reference& function) {
  luaL_checkstack(L, 2, "functions");
  function.push(L);
  lua_Debug about;
  lua_getinfo(L, ">S", &about);
  return {about.source[0] == '@' ? about.source + 1 : "", about.linedefined};
}

}  // namespace perigee::host
