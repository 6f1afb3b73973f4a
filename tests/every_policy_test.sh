#!/bin/bash
# Every policy that the catalogue lists, through the language: it completes each kind of work that it accepts, its trace
# is valid, and a fork in the middle ends like the run itself.
set -u
binary=${PERIGEE_BINARY:?}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
cat >policy.lua <<'END'
local name = setting("policy", "fcfs")
local function hosts(latency) return platform { cluster "c" { nodes = 3, link = { bandwidth = 10, latency = latency } } } end
local loads = {}
for i = 1, 6 do loads[i] = { arrival = 4 * i, size = 6, bytes = 1, time = 2, deadline = 4000 } end
local works = {
  tasks = workload.tasks(12, function(i) return { time = 1 + i % 4, arrival = i // 3 } end),
  files = workload.tasks(6, function(i) return { time = 2, inputs = { file("in" .. i, 5) }, output = 5 } end),
  jobs = workload.jobs(8, function(i) return { time = 2 + i % 3, arrival = i } end),
  sweep = workload.sweep { runs = 40, time = 1 },
  loads = workload.loads(loads),
}
local done = {}
for kind, work in pairs(works) do
  local s = scenario { platform = hosts(kind == "loads" and 0 or 0.5), workload = work }
  local ok, result = pcall(s.run, s, { policy = name, validate = true })
  if ok then
    assert(result.status == "complete" and #result:waiting() == 0, kind .. " is " .. result.status)
    local sim = s:start { policy = name }
    sim:run_until(result.makespan / 2)
    local fork = sim:fork()
    assert(sim:run().makespan == result.makespan and fork:run().makespan == result.makespan, kind .. ": a fork")
    done[#done + 1] = kind
  else
    assert(result.code == "not_accepted", kind .. ": " .. result.message)
  end
end
assert(#done > 0, "it accepts nothing")
print(table.concat(done, " "))
END
policies=$("$binary" list | awk '$3 == "policy" { print $1 }')
[ "$(printf '%s\n' "$policies" | wc -l)" -ge 30 ] || { echo "FAILED: the catalogue lists: $policies"; exit 1; }
failures=0
for policy in $policies; do
  timeout 600 "$binary" run policy.lua --set policy="$policy" >out 2>err || {
    failures=$((failures + 1))
    printf 'FAILED: %s\n' "$policy"
    cat err
  }
done
exit $((failures > 0))
