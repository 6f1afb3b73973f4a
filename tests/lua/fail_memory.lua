-- args: --memory 20MB
-- expect: fail_memory.lua:5: error: the script needs more memory than 20 MB (--memory)
local t = {}
while true do
  pcall(function() for i = 1, 1e9 do t[#t + 1] = ("x"):rep(1000) .. i end end)
end
