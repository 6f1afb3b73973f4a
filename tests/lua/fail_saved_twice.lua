-- A second result in the folder of the first would take its place in silence.
-- args: --out $OUT
-- expect: 'run' was written before, at
-- expect: fail_saved_twice.lua:10
local s = scenario {
  platform = platform { host "a" {} },
  workload = workload.tasks { { time = 5 } },
}
for _, policy in ipairs { "fcfs", "sjf" } do
  s:run { policy = policy }:save "run"
end
