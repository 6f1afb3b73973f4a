-- Figure 4.5 of Mamat (2011): the time of a load by the number of its nodes, with small set-ups and with large ones.
-- takes: a moment
-- perigee run scripts/dlsim/figure4-5.lua --out results

local dlsim = require "dlsim"
local size, nodes = 1000, 256
local points, curves = {}, {}
for _, setup in ipairs { 0, 5, 500 } do
  local costs = cost.divisible { transmission = 1, computation = 1000, transmission_setup = setup, computation_setup = setup }
  local useful, curve = costs:useful_nodes(size), {}
  for n = 1, nodes do
    curve[n] = costs:time(size, n)
    points[#points + 1] = { nodes = n, time = curve[n], setup = setup }
  end
  curves[setup] = { time = curve, useful = useful, least = 1 }
  for n = 2, nodes do if curve[n] < curve[curves[setup].least] then curves[setup].least = n end end
  print(("set-ups of %3d: %.15g nodes are useful; on 1, 16, 63, 64 and 256 nodes %.1f, %.1f, %.2f, %.2f, %.1f s"):format(
    setup, useful, curve[1], curve[16], curve[63], curve[64], curve[256]))
end
plot(points, { x = "nodes", y = "time", by = "setup", log_y = true, file = "figure4-5", title = "the time of a load of 1000" })

for _, setup in ipairs { 0, 5 } do
  claim { source = dlsim.source .. ", Figure 4.5a", says = ("with set-ups of %d each further node makes the load shorter"):format(setup),
          holds = curves[setup].useful > nodes and curves[setup].least == nodes,
          found = ("shortest on %d of %d nodes"):format(curves[setup].least, nodes), verdict = "reproduces" }
end
claim { source = dlsim.source .. ", Figure 4.5b", says = "with set-ups of 500 a load is shortest on so many nodes", value = curves[500].least,
        published = 63, verdict = "reproduces" }
expect(curves[500].useful == curves[500].least, "the number of useful nodes is that of the least time")
