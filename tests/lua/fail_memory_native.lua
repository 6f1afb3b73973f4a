-- A matrix of 16 GB is refused before it is made.
-- args: --memory 100MB
-- expect: fail_memory_native.lua:4: error: a matrix of 40000 x 50000 times needs 16 GB, more than the limit of 100 MB (--memory)
pcall(etc.range_based, { tasks = 40000, machines = 50000, rng = stream.splitmix(1) })
