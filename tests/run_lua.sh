#!/bin/bash
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
# There are hundreds of such scripts, so the shell itself reads and compares: each process would cost more than most of them.
set -u
binary=$1
script=$2
ROOT=${PERIGEE_SOURCE_DIR:-${0%/*}/..}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
OUT=$work/out
mkdir "$OUT"

status='' arguments='' expected=()
while IFS= read -r line; do
  [[ $line =~ ^[[:space:]]*(--.*)?$ ]] || break
  [[ $line =~ ^--\ *(expect|status|args|test):\ *(.*)$ ]] || continue
  text=${BASH_REMATCH[2]}
  case ${BASH_REMATCH[1]} in
    expect) expected+=("$text") ;;
    status) status=$text ;;
    args) arguments+=" $text" ;;
    test) arguments+=" ${text#thorough}" ;;
  esac
done <"$script"
case ${script##*/} in
  fail_*) stream=stderr; : "${status:=1}" ;;
  *) stream=stdout; : "${status:=0}" ;;
esac

failed=0
complain() { failed=1; printf 'FAILED: %s\n' "$*"; }

if [ $stream = stderr ] && [ ${#expected[@]} -eq 0 ]; then
  complain "no '-- expect:' line says which diagnostic is right"
fi
eval "set -- $arguments"
cd "$OUT" || exit 1
"$binary" run "$script" "$@" >"$work/stdout" 2>"$work/stderr" </dev/null
actual=$?
[ "$actual" -eq "$status" ] || complain "exit status is $actual, expected $status"
LC_ALL=C
printed=$(<"$work/$stream") 2>/dev/null  # which would tell of bytes of zero
for text in "${expected[@]}"; do
  [[ $printed == *"$text"* ]] || complain "$stream does not contain: $text"
done

if [ "$failed" -ne 0 ]; then
  printf -- '--- stdout\n'; tail -n 200 "$work/stdout"
  printf -- '--- stderr\n'; tail -n 200 "$work/stderr"
fi
exit "$failed"
