"""What each input and output of a decoder is for, by names, types and shapes."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from enum import Enum, auto
from math import prod

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from inspector.backends import type_names
from inspector.errors import BadInput
from inspector.model.model import TensorInfo
from inspector.preview.inputs.model_states import states
from inspector.preview.inputs.tokens import takes_tokens
from inspector.units import clip, shape
from inspector.wording.values import Sentence

_LENGTH = re.compile(r"past|seq|len|cache")
_POSITIONS = re.compile(r"position_?ids|cache_position|(^|_)positions?$")
_DECODER = "decoder_"  # what names of inputs begin with where an encoder has some, too
_OF_ENCODER = ("encoder", "cross")  # parts of names of what an encoder said
_NAME = 60  # characters of a name in a message

Array = NDArray[np.generic]
# Makes the value of an input for `new` tokens after `past` others, in `batch` rows.
MakeFeed = Callable[[int, int, int], Array]


class FeedKind(Enum):
    """What an input that is neither tokens nor a state says of a call."""

    MASK = auto()  # (batch, past + new): ones
    POSITIONS = auto()  # (..., new): the places of the new tokens
    SEGMENTS = auto()  # (batch, new): zeros
    HAS_PAST = auto()  # whether there are earlier tokens
    KEPT_LOGITS = auto()  # how many positions get logits: one
    TOTAL = auto()  # past + new
    LAST_PLACE = auto()  # (batch, ...): past + new - 1
    PAST = auto()  # how many earlier tokens there are


class State(Struct, frozen=True):
    """What a decoder remembers between calls: an input, and the output that continues it.

    length_axis: the axis that grows with the tokens; None for a state of a fixed size. fixed:
    keys and values of what an encoder said: the first call makes them, and they stay.
    """

    input: TensorInfo
    output: str
    length_axis: int | None
    fixed: bool = False

    @property
    def dtype(self) -> np.dtype[np.generic]:
        """Return the type of its elements."""
        known = type_names.numpy_type(self.input.dtype)
        assert known is not None, "checked when it was found"
        return known

    def shape(self, batch: int, length: int) -> tuple[int, ...]:
        """Return its shape for so many rows and tokens."""
        grown = 0 if self.fixed else length
        return tuple(
            grown if place == self.length_axis else axis if isinstance(axis, int) else batch
            for place, axis in enumerate(self.input.shape or ())
        )

    def bytes_per_token(self, batch: int) -> int:
        """Return what one more token takes; 0 for a fixed size."""
        return 0 if self.length_axis is None else self.size_bytes(batch, 1)

    def size_bytes(self, batch: int, length: int) -> int:
        """Return what it takes for so many rows and tokens."""
        return prod(self.shape(batch, length)) * self.dtype.itemsize


class Roles(Struct, frozen=True):
    """Inputs and outputs of a decoder.

    logits: the output with a score for each token at each position. vocabulary: how many
    tokens there are; 0 where only a run tells. others: name of a further input -> what makes
    its value, after its type. kinds: what each of these says. step: tokens that each call
    takes, where the graph fixes that; 0 for any.
    """

    ids: TensorInfo
    logits: TensorInfo
    vocabulary: int
    states: tuple[State, ...]
    others: Mapping[str, tuple[str, MakeFeed]]
    step: int = 0
    kinds: Mapping[str, FeedKind] = field(default_factory=dict)


def find_roles(
    inputs: Sequence[TensorInfo],
    outputs: Sequence[TensorInfo],
    name: str,
    given: Collection[str] = (),
) -> Roles:
    """Return what inputs and outputs are for.

    name: of the model, for messages. given: inputs whose value somebody else gives, the same
    for all calls. Raises BadInput: it is no decoder, or has an input whose value is not known.
    """
    ids = tokens_input(inputs)
    if ids is None:
        raise _refusal(
            name,
            "no input takes token IDs",
            "Choose the part of the model that has an input named input_ids.",
        )
    fitting = (
        info
        for info in sorted(outputs, key=lambda info: "logits" not in info.name.lower())
        if info.kind == "tensor"
        and (len(info.shape or ()) == 3 or (not info.shape and "logits" in info.name.lower()))
        and info.dtype in ("float32", "float16", "bfloat16", "float64")
        and (info.shape or (0,))[-1] != 1
    )
    logits = next(fitting, None)
    if logits is None:
        raise _refusal(
            name,
            "no output has a score for each token at each position",
            "Text generation needs an output named logits, of rank 3.",
        )
    paired = {each.input: each.output for each in states(inputs, outputs)}
    found: list[State] = []
    others: dict[str, tuple[str, MakeFeed]] = {}
    kinds: dict[str, FeedKind] = {}
    names = {info.name.lower() for info in inputs}
    for info in inputs:
        if info is ids:
            continue
        if info.name in paired:
            found.append(_state(info, paired[info.name], name))
            continue
        if info.name in given:
            continue
        kinds[info.name] = kind = _kind(info, names, name)
        others[info.name] = info.dtype, _maker(info, kind)
    axes = ids.shape or ()
    batch = axes[0] if len(axes) == 2 else 1
    if isinstance(batch, int) and batch != 1:
        why = f"its input '{clip(ids.name, _NAME)}' takes {batch:,} texts at once"
        raise _refusal(name, why, "Export it with one text or a free batch axis.")
    step = axes[-1] if axes and isinstance(axes[-1], int) else 0
    vocabulary = logits.shape[-1] if logits.shape else None
    size = vocabulary if isinstance(vocabulary, int) else 0
    return Roles(ids, logits, size, tuple(found), others, step, kinds)


def tokens_input(inputs: Sequence[TensorInfo]) -> TensorInfo | None:
    """Return the input for the tokens of the text; not the one for those of an encoder."""
    found = [info for info in inputs if takes_tokens(info)]
    own = [info for info in found if info.name.lower().startswith(_DECODER)]
    return next(iter((*own, *found)), None)


def further_inputs(
    inputs: Sequence[TensorInfo], outputs: Sequence[TensorInfo]
) -> tuple[str, ...]:
    """Return the inputs of a decoder whose value somebody has to give."""
    paired = {each.input for each in states(inputs, outputs)}
    names = {info.name.lower() for info in inputs}
    ids, found = tokens_input(inputs), list[str]()
    for info in inputs:
        if info is ids or info.name in paired:
            continue
        try:
            _kind(info, names, "")
        except BadInput:
            found.append(info.name)
    return tuple(found)


def fitted_feed(info: TensorInfo, value: object) -> Array:
    """Return the value of a further input as memory of its type. Raises BadInput: it has
    another type."""
    dtype = type_names.numpy_type(info.dtype)
    if not isinstance(value, np.ndarray) or dtype is None or value.dtype.kind != dtype.kind:
        what = Sentence("Input '{name}' does not match", clip(info.name))
        why = Sentence("its type is {dtype}", info.dtype)
        raise BadInput(what, why, "Give it a tensor of this type.", "generation")
    return np.ascontiguousarray(value, dtype)


def _state(info: TensorInfo, output: str, name: str) -> State:
    """Return a state with the axis that grows: the only free one that is no batch."""
    axes = info.shape or ()
    if type_names.numpy_type(info.dtype) is None or not axes:
        why = f"its state '{clip(info.name, _NAME)}' is {info.dtype} {shape(info.shape)}"
        raise _refusal(name, why, "Export it with states of numbers and known ranks.")
    free = [
        place
        for place, axis in enumerate(axes)
        if not isinstance(axis, int) and place and "batch" not in str(axis).lower()
    ]
    if len(free) > 1:
        free = [place for place in free if _LENGTH.search(str(axes[place]).lower())]
        if len(free) != 1:
            why = f"which axis of its state '{clip(info.name, _NAME)}' grows is not known"
            raise _refusal(name, why, "Name that axis past_sequence_length.")
    fixed = any(part in info.name.lower() for part in _OF_ENCODER)
    return State(info, output, free[0] if free else None, fixed)


def _kind(info: TensorInfo, names: set[str], model: str) -> FeedKind:
    """Return what an input that is neither tokens nor a state says, by its name and rank.

    names: of all inputs, in lower case. Raises BadInput: that is not known.
    """
    called, rank = info.name.lower(), len(info.shape or ())
    dtype = type_names.numpy_type(info.dtype)
    if dtype is None or info.kind != "tensor":
        raise _unknown(info, model)
    # Beside inputs that are called the decoder's, the others are an encoder's.
    beside = any(each.startswith(_DECODER) for each in names) and not called.startswith(
        _DECODER
    )
    if beside or any(part in called for part in _OF_ENCODER):
        raise _unknown(info, model)
    if "mask" in called and rank == 2 and dtype.kind in "iubf":
        return FeedKind.MASK
    if _POSITIONS.search(called) and rank in (1, 2, 3) and dtype.kind in "iu":
        return FeedKind.POSITIONS
    if ("token_type" in called or "segment" in called) and rank == 2:
        return FeedKind.SEGMENTS
    if called == "use_cache_branch":
        return FeedKind.HAS_PAST
    if "logits_to_keep" in called:
        return FeedKind.KEPT_LOGITS
    if called in ("total_sequence_length", "current_sequence_length"):
        return FeedKind.TOTAL
    # GenAI counts one less beside the current length: what GroupQueryAttention wants.
    current = "current_sequence_length" in names
    if called == "seqlens_k" or (called == "past_sequence_length" and current):
        return FeedKind.LAST_PLACE
    if called == "past_sequence_length":
        return FeedKind.PAST
    raise _unknown(info, model)


def _ones_maker(dtype: np.dtype[np.generic]) -> MakeFeed:
    """Return what makes ones, (batch, past + new), for reading: all in one memory, since a mask
    grows with each token."""
    memory: Array = np.ones((1, 0), dtype)

    def ones(new: int, past: int, batch: int) -> Array:
        nonlocal memory
        length = past + new
        if memory.size < batch * length:
            memory = np.ones((1, 2 * batch * length), dtype)
        if batch == 1:
            return memory[:, :length]
        return memory[:, : batch * length].reshape(batch, length)

    return ones


def _maker(info: TensorInfo, kind: FeedKind) -> MakeFeed:
    """Return what makes the value of an input of a kind."""
    rank, dtype = len(info.shape or ()), type_names.numpy_type(info.dtype)
    assert dtype is not None, "checked with its kind"

    def number(value: int) -> Array:
        return np.full((1,) * rank, value, dtype)

    def positions(new: int, past: int, batch: int) -> Array:
        leads = [axis if isinstance(axis, int) else batch for axis in (info.shape or ())[:-1]]
        row = np.arange(past, past + new, dtype=dtype)
        return np.broadcast_to(row, (*leads, new)).copy()

    makers: dict[FeedKind, MakeFeed] = {
        FeedKind.MASK: _ones_maker(dtype),
        FeedKind.POSITIONS: positions,
        FeedKind.SEGMENTS: lambda new, past, batch: np.zeros((batch, new), dtype),
        FeedKind.HAS_PAST: lambda new, past, batch: number(int(past > 0)),
        FeedKind.KEPT_LOGITS: lambda new, past, batch: number(1),
        FeedKind.TOTAL: lambda new, past, batch: number(past + new),
        FeedKind.LAST_PLACE: lambda new, past, batch: np.full(
            (batch, *(1,) * (rank - 1)), past + new - 1, dtype
        ),
        FeedKind.PAST: lambda new, past, batch: number(past),
    }
    return makers[kind]


def _unknown(info: TensorInfo, model: str) -> BadInput:
    why = f"what its input '{clip(info.name, _NAME)}' ({info.dtype} {shape(info.shape)}) is for"
    return _refusal(
        model,
        f"{why} is not known",
        "Remove the input, or run the model with `inspector predict` and a value for it.",
    )


def _refusal(model: str, why: str, hint: str) -> BadInput:
    what = Sentence("Could not generate text with {name}", clip(model))
    return BadInput(what, why, hint, "generation")
