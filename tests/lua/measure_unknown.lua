-- A metric of measure that there is not ends the experiment with its first cell.
local good, message = pcall(function()
  return experiment "misspelt" { factors = { a = { 1, 2, 3 } }, measure = { "makespan", "makspan" },
    run = function(f)
      return scenario { platform = platform { cluster "c" { nodes = 1 } }, workload = workload.tasks { { time = f.a } } }
        :run { policy = "workqueue" }
    end }
end)
assert(not good)
assert(tostring(message):find("unknown metric 'makspan'; did you mean 'makespan'?", 1, true), message)
