"""run_notebook.py NOTEBOOK RESULT: runs all cells with the kernel that is installed, and looks at what they show."""

import os
import re
import sys

import nbformat
from nbclient import NotebookClient

PATIENCE = 600  # seconds for a cell, on a slow machine under sanitizers

notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, timeout=PATIENCE, kernel_name="perigee", resources={"metadata": {"path": os.path.dirname(sys.argv[2])}}).execute()
nbformat.write(notebook, sys.argv[2])

failures = 0
for number, cell in enumerate(notebook.cells):
    if cell.cell_type != "code":
        continue
    fails = "raises-exception" in cell.metadata.get("tags", [])
    errors = [output for output in cell.outputs if output.output_type == "error"]
    if bool(errors) != fails:
        print(f"cell {number + 1}: {'an error' if errors else 'no error'}")
        failures += 1
    for error in errors:
        if not re.match(rf"In \[{cell.execution_count}\]:\d+: error: ", error.traceback[0]):
            print(f"cell {number + 1}: the error has no line: {error.traceback[0]}")
            failures += 1
    for output in cell.outputs:
        if sum(len(str(data)) for data in output.get("data", {}).values()) > 5_000_000:
            print(f"cell {number + 1}: its output is too large")
            failures += 1
sys.exit(1 if failures else 0)
