"""Detectors that move anchors: RetinaNet, EfficientDet, RetinaFace, SCRFD, YuNet, BlazeFace.

Sources: NVIDIA/retinanet-examples (odtk/box.py), zylo117/Yet-Another-EfficientDet-Pytorch
(efficientdet/utils.py), biubug6/Pytorch_Retinaface (layers/functions/prior_box.py),
deepinsight/insightface (detection/scrfd/tools/scrfd.py), opencv/opencv_zoo
(face_detection_yunet), modules/objdetect/src/face_detect.cpp of OpenCV, and MediaPipe's
ssd_anchors_calculator with the options of its face, palm and pose detection graphs; of SSD,
tensorflow/models, research/object_detection (multiple_grid_anchor_generator.py in
anchor_generators, and faster_rcnn_box_coder.py in box_coders).
"""

from collections.abc import Mapping
from itertools import product

import numpy as np

from inspector.preview.detectors.boxes import Candidates, Numbers, best_of, centered
from inspector.preview.detectors.output_arrays import (
    STRIDES,
    Answer,
    Outputs,
    cells,
    ends_with,
    length,
    number_of_cells,
    powers,
    scaled,
    scaled_points,
    sigmoid,
    softmax,
)
from inspector.preview.detectors.queries import pair_names, scores_and_corners

_PYRAMID = (8, 16, 32, 64, 128)
_OCTAVE = (1.0, 2 ** (1 / 3), 2 ** (2 / 3))
_ANCHOR_SCALE = 4.0  # an anchor is four cells wide, in both families
_EFFICIENTDET_RATIOS = ((1.0, 1.0), (1.4, 0.7), (0.7, 1.4))  # width, height
_RETINANET_RATIOS = tuple((r**-0.5, r**0.5) for r in (1.0, 2.0, 0.5))
_FACE_SIZES = {8: (16, 32), 16: (64, 128), 32: (256, 512)}  # RetinaFace
_VARIANCES = 0.1, 0.2
# Strides with anchors per cell of MediaPipe's detectors, and numbers of an anchor: a box and
# six key points (faces), seven (palms), four or two (bodies).
_BLAZE_GRIDS = (((8, 2), (16, 6)), ((16, 2), (32, 6)), ((8, 2), (16, 2), (32, 6)), ((4, 1),))
BLAZE_FACE = (16,)
BLAZE_PALM = (18,)
BLAZE_POSE = (12, 8)
_BLAZE_NAMES = {BLAZE_FACE: "face", BLAZE_PALM: "hand", BLAZE_POSE: "person"}
_BLAZE_SIDES = (128, 192, 224, 256)  # of their pictures
# Single shot detectors whose boxes are decoded outside of the graph, with several square
# anchors a cell: UltraFace and faces like it.
_PRIOR_SIZES = {8: (10, 16, 24), 16: (32, 48), 32: (64, 96), 64: (128, 192, 256)}
# SSD of TensorFlow: strides of its six grids; sizes of anchors as shares of the image's, the
# last one follows that of the last grid; width over height; and the three anchors of the first
# grid.
_SSD_STRIDES = (16, 32, 64, 128, 256, 512)
_SSD_SCALES = (0.2, 0.35, 0.5, 0.65, 0.8, 0.95, 1.0)
_SSD_RATIOS = (1.0, 2.0, 0.5, 3.0, 1 / 3)
_SSD_FIRST = ((0.1, 1.0), (0.2, 2.0), (0.2, 0.5))
_SSD_CODING = np.array((10.0, 10.0, 5.0, 5.0))  # what offsets are multiplied by, sizes last
_YUNET_PARTS = {"cls": 1, "obj": 1, "bbox": 4, "kps": 10}  # numbers of a cell
YUNET_NAMES = {f"{part}_{stride}" for part in _YUNET_PARTS for stride in STRIDES}
_YUNET_2022 = (("loc", 14), ("conf", 2), ("iou", 1))


def pyramid_anchors(
    width: int, height: int, ratios: tuple[tuple[float, float], ...]
) -> Numbers:
    """Return center x, y, width and height in pixels of nine anchors per cell, five grids."""
    shapes = [(s * w, s * h) for s, (w, h) in product(_OCTAVE, ratios)]
    places = cells(width, height, _PYRAMID, len(shapes))
    stride = places[:, 2:]
    sizes = np.tile(np.array(shapes), (len(places) // len(shapes), 1)) * stride * _ANCHOR_SCALE
    return np.concatenate([(places[:, :2] + 0.5) * stride, sizes], axis=1)


def is_efficientdet(outputs: Outputs) -> bool:
    """EfficientDet in PyTorch: (1, anchors, 4) and (1, anchors, classes)."""
    return bool(efficientdet_names(outputs))


def efficientdet_names(outputs: Outputs) -> tuple[str, ...]:
    """Return the names of boxes and scores of EfficientDet; () for other models."""
    boxes, scores = _pair(outputs)
    if not boxes or not outputs.width:
        return ()
    anchors = 9 * number_of_cells(outputs.width, outputs.height, _PYRAMID)
    rows = {length(outputs.shapes[name][1]) for name in (boxes, scores)}
    return (boxes, scores) if rows == {anchors} else ()


def efficientdet(answer: Answer) -> Candidates | None:
    """Return the boxes of EfficientDet, whose numbers start with y."""
    if not is_efficientdet(answer):
        return None
    boxes, scores = (answer.arrays[name][0] for name in _pair(answer))
    anchors = pyramid_anchors(answer.width, answer.height, _EFFICIENTDET_RATIOS)
    moved = _moved(anchors, boxes[:, [1, 0, 3, 2]])
    shares = scores if "Sigmoid" in answer.structure.head() or _within(scores) else None
    probabilities = sigmoid(scores) if shares is None else shares
    return best_of(scaled(centered(moved), answer.width, answer.height), probabilities)


def ssd_anchors(width: int, height: int) -> Numbers:
    """Return center x, y, width and height, in shares of the image, of SSD's anchors."""
    rows = []
    for place, stride in enumerate(_SSD_STRIDES):
        scale, following = _SSD_SCALES[place : place + 2]
        shapes = [(scale, ratio) for ratio in _SSD_RATIOS] + [((scale * following) ** 0.5, 1.0)]
        shapes = shapes if place else list(_SSD_FIRST)
        sizes = np.array([(size * ratio**0.5, size * ratio**-0.5) for size, ratio in shapes])
        grid = cells(width, height, (stride,), len(shapes))[:, :2]
        sides = np.array((-(-width // stride), -(-height // stride)))
        tiled = np.tile(sizes, (len(grid) // len(shapes), 1))
        rows.append(np.concatenate([(grid + 0.5) / sides, tiled], axis=1))
    return np.concatenate(rows)


def tensorflow_ssd_classes(outputs: Outputs) -> int:
    """Return the number of classes of SSD's raw heads in TensorFlow, without the background.

    0 for other models: (1, anchors, 4) and (1, anchors, classes + 1), not decoded in the graph.
    """
    boxes, scores = _pair(outputs)
    if not boxes or not outputs.width or not outputs.height or _is_decoded(outputs, boxes):
        return 0
    grids = (outputs.width, outputs.height)
    more = len(_SSD_RATIOS) + 1
    many = len(_SSD_FIRST) * number_of_cells(*grids, _SSD_STRIDES[:1])
    many += more * number_of_cells(*grids, _SSD_STRIDES[1:])
    rows = {length(outputs.shapes[name][1]) for name in (boxes, scores)}
    return max(length(outputs.shapes[scores][2]) - 1, 0) if rows == {many} else 0


def tensorflow_ssd(answer: Answer) -> Candidates | None:
    """Return the boxes of SSD's raw heads, whose numbers start with y."""
    if not tensorflow_ssd_classes(answer):
        return None
    boxes, scores = (answer.arrays[name][0] for name in _pair(answer))
    anchors = ssd_anchors(answer.width, answer.height)
    moved = _moved(anchors, boxes[:, [1, 0, 3, 2]] / _SSD_CODING)
    head = answer.structure.head(_pair(answer)[1])
    shares = scores if head & {"Sigmoid", "Softmax"} else sigmoid(scores)
    return best_of(centered(moved), shares[:, 1:])


def is_retinanet(outputs: Outputs) -> bool:
    """RetinaNet: five grids of 9 * classes scores and five of 9 * 4 numbers of boxes."""
    return bool(_pyramid_heads(outputs))


def efficientdet_classes(outputs: Outputs) -> int:
    """Return the number of classes of EfficientDet."""
    names = efficientdet_names(outputs)
    return length(outputs.shapes[names[1]][-1]) if names else 0


def retinanet_classes(outputs: Outputs) -> int:
    """Return the number of classes of RetinaNet's scores: of nine anchors in each cell."""
    heads = _pyramid_heads(outputs)
    return length(outputs.shapes[heads[0][1]][1]) // 9 if heads else 0


def retinanet(answer: Answer) -> Candidates | None:
    """Return the boxes of RetinaNet's ten heads."""
    heads = _pyramid_heads(answer)
    if not heads:
        return None
    boxes, shares = [], []
    raw = "Sigmoid" not in answer.structure.head()
    for box_name, score_name in heads:
        box, score = answer.arrays[box_name][0], answer.arrays[score_name][0]
        boxes.append(np.moveaxis(box.reshape(9, 4, -1), 2, 0).reshape(-1, 4))
        one = np.moveaxis(score.reshape(9, -1, box.shape[1] * box.shape[2]), 2, 0)
        shares.append(one.reshape(-1, one.shape[2]))
    scores = np.concatenate(shares)
    anchors = pyramid_anchors(answer.width, answer.height, _RETINANET_RATIOS)
    moved = _moved(anchors, np.concatenate(boxes))
    probabilities = sigmoid(scores) if raw and not _within(scores) else scores
    return best_of(scaled(centered(moved), answer.width, answer.height), probabilities)


def is_retinaface(outputs: Outputs) -> bool:
    """RetinaFace: (1, anchors, 4), (1, anchors, 2) and (1, anchors, 10), two per cell."""
    names = _parts(outputs, (4, 2, 10))
    if len(outputs.shapes) != 3 or names is None:
        return False
    return _has_rows(outputs, names, 2 * number_of_cells(outputs.width, outputs.height))


def retinaface(answer: Answer) -> Candidates | None:
    """Return the boxes and points of RetinaFace."""
    names = _parts(answer, (4, 2, 10))
    if names is None or not is_retinaface(answer):
        return None
    box, score, marks = (answer.arrays[name][0] for name in names)
    priors = _priors(answer, _FACE_SIZES)
    shares = score[:, 1] if _within(score) else sigmoid(score[:, 1] - score[:, 0])
    return _from_priors(answer, priors, box, marks, shares)


def is_yunet_2022(outputs: Outputs) -> bool:
    """YuNet of 2022: loc (anchors, 14), conf (anchors, 2) and iou (anchors, 1)."""
    return outputs.names == {"loc", "conf", "iou"}


def yunet_2022(answer: Answer) -> Candidates | None:
    """Return the faces of YuNet as it was in 2022."""
    if not is_yunet_2022(answer):
        return None
    loc, conf, iou = (answer.arrays[name].reshape(-1, n) for name, n in _YUNET_2022)
    priors = _priors(answer, _PRIOR_SIZES)
    if len({len(loc), len(conf), len(iou), len(priors)}) != 1:
        return None
    shares = np.sqrt(np.clip(conf[:, 1], 0, 1) * np.clip(iou[:, 0], 0, 1))
    return _from_priors(answer, priors, loc[:, :4], loc[:, 4:], shares)


def is_yunet(outputs: Outputs) -> bool:
    """YuNet of 2023: the twelve names of three grids."""
    return outputs.names == YUNET_NAMES


def yunet(answer: Answer) -> Candidates | None:
    """Return the faces of YuNet: scores, boxes and five points of each cell of three grids."""
    if not is_yunet(answer):
        return None
    edges, scores, points = [], [], []
    for stride in STRIDES:
        places = cells(answer.width, answer.height, (stride,))[:, :2]
        parts = {part: answer.arrays[f"{part}_{stride}"] for part in _YUNET_PARTS}
        if any(a.size != len(places) * _YUNET_PARTS[part] for part, a in parts.items()):
            return None
        box, marks = parts["bbox"].reshape(-1, 4), parts["kps"].reshape(-1, 5, 2)
        sized = np.concatenate([box[:, :2] + places, powers(box[:, 2:])], axis=1)
        edges.append(centered(sized * stride))
        points.append((marks + places[:, None]) * stride)
        both = np.clip(parts["cls"], 0, 1).ravel() * np.clip(parts["obj"], 0, 1).ravel()
        scores.append(np.sqrt(both))
    return _faces(answer, np.concatenate(edges), np.concatenate(points), scores)


def is_scrfd(outputs: Outputs) -> bool:
    """SCRFD: scores, distances and mostly points of three grids, two anchors per cell."""
    return bool(_scrfd_heads(outputs))


def scrfd(answer: Answer) -> Candidates | None:
    """Return the faces of SCRFD: distances to four sides, in cells."""
    heads = _scrfd_heads(answer)
    if not heads:
        return None
    edges, scores, points = [], [], []
    for stride, names in heads.items():
        places = cells(answer.width, answer.height, (stride,), 2)[:, :2] * stride
        far = answer.arrays[names[4]].reshape(-1, 4) * stride
        edges.append(np.concatenate([places - far[:, :2], places + far[:, 2:]], axis=1))
        scores.append(answer.arrays[names[1]].ravel())
        if 10 in names:
            marks = answer.arrays[names[10]].reshape(-1, 5, 2) * stride
            points.append(places[:, None] + marks)
    marked = np.concatenate(points) if points else None
    return _faces(answer, np.concatenate(edges), marked, scores)


def blaze_kind(outputs: Outputs) -> tuple[int, int, int] | None:
    """Return side of the picture, anchors and numbers an anchor of MediaPipe's detectors; None
    for other models."""
    if len(outputs.shapes) != 2 or outputs.width != outputs.height:
        return None
    for side in (outputs.width,) if outputs.width else _BLAZE_SIDES:
        for numbers in (*BLAZE_FACE, *BLAZE_PALM, *BLAZE_POSE):
            for rows in _blaze_rows(side):
                # Dynamic axes fit anything: without a fixed one, CLIP's tables would, too.
                fixed = any({rows, numbers} & set(s) for s in outputs.shapes.values())
                if fixed and outputs.named(rows, numbers) and outputs.named(rows, 1):
                    return side, rows, numbers
    return None


def _blaze_rows(side: int) -> dict[int, tuple[tuple[int, int], ...]]:
    """Return the layouts of anchors for a picture, by the number of anchors."""
    grids = (grid for grid in _BLAZE_GRIDS if side % grid[-1][0] == 0)
    return {sum((side // stride) ** 2 * each for stride, each in grid): grid for grid in grids}


def blaze(answer: Answer) -> Candidates | None:
    """Return the boxes and points of MediaPipe's detectors of faces, palms and bodies."""
    kind = blaze_kind(answer)
    if kind is None:
        return None
    side, rows, each = kind
    numbers = answer.arrays[answer.named(rows, each)[0]].reshape(rows, each) / side
    scores = sigmoid(answer.arrays[answer.named(rows, 1)[0]].ravel())
    grids = _blaze_rows(side)[rows]
    centers = np.concatenate(
        [(cells(side, side, (s,), n)[:, :2] + 0.5) * s / side for s, n in grids]
    )
    boxes = np.concatenate([numbers[:, :2] + centers, numbers[:, 2:4]], axis=1)
    marks = numbers[:, 4:].reshape(len(numbers), -1, 2) + centers[:, None]
    sure = np.ones((*marks.shape[:2], 1))
    kinds = np.zeros(len(scores), np.int64)
    points = np.concatenate([marks, sure], axis=2)
    name = next(name for numbers, name in _BLAZE_NAMES.items() if each in numbers)
    return Candidates(centered(boxes), scores, kinds, points, (name,))


def prior_names(outputs: Outputs) -> tuple[str, str] | None:
    """Return the names of boxes and scores of a detector with UltraFace's anchors; None for
    other models. Whether its boxes are decoded already, `is_raw_priors` says."""
    names = pair_names(outputs)
    if names is None or not outputs.width:
        return None
    rows = sum(
        -(-outputs.width // stride) * -(-outputs.height // stride) * len(sizes)
        for stride, sizes in _PRIOR_SIZES.items()
    )
    return names if length(outputs.shapes[names[0]][1]) == rows else None


def is_raw_priors(outputs: Outputs) -> bool:
    """Return whether boxes with UltraFace's anchors are offsets from these: nothing in the
    graph raises e to a power, as decoding does."""
    names = prior_names(outputs)
    return names is not None and not _is_decoded(outputs, names[0])


def _is_decoded(outputs: Outputs, name: str) -> bool:
    head = outputs.structure.head(name)
    return outputs.structure.has_graph and "Exp" in head


def corners(answer: Answer) -> Candidates | None:
    """Return boxes given as corners beside shares of classes; None where the graph shows that
    they are offsets from anchors."""
    raw = answer.structure.has_graph and is_raw_priors(answer)
    return None if raw else scores_and_corners(answer)


def from_raw_priors(answer: Answer) -> Candidates | None:
    """Return the boxes of a single shot detector without its decoding: offsets from anchors
    beside shares of classes, of which the first is the background."""
    names = prior_names(answer)
    if names is None or not is_raw_priors(answer):
        return None
    box, score = (answer.arrays[name][0] for name in names)
    priors = _priors(answer, _PRIOR_SIZES)
    shares = score if _within(score) else softmax(score)
    place, size = _VARIANCES
    center = priors[:, :2] + box[:, :2] * place * priors[:, 2:]
    boxes = np.concatenate([center, priors[:, 2:] * powers(box[:, 2:] * size)], axis=1)
    return best_of(centered(boxes), shares[:, 1:])


def _pair(outputs: Outputs) -> tuple[str, str]:
    """Return the names of the only two outputs, (1, N, 4) and (1, N, classes); ("", "") for
    others."""
    names = outputs.of_rank(3)
    boxes = [name for name in names if ends_with(outputs.shapes[name], (4,))]
    scores = [name for name in names if name not in boxes[:1]]
    fits = len(outputs.shapes) == 2 and len(names) == 2 and boxes
    return (boxes[0], scores[0]) if fits else ("", "")


def _pyramid_heads(outputs: Outputs) -> list[tuple[str, str]]:
    """Return the names of boxes and scores of each of five grids, finest first; empty for
    others."""
    if len(outputs.shapes) != 10 or len(outputs.of_rank(4)) != 10 or not outputs.width:
        return []
    heads = []
    for stride in _PYRAMID:
        grid = -(-outputs.height // stride), -(-outputs.width // stride)
        names = [n for n, shape in outputs.shapes.items() if ends_with(shape, grid)]
        boxes = [n for n in names if length(outputs.shapes[n][1]) == 36]
        scores = [n for n in names if n not in boxes[:1] and not _nine(outputs.shapes[n][1])]
        if len(boxes) < 1 or len(names) != 2 or len(scores) != 1:
            return []
        heads.append((boxes[0], scores[0]))
    return heads


def _nine(axis: object) -> bool:
    """Return whether an axis cannot hold scores of nine anchors."""
    return not isinstance(axis, int) or axis % 9 != 0


def _parts(outputs: Outputs, lasts: tuple[int, ...]) -> list[str] | None:
    """Return one output of rank 3 for each length of the last axis, or None."""
    named = [[n for n in outputs.named(last) if n in outputs.of_rank(3)] for last in lasts]
    return [names[0] for names in named] if all(len(names) == 1 for names in named) else None


def _has_rows(outputs: Outputs, names: list[str], rows: int) -> bool:
    return all(not rows or length(outputs.shapes[n][1]) in (0, rows) for n in names)


def _scrfd_heads(outputs: Outputs) -> dict[int, dict[int, str]]:
    """Output names of each stride, by numbers an anchor: 1, 4 and mostly 10."""
    if len(outputs.shapes) not in (6, 9) or outputs.names == YUNET_NAMES:
        return {}
    lasts = {length(shape[-1]) if shape else 0 for shape in outputs.shapes.values()}
    if lasts not in ({1, 4}, {1, 4, 10}):
        return {}
    heads: dict[int, dict[int, str]] = {stride: {} for stride in STRIDES}
    if not outputs.width or any(not length(s[-2]) for s in outputs.shapes.values()):
        # Free axes: the authors' exports list scores, boxes and points from fine to coarse.
        for numbers in sorted(lasts):
            names = outputs.named(numbers)
            for stride, name in zip(STRIDES, names, strict=False):
                heads[stride][numbers] = name
    for stride in STRIDES if not any(heads.values()) else ():
        rows = 2 * number_of_cells(outputs.width, outputs.height, (stride,))
        for name, shape in outputs.shapes.items():
            if length(shape[-2]) == rows:
                heads[stride][length(shape[-1])] = name
    whole = all(set(names) == lasts for names in heads.values())
    return heads if whole else {}


def _priors(outputs: Outputs, sizes: Mapping[int, tuple[int, ...]]) -> Numbers:
    """Anchors of several sizes a cell in 0..1: center, width and height."""
    parts = []
    for stride, anchor_sizes in sizes.items():
        places = cells(outputs.width, outputs.height, (stride,), len(anchor_sizes))
        size = np.tile(np.array(anchor_sizes, np.float64), len(places) // len(anchor_sizes))[
            :, None
        ]
        parts.append(np.concatenate([(places[:, :2] + 0.5) * stride, size, size], axis=1))
    return scaled(np.concatenate(parts), outputs.width, outputs.height)


def _from_priors(
    answer: Answer, priors: Numbers, box: Numbers, marks: Numbers, shares: Numbers
) -> Candidates | None:
    if len(priors) != len(box):
        return None
    place, size = _VARIANCES
    center = priors[:, :2] + box[:, :2] * place * priors[:, 2:]
    boxes = np.concatenate([center, priors[:, 2:] * powers(box[:, 2:] * size)], axis=1)
    moved = marks.reshape(len(marks), -1, 2) * place * priors[:, None, 2:]
    points = priors[:, None, :2] + moved
    sure = np.ones((*points.shape[:2], 1))
    kinds = np.zeros(len(shares), np.int64)
    return Candidates(centered(boxes), shares, kinds, np.concatenate([points, sure], axis=2))


def _faces(
    answer: Answer, edges: Numbers, points: Numbers | None, scores: list[Numbers]
) -> Candidates:
    face_scores = np.concatenate(scores)
    marked = None if points is None else scaled_points(points, answer.width, answer.height)
    kinds = np.zeros(len(face_scores), np.int64)
    return Candidates(scaled(edges, answer.width, answer.height), face_scores, kinds, marked)


def _moved(anchors: Numbers, numbers: Numbers) -> Numbers:
    """Anchors moved by shares of their size and grown by powers of e."""
    center = anchors[:, :2] + numbers[:, :2] * anchors[:, 2:]
    return np.concatenate([center, anchors[:, 2:] * powers(numbers[:, 2:])], axis=1)


def _within(values: Numbers) -> bool:
    """Return whether values are shares already, but for what a quantized model rounds."""
    return bool(values.size) and bool(values.min() >= -0.05 and values.max() <= 1.05)
