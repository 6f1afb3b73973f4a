// The works of one run: records become works, and generators are called.
#include <fmt/format.h>

#include <memory>
#include <ranges>
#include <vector>

#include "interpreter/bindings/declare/workload/builder.h"
#include "interpreter/bindings/declare/workload/records.h"
#include "interpreter/bindings/declare/workload/workload.h"
#include "interpreter/host/record_lines.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/session/surroundings.h"
#include "runtime/kernel/room.h"

namespace perigee::bindings {

namespace {

// While it lives, generators make the works of one workload. Captured variables that they change are put
// back; a change elsewhere is an error for the next workload that depends on it.
class Generating {
 public:
  explicit Generating(lua_State* L) : L_(L) {}
  ~Generating() {
    for (const CapturedVariables& each : std::ranges::reverse_view(captured_)) each.put_back(L_);
  }
  Generating(const Generating&) = delete;
  Generating& operator=(const Generating&) = delete;

  void enter(const WorkloadPart& part) {
    if (!part.generator.valid()) return;
    const auto seen = std::make_shared<Surroundings>(session::kKeepsNothing);
    seen->add(fmt::format("the function in line {}", definition_of(L_, part.generator).line), part.generator);
    Interpreter& interpreter = Interpreter::of(L_);
    const bool of_cell = interpreter.cell().under_way() && part.made_in == interpreter.cell().number();
    interpreter.traces().enter(L_, interpreter.traces().new_run(), "a workload", seen, of_cell);
    captured_.emplace_back(L_, part.generator);
  }

 private:
  lua_State* L_;
  std::vector<CapturedVariables> captured_;
};

// An error of f that knows no place is one of `where`.
template <class F>
void at(const SourceLocation& where, F f) {
  try {
    f();
  } catch (const Error& error) {
    Diagnostic diagnostic = error.diagnostic();
    if (diagnostic.where.known()) throw;
    diagnostic.where = where;
    throw Error(std::move(diagnostic));
  }
}

// Adds the records. An error that knows the statement gets the line of its record, where the source shows it.
void add_records(lua_State* L, const WorkloadPart& part, WorkloadBuilder& builder) {
  const auto count = static_cast<std::int64_t>(part.record_count());
  const WorkRecords& records = *part.records;
  TaskScope scope(part.workflow ? "workload.workflow" : "workload.tasks");
  for (std::size_t i = 0; i < records.size(); ++i)
    records.is_plain(i) ? scope.add_plain() : scope.add(records[i]);
  if (part.kind == WorkKind::task) builder.begin_tasks(std::move(scope), part.workflow.get());
  for (std::int64_t number = 1; number <= count; ++number) {
    WorkRecord record = (*part.records)[static_cast<std::size_t>(number - 1)];
    record.declared_at = part.declared_at;
    try {
      builder.add(record);
    } catch (const Error& error) {
      Diagnostic diagnostic = error.diagnostic();
      const std::string* source = Interpreter::of(L).sources().text(record.declared_at.file);
      if (source == nullptr || diagnostic.where.file != record.declared_at.file ||
          diagnostic.where.line != record.declared_at.line)
        throw;
      const auto line = line_of_record(*source, record.declared_at.line, number, count, record.name);
      if (line) diagnostic.where.line = *line;
      throw Error(std::move(diagnostic));
    }
  }
  if (part.kind == WorkKind::task) at(part.declared_at, [&] { builder.end_tasks(); });
}

// Adds the workflow that the function of a part has returned, which is on top of the stack.
void add_workflow(lua_State* state, std::int64_t number, const SourceLocation& defined,
                  WorkloadBuilder& builder) {
  WorkloadPart made = workflow_at(state, lua_gettop(state), number);
  made.declared_at = defined;
  if (made.graph) return builder.add(*made.graph, made.workflow.get(), defined);
  add_records(state, made, builder);
}

// Adds what the function of a part makes, on an empty stack.
void call_generator(lua_State* state, const WorkloadPart& part, const Stream& own, WorkloadBuilder& builder) {
  push_new(state, RandomValue{own});
  part.generator.push(state);
  SourceLocation defined = definition_of(state, part.generator);
  if (!defined.known()) defined = part.declared_at;
  const Anchor anchor(state, defined);
  if (part.generates_matrix) {
    lua_pushvalue(state, 2);
    lua_pushvalue(state, 1);
    lua_call(state, 1, 2);
    builder.add(matrix_tasks_at(state, lua_gettop(state) - 1), defined);
    return;
  }
  const bool are_tasks = part.kind == WorkKind::task && !part.generates_workflows;
  if (are_tasks) builder.begin_tasks(TaskScope("workload.tasks"));
  for (std::int64_t i = 1; i <= part.count; ++i) {
    lua_pushvalue(state, 2);
    lua_pushinteger(state, i);
    lua_pushvalue(state, 1);
    lua_call(state, 2, 1);
    if (part.generates_workflows) {
      add_workflow(state, i, defined, builder);
      lua_pop(state, 1);
      continue;
    }
    if (part.kind == WorkKind::task && builder.add_plain(state)) {
      lua_pop(state, 1);
      continue;
    }
    if (lua_isnil(state, -1))
      fail_at(defined, "bad_type", "{} {}: the function returned nothing; it must return a table, as in {}",
              name_of(part.kind), i, "return { time = 5 }");
    WorkRecord record = record_at(state, -1, part.kind, i);
    record.declared_at = defined;
    builder.add(record);
    lua_pop(state, 1);
  }
  if (are_tasks) at(defined, [&] { builder.end_tasks(); });
}

}  // namespace

void check_pieces(double pieces, std::size_t bytes_each) {
  constexpr const char* kInstead = "workload.stream makes works as they arrive";
  if (pieces > static_cast<double>(kWorkloadMostWorks))
    fail("too_large", "a workload of {:.0f} pieces is too large, at most {}; {}", pieces, kWorkloadMostWorks,
         kInstead);
  will_take(
      pieces * static_cast<double>(bytes_each),
      [&] { return fmt::format("a workload of {:.0f} pieces", pieces); }, kInstead);
}

Workload realize(lua_State* L, const WorkloadValue& value, const PlatformValue& platform, std::uint64_t seed,
                 const Workload* onto, const std::shared_ptr<const model::Queues>& queues) {
  WorkloadBuilder builder(platform, onto, seed, queues);
  check_pieces(static_cast<double>(value.size()), sizeof(Work));
  builder.reserve(static_cast<std::size_t>(value.size()));
  std::uint64_t generators = 0;
  std::int64_t drawn = 0;
  const Interpreter::InRun in_run(Interpreter::of(L));
  Generating generating(L);
  for (const WorkloadPart& part : value.parts) {
    if (part.is_stream) continue;
    if (part.matrix.etc) {
      builder.add(part.matrix, part.declared_at);
      continue;
    }
    if (part.jobs) {
      builder.add(part.jobs(*platform.platform));
      continue;
    }
    if (part.graph) {
      builder.add(*part.graph, part.workflow.get(), part.declared_at);
      continue;
    }
    did_work(kStepsOfRecord * part.record_count());
    if (part.records) add_records(L, part, builder);
    if (!part.generator.valid() && !part.draw) continue;
    const Stream all(seed, onto == nullptr ? "workload" : fmt::format("workload/{}", onto->size()));
    const std::uint64_t k = generators++;
    const Stream own = k == 0 ? all : all.sub(k);
    generating.enter(part);
    if (part.draw) {
      protect(L, [&](lua_State* state) {
        part.draw(state, *platform.platform, own.sub(0), [&](WorkRecord record) {
          Interpreter::of(state).count(1);
          if (++drawn > kWorkloadMostWorks) check_pieces(static_cast<double>(drawn), 0);
          record.declared_at = part.declared_at;
          builder.add(record);
        });
      });
      continue;
    }
    protect(L, [&](lua_State* state) { call_generator(state, part, own, builder); });
  }
  return builder.take();
}

}  // namespace perigee::bindings
