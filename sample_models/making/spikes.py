"""Spikes in a measured signal of any length, found sample by sample in a Loop."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray

from sample_models.making.graph import GraphInMaking, save, value
from sample_models.making.running import run

FILE, SIGNAL = "sequence_loop.onnx", "sequence.npy"
SPIKES = (97, 240, 402, 555)
LIMIT, SLOWEST, SETTLED = 6.0, 0.02, 20  # deviations; rate of forgetting; samples to wait

STEP = """mean and variance follow the signal: fast at first, later forgetting 2% a sample.
A sample more than 6 deviations away is an alarm and teaches nothing."""


def make(folder: Path) -> Iterator[dict[str, object]]:
    """Write the model and a signal with four spikes; yield what the index says of it."""
    path = folder / FILE
    description = "Finds spikes in a signal of any length; its state goes on where it stopped"
    metadata = {"preparation": "float32 samples in any unit; a state of zeros to start with"}
    save(path, graph(), description, metadata)
    signal = recorded()
    np.save(folder / "inputs" / SIGNAL, signal)
    found = run(path, {"signal": signal, "state": np.zeros(3, "f4")})["alarm"]
    places = ", ".join(str(place) for place in np.flatnonzero(found))
    yield {
        "file": FILE,
        "task": "signal processing",
        "shows": "A Loop with layers in its body, a dynamic axis, and a state",
        "try": [
            {
                "inputs": {"signal": f"inputs/{SIGNAL}", "state": "zeros"},
                "answer": f"alarm is true at samples {places}",
            }
        ],
    }


def recorded() -> NDArray[np.float32]:
    """float32 (600,): a slow wave with noise, and a spike at each of SPIKES."""
    random = np.random.default_rng(23)
    time = np.arange(600)
    signal = 20 + 0.6 * np.sin(time / 95) + random.normal(0, 0.15, 600)
    signal[list(SPIKES)] += (3.0, -3.5, 2.5, 4.0)
    return signal.astype("f4")


def graph() -> onnx.GraphProto:
    """The Loop around `step`, with the state taken apart before and put together after."""
    making = GraphInMaking("spikes")
    shape = making.node("Shape", "input/shape", "signal")
    zero = making.weight("input/zero", np.array(0, np.int64))
    length = making.node("Gather", "input/length", shape, zero)
    parts = [f"state/{part}" for part in ("mean", "variance", "count")]
    making.node_with("Split", "state/split", ("state",), parts, axis=0)
    go = making.weight("loop/go", np.array(True))
    ends = [f"{part}_end" for part in parts]
    making.node_with(
        "Loop", "loop", (length, go, *parts), (*ends, "score", "alarm"), doc=STEP, body=step()
    )
    making.result(making.node("Concat", "state/concat", *ends, axis=0), "state_out")
    return making.proto(
        [
            value("signal", "float32", ["time"], "Samples"),
            value("state", "float32", [3], "Mean, variance and samples seen; zeros at first"),
        ],
        [
            value("score", "float32", ["time"], "Deviations off the mean; 0 for the first 20"),
            value("alarm", "bool", ["time"], "True at a spike"),
            value("state_out", "float32", [3], "To go on with"),
        ],
    )


def step() -> onnx.GraphProto:
    """Body of the Loop for one sample, which it takes from `signal` outside."""
    making = GraphInMaking("step")
    length = making.weight("step/length", np.array([1], np.int64))
    place = making.node("Reshape", "step/place", "iteration", length)
    sample = making.node("Gather", "step/sample", "signal", place)
    difference = making.node("Sub", "step/difference", sample, "mean")
    one = _number(making, "step/one", 1)
    count = making.node("Add", "step/count", "count", one)
    score = _score(making, difference, count)
    alarm = making.node("Greater", "step/alarm", score, _number(making, "step/limit", LIMIT))
    mean, variance = _follow(making, difference, count, one)
    mean = making.node("Where", "step/keep_mean", alarm, "mean", mean)
    variance = making.node("Where", "step/keep_variance", alarm, "variance", variance)
    on = making.node("Identity", "step/go_on", "go")
    axis = making.weight("step/axis", np.array([0], np.int64))
    score = making.node("Squeeze", "step/score_scalar", score, axis)
    alarm = making.node("Squeeze", "step/alarm_scalar", alarm, axis)
    return making.proto(
        [
            value("iteration", "int64", []),
            value("go", "bool", []),
            *(value(name, "float32", [1]) for name in ("mean", "variance", "count")),
        ],
        [
            value(on, "bool", []),
            *(value(name, "float32", [1]) for name in (mean, variance, count)),
            value(score, "float32", []),
            value(alarm, "bool", []),
        ],
    )


def _score(making: GraphInMaking, difference: str, count: str) -> str:
    """Deviations away from the mean; 0 while there is too little to judge by."""
    safe = making.node("Add", "step/safe", "variance", _number(making, "step/floor", 1e-6))
    deviation = making.node("Sqrt", "step/deviation", safe)
    distance = making.node("Abs", "step/distance", difference)
    ratio = making.node("Div", "step/ratio", distance, deviation)
    settled = _number(making, "step/settled", SETTLED)
    ready = making.node("Greater", "step/ready", count, settled)
    return making.node("Where", "step/score", ready, ratio, _number(making, "step/nothing", 0))


def _follow(making: GraphInMaking, difference: str, count: str, one: str) -> tuple[str, str]:
    """Mean and variance with the sample in: Welford's, until its weight would fall further."""
    fair = making.node("Div", "step/fair", one, count)
    rate = making.node("Max", "step/rate", fair, _number(making, "step/slowest", SLOWEST))
    move = making.node("Mul", "step/move", difference, rate)
    square = making.node("Mul", "step/square", difference, move)
    grown = making.node("Add", "step/grown", "variance", square)
    rest = making.node("Sub", "step/rest", one, rate)
    mean = making.node("Add", "step/mean", "mean", move)
    return mean, making.node("Mul", "step/variance", grown, rest)


def _number(making: GraphInMaking, name: str, number: float) -> str:
    return making.weight(name, np.array([number], np.float32))
