import pytest
from msgspec.structs import replace

from inspector.backends.onnxruntime.attribution.attribution import (
    Attribution,
    Body,
    Executed,
    LayerOutcome,
)
from inspector.backends.onnxruntime.profiling.evaluation import match_kernels, unmatched
from inspector.backends.onnxruntime.profiling.profile import Kernel
from inspector.wording.support_marks import Status


def kernel(name: str, operator: str, start: int, number: int = 0) -> Kernel:
    return Kernel(
        name, operator, "CPUExecutionProvider", number, start, 5, 5, None, 0, 0, (), ()
    )


def attribution(*graphs: tuple[int | None, str, list[tuple[str, str]]]) -> Attribution:
    """Graphs as (owner, branch, [(name, operator)]); nodes are numbered as they come."""
    executed: list[Executed] = []
    bodies = []
    for number, (owner, branch, nodes) in enumerate(graphs):
        places = range(len(executed), len(executed) + len(nodes))
        bodies.append(Body(owner, branch, tuple(places)))
        executed += [
            Executed(place, number, name, operator, place, (place,))
            for place, (name, operator) in zip(places, nodes, strict=True)
        ]
    fates = (LayerOutcome(Status.EXECUTED),) * len(executed)
    return Attribution(tuple(executed), tuple(bodies), fates)


def test_a_name_finds_its_node_in_every_run():
    known = attribution((None, "", [("L0", "Conv"), ("L1", "Relu")]))
    kernels = [kernel(f"L{i}", "any", 10 * n) for n, i in enumerate([0, 1, 0, 1])]
    assert match_kernels(kernels, known) == (0, 1, 0, 1)


def test_nodes_without_a_name_ran_in_the_order_of_the_file():
    known = attribution((None, "", [("", "Mul"), ("L1", "Add"), ("", "Mul"), ("", "Tanh")]))
    kernels = [
        kernel("Mul_9", "Mul", 0, 9),
        kernel("L1", "Add", 10, 1),
        kernel("Mul_4", "Mul", 20, 4),
        kernel("Tanh_5", "Tanh", 30, 5),
        kernel("Mul_9", "Mul", 40, 9),
        kernel("Mul_4", "Mul", 50, 4),
    ]
    assert match_kernels(kernels, known) == (0, 1, 2, 3, 0, 2)


def test_nodes_of_one_name_are_told_apart_by_the_order_in_which_they_run():
    known = attribution((None, "", [("same", "Cast"), ("same", "Cast")]))
    kernels = [kernel("same", "Cast", 0, 7), kernel("same", "Cast", 10, 3)]
    assert match_kernels(kernels, known) == (0, 1)


def test_kernels_inside_a_node_belong_to_its_subgraph():
    known = attribution(
        (None, "", [("L0", "Loop"), ("cast", "Cast")]), (0, "body", [("cast", "Cast")])
    )
    kernels = [
        replace(kernel("cast", "Cast", 1), parent=2),
        replace(kernel("cast", "Cast", 3), parent=2),
        kernel("L0", "Loop", 0),
        kernel("cast", "Cast", 10),
    ]
    assert match_kernels(kernels, known) == (2, 2, 0, 1)


@pytest.mark.parametrize(("name", "expected"), [("L1", 1), ("L3", 3)])
def test_each_call_of_an_if_takes_one_of_its_branches(name, expected):
    known = attribution(
        (None, "", [("L0", "If")]),
        (0, "then_branch", [("L1", "Tanh"), ("", "Mul")]),
        (0, "else_branch", [("L3", "Exp"), ("", "Mul")]),
    )
    kernels = [
        replace(kernel(name, "any", 1), parent=2),
        replace(kernel("Mul_1", "Mul", 2, 1), parent=2),
        kernel("L0", "If", 0),
    ]
    assert match_kernels(kernels, known) == (expected, expected + 1, 0)


def test_what_nobody_knows_is_told_by_operator():
    known = attribution((None, "", [("L0", "Conv")]))
    kernels = [kernel("L0", "Conv", 0), kernel("ghost", "Cast", 5), kernel("", "Mul", 9)]
    found = match_kernels(kernels, known)
    assert found == (0, None, None)
    assert unmatched(kernels, found) == {"Cast": 1, "Mul": 1}
