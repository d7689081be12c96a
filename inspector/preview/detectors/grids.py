"""Grids of cells and small functions that several decoders of boxes share."""

from collections.abc import Sequence

import numpy as np

from inspector.preview.detectors.boxes import Numbers

STRIDES = (8, 16, 32)
_LARGEST_POWER = 20  # of e: sizes beyond it are no sizes


def cells(
    width: int, height: int, strides: Sequence[int] = STRIDES, anchors: int = 1
) -> Numbers:
    """Return column, row and stride of each cell of grids, (N, 3), each `anchors` times."""
    parts = []
    for stride in strides:
        across, down = np.meshgrid(
            np.arange(-(-width // stride)), np.arange(-(-height // stride))
        )
        cell = [across.ravel(), down.ravel(), np.full(across.size, stride)]
        parts.append(np.stack(cell, axis=1).astype(np.float64))
    return np.repeat(np.concatenate(parts), anchors, axis=0)


def number_of_cells(width: int, height: int, strides: Sequence[int] = STRIDES) -> int:
    """Return how many cells the grids of these strides have together."""
    return sum(-(-width // stride) * -(-height // stride) for stride in strides)


def in_shares(edges: Numbers, width: int, height: int) -> Numbers:
    """Return edges in 0..1, whether they came so or in pixels."""
    return scaled(edges, width, height) if edges.size and np.nanmax(edges) > 2 else edges


def scaled(edges: Numbers, width: int, height: int) -> Numbers:
    """Return edges in pixels, (..., 4), as 0..1 of the picture."""
    shares: Numbers = edges / np.array([width, height, width, height], np.float64)
    return shares


def scaled_points(points: Numbers, width: int, height: int) -> Numbers:
    """Return points in pixels, (N, K, 2), as (N, K, 3): 0..1 of the picture, and 1 for sure."""
    shares = points / np.array([width, height], np.float64)
    return np.concatenate([shares, np.ones((*points.shape[:2], 1))], axis=2)


def powers(values: Numbers) -> Numbers:
    """Return e to the values, which may not grow beyond all bounds."""
    raised: Numbers = np.exp(np.clip(values, -_LARGEST_POWER, _LARGEST_POWER))
    return raised


def softmax(values: Numbers, axis: int = 1) -> Numbers:
    """Return the softmax over an axis."""
    raised = np.exp(values - values.max(axis=axis, keepdims=True))
    shares: Numbers = raised / raised.sum(axis=axis, keepdims=True)
    return shares


def sigmoid(values: Numbers) -> Numbers:
    """Return the logistic function of the values."""
    shares: Numbers = 1 / (1 + np.exp(-np.clip(values, -60, 60)))
    return shares
