-- expect: fail_unknown_field.lua:5: error: cluster 'fast': unknown field 'nodez'; did you mean 'nodes'?
-- expect: 5 |     nodez = 4,
local p = platform {
  cluster "fast" {
    nodez = 4,
    speed = "1 Gop/s",
  },
}
