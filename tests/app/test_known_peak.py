"""A measurement gets the peak of this machine by itself, as far as one is known."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from inspector.app import measure
from inspector.app.subjects import Subject
from inspector.engine.client.engine import Engine
from inspector.engine.requests import InferShapes, MeasureCeiling
from inspector.errors import Cancelled
from inspector.formats.opening import open_model
from inspector.report.roofline import Ceiling
from inspector.report.run_spec import RunSpec
from tests.reports import example_report


class Machine(Engine):
    """An engine whose CPU is busy, and that counts how often its peak is measured."""

    elsewhere = False

    def __init__(self, error: Exception | None = None) -> None:
        self.asked, self.error = 0, error

    def call(self, request: Any) -> Any:
        if isinstance(request, InferShapes):
            raise Cancelled("no shapes are needed")
        assert isinstance(request, MeasureCeiling)
        self.asked += 1
        if self.error is not None:
            raise self.error
        return Ceiling(request.device, request.dtype, request.threads, 1e11, 1e10, busy=True)


def test_a_peak_is_measured_once_even_if_the_machine_is_busy(digits, tmp_path, monkeypatch):
    monkeypatch.setattr(measure.ceilings, "default_file", lambda: tmp_path / "ceilings.json")
    monkeypatch.setattr(measure.ceilings, "_work", lambda *_: ())
    subject = Subject.of(digits, open_model(digits), RunSpec(), {})
    setup = cast("measure.Setup", SimpleNamespace(subject=subject, spec=RunSpec(), feeds=()))
    report = example_report()
    layers = tuple(replace(each, computed_in="float32") for each in report.layers)
    report, machine = replace(report, layers=layers), Machine()
    monkeypatch.setattr(measure, "disturbances", lambda _: ("the CPU was busy",))
    for _ in range(2):
        found = measure.with_known_peak(machine, setup, report).roofline.ceilings
        assert found
        assert machine.asked == len(found), "the saved one suffices"
    monkeypatch.setattr(measure, "disturbances", lambda _: ())
    measure.with_known_peak(machine, setup, report)
    assert machine.asked == 2 * len(found), "the load is gone"


@pytest.mark.parametrize("change", [{"kernel_ns": 0}, {"complete": False}, {}])
def test_nobody_is_told_of_a_peak_that_nobody_asked_for(digits, tmp_path, monkeypatch, change):
    monkeypatch.setattr(measure.ceilings, "default_file", lambda: tmp_path / "ceilings.json")
    subject = Subject.of(digits, open_model(digits), RunSpec(), {})
    setup = cast("measure.Setup", SimpleNamespace(subject=subject, spec=RunSpec(), feeds=()))
    report = example_report(**change)
    machine = Machine(Cancelled("stopped"))
    assert measure.with_known_peak(machine, setup, report) is report
    assert machine.asked == (0 if change else 1)
