-- The result of a parameter sweep, host by host.
local sweeps = {}

-- ENPR and NPP (0 = none yet) of the hosts, two lists in their order, after the recomputation at that time.
function sweeps.power_at(r, time)
  local enpr, npp = {}, {}
  for _, row in ipairs(r:enpr()) do
    if row.time == time then
      enpr[#enpr + 1] = row.enpr
      npp[#npp + 1] = row.npp or 0
    end
  end
  return enpr, npp
end

-- Runs that each host was given at that time, a list in the order of hosts.
function sweeps.dealt_at(r, time)
  local place, runs = {}, {}
  for i, row in ipairs(r:hosts()) do place[row.host], runs[i] = i, 0 end
  for _, row in ipairs(r:packages()) do
    if row.start == time then runs[place[row.host]] = row.runs end
  end
  return runs
end

-- The packages of a host as a text, "0-10:8 25-37:9 37-:5": from, to and runs. A copy has a + before it, and an x stands behind one
-- that a copy has made pointless. The last one is under way at the end.
function sweeps.timeline(r, name)
  local parts, hosts, known = {}, {}, false
  for i, row in ipairs(r:hosts()) do hosts[i], known = row.host, known or row.host == name end
  if #hosts > 0 and not known then  -- there are none when the script is only checked
    error(("there is no host '%s'; hosts are %s"):format(tostring(name), table.concat(hosts, ", ")), 2)
  end
  for _, row in ipairs(r:packages()) do
    if row.host == name then
      local finish = row.use == "running" and "" or ("%g"):format(row.finish)
      parts[#parts + 1] = ("%s%g-%s:%d%s"):format(row.use == "duplicate" and "+" or "", row.start, finish, row.runs,
                                                  row.use == "redundant" and "x" or "")
    end
  end
  return table.concat(parts, " ")
end

-- A figure of what the time of each host went into, as stacked bars: useful, duplicate, redundant and idle. `options` are those of plot.
function sweeps.plot_hosts(r, options)
  local given = { kind = "stacked", x = "host", y = { "useful", "duplicate", "redundant", "idle" }, y_label = "time" }
  for name, value in pairs(options or {}) do given[name] = value end
  r:hosts():plot(given)
end

return sweeps
