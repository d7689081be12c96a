"""inspector measure: time a model layer by layer and save the report."""

import argparse
import sys
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from inspector import files
from inspector.cli import gate, inputs, session_options, turns
from inspector.cli.numbers import MOST, at_least, between, several
from inspector.cli.usage import Options
from inspector.units import clip, visible

if TYPE_CHECKING:
    from inspector.engine.abreast import Pair
    from inspector.model import Model
    from inspector.preview.feeds import Filled
    from inspector.report import InputSource, ModelIdentity, PerformanceReport, RunSpec

_seconds = between(0, MOST, "no length of time")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Tell the parser what this command takes."""
    parser.add_argument("model", type=Path, metavar="MODEL")
    ways = parser.add_argument_group("how the model runs")
    session_options.add_devices(ways)
    session_options.add_arguments(ways)
    _add_ways(ways)
    inputs.add_arguments(parser)
    _add_length(parser.add_argument_group("how long it goes on"))
    _add_questions(parser.add_argument_group("what is measured beside predictions"))
    where = parser.add_argument_group("where the report goes")
    where.add_argument("-o", "--output", type=Path, metavar="REPORT", help="save the report")
    where.add_argument("--json", action="store_true", help="print the report, report/1")
    gate.add_baseline(parser)


def _add_length(parser: Options) -> None:
    """Add how long a measurement goes on."""
    parser.add_argument(
        "--runs",
        type=at_least(1),
        metavar="N",
        help="so many predictions; without it 30 and half a second of them or more",
    )
    parser.add_argument(
        "--warmup", type=at_least(0), default=3, metavar="N", help="before them; default: 3"
    )
    parser.add_argument(
        "--starts",
        type=at_least(1),
        metavar="N",
        help="do all that in N processes, for they differ; default: 1, with --against 5 to 20, "
        "until the ratio is known to ±2.4 %% or two more minutes are over",
    )
    _add_patience(parser)
    parser.add_argument(
        "--no-wait",
        action="store_true",
        help="fail if another measurement is under way, rather than wait for it",
    )


def _add_patience(parser: Options) -> None:
    """Add what it goes on for: a time, the processor's pace, or a median that is sure."""
    parser.add_argument(
        "--seconds", type=_seconds, metavar="S", help="go on at least this long"
    )
    parser.add_argument(
        "--steady",
        type=_seconds,
        metavar="S",
        help="then go on, S seconds at most, until enough predictions ran at the processor's "
        "full pace, and make up for starts that never did; default: 3, with --runs 0",
    )
    parser.add_argument(
        "--until",
        type=_share,
        default=0.0,
        metavar="P%",
        help="then go on until the median is known to ±P %%: half of its 95 %% interval",
    )
    parser.add_argument(
        "--most-seconds",
        type=_seconds,
        default=60.0,
        metavar="S",
        help="give --until up after so long; default: 60",
    )


def _add_questions(parser: Options) -> None:
    """Add what is asked beside how long a prediction takes."""
    parser.add_argument(
        "--predict",
        action="append",
        default=[],
        metavar="ID",
        help="check support for an absent device, too, from tables: cuda, tensorrt, "
        "tensorrt-rtx, directml, migraphx, webgpu, webnn, coreml, coreml-mlprogram, openvino, "
        "openvino-gpu, qnn, vitisai, nnapi, xnnpack; repeat for more",
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="hold the outputs against those of the CPU without optimisation: PSNR, errors",
    )
    parser.add_argument(
        "--roofline",
        action="store_true",
        help="hold each layer against what its device can do at most, measured once here",
    )
    parser.add_argument(
        "--loads", type=at_least(1), default=1, metavar="N", help="load so often; default: 1"
    )
    parser.add_argument(
        "--phases",
        action="store_true",
        help="load once more, with the runtime's log, to tell the phases of loading apart, and "
        "again afterwards, to count what kernels prepack",
    )
    parser.add_argument(
        "--synchronize",
        action="store_true",
        help="time layers on a GPU that works on its own one by one, each until it is done: "
        "slow, and each time holds a round trip to the device",
    )
    parser.add_argument(
        "--concurrency",
        type=several,
        default=(),
        metavar="N,N",
        help="then predict so many times at once in one session: latency against load",
    )
    parser.add_argument(
        "--no-layers", action="store_true", help="latency alone, no profiler: much quicker"
    )


def _add_ways(parser: Options) -> None:
    """Add what decides how a model is loaded and fed."""
    parser.add_argument(
        "--load-from",
        choices=("path", "bytes", "reader", "compiled"),
        default="path",
        help="what the runtime is given: the file's name, its content, our reading of it, or "
        "what the device's provider kept of compiling it",
    )
    parser.add_argument(
        "--binding",
        choices=("plain", "inputs", "outputs", "device"),
        default="plain",
        help="pass inputs with each call, bind them to memory once, outputs as well, or copy "
        "inputs to the device once and leave outputs there until they are fetched",
    )
    parser.add_argument(
        "--around-failures",
        action="store_true",
        help="where a device takes a layer and fails at it, keep that one on the CPU and begin "
        "anew; its mark tells",
    )


def run(options: argparse.Namespace) -> None:
    """Measure. Raises InspectorError: unreadable, does not fit, the runtime refused.

    Raises SystemExit where a condition against the baseline holds.
    """
    from inspector import report as reports
    from inspector.cli.progress import Progress
    from inspector.narrowing import Goal, in_words
    from inspector.readers.archive import located

    gate.check(options)
    for path in filter(None, (options.output, options.against_output)):
        files.expect_to_write(path)
    options.check |= any(one.subject.startswith("output.") for one in options.conditions)
    baseline = reports.load(options.baseline) if options.baseline else None
    goal = Goal() if options.against and not options.starts else None
    wait, own = not options.no_wait, _subject(options, options.model)
    given = located(options.against) if options.against else nullcontext()
    ends = list[BaseException]()
    with Progress(sys.stderr) as progress, given as against:
        other = _subject(options, against) if against else None

        def measure(times: int = 1) -> "Pair":
            if other is not None:
                return turns.both((other, own), times, wait, progress.show, goal, ends)
            spec = replace(own.spec, starts=times * own.spec.starts)
            done = turns.measured(own, spec, wait, progress.show, ends=ends)
            return baseline or done, done

        held = gate.against(options, measure) if baseline or other else None
        first, measured = held[:2] if held else measure()
    _tell(options, own.advised(measured), own)
    if options.against_output and other:
        reports.save(other.advised(first), options.against_output)
    if ends:  # no verdict from what was cut off
        raise ends[0]
    if held:
        gate.finish(options, *held[2:], in_words(*held[:2], goal) if goal else "")
    elif options.conditions:
        gate.alone(options, measured, own.model.name)


def _subject(options: argparse.Namespace, path: Path) -> turns.Subject:
    """Open a model, fill its inputs, and say how it is to be measured."""
    from inspector.readers import open_model
    from inspector.report import InputSource

    model = open_model(path)
    feeds = filled(options, model)
    spec = _spec(options, model, tuple(InputSource(one.name, one.value) for one in feeds))
    return turns.Subject(path, model, feeds, identity(path, model), spec)


def filled(options: argparse.Namespace, model: "Model") -> "tuple[Filled, ...]":
    """Fill the inputs as the options say, the others as this program chooses."""
    from inspector.preview.feeds import fill_all
    from inspector.preview.image import ImageOptions

    given = inputs.values(options.inputs, model)
    image = ImageOptions.of(model, options.cast)
    return fill_all(inputs.taken(model, given), given, dict(options.dimensions), image)


def _tell(
    options: argparse.Namespace, measured: "PerformanceReport", own: turns.Subject
) -> None:
    """Save and print the report, as far as that was asked for. Raises NotSaved."""
    from inspector import report as reports
    from inspector.analysis.advice import advice
    from inspector.cli import summary
    from inspector.cli.folding import folded

    if options.json:
        from inspector.export.report_json import report_json

        sys.stdout.write(report_json(measured).decode())
    elif options.markdown != "-":
        print(folded("\n".join(summary.lines(measured, own.feeds, advice(measured)))))
    if options.output:  # last, so that a full disk does not cost the answer
        reports.save(measured, options.output)
        if not options.json and options.markdown != "-":
            print(f"\nsaved {visible(options.output)}")


def _spec(
    options: argparse.Namespace, model: "Model", sources: "tuple[InputSource, ...]"
) -> "RunSpec":
    from inspector.report import USUAL, Dimension, RunSpec

    fixed = options.runs is not None
    seconds, steady = (0.0, 0.0) if fixed else (USUAL.seconds, USUAL.steady)
    named = ((name, size) for name, size in options.dimensions if name in model.dimensions)
    return RunSpec(
        devices=tuple(dict.fromkeys(options.devices)) or ("cpu",),
        **session_options.chosen(options),
        concurrency=options.concurrency,
        profiled_runs=0 if options.no_layers else RunSpec().profiled_runs,
        layer_precision=USUAL.layer_precision,
        runs=options.runs if fixed else USUAL.runs,
        starts=options.starts or (turns.STARTS if options.against else 1),
        seconds=seconds if options.seconds is None else options.seconds,
        steady=steady if options.steady is None else options.steady,
        until=options.until,
        most_seconds=options.most_seconds,
        warmup=options.warmup,
        dimensions=tuple(Dimension(name, size) for name, size in named),
        inputs=sources,
        predict=tuple(dict.fromkeys(options.predict)),
        load_from=options.load_from,
        loads=options.loads,
        phases=options.phases,
        binding=options.binding,
        cast=options.cast,
        check=options.check,
        roofline=options.roofline,
        synchronize=options.synchronize,
        around_failures=options.around_failures,
    )


def identity(path: Path, model: "Model") -> "ModelIdentity":
    """Name a model by its hash and tell what people know it by."""
    from inspector.readers import digest
    from inspector.report import ModelIdentity

    opsets = (f"{opset.domain or 'ai.onnx'} {opset.version}" for opset in model.opsets)
    return ModelIdentity(
        model.name,
        digest(path),
        model.size_bytes,
        model.parameters,
        len(model.layers),
        ", ".join(opsets),
    )


def _share(text: str) -> float:
    """Read '1%' or '0.5 %' as a share of 1."""
    try:
        share = float(text.strip().removesuffix("%")) / 100
    except ValueError:
        share = -1.0
    if not 0.0001 <= share <= 1:
        raise argparse.ArgumentTypeError(f"'{clip(text, 80)}' is no share like 1%")
    return share
