import pytest

from inspector.analysis.measured.operator_types import operator_types
from inspector.report.report import LayerUse, Support
from inspector.wording.support_marks import Mark, Source, Status
from tests.reports import CPU, GPU, example_report


def layer(index: int, operator: str, time_ns: int | None, **marks: Mark) -> LayerUse:
    devices = {
        {"gpu": GPU, "cpu": CPU}[name]: Support(mark, Source.PROBED)
        for name, mark in marks.items()
    }
    status = Status.FUSED if time_ns is None else Status.EXECUTED
    return LayerUse(index, f"n{index}", operator, status, CPU, time_ns, devices)


def test_types_are_added_up_with_those_that_take_most_time_first():
    layers = (
        layer(0, "Relu", None, gpu=Mark.FUSED),
        layer(1, "Conv", 300, gpu=Mark.RAN, cpu=Mark.SUPPORTED),
        layer(2, "Conv", 500, gpu=Mark.UNSUPPORTED, cpu=Mark.RAN),
        layer(3, "Add", 900, cpu=Mark.RAN),
    )
    report = example_report(layers=layers, inserted=(), kernel_ns=2000)
    add, conv, relu = operator_types(report)
    assert (add.operator, add.time_ns, add.share) == ("Add", 900, 0.45)
    assert (conv.layers, conv.timed_layers, conv.time_ns, conv.share) == (2, 2, 800, 0.4)
    assert (relu.time_ns, relu.timed_layers, relu.time_text) == (
        None,
        0,
        "not timed separately",
    )
    assert (conv.support_text(GPU), conv.support_text(CPU)) == ("1 of 2", "all")
    assert relu.support_text(GPU) == "all"
    assert add.support_text(GPU) == "not checked"


def test_layers_and_times_are_those_of_the_report():
    report = example_report()
    types = operator_types(report)
    assert sum(one.layers for one in types) == len(report.layers)
    added = sum(node.time_ns for node in report.inserted)
    assert sum(one.time_ns or 0 for one in types) + added == report.kernel_ns
    assert sum(one.share for one in types) == pytest.approx(1 - added / report.kernel_ns)
