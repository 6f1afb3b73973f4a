-- expect: fail_rule.lua:6: error: task must be 1 to 2, got 3
-- expect: in function (
-- expect: fail_rule.lua:5) for 2 tasks on 2 machines
local matrix = etc { { 1, 2 }, { 3, 4 } }
local by_last = switch { "mct", "met", when = function(p)
  return p:etc(p:tasks() + 1, 1) > 2
end }
map(by_last, matrix)
