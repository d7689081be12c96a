"""A model becomes boxes, frames and lines."""

from itertools import combinations

import numpy as np
import pytest

from inspector.analysis.graph_layout import layout
from inspector.analysis.graph_layout.drawing import BoxKind, Drawing
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
