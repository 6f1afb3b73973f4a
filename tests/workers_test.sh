#!/bin/bash
# Workers in other processes of this machine: the same bytes however many there are and however they end, with the
# coordinator killed or interrupted; strangers at the door; files of access; values that are refused.
# test: thorough
here=$(CDPATH='' cd -- "${BASH_SOURCE%/*}" && pwd -P)
. "$here/opening.sh"
. "$here/workers.sh"
long=${PERIGEE_LONG:+1}
replications=$((long ? 600 : 200))
python=$(command -v python3) || skip 'no python3: nothing takes the place of a worker'
peer() { [ -n "$python" ] && "$python" "$here/workers_peer.py" "$@"; }

# ---- the same bytes ----
study local1 --workers local:1
says_the_same local1
study local3 --workers local:3
says_the_same local3
study beside --workers local:2 --jobs 2
says_the_same beside
nobody_left 'workers of this machine'

listening() {  # FOLDER ARGUMENT ...: in the background, until the file of access is there
  local folder=$1
  shift
  env --default-signal=INT "$perigee" run study.lua --out "$folder" --workers listen:127.0.0.1 "$@" >"$folder.out" 2>"$folder.err" </dev/null &
  child=$!
  wait_for test -s "$folder/workers.json"
}
ended() {  # STATUS WHAT: the child
  local status=0
  { wait $child; } 2>/dev/null || status=$?
  [ $status = "$1" ] || complain "$2: exit status $status, expected $1"
}
listening listen --set work=200
secret_is_kept listen
"$perigee" work listen/workers.json 2>work1.err &
first=$!
"$perigee" work listen/workers.json 2>work2.err &
ended 0 'two workers that came by themselves'
wait $first || complain "a worker's exit status: $?: $(cat work1.err)"
[ ! -s work1.err ] && [ ! -s work2.err ] || complain "workers say: $(cat work1.err work2.err)"
same listen
says_the_same listen '^warning: .*workers find this process at 127\.0\.0\.1:[0-9]+: perigee work .*/listen/workers\.json$'
[ ! -e listen/workers.json ] || complain 'the file of access is still there'
listening mixture --workers local:1 --jobs 1 --set work=200
"$perigee" work mixture/workers.json &
ended 0 'a mixture of workers'
same mixture
nobody_left 'workers that came by themselves'

# ---- errors are the same ----
cat >outside.lua <<'LUA'
local n = 0
experiment "e" { factors = { x = { 1, 2, 3 } }, replications = 20, run = function(f, seed)
  if f.x == 2 then n = n + 1 end
  return { x = 1 }
end }
LUA
cat >measure.lua <<'LUA'
experiment "e" { replications = 20, run = function(f, seed) return { x = 1 } end, measure = { "x", "lateness" } }
LUA
cat >after.lua <<'LUA'
local e = experiment "e" { replications = 20, run = function(f, seed) return { x = 1 } end }
print(e:table "x")
print(pcall(experiment "f", { replications = 20, run = function() e = nil return { x = 1 } end }))
error "after"
LUA
for script in outside measure after; do
  "$perigee" run $script.lua --jobs 1 >one.said 2>&1 && complain "$script.lua ends well"
  for way in local:1 local:3; do
    "$perigee" run $script.lua --workers $way >said 2>&1
    [ $? = 1 ] && cmp one.said said || { complain "$script.lua with $way"; diff one.said said; }
  done
done
nobody_left 'errors'

# ---- workers killed at random, many times; cells are much shorter than the time between two kills ----
same_as_many() {  # FOLDER WHAT
  cmp many.out "$1.out" && cmp many/second.csv "$1/second.csv" && cmp many/first.json "$1/first.json" && return
  complain "$2: differs: $(diff many.out "$1.out" | head -n 8; grep failed "$1.err")"
}
RANDOM=4711
kills=0
"$perigee" run study.lua --out killed --workers local:3 --set work=1000 --set replications=$replications >killed.out 2>killed.err </dev/null &
child=$!
"$perigee" run study.lua --out many --jobs 1 --set replications=$replications >many.out 2>many.err </dev/null
while kill -0 $child 2>/dev/null && [ $kills -lt $((long ? 50 : 15)) ]; do
  sleep "0.$((10 * (1 + instrumented) + RANDOM % 15))"
  pid=$(workers | one_of)
  [ -z "$pid" ] || { kill -9 "$pid" 2>/dev/null && kills=$((kills + 1)); }
done
ended 0 'killed workers'
[ $kills -gt 2 ] || complain "only $kills kills"
grep -q 'is lost: ended by signal 9 (Killed); its ' killed.err || complain "no lost worker is told of: $(cat killed.err)"
same_as_many killed "$kills kills"
printf '%d workers were killed\n' $kills
nobody_left 'killed workers'

# ---- workers that are asked to leave, in any order and number ----
"$perigee" run study.lua --out asked --workers local:3 --set work=1000 --set replications=$replications >asked.out 2>asked.err </dev/null &
child=$!
for _ in $(seq 30); do
  kill -0 $child 2>/dev/null || break
  sleep "0.0$((RANDOM % 10))"
  pid=$(workers | one_of)
  [ -n "$pid" ] || continue
  for signal in $(printf 'TERM\nCONT\nUSR1\nUSR1\n' | shuf -n $((1 + RANDOM % 3))); do kill -"$signal" "$pid" 2>/dev/null; done
done
ended 0 'workers that were asked to leave'
same_as_many asked 'workers that have left'
! grep -q 'is lost' asked.err || complain "who leaves is told of as lost: $(grep -m 1 lost asked.err)"
nobody_left 'workers that were asked to leave'

# ---- a script that reads what it has written: a worker that comes later finds it as it is then ----
cat >reads.lua <<'LUA'
local total = 0
for i = 1, 3 do
  local base = total
  local e = experiment("round" .. i) {
    factors = { x = { 1, 2 } }, replications = setting(i == 3 and "last" or "first", 2),
    run = function(f) return { y = base + f.x * i + math.random() } end,
  }
  print(e:table "y")
  e:save "latest"
  total = total + csv.read(setting("dir", "") .. "/latest.csv")[1].y
end
LUA
for way in '--jobs 1' '--workers local:2'; do
  folder=reads${way##* }
  # shellcheck disable=SC2086
  "$perigee" run reads.lua --out "$folder" --set "dir=$folder" $way >reads.first 2>&1 </dev/null || complain "$way: $(cat reads.first)"
  # shellcheck disable=SC2086
  "$perigee" run reads.lua --out "$folder" --set "dir=$folder" --set last=4 $way >"$folder.out" 2>"$folder.err" </dev/null || complain "$way: $(cat "$folder.err")"
done
cmp reads1.out readslocal:2.out || complain 'a script that reads what it has written differs'
says readslocal:2.err 'no worker can follow the script; this process computes the cells itself' 'a script that reads what it has written'
nobody_left 'a script that reads what it has written'

# ---- a cell that asks what has failed does not judge it for the script, whoever computes it ----
cat >asks.lua <<'LUA'
local e = experiment "a" { factors = { x = { 1, 2 } }, run = function(f) if f.x == 2 then error "bad" end return { y = f.x } end }
print(experiment "b" { factors = { x = { 1, 2 } }, run = function() return { z = #e:failures() } end }:table "z")
LUA
for way in '--jobs 1' '--jobs 2' '--workers local:2'; do
  # shellcheck disable=SC2086
  "$perigee" run asks.lua $way >asks.out 2>&1 </dev/null
  [ $? = 1 ] || complain "$way: failures that a cell has asked for: $(cat asks.out)"
done

# ---- a worker that stands still ----
"$perigee" run study.lua --out silent --workers local:2 --silence $((instrumented ? 6 : 2)) --set work=40000 >silent.out 2>silent.err </dev/null &
child=$!
wait_for grep -q '"workers": 2' silent/progress.json  # both have said hello
pid=$(wait_for workers && workers | one_of)
kill -STOP "$pid"
ended 0 'a worker that stands still'
same silent
says silent.err 'is lost: nothing was heard of it for' 'a worker that stands still'
nobody_left 'a worker that stands still'

# ---- a cell that ends its workers ----
cat >deadly.lua <<'LUA'
local e = experiment "deadly" { factors = { x = { 1, 2, 3, 4 } }, run = function(f)
  if f.x == 3 then while true do end end
  return { y = f.x }
end }
print(e:table "y")
LUA
"$perigee" run deadly.lua --out deadly --workers local:1 >deadly.out 2>deadly.err </dev/null &
child=$!
for _ in 1 2 3; do
  wait_for workers
  pid=$(workers)
  sleep "$((instrumented ? 2 : 0)).5"  # the other cells are over
  kill -9 "$pid"
  wait_for eval '[ "$(workers)" != '"$pid"' ]'
done
ended 1 'a cell that ends workers'
says deadly.err 'cell 3 \(x = 3, replication 1, .*failed: 3 workers ended while they computed it' 'a cell that ends workers'
[ "$(grep -c '^[124]  1 ' deadly.out)" = 3 ] || complain "a cell that ends workers takes others with it: $(cat deadly.out)"
nobody_left 'a cell that ends workers'

# ---- the coordinator is killed, or interrupted, at random ----
kills=0
for _ in $(seq 80); do
  "$perigee" run study.lua --out again --workers local:2 --set work=2000 --set replications=$replications >again.out 2>again.err </dev/null &
  child=$!
  signal=$(printf 'KILL\nKILL\nTERM\nUSR1\n' | one_of)
  [ $kills -ge $((long ? 50 : 8)) ] || { sleep "0.$((1 + RANDOM % 4))" && kill "-$signal" $child 2>/dev/null; }
  status=0
  { wait $child; } 2>/dev/null || status=$?
  nobody_left "the coordinator after $signal"
  [ $status -ne 0 ] || break
  kills=$((kills + 1))
done
[ $status = 0 ] && [ $kills -gt 1 ] || complain "the coordinator: status $status after $kills signals"
same_as_many again "$kills ends of the coordinator"
printf 'the coordinator was ended %d times\n' $kills

listening ctrl --set work=20000
"$perigee" work ctrl/workers.json 2>/dev/null &
wait_for amid_second ctrl
kill -INT $child
ended 130 Ctrl-C
says ctrl.err 'interrupted; [1-9][0-9]* of [0-9]+ cells are kept in ctrl/experiments.sqlite, and the same command goes on' Ctrl-C
[ ! -e ctrl/workers.json ] || complain 'the file of access is still there after Ctrl-C'
nobody_left Ctrl-C

# ---- how much a kill of the coordinator loses ----
if [ -n "$python" ]; then
  cat >count.lua <<'LUA'
local e = experiment "count" { replications = 3000, run = function(f, seed)
  for i = 1, 1000 * setting("work", 1) do end
  return { y = math.random() }
end }
e:save "count"
LUA
  for _ in 1 2 3; do
    rm -rf count new.json log
    "$perigee" run count.lua --out count --workers listen:127.0.0.1 --set work=20 >count.out 2>&1 </dev/null &
    child=$!
    wait_for test -s count/workers.json
    "$python" "$here/workers_peer.py" proxy count/workers.json new.json log 2>/dev/null &
    between=$!
    wait_for test -s new.json
    workers=
    for _ in 1 2; do
      "$perigee" work new.json &
      workers="$workers $!"
    done
    wait_for eval '[ "$(grep -c dealt log)" -gt $((500 + RANDOM % 1500)) ]'
    # Every message under way has arrived, however busy this machine is: all that was answered has to be in the store.
    kill -STOP $workers
    sleep 1
    cp log settled
    kill -9 $child
    { wait $child; } 2>/dev/null
    kill -CONT $workers
    sleep 0.2
    kill $between
    nobody_left 'the coordinator behind a proxy'
    dealt=$(grep -c dealt settled) answered=$(awk '/answered/ { sum += $3 } END { print sum + 0 }' settled)
    "$perigee" merge "all$child" count >merged 2>&1 || complain "$(cat merged)"
    stored=$(sed -n 's/^count: \([0-9]*\) cells.*/\1/p' merged)
    printf 'coordinator killed: %d cells dealt out, %d answered, %d stored\n' "$dealt" "$answered" "${stored:-0}"
    [ "${stored:-0}" -eq "$answered" ] || complain "$stored cells are stored, $answered were answered"
  done
fi

# ---- strangers ----
if [ -n "$python" ]; then
  listening strangers --set work=100
  peer secret strangers/workers.json || complain 'a wrong secret'
  peer garbage strangers/workers.json || complain 'garbage'
  peer version strangers/workers.json 2>told || complain 'another version'
  says told 'was told: .*0\.0\.1.*both must be the same program' 'another version'
  sed 's/"secret":"../"secret":"zz/' strangers/workers.json >bad.json
  chmod 600 bad.json
  "$perigee" work bad.json 2>said && complain 'an access file without a secret'
  says said 'bad.json' 'an access file without a secret'
  sed 's/"secret":"[0-9a-f]*"/"secret":"'"$(printf 'ab%.0s' $(seq 32))"'"/' strangers/workers.json >wrong.json
  chmod 600 wrong.json
  "$perigee" work wrong.json 2>said && complain 'a wrong secret'
  says said 'does not know the secret of this run' 'a wrong secret'
  "$perigee" work strangers/workers.json &
  ended 0 'strangers'
  same strangers
  nobody_left 'strangers'

  # An "ssh" that runs the program of the hosts file here.
  mkdir -p bin
  printf '#!/bin/sh\neval "exec $(eval "printf %%s \\"\\${$#}\\"")"\n' >bin/ssh
  printf '#!/bin/sh\nexec "%s" "%s/workers_peer.py" version\n' "$python" "$here" >old
  chmod +x bin/ssh old
  echo "far 2 $work/old" >hosts
  PATH=$work/bin:$PATH "$perigee" run study.lua --workers ssh:hosts >said 2>&1
  [ $? = 1 ] || complain "workers of another version: $(cat said)"
  says said 'the worker on old is perigee 0\.0\.1 \(01234567\), the coordinator is perigee .*: both must be the same program' 'another version'
  says said 'error: .*no worker is left' 'another version'
fi

# ---- files of access and of hosts ----
"$perigee" work nowhere.json 2>said && complain 'no file of access'
says said 'nowhere\.json.*No such file' 'no file of access'
echo '{"address":"127.0.0.1","port":9,"secret":"'"$(printf 'ab%.0s' $(seq 32))"'"}' >old.json
chmod 644 old.json
"$perigee" work old.json 2>said && complain 'a file that others read'
says said 'old\.json holds a secret, but is not a file that only its owner, you, may read' 'a file that others read'
chmod 600 old.json
"$perigee" work old.json 2>said && complain 'nobody there'
says said 'no coordinator answers at 127\.0\.0\.1, port 9' 'nobody there'
refused() {  # STATUS PATTERN ARGUMENT ...
  local wanted=$1 pattern=$2
  shift 2
  PATH=${path:-$PATH} timeout 60 "$perigee" run study.lua "$@" >said 2>&1 </dev/null
  [ $? = "$wanted" ] || complain "$*: exit status $?, expected $wanted"
  says said "$pattern" "$*"
  [ "$(grep -c '^error:\|: error:' said)" = 1 ] || complain "$*: no single error: $(cat said)"
}
refused 2 "did you mean 'local'" --workers locl:3
for bad in local local:0 local:x local:-1 local:1000001 slurm: mpi:3.5; do refused 2 'needs the number of workers, 1 to' --workers "$bad"; done
refused 2 "local starts no program that could take '-x'" --workers 'local:2 -x'
refused 2 'the port is a number from 1 to 65535' --workers listen:127.0.0.1:70000
refused 2 'an address of this machine is missing' --workers listen:
refused 2 'a file that lists the hosts is missing' --workers ssh:
refused 1 'needs --out' --workers listen:127.0.0.1
refused 1 'cannot listen at 192\.0\.2\.1' --workers listen:192.0.2.1 --out far
refused 2 'nohosts.*cannot be read: No such file' --workers ssh:nohosts
printf '# none\n\n' >none
refused 2 'none names no host' --workers ssh:none
printf 'a 2\n-oProxyCommand=x 3\n' >none
refused 2 'none:2: a line has a host, a number of workers, and the program there' --workers ssh:none
printf 'a many\n' >none
refused 2 "none:1: 'many' is no number of workers" --workers ssh:none
# Programs that start workers, which are missing or end at once.
mkdir -p empty broken
cp "$(command -v timeout)" empty
for program in srun mpirun ssh; do
  printf '#!/bin/sh\necho "%s: no such place" >&2\nexit 7\n' $program >broken/$program
  chmod +x broken/$program
done
echo far >hosts
for way in slurm:3 mpi:3 ssh:hosts; do
  program=${way%%:*}
  [ $program != slurm ] || program=srun
  [ $program != mpi ] || program=mpirun
  path=$work/empty refused 1 "error: .*no worker is left: $program cannot be started: No such file" --workers $way --listen 127.0.0.1 --out "e$program"
  path=$work/broken:$PATH refused 1 "error: .*no worker is left: $program.* ended with status 7 before a worker was ready" --workers $way --listen 127.0.0.1 --out "b$program"
  says said "$program: no such place" $way
  says said 'error: .*no worker is left.*; 0 of [0-9]+ cells are kept|error: .*no worker is left' $way
done
nobody_left 'workers that cannot start'
exit $((failures > 0))
