"""inspector lab: machines that share one queue of jobs, and this machine's part in it."""

import argparse
import signal
import sys
from pathlib import Path
from typing import Any

from inspector.cli.option_types import add_renamed, at_least, size_in_bytes
from inspector.errors import BadInput, Cancelled

SCHEMA = "lab/1"
_ACTIONS = ("hub", "join", "use", "leave")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument(
        "action",
        nargs="?",
        choices=_ACTIONS,
        metavar="ACTION",
        help="hub: run the hub here; join: let this machine run jobs of the lab; use: remember "
        "the lab for --on; leave: forget it; without an action, list the machines of the lab",
    )
    parser.add_argument(
        "membership",
        nargs="?",
        type=Path,
        metavar="FILE",
        help="membership file from the hub: device.pem for 'join', client.pem for 'use'",
    )
    hub = parser.add_argument_group("hub")
    hub.add_argument(
        "--folder",
        type=Path,
        metavar="DIR",
        help="folder in which the hub keeps certificates and jobs, or a machine of the lab "
        "keeps models and results",
    )
    hub.add_argument(
        "--address",
        action="append",
        default=[],
        metavar="HOST",
        help="name or IP address at which other machines reach the hub; repeatable; the first "
        "one is written to the membership files (default: the name of this machine)",
    )
    hub.add_argument(
        "--port", type=at_least(1), default=4222, metavar="N", help="port (default: 4222)"
    )
    device = parser.add_argument_group("join")
    device.add_argument(
        "--name", default="", help="name of this machine in the lab (default: its host name)"
    )
    device.add_argument(
        "--label",
        action="append",
        default=[],
        metavar="WORD",
        help="label for use in '--on label:WORD'; repeatable",
    )
    add_renamed(
        device,
        "--untimed-jobs",
        "--answers",
        type=at_least(1),
        default=0,
        metavar="N",
        help="maximum number of untimed jobs to run at once (default: half the cores)",
    )
    both = parser.add_argument_group("hub and join")
    both.add_argument(
        "--quota",
        type=size_in_bytes,
        default=0,
        metavar="SIZE",
        help="maximum disk space to use (default: 50 GB for 'hub', 20 GB for 'join')",
    )
    parser.add_argument("--json", action="store_true", help=f"print JSON (schema {SCHEMA})")


def run(options: argparse.Namespace) -> None:
    """Do the action. Raises InspectorError."""
    needs_file = options.action in ("join", "use")
    if needs_file != (options.membership is not None):
        why = "the membership file is missing" if needs_file else "it takes no FILE"
        hint = f"inspector lab {options.action or 'use'} FILE; `inspector lab hub` makes it."
        raise BadInput("Could not use the lab", why, hint)
    if options.action in ("hub", "join"):
        # The system ends a service by this signal; what was started here has to end, too.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    match options.action:
        case "hub":
            _hub(options)
        case "join":
            _join(options)
        case "use":
            _use(options.membership)
        case "leave":
            _leave()
        case _:
            _list(options)


def _hub(options: argparse.Namespace) -> None:
    """Run the hub until it is stopped."""
    from inspector.remote.lab import hub, membership

    folder = (options.folder or hub.default_folder()).absolute()
    quota = options.quota or hub.QUOTA_BYTES
    try:
        made = hub.prepare(folder, options.address, options.port, quota)
    except ImportError as error:
        hint = 'Install it: pip install "onnx-inspector[lab]"'
        raise BadInput("Could not set up the hub", f"{error.name} is missing", hint) from error
    running = hub.Hub(made, lambda line: print(line, file=sys.stderr))
    try:
        address = membership.read(folder / "client.pem").hub
        print(f"The hub runs at {address}. Copy these files; whoever has one is a member:")
        print(f"  on machines     inspector lab join {folder / 'device.pem'}")
        print(f"  where you work  inspector lab use {folder / 'client.pem'}", flush=True)
        status = running.wait()
        raise BadInput("The hub stopped", f"nats-server exited with status {status}")
    finally:
        running.close()


def _join(options: argparse.Namespace) -> None:
    """Work as a machine of the lab until it is stopped."""
    import asyncio
    import os
    import re
    import socket

    from inspector.remote import agent
    from inspector.remote.lab import membership, worker

    member = _read(options.membership, membership.DEVICE)
    name = options.name or re.sub(r"[^A-Za-z0-9_-]", "-", socket.gethostname())
    settings = worker.Settings(
        name,
        options.folder or agent.default_folder(),
        tuple(options.label),
        options.untimed_jobs or max(1, (os.cpu_count() or 1) // 2),
        options.quota or worker.QUOTA_BYTES,
    )
    made = worker.Worker(member, settings, lambda line: print(line, flush=True))
    try:
        asyncio.run(made.run())
    except KeyboardInterrupt as stop:
        raise Cancelled("Stopped") from stop


def _use(path: Path) -> None:
    from inspector.remote.lab import link, membership

    member = _read(path, membership.CLIENT)
    connected = link.Link(member, "client")
    connected.close()
    membership.keep(member)
    print(f"using the lab at {member.hub}: inspector measure MODEL --on lab")


def _leave() -> None:
    from inspector.remote.lab import membership

    membership.forget()
    print("this machine no longer uses the lab")


def _read(path: Path, role: str) -> Any:
    from inspector.remote.lab import membership

    member = membership.read(path)
    if member.role != role:
        why = f"{path.name} is a {member.role}'s membership file, and a {role}'s is needed"
        raise BadInput("Could not join the lab", why, f"Use {role}.pem from the hub's folder.")
    return member


def _list(options: argparse.Namespace) -> None:
    from inspector.platform import files
    from inspector.remote.lab import link, membership

    if not files.exists(membership.default_file()) and not options.json:
        print("No lab. A lab shares machines in a network. To start one: inspector lab hub")
        return
    shared = link.shared(membership.own())
    try:
        devices = shared.run(link.known_devices(shared.nats, shared.streams), 20)
        counts = shared.run(link.queue_counts(shared.streams), 20)
    except Exception as error:
        raise link.explain(error) from error
    if options.json:
        from inspector.wording import stored

        queued = [
            {"queue": name, "waiting": waiting, "running": running}
            for name, (waiting, running) in sorted(counts.items())
        ]
        listed = [{"name": name, **said} for name, said in sorted(devices.items())]
        body = {"schema": SCHEMA, "devices": listed, "queue": queued}
        print(stored.json_text(body))
        return
    from inspector.cli import pages
    from inspector.pages.on_devices.machines import lab_page

    pages.show(lab_page(devices, counts))
