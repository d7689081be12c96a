"""A model becomes boxes, frames and lines."""

import itertools
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.analysis.graph_layout import layout
from inspector.analysis.graph_layout.data_flow import Flow, Fold, flow
from inspector.analysis.graph_layout.drawing import BoxKind, Drawing
from inspector.analysis.graph_layout.placement import GAP, Link, Sketch, ranks, rising, tidy
from inspector.formats import opening
from inspector.model.model import Function, Layer, Model
from inspector.platform.files import sample
from tests.analysis.build import layers, model, value, weight


def drawn(made: Model, everything: bool = True) -> Drawing:
    body = layout.body(made)
    return layout.draw(body, layout.all_opened(body) if everything else frozenset())


def named(*rows: tuple[str, str, str, str]) -> tuple[Layer, ...]:
    return tuple(
        Layer(i, name, operator, "", tuple(takes.split()), tuple(makes.split()))
        for i, (name, operator, takes, makes) in enumerate(rows)
    )


def box_of(drawing: Drawing, layer: int) -> tuple[float, float, float, float]:
    return tuple(drawing.box[drawing.box_of_layer[layer]].tolist())


def overlaps(drawing: Drawing) -> int:
    def over(one: np.ndarray, other: np.ndarray) -> bool:
        return bool(
            one[0] < other[0] + other[2] - 0.01
            and other[0] < one[0] + one[2] - 0.01
            and one[1] < other[1] + other[3] - 0.01
            and other[1] < one[1] + one[3] - 0.01
        )

    return sum(over(one, other) for one, other in combinations(drawing.box, 2))


def sample_model(name: str) -> Model:
    path = sample(name)
    assert path is not None
    return opening.open_model(path)


def test_what_takes_a_value_stands_below_what_makes_it():
    drawing = drawn(model(layers(("Relu", "x", "a"), ("Neg", "a", "b"), ("Add", "a b", "y"))))
    tops = [box_of(drawing, layer)[1] for layer in range(3)]
    assert tops == sorted(set(tops))


def test_inputs_and_outputs_have_boxes_of_their_own():
    drawing = drawn(model(layers(("Relu", "x", "y"))))
    assert drawing.kind.tolist() == [BoxKind.INPUT, BoxKind.LAYER, BoxKind.OUTPUT]
    assert len(drawing.line) == 2
    assert drawing.tip.all()


def test_weights_and_what_is_made_of_them_alone_get_no_box():
    made = model(
        layers(
            ("DequantizeLinear", "w scale", "wide"),
            ("Constant", "", "bias"),
            ("Conv", "x wide bias", "y"),
        ),
        weights=(weight("w", "int8", 9, 9), weight("scale", "float32", 1, 4)),
    )
    drawing = drawn(made)
    assert len(drawing) == 3
    assert drawing.box_of_layer[0] == drawing.box_of_layer[1] == drawing.box_of_layer[2]
    assert set(drawing.bodies[0].flow.weights[2]) == {"w", "scale", "bias"}


def test_a_constant_that_the_caller_gets_keeps_its_box():
    drawing = drawn(model(layers(("Constant", "", "y"))))
    assert BoxKind.LAYER in drawing.kind


@pytest.mark.parametrize("name", ["digits_float32.onnx", "sequence_loop.onnx"])
@pytest.mark.parametrize("everything", [True, False])
def test_no_box_lies_over_another_and_all_lie_inside(name, everything):
    drawing = drawn(sample_model(name), everything)
    assert overlaps(drawing) == 0
    right, bottom = drawing.box[:, 0] + drawing.box[:, 2], drawing.box[:, 1] + drawing.box[:, 3]
    assert drawing.box[:, :2].min() >= -0.01
    assert right.max() <= drawing.width + 0.01
    assert bottom.max() <= drawing.height + 0.01


def test_lines_begin_and_end_at_their_boxes():
    drawing = drawn(sample_model("digits_float32.onnx"))
    for line, taker in zip(drawing.line[drawing.tip], drawing.taker[drawing.tip], strict=True):
        x, y, width, _ = drawing.box[taker]
        assert line[3] == pytest.approx(y)
        assert line[2] == pytest.approx(x + width / 2)


def test_a_scope_is_a_frame_around_its_layers():
    made = model(
        named(("stem/a", "Relu", "x", "a"), ("stem/b", "Neg", "a", "b"), ("c", "Abs", "b", "y"))
    )
    drawing = drawn(made)
    (frame,) = drawing.frames
    assert (frame.group.title, frame.count) == ("stem", 2)
    for layer, inside in ((0, True), (1, True), (2, False)):
        x, y, width, height = box_of(drawing, layer)
        assert (frame.y < y and y + height < frame.y + frame.height) is inside
        assert frame.x < x < x + width < frame.x + frame.width or not inside


@pytest.mark.parametrize("sideways", [False, True])
@pytest.mark.parametrize(("letters", "room"), [(30, 30 * 7), (36, 36 * 7), (90, 260)])
def test_a_frame_has_room_for_its_title_and_the_number_of_layers(letters, room, sideways):
    scope = "s" * letters
    after = "x" if sideways else "a"  # beside each other or one behind the other: narrow
    rows = ((f"{scope}/a", "Relu", "x", "a"), (f"{scope}/b", "Neg", after, "y"))
    made = model(named(*rows, ("c", "Abs", "a", "z")))
    body = layout.body(made, sideways=sideways)
    (frame,) = layout.draw(body, layout.all_opened(body)).frames
    assert room + 100 < frame.width < room + 165


def test_a_closed_scope_is_one_box_that_stands_for_its_layers():
    made = model(
        named(("stem/a", "Relu", "x", "a"), ("stem/b", "Neg", "a", "b"), ("c", "Abs", "b", "y"))
    )
    drawing = drawn(made, everything=False)
    assert drawing.box_of_layer[0] == drawing.box_of_layer[1]
    assert drawing.kind[drawing.box_of_layer[0]] == BoxKind.GROUP
    assert not drawing.frames


def test_a_branch_lies_within_the_layer_that_chooses_it():
    made = sample_model("sequence_loop.onnx")
    loop = next(layer for layer in made.layers if layer.operator == "Loop")
    closed, opened = drawn(made, everything=False), drawn(made)
    assert closed.kind[closed.box_of_layer[loop.index]] == BoxKind.GROUP
    assert opened.box_of_layer[loop.index] == -1
    assert any(frame.group.layer == loop.index for frame in opened.frames)


def test_the_frames_of_a_layer_can_be_asked_for():
    body = layout.body(sample_model("sequence_loop.onnx"))
    inner = next(layer.index for layer in body.layers if layer.parent is not None)
    drawing = layout.draw(body, layout.opened_for(body, inner))
    assert drawing.kind[drawing.box_of_layer[inner]] == BoxKind.LAYER


def test_a_function_opens_to_its_own_layers():
    twice = Function("Twice", "own", "", ("a",), ("b",), layers(("Add", "a a", "b")))
    made = model(layers(("own.Twice", "x", "y")), functions=(twice,))
    body = layout.body(made)
    shut = layout.draw(body, frozenset())
    assert [shut.kind[box] for box in shut.box_of_layer] == [BoxKind.GROUP]
    drawing = layout.draw(body, frozenset({(1,)}))
    assert drawing.bodies[1].layers == twice.layers
    assert drawing.keys == ((), (1,))
    assert drawing.frames[0].key == (1,)


def test_functions_that_call_each_other_open_one_at_a_time():
    first = Function("First", "own", "", ("a",), ("b",), layers(("own.Second", "a", "b")))
    second = Function("Second", "own", "", ("a",), ("b",), layers(("own.First", "a", "b")))
    body = layout.body(model(layers(("own.First", "x", "y")), functions=(first, second)))
    keys = [(1,) * depth for depth in range(1, 40)]
    assert 0 < len(layout.draw(body, frozenset(keys)).frames) < 20


def test_a_value_that_many_take_is_named_at_its_ends_instead_of_drawn():
    rows = [("Neg", "x", f"v{i}") for i in range(20)]
    drawing = drawn(model(layers(*rows)))
    assert len(drawing.line) == 0
    made = [stub for stub in drawing.stubs if stub.is_source]
    assert [(stub.name, stub.users) for stub in made] == [("x", 20)]
    assert len(drawing.stubs) == 21


def test_a_cycle_is_drawn_with_its_backward_line_cut():
    drawing = drawn(model(layers(("Add", "x b", "a"), ("Neg", "a", "b"))))
    assert len(drawing) == 4
    assert {stub.name for stub in drawing.stubs} == {"b"}


def test_values_cut_at_the_same_place_share_one_sign():
    made = layers(("Split", "x c", "a b"), ("Add", "a b", "c d"), ("Neg", "c d", "y"))
    drawing = drawn(model(made))
    places = [(stub.x, stub.y, stub.is_source) for stub in drawing.stubs]
    assert len(places) == len(set(places))
    looped = model(
        layers(("Add", "x c d", "a"), ("Split", "a", "c d")), outputs=(value("c"), value("d"))
    )
    (made_here, taken) = sorted(drawn(looped).stubs, key=lambda stub: not stub.is_source)
    assert (made_here.is_source, made_here.more, taken.more) == (True, 1, 1)


def test_a_model_without_anything_has_an_empty_drawing():
    drawing = drawn(model(inputs=(), outputs=()))
    assert len(drawing) == len(drawing.line) == 0


def test_thousands_of_layers_are_placed_in_lanes_without_overlap():
    rows = [("Relu", "x", "a0")]
    rows += [("Add", f"a{i} a{max(0, i - 3)}", f"a{i + 1}") for i in range(1999)]
    drawing = drawn(model(layers(*rows), outputs=(value("a1999"),)))
    assert len(drawing) == 2002
    assert (np.diff(np.sort(drawing.box[:, 1])) >= 0).all()
    assert overlaps_by_row(drawing) == 0


def overlaps_by_row(drawing: Drawing) -> int:
    places = {(round(y), round(x)) for x, y, *_ in drawing.box.tolist()}
    return len(drawing) - len(places)


def test_few_frames_are_open_at_first_when_there_are_very_many():
    rows = []
    for block in range(600):
        rows += [
            (f"b{block}/{k}_op", "Relu", f"v{block}_{k}", f"v{block}_{k + 1}") for k in range(3)
        ]
    body = layout.body(model(named(*rows)))
    assert len(layout.all_opened(body)) == 600
    assert not layout.first_opened(body)


BOTH = frozenset(Fold)


def flows(nodes: tuple[Layer, ...], folds: frozenset[Fold]) -> tuple[set[str], Flow]:
    """Edges as 'a>b' by operator and number, outputs as 'out', and the flow itself."""
    made = flow(nodes, ("x",), ("y",), {"w", "start"}, folds=folds)
    names = [f"{layer.operator}{layer.index}" for layer in nodes] + ["in", "out"]
    pairs = zip(made.source, made.uses, strict=True)
    return {f"{names[maker]}>{names[user]}" for maker, users in pairs for user in users}, made


def test_identities_in_a_row_are_connected_around():
    nodes = layers(
        ("Relu", "x", "a"), ("Identity", "a", "b"), ("Identity", "b", "c"),
        ("Add", "c a", "d"), ("Dropout", "d", "y"),
    )  # fmt: skip
    edges, made = flows(nodes, frozenset({Fold.IDENTITIES}))
    assert edges == {"in>Relu0", "Relu0>Add3", "Add3>out"}
    assert made.home == (0, 0, 0, 3, 3)
    plain, _ = flows(nodes, frozenset())
    assert "Identity1>Identity2" in plain


def test_an_identity_of_an_input_keeps_its_box():
    edges, made = flows(layers(("Identity", "x", "y")), BOTH)
    assert edges == {"in>Identity0", "Identity0>out"}
    assert made.home == (0,)


def test_shape_arithmetic_is_left_out_and_what_uses_it_stays():
    nodes = layers(
        ("Relu", "x", "a"), ("Shape", "a", "s"), ("Gather", "s start", "g"),
        ("Unsqueeze", "g", "u"), ("Concat", "u start", "c"), ("Reshape", "a c", "r"),
        ("Mul", "r u", "y"),
    )  # fmt: skip
    edges, made = flows(nodes, frozenset({Fold.SHAPES}))
    assert edges == {"in>Relu0", "Relu0>Reshape5", "Reshape5>Mul6", "Mul6>out"}
    assert [made.home[i] for i in (1, 2, 3, 4)] == [5, 5, 5, 5]


def test_a_shape_that_the_caller_gets_keeps_its_box():
    edges, _ = flows(layers(("Shape", "x", "y")), BOTH)
    assert edges == {"in>Shape0", "Shape0>out"}


@pytest.mark.parametrize("folds", [frozenset(), BOTH])
def test_data_that_meets_a_shape_is_never_left_out(folds):
    nodes = layers(("Shape", "x", "s"), ("Cast", "s", "f"), ("Mul", "x f", "y"))
    edges, _ = flows(nodes, folds)
    assert "in>Mul2" in edges
    assert "Mul2>out" in edges
    assert ("in>Shape0" in edges) == (not folds)


def test_a_constant_that_only_shape_arithmetic_uses_goes_with_it():
    nodes = layers(
        ("Constant", "", "k"), ("Shape", "x", "s"), ("Gather", "s k", "g"),
        ("Reshape", "x g", "y"),
    )  # fmt: skip
    edges, made = flows(nodes, BOTH)
    assert edges == {"in>Reshape3", "Reshape3>out"}
    assert made.home == (3, 3, 3, 3)


def sketch(count: int, *pairs: tuple[int, int]) -> Sketch:
    return Sketch([100.0] * count, [40.0] * count, [Link(a, b, 50.0, 50.0) for a, b in pairs])


def test_a_chain_is_straight():
    found = tidy(sketch(5, (0, 1), (1, 2), (2, 3), (3, 4)))
    assert len({round(x, 6) for x in found.x}) == 1


def test_a_chain_stays_straight_beside_a_line_that_skips_it():
    found = tidy(sketch(5, (0, 1), (1, 2), (2, 3), (3, 4), (0, 4)))
    assert max(found.x) - min(found.x) < 1
    assert len({round(x, 6) for x, _ in found.bends[4]}) == 1


def test_a_line_that_skips_rows_goes_around_the_boxes_between():
    found = tidy(sketch(4, (0, 1), (1, 2), (2, 3), (0, 3)))
    for x, y in found.bends[3]:
        for left, top in zip(found.x, found.y, strict=True):
            assert not (left < x < left + 100 and top < y < top + 40)


def test_a_fork_stands_evenly_below_its_source():
    found = tidy(sketch(4, (0, 1), (0, 2), (1, 3), (2, 3)))
    assert abs(found.x[0] - (found.x[1] + found.x[2]) / 2) < 2
    assert abs(found.x[3] - found.x[0]) < 2


def test_a_box_stands_above_its_only_user_though_its_line_to_a_lower_row_goes_by():
    found = tidy(sketch(6, (0, 1), (3, 5), (3, 4), (2, 4), (1, 4)))
    assert found.x[3] == found.x[5]


def test_a_source_without_inputs_stands_directly_above_its_user():
    assert ranks(sketch(4, (0, 1), (1, 2), (3, 2))) == [0, 1, 2, 1]


@given(st.data())
def test_boxes_of_a_row_never_touch(data):
    count = data.draw(st.integers(2, 14))
    place = st.integers(0, count - 1)
    pairs = data.draw(st.lists(st.tuples(place, place), max_size=24))
    made = sketch(count, *(pair for pair in pairs if pair[0] != pair[1]))
    found = tidy(made)
    rows: dict[float, list[float]] = {}
    for x, y in zip(found.x, found.y, strict=True):
        rows.setdefault(y, []).append(x)
    for row in rows.values():
        row.sort()
        assert all(b - a >= 100 + GAP - 0.01 for a, b in itertools.pairwise(row))


@given(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=12))
def test_the_rising_sequence_is_the_nearest_one(aims):
    found = rising(aims, [1.0] * len(aims))
    assert all(a <= b + 1e-9 for a, b in itertools.pairwise(found))
    assert abs(sum(found) - sum(aims)) < 1e-6
    if aims == sorted(aims):
        assert found == aims
