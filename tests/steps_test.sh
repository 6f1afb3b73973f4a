#!/bin/bash
# --steps counts what functions and operators do to texts, and what native calls do, by how long it takes.
# test: thorough
. "${BASH_SOURCE%/*}/steps.sh"

cat >texts.lua <<'END'
local long = ("x"):rep(1e7 // 1)
local other, blank = long .. "y", (" "):rep(1e7 // 1)
local small, list = long:sub(1, 900000), {}
for i = 1, 200000 do list[i] = i end
END
ends_in_time texts.lua 4000000 <<'END'
string.rep("x", 10000000)
long:upper()
long:reverse()
utf8.len(long)
utf8.offset(long, 8000000)
local a = long < other
local a = long == long:reverse()
local a = string.format("%s", long)
string.pack("z", long)
local a = tonumber(blank)
local a = long .. "z"
small:byte(1, 200000)
table.unpack(list)
table.pack(table.unpack(list))
load(("a = 1 "):rep(1e6 // 1))
END

cat >natives.lua <<'END'
local big = etc.range_based { tasks = 2500, machines = 200, rng = stream.splitmix(1) }
local s = scenario { platform = platform { cluster "c" { nodes = 10 } }, workload = workload.tasks(2000, function(i) return { time = 1 + i % 7 } end) }
local r = s:run { policy = "fcfs" }
local under_way = s:start { policy = "fcfs" }
under_way:run_until(100)
END
ends_in_time natives.lua 3000000 <<'END'
map("min_min", big)
map("max_min", big)
map("sufferage", big)
map("xsufferage", big)
map("met", big)
map("ga", big)
map("sa", big)
map("tabu", big)
map("a_star", big)
r:jobs()
r:metrics()
under_way:fork()
END

# ---- short calls, many of them or with much behind each
cat >short.lua <<'END'
local p = platform { cluster "c" { nodes = 5000 } }
local numbers, rows = {}, {}
for j = 1, 200 do numbers[j] = j end
for i = 1, 200 do rows[i] = numbers end
local records = {}
for i = 1, 2000 do records[i] = { time = 1 + i % 7, arrival = i } end
local w = workload.tasks(records)
local s = scenario { platform = platform { cluster "c" { nodes = 500 } }, workload = w }
local sim = s:start { policy = "workqueue" }
sim:run_until(1500)
local all = w
END
ends_in_time short.lua 5000000 <<'END'
p:hosts()
tostring(p)
etc(rows)
platform { cluster "a" { nodes = 1000 } }
s:start { policy = "workqueue" }
sim:why(1500)
sim:back_to(1500)
sim:quote { time = 60 }
sim:gantt()
sim:waiting()
all = workload.merge(all, w)
scenario { platform = p, workload = w }
etc.range_based { tasks = 1000, machines = 100 }:summary()
END
cat >large.lua <<'END'
local s = scenario { platform = platform { cluster "c" { nodes = 20000 } },
  workload = workload.tasks(20000, function(i) return { time = 1 } end) }
END
ends_in_time large.lua 3000000 <<'END'
s:run { policy = "mapped" }
END

exit $((failures > 0))
