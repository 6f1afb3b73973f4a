-- Graphs of two public collections, WfInstances and the Standard Task Graph Set: what they have, and how long their schedules are.
-- takes: seconds
-- perigee run workflows/collections --data DIR      DIR has files of the collections, such as blast-chameleon-small-001.json and rand0000.stg
-- test: --data "$OUT"

-- ---- WfInstances (schema 1.5): tasks, edges, files, bytes, seconds, counted by an independent program ----

local instances = {
  { "helloworld-chain-5", 5, 4, 6, 100000002, 501.24 }, { "helloworld-forkjoin-10", 10, 16, 11, 100000010, 1028.704 },
  { "blast-chameleon-small-001", 43, 120, 127, 5112434776, 382.913 }, { "montage-chameleon-2mass-005d-001", 58, 114, 111, 218728217, 221.726 },
  { "epigenomics-chameleon-hep-1seq-100k-001", 41, 48, 54, 563858523, 539.307 },
  { "1000genome-chameleon-2ch-100k-001", 52, 76, 64, 2584828544, 2771.295 }, { "seismology-chameleon-100p-001", 101, 100, 304, 1591921, 71.893 },
}

-- ---- Standard Task Graph Set, 50 tasks and two without time: edges, work, critical path; on 2, 4 and 8 equal hosts: HLFET and HEFT, by an
-- independent program, and the optimum as the collection states it ----

local drawn = {
  { "rand0000", 119, 262, 55, hlfet = { 134, 67, 55 }, heft = { 131, 66, 55 }, optimum = { 131, 66, 55 } },
  { "rand0001", 238, 298, 89, heft = { 150, 96, 89 }, optimum = { 149, 94, 89 } },
  { "rand0005", 200, 628, 170, heft = { 324, 170, 170 }, optimum = { 314, 170, 170 } },
}

local found = 0
local function read(reader, file)
  local there, g = pcall(reader, file)
  if there then
    found = found + 1
    return g
  end
  if g.code ~= "no_file" then error(g, 0) end
  print(("%s is not there"):format(file))
end

for _, row in ipairs(instances) do
  local name, tasks, edges, files, bytes, seconds = table.unpack(row)
  local g = read(graph.wfformat, name .. ".json")
  if g then
    local has = g:summary()
    claim { source = "an independent program", says = ("%s of WfInstances: %d tasks, %d edges, %d files, %d B, %g s"):format(name, tasks, edges, files, bytes, seconds),
            holds = has.tasks == tasks and has.edges == edges and has.files == files and has.bytes == bytes and math.abs(has.ops - seconds) < 1e-3,
            found = ("%d tasks, %d edges, %d files, %d B, %.3f s"):format(has.tasks, has.edges, has.files, has.bytes, has.ops), verdict = "reproduces" }
  end
end

for _, row in ipairs(drawn) do
  local name, edges, work, path = table.unpack(row)
  local g = read(graph.stg, name .. ".stg")
  if g then
    local has, c = g:summary(), {}
    for i = 1, 3 do c[i] = cost.graph(g, platform { cluster "hosts" { nodes = 2 ^ i } }) end
    local _, length = c[1]:critical_path()
    claim { source = "an independent program", says = ("%s: 52 tasks, %d edges, work %d, critical path %d"):format(name, edges, work, path),
            holds = has.tasks == 52 and has.edges == edges and has.time == work and length == path,
            found = ("%d tasks, %d edges, work %g, critical path %g"):format(has.tasks, has.edges, has.time, length), verdict = "reproduces" }
    for _, scheduler in ipairs { "hlfet", "heft" } do
      local expected = row[scheduler]
      if expected then
        local m, same, least = {}, true, true
        for i = 1, 3 do
          m[i] = schedule(scheduler, c[i]).makespan
          same, least = same and m[i] == expected[i], least and m[i] >= row.optimum[i]
        end
        claim { source = "an independent program", says = ("%s of %s on 2, 4 and 8 hosts: %d, %d, %d"):format(scheduler, name, table.unpack(expected)), holds = same and least,
                found = ("%g, %g, %g; the best there are, as stated by the collection: %d, %d, %d"):format(m[1], m[2], m[3], table.unpack(row.optimum)), verdict = "reproduces" }
      end
    end
  end
end
print(("%d of %d graphs were there"):format(found, #instances + #drawn))
