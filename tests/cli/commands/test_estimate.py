"""inspector estimate: latency on devices that nobody measured, and on those of a file."""

import json

import numpy as np
import pytest
from onnx import helper, numpy_helper

from inspector.analysis.devices import known_devices
from tests import models
from tests.command_line import errors_of, json_of, output_of


def test_a_public_device_has_a_range_and_no_verdict(digits):
    told = json_of("estimate", digits, "--target", "raspberry-pi-5,nano-33-ble")
    assert [device["id"] for device in told["devices"]] == ["raspberry-pi-5", "nano-33-ble"]
    assert told["macs"] == 456_704
    for device in told["devices"]:
        assert not device["validated"]
        assert device["latency_ns"] is None
        # The convolutions alone, at the peak.
        peak = device["rates"]["operations_per_second"]["float32"]
        assert device["low_ns"] >= 2 * 456_704 / peak * 1e9 * 0.99
        assert device["high_ns"] > 10 * device["low_ns"]
    text = output_of("estimate", digits, "--target", "nano-33-ble")
    assert "not validated" in text
    assert "About" not in text


def test_more_rows_take_longer(digits):
    one, eight = (
        json_of("estimate", digits, "--target", "raspberry-pi-5", "--dim", f"batch={count}")
        for count in (1, 8)
    )
    assert eight["macs"] == 8 * one["macs"]
    assert eight["devices"][0]["low_ns"] > 4 * one["devices"][0]["low_ns"]


def test_a_device_of_a_file(digits, tmp_path):
    device = {
        "id": "mine", "title": "Mine", "kind": "board", "unit": "CPU",
        "rates": {"operations_per_second": {"float32": 1e9}, "bytes_per_second": 1e9},
    }  # fmt: skip
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({"schema": "device-ceilings/1", "devices": [device]}))
    (told,) = json_of("estimate", digits, "--target", path)["devices"]
    assert told["title"] == "Mine"
    device["rates"]["bytes_per_second"] = 0
    path.write_text(json.dumps({"schema": "device-ceilings/1", "devices": [device]}))
    shown = errors_of("estimate", digits, "--target", path)
    assert "the rates of mine are not above 0" in shown


@pytest.mark.parametrize(
    ("target", "why"),
    [
        ("phone", "There is no device 'phone'"),
        ("phone", "the nearest are apple-a18-pro-ane, apple-a16-gpu"),
        ("Snapdragon X Elite", "nearest are snapdragon-x-elite-npu, snapdragon-x-elite-gpu"),
        ("Tensy 4.1", "the nearest are teensy-4.1"),
        ("no.json", "no.json"),
        ("bad.json", "Could not"),
    ],
)
def test_what_is_no_device_is_refused_with_the_names(digits, tmp_path, target, why):
    (tmp_path / "bad.json").write_text('{"schema": 1}')
    named = tmp_path / target if target.endswith(".json") else target
    assert why in errors_of("estimate", digits, "--target", named)


def test_the_memory_of_a_language_model_is_without_the_runtimes_program():
    (phone,) = json_of("estimate", "sample:alice", "--target", "apple-a18-pro-ane")["devices"]
    parts = json_of("memory", "sample:alice")["estimates"][0]
    assert phone["memory"]["ram_high_bytes"] == parts["total_bytes"] - parts["process_bytes"]


@pytest.mark.parametrize("name", ["iPhone 16 Pro", "iphone 16 pro (a18 pro), neural engine"])
def test_a_device_has_the_name_of_the_table_too(name):
    assert [device.id for device in known_devices.chosen([name])] == ["apple-a18-pro-ane"]


def test_layers_of_unknown_cost_leave_no_range(tmp_path):
    nodes = [helper.make_node("Mystery", ["x"], ["y"], domain="com.example")]
    ends = [models.value(name, [1, 8]) for name in "xy"]
    path = models.save(tmp_path / "m.onnx", nodes, ends[:1], ends[1:])
    (told,) = json_of("estimate", path, "--target", "raspberry-pi-5")["devices"]
    assert told["low_ns"] is None
    assert told["high_ns"] is None
    assert told["memory"]["fits"]
    said = output_of("estimate", path, "--target", "raspberry-pi-5")
    assert "No range for Raspberry Pi 5" in said


def test_a_device_that_is_too_small_says_in_which_memory(tmp_path):
    weights = numpy_helper.from_array(np.ones((1000, 200), np.float32), "w")
    node = helper.make_node("MatMul", ["x", "w"], ["y"])
    ends = [models.value("x", [1, 1000])], [models.value("y", [1, 200])]
    path = models.save(tmp_path / "m.onnx", [node], *ends, [weights])
    assert "does not fit in flash" in output_of("estimate", path, "--target", "nrf52832")
