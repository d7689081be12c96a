"""Run a float16 model in emulated float16 arithmetic, and compare it with its original.

A CPU computes float16 in float32, so its outputs say nothing about a GPU or NPU. The model is
rewritten so that each result is rounded (`emulate-float16`), and then runs anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from msgspec import structs

from inspector.app.changing.calibration import Feeds, NamedInput, Share, named
from inspector.app.changing.conversion import fitted_feeds
from inspector.conversion.result import Conversion
from inspector.engine.client.engine import Engine
from inspector.engine.client.exact_float16 import EmulatedFloat16, with_ranges
from inspector.errors import Cancelled, InspectorError
from inspector.formats import opening
from inspector.model.model import TFLITE
from inspector.preview.runs.model_comparison import ModelComparison
from inspector.report.float16_check import Float16Check
from inspector.report.output_verdict import GUESSED
from inspector.report.run_spec import RunSpec

MOST_INPUTS = 100  # that are compared: each takes two runs


def emulated(engine: Engine, made: Conversion) -> EmulatedFloat16 | None:
    """Return a converted model in emulated float16 arithmetic; None where it has no float16.

    Raises Cancelled, InspectorError: it cannot be rewritten.
    """
    if opening.format_id(made.path) == TFLITE or made.path.suffix == ".ort":
        return None
    return with_ranges(engine, made.path, made.path.parent)


def checked(
    engine: Engine,
    made: Conversion,
    inputs: Sequence[NamedInput | Feeds],
    spec: RunSpec | None = None,
    share: Share = lambda _, __: None,
    input_kind: str = GUESSED,
    comparison: ModelComparison | None = None,
) -> Conversion:
    """Return a conversion with its comparison in float16 arithmetic, if it has float16.

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
            add_inputs(engine, made, run, inputs[:MOST_INPUTS], spec, comparison, share)
        finally:
            run.close()
    except Cancelled:
        raise
    except InspectorError as error:
        return structs.replace(made, float16=Float16Check(missing=error.why or error.what))
    verdict = comparison.verdict(input_kind)
    return structs.replace(made, float16=Float16Check(run.out_of_range, verdict))


def add_inputs(
    engine: Engine,
    made: Conversion,
    run: EmulatedFloat16,
    inputs: Sequence[NamedInput | Feeds],
    spec: RunSpec,
    comparison: ModelComparison,
    share: Share = lambda _, __: None,
) -> None:
    """Compare a converted model in emulated float16 arithmetic with its original.

    inputs: of the original. run: the converted model, rewritten. Raises Cancelled,
    InspectorError.
    """
    old_names = dict(made.renamed)
    for number, each in enumerate(named(inputs)):
        share("float16", number / len(inputs))
        first, second = fitted_feeds(engine, made, each.load())
        before = engine.predict(made.original, spec, first).outputs
        if not number:  # a model with random layers gives other answers
            again = engine.predict(made.original, spec, first).outputs
            comparison.add_repeat(before, again)
        after = run.predict(second, made.custom_ops)
        there = {old_names.get(output.name, output.name): output for output in after}
        # A part of a model has outputs that the original has inside.
        comparison.add(
            [output for output in before if output.name in there],
            [structs.replace(output, name=name) for name, output in there.items()],
        )
