// Carries out experiments.
#include "interpreter/bindings/run/experiment/carried_out.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "interpreter/bindings/run/experiment/cells.h"
#include "interpreter/bindings/run/experiment/warnings.h"
#include "interpreter/experiments/report.h"
#include "interpreter/session/interpreter.h"

namespace perigee::bindings {

namespace {

constexpr std::uint64_t kStepsOfCell = 100;  // besides the steps of the script's functions

// Computes this interpreter's share of the cells, and waits for the others'.
ExperimentPtr computed_experiment(lua_State* L, const Declaration& declaration, std::size_t nth) {
  Interpreter& interpreter = Interpreter::of(L);
  CellCoordinator* coordinator =
      interpreter.options().worker_of != nullptr ? nullptr : &coordinator_of(interpreter);
  const ExperimentPtr experiment = dealer_of(interpreter).enter(interpreter, nth, declaration.design);
  struct Leave {
    CellCoordinator* coordinator;
    Experiment& experiment;
    ~Leave() {
      if (coordinator != nullptr) coordinator->leave(experiment);
    }
  };
  const Leave leave{coordinator, *experiment};
  try {
    compute_cells(L, declaration, *experiment);
  } catch (const Stopped& stopped) {
    const std::string kept = coordinator == nullptr ? std::string() : coordinator->kept(*experiment);
    if (stopped.diagnostic().code == "interrupted" && interpreter.stopped() && !kept.empty())
      interpreter.stop_as("interrupted; " + kept, declaration.design.where);
    throw;
  } catch (const Error& error) {  // changes by cells cannot be undone: the script cannot go on
    if (error.diagnostic().code == "state_outside")
      interpreter.stop(error.diagnostic().code, error.diagnostic().message);
    throw;
  }
  return experiment;
}

// A metric of `measure` is one that some cell has.
void check_metrics(const Declaration& declaration, const Experiment& experiment) {
  if (experiment.failed == experiment.outcomes.size()) return;
  const auto known = measures_of(experiment.outcomes);
  for (const std::string& metric : declaration.metrics)
    if (std::find(known.begin(), known.end(), metric) == known.end())
      fail("unknown_measure", "experiment '{}': measure names '{}', which no cell has{}",
           declaration.design.name, metric, nearest_or_all(metric, known));
}

// The script after the experiment depends on all that its cells have looked for.
void note_reads_of(Interpreter& interpreter, const Experiment& experiment) {
  std::set<CellOutcome::Read> reads;
  for (const auto& [number, outcome] : experiment.outcomes)
    reads.insert(outcome.reads.begin(), outcome.reads.end());
  for (const CellOutcome::Read& read : reads) {
    if (read.kind == CellOutcome::Read::Kind::seed) continue;
    if (read.kind == CellOutcome::Read::Kind::setting) {
      interpreter.settings().find(read.name);
      continue;
    }
    try {
      interpreter.files().data_file(read.name);
    } catch (const Error&) {  // the file was missing, and that is noted
    }
  }
}

// Cells that may depend on the results of an earlier experiment, of which a shard has a part: where the key
// shows what they depend on, `perigee merge` finds out; where it cannot, or they reach these results, they are not
// computed.
void note_partial_results(Interpreter& interpreter, Declaration& declaration) {
  for (const ExperimentPtr& each : coordinator_of(interpreter).experiments()) {
    if (!each->partial) continue;
    if (!declaration.unknown.empty() || each->reached)
      fail(
          "needs_results",
          "experiment '{}' {} the results of '{}'{}; merge the shards, then run them again with --known and the "
          "merged folder",
          declaration.design.name, each->reached ? "depends on" : "may depend on", each->design.name,
          each->reached ? "" : ", for " + declaration.unknown);
    declaration.design.parts.push_back({fmt::format("{}'{}'", kPartialResults, each->design.name), ""});
  }
}

}  // namespace

void refuse_inside(lua_State* L, std::string_view what) {
  const Interpreter& interpreter = Interpreter::of(L);
  if (interpreter.cell().under_way() || interpreter.in_run())
    fail("bad_call", "{} cannot be part of a run or of another experiment's cell", what);
}

ExperimentPtr carried_out(lua_State* L, Declaration& declaration, bool warns) {
  Interpreter& interpreter = Interpreter::of(L);
  Design& design = declaration.design;
  design.context = interpreter.context();
  if (interpreter.keeps_cells()) {
    find_key(L, declaration);
    note_partial_results(interpreter, declaration);
  }
  const std::size_t nth = interpreter.next_experiment();
  interpreter.spend(kStepsOfCell * design.replications.least * design.combinations.size());
  show_chosen_cell(L, declaration, nth);

  const bool is_worker = interpreter.options().worker_of != nullptr;
  ExperimentPtr experiment = computed_experiment(L, declaration, nth);
  if (is_worker) dealer_of(interpreter).wait_for_more(interpreter, nth, *experiment);
  if (!is_worker && !experiment->partial) check_metrics(declaration, *experiment);
  interpreter.count_anew();
  note_reads_of(interpreter, *experiment);
  if (!is_worker) {
    if (warns) warn_of_experiment(interpreter, *experiment, nth);
    if (experiment->partial) interpreter.output().fall_silent();
    if (const std::string why = coordinator_of(interpreter).lost_worker(); !why.empty())
      interpreter.output().warn(
          fmt::format("experiment '{}': a worker could not follow the script; others did its part: {}",
                      design.name, why));
  }
  return experiment;
}

}  // namespace perigee::bindings
