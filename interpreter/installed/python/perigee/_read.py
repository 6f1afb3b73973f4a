"""What a script has saved: tables, figures, runs and experiments. Each file is read when it is asked for."""

from __future__ import annotations

import base64
import csv
import difflib
import gzip
import html
import io
import json
import os
import re
import shutil
import sys
import tempfile
import weakref
from pathlib import Path
from typing import (
    Any,
    Callable,
    Dict,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    TextIO,
    Tuple,
    TypeVar,
    Union,
    cast,
    overload,
)

Value = Union[None, bool, int, float, str]
Row = Dict[str, Value]
Experiment = Dict[str, Any]
Item = TypeVar("Item")

_MANIFEST = "manifest.json"
# Columns of perigee's own tables that hold texts, also where every text is like a number: a job may be called 007.
_TEXTS = frozenset(
    "name work user account queue kind state hosts host allocation cluster resource file reason why note policy status "
    "activity_kind resource_kind".split()
)
_MOST_ROWS = 20  # that a notebook shows of a table
_MOST_TEXT = 20000  # characters that it shows of what was printed
_WHOLE = re.compile(r"[+-]?[0-9]+\Z")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*([eE][+-]?[0-9]+)?|\.[0-9]+([eE][+-]?[0-9]+)?|inf|nan)\Z")


class Folder:
    """A folder of results; without a path a temporary one, removed with the last object that reads in it.

    A pickle names a folder by its full path. It holds all files of a temporary one, which is gone when its process is.
    """

    def __init__(self, path: Optional[Path] = None) -> None:
        self.path = path or Path(tempfile.mkdtemp(prefix="perigee-"))
        self.temporary = path is None
        if self.temporary:
            weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)

    def __reduce__(self) -> Tuple[Any, ...]:
        if not self.temporary:
            return Folder, (self.path.absolute(),)
        files = {}
        for here, _, names in os.walk(self.path):
            for path in (Path(here, name) for name in sorted(names)):
                if path.is_file() and not path.is_symlink():
                    files[path.relative_to(self.path).as_posix()] = path.read_bytes()
        return _unpacked, (files,)

    def names_of(self, paths: Mapping[str, Path]) -> Dict[str, str]:
        """The paths as they are below the folder."""
        return {name: path.relative_to(self.path).as_posix() for name, path in paths.items()}


def _unpacked(files: Mapping[str, bytes]) -> Folder:
    folder = Folder()
    for name, content in files.items():
        path = folder.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


# ---- files


class _Text(NamedTuple):
    """A table that no file holds."""

    csv: str


_Source = Union[Path, _Text]


def _open_text(source: _Source) -> TextIO:
    if isinstance(source, _Text):
        return io.StringIO(source.csv, newline="")
    if source.name.endswith(".gz"):
        return gzip.open(source, "rt", encoding="utf-8", errors="replace", newline="")
    return open(source, encoding="utf-8", errors="replace", newline="")


def _lines(source: _Source) -> Iterator[List[str]]:
    """The lines of a table in CSV, the header first. A field may be longer than Python's csv allows by itself."""
    before = csv.field_size_limit(sys.maxsize)
    try:
        with _open_text(source) as file:
            # A line that is empty is a row of one column whose field is absent.
            yield from (line or [""] for line in csv.reader(file))
    finally:
        csv.field_size_limit(before)


def _read_json(path: Path) -> Dict[str, Any]:
    with _open_text(path) as file:
        read = json.load(file)
    if not isinstance(read, dict):
        raise ValueError(f"{path}: a JSON object was expected, got {type(read).__name__}")
    return cast(Dict[str, Any], read)


def _typed(name: str, texts: Sequence[str]) -> Sequence[Value]:
    """A column in the type that all its fields have. Absent fields are None."""
    given = [text for text in texts if text != ""]
    convert: Callable[[str], Value] = str
    if name not in _TEXTS and given:
        if all(_WHOLE.match(text) for text in given):
            convert = int
        elif all(_NUMBER.match(text) for text in given):
            convert = float
        elif all(text in ("true", "false") for text in given):
            convert = "true".__eq__
    return [None if text == "" else convert(text) for text in texts]


def _pandas() -> Any:
    try:
        import pandas
    except ImportError:
        return None
    return pandas


def _rows_of(source: _Source) -> List[Row]:
    lines = _lines(source)
    names: List[str] = next(lines, [])
    width = len(names)
    table = [line + [""] * (width - len(line)) for line in lines]
    columns = [_typed(name, [line[at] for line in table]) for at, name in enumerate(names)]
    return [dict(zip(names, row)) for row in zip(*columns)]


def _table_of(source: _Source) -> Any:
    pandas = _pandas()
    if pandas is None:
        return _rows_of(source)
    names: List[str] = next(_lines(source), [])
    if not names:
        return pandas.DataFrame()
    with _open_text(source) as file:
        return pandas.read_csv(
            file,
            dtype={name: str for name in names if name in _TEXTS},
            keep_default_na=False,  # a user may be called NA, null or None
            na_values={name: [""] if name in _TEXTS else ["", "nan"] for name in names},
            skip_blank_lines=False,
            float_precision="round_trip",
            low_memory=False,
        )


# ---- mappings


class _Lazy(Mapping[str, Item]):
    """Names and what they stand for, read when it is asked for and kept."""

    def __init__(
        self, kind: str, folder: Folder, paths: Mapping[str, Path], read: Callable[[Folder, Path], Item]
    ) -> None:
        self._kind = kind
        self._folder = folder
        self._paths = dict(paths)
        self._read = read
        self._kept: Dict[str, Item] = {}

    def __getitem__(self, name: str) -> Item:
        if name not in self._kept:
            self._kept[name] = self._read(self._folder, self.path(name))
        return self._kept[name]

    def __reduce__(self) -> Tuple[Any, ...]:
        return _lazy_in, (self._kind, self._folder, self._folder.names_of(self._paths), self._read)

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)

    def __contains__(self, name: object) -> bool:  # Mapping's own would read the file
        return name in self._paths

    def __repr__(self) -> str:
        return f"<{self._kind}s: {', '.join(self._paths) or 'none'}>"

    def _ipython_key_completions_(self) -> List[str]:
        return list(self._paths)

    def path(self, name: str) -> Path:
        """The file or folder of that name."""
        if name not in self._paths:
            raise _missing(self._kind, name, list(self._paths))
        return self._paths[name]


def _lazy_in(
    kind: str, folder: Folder, names: Mapping[str, str], read: Callable[[Folder, Path], Item]
) -> "_Lazy[Item]":
    return _Lazy(kind, folder, {name: folder.path / below for name, below in names.items()}, read)


def _missing(kind: str, name: object, names: Sequence[str]) -> KeyError:
    near = difflib.get_close_matches(str(name), names, 1)
    if near:
        hint = f"; did you mean {near[0]!r}?"
    else:
        hint = f"; there are {', '.join(names)}" if names else "; there are none"
    return KeyError(f"no {kind} {name!r}{hint}")


class Tables(_Lazy[Any]):
    """Tables by name: a DataFrame where pandas is there, otherwise a list of dicts, one for each row."""

    def __init__(self, folder: Folder, paths: Mapping[str, Path]) -> None:
        super().__init__("table", folder, paths, _table_in)

    def __reduce__(self) -> Tuple[Any, ...]:
        return _tables_in, (self._folder, self._folder.names_of(self._paths))

    def rows(self, name: str) -> List[Row]:
        """The table as a list of dicts, whether or not pandas is there. An absent field is None."""
        return _rows_of(self.path(name))

    def _repr_html_(self) -> str:
        return "".join(_table_html(name, path) for name, path in self._paths.items())


def _table_in(folder: Folder, path: Path) -> Any:
    return _table_of(path)


def _tables_in(folder: Folder, names: Mapping[str, str]) -> Tables:
    return Tables(folder, {name: folder.path / below for name, below in names.items()})


class Shown(Sequence[Any]):
    """The tables that a script has printed, in their order; each in the form of those in files."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = [_Text(text) for text in texts]
        self._kept: Dict[int, Any] = {}

    def __reduce__(self) -> Tuple[Any, ...]:
        return Shown, ([each.csv for each in self._texts],)

    @overload
    def __getitem__(self, place: int) -> Any: ...
    @overload
    def __getitem__(self, place: slice) -> List[Any]: ...
    def __getitem__(self, place: Union[int, slice]) -> Any:
        if isinstance(place, slice):
            return [self[each] for each in range(*place.indices(len(self)))]
        at = range(len(self))[place]
        if at not in self._kept:
            self._kept[at] = _table_of(self._texts[at])
        return self._kept[at]

    def __len__(self) -> int:
        return len(self._texts)

    def __repr__(self) -> str:
        return f"<{len(self)} tables that were printed>"

    def rows(self, place: int) -> List[Row]:
        """The table as a list of dicts, whether or not pandas is there. An absent field is None."""
        return _rows_of(self._texts[place])


class Figure:
    """A figure: `svg` is its text, `table` the numbers behind it."""

    def __init__(self, folder: Folder, path: Path) -> None:
        self._folder = folder
        self.path = path
        self.name = path.stem

    def __reduce__(self) -> Tuple[Any, ...]:
        return _item_in, (Figure, self._folder, self.path.relative_to(self._folder.path).as_posix())

    @property
    def svg(self) -> str:
        return self.path.read_text(encoding="utf-8", errors="replace")

    @property
    def csv(self) -> Optional[Path]:
        """The file of the numbers; None where there is none."""
        path = self.path.with_suffix(".csv")
        return path if path.is_file() else None

    @property
    def table(self) -> Any:
        """The numbers: a DataFrame where pandas is there, otherwise a list of dicts. None where there are none."""
        return None if self.csv is None else _table_of(self.csv)

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<perigee.Figure {self.name}>"


class Run:
    """A run that r:save has written: `jobs` and further `tables`, `metrics`, and the `manifest` with its replay card."""

    def __init__(self, folder: Folder, path: Path) -> None:
        self._folder = folder
        self.path = path
        self.name = path.name
        self.manifest = _read_json(path / _MANIFEST)
        self.tables = Tables(folder, _csv_in(path))

    def __reduce__(self) -> Tuple[Any, ...]:
        return _item_in, (Run, self._folder, self.path.relative_to(self._folder.path).as_posix())

    @property
    def jobs(self) -> Any:
        """What became of each work: a DataFrame where pandas is there, otherwise a list of dicts."""
        return self.tables["jobs"]

    @property
    def metrics(self) -> Dict[str, Optional[float]]:
        """The value of each metric; None where this run has none."""
        return {name: each["value"] for name, each in _read_json(self.path / "metrics.json").items()}

    @property
    def summary(self) -> str:
        """Its policy, its seed and how it ended."""
        policy, seed, status = (self.manifest.get(name) for name in ("policy", "seed", "status"))
        return f"{policy} with seed {seed}, {status}"

    def __repr__(self) -> str:
        return f"<perigee.Run {self.name}: {self.summary}>"


def _item_in(kind: Callable[[Folder, Path], Item], folder: Folder, below: str) -> Item:
    return kind(folder, folder.path / below)


def _experiment_in(folder: Folder, path: Path) -> Experiment:
    return _read_json(path)


# ---- a folder


class _Found(NamedTuple):
    tables: Dict[str, Path]
    figures: Dict[str, Path]
    runs: Dict[str, Path]
    experiments: Dict[str, Path]
    files: List[Path]


def _csv_in(folder: Path) -> Dict[str, Path]:
    found = {}
    for path in sorted(folder.iterdir()):
        for ending in (".csv", ".csv.gz"):
            if path.name.endswith(ending) and path.is_file() and not path.is_symlink():
                found[path.name[: -len(ending)]] = path
    return found


def _is_experiment(path: Path) -> bool:
    """Whether e:save has written the file. Other JSON may be large."""
    with open(path, "rb") as file:
        return file.read(14) == b'{"experiment":'


def _look_into(root: Path) -> _Found:
    found = _Found({}, {}, {}, {}, [])
    for here, folders, _ in os.walk(root):
        folder = Path(here)
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        inside = [path for path in sorted(folder.iterdir()) if path.is_file() and not path.is_symlink()]
        found.files.extend(path for path in inside if not path.name.startswith("."))
        below = folder.relative_to(root).as_posix()
        before = "" if below == "." else below + "/"
        if any(path.name == _MANIFEST for path in inside):
            found.runs[root.resolve().name if below == "." else below] = folder
            continue
        for path in inside:
            if path.suffix == ".svg":
                found.figures[before + path.stem] = path
            elif path.suffix == ".json" and _is_experiment(path):
                found.experiments[before + path.stem] = path
        for name, path in _csv_in(folder).items():
            if before + name not in found.figures:
                found.tables[before + name] = path
    return found


class Results:
    """What a script has printed and saved.

    `results[name]` is the table, figure or run of that name.
    """

    script: Optional[str]
    text: str
    warnings: List[str]
    shown: Shown
    folder: Path
    files: List[Path]
    tables: Tables
    figures: Mapping[str, Figure]
    runs: Mapping[str, Run]
    experiments: Mapping[str, Experiment]

    def __init__(
        self,
        folder: Folder,
        script: Optional[str] = None,
        text: str = "",
        warnings: Sequence[str] = (),
        shown: Sequence[str] = (),
    ) -> None:
        self._folder = folder
        self.script = script
        self.text = text
        self.warnings = list(warnings)
        self.shown = Shown(shown)
        self.folder = folder.path
        found = _look_into(folder.path)
        self.files = found.files
        self.tables = Tables(folder, found.tables)
        self.figures = _Lazy("figure", folder, found.figures, Figure)
        self.runs = _Lazy("run", folder, found.runs, Run)
        self.experiments = _Lazy("experiment", folder, found.experiments, _experiment_in)

    def __reduce__(self) -> Tuple[Any, ...]:
        shown = [each.csv for each in self.shown._texts]
        return Results, (self._folder, self.script, self.text, self.warnings, shown)

    def __getitem__(self, name: str) -> Any:
        kinds: Sequence[Mapping[str, Any]] = (self.tables, self.figures, self.runs)
        for kind in kinds:
            if name in kind:
                return kind[name]
        raise _missing("table, figure or run", name, self._names())

    def __contains__(self, name: object) -> bool:
        return name in self._names()

    def _names(self) -> List[str]:
        return [*self.tables, *self.figures, *self.runs]

    def _ipython_key_completions_(self) -> List[str]:
        return self._names()

    def __repr__(self) -> str:
        parts = [
            f"{kind} {', '.join(names)}"
            for kind, names in (
                ("tables", self.tables),
                ("figures", self.figures),
                ("runs", self.runs),
                ("experiments", self.experiments),
            )
            if names
        ]
        return f"<perigee.Results of {self.script or self.folder}: {'; '.join(parts) or 'nothing was saved'}>"

    def _repr_html_(self) -> str:
        out = [f"<h3>{html.escape(self.script or str(self.folder))}</h3>"]
        if self.warnings:
            items = "".join(f"<li>{html.escape(each)}</li>" for each in self.warnings)
            out.append(f"<p><b>Warnings</b></p><ul>{items}</ul>")
        if self.text:
            out.append(f"<pre>{html.escape(self.text[:_MOST_TEXT])}</pre>")
            if len(self.text) > _MOST_TEXT:
                out.append(f"<p>{len(self.text) - _MOST_TEXT} further characters are in <code>.text</code></p>")
        out.append(self.tables._repr_html_())
        for name, figure in self.figures.items():
            image = base64.b64encode(figure.path.read_bytes()).decode("ascii")
            shown = html.escape(name)
            # In an <img>, no script of an SVG from elsewhere runs.
            out.append(f'<p><b>{shown}</b></p><img alt="{shown}" src="data:image/svg+xml;base64,{image}">')
        if self.runs:
            items = "".join(
                f"<li>{html.escape(name)}: {html.escape(run.summary)}</li>" for name, run in self.runs.items()
            )
            out.append(f"<p><b>Runs</b></p><ul>{items}</ul>")
        return "\n".join(out)


def _cell_html(text: str) -> str:
    """A field of a table to be looked at: six digits of a number that is not whole."""
    if _NUMBER.match(text):
        shown = text if _WHOLE.match(text) else format(float(text), ".6g")
        return f'<td style="text-align:right">{shown}</td>'
    return f'<td style="text-align:left">{html.escape(text)}</td>'


def _table_html(name: str, path: Path) -> str:
    lines = _lines(path)
    head = "".join(f"<th>{html.escape(each)}</th>" for each in next(lines, []))
    body, count = [], 0
    for line in lines:
        count += 1
        if count <= _MOST_ROWS:
            body.append("<tr>" + "".join(map(_cell_html, line)) + "</tr>")
    more = f"<p>{count - _MOST_ROWS} of {count} rows are left out</p>" if count > _MOST_ROWS else ""
    return (
        f"<p><b>{html.escape(name)}</b></p>"
        f'<div style="overflow-x:auto"><table><thead><tr>{head}</tr></thead><tbody>{"".join(body)}</tbody></table></div>'
        + more
    )


def load(folder: Union[str, "os.PathLike[str]"]) -> Results:
    """What scripts have saved below a folder that --out has named, or in one run's folder."""
    if folder == "":
        raise ValueError("load needs the path of a folder, got ''")
    path = Path(folder)
    if not path.exists():
        raise FileNotFoundError(f"there is no folder {path}")
    if not path.is_dir():
        raise NotADirectoryError(f"{path} is a file; a folder of results is needed")
    return Results(Folder(path))
