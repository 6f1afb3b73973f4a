-- A request with a later time is listed until it comes: with forks, after going back, of every kind. By hand.
-- expect: planned	8	simulation of workqueue at t = 15 s, running, 8 planned
-- expect: 30	submit	urgent	nil
-- expect: 40	change	slow.1	speed = 2
-- expect: 50	leave	slow	nil
-- expect: 60	fail	fast.1	announced = false
-- expect: 60	join	slow	nil
-- expect: 70	set_policy	fcfs	nil
-- expect: 80	recover	fast.1	nil
-- expect: 90	submit	late	nil
-- expect: at 60	3	70	80	90
-- expect: fork	0	3
-- expect: back to 45	6	50
-- expect: back to 10	2	60	80
-- expect: over	complete	1	500
local s = scenario {
  platform = platform { cluster "fast" { nodes = 2 }, cluster "slow" { nodes = 2 } },
  workload = workload.tasks(2, function(i) return { time = 20 } end),
}
local sim = s:start { policy = "workqueue" }
assert(#sim:planned() == 0 and tostring(sim:planned()) == "nothing is planned" and tostring(sim) == "simulation of workqueue at t = 0 s, running")
sim:fail("fast.1", { at = 60, announced = false })
sim:recover("fast.1", { at = 80 })
sim:run_until(15)
sim:submit({ name = "urgent", time = 5 }, { at = 30 })
sim:submit { name = "late", time = 5, arrival = 90 }
sim:set_policy("fcfs", { at = 70 })
sim:change("slow.1", { speed = 2, at = 40 })
sim:leave("slow", { at = 50 })
sim:join("slow", { at = 60 })
sim:submit { name = "now", time = 1 }  -- is here already
local rows = sim:planned()
print("planned", #rows, tostring(sim))
for _, row in ipairs(rows) do print(row.at, row.action, row.name, row.options) end
local fork = sim:fork()
sim:run_until(60)
rows = sim:planned()
print("at 60", #rows, rows[1].at, rows[2].at, rows[3].at)
local other = sim:fork()
fork:run()
print("fork", #fork:planned(), #other:planned())
sim:back_to(45)
rows = sim:planned()
print("back to 45", #rows, rows[1].at)
sim:back_to(10)
rows = sim:planned()
print("back to 10", #rows, rows[1].at, rows[2].at)
-- A run that is over; what was planned for after its end is still to come.
local done = s:start { policy = "fcfs" }
done:fail("slow", { at = 500 })
done:run()
print("over", done:status(), #done:planned(), done:planned()[1].at)
