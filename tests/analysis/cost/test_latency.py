"""The estimated time of a run: what layers ask, what kinds reach, what only ceilings leave."""

import numpy as np
import pytest
from msgspec import structs
from onnx import helper

from inspector.analysis.cost.estimate import estimate
from inspector.analysis.cost.latency import Efficiency, KindTimes, Rates, latency, loads, shared
from inspector.analysis.devices.known_devices import measured_devices, public_devices
from inspector.analysis.layer_numbers import estimated_times
from inspector.backends.onnxruntime.graphs.shape_inference import infer
from inspector.formats.opening import open_model
from inspector.report.run_spec import Dimension
from tests import models

RATES = Rates({"float32": 1e9, "int8": 4e9}, 1e9)


def asked(path):
    opened = open_model(path)
    found = estimate(
        opened, lambda given: infer(path, [Dimension(*each) for each in given.items()]), {}
    )
    return loads(opened, found)


def network(path, channels=16):
    """Save a convolution with its activation, a depthwise one, a product and a Softmax."""
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["a"], pads=[1] * 4),
        helper.make_node("Relu", ["a"], ["b"]),
        helper.make_node("Conv", ["b", "d"], ["c"], pads=[1] * 4, group=channels),
        helper.make_node("Transpose", ["k"], ["t"]),  # of weights alone: computed at loading
        helper.make_node("Reshape", ["c", "s"], ["e"]),
        helper.make_node("MatMul", ["e", "t"], ["f"]),
        helper.make_node("Softmax", ["f"], ["y"]),
    ]
    weights = {
        "w": np.zeros((channels, 3, 3, 3), np.float32),
        "d": np.zeros((channels, 1, 3, 3), np.float32),
        "k": np.zeros((10, channels * 64), np.float32),
        "s": np.array([1, -1]),
    }
    shapes = models.value("x", [1, 3, 8, 8]), models.value("y", [1, 10])
    return models.save(path, nodes, shapes[:1], shapes[1:], weights)


def test_layers_ask_for_arithmetic_and_bytes_but_not_what_is_fused_or_folded(tmp_path):
    found = asked(network(tmp_path / "a.onnx"))
    assert [load.kind for load in found] == ["conv", "depthwise", "matmul", "function"]
    conv = found[0]
    assert conv.operations == 2 * 16 * 3 * 9 * 64
    assert conv.weight_bytes == 4 * 16 * 3 * 9
    assert conv.other_bytes == 4 * 64 * (3 + 16)


def test_few_channels_fill_a_vector(tmp_path):
    few, full = (asked(network(tmp_path / f"{n}.onnx", n))[0] for n in (3, 16))
    assert few.operations == full.operations


def test_a_time_is_the_sum_of_its_layers_in_the_interval_of_held_out_models(tmp_path):
    kinds = {
        kind: KindTimes(2.0, 0.5, 100.0) for kind in ("conv", "depthwise", "matmul", "function")
    }
    device = Efficiency("a", "A", "cpu", 1, "", "", kinds, 1.0, 1000.0, 9, 0.2, 1.5, 8, RATES)
    found = asked(network(tmp_path / "a.onnx"))
    told = latency(found, RATES, device)
    by_hand = 1000.0 + sum(
        2 * load.operations * (load.kind != "function")
        + load.weight_bytes + load.other_bytes / 2 + 100
        for load in found
    )  # fmt: skip
    assert told.time_ns == pytest.approx(by_hand)
    assert (told.low_ns, told.high_ns) == pytest.approx((by_hand / 1.5, by_hand * 1.5))
    assert sum(layer.time_ns for layer in told.layers) == pytest.approx(by_hand - 1000.0)


def test_a_range_covers_cores_that_are_near_and_apart_for_layers_that_threads_share(tmp_path):
    device = measured_devices()["cpu-2"]
    found = asked(network(tmp_path / "a.onnx", 64))
    near = latency(found, device.rates, structs.replace(device, apart=KindTimes(0, 0, 0)))
    told = latency(found, device.rates, device)
    more = [shared(load, device.rates) for load in found]
    assert 0 < sum(map(bool, more)) < len(more), "a small product is computed by one thread"
    longer = sum(
        part.get("launch", 0) * device.apart.launch_ns
        + part.get("memory", 0) * device.apart.memory
        for part in more
    )  # fmt: skip
    assert told.low_ns == pytest.approx(near.low_ns)
    assert told.high_ns == pytest.approx(near.high_ns + device.bound * longer)
    assert told.time_ns == pytest.approx(near.time_ns + longer / 2)


def test_the_estimated_times_of_layers_are_numbers_to_color_by(tmp_path):
    path = network(tmp_path / "m.onnx")
    model, found = open_model(path), estimate(open_model(path), lambda _: infer(path, []), {})
    device = measured_devices()["cpu-1"]
    numbers = estimated_times("Time", model, found, device)
    whole = latency(loads(model, found), device.rates, device)
    assert np.nansum(numbers.values) + device.call_ns == pytest.approx(whole.time_ns)
    assert np.isnan(numbers.values).any(), "what is fused takes no time of its own"


def test_ceilings_alone_are_a_range_and_no_number(tmp_path):
    found = asked(network(tmp_path / "a.onnx"))
    told = latency(found, RATES, None)
    best = sum(max(load.operations, load.weight_bytes) for load in found)
    assert told.time_ns is None
    assert told.low_ns == pytest.approx(best)
    assert told.high_ns >= 30 * best


def test_a_device_without_a_type_computes_in_a_wider_one():
    assert RATES.peak("int8") == 4e9
    assert Rates({"float16": 2e9}, 1e9).peak("int8") == 2e9
    assert Rates({"int8": 2e9}, 1e9).peak("float32") == 0


def test_stored_efficiencies_held_on_models_that_were_left_out():
    for device in measured_devices().values():
        assert device.models >= 20
        assert device.median_error <= 0.3
        assert device.bound <= 2.0
        assert device.inside >= 0.85 * device.models


def test_each_public_device_has_ceilings_and_says_where_they_are_from():
    assert len(public_devices()) >= 20
    for device in public_devices().values():
        assert device.sources, device.id
        assert all(source.url.startswith("https://") for source in device.sources)
        if device.rates is not None:
            assert min(device.rates.operations_per_second.values()) > 0
            assert device.rates.bytes_per_second > 0
