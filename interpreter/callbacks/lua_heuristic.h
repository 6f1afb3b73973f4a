// Heuristics of the script: their declarations, and one of them at work.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/callbacks/mapper_call.h"
#include "interpreter/language/hints.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/session/surroundings.h"
#include "interpreter/values/mappings.h"
#include "interpreter/values/schedulers.h"
#include "runtime/cost/graph_schedule.h"

namespace perigee::callbacks {

struct Heuristic {
  std::string name;
  Reference pick, place;  // or
  Reference map, choose;  // map: for matrices; choose: for charts, and for matrices when there is no map
  // A scheduler of task graphs has these, or pick.
  Reference rank, schedule;
  GraphFit fit = GraphFit::insertion;
  std::shared_ptr<Surroundings> surroundings = std::make_shared<Surroundings>(kKeepsNothing);
  bool smallest = false, pure = false;
  std::vector<Parameter> parameters;

  std::string who() const { return fmt::format("heuristic '{}'", name); }
};

// Opens `heuristic` and what its functions are shown.
void open_heuristic(lua_State* L);

// A heuristic with the values of its parameters, used by one mapper. A copy belongs to another mapper.
// Copying is an error "not_copyable" when the script keeps state outside of the heuristic.
class HeuristicAtWork {
 public:
  HeuristicAtWork(Interpreter& interpreter, std::shared_ptr<const Heuristic> heuristic, Reference arguments)
      : interpreter_(&interpreter),
        heuristic_(std::move(heuristic)),
        arguments_(std::move(arguments)),
        run_(interpreter.traces().new_run()) {}
  HeuristicAtWork(Interpreter& interpreter, std::shared_ptr<const Heuristic> heuristic,
                  const Arguments& arguments);
  HeuristicAtWork(const HeuristicAtWork& other)
      : HeuristicAtWork(*other.interpreter_, other.heuristic_, other.arguments_) {
    interpreter_->traces().check_fork(interpreter_->running(), other.run_, heuristic_->who(),
                                      *heuristic_->surroundings);
  }
  HeuristicAtWork& operator=(const HeuristicAtWork&) = delete;

  const Heuristic& heuristic() const { return *heuristic_; }
  const Reference& arguments() const { return arguments_; }
  // The same heuristic and arguments, without a run under way.
  HeuristicAtWork afresh() const { return {*interpreter_, heuristic_, arguments_}; }

  // The context of an error of the script: the function it was in, and a note on the question that the
  // function was asked.
  struct Asked {
    const Reference& function;
    std::string_view name;  // "pick"
    std::string note;
  };
  // Calls body(L, call), in which functions of the script may be called. Errors tell asked().
  template <class Ask, class F>
  void in_script(Stream& stream, Ask&& asked, F&& body) {
    const Interpreter::InRun in_run(*interpreter_);
    try {
      protect(interpreter_->running(), [&](lua_State* L) {
        interpreter_->traces().enter(L, run_, heuristic_->who(), heuristic_->surroundings);
        const InMapperCall call(L, stream);
        body(L, call.call());
      });
    } catch (const Stopped&) {
      throw;
    } catch (const Error& error) {
      Diagnostic diagnostic = error.diagnostic();
      const Asked where = asked();
      if (!diagnostic.where.known())
        diagnostic.where = definition_of(interpreter_->running(), where.function);
      add_note_of_arguments(interpreter_->running(), where.function, fmt::format("heuristic.{}", where.name),
                            diagnostic);
      if (std::ranges::find(diagnostic.notes, where.note) == diagnostic.notes.end())  // one that calls itself
        diagnostic.notes.push_back(where.note);
      const auto* script = dynamic_cast<const ScriptError*>(&error);
      throw ScriptError(std::move(diagnostic), script ? script->trace() : std::vector<std::string>());
    }
  }

 private:
  Interpreter* interpreter_;
  std::shared_ptr<const Heuristic> heuristic_;
  Reference arguments_;  // a table of parameter values
  std::uint64_t run_;
};

// The key at `index` as a number; `who`, `task` and the name of the function are for messages.
double key_at(lua_State* L, int index, const std::string& who, std::size_t task,
              std::string_view function = "pick");

// ---- lua_chart_heuristic.cpp ----

// Sets entry.make_chart_rule or entry.make_chart_mapper when the heuristic can choose on a Gantt chart.
void set_chart_makers(Interpreter& interpreter, const std::shared_ptr<const Heuristic>& heuristic,
                      Entry& entry);

// ---- lua_graph_heuristic.cpp ----

// Sets entry.make_graph_scheduler.
void set_graph_maker(Interpreter& interpreter, const std::shared_ptr<const Heuristic>& heuristic,
                     Entry& entry);

}  // namespace perigee::callbacks
