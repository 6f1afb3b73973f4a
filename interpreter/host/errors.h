// Errors across the two languages, and what keeps Lua's stack right when there is one.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/host/lua.h"
#include "runtime/kernel/error.h"

namespace perigee::host {

class Guest;

// A failure of the script: the Diagnostic plus where it came from, innermost call first.
class ScriptError : public Error {
 public:
  ScriptError(Diagnostic diagnostic, std::vector<std::string> trace)
      : Error(std::move(diagnostic)), trace_(std::move(trace)) {}
  const std::vector<std::string>& trace() const noexcept { return trace_; }

 private:
  std::vector<std::string> trace_;
};

// A limit was reached, or nothing more is wanted of the script. No pcall of the script can catch this.
class Stopped : public Error {
 public:
  using Error::Error;
};

// A Lua error raised by perigee, as the script sees it: a userdata with fields and a text.
struct ErrorValue {
  Diagnostic diagnostic;
  std::vector<std::string> trace;
  bool stop = false;
};

// Fills in the source and the line of the innermost frame of a script. False when no script runs. Allocates
// nothing.
bool find_script_line(lua_State* L, lua_Debug& frame);
// The line of the script that is running: that of the innermost frame of a file that is not part of perigee.
SourceLocation caller(lua_State* L);

// Pushes `error` as an ErrorValue, with the caller's line unless it has a location of its own.
void push_error(lua_State* L, const std::exception& error);

// Notes, as long as it lives, which thread runs, so that callbacks from the runtime find it.
class Running {
 public:
  explicit Running(lua_State* L);
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

 private:
  Guest& guest_;
  lua_State* before_;
};

// The same for a call of C++ by Lua. Garbage is collected here, because all arguments of the call are on Lua's stack.
class EnteredAtAnyDepth : Running {
 public:
  explicit EnteredAtAnyDepth(lua_State* L);
};
// The same. Error "too_deep" near the end of the stack of the thread: what is left there is for C++, and for the handler
// of this error.
class Entered : EnteredAtAnyDepth {
 public:
  explicit Entered(lua_State* L);
};

// Every C++ function that Lua calls is guard(L, body): a std::exception leaves it as a Lua error with a
// Diagnostic, after the body's locals are gone. Lua's own errors pass untouched: catching (...) would swallow
// them.
template <class Entry = Entered, class F>
int guard(lua_State* L, F&& body) {
  try {
    const Entry entered(L);
    return std::forward<F>(body)();
  } catch (const std::exception& error) {
    push_error(L, error);
  }
  return lua_error(L);
}

// Runs `body`, in which Lua may raise errors. They come out as ScriptError or Stopped; exceptions come out
// unchanged.
void protect(lua_State* L, const std::function<void(lua_State*)>& body);

// The first function pushes the message handler of protect(), for protected calls that yield. The second
// throws the error that the handler made, which is on top of the stack of `L`.
void push_error_handler(lua_State* L);
[[noreturn]] void throw_error(lua_State* L, int status);

// Restores the height of the stack. When an error leaves the block, the value on top stays, for it may be
// that error. An error of Lua that was raised further inside leaves the stack in the frame of that call, and untouched.
class Balanced {
 public:
  explicit Balanced(lua_State* L)
      : L_(L), top_(lua_gettop(L)), frame_(frame_of(L)), errors_(std::uncaught_exceptions()) {}
  ~Balanced() {
    int height = top_;
    if (std::uncaught_exceptions() != errors_) {
      if (frame_of(L_) != frame_) return;
      if (lua_gettop(L_) > top_) lua_replace(L_, ++height);
    }
    lua_settop(L_, height);
  }
  Balanced(const Balanced&) = delete;
  Balanced& operator=(const Balanced&) = delete;

 private:
  static const void* frame_of(lua_State* L) {
    lua_Debug called;
    return lua_getstack(L, 0, &called) != 0 ? static_cast<const void*>(called.i_ci) : nullptr;
  }

  lua_State* L_;
  int top_;
  const void* frame_;
  int errors_;  // exceptions under way at the beginning
};

// A Lua value kept alive from C++. Copies share the value. A reference is harmless after the state is closed.
class Reference {
 public:
  Reference() = default;
  Reference(lua_State* L, int index);
  bool valid() const { return held_ != nullptr; }
  void push(lua_State* L) const;

 private:
  struct Held;
  std::shared_ptr<const Held> held_;
};

// Where a function of the script begins. The file is unknown where its text is in none.
SourceLocation definition_of(lua_State* L, const Reference& function);

// Opens the type of errors. To be called before anything that may fail.
void open_errors(lua_State* L);

}  // namespace perigee::host
