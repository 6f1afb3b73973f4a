-- A calibration whose fit is singular, for all availabilities are 1, says so, once a run; one by times alone does not.
-- expect: calibrated { mode = "univariate", recalibrate = true }: the measured times could not be fitted (fit-fallback)
-- expect: fail_fit_fallback.lua:8: error: 1 warned
local s = scenario { platform = platform { host "a" {}, host "b" { speed = 2 } }, workload = workload.sweep { runs = 20, ops = 1 } }
for _, policy in ipairs { calibrated {}, calibrated { mode = "univariate", recalibrate = true } } do
  s:run { policy = policy }
end
error "1 warned"
