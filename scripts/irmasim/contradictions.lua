-- IRMaSim thesis, sections 5.3.2 to 5.3.6: sentences that contradict others of the same text, held against each other.
-- takes: a moment
-- perigee run scripts/irmasim/contradictions.lua

require "statements"

-- Which quantity the text names with a figure of its own, and which the caption of that figure names.
local captions = { [10] = "total time", [11] = "waiting time", [12] = "slowdown", [13] = "bounded slowdown" }
local named = { { 11, "total time" }, { 11, "waiting time" }, { 12, "slowdown" }, { 12, "bounded slowdown" } }  -- in the order of section 5.3.2
local fit, wrong = 0, {}
for _, each in ipairs(named) do
  if captions[each[1]] == each[2] then fit = fit + 1 else wrong[#wrong + 1] = ("%s as Figure %d, whose caption is %s"):format(each[2], each[1],
      captions[each[1]]) end
end
-- Sections 5.3.4 and 5.3.5 in the contents, and where the second one begins in the text.
local contents = { "Real Workload With First Distributed Heterogeneity Platform", "Real Workload With First Distributed Heterogeneity Platform" }
local heading = "Real Workload With Second Distributed Heterogeneity Platform"
claim { statement = "S1-116", verdict = "source in error", holds = fit == #named and contents[1] ~= contents[2] and contents[2] == heading,
        found = ("%d of %d figure numbers in section 5.3.2 fit the captions; the others are %s; the titles of 5.3.4 and 5.3.5 in the contents are "
            .. "%s"):format(fit, #named, table.concat(wrong, ", "),
          contents[1] == contents[2] and "the same" or "different"),
        note = "read in the text, no run decides it" }

-- Sentences of the text about waits on the real log: jobs wait less under `less` than under `more`, on a platform.
local said = {
  { where = "Figure 15", platform = 0, less = "first_first", more = "min_min" },
  { where = "Figure 15", platform = 0, less = "full_random", more = "min_min" },
  { where = "Figure 15", platform = 0, less = "longest_fastest", more = "max_min" },
  { where = "Figure 15", platform = 0, less = "max_min", more = "a_star" },
  { where = "Figure 15", platform = 0, less = "first_first", more = "a_star" },
  { where = "Figure 19", platform = 1, less = "first_first", more = "min_min" },
  { where = "Figure 19", platform = 1, less = "full_random", more = "min_min" },
  { where = "Figure 19", platform = 1, less = "a_star", more = "duplex" },
  { where = "section 5.3.6, third paragraph", platform = 0, less = "first_first", more = "min_min" },
  { where = "section 5.3.6, third paragraph", platform = 0, less = "full_random", more = "min_min" },
  { where = "section 5.3.6, third paragraph", platform = 1, less = "first_first", more = "min_min" },
  { where = "section 5.3.6, third paragraph", platform = 1, less = "full_random", more = "min_min" },
}
-- A sentence of the second paragraph of 5.3.6, as pairs that must not stand the other way.
local function against(number, sentence, note)
  local places, seen, n = {}, {}, 0
  for _, pair in ipairs(sentence) do
    local contradicted = false
    for _, other in ipairs(said) do
      if other.platform == pair.platform and other.less == pair.more and other.more == pair.less then
        contradicted = true
        local text = ("%s on platform %d"):format(other.where, other.platform)
        if not seen[text] then seen[text], places[#places + 1] = true, text end
      end
    end
    if contradicted then n = n + 1 end
  end
  claim { statement = number, verdict = "source in error", holds = n == 0,
          found = ("%d of %d comparisons of two policies that the sentence makes are the other way elsewhere in the thesis: %s"):format(n, #sentence,
              table.concat(places, ", ")),
          note = note }
end
local worse, max_min, a_star = {}, {}, {}
for platform = 0, 1 do
  for _, simple in ipairs { "first_first", "full_random" } do worse[#worse + 1] = { platform = platform, less = "min_min", more = simple } end
  max_min[#max_min + 1] = { platform = platform, less = "max_min", more = "longest_fastest" }
  a_star[#a_star + 1] = { platform = platform, less = "a_star", more = "max_min" }
end
against("S1-165", worse, "read in the text, no run decides it; worse is taken as longer waits than under min-min")
against("S1-166", max_min, "read in the text, no run decides it; tends is taken as on both platforms: no sentence compares the two on platform " ..
      "1; the thesis has no longest-shortest; what comes out on a log is not known here, " ..
      "for the log is not here")
against("S1-167", a_star, "read in the text, no run decides it; satisfactory is taken as shorter waits than under max-min; Figure 15 has A* as " ..
      "the poorest of all")
