"""inspector measure: measure latency, memory and the time of each layer."""

import argparse
from pathlib import Path

from inspector.cli.options import arguments, gate_options, option_types, session_options
from inspector.cli.options.option_types import (
    MOST,
    Options,
    add_renamed,
    at_least,
    between,
    several,
)
from inspector.export.tables.model_table import SORT_KEYS
from inspector.report.run_spec import DEFAULT_SPEC
from inspector.units import clip

# Settings of the session that say which device runs what.
_PLACES = ("provider_options", "on_cpu")
_seconds = between(0, MOST, "not a number of seconds")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument(
        "models",
        type=Path,
        nargs="+",
        metavar="MODEL",
        help="model file, '-' for standard input, a model in an archive (a.zip/net.onnx), or "
        "several models, folders or patterns ('models/*.onnx'), which gives a table",
    )
    places = parser.add_argument_group("devices")
    session_options.add_devices(
        places,
        session_options.DEVICE_HELP
        + "; devices of two runtimes, such as cpu and openvino:cpu, "
        "are measured alternately and compared",
    )
    for name in _PLACES:
        session_options.add_setting(places, name)
    places.add_argument(
        "--around-failures",
        action="store_true",
        help="if a device accepts a layer but fails to run it, force that layer to the CPU "
        "and start again; the report marks it",
    )
    ways = parser.add_argument_group("session options")
    session_options.add_arguments(ways, without=_PLACES)
    arguments.add_signature(arguments.add_input_arguments(parser))
    arguments.add_on(parser.add_argument_group("other machines"), many=True)
    _add_length(parser.add_argument_group("number of runs"))
    _add_questions(parser.add_argument_group("additional measurements"))
    where = parser.add_argument_group("output")
    arguments.add_details(where)
    where.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="REPORT",
        help="save the report; for several models, a folder for their reports",
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


def _add_length(parser: Options) -> None:
    """Add how long a measurement goes on."""
    parser.add_argument(
        "--runs",
        type=at_least(1),
        metavar="N",
        help="number of timed runs (default: at least 30, for at least 0.5 s)",
    )
    parser.add_argument(
        "--warmup",
        type=at_least(0),
        default=DEFAULT_SPEC.warmup,
        metavar="N",
        help=f"number of warm-up runs (default: {DEFAULT_SPEC.warmup})",
    )
    add_renamed(
        parser,
        "--processes",
        "--starts",
        type=at_least(1),
        metavar="N",
        dest="starts",
        help="repeat the measurement in N new processes (default: 1; with --against: 5, then "
        "up to 20 until the ratio is known to ±2.4%%, for at most 2 more minutes)",
    )
    _add_patience(parser)
    option_types.add_time_limit(parser, "a measurement process")
    parser.add_argument(
        "--no-wait",
        action="store_true",
        help="fail if another measurement is running, instead of waiting for it",
    )


def _add_patience(parser: Options) -> None:
    """Add what it goes on for: a time, the processor's pace, or a median that is sure."""
    add_renamed(
        parser,
        "--min-seconds",
        "--seconds",
        type=_seconds,
        metavar="S",
        dest="seconds",
        help="minimum duration in seconds (default: 0.5, or 0 if --runs is given)",
    )
    parser.add_argument(
        "--steady",
        type=_seconds,
        metavar="S",
        help="if the CPU was throttled or busy, wait up to S seconds for enough runs at full "
        "CPU speed, and repeat processes that never reach it (default: 3, or 0 if --runs is "
        "given)",
    )
    parser.add_argument(
        "--until",
        type=_share,
        default=0.0,
        metavar="P%",
        help="continue until the 95%% confidence interval of the median is within ±P%%",
    )
    add_renamed(
        parser,
        "--max-seconds",
        "--most-seconds",
        type=_seconds,
        default=60.0,
        metavar="S",
        dest="most_seconds",
        help="time limit of --until (default: 60)",
    )


def _add_questions(parser: Options) -> None:
    """Add the options for additional measurements."""
    add_renamed(
        parser,
        "--estimate",
        "--predict",
        action="append",
        default=[],
        metavar="ID",
        dest="predict",
        help="estimate from support tables which layers a device that is not in this "
        "machine could run: cuda, tensorrt, tensorrt-rtx, directml, migraphx, webgpu, webnn, "
        "coreml, coreml-mlprogram, openvino, openvino-gpu, qnn, vitisai, nnapi, xnnpack; "
        "repeatable",
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="verify the outputs against an unoptimized run on the CPU (PSNR, max error)",
    )
    parser.add_argument(
        "--roofline",
        action="store_true",
        help="compare each layer with the measured peak throughput of its device",
    )
    parser.add_argument(
        "--loads",
        type=at_least(1),
        default=1,
        metavar="N",
        help="load the model N times (default: 1)",
    )
    parser.add_argument(
        "--phases",
        action="store_true",
        help="time each load phase and count prepacked weights; loads the model several "
        "more times",
    )
    parser.add_argument(
        "--synchronize",
        action="store_true",
        help="on GPUs that run asynchronously, wait for each layer to finish and time it "
        "alone: slow, and each time includes a round trip to the device",
    )
    parser.add_argument(
        "--concurrency",
        type=several,
        default=(),
        metavar="N,N",
        help="also measure latency and throughput with N concurrent runs in one session",
    )
    parser.add_argument(
        "--sessions",
        type=at_least(1),
        default=0,
        metavar="N",
        help="also load the model N times in one process, and measure memory, load time and "
        "throughput with separate sessions, a shared arena, and shared threads (ONNX Runtime)",
    )
    parser.add_argument(
        "--run-async",
        action="store_true",
        help="also measure ONNX Runtime's run_async and compare it with run: the time until it "
        "returns, until its callback begins, and until the caller has the outputs",
    )
    parser.add_argument(
        "--no-layers",
        action="store_true",
        help="skip layer times (no profiler run); much faster",
    )


def _share(text: str) -> float:
    """Read '1%' or '0.5%' as a share of 1."""
    try:
        share = float(text.strip().removesuffix("%")) / 100
    except ValueError:
        share = -1.0
    if not 0.0001 <= share <= 1:
        raise argparse.ArgumentTypeError(f"'{clip(text, 80)}' is not a percentage such as 1%")
    return share
