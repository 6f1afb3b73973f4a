-- A wrong value is reported at the line of its own record.
-- expect: fail_record.lua:6: error: job 'c': time must be >= 0 s, got -10
-- expect: 6 |   { name = "c", time = -10, cores = 2 },
local w = workload.jobs {
  { name = "a", time = 10, cores = 1 },
  { name = "c", time = -10, cores = 2 },
  { name = "b", time = 10, cores = 2 },
}
