-- Replays the log of a parallel machine (Standard Workload Format, plain or .gz) under batch policies.
-- takes: seconds for 10^5 jobs
-- perigee run scripts/replay-swf.lua --set log=FILE          a path as seen from where you are
--   --set policy=fcfs,workqueue   those to compare (fcfs)    --set cores=128   of the machine (as the log's header says)
--   --set first=1000              only so many jobs (all)    --set hosts=4     that the cores are divided among (1)
--   --set nodes=128               on so many nodes, each of `cores` (1), over which jobs go; nodes=log: as the header says
--   --set limits=true             the requested time ends a job (false)
--   --set down=machine.3 --set from="14 h" --set to="18 h"   that node, or all, is away then; --set known="0 s": policies know
--   --set shape=processes         then jobs take cores anywhere, not whole nodes (nodes)
--   --set mtbf="30 d" --set mttr="4 h"     then nodes fail, or hosts: mean times to failure and repair (none fails)
--   (a mapper stands for the batch policy that asks it at each event: mct is mapped { map = "mct" })
--   --set oversize=clip           jobs wider than a host: error, drop, clip or split (error)
--   --set overrun=cut             jobs longer than requested: keep, raise or cut (keep)
--   --set information=perfect     policies know the run times, not what was requested (declared)
--   --out DIR                     saves each run below DIR, with files for evalys and ViTE
-- test: --set log=$ROOT/tests/lua/data/small.swf --set policy=fcfs,sjf,easy,conservative,workqueue,mct --out $OUT

local path = setting("log", "")
local policies, first = setting("policy", "fcfs"), setting("first", 0)
local cores, hosts = setting("cores", 0), setting("hosts", 1)
local oversize, overrun = setting("oversize", "error"), setting("overrun", "keep")
local information = setting("information", "declared")
local nodes, shape = setting("nodes", ""), setting("shape", "nodes")
local limits = setting("limits", false)
local down, from, to, known = setting("down", ""), setting("from", "14 h"), setting("to", "18 h"), setting("known", "")
local mtbf, mttr = setting("mtbf", ""), setting("mttr", "4 h")
if path == "" then error("which log? pass one with --set log=FILE (Standard Workload Format, plain or .gz)", 0) end

local over_nodes = nodes ~= ""
local work = workload.swf(path, { oversize = oversize, overrun = overrun, first = first ~= 0 and first or nil,
                                  shape = over_nodes and shape or "host", limits = limits })
local log = work.log
if over_nodes then
  if nodes ~= "log" and not tonumber(nodes) then
    error(("nodes must be a number, or log, got '%s'; pass --set nodes=N"):format(nodes), 0)
  end
elseif cores == 0 then
  cores = log.max_procs or error(path .. ": its header has neither MaxProcs nor MaxNodes; pass --set cores=N", 0)
end
if not over_nodes and (hosts < 1 or cores % hosts ~= 0) then
  error(("%d cores cannot be divided among %d hosts; pass another --set hosts=N"):format(cores, hosts), 0)
end

-- Without nodes a job runs on the cores of one host, so the machine is a single host unless it is to be divided.
local machine
if over_nodes then
  machine = log:platform { nodes = tonumber(nodes) or log.max_nodes, cores_per_node = cores ~= 0 and cores or nil }
else
  machine = platform { cluster "machine" { nodes = hosts, cores = cores // hosts } }
end
if down ~= "" and down ~= "all" and not over_nodes and hosts == 1 then
  error(("down names a node, '%s', but the machine is one host; pass --set nodes=log, or --set down=all"):format(down), 0)
end
local events = {}
if mtbf ~= "" then events[1] = failures { cluster = "machine", mtbf = mtbf, mttr = mttr } end
if down ~= "" then
  events[#events + 1] = outage { [down == "all" and "cluster" or "host"] = down == "all" and "machine" or down,
                                 from = from, to = to, known = known ~= "" and known or nil }
end
local s = scenario { platform = machine, workload = work, events = events }
local list = { information = information, metrics = { "finished", "mean_wait", "max_wait", "mean_bounded_slowdown", "utilization", "makespan" } }
if mtbf ~= "" or down ~= "" then table.insert(list.metrics, "lost") end
if limits then table.insert(list.metrics, "killed") end
local names, is_mapper = {}, {}
for _, name in ipairs(schedulers "mapping") do is_mapper[name] = true end
for name in policies:gmatch "[^,%s]+" do
  names[#names + 1] = name
  list[#list + 1] = is_mapper[name] and mapped { map = name } or name
end
local comparison = s:compare(list)

print(("%s: %s, %s"):format(path, log.computer or "unknown computer", log.installation or "unknown installation"))
local count = #machine:hosts()
print(("%d of its %d jobs, on %d x %d cores"):format(#work, log.jobs, count, machine:total_cores() // count))

print("\nWhat is odd about it, and what is done")
for _, found in ipairs(log:anomalies()) do
  local option = found.option and " (" .. found.option .. ")" or ""
  print(("%8d  %s: %s%s"):format(found.count, found.what, found.done, option))
end
print("\nWhat it cannot show")
for _, line in ipairs(log:limitations()) do print("  - " .. line) end
print()
print(comparison)

-- Which jobs died, and of what: first those that were lost, which are done again.
for i, name in ipairs(names) do
  local died = {}
  for _, attempt in ipairs(comparison:result(i):attempts()) do
    if attempt.state == "lost" or attempt.state == "killed" then died[#died + 1] = attempt end
  end
  table.sort(died, function(a, b)
    if a.state ~= b.state then return a.state == "lost" end
    return a.finish < b.finish
  end)
  local counts, reasons = {}, {}
  for _, each in ipairs(died) do
    local reason = each.state .. ", " .. each.reason
    if not counts[reason] then reasons[#reasons + 1] = reason end
    counts[reason] = (counts[reason] or 0) + 1
  end
  for k, reason in ipairs(reasons) do reasons[k] = counts[reason] .. " " .. reason end
  if #died > 0 then print(("\n%s: %d died (%s)"):format(name, #died, table.concat(reasons, "; "))) end
  for k = 1, math.min(#died, 10) do
    local each = died[k]
    print(("  %s (%d cores), begun at %.0f s, %s at %.0f s: %s"):format(each.work, each.cores, each.start, each.state,
                                                                       each.finish, each.reason))
  end
  if #died > 10 then print "  ..." end
end

for i, name in ipairs(names) do
  local saved, problem = pcall(function() comparison:result(i):save(name, { "batsim", "paje" }) end)
  if not saved and problem.code ~= "no_output" then error(problem) end
end
