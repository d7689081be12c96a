"""What became of layers in the optimized graph, as sentences and counts."""

import numpy as np
import pytest

from inspector.analysis.measured.executed_graph import (
    ExecutedGraph,
    ExecutedNode,
    LayerFate,
    kind_of,
    node_times,
    summary,
    what_became_of,
    with_original_names,
)
from inspector.model.layer_values import LayerNumbers, Quantity
from inspector.wording.support_marks import Status
from tests.analysis.build import layers, model, value
from tests.reports import example_report

LAYERS = tuple(
    layer._replace(name=f"{layer.operator.lower()}{layer.index}")
    for layer in layers(
        ("Conv", "x", "a"), ("Relu", "a", "b"), ("Constant", "", "c"), ("Gelu", "b", "d"),
        ("Identity", "d", "e"), ("Add", "e c", "y"),
    )
)  # fmt: skip
RUN, FUSED = LayerFate(Status.EXECUTED), LayerFate(Status.FUSED, 0)
GRAPH = ExecutedGraph(
    nodes=(
        ExecutedNode("conv0", "FusedConv", (0, 1), 0),
        ExecutedNode("ReorderOutput of b", "ReorderOutput", kind="layout", after=0, before=3),
        ExecutedNode("gelu3", "Mul", (3,), 3),
        ExecutedNode("gelu3", "Erf", (3,), 3),
        ExecutedNode("add5", "Add", (5,), 5),
    ),
    fates=(RUN, FUSED, LayerFate(Status.FOLDED), RUN, LayerFate(Status.ELIMINATED), RUN),
    tensors={"T0": "a", "T1": "b"},
    runtime="ONNX Runtime 1",
    devices=("cpu",),
    optimization="all",
)


@pytest.mark.parametrize(
    ("layer", "text"),
    [
        (0, "Runs as one FusedConv together with relu1."),
        (1, "Fused into conv0 as FusedConv."),
        (2, "Folded: it depends on no input, so it is computed once, during loading."),
        (3, "Split into 2 nodes (Mul, Erf)."),
        (4, "Removed: it has no effect on the result."),
        (5, "Runs unchanged."),
        (6, ""),
    ],
)
def test_what_became_of_a_layer_is_one_sentence(layer, text):
    assert what_became_of(GRAPH, LAYERS, layer) == text


def test_layers_and_nodes_lead_to_each_other():
    assert [GRAPH.node_for(layer) for layer in range(6)] == [0, 0, None, 2, None, 4]
    assert [kind_of(node) for node in GRAPH.nodes] == ["fused", "layout", "", "", ""]
    assert [node.name for node in GRAPH.inserted] == ["ReorderOutput of b"]


def test_the_summary_counts_layers_and_nodes():
    text = "6 layers became 5 nodes, 1 fused from several layers, 2 layers folded or removed"
    assert summary(GRAPH, 6) == f"{text}, 1 node inserted"


def test_the_optimized_model_gets_the_names_of_the_file():
    nodes = layers(
        ("FusedConv", "x", "T1_nchwc"), ("ReorderOutput", "T1_nchwc", "T1"),
        ("Mul", "T1", "L3_part"), ("Erf", "L3_part", "t"), ("Add", "t", "y"),
    )  # fmt: skip
    optimized = model(nodes, values=(value("T1"),))
    named = with_original_names(optimized, GRAPH, model(LAYERS))
    assert [layer.name for layer in named.layers] == [node.name for node in GRAPH.nodes]
    assert named.layers[1].inputs + named.layers[1].outputs == ("b_nchwc", "b")
    assert named.layers[2].outputs == ("gelu3_part",)
    assert [each.name for each in named.values] == ["b"]


def test_times_are_those_of_a_report_with_the_same_optimization():
    report = example_report()
    nodes = tuple(ExecutedNode(u.name, u.operator, (u.index,), u.index) for u in report.layers)
    spec = report.spec
    graph = ExecutedGraph(nodes, (), {}, "", spec.devices, spec.optimization)
    times = node_times(graph, report, "Time")
    expected = [np.nan if use.time_ns is None else use.time_ns for use in report.layers]
    np.testing.assert_array_equal(times.values, expected)
    other = ExecutedGraph(nodes, (), {}, "", spec.devices, "none")
    assert node_times(other, report, "Time") is None


def test_a_time_below_the_step_of_the_clock_is_no_number():
    values = np.array([316.0])
    assert LayerNumbers("Time", values, Quantity.TIME).written(316) == "316 ns"
    assert LayerNumbers("Time", values, Quantity.TIME, clock_ns=1000).written(316) == "< 1 µs"
