#!/bin/bash
# perigee paper and perigee findings --html: a made-up publication whose second script fails, what its page has, what is
# refused; looked at in browsers where there are any.
# test: thorough
here=$(CDPATH='' cd -- "${BASH_SOURCE%/*}" && pwd -P)
. "$here/opening.sh"
says() { grep -qE -e "$2" "$1" || complain "$3: $1 does not say: $2"; }  # FILE PATTERN OF; pages are too long to be shown

mkdir study
cat >study/statements.lua <<'LUA'
-- What Author (2001) says.
-- takes: nothing
statements {
  source = "Author 2001", title = "On <three> hosts",
  { number = "A1-1", where = "section 2", says = "min-min is never worse than max-min" },
  { number = "A1-2", where = "equation 3", kind = "error", says = "the bound of 30 hours on three hosts is 15" },
  { number = "A1-3", where = "section 5", says = "in our log the difference is 12 %", missing = "the log is not published" },
  { number = "A1-4", where = "section 6", kind = "number", says = "two </script><img src=x onerror=alert(1)> are four" },
}
LUA
cat >study/first.lua <<'LUA'
-- What is said of min-min.
-- takes: a moment
require "statements"
local e = experiment "pairs" {
  factors = { size = { 1, 2 } }, replications = setting("replications", 3),
  run = function(f, seed) return { y = f.size + math.random() } end,
}
print("Table 1: published 12 here 13")
print(e:table "y")
e:table "y":plot { x = "size", y = "y", file = "y", text = false }
local s = scenario { platform = platform { host "h" { cores = 2 } }, workload = workload.tasks(20, function(i, rng) return { time = rng:uniform(1, 9) } end) }
local r = s:run { policy = "fcfs" }
for _ = 1, setting("charts", 1) do r:gantt() end
claim { statement = "A1-1", holds = false, found = "in 5 of 20 cases", verdict = "does not reproduce", note = "by hand" }
claim { statement = "A1-2", value = 10, published = 15, verdict = "source in error" }
claim { source = "a calculation by hand", says = "two may be three", holds = not setting("full", false) and "not decided", verdict = "does not reproduce" }
claim { source = "found here", says = "one is one", holds = true, chosen = "the one", verdict = "reproduces" }
r:save "kept"
print("the end")
LUA
cat >study/second.lua <<'LUA'
-- It fails.
-- takes: a moment
require "statements"
print("before it broke")
if not setting("whole", false) then error("it broke") end
claim { statement = "A1-4", value = 4, published = 4, verdict = "reproduces" }
LUA

"$binary" paper study >said.txt 2>err.txt </dev/null
[ $? = 1 ] || complain 'a script fails: the exit status'
says said.txt '^study.html$' 'the file'
says err.txt '^1 of 3: study/first.lua: [0-9.]+ s$' 'progress'
says err.txt 'it broke' 'the error'
[ -s study.html ] || { complain 'there is no page'; exit 1; }
# Warnings are the first thing after the head of the page.
sed -n '/<main>/,/<h2>/p' study.html >opening.txt
says opening.txt 'study/second.lua failed, and what it would have found is missing: line 5: it broke' 'the opening'
says study.html '<h1>Author 2001: On &lt;three&gt; hosts</h1>' 'the title'
says study.html 'The script did not come to its end: line 5: it broke' 'the section of the script'
says study.html '<pre class="text">before it broke' 'what a script showed before it failed'
says study.html 'Table 1: published 12 here 13' 'a text'
says study.html '<figure class="plot"' 'a figure'
says study.html '<figure class="chart"' 'a chart'
says study.html '<article class="judgement" id="A1-1">' 'a statement'
says study.html 'in 5 of 20 cases' 'numbers'
says study.html '10 against 15 published' 'numbers'
says study.html 'the log is not published' 'why it cannot be tested'
says study.html 'Chosen so that it holds' 'what was chosen'
says study.html 'charts = 1, full = false, replications = 3' 'settings'
says study.html '<span class="verdict bad">no claim</span>' 'a statement of the script that failed'
grep -q '<img src=x' study.html && complain 'a statement is markup'
grep -q '^claim: ' <(sed 's/<[^>]*>//g' study.html) && complain 'the lines of claims stand in the page, too'
awk '/<h2>first.lua/ { a = NR } /<h2>second.lua/ { b = NR } END { exit !(a && a < b) }' study.html || complain 'scripts are not in the order of their names'

# The same bytes each time, and whatever the number of threads; with --times they are not.
cp study.html first.html
"$binary" paper study/ --jobs 1 >/dev/null 2>&1 </dev/null
sed 's,study/,study,' study.html | cmp - <(sed 's,study/,study,' first.html) || complain 'one thread gives another page'
"$binary" paper study -o - 2>/dev/null </dev/null | cmp - first.html || complain 'standard output gets another page'
"$binary" paper study --times -o timed.html --set whole=true >/dev/null 2>err.txt </dev/null || complain "a whole study: status $?: $(cat err.txt)"
says timed.html 'The times in the last column are those of this run and machine' 'times'
says timed.html '<dt>took</dt><dd>[0-9.]+ s</dd>' 'times'
says timed.html 'whole = true \(given\)' 'a setting that was given'
sed -n '/<main>/,/<h2>/p' timed.html | grep -q 'class="warnings"' && complain 'nothing failed'

# Statements that a short run does not show, and claims of ours.
says first.html '"does not hold here; not shown by this short run"' 'the table of statements'
says first.html '<p class="label">Ours: found here</p>' 'a claim that is ours'
says first.html '<span class="verdict good">holds here</span>' 'a claim that is ours'
says first.html '<dt>repeat it</dt><dd>perigee paper study</dd>' 'the command'
says first.html 'perigee paper study --full --rows FILE computes them' 'the command of the full form'

# The full form, and its rows beside the short one.
"$binary" paper study --full --rows rows --set whole=true -o full.html >/dev/null 2>err.txt </dev/null || complain "the full form: $(cat err.txt)"
says full.html 'The scripts ran in their full form' 'the full form'
"$binary" paper study --rows rows --set whole=true -o rows.html >/dev/null 2>err.txt </dev/null || complain "with rows: $(cat err.txt)"
says rows.html 'those of this run stand below them' 'with rows'
says rows.html '<dt>full form</dt><dd>charts = 1' 'settings of the full form'

# Parts that are left out of the page.
"$binary" paper study --set charts=6 --set whole=true -o charts.html >/dev/null 2>err.txt </dev/null || complain "charts: $(cat err.txt)"
says charts.html 'Left out of this page: 3 charts' 'too many charts'
"$binary" paper study --without first --set whole=true -o less.html >/dev/null 2>err.txt </dev/null || complain "--without: $(cat err.txt)"
says less.html 'was left out of the page by --without' '--without'
grep -q 'published 12 here 13</pre>' less.html && complain '--without shows the script'

# ---- the index
"$binary" findings study/first.lua study/second.lua --html index.html --out kept >said.txt 2>err.txt </dev/null && complain 'findings: a script fails'
says said.txt '^index.html$' 'findings --html'
says index.html 'study/second.lua failed' 'findings --html'
says index.html '<article class="judgement" id="A1-2">' 'findings --html'
says index.html '<dt>repeat it</dt><dd>perigee findings study/first.lua study/second.lua --html index.html</dd>' 'findings --html'
says index.html '<a href="#A1-2">A1-2</a>' 'findings --html'
"$binary" findings study/first.lua --html - --out kept 2>/dev/null </dev/null >dash.html || complain 'findings --html -'
says dash.html '<h1>Findings</h1>' 'findings --html -'

# ---- signals
mkdir endless passing
printf 'claim { source = "S", says = "s", holds = true, verdict = "reproduces" }\n' >endless/a.lua
printf 'print "begun"\nwhile true do end\nclaim { source = "S", says = "t", holds = true, verdict = "reproduces" }\n' >endless/b.lua
interrupted() {  # SIGNAL NUMBER COMMAND...: ends by the signal, says so, and leaves nothing
  local signal=$1 number=$2 process status
  shift 2
  set -m  # or the shell has it ignore SIGINT
  (trap - EXIT; TMPDIR=$PWD/passing exec "$binary" "$@") >signal.out 2>signal.err </dev/null &
  process=$!
  set +m
  for _ in {1..300}; do
    [ "$1" = findings ] && { sleep 2; break; }  # which says nothing before its end
    grep -q '^1 of 2' signal.err && break
    sleep 0.1
  done
  kill -s "$signal" $process
  wait $process 2>/dev/null
  status=$?
  [ $status = $((128 + number)) ] || complain "$* and SIG$signal: status $status"
  says signal.err 'interrupted at script 2 of 2, endless/b.lua; no page was written' "$* and SIG$signal"
  [ -z "$(ls passing)" ] || complain "$* and SIG$signal leave $(ls passing)"
  [ -e endless.html ] && complain "$* and SIG$signal: there is a page"
}
interrupted INT 2 paper endless
interrupted TERM 15 paper endless
interrupted HUP 1 findings endless/a.lua endless/b.lua --html endless.html

# ---- what is refused
refuses() {  # MESSAGE ARGUMENT...
  local message=$1
  shift
  "$binary" "$@" >refused.out 2>refused.err </dev/null && complain "$* succeeded"
  says refused.err "$message" "$*"
}
refuses "stdy: there is no such folder; did you mean 'study'" paper stdy
refuses 'no such folder; did you mean .(./)?study' paper ./stdy
refuses 'study/first.lua is a file; name the folder of a publication.s scripts, as study' paper study/first.lua
mkdir empty && touch empty/data.csv
refuses 'empty has no scripts: their names end in .lua; it has data.csv' paper empty
mkdir plain && echo 'print(1)' >plain/a.lua
refuses 'plain: none of its scripts lists the statements of a publication' paper plain
refuses "no script of that name; did you mean 'first.lua'" paper study --without frist
refuses "no script reads a setting 'replication'; did you mean 'replications'" paper study --set whole=true --set replication=2 -o unread.html
echo mine >mine.html
refuses 'mine.html is there already, and is no page of perigee' paper study -o mine.html
refuses 'mine.html is there already, and is no page of perigee' findings study/first.lua --html mine.html
refuses 'nowhere/page.html cannot be written: No such file or directory' paper study -o nowhere/page.html
grep -qx mine mine.html || complain 'a foreign file was replaced'
mkdir large
cat >large/one.lua <<'LUA'
-- Too much.
for i = 1, 50 do claim { source = "S", says = "s" .. i, holds = true, found = ("long "):rep(60000), verdict = "reproduces" } end
LUA
refuses 'the page would have [0-9.]+ MB, more than 10.0 MB; its largest parts are .*one.lua.*leave out' paper large
[ -e large.html ] && complain 'a page that is too large was written'

# ---- in browsers
python=/usr/bin/python3
[ -x $python ] || python=$(command -v python3) || python=
if [ -n "$python" ]; then
  "$python" -B "$here/support/browser.py" check first.html index.html charts.html
  status=$?
  [ $status = 0 ] || [ $status = 77 ] || complain 'in browsers'
fi
exit $((failures > 0))
