"""Whether a model that computes in float16 is still right where float16 is real."""

import msgspec

AUTO = "auto"  # in place of names of layers that stay float32: those that need it are found


class OutOfRange(msgspec.Struct, frozen=True):
    """A result that float16 cannot hold.

    layer, operator: what computes it; tensor: its name. largest: its largest finite magnitude
    before rounding. vanishes: it is too small, so that all of it becomes 0; else it is beyond
    65,504 and becomes infinite.
    """

    layer: str
    operator: str
    tensor: str
    largest: float
    vanishes: bool = False


class Float16Check(msgspec.Struct, frozen=True):
    """The answers of a model in exact float16 arithmetic beside the original's in float32.

    inputs: how many were compared. out_of_range: results that float16 cannot hold, in the order
    of the layers. holds: whether the outputs are still right; outputs: how far, as a sentence.
    missing: why nothing was checked; else empty.
    """

    inputs: int = 0
    out_of_range: tuple[OutOfRange, ...] = ()
    holds: bool = True
    outputs: str = ""
    missing: str = ""
