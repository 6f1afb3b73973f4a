-- expect: fail_backward_outage.lua:2: error: outage: to must be after from = 400 s, got 200
local o = outage { host = "busy.3", from = 400, to = 200 }
