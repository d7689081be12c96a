"""Whether verdicts on latency can be bet on while other programs use the CPU.

`python -m benchmarks.busy_pairs [--pairs 40] [--first N] [--busy N] [--results FILE]` builds
pairs of models whose ratio of latencies is known: chains of equal convolutions, of which one is
as long as the other (half of the pairs), 10% longer, or twice as long (a quarter each). While N
processes keep the CPU busy, each pair is compared by `measure --against`, by `compare` and
*Compare models* from its reports, and as *Improve* measures a candidate that is a part of the
longer one. In the same minutes, a loop of a few lines runs both models in turns. Every other
pair uses one thread, where the command can; the rest what ONNX Runtime chooses.

Printed are a line for each pair and what was promised: no false claim, no contradiction between
surfaces, all of 2 times and 7 of 10 of 10% called, 15 of 20 equal ones with "no change", and
intervals that overlap that of the loop. Status 1 where a promise is missed. FILE keeps the
pairs that were measured; the next call continues with it. Reports of a pair with a problem, or
without the right verdict, are kept: the folder is printed. Each call has a cache of its own, so
that two side by side do not wait for each other: `--pairs 20` and `--pairs 20 --first 20`.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper, save

from inspector.analysis.verdicts.speed import compare_medians
from inspector.app.changing.data_sets import TestInput
from inspector.app.changing.improvement import Workbench, latency_values
from inspector.comparison.model_diff import diff
from inspector.conversion.action import parse_step
from inspector.conversion.registry import ACTIONS
from inspector.formats.opening import open_model
from inspector.report import report as reports
from inspector.report.improvement import Latency
from inspector.statistics.significance import RatioVerdict, Verdict

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

SHORT = 20  # layers of the shorter model
LONGER = {1.0: 20, 1.1: 22, 2.0: 40}  # ratio of latencies -> layers of the longer one
# So small that the weights of all layers stay in the second cache of a core (1 MB). Of 32
# channels, those of 20 layers do and those of 40 do not: 2 times is then 1.95 to 2.15, as
# caches happen to be warm.
CHANNELS, EDGE = 16, 28
LEAST_CALLED = {1.0: 0.75, 1.1: 0.7, 2.0: 1.0}  # share of pairs with the right verdict
MODEL_LEEWAY = 0.02  # the first and last layers, inputs and outputs are no part of the ratio
SURFACES = ("measure", "compare", "window", "improve")
LOOP = """
import json, sys
from time import perf_counter_ns
import numpy, onnxruntime
one, two, threads, seconds, turn = json.loads(sys.argv[1])
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = threads
sessions = [onnxruntime.InferenceSession(each, options, providers=["CPUExecutionProvider"])
            for each in (one, two)]
feeds = {"x": numpy.ones(sessions[0].get_inputs()[0].shape, "float32")}
times, until = ([], []), perf_counter_ns() + int(seconds * 1e9)
for session in sessions:
    session.run(None, feeds)
while perf_counter_ns() < until:
    for own, session in zip(times, sessions):
        session.run(None, feeds)
        for _ in range(turn):
            began = perf_counter_ns()
            session.run(None, feeds)
            own.append(perf_counter_ns() - began)
print(json.dumps(times))
"""
LOOP_SECONDS = 4.0
# Runs of a model before those of the other one, as caches are warm in turns of a measurement.
LOOP_TURN = 8
LOOP_BLOCKS = 3
_REPORT = ".report.json"
BUSY = "import time\nwhile True: sum(range(100_000))"
Row = dict[str, Any]


def chain(path: Path, layers: int, seed: int) -> None:
    """Write a model of equal convolutions, each with a ReLU; its tensors are t0, t1, ..."""
    random, nodes, weights, name = np.random.default_rng(seed), [], [], "x"
    shape = (CHANNELS, CHANNELS, 3, 3)
    for place in range(layers):
        values = random.normal(size=shape) * (2 / (9 * CHANNELS)) ** 0.5
        weights.append(numpy_helper.from_array(values.astype("float32"), f"w{place}"))
        nodes.append(helper.make_node("Conv", [name, f"w{place}"], [f"c{place}"],
                                      pads=[1, 1, 1, 1]))  # fmt: skip
        name = f"t{place}"
        nodes.append(helper.make_node("Relu", [f"c{place}"], [name]))
    ends = [helper.make_tensor_value_info(each, TensorProto.FLOAT, [1, CHANNELS, EDGE, EDGE])
            for each in ("x", name)]  # fmt: skip
    graph = helper.make_graph(nodes, "chain", ends[:1], ends[1:], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    save(model, str(path))


def loop(one: Path, two: Path, threads: int) -> tuple[float, float, float]:
    """Return the ratio of times in a bare loop with an interval.

    Of the fastest runs, as other programs delay the rest by what they like: of the whole loop,
    and from the least to the most of its LOOP_BLOCKS parts. Of several threads, a faster
    quarter holds delayed runs too: it once made a ratio of 0.5 one of 0.06.
    """
    job = json.dumps([str(one), str(two), threads, LOOP_SECONDS, LOOP_TURN])
    command = [sys.executable, "-c", LOOP, job]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    first, other = (np.array(times) for times in json.loads(done.stdout))
    blocks = zip(*(np.array_split(times, LOOP_BLOCKS) for times in (first, other)), strict=True)
    ratios = [_fast_ratio(*block) for block in blocks]
    return _fast_ratio(first, other), min(ratios), max(ratios)


def _fast_ratio(first: NDArray[np.int64], other: NDArray[np.int64]) -> float:
    return float(other.min() / first.min())


def measured(folder: Path, new: Path, old: Path, threads: int) -> tuple[str, str, Path, Path]:
    """Return what `measure --against` says, what `compare` says, and both reports."""
    one, two = folder / f"old{_REPORT}", folder / f"new{_REPORT}"
    command = ["measure", str(new), "--against", str(old), "--threads", str(threads),
               "--processes", "5", "--steady", "1", "--no-layers", "-o", str(two),
               "--against-output", str(one)]  # fmt: skip
    said = _inspector(command, folder)
    compared = json.loads(_inspector(["compare", str(one), str(two), "--json"], folder))
    return said, json.dumps({"judgements": compared["judgements"]}), one, two


def improved(folder: Path, longer: Path, ratio: float) -> Row:
    """Return the latency of a part of the longer model, as *Improve* measures a candidate.

    By its workbench: `improve` itself measures no edits that change what is computed.
    """
    recipe = f"extract:outputs=t{SHORT - 1}" if ratio > 1 else "metadata:entries=made=again"
    values = np.load(folder / "test" / "0.npy")
    tests = [TestInput("0.npy", lambda: {"x": values})]
    made = folder / "made"
    made.mkdir(exist_ok=True)
    with Workbench(longer, open_model(longer), tests, ()) as bench:
        converted = bench.convert([parse_step(recipe, ACTIONS)], made)
        pair = bench.measure_pair(converted)
        latency = latency_values(*pair)
    for name, report in zip(("old", "new"), pair, strict=True):
        reports.save(report, folder / f"improve-{name}{_REPORT}")
    return dict(msgspec.to_builtins(latency))


def window_says(one: Path, two: Path, files: Sequence[Path]) -> str:
    """Return the headline of *Compare models* with both reports."""
    from PySide6.QtCore import QObject, Signal
    from PySide6.QtWidgets import QApplication

    from inspector.ui.tabs.diff.glance import Glance
    from inspector.ui.widgets.theme import Theme

    class Measured(QObject):
        """Both models as measured."""

        changed = Signal()
        documents: tuple[object, ...] = ()
        outputs, running, error, verdict = None, "", None, None
        able = complete = chosen_input = False

        def start(self) -> None:
            """Do nothing: they were measured."""

        cancel = start

    application = QApplication.instance() or QApplication([])
    pair = Measured()
    pair.reports = tuple(map(reports.load, (one, two)))  # type: ignore[attr-defined]
    pair.documents = ()
    compared = diff(open_model(files[0]), open_model(files[1]))
    glance = Glance(Theme("light"), compared, (files, [file.name for file in files]),
                    None)  # fmt: skip
    glance.measuring = pair  # type: ignore[assignment]
    glance.folder = lambda: None  # type: ignore[method-assign]
    glance.refresh()
    text = glance.verdict.text()
    assert application is not None
    glance.deleteLater()
    return text


def one_pair(folder: Path, ratio: float, number: int) -> Row:
    """Measure a pair on every surface: verdicts, ratios and intervals as numbers and texts.

    Ratios are those of the shorter model, which is new, to the longer one.
    """
    threads = number % 2  # 0: what ONNX Runtime chooses
    old, new = folder / "old.onnx", folder / "new.onnx"
    chain(old, LONGER[ratio], number)
    chain(new, SHORT, 1000 + number)
    (folder / "test").mkdir(exist_ok=True)
    random = np.random.default_rng(number)
    for place in range(3):
        values = random.normal(size=(1, CHANNELS, EDGE, EDGE)).astype("float32")
        np.save(folder / "test" / f"{place}.npy", values)
    before = loop(old, new, threads)
    said, compared, one, two = measured(folder, new, old, threads)
    between = loop(old, new, threads)
    improvement = improved(folder, old, ratio)
    after = loop(old, new, 0)
    verdict = compare_medians(reports.load(one), reports.load(two))
    return {
        "ratio": ratio,
        "threads": threads,
        "load": os.getloadavg()[0],
        "loops": {"measure": _around(before, between), "improve": _around(between, after)},
        "verdict": [verdict.verdict.value, verdict.ratio, verdict.low, verdict.high],
        "text": verdict.text(),
        "measure": said,
        "compare": compared,
        "window": window_says(one, two, (old, new)),
        "improve": improvement,
    }


def problems(row: Row) -> list[str]:
    """Return what is wrong with a pair: false claims, contradictions, another loop."""
    found, true = [], 1 / row["ratio"]
    made = {"measure": _verdict(row), "improve": _improve_verdict(row)}
    for name, verdict in made.items():
        low, high = verdict.low, verdict.high
        if not verdict.decided or low is None or high is None:
            continue
        wrong = {Verdict.FASTER: true >= 1, Verdict.SLOWER: true <= 1}.get(verdict.verdict)
        if verdict.verdict is Verdict.SAME and verdict.bound is not None:
            wrong = 1 / true - 1 > verdict.bound + MODEL_LEEWAY
        if wrong:
            found.append(f"{name}: false claim, {verdict.text()}")
        _, least, most = row["loops"][name]
        if high < least or low > most:
            found.append(f"{name}: {verdict.text()}, the loop {least:.3f} to {most:.3f}")
    one, two = made.values()
    ends = (one.low, one.high, two.low, two.high)
    if one.decided and two.decided and None not in ends:
        apart = max((one.low or 0) / (two.high or 1), (two.low or 0) / (one.high or 1))
        if apart > 1 + MODEL_LEEWAY or {one.verdict, two.verdict} == {
            Verdict.FASTER,
            Verdict.SLOWER,
        }:
            found.append(f"improve contradicts measure: {two.text()}, {one.text()}")
    text = _verdict(row).text(explained=False)
    label = _verdict(row).label.partition(":")[0]
    if text not in row["measure"].replace("\n", " ").replace(" than A", ""):
        found.append(f"measure does not say {text}")
    if json.loads(row["compare"])["judgements"][-1]["verdict"] != row["verdict"][0]:
        found.append("compare says something else than measure")
    shown = {Verdict.FASTER: text, Verdict.SLOWER: text, Verdict.SAME: label}
    if shown.get(_verdict(row).verdict, "not clearly faster or slower") not in row["window"]:
        found.append(f"the window says {row['window']}")
    return found


def called(row: Row, name: str) -> bool:
    """Return whether a surface has the right verdict on a pair."""
    verdict = _improve_verdict(row) if name == "improve" else _verdict(row)
    return verdict.verdict is (Verdict.SAME if row["ratio"] == 1 else Verdict.FASTER)


def summary(rows: Sequence[Row]) -> bool:
    """Print what was promised and what was found; return whether all of it was kept."""
    kept = True
    for ratio, least in LEAST_CALLED.items():
        own = [row for row in rows if row["ratio"] == ratio]
        for name in ("measure", "improve"):
            count = sum(called(row, name) for row in own)
            good = count >= least * len(own)
            kept = kept and good
            promise = f"at least {least * len(own):.0f}: {'OK' if good else 'MISSED'}"
            print(f"{ratio} times, {name}: {count} of {len(own)} called ({promise})")
    wrong = [problem for row in rows for problem in problems(row)]
    print(f"false claims, contradictions, outside the loop: {len(wrong)}")
    for problem in wrong:
        print(f"  {problem}")
    covered = [each for row in rows for each in _covered(row)]
    print(f"intervals with the true ratio: {sum(covered)} of {len(covered)}")
    print(f"load: {min(r['load'] for r in rows):.1f} to {max(r['load'] for r in rows):.1f}")
    return kept and not wrong


@contextmanager
def busy(count: int) -> Iterator[None]:
    """Keep the CPU busy with so many processes."""
    started = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(count)]
    try:
        yield
    finally:
        for process in started:
            process.kill()
            process.wait()


@contextmanager
def _own_cache() -> Iterator[None]:
    """Use an empty cache folder, where the lock of other measurements is not.

    By XDG_CACHE_HOME: without an effect on systems that have another place for caches.
    """
    before = os.environ.get("XDG_CACHE_HOME")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        try:
            yield
        finally:
            del os.environ["XDG_CACHE_HOME"]
            if before is not None:
                os.environ["XDG_CACHE_HOME"] = before


def _keep_problems(row: Row, folder: Path) -> None:
    """Print what is wrong with a pair, and where its reports are kept, if anything is."""
    missed = [
        f"{name}: not the right verdict"
        for name in ("measure", "improve")
        if not called(row, name)
    ]
    found = [*problems(row), *missed]
    for problem in found:
        print(f"   {problem}", flush=True)
    if found:
        kept = Path(tempfile.mkdtemp(prefix="busy-pair-"))
        for report in folder.glob(f"*{_REPORT}"):
            shutil.copy(report, kept)
        print(f"   reports: {kept}", flush=True)


def main() -> None:
    """Measure the pairs that are missing, and print the summary."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=40)
    parser.add_argument("--first", type=int, default=0, help="number of the first pair")
    parser.add_argument("--busy", type=int, default=8)
    parser.add_argument("--results", type=Path)
    options = parser.parse_args()
    rows = list[Row]()
    if options.results is not None and options.results.exists():
        rows = [json.loads(line) for line in options.results.read_text().splitlines()]
    kinds = (1.0, 1.1, 1.0, 2.0)
    with _own_cache():
        for number in range(options.first + len(rows), options.first + options.pairs):
            with tempfile.TemporaryDirectory() as name, busy(options.busy):
                folder = Path(name)
                row = one_pair(folder, kinds[number % 4], number // 2 + number // 4)
                print(f"{number + 1}: {_line(row)}", flush=True)
                _keep_problems(row, folder)
            rows.append(row)
            if options.results is not None:
                with options.results.open("a") as file:
                    file.write(json.dumps(row) + "\n")
    sys.exit(0 if summary(rows) else 1)


def _line(row: Row) -> str:
    loops = ", ".join(f"{a:.3f} ({b:.3f} to {c:.3f})" for a, b, c in row["loops"].values())
    return (
        f"{1 / row['ratio']:.3f}, {row['threads'] or 'all'} threads, load {row['load']:.1f}: "
        f"{row['text']}; improve {_improve_verdict(row).text()}; loops {loops}"
    )


def _covered(row: Row) -> list[bool]:
    """Return for each decided verdict whether its interval holds the ratio of the layers."""
    true, leeway = 1 / row["ratio"], 1 + MODEL_LEEWAY
    return [
        each.low / leeway <= true <= each.high * leeway
        for each in (_verdict(row), _improve_verdict(row))
        if each.decided and each.low is not None and each.high is not None
    ]


def _verdict(row: Row) -> RatioVerdict:
    name, ratio, low, high = row["verdict"]
    return RatioVerdict(Verdict(name), ratio, low, high)


def _improve_verdict(row: Row) -> RatioVerdict:
    names = ("p50_ns", "change", "low", "high", "verdict", "reason")
    latency = Latency(
        **{name: row["improve"][name] for name in names if name in row["improve"]}
    )
    return latency.judgement or RatioVerdict(Verdict.UNDECIDED, 1.0, None, None)


def _around(*loops: tuple[float, float, float]) -> tuple[float, float, float]:
    """Return the middle of loops before and after, and the range of their intervals."""
    middles, lows, highs = zip(*loops, strict=True)
    return float(np.median(middles)), min(lows), max(highs)


def _inspector(arguments: Sequence[str], folder: Path) -> str:
    environment = os.environ | {"INSPECTOR_LIBRARY": str(folder / "library")}
    command = [sys.executable, "-m", "inspector", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr}")
    return done.stdout


if __name__ == "__main__":
    main()
