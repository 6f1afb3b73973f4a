-- Names of the Parameter Sweep Template's scheduler lead to those of here.
-- expect: 'sched_new_host'
-- expect: note: what the report calls so is host_changed(self, sim, hosts) of a policy
policy "old" { sched_new_host = function(self, sim, host) end }
