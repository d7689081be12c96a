"""inspector devices: the devices that can run a model here, and the user's other machines."""

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inspector.cli.option_types import add_renamed, add_time_limit, job_limits
from inspector.errors import BadInput
from inspector.platform import files, settings
from inspector.units import clip

if TYPE_CHECKING:
    from inspector.remote.machines import Look, Saved
    from inspector.report.report_values import Device


SCHEMA = "devices/1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    others = parser.add_argument_group("other machines")
    others.add_argument(
        "--add",
        nargs=2,
        metavar=("NAME", "HOST"),
        help="add a machine and check it. HOST is an SSH address, such as pi@pi5.local; "
        "'local' for this machine (with --python); 'android:SERIAL' for a phone connected by "
        "adb (with --program); or 'aihub:DEVICE' for a device of Qualcomm AI Hub",
    )
    others.add_argument(
        "--python",
        default="",
        metavar="PATH",
        help="Python executable of an environment on the other machine in which Inspector is "
        "installed; it runs the agent, which is Inspector's program on that machine",
    )
    others.add_argument(
        "--program",
        type=Path,
        metavar="PATH",
        help="with --add NAME android:SERIAL: path of onnxruntime_perf_test or benchmark_model "
        "built for Android, or of a folder with them and their libraries",
    )
    others.add_argument(
        "--label",
        action="append",
        default=[],
        metavar="WORD",
        help="with --add, label of the machine, for use in '--on label:WORD'; repeatable",
    )
    others.add_argument(
        "--install",
        action="store_true",
        help="with --add, also install Inspector on that machine, in its own folder and "
        "without its graphical interface",
    )
    others.add_argument(
        "--wheels",
        type=Path,
        metavar="DIR",
        help="with --install, copy packages from this folder instead of downloading them on "
        "the other machine",
    )
    others.add_argument(
        "--yes",
        action="store_true",
        help="with --install, install Inspector on the machine without asking",
    )
    others.add_argument("--remove", metavar="NAME", help="forget a machine")
    add_renamed(
        others,
        "--test",
        "--check",
        metavar="NAME",
        help="list the devices of a machine, and test each one",
    )
    add_time_limit(parser, "the test of one execution provider")
    parser.add_argument("--json", action="store_true", help=f"print JSON (schema {SCHEMA})")


def run(options: argparse.Namespace) -> None:
    """Print the devices. Raises InspectorError: the engine cannot be started."""
    _expect_together(options)
    if options.remove:
        from inspector.remote import machines

        removed = machines.remove(options.remove)
        print(f"removed {removed.name} ({removed.host}); nothing was changed there")
    elif options.add:
        _add(options)
    elif options.test:
        from inspector.remote import machines

        _check(options, machines.named(options.test))
    else:
        _list(options)


def _expect_together(options: argparse.Namespace) -> None:
    alone = {"--python": options.python, "--label": options.label, "--install": options.install}
    alone |= {"--program": options.program}
    given = [name for name, value in alone.items() if value]
    if given and not options.add:
        why = f"{given[0]} is about a machine that is added"
        raise BadInput(
            "Could not list the devices", why, "Add a machine first, with --add NAME HOST."
        )
    if options.wheels and not options.install:
        why = "--wheels is for --install"
        raise BadInput(
            "Could not add the machine", why, "Add --install to install Inspector there."
        )


def _list(options: argparse.Namespace) -> None:
    # Nothing is computed: numpy would start a thread for each core, here and in each engine.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from inspector.backends.onnxruntime.sessions import installable
    from inspector.cli.progress import Progress
    from inspector.engine.client.engine_process import EngineProcess

    with (
        _looking() as looking,
        Progress(sys.stderr) as progress,
        EngineProcess(progress.show_stall, job_limits(options)) as engine,
    ):
        devices = engine.devices()
        looks = looking()
    absent = installable.absent(devices)
    if options.json:
        _print_json(devices, looks, absent)
        return
    _show(devices, looks, absent)


@contextmanager
def _looking() -> Iterator[Callable[[], Sequence["Look"]]]:
    """Look at other machines meanwhile, and return what then waits for them.

    Where none was added, nothing that reaches them is loaded; that takes a tenth of the time.
    """
    if not files.exists(settings.machines_file()):
        yield tuple
        return
    from concurrent.futures import ThreadPoolExecutor

    from inspector.remote import machines

    known = machines.saved()
    with ThreadPoolExecutor(1) as pool:
        yield pool.submit(machines.look, known).result


def _add(options: argparse.Namespace) -> None:
    """Add a machine if an agent answers there. Raises InspectorError."""
    from inspector.remote import ai_hub, machines

    name, host = options.add
    machines.expect_valid(name, host, options.python)
    program = str(options.program.resolve()) if options.program else ""
    labels = tuple(options.label)
    machine = machines.Saved(name, host, options.python, labels, program=program)
    _expect_fitting(name, host, options)
    if options.install:
        from inspector.remote import installing

        def agreed(question: str) -> bool:
            return options.yes or confirmed(question)

        machine = installing.install(machine, options.wheels, agreed, print)
    _check(options, machine)
    if not options.json:
        print(f"\nadded {name}: inspector measure MODEL --on {name}")
        if host.startswith(ai_hub.HOST):
            print(f"You are asked before a model is uploaded to {ai_hub.SITE}.")


def _expect_fitting(name: str, host: str, options: argparse.Namespace) -> None:
    """Raise BadInput if the options do not fit the kind of machine."""
    from inspector.remote import phone

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


def confirmed(question: str, what: str = "Could not add the machine") -> bool:
    """Ask on the terminal. Raises BadInput: there is none."""
    if not (sys.stdin and sys.stdin.isatty() and sys.stderr.isatty()):
        why = "this requires confirmation, but there is no terminal to ask in"
        raise BadInput(what, why, "Add --yes to agree without being asked.")
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _check(options: argparse.Namespace, machine: "Saved") -> None:
    """Print what a machine is, with its devices, and remember it. Raises InspectorError."""
    from inspector.remote import machines

    (look,) = machines.look([machine], seconds=60.0, devices=True)
    if look.problem is not None:
        raise look.problem
    devices = look.machine.devices
    if options.json:
        _print_json(devices, [look])
        return
    _show(devices, [look])


def _show(
    devices: Sequence["Device"], looks: Sequence["Look"], absent: Sequence["Device"] = ()
) -> None:
    from inspector.cli import pages
    from inspector.pages.on_devices.devices import devices_page
    from inspector.pages.on_devices.machines import KnownMachine

    machines = [
        KnownMachine(
            look.machine.name, look.machine.host, look.machine.all_labels, look.machine.hello,
            look.machine.seen, "" if look.problem is None else look.problem.why,
        )
        for look in looks
    ]  # fmt: skip
    pages.show(devices_page(devices, absent, machines))


def _print_json(
    devices: Sequence["Device"], looks: Sequence["Look"], absent: Sequence["Device"] = ()
) -> None:
    import msgspec

    from inspector.wording import stored
    from inspector.wording.stored import text_only

    listed: list[dict[str, Any]] = []
    for look in looks:
        one = msgspec.to_builtins(look.machine, enc_hook=text_only)
        one["problem"] = "" if look.problem is None else look.problem.why
        listed.append(one)
    here = {"schema": SCHEMA, "devices": devices, "not_installed": absent}
    body = {**here, "machines": listed}
    print(stored.json_text(body))
