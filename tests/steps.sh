#!/bin/bash
# What the tests of steps share.
. "${BASH_SOURCE%/*}/opening.sh"

# $spent becomes the seconds of processor time of all programs that have ended: a busy machine does not count.
processor_time() {
  times >times
  spent=$(tail -n 1 times | tr 'ms' '  ' | awk '{ printf "%d", 60 * $1 + $2 + 60 * $3 + $4 }')
}

# Each line of standard input, repeated without end after a script that prepares for it.
ends_in_time() {  # PREPARING STEPS SECONDS
  local line start
  while IFS= read -r line; do
    { cat "$1"; printf 'while true do %s end\n' "$line"; } >loop.lua
    processor_time
    start=$spent
    timeout 120 "$binary" run loop.lua --steps "$2" >out 2>err
    [ $? -eq 1 ] || complain "steps: $line: exit status is not 1"
    says err "error: the script takes more than $2 steps \(--steps\)" "$line"
    processor_time
    [ $((spent - start)) -lt "$3" ] || complain "steps: $line: it took $((spent - start)) s"
  done
}
