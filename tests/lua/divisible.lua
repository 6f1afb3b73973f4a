-- A policy that sends a load in two chunks over one serial link, keeps a host for a reservation, hears the names
-- of marks, and says what it waits for. All numbers by hand.
-- args: --validate

local grid = platform { cluster "c" { nodes = 2, link = { bandwidth = 1 } } }

policy "two_chunks" {
  accepts = { "loads", "reservations" },
  arrived = function(self, sim, works)
    for _, work in ipairs(works) do
      if sim:kind(work) == "load" then
        for host = 1, 2 do
          local part = { first = (host - 1) * 5, size = 5 }
          part.after = sim:chunk(work, host, part)
          sim:post(work, host, part)
        end
      else
        sim:hold { work = work, hosts = { 2 }, from = 30, to = 40, io_until = 35 }
      end
    end
  end,
  received = function(self, sim, works, hosts)
    for i, work in ipairs(works) do sim:note("received", sim:now(), work, hosts[i]) end
  end,
  marked = function(self, sim, names) sim:note("marked " .. table.concat(names, " and "), sim:now()) end,
}

-- Each chunk takes 5 s on the link, one after the other; 5 units of 2 s each follow: [5, 15) and [10, 20).
local s = scenario {
  platform = grid,
  workload = workload.merge(
    workload.loads { { time = 2, size = 10, bytes = 1 } },
    workload.reservations { { hosts = 1, from = 30, to = 40, io_ratio = 0.5 } }),
  events = { mark { at = 12, name = "noon" }, mark { at = 12, name = "twelve" } },
}
local r = s:run { policy = "two_chunks" }
assert(r:jobs()[1].finish == 20 and r:jobs()[2].finish == 40 and r:jobs()[1].deadline == nil)
local known, problem = pcall(function() return r:jobs()[1].finished end)
assert(not known and problem.message == "the rows of this table have no column 'finished'; did you mean 'finish'?",
  tostring(problem))
local notes = {}
for _, note in ipairs(r:notes()) do notes[#notes + 1] = note.name .. " " .. table.concat(note, " ") end
assert(table.concat(notes, "; ") == "received 5 1 1; received 10 1 2; noon ; twelve ; marked noon and twelve 12",
  table.concat(notes, "; "))

-- The host goes down while its chunk is sent; the policy sends it again to the other one: [3, 13), [13, 33).
policy "sends_again" {
  accepts = { "loads" },
  arrived = function(self, sim, works) sim:post(works[1], 1, { after = sim:chunk(works[1], 1) }) end,
  cut = function(self, sim, works, hosts)
    assert(hosts[1] == 1)
    sim:post(works[1], 2, { after = sim:chunk(works[1], 2) })
  end,
}
local again = scenario {
  platform = grid,
  workload = workload.loads { { time = 2, size = 10, bytes = 1 } },
  events = { outage { host = "c.1", from = 3, to = 100 } },
}:run { policy = "sends_again", validate = true }
assert(again.status == "complete" and again:jobs()[1].finish == 33)

-- A load declares an expectation of its parts; how long they take is the truth. 5 s for a part of 5 units,
-- expected to be 15; an edf head that is told of 3 + 2 s a unit promises no 10 units by 49, and by 50 ends at 30.
policy "asks" {
  accepts = { "loads" },
  arrived = function(self, sim, works)
    local first
    for host = 1, 2 do
      local part = { first = (host - 1) * 5, size = 5 }
      part.after = sim:chunk(works[1], host, part)
      sim:post(works[1], host, part)
      first = first or part.after
    end
    sim:settle()
    sim:note("ends", sim:end_of(first), sim:estimate(works[1], 1))
  end,
}
local other = { time = 2, estimate = 1, size = 10, bytes = 1, bytes_estimate = 3 }
for information, ends in pairs { declared = "15 10", perfect = "5 20" } do
  local asked = scenario { platform = grid, workload = workload.loads { other } }
    :run { policy = "asks", information = information }
  assert(asked:jobs()[1].finish == 20)
  assert(table.concat(asked:notes()[1], " ") == ends, table.concat(asked:notes()[1], " "))
end
local single = platform { cluster "c" { nodes = 1, link = { bandwidth = 1 } } }
for deadline, state in pairs { [49] = "rejected", [50] = "finished" } do
  local declared = { time = 2, size = 10, bytes = 1, bytes_estimate = 3, deadline = deadline }
  local told = scenario { platform = single, workload = workload.loads { declared } }
    :run { policy = "edf", information = "declared" }
  assert(told:jobs()[1].state == state and (state == "rejected" or told:jobs()[1].finish == 30))
  assert(scenario { platform = single, workload = workload.loads { declared } }:run { policy = "edf" }:jobs()[1].finish == 30)
end

-- The words of a policy about itself when its run stops with work left.
policy "idle" { decide = function() end, explain = function() return "I never do anything" end }
local stuck = scenario { platform = grid, workload = workload.tasks { { time = 1 } } }:run { policy = "idle" }
assert(stuck.status == "incomplete" and stuck:waiting()[1] == "I never do anything")
