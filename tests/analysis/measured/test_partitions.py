from dataclasses import replace

import pytest

from inspector.analysis.measured.partitions import described_bytes, layers_on, partition
from inspector.report.report import LayerUse
from inspector.wording.support_marks import Status
from tests.reports import CPU, GPU, example_report


def test_islands_are_runs_of_layers_on_one_device():
    found = partition(example_report())
    assert [(island.device, island.layers) for island in found.islands] == [
        (GPU, tuple(range(9))), (CPU, (9,)), (GPU, (*range(10, 16), 17, 18)), (CPU, (19, 20)),
    ]  # fmt: skip
    assert found.divided


def test_crossings_tell_bytes_and_both_sides():
    report = example_report()
    found = partition(report).crossings
    assert [(c.after, c.before, c.source, c.target, c.size_bytes) for c in found] == [
        (8, 9, GPU, CPU, 128), (9, 10, CPU, GPU, 128), (18, 19, GPU, CPU, 4000),
    ]  # fmt: skip
    copies = [node.time_ns for node in report.inserted if node.kind == "copy"]
    assert [crossing.time_ns for crossing in found] == copies


def test_a_layer_between_two_copies_is_dear():
    found = partition(example_report())
    first, second = found.dear
    assert (first.layers, len(first.copies), first.copied_bytes) == ((9,), 2, 256)
    assert second.layers[0] == 10
    assert first.copied_ns == sum(c.time_ns for c in found.crossings[:2])


def test_every_layer_that_ran_is_in_one_island():
    report = example_report()
    inside = [layer for island in partition(report).islands for layer in island.layers]
    assert len(inside) == len(set(inside))
    assert sum(island.time_ns for island in partition(report).islands) == sum(
        layer.time_ns or 0 for layer in report.layers
    )


def test_a_layer_that_did_not_run_divides_nothing():
    layers = [LayerUse(i, f"l{i}", "Relu", Status.EXECUTED, CPU, 5) for i in range(3)]
    layers[1] = replace(layers[1], status=Status.FOLDED, ran_on=None, time_ns=None)
    report = example_report(layers=tuple(layers), inserted=())
    (island,) = partition(report).islands
    assert island.layers == (0, 2)
    assert not partition(report).divided
    assert partition(report).dear == ()


def test_beside_inputs_and_outputs_there_is_the_processor():
    report = example_report()
    copy = next(node for node in report.inserted if node.kind == "copy")
    ends = (replace(copy, after=None, before=0), replace(copy, after=0, before=None))
    found = partition(replace(report, inserted=ends)).crossings
    assert [(c.source, c.target) for c in found] == [(CPU, GPU), (GPU, CPU)]


def test_what_goes_in_and_out_of_a_compiled_part_crosses_within_its_time():
    plain, compiled = Status.EXECUTED, Status.COMPILED
    layers = (
        LayerUse(0, "a", "Conv", plain, CPU, 5, output="float32 1×4×8"),
        LayerUse(1, "b", "Conv", compiled, GPU, 9, output="float32 1×4×8", reads=(0,)),
        LayerUse(
            2, "c", "Relu", compiled, None, None, into=1, output="uint8 2×3", reads=(1, 0)
        ),
        LayerUse(3, "d", "Softmax", plain, CPU, 5, output="float32 1", reads=(2,)),
    )
    found = partition(example_report(layers=layers, inserted=()))
    assert [(c.after, c.before, c.source, c.target, c.size_bytes) for c in found.crossings] == [
        (0, 1, CPU, GPU, 128), (2, 3, GPU, CPU, 6),
    ]  # fmt: skip
    assert {crossing.time_ns for crossing in found.crossings} == {None}
    assert [layers_on(example_report(layers=layers), d) for d in (CPU, GPU)] == [2, 2]
    assert found.copied == "134 B per run, passed on inside compiled partitions"
    assert found.dear == ()


@pytest.mark.parametrize(
    ("text", "size"),
    [("float32 1×4×8", 128), ("int4 3", 2), ("bool 5", 5), ("float8e4m3fn 7", 7),
     ("bfloat16 scalar", 2), ("float32 batch×8", 0), ("string 4", 0), ("", 0)],
)  # fmt: skip
def test_bytes_follow_from_type_and_shape(text, size):
    assert described_bytes(text) == size
