#!/bin/sh
# Each folder of the table in docs/architecture.md may include those above it in the table only, and only those that its
# CMake target links. The includes of the sources are compared with both. The folders of the bindings have an order too, and
# what stands beside them is below all of them. `rooms_test.sh draw` prints it as a graph for
# Graphviz, dashed where an arrow leads upwards or to what is not linked.
set -u
wrong=0
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P) || exit 1
cd "$root" || exit 1

find runtime interpreter -name '*.h' -o -name '*.cpp' | sort |
  awk -v draw="${1:-}" '
    function room(path,  part) {
      split(path, part, "/")
      return part[1] "/" part[2]
    }
    # The targets that a call such as perigee_library(perigee_cost ... LINKS perigee_model) lets its first one link.
    function read_call(call,  word, count, i, target) {
      sub(/^ +/, "", call)
      if (call !~ /^(perigee_library|target_link_libraries)\(/) return
      count = split(call, word, /[^a-z_]+/)
      for (i = 2; i <= count; ++i) {
        if (word[i] !~ /^perigee_/) continue
        if (target == "") target = word[i]; else links[target, word[i]] = 1
      }
    }
    function target_of(name) { return "perigee_" substr(name, index(name, "/") + 1) }
    FILENAME == "docs/architecture.md" {
      if (match($0, /^\| `(runtime|interpreter)\/[a-z]+`/) && $2 != "`interpreter/installed`") {
        name = $2
        gsub(/`/, "", name)
        floor[name] = ++floors
        at[floors] = name
      }
      next
    }
    FILENAME ~ /CMakeLists.txt$/ {
      sub(/ *#.*/, "")
      call = call $0 " "
      if (/\)$/) {
        read_call(call)
        call = ""
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
      for (i = 1; i <= floors; ++i)  # what is linked links in turn
        for (j = 1; j < i; ++j)
          if ((target_of(at[i]), target_of(at[j])) in links) reached[i, j] = 1
      for (i = 1; i <= floors; ++i)
        for (j = i - 1; j > 0; --j)
          if ((i, j) in reached)
            for (k = 1; k < j; ++k) if ((j, k) in reached) reached[i, k] = 1
      if (draw == "draw") print "digraph rooms {\n  rankdir = BT;\n  node [shape = box];"
      for (i = 1; i <= floors; ++i)
        for (j = 1; j <= floors; ++j) {
          if (!((at[i], at[j]) in arrow)) continue
          wrong = j > i ? "is above " at[i] : !((i, j) in reached) ? "the target of " at[i] " does not link" : ""
          if (draw == "draw") printf "  \"%s\" -> \"%s\"%s;\n", at[i], at[j], wrong != "" ? " [style = dashed]" : ""
          if (wrong == "" || draw == "draw") continue
          print arrow[at[i], at[j]] ": includes " at[j] ", which " wrong
          bad = 1
        }
      if (draw == "draw") print "}"
      exit bad
    }' docs/architecture.md runtime/CMakeLists.txt interpreter/CMakeLists.txt - || wrong=1

[ "${1:-}" = draw ] || find interpreter/bindings -name '*.h' -o -name '*.cpp' | sort |
  awk '
    BEGIN { n = split("declare script compute run duel show", names); for (i = 1; i <= n; ++i) floor[names[i]] = i }
    function folder(path,  part) { return split(path, part, "/") > 3 ? part[3] : "" }
    {
      from = folder($0)
      if (from != "" && !(from in floor)) { print $0 ": its folder has no place in the order of the bindings"; bad = 1 }
      while ((getline line < $0) > 0)
        if (match(line, /^#include "interpreter\/bindings\/[^"]*"/)) {
          to = folder(substr(line, 11, RLENGTH - 11))
          if (to == "" || floor[to] <= floor[from]) { arrows += from != to; continue }
          print $0 ": includes " to ", which is above " (from == "" ? "what the folders share" : from)
          bad = 1
        }
      close($0)
    }
    END {
      if (arrows < 50) { print "only " arrows + 0 " includes between folders of the bindings were found"; bad = 1 }
      exit bad
    }' || wrong=1
exit "$wrong"
