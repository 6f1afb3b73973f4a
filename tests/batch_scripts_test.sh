#!/bin/bash
# Scripts of scripts/batch beyond their own runs: EASY against conservative on logs, and what the head of maintenance_tomorrow.lua says to type.
. "${BASH_SOURCE%/*}/opening.sh"
scripts=${PERIGEE_SOURCE_DIR:?}/scripts/batch

# The NASA iPSC log, where it lies beside the project. The numbers are those of an independent program.
log=$PERIGEE_SOURCE_DIR/../shared/data/swf/NASA-iPSC-1993-3.1-cln.swf.gz
if [ -f "$log" ]; then
  "$binary" run "$scripts/easy_and_conservative.lua" --set log="$log" --set speed=1.6 >out 2>err || complain "NASA: $(cat err)"
  says out '^fcfs +exact +103319\.46 +2371\.8341 ' NASA
  says out '^easy +exact +7513\.84 +106\.1947 ' NASA
  says out '^conservative +exact +8455\.37 +115\.9767 ' NASA
  grep -q '^claim' out && complain "NASA: a claim is made of a log that is not of an SP2"
else
  echo "skipped: there is no $(basename "$log") beside the project"
fi

# A log of an SP2, by hand. Two of four nodes are busy until 10 s, requested until 20 s; job 2 needs all four, job 3 two for 5 s.
# Job 2 is promised 20 s, or 10 s with exact times; job 3 runs beside job 1 in either case, so that the policies are alike.
cat >sp2.swf <<'END'
; Computer: IBM SP2
; MaxProcs: 4
1 0 -1 10 2 -1 -1 2 20 -1 1 1 1 1 1 1 -1 -1
2 1 -1 5 4 -1 -1 4 6 -1 1 1 1 1 1 1 -1 -1
3 2 -1 5 2 -1 -1 2 8 -1 1 1 1 1 1 1 -1 -1
END
"$binary" run "$scripts/easy_and_conservative.lua" --set log=sp2.swf >out 2>err || complain "SP2: $(cat err)"
for policy in easy conservative; do  # job 2 waits from 1 s to 10 s, the others not: slowdowns 1, 14 / 10, 1
  says out "^$policy +requested +3\.00 +1\.1333 " SP2
  says out "^$policy +exact +3\.00 +1\.1333 " SP2
done
says out '^fcfs +requested +7\.33 ' SP2  # job 2 from 10 s, job 3 from 15 s: 9 and 13 s
says out "^claim: on logs of an SP2, .*: not contradicted in this run" SP2

# The head says what to type. Each line is an input, and a remark behind three blanks.
script=$scripts/maintenance_tomorrow.lua
sed -n '/Type, for example/,/--set policy/{s/^--   \([a-z].*\)$/\1/p}' "$script" | sed 's/   .*//' >typed
[ "$(wc -l <typed)" -ge 6 ] || complain "what to type: $(cat typed)"
"$binary" repl "$script" <typed >out 2>err || complain "what the head says to type: $(cat err)"
says out '^today [0-9]+:[0-9]{2}$' 'the time of a quote'
says out '^wide waits at t = 28800 s, under easy$' 'why'
says out 'maintenance from 108000 s to 122400 s$' 'why'
says out '^simulation of fcfs at t = 28800 s' 'another policy'

[ $failures -eq 0 ] && echo "all as expected"
exit $((failures > 0))
