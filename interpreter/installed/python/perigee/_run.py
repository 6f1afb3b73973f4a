"""Runs a script by the program perigee, in a process of its own."""

from __future__ import annotations

import json
import math
import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from ._read import Folder, Results

PathLike = Union[str, "os.PathLike[str]"]
_PATIENCE = 10  # seconds that a script has to end when it is asked to
_LONGEST = 2_000_000  # seconds that the system can wait for a process at once


class Error(Exception):
    """Every error of this module."""


class ProgramNotFound(Error):
    """There is no program perigee where it was looked for, or another one."""


class ScriptError(Error):
    """A script has failed.

    `message` says why, `code` is the same for the same kind of error, and `file` and `line` say where; they are None
    where that is not known. `notes` and `calls`, innermost first, say more. `text` is all that perigee said on
    standard error, `status` its exit status, and `results` what the script has printed and saved until then.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str = "",
        file: Optional[str] = None,
        line: Optional[int] = None,
        notes: Sequence[str] = (),
        calls: Sequence[str] = (),
        text: str = "",
        status: Optional[int] = None,
        told: str = "",
        results: Optional[Results] = None,
    ) -> None:
        super().__init__(told or message)
        self.message = message
        self.code = code
        self.file = file
        self.line = line
        self.notes = list(notes)
        self.calls = list(calls)
        self.text = text
        self.status = status
        self.results = results


class ScriptTimeout(ScriptError):
    """A script has taken longer than its `timeout`, and was ended."""


def _find_program(given: Optional[PathLike]) -> str:
    for wanted, whence in (
        (given, "the argument program"),
        (os.environ.get("PERIGEE") or None, "the environment's PERIGEE"),
    ):
        if wanted is None:
            continue
        name = os.fspath(wanted)
        found = shutil.which(os.path.expanduser(name))
        if found is None:
            raise ProgramNotFound(f"{whence} names {name!r}, which is no program that can be run")
        return found
    found = shutil.which("perigee")
    if found is None:
        raise ProgramNotFound(
            "there is no program 'perigee' on the path: install the package perigee, or say where it is by "
            "run(..., program=...) or the environment's PERIGEE"
        )
    return found


def _is_perigee(program: str) -> bool:
    try:
        said = subprocess.run(
            [program, "--version"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_PATIENCE,
            check=False,
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return False
    return said.startswith(b"perigee ")


def _text_of(name: str, value: object) -> str:
    """A setting as the command line takes it."""
    if hasattr(value, "item") and getattr(value, "ndim", None) == 0:
        value = value.item()  # a number of numpy
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (str, os.PathLike)):
        text = os.fspath(value)
        if isinstance(text, str):
            return text
    raise TypeError(f"setting {name!r} must be a number, a text, a path, True or False, got {value!r}")


def _list_of(given: Union[None, PathLike, Sequence[PathLike]]) -> List[str]:
    if given is None:
        return []
    if isinstance(given, (str, os.PathLike)):
        return [os.fspath(given)]
    return [os.fspath(each) for each in given]


def _whole(name: str, value: object, least: int) -> str:
    if hasattr(value, "__index__") and not isinstance(value, bool):
        number: int = value.__index__()
        if number >= least:
            return str(number)
    raise ValueError(f"{name} must be a whole number from {least} on, got {value!r}")


def _seconds(given: object) -> Optional[float]:
    """A timeout; None where it is without end."""
    if given is None:
        return None
    value: Any = given
    if hasattr(value, "item") and getattr(value, "ndim", None) == 0:
        value = value.item()  # a number of numpy
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        if value == math.inf:
            return None
        if 0 < value <= _LONGEST:
            return float(value)
    raise ValueError(
        f"timeout must be a number of seconds above 0, {_LONGEST} at most, or None for no limit; got {given!r}"
    )


def _settings_of(given: object, by_name: Mapping[str, object]) -> List[str]:
    """The settings as arguments of the command line."""
    if given is not None and not isinstance(given, Mapping):
        raise TypeError(f"settings must be a dict of names and values, got {given!r}")
    all_of: Dict[object, object] = dict(given or {})
    for name, value in by_name.items():
        if name in all_of:
            raise TypeError(f"setting {name!r} is given twice, by settings and by its name")
        all_of[name] = value
    arguments = []
    for setting, value in all_of.items():
        if not isinstance(setting, str):
            raise TypeError(f"settings: the name of a setting must be a text, got {setting!r}")
        if not setting or "=" in setting:
            raise ValueError(f"{setting!r} is no name of a setting")
        arguments += ["--set", f"{setting}={_text_of(setting, value)}"]
    return arguments


def _read_messages(path: Path) -> Tuple[List[str], List[str], Dict[str, Any]]:
    """The warnings, the tables that were printed, as CSV, and the error."""
    warnings: List[str] = []
    tables: List[str] = []
    error: Dict[str, Any] = {}
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    except FileNotFoundError:
        return warnings, tables, error
    for line in lines:
        try:
            each = json.loads(line)
        except ValueError:
            continue  # the last one of a process that was killed
        if each["kind"] == "warning":
            warnings.append(each["text"])
        elif each["kind"] == "table":
            tables.append(each["csv"])
        elif each["kind"] == "error":
            error = each
    return warnings, tables, error


def _stop(process: "subprocess.Popen[bytes]") -> Tuple[bytes, bytes]:
    """Ends the script as Ctrl-C would, and its process if it does not listen."""
    process.terminate()
    try:
        return process.communicate(timeout=_PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.communicate()


def _error_of(status: int, said: str, error: Mapping[str, Any], results: Results) -> ScriptError:
    if error:
        return ScriptError(
            error["message"],
            code=error["code"],
            file=error["file"] or None,
            line=error["line"] or None,
            notes=error["notes"],
            calls=error["calls"],
            told=error["text"].rstrip("\n"),
            text=said,
            status=status,
            results=results,
        )
    if status < 0:
        try:
            name = signal.Signals(-status).name
        except ValueError:
            name = str(-status)
        return ScriptError(
            f"perigee was ended by the signal {name}", code="signal", text=said, status=status, results=results
        )
    begun = "error: "
    message = next((line[len(begun) :] for line in said.split("\n") if line.startswith(begun)), "")
    code = "wrong_usage" if status == 2 else "failed"
    return ScriptError(
        message or said.strip() or f"perigee ended with exit status {status}",
        code=code,
        told=said.strip(),
        text=said,
        status=status,
        results=results,
    )


def run(
    script: PathLike,
    /,
    *,
    seed: Optional[int] = None,
    out: Optional[PathLike] = None,
    jobs: Optional[int] = None,
    data: Union[None, PathLike, Sequence[PathLike]] = None,
    workers: Union[None, str, Sequence[str]] = None,
    settings: Optional[Mapping[str, object]] = None,
    options: Sequence[str] = (),
    program: Optional[PathLike] = None,
    timeout: Optional[float] = None,
    **more_settings: object,
) -> Results:
    """Runs a script and returns what it has printed and saved.

    `script` is a file or the name of a script that comes with perigee. `seed`, `jobs`, `data` and `workers` are the
    options of `perigee run`; further ones go into `options`, as ["--validate"]. All other names are settings of the
    script; `settings` is for those that are called like an argument. Files are written below `out`, or else into a
    temporary folder that lives as long as something reads in it. `program` is the program perigee, else PERIGEE of
    the environment, else the one on the path. A script that takes more than `timeout` seconds is ended.

    Raises ScriptError when the script fails, ScriptTimeout, or ProgramNotFound.
    """
    name = os.fspath(script)
    if not isinstance(name, str) or not name:
        raise TypeError(f"script must be a path or a name, got {script!r}")
    arguments = [_find_program(program), "run"]
    if seed is not None:
        arguments += ["--seed", _whole("seed", seed, 0)]
    if jobs is not None:
        arguments += ["--jobs", _whole("jobs", jobs, 1)]
    for each in _list_of(data):
        arguments += ["--data", each]
    for each in _list_of(workers):
        arguments += ["--workers", each]
    arguments += _settings_of(settings, more_settings)
    arguments += [str(each) for each in options]
    patience = _seconds(timeout)

    if out == "":
        raise ValueError("out must be the path of a folder, got ''")
    if out is None:
        folder = Folder()
    else:
        Path(out).mkdir(parents=True, exist_ok=True)
        folder = Folder(Path(out))
    with tempfile.TemporaryDirectory(prefix="perigee-messages-") as aside:
        messages = Path(aside, "messages.jsonl")
        arguments += ["--out", str(folder.path), "--messages", str(messages), "--", name]
        process = subprocess.Popen(
            arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        late = False
        try:
            printed, complaints = process.communicate(timeout=patience)
        except subprocess.TimeoutExpired:
            late = True
            printed, complaints = _stop(process)
        except BaseException:  # KeyboardInterrupt above all
            _stop(process)
            raise
        warnings, tables, error = _read_messages(messages)
        told = messages.exists()
    said = complaints.decode("utf-8", "replace")
    results = Results(folder, name, printed.decode("utf-8", "replace"), warnings, tables)
    if late:
        raise ScriptTimeout(
            f"{name}: the script was ended after {patience:g} s",
            code="timeout",
            text=said,
            status=process.returncode,
            results=results,
        )
    # perigee begins that file before it runs a script
    if process.returncode >= 0 and not told and not _is_perigee(arguments[0]):
        raise ProgramNotFound(f"{arguments[0]} is not perigee: it does not say its version as perigee does")
    if process.returncode != 0:
        raise _error_of(process.returncode, said, error, results)
    return results
