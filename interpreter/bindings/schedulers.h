// Schedulers as scripts see them, and those that scripts write.
#pragma once

#include <memory>
#include <optional>

#include "interpreter/stack.h"
#include "runtime/schedulers/catalogue.h"

namespace perigee::interpreter::lua {

// What the global name of a scheduler holds.
struct Constructor {
  std::shared_ptr<const Entry> entry;
};
template <>
struct TypeName<Constructor> {
  static constexpr const char* value = "constructor";
};
void push_constructor(lua_State* L, std::shared_ptr<const Entry> entry);

// Enters what a script has written into the catalogue and the vocabulary; pushes its constructor.
void register_entry(lua_State* L, Entry entry);

// The function at `index` as the value of a parameter.
RulePtr rule_at(lua_State* L, int index);
void open_rules(lua_State* L);  // what such functions are shown

// Parameters that a script's scheduler declares as `parameters = { name = default }`: numbers, true or false,
// lists of texts (choices), mappers, lists of mappers.
std::vector<Parameter> parameters_of(const Fields& fields);
// A table of their values, pushed.
void push_arguments(lua_State* L, const std::vector<Parameter>& parameters, const Arguments& arguments);

// Metatables of the arrays that a policy's callbacks get: during the call, and after it.
inline constexpr const char *kLent = "array of a callback", *kReturned = "array of a callback that is over";

// A copy of a policy's `self`, pushed: plain data with cycles and sharing kept. Error naming what cannot be
// copied.
void copy_plain(lua_State* L, int index, const std::string& who, const std::string& name);

// What functions of a script see besides their arguments: captured variables, and the globals that their text
// names. Whatever is reachable from these counts: tables, functions and what they see in turn, own random
// streams, coroutines.
class Surroundings {
 public:
  void add(std::string callback, Reference function) {
    functions_.emplace_back(std::move(callback), std::move(function));
  }
  struct Seen {
    const void* id;        // of a captured variable; null for a global
    std::string name, by;  // "the global 'x'", "which 'decide' uses"
    std::uint64_t high, low;
    bool same_variable(const Seen& other) const { return id == other.id && name == other.name; }
    bool same_value(const Seen& other) const { return high == other.high && low == other.low; }
  };
  std::vector<Seen> look(lua_State* L) const;
  // The first that is not as it was, if any.
  std::optional<Seen> changed_since(lua_State* L, const std::vector<Seen>& before) const;

 private:
  std::vector<std::pair<std::string, Reference>> functions_;
};

// Sees to it that what one run leaves behind outside of `self` is seen by no other run and no fork. A run is
// one policy or mapper at work, by its serial.
class Traces {
 public:
  std::uint64_t new_run() { return ++runs_; }
  // The functions are about to be called for `run`. Error "state_outside" when another run has changed what
  // they see.
  void enter(lua_State* L, std::uint64_t run, const std::string& who,
             const std::shared_ptr<const Surroundings>& surroundings);
  // The script goes on by itself: notes what the runs since `enter` have changed.
  void leave(lua_State* L);
  // The same after an error: forgets them.
  void forget() { entered_.clear(); }
  bool empty() const { return entered_.empty(); }
  // The same as a message about the runs after number `run`; empty when they have changed nothing.
  std::uint64_t runs() const { return runs_; }
  std::string left_since(std::uint64_t run) const;
  // Error "not_copyable" when `run` has changed what its functions see.
  void check_fork(lua_State* L, std::uint64_t run, const std::string& who,
                  const Surroundings& surroundings) const;

 private:
  struct Entered {
    std::uint64_t run;
    std::string who;
    std::shared_ptr<const Surroundings> surroundings;
    std::vector<Surroundings::Seen> before;
  };
  struct Left {
    std::uint64_t run;
    std::string who;
    Surroundings::Seen value;
  };
  std::uint64_t runs_ = 0;
  std::vector<Entered> entered_;
  std::vector<Left> left_;  // one per variable
};

// Generators of workloads may keep something in captured variables from one record to the next. So that no
// cell of an experiment depends on those before, these variables hold at its end what they held at its
// beginning.
class Generators {
 public:
  // The function is about to be called in a cell.
  void enter(lua_State* L, const Reference& function);
  // The cell is over. What has changed in spite of it, as a message; empty = nothing.
  std::string leave(lua_State* L);

 private:
  struct Entered {
    Reference function;
    std::vector<Reference> captured;
    Surroundings surroundings;
    std::vector<Surroundings::Seen> before;
  };
  std::vector<Entered> entered_;
};

}  // namespace perigee::interpreter::lua
