-- expect: fail_not_modelled.lua:4: error: host 'a': unknown field 'memory'
-- expect: note: hosts have cores and no memory, accelerators or disks (docs/model.md, at its end)
platform {
  host "a" { cores = 2, memory = "4 GB" },
}
