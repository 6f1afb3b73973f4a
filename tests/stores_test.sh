#!/bin/bash
# Stores of experiments between processes: how far a run is while it goes on, after it was killed and after Ctrl-C;
# stores of shards that are joined; stores that another one has; full disks and file systems that cannot lock.
# test: thorough
set -u
root=${PERIGEE_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)}
perigee=${PERIGEE_BINARY:-$root/build/release/perigee}
work=$(mktemp -d) || exit 1
mounted=()
# shellcheck disable=SC2317  # the trap calls it
cleanup() {
  for place in ${mounted[@]+"${mounted[@]}"}; do umount "$place" 2>/dev/null; done
  rm -rf "$work"
}
trap cleanup EXIT
cd "$work" || exit 1
failed=0
complain() { failed=1; printf 'FAILED: %s\n' "$*"; head -n 20 out err 2>/dev/null | sed 's/^/    | /'; }
says() { grep -qF -e "$1" err || complain "stderr does not say: $1"; }
shows() { grep -qE -e "$1" out || complain "stdout does not show: $1"; }
ends() {  # STATUS COMMAND ...
  local wanted=$1 status=0
  shift
  "$@" >out 2>err </dev/null || status=$?
  [ "$status" -eq "$wanted" ] || complain "exit status $status, expected $wanted: $*"
}
skip() { printf 'skipped: %s\n' "$*"; }

cat >study.lua <<'LUA'
local e = experiment "study" {
  factors = { a = { 1, 2 } }, replications = 50,
  run = function(f, seed)
    local x = 0
    for i = 1, setting("work", 1000) do x = x + i end
    return { x = f.a, y = seed }
  end,
}
e:save "study"
LUA

# ---- how far a run is ----
start_long() {  # FOLDER: in the background, until it has stored something
  env --default-signal=INT "$perigee" run study.lua --set work=10000000 --out "$1" --jobs 2 >run.out 2>run.err </dev/null &
  child=$!
  for _ in $(seq 500); do
    grep -q '"done": [1-9]' "$1/progress.json" 2>/dev/null && break
    sleep 0.02
  done
}
ends 0 "$perigee" run study.lua --out whole
ends 0 "$perigee" status whole
[ "$(cat out)" = $'study: 100 of 100 cells done\ncomplete' ] || complain 'a run that is complete'
ends 0 "$perigee" run study.lua --out whole
ends 0 "$perigee" status whole
[ "$(cat out)" = $'study: 100 of 100 cells done, 100 stored before\ncomplete' ] || complain 'a run that computed nothing'

start_long killed
ends 0 "$perigee" status killed
shows '^study: [0-9]+ of 100 cells done, .* 2 workers'
shows "^running: process $child on host ."
kill -STOP $child  # however long the next commands take, it is not done before
ends 1 "$perigee" run study.lua --set work=10000000 --out killed
says "killed/experiments.sqlite is in use by another perigee (process $child on host $(uname -n)); wait for it to end, or give another folder with --out"
ends 1 "$perigee" merge all whole killed
says "killed/experiments.sqlite is in use by another perigee (process $child"
[ ! -e all ] || complain 'a merge that was refused has left something'
kill -9 $child
{ wait $child; } 2>/dev/null
ends 0 "$perigee" status killed
shows '^study: [1-9][0-9]* of 100 cells done$'
shows '^ended without a word \(killed\?\): the same command goes on$'
ends 0 "$perigee" run study.lua --set work=10000000 --out killed
[ ! -s err ] || complain "stored cells are not taken after kill -9"
cmp whole/study.csv killed/study.csv || complain 'differs after kill -9'

start_long interrupted
kill -INT $child
{ wait $child; } 2>/dev/null
ends 0 "$perigee" status interrupted whole
shows '^interrupted: study: [0-9]+ of 100 cells done; interrupted: the same command goes on$'
shows '^whole: study: 100 of 100 cells done, 100 stored before; complete$'
shows '^folders: 1 complete, 1 interrupted$'
mkdir empty
ends 2 "$perigee" status empty
says 'empty is no results folder of experiments'

# ---- shards and merge ----
for i in 1 2 3; do ends 0 "$perigee" run study.lua --out "shard$i" --shard "$i/3"; done
ends 0 "$perigee" merge all shard1 shard2 shard3 shard1
[ "$(cat out)" = 'study: 100 cells from 3 stores' ] || complain 'three shards'
ends 0 "$perigee" status all
[ "$(cat out)" = 'study: 100 cells stored' ] || complain 'a merged folder'
ends 0 "$perigee" run study.lua --out all
cmp whole/study.csv all/study.csv || complain 'shards that were merged differ'
ends 0 "$perigee" merge all shard2 all
shows '^study: [0-9]+ cells from 1 store, [0-9]+ of them there before$'
ends 0 "$perigee" status all  # the run's file is gone, and the store tells
[ "$(cat out)" = 'study: 100 cells stored' ] || complain 'a merge leaves the file of a run'
# Another seed, another script, other measures.
ends 0 "$perigee" run study.lua --out seed --seed 2 --shard 1/3
ends 1 "$perigee" merge new shard1 seed
says "experiment 'study': the cells in seed depend on something else than those in shard1, so that they do not belong together: what differs is --seed; nothing was merged"
sed 's/x + i end/x - i end/' study.lua >other.lua
ends 0 "$perigee" run other.lua --out script --shard 1/3
ends 1 "$perigee" merge all script
says "what differs is the text of 'run'; nothing was merged"
cp -r shard1 changed
if command -v sqlite3 >/dev/null; then
  sqlite3 changed/experiments.sqlite "UPDATE results SET measures = '{}' WHERE replication = 1"
  ends 0 "$perigee" merge new changed
  says 'warning: changed: '
  rm -r new
fi
[ ! -e new ] || complain 'a merge that was refused has left something'

# ---- another program ----
if command -v sqlite3 >/dev/null; then
  mkfifo keep
  sqlite3 all/experiments.sqlite <keep >/dev/null &
  shell=$!
  exec 9>keep
  echo 'BEGIN IMMEDIATE;' >&9
  sleep 0.5
  ends 1 "$perigee" run study.lua --out all
  says 'all/experiments.sqlite is in use by another program, such as the shell sqlite3'
  exec 9>&-
  wait $shell
  [ "$(sqlite3 all/experiments.sqlite "SELECT factors, avg(measures ->> 'x') FROM cells GROUP BY factors")" = $'{"a":1.0}|1.0\n{"a":2.0}|2.0' ] ||
    complain 'the table of cells'
else
  skip 'no sqlite3'
fi

# ---- a full disk ----
sed 's/replications = 50/replications = 20000/' study.lua >large.lua
mkdir small
if mount -t tmpfs -o size=1m none small 2>/dev/null; then
  mounted+=("$work/small")
  ends 1 "$perigee" run large.lua --set work=1 --out small/r
  says 'small/r/experiments.sqlite cannot be used: the disk is full; the cells stored before are kept'
  ends 0 "$perigee" status small/r
  ends 0 "$perigee" merge rescued small/r
  shows '^study: [1-9][0-9]{2,} cells from 1 store$'
  rescued=$(sed 's/study: \([0-9]*\) .*/\1/' out)
  mount -o remount,size=64m small
  ends 0 "$perigee" run large.lua --set work=1 --out small/r
  ends 0 "$perigee" status small/r
  shows "^study: 40000 of 40000 cells done, $rescued stored before$"
  # ---- a folder that is removed, or read-only ----
  mount -o remount,ro small
  ends 1 "$perigee" run large.lua --set work=1 --out small/r
  says 'Read-only file system'
  ends 0 "$perigee" status small/r
  ends 0 "$perigee" merge copied small/r
  shows '^study: 40000 cells from 1 store$'
else
  skip 'no tmpfs can be mounted here'
fi
start_long removed
rm -r removed
status=0
{ wait $child; } 2>/dev/null || status=$?
if [ $status != 1 ] || ! grep -q 'removed/experiments.sqlite cannot be used: it has been removed' run.err; then
  complain "a folder that was removed meanwhile: status $status, $(cat run.err)"
fi

# ---- a file system that cannot lock ----
source=$root/../shared/tools/nolockfs.c
read -ra fuse < <(pkg-config fuse3 --cflags --libs 2>/dev/null)
if [ ! -f "$source" ]; then
  skip "no $source"
elif ! "${CC:-cc}" -O2 "$source" -o nolockfs "${fuse[@]}" 2>/dev/null; then
  skip 'nolockfs.c cannot be built: no C compiler, or no fuse3'
else
  for error in 37 38 11; do  # ENOLCK, ENOSYS, EAGAIN
    mkdir -p "back$error" "front$error"
    if ! NOLOCK_ERRNO=$error ./nolockfs "$work/back$error" "$work/front$error" 2>/dev/null; then
      skip 'no FUSE file system can be mounted here'
      break
    fi
    mounted+=("$work/front$error")
    ends 1 "$perigee" run study.lua --out "front$error"
    says "front$error cannot lock files ("
    says 'so that two processes could damage the store; give --out a folder of another file system, or mount it with locks'
  done
fi
exit $failed
