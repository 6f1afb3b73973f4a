-- Faults that sweeps refuse, with the codes of docs/sweeps.md; scheduler lists have theirs in tests/runtime/model.
-- takes: a moment
-- perigee run scripts/sim-petek/errors.lua

local petek = require "petek"
local one = { runs = 10, trials = 10 }
local function node(fields)
  local made = { name = "A", cores = 2, tau = 1 }
  for name, value in pairs(fields) do made[name] = value end
  return function() petek.scenario({ made }, one) end
end
local function sweep(fields)
  return function()
    fields.time = 1
    scenario { platform = platform { host "A" {} }, workload = workload.sweep(fields) }:run { policy = amra { rounds = 2 } }
  end
end
local function x(fields)
  fields[1] = "x"
  return function() workload.grid { fields } end
end

local wrong = {
  { "no-nodes", function() petek.scenario({}, one) end },
  { "duplicate-node", function() petek.scenario({ { name = "A", cores = 1, tau = 1 }, { name = "A", cores = 1, tau = 1 } }, one) end },
  { "bad-name", node { name = "" } },
  { "bad-node", node { cores = 0 } },
  { "bad-node", node { cores = 1.5 } },
  { "bad-node", node { tau = 0 } },
  { "bad-node", node { tau = math.huge } },
  { "out_of_range", node { slots = 0 } },
  { "out_of_range", node { latency = -1 } },
  { "bad-background", node { background = { 0, 0, 0.5 } } },
  { "bad-background", node { background = { 40, 50, 0.5 } } },
  { "bad-background", node { background = { 40, 30, 0 } } },
  { "bad-speed", node { speeds = { { 5, 0 } } } },
  { "bad-speed", node { speeds = { { 5, 1 }, { 5, 2 } } } },
  { "out_of_range", sweep { runs = 0 } },
  { "bad_type", sweep { runs = 1.5 } },
  { "out_of_range", sweep { runs = 1, trials = 0 } },
  { "bad_field", sweep { runs = 1000000, trials = 1001 } },
  { "bad_sweep", x { from = 3, to = 1, step = 1 } },
  { "bad_sweep", x { from = 1, to = 3, step = 0 } },
  { "bad_sweep", x { from = 1, to = 3, step = 0.3 } },
  { "bad_sweep", x {} },
  { "bad_field", sweep { runs = 5, points = workload.grid { { "x", 1, 2 } } } },
  { "bad_parameter", function() amra { rounds = 0 } end },
  { "bad_parameter", function() amrs { rounds = 2.5 } end },
  { "bad_parameter", function() ssse_amra { peak = 0 } end },
  { "bad_parameter", function() issse_amra { peak = 3, k = 2 } end },
  { "bad_parameter", function() ssse_amra { m = 0 } end },
  { "bad_parameter", function() amra { alpha = 0 } end },
  { "bad_parameter", function() samra { threshold = 1 } end },
  { "unknown_parameter", function() calibrated { rounds = 2 } end },
}
for _, each in ipairs(wrong) do
  local code, f = table.unpack(each)
  local ok, problem = pcall(f)
  expect(not ok, code .. " is not refused")
  local text = tostring(type(problem) == "string" and problem or problem.message)
  local found = type(problem) ~= "string" and problem.code or text:match "%((%S+)%)$"
  print(("%-18s %s"):format(found, text))
  expect(found == code or text:find("(" .. code .. ")", 1, true) ~= nil, ("%s, not %s: %s"):format(found, code, text))
end
