-- A wrong value inside a list or a table of a record is shown at the line of its field.
local function at(line, text, f)
  local good, problem = pcall(f)
  expect(not good and problem.line == line and problem.message:find(text, 1, true) ~= nil, tostring(problem.line) .. ": " .. tostring(problem))
end
at(9, "task 2: times[2] must be >= 0 s, got -1", function()
  return workload.tasks {
    { time = 3 },
    { priority = 2, times = { 1, -1 } },
  }
end)
at(16, "task 'second': time.b must be >= 0 s, got -1", function()
  return workload.tasks {
    { time = 3 },
    { name = "second",
      arrival = 2, time = { a = 3, b = -1 } },
  }
end)
at(24, "sweep 2: weights[2] must be >= 0, got -1", function()
  return workload.sweeps {
    { time = 3, runs = 2 },
    {
      time = 3, runs = 2,
      weights = { 1, -1 } },
  }
end)
