"""A session of the runtime, made as a RunSpec asks. Runs in the engine process."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from math import prod
from pathlib import Path
from types import MappingProxyType

import onnxruntime

from inspector import readers
from inspector.engine.memory_budget import own_limit_bytes
from inspector.engine.sessions import (
    element_types,
    extensions,
    kept,
    nvidia,
    providers,
    refusals,
    tensors,
)
from inspector.engine.sessions.devices import Unit
from inspector.engine.sessions.raised import REFUSALS
from inspector.errors import BadInput, EngineFailed
from inspector.report import RunSpec
from inspector.units import clip, device, size

ERRORS_ONLY = 3
WHOLE_BYTES = (2 << 30) - 1  # the runtime reads no larger file; protobuf's limit
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


def create_session(
    model: Path | bytes,
    spec: RunSpec,
    units: Sequence[Unit],
    *,
    profile_prefix: Path | None = None,
    optimized_path: Path | None = None,
    config: Mapping[str, str] = NOTHING,
    external_folder: Path | None = None,
    log_level: int = ERRORS_ONLY,
) -> onnxruntime.InferenceSession:
    """Load a model on the given devices, in that order; the CPU takes what they leave.

    profile_prefix: switches the profiler on; its file's name begins so. optimized_path: where
    the optimised graph is written. config: more of the runtime's session entries.
    external_folder: where side files of a model given as bytes lie. A file over 2 GiB is
    given as its skeleton, with the file itself as its own side file. log_level: of the runtime,
    0 tells all, on this process's standard error. Layers of `spec.on_cpu` are told to the
    runtime for a file; a model given as bytes has its remarks (`kept.remarked`).

    Raises BadInput: a setting. EngineFailed: the runtime refused, or quietly left a device.
    """
    what = f"Could not load {model.name if isinstance(model, Path) else 'the model'}"
    options = _options(spec)
    options.log_severity_level = log_level
    _write(options, profile_prefix, optimized_path)
    model, external_folder, more = _with_kept(model, spec, external_folder)
    config = {**config, **more}
    source, external_folder = _source(model, external_folder)
    if external_folder is not None:
        config = {**config, SIDE_FILES: str(external_folder)}
    if isinstance(source, str):
        config = {**config, _FORMAT: "ORT" if readers.is_ort(Path(source)) else "ONNX"}
    for key, value in config.items():
        options.add_session_config_entry(key, value)
    names, given = _assign(options, units, spec)
    try:
        session = _made(source, options, names, given)
    except REFUSALS as error:
        raise refusals.refused(error, f"{what} on {_listed(units)}", "load") from error
    _check(session, units, what)
    _check_room_for_outputs(session, what)
    return session


def _check_room_for_outputs(session: onnxruntime.InferenceSession, what: str) -> None:
    """Raise EngineFailed where outputs of a known size do not fit into the engine's memory."""
    limit_bytes = own_limit_bytes()
    for output in tensors.infos(session.get_outputs()):
        lengths = [axis for axis in output.shape or () if isinstance(axis, int)]
        if output.kind != "tensor" or len(lengths) != len(output.shape or ()):
            continue
        size_bytes = prod(lengths) * element_types.least_bytes(output.dtype)
        if size_bytes > limit_bytes:
            raise EngineFailed(
                what,
                f"its output '{clip(output.name, 80)}' alone takes {size(size_bytes)}, and "
                f"the engine may take {size(limit_bytes)} of memory",
                "Choose smaller lengths for its axes, or close other programs.",
                "load",
            )


def _write(
    options: onnxruntime.SessionOptions, profile_prefix: Path | None, optimized: Path | None
) -> None:
    """Say what the runtime writes to files."""
    if profile_prefix is not None:
        options.enable_profiling = True
        options.profile_file_prefix = str(profile_prefix)
    if optimized is not None:
        options.optimized_model_filepath = str(optimized)


def _made(
    source: str | bytes,
    options: onnxruntime.SessionOptions,
    names: list[str] | None,
    given: list[dict[str, str]] | None,
) -> onnxruntime.InferenceSession:
    """The session; a second time with more operators where the model lacked only those."""

    def made() -> onnxruntime.InferenceSession:
        return onnxruntime.InferenceSession(
            source, options, providers=names, provider_options=given, enable_fallback=0
        )

    try:
        return made()
    except REFUSALS as error:
        more = extensions.library() if extensions.missing(str(error)) else None
        if more is None:
            raise
    options.register_custom_ops_library(str(more))
    return made()


def loading_notes(model: Path) -> tuple[str, ...]:
    """Tell when a model is not loaded as a user's own program would load it."""
    if model.stat().st_size <= WHOLE_BYTES:
        return ()
    return (
        "The file is over 2 GiB, which ONNX Runtime does not read: it was given the model "
        "without its weights, and took those from the file as external data. The load time "
        "and the memory are of this way; a program of yours needs it, too.",
    )


def devices_of(session: onnxruntime.InferenceSession, units: Sequence[Unit]) -> tuple[str, ...]:
    """Ids of the devices that a session has, first choice first; the CPU is always there."""
    asked = tuple(unit.device.id for unit in units)
    return asked if "cpu" in asked else (*asked, "cpu")


def notes_of(session: onnxruntime.InferenceSession, units: Sequence[Unit]) -> tuple[str, ...]:
    """Tell of devices that the session has and gives nothing to do."""
    busy = {part.ep_name for part in session.get_provider_graph_assignment_info()}
    idle = [device(unit.device.id) for unit in units if unit.device.provider not in busy]
    return tuple(f"No layer runs on {name}." for name in idle if busy)


def _source(model: Path | bytes, folder: Path | None) -> tuple[str | bytes, Path | None]:
    """What the runtime gets to read, and where side files lie if that is not told by it."""
    if isinstance(model, bytes):
        return model, folder
    if model.stat().st_size <= WHOLE_BYTES:
        return str(model), folder
    return readers.skeleton(model).SerializeToString(), readers.home(model)


def _with_kept(
    model: Path | bytes, spec: RunSpec, folder: Path | None
) -> tuple[Path | bytes, Path | None, Mapping[str, str]]:
    if not spec.on_cpu or isinstance(model, bytes):
        return model, folder, kept.REMARKED if spec.on_cpu else NOTHING
    found = kept.kept(model, spec.on_cpu)
    if found.body is None:
        return model, folder, found.config
    return found.body, readers.home(model), found.config


def _options(spec: RunSpec) -> onnxruntime.SessionOptions:
    if spec.optimization not in OPTIMIZATION:
        raise BadInput(
            f"There is no optimisation level '{spec.optimization}'",
            f"the runtime has {', '.join(OPTIMIZATION)}",
        )
    if spec.execution_mode not in EXECUTION_MODES:
        raise BadInput(
            f"There is no execution mode '{clip(spec.execution_mode, 40)}'",
            f"the runtime has {', '.join(EXECUTION_MODES)}",
        )
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = spec.threads
    options.inter_op_num_threads = spec.inter_threads
    options.execution_mode = EXECUTION_MODES[spec.execution_mode]
    options.enable_cpu_mem_arena = spec.arena
    options.enable_mem_pattern = spec.memory_pattern
    for threads in () if spec.spinning else ("intra", "inter"):
        options.add_session_config_entry(f"session.{threads}_op.allow_spinning", "0")
    options.graph_optimization_level = OPTIMIZATION[spec.optimization]
    options.add_session_config_entry("session.record_ep_graph_assignment_info", "1")
    for dimension in spec.dimensions:
        if dimension.size < 0:
            what = f"Could not set axis '{dimension.name}' to {dimension.size}"
            raise BadInput(what, "a length cannot be negative", phase="load")
        options.add_free_dimension_override_by_name(dimension.name, dimension.size)
    return options


def receives_options(spec: RunSpec, unit: Unit) -> bool:
    """Whether a device is the one that the provider options of a spec are for.

    That is the first that is not the CPU; the CPU has none.
    """
    first = next((name for name in spec.devices if name != "cpu"), "")
    return unit.device.id in (first, f"{first}:0")


def _assign(
    options: onnxruntime.SessionOptions, units: Sequence[Unit], spec: RunSpec
) -> tuple[list[str] | None, list[dict[str, str]] | None]:
    """Name the providers, or hand the devices to the options; the runtime takes one of both."""
    _check_options(spec)
    wanted = {option.key: option.value for option in spec.provider_options}
    if all(unit.handle is None for unit in units):
        names = [unit.device.provider for unit in units] or [providers.CPU]
        given = [wanted if receives_options(spec, unit) else {} for unit in units]
        return names, given if wanted else None
    chosen = [unit for unit in units if unit.device.provider != providers.CPU]
    if any(unit.handle is None for unit in chosen):
        raise EngineFailed(
            f"Could not use {_listed(units)} together",
            "one is built into the runtime, the other a plugin",
            "Choose one of them, with the CPU for the rest.",
            "load",
        )
    for _, group in groupby(chosen, lambda unit: unit.device.provider):
        some = list(group)
        mine = wanted if any(receives_options(spec, unit) for unit in some) else {}
        options.add_provider_for_devices([unit.handle for unit in some], mine)
    return None, None


def _check_options(spec: RunSpec) -> None:
    """Raises BadInput: there are options, and no device that they could be for."""
    if spec.provider_options and set(spec.devices) <= {"cpu"}:
        raise BadInput(
            f"Could not pass on the option '{clip(spec.provider_options[0].key, 40)}'",
            "the CPU takes none, and no other device was asked for",
            "Choose a device with --device, or leave the option out.",
            "load",
        )


def _check(session: onnxruntime.InferenceSession, units: Sequence[Unit], what: str) -> None:
    got = session.get_providers()
    for unit in units:
        if unit.device.provider not in got:
            missing = nvidia.reason(unit.device.provider)
            raise EngineFailed(
                f"{what} on {device(unit.device.id)}",
                missing or f"the runtime left {unit.device.name} out without a word",
                nvidia.HINT
                if missing
                else "Look at `inspector devices`; a driver may be missing or too old.",
                "load",
            )


def _listed(units: Sequence[Unit]) -> str:
    return " + ".join(device(unit.device.id) for unit in units) or "CPU"
