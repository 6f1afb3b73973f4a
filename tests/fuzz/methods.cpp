#include "tests/fuzz/methods.h"
#include "tests/support/layers.h"

#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace perigee::fuzz {

namespace {

// name -> function; the functions are kept alive by the vocabulary and the metatables.
std::map<std::string, host::Reference> functions(lua_State* L) {
  const host::Balanced balanced(L);
  luaL_checkstack(L, 20, "functions");
  std::map<std::string, host::Reference> all;
  const auto collect = [&](const std::string& prefix, int table, auto&& inside) -> void {
    table = lua_absindex(L, table);
    lua_pushnil(L);
    while (lua_next(L, table) != 0) {
      if (const auto name = host::text_at(L, -2)) {
        const std::string path = prefix + std::string(*name);
        if (lua_isfunction(L, -1)) all[path] = host::Reference(L, -1);
        if (!lua_isfunction(L, -1)) inside(path);
      }
      lua_pop(L, 1);
    }
  };
  const auto nothing = [](const std::string&) {};
  const auto module = [&](auto&& self, const std::string& path) -> void {
    if (!lua_istable(L, -1) || lua_getmetatable(L, -1) == 0)
      return;  // a view whose metatable leads to its table
    lua_getfield(L, -1, "__call");
    if (!lua_isnil(L, -1)) all[path] = host::Reference(L, -3);
    lua_getfield(L, -2, "__index");
    if (lua_istable(L, -1)) collect(path + ".", -1, [&](const std::string& inner) { self(self, inner); });
    lua_pop(L, 3);
  };
  lua_getfield(L, LUA_REGISTRYINDEX, "perigee.vocabulary");
  collect("", -1, [&](const std::string& path) { module(module, path); });
  lua_pop(L, 1);
  std::vector<std::string> types;  // first all of them: a reference is an entry of the registry too
  lua_pushnil(L);
  while (lua_next(L, LUA_REGISTRYINDEX) != 0) {
    if (const auto type = host::text_at(L, -2)) types.emplace_back(*type);
    lua_pop(L, 1);
  }
  for (const std::string& type : types) {  // metatables of native types
    lua_getfield(L, LUA_REGISTRYINDEX, type.c_str());
    if (lua_istable(L, -1)) {
      const std::string prefix = type + ":";
      lua_pushliteral(L, "__gc");
      const bool native = lua_rawget(L, -2) != LUA_TNIL;
      lua_pop(L, 1);
      if (native && host::push_type_index(L, -1)) {
        all[prefix + "__index"] = host::Reference(L, -1);
        if (lua_getupvalue(L, -1, 1) != nullptr) {
          if (lua_istable(L, -1)) collect(prefix, -1, nothing);
          lua_pop(L, 1);
        }
        lua_pop(L, 1);
      }
      if (native)
        for (const char* name : {"__tostring", "__len", "__concat", "__newindex", "__call"}) {
          lua_pushstring(L, name);
          if (lua_rawget(L, -2) == LUA_TFUNCTION) all[prefix + name] = host::Reference(L, -1);
          lua_pop(L, 1);
        }
    }
    lua_pop(L, 1);
  }
  return all;
}

}  // namespace

void push_functions(lua_State* L) {
  lua_newtable(L);
  lua_Integer place = 0;
  for (const auto& [name, function] : functions(L)) {
    function.push(L);
    lua_rawseti(L, -2, ++place);
  }
}

void push_function_names(lua_State* L) {
  lua_newtable(L);
  lua_Integer place = 0;
  for (const auto& [name, function] : functions(L)) {
    host::push(L, name);
    lua_rawseti(L, -2, ++place);
  }
}

const char* const kValues = R"lua(
local p = platform { cluster "a" { nodes = 2, link = { bandwidth = 1 } }, router "r" }
local w = workload.tasks { { time = 1 }, { time = 2, arrival = 1 } }
local s = scenario { platform = p, workload = w }
local function make_loop() local loop = {} loop[1], loop.self = loop, loop return loop end
local odd = setmetatable({}, { __index = function() error "index" end, __len = function() return 1e9 end,
  __call = function(...) return ... end, __tostring = function() return "odd" end, __pairs = function() error "pairs" end })
local kept
policy "keeps" { arrived = function(self, sim, works)
  kept = kept or { sim, works, sim:stream "x" }
  for _, work in ipairs(works) do sim:post(work, 1) end
end }
s:run { policy = "keeps" }
local driven, over
local busy = scenario { platform = p, workload = w, events = { process(function(sim)
  driven = sim
  pcall(function() sim:wait(0.5) sim:submit { time = 1 } sim:wait_for(function(x) return x.finished > 1e9 end) end)
end), process(function(sim) over = sim end) } }
local view
heuristic "looks" { pick = function(c, task) view = c; return c:best(task) end }
map("looks", etc { { 1, 2 } })
local old, old_row
heuristic "keeps_problem" { map = function(problem) old, old_row = problem, problem:row(1); return { 1 } end }
map("keeps_problem", etc { { 1, 2 } })
local own = cost.problem { etc = { { 1, 2 }, { 3, math.huge }, { 5, 6 } }, cores = { 1, 2 }, widths = { 1, 1, 2 } }
local chart = cost.chart { times = { { 5, 9 }, { 3, math.huge }, { 2, 2 } }, clusters = { 1, 2 }, transfers = { 2, { 1, math.huge }, 0 },
  inputs = { { 1 }, { 1, 2 }, {} }, outputs = { { 3 }, {}, {} } }
local old_chart
heuristic "keeps_chart" { choose = function(c) old_chart = c end }
chart:fill "keeps_chart"
local filled = chart:copy()
filled:fill "min_min"
-- Hosts that are switched, jobs that are suspended.
local powered = scenario {
  platform = platform { cluster "a" { nodes = 2, power = { boot = { time = 1 }, states = { { idle = 1, busy = 2 }, { factor = 0.5, idle = 1, busy = 1 } } } } },
  workload = workload.jobs { { time = 5, queue = "q" }, { time = 2, arrival = 1, qos = "high" }, { nodes = 2, time = 1, arrival = 2 } },
  queues = { queue "q" {} }, qos = { qos "high" { tier = 2 } } }
local acted
policy "acts" { accepts = { "jobs", "several_cores", "several_hosts" }, decide = function(self, sim)
  acted = acted or { sim, sim:line(), sim:plan() }
  for _, work in ipairs(sim:line()) do
    local where = sim:allocate(work)
    if where then self.id = sim:start(work, where) elseif self.id then pcall(sim.suspend, sim, self.id) self.id = nil end
  end
  for _, id in ipairs(sim:suspended()) do if sim:can_resume(id) then sim:resume(id) end end
  if sim:now() > 5 then pcall(sim.power_off, sim, 2) pcall(sim.set_state, sim, 1, 2) end
end }
local acts = powered:run { policy = "acts" }
local _, problem = pcall(platform, 5)
values = { 0, 1, 2, -1, 2.5, 1e308, -1e308, math.huge, 0 / 0, math.maxinteger, math.mininteger, "", "x", "a.1", "a", "workqueue", "mct",
  "10 KB/s", "\0", ("long"):rep(500), true, false, odd, print,
  function() end, function() error {} end, function(...) return ... end, function() return 1 / 0 end, p, w, s, s:run { policy = "workqueue" },
  s:compare { "fcfs", "workqueue" }, etc { { 1, 2 }, { 3, math.huge } },
  graph.matrix { times = { { 1, 2 }, { 3, 4 }, { 5, 6 } }, edges = { { 1, 2 }, { 1, 3, 5 } } },
  file("f", 1), workqueue, workqueue {}, mapped { map = "mct" }, outage { host = "a.1", from = 1, to = 2 },
  host "h" {}, cluster "c" {}, math, args, kept[1], kept[2], kept[3], powered, acts, acted[1], acted[2], acted[3], view, old, old_row, own:mapping(), old_chart, problem,
  busy, driven, over, process(function(sim) sim:wait(1) end), function(x) return x.queue > 0 end,
  distribution.normal { mean = 0, sd = 1 }, distribution.poisson { mean = 3 }, distribution.gamma { mean = 2, sd = 1 }:truncated { low = 1 },
  stats.interval { 1, 2, 4 }, stats.histogram { 1, 2, 4 }, stats.summary { 1, 2 },
  stats.fit.linear({ 1, 2 }, { 2, 3 }), stats.mm1 { lambda = 1, mu = 2 }, stats.mg1 { lambda = 1, mean = 0.5, sd = 1 },
  queue "q" { tier = 2, max_running = 1 }, qos "high" { usage = 0.5 }, licence "l" { count = 1 }, multifactor { age = 1, fair_share = 2 },
  backfill { preempt = "suspend" }, gang {}, fcfs { off_after = 1 }, maintenance { host = "a.1", from = 1, to = 2 },
  workload.periodic { { period = 2, time = 1 }, horizon = 4 }, speedup.amdahl { time = 10, serial = 0.1 },
  s:run { policy = "workqueue" }:why(1), s:compare { "fcfs", "workqueue" }:first_difference(), profile("mct", etc { { 1, 2 } }) }
-- What calls can change.
makers = {}
for each in ([[
  {} ; { 1 } ; { 1, 2, 3 } ; { { 1, 2 }, { 3, 4 } } ; { a = 1 } ; make_loop() ; coroutine.create(print) ;
  coroutine.wrap(function(...) while true do coroutine.yield(...) end end) ;
  s:start { policy = "workqueue" } ; s:start { policy = "fcfs" } ; stream "x" ; stream.splitmix(1) ; own:copy() ; own:copy():row(1) ;
  chart:copy() ; filled:copy() ; { tasks = { 1, 2 } } ; { policy = "fcfs" } ; { policy = "workqueue", horizon = 1 } ;
  { time = 1 } ; { { time = 1 } } ; { host = "a.1", from = 1, to = 2 } ; { platform = p, workload = w } ;
  busy:start { policy = "workqueue" }:run_until(1) ; s:start { policy = "fcfs" }.state ;
  { run = print, keeps_alive = true } ; { speed = 2 } ; stats.observations() ; stats.time_weighted() ;
  sampler.composition({ 1 }, { distribution.deterministic { value = 1 } }) ; sampler.convolution(2, function() return 1 end) ;
  { idle = 1, busy = 2, epsilon = 1, off = 0, boot = { time = 1, power = 3 }, shutdown = { time = 1, energy = 2 } } ;
  { states = { { factor = 1, idle = 1, busy = 2 }, { factor = 0.5, idle = 1, busy = 1 } }, down = 1 } ;
  { shares = { ada = 1, lab = { share = 2, bob = 3 } }, usage = { ada = 0.5 } } ; { hosts = "a", tier = 1, priority = 2, max_time = 5 } ;
  { age = 1, size = 2, queue = 1, qos = 1, favour = "small", half_life = 5, period = 1, shares = { ada = 1 } } ;
  { off_after = 1, keep_on = 1 } ; { preempt = "requeue", exempt = 1 } ; { slice = 2, rows = 2, fill = false } ; { kind = "power" } ;
  powered:start { policy = easy { off_after = 1 } } ; powered:start { policy = "acts" } ;
  { { nodes = 2, time = 5, queue = "q", qos = "high", user = "ada" }, { processes = 2, time = 1, nice = 2 } } ;
  { mean = 2, sd = 1 } ; { low = 0, high = 1 } ; { lambda = 1, mu = 2, servers = 3 } ; { probabilities = { 1 }, means = { 2 } } ;
  { density = function(x) return x end, majorant = 2, proposal = distribution.uniform { low = 0, high = 1 } } ]]):gmatch "[^;]+" do
  makers[#makers + 1] = assert(load("local p, w, s, busy, own, chart, filled, make_loop, powered = ... return function() return " .. each .. " end"))(
    p, w, s, busy, own, chart, filled, make_loop, powered)
end
)lua";

}  // namespace perigee::fuzz
