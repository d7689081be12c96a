"""Boxes that a model has selected itself, as lists: SSD, torchvision, Caffe, TensorFlow, YOLO.

Sources: onnx/models (yolov3, yolov4, ssd), tensorflow/models (exported detection models),
google/automl (efficientdet/inference.py), Caffe's DetectionOutput layer, WongKinYiu/yolov7
(models/experimental.py), Tianxiaomo/pytorch-YOLOv4 (tool/yolo_layer.py), and the model card of
MoveNet MultiPose.
"""

import re

import numpy as np
from numpy.typing import NDArray

from inspector.preview.detectors.boxes import Candidates, Numbers, best_of
from inspector.preview.detectors.output_arrays import (
    Answer,
    Outputs,
    ends_exactly,
    ends_with,
    in_shares,
    length,
)
from inspector.preview.families.output_structure import TFLITE_DETECTION

_MOVENET_BODIES = 6
_MOVENET_POINTS = 17
_MOST_DETECTIONS = 1000
COCO_NUMBERS = 90  # of TensorFlow's detectors, ten of them without a class
_COUNT = re.compile(r"num_(dets|predictions)$")


def is_detection_output(outputs: Outputs) -> bool:
    """Caffe's DetectionOutput: (1, 1, boxes, 7)."""
    return len(outputs.only) == 4 and ends_exactly(outputs.only, (1, None, 7))


def detection_output(answer: Answer) -> Candidates | None:
    """Return boxes of (picture, class, score, left, top, right, bottom), in shares."""
    if not is_detection_output(answer):
        return None
    rows = answer.single.reshape(-1, 7)
    rows = rows[rows[:, 0] >= 0]  # -1 ends the list
    return Candidates(
        in_shares(rows[:, 3:], answer.width, answer.height),
        rows[:, 2],
        class_numbers(rows[:, 1]),
    )


def is_efficientdet_list(outputs: Outputs) -> bool:
    """EfficientDet of TensorFlow: (1, boxes, 7)."""
    # Turned boxes of YOLO have seven numbers as well; only their metadata tells them apart.
    fits = len(outputs.only) == 3 and ends_exactly(outputs.only, (7,))
    fits = fits and not outputs.structure.task
    return fits and length(outputs.only[1]) <= _MOST_DETECTIONS


def efficientdet_list(answer: Answer) -> Candidates | None:
    """Return boxes of (picture, top, left, bottom, right, score, class)."""
    if not is_efficientdet_list(answer):
        return None
    rows = answer.single.reshape(-1, 7)
    edges = in_shares(rows[:, [2, 1, 4, 3]], answer.width, answer.height)
    return Candidates(edges, rows[:, 5], class_numbers(rows[:, 6]))


def is_yolov7_list(outputs: Outputs) -> bool:
    """YOLO v7 with its selection in the graph: (boxes, 7)."""
    return len(outputs.only) == 2 and ends_exactly(outputs.only, (7,)) and outputs.only[0] != 1


def yolov7_list(answer: Answer) -> Candidates | None:
    """Return boxes of (picture, left, top, right, bottom, class, score); of YOLO-NAS the score
    comes before the class."""
    if not is_yolov7_list(answer):
        return None
    rows = next(iter(answer.arrays.values())).reshape(-1, 7)
    edges = in_shares(rows[:, 1:5], answer.width, answer.height)
    score, kind = (5, 6) if is_flat_list(answer) else (6, 5)
    return Candidates(edges, rows[:, score], class_numbers(rows[:, kind]))


def is_flat_list(outputs: Outputs) -> bool:
    """YOLO-NAS with its selection in the graph, in one list."""
    return is_yolov7_list(outputs) and all("flat_predictions" in n for n in outputs.names)


def is_nms_list(outputs: Outputs) -> bool:
    """YOLO with NMS in the graph, in the four outputs of TensorRT's plugin for it: the number
    of boxes (num_dets; num_predictions of YOLO-NAS), boxes, scores and classes."""
    counted = any(map(_COUNT.search, outputs.names))
    return counted and len(outputs.shapes) == 4 and is_named_list(outputs)


def is_selected(outputs: Outputs) -> bool:
    """YOLO v3 of the ONNX model zoo: boxes, scores, and which of them were selected."""
    return bool(_selected_names(outputs))


def selected(answer: Answer) -> Candidates | None:
    """Return the boxes that (picture, class, box) of NonMaxSuppression name; y comes first."""
    names = _selected_names(answer)
    if not names:
        return None
    boxes, scores, chosen = (answer.arrays[name] for name in names)
    index = chosen.reshape(-1, 3).astype(np.int64)
    fits = (index >= 0).all(axis=1) & (index[:, 1] < scores.shape[1])
    index = index[fits & (index[:, 2] < boxes.shape[1])]
    edges = boxes[0][index[:, 2]][:, [1, 0, 3, 2]]
    shares = scores[0][index[:, 1], index[:, 2]]
    return Candidates(in_shares(edges, answer.width, answer.height), shares, index[:, 1])


def is_boxes_and_confs(outputs: Outputs) -> bool:
    """YOLO v4 in PyTorch: boxes (1, N, 1, 4) and confidences (1, N, classes)."""
    return len(outputs.shapes) == 2 and bool(
        [n for n in outputs.of_rank(4) if ends_exactly(outputs.shapes[n], (1, 4))]
        and outputs.of_rank(3)
    )


def boxes_and_confs(answer: Answer) -> Candidates | None:
    """Return corners in shares with the best of their classes."""
    if not is_boxes_and_confs(answer):
        return None
    edges = answer.arrays[answer.of_rank(4)[0]].reshape(-1, 4)
    scores = answer.arrays[answer.of_rank(3)[0]][0]
    if len(edges) != len(scores):
        return None
    return best_of(in_shares(edges, answer.width, answer.height), scores)


def pair_classes(outputs: Outputs) -> int:
    """Return the number of classes of YOLO v4 in PyTorch."""
    names = outputs.of_rank(3)
    return length(outputs.shapes[names[0]][2]) if names else 0


def tflite_detection_names(outputs: Outputs) -> tuple[str, ...]:
    """Return the names of boxes, classes, scores and their number, in the order in which
    TensorFlow Lite's operator for selecting boxes gives them; () for other models."""
    made = {
        place: name
        for name, (operator, place) in outputs.structure.made_by.items()
        if operator == TFLITE_DETECTION and name in outputs.shapes
    }
    return tuple(made[place] for place in range(4)) if made.keys() >= {0, 1, 2, 3} else ()


def tflite_detection(answer: Answer) -> Candidates | None:
    """Return the boxes that TFLite_Detection_PostProcess selected; corners start with y."""
    names = tflite_detection_names(answer)
    if not names:
        return None
    boxes, kinds, scores, number = (answer.arrays[name] for name in names)
    edges = boxes.reshape(-1, 4)[:, [1, 0, 3, 2]]
    count = min(int(number.ravel()[0]) if number.size else 0, len(edges), kinds.size)
    count = min(max(count, 0), scores.size)
    classes, shares = class_numbers(kinds.ravel()[:count]), scores.ravel()[:count]
    calibration = answer.structure.calibrations.get(names[2])
    if calibration is not None and not calibration.problem:
        shares = calibration.of_classes(shares, classes)
    return Candidates(edges[:count], shares, classes)


def tflite_detection_classes(outputs: Outputs) -> int:
    """Return the number of classes that the scores before the operator have."""
    # TensorFlow's detectors have a score for the background, which is no class of a box, and
    # EfficientDet's have none: only COCO's number of classes tells them apart.
    known = outputs.structure.detection_scores in (COCO_NUMBERS, COCO_NUMBERS + 1)
    return COCO_NUMBERS if known else 0


def is_multipose(outputs: Outputs) -> bool:
    """MoveNet MultiPose: (1, 6, 56)."""
    return len(outputs.only) == 3 and ends_exactly(outputs.only, (_MOVENET_BODIES, 56))


def multipose(answer: Answer) -> Candidates | None:
    """Return up to six bodies with 17 points: y, x and score each, then a box that starts
    with y, and its score."""
    if not is_multipose(answer):
        return None
    rows = answer.single
    points = rows[:, :51].reshape(len(rows), _MOVENET_POINTS, 3)[:, :, [1, 0, 2]]
    kinds = np.zeros(len(rows), np.int64)
    return Candidates(rows[:, [52, 51, 54, 53]], rows[:, 55], kinds, points)


def is_selected_list(outputs: Outputs) -> bool:
    """Boxes, numbers of classes and scores of a model that selects boxes itself by
    NonMaxSuppression, whatever the outputs are called; masks or key points may follow."""
    return all(_unnamed_list(outputs))


def is_named_list(outputs: Outputs) -> bool:
    """Boxes, classes and scores in outputs of their own, as detection models export them."""
    return all(_list_names(outputs))


def named_list(answer: Answer) -> Candidates | None:
    """Return the boxes of outputs whose names say which are scores and which are classes."""
    boxes, scores, kinds = _list_names(answer)
    if not boxes or not scores or not kinds:
        return None
    edges = answer.arrays[boxes].reshape(-1, 4)
    shares, classes = answer.arrays[scores].ravel(), answer.arrays[kinds].ravel()
    if not len(edges) == len(shares) == len(classes):
        return None
    # TensorFlow's corners start with y.
    if "detection" in boxes or "tf2onnx" in answer.structure.producer:
        edges = edges[:, [1, 0, 3, 2]]
    return Candidates(
        in_shares(edges, answer.width, answer.height), shares, class_numbers(classes)
    )


def class_numbers(values: Numbers) -> NDArray[np.int64]:
    """Return numbers of classes, which came as floats."""
    rounded: NDArray[np.int64] = np.rint(np.nan_to_num(values)).astype(np.int64)
    return np.maximum(rounded, 0)


def _selected_names(outputs: Outputs) -> tuple[str, ...]:
    if len(outputs.shapes) != 3:
        return ()
    boxes = [n for n in outputs.of_rank(3) if ends_with(outputs.shapes[n], (4,))]
    chosen = [
        n
        for n, s in outputs.shapes.items()
        if n not in boxes[:1] and len(s) in (2, 3) and s[-1] == 3
    ]
    rest = [n for n in outputs.of_rank(3) if n not in boxes[:1] and n not in chosen[:1]]
    return (boxes[0], rest[0], chosen[0]) if boxes and chosen and rest else ()


def _list_names(outputs: Outputs) -> tuple[str, str, str]:
    """Return the names of boxes, scores and classes; "" where there are none."""
    if len(outputs.shapes) < 3:
        return "", "", ""
    unnamed = _unnamed_list(outputs)
    if all(unnamed):
        return unnamed
    boxes = next(
        (n for n, s in outputs.shapes.items() if len(s) in (2, 3) and ends_with(s, (4,))), ""
    )
    rest = [n for n in outputs.shapes if n != boxes and "num" not in n.lower()]
    scores = next((n for n in rest if "score" in n.lower()), "")
    kinds = next((n for n in rest if "class" in n.lower() or "label" in n.lower()), "")
    flat = all(
        len([axis for axis in outputs.shapes[n] if axis != 1]) <= 2
        for n in (scores, kinds)
        if n
    )
    return (boxes, scores, kinds) if flat else ("", "", "")


def _unnamed_list(outputs: Outputs) -> tuple[str, str, str]:
    """Return the names of boxes, scores and classes as types and shapes tell them apart; ""
    where they leave a doubt, or where nothing in the graph selects boxes."""
    structure, shapes = outputs.structure, outputs.shapes
    found = "", "", ""
    boxes = [n for n, s in shapes.items() if len(s) in (2, 3) and ends_exactly(s, (4,))]
    if "NonMaxSuppression" not in structure.detects or len(boxes) != 1:
        return found
    rank = len(shapes[boxes[0]]) - 1
    if rank == 2 and shapes[boxes[0]][0] != 1:  # (boxes, points, 4) or several pictures
        return found
    rows = [name for name in outputs.of_rank(rank) if name not in boxes]
    kinds = [name for name in rows if name in structure.integers]
    scores = [name for name in rows if name not in structure.integers]
    more = [s for n, s in shapes.items() if n not in (*boxes, *rows)]
    alone = len(kinds) == len(scores) == 1 and all(len(each) > rank for each in more)
    return (boxes[0], scores[0], kinds[0]) if alone else found
