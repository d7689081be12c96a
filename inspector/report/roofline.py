"""Values of the roofline analysis: ceilings of the machine, and work of each layer."""

from dataclasses import dataclass

FLOAT32, FLOAT16, INT8 = "float32", "float16", "int8"
DTYPES = (FLOAT32, FLOAT16, INT8)


@dataclass(frozen=True, slots=True)
class Ceiling:
    """The two limits of a device, as its runtime reached them: arithmetic and memory.

    dtype: of the arithmetic, one of DTYPES. threads: as in RunSpec, 0 for the runtime's choice.
    measured: when, ISO 8601 with the zone. busy: other programs were at work, so that it can
    do more.
    A multiply-add is two operations.
    """

    device: str
    dtype: str
    threads: int
    operations_per_second: float
    bytes_per_second: float
    measured: str = ""
    busy: bool = False

    @property
    def ridge(self) -> float:
        """Operations a byte from which on arithmetic is the limit, not memory."""
        return self.operations_per_second / self.bytes_per_second

    @property
    def unit(self) -> str:
        """The unit of its operations: of floating point, or of integers."""
        return "OP/s" if self.dtype == INT8 else "FLOP/s"


@dataclass(frozen=True, slots=True)
class LayerWork:
    """Operations and memory traffic of a layer in one run, from its shapes.

    moved_bytes: read and written, output_bytes: written.
    """

    index: int
    operations: int
    moved_bytes: int
    output_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Roofline:
    """Ceilings of the devices of a measurement, one for each type that layers compute in.

    layers: the work that is known.
    """

    ceilings: tuple[Ceiling, ...] = ()
    layers: tuple[LayerWork, ...] = ()
