#!/bin/bash
# `perigee new` makes a folder in which a study runs, and in which a Lua language server finds the types of the language.
# test: thorough
. "${BASH_SOURCE%/*}/opening.sh"
refused() {  # TEXT ARGUMENT ...
  local text=$1
  shift
  "$binary" new "$@" >said 2>&1
  [ $? = 2 ] || complain "new $* ended with another status"
  grep -qF -e "$text" said || complain "new $* does not say '$text': $(cat said)"
}

"$binary" new study >said 2>err || complain "new: $(cat err)"
[ "$(wc -l <said)" = 2 ] || complain "new says: $(cat said)"
says said '^next: cd study && perigee run study\.lua --out results$' new
[ "$(find study -maxdepth 1 -mindepth 1 -printf '%f\n' | sort | tr '\n' ' ')" = '.gitignore .luarc.json .perigee README.md study.lua ' ] ||
  complain "the folder has other files: $(ls -A study)"

# ---- wherever it is moved
mkdir 'else where'
mv study 'else where/study'
cd 'else where/study' || exit 1
"$binary" check study.lua >../said 2>&1 || complain "check: $(cat ../said)"
says ../said 'nothing wrong was found' check
"$binary" run study.lua >../alone 2>&1 || complain "without a folder for results: $(cat ../alone)"
if command -v gnuplot >/dev/null; then
  "$binary" run study.lua --out results >../said 2>&1 || complain "run: $(cat ../said)"
  cmp ../said ../alone || complain 'the script prints something else with --out'
  for file in study.csv study.json wait.svg wait.csv run/manifest.json; do
    [ -s results/$file ] || complain "the study leaves no $file"
    case $file in */*) ;; *) grep -qF "$file" README.md || complain "the page does not tell of $file" ;; esac
  done
  "$binary" replay results/run >../said 2>&1 || complain "replay: $(cat ../said)"
  [ ! -e results/report.html ] || complain 'there is a report before one was asked for'
  # Commands of the page, run as it says.
  while read -r line; do
    case $line in
      *results*) (PATH=$(dirname "$binary"):$PATH eval "${line/--out results/--out ../of_page}") >../said 2>&1 ||
        complain "the page says '$line': $(cat ../said)" ;;
    esac
  done < <(sed -n '/^```/,/^```/p' README.md | grep '^perigee ')
  [ -s results/report.html ] || complain 'the commands of the page make no report'
else
  echo 'skipped: gnuplot is not there to draw the figure'
fi
says .gitignore '^results/$' .gitignore

# ---- editors
says .perigee/editor/perigee.lua '^---@meta' types
says .perigee/editor/studies.lua '^function studies.ratio' types
[ -s .perigee/editor/heuristics/easy.lua ] || complain 'a module of a folder is missing'
grep -qF "$work" .luarc.json && complain '.luarc.json names a place of this machine'
if command -v python3 >/dev/null; then
  python3 - <<'PY' || complain 'an editor cannot use .luarc.json'
import json, os, re
settings = json.load(open(".luarc.json"))
assert settings["runtime.version"] == "Lua 5.4", settings
for folder in settings["workspace.library"]:
    assert os.path.isdir(folder), folder
# Each word that the script begins with is one that the types declare, or Lua's own.
types = open(".perigee/editor/perigee.lua").read()
declared = set(re.findall(r"^function ([a-z_]+)[(.]", types, re.M)) | set(re.findall(r"^([a-z_]+) = ", types, re.M))
script = re.sub(r"--.*|\"[^\"]*\"", "", open("study.lua").read())
for word in ("experiment", "scenario", "platform", "cluster", "workload", "setting"):
    assert word in script and word in declared, word
PY
else
  echo 'skipped: python3 is not there to read .luarc.json'
fi
if command -v lua-language-server >/dev/null; then
  lua-language-server --check . --checklevel=Warning --logpath "$work/log" >../said 2>&1
  grep -q 'no problems found' ../said || complain "lua-language-server: $(cat ../said "$work"/log/check.json 2>/dev/null)"
else
  echo 'skipped: lua-language-server is not there to look at the study'
fi
rm .perigee/editor/grids.lua
echo old >.perigee/editor/perigee.lua
echo >.perigee/editor/gone.lua
"$binary" new --types . >../said 2>&1 || complain "new --types: $(cat ../said)"
[ -s .perigee/editor/grids.lua ] && [ ! -e .perigee/editor/gone.lua ] || complain 'the types are not those of the program'
says .perigee/editor/perigee.lua '^---@meta' 'new --types'
cd "$work" || exit 1

# ---- what is refused, with nothing made
touch file
refused 'file exists; give a name that is not taken' file
refused 'exists; give a name that is not taken' 'else where/study/'
ln -s nowhere link
refused 'link exists' link
refused 'there is no folder nowhere to make' nowhere/study
refused "'a b' is no name of a study" 'a b'
refused "'.hidden' is no name of a study" .hidden
refused "'' is no name of a study" ''
refused "is no name of a study" 'a
b'
refused "is no name of a study" "$(printf '%0101d' 0)"
refused 'has no folder .perigee/editor' --types .
refused 'folder is required' --types
[ ! -e nowhere ] && [ ! -e 'a b' ] && [ ! -e .hidden ] || complain 'something was made nevertheless'
mkdir "it's"
"$binary" new "it's/2nd-study_1.x" >said 2>&1 || complain "another name: $(cat said)"
says said "^next: cd 'it'.*study_1.x' && " 'another name'
(eval "$(sed -n 's/^next: \(cd .*\) && .*/\1/p' said)") || complain 'the words of a shell lead nowhere'
if [ "$(id -u)" != 0 ]; then
  mkdir closed && chmod a-w closed
  "$binary" new closed/study >said 2>&1 && complain 'a folder was made where none may be'
  says said 'closed/study cannot be written: ' 'a folder that may not be written'
fi
exit $((failures > 0))
