// A process of a script at work: a coroutine that drives a scenario.
//
// A coroutine cannot be copied. Each process keeps a log of the answers to its calls. A fork's process begins
// the function anew and answers its calls from the log until it stands where the original stood. Drawn
// numbers need no log, because the process's streams begin anew as well.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "interpreter/host/stack.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/session/surroundings.h"
#include "interpreter/values/declarations.h"
#include "runtime/engine/process.h"

namespace perigee::bindings {

class LuaProcess;

// `sim` in a process. It is valid while the process, or its condition, runs.
struct ProcessView {
  std::shared_ptr<LuaProcess*> process;  // the pointer in it is null when the process is gone
};

}  // namespace perigee::bindings

namespace perigee::host {

template <>
struct TypeName<bindings::ProcessView> {
  static constexpr const char* value = "process";
};

}  // namespace perigee::host

namespace perigee::bindings {

enum ProcessCall : std::uint8_t {
  kWait,
  kWaitUntil,
  kWaitFor,
  kFail,
  kRecover,
  kLeave,
  kJoin,
  kChange,
  kSubmit,
  kMark,
  kNote,
  kNow,
  kIsUp,
  kIdle,
  kRunning,
  kQueued,
  kSpeed,
  kActivity,
  kField,
  kSettled,
};
constexpr std::array<const char*, kSettled + 1> kProcessCalls = {
    "wait",       "wait_until", "wait_for", "fail",     "recover", "leave",     "join",
    "change",     "submit",     "mark",     "note",     "now",     "is_up",     "idle_cores",
    "running_on", "queued_on",  "speed",    "activity", "a field", "is_settled"};

constexpr std::uint64_t kMostCalls = 1'000'000;  // calls between two waits

using ActivityIds = std::shared_ptr<const std::vector<ActivityId>>;
using OneActivity = std::shared_ptr<const ActivityView>;  // null: it is over
using ProcessAnswer = std::variant<std::monostate, bool, lua_Integer, double, ActivityIds, OneActivity,
                                   std::shared_ptr<const Diagnostic>>;

struct LoggedCall {
  ProcessCall call;
  std::uint64_t arguments;  // hash of the arguments
  Time at;
  ProcessAnswer answer;
};

struct ProcessDefinition {
  Reference run;
  std::string name;
  std::size_t number = 0;
  bool keeps_alive = false;
  SourceLocation declared_at;
  PlatformValue platform;
  std::shared_ptr<Surroundings> surroundings = std::make_shared<Surroundings>();
};

// The value at `index` as an answer.
ProcessAnswer answer_at(lua_State* L, int index);
// Pushes an answer and returns how many values it is. An answer that is an error is raised.
int push_logged(lua_State* L, const ProcessAnswer& answer);

class LuaProcess final : public Process {
 public:
  LuaProcess(Interpreter& interpreter, std::shared_ptr<const ProcessDefinition> definition)
      : interpreter_(&interpreter),
        definition_(std::move(definition)),
        run_(interpreter.traces().new_run()),
        log_(std::make_shared<std::vector<LoggedCall>>()) {}
  ~LuaProcess() override { *self_ = nullptr; }
  LuaProcess(const LuaProcess&) = delete;
  LuaProcess& operator=(const LuaProcess&) = delete;

  std::unique_ptr<Process> clone() const override;

  std::string name() const override { return definition_->name; }
  bool keeps_alive() const override { return definition_->keeps_alive; }

  Wait wake(World& world) override;

  bool holds(World& world) override;

  // ---- helpers of its calls

  World& world() const {
    if (world_ == nullptr) fail("stale", "this sim belongs to a process; it is valid while the process runs");
    return *world_;
  }
  const ProcessDefinition& definition() const { return *definition_; }
  bool looking() const { return looking_; }

  // Answers a call from the log, or by live(), which pushes a value or nothing, or returns the answer. The
  // log notes a new one.
  template <class F>
  int answer(lua_State* L, ProcessCall call, std::uint64_t arguments, F&& live) {
    if (at_ < length_) return push_logged(L, next(call, arguments).answer);
    count_call(call);
    const int top = lua_gettop(L);
    ProcessAnswer value;
    try {
      if constexpr (std::is_void_v<std::invoke_result_t<F>>) {
        live();
        if (lua_gettop(L) > top) value = answer_at(L, -1);
      } else {
        value = live();
        push_logged(L, value);
      }
    } catch (const Stopped&) {
      throw;
    } catch (const Error& error) {
      auto problem = std::make_shared<Diagnostic>(error.diagnostic());
      if (!problem->where.known()) problem->where = caller(L);
      note({call, arguments, world().now(), std::move(problem)});
      throw;
    }
    note({call, arguments, world().now(), std::move(value)});
    return lua_gettop(L) - top;
  }

  // Whether the coroutine is to yield. until(now) is the time to wait for; a condition is at `condition`.
  template <class F>
  bool begin_wait(lua_State* L, ProcessCall call, std::uint64_t arguments, F&& until) {
    no_condition(call);
    if (L != co_)
      fail("bad_call", "sim:{} must be called by the process itself, not in a coroutine within it",
           kProcessCalls[call]);
    if (lua_isyieldable(L) == 0)
      fail("bad_call", "sim:{} cannot be called in a function that perigee calls, such as a sort's order",
           kProcessCalls[call]);
    if (at_ < length_) {
      const LoggedCall& entry = next(call, arguments);
      push_logged(L, entry.answer);
      return at_ == length_;
    }
    answer(L, call, arguments, [&] { wait_ = {.until = until()}; });
    return true;
  }
  bool begin_wait_for(lua_State* L, int condition);
  void no_condition(ProcessCall call) const {
    if (looking_) fail("bad_call", "a condition only looks, it must not call sim:{}", kProcessCalls[call]);
  }

  RandomValue stream(std::string_view name) {
    return {Stream(world().seed(), fmt::format("process/{}/{}", definition_->number, name))};
  }
  Reference& stream_value(const std::string& name) { return streams_[name]; }

 private:
  void count_call(ProcessCall call);

  void note(LoggedCall entry);

  // The next entry of the log. The function has to ask for the same as it did then.
  const LoggedCall& next(ProcessCall call, std::uint64_t arguments);
  [[noreturn]] void differs(const std::string& how);

  // Asks the condition that the process waits for. It may only look.
  bool look(lua_State* L);

  std::uint64_t drawn_so_far(lua_State* L) const;

  // Makes the coroutine. In a fork, brings it to the place where the original stood.
  void bring_up_to_date(lua_State* L);

  // Runs the process until it waits; false when it is over.
  bool resume(lua_State* L);

  void in_call(World& world, const std::function<void(lua_State*)>& run);

  std::string text() const;

 public:
  void yield_now() { yields_ = true; }

 private:
  Interpreter* interpreter_;
  std::shared_ptr<const ProcessDefinition> definition_;
  std::uint64_t run_;
  bool begun_ = false;
  std::shared_ptr<std::vector<LoggedCall>> log_;  // shared with forks; the first `length_` are its own
  std::size_t length_ = 0, at_ = 0;               // entries answered so far by this coroutine
  Reference thread_, view_value_, condition_;
  lua_State* co_ = nullptr;
  std::shared_ptr<LuaProcess*> self_ = std::make_shared<LuaProcess*>(this);
  std::map<std::string, Reference, std::less<>> streams_;
  World* world_ = nullptr;
  Wait wait_;
  std::uint64_t calls_ = 0;  // calls since it woke
  bool first_ = false, yields_ = false, looking_ = false;
  std::string differs_;
};

}  // namespace perigee::bindings
