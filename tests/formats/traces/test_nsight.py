"""Databases of Nsight Systems, made as `nsys export --type sqlite` writes them."""

import sqlite3
from contextlib import closing

import pytest

from inspector.errors import UnreadableFile
from inspector.formats.kinds import kind_of
from inspector.formats.names import Kind as FileKind
from inspector.formats.traces.detection import open_trace
from inspector.trace.trace import Kind, Lane

SCHEMA = """
CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);
CREATE TABLE NVTX_EVENTS
  (start INT, end INT, eventType INT, text TEXT, globalTid INT, textId INT);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME
  (start INT, end INT, globalTid INT, correlationId INT, nameId INT);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT, end INT, deviceId INT, streamId INT,
  correlationId INT, globalPid INT, shortName INT);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INT, end INT, deviceId INT, streamId INT,
  correlationId INT, globalPid INT, bytes INT, copyKind INT);
CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INT);
"""
PROCESS = 77 << 24
THREAD = PROCESS | 5


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "report.sqlite"
    strings = [(1, "cudaLaunchKernel"), (2, "sm80_gemm"), (3, "relu_kernel"), (4, "cudaMemcpy"),
               (5, "/fc/Gemm")]  # fmt: skip
    with closing(sqlite3.connect(path)) as made:
        made.executescript(SCHEMA)
        made.executemany("INSERT INTO StringIds VALUES (?, ?)", strings)
        made.executemany(
            "INSERT INTO NVTX_EVENTS VALUES (?, ?, ?, ?, ?, ?)",
            [
                (0, 900, 59, "ExecutionContext::enqueue", THREAD, None),
                (100, 300, 59, None, THREAD, 5),
                (300, 500, 59, "/act/Relu", THREAD, None),
                (310, None, 34, "a mark", THREAD, None),
                (0, 900, 59, "another thread", PROCESS | 6, None),
            ],
        )
        calls = [(150, 160, THREAD, 1, 1), (350, 360, THREAD, 2, 1), (950, 999, THREAD, 3, 4)]
        made.executemany("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?,?,?,?,?)", calls)
        made.executemany(
            "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?, ?, ?, ?, ?, ?, ?)",
            [(200, 600, 0, 7, 1, PROCESS, 2), (600, 700, 0, 7, 2, PROCESS, 3)],
        )
        made.execute(
            "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (960, 990, 0, 7, 3, ?, 4096, 2)",
            (PROCESS,),
        )
        made.execute("INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1000000)")
        made.commit()
    return path


def test_kernels_belong_to_the_range_around_the_call_that_launched_them(database):
    assert kind_of(database) is FileKind.RESULT
    opened = open_trace(database)
    trace = opened.trace
    layers = {layer.index: layer.name for layer in opened.layers}
    told = {span.name: span for span in map(trace.span, range(len(trace)))}
    gemm, relu, copy = told["sm80_gemm"], told["relu_kernel"], told["device to host"]
    assert (layers[gemm.layer], layers[relu.layer], copy.layer) == (
        "/fc/Gemm",
        "/act/Relu",
        None,
    )
    assert (gemm.start_ns, gemm.duration_ns, gemm.kind) == (200, 400, Kind.KERNEL)
    assert (gemm.track.lane, gemm.track.name) == (Lane.COMPUTE, "GPU 0, stream 7")
    assert (copy.track.lane, copy.size_bytes) == (Lane.DATA, 4096)
    ends = zip(trace.flows.begin.tolist(), trace.flows.end.tolist(), strict=True)
    pairs = {(trace.span(a).start_ns, trace.span(b).name) for a, b in ends}
    assert pairs == {(150, "sm80_gemm"), (350, "relu_kernel"), (950, "device to host")}
    assert opened.clock is not None
    assert opened.clock.zero_ns == 1_000_000


def test_other_databases_are_refused(database, tmp_path):
    other = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(other)) as made:
        made.execute("CREATE TABLE notes (text TEXT)")
        made.commit()
    with pytest.raises(UnreadableFile, match="no trace of Nsight Systems"):
        open_trace(other)
    body = bytearray(database.read_bytes())
    body[4096:12288] = b"\x07" * 8192
    database.write_bytes(body)
    with pytest.raises(UnreadableFile, match="damaged, or of another version"):
        open_trace(database)
