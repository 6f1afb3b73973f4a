-- expect: fail_loop.lua:3: error: attempt to call a table value
-- expect: note: a list is gone through by for i, x in ipairs(t) do
for x in { 1, 2 } do print(x) end
