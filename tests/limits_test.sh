#!/bin/bash
# --memory and Ctrl-C: whatever a script does, they end it and say where. `ulimit` is the judge of how much memory a
# script takes.
# test: thorough
. "${BASH_SOURCE%/*}/opening.sh"

# ---- memory: what is garbage is collected, native or not
cat >loop.lua <<'END'
-- A result of this length takes 17 MB.
local s = scenario { platform = platform { cluster "c" { nodes = 256, link = { bandwidth = 1, sharing = "unlimited" } } },
  workload = workload.random_loads { load = 1, horizon = 1e6, mean_size = 1000, bytes = 1, time = 1000, deadline_ratio = 2 } }
for seed = 1, 25 do local r = s:run { policy = edf { nodes = "all" }, horizon = 1e6, seed = seed } end
experiment "cells" { replications = 25, measure = { "reject_ratio" },
  run = function(f, seed) return s:run { policy = edf { nodes = "all" }, horizon = 1e6, seed = seed } end }
for seed = 1, 25 do etc.range_based { tasks = 2000, machines = 1000, rng = stream.splitmix(seed) } end
print "done"
END
if [ "$instrumented" -eq 0 ]; then
  (ulimit -v 300000; "$binary" run loop.lua --jobs 1 >out 2>err) || complain "a loop over runs: $(cat err)"
  says out '^done$' "a loop over runs"
fi

# ---- memory: the machine has no more, without a limit of the script's
cat >machine.lua <<'END'
local t = {}
for i = 1, 1e9 do t[i] = { i } end
END
cat >matrices.lua <<'END'
local t = {}
for i = 1, 1e9 do t[i] = etc.range_based { tasks = 2000, machines = 100 } end
END
cat >texts.lua <<'END'
local x = {}
for i = 1, 1e9 do x[i] = { a = i, b = "x" .. i } end
END
cat >rows.lua <<'END'
local s = scenario { platform = platform { cluster "a" { nodes = 50 } }, workload = workload.tasks(10000, function(i) return { time = 1, arrival = i } end) }
local r, t = s:run { policy = "fcfs" }, {} for i = 1, 1e9 do t[i] = r:jobs() end
END
if [ "$instrumented" -eq 0 ]; then
  for name in machine matrices texts rows; do
    (ulimit -v 120000; timeout 600 "$binary" run $name.lua >out 2>err) && complain "$name: exit status 0"
    says err "^$name.lua:2: error: this machine has not enough memory" $name
  done
fi

# ---- memory: what is kept counts, and what readers take
awk 'BEGIN { print "["; for (i = 1; i < 400000; ++i) print "[" i "],"; print "[0]]" }' >large.json
awk 'BEGIN { print "["; for (i = 1; i < 1000000; ++i) print "1,"; print "0]" }' >flat.json
awk 'BEGIN { print "1000 3000"; for (i = 0; i < 3000000; ++i) print i % 1000 + 1 }' >large.etc
awk 'BEGIN { for (i = 1; i <= 300000; ++i) print i, i, -1, 5, 1, -1, -1, 1, 9, -1, 1, 1, 1, -1, -1, -1, -1, -1 }' >large.swf
awk 'BEGIN { print "a,b,c"; for (i = 1; i < 300000; ++i) print i ",x" i ",y" }' >large.csv
awk 'BEGIN { print "host,from,to"; for (i = 1; i < 300000; ++i) print "h," 2 * i "," 2 * i + 1 }' >outages.csv
number=0
while IFS= read -r line; do
  number=$((number + 1))
  printf 'local h = host "h" {}\n%s\n' "$line" >kept.lua
  timeout 600 "$binary" run kept.lua --memory 20MB >out 2>err
  [ $? -eq 1 ] || complain "memory: $line: exit status is not 1"
  says err '^kept.lua:2: error: the script needs more memory than 20 MB \(--memory\)' "$line"
  [ "$(grep -c error: err)" -eq 1 ] || complain "memory: $line: $(cat err)"
done <<'END'
json.read "large.json"
etc.read "large.etc"
json.read "flat.json"
workload.swf "large.swf"
csv.read "large.csv"
local kept = {} for i = 1, 1e6 do kept[i] = stream.splitmix(i) end
local s = scenario { platform = platform { h }, workload = workload.tasks { { time = 1 } } }:start { policy = "fcfs" } local kept = {} for i = 1, 1e5 do kept[i] = s:fork() end
local kept = {} for i = 1, 1e6 do kept[i] = etc { { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 } } end
END
cat >outages.lua <<'END'
scenario { platform = platform { host "h" {} }, workload = workload.tasks { { time = 1 } },
  events = { outages_from "outages.csv" } }
END
"$binary" run outages.lua --memory 20MB >out 2>err && complain "outages: exit status 0"
says err '^outages.lua:[12]: error: the script needs more memory than 20 MB' outages

# ---- sizes that cannot fit are refused before memory is taken, whatever the limit: one message, which names them
awk 'BEGIN { print "100000 100000"; print 1 }' >short.etc
while IFS='|' read -r expected line; do
  for memory in 4GB 100MB; do
    printf 'local h, link = host "h" {}, { bandwidth = 1, sharing = "unlimited" }\n%s\n' "$line" >huge.lua
    timeout 60 "$binary" run huge.lua --memory $memory >out 2>err
    [ $? -eq 1 ] || complain "sizes: $line: exit status is not 1"
    says err "^(huge.lua:2: error: )?$expected" "sizes, $memory: $line"
    [ "$(grep -c error: err)" -eq 1 ] || complain "sizes: $line: $(cat err)"
  done
done <<'END'
cluster 'x': nodes must be 1 to 1000000, got 1000000000|platform { cluster "x" { nodes = 1e9 } }
host 'a': cores must be 1 to 1000000, got 1000000000|platform { host "a" { cores = 1e9 } }
workload.tasks: the number of them must be 0 to 100000000, got 1000000000|workload.tasks(1e9, function() return { time = 1 } end)
a workload of 100000000 pieces needs 8 GB, more than the limit of [14]0?0? .B .--memory|scenario { platform = platform { h }, workload = workload.tasks(1e8, function() return { time = 1 } end) }:run { policy = "fcfs" }
a workload of [0-9]+ pieces is too large, at most 100000000|scenario { platform = platform { cluster "c" { nodes = 256, link = link } }, workload = workload.random_loads { load = 1e9, horizon = 1e9, mean_size = 1000, bytes = 1, time = 1000, deadline_ratio = 2 } }:run { policy = "edf" }
a workload of [0-9]+ pieces needs [0-9.]+ GB, more than the limit|scenario { platform = platform { cluster "c" { nodes = 256, link = link } }, workload = workload.random_loads { load = 1, horizon = 2e11, mean_size = 1000, bytes = 1, time = 1000, deadline_ratio = 2 } }:run { policy = "edf" }
sweep 1: noise of 1000000000 simulations needs 8 GB, more than the limit|scenario { platform = platform { h }, workload = workload.sweep { runs = 1e9, time = 1, noise = 0.1 } }:run { policy = "amra" }
sweep 1: runs = 1000000000 with trials = 1000000000 are 1e[+]18 simulations, more than|workload.sweep { runs = 1e9, trials = 1e9, time = 1 }
a matrix has at most 2147483648 times, got 1000000 x 1000000|etc.range_based { tasks = 1e6, machines = 1e6 }
a matrix of 40000 x 40000 times needs 12.8 GB, more than the limit|etc.range_based { tasks = 40000, machines = 40000 }
.*short.etc:3: error: .*100000 x 100000 .* needs 10000000000 numbers, found 1|etc.read "short.etc"
experiment 'e': replications must be 1 to 1000000, got 1000000000|experiment "e" { replications = 1e9, run = function() return { x = 1 } end }
experiment 'e': 1000000000 cells are too many, at most 1000000|local v = {} for i = 1, 1000 do v[i] = i end experiment "e" { factors = { a = v, b = v, c = v }, run = function() return { x = 1 } end }
string.rep: the text would be longer than|return ("x"):rep(1e12)
gantt: width must be 40 to 10000, got 1000000|scenario { platform = platform { h }, workload = workload.tasks { { time = 1 } } }:run { policy = "fcfs" }:gantt { width = 1e6 }
plot: width must be 200 to 10000, got 1000000|plot({ { x = 1, y = 1 } }, { x = "x", y = "y", width = 1e6 })
stats.histogram: bins must be 1 to 1000000, got 1000000000|stats.histogram({ 1, 2, 3 }, { bins = 1e9 })
fork: the number of forks must be 1 to 1000, got 1000000000|scenario { platform = platform { h }, workload = workload.tasks { { time = 1 } } }:start { policy = "fcfs" }:fork(1e9)
END
cat >huge.lua <<'END'
local s = scenario { platform = platform { host "h" {} }, workload = workload.sweep { runs = 1e9, time = 1 } }
s:run { policy = "workqueue" }
END
"$binary" run huge.lua --memory 50MB >out 2>err && complain "a trace: exit status 0"
says err "in policy 'workqueue' at t = [0-9]+ s, in a run of 1 works on 1 hosts, whose trace has [0-9]+ records; trace = \"none\"" \
  "a trace that is too large"
cat >huge.lua <<'END'
local c = cluster "c" { nodes = 100000 }
platform { c, cluster "d" { nodes = 200000 } }
END
"$binary" run huge.lua --memory 100MB >out 2>err && complain "clusters: exit status 0"
says err 'huge.lua:2: error: a platform of 300000 hosts needs [0-9.]+ MB, more than the (limit of 100 MB|[0-9.]+ MB that are left of the limit of 100 MB)' "hosts"
for policy in mapped planner; do
  cat >huge.lua <<END
local c = cluster "c" { nodes = 100000 }
scenario { platform = platform { c }, workload = workload.tasks(1e5, function() return { time = 1 } end) }:run { policy = $policy { map = "min_min" } }
END
  timeout 60 "$binary" run huge.lua >out 2>err && complain "$policy: exit status 0"
  says err 'a matrix of 100000 x 100000 times needs 80 GB, more than' "$policy"
done

# ---- memory: garbage does not count, whoever left it
cat >garbage.lua <<'END'
local function make(n) local t = {} for i = 1, n do t[i] = ("x"):rep(1000000) .. i end return #t end
for i = 1, 2 do make(80) end
local e = experiment "e" { factors = { a = { 60, 70 } }, replications = 2, run = function(f) return { x = make(f.a) } end }
print(e:csv())
END
"$binary" run garbage.lua --memory 100MB --jobs 1 >out 2>err || complain "garbage: $(cat err)"
says out '^4,70,2,[0-9]+,70$' garbage

# ---- memory: no coroutine catches the limit where it is closed
cat >closed.lua <<'END'
local co = coroutine.create(function()
  local x <close> = setmetatable({}, { __close = function() local t = {} for i = 1, 1e9 do t[i] = ("x"):rep(1000) .. i end end })
  coroutine.yield()
end)
coroutine.resume(co)
print(coroutine.close(co))
print "went on"
END
"$binary" run closed.lua --memory 50MB >out 2>err && complain "closed: exit status 0"
says err 'error: the script needs more memory than 50 MB \(--memory\)' closed
[ ! -s out ] || complain "closed: $(cat out)"

# ---- memory: what words note of how values were made, for a store of cells, goes with the values
printf 'for i = 1, 1000 do platform { cluster "c" { nodes = 1000 } } end\nprint "done"\n' >noted.lua
"$binary" run noted.lua --out noted --memory 50MB >out 2>err || complain "values that are noted: $(cat err)"
says out '^done$' "values that are noted"

# ---- Ctrl-C: the script says where it was
interrupted() {  # ARGUMENT...: after a quarter of a second of processor time; some more, and it is killed
  local slow=$((instrumented > 0 ? 4 : 1)) ticks
  ticks=$((slow * $(getconf CLK_TCK) / 4))
  (ulimit -t $((20 * slow)); exec "$binary" run "$@") >out 2>err &
  local process=$!
  until awk -v ticks=$ticks '{ exit $14 + $15 < ticks }' "/proc/$process/stat" 2>/dev/null; do
    kill -0 "$process" 2>/dev/null || break
    sleep 0.05
  done
  kill -INT "$process"
  wait "$process"
  local status=$?
  [ $status -eq 130 ] || complain "Ctrl-C: $*: exit status is $status"
}
set -m  # children of a script ignore Ctrl-C otherwise
printf 'local function f()\n  while true do\n  end\nend\npcall(f)\n' >endless.lua
interrupted endless.lua
says err '^endless.lua:[23]: error: interrupted$' "Ctrl-C"
printf 'local co = coroutine.wrap(function()\n  while true do end\nend)\nco()\n' >endless.lua
interrupted endless.lua
says err '^endless.lua:2: error: interrupted$' "Ctrl-C in a coroutine"
cat >endless.lua <<'END'
local co = coroutine.create(function()
  local x <close> = setmetatable({}, { __close = function() while true do end end })
  coroutine.yield()
end)
coroutine.resume(co)
coroutine.close(co)
END
interrupted endless.lua
says err '^endless.lua:2: error: interrupted$' "Ctrl-C in a coroutine that is closed"
cat >endless.lua <<'END'
coroutine.wrap(function()
  local x <close> = setmetatable({}, { __close = function() while true do end end })
  error "x"
end)()
END
interrupted endless.lua
says err '^endless.lua:2: error: interrupted$' "Ctrl-C in a coroutine that has failed"
printf 'local e = etc.range_based { tasks = 3000, machines = 300, rng = stream.splitmix(1) }\nmap(tabu { hops = 1000000 }, e)\n' >endless.lua
interrupted endless.lua
says err '^endless.lua:2: error: interrupted$' "Ctrl-C in a mapper"
cat >endless.lua <<'END'
local s = scenario { platform = platform { cluster "c" { nodes = 1000 } }, workload = workload.tasks(5000, function(i) return { time = i } end) }
s:run { policy = mapped { map = "max_min" } }
END
interrupted endless.lua
says err '^endless.lua:2: error: interrupted( at t = .*)?$' "Ctrl-C in a mapper of a run"
printf 'experiment "e" {\n  replications = 8,\n  run = function()\n    while true do end\n  end }\n' >endless.lua
interrupted endless.lua --jobs 2
says err '^endless.lua:4: error: interrupted$' "Ctrl-C in a cell"

# ---- check ends
printf 'while true do end\n' >endless.lua
timeout 600 "$binary" check endless.lua >out 2>err
[ $? -eq 1 ] || complain "check: exit status is not 1"
says err '^endless.lua:1: error: the script takes more than [0-9]+ steps \(--steps\)' check

# ---- small stacks
if [ "$instrumented" -eq 0 ]; then
  cat >deep.lua <<'END'
local function deeper() string.gsub("x", "x", deeper) end
print(pcall(deeper))
local s = scenario { platform = platform { host "h" {} }, workload = workload.tasks { { time = 1 } } }
policy "runs_itself" { decide = function() s:run { policy = "runs_itself" } end }
print(pcall(s.run, s, { policy = "runs_itself" }))
heuristic "maps_itself" { map = function(problem) return map("maps_itself", etc { { 1 } }).machine end }
print(pcall(map, "maps_itself", etc { { 1 } }))
print "ended"
END
  for size in 256 512 8192; do
    (ulimit -s $size; timeout 600 "$binary" run deep.lua >out 2>err) || complain "a stack of $size KB: exit status $?: $(tail -3 err)"
    says out '^ended$' "a stack of $size KB"
  done
fi

exit $((failures > 0))
