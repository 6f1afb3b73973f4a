#!/bin/bash
# Control characters of a name are blanks in tables, charts and messages. In other text they are blanks on a terminal
# only (tests/interpreter/prompt/repl_terminal_test.cpp): a pipe or file gets every byte.
. "${BASH_SOURCE%/*}/opening.sh"

cat >names.lua <<'EOS'
local name = "a\27]52;c;QUJD\7b"
local s = scenario { platform = platform { host(name) {} }, workload = workload.tasks { { name = name, time = 1 } } }
local r = s:run { policy = "fcfs" }
print(r:jobs())
r:gantt()
print "raw from here"
print(name)
print(r:jobs():csv())
error(name)
EOS
"$binary" run names.lua >out 2>err
sed '/raw from here/,$d' out >tables
sed '1,/raw from here/d' out >texts
raw=$'a\e]52;c;QUJD\ab'
for file in tables err; do
  grep -qF 'a ]52;c;QUJD b' $file || complain "$file: the name is not there"
  ! LC_ALL=C grep -q $'[\e\a]' $file || complain "$file has control characters"
done
[ "$(grep -cF "$raw" texts)" = 2 ] || complain "texts and CSV are not as they are: $(cat -v texts)"
exit $((failures > 0))
