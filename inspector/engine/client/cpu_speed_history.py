"""The full CPU speed of this machine, remembered from one measurement to the next."""

import json
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from inspector.errors import InspectorError
from inspector.platform import files
from inspector.platform.late_modules import platformdirs
from inspector.report.run_spec import SETTINGS, RunSpec
from inspector.statistics.cpu_speed import OTHER_MODEL_TOLERANCE, CpuSpeed

# Bytes of the file, latest speeds of one model and setting, and entries in the file.
LIMIT_BYTES = 1 << 20
MOST_KEPT = 16
MOST_MODELS = 200
_WORK = "fsum 400"
_LEAST_PROBES = 100


def machine_id() -> list[str]:
    """System, architecture and processor: what is measured here, is measured on these."""
    return [platform.system(), platform.machine(), _processor_name()]


def _processor_name() -> str:
    info = Path("/proc/cpuinfo")
    if info.is_file():
        for line in info.read_text("utf-8", "replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor()


def default_file() -> Path:
    """Return the file that CPU speeds are saved in."""
    return platformdirs.user_cache_path("inspector", appauthor=False) / "paces.json"


def full_speed_probe_ns(spec: RunSpec, model: str, file: Path | None = None) -> int:
    """Return what a probe takes at full pace here, as the latest measurements tell; 0: not
    known.

    The second least of them: one may be wrong. spec: other threads make the processor slower
    than one thread finds it. model: its digest; what others tell of it is only what it takes
    at most. file: None for that of this user.
    """
    saved = _load(file or default_file())
    own, any_model = (_second_smallest(saved.get(_key(spec, name), ())) for name in (model, ""))
    return own or int(OTHER_MODEL_TOLERANCE * any_model)


def _second_smallest(times_ns: Sequence[int]) -> int:
    return sorted(times_ns)[min(1, len(times_ns) - 1)] if times_ns else 0


def save(speed: CpuSpeed, spec: RunSpec, model: str, file: Path | None = None) -> None:
    """Remember the fastest CPU speed of a measurement, if it was long enough to have one.

    A home that cannot be written to is no reason not to measure.
    """
    if len(speed.probes_ns) < _LEAST_PROBES:
        return
    file = file or default_file()
    saved = dict(_load(file))
    for name in dict.fromkeys((model, "")):
        key = _key(spec, name)
        saved[key] = (*saved.pop(key, ()), speed.own_ns)[-MOST_KEPT:]
    latest = dict(list(saved.items())[-MOST_MODELS:])
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        files.write_atomic(file, msgspec.json.encode(latest))
    except (InspectorError, OSError):
        return


def _key(spec: RunSpec, model: str) -> str:
    """Return what changes how long a probe takes: machine, Python, the work, other threads."""
    python = platform.python_implementation(), platform.python_version()
    own = (getattr(spec, name) for name, each in SETTINGS.items() if each.shares_cpu)
    return json.dumps([*machine_id(), *python, _WORK, *own, model])


def _load(file: Path) -> Mapping[str, tuple[int, ...]]:
    """Return the contents of the file; empty if it cannot be read: it will be rewritten."""
    try:
        body = files.read_capped(file, LIMIT_BYTES)
        return msgspec.json.decode(body, type=dict[str, tuple[int, ...]])
    except (InspectorError, ValueError):
        return {}
