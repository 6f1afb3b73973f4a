# Sourced first by tests in shell: an empty folder of their own, and how they complain. They end with `exit $((failures > 0))`.
set -u
binary=${PERIGEE_BINARY:?}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0
instrumented=$(nm -D "$binary" 2>/dev/null | grep -c __asan_init)  # 1 under sanitizers, which are slow and take all addresses there are
thorough=0  # 1: at full length, as tests/support/rounds.h says it
[ "${PERIGEE_TESTS:-}" != thorough ] || thorough=1
complain() { failures=$((failures + 1)); printf 'FAILED: %s\n' "$*"; }
says() { grep -qE -e "$2" "$1" || { complain "$3: $1 does not say: $2"; cat "$1"; }; }  # FILE PATTERN OF
