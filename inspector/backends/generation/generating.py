"""Text from a decoder of any backend, and what its encoder said as the decoder's inputs."""

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec.structs import replace

from inspector.backends import type_names
from inspector.backends.array_files import Feed
from inspector.backends.base import Backend, Capability, GenerationRequest, OpenedModel
from inspector.backends.generation import predicting_decoder
from inspector.backends.generation.roles import Array, further_inputs
from inspector.model.model import TensorInfo
from inspector.model.tensors.prediction import OutputValue
from inspector.preview.inputs.model_states import states
from inspector.report.language.generation import Generation

_MASK = "mask"
_HIDDEN = "hidden"  # part of the names of what an encoder says of each place
_HIDDEN_RANK = 3  # (batch, places, width)


def generate(
    backend: Backend,
    opened: OpenedModel,
    name: str,
    asked: GenerationRequest,
    encoded: Sequence[OutputValue] = (),
) -> Generation:
    """Generate text by the backend's own loop, or else by predictions.

    name: of the decoder's file. encoded: outputs of its encoder, of which the request then has
    the inputs. Raises BadInput, EngineFailed.
    """
    if encoded:
        feeds = decoder_feeds(opened.inputs, opened.outputs, encoded, asked.feeds)
        asked = replace(asked, feeds=feeds)
    if Capability.GENERATION in backend.info.capabilities:
        return backend.generate(opened, asked)
    return predicting_decoder.generate(opened, name, asked)


def decoder_feeds(
    inputs: Sequence[TensorInfo],
    outputs: Sequence[TensorInfo],
    encoded: Sequence[OutputValue],
    fed: Mapping[str, Feed],
) -> dict[str, Array]:
    """Return the inputs of a decoder that its encoder fills; none for those that it does not.

    inputs, outputs: of the decoder. encoded: outputs of the encoder. fed: its inputs.
    Hidden states, keys and values of the places that were read come from its outputs, the mask
    of these places from its inputs: all of them count where the encoder takes no mask.
    """
    wanted = set(further_inputs(inputs, outputs))
    arrays = {each.name: each.array for each in encoded if each.array is not None}
    kinds = [TensorInfo(each.name, "tensor", each.dtype, each.shape) for each in encoded]
    fitting = [
        each.array
        for each in sorted(encoded, key=lambda each: _HIDDEN not in each.name.lower())
        if each.array is not None and each.array.ndim == _HIDDEN_RANK
    ]
    hidden = fitting[0] if fitting else None
    made: dict[str, Array] = {}
    for info in inputs:
        if info.name not in wanted:
            continue
        called, rank = info.name.lower(), len(info.shape or ())
        if info.name in arrays:
            made[info.name] = arrays[info.name]
        elif _MASK in called and hidden is not None:
            made[info.name] = _mask(info, hidden, fed)
        elif _HIDDEN in called and rank in (0, _HIDDEN_RANK) and hidden is not None:
            made[info.name] = hidden
        else:
            pair = next(iter(states((info,), kinds)), None)
            if pair is not None and pair.output in arrays:
                made[info.name] = arrays[pair.output]
    return made


def _mask(info: TensorInfo, hidden: Array, fed: Mapping[str, Feed]) -> Array:
    dtype = type_names.numpy_type(info.dtype) or np.dtype(np.int64)
    given = next((value for name, value in fed.items() if _MASK in name.lower()), None)
    if isinstance(given, np.ndarray) and given.shape == hidden.shape[:2]:
        return given.astype(dtype)
    return np.ones(hidden.shape[:2], dtype)
