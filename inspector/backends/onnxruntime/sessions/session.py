"""A session of the runtime, made as a RunSpec asks. Runs in the engine process."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from enum import StrEnum
from importlib.util import find_spec
from itertools import groupby
from math import prod
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import onnxruntime

from inspector.backends import signature, type_names
from inspector.backends.onnxruntime.sessions import devices, providers, refusals
from inspector.backends.onnxruntime.sessions.devices import DeviceHandle
from inspector.backends.onnxruntime.sessions.refusals import REFUSALS, explanations
from inspector.errors import BadInput, EngineFailed, InspectorError
from inspector.formats import opening
from inspector.formats.onnx.compiled_parts import compiled_for
from inspector.platform.late_modules import LateModule
from inspector.platform.memory_budget import own_limit_bytes
from inspector.report.run_spec import SETTINGS, RunSpec, session_entries
from inspector.units import clip, device, size

if TYPE_CHECKING:
    from inspector.backends.onnxruntime.sessions import forced_to_cpu
else:
    # It loads onnx.
    forced_to_cpu = LateModule("inspector.backends.onnxruntime.sessions.forced_to_cpu")

PACKAGE = "onnxruntime_extensions"
_LIBRARY = "_extensions_pydll*"
DOMAINS = ("ai.onnx.contrib", "com.microsoft.extensions")
ERRORS_ONLY = 3
MAX_FILE_BYTES = (2 << 30) - 1  # the runtime reads no larger file; protobuf's limit
# The runtime goes by the file's name otherwise, and refuses a renamed .ort file.
_FORMAT = "session.load_model_format"
SIDE_FILES = "session.model_external_initializers_file_folder_path"
OPTIMIZATION = {
    "none": onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL,
    "basic": onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC,
    "extended": onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED,
    "all": onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL,
}
EXECUTION_MODES = {
    "sequential": onnxruntime.ExecutionMode.ORT_SEQUENTIAL,
    "parallel": onnxruntime.ExecutionMode.ORT_PARALLEL,
}
NOTHING: Mapping[str, str] = MappingProxyType({})
_CACHE_ENABLED = "ep.context_enable"
_CACHE_PATH = "ep.context_file_path"
_CACHE_EMBEDDED = "ep.context_embed_mode"


def library() -> Path | None:
    """Return where the package's library lies; None when it is not installed here.

    The package itself is not imported: what comes with it would slow down every load.
    """
    package = find_spec(PACKAGE)
    folders = package.submodule_search_locations if package is not None else None
    places = (path for folder in folders or () for path in Path(folder).glob(_LIBRARY))
    return next((path for path in places if path.suffix in (".so", ".pyd", ".dll")), None)


def missing_extensions(refusal: str) -> bool:
    """Return whether a model was refused for want of onnxruntime-extensions' operators."""
    return "is not a registered" in refusal and any(f"{name}:" in refusal for name in DOMAINS)


class Sharing(StrEnum):
    """What sessions of one process have in common besides the runtime."""

    NOTHING = "nothing"
    ARENA = "arena"
    THREADS = "threads"


def create_session(
    model: Path | bytes,
    spec: RunSpec,
    units: Sequence[DeviceHandle],
    *,
    profile_prefix: Path | None = None,
    optimized_path: Path | None = None,
    config: Mapping[str, str] = NOTHING,
    external_folder: Path | None = None,
    log_level: int = ERRORS_ONLY,
    sharing: Sharing = Sharing.NOTHING,
) -> onnxruntime.InferenceSession:
    """Load a model on the given devices, in that order; the CPU takes what they leave.

    profile_prefix: switches the profiler on; its file's name begins so. optimized_path: where
    the optimised graph is written. config: more of the runtime's session entries.
    external_folder: where side files of a model given as bytes lie. A file over 2 GiB is
    given as its skeleton, with the file itself as its own side file. log_level: of the runtime,
    0 tells all, on this process's standard error. sharing: what it has in common with others.
    Layers of `spec.on_cpu` are told to the runtime for a file; a model given as bytes has its
    remarks (`forced_to_cpu`).

    Raises BadInput: a setting. EngineFailed: the runtime refused, or quietly left a device.
    """
    what = f"Could not load {model.name if isinstance(model, Path) else 'the model'}"
    options = _options(spec)
    options.log_severity_level = log_level
    if sharing is Sharing.ARENA:
        options.add_session_config_entry("session.use_env_allocators", "1")
    if sharing is Sharing.THREADS:
        options.use_per_session_threads = False
    register_custom_operators(options, spec.custom_ops)
    _write(options, profile_prefix, optimized_path)
    model, external_folder, more = _with_forced_layers(model, spec, external_folder)
    config = {**config, **more}
    source, external_folder = _source(model, external_folder)
    if external_folder is not None:
        config = {**config, SIDE_FILES: str(external_folder)}
    if isinstance(source, str):
        config = {**config, _FORMAT: "ORT" if opening.is_ort(Path(source)) else "ONNX"}
    for key, value in config.items():
        options.add_session_config_entry(key, value)
    names, given = _assign(options, units, spec)
    try:
        session = _create(source, options, names, given)
    except REFUSALS as error:
        raise _refused(error, f"{what} on {_listed(units)}", model) from error
    _check(session, units, what)
    _check_room_for_outputs(session, what)
    return session


def _refused(error: Exception, what: str, model: Path | bytes) -> EngineFailed:
    """Return why the runtime did not load a model; with what the file says where the message
    does not: the provider that compiled a part of it."""
    if explanations.is_unnamed_compiled_part(str(error)):
        with suppress(InspectorError):
            opened = (
                opening.open_bytes(model)
                if isinstance(model, bytes)
                else opening.open_model(model)
            )
            if named := compiled_for(opened.layers):
                return explanations.compiled_for(named, what)
    return refusals.runtime_failure(error, what, "load")


def _check_room_for_outputs(session: onnxruntime.InferenceSession, what: str) -> None:
    """Raise EngineFailed where outputs of a known size do not fit into the engine's memory."""
    limit_bytes = own_limit_bytes()
    for output in signature.tensor_infos(session.get_outputs()):
        lengths = [axis for axis in output.shape or () if isinstance(axis, int)]
        if output.kind != "tensor" or len(lengths) != len(output.shape or ()):
            continue
        size_bytes = prod(lengths) * type_names.least_bytes(output.dtype)
        if size_bytes > limit_bytes:
            raise EngineFailed(
                what,
                f"its output '{clip(output.name, 80)}' alone takes {size(size_bytes)}, but "
                f"the engine process is limited to {size(limit_bytes)} of memory",
                "Set smaller sizes for dynamic axes, if the model has any, or use a machine "
                "with more memory.",
                "load",
            )


def _write(
    options: onnxruntime.SessionOptions, profile_prefix: Path | None, optimized: Path | None
) -> None:
    """Configure which files the runtime writes."""
    if profile_prefix is not None:
        options.enable_profiling = True
        options.profile_file_prefix = str(profile_prefix)
    if optimized is not None:
        options.optimized_model_filepath = str(optimized)


def _create(
    source: str | bytes,
    options: onnxruntime.SessionOptions,
    names: list[str] | None,
    given: list[dict[str, str]] | None,
) -> onnxruntime.InferenceSession:
    """Return the session; a second time with more operators where the model lacked only
    those."""

    def made() -> onnxruntime.InferenceSession:
        return onnxruntime.InferenceSession(
            source, options, providers=names, provider_options=given, enable_fallback=0
        )

    try:
        return made()
    except REFUSALS as error:
        more = library() if missing_extensions(str(error)) else None
        if more is None:
            raise
    options.register_custom_ops_library(str(more))
    return made()


def register_custom_operators(
    options: onnxruntime.SessionOptions, libraries: Sequence[str]
) -> None:
    """Load the libraries with the model's own operators. Raises BadInput: one is none."""
    for name in libraries:
        path = Path(name)
        what = f"Could not load the custom operators of {clip(path.name, 80)}"
        if not path.is_file():
            hint = "Check the path given as --custom-ops, or in the settings."
            raise BadInput(what, "there is no such file", hint, "load")
        try:
            options.register_custom_ops_library(str(path))
        except REFUSALS as error:
            why = "it is no library that ONNX Runtime can load operators from"
            told = clip(str(error).rpartition("error: ")[2] or str(error), 200)
            hint = (
                "Give a library that exports RegisterCustomOps, built for this system and "
                "processor."
            )
            raise BadInput(what, f"{why} ({told})", hint, "load") from error


def loading_notes(model: Path) -> tuple[str, ...]:
    """Return notes on a model that is not loaded as a user's own program would load it."""
    if model.stat().st_size <= MAX_FILE_BYTES:
        return ()
    return (
        "The file is over 2 GiB, which ONNX Runtime cannot load from one file. Inspector "
        "passed the graph without weights, and ONNX Runtime read these as external data; load "
        "time and memory are for this method, which your program also needs.",
    )


def devices_of(
    session: onnxruntime.InferenceSession, units: Sequence[DeviceHandle]
) -> tuple[str, ...]:
    """Ids of the devices that a session has, first choice first; the CPU is always there."""
    requested = tuple(unit.device.id for unit in units)
    return requested if "cpu" in requested else (*requested, "cpu")


def assignments(session: onnxruntime.InferenceSession) -> Sequence[Any]:
    """Return the parts of the graph by provider; none before ONNX Runtime 1.23, whose sessions
    do not tell. `--python` may name an environment with one."""
    parts: Callable[[], Sequence[Any]] | None = getattr(
        session, "get_provider_graph_assignment_info", None
    )
    return parts() if parts is not None else ()


def notes_of(
    session: onnxruntime.InferenceSession, units: Sequence[DeviceHandle]
) -> tuple[str, ...]:
    """Return notes on devices that the session has and gives nothing to do."""
    busy = {part.ep_name for part in assignments(session)}
    idle = [device(unit.device.id) for unit in units if unit.device.provider not in busy]
    return tuple(f"No layer runs on {name}." for name in idle if busy)


def _source(model: Path | bytes, folder: Path | None) -> tuple[str | bytes, Path | None]:
    """Return what the runtime loads, and the folder of side files if the source has no path."""
    if isinstance(model, bytes):
        return model, folder
    if model.stat().st_size <= MAX_FILE_BYTES:
        return str(model), folder
    return opening.skeleton(model).SerializeToString(), opening.home(model)


def _with_forced_layers(
    model: Path | bytes, spec: RunSpec, folder: Path | None
) -> tuple[Path | bytes, Path | None, Mapping[str, str]]:
    if not spec.on_cpu:
        return model, folder, NOTHING
    if isinstance(model, bytes):
        return model, folder, forced_to_cpu.REMARKED
    forced = forced_to_cpu.forced_layers(model, spec.on_cpu)
    if forced.body is None:
        return model, folder, forced.config
    return forced.body, opening.home(model), forced.config


def _options(spec: RunSpec) -> onnxruntime.SessionOptions:
    if spec.optimization not in OPTIMIZATION:
        raise BadInput(
            f"There is no optimization level '{spec.optimization}'",
            f"the levels are {', '.join(OPTIMIZATION)}",
            "Choose one of these.",
        )
    if spec.execution_mode not in EXECUTION_MODES:
        raise BadInput(
            f"There is no execution mode '{clip(spec.execution_mode, 40)}'",
            f"the modes are {', '.join(EXECUTION_MODES)}",
            "Choose one of these.",
        )
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = spec.threads
    options.inter_op_num_threads = spec.inter_threads
    options.execution_mode = EXECUTION_MODES[spec.execution_mode]
    options.enable_cpu_mem_arena = spec.arena
    options.enable_mem_pattern = spec.memory_pattern
    for entry, value in session_entries(spec):
        options.add_session_config_entry(entry, value)
    options.graph_optimization_level = OPTIMIZATION[spec.optimization]
    options.add_session_config_entry("session.record_ep_graph_assignment_info", "1")
    for dimension in spec.dimensions:
        if dimension.size < 0:
            what = f"Could not set axis '{dimension.name}' to {dimension.size}"
            hint = "Choose a size of 0 or more."
            raise BadInput(what, "a size cannot be negative", hint, "load")
        options.add_free_dimension_override_by_name(dimension.name, dimension.size)
    return options


def receives_options(spec: RunSpec, unit: DeviceHandle) -> bool:
    """Return whether a device is the one that the provider options of a spec are for.

    That is the first that is not the CPU; the CPU has none.
    """
    first = next((name for name in spec.devices if name != "cpu"), "")
    return unit.device.id in (first, f"{first}:0")


def _assign(
    options: onnxruntime.SessionOptions, units: Sequence[DeviceHandle], spec: RunSpec
) -> tuple[list[str] | None, list[dict[str, str]] | None]:
    """Name the providers, or hand the devices to the options; the runtime takes one of both."""
    if spec.provider_options and set(spec.devices) <= {"cpu"}:
        raise BadInput(
            f"Could not set the option '{clip(spec.provider_options[0].key, 40)}'",
            "the CPU has no options, and no other device is selected",
            "Choose a device with --device, or omit the option.",
            "load",
        )
    requested = {option.key: option.value for option in spec.provider_options}
    if all(unit.handle is None for unit in units):
        names = [unit.device.provider for unit in units] or [providers.CPU]
        given = [requested if receives_options(spec, unit) else {} for unit in units]
        return names, given if requested else None
    chosen = [unit for unit in units if unit.device.provider != providers.CPU]
    if any(unit.handle is None for unit in chosen):
        raise EngineFailed(
            f"Could not use {_listed(units)} together",
            "one is built into ONNX Runtime, and the other is a plugin",
            "Choose one of them; the CPU runs the remaining layers.",
            "load",
        )
    for _, group in groupby(chosen, lambda unit: unit.device.provider):
        some = list(group)
        own_options = requested if any(receives_options(spec, unit) for unit in some) else {}
        needed = {key: value for unit in some for key, value in unit.options.items()}
        options.add_provider_for_devices(
            [unit.handle for unit in some], {**needed, **own_options}
        )
    return None, None


def _check(
    session: onnxruntime.InferenceSession, units: Sequence[DeviceHandle], what: str
) -> None:
    got = session.get_providers()
    for unit in units:
        if unit.device.provider not in got:
            missing = devices.missing_library_reason(unit.device.provider)
            why = f"ONNX Runtime ignored {unit.device.name} without reporting an error"
            hint = (
                "A driver may be missing or too old; `inspector devices` lists the devices "
                "that work."
            )
            failed = replace(
                unit.device,
                problem=missing or why,
                hint=devices.NVIDIA_HINT if missing else hint,
            )
            told = devices.with_card(failed)
            where = f"{what} on {device(unit.device.id)}"
            raise EngineFailed(where, told.problem, told.hint, "load")


def _listed(units: Sequence[DeviceHandle]) -> str:
    return " + ".join(device(unit.device.id) for unit in units) or "CPU"


def model_source(model: Path, spec: RunSpec) -> tuple[Path | bytes, Path | None]:
    """Return what a session is made of, and where side files of it lie if it is bytes.

    Raises BadInput: no such way, or the file is too large to be given so.
    """
    match spec.load_from:
        case "path" | "compiled":  # what was compiled is found by `compiled`
            return model, None
        case "bytes":
            if model.stat().st_size > MAX_FILE_BYTES:
                why = "it is over 2 GiB, which ONNX Runtime cannot load from bytes"
                raise BadInput(f"Could not load {model.name} from bytes", why, phase="load")
            return _annotated(model.read_bytes(), model, spec), opening.home(model)
        case "reader":
            body = opening.skeleton(model).SerializeToString()
            return _annotated(body, model, spec), opening.home(model)
        case other:
            what = f"A model cannot be loaded from '{other}'"
            sources = ", ".join(SETTINGS["load_from"].choices)
            raise BadInput(what, f"the available sources are {sources}", phase="load")


def _annotated(body: bytes, model: Path, spec: RunSpec) -> bytes:
    """Return the model in the bytes with the layers that are forced to the CPU marked."""
    if not spec.on_cpu:
        return body
    layers = forced_to_cpu.forced_layers(model, spec.on_cpu).layers
    return forced_to_cpu.annotated_body(body, layers)


def compile_model(
    model: Path, spec: RunSpec, units: Sequence[DeviceHandle], folder: Path
) -> Path:
    """Let the providers compile a model and keep what they made, for later loads.

    Raises BadInput: none of them keeps anything. EngineFailed: the runtime refused.
    """
    if spec.on_cpu:
        what = f"Could not load the compiled model of {model.name}"
        why = "layers that are forced to the CPU have different indices in the compiled model"
        raise BadInput(what, why, "Load it from its path.", "load")
    made = folder / "compiled.onnx"
    compiling_session(model, spec, units, made)
    if not made.is_file():
        named = " and ".join(unit.device.id for unit in units)
        what = f"Could not load the compiled model of {model.name}"
        why = f"{named} does not save compiled models, or compiled no part of this one"
        raise BadInput(what, why, "Load it from its path.", "load")
    return made


def compiling_session(
    model: Path | bytes,
    spec: RunSpec,
    units: Sequence[DeviceHandle],
    made: Path,
    external_folder: Path | None = None,
) -> onnxruntime.InferenceSession:
    """Return a session whose providers wrote the model with what they compiled into one file,
    if they compiled anything. Raises EngineFailed: the runtime refused."""
    config = {_CACHE_ENABLED: "1", _CACHE_PATH: str(made), _CACHE_EMBEDDED: "1"}
    return create_session(model, spec, units, config=config, external_folder=external_folder)


def notes(model: Path, spec: RunSpec) -> tuple[str, ...]:
    """Return what the load time and the memory are of, where that is not the usual way."""
    match spec.load_from:
        case "bytes":
            return (
                "The model was passed as bytes: load time includes reading them, and they "
                "stay in memory besides the copy of the weights in ONNX Runtime.",
            )
        case "reader":
            return (
                "Inspector re-serialized the model without its weights, which ONNX Runtime "
                "read from the file as external data; load time includes this.",
            )
        case "compiled":
            return (
                "The model was loaded from its compiled form: load time excludes "
                "compilation, but peak memory includes it.",
            )
        case _:
            return loading_notes(model)
