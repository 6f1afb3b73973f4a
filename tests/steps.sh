#!/bin/bash
# Shared parts of the tests of steps.
. "${BASH_SOURCE%/*}/opening.sh"

# $spent becomes the milliseconds of processor time of all programs that have ended: a busy machine does not count.
processor_time() {
  times >times
  spent=$(tail -n 1 times | tr 'ms' '  ' | awk '{ printf "%d", 1000 * (60 * $1 + $2 + 60 * $3 + $4) }')
}

# A call of perigee takes at most so long: as many times a loop that does nothing, for machines differ.
echo 'while true do end' >nothing.lua
processor_time
start=$spent
"$binary" run nothing.lua --steps 100000000 2>/dev/null
processor_time
most=$(((instrumented > 0 ? 180 : 60) * (spent - start)))
takes_no_longer() {  # START OF
  processor_time
  [ $((spent - $1)) -lt "$most" ] || complain "steps: $2: it took $((spent - $1)) ms of at most $most"
}

# Each line of standard input, repeated without end after a script that prepares for it.
ends_in_time() {  # PREPARING STEPS
  local line start
  while IFS= read -r line; do
    { cat "$1"; printf 'while true do %s end\n' "$line"; } >loop.lua
    processor_time
    start=$spent
    timeout 600 "$binary" run loop.lua --steps "$2" >out 2>err
    [ $? -eq 1 ] || complain "steps: $line: exit status is not 1"
    says err "error: the script takes more than $2 steps \(--steps\)" "$line"
    takes_no_longer "$start" "$line"
  done
}
