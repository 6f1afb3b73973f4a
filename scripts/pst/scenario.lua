-- The scenario of Figure 11 as files: a grid, its behaviours, an application; and what no schedule can beat.
-- source: Casanova, Zagorodnov, Berman, Legrand 1999, sections 7.2 and 8
-- takes: seconds
-- --set size=BYTES of a shared file (1200 KB), --set seed=N of what is drawn (1); --out DIR writes the files
-- test: --out "$OUT/out"
-- expect: 400 tasks with 1208 files
-- expect: run times 40004.657761 s, own inputs 7968400 B, outputs 3943646 B
-- expect: capacity 11.8 CPUs, no makespan below 3390.2 s
local figure11 = require "figure11_scenario"

local size, seed = setting("size", 1200e3), setting("seed", 1)
local text, drawn = figure11.application(size, seed)
local s = figure11.scenario(size, seed)

local time, inputs, outputs = 0, 0, 0
for _, task in ipairs(drawn) do
  time = time + task.time
  inputs = inputs + task.inputs[1] + task.inputs[2]
  outputs = outputs + task.output
end
print(("%d tasks with %d files"):format(#s.workload, select(2, text:gsub("File:", ""))))
print(("run times %.6f s, own inputs %d B, outputs %d B"):format(time, inputs, outputs))
print(("capacity %.1f CPUs, no makespan below %.1f s"):format(figure11.capacity, figure11.lower_bound(drawn)))

-- With seed 1, by SplitMix64 in a few lines of Python: what is drawn for tasks 0, 1 and 399, and the sums above.
if seed == 1 then
  for task, expected in pairs { [0] = "101.331231503 10983 11884 9777", [1] = "98.885294017 11052 11509 10092",
                                [399] = "90.806909070 11003 10695 9165" } do
    local is = drawn[task + 1]
    local got = ("%.9f %d %d %d"):format(is.time, is.inputs[1], is.inputs[2], is.output)
    assert(got == expected, ("task %d: expected %s, got %s"):format(task, expected, got))
  end
  assert(math.abs(time - 40004.657761218) < 1e-6 and inputs == 7968400 and outputs == 3943646)
end

s:pst("figure11", { seed = seed })
