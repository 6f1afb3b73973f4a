#!/bin/bash
# Duels as a user runs them: the same bytes on any number of processors and on workers, killed and gone on with, with a
# limit of time, with and without a folder; and cases that are written as scripts, which repeat what was found.
# test: thorough
here=$(CDPATH='' cd -- "${BASH_SOURCE%/*}" && pwd -P)
. "$here/opening.sh"
perigee=$binary
ends() {  # STATUS COMMAND ...: its output is in out and err
  local wanted=$1 status=0
  shift
  "$@" >out 2>err </dev/null || status=$?
  [ "$status" -eq "$wanted" ] || { complain "exit status $status, expected $wanted: $*"; head -n 20 err; }
}

# ---- the same bytes ----
cat >duels.lua <<'LUA'
local budget = setting("budget", 1200)
heuristic "on_one" { parameters = { machine = 1 }, pick = function(c, task) return -task end, place = function(c, task, args) return args.machine end }
local machines = space "machines" {
  times = vary.matrix { rows = { 2, 5 }, columns = { 2, 3 }, of = vary.real { 1, 9 } },
  problem = function(x) return etc(x.times) end,
}
local days = space "days" {
  nodes = vary.whole { 1, 2 },
  jobs = vary.list { n = { 2, 6 }, of = { time = vary.real { 1, 50 }, cores = vary.whole { 1, 4 }, gap = vary.real { 0, 10 } } },
  scenario = function(x)
    local clock = 0
    for _, job in ipairs(x.jobs) do clock = clock + job.gap  job.arrival = clock  job.gap = nil end
    return scenario { platform = platform { cluster "n" { nodes = x.nodes, cores = 4 } }, workload = workload.jobs(x.jobs) }
  end,
}
local function show(d) print(d)  print(d:history()) end
for _, search in ipairs { "annealing", "genetic { population = 12 }", "pisa", "random_search" } do
  local made = load("return " .. (search:find "{" and search or ("%q"):format(search)))()
  show(duel { a = "mct", b = on_one { machine = 2 }, space = machines, search = made, budget = budget, seed = 3 })
end
local squares = space "squares" { times = vary.matrix { rows = 3, columns = 2, of = vary.real { 1, 9 } }, problem = function(x) return etc(x.times) end }
show(duel { a = "mct", b = "min_min", space = squares, search = "cma_es", budget = budget })
local d = duel { a = "easy", b = "conservative", space = days, measure = "mean_response", budget = budget }
show(d)
show(d:back())
show(duel { a = function(x) return #x.jobs + x.nodes end, b = "fcfs", space = days, search_for = "robust", budget = 3200 })
print(tournament { schedulers = { "fcfs", "sjf", "easy" }, space = days, measure = "mean_response", budget = 200 })
LUA
few="--set budget=$((thorough && !instrumented ? 1200 : 400))" many="--set budget=$((instrumented ? 4000 : 12000))"
# shellcheck disable=SC2086
ends 0 "$perigee" run duels.lua --jobs 1 $few
cp out one.out
[ "$(wc -l <one.out)" -gt 150 ] || complain "little was printed: $(wc -l <one.out) lines"
for way in '--jobs 2' '--jobs 8' '--workers local:2' '--out folder --jobs 2' '--out folder --jobs 1' '--out of_workers --workers local:2'; do
  # shellcheck disable=SC2086
  ends 0 "$perigee" run duels.lua $way $few
  cmp one.out out || { complain "$way differs"; diff one.out out | head; }
done
[ -s folder/experiments.sqlite ] || complain 'nothing was stored'
[ ! -e experiments.sqlite ] || complain 'something was stored without --out'

# ---- killed, and gone on with ----
killed_and_gone_on_with() {
  # shellcheck disable=SC2086
  ends 0 "$perigee" run duels.lua --jobs 2 $many
  cp out long.out
  for signal in KILL INT; do
    kills=0
    for attempt in 1 2 3 4; do
      # shellcheck disable=SC2086
      env --default-signal=INT "$perigee" run duels.lua --jobs 2 $many --out "killed$signal" >out 2>err </dev/null &
      child=$!
      if [ "$attempt" -lt 4 ]; then
        until [ -s "killed$signal/experiments.sqlite-wal" ] || ! kill -0 $child 2>/dev/null; do sleep 0.02; done
        sleep "0.$((3 + RANDOM % 7))"
        kill -$signal $child 2>/dev/null
      fi
      status=0
      { wait $child; } 2>/dev/null || status=$?
      [ "$status" -ne 0 ] || break
      kills=$((kills + 1))
      [ "$attempt" -lt 4 ] || { complain "$signal: exit status $status at last"; head -n 5 err; }
      [ $signal = KILL ] || grep -q 'interrupted' err || complain "Ctrl-C says: $(head -n 3 err)"
    done
    [ "$kills" -gt 0 ] || complain "$signal came too late"
    cmp long.out out || { complain "differs after $kills times $signal"; diff long.out out | head; }
  done
}
[ $thorough = 0 ] || killed_and_gone_on_with

# ---- a limit of time ----
cat >late.lua <<'LUA'
local machines = space "machines" {
  times = vary.matrix { rows = 6, columns = 3, of = vary.real { 1, 9 } },
  problem = function(x) return etc(x.times) end,
}
local given = { a = "mct", b = "min_min", space = machines, search = setting("search", "annealing"), shrink = 0, draws = 1 }
given.budget = setting("budget", 1000000000)
given.planned = setting("planned", 1000000000)
if given.budget == given.planned then given.time = setting("time", "0.4 s") end
local d = duel(given)
print(d)
print(d:history())
LUA
searches="annealing cma_es"
[ $thorough = 0 ] || searches="$searches genetic pisa random_search"
for search in $searches; do
  for time in 0.4 0.0001; do  # the second is over within the first round of any machine
    begun=$(date +%s)
    ends 0 "$perigee" run late.lua --set search=$search --set "time=$time s"
    [ $(($(date +%s) - begun)) -le $((instrumented ? 600 : 60)) ] || complain "$search: $time s took $(($(date +%s) - begun))"
    cp out late.out
    said=$(sed -n 's/^.*the time was over after [0-9]* evaluations; budget = \([0-9]*\), planned = 1000000000 repeats it$/\1/p' err)
    [ -n "$said" ] || { complain "$search does not say which budget repeats it"; cat err; continue; }
    grep -q "budget = $said, planned = 1000000000, seed = 1 }" late.out || complain "$search: the page does not say budget = $said: $(grep repeated late.out)"
    ends 0 "$perigee" run late.lua --set search=$search --set "budget=$said"
    cmp late.out out || { complain "$search: a budget of $said does not repeat it"; diff late.out out | head -n 6; }
  done
done

# ---- cases as scripts ----
cat >writes.lua <<'LUA'
local weight = 2.5
local function key(c, task) return weight * c:best(task) - task end
heuristic "heavy" { pick = function(c, task) return key(c, task) end }
heuristic "on_one" { parameters = { machine = 1 }, pick = function(c, task) return -task end, place = function(c, task, args) return args.machine end }
policy "last_first" {
  decide = function(self, sim)
    for work = sim:work_count(), 1, -1 do
      for host = 1, sim:host_count() do
        if sim:waits(work) and sim:idle_cores(host) > 0 then sim:start(work, host) end
      end
    end
  end,
}
local machines = space "machines" {
  times = vary.matrix { rows = { 2, 5 }, columns = 2, of = vary.real { 0.1, 1 } },
  problem = function(x) return etc(x.times) end,
}
local graphs = space "graphs" {
  costs = vary.list { n = { 2, 5 }, of = vary.real { 0.1, 1 } },
  edges = vary.dag { n = function(x) return #x.costs end, edge = vary.real { 0.1, 1 } },
  speed = vary.real { 0.1, 3 }, bandwidth = vary.real { 0.1, 1 },
  problem = function(x)
    local times = {}
    for t, cost_of in ipairs(x.costs) do times[t] = { cost_of, cost_of / x.speed } end
    return cost.graph { times = times, edges = x.edges, bandwidth = { { 1, x.bandwidth }, { x.bandwidth, 1 } } }
  end,
}
local days = space "days" {
  jobs = vary.list { n = { 2, 6 }, of = { time = vary.real { 1, 50 }, cores = vary.whole { 1, 4 }, gap = vary.real { 0, 10 } } },
  down = vary.real { 1, 60 },
  scenario = function(x)
    local clock = 0
    for _, job in ipairs(x.jobs) do clock = clock + job.gap  job.arrival = clock  job.gap = nil end
    return scenario {
      platform = platform { cluster "n" { nodes = 2, cores = 4 } }, workload = workload.jobs(x.jobs),
      events = { outage { host = "n.1", from = x.down, to = x.down + 7 } },
    }
  end,
}
local queue = space "queue" {
  times = vary.list { n = { 2, 4 }, of = vary.real { 1, 9 } },
  scenario = function(x)
    local tasks = {}
    for i, time in ipairs(x.times) do tasks[i] = { time = time } end
    return scenario { platform = platform { host "h" {} }, workload = workload.tasks(tasks) }
  end,
}
local function written(name, measure, given)
  given.measure, given.budget = measure, 300
  local d = duel(given)
  d:write(name .. ".lua")
  d:write(name .. "_small.lua", { small = true })
  print(name, measure, ("%.17g %.17g"):format(d.of_a, d.of_b))
end
written("mappers", "makespan", { a = "mct", b = "max_min", space = machines })
written("own", "makespan", { a = "heavy", b = on_one { machine = 2 }, space = machines })
written("drawn", "makespan", { a = "random", b = "mct", space = machines, seed = 5 })
written("schedulers", "makespan", { a = "heft", b = "cpop", space = graphs })
written("policies", "mean_response", { a = "easy", b = "conservative", space = days })
written("of_the_script", "mean_response", { a = "fcfs", b = "last_first", space = queue })
written("mapped", "makespan", { a = mapped { map = heavy {} }, b = mapped { map = "min_min" }, space = queue })
written("cut", "finished", { a = "fcfs", b = "last_first", space = queue, horizon = 9 })
written("function", "mean_response", { a = "fcfs", b = function(x, seed) return queue:at(x):run { policy = "sjf", seed = seed } end, space = queue })
LUA
ends 0 "$perigee" run writes.lua --out written --jobs 2
cp out measures
[ "$(grep -c '' measures)" = 9 ] || complain "not all were written: $(cat measures)"
mkdir elsewhere
while read -r name measure of_a of_b; do
  for script in "$name" "${name}_small"; do
    [ "$(grep -c '^expect(' "written/$script.lua")" -ge 2 ] || complain "$script.lua expects nothing"
    cp "written/$script.lua" "elsewhere/$script.lua"
    echo "print(('%.17g %.17g'):format(a.$measure, b.$measure))" >>"elsewhere/$script.lua"
    (cd elsewhere && "$perigee" run "$script.lua" >out 2>err </dev/null) || {
      complain "$script.lua does not stand alone: $(head -n 5 elsewhere/err)"
      continue
    }
    [ "$script" != "$name" ] || [ "$(tail -n 1 elsewhere/out)" = "$of_a $of_b" ] ||
      complain "$script.lua: $(tail -n 1 elsewhere/out) in place of $of_a $of_b"
  done
  # The number that it expects is looked at: another number fails.
  sed -E '0,/^(expect\([ab]\.[a-z_]+ == )/s//\11 + /' "written/$name.lua" >elsewhere/changed.lua
  ends 1 "$perigee" run elsewhere/changed.lua
done <measures
# A function among the parameters of a side stands in no other script.
cat >unwritable.lua <<'LUA'
local s = space "s" { n = vary.whole { 1, 2 }, scenario = function(x)
  return scenario { platform = platform { host "h" {} }, workload = workload.jobs { { time = x.n }, { time = 1 } } }
end }
local d = duel { a = backfill { host = function() return { 1 } end }, b = "fcfs", space = s, budget = 4 }
print(d.ratio)
d:write "x.lua"
LUA
ends 1 "$perigee" run unwritable.lua --out written
says err 'not_plain|has a function of the script among its parameters|stands in no other script' 'a function as a parameter'
# Nothing is written without a folder, and that is said.
ends 1 "$perigee" run writes.lua
says err "nothing is written without an output folder; run with --out FOLDER to save 'mappers.lua'" 'd:write without --out'
[ ! -e mappers.lua ] || complain 'a case was written without --out'

exit $((failures > 0))
