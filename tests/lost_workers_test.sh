#!/bin/bash
# Workers that cannot be had, or are lost and never come back: a run says so, goes on where it can, and does not wait for
# ever. A program of the test takes the place of ssh.
# test: thorough
set -u
root=${PERIGEE_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)}
export perigee=${PERIGEE_BINARY:-$root/build/release/perigee}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
complain() { failed=1; printf 'FAILED: %s\n' "$*"; head -n 20 out err 2>/dev/null | sed 's/^/    | /'; }
says() { grep -qF -e "$1" err || complain "stderr does not say: $1"; }
ends() {  # STATUS ARGUMENT ...: of a run, within 200 s
  local wanted=$1 status=0
  shift
  rm -f down
  PATH=$work:$PATH timeout 200 "$perigee" run "$@" >out 2>err </dev/null || status=$?
  [ "$status" -eq "$wanted" ] || complain "exit status $status, expected $wanted: $*"
}

# The host goes down a second after the first worker has begun, for good.
cat >ssh <<'SH'
#!/bin/sh
[ ! -e down ] || exit 255
: >down
exec timeout --foreground -s KILL 1 "$perigee" work
SH
chmod +x ssh
echo node07 >hosts
cat >long.lua <<'LUA'
local e = experiment "long" { replications = 40, run = function(f, seed) for i = 1, 3e7 do end return { x = seed } end }
print(#e, e:failures():csv())
LUA

ends 1 long.lua --workers ssh:hosts
says "a worker on "
says "is lost"
says "error: no worker is left: ssh node07 ended with status 255"

# This process computes cells too, and in the end those with which the worker was lost.
"$perigee" run long.lua >expected 2>err || complain "by threads"
ends 0 long.lua --workers ssh:hosts --jobs 1
cmp -s out expected || complain "with a worker that was lost it is something else"

# The first experiment has one cell, and needs one worker; the second one more.
cat >more.lua <<'LUA'
local function run(f, seed) for i = 1, 1e7 do end return { x = seed } end
print(#experiment "one" { replications = 1, run = run }, #experiment "many" { replications = 30, run = run })
LUA
ends 0 more.lua --workers local:3 --out results
grep -qx "1	30" out || complain "two experiments"
grep -q '"workers": 3' results/progress.json || complain "more cells bring no more workers: $(cat results/progress.json)"

exit $failed
