-- Questions of a policy in Lua about sweeps, and the native parts of their schedulers as functions of cost. Published numbers: Sim-PETEK,
-- 2010, chapter 3 and Figure 3.10; the others by hand.
-- args: --validate
-- expect: slots and trials	8	1	10
-- expect: runs on A	10.0	12.0	13.0	80.0
-- expect: the next two, whoever has others	2.0	3.0	4.0
-- expect: later	2.0	10.0
-- expect: weights	1.0	3	0.5
-- expect: the part of the last two	17.5
-- expect: estimate: first = 2 and size = 2 are not within the 3 there are
-- expect: estimate: nobody's part is left; first = says which part is meant
-- expect: estimate: unknown field 'from'
-- expect: trials: task 2 is no sweep but a task
-- expect: weight: run must be 0 to 2, got 3
-- expect: native parts	5	0	1	16	5	2	3	4	8	3
-- expect: Figure 3.10	14	45	1
-- expect: m	2.3660	10.7477	34.9852
-- expect: Table 3.4	0.44 0.15 0.22 0.08 0.11
-- expect: k must be >= peak = 3, got 2
-- expect: enpr and npp must be lists with a number for each host, got 2 and 1
local function refused(run)
  local ok, problem = pcall(run)
  print(not ok and problem.message or "it is not refused")
end

-- On A so many runs take ceil(10 n / 8) simulations of 1 s, one after the other.
policy "asks" {
  accepts = { "sweeps" },
  decide = function(self, sim)
    if self.asked then return end
    self.asked = true
    print("slots and trials", sim:slots "A", sim:slots(2), sim:trials(1))
    local function of(n) return sim:estimate(1, "A", { first = 0, size = n }) end
    print("runs on A", of(8), of(9), of(10), sim:estimate(1, "A"))
    sim:start(1, "B", { size = 62 })
    local next_two = sim:estimate(1, "A", { size = 2 })  -- only one... two of 64 are left
    print("the next two, whoever has others", sim:estimate(1, "A", { size = 1 }), next_two, sim:estimate(1, "A", { first = 10, size = 3 }))
    print("later", sim:estimate(1, "A", { size = 1, start = 100 }), sim:estimate(1, "A", { first = 0, size = 8, start = 50 }))
    sim:start(1, "A", { size = 2 })
  end,
}
scenario { platform = platform { host "A" { cores = 8 }, host "B" { cores = 2, slots = 1 } },
           workload = workload.sweep { runs = 64, trials = 10, time = 1 } }:run { policy = "asks" }

-- A run of weight w takes 5 w s.
policy "weighs" {
  accepts = { "sweeps", "tasks" },
  decide = function(self, sim)
    if self.asked then return end
    self.asked = true
    print("weights", sim:weight(1, 0), math.tointeger(sim:weight(1, 1)), sim:weight(1, 2))
    print("the part of the last two", sim:estimate(1, 1, { first = 1, size = 2 }))
    sim:start(1, 1)
    refused(function() sim:estimate(1, 1, { first = 2, size = 2 }) end)
    refused(function() sim:estimate(1, 1, { size = 1 }) end)
    refused(function() sim:estimate(1, 1, { from = 1 }) end)
    refused(function() sim:trials(2) end)
    refused(function() sim:weight(1, 3) end)
    sim:start(2, 2)
  end,
}
scenario { platform = platform { host "a" {}, host "b" {} },
           workload = workload.merge(workload.sweep { runs = 3, time = 5, weights = { 1, 3, 0.5 } }, workload.tasks { { time = 1 } }) }
  :run { policy = "weighs" }

print("native parts", cost.whole_share(4.4), cost.whole_share(0), cost.whole_share(0.2), cost.unit_share(19.2, 8), cost.unit_share(4.4, 8),
      cost.unit_share(1.8, 2), cost.filling_unit(15, 10), cost.filling_unit(8, 10), cost.published_unit(8), cost.published_unit(15))
local function quota(round) return math.floor(cost.sine_quota { runs = 1500, peak = 5, k = 50, m = 33, round = round } + 1e-9) end
print("Figure 3.10", quota(1), quota(5), quota(54))
print("m", ("%.4f\t%.4f\t%.4f"):format(cost.full_cover(1, 3), cost.full_cover(2, 15), cost.full_cover(5, 50)))
local auto = cost.sine_quota { runs = 60, peak = 1, k = 3, round = 1 }
expect(math.abs(auto - 60 / cost.full_cover(1, 3)) < 1e-9, "without m it is that which covers all")
local shares = cost.blend_enpr { enpr = { 0.4, 0.2, 0.2, 0.1, 0.1 }, npp = { 0.8, 0.16, 0.4, 0.1, 0.2 } }
for i, share in ipairs(shares) do shares[i] = ("%.2f"):format(share) end
print("Table 3.4", table.concat(shares, " "))
refused(function() cost.full_cover(3, 2) end)
refused(function() cost.blend_enpr { enpr = { 0.5, 0.5 }, npp = { 1 } } end)
