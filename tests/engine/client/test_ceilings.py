from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from inspector.analysis.facts.shapes import Body, Shapes
from inspector.engine.client.ceilings import CANCELLED_NOTE, ceiling, with_roofline
from inspector.engine.client.engine import Engine
from inspector.engine.client.engine_process import EngineProcess
from inspector.engine.requests import InferShapes, MeasureCeiling
from inspector.errors import Cancelled, EngineFailed
from inspector.report.report import ModelIdentity
from inspector.report.roofline import Ceiling
from inspector.report.run_spec import RunSpec
from tests.reports import example_report

KNOWN = Ceiling("cpu", "float32", 1, 50e9, 10e9, "2026-01-02T03:04:05+00:00")
MODEL = Path("sample_models/digits_float32.onnx")


class Machine(Engine):
    """An engine that tells ceilings from a list, and counts how often it is asked."""

    def __init__(self, *found: Ceiling) -> None:
        self.left = list(found)

    def call(self, request: Any) -> Any:
        if isinstance(request, InferShapes):
            return Shapes()
        return told(self.left.pop(0), request)


def told(found: Ceiling, asked: MeasureCeiling) -> Ceiling:
    known = asked.bytes_per_second or found.bytes_per_second
    found = replace(found, device=asked.device, threads=asked.threads, dtype=asked.dtype)
    return replace(found, bytes_per_second=known)


def test_a_ceiling_is_measured_once_and_kept(tmp_path):
    machine, file = Machine(KNOWN, replace(KNOWN, bytes_per_second=20e9)), tmp_path / "c.json"
    assert ceiling(machine, "cpu", 1, file=file) == KNOWN
    assert ceiling(machine, "cpu", 1, file=file) == KNOWN
    assert len(machine.left) == 1
    again = ceiling(machine, "cpu", 1, again=True, file=file)
    assert again.bytes_per_second == 20e9


def test_another_number_of_threads_is_another_ceiling(tmp_path):
    machine, file = Machine(KNOWN, KNOWN), tmp_path / "c.json"
    ceiling(machine, "cpu", 1, file=file)
    assert ceiling(machine, "cpu", 2, file=file).threads == 2


def test_another_type_is_another_ceiling_over_the_same_memory(tmp_path):
    fast = replace(KNOWN, operations_per_second=9e9, bytes_per_second=99e9)
    machine, file = Machine(KNOWN, fast), tmp_path / "c"
    whole = ceiling(machine, "cpu", 1, "int8", file=file)
    assert (whole.dtype, whole.operations_per_second) == ("int8", 9e9)
    assert whole.bytes_per_second == KNOWN.bytes_per_second
    assert ceiling(machine, "cpu", 1, file=file) == KNOWN
    assert machine.left == []


class Whole(Machine):
    """Has no arithmetic in float16."""

    def call(self, request: Any) -> Any:
        if getattr(request, "dtype", "") == "float16":
            raise EngineFailed("Could not find out how fast it is in float16", "it has none")
        return super().call(request)


def test_each_type_that_layers_compute_in_gets_its_ceiling_or_a_note(tmp_path):
    report = example_report()
    types = ("float32", "uint8", "float16")
    layers = tuple(
        replace(layer, ran_on="cpu", time_ns=1000, computed_in=types[layer.index % 3])
        for layer in report.layers
    )
    report = replace(report, layers=layers)
    found = with_roofline(Whole(KNOWN, KNOWN), MODEL, report, {}, file=tmp_path / "c")
    assert [one.dtype for one in found.roofline.ceilings] == ["float32", "int8"]
    why = "Could not find out how fast it is in float16: it has none."
    assert found.notes[-1] == f"A peak was not measured: {why}"


def test_what_a_busy_machine_reached_is_measured_again(tmp_path):
    busy = replace(KNOWN, busy=True)
    slower = replace(busy, operations_per_second=40e9, bytes_per_second=12e9)
    machine, file = Machine(busy, slower, KNOWN), tmp_path / "c.json"
    ceiling(machine, "cpu", 1, file=file)
    both = ceiling(machine, "cpu", 1, file=file)
    assert (both.operations_per_second, both.bytes_per_second) == (50e9, 12e9)
    assert not both.kept, "its memory was faster than before"
    assert ceiling(machine, "cpu", 1, file=file) == KNOWN


def test_the_memory_that_was_reached_beside_load_is_not_that_of_other_types(tmp_path):
    low = replace(KNOWN, busy=True, bytes_per_second=3.5e9)
    machine, file = Machine(low, KNOWN), tmp_path / "c.json"
    ceiling(machine, "cpu", 1, file=file)
    other = ceiling(machine, "cpu", 1, "int8", file=file)
    assert (other.bytes_per_second, other.busy) == (KNOWN.bytes_per_second, False)


@pytest.mark.parametrize("body", [b"", b"{", b'{"x": 3}', b"\xff"])
def test_a_damaged_file_is_written_anew(tmp_path, body):
    file = tmp_path / "c.json"
    file.write_bytes(body)
    assert ceiling(Machine(KNOWN), "cpu", 1, file=file) == KNOWN
    assert b"bytes_per_second" in file.read_bytes()


def test_a_folder_that_cannot_be_written_costs_only_time(tmp_path):
    (tmp_path / "blocked").write_text("a file, not a folder")
    file = tmp_path / "blocked" / "c.json"
    assert ceiling(Machine(KNOWN), "cpu", 1, file=file) == KNOWN


@pytest.mark.engine
def test_layers_of_a_real_measurement_get_their_work(tmp_path):
    class Small(EngineProcess):
        def call(self, request: Any) -> Any:
            if isinstance(request, MeasureCeiling):
                return told(KNOWN, request)
            answer = super().call(request)
            if not isinstance(request, InferShapes):
                return answer
            hidden = report.layers[0].value  # its shape is known from the runs only
            values = tuple(
                replace(one, shape=(None,) * 4) if one.name == hidden else one
                for one in answer.values
            )
            return Shapes((Body(values=values),), answer.lengths)

    feeds = {"picture": np.zeros((1, 1, 8, 8), np.float32)}
    spec, identity = (
        RunSpec(threads=1, runs=5, profiled_runs=3),
        ModelIdentity("d", "0", 1, 1, 15),
    )
    with Small(lock=tmp_path / "lock") as engine:
        report = engine.measure(MODEL, identity, spec, feeds)
        shapes = {"picture": (1, 1, 8, 8)}
        found = with_roofline(engine, MODEL, report, shapes, file=tmp_path / "c.json")
    assert [one.device for one in found.roofline.ceilings] == ["cpu"]
    assert len(found.roofline.layers) == 15
    assert found.roofline.layers[1].operations > 10_000


def test_what_cannot_be_measured_costs_the_roofline_not_the_report(tmp_path):
    class Broken(Engine):
        def call(self, request: Any) -> Any:
            raise EngineFailed("Could not find out", "it is broken")

    found = with_roofline(Broken(), MODEL, example_report(), {}, file=tmp_path / "c")
    assert found.notes[-1] == "The roofline was not measured: Could not find out: it is broken."


@pytest.mark.engine
@pytest.mark.slow
@pytest.mark.parametrize("stop", [Cancelled("stopped"), KeyboardInterrupt()])
def test_stopping_the_roofline_keeps_the_measurement_and_says_so(tmp_path, stop):
    class Stopped(Machine):
        def call(self, request: Any) -> Any:
            raise stop

    measured = example_report()
    found = with_roofline(Stopped(), MODEL, measured, {}, file=tmp_path / "c")
    assert found.notes == (*measured.notes, CANCELLED_NOTE)
    assert found.layers == measured.layers
    assert found.prediction_ns == measured.prediction_ns


@pytest.mark.slow  # it measures a peak of this machine
def test_the_runtime_reaches_plausible_ceilings(tmp_path):
    with EngineProcess(lock=tmp_path / "lock") as engine:
        found = engine.call(MeasureCeiling("cpu", 1, "float32"))
        whole = engine.call(MeasureCeiling("cpu", 1, "int8", bytes_per_second=7.0))
    assert whole.bytes_per_second == 7.0
    # No more than a processor can do; how much less depends on what else the machine does.
    assert whole.operations_per_second > 1e6
    assert 1e6 < found.operations_per_second < 5e12
    assert 1e6 < found.bytes_per_second < 2e12
    assert found.ridge == found.operations_per_second / found.bytes_per_second
