"""Known damage to models of `judged_families`: nodes between an output and what made it."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import helper, numpy_helper


class Patch:
    """Nodes that are put before one output of a model."""

    def __init__(self, model: onnx.ModelProto, output: str) -> None:
        self.model = model
        (self._last,) = (n for n in model.graph.node if list(n.output) == [output])
        self._value = self._last.input[0]
        info = next(o for o in model.graph.output if o.name == output)
        self.shape = [axis.dim_value for axis in info.type.tensor_type.shape.dim]

    def node(self, operator: str, *values: Any, **attributes: Any) -> None:
        """Apply an operator; values: its further inputs."""
        graph = self.model.graph
        names = []
        for value in values:
            names.append(f"damage{len(graph.initializer)}")
            graph.initializer.append(numpy_helper.from_array(np.asarray(value), names[-1]))
        result = f"damaged{len(graph.node)}"
        node = helper.make_node(operator, [self._value, *names], [result], result, **attributes)
        place = [*graph.node].index(self._last)
        graph.node.insert(place, node)
        self._value = self._last.input[0] = result

    def full(self, fill: float, index: Any, value: float) -> Any:
        """Return an array of the output's shape with other values at an index."""
        array = np.full([n or 1 for n in self.shape], fill, np.float32)
        array[index] = value
        return array


Damage = Callable[[Patch], None]


def damaged(source: Path, target: Path, output: str, damage: Damage) -> Path:
    """Write a model with damage before one of its outputs."""
    model = onnx.load(source)
    damage(Patch(model, output))
    onnx.checker.check_model(model)
    onnx.save(model, target)
    return target


def times(index: Any, factor: float) -> Damage:
    """Scale a part; 0 for a dead one."""
    return lambda patch: patch.node("Mul", patch.full(1, index, factor))


def plus(index: Any, offset: float) -> Damage:
    """Shift a part; NaN for one that is none."""
    return lambda patch: patch.node("Add", patch.full(0, index, offset))


def fixed(index: Any, value: float) -> Damage:
    """Set a part to one value."""

    def damage(patch: Patch) -> None:
        times(index, 0)(patch)
        plus(index, value)(patch)

    return damage


def cut(low: float, high: float) -> Damage:
    """Cut off all values."""
    return lambda patch: patch.node("Clip", np.float32(low), np.float32(high))


def order(axis: int, places: Sequence[int]) -> Damage:
    """Take parts along an axis in another order."""
    return lambda patch: patch.node("Gather", np.array(places, np.int64), axis=axis)


def shifted_labels(patch: Patch) -> None:
    """Add 1 to whole numbers."""
    patch.node("Add", np.int64(1))


def swapped(count: int, one: int, two: int) -> list[int]:
    """Return an order in which two of `count` places are swapped."""
    places = [*range(count)]
    places[one], places[two] = two, one
    return places


def copied(count: int, source: int, target: int) -> list[int]:
    """Return an order in which one place has the values of another."""
    places = [*range(count)]
    places[target] = source
    return places


def late(count: int) -> list[int]:
    """Return an order that comes one step late."""
    return [0, *range(count - 1)]


def rounded(patch: Patch) -> None:
    """Round to float16 and back."""
    patch.node("Cast", to=onnx.TensorProto.FLOAT16)
    patch.node("Cast", to=onnx.TensorProto.FLOAT)


_S = np.s_
# (family, what, output, damage); None: an edit that changes nothing that matters.
PLANTED: tuple[tuple[str, str, str, Damage], ...] = (
    ("detector", "all scores are 0", "output0", times(_S[:, 4:], 0)),
    ("detector", "one class is never found", "output0", times(_S[:, 6], 0)),
    ("detector", "boxes are shifted", "output0", plus(_S[:, 0], 45)),
    ("detector", "scores of the last cells are 0", "output0", times(_S[:, 4:, 96:], 0)),
    ("detector, rows last", "classes in another order", "output0",
     order(2, [0, 1, 2, 3, 5, 6, 7, 8, 4])),
    ("detector, rows last", "boxes twice as large", "output0", times(_S[..., 2:4], 2)),
    ("detector, flat", "all scores are 0", "output0", times(_S[:, 576:], 0)),
    ("detector, flat", "scores are halved", "output0", times(_S[:, 576:], 0.5)),
    ("detector, two outputs", "one class is never found", "s", times(_S[..., 2], 0)),
    ("detector, two outputs", "boxes are shifted", "b", plus(_S[..., 1], 45)),
    ("detector, two outputs", "scores saturate", "s", cut(0, 0.2)),
    ("pose", "one landmark does not move", "joints", fixed(_S[:, 5, :2], 100)),
    ("pose", "one score is constant", "joints", fixed(_S[:, 7, 2], 0.7)),
    ("pose", "one landmark is elsewhere", "joints", plus(_S[:, 3, 0], 25)),
    ("heat maps", "two maps are swapped", "heat", order(1, swapped(8, 2, 5))),
    ("heat maps", "one map is 0", "heat", times(_S[:, 3], 0)),
    ("heat maps", "a map is one row late", "heat", order(2, late(12))),
    ("regression", "a column is constant", "y", fixed(_S[:, 2], 0.3)),
    ("regression", "a column is shifted", "y", plus(_S[:, 3], 0.06)),
    ("regression", "a column has another scale", "y", times(_S[:, 1], 1.3)),
    ("regression", "columns are swapped", "y", order(1, [0, 1, 3, 2])),
    ("three heads", "one head has another scale", "shares", times(_S[:], 1.4)),
    ("three heads", "a sign is lost", "angles", times(_S[:, 1], -1)),
    ("segmentation", "one class wins more often", "y", plus(_S[:, 1], 2.5)),
    ("segmentation", "maps are mirrored", "y", order(3, [*range(35, -1, -1)])),
    ("segmentation", "one value is NaN", "y", plus(_S[:, 2, 7, 7], float("nan"))),
    ("segmentation, shares", "classes in another order", "y", order(3, [1, 2, 3, 4, 0])),
    ("segmentation, shares", "one class is never found", "y", times(_S[..., 0], 0)),
    ("segmentation, labels", "labels are off by one", "ids", shifted_labels),
    ("segmentation, labels", "labels are mirrored", "ids", order(2, [*range(35, -1, -1)])),
    ("depth", "far away is cut off", "depth", cut(0, 12)),
    ("depth", "a half is flat", "depth", fixed(_S[..., 6:], 9)),
    ("sound", "loud sound is cut off", "wave", cut(-0.2, 0.2)),
    ("sound", "the end is silent", "wave", times(_S[:, 1500:], 0)),
    ("bands of a spectrum", "one band is 0", "bands", times(_S[..., 30], 0)),
    ("bands of a spectrum", "one time step is 0", "bands", times(_S[:, 20], 0)),
    ("sound events", "one event is never found", "events", times(_S[:, 0], 0)),
    ("sound events", "events are swapped", "events", order(1, swapped(30, 0, 4))),
    ("tags of a sequence", "tags are swapped", "tags", order(2, swapped(9, 2, 3))),
    ("embedding", "a sign is lost", "vector", times(_S[:, 11], -1)),
    ("a batch of 4", "one row is another's", "y", order(0, copied(4, 1, 2))),
    ("a batch of 4", "one column is 0", "y", times(_S[:, 2], 0)),
    ("chosen indices", "indices are off by one", "ids", shifted_labels),
)  # fmt: skip
HARMLESS: tuple[tuple[str, str, str, Damage], ...] = (
    ("detector, flat", "rounded to float16", "output0", rounded),
    ("detector, two outputs", "boxes move by a pixel", "b", plus(_S[..., 0], 0.4)),
    ("pose", "rounded to float16", "joints", rounded),
    ("heat maps", "rounded to float16", "heat", rounded),
    ("regression", "0.2% larger", "y", times(_S[:, 2:], 1.002)),
    ("three heads", "rounded to float16", "angles", rounded),
    ("depth", "rounded to float16", "depth", rounded),
    ("sound", "rounded to float16", "wave", rounded),
    ("sound events", "rounded to float16", "events", rounded),
    ("tags of a sequence", "rounded to float16", "tags", rounded),
    ("segmentation, shares", "rounded to float16", "y", rounded),
    ("a batch of 4", "rounded to float16", "y", rounded),
)
QUANTIZED: tuple[tuple[str, str], ...] = (
    ("detector", "int8"),
    ("detector", "int8-qoperator"),
    ("detector", "int8-dynamic"),
    ("detector, flat", "int8-qoperator"),
    ("detector, two outputs", "int8"),
    ("pose", "int8"),
    ("pose", "sparse"),
    ("heat maps", "int8"),
    ("heat maps", "sparse"),
    ("regression", "int8"),
    ("regression", "weights-4bit"),
    ("regression", "sparse"),
    ("three heads", "int8"),
    ("three heads", "weights-8bit"),
    ("segmentation", "int8"),
    ("segmentation, shares", "palettize"),
    ("segmentation, labels", "int8"),
    ("depth", "int8"),
    ("sound", "int8"),
    ("bands of a spectrum", "int8"),
    ("bands of a spectrum", "weights-4bit"),
    ("sound events", "int8"),
    ("tags of a sequence", "int8-dynamic"),
    ("tags of a sequence", "sparse"),
    ("embedding", "int8"),
    ("a batch of 4", "int8"),
)
