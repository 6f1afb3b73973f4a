#!/bin/bash
# The standard library: each module is listed, described and in docs/stdlib.md; a module of a script's own cannot hide behind one.
. "${BASH_SOURCE%/*}/opening.sh"
library=${PERIGEE_SOURCE_DIR:?}/stdlib
manual=$PERIGEE_SOURCE_DIR/docs/stdlib.md
every=$((thorough ? 1 : 4)) functions=0  # of them

"$binary" list modules >listed 2>err || complain "list modules: $(cat err)"
modules=0
while IFS= read -r file; do
  name=${file#"$library"/}
  name=${name%.lua}
  name=${name//\//.}
  modules=$((modules + 1))
  grep -qE "^${name//./\\.} +[A-Z].{3,120}$" listed || complain "list modules does not say in a line what $name is"
  "$binary" help "$name" >page 2>err || complain "help $name: $(cat err)"
  case $name in
    heuristics.*)
      cmp -s page "$file" || complain "help $name is not its source"
      grep -qE "(heuristics|\`)\.${name#*.}\`" "$manual" || complain "docs/stdlib.md does not name $name"
      ;;
    *)
      grep -qF "local $name = require \"$name\"" page || complain "help $name: $(cat page)"
      while IFS= read -r function; do
        called=${function%%(*}
        functions=$((functions + 1))
        [ $((functions % every)) -eq 0 ] || continue
        "$binary" help "$called" >page 2>err || complain "help $called: $(cat err)"
        head -n 1 page | grep -qxF "$function" || complain "help $called begins with: $(head -n 1 page)"
        sed -n 2p page | grep -qE '^  [A-Z]' || complain "help $called says nothing"
        grep -qF "\`$called" "$manual" "$PERIGEE_SOURCE_DIR/docs/grid.md" || complain "docs/stdlib.md does not name $called"
      done < <(sed -nE "s/^function ($name\.[a-z_]+\(.*\)).*/\1/p" "$file" | sed 's/).*/)/')
      ;;
  esac
done < <(find "$library" -name '*.lua' | LC_ALL=C sort)
[ "$modules" -gt 10 ] || complain "there are $modules modules"
"$binary" help heuristics >page 2>err && grep -q '^heuristics.easy ' page || complain "help heuristics: $(cat page err)"
"$binary" help studies.ratoi 2>&1 | grep -qF "did you mean 'studies.ratio'?" || complain "help on a name with a typing mistake"
# shellcheck disable=SC2016
"$binary" reference >page 2>err && grep -qxF '`studies.by(rows, factor, fixed)`' page || complain "reference: $(cat err)"

# A module of the script's folder that has the name of one of the library.
mkdir folder
printf 'local settings = {}\nreturn settings\n' >folder/settings.lua
printf 'local loads = require "loads"\nprint(loads.cluster { nodes = 2 })\n' >folder/other.lua
printf 'local settings = require "settings"\n' >folder/mine.lua
"$binary" run folder/other.lua >said 2>&1 || complain "another name of the library: $(cat said)"
"$binary" run folder/mine.lua >said 2>&1 && complain "a module of the script's own is passed over"
grep -qF "folder/mine.lua:1: error: require: 'settings' is a module of the standard library, and there is the module folder/settings.lua too" said ||
  complain "a name that is taken: $(cat said)"
printf 'print "a script"\n' >folder/settings.lua
"$binary" run folder/mine.lua >said 2>&1 || complain "a script with the name of a module: $(cat said)"
exit $((failures > 0))
