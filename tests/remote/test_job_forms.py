"""A request that crosses a line as a job is the same request there, and so is its answer."""

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from inspector.backends.values import ComparisonRun
from inspector.engine.requests import (
    CheckSupport,
    GetTensor,
    InferShapes,
    ListDevices,
    Measure,
    MeasureCeiling,
    MeasurePair,
    Predict,
    Reference,
    Request,
    RunLayer,
    StepThrough,
)
from inspector.errors import BadInput
from inspector.preview.runs.steps import Steps
from inspector.remote import job_forms, messages
from inspector.remote.messages import Job
from inspector.report.report import ModelIdentity, to_json
from inspector.report.report_values import Device, Support
from inspector.report.run_spec import Dimension, RunSpec
from inspector.wording.support_marks import Mark, Source
from tests.engine.toy_job import CountBytes
from tests.reports import example_report

MODEL = Path("net.onnx")
IDENTITY = ModelIdentity("net.onnx", "ab" * 32, 1, 2, 3, "17")
SPEC, OTHER = RunSpec(threads=2, runs=7), RunSpec(optimization="none")
FEEDS: dict[str, Any] = {}
STEPS = Steps({"x": np.zeros((2, 1), np.float32)}, {"s": "t"})


def crossed(request: Request[Any]) -> Request[Any]:
    """Return the request that an agent makes of the job of another one."""
    told = msgspec.json.encode(
        Job("0" * 32, **job_forms.fields_of(request, messages.settings_of))
    )
    job = msgspec.convert(msgspec.json.decode(told), Job)
    specs = (
        messages.read_spec(job.spec),
        None if job.other is None else messages.read_spec(job.other),
    )
    steps = STEPS if job.states else None
    model = MODEL if hasattr(request, "model") else None
    kind = type(request)
    return job_forms.request_of(kind, job, specs, model, lambda: IDENTITY, FEEDS, steps)


@pytest.mark.parametrize(
    "request_",
    [
        Predict(MODEL, SPEC, FEEDS, warm=True, steps=STEPS),
        Predict(MODEL, SPEC, FEEDS),
        Reference(MODEL, FEEDS, 3.0),
        Measure(MODEL, IDENTITY, SPEC, FEEDS, wait=False),
        MeasurePair(MODEL, IDENTITY, (SPEC, OTHER), FEEDS, 1),
        ListDevices(),
        InferShapes(MODEL, (Dimension("batch", 3),), 4.0),
        StepThrough(MODEL, SPEC, FEEDS, ComparisonRun(OTHER), 0.5),
        StepThrough(MODEL, SPEC, FEEDS, ComparisonRun()),
        GetTensor(MODEL, SPEC, FEEDS, "t", None),
        RunLayer(MODEL, SPEC, FEEDS, 0),
        MeasureCeiling("cpu", 2, "int8", 7.0),
        CheckSupport(MODEL, SPEC, {"x": (2, 4)}, {"cpu": (0, 1)}),
        CountBytes(MODEL, (1, 2)),
    ],
    ids=lambda request: type(request).__name__,
)
def test_a_request_is_the_same_there(request_):
    assert crossed(request_) == request_


def test_what_a_job_lacks_is_refused():
    job = Job("0" * 32, "toy_count", values={"counted": "many"})
    with pytest.raises(BadInput, match="array"):
        job_forms.request_of(CountBytes, job, (SPEC, None), MODEL, lambda: IDENTITY, {}, None)


@pytest.mark.parametrize(
    ("kind", "result"),
    [
        (ListDevices, (Device("cpu", "Some CPU", "cpu", "CPUExecutionProvider"),)),
        (CountBytes, {"a": 2}),
        (CheckSupport, {"cpu": {1: Support(Mark.UNSUPPORTED, Source.PROBED, "no kernel")}}),
    ],
)
def test_an_answer_is_the_same_here(tmp_path, kind, result):
    bodies, answer = job_forms.stored_result(kind, result, tmp_path)
    told = msgspec.json.decode(msgspec.json.encode(answer))
    assert (bodies, job_forms.fetched_result(kind, told, tmp_path)) == ({}, result)


def test_reports_travel_as_files(tmp_path):
    report = example_report()
    bodies, answer = job_forms.stored_result(MeasurePair, (report, report), tmp_path)
    assert (list(bodies), answer) == (["report", "other-report"], None)
    for name, body in bodies.items():
        (tmp_path / name).write_bytes(body)
    one, other = job_forms.fetched_result(MeasurePair, None, tmp_path)
    assert to_json(one) == to_json(other) == to_json(report)
