"""inspector devices: the devices that can run a model here, and the user's other machines."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from inspector.cli.options.option_types import add_renamed, add_time_limit
from inspector.remote import machine_kinds
from inspector.remote.machine_kinds import MachineKind

SCHEMA = "devices/1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    kinds = [kind for kind in machine_kinds.kinds() if kind.host]
    hosts = "".join(f"; {'or ' * (kind is kinds[-1])}{_host_help(kind)}" for kind in kinds)
    others = parser.add_argument_group("other machines")
    others.add_argument(
        "--add",
        nargs=2,
        metavar=("NAME", "HOST"),
        help="add a machine and check it. HOST is an SSH address, such as pi@pi5.local; "
        f"'local' for this machine (with --python){hosts}",
    )
    others.add_argument(
        "--python",
        default="",
        metavar="PATH",
        help="Python executable of an environment on the other machine in which Inspector is "
        "installed; it runs the agent, which is Inspector's program on that machine",
    )
    others.add_argument("--program", type=Path, metavar="PATH", help=_program_help(kinds))
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
    others.add_argument(
        "--calibrate",
        nargs=2,
        metavar=("NAME", "FILE"),
        help="measure the ceilings of a machine's CPU ('here' for this one), and save them as "
        "a device for 'inspector estimate MODEL --target FILE'",
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


def _host_help(kind: MachineKind) -> str:
    """Return how a host of a kind of machine is written."""
    return f"'{kind.host}' for {kind.title}{' (with --program)' if kind.program else ''}"


def _program_help(kinds: Sequence[MachineKind]) -> str:
    """Return what `--program` names for each kind that takes one; no help where none does."""
    descriptions = [
        f"with --add NAME {e.host}: path of {e.program}" for e in kinds if e.program
    ]
    return "; ".join(descriptions) or argparse.SUPPRESS
