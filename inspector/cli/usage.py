"""How the commands explain themselves: a usage of one line, the options in groups below it."""

from typing import Any, Protocol

# Of commands with so many options that argparse would fill lines with them.
USAGES = {
    "info": "MODEL [MODEL ...] [options]",
    "predict": "MODEL [--input NAME=VALUE ...] [options]",
    "prepare": "MODEL [--write-sidecar | --write-model COPY] [options]",
    "parity": "MODEL --against WAY [options]",
    "layers": "MODEL [--against SIDE] [options]",
    "measure": "MODEL [-o REPORT] [options]",
    "sweep": "MODEL [MODEL ...] [-o SWEEP] [options]",
    "support": "MODEL [options]",
    "tune": "MODEL [options]",
    "export": "REPORT [REPORT ...] --format FORMAT [-o PATH] [options]",
    "compare": "REPORT REPORT [REPORT ...] [options]",
    "trace": "FILE [FILE ...] [options]",
}


class Options(Protocol):
    """What takes options: a parser, or a group of it with a title of its own."""

    def add_argument(self, *names: str, **more: Any) -> Any:
        """Take one more."""


def of(command: str) -> str | None:
    """The usage of a command; None where argparse makes a short one itself."""
    return f"%(prog)s {USAGES[command]}" if command in USAGES else None
