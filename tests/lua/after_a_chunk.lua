-- A computation that is posted after a chunk of another work waits for its input file as well. By hand: the chunk of 4 B
-- takes the link from 0 to 4, the file of 40 B from 4 to 44, and the task computes from 44 to 47.
-- expect: 44	47
policy "mixed" {
  accepts = { "tasks", "files", "loads" },
  arrived = function(self, sim)
    local chunk = sim:chunk(2, 1)
    sim:transfer(1, 1)
    sim:post(1, 1, { after = chunk })
  end,
}
local s = scenario {
  platform = platform { cluster "c" { link = { bandwidth = 1 } } },
  workload = workload.merge(workload.tasks { { time = 3, inputs = { file("f", 40) } } },
    workload.loads { { time = 1, size = 2, bytes = 2 } }),
}
local r = s:run { policy = "mixed" }
assert(#r:validate() == 0, r:validate()[1])
print(r:jobs()[1].start, r:jobs()[1].finish)
