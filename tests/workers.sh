# Sourced by tests of workers in other processes, after opening.sh: the program under a name that only these processes
# have, a script with all that experiments can meet, what one thread makes of it, and how processes are found and ended.
# shellcheck shell=bash disable=SC2154,SC2034
cp "$binary" "$work/perigee" || exit 1
perigee=$work/perigee
engine_stops=()  # commands that stop what a test has started
tools=${PERIGEE_SOURCE_DIR:?}/../shared/tools

finish() {
  local status=$? command
  for command in ${engine_stops[@]+"${engine_stops[@]}"}; do eval "$command"; done
  for pid in $(ours) $(jobs -p); do kill -KILL "$pid" 2>/dev/null; done
  rm -rf "$work"
  exit $status
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

skip() { printf 'skipped: %s\n' "$*"; }

# All processes that run the program, or start it, wherever they were started.
ours() { pgrep -f "$perigee" | grep -vx "$$"; }
# The processes that compute: `perigee work`, without launchers, of which some have it in their command line.
workers() { pgrep -f "^$perigee work"; }
one_of() { shuf -n 1; }

nobody_left() {  # WHAT: within 10 s
  for _ in $(seq 200); do
    [ -n "$(ours)" ] || return 0
    sleep 0.05
  done
  complain "$1: processes are left: $(for pid in $(ours); do tr '\0' ' ' <"/proc/$pid/cmdline"; echo; done)"
  for pid in $(ours); do kill -KILL "$pid" 2>/dev/null; done
}

wait_for() {  # COMMAND ...: until it succeeds, within 20 s
  for _ in $(seq 400); do
    "$@" >/dev/null 2>&1 && return 0
    sleep 0.05
  done
  complain "in vain: $*"
  return 1
}

# Whether the experiment 'second' of the script has cells that are over, and goes on.
amid_second() { head -n 4 "$1/progress.json" 2>/dev/null | tr -d '\n' | grep -q '"second", .*"done": [1-9]'; }  # FOLDER

# Several experiments, adaptive replications, results of one that decide on the next, cells that fail, warnings, an
# experiment that is called under pcall.
cat >study.lua <<'LUA'
local s = scenario {
  platform = platform { cluster "c" { nodes = 3 } },
  workload = workload.tasks(20, function(i, rng) return { time = rng:uniform(10, 50), arrival = 15 * i } end),
}
local function spin() for i = 1, 1000 * setting("work", 1) do end end
local first = experiment "first" {
  factors = { { "policy", { "fcfs", mapped { map = "min_min" } } } },
  replications = { least = 4, most = 14, half_width = "5 %", measure = "mean_response" },
  run = function(f) spin() return s:run { policy = f.policy } end,
  measure = { "makespan", "mean_response" },
}
print(first:table "makespan")
first:save "first"
local best = math.floor(first:table("makespan")[1].makespan)
local second = experiment "second" {
  factors = { x = { 1, 2, 3, best } },
  replications = setting("replications", 10),
  run = function(f, seed)
    spin()
    if f.x == 3 and seed % 3 == 0 then error("no luck with " .. seed) end
    return { y = f.x + math.random(), nothing = 0 / 0 }
  end,
}
print(second:table "y")
print(second:failures())
second:save "second"
local wide = scenario { platform = platform { host "a" { cores = 2 } },
                        workload = workload.jobs(4, function(i) return { cores = i, time = 10 } end) }
print(pcall(experiment "third", { replications = 5, run = function() return wide:run { policy = "fcfs" } end, measure = { "none" } }))
local warned = experiment "fourth" { replications = 5, run = function() return wide:run { policy = "fcfs" } end, measure = { "finished" } }
print(warned:table("finished", { warnings = true }))
warned:save "fourth"
LUA
"$perigee" run study.lua --out one --jobs 1 >one.out 2>one.err || complain "the study: $(cat one.err)"
[ "$(wc -l <one.out)" -gt 15 ] || complain "the study prints too little: $(cat one.out)"

same() {  # FOLDER: it has the files of `one`, and FOLDER.out what was printed
  cmp one.out "$1.out" || complain "$1: something else was printed"
  for file in first second fourth; do
    cmp "one/$file.csv" "$1/$file.csv" && cmp "one/$file.json" "$1/$file.json" || complain "$1: $file differs"
  done
}
# FOLDER ARGUMENT ...: runs the study, which has to find the same. Lines about lost workers are for the caller.
study() {
  local folder=$1 status=0
  shift
  "$perigee" run study.lua --out "$folder" "$@" >"$folder.out" 2>"$folder.err" </dev/null || status=$?
  [ $status = 0 ] || complain "$folder: exit status $status: $*: $(head -n 5 "$folder.err")"
  same "$folder"
}
# FOLDER: it warned of nothing else than one thread did. At most this pattern may be added.
says_the_same() {
  grep -vE -e "${2:-^$}" "$1.err" >"$1.rest"
  cmp one.err "$1.rest" || { complain "$1: other warnings"; diff one.err "$1.rest" | head -n 8; }
}
# An access file is here, private; its secret stands in no command line.
secret_is_kept() {
  [ "$(stat -c %a "$1/workers.json")" = 600 ] || complain "$1/workers.json: mode $(stat -c %a "$1/workers.json")"
  local secret
  secret=$(grep -o '[0-9a-f]\{64\}' "$1/workers.json") || complain "$1/workers.json has no secret"
  case $(cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' ' ') in *"$secret"*) complain 'the secret stands in a command line' ;; esac
}
# needs PROGRAM PACKAGE ...: installs the packages where the program is missing; false, aloud, where that does not work.
needs() {
  local program=$1
  shift
  command -v "$program" >/dev/null && return 0
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    DEBIAN_FRONTEND=noninteractive timeout 120 apt-get -q -o DPkg::Lock::Timeout=60 install -y --no-install-recommends "$@" >apt.log 2>&1 </dev/null
    command -v "$program" >/dev/null && return 0
  fi
  skip "no $program, and $* cannot be installed here"
  return 1
}
