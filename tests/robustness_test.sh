#!/bin/bash
# robustness { }: the same bytes for any number of processors, killed and gone on with, on workers and merged from shards; what
# is kept and what is computed anew.
# test: thorough
. "${BASH_SOURCE%/*}/opening.sh"

cat >study.lua <<'LUA'
local s = scenario {
  platform = platform { cluster "c" { nodes = 4 } },
  workload = workload.tasks(setting("tasks", 200), function(i, rng) return { time = rng:uniform(50, 150), arrival = 10 * i } end),
  events = { failures { all = true, mtbf = 2000, mttr = 100 } },
}
local r = robustness {
  name = "day", policy = mapped { map = setting("map", "min_min") }, scenario = s, measure = "mean_response",
  shake = { times = 0.2, arrivals = 30, failures = 2 }, n = setting("n", 300), deadline = setting("deadline", 200),
}
r:csv "runs"
print(r)
print(r:table())
LUA
run() {  # FOLDER ARGUMENT ...
  local folder=$1
  shift
  "$binary" run study.lua --out "$folder" "$@" >"$folder.said" 2>"$folder.err" </dev/null || complain "$folder: status $?: $(head -n 5 "$folder.err")"
}
same() { cmp one/runs.csv "$1/runs.csv" && cmp one.said "$1.said" || complain "$1 differs"; }

run one --jobs 1
[ "$(wc -l <one/runs.csv)" = 301 ] || complain "not 300 runs: $(wc -l <one/runs.csv)"
[ ! -s one.err ] || complain "a run warns: $(head -n 3 one.err)"
for jobs in 2 8; do run "jobs$jobs" --jobs "$jobs" && same "jobs$jobs"; done
run workers --workers local:2
same workers

kills=0
for attempt in $(seq 100); do
  "$binary" run study.lua --out killed --jobs 2 >killed.said 2>err </dev/null &
  child=$!
  [ "$attempt" -gt 20 ] || { sleep "0.0$((RANDOM % 10))"; kill -9 $child 2>/dev/null; }
  status=0
  { wait $child; } 2>/dev/null || status=$?
  [ "$status" -eq 0 ] && break
  kills=$((kills + 1))
done
[ "$status" -eq 0 ] || complain "never came to an end after $kills kills"
same killed

# ---- two shards and the rest ----
run shard1 --shard 1/2
run shard2 --shard 2/2
"$binary" merge merged shard1 shard2 >out 2>err || complain "merge: $(cat err)"
run merged
same merged

# ---- what is kept ----
cp -r one more
run more --set n=400
head -n 301 more/runs.csv | cmp - one/runs.csv || complain 'further runs change the first ones'
cp -r one again
run again --set deadline=300
cmp again/runs.csv one/runs.csv || complain 'another deadline changes runs'
cp -r one other
run other --set map=mct
grep -q "the 300 cells that were stored are not taken, for something has changed: .*'policy' of robustness" other.err ||
  complain "another policy of the same name: $(head -n 3 other.err)"
exit $((failures > 0))
