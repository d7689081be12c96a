"""The options `--on` and `--python`, and the engine that they ask for: here, on another
machine, or in another Python."""

import argparse
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.cli.option_types import Options
from inspector.errors import BadInput, Cancelled

if TYPE_CHECKING:
    from inspector.backends.values import Progress
    from inspector.engine.client.engine_process import EngineProcess
    from inspector.platform.work_limits import Limits
    from inspector.remote.machines import Target


def add_on(parser: Options, many: bool = False) -> None:
    """Add the option. many: whether it takes several machines."""
    several = "; separate several machines with commas, or use label:WORD" if many else ""
    metavar = "NAME[:ID][,...]" if many else "NAME[:ID]"
    parser.add_argument(
        "--on",
        default="",
        metavar=metavar,
        help="run on another machine: one added with 'inspector devices --add NAME HOST', "
        "or 'lab' or 'lab/NAME' (see 'inspector lab'); add a device ID to choose its device"
        f"{several}",
    )
    parser.add_argument(
        "--python",
        default="",
        metavar="PATH",
        help="run in another Python environment that has Inspector installed, using its "
        "runtimes; specify the Python executable or a virtual environment folder",
    )


def targets(options: argparse.Namespace) -> "tuple[Target, ...]":
    """Return the machines that the options name; none for this one. Raises BadInput."""
    python = getattr(options, "python", "")
    if python:
        if options.on:
            why, hint = (
                "--on and --python cannot be used together",
                "Omit one of these options.",
            )
            raise BadInput("Could not use these options", why, hint)
        return (_another_python(python),)
    if not getattr(options, "on", ""):
        return ()
    from inspector.remote.machines import targets as named

    return named(options.on)


def confirm_uploads(options: argparse.Namespace, models: Sequence[Path]) -> None:
    """Ask about each model that would be uploaded to a service for the first time.

    Raises BadInput: there is no terminal to ask in. Cancelled: the user does not agree.
    """
    if not getattr(options, "on", ""):
        return
    from inspector.remote import ai_hub

    hosts = [target.machine for target in targets(options)]
    names = [each.name for each in hosts if each.host.startswith(ai_hub.HOST)]
    if not names:
        return
    from inspector.cli.commands.devices import confirmed
    from inspector.remote.blobs import hash_of

    for path in models:
        sha256, size_bytes = hash_of(path)
        if ai_hub.is_allowed(sha256):
            continue
        upload = ai_hub.Upload(path.name, size_bytes, sha256)
        question = ai_hub.question([upload], " and ".join(names))
        what = f"Could not upload {path.name}"
        if not options.yes and not confirmed(question, what):
            raise Cancelled(f"{path.name} was not uploaded")
        ai_hub.allow(sha256)


def _another_python(path: str) -> "Target":
    """Return this machine with another Python. Raises BadInput: there is none."""
    from inspector.remote.machines import LOCAL, PYTHON, Saved, Target

    given = Path(path).expanduser()
    in_folder = (given / "bin" / "python", given / "Scripts" / "python.exe")
    found = next((place for place in in_folder if place.is_file()), given)
    program = shutil.which(str(found))
    if program is None:
        why = f"'{path}' is neither a Python executable nor a virtual environment"
        raise BadInput(
            "Could not use --python",
            why,
            "Specify a Python executable, such as env/bin/python.",
        )
    return Target(Saved(PYTHON, LOCAL, python=program))


def only_target(options: argparse.Namespace) -> "Target | None":
    """Return the machine that the options name; None for this one. Raises BadInput."""
    found = targets(options)
    if len(found) > 1:
        why = f"--on names {len(found)} machines, and this runs on one"
        raise BadInput("Could not use --on", why, "Specify one machine.")
    return found[0] if found else None


def engine(
    options: argparse.Namespace,
    show: "Callable[[Progress], None]" = lambda _: None,
    limits: "Limits | None" = None,
    reads: tuple[Path, ...] = (),
) -> "EngineProcess":
    """Return an engine where the options say. Raises BadInput."""
    from inspector.engine.client.engine_process import EngineProcess

    target = only_target(options)
    return target.engine(show, limits) if target else EngineProcess(show, limits, reads=reads)
