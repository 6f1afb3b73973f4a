#!/bin/bash
# perigee findings and perigee list scripts: claims of several scripts on one page, and what fails.
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
"$binary" findings four.lua >page 2>err
[ $? -eq 2 ] || complain "a script that is not there: status $?"
grep -qF 'four.lua: there is no such file' err || complain "a script that is not there: $(cat err)"

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
exit $((failures > 0))
