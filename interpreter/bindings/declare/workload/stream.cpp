#include "interpreter/bindings/declare/workload/stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "interpreter/bindings/declare/workload/builder.h"
#include "interpreter/bindings/declare/workload/records.h"
#include "interpreter/language/fields/work.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/session/surroundings.h"

namespace perigee::bindings {

namespace {

constexpr std::string_view kKeepsInVariables =
    "the function of a stream keeps numbers, strings and new tables in variables that it captured";
constexpr std::int64_t kAtATime = 256;  // works for which the function is called in a row

// A function given to workload.stream, and where it stands.
struct StreamFunction {
  Reference function;
  SourceLocation defined;
  std::int64_t count = 0;  // of works at most
  PlatformValue platform;
  std::shared_ptr<const model::Queues> queues;
  std::uint64_t seed = 0;
  std::uint64_t made_in = 0;  // see WorkloadPart
  std::shared_ptr<Surroundings> surroundings = std::make_shared<Surroundings>(kKeepsInVariables);
};

class LuaStream final : public model::WorkStream {
 public:
  LuaStream(lua_State* L, std::shared_ptr<const StreamFunction> function)
      : interpreter_(&Interpreter::of(L)),
        function_(std::move(function)),
        rng_(function_->seed, "workload"),
        run_(interpreter_->traces().new_run()),
        captured_(L, function_->function),
        builder_(function_->platform, nullptr, function_->seed, function_->queues) {}

  std::unique_ptr<WorkStream> clone() const override {
    lua_State* L = interpreter_->running();
    if (made_ > 0) interpreter_->traces().check_fork(L, run_, kWho, *function_->surroundings);
    auto copy = std::make_unique<LuaStream>(*this);
    copy->run_ = interpreter_->traces().new_run();
    copy->captured_ = captured_.copy(L, kWho);
    return copy;
  }

  void next(Workload& out) override {
    builder_.restart_at(static_cast<std::size_t>(made_));
    const Interpreter::InRun in_run(*interpreter_);
    if (!over_) make_some();
    out.works = builder_.made().works;
    out.times = builder_.made().times;
    out.extras = builder_.made().extras;
    out.queues = builder_.made().queues;
  }

  std::span<const std::string> users() const override { return builder_.made().users; }
  std::shared_ptr<const model::Queues> queues() const override { return builder_.made().queues; }
  std::size_t architectures() const override { return function_->platform.architectures.size(); }
  SourceLocation declared_at() const override { return function_->defined; }

 private:
  static inline const std::string kWho = "a stream of works";

  void make_some() {
    try {
      protect(interpreter_->running(), [&](lua_State* L) {
        const bool of_cell =
            interpreter_->cell().under_way() && function_->made_in == interpreter_->cell().number();
        interpreter_->traces().enter(L, run_, kWho, function_->surroundings, of_cell);
        call(L);
      });
    } catch (const Stopped&) {
      throw;
    } catch (const ScriptError& error) {
      throw ScriptError(placed(error.diagnostic()), error.trace());
    } catch (const Error& error) {
      throw ScriptError(placed(error.diagnostic()), {});
    }
  }

  Diagnostic placed(Diagnostic diagnostic) const {
    const Sliding<Work>& works = builder_.made().works;
    if (made_ == 0) return diagnostic;
    diagnostic.notes.push_back(works.empty()
                                   ? fmt::format("in work {} of a stream", made_)
                                   : fmt::format("in work {} of a stream; the one before arrives at t = {} s",
                                                 made_, format_number(works.back().arrival)));
    return diagnostic;
  }

  void call(lua_State* L) {
    const Anchor anchor(L, function_->defined);
    if (!rng_value_.valid()) {
      push_new(L, RandomValue{}).is_view = true;
      rng_value_ = Reference(L, -1);
      lua_pop(L, 1);
    }
    rng_value_.push(L);
    const int random = lua_gettop(L);
    RandomValue& rng = check<RandomValue>(L, random);
    rng.borrowed = &rng_;
    // The variables have the values that this run has left in them, and get those of the script back.
    struct Inside {
      lua_State* L;
      RandomValue& rng;
      CapturedVariables& own;
      CapturedVariables others;
      ~Inside() {
        rng.borrowed = nullptr;
        own.look(L);
        others.put_back(L);
      }
    } const inside{L, rng, captured_, CapturedVariables(L, function_->function)};
    captured_.put_back(L);
    function_->function.push(L);
    const int function = lua_gettop(L);
    const std::int64_t last = std::min(made_ + kAtATime, function_->count);
    while (made_ < last && !over_) {
      lua_pushvalue(L, function);
      lua_pushinteger(L, ++made_);
      lua_pushvalue(L, random);
      lua_call(L, 2, 1);
      if (lua_isnil(L, -1))
        over_ = true;
      else
        add(L);
      lua_pop(L, 1);
    }
  }

  void add(lua_State* L) {
    if (builder_.add_plain(L)) return;
    if (lua_type(L, -1) != LUA_TTABLE)
      fail_at(
          function_->defined, "bad_type",
          "work {} of the stream: the function must return a table, as in return {{ time = 5 }}, or nil when "
          "there is no more work; got {}",
          made_, shown(L, -1));
    const WorkKind kind = kind_of_record(L, -1);
    WorkRecord record = record_at(L, -1, kind, made_);
    record.declared_at = function_->defined;
    const auto refuse = [&](std::string_view what) {
      fail_at(
          function_->defined, "bad_work",
          "{} {} of the stream: a stream gives tasks, jobs and loads without names, files and declarations of "
          "memory, because it forgets them; this one {}",
          name_of(kind), made_, what);
    };
    if (kind == WorkKind::sweep || kind == WorkKind::reservation)
      refuse(fmt::format("is a {}", name_of(kind)));
    if (!record.name.empty()) refuse(fmt::format("has the name '{}'", record.name));
    if (!record.inputs.empty() || !record.outputs.empty()) refuse("has files");
    if (!std::isnan(record.needs.memory) || !std::isnan(record.needs.memory_traffic))
      refuse("declares memory");
    if (record.shape && !record.shape->reservation.empty())
      refuse(fmt::format("is inside of the reservation '{}'", record.shape->reservation));
    builder_.add(record);
  }

  Interpreter* interpreter_;
  std::shared_ptr<const StreamFunction> function_;
  Stream rng_;
  Reference rng_value_;  // it may be kept, and is the same in each call
  std::uint64_t run_;
  CapturedVariables captured_;
  std::int64_t made_ = 0;
  bool over_ = false;
  WorkloadBuilder builder_;
};

}  // namespace

int make_stream(lua_State* L) {
  return guard(L, [&] {
    if (const auto* log = test<WorkloadValue>(L, 1)) {
      if (log->parts.size() != 1 || !log->parts.front().stream)
        fail("bad_type",
             "workload.stream: only the jobs of a log, as of workload.swf, come one after the other; got a "
             "workload of {}",
             log->pieces());
      WorkloadValue value = *log;
      value.parts.front().is_stream = true;
      push_new(L, std::move(value));
      return 1;
    }
    WorkloadPart part;
    part.declared_at = caller(L);
    part.is_stream = true;
    const bool counted = lua_type(L, 1) != LUA_TFUNCTION;
    constexpr auto kMost = static_cast<std::int64_t>(std::numeric_limits<std::uint32_t>::max()) - 1;
    part.count = counted ? integer_at(L, 1, "workload.stream: the number of works", 0, kMost) : kMost;
    const int function = counted ? 2 : 1;
    if (lua_type(L, function) != LUA_TFUNCTION)
      fail(
          "bad_type",
          "workload.stream: a function(i, rng) is needed, alone or after a number of works, or a log alone; got {}",
          shown(L, function));
    part.generator = Reference(L, function);
    part.made_in = Interpreter::of(L).cell().number();
    WorkloadValue value;
    value.parts.push_back(std::move(part));
    push_new(L, std::move(value));
    return 1;
  });
}

std::unique_ptr<model::WorkStream> stream_of(lua_State* L, const WorkloadValue& workload,
                                             const PlatformValue& platform,
                                             const std::shared_ptr<const model::Queues>& queues,
                                             std::uint64_t seed) {
  if (!workload.is_stream()) return nullptr;
  const WorkloadPart& part = workload.parts.front();
  if (part.stream) return part.stream(*platform.platform);
  auto function = std::make_shared<StreamFunction>();
  function->function = part.generator;
  function->count = part.count;
  function->platform = platform;
  function->queues = queues;
  function->seed = seed;
  function->made_in = part.made_in;
  function->defined = definition_of(L, part.generator);
  function->surroundings->add(fmt::format("the function in line {}", function->defined.line), part.generator);
  if (!function->defined.known()) function->defined = part.declared_at;
  return std::make_unique<LuaStream>(L, std::move(function));
}

}  // namespace perigee::bindings
