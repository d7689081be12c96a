"""How far estimates of latency are off for models that they were not learned from.

`python -m benchmarks.estimates [FOLDER ...]` makes networks of the usual families in several
sizes, of many other kinds, and graphs of one operator, takes the networks that come with onnx
and the samples, and the .onnx files of folders. It runs each by the plain runtimes: ONNX
Runtime with 1 and 2 threads, OpenVINO with 2. Then it leaves out one family after the other,
learns from the others what kinds of layers reach of the ceilings, and foretells the times of
those left out. The bound within which all models of 9 of 10 families lie is checked on
families it was not taken from either. `--write` saves what was learned as
resources/estimates/efficiency.json; `--keep FILE` keeps the measured times, and takes them from
there where the file exists; with `--again` it measures again, and keeps the least time of each
model.

Two threads take up to twice as long where their cores have no cache in common, and a virtual
machine changes that from minute to minute. A small network is run before and after each block
of runs: where it takes far longer than at best, the block counts as one of cores that are
apart.

Nothing interrupts a run where this process may have a real-time priority (Linux, root).
"""

import argparse
import logging
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from itertools import chain
from math import ceil
from pathlib import Path
from time import perf_counter_ns, sleep
from typing import Any

import msgspec
import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray

from benchmarks.corpus import later, operators_alone, sized, unseen
from benchmarks.corpus.built import Net
from benchmarks.layer_times import first_at_the_cpu
from inspector.analysis.cost.latency import (
    CALL,
    WEIGHTS,
    Efficiency,
    KindTimes,
    LayerLoad,
    Rates,
    latency,
    loads,
    parts,
    shared,
)
from inspector.app.estimates import cost_at
from inspector.engine.client.cpu_speed_history import machine_id
from inspector.engine.client.engine_process import EngineProcess
from inspector.engine.requests import MeasureCeiling
from inspector.errors import InspectorError
from inspector.formats.opening import open_model
from inspector.report.roofline import FLOAT32, INT8

SAMPLES = Path(__file__).parents[1] / "sample_models"
RESULT = Path(__file__).parents[1] / "resources" / "estimates" / "efficiency.json"
REAL = Path(__file__).parents[1] / ".." / "shared" / "models" / "real"
ALONE = "alone"  # family of what only teaches
AWAY = "apart"  # part of what cores that are apart take longer
RUN_SECONDS, LEAST_RUNS, MOST_RUNS = 0.12, 7, 400
# Of the medians the least counts: others may have a real-time priority, too.
ROUNDS = 4
# The network that tells how far cores are from each other, and from which factor of its least
# time on they are apart: it takes 2.3 times as long then.
YARDSTICK = "mobile", 8, 1, 96
APART = 1.5
LAUNCH_NS = 5_000.0  # of CPUs in resources/estimates/devices.json
PAUSE_SECONDS = 0.05  # a real-time process may not have the CPU all the time
MOST_MEDIAN, MOST_BOUND = 0.30, 2.0  # that a release may have
SHARE = 0.9  # of times that lie within the bound
# Where learning begins, and what it stays at where nothing teaches it.
BEGIN = {"arithmetic": 1.3, "memory": 0.4, "launch": 1000.0}
BEGIN_CALL = 3000.0
BEGIN_STEP = 300.0  # of a recurrent layer
STIFFNESS = 0.05  # variance of the logarithms of times over that of what is learned
HUBER = 0.3  # logarithm of a time from which on a model counts less
# id: title, threads, how it runs a file.
DEVICES = {
    "cpu-1": ("ONNX Runtime, CPU, 1 thread", 1),
    "cpu-2": ("ONNX Runtime, CPU, 2 threads", 2),
    "openvino-2": ("OpenVINO, CPU, 2 threads", 2),
}
_TYPES = {
    "tensor(float)": "f4", "tensor(double)": "f8", "tensor(float16)": "f2",
    "tensor(int64)": "i8", "tensor(int32)": "i4", "tensor(uint8)": "u1", "tensor(bool)": "?",
}  # fmt: skip
_RATE = 16_000


@dataclass
class Measured:
    """A model with its median times in ns by device; apart: where cores are apart."""

    family: str
    name: str
    loads: tuple[LayerLoad, ...]
    times: dict[str, float]
    apart: dict[str, float] = field(default_factory=dict)


@dataclass
class Kept:
    """What was measured: models, and ceilings by device."""

    rows: list[Measured]
    rates: dict[str, Rates]

    def least(self, before: "Kept | None") -> "Kept":
        """Return these with the least time of each model in both: others only add to it."""
        known = {} if before is None else {row.name: row for row in before.rows}
        for row in self.rows:
            if (old := known.get(row.name)) is not None:
                for new_ns, old_ns in ((row.times, old.times), (row.apart, old.apart)):
                    for device, ns in old_ns.items():
                        new_ns[device] = min(ns, new_ns.get(device, ns))
        return self


class _Random:
    """Inputs by chance, for the ranges of values."""

    def __init__(self, info: Any) -> None:
        self._info, self._left = info, 2

    def get_next(self) -> dict[str, NDArray[Any]] | None:
        self._left -= 1
        return None if self._left < 0 else {self._info.name: random_input(self._info, {})}


def models(folder: Path, folders: Sequence[Path]) -> Iterator[tuple[str, Path]]:
    """Yield family and file of each model."""
    for source, taught in ((operators_alone.write, False), (sized.write, True)):
        for family, path, quantized in source(folder):
            yield family if taught else ALONE, path
            if quantized:
                yield family if taught else ALONE, _in_int8(path)
    for family, path in chain(unseen.write(folder), later.write(folder)):
        yield family, path
    light = Path(onnx.__file__).parent / "backend" / "test" / "data" / "light"
    for path in sorted(light.glob("*.onnx")):
        yield path.stem.split("_")[-1].rstrip("0123456789"), path
    for each in (SAMPLES, *folders):
        for path in sorted(each.glob("*.onnx")):
            yield path.stem.split("_")[0], path


def _in_int8(path: Path) -> Path:
    from onnxruntime.quantization import QuantFormat, QuantType, quantize_static

    made = path.with_name(f"{path.stem}_int8.onnx")
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    quantize_static(
        path, made, _Random(session.get_inputs()[0]), quant_format=QuantFormat.QDQ,
        activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8, per_channel=True,
    )  # fmt: skip
    return made


def random_input(info: Any, lengths: dict[str, int]) -> NDArray[Any]:
    """Return an input by chance, with lengths of free axes; those not given are 1."""
    shape = [axis if isinstance(axis, int) else lengths.get(axis, 1) for axis in info.shape]
    kind = _TYPES[info.type]
    if info.name == "sr":
        return np.full(shape, _RATE, kind)
    random = np.random.default_rng(1)
    return random.random(shape).astype(kind) if kind[0] == "f" else np.ones(shape, kind)


def runner(device: str, path: Path, lengths: dict[str, int]) -> Callable[[], object]:
    """Return what runs a file once."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.log_severity_level = DEVICES[device][1], 4
    session = onnxruntime.InferenceSession(path, options, ["CPUExecutionProvider"])
    feeds = {info.name: random_input(info, lengths) for info in session.get_inputs()}
    if not device.startswith("openvino"):
        return lambda: session.run(None, feeds)

    sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]
    import openvino

    properties = {
        "INFERENCE_PRECISION_HINT": "f32", "PERFORMANCE_HINT": "LATENCY",
        "INFERENCE_NUM_THREADS": DEVICES[device][1],
    }  # fmt: skip
    compiled = openvino.Core().compile_model(str(path), "CPU", properties)
    request = compiled.create_infer_request()
    for name, array in feeds.items():
        request.set_tensor(name, openvino.Tensor(array, shared_memory=True))
    # The request reads from `feeds`, which therefore have to live as long.
    return lambda: (feeds, request.infer(share_outputs=True))


def median_ns(run: Callable[[], object]) -> float:
    """Return the median time of a run; of about `RUN_SECONDS`."""
    run()
    began = perf_counter_ns()
    run()
    count = int(RUN_SECONDS * 1e9 / max(1, perf_counter_ns() - began))
    return _median_of(run, min(max(count, LEAST_RUNS), MOST_RUNS))


def _median_of(run: Callable[[], object], count: int) -> float:
    times = []
    for _ in range(count):
        began = perf_counter_ns()
        run()
        times.append(perf_counter_ns() - began)
    return float(np.median(times))


def measured(write: Callable[[Path], Iterator[tuple[str, Path]]]) -> list[Measured]:
    """Run all models on all devices. Those that no runtime takes are named.

    write: puts what it makes of them into a folder, and yields family and file of each.
    """
    rows, blocks = [], list[tuple[Measured, str, float, float]]()
    logging.disable(logging.WARNING)  # of the quantizer, about preprocessing
    onnxruntime.set_default_logger_severity(4)
    with tempfile.TemporaryDirectory() as folder, EngineProcess() as engine:
        yardstick = _yardstick(Path(folder))
        for family, path in write(Path(folder)):
            try:
                model = open_model(path)
                estimated = cost_at(engine, path, model, {})
            except InspectorError as error:
                print(f"left out: {path.name}: {error.what}")
                continue
            asked = loads(model, estimated, wide=True)
            rows.append(Measured(family, path.stem, asked, {}))
            for device in DEVICES:
                try:
                    with first_at_the_cpu():
                        run = runner(device, path, dict(estimated.lengths))
                    for _ in range(ROUNDS):
                        sleep(PAUSE_SECONDS)
                        with first_at_the_cpu():
                            before, ns, after = yardstick(), median_ns(run), yardstick()
                        if max(before, after) < APART * min(before, after):  # of one kind
                            blocks.append((rows[-1], device, ns, before))
                except Exception as error:  # noqa: BLE001 - a runtime may refuse in any way
                    print(f"not on {device}: {path.name}: {str(error)[:60]!r}")
    least = min(stick for *_, stick in blocks)
    for row, device, block_ns, stick in blocks:
        is_apart = DEVICES[device][1] > 1 and stick > APART * least
        kept = row.apart if is_apart else row.times
        kept[device] = min(block_ns, kept.get(device, block_ns))
    return [row for row in rows if row.times]


def _yardstick(folder: Path) -> Callable[[], float]:
    """Return what measures the time of a small network with two threads, in ns."""
    family, width, blocks, size = YARDSTICK
    build, kind, _ = sized.FAMILIES[family]
    net, given = Net(family), sized.given(kind, size)
    path = folder / "yardstick.onnx"
    sized.save(net, given, build(net, given.name, width, blocks), path)
    run = runner("cpu-2", path, {})
    return lambda: _median_of(run, LEAST_RUNS)


def ceilings() -> dict[str, Rates]:
    """Measure the peaks of the CPU that this runs on, by device."""
    found = {}
    with first_at_the_cpu(), EngineProcess() as engine:
        for threads in {threads for _, threads in DEVICES.values()}:
            plain = engine.call(MeasureCeiling("cpu", threads, FLOAT32, 0.0))
            small = engine.call(MeasureCeiling("cpu", threads, INT8, plain.bytes_per_second))
            peaks = {FLOAT32: plain.operations_per_second, INT8: small.operations_per_second}
            found[threads] = Rates(peaks, plain.bytes_per_second)
    return {device: found[threads] for device, (_, threads) in DEVICES.items()}


class Fit:
    """What is learned of one device: a factor for each part of each kind of layer, and for
    what takes longer where cores are apart."""

    def __init__(self, rows: Sequence[Measured], device: str, rates: Rates) -> None:
        self.rows, self.device, self.rates = rows, device, rates
        near, more = ([Counter[tuple[str, str]]() for _ in rows] for _ in range(2))
        for row, sums, longer in zip(rows, near, more, strict=True):
            sums[CALL, "launch"] = 1
            for load in row.loads:
                sums.update(parts(load, rates))
                if DEVICES[device][1] > 1:
                    away = shared(load, rates).items()
                    longer.update({(AWAY, part): ns for part, ns in away})
        self.columns = sorted({column for sums in (*near, *more) for column in sums})
        self._begin = np.array([_begin(*column) for column in self.columns])
        self._near, self._more = (
            np.array([[sums[c] for c in self.columns] for sums in table])
            for table in (near, more)
        )
        self.families = np.array([row.family for row in rows])
        self.teaching = self.families == ALONE
        times = [[kept.get(device, np.nan) for kept in (row.times, row.apart)] for row in rows]
        self.logs = np.log(times)  # float64 (models, near or apart); NaN where not measured

    def learn(self, chosen: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return the factors by which logarithms of the chosen rows' times are off least."""
        table = np.concatenate([self._near[chosen], (self._near + self._more)[chosen]])
        logs = self.logs[chosen].T.ravel()
        is_known = ~np.isnan(logs)
        return learn(table[is_known], self._begin, logs[is_known])

    def told(self, factors: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the logarithms of the times of all models, near and apart."""
        near = self._near @ factors
        return np.log(np.stack([near, near + self._more @ factors], axis=1))

    def left_out(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return by which logarithms times are off when families are left out, and for each
        model by how much its times are outside of what is told for near and apart; of what
        only teaches NaN."""
        ends = np.full(self.logs.shape, np.nan)
        for family in sorted({*self.families} - {ALONE}):
            out = self.families == family
            ends[out] = self.told(self.learn(~out))[out]
        off = np.log(np.exp(ends).mean(axis=1))[:, None] - self.logs
        outside = np.maximum(ends[:, :1] - self.logs, self.logs - ends[:, 1:])
        outside = np.where(np.isnan(outside), -np.inf, outside).max(axis=1)
        return off, np.where(self.teaching, np.nan, np.maximum(outside, 0.0))

    def efficiency(self) -> tuple[Efficiency, NDArray[np.float64]]:
        """Return what was learned from all rows with the errors of those left out."""
        off, outside = self.left_out()
        is_whole = ~self.teaching
        worst = {f: outside[self.families == f].max() for f in {*self.families} - {ALONE}}
        inside = 0
        for family in worst:
            others = np.array([error for each, error in worst.items() if each != family])
            inside += int((outside[self.families == family] <= conformal_bound(others)).sum())
        bound = conformal_bound(np.array([*worst.values()]))
        factors = dict(zip(self.columns, self.learn(np.ones(len(off), bool)), strict=True))
        kinds = {kind for kind, _ in factors} - {CALL, WEIGHTS, AWAY}
        title, threads = DEVICES[self.device]

        def times(kind: str) -> KindTimes:
            names = ("arithmetic", "memory", "launch")
            return KindTimes(*(rounded(factors.get((kind, part), 0.0)) for part in names))

        learned = Efficiency(
            self.device, title, "cpu", threads, machine_id()[-1], date.today().isoformat(),
            {kind: times(kind) for kind in sorted(kinds)},
            rounded(factors[WEIGHTS, "memory"]), rounded(factors[CALL, "launch"]),
            int(is_whole.sum()), rounded(float(np.exp(np.nanmedian(np.abs(off))) - 1)),
            rounded(float(np.exp(bound))), inside, self.rates,
            times(AWAY),
        )  # fmt: skip
        return learned, off


def learn(
    table: NDArray[np.float64],
    begin: NDArray[np.float64],
    logs: NDArray[np.float64],
    stiffness: float = STIFFNESS,
) -> NDArray[np.float64]:
    """Return the factors of columns by which logarithms of the rows' sums are off least.

    begin: factors of columns that nothing teaches. Gauss-Newton over logarithms of factors, so
    that they stay positive.
    """
    moved = np.zeros(len(begin))
    for _ in range(100):
        factors = begin * np.exp(moved)
        sums = table @ factors
        off = np.log(sums) - logs
        weight = 1 / np.maximum(1, np.abs(off) / HUBER)
        slope = table * factors / sums[:, None]
        left = slope.T @ (slope * weight[:, None]) + stiffness * np.eye(len(moved))
        step = np.linalg.solve(left, slope.T @ (weight * off) + stiffness * moved)
        largest = float(np.abs(step).max())
        moved -= step / max(1.0, largest)
        if largest < 1e-4:
            break
    return begin * np.exp(moved)


def _begin(kind: str, part: str) -> float:
    if kind == CALL:
        return BEGIN_CALL
    if kind == AWAY:
        return BEGIN[part]
    return BEGIN_STEP if kind in ("lstm", "gru") and part == "launch" else BEGIN[part]


def conformal_bound(errors: NDArray[np.float64]) -> float:
    """Return the error that a new one stays below with `SHARE` (split conformal prediction)."""
    place = min(len(errors), ceil(SHARE * (len(errors) + 1)))
    return float(np.sort(errors)[place - 1])


def rounded(value: float) -> float:
    """Return a number with three digits."""
    return float(f"{value:.3g}")


def worst_shares(rows: Sequence[Measured], device: str, rates: Rates) -> float:
    """Return how many models have times in the range that ceilings alone leave, with the
    launches of public CPUs."""
    rates = msgspec.structs.replace(rates, launch_ns=LAUNCH_NS)
    ranges = [
        (latency(row.loads, rates, None), kept[device])
        for row in rows
        for kept in (row.times, row.apart)
        if device in kept
    ]
    return float(np.mean([each.low_ns <= time <= each.high_ns for each, time in ranges]))


def main() -> None:
    """Print the table; status 1 where an error is larger than a release may have."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, default=[REAL])
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--again", action="store_true")
    options = parser.parse_args()
    kept = None
    if options.keep and options.keep.exists():
        kept = msgspec.json.decode(options.keep.read_bytes(), type=Kept)
    if kept is None or options.again:
        write = partial(models, folders=options.folders)
        kept = Kept(measured(write), ceilings()).least(kept)
    if options.keep:
        options.keep.write_bytes(msgspec.json.encode(kept))
    rows, rates = kept.rows, kept.rates
    learned, good = [], True
    for device in DEVICES:
        run = [row for row in rows if device in row.times or device in row.apart]
        each, off = Fit(run, device, rates[device]).efficiency()
        learned.append(each)
        whole = [row for row in run if row.family != ALONE]
        good &= each.median_error <= MOST_MEDIAN and each.bound <= MOST_BOUND
        print(
            f"{each.title}: {each.models} models left out by family, "
            f"{len(run) - len(whole)} graphs of one operator always in\n"
            f"  median error {each.median_error:.0%}; all times of 9 of 10 families within a "
            f"factor of {each.bound:.2f} of what is told; {each.inside} of {each.models} "
            f"models ({each.inside / each.models:.0%}) within that of the other families\n"
            f"  range from ceilings alone: holds for "
            f"{worst_shares(whole, device, rates[device]):.0%}"
        )
        for kind, errors in zip(("near", "apart"), off.T, strict=True):
            known = np.abs(errors[~np.isnan(errors)])
            if len(known) and each.threads > 1:
                print(
                    f"  cores {kind}: {len(known)} times, median error "
                    f"{np.exp(np.median(known)) - 1:.0%}, 9 of 10 within a factor of "
                    f"{np.exp(conformal_bound(known)):.2f}"
                )
        worst = np.nan_to_num(np.abs(off)).max(axis=1)
        for place in np.argsort(-worst)[:5]:
            print(f"    {run[place].name}: off by a factor of {np.exp(worst[place]):.2f}")
    if options.write:
        RESULT.parent.mkdir(exist_ok=True)
        RESULT.write_bytes(msgspec.json.format(msgspec.json.encode(learned), indent=1) + b"\n")
    print("kept" if good else "MISSED")
    sys.exit(not good)


if __name__ == "__main__":
    main()
