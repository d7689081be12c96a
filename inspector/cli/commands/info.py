"""inspector info: show a model's inputs, outputs, operators, data types and compute cost."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.cli.options import arguments, option_types, session_options
from inspector.cli.options.arguments import add_dimensions
from inspector.cli.options.option_types import add_renamed
from inspector.pages.lists.model_rows import SORT_KEYS

if TYPE_CHECKING:
    from inspector.engine.client.engine import Engine

    GetEngine = Callable[[], Engine]

SCHEMA = "model/1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument(
        "models",
        type=Path,
        nargs="+",
        metavar="MODEL",
        help="model file, a folder that is one model (such as a language model with its "
        "tokenizer), model in an archive (a.zip/net.onnx), or folder or pattern "
        "('models/*.onnx') whose models are all listed in a table",
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help=f"print JSON (schema {SCHEMA}), one line for each model",
    )
    add_dimensions(parser, "size of a dynamic axis, for the cost estimate")
    add_renamed(
        parser,
        "--estimate",
        "--devices",
        metavar="ID,ID",
        dest="devices",
        help="estimate from support tables which layers these devices can run: all or cuda, "
        "tensorrt, tensorrt-rtx, directml, migraphx, webgpu, webnn, coreml, coreml-mlprogram, "
        "openvino, openvino-gpu, qnn, vitisai, nnapi, xnnpack",
    )
    parser.add_argument(
        "--no-shapes", action="store_true", help="skip shape inference and the cost estimate"
    )
    parser.add_argument(
        "--no-hash",
        action="store_true",
        help="skip the SHA-256, which reads the whole file (minutes for 100 GB)",
    )
    parser.add_argument(
        "--everything",
        action="store_true",
        help="with --json: all fields of each layer, weight, value and subgraph",
    )
    parser.add_argument(
        "--find",
        metavar="EXPR",
        help="list only matching layers: words, op:Conv, name:head*, type:float16, a shape "
        "(1x*x122x122), an attribute (group=32), /regular expression/, or layers in a "
        "row ('MatMul -> * -> Softmax')",
    )
    parser.add_argument(
        "--weights",
        action="store_true",
        help="read all weights and show how each is stored (linear per tensor, channel "
        "or block; "
        "lookup table; sparse; N:M sparse), how much space that saves, and how ONNX Runtime "
        "loads it; also finds these patterns in weights stored as plain values",
    )
    parser.add_argument(
        "--table", action="store_true", help="print one row per model, even for a single file"
    )
    parser.add_argument(
        "--sort",
        type=option_types.one_of(tuple(SORT_KEYS)),
        metavar="COLUMN",
        help=f"sort the table by {', '.join(SORT_KEYS)}; numbers are sorted from largest to "
        "smallest",
    )
    parser.add_argument(
        "--html",
        metavar="FILE",
        help="save one page with the facts, graph and layers of the model: .html, .md or .pdf; "
        "'-' prints it as HTML",
    )
    parser.add_argument("--csv", metavar="FILE", help="save the table as CSV; '-' prints it")
    parser.add_argument(
        "--fail-if",
        action="append",
        default=[],
        type=option_types.read_by("inspector.comparison.model_conditions:parse"),
        metavar="CONDITION",
        dest="conditions",
        help="fail with exit status 3 if CONDITION is true, such as 'model.size>100MB', "
        "'opset<13', 'external.files>0' or 'operators.Loop>0'; repeatable",
    )
    arguments.add_details(parser)
    option_types.add_time_limit(parser, "the work on a model")
    add_renamed(
        parser,
        "--validate",
        "--verdicts",
        action="store_true",
        dest="verdicts",
        help="load the model with onnx, onnx.checker, shape inference and ONNX Runtime, each "
        "in its own process, and report errors",
    )
    session_options.add_setting(
        parser,
        "custom_ops",
        words="with --validate: library that provides custom operators of the model; its code "
        "runs in the engine process, so give only one you trust",
    )
