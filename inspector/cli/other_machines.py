"""The options `--on` and `--python`, and the engine that they ask for: here, on another
machine, or in another Python."""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.backends.values import Progress
from inspector.engine.client.engine import Engine
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import BadInput
from inspector.platform.late_modules import LateModule
from inspector.platform.work_limits import Limits

if TYPE_CHECKING:
    from inspector.cli import named_machines
    from inspector.remote.machines import Target
else:
    # What connects to machines, 60 ms.
    named_machines = LateModule("inspector.cli.named_machines")


def targets(options: argparse.Namespace) -> "tuple[Target, ...]":
    """Return the machines that the options name; none for this one. Raises BadInput."""
    if not getattr(options, "python", "") and not getattr(options, "on", ""):
        return ()
    return named_machines.named(options)


def several_environments(options: argparse.Namespace) -> bool:
    """Return whether `--python` lists more than one environment. Raises BadInput."""
    return bool(options.python) and len(targets(options)) > 1


def confirm_uploads(options: argparse.Namespace, models: Sequence[Path]) -> None:
    """Ask about each model that would be uploaded to a service for the first time.

    Raises BadInput: there is no terminal to ask in. Cancelled: the user does not agree.
    """
    if getattr(options, "on", ""):
        named_machines.confirm_uploads(options, models)


def only_target(options: argparse.Namespace) -> "Target | None":
    """Return the machine that the options name; None for this one. Raises BadInput."""
    machines = targets(options)
    if len(machines) > 1:
        if options.python:
            why = f"--python names {len(machines)} environments, and this runs in one"
            raise BadInput("Could not use --python", why, "Specify one environment.")
        why = f"--on names {len(machines)} machines, and this runs on one"
        raise BadInput("Could not use --on", why, "Specify one machine.")
    return machines[0] if machines else None


def engine(
    options: argparse.Namespace,
    show: Callable[[Progress], None] = lambda _: None,
    limits: Limits | None = None,
    reads: tuple[Path, ...] = (),
) -> Engine:
    """Return an engine where the options say. Raises BadInput."""
    target = only_target(options)
    return target.engine(show, limits) if target else EngineProcess(show, limits, reads=reads)
