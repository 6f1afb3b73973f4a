#!/bin/bash
# Workers over ssh, with an sshd of its own at 127.0.0.1: the same bytes, workers and clients that are killed, hosts that
# are not there.
# test: thorough
here=$(CDPATH='' cd -- "${BASH_SOURCE%/*}" && pwd -P)
. "$here/opening.sh"
. "$here/workers.sh"
[ -f "$tools/minissh.sh" ] || { skip "no $tools/minissh.sh"; exit 0; }
needs /usr/sbin/sshd openssh-server && needs ssh openssh-client || exit 0
engine_stops+=('[ ! -s "$work/sshd/sshd.pid" ] || bash "$tools/minissh.sh" stop "$work/sshd"')
bash "$tools/minissh.sh" start "$work/sshd" "${PERIGEE_SSH_PORT:-17122}" || { skip 'no sshd can be started here'; exit 0; }
config="-F $work/sshd/config"
# A user's own profile may print to the error output of a session: hosts have a home without one.
mkdir home
printf 'SetEnv HOME=%s\n' "$work/home" >>sshd/sshd_config
kill -HUP "$(cat sshd/sshd.pid)"
at_home() { [ "$(ssh -F sshd/config h1 'echo "$HOME"')" = "$work/home" ]; }
wait_for at_home

printf 'h1 2\n# none\nh2   # one worker\n' >hosts
study ssh --workers "ssh:hosts $config"
says_the_same ssh
nobody_left 'workers over ssh'
study mixture --workers "ssh:hosts $config" --workers local:1 --jobs 1 --set work=500
same mixture
nobody_left 'a mixture of workers'
# The program of a host: in a folder with a blank and a quotation mark.
mkdir "it's here" && ln "$perigee" "it's here/perigee"
ln -s "it's here" here
printf 'h1 1 %s/here/perigee\n' "$work" >named
study chosen --workers "ssh:named $config"
nobody_left 'a program that is named'

# Workers, and clients, that are killed.
"$perigee" run study.lua --out many --jobs 1 --set replications=80 >many.out 2>many.err </dev/null
"$perigee" run study.lua --out killed --workers "ssh:hosts $config" --set work=4000 --set replications=80 >killed.out 2>killed.err </dev/null &
child=$!
kills=0
RANDOM=4711
while kill -0 $child 2>/dev/null && [ $kills -lt 6 ]; do
  sleep "0.$((50 + RANDOM % 40))"
  if [ $((RANDOM % 3)) = 0 ]; then pid=$(pgrep -f "^ssh -T .* $perigee"); else pid=$(workers); fi
  pid=$(one_of <<<"$pid")
  [ -z "$pid" ] || { kill -9 "$pid" 2>/dev/null && kills=$((kills + 1)); }
done
status=0
{ wait $child; } 2>/dev/null || status=$?
[ $status = 0 ] || complain "killed workers: exit status $status: $(cat killed.err)"
cmp many.out killed.out && cmp many/second.csv killed/second.csv && cmp many/first.json killed/first.json || complain "differs after $kills kills"
[ $kills -gt 1 ] || complain "only $kills kills"
printf '%d workers and clients were killed\n' $kills
nobody_left 'killed workers'

# The coordinator is killed: workers see their connection end.
"$perigee" run study.lua --out gone --workers "ssh:hosts $config" --set work=2000 >gone.out 2>gone.err </dev/null &
child=$!
wait_for grep -q '"done": [1-9]' gone/progress.json
kill -9 $child
{ wait $child; } 2>/dev/null
nobody_left 'the coordinator'
study gone --workers "ssh:hosts $config"

# Hosts that are not there, one of two or all; a program that is not there.
printf 'nowhere 1\nh1 1\n' >some
study partly --workers "ssh:some $config" --set work=1000
nobody_left 'a host that is not there'
echo 'nowhere 2' >none
"$perigee" run study.lua --out none.d --workers "ssh:none $config" >said 2>&1 </dev/null && complain 'a host that is not there'
says said 'error: no worker is left: ssh nowhere ended with status 255 before a worker was ready|error: .*no worker is left: ssh nowhere ended with status 255' 'a host that is not there'
says said 'ssh: Could not resolve hostname nowhere' 'a host that is not there'
[ "$(grep -c 'error:' said)" = 1 ] || complain "no single error: $(cat said)"
echo 'h1 1 /nowhere/perigee' >none
"$perigee" run study.lua --out none.d --workers "ssh:none $config" >said 2>&1 </dev/null && complain 'a program that is not there'
says said 'error: .*no worker is left: ssh h1 ended with status 127 before a worker was ready' 'a program that is not there'
says said 'No such file or directory|not found' 'a program that is not there'
nobody_left 'hosts that are not there'
exit $((failures > 0))
