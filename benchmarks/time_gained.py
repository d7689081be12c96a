"""How far foretold changes of latency by an action are off, on models that nobody learned from.

`python -m benchmarks.time_gained PAIRS [--again] [--write]` converts networks of the usual
families, the samples, the .onnx files of ../shared/models/real, and networks of other kinds
(benchmarks/corpus/unseen.py) by each action. Three processes measure original and results in
turns with the plain runtime; the median of all ratios counts. PAIRS keeps them, and they are
taken from there unless `--again` is given: that adds what is missing.

Learned is by what factor each part of the original's estimated time changes. Each family of
models is foretold from the others. `--write` saves the factors, with the error for each kind
of model, as resources/estimates/actions.json.

Nothing interrupts a run where this process may have a real-time priority (Linux, root).
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from time import perf_counter_ns, sleep
from typing import IO, Any

import msgspec
import numpy as np
import onnxruntime
from msgspec import Struct
from numpy.typing import NDArray

from benchmarks.corpus import sized, unseen
from benchmarks.estimates import (
    DEVICES,
    REAL,
    SAMPLES,
    conformal_bound,
    learn,
    random_input,
    rounded,
    runner,
)
from benchmarks.layer_times import first_at_the_cpu
from inspector.analysis.cost.latency import WEIGHTS, LayerLoad, loads
from inspector.analysis.cost.time_gained import (
    FEWEST_NETWORKS,
    MOST_BOUND,
    ActionTimes,
    KindError,
    is_quantized,
    time_shares,
)
from inspector.analysis.devices.known_devices import measured_devices
from inspector.app.changing import conversion
from inspector.app.estimates import cost_at
from inspector.conversion.action import parse_step
from inspector.conversion.registry import ACTIONS
from inspector.engine.client.engine_process import EngineProcess
from inspector.formats.opening import open_model

RESULT = Path(__file__).parents[1] / "resources" / "estimates" / "actions.json"
DEVICE = "cpu-2"
TRIED = (
    "float16", "int8", "int8-dynamic", "weights-8bit", "weights-4bit", "bfloat16", "palettize",
)  # fmt: skip
PROCESSES, ROUNDS = 3, 3
BLOCK_NS = 25_000_000  # of runs of one model, before it is another one's turn
FEWEST_RUNS, MOST_RUNS = 3, 300
PAUSE_SECONDS = 0.01  # a real-time process may not have the CPU all the time
LEAST_NS = 20_000  # of a run; below, the clock and the call are much of it
STIFFNESS = 0.03
CHILD = "--child"
# Where learning begins, if not at "as before": integer kernels of products of a row convert all
# weights in each run, and those of convolutions are slow unless ranges are known.
BEGIN = {
    ("weights-8bit", "matmul", WEIGHTS): 10.0,
    **{("int8", kind, "arithmetic"): 0.5 for kind in ("conv", "pointwise", "matmul")},
    **{
        ("int8-dynamic", kind, part): 2.5
        for kind in ("conv", "pointwise", "depthwise", "line")
        for part in ("arithmetic", "memory")
    },
}


class Network(Struct):
    """A network with the ratios of latencies that were measured, by action."""

    family: str
    name: str
    run_ns: float
    loads: tuple[LayerLoad, ...]
    ratios: dict[str, list[float]]


def networks(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield family and file of each network."""
    yield from ((family, path) for family, path, _ in sized.write(folder))
    for source in (SAMPLES, REAL):
        paths = sorted(source.glob("*.onnx"))
        yield from ((path.stem.split("_")[0], path) for path in paths)
    yield from unseen.write(folder)


def measured(known: Sequence[Network]) -> Iterator[Network]:
    """Convert and measure what is not known. What a runtime or an action refuses is named."""
    onnxruntime.set_default_logger_severity(4)
    names = {each.name for each in known}
    command = [sys.executable, "-m", "benchmarks.time_gained", CHILD]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    children = [subprocess.Popen(command, **pipes) for _ in range(PROCESSES)]
    with tempfile.TemporaryDirectory() as folder, EngineProcess() as engine:
        for family, path in networks(Path(folder)):
            if path.stem in names:
                continue
            try:
                yield _measured(engine, children, family, path)
            except Exception as error:  # noqa: BLE001 - a runtime may refuse in any way
                print(f"left out: {path.name}: {str(error)[:60]!r}")
    for child in children:
        child.kill()


def _measured(
    engine: EngineProcess, children: Sequence[subprocess.Popen[str]], family: str, path: Path
) -> Network:
    model = open_model(path)
    found = cost_at(engine, path, model, {})
    lengths = dict(found.lengths)
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    feeds = {info.name: random_input(info, lengths) for info in session.get_inputs()}
    with tempfile.TemporaryDirectory() as folder:
        files = {"": str(path)}
        for action in TRIED:
            to = Path(folder) / action
            to.mkdir()
            try:
                made = conversion.convert(
                    engine, path, [parse_step(action, ACTIONS)], to, [feeds]
                )
            except Exception as error:  # noqa: BLE001 - an action may refuse in any way
                print(f"left out: {path.name}, {action}: {str(error)[:60]!r}")
                continue
            if not made.unchanged:
                files[action] = str(made.path)
        rows = [row for child in children for row in _asked(child, lengths, files)]
    times = {action: [row[action] for row in rows if action in row] for action in files}
    ratios = {
        action: [row[action] / row[""] for row in rows]
        for action, found_ns in times.items()
        if action and len(found_ns) == len(rows)
    }
    asked = loads(model, found, wide=True)
    return Network(family, path.stem, float(np.median(times[""])), asked, ratios)


def _asked(
    child: "subprocess.Popen[str]", lengths: Mapping[str, int], files: Mapping[str, str]
) -> list[dict[str, float]]:
    given, answer = child.stdin, child.stdout
    assert given is not None
    assert answer is not None
    given.write(msgspec.json.encode((lengths, files)).decode() + "\n")
    given.flush()
    return msgspec.json.decode(answer.readline(), type=list[dict[str, float]])


def answer(asked: IO[str]) -> None:
    """Print the times of a run in ns by file, for each line that is asked."""
    for line in asked:
        lengths, files = msgspec.json.decode(line)
        runs = {}
        for name, path in files.items():
            try:
                with first_at_the_cpu():  # its threads are made first, too
                    runs[name] = runner(DEVICE, Path(path), lengths)
                    runs[name]()
            except Exception as error:  # noqa: BLE001 - a runtime may refuse in any way
                print(f"does not run: {path}: {str(error)[:60]!r}", file=sys.stderr)
                runs.pop(name, None)
        rows = []
        for number in range(ROUNDS):
            row = {}
            for name in [*runs][:: 1 if number % 2 else -1]:
                sleep(PAUSE_SECONDS)
                with first_at_the_cpu():
                    row[name] = _block(runs[name])
            rows.append(row)
        print(msgspec.json.encode(rows).decode(), flush=True)


def _block(run: Any) -> float:
    run()
    run()
    times, began = list[int](), perf_counter_ns()
    while len(times) < FEWEST_RUNS or (
        perf_counter_ns() - began < BLOCK_NS and len(times) < MOST_RUNS
    ):
        start = perf_counter_ns()
        run()
        times.append(perf_counter_ns() - start)
    return float(np.median(times))


class Lessons:
    """What the networks that an action was tried on teach of it."""

    def __init__(self, action: str, tried: Sequence[Network]) -> None:
        self.action, self.tried = action, tried
        device = measured_devices()[DEVICE]
        shares = [time_shares(each.loads, device) for each in tried]
        self.kinds = np.array([kind for _, kind in shares])
        self.columns = sorted({column for found, _ in shares for column in found})
        self._table = np.array(
            [[found.get(c, 0.0) for c in self.columns] for found, _ in shares]
        )
        self._begin = np.array([BEGIN.get((action, *column), 1.0) for column in self.columns])
        self.logs = np.log([np.median(each.ratios[action]) for each in tried])
        self.families = np.array([each.family for each in tried])
        self.teaches = True

    def learn(self, chosen: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return the factors that the chosen networks teach."""
        return learn(self._table[chosen], self._begin, self.logs[chosen], STIFFNESS)

    def errors(self) -> NDArray[np.float64]:
        """Return how far the logarithm of each ratio is off, foretold without its family; or
        as unchanged, where that is nearer."""
        told = np.zeros(len(self.logs))
        for family in {*self.families}:
            out = self.families == family
            told[out] = np.log(self._table[out] @ self.learn(~out))
        self.teaches = conformal_bound(np.abs(told - self.logs)) < conformal_bound(
            np.abs(self.logs)
        )
        return np.abs(told - self.logs) if self.teaches else np.abs(self.logs)

    def inside(self, errors: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return which networks lie within the bound of their kind in other families."""
        found = np.zeros(len(errors), bool)
        for place, (kind, family) in enumerate(zip(self.kinds, self.families, strict=True)):
            others = errors[(self.kinds == kind) & (self.families != family)]
            found[place] = len(others) > 0 and errors[place] <= conformal_bound(others)
        return found

    def result(self) -> ActionTimes:
        """Return the factors with the error for each kind of model."""
        errors, factors = self.errors(), dict[str, dict[str, float]]()
        if self.teaches:
            learned = self.learn(np.ones(len(errors), bool)).tolist()
            for (kind, part), factor in zip(self.columns, learned, strict=True):
                factors.setdefault(kind, {})[part] = rounded(factor)
        kinds = tuple(
            KindError(str(kind), int(of.sum()), *_error(errors[of]))
            for kind in sorted({*self.kinds})
            if (of := self.kinds == kind).sum() > 1
        )
        return ActionTimes(self.action, DEVICE, date.today().isoformat(), factors, kinds)


def _error(errors: NDArray[np.float64]) -> tuple[float, float]:
    """Return the median error, and the factor that 9 of 10 lie within."""
    median, bound = float(np.median(errors)), conformal_bound(errors)
    return rounded(float(np.exp(median)) - 1), rounded(float(np.exp(bound)))


def shown(lessons: Lessons, result: ActionTimes) -> None:
    """Print the errors of an action."""
    errors = lessons.errors()
    how = "learned" if result.factors else "taken as unchanged"
    median, bound = _error(errors)
    _, unchanged = _error(np.abs(lessons.logs))
    print(
        f"{result.action}: {len(errors)} networks, each foretold from other families, {how}: "
        f"median error {median:.0%}, 9 of 10 within a factor of {bound:.2f} "
        f'("no change": {unchanged:.2f})'
    )
    inside = lessons.inside(errors)
    for each in result.kinds:
        is_told = each.networks >= FEWEST_NETWORKS and each.bound <= MOST_BOUND
        print(
            f"  {'told' if is_told else 'NOT '} {each.kind}: {each.networks} networks, median "
            f"error {each.median_error:.0%}, 9 of 10 within a factor of {each.bound:.2f}; "
            f"{inside[lessons.kinds == each.kind].sum()} within that of other families"
        )


def main() -> None:
    """Print the tables."""
    if sys.argv[1:] == [CHILD]:
        answer(sys.stdin)
        return
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    known = []
    if options.pairs.exists():
        known = msgspec.json.decode(options.pairs.read_bytes(), type=list[Network])
    if options.again or not known:
        for each in measured(known):
            known.append(each)
            options.pairs.write_bytes(msgspec.json.encode(known))
    print(DEVICES[DEVICE][0])
    usable = [n for n in known if n.run_ns >= LEAST_NS and not is_quantized(n.loads)]
    results = []
    for action in TRIED:
        lessons = Lessons(action, [each for each in usable if action in each.ratios])
        results.append(lessons.result())
        shown(lessons, results[-1])
    if options.write:
        RESULT.write_bytes(msgspec.json.format(msgspec.json.encode(results), indent=1) + b"\n")


if __name__ == "__main__":
    main()
