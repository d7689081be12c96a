"""The settings of a measurement: how one model is run."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Dimension:
    """A dynamic axis and the size that it gets.

    name: name of the axis.
    size: its size.
    """

    name: str
    size: int


@dataclass(frozen=True, slots=True)
class InputSource:
    """The source of an input's values.

    name: of the input.
    value: "zeros", "ones", "random:0", or a file name.
    """

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class ProviderOption:
    """An option of an execution provider.

    key: the provider's name of the option.
    value: its value.
    """

    key: str
    value: str


@dataclass(frozen=True, slots=True)
class RunSpec:
    """The settings of a run. Two equal specs mean the same.

    devices: ids, by priority. The CPU runs the layers that no other device supports.
    optimization: graph optimization level: "none", "basic", "extended" or "all".
    threads: intra-op threads; 0: the runtime's default.
    runs, seconds: timed runs, and their least duration together; both are reached.
    warmup: runs before them.
    profiled_runs: runs with the profiler; 0: no profiler, so no layer times.
    dimensions: sizes of dynamic axes.
    inputs: where the values of the inputs come from.
    predict: devices, present or not, whose support tables are consulted.
    load_from: what the runtime loads: "path": the file, "bytes": its content, "reader": the
        model as parsed by Inspector, with the weights left in the file, "compiled": the
        model as compiled by the execution provider.
    loads: number of loads.
    phases: load once more with the runtime's log, to tell the phases of loading apart.
    binding: I/O binding: "plain": none, "inputs": inputs are bound once, "outputs": outputs
        as well, "device": both stay in device memory until fetched.
    cast: convert numeric inputs to the data type of the model's inputs.
    inter_threads: inter-op threads in the parallel mode; 0: the runtime's default.
    execution_mode: "sequential", or "parallel": independent operators run at the same time.
    spinning: idle threads of the runtime busy-wait.
    arena, memory_pattern: the runtime's options of these names.
    concurrency: numbers of concurrent runs in one session to measure, one after the other.
    check: compare the outputs with those of an unoptimized run on the CPU.
    provider_options: for the execution provider of the first device that is not the CPU.
    until: continue until the 95% interval of the median is within this share of it on each
        side; 0: do not.
    most_seconds: time limit of `until`.
    roofline: measure the limits of the devices.
    starts: number of processes, one after the other; only the first is profiled.
    steady: continue for up to so many seconds until enough runs are at full CPU speed.
    on_cpu: layers forced to the CPU: names, patterns ("/head/*") or indices.
    around_failures: if a device fails to run a layer that it accepted, force that layer to
        the CPU and start again.
    synchronize: time each layer on asynchronous devices on its own, waiting until it is
        done; slow.
    xnnpack: LiteRT gives layers to the XNNPACK delegate; otherwise its own kernels run.
    inference_precision: OpenVINO computes in "f32", "bf16", "f16", or "device": as the device
        prefers.
    performance_hint: OpenVINO optimizes for "latency", "throughput", or "none".
    streams: number of runs that OpenVINO performs at the same time; 0: its default.
    custom_ops: libraries with custom operators, which the runtime loads for this model.
    sessions: of the model that ONNX Runtime also runs at once in one process; 0: none.
    run_async: call ONNX Runtime's run_async as well, alternating with run.
    busy_cores: CPU cores that other processes keep busy meanwhile.
    layer_precision: target half-width of the 95% interval of layer times as a share; above
        0, `profiled_runs` is the fewest, and short models get 80 to 400 within about 4 s.
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
        return bool(self.devices) and all(map(is_cpu, self.devices))

    on_cpu: tuple[str, ...] = ()
    around_failures: bool = False
    synchronize: bool = False
    layer_precision: float = 0.0
    xnnpack: bool = True
    inference_precision: str = "f32"
    performance_hint: str = "latency"
    streams: int = 0
    custom_ops: tuple[str, ...] = ()
    sessions: int = 0
    run_async: bool = False
    busy_cores: int = 0


def own_runtime(device: str) -> str:
    """Return the runtime that a device id names: "openvino" of "openvino:cpu"; else nothing.

    Plugins of ONNX Runtime number their devices ("openvino:0", "webgpu:0").
    """
    runtime, _, name = device.partition(":")
    return runtime if name and not name[0].isdecimal() else ""


def is_cpu(device: str) -> bool:
    """Return whether a device id is that of the CPU in any runtime ("cpu", "openvino:cpu")."""
    return device.rpartition(":")[2] == "cpu"


# What is measured where nobody says how long: a short model would otherwise be a snapshot.
DEFAULT_SPEC = RunSpec(seconds=0.5, steady=3.0, layer_precision=0.1)
