-- A matrix of 16 GB is refused before it is made.
-- args: --memory 100MB
-- expect: fail_memory_native.lua:4: error: the script needs more memory than 100 MB (--memory): 16 GB at once
pcall(etc.range_based, { tasks = 40000, machines = 50000, rng = stream.splitmix(1) })
