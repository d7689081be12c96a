"""The settings of a measurement: how one model is run."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Dimension:
    """A free axis and the length it gets."""

    name: str
    size: int


@dataclass(frozen=True, slots=True)
class InputSource:
    """The source of an input's values: "zeros", "ones", "random:0", or a file name."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class ProviderOption:
    """A setting of an execution provider, by its own name for it."""

    key: str
    value: str


@dataclass(frozen=True, slots=True)
class RunSpec:
    """One way to run one model; two equal specs ask for the same.

    devices: ids, first choice first; the CPU takes what the others leave.
    optimization: "none", "basic", "extended" or "all", as the runtime's levels.
    threads: inside one operator; 0 leaves the choice to the runtime.
    predict: devices that need not be here; what tables say of them is added to the marks.
    runs, seconds: clean predictions for the latency; with seconds > 0 they go on until both
        are reached. until: they go on until the 95 % interval of the median is at most so wide
        to each side, as a share of it, or `most_seconds` are over; 0 for no such end.
    warmup: predictions before that. profiled_runs: with the profiler on. layer_precision: above
        0, more of these where they are short: 80 to 200 as far as 3 s allow. What the medians
        are known to afterwards is in the report; it does not yet decide when to end.
    roofline: hold layers against what the devices can do at most.
    load_from: "path", "bytes", "reader" or "compiled": what the runtime is given to load: the
        file's name, its content, what this program made of it, with the weights left in the
        file, or what the device's provider kept of compiling it.
    loads: how often it is loaded. phases: load once more, with the runtime's log, to tell
        the phases of loading apart.
    binding: "plain", "inputs", "outputs" or "device": arguments of each call, inputs bound to
        memory once, outputs as well, or inputs copied to the device once and outputs left
        there until they are fetched.
    cast: inputs in another type of real numbers are cast.
    profiled_runs 0: no profiler; the report then tells nothing of layers.
    execution_mode: "sequential", or "parallel": operators that do not need each other at
        once, on `inter_threads` threads (0: the runtime's choice). spinning: threads of the
        runtime wait busily. arena, memory_pattern: as the runtime's options of these names.
    starts: processes, one after the other, each with all of that in it but the profiler.
    steady: so many seconds longer at most, until enough predictions ran at the processor's full
        pace; 0: how they ran is told all the same.
    concurrency: so many predictions at once in one session, one number after the other.
    check: hold the outputs against those of the CPU without optimization afterwards.
    provider_options: for the first device that is not the CPU.
    on_cpu: layers that stay on the CPU whatever other devices could take: names, patterns
        ("/head/*") or indices.
    synchronize: time layers on devices that work on their own one by one, each until it is
        done; slow.
    around_failures: a layer at which a device fails is kept on the CPU, too, and all begins
        anew; its mark tells.
    """

    devices: tuple[str, ...] = ("cpu",)
    optimization: str = "all"
    threads: int = 0
    runs: int = 30
    seconds: float = 0.0
    warmup: int = 3
    profiled_runs: int = 10
    dimensions: tuple[Dimension, ...] = ()
    inputs: tuple[InputSource, ...] = ()
    predict: tuple[str, ...] = ()
    load_from: str = "path"
    loads: int = 1
    phases: bool = False
    binding: str = "plain"
    cast: bool = False
    inter_threads: int = 0
    execution_mode: str = "sequential"
    spinning: bool = True
    arena: bool = True
    memory_pattern: bool = True
    concurrency: tuple[int, ...] = ()
    check: bool = False
    provider_options: tuple[ProviderOption, ...] = ()
    until: float = 0.0
    most_seconds: float = 60.0
    roofline: bool = False
    starts: int = 1
    steady: float = 0.0

    @property
    def alone(self) -> bool:
        """Whether one thread of the processor does all the work."""
        return self.threads == 1 and self.only_cpu

    @property
    def only_cpu(self) -> bool:
        """Whether no other device takes part."""
        return set(self.devices) == {"cpu"}

    on_cpu: tuple[str, ...] = ()
    around_failures: bool = False
    synchronize: bool = False
    layer_precision: float = 0.0


# What is measured where nobody says how long: a short model would otherwise be a snapshot.
DEFAULT_SPEC = RunSpec(seconds=0.5, steady=3.0, layer_precision=0.1)
