"""Predictions beside the answer: other preparations, and expected outputs. Knows no widget."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from inspector.errors import Cancelled, InspectorError
from inspector.model import Model
from inspector.prediction import Prediction
from inspector.preview import expected, feeds, image, tries
from inspector.preview.expected import Value
from inspector.preview.image import ImagePreparation
from inspector.preview.tries import Verdict
from inspector.ui.preview.filling import Filling

Once = Callable[[Mapping[str, Value]], Prediction]


@dataclass(frozen=True, slots=True)
class Tried:
    """A preparation and what the model says to it."""

    name: str
    preparation: ImagePreparation
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Checked:
    """One data set: whether all outputs are as expected, and one sentence for each."""

    name: str
    passed: bool
    lines: tuple[str, ...]


def try_usual(
    once: Once, model: Model, filling: Filling, name: str, labels: Sequence[str]
) -> tuple[Tried, ...]:
    """Predict with each usual preparation of the picture of one input."""
    info = next(info for info in model.inputs if info.name == name)
    seen = filling.seen[name]
    arrays = feeds.fed(filling.filled)
    own = next(each.array for each in filling.filled if each.name == name)
    sized = replace(info, shape=own.shape)
    height, width = seen.last.picture.shape[:2]
    found = []
    for words, preparation in tries.usual(seen.preparation):
        try:
            arrays[name] = image.prepare(seen.picture, preparation, sized)
            verdict = tries.verdict(once(arrays).outputs, labels, width, height)
        except Cancelled:
            raise
        except InspectorError as error:
            verdict = Verdict(error.why or error.what, 0.0)
        found.append(Tried(words, preparation, verdict))
    return tuple(found)


def check(once: Once, model: Model, paths: Sequence[Path]) -> tuple[Checked, ...]:
    """Hold the model's answers against data sets; what fails is told in the place of both."""
    return tuple(_checked(once, model, path) for path in paths)


def _checked(once: Once, model: Model, path: Path) -> Checked:
    try:
        data = expected.read(path, model.inputs, model.outputs)
        differences = expected.compare(data, once(data.feeds).outputs)
    except Cancelled:
        raise
    except InspectorError as error:
        return Checked(path.name, False, (str(error),))
    lines = tuple(f"{found.output}: {found.words()}" for found in differences)
    return Checked(path.name, all(found.passed for found in differences), lines)
