"""inspector tune: search the settings with which a model predicts fastest."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.cli import inputs
from inspector.cli.numbers import between

if TYPE_CHECKING:
    from inspector.tuning import Tuning

_seconds = between(
    5, 86_400, "no time for a search: it takes 5 seconds at least, and a day at most"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Tell the parser what this command takes."""
    parser.add_argument("model", type=Path, metavar="MODEL")
    parser.add_argument("--device", default="cpu", metavar="ID", help="default: cpu")
    parser.add_argument(
        "--time", type=_seconds, default=60.0, metavar="S", help="to search; default: 60"
    )
    parser.add_argument(
        "--code", choices=("python", "cpp", "csharp"), default="python", help="settings as code"
    )
    inputs.add_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print all trials, tuning/1")


def run(options: argparse.Namespace) -> None:
    """Search. Raises InspectorError: the model cannot be measured at all."""
    from inspector import tuning as tunings
    from inspector.engine.process import EngineProcess
    from inspector.report import Dimension, RunSpec
    from inspector.sweep import STEADY
    from inspector.sweeping import subjects, tuner

    (subject,) = subjects.subjects([options.model])
    given = inputs.values(options.inputs, subject.model)
    free = tuple(Dimension(name, size) for name, size in options.dimensions)
    spec = RunSpec(
        devices=(options.device,),
        dimensions=free,
        cast=options.cast,
        profiled_runs=0,
        steady=STEADY,
    )
    done = None
    with EngineProcess() as engine:
        measure = subjects.measuring(engine, [subject], given, options.cast)
        bounds = tuner.Bounds(options.time)
        for done in tuner.tune(subject.identity, spec, lambda s: measure(0, s), bounds):
            if done.step and not options.json:
                _tell_step(done)
    assert done is not None, "a search tells at least its end"
    if options.json:
        sys.stdout.write(tunings.to_json(done).decode())
    else:
        _tell(done, options)


def _tell_step(now: "Tuning") -> None:
    from inspector import units
    from inspector.analysis.tunings import leading, middle_ns

    best = leading(now.trials)
    time = units.duration(middle_ns(best.rounds)) if best is not None else ""
    print(f"[{now.done:4.0%}] {now.step}; best so far {time}", flush=True)


def _tell(done: "Tuning", options: argparse.Namespace) -> None:
    from inspector.analysis.tunings import chosen, sentences
    from inspector.export.session_code import session_code

    print()
    for words in sentences(done):
        print(words)
    names = {"python": "Python", "cpp": "C++", "csharp": "C#"}
    if chosen(done) != done.default:
        print()
        print(session_code(chosen(done), options.model.name, names[options.code]), end="")
