"""Lines of text from a map of how likely each pixel is text, as DB detectors give it.

Source: M. Liao et al. 2020, "Real-time Scene Text Detection with Differentiable Binarization",
and the usual settings of PaddlePaddle/PaddleOCR (tools/infer/utility.py: det_db_thresh 0.3,
det_db_box_thresh 0.6, det_db_unclip_ratio 1.5). Authors draw turned rectangles; boxes here are
upright.
"""

import re

import numpy as np
from numpy.typing import NDArray

from inspector.preview.detectors.boxes import Candidates, Numbers
from inspector.preview.detectors.output_arrays import Answer, Outputs, ends_with

TEXT_SCORE = 0.6
_TEXT_PIXEL = 0.3
_GROWTH = 1.5  # distance by which a region grows, times its perimeter over its area
_SHORTEST_SIDE = 3  # pixels
_MOST_RUNS = 200_000  # of text pixels in rows: noise has more, and no lines of text
_PADDLE_NAMES = re.compile(
    r"paddle|p2o\.|\.tmp_\d|fetch_name|save_infer_model|sigmoid_\d+\.|batch_norm2d_"
)
_OPENCV_SIZES = ((736, 736), (1280, 736), (736, 1280))
Places = NDArray[np.int64]


def is_map(outputs: Outputs) -> bool:
    """Return whether the only output is one value per pixel, as large as the picture: (1, 1,
    rows, columns), (1, rows, columns) or (1, rows, columns, 1)."""
    shape = outputs.only
    sides = outputs.height or None, outputs.width or None
    last = len(shape) == 4 and shape[3] == 1 and shape[1] != 1
    free = shape[1:3] if last else shape[-2:]
    if not outputs.width and any(isinstance(axis, int) for axis in free):
        return False  # a list of boxes has free axes, too, but not two
    if last:
        return ends_with(shape, (*sides, 1))
    single = (len(shape) == 4 and shape[1] == 1) or len(shape) == 3
    return single and ends_with(shape, sides) and shape[-1] not in (1, 3, 4)


def is_paddle(outputs: Outputs) -> bool:
    """PaddleOCR's text detector: one probability per pixel, and Paddle's names.

    The input "x" alone is that of any network whose author called it so.
    """
    structure = outputs.structure
    if not is_map(outputs) or "x" not in structure.inputs or "Sigmoid" not in structure.head():
        return False
    names = " ".join((structure.names, structure.producer, *outputs.names)).lower()
    return _PADDLE_NAMES.search(names) is not None


def is_opencv(outputs: Outputs) -> bool:
    """DB of OpenCV's zoo: one probability per pixel of pictures of 736 x 736 or 736 x 1,280."""
    return is_map(outputs) and (outputs.width, outputs.height) in _OPENCV_SIZES


def regions(answer: Answer) -> Candidates | None:
    """Return a box around each region of text, grown to hold whole letters."""
    if not (is_paddle(answer) or is_opencv(answer)):
        return None
    shares = next(iter(answer.arrays.values()))
    shares = shares.reshape([side for side in shares.shape if side > 1])
    rows, begins, ends = _runs(shares > _TEXT_PIXEL)
    if not 0 < len(rows) <= _MOST_RUNS:
        return _candidates(np.zeros((0, 4)), np.zeros(0), *shares.shape)
    groups = _joined(rows, begins, ends)
    count = int(groups.max()) + 1
    edges = np.full((count, 4), [np.inf, np.inf, -np.inf, -np.inf])
    np.minimum.at(edges[:, 0], groups, begins)
    np.minimum.at(edges[:, 1], groups, rows)
    np.maximum.at(edges[:, 2], groups, ends)
    np.maximum.at(edges[:, 3], groups, rows + 1)
    sums = np.concatenate([np.zeros((len(shares), 1)), shares.cumsum(axis=1)], axis=1)
    totals = np.bincount(groups, sums[rows, ends] - sums[rows, begins])
    scores = totals / np.bincount(groups, ends - begins)
    sides = edges[:, 2:] - edges[:, :2]
    grown = sides.prod(axis=1) * _GROWTH / (2 * sides.sum(axis=1))
    edges += grown[:, None] * np.array([-1, -1, 1, 1])
    whole = sides.min(axis=1) >= _SHORTEST_SIDE
    return _candidates(edges[whole], scores[whole], *shares.shape)


def _candidates(edges: Numbers, scores: Numbers, height: int, width: int) -> Candidates:
    shares = np.clip(edges / [width, height, width, height], 0, 1)
    return Candidates(shares, scores, np.zeros(len(scores), np.int64))


def _runs(marked: NDArray[np.bool_]) -> tuple[Places, Places, Places]:
    """Row, first column and column behind the last of each run of marked pixels in a row."""
    padded = np.zeros((len(marked), marked.shape[1] + 2), np.int8)
    padded[:, 1:-1] = marked
    steps = np.diff(padded, axis=1)
    rows, begins = np.nonzero(steps == 1)
    return rows, begins, np.nonzero(steps == -1)[1]


def _joined(rows: Places, begins: Places, ends: Places) -> Places:
    """Return for each run the number of the region that it is part of, from 0 on.

    Runs touch where they are in rows that follow each other and share a column or a corner.
    """
    parents = list(range(len(rows)))

    def root(run: int) -> int:
        while parents[run] != run:
            parents[run] = parents[parents[run]]
            run = parents[run]
        return run

    above = 0
    lines, firsts, lasts = rows.tolist(), begins.tolist(), ends.tolist()
    for run, row in enumerate(lines):
        while lines[above] < row - 1 or (
            lines[above] == row - 1 and lasts[above] < firsts[run]
        ):
            above += 1
        other = above
        while other < run and lines[other] == row - 1 and firsts[other] <= lasts[run]:
            parents[root(other)] = root(run)
            other += 1
    numbers = np.array([root(run) for run in range(len(lines))])
    return np.unique(numbers, return_inverse=True)[1].reshape(-1)
