#include "interpreter/callbacks/lua_policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "interpreter/callbacks/lent_arrays.h"
#include "interpreter/callbacks/policy_definition.h"
#include "interpreter/language/arguments.h"
#include "interpreter/language/fields/policies.h"
#include "interpreter/language/hints.h"
#include "interpreter/session/copies.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/declarations.h"
#include "interpreter/values/schedulers.h"
#include "runtime/engine/sim.h"
#include "runtime/engine/why.h"

namespace perigee::callbacks {

namespace {

constexpr std::string_view name_of_callback(PolicyDefinition::Callback callback) {
  return policy_fields::kCallbacks[callback].name;
}

class LuaPolicy final : public Policy, public SimOwner {
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
    auto copy = std::make_unique<LuaPolicy>(*interpreter_, definition_, Reference(L, -1));
    copy->lost_untold_ = lost_untold_;
    return copy;
  }
  std::size_t bytes() const override { return bytes_; }

  engine::TakesOver takes_over() const override { return definition_->takes_over; }

  void begin(Sim& sim) override {
    in_call(sim, [&](lua_State* L, int self, int view) {
      if (definition_->callbacks[kBegin].valid()) call(L, kBegin, self, view, {}, {});
      Batch batch, ready;
      for (std::size_t w = sim.view().works().first(); w < sim.view().works().size(); ++w) {
        const bool is_pending = definition_->precedence && sim.view().works()[w].state == WorkState::pending;
        if (is_pending || sim.waits(WorkId(w))) batch.first.push_back(static_cast<lua_Integer>(w) + 1);
      }
      const auto& works = sim.view().workload().works;
      std::stable_sort(batch.first.begin(), batch.first.end(), [&](lua_Integer a, lua_Integer b) {
        return works[static_cast<std::size_t>(a - 1)].arrival <
               works[static_cast<std::size_t>(b - 1)].arrival;
      });
      if (batch.first.empty()) return;
      if (definition_->precedence)
        for (const lua_Integer number : batch.first)
          if (sim.is_ready(WorkId(static_cast<std::size_t>(number - 1)))) ready.first.push_back(number);
      call(L, kArrived, self, view, batch.first, {});
      if (!ready.first.empty()) call(L, kReady, self, view, ready.first, {});
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
    explain_losses(view, lines);
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

  Reference& stream(const std::string& name) override { return streams_[name]; }
  void consider(Considered considered) override { considered_.push_back(std::move(considered)); }

 private:
  using Callback = PolicyDefinition::Callback;
  using enum PolicyDefinition::Callback;

  struct Batch {
    std::vector<lua_Integer> first, second;
  };

  // Work that waits since it was lost, when no callback was told of it.
  void explain_losses(const View& view, Waiting& lines) const {
    constexpr std::size_t kMost = 3;
    std::string names;
    std::size_t count = 0;
    for (const auto& [work, host] : lost_untold_) {
      if (!view.works().has(work.index)) continue;
      const WorkView& now = view.works()[work.index];
      if (now.state != WorkState::waiting || now.posted > 0 || ++count > kMost) continue;
      names += fmt::format("{}{}{} on {}", count > 1 ? ", " : "", view.workload().name_of(work),
                           count == 1 ? " was lost" : "", view.platform()[host].name);
    }
    if (count == 0) return;
    if (count > kMost) names += fmt::format(" and {} more", count - kMost);
    lines.push_back(fmt::format("{}; {} has no function `failed`, which is told of that", names, who()));
  }

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
        ended(event, work, host);
        break;
      case EventKind::superseded:
        if (event.work.valid() && on.valid()) put(kSuperseded, work, host);
        break;
      case EventKind::lost:
        lost(sim, event, work, host);
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
      case EventKind::killed:
        put(kKilled, work);
        break;
      case EventKind::known:
        put(kKnown, 1);
        break;
      case EventKind::saved:
        put(kSaved, work);
        break;
      case EventKind::ready:
        put(kReady, work);
        break;
      case EventKind::powered:
        put(kPowered, host);
        break;
    }
  }

  void ended(const Event& event, lua_Integer work, lua_Integer host) {
    if (event.finishes)
      put(kFinished, work, host);
    else if (event.work.valid() && event.on.host().valid())
      put(event.transfer ? kReceived : kComputed, work, host);
  }

  void lost(Sim& sim, const Event& event, lua_Integer work, lua_Integer host) {
    const HostId on = event.on.host();
    if (event.transfer)
      cut(sim, event);
    else if ((event.why == Reason::limit || event.why == Reason::policy) &&
             definition_->callbacks[kRequeued].valid()) {
      put(kRequeued, work);
    } else if (event.work.valid() && event.why != Reason::cancelled) {
      put(kFailed, work, host);
      if (!definition_->callbacks[kFailed].valid() && on.valid()) lost_untold_[event.work] = on;
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
        if (std::any_of(outputs.begin(), outputs.end(), [&](FileId file) {
              return !sim.at_home(file) && sim.comes_home(file) && sim.in_store(file, cluster);
            })) {
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
      ++view.call;
      view.owner = this;
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
      if (definition_->callbacks[which_].valid())
        add_note_of_arguments(interpreter_->running(), definition_->callbacks[which_],
                              fmt::format("policy.{}", name_of_callback(which_)), diagnostic);
      diagnostic.notes.push_back(place(sim));
      throw ScriptError(std::move(diagnostic), error.trace());
    }
  }

  std::string place(const Sim& sim) const {
    return fmt::format("in policy '{}', {} at t = {} s", definition_->name, decision(sim),
                       format_number(sim.now()));
  }

  std::string decision(const Sim& sim) const {
    std::string text(at_hand_);
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
    at_hand_ = name_of_callback(c);
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
        host::push(L, marks_[i]);
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
  std::map<WorkId, HostId> lost_untold_;  // where a piece of it was lost last; only without `failed`
  std::vector<Considered> considered_;    // of the last call, in order; kept while somebody asks why
  std::string_view at_hand_ = "begin";
  Callback which_ = kBegin;
  std::size_t count_at_hand_ = 0;
  mutable std::size_t bytes_ = 0;  // bytes that the last copy took
  std::array<lua_Integer, 5> shown_at_hand_{};
};

}  // namespace

std::unique_ptr<Policy> lua_policy(Interpreter& interpreter,
                                   std::shared_ptr<const PolicyDefinition> definition, Reference self) {
  return std::make_unique<LuaPolicy>(interpreter, std::move(definition), std::move(self));
}

}  // namespace perigee::callbacks
