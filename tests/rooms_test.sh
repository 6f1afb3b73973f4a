#!/bin/sh
# Each folder of the table in docs/architecture.md may include those above it in the table only. What is found in the
# sources is compared with that. `rooms_test.sh draw` prints it as a graph for Graphviz, dashed where an arrow leads
# upwards.
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P) || exit 1
cd "$root" || exit 1

find runtime interpreter -name '*.h' -o -name '*.cpp' | sort |
  awk -v draw="${1:-}" '
    function room(path,  part) {
      split(path, part, "/")
      return part[1] "/" part[2]
    }
    FILENAME == "docs/architecture.md" {
      if (match($0, /^\| `(runtime|interpreter)\/[a-z]+`/) && $2 != "`interpreter/installed`") {
        name = $2
        gsub(/`/, "", name)
        floor[name] = ++floors
        at[floors] = name
      }
      next
    }
    {
      from = room($0)
      while ((getline line < $0) > 0)
        if (match(line, /^#include "[^"]*"/)) {
          to = room(substr(line, 11, RLENGTH - 11))
          if (to in floor && from in floor && to != from && !((from, to) in arrow)) arrow[from, to] = $0
        }
      close($0)
    }
    END {
      if (floors < 12) { print "the table of folders was not found in docs/architecture.md"; exit 1 }
      if (draw == "draw") print "digraph rooms {\n  rankdir = BT;\n  node [shape = box];"
      for (i = 1; i <= floors; ++i)
        for (j = 1; j <= floors; ++j) {
          if (!((at[i], at[j]) in arrow)) continue
          up = j > i
          if (draw == "draw") printf "  \"%s\" -> \"%s\"%s;\n", at[i], at[j], up ? " [style = dashed]" : ""
          if (!up || draw == "draw") continue
          print arrow[at[i], at[j]] ": includes " at[j] ", which is above " at[i]
          bad = 1
        }
      if (draw == "draw") print "}"
      exit bad
    }' docs/architecture.md -
