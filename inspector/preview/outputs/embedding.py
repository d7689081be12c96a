"""Outputs that place their input in a space: vectors, and how alike two inputs are."""

import re
from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from inspector.model.tensors.prediction import OutputValue
from inspector.platform.data_struct import DataStruct
from inspector.preview.families.output_meanings import EMBEDDING
from inspector.preview.families.output_structure import UNKNOWN, ModelStructure

FEWEST = 8
MOST = 65_536
_NAMED = re.compile(r"embed|feature|sentence|pooled|vector|descriptor|latent|repr", re.I)
_HIDDEN = re.compile(r"last_hidden|hidden_state|token_embed", re.I)
Vector = NDArray[np.float64]


class SavedVector(Struct, frozen=True, eq=False):
    """The vector of an answer, float64 (N,), under the name of the input it came from."""

    name: str
    vector: Vector


class CosineSimilarity(DataStruct, frozen=True):
    """Cosine similarity with another answer, -1 to 1, and the distance of both vectors."""

    name: str
    cosine: float
    distance: float


def vector_of(output: OutputValue, structure: ModelStructure = UNKNOWN) -> Vector | None:
    """Return the place of the input, or None: the output's name or shape tells of something
    else. structure: of the model, with what somebody says that its outputs mean. (N,), (1, N)
    or (1, N, 1, 1) as they are; of (1, tokens, N) the mean over the tokens."""
    array = output.array
    if array is None or array.dtype.kind != "f" or not array.size:
        return None
    said = structure.meanings.get(output.name)
    if said not in (None, EMBEDDING):
        return None
    hidden = _HIDDEN.search(output.name) is not None
    if said is None and not hidden and not _NAMED.search(output.name):
        return None
    if array.ndim == 3 and array.shape[0] == 1 and (hidden or said or array.shape[1] == 1):
        vector = array[0].astype(np.float64).mean(axis=0)
    elif array.size == max(array.shape, default=0):
        vector = array.ravel().astype(np.float64)
    else:
        return None
    fits = FEWEST <= len(vector) <= MOST and np.isfinite(vector).all() and vector.any()
    return vector if fits else None


def similarities(vector: Vector, saved: Sequence[SavedVector]) -> tuple[CosineSimilarity, ...]:
    """Return how alike a vector is to each of the kept ones of its length, the nearest
    first."""
    similar = [_similarity(vector, each) for each in saved if each.vector.shape == vector.shape]
    return tuple(sorted(similar, key=lambda each: -each.cosine))


def _similarity(vector: Vector, other: SavedVector) -> CosineSimilarity:
    size = float(np.linalg.norm(vector) * np.linalg.norm(other.vector))
    cosine = float(vector @ other.vector) / size if size else 0.0
    distance = float(np.linalg.norm(vector - other.vector))
    return CosineSimilarity(other.name, max(-1.0, min(1.0, cosine)), distance)
