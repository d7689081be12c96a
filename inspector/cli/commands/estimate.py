"""inspector estimate: the latency and memory of a model on devices before it runs there."""

import argparse

from inspector.cli.options import arguments, option_types

SCHEMA = "estimate/1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    arguments.add_model(parser)
    parser.add_argument(
        "--target",
        type=_names,
        default=(),
        metavar="NAME,NAME",
        dest="targets",
        help="devices: cpu-1, cpu-2, openvino-2 (this CPU), public ones such as raspberry-pi-5 "
        "and nvidia-t4, all, or a .json file with your own (default: this CPU)",
    )
    arguments.add_dimensions(
        parser, "size of a dynamic axis, such as batch=8; an unnamed axis is written 'input[1]'"
    )
    parser.add_argument(
        "--context", type=_tokens, default=0, metavar="N",
        help="tokens in the cache of a language model (default: 1,024)",
    )  # fmt: skip
    option_types.add_time_limit(parser, runs=False)
    arguments.add_details(parser)
    parser.add_argument("--json", action="store_true", help=f"print JSON (schema {SCHEMA})")


def _tokens(text: str) -> int:
    """Read a whole number from 1 on."""
    if not text.isdecimal() or not 0 < int(text[:15]) == int(text):
        raise argparse.ArgumentTypeError(f"'{text[:60]}' must be a whole number from 1 on")
    return int(text)


def _names(text: str) -> tuple[str, ...]:
    """Read names that commas separate."""
    return tuple(filter(None, (part.strip() for part in text.split(","))))
