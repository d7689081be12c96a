"""inspector sweep: measure models with every combination of some settings."""

import argparse
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from inspector import files
from inspector.cli import inputs, session_options, sweep_text
from inspector.cli.numbers import at_least, several
from inspector.cli.usage import Options
from inspector.units import clip

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.cli.progress import Progress
    from inspector.report import RunSpec
    from inspector.sweep import Axis, Place, Sweep, Value
    from inspector.sweeping.runner import TimeLeft
    from inspector.sweeping.subjects import Subject

_SWITCH = {"on": True, "off": False}
_BINDINGS = ("plain", "inputs", "outputs", "device")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Tell the parser what this command takes."""
    parser.add_argument("models", type=Path, nargs="+", metavar="MODEL")
    whole, tried = at_least(0), parser.add_argument_group("what is combined, values of each")
    for option, axis, read, words in (
        ("--device", "device", str, "ids; A+B for a second choice"),
        ("--threads", "threads", whole, "0: the runtime's choice"),
        ("--optimization", "optimization", _one_of(session_options.LEVELS), "levels"),
        ("--execution", "execution_mode", _one_of(session_options.MODES), "modes"),
        ("--inter-threads", "inter_threads", whole, "for --execution parallel"),
        ("--spinning", "spinning", _switch, "on,off"),
        ("--arena", "arena", _switch, "on,off"),
        ("--memory-pattern", "memory_pattern", _switch, "on,off"),
        ("--binding", "binding", _one_of(_BINDINGS), ", ".join(_BINDINGS)),
    ):
        tried.add_argument(option, dest=axis, type=_many(read), metavar="A,B", help=words)
    tried.add_argument(
        "--dim",
        action="append",
        default=[],
        type=_lengths,
        metavar="NAME=N,N",
        dest="dimensions",
        help="lengths of a free axis",
    )
    tried.add_argument(
        "--batch",
        type=_many(at_least(1)),
        metavar="N,N",
        help="lengths of the free axis that comes first in the first input",
    )
    _add_runs(parser.add_argument_group("how each combination is measured"))
    where = parser.add_argument_group("where the answer goes")
    where.add_argument("-o", "--output", type=Path, metavar="SWEEP", help="saved at each step")
    where.add_argument(
        "--resume", action="store_true", help="keep what SWEEP has of the same cells"
    )
    for name in ("--json", "--csv", "--markdown"):
        where.add_argument(name, action="store_true", help=f"print {name[2:]}")


def _add_runs(parser: Options) -> None:
    """Add how each cell is measured, and what goes in."""
    for name, least, usual, words in (
        ("--runs", 1, 30, "predictions of a cell in each round"),
        ("--warmup", 0, 3, "before them"),
        ("--rounds", 1, 2, "processes for each cell"),
        ("--confirm", 0, 3, "more processes for the three best cells of each model"),
        ("--seed", 0, 0, "of the order"),
    ):
        parser.add_argument(
            name, type=at_least(least), default=usual, metavar="N", help=f"{words}: {usual}"
        )
    parser.add_argument(
        "--seconds", type=float, default=0.0, metavar="S", help="at least, in each round"
    )
    parser.add_argument(
        "--concurrency",
        type=several,
        default=(),
        metavar="N,N",
        help="measure, too, so many predictions at once",
    )
    parser.add_argument(
        "--input",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        dest="inputs",
        help="as for measure; the same for all models",
    )
    parser.add_argument("--cast", action="store_true", help="cast arrays to what inputs take")


def run(options: argparse.Namespace) -> None:
    """Measure all cells. Raises InspectorError: a model or a setting is no good."""
    from time import monotonic

    from inspector import sweep as sweeps
    from inspector.cli.progress import Progress
    from inspector.engine.process import EngineProcess
    from inspector.errors import BadInput, EngineFailed
    from inspector.sweeping import runner, subjects
    from inspector.sweeping.agreement import agreements

    models = subjects.subjects(options.models)
    given = inputs.values(options.inputs, models[0].model)
    spec = _spec(options)
    planned = sweeps.plan(
        [each.identity for each in models], spec, _axes(options, models), options.rounds,
        options.seed,
        options.confirm,
    )  # fmt: skip
    runner.check(planned)
    if options.resume:
        if not options.output:
            raise BadInput("Could not resume", "-o SWEEP says what to take up again")
        if files.exists(options.output):
            planned = sweeps.resumed(planned, sweeps.load(options.output))
    if options.output and not files.exists(options.output):
        # No room for it? Better told before an hour of measuring.
        sweeps.save(planned, options.output)
    with Progress(sys.stderr) as progress, EngineProcess(progress.show) as engine:
        if len(models) > 1 and not planned.agreements:
            from dataclasses import replace

            progress.about = "comparing the models' answers"
            found = agreements(engine, models, spec, given, options.cast)
            planned = replace(planned, agreements=found)
        fed = subjects.Inputs(given, options.cast)
        measure = subjects.measuring(engine, models, fed)
        clock = runner.TimeLeft(lambda: monotonic() - engine.waited_seconds)
        follow = _Following(planned, options, progress, clock)
        done, error = follow.to_the_end(
            runner.run(planned, measure, begun=follow.begin_measurement)
        )
    _print(done, options)
    if error is not None:
        raise error
    failed = [cell.why for cell in done.cells if cell.state is sweeps.State.FAILED]
    if len(failed) == len(done.cells):
        raise EngineFailed("No setting could be measured", failed[0].rstrip("."))


class _Following:
    """Saves and prints each step of a sweep."""

    def __init__(
        self,
        planned: "Sweep",
        options: argparse.Namespace,
        progress: "Progress",
        clock: "TimeLeft",
    ) -> None:
        self._now, self._options = planned, options
        self._progress, self._clock = progress, clock
        self._quiet = options.json or options.csv or options.markdown

    def begin_measurement(self, sweep: "Sweep", place: "Place") -> None:
        """Show which cell is measured next, where somebody looks."""
        self._progress.about = sweep_text.next_text(sweep, place)

    def to_the_end(self, steps: "Iterator[Sweep]") -> "tuple[Sweep, BaseException | None]":
        """Return the last state, and what ended the sweep early if anything did."""
        from dataclasses import replace

        from inspector.errors import Cancelled

        error: BaseException | None = None
        try:
            for after in steps:
                self._clock.measured()
                self._save(after)
                line = sweep_text.step_line(self._now, after, self._clock)
                self._progress.clear()
                print(line, file=sys.stderr if self._quiet else sys.stdout, flush=True)
                self._now = after
        except (KeyboardInterrupt, Cancelled) as stop:
            error = stop
            self._now = replace(self._now, ended="Stopped by the user.")
        self._save(self._now)
        return self._now, error

    def _save(self, sweep: "Sweep") -> None:
        from inspector import sweep as sweeps

        if self._options.output:
            sweeps.save(sweep, self._options.output)


def _print(done: "Sweep", options: argparse.Namespace) -> None:
    from inspector import sweep as sweeps
    from inspector.export.sweep_tables import csv, markdown

    if options.json:
        sys.stdout.write(sweeps.to_json(done).decode())
    elif options.csv:
        sys.stdout.write(csv(done))
    elif options.markdown:
        sys.stdout.write(markdown(done))
    else:
        print("\n".join(sweep_text.lines(done)))


def _spec(options: argparse.Namespace) -> "RunSpec":
    from inspector.report import RunSpec
    from inspector.sweep import STEADY

    return RunSpec(
        steady=STEADY,
        runs=options.runs,
        warmup=options.warmup,
        seconds=options.seconds,
        profiled_runs=0,
        cast=options.cast,
        concurrency=options.concurrency,
    )


def _axes(options: argparse.Namespace, models: "tuple[Subject, ...]") -> "list[Axis]":
    """All axes that were named. Raises BadInput: --batch, and no free axis."""
    from inspector.errors import BadInput
    from inspector.sweep import DEVICE, FREE, SETTINGS, Axis

    axes = [
        Axis(name, values)
        for name in (DEVICE, *SETTINGS)
        if (values := getattr(options, name)) is not None
    ]
    free: Mapping[str, tuple[Value, ...]] = dict(options.dimensions)
    if options.batch:
        first = models[0].model.inputs[:1]
        name = next((axis for info in first for axis in (info.shape or ())[:1]), None)
        if not isinstance(name, str) or not name:
            why = "the first axis of the first input is not free"
            raise BadInput("Could not sweep the batch size", why, "Name another with --dim.")
        free = {name: options.batch, **free}
    return axes + [Axis(FREE + name, values) for name, values in free.items()]


def _many(read: "Callable[[str], Value]") -> "Callable[[str], tuple[Value, ...]]":
    def values(text: str) -> "tuple[Value, ...]":
        return tuple(dict.fromkeys(read(part.strip()) for part in text.split(",")))

    return values


def _one_of(names: tuple[str, ...]) -> Callable[[str], str]:
    def name(text: str) -> str:
        if text not in names:
            words = f"'{clip(text, 60)}' is none of {', '.join(names)}"
            raise argparse.ArgumentTypeError(words)
        return text

    return name


def _switch(text: str) -> bool:
    if text not in _SWITCH:
        raise argparse.ArgumentTypeError(f"'{clip(text, 60)}' is neither on nor off")
    return _SWITCH[text]


def _lengths(text: str) -> "tuple[str, tuple[Value, ...]]":
    name, sign, lengths = text.rpartition("=")
    if not sign or not name:
        raise argparse.ArgumentTypeError(f"'{clip(text, 80)}' is not NAME=N,N")
    return name, several(lengths)
