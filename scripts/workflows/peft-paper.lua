-- The ten tasks of Arabnejad and Barbosa (2014): the optimistic cost table, PEFT, and what it is compared with.
-- takes: a moment
-- perigee run workflows/peft-paper --out results     the figure is results/peft.svg
-- test: --validate --out "$OUT"

local printed = require "printed"
local ten = printed.peft
local source = "Arabnejad, Barbosa 2014"

-- The table: OCT of each task on each host, their mean, and the upward rank.
local c = ten.problem()
local rows, means = {}, {}
print "task   OCT on P1    P2    P3     mean  upward rank"
for i = 1, c:tasks() do
  local row, sum = {}, 0
  for p = 1, c:machines() do
    row[p] = ("%g"):format(c:oct(i, p))
    sum = sum + c:oct(i, p)
  end
  rows[i], means[i] = table.concat(row, " "), sum / c:machines()
  print(("%4d %11s %5s %5s %8.2f %12.1f"):format(i, row[1], row[2], row[3], means[i], c:upward_rank(i)))
end

local table_found = table.concat(rows, ", ")
claim { source = source .. ", Table 1", says = "the optimistic cost table", found = table_found, verdict = "reproduces",
        holds = table_found == "64 68 86, 42 39 42, 27 41 43, 42 39 50, 28 37 28, 42 39 44, 13 16 22, 13 16 33, 13 16 20, 0 0 0" }
local function list(says, found, published, margin)
  local holds = #found == #published
  for i, value in ipairs(found) do holds = holds and math.abs(value - published[i]) <= margin end
  claim { source = source, says = says, holds = holds, found = printed.numbers(found), verdict = "reproduces" }
end
list("the means of the table, to two places", means, { 72.67, 41, 37, 43.67, 31, 41.67, 17, 20.67, 16.33, 0 }, 0.005)
list("the upward ranks, to one place", printed.each(c, function(i) return c:upward_rank(i) end),
     { 169, 114.3, 102.7, 110, 129.7, 119.3, 52.7, 92, 42.3, 20.7 }, 0.05)

local peft, r = printed.executed(ten, "peft")
print("\nPEFT: " .. printed.text(peft))
r:gantt()
r:plot { kind = "gantt", file = "peft", text = false, title = "PEFT, ten tasks of Arabnejad and Barbosa 2014" }

claim { source = source, says = "the schedule of PEFT, in the order of placing", found = printed.text(peft), verdict = "reproduces",
        holds = printed.text(peft) == "1 P1 0-22, 4 P1 22-29, 6 P2 29-46, 2 P1 29-51, 3 P1 51-83, 5 P3 35-70, 8 P2 54-77, 7 P1 83-97, "
                                      .. "9 P3 81-89, 10 P2 106-122" }
local least = {}
for i, task in ipairs(peft.order) do least[i] = peft.finish[task] + c:oct(task, peft.host[task]) end
list("the least finish + OCT at each step", least, { 86, 71, 85, 93, 110, 98, 93, 110, 109, 122 }, 0)

-- HEFT, with the order of its tasks on each host.
local heft, rh = printed.executed(ten, "heft")
print("\nHEFT: " .. printed.text(heft))
rh:gantt()
local orders = {}
for p = 1, c:machines() do
  local tasks = {}
  for i = 1, c:tasks() do if heft.host[i] == p then tasks[#tasks + 1] = i end end
  table.sort(tasks, function(a, b) return heft.start[a] < heft.start[b] end)
  orders[p] = ("P%d: %s"):format(p, table.concat(tasks, " "))
end
claim { source = source, says = "HEFT has 2 8 10 on P1, 1 5 3 7 on P2, 6 4 9 on P3", found = table.concat(orders, ", "), verdict = "reproduces",
        holds = table.concat(orders, ", ") == "P1: 2 8 10, P2: 1 5 3 7, P3: 6 4 9" }
printed.makespans(ten, source, { { "peft", 122 }, { "lookahead", 127 }, { "heft", 133 }, 
  { "hcpt", 142, note = "of predecessors that are not listed the one of least AEST goes on the stack first" } })
-- Not published: recomputed by an independent program.
printed.makespans(ten, "an independent program", { { "branch_and_bound", 113 }, { "cpop", 167 } })
