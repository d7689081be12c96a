"""A model that was compiled for a device, with what the device takes of it."""

from collections.abc import Mapping
from dataclasses import dataclass

from msgspec import Struct

from inspector.report.report_values import Device, Support


class CompiledModel(Struct, frozen=True):
    """A model as a provider compiled it for a device.

    files: that were written; none where the provider compiled no part. device: which it is
    for. chip: as the compiled binary names it, and sdk, the version of what compiled it; each
    may be empty. compile_ns: of loading, partitioning and compiling. parts: that were
    compiled, of binary_bytes together; file_bytes: of the whole. compiled, left: indices of
    layers that are in a part, and that the CPU runs; the runtime removed the others before.
    """

    files: tuple[str, ...]
    device: Device
    compile_ns: int
    compiled: tuple[int, ...]
    left: tuple[int, ...]
    parts: int = 0
    binary_bytes: int = 0
    file_bytes: int = 0
    chip: str = ""
    sdk: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class CompiledLayers:
    """What became of the layers of a model that was compiled.

    lengths: of free axes, at which it was compiled. reasons: why layers were left, by index.
    """

    model: CompiledModel
    lengths: Mapping[str, int]
    reasons: Mapping[int, Support]
