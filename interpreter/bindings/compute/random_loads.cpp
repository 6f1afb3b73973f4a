// workload.random_loads { load = 0.5, ... }: runtime/cost/random_loads.h on the nodes of the run's platform.
#include <fmt/format.h>

#include <functional>
#include <utility>

#include "interpreter/bindings/declare/workload/workload.h"
#include "interpreter/language/fields/loads.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/declarations.h"
#include "runtime/cost/head_costs.h"
#include "runtime/cost/random_loads.h"
#include "runtime/cost/reservation.h"

namespace perigee::bindings {

namespace {

constexpr const char* kRandomLoadsWord = "workload.random_loads";

struct Declared {
  LoadLaws laws;
  Seconds time = 0;  // time of a unit, s
  double bytes = 0;  // size of a unit, B
  double load = 0;   // 0: the function or the interval gives it
  Seconds mean_interarrival = 0;
  Reference load_at;  // a function of time, if any
  Time horizon = 0;
  Seconds advance = 0;
  double advance_factor = 0;
};

struct Head {
  UnitCosts costs;
  std::size_t nodes = 0;
};

Head random_loads_head_of(const Platform& platform, const Declared& declared) {
  if (platform.clusters().size() > 1)
    fail("bad_workload", "{}: the platform has {} clusters, and a head feeds one", kRandomLoadsWord,
         platform.clusters().size());
  return {head_costs(platform, declared.bytes, declared.time), platform.hosts().size()};
}

WorkRecord record_of(const RandomLoad& load, const Declared& declared, const Head& head, Seconds interval) {
  WorkRecord record;
  if (load.reserved) {
    const Seconds advance = declared.advance + declared.advance_factor * interval;
    const Reserved reserved =
        reservation_of(head.costs, head.nodes, load.size, load.arrival, load.within, advance);
    record.kind = WorkKind::reservation;
    record.arrival = reserved.asked;
    record.extra.hosts = static_cast<std::int32_t>(reserved.nodes);
    record.extra.from = reserved.from;
    record.extra.to = reserved.to;
    record.extra.io_ratio = reserved.io_ratio;
    return record;
  }
  record.kind = WorkKind::load;
  record.arrival = load.arrival;
  record.deadline = load.arrival + load.within;
  record.extra.size = load.size;
  record.extra.bytes = declared.bytes * load.transmission_factor;
  record.extra.bytes_estimate = declared.bytes;
  record.time.form = TimeForm::seconds;
  record.time.amount = declared.time * load.computation_factor;
  record.estimate.emplace(record.time).amount = declared.time;
  return record;
}

// The load, or the function's answer for that time.
double random_load_at(lua_State* L, const Declared& declared, Time time) {
  if (!declared.load_at.valid()) return declared.load;
  const Balanced balanced(L);
  declared.load_at.push(L);
  lua_pushnumber(L, time);
  lua_call(L, 1, 1);
  constexpr const FieldRow& load = random_loads_fields::kLoad;
  return number_at(L, -1, fmt::format("{}: {} at t = {}", kRandomLoadsWord, load.name, format_number(time)),
                   load.dimension, load.range);
}

void draw_loads(lua_State* L, const Declared& declared, const Platform& platform, const Stream& stream,
                const std::function<void(WorkRecord)>& add) {
  const Head head = random_loads_head_of(platform, declared);
  RandomLoads loads(head.costs, head.nodes, declared.laws, stream);
  if (!declared.load_at.valid())  // as many as are expected
    check_pieces(declared.horizon / (declared.mean_interarrival > 0 ? declared.mean_interarrival
                                                                    : loads.mean_interval(declared.load)),
                 sizeof(Work) + sizeof(WorkExtra));
  Time last = 0;
  while (true) {
    const Seconds interval = declared.mean_interarrival > 0
                                 ? declared.mean_interarrival
                                 : loads.mean_interval(random_load_at(L, declared, last));
    const RandomLoad load = loads.next(interval);
    if (load.arrival >= declared.horizon) return;
    add(record_of(load, declared, head, interval));
    last = load.arrival;
  }
}

void read_rate(lua_State* L, const Fields& fields, Declared& declared) {
  if (fields.has(random_loads_fields::kLoad) == fields.has(random_loads_fields::kMeanInterarrival))
    fields.fail(random_loads_fields::kLoad, "one of load and mean_interarrival is needed");
  if (!fields.push(random_loads_fields::kLoad)) {
    declared.mean_interarrival = fields.number(random_loads_fields::kMeanInterarrival);
    return;
  }
  if (lua_type(L, -1) == LUA_TFUNCTION) declared.load_at = Reference(L, -1);
  lua_pop(L, 1);
  if (!declared.load_at.valid()) declared.load = fields.number(random_loads_fields::kLoad);
}

void read_advance(const Fields& fields, Declared& declared) {
  LoadLaws& laws = declared.laws;
  laws.reserved = fields.number(random_loads_fields::kReserved);
  if (fields.has(random_loads_fields::kAdvance) && fields.has(random_loads_fields::kAdvanceFactor))
    fields.fail(random_loads_fields::kAdvance, "only one of advance and advance_factor can be given");
  declared.advance = fields.number(random_loads_fields::kAdvance);
  declared.advance_factor = fields.number(random_loads_fields::kAdvanceFactor);
  if (!fields.push(random_loads_fields::kCostFactors)) return;
  const auto factors =
      fields.numbers(random_loads_fields::kCostFactors, fmt::format("{}: cost_factors", kRandomLoadsWord));
  if (factors.size() != 2 || factors[0] > factors[1])
    fields.fail(random_loads_fields::kCostFactors, "cost_factors must be {{least, largest}}");
  laws.least_factor = factors[0];
  laws.largest_factor = factors[1];
}

Declared declared_at(lua_State* L, const Fields& fields) {
  Declared declared;
  read_rate(L, fields, declared);
  declared.horizon = fields.number(random_loads_fields::kHorizon);
  declared.time = fields.number(random_loads_fields::kTime);
  declared.bytes = fields.number(random_loads_fields::kBytes);
  LoadLaws& laws = declared.laws;
  laws.mean_size = fields.number(random_loads_fields::kMeanSize);
  laws.deadline_ratio = fields.number(random_loads_fields::kDeadlineRatio);
  if (laws.deadline_ratio <= 2.0 / 3)
    fields.fail(random_loads_fields::kDeadlineRatio,
                "deadline_ratio must be > 2/3, or no deadline exceeds the time of a load, got {}",
                format_number(laws.deadline_ratio));
  if (fields.choice(random_loads_fields::kDeadlineReference) == 1) laws.reference = DeadlineReference::raw;
  read_advance(fields, declared);
  return declared;
}

}  // namespace

int random_loads(lua_State* L) {
  return guard(L, [&] {
    const Fields fields(L, 1, {kRandomLoadsWord}, random_loads_fields::kAll);
    Declared declared = declared_at(L, fields);
    WorkloadPart part;
    part.kind = WorkKind::load;
    part.declared_at = caller(L);
    part.generator = declared.load_at;
    part.made_in = Interpreter::of(L).cell().number();
    part.draw = [declared = std::move(declared), where = part.declared_at](
                    lua_State* state, const Platform& platform, const Stream& stream,
                    const std::function<void(WorkRecord)>& add) {
      try {
        draw_loads(state, declared, platform, stream, add);
      } catch (const Error& error) {
        Diagnostic diagnostic = error.diagnostic();
        if (!diagnostic.where.known()) diagnostic.where = where;
        throw Error(std::move(diagnostic));
      }
    };
    WorkloadValue value;
    value.parts.push_back(std::move(part));
    push_new(L, std::move(value));
    return 1;
  });
}

}  // namespace perigee::bindings
