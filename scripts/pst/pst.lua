-- The studies on grids share these clusters and claims.
-- takes: nothing, the other scripts here use it
-- test: no
local studies = require "studies"
local pst = { source = "LIP RR 1999-46" }

-- The clusters of Figure 11, for the standard library's grids.
pst.clusters = {
  { name = "fast", hosts = 4 }, { name = "shared", hosts = 6, availability = 0.7 }, { name = "busy", hosts = 12, availability = 0.3 },
}

-- The same hosts, of which two thirds are ours, so that availability can vary.
pst.clusters_shared = {
  { name = "fast", hosts = 4, availability = 0.66 }, { name = "shared", hosts = 6, availability = 0.46 },
  { name = "busy", hosts = 12, availability = 0.2 },
}

-- Claims that a ratio is of that sense.
function pst.claim(section, says, i, sense, verdict)
  return claim { source = pst.source .. ", " .. section, says = says, holds = studies.sense(i) == sense,
                 found = studies.text(i) .. " times as long", verdict = verdict or "reproduces" }
end

return pst
