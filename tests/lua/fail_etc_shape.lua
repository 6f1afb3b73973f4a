-- expect: fail_etc_shape.lua:2: error: workload.etc: the matrix has 2 machines, the platform 1 hosts
local w = workload.etc(etc { { 1, 2 }, { 3, 4 } })
scenario { platform = platform { host "a" {} }, workload = w }:run { policy = "mapped" }
