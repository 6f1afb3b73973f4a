-- The state of a policy is `self`: what one run or fork changes elsewhere, no other sees.
-- expect: nothing leaks
local s = scenario {
  platform = platform { cluster "a" { nodes = 2 } },
  workload = workload.tasks(6, function(i, rng) return { time = rng:uniform(5, 15), arrival = i } end),
}
local function fails(text, f, ...)
  local ok, e = pcall(f, ...)
  assert(not ok, "it should fail with: " .. text)
  assert(tostring(e):find(text, 1, true), tostring(e))
end
local function greedy(sim)
  for w = 1, sim:work_count() do
    for _, h in ipairs(sim:hosts()) do
      if sim:state(w) == "waiting" and sim:idle_cores(h) > 0 then sim:start(w, h) end
    end
  end
end
local function run(name) return s:run { policy = name } end

-- a global table
shared = {}
policy "in_a_global" { decide = function(self, sim) shared[#shared + 1] = sim:now(); greedy(sim) end }
run "in_a_global"
assert(#shared > 0)   -- the script may look at it
fails("an earlier run or fork of policy 'in_a_global' has changed the global 'shared', which 'decide' uses", run, "in_a_global")
shared = {}           -- what it was before is what the next run sees
run "in_a_global"
fails("the global 'shared'", s.compare, s, { "in_a_global", "in_a_global" })
policy "reads_it" { decide = function(self, sim) if #shared < 3 then greedy(sim) end end }
fails("policy 'reads_it': an earlier run or fork of policy 'in_a_global' has changed the global 'shared'", run, "reads_it")
shared = {}
local sim = s:start { policy = "in_a_global" }
sim:step()
fails("a fork cannot copy the global 'shared', which 'decide' uses and which has changed since", sim.fork, sim)

-- a global number; one that the script itself changes is no state of the policy
count, limit = 0, 1
policy "in_a_number" { decide = function(self, sim) count = count + 1; greedy(sim) end }
run "in_a_number"
fails("the global 'count'", run, "in_a_number")
policy "limited" { decide = function(self, sim) if sim:now() >= limit then greedy(sim) end end }
for i = 1, 3 do limit = i; run "limited" end

-- a mapping or a chart under construction
local problem, chart = cost.problem { etc = { { 1 }, { 2 }, { 3 } } }, cost.chart { times = { { 1 }, { 2 }, { 3 } } }
policy "on_a_problem" { decide = function(self, sim) if #problem:waiting() > 0 then problem:assign(problem:waiting()[1], 1) end greedy(sim) end }
run "on_a_problem"
fails("has changed the variable 'problem', which 'decide' captured", run, "on_a_problem")
policy "on_a_chart" { decide = function(self, sim) if #chart:waiting() > 0 then chart:place(chart:waiting()[1], 1) end greedy(sim) end }
local on_chart = s:start { policy = "on_a_chart" }
on_chart:step()
fails("a fork cannot copy the variable 'chart', which 'decide' captured and which has changed since", on_chart.fork, on_chart)
local other = cost.problem { etc = { { 1 }, { 2 }, { 3 } } }
policy "takes_it_back" { decide = function(self, sim) other:leave_out(1) other:assign(2, 1) other:undo() other:undo() greedy(sim) end }
run "takes_it_back"
run "takes_it_back"   -- as it was before

-- through functions, metatables and captured variables
function note(x) shared.last = x end
policy "by_a_function" { decide = function(self, sim) note(sim:now()); greedy(sim) end }
run "by_a_function"
fails("the global 'note'", run, "by_a_function")
local hidden = setmetatable({}, { __index = { n = 0 } })
policy "by_a_metatable" { decide = function(self, sim)
  local m = getmetatable(hidden).__index
  m.n = m.n + 1
  greedy(sim)
end }
run "by_a_metatable"
fails("the variable 'hidden', which 'decide' captured", run, "by_a_metatable")
local generator = coroutine.wrap(function() local i = 0 while true do i = i + 1 coroutine.yield(i) end end)
policy "by_a_coroutine" { decide = function(self, sim) if generator() > 0 then greedy(sim) end end }
run "by_a_coroutine"
fails("the variable 'generator'", run, "by_a_coroutine")
total = 0
policy "by_env" { decide = function(self, sim) local g = _ENV; g["tot" .. "al"] = g["tot" .. "al"] + 1; greedy(sim) end }
run "by_env"
fails("the globals", run, "by_env")
local f = load("total = total + 1")
policy "by_load" { decide = function(self, sim) f(); greedy(sim) end }
run "by_load"
fails("the variable 'f'", run, "by_load")

-- two forks: the second sees nothing of the first
list = {}
policy "after_a_fork" { decide = function(self, sim) if sim:now() > 3 then list[#list + 1] = 1 end greedy(sim) end }
local one = s:start { policy = "after_a_fork" }
one:run_until(2)
local other = one:fork()
one:run()
fails("the global 'list'", other.run, other)

-- heuristics too
picks = 0
heuristic "counting" { pick = function(c, task) picks = picks + 1; return c:best(task) + picks end }
local m = etc { { 1, 2 }, { 3, 4 } }
map("counting", m)
fails("heuristic 'counting': an earlier run or fork of heuristic 'counting' has changed the global 'picks'", map, "counting", m)

-- what only has the name of a global is not one
best = 1
policy "keeps_to_self" {
  begin = function(self) self.best, self.shared = 0, {} end,
  decide = function(self, sim) self.best = self.best + 1; self.shared[self.best] = true; greedy(sim) end,
}
for i = 1, 3 do best = i; run "keeps_to_self" end
local stepped = s:start { policy = "keeps_to_self" }
while stepped:step() do stepped:fork(); best = best + 1 end

-- what looks the same from outside: coroutines between two yields of one line, what is far away
local yields = coroutine.wrap(function() while true do coroutine.yield(1) coroutine.yield(2) coroutine.yield(3) end end)
yields()
policy "by_a_yield" { arrived = function(self, sim) yields() end, decide = function(self, sim) greedy(sim) end }
run "by_a_yield"
fails("the variable 'yields'", run, "by_a_yield")
local far = { n = 0 }
for _ = 1, 5000 do far = { next = far } end
policy "far_away" { decide = function(self, sim)
  local at = far
  while at.next do at = at.next end
  at.n = at.n + 1
  greedy(sim)
end }
run "far_away"
fails("the variable 'far'", run, "far_away")

-- words behind comments and texts
helper = { n = 0 }
function helper:next(sim) self.n = self.n + 1 greedy(sim) end
policy "behind_a_comment" { decide = function(self, sim)
  -- The rest is said elsewhere.
  helper:next(sim)
end }
run "behind_a_comment"
fails("the global 'helper', which 'decide' uses", run, "behind_a_comment")
lastly, quoted = 0, 0
policy "behind_a_text" { decide = function(self, sim)
  local text = [[.]] .. "lastly" --[==[ quoted ]==] .. '\'' lastly = lastly + #text
  greedy(sim)
end }
run "behind_a_text"
fails("the global 'lastly'", run, "behind_a_text")
policy "only_says" { decide = function(self, sim) --[[ lastly ]] local t = "lastly \" lastly" .. [=[
  lastly]=] greedy(sim) end } -- lastly
run "only_says"

-- modules, and what can reach everything
local counter = require "modules.counter"
policy "by_a_module" { decide = function(self, sim)
  local c = require "modules.counter"
  c.count = c.count + 1
  greedy(sim)
end }
run "by_a_module"
assert(counter.count > 0)
fails("has changed the module 'modules.counter', which 'decide' may require", run, "by_a_module")
counter.count = 0
sim = s:start { policy = "by_a_module" }
sim:step()
fails("a fork cannot copy the module 'modules.counter', which 'decide' may require", sim.fork, sim)
heuristic "counts_in_a_module" { pick = function(c, task)
  local m = require "modules.counter"
  m.count = m.count + 1
  return c:best(task) + m.count
end }
counter.count = 0
map("counts_in_a_module", m)
fails("the module 'modules.counter', which 'pick' may require", map, "counts_in_a_module", m)
counter.count = 0
local get = require
policy "by_a_name" { decide = function(self, sim)
  local c = get "modules.counter"
  c.count = c.count + 1
  greedy(sim)
end }
run "by_a_name"
fails("the variable 'get'", run, "by_a_name")
loaded = 0
policy "by_loading" { decide = function(self, sim) load("loa" .. "ded = loaded + 1")() greedy(sim) end }
run "by_loading"
fails("the globals, which 'decide' may use", run, "by_loading")

-- a run that failed has left something behind too
local tries = 0
policy "fails_once" { decide = function(self, sim)
  tries = tries + 1
  if tries == 1 then error "not yet" end
  greedy(sim)
end }
fails("not yet", run, "fails_once")
fails("the variable 'tries', which 'decide' captured", run, "fails_once")
local picked = 0
heuristic "fails_at_first" { pick = function() picked = picked + 1 return picked > 1 and 1 or error "not yet" end }
fails("not yet", map, "fails_at_first", m)
fails("the variable 'picked'", map, "fails_at_first", m)
fails("a function that has no self keeps nothing from one run to the next", map, "fails_at_first", m)

-- what has changed and is again what it was has not changed, whatever way the table grew and shrank
local way = { n = 1 }
for i = 1, 20 do
  local same = {}
  for k = 1, i do same["k" .. k] = way end
  policy("back" .. i) { decide = function(self, sim)
    for k = 1, 40 * i do same["more" .. k] = way end
    for k = 1, 40 * i do same["more" .. k] = nil end
    greedy(sim)
  end }
  run("back" .. i)
  run("back" .. i)
end

-- the variable that has changed is named before a function that sees it, its own function too
calls = 0
function counts(self, sim) calls = calls + 1; greedy(sim) end
policy "by_a_global_function" { decide = function(self, sim) counts(self, sim) end }
run "by_a_global_function"
fails("has changed the global 'counts', which 'decide' uses, or what that function sees, so that", run, "by_a_global_function")
calls = 0
policy "names_both" { decide = function(self, sim) if calls < 100 then counts(self, sim) end end }
run "names_both"
fails("has changed the global 'calls', which 'decide' uses", run, "names_both")
print("nothing leaks")
