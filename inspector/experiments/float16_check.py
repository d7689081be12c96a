"""Run a float16 model in exact float16 arithmetic, and compare it with its original.

A CPU computes float16 in float32, so its outputs say nothing about a GPU or NPU. The model is
rewritten so that each result is rounded (`emulate-float16`), and then runs anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from msgspec import structs

from inspector.analysis.verdicts.float16 import LARGEST, SMALLEST
from inspector.conversion.action import HIGHEST, LOWEST, Step
from inspector.conversion.registry import EMULATE_FLOAT16
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import Cancelled, InspectorError
from inspector.experiments.calibration import Feeds, NamedInput, Share, named
from inspector.experiments.conversion import Conversion, fitted_feeds
from inspector.formats import opening
from inspector.model.model import TFLITE
from inspector.model.tensors.prediction import OutputValue
from inspector.preview.runs.model_comparison import ModelComparison
from inspector.report.float16_check import Float16Check, OutOfRange
from inspector.report.output_verdict import GUESSED
from inspector.report.run_spec import RunSpec

MOST_INPUTS = 100  # that are compared: each takes two runs


@dataclass(slots=True)
class EmulatedFloat16:
    """A model whose float16 results are rounded, and the ranges that they had before.

    path: of the rewritten model, which is deleted by `close`. results: name of a range ->
    layer, operator and name of the result.
    """

    engine: EngineProcess
    made: Conversion
    path: Path
    files: tuple[str, ...]
    results: dict[str, tuple[str, str, str]]
    _ranges: dict[str, float] = field(default_factory=dict)

    def predict(self, feeds: Feeds, custom_ops: Sequence[str] = ()) -> tuple[OutputValue, ...]:
        """Return the model's outputs. Raises Cancelled, EngineFailed."""
        spec = RunSpec(optimization="basic", cast=True, custom_ops=tuple(custom_ops))
        outputs = self.engine.predict(self.path, spec, feeds).outputs
        values = {output.name: output.array for output in outputs}
        for name in self.results:
            ends = values.get(name + LOWEST), values.get(name + HIGHEST)
            found = [float(end.ravel()[0]) for end in ends if end is not None and end.size]
            largest = max(map(abs, found), default=np.nan)
            # A result that is infinite already takes it from the layers before.
            if np.isfinite(largest):
                self._ranges[name] = max(self._ranges.get(name, 0.0), largest)
        reports = {name + end for name in self.results for end in (LOWEST, HIGHEST)}
        return tuple(output for output in outputs if output.name not in reports)

    @property
    def out_of_range(self) -> tuple[OutOfRange, ...]:
        """Return the results that float16 cannot hold, in the order of the layers."""
        found = []
        for name, (layer, operator, tensor) in self.results.items():
            largest = self._ranges.get(name, 0.0)
            if largest > LARGEST or 0 < largest < SMALLEST:
                vanishes = largest < SMALLEST
                found.append(OutOfRange(layer, operator, tensor, largest, vanishes))
        return tuple(found)

    def close(self) -> None:
        """Delete the rewritten model."""
        for name in self.files:
            (self.path.parent / name).unlink(missing_ok=True)


def emulated(engine: EngineProcess, made: Conversion) -> EmulatedFloat16 | None:
    """Return a converted model in exact float16 arithmetic; None where it has no float16.

    Raises Cancelled, InspectorError: it cannot be rewritten.
    """
    if opening.format_id(made.path) == TFLITE or made.path.suffix == ".ort":
        return None
    folder, name = made.path.parent, f"exact-{made.path.name}"
    step = Step(EMULATE_FLOAT16, (("ranges", "yes"),))
    converted = engine.convert(made.path, (step,), folder, name=name)
    path = folder / converted.files[0]
    results = {}
    for unrounded, layer, tensor in zip(
        converted.observe, converted.layers, converted.results, strict=False
    ):
        results[unrounded] = (*layer, tensor)
    made_here = EmulatedFloat16(engine, made, path, converted.files, results)
    if not converted.observe:
        made_here.close()
        return None
    return made_here


def checked(
    engine: EngineProcess,
    made: Conversion,
    inputs: Sequence[NamedInput | Feeds],
    spec: RunSpec | None = None,
    share: Share = lambda _, __: None,
    input_kind: str = GUESSED,
    comparison: ModelComparison | None = None,
) -> Conversion:
    """Return a conversion with its comparison in exact float16 arithmetic, if it has float16.

    inputs: of the original, of input_kind. comparison: how outputs are read. Raises Cancelled.
    """
    if made.unchanged or not inputs:
        return made
    comparison = comparison or ModelComparison()
    spec = replace(spec or RunSpec(), custom_ops=made.custom_ops)
    try:
        run = emulated(engine, made)
        if run is None:
            return made
        try:
            add_inputs(run, inputs[:MOST_INPUTS], spec, comparison, share)
        finally:
            run.close()
    except Cancelled:
        raise
    except InspectorError as error:
        return replace(made, float16=Float16Check(missing=error.why or error.what))
    verdict = comparison.verdict(input_kind)
    return replace(made, float16=Float16Check(run.out_of_range, verdict))


def add_inputs(
    run: EmulatedFloat16,
    inputs: Sequence[NamedInput | Feeds],
    spec: RunSpec,
    comparison: ModelComparison,
    share: Share = lambda _, __: None,
) -> None:
    """Compare a model in exact float16 arithmetic with its original, on inputs of that.

    Raises Cancelled, InspectorError.
    """
    old_names = dict(run.made.renamed)
    for number, each in enumerate(named(inputs)):
        share("float16", number / len(inputs))
        first, second = fitted_feeds(run.engine, run.made, each.load())
        before = run.engine.predict(run.made.original, spec, first).outputs
        after = run.predict(second, run.made.custom_ops)
        there = {old_names.get(output.name, output.name): output for output in after}
        # A part of a model has outputs that the original has inside.
        comparison.add(
            [output for output in before if output.name in there],
            [structs.replace(output, name=name) for name, output in there.items()],
        )
