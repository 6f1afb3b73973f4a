#!/bin/bash
# Pages of runs, comparisons, experiments and results folders: what stands in them, what is refused, what a half-finished
# run has; looked at in browsers where there are any.
# test: thorough
here=$(CDPATH='' cd -- "${BASH_SOURCE%/*}" && pwd -P)
. "$here/opening.sh"

cat >study.lua <<'LUA'
-- Which of two orders waits less?
-- takes: a second
--
-- This is no part of the description.
local s = scenario {
  platform = platform { cluster "a" { nodes = 3, cores = 2 } },
  workload = workload.jobs(30, function(i, rng)
    return { name = i == 7 and "</script><img src=x onerror=alert(1)>" or nil, cores = i % 2 + 1,
             time = rng:uniform(10, 100), arrival = 5 * i, user = ({ "ann", "bob" })[i % 2 + 1] }
  end),
  events = { maintenance { host = "a.1", from = 100, to = 150 } },
}
local r = s:run { policy = "easy" }
r:report "run"
local c = s:compare { "fcfs", "sjf" }
print(c)
print("three words printed")
c:report("both.html", { title = "Two orders" })
r:gantt()
c:plot { x = "policy", y = "mean_wait", file = "waits", text = false }
local e = experiment "study" {
  factors = { nodes = { 2, 4 }, policy = { "fcfs", "sjf" } },
  replications = setting("replications", 4),
  run = function(f, seed)
    for i = 1, setting("work", 0) do end
    if f.nodes == 4 and seed % 3 == 0 then error("no luck") end
    return { y = f.nodes + math.random() }
  end,
}
e:report "experiment"
LUA

"$binary" run study.lua --out results --set replications=6 --jobs 2 >out.txt 2>err.txt </dev/null
[ $? = 1 ] || { complain 'the study, some of whose cells fail'; cat err.txt; }
"$binary" report results >said.txt || complain 'report'
says said.txt '^results/report.html$' 'report'
for page in results/run.html results/both.html results/experiment.html results/report.html; do
  [ -s "$page" ] || complain "there is no $page"
  grep -q '<img src=x' "$page" && complain "$page has the markup of a name"
done
says results/report.html 'Which of two orders waits less\?' 'what the script is about'
grep -q 'no part of the description' <(sed '/<details>/,$d' results/report.html) && complain 'the description is too long'
says results/report.html 'perigee run study.lua --set replications=6 --out results' 'how to run it again'
says results/report.html 'three words printed' 'what was printed'
says results/report.html 'cells failed' 'failures'
says results/report.html '<h2>Experiment study</h2>' 'the experiment'
says results/both.html '<h1>Two orders</h1>' 'a title'
says results/both.html 'they part at t = ' 'where runs part'
says results/run.html 'maintenance' 'windows'

# Nobody but the script itself writes the record, however many threads compute cells.
cat >short.lua <<'LUA'
local e = experiment "e" { factors = { a = { 1, 2 } }, replications = 2, run = function(f) return { y = f.a } end }
e:table "y"
print("last words")
LUA
for i in 1 2 3 4 5; do
  "$binary" run short.lua --out "short$i" -q --jobs 3 </dev/null || complain 'a short study'
  grep -q '"state":"complete"' "short$i/.perigee-record.json" || complain "run $i of a short study is not recorded as complete"
done

# A run that is cut short is told of.
cat >cut.lua <<'LUA'
local s = scenario { platform = platform { host "h" {} }, workload = workload.tasks(9, function() return { time = 100 } end) }
print(s:compare { "fcfs", "sjf", horizon = 50 })
LUA
"$binary" run cut.lua --out cut >/dev/null && "$binary" report cut >/dev/null || complain 'a run with a horizon'
says cut/report.html '2 of 2 runs ended with work left' 'a run with a horizon'

# Where the folder cannot be written, the record of an earlier run is not taken for that of this one.
mkdir linked && ln -s "$work/nowhere" linked/.perigee-record.json
"$binary" run cut.lua --out linked >/dev/null 2>linked.err || complain 'a record that is a link'
says linked.err 'is not kept for `perigee report`: .*is a link' 'a record that is a link'

# The same bytes each time, and whatever the number of threads.
cp results/report.html first.html
"$binary" report results -o results/again.html >/dev/null || complain 'report -o'
cmp first.html results/again.html || complain 'the same folder gives another page'
mkdir other && cp study.lua other
(cd other && "$binary" run study.lua --out results --set replications=6 --jobs 1 >/dev/null 2>&1 </dev/null)
for page in run both experiment; do cmp "results/$page.html" "other/results/$page.html" || complain "$page.html differs with one thread"; done

# The replay card in the page makes the run again.
python=/usr/bin/python3
[ -x $python ] || python=$(command -v python3) || python=
if [ -n "$python" ]; then
  for page in run both report; do
    "$python" -B - "results/$page.html" >card.json <<'PY' || complain "$page.html has no card"
import json, re, sys
page = open(sys.argv[1], encoding="utf-8").read()
data = [json.loads(text) for text in re.findall(r'<script type="application/json" id="data-d\d+">(.*?)</script>', page, re.S)]
print(next(each["text"] for each in data if each["name"] == "card.json"))
PY
    "$binary" replay card.json >replayed.txt || { complain "the card of $page.html"; cat replayed.txt; }
    says replayed.txt identical "the card of $page.html"
  done
fi

# ---- a run that has not ended
"$binary" run study.lua --out half --set replications=400 --set work=2000000 --jobs 2 >/dev/null 2>&1 </dev/null &
run=$!
for _ in $(seq 600); do
  grep -q '"done": *[1-9]' half/progress.json 2>/dev/null && break
  sleep 0.05
done
"$binary" report half -o live.html >/dev/null || complain 'report of a run under way'
says live.html 'had not ended when this page was made' 'a run under way'
kill -KILL $run; wait $run 2>/dev/null
"$binary" report half >/dev/null || complain 'report of a killed run'
says half/report.html 'had not ended when this page was made' 'a killed run'
says half/report.html 'cells are missing: the experiment is not complete' 'a killed run'
grep -q 'cells done' half/report.html && complain 'a killed run has two counts of cells'
says half/report.html 'Which of two orders waits less' 'a killed run'
rm half/.perigee-record.json
"$binary" report half >/dev/null || complain 'report of a store alone'
says half/report.html 'the script is not known' 'a store alone'
says half/report.html '<h2>Experiment study</h2>' 'a store alone'

# The seeds of cells are told only where they are known.
for seed in 1 5; do
  "$binary" run study.lua --out "seed$seed" --seed $seed >/dev/null 2>&1 </dev/null
  rm "seed$seed/.perigee-record.json"
  "$binary" report "seed$seed" >/dev/null || complain "a store alone, seed $seed"
  grep -q '"columns":\[[^]]*"replication","seed"' "seed$seed/report.html"
  [ $? = $((seed > 1)) ] || complain "seeds of a store alone, seed $seed"
done

# An error is said first.
echo 'print("before"); error("it broke")' >broken.lua
"$binary" run broken.lua --out broken >/dev/null 2>&1 && complain 'it did not fail'
"$binary" report broken >/dev/null || complain 'report of a failed run'
says broken/report.html 'did not come to its end: .*it broke' 'a failed run'

# ---- what is refused
refuses() {  # MESSAGE COMMAND ...
  local message=$1
  shift
  "$@" >refused.out 2>refused.err </dev/null && complain "$* succeeded"
  says refused.err "$message" "$*"
}
mkdir empty
refuses 'is no folder; give the one that --out named' "$binary" report nowhere
refuses 'is no results folder' "$binary" report empty
echo mine >mine.html
refuses 'mine.html is there already, and is no page of perigee' "$binary" report results -o mine.html
grep -qx mine mine.html || complain 'a foreign file was replaced'
refuses 'is a folder; name a file' "$binary" report results -o empty
refuses 'cannot be written' "$binary" report results -o nowhere/page.html
mkdir damaged
for text in '' 'x' '{}' '{"perigee_record": 7}' '{"perigee_record": 1, "state": "complete", "document": {"title": "", "made_by": "", "sections": [{"title": "", "items": [{"kind": "figure"}]}]}}'; do
  printf '%s' "$text" >damaged/.perigee-record.json
  refuses 'damaged/.perigee-record.json (is no record|was written by another version|is damaged)' "$binary" report damaged
done
cat >wrong.lua <<'LUA'
local s = scenario { platform = platform { host "h" {} }, workload = workload.tasks { { time = 1 } } }
local r = s:run { policy = "fcfs" }
local function refused(...)
  local ok, message = pcall(...)
  print(ok, message)
end
refused(r.report, r)
refused(r.report, r, "")
refused(r.report, r, "../up")
refused(r.report, r, "a", { titel = "x" })
r:report "twice"
refused(r.report, r, "twice")
LUA
"$binary" run wrong.lua --out wrong >wrong.txt 2>&1 || { complain 'wrong.lua'; cat wrong.txt; }
grep -c '^false' wrong.txt | grep -qx 5 || { complain 'calls that are wrong were taken'; cat wrong.txt; }
says wrong.txt "did you mean 'title'" 'an unknown option'
refuses 'out' "$binary" run wrong.lua
"$binary" check study.lua >/dev/null || complain 'check'

# ---- in browsers
if [ -n "$python" ]; then
  "$python" -B "$here/support/browser.py" check results/report.html results/run.html results/both.html results/experiment.html half/report.html
  status=$?
  [ $status = 0 ] || [ $status = 77 ] || complain 'in browsers'
fi
exit $((failures > 0))
