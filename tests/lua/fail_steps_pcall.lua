-- No protected call, handler or coroutine holds the stop.
-- args: --steps 300000
-- expect: the script takes more than 300000 steps (--steps)
local function forever() while true do end end
while true do
  pcall(forever)
  xpcall(forever, forever)
  xpcall(forever, function() pcall(forever); forever() end)
  local co = coroutine.create(function() while true do pcall(forever); coroutine.yield() end end)
  coroutine.resume(co)
  pcall(coroutine.wrap(forever))
  pcall(table.sort, { 3, 2, 1 }, forever)
  pcall(string.gsub, "abc", ".", forever)
end
