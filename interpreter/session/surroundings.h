// Variables of a script that its functions see, and whose changes would make one run depend on another.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/host/stack.h"

namespace perigee::session {

inline constexpr std::string_view kKeepsInSelf =
    "keep state in self, and that of a process in local variables of its function";
inline constexpr std::string_view kKeepsNothing =
    "a function that has no self keeps nothing from one "
    "run to the next: its answer follows from its arguments";

// The variables that functions of a script see besides their arguments: captured variables, and the globals
// that their text names. Everything reachable from these counts: tables, functions and the variables that
// they see in turn, own random streams, coroutines.
class Surroundings {
 public:
  Surroundings() = default;
  // `remedy`: where the functions may keep something in place of such a variable, for messages.
  explicit Surroundings(std::string_view remedy) : remedy_(remedy) {}
  void add(std::string callback, Reference function) {
    functions_.emplace_back(std::move(callback), std::move(function));
  }
  struct Seen {
    const void* id;        // identifies a captured variable; null for a global
    std::string name, by;  // "the global 'x'", "which 'decide' uses"
    std::uint64_t high, low;
    bool is_function;
    bool same_variable(const Seen& other) const { return id == other.id && name == other.name; }
    bool same_value(const Seen& other) const { return high == other.high && low == other.low; }
  };
  // Functions come last: where one has changed, it is by something else that it sees.
  std::vector<Seen> look(lua_State* L) const;
  // The first variable that has changed, if any.
  std::optional<Seen> changed_since(lua_State* L, const std::vector<Seen>& before) const;
  std::string_view remedy() const { return remedy_; }

 private:
  std::string_view remedy_ = kKeepsInSelf;
  std::vector<std::pair<std::string, Reference>> functions_;
};

// Makes sure that no other run and no fork sees the values that one run leaves outside of `self`. A run is
// one policy or mapper at work; it has a serial number.
class Traces {
 public:
  std::uint64_t new_run() { return ++runs_; }
  // Called before the functions are called for `run`. Error "state_outside" when another run has changed a
  // variable that they see. `of_cell`: the functions were made in the present cell of an experiment.
  void enter(lua_State* L, std::uint64_t run, const std::string& who,
             const std::shared_ptr<const Surroundings>& surroundings, bool of_cell = false);
  // Called when the script goes on by itself. Notes the variables that the runs since `enter` have changed.
  void leave(lua_State* L);
  // Called after an error instead: forgets the runs since `enter`.
  void forget() { entered_.clear(); }
  bool empty() const { return entered_.empty(); }
  // A message about the variables that runs after number `run` have changed and that may be there for other
  // cells; empty when they have changed nothing.
  std::uint64_t runs() const { return runs_; }
  std::string left_since(std::uint64_t run) const;
  // Error "not_copyable" when `run` has changed a variable that its functions see.
  void check_fork(lua_State* L, std::uint64_t run, const std::string& who,
                  const Surroundings& surroundings) const;

 private:
  struct Entered {
    std::uint64_t run;
    std::string who;
    std::shared_ptr<const Surroundings> surroundings;
    bool of_cell;
    std::vector<Surroundings::Seen> before;
  };
  struct Left {
    std::uint64_t run;
    std::string who;
    bool of_cell;
    Surroundings::Seen value;
  };
  std::uint64_t runs_ = 0;
  std::vector<Entered> entered_;
  std::vector<Left> left_;  // one per variable
};

// A function that makes the works of a workload may keep something in captured variables from one record to
// the next. No workload may depend on those made before it. Therefore these variables get back, when it is
// made, the values that they had before.
class CapturedVariables {
 public:
  CapturedVariables(lua_State* L, Reference function);
  void look(lua_State* L);  // takes the values that they have now
  void put_back(lua_State* L) const noexcept;
  // With copies of the tables among the values that the variables do not have now. Error "not_copyable", naming
  // the variable, if one cannot be copied.
  CapturedVariables copy(lua_State* L, const std::string& who) const;

 private:
  Reference function_;
  std::vector<Reference> values_;
};

}  // namespace perigee::session
