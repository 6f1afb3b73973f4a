-- expect: fail_generator_field.lua:6: error: task 1: unknown field 'tiem'; did you mean 'time'?
local s = scenario {
  platform = platform { host "a" {} },
  workload = workload.tasks(5, function(i, rng)
    local length = rng:uniform(1, 2)
    return { name = nil, tiem = length }
  end),
}
s:run { policy = "workqueue" }
