#!/bin/bash
# --steps counts what instructions of Lua, errors, declarations and files take; steps are the same on any number of
# threads; a check ends on any script.
# test: thorough
. "${BASH_SOURCE%/*}/steps.sh"

# ---- what one instruction of Lua, one error, one declaration or one file may take
cat >instructions.lua <<'END'
local list, deep, away = {}, {}, setmetatable({}, {})
for i = 1, 200000 do list[i] = i end
for i = 1, 1900 do deep = setmetatable({}, { __index = deep, __newindex = deep }) end
getmetatable(away).__call = away
local function longer(...) return longer(1, ...) end
local function pass(...) return ... end
local function first(...) for i = 1, 1e6 do local one = ... pass(...) end end
local function count(...) for i = 1, 1e6 do local n = select("#", ...) end end
local function collect(...) for i = 1, 1e6 do local all = { ... } end end
local function back(depth) if depth == 0 then return table.unpack(list) end return 1, back(depth - 1) end
local give = coroutine.wrap(function(...) while true do coroutine.yield(...) end end)
give(table.unpack(list))
local emptied = {}
for i = 1, 30000 do emptied["k" .. i] = 1 end
for i = 1, 30000 do emptied["k" .. i] = nil end
local number = 0
local function name() number = number + 1 return "a" .. number end
local pair, one = platform { cluster "c" { nodes = 2 } }, workload.tasks { { time = 1 } }
local submitting = scenario { platform = pair, workload = one,
  events = { process(function(sim) while true do sim:submit { time = 1 } end end) } }
local many = platform { cluster "c" { nodes = 64, link = { bandwidth = 1e6, sharing = "exclusive" } } }
local sweep = scenario { platform = many, workload = workload.sweep { runs = 100000, time = 1, bytes = 10 } }
local loads = scenario { platform = many, workload = workload.loads(300, function(i)
  return { time = 10, size = 100, bytes = 100, deadline = 1000 + i * 1000, arrival = i } end) }
local noisy = workload.sweep { runs = 100000, time = 1, trials = 100, noise = 0.2 }
local wide, names = platform { cluster "c" { nodes = 20000 } }, {}
for i = 1, 20000 do names[i] = "c." .. i end
END
ends_in_time instructions.lua 5000000 <<'END'
pcall(longer)
first(table.unpack(list))
count(table.unpack(list))
collect(table.unpack(list))
pcall(back, 50000)
give()
pcall(away)
local field = deep.field
deep.field = nil
for key in pairs(emptied) do end
pcall(error)
pcall(function() local x <close> = setmetatable({}, { __close = error }) error "x" end)
heuristic(name()) { summary = "x", pick = function() return 1 end }
policy(name()) { decide = function() end }
experiment(name()) { factors = { a = { 1 } }, run = function() return { x = 1 } end, measure = { "x" } }
experiment(name()) { factors = { a = { 1 } }, replications = 100000, run = function() return { x = 1 } end, measure = { "x" } }
sweep:run { policy = "mrrs" }
loads:run { policy = "edf_reservations" }
scenario { platform = many, workload = noisy }:run { policy = "workqueue", horizon = 1 }
scenario { platform = wide, workload = one, events = { reserve { hosts = names, from = 1, to = 2 } } }
submitting:run { policy = "fcfs" }
END
cat >saves.lua <<'END'
local r = scenario { platform = platform { host "h" {} }, workload = workload.tasks { { time = 1 } } }:run { policy = "fcfs" }
local e = experiment "e" { factors = { a = { 1 } }, run = function() return { x = 1 } end, measure = { "x" } }
local i = 0
while true do i = i + 1 r:save("a" .. i) e:save("b" .. i) end
END
"$binary" run saves.lua --steps 1000000 --out saves >out 2>err && complain "saves: exit status 0"
says err "the script takes more than 1000000 steps" saves
[ "$(find saves -name 'b*.csv' | wc -l)" -lt 50 ] || complain "saves: there are too many"

# ---- the same steps on any number of threads, wherever keyframes are, and whether cells are kept
cat >cells.lua <<'END'
local p = platform { cluster "c" { nodes = 50 } }
local s = scenario { platform = p, workload = workload.tasks(200, function(i, rng) return { time = rng:uniform(1, 9), arrival = i } end) }
policy "mine" { begin = function(self, sim) self.q = {} end,
  arrived = function(self, sim, ws) for _, w in ipairs(ws) do table.insert(self.q, w) end end,
  decide = function(self, sim) for _, h in ipairs(sim:hosts()) do while #self.q > 0 and sim:idle_cores(h) > 0 do sim:start(table.remove(self.q, 1), h) end end end }
local e = experiment "e" { factors = { k = { 1, 2, 3, 4, 5, 6, 7, 8 } }, replications = 2,
  run = function(f, seed) local n = 0
    for i = 1, 3 * f.k do local sim = s:start { policy = "mine", seed = seed } sim:run_until(100) sim:back_to(50) sim:quote { time = 3 } sim:run() n = n + #p:hosts() end
    local r = s:run { policy = "fcfs", seed = seed } return { count = n, m = r.makespan } end, measure = { "count", "m" } }
print(e:failures())
local n = 0
local ok = pcall(function() while true do n = n + 1 p:hosts() s:start { policy = "mine" }:run_until(50) ; if n % 10 == 0 then print(n) end end end)
END
"$binary" run cells.lua --steps 1000000 --jobs 1 >first 2>&1
says first 'cell 2 .*the script takes more than 1000000 steps' cells
for arguments in "--jobs 4" "--jobs 1 --out kept" "--jobs 4 --out kept_by_four"; do
  "$binary" run cells.lua --steps 1000000 $arguments >again 2>&1
  cmp -s first again || complain "cells: $arguments: $(diff first again | head -4)"
done

# ---- a check ends on any script
cat >prepared.lua <<'END'
local s = scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 1 } } }
local r = s:run { policy = "fcfs" }
local function deep() return (deep()) end
local twice, zeros, blanks = { 1 }, ("\0"):rep(3e6), (" "):rep(2e7)
for i = 1, 40 do twice = { twice, twice } end
local braces = "return " .. ("{"):rep(180) .. ("}"):rep(180)
local itself = setmetatable({}, { __index = function(t, k) return t[k] end })
END
checked() {  # STEPS [ARGUMENT...]: a check of each line of standard input ends in time
  local steps=$1 line
  shift
  while IFS= read -r line; do
    { cat prepared.lua; printf 'while true do %s end\n' "$line"; } >loop.lua
    processor_time
    start=$spent
    timeout 600 "$binary" check loop.lua "$@" >out 2>err
    says err "the script takes more than $steps steps" "check: $line"
    takes_no_longer "$start" "check: $line"
  done
}
checked 150000000 <<'END'
xpcall(error, function(e) error(e) end)
END
checked 4000000 --steps 4000000 <<'END'
pcall(error)
pcall(function() return itself.x end)
pcall(deep)
pcall(coroutine.wrap(function() error "x" end))
load("return 1 1")
local m = r.makespan
local s = ("%99.99f"):format(1e308)
local s = json.text(twice)
local s = ("%q"):format(zeros)
load(braces)
string.unpack(blanks, "x")
END

# ---- a cell takes the same steps whether others have made the workload of its seed before
cat >shared.lua <<'END'
local s = scenario { platform = platform { cluster "c" { nodes = 2 } },
  workload = workload.tasks(10, function(i) for k = 1, 60000 do end return { time = 1 } end) }
local e = experiment "e" { factors = { k = { 1, 2, 3, 4, 5, 6, 7, 8 } }, measure = { "m" },
  run = function(f, seed) for k = 1, 500000 do end return { m = s:run { policy = "fcfs", seed = seed }.makespan } end }
print(#e:failures())
END
for jobs in 1 4; do
  "$binary" run shared.lua --steps 1000000 --jobs $jobs >out 2>err
  says out '^8$' "cells that share a workload, on $jobs threads"
done

# ---- a text that takes long to compile: the places behind an `and` are a list that each `and` walks
{ printf 'local x return '; yes 'x and ' | head -n 300000 | tr -d '\n'; printf 'x\n'; } >chain.lua
echo 'return require "chain"' >requires.lua
for script in chain.lua requires.lua; do
  processor_time
  start=$spent
  timeout 600 "$binary" run "$script" --steps 100000 >out 2>err
  [ $? -eq 1 ] || complain "steps: compiling $script: exit status is not 1"
  says err "--steps" "compiling $script"
  says err "^$script:" "the place of compiling $script"
  takes_no_longer "$start" "compiling $script"
done

exit $((failures > 0))
