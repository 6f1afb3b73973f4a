#!/bin/bash
# Where the machine has no more memory while JSON is read or dropped, the script ends with a message. Nothing aborts.
# test: thorough
. "${BASH_SOURCE%/*}/opening.sh"

awk 'BEGIN { print "["; for (i = 1; i < 600000; ++i) print "{\"a\":[" i ",[]]},"; print "0]" }' >objects.json
echo 'json.read "objects.json"' >objects.lua
cat >cells.lua <<'END'
local function measured(f) local m = {} for i = 1, 30 do m["m" .. i] = f.k end return m end
experiment "cells" { factors = { k = { 1, 2 } }, replications = 8000, run = measured }:save "cells"
END
"$binary" run cells.lua --out . >out 2>err || complain "cells: $(cat err)"
echo 'experiment.load "cells"' >load.lua
if [ "$instrumented" -eq 0 ]; then
  while read -r name size; do
    (ulimit -v "$size"; timeout 600 "$binary" run "$name.lua" >out 2>err)
    [ $? -eq 1 ] || complain "$name in $size KB: $(cat err)"
    says err "^$name.lua:1: error: this machine has not enough memory" "$name in $size KB"
  done <<'END'
objects 60000
objects 90000
objects 130000
objects 170000
load 50000
load 65000
END
fi
awk 'BEGIN { for (i = 0; i < 1000000; ++i) printf "["; for (i = 0; i < 1000000; ++i) printf "]" }' >nested.json
echo 'json.read "nested.json"' >nested.lua
timeout 600 "$binary" run nested.lua >out 2>err
[ $? -eq 1 ] || complain "brackets within brackets: $(cut -c1-200 err)"
says err 'more than 100 levels deep' 'brackets within brackets'

exit $((failures > 0))
