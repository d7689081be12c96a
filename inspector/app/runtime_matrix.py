"""One model in several Python environments: its answer, and its latency, by version of the
runtime."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.analysis.verdicts.speed import compare_medians
from inspector.app.measure import Setup, measure
from inspector.app.subjects import Subject
from inspector.backends import environments, registry
from inspector.backends.values import Progress
from inspector.errors import Cancelled, EngineFailed, InspectorError
from inspector.model.tensors.prediction import Prediction
from inspector.preview.families.output_structure import of_model
from inspector.preview.inputs.feeds import Filled, feeds_by_name, input_kind
from inspector.preview.runs import parity
from inspector.preview.runs.model_comparison import comparison_of
from inspector.preview.runs.runtime_matrix import EnvironmentRow, RuntimeMatrix

if TYPE_CHECKING:
    from inspector.platform.work_limits import Limits
    from inspector.remote.machines import Target

_PACKAGES = {"litert": "ai-edge-litert", "genai": "onnxruntime-genai"}  # others: their id
_BUILDS = "gpu", "directml", "openvino", "qnn", "rocm", "migraphx", "cuda"  # of a package


def runtime_matrix(
    subject: Subject,
    targets: Sequence["Target"],
    limits: "Limits | None",
    show: Callable[[Progress], None],
    setup: Setup | None = None,
) -> RuntimeMatrix:
    """Run a model on one input in each environment, one after the other.

    setup: how to measure it there as well, beside the answer. Raises EngineFailed: none of them
    ran it; Cancelled.
    """
    runtime = registry.for_run(subject.path, subject.spec.devices).id
    package = _PACKAGES.get(runtime, runtime)
    pairs = [(_looked_at(target, package), target) for target in targets]
    pairs.sort(key=lambda pair: _order(pair[0].version))
    rows = [row for row, _ in pairs]
    reference: EnvironmentRow | None = None
    filled: tuple[Filled, ...] | None = None
    for row, target in reversed(pairs):
        if row.problem is not None:
            continue
        try:
            with target.engine(show, limits) as engine:

                def once(
                    made: tuple[Filled, ...], own: Subject = subject
                ) -> tuple[Prediction, ...]:
                    feeds = feeds_by_name(made)
                    return tuple(engine.predict(own.path, own.spec, feeds) for _ in range(2))

                if filled is None:
                    ran = subject.run(once)
                    subject, note, filled, answers = (
                        ran.subject,
                        ran.note,
                        ran.filled,
                        ran.result,
                    )
                else:
                    answers = once(filled)
                row.prediction = answers[0]
                if reference is None:
                    reference, repeat = row, answers[1]
                else:
                    _compare(subject, filled, reference, repeat, row)
                if setup is not None:
                    _, row.report = measure(engine, replace(setup, on=target))
        except Cancelled:
            raise
        except InspectorError as error:
            row.problem = error
    if reference is None:
        first = rows[-1].problem
        assert first is not None, "an environment without an answer says why"
        raise EngineFailed(first.what, first.why, first.hint)
    for row in rows:
        if row is not reference and row.report is not None and reference.report is not None:
            row.speed = compare_medians(reference.report, row.report)
    return RuntimeMatrix(tuple(rows), reference, note)


def _looked_at(target: "Target", package: str) -> EnvironmentRow:
    """Return an environment with its versions, as far as it tells them."""
    row = EnvironmentRow(Path(target.machine.python))
    there = environments.look_at(row.place)
    if there is not None:
        row.python = there.version
        builds = [package, *(f"{package}-{build}" for build in _BUILDS)]
        row.runtime = next((name for name in builds if name in there.packages), "")
        row.version = there.packages.get(row.runtime, "")
        if not row.runtime:
            what, why = f"Could not use {row.place}", f"it has no {package}"
            row.problem = EngineFailed(what, why, f"{row.place} -m pip install {package}")
    return row


def _order(version: str) -> tuple[int, ...]:
    """Return what versions are sorted by: the numbers in it."""
    return tuple(int(part) for part in re.findall(r"\d+", version.partition("+")[0]))


def _compare(
    subject: Subject,
    filled: tuple[Filled, ...],
    reference: EnvironmentRow,
    repeat: Prediction,
    row: EnvironmentRow,
) -> None:
    first, other = reference.prediction, row.prediction
    assert first is not None, "the reference answered"
    assert other is not None, "this one answered"
    names, feeds = subject.labels.names, feeds_by_name(filled)
    comparison = comparison_of(subject.path, subject.model, feeds, names)
    comparison.add(first.outputs, other.outputs)
    comparison.add_repeat(first.outputs, repeat.outputs)
    row.verdict = comparison.verdict(input_kind(filled))
    row.outputs = parity.outputs(first.outputs, other.outputs, names, of_model(subject.model))
