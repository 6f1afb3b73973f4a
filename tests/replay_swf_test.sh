#!/bin/bash
# scripts/replay-swf.lua on a log of six jobs that tests/lua/swf.lua works out by hand, and on the NASA iPSC log
# where it lies beside the project. Core-seconds and numbers of jobs are counted by awk.
# test: thorough
set -u
binary=${PERIGEE_BINARY:?}
root=${PERIGEE_SOURCE_DIR:?}
script=$root/scripts/replay-swf.lua
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0
complain() { failures=$((failures + 1)); printf 'FAILED: %s\n' "$*"; }
says() { grep -qE -e "$2" "$1" || { complain "$1 does not say: $2"; cat "$1"; }; }

# ---- the small log, by a path as seen from here
cp "$root/tests/lua/data/small.swf" here.swf
"$binary" run "$script" --set log=here.swf --set policy=fcfs,workqueue,mapped,mct --out saved >out 2>err || complain "small log: $(cat err)"
says out '^here.swf: Toy, Nowhere$'
says out '^5 of its 6 jobs, on 1 x 4 cores$'
says out '^ +1  jobs with a run time of 0: left out$'
says out '^ +1  jobs submitted earlier than the job before them: .*\(order = sort\)$'
says out '^ +1  jobs that ran longer than they requested: .*\(overrun = keep\)$'
says out '^  - 1 of 6 jobs have no requested time'
#         finished mean_wait max_wait bounded utilization makespan
says out '^fcfs +5 +8\.4 +14 +1\.42 +0\.64286 +21 +complete$'
says out '^workqueue +5 +3\.4 +10 +[0-9.]+\* +0\.79412\* +17\* +complete$'
# min_min: job2 0-5, then job4 5-8 and job3 5-11, then job1 8-18 and job6 10-12. In order of arrival, each job
# on the cores that are free first, mct on a single host is fcfs.
says out '^mapped . map = min_min .  +5 +3\* +8\* +[0-9.]+ +0\.75 +18 +complete$'
says out '^mapped . map = mct .  +5 +8\.4 +14 +1\.42 +0\.64286 +21 +complete$'
[ "$(ls saved)" = "$(printf 'fcfs\nmapped\nmct\nworkqueue')" ] || complain "saved: $(ls saved)"
# Cores as intervals: job1 has 0-1, all of job2; then job4, job3, job6 side by side.
awk -F, 'NR > 1 { print $1, $9, $11, $15 }' saved/fcfs/batsim_jobs.csv >batsim
printf 'job1 0 10 0-1\njob2 10 15 0-3\njob4 15 18 0-1\njob3 15 21 2\njob6 15 17 3\n' | cmp - batsim || complain "$(cat batsim)"
# In the Paje trace the cores are busy for as long: 54 core-seconds.
awk '$1 == "%EventDef" { event[$2] = $3 }
     $1 == event["PajePushState"] { since[$4] = $2 }
     $1 == event["PajePopState"] { busy += $2 - since[$4] }
     END { exit busy != 54 }' saved/fcfs/paje.trace || complain "the Paje trace is not busy for 54 core-seconds"
"$binary" replay saved/workqueue >out 2>err && complain "the replay card without its log: exit status 0"
says err 'error: the run read here.swf, which is not beside the card; give its folder with --data; it was looked for in saved/workqueue'
"$binary" replay saved/workqueue --data . | grep -q '^identical: workqueue' || complain "the replay card"
(cd / && "$binary" replay "$work/saved/fcfs" --data "$work") | grep -q '^identical: fcfs' || complain "the replay card, from elsewhere"

# ---- the same log over the nodes of its machine, one of which is away from 9 s to 20 s
# Under fcfs job1 (2 nodes) runs on 1 and 2 from 0, job2 (4 nodes) behind it. Node 1 takes job1 with it.
"$binary" run "$script" --set log=here.swf --set nodes=log --set down=machine.1 --set from="9 s" --set to="20 s" >out 2>err || complain "nodes: $(cat err)"
says out '^5 of its 6 jobs, on 4 x 1 cores$'
says out '^fcfs: 1 died \(1 lost, outage\)$'
says out '^  job1 \(2 cores\), begun at 0 s, lost at 9 s: outage$'
"$binary" run "$script" --set log=here.swf --set nodes=log --set down=machine.1 --set from="9 s" --set to="20 s" --set known="0 s" >out 2>err || complain "known: $(cat err)"
grep -q ' died' out && complain "a job dies in an outage that is known: $(cat out)"
"$binary" run "$script" --set log=here.swf --set nodes=2 --set cores=2 --set shape=processes >out 2>err || complain "processes: $(cat err)"
says out '^5 of its 6 jobs, on 2 x 2 cores$'
says out '^fcfs +5 +8\.4 +14 +1\.42 +0\.64286 +21 +complete$'

# ---- without a log, and with what is no log
"$binary" run "$script" >out 2>err && complain "no log: exit status 0"
says err 'error: which log\? pass one with --set log=FILE'
[ -s out ] && complain "no log: it prints $(cat out)"
grep -v MaxProcs here.swf >headless.swf
"$binary" run "$script" --set log=headless.swf >out 2>err && complain "no MaxProcs: exit status 0"
says err 'headless.swf: its header has neither MaxProcs nor MaxNodes; pass --set cores=N'
"$binary" run "$script" --set log=headless.swf --set cores=4 >out 2>err || complain "cores: $(cat err)"
says out '^fcfs +5 +8\.4 '
"$binary" run "$script" --set log=here.swf --set hosts=2 >out 2>err && complain "two hosts: exit status 0"
says err '^here.swf:8: error: job2 needs 4 cores, the widest host has 2 .*oversize = "drop", "clip" or "split"'
"$binary" run "$script" --set log=here.swf --set hosts=2 --set oversize=split >out 2>err || complain "split: $(cat err)"
says err 'here.swf: 1 jobs wider than the widest host: divided into jobs as wide as the widest host'
says out '^fcfs +6 '
gzip -c here.swf >packed.swf.gz
head -c 150 packed.swf.gz >cut.swf.gz
: >empty.swf
mkdir folder.swf
mkfifo pipe.swf
ln -s /dev/zero zero.swf
ln -s here.swf link.swf
head -c 2000000 /dev/zero | tr '\0' '7' >long.swf
"$binary" run "$script" --set log=packed.swf.gz >out 2>err || complain "gz: $(cat err)"
says out '^fcfs +5 +8\.4 '
"$binary" run "$script" --set log=link.swf >out 2>err || complain "link: $(cat err)"
for case in "cut.swf.gz:cut.swf.gz" "empty.swf:the file is empty" "folder.swf:is a folder" "pipe.swf:is not a regular file" \
  "zero.swf:is not a regular file" "none.swf:there is no such file" "long.swf:long.swf:1"; do
  timeout 600 "$binary" run "$script" --set log="${case%%:*}" >out 2>err
  status=$?
  [ $status -eq 1 ] || complain "${case%%:*}: exit status $status"
  says err "error: .*${case#*:}|${case#*:}.*error: "
  [ "$(grep -c 'error: ' err)" -eq 1 ] || complain "${case%%:*}: $(cat err)"
done

awk 'BEGIN { for (j = 1; j <= 40000; ++j) print j, j, -1, 5, 1, -1, -1, 1, 9, -1, 1, 1, 1, -1, -1, -1, -1, -1 }' >many.swf
"$binary" run "$script" --set log=many.swf --set cores=9 --memory 4MB >out 2>err && complain "memory: exit status 0"
says err 'error: the script needs more memory than 4 MB \(--memory\)'
says err 'note: in reading many.swf'

# ---- the whole of a real log
log=$root/../shared/data/swf/NASA-iPSC-1993-3.1-cln.swf.gz
if [ -f "$log" ]; then
  "$binary" run "$script" --set log="$log" --set policy=fcfs,workqueue,mct --out nasa >out 2>err || complain "NASA: $(cat err)"
  says out '^18066 of its 18239 jobs, on 1 x 128 cores$'
  says out '^  - no requested times: '
  says out '^  - no wait times: .*the given submit times are actually start times'
  zcat "$log" | awk '!/^;/ && $4 > 0 && $5 > 0 { jobs++; area += $4 * $5 } END { print jobs, area }' >facts
  for policy in fcfs workqueue mct; do
    awk -F, 'NR > 1 && $8 == "COMPLETED_SUCCESSFULLY" { jobs++; area += $5 * $10 } END { print jobs, area }' \
      nasa/$policy/batsim_jobs.csv | cmp - facts || complain "$policy: jobs and core-seconds differ"
  done
else
  echo "skipped: there is no $(basename "$log") beside the project"
fi

[ $failures -eq 0 ] && echo "all as expected"
exit $((failures > 0))
