"""Families of detectors: how each writes its boxes, known by the shapes of its outputs.

Sources: the authors' own demo programs of FastestDet, Ultra-Light-Fast-Generic-Face-Detector,
YOLO v2 to v11, YOLOX, SSD (TensorFlow and torchvision), DETR and RT-DETR;
YuNet: modules/objdetect/src/face_detect.cpp of OpenCV.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from inspector.model import Axis, TensorInfo
from inspector.prediction import OutputValue
from inspector.preview.decoders.boxes import Candidates, Numbers, best_of, centred

Arrays = dict[str, Numbers]
Shape = Sequence[Axis]
COLUMNS, ROWS, YOLOX = "YOLO v8 to v11", "YOLO v5 to v7", "YOLOX"
FINISHED, HEADS = "YOLO v10, finished boxes", "YOLO heads"
# DETR's softmax has a last class for "no object", which nearly all of its queries take; the
# sigmoid scores of RT-DETR, Deformable DETR and DINO have none, and its share is then low.
_NO_OBJECT_SHARE = 0.8
_SUM_OFF = 0.02  # how far from 1 rounded probabilities may add up
_QUERIES = 300  # of RT-DETR, in its authors' configurations
_FASTESTDET_STRIDE = 16  # pixels a cell, in its authors' only configuration
_MOST_NUMBERS = 5 + 91  # of a cell: the most classes that COCO's numbering has
_INT8_SUM_OFF = 0.3  # how far from 1 the shares of a cell may add up after int8
_SHARE_OFF = 0.05  # how far beyond 0..1 a rounded share may lie
_YUNET_STRIDES = (8, 16, 32)
_YUNET_PARTS = {"cls": 1, "obj": 1, "bbox": 4, "kps": 10}  # numbers of a cell
_YUNET_NAMES = {f"{part}_{stride}" for part in _YUNET_PARTS for stride in _YUNET_STRIDES}
_MOST_FINISHED = 1000  # boxes that a model with its own selection gives, at most
_ANCHORS = ((1.08, 1.19), (3.42, 4.41), (6.63, 11.38), (9.42, 5.11), (16.62, 10.52))


@dataclass(frozen=True, slots=True)
class Family:
    """A way to write boxes, and the score and overlap that its authors take.

    decode: (outputs by name, width, height of the model's picture) -> Candidates, or None
    where the shapes are not this family's.
    """

    name: str
    score: float
    overlap: float
    decode: Callable[[Arrays, int, int], Candidates | None]


def fitting(
    outputs: Sequence[OutputValue], width: int, height: int
) -> tuple[tuple[Family, Candidates], ...]:
    """Families whose shapes the outputs have, most likely first, with what they propose."""
    arrays = {
        o.name: o.array.astype(np.float64)
        for o in outputs
        if o.array is not None and o.array.dtype.kind in "fiu" and o.array.size
    }
    if not arrays or not width or not height:
        return ()
    tried = ((family, family.decode(arrays, width, height)) for family in FAMILIES)
    return tuple((family, found) for family, found in tried if found is not None)


def letterbox_family(outputs: Sequence[TensorInfo], width: int, height: int) -> str:
    """Return the YOLO family whose output shapes a model declares; empty when it has none.

    These families are trained on whole pictures with gray borders (a letterbox), so stretching
    the picture to the input's size would cost accuracy. width, height: of the model's picture.
    """
    shapes = [output.shape or () for output in outputs if output.kind == "tensor"]
    first = next((shape for shape in shapes if len(shape) == 3), ())
    alone = len(shapes) == 1
    if alone and _is_yolox(first, width, height):
        return YOLOX
    if alone and _is_rows(first, width, height):
        return ROWS
    if _is_columns(first, width, height):
        return COLUMNS
    if alone and tuple(first[1:]) == (_QUERIES, 6):
        return FINISHED
    heads = [shape for shape in shapes if _is_head(shape, width, height)]
    return HEADS if len(heads) > 1 and len(heads) == len(shapes) else ""


def _is_rows(shape: Shape, width: int, height: int) -> bool:
    """YOLO v5 to v7: (1, boxes, 5 + classes), three boxes a cell."""
    boxes, numbers = _last_two(shape)
    fits = numbers >= 6 and boxes > 0 and boxes % 3 == 0
    return fits and boxes // 3 in _numbers_of_cells(width, height)


def _is_yolox(shape: Shape, width: int, height: int) -> bool:
    """YOLOX: (1, boxes, 5 + classes), one box a cell of three grids."""
    boxes, numbers = _last_two(shape)
    return numbers >= 6 and boxes == len(_cells(width, height))


def _is_columns(shape: Shape, width: int, height: int) -> bool:
    """YOLO v8 and later: (1, 4 + classes, boxes)."""
    numbers, boxes = _last_two(shape)
    return numbers >= 5 and boxes in _numbers_of_cells(width, height)


def _is_head(shape: Shape, width: int, height: int) -> bool:
    """A grid of YOLO v3 to v7 with three anchors: (1, 3, rows, columns, 5 + classes), or with
    the anchors behind the grid."""
    if len(shape) != 5 or not isinstance(shape[4], int) or shape[4] < 6:
        return False
    grids = [(height // stride, width // stride) for stride in (8, 16, 32, 64)]
    first, last = (shape[2], shape[3]), (shape[1], shape[2])
    return (shape[1] == 3 and first in grids) or (shape[3] == 3 and last in grids)


def _last_two(shape: Shape) -> tuple[int, int]:
    """Lengths of the last two of three axes; 0 for what is free, or of another rank."""
    if len(shape) != 3:
        return 0, 0
    one, two = (axis if isinstance(axis, int) else 0 for axis in shape[1:])
    return one, two


def _only(arrays: Arrays, rank: int) -> Numbers | None:
    """The only output without its batch axis; None when there are others or several."""
    if len(arrays) != 1:
        return None
    array = next(iter(arrays.values()))
    return array[0] if array.ndim == rank + 1 and array.shape[0] == 1 else None


def _fastestdet(arrays: Arrays, width: int, height: int) -> Candidates | None:
    """FastestDet: a grid (1, 5 + classes, rows, columns), or a list (1, cells, 5 + classes)."""
    grid, listed = _only(arrays, 3), _only(arrays, 2)
    if listed is not None and is_fastestdet_list((1, *listed.shape), width, height):
        sides = height // _FASTESTDET_STRIDE, width // _FASTESTDET_STRIDE
        grid = listed.T.reshape(-1, *sides)
    if grid is None or len(grid) < 6 or width % grid.shape[2] or height % grid.shape[1]:
        return None
    rows, columns = grid.shape[1:]
    objects, shares = grid[0], grid[5:]
    if width // columns not in (8, 16, 32) or not _nearly_shares(objects):
        return None
    # The median, since int8 rounds many small shares of one cell to nothing.
    if not _nearly_shares(shares) or np.median(abs(shares.sum(axis=0) - 1)) > _INT8_SUM_OFF:
        return None
    across, down = np.meshgrid(np.arange(columns), np.arange(rows))
    centre = [(across + np.tanh(grid[1])) / columns, (down + np.tanh(grid[2])) / rows]
    edges = centred(np.stack([*centre, _sigmoid(grid[3]), _sigmoid(grid[4])], axis=-1))
    objects, shares = np.clip(objects, 0, 1), np.clip(shares, 0, 1)
    scores = (objects**0.6 * shares.max(axis=0) ** 0.4).ravel()
    return Candidates(edges.reshape(-1, 4), scores, shares.argmax(axis=0).ravel())


def is_fastestdet_list(shape: Shape, width: int, height: int) -> bool:
    """Return whether a shape lists FastestDet's cells: (1, cells, 5 + classes)."""
    cells, numbers = _last_two(shape)
    sides = width // _FASTESTDET_STRIDE, height // _FASTESTDET_STRIDE
    # More numbers a cell are features of a vision transformer, whose patches are 16 pixels too.
    return 6 <= numbers <= _MOST_NUMBERS and cells > 0 and cells == sides[0] * sides[1]


def is_yunet(outputs: Sequence[TensorInfo]) -> bool:
    """Return whether outputs have the twelve names of YuNet's three grids."""
    return {output.name for output in outputs} == _YUNET_NAMES


def _yunet(arrays: Arrays, width: int, height: int) -> Candidates | None:
    """YuNet: scores, objectness, boxes and points of each cell of three grids."""
    if set(arrays) != _YUNET_NAMES:
        return None
    edges, scores = [], []
    for stride in _YUNET_STRIDES:
        rows, columns = -(-height // stride), -(-width // stride)
        cells = rows * columns
        parts = {part: arrays[f"{part}_{stride}"] for part in _YUNET_PARTS}
        if any(array.size != cells * _YUNET_PARTS[part] for part, array in parts.items()):
            return None
        box = parts["bbox"].reshape(cells, 4)
        across, down = np.meshgrid(np.arange(columns), np.arange(rows))
        centre = box[:, :2] + np.stack([across.ravel(), down.ravel()], axis=1)
        sizes = np.exp(np.clip(box[:, 2:], -20, 20))
        edges.append(centred(np.concatenate([centre, sizes], axis=1) * stride))
        both = np.clip(parts["cls"], 0, 1).ravel() * np.clip(parts["obj"], 0, 1).ravel()
        scores.append(np.sqrt(both))
    found = np.concatenate(scores)
    kinds = np.zeros(len(found), np.int64)
    return Candidates(_scaled(np.concatenate(edges), width, height), found, kinds)


def _nearly_shares(values: Numbers) -> bool:
    """Whether values are within 0..1, but for what a quantized model rounds."""
    return bool(values.min() >= -_SHARE_OFF and values.max() <= 1 + _SHARE_OFF)


def _scores_and_corners(arrays: Arrays, width: int, height: int) -> Candidates | None:
    if len(arrays) != 2:
        return None
    corners = next((a[0] for a in arrays.values() if a.ndim == 3 and a.shape[2] == 4), None)
    shares = next((a[0] for a in arrays.values() if a.ndim == 3 and a.shape[2] != 4), None)
    if corners is None or shares is None or len(corners) != len(shares) or "logits" in arrays:
        return None
    if shares.shape[1] < 2 or shares.min() < 0 or shares.max() > 1:
        return None
    edges = _in_shares(corners, width, height)
    if abs(shares.sum(axis=1) - 1).max() > _SUM_OFF:  # each class by itself: no background
        return best_of(edges, shares)
    return best_of(edges, shares[:, 1:])  # 0 is background


def _detr(arrays: Arrays, width: int, height: int) -> Candidates | None:
    """DETR: boxes in shares of the picture, softmax over the classes and "no object"."""
    found = _queries(arrays)
    if found is None or not _has_no_object(found[1]):
        return None
    boxes, logits = found
    shares = logits if _are_shares(logits) else _softmax(logits)
    return best_of(centred(boxes), shares[:, :-1])


def _rt_detr(arrays: Arrays, width: int, height: int) -> Candidates | None:
    """RT-DETR, Deformable DETR, DINO: each class has a sigmoid score of its own.

    Boxes and scores in two outputs, or as Ultralytics writes them: (1, 300, 4 + classes).
    """
    found = _queries(arrays)
    rows = _only(arrays, 2)
    if found is None and rows is not None and _is_rt_detr(rows):
        found = rows[:, :4], rows[:, 4:]
    if found is None or _has_no_object(found[1]):
        return None
    boxes, scores = found
    return best_of(centred(boxes), scores if _are_shares(scores) else _sigmoid(scores))


def _has_no_object(logits: Numbers) -> bool:
    """Whether the last class says that there is nothing, as in DETR."""
    if logits.shape[1] < 2:
        return False
    ready = _are_shares(logits)
    if ready and abs(logits.sum(axis=1) - 1).max() > _SUM_OFF:
        return False
    shares = logits if ready else _softmax(logits)
    return bool(np.median(shares[:, -1]) >= _NO_OBJECT_SHARE)


def _is_rt_detr(rows: Numbers) -> bool:
    if len(rows) != _QUERIES or rows.shape[1] < 5:
        return False
    whole = rows.shape[1] == 6 and bool((rows[:, 5] == np.rint(rows[:, 5])).all())
    # Six numbers of which the last is whole: a box, its score and the number of its class.
    return not whole and _are_shares(rows[:, 4:]) and bool(abs(rows[:, :4]).max() <= 2)


def _are_shares(values: Numbers) -> bool:
    return bool(values.min() >= 0 and values.max() <= 1)


def _queries(arrays: Arrays) -> tuple[Numbers, Numbers] | None:
    """Boxes (queries, 4) and scores (queries, classes), by the names that exporters give."""
    for box_name, score_names in _QUERY_NAMES.items():
        boxes = arrays.get(box_name)
        logits = next((arrays[name] for name in score_names if name in arrays), None)
        if boxes is None or logits is None or boxes.ndim != 3 or logits.ndim != 3:
            continue
        if boxes.shape[:2] == logits.shape[:2] and boxes.shape[2] == 4:
            return boxes[0], logits[0]
    return None


def _listed(arrays: Arrays, width: int, height: int) -> Candidates | None:
    """Boxes, classes and scores in outputs of their own, as detection models export them."""
    flat = {name: array.reshape(array.shape[array.ndim > 1 and len(array) == 1 :])
            for name, array in arrays.items()}  # fmt: skip
    boxes = next(((n, a[0] if a.ndim == 3 else a) for n, a in arrays.items()
                  if a.ndim in (2, 3) and a.shape[-1] == 4), None)  # fmt: skip
    if boxes is None or len(arrays) < 3:
        return None
    name, edges = boxes
    rows = {n: a.ravel() for n, a in flat.items() if n != name and a.size == len(edges)}
    scores = next((n for n in rows if "score" in n.lower()), None)
    kinds = next((n for n in rows if "class" in n.lower() or "label" in n.lower()), None)
    if scores is None or kinds is None:
        return None
    if "detection" in name:  # TensorFlow's corners start with y
        edges = edges[:, [1, 0, 3, 2]]
    edges = _in_shares(edges, width, height)
    return Candidates(edges, rows[scores], rows[kinds].astype(np.int64))


def _yolo_rows(arrays: Arrays, width: int, height: int) -> Candidates | None:
    """YOLO v5 to v7: (1, boxes, 5 + classes), in pixels."""
    rows = _only(arrays, 2)
    if rows is None or not _is_rows((1, *rows.shape), width, height):
        return None
    shares = rows[:, 4:5] * rows[:, 5:]
    return best_of(_in_shares(centred(rows), width, height), shares)


def _yolox(arrays: Arrays, width: int, height: int) -> Candidates | None:
    """YOLOX: one box a cell of three grids, its place relative to the cell."""
    rows, cells = _only(arrays, 2), _cells(width, height)
    if rows is None or not _is_yolox((1, *rows.shape), width, height):
        return None
    places, strides = cells[:, :2], cells[:, 2:]
    sizes = np.exp(np.clip(rows[:, 2:4], -20, 20))
    boxes = np.concatenate([rows[:, :2] + places, sizes], axis=1) * strides
    return best_of(_scaled(centred(boxes), width, height), rows[:, 4:5] * rows[:, 5:])


def _yolo_columns(arrays: Arrays, width: int, height: int) -> Candidates | None:
    """YOLO v8 and later: (1, 4 + classes, boxes), in pixels; masks may follow elsewhere."""
    first = next((a for a in arrays.values() if a.ndim == 3 and a.shape[0] == 1), None)
    if first is None or not _is_columns(first.shape, width, height):
        return None
    columns, protos = first[0], [a for a in arrays.values() if a.ndim == 4]
    masks = protos[0].shape[1] if len(protos) == 1 else 0
    if len(arrays) > 2 or (len(arrays) == 2 and not masks) or len(columns) - 4 <= masks:
        return None
    pose = len(columns) > 5 and (len(columns) - 5) % 3 == 0 and columns[4].max() <= 1
    shares = columns[4 : len(columns) - masks].T
    shares = shares[:, :1] if pose and shares.max() > 1 else shares
    return best_of(_in_shares(centred(columns[:4].T), width, height), shares)


def _finished(arrays: Arrays, width: int, height: int) -> Candidates | None:
    """YOLO v10 and later: (1, boxes, 6) of corners, score and class; nothing overlaps."""
    rows = _only(arrays, 2)
    if rows is None or rows.shape[1] != 6 or len(rows) > _MOST_FINISHED:
        return None
    edges = _in_shares(rows[:, :4], width, height)
    return Candidates(edges, rows[:, 4], rows[:, 5].astype(np.int64))


def _yolo2(arrays: Arrays, width: int, height: int) -> Candidates | None:
    """Tiny YOLO v2: (1, 125, 13, 13), five anchors, twenty classes of Pascal VOC."""
    grid = _only(arrays, 3)
    if grid is None or len(grid) != 125:
        return None
    rows, columns = grid.shape[1:]
    parts = grid.reshape(5, 25, rows, columns)
    across, down = np.meshgrid(np.arange(columns), np.arange(rows))
    anchors = np.array(_ANCHORS)[:, :, None, None]
    sizes = np.exp(np.clip(parts[:, 2:4], -20, 20)) * anchors
    centre = [(_sigmoid(parts[:, 0]) + across) / columns, (_sigmoid(parts[:, 1]) + down) / rows]
    boxes = np.stack([*centre, sizes[:, 0] / columns, sizes[:, 1] / rows], axis=-1)
    shares = _softmax(parts[:, 5:]) * _sigmoid(parts[:, 4:5])
    return best_of(centred(boxes).reshape(-1, 4), np.moveaxis(shares, 1, -1).reshape(-1, 20))


def _cells(width: int, height: int) -> Numbers:
    """Place and stride of each cell of the grids of 8, 16 and 32 pixels: (N, 3)."""
    parts = []
    for stride in (8, 16, 32):
        across, down = np.meshgrid(np.arange(width // stride), np.arange(height // stride))
        cell = [across.ravel(), down.ravel(), np.full(across.size, stride)]
        parts.append(np.stack(cell, axis=1).astype(np.float64))
    return np.concatenate(parts)


def _numbers_of_cells(width: int, height: int) -> frozenset[int]:
    """How many cells the grids of such models have together: small ones leave out the finest
    grid, large ones add a coarser one."""
    grids = [(width // stride) * (height // stride) for stride in (8, 16, 32, 64)]
    return frozenset((sum(grids[:3]), sum(grids), sum(grids[1:3])))


def _in_shares(edges: Numbers, width: int, height: int) -> Numbers:
    """Edges in 0..1, whether they came so or in pixels."""
    return _scaled(edges, width, height) if edges.size and np.nanmax(edges) > 2 else edges


def _scaled(edges: Numbers, width: int, height: int) -> Numbers:
    scaled: Numbers = edges / np.array([width, height, width, height], np.float64)
    return scaled


def _softmax(values: Numbers) -> Numbers:
    """Softmax over axis 1."""
    powers = np.exp(values - values.max(axis=1, keepdims=True))
    shares: Numbers = powers / powers.sum(axis=1, keepdims=True)
    return shares


def _sigmoid(values: Numbers) -> Numbers:
    sigmoid: Numbers = 1 / (1 + np.exp(-np.clip(values, -60, 60)))
    return sigmoid


# Transformers, the authors of DETR and RT-DETR, and RF-DETR.
_QUERY_NAMES = {
    "pred_boxes": ("logits", "pred_logits"),
    "boxes": ("logits",),
    "dets": ("labels",),
}
FAMILIES = (
    Family("FastestDet", 0.65, 0.45, _fastestdet),
    Family("YuNet faces", 0.7, 0.3, _yunet),
    Family("DETR", 0.7, 1.0, _detr),
    Family("RT-DETR: sigmoid scores", 0.5, 1.0, _rt_detr),
    Family("SSD: boxes, classes, scores", 0.5, 0.5, _listed),
    Family("Faces: scores and corners", 0.7, 0.3, _scores_and_corners),
    Family(FINISHED, 0.25, 1.0, _finished),
    Family(YOLOX, 0.3, 0.45, _yolox),
    Family(ROWS, 0.25, 0.45, _yolo_rows),
    Family(COLUMNS, 0.25, 0.45, _yolo_columns),
    Family("Tiny YOLO v2", 0.3, 0.45, _yolo2),
)
