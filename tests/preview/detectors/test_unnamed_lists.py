"""Detectors that select boxes themselves and call their outputs by numbers."""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

from inspector.formats.opening import open_model
from inspector.model.tensors.prediction import OutputValue
from inspector.preview.detectors import detectors, instance_masks
from inspector.preview.detectors.boxes import select_boxes
from inspector.preview.families.image_families import family_of
from inspector.preview.families.output_structure import of_model
from inspector.preview.preprocessing.recipe import ImagePreprocessing
from tests import models

pytestmark = pytest.mark.engine
SIDE, CLASSES, REGIONS = 64, 5, 12
BOXES, LABELS, SCORES, MASKS = "2796", "2797", "2799", "3049"
RANDOM = np.random.default_rng(3)


@dataclass
class Net:
    """Nodes and weights of a network that is being built."""

    nodes: list[onnx.NodeProto] = field(default_factory=list)
    weights: list[onnx.TensorProto] = field(default_factory=list)

    def weight(self, array: np.ndarray) -> str:
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(array, name))
        return name

    def add(
        self, kind: str, *reads: str | np.ndarray, gives: str = "", **options: object
    ) -> str:
        names = [each if isinstance(each, str) else self.weight(each) for each in reads]
        out = gives or f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, names, [out], **options))
        return out

    def random(self, *shape: int) -> np.ndarray:
        return RANDOM.standard_normal(shape).astype(np.float32) / 4


def ints(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


def selected(net: Net, boxes: str, scores: str, most: int) -> str:
    """Indices of boxes (N, 4) that NonMaxSuppression selects by scores (N)."""
    listed = net.add("Unsqueeze", boxes, ints(0))
    shares = net.add("Unsqueeze", scores, ints(0, 1))
    limits = ints(most), np.array([0.9], np.float32), np.array([0.0], np.float32)
    chosen = net.add("NonMaxSuppression", listed, shares, *limits)
    return net.add("Squeeze", net.add("Slice", chosen, ints(2), ints(3), ints(1)), ints(1))


def anchors(side: int) -> np.ndarray:
    rows, columns = np.mgrid[:side, :side] * (SIDE / side)
    corner = np.stack([columns, rows], -1).reshape(-1, 2)
    return np.concatenate([corner, corner + 20], 1).astype(np.float32)


def rcnn(normalizes: bool, masks: bool) -> Net:
    """A backbone, regions, their classes and boxes, and masks, as R-CNN has them."""
    net, x = Net(), "image"
    if normalizes:
        mean = np.full((3, 1, 1), 0.45, np.float32)
        x = net.add("Div", net.add("Sub", x, mean), mean / 2)
    x = net.add("Unsqueeze", x, ints(0))
    x = net.add("Conv", x, net.random(8, 3, 8, 8), strides=[8, 8])
    objects = net.add("Reshape", net.add("Conv", x, net.random(1, 8, 1, 1)), ints(-1))
    moves = net.add("Transpose", net.add("Conv", x, net.random(4, 8, 1, 1)), perm=[0, 2, 3, 1])
    regions = net.add("Add", net.add("Reshape", moves, ints(-1, 4)), anchors(SIDE // 8))
    index = selected(net, regions, net.add("Sigmoid", objects), REGIONS)
    regions = net.add("Gather", regions, index)
    size = net.add("Shape", index)
    value = numpy_helper.from_array(ints(0))
    batch = net.add("ConstantOfShape", size, value=value)
    options = {"spatial_scale": 1 / 8, "sampling_ratio": 2}
    pooled = net.add("RoiAlign", x, regions, batch, output_height=4, output_width=4, **options)
    flat = net.add("Flatten", pooled)
    shares = net.add("Softmax", net.add("Gemm", flat, net.random(128, CLASSES) * 3), axis=1)
    moved = net.add("Add", net.add("Gemm", flat, net.random(128, 4) / 16), regions)
    kinds = net.add("ArgMax", shares, axis=1, keepdims=0)
    best = net.add("ReduceMax", shares, axes=[1], keepdims=0)
    index = selected(net, moved, best, 6)
    net.add("Gather", moved, index, gives=BOXES)
    net.add("Gather", kinds, index, gives=LABELS)
    net.add("Gather", best, index, gives=SCORES)
    if masks:
        batch = net.add("ConstantOfShape", net.add("Shape", index), value=value)
        aligned = net.add(
            "RoiAlign", x, BOXES, batch, output_height=14, output_width=14, **options
        )
        larger = net.add("ConvTranspose", aligned, net.random(8, 1, 2, 2), strides=[2, 2])
        net.add("Sigmoid", larger, gives=MASKS)
    return net


def ssd(normalizes: bool, selects: bool = True) -> Net:
    """One grid of boxes and scores, from which boxes are selected, with a batch axis."""
    net, x = Net(), "image"
    if normalizes:
        x = net.add("Div", x, np.full((1, 3, 1, 1), 0.22, np.float32))
    x = net.add("Conv", x, net.random(8, 3, 8, 8), strides=[8, 8])

    def grid(numbers: int) -> str:
        head = net.add("Conv", x, net.random(numbers, 8, 1, 1) * 3)
        last = net.add("Transpose", head, perm=[0, 2, 3, 1])
        return net.add("Reshape", last, ints(-1, numbers))

    shares = net.add("Softmax", grid(CLASSES), axis=1)
    boxes = net.add("Div", net.add("Add", grid(4), anchors(SIDE // 8)), np.float32([SIDE]))
    kinds = net.add("ArgMax", shares, axis=1, keepdims=0)
    best = net.add("ReduceMax", shares, axes=[1], keepdims=0)
    index = selected(net, boxes, best, 6) if selects else net.weight(ints(*range(6)))
    for name, values in ((BOXES, boxes), (LABELS, kinds), (SCORES, best)):
        net.add("Unsqueeze", net.add("Gather", values, index), ints(0), gives=name)
    return net


def written(
    net: Net, order: tuple[str, ...], batch: bool, path: Path, **more: object
) -> onnx.ModelProto:
    lead = [1] if batch else []
    shapes = {BOXES: [*lead, "n", 4], LABELS: [*lead, "n"], SCORES: [*lead, "n"],
              MASKS: ["n", 1, 28, 28]}  # fmt: skip
    kinds = {LABELS: TensorProto.INT64}
    infos = [models.value(n, shapes[n], kinds.get(n, TensorProto.FLOAT)) for n in order]
    image = models.value("image", [*lead, 3, SIDE, SIDE])
    model = models.model(net.nodes, [image], infos, net.weights)
    for name, fact in more.items():
        setattr(model, name, fact)
    onnx.save(model, path)
    return model


NETS = {
    "torchvision Faster R-CNN": (lambda: rcnn(True, False), False, "a torchvision detector"),
    "torchvision Mask R-CNN": (lambda: rcnn(True, True), False, "a torchvision detector"),
    "Faster R-CNN": (lambda: rcnn(False, False), False, "Faster or Mask R-CNN (model zoo)"),
    "Mask R-CNN": (lambda: rcnn(False, True), False, "Faster or Mask R-CNN (model zoo)"),
    "SSD": (lambda: ssd(False), True, "SSD (model zoo)"),
    "torchvision SSD": (lambda: ssd(True), True, "a torchvision detector"),
}


def read(path: Path) -> tuple[str, list[OutputValue], tuple]:
    """The family of a model, its outputs, and the ways in which boxes fit them."""
    model = open_model(path)
    structure = of_model(model)
    start = ImagePreprocessing(SIDE, SIDE)
    family = family_of(model.outputs, start, structure)
    session = onnxruntime.InferenceSession(path)
    info = session.get_inputs()[0]
    image = np.random.default_rng(0).random(info.shape, np.float32)
    names = [each.name for each in session.get_outputs()]
    arrays = session.run(names, {info.name: image})
    values = [
        OutputValue(name, "tensor", array.dtype.name, array)
        for name, array in zip(names, arrays, strict=True)
    ]
    found = detectors.fitting(values, SIDE, SIDE, structure)
    return family.name if family is not None else "", values, found


@pytest.mark.parametrize("kind", NETS)
def test_outputs_in_any_order_are_told_apart_by_their_structure(tmp_path, kind):
    build, batch, family = NETS[kind]
    net = build()
    names = [BOXES, LABELS, SCORES, *([MASKS] if "Mask" in kind else [])]
    for first in range(len(names)):
        order = tuple(names[first:] + names[:first])
        written(net, order, batch, tmp_path / "net.onnx")
        known, values, found = read(tmp_path / "net.onnx")
        assert known == family
        (decoder, candidates), *_ = found
        assert decoder.name == "SSD: boxes, classes, scores"
        arrays = {each.name: each.array for each in values}
        largest = SIDE if arrays[BOXES].max() > 2 else 1
        assert candidates.edges == pytest.approx(arrays[BOXES].reshape(-1, 4) / largest)
        assert candidates.kinds.tolist() == arrays[LABELS].ravel().tolist()
        assert candidates.scores == pytest.approx(arrays[SCORES].ravel())
        boxes = select_boxes(candidates, 0.0, 1.0)
        masks = instance_masks.masks_of(values, boxes, SIDE, SIDE)
        assert (masks is not None) == (MASKS in names)
        if masks is not None and MASKS in names:
            assert len(masks) == len(arrays[BOXES])


def test_a_doubt_is_no_guess(tmp_path):
    path = tmp_path / "net.onnx"
    written(ssd(False, selects=False), (BOXES, LABELS, SCORES), True, path)
    known, _, found = read(path)
    assert (known, found) == ("", ()), "nothing in the graph selects boxes"
    net = rcnn(True, False)
    net.add("Identity", LABELS, gives=MASKS)
    model = written(net, (BOXES, LABELS, SCORES), False, path)
    model.graph.output.append(helper.make_tensor_value_info(MASKS, TensorProto.INT64, ["n"]))
    onnx.save(model, path)
    known, _, found = read(path)
    assert (known, found) == ("", ()), "two outputs could be the classes"
