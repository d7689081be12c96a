"""inspector predict: run a model once and show its outputs."""

import argparse
import sys
from pathlib import Path
from typing import Any

from inspector.cli.commands import evaluate
from inspector.cli.options import arguments, option_types, session_options
from inspector.cli.options.arguments import DECODER
from inspector.cli.options.option_types import between

SCHEMA = "prediction/1"
_KINDS = (".npy", ".npz", ".csv", ".pb", ".png", ".wav", ".txt")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    arguments.add_arguments(parser, decodes=True)
    arguments.add_device(parser)
    session_options.add_setting(parser, "on_cpu")
    session_options.add_setting(parser, "custom_ops")
    parser.add_argument(
        "--top", type=_count, default=5, metavar="K", help="classes to show (default: 5)"
    )
    parser.add_argument("--save", type=Path, metavar="DIR", help="save the outputs in a folder")
    parser.add_argument(
        "--save-as",
        type=_kinds,
        default=(),
        metavar="KIND,...",
        help="file types for --save: npy npz csv pb png wav txt",
    )
    arguments.add_signature(parser)
    arguments.add_on(parser, versions=True)
    option_types.add_time_limit(parser, "the command, or with --folder a load or run,")
    parser.add_argument("--json", action="store_true", help=f"print JSON (schema {SCHEMA})")
    arguments.add_details(parser)
    arguments.add_report(parser)
    add_places(parser)
    parser.add_argument(
        "--try",
        action="store_true",
        dest="tries",
        help="show the results of common image preprocessing presets side by side",
    )
    _add_generation(parser)
    many = parser.add_argument_group("folders of inputs")
    many.add_argument(
        "--folder", type=Path, metavar="DIR", help="run the model on each file in a folder"
    )
    evaluate.add_truth(many)


def _add_generation(parser: argparse.ArgumentParser) -> None:
    further = parser.add_argument_group("text generation and embeddings")
    further.add_argument(
        "--generate", type=int, default=0, metavar="N", help="generate up to N tokens"
    )
    further.add_argument(
        "--spoken-language",
        default="",
        metavar="CODE",
        help="language of a sound, such as de, for models that write down several languages "
        "(default: the model finds it)",
    )
    further.add_argument(
        "--translate",
        action="store_true",
        help="write in English what is said in a sound, for models that can",
    )
    further.add_argument(
        "--similar",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="another input to compare with the first; prints the cosine similarity of their "
        "embeddings; repeatable",
    )


def _kinds(text: str) -> tuple[str, ...]:
    kinds = tuple(f".{kind.strip().lstrip('.').lower()}" for kind in text.split(","))
    for kind in kinds:
        if kind not in _KINDS:
            known = ", ".join(name[1:] for name in _KINDS)
            raise argparse.ArgumentTypeError(f"'{kind[1:41]}' is not one of {known}")
    return kinds


def _count(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) <= 100_000:
        raise argparse.ArgumentTypeError(f"'{text}' is not a valid number of classes")
    return int(text)


_share = between(0, 1, "not between 0 and 1")


def add_places(parser: argparse.ArgumentParser) -> None:
    """Add the options for boxes, points and masks."""
    places = parser.add_argument_group("boxes, points and masks (guessed if omitted)")
    places.add_argument("--decoder", action=_DecoderOption, help=argparse.SUPPRESS)
    places.add_argument("--score", type=_share, metavar="S", help="score threshold, 0 to 1")
    places.add_argument(
        "--overlap",
        type=_share,
        metavar="S",
        help="overlap threshold of boxes (NMS IoU), 0 to 1",
    )


class _DecoderOption(argparse.Action):
    """The old way to name a decoder: `--output-as` does it now, of which a note on stderr
    tells."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        """Add the meaning that says the same."""
        meaning = f"{DECODER}{values}"
        print(f"note: {option_string} is now called --output-as {meaning}", file=sys.stderr)
        namespace.meanings = [*namespace.meanings, meaning]
