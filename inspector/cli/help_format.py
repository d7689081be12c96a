"""Building blocks of the help texts: renamed options and the type of option groups."""

import argparse
from typing import Any, Protocol


def add_renamed(parser: "Options", name: str, old_name: str, **more: Any) -> None:
    """Add an option under a name, and keep its old name as an alias that the help omits."""
    parser.add_argument(name, **more)
    more = {key: value for key, value in more.items() if key not in ("default", "help")}
    hidden = {"help": argparse.SUPPRESS, "default": argparse.SUPPRESS}
    parser.add_argument(old_name, **more, **hidden)


class Options(Protocol):
    """A parser, or a titled group of its options."""

    def add_argument(self, *names: str, **more: Any) -> Any:
        """Add an option."""
