"""Options of a text that language models are judged by: --text, and conditions on it."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from inspector.cli.options import option_types

PREFIX = "quality."  # how metrics of a text begin
SHIPPED = Path()  # --text without a file
SETTINGS = ("window", "stride", "tokens")  # of a text, each an option --text-NAME


def add_arguments(parser: argparse.ArgumentParser, purpose: str) -> None:
    """Add --text and how much of it is scored. purpose: of --text."""
    group = parser.add_argument_group("language models")
    group.add_argument(
        "--text",
        type=Path,
        nargs="?",
        const=SHIPPED,
        metavar="FILE",
        help=f"{purpose} (UTF-8); without FILE a text that comes with Inspector",
    )
    for name, least, words in (
        ("--text-window", 2, "tokens that the model sees at once (default: 256)"),
        ("--text-stride", 1, "how many tokens at the end of each window count (default: all)"),
        ("--text-tokens", 1, "the most tokens to score, from all over the text (default: "
         "8192); fewer where the intervals are narrow enough before"),
    ):  # fmt: skip
        group.add_argument(name, type=option_types.at_least(least), metavar="N", help=words)
    group.add_argument(
        "--sensitivity",
        action="store_true",
        help="with --text: rank the blocks and layers of the second model by how far each "
        "alone, put into the first one, takes its predictions",
    )


def condition(other: str) -> Callable[[str], Any]:
    """Return what reads a condition: on a text, or by a function, "module:function"."""

    def read(typed: str) -> Any:
        on_text = typed.lstrip().startswith(PREFIX)
        function = "inspector.comparison.quality_conditions:parse" if on_text else other
        return option_types.read_by(function)(typed)

    return read
