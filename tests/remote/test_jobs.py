"""What a job tells while it runs, and what is left of one that failed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from inspector.backends.values import Progress
from inspector.remote import jobs
from inspector.remote.blobs import Blobs
from inspector.remote.jobs import JobRunner
from inspector.report import report as reports
from tests.reports import example_report


@pytest.fixture
def runner(tmp_path: Path) -> Iterator[JobRunner]:
    made = JobRunner(Blobs(tmp_path / "files"), tmp_path / "work")
    yield made
    made.close()


def test_a_new_step_is_told_at_once_and_the_same_one_ten_times_a_second(runner, monkeypatch):
    now, told = [100.0], list[dict[str, Any]]()
    monkeypatch.setattr(jobs.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(runner, "_emit", told.append)

    def tell(after: float, progress: Progress) -> list[dict[str, Any]]:
        now[0] += after
        told.clear()
        runner._tell(progress)
        return told

    assert tell(0, Progress("load", -1))[0]["step"] == "load"
    assert not tell(0.05, Progress("load", -1))
    assert tell(0.06, Progress("load", -1))
    (event,) = tell(0.01, Progress("prediction", 0.1, (5, 6)))
    assert (event["samples_ns"], event["done"]) == ((5, 6), 0.1)
    assert not tell(0.01, Progress("prediction", 0.2, (5, 6, 7)))
    assert tell(0.2, Progress("prediction", 0.3, (5, 6, 7, 8)))[0]["samples_ns"] == (7, 8)
    part = Progress("prediction", 0.3, (5, 6, 7, 8, 9), "start 2 of 5")
    (event,) = tell(0, part)
    assert (event["part"], event["samples_ns"]) == ("start 2 of 5", (9,))
    (event,) = tell(0.01, replace(part, done=1.0, samples_ns=(1,)))
    assert (event["again"], event["samples_ns"]) == (True, (1,))
    assert "stalled_seconds" not in event
    (event,) = tell(0.2, Progress("load", 0.5, stalled_seconds=20.0, layer="Conv a"))
    assert (event["stalled_seconds"], event["layer"], event["layers"]) == (20.0, "Conv a", ())


def test_what_a_failed_measurement_had_is_kept_as_a_file(runner):
    assert runner._partial() == ()
    runner._engine.partial = example_report()
    (file,) = runner._partial()
    body = b"".join(piece.data for piece in runner._blobs.pieces(file.sha256, 0))
    assert (file.name, file.size_bytes) == ("partial", len(body))
    assert body == reports.to_json(example_report())
