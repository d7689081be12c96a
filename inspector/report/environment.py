"""The machine of a measurement, and what else went on there meanwhile."""

from dataclasses import dataclass

BUSY_CPU_SHARE = 0.15  # of all cores, by other programs


@dataclass(frozen=True, slots=True)
class Environment:
    """Machine and software of a measurement; no host name, no path, no user.

    load_average: programs that wanted a core in the minute before it began. governor: who sets
        the processor's frequency, and frequency_driver through what; empty where not told.
    runtime: name and version of the runtime ("ONNX Runtime 1.31.1"); empty in reports of
        earlier versions, which only had `onnxruntime`.
    onnxruntime: version of ONNX Runtime; empty with another runtime.
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
    def runtime_text(self) -> str:
        """Return name and version of the runtime: "ONNX Runtime 1.31.1"."""
        return self.runtime or f"ONNX Runtime {self.onnxruntime}"


@dataclass(frozen=True, slots=True)
class SystemLoad:
    """Load of the machine during the timed runs: shares of all cores' time.

    stolen: taken by the host of a virtual machine. others: used by other programs. Both 0 to 1;
        None where the system does not tell, or the predictions were over too soon.
    """

    stolen: float | None = None
    others: float | None = None


# How much memory the engine held, phase by phase.


@dataclass(frozen=True, slots=True)
class WeightPrepacking:
    """Weights that kernels prepack, and memory that sessions hold, from separate loads.

    prepacked: copies that kernels keep in a form of their own, as the runtime counts them;
    None where it does not. replaced: the weights of the optimised graph that these stand for.
    held, held_plain: by a loaded session, with prepacking and without, as the C library counts,
    the median of `loads` each; 0 where it does not. spread: between loads of one kind, at most.
    """

    prepacked_bytes: int | None
    replaced_bytes: int
    held_bytes: int
    held_plain_bytes: int
    spread_bytes: int
    loads: int


@dataclass(frozen=True, slots=True)
class MemoryUse:
    """Resident bytes of the engine process after each phase of the clean pass.

    peak: the high-water mark of all; loaded_peak and first_prediction_peak: of what was until
    then. closed: when the session was gone; trimmed: when the C library was told to give back
    what it does not use, which it does not do by itself. arena: of the runtime's arenas, in
    use and held at most while profiled. 0 where it is not known. packing: None if not asked.
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
        """Memory used by the model: peak minus the level of the empty engine, in bytes."""
        return max(0, self.peak_bytes - self.start_bytes)

    @property
    def beside_weights_bytes(self) -> int:
        """Memory held after loading besides the weights: prepacked copies and the graph.

        `packing` tells the copies apart. A load without prepacking holds more, not less: the
        session then keeps what they replace, and the graph's own copy of all weights.
        """
        return max(0, self.loaded_bytes - self.start_bytes - self.weights_bytes)
