// `problem`: a mapping problem and a mapping of it under construction. A heuristic with `map` is given one,
// and cost.problem { } makes one.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "interpreter/bindings/compute/mappings.h"
#include "interpreter/bindings/parts.h"
#include "interpreter/bindings/script/script.h"
#include "interpreter/callbacks/mapper_call.h"
#include "interpreter/language/fields/problems.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/mappings.h"
#include "runtime/cost/etc.h"

namespace perigee::bindings {

// problem:row(task)
struct RowValue {
  MapperCallPtr call;
  std::shared_ptr<const void> data;
  std::span<const double> times;
};

}  // namespace perigee::bindings

namespace perigee::host {

template <>
struct TypeName<bindings::RowValue> {
  static constexpr const char* value = "matrix row";
};

}  // namespace perigee::host

namespace perigee::bindings {

ProblemArgument::ProblemArgument(lua_State* L, int index, std::string_view what,
                                 std::optional<std::span<const std::uint32_t>> only) {
  if (auto* value = test<ProblemValue>(L, index)) {
    if (!value->call->alive) fail("stale", "this mapping problem belongs to a call that is over");
    rest_.emplace(value->draft, only);
    problem_ = rest_->problem();
    value_ = value;
    ++value_->busy;
    return;
  }
  if (const auto* given = test<std::shared_ptr<const EtcMatrix>>(L, index))
    etc_ = *given;
  else if (lua_type(L, index) == LUA_TTABLE)
    etc_ = std::make_shared<const EtcMatrix>(etc_at(L, index));
  else
    fail("bad_type", "{} must be an etc matrix or a mapping problem, got {}", what, shown(L, index));
  problem_ = problem_of(*etc_);
}
ProblemArgument::~ProblemArgument() {
  if (value_ != nullptr) --value_->busy;
}
void ProblemArgument::set_ready(std::vector<double> ready) {
  etc_ = close_machines(std::move(etc_), ready);
  ready_ = std::move(ready);
  problem_ = problem_of(*etc_, ready_);
}

std::shared_ptr<const EtcMatrix> close_machines(std::shared_ptr<const EtcMatrix> etc,
                                                std::vector<double>& ready) {
  if (std::ranges::find(ready, kNever) == ready.end()) return etc;
  auto closed = std::make_shared<EtcMatrix>(*etc);
  for (std::size_t m = 0; m < closed->machines; ++m) {
    if (ready[m] < kNever) continue;
    ready[m] = 0;
    for (std::size_t t = 0; t < closed->tasks; ++t) closed->values[t * closed->machines + m] = kNever;
  }
  return closed;
}

namespace {

// The data of a problem that a script makes.
struct OwnProblem {
  std::shared_ptr<const EtcMatrix> etc;
  std::vector<double> ready;
  std::vector<std::uint32_t> first_core, width, cluster;
};

const Draft& draft_at(lua_State* L) {
  const ProblemValue& problem = check<ProblemValue>(L, 1);
  if (!problem.call->alive) fail("stale", "this mapping problem belongs to a call that is over");
  return problem.draft;
}

ProblemValue& changeable_at(lua_State* L) {
  auto& problem = check<ProblemValue>(L, 1);
  draft_at(L);
  if (problem.busy > 0)
    fail("bad_call",
         "this mapping problem cannot be changed here: it is being mapped, or shown to a switch, which only "
         "looks; problem:copy() makes one that can");
  return problem;
}

struct OfDraft {
  static const Draft* lean(lua_State* L) {
    const auto* problem = host::lean<ProblemValue>(L);
    return problem != nullptr && problem->call->alive ? &problem->draft : nullptr;
  }
  static const Draft& checked(lua_State* L) { return draft_at(L); }
  static std::size_t tasks(const Draft& draft) { return draft.problem().tasks; }
  static std::size_t machines(const Draft& draft) { return draft.problem().machines; }
  static bool readable(const Draft&, std::size_t) { return true; }
  static void require(const Draft&, std::size_t) {}
};

using D = const Draft&;
using I = std::size_t;

std::uint32_t problem_best_machine(D draft, I task) {
  const Smallest found = draft.times().best(task);
  return found.value < std::numeric_limits<double>::infinity() ? found.at : kUnmapped;
}

// problem:two_best(task) -> best, second, and their machines.
int two_best(lua_State* L) {
  return guard(L, [&] {
    const Draft& draft = draft_at(L);
    const TwoSmallest found = draft.times().two_best(place_at(L, 2, "task", draft.problem().tasks));
    constexpr double kNever = std::numeric_limits<double>::infinity();
    lua_pushnumber(L, found.best);
    lua_pushnumber(L, found.second);
    push_answer(L, found.best < kNever ? found.at : kUnmapped);
    push_answer(L, found.second < kNever ? found.next : kUnmapped);
    return 4;
  });
}

// problem:free(machine): the times when each core of the machine is free, ascending.
int free_cores(lua_State* L) {
  return guard(L, [&] {
    const Draft& draft = draft_at(L);
    const auto times = draft.times().free(place_at(L, 2, "machine", draft.problem().machines));
    lua_createtable(L, static_cast<int>(times.size()), 0);
    for (std::size_t i = 0; i < times.size(); ++i) {
      lua_pushnumber(L, times[i]);
      lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
    }
    return 1;
  });
}

template <bool machine>
int problem_of_cluster(lua_State* L) {
  return guard(L, [&] {
    const Draft& draft = draft_at(L);
    const std::size_t task = place_at(L, 2, "task", draft.problem().tasks);
    const Smallest found = draft.best_of_cluster(task, place_at(L, 3, "cluster", draft.clusters()));
    if constexpr (machine)
      push_answer(L, found.value < std::numeric_limits<double>::infinity() ? found.at : kUnmapped);
    else
      push_answer(L, found.value);
    return 1;
  });
}

int problem_waiting(lua_State* L) {
  return guard(L, [&] {
    const Draft& draft = draft_at(L);
    const std::size_t tasks = draft.problem().tasks;
    Interpreter::of(L).count(tasks);
    lua_newtable(L);
    lua_Integer count = 0;
    for (std::size_t task = 0; task < tasks; ++task) {
      if (!draft.waits(task) || problem_best_machine(draft, task) == kUnmapped) continue;
      push_answer(L, static_cast<std::uint32_t>(task));
      lua_rawseti(L, -2, ++count);
    }
    return 1;
  });
}

int row(lua_State* L) {
  return guard(L, [&] {
    const Draft& draft = draft_at(L);
    const ProblemValue& value = check<ProblemValue>(L, 1);
    const std::size_t task = place_at(L, 2, "task", draft.problem().tasks);
    const std::size_t machines = draft.problem().machines;
    push_new(L, RowValue{value.call, value.data, draft.problem().etc.subspan(task * machines, machines)});
    return 1;
  });
}

void require_waiting(const Draft& draft, std::size_t task) {
  if (draft.left_out(task)) fail("bad_call", "task {} is left out; problem:undo() takes that back", task + 1);
  if (!draft.waits(task))
    fail("bad_call", "task {} is assigned to machine {} already; problem:undo() takes the last one back",
         task + 1, draft.mapping().machine[task] + 1);
}

// problem:assign(task, machine) -> the completion of the task there.
int assign(lua_State* L) {
  auto* problem = lean<ProblemValue>(L);
  if (problem != nullptr && problem->call->alive && problem->busy == 0) {
    Draft& draft = problem->draft;
    if (std::size_t task = 0, machine = 0; lean_index(L, 2, draft.problem().tasks, task) &&
                                           lean_index(L, 3, draft.problem().machines, machine) &&
                                           draft.waits(task) && draft.fits(task, machine))
      return guard(L, [&] {  // memory may end here
        draft.assign(task, static_cast<std::uint32_t>(machine));
        lua_pushnumber(L, draft.mapping().completion[task]);
        return 1;
      });
  }
  return guard(L, [&] {
    Draft& draft = changeable_at(L).draft;
    const std::size_t task = place_at(L, 2, "task", draft.problem().tasks);
    const std::size_t machine = place_at(L, 3, "machine", draft.problem().machines);
    require_waiting(draft, task);
    if (!draft.fits(task, machine))
      fail("bad_call", "task {} cannot run on machine {}", task + 1, machine + 1);
    draft.assign(task, static_cast<std::uint32_t>(machine));
    lua_pushnumber(L, draft.mapping().completion[task]);
    return 1;
  });
}

int leave_out(lua_State* L) {
  return guard(L, [&] {
    Draft& draft = changeable_at(L).draft;
    const std::size_t task = place_at(L, 2, "task", draft.problem().tasks);
    require_waiting(draft, task);
    draft.leave_out(task);
    return 0;
  });
}

// problem:undo() -> whether there was an assignment to take back.
int undo(lua_State* L) {
  return guard(L, [&] {
    lua_pushboolean(L, changeable_at(L).draft.undo() ? 1 : 0);
    return 1;
  });
}

// problem:makespan_of(machines or mapping): the makespan of that mapping in place of the one under
// construction.
int makespan_of(lua_State* L) {
  return guard(L, [&] {
    const MappingProblem& problem = draft_at(L).problem();
    const GivenMapping given = given_mapping_at(L, 2, "makespan_of", problem);
    Mapping mapping;
    map_as(problem, given.machine, given.order, mapping);
    lua_pushnumber(L, mapping.makespan);
    return 1;
  });
}

int mapping(lua_State* L) {
  return guard(L, [&] {
    const Draft& draft = draft_at(L);
    Interpreter::of(L).count(draft.problem().tasks);
    push_mapping(L, draft.mapping());
    return 1;
  });
}

int problem_copy(lua_State* L) {
  return guard(L, [&] {
    const Draft& draft = draft_at(L);
    const ProblemValue& value = check<ProblemValue>(L, 1);
    const MappingProblem& problem = draft.problem();
    Interpreter::of(L).count(problem.tasks +
                             (problem.has_cores() ? problem.first_core.back() : problem.machines));
    push_new(L, ProblemValue{value.call, value.data, draft});
    return 1;
  });
}

int problem_stream(lua_State* L) {
  return guard(L, [&] {
    draft_at(L);
    push_stream(L, *check<ProblemValue>(L, 1).call);
    return 1;
  });
}

int problem_text(lua_State* L) {
  return guard(L, [&] {
    const ProblemValue& value = check<ProblemValue>(L, 1);
    if (!value.call->alive) {
      host::push(L, "mapping problem of a call that is over");
      return 1;
    }
    const MappingProblem& problem = value.draft.problem();
    host::push(L, fmt::format("mapping problem of {} tasks on {} machines, {} assigned", problem.tasks,
                              problem.machines, value.draft.mapping().order.size()));
    return 1;
  });
}

constexpr luaL_Reg kProblem[] = {
    {"tasks", of_all<OfDraft, [](D d) { return d.problem().tasks; }>},
    {"machines", of_all<OfDraft, [](D d) { return d.problem().machines; }>},
    {"now", of_all<OfDraft, [](D d) { return d.problem().now; }>},
    {"cores", of_machine<OfDraft, [](D d, I m) { return std::size_t{d.problem().cores(m)}; }>},
    {"width", of_task<OfDraft, [](D d, I t) { return std::size_t{d.problem().width_of(t)}; }>},
    {"clusters", of_all<OfDraft, [](D d) { return d.clusters(); }>},
    {"cluster", of_machine<OfDraft, [](D d, I m) { return d.problem().cluster_of(m); }>},
    {"etc", of_task_and_machine<OfDraft, [](D d, I t, I m) { return d.problem().time(t, m); }>},
    {"row", row},
    {"ready", of_machine<OfDraft, [](D d, I m) { return d.times().ready(m); }>},
    {"free", free_cores},
    {"start", of_task_and_machine<OfDraft, [](D d, I t, I m) { return d.times().start(t, m); }>},
    {"finish", of_task_and_machine<OfDraft, [](D d, I t, I m) { return d.times().end(t, m); }>},
    {"completion", of_task_and_machine<OfDraft, [](D d, I t, I m) { return d.times().completion(t, m); }>},
    {"fits", of_task_and_machine<OfDraft, [](D d, I t, I m) { return d.fits(t, m); }>},
    {"best", of_task<OfDraft, [](D d, I t) { return d.times().best(t).value; }>},
    {"second", of_task<OfDraft, [](D d, I t) { return d.times().two_best(t).second; }>},
    {"best_machine", of_task<OfDraft, problem_best_machine>},
    {"two_best", two_best},
    {"cluster_best", problem_of_cluster<false>},
    {"cluster_machine", problem_of_cluster<true>},
    {"waits", of_task<OfDraft, [](D d, I t) { return d.waits(t); }>},
    {"waiting", problem_waiting},
    {"machine", of_task<OfDraft, [](D d, I t) { return d.mapping().machine[t]; }>},
    {"assign", assign},
    {"leave_out", leave_out},
    {"undo", undo},
    {"balance", of_all<OfDraft, [](D d) { return load_balance(d.times()); }>},
    {"task_heterogeneity", of_all<OfDraft, [](D d) { return task_heterogeneity(d.problem()); }>},
    {"machine_heterogeneity", of_all<OfDraft, [](D d) { return machine_heterogeneity(d.problem()); }>},
    {"makespan", of_all<OfDraft, [](D d) { return d.mapping().makespan; }>},
    {"makespan_of", makespan_of},
    {"mapping", mapping},
    {"copy", problem_copy},
    {"stream", problem_stream},
    {"script", write_problem},
    {nullptr, nullptr}};
constexpr luaL_Reg kProblemMeta[] = {{"__tostring", problem_text}, {nullptr, nullptr}};

// ---- rows ----

const RowValue& row_at(lua_State* L) {
  const RowValue& found = check<RowValue>(L, 1);
  if (!found.call->alive) fail("stale", "this matrix row belongs to a call that is over");
  return found;
}

// row[machine]; nil after the last one, so that ipairs ends.
int row_index(lua_State* L) {
  const auto* found = lean<RowValue>(L);
  if (std::size_t machine = 0;
      found != nullptr && found->call->alive && lean_index(L, 2, found->times.size(), machine)) {
    lua_pushnumber(L, found->times[machine]);
    return 1;
  }
  return guard(L, [&] {
    const std::span<const double> times = row_at(L).times;
    if (lua_type(L, 2) != LUA_TNUMBER)
      fail("unknown_field", "a matrix row has no field {}; it has the numbers of machines", shown(L, 2));
    if (lua_tonumber(L, 2) == static_cast<double>(times.size() + 1)) return 0;
    lua_pushnumber(L, times[place_at(L, 2, "machine", times.size())]);
    return 1;
  });
}

int row_length(lua_State* L) {
  return guard(L, [&] {
    push_answer(L, row_at(L).times.size());
    return 1;
  });
}

constexpr luaL_Reg kRowMeta[] = {{"__index", row_index}, {"__len", row_length}, {nullptr, nullptr}};

// The matrix that cost.problem { etc = } has been given.
std::shared_ptr<const EtcMatrix> given_matrix(lua_State* L, const Fields& fields) {
  if (!fields.push(problem_fields::kEtc))
    fields.fail(nullptr, "'etc' is missing: a matrix or a list of rows");
  const auto* given = test<std::shared_ptr<const EtcMatrix>>(L, -1);
  auto etc = given != nullptr ? *given : std::make_shared<const EtcMatrix>(etc_at(L, -1));
  lua_pop(L, 1);
  return etc;
}

// The first core of each machine, and of one that would follow.
std::vector<std::uint32_t> first_cores(const Fields& fields, const std::vector<std::uint32_t>& cores) {
  std::vector<std::uint32_t> first(1, 0);
  for (const std::uint32_t count : cores) {
    if (first.back() + std::int64_t{count} > kMostCores)
      fields.fail(problem_fields::kCores, "{} cores are the most", kMostCores);
    first.push_back(first.back() + count);
  }
  return first;
}

// cost.problem { etc = m }
int make_problem(lua_State* L) {
  return guard(L, [&] {
    const Fields fields(L, 1, {"cost.problem"}, problem_fields::kAll);
    auto own = std::make_shared<OwnProblem>();
    own->etc = given_matrix(L, fields);
    MappingProblem problem = problem_of(*own->etc);
    const auto counts = [&](const FieldRow& field, std::size_t count, const char* of, std::int64_t most) {
      std::vector<std::uint32_t> list;
      if (!fields.push(field)) return list;
      for (const std::uint32_t place :
           places_at(L, -1, fmt::format("cost.problem: {}", field.name), static_cast<std::size_t>(most)))
        list.push_back(place + 1);
      lua_pop(L, 1);
      if (list.size() != count) fields.fail(field, "{} {} for {} {}", list.size(), field.name, count, of);
      return list;
    };
    if (const auto cores = counts(problem_fields::kCores, problem.machines, "machines", kMostCores);
        !cores.empty())
      own->first_core = first_cores(fields, cores);
    own->width = counts(problem_fields::kWidths, problem.tasks, "tasks", kMostCores);
    if (!own->width.empty() && own->first_core.empty())
      fields.fail(problem_fields::kWidths, "widths need cores, a number for each machine");
    own->cluster = counts(problem_fields::kClusters, problem.machines, "machines",
                          static_cast<std::int64_t>(problem.machines));
    for (std::uint32_t& cluster : own->cluster) --cluster;
    problem.now = fields.number(problem_fields::kNow);
    if (problem.now > 0 && own->first_core.empty())
      fields.fail(problem_fields::kNow, "now needs cores; without them it is in the ready times");
    problem.first_core = own->first_core;
    problem.width = own->width;
    problem.cluster = own->cluster;
    problem.whole_machine = fields.flag(problem_fields::kWholeMachine);
    if (const FieldRow& field = problem_fields::kReady; fields.push(field)) {
      own->ready = numbers_at(L, -1, "cost.problem: ready", field.dimension,
                              problem.has_cores() ? kNotNegative : field.range);
      lua_pop(L, 1);
      const std::size_t places = problem.has_cores() ? problem.first_core.back() : problem.machines;
      if (own->ready.size() != places)
        fields.fail(field, "{} ready times for {} {}", own->ready.size(), places,
                    problem.has_cores() ? "cores" : "machines");
      if (!problem.has_cores()) own->etc = close_machines(own->etc, own->ready);
      problem.etc = own->etc->values;
      problem.ready = own->ready;
    }
    check_problem(problem);
    push_new(L, ProblemValue{std::make_shared<MapperCall>(), std::move(own), Draft(problem)});
    return 1;
  });
}

}  // namespace

void open_problem(lua_State* L) {
  new_type<ProblemValue>(L, kProblem, kProblemMeta);
  new_type<RowValue>(L, nullptr, kRowMeta);
  lua_pushcfunction(L, make_problem);
  open_cost(L);
}

}  // namespace perigee::bindings
