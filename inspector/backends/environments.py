"""Environments of engines that Inspector makes on request, so that packages never collide.

Each is a virtual environment in the user's data folder with the packages of one engine, which
were installed without looking at those of Inspector. A process of this engine runs in it: it
imports the engine's packages from there, and what is missing, such as Inspector itself, from
the Python that Inspector runs in. An environment serves the version of Python that made it.
"""

import errno
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from urllib.parse import urlsplit

from msgspec import Struct

import inspector
from inspector.errors import Cancelled, EngineFailed, InspectorError
from inspector.platform import files
from inspector.platform.data_struct import DataStruct
from inspector.platform.extras import can_install
from inspector.platform.late_modules import metadata, platformdirs, psutil
from inspector.units import clip

SCHEMA = "engine/1"
_RECORD = "engine.json"
_UNFINISHED = ".unfinished"
_SCRATCH = "scratch"  # for temporary files of the installer
_RECORD_BYTES = 1 << 20
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")  # of a package, before its versions
_CREDENTIALS = re.compile(r"(?<=://)[^/@\s]+@")
# What pip and uv print -> what happens; all other lines are left out.
_STEPS = (
    (re.compile(r"^WARNING: Retrying"), "no connection; trying again"),
    (re.compile(r"^Collecting (\S+)"), "looking for {}"),
    (re.compile(r"^\s*Downloading (\S+?)-\S+\.(?:whl|gz) \(([^)]+)\)"), "downloading {}, {}"),
    (re.compile(r"^Downloading (\S+) \(([^)]+)\)"), "downloading {}, {}"),
    (re.compile(r"^Installing collected packages"), "installing the packages"),
)  # fmt: skip
# Runs in the environment: the paths that are given are searched last.
_START = (
    "import runpy, sys; more = sys.argv[1:]; "
    "sys.path[:] = [path for path in sys.path if path not in more] + more; "
    "del sys.argv[1:]; "
    "runpy.run_module('inspector.engine', run_name='__main__', alter_sys=True)"
)
_POLL_SECONDS = 0.1
_RUNTIMES = "onnxruntime", "openvino", "ai-edge-litert"  # what names of packages begin with
_LOOK_SECONDS = 30.0  # for another Python to say what it has
# Runs in another Python: prints what it has, without what lies in the current folder.
_LOOK = (
    "import sys; sys.path[:] = filter(None, sys.path); "
    "import importlib.util, json, platform; from importlib import metadata; "
    "print(json.dumps({'version': platform.python_version(), "
    "'packages': {d.metadata['Name'].lower().replace('_', '-'): d.version "
    "for d in reversed([*metadata.distributions()]) if d.metadata['Name']}, "
    "'has_inspector': importlib.util.find_spec('inspector') is not None}))"
)
_UNIT_BYTES = {"MB": 10**6, "GB": 10**9}
# Signs of an index that cannot be reached, as pip and uv print them -> what to say of it.
_NO_CONNECTION = (
    ("Name or service not known", "its host name was not found"),
    ("Temporary failure in name resolution", "its name could not be looked up"),
    ("getaddrinfo failed", "its name could not be looked up"),
    ("nodename nor servname", "its name could not be looked up"),
    ("failed to lookup address", "its name could not be looked up"),
    ("Connection refused", "it refused the connection"),
    ("actively refused", "it refused the connection"),
    ("CERTIFICATE_VERIFY_FAILED", "its certificate could not be verified"),
    ("Network is unreachable", "there is no network"),
    ("No route to host", "there is no route to it"),
    ("timed out", "it did not answer in time"),
    ("Failed to establish a new connection", "there is no connection"),
    ("Connection broken", "the connection was lost"),
)


class _Record(DataStruct, frozen=True):
    """What a finished environment says of itself. versions: of its packages."""

    id: str
    python: str
    versions: dict[str, str]
    schema: str = SCHEMA


class Engine(Struct, frozen=True):
    """An engine that can have an environment of its own.

    id: of the environment and on the command line. requirements: as pip takes them; the first
    one is the engine itself. module: that it brings. backend: whose processes run there.
    devices: what ids of devices begin with that need this environment; empty: all of the
    backend. download: about how much there is to download, with the system it was measured on;
    empty if unknown.
    """

    id: str
    name: str
    requirements: tuple[str, ...]
    module: str
    backend: str
    devices: tuple[str, ...] = ()
    download: str = ""

    @property
    def package(self) -> str:
        """Return the name of the package that is the engine itself."""
        return package_name(self.requirements[0])

    @property
    def download_bytes(self) -> int:
        """Return about how many bytes there are to download; 0 if unknown."""
        number, _, unit = self.download.partition(" ")
        return round(float(number) * _UNIT_BYTES[unit]) if unit in _UNIT_BYTES else 0

    @property
    def here(self) -> bool:
        """Return whether the Python that Inspector runs in has it."""
        try:
            metadata.version(self.package)
        except metadata.PackageNotFoundError:
            return False
        return True

    @property
    def version(self) -> str:
        """Return the version that processes of it use; empty if it is not installed."""
        if self.here:
            return metadata.version(self.package)
        record = _record(self.id)
        return record.versions.get(self.package, "") if record is not None else ""


class Interpreter(Struct, frozen=True):
    """Another Python on this machine.

    version: of the language ("3.11.2"). packages: versions by name. has_inspector: whether it
    can import Inspector.
    """

    path: Path
    version: str
    packages: dict[str, str]
    has_inspector: bool

    @property
    def borrows(self) -> bool:
        """Return whether a runtime in it can run with what it lacks from here, as long as its
        Python is of this version."""
        alike = self.version.split(".")[:2] == [*map(str, sys.version_info[:2])]
        runtimes = any(name.startswith(_RUNTIMES) for name in self.packages)
        return alike and runtimes and not self.has_inspector


def package_name(requirement: str) -> str:
    """Return the name of the package that a requirement is about."""
    match = _NAME.match(requirement)
    return match[0].lower().replace("_", "-") if match else requirement


def requirements_of(extra: str) -> tuple[str, ...]:
    """Return what an extra of Inspector's package installs; none if metadata are missing."""
    try:
        listed = metadata.requires("onnx-inspector") or ()
    except metadata.PackageNotFoundError:
        return ()
    pairs = (each.partition(";") for each in listed)
    own = [left.strip() for left, _, right in pairs if f'"{extra}"' in right.replace("'", '"')]
    return tuple(sorted(own))


def folder(engine_id: str) -> Path:
    """Return the folder of an engine's environment, whether there is one or not."""
    return platformdirs.user_data_path("inspector", appauthor=False) / "engines" / engine_id


def python_of(engine_id: str) -> Path | None:
    """Return the interpreter of an environment; None if there is none for this Python."""
    return _python(folder(engine_id)) if _record(engine_id) is not None else None


def command(engine_id: str) -> list[str]:
    """Return what starts an engine process in an environment."""
    return borrowing(_python(folder(engine_id)))


def borrowing(python: Path) -> list[str]:
    """Return what starts an engine process in another Python of this version, which takes what
    it lacks, such as Inspector itself, from here."""
    own = str(Path(inspector.__file__).parents[1])
    standard = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib")}
    found = [path for path in sys.path if path and os.path.isdir(path) and path not in standard]
    more = dict.fromkeys((*found, own, os.path.realpath(own)))
    return [str(python), "-X", "faulthandler", "-P", "-c", _START, *more]


def look_at(python: Path) -> Interpreter | None:
    """Return what another Python has; None if it does not start."""
    try:
        done = subprocess.run(
            [python, "-c", _LOOK], capture_output=True, timeout=_LOOK_SECONDS, check=True
        )
        return Interpreter(python, **json.loads(done.stdout))
    except (OSError, subprocess.SubprocessError, ValueError, TypeError):
        return None


def question(engine: Engine) -> str:
    """Return what installing an engine would do, to ask the user."""
    size = f", about {engine.download}" if engine.download else ""
    return (
        f"Install {engine.name} into an environment of its own? It downloads "
        f"{' and '.join(engine.requirements)} with all dependencies{size} from "
        f"{_index_host() or 'PyPI (or the index that pip is configured for)'} into "
        f"{folder(engine.id)}. Nothing else is changed."
    )


def install(
    engine: Engine,
    tell: Callable[[str], None] = lambda _: None,
    stopped: Callable[[], bool] = lambda: False,
    wheels: Path | None = None,
    loaded: Callable[[int], None] = lambda _: None,
) -> str:
    """Make the environment of an engine, and return the version of the engine.

    tell: receives what happens. stopped: asked while it runs. wheels: a folder with packages,
    in place of a package index. loaded: receives how many bytes are downloaded, as they grow.
    One that is there is replaced, once the new one works. Raises Cancelled; EngineFailed.
    """
    what = f"Could not install {engine.name}"
    if not can_install():
        raise EngineFailed(
            what,
            "this program carries its own Python, which cannot install packages",
            "Install Inspector with pip, or use an environment with --python.",
        )
    target = folder(engine.id)
    new = _own_place(target)
    try:
        _remove_unfinished(engine.id)
        tell("creating the environment")
        # 7 ms of each command, for the few that make an environment
        import venv

        new.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        venv.EnvBuilder(symlinks=sys.platform != "win32").create(new)
        scratch = new / _SCRATCH
        scratch.mkdir()
        _run(_installer(new, engine, wheels), tell, stopped, what, scratch, loaded)
        shutil.rmtree(scratch, ignore_errors=True)
        tell("checking that it works")
        test = [str(_python(new)), "-c", f"import {engine.module}"]
        _run(test, tell, stopped, f"{what}: it does not start")
        base = {"base": str(new), "platbase": str(new), "installed_base": str(new)}
        packages = metadata.distributions(path=[sysconfig.get_path("purelib", "venv", base)])
        versions = {package_name(each.name): each.version for each in packages}
        record = _Record(engine.id, _this_python(), versions)
        (new / _RECORD).write_text(json.dumps(asdict(record)), "utf-8")
        _put_in_place(new, target)
    except OSError as error:
        why = f"{error.strerror or error}: {clip(str(error.filename or target), 200)}"
        hint = f"Check the space and the permissions of {target.parent}, and try again."
        raise EngineFailed(what, why, hint) from error
    finally:
        shutil.rmtree(new, ignore_errors=True)
    return engine.version


def remove(engine_id: str) -> bool:
    """Delete the environment of an engine; False if there is none. Raises OSError."""
    _remove_unfinished(engine_id)
    target = folder(engine_id)
    return target.is_dir() and _set_aside(target)


def _own_place(target: Path) -> Path:
    """Return a new path beside an environment, for what only this process may touch."""
    return target.with_name(f"{target.name}{_UNFINISHED}-{os.getpid()}-{os.urandom(4).hex()}")


def _set_aside(target: Path) -> bool:
    """Delete an environment; False if another installation or process did.

    Renaming comes first: no half of it is used, and no two delete the same files.
    """
    aside = _own_place(target)
    try:
        target.rename(aside)
    except FileNotFoundError:
        return False
    shutil.rmtree(aside, ignore_errors=True)
    return True


def _put_in_place(new: Path, target: Path) -> None:
    """Replace an environment by a new one, whoever else does the same at this moment."""
    while True:
        _set_aside(target)
        try:
            new.rename(target)
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise
        else:
            return


def _remove_unfinished(engine_id: str) -> None:
    """Delete what installations left that were killed; not what is being installed now."""
    place = folder(engine_id)
    for left in place.parent.glob(f"{place.name}{_UNFINISHED}*"):
        number = left.name.partition(f"{_UNFINISHED}-")[2].partition("-")[0]
        if not number.isdecimal() or not psutil.pid_exists(int(number)):
            shutil.rmtree(left, ignore_errors=True)


def why_useless(engine_id: str) -> str:
    """Return why an environment that is there cannot be used; empty if it can, or is not."""
    place = folder(engine_id)
    if _record(engine_id) is not None or not place.is_dir():
        return ""
    record = _record_of_any(place)
    if record is None:
        return "its environment is damaged"
    if record.python != _this_python():
        return "its environment was made with another version of Python"
    return "the Python that its environment was made with is gone"


def engine_of(command: Sequence[str]) -> str:
    """Return the id of the environment that a process runs in; empty: in none."""
    engines = folder("engine").parent
    program = Path(command[0]) if command else engines
    return program.relative_to(engines).parts[0] if engines in program.parents else ""


def _this_python() -> str:
    return f"{sys.implementation.cache_tag} {sysconfig.get_platform()}"


def _record(engine_id: str) -> _Record | None:
    """Return the record of an environment that this Python can use; None: there is none."""
    place = folder(engine_id)
    record = _record_of_any(place)
    if record is None or record.python != _this_python():
        return None
    with suppress(OSError):
        return record if _python(place).exists() else None
    return None


def _record_of_any(place: Path) -> _Record | None:
    with suppress(InspectorError, OSError, ValueError, TypeError, RecursionError):
        record = _Record(**json.loads(files.read_capped(place / _RECORD, _RECORD_BYTES)))
        known = record.schema == SCHEMA and isinstance(record.python, str)
        return record if known and isinstance(record.versions, dict) else None
    return None


def _python(place: Path) -> Path:
    return place / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def _installer(place: Path, engine: Engine, wheels: Path | None) -> list[str]:
    """Return the command that installs packages there: by pip, or by uv where there is no pip.

    Both follow their own configuration, such as PIP_INDEX_URL or UV_DEFAULT_INDEX. Raises
    EngineFailed: there is neither.
    """
    python, uv = str(_python(place)), shutil.which("uv")
    local = ["--no-index", "--find-links", str(wheels)] if wheels is not None else []
    if _has_pip():
        pip = [sys.executable, "-m", "pip", "--python", python, "install"]
        quiet = ["--disable-pip-version-check", "--no-input", "--progress-bar", "off"]
        return [*pip, *quiet, *local, *engine.requirements]
    if uv is None:
        hint = "Install pip with: python -m ensurepip"
        raise EngineFailed(
            f"Could not install {engine.name}", "there is neither pip nor uv", hint
        )
    return [uv, "pip", "install", "--no-progress", "--python", python, *local,
            *engine.requirements]  # fmt: skip


def _has_pip() -> bool:
    """Return whether this Python has pip, past the import hook that setuptools puts on it."""
    return bool([*metadata.distributions(name="pip")])


def _index_host() -> str:
    """Return the index that the environment variables name; empty if they name none."""
    address = os.environ.get("PIP_INDEX_URL" if _has_pip() else "UV_DEFAULT_INDEX", "")
    return urlsplit(address).hostname or ""


def _run(
    command: Sequence[str],
    tell: Callable[[str], None],
    stopped: Callable[[], bool],
    what: str,
    scratch: Path | None = None,
    loaded: Callable[[int], None] = lambda _: None,
) -> None:
    """Run a command to its end. Raises Cancelled; EngineFailed with what it said last.

    scratch: a folder for its temporary files, whose growing size `loaded` receives.
    """
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    if scratch is not None:
        environment |= dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(scratch))
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env=environment, creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )  # fmt: skip
    lines: list[str] = []

    def read() -> None:
        assert process.stdout is not None, "it is a pipe"
        with process.stdout as output:
            lines.extend(line.decode("utf-8", "replace").rstrip() for line in output)

    reader = threading.Thread(target=read, name="installer", daemon=True)
    reader.start()
    told = most = 0
    try:
        while reader.is_alive() or told < len(lines):
            reader.join(_POLL_SECONDS)
            while told < len(lines):
                if step := _step(lines[told]):
                    tell(step)
                told += 1
            if scratch is not None and (size := _size_of(scratch)) > most:
                loaded(most := size)
            if stopped():
                raise Cancelled("Stopped", "nothing was installed")
    except BaseException:
        # Pip starts itself in that process.
        with suppress(psutil.Error):
            for child in psutil.Process(process.pid).children(recursive=True):
                with suppress(psutil.Error):
                    child.kill()
        process.kill()
        raise
    finally:
        process.wait()
        reader.join()
    if process.returncode:
        raise EngineFailed(what, *_reason(lines))


def _size_of(folder: Path) -> int:
    """Return how many bytes the files in a folder have, which others write and delete.

    Walking passes over a folder that goes meanwhile, where a recursive glob raises an error.
    """
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                total += os.stat(os.path.join(place, name)).st_size
    return total


def _step(line: str) -> str:
    for pattern, text in _STEPS:
        if match := pattern.match(line):
            return clip(text.format(*match.groups()), 120)
    return ""


def _reason(lines: Sequence[str]) -> tuple[str, str]:
    """Return why an installation failed, and what helps."""
    said = [line.strip() for line in lines if line.strip()]
    whole = "\n".join(said)
    if "No space left" in whole:
        places = f"{folder('engines').parent} and {tempfile.gettempdir()}"
        why = "there is no space left on the disk"
        return why, f"Free up some space in {places}, and try again."
    unreachable = next((why for sign, why in _NO_CONNECTION if sign in whole), "")
    if unreachable:
        index = _index_host() or "the package index"
        return f"{index} could not be reached: {unreachable}", (
            "Check the connection and the settings of pip, and try again."
        )
    errors = [line for line in said if line.lower().startswith(("error", "×"))]
    if not errors or errors[-1].startswith("ERROR: Exception:"):  # it is at the end of a trace
        errors = said[-1:]
    text = _CREDENTIALS.sub("", "; ".join(each.removeprefix("ERROR: ") for each in errors[-2:]))
    why = clip(text, 400) or "the installer failed without a message"
    if "No matching distribution" in whole or "no version" in whole.lower():
        python = f"Python {sys.version_info.major}.{sys.version_info.minor}"
        return why, f"There may be no package for {python} on this system, or no connection."
    return why, "Check the connection and the settings of pip, and try again."
