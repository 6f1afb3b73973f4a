#!/bin/bash
# `perigee check` accepts what a run accepts, and finds in a script what a run would find late.
. "${BASH_SOURCE%/*}/opening.sh"

# accepts NAME < SCRIPT; finds NAME TEXT < SCRIPT
accepts() {
  cat >"$1.lua"
  "$binary" check "$1.lua" >said 2>&1 && grep -q 'nothing wrong was found' said || complain "$1: $(cat said)"
}
finds() {
  cat >"$1.lua"
  ! "$binary" check "$1.lua" >said 2>&1 || complain "$1 was accepted"
  grep -qF -e "$2" said || complain "$1: $(cat said)"
}
small='local s = scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 10 } } }'

printf '#!/usr/bin/env perigee run it'"'"'s\nprint(1)\n' | accepts first_line
accepts memory_of_a_process <<EOS
scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 1 } }, events = {
  process(function(sim) sim:submit { time = 3, memory = "1 GB" } end) } }:run { policy = "fcfs" }
EOS
echo 'experiment "e" { factors = { k = { 1, 2 } }, run = function(f) return { m = f.k } end }:save "e"' >save.lua
"$binary" run save.lua --out . >said 2>&1 || complain "saving: $(cat said)"
accepts saved_again <<EOS
experiment.load "e":save "copy"
EOS
[ ! -e copy.json ] || complain 'check has written a file'
finds line_of_a_module 'line_of_a_module.lua:2: error: arrivals.poisson: at most a million arrivals' <<EOS
local arrivals = require "arrivals"
arrivals.poisson(stream "x", 0, 3)
EOS
finds line_of_an_error 'line_of_an_error.lua:1: error: mine' <<EOS
error "mine"
EOS
exit $((failures > 0))
