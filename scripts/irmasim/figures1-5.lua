-- IRMaSim thesis, chapter 3: the small examples of Figures 1 to 5, step by step, with the tree of A*.
-- takes: a moment
-- perigee run scripts/irmasim/figures1-5.lua

-- The figures themselves are not in the text, which describes their steps and gives no numbers for Figures 1 to 3. Of
-- instances that take these steps this one has the least whole numbers: three nodes of one core, four jobs.
local speeds, jobs = { 1, 3, 3 }, { 1, 2, 6, 3 }

-- Nodes and jobs of the thesis count from 0.
local function from_zero(list)
  local text = {}
  for i, value in ipairs(list) do text[i] = ("%d"):format(value - 1) end
  return table.concat(text, " ")
end
local function matrix(speeds, times)
  local rows = {}
  for i, time in ipairs(times) do
    rows[i] = {}
    for k, speed in ipairs(speeds) do rows[i][k] = time / speed end
  end
  return etc(rows)
end

local m, answer = matrix(speeds, jobs), {}
print "figure  algorithm          order of jobs  node of jobs 0, 1, 2, 3  makespan, s"
for _, row in ipairs {
  { "1", "min_min", min_min {} }, { "1", "shortest_fastest", pairing { job = "shortest" } },
  { "2", "max_min", max_min {} }, { "2", "longest_fastest", pairing { job = "longest" } },
  { "3", "duplex", duplex {} },
} do
  local found = map(row[3], m)
  answer[row[2]] = found
  print(("%-7s %-18s %-14s %-24s %.4f"):format(row[1], row[2], from_zero(found.order), from_zero(found.machine), found.makespan))
end

local function finding(figure, says, holds, verdict, found)
  claim { source = "IRMaSim thesis, Figure " .. figure, says = says, holds = holds, verdict = verdict or "reproduces", found = found }
end
local function node(name, job) return answer[name].machine[job + 1] - 1 end
finding(1, "both place job 0 on node 1 and job 1 on node 2; then shortest_fastest places job 3 on node 0 and min-min on node 1, where it ends earlier",
  node("min_min", 0) == 1 and node("shortest_fastest", 0) == 1 and node("min_min", 1) == 2 and node("shortest_fastest", 1) == 2
  and node("shortest_fastest", 3) == 0 and node("min_min", 3) == 1
  and answer.min_min.completion[4] < answer.shortest_fastest.completion[4], nil,
  ("job 3 ends at %.4f s and at %.4f s"):format(answer.min_min.completion[4], answer.shortest_fastest.completion[4]))
finding(1, "min-min places job 2 on node 1", node("min_min", 2) == 1, "source in error",
  "on node 2: on nodes of one core node 1 has jobs 0 and 3 by then, and node 2 the shorter job 1")
finding(2, "both place job 2 on node 1 and job 3 on node 2; then longest_fastest places job 1 on node 0 and max-min on node 2",
  node("max_min", 2) == 1 and node("longest_fastest", 2) == 1 and node("max_min", 3) == 2 and node("longest_fastest", 3) == 2
  and node("longest_fastest", 1) == 0 and node("max_min", 1) == 2)
finding(2, "max-min places job 0 on node 0, which is free, and the completion of the cluster is no later for it", node("max_min", 0) == 0
  and answer.max_min.completion[1] <= answer.max_min.makespan)

-- Figure 3: the same jobs at 0, and at 4 others for which min-min is better. The text has no data of these; on nodes
-- of speeds 1, 4 and 2 four jobs will do.
local nodes = {}
for i, speed in ipairs { 1, 4, 2 } do nodes[i] = host("node" .. i - 1) { speed = speed } end
local list = {}
for i, time in ipairs(jobs) do list[i] = { ops = time } end
for _, time in ipairs { 8, 8, 6, 6 } do list[#list + 1] = { ops = time, arrival = 4 } end
local s = scenario { platform = platform(nodes), workload = workload.jobs(list) }
local total = {}
for _, name in ipairs { "min_min", "max_min", "duplex" } do
  local policy = planned { map = ({ min_min = min_min, max_min = max_min, duplex = duplex })[name] { form = "sorted" } }
  local first, last = 0, 0
  for _, job in ipairs(s:run { policy = policy }:jobs()) do
    if job.arrival == 0 then first = math.max(first, job.finish) end
    last = math.max(last, job.finish)
  end
  total[name] = { first, last }
  print(("3       %-18s first queue done at %.4f s, second at %.4f s"):format(name, first, last))
end

finding(3, "duplex schedules the first queue as max-min does, which is better, and the second one as min-min, which is better then",
  total.duplex[1] == total.max_min[1] and total.max_min[1] < total.min_min[1]
  and total.duplex[2] == total.min_min[2] and total.min_min[2] < total.max_min[2])

print "\nFigure 4: the tree of A*, two nodes of speeds 1 and 1.5, jobs of 1, 3 and 3 s on the slower"
local small = matrix({ 1, 1.5 }, { 1, 3, 3 })
local found = map(a_star {}, small, { tree = true })
print(found.tree)
print(("%d vertices, %d expansions, none pruned; nodes of jobs 0, 1, 2: %s; makespan %g s"):format(
  found.created, found.expanded, from_zero(found.machine), found.makespan))

local tree = found.tree
claim { source = "IRMaSim thesis, Figure 4", says = "f of job 0 on node 0", value = tree[1].f, published = 2.5, margin = 0.005, verdict = "reproduces" }
claim { source = "IRMaSim thesis, Figure 4", says = "f of job 0 on node 1", value = tree[2].f, published = 2.67, margin = 0.005, verdict = "reproduces" }
claim { source = "IRMaSim thesis, Figure 4", says = "f of the leaf that is chosen in the end, job 2 on node 1", value = tree[#tree].f, published = 3,
        margin = 0.005, verdict = "reproduces" }
finding(4, "job 0 on node 0 is expanded first, then job 0 on node 1; the last leaf to be chosen is job 2 on node 1",
  tree[1].expanded == 2 and tree[2].expanded == 3 and tree[#tree].fate == "answer" and tree[#tree].machine == 2)
finding(5, "the completion time of the jobs is the f of that leaf, and nothing was pruned", found.makespan == tree[#tree].f and found.pruned == 0)
