-- Claims whose verdict is what is computed, and what claim and expect refuse.
-- expect: claim: two is more than one (A. Author 2001, Table 1): reproduces
-- expect: claim: the mean is 100 (A. Author 2001, Table 2): 100.5 against 100 published: reproduces
-- expect: claim: the mean is 90 (A. Author 2001, Table 2): 100.5 against 90 published: does not reproduce
-- expect: claim: half is 3 (A. Author 2001, equation 3): printed as 3: source in error
-- expect: refusals ok

local refused = require("modules.expect").refused
local source = "A. Author 2001, Table 1"

assert(claim { source = source, says = "two is more than one", holds = 2 > 1, verdict = "reproduces" })
assert(claim { source = "A. Author 2001, Table 2", says = "the mean is 100", value = 100.5, published = 100,
               within = "1 %", verdict = "reproduces" })
assert(claim { source = "A. Author 2001, Table 2", says = "the mean is 90", value = 100.5, published = 90,
               margin = 10, verdict = "does not reproduce" })
assert(claim { source = "A. Author 2001, equation 3", says = "half is 3", holds = false, found = "printed as 3",
               verdict = "source in error" })
expect(1 + 1 == 2, "sums are right")

local function with(changes)
  local fields = { source = source, says = "x", holds = true, verdict = "reproduces" }
  for name, value in pairs(changes) do fields[name] = value end
  for name in pairs(changes) do if fields[name] == "none" then fields[name] = nil end end
  return function() claim(fields) end
end
refused("'source' is missing", with { source = "none" })
refused("'says' is missing", with { says = "none" })
refused("'verdict' is missing", with { verdict = "none" })
refused("verdict must be one of reproduces, does not reproduce, source in error, got 'reproduce'; did you mean 'reproduces'?",
        with { verdict = "reproduce" })
refused("holds must be true or false, got 1", with { holds = 1 })
refused("either 'holds' or 'value' and 'published' are needed", with { holds = "none" })
refused("either 'holds' or 'value' and 'published' are needed", with { value = 1, published = 1 })
refused("'published' is missing", with { holds = "none", value = 1 })
refused("value must be a number, got nan", with { holds = "none", value = 0 / 0, published = 1 })
refused("within must be", with { holds = "none", value = 1, published = 1, within = -1 })
refused("cannot both be given", with { holds = "none", value = 1, published = 1, within = 0.1, margin = 1 })
refused("within goes with 'value' and 'published'", with { within = 0.1 })
refused("unknown field 'say'; did you mean 'says'?", with { say = "y" })
refused("claim: its argument must be a table, got 'x'", function() claim "x" end)
refused("expected: one is two", function() expect(1 == 2, "one is two") end)
refused("say what must hold", function() expect(true) end)
refused("the condition must be true or false, got 3", function() expect(3, "three") end)
print "refusals ok"
