"""Values of the roofline analysis: ceilings of the machine, and work of each layer."""

from inspector.platform.data_struct import DataStruct

FLOAT32 = "float32"
FLOAT16 = "float16"
INT8 = "int8"
DTYPES = (FLOAT32, FLOAT16, INT8)


class Ceiling(DataStruct, frozen=True):
    """The limits of a device as measured: arithmetic and memory bandwidth.

    device: id of the device.
    dtype: data type of the arithmetic, one of DTYPES.
    threads: as in RunSpec; 0: the runtime's default.
    operations_per_second: a multiply-add counts as two operations.
    bytes_per_second: memory bandwidth.
    measured: date and time, ISO 8601 with a time zone.
    busy: whether other programs were running, so that the device can do more.
    kept: whether the latest attempt, at `measured`, reached less than an earlier one beside
        load, whose rates these are.
    """

    device: str
    dtype: str
    threads: int
    operations_per_second: float
    bytes_per_second: float
    measured: str = ""
    busy: bool = False
    kept: bool = False

    @property
    def ridge(self) -> float:
        """Operations a byte from which on arithmetic is the limit, not memory."""
        return self.operations_per_second / self.bytes_per_second

    @property
    def unit(self) -> str:
        """The unit of its operations: of floating point, or of integers."""
        return "OP/s" if self.dtype == INT8 else "FLOP/s"


class LayerWork(DataStruct, frozen=True):
    """Arithmetic and memory traffic of a layer in one run, computed from its shapes.

    index: of the layer.
    operations: arithmetic operations.
    moved_bytes: bytes read and written.
    output_bytes: bytes written.
    """

    index: int
    operations: int
    moved_bytes: int
    output_bytes: int = 0


class Roofline(DataStruct, frozen=True):
    """Limits of the devices of a measurement, for each data type that layers compute in.

    ceilings: the limits.
    layers: the work of each layer, as far as it is known.
    """

    ceilings: tuple[Ceiling, ...] = ()
    layers: tuple[LayerWork, ...] = ()
