#!/bin/bash
# The Python module under Debian's python3, with pandas and with pandas hidden; its types; the same files in R.
# test: thorough
. "${BASH_SOURCE%/*}/opening.sh"
root=${PERIGEE_SOURCE_DIR:?}
python=/usr/bin/python3  # the first one of the path may be another, which has no pandas
export PYTHONDONTWRITEBYTECODE=1
skipped() { printf 'skipped: %s\n' "$*"; }
if [ ! -x $python ]; then
  skipped "there is no $python"
  exit 0
fi

if ! $python -c 'import pandas' 2>/dev/null; then
  skipped 'pandas is not there'
else
  $python -m unittest discover -s "$root/tests/python" >said 2>&1 || complain "with pandas: $(cat said)"
fi
PERIGEE_TEST_WITHOUT_PANDAS=1 $python -m unittest discover -s "$root/tests/python" >said 2>&1 ||
  complain "without pandas: $(cat said)"

if ! $python -m mypy --version >/dev/null 2>&1; then
  skipped 'mypy is not there'
else
  for version in 3.9 3.11; do
    (cd "$root/interpreter/installed/python" && $python -m mypy --strict --ignore-missing-imports --python-version $version \
      --cache-dir "$work/types" perigee) >said 2>&1 || complain "types of Python $version: $(cat said)"
  done
fi

cat >whole.lua <<'LUA'
experiment "whole" { factors = { id = { 99999, 100000, 2 ^ 31 + 1 } }, run = function(f) return { half = f.id / 2 } end }:save "whole"
LUA
"$binary" run whole.lua --out results --quiet || complain 'the script for R'
if ! command -v Rscript >/dev/null; then
  skipped 'R is not there'
else
  Rscript --vanilla -e 'whole <- read.csv("results/whole.csv")
    cat(class(whole$cell), sum(whole$id) == 99999 + 100000 + 2^31 + 1, whole$half[2])' >said 2>&1 || complain "R: $(cat said)"
  says said '^integer TRUE 50000$' R
fi
exit $((failures > 0))
