import json
import os
from pathlib import Path

import pytest

from inspector.recorder import launch, recorded_processes, recorded_sessions
from inspector.recorder.assemble import collect
from inspector.recorder.profiled_runs import ProfiledRuns
from inspector.recorder.span_ring import KINDS, LAYOUT

BEGIN = {"begin": [1_000, 1_800_000_000_000_000_000, 3_000], "pid": 7}
SESSION = {"session": 0, "model": "net.onnx", "same": "1"}
ROW = (1_500, 10, 1, 0, "call", 0, 0, -1)
ORDER = ("start", "duration", "size", "prediction", "thread", "session", "word")
PACKED = dict(zip(ORDER, (1_500, 10, 0, -1, 1, 0, 0), strict=True))


def packed(**changed: int) -> bytes:
    row = PACKED | {"kind": KINDS.index("call"), "number": 1} | changed
    return LAYOUT.pack(*row.values())


def written(folder: Path, *facts: object, rows: bytes = packed()) -> None:
    lines = "".join(json.dumps(fact) + "\n" for fact in facts)
    (folder / "part-7-0.facts").write_text(lines)
    (folder / "part-7-0.spans").write_bytes(rows)


def test_what_is_whole_becomes_a_trace(tmp_path):
    written(tmp_path, BEGIN, SESSION)
    assert collect(tmp_path).trace.start_ns.tolist() == [0]


@pytest.mark.parametrize(
    "fact",
    [
        5, [], "x", {"begin": 1, "pid": 7}, {"begin": [1, "a", 2], "pid": 7},
        {"session": "a"}, {"session": 0}, {"session": [], "model": "a", "same": ""},
        {"thread": 1}, {"word": 1, "text": 5}, {"sample": 1}, {"sample": 1 << 80, "memory": 0},
        {"own_ns": "much", "timed": 0}, {"dropped": None},
        {"profile": "/etc", "zero": 1, "begun": [], "session": 0, "model": "a", "same": ""},
    ],
)  # fmt: skip
def test_a_fact_that_the_program_damaged_is_left_out(tmp_path, fact):
    written(tmp_path, BEGIN, fact, SESSION)
    assert len(collect(tmp_path).trace) == 1


@pytest.mark.parametrize(
    "rows",
    [
        b"", packed()[:-1], packed(kind=9), packed(kind=-1), packed(start=1 << 60),
        packed(duration=-1 << 60), packed(size=1 << 62), packed(number=0),
        packed(number=-(1 << 63)), packed(number=(1 << 63) - 1),
    ],
)  # fmt: skip
def test_a_span_that_the_program_damaged_is_left_out(tmp_path, rows):
    written(tmp_path, BEGIN, SESSION, rows=rows)
    assert not len(collect(tmp_path).trace)


@pytest.mark.parametrize(("newest", "dropped"), [(2, 0), (3, 1), (7, 5)])
def test_spans_whose_room_was_used_again_are_counted(tmp_path, newest, dropped):
    rows = packed(number=newest) + packed(number=newest - 1, start=1_400)
    written(tmp_path, BEGIN, SESSION, rows=rows)
    (part,) = recorded_processes.read(tmp_path)
    assert part.dropped == dropped
    assert [row[0] for row in part.rows] == [1_400, 1_500]


def test_a_folder_full_of_noise_is_an_empty_recording(tmp_path):
    noise = bytes(range(256)) * 40 + b"\n" + b"[" * 200_000 + b"\n"
    for name in ("part-7-0.facts", "part-7-0.spans", "part-x.spans", "inputs-a-b.npz"):
        (tmp_path / name).write_bytes(noise)
    assert not len(collect(tmp_path).trace)
    assert not list(recorded_sessions.saved_inputs(tmp_path))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_pipes_and_devices_in_the_folder_keep_nobody_waiting(tmp_path):
    written(tmp_path, BEGIN, SESSION)
    os.mkfifo(tmp_path / "part-8-0.facts")
    (tmp_path / "part-9-0.facts").write_text(json.dumps(BEGIN) + "\n")
    (tmp_path / "part-9-0.spans").symlink_to("/dev/zero")
    (tmp_path / "inputs-7-0-0.npz").symlink_to("/dev/zero")
    assert [part.rows for part in recorded_processes.read(tmp_path)] == [(ROW,), ()]
    assert not list(recorded_sessions.saved_inputs(tmp_path))


def test_a_recorded_program_sends_no_telemetry_unless_its_user_wants_that(
    tmp_path, monkeypatch
):
    monkeypatch.delenv("ORT_DISABLE_TELEMETRY", raising=False)
    assert launch.environment(tmp_path, 10, ProfiledRuns())["ORT_DISABLE_TELEMETRY"] == "1"
    monkeypatch.setenv("ORT_DISABLE_TELEMETRY", "0")
    assert launch.environment(tmp_path, 10, ProfiledRuns())["ORT_DISABLE_TELEMETRY"] == "0"
