#!/bin/bash
# The products of `cmake --install` and `./dev package` work below any folder: the program, its scripts,
# manual pages, completion and types for editors. A package is tested if there is one that is newer than the
# program.
# test: thorough
. "${BASH_SOURCE%/*}/opening.sh"
packages=${PERIGEE_SOURCE_DIR:?}/build/package
version=$("$binary" version | cut -d ' ' -f 2)
commands=$("$binary" --help | awk 'listed && NF { print $1 } /^Subcommands:/ { listed = 1 }')
mkdir elsewhere
(cd elsewhere && "$binary" run quickstart) >expected || complain "the quickstart does not run in the build folder"
skipped() { printf 'skipped: %s\n' "$*"; }

# renders PAGE: without a warning, as text in `page`
renders() {
  if command -v man >/dev/null; then
    LC_ALL=C.UTF-8 MANWIDTH=200 man --warnings -l "$1" 2>warnings | sed 's/.\x08//g; s/   *\([^ ]\)/ \1/g' >page
  elif command -v groff >/dev/null; then
    gzip -dc "$1" | groff -man -Tutf8 -w w -rLL=200n -P -cbou 2>warnings | sed 's/   *\([^ ]\)/ \1/g' >page
  else
    skipped "neither man nor groff is there to render $1"
    return 1
  fi
  [ ! -s warnings ] || complain "$1: $(cat warnings)"
}

# completes WORD ...: what bash offers for the last word, one a line, in `offered`
completes() {
  bash -c '. "$0" && COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) && _perigee_complete perigee && printf "%s\n" "${COMPREPLY[@]}"' \
    "$completion" "$@" >offered 2>err || complain "completion of $*: $(cat err)"
  [ ! -s err ] || complain "completion of $*: $(cat err)"
}

# offers "WORD ..." EXPECTED ...: each as a line of its own
offers() {
  local words=$1 each split
  shift
  read -ra split <<<"$words"
  completes "$program" "${split[@]:-}"
  for each in "$@"; do
    grep -qxF -e "$each" offered || complain "completion of '$words' does not offer $each: $(tr '\n' ' ' <offered)"
  done
}

check_python() {  # FOLDER NAME: the module in what was installed with FOLDER as the prefix
  local packages=$1/lib/python3/dist-packages file
  for file in __init__.py _read.py _run.py py.typed; do
    [ -f "$packages/perigee/$file" ] || complain "$2: the module has no $file"
  done
  [ -z "$(find "$packages" -name __pycache__)" ] || complain "$2: there is byte code"
  says "$1/share/doc/python3-perigee/copyright" '^MIT License' "$2"
  [ -x /usr/bin/python3 ] || { skipped 'there is no /usr/bin/python3 to import the module'; return; }
  PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$packages PERIGEE=$program /usr/bin/python3 -c '
import perigee
print(perigee.run("quickstart").text, end="")' >out 2>err || complain "$2: from Python: $(cat err)"
  cmp out expected || complain "$2: the quickstart prints something else from Python"
}

check_tree() {  # FOLDER NAME: what was installed with FOLDER as the prefix
  local folder=$1 name=$2 command
  program=$folder/bin/perigee
  completion=$folder/share/bash-completion/completions/perigee

  # ---- the program finds its scripts, from a folder that has none
  cd elsewhere || exit 1
  "$program" run quickstart >../out 2>../err || complain "$name: the quickstart: $(cat ../err)"
  "$program" list scripts >../scripts || complain "$name: list scripts"
  "$program" check tutorial/nowhere >/dev/null 2>&1 && complain "$name: a script that is not there"
  "$program" check sim-petek/circuit >../checked 2>&1 || complain "$name: check sim-petek/circuit: $(cat ../checked)"
  cd .. || exit 1
  cmp out expected || complain "$name: the quickstart prints something else than in the build folder"
  says scripts "^below $folder/share/perigee/scripts\$" "$name"
  says checked "^$folder/share/perigee/scripts/sim-petek/circuit.lua: nothing wrong" "$name"
  says scripts '^quickstart.lua ' "$name"

  # ---- documents
  for file in README.md docs/language.md reference.md; do
    [ -s "$folder/share/doc/perigee/$file" ] || complain "$name: $file is missing"
  done
  says "$folder/share/doc/perigee/copyright" '^MIT License' "$name"
  gzip -dc "$folder/share/doc/perigee/changelog.gz" >changes || complain "$name: the changelog"
  says changes "^perigee \\($version\\) " "$name"
  says "$folder/share/perigee/editor/perigee.lua" '^---@meta' "$name"
  says "$folder/share/perigee/editor/studies.lua" '^function studies.ratio' "$name"
  says "$folder/share/perigee/editor/heuristics/easy.lua" '^return policy "lua_easy"' "$name"

  # ---- the kernel for Jupyter
  says "$folder/share/jupyter/kernels/perigee/kernel.json" '"\{connection_file\}"' "$name"

  # ---- manual pages
  if renders "$folder/share/man/man1/perigee.1.gz"; then
    says page "perigee $version" "$name"
    for command in $commands; do
      says page "perigee-$command\\(1\\)" "$name: perigee.1"
    done
    for command in $commands; do
      renders "$folder/share/man/man1/perigee-$command.1.gz"
      says page "perigee-$command - [a-z]" "$name"
      says page "^ +perigee $command \\[OPTION" "$name"
    done
  fi

  # ---- completion
  bash -n "$completion" || complain "$name: completion for bash"
  offers r run repl replay
  for command in $commands; do offers '' "$command"; done
  offers 'run qu' quickstart
  offers 'run --s' --set --seed --steps
  offers 'run --validate quick' quickstart
  offers 'list s' scripts sweep
  offers 'describe min_' min_min
  offers 'list mo' modules
  offers 'help re' replay repl reference
  offers 'help heuristics.s' heuristics.sufferage heuristics.switching
  completes "$program" run --seed ''
  [ "$(cat offered)" = '' ] || complain "$name: a seed is completed by $(cat offered)"
  mkdir -p results
  offers 'run quickstart --out res' results
  offers 'new res' results
  if command -v zsh >/dev/null; then
    zsh -n "$folder/share/zsh/vendor-completions/_perigee" || complain "$name: completion for zsh"
  else
    skipped 'zsh is not there to read its completion'
  fi
}

# ---- as installed
cmake --install "${binary%/*}" --prefix "$work/installed" >log 2>&1 || complain "cmake --install: $(cat log)"
[ -f installed/share/man/man1/perigee.1.gz ] || complain 'no manual pages were installed: build the target perigee_manual'
says installed/share/jupyter/kernels/perigee/kernel.json "\"$work/installed/bin/perigee\"," installed
mv installed moved  # it finds what is its own wherever it is
check_tree "$work/moved" installed
check_python "$work/moved" installed

# ---- as packed
newest() {
  find "$packages" -name "$1" -newer "$binary" -newer "$packages/../release/perigee" 2>/dev/null | sort | tail -n 1
}
package=$(newest 'perigee_*.deb')
if [ -z "$package" ]; then
  skipped 'no package is newer than the program: ./dev package makes one'
elif ! command -v dpkg-deb >/dev/null; then
  skipped 'dpkg-deb is not there to unpack the package'
else
  dpkg-deb -x "$package" unpacked || complain "dpkg-deb -x $package"
  dpkg-deb -f "$package" >control
  dpkg-deb -c "$package" >contents
  says control '^Package: perigee$' package
  says control "^Version: $version\$" package
  says control '^Depends: .*libc6 \(>= ' package
  says control '^Recommends: gnuplot-nox$' package
  says unpacked/usr/share/jupyter/kernels/perigee/kernel.json '"/usr/bin/perigee",' package
  says contents '^-rwxr-xr-x root/root .*\./usr/bin/perigee$' package
  check_tree "$work/unpacked/usr" package
  of_python=$(newest 'python3-perigee_*.deb')
  dpkg-deb -x "$of_python" python || complain "dpkg-deb -x $of_python"
  dpkg-deb -f "$of_python" >control
  says control '^Package: python3-perigee$' "$of_python"
  says control '^Architecture: all$' "$of_python"
  says control "^Depends: python3:any, perigee \\(= $version\\)\$" "$of_python"
  [ ! -e unpacked/usr/lib/python3 ] || complain 'the package of the program holds the module too'
  check_python "$work/python/usr" python3-perigee
fi
archive=$(newest '*.tar.gz')
if [ -n "$archive" ]; then
  mkdir archive
  tar -xzf "$archive" -C archive --strip-components=1 || complain "tar -xzf $archive"
  says archive/share/jupyter/kernels/perigee/kernel.json '"perigee",' archive
  check_tree "$work/archive" archive
  check_python "$work/archive" archive
fi
exit $((failures > 0))
