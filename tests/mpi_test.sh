#!/bin/bash
# Workers that mpirun starts, and that connect back: the same bytes, ranks and mpirun killed, errors of mpirun.
# test: thorough
here=$(CDPATH='' cd -- "${BASH_SOURCE%/*}" && pwd -P)
. "$here/opening.sh"
. "$here/workers.sh"
needs mpirun openmpi-bin || exit 0
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
local_only=(--listen 127.0.0.1)
timeout 30 mpirun --oversubscribe -n 1 true 2>/dev/null || { skip 'mpirun starts nothing here'; exit 0; }

"$perigee" run study.lua --out mpi --workers mpi:3 "${local_only[@]}" --set work=500 >mpi.out 2>mpi.err </dev/null &
child=$!
wait_for test -s mpi/workers.json && secret_is_kept mpi
status=0
wait $child || status=$?
[ $status = 0 ] || complain "three ranks: exit status $status: $(cat mpi.err)"
same mpi
says_the_same mpi
[ ! -e mpi/workers.json ] || complain 'the file of access is still there'
nobody_left 'three ranks'
study mixture --workers mpi:2 --workers local:1 --jobs 1 "${local_only[@]}" --set work=500
nobody_left 'a mixture of workers'

# Ranks and mpirun itself, killed.
"$perigee" run study.lua --out many --jobs 1 --set replications=80 >many.out 2>many.err </dev/null
"$perigee" run study.lua --out killed --workers mpi:3 --workers local:1 "${local_only[@]}" --set work=4000 --set replications=80 >killed.out 2>killed.err </dev/null &
child=$!
kills=0
RANDOM=4711
while kill -0 $child 2>/dev/null && [ $kills -lt 6 ]; do
  sleep "0.$((50 + RANDOM % 40))"
  if [ $kills = 3 ]; then pid=$(pgrep -f "^mpirun .*$perigee"); else pid=$(workers); fi
  pid=$(one_of <<<"$pid")
  [ -z "$pid" ] || { kill -9 "$pid" 2>/dev/null && kills=$((kills + 1)); }
done
status=0
{ wait $child; } 2>/dev/null || status=$?
[ $status = 0 ] || complain "killed ranks: exit status $status: $(cat killed.err)"
cmp many.out killed.out && cmp many/second.csv killed/second.csv && cmp many/first.json killed/first.json || complain "differs after $kills kills"
printf '%d ranks and mpirun were killed\n' $kills
nobody_left 'killed ranks'

# The coordinator: killed, and told to end.
for signal in KILL TERM; do
  rm -f gone/progress.json
  "$perigee" run study.lua --out gone --workers mpi:2 "${local_only[@]}" --set work=2000 >gone.out 2>gone.err </dev/null &
  child=$!
  wait_for grep -q '"done": [1-9]' gone/progress.json
  kill -$signal $child
  { wait $child; } 2>/dev/null
  nobody_left "the coordinator after $signal"
done
study gone --workers mpi:2 "${local_only[@]}"

"$perigee" run study.lua --out none --workers 'mpi:2 --no-such-option' "${local_only[@]}" >said 2>&1 </dev/null && complain 'an option that mpirun does not have'
says said 'error: .*no worker is left: mpirun ended with status [1-9][0-9]* before a worker was ready' 'an option that mpirun does not have'
nobody_left 'an option that mpirun does not have'
exit $((failures > 0))
