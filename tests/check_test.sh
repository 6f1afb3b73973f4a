#!/bin/bash
# `perigee check` accepts what a run accepts, and finds in a script what a run would find late.
. "${BASH_SOURCE%/*}/opening.sh"

# accepts NAME < SCRIPT; finds NAME TEXT < SCRIPT
accepts() {
  cat >"$1.lua"
  "$binary" check "$1.lua" >said 2>&1 && grep -q 'nothing wrong was found' said || complain "$1: $(cat said)"
}
finds() {
  cat >"$1.lua"
  ! "$binary" check "$1.lua" >said 2>&1 || complain "$1 was accepted"
  grep -qF -e "$2" said || complain "$1: $(cat said)"
}
small='local s = scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 10 } } }'

printf '#!/usr/bin/env perigee run it'"'"'s\nprint(1)\n' | accepts first_line
accepts memory_of_a_process <<EOS
scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 1 } }, events = {
  process(function(sim) sim:submit { time = 3, memory = "1 GB" } end) } }:run { policy = "fcfs" }
EOS
echo 'experiment "e" { factors = { k = { 1, 2 } }, run = function(f) return { m = f.k } end }:save "e"' >save.lua
"$binary" run save.lua --out . >said 2>&1 || complain "saving: $(cat said)"
accepts saved_again <<EOS
experiment.load "e":save "copy"
EOS
[ ! -e copy.json ] || complain 'check has written a file'
accepts iterator_of_an_unknown_text <<EOS
$small
local r = s:run { policy = "fcfs" }
for number in r:graph():gmatch "%d+" do print { number } end
for a, b in r:graph():gmatch "(%d)(%d)" do print(a + b) end
EOS
finds body_of_an_unknown_iterator "did you mean 'gsub'?" <<EOS
$small
for number in s:run { policy = "fcfs" }:graph():gmatch "%d+" do print(string.gsup(number, "1", "2")) end
EOS
finds line_of_a_module 'line_of_a_module.lua:2: error: arrivals.poisson: at most a million arrivals' <<EOS
local arrivals = require "arrivals"
arrivals.poisson(stream "x", 0, 3)
EOS
finds line_of_an_error 'line_of_an_error.lua:1: error: mine' <<EOS
error "mine"
EOS

finds no_return 'run must return a result or a table of numbers, got nil' <<EOS
$small
experiment "e" { factors = { k = { 1, 2 } }, run = function(f)
  local r = s:run { policy = "fcfs" }
end }
EOS
finds measure_is_a_number 'measure must return a result or a table of numbers, got 3' <<EOS
$small
experiment "e" { run = function(f) return s:run { policy = "fcfs" } end, measure = function(r) return 3 end }
EOS
finds two_of_a_name "the experiment 'e' is declared twice, first in line 1" <<EOS
experiment "e" { run = function() return { m = 1 } end }
experiment "e" { run = function() return { m = 2 } end }
EOS
finds deciding_measure "no cell has the measure 'makespam'; did you mean 'makespan'?" <<EOS
$small
experiment "e" { replications = { most = 4, half_width = 1, measure = "makespam" }, run = function() return s:run { policy = "fcfs" } end }
EOS
finds state_of_work "sim:state(work) is never 'queued'; it is one of future, pending, waiting, running" <<EOS
policy "p" { decide = function(self, sim)
  for work = 1, sim:work_count() do if sim:state(work) == "queued" then sim:start(work, 1) end end
end }
EOS
finds kind_of_work "sim:kind(work) is never 'jobs'; did you mean 'job'?" <<EOS
policy "p" { arrived = function(self, sim, works) if sim:kind(works[#works]) ~= 'jobs' then sim:reject(works[1]) end end }
EOS
accepts states_of_work <<EOS
policy "p" { decide = function(self, sim)
  for work = 1, sim:work_count() do
    if sim:state(work) == "waiting" and sim:kind(work) ~= 'job' and sim:state(work) == sim:kind(work) then sim:start(work, 1) end
  end
end }
EOS
finds table_of_compare 'compare: argument 2 must be a table, got nothing; it is written e:compare(measure, {' <<EOS
$small
experiment "e" { factors = { policy = { "fcfs", "easy" } }, run = function(f) return s:run { policy = f.policy } end }:compare "makespan"
EOS
finds measure_of_compare "compare: the experiment has no measure 'makespam'; did you mean 'makespan'?" <<EOS
$small
experiment "e" { factors = { policy = { "fcfs", "easy" } }, run = function(f) return s:run { policy = f.policy } end }:compare "makespam"
EOS
finds measure_without_quotes 'compare: the name of a measure is needed, got 3' <<EOS
$small
experiment "e" { factors = { policy = { "fcfs", "easy" } }, run = function(f) return s:run { policy = f.policy } end }:compare(3, { factor = "policy" })
EOS
! grep -q colon said || complain 'a method that is called with a colon'
finds result_by_number "its results are c:result(1), c:result(2), ..." <<EOS
$small
print(s:compare({ "fcfs", "easy" })[1].makespan)
EOS
finds format "'pajee'" <<EOS
$small
s:run({ policy = "fcfs" }):save("folder", { "batsim", "pajee" })
EOS
finds file_of_a_run "unknown file 'job'; did you mean 'jobs'?" <<EOS
$small
s:run({ policy = "fcfs" }):save("folder", { only = { "job" } })
EOS
finds row_of_a_comparison "the comparison has no policy 'fcfss'; did you mean 'fcfs'?" <<EOS
$small
s:compare({ "fcfs", "easy" }):result "fcfss"
EOS
accepts all_that <<EOS
$small
local r = s:compare({ "fcfs", "easy", names = { "a", "b" } }):result "a"
r:save("folder", { "batsim", "paje", only = { "jobs" }, gzip = true })
experiment "e" {
  replications = { most = 4, half_width = 1, measure = "late" },
  run = function(f) return s:run { policy = "fcfs" } end,
  measure = function(r) for _, job in ipairs(r:jobs()) do if job.wait > 3 then return { late = 1 } end end return { late = 0 } end,
}
EOS
accepts unknown_values <<EOS
$small
assert(claim { says = "a", source = "b", holds = true, verdict = "reproduces" })
local r = s:run { policy = "fcfs" }
print(r:jobs():csv():find "task 1", r:jobs():csv():upper())
EOS
cat >steps.lua <<EOS
$small
local sim = s:start { policy = "fcfs" }
repeat sim:step() until sim:hosts()[1].running == 0
EOS
"$binary" check steps.lua >said 2>&1 || complain "steps: exit status $?"
grep -q 'steps.lua:3: note: this needs the result of a run' said || complain "steps: $(cat said)"
accepts functions_within_a_line <<EOS
$small
s:start { policy = "fcfs" }:when(function(s) return s.queue > 3 end)
local c = etc { { 1, 2 } }
print(c:makespan_bound()) heuristic "g" { pick = function(c, t) return c:best(t) end }
EOS
finds field_within_a_line "a state has no field 'queu'; did you mean 'queue'?" <<EOS
$small s:start { policy = "fcfs" }:when(function(s) return s.queu > 3 end)
EOS
finds column_in_where "the rows have no column 'wiat'; did you mean 'wait'?" <<EOS
$small
print(s:run({ policy = "fcfs" }):jobs():where(function(row) return row.wiat > 3 end))
EOS
finds column_in_a_loop "column_in_a_loop.lua:3: error: the rows have no column 'wiat'; did you mean 'wait'?" <<EOS
$small
for _, job in ipairs(s:run({ policy = "fcfs" }):jobs()) do
  print(job.wiat) end
EOS
finds loop_over_a_comparison "a comparison has no field '1'" <<EOS
$small
for _, row in ipairs(s:compare { "fcfs", "easy" }) do print(row.makespan) end
EOS
accepts columns_of_rows <<EOS
$small
local jobs = s:run({ policy = "fcfs" }):jobs()
for _, job in ipairs(jobs) do job.late = job.wait > 3 end
for _, job in ipairs(jobs) do print(job.late, job.name:upper()) end
for _, job in ipairs(s:run({ policy = "fcfs" }):jobs()) do
  job.long = job.wait for _, job in ipairs({ { other = 1 } }) do print(job.other) end
end
print(s:run({ policy = "fcfs" }):jobs():where(function(job) return job.name:find "x" and (function(job) return job.y end) { y = 1 } end))
print(s:run({ policy = "fcfs" }):jobs():where(function(job)
  return job.name:find "x" and (function(job) return job.y end) { y = 1 } end))
EOS
finds state_of_a_condition "a state has no field 'queu'; did you mean 'queue'?" <<EOS
scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 1 } }, events = { process(function(sim)
  sim:wait_for(function(sim) return sim.queu > 3 end)
end) } }
EOS
finds state_of_a_process "a process or a state has no field 'queu'; did you mean 'queue'?" <<EOS
scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 1 } }, events = { process(function(sim)
  sim:wait_for(function(sim) return sim.queue > 3 end)
  print(sim.queu)
end) } }
EOS
finds save_without_a_name 'save: argument 1 is missing; it is written e:save(name)' <<EOS
experiment "e" { run = function() return { m = 1 } end }:save()
EOS
# ---- rows by number, and what a loop of steps reads
finds column_by_number "column_by_number.lua:3: error: the rows have no column 'wiat'; did you mean 'wait'?" <<EOS
$small
local rows = s:run({ policy = "fcfs" }):jobs()
for i = 1, #rows do print(rows[i].wait, rows[i].wiat) end
EOS
finds column_of_a_named_row "column_of_a_named_row.lua:5: error: the rows have no column 'makespam'" <<EOS
$small
local rows = experiment "e" { factors = { k = { 1, 2 } }, run = function(f) return s:run { policy = "fcfs" } end }:rows()
for i = 1, #rows, 2 do
  local row = rows[i]
  print(row.k, row.makespam) end
EOS
finds state_in_a_loop "state_in_a_loop.lua:4: error: a state has no field 'quue'; did you mean 'queue'?" <<EOS
$small
local sim = s:start { policy = "fcfs" }
while sim:step() do
  print(sim.state.queue, sim.state.quue)
end
EOS
finds method_in_a_loop "a simulation has no field 'nwo'; did you mean 'now'?" <<EOS
$small
local sim = s:start { policy = "fcfs" }
while sim:step() do print(sim:nwo()) end
EOS
accepts loops_of_all_kinds <<EOS
$small
local rows, other = s:run({ policy = "fcfs" }):jobs(), { { wiat = 1 } }
for i = 1, #rows do rows[i].late = rows[i].wait > 3 local row = rows[i] row.long = 1 print(row.long, rows[i].late, row.late) end
for i = 1, #other do print(other[i].wiat) end
rows = s:run({ policy = "fcfs" }):jobs()
for i = 1, #rows do local rows = other print(rows[1].wiat) end
local sim = s:start { policy = "fcfs" }
while sim:step() do local sim = { state = { quue = 1 } } print(sim.state.quue) end
EOS

# ---- how many arguments a call has, by the same message as a run; what may be nil does not count
in_policy() { printf '%s\npolicy "p" { decide = function(self, sim)\n  for work = 1, sim:work_count() do %s end\nend }\n' "$small" "$1"; }
in_policy 'sim:start(work)' | finds few_in_a_policy "few_in_a_policy.lua:3: error: start: argument 2 is missing; it is written sim:start(work, host"
in_policy 'sim:kind(nil)' | finds nil_in_a_policy 'kind: argument 1 is missing; it is written sim:kind(work)'
in_policy 'sim:start(work, 1, { 1, 2 }, 5)' | finds many_in_a_policy 'start takes 3 arguments, got 4, the last of them 5; it is written sim:start(work, host'
in_policy 'sim:start(work, self.host, nil, self.x) sim:start(self.both()) sim:start(work, (function(a, b) return a, b end)(1, 2))
  pcall(function() sim:start(work) end) sim:start(table.unpack({ work, 1 }))' | accepts arguments_of_all_kinds
finds many_in_a_process 'wait takes 1 argument, got 2, the last of them 2; it is written sim:wait(seconds)' <<EOS
scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 1 } }, events = { process(function(sim) sim:wait(1, 2) end) } }
EOS
while IFS='|' read -r name call text; do
  printf '%s\nlocal sim, r = s:start { policy = "fcfs" }, s:run { policy = "fcfs" }\n%s\n' "$small" "$call" | finds "$name" "$name.lua:3: error: $text"
done <<'EOS'
step|sim:step(1)|step takes no arguments, got 1, the last of them 1; it is written sim:step()
fork|sim:fork(2, 3)|fork takes 1 argument, got 2, the last of them 3; it is written sim:fork([n])
compare|compare(r, r, 3)|compare: argument 3 must be a result or a simulation, got 3
plot|r:plot({}, 3)|plot takes 1 argument, got 2, the last of them 3; it is written r:plot
module|require("studies").best(r, 1, 2)|studies.best takes 2 arguments, got 3
EOS
printf '%s\nlocal r = s:run { policy = "fcfs" }\nrequire("studies").best(r, 1, r.makespan) r:plot({}, nil) compare(r, r, { names = { "a", "b" } })\n' "$small" | accepts surplus_that_may_be_nil
exit $((failures > 0))
