"""inspector memory: how much memory a language model takes by context, and what fits."""

import argparse
from collections.abc import Callable
from pathlib import Path

from inspector.cli.options import option_types

SCHEMA = "memory/1"
MOST_TOKENS = 1 << 40
MOST_SEQUENCES = 65_536
MOST_VALUES = 64  # of one option
TYPES = ("float32", "float16", "int8")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument(
        "model", type=Path, metavar="MODEL",
        help="folder of a language model, its decoder, or its weights (safetensors, GGUF)",
    )  # fmt: skip
    parser.add_argument(
        "--context", type=_numbers(MOST_TOKENS), default=(), metavar="N,N",
        help="tokens in the cache, prompt and answer together (default: 1,024, four times as "
        "many each time, and the model's largest context)",
    )  # fmt: skip
    parser.add_argument(
        "--batch", type=_numbers(MOST_SEQUENCES), default=(1,), metavar="N,N",
        help="sequences at once, each with the whole context (default: 1)",
    )  # fmt: skip
    parser.add_argument(
        "--cache", choices=TYPES, action="append", default=[], dest="cache_types",
        help="type of keys and values; repeatable (default: the model's own and smaller ones)",
    )  # fmt: skip
    parser.add_argument(
        "--fits", type=option_types.size_in_bytes, action="append", default=[],
        metavar="SIZE",
        help="tell the largest context that this much memory holds, such as 8GB; repeatable",
    )  # fmt: skip
    option_types.add_time_limit(parser, runs=False)
    parser.add_argument("--json", action="store_true", help=f"print JSON (schema {SCHEMA})")


def _numbers(most: int) -> Callable[[str], tuple[int, ...]]:
    """Return a reader of whole numbers from 1 on, separated by commas."""

    def read(text: str) -> tuple[int, ...]:
        parts = [part.strip() for part in text.split(",")]
        digits = len(str(most))
        numbers = [int(p) for p in parts if p.isdecimal() and len(p) <= digits]
        whole = len(numbers) == len(parts) <= MOST_VALUES
        if not whole or not all(0 < number <= most for number in numbers):
            raise argparse.ArgumentTypeError(
                f"'{text[:60]}' must be whole numbers from 1 to {most:,}, such as 1024,4096"
            )
        return tuple(dict.fromkeys(numbers))

    return read
