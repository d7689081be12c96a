import io
import zipfile
from pathlib import Path

import numpy as np
import pytest

from inspector.errors import UnreadableFile
from inspector.formats.traces.detection import looks_like_trace, open_trace
from inspector.report import report as reports
from inspector.trace.trace import FlowKind, Kind, Lane, Trace, TracedLayer, Track
from inspector.trace.trace_builder import TraceBuilder
from inspector.trace.trace_file import SavedTrace, load, save, to_bytes
from tests.formats.traces.test_own_export import assert_equal
from tests.reports import example_report

CPU = Track(Lane.COMPUTE, "CPU", "cpu", "cpu", "app.py", "net.onnx", "worker")
DATA = Track(Lane.DATA, "Data", family="data")


def example() -> Trace:
    build = TraceBuilder()
    copy = build.add(DATA, "copy", 100, 5, Kind.COPY, run=0, size_bytes=1 << 40)
    conv = build.add(CPU, "conv", 106, 1 << 40, Kind.KERNEL, layer=4, run=0)
    build.flow(copy, conv, FlowKind.FORCED)
    build.count("Memory", 100, 1e9, "bytes", "app.py")
    build.count("Memory", 200, 2e9, "bytes", "app.py")
    build.moment("killed", 300)
    return build.trace()


def test_everything_of_a_trace_comes_back_and_is_told_by_its_content(tmp_path):
    path, layers = tmp_path / "any name", (TracedLayer(4, "conv", "Conv", None),)
    save(SavedTrace(example(), layers, ("a note",), "Somewhere"), path)
    assert looks_like_trace(path)
    found = open_trace(path)
    assert_equal(found.trace, example())
    assert (found.layers, found.notes, found.source) == (layers, ("a note",), "Somewhere")
    assert found.trace.size_bytes.max() == 1 << 40


def test_numpy_alone_reads_the_columns(tmp_path):
    save(SavedTrace(example()), tmp_path / "a.npz")
    with np.load(tmp_path / "a.npz", allow_pickle=False) as columns:
        assert sorted(columns["duration_ns"].tolist()) == [5, 1 << 40]


def test_a_report_with_many_spans_keeps_them_beside_it(tmp_path, monkeypatch):
    report, path = example_report(), tmp_path / "a.report.json"
    reports.save(report, path)
    assert [one.name for one in tmp_path.iterdir()] == ["a.report.json"]
    monkeypatch.setattr(reports, "MAX_SPANS", 10)
    reports.save(report, path)
    spans = tmp_path / "a.report.trace.npz"
    found = reports.load(path)
    assert_equal(found.trace, report.trace)
    assert found.notes == report.notes
    save(SavedTrace(example(), of="another"), spans)
    for _ in range(2):
        bare = reports.load(path)
        assert len(bare.trace) == 0
        assert bare.notes == (*report.notes, reports.SPANS_NOTE)
        assert bare.layers == report.layers
        spans.unlink(missing_ok=True)


@pytest.mark.parametrize("cut", [40, 400, 2000, -30])
def test_a_damaged_file_is_refused(tmp_path, cut):
    path = tmp_path / "a.trace.npz"
    path.write_bytes(to_bytes(SavedTrace(example()))[:cut])
    with pytest.raises(UnreadableFile, match="not a complete trace"):
        load(path)


def changed(tmp_path: Path, name: str, body: bytes) -> Path:
    """The example with another member in place of one."""
    path = tmp_path / "a.trace.npz"
    whole = zipfile.ZipFile(io.BytesIO(to_bytes(SavedTrace(example()))))
    with zipfile.ZipFile(path, "w") as archive:
        for member in whole.namelist():
            archive.writestr(member, body if member == name else whole.read(member))
    return path


def test_files_of_wider_columns_open_as_the_same_trace(tmp_path):
    for key, kind in (("layer", np.int32), ("name", np.int64), ("run", np.int32)):
        wide = column(getattr(example(), key).astype(kind))
        found = load(changed(tmp_path, f"{key}.npy", wide)).trace
        assert_equal(found, example())
        assert getattr(found, key).dtype == np.int16


def column(values: object, allow_pickle: bool = False) -> bytes:
    body = io.BytesIO()
    np.lib.format.write_array(body, np.asarray(values), (1, 0), allow_pickle)
    return body.getvalue()


@pytest.mark.parametrize(
    "body",
    [
        column([7, 8, 9]), column([5, 0]), column(["a", "b"]), column([[0, 1]]), b"",
        b"x" * 200,
        column(np.array([{}, 1], object), allow_pickle=True),
        column([0, 1]).replace(b"(2,)", b"(9,)"),
    ],
    ids=["longer", "outside", "words", "table", "empty", "noise", "objects", "a false head"],
)  # fmt: skip
def test_a_column_that_says_something_else_is_refused(tmp_path, body):
    with pytest.raises(UnreadableFile, match="not a complete trace"):
        load(changed(tmp_path, "track.npy", body))
