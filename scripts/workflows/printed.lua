-- The graphs that three publications print with their schedules, and how a plan is compared with its execution.
-- takes: nothing, the other scripts here use it
-- test: no
local printed = {}

-- A graph of the textbook model: times by task and host, edges { from, to, time to send }.
local function study(times, edges)
  local hosts = {}
  for p = 1, #times[1] do hosts[p] = host("P" .. p) {} end
  return {
    times = times, edges = edges,
    problem = function() return cost.graph { times = times, edges = edges } end,
    graph = graph.matrix { times = times, edges = edges },
    platform = platform { complete { bandwidth = 1, latency = 0 }, table.unpack(hosts) },
  }
end

-- H. Topcuoglu, S. Hariri, M.-Y. Wu, IEEE TPDS 13(3), 2002: ten tasks, three hosts.
printed.heft = study(
  { { 14, 16, 9 }, { 13, 19, 18 }, { 11, 13, 19 }, { 13, 8, 17 }, { 12, 13, 10 },
    { 13, 16, 9 }, { 7, 15, 11 }, { 5, 11, 14 }, { 18, 12, 20 }, { 21, 7, 16 } },
  { { 1, 2, 18 }, { 1, 3, 12 }, { 1, 4, 9 }, { 1, 5, 11 }, { 1, 6, 14 }, { 2, 8, 19 }, { 2, 9, 16 }, { 3, 7, 23 },
    { 4, 8, 27 }, { 4, 9, 23 }, { 5, 9, 13 }, { 6, 8, 15 }, { 7, 10, 17 }, { 8, 10, 11 }, { 9, 10, 13 } })

-- H. Arabnejad, J. Barbosa, IEEE TPDS 25(3), 2014: ten tasks, three hosts.
printed.peft = study(
  { { 22, 21, 36 }, { 22, 18, 18 }, { 32, 27, 43 }, { 7, 10, 4 }, { 29, 27, 35 },
    { 26, 17, 24 }, { 14, 25, 30 }, { 29, 23, 36 }, { 15, 21, 8 }, { 13, 16, 33 } },
  { { 1, 2, 17 }, { 1, 3, 31 }, { 1, 4, 29 }, { 1, 5, 13 }, { 1, 6, 7 }, { 2, 8, 3 }, { 2, 9, 30 }, { 3, 7, 16 },
    { 4, 8, 11 }, { 4, 9, 7 }, { 5, 9, 57 }, { 6, 8, 5 }, { 7, 10, 9 }, { 8, 10, 42 }, { 9, 10, 7 } })

-- Y.-K. Kwok, I. Ahmad, ACM Computing Surveys 31(4), 1999: nine tasks, here on three equal hosts.
local alike = {}
for i, time in ipairs { 2, 3, 3, 4, 5, 4, 4, 4, 1 } do alike[i] = { time, time, time } end
printed.survey = study(alike,
  { { 1, 2, 4 }, { 1, 3, 1 }, { 1, 4, 1 }, { 1, 5, 1 }, { 1, 7, 10 }, { 2, 6, 1 }, { 2, 7, 1 }, { 3, 8, 1 },
    { 4, 8, 1 }, { 6, 9, 5 }, { 7, 9, 6 }, { 8, 9, 5 } })

-- A schedule as a text, in the order of placing: "1 P3 0-9, 3 P3 9-28".
function printed.text(plan)
  local parts = {}
  for i, task in ipairs(plan.order) do
    parts[i] = ("%d P%d %g-%g"):format(task, plan.host[task], plan.start[task], plan.finish[task])
  end
  return table.concat(parts, ", ")
end

-- Numbers as a text, to three places: "108, 63.333".
function printed.numbers(list)
  local parts = {}
  for i, value in ipairs(list) do parts[i] = ("%.3f"):format(value):gsub("%.?0+$", "") end
  return table.concat(parts, ", ")
end

-- The values of f(task) for all tasks of a problem.
function printed.each(c, f)
  local list = {}
  for i = 1, c:tasks() do list[i] = f(i) end
  return list
end

-- The plan of a graph scheduler, and the run of `scheduled` with it in the textbook network: each task starts and ends then
-- and there, to the bit.
function printed.executed(one, name)
  local plan = schedule(name, one.problem())
  local r = scenario { platform = one.platform, workload = workload.workflow { name = "printed", tasks = one.graph } }
    :run { policy = scheduled { plan = name }, validate = true }
  for i, row in ipairs(r:jobs()) do
    expect(row.start == plan.start[i] and row.finish == plan.finish[i] and row.hosts == "P" .. plan.host[i],
           ("%s, task %d: planned from %g, executed from %g"):format(tostring(name), i, plan.start[i], row.start))
  end
  expect(r.makespan == plan.makespan, "the makespan is the planned one")
  return plan, r
end

-- One claim for each scheduler: { "heft", 80, chosen = "a rule of ours that was chosen so that it is", note = "what else there is to say" }.
function printed.makespans(one, source, list)
  for _, row in ipairs(list) do
    local name, published = table.unpack(row)
    local plan = printed.executed(one, name)
    claim { source = source, says = ("makespan of %s"):format(tostring(name)), value = plan.makespan, published = published, verdict = "reproduces",
            chosen = row.chosen, note = row.note }
  end
end

return printed
