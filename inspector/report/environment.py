"""The machine of a measurement, and what else went on there meanwhile."""

from collections.abc import Sequence
from itertools import chain

from inspector.platform.data_struct import DataStruct

BUSY_CPU_SHARE = 0.15  # of all cores, by other programs


class Environment(DataStruct, frozen=True):
    """Machine and software of a measurement, without host name, paths and user name.

    inspector: version of Inspector.
    onnxruntime: version of ONNX Runtime; empty with another runtime.
    packages: other packages of the runtime, with versions.
    python: version of Python.
    system: operating system.
    cpu: name of the CPU.
    cores: number of logical CPU cores.
    memory_bytes: main memory.
    load_average: average number of programs that wanted a core in the minute before the
        measurement.
    governor, frequency_driver: policy and driver that set the CPU frequency; empty if
        unknown.
    runtime: name and version of the runtime ("ONNX Runtime 1.31.1"); empty in reports of
        earlier versions, which only have `onnxruntime`.
    """

    inspector: str
    onnxruntime: str
    packages: tuple[str, ...]
    python: str
    system: str
    cpu: str
    cores: int
    memory_bytes: int
    load_average: float = 0.0
    governor: str = ""
    frequency_driver: str = ""
    runtime: str = ""

    @property
    def runtime_name(self) -> str:
        """Return the name of the runtime without its version: "ONNX Runtime"."""
        return self.runtime_text.rpartition(" ")[0]

    @property
    def runtime_text(self) -> str:
        """Return name and version of the runtime: "ONNX Runtime 1.31.1"."""
        return self.runtime or f"ONNX Runtime {self.onnxruntime}"


class EnergyUse(DataStruct, frozen=True):
    """Energy during the timed runs, of all programs together: counters know none of them.

    parts: what has a counter ("CPU package", "battery"), and its joules. seconds: in which.
    missing: why there are none; "" also in reports of earlier versions.
    """

    parts: tuple[tuple[str, float], ...] = ()
    seconds: float = 0.0
    missing: str = ""

    @property
    def watts(self) -> float | None:
        """Return the mean power of all parts; None where nothing was counted."""
        return sum(joules for _, joules in self.parts) / self.seconds if self.parts else None


def join_energy(uses: Sequence[EnergyUse]) -> EnergyUse:
    """Return what several processes used one after the other."""
    joules = dict[str, float]()
    for name, part in chain.from_iterable(use.parts for use in uses):
        joules[name] = joules.get(name, 0.0) + part
    seconds = sum(use.seconds for use in uses if use.parts)
    return EnergyUse(tuple(joules.items()), seconds, "" if joules else uses[0].missing)


class SystemLoad(DataStruct, frozen=True):
    """Load of the machine during the timed runs, as shares of the time of all cores.

    stolen: taken by the host of a virtual machine, 0 to 1; None if unknown, or if the runs
        were too short to tell.
    others: used by other programs; as `stolen`.
    energy: of the machine meanwhile.
    on_battery: whether a battery fed it.
    """

    stolen: float | None = None
    others: float | None = None
    energy: EnergyUse = EnergyUse()
    on_battery: bool = False


class WeightPrepacking(DataStruct, frozen=True):
    """Memory for weights that kernels prepack, from separate loads, in bytes.

    prepacked_bytes: copies of weights in the kernels' own layout; None if unknown.
    replaced_bytes: original weights that the copies replace.
    held_bytes: memory of a loaded session with prepacking, median of the loads; 0: unknown.
    held_plain_bytes: the same without prepacking.
    spread_bytes: the largest difference between loads of one kind.
    loads: number of loads of each kind.
    """

    prepacked_bytes: int | None
    replaced_bytes: int
    held_bytes: int
    held_plain_bytes: int
    spread_bytes: int
    loads: int


class MemoryUse(DataStruct, frozen=True):
    """Resident memory of the engine process in each phase without the profiler, in bytes.

    start_bytes: before loading.
    loaded_bytes: after loading.
    first_prediction_bytes: after the first run.
    end_bytes: after the last run.
    peak_bytes: the highest of all.
    weights_bytes: size of the weights as stored in the model.
    loaded_peak_bytes: the highest during loading.
    first_prediction_peak_bytes: the highest until the first run was done.
    closed_bytes: after the session was closed.
    trimmed_bytes: after the allocator returned unused memory to the system.
    arena_used_bytes, arena_held_bytes: the highest memory of the runtime's arenas in use,
        and reserved, while profiled; 0: unknown.
    packing: memory for prepacked weights; None if not measured.
    """

    start_bytes: int
    loaded_bytes: int
    first_prediction_bytes: int
    end_bytes: int
    peak_bytes: int
    weights_bytes: int
    loaded_peak_bytes: int = 0
    first_prediction_peak_bytes: int = 0
    closed_bytes: int = 0
    trimmed_bytes: int = 0
    arena_used_bytes: int = 0
    arena_held_bytes: int = 0
    packing: WeightPrepacking | None = None

    @property
    def model_bytes(self) -> int:
        """Peak model memory: the peak minus the level of the empty engine, in bytes."""
        return max(0, self.peak_bytes - self.start_bytes)

    @property
    def beside_weights_bytes(self) -> int:
        """Memory held after loading besides the weights: prepacked copies and the graph.

        `packing` tells the copies apart. A load without prepacking holds more, not less: the
        session then keeps what they replace, and the graph's own copy of all weights.
        """
        return max(0, self.loaded_bytes - self.start_bytes - self.weights_bytes)
