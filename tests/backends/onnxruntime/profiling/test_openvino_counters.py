"""OpenVINO's performance counts; only where the package openvino is installed."""

import sys
from importlib import util

import numpy as np
import pytest

from inspector.backends.onnxruntime.profiling.provider_profilers import counts
from inspector.errors import EngineFailed

pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(util.find_spec("openvino") is None, reason="openvino is not installed"),
]
FEEDS = {"picture": np.zeros((1, 1, 8, 8), np.float32)}


def test_layers_of_a_compiled_model_get_their_times(samples):
    told = counts(samples / "digits_float32.onnx", "CPU", FEEDS)
    (whole,) = {each.whole for each in told.values()}
    # Nothing about the share of layers, which take 60 us: on a busy machine, a wait of 1 ms
    # falls on any operation, also on those that openvino adds.
    assert 0 < sum(each.amount for each in told.values()) <= whole
    assert 13 in told  # the dense layer
    assert 14 in told  # the last one, which openvino knows by the name of the output
    assert all(each.unit == "ns" and "openvino" in each.source for each in told.values())
    assert "openvino_telemetry" not in {n for n, module in sys.modules.items() if module}


def test_what_openvino_refuses_is_one_error(samples):
    with pytest.raises(EngineFailed, match="Could not profile"):
        counts(samples / "digits_float32.onnx", "CPU", {"picture": np.zeros(3, np.float32)})
