-- The validator counts the steps of profiles that it walks over: two links without a common period.
-- args: --steps 2000000
-- expect: the script takes more than 2000000 steps (--steps)
local s = scenario {
  platform = platform {
    link "wan" { to = "r", bandwidth = { values = { 10, 20 }, every = "1 ms" } },
    router "r",
    cluster "c" { at = "r", link = { bandwidth = { values = { 10, 20, 30 }, every = "1.1 ms" } } },
  },
  workload = workload.tasks { { time = 1, inputs = { file("f", "1 KB") } } },
}
local r = s:run { policy = "workqueue" }
pcall(r.validate, r)
