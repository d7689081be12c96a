"""Detectors with queries (DETR, RT-DETR) and with ready corners beside scores (faces, SSD).

Sources: facebookresearch/detr (models/detr.py), lyuwenyu/RT-DETR (rtdetr_postprocessor.py),
roboflow/rf-detr, Linzaer/Ultra-Light-Fast-Generic-Face-Detector-1MB and qfgaohao/pytorch-ssd
(vision/ssd/predictor.py).
"""

import numpy as np

from inspector.preview.detectors.boxes import Candidates, Numbers, best_of, centered
from inspector.preview.detectors.output_arrays import (
    Answer,
    Outputs,
    in_shares,
    length,
    sigmoid,
    softmax,
)
from inspector.preview.detectors.yolo import FINISHED_POSE

QUERIES = 300  # of RT-DETR, in its authors' configurations
_DETR_QUERIES = 100
_SUM_OFF = 0.02  # how far from 1 rounded probabilities may add up
# DETR's softmax has a last class for "no object", which nearly all of its queries take; the
# sigmoid scores of RT-DETR, Deformable DETR and DINO have none, and its share is then low.
_NO_OBJECT_SHARE = 0.8
_MOST_CLASSES = 365  # of Objects365, the largest data set that RT-DETR is published for
_COCO_WITH_NO_OBJECT = 92
_COCO_SIZES = (80, 90, 91)
# What selects boxes in the graph: (1, 300, 6) is then finished, and not two classes of RT-DETR.
_SELECTS = frozenset(("TopK", "NonMaxSuppression", "Gather", "GatherElements", "GatherND"))
# Transformers, the authors of DETR and RT-DETR, and RF-DETR.
_QUERY_NAMES = {
    "pred_boxes": ("logits", "pred_logits"),
    "boxes": ("logits",),
    "dets": ("labels",),
}


def query_names(outputs: Outputs) -> tuple[str, str] | None:
    """Return the names of boxes (1, queries, 4) and scores (1, queries, classes), or None."""
    for box_name, score_names in _QUERY_NAMES.items():
        boxes = outputs.shapes.get(box_name, ())
        name = next((name for name in score_names if name in outputs.shapes), "")
        scores = outputs.shapes.get(name, ())
        if len(boxes) == 3 == len(scores) and boxes[1] == scores[1] and boxes[2] == 4:
            return box_name, name
    return None


def is_detr(outputs: Outputs) -> bool | None:
    """Return whether queries have a class for "no object", as DETR's; None where only values
    could tell."""
    names = query_names(outputs)
    if names is None:
        return False
    _, queries, classes = map(length, outputs.shapes[names[1]])
    if classes == _COCO_WITH_NO_OBJECT or queries == _DETR_QUERIES:
        return True
    if classes in _COCO_SIZES or queries >= QUERIES or "Sigmoid" in _score_head(outputs):
        return False
    return None


def detr(answer: Answer) -> Candidates | None:
    """Return DETR's boxes: softmax over the classes and "no object"."""
    names = query_names(answer)
    if names is None:
        return None
    boxes, logits = (answer.arrays[name][0] for name in names)
    decided = is_detr(answer)
    if not (_has_no_object(logits) if decided is None else decided):
        return None
    shares = logits if _are_shares(logits) else softmax(logits)
    return best_of(centered(boxes), shares[:, :-1])


def rt_detr(answer: Answer) -> Candidates | None:
    """Return boxes whose classes have a sigmoid score each: RT-DETR, Deformable DETR, DINO.

    Boxes and scores in two outputs, or as Ultralytics writes them: (1, 300, 4 + classes).
    """
    names = query_names(answer)
    if names is not None:
        boxes, scores = (answer.arrays[name][0] for name in names)
        decided = is_detr(answer)
        if _has_no_object(scores) if decided is None else decided:
            return None
    elif is_rt_detr_rows(answer) or _look_like_rows(answer):
        boxes, scores = answer.single[:, :4], answer.single[:, 4:]
    else:
        return None
    return best_of(centered(boxes), scores if _are_shares(scores) else sigmoid(scores))


def is_rt_detr_rows(outputs: Outputs) -> bool:
    """RT-DETR of Ultralytics: (1, 300, 4 + classes)."""
    shape, head = outputs.only, outputs.structure.head()
    if len(shape) != 3 or shape[1] != QUERIES or outputs.structure.task in ("pose", "obb"):
        return False
    # As many classes, unless the numbers are of a finished box.
    if length(shape[2]) in (6, FINISHED_POSE):
        return "Sigmoid" in head and not head & _SELECTS
    return 5 <= length(shape[2]) <= 4 + _MOST_CLASSES


def pair_names(outputs: Outputs) -> tuple[str, str] | None:
    """Return the names of corners (1, N, 4) and scores (1, N, classes); None for other
    models."""
    if len(outputs.shapes) != 2 or len(outputs.of_rank(3)) != 2 or "logits" in outputs.names:
        return None
    corners = [n for n, shape in outputs.shapes.items() if shape[2] == 4]
    scores = [n for n in outputs.shapes if n not in corners[:1]]
    if not corners or len(scores) != 1 or length(outputs.shapes[scores[0]][2]) < 2:
        return None
    rows = outputs.shapes[corners[0]][1], outputs.shapes[scores[0]][1]
    return (corners[0], scores[0]) if rows[0] == rows[1] else None


def query_classes(outputs: Outputs) -> int:
    """Return the number of classes of queries, without "no object"."""
    names = query_names(outputs)
    if names is not None:
        return length(outputs.shapes[names[1]][-1]) - (is_detr(outputs) is True)
    return length(outputs.only[2]) - 4 if is_rt_detr_rows(outputs) else 0


def pair_classes(outputs: Outputs) -> int:
    """Return the number of classes beside corners, without the background."""
    names = pair_names(outputs)
    return length(outputs.shapes[names[1]][-1]) - has_background(outputs) if names else 0


def has_background(outputs: Outputs) -> bool:
    """Return whether the scores beside corners start with a class for the background: those of
    a Softmax do."""
    names = pair_names(outputs)
    return names is not None and "Softmax" in outputs.structure.head(names[1])


def scores_and_corners(answer: Answer) -> Candidates | None:
    """Return the boxes of light face detectors and SSD: corners, and shares of the classes."""
    names = pair_names(answer)
    if names is None:
        return None
    corners, shares = (answer.arrays[name][0] for name in names)
    head = answer.structure.head(names[1])
    background = "Softmax" in head
    if not head & {"Softmax", "Sigmoid"}:
        if shares.min() < 0 or shares.max() > 1:
            return None
        background = abs(shares.sum(axis=1) - 1).max() <= _SUM_OFF
    edges = in_shares(corners, answer.width, answer.height)
    # Without a background each class stands by itself; with one it is class 0.
    return best_of(edges, shares[:, 1:] if background else shares)


def _score_head(outputs: Outputs) -> frozenset[str]:
    names = query_names(outputs)
    return outputs.structure.head(names[1]) if names else frozenset()


def _has_no_object(logits: Numbers) -> bool:
    """Return whether the last class says that there is nothing, as in DETR."""
    if logits.shape[1] < 2:
        return False
    ready = _are_shares(logits)
    if ready and abs(logits.sum(axis=1) - 1).max() > _SUM_OFF:
        return False
    shares = logits if ready else softmax(logits)
    return bool(np.median(shares[:, -1]) >= _NO_OBJECT_SHARE)


def _look_like_rows(answer: Answer) -> bool:
    """Return whether (1, 300, 6) are boxes in shares with two scores, where no graph says
    so."""
    if answer.only[1:] != (QUERIES, 6) or answer.structure.has_graph:
        return False
    rows = answer.single
    whole = bool((rows[:, 5] == np.rint(rows[:, 5])).all())
    return not whole and _are_shares(rows[:, 4:]) and bool(abs(rows[:, :4]).max() <= 2)


def _are_shares(values: Numbers) -> bool:
    return bool(values.min() >= 0 and values.max() <= 1)
