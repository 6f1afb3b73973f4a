-- Users' advance reservations under batch policies. By hand.
-- expect: reservations ok
local expect = require("modules.expect")
local same, refused = expect.same, expect.refused

-- Two of four hosts are busy until 40, and three are asked for from 30 on: too few. An admitted reservation is planned around.
local function declared(more)
  local works = {
    workload.jobs { { name = "a", nodes = 2, time = 40 } },
    workload.reservations { { name = "r1", arrival = 2, hosts = 2, from = 20, to = 30 },
                            { name = "r2", arrival = 3, hosts = 3, from = 30, to = 40 },
                            { name = "r3", arrival = 4, hosts = 4, from = 50, to = 60 } },
    workload.jobs { { name = "b", nodes = 4, time = 10, arrival = 5 }, { name = "c", time = 100, arrival = 6 },
                    { name = "d", nodes = 2, time = 8, arrival = 7 } },
  }
  return scenario { platform = platform { cluster "n" { nodes = 4 } }, workload = workload.merge(works),
                    events = more or {} }
end
local function check(policy, expected)
  local r = declared():run { policy = policy, validate = true }
  for _, row in ipairs(r:jobs()) do
    local start = expected[row.name]
    if start ~= nil then same(row.start, start, ("start of %s under %s"):format(row.name, tostring(policy))) end
    if row.name == "r1" then same(row.hosts, "n.3 n.4", "hosts of r1") end
    if row.name == "r2" then same(row.state .. " " .. row.reason, "rejected nodes", "r2 under " .. tostring(policy)) end
  end
end
for _, policy in ipairs { "easy", "conservative", "backfill" } do
  check(policy, { a = 0, r1 = 20, r3 = 50, b = 40, c = 60, d = 7 })
end
-- In order of arrival c and d wait behind b.
check("fcfs", { a = 0, r1 = 20, r3 = 50, b = 40, c = 60, d = 60 })

-- One that begins before it comes is refused, and one whose host fails is given up.
local late = scenario { platform = platform { cluster "n" { nodes = 2 } }, workload = workload.reservations {
  { name = "past", arrival = 5, hosts = 1, from = 4, to = 9 }, { name = "lost", arrival = 5, hosts = 2, from = 10, to = 20 } },
  events = { outage { host = "n.2", from = 12, to = 15 } } }
for _, policy in ipairs { "fcfs", "sjf", "easy", "conservative", "backfill" } do
  local rows = late:run { policy = policy, validate = true }:jobs()
  same(rows[1].state .. " " .. rows[1].reason, "rejected past", "past under " .. policy)
  same(rows[2].state, "expired", "lost under " .. policy)
end

-- Works of one host go round it too, and a job that runs longer than it declared makes it late.
local one = scenario { platform = platform { host "h" { cores = 2 } }, workload = workload.merge(
    workload.jobs { { time = 12, estimate = 4 }, { time = 9, arrival = 1 }, { time = 3, arrival = 2 } },
    workload.reservations { { arrival = 1, hosts = 1, from = 5, to = 20 } }) }
for _, policy in ipairs { "easy", "conservative", "backfill" } do
  local rows = one:run { policy = policy, information = "declared", validate = true }:jobs()
  same(rows[2].start, 20, "9 s under " .. policy)
  same(rows[3].start, 2, "3 s under " .. policy)
  same(rows[4].start .. " " .. rows[4].finish, "12 20", "late under " .. policy)
end
-- One that has not begun when its time is over is given up, and the hosts that waited for it serve others.
local never = scenario { platform = platform { cluster "n" { nodes = 2 } }, workload = workload.merge(
  workload.jobs { { name = "j", time = 50, estimate = 5, only = "n.1" }, { name = "k", time = 3, arrival = 12, only = "n.2" } },
  workload.reservations { { arrival = 1, hosts = 2, from = 10, to = 20 } }) }
for _, policy in ipairs { "fcfs", "sjf", "easy", "conservative", "backfill", "pending_list" } do
  local rows = never:run { policy = policy, information = "declared", validate = true }:jobs()
  same(rows[2].start, 20, "k under " .. policy)
  same(rows[3].state, "expired", "never begun under " .. policy)
end
-- Two that need the link at the same time.
local links = scenario { platform = platform { cluster "n" { nodes = 2 } }, workload = workload.reservations {
  { hosts = 1, from = 10, to = 20, io_ratio = 1 }, { hosts = 1, from = 12, to = 18, io_ratio = 1 },
  { hosts = 1, from = 12, to = 18 } } }
for _, policy in ipairs { "fcfs", "easy" } do
  local rows = links:run { policy = policy, validate = true }:jobs()
  same(rows[2].state .. " " .. rows[2].reason, "rejected io", "link under " .. policy)
  same(rows[3].start, 12, "no link under " .. policy)
end
-- Jobs inside of r, which has n.1 and n.2 from 20 to 40, start there in order of arrival: in2 needs two cores of one host
-- and blocks over, which runs longer than it declares and is killed at 40. long would not be over at 40; late comes when r
-- is. out, outside of it, has all three hosts before.
local function inside(at_limit) return scenario { at_limit = at_limit, platform = platform { cluster "n" { nodes = 3, cores = 2 } }, workload = workload.merge(
  workload.jobs { { name = "a", nodes = 2, time = 12 },
    { name = "in1", reservation = "r", nodes = 2, time = 10, arrival = 1 },
    { name = "in2", reservation = "r", cores = 2, time = 5, arrival = 2 },
    { name = "out", nodes = 3, cores = 2, time = 4, arrival = 2.5 },
    { name = "over", reservation = "r", time = 100, estimate = 3, arrival = 3 },
    { name = "long", reservation = "r", time = 30, arrival = 4 },
    { name = "late", reservation = "r", time = 1, arrival = 60 } },
  workload.reservations { { name = "r", hosts = 2, from = 20, to = 40, arrival = 0.5 } }) } end
for _, policy in ipairs { "fcfs", "sjf", "easy", "conservative", "backfill", "pending_list" } do
  for _, at_limit in ipairs { "kill", "keep" } do
    local rows = {}
    for _, job in ipairs(inside(at_limit):run { policy = policy, information = "declared", validate = true }:jobs()) do
      rows[#rows + 1] = ("%s %s %s %s"):format(job.name, job.start, job.finish, job.state)
    end
    same(table.concat(rows, ", "), "a 0 12 finished, in1 20 30 finished, in2 30 35 finished, out 12 16 finished, " ..
      "over 30 40 killed, long nan nan rejected, late nan nan rejected, r 20 40 finished", policy)
  end
end
-- A job that ends with its reservation has ended. A reservation that is refused, or loses a host, takes its jobs with it.
local ends = scenario { platform = platform { cluster "n" { nodes = 2 } }, workload = workload.merge(
  workload.reservations { { name = "r", hosts = 1, from = 2, to = 7 }, { name = "past", hosts = 1, from = 0, to = 9, arrival = 1 },
                          { name = "gone", hosts = 1, from = 10, to = 30 } },
  workload.jobs { { time = 5, reservation = "r" }, { time = 1, reservation = "past", arrival = 1 },
                  { time = 15, reservation = "gone", arrival = 3 }, { time = 1, reservation = "gone", arrival = 21 } }),
  events = { outage { host = "n.1", from = 20, to = 25 } } }
for _, policy in ipairs { "fcfs", "easy", "conservative", "backfill" } do
  local rows = ends:run { policy = policy, validate = true }:jobs()
  same(rows[4].state .. " " .. rows[4].finish, "finished 7", "it ends with r")
  same(rows[5].state .. " " .. rows[5].reason, "rejected reservation", "refused")
  same(rows[6].state .. rows[7].state, "rejectedrejected", "the hold is lost")
end
-- b is promised all four hosts at 40. r asks for two of them from 35 on: it is admitted beside what runs, and b waits for it;
-- where promises count it is refused.
local function asks() return scenario { platform = platform { cluster "n" { nodes = 4 } }, workload = workload.merge(
  workload.jobs { { name = "a", nodes = 2, time = 40 }, { name = "b", nodes = 4, time = 10, arrival = 1 } },
  workload.reservations { { name = "r", hosts = 2, from = 35, to = 45, arrival = 2 } }) } end
for _, policy in ipairs { easy, conservative } do
  local rows = asks():run { policy = policy {}, validate = true }:jobs()
  same(rows[2].start .. " " .. rows[3].hosts, "45 n.3 n.4", "beside what runs")
  rows = asks():run { policy = policy { admission = "promised" }, validate = true }:jobs()
  same(rows[2].start .. " " .. rows[3].state .. " " .. rows[3].reason, "40 rejected nodes", "beside what is promised")
end
refused("which takes no reservations", function() conservative { promise = "count", admission = "promised" } end)
refused("the workload has no reservation 'nigth'; did you mean 'night'?", function()
  scenario { platform = platform { host "h" {} }, workload = workload.merge(workload.jobs { { time = 1, reservation = "nigth" } },
    workload.reservations { { name = "night", hosts = 1, from = 1, to = 2 } }) }:run { policy = "fcfs" }
end)
refused("two reservations are called 'r'", function()
  scenario { platform = platform { host "h" {} }, workload = workload.merge(workload.jobs { { time = 1, reservation = "r" } },
    workload.reservations { { name = "r", hosts = 1, from = 1, to = 2 }, { name = "r", hosts = 1, from = 3, to = 4 } }) }:run { policy = "fcfs" }
end)
refused("is inside of the reservation 'r'", function()
  scenario { platform = platform { host "h" {} }, workload = workload.stream(2, function(i) return { arrival = i, time = 1, reservation = "r" } end) }:run { policy = "fcfs" }
end)
refused("reservation must be the name of one", function() return workload.jobs { { time = 1, reservation = "" } } end)
-- A job that does not fit though nothing runs there is rejected, and blocks nobody.
local blocked = scenario { platform = platform { cluster "n" { nodes = 2 } }, workload = workload.merge(
  workload.jobs { { name = "long", time = 15, reservation = "r" }, { name = "short", time = 5, reservation = "r", arrival = 1 } },
  workload.reservations { { name = "r", hosts = 1, from = 10, to = 20 } }) }
local short = blocked:run { policy = "easy", validate = true }:jobs()
same(short[1].state .. " " .. short[1].reason .. " " .. short[2].start, "rejected reservation 10", "too long")
local asked = blocked:start { policy = "easy" }
asked:run_until(5)
same(tostring(asked:why "short"):find("r is waiting", 1, true) ~= nil, true, "why before it begins")
refused("policy 'workqueue' does not accept", function()
  scenario { platform = platform { host "h" {} }, workload = workload.merge(workload.jobs { { time = 1, reservation = "r" } },
    workload.reservations { { name = "r", hosts = 1, from = 1, to = 2 } }) }:run { policy = "workqueue" }
end)
refused("takes no reservations", function() declared():run { policy = conservative { promise = "count" } } end)
print "reservations ok"
