-- The policies of the IRMaSim thesis, by the names it gives them; its min-min, max-min and duplex sort the jobs once.
-- takes: nothing, the other scripts here use it
-- test: no
local sorted = { form = "sorted" }

-- names in the order of its figures, and name -> policy. A* keeps at most so many leaves.
return function(max_tree_nodes)
  local policies = {
    { "first_first", minimal {} },
    { "full_random", full_random {} },
    { "shortest_fastest", shortest_fastest {} },
    { "longest_fastest", longest_fastest {} },
    { "min_min", planned { map = min_min(sorted) } },
    { "max_min", planned { map = max_min(sorted) } },
    { "duplex", planned { map = duplex(sorted) } },
    { "a_star", planned { map = a_star { order = "random", max_tree_nodes = max_tree_nodes } } },
  }
  local names, policy_of = {}, {}
  for i, each in ipairs(policies) do names[i], policy_of[each[1]] = each[1], each[2] end
  return names, policy_of
end
