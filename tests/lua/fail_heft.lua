-- expect: fail_heft.lua:2: error: mapped: map must be a mapper, but "heft" is a graph scheduler
print(mapped "heft")
