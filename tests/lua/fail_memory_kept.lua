-- Memory that the script keeps counts, be it Lua's or not; memory that it has dropped does not.
-- args: --memory 100MB
-- expect: fail_memory_kept.lua:10: error: a matrix of 2000 x 1000 times needs 16 MB, more than the
-- test: thorough
local function matrix(seed) return etc.range_based { tasks = 2000, machines = 1000, rng = stream.splitmix(seed) } end
for seed = 1, 20 do matrix(seed) end
local kept = {}
for seed = 1, 20 do
  pcall(function()
    kept[seed] = etc.range_based { tasks = 2000, machines = 1000, rng = stream.splitmix(seed) }
  end)
end
