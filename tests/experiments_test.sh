#!/bin/bash
# An experiment as a user runs it: killed and gone on with, on any number of processors, with cells that fail, on
# stores that cannot be used.
# test: thorough
set -u
root=${PERIGEE_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)}
perigee=${PERIGEE_BINARY:-$root/build/release/perigee}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
complain() { failed=1; printf 'FAILED: %s\n' "$*"; [ ! -s err ] || sed 's/^/    | /' err | head -n 20; }
says() { grep -qF -e "$1" err || complain "stderr does not say: $1"; }
ends() {  # STATUS COMMAND ...
  local wanted=$1 status=0
  shift
  "$@" >out 2>err </dev/null || status=$?
  [ "$status" -eq "$wanted" ] || complain "exit status $status, expected $wanted: $*"
}

cat >study.lua <<'LUA'
local function grid(size)
  return scenario {
    platform = platform { cluster "fast" { nodes = 2, speed = 2 }, cluster "slow" { nodes = 4 } },
    workload = workload.tasks(setting("tasks", 300), function(i, rng)
      return { ops = rng:uniform(50, 150) * size, arrival = 20 * i }
    end),
  }
end
local e = experiment "study" {
  factors = { size = { 1, 4 }, policy = { "workqueue", mapped { map = "min_min" } } },
  replications = { least = 8, most = 30, half_width = "0.5 %", measure = "mean_response" },
  run = function(f) return grid(f.size):run { policy = f.policy } end,
}
e:save "study"
LUA

# ---- one worker or several, killed or not ----
ends 0 "$perigee" run study.lua --out one --jobs 1
[ "$(grep -c '' err)" = 1 ] && [ ! -s out ] || complain 'more than the warning was shown where there is no terminal'
says 'reached 30 replications, the most'
rows=$(wc -l <one/study.csv)
[ "$rows" -gt 33 ] || complain "no replications were added: $rows lines"
for jobs in 2 4; do
  ends 0 "$perigee" run study.lua --out "jobs$jobs" --jobs "$jobs"
  cmp one/study.csv "jobs$jobs/study.csv" && cmp one/study.json "jobs$jobs/study.json" || complain "--jobs $jobs differs"
done

kills=0
for attempt in $(seq 200); do
  "$perigee" run study.lua --out killed --jobs 2 >out 2>err </dev/null &
  child=$!
  [ "$attempt" -gt 40 ] || { sleep "0.0$((RANDOM % 10))"; kill -9 $child 2>/dev/null; }
  status=0
  { wait $child; } 2>/dev/null || status=$?
  [ "$status" -eq 0 ] && break
  [ "$status" -eq 137 ] || complain "exit status $status after a kill"
  kills=$((kills + 1))
done
[ "$status" -eq 0 ] || complain 'never came to an end'
cmp one/study.csv killed/study.csv && cmp one/study.json killed/study.json || complain "differs after $kills kills"

# Killed for sure in the middle, and by Ctrl-C.
sed 's/300/1000/; s/least = 8/least = 30/' study.lua >long.lua  # long enough for a signal in the middle, on a busy machine too
ends 0 "$perigee" run long.lua --out long --jobs 2
for signal in KILL INT; do
  rm -rf middle
  env --default-signal=INT "$perigee" run long.lua --out middle --jobs 1 >out 2>err </dev/null &
  child=$!
  until [ "$(stat -c %s middle/experiments.sqlite-wal 2>/dev/null || echo 0)" -gt 60000 ]; do
    sleep 0.02
    kill -0 $child 2>/dev/null || break
  done
  kill -$signal $child
  { wait $child; } 2>/dev/null
  [ ! -e middle/study.csv ] || complain "$signal came too late"
  [ $signal = KILL ] || grep -qE '^long.lua:9: error: interrupted; [1-9][0-9]* of [0-9]+ cells are kept in middle/experiments.sqlite, and the same command goes on$' err ||
    complain 'Ctrl-C does not say what is kept'
  ends 0 "$perigee" run long.lua --out middle --jobs 1
  cmp long/study.csv middle/study.csv || complain "differs after $signal"
done

# Progress, where standard error is a terminal.
if command -v script >/dev/null; then
  TERM=xterm script -qec "'$perigee' run study.lua --jobs 2 --out terminal" /dev/null >out 2>&1 </dev/null
  grep -qE 'study: 0 of 32 cells done, 1 worker; Ctrl-C keeps what is done' out || complain "no progress: $(head -c 300 out)"
  cmp one/study.csv terminal/study.csv || complain 'progress changes results'
fi

# ---- a cell that fails ----
cat >fails.lua <<'LUA'
local e = experiment "fails" {
  factors = { size = { 1, 2, 3, 4 } }, replications = 5,
  run = function(f, seed)
    if f.size == 3 and tostring(seed) == setting("unlucky", "") then error "no luck" end
    return { x = f.size }
  end,
}
print(#e:rows(), e:rows()[7].seed)
if setting("ask", false) then print(e:failures()[1].message) end
LUA
ends 0 "$perigee" run fails.lua
read -r count seed <out
[ "$count" = 20 ] || complain "$count of 20 cells"
ends 1 "$perigee" run fails.lua --set "unlucky=$seed" --out fails --jobs 2
[ "$(cut -f1 out)" = 19 ] || complain "a failing cell has lost others: $(cat out)"
says "cell 7 (size = 3, replication 2, seed $seed) failed: fails.lua:4: no luck; --cell 7 repeats it"
says "error: experiment 'fails': 1 of 20 cells failed"
ends 1 "$perigee" run fails.lua --set "unlucky=$seed" --out fails --cell 7
says 'fails.lua:4: error: no luck'
ends 0 "$perigee" run fails.lua --set "unlucky=$seed" --out fails --cell 6
grep -qx 'x = 2' out || complain '--cell 6 does not show its measure'
ends 0 "$perigee" run fails.lua --set "unlucky=$seed" --set ask=true
grep -q 'no luck' out || complain 'failures() does not list the cell'

# ---- --cell and replay ----
cat >saves.lua <<'LUA'
local s = scenario { platform = platform { host "a" {} },
                     workload = workload.tasks(5, function(i, rng) return { time = rng:uniform(1, 2) } end) }
local e = experiment "saves" {
  replications = 3,
  run = function()
    s:run { policy = "workqueue" }
    local r = s:run { policy = "fcfs" }
    r:save "cell"
    print "from the cell"
    return r
  end,
}
s:run { policy = "fcfs", seed = 1 + math.floor(e:table("makespan")[1].makespan) }:save "after"
LUA
ends 0 "$perigee" run saves.lua --out saves
[ ! -s out ] && [ ! -e saves/cell ] || complain 'a cell printed or saved something'
ends 0 "$perigee" replay saves/after
ends 0 "$perigee" run saves.lua --out saves --cell 2
grep -q 'from the cell' out || complain '--cell does not show what the cell prints'
ends 0 "$perigee" replay saves/cell
grep -q '^identical: fcfs' out || complain "the replay of a cell says: $(cat out)"

# A folder that a killed process has left, and one of a process that lives.
sleep 0 &
gone=$!
wait $gone
mkdir "saves/.old.$(hostname)-$gone-0.tmp" "saves/.new.$(hostname)-$$-0.tmp"
ends 0 "$perigee" run saves.lua --out saves --cell 2
[ ! -e "saves/.old.$(hostname)-$gone-0.tmp" ] || complain 'what a killed process has left is still there'
[ -e "saves/.new.$(hostname)-$$-0.tmp" ] || complain 'what a process is saving was removed'

# Cards name data by what is in them, and read only what is allowed.
mkdir -p data/logs moved elsewhere
printf 'n\n5\n' >data/logs/n.csv
cat >reads.lua <<'LUA'
local n = csv.read("logs/n.csv")[1].n
local missing = not pcall(csv.read, "logs/other.csv")
local s = scenario { platform = platform { host "a" {} },
                     workload = workload.tasks(missing and n or 1, function(i, rng) return { time = rng:uniform(1, 2) } end) }
s:run { policy = "workqueue" }:save "read"
LUA
ends 0 "$perigee" run reads.lua --data data --out reads
grep -q "$work" reads/read/manifest.json && complain 'a card has paths of this machine'
mv reads/read/manifest.json reads/read/trace.csv moved
mv data elsewhere
rm reads.lua
ends 1 "$perigee" replay moved
says 'the run read logs/n.csv, which is not beside the card; give its folder with --data; it was looked for in moved'
printf 'n\n1\n' >elsewhere/data/logs/other.csv
ends 0 "$perigee" replay moved --data elsewhere/data
grep -q '^identical: workqueue' out || complain "the replay says: $(cat out)"
ends 0 "$perigee" replay moved --data elsewhere/data/logs
printf 'n\n6\n' >moved/n.csv
ends 0 "$perigee" replay moved --data elsewhere/data
ends 1 "$perigee" replay moved
says 'the run read logs/n.csv, which has changed since'
ends 1 "$perigee" replay moved --data elsewhere/data --steps 10
says 'the script takes more than 10 steps (--steps)'
ends 1 "$perigee" replay moved --data elsewhere/data --memory 100KB
says '--memory'
printf 'canary\n1\n' >secret.csv
ln -s ../secret.csv moved/link.csv
for file in "$work/secret.csv" ../secret.csv link.csv; do
  sed -e 's|"data":\[[^]]*\]|"data":[]|' -e "s|\"folder\"[^,]*,||" \
      -e "s|\"replay\": *{|\"replay\":{\"folder\":\"/\",\"data_folders\":[\"/\"],|" \
      -e "s|logs/n.csv|$file|" moved/manifest.json >elsewhere/manifest.json
  ends 1 "$perigee" replay elsewhere/manifest.json
  grep -q canary err && complain "a card reads $file"
done

# ---- neither the name of a captured variable nor the line of a `require` counts ----
printf 'local st = require "studies" local v = 1 local e = experiment "e" { run = function() return { x = v } end } print(e:csv())' >names.lua
ends 0 "$perigee" run names.lua --out names
sed -i 's/local v = /local w = /; s/x = v/x = w/' names.lua
ends 0 "$perigee" run names.lua --out names
[ ! -s err ] || complain 'a captured variable has another name'
sed -i 's/ local e = /\nlocal e = /' names.lua
ends 0 "$perigee" run names.lua --out names
[ ! -s err ] || complain 'the experiment stands on another line'
sed -i 's/w = 1/w = 2/' names.lua
ends 0 "$perigee" run names.lua --out names
says "something has changed: the variable 'w'"

# ---- stores that cannot be used ----
ends 1 env perigee="$perigee" bash -c 'ulimit -f 40; trap "" XFSZ; exec "$perigee" run study.lua --out full --jobs 2'
says 'experiments.sqlite cannot be used: '
says 'the cells stored before are kept'
ends 0 "$perigee" run study.lua --out full
cmp one/study.csv full/study.csv || complain 'differs after a full disk'
echo 'experiment "endless" { run = function() while true do end end }' >endless.lua
"$perigee" run endless.lua --out busy >out 2>err </dev/null &
child=$!
until [ -s busy/experiments.sqlite-wal ]; do sleep 0.02; done
ends 1 "$perigee" run fails.lua --out busy
says 'busy/experiments.sqlite is in use by another perigee'
kill $child
{ wait $child; } 2>/dev/null
: >file
ends 1 "$perigee" run fails.lua --out file/below
says 'cannot be made'

# ---- programs of other sources have other cells ----
grep -qaE '"perigee itself","[0-9.]+ [0-9a-f]{32}"' one/experiments.sqlite || complain 'the key does not name the sources'
mkdir sources
echo 'int x = 1;' >sources/a.cpp
echo 'int y = 1;' >sources/b.cpp
printf '%s\n' "$work/sources/a.cpp" "$work/sources/b.cpp" >sources.txt
digest() { cmake -DROOT="$work/sources" -DLIST=sources.txt -DOUTPUT="$1" -P "$root/interpreter/digest.cmake" || complain 'no digest'; }
digest first
digest again
cmp first again || complain 'the digest of the same sources differs'
echo 'int y = 2;' >sources/b.cpp
digest other
cmp -s first other && complain 'the digest does not see a change in the sources'

# ---- the command line ----
ends 2 "$perigee" run fails.lua --jobs 0
ends 2 "$perigee" run fails.lua --cell x
says 'write the number of a cell, or NAME:NUMBER'
ends 1 "$perigee" run fails.lua --cell other:3
says "the script has no experiment 'other'"
ends 0 "$perigee" check study.lua

echo "$((rows - 1)) cells, $kills kills"
exit "$failed"
