"""Warnings about layers that give other outputs in each run, or that are still in training."""

from collections.abc import Callable, Iterable, Iterator

from inspector.model.model import Finding, Layer
from inspector.model.operator_traits import RANDOM

_RANDOM = "makes random numbers, so that two runs on one input differ"
_SEEDED = f"{_RANDOM}; its seed only makes each new session start with the same numbers"
_TRAINING = "exported in training mode: call model.eval() before exporting"
_MODE_INPUT = 12  # opset from which Dropout has its mode as an input
_MODE_ATTRIBUTE = 14  # opset from which BatchNormalization has its mode as an attribute
_MOST_NAMES = 3
IsTrue = Callable[[str], bool]


def repeat_findings(layers: Iterable[Layer], opset: int, is_true: IsTrue) -> Iterator[Finding]:
    """Yield one warning for each kind. opset: of the standard operators. is_true: whether a
    value is a constant of the file that is true."""
    names: dict[str, list[str]] = {}
    for layer in layers:
        if layer.domain not in ("", "ai.onnx"):
            continue
        if layer.operator in RANDOM:
            seeded = any(attribute.name == "seed" for attribute in layer.attributes)
            names.setdefault(_SEEDED if seeded else _RANDOM, []).append(layer.label)
        elif _trains(layer, opset, is_true):
            names.setdefault(_TRAINING, []).append(layer.label)
    for text, labels in names.items():
        more = len(labels) - _MOST_NAMES
        rest = f" and {more:,} more" if more > 0 else ""
        yield Finding(", ".join(labels[:_MOST_NAMES]) + rest, text)


def _trains(layer: Layer, opset: int, is_true: IsTrue) -> bool:
    if layer.operator == "Dropout":
        return opset >= _MODE_INPUT and len(layer.inputs) > 2 and is_true(layer.inputs[2])
    if layer.operator != "BatchNormalization":
        return False
    if opset >= _MODE_ATTRIBUTE:
        modes = (a.text for a in layer.attributes if a.name == "training_mode")
        return any(mode not in ("", "0") for mode in modes)
    return sum(bool(name) for name in layer.outputs) > 1  # running statistics
