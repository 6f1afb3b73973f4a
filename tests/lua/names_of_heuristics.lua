-- Names that a scheduler of a script may have, and the error of one that calls itself.
local m = etc { { 3, 5 }, { 2, 8 } }
local function fails(with, f)
  local ok, problem = pcall(f)
  assert(not ok and tostring(problem):find(with, 1, true), problem)
  return tostring(problem)
end
fails("'end' is a word of Lua", function() heuristic "end" { pick = function() return 1 end } end)
fails("'while' is a word of Lua", function() policy "while" { decide = function() end } end)
fails("snake_case", function() heuristic "my key" { pick = function() return 1 end } end)
heuristic "ending" { pick = function() return 1 end }

heuristic "one" { map = function(problem) return map("other", problem) end }
heuristic "other" { map = function(problem) return map("one", problem) end }
local said = fails("overflow", function() return map("one", m) end)
assert(select(2, said:gsub("in heuristic", "")) == 2, said)

-- Errors in `explain` say where they are from, too.
policy "mute" { decide = function() end, explain = function(self) return self.nothing.at_all end }
local s = scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 1, arrival = 2 } } }
fails("in policy 'mute', explain at t = 2 s", function() return s:run { policy = "mute" } end)
