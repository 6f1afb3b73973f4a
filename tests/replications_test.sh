#!/bin/bash
# Replications that end at `most` without the precision asked for are told of once, with the combinations.
. "${BASH_SOURCE%/*}/opening.sh"

cat >share.lua <<'EOS'
experiment(setting("name", "wide")) {
  factors = { spread = { 0, 100 } },
  replications = { least = 2, most = 4, half_width = setting("half_width", "2 %"), measure = "m" },
  run = function(f) return { m = 50 + f.spread * stream("x"):uniform() } end,
}
EOS
sed 's/setting("half_width", "2 %")/2/' share.lua >number.lua

"$binary" run number.lua >out 2>said || complain "it fails: $(cat said)"
says said "experiment 'wide': 1 of 2 combinations reached 4 replications, the most, with an interval of 'm' that is wider than \\+- 2: spread = 100 \\(\\+- [0-9.]+\\)" 'the warning'
[ "$(grep -c warning said)" = 1 ] || complain "more than one warning: $(cat said)"
"$binary" run share.lua >out 2>said
says said 'wider than \+- 2 %: spread = 100' 'the warning of a share'
"$binary" run share.lua --set name=narrow --set half_width='99 %' >out 2>said
[ ! -s said ] || complain "a narrow one warns: $(cat said)"
exit $((failures > 0))
