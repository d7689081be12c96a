"""The full pace of this machine's processor, kept from one measurement to the next."""

import json
import platform
from collections.abc import Mapping
from pathlib import Path

import msgspec
from platformdirs import user_cache_path

from inspector import files
from inspector.engine.processor import machine
from inspector.errors import InspectorError
from inspector.report import Pace, RunSpec

LIMIT_BYTES, MOST_KEPT = 1 << 20, 16
_WORK, _LEAST_PROBES = "fsum 400", 100


def default_file() -> Path:
    """Where paces are kept."""
    return user_cache_path("inspector", appauthor=False) / "paces.json"


def known_ns(spec: RunSpec, file: Path | None = None) -> int:
    """What a probe takes at full pace here, as the latest measurements tell; 0: not known.

    The second least of them: one may be wrong. spec: other threads make the processor slower
    than one thread finds it. file: None for that of this user.
    """
    kept = sorted(_kept(file or default_file()).get(_key(spec), ()))
    return kept[min(1, len(kept) - 1)] if kept else 0


def keep(pace: Pace, spec: RunSpec, file: Path | None = None) -> None:
    """Remember the fastest pace of a measurement, if it was long enough to have one.

    A home that cannot be written to is no reason not to measure.
    """
    if len(pace.probes_ns) < _LEAST_PROBES:
        return
    file, key = file or default_file(), _key(spec)
    kept = _kept(file)
    latest = (*kept.get(key, ()), pace.own_ns)[-MOST_KEPT:]
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        files.write_atomic(file, msgspec.json.encode({**kept, key: latest}))
    except (InspectorError, OSError):
        return


def _key(spec: RunSpec) -> str:
    """What changes how long a probe takes: machine, Python, the work itself, other threads."""
    python = platform.python_implementation(), platform.python_version()
    own = spec.threads, spec.inter_threads, spec.execution_mode, spec.spinning
    return json.dumps([*machine(), *python, _WORK, *own])


def _kept(file: Path) -> Mapping[str, tuple[int, ...]]:
    """What is in the file; nothing where it cannot be read, it will be written anew."""
    try:
        body = files.read_capped(file, LIMIT_BYTES)
        return msgspec.json.decode(body, type=dict[str, tuple[int, ...]])
    except (InspectorError, ValueError):
        return {}
