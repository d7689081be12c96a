"""Detectors with one box per cell and no anchors: CenterNet, NanoDet, YOLO-NAS.

Sources: xingyizhou/CenterNet (src/lib/models/decode.py), RangiLyu/nanodet
(nanodet/model/head/nanodet_plus_head.py and gfl_head.py), Deci-AI/super-gradients
(documentation/source/models_export.md).
"""

import numpy as np

from inspector.preview.detectors.boxes import Candidates, Numbers, best_of, centered
from inspector.preview.detectors.output_arrays import (
    Answer,
    Outputs,
    Shape,
    cells,
    ends_with,
    in_shares,
    length,
    number_of_cells,
    scaled,
    sigmoid,
    softmax,
)

_CENTERNET_STRIDE = 4
_MOST_CENTERS = 300
_BINS = 8  # of each side's distance in NanoDet: reg_max 7 and nothing
_NANODET_STRIDES = ((8, 16, 32, 64), (8, 16, 32))
NANODET_SIDES = 4 * _BINS  # numbers of a cell for the distances to its sides
_STRIDE = 16  # pixels a cell, in its authors' only configuration
_MOST_NUMBERS = 5 + 91  # of a cell: the most classes that COCO's numbering has
_INT8_SUM_OFF = 0.3  # how far from 1 the shares of a cell may add up after int8
_SHARE_OFF = 0.05  # how far beyond 0..1 a rounded share may lie
# What its head joins: an objectness through Sigmoid, four numbers, classes through Softmax.
_HEAD = frozenset(("Concat", "Sigmoid", "Softmax"))


def nanodet_strides(outputs: Outputs) -> tuple[int, ...]:
    """Return the strides of NanoDet's grids, (1, cells, classes + 32); () for other models."""
    shape = outputs.only
    if len(shape) != 3 or not outputs.width or length(shape[2]) <= NANODET_SIDES:
        return ()
    if length(shape[2]) > NANODET_SIDES + 91:
        return ()
    # With three grids other families have as many cells; only COCO's classes tell them apart.
    if length(shape[2]) in (4 + 80, 5 + 80):
        return ()  # YOLO on COCO
    candidates = (
        _NANODET_STRIDES if length(shape[2]) == NANODET_SIDES + 80 else _NANODET_STRIDES[:1]
    )
    for strides in candidates:
        if length(shape[1]) == number_of_cells(outputs.width, outputs.height, strides):
            return strides
    return ()


def nanodet(answer: Answer) -> Candidates | None:
    """Return the boxes of NanoDet: scores, then the shares of eight distances to each side."""
    strides = nanodet_strides(answer)
    if not strides:
        return None
    rows = answer.single
    scores, bins = (
        rows[:, :-NANODET_SIDES],
        rows[:, -NANODET_SIDES:].reshape(len(rows), 4, _BINS),
    )
    places = cells(answer.width, answer.height, strides)
    stride = places[:, 2:]
    far = (softmax(bins, 2) @ np.arange(_BINS)) * stride
    # NanoDet-Plus, with four grids, starts at a cell's corner; the first NanoDet in its middle.
    start = (places[:, :2] + (0 if len(strides) == 4 else 0.5)) * stride
    edges = np.concatenate([start - far[:, :2], start + far[:, 2:]], axis=1)
    shares = sigmoid(scores) if _is_raw(answer, scores) else scores
    return best_of(scaled(edges, answer.width, answer.height), shares)


def distance_heads(outputs: Outputs) -> dict[int, tuple[str, str]]:
    """Return the names of scores and distances for each stride of a detector that writes them
    apart: NanoDet of 2020 in three grids, PicoDet in four. Empty for other models. Both may be
    (cells, numbers), (1, cells, numbers), or the grid itself with channels first."""
    if not outputs.width or len(outputs.shapes) not in (6, 8):
        return {}
    strides = _NANODET_STRIDES[0 if len(outputs.shapes) == 8 else 1]
    heads: dict[int, dict[bool, str]] = {stride: {} for stride in strides}
    widths = set()
    for name, shape in outputs.shapes.items():
        stride, numbers = _grid_of(shape, outputs, strides)
        sides = numbers == NANODET_SIDES
        if not stride or sides in heads[stride] or numbers < 1:
            return {}
        heads[stride][sides] = name
        widths |= set() if sides else {numbers}
    whole = all(len(names) == 2 for names in heads.values()) and len(widths) == 1
    return {s: (names[False], names[True]) for s, names in heads.items()} if whole else {}


def distance_classes(outputs: Outputs) -> int:
    """Return the number of classes of `distance_heads`."""
    heads = distance_heads(outputs)
    if not heads:
        return 0
    stride, (scores, _) = next(iter(heads.items()))
    return _grid_of(outputs.shapes[scores], outputs, (stride,))[1]


def from_distances(answer: Answer) -> Candidates | None:
    """Return the boxes of NanoDet of 2020 and PicoDet: scores of each cell, and the shares of
    eight distances from its middle to each side."""
    heads = distance_heads(answer)
    if not heads:
        return None
    edges, shares = [], []
    for stride, (score_name, side_name) in heads.items():
        places = (cells(answer.width, answer.height, (stride,))[:, :2] + 0.5) * stride
        scores = _as_rows(answer.arrays[score_name], len(places))
        bins = _as_rows(answer.arrays[side_name], len(places)).reshape(len(places), 4, _BINS)
        far = (softmax(bins, 2) @ np.arange(_BINS)) * stride
        edges.append(np.concatenate([places - far[:, :2], places + far[:, 2:]], axis=1))
        raw = scores.min() < 0 or scores.max() > 1
        shares.append(sigmoid(scores) if raw else scores)
    boxes = scaled(np.concatenate(edges), answer.width, answer.height)
    return best_of(boxes, np.concatenate(shares))


def _grid_of(shape: Shape, outputs: Outputs, strides: tuple[int, ...]) -> tuple[int, int]:
    """Return the stride of the grid that a shape lists, and how many numbers a cell has."""
    for stride in strides:
        rows, columns = -(-outputs.height // stride), -(-outputs.width // stride)
        if len(shape) in (2, 3) and length(shape[-2]) == rows * columns:
            return stride, length(shape[-1])
        if len(shape) == 4 and tuple(shape[2:]) == (rows, columns):
            return stride, length(shape[1])
    return 0, 0


def _as_rows(array: Numbers, rows: int) -> Numbers:
    """Return numbers as (cells, numbers), from a list or from a grid with channels first."""
    if array.ndim == 4:
        return array.reshape(-1, rows).T
    return array.reshape(rows, -1)


def is_centernet(outputs: Outputs) -> bool:
    """CenterNet: grids of a quarter of the picture: classes, two sizes and mostly offsets."""
    return bool(_centernet_names(outputs))


def centernet(answer: Answer) -> Candidates | None:
    """Return the boxes around the peaks of CenterNet's heat map."""
    names = _centernet_names(answer)
    if not names:
        return None
    heat, size, offset = (answer.arrays[n][0] if n else None for n in names)
    assert heat is not None
    assert size is not None
    shares = sigmoid(heat) if _is_raw(answer, heat, names[0]) else heat
    peaks = np.where(shares == _largest_around(shares), shares, 0)
    rows, columns = heat.shape[1:]
    flat = peaks.ravel()
    best = np.argsort(-flat, kind="stable")[:_MOST_CENTERS]
    kinds, place = np.divmod(best, rows * columns)
    y, x = np.divmod(place, columns)
    moved = np.full((2, len(best)), 0.5) if offset is None else offset[:, y, x]
    half = size[:, y, x] / 2
    across, down = x + moved[0], y + moved[1]
    edges = np.stack([across - half[0], down - half[1], across + half[0], down + half[1]], 1)
    return Candidates(scaled(edges, columns, rows), flat[best], kinds.astype(np.int64))


def is_yolo_nas(outputs: Outputs) -> bool:
    """YOLO-NAS: (1, cells, 4) and (1, cells, classes), one box per cell of three grids."""
    return bool(yolo_nas_names(outputs))


def yolo_nas(answer: Answer) -> Candidates | None:
    """Return the boxes of YOLO-NAS: corners in pixels, and a score for each class."""
    names = yolo_nas_names(answer)
    if not names:
        return None
    edges, scores = (answer.arrays[name][0] for name in names)
    return best_of(in_shares(edges, answer.width, answer.height), scores)


def yolo_nas_names(outputs: Outputs) -> tuple[str, ...]:
    """Return the names of boxes and scores of YOLO-NAS; () for other models."""
    if len(outputs.shapes) != 2 or len(outputs.of_rank(3)) != 2 or not outputs.width:
        return ()
    rows = number_of_cells(outputs.width, outputs.height)
    boxes = [n for n, shape in outputs.shapes.items() if ends_with(shape, (rows, 4))]
    others = [n for n in outputs.shapes if n not in boxes[:1]]
    fits = boxes and len(others) == 1 and length(outputs.shapes[others[0]][1]) in (0, rows)
    matches = fits and length(outputs.shapes[boxes[0]][1]) == rows
    return (boxes[0], others[0]) if matches else ()


def centernet_classes(outputs: Outputs) -> int:
    """Return the number of classes of CenterNet's heat map."""
    return max((length(shape[1]) for shape in outputs.shapes.values()), default=0)


def yolo_nas_classes(outputs: Outputs) -> int:
    """Return the number of classes of YOLO-NAS."""
    names = yolo_nas_names(outputs)
    return length(outputs.shapes[names[1]][-1]) if names else 0


def nanodet_classes(outputs: Outputs) -> int:
    """Return the number of classes of NanoDet's single output."""
    return length(outputs.only[2]) - NANODET_SIDES if len(outputs.only) == 3 else 0


def _centernet_names(outputs: Outputs) -> tuple[str, ...]:
    """Return the names of heat map, sizes and offsets ("" for none); () for other models."""
    if len(outputs.shapes) not in (2, 3) or not outputs.width:
        return ()
    grid = outputs.height // _CENTERNET_STRIDE, outputs.width // _CENTERNET_STRIDE
    if any(len(s) != 4 or not ends_with(s, grid) for s in outputs.shapes.values()):
        return ()
    pairs = [n for n, shape in outputs.shapes.items() if shape[1] == 2]
    heats = [n for n in outputs.shapes if n not in pairs]
    if len(heats) != 1 or len(pairs) != len(outputs.shapes) - 1:
        return ()
    sizes = [n for n in pairs if "wh" in n.lower() or "size" in n.lower()] or pairs
    rest = [n for n in pairs if n != sizes[0]]
    return heats[0], sizes[0], rest[0] if rest else ""


def _largest_around(planes: Numbers) -> Numbers:
    """Return the largest value among the nine of which each is the middle."""
    framed = np.pad(planes, ((0, 0), (1, 1), (1, 1)), constant_values=-np.inf)
    rows, columns = planes.shape[1:]
    around = [framed[:, i : i + rows, j : j + columns] for i in range(3) for j in range(3)]
    largest: Numbers = np.maximum.reduce(around)
    return largest


def _is_raw(answer: Answer, scores: Numbers, *names: str) -> bool:
    """Return whether scores still have to go through a sigmoid: by the graph, else by their
    range."""
    if answer.structure.has_graph:
        return "Sigmoid" not in answer.structure.head(*names)
    return bool(scores.min() < -0.05 or scores.max() > 1.05)


def is_list(shape: Shape, width: int, height: int) -> bool:
    """Return whether a shape lists FastestDet's cells: (1, cells, 5 + classes)."""
    if len(shape) != 3 or not width:
        return False
    cells, numbers = length(shape[1]), length(shape[2])
    # More numbers per cell are features of a vision transformer with patches of 16 pixels.
    return 6 <= numbers <= _MOST_NUMBERS and cells == (width // _STRIDE) * (height // _STRIDE)


def is_grid(shape: Shape, width: int, height: int) -> bool:
    """Return whether a shape is FastestDet's grid: (1, 5 + classes, rows, columns)."""
    grid = height // _STRIDE, width // _STRIDE
    fits = len(shape) == 4 and tuple(shape[2:]) == grid and bool(width)
    return fits and 6 <= length(shape[1]) <= _MOST_NUMBERS


def fastestdet_classes(outputs: Outputs) -> int:
    """Return the number of classes of FastestDet."""
    return length(outputs.only[1 if len(outputs.only) == 4 else 2]) - 5


def is_fastestdet(outputs: Outputs) -> bool:
    """Return whether outputs are FastestDet's: by its list, or by grid and head."""
    shape, size = outputs.only, (outputs.width, outputs.height)
    if is_list(shape, *size):
        return True
    free = len(shape) == 4 and not any(isinstance(axis, int) for axis in shape[2:])
    grid = free and not outputs.width and 6 <= length(shape[1]) <= _MOST_NUMBERS
    return (grid or is_grid(shape, *size)) and outputs.structure.head() >= _HEAD


def fastestdet(answer: Answer) -> Candidates | None:
    """Return the boxes of FastestDet's cells."""
    shape, size = answer.only, (answer.width, answer.height)
    if is_list(shape, *size):
        sides = answer.height // _STRIDE, answer.width // _STRIDE
        grid = answer.single.T.reshape(-1, *sides)
    elif is_grid(shape, *size):
        grid = answer.single
    else:
        return None
    if not is_fastestdet(answer) and (answer.structure.has_graph or not _has_shares(grid)):
        return None
    rows, columns = grid.shape[1:]
    objects, shares = np.clip(grid[0], 0, 1), np.clip(grid[5:], 0, 1)
    across, down = np.meshgrid(np.arange(columns), np.arange(rows))
    center = [(across + np.tanh(grid[1])) / columns, (down + np.tanh(grid[2])) / rows]
    edges = centered(np.stack([*center, sigmoid(grid[3]), sigmoid(grid[4])], axis=-1))
    scores = (objects**0.6 * shares.max(axis=0) ** 0.4).ravel()
    return Candidates(edges.reshape(-1, 4), scores, shares.argmax(axis=0).ravel())


def _has_shares(grid: Numbers) -> bool:
    """Return whether values are FastestDet's, where no graph says so: an objectness and
    shares."""
    objects, shares = grid[0], grid[5:]
    if not _nearly_shares(objects) or not _nearly_shares(shares):
        return False
    # The median, since int8 rounds many small shares of one cell to nothing.
    return bool(np.median(abs(shares.sum(axis=0) - 1)) <= _INT8_SUM_OFF)


def _nearly_shares(values: Numbers) -> bool:
    """Return whether values are within 0..1, but for what a quantized model rounds."""
    return bool(values.min() >= -_SHARE_OFF and values.max() <= 1 + _SHARE_OFF)
