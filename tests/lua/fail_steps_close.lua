-- The function that closes a variable of a stopped coroutine does not run.
-- args: --steps 300000
-- expect: the script takes more than 300000 steps (--steps)
local f = coroutine.wrap(function()
  local x <close> = setmetatable({}, { __close = function() while true do end end })
  while true do end
end)
pcall(f)
