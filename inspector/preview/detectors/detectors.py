"""The list of detectors: how each family writes its boxes, known by the structure of its
outputs. Each decoder lives in the module of its kind, with the sources of its format."""

from collections.abc import Callable, Sequence

import numpy as np
from msgspec import Struct

from inspector.model.tensors.prediction import OutputValue
from inspector.preview.detectors import anchors, box_lists, cells, queries, text_regions, yolo
from inspector.preview.detectors.boxes import Box, Candidates, Numbers
from inspector.preview.detectors.output_arrays import Answer, Outputs, length
from inspector.preview.families.output_structure import UNKNOWN, ModelStructure
from inspector.preview.outputs.dense_maps import Overlay, colour_of

COLUMNS, ROWS, YOLOX = "YOLO v8 to v12", "YOLO v5 to v7", "YOLOX"
FINISHED, HEADS, YOLOV6 = "YOLO v10, finished boxes", "YOLO heads", "YOLO v6"
FASTESTDET, YUNET, YUNET_2022 = "FastestDet", "YuNet faces", "YuNet faces (2022)"
DETR, RT_DETR, YOLO_NAS = "DETR", "RT-DETR: sigmoid scores", "YOLO-NAS"
SSD, CORNERS = "SSD: boxes, classes, scores", "Faces: scores and corners"
NANODET, CENTERNET, RETINANET = "NanoDet", "CenterNet", "RetinaNet heads"
EFFICIENTDET, EFFICIENTDET_LIST = "EfficientDet anchors", "EfficientDet: listed boxes"
SCRFD, RETINAFACE, BLAZE = "SCRFD faces", "RetinaFace", "MediaPipe detector"
CAFFE_SSD, YOLO3_LIST, YOLO4_PAIR = "SSD: DetectionOutput", "YOLO v3: selected", "YOLO v4"
YOLO7_LIST, MULTIPOSE = "YOLO v7: listed boxes", "MoveNet MultiPose"
YOLOV5_FACE, TEXT = "YOLO v5 faces", "Regions of text (DB)"
MASKED = frozenset((COLUMNS, ROWS, FINISHED))  # which may bring prototypes of masks


class Family(Struct, frozen=True):
    """A way to write boxes, and the score and overlap that its authors take.

    decode: an answer -> Candidates, or None where its structure is not this family's.
    """

    name: str
    score: float
    overlap: float
    decode: Callable[[Answer], Candidates | None]


def fitting(
    outputs: Sequence[OutputValue],
    width: int,
    height: int,
    structure: ModelStructure = UNKNOWN,
) -> tuple[tuple[Family, Candidates], ...]:
    """Return families whose structure the outputs have, most likely first, with their boxes.

    width, height: of the model's picture. structure: of the model, where it is known.
    """
    arrays = {
        o.name: o.array.astype(np.float64)
        for o in outputs
        if o.array is not None and o.array.dtype.kind in "fiu"
    }
    if not arrays or not width or not height:
        return ()
    shapes = {name: array.shape for name, array in arrays.items()}
    answer = Answer(shapes, width, height, structure, arrays)
    # An empty list of boxes is an answer, too, but only lists can be empty.
    whole = all(array.size for array in arrays.values())
    tried = ((family, family.decode(answer)) for family in FAMILIES if whole or family in LISTS)
    return tuple((family, candidates) for family, candidates in tried if candidates is not None)


LISTS = (
    Family(SSD, 0.5, 0.5, box_lists.named_list),
    Family(CAFFE_SSD, 0.5, 0.5, box_lists.detection_output),
    Family(EFFICIENTDET_LIST, 0.4, 0.5, box_lists.efficientdet_list),
    Family(YOLO7_LIST, 0.25, 1.0, box_lists.yolov7_list),
    Family(YOLO3_LIST, 0.3, 1.0, box_lists.selected),
)
FAMILIES = (
    Family(FASTESTDET, 0.65, 0.45, cells.fastestdet),
    Family(YUNET, 0.7, 0.3, anchors.yunet),
    Family(YUNET_2022, 0.7, 0.3, anchors.yunet_2022),
    Family(SCRFD, 0.5, 0.4, anchors.scrfd),
    Family(RETINAFACE, 0.5, 0.4, anchors.retinaface),
    Family(BLAZE, 0.5, 0.3, anchors.blaze),
    Family(RETINANET, 0.5, 0.5, anchors.retinanet),
    Family(EFFICIENTDET, 0.4, 0.5, anchors.efficientdet),
    Family(CENTERNET, 0.3, 1.0, cells.centernet),
    Family(NANODET, 0.35, 0.6, cells.nanodet),
    Family(MULTIPOSE, 0.2, 1.0, box_lists.multipose),
    Family(DETR, 0.7, 1.0, queries.detr),
    Family(RT_DETR, 0.5, 1.0, queries.rt_detr),
    *LISTS,
    Family(YOLO4_PAIR, 0.4, 0.6, box_lists.boxes_and_confs),
    Family(YOLO_NAS, 0.5, 0.6, cells.yolo_nas),
    Family(CORNERS, 0.7, 0.3, queries.scores_and_corners),
    Family(FINISHED, 0.25, 1.0, yolo.finished),
    Family(YOLOX, 0.3, 0.45, yolo.yolox),
    Family(YOLOV6, 0.25, 0.45, yolo.yolov6),
    Family(YOLOV5_FACE, 0.3, 0.5, yolo.faces),
    Family(ROWS, 0.25, 0.45, yolo.rows),
    Family(COLUMNS, 0.25, 0.45, yolo.columns),
    Family(HEADS, 0.3, 0.45, yolo.heads),
    Family("Tiny YOLO v2", 0.3, 0.45, yolo.yolo2),
    Family(TEXT, text_regions.TEXT_SCORE, 1.0, text_regions.regions),
)


def class_count(outputs: Outputs) -> int:
    """Return the number of classes that a detector's boxes have, by the shapes of its outputs.

    0 for detectors of one kind of object, lists of selected boxes, and other models.
    """
    shapes = outputs.shapes
    if cells.is_fastestdet(outputs):
        return length(outputs.only[1 if len(outputs.only) == 4 else 2]) - 5
    if yolo.head_strides(outputs):
        return yolo.head_classes(outputs)
    for names, background in (
        (cells.yolo_nas_names(outputs), 0),
        (anchors.efficientdet_names(outputs), 0),
        (queries.query_names(outputs), int(queries.is_detr(outputs) is True)),
        (queries.pair_names(outputs), int(queries.has_background(outputs))),
    ):
        if names:
            return length(shapes[names[1]][-1]) - background
    if cells.is_centernet(outputs):
        return max(length(shape[1]) for shape in shapes.values())
    if anchors.is_retinanet(outputs):
        return anchors.retinanet_classes(outputs)
    if cells.nanodet_strides(outputs):
        return length(outputs.only[2]) - cells.NANODET_SIDES
    if queries.is_rt_detr_rows(outputs):
        return length(outputs.only[2]) - 4
    if yolo.is_one_a_cell(outputs):
        return length(outputs.only[2]) - 5
    if box_lists.is_boxes_and_confs(outputs):
        return length(shapes[outputs.of_rank(3)[0]][2])
    task, count = yolo.task(outputs)
    return count if task in ("detect", "segment", "obb") and not yolo.is_faces(outputs) else 0


# What YOLO says inside its boxes: masks of objects.


MASKS = "Instance masks"


def masks_in(outputs: Sequence[OutputValue], boxes: Sequence[Box]) -> Overlay | None:
    """Return what lies inside each box as one overlay in the colors of the classes, or
    None."""
    columns = _columns(outputs)
    protos = [o.array for o in outputs if o.array is not None and o.array.ndim == 4]
    if columns is None or len(outputs) != 2 or len(protos) != 1 or not boxes:
        return None
    prototypes = protos[0][0].astype(np.float64)
    number, height, width = prototypes.shape
    picture = np.zeros((height, width, 4), np.uint8)
    for box in reversed(boxes):  # the best one lies on top
        left, right = (round(min(1.0, max(0.0, x)) * width) for x in (box.left, box.right))
        top, bottom = (round(min(1.0, max(0.0, y)) * height) for y in (box.top, box.bottom))
        shares = columns[len(columns) - number :, box.place]
        inside = np.tensordot(shares, prototypes[:, top:bottom, left:right], 1) > 0
        picture[top:bottom, left:right][inside] = (*colour_of(box.kind), 255)
    return Overlay(MASKS, picture)


def _columns(outputs: Sequence[OutputValue]) -> Numbers | None:
    """(numbers of a box, boxes), as the first output of rank 3 holds them."""
    arrays = (o.array for o in outputs if o.array is not None and o.array.dtype.kind == "f")
    first = next((a for a in arrays if a.ndim == 3 and len(a) == 1), None)
    if first is None or min(first.shape[1:]) < 6:
        return None
    columns: Numbers = first[0].astype(np.float64)
    return columns if columns.shape[0] < columns.shape[1] else columns.T
