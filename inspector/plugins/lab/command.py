"""inspector lab: machines that share one queue of jobs, and this machine's part in it."""

import argparse
from pathlib import Path

from inspector.cli.options.option_types import add_renamed, at_least, size_in_bytes
from inspector.cli.options.results_page import add_results_page

SCHEMA = "lab/1"
_ACTIONS = ("hub", "join", "use", "leave", "share", "results")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument(
        "action",
        nargs="?",
        choices=_ACTIONS,
        metavar="ACTION",
        help="hub: run the hub here; join: let this machine run jobs of the lab; use: remember "
        "the lab for --on; leave: forget it; share: give reports to the lab; results: show, "
        "save or serve what the lab measured; without an action, list the machines of the lab",
    )
    parser.add_argument(
        "files",
        nargs="*",
        type=Path,
        metavar="FILE",
        help="membership file from the hub: device.pem for 'join', client.pem for 'use'; or "
        "reports for 'share'",
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
    results = parser.add_argument_group("results")
    add_results_page(results)
    both = parser.add_argument_group("hub and join")
    both.add_argument(
        "--quota",
        type=size_in_bytes,
        default=0,
        metavar="SIZE",
        help="maximum disk space to use (default: 50 GB for 'hub', 20 GB for 'join')",
    )
    parser.add_argument("--json", action="store_true", help=f"print JSON (schema {SCHEMA})")
