"""The settings of a measurement: how one model is run.

A new setting is one more field of `RunSpec`, and its use in a backend.
"""

from dataclasses import dataclass, fields, replace
from pathlib import Path

from inspector.platform.data_struct import DataStruct
from inspector.report.device_ids import is_cpu
from inspector.report.settings import KEY, Role, Setting, SettingKind

# Ids of backends that have a setting.
_ONNX_RUNTIME = "onnxruntime"
_LITERT = "litert"
_OPENVINO = "openvino"
_OPENVINO_CACHE = "CACHE_DIR"  # OpenVINO's own, without ONNX Runtime
# Options of OpenVINO and Vitis AI, TensorRT, TensorRT RTX, Core ML and MIGraphX that name the
# folder in which compiled models are kept.
CACHE_FOLDERS = frozenset({
    _OPENVINO_CACHE, "cache_dir", "cacheDir", "trt_engine_cache_path",
    "nv_runtime_cache_path", "ModelCacheDirectory", "migraphx_model_cache_dir",
})  # fmt: skip
# The most that an agent accepts, and the window offers.
_MOST_THREADS = 1_024
_MOST_RUNS = 1_000_000
_MOST_SECONDS = 3_600
_MOST_PROCESSES = 100
_MOST_SESSIONS = 64
_MOST_TOKENS = 1_048_576  # of a prompt or a context: the largest that models of 2026 name
_MOST_BATCH = 256


class Dimension(DataStruct, frozen=True):
    """A dynamic axis and the size that it gets.

    name: name of the axis.
    size: its size.
    """

    name: str
    size: int


class InputSource(DataStruct, frozen=True):
    """The source of an input's values.

    name: of the input.
    value: "zeros", "ones", "random:0", or a file name.
    """

    name: str
    value: str


class ProviderOption(DataStruct, frozen=True):
    """An option of an execution provider.

    key: the provider's name of the option.
    value: its value.
    """

    key: str
    value: str

    @classmethod
    def here(cls, key: str, value: str) -> "ProviderOption":
        """Return an option as somebody gives it, whose cache folder another process finds."""
        is_folder = key in CACHE_FOLDERS and value
        return cls(key, str(Path(value).absolute()) if is_folder else value)


@dataclass(frozen=True, slots=True)
class RunSpec:
    """The settings of a run. Two equal specs mean the same."""

    devices: tuple[str, ...] = Setting(
        "Device",
        SettingKind.DEVICES,
        "IDs of devices, by priority; the CPU runs the layers that no other device supports",
        has_option=False,
        has_field=False,
    ).default(("cpu",))
    optimization: str = Setting(
        "Optimization",
        SettingKind.CHOICE,
        "Graph optimization level: how far ONNX Runtime rewrites and fuses layers",
        choices=("none", "basic", "extended", "all"),
        titles=("None", "Basic", "Extended", "All"),
        tried=("none", "basic", "all"),
        runtimes=(_ONNX_RUNTIME,),
        common=True,
    ).default("all")
    threads: int = Setting(
        "Threads",
        SettingKind.COUNT,
        "Number of intra-op threads that share the work of one operator",
        unit="thread",
        zero="default",
        most=_MOST_THREADS,
        runtimes=(_ONNX_RUNTIME, _LITERT, _OPENVINO),
        tried=(1, 2),
        common=True,
        shares_cpu=True,
    ).default(0)
    runs: int = Setting(
        "Runs",
        SettingKind.COUNT,
        "Number of timed runs",
        unit="run",
        least=1,
        most=_MOST_RUNS,
        role=Role.LENGTH,
        usual="at least 30, for at least 0.5 s",
        common=True,
    ).default(30)
    seconds: float = Setting(
        "Minimum duration",
        SettingKind.SECONDS,
        "Keep running for at least this long",
        zero="None",
        offered=(0.0, 0.5, 1.0, 3.0, 10.0, 60.0),
        most=_MOST_SECONDS,
        role=Role.LENGTH,
        option="min-seconds",
        renamed=True,
        usual="0.5, or 0 if --runs is given",
        summary="at least {value} s",
    ).default(0.0)
    warmup: int = Setting(
        "Warm-up runs",
        SettingKind.COUNT,
        "Number of warm-up runs",
        unit="warm-up run",
        zero="none",
        most=_MOST_RUNS // 10,
        role=Role.LENGTH,
        common=True,
    ).default(3)
    profiled_runs: int = Setting(
        "Profiled runs",
        SettingKind.COUNT,
        "Number of runs with the profiler; 0: no profiler, so no layer times",
        most=1_000,
        role=Role.LENGTH,
        has_option=False,
        has_field=False,
    ).default(10)
    dimensions: tuple[Dimension, ...] = Setting(
        "Sizes of dynamic axes",
        SettingKind.DIMENSIONS,
        "Sizes of dynamic axes",
        has_option=False,
        has_field=False,
    ).default(())
    inputs: tuple[InputSource, ...] = Setting(
        "Inputs",
        SettingKind.SOURCES,
        "Where the values of the inputs come from",
        has_option=False,
        has_field=False,
    ).default(())
    predict: tuple[str, ...] = Setting(
        "Check support for",
        SettingKind.DEVICES,
        "Adds a column for each selected device, with an estimate of whether it supports each "
        "layer, from the support tables of the execution providers",
        role=Role.QUESTION,
        ability="support",
        undone="estimate the support of another device",
        summary="support checked for: {value}",
        option="estimate",
        renamed=True,
        metavar="ID",
        option_help="estimate from support tables which layers a device that is not in this "
        "machine could run: cuda, tensorrt, tensorrt-rtx, directml, migraphx, webgpu, webnn, "
        "coreml, coreml-mlprogram, openvino, openvino-gpu, qnn, vitisai, nnapi, xnnpack",
    ).default(())
    load_from: str = Setting(
        "Load from",
        SettingKind.CHOICE,
        "How the model is passed to the runtime: as a file, as its bytes, re-serialized by "
        "Inspector, or in the form that the device compiled earlier",
        choices=("path", "bytes", "reader", "compiled"),
        titles=("File", "Bytes", "Re-serialized copy", "Compiled"),
        runtimes=(_ONNX_RUNTIME, _OPENVINO),
        rank=1,
        reopens=False,
        swept=False,
        summary="loaded from {value}",
    ).default("path")
    loads: int = Setting(
        "Loads",
        SettingKind.COUNT,
        "Number of times that the model is loaded",
        unit="load",
        least=1,
        most=100,
        role=Role.QUESTION,
        has_field=False,
    ).default(1)
    phases: bool = Setting(
        "Profile model loading",
        SettingKind.SWITCH,
        "Load the model again with runtime logging enabled to time each load phase, and once "
        "more to count prepacked weights",
        role=Role.QUESTION,
        ability="load phases",
        undone="time the load phases",
        summary="model loading profiled",
    ).default(False)
    binding: str = Setting(
        "I/O binding",
        SettingKind.CHOICE,
        "Pass inputs with each call (None), bind inputs to memory once, also bind outputs, or "
        "keep both in device memory",
        choices=("plain", "inputs", "outputs", "device"),
        titles=("None", "Inputs", "Inputs and outputs", "On device"),
        rank=1,
        runtimes=(_ONNX_RUNTIME,),
        reopens=False,
        option_help="I/O binding: none (plain), bind the inputs once, also bind the outputs, "
        "or keep both in device memory",
    ).default("plain")
    cast: bool = Setting(
        "Input conversion",
        SettingKind.SWITCH,
        "Convert numeric inputs to the data types of the model's inputs",
        has_option=False,
        has_field=False,
    ).default(False)
    inter_threads: int = Setting(
        "Inter-op threads",
        SettingKind.COUNT,
        "Number of operators that run at the same time in the parallel execution mode",
        zero="default",
        most=_MOST_THREADS,
        runtimes=(_ONNX_RUNTIME,),
        shares_cpu=True,
    ).default(0)
    execution_mode: str = Setting(
        "Execution mode",
        SettingKind.CHOICE,
        "Run one operator at a time, or independent operators in parallel",
        choices=("sequential", "parallel"),
        titles=("Sequential", "Parallel"),
        short="execution",
        runtimes=(_ONNX_RUNTIME,),
        option="execution",
        shares_cpu=True,
    ).default("sequential")
    spinning: bool = Setting(
        "Thread spinning",
        SettingKind.SWITCH,
        "Idle threads busy-wait for work: lower latency, but a core stays busy",
        short="spinning",
        runtimes=(_ONNX_RUNTIME,),
        option_help="idle threads sleep instead of spinning",
        shares_cpu=True,
        entries=("session.intra_op.allow_spinning", "session.inter_op.allow_spinning"),
    ).default(True)
    arena: bool = Setting(
        "Memory arena",
        SettingKind.SWITCH,
        "Allocate from the runtime's memory arena instead of the system",
        runtimes=(_ONNX_RUNTIME,),
        option_help="disable the CPU memory arena",
    ).default(True)
    memory_pattern: bool = Setting(
        "Memory pattern",
        SettingKind.SWITCH,
        "Preallocate memory for the shapes of earlier runs",
        runtimes=(_ONNX_RUNTIME,),
        option_help="disable memory-pattern preallocation",
    ).default(True)
    concurrency: tuple[int, ...] = Setting(
        "Concurrent runs",
        SettingKind.COUNTS,
        "Also measure latency and throughput with these numbers of concurrent runs in one "
        "session",
        least=1,
        most=256,
        role=Role.QUESTION,
        metavar="N,N",
        has_field=False,
    ).default(())
    check: bool = Setting(
        "Verify outputs",
        SettingKind.SWITCH,
        "Compare the outputs with those of an unoptimized run on the CPU",
        role=Role.QUESTION,
        summary="outputs verified",
    ).default(False)
    provider_options: tuple[ProviderOption, ...] = Setting(
        "Execution provider options",
        SettingKind.OPTIONS,
        "Options for the execution provider of the first device that is not the CPU; with "
        "OpenVINO, its properties, such as CACHE_DIR=FOLDER",
        runtimes=(_ONNX_RUNTIME, _OPENVINO),
        for_devices=True,
        option="provider-option",
        metavar="KEY=VALUE",
        off_hint="The CPU provider has no options; choose another device",
    ).default(())
    until: float = Setting(
        "Target width of interval",
        SettingKind.SHARE,
        "Keep running until the 95% confidence interval of the median is this narrow",
        zero="Off",
        offered=(0.0, 0.02, 0.01, 0.005),
        most=1,
        role=Role.LENGTH,
        option_help="keep running until the 95% confidence interval of the median is within "
        "±P%",
        summary="until median within ±{value}%",
    ).default(0.0)
    most_seconds: float = Setting(
        "Time limit of the target width",
        SettingKind.SECONDS,
        "Time limit of the target width of the interval",
        most=_MOST_SECONDS,
        role=Role.LENGTH,
        option="max-seconds",
        renamed=True,
        option_help="time limit of --until",
        has_field=False,
    ).default(60.0)
    roofline: bool = Setting(
        "Roofline analysis",
        SettingKind.SWITCH,
        "Compare each layer with the device's peak compute and memory rates, measured once on "
        "this machine",
        role=Role.QUESTION,
        ability="ceilings",
        undone="measure the roofline",
        summary="roofline",
    ).default(False)
    starts: int = Setting(
        "Processes",
        SettingKind.COUNT,
        "Repeat the measurement in this many new processes, because results differ between "
        "processes",
        unit="process",
        least=1,
        most=_MOST_PROCESSES,
        role=Role.LENGTH,
        option="processes",
        renamed=True,
        usual="1; with --against: 5, then up to 20 until the ratio is known to ±2.4%, for at "
        "most 2 more minutes",
    ).default(1)
    steady: float = Setting(
        "Wait for full CPU speed",
        SettingKind.SECONDS,
        "If the CPU was throttled or busy, keep running for up to this long until enough runs "
        "were at full CPU speed; processes that never reached it are repeated",
        zero="Off",
        offered=(0.0, 3.0, 10.0, 60.0),
        most=600,
        role=Role.LENGTH,
        usual="3, or 0 if --runs is given",
        summary="wait up to {value} s for full CPU speed",
    ).default(0.0)
    on_cpu: tuple[str, ...] = Setting(
        "Forced to CPU",
        SettingKind.NAMES,
        "Layers that always run on the CPU, by name, index or pattern such as '/head/*': to "
        "raise accuracy or to isolate a failure",
        short="layers forced to the CPU",
        runtimes=(_ONNX_RUNTIME,),
        for_devices=True,
        metavar="LAYER[,LAYER]",
        off_hint="The CPU runs all layers. To force layers onto the CPU, choose another device "
        "first.",
    ).default(())
    around_failures: bool = Setting(
        "Move failing layers to the CPU",
        SettingKind.SWITCH,
        "If a layer fails on the device, force it to the CPU, mark it in the report, and "
        "measure again",
        role=Role.QUESTION,
        for_devices=True,
        ability="retries",
        undone="force failing layers to the CPU",
        summary="move failing layers to the CPU",
    ).default(False)
    synchronize: bool = Setting(
        "Synchronize layers",
        SettingKind.SWITCH,
        "On GPUs that run asynchronously, wait for each layer to finish before starting the "
        "next. Slow, and each time includes a round trip to the device",
        role=Role.QUESTION,
        ability="synchronizing",
        undone="time layers one by one",
        summary="layers synchronized",
    ).default(False)
    layer_precision: float = Setting(
        "Precision of layer times",
        SettingKind.SHARE,
        "Target half-width of the 95% interval of layer times; above 0, `profiled_runs` is the "
        "fewest, and short models get 80 to 400 within about 4 s",
        most=1,
        role=Role.LENGTH,
        has_option=False,
        has_field=False,
    ).default(0.0)
    flush_subnormals: bool = Setting(
        "Flush subnormals to zero",
        SettingKind.SWITCH,
        "Compute with zero instead of numbers below 1.2e-38, with which some CPUs are slow; "
        "outputs may change where a model depends on them",
        short="subnormals flushed to zero",
        runtimes=(_ONNX_RUNTIME,),
        entries=("session.set_denormal_as_zero",),
    ).default(False)
    xnnpack: bool = Setting(
        "XNNPACK",
        SettingKind.SWITCH,
        "Run supported layers with XNNPACK instead of LiteRT's own kernels",
        runtimes=(_LITERT,),
        option_help="LiteRT: run its own kernels instead of the XNNPACK delegate",
    ).default(True)
    inference_precision: str = Setting(
        "Inference precision",
        SettingKind.CHOICE,
        "Data type in which floating-point layers are computed. OpenVINO's default depends on "
        "the device and may round to 16 bits; float32 does not.",
        choices=("f32", "bf16", "f16", "device"),
        titles=("float32", "bfloat16", "float16", "Device default"),
        runtimes=(_OPENVINO,),
        option_help="OpenVINO: data type in which floating-point layers are computed; 'device' "
        "is the default of the device, which may round to 16 bits",
        common=True,
    ).default("f32")
    performance_hint: str = Setting(
        "Performance hint",
        SettingKind.CHOICE,
        "Whether OpenVINO uses all cores for one run (latency), or divides them among several "
        "concurrent runs (throughput)",
        choices=("latency", "throughput", "none"),
        titles=("Latency", "Throughput", "None"),
        runtimes=(_OPENVINO,),
    ).default("latency")
    streams: int = Setting(
        "Streams",
        SettingKind.COUNT,
        "Number of runs that OpenVINO performs at the same time",
        zero="default",
        most=_MOST_THREADS,
        runtimes=(_OPENVINO,),
    ).default(0)
    custom_ops: tuple[str, ...] = Setting(
        "Custom operators",
        SettingKind.PATHS,
        "Libraries that provide custom operators of this model. Their code runs in the engine "
        "process: choose only those you trust",
        runtimes=(_ONNX_RUNTIME,),
        metavar="PATH",
    ).default(())
    sessions: int = Setting(
        "Sessions",
        SettingKind.COUNT,
        "Also load the model this many times in one process, and run all sessions at once. "
        "Measures memory, load time and latency: with nothing shared, with a shared memory "
        "arena, and with shared threads",
        unit="session",
        zero="not measured",
        most=_MOST_SESSIONS,
        role=Role.QUESTION,
        ability="sessions",
        undone="measure several sessions in one process",
    ).default(0)
    run_async: bool = Setting(
        "Asynchronous calls",
        SettingKind.SWITCH,
        "Also measure run_async and compare it with run: the time until it returns, until its "
        "callback begins, and until the caller has the outputs",
        role=Role.QUESTION,
        ability="sessions",
        undone="measure asynchronous calls",
        summary="asynchronous calls",
    ).default(False)
    prompt_tokens: tuple[int, ...] = Setting(
        "Prompt lengths",
        SettingKind.COUNTS,
        "Of a language model, measure the time to the first token with prompts of this many "
        "tokens",
        unit="token",
        least=1,
        most=_MOST_TOKENS,
        role=Role.GENERATION,
        ability="generation",
        undone="measure the time to the first token",
        summary="prompts of {value} tokens",
        metavar="N,N",
        usual="128,512",
    ).default(())
    new_tokens: int = Setting(
        "New tokens",
        SettingKind.COUNT,
        "Of a language model, generate this many tokens at each context",
        unit="token",
        most=_MOST_TOKENS,
        role=Role.GENERATION,
        ability="generation",
        undone="measure the time between tokens",
        summary="{value} new tokens",
        usual="64",
    ).default(0)
    contexts: tuple[int, ...] = Setting(
        "Context lengths",
        SettingKind.COUNTS,
        "Of a language model, measure the time between tokens after this many earlier tokens",
        unit="token",
        most=_MOST_TOKENS,
        role=Role.GENERATION,
        ability="generation",
        undone="measure the time between tokens",
        summary="at context {value}",
        option="context",
        metavar="N,N",
        usual="0,512,2048, as far as they fit",
    ).default(())
    batches: tuple[int, ...] = Setting(
        "Batch sizes",
        SettingKind.COUNTS,
        "Of a language model, generate this many sequences at once",
        unit="sequence",
        least=1,
        most=_MOST_BATCH,
        role=Role.GENERATION,
        ability="generation",
        undone="measure the time between tokens",
        summary="batch {value}",
        option="batch",
        metavar="N,N",
        usual="1",
    ).default(())
    busy_cores: int = Setting(
        "Background load",
        SettingKind.COUNT,
        "Number of CPU cores that other processes keep busy meanwhile",
        most=_MOST_SESSIONS,
        has_option=False,
        has_field=False,
    ).default(0)

    @property
    def generates(self) -> bool:
        """Whether tokens are generated, instead of single runs of the graph."""
        return bool(self.prompt_tokens or self.new_tokens)

    @property
    def alone(self) -> bool:
        """Whether one thread of the processor does all the work."""
        return self.threads == 1 and self.only_cpu

    @property
    def only_cpu(self) -> bool:
        """Whether no other device takes part."""
        return bool(self.devices) and all(map(is_cpu, self.devices))


# What is measured where nobody says how long: a short model would otherwise be a snapshot.
DEFAULT_SPEC = RunSpec(seconds=0.5, steady=3.0, layer_precision=0.1)
# By the name of the field, in the order in which people see them.
SETTINGS: dict[str, Setting] = {
    each.name: each.metadata[KEY]._replace(name=each.name)
    for each in sorted(fields(RunSpec), key=lambda each: each.metadata[KEY].rank)
}
LEVELS = SETTINGS["optimization"].choices
# Fields that only some runtimes have.
RUNTIME_SETTINGS = tuple(name for name, setting in SETTINGS.items() if setting.runtimes)


def of_runtime(runtime: str, **choices: tuple[str, ...]) -> tuple[Setting, ...]:
    """Return the settings of a backend. choices: fewer ones of a setting, by its field."""
    return tuple(
        _with_choices(each, choices.get(each.name, each.choices))
        for each in SETTINGS.values()
        if runtime in each.runtimes
    )


def without_questions(spec: RunSpec, *keep: str) -> RunSpec:
    """Return a spec that measures nothing besides. keep: fields that stay.

    A failing layer is forced to the CPU all the same: that changes the run.
    """
    usual = RunSpec()
    questions = {
        name: getattr(usual, name)
        for name, setting in SETTINGS.items()
        if setting.role is Role.QUESTION and not setting.for_devices and name not in keep
    }
    return replace(spec, **questions)


def cache_folder(spec: RunSpec) -> Path | None:
    """Return the folder in which OpenVINO keeps what it compiles; None where none is set."""
    named = (each.value for each in spec.provider_options if each.key == _OPENVINO_CACHE)
    folder = next(named, "")
    return Path(folder) if folder else None


def session_entries(spec: RunSpec) -> tuple[tuple[str, str], ...]:
    """Return the entries of ONNX Runtime's session configuration that switches set, with
    "0" or "1"."""
    usual = RunSpec()
    changed = (
        (each, getattr(spec, name))
        for name, each in SETTINGS.items()
        if each.entries and getattr(spec, name) != getattr(usual, name)
    )
    return tuple((entry, str(int(on))) for each, on in changed for entry in each.entries)


def _with_choices(setting: Setting, choices: tuple[str, ...]) -> Setting:
    titles = dict(zip(setting.choices, setting.titles, strict=True))
    shown = tuple(map(titles.__getitem__, choices))
    return setting._replace(choices=choices, titles=shown)
