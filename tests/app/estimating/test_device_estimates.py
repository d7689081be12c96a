"""Estimates for this machine: a latency only on the processor that they were learned on."""

import pytest

from inspector.analysis.cost.estimate import estimate
from inspector.analysis.cost.latency import Rates
from inspector.analysis.devices.known_devices import measured_devices
from inspector.app.estimating import device_estimates
from inspector.app.estimating.device_estimates import estimated, saved_here
from inspector.backends.onnxruntime.graphs.shape_inference import infer
from inspector.formats.opening import open_model
from inspector.report.roofline import Ceiling
from inspector.report.run_spec import Dimension

DEVICE = measured_devices()["cpu-1"]


@pytest.fixture
def told(digits, monkeypatch):
    """Return the estimate for one thread, with ceilings that were measured before."""

    def tell(processor, ceiling):
        monkeypatch.setattr(device_estimates, "machine_id", lambda: ["", "", processor])
        monkeypatch.setattr(device_estimates, "saved", lambda *_: ceiling)
        model = open_model(digits)
        cost = estimate(
            model, lambda given: infer(digits, [Dimension(*each) for each in given.items()]), {}
        )
        return estimated(digits, model, cost, [DEVICE], saved_here).devices

    return tell


def ceiling(factor, busy=False):
    peak = factor * DEVICE.rates.operations_per_second["float32"]
    return Ceiling("cpu", "float32", 1, peak, 4e10, busy=busy)


def test_the_processor_it_was_learned_on_has_a_latency_in_its_interval(told):
    (each,) = told(DEVICE.processor, ceiling(1.0))
    assert each.validated
    low, high = each.latency.low_ns, each.latency.high_ns
    assert low < each.latency.time_ns < high
    assert high / low == pytest.approx(DEVICE.bound**2)


@pytest.mark.parametrize(
    ("processor", "measured"),
    [("another one", ceiling(1.0)), (DEVICE.processor, ceiling(0.5)),
     (DEVICE.processor, ceiling(2.0, busy=True))],
    ids=["another name", "a slower one", "a faster one"],
)  # fmt: skip
def test_another_processor_has_a_range_and_no_number(told, processor, measured):
    (each,) = told(processor, measured)
    assert not each.validated
    assert each.latency.time_ns is None
    assert each.rates == Rates({"float32": measured.operations_per_second}, 4e10)


def test_a_busy_processor_is_the_same_and_one_without_ceilings_is_left_out(told):
    (each,) = told(DEVICE.processor, ceiling(0.4, busy=True))
    assert each.validated
    assert told(DEVICE.processor, None) == ()
