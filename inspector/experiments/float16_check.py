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
from inspector.experiments.conversion import Conversion, Feeds, Share, fitted_feeds
from inspector.formats import opening
from inspector.model.model import TFLITE
from inspector.model.tensors.prediction import OutputValue
from inspector.report.float16_check import Float16Check, OutOfRange
from inspector.report.run_spec import RunSpec
from inspector.units import plural

MOST_INPUTS = 100  # that are compared: each takes two runs
_LEAST_SQNR_DB = 20.0  # of an output that is still right: an error of a tenth


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
    inputs: Sequence[Feeds],
    spec: RunSpec | None = None,
    share: Share = lambda _, __: None,
) -> Conversion:
    """Return a conversion with its comparison in exact float16 arithmetic, if it has float16.

    inputs: of the original. Raises Cancelled.
    """
    if made.unchanged or not inputs:
        return made
    found = check(engine, made, inputs[:MOST_INPUTS], spec, share)
    return replace(made, float16=found)


def check(
    engine: EngineProcess,
    made: Conversion,
    inputs: Sequence[Feeds],
    spec: RunSpec | None = None,
    share: Share = lambda _, __: None,
) -> Float16Check | None:
    """Compare a converted model in exact float16 arithmetic with its original.

    None where nothing computes in float16. Raises Cancelled.
    """
    spec = replace(spec or RunSpec(), custom_ops=made.custom_ops)
    try:
        run = emulated(engine, made)
        if run is None:
            return None
        try:
            return compared(run, inputs, spec, share)
        finally:
            run.close()
    except Cancelled:
        raise
    except InspectorError as error:
        return Float16Check(missing=error.why or error.what)


def compared(
    run: EmulatedFloat16, inputs: Sequence[Feeds], spec: RunSpec, share: Share
) -> Float16Check:
    """Compare a model in exact float16 arithmetic with its original, on inputs of that.

    Raises Cancelled, InspectorError.
    """
    old_names, sums = dict(run.made.renamed), _OutputErrors()
    for number, feeds in enumerate(inputs):
        share("float16", number / len(inputs))
        first, second = fitted_feeds(run.engine, run.made, feeds)
        before = run.engine.predict(run.made.original, spec, first).outputs
        after = run.predict(second, run.made.custom_ops)
        renamed = [structs.replace(o, name=old_names.get(o.name, o.name)) for o in after]
        sums.add(before, renamed)
    return Float16Check(len(inputs), run.out_of_range, sums.holds, sums.text)


@dataclass(slots=True)
class _OutputErrors:
    """Errors of each output over all inputs. sums: squares of the original's values, and of the
    errors. broken: values that are NaN or infinite only in the other answer."""

    sums: dict[str, tuple[float, float]] = field(default_factory=dict)
    broken: dict[str, int] = field(default_factory=dict)

    def add(self, before: Sequence[OutputValue], after: Sequence[OutputValue]) -> None:
        """Compare the answers to one input."""
        others = {output.name: output.array for output in after}
        for output in before:
            one, two = output.array, others.get(output.name)
            if one is None or two is None or one.shape != two.shape:
                continue
            if one.dtype.kind not in "fiub":
                continue
            a, b = one.astype(np.float64), two.astype(np.float64)
            finite = np.isfinite(a) & np.isfinite(b)
            broken = int((np.isfinite(a) & ~finite).sum())
            self.broken[output.name] = self.broken.get(output.name, 0) + broken
            signal, error = self.sums.get(output.name, (0.0, 0.0))
            a, b = a[finite], b[finite]
            self.sums[output.name] = signal + float(a @ a), error + float((a - b) @ (a - b))

    def _decibels(self) -> dict[str, float]:
        return {
            name: np.inf if not error else 10 * np.log10(max(signal, 1e-300) / error)
            for name, (signal, error) in self.sums.items()
        }

    @property
    def holds(self) -> bool:
        """Return whether all outputs are still right."""
        ratios = self._decibels().values()
        return not any(self.broken.values()) and all(r >= _LEAST_SQNR_DB for r in ratios)

    @property
    def text(self) -> str:
        """Return how far they are apart."""
        for name, count in self.broken.items():
            if count:
                verb = "is" if count == 1 else "are"
                return f"{plural(count, 'value')} of '{name}' {verb} NaN or infinite"
        ratios = self._decibels()
        name = min(ratios, key=lambda each: ratios[each], default="")
        if not name or ratios[name] == np.inf:
            return "identical"
        return f"SQNR of '{name}' is {ratios[name]:.1f} dB"
