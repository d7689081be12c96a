"""inspector devices: the devices that can run a model here, and the user's other machines."""

import argparse
import dataclasses
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import msgspec

from inspector.backends.machine import hardware
from inspector.backends.onnxruntime.sessions import installable
from inspector.cli import pages
from inspector.cli.commands.devices import SCHEMA
from inspector.cli.options.option_types import job_limits
from inspector.cli.progress import Progress
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import BadInput
from inspector.pages.on_devices.devices import devices_page, used_by
from inspector.pages.on_devices.machines import KnownMachine
from inspector.platform import files, settings
from inspector.platform.late_modules import LateModule
from inspector.report.report_values import Device, Hardware
from inspector.wording import stored
from inspector.wording.stored import text_only

if TYPE_CHECKING:
    from inspector.cli import added_machines as machines
    from inspector.remote.machines import Look
else:
    # What connects to them, a tenth of the time.
    machines = LateModule("inspector.cli.added_machines")


def run(options: argparse.Namespace) -> None:
    """Print the devices. Raises InspectorError: the engine cannot be started."""
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
    if options.calibrate:
        machines.calibrate(options)
        return
    if not (options.remove or options.add or options.test):
        _list(options)
        return
    if options.remove:
        machines.remove(options.remove)
        return
    look = machines.added(options) if options.add else machines.tested(options.test)
    _show(options, look.machine.devices, [look])
    if options.add and not options.json:
        machines.print_next_step(look.machine)


def _list(options: argparse.Namespace) -> None:
    # Nothing is computed: numpy would start a thread for each core, here and in each engine.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

    with (
        _looking() as looking,
        Progress(sys.stderr) as progress,
        EngineProcess(progress.show_stall, job_limits(options)) as engine,
    ):
        devices = engine.devices()
        looks = looking()
    absent, here = installable.absent(devices), hardware()
    _show(options, devices, looks, absent, here)


@contextmanager
def _looking() -> Iterator[Callable[[], Sequence["Look"]]]:
    """Look at other machines meanwhile, and return what then waits for them.

    Where none was added, nothing that reaches them is loaded; that takes a tenth of the time.
    """
    if not files.exists(settings.machines_file()):
        yield tuple
        return
    with machines.looking() as result:
        yield result


def _show(
    options: argparse.Namespace,
    devices: Sequence[Device],
    looks: Sequence["Look"],
    absent: Sequence[Device] = (),
    here: Sequence[Hardware] = (),
) -> None:
    if options.json:
        _print_json(devices, looks, absent, here)
        return
    machines = [
        KnownMachine(
            look.machine.name, look.machine.host, look.machine.all_labels, look.machine.hello,
            look.machine.seen, "" if look.problem is None else look.problem.why,
        )
        for look in looks
    ]  # fmt: skip
    pages.show(devices_page(devices, absent, machines, here))


def _print_json(
    devices: Sequence[Device],
    looks: Sequence["Look"],
    absent: Sequence[Device],
    here: Sequence[Hardware],
) -> None:
    listed: list[dict[str, Any]] = []
    for look in looks:
        one = msgspec.to_builtins(look.machine, enc_hook=text_only)
        one["problem"] = "" if look.problem is None else look.problem.why
        listed.append(one)
    body: dict[str, Any] = {"schema": SCHEMA, "devices": devices, "not_installed": absent}
    usable = [device for device in devices if not device.problem]
    body["hardware"] = [
        {**dataclasses.asdict(each), "devices": list(used_by(each, usable))} for each in here
    ]
    body["machines"] = listed
    print(stored.json_text(body))
