"""Damage that no threshold was chosen with; see `judged_damage`."""

import numpy as np

from benchmarks.parts.judged_damage import (
    Damage,
    Patch,
    cut,
    fixed,
    late,
    order,
    plus,
    swapped,
    times,
)


def _lost_label(patch: Patch) -> None:
    """Give the highest label the number of the one below it."""
    patch.node("Min", np.int64(3))


def _fewer_rows(patch: Patch) -> None:
    """Keep the first 6 rows of a list."""
    patch.node("Slice", np.array([0]), np.array([6]), np.array([0]))


_S = np.s_
PLANTED: tuple[tuple[str, str, str, Damage], ...] = (
    ("detector", "the last boxes are twice as wide", "output0", times(_S[:, 2:3, 110:], 2)),
    ("detector", "two classes are swapped", "output0", order(1, swapped(9, 5, 7))),
    ("detector, rows last", "scores of one class are lower", "output0",
     times(_S[..., 4], 0.3)),
    ("detector, flat", "boxes are shifted", "output0", plus(_S[:, :144], 60)),
    ("detector, two outputs", "boxes are one cell late", "b", order(1, late(144))),
    ("pose", "two landmarks are swapped", "joints", order(1, swapped(17, 3, 9))),
    ("pose", "x and y are swapped", "joints", order(2, [1, 0, 2])),
    ("heat maps", "a sign is lost", "heat", times(_S[:, 6], -1)),
    ("regression", "one column is NaN", "y", plus(_S[:, 3], float("nan"))),
    ("three heads", "the price is constant", "price", fixed(_S[:], 900)),
    ("segmentation", "one class is never found", "y", plus(_S[:, 1], -30)),
    ("segmentation, shares", "shares are cut off", "y", cut(0, 0.4)),
    ("segmentation, labels", "one label is lost", "ids", _lost_label),
    ("depth", "all is further away", "depth", plus(_S[:], 8)),
    ("sound", "half as loud", "wave", times(_S[:], 0.5)),
    ("bands of a spectrum", "time runs backward", "bands", order(1, [*range(49, -1, -1)])),
    ("sound events", "scores are cut off", "events", cut(0, 0.3)),
    ("tags of a sequence", "one tag wins more often", "tags", plus(_S[..., 4], 4)),
    ("embedding", "two numbers are swapped", "vector", order(1, swapped(48, 7, 30))),
    ("a batch of 4", "rows are in another order", "y", order(0, [3, 2, 1, 0])),
    ("chosen indices", "the rest of the list is lost", "ids", _fewer_rows),
)  # fmt: skip
HARMLESS: tuple[tuple[str, str, str, Damage], ...] = (
    ("pose", "0.1 pixels further right", "joints", plus(_S[..., 0], 0.1)),
    ("depth", "0.2% further away", "depth", times(_S[:], 1.002)),
    ("segmentation", "all logits are higher", "y", plus(_S[:], 0.01)),
    ("tags of a sequence", "1% larger", "tags", times(_S[:], 1.01)),
    ("embedding", "0.5% larger", "vector", times(_S[:], 1.005)),
    ("sound events", "1% less sure", "events", times(_S[:], 0.99)),
    ("detector", "rounded to a tenth of a percent", "output0", times(_S[:, 4:], 1.001)),
)
QUANTIZED: tuple[tuple[str, str], ...] = (
    ("pose", "int8-dynamic"),
    ("embedding", "weights-4bit"),
    ("sound events", "sparse"),
    ("depth", "float16"),
    ("three heads", "int8-dynamic"),
    ("segmentation", "palettize"),
    ("sound", "float16"),
    ("a batch of 4", "weights-4bit"),
    ("tags of a sequence", "weights-8bit"),
    ("heat maps", "palettize"),
    ("detector, rows last", "int8-qoperator"),
    ("detector", "float8"),
    ("depth", "float8"),
    ("segmentation, shares", "mxfp4"),
    ("segmentation, labels", "nvfp4"),
)
