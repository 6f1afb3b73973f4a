-- expect: fail_not_equal.lua:3: error: 'then' expected near '!'
-- expect: note: not equal is written ~=
if 1 != 2 then print(1) end
