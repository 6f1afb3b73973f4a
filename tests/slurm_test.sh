#!/bin/bash
# A Slurm of its own at 127.0.0.1: the lines of the page on experiments as they are printed, jobs of `perigee submit`, workers
# that srun starts; tasks, srun, jobs and coordinators that are killed, cancelled and queued again. With PERIGEE_LONG=1 also
# what takes minutes: nodes that fail, time limits, 50 kills at random.
# test: thorough
here=$(CDPATH='' cd -- "${BASH_SOURCE%/*}" && pwd -P)
. "$here/opening.sh"
. "$here/workers.sh"
root=$PERIGEE_SOURCE_DIR
[ -f "$tools/minislurm.sh" ] || { skip "no $tools/minislurm.sh"; exit 0; }
needs slurmctld slurmctld slurmd slurm-client munge libpmix2 && needs srun slurm-client && needs munged munge && needs slurmd slurmd || exit 0
export SLURM_BASE_PORT=${SLURM_BASE_PORT:-17100}
nodes=8
engine_stops+=('bash "$tools/minislurm.sh" stop "$work/slurm" 2>/dev/null')
chmod 755 "$work"
bash "$tools/minislurm.sh" start "$work/slurm" $nodes 2 >slurm.said 2>&1 || { cat slurm.said; skip 'no Slurm can be started here'; exit 0; }
. "$work/slurm/env"
local_only=(--listen 127.0.0.1)
jobs_over() { [ -z "$(squeue -h)" ]; }
state_of() { sed -n "s/^JobId=$1 .*JobState=\([A-Z_]*\) .*/\1/p" "$work/slurm/log/jobcomp.log" | tail -n 1; }

# ---- the lines of the page, as they are printed ----
page=$root/docs/experiments.md
mkdir page
cd page || exit 1
awk '/<!-- file: study.lua -->/ { getline; on = 1; next } on && /^```/ { exit } on' "$page" >study.lua
sed -n '/^## On a cluster with Slurm/,/^## /s/^    perigee /perigee /p' "$page" >lines
[ "$(wc -l <lines)" = 4 ] || complain "the page's lines for Slurm: $(cat lines)"
"$perigee" run study.lua --out ../page.one >../page.printed
run_line() { PATH=$work:$PATH sh -c "$(sed -n "$1p" lines)" >said 2>said.err </dev/null || complain "line $1 of the page: $(cat said.err)"; }
run_line 1
says said '^job [1-9][0-9]*: 8 shards of study\.lua; when it has ended:' 'perigee submit --now'
says said '^  perigee merge results results/shards/\*/$' 'perigee submit --now'
wait_for jobs_over
[ "$(cat results/shards/*.out | grep -c '^shard [1-8] of 8: experiment .study.: 5 of its 5 cells are stored in results/shards/[1-8]$')" = 8 ] ||
  complain "the shards: $(cat results/shards/*.out)"
run_line 2
says said '^study: 40 cells from 8 stores$' 'the line that merges'
run_line 3
cmp said ../page.printed && cmp results/study.csv ../page.one/study.csv || complain 'the tables of the shards differ'
# Submitted again, finished shards compute nothing.
run_line 1
wait_for jobs_over
PATH=$work:$PATH perigee status results/shards/*/ >said 2>&1
says said '^study: 40 of 40 cells done, 40 stored before$' 'shards that were finished'
rm -r results
PATH=$work:$PATH sh -c "$(sed -n 4p lines) --listen 127.0.0.1" >said 2>said.err </dev/null || complain "line 4 of the page: $(cat said.err)"
cmp said ../page.printed && cmp results/study.csv ../page.one/study.csv || { complain 'the tables of --workers slurm differ'; diff said ../page.printed; }
cd "$work" || exit 1
nobody_left 'the lines of the page'

# ---- perigee submit ----
"$perigee" submit study.lua --nodes 1001 --time 1h >said 2>&1 && complain 'more than MaxArraySize'
says said "error: --nodes 1001: an array of jobs has at most 1000 here \(Slurm's MaxArraySize - 1\); give --nodes 1000 or less" MaxArraySize
odd="a b#%a's"
mkdir "$odd"
cp study.lua "$odd/st udy.lua"
(
  cd "$odd" || exit 1
  "$perigee" submit 'st udy.lua' --nodes 2 --time '2 min' --out 're s%j' --cores 1 --set "work=1" -- --comment='it"s #1' >job.sh || complain "submit: $(cat job.sh)"
  ! command -v shellcheck >/dev/null || shellcheck job.sh || complain 'shellcheck'
  exit $((failures > 0))
) || failures=$((failures + 1))
(cd / && sbatch --parsable "$work/$odd/job.sh" >"$work/said" 2>&1) || complain "sbatch: $(cat said)"
wait_for jobs_over
[ "$(cat "$odd/re s%j/shards/"*.out | grep -c '^shard [12] of 2: experiment .first.: ')" = 2 ] || complain "odd names: $(cat "$odd/re s%j/shards/"*.out)"
"$perigee" submit study.lua --nodes 2 --time 1h --now --out refused -- --partition=nowhere >said 2>&1 && complain 'a partition that is not there'
says said 'invalid partition specified: nowhere' 'a partition that is not there'
says said 'error: sbatch has not taken the job' 'a partition that is not there'

# An array task that is queued again, another that is cancelled: what was done stays, the same command goes on.
"$perigee" submit study.lua --nodes 2 --time 1h --out queue --set work=60000 --now >said 2>&1 || complain "submit: $(cat said)"
job=$(sed -n 's/^job \([0-9]*\):.*/\1/p' said)
wait_for amid_second queue/shards/1
wait_for amid_second queue/shards/2
[ "$(squeue -h -j "$job" -o %T | sort -u)" = RUNNING ] || complain "the shards are too short: $(squeue)"
scontrol requeue "${job}_1"
scancel "${job}_2"
wait_for grep -q 'interrupted; [1-9][0-9]* of [0-9]* cells are kept in queue/shards/1/experiments.sqlite' queue/shards/1.out
wait_for grep -q 'interrupted; [1-9][0-9]* of [0-9]* cells are kept in queue/shards/2/experiments.sqlite' queue/shards/2.out
wait_for eval '[ "$(squeue -h -j '"$job"' -o %T)" = PENDING ]'
sleep 2  # Slurm refuses a start in the second in which it has revoked the last one
scontrol update "JobId=${job}_1" StartTime=now  # or it would wait for two minutes
wait_for jobs_over
wait_for grep -q '^shard 1 of 2: experiment .fourth.: ' queue/shards/1.out
"$perigee" submit study.lua --nodes 2 --time 1h --out queue --now >said 2>&1
wait_for jobs_over
"$perigee" merge queue queue/shards/*/ >said 2>&1 || complain "merge: $(cat said)"
study queue

# ---- workers that srun starts ----
"$perigee" run study.lua --out srun --workers slurm:4 "${local_only[@]}" --set work=1000 >srun.out 2>srun.err </dev/null &
child=$!
wait_for test -s srun/workers.json && secret_is_kept srun
status=0
wait $child || status=$?
[ $status = 0 ] || complain "four tasks: exit status $status: $(cat srun.err)"
same srun
says_the_same srun
[ ! -e srun/workers.json ] || complain 'the file of access is still there'
study mixture --workers slurm:2 --workers local:1 --jobs 1 "${local_only[@]}" --set work=500
nobody_left 'workers that srun starts'
"$perigee" run study.lua --out none --workers 'slurm:2 --partition=nowhere' "${local_only[@]}" >said 2>&1 </dev/null && complain 'a partition that is not there'
says said 'invalid partition specified: nowhere' 'a partition that is not there'
says said 'error: .*no worker is left: srun ended with status 1 before a worker was ready' 'a partition that is not there'
[ "$(grep -c 'lua:[0-9]*: error:\|^error:' said)" = 1 ] || complain "no single error: $(cat said)"

"$perigee" run study.lua --out many --jobs 1 --set replications=80 >many.out 2>many.err </dev/null
same_as_many() { cmp many.out "$1.out" && cmp many/second.csv "$1/second.csv" && cmp many/first.json "$1/first.json" || complain "$1: differs"; }
# Tasks, srun and its job, killed and cancelled.
"$perigee" run study.lua --out killed --workers slurm:3 --workers local:1 "${local_only[@]}" --set work=6000 --set replications=80 >killed.out 2>killed.err </dev/null &
child=$!
RANDOM=4711
kills=0
while kill -0 $child 2>/dev/null && [ $kills -lt 8 ]; do
  sleep "0.$((40 + RANDOM % 40))"
  case $kills in
    2) pid=$(pgrep -o -f "^srun .*$perigee") ;;
    5) scancel "$(squeue -h -o %A | one_of)"; pid= ;;
    *) pid=$(workers | one_of) ;;
  esac
  [ -z "$pid" ] || kill -9 "$pid" 2>/dev/null
  kills=$((kills + 1))
done
status=0
{ wait $child; } 2>/dev/null || status=$?
[ $status = 0 ] || complain "killed tasks: exit status $status: $(cat killed.err)"
same_as_many killed
printf '%d tasks, jobs and srun were killed\n' $kills
nobody_left 'killed tasks'
wait_for jobs_over

# The coordinator: killed and interrupted; its tasks end, and its job.
for signal in KILL INT; do
  rm -f gone/progress.json
  env --default-signal=INT "$perigee" run study.lua --out gone --workers slurm:2 "${local_only[@]}" --set work=4000 >gone.out 2>gone.err </dev/null &
  child=$!
  wait_for grep -q '"done": [1-9]' gone/progress.json
  kill -$signal $child
  { wait $child; } 2>/dev/null
  nobody_left "the coordinator after $signal"
  wait_for jobs_over
done
study gone --workers slurm:2 "${local_only[@]}"

# The coordinator is itself a job, warned by a signal before its end.
cat >job.sh <<JOB
#!/bin/sh
#SBATCH --ntasks=2 --time=1 --signal=B:USR1@10 --open-mode=append --output=job.out
exec '$perigee' run study.lua --out job --workers slurm:2 --listen 127.0.0.1 --set work=60000
JOB
job=$(sbatch --parsable job.sh)
wait_for amid_second job
scancel --signal=USR1 --batch "$job"
wait_for jobs_over
says job.out 'interrupted; [1-9][0-9]* of [0-9]+ cells are kept in job/experiments.sqlite, and the same command goes on' 'a job that is warned'
nobody_left 'a job that is warned'
[ -z "${PERIGEE_LONG:-}" ] || . "$here/slurm_long.sh"
exit $((failures > 0))
