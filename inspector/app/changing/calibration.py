"""Inputs of a conversion, and the ranges of values that they give, for steps that calibrate."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from inspector.app.subjects import Ran, Subject
from inspector.backends.array_files import Feed
from inspector.conversion.action import (
    AVERAGE,
    ENTROPY,
    HIGHEST,
    HISTOGRAM,
    LOWEST,
    PEAKS,
    Converted,
)
from inspector.engine.client.engine import Engine
from inspector.errors import BadInput, Cancelled, EngineFailed, InspectorError, UnreadableFile
from inspector.formats import opening
from inspector.model.tensors.prediction import Prediction
from inspector.preview.inputs import feeds as feeding
from inspector.report.run_spec import RunSpec
from inspector.statistics.value_ranges import Histogram
from inspector.units import clip, plural

Feeds = Mapping[str, Feed]
Array = NDArray[Any]
Share = Callable[[str, float], None]
Ranges = dict[str, tuple[float, float]]
MOST_CALIBRATION = 500  # inputs; ranges hardly change beyond
RANDOM_INPUTS = 8  # made-up ones; more do not make them more typical
_MOST_NAMED = 3  # inputs of which a note gives the reason


class NamedInput(Struct, frozen=True):
    """Values for all inputs of a model, with the name that messages use, such as of a file.

    load: reads them, each time anew, since many images do not fit into memory; raises BadInput,
    UnreadableFile.
    """

    name: str
    load: Callable[[], Feeds]


class UnusableInputs(dict[str, str]):
    """Inputs that could not be used, by name, with the reason."""

    def note(self, count: int, what: str) -> str:
        """Return how many of `count` inputs were left out, and why; "" for none.

        what: kind of inputs, such as "calibration input".
        """
        if not self:
            return ""
        reasons = [f"{clip(name, 60)}: {clip(why, 160)}" for name, why in self.items()]
        more = len(reasons) - _MOST_NAMED
        shown = "; ".join(reasons[:_MOST_NAMED]) + (f"; and {more} more" if more > 0 else "")
        return f"{len(self)} of {plural(count, what)} could not be used: {shown}"

    def expect_some(self, count: int, what: str, did_not: str) -> None:
        """Raise BadInput if none of `count` inputs is left. did_not: what did not happen."""
        if count and len(self) >= count:
            hint = "Check the inputs with: inspector predict MODEL --input FILE"
            raise BadInput(did_not, self.note(count, what), hint)


def named(inputs: Iterable[NamedInput | Feeds]) -> tuple[NamedInput, ...]:
    """Return inputs with names; those that have none are numbered."""
    return tuple(
        each
        if isinstance(each, NamedInput)
        else NamedInput(f"input {number}", partial(_same, each))
        for number, each in enumerate(inputs, 1)
    )


def _same(feeds: Feeds) -> Feeds:
    return feeds


def usual_values(engine: Engine, subject: Subject) -> Ran[Prediction]:
    """Return usual values of inputs, with sizes of axes with which a model runs.

    Raises InspectorError: it runs with none.
    """
    return subject.run(
        lambda filled: engine.predict(subject.path, subject.spec, feeding.feeds_by_name(filled))
    )


def random_inputs(
    engine: Engine, model: Path, dimensions: Mapping[str, int], custom_ops: Sequence[str] = ()
) -> tuple[NamedInput, ...]:
    """Return made-up inputs: random floating-point values, with sizes at which the model runs.

    dimensions: sizes of dynamic axes by name. Raises InspectorError: no size works.
    """
    spec = RunSpec(custom_ops=tuple(custom_ops))
    subject = Subject(model, opening.open_model(model), spec, dimensions=dimensions)
    ran = usual_values(engine, subject)
    # Those whose usual value is random: not states, masks or tokens.
    floats = [each.name for each in ran.filled if each.value.startswith("random")]
    return tuple(
        NamedInput(
            f"random input {seed}",
            ran.subject.with_given(dict.fromkeys(floats, f"random:{seed}")).feeds,
        )
        for seed in range(1, RANDOM_INPUTS + 1)
    )


def measured_ranges(
    engine: Engine,
    observed: Path,
    converted: Converted,
    inputs: Sequence[NamedInput],
    share: Share = lambda _, __: None,
    peaks: dict[str, Array] | None = None,
    custom_ops: Sequence[str] = (),
    original: Path | None = None,
    unusable: UnusableInputs | None = None,
) -> Ranges:
    """Return the range of each observed tensor over all inputs.

    It goes from the lowest to the highest value, or leaves out some, as `Converted.method`
    says; a tensor without a histogram has all values in its range. Tensors that never had a
    finite value are left out. observed: the model with outputs that report ranges. peaks:
    receives the largest magnitude of each channel, where a tensor has it. custom_ops:
    libraries. original: the model that was given, to tell whose fault a failure is. unusable:
    receives inputs that failed. Raises BadInput: all of them.
    """
    spec = RunSpec(optimization="basic", custom_ops=tuple(custom_ops))
    lowest: dict[str, list[float]] = {}
    highest: dict[str, list[float]] = {}
    histograms: dict[str, Histogram] = {}

    def add(feeds: Feeds) -> None:
        prediction = engine.predict(observed, spec, feeds)
        values = {output.name: output.array for output in prediction.outputs}
        for name in converted.observe:
            channels = values.get(name + PEAKS)
            if peaks is not None and channels is not None:
                finite = np.where(np.isfinite(channels), channels, 0)
                peaks[name] = np.maximum(peaks.get(name, finite), finite)
            low, high = values.get(name + LOWEST), values.get(name + HIGHEST)
            if low is None or high is None or not low.size:
                continue
            least, most = float(low.ravel()[0]), float(high.ravel()[0])
            if np.isfinite(least) and np.isfinite(most):
                lowest.setdefault(name, []).append(least)
                highest.setdefault(name, []).append(most)
                counts = values.get(name + HISTOGRAM)
                if counts is not None:
                    histograms.setdefault(name, Histogram()).add(least, most, counts)

    def blame(feeds: Feeds, failure: EngineFailed) -> str:
        if original is None:
            return failure.why or failure.what
        try:
            engine.predict(original, spec, feeds)
        except EngineFailed as error:
            return error.why or error.what
        return f"ranges could not be measured on it: {failure.why or failure.what}"

    _each(inputs, add, blame, share, {} if unusable is None else unusable)
    if converted.method == AVERAGE:
        return {
            name: (float(np.mean(low)), float(np.mean(highest[name])))
            for name, low in lowest.items()
        }
    ranges = {name: (min(low), max(highest[name])) for name, low in lowest.items()}
    for name, histogram in histograms.items():
        entropy = converted.method == ENTROPY
        ranges[name] = (
            histogram.entropy_range()
            if entropy
            else histogram.percentile_range(converted.percentile)
        )
    return ranges


def stepped_ranges(
    engine: Engine,
    model: Path,
    names: Sequence[str],
    inputs: Sequence[NamedInput],
    share: Share = lambda _, __: None,
    unusable: UnusableInputs | None = None,
) -> Ranges:
    """Return the lowest and highest value of tensors over all inputs, from the model itself.

    unusable: as in `measured_ranges`. Raises BadInput: no input ran.
    """
    ranges: Ranges = {}
    wanted = frozenset(names)

    def widen(name: str, low: float | None, high: float | None) -> None:
        if name in wanted and low is not None and high is not None:
            least, most = ranges.get(name, (low, high))
            ranges[name] = min(least, low), max(most, high)

    def add(feeds: Feeds) -> None:
        stepping = engine.steps(model, RunSpec(), feeds)
        for name, feed in feeds.items():
            if isinstance(feed, np.ndarray) and feed.size and feed.dtype.kind == "f":
                widen(name, float(np.nanmin(feed)), float(np.nanmax(feed)))
        for step in stepping.steps:
            for output in step.outputs:
                if (known := output.statistics) is not None:
                    widen(output.name, known.minimum, known.maximum)

    def blame(_: Feeds, failure: EngineFailed) -> str:
        return failure.why or failure.what

    _each(inputs, add, blame, share, {} if unusable is None else unusable)
    return ranges


def _each(
    inputs: Sequence[NamedInput],
    use: Callable[[Feeds], None],
    blame: Callable[[Feeds, EngineFailed], str],
    share: Share,
    unusable: dict[str, str],
) -> None:
    """Use each input; one that fails does not end the others. Raises InspectorError: all did.

    blame: returns the reason of a failure.
    """
    used = 0
    first: InspectorError | None = None
    for number, given in enumerate(inputs):
        share("calibrate", number / len(inputs))
        try:
            feeds = loaded(given)
            use(feeds)
        except Cancelled:
            raise
        except (BadInput, UnreadableFile) as error:  # such as another shape
            first = first or error
            unusable[given.name] = error.why or error.what
            continue
        except EngineFailed as error:
            first = first or error
            unusable[given.name] = blame(feeds, error)
            continue
        used += 1
    if not used and first is not None:
        raise _all_failed(first, inputs, unusable)


def _all_failed(
    first: InspectorError, inputs: Sequence[NamedInput], unusable: Mapping[str, str]
) -> InspectorError:
    if isinstance(first, EngineFailed) and first.phase == "load":
        return first  # of the model, whatever the input
    why = UnusableInputs(unusable).note(len(inputs), "calibration input")
    return BadInput("Could not calibrate", why, first.hint)


def loaded(given: NamedInput) -> Feeds:
    """Return the values of an input. Raises BadInput: it has NaN; or as its `load`."""
    feeds = given.load()
    for name, feed in feeds.items():
        if isinstance(feed, np.ndarray) and feed.dtype.kind == "f" and np.isnan(feed).any():
            number = plural(int(np.isnan(feed).sum()), "value")
            raise BadInput(
                f"Could not use {given.name}", f"{number} of input '{clip(name, 60)}' are NaN"
            )
    return feeds
