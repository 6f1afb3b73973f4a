-- Searches are entries of the catalogue that schedule nothing: constructors, parameters, and where they do not belong.
-- expect: searches ok
local expect = require("modules.expect")
local same, refused = expect.same, expect.refused

same(table.concat(schedulers "search", " "), "random_search exhaustive annealing pisa genetic cma_es", "the family")
local five = annealing { tries = 5 }
same(tostring(five), "annealing { tries = 5 }", "text")
same(tostring(annealing { tries = 10 }), "annealing", "a default is left out")
same(five.family, "search", "family of a value")
same(cma_es.family, "search", "family of a constructor")
same(tostring(pisa { cooling = 0.9, coldest = 1 }), "pisa { coldest = 1, cooling = 0.9 }", "order of parameters")

refused("annealing: tries must be from 1 to 10000, got 0", function() annealing { tries = 0 } end)
refused("annealing has no parameter 'trys'; did you mean 'tries'?", function() annealing { trys = 3 } end)
refused("annealing: coldest must be at most hottest, 0.1, got 0.2", function() annealing { hottest = 0.1, coldest = 0.2 } end)
refused("genetic: elite must be below population, 4, got 4", function() genetic { population = 4, elite = 4 } end)

-- Neither a policy nor a mapper nor a graph scheduler.
local s = scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 1 } } }
refused("policy: 'annealing' is a search, not a policy", function() s:run { policy = "annealing" } end)
refused("policy: 'genetic' is a search, not a policy", function() s:run { policy = genetic { tries = 2 } } end)
refused("map: the mapper: 'exhaustive' is a search, not a mapper", function() map("exhaustive", etc { { 1 } }) end)
refused("mapped: map must be a mapper, but \"pisa\" is a search", function() mapped { map = "pisa" } end)
refused("but pisa is a search", function() best_of { "mct", pisa } end)
refused("'cma_es' is a search, not a mapper", function()
  heuristic "mine" { parameters = { first = cma_es }, pick = function(c, t) return c:time(t) end }
end)
print "searches ok"
