"""The list of backends. A new runtime is one folder next to this file and one entry here."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from inspector.backends import environments
from inspector.backends.base import Backend, BackendInfo, Part
from inspector.backends.environments import Engine
from inspector.backends.genai.info import GENAI
from inspector.backends.litert.info import LITERT
from inspector.backends.onnxruntime.info import ONNXRUNTIME
from inspector.backends.onnxruntime.sessions import installable
from inspector.backends.openvino.info import OPENVINO
from inspector.errors import BadInput, EngineFailed, UnreadableFile
from inspector.formats.source import format_at
from inspector.platform import plugins
from inspector.report.report_values import Device
from inspector.units import clip

DEFAULT = ONNXRUNTIME.id
BACKENDS: dict[str, BackendInfo] = {
    each.id: each for each in (ONNXRUNTIME, LITERT, OPENVINO, GENAI)
}


def register(backend: BackendInfo) -> None:
    """Add a backend of another package; both the client and the engine process need it."""
    BACKENDS[backend.id] = backend


def info(backend_id: str) -> BackendInfo:
    """Return the description of a backend. Raises BadInput: there is none with this id."""
    if backend_id not in BACKENDS:
        _add_plugins()
    if backend_id not in BACKENDS:
        what = f"There is no runtime '{backend_id}'"
        why = f"Inspector has {', '.join(sorted(BACKENDS))}"
        raise BadInput(what, why, "Choose one of these.")
    return BACKENDS[backend_id]


def _add_plugins() -> None:
    for plugin in plugins.usable(plugins.BACKENDS):
        BACKENDS.setdefault(plugin.value.id, plugin.value)


def for_format(model_format: str) -> BackendInfo:
    """Return the backend that runs a format; the default one for a format that none runs."""
    if all(model_format not in each.formats for each in BACKENDS.values()):
        _add_plugins()
    runs = (each for each in BACKENDS.values() if model_format in each.formats)
    return next(runs, BACKENDS[DEFAULT])


def for_model(path: Path) -> BackendInfo:
    """Return the backend that runs a file, by its content; the default one if unreadable."""
    try:
        return for_format(format_at(path).id)
    except UnreadableFile:
        return BACKENDS[DEFAULT]


def engines() -> tuple[Engine, ...]:
    """Return the engines that can have an environment of their own on this system."""
    own = [
        Engine(
            each.id,
            each.name,
            tuple(
                dict.fromkeys(
                    requirement
                    for extra in (each.extra, *each.with_extras)
                    for requirement in environments.requirements_of(extra)
                )
            ),
            each.module,
            each.id,
            download=each.download,
        )
        for each in BACKENDS.values()
        if each.extra and environments.requirements_of(each.extra)
    ]
    return (*own, *installable.runtimes())


def engine(engine_id: str) -> Engine:
    """Return an engine that can have an environment. Raises BadInput: there is none."""
    known = {each.id: each for each in engines()}
    if engine_id not in known:
        what = f"There is no runtime '{clip(engine_id, 40)}' to install here"
        raise BadInput(what, f"there are {', '.join(known)}", "Choose one of these.")
    return known[engine_id]


def environment_for(backend: BackendInfo, devices: Sequence[str]) -> str:
    """Return the id of the environment in which a backend runs on devices; empty: in none.

    What the Python of Inspector has itself is preferred.
    """
    if not backend.here:
        return backend.id if environments.python_of(backend.id) is not None else ""
    if backend.id != DEFAULT:
        return ""
    kinds = {device.partition(":")[0] for device in devices}
    fit = (each for each in installable.runtimes() if kinds & {*each.devices})
    return next((each.id for each in fit if _is_made(each)), "")


def runtimes() -> tuple[Engine, ...]:
    """Return other builds of ONNX Runtime that have an environment of their own here."""
    return tuple(each for each in installable.runtimes() if _is_made(each))


def _is_made(build: Engine) -> bool:
    return not build.here and environments.python_of(build.id) is not None


def with_device(device: str) -> BackendInfo | None:
    """Return the backend whose device an id like "openvino:cpu" names; None for other ids."""
    return next((each for each in BACKENDS.values() if each.has_device(device)), None)


def by_runtime(devices: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Return devices in groups, each of one runtime, in the order of their first devices.

    The first group is that of the first device. One session cannot use devices of two.
    """
    groups: dict[str, list[str]] = {}
    for device in dict.fromkeys(devices):
        own = with_device(device)
        groups.setdefault(own.id if own is not None else "", []).append(device)
    return tuple(map(tuple, groups.values()))


def device_instead(backend: BackendInfo, model_format: str) -> str:
    """Return a device of another installed runtime that runs a format; empty: there is none."""
    first = for_format(model_format)
    if first.id != backend.id and first.installed:
        return "cpu"
    others = (each for each in BACKENDS.values() if each.id != backend.id)
    runs = (
        each
        for each in others
        if each.device_prefix and model_format in each.formats and each.installed
    )
    return next((f"{each.device_prefix}:cpu" for each in runs), "")


def check_installed(backend: BackendInfo, path: Path) -> None:
    """Raises EngineFailed: the runtime of a file is not installed, with what would run it."""
    if backend.missing is None:
        return
    why, hint = backend.missing
    with suppress(UnreadableFile):
        device = device_instead(backend, format_at(path).id)
        hint = f"{hint}, or use --device {device}" if device else hint
    raise EngineFailed(f"Could not run {clip(path.name)}", why, hint, "start")


def for_run(path: Path, devices: Sequence[str]) -> BackendInfo:
    """Return the backend that runs a file on devices: that of the devices, else of the format.

    Raises BadInput: it does not run this format, or the devices are those of two runtimes.
    """
    own = with_device(devices[0]) if devices else None
    if len(by_runtime(devices)) > 1:
        what = f"Could not use the devices {', '.join(devices)} together"
        why = "one session runs on devices of one runtime"
        raise BadInput(what, why, "Choose one of them.", "devices")
    if own is None:
        return for_model(path)
    with suppress(UnreadableFile):
        model_format = format_at(path)
        if model_format.id not in own.formats:
            title = model_format.title or model_format.id.upper()
            what = f"Could not run {clip(path.name)} on {clip(devices[0], 40)}"
            hint = "Use the device cpu." if not model_format.runs_with else ""
            raise BadInput(what, f"{own.name} does not run {title} models", hint, "devices")
    if not _finds_its_files(own, path):
        what = f"Could not run {clip(path.name)} on {clip(devices[0], 40)}"
        why = f"{own.name} runs only folders with a {own.beside}"
        raise BadInput(what, why, "Use the device cpu.", "devices")
    return own


def offered(devices: Sequence[Device], path: Path | None) -> tuple[Device, ...]:
    """Return the devices whose runtime can run the model at a path, as far as files tell.

    path: None for a model that is no file yet.
    """
    return tuple(each for each in devices if _finds_its_files(with_device(each.id), path))


def _finds_its_files(backend: BackendInfo | None, path: Path | None) -> bool:
    if backend is None or not backend.beside:
        return True
    return path is not None and (path.parent / backend.beside).is_file()


def load(backend_id: str, part: Part = Part.WHOLE) -> Backend:
    """Import a backend and its runtime; for engine processes only. Raises BadInput.

    part: what is wanted of it, where the backend has less to load for that.
    """
    found = info(backend_id)
    parts = {Part.SHAPES: found.shapes, Part.PREDICTIONS: found.starts_with}
    backend: Backend = plugins.load(parts.get(part) or found.implementation)()
    return backend
