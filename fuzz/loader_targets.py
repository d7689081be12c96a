"""Fuzz targets for our own files: load a mutated file, then use what was loaded."""

import io
import itertools
import json
import shutil
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from fuzz import model_files, model_targets, packed_trees
from inspector.errors import InspectorError
from inspector.model.model import TensorInfo
from inspector.model.tensors.prediction import OutputValue
from inspector.preview.runs.expected_outputs import DataSet
from inspector.report import report, sweep, tuning
from inspector.report.report import PerformanceReport
from inspector.report.sweep import Sweep
from inspector.report.tuning import Tuning
from inspector.trace import trace_file
from inspector.trace.trace import NamedLayer, Trace

# One in so many files that load is used in one way as well, which takes that much longer.
CONSUMED = {"report": 25, "sweep": 8, "tuning": 4, "about": 6, "events": 6, "facts": 6,
            "dataset": 3, "perfetto": 6}  # fmt: skip
CONSUMED |= dict.fromkeys(model_files.KINDS, 6)

# Of the model that test data sets are read for.
_INPUTS = (
    TensorInfo("x", "tensor", "float32", (1, "h", 3)),
    TensorInfo("t", "tensor", "string", (None,)),
    TensorInfo("s", "sequence", "float32", None),
    TensorInfo("o", "optional", "tensor(int64)", None),
)
_OUTPUTS = (
    TensorInfo("y", "tensor", "float16", (2, 2)),
    TensorInfo("z", "tensor", "int4", (5,)),
    TensorInfo("r", "sequence", "float32", None),
)


def attempt(kind: str, body: bytes, folder: Path, number: int | None = None) -> bool:
    """Load a file and use it; returns whether it could be loaded.

    number: of the one use, of those that there are for what was loaded; -1: all; None: none.
    Any exception but InspectorError comes out: it is a bug.
    """
    with suppress(InspectorError):
        loaded = _LOADERS[kind](body, folder)
        consumers = [
            consumer for type_, some in _CONSUMERS.items() if isinstance(loaded, type_)
            for consumer in some
        ]  # fmt: skip
        if number is not None and number >= 0 and consumers:
            consumers = [consumers[number % len(consumers)]]
        for consumer in consumers if number is not None else ():
            with suppress(InspectorError):
                consumer(loaded)
        return loaded is not None
    return False


def packed(kind: str, tree: Any) -> bytes:
    """Return a tree as the body that `attempt` takes."""
    return json.dumps(tree).encode()


def _load_library(body: bytes, _: Path) -> Any:
    from inspector.report.library import decode_index

    return decode_index(body)


def _load_session(body: bytes, _: Path) -> Any:
    from inspector.ui.documents.session_files import decoded, merged

    try:
        state = decoded(body, "a")
    except ValueError:
        return None
    if state is not None:
        merged((state, state), "b")
    return state


def _load_preparation(body: bytes, _: Path) -> Any:
    from inspector.preview.preprocessing.saved import decode, encode

    saved = decode(body, "net.onnx.inspector.json")
    return saved, saved.text, encode(saved, "net.onnx")


def _load_events(body: bytes, folder: Path) -> Any:
    from inspector.formats.traces.detection import looks_like_trace, open_trace

    path = folder / "any.json"
    path.write_bytes(body)
    if not looks_like_trace(path):
        return None
    opened = open_trace(path)
    return _Opened(opened.trace, opened.layers)


def _load_about(body: bytes, _: Path) -> Any:
    """Put a tree into a saved trace: about.npy is its JSON, the columns are arrays."""
    try:
        tree = json.loads(body)
        about, columns = tree["about"], dict(tree["columns"])
        arrays = {"about": np.frombuffer(json.dumps(about).encode(), np.uint8)}
        arrays |= {str(name): np.asarray(column) for name, column in columns.items()}
        packed_file, save = io.BytesIO(), np.savez  # type: Any, Any
        save(packed_file, **arrays)
    except Exception:  # noqa: BLE001  # the tree is not even that: its text stands for the file
        packed_file = io.BytesIO(body)
    saved = trace_file.from_bytes(packed_file.getvalue(), "x.npz")
    return _Opened(saved.trace, saved.layers)


def _load_facts(body: bytes, folder: Path) -> Any:
    """Write the facts and rows of a tree as a recorded program would have, and collect them."""
    from inspector.recorder.assemble import collect
    from inspector.recorder.span_ring import LAYOUT

    with suppress(ValueError, RecursionError):
        tree = json.loads(body)
        facts = tree.get("facts") if isinstance(tree, dict) else None
        rows = tree.get("rows") if isinstance(tree, dict) else None
        lines = (
            [json.dumps(fact) for fact in facts] if isinstance(facts, list) else [str(facts)]
        )
        (folder / "part-1-0.facts").write_text("\n".join(lines) + "\n", errors="replace")
        packed_rows = b""
        for row in rows if isinstance(rows, list) else []:
            with suppress(Exception):  # numbers that no row has room for
                packed_rows += LAYOUT.pack(*row)
        (folder / "part-1-0.spans").write_bytes(packed_rows)
        collected = collect(folder)
        return _Opened(collected.trace, collected.layers)
    return None


def _load_data_set(body: bytes, folder: Path) -> Any:
    """Write the files of a tree into a folder, and read them for a model of all kinds."""
    from inspector.preview.runs import expected_outputs

    place = folder / "test_data_set_0"
    tree = _tree(body)
    if isinstance(tree, dict) and "npz" in tree:
        place = folder / "data.npz"
        place.write_bytes(packed_trees.npz(tree["npz"]))
    else:
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        files = tree.get("files") if isinstance(tree, dict) else {"input_0.pb": body}
        for name, content in files.items() if isinstance(files, dict) else ():
            packed_file = content if isinstance(content, bytes) else _message(content)
            with suppress(OSError, ValueError):  # a name that no file can have
                (place / str(name).replace("/", "_")).write_bytes(packed_file)
    alone = isinstance(tree, dict) and "alone" in tree
    return _DataSet(expected_outputs.read(place, _INPUTS, _OUTPUTS[: 1 if alone else None]))


def _load_perfetto(body: bytes, folder: Path) -> Any:
    """Write a tree as a trace in Perfetto's format, and open it."""
    from inspector.formats.traces.detection import looks_like_trace, open_trace

    path = folder / "any.perfetto-trace"
    tree = _tree(body)
    path.write_bytes(body if tree is None else _message(tree))
    if not looks_like_trace(path):
        return None
    opened = open_trace(path)
    return _Opened(opened.trace, opened.layers)


def _tree(body: bytes) -> Any:
    with suppress(ValueError, RecursionError):
        return json.loads(body)
    return None


def _message(tree: Any) -> bytes:
    return packed_trees.message(tree)


class _DataSet:
    """Inputs and expected outputs of a model, as they were read."""

    def __init__(self, data: DataSet) -> None:
        self.data = data


class _Opened:
    """A trace with the layers that its spans belong to."""

    def __init__(self, trace: Trace, layers: tuple[Any, ...]) -> None:
        self.trace, self.layers = trace, layers


def _load_settings(body: bytes, folder: Path) -> Any:
    """Open a settings file, and read from it what a window reads when it starts."""
    from itertools import islice

    from PySide6.QtCore import QByteArray

    from inspector.ui.app.application import stored_settings
    from inspector.ui.documents.workspace import Workspace
    from inspector.ui.widgets.theme import Theme

    window = _window()
    # Qt remembers files by their path, so that each one needs a path of its own.
    path = folder / f"window-{next(_NUMBERS)}.ini"
    path.write_bytes(_ini(body))
    stored, aside = stored_settings(path)
    Theme(str(stored.value("theme", "system")))
    assert all(isinstance(each, Path) for each in Workspace(stored).recent)
    for name in ("sidebar", "inspector", "restore"):
        stored.value(name, True, type=bool)
    geometry = stored.value("geometry")
    if isinstance(geometry, QByteArray):
        window.restoreGeometry(geometry)
    for key in islice(stored.allKeys(), 100):
        str(stored.value(key))
    del stored
    (aside or path).unlink()
    return aside or path


_NUMBERS = itertools.count()


@cache
def _window() -> Any:
    """Return a widget to restore the geometry of, with the application that it needs."""
    import os

    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication, QWidget

    application = QApplication.instance() or QApplication([])
    window = QWidget()
    window.setProperty("application", application)  # which lives as long
    return window


def _ini(body: bytes) -> bytes:
    """Return a tree as an INI file of Qt's; what is no such tree is the file itself.

    Its objects are sections of keys. A text is written as it is, a list with commas, and
    {"bytes": [...]} or {"variant": [...]} as Qt codes them.
    """
    try:
        sections = json.loads(body)
    except (ValueError, RecursionError):
        return body
    if not isinstance(sections, dict):
        return body
    lines = []
    for section, values in sections.items():
        lines.append(f"[{section}]")
        pairs = values.items() if isinstance(values, dict) else [("value", values)]
        lines += [f"{key}={_ini_value(value)}" for key, value in pairs]
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def _ini_value(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_ini_value, value))
    if isinstance(value, dict):
        kinds = {"bytes": "ByteArray", "variant": "Variant"}
        for kind, content in value.items():
            items = content if isinstance(content, list) else [content]
            codes = (each & 255 if isinstance(each, int) else 0 for each in items)
            text = "".join(f"\\x{code:x}" for code in codes)
            return f"@{kinds.get(kind, kind)}({text})"
    return str(value)


def _load_model(kind: str, body: bytes, folder: Path) -> Any:
    return model_targets.opened(model_files.write(kind, body, folder))


_LOADERS: dict[str, Callable[[bytes, Path], Any]] = {
    "report": lambda body, _: report.from_json(body, "x.json"),
    "sweep": lambda body, _: sweep.from_json(body, "x.json"),
    "tuning": lambda body, _: tuning.from_json(body, "x.json"),
    "preparation": _load_preparation,
    "library": _load_library,
    "session": _load_session,
    "events": _load_events,
    "about": _load_about,
    "facts": _load_facts,
    "dataset": _load_data_set,
    "perfetto": _load_perfetto,
    "settings": _load_settings,
} | {kind: partial(_load_model, kind) for kind in model_files.KINDS}


def _texts(loaded: PerformanceReport) -> None:
    from inspector.pages.report.page import report_page
    from inspector.render import terminal
    from inspector.render.documents import document
    from inspector.report.library import Entry, _with_summary

    list(terminal.lines(report_page(loaded)))
    for form in ("md", "html"):
        document(report_page(loaded), form)
    _with_summary(Entry("a", "report"), loaded)


def _saved_again(loaded: PerformanceReport) -> None:
    _written_again(report.to_json(loaded), report.from_json)


def _exported(form: str) -> Callable[[PerformanceReport], Any]:
    from inspector.render.registry import export

    return lambda loaded: export(loaded, form)


def _tables(loaded: PerformanceReport) -> None:
    from inspector.render.registry import TABLES

    for table in TABLES.values():
        table(loaded)


def _comparison(loaded: PerformanceReport) -> None:
    from inspector.comparison.comparison import compare
    from inspector.render.registry import export_comparison
    from inspector.render.tables.comparison_json import as_plain

    comparison = compare([loaded, loaded], ["a", "b"])
    as_plain(comparison, ())
    for form in ("md", "html", "csv"):
        export_comparison(comparison, [loaded, loaded], form)


def _trace_of(loaded: Any) -> None:
    _trace(loaded.trace, loaded.layers)


def _trace(trace: Trace, layers: "tuple[NamedLayer, ...]") -> None:
    from inspector.analysis.advice.trace_rules import program_findings
    from inspector.trace.aggregation import GroupBy, aggregate
    from inspector.trace.chrome_json import trace_events
    from inspector.trace.trace_rows import build_level_of_detail

    for group_by in GroupBy:
        aggregate(trace, layers, group_by, None)
    program_findings(trace, layers)
    build_level_of_detail(trace)
    trace_events(trace, layers, {})
    trace_file.from_bytes(bytes(trace_file.to_bytes(trace_file.SavedTrace(trace))), "x.npz")


def _sweep_texts(loaded: Sweep) -> None:
    from inspector.pages.charts.sweep_plot import PLOTS, plot
    from inspector.pages.sweep import sweep_page
    from inspector.render import terminal
    from inspector.render.documents import document
    from inspector.render.tables import sweep_csv
    from inspector.report.library import Entry, _with_summary

    page = sweep_page(loaded)
    list(terminal.lines(page))
    for form in ("md", "html"):
        document(page, form)
    sweep_csv.csv(loaded)
    for name in PLOTS:
        plot(loaded, name)
    _with_summary(Entry("a", "sweep"), loaded)
    sweep.resume(loaded, loaded)
    _written_again(sweep.to_json(loaded), sweep.from_json)


def _tuning_texts(loaded: Tuning) -> None:
    from inspector.analysis.measured.tuning_results import (
        chosen,
        leader_text,
        sentences,
        settings_text,
    )

    sentences(loaded)
    leader_text(loaded)
    settings_text(chosen(loaded), loaded.default)
    _written_again(tuning.to_json(loaded), tuning.from_json)


def _checked(loaded: _DataSet) -> None:
    """Compare answers of several shapes and types with what was expected."""
    from inspector.preview.runs.expected_outputs import compare

    arrays = (
        np.ones((2, 2), np.float16), np.zeros(5, np.int8), np.array(["a", "b"], object),
        np.array(1.5), np.zeros((0, 3)), np.full((2, 2), np.nan, np.complex64), None,
    )  # fmt: skip
    for array in arrays:
        answers = [
            OutputValue(info.name, info.kind, info.dtype, array, parts=(np.zeros(2),) * 2)
            for info in _OUTPUTS
        ]
        for difference in compare(loaded.data, answers):
            difference.text()
        compare(loaded.data, answers[:1], rtol=0.0)


def _written_again(body: bytes, read: Callable[[bytes, str], Any]) -> None:
    """See that what was loaded can be saved and loaded again."""
    try:
        read(body, "again.json")
    except InspectorError as error:
        raise AssertionError(f"saved again it is refused: {error}") from error


_CONSUMERS: dict[type, tuple[Callable[[Any], None], ...]] = {
    PerformanceReport: (
        _texts, _saved_again, _tables, _comparison, _trace_of,
        *map(_exported, ("html", "md", "json", "svg", "netron", "model-explorer")),
    ),
    Sweep: (_sweep_texts,),
    Tuning: (_tuning_texts,),
    _Opened: (_trace_of,),
    _DataSet: (_checked,),
    model_targets.Opened: model_targets.CONSUMERS,
}  # fmt: skip
