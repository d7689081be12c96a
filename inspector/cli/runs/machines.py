"""inspector devices --add, --test and --remove: the other machines of the user."""

import argparse
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from inspector.cli.questions import confirmed
from inspector.errors import BadInput
from inspector.remote import ai_hub, installing, machines, phone
from inspector.units import clip


def added(options: argparse.Namespace) -> machines.Look:
    """Add a machine if an agent answers there. Raises InspectorError."""
    name, host = options.add
    machines.expect_valid(name, host, options.python)
    program = str(options.program.resolve()) if options.program else ""
    labels = tuple(options.label)
    machine = machines.Saved(name, host, options.python, labels, program=program)
    _expect_fitting(name, host, options)
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


def remove(name: str) -> None:
    """Forget a machine. Raises BadInput: there is none of that name."""
    removed = machines.remove(name)
    print(f"removed {removed.name} ({removed.host}); nothing was changed there")


def print_next_step(machine: machines.Saved) -> None:
    """Print what can be done with a machine that was added."""
    print(f"\nadded {machine.name}: inspector measure MODEL --on {machine.name}")
    if machine.host.startswith(ai_hub.HOST):
        print(f"You are asked before a model is uploaded to {ai_hub.SITE}.")


def _checked(machine: machines.Saved) -> machines.Look:
    """Return what a machine is, with its devices, and remember it. Raises InspectorError."""
    (look,) = machines.look([machine], seconds=60.0, devices=True)
    if look.problem is not None:
        raise look.problem
    return look


def _expect_fitting(name: str, host: str, options: argparse.Namespace) -> None:
    """Raise BadInput if the options do not fit the kind of machine."""
    what = f"Could not add '{clip(name, 60)}'"
    if host.startswith(phone.HOST):
        if not options.program:
            why = "a phone is measured by a benchmark program"
            hint = "Specify onnxruntime_perf_test or benchmark_model with --program."
            raise BadInput(what, why, hint)
        if options.python or options.install:
            raise BadInput(
                what,
                "Inspector runs no Python on such a device",
                "Omit --python and --install.",
            )
    elif options.program:
        raise BadInput(what, "--program is for a phone", "Specify HOST as android:SERIAL.")
