-- Names of the Parameter Sweep Template's simulator lead to those of here.
-- expect: 'do_store'
-- expect: note: what the report calls so is sim:transfer(file, host), either way
policy "old" {
  accepts = { "tasks", "files" },
  decide = function(self, sim) sim:do_store(sim:inputs(1)[1], 1) end,
}
local s = scenario { platform = platform { cluster "a" { nodes = 1, link = { bandwidth = 10 } } },
                     workload = workload.tasks { { time = 1, inputs = { file("x", 10) } } } }
s:run { policy = "old" }
