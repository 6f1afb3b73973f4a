-- The line of an entry in a list that was made before, with a value that is computed.
-- expect: fail_record_list.lua:7: error: job 'c': cores must be
local three = 3
local list = {
  { name = "a", time = 2 * three, cores = 1 },
  { name = "b", time = 10, cores = 2 },
  { name = "c", time = 2 * three, cores = 0 },
}
local w = workload.jobs(list)
