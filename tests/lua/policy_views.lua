-- Activities in the view of a policy in Lua and values that it can hand to a mapper, by hand. And a batch-mode
-- mapper written as a policy that decides as `mapped` does.
-- args: --validate
-- expect: 40 tasks as mapped
local expect = require "modules.expect"

policy "looks" {
  arrived = function(self, sim)
    for host = 1, 2 do sim:post(host, host) end
    sim:post(3, 1)
  end,
  decide = function(self, sim)
    if self.looked or sim:now() < 4 then return end
    self.looked = true
    local running, queued = sim:running_on(1), sim:queued_on(1)
    local first, third = sim:activity(running[1]), sim:activity(queued[1])
    sim:note("running", #running, first.work, first.host, first.cores, first.started, first.size, first.posted and 1 or 0)
    sim:note("queued", #queued, third.work, third.host, third.posted and 1 or 0, third.started and 1 or 0)
    sim:note("ends", sim:end_of(running[1]), sim:estimate(3, 2), sim:estimate(3, 2, 100))
    local etc = sim:etc({ 3, 2 }, { 2, 1 })
    sim:note("etc", etc.tasks, etc.machines, etc:time(1, 1), etc:time(1, 2), etc:time(2, 1), etc:time(2, 2))
    local ready = sim:ready()
    sim:note("ready", #ready, ready[1], ready[2])
    sim:note("work", sim:waits(3) and 1 or 0, sim:done(2), sim:host_cores(2))
  end,
}
local s = scenario {
  platform = platform { host "x" {}, host "y" { speed = 2 } },
  workload = workload.tasks { { ops = 10 }, { ops = 8 }, { ops = 6 } },
}
local notes = {}
for _, note in ipairs(s:run { policy = "looks" }:notes()) do notes[note.name] = note.values end
local function same(name, ...)
  local values = {}
  for value in notes[name]:gmatch "%S+" do values[#values + 1] = tonumber(value) end
  for i, wanted in ipairs { ... } do expect.same(values[i], wanted, name .. " " .. i) end
end
-- At t = 4 the second task has ended on y; x runs the first, of 10 s, until 10; the third waits behind it.
same("running", 1, 1, 1, 1, 0, 1, 0)
same("queued", 1, 3, 1, 1, 0)
same("ends", 10, 3, 3)
same("etc", 2, 2, 3, 6, 4, 8)
same("ready", 2, 6, 0)
same("work", 0, 1, 1)

policy "maps" {
  begin = function(self) self.waiting = {} end,
  arrived = function(self, sim, works) table.move(works, 1, #works, #self.waiting + 1, self.waiting) end,
  decide = function(self, sim)
    if #self.waiting == 0 then return end
    local hosts, ready = sim:hosts(), sim:ready()
    local answer = map("sufferage", sim:etc(self.waiting), { ready = ready })
    local started, taken = {}, {}
    for _, task in ipairs(answer.order) do
      local host = answer.machine[task]
      if not taken[host] and ready[host] == 0 then
        sim:start(self.waiting[task], hosts[host])
        started[task] = true
      end
      taken[host] = true
    end
    local left = {}
    for i, work in ipairs(self.waiting) do if not started[i] then left[#left + 1] = work end end
    self.waiting = left
  end,
}
local s = scenario {
  platform = platform { cluster "a" { nodes = 3 }, cluster "b" { nodes = 2, speed = 2.5 } },
  workload = workload.tasks(40, function(i, rng) return { ops = rng:uniform(10, 90), arrival = 4 * i } end),
}
for seed = 1, 5 do
  local native, lua = s:run { policy = mapped { map = "sufferage" }, seed = seed }, s:run { policy = "maps", seed = seed }
  expect.same(lua.fingerprint, native.fingerprint, "seed " .. seed)
end
print("40 tasks as mapped")
