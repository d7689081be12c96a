"""What each step of a recipe does: layers, size, time and error after it."""

from collections.abc import Callable, Sequence
from math import inf
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from inspector.analysis.measured.latency import latency as latency_of
from inspector.analysis.measured.noise import doubts
from inspector.app.changing import conversion as conversions
from inspector.app.changing.calibration import Feeds
from inspector.conversion.action import Step
from inspector.conversion.result import CheckedConversion, Conversion
from inspector.engine.client.engine import Engine
from inspector.errors import Cancelled, EngineKilled, InspectorError
from inspector.formats import opening
from inspector.preview.identity import measured_model
from inspector.preview.runs.parity import OutputParity
from inspector.report.improvement import StepResult
from inspector.report.run_spec import RunSpec

_TIMED_RUNS = 30
_TIMED_SECONDS = 0.5


class ComparedStep(NamedTuple):
    """A model after some steps of a recipe, and its error as `StepResult` has it."""

    conversion: Conversion
    sqnr_db: float | None
    same_top: int | None
    inputs: int


def after_each_step(
    engines: tuple[Engine, Engine],
    last: ComparedStep,
    once: Callable[[Sequence[Step]], ComparedStep],
    one_input: Callable[[], Feeds],
) -> tuple[StepResult, ...]:
    """Return the original and the model after each step that changes it, of two or more.

    engines: of the original and of the result. last: after all steps. once: converts with the
    first steps, and compares. one_input: to time models on. Raises Cancelled, EngineKilled.
    """
    made = last.conversion
    places = [place for place, effect in enumerate(made.effects) if effect.applicable]
    if len(places) < 2:
        return ()
    try:
        feeds = one_input()
    except (Cancelled, EngineKilled):
        raise
    except InspectorError:  # the comparison said so
        return ()
    original = opening.open_model(made.original)
    size = conversions.model_bytes(made.original, original)
    timed = _timed(engines[0], made.original, made.custom_ops, feeds)
    results = [replace(timed, layers=len(original.layers), size_bytes=size)]
    for place in places:
        step = made.steps[place].text
        try:
            each = last if place == places[-1] else once(made.steps[: place + 1])
            results.append(_step_result(engines, step, each, feeds))
        except (Cancelled, EngineKilled):
            raise
        except InspectorError as error:
            problem = error.why or error.what
            results.append(StepResult(step, 0, 0, problem=problem))
    return tuple(results)


def compared_step(checked: CheckedConversion) -> ComparedStep:
    """Return a checked conversion with the error of the output that is worst."""
    worst = max(checked.compared, key=lambda each: badness(each.parity), default=None)
    if worst is None or worst.parity.difference is None:
        return ComparedStep(checked.conversion, None, None, 0)
    sqnr_db = worst.parity.difference.sqnr_db
    known = None if sqnr_db == inf else sqnr_db
    return ComparedStep(checked.conversion, known, worst.same_top, worst.inputs)


def _step_result(
    engines: tuple[Engine, Engine], step: str, after: ComparedStep, feeds: Feeds
) -> StepResult:
    made = after.conversion
    model = opening.open_model(made.path)
    size = sum((made.path.parent / name).stat().st_size for name in made.files)
    given = conversions.fitted_feeds(engines[0], made, feeds)[1]
    timed = _timed(engines[1], made.path, made.custom_ops, given)
    return replace(
        timed,
        step=step,
        layers=len(model.layers),
        size_bytes=size,
        sqnr_db=after.sqnr_db,
        same_top=after.same_top,
        inputs=after.inputs,
    )


def _timed(engine: Engine, path: Path, custom_ops: Sequence[str], feeds: Feeds) -> StepResult:
    """Return the time of some runs in a process of its own; the other fields are empty."""
    spec = RunSpec(
        custom_ops=tuple(custom_ops), runs=_TIMED_RUNS, seconds=_TIMED_SECONDS, profiled_runs=0,
        cast=True,
    )  # fmt: skip
    identity = measured_model(path, opening.open_model(path))
    result = StepResult("", 0, 0)
    try:
        report = engine.measure(path, identity, spec, feeds)
    except (Cancelled, EngineKilled):
        raise
    except InspectorError:
        return result
    latency = latency_of(report)
    if latency is None:
        return result
    runs = latency.all_predictions
    return replace(
        result,
        median_ns=runs.p50_ns,
        low_ns=runs.median_low_ns,
        high_ns=runs.median_high_ns,
        noisy=bool(doubts(report)),
    )


def badness(output: OutputParity) -> float:
    """Return a number that is larger for a larger difference."""
    difference = output.difference
    if difference is None:
        return inf if output.problem else -inf
    if difference.problem:
        return inf
    if difference.psnr_db is not None:
        return -difference.psnr_db
    return float(difference.unequal)
