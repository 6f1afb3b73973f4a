"""What the tests of the Python module share."""

import os
import shutil
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path
from typing import Any

ROOT = Path(os.environ["PERIGEE_SOURCE_DIR"])
sys.path.insert(0, str(ROOT / "interpreter/installed/python"))

HIDDEN = bool(os.environ.get("PERIGEE_TEST_WITHOUT_PANDAS"))
if HIDDEN:
    sys.modules["pandas"] = None  # type: ignore[assignment]  # an import fails

try:
    import pandas
except ImportError:
    pandas = None  # type: ignore[assignment]


class InFolder(unittest.TestCase):
    """Each test has an empty folder of its own, in which it stands. The program is that of PERIGEE."""

    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="perigee-test-"))
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        before = dict(os.environ)
        self.addCleanup(lambda: (os.environ.clear(), os.environ.update(before)))
        os.environ["PERIGEE"] = os.environ["PERIGEE_BINARY"]

    def write(self, name: str, text: str) -> str:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text).lstrip("\n"), encoding="utf-8")
        return name

    def rows(self, table: Any) -> Any:
        """A table as a list of dicts, whichever form it has."""
        self.assertEqual(isinstance(table, list), pandas is None)
        return table if isinstance(table, list) else table.to_dict("records")
