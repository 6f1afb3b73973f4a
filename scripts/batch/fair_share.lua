-- Fair share on a machine whose users differ: who gets how much, and who waits, with fair share and in order of arrival.
-- takes: seconds
-- perigee run batch/fair_share
--   --set full=true                more replications (60)
--   --set replications=20          of the log with users (12)
--   --set jobs=2000                of each log (600)
--   --set log=FILE                 on a log in the Standard Workload Format with users, in the place of drawn ones; no claim is made of it
-- test: --validate --set replications=3 --set jobs=200

local settings = require "settings"
local verdicts = require "verdicts"
local full = setting("full", false)
local replications = settings.number("replications", full and 60 or 12, 2)
local count = settings.number("jobs", 600, 50)
local file = setting("log", "")

-- The worked example of Slurm's page on its classic algorithm: accounts A and D, accounts B, C, E and F below them, five users.
local published = { user1 = 0.408479, user2 = 0.022097, user3 = 0.125, user4 = 0.5, user5 = 0.749154 }
local factor = cost.fair_share {
  shares = {
    A = { share = 40, B = { share = 30, user1 = 1 }, C = { share = 10, user2 = 1, user3 = 1 } },
    D = { share = 60, E = { share = 25, user4 = 1 }, F = { share = 35, user5 = 1 } },
  },
  usage = { user1 = 0.2, user2 = 0.25, user3 = 0, user4 = 0.25, user5 = 0 },
}
local worst = 0
for user, value in pairs(published) do worst = math.max(worst, math.abs(factor[user] - value)) end
claim { source = "Slurm, classic fair share", says = "five users of six accounts have the factors 0.408479, 0.022097, 0.125, 0.5 and 0.749154",
        holds = worst < 1e-6, found = ("%.1e off at most"):format(worst), verdict = "reproduces" }

-- Three users who always have something waiting, with shares 1, 2 and 3: the machine is theirs in these parts.
local shares = { ada = 1, bob = 2, eve = 3 }
local saturated = scenario {
  platform = platform { cluster "n" { nodes = 8 } },
  workload = workload.jobs(900, function(i, rng)
    return { user = ({ "ada", "bob", "eve" })[i % 3 + 1], nodes = rng:choice { 1, 1, 2, 4 }, time = rng:exponential(1000) }
  end),
}
local r = saturated:run { policy = backfill { reserve = 1, priority = multifactor { fair_share = 1, half_life = math.huge, shares = shares } }, horizon = 100000 }
local furthest, parts = 0, {}
for _, user in ipairs { "ada", "bob", "eve" } do
  local part = r["utilization.user." .. user] / r.utilization
  furthest = math.max(furthest, math.abs(part - shares[user] / 6))
  parts[#parts + 1] = ("%.3f"):format(part)
end
claim { source = "Slurm, classic fair share", says = "users who always have work get the machine in proportion to their shares",
        holds = furthest < 0.02, found = table.concat(parts, ", ") .. " of shares 1, 2 and 3", verdict = "reproduces",
        note = "drawn jobs, nothing forgotten" }

-- A log: one user submits as much as eight others together, most of it in bursts.
local function users_log(seed)
  local rng, list, area = stream("users", seed), {}, 0
  for i = 1, count do
    local heavy = rng:uniform(0, 1) < 0.5
    local nodes, time = 1 << rng:integer(0, 4), math.min(86400, rng:lognormal(5400, 9000))
    local at = rng:uniform(0, 1)
    if heavy then at = (math.floor(at * 6) + rng:uniform(0, 0.05)) / 6 end
    list[i] = { user = heavy and "heavy" or "light" .. rng:integer(1, 8), nodes = nodes, time = time, estimate = time * rng:uniform(1, 3), arrival = at }
    area = area + nodes * time
  end
  for _, job in ipairs(list) do job.arrival = job.arrival * area / (32 * 0.9) end
  return scenario { platform = platform { cluster "n" { nodes = 32 } }, workload = workload.jobs(list) }
end

local fair = multifactor { fair_share = 1000, age = 100, half_life = "1 d" }
local policies = { "fcfs", { "backfill", backfill { reserve = 10 } }, { "fair share", backfill { reserve = 10, priority = fair } } }

if file ~= "" then
  local log = workload.swf(file, { shape = "nodes", cores_per_node = 1 })
  print(scenario { platform = log.log:platform {}, workload = log }:compare {
    "fcfs", backfill { reserve = 10 }, backfill { reserve = 10, priority = fair }, information = "declared",
    metrics = { "mean_wait", "mean_bounded_slowdown", "fairness", "utilization" } })
  return
end

local e = experiment "fair share" {
  factors = { { "policy", policies } },
  replications = replications,
  run = function(f, seed)
    local r = users_log(seed):run { policy = f.policy, information = "declared" }
    local sum, number = { heavy = 0, light = 0 }, { heavy = 0, light = 0 }
    for _, job in ipairs(r:jobs()) do
      local kind = job.user == "heavy" and "heavy" or "light"
      sum[kind], number[kind] = sum[kind] + job.wait, number[kind] + 1
    end
    return { heavy_wait = sum.heavy / number.heavy / 3600, light_wait = sum.light / number.light / 3600, utilization = r.utilization }
  end,
  measure = { "heavy_wait", "light_wait", "utilization" },
}
print "One user submits as much as eight others: their mean waits, h"
print(e:table("heavy_wait", "light_wait", "utilization"))

local note = "drawn logs of nine users, backfilling both times"
for _, about in ipairs { { "light_wait", "lower", "users who ask for less than a fair share wait shorter than in order of arrival" },
                         { "heavy_wait", "higher", "who asks for more than a fair share waits longer than in order of arrival" } } do
  local measure, sense, says = table.unpack(about)
  local judged = verdicts.always(verdicts.points(e, measure, "policy", "fair share", "backfill"), sense, 0, "%+.2f")
  claim { source = "fair share", says = says, holds = judged.holds, found = judged.found .. " h", verdict = "reproduces", note = note }
end
