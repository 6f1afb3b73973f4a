-- No table is weak, however a script goes about it: what a cell finds would depend on what ran before.
-- expect: 1000 of 1000 values, 500 of 500 keys
local meta = {}
local values, keys = setmetatable({}, meta), setmetatable({}, meta)
meta.__mode = "k"
meta["__mo" .. "de"] = "kv"
for i = 1, 1000 do values[i] = { i } end
local made = {}
for i = 1, 500 do
  local key = { i }
  keys[key] = true
  made[i] = key
end
rawset(meta, "__mode", "v")
for i = 1, 1000000 do local garbage = { i } end
local count, found = 0, 0
for i = 1, 1000 do if values[i] then count = count + 1 end end
for i = 1, 500 do if keys[made[i]] then found = found + 1 end end
print(count .. " of 1000 values, " .. found .. " of 500 keys")
local ok, problem = pcall(setmetatable, {}, { __mode = "v" })
assert(not ok and problem.message == "setmetatable: __mode is not available, for it depends on when memory is collected")
