# Sourced by slurm_test.sh: what takes minutes.
# shellcheck shell=bash disable=SC2154

# ---- a node that fails: its slurmd, its step and its worker are killed, then the slurmd alone ----
kill_node() {  # NAME [slurmd]: all of it, or the slurmd alone
  kill -9 "$(cat "$work/slurm/run/slurmd-$1.pid")"
  [ -z "${2:-}" ] || return
  for pid in $(pgrep -x slurmstepd) $(workers); do
    tr '\0' '\n' 2>/dev/null <"/proc/$pid/environ" | grep -qx "SLURMD_NODENAME=$1" && kill -9 "$pid"
  done
}
start_node() { slurmd -N "$1"; wait_for eval '[ "$(sinfo -h -n '"$1"' -o %t)" = idle ]'; }
for what in '' slurmd; do
  rm -rf node node.*
  started=$SECONDS
  "$perigee" run study.lua --out node --workers 'slurm:3 --nodes=3' "${local_only[@]}" --set work=60000 --set replications=80 >node.out 2>node.err </dev/null &
  child=$!
  wait_for grep -q '"done": [1-9]' node/progress.json
  node=$(squeue -h -o %N | sed 's/n\[\{0,1\}\([0-9]*\).*/n\1/')
  kill_node "$node" $what
  status=0
  { wait $child; } 2>/dev/null || status=$?
  [ $status = 0 ] || complain "a node failed ($what): exit status $status: $(cat node.err)"
  same_as_many node
  printf 'a node failed (%s): %s s; %s\n' "${what:-all}" $((SECONDS - started)) "$(sinfo -h -o '%T %N' | tr '\n' ' ')"
  sed 's/^/    | /' node.err
  nobody_left 'a failed node'
  start_node "$node"
  wait_for jobs_over
done

# ---- time limits: one job is warned before its end, of the other one nothing is known until Slurm ends it ----
"$perigee" submit study.lua --nodes 2 --time '1 min' --out limit --set work=50000 --set replications=1000 --now >said 2>&1 || complain "submit: $(cat said)"
"$perigee" submit study.lua --nodes 1 --time '1 min' --out sudden --set work=50000 --set replications=1000 >job.sh || complain 'submit'
sed -i '/--signal/d' job.sh
sbatch --parsable job.sh >said 2>&1 || complain "sbatch: $(cat said)"
started=$SECONDS
until jobs_over || [ $((SECONDS - started)) -gt 240 ]; do sleep 1; done
printf 'jobs of a minute were over after %d s\n' $((SECONDS - started))
cat limit/shards/*.out sudden/shards/*.out
for out in limit/shards/1.out limit/shards/2.out sudden/shards/1.out; do
  says $out 'interrupted; [1-9][0-9]* of [0-9]+ cells are kept' 'a time limit'
done
"$perigee" submit study.lua --nodes 2 --time '1 h' --out limit --now >said 2>&1
wait_for jobs_over
"$perigee" merge limit limit/shards/*/ >said 2>&1 || complain "merge: $(cat said)"
study limit

# Workers of a job that ends: they leave before, srun starts others.
"$perigee" run study.lua --out short --workers 'slurm:2 --time=1' --workers local:1 "${local_only[@]}" --set work=100000 --set replications=80 >short.out 2>short.err </dev/null &
child=$!
status=0
{ wait $child; } 2>/dev/null || status=$?
[ $status = 0 ] || complain "workers with a time limit: exit status $status: $(cat short.err)"
same_as_many short
! grep -q 'is lost' short.err || complain "workers did not leave before their end: $(cat short.err)"
sed 's/^/    | /' short.err
wait_for jobs_over

# ---- 50 kills at random: workers, slurmd, the coordinator ----
kills=0 coordinators=0 slurmds=0 started=$SECONDS
until [ $kills -ge 50 ]; do
  "$perigee" run study.lua --out fifty --workers slurm:4 --workers local:1 "${local_only[@]}" --set work=20000 --set replications=80 >fifty.out 2>fifty.err </dev/null &
  child=$!
  while kill -0 $child 2>/dev/null && [ $kills -lt 50 ]; do
    sleep "0.$((30 + RANDOM % 60))"
    kills=$((kills + 1))
    case $((RANDOM % 10)) in
      0 | 1 | 2) kill -9 $child 2>/dev/null; coordinators=$((coordinators + 1)) ;;
      3 | 4)
        node=n$((1 + RANDOM % nodes))
        kill_node "$node" slurmd
        slurmds=$((slurmds + 1))
        slurmd -N "$node"
        ;;
      *) pid=$(workers | one_of); [ -z "$pid" ] || kill -9 "$pid" 2>/dev/null ;;
    esac
  done
  status=0
  { wait $child; } 2>/dev/null || status=$?
  grep -a -v 'is lost' fifty.err | sed 's/^/    | /'
  if [ $status = 0 ]; then same_as_many fifty; rm -rf fifty; fi
done
"$perigee" run study.lua --out fifty --workers slurm:4 "${local_only[@]}" --set replications=80 >fifty.out 2>fifty.err </dev/null || complain "after 50 kills: $(cat fifty.err)"
same_as_many fifty
printf '%d kills, of these %d of the coordinator and %d of a slurmd, in %d s\n' $kills $coordinators $slurmds $((SECONDS - started))
nobody_left '50 kills'
