// policy "name" { arrived = ..., finished = ..., decide = ... }: a policy that a script writes.
//
// State is `self` alone, plain data; a fork copies it. All runs and forks share the functions: no other run
// or fork may see values that they change outside of `self` (Traces).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "interpreter/language/arguments.h"
#include "interpreter/language/check_names.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/process.h"
#include "interpreter/values/schedulers.h"
#include "runtime/engine/sim.h"
#include "runtime/engine/why.h"

namespace perigee::interpreter {

using namespace lua;

namespace {

enum Callback : std::uint8_t {
  kBegin,
  kArrived,
  kFinished,  // from here on with hosts
  kComputed,
  kFailed,
  kSuperseded,
  kReceived,
  kCut,  // to here
  kHostChanged,
  kTimer,
  kMarked,
  kThought,
  kStalled,
  kDecide,
  kExplain,
  kCallbacks,
};
constexpr std::array<const char*, kCallbacks> kPolicyNames = {
    "begin",        "arrived", "finished", "computed", "failed",  "superseded", "received", "cut",
    "host_changed", "timer",   "marked",   "thought",  "stalled", "decide",     "explain"};

class LuaPolicy;

}  // namespace

namespace lua {

// `sim` in callbacks. Valid while the callback runs.
struct SimView {
  Sim* sim = nullptr;
  LuaPolicy* policy = nullptr;
};
template <>
struct TypeName<SimView> {
  static constexpr const char* value = "sim";
};

}  // namespace lua

namespace {

struct PolicyDefinition {
  std::string name, who;  // mine, policy 'mine'
  std::array<Reference, kCallbacks> callbacks;
  std::shared_ptr<Surroundings> surroundings = std::make_shared<Surroundings>();
  std::vector<Parameter> parameters;
};

class LuaPolicy final : public Policy {
 public:
  LuaPolicy(Interpreter& interpreter, std::shared_ptr<const PolicyDefinition> definition, Reference self)
      : interpreter_(&interpreter),
        definition_(std::move(definition)),
        self_(std::move(self)),
        run_(interpreter.traces().new_run()) {}

  std::unique_ptr<Policy> clone() const override {
    lua_State* L = interpreter_->running();
    const Balanced balanced(L);
    interpreter_->traces().check_fork(L, run_, who(), *definition_->surroundings);
    const std::uint64_t before = interpreter_->memory_used();
    self_.push(L);
    copy_plain(L, lua_gettop(L), who(), "self");
    bytes_ = std::max(interpreter_->memory_used(), before) - before;
    return std::make_unique<LuaPolicy>(*interpreter_, definition_, Reference(L, -1));
  }
  std::size_t bytes() const override { return bytes_; }

  void begin(Sim& sim) override {
    in_call(sim, [&](lua_State* L, int self, int view) {
      if (definition_->callbacks[kBegin].valid()) call(L, kBegin, self, view, {}, {});
      Batch batch;
      for (std::size_t w = 0; w < sim.view().works().size(); ++w)
        if (sim.waits(WorkId(w))) batch.first.push_back(static_cast<lua_Integer>(w) + 1);
      const auto& works = sim.view().workload().works;
      std::stable_sort(batch.first.begin(), batch.first.end(), [&](lua_Integer a, lua_Integer b) {
        return works[static_cast<std::size_t>(a - 1)].arrival <
               works[static_cast<std::size_t>(b - 1)].arrival;
      });
      if (batch.first.empty()) return;
      call(L, kArrived, self, view, batch.first, {});
      call(L, kDecide, self, view, {}, {});
    });
  }

  void react(Sim& sim, std::span<const Event> events) override {
    for (Batch& batch : batches_) {
      batch.first.clear();
      batch.second.clear();
    }
    order_.clear();
    marks_.clear();
    for (const Event& event : events) sort_in(sim, event);
    in_call(sim, [&](lua_State* L, int self, int view) {
      for (const Callback c : order_) call(L, c, self, view, batches_[c].first, batches_[c].second);
      call(L, kDecide, self, view, {}, {});
    });
  }

  void explain(const View& view, Waiting& lines) const override {
    if (!definition_->callbacks[kExplain].valid()) return;
    const Interpreter::InRun in_run(*interpreter_);
    const auto body = [&](lua_State* L) {
      interpreter_->traces().enter(L, run_, who(), definition_->surroundings);
      definition_->callbacks[kExplain].push(L);
      self_.push(L);
      lua_call(L, 1, 1);
      if (const auto text = text_at(L, -1))
        lines.emplace_back(*text);
      else if (!lua_isnil(L, -1))
        fail("bad_type", "{}: explain must return a text or nothing, got {}", who(), shown(L, -1));
    };
    try {
      protect(interpreter_->running(), body);
    } catch (const Stopped&) {
      throw;
    } catch (const Error& error) {
      Diagnostic diagnostic = error.diagnostic();
      diagnostic.notes.push_back(fmt::format("in {}, explain at t = {} s", who(), format_number(view.now())));
      const auto* script = dynamic_cast<const ScriptError*>(&error);
      throw ScriptError(std::move(diagnostic), script ? script->trace() : std::vector<std::string>());
    }
  }

  void why(Sim&, WorkId work, Decision& out) override {
    std::size_t told = 0;
    std::set<WorkId> others;
    for (const Considered& each : considered_) {
      if (each.work == work) {
        ++told;
        std::erase_if(out.hosts.candidates,
                      [&](const auto& before) { return before.index == each.host.index; });
        out.hosts.candidates.push_back({.index = each.host.index,
                                        .score = each.score,
                                        .open = each.reason.empty() || each.host == out.host,
                                        .note = each.reason});
      } else if (others.insert(each.work).second) {
        out.works.candidates.push_back({.index = each.work.index, .note = "considered too"});
      }
    }
    if (told > 0) out.hosts.score = "score";
    out.rule = told > 0 ? fmt::format("the scores are what {} reported by sim:consider", who())
                        : fmt::format("what {} compares it does not say; it can, by sim:consider", who());
  }

  Reference& stream(const std::string& name) { return streams_[name]; }
  // The candidates of the last call, in order; kept while somebody asks why.
  struct Considered {
    WorkId work;
    HostId host;
    double score;
    std::string reason;
  };
  void consider(Considered considered) { considered_.push_back(std::move(considered)); }

 private:
  struct Batch {
    std::vector<lua_Integer> first, second;
  };

  void put(Callback c, lua_Integer first, lua_Integer second = 0) {
    if (!definition_->callbacks[c].valid()) return;
    if (batches_[c].first.empty()) order_.push_back(c);
    batches_[c].first.push_back(first);
    batches_[c].second.push_back(second);
  }

  void sort_in(Sim& sim, const Event& event) {
    const auto work = static_cast<lua_Integer>(event.work.index) + 1;
    const HostId on = event.on.host();
    const lua_Integer host = on.valid() ? static_cast<lua_Integer>(on.index) + 1 : 0;
    switch (event.kind) {
      case EventKind::arrived:
        put(kArrived, work);
        break;
      case EventKind::ended:
        if (event.finishes)
          put(kFinished, work, host);
        else if (event.work.valid() && on.valid())
          put(event.transfer ? kReceived : kComputed, work, host);
        break;
      case EventKind::superseded:
        if (event.work.valid() && on.valid()) put(kSuperseded, work, host);
        break;
      case EventKind::lost:
        if (event.transfer)
          cut(sim, event);
        else if (event.work.valid() && event.why != Reason::cancelled)
          put(kFailed, work, host);
        break;
      case EventKind::down:
      case EventKind::up:
      case EventKind::changed:
        if (on.valid()) put(kHostChanged, host);
        break;
      case EventKind::timer:
        put(kTimer, static_cast<lua_Integer>(event.timer().packed()));
        break;
      case EventKind::mark:
        put(kMarked, 1);
        marks_.emplace_back(sim.mark_name(event));
        break;
      case EventKind::thought:
        put(kThought, 1);
        break;
      case EventKind::stalled:
        put(kStalled, 1);
        break;
    }
  }

  // A transfer was lost with a link: who needs its file? The work whose output it was, with a host of the
  // cluster that has it, or what is posted there and waits for an input.
  void cut(Sim& sim, const Event& event) {
    if (event.on.host().valid())  // a chunk
      put(kCut, static_cast<lua_Integer>(event.work.index) + 1,
          static_cast<lua_Integer>(event.on.index()) + 1);
    if (event.on.kind() != ResourceKind::link || !definition_->callbacks[kCut].valid()) return;
    const View& view = sim.view();
    const auto needs = [&](WorkId work, std::size_t host) {
      const auto first = static_cast<lua_Integer>(work.index) + 1,
                 second = static_cast<lua_Integer>(host) + 1;
      const Batch& known = batches_[kCut];
      for (std::size_t i = 0; i < known.first.size(); ++i)
        if (known.first[i] == first && known.second[i] == second) return;
      put(kCut, first, second);
    };
    for (std::size_t h = 0; h < view.hosts().size(); ++h) {
      const ClusterId cluster = view.hosts()[h].cluster;
      if (view.platform()[cluster].link != event.on.link()) continue;
      if (event.work.valid()) {
        const auto outputs = view.workload().outputs(event.work);
        if (std::any_of(outputs.begin(), outputs.end(),
                        [&](FileId file) { return !sim.at_home(file) && sim.in_store(file, cluster); })) {
          needs(event.work, h);
          return;
        }
        continue;
      }
      for (const ActivityId id : sim.queued_on(ResourceId::of(HostId(h)))) {
        const auto activity = sim.activity(id);
        if (!activity || !activity->work.valid()) continue;
        for (const FileId file : view.workload().inputs(activity->work))
          if (!sim.in_store(file, cluster) && !sim.in_transfer(file, cluster)) {
            needs(activity->work, h);
            break;
          }
      }
    }
  }

  const std::string& who() const { return definition_->who; }

  template <class F>
  void in_call(Sim& sim, F&& run) {
    considered_.clear();
    const Interpreter::InRun in_run(*interpreter_);
    const auto body = [&](lua_State* L) {
      interpreter_->traces().enter(L, run_, who(), definition_->surroundings);
      self_.push(L);
      if (!view_.valid()) {
        view_object_ = &push_new(L, SimView{});
        view_ = Reference(L, -1);
        lua_pop(L, 1);
      }
      view_.push(L);
      SimView& view = *view_object_;
      struct Expire {
        SimView& view;
        std::map<std::string, Reference>& streams;
        lua_State* state;
        ~Expire() {
          view.sim = nullptr;
          for (auto& [name, stream] : streams) {
            if (!stream.valid()) continue;
            stream.push(state);
            if (auto* random = test<RandomValue>(state, -1)) random->borrowed = nullptr;
            lua_pop(state, 1);
          }
          streams.clear();
        }
      } expire{view, streams_, L};
      view.sim = &sim;
      view.policy = this;
      run(L, 1, 2);
    };
    try {
      protect(interpreter_->running(), std::ref(body));  // by reference: nothing is allocated
    } catch (const Stopped&) {
      interpreter_->note_stop(place(sim));
      if (!interpreter_->stopped()) throw;
      throw Stopped(interpreter_->stop_reason());
    } catch (const ScriptError& error) {
      Diagnostic diagnostic = error.diagnostic();
      diagnostic.notes.push_back(place(sim));
      throw ScriptError(std::move(diagnostic), error.trace());
    }
  }

  std::string place(const Sim& sim) const {
    return fmt::format("in policy '{}', {} at t = {} s", definition_->name, decision(sim),
                       format_number(sim.now()));
  }

  std::string decision(const Sim& sim) const {
    std::string text = at_hand_;
    if (count_at_hand_ == 0) return text;
    const bool works = which_ == kArrived || says_where(which_);
    if (!works && which_ != kHostChanged) return text;
    std::string names;
    for (std::size_t i = 0; i < std::min<std::size_t>(count_at_hand_, 5); ++i) {
      const auto index = static_cast<std::size_t>(shown_at_hand_[i] - 1);
      names += i > 0 ? ", " : "";
      names +=
          works ? sim.view().workload().name_of(WorkId(index)) : sim.view().platform().hosts()[index].name;
    }
    if (count_at_hand_ > 5) names += ", ...";
    return fmt::format("{} of {} ({})", text, count_at_hand_, names);
  }

  void call(lua_State* L, Callback c, int self, int view, const std::vector<lua_Integer>& first,
            const std::vector<lua_Integer>& second) {
    if (!definition_->callbacks[c].valid()) return;
    which_ = c;
    at_hand_ = kPolicyNames[c];
    count_at_hand_ = first.size();
    std::copy_n(first.begin(), std::min<std::size_t>(first.size(), shown_at_hand_.size()),
                shown_at_hand_.begin());
    luaL_checkstack(L, 12, "callbacks");
    const int top = lua_gettop(L);
    const bool lends = !first.empty() && c != kStalled && c != kThought && c != kMarked;
    const int lent = !lends ? 0 : says_where(c) ? 2 : 1;
    if (lent > 0) {
      push_metatable(L, returned_, kReturned);
      push_metatable(L, lent_, kLent);
      lend(L, arrays_[c][0], first, top + 2);
    }
    if (lent > 1) lend(L, arrays_[c][1], second, top + 2);
    definition_->callbacks[c].push(L);
    lua_pushvalue(L, self);
    lua_pushvalue(L, view);
    for (int i = 1; i <= lent; ++i) lua_pushvalue(L, top + 2 + i);
    if (c == kMarked) {
      lua_createtable(L, static_cast<int>(marks_.size()), 0);
      for (std::size_t i = 0; i < marks_.size(); ++i) {
        lua::push(L, marks_[i]);
        lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
      }
    }
    lua_call(L, 2 + lent + (c == kMarked ? 1 : 0), 0);
    if (lent > 1) take_back(L, arrays_[c][1], second.size(), top + 1);
    if (lent > 0) take_back(L, arrays_[c][0], first.size(), top + 1);
    lua_settop(L, top);
  }

  // Whether a callback is told the host of each work.
  static bool says_where(Callback c) { return c >= kFinished && c <= kCut; }

  // One table for each argument of each callback, used again and again. Between calls it is empty, and it is
  // an error to look at it.
  static void lend(lua_State* L, Reference& array, const std::vector<lua_Integer>& values, int metatable) {
    if (!array.valid()) {
      lua_createtable(L, static_cast<int>(values.size()), 0);
      array = Reference(L, -1);
    } else {
      array.push(L);
    }
    lua_pushvalue(L, metatable);
    lua_setmetatable(L, -2);
    for (std::size_t i = 0; i < values.size(); ++i) {
      lua_pushinteger(L, values[i]);
      lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
    }
  }
  // Pops the array on top of the stack and takes it back from the script.
  static void take_back(lua_State* L, Reference& array, std::size_t size, int metatable) {
    if (lua_getmetatable(L, -1) == 0) {  // the script has put something into it: it is the script's now
      array = {};
      lua_pop(L, 1);
      return;
    }
    lua_pop(L, 1);
    for (std::size_t i = size; i > 0; --i) {
      lua_pushnil(L);
      lua_rawseti(L, -2, static_cast<lua_Integer>(i));
    }
    lua_pushvalue(L, metatable);
    lua_setmetatable(L, -2);
    lua_pop(L, 1);
  }
  static void push_metatable(lua_State* L, Reference& known, const char* name) {
    if (!known.valid()) {
      luaL_getmetatable(L, name);
      known = Reference(L, -1);
      return;
    }
    known.push(L);
  }

  Interpreter* interpreter_;
  std::shared_ptr<const PolicyDefinition> definition_;
  Reference self_, view_;
  SimView* view_object_ = nullptr;  // the object of view_
  std::uint64_t run_;
  std::map<std::string, Reference> streams_;
  std::array<Batch, kCallbacks> batches_;
  std::array<std::array<Reference, 2>, kCallbacks> arrays_;
  Reference lent_, returned_;  // their metatables
  std::vector<Callback> order_;
  std::vector<std::string> marks_;
  std::vector<Considered> considered_;
  const char* at_hand_ = "begin";
  Callback which_ = kBegin;
  std::size_t count_at_hand_ = 0;
  mutable std::size_t bytes_ = 0;  // bytes that the last copy took
  std::array<lua_Integer, 5> shown_at_hand_{};
};

// ---- sim ----

Sim& sim_at(lua_State* L) {
  if (const auto* view = lean<SimView>(L); view != nullptr && view->sim != nullptr) return *view->sim;
  const SimView& view = check<SimView>(L, 1);
  if (view.sim == nullptr)
    fail("stale", "this sim belongs to a callback that is over; use the one that the callback gets");
  return *view.sim;
}
WorkId work_at(lua_State* L, int index, const Sim& sim) {
  const auto count = static_cast<std::int64_t>(sim.view().works().size());
  return WorkId(integer_at(L, index, "work", 1, count) - 1);
}
HostId host_at(lua_State* L, int index, const Sim& sim) {
  std::size_t place = 0;
  if (lean_index(L, index, sim.view().hosts().size(), place)) return HostId(place);
  return lua::host_at(L, index, sim.view().platform());
}
FileId file_at(lua_State* L, int index, const Sim& sim) {
  const auto count = static_cast<std::int64_t>(sim.view().workload().files.size());
  if (count == 0) fail("bad_value", "file: the workload has no files");
  return FileId(integer_at(L, index, "file", 1, count) - 1);
}
// The part of the work that the fields `first` and `size` name; the whole work when they are missing.
Piece piece_of(const Fields& fields, const Sim& sim, WorkId work) {
  if (fields.has("first"))
    return {work, fields.number("first", Dimension::count, std::nullopt, kNotNegative),
            fields.number("size", Dimension::count, std::nullopt, kPositive)};
  if (fields.has("size"))
    return sim.next_piece(work, fields.number("size", Dimension::count, std::nullopt, kPositive));
  return {work, 0, sim.view().workload().size_of(work)};
}
// Checks the part for functions that only ask. Actions check their parts themselves.
void check_part(const Fields& fields, const Piece& piece, double size) {
  if (piece.size <= 0) fields.fail("size", "nobody's part is left; first = says which part is meant");
  if (piece.first + piece.size > size)
    fields.fail(fields.has("first") ? "first" : "size",
                "first = {} and size = {} are not within the {} there are", format_number(piece.first),
                format_number(piece.size), format_number(size));
}
int push_id(lua_State* L, std::uint64_t packed) {
  lua_pushinteger(L, static_cast<lua_Integer>(packed));
  return 1;
}

template <class F>
int of_work(lua_State* L, F&& read) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    read(sim, work_at(L, 2, sim));
    return 1;
  });
}
template <class F>
int of_host(lua_State* L, F&& read) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    read(sim, host_at(L, 2, sim));
    return 1;
  });
}

// Calls read() with a file and the cluster of a host.
template <class F>
int of_file_and_host(lua_State* L, F&& read) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    const FileId file = file_at(L, 2, sim);
    read(sim, file, sim.view()[host_at(L, 3, sim)].cluster);
    return 1;
  });
}

int now(lua_State* L) {
  return guard(L, [&] {
    lua_pushnumber(L, sim_at(L).now());
    return 1;
  });
}
int host_count(lua_State* L) {
  return guard(L, [&] {
    lua_pushinteger(L, static_cast<lua_Integer>(sim_at(L).view().hosts().size()));
    return 1;
  });
}
int work_count(lua_State* L) {
  return guard(L, [&] {
    lua_pushinteger(L, static_cast<lua_Integer>(sim_at(L).view().works().size()));
    return 1;
  });
}
int unsettled(lua_State* L) {
  return guard(L, [&] {
    lua_pushinteger(L, static_cast<lua_Integer>(sim_at(L).view().unsettled()));
    return 1;
  });
}
// sim:hosts() -> ids of the hosts that are up.
int hosts(lua_State* L) {
  return guard(L, [&] {
    const View& view = sim_at(L).view();
    lua_newtable(L);
    lua_Integer count = 0;
    for (std::size_t h = 0; h < view.hosts().size(); ++h) {
      if (!view.hosts()[h].up) continue;
      lua_pushinteger(L, static_cast<lua_Integer>(h) + 1);
      lua_rawseti(L, -2, ++count);
    }
    return 1;
  });
}
int policy_is_up(lua_State* L) {
  return of_host(L, [&](Sim& sim, HostId host) { lua_pushboolean(L, sim.view()[host].up ? 1 : 0); });
}
int policy_idle_cores(lua_State* L) {
  return of_host(L, [&](Sim& sim, HostId host) { lua_pushinteger(L, sim.view()[host].idle); });
}
int policy_speed(lua_State* L) {
  return of_host(L, [&](Sim& sim, HostId host) { lua_pushnumber(L, sim.view()[host].speed); });
}
int cluster(lua_State* L) {
  return of_host(
      L, [&](Sim& sim, HostId host) { lua::push(L, sim.view().platform()[sim.view()[host].cluster].name); });
}
int host_name(lua_State* L) {
  return of_host(L, [&](Sim& sim, HostId host) { lua::push(L, sim.view().platform()[host].name); });
}
int work_name(lua_State* L) {
  return of_work(L, [&](Sim& sim, WorkId work) { lua::push(L, sim.view().workload().name_of(work)); });
}
int cores(lua_State* L) {
  return of_work(L, [&](Sim& sim, WorkId work) { lua_pushinteger(L, sim.view().workload()[work].cores); });
}
template <double Needs::*value>
int need(lua_State* L) {
  return of_work(L, [&](Sim& sim, WorkId work) {
    const double declared = sim.view().workload().needs_of(work).*value;
    if (std::isnan(declared))
      lua_pushnil(L);
    else
      lua_pushnumber(L, declared);
  });
}
int arrival(lua_State* L) {
  return of_work(L, [&](Sim& sim, WorkId work) { lua_pushnumber(L, sim.view().workload()[work].arrival); });
}
int deadline(lua_State* L) {
  return of_work(L, [&](Sim& sim, WorkId work) { lua_pushnumber(L, sim.view().workload()[work].deadline); });
}
int priority(lua_State* L) {
  return of_work(L, [&](Sim& sim, WorkId work) { lua_pushnumber(L, sim.view().workload()[work].priority); });
}
int kind(lua_State* L) {
  return of_work(L, [&](Sim& sim, WorkId work) { lua::push(L, name_of(sim.view().workload()[work].kind)); });
}
int state(lua_State* L) {
  return of_work(L, [&](Sim& sim, WorkId work) { lua::push(L, name_of(sim.view()[work].state)); });
}
int size(lua_State* L) {
  return of_work(L, [&](Sim& sim, WorkId work) { lua_pushnumber(L, sim.view().workload().size_of(work)); });
}
int undealt(lua_State* L) {
  return of_work(L, [&](Sim& sim, WorkId work) { lua_pushnumber(L, sim.undealt(work)); });
}
int user(lua_State* L) {
  return of_work(L, [&](Sim& sim, WorkId work) {
    const UserId id = sim.view().workload()[work].user;
    lua::push(L, id.valid() ? std::string_view(sim.view().workload().users[id.at()]) : std::string_view());
  });
}
int fits(lua_State* L) {
  return of_work(
      L, [&](Sim& sim, WorkId work) { lua_pushboolean(L, sim.fits(work, host_at(L, 3, sim)) ? 1 : 0); });
}
// sim:estimate(work, host [, start or { start =, first =, size = }]) -> the seconds that the work, or that
// part of it, would take from `start` (default: now), as far as can be known; math.huge = the host cannot run
// it.
int estimate(lua_State* L) {
  return of_work(L, [&](Sim& sim, WorkId work) {
    Piece piece{work, 0, sim.view().workload().size_of(work)};
    const HostId host = host_at(L, 3, sim);
    const Range later{sim.now(), kAbsurd, false};
    Time start = sim.now();
    if (lua_type(L, 4) == LUA_TTABLE) {
      const Fields fields(L, 4, {"estimate"}, {"start", "first", "size"});
      piece = piece_of(fields, sim, work);
      check_part(fields, piece, sim.view().workload().size_of(work));
      start = fields.number("start", Dimension::seconds, start, later);
    } else if (!lua_isnoneornil(L, 4)) {
      start = number_at(L, 4, "estimate: start", Dimension::seconds, later);
    }
    lua_pushnumber(L, start == sim.now() ? sim.estimate().duration(sim, piece, host)
                                         : sim.estimate().end_of(sim, piece, host, start) - start);
  });
}

// ---- of sweeps ----

// Pushes the number of simulations that a host does at a time.
int slots(lua_State* L) {
  return of_host(L, [&](Sim& sim, HostId host) { lua_pushinteger(L, sim.view().platform()[host].slots); });
}
const WorkExtra& sweep_of(const Sim& sim, WorkId work, const char* word) {
  const Workload& workload = sim.view().workload();
  if (workload[work].kind != WorkKind::sweep)
    fail("bad_value", "{}: {} is no sweep but a {}", word, workload.name_of(work),
         name_of(workload[work].kind));
  return workload.extras[workload[work].extra];
}
int trials(lua_State* L) {
  return of_work(L, [&](Sim& sim, WorkId work) { lua_pushinteger(L, sweep_of(sim, work, "trials").trials); });
}
// sim:weight(work, run): the factor of the times of the run's simulations; runs count from 0.
int weight(lua_State* L) {
  return of_work(L, [&](Sim& sim, WorkId work) {
    const WorkExtra& sweep = sweep_of(sim, work, "weight");
    const std::int64_t run = integer_at(L, 3, "weight: run", 0, static_cast<std::int64_t>(sweep.size) - 1);
    lua_pushnumber(L, sweep.weights == kNone
                          ? 1
                          : sim.view().workload().times[sweep.weights + static_cast<std::size_t>(run)]);
  });
}

int host_cores(lua_State* L) {
  return of_host(L, [&](Sim& sim, HostId host) { lua_pushinteger(L, sim.view()[host].cores); });
}
int waits(lua_State* L) {
  return of_work(L, [&](Sim& sim, WorkId work) { lua_pushboolean(L, sim.waits(work) ? 1 : 0); });
}
int done(lua_State* L) {
  return of_work(L, [&](Sim& sim, WorkId work) { lua_pushnumber(L, sim.view()[work].done); });
}

int running_on(lua_State* L) {
  return of_host(L, [&](Sim& sim, HostId host) { push_activities(L, sim.running_on(host)); });
}
int queued_on(lua_State* L) {
  return of_host(L, [&](Sim& sim, HostId host) { push_activities(L, sim.queued_on(ResourceId::of(host))); });
}
// sim:activity(id) -> the facts of it that may be known; nil when it is over.
int activity(lua_State* L) {
  return guard(L, [&] {
    push_activity(L, sim_at(L).activity(activity_at(L, 2)));
    return 1;
  });
}
// sim:end_of(activity) -> when it will end, as far as can be known; now of one that is posted.
int end_of(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    const ActivityId id = activity_at(L, 2);
    if (!sim.activity(id)) fail("bad_value", "end_of: this activity is over");
    lua_pushnumber(L, sim.estimate().end_of(sim, id));
    return 1;
  });
}

template <class Id, class At>
std::vector<Id> ids_at(lua_State* L, int index, const Sim& sim, std::string_view what, At&& at) {
  if (lua_type(L, index) != LUA_TTABLE)
    fail("bad_type", "{} must be a list of numbers, got {}", what, shown(L, index));
  std::vector<Id> ids;
  const auto count = static_cast<lua_Integer>(lua_rawlen(L, index));
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, index, i);
    ids.push_back(at(L, lua_gettop(L), sim));
    lua_pop(L, 1);
  }
  return ids;
}
// The hosts listed at `index`; when there is no list, the hosts that are up.
std::vector<HostId> hosts_at(lua_State* L, int index, const Sim& sim, std::string_view what) {
  if (!lua_isnoneornil(L, index)) return ids_at<HostId>(L, index, sim, what, host_at);
  std::vector<HostId> up;
  for (std::size_t h = 0; h < sim.view().hosts().size(); ++h)
    if (sim.view().hosts()[h].up) up.emplace_back(h);
  return up;
}

// sim:etc(works [, hosts]) -> the matrix of the times of each work on each host from now.
int etc_of(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    const std::vector<WorkId> works = ids_at<WorkId>(L, 2, sim, "etc: the works", work_at);
    const std::vector<HostId> hosts = hosts_at(L, 3, sim, "etc: the hosts");
    if (works.empty() || hosts.empty())
      fail("bad_etc", "etc: {} works on {} hosts make no matrix", works.size(), hosts.size());
    EtcMatrix etc;
    etc.tasks = works.size();
    etc.machines = hosts.size();
    etc.values.resize(works.size() * hosts.size());
    sim.estimate().matrix(sim, works, hosts, etc.values);
    push_new(L, std::make_shared<const EtcMatrix>(std::move(etc)));
    return 1;
  });
}

// sim:ready([hosts]) -> for each the seconds from now until it has an idle core, 0 when it has one, 1/0 when
// it is down or held.
int policy_ready(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    const std::vector<HostId> hosts = hosts_at(L, 2, sim, "ready: the hosts");
    lua_createtable(L, static_cast<int>(hosts.size()), 0);
    for (std::size_t i = 0; i < hosts.size(); ++i) {
      Time at = sim.view()[hosts[i]].idle > 0 ? sim.now() : kNever;
      if (at == kNever && sim.view()[hosts[i]].up)
        for (const ActivityId id : sim.running_on(hosts[i]))
          at = std::min(at, sim.estimate().end_of(sim, id));
      lua_pushnumber(L, std::max(0.0, at - sim.now()));
      lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
    }
    return 1;
  });
}

// sim:start(work, host [, { first =, size =, cores = }]) -> activity
int start(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    const WorkId work = work_at(L, 2, sim);
    const HostId host = host_at(L, 3, sim);
    Piece piece{work, 0, sim.view().workload().size_of(work)};
    std::int32_t wanted = 0;
    if (!lua_isnoneornil(L, 4)) {
      const Fields fields(L, 4, {"start"}, {"first", "size", "cores"});
      wanted = static_cast<std::int32_t>(fields.integer("cores", 0, 1, 1'000'000'000));
      piece = piece_of(fields, sim, work);
    }
    return push_id(L, sim.start(piece, host, wanted).packed());
  });
}

void when_of(const Fields& fields, Posting& posting) {
  posting.rank = fields.number("rank", Dimension::count, 0, kAnyNumber);
  posting.not_before = fields.number("not_before", Dimension::seconds, 0, kNotNegative);
  if (!fields.push("after")) return;
  posting.after = activity_at(fields.state(), -1);
  lua_pop(fields.state(), 1);
}

void post_file(Sim& sim, ActivityKind direction, FileId file, ClusterId to) {
  Posting transfer;
  transfer.kind = direction;
  transfer.file = file;
  transfer.cluster = to;
  sim.post(transfer);
}

// The input files that the host's cluster lacks.
void post_inputs(Sim& sim, WorkId work, HostId host) {
  const ClusterId to = sim.view()[host].cluster;
  for (const FileId file : sim.view().workload().inputs(work))
    if (!sim.in_store(file, to) && !sim.in_transfer(file, to))
      post_file(sim, ActivityKind::transfer_in, file, to);
}

// ---- files, by number ----

template <auto list>
int policy_files_of(lua_State* L) {
  return of_work(L, [&](Sim& sim, WorkId work) {
    const auto files = list(sim.view().workload(), work);
    lua_createtable(L, static_cast<int>(files.size()), 0);
    for (std::size_t i = 0; i < files.size(); ++i) {
      lua_pushinteger(L, static_cast<lua_Integer>(files[i].index) + 1);
      lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
    }
  });
}
int file_count(lua_State* L) {
  return guard(L, [&] {
    lua_pushinteger(L, static_cast<lua_Integer>(sim_at(L).view().workload().files.size()));
    return 1;
  });
}
int policy_file_name(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    lua::push(L, sim.view().workload().files[file_at(L, 2, sim).index].name);
    return 1;
  });
}
int file_size(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    lua_pushnumber(L, sim.view().workload().files[file_at(L, 2, sim).index].estimate);
    return 1;
  });
}
int at_home(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    lua_pushboolean(L, sim.at_home(file_at(L, 2, sim)) ? 1 : 0);
    return 1;
  });
}
int in_store(lua_State* L) {
  return of_file_and_host(L, [&](Sim& sim, FileId file, ClusterId cluster) {
    lua_pushboolean(L, sim.in_store(file, cluster) ? 1 : 0);
  });
}
int in_transfer(lua_State* L) {
  return of_file_and_host(L, [&](Sim& sim, FileId file, ClusterId cluster) {
    lua_pushboolean(L, sim.in_transfer(file, cluster) || sim.in_transfer_home(file, cluster) ? 1 : 0);
  });
}
// sim:transfer_time(file, host [, start]): seconds between the origin and the host's cluster.
int transfer_time(lua_State* L) {
  return of_file_and_host(L, [&](Sim& sim, FileId file, ClusterId cluster) {
    Time start = sim.now();
    if (!lua_isnoneornil(L, 4))
      start = number_at(L, 4, "transfer_time: start", Dimension::seconds, {sim.now(), kAbsurd, false});
    lua_pushnumber(L, sim.estimate().end_of(sim, file, cluster, start) - start);
  });
}
// sim:transfer(file, host [, { rank =, not_before =, after = }]) -> activity: to the store of the host's
// cluster, or home what is at home nowhere else.
int transfer(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    Posting posting;
    posting.file = file_at(L, 2, sim);
    posting.cluster = sim.view()[host_at(L, 3, sim)].cluster;
    posting.kind = sim.at_home(posting.file) ? ActivityKind::transfer_in : ActivityKind::transfer_out;
    if (!lua_isnoneornil(L, 4)) when_of(Fields(L, 4, {"transfer"}, {"rank", "not_before", "after"}), posting);
    return push_id(L, sim.post(posting).packed());
  });
}
int discard(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    const FileId file = file_at(L, 2, sim);
    sim.discard(file, sim.view()[host_at(L, 3, sim)].cluster);
    return 0;
  });
}

// sim:send(work, host): sends them, perhaps again.
int send(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    post_inputs(sim, work_at(L, 2, sim), host_at(L, 3, sim));
    return 0;
  });
}

// sim:post(work, host [, { rank =, not_before =, after =, first =, size =, cores = }]) -> activity: it starts
// by itself when it can; input files that the host's cluster lacks are sent there first.
int post(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    Posting compute;
    compute.kind = ActivityKind::compute;
    const WorkId work = work_at(L, 2, sim);
    compute.piece = {work, 0, sim.view().workload().size_of(work)};
    compute.host = host_at(L, 3, sim);
    if (!lua_isnoneornil(L, 4)) {
      const Fields fields(L, 4, {"post"}, {"rank", "not_before", "after", "first", "size", "cores"});
      compute.piece = piece_of(fields, sim, work);
      compute.cores = static_cast<std::int32_t>(fields.integer("cores", 0, 1, 1'000'000'000));
      when_of(fields, compute);
    }
    const ActivityId id = sim.post(compute);  // first: when it is refused, nothing is sent
    post_inputs(sim, work, compute.host);
    return push_id(L, id.packed());
  });
}

// sim:chunk(work, host [, { first =, size =, rank =, not_before =, after = }]) -> activity: sends that part
// of a load to the host, which is kept meanwhile; a post of the same part `after` it takes the host over.
int chunk(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    Posting posting;
    posting.kind = ActivityKind::chunk;
    const WorkId work = work_at(L, 2, sim);
    posting.host = host_at(L, 3, sim);
    posting.piece = {work, 0, sim.view().workload().size_of(work)};
    if (!lua_isnoneornil(L, 4)) {
      const Fields fields(L, 4, {"chunk"}, {"rank", "not_before", "after", "first", "size"});
      posting.piece = piece_of(fields, sim, work);
      when_of(fields, posting);
    }
    return push_id(L, sim.post(posting).packed());
  });
}

// sim:hold { hosts = { 1, 2 }, to =, work =, from =, io_until =, rank = } -> activity: whole hosts from
// `from` (now) to `to`; their link too until `io_until`. The end of a reservation's hold finishes it.
int hold(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    const Fields fields(L, 2, {"hold"}, {"hosts", "work", "from", "to", "io_until", "rank"});
    Posting posting;
    posting.kind = ActivityKind::hold;
    posting.not_before = fields.number("from", Dimension::seconds, sim.now(), kNotNegative);
    posting.to = fields.number("to", Dimension::seconds, std::nullopt, kNotNegative);
    posting.with_link = fields.has("io_until");
    posting.io_until = fields.number("io_until", Dimension::seconds, 0, kNotNegative);
    posting.rank = fields.number("rank", Dimension::count, 0, kAnyNumber);
    if (posting.io_until > posting.to)
      fields.fail("io_until", "io_until must be at most to = {} s, got {}", format_number(posting.to),
                  format_number(posting.io_until));
    if (fields.push("work")) {
      posting.piece.work = work_at(L, lua_gettop(L), sim);
      lua_pop(L, 1);
    }
    if (!fields.push("hosts")) fields.fail(nullptr, "'hosts' is missing");
    if (lua_type(L, -1) != LUA_TTABLE)
      fields.fail("hosts", "hosts must be a list of hosts, got {}", shown(L, -1));
    posting.hosts = ids_at<HostId>(L, lua_gettop(L), sim, "hold: hosts", host_at);
    return push_id(L, sim.post(posting).packed());
  });
}

// sim:fetch(work, host): sends its outputs home from the host's cluster.
int fetch(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    const WorkId work = work_at(L, 2, sim);
    const ClusterId from = sim.view()[host_at(L, 3, sim)].cluster;
    for (const FileId file : sim.view().workload().outputs(work))
      if (!sim.at_home(file) && !sim.in_transfer_home(file, from))
        post_file(sim, ActivityKind::transfer_out, file, from);
    return 0;
  });
}

int copy(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    return push_id(L, sim.copy(activity_at(L, 2), host_at(L, 3, sim)).packed());
  });
}
int cancel(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    const ActivityId id = activity_at(L, 2);
    const auto activity = sim.activity(id);
    if (activity && activity->posted)
      sim.withdraw(id);
    else
      sim.cancel(id);
    return 0;
  });
}
// sim:consider(work, host [, score [, reason]]): notes a candidate for sim:why; without effect unless
// somebody asks why.
int consider(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    const WorkId work = work_at(L, 2, sim);
    const HostId host = host_at(L, 3, sim);
    if (lua_type(L, 4) == LUA_TNUMBER && std::isnan(lua_tonumber(L, 4)))
      fail("bad_value", "consider: score must be a number, got nan; nil stands for no score");
    if (sim.recorder() == nullptr) return 0;
    const double score = lua_isnoneornil(L, 4) ? std::numeric_limits<double>::quiet_NaN()
                                               : number_at(L, 4, "consider: score", Dimension::count,
                                                           {-std::numeric_limits<double>::infinity(),
                                                            std::numeric_limits<double>::infinity(), false});
    const auto reason = text_at(L, 5);
    if (!reason && !lua_isnoneornil(L, 5))
      fail("bad_type", "consider: the reason must be a text, got {}", shown(L, 5));
    check<SimView>(L, 1).policy->consider({work, host, score, std::string(reason.value_or(""))});
    return 0;
  });
}
int settle(lua_State* L) {
  return guard(L, [&] {
    sim_at(L).settle();
    return 0;
  });
}
int accept(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    sim.accept(work_at(L, 2, sim));
    return 0;
  });
}
int reject(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    sim.reject(work_at(L, 2, sim));
    return 0;
  });
}
int expire(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    sim.expire(work_at(L, 2, sim));
    return 0;
  });
}
// sim:timer(time [, { phase = "due" | "sample" | "late", keeps_alive = false, idle = false }]) -> id
int timer(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    const Time at = number_at(L, 2, "timer: time", Dimension::seconds, kNotNegative);
    TimerPhase phase = TimerPhase::due;
    Keeps keeps = Keeps::run;
    if (!lua_isnoneornil(L, 3)) {
      const Fields fields(L, 3, {"timer"}, {"phase", "keeps_alive", "idle"});
      phase = static_cast<TimerPhase>(fields.choice("phase", 0, {"due", "sample", "late"}));
      const bool idle = fields.flag("idle", false);
      if (fields.flag("keeps_alive", false)) {
        if (idle) fields.fail("idle", "a timer with keeps_alive = true is not idle");
        keeps = Keeps::alive;
      } else if (idle) {
        keeps = Keeps::nothing;
      }
    }
    return push_id(L, sim.timer(at, phase, keeps).packed());
  });
}
// sim:cancel_timer(id): nothing happens when it is over.
int cancel_timer(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    const auto id = TimerId::from_packed(static_cast<std::uint64_t>(integer_at(
        L, 2, "timer", std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max())));
    if (!id.valid()) fail("bad_value", "timer must be what sim:timer returned, got {}", shown(L, 2));
    sim.cancel(id);
    return 0;
  });
}
int think(lua_State* L) {
  return guard(L, [&] {
    return push_id(
        L, sim_at(L).think(number_at(L, 2, "think: seconds", Dimension::seconds, kNotNegative)).packed());
  });
}
// sim:note(name, number ...)
int policy_note(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    const auto name = text_at(L, 2);
    if (!name) fail("bad_type", "note: a name is needed, got {}", shown(L, 2));
    std::vector<double> values;
    for (int i = 3; i <= lua_gettop(L); ++i)
      values.push_back(
          number_at(L, i, fmt::format("note '{}': value {}", *name, i - 2), Dimension::count, kAnyNumber));
    sim.note(*name, values);
    return 0;
  });
}
// sim:stream(name) -> the run's own stream of that name; valid while the callback runs.
int stream(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    const auto name = text_at(L, 2);
    if (!name) fail("bad_type", "stream: a name is needed, got {}", shown(L, 2));
    LuaPolicy& policy = *check<SimView>(L, 1).policy;
    Reference& known = policy.stream(std::string(*name));
    if (!known.valid()) {
      RandomValue value;
      value.is_view = true;
      value.borrowed = &sim.stream("policy/" + std::string(*name));
      push_new(L, value);
      known = Reference(L, -1);
    } else {
      known.push(L);
    }
    return 1;
  });
}

constexpr luaL_Reg kSim[] = {
    {"now", now},
    {"host_count", host_count},
    {"work_count", work_count},
    {"unsettled", unsettled},
    {"hosts", hosts},
    {"is_up", policy_is_up},
    {"idle_cores", policy_idle_cores},
    {"speed", policy_speed},
    {"cluster", cluster},
    {"host_name", host_name},
    {"work_name", work_name},
    {"cores", cores},
    {"memory", need<&Needs::memory>},
    {"memory_traffic", need<&Needs::memory_traffic>},
    {"arrival", arrival},
    {"deadline", deadline},
    {"priority", priority},
    {"kind", kind},
    {"state", state},
    {"size", size},
    {"undealt", undealt},
    {"user", user},
    {"fits", fits},
    {"estimate", estimate},
    {"slots", slots},
    {"trials", trials},
    {"weight", weight},
    {"host_cores", host_cores},
    {"waits", waits},
    {"done", done},
    {"running_on", running_on},
    {"queued_on", queued_on},
    {"activity", activity},
    {"end_of", end_of},
    {"etc", etc_of},
    {"ready", policy_ready},
    {"start", start},
    {"post", post},
    {"chunk", chunk},
    {"hold", hold},
    {"inputs", policy_files_of<[](const Workload& all, WorkId work) { return all.inputs(work); }>},
    {"outputs", policy_files_of<[](const Workload& all, WorkId work) { return all.outputs(work); }>},
    {"file_count", file_count},
    {"file_name", policy_file_name},
    {"file_size", file_size},
    {"at_home", at_home},
    {"in_store", in_store},
    {"in_transfer", in_transfer},
    {"transfer_time", transfer_time},
    {"transfer", transfer},
    {"discard", discard},
    {"send", send},
    {"fetch", fetch},
    {"copy", copy},
    {"cancel", cancel},
    {"settle", settle},
    {"consider", consider},
    {"accept", accept},
    {"reject", reject},
    {"expire", expire},
    {"timer", timer},
    {"cancel_timer", cancel_timer},
    {"think", think},
    {"note", policy_note},
    {"stream", stream},
    {nullptr, nullptr}};

// ---- policy "name" { } ----

Accepts accepts_of(const Fields& fields) {
  Accepts accepts{.tasks = true};
  if (!fields.push("accepts")) return accepts;
  lua_State* L = fields.state();
  accepts = {};
  if (lua_type(L, -1) != LUA_TTABLE)
    fields.fail("accepts", "accepts must be a list of words, got {}", shown(L, -1));
  const std::vector<std::string> words = {"tasks",        "jobs",  "sweeps",       "loads",
                                          "reservations", "files", "several_cores"};
  bool* const flags[] = {&accepts.tasks,        &accepts.jobs,  &accepts.sweeps,       &accepts.loads,
                         &accepts.reservations, &accepts.files, &accepts.several_cores};
  const auto count = static_cast<lua_Integer>(lua_rawlen(L, -1));
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, -1, i);
    const std::string word = text_at(L, -1) ? std::string(*text_at(L, -1)) : shown(L, -1);
    const auto found = std::find(words.begin(), words.end(), word);
    if (found == words.end())
      fields.fail("accepts", "accepts: unknown word '{}'{}; known: {}", word, did_you_mean(word, words),
                  fmt::join(words, ", "));
    *flags[found - words.begin()] = true;
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return accepts;
}

int finish_policy(lua_State* L) {
  return guard(L, [&] {
    refuse_second(L, "policy");
    const std::string name(*text_at(L, lua_upvalueindex(1)));
    const Fields fields(L, 1, {"policy", name},
                        {"summary", "source",     "accepts",  "ask",     "tolerance",    "submit_first",
                         "steps",   "parameters", "begin",    "arrived", "finished",     "computed",
                         "failed",  "superseded", "received", "cut",     "host_changed", "timer",
                         "marked",  "thought",    "stalled",  "decide",  "explain"});
    auto definition = std::make_shared<PolicyDefinition>();
    definition->name = name;
    definition->who = fmt::format("policy '{}'", name);
    bool any = false;
    for (std::size_t c = 0; c < kCallbacks; ++c) {
      if (!fields.push(kPolicyNames[c])) continue;
      if (lua_type(L, -1) != LUA_TFUNCTION)
        fields.fail(kPolicyNames[c], "{} must be a function, got {}", kPolicyNames[c], shown(L, -1));
      check_methods(L, -1, 2, {TypeName<SimView>::value});
      definition->callbacks[c] = Reference(L, -1);
      definition->surroundings->add(kPolicyNames[c], definition->callbacks[c]);
      lua_pop(L, 1);
      any = true;
    }
    if (!any) fields.fail(nullptr, "it has no callback; decide = function(self, sim) ... end is the least");
    definition->parameters = parameters_of(fields);
    Entry entry;
    entry.name = name;
    entry.family = Family::batch;
    entry.role = Role::policy;
    entry.summary = fields.text("summary", "a policy of the script");
    entry.source = fields.text("source", "");
    entry.parameters = definition->parameters;
    entry.accepts = accepts_of(fields);
    entry.instants.ask = static_cast<Ask>(fields.choice("ask", 0, {"once", "phases", "each"}));
    entry.instants.tolerance = fields.number("tolerance", Dimension::count, 0, {0, 1, false});
    entry.instants.submit_first = fields.flag("submit_first", false);
    entry.instants.steps = fields.flag("steps", false);
    Interpreter* interpreter = &Interpreter::of(L);
    entry.make_policy = [interpreter, definition](const Arguments& arguments) -> std::unique_ptr<Policy> {
      lua_State* state = interpreter->running();
      push_arguments(state, definition->parameters, arguments);
      Reference self(state, -1);
      lua_pop(state, 1);
      return std::make_unique<LuaPolicy>(*interpreter, definition, std::move(self));
    };
    register_entry(L, std::move(entry));
    return 1;
  });
}

int begin_policy(lua_State* L) {
  return guard(L, [&] {
    if (!text_at(L, 1))
      fail("bad_type", "policy: a name comes first, as in policy \"mine\" {{ }}, got {}", shown(L, 1));
    lua_settop(L, 1);
    lua_pushcclosure(L, finish_policy, 1);
    return 1;
  });
}

// ---- the arrays that callbacks are given ----

// An array into which the script puts a value becomes the script's own.
int keep_array(lua_State* L) {
  lua_pushnil(L);
  lua_setmetatable(L, 1);
  lua_settop(L, 3);
  lua_rawset(L, 1);
  return 0;
}
int refuse_array(lua_State* L) {
  return guard(L, []() -> int {
    fail("stale",
         "this array belongs to a callback that is over; keep a copy of it, {{ table.unpack(works) }}");
  });
}

}  // namespace

void open_policy(lua_State* L) {
  const auto new_metatable = [&](const char* name, std::initializer_list<luaL_Reg> functions) {
    luaL_newmetatable(L, name);
    lua_pushliteral(L, "protected");
    lua_setfield(L, -2, "__metatable");
    for (const auto& [event, function] : functions) {
      lua_pushcfunction(L, function);
      lua_setfield(L, -2, event);
    }
    lua_pop(L, 1);
  };
  new_metatable(kLent, {{"__newindex", keep_array}});
  new_metatable(kReturned, {{"__index", refuse_array},
                            {"__newindex", refuse_array},
                            {"__len", refuse_array},
                            {"__pairs", refuse_array}});
  new_type<SimView>(L, kSim);
  open_rules(L);
  define(L, "policy", begin_policy);
}

}  // namespace perigee::interpreter
