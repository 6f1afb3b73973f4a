-- expect: stack overflow
-- expect: more calls
local function deep(n) return 1 + deep(n + 1) end
print(pcall(deep, 1))
local function text() return ("x"):gsub(".", text) end
print(pcall(text))
print(deep(1))
