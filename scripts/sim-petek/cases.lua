-- A list of cases as JSON, and with each the record of its run under "expected".
-- takes: a moment
-- perigee run scripts/sim-petek/cases.lua --set file=cases.json > done.json

-- A case: { "name", "nodes": [ { "name", "cores", "tau", "latency"?, "background"? [period, busy, factor], "speeds"? [[t, factor], ...] } ],
--           "runs", "mc", "algorithm", "parameters": { ... } }
-- A case that is refused has "error": "why" instead; all others are run, and the script then ends as failed.
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
  Calibrated = { calibrated, { mode = "mode", single = "single" } },
  ["static-rr"] = { static_round_robin, {} },
  ["work-queue"] = { workqueue, { chunk = "chunk" }, { order = "cores" } },
  factoring = { factoring, {} },
}
local of_nodes = { wsn = true, avail = true, lat = true, weighted = true }  -- not of the policy itself

local function wrong(case, text, ...) error(("case '%s': " .. text):format(case.name or "?", ...), 0) end

local function policy_of(case)
  local entry = known[case.algorithm]
  if not entry then wrong(case, "unknown algorithm '%s'", tostring(case.algorithm)) end
  local make, names, fixed = table.unpack(entry)
  if case.algorithm == "factoring" and (case.parameters or {}).weighted then make = weighted_factoring end
  local given = {}
  for name, value in pairs(fixed or {}) do given[name] = value end
  for name, value in pairs(case.parameters or {}) do
    if not of_nodes[name] then
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

-- Availability and latency for calibrations are lists, one value per node.
local function nodes_of(case)
  local given = case.parameters or {}
  for i, node in ipairs(case.nodes) do
    node.share, node.link_latency = (given.avail or {})[i], (given.lat or {})[i]
  end
  return case.nodes
end

local function calibration_of(r)
  for _, note in ipairs(r:notes()) do
    if note.name == "calibration" then
      local found = { k = note[1], cv = note[2], F = {}, alpha = {} }
      for i = 3, 1000000, 3 do
        if not note[i] then break end
        found.F[note[i]], found.alpha[note[i]] = note[i + 1], note[i + 2]
      end
      return found
    end
  end
end

local done, refused = {}, {}
for i, case in ipairs(json.read(setting("file", "cases.json"))) do
  local shown = json.text(case):sub(1, -2)
  local ran, r = pcall(function() return petek.scenario(nodes_of(case), sweep_of(case)):run { policy = policy_of(case) } end)
  if ran then
    local calibration = case.algorithm == "Calibrated" and ',"calibration":' .. json.text(calibration_of(r)) or ""
    done[i] = shown .. ',"expected":' .. r:record():sub(1, -2) .. calibration .. "}}"
  else
    local message = type(r) == "string" and r or r.message
    refused[#refused + 1] = ("  case %d, '%s': %s"):format(i, case.name or "?", message)
    done[i] = shown .. ',"error":' .. json.text(message) .. "}"
  end
end
print("[" .. table.concat(done, ",\n") .. "]")
if #refused > 0 then error(("%d of %d cases are refused\n%s"):format(#refused, #done, table.concat(refused, "\n")), 0) end
