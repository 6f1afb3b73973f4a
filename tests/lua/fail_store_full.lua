-- Stores that are too small: for ever, and for now. A start that has no room is an error.
-- expect: warning: workqueue with seed 1: 1 piece of work is rejected that no host can run: large: its files have 300 B, the largest store of a host that can run it has room for 150 B
-- expect: warning:   file 'g' is posted to cluster 'a' and waits for room: it needs 100 B, and 50 B of the 150 B of the store of cluster 'a' are free
-- expect: fail_store_full.lua:19: error: policy 'at_once' at t = 0: start task 2 on host 'a.2': its outputs need 60 B, and 20 B of the 100 B of the store of cluster 'a' are free
local function on(store, tasks)
  return scenario { platform = platform { cluster "a" { nodes = 2, store = store } }, workload = workload.tasks(tasks) }
end
local r = on(150, {
  { name = "large", time = 1, inputs = { file("in", 300) } },
  { name = "x", time = 5, inputs = { file("f", 100) } },
  { name = "y", time = 2, inputs = { file("g", 100) } },
}):run { policy = "workqueue", validate = true }
assert(r.status == "incomplete" and r.rejected == 1 and r.finished == 1)

policy "at_once" {
  accepts = { "tasks", "files" },
  arrived = function(self, sim, works)
    sim:start(1, 1)
    sim:start(2, 2)
  end,
}
on(100, { { time = 4, output = 80 }, { time = 3, output = 60 } }):run { policy = "at_once" }
