#!/bin/bash
# `perigee check` finds nothing in the scripts that come with perigee.
. "${BASH_SOURCE%/*}/opening.sh"
every=$((thorough ? 1 : 8))  # of them

checked=0
while IFS= read -r script; do
  "$binary" check "$script" >said 2>&1 || grep -q 'which log? pass one with --set log=FILE' said ||
    complain "check $script: $(cat said)"
  checked=$((checked + 1))
done < <(find "${PERIGEE_SOURCE_DIR:?}/scripts" -name '*.lua' | LC_ALL=C sort | awk "NR % $every == 0")
[ "$checked" -gt 0 ] || complain "there are no scripts"
exit $((failures > 0))
