-- A fork names what it cannot copy.
-- expect: every refusal is right
local s = scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 1 }, { time = 1, arrival = 1 } } }
local function fork(name)
  local sim = s:start { policy = name }
  sim:step()
  local ok, e = pcall(sim.fork, sim)
  return ok or tostring(e)
end
local function run(works, sim) for _, w in ipairs(works) do if sim:idle_cores(1) > 0 then sim:start(w, 1) end end end
local function expect(name, text)
  local got = fork(name)
  assert(tostring(got):find(text, 1, true), tostring(got))
end
policy "with_function" { arrived = function(self, sim, works) self.f = { print }; run(works, sim) end }
expect("with_function", "policy 'with_function': a fork cannot copy self.f[1], a function")
policy "with_sim" { arrived = function(self, sim, works) self.sim = sim; run(works, sim) end }
expect("with_sim", "cannot copy self.sim, a sim")
policy "with_holes" { arrived = function(self, sim, works) self.list = { [1] = 1, [3] = 3 }; run(works, sim) end }
expect("with_holes", "cannot copy self.list: an array with holes (2 elements, the last at 3)")
policy "with_metatable" { arrived = function(self, sim, works) self.m = setmetatable({}, {}); run(works, sim) end }
expect("with_metatable", "cannot copy self.m: it has a metatable")
local count = 0
policy "with_counter" { arrived = function(self, sim, works) count = count + 1; run(works, sim) end }
expect("with_counter", "cannot copy the variable 'count', which 'arrived' captured and which has changed since")
local queue = {}
local function push(w) queue[#queue + 1] = w end
policy "with_queue" { arrived = function(self, sim, works) push(works[1]); run(works, sim) end }
expect("with_queue", "cannot copy the variable 'push'")
policy "with_stream" {
  begin = function(self) self.rng = stream("own", 1) end,
  arrived = function(self, sim, works) self.x = self.rng:uniform() + sim:stream("u"):uniform(); run(works, sim) end,
}
assert(fork("with_stream") == true)
local calls = 0
heuristic "counting" { pick = function(c, task) calls = calls + 1; return c:best(task) end }
local sim = s:start { policy = mapped { map = "counting" } }
sim:step()
sim:step()
local ok, e = pcall(sim.fork, sim)
assert(not ok and tostring(e):find("heuristic 'counting': a fork cannot copy the variable 'calls'", 1, true), e)
print("every refusal is right")
