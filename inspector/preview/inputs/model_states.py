"""Pair inputs that are the state of a model with the outputs that feed them back."""

import re
from collections.abc import Sequence

from msgspec import Struct

from inspector.model.model import Axis, TensorInfo
from inspector.preview.inputs import default_values
from inspector.preview.preprocessing.guess import guess

_SIDES = frozenset(
    ("in", "out", "input", "output", "new", "next", "prev", "previous", "present", "past", "n",
     "updated", "last", "initial", "init", "final", "0")
)  # fmt: skip
_SPLIT = re.compile(r"[^a-zA-Z0-9]+|(?<=[a-z])(?=[A-Z])")
_SAME = (("past_key_values", "past"), ("present_key_values", "present"), ("h0", "h"),
         ("hn", "h"), ("c0", "c"), ("cn", "c"))  # fmt: skip


class State(Struct, frozen=True):
    """An input that starts at zero and then gets what an output gave.

    why: what the pairing rests on, for people.
    """

    input: str
    output: str
    why: str = ""


def states(inputs: Sequence[TensorInfo], outputs: Sequence[TensorInfo]) -> tuple[State, ...]:
    """Pair inputs with outputs of the same type and shape, by their names where they tell.

    Names are compared without what only says on which side they are: stateN and state, h_out
    and h_in, present.0.key and past_key_values.0.key. Where no name tells, an input that is
    not the first and an output that is not the first pair when only they have that shape.
    """
    pairs: list[State] = []
    free = list(outputs)
    for info in inputs:
        partner = next((out for out in free if _named_alike(info, out)), None)
        if partner is not None:
            free.remove(partner)
            pairs.append(State(info.name, partner.name, f"named like {partner.name}"))
    paired = {state.input for state in pairs}
    for info in inputs[1:]:
        alike = [out for out in free if out is not outputs[0] and _shaped_alike(info, out)]
        if info.name not in paired and len(alike) == 1:
            free.remove(alike[0])
            why = f"the only ones of this shape are it and {alike[0].name}"
            pairs.append(State(info.name, alike[0].name, why))
    return tuple(pairs)


def _named_alike(info: TensorInfo, output: TensorInfo) -> bool:
    if not _fits(info, output) or guess(info) is not None:
        return False
    if not default_values.is_state(info):
        return False
    parts = _name_parts(info.name)
    crossed = info.name.endswith("i") and output.name == f"{info.name[:-1]}o"
    return crossed or (parts == _name_parts(output.name) and bool(parts or "past" in info.name))


def _name_parts(name: str) -> tuple[str, ...]:
    plain = name
    for there, here in _SAME:
        plain = (
            here if plain == there else plain.replace(there, here) if "_" in there else plain
        )
    parts = (part.lower() for part in _SPLIT.split(plain))
    return tuple(part for part in parts if part and part not in _SIDES)


def _shaped_alike(info: TensorInfo, output: TensorInfo) -> bool:
    """Return whether both have one and the same fixed shape of rank 3 or more, and no
    picture's."""
    whole = info.shape is not None and all(isinstance(axis, int) for axis in info.shape)
    same = info.dtype == output.dtype and info.shape == output.shape
    return whole and same and len(info.shape or ()) > 2 and guess(info) is None


def _fits(info: TensorInfo, output: TensorInfo) -> bool:
    if info.dtype != output.dtype or info.kind != "tensor" or output.kind != "tensor":
        return False
    if info.shape is None or output.shape is None:
        return True
    same_rank = len(info.shape) == len(output.shape)
    return same_rank and all(map(_agree, info.shape, output.shape))


def _agree(one: Axis, other: Axis) -> bool:
    return not (isinstance(one, int) and isinstance(other, int)) or one == other
