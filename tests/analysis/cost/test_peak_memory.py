import pytest

from inspector.analysis.cost.peak_memory import peak
from inspector.analysis.facts.shapes import Body, Shapes
from inspector.analysis.facts.symbolic_sizes import symbol
from inspector.model.model import Model, TensorInfo
from tests.analysis.build import layers, model, weight

KB = 250  # float32 elements of 1,000 bytes


def sized(**sizes: int | str) -> Shapes:
    """Values of so many thousand bytes, or as many as a free axis says."""
    values = tuple(
        TensorInfo(n, "tensor", "float32", (s, KB) if isinstance(s, str) else (s * KB,))
        for n, s in sizes.items()
    )
    return Shapes((Body(values=values),))


def of(*rows: tuple[str, str, str], **more: object) -> Model:
    return model(layers(*rows), **more)


def test_a_value_lives_until_the_last_layer_that_takes_it() -> None:
    chain = of(("Conv", "x", "a"), ("Conv", "a", "b"), ("Conv", "b", "y"))
    found = peak(chain, sized(x=1, a=10, b=20, y=1), {})
    assert (found.bytes, found.layer, found.unknown) == (31_000, 1, 0)
    skip = of(
        ("Conv", "x", "a"), ("Conv", "a", "b"), ("Conv", "b", "c"), ("Concat", "a c", "y")
    )
    found = peak(skip, sized(x=1, a=10, b=2, c=2, y=12), {})
    assert (found.bytes, found.layer) == (1_000 + 10_000 + 2_000 + 12_000, 3)


def test_views_take_nothing_and_layers_work_in_place_where_they_can() -> None:
    view = of(("Conv", "x", "a"), ("Reshape", "a", "b"), ("Relu", "b", "c"), ("Conv", "c", "y"))
    assert peak(view, sized(x=1, a=10, b=10, c=10, y=1), {}).bytes == 12_000
    kept = of(("Conv", "x", "a"), ("Relu", "a", "b"), ("Add", "a b", "c"), ("Conv", "c", "y"))
    assert peak(kept, sized(x=1, a=10, b=10, c=10, y=1), {}).bytes == 21_000


def test_weights_are_no_activations() -> None:
    chain = of(("Conv", "x w", "y"), weights=(weight("w", "float32", 9_000, 36_000),))
    assert peak(chain, sized(x=1, y=2), {}).bytes == 3_000


def test_the_moment_depends_on_the_free_axes() -> None:
    chain = of(("Conv", "x", "a"), ("Conv", "a", "y"))
    shapes = sized(x="batch", a="batch", y=30)
    small, large = peak(chain, shapes, {}), peak(chain, shapes, {"batch": 1_000})
    assert small.bytes == symbol("batch") * 2_000 + 30_000
    assert large.bytes == small.bytes
    two = of(("Conv", "x", "a"), ("Conv", "a", "b"), ("Conv", "b", "c"), ("Conv", "c", "y"))
    shapes = sized(x=1, a="batch", b=1, c=30, y=1)
    assert peak(two, shapes, {}).layer == 2
    assert peak(two, shapes, {"batch": 100}).layer == 1


def test_what_has_no_size_is_counted_as_unknown() -> None:
    chain = of(("Conv", "x", "a"), ("Conv", "a", "y"))
    found = peak(chain, sized(x=1, y=1), {})
    assert (found.bytes, found.unknown) == (2_000, 1)


@pytest.mark.parametrize("depth", [1, 2])
def test_a_value_lives_while_a_graph_inside_a_later_layer_takes_it(depth: int) -> None:
    outer = (("Conv", "x", "a"), ("Conv", "a", "b"), ("If", "b", "y"))
    ifs = [("If", "-", "t")] * (depth - 1)
    first, *rest = layers(*outer, *ifs, ("Conv", "a", "t"))
    inner = [layer._replace(parent=layer.index - 1, branch="then_branch") for layer in rest[2:]]
    body = model((first, *rest[:2], *inner))
    found = peak(body, sized(x=1, a=10, b=2, y=4, t=1), {})
    assert found.layer in {layer.index for layer in (rest[1], *inner)}
    assert found.bytes == 17_000 + 1_000 * depth, "a is there beside x, b, y and each t"
