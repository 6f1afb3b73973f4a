-- Real matrices, where they are there: the published makespans of min_min.
-- args: --data "$(cd "$ROOT/../shared/data" 2>/dev/null && pwd || echo "$OUT")"
-- expect: braun:
local found = 0
for name, expected in pairs { ["u_c_hihi.0"] = 8460675.003, ["u_i_hihi.0"] = 3513919.281, ["u_i_lolo.0"] = 2785.645 } do
  local ok, m = pcall(etc.read, "braun/" .. name, { tasks = 512, machines = 16 })
  if ok then
    found = found + 1
    local makespan = map("min_min", m).makespan
    assert(math.abs(makespan - expected) < 0.001, ("%s: %.3f is not %.3f"):format(name, makespan, expected))
  end
end
print(found > 0 and ("braun: %d matrices agree"):format(found) or "braun: skipped, the matrices are not beside the project")
