"""inspector measure: measure latency, memory and the time of each layer."""

import argparse
from pathlib import Path

from inspector.cli.options import arguments, gate_options, option_types, session_options
from inspector.pages.lists.model_rows import SORT_KEYS
from inspector.report.settings import Role


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument(
        "models",
        type=Path,
        nargs="+",
        metavar="MODEL",
        help="model file, a folder that is one model, '-' for standard input, a model in an "
        "archive (a.zip/net.onnx), or "
        "several models, folders or patterns ('models/*.onnx'), which gives a table",
    )
    places = parser.add_argument_group("devices")
    session_options.add_devices(
        places,
        session_options.DEVICE_HELP
        + "; devices of two runtimes, such as cpu and openvino:cpu, "
        "are measured interleaved and compared",
    )
    placed = session_options.add_places(places)
    ways = parser.add_argument_group("session options")
    others = parser.add_argument_group("options of other runtimes")
    session_options.add_arguments(ways, placed, others)
    arguments.add_signature(arguments.add_input_arguments(parser))
    arguments.add_on(parser.add_argument_group("other machines"), many=True, versions=True)
    length = parser.add_argument_group("number of runs")
    session_options.add_role(length, Role.LENGTH)
    option_types.add_time_limit(length, "a measurement process")
    length.add_argument(
        "--no-wait",
        action="store_true",
        help="fail if another measurement is running, instead of waiting for it",
    )
    questions = parser.add_argument_group("additional measurements")
    session_options.add_role(questions, Role.QUESTION)
    questions.add_argument(
        "--shapes",
        action="append",
        default=[],
        type=option_types.lengths,
        metavar="NAME=N,N",
        help="instead, run these lengths of a dynamic axis one after the other in one session: "
        "the first and the later runs of each, and whether its memory comes back",
    )
    questions.add_argument(
        "--no-layers",
        action="store_true",
        help="skip layer times (no profiler run); much faster",
    )
    text = parser.add_argument_group(
        "language models",
        "A decoder is measured token by token, unless --input or --dim is given.",
    )
    session_options.add_role(text, Role.GENERATION)
    text.add_argument(
        "--prompt",
        metavar="TEXT",
        help="measure this text as the prompt, instead of random tokens",
    )
    where = parser.add_argument_group("output")
    arguments.add_details(where)
    where.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="REPORT",
        help="save the report: "
        ".json opens again, .html, .pdf, .md, .csv and others show it; for "
        "several models, machines or environments, a folder for their reports",
    )
    where.add_argument(
        "--json", action="store_true", help="print the report as JSON (schema report/1)"
    )
    where.add_argument(
        "--sort",
        type=option_types.one_of(tuple(SORT_KEYS)),
        metavar="COLUMN",
        help=f"sort the table of several models by {', '.join(SORT_KEYS)}; numbers are sorted "
        "from largest to smallest",
    )
    where.add_argument("--csv", metavar="FILE", help="save the table as CSV; '-' prints it")
    gate_options.add_baseline(parser)
