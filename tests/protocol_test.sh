#!/bin/bash
# The protocol of docs/workers.md: a worker written in Python from that page alone (tests/support/worker.py) computes
# cells over pipes and over a network; the run itself computes none.
# test: thorough
. "$(dirname -- "$0")/opening.sh"
worker=${PERIGEE_SOURCE_DIR:?}/tests/support/worker.py
if ! python3 -c 'import hmac, json, socket, struct, subprocess' 2>/dev/null; then
  echo 'skipped: python3 is not here'
  exit 0
fi
export PERIGEE=$binary LEVELS='1 2 3'

# The function `run` of this script is never called, for a worker has its own.
cat >study.lua <<'LUA'
local function own() error "perigee has computed a cell" end
local e = experiment "squares" { factors = { x = { 1, 2, 3 } }, replications = 4, run = own }
print(e:table "square")
local f = experiment "more" { factors = { x = { 1, 2, 3 } }, run = own,
                              replications = { least = 2, most = 5, half_width = 2, measure = "replication" } }
print(f:table("square", "replication"))
LUA
# By hand: 1, 4, 9; replications 1 to 5, whose mean is 3 and whose deviation is sqrt(5/2). Half the width of its interval is
# t(0.975, 4) sqrt(5/2) / sqrt 5 = 2.7764 * 0.70711 = 1.9632; of 4 replications it is 3.1824 * 1.2910 / 2 = 2.0542, above 2.
cat >right <<'TABLE'
x  n  square  square_half_width
-------------------------------
1  4       1                  0
2  4       4                  0
3  4       9                  0
x  n  square  square_half_width  replication  replication_half_width
--------------------------------------------------------------------
1  5       1                  0            3                  1.9632
2  5       4                  0            3                  1.9632
3  5       9                  0            3                  1.9632
TABLE

# A program that stands for ssh, and runs the command here.
mkdir bin
printf '%s\n' '#!/bin/sh' 'for command; do :; done' 'exec sh -c "$command"' >bin/ssh
printf '#!/bin/sh\nexec python3 %q "$@"\n' "$worker" >bin/worker
chmod +x bin/ssh bin/worker
echo "here 2 $work/bin/worker" >hosts.txt
over_pipes() { PATH=$work/bin:$PATH timeout 120 "$binary" run "$@" --workers ssh:hosts.txt >out 2>err </dev/null; }

over_pipes study.lua || complain 'over pipes: the exit status'
cmp right out || complain 'over pipes: another table'
[ ! -s err ] || complain "over pipes: $(cat err)"

# ---- over a network ----
begin() {  # FOLDER: a coordinator in the background, which listens
  timeout 120 "$binary" run study.lua --out "$1" --workers listen:127.0.0.1 >out 2>err </dev/null &
  run=$!
  for _ in $(seq 500); do [ -s "$1/workers.json" ] && return; sleep 0.02; done
  complain "$1: no file of access"
}
begin net
# The coordinator stands still until both workers are connected: one alone could do all before the other comes.
coordinator=$(pgrep -P $run)
kill -STOP "$coordinator"
port=$(printf '%04X' "$(sed 's/.*"port":\([0-9]*\).*/\1/' net/workers.json)")
[ "$(stat -c %a net/workers.json)" = 600 ] || complain 'the file of access may be read by others'
timeout 120 "$worker" work net/workers.json 2>first.err & first=$!
timeout 120 python3 "$worker" work net/workers.json 2>second.err & second=$!
for _ in $(seq 500); do
  [ "$(awk -v port=":$port" '$4 == "01" && substr($3, length($3) - 4) == port' /proc/net/tcp | wc -l)" -ge 2 ] && break
  sleep 0.02
done
kill -CONT "$coordinator"
wait $run || complain 'over a network: the exit status'
wait $first || grep -q FileNotFoundError first.err || complain "the first worker: $(cat first.err)"  # which came too late
wait $second || grep -q FileNotFoundError second.err || complain "the second worker: $(cat second.err)"
cmp right out || complain 'over a network: another table'
[ ! -e net/workers.json ] || complain 'the file of access is left'

# ---- who is refused ----
begin refused
SECRET=$(printf '%064d' 7) timeout 20 "$worker" work refused/workers.json || complain 'a connection that was closed is no error'
VERSION=0.0.1 timeout 20 "$worker" work refused/workers.json 2>said && complain 'another version is taken'
says said "the worker on python is perigee 0\.0\.1 \([0-9a-f]{8}\), the coordinator is perigee [0-9.]+ \([0-9a-f]{8}\): both must be the same program" 'another version'
address=$(sed 's/.*"address":"\([^"]*\)","port":\([0-9]*\).*/\1 \2/' refused/workers.json)
python3 - $address <<'PY' || complain 'something else than the protocol gets an answer'
import socket, sys
channel = socket.create_connection((sys.argv[1], int(sys.argv[2])))
channel.sendall(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n" + bytes(100))
sys.exit(channel.recv(1) != b"")
PY
timeout 120 "$worker" work refused/workers.json
wait $run || complain 'after refusals: the exit status'
cmp right out || complain 'after refusals: another table'
says err 'a connection was refused: it does not know the secret of this run' 'a wrong secret'
says err "a connection was refused: it does not speak perigee's protocol" 'another protocol'
says err 'the worker on python is perigee 0\.0\.1' 'another version, at the coordinator'

# ---- a cell that fails ----
cat >fails.lua <<'LUA'
local e = experiment "roots" { factors = { x = { 2, -1 } }, run = function() error "perigee has computed a cell" end }
print(e:table "square")
print(e:failures())
LUA
LEVELS='2 -1' over_pipes fails.lua || complain 'a failed cell: the exit status'
says out '^ 2 +1 +4 ' 'a failed cell'
says out '^-1 +0 ' 'a failed cell'
says out 'a negative level$' 'a failed cell'

exit $((failures > 0))
