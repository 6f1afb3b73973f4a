-- A list of cases as JSON, and with each the record of its run under "expected".
-- takes: a moment
-- perigee run scripts/sim-petek/cases.lua --set file=cases.json > done.json

-- A case: { "name", "nodes": [ { "name", "cores", "tau", "latency"?, "background"? [period, busy, factor], "speeds"? [[t, factor], ...] } ],
--           "runs", "mc", "algorithm", "parameters": { ... } }
-- With "wsn": [[start, step, count], ...] among the parameters, for sensors, step size, vx and perhaps vy, runs have the
-- weights of our model of sensor networks.
local petek = require "petek"

-- name of the case file -> our parameter; a function makes a value of ours
local common = { alpha = function(value) return "alpha", value == "half" and 0.5 or value == "1/r" and "1/round" or value end }
local function with(more)
  local all = { alpha = common.alpha }
  for _, name in ipairs(more) do all[name] = name end
  if all.T then all.T = "threshold" end
  if all.units then all.units = function(value) return "units", value == "thesis" and "published" or value end end
  return all
end
local sine = with { "peak", "k", "m", "units", "sizing", "T" }
local improved = with { "peak", "k", "m", "units", "sizing", "T", "redistribute" }
local known = {
  AMRS = { amrs, with { "rounds", "order" } },
  AMRA = { amra, with { "rounds" } },
  SAMRA = { samra, with { "rounds", "units", "T" } },
  SSSE = { ssse_amra, sine },
  ISSSE = { issse_amra, improved },
  ["ISSSE-static"] = { issse_amra, improved, { adaptive = false } },
  ["work-queue"] = { workqueue, { chunk = "chunk" } },
}

local function wrong(case, text, ...) error(("case '%s': " .. text):format(case.name or "?", ...), 0) end

local function policy_of(case)
  local entry = known[case.algorithm]
  if not entry then wrong(case, "unknown algorithm '%s'", tostring(case.algorithm)) end
  local make, names, fixed = table.unpack(entry)
  local given = {}
  for name, value in pairs(fixed or {}) do given[name] = value end
  for name, value in pairs(case.parameters or {}) do
    if name ~= "wsn" then
      local parameter = names[name]
      if not parameter then wrong(case, "%s has no parameter '%s'", case.algorithm, name) end
      if type(parameter) == "function" then parameter, value = parameter(value) end
      given[parameter] = value
    end
  end
  return make(given)
end

local function sweep_of(case)
  local axes = case.parameters and case.parameters.wsn
  if not axes then return { runs = case.runs, trials = case.mc } end
  local names, grid = { "sensors", "step_size", "vx", "vy" }, {}
  for i, axis in ipairs(axes) do grid[i] = { names[i], from = axis[1], step = axis[2], count = axis[3] } end
  return { points = workload.grid(grid), runs = case.runs, trials = case.mc, weights = petek.wsn() }
end

local done = {}
for i, case in ipairs(json.read(setting("file", "cases.json"))) do
  local r = petek.scenario(case.nodes, sweep_of(case)):run { policy = policy_of(case) }
  done[i] = json.text(case):sub(1, -2) .. ',"expected":' .. r:record() .. "}"
end
print("[" .. table.concat(done, ",\n") .. "]")
