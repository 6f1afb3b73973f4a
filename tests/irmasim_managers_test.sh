#!/bin/bash
# The workload manager of an IRMaSim options.json as a policy: every type, its options, and what is wrong with it.
# test: thorough
set -u
binary=${PERIGEE_BINARY:?}
data=${PERIGEE_SOURCE_DIR:?}/tests/lua/data/irmasim
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
cp "$data/workload.json" "$data/platform.json" .
failures=0
complain() { failures=$((failures + 1)); printf 'FAILED: %s\n' "$*"; }
cat >policy.lua <<'END'
local s, options = scenario.irmasim "options.json"
s:run { policy = options.policy, information = options.information, submit_first = options.submit_first, validate = true }
print(options.policy, options.submit_first)
END
given() {
  printf '{ "workload_file": "workload.json", "platform_file": "platform.json", "platform_name": "small",\n  "workload_manager": %s }\n' "$1" >options.json
  "$binary" run policy.lua >out 2>err
}
is() {
  given "$1" || complain "$1: $(cat err)"
  [ "$(cat out)" = "$2	${3:-nil}" ] || complain "$1 is $(cat out), not $2"
}
wrong() {
  given "$1" && complain "$1 is taken"
  grep -qF -e "$2" err || complain "$1: $(cat err)"
}

is '{ "type": "Minimal" }' 'minimal'
is '{ "type": "Heuristic", "job_selection": "longest", "resource_selection": "high_core" }' \
  'pending_list { job = "longest", resource = "high_cores" }'
is '{ "type": "Duplex" }' 'planned { map = duplex { form = "sorted" } }'
is '{ "type": "Duplex", "scheduling_option": "max_min" }' 'planned { map = max_min { form = "sorted" } }'
is '{ "type": "Duplex", "duplex_sticky": true, "ct_scope": "job" }' \
  'planned { map = duplex { form = "sorted", sticky = true }, scope = "task" }'
is '{ "type": "duplex_sticky" }' 'planned { map = duplex { form = "sorted", sticky = true } }'
is '{ "type": "AStar", "max_tree_nodes": 16, "job_order": "longest", "h2": "cores" }' \
  'planned { map = a_star { max_tree_nodes = 16, order = "longest", h2 = "cores" } }'
is '{ "type": "min_min", "overtake": true }' 'planned { map = min_min { form = "sorted" }, overtake = true }'
is '{ "type": "minmin" }' 'planned { map = min_min }'
is '{ "type": "duplex_classic" }' 'planned { map = duplex }'
is '{ "type": "sufferage_mah" }' 'planned { map = sufferage { form = "passes" } }'
is '{ "type": "kpb", "k": 50 }' 'planned { map = kpb { k = 50 } }'
is '{ "type": "swa" }' 'planned { map = switching }'
is '{ "type": "swa", "lo": 0.3, "hi": 0.5 }' 'planned { map = switching { low = 0.3, high = 0.5 } }'
is '{ "type": "work_queue" }' 'workqueue'
is '{ "type": "pairing", "job": "longest" }' 'planned { map = pairing { job = "longest" } }'
is '{ "type": "easy" }' 'easy'
is '{ "type": "planned", "map": "mct" }' 'planned { map = mct }'
is '{ "type": "Minimal", "same_instant": "submit_first" }' 'minimal' true
is '{ "type": "mct", "same_instant": "completion_first" }' 'planned { map = mct }'
wrong '{ "type": "AStar", "max_tree_nods": 16 }' "\$.workload_manager.max_tree_nods: there is no such field; did you mean 'max_tree_nodes'? (E_OPTION)"
wrong '{ "type": "Heuristic", "job_selektion": "longest" }' "did you mean 'job_selection'? (E_OPTION)"
wrong '{ "type": "Minimal", "same_instant": "submitfirst" }' "must be one of completion_first, submit_first, got 'submitfirst'; did you mean 'submit_first'? (E_OPTION)"
wrong '{ "type": "Heuristics" }' "options.json:2: error: column 33: \$.workload_manager.type: unknown workload manager 'Heuristics'; did you mean 'Heuristic'? (E_MANAGER)"
wrong '{ "type": "kpb", "k": 0 }' 'options.json: error: workload_manager: kpb: k must be'
wrong '{ "type": "kpb", "k": 0 }' '(E_OPTION)'
wrong '{ "type": "swa", "lo": 0.7, "hi": 0.5 }' 'switching: low must be at most high, got 0.7 and 0.5 (E_OPTION)'
wrong '{ "type": "min_min", "ct_scope": "core" }' "workload_manager: min_min has no parameter 'ct_scope'"
is '{ "type": "Heuristic", "job_selection": "low_mem_ops" }' 'pending_list { job = "low_mem_bw" }'
wrong '{ "type": "Heuristic", "resource_selection": "high_mem" }' "no host of the platform declares any"
wrong '{ "type": "Heuristic", "resource_selection": "high_mem_bw" }' "'high_mem_bw' needs the memory bandwidth of nodes, which is not modelled"
wrong '{ "type": "Heuristic", "resource_selection": "low_power" }' "host 'c.big' declares no power"

[ $failures -eq 0 ] && echo "all as expected"
exit $((failures > 0))
