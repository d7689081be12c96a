"""The usual preparations of a picture, to be tried side by side.

A wrong one gives a confident wrong answer, which only a look at several shows.
"""

from collections.abc import Sequence

from msgspec import Struct

from inspector.model.tensors.prediction import OutputValue
from inspector.preview.detectors import boxes, detectors
from inspector.preview.families.output_structure import UNKNOWN, ModelStructure
from inspector.preview.outputs import results
from inspector.preview.outputs.scene import name_of
from inspector.preview.preprocessing.recipe import ORDERS, PRESETS, ImagePreprocessing
from inspector.units import plural

# The more usual of each number of channels first.
_FIRST = (
    "ImageNet mean and std (PyTorch)", "RGB 0..1", "RGB -1..1 (MobileNet, Inception)",
    "BGR 0..255", "RGB 0..255", "Gray 0..1 (luma Y)", "Gray 0..255",
)  # fmt: skip


class TopResult(Struct, frozen=True):
    """The best result as text, and its probability 0..1; 0 if there is none. name: of the best
    class or the class of the surest box; empty for other results."""

    text: str
    share: float
    name: str = ""


def common_presets(guessed: ImagePreprocessing) -> tuple[tuple[str, ImagePreprocessing], ...]:
    """Return the guess, then the presets of as many channels that differ from it, with
    names."""
    ranked = sorted(
        (preset for preset in PRESETS if ORDERS[preset.order] == guessed.channels),
        key=lambda preset: _FIRST.index(preset.name) if preset.name in _FIRST else len(_FIRST),
    )
    others = [(preset.name, preset.applied(guessed)) for preset in ranked]
    return (("Suggested", guessed), *(o for o in others if o[1] != guessed))


def top_result(
    outputs: Sequence[OutputValue],
    labels: Sequence[str],
    width: int,
    height: int,
    structure: ModelStructure = UNKNOWN,
) -> TopResult:
    """Return the highest class, or the surest box; the range of the first output where
    neither."""
    for family, candidates in detectors.fitting(outputs, width, height, structure)[:1]:
        chosen = boxes.select_boxes(candidates, family.score, family.overlap)
        best = chosen[0] if chosen else None
        if best is None:
            return TopResult("no boxes", 0.0)
        name = name_of(best.kind, labels or candidates.names)
        return TopResult(f"{plural(len(chosen), 'box')}, best: {name}", best.score, name)
    for output in outputs:
        if not results.is_classes(output, labels, structure):
            continue
        rows = results.classes(output, labels, 1, structure=structure)
        if rows and rows[0].top:
            top = rows[0].top[0]
            name = top.label or f"class {top.index}"
            return TopResult(name, top.probability, top.label or str(top.index))
    statistics = outputs[0].statistics() if outputs else None
    if statistics is None:
        return TopResult("no result", 0.0)
    ends = (f"{end:.4g}" for end in (statistics.minimum, statistics.maximum))
    return TopResult(" to ".join(dict.fromkeys(ends)), 0.0)
