#!/bin/bash
# perigee findings and perigee list scripts: claims of several scripts on one page, and what fails.
# test: thorough
. "${BASH_SOURCE%/*}/opening.sh"

cat >one.lua <<'END'
-- The first.
print "not to be seen"
claim { source = "Author 2001", says = "a | b", value = 2.01, published = 2, within = "1 %", verdict = "reproduces" }
claim { source = "Other 1999", says = "c", holds = false, verdict = "source in error" }
END
cat >two.lua <<'END'
claim { source = "Author 2001", says = "d", holds = false, verdict = "does not reproduce" }
END
cat >three.lua <<'END'
claim { source = "Author 2001", says = "e", holds = false, verdict = "reproduces" }
error "no more"
END

"$binary" findings one.lua two.lua >page 2>err || complain "status $?: $(cat err)"
cat >expected <<'END'
# Findings

What publications say, computed again by the scripts.

1 reproduce, 1 do not, in 1 the source is in error.

## Author 2001

| finding | here | verdict | script |
|---|---|---|---|
| a \| b | 2.01 against 2 published | reproduces | one.lua:3 |
| d |  | does not reproduce | two.lua:1 |

## Other 1999

| finding | here | verdict | script |
|---|---|---|---|
| c |  | source in error | one.lua:4 |
END
cmp page expected || complain "the page is $(cat page)"

"$binary" findings two.lua three.lua >page 2>err && complain "a claim that parts from its verdict: status 0"
grep -qF '**1 came out otherwise than the verdict says.**' page || complain "parted: $(cat page)"
grep -qF '| e |  | reproduces, **but not in this run** | three.lua:1 |' page || complain "parted: $(cat page)"
grep -qF -- '- three.lua: line 2: no more' page || complain "an error: $(cat page)"
printf 'claim { source = "T", says = "f", holds = "not decided", found = "1 +- 2", verdict = "reproduces" }\n' >undecided.lua
"$binary" findings undecided.lua >page 2>err || complain "a short form that leaves a claim open: status $?"
grep -qF '| f | 1 +- 2 | reproduces, not contradicted in this run | undecided.lua:1 |' page || complain "undecided: $(cat page)"
"$binary" findings four.lua >page 2>err
[ $? -eq 2 ] || complain "a script that is not there: status $?"
grep -qF 'four.lua: there is no such file' err || complain "a script that is not there: $(cat err)"

# Statements: a list, claims that name them, the page, and the rows of the full form.
cat >list.lua <<'END'
-- The list.
-- takes: nothing
statements {
  source = "Author 2001", title = "On sums",
  { number = "A1-1", where = "section 1", says = "the mean is below 2" },
  { number = "A1-2", where = "section 2", kind = "error", says = "one and one is three" },
  { number = "A1-3", where = "section 3", says = "the log is long", missing = "the log is lost" },
  { number = "A1-4", where = "section 4", says = "the other log is long", data = "the other log" },
  { number = "A1-5", where = "section 5", says = "nobody looked" },
}
END
cat >study.lua <<'END'
require "list"
local full, other = setting("full", false), "AMRS-3"  -- a name, no statement
local n = setting("replications", full and 100 or 2)
local function made(t) claim(t) end
made { statement = "A1-1", holds = full or "not decided", found = ("of %d"):format(n), verdict = "reproduces", chosen = "the seed" }
claim { statement = "A1-2", value = 1 + 1, published = 3, verdict = "source in error", note = "perigee adds" }
END
"$binary" findings study.lua >page 2>err || complain "statements: status $?: $(cat err)"
cat >expected <<'END'
# Findings

What publications say, computed again by the scripts.

| publication | statements | reproduce | do not reproduce | not decided | source in error | left open | cannot be tested | without a claim | of all: chosen |
|---|---|---|---|---|---|---|---|---|---|
| Author 2001 | 5 | 1 | 0 | 0 | 1 | 0 | 2 | 1 | 1 |

## Author 2001: On sums

| | where | statement | here | verdict | script |
|---|---|---|---|---|---|
| A1-1 | section 1 | the mean is below 2 | of 2; chosen: the seed | reproduces, chosen, not contradicted in this run | study.lua:5 |
| A1-2 | section 2 | one and one is three | 2 against 3 published; perigee adds | source in error | study.lua:6 |
END
cmp page expected || complain "the page of statements is $(cat page)"

"$binary" findings --full --rows rows study.lua >page 2>err || complain "the full form: status $?: $(cat err)"
[ "$(wc -l <rows)" -eq 2 ] || complain "the rows are $(cat rows)"
grep -qF '"found":"of 100"' rows || complain "the full form: $(cat rows)"
grep -qF '"settings":{"full":"true","replications":"100"}' rows || complain "the settings: $(cat rows)"
"$binary" findings --rows rows study.lua >page 2>err || complain "with rows: status $?: $(cat err)"
grep -qF '| of 100; chosen: the seed |' page || complain "the full form is not shown: $(cat page)"
"$binary" findings --check --rows rows study.lua >page 2>err || complain "a check of the rows: status $?: $(cat err)"
grep -qF '| of 100; chosen: the seed | reproduces, chosen | study.lua:5 |' page || complain "a check of the rows: $(cat page)"

refused() {  # refused TEXT ARGUMENT...: findings fails and says the text
  text=$1
  shift
  "$binary" findings "$@" >page 2>err && complain "$*: status 0"
  grep -qF -- "$text" err || complain "$*: '$text' is not said in: $(cat err)"
}
sed 's/full and 100/full and 99/' study.lua >changed && mv changed study.lua
refused 'A1-1 was found with other settings than study.lua has now' --check --rows rows study.lua
sed -i 's/full and 99/full and 100/; s/verdict = "source in error"/verdict = "does not reproduce"/' study.lua
refused "study.lua:6: the verdict on A1-2 is 'does not reproduce', and 'source in error' in rows" --rows rows study.lua
sed -i 's/does not reproduce/source in error/; s/full or "not decided"/false/' study.lua
refused "claim 'the mean is below 2' does not hold in this run" --rows rows study.lua
echo 'claim { statement = "A1-4", holds = true, verdict = "reproduces" }' >>study.lua
refused 'there is no row for A1-4 in rows' --check --rows rows study.lua
refused 'there is no row for A1-4 of study.lua:7' --rows rows study.lua
sed -i '1s/.*/oops/' rows
refused 'rows:1: this is no row of a verdict' --check --rows rows study.lua
refused '--check requires --rows' --check study.lua

# Rows know the text of their script, and their own.
told() {  # told TEXT ARGUMENT...: findings succeeds and says the text on its page or on the standard error stream
  text=$1
  shift
  "$binary" findings "$@" >page 2>err || complain "$*: status $?: $(cat err)"
  grep -qF -- "$text" page err || complain "$*: '$text' is not said in: $(cat page err)"
}
silent() {  # silent ARGUMENT...: findings succeeds and has nothing to say
  "$binary" findings "$@" >page 2>err || complain "$*: status $?: $(cat err)"
  [ ! -s err ] || complain "$*: $(cat err)"
  ! grep -q 'earlier text' page || complain "$*: $(cat page)"
}
cat >helper.lua <<'END'
local helper = {}
function helper.sum(a, b) return a + b end  -- a comment
return helper
END
cat >kept.lua <<'END'
require "list"
local helper = require "helper"
local full = setting("full", false)
claim { statement = "A1-1", holds = helper.sum(1, 1) == 2, found = "2", verdict = "reproduces" }
claim { statement = "A1-2", holds = true, found = "of " .. helper.sum(1, 1), verdict = "reproduces" }
END
"$binary" findings --full --rows kept kept.lua >page 2>err || complain "kept.lua: status $?: $(cat err)"
silent --check --rows kept kept.lua
sed -i 's/  -- a comment/ --[[ another ]]\n\n/' helper.lua
sed -i 's/nobody looked/nobody looks/' list.lua
{ printf -- '-- Begins with a comment.\n\n'; sed 's/, /  ,   /g' kept.lua; } >spaced && mv spaced kept.lua
silent --check --rows kept kept.lua
sed -i 's/nobody looks/nobody looked/' list.lua
cp kept.lua renamed.lua
sed 's/kept.lua/renamed.lua/' kept >moved
silent --check --rows moved renamed.lua
sed -i 's/a + b/b + a/' helper.lua
told '2 of the verdicts were found by an earlier text of their scripts: kept.lua.' --check --rows kept kept.lua
grep -qF '| 2 | reproduces, by an earlier text | kept.lua:6 |' page || complain "a mark: $(cat page)"
[ "$(grep -c 'warning: kept: the rows of kept.lua were found by an earlier text of it' err)" -eq 1 ] || complain "an earlier text: $(cat err)"
told '2 of the verdicts were found by an earlier text of their scripts: kept.lua.' --rows kept kept.lua
"$binary" findings --full --rows kept kept.lua >page 2>err || complain "kept.lua again: status $?: $(cat err)"
silent --check --rows kept kept.lua
sed -i 's/"found":"2"/"found":"3"/' kept
refused 'kept: the row on A1-1 was changed after its script wrote it: run the full form again' --check --rows kept kept.lua
refused 'the row on A1-1 was changed' --rows kept kept.lua
"$binary" findings --full --rows kept study.lua >page 2>err  # rows that others write leave it as it was
refused 'the row on A1-1 was changed' --check --rows kept kept.lua
sed -i 's/"found":"3"/"found":"2"/; s/"version":"[^"]*"/"version":"0.0.1"/' kept
refused 'the row on A1-2 was changed' --check --rows kept kept.lua
sed -i 's/,"hash":"[^"]*"//' kept
refused 'the row on A1-1 was changed' --check --rows kept kept.lua
sed -i 's/,"code":"[^"]*"//' kept
told '2 of the verdicts were found by an earlier text of their scripts: kept.lua.' --check --rows kept kept.lua
sed -i '/A1-1/s/"reproduces"/"does not reproduce"/' kept.lua
refused "kept.lua:6: the verdict on A1-1 is 'does not reproduce', and 'reproduces' in kept" --check --rows kept kept.lua
cat >parts.lua <<'END'
require "list"
local function made(number, verdict, holds) claim { statement = number, verdict = verdict, holds = holds } end
made("A1-1", "reproduces", true)
claim { statement = "A1-2", holds = true, verdict = 1 > 0 and "reproduces" or "does not reproduce" }
claim { source = "found here", says = "a sum", holds = true, verdict = "reproduces" }
END
"$binary" findings --full --rows parts parts.lua >page 2>err || complain "parts.lua: status $?: $(cat err)"
silent --check --rows parts parts.lua
sed -i 's/"A1-1", "reproduces"/"A1-1", "left open"/; s/true, verdict = "reproduces"/true, verdict = "left open"/' parts.lua
refused "parts.lua:3: the verdict on A1-1 is 'left open', and 'reproduces' in parts" --check --rows parts parts.lua
grep -qF "parts.lua:5: the verdict on 'a sum' is 'left open', and 'reproduces' in parts" err || complain "a claim without a number: $(cat err)"
[ "$(grep -c '^error' err)" -eq 2 ] || complain "a verdict that is computed: $(cat err)"

# Rows twice, of another seed, of no claim; also when the script is named.
"$binary" findings --full --rows parts parts.lua >page 2>err
sed -n 1p parts >>parts
refused 'parts: parts.lua has two rows on A1-1: delete one' --check --rows parts parts.lua
refused 'parts: parts.lua has two rows on A1-1: delete one' --rows parts parts.lua
"$binary" findings --full --rows parts parts.lua >page 2>err
[ "$(wc -l <parts)" -eq 3 ] || complain "written anew: $(cat parts)"
sed 's/"seed":1/"seed":2/; s/,"code".*/}/' parts >seeded
refused "seeded: 'a sum' was found with the seed 2, not with 1" --check --rows seeded parts.lua
sed -i 's/"A1-2"/"A1-4"/' parts.lua
refused 'parts: a row is about A1-2, of which parts.lua says nothing' --rows parts parts.lua
echo 'print "nothing is claimed"' >parts.lua
refused "parts: a row is about 'a sum', of which parts.lua says nothing" --check --rows parts parts.lua
refused "parts: a row is about 'a sum', of which parts.lua says nothing" --rows parts parts.lua

# Scripts of users: a list and claims in one file, claims without a number, comments.
cat >own.lua <<'END'
statements { source = "Own 2020", { number = "O-1", where = "1", says = "x" }, { number = "O-2", where = "2", says = "y" } }
--[[ claim { statement = "O-2", holds = true, verdict = "reproduces" } ]]
claim { statement = "O-1", holds = true, verdict = "reproduces" }
local source = "Other 2021"
claim { source = source, says = "z", holds = true, verdict = "reproduces" }
END
refused 'own.lua:3: there is no row for O-1 in own' --check --rows own own.lua
grep -qF "own.lua:5: there is no row for 'z' in own" err || complain "a claim without a number: $(cat err)"
grep -qF 'for O-2' err && complain "a comment claims: $(cat err)"
"$binary" findings --full --rows own own.lua >page 2>err || complain "own.lua: status $?: $(cat err)"
silent --check --rows own own.lua
grep -qF '| O-1 | 1 | x |  | reproduces | own.lua:3 |' page || complain "a list and claims in one file: $(cat page)"
grep -qF '| z |  | reproduces | own.lua:5 |' page || complain "a list and claims in one file: $(cat page)"
cat >computed.lua <<'END'
for i = 1, 2 do claim { source = "A", says = "case " .. i, holds = true, verdict = "reproduces" } end
END
told 'computed: there is no row of computed.lua: run its full form, with the data it needs' --check --rows computed computed.lua

# Lists of several scripts.
sed 's/says = "y"/says = "other words"/; /^claim/d' own.lua >differs.lua
refused "own.lua and differs.lua list other statements of the source 'Own 2020'" own.lua differs.lua
sed 's/Own 2020/New 2022/; /^claim/d' own.lua >clash.lua
refused "O-2 is a number of 'Own 2020' in own.lua and of 'New 2022' in clash.lua" own.lua clash.lua
cp own.lua same.lua
"$binary" findings own.lua same.lua >page 2>err || complain "a list in two scripts: $(cat err)"

# All that comes with perigee, beside a program of its own.
mkdir -p all/build/x all/scripts
cp "$binary" all/build/x/perigee
cp list.lua study.lua all/scripts
(
  binary=$PWD/all/build/x/perigee
  refused 'A1-5 (Author 2001) has no claim, nor a reason why it cannot be tested'
  grep -qF '| A1-3 | section 3 | the log is long | the log is lost | cannot be tested | |' page || complain "missing: $(cat page)"
  grep -qF '| A1-5 | section 5 | nobody looked |  | **no claim** | |' page || complain "no claim: $(cat page)"
  printf 'require "list"\nclaim { statement = "A1-2", holds = false, verdict = "source in error" }\n' >all/scripts/again.lua
  refused 'A1-2 has two claims, again.lua:2 and study.lua:6'
  "$binary" findings A1-4 >page 2>err
  grep -qF '| A1-4 | section 4 | the other log is long |' page || complain "one statement: $(cat page err)"
  grep -qF 'A1-2' page && complain "one statement: others are shown: $(cat page)"
  refused "no script claims anything about the statement A1-9; did you mean 'A1-2'?" A1-9
  [ $failures -eq 0 ]
) || failures=$((failures + 1))

echo 'print("seen", s)' | "$binary" repl quickstart --set tasks=5 2>err | grep -q '^seen.*scenario' ||
  complain "repl finds no script that comes with perigee: $(cat err)"
"$binary" list scripts >page 2>err || complain "list scripts: $(cat err)"
grep -qE '^quickstart\.lua +a second +A day in the life of a small cluster' page || complain "list scripts: $(cat page)"
for script in "${PERIGEE_SOURCE_DIR:?}"/scripts/*.lua "$PERIGEE_SOURCE_DIR"/scripts/*/*.lua; do
  [ -f "$script" ] || continue
  name=${script#"$PERIGEE_SOURCE_DIR"/scripts/}
  grep -qE "^${name//./\\.} +[a-z]+.* +[A-Z]" page || complain "list scripts does not say how long $name takes and what it shows"
done

[ $failures -eq 0 ] && echo "all as expected"
# A statement of perigee's own that cannot be tested is shown with its reason, and without counts.
"$binary" findings S1-138 >page 2>err || complain "a statement without claim: $(cat err)"
grep -q '^| S1-138 | .* | cannot be tested | |$' page || complain "a statement without claim: $(cat page)"
grep -q 'of all: chosen' page && complain "counts of a page with one statement: $(cat page)"

exit $((failures > 0))
