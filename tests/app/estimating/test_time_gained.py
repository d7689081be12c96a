"""The change in latency by an action is told where it was validated, and nowhere else."""

from pathlib import Path
from typing import Any

import onnx
import pytest
from msgspec import structs
from onnx import parser

from inspector.analysis.cost.latency import LayerLoad, latency, loads
from inspector.analysis.cost.time_gained import ActionTimes, KindError, action_times, foretold
from inspector.analysis.devices.known_devices import measured_devices
from inspector.app.estimates import cost_at
from inspector.app.estimating.time_gained import effects_with_time, time_changes
from inspector.backends.onnxruntime.graphs.shape_inference import infer
from inspector.conversion.action import Effect, Step, parse_step
from inspector.conversion.registry import ACTIONS
from inspector.formats.opening import open_model
from inspector.report.run_spec import RunSpec
from inspector.wording.values import Count, Sentence

MODEL = """<ir_version: 8, opset_import: ["" : 17]>
net (float[1, 64] x) => (float[1, 64] y) <float[64, 64] w = {%s}> {
  a = MatMul (x, w) b = MatMul (a, w) y = MatMul (b, w) }"""
DEVICE = measured_devices()["cpu-2"]
TOLD = "weights-8bit"


class Engine:
    """Infers shapes in this process; all actions apply but one."""

    def shapes(self, path: Path, dimensions: Any, _: float) -> Any:
        return infer(path, dimensions)

    def call(self, request: Any) -> tuple[Effect, ...]:
        return tuple(
            Effect(nothing="done" if step.action == "int8" else "") for step in request.others
        )


@pytest.fixture(scope="module")
def net(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("gain") / "net.onnx"
    onnx.save(parser.parse_model(MODEL % ", ".join(["1"] * 4096)), path)
    return path


def told(net: Path, text: str, spec: RunSpec, same: bool = True, steps: tuple[Step, ...] = ()):
    """Return what is told of a step."""
    here = lambda _, device: (device.rates, same)  # noqa: E731
    (effect,) = effects_with_time(
        Engine(), net, open_model(net), steps, [parse_step(text, ACTIONS)], spec, here
    )
    return effect


def test_parts_of_the_time_change_by_their_factors(net):
    model = open_model(net)
    layers = loads(model, cost_at(Engine(), net, model, {}))  # type: ignore[arg-type]
    factors = {"matmul": {"weights": 3.0, "launch": 2.0}}
    action = ActionTimes("x", DEVICE.id, "", factors, (KindError("product", 8, 0.1, 1.5),))
    found = foretold(layers, DEVICE, action)
    whole = latency(layers, DEVICE.rates, DEVICE).time_ns
    weights = sum(e.weight_bytes for e in layers) * 1e9 / DEVICE.rates.bytes_per_second
    more = 2 * weights * DEVICE.weights + 3 * DEVICE.kinds["matmul"].launch_ns
    assert found.ratio == pytest.approx((whole + more) / whole)
    assert (found.low, found.high) == pytest.approx((found.ratio / 1.5, found.ratio * 1.5))
    of_values = tuple(structs.replace(each, weight_bytes=0.0) for each in layers)
    assert foretold(of_values, DEVICE, action).ratio == pytest.approx(1)


@pytest.mark.parametrize(
    ("error", "precision", "why"),
    [
        (KindError("product", 8, 0.1, 2.1), "float32", {"bound": "2.1"}),
        (KindError("product", 7, 0.1, 1.1), "float32", {"networks": Count(7, "network")}),
        (KindError("conv", 8, 0.1, 1.1), "float32", {"networks": Count(0, "network")}),
        (KindError("product", 8, 0.1, 1.1), "int8", {}),
    ],
    ids=["too far off", "too few networks", "another kind", "integers already"],
)
def test_kinds_of_models_without_a_validated_error_have_a_reason(error, precision, why):
    action = ActionTimes("x", DEVICE.id, "", {}, (error,))
    found = foretold((LayerLoad(0, "matmul", precision, 1e6, 1e5, 1e4),), DEVICE, action)
    assert isinstance(found, Sentence)
    assert found.values == why


def test_products_of_a_row_become_far_slower_with_8_bit_weights_as_measured(net):
    effect = told(net, TOLD, RunSpec(threads=2))
    assert effect.foretold.low > 1, "measured: 6 to 24 times as slow"
    assert not effect.not_foretold
    assert TOLD in {each.action for each in action_times()}


@pytest.mark.parametrize(
    ("text", "spec", "more"),
    [
        (f"{TOLD}:block=64", RunSpec(threads=2), {}),
        ("strip", RunSpec(threads=2), {}),
        ("int8", RunSpec(threads=2), {}),
        (TOLD, RunSpec(threads=1), {}),
        (TOLD, RunSpec(threads=2, devices=("openvino:cpu",)), {}),
        (TOLD, RunSpec(threads=2), {"same": False}),
        (TOLD, RunSpec(threads=2), {"steps": (Step("strip"),)}),
    ],
    ids=["options", "action", "nothing to do", "threads", "device", "processor", "after steps"],
)
def test_nothing_is_told_that_was_not_validated(net, text, spec, more):
    effect = told(net, text, spec, **more)
    assert effect.foretold is None
    assert bool(effect.not_foretold) == text.startswith(TOLD), "a reason, if it was measured"


def test_layers_with_graphs_inside_are_not_told(samples):
    loop = samples / "sequence_loop.onnx"
    told = time_changes(Engine(), loop, open_model(loop), RunSpec(threads=2))
    assert isinstance(told(Step(TOLD)), Sentence)
