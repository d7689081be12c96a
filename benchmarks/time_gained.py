"""How far estimated changes of latency by an action are off, on models of other families.

`python -m benchmarks.time_gained KEPT [--pairs FILE] [--write]` converts networks of the usual
families, the samples and the .onnx files of ../shared/models/real by each action, measures
original and result in turns with the plain runtime, and holds the ratio against that of the
estimated times. KEPT is a file of benchmarks/estimates.py: the efficiencies behind an estimate
are learned from it anew without the family of the model, and so is the factor by which an
action is off. `--pairs` keeps what was measured, or takes it from there. `--write` saves the
actions with enough pairs that are better estimated than by "no change" as
resources/estimates/actions.json.
"""

import argparse
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from time import sleep

import msgspec
import numpy as np
import onnxruntime
from numpy.typing import NDArray

from benchmarks.corpus import sized
from benchmarks.estimates import (
    DEVICES,
    PAUSE_SECONDS,
    REAL,
    SAMPLES,
    Fit,
    Kept,
    conformal_bound,
    median_ns,
    random_input,
    rounded,
    runner,
)
from benchmarks.layer_times import first_at_the_cpu
from inspector.analysis.cost.latency import LayerLoad, Rates, loads, parts
from inspector.app.changing import conversion
from inspector.app.estimates import cost_at
from inspector.app.estimating.time_gained import ActionError
from inspector.conversion.action import parse_step
from inspector.conversion.registry import ACTIONS
from inspector.engine.client.engine_process import EngineProcess
from inspector.formats.opening import open_model
from inspector.report.roofline import INT8

RESULT = Path(__file__).parents[1] / "resources" / "estimates" / "actions.json"
DEVICE = "cpu-2"
TRIED = ("int8", "float16", "int8-dynamic", "weights-8bit")
ROUNDS = 5
FEWEST_PAIRS = 40  # behind what is told to users


@dataclass
class Pair:
    """A model and what an action made of it: the ratio of their least median times."""

    family: str
    name: str
    action: str
    ratio: float
    before: tuple[LayerLoad, ...]
    after: tuple[LayerLoad, ...]


def networks(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield family and file of each network."""
    yield from ((family, path) for family, path, _ in sized.write(folder))
    for source in (SAMPLES, REAL):
        yield from ((path.stem.split("_")[0], path) for path in sorted(source.glob("*.onnx")))


def measured() -> Iterator[Pair]:
    """Convert and measure. What a runtime or an action refuses is named."""
    onnxruntime.set_default_logger_severity(4)
    with tempfile.TemporaryDirectory() as folder, EngineProcess() as engine:
        for family, path in networks(Path(folder)):
            for action in TRIED:
                try:
                    pair = _measured(engine, family, path, action)
                except Exception as error:  # noqa: BLE001 - a runtime may refuse in any way
                    print(f"left out: {path.name}, {action}: {str(error)[:60]!r}")
                    continue
                if pair is not None:
                    yield pair


def _measured(engine: EngineProcess, family: str, path: Path, action: str) -> Pair | None:
    model = open_model(path)
    found = cost_at(engine, path, model, {})
    lengths = dict(found.lengths)
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    feeds = {info.name: random_input(info, lengths) for info in session.get_inputs()}
    with tempfile.TemporaryDirectory() as folder:
        steps = [parse_step(action, ACTIONS)]
        made = conversion.convert(engine, path, steps, Path(folder), [feeds])
        if made.unchanged:
            return None
        changed = open_model(made.path)
        after = loads(changed, cost_at(engine, made.path, changed, {}), wide=True)
        runs = [runner(DEVICE, each, lengths) for each in (path, made.path)]
        times = []
        for _ in range(ROUNDS):
            sleep(PAUSE_SECONDS)
            with first_at_the_cpu():
                times.append([median_ns(run) for run in runs])
    first, second = np.min(times, axis=0)
    before = loads(model, found, wide=True)
    return Pair(family, path.stem, action, float(second / first), before, after)


def estimated_ns(
    asked: tuple[LayerLoad, ...], rates: Rates, factors: dict[tuple[str, str], float]
) -> float:
    """Return the time of a run with learned factors."""
    whole = factors["call", "launch"]
    for load in asked:
        for (kind, part), ns in parts(load, rates).items():
            usual = factors.get((kind.removesuffix(f":{INT8}"), part), 1.0)
            whole += ns * factors.get((kind, part), usual)
    return whole


def errors(kept: Kept, pairs: list[Pair]) -> Iterator[tuple[ActionError, float]]:
    """Yield how far estimates are off for each action, and the bound of "no change"."""
    rates = kept.rates[DEVICE]
    fit = Fit([row for row in kept.rows if DEVICE in row.times], DEVICE, rates)
    families = np.array([row.family for row in fit.rows])
    learned = {
        family: dict(zip(fit.columns, fit.learn(families != family), strict=True))
        for family in {pair.family for pair in pairs}
    }
    for action in TRIED:
        tried = [pair for pair in pairs if pair.action == action]
        if not tried:
            continue
        names = np.array([pair.family for pair in tried])
        ratios = np.log([pair.ratio for pair in tried])
        told = np.log([
            estimated_ns(pair.after, rates, learned[pair.family])
            / estimated_ns(pair.before, rates, learned[pair.family])
            for pair in tried
        ])  # fmt: skip
        off = _without_own(told - ratios, names)
        found = np.abs(off)
        inside = sum(
            int((found[names == n] <= conformal_bound(found[names != n])).sum())
            for n in {*names}
        )
        yield ActionError(
            action, DEVICE, len(tried), len({*names}),
            rounded(float(np.exp(-np.median(told - ratios)))),
            rounded(float(np.exp(np.median(found)) - 1)),
            rounded(float(np.exp(conformal_bound(found)))), inside, date.today().isoformat(),
        ), float(np.exp(conformal_bound(np.abs(ratios))))  # fmt: skip


def _without_own(off: NDArray[np.float64], names: NDArray[np.str_]) -> NDArray[np.float64]:
    """Return errors less the median error of other families."""
    return np.array([
        each - np.median(off[names != name]) for each, name in zip(off, names, strict=True)
    ])  # fmt: skip


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kept", type=Path)
    parser.add_argument("--pairs", type=Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    kept = msgspec.json.decode(options.kept.read_bytes(), type=Kept)
    if options.pairs and options.pairs.exists():
        pairs = msgspec.json.decode(options.pairs.read_bytes(), type=list[Pair])
    else:
        pairs = [*measured()]
        if options.pairs:
            options.pairs.write_bytes(msgspec.json.encode(pairs))
    title, _ = DEVICES[DEVICE]
    good = []
    for error, unchanged in errors(kept, pairs):
        print(
            f"{title}, {error.action}: {error.pairs} pairs of {error.families} families: "
            f"median error {error.median_error:.0%}, 9 of 10 within a factor of "
            f'{error.bound:.2f} ("no change": {unchanged:.2f}); {error.inside} within the '
            f"bound of the others"
        )
        if error.bound < unchanged and error.pairs >= FEWEST_PAIRS:
            good.append(error)
    if options.write:
        RESULT.write_bytes(msgspec.json.format(msgspec.json.encode(good), indent=1) + b"\n")


if __name__ == "__main__":
    main()
