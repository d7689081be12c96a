"""inspector diff: compare two models layer by layer and weight by weight."""

import argparse
from pathlib import Path

from inspector.cli.options import of_text, option_types

_MODEL = (
    "model file, a model in an archive (a.zip/net.onnx), a model at a git revision "
    "(HEAD~1:net.onnx), or a folder or pattern ('models/*.onnx') to compare all its models"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument("first", type=Path, metavar="A", help=_MODEL)
    parser.add_argument("other", type=Path, metavar="B", help="the model to compare with A")
    parser.add_argument("--json", action="store_true", help="print JSON (schema diff/1)")
    parser.add_argument(
        "--no-values",
        action="store_true",
        help="compare only the types and shapes of weights, without reading their values",
    )
    parser.add_argument(
        "--markdown", metavar="FILE", help="save the differences as Markdown; '-' prints them"
    )
    parser.add_argument(
        "--html",
        type=Path,
        metavar="FILE",
        help="save the differences as a page: .html, .pdf or .md",
    )
    option_types.add_time_limit(parser, runs=False)
    parser.add_argument(
        "--tokenizer", type=Path, metavar="FILE", help="with --text: another tokenizer.json"
    )
    of_text.add_arguments(parser, "judge two language models by how well they predict a text")
    group = parser.add_argument_group("pass/fail conditions (continuous integration)")
    group.add_argument(
        "--fail-if",
        action="append",
        default=[],
        type=of_text.condition("inspector.comparison.diff_conditions:parse"),
        metavar="CONDITION",
        dest="conditions",
        help="fail with exit status 3 if CONDITION is true, such as 'weights.changed>0', "
        "'model.size>+10%%', or with --text 'quality.perplexity>+3%%'; repeatable",
    )
    group.add_argument(
        "--on-inconclusive",
        choices=("pass", "fail"),
        default="pass",
        dest="on_undecided",
        help="whether a condition passes or fails if weight values cannot be read "
        "(default: pass)",
    )
