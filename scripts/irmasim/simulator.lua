-- IRMaSim thesis, chapter 2: what it says of the simulator and of the policies that it had, held against runs here.
-- takes: seconds
-- test: thorough
-- perigee run scripts/irmasim/simulator.lua
--   --set full=true     more drawn cases

local rule = require "rule"
local printed, platforms, clock_lists = require "printed", require "platforms", require "clock-lists"
local full = setting("full", false)
local cases = full and 300 or 40
local rng = stream("simulator", 1)
local function near(a, b) return math.abs(a - b) <= 1e-9 * (1 + math.abs(b)) end

-- ---- jobs and nodes, section 2.1 ----

do
  local runs, one_node, within, as_long, sound = 0, 0, 0, 0, 0
  for i = 1, cases do
    local nodes, jobs = printed.draw(rng, { nodes = 4, jobs = 20, cores = 4, groups = 4, every = 10 })
    nodes[1].cores = 4
    local policy = ({ minimal {}, shortest_fastest {}, planned { map = min_min { form = "sorted" } }, full_random {} })[1 + i % 4]
    local r = printed.scenario(nodes, jobs):run { policy = policy, seed = i }
    local rows = r:jobs()
    runs = runs + 1
    if #r:validate() == 0 then sound = sound + 1 end
    local single, long, in_use = true, true, true
    for k, row in ipairs(rows) do
      local node = nodes[tonumber(row.hosts:match "^node(%d+)$" or 0)]
      single = single and node ~= nil
      long = long and node and near(row.finish - row.start, jobs[k].ops / node.speed)
      -- Cores of that node that are in use when it starts.
      local used = 0
      for other, each in ipairs(rows) do
        if each.hosts == row.hosts and each.start <= row.start and each.finish > row.start + 1e-9 then used = used + jobs[other].cores end
      end
      in_use = in_use and node and used <= node.cores
    end
    if single then one_node = one_node + 1 end
    if long then as_long = as_long + 1 end
    if in_use then within = within + 1 end
  end
  rule("S1-2", "reproduces", one_node == runs and within == runs and as_long == runs and sound == runs,
       ("each job is on one node in %d of %d runs, no node has more tasks at once than cores in %d, and a job of several tasks takes as long as "
         .. "one task on that node in %d"):format(one_node, runs, within, as_long))
end

-- ---- files, sections 2.2.1 and 2.2.2 ----

policy "in_turn" {
  accepts = { "jobs", "several_cores" },
  begin = function(self) self.waiting = {} end,
  arrived = function(self, sim, works)
    sim:note("came", #works)
    for _, work in ipairs(works) do table.insert(self.waiting, work) end
  end,
  finished = function(_, sim, works, hosts)
    for i in ipairs(works) do
      if #sim:running_on(hosts[i]) == 0 then sim:note("free", sim:idle_cores(hosts[i]), sim:host_cores(hosts[i])) end
    end
  end,
  decide = function(self, sim)
    local right = 1
    for work = 1, sim:work_count() do
      if (sim:state(work) == "future") ~= (sim:now() < sim:arrival(work)) then right = 0 end
    end
    sim:note("asked", right)
    local host_count, left = sim:host_count(), {}
    for _, work in ipairs(self.waiting) do
      local host = 1 + (work - 1) % host_count
      while sim:host_cores(host) < sim:cores(work) do host = 1 + host % host_count end
      if sim:idle_cores(host) >= sim:cores(work) then sim:start(work, host) else left[#left + 1] = work end
    end
    self.waiting = left
  end,
}
local from_file = platform.irmasim "files/platform.json"
do
  local rates, right, n = { ["a.node0"] = 1e9, ["a.node1"] = 1e9, ["b.node0"] = 2e9, ["b.node1"] = 4e9 }, 0, 0
  local list = {}
  for i = 1, 24 do list[i] = { cores = 1, ops = rng:uniform(1e9, 1e11) } end
  for i, row in ipairs(scenario { platform = from_file, workload = workload.jobs(list) }:run { policy = "in_turn" }:jobs()) do
    n = n + 1
    if near(row.finish - row.start, list[i].ops / rates[row.hosts]) then right = right + 1 end
  end
  rule("S1-4", "reproduces", right == n,
       ("the run time is instructions / (clock_rate x flops_per_cycle) for %d of %d jobs, on nodes on which that product "
      .. "is 1, 2 and 4 GHz"):format(right, n),
       "the other factors are not named; here there are none, and opc plays no part")
  local mixed, problem = pcall(platform.irmasim, "files/mixed.json")
  rule("S1-7", "reproduces", from_file:total_cores() == 10 and not mixed,
       ("a file with two clusters of three types of nodes has %d cores; a node of two types of processors is %s"):format(from_file:total_cores(),
       mixed and "taken" or "refused: " .. tostring(problem.code)))
end
do
  local s = scenario.irmasim "files/duplex.json"
  local names, fields = {}, {}
  for i, row in ipairs(s:run { policy = "in_turn" }:jobs()) do
    names[i], fields[i] = row.name, ("%g %g %g"):format(row.arrival, row.cores, row.requested)
  end
  local read = table.concat(names) == "dbcae" and table.concat(fields, ", ") == "0 1 8, 0 1 8, 0 1 8, 0 1 8, 5 3 4"
  local twice = pcall(workload.irmasim, "files/twice.json")
  -- Other operations behind the same requested times: the manager plans the same.
  local same, other, known, asked = 0, 0, 0, 0
  for _ = 1, cases do
    local nodes, jobs = printed.draw(rng, { nodes = 4, jobs = 20 })
    local s1 = printed.scenario(nodes, jobs)
    for _, job in ipairs(jobs) do job.estimate, job.ops = job.ops, job.ops * rng:uniform(0.2, 1) end
    local list = {}
    for i, job in ipairs(jobs) do list[i] = { ops = job.ops, estimate = job.estimate } end
    local hosts = {}
    for k, node in ipairs(nodes) do hosts[k] = host("node" .. k) { speed = node.speed } end
    local s2 = scenario { platform = platform(hosts), workload = workload.jobs(list) }
    local p = planned { map = min_min { form = "sorted" } }
    local a, b = s1:run { policy = p, information = "declared" }:jobs(), s2:run { policy = p, information = "declared" }:jobs()
    local equal, faster = true, false
    for i = 1, #a do
      equal = equal and a[i].hosts == b[i].hosts
      faster = faster or not near(a[i].finish, b[i].finish)
    end
    if equal then same = same + 1 end
    if faster then other = other + 1 end
    local _, more = printed.draw(rng, { nodes = 4, jobs = 20, groups = 5, every = 10 })
    for _, note in ipairs(printed.scenario(nodes, more):run { policy = "in_turn" }:notes()) do
      if note.name == "asked" then asked, known = asked + 1, known + note[1] end
    end
  end
  rule("S1-5", "reproduces", read and not twice and same == cases and other == cases and known == asked,
       ("ID, submit_time, ntasks and req_time are those of the file, an ID that is there twice is refused; with other req_ops "
         .. "the plans stay the same in %d of %d cases, "
         .. "and the ends change in %d; a job is known from its submit time on at %d of %d instants")
       :format(same, cases, other, known, asked), "opc is read as a field that plays no part")
  -- The maximum for which a node may run a job: the longest of its times on all nodes, or a limit as users give it.
  local longest_of_all, limit, n = 0, 0, cases * 10
  for _ = 1, n do
    local ops, slowest, longest = rng:uniform(100, 3000), math.huge, 0
    for _ = 1, 4 do
      local speed = rng:uniform(1, 8)
      slowest, longest = math.min(slowest, speed), math.max(longest, ops / speed)
    end
    if near(longest, ops / slowest) then longest_of_all = longest_of_all + 1 end
    -- A job of the log that takes a tenth of its limit, or all of it, on the slowest node.
    if near(ops / slowest, ops / slowest / rng:uniform(0.1, 1)) then limit = limit + 1 end
  end
  local long = scenario { platform = platform { host "slow" {} }, workload = workload.jobs { { ops = 20, estimate = 10 } } }
                 :run { policy = planned { map = min_min { form = "sorted" } }, information = "declared" }
  rule("S1-6", "not decided", longest_of_all == n and (limit == n or "not decided"),
       ("if the maximum is the longest of a job's times on the nodes both hold for %d of %d jobs; if it is a limit, of which jobs take 10 %% to "
         .. "100 %%, for %d"):format(longest_of_all, n, limit),
       ("the text can be read either way, and section 2.1 has an estimate. Here req_time is an estimate, and a job of 20 s with 10 s requested runs "
         .. "for %g s; enforce_req_time makes it a limit"):format(long:jobs()[1].finish))
end

-- ---- policies, section 2.2.3 ----

do
  local same, n = 0, 0
  for _ = 1, cases do
    local nodes, jobs = printed.draw(rng, { nodes = 5, jobs = 40 })
    local s = printed.scenario(nodes, jobs)
    local a, b, equal = s:run { policy = minimal {} }:jobs(), s:run { policy = planned { map = olb {} } }:jobs(), true
    for i = 1, #a do equal = equal and a[i].hosts == b[i].hosts and near(a[i].start, b[i].start) end
    n = n + 1
    if equal then same = same + 1 end
  end
  rule("S1-8", "reproduces", same == n, ("nodes and starts are those of olb in %d of %d cases"):format(same, n))
end
do
  -- No two of these jobs fit into the node at once, so that the one chosen runs alone.
  local function job(name, cores, ops, memory, traffic)
    return { name = name, cores = cores, ops = ops, arrival = 1, memory = memory, memory_traffic = traffic * ops }
  end
  local list = { { name = "blocks", cores = 4, ops = 5 }, job("A", 4, 20, 30, 300), job("B", 3, 10, 20, 100), job("C", 4, 30, 10, 200) }
  local first = { first = "A", shortest = "B", longest = "C", smallest = "B", low_mem = "C", low_mem_bw = "B" }
  local function draws(watts) return { idle = watts, busy = 2 * watts } end
  local nodes = platform {
    host "x" { cores = 2, memory = "2 GB", power = draws(20) },
    host "y" { cores = 4, speed = 2, memory = "2 GB", power = draws(20) },
    host "z" { cores = 8, memory = "2 GB", power = draws(20) },
    host "u" { cores = 2, memory = "4 GB", power = draws(20) },
    host "v" { cores = 2, memory = "2 GB", power = draws(10) },
  }
  local alone = platform { host "m" { cores = 4, memory = "2 GB", power = draws(20) } }
  local where = { high_gflops = "y", high_core = "z", high_mem = "u", low_power = "v" }
  local job_policies = { "random", "first", "shortest", "longest", "smallest", "low_mem", "low_mem_bw" }
  local resources = { "random", "high_gflops", "high_core", "high_mem", "high_mem_bw", "low_power" }
  local taken, right = 0, 0
  for _, by in ipairs(job_policies) do
    for _, on in ipairs(resources) do
      local ok, made = pcall(pending_list, { job = by, resource = on })
      if ok then ok = pcall(function() scenario { platform = nodes, workload = workload.jobs(list) }:run { policy = made } end) end
      if ok then
        taken = taken + 1
        local rows, second = scenario { platform = alone, workload = workload.jobs(list) }:run { policy = made }:jobs(), nil
        for _, row in ipairs(rows) do if row.name ~= "blocks" and row.start == 5 then second = row.name end end
        local single = scenario { platform = nodes, workload = workload.jobs { { ops = 1 } } }:run { policy = made }:jobs()[1].hosts
        if (not first[by] or first[by] == second) and (not where[on] or where[on] == single) then right = right + 1 end
      end
    end
  end
  rule("S1-9", "does not reproduce", right == #job_policies * #resources,
       ("perigee has %d of the %d combinations, of which %d choose the job and the node that they should"):format(taken,
         #job_policies * #resources, right),
       "perigee has all seven orders of jobs; high_mem_bw needs the memory bandwidth of nodes, which is not modelled, and is refused")
end

-- Placed by a policy on a list of clock rates: of all jobs those on the node on which they are complete first, of all nodes and of those that are
-- idle; all jobs; and those that have a choice, for more than one node is idle. `in_order` says whether they start in the order of their lengths.
local function placed(r, rates, longest)
  local rows = r:jobs()
  table.sort(rows, function(a, b)
    if a.start ~= b.start then return a.start < b.start end
    if longest then return a.requested > b.requested end
    return a.requested < b.requested
  end)
  local mat, of_all, of_idle, chosen, in_order = {}, 0, 0, 0, true
  for k = 1, #rates do mat[k] = 0 end
  for i, row in ipairs(rows) do
    local node = tonumber(row.hosts:match "%d+")
    local ops, all, idle, count = (row.finish - row.start) * rates[node], math.huge, math.huge, 0
    for k, rate in ipairs(rates) do
      all = math.min(all, math.max(mat[k], row.start) + ops / rate)
      if mat[k] <= row.start + 1e-9 then idle, count = math.min(idle, row.start + ops / rate), count + 1 end
    end
    if row.finish <= all * (1 + 1e-9) then of_all = of_all + 1 end
    if row.finish <= idle * (1 + 1e-9) then of_idle = of_idle + 1 end
    if count > 1 then chosen = chosen + 1 end
    -- No job that starts later was there and should have been taken first.
    for other = i + 1, #rows do
      local each = rows[other]
      if each.arrival <= row.start and each.start > row.start
         and (longest and each.requested > row.requested or not longest and each.requested < row.requested) then in_order = false end
    end
    mat[node] = row.finish
  end
  return of_all, of_idle, #rows, chosen, in_order
end
-- The number of jobs that two runs have on the same node from the same time.
local function alike(a, b)
  local other, n = b:jobs(), 0
  for i, row in ipairs(a:jobs()) do if row.hosts == other[i].hosts and near(row.start, other[i].start) then n = n + 1 end end
  return n
end
do
  local lists = full and 30 or 2
  local mct_count, mct_pairs, mct_all, jobs_in_all, ratios = 0, 0, 0, 0, { low = {}, high = {} }
  local pairs_fit, pair_totals = 0, { low = {}, high = {} }
  for number = 1, lists do
    for _, heterogeneity in ipairs { "low", "high" } do
      local rates = clock_lists.clocks(heterogeneity, number)
      local s = scenario { platform = clock_lists.platform(rates), workload = (clock_lists.workload(number, 1)) }
      local first = s:run { policy = pending_list { job = "first", resource = "high_gflops" } }
      local best = s:run { policy = planned { map = mct {} } }
      table.insert(ratios[heterogeneity], first.total_time / best.total_time)
      local of_all, _, n = placed(first, rates)
      mct_all, jobs_in_all = mct_all + of_all, jobs_in_all + n
      local a, b, equal = first:jobs(), best:jobs(), true
      for i = 1, #a do equal = equal and a[i].hosts == b[i].hosts end
      if equal then mct_count = mct_count + 1 end
      if alike(s:run { policy = planned { map = pairing { job = "first" } } }, best) == #b then mct_pairs = mct_pairs + 1 end
      table.insert(pair_totals[heterogeneity], s:run { policy = planned { map = pairing { job = "shortest" } } }.total_time)
      if heterogeneity == "high" and pair_totals.high[number] <= 3500 then pairs_fit = pairs_fit + 1 end
    end
  end
  local low, high = stats.interval(ratios.low), stats.interval(ratios.high)
  rule("S1-10", "does not reproduce", mct_count == 2 * lists or mct_pairs == 2 * lists,
       ("all jobs are on the nodes that MCT chooses on %d of %d lists of clock rates, and on %d with jobs and nodes in pairs; "
         .. "%d of %d jobs are on the node on which they are complete "
         .. "first; total times are %.3f +- %.3f (low heterogeneity) and %.3f +- %.3f (high) times those of MCT")
       :format(mct_count, 2 * lists, mct_pairs, mct_all, jobs_in_all, low.mean, low.half_width, high.mean, high.half_width),
       "the fastest node among those that are idle gives the least completion time among these, not among all nodes")
  local by_pairs, by_pairs_high = stats.interval(pair_totals.low), stats.interval(pair_totals.high)
  -- The fastest nodes that the printed ranges allow; the last range has no upper end, but the slowest nodes decide.
  local fastest = {}
  for _, range in ipairs(clock_lists.ranges.high) do for _ = 1, range[1] do fastest[#fastest + 1] = range[3] end end
  local least = scenario { platform = clock_lists.platform(fastest), workload = (clock_lists.workload(1, 1)) }
    :run { policy = planned { map = pairing { job = "shortest" } } }.total_time
  rule("S1-11", "source in error", pairs_fit * 2 > lists or least <= 3500,
       ("served in pairs shortest_fastest takes %.0f +- %.0f s on the low platform and %.0f +- %.0f s on the high one; within 3500 s, the longest "
         .. "of Figure 10, on %d of %d lists; with all nodes at the upper ends of the ranges of Table 3 it takes %.0f s")
       :format(by_pairs.mean, by_pairs.half_width, by_pairs_high.mean, by_pairs_high.half_width, pairs_fit, lists, least),
       "the figures of chapter 5 fit a list that is served whenever a node is idle, as shortest_fastest does here; `pairing` is the mapper that "
         .. "goes in pairs")
end
do
  -- On the platforms of the thesis, where all jobs come at once, and on ones of six nodes where eight come together now and then.
  local function tried()
    return { runs = 0, in_order = 0, jobs = 0, same = 0, all = 0, idle = 0, chosen = 0 }
  end
  local found = { tried(), tried() }
  local function try(of, s, rates)
    for _, longest in ipairs { false, true } do
      local r = s:run { policy = longest and longest_fastest {} or shortest_fastest {} }
      local all, idle, count, chosen, in_order = placed(r, rates, longest)
      of.runs, of.in_order = of.runs + 1, of.in_order + (in_order and 1 or 0)
      of.all, of.idle, of.jobs, of.chosen = of.all + all, of.idle + idle, of.jobs + count, of.chosen + chosen
      of.same = of.same + alike(r, s:run { policy = pending_list { job = longest and "longest" or "shortest", resource = "high_gflops" } })
    end
  end
  for number = 1, full and 30 or 2 do
    for _, heterogeneity in ipairs { "low", "high" } do
      local rates = clock_lists.clocks(heterogeneity, number)
      try(found[1], scenario { platform = clock_lists.platform(rates), workload = (clock_lists.workload(number, 1)) }, rates)
    end
  end
  local drawn = stream("groups", 1)
  for _ = 1, cases do
    local rates, jobs = {}, {}
    for k = 1, 6 do rates[k] = drawn:uniform(1, 10) end
    for i = 1, 80 do jobs[i] = { ops = drawn:uniform(10, 100) * 1e9, arrival = 20 * ((i - 1) // 8) } end
    try(found[2], scenario { platform = clock_lists.platform(rates), workload = workload.jobs(jobs) }, rates)
  end
  local one, two = found[1], found[2]
  rule("S1-12", "reproduces", one.same == one.jobs and two.same == two.jobs and one.in_order == one.runs and two.in_order == two.runs
       and one.idle == one.jobs and two.idle == two.jobs,
       ("nodes and starts are those of the combination for %d of %d jobs on the platforms of the thesis, and %d of %d where groups of eight come to "
         .. "six nodes; shortest or longest jobs start first in %d of %d runs; the available node of minimum completion time is taken for %d and %d "
         .. "jobs, of which %d and %d have more than one available node; it is that of all nodes for %d and %d")
       :format(one.same, one.jobs, two.same, two.jobs, one.in_order + two.in_order, one.runs + two.runs, one.idle, two.idle, one.chosen, two.chosen,
         one.all, two.all),
       "a node that has a job is off the list, so that available nodes count; the combination is pending_list with the two orders")
end
do
  -- A job of two cores fits on the second node alone.
  local nodes = platform { host "a" { speed = 3 }, host "b" { cores = 2 }, host "c" {} }
  local jobs = workload.jobs { { cores = 2, ops = 100 }, { ops = 100 }, { ops = 100 }, { ops = 100 } }
  local s, runs = scenario { platform = nodes, workload = jobs }, full and 6000 or 300
  local fits = 0
  for seed = 1, runs do
    local rows = s:run { policy = full_random {}, seed = seed }:jobs()
    if rows[1].hosts == "b" then fits = fits + 1 end
  end
  local one = scenario { platform = platform { host "a" {}, host "b" {}, host "c" {} }, workload = workload.jobs { { ops = 1 } } }
  local single, chosen = scenario { platform = platform { host "a" {} }, workload = workload.jobs { { ops = 1 }, { ops = 1 }, { ops = 1 },
    { ops = 1 } } }, { 0, 0, 0, 0 }
  local on = { a = 0, b = 0, c = 0 }
  for seed = 1, runs do
    local where = one:run { policy = full_random {}, seed = seed }:jobs()[1].hosts
    on[where] = on[where] + 1
    for i, row in ipairs(single:run { policy = full_random {}, seed = seed }:jobs()) do if row.start == 0 then chosen[i] = chosen[i] + 1 end end
  end
  local chi_nodes, chi_jobs = 0, 0
  for _, count in pairs(on) do chi_nodes = chi_nodes + (count - runs / 3) ^ 2 / (runs / 3) end
  for _, count in ipairs(chosen) do chi_jobs = chi_jobs + (count - runs / 4) ^ 2 / (runs / 4) end
  -- Quantiles 0.999 of chi square with 2 and 3 degrees of freedom.
  rule("S1-14", "reproduces", fits == runs and chi_nodes < 13.82 and chi_jobs < 16.27,
       ("each of three nodes gets the job in %d, %d and %d of %d runs, each of four jobs is first in %d to %d (chi square %.1f and %.1f); a job of "
         .. "two cores is on the only node that holds it in %d")
       :format(on.a, on.b, on.c, runs, math.min(table.unpack(chosen)), math.max(table.unpack(chosen)), chi_nodes, chi_jobs, fits))
end

-- ---- execution, section 2.3 ----

do
  local at_events, asked, together, groups, released, ends = 0, 0, 0, 0, 0, 0
  for _ = 1, cases do
    local nodes, jobs = printed.draw(rng, { nodes = 3, jobs = 16, cores = 4, wide = 1, groups = 4, every = 12 })
    local r = printed.scenario(nodes, jobs):run { policy = "in_turn" }
    local times, size = {}, {}
    for _, row in ipairs(r:jobs()) do times[row.finish] = true end
    for _, job in ipairs(jobs) do times[job.arrival], size[job.arrival] = true, (size[job.arrival] or 0) + 1 end
    for _, note in ipairs(r:notes()) do
      if note.name == "asked" then
        asked = asked + 1
        if times[note.time] then at_events = at_events + 1 end
      elseif note.name == "came" then
        groups = groups + 1
        if note[1] == size[note.time] then together = together + 1 end
      else
        ends = ends + 1
        if note[1] == note[2] then released = released + 1 end
      end
    end
  end
  rule("S1-15", "reproduces", at_events == asked and together == groups and groups == cases * 4 and released == ends,
       ("%d of %d instants are submissions or completions; %d of %d sets come together; %d of %d nodes have all cores idle when their last job is "
         .. "complete"):format(at_events,
       asked, together, groups, released, ends))
  local r = scenario {
    platform = platform { host "a" {} },
    workload = workload.jobs { { ops = 10 }, { ops = 100 }, { ops = 10 }, { ops = 10, arrival = 1000 }, { ops = 10, arrival = 2000 } },
  }:run { policy = "fcfs", horizon = 50 }
  rule("S1-16", "reproduces", r.finished == 1 and r.executing == 1 and r.queued == 1 and r.future == 2 and r.status == "horizon",
       ("a run that is cut at 50 s has %d finished, %d executing, %d queued and %d future of 5 jobs"):format(r.finished, r.executing, r.queued,
       r.future))
end
