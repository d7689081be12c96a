"""inspector layers: show every layer's output, optionally compared with a second run."""

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.cli.commands.parity import add_against
from inspector.cli.options import arguments, option_types, session_options
from inspector.cli.options.option_types import at_least, tolerance

if TYPE_CHECKING:
    from inspector.preview.inputs.feeds import Filled

    Fill = Callable[[Mapping[str, int]], tuple[Filled, ...]]

SCHEMA = "layers/1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    arguments.add_model(parser)
    arguments.add_input_arguments(parser)
    session_options.add_devices(parser)
    session_options.add_setting(parser, "on_cpu")
    session_options.add_setting(parser, "custom_ops")
    session_options.add_setting(parser, "threads")
    session_options.add_setting(
        parser,
        "optimization",
        default="none",
        words="graph optimization level; no layer is fused, since every output is exposed",
    )
    add_against(parser, more="; or tensors recorded elsewhere: a folder of .npy files, an .npz")
    parser.add_argument(
        "--tolerance",
        type=tolerance,
        metavar="T",
        help="upper limit for the maximum error, as a share of the tensor's largest absolute "
        "value (default: depends on the data type)",
    )
    parser.add_argument(
        "--layer", metavar="NAME", help="show only this layer, by name or index"
    )
    parser.add_argument(
        "--alone", action="store_true", help="measure only the layer given by --layer"
    )
    parser.add_argument(
        "--time",
        action="store_true",
        help="with --against a model of another format: also measure both models, and show the "
        "latency of each layer on both sides",
    )
    parser.add_argument(
        "--runs",
        type=at_least(1),
        default=30,
        metavar="N",
        help="timed runs for --alone and --time (default: 30)",
    )
    parser.add_argument(
        "--save",
        type=Path,
        metavar="DIR",
        help="save the outputs of the layer given by --layer, or of all layers as .npy files",
    )
    arguments.add_on(parser)
    option_types.add_time_limit(parser)
    parser.add_argument("--json", action="store_true", help=f"print JSON (schema {SCHEMA})")
