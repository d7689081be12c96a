"""The decoders of the table of families, tried on outputs: boxes by the structure of a model.

Each decoder lives in the module of its kind, with the sources of its format.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import structs

from inspector.model.tensors.prediction import OutputValue
from inspector.preview.detectors.boxes import Candidates
from inspector.preview.detectors.decoder import BoxDecoder, nonsense
from inspector.preview.detectors.given_form import GIVEN
from inspector.preview.detectors.output_arrays import Answer
from inspector.preview.families.image_families import IMAGE_FAMILIES
from inspector.preview.families.output_structure import UNKNOWN, ModelStructure

# Every way to write boxes once, in the order of the table of families, general ones last.
FAMILIES = tuple(
    sorted(
        dict.fromkeys(row.decoder for row in IMAGE_FAMILIES if row.decoder is not None),
        key=lambda decoder: decoder.general,
    )
)


def fitting(
    outputs: Sequence[OutputValue],
    width: int,
    height: int,
    structure: ModelStructure = UNKNOWN,
) -> tuple[tuple[BoxDecoder, Candidates], ...]:
    """Return the decoders whose structure the outputs have, most likely first, with their
    boxes. Those that would give nonsense are left out, see `refused`.

    width, height: of the model's picture. structure: of the model, where it is known.
    """
    read = _read(outputs, width, height, structure)
    return tuple((decoder, boxes) for decoder, boxes in read if not nonsense(decoder, boxes))


def refused(
    outputs: Sequence[OutputValue],
    width: int,
    height: int,
    structure: ModelStructure = UNKNOWN,
) -> tuple[tuple[BoxDecoder, str], ...]:
    """Return the decoders that fit by structure and refuse what they would read, with the
    reason."""
    read = _read(outputs, width, height, structure)
    reasons = ((decoder, nonsense(decoder, boxes)) for decoder, boxes in read)
    return tuple((decoder, reason) for decoder, reason in reasons if reason)


def _read(
    outputs: Sequence[OutputValue], width: int, height: int, structure: ModelStructure
) -> list[tuple[BoxDecoder, Candidates]]:
    arrays = {
        o.name: o.array.astype(np.float64)
        for o in outputs
        if o.array is not None and o.array.dtype.kind in "fiu"
    }
    if structure.meanings.keys() & arrays.keys():  # somebody knows better
        given = Answer(
            {n: a.shape for n, a in arrays.items()}, width, height, structure, arrays
        )
        boxes = GIVEN.decode(given) if width and height else None
        return [] if boxes is None else [(GIVEN, boxes)]
    if not arrays or not width or not height:
        return []
    shapes = {name: array.shape for name, array in arrays.items()}
    answer = Answer(shapes, width, height, structure, arrays)
    # An empty list of boxes is an answer, too, but only lists can be empty.
    whole = all(array.size for array in arrays.values())
    tried = ((each, each.decode(answer)) for each in FAMILIES if whole or each.listed)
    return [(decoder, _named(boxes, decoder)) for decoder, boxes in tried if boxes is not None]


def _named(candidates: Candidates, decoder: BoxDecoder) -> Candidates:
    """Return candidates with the names of their classes, where the decoder has all of them."""
    known = candidates.kinds.max(initial=0) < len(decoder.names)
    return structs.replace(candidates, names=decoder.names) if known else candidates
