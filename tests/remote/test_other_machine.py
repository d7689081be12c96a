"""A machine without an agent: what it lists, refuses, and ignores with a note."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from inspector.errors import BadInput, Cancelled
from inspector.remote.messages import DONE, End, Job
from inspector.remote.other_machine import Event, MeasuringMachine
from inspector.remote.remote_engine import RemoteEngine
from inspector.report.report import Device
from inspector.report.run_spec import RunSpec

CHIP = Device("toy", "Toy chip", "npu", "toy")
KNOWN = frozenset({"runs", "devices"})


class Board(MeasuringMachine):
    title = "a toy board"

    def __init__(self) -> None:
        super().__init__("board")
        self.reached = 0
        self.specs: list[RunSpec] = []
        self.notes: list[str] = []

    def connect(self) -> Event:
        self.reached += 1
        return self.described("Toy OS", "toy cpu", ("toybench",), cores=2)

    def devices(self) -> Sequence[Device]:
        return [CHIP]

    def measured(self, job: Job, own_files: Any, target: Path, on_event: Any) -> End:
        self.specs.append(self.expected(job, "toybench", KNOWN))
        self.notes = self.ignored(job, "toybench")
        self.expect_going_on()
        return End(job.id, DONE)


def job(kind: str = "measure", **spec: object) -> Job:
    return Job("0" * 32, kind, spec=spec)


def test_it_is_reached_once_and_lists_its_devices(tmp_path):
    board = Board()
    engine = RemoteEngine(board)
    assert engine.devices() == engine.devices() == (CHIP,)
    assert (board.reached, board.place) == (1, "board")
    assert board.hello["kinds"] == ("measure", "devices")
    assert (board.hello["runtimes"], board.hello["cores"]) == (
        {"toybench": "unknown version"},
        2,
    )


def test_only_devices_and_measurements_are_asked_of_it(tmp_path):
    with pytest.raises(BadInput, match="a toy board runs no job of the kind 'predict'"):
        Board().run(job("predict"), {}, tmp_path)


def test_a_setting_that_it_does_not_have_is_refused_or_noted(tmp_path):
    board = Board()
    with pytest.raises(BadInput, match="toybench has no setting for 'threads'"):
        board.run(job(runs=3, threads=2), {}, tmp_path)
    board.run(job(runs=3, steady=1.0), {}, tmp_path)
    assert (board.specs[0].runs, board.notes) == (3, [])
    board.run(job(runs=3, phases=True, steady=1.0, roofline=True), {}, tmp_path)
    assert board.notes == ["toybench has no setting for phases, roofline."]


def test_what_was_stopped_before_stops_no_later_job(tmp_path):
    board = Board()
    board.cancel()
    with pytest.raises(Cancelled):
        board.expect_going_on()
    assert board.run(job(), {}, tmp_path).state == DONE
