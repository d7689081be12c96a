"""Values of a report that are used without one, too: device, support, identity of a model.

They cross the engine's pipe. A process that measures nothing has no need of the report itself.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from inspector.platform.data_struct import DataStruct
from inspector.units import duration, share
from inspector.wording.support_marks import Mark, Rule, Source
from inspector.wording.values import Sentence

LIMIT_BYTES = 256 << 20  # of the file of a report, or of another answer, that is read

# Their kernels are submitted, and run on while the next one is; others run on the caller.
_ASYNCHRONOUS_PROVIDERS = frozenset({
    "WebGpuExecutionProvider", "CUDAExecutionProvider", "TensorrtExecutionProvider",
    "NvTensorRTRTXExecutionProvider", "DmlExecutionProvider", "ROCMExecutionProvider",
    "MIGraphXExecutionProvider", "CANNExecutionProvider",
})  # fmt: skip


class ShapeRun(DataStruct, frozen=True):
    """Runs of one session at inputs of some shapes, after those at others.

    first_ns: the first run, in which a runtime may prepare itself for the shapes.
    steady_ns: the later ones. load_ns: of the session; 0 where it was open.
    before_bytes, after_bytes: memory of the process that no other one shares.
    """

    first_ns: int
    steady_ns: tuple[int, ...]
    load_ns: int
    before_bytes: int
    after_bytes: int


class Hardware(DataStruct, frozen=True):
    """A processor that the system lists, whether a runtime uses it or not.

    kind: "cpu", "gpu" or "npu". driver: with its version where that is known; "" where none is
    loaded, and for a CPU. memory_bytes: of its own, of a CPU that of the machine; None where
    it is unknown.
    """

    vendor: str
    name: str
    driver: str = ""
    memory_bytes: int | None = None
    kind: str = "gpu"


class Device(DataStruct, frozen=True):
    """A device that the runtime offers.

    id: its name in RunSpec and on the command line ("cpu", "webgpu:0").
    name: for people.
    kind: "cpu", "gpu" or "npu".
    provider: the execution provider.
    vendor: of the hardware.
    source: package and version that offer it.
    problem: why it cannot be used although it is installed; empty if it can be used.
    hint: what to do about it.
    """

    id: str
    name: str
    kind: str
    provider: str
    vendor: str = ""
    source: str = ""
    problem: str = ""
    hint: str = ""

    @property
    def asynchronous(self) -> bool:
        """Whether kernels run asynchronously, so that the host cannot time them."""
        return self.provider in _ASYNCHRONOUS_PROVIDERS


class Support(DataStruct, frozen=True):
    """Support of one layer by one device.

    mark: whether it ran there, could, or cannot.
    source: how this is known.
    reason: a sentence; empty if none is needed.
    rule: which kind of restriction applies, if known.
    """

    mark: Mark
    source: Source
    reason: str = ""
    rule: Rule = Rule.NONE

    @property
    def label(self) -> str:
        """Return the mark as people read it; only an installed device can be passed over."""
        if self.mark is Mark.UNKNOWN and self.source is Source.MEASURED:
            return "Not in profile"
        passed_over = self.source is not Source.TABLE and self.mark is Mark.SUPPORTED
        return "Supported, not chosen" if passed_over else self.mark.label

    @property
    def known_by(self) -> str:
        """Return how the mark is known, as " (measured)"; "" where the reason says it."""
        if self.mark is Mark.UNKNOWN and self.source is Source.MEASURED:
            return ""
        explained = self.source is Source.TABLE and self.reason
        return "" if explained else Sentence(" ({source})", self.source.value)


@dataclass(frozen=True, slots=True)
class ModelIdentity:
    """The measured model. Its hash identifies it, the rest is for people.

    name: file name.
    sha256: of the file and its external data.
    size_bytes: of the file and its external data.
    parameters: number of weights.
    layers: number of layers.
    opset: the opsets that it imports.
    description: what the model is, in one sentence, as Overview and `info` say it; empty in old
        reports. It comes with the version of Inspector, so that it does not identify a model.
    """

    name: str
    sha256: str
    size_bytes: int
    parameters: int
    layers: int
    opset: str = ""
    description: str = field(default="", compare=False)


class ProviderProfile(DataStruct, frozen=True):
    """Counts of an execution provider's own profiler for a compiled layer.

    amount: for the layer in one run, in `unit`. Layers that the provider merged have one
        amount, at the first of them.
    whole: for the whole model, including transfers of inputs and outputs.
    unit: "cycles" of the device, or "ns".
    source: name of the profiler.
    """

    amount: int
    whole: int
    unit: str
    source: str

    @property
    def summary(self) -> str:
        """ "16,668 of 183,527 cycles, 9.1%, by QNN's own profiler"."""
        if self.unit == "ns":
            numbers = f"{duration(self.amount)} of {duration(self.whole)}"
        else:
            numbers = f"{self.amount:,} of {self.whole:,} {self.unit}"
        return f"{numbers}, {share(self.amount, self.whole)}, by {self.source}"


class CompiledModel(DataStruct, frozen=True):
    """A model as a provider compiled it for a device.

    files: that were written; none where the provider compiled no part. device: which it is
    for. chip: as the compiled binary names it, and sdk, the version of what compiled it; each
    may be empty. compile_ns: of loading, partitioning and compiling. parts: that were
    compiled, of binary_bytes together; file_bytes: of the whole. compiled, left: indices of
    layers that are in a part, and that the CPU runs; the runtime removed the others before.
    lengths: of free axes, at which it was compiled.
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
    lengths: tuple[tuple[str, int], ...] = ()


class CompiledLayers(DataStruct, frozen=True, eq=False):
    """What became of the layers of a model that was compiled.

    reasons: why layers were left, by index. saved: the compiled model; None where the provider
    compiled no part, or nobody wanted the file.
    """

    model: CompiledModel
    reasons: Mapping[int, Support]
    saved: Path | None = None
