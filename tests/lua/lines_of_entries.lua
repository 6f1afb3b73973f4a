-- An error that is found in an entry of a list, or when a run makes the works, is shown at the line of that entry, not of the word.
local function at(line, text, f)
  local good, problem = pcall(f)
  expect(not good and problem.line == line and problem.message:find(text, 1, true) ~= nil, tostring(problem.line) .. ": " .. tostring(problem))
end
local function run(work)
  scenario { platform = platform { host "a" {}, host "b" {} }, workload = work }:run { policy = "fcfs" }
end

-- A host that the platform has not, and a list of times for three hosts, come to light in a run.
at(15, "second: the platform has no host 'c'", function()
  run(workload.tasks {
    { name = "first", times = { a = 1, b = 2 } },
    { time = 3 },
    { name = "second",
      times = { a = 1, c = 2 } },
  })
end)
at(23, "task 3: times has 3 values, the platform 2 hosts", function()
  run(workload.tasks {
    { times = { 1, 2 } },
    { time = 3 },
    { times = { 1, 2, 3 } },
  })
end)
at(29, "task 2: times has 1 values, the platform 2 hosts", function()
  local list = {
    { times = { 1, 2 } },
    { times = { 1 } },
  }
  local work = workload.tasks(list)
  run(work)
end)
-- The second of two workloads of as many records: the name tells it.
at(41, "d: the platform has no host 'c'", function()
  run(workload.merge(workload.tasks {
    { name = "a", time = 1 },
    { name = "b", time = 2 },
  }, workload.tasks {
    { name = "c", time = 1 },
    { name = "d", times = { c = 2 } },
  }))
end)
-- A list that is made by a loop has no line of its own.
at(48, "task 2: the platform has no host 'c'", function()
  local list = {}
  for i = 1, 2 do list[i] = { times = { [i == 2 and "c" or "a"] = 1 } } end
  run(workload.tasks(list))
end)
-- A file with two sizes.
at(54, "task 2: file 'f' is 2 B here but 1 B elsewhere", function()
  run(workload.tasks {
    { time = 1, inputs = { file("f", 1) } },
    { time = 1, inputs = { file("f", 2) } },
  })
end)

-- An entry that is no record.
at(62, "task 2 must be a table, got 7", function()
  return workload.tasks {
    { time = 1 },
    7,
  }
end)
at(67, "job 1 must be a table, got 'one'", function()
  return workload.jobs {
    "one",
    { time = 1 },
  }
end)
at(74, "worker 2 must be a table, got 7", function()
  return cost.umr { load = 10, workers = {
    { speed = 1, rate = 1 },
    7,
  } }
end)

-- Rows of a matrix.
at(83, "etc: row 3[2] must be >= 0 s, got -4", function()
  return etc {
    { 1, 2 },
    { 3, 4 },
    { 5, -4 },
  }
end)
at(89, "etc: row 2[1] must be a number or a quantity with a unit, got true", function()
  local rows = {
    { 1, 2 },
    { true, 2 },
  }
  return etc(rows)
end)
at(96, "etc: row 2 must be a list of numbers, got 7", function()
  return etc {
    { 1, 2 },
    7,
  }
end)
at(102, "etc: row 2 has 3 machines, row 1 has 2", function()
  return etc {
    { 1, 2 },
    { 3, 4, 5 },
  }
end)
-- A row whose entries are not written as numbers.
local three = 3
at(110, "etc: row 2[2] must be >= 0 s, got -3", function()
  return etc {
    { 1, 2 },
    { 4, -three },
  }
end)
