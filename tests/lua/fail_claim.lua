-- A claim that no longer comes out as its verdict says fails the run, which goes on to its end.
-- expect: fail_claim.lua:6: claim 'one is two' does not hold in this run, its verdict is 'reproduces'
-- expect: fail_claim.lua:7: claim 'one is one' holds in this run, its verdict is 'does not reproduce'
-- expect: fail_claim.lua:8: claim 'the mean is 1' does not hold in this run, its verdict is 'reproduces'

assert(not claim { source = "A", says = "one is two", holds = 1 == 2, verdict = "reproduces" })
claim { source = "A", says = "one is one", holds = 1 == 1, verdict = "does not reproduce" }
claim { source = "A", says = "the mean is 1", value = 1.1, published = 1, within = "9 %", verdict = "reproduces" }
