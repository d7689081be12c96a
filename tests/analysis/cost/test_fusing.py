"""Which layers one kernel computes is known before the optimizer of the runtime says so."""

import pytest

from inspector.analysis.cost.fusing import fuse
from inspector.analysis.cost.kernels import KernelGraph
from tests.analysis.build import layers, value

WEIGHTS = {"root": (), "one": (), "half": ()}


@pytest.mark.parametrize(
    ("ends", "kernels"),
    [
        ([("Mul", "x c", "d"), ("Mul", "d half", "y")], ["Gelu"]),
        ([("Mul", "x half", "h"), ("Mul", "h c", "y")], ["Gelu"]),
        ([("Mul", "z half", "h"), ("Mul", "h c", "y")], ["Div", "Erf", "Add", "Mul", "Mul"]),
    ],
)
def test_the_error_function_of_half_an_input_is_one_kernel_in_any_order(ends, kernels):
    error = (("Div", "x root", "a"), ("Erf", "a", "b"), ("Add", "b one", "c"))
    made = layers(*error, *ends)
    types = {name: value(name) for layer in made for name in (*layer.inputs, *layer.outputs)}
    graph = KernelGraph(made, types, WEIGHTS, {}, set(), ["x", "z"], ["y"], {}, {})
    fuse(graph)
    assert sorted(each.operator for each in graph.ordered()) == sorted(kernels)
