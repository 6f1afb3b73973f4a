-- Files and stores as a policy sees them, and its actions on them; times by hand.
local told = {}
local function tell(...) told[#told + 1] = table.concat({ ... }, " ") end
local function refused(f, ...)
  local ok, problem = pcall(f, ...)
  return ok and "done" or (problem.message:gsub("^policy 'by_hand' at t = %d+: ", ""))
end

policy "by_hand" {
  accepts = { "tasks", "files" },
  arrived = function(self, sim, works)
    local shared, own = table.unpack(sim:inputs(1))
    local out = sim:outputs(1)[1]
    tell(sim:file_count(), sim:file_name(shared), sim:file_name(own), sim:file_name(out), sim:file_size(shared))
    tell(tostring(sim:at_home(shared)), tostring(sim:at_home(out)), sim:transfer_time(shared, 1), sim:transfer_time(own, 1, 5))
    tell(refused(sim.discard, sim, shared, 1))
    tell(refused(sim.transfer, sim, 9, 1))
    sim:transfer(own, 1, { rank = 1 })
    sim:transfer(shared, 1)                              -- the lower rank goes first: 1 s and 20 B
    tell(tostring(sim:in_transfer(shared, 1)), tostring(sim:in_store(shared, 1)))
    sim:timer(4)
    sim:timer(6)
  end,
  timer = function(self, sim)
    local shared, own = table.unpack(sim:inputs(1))
    if sim:now() == 4 then                               -- shared came at 3, own comes from 3 to 5
      tell(tostring(sim:in_store(shared, 1)), tostring(sim:in_store(own, 1)), tostring(sim:in_transfer(own, 1)))
      sim:discard(shared, 1)
      tell(tostring(sim:in_store(shared, 1)), refused(sim.start, sim, 1, 1))
      sim:transfer(shared, 1)                            -- from 5 to 8
      sim:post(1, 1)
    else
      tell(tostring(sim:in_transfer(shared, 1)), refused(sim.discard, sim, shared, 1))
    end
  end,
  computed = function(self, sim)                         -- at 11
    local out = sim:outputs(1)[1]
    tell(sim:now(), refused(sim.discard, sim, out, 1))
    sim:transfer(out, 1)
    sim:post(2, 1)
    sim:settle()
    tell(refused(sim.discard, sim, sim:inputs(2)[1], 1))
  end,
  finished = function(self, sim, works)
    tell(sim:now(), "task " .. works[1])
    if works[1] == 2 then
      sim:discard(sim:inputs(2)[1], 1)
      sim:discard(sim:outputs(1)[1], 1)
    end
  end,
}

local shared = file("shared", 20)
local s = scenario {
  platform = platform { cluster "c" { nodes = 1, link = { bandwidth = 10, latency = 1 } } },
  workload = workload.tasks {
    { time = 3, inputs = { shared, file("own", 10) }, output = 30 },
    { time = 9, inputs = { shared } },
  },
}
local r = s:run { policy = "by_hand", validate = true }
local expected = {
  "3 shared own task 1.out 20.0",
  "true false 3.0 2.0",
  "discard file 'shared' in cluster 'c': it is not there",
  "file must be 1 to 3, got 9",
  "true false",
  "true false true",
  "false start task 1 on host 'c.1': its input 'shared' is not in cluster 'c'",
  "true discard file 'shared' in cluster 'c': it is not there",
  "11.0 discard file 'task 1.out' in cluster 'c': it is an output that is not at home",
  "discard file 'shared' in cluster 'c': task 2 uses it",
  "15.0 task 1",
  "20.0 task 2",
}
for i, line in ipairs(expected) do expect(told[i] == line, ("%d: %s instead of %s"):format(i, told[i], line)) end
expect(#told == #expected and r.makespan == 20, "nothing else is told")
