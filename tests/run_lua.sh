#!/bin/sh
# run_lua.sh BINARY SCRIPT: runs one script with `perigee run` and judges it by the comments it begins with:
#
#   -- expect: text    its output contains this text (stderr for fail_*.lua, which must have at least one
#                      such line; otherwise stdout); any number of lines
#   -- status: N       its exit status; default 1 for fail_*.lua, otherwise 0
#   -- args: ...       arguments after the script, in shell words; $OUT is an empty scratch folder,
#                      $ROOT the repository
#   -- test: ...       the same as args (scripts/ use it; `-- test: no` there means not to be run here, and a first word
#                      `thorough` only where tests are thorough)
#
# The comments end at the first line that is neither a comment nor blank. Scratch folder = working folder.
set -u
binary=$1
script=$2
ROOT=${PERIGEE_SOURCE_DIR:-$(dirname -- "$0")/..}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
OUT=$work/out
mkdir "$OUT"

sed -n '/^[[:space:]]*\(--.*\)\{0,1\}$/!q; p' "$script" >"$work/head"
field() { sed -n "s/^-- *$1: *//p" "$work/head"; }

status=$(field status)
case $(basename -- "$script") in
  fail_*) stream=stderr; : "${status:=1}" ;;
  *) stream=stdout; : "${status:=0}" ;;
esac
field expect >"$work/expect"

failed=0
complain() { failed=1; printf 'FAILED: %s\n' "$*"; }

if [ "$stream" = stderr ] && [ ! -s "$work/expect" ]; then
  complain "no '-- expect:' line says which diagnostic is right"
fi
eval "set -- $(field args | tr '\n' ' ') $(field test | sed "s/^thorough//" | tr '\n' ' ')"
cd "$OUT" || exit 1
"$binary" run "$script" "$@" >"$work/stdout" 2>"$work/stderr" </dev/null
actual=$?
[ "$actual" -eq "$status" ] || complain "exit status is $actual, expected $status"
while IFS= read -r text; do
  grep -qF -e "$text" "$work/$stream" || complain "$stream does not contain: $text"
done <"$work/expect"

if [ "$failed" -ne 0 ]; then
  printf -- '--- stdout\n'; tail -n 200 "$work/stdout"
  printf -- '--- stderr\n'; tail -n 200 "$work/stderr"
fi
exit "$failed"
