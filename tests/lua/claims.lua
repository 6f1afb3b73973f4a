-- Claims whose verdict is what is computed, and what claim and expect refuse.
-- expect: claim: two is more than one (A. Author 2001, Table 1): reproduces
-- expect: claim: the mean is 100 (A. Author 2001, Table 2): 100.5 against 100 published: reproduces
-- expect: claim: the mean is 90 (A. Author 2001, Table 2): 100.5 against 90 published: does not reproduce
-- expect: claim: half is 3 (A. Author 2001, equation 3): printed as 3: source in error
-- expect: claim: noise (A. Author 2001, Table 1): not contradicted in this run, its verdict is 'reproduces'
-- expect: claim: noise (A. Author 2001, Table 1): not contradicted in this run, its verdict is 'not decided'
-- expect: claim: which is best? (A. Author 2001, Table 1): the second: left open
-- expect: claim: A-1: one and one is two (B. Author 2002, section 1): reproduces
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
assert(claim { source = source, says = "the mean is 90", value = 0.5, published = -3, within = "150 %", verdict = "reproduces" })
assert(claim { source = source, says = "the mean is 90", value = 1, published = 2, within = 0.5, verdict = "reproduces" })
expect(1 + 1 == 2, "sums are right")

-- In the short form a claim may stay undecided; a verdict that is not decided contradicts nothing.
assert(claim { source = source, says = "noise", holds = "not decided", verdict = "reproduces" })
assert(claim { source = source, says = "noise", holds = false, verdict = "not decided" })
assert(claim { source = source, says = "which is best?", found = "the second", verdict = "left open" })

-- Statements, and claims that name them.
refused("the statement 'A-1' is not listed: no list of statements was declared before",
        function() claim { statement = "A-1", holds = true, verdict = "reproduces" } end)
statements {
  source = "B. Author 2002", title = "On sums",
  { number = "A-1", where = "section 1", says = "one and one is two" },
  { number = "A-2", where = "section 2", kind = "error", says = "two and two is five" },
  { number = "A-3", where = "section 3", says = "the log is long", missing = "the log is lost" },
}
assert(claim { statement = "A-1", holds = 1 + 1 == 2, verdict = "reproduces", note = "by counting" })
local function named(changes)
  local fields = { statement = "A-2", holds = false, verdict = "source in error" }
  for name, value in pairs(changes) do fields[name] = value end
  return function() claim(fields) end
end
refused("the statement A-1 has a claim already, at", named { statement = "A-1" })
refused("the statement 'A-22' is not listed; did you mean 'A-2'?", named { statement = "A-22" })
refused("A-3 is listed as one that cannot be tested: the log is lost", named { statement = "A-3" })
refused("'says' is that of the statement A-2; give no other", named { says = "x" })
refused("'source' is that of the statement A-2; give no other", named { source = "x" })
refused("statements: the number A-1 is given twice, in 'B. Author 2002' and in 'C'",
        function() statements { source = "C", { number = "A-1", where = "1", says = "x" } } end)
refused("statements: the number C-1 is given twice", function()
  statements { source = "C", { number = "C-1", where = "1", says = "x" }, { number = "C-1", where = "2", says = "y" } }
end)
refused("statements: the statements of 'B. Author 2002' are listed already: make one list of both",
        function() statements { source = "B. Author 2002", { number = "C-1", where = "1", says = "x" } } end)
for _, number in ipairs { "", "5.2", "s2-17", "S2-", "-17", "2S-17", "S2-17AB", "S2 - 17", "S2-17-4" } do
  refused(('statement 1: number must be capital letters and digits, a hyphen and a number, as "S2-17", got \'%s\''):format(number),
          function() statements { source = "C", { number = number, where = "1", says = "x" } } end)
end
refused("statement 1: 'says' is missing", function() statements { source = "C", { number = "C-1", where = "1" } } end)
refused("kind must be one of", function() statements { source = "C", { number = "C-1", where = "1", says = "x", kind = "joke" } } end)
refused("statements: one statement is needed, or more", function() statements { source = "C" } end)
refused("'missing' and 'data' cannot both be given",
        function() statements { source = "C", { number = "C-1", where = "1", says = "x", missing = "a", data = "b" } } end)

local function with(changes)
  local fields = { source = source, says = "x", holds = true, verdict = "reproduces" }
  for name, value in pairs(changes) do fields[name] = value end
  for name in pairs(changes) do if fields[name] == "none" then fields[name] = nil end end
  return function() claim(fields) end
end
refused("'source' is missing", with { source = "none" })
refused("'says' is missing", with { says = "none" })
refused("'verdict' is missing", with { verdict = "none" })
refused("verdict must be one of reproduces, does not reproduce, not decided, source in error, left open, got 'reproduce'; did you mean 'reproduces'?",
        with { verdict = "reproduce" })
refused("holds must be true, false or 'not decided', got 1", with { holds = 1 })
refused("holds must be true, false or 'not decided', got 'maybe'", with { holds = "maybe" })
refused("'found' is missing: the answer to what the publication leaves open", with { holds = "none", verdict = "left open" })
refused("either 'holds' or 'value' and 'published' are needed", with { holds = "none" })
refused("either 'holds' or 'value' and 'published' are needed", with { value = 1, published = 1 })
refused("'published' is missing", with { holds = "none", value = 1 })
refused("value must be a number, got nan", with { holds = "none", value = 0 / 0, published = 1 })
refused("within must be", with { holds = "none", value = 1, published = 1, within = -1 })
refused('within is a share of what was published, got 1; per cent are written "1 %", or 0.01',
        with { holds = "none", value = 1, published = 1, within = 1 })
refused('per cent are written "250 %", or 2.5', with { holds = "none", value = 1, published = 1, within = 250 })
refused("cannot both be given", with { holds = "none", value = 1, published = 1, within = 0.1, margin = 1 })
refused("within goes with 'value' and 'published'", with { within = 0.1 })
refused("unknown field 'say'; did you mean 'says'?", with { say = "y" })
refused("claim: its argument must be a table, got 'x'", function() claim "x" end)
refused("expected: one is two", function() expect(1 == 2, "one is two") end)
refused("say what must hold", function() expect(true) end)
refused("the condition must be true or false, got 3", function() expect(3, "three") end)
print "refusals ok"
