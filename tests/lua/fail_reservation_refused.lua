-- expect: fail_reservation_refused.lua:4: error: policy 'workqueue' does not accept work of kind 'reservation' (reservation 1)
-- expect: full_random, edf_reservations
local s = scenario { platform = platform { host "m" {} }, workload = workload.reservations { { hosts = 1, from = 3, to = 4 } } }
s:run { policy = "workqueue" }
