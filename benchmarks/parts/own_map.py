"""mAP of the COCO benchmark by brute force, and that of pycocotools where it is installed."""

import json
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

# A true box: picture, class, left, top, right, bottom, whether it is a crowd.
# One that is found: picture, class, score, left, top, right, bottom.
Row = Sequence[float]
_THRESHOLDS = np.linspace(0.5, 0.95, 10)
_RECALLS = np.linspace(0.0, 1.0, 101)


def decoded(
    columns: NDArray[Any], score: float, overlap: float, places: bool = False
) -> list[Row]:
    """Return the boxes of YOLOv8's output: class, score, edges; of one class that share more
    than `overlap` only the surest. places: with the number of the box behind."""
    kinds, scores = columns[4:].argmax(0), columns[4:].max(0).astype(np.float64)
    center, half = columns[:2].astype(np.float64), columns[2:4].astype(np.float64) / 2
    edges = np.concatenate([center - half, center + half]).T
    order = np.argsort(-scores, kind="stable")
    kept: list[int] = []
    for place in order.tolist():
        if scores[place] < score:
            continue
        same = [other for other in kept if kinds[other] == kinds[place]]
        if all(_shared(edges[place], edges[other]) <= overlap for other in same):
            kept.append(place)
    return [
        (int(kinds[n]), float(scores[n]), *edges[n].tolist(), *([n] if places else []))
        for n in kept
    ]


def mean_average_precision(
    truth: Sequence[Any], found: Sequence[Any], masks: bool = False
) -> dict[str, float]:
    """Return mAP at IoU 0.5, and over all thresholds. masks: pixels stand in place of edges."""
    parts = (_shared_pixels, _pixels_within) if masks else (_shared, _within)
    areas = [_areas(truth, found, threshold, *parts) for threshold in _THRESHOLDS]
    return {"map": float(np.mean(areas)), "map50": float(np.mean(areas[0]))}


def _areas(
    truth: Sequence[Any],
    found: Sequence[Any],
    threshold: float,
    shared: Callable[[Any, Any], float],
    within: Callable[[Any, Any], float],
) -> list[float]:
    areas = []
    for kind in sorted({row[1] for row in truth if not row[6]}):
        marks: list[tuple[float, float]] = []
        total = 0
        for picture in sorted({row[0] for row in (*truth, *found)}):
            true = [r for r in truth if r[:2] == (picture, kind) and not r[6]]
            crowds = [r for r in truth if r[:2] == (picture, kind) and r[6]]
            total += len(true)
            taken = set[int]()
            own = [r for r in found if r[:2] == (picture, kind)]
            for row in sorted(own, key=lambda r: -r[2])[:100]:
                free = [n for n in range(len(true)) if n not in taken]
                shares = [(shared(row[3:], true[n][2:6]), n) for n in free]
                best = max(shares, default=(0.0, -1))
                if best[0] >= threshold:
                    taken.add(best[1])
                    marks.append((row[2], 1.0))
                elif not any(within(row[3:], crowd[2:6]) >= threshold for crowd in crowds):
                    marks.append((row[2], 0.0))
        marks.sort(key=lambda mark: -mark[0])
        hits = np.array([hit for _, hit in marks])
        right = hits.cumsum()
        recall, precision = right / total, right / (np.arange(1, len(hits) + 1) + np.spacing(1))
        at = [precision[recall >= each] for each in _RECALLS]
        areas.append(float(np.mean([each.max() if each.size else 0.0 for each in at])))
    return areas


def _shared_pixels(one: Any, two: Any) -> float:
    common = (one[0] & two[0]).sum()
    return float(common / (one[0] | two[0]).sum()) if common else 0.0


def _pixels_within(one: Any, crowd: Any) -> float:
    return float((one[0] & crowd[0]).sum() / max(one[0].sum(), 1))


def _shared(one: Any, two: Any) -> float:
    common = _common(one, two)
    return common / (_area(one) + _area(two) - common) if common else 0.0


def _within(one: Any, crowd: Any) -> float:
    return _common(one, crowd) / _area(one)


def _common(one: Any, two: Any) -> float:
    width = min(one[2], two[2]) - max(one[0], two[0])
    height = min(one[3], two[3]) - max(one[1], two[1])
    return float(width * height) if width > 0 and height > 0 else 0.0


def _area(box: Any) -> float:
    return float((box[2] - box[0]) * (box[3] - box[1]))


def write_coco(
    path: Path,
    pictures: int,
    classes: int,
    truth: Sequence[Row],
    segments: Sequence[object] = (),
) -> None:
    """Write true boxes as the COCO benchmark does. segments: of each."""
    images = [{"id": n, "file_name": f"{n:02}.png", "width": 96, "height": 96} for n in
              range(pictures)]  # fmt: skip
    annotations = [
        {
            "id": number + 1, "image_id": picture, "category_id": kind,
            "bbox": [left, top, right - left, bottom - top],
            "area": (right - left) * (bottom - top), "iscrowd": int(crowd),
            **({"segmentation": segments[number]} if segments else {}),
        }
        for number, (picture, kind, left, top, right, bottom, crowd) in enumerate(truth)
    ]  # fmt: skip
    categories = [{"id": n, "name": str(n)} for n in range(classes)]
    body = {"images": images, "annotations": annotations, "categories": categories}
    path.write_text(json.dumps(body))


def of_pycocotools(path: Path, found: Sequence[Row]) -> dict[str, float] | None:
    """Return the same by pycocotools; None where it is not installed."""
    if find_spec("pycocotools") is None:
        return None
    coco = import_module("pycocotools.coco").COCO(str(path))
    rows = [
        {"image_id": picture, "category_id": kind, "score": score,
         "bbox": [left, top, right - left, bottom - top]}
        for picture, kind, score, left, top, right, bottom in found
    ]  # fmt: skip
    judge = import_module("pycocotools.cocoeval").COCOeval(coco, coco.loadRes(rows), "bbox")
    judge.evaluate()
    judge.accumulate()
    judge.summarize()
    return {"map": float(judge.stats[0]), "map50": float(judge.stats[1])}
