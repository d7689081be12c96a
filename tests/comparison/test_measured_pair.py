"""What a search measured of two models, in both directions."""

import pytest

from inspector.comparison.measured_pair import measured_pair
from inspector.report.improvement import Accuracy, Candidate, DataSet, Improvement, Latency
from inspector.statistics.significance import Verdict

TOP1 = Accuracy("top1", "Top-1 accuracy", 0.944, 0.946, -0.002, -0.0088, 0.0048, 500)
SAME = Accuracy("same_class", "Same class as the original", 0.998, None, -0.002, -0.01, 0, 500)
LATENCY = Latency(40e3, change=-0.2, low=-0.25, high=-0.15, original=Latency(50e3))
INT8 = Candidate("Int8", ("int8",), 300, 4, "", LATENCY, (TOP1, SAME))
NOW = Improvement(
    "m.onnx", "0" * 64, "cpu", Candidate("m.onnx", size_bytes=1000), (INT8,), "top1", 0.01, 0,
    test=DataSet("photos/test", 500),
)  # fmt: skip


def test_a_search_tells_latency_accuracy_and_agreement_of_both():
    pair = measured_pair(NOW, INT8)
    assert pair.p50_ns == (50e3, 40e3)
    assert pair.latency.verdict is Verdict.FASTER
    change = "−0.20 points (95% CI −0.88 to +0.48), 500 inputs"
    assert pair.accuracy_texts == ("94.60%", "94.40%", change)
    assert pair.agreement_text == "same class 99.80%, 500 inputs"
    assert pair.more_accurate is False


def test_the_other_way_round_everything_is_reversed():
    pair = measured_pair(NOW, INT8).swapped
    assert pair.p50_ns == (40e3, 50e3)
    assert pair.latency.verdict is Verdict.SLOWER
    assert pair.latency.ratio == pytest.approx(1.25)
    assert (pair.latency.low, pair.latency.high) == pytest.approx((1 / 0.85, 1 / 0.75))
    change = "+0.20 points (95% CI −0.48 to +0.88), 500 inputs"
    assert pair.accuracy_texts == ("94.40%", "94.60%", change)
    assert pair.more_accurate is True
    assert pair.swapped.accuracy_texts == measured_pair(NOW, INT8).accuracy_texts
