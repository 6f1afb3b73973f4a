#!/bin/sh
# How long a newcomer waits: a fresh clone of the last commit, then the README's two commands, without a compiler
# cache. Prints for each the wall-clock time, the processor time and what was compiled.
# usage: tests/bench/build_bench.sh [FOLDER]   (the clone is made there, and kept; a temporary one otherwise)
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
if [ $# -gt 0 ]; then
  folder=$1
  [ ! -e "$folder" ] || { echo "build_bench: $folder exists" >&2; exit 2; }
else
  folder=$(mktemp -d)/perigee
  trap 'rm -rf "${folder%/*}"' EXIT
fi
git clone -q "$root" "$folder"
cd "$folder"
unset CMAKE_CXX_COMPILER_LAUNCHER CMAKE_C_COMPILER_LAUNCHER CXXFLAGS
export CCACHE_DISABLE=1

objects() { find build/release -name '*.o' -o -name '*.gch' 2>/dev/null | wc -l; }
cpu() {  # $spent becomes the seconds of all ended children of this shell: the second line of `times`, not in a pipe
  times >"$folder/../times"
  spent=$(tail -n 1 "$folder/../times" | tr 'ms' '  ' | awk '{ printf "%d", 60 * $1 + $2 + 60 * $3 + $4 }')
}
measure() {
  name=$1
  shift
  before=$(objects)
  cpu
  spent_before=$spent
  start=$(date +%s)
  "$@" >"$folder/../$name.log" 2>&1 || { tail -n 30 "$folder/../$name.log" >&2; exit 1; }
  end=$(date +%s)
  cpu
  printf '%-14s %5d s   %5d s of processors   %4d objects\n' "$name" $((end - start)) $((spent - spent_before)) \
    $(($(objects) - before))
}
printf '%s processors, load %s\n' "$(nproc)" "$(cut -d' ' -f1 /proc/loadavg)"
measure first_command ./dev run scripts/quickstart.lua
measure second_command ./dev test
