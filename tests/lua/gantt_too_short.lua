-- Pictures of times that are too short for their axis end with an error.
-- expect: gantt: 5e-324 s are shown, which is too short to be drawn; at least 1e-300 s can be
-- expect: 3 pictures are refused
local r = scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 5e-324 } } }:run { policy = "fcfs" }
print(select(2, pcall(r.gantt, r)))
local long = scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 5 } } }
local sim, chart = long:start { policy = "fcfs" }, cost.chart { times = { { 5e-324 } } }
sim:run_until(5e-324)
chart:place(1, 1)
local refused = 0
for _, draw in ipairs {
  function() long:run { policy = "fcfs" }:gantt { from = 0, to = 5e-324 } end,
  function() sim:gantt() end,
  function() chart:gantt() end,
} do
  if not pcall(draw) then refused = refused + 1 end
end
print(refused .. " pictures are refused")
