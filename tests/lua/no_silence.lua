-- A value that would be dropped, or would fail later without a word of where, is refused where it is declared.
-- args: --out $OUT --data $OUT
local function refused(text, f, ...)
  local good, problem = pcall(f, ...)
  expect(not good and problem.message:find(text, 1, true) ~= nil, text .. ": " .. tostring(not good and problem.message))
end

-- A link by the name of a host or a cluster.
refused("a host and a link are called 'a'", function()
  return platform { router "r", link "a" { to = "r", bandwidth = 1 }, host "a" { at = "r" } }
end)
refused("a cluster and a link are called 'c'", function()
  return platform { router "r", link "c" { to = "r", bandwidth = 1 }, cluster "c" { nodes = 2, at = "r" } }
end)
refused("a host and a link are called 'c.2'", function()
  return platform { router "r", link "c.2" { to = "r", bandwidth = 1 }, cluster "c" { nodes = 2, at = "r" } }
end)
platform { router "r", link "l" { to = "r", bandwidth = 1 }, cluster "c" { nodes = 2, at = "r", link = { bandwidth = 1 } } }

-- Files outside of the script's folder: the same words, whether they are there or not.
local function told(f, path)
  local good, problem = pcall(f, path)
  expect(not good, path)
  return (problem.message:gsub(path, "FILE", 1):gsub("%.json", ""))
end
for _, f in ipairs { csv.read, experiment.load, etc.read, json.read } do
  for there, gone in pairs {
    ["/etc/passwd"] = "/etc/no.such.file", ["../README.md"] = "../NO.md", ["/etc"] = "/etcetera", ["../../docs/../README.md"] = "../../nowhere/../NO.md",
  } do
    local one = told(f, there)
    expect(one == told(f, gone) and one:find("outside the script's folder", 1, true) ~= nil, one)
  end
  -- A way that leaves the folder and comes back tells nothing of where it went.
  local inside = told(f, "../lua/no.such.file")
  expect(inside:find("there is no such file", 1, true) ~= nil and inside == told(f, "../nowhere/../lua/no.such.file"), inside)
end

-- A file with two estimates.
local hosts = platform { host "a" {}, host "b" {} }
local function run(work, with) return scenario { platform = hosts, workload = work }:run { policy = with or "workqueue" } end
refused("task 2: file 'f' is estimated as 8 B here but as 10 B elsewhere", function()
  run(workload.tasks { { time = 1, inputs = { file("f", 10) } }, { time = 1, inputs = { file("f", 10, 8) } } })
end)
run(workload.tasks { { time = 1, inputs = { file("f", 10, 8) } }, { time = 1, inputs = { file("f", 10, 8) } } })

-- A part of what is no whole of parts. A part of a sweep that is larger than what is left is what is left.
policy "starts" {
  accepts = { "tasks", "sweeps" },
  arrived = function(_, sim, works)
    for _, work in ipairs(works) do
      if work == 1 then
        refused("it cannot be divided", sim.start, sim, work, 1, { size = 0.5 })
        refused("its pieces lie in [0, 1)", sim.start, sim, work, 1, { size = 5 })
        sim:start(work, 1, { size = 1 })
      else
        local id = sim:start(work, 2, { size = 100 })
        expect(sim:activity(id).size == 3, tostring(sim:activity(id).size))
      end
    end
  end,
}
run(workload.merge(workload.tasks { { time = 1 } }, workload.sweep { runs = 3, time = 1 }), "starts")

-- Lists that a mode of calibration does not read.
local times = { 1, 2, 3 }
refused('mode "times" takes no availability; it belongs to "univariate" and "multivariate"', cost.calibrate,
        { times = times, left = 10, availability = { 1, 1, 1 } })
refused('mode "times" takes no latency; it belongs to "multivariate"', cost.calibrate, { times = times, left = 10, mode = "times", latency = { 1, 1, 1 } })
refused('mode "univariate" takes no latency; it belongs to "multivariate"', cost.calibrate,
        { times = times, left = 10, mode = "univariate", availability = { 1, 0.9, 0.8 }, latency = { 1, 1, 1 } })

-- A majorant that nothing is below.
local uniform = distribution.uniform { low = 0, high = 1 }
for value, text in pairs { [-1] = "must be > 0, got -1", [0] = "must be > 0, got 0", [math.huge] = "got inf" } do
  refused("majorant " .. (value == math.huge and "" or text), sampler.acceptance_rejection, { density = function() return 1 end, majorant = value, proposal = uniform })
end
refused("majorant must be a number, got nan", sampler.acceptance_rejection, { density = function() return 1 end, majorant = 0 / 0, proposal = uniform })

-- No written number is -0.
expect(json.text { -0.0 } == "[0]", json.text { -0.0 })

-- A file that is discarded is named in the trace.
policy "discards" {
  accepts = { "tasks", "files" },
  arrived = function(_, sim, works) sim:post(works[1], 1) end,
  finished = function(_, sim, works) sim:discard(sim:inputs(works[1])[1], 1) end,
}
local slow = platform { cluster "c" { nodes = 1, link = { bandwidth = 1 } } }
local result = scenario { platform = slow, workload = workload.tasks { { time = 1, inputs = { file("big", 10) } } } }:run { policy = "discards" }
result:save "run"
local discarded = csv.read("run/trace.csv"):where(function(row) return row.kind == "discarded" end)
expect(#discarded == 1 and discarded[1].file == "big" and discarded[1].resource == "c", tostring(discarded))
