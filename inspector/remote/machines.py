"""The machines that the user added: how each is reached, and what was seen of it last."""

import os
import shlex
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import msgspec
from msgspec import Struct

from inspector.backends import environments
from inspector.backends.values import Progress
from inspector.engine.client.engine import Engine
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import BadInput, InspectorError, UnreadableFile
from inspector.platform import files, plugins, settings
from inspector.platform.work_limits import Limits
from inspector.remote import machine_kinds
from inspector.remote.connection import Machine
from inspector.remote.other_machine import OtherMachine
from inspector.remote.remote_engine import RemoteEngine
from inspector.report.report_values import Device
from inspector.units import clip
from inspector.wording.stored import text_only

SCHEMA = "machines/1"
LOCAL = "local"  # in place of a host: an agent of another Python on this machine
PYTHON = "another Python"  # the name of a local machine that `--python` asks for
LABEL = "label:"
HERE = "here"  # as a name: this machine
# Where `install` puts a Python of its own, below the home folder there.
INSTALLED = ".local/share/inspector-agent/bin/python"
_CONNECT_SECONDS = 8
_LOCK_SECONDS = 1.0
_MOST_BYTES = 4 << 20


class Saved(msgspec.Struct, frozen=True, omit_defaults=True):
    """A machine that the user added.

    host: as `ssh` takes it ("pi@pi5.local", a name of its configuration, "ssh://pi@pi5:2222"),
    LOCAL, or what begins with the id of a `MachineKind`. python: of the agent there; empty:
    the installed one. program: that measures there, such as on a phone, or the folder of such
    programs. labels: given by the user.
    hello: what its agent said last. seen: when, ISO 8601. devices: as they were tried out last.
    """

    name: str
    host: str
    python: str = ""
    labels: tuple[str, ...] = ()
    hello: dict[str, Any] = {}
    seen: str = ""
    devices: tuple[Device, ...] = ()
    program: str = ""

    @property
    def usable(self) -> tuple[Device, ...]:
        """Return the devices that worked when they were tried out last."""
        return tuple(device for device in self.devices if not device.problem)

    @property
    def uploads_to(self) -> str:
        """Return the service to which models are uploaded for it; "" if to none."""
        kind = machine_kinds.kind_of(self.host)
        return kind.uploads_to if kind is not None else ""

    @property
    def all_labels(self) -> tuple[str, ...]:
        """Return the labels that the user gave, and those that the agent has."""
        return tuple(dict.fromkeys((*self.labels, *self.hello.get("labels", ()))))


class _File(msgspec.Struct):
    schema: str = SCHEMA
    machines: tuple[Saved, ...] = ()


class Target(Struct, frozen=True):
    """Where a job runs: a machine, and the id of a device there; empty for the job's own."""

    machine: Saved
    device: str = ""

    @property
    def text(self) -> str:
        """Return it as `--on` takes it."""
        return f"{self.machine.name}:{self.device}" if self.device else self.machine.name

    @property
    def in_pool(self) -> bool:
        """Return whether several machines may share the work, such as those of a lab."""
        return machine_kinds.pool_of(self.machine.host) is not None

    def width(self) -> int:
        """Return how many jobs can be measured at once: one, or one on each of a pool."""
        pool = machine_kinds.pool_of(self.machine.host)
        return 1 if pool is None else pool.width(self.machine.host)

    def engine(
        self, show: Callable[[Progress], None] = lambda _: None, limits: Limits | None = None
    ) -> Engine:
        """Return an engine whose process is there."""
        another = self.machine.host == LOCAL and bool(self.machine.python)
        if another and self.machine.name == PYTHON:
            there = environments.look_at(Path(self.machine.python))
            if there is not None and there.borrows:
                return EngineProcess(show, limits, environments.borrowing(there.path))
        return RemoteEngine(line_to(self.machine), show, limits, self.device, another)


def pythons(text: str) -> tuple[Target, ...]:
    """Return this machine with each Python that a text lists by commas. Raises BadInput."""
    if text and Path(text).expanduser().exists():  # a comma may belong to a path
        return (_another_python(text),)
    listed = dict.fromkeys(filter(None, (part.strip() for part in text.split(","))))
    return tuple(map(_another_python, listed))


def _another_python(path: str) -> Target:
    """Return this machine with another Python. Raises BadInput: there is none."""
    given = Path(path).expanduser()
    in_folder = (given / "bin" / "python", given / "Scripts" / "python.exe")
    program = shutil.which(next((place for place in in_folder if place.is_file()), given))
    if program is None:
        why = f"'{clip(path, 200)}' is neither a Python executable nor a virtual environment"
        hint = "Specify a Python executable, such as env/bin/python."
        raise BadInput("Could not use another Python", why, hint)
    return Target(Saved(PYTHON, LOCAL, python=program))


def default_file() -> Path:
    """Return the file that keeps the machines of this user."""
    return settings.machines_file()


def saved(file: Path | None = None) -> tuple[Saved, ...]:
    """Return the machines that the user added. Raises UnreadableFile: the file is damaged."""
    path = file or default_file()
    if not files.exists(path):
        return ()
    try:
        return msgspec.json.decode(files.read_capped(path, _MOST_BYTES), type=_File).machines
    except (ValueError, RecursionError) as error:
        hint = f"Repair or delete {path}."
        raise UnreadableFile("Could not read the list of machines", str(error), hint) from error


def keep(machine: Saved, file: Path | None = None, new: bool = True) -> None:
    """Add a machine, or replace the one of its name. Raises NotSaved.

    new: whether one that is not in the list is added; it may have been removed meanwhile.
    """
    with _alone(file):
        others = [each for each in saved(file) if each.name != machine.name]
        if not new and len(others) == len(saved(file)):
            return
        _write(sorted((*others, machine), key=lambda each: each.name), file)


def remove(name: str, file: Path | None = None) -> Saved:
    """Forget a machine. Raises BadInput: there is none of that name."""
    with _alone(file):
        found = named(name, file)
        _write([each for each in saved(file) if each.name != name], file)
    return found


def named(name: str, file: Path | None = None) -> Saved:
    """Return the machine of a name. Raises BadInput: there is none."""
    known = saved(file)
    for each in known:
        if each.name == name:
            return each
    if name == HERE:
        return Saved(HERE, LOCAL)
    for kind, pool in machine_kinds.pools():
        if name == kind.id or name.startswith(f"{kind.id}/"):
            return Saved(name, pool.host(name.removeprefix(kind.id).removeprefix("/")))
    names = ", ".join(each.name for each in known)
    hint = (
        f"Known machines: {names}." if known else "Add one: inspector devices --add NAME HOST"
    )
    what = f"Could not find '{clip(name, 60)}'"
    raise BadInput(what, "no machine has this name", plugins.hint(hint))


def targets(text: str, file: Path | None = None) -> tuple[Target, ...]:
    """Return where `--on` says: 'pi5,win:directml,label:gpu'. Raises BadInput."""
    found: dict[str, Target] = {}
    for part in filter(None, (each.strip() for each in text.split(","))):
        for target in _targets_of(part, file):
            found.setdefault(target.text, target)
    if not found:
        raise BadInput(
            "Could not use --on", "no machine was specified", "Specify one: --on NAME."
        )
    return tuple(found.values())


def expect_valid(name: str, host: str, python: str = "") -> None:
    """Raise BadInput for what cannot be a name, a host or a program."""
    what = f"Could not add '{clip(name, 60)}'"
    if not name or not name.isprintable() or set(name) & set(", :/") or name.startswith("-"):
        why = "a name has no spaces, commas, colons or slashes"
        raise BadInput(what, why, "Choose a name such as pi5.")
    # A host that begins with '-' would be an option of ssh, which can run programs.
    machine_kinds.expect_known(host, what)
    spaced = " " in host and machine_kinds.kind_of(host) is None
    if not host or not host.isprintable() or host.startswith("-") or spaced:
        why = f"'{clip(host, 60)}' is not a host"
        hint = "Specify it as you would for ssh: user@host, or a host from ~/.ssh/config."
        raise BadInput(what, why, hint)
    if not python.isprintable() or '"' in python:
        raise BadInput(what, f"'{clip(python, 60)}' is not the path of a Python executable")


def line_to(machine: Saved, **options: Any) -> OtherMachine:
    """Return what reaches a machine; options: of `Machine`."""
    machine_kinds.expect_known(machine.host, f"Could not use '{clip(machine.name, 60)}'")
    kind = machine_kinds.kind_of(machine.host)
    if kind is not None:
        return kind.line_to(machine)
    local = machine.host == LOCAL
    return Machine(machine.name, command(machine), kills=not local, **options)


def command(machine: Saved) -> list[str]:
    """Return the command that makes a line to the agent of a machine."""
    if machine.name != PYTHON:
        expect_valid(machine.name, machine.host, machine.python)
    labels = [word for label in machine.labels for word in ("--label", label)]
    if machine.host == LOCAL:
        python = os.path.expanduser(machine.python) or sys.executable
        return [python, "-m", "inspector.remote.agent", *labels]
    python = f'"{machine.python}"' if " " in machine.python else machine.python
    there = f"{python or INSTALLED} -m inspector.remote.agent"
    return [*ssh(machine.host), " ".join((there, *map(shlex.quote, labels)))]


def ssh(host: str, asks: bool = False) -> list[str]:
    """Return the start of a command that runs something on a host.

    The keys, known hosts and configuration are those of the user. asks: for passwords and
    unknown hosts, on the terminal; else such a question is a failure.
    """
    options = {
        "BatchMode": "no" if asks else "yes",
        "ConnectTimeout": str(_CONNECT_SECONDS),
        "ServerAliveInterval": "5",
        "ServerAliveCountMax": "3",
        "ClearAllForwardings": "yes",
        "LogLevel": "ERROR",
    }
    given = [word for key, value in options.items() for word in ("-o", f"{key}={value}")]
    return ["ssh", "-T", *given, "--", host]


class Look(Struct, frozen=True):
    """What came of asking a machine: as it is now; problem: why it did not answer."""

    machine: Saved
    problem: InspectorError | None = None


def look(machines: Iterable[Saved], seconds: float = 15.0, devices: bool = False) -> list[Look]:
    """Ask machines, all at once, what they are and how busy, and remember that.

    devices: also list their devices, each tried out, which takes seconds.
    """

    def one(machine: Saved) -> Look:
        line = line_to(machine, start_seconds=seconds)
        try:
            hello = line.connect()
            if devices:
                found = RemoteEngine(line).devices()
                machine = msgspec.structs.replace(machine, devices=found)
        except InspectorError as error:
            return Look(machine, error)
        finally:
            line.close()
        seen = datetime.now(UTC).isoformat(timespec="seconds")
        return Look(msgspec.structs.replace(machine, hello=_shown(hello), seen=seen))

    asked = list(machines)
    if not asked:
        return []
    with ThreadPoolExecutor(len(asked)) as pool:
        looks = list(pool.map(one, asked))
    for each in looks:
        if each.problem is None:
            keep(each.machine, new=devices)
    return looks


def _shown(hello: dict[str, Any]) -> dict[str, Any]:
    """Return what is worth remembering of a hello."""
    dropped = ("type", "kinds", "settings")
    return {key: value for key, value in hello.items() if key not in dropped}


def _targets_of(part: str, file: Path | None) -> Sequence[Target]:
    if not part.startswith(LABEL):
        name, _, device = part.partition(":")
        return [Target(named(name, file), device)]
    label, _, device = part.removeprefix(LABEL).partition(":")
    found = [each for each in saved(file) if label in each.all_labels]
    for _, pool in machine_kinds.pools():
        with suppress(InspectorError):
            if pool.joined():
                found.append(Saved(LABEL + label, pool.host(LABEL + label)))
    if not found:
        why = "no machine has this label"
        hint = "Set one when you add a machine: inspector devices --add NAME HOST --label gpu"
        raise BadInput(f"Could not find '{clip(part, 60)}'", why, hint)
    return [Target(each, device) for each in found]


@contextmanager
def _alone(file: Path | None) -> Iterator[None]:
    """Let no other process change the list meanwhile, for at most a second."""
    path = file or default_file()
    opened = files.open_lock(path.with_suffix(".lock"))
    if opened is None:
        yield
        return
    with opened:
        until = monotonic() + _LOCK_SECONDS
        while not files.try_lock(opened) and monotonic() < until:
            sleep(_LOCK_SECONDS / 50)
        yield


def _write(machines: Iterable[Saved], file: Path | None) -> None:
    path = file or default_file()
    files.make_folder(path.parent)
    body = msgspec.json.encode(_File(machines=tuple(machines)), enc_hook=text_only)
    files.write_atomic(path, msgspec.json.format(body, indent=1) + b"\n")
