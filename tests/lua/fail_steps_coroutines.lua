-- Each coroutine is short; together they are not.
-- args: --steps 3000000
-- expect: the script takes more than 3000000 steps (--steps)
while true do
  local co = coroutine.create(function() for i = 1, 900 do end error "x" end)
  pcall(coroutine.resume, co)
  pcall(coroutine.wrap(function() pcall(coroutine.wrap(function() for i = 1, 900 do end end)) end))
  coroutine.close(co)
end
