-- expect: fail_unknown_host.lua:6: error: outage: unknown host 'busy.33'; did you mean 'busy.3'?
local s = scenario {
  platform = platform { cluster "busy" { nodes = 12 } },
  workload = workload.tasks { { time = 1 } },
  events = {
    outage { host = "busy.33", from = 200, to = 400 },
  },
}
