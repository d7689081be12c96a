"""inspector devices --add, --test and --remove: the other machines of the user."""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import psutil

from inspector.app.estimating.device_calibration import measure_ceilings, save_device
from inspector.cli import pages
from inspector.cli.options.option_types import job_limits
from inspector.cli.progress import Progress
from inspector.engine.client.cpu_speed_history import machine_id
from inspector.engine.client.engine import Engine
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import BadInput
from inspector.pages.on_devices.machines import ceilings_page
from inspector.platform.terminal import confirmed
from inspector.remote import installing, machine_kinds, machines
from inspector.units import clip


def added(options: argparse.Namespace) -> machines.Look:
    """Add a machine if an agent answers there. Raises InspectorError."""
    name, host = options.add
    machines.expect_valid(name, host, options.python)
    program = str(options.program.resolve()) if options.program else ""
    labels = tuple(options.label)
    machine = machines.Saved(name, host, options.python, labels, program=program)
    what = f"Could not add '{clip(name, 60)}'"
    kind = machine_kinds.kind_of(host)
    if kind is not None and (options.python or options.install):
        why = "Inspector runs no Python on such a device"
        raise BadInput(what, why, "Omit --python and --install.")
    if kind is not None and kind.program and not options.program:
        why = "it is measured by a program of yours"
        raise BadInput(what, why, f"Specify the path of {kind.program} with --program.")
    if options.program and not (kind is not None and kind.program):
        hosts = " or ".join(each.host for each in machine_kinds.kinds() if each.program)
        hint = f"Specify HOST as {hosts}." if hosts else "Omit --program."
        raise BadInput(what, "this kind of machine takes no --program", hint)
    if options.install:

        def agreed(question: str) -> bool:
            return options.yes or confirmed(question, "Could not add the machine")

        machine = installing.install(machine, options.wheels, agreed, print)
    return _checked(machine)


@contextmanager
def looking() -> Iterator[Callable[[], Sequence[machines.Look]]]:
    """Look at all machines on a thread, and return what waits for the result."""
    with ThreadPoolExecutor(1) as pool:
        yield pool.submit(machines.look, machines.saved()).result


def tested(name: str) -> machines.Look:
    """Look at a machine that was added, and remember its devices. Raises InspectorError."""
    return _checked(machines.named(name))


def calibrate(options: argparse.Namespace) -> None:
    """Save the ceilings of a machine as a device. Raises InspectorError."""
    name, file = options.calibrate
    here = name == machines.HERE
    machine = None if here else machines.named(name)
    limits = job_limits(options)
    with Progress(sys.stderr) as progress:
        if machine is None:
            engine: Engine = EngineProcess(progress.show, limits)
            processor, ram_bytes = machine_id()[-1], psutil.virtual_memory().total
        else:
            engine = machines.Target(machine).engine(progress.show, limits)
            said = machine.hello
            processor = str(said.get("cpu", "unknown"))
            ram_bytes = int(said.get("memory_bytes", 0))
        with engine:
            ceilings = measure_ceilings(engine)
    save_device(Path(file), name, processor, ram_bytes, ceilings)
    pages.show(ceilings_page(ceilings))
    print(f"saved {file}: inspector estimate MODEL --target {file}")


def remove(name: str) -> None:
    """Forget a machine. Raises BadInput: there is none of that name."""
    removed = machines.remove(name)
    print(f"removed {removed.name} ({removed.host}); nothing was changed there")


def print_next_step(machine: machines.Saved) -> None:
    """Print what can be done with a machine that was added."""
    print(f"\nadded {machine.name}: inspector measure MODEL --on {machine.name}")
    if machine.uploads_to:
        print(f"You are asked before a model is uploaded to {machine.uploads_to}.")


def _checked(machine: machines.Saved) -> machines.Look:
    """Return what a machine is, with its devices, and remember it. Raises InspectorError."""
    (look,) = machines.look([machine], seconds=60.0, devices=True)
    if look.problem is not None:
        raise look.problem
    return look
