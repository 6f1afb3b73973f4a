-- expect: fail_not_modelled.lua:4: error: host 'a': unknown field 'disk'
-- expect: note: disks of hosts are not modelled (docs/model.md, at its end)
platform {
  host "a" { cores = 2, disk = "4 GB" },
}
