-- args: --memory 20MB
-- expect: fail_memory_coroutine.lua:4: error: the script needs more memory than 20 MB (--memory)
local t = {}
local function fill() for i = 1, 1e9 do t[i] = { i } end end
coroutine.resume(coroutine.create(fill))
print "not reached"
