#!/bin/bash
# docs_test.sh [FILE ...]: executes what README.md and docs/*.md show. A comment in the line above a block says how:
#
#   ```lua                        is run as a script with `perigee run --out out`, in a scratch folder of its page
#   ```python, ```r               are run by /usr/bin/python3 and Rscript, with the Python module at hand. They and their
#                                 outputs are passed over, aloud, where that program is missing, or pandas
#   <!-- check: no -->            ... is not run, or compared: a fragment
#   <!-- continues -->            ... is run after the blocks of its language before it, as one script with them
#   <!-- fails -->                ... ends with exit status 1
#   <!-- file: NAME -->           any block is written to NAME in the scratch folder too; a lua block runs as NAME
#   <!-- output -->               the block is exactly what the lua block above it prints (where that fails: on
#                                 stderr); of a block that continues others, what it adds
#   <!-- from: PATH -->           the block is an excerpt of that source file, line by line
#   <!-- thorough -->             of the page: its blocks take seconds, and are run where tests are thorough or FILE names it
#   ```console                    lines `$ perigee ...` and `$ ./dev run ...` are executed (and `echo`, `ls`, `cat`,
#                                 `head`, `cut`, `sed`, `cd` after them, `python3` where it is there) and compared with what
#                                 follows; other commands are not
#
# Every word of the vocabulary must be in some page of docs, every metric in docs/model.md.
#
# In expected output a line `...` stands for any lines, `...` within a line for any text. Links, and paths below the
# source folders written in backquotes, must lead somewhere. FILE limits the test to these pages. With PERIGEE_APPROVE
# set, output that differs and has no `...` is written into the pages, as are excerpts whose first and last lines are
# still there; look at the difference afterwards.
set -u
root=${PERIGEE_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)}
binary=${PERIGEE_BINARY:-$root/build/release/perigee}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset COLUMNS
failures=0
executed=0
declare -A chains=()  # by suffix: the blocks of a language that continue each other

complain() {  # PAGE LINE MESSAGE [FILE TO SHOW ...]
  local place=$1:$2 message=$3 shown
  shift 3
  failures=$((failures + 1))
  printf '%s: %s\n' "$place" "$message"
  for shown in "$@"; do sed 's/^/    | /' "$shown" | head -n 60; done
}

# matches EXPECTED ACTUAL: the same lines, `...` elided.
matches() {
  awk '
    function pattern(line,  out, i, c) {
      out = "^"
      for (i = 1; i <= length(line); ++i) {
        if (substr(line, i, 3) == "...") { out = out ".*"; i += 2; continue }
        c = substr(line, i, 1)
        out = out (index(".[]$()*+?{}|/^\\", c) ? "\\" c : c)
      }
      return out "$"
    }
    function same(e, a) {
      for (; e <= expected; ++e) {
        if (want[e] == "...") {
          for (; a <= actual + 1; ++a) if (same(e + 1, a)) return 1
          return 0
        }
        if (a > actual) return 0
        if (want[e] != got[a] && (!index(want[e], "...") || got[a] !~ pattern(want[e]))) return 0
        ++a
      }
      return a > actual
    }
    FILENAME == ARGV[1] { want[++expected] = $0; next }
    { got[++actual] = $0 }
    END {
      while (expected > 0 && want[expected] == "") --expected
      while (actual > 0 && got[actual] == "") --actual
      exit !same(1, 1)
    }' "$1" "$2"
}

# Reading, writing and comparing small files by the shell itself: a process each would take most of this test's time.
text_of() { IFS= read -r -d '' "$1" <"$2" || :; }  # VARIABLE FILE
same_texts() {  # FILE FILE; blank lines at the end do not count
  local one other
  text_of one "$1"
  text_of other "$2"
  while [[ $one == *$'\n' ]]; do one=${one%$'\n'}; done
  while [[ $other == *$'\n' ]]; do other=${other%$'\n'}; done
  [ "$one" = "$other" ]
}

compare() {  # PAGE LINE WHAT EXPECTED ACTUAL; in the page, EXPECTED follows LINE
  same_texts "$4" "$5" && return
  matches "$4" "$5" && return
  if [ -n "${PERIGEE_APPROVE:-}" ] && ! grep -qF ... "$4"; then
    awk '/./ { for (; blank > 0; --blank) print ""; print; next } { ++blank }' "$5" >"$edits.$2"
    printf '%s %s %s\n' "$2" "$(($2 + $(wc -l <"$4")))" "$edits.$2" >>"$edits"
    return
  fi
  diff -u --label shown --label actual "$4" "$5" >"$work/diff"
  complain "$1" "$2" "$3" "$work/diff"
}

perigee() { "$binary" "$@"; }

# As a user has it: `perigee` on the path, and the Python module where python3 looks.
mkdir "$work/bin"
ln -s "$binary" "$work/bin/perigee"
export PYTHONPATH=$root/interpreter/installed/python PYTHONDONTWRITEBYTECODE=1

run_with() {  # SUFFIX COMMAND ...: the block in $block, read from $page:$line, as a file that ends the command
  local name=${file:-snippet.$1} status=0 wanted=0 text printed
  if [ "$continues" != yes ]; then
    chains[$1]=''
    before=''
  fi
  text_of text "$block"
  chains[$1]+=$text
  printf '%s' "${chains[$1]}" >"$folder/$name"
  shift
  (cd "$folder" && PATH=$work/bin:$PATH "$@" "$name") >"$work/stdout" 2>"$work/stderr" </dev/null || status=$?
  executed=$((executed + 1))
  [ "$fails" = yes ] && wanted=1
  if [ "$status" -ne "$wanted" ]; then
    complain "$page" "$line" "the block ends with exit status $status, expected $wanted" "$work/stdout" "$work/stderr"
  fi
  if [ "$fails" = yes ]; then
    text_of printed "$work/stderr"
    printf '%s' "$printed" >"$last"
  else
    text_of printed "$work/stdout"
    printf '%s' "${printed:${#before}}" >"$last"
    before=$printed
  fi
}

passed_over() {  # WHY: of the block, and of its output
  printf '%s:%s: skipped: %s\n' "$page" "$line" "$1"
  passes=yes
}

run_python() {
  local python=/usr/bin/python3  # the first one of the path may be another, which has no pandas
  if $python -c 'import pandas' 2>/dev/null; then run_with py $python
  else passed_over "$python with pandas is not here"; fi
}

run_r() {
  if command -v Rscript >/dev/null; then run_with R Rscript --vanilla
  else passed_over 'Rscript is not here'; fi
}

apply_edits() {  # to the page $page
  awk 'FILENAME == ARGV[1] { last[$1] = $2; text[$1] = $3; next }
       FNR > skipped { print }
       FNR in last { while ((getline line <text[FNR]) > 0) print line; skipped = last[FNR] }' \
    "$edits" "$root/$page" >"$work/page" && cat "$work/page" >"$root/$page"
  printf '%s: %s blocks written\n' "$page" "$(wc -l <"$edits")"
}

run_console() {  # every command of $block with the output that follows it
  local text number=$line command='' at=0 kept=0 status=0
  finish() {
    [ -n "$command" ] || return 0
    # shellcheck disable=SC2016
    case $command in
      'perigee '* | './dev run '* | 'echo '* | 'ls'* | 'cat '* | 'head '* | 'cut '* | 'sed '* | 'cd '*) ;;
      'python3 '*) command -v python3 >/dev/null || return 0 ;;
      *) return 0 ;;
    esac
    case $command in './dev run '*) command="perigee ${command#./dev }" ;; esac
    (exit "$status")
    { eval "$command"; status=$?; } >"$work/actual" 2>&1 </dev/null
    executed=$((executed + 1))
    compare "$page" "$at" "\`$command\` does not print what is shown" "$work/shown" "$work/actual"
  }
  kept=$PWD
  cd "$folder" || return
  while IFS= read -r text || [ -n "$text" ]; do
    number=$((number + 1))
    case $text in
      '$ '*)
        finish
        command=${text#'$ '}
        at=$number
        : >"$work/shown"
        ;;
      *) printf '%s\n' "$text" >>"$work/shown" ;;
    esac
  done <"$block"
  finish
  cd "$kept" || return
}

is_excerpt() {  # BLOCK SOURCE: its lines follow each other there
  awk 'FILENAME == ARGV[1] { want[++n] = $0; next }
       { got[++m] = $0 }
       END {
         for (i = 1; i + n - 1 <= m; ++i) {
           for (k = 1; k <= n && got[i + k - 1] == want[k]; ++k) {}
           if (k > n) exit 0
         }
         exit 1
       }' "$1" "$2"
}

excerpt() {  # BLOCK SOURCE: what is there now between its first line and its last
  awk 'FILENAME == ARGV[1] { if (!n++) first = $0; last = $0; next }
       $0 == first { inside = 1 }
       inside { print }
       inside && $0 == last { found = 1; exit }
       END { exit !found }' "$1" "$2"
}

take_block() {
  local text
  if [ -n "$file" ]; then
    case $file in /* | *..*) complain "$page" "$line" "file: $file leads out of the scratch folder" ;; *)
      case $file in */*) mkdir -p "$folder/${file%/*}" ;; esac
      text_of text "$block"
      printf '%s' "$text" >"$folder/$file" ;;
    esac
  fi
  if [ -n "$from" ]; then
    if [ ! -f "$root/$from" ]; then complain "$page" "$line" "there is no $from"
    elif ! is_excerpt "$block" "$root/$from"; then
      if [ -n "${PERIGEE_APPROVE:-}" ] && excerpt "$block" "$root/$from" >"$edits.$line"; then
        printf '%s %s %s\n' "$line" "$((line + $(wc -l <"$block")))" "$edits.$line" >>"$edits"
      else
        complain "$page" "$line" "the block is not an excerpt of $from; PERIGEE_APPROVE=1 writes it anew where its first and last lines are still there"
      fi
    fi
    executed=$((executed + 1))
    return
  fi
  [ "$check" = no ] || [ $page_waits = yes ] && return
  if [ "$output" = yes ]; then
    [ "$passes" = yes ] && return
    compare "$page" "$line" "this is not what the block above prints" "$block" "$last"
    return
  fi
  passes=no
  case $language in
    lua) run_with lua "$binary" run --out out ;;
    python) run_python ;;
    r) run_r ;;
    console) run_console ;;
  esac
}

read_page() {  # the page $page, a path from $root
  local text open_line=0 inside=no
  folder=$work/${page//[\/.]/_}
  mkdir "$folder"
  for link in scripts tests; do [ -e "$root/$link" ] && ln -s "$root/$link" "$folder/$link"; done
  block=$work/block last=$work/last before='' passes=no page_waits=no
  edits=$work/edits.${page##*/}
  chains=()
  : >"$last"
  forget() { check='' continues='' fails='' file='' output='' from=''; }
  forget
  line=0
  while IFS= read -r text || [ -n "$text" ]; do
    line=$((line + 1))
    if [ $inside = yes ]; then
      if [ "$text" = '```' ]; then
        inside=no
        number=$line line=$open_line
        take_block
        line=$number
        forget
      else
        printf '%s\n' "$text" >>"$block"
      fi
      continue
    fi
    case $text in
      '```'*)
        inside=yes open_line=$line language=${text#'```'}
        : >"$block"
        ;;
      '<!-- check: no -->') check=no ;;
      '<!-- continues -->') continues=yes ;;
      '<!-- fails -->') fails=yes ;;
      '<!-- output -->') output=yes ;;
      '<!-- file: '*' -->') file=${text#'<!-- file: '} file=${file%' -->'} ;;
      '<!-- thorough -->') page_waits=$short ;;
      '<!-- from: '*' -->') from=${text#'<!-- from: '} from=${from%' -->'} ;;
      '<!--'*) complain "$page" "$line" "unknown directive: $text" ;;
      '') ;;
      *) forget ;;
    esac
  done <"$root/$page"
  [ $inside = no ] || complain "$page" "$open_line" "the block is never closed"
  [ ! -s "$edits" ] || apply_edits
}

# Links and paths outside of blocks: "LINE PATH ANCHOR", from the root.
paths_of() {
  awk -v page="$1" '
    /^```/ { inside = !inside; next }
    inside { next }
    {
      rest = $0
      while (match(rest, /\]\([^)]*\)/)) {
        target = substr(rest, RSTART + 2, RLENGTH - 3)
        rest = substr(rest, RSTART + RLENGTH)
        if (target ~ /^[a-z]+:/) continue
        anchor = ""
        if (match(target, /#.*/)) { anchor = substr(target, RSTART + 1); target = substr(target, 1, RSTART - 1) }
        base = page
        if (!sub(/\/[^\/]*$/, "/", base)) base = ""
        print FNR, (target == "" ? page : base target), anchor
      }
      rest = $0
      while (match(rest, /`[^`]+`/)) {
        path = substr(rest, RSTART + 1, RLENGTH - 2)
        rest = substr(rest, RSTART + RLENGTH)
        if (path ~ /^(runtime|interpreter|stdlib|scripts|tests|docs)\/[A-Za-z0-9_.*\/-]*$/) print FNR, path
      }
    }' "$root/$1"
}

# Names that scripts can use, from the tables of the bindings.
vocabulary() {
  grep -rhoE --include='*.cpp' 'define\(L, "[a-z_]+"|\{"[a-z_]+", [a-z_]+(<[^>]*>)?\}' \
    interpreter/callbacks interpreter/bindings | sed 's/^[^"]*"//; s/".*//' | grep -v '^__' | sort -u
}
metrics() { sed -n 's/^ *{{"\([a-z_.]*\)", "[^"]*", ".*/\1/p' runtime/results/metrics.cpp; }

check_names() {  # PAGES LEAST NAME ...: at least so many, each in one of the pages
  local name least=$2
  page=$1
  shift 2
  [ $# -ge "$least" ] || complain "$page" 1 "only $# names were found in the source; has its form changed?"
  # shellcheck disable=SC2086
  while read -r name; do complain "$page" 1 "'$name' is not documented"; done < <(
    printf '%s\n' "$@" | awk '
      FILENAME == "-" { names[$0]; next }
      { rest = $0
        gsub(/[^A-Za-z0-9_.]+/, " ")
        n = split($0, words, " ")
        for (i = 1; i <= n; ++i) { sub(/^\.+/, "", words[i]); sub(/\.+$/, "", words[i]); delete names[words[i]] }
        gsub(/[^A-Za-z0-9_]+/, " ", rest)
        n = split(rest, words, " ")
        for (i = 1; i <= n; ++i) delete names[words[i]]
      }
      END { for (name in names) print name }' - $page | sort)
}

declare -A anchors=()  # "PAGE" of those that were read, "PAGE#ANCHOR"
has_anchor() {  # PAGE ANCHOR
  local anchor
  if [ -z "${anchors[$1]:-}" ]; then
    anchors[$1]=read
    while read -r anchor; do anchors[$1#$anchor]=there; done < <(awk '
      /^#+ / {
        text = tolower($0)
        sub(/^#* /, "", text)
        gsub(/ /, "-", text)
        gsub(/[^a-z0-9_-]/, "", text)
        print text
      }' "$1")
  fi
  [ -n "${anchors[$1#$2]:-}" ]
}

if [ ! -x "$binary" ]; then
  echo "there is no program $binary"
  exit 1
fi
cd "$root" || exit 1
short=no  # yes: pages that say so are passed over
if [ $# -eq 0 ]; then
  [ "${PERIGEE_TESTS:-}" = thorough ] || short=yes
  set -- README.md docs/*.md
  # shellcheck disable=SC2046
  check_names 'docs/*.md' 100 $(vocabulary)
  # shellcheck disable=SC2046
  check_names docs/model.md 30 $(metrics)
fi
for page in "$@"; do
  read_page
  while read -r line path anchor; do
    found=no
    # shellcheck disable=SC2086
    for match in $path; do [ -e "$match" ] && found=yes; done
    [ $found = yes ] || complain "$page" "$line" "there is no $path"
    [ $found = no ] || [ -z "$anchor" ] || has_anchor "$path" "$anchor" ||
      complain "$page" "$line" "$path has no heading '$anchor'"
  done < <(paths_of "$page")
done
[ "$executed" -gt 0 ] || complain tests/docs_test.sh 1 "nothing was executed"
echo "$executed snippets and commands executed, $failures failures"
[ "$failures" -eq 0 ]
