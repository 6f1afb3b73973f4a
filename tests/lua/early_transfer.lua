-- A policy may ask for the transfer of an output before its work has arrived; the transfer waits for the output, and the validator agrees.
-- expect: early transfer ok
local same = require("modules.expect").same
policy "early" {
  accepts = { "tasks", "files" },
  begin = function(self, sim) sim:transfer(sim:outputs(2)[1], 1) end,
  arrived = function(self, sim, works)
    for _, work in ipairs(works) do sim:post(work, 1) end
  end,
}
local s = scenario {
  platform = platform { cluster "a" { nodes = 1, link = { bandwidth = 1e6 } } },
  workload = workload.tasks { { time = 10 }, { time = 5, arrival = 3, outputs = { file("o", 1e6) } } },
}
-- It is computed from 10 to 15 s, and 1 MB takes 1 s at 1 MB/s.
local r = s:run { policy = "early", validate = true }
same(r:jobs()[2].finish, 16.0, "finish")
same(r.status, "complete", "status")
print "early transfer ok"
