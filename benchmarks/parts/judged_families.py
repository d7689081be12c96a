"""Models with outputs of many kinds, and how good a changed one is, by numpy alone.

A family builds its model by code, makes its inputs, and scores a changed model's outputs from
0 to 1 by what the model is for: boxes that are found again, key points that stay, columns that
are explained. Nothing of Inspector is used here.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

Array = NDArray[Any]
Outputs = Sequence[Array]  # of one input
_FEWEST_BOXES = 20  # of a class, in all inputs together
_NEAR = 0.9  # of a score, from which its partner counts: scores near the limit come and go
Score = Callable[[Sequence[Outputs], Sequence[Outputs]], float]


class Net:
    """Builds a model node by node; values are named by what makes them."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []

    def constant(self, values: Any) -> str:
        """Return the name of a new weight."""
        name = f"c{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.asarray(values), name))
        return name

    def add(self, operator: str, *inputs: str, outputs: int = 1, **attributes: Any) -> Any:
        """Add a node, and return the names of its outputs, or the only one."""
        names = [f"{operator.lower()}{len(self.nodes)}_{n}" for n in range(outputs)]
        name = f"{operator.lower()}{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, names, name, **attributes))
        return names[0] if outputs == 1 else names

    def matrix(self, *shape: int, gain: float = 1.0) -> str:
        """Return a random weight that keeps the size of values, times a gain."""
        fan = np.prod(shape[1:]) if len(shape) > 2 else shape[0]
        values = gain * self.random.normal(size=shape) / np.sqrt(fan)
        return self.constant(values.astype(np.float32))

    def dense(
        self, x: str, fan: int, units: int, active: bool = True, gain: float = 1.4
    ) -> str:
        """Add a matrix product with bias."""
        bias = self.constant((0.2 * self.random.normal(size=units)).astype(np.float32))
        y = self.add("Add", self.add("MatMul", x, self.matrix(fan, units, gain=gain)), bias)
        return str(self.add("Relu", y) if active else y)

    def conv(
        self, x: str, fan: int, maps: int, side: int = 3, stride: int = 1, active: bool = True
    ) -> str:
        """Add a convolution of pictures."""
        kernel = self.matrix(maps, fan, side, side, gain=1.4)
        bias = self.constant((0.2 * self.random.normal(size=maps)).astype(np.float32))
        pads, strides = [side // 2] * 4, [stride] * 2
        y = self.add("Conv", x, kernel, bias, pads=pads, strides=strides)
        return str(self.add("Relu", y) if active else y)

    def scaled(self, x: str, scale: Any, offset: Any) -> str:
        """Return x * scale + offset."""
        y = self.add("Mul", x, self.constant(np.asarray(scale, np.float32)))
        return str(self.add("Add", y, self.constant(np.asarray(offset, np.float32))))

    def reshape(self, x: str, *shape: int) -> str:
        """Return x in another shape."""
        return str(self.add("Reshape", x, self.constant(np.array(shape, np.int64))))

    def save(self, path: Path, shape: Sequence[int | str], outputs: dict[str, Any]) -> None:
        """Write the model. shape: of its input x. outputs: values by their new names."""
        for name, value in outputs.items():
            self.nodes.append(helper.make_node("Identity", [value], [name], f"give_{name}"))
        infos = [
            helper.make_tensor_value_info(
                name, TensorProto.INT64 if name == "ids" else TensorProto.FLOAT, None
            )
            for name in outputs
        ]
        graph = helper.make_graph(
            self.nodes,
            path.stem,
            [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
            infos,
            self.weights,
        )
        opset = helper.make_opsetid("", 17)
        model = helper.make_model(graph, opset_imports=[opset], ir_version=8)
        model = onnx.shape_inference.infer_shapes(model)
        onnx.checker.check_model(model, full_check=True)
        onnx.save(model, path)


@dataclass(frozen=True)
class Family:
    """One kind of model. recognized: Inspector reads its outputs as answers."""

    name: str
    build: Callable[[Path, int], None]
    shape: tuple[int, ...]
    score: Score
    recognized: bool = False


# Inputs: smooth pictures and sounds, rather than noise.


def inputs(family: Family, count: int, seed: int) -> list[Array]:
    """Make inputs: smooth random fields with another brightness and contrast each."""
    random = np.random.default_rng(seed)
    made = []
    for _ in range(count):
        x = random.normal(size=family.shape)
        for axis in range(2, x.ndim):
            for _ in range(2):
                x = (x + np.roll(x, 1, axis) + np.roll(x, -1, axis)) / 3
        x = x / x.std() * random.uniform(0.6, 1.4) + random.uniform(-0.4, 0.4)
        made.append(x.astype(np.float32))
    return made


# Scores.


def explained(axis: int | None, output: int = 0) -> Score:
    """Return the least share of a channel's variance that is explained."""

    def score(before: Sequence[Outputs], after: Sequence[Outputs]) -> float:
        pairs = [(one[output], two[output]) for one, two in zip(before, after, strict=True)]
        if any(one.shape != two.shape for one, two in pairs):
            return 0.0
        if axis is None:
            sides = [np.concatenate([pair[side].ravel() for pair in pairs]) for side in (0, 1)]
            sides = [each[None] for each in sides]
        else:
            sides = [
                np.concatenate(
                    [
                        np.moveaxis(p[side], axis, 0).reshape(p[side].shape[axis], -1)
                        for p in pairs
                    ],
                    axis=1,
                )
                for side in (0, 1)
            ]
        one, two = (each.astype(np.float64) for each in sides)
        if not np.isfinite(two).all():
            return 0.0
        spread = ((one - one.mean(1, keepdims=True)) ** 2).sum(1)
        rest = ((two - one) ** 2).sum(1)
        return float(max(0.0, (1 - rest / np.maximum(spread, 1e-12)).min()))

    return score


def every(*scores: Score) -> Score:
    """Return the worst of several scores."""
    return lambda before, after: min(score(before, after) for score in scores)


def moving(axes: tuple[int, ...]) -> Score:
    """Return the least share of the variance over inputs, of each part along axes."""

    def score(before: Sequence[Outputs], after: Sequence[Outputs]) -> float:
        one = np.stack([each[0] for each in before]).astype(np.float64)
        two = np.stack([each[0] for each in after]).astype(np.float64)
        if one.shape != two.shape or not np.isfinite(two).all():
            return 0.0
        others = tuple(a for a in range(one.ndim) if a - 1 not in axes)
        spread = ((one - one.mean(0)) ** 2).sum(others)
        rest = ((two - one) ** 2).sum(others)
        return float(max(0.0, (1 - rest / np.maximum(spread, 1e-12)).min()))

    return score


def same_boxes(rows_last: bool = False, flat: int = 0, split: bool = False) -> Score:
    """Return the F1 of boxes above a score that overlap by half, of the worst class."""

    def boxes(outputs: Outputs) -> tuple[Array, Array]:
        if split:
            box, scores = outputs[0][0], outputs[1][0]
            return box.T, scores.T
        table = outputs[0].reshape(1, flat, -1)[0] if flat else outputs[0][0]
        table = table.T if rows_last else table
        return table[:4], table[4:]

    def score(before: Sequence[Outputs], after: Sequence[Outputs]) -> float:
        sure = np.quantile(np.concatenate([boxes(o)[1].ravel() for o in before]), 0.9)
        same, total, fired = 0, 0, 0
        for one, two in zip(before, after, strict=True):
            if any(not np.isfinite(each).all() for each in two):
                return 0.0
            (box, scores), (other, others) = boxes(one), boxes(two)
            chosen, theirs = scores > sure, others > sure
            near = (chosen & (others > _NEAR * sure)) | (theirs & (scores > _NEAR * sure))
            fired = fired + chosen.sum(1)
            total = total + chosen.sum(1) + theirs.sum(1)
            hit = near & (_overlap(box, other) > 0.5)[None]
            same = same + (hit & chosen).sum(1) + (hit & theirs).sum(1)
        known = np.asarray(fired) >= _FEWEST_BOXES  # of a class
        return float((np.asarray(same) / np.maximum(total, 1))[known].min())

    return score


def _overlap(one: Array, two: Array) -> Array:
    low = np.maximum(one[:2] - one[2:] / 2, two[:2] - two[2:] / 2)
    high = np.minimum(one[:2] + one[2:] / 2, two[:2] + two[2:] / 2)
    shared = np.prod(np.maximum(high - low, 0), axis=0)
    areas = np.abs(one[2] * one[3]) + np.abs(two[2] * two[3])
    return np.asarray(shared / np.maximum(areas - shared, 1e-9))


def same_labels(axis: int = -1) -> Score:
    """Return the share of equal labels, beyond chance; the least of any label that occurs."""

    def score(before: Sequence[Outputs], after: Sequence[Outputs]) -> float:
        one = np.concatenate([_labels(each[0], axis) for each in before])
        two = np.concatenate([_labels(each[0], axis) for each in after])
        finite = all(np.isfinite(array).all() for each in after for array in each)
        if one.shape != two.shape or not finite:
            return 0.0
        kinds = [kind for kind in np.unique(one) if (one == kind).mean() > 0.02]
        shares = []
        for kind in kinds:
            a, b = one == kind, two == kind
            shares.append(2 * (a & b).sum() / max(a.sum() + b.sum(), 1))
        return float(min(shares))

    return score


def _labels(output: Array, axis: int) -> Array:
    if output.dtype.kind == "i":
        return output.ravel()
    return np.asarray(np.nan_to_num(output, nan=-np.inf).argmax(axis)).ravel()


def same_rows(before: Sequence[Outputs], after: Sequence[Outputs]) -> float:
    """Return the F1 of rows that are in both lists of indices."""
    same = total = 0
    for one, two in zip(before, after, strict=True):
        a, b = ({tuple(row) for row in each[0].tolist()} for each in (one, two))
        same += 2 * len(a & b)
        total += len(a) + len(b)
    return same / total if total else 1.0


# Families.


def _trunk(net: Net, maps: int = 24) -> str:
    x = net.conv("x", 3, maps, 3, 2)
    return net.conv(x, maps, 2 * maps, 3, 2)


def _detector(path: Path, seed: int, layout: str = "rows") -> None:
    net, classes = Net(seed), 5
    x = _trunk(net)
    box = net.reshape(net.conv(x, 48, 4, 1, 1, active=False), 1, 4, -1)
    box = net.scaled(net.add("Tanh", box), [[[18.0], [18.0], [20.0], [20.0]]], 0.0)
    axes = np.meshgrid(np.arange(12) * 53 + 26, np.arange(12) * 53 + 26)
    grid = np.stack([*(a.ravel() for a in axes), *[np.full(144, 70)] * 2])[None]
    box = net.add("Add", box, net.constant(grid.astype(np.float32)))
    raw = net.reshape(net.conv(x, 48, classes, 1, 1, active=False), 1, classes, -1)
    scores = net.add("Sigmoid", net.scaled(raw, 2.5, -3.0))
    if layout == "split":
        outputs = {
            "b": net.add("Transpose", box, perm=[0, 2, 1]),
            "s": net.add("Transpose", scores, perm=[0, 2, 1]),
        }
    else:
        y = net.add("Concat", box, scores, axis=1)
        if layout == "last":
            y = net.add("Transpose", y, perm=[0, 2, 1])
        elif layout == "flat":
            y = net.reshape(y, 1, -1)
        outputs = {"output0": y}
    net.save(path, [1, 3, 48, 48], outputs)


def _pose(path: Path, seed: int) -> None:
    net = Net(seed)
    x = net.reshape(net.conv(_trunk(net), 48, 12, 3, 2), 1, -1)
    x = net.dense(x, 432, 64)
    points = net.scaled(
        net.dense(x, 64, 34, active=False), 9.0, net.random.uniform(40, 200, (1, 34))
    )
    sure = net.add("Sigmoid", net.scaled(net.dense(x, 64, 17, active=False), 1.0, 1.0))
    y = net.add("Concat", net.reshape(points, 1, 17, 2), net.reshape(sure, 1, 17, 1), axis=2)
    net.save(path, [1, 3, 48, 48], {"joints": y})


def _heat(path: Path, seed: int) -> None:
    net = Net(seed)
    x = net.conv(_trunk(net), 48, 8, 3, 1, active=False)
    net.save(path, [1, 3, 48, 48], {"heat": net.scaled(x, 0.1, 0.05)})


def _columns(path: Path, seed: int, heads: bool = False) -> None:
    net = Net(seed)
    x = net.dense(net.dense("x", 16, 48), 48, 48)
    scales = [8000.0, 300.0, 0.05, 0.05], [50_000.0, 2_000.0, 0.3, 0.3]
    if heads:
        outputs = {
            name: net.scaled(net.dense(x, 48, units, active=False), scale, offset)
            for name, units, scale, offset in (
                ("price", 1, 300.0, 900.0), ("angles", 3, 0.4, 0.0), ("shares", 2, 0.05, 0.4),
            )
        }  # fmt: skip
    else:
        outputs = {"y": net.scaled(net.dense(x, 48, 4, active=False), *scales)}
    net.save(path, [1, 16], outputs)


def _segmentation(path: Path, seed: int, softmax: bool = False, ids: bool = False) -> None:
    net = Net(seed)
    x = net.conv(_trunk(net), 48, 5, 3, 1, active=False)
    sizes = net.constant(np.array([1, 1, 3, 3], np.float32))
    x = net.add("Resize", x, "", sizes, mode="linear")
    if ids:
        net.save(path, [1, 3, 48, 48], {"ids": net.add("ArgMax", x, axis=1, keepdims=0)})
        return
    if softmax:
        x = net.add(
            "Softmax", net.add("Transpose", net.scaled(x, 3, 0), perm=[0, 2, 3, 1]), axis=3
        )
    net.save(path, [1, 3, 48, 48], {"y": x})


def _depth(path: Path, seed: int) -> None:
    net = Net(seed)
    x = net.conv(_trunk(net), 48, 1, 3, 1, active=False)
    net.save(path, [1, 3, 48, 48], {"depth": net.scaled(net.add("Softplus", x), 12, 1)})


def _sound(path: Path, seed: int) -> None:
    net = Net(seed)
    x = net.reshape("x", 1, 1, 1, 2000)
    x = net.add("Conv", x, net.matrix(16, 1, 1, 9, gain=1.4), pads=[0, 4, 0, 4])
    x = net.add("Tanh", x)
    x = net.add("Conv", x, net.matrix(1, 16, 1, 9), pads=[0, 4, 0, 4])
    net.save(path, [1, 1, 2000], {"wave": net.reshape(net.add("Tanh", x), 1, 2000)})


def _spectrum(path: Path, seed: int) -> None:
    net = Net(seed)
    x = net.dense("x", 40, 64)
    slope = np.exp(-np.linspace(0, 4, 40))[None, None].astype(np.float32)
    y = net.scaled(net.add("Softplus", net.dense(x, 64, 40, active=False)), slope, 0.0)
    net.save(path, [1, 50, 40], {"bands": y})


def _events(path: Path, seed: int) -> None:
    net = Net(seed)
    x = net.dense(net.dense("x", 16, 48), 48, 30, active=False)
    bias = net.random.normal(size=(1, 30)) - 1
    net.save(path, [1, 16], {"events": net.add("Sigmoid", net.scaled(x, 1.5, bias))})


def _sequence(path: Path, seed: int) -> None:
    net = Net(seed)
    x = net.dense("x", 20, 48)
    net.save(path, [1, "steps", 20], {"tags": net.dense(x, 48, 9, active=False, gain=3.0)})


def _embedding(path: Path, seed: int) -> None:
    net = Net(seed)
    x = net.dense(net.dense("x", 16, 64), 64, 48, active=False)
    net.save(path, [1, 16], {"vector": x})


def _batch(path: Path, seed: int) -> None:
    net = Net(seed)
    x = net.dense(net.dense("x", 16, 48), 48, 3, active=False)
    net.save(path, [4, 16], {"y": net.scaled(x, [2.0, 90.0, 0.1], [0.0, 100.0, 1.0])})


def _chosen(path: Path, seed: int) -> None:
    net = Net(seed)
    scores = net.reshape(net.dense(net.dense("x", 16, 48), 48, 200, active=False), 200)
    most = net.add("ReduceMax", scores, keepdims=1)
    near = net.add("Greater", scores, net.add("Mul", most, net.constant(np.float32(0.5))))
    net.save(
        path, [1, 16], {"ids": net.add("Transpose", net.add("NonZero", near), perm=[1, 0])}
    )


FAMILIES = (
    Family("detector", _detector, (1, 3, 48, 48), same_boxes(), recognized=True),
    Family(
        "detector, rows last",
        lambda path, seed: _detector(path, seed, "last"),
        (1, 3, 48, 48),
        same_boxes(rows_last=True),
        recognized=True,
    ),
    Family(
        "detector, flat",
        lambda path, seed: _detector(path, seed, "flat"),
        (1, 3, 48, 48),
        same_boxes(flat=9),
    ),
    Family(
        "detector, two outputs",
        lambda path, seed: _detector(path, seed, "split"),
        (1, 3, 48, 48),
        same_boxes(split=True),
    ),
    Family("pose", _pose, (1, 3, 48, 48), moving((1, 2))),
    Family("heat maps", _heat, (1, 3, 48, 48), explained(1)),
    Family("regression", _columns, (1, 16), explained(1)),
    Family(
        "three heads",
        lambda path, seed: _columns(path, seed, heads=True),
        (1, 16),
        every(explained(1, 0), explained(1, 1), explained(1, 2)),
    ),
    Family("segmentation", _segmentation, (1, 3, 48, 48), same_labels(1), recognized=True),
    Family(
        "segmentation, shares",
        lambda path, seed: _segmentation(path, seed, softmax=True),
        (1, 3, 48, 48),
        same_labels(3),
    ),
    Family(
        "segmentation, labels",
        lambda path, seed: _segmentation(path, seed, ids=True),
        (1, 3, 48, 48),
        same_labels(),
    ),
    Family("depth", _depth, (1, 3, 48, 48), explained(None)),
    Family("sound", _sound, (1, 1, 2000), explained(None)),
    Family("bands of a spectrum", _spectrum, (1, 50, 40), explained(2)),
    Family("sound events", _events, (1, 16), explained(1)),
    Family("tags of a sequence", _sequence, (1, 14, 20), explained(2)),
    Family("embedding", _embedding, (1, 16), explained(1)),
    Family("a batch of 4", _batch, (4, 16), every(explained(1), explained(0))),
    Family("chosen indices", _chosen, (1, 16), same_rows),
)
