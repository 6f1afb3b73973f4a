-- The scenario of Figure 11 of Casanova, Zagorodnov, Berman and Legrand (1999): 22 hosts in three clusters, 400 tasks
-- that share a file with 49 others, and links of 10 KB/s. 1 KB is 1000 bytes; links have no latency, of which the
-- report tells nothing.
-- takes: nothing, the other scripts here use it
-- test: no
local figure11 = { source = "LIP RR 1999-46, section 8" }

figure11.sizes = { 0, 150, 300, 600, 1200, 2400, 3600, 4800, 7200, 9600 }  -- of a shared file, KB; only the axis is printed
figure11.chunks, figure11.tasks_of_chunk = 8, 50
figure11.capacity = 4 * 1 + 6 * 0.7 + 12 * 0.3  -- CPUs
figure11.bandwidth = 10e3                       -- B/s

function figure11.platform()
  local function part(name, nodes, availability)
    return cluster(name) { nodes = nodes, availability = availability, link = { bandwidth = figure11.bandwidth } }
  end
  return platform { part("fast", 4, 1), part("shared", 6, 0.7), part("busy", 12, 0.3) }
end

-- The application as a WorkDescription, from the numbers of SplitMix64: of each task its run time, two inputs of its own
-- and an output. `size` of a shared file in bytes. The second result has what was drawn: seconds and bytes, by task.
function figure11.application(size, seed)
  local rng = stream.splitmix(seed)
  local function bytes() return math.floor(8000 + 4000 * rng:uniform() + 0.5) end
  local tasks = figure11.chunks * figure11.tasks_of_chunk
  local lines, works, drawn = { ("WorkDescription 1 %d %d"):format(figure11.chunks + 3 * tasks, tasks) }, {}, {}
  local function file(id, name, amount)
    lines[#lines + 1] = ("File: <%d> <%s> <%.0f> <%.0f>"):format(id, name, amount, amount)
  end
  for c = 0, figure11.chunks - 1 do file(c, "shared" .. c, size) end
  for t = 0, tasks - 1 do
    local time = ("%.9f"):format(90 + 20 * rng:uniform())
    local one, two, out = bytes(), bytes(), bytes()
    drawn[t + 1] = { time = tonumber(time), inputs = { one, two }, output = out }
    local own = figure11.chunks + 3 * t
    file(own, ("in%d.1"):format(t), one)
    file(own + 1, ("in%d.2"):format(t), two)
    file(own + 2, ("out%d"):format(t), out)
    works[t + 1] = ("Work: <%d> <3: %d %d %d> <1: %d> <1: %s> <1: %s>"):format(
      t, t // figure11.tasks_of_chunk, own, own + 1, own + 2, time, time)
  end
  table.move(works, 1, tasks, #lines + 1, lines)
  return table.concat(lines, "\n") .. "\n", drawn
end

-- `size` of a shared file in bytes; `seed` of what is drawn.
function figure11.scenario(size, seed)
  return scenario {
    platform = figure11.platform(),
    workload = workload.pst { text = (figure11.application(size, seed)) },
  }
end

-- No makespan is below it, s.
function figure11.lower_bound(drawn)
  local total = 0
  for _, task in ipairs(drawn) do total = total + task.time end
  return total / figure11.capacity
end

return figure11
