#!/bin/bash
# docs/verdicts.jsonl is what the scripts say: a row for each claim, with the script's settings and verdict, and of each statement of the
# publications a claim or the reason why there is none.
# test: thorough
. "${BASH_SOURCE%/*}/opening.sh"

"$binary" findings --check --rows "${PERIGEE_SOURCE_DIR:?}/docs/verdicts.jsonl" >page 2>err || complain "$(grep -v ^warning err | head -n 40)"
# In the row of all: statements = reproduce + do not + not decided + source in error + left open + cannot be tested + without a claim.
awk -F'|' '$2 ~ /^ all / { found = 1; if ($3 != $4 + $5 + $6 + $7 + $8 + $9 + $10 || $3 == 0 || $10 != 0) exit 1 } END { exit !found }' page ||
  complain "the counts: $(grep '^| all ' page)"
exit $((failures > 0))
