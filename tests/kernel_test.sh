#!/bin/bash
# `perigee kernel` as Jupyter sees it: installed, asked by jupyter_client, with whole notebooks run by nbclient. Missing
# parts of Jupyter are skipped aloud.
. "${BASH_SOURCE%/*}/opening.sh"
root=${PERIGEE_SOURCE_DIR:?}
python=/usr/bin/python3
skipped() { printf 'skipped: %s\n' "$*"; }
has() { "$python" -c "import $1" 2>/dev/null; }
export JUPYTER_DATA_DIR=$work/data JUPYTER_CONFIG_DIR=$work/config JUPYTER_RUNTIME_DIR=$work/runtime IPYTHONDIR=$work/ipython
export PYTHONDONTWRITEBYTECODE=1

# fails STATUS PATTERN ARGUMENT ...: what `perigee kernel ARGUMENT ...` says on standard error, in one line
fails() {
  local wanted=$1 pattern=$2 status=0
  shift 2
  "$binary" kernel "$@" >out 2>err || status=$?
  [ $status -eq "$wanted" ] || complain "perigee kernel $*: status $status, expected $wanted"
  says err "$pattern" "perigee kernel $*"
}

# ---- installing
"$binary" kernel --install --user --seed 7 --data . >out 2>err || complain "--install --user: $(cat err)"
[ "$(cat out)" = "$work/data/kernels/perigee/kernel.json" ] || complain "--install --user says $(cat out)"
says data/kernels/perigee/kernel.json "\"$binary\"" argv
for word in '"kernel"' '"--seed"' '"7"' "\"$work/?\"" '"{connection_file}"' '"interrupt_mode": "message"'; do
  says data/kernels/perigee/kernel.json "${word//\{/\\{}" kernel.json
done
"$binary" kernel --install --prefix prefix --name other >out || complain '--install --prefix'
[ -s prefix/share/jupyter/kernels/other/kernel.json ] || complain '--install --prefix --name other wrote nothing'
sed "s|@program@|$binary|; s|\"perigee\",\$|\"other\",|" "$root/interpreter/installed/kernel.json.in" >expected
cmp expected prefix/share/jupyter/kernels/other/kernel.json || complain 'what CMake installs is another kernel.json'
(unset JUPYTER_DATA_DIR; HOME=$work/home "$binary" kernel --install --user >out) || complain 'in a home folder'
[ -s home/.local/share/jupyter/kernels/perigee/kernel.json ] || complain 'nothing in the home folder'
fails 1 "--name a/b: a kernel's name" --install --prefix prefix --name a/b
fails 2 'exclude each other' --install --user --prefix prefix
fails 2 'for `perigee kernel --install`' --user
fails 2 'takes no connection file' --install connection.json
fails 2 'needs a connection file' 
fails 1 'nowhere.json cannot be read' nowhere.json
echo '{"shell_port": "x"}' >wrong.json
fails 1 'wrong.json: shell_port must be a port' wrong.json
"$binary" kernel --install --user >out || complain '--install --user again'

# ---- notebooks are what their pages and scripts say
pairs='docs/tutorial-heuristic.md:heuristic scripts/quickstart.lua:quickstart scripts/tutorial/two_factors.lua:two_factors'
[ -x "$python" ] || { skipped "$python is not there to make notebooks of pages"; pairs=; }
for pair in $pairs; do
  kept=$root/scripts/notebooks/${pair#*:}.ipynb
  "$python" "$root/tests/support/notebook_of.py" "$root/${pair%:*}" >made.ipynb || complain "$pair"
  if [ -n "${PERIGEE_APPROVE:-}" ]; then cp made.ipynb "$kept"; fi
  cmp made.ipynb "$kept" ||
    complain "scripts/notebooks/${pair#*:}.ipynb is not what tests/support/notebook_of.py makes of ${pair%:*}"
done

# ---- asking the kernel
echo '{"shell_port": 1, "control_port": 1, "iopub_port": 1, "stdin_port": 1, "hb_port": 1}' >taken.json
"$binary" kernel taken.json 2>err
if grep -q 'ZeroMQ: apt install' err; then
  skipped "$(cat err)"
  exit $((failures > 0))
fi
if ! has jupyter_client; then
  skipped 'python3-jupyter-client is not there to ask the kernel'
  exit $((failures > 0))
fi
mkdir asked
(cd asked && "$python" "$root/tests/support/kernel_checks.py") || complain "what the kernel answers: $(tail -n 20 asked/kernel.err)"
(cd asked && "$binary" replay out/saved --data .) >out 2>&1 || complain "a result that a cell saved: $(cat out)"
says out '^identical: workqueue' 'a result that a cell saved'
[ ! -s asked/kernel.err ] || ! grep -q 'Sanitizer' asked/kernel.err || complain "$(cat asked/kernel.err)"

# ---- whole notebooks
if has nbclient; then
  mkdir notebooks
  for notebook in heuristic quickstart two_factors; do
    "$python" "$root/tests/support/run_notebook.py" "$root/scripts/notebooks/$notebook.ipynb" "notebooks/$notebook.ipynb" ||
      complain "$notebook.ipynb does not run"
  done
  if has nbconvert; then
    "$python" -m nbconvert --to html notebooks/heuristic.ipynb >log 2>&1 || complain "nbconvert: $(cat log)"
    says notebooks/heuristic.html '712.62' 'the notebook as HTML'
  else
    skipped 'python3-nbconvert is not there to make a page of a notebook'
  fi
else
  skipped 'python3-nbclient is not there to run whole notebooks'
fi
exit $((failures > 0))
