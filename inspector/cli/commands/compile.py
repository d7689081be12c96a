"""inspector compile: compile a model for a device, here or not, and say what compiled."""

import argparse
from pathlib import Path

from inspector.cli.options import arguments, option_types, session_options

SCHEMA = "compiled/1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument(
        "model", type=Path, nargs="?", metavar="MODEL",
        help="ONNX file, 'sample:NAME' for a sample, or a model in an archive",
    )  # fmt: skip
    parser.add_argument(
        "--target",
        metavar="TARGET",
        default="",
        help="device to compile for: a chip that need not be here, by its name or part number, "
        "such as 'Snapdragon 8 Gen 3' or sm8650, or a device that is here; see --list "
        "(default: the first device here that models are compiled for)",
    )
    parser.add_argument(
        "--list", action="store_true", dest="lists", help="list what models are compiled for"
    )
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE",
        help="file for the compiled model; without it, only say what compiles",
    )  # fmt: skip
    parser.add_argument("--overwrite", action="store_true", help="replace FILE if it exists")
    arguments.add_dimensions(
        parser, "size of a dynamic axis, which is fixed in the compiled model (default: 1)"
    )
    session_options.add_setting(parser, "provider_options")
    option_types.add_time_limit(parser)
    schemas = f"print JSON (schema {SCHEMA}; with --list compile_targets/1)"
    parser.add_argument("--json", action="store_true", help=schemas)
