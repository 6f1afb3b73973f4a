#!/bin/bash
# --steps counts what functions and operators do to texts, and what native computations do, by how long it takes.
set -u
binary=${PERIGEE_BINARY:?}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0
complain() { failures=$((failures + 1)); printf 'FAILED: %s\n' "$*"; }
says() { grep -qE -e "$2" "$1" || { complain "$3: $1 does not say: $2"; cat "$1"; }; }
cat >texts.lua <<'END'
local long = ("x"):rep(6e7 // 1)
local other, blank = long .. "y", (" "):rep(6e7 // 1)
local small, list = long:sub(1, 900000), {}
for i = 1, 200000 do list[i] = i end
END
while IFS= read -r line; do
  { cat texts.lua; printf 'while true do %s end\n' "$line"; } >loop.lua
  start=$SECONDS
  timeout 60 "$binary" run loop.lua --steps 20000000 >out 2>err
  [ $? -eq 1 ] || complain "steps: $line: exit status is not 1"
  says err 'error: the script takes more than 20000000 steps \(--steps\)' "$line"
  [ $((SECONDS - start)) -lt 40 ] || complain "steps: $line: it took $((SECONDS - start)) s"
done <<'END'
string.rep("x", 60000000)
long:upper()
long:reverse()
utf8.len(long)
utf8.offset(long, 50000000)
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
local big = etc.range_based { tasks = 4000, machines = 200, rng = stream.splitmix(1) }
local s = scenario { platform = platform { cluster "c" { nodes = 10 } }, workload = workload.tasks(2000, function(i) return { time = 1 + i % 7 } end) }
local r = s:run { policy = "fcfs" }
local under_way = s:start { policy = "fcfs" }
under_way:run_until(100)
END
while IFS= read -r line; do
  { cat natives.lua; printf 'while true do %s end\n' "$line"; } >loop.lua
  start=$SECONDS
  timeout 60 "$binary" run loop.lua --steps 20000000 >out 2>err
  [ $? -eq 1 ] || complain "steps: $line: exit status is not 1"
  says err 'error: the script takes more than 20000000 steps \(--steps\)' "$line"
  [ $((SECONDS - start)) -lt 30 ] || complain "steps: $line: it took $((SECONDS - start)) s"
done <<'END'
map("min_min", big)
map("max_min", big)
map("sufferage", big)
map("met", big)
map("ga", big)
map("sa", big)
map("tabu", big)
map("a_star", big)
r:jobs()
r:metrics()
under_way:fork()
END

[ $failures -eq 0 ] || exit 1
