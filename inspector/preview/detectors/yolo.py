"""The families of YOLO: how each version writes its boxes.

Sources: AlexeyAB/darknet (cfg/yolov3.cfg, yolov3-tiny.cfg, yolov4.cfg), hunglc007/tensorflow-
yolov4-tflite (core/yolov4.py), ultralytics/yolov5 (models/yolo.py), meituan/YOLOv6
(yolov6/models/heads), WongKinYiu/yolov7 (models/yolo.py), ultralytics/ultralytics
(nn/modules/head.py), deepcam-cn/yolov5-face (models/yolo.py), Megvii-BaseDetection/YOLOX
(yolox/utils/demo_utils.py).
"""

import numpy as np

from inspector.preview.detectors.box_lists import class_numbers
from inspector.preview.detectors.boxes import Candidates, Numbers, best_of, centered
from inspector.preview.detectors.output_arrays import (
    STRIDES,
    Answer,
    Outputs,
    Shape,
    cells,
    channels_last,
    in_shares,
    length,
    number_of_cells,
    powers,
    scaled,
    sigmoid,
    softmax,
)

_YOLO2_ANCHORS = ((1.08, 1.19), (3.42, 4.41), (6.63, 11.38), (9.42, 5.11), (16.62, 10.52))
_V3_ANCHORS = {
    8: ((10, 13), (16, 30), (33, 23)),
    16: ((30, 61), (62, 45), (59, 119)),
    32: ((116, 90), (156, 198), (373, 326)),
}
_V4_ANCHORS = {
    8: ((12, 16), (19, 36), (40, 28)),
    16: ((36, 75), (76, 55), (72, 146)),
    32: ((142, 110), (192, 243), (459, 401)),
}
_TINY_ANCHORS = {16: ((10, 14), (23, 27), (37, 58)), 32: ((81, 82), (135, 169), (344, 319))}
# What names in a file call the versions whose anchors above are taken; Ultralytics' YOLO v5
# calls its heads "model.24", whatever its size. Others have other anchors in heads alike.
_PROOFS = {
    "v3": ("yolov3", "yolo_v3", "yolo3", "model.24"),
    "v4": ("yolov4", "yolo_v4", "yolo4"),
    "v5": ("yolov3", "yolov5", "model.24"),
}
_V4_SCALES = {8: 1.2, 16: 1.1, 32: 1.05}  # how far a center may leave its cell
_COCO = 80
VOC_CLASSES = 20  # of Tiny YOLO v2
_COCO_POINTS = 17  # of a body: x, y and score each
_POSE = 4 + 1 + 3 * _COCO_POINTS  # numbers of a box with points
_ROW_POSE = 5 + 1 + 3 * _COCO_POINTS  # of YOLO v7
_FACE = 5 + 2 * 5 + 1  # box and score, five points, one class
_FACE_PARTS = 8  # that its last Concat joins at least, and 3 in YOLO v5: each point on its own
_MASKS = 32  # prototypes of Ultralytics' segmentation models
_DOTA = 4 + 15 + 1  # box, classes of the DOTA data set, angle
# Arithmetic behind the last learned layer: boxes are worked out in the graph already.
_DECODES = frozenset(("Mul", "Add", "Sub", "Div", "Exp", "Pow"))
_MOST_FINISHED = 1000  # boxes that a model with its own selection gives, at most
_USUAL_FINISHED = 300  # what Ultralytics' max_det and the one-to-one head of YOLO v10 give
_ROW = 6  # numbers of a finished box: four edges, score, class
FINISHED_POSE = _ROW + 3 * _COCO_POINTS


def task(outputs: Outputs) -> tuple[str, int]:
    """Return what a model of YOLO v5 and later finds, by Ultralytics' name of the task
    ("detect", "segment", "pose", "obb"), and its number of classes; 0 where it is not known."""
    shape, masks = _first(outputs), _mask_count(outputs)
    if is_faces(outputs):
        return "detect", 1
    if finished_kind(outputs):
        return finished_kind(outputs), outputs.structure.classes
    if is_rows(outputs):
        numbers, box, pose = length(shape[2]), 5, _ROW_POSE
    elif is_columns(outputs):
        numbers = length(shape[2 if _is_transposed(outputs) else 1])
        box, pose = 4, _POSE
    else:
        return outputs.structure.task or "detect", 0
    if outputs.structure.task:
        return outputs.structure.task, outputs.structure.classes
    if masks:
        return "segment", numbers - box - masks
    if numbers == pose:
        return "pose", 1
    if numbers == _DOTA and "Cos" in outputs.structure.head():
        return "obb", numbers - box - 1
    return "detect", numbers - box


def classes(outputs: Outputs) -> int:
    """Return the number of classes of YOLO v5 and later; 0 for faces, poses and where the
    shapes do not say it."""
    kind, count = task(outputs)
    known = kind in ("detect", "segment", "obb") and not is_faces(outputs)
    return count if known else 0


def cell_classes(outputs: Outputs) -> int:
    """Return the number of classes of YOLOX and YOLO v6."""
    return length(outputs.only[2]) - 5 if len(outputs.only) == 3 else 0


def counts(outputs: Outputs) -> frozenset[int]:
    """Return how many cells such models may have: small ones leave out the finest grid, large
    ones add a coarser one. Empty where the size of the picture is open."""
    if not outputs.width:
        return frozenset()
    grids = [(outputs.width // s) * (outputs.height // s) for s in (8, 16, 32, 64)]
    return frozenset((sum(grids[:3]), sum(grids), sum(grids[1:3])))


def is_rows(outputs: Outputs) -> bool:
    """YOLO v5 to v7: (1, boxes, 5 + classes), three boxes per cell; masks may follow."""
    shape = _first(outputs)
    boxes, numbers = (length(shape[1]), length(shape[2])) if shape else (0, 0)
    if numbers < 6 or _has_other_outputs(outputs):
        return False
    if not boxes or not outputs.width:
        masks = _mask_count(outputs)
        return not boxes and numbers - masks == 5 + _COCO and not _is_anchor_free(outputs)
    return boxes % 3 == 0 and boxes // 3 in counts(outputs)


def rows(answer: Answer) -> Candidates | None:
    """Return the boxes of YOLO v5 to v7: in pixels, with a score of being anything."""
    if not is_rows(answer):
        return None
    table = answer.arrays[_first_name(answer)][0]
    masks = _mask_count(answer)
    points = None
    last = table.shape[1] - masks
    if table.shape[1] == _ROW_POSE:
        points, last = _points(table[:, 6:], 3, answer), 6
    shares = table[:, 4:5] * table[:, 5:last]
    candidates = best_of(in_shares(centered(table), answer.width, answer.height), shares)
    return Candidates(candidates.edges, candidates.scores, candidates.kinds, points)


def is_faces(outputs: Outputs) -> bool:
    """YOLO v5 faces: 16 numbers per box, of which ten are points, and not eleven classes."""
    if not is_rows(outputs) or length(_first(outputs)[2]) != _FACE:
        return False
    structure = outputs.structure
    return structure.joined >= _FACE_PARTS and structure.classes in (0, 1)


def faces(answer: Answer) -> Candidates | None:
    """Return the boxes of YOLO v5 faces with eyes, nose and corners of the mouth, in pixels."""
    if not is_faces(answer):
        return None
    table = answer.arrays[_first_name(answer)][0]
    edges = in_shares(centered(table), answer.width, answer.height)
    best = best_of(edges, table[:, 4:5] * table[:, 15:])
    points = _points(table[:, 5:15], 2, answer)
    return Candidates(best.edges, best.scores, best.kinds, points)


def is_one_a_cell(outputs: Outputs) -> bool:
    """YOLOX and YOLO v6: (1, boxes, 5 + classes), one box per cell of three grids."""
    shape = outputs.only
    if len(shape) != 3 or length(shape[2]) < 6 or _is_transposed(outputs):
        return False
    if not outputs.width or not length(shape[1]):
        return False
    return shape[1] == number_of_cells(outputs.width, outputs.height)


def is_yolox(outputs: Outputs) -> bool:
    """YOLOX: boxes relative to their cells."""
    return is_one_a_cell(outputs) and not outputs.structure.head() & _DECODES


def is_yolov6(outputs: Outputs) -> bool:
    """YOLO v6, and YOLOX with its decoding in the graph: boxes in pixels."""
    return is_one_a_cell(outputs) and not is_yolox(outputs)


def yolox(answer: Answer) -> Candidates | None:
    """Return the boxes of YOLOX: one per cell, its place relative to the cell."""
    if not is_yolox(answer):
        return None
    table, grid = answer.single, cells(answer.width, answer.height)
    boxes = np.concatenate([table[:, :2] + grid[:, :2], powers(table[:, 2:4])], axis=1)
    edges = scaled(centered(boxes * grid[:, 2:]), answer.width, answer.height)
    return best_of(edges, table[:, 4:5] * table[:, 5:])


def yolov6(answer: Answer) -> Candidates | None:
    """Return the boxes of YOLO v6: in pixels, one per cell."""
    if not is_yolov6(answer):
        return None
    table = answer.single
    edges = in_shares(centered(table), answer.width, answer.height)
    return best_of(edges, table[:, 4:5] * table[:, 5:])


def is_columns(outputs: Outputs) -> bool:
    """YOLO v8 and later: (1, 4 + classes, boxes), or with both axes exchanged; masks may
    follow, or the same again from a head that only training needs."""
    shape = _first(outputs)
    if not shape or (_has_other_outputs(outputs) and not _has_auxiliary(outputs)):
        return False
    if _is_transposed(outputs):
        return True
    numbers, boxes = length(shape[1]), length(shape[2])
    masks = _mask_count(outputs)
    if numbers < 5 + masks or (_mask_outputs(outputs) and numbers - 4 <= masks):
        return False
    if not boxes or not outputs.width:
        classes = outputs.structure.classes or _COCO
        return not boxes and numbers - masks in (4 + classes, _POSE)
    return boxes in counts(outputs)


def columns(answer: Answer) -> Candidates | None:
    """Return the boxes of YOLO v8 and later: in pixels, each class with a score of its own."""
    if not is_columns(answer):
        return None
    table = answer.arrays[_first_name(answer)][0]
    table = table if _is_transposed(answer) else table.T
    masks = _mask_count(answer)
    last, points = table.shape[1] - masks, None
    kind = _column_kind(answer, table)
    edges = centered(table[:, :4])
    if kind == "obb":
        last -= 1
        edges = _around_turned(table[:, :4], table[:, last])
    elif kind == "pose":
        classes = answer.structure.classes or 1
        each = 3 if (table.shape[1] - 4 - classes) % 3 == 0 else 2
        points, last = _points(table[:, 4 + classes :], each, answer), 4 + classes
    edges = in_shares(edges, answer.width, answer.height)
    candidates = best_of(edges, table[:, 4:last])
    return Candidates(candidates.edges, candidates.scores, candidates.kinds, points)


def finished_kind(outputs: Outputs) -> str:
    """Return what finished boxes of YOLO v10 and later, or of exports with NMS, are of.
    "detect" (1, boxes, 6), "segment" with coefficients of masks behind, "pose" with points or
    "obb" with an angle; "" for other models."""
    shape = _first(outputs)
    if not shape or _has_other_outputs(outputs):
        return ""
    number, more, masks = length(shape[1]), length(shape[2]) - _ROW, _mask_count(outputs)
    if number > _MOST_FINISHED or (not number and len(outputs.shapes) > 1):
        return ""
    if _lists_cells(outputs, number):
        return ""
    if more == masks:
        return "segment" if masks else "detect"
    task = outputs.structure.task
    if not masks and task == "obb" and more == 1:
        return "obb"
    points = more > 0 and (more % 3 == 0 or more % 2 == 0)
    unnamed = not task and (number, length(shape[2])) == (_USUAL_FINISHED, FINISHED_POSE)
    return "pose" if not masks and (unnamed or (task == "pose" and points)) else ""


def _lists_cells(outputs: Outputs, number: int) -> bool:
    """Return whether a list has a row for each cell of the grids, once or for three anchors:
    then nothing selected its boxes."""
    selects = {"TopK", "NonMaxSuppression"} & outputs.structure.head()
    grids = counts(outputs)
    if number == _USUAL_FINISHED or selects or not grids:
        return False
    return number in grids or (number % 3 == 0 and number // 3 in grids)


def finished(answer: Answer) -> Candidates | None:
    """Return boxes of (left, top, right, bottom, score, class), which may precede more; turned
    ones start with their center and size."""
    kind = finished_kind(answer)
    rows = answer.arrays[_first_name(answer)][0] if kind else None
    if rows is None:
        return None
    edges, points = rows[:, :4], None
    if kind == "obb":
        edges = _around_turned(edges, rows[:, _ROW])
    elif kind == "pose":
        marks = rows[:, _ROW:]
        points = _points(marks, 3 if marks.shape[1] % 3 == 0 else 2, answer)
    shares = in_shares(edges, answer.width, answer.height)
    return Candidates(shares, rows[:, 4], class_numbers(rows[:, 5]), points)


def head_strides(outputs: Outputs) -> dict[str, int]:
    """Return the stride of each raw head of YOLO v3 to v7; empty for other models."""
    if len(outputs.shapes) not in (2, 3) or not outputs.width:
        return {}
    strides = {name: _stride(shape, outputs) for name, shape in outputs.shapes.items()}
    numbers = {_head_numbers(shape) for shape in outputs.shapes.values()}
    different = len(set(strides.values())) == len(strides)
    fits = all(strides.values()) and different and len(numbers) == 1
    return strides if fits else {}


def head_classes(outputs: Outputs) -> int:
    """Return the number of classes of raw heads."""
    return max(map(_head_numbers, outputs.shapes.values()), default=5) - 5


def anchor_doubt(outputs: Outputs) -> str:
    """Return why the sizes of the boxes of raw heads may be wrong: the anchors, which are no
    part of the file, are proven by a name of the version and the classes of COCO only."""
    kinds = {_head_kind(shape[1:]) for shape in outputs.shapes.values()}
    text = " ".join((outputs.structure.names, *outputs.names)).lower()
    named = all(any(proof in text for proof in _PROOFS[kind]) for kind in kinds)
    if named and head_classes(outputs) == _COCO:
        return ""
    return "the sizes of the boxes are unsure: the file has no anchors, so COCO's are assumed"


def is_v4_heads(outputs: Outputs) -> bool:
    """YOLO v4 in TensorFlow: raw heads with the anchors behind the grid."""
    anchors_last = all(len(shape) == 5 and shape[3] == 3 for shape in outputs.shapes.values())
    return anchors_last and bool(head_strides(outputs))


def heads(answer: Answer) -> Candidates | None:
    """Return the boxes of raw heads: three anchors per cell."""
    strides = head_strides(answer)
    if not strides:
        return None
    raw = "Sigmoid" not in answer.structure.head()
    parts = [
        _from_head(answer.arrays[name][0], stride, raw, len(strides) == 2)
        for name, stride in strides.items()
    ]
    edges = scaled(centered(np.concatenate([p[0] for p in parts])), answer.width, answer.height)
    return best_of(edges, np.concatenate([p[1] for p in parts]))


def is_yolo2(outputs: Outputs) -> bool:
    """Tiny YOLO v2: (1, 125, 13, 13), five anchors, twenty classes of Pascal VOC."""
    return len(outputs.only) == 4 and outputs.only[1] == 125


def yolo2(answer: Answer) -> Candidates | None:
    """Return the boxes of Tiny YOLO v2."""
    if not is_yolo2(answer):
        return None
    grid = answer.single
    down, across = (np.arange(length) for length in grid.shape[1:])
    x, y = np.meshgrid(across, down)
    parts = grid.reshape(5, 25, len(down), len(across))
    sizes = powers(parts[:, 2:4]) * np.array(_YOLO2_ANCHORS)[:, :, None, None]
    center = [(sigmoid(parts[:, 0]) + x) / len(across), (sigmoid(parts[:, 1]) + y) / len(down)]
    boxes = np.stack([*center, sizes[:, 0] / len(across), sizes[:, 1] / len(down)], axis=-1)
    shares = softmax(parts[:, 5:]) * sigmoid(parts[:, 4:5])
    return best_of(centered(boxes).reshape(-1, 4), np.moveaxis(shares, 1, -1).reshape(-1, 20))


def _from_head(head: Numbers, stride: int, raw: bool, tiny: bool) -> tuple[Numbers, Numbers]:
    """Boxes (N, 4) in pixels and scores (N, classes) of one head."""
    kind = _head_kind(head.shape)
    if kind == "v5":  # anchors, rows, columns, numbers
        grid = np.moveaxis(head, 0, 2)
    elif kind == "v4":
        grid = head
    else:
        last = head if head.shape[2] % 3 == 0 and head.shape[0] == head.shape[1] else None
        flat = np.moveaxis(head, 0, 2) if last is None else last
        grid = flat.reshape(*flat.shape[:2], 3, -1)
    rows, columns = grid.shape[:2]
    shares = sigmoid(grid) if raw else grid
    x, y = np.meshgrid(np.arange(columns), np.arange(rows))
    corner = np.stack([x, y], axis=-1)[:, :, None]
    table = _TINY_ANCHORS if tiny else _V4_ANCHORS if kind == "v4" else _V3_ANCHORS
    anchors = np.array(table.get(stride, _V3_ANCHORS[stride]), np.float64)
    if kind == "v5":
        center = (shares[..., :2] * 2 - 0.5 + corner) * stride
        sizes = (shares[..., 2:4] * 2) ** 2 * anchors
    else:
        scale = _V4_SCALES[stride] if kind == "v4" else 1.0
        center = (shares[..., :2] * scale - (scale - 1) / 2 + corner) * stride
        sizes = powers(grid[..., 2:4]) * anchors
    boxes = np.concatenate([center, sizes], axis=-1).reshape(-1, 4)
    scores = shares[..., 4:5] * shares[..., 5:]
    return boxes, scores.reshape(len(boxes), -1)


def _head_kind(shape: Shape) -> str:
    """Return "v5" for anchors first, "v4" behind the grid, "v3" among the channels.
    shape: without the batch."""
    if len(shape) == 4:
        return "v5" if shape[0] == 3 else "v4"
    return "v3"


def _stride(shape: Shape, outputs: Outputs) -> int:
    """Return the stride of a head's grid; 0 where it is none."""
    for stride in STRIDES:
        grid = outputs.height // stride, outputs.width // stride
        if len(shape) == 5 and length(shape[4]) >= 6:
            first, last = tuple(shape[2:4]), tuple(shape[1:3])
            if (shape[1] == 3 and first == grid) or (shape[3] == 3 and last == grid):
                return stride
        flat = len(shape) == 4 and _head_numbers(shape)
        if flat and grid in (tuple(shape[2:]), tuple(shape[1:3])):
            return stride
    return 0


def _head_numbers(shape: Shape) -> int:
    """Return numbers of an anchor, 5 + classes; 0 where the shape is no head's."""
    if len(shape) == 5:
        return length(shape[4])
    if len(shape) != 4:
        return 0
    square = length(shape[1]) == length(shape[2])
    channels = length(shape[3]) if square and shape[2] != shape[3] else length(shape[1])
    # Features of a network have channels in eights; 5 + classes times three rarely.
    fits = channels % 3 == 0 and channels % 8 and 6 <= channels // 3 <= 5 + 91
    return channels // 3 if fits else 0


def _first_name(outputs: Outputs) -> str:
    return next(iter(outputs.of_rank(3)), "")


def _first(outputs: Outputs) -> Shape:
    """Return the shape of the first output of rank 3, which holds one picture's boxes."""
    shape = outputs.shapes.get(_first_name(outputs), ())
    return shape if shape and (shape[0] == 1 or not isinstance(shape[0], int)) else ()


def _mask_outputs(outputs: Outputs) -> list[str]:
    return outputs.of_rank(4) if len(outputs.shapes) == 2 else []


def _mask_count(outputs: Outputs) -> int:
    """Return the number of prototypes of masks; 0 without."""
    names = _mask_outputs(outputs)
    if not names:
        return 0
    shape = [length(axis) for axis in outputs.shapes[names[0]]]
    return shape[3 if channels_last(shape) else 1] or _MASKS


def _has_other_outputs(outputs: Outputs) -> bool:
    """Return whether there is more than boxes, and prototypes of masks."""
    return len(outputs.shapes) - len(_mask_outputs(outputs)) != 1


def _has_auxiliary(outputs: Outputs) -> bool:
    """Return whether all outputs are alike, as of YOLO v9 with its auxiliary head."""
    return len({tuple(shape) for shape in outputs.shapes.values()}) == 1


def _is_anchor_free(outputs: Outputs) -> bool:
    return "stride" in outputs.structure.metadata and bool(outputs.structure.task)


def _is_transposed(outputs: Outputs) -> bool:
    """Return whether the boxes of YOLO v8 come as (1, boxes, 4 + classes)."""
    shape = _first(outputs)
    if not shape or length(shape[1]) not in counts(outputs):
        return False
    classes = outputs.structure.classes or _COCO
    return length(shape[2]) - _mask_count(outputs) == 4 + classes


def _column_kind(answer: Answer, table: Numbers) -> str:
    """ "pose", "obb" or "detect": by metadata, else by the numbers of a box."""
    numbers = table.shape[1]
    if answer.structure.task:
        return answer.structure.task
    if _mask_outputs(answer):
        return "detect"
    if numbers == _DOTA and "Cos" in answer.structure.head():
        return "obb"
    if numbers == _POSE:
        return "pose"
    # Five and some triples: scores are at most 1, points are in pixels.
    return "pose" if numbers > 5 and (numbers - 5) % 3 == 0 and table[:, 5:].max() > 1 else ""


def _points(values: Numbers, each: int, answer: Answer) -> Numbers:
    """Points (N, K, 3) in 0..1 from rows of x, y and mostly a score, in pixels."""
    points = values[:, : values.shape[1] // each * each].reshape(len(values), -1, each)
    sure = points[:, :, 2:] if each == 3 else np.ones((*points.shape[:2], 1))
    places = points[:, :, :2] / np.array([answer.width, answer.height], np.float64)
    return np.concatenate([places, sure], axis=2)


def _around_turned(boxes: Numbers, angles: Numbers) -> Numbers:
    """Edges of the upright boxes around boxes that are turned by angles in radians."""
    cos, sin = abs(np.cos(angles)), abs(np.sin(angles))
    across, down = boxes[:, 2], boxes[:, 3]
    sizes = np.stack([across * cos + down * sin, across * sin + down * cos], axis=1)
    return centered(np.concatenate([boxes[:, :2], sizes], axis=1))
