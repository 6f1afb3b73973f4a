-- Whole numbers up to 2^53 are written as such, in tables, CSV and JSON; other numbers as they were.
-- expect: early 100000 20000000
-- expect: late 2000000000 0.1
-- expect: 7 as they should be
local s = scenario {
  platform = platform { cluster "c" { nodes = 1, link = { bandwidth = 1e9 } } },
  workload = workload.loads {
    { name = "early", arrival = 1e5, size = 2e7, bytes = 1, time = 1e-6, deadline = 3e9 },
    { name = "late", arrival = 2e9, size = 0.1, bytes = 1, time = 1, deadline = 3e9 },
  },
}
local jobs = s:run { policy = "edf" }:jobs()
for _, job in ipairs(jobs) do print(job.name .. " " .. job.arrival .. " " .. job.size) end
local found = 0
local function has(text, part)
  assert(text:find(part, 1, true), part .. " is not in\n" .. text)
  found = found + 1
end
has(jobs:csv(), "\n1,early,load,,100000,100000,")
has(jobs:csv(), "\n2,late,load,,2000000000,2000000000,")
has(tostring(jobs), " 2000000000 ")
has(json.text { a = 1e6, b = 2 ^ 53, c = 1e17, d = 1.5e-7 }, '{"a":1000000,"b":9007199254740992,"c":1e+17,"d":1.5e-07}')
local study = experiment "whole" {
  factors = { { "id", { 99999, 100000, 1e6, 123456789, 2 ^ 53, -100000, 0.5, 1e22 } } },
  run = function(f) return { measure = f.id } end,
}
local column = {}
for line in study:csv():gmatch "[^\n]+" do column[#column + 1] = line:match "[^,]+$" end
has(table.concat(column, " "), "measure 99999 100000 1000000 123456789 9007199254740992 -100000 0.5 1e+22")
has(study:csv(), "\n2,100000,1,")
has(study:json(), '"levels":[99999,100000,1000000,123456789,9007199254740992,-100000,0.5,1e+22]')
print(found .. " as they should be")
