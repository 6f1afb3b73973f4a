// The result of a simulation, and what is warned of at its end.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "interpreter/bindings/run/simulation.h"
#include "interpreter/session/interpreter.h"
#include "runtime/results/accounts.h"
#include "runtime/results/validator.h"
#include "runtime/schedulers/sweep/rounds.h"

namespace perigee::bindings {

namespace {

// "2 pieces of work are rejected that no host can run: wide needs ..., ..."
void warn_of_infeasible(Interpreter& interpreter, const Outcome& outcome, Warned& warned) {
  if (outcome.forgotten.in(WorkState::rejected) == 0 &&
      std::ranges::find(outcome.works, WorkState::rejected) == outcome.works.end())
    return;
  const auto [count, first] = infeasible_works(outcome);
  if (count <= warned.rejected) return;
  const std::uint64_t more = count - std::exchange(warned.rejected, count);
  std::int32_t widest = 0;
  for (const Host& host : outcome.scenario->platform->hosts()) widest = std::max(widest, host.cores);
  const Workload& workload = *outcome.scenario->workload;
  const bool there = workload.works.has(first.index);
  const std::int32_t cores = there ? workload[first].cores : 0;
  const bool shaped = there && workload.shape_of(first) != nullptr;
  const std::string in_no_store =
      there ? why_in_no_store(workload, *outcome.scenario->platform, first) : std::string();
  interpreter.output().warn(
      fmt::format(
          "{} with seed {}: {} {} rejected that no host can run: {}{}{}", outcome.policy, outcome.seed, count,
          count == 1 ? "piece of work is" : "pieces of work are", workload.name_of(first),
          !in_no_store.empty() ? fmt::format(": {}", in_no_store)
          : shaped             ? fmt::format(": {}", why_never(workload, *outcome.scenario->platform, first))
          : cores > widest     ? fmt::format(" needs {} cores on one host, the widest has {}", cores, widest)
                               : "",
          count > 1 ? ", ..." : ""),
      "pieces of work rejected that no host can run", more);
}

// Warns of computations that were lost because the policy, which could have planned around it, was not told beforehand.
void warn_of_unknown_reservations(Interpreter& interpreter, const Simulation& simulation,
                                  const Outcome& outcome, Warned& warned) {
  const auto is_unknown = [](const Happening& each) {
    return each.kind == HappeningKind::down && each.cause == Cause::reservation && each.known == kNever;
  };
  if (!simulation.accepts().several_hosts || outcome.trace.level() != TraceLevel::full ||
      std::ranges::none_of(outcome.scenario->happenings, is_unknown))
    return;
  std::set<std::uint32_t> lost;
  for (std::size_t i = 0; i < outcome.trace.size(); ++i) {
    const Record record = outcome.trace[i];
    if (record.kind == RecordKind::lost && record.what == ActivityKind::compute &&
        record.why == Reason::reservation)
      lost.insert(record.activity);
  }
  if (lost.empty()) return;
  std::string said = fmt::format(
      "{} with seed {}: {} lost to a reservation of which it was not told beforehand; known = 0 in reserve {{ }} tells it",
      outcome.policy, outcome.seed,
      lost.size() == 1 ? "1 computation was" : fmt::format("{} computations were", lost.size()));
  if (outcome.status != RunStatus::running && warned.lines.insert(said).second)
    interpreter.output().warn(said);
}

// Warns where jobs are to go on after their limit, but none writes anything down to go on from.
void warn_of_no_checkpoint(Interpreter& interpreter, const Outcome& outcome, Warned& warned) {
  const AtLimit rule = outcome.scenario->at_limit;
  const Workload& workload = *outcome.scenario->workload;
  if ((rule != AtLimit::requeue && rule != AtLimit::checkpoint) || workload.works.first() > 0) return;
  bool any_limit = false;
  for (std::size_t w = 0; w < workload.size(); ++w) {
    if (workload.checkpoint_of(WorkId(w)) != nullptr) return;
    any_limit = any_limit || workload.limit_of(WorkId(w)) < kNever;
  }
  std::string said =
      fmt::format("at_limit = \"{}\", but no job has a checkpoint: each is killed at its limit",
                  rule == AtLimit::requeue ? "requeue" : "checkpoint");
  if (any_limit && warned.lines.insert(said).second) interpreter.output().warn(said);
}

void warn_of_stop(Interpreter& interpreter, const Simulation& simulation, const Outcome& outcome,
                  Warned& warned) {
  const std::string stopped =
      fmt::format("{} with seed {} stopped at t = {} s{}, for {}", outcome.policy, outcome.seed, outcome.end,
                  simulation.view().unsettled() > 0 ? " with work left" : "",
                  simulation.woke_in_vain() ? "nothing progresses any more" : "nothing can happen any more");
  interpreter.cell().note_incomplete(stopped);
  if (interpreter.output().silent() || !warned.lines.insert(stopped).second) return;
  interpreter.output().warn(stopped);
  for (const std::string& line : outcome.waiting) interpreter.output().warn("  " + line);
}

void check_trace(const Outcome& outcome) {
  const auto problems = validate(outcome);
  if (problems.empty()) return;
  Diagnostic diagnostic{"invalid_trace",
                        fmt::format("the trace of {} is not valid: {}", outcome.policy, problems.front()),
                        {},
                        {problems.begin() + 1, problems.end()}};
  if (diagnostic.notes.size() > 10) diagnostic.notes.resize(10);
  throw Error(std::move(diagnostic));
}

}  // namespace

ResultValue result_of(lua_State* L, const Simulation& simulation, bool validate_it, Warned& warned) {
  Interpreter& interpreter = Interpreter::of(L);
  ResultValue result;
  result.outcome = std::make_shared<const Outcome>(simulation.outcome());
  const Outcome& outcome = *result.outcome;
  if (validate_it) check_trace(outcome);
  result.ordinal = interpreter.next_outcome(outcome);
  warn_of_infeasible(interpreter, outcome, warned);
  warn_of_unknown_reservations(interpreter, simulation, outcome, warned);
  warn_of_no_checkpoint(interpreter, outcome, warned);
  if (outcome.status != RunStatus::running)
    for (const std::string& line : sweep::sweep_warnings(outcome.trace.notes()))
      if (const std::string said = fmt::format("{}: {}", outcome.policy, line);
          warned.lines.insert(said).second)
        interpreter.output().warn(said);
  if (outcome.status == RunStatus::incomplete) warn_of_stop(interpreter, simulation, outcome, warned);
  return result;
}

}  // namespace perigee::bindings
