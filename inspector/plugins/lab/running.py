"""inspector lab: machines that share one queue of jobs, and this machine's part in it."""

import argparse
import asyncio
import os
import re
import signal
import socket
import sys
from pathlib import Path
from typing import Any

from inspector import units
from inspector.app.sharing.results import gathered
from inspector.app.sharing.site import ResultsSite
from inspector.cli import pages
from inspector.cli.runs.history import save_results, serve
from inspector.errors import BadInput, Cancelled
from inspector.pages.lists.results import results_page
from inspector.pages.on_devices.machines import lab_page
from inspector.platform import files
from inspector.platform.extras import install_hint
from inspector.platform.late_modules import platformdirs
from inspector.plugins.lab import hub, link, membership, results, worker
from inspector.plugins.lab.command import SCHEMA
from inspector.remote import agent
from inspector.wording import stored

_FILES = {"join": (1, 1), "use": (1, 1), "share": (1, 10_000)}  # fewest and most of an action


def run(options: argparse.Namespace) -> None:
    """Do the action. Raises InspectorError."""
    _check_files(options)
    if options.action in ("hub", "join"):
        # The system ends a service by this signal; what was started here has to end, too.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    match options.action:
        case "hub":
            _hub(options)
        case "join":
            member = _read(options.files[0], membership.DEVICE)
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
        case "use":
            _use(*options.files)
        case "leave":
            membership.forget()
            print("this machine no longer uses the lab")
        case "share":
            results.give_files(membership.own(), options.files)
            print(f"shared {units.plural(len(options.files), 'report')} with the lab")
        case "results":
            _results(options)
        case _:
            _list(options)


def _check_files(options: argparse.Namespace) -> None:
    """Raise BadInput where an action has too many or too few files."""
    fewest, most = _FILES.get(options.action, (0, 0))
    if fewest <= len(options.files) <= most:
        return
    what = "a report" if options.action == "share" else "the membership file"
    why = f"{what} is missing" if len(options.files) < fewest else "it takes no more files"
    hint = (
        f"Add it: inspector lab {options.action or 'use'} FILE; `inspector lab hub` creates it."
    )
    if options.action == "share":
        hint = "inspector lab share REPORT; `inspector history` lists your reports."
    raise BadInput("Could not use the lab", why, hint)


def _results(options: argparse.Namespace) -> None:
    """Save or serve the page of what the lab measured, or print it."""
    member, folder = membership.own(), results_folder()
    if options.serve:
        serve(
            ResultsSite(
                options.serve, folder, lambda: results.fetched(member, folder), options.baseline
            )
        )
        return
    shared = results.fetched(member, folder)
    if options.output:
        save_results(options.output, shared.reports, options.baseline, True, shared.authors)
    else:
        pages.show(results_page(gathered(shared.reports, options.baseline, shared.authors)))


def results_folder() -> Path:
    """Return where reports of the lab are kept that were fetched."""
    return platformdirs.user_cache_path("inspector", appauthor=False) / "lab_results"


def _hub(options: argparse.Namespace) -> None:
    """Run the hub until it is stopped."""
    folder = (options.folder or hub.default_folder()).absolute()
    quota = options.quota or hub.QUOTA_BYTES
    try:
        made = hub.prepare(folder, options.address, options.port, quota)
    except ImportError as error:
        why = f"{error.name} is missing"
        raise BadInput("Could not set up the hub", why, install_hint("lab")) from error
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


def _use(path: Path) -> None:
    member = _read(path, membership.CLIENT)
    connected = link.Link(member, "client")
    connected.close()
    membership.keep(member)
    print(f"using the lab at {member.hub}: inspector measure MODEL --on lab")


def _read(path: Path, role: str) -> Any:
    member = membership.read(path)
    if member.role != role:
        why = f"{path.name} is a {member.role}'s membership file, and a {role}'s is needed"
        raise BadInput("Could not join the lab", why, f"Use {role}.pem from the hub's folder.")
    return member


def _list(options: argparse.Namespace) -> None:
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
        queued = [
            {"queue": name, "waiting": waiting, "running": running}
            for name, (waiting, running) in sorted(counts.items())
        ]
        listed = [{"name": name, **said} for name, said in sorted(devices.items())]
        body = {"schema": SCHEMA, "devices": listed, "queue": queued}
        print(stored.json_text(body))
        return

    pages.show(lab_page(devices, counts))
