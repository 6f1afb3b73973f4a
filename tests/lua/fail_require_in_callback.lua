-- A module that a run would load would be loaded for the first run only.
-- expect: fail_require_in_callback.lua:6: error: require: 'modules.helper' must be loaded before a run: require it at the top of the script
-- expect: in policy 'late', arrived of 1 (task 1) at t = 0 s
policy "late" {
  arrived = function(self, sim, works)
    local helper = require "modules.helper"
    for _, w in ipairs(works) do sim:start(w, helper.twice(1)) end
  end,
}
scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 1 } } }:run { policy = "late" }
