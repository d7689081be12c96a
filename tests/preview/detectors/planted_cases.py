"""The families' outputs with one planted object each, as `planted_models` builds them."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from inspector.preview.detectors import anchors as anchors_module
from inspector.preview.detectors.output_arrays import cells
from tests.preview.detectors.planted_models import Array, Output, Part, Planted, out

S = 96  # side of the picture: 12 x 12, 6 x 6 and 3 x 3 cells
N = 189  # of cells
BOX = (36.0, 24.0, 60.0, 40.0)  # edges of the planted object in pixels
CX, CY, W, H = 48.0, 32.0, 24.0, 16.0
KIND = 3
ULTRALYTICS = {"stride": "32", "names": str({i: str(i) for i in range(80)}), "task": "detect"}


@dataclass(frozen=True)
class Case:
    """A planted model and what has to come out.

    family: in the reason of the guess. order, scale, resize: of the guess. way: name of the
    decoder. box: in pixels; none for other kinds. kind: class. points: how many. layouts: of
    the input, that the family occurs in.
    """

    planted: Planted
    family: str
    guess: tuple[str, str, str]
    way: str = ""
    box: tuple[float, ...] = BOX
    kind: int = KIND
    points: int = 0
    near: float = 1.0
    layouts: tuple[str, ...] = ("nchw", "nhwc")


def _f(*shape: int) -> NDArray[np.float64]:
    return np.zeros(shape)


def _rows(numbers: int, count: int = 3 * N) -> NDArray[np.float64]:
    table = _f(1, count, numbers)
    table[0, :, :4] = 8, 8, 4, 4
    return table


def _yolo5(numbers: int = 85) -> NDArray[np.float64]:
    table = _rows(numbers)
    table[0, 77, :5] = CX, CY, W, H, 1
    table[0, 77, 5 + KIND] = 1
    return table


def _faces() -> tuple[Part, ...]:
    """As its authors join them: place, size, score, each of five points, class."""
    table = _rows(16)
    table[0, 77, :5] = CX, CY, W, H, 1
    table[0, 77, 5:15] = np.tile([48, 32], 5)
    table[0, 77, 15] = 1
    ends = (0, 2, 4, 5, 7, 9, 11, 13, 15, 16)
    return tuple(Part(table[..., a:b]) for a, b in pairwise(ends))


def _text(side: int = S) -> NDArray[np.float64]:
    """A region that grows to the planted box: by 16 * 8 * 1.5 / (2 * (16 + 8)) = 4 pixels."""
    plane = _f(1, 1, side, side)
    plane[0, 0, 28:36, 40:56] = 0.9
    plane[0, 0, 60:62, 10:40] = 0.9  # too low for letters
    plane[0, 0, 80:88, 40:56] = 0.4  # not sure enough
    return plane


def _yolo8(numbers: int = 84) -> NDArray[np.float64]:
    table = _rows(numbers, N)
    table[0, 77, :4] = CX, CY, W, H
    table[0, 77, 4 + KIND] = 1
    return table.transpose(0, 2, 1)


def _pose8() -> NDArray[np.float64]:
    table = _rows(56, N)
    table[0, 77, :5] = CX, CY, W, H, 1
    table[0, 77, 5:] = np.tile([48, 32, 1], 17)
    return table.transpose(0, 2, 1)


def _pose7() -> NDArray[np.float64]:
    table = _rows(57)
    table[0, 77, :6] = CX, CY, W, H, 1, 1
    table[0, 77, 6:] = np.tile([48, 32, 1], 17)
    return table


def _obb() -> NDArray[np.float64]:
    table = _rows(20, N)
    table[0, 77, :4] = CX, CY, H, W  # upright after a quarter turn
    table[0, 77, 4 + KIND] = 1
    table[0, 77, 19] = np.pi / 2
    return table.transpose(0, 2, 1)


def _prototypes() -> NDArray[np.float64]:
    planes = _f(1, 32, S // 4, S // 4)
    planes[0, 0] = 1
    return planes


def _segmented(table: NDArray[np.float64], rows: bool) -> NDArray[np.float64]:
    if rows:
        table[0, 77, -32] = 1
    else:
        table[0, -32, 77] = 1
    return table


def _finished(numbers: int = 6) -> NDArray[np.float64]:
    table = _f(1, 300, numbers)
    table[0, 0, :6] = *BOX, 0.9, KIND
    if numbers > 6:
        table[0, 0, 6] = 1
    return table


def _finished_pose() -> NDArray[np.float64]:
    table = _finished(57)
    table[0, 0, 5:] = 0, *np.tile([48, 32, 1], 17)
    return table


def _finished_obb() -> NDArray[np.float64]:
    table = _f(1, 300, 7)
    table[0, 0] = CX, CY, H, W, 0.9, KIND, np.pi / 2  # upright after a quarter turn
    return table


def _counted(number: str, prefix: str) -> tuple[Output, ...]:
    """As TensorRT's plugin for NMS gives them, and exports with NMS that follow it."""
    boxes, scores, kinds = _listed(False)
    return (
        out(number, np.array([[1]], np.int64)),
        out(f"{prefix}boxes", boxes * S),
        out(f"{prefix}scores", scores),
        out(f"{prefix}classes", kinds.astype(np.int64)),
    )


def _one_a_cell(raw: bool) -> NDArray[np.float64]:
    table = _rows(85, N)
    place = 12 * 12 + 2 * 6 + 3  # row 2, column 3 of the grid of 16 pixels: 48, 32
    table[0, place, :5] = (
        (0, 0, np.log(W / 16), np.log(H / 16), 1) if raw else (CX, CY, W, H, 1)
    )
    table[0, place, 5 + KIND] = 1
    if raw:
        table[0, np.arange(N) != place, :4] = 0
    return table


def _yolox(decoded: bool = False) -> Output:
    table = _one_a_cell(not decoded)
    parts = (Part(table[..., :4]), Part(table[..., 4:], "" if decoded else "Sigmoid"))
    return Output("output", parts, -1, ("Mul",) if decoded else ("Transpose",))


def _heads(shape: str, sigmoid: bool) -> tuple[Output, ...]:
    """Three grids with the planted object in the finest but one, anchor 0 of 30 x 61."""
    outputs = []
    for stride in (8, 16, 32):
        side = S // stride
        grid = np.full((3, side, side, 85), 0.0 if sigmoid else -9.0)
        if stride == 16:
            cell = grid[0, 2, 3]  # its center is that of the cell
            if shape == "v5":
                sizes = [np.sqrt(W / 30) / 2, np.sqrt(H / 61) / 2]
                cell[:4] = 0.25, 0.25, *sizes
            elif shape == "v4":
                cell[:4] = 0.05 / 1.1, 0.05 / 1.1, np.log(W / 36), np.log(H / 75)
            else:
                cell[:4] = 1e-3, 1e-3, np.log(W / 30), np.log(H / 61)
            if not sigmoid:
                raw = slice(0, 4) if shape == "v5" else slice(0, 2)
                cell[raw] = np.log(cell[raw] / (1 - cell[raw]))
            cell[4] = cell[5 + KIND] = 1 if sigmoid else 9
        layouts = {
            "v5": grid,
            "v4": grid.transpose(1, 2, 0, 3),
            "v3": grid.transpose(0, 3, 1, 2).reshape(255, side, side),
        }
        operator = "Sigmoid" if sigmoid else ""
        outputs.append(out(f"head_{stride}", layouts[shape][None], operator))
    return tuple(outputs)


def _v3_list() -> tuple[Output, ...]:
    boxes, scores = _f(1, 50, 4), _f(1, 80, 50)
    boxes[0, 9] = BOX[1], BOX[0], BOX[3], BOX[2]
    scores[0, KIND, 9] = 0.9
    chosen = np.array([[0, KIND, 9]], np.int32)
    return out("boxes", boxes), out("scores", scores), out("indices", chosen)


def _pair(rows: int, classes: int, edges: tuple[float, ...], kind: int) -> list[Array]:
    corners, scores = _f(1, rows, 4), np.full((1, rows, classes), 0.01)
    corners[0, 7], scores[0, 7, kind] = edges, 0.95
    return [corners, scores]


def _queries(number: int, classes: int, no_object: bool) -> tuple[Output, ...]:
    boxes, logits = np.full((1, number, 4), 0.5), np.full((1, number, classes), -9.0)
    boxes[0, 7] = CX / S, CY / S, W / S, H / S
    logits[0, 7, KIND] = 9
    if no_object:
        logits[0, :, -1] = 0
    return out("logits", logits), out("pred_boxes", boxes)


def _query_rows() -> tuple[Output, ...]:
    """As Ultralytics writes them: boxes in shares, then the score of each class."""
    boxes, scores = np.full((1, 300, 4), 0.5), np.full((1, 300, 80), 0.01)
    boxes[0, 7], scores[0, 7, KIND] = (CX / S, CY / S, W / S, H / S), 0.95
    return (Output("output0", (Part(boxes, "Sigmoid"), Part(scores, "Sigmoid")), -1),)


def _shares() -> tuple[float, ...]:
    return tuple(value / S for value in BOX)


def _listed(y_first: bool) -> list[Array]:
    left, top, right, bottom = _shares()
    boxes, scores, kinds = _f(1, 10, 4), _f(1, 10), _f(1, 10)
    boxes[0, 0] = (top, left, bottom, right) if y_first else (left, top, right, bottom)
    scores[0, 0], kinds[0, 0] = 0.9, KIND
    return [boxes, scores, kinds]


def _from_anchors(side: int, ratios: tuple[tuple[float, float], ...]) -> tuple[int, Array]:
    """Place of the anchor nearest to the planted size, and what moves it there."""
    anchors = anchors_module.pyramid_anchors(side, side, ratios)
    far = abs(anchors - np.array([CX, CY, W, H])).sum(axis=1)
    place = int(far.argmin())
    x, y, w, h = anchors[place]
    return place, np.array([(CX - x) / w, (CY - y) / h, np.log(W / w), np.log(H / h)])


def _ssd_tensorflow() -> tuple[Output, ...]:
    """Anchors as multiple_grid_anchor_generator makes them, one after the other."""
    rows = []
    scales = [0.2 + 0.15 * n for n in range(6)] + [1.0]
    for n, stride in enumerate((16, 32, 64, 128, 256, 512)):
        side = -(-S // stride)
        kinds = [(scales[n], r) for r in (1, 2, 0.5, 3, 1 / 3)]
        kinds += [((scales[n] * scales[n + 1]) ** 0.5, 1)]
        kinds = kinds if n else [(0.1, 1), (0.2, 2), (0.2, 0.5)]
        for y in range(side):
            for x in range(side):
                for scale, ratio in kinds:
                    center = (x + 0.5) / side, (y + 0.5) / side
                    rows.append((*center, scale * ratio**0.5, scale / ratio**0.5))
    anchors = np.array(rows) * S
    place = int(abs(anchors - np.array([CX, CY, W, H])).sum(axis=1).argmin())
    x, y, w, h = anchors[place]
    boxes, scores = _f(1, len(rows), 4), np.full((1, len(rows), 91), -9.0)
    moved = 10 * (CY - y) / h, 10 * (CX - x) / w, 5 * np.log(H / h), 5 * np.log(W / w)
    boxes[0, place], scores[0, place, KIND + 1] = moved, 3.0
    scores[0, :, 0] = 9.0  # background
    return out("box_encodings", boxes), out("class_predictions", scores)


def _efficientdet() -> tuple[Output, ...]:
    place, moved = _from_anchors(128, anchors_module._EFFICIENTDET_RATIOS)
    many = len(anchors_module.pyramid_anchors(128, 128, anchors_module._EFFICIENTDET_RATIOS))
    boxes, scores = _f(1, many, 4), np.full((1, many, 90), 0.001)
    boxes[0, place] = moved[[1, 0, 3, 2]]
    scores[0, place, KIND] = 0.95
    return out("regression", boxes), out("classification", scores, "Sigmoid")


def _retinanet() -> tuple[Output, ...]:
    place, moved = _from_anchors(128, anchors_module._RETINANET_RATIOS)
    outputs, start = [], 0
    for stride in (8, 16, 32, 64, 128):
        side = 128 // stride
        many = side * side * 9
        scores, boxes = np.full((9, 20, side, side), 0.001), _f(9, 4, side, side)
        if start <= place < start + many:
            cell, anchor = divmod(place - start, 9)
            row, column = divmod(cell, side)
            scores[anchor, KIND, row, column] = 0.95
            boxes[anchor, :, row, column] = moved
        outputs.append(out(f"cls_{stride}", scores.reshape(1, -1, side, side), "Sigmoid"))
        outputs.append(out(f"box_{stride}", boxes.reshape(1, -1, side, side)))
        start += many
    return tuple(sorted(outputs, key=lambda each: each.name))


def _centernet() -> tuple[Output, ...]:
    side = S // 4
    heat, sizes, moved = np.full((1, 80, side, side), 0.001), _f(1, 2, side, side), None
    heat[0, KIND, 8, 12] = 0.9
    sizes[0, :, 8, 12] = W / 4, H / 4
    moved = _f(1, 2, side, side)
    return out("hm", heat, "Sigmoid"), out("wh", sizes), out("reg", moved)


def _nanodet(strides: tuple[int, ...]) -> tuple[Output, ...]:
    grid = cells(S, S, strides)
    plus = len(strides) == 4
    start = (grid[:, :2] + (0 if plus else 0.5)) * grid[:, 2:]
    centre = np.array([CX, CY]) + (0 if plus else 4)
    place = int(abs(start - centre).sum(axis=1).argmin())
    stride = grid[place, 2]
    scores, bins = np.full((1, len(grid), 80), 0.001), np.full((1, len(grid), 4, 8), -12.0)
    far = np.array([start[place, 0] - BOX[0], start[place, 1] - BOX[1],
                    BOX[2] - start[place, 0], BOX[3] - start[place, 1]]) / stride  # fmt: skip
    for side, distance in enumerate(far):
        low = int(distance)
        share = distance - low
        bins[0, place, side, low] = np.log(max(1 - share, 1e-5))
        bins[0, place, side, low + 1] = np.log(max(share, 1e-5))
    scores[0, place, KIND] = 0.95
    parts = Part(scores, "Sigmoid"), Part(bins.reshape(1, len(grid), 32))
    return (Output("output", parts, -1),)


def _fastestdet(listed: bool) -> tuple[Output, ...]:
    objects, numbers, shares = _f(1, 1, 6, 6), _f(1, 4, 6, 6), np.full((1, 80, 6, 6), 0.0125)
    objects[0, 0, 2, 3] = 0.9  # at 48, 32
    for place, share in ((2, W / S), (3, H / S)):
        numbers[0, place, 2, 3] = np.log(share / (1 - share))
    shares[0, :, 2, 3] = 0.001
    shares[0, KIND, 2, 3] = 0.92
    if not listed:
        parts = Part(objects, "Sigmoid"), Part(numbers), Part(shares, "Softmax")
        return (Output("out", parts, 1),)
    table = np.concatenate([objects, numbers, shares], axis=1).reshape(1, 85, -1)
    return (out("out", table.transpose(0, 2, 1)),)


def _yunet() -> tuple[Output, ...]:
    outputs = []
    for part, numbers in anchors_module._YUNET_PARTS.items():
        for stride in (8, 16, 32):
            values = _f(1, (S // stride) ** 2, numbers)
            if stride == 16:
                place = 2 * 6 + 3
                wanted = {
                    "cls": 0.9,
                    "obj": 0.9,
                    "bbox": (0, 0, np.log(W / 16), np.log(H / 16)),
                }
                values[0, place] = wanted.get(part, 0)
            operator = "Sigmoid" if part in ("cls", "obj") else ""
            outputs.append(out(f"{part}_{stride}", values, operator))
    return tuple(outputs)


def _priors(sizes: dict[int, tuple[int, ...]]) -> tuple[int, int, Array]:
    """Number of priors, place of the nearest, and what moves it to the planted box."""
    rows = []
    for stride, sides in sizes.items():
        places = cells(S, S, (stride,), len(sides))
        side = np.tile(sides, len(places) // len(sides))[:, None]
        rows.append(np.concatenate([(places[:, :2] + 0.5) * stride, side, side], axis=1))
    priors = np.concatenate(rows)
    place = int(abs(priors - np.array([CX, CY, W, H])).sum(axis=1).argmin())
    x, y, w, h = priors[place]
    moved = [(CX - x) / w / 0.1, (CY - y) / h / 0.1, np.log(W / w) / 0.2, np.log(H / h) / 0.2]
    return len(priors), place, np.array(moved)


def _retinaface() -> tuple[Output, ...]:
    many, place, moved = _priors(dict(anchors_module._FACE_SIZES))
    loc, marks = _f(1, many, 4), _f(1, many, 10)
    conf = np.tile([0.999, 0.001], (1, many, 1))
    loc[0, place], conf[0, place] = moved, (0.05, 0.95)
    return out("loc", loc), out("conf", conf, "Softmax"), out("landms", marks)


def _yunet_2022() -> tuple[Output, ...]:
    many, place, moved = _priors(dict(anchors_module._PRIOR_SIZES))
    loc, conf, iou = _f(many, 14), np.tile([0.999, 0.001], (many, 1)), _f(many, 1)
    loc[place, :4], conf[place], iou[place] = moved, (0.05, 0.95), 0.95
    return out("loc", loc), out("conf", conf, "Softmax"), out("iou", iou)


def _scrfd(batch: bool, points: bool) -> tuple[Output, ...]:
    outputs = []
    for numbers in (1, 4, 10) if points else (1, 4):
        for stride in (8, 16, 32):
            values = _f(2 * (S // stride) ** 2, numbers)
            if stride == 16:
                row = 2 * (2 * 6 + 3)  # starts at 48, 32
                far = np.array([CX - BOX[0], CY - BOX[1], BOX[2] - CX, BOX[3] - CY]) / 16
                values[row] = {1: 0.9, 4: far, 10: 0}[numbers]
            operator = "Sigmoid" if numbers == 1 else ""
            outputs.append(
                out(f"{440 + len(outputs)}", values[None] if batch else values, operator)
            )
    return tuple(outputs)


def _raw_priors() -> tuple[Output, ...]:
    """UltraFace without its decoding: offsets from anchors, background and face."""
    many, place, moved = _priors(dict(anchors_module._PRIOR_SIZES))
    offsets = np.tile([0.3, 0.2, -1.5, -0.4], (1, many, 1))  # corners would have no area
    scores = np.tile([0.99, 0.01], (1, many, 1))
    offsets[0, place], scores[0, place] = moved, (0.05, 0.95)
    return out("scores", scores, "Softmax"), out("boxes", offsets)


def _corners(many: int) -> tuple[Output, ...]:
    """UltraFace with its decoding, which raises e to a power."""
    scores = np.where(np.arange(many)[:, None] == 9, [0.05, 0.95], [0.99, 0.01])[None]
    boxes = np.tile((0.2, 0.3, 0.4, 0.6), (1, many, 1))
    return out("scores", scores, "Softmax"), out("boxes", boxes, "Exp")


def _apart(strides: tuple[int, ...], grids: bool = False) -> tuple[Output, ...]:
    """NanoDet of 2020 and PicoDet: scores of each grid, then distances of each grid."""
    scores, sides = [], []
    for stride in strides:
        places = (cells(S, S, (stride,))[:, :2] + 0.5) * stride
        score = np.full((1, len(places), 80), 0.001)
        bins = np.full((1, len(places), 4, 8), -12.0)
        if stride == 16:
            place = int(abs(places - np.array([CX, CY])).sum(axis=1).argmin())
            x, y = places[place]
            for side, far in enumerate((x - BOX[0], y - BOX[1], BOX[2] - x, BOX[3] - y)):
                low, share = int(far / stride), far / stride % 1
                bins[0, place, side, low] = np.log(max(1 - share, 1e-5))
                bins[0, place, side, low + 1] = np.log(max(share, 1e-5))
            score[0, place, KIND] = 0.95
        table, side_count = bins.reshape(1, len(places), 32), S // stride
        if grids:
            score, table = (
                each.transpose(0, 2, 1).reshape(1, -1, side_count, side_count)
                for each in (score, table)
            )
        scores.append(out(f"cls_{stride}", score, "Sigmoid"))
        sides.append(out(f"dis_{stride}", table))
    return (*scores, *sides)


def _selected() -> tuple[Output, ...]:
    """Boxes, classes, scores and their number, under names that say nothing."""
    left, top, right, bottom = _shares()
    boxes, kinds, scores = _f(1, 10, 4), _f(1, 10), np.full((1, 10), 0.99)
    boxes[0, 0], kinds[0, 0], scores[0, 0] = (top, left, bottom, right), KIND, 0.9
    values = boxes, kinds, scores, np.array([1.0])  # what follows the first is left over
    return tuple(out(f"call:{3 - i}", each) for i, each in enumerate(values))


def _yolo2() -> tuple[Output, ...]:
    """The planted box in the cell of its middle, by the first of five anchors."""
    grid = _f(1, 5, 25, 3, 3)
    grid[0, :, 4] = -9
    column, row = int(CX // 32), int(CY // 32)
    x, y = CX / 32 - column, CY / 32 - row
    cell = [np.log(max(v, 1e-4) / max(1 - v, 1e-4)) for v in (x, y)]
    cell += [np.log(W / 32 / 1.08), np.log(H / 32 / 1.19), 6.0]
    grid[0, 0, :5, row, column] = cell
    grid[0, 0, 5 + KIND, row, column] = 12
    return (out("grid", grid.reshape(1, 125, 3, 3)),)


def _blaze(side: int, kind: tuple[int, int]) -> tuple[Output, ...]:
    grids = anchors_module._blaze_rows(side)[kind[0]]
    centres = np.concatenate([(cells(side, side, (s,), n)[:, :2] + 0.5) * s for s, n in grids])
    place = int(abs(centres - np.array([CX, CY])).sum(axis=1).argmin())
    numbers, scores = _f(1, *kind), np.full((1, kind[0], 1), -9.0)
    numbers[0, place, :4] = CX - centres[place, 0], CY - centres[place, 1], W, H
    scores[0, place] = 4
    return out("regressors", numbers), out("classificators", scores)


def _multipose() -> tuple[Output, ...]:
    table = _f(1, 6, 56)
    left, top, right, bottom = _shares()
    table[0, 0, :51] = np.tile([CY / S, CX / S, 1], 17)
    table[0, 0, 51:] = top, left, bottom, right, 0.9
    return (out("output_0", table),)


def _case(
    name: str,
    outputs: tuple[Output, ...],
    family: str,
    guess: tuple[str, str, str],
    way: str,
    **more: object,
) -> Case:
    own = ("box", "kind", "points", "near", "layouts")
    side = {key: more.pop(key) for key in own if key in more}
    size = more.pop("size", (S, S))
    more["layout"] = side.get("layouts", ("nchw",))[0]
    return Case(Planted(name, outputs, size, **more), family, guess, way, **side)


_LETTERBOX, _PLAIN = ("rgb", "1", "fit"), ("rgb", "1", "stretch")
_V5, _V8, _V10 = "YOLO v5 to v7", "YOLO v8 to v12", "YOLO v10, finished boxes"
DETECTORS = (
    _case("yolo5", (out("output0", _yolo5()),), _V5, _LETTERBOX, _V5),
    _case("yolo5_seg", (out("output0", _segmented(_yolo5(117), True)),
                        out("output1", _prototypes())), _V5, _LETTERBOX, _V5),
    _case("yolo5_11_classes", (out("output0", _yolo5(16)),), _V5, _LETTERBOX, _V5),
    _case("yolo5_face", (Output("output", _faces()),), "YOLO v5 faces", _LETTERBOX,
          "YOLO v5 faces", kind=0, points=5),
    _case("paddle_text", (out("sigmoid_0.tmp_0", _text(), "Sigmoid"),),
          "text detection (PaddleOCR)", ("bgr", "1", "stretch"), "Regions of text (DB)",
          input_name="x", kind=0),
    _case("opencv_text", (out("output", _text(736), "Sigmoid"),), "text detection (DB)",
          ("bgr", "255", "stretch"), "Regions of text (DB)", size=(736, 736), kind=0),
    _case("yolo7_pose", (out("output", _pose7()),), _V5, _LETTERBOX, _V5, kind=0, points=17),
    _case("yolo7_list", (out("output", np.array([[0, *BOX, KIND, 0.9]] * 1 + [[0.0] * 7])),),
          "YOLO v7", _LETTERBOX, "YOLO v7: listed boxes"),
    _case("yolo8", (out("output0", _yolo8()),), _V8, _LETTERBOX, _V8),
    _case("yolo8_transposed", (out("output0", _yolo8().transpose(0, 2, 1)),), _V8, _LETTERBOX,
          _V8),
    _case("yolo8_metadata", (out("output0", _yolo8()),), _V8, _LETTERBOX, _V8,
          metadata=ULTRALYTICS),
    _case("yolo8_seg", (out("output0", _segmented(_yolo8(116), False)),
                        out("output1", _prototypes())), _V8, _LETTERBOX, _V8),
    _case("yolo8_seg_tflite", (out("a", _prototypes().transpose(0, 2, 3, 1)),
                               out("b", _segmented(_yolo8(116), False))),
          _V8, _LETTERBOX, _V8),
    _case("yolo8_pose", (out("output0", _pose8()),), _V8, _LETTERBOX, _V8, kind=0, points=17),
    _case("yolo8_obb", (out("output0", _obb(), after=("Cos",)),), _V8, _LETTERBOX, _V8,
          near=1.5),
    _case("yolo9_auxiliary", (out("output0", _yolo8()), out("output1", _yolo8())), _V8,
          _LETTERBOX, _V8),
    _case("yolo10", (out("output0", _finished()),), _V10, _LETTERBOX, _V10),
    _case("yolo26_pose", (out("output0", _finished_pose()),), _V10, _LETTERBOX, _V10, kind=0,
          points=17),
    _case("yolo26_obb", (out("output0", _finished_obb()),), _V10, _LETTERBOX, _V10, near=1.5,
          metadata={**ULTRALYTICS, "task": "obb"}),
    _case("yolo6_nms", _counted("num_dets", "det_"), "YOLO v6 to v8, listed boxes", _LETTERBOX,
          "SSD: boxes, classes, scores"),
    _case("yolo26_seg", (out("output0", _finished(38)), out("output1", _prototypes())), _V10,
          _LETTERBOX, _V10),
    _case("yolo5_heads", _heads("v5", True), "YOLO heads", _LETTERBOX, "YOLO heads"),
    _case("yolo5_raw_heads", _heads("v5", False), "YOLO heads", _LETTERBOX, "YOLO heads"),
    _case("yolo3_heads", _heads("v3", False), "YOLO heads", _LETTERBOX, "YOLO heads", near=3),
    _case("yolo4_heads", _heads("v4", False), "YOLO v4 (TensorFlow)", _LETTERBOX,
          "YOLO heads", near=3),
    _case("yolo3_zoo", _v3_list(), "YOLO v3 (model zoo)", _LETTERBOX,
          "YOLO v3: selected", more_inputs=("image_shape",)),
    _case("yolo4_pair", (out("boxes", _pair(N, 80, _shares(), KIND)[0][:, :, None]),
                         out("confs", _pair(N, 80, _shares(), KIND)[1])),
          "YOLO v4", _PLAIN, "YOLO v4"),
    _case("yolo6", (_yolox(True),), "YOLO v6", _LETTERBOX, "YOLO v6"),
    _case("yolox", (_yolox(),), "YOLOX", ("bgr", "255", "fit"), "YOLOX"),
    _case("yolo_nas", (out("boxes", _pair(N, 80, BOX, KIND)[0]),
                       out("scores", _pair(N, 80, BOX, KIND)[1], "Sigmoid")),
          "YOLO-NAS", _LETTERBOX, "YOLO-NAS"),
    _case("yolo_nas_nms", _counted("graph2_num_predictions", "graph2_pred_"),
          "YOLO-NAS, listed boxes", ("rgb", "255", "stretch"), "SSD: boxes, classes, scores",
          dtype="uint8"),
    _case("yolo_nas_flat", (out("graph2_flat_predictions", np.array(
              [[0, *BOX, 0.9, KIND]] * 1 + [[0.0] * 7])),),
          "YOLO-NAS, listed boxes", ("rgb", "255", "stretch"), "YOLO v7: listed boxes",
          dtype="uint8"),
    _case("rt_detr", _queries(300, 80, False), "RT-DETR", _PLAIN, "RT-DETR: sigmoid scores"),
    _case("rt_detr_rows", _query_rows(), "RT-DETR", _PLAIN, "RT-DETR: sigmoid scores"),
    _case("rt_detr_listed", (out("labels", np.full((1, 300), KIND, np.int64)),
                             out("boxes", np.tile(BOX, (1, 300, 1))),
                             out("scores", np.eye(1, 300) * 0.9)),
          "RT-DETR", _PLAIN, "SSD: boxes, classes, scores",
          more_inputs=("orig_target_sizes",)),
    _case("detr", _queries(100, 92, True), "DETR", _PLAIN, "DETR"),
    _case("rf_detr", (out("labels", _queries(300, 91, False)[0].values),
                      out("dets", _queries(300, 91, False)[1].values)),
          "RF-DETR", _PLAIN, "RT-DETR: sigmoid scores"),
    _case("ssd_tensorflow", (out("detection_boxes", _listed(True)[0]),
                             out("detection_scores", _listed(True)[1]),
                             out("detection_classes", _listed(True)[2]),
                             out("num_detections", np.array([1.0]))),
          "TensorFlow detector", ("rgb", "255", "stretch"), "SSD: boxes, classes, scores",
          dtype="uint8"),
    _case("ssd_torchvision", (out("boxes", np.tile(BOX, (4, 1))),
                              out("labels", np.full(4, KIND, np.int64)),
                              out("scores", np.array([0.9, 0, 0, 0]))),
          "torchvision detector", _PLAIN, "SSD: boxes, classes, scores", layouts=("nchw",)),
    _case("rcnn_zoo", (out("6568", np.tile(BOX, (4, 1))),
                       out("6570", np.full(4, KIND, np.int64)),
                       out("6572", np.array([0.9, 0, 0, 0]))),
          "Faster or Mask R-CNN (model zoo)", ("bgr", "255", "stretch"),
          "SSD: boxes, classes, scores", layouts=("nchw",),
          operators=("RoiAlign", "NonMaxSuppression")),
    _case("ssd_zoo", (out("bboxes", _listed(False)[0]),
                      out("labels", _listed(False)[2].astype(np.int64)),
                      out("scores", _listed(False)[1])),
          "SSD (model zoo)", _PLAIN, "SSD: boxes, classes, scores"),
    _case("ssd_tensorflow_raw", _ssd_tensorflow(), "SSD (TensorFlow)",
          ("rgb", "-1..1", "stretch"), "SSD: offsets and scores"),
    _case("ssd_pytorch", (out("scores", np.where(np.arange(3000)[:, None] == 9, np.eye(21)[4],
                                                 np.eye(21)[0])[None], "Softmax"),
                          out("boxes", np.tile((0.2, 0.3, 0.4, 0.6), (1, 3000, 1)))),
          "SSD (PyTorch)", ("rgb", "255", "stretch"), "Faces: scores and corners",
          size=(300, 300), box=(60, 90, 120, 180)),
    _case("ssd_caffe", (out("detection_out", np.array(
              [[[[0, KIND, 0.9, *_shares()], [-1, 0, 0, 0, 0, 0, 0]]]])),),
          "SSD of Caffe", ("bgr", "255", "stretch"), "SSD: DetectionOutput"),
    _case("retinanet", _retinanet(), "RetinaNet", _PLAIN, "RetinaNet heads", size=(128, 128),
          near=2),
    _case("efficientdet", _efficientdet(), "EfficientDet", _LETTERBOX, "EfficientDet anchors",
          size=(128, 128), near=2),
    _case("efficientdet_list", (out("detections", np.array(
              [[[0, BOX[1], BOX[0], BOX[3], BOX[2], 0.9, KIND], [0.0] * 7]])),),
          "EfficientDet (TensorFlow)", ("rgb", "255", "fit"), "EfficientDet: listed boxes",
          dtype="uint8"),
    _case("centernet", _centernet(), "CenterNet", ("bgr", "1", "fit"), "CenterNet"),
    _case("nanodet_plus", _nanodet((8, 16, 32, 64)), "NanoDet", ("bgr", "255", "stretch"),
          "NanoDet"),
    _case("nanodet", _nanodet((8, 16, 32)), "NanoDet", ("bgr", "255", "stretch"), "NanoDet"),
    _case("fastestdet", _fastestdet(False), "FastestDet", ("bgr", "1", "stretch"),
          "FastestDet"),
    _case("fastestdet_list", _fastestdet(True), "FastestDet", ("bgr", "1", "stretch"),
          "FastestDet"),
    _case("yunet", _yunet(), "YuNet", ("bgr", "255", "fit"), "YuNet faces", kind=0, points=5),
    _case("yunet_2022", _yunet_2022(), "YuNet (2022)", ("bgr", "255", "fit"),
          "YuNet faces (2022)", kind=0, points=5),
    _case("scrfd", _scrfd(True, True), "SCRFD", ("rgb", "255", "fit"), "SCRFD faces", kind=0,
          points=5),
    _case("scrfd_flat", _scrfd(False, True), "SCRFD", ("rgb", "255", "fit"), "SCRFD faces",
          kind=0, points=5),
    _case("scrfd_without_points", _scrfd(True, False), "SCRFD", ("rgb", "255", "fit"),
          "SCRFD faces", kind=0),
    _case("retinaface", _retinaface(), "RetinaFace", ("bgr", "255", "stretch"), "RetinaFace",
          kind=0, points=5),
    _case("ultraface", _corners(4420), "UltraFace", ("rgb", "255", "stretch"),
          "Faces: scores and corners", size=(320, 240), box=(64, 72, 128, 144), kind=0),
    _case("ultraface_640", _corners(17_640), "UltraFace", ("rgb", "255", "stretch"),
          "Faces: scores and corners", size=(640, 480), box=(128, 144, 256, 288), kind=0),
    _case("ultraface_raw", _raw_priors(), "UltraFace", ("rgb", "255", "stretch"),
          "Faces: scores and offsets", kind=0),
    _case("nanodet_apart", _apart((8, 16, 32)), "NanoDet (2020)", ("bgr", "255", "stretch"),
          "NanoDet (2020), PicoDet"),
    _case("nanodet_grids", _apart((8, 16, 32), True), "NanoDet (2020)",
          ("bgr", "255", "stretch"), "NanoDet (2020), PicoDet"),
    _case("picodet", _apart((8, 16, 32, 64)), "PicoDet", _PLAIN, "NanoDet (2020), PicoDet"),
    _case("tflite_detection", _selected(), "TensorFlow Lite detector",
          ("rgb", "-1..1", "stretch"), "TensorFlow Lite: selected boxes",
          selector="TFLite_Detection_PostProcess"),
    _case("tiny_yolo2", _yolo2(), "Tiny YOLO v2", ("rgb", "255", "stretch"), "Tiny YOLO v2",
          size=(96, 96)),
    _case("blazeface", _blaze(128, (896, 16)), "MediaPipe's face", ("rgb", "-1..1", "fit"),
          "MediaPipe detector", size=(128, 128), kind=0, points=6),
    _case("blazeface_back", _blaze(256, (896, 16)), "MediaPipe's face",
          ("rgb", "-1..1", "fit"), "MediaPipe detector", size=(256, 256), kind=0, points=6),
    _case("blazeface_full", _blaze(192, (2304, 16)), "MediaPipe's face",
          ("rgb", "-1..1", "fit"), "MediaPipe detector", size=(192, 192), kind=0, points=6),
    _case("blazepalm", _blaze(192, (2016, 18)), "MediaPipe's palm", _LETTERBOX,
          "MediaPipe detector", size=(192, 192), kind=0, points=7),
    _case("blazepose", _blaze(224, (2254, 12)), "MediaPipe's pose", ("rgb", "-1..1", "fit"),
          "MediaPipe detector", size=(224, 224), kind=0, points=4),
    _case("blazepose_128", _blaze(128, (896, 12)), "MediaPipe's pose",
          ("rgb", "-1..1", "fit"), "MediaPipe detector", size=(128, 128), kind=0, points=4),
    _case("movenet_multipose", _multipose(), "MoveNet", ("rgb", "255", "fit"),
          "MoveNet MultiPose", dtype="int32", kind=0, points=17),
)  # fmt: skip


def _maps(channels: int, width: int, height: int, x: int, y: int) -> Array:
    maps = _f(1, channels, height, width)
    maps[0, :, y, x] = 0.9
    return maps


def _plane(side: int = S) -> Array:
    """The left half is there, the right is not."""
    plane = np.full((1, 1, side, side), 0.05)
    plane[..., : side // 2] = 0.95
    return plane


def _segments(classes: int, side: int) -> Array:
    planes = _f(1, classes, side, side)
    planes[0, 0] = 1
    planes[0, KIND, :, : side // 2] = 2
    return planes


def _numbers() -> Array:
    return np.where(np.arange(S) < S // 2, KIND, 0)[None, None].repeat(S, 1)[0]


_IMAGENET = ("rgb", "1", "stretch")
# Way, number of points or share of pixels that are no background, and where a point lies.
PLACES: tuple[tuple[Case, object], ...] = (
    (_case("movenet", (out("output_0", np.tile([0.25, 0.5, 0.9], (1, 1, 17, 1))),), "MoveNet",
           ("rgb", "255", "fit"), "Listed points", dtype="int32"),
     (17, 0.5, 0.25)),
    (_case("openpose", (out("heatmaps", _maps(19, 57, 32, 28, 8)),
                        out("pafs", _f(1, 38, 32, 57))), "OpenPose (lightweight)",
           ("bgr", "255", "fit"),
           "OpenPose heat maps", size=(456, 256)), (18, 0.5, 0.266)),
    (_case("openpose_together", (out("net_output", np.concatenate(
               [_maps(19, 46, 46, 23, 11), _f(1, 38, 46, 46)], axis=1)),), "OpenPose",
           ("bgr", "255", "fit"), "OpenPose heat maps", size=(368, 368)), (18, 0.51, 0.25)),
    (_case("hrnet", (out("output", _maps(17, 24, 32, 12, 8)),), "a pose model", _IMAGENET,
           "Heat maps", size=(96, 128)), (17, 0.52, 0.266)),
    (_case("hrnet_channels_last", (out("output", np.moveaxis(_maps(17, 24, 32, 12, 8), 1, 3)),),
           "a pose model", _IMAGENET, "Heat maps", size=(96, 128)), (17, 0.52, 0.266)),
    (_case("hand_landmarks", (out("Identity", np.tile([112.0, 56, 0], (1, 21)).reshape(1, 63)),
                              out("Identity_1", np.ones((1, 1)))),
           "MediaPipe's landmarks", ("rgb", "1", "fit"), "MediaPipe landmarks",
           size=(224, 224)), (21, 0.5, 0.25)),
    (_case("face_mesh", (out("mesh", np.tile([96.0, 48, 0], (1, 468)).reshape(1, 1404)),
                         out("score", np.ones((1, 1)))),
           "MediaPipe's landmarks", ("rgb", "1", "fit"), "MediaPipe landmarks",
           size=(192, 192)), (468, 0.5, 0.25)),
    (_case("midas", (out("output", _plane()[0], "Relu"),), "a depth model", _IMAGENET,
           "Heat map"), None),
    (_case("depth_channels_last", (out("Identity", _plane().transpose(0, 2, 3, 1)),),
           "a depth model", _IMAGENET, "Heat map"), None),
    (_case("depth_anything", (out("predicted_depth", _plane()[0], "Relu"),), "a depth model",
           _IMAGENET, "Heat map"), None),
    (_case("dpt", (out("predicted_depth", _plane()[0], "Relu"),), "DPT",
           ("rgb", "-1..1", "stretch"), "Heat map", layer_prefix="/dpt/"), None),
    (_case("u2net", tuple(out(f"{1959 + i}", _plane(), "Sigmoid") for i in range(7)), "U2Net",
           _IMAGENET, "Mask"), 0.5),
    (_case("deeplab", (out("out", _segments(21, S)), out("aux", _segments(21, S))),
           "DeepLab", _IMAGENET, "Classes of pixels", layouts=("nchw",)), 0.5),
    (_case("segmentation", (out("output", _segments(19, S // 8)),), "a segmentation model",
           _IMAGENET, "Classes of pixels", layouts=("nchw",)), 0.5),
    (_case("deeplab_channels_last", (out("ResizeBilinear",
                                         _segments(21, S).transpose(0, 2, 3, 1)),),
           "a segmentation model (TensorFlow)", ("rgb", "-1..1", "stretch"),
           "Classes of pixels", layouts=("nhwc",)), 0.5),
    (_case("deeplab_tensorflow", (out("SemanticPredictions", np.where(
               np.arange(S) < S // 2, KIND, 0)[None, None].repeat(S, 1)[0].astype(np.int32)),),
           "8-bit", ("rgb", "255", "stretch"), "Classes of pixels",
           dtype="uint8"), 0.5),
    (_case("argmax_channels_last", (out("ArgMax", _numbers(), "ArgMax"),),
           "a segmentation model (TensorFlow)", ("rgb", "-1..1", "stretch"),
           "Classes of pixels", layouts=("nhwc",)), 0.5),
    (_case("deeplab_argmax", (out("ArgMax", _numbers(), "ArgMax"),), "DeepLab (TensorFlow)",
           ("rgb", "-1..1", "stretch"), "Classes of pixels", layouts=("nhwc",),
           layer_prefix="aspp0/"), 0.5),
    (_case("segmentation_argmax", (out("output", _numbers(), "ArgMax"),),
           "class indices", _IMAGENET, "Classes of pixels", layouts=("nchw",)), 0.5),
    (_case("segformer", (out("logits", _segments(150, S // 4)),), "SegFormer", _IMAGENET,
           "Classes of pixels"), 0.5),
)  # fmt: skip
# Models of which only the preprocessing is asked; their outputs are shown as such.
OTHERS = (
    _case("sam_encoder", (out("image_embeddings", _f(1, 256, 64, 64)),),
          "the encoder of Segment Anything", _LETTERBOX, "", size=(1024, 1024)),
    _case("crnn", (out("output", _f(26, 1, 37)),), "CRNN", ("gray", "-1..1", "stretch"), "",
          size=(100, 32), channels=1),
    _case("paddle_line", (out("softmax", np.full((1, 40, 97), 1 / 97), "Softmax"),),
          "text recognition (PaddleOCR)", ("bgr", "-1..1", "fit"), "", size=(320, 48)),
    _case("super_resolution", (out("output", _f(1, 3, 2 * S, 2 * S)),), "super-resolution",
          ("rgb", "1", "crop"), "", layouts=("nchw",)),
    _case("super_resolution_channels_last", (out("output", _f(1, 2 * S, 2 * S, 3)),),
          "super-resolution", ("rgb", "1", "crop"), "", layouts=("nhwc",)),
    _case("style", (out("output", _f(1, 3, S, S)),), "fast neural style",
          ("rgb", "255", "crop"), "", operators=("InstanceNormalization",),
          layouts=("nchw",)),
    _case("anime", (out("output", _f(1, S, S, 3), "Tanh"),), "an image generator",
          ("rgb", "-1..1", "crop"), "", layouts=("nhwc",)),
    _case("teachable", (out("sequential_3", np.full((1, 3), 1 / 3), "Softmax"),),
          "Teachable Machine", ("rgb", "-1..1", "crop"), "", layouts=("nhwc",),
          layer_prefix="sequential_1/model1/Conv1_relu/"),
    _case("keras_mobilenet", (out("predictions", np.full((1, 1000), 1e-3), "Softmax"),),
          "Keras classifier (Inception", ("rgb", "-1..1", "stretch"), "", layouts=("nhwc",),
          layer_prefix="model/mobilenetv2_1.00_224/"),
    _case("keras_resnet", (out("predictions", np.full((1, 1000), 1e-3), "Softmax"),),
          "Keras classifier (ResNet", ("bgr", "255", "stretch"), "", layouts=("nhwc",),
          layer_prefix="resnet50/"),
    _case("keras_mobilenet_v3", (out("predictions", np.full((1, 1000), 1e-3), "Softmax"),),
          "Keras classifier (ConvNeXt", ("rgb", "255", "stretch"), "", layouts=("nhwc",),
          layer_prefix="MobilenetV3small/"),
    _case("keras_densenet", (out("predictions", np.full((1, 1000), 1e-3), "Softmax"),),
          "Keras classifier (DenseNet", _IMAGENET, "", layouts=("nhwc",),
          layer_prefix="densenet121/"),
    _case("yolo5_classify", (out("output0", np.zeros((1, 10))),), "YOLO v5 classifier",
          ("rgb", "1", "crop"), "", metadata={"stride": "32", "names": ULTRALYTICS["names"]}),
    _case("slim", (out("predictions", np.full((1, 1001), 1e-3), "Softmax"),),
          "TensorFlow Slim", ("rgb", "-1..1", "stretch"), "", layouts=("nhwc",)),
    _case("torchvision", (out("output", _f(1, 1000)),), "ImageNet", _IMAGENET, "",
          size=(224, 224), layouts=("nchw",)),
    _case("clip", (out("image_embeds", np.linspace(-1, 1, 512)[None]),), "CLIP",
          ("rgb", "1", "crop"), "", size=(224, 224), input_name="pixel_values",
          layouts=("nchw",)),
    _case("vit", (out("logits", _f(1, 1000)),), "vision transformer",
          ("rgb", "-1..1", "stretch"), "", size=(224, 224), input_name="pixel_values",
          layer_prefix="/vit/", layouts=("nchw",)),
    _case("ultralytics_unknown", (out("output0", _f(1, 7, 11)),), "Ultralytics model",
          _LETTERBOX, "", metadata={"stride": "32", "names": ULTRALYTICS["names"]}),
    _case("ultralytics_classify", (out("output0", np.full((1, 10), 0.1), "Softmax"),),
          "Ultralytics classifier", ("rgb", "1", "crop"), "",
          metadata={**ULTRALYTICS, "task": "classify"}),
)  # fmt: skip
