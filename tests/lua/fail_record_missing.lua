-- A field that is missing is reported where its record begins.
-- expect: fail_record_missing.lua:5: error: job 'b': its run time is missing
local w = workload.jobs {
  { name = "a", time = 10, cores = 1 },
  { name = "b",
    cores = 2 },
}
