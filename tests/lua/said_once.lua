-- A warning about a run is said once, however often the run is looked at.
local s = scenario { platform = platform { host "a" {} }, workload = workload.jobs { { cores = 4, time = 1 }, { time = 1 } } }

local function warned(run)
  local e = experiment(run) { factors = { x = { 1 } }, run = function()
    local simulation = s:start { policy = "fcfs" }
    if run == "looked at" then
      simulation:step()
      simulation:result()
      simulation:run()
      for _ = 1, 3 do simulation:result() end
    elseif run == "two runs" then
      simulation:run()
      s:run { policy = "fcfs" }
    elseif run == "fork" then
      simulation:step()
      simulation:fork():run()
      simulation:status()  -- looked at, so that nothing is said of a result before the end
    else
      simulation:run()
    end
    return { rejected = simulation:result().rejected }
  end }
  local row = e:warnings()[1]
  expect(#e:warnings() == 1 and row.warning == "pieces of work rejected that no host can run", row.warning)
  return row.count
end

expect(warned "run" == 1, "a run looked at once")
expect(warned "looked at" == 1, "a run looked at often")
expect(warned "two runs" == 2, "each run says so itself")
expect(warned "fork" == 2, "a fork is a run of its own")
