#!/bin/bash
# Each source has a test at its path, or a row of tests/README.md says which tests cover it. The rows are held against
# the tree too.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
wrong=0
complain() { printf '%s\n' "$1"; wrong=1; }

mirrored() { [ -f "tests/${1%.cpp}_test.cpp" ]; }

declare -A named=()    # tests that the page names
declare -A covered=()  # sources that a row of the page covers
while IFS='|' read -r _ sources tests _; do
  for test in $(grep -o '`[^`]*`' <<<"$tests" | tr -d '\`'); do
    named[$test]=1
    [ -f "$test" ] || complain "tests/README.md names $test, which is not there"
  done
  mapfile -t of_row < <(grep -o '`[^`]*`' <<<"$sources" | tr -d '\`')
  for glob in "${of_row[@]}"; do
    needed=0
    for source in $glob; do
      covered[$source]=1
      [ -f "$source" ] && ! mirrored "$source" && needed=1
    done
    [ $needed = 1 ] || complain "tests/README.md names $glob, which no source without a test of its own matches"
  done
done < <(sed -n '/^## Sources without/,$p' tests/README.md | grep '^| `')
for test in $(grep -o '`tests/[^`]*_test\.cpp`' tests/README.md | tr -d '\`'); do named[$test]=1; done

sources=0
while read -r source; do
  sources=$((sources + 1))
  [ -n "${covered[$source]:-}" ] || mirrored "$source" ||
    complain "$source has no test at its path, and no row in tests/README.md"
done < <(find runtime interpreter -name '*.cpp' | sort)
[ $sources -gt 200 ] || complain "only $sources sources were found"

while read -r test; do
  source=${test#tests/}
  source=${source%_test.cpp}
  [ -f "$source.cpp" ] || [ -f "$source.h" ] || [ -n "${named[$test]:-}" ] ||
    complain "$test is at the path of no source, and tests/README.md does not name it"
done < <(find tests/runtime tests/interpreter -name '*_test.cpp' | sort)
exit $wrong
