-- Every word with every kind of nonsense: errors, never a crash.
-- args: --memory 300MB
-- test: thorough
-- expect: nothing broke
local p = platform { cluster "a" { nodes = 2, link = { bandwidth = 1 } }, router "r" }
local w = workload.tasks { { time = 1 }, { time = 2, arrival = 1 } }
local s = scenario { platform = p, workload = w }
local r = s:run { policy = "workqueue" }
local sim = s:start { policy = "workqueue" }
local m = etc { { 1, 2 }, { 3, math.huge } }
local loop = {}
loop[1], loop.self = loop, loop
local odd = setmetatable({}, { __index = function() error "index" end, __len = function() return 1e9 end,
                               __tostring = function() return "odd" end, __pairs = function() error "pairs" end })
local values = {
  0, -1, 1, 2.5, 1e308, -1e308, math.huge, -math.huge, 0 / 0, math.maxinteger, math.mininteger, "", "x", "a.1", "workqueue",
  "min_min", "10 KB/s", "\0", ("long"):rep(10000), true, false, {}, { 1 }, { 1, nil, 3 }, { a = 1 }, { {} }, { { 1, 2 } }, loop, odd,
  print, function() end, function() error {} end, function() return {} end, function() return 1 / 0 end,
  coroutine.create(print), p, w, s, r, sim, m, file("f", 1), workqueue, workqueue {}, mapped { map = "mct" },
  stream "x", stream.splitmix(1), outage { host = "a.1", from = 1, to = 2 }, host "h" {}, math, args,
}
local words = {
  assert = assert, error = error, ipairs = ipairs, load = load, pairs = pairs, print = function() end, require = require,
  select = select, tostring = tostring, tonumber = tonumber, rawlen = rawlen, setmetatable = setmetatable, getmetatable = getmetatable,
  setting = setting, stream = stream, splitmix = stream.splitmix, platform = platform, cluster = cluster, host = host, link = link,
  router = router, file = file, scenario = scenario, outage = outage, leave = leave, join = join, change = change,
  reserve = reserve, mark = mark, failures = failures, outages_from = outages_from, heuristic = heuristic, policy = policy,
  map = map, etc = etc, etc_read = etc.read, schedulers = schedulers, compare = compare, workqueue = workqueue,
  min_min = min_min, mapped = mapped, cluster_x = cluster "x", host_x = host "x", link_x = link "x", policy_x = policy "px",
  heuristic_x = heuristic "hx", random = math.random, floor = math.floor, sort = table.sort, move = table.move,
  concat = table.concat, unpack = table.unpack, format = string.format, rep = string.rep, char = utf8.char,
  wrap = coroutine.wrap, resume = coroutine.resume, close = coroutine.close,
}
for name, f in pairs(workload) do words["workload." .. name] = f end
local rng = stream "y"
for _, name in ipairs { "uniform", "integer", "exponential", "normal", "lognormal", "gamma", "weibull", "erlang", "hyperexponential",
                        "pareto", "triangular", "poisson", "bernoulli", "discrete", "choice", "shuffle", "sub" } do
  words["rng." .. name] = rng[name]
end
for _, name in ipairs { "gantt", "save", "jobs", "resources", "metrics", "waiting", "plans", "deviations", "critical_chain", "components",
                        "graph", "save_graph" } do words["r." .. name] = r[name] end
for _, name in ipairs { "step", "run", "run_until", "fork", "now", "next_time", "status", "over", "fail", "recover", "set_policy",
                        "result", "waiting" } do words["sim." .. name] = sim[name] end
for _, name in ipairs { "run", "start", "compare" } do words["s." .. name] = s[name] end
for _, name in ipairs { "time", "makespan_bound" } do words["m." .. name] = m[name] end
words["r.gantt"] = nil   -- prints
local big = { [p] = 0 }

local calls = 0
for name, f in pairs(words) do
  pcall(f)
  for _, a in ipairs(values) do
    pcall(f, a)
    if name ~= "load" and name ~= "wrap" and name ~= "sort" then
      for i = 1, #values, 3 do
        pcall(f, a, values[i])
        pcall(f, a, values[i], values[(i * 7) % #values + 1])
        calls = calls + 2
      end
    end
  end
end

-- every field of every declaration with every value
local declarations = {
  { cluster "c", "nodes cores speed availability link architecture slots setup exclusive overtake at" },
  { host "h", "cores speed availability link architecture slots setup exclusive overtake at" },
  { link "l", "from to bandwidth latency sharing overtake" },
  { outage, "host cluster link from to announced" },
  { change, "host link at speed factor availability bandwidth" },
  { failures, "hosts host cluster all mtbf mttr law shape repair_law repair_shape" },
  { reserve, "hosts host cluster link from to" },
  { scenario, "platform workload events on_failure" },
  { workqueue, "chunk" }, { mapped, "map" },
  { function(t) return s:run(t) end, "policy seed horizon trace validate information ask tolerance" },
  { function(t) return s:compare(t) end, "seed horizon trace metrics" },
  { function(t) t.time = t.time or 1; return workload.tasks { t } end, "name time arrival inputs output outputs priority user deadline estimate" },
  { function(t) return workload.tasks { t } end, "ops times" },
  { function(t) t.time = 1; return workload.jobs { t } end, "cores" },
  { function(t) t.time = 1; return workload.sweep(t) end, "runs trials weights" },
  { function(t) t.time = 1; return workload.loads { t } end, "size bytes bytes_estimate" },
  { workload.reservations, "hosts from to io_ratio" },
  { policy "p1", "summary accepts ask tolerance parameters arrived decide" },
  { heuristic "h1", "summary pick place smallest pure parameters" },
}
for _, d in ipairs(declarations) do
  for field in d[2]:gmatch "%S+" do
    for _, v in ipairs(values) do
      pcall(d[1], { [field] = v })
      pcall(d[1], { host = "a.1", from = 1, to = 2, at = 1, speed = 1, bandwidth = 1, time = 1, [field] = v })
      pcall(d[1], { platform = p, workload = w, [field] = v })
      pcall(d[1], { mtbf = 1, mttr = 1, all = true, [field] = v })
      pcall(d[1], { policy = "workqueue", "workqueue", horizon = 5, [field] = v })
      calls = calls + 5
    end
  end
end
assert(s:run { policy = "workqueue" }.fingerprint == r.fingerprint)
print("nothing broke", calls > 10000)
