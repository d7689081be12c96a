import numpy as np
import pytest

from inspector.model.tensors.prediction import OutputValue
from inspector.preview.families.output_structure import ModelStructure
from inspector.preview.outputs import results

NAN, INFINITY = float("nan"), float("inf")


def output(array: object, name: str = "y", keys: tuple[str, ...] = ()) -> OutputValue:
    made = np.asarray(array)
    return OutputValue(name, "tensor", str(made.dtype), made, keys)


def test_the_highest_classes_come_first_with_their_labels():
    (found,) = results.classes(output([[0.1, 0.7, 0.2]]), ("a", "b", "c"), 2)
    assert [(entry.index, entry.label) for entry in found.top] == [(1, "b"), (2, "c")]
    assert [entry.probability for entry in found.top] == [0.7, 0.2]
    assert (found.total, found.logits, found.note) == (3, False, "")


@pytest.mark.parametrize("shape", [(4,), (1, 4), (1, 4, 1, 1)])
def test_classes_are_found_in_every_shape_that_holds_one_row(shape):
    array = np.array([0.0, 0.5, 0.25, 0.25], np.float16).reshape(shape)
    assert results.classes(output(array))[0].top[0].index == 1
    assert results.read(output(array))[0] == results.CLASSES


@pytest.mark.parametrize("shape", [(), (1, 1), (1, 1, 4), (1, 2, 4, 4), (0, 4), (1, 0)])
def test_other_shapes_hold_no_classes(shape):
    assert results.classes(output(np.ones(shape, np.float32))) == ()


def test_equal_values_keep_the_order_of_the_model():
    (found,) = results.classes(output(np.tile([0.5, 0.25], (1, 100))), count=200)
    assert [entry.index for entry in found.top] == [*range(0, 200, 2), *range(1, 200, 2)]


def test_logits_get_a_probability_by_softmax():
    (found,) = results.classes(output([[1.0, 3.0, -2.0]]))
    powers = np.exp([3.0, 1.0, -2.0])
    assert found.logits
    assert [entry.value for entry in found.top] == [3, 1, -2]
    assert [entry.probability for entry in found.top] == pytest.approx(powers / powers.sum())
    (shares,) = results.classes(output([[1.0, 3.0, -2.0]]), softmax=True)
    assert [entry.value for entry in shares.top] == pytest.approx(powers / powers.sum())


def test_independent_scores_stay_as_they_are():
    (found,) = results.classes(output([[0.9, 0.8, 0.1]]))
    assert not found.logits
    assert found.top[1].probability == 0.8


def test_nan_and_infinity_are_survived_and_named():
    (found,) = results.classes(output([[NAN, 2.0, 1.0]]))
    assert [entry.index for entry in found.top] == [1, 2, 0]
    assert "1 is NaN" in found.note
    (found,) = results.classes(output([[INFINITY, 2.0, -INFINITY]]))
    assert [entry.probability for entry in found.top] == [1, 0, 0]
    (found,) = results.classes(output([[NAN, NAN]]))
    assert not found.logits


def test_labels_of_another_count_are_not_used_but_said():
    (found,) = results.classes(output([[0.1, 0.9]]), ("background", "a", "b"))
    assert found.top[0].label == ""
    assert found.note == "3 class names do not match 2 classes"


def test_each_row_has_its_own_classes_and_maps_their_keys():
    table = output([[0.9, 0.1], [0.2, 0.8]], keys=("no", "yes"))
    assert [row.top[0].label for row in results.classes(table)] == ["no", "yes"]
    assert len(results.classes(output(np.random.default_rng(0).random((300, 4))))) == 100


@pytest.mark.parametrize(
    ("array", "name", "readings"),
    [
        (np.zeros((1, 3, 16, 16), np.float32), "y", ("picture", "tensor")),
        (np.zeros((1, 512), np.float32), "embedding", ("tensor",)),
        (np.zeros((2, 1, 128), np.float32), "state", ("tensor",)),
        (np.zeros((1, 1), np.float32), "y", ("numbers", "tensor")),
        (np.array([3]), "label", ("numbers", "tensor")),
        (np.array(["cat"], object), "label", ("text",)),
        (np.zeros((1, 3), np.float32), "y", ("numbers", "classes", "tensor")),
        (np.zeros((1, 3), np.float32), "logits", ("classes", "numbers", "tensor")),
    ],
)
def test_an_output_is_read_as_what_it_looks_like(array, name, readings):
    assert results.read(output(array, name)) == readings


def test_a_row_without_a_batch_is_classes_only_when_it_looks_so():
    assert results.read(output([3.0, 600.0, 0.1]))[0] == results.NUMBERS
    assert results.read(output([3.0, 600.0, 0.1]), ("a", "b", "c"))[0] == results.CLASSES


def test_keys_name_the_columns_whatever_the_order_of_the_labels():
    labels = ("Barolo", "Grignolino", "Barbera")
    named = output([[0.1, 0.7, 0.2]], keys=("Barbera", "Barolo", "Grignolino"))
    assert results.classes(named, labels)[0].top[0].label == "Barolo"
    numbered = output([[0.1, 0.7, 0.2]], keys=("2", "0", "1"))
    assert results.classes(numbered, labels)[0].top[0].label == "Barolo"
    assert results.classes(numbered, labels[:2])[0].top[0].label == "0"


def test_labels_that_fit_outdo_a_name():
    features = output(np.zeros((1, 3), np.float32), "features")
    assert results.read(features)[0] != results.CLASSES
    assert results.read(features, ("a", "b", "c"))[0] == results.CLASSES


def test_what_has_no_array_is_told_in_words():
    nothing = OutputValue("y", "optional", "optional(float32)", None, text="nothing")
    assert results.read(nothing) == (results.TEXT,)
    assert results.numbers(nothing) == "nothing"


@pytest.mark.parametrize(
    ("low", "high", "black", "white"),
    [
        (0.0, 1.0, 0, 1),
        (-0.06, 1.17, 0, 1),
        (-1.0, 1.0, -1, 1),
        (3.0, 250.0, 0, 255),
        (-700.0, 900.0, -700, 900),
        (5.0, 5.0, 5, 10),
    ],
)
def test_a_picture_is_drawn_in_the_range_its_values_are_in(low, high, black, white):
    plane = np.linspace(low, high, 100, dtype=np.float32).reshape(1, 1, 10, 10)
    shown = results.image_of(output(plane))
    assert (shown.low, shown.high) == pytest.approx((black, white))
    assert shown.picture.shape == (10, 10, 1)
    assert shown.picture.dtype == np.uint8


@pytest.mark.parametrize("shape", [(1, 3, 9, 10), (3, 9, 10), (1, 9, 10, 3), (9, 10, 3)])
def test_a_picture_is_found_in_both_layouts(shape):
    colors = np.zeros((9, 10, 3), np.uint8)
    colors[:, :, 0] = 255
    array = colors if shape[-1] == 3 else colors.transpose(2, 0, 1)
    shown = results.image_of(output(array.reshape(shape)))
    assert np.array_equal(shown.picture, colors)


def test_four_masks_of_segment_anything_are_no_colors():
    masks = np.zeros((1, 4, 16, 16), np.float32)
    assert results.IMAGE in results.read(output(masks, "image"))
    assert results.IMAGE not in results.read(output(masks, "masks"))
    assert results.image_of(output(masks, "masks")) is None


def test_nan_in_a_picture_is_black():
    plane = np.full((1, 8, 8), 0.5)
    plane[0, 0, 0] = NAN
    shown = results.image_of(output(plane))
    assert shown.picture[0, 0, 0] == 0
    assert shown.picture[1, 1, 0] == 128


def test_the_first_numbers_stand_for_the_rest():
    assert results.numbers(output(np.arange(20)), 3) == "0, 1, 2, …"
    assert results.numbers(output(np.array(["a", "b\n"], object))) == "'a', 'b\\u000a'"


@pytest.mark.parametrize("row", [[250.0, 250.0, 250.0], [-3.5, 12.0, 88.0], [0.2, 0.9, 0.4]])
def test_a_regression_of_three_values_is_not_shown_as_shares_of_classes(row):
    found = output([row], "y")
    assert results.read(found)[0] == results.NUMBERS
    assert not results.is_classes(found)
    assert results.is_classes(found, ("a", "b", "c"))  # where labels say so, they are


@pytest.mark.parametrize(
    ("operators", "kind"),
    [
        (("Add", "Reshape"), results.NUMBERS),
        ((), results.NUMBERS),
        (("Softmax",), results.CLASSES),
    ],
)
def test_numbers_that_add_up_by_chance_are_classes_only_with_a_softmax_in_the_graph(
    operators, kind
):
    numbers = output([[0.2, 0.5, 0.3]], "angles")
    structure = ModelStructure({"angles": frozenset(operators)})
    assert results.read(numbers, structure=structure)[0] == kind
    assert results.is_classes(numbers, structure=structure) == (kind == results.CLASSES)
    assert results.is_classes(numbers)  # where no graph is known, the sum decides


def test_scores_of_boxes_are_not_shown_as_a_row_of_classes():
    scores = output(np.full((1, 144, 1), 0.1, np.float32), "cls_8")
    assert results.CLASSES in results.read(scores)
    assert results.CLASSES not in results.read(scores, decoded=True)


LANDMARKS = output(np.linspace(-20, 40, 136, dtype=np.float32)[None], "output")


@pytest.mark.parametrize(
    ("answer", "structure", "labels", "kind"),
    [
        (output([[0.2, 0.5, 0.3]], "y"), ModelStructure(), (), results.CLASSES),
        # A row of coordinates, however long, is a row of numbers.
        (output([[-2.0, 7.0] * 5], "y"), ModelStructure(), (), results.NUMBERS),
        (LANDMARKS, ModelStructure(), (), results.TENSOR),
        (LANDMARKS, ModelStructure(scores={"output": "logits"}), (), results.TENSOR),
        (LANDMARKS, ModelStructure(counted=frozenset(["output"])), (), results.CLASSES),
        (LANDMARKS, ModelStructure(), tuple(map(str, range(136))), results.CLASSES),
        (output([[0.9, 0.8, 0.1]]), ModelStructure(scores={"y": "independent"}), (),
         results.CLASSES),
        # Four numbers between 0 and 1 are as likely a box.
        (output([[0.9, 0.8, 0.1, 0.2]]), ModelStructure(scores={"y": "independent"}), (),
         results.NUMBERS),
        # Numbers of classes are ids and no scores, whatever they are called.
        (output([[16.0, 17.0, 1.0]], "detection_classes"), ModelStructure(), (),
         results.NUMBERS),
        (output(np.array([[3, 200, 7]], np.uint8)), ModelStructure(), (), results.NUMBERS),
        (output([[16.0, -17.0, 1.0]], "logits"), ModelStructure(), (), results.CLASSES),
    ],
)  # fmt: skip
def test_a_row_of_numbers_is_classes_with_evidence_only(answer, structure, labels, kind):
    assert results.read(answer, labels, structure=structure)[0] == kind
    likely = results.is_classes(answer, labels, structure)
    assert likely == (kind == results.CLASSES)
    assert results.CLASSES in results.read(answer, labels, structure=structure)


def test_probabilities_of_a_softmax_get_no_second_one():
    # Rounded to float16, the highest is above 1.
    answer = output(np.array([[1.0005, 0.0, 0.0]], np.float32))
    (found,) = results.classes(answer, structure=ModelStructure(scores={"y": "probabilities"}))
    assert not found.logits
    assert found.shares
    assert found.top[0].probability == pytest.approx(1.0005)
    logits = output(np.array([[0.9, 0.1, 0.2]], np.float32))
    (found,) = results.classes(logits, structure=ModelStructure(scores={"y": "logits"}))
    assert found.logits
    result = pytest.approx(np.exp(0.9) / np.exp([0.9, 0.1, 0.2]).sum())
    assert found.top[0].probability == result


def test_integers_without_a_scale_have_an_order_and_no_probability():
    codes = output(np.array([[3, 200, 7]], np.uint8))
    (found,) = results.classes(codes, ("a", "b", "c"))
    assert [entry.label for entry in found.top] == ["b", "c", "a"]
    assert [entry.probability for entry in found.top] == [0, 0, 0]
    assert not found.logits
    assert not found.shares
