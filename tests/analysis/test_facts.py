from inspector.analysis.facts.model_facts import facts
from inspector.analysis.facts.requirements import counted
from tests.analysis.build import layers, model, weight


def test_operators_are_counted_with_their_domain_most_frequent_first():
    nodes = layers(
        ("Relu", "x", "a"), ("own.Relu", "a", "b"), ("Relu", "b", "c"), ("Add", "c", "y")
    )
    assert counted(nodes) == (("Relu", 2), ("Add", 1), ("own.Relu", 1))


def test_constants_are_told_apart_from_parameters():
    weights = (
        weight("w", "float32", 10, 40),
        weight("k", "int64", 7, 56, origin="constant", layer=0),
        weight("s", "float16", 5, 4, origin="sparse initializer"),
    )
    known = model(layers(("Relu", "x", "y")), weights=weights)
    found = facts(known)
    assert (known.parameters, found.constants, found.weights_bytes) == (15, 7, 100)


def test_an_empty_model_has_facts():
    found = facts(model())
    assert (found.operators, found.constants, found.weights_bytes) == ((), 0, 0)
    assert found.requirements.by_operators is None
