"""What an output means is said with evidence only: graphs that resemble a family."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from inspector.formats.opening import open_model
from inspector.model.model import TensorInfo
from inspector.model.tensors.prediction import OutputValue
from inspector.preview.families import output_structure
from inspector.preview.families.output_structure import Codes, ModelStructure, of_model
from inspector.preview.identity import identify
from inspector.preview.outputs import dense_maps, results, scene
from inspector.preview.preprocessing.guess import guess, guess_of
from inspector.preview.preprocessing.image_retry import replaceable
from tests import models

FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64
Shape = list[int | str]
Node = tuple[str, list[str], list[str], dict[str, object]]


def saved(
    path: Path,
    given: dict[str, Shape],
    back: dict[str, tuple[int, Shape]],
    nodes: list[Node],
    weights: dict[str, np.ndarray] | None = None,
    producer: str = "",
) -> Path:
    made = []
    for kind, inputs, outputs, attributes in nodes:
        domain = "ai.onnx.ml" if kind.startswith(("Tree", "Zip")) else ""
        made.append(helper.make_node(kind, inputs, outputs, domain=domain, **attributes))
    ends = (
        [models.value(name, shape) for name, shape in given.items()],
        [models.value(name, shape, kind) for name, (kind, shape) in back.items()],
    )
    model = models.model(made, *ends, weights or {}, 13, **{"ai.onnx.ml": 3})
    model.producer_name = producer
    onnx.save(model, path)
    return path


def convolution(
    path: Path,
    side: tuple[int, int],
    maps: int,
    *heads: str,
    channels: int = 3,
    last: bool = False,
) -> Path:
    """Save a convolution of an image, then operators; `last`: maps in the last axis."""
    weight = np.ones((maps, channels, 1, 1), np.float32)
    nodes: list[Node] = [("Conv", ["x", "w"], ["v0"], {})]
    for n, kind in enumerate(heads):
        axis = {"axis": 1} if kind == "Softmax" else {}
        nodes.append((kind, [f"v{n}"], [f"v{n + 1}"], dict(axis)))
    if last:
        nodes.append(("Transpose", [f"v{len(heads)}"], ["y"], {"perm": [0, 2, 3, 1]}))
    nodes[-1][2][0] = "y"
    back: Shape = [1, *side, maps] if last else [1, maps, *side]
    return saved(path, {"x": [1, channels, *side]}, {"y": (FLOAT, back)}, nodes, {"w": weight})


def value(name: str, array: np.ndarray) -> OutputValue:
    return OutputValue(name, "tensor", str(array.dtype), array)


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("side", [(240, 320), (480, 640), (352, 352), (224, 224)])
def test_an_image_to_image_model_gets_0_to_1_whatever_its_size(tmp_path, side, last):
    model = open_model(convolution(tmp_path / "m.onnx", side, 3, last=last))
    assert identify(model).headline == "Image to image"
    use = guess_of(model.inputs[0], model)
    assert (use.scale, use.mean, use.order, use.resize) == ("1", (), "rgb", "crop")


def test_a_size_tells_nothing_of_an_image_model_whose_outputs_are_known():
    def image(side: int) -> TensorInfo:
        return TensorInfo("x", "tensor", "float32", (1, 3, side, side))

    for side, classes, scale in (
        (32, 10, "-1..1"),
        (32, 100, "-1..1"),
        (32, 2, "1"),
        (352, 7, "1"),
    ):
        row = TensorInfo("y", "tensor", "float32", (1, classes))
        use = guess(image(side), outputs=[row])
        assert (use.scale, use.order) == (scale, "rgb")


def test_four_maps_behind_a_softmax_are_classes_and_no_colors(tmp_path):
    for last in (False, True):
        path = convolution(tmp_path / "m.onnx", (32, 48), 4, "Softmax", last=last)
        model = open_model(path)
        assert identify(model).headline == "Image segmentation: 4 classes"
        shape = (1, 32, 48, 4) if last else (1, 4, 32, 48)
        answer, structure = value("y", np.full(shape, 0.25, np.float32)), of_model(model)
        assert results.read(answer, structure=structure)[0] != results.IMAGE
        kinds = [each.name for each in scene.decoders([answer], 48, 32, 3, structure)]
        assert kinds == [dense_maps.SEGMENTS]


def test_pixels_below_the_threshold_are_in_none_of_several_masks(tmp_path):
    model = open_model(convolution(tmp_path / "m.onnx", (32, 32), 2, "Sigmoid"))
    shares = np.full((1, 2, 32, 32), 0.1, np.float32)
    shares[0, 0, :8] = 0.9
    shares[0, 1, 8:12] = 0.7
    answer, structure = [value("y", shares)], of_model(model)
    assert dense_maps.overlay_kinds(answer, structure) == (dense_maps.MASK,)
    overlay = dense_maps.overlay(answer, dense_maps.MASK, 0.5)
    assert [part[:2] for part in overlay.parts] == [(0, 0.25), (1, 0.125)]
    assert overlay.picture[0, 0, 3] == 255
    assert overlay.picture[31, 0, 3] == 0
    numbers = dense_maps.class_map(answer, dense_maps.MASK, 0.5)
    assert [numbers[0, 0], numbers[9, 0], numbers[31, 0]] == [0, 1, -1]


def test_maps_that_are_computed_from_each_other_are_no_classes_of_pixels(tmp_path):
    maps = value("y", np.random.default_rng(0).random((1, 10, 32, 32), dtype=np.float32))
    for heads, kinds in ((("Sigmoid", "Exp"), ()), ((), (dense_maps.SEGMENTS,))):
        model = open_model(convolution(tmp_path / "m.onnx", (32, 32), 10, *heads))
        assert dense_maps.overlay_kinds([maps], of_model(model)) == kinds


def test_a_share_for_each_pixel_of_a_gray_image_is_a_mask_or_an_image(tmp_path):
    numbers = convolution(tmp_path / "m.onnx", (64, 64), 1, channels=3)
    assert identify(open_model(numbers)).headline == "Image to maps: 1 map"
    for heads, headline, first in (
        (("Sigmoid",), "Image to maps: 1 map", dense_maps.MASK),
        ((), "Image to image", "Luma with the image's colors"),
    ):
        path = convolution(tmp_path / "m.onnx", (64, 64), 1, *heads, channels=1)
        model = open_model(path)
        assert identify(model).headline == headline
        answer = [value("y", np.full((1, 1, 64, 64), 0.5, np.float32))]
        decoders = scene.decoders(answer, 64, 64, 1, of_model(model))
        assert (decoders[0].name, "colours" in [d.kind for d in decoders]) == (first, True)


@pytest.mark.parametrize(
    ("shape", "image"),
    [((1, 1, 40, 101), False), ((1, 98, 64, 1), False), ((1, 1, 32, 100), True),
     ((1, 1, 64, 200), True), ((1, 1, 40, 40), True)],
)  # fmt: skip
def test_a_spectrogram_of_a_second_is_no_gray_image(shape, image):
    assert (guess(TensorInfo("input", "tensor", "float32", shape)) is not None) == image


def test_small_maps_are_classes_with_a_usual_number_only():
    """SuperPoint has 65 values for each cell of 8 x 8 pixels: the places in it and none."""
    structure = ModelStructure(scores={"y": "logits"})
    for maps, size, kinds in (
        (65, (128, 128), ()), (65, (32, 32), (dense_maps.SEGMENTS,)),
        (19, (128, 128), (dense_maps.SEGMENTS,)),
    ):  # fmt: skip
        answer = [value("y", np.zeros((1, maps, 16, 16), np.float32))]
        assert dense_maps.overlay_kinds(answer, structure, size) == kinds


def test_a_map_of_lanes_is_no_segmentation_because_of_its_name():
    lanes = TensorInfo("out", "tensor", "float32", (1, 101, 56, 4))
    classes = TensorInfo("out", "tensor", "float32", (1, 7, 144, 400))
    info = TensorInfo("input", "tensor", "float32", (1, 3, 144, 400))
    for output, known in ((lanes, False), (classes, True)):
        use = guess(info, outputs=[output])
        assert ("DeepLab" in use.why) == known


def test_the_layout_of_maps_is_that_in_which_they_fit_the_image(tmp_path):
    model = open_model(convolution(tmp_path / "m.onnx", (64, 96), 10, last=True))
    assert identify(model).headline == "Image to maps: 10 maps"


@pytest.mark.parametrize(("shape", "image"), [((1, 84, 8400), False), ((1, 32, 400), True)])
def test_a_long_list_has_not_the_shape_of_an_image(shape, image):
    assert results.is_image(value("y", np.zeros(shape, np.float32))) == image


@pytest.mark.parametrize(
    ("given", "columns", "classes"),
    [([1, 3, 48, 48], 10, False),  # five points, or ten labels
     ([1, 3, 48, 48], 600, True),
     ([1, 1, 16_000], 10, True)],  # no image: sounds have no points
)  # fmt: skip
def test_a_row_behind_a_sigmoid_may_be_points_in_an_image(tmp_path, given, columns, classes):
    weight = np.ones((columns, given[1], *given[2:]), np.float32)
    nodes: list[Node] = [("Conv", ["x", "w"], ["v"], {}), ("Sigmoid", ["v"], ["y"], {})]
    back: Shape = [1, columns, *[1] * (len(given) - 2)]
    path = saved(
        tmp_path / "m.onnx", {"x": [*given]}, {"y": (FLOAT, back)}, nodes, {"w": weight}
    )
    model = open_model(path)
    answer = value("y", np.full((1, columns), 0.6, np.float32))
    assert results.is_classes(answer, structure=of_model(model)) == classes
    named = results.is_classes(answer, [str(n) for n in range(columns)], of_model(model))
    assert named
    if len(given) == 4 and not classes:
        assert identify(model).headline == f"Image model: {columns} numbers"


@pytest.mark.parametrize(
    ("zero", "scale", "codes"),
    [(-14, 0.018658, [-14, 40]),  # calibrated for other values than the family's
     (-128, 1 / 255, [-128, 127]),
     (0, 1.0, [-128, 127])],  # 0..255: a part of the model brings them to 0..1
)  # fmt: skip
def test_integers_stand_for_the_values_that_a_family_takes(zero, scale, codes):
    info = TensorInfo("images", "tensor", "int8", (1, 640, 640, 3))
    boxes = TensorInfo("y", "tensor", "int8", (1, 84, 8400))
    structure = ModelStructure(codes={"images": Codes(scale, zero)})
    use = guess(info, outputs=[boxes], structure=structure)
    assert "YOLO" in use.why
    assert np.rint(use.table()[[0, 255], 0]).tolist() == codes


@pytest.mark.parametrize("zero", [-14, -15])  # calibrated; the second would reach -129
def test_integers_of_imagenets_mean_and_std_are_no_8_bit_values(zero):
    info = TensorInfo("x", "tensor", "int8", (1, 3, 224, 224))
    scores = TensorInfo("y", "tensor", "int8", (1, 1000))
    structure = ModelStructure(codes={"x": Codes(0.018631, zero)})
    use = guess(info, outputs=[scores], structure=structure)
    assert not replaceable(use), "the file says it"
    table = use.table()
    ends = [(0 - 0.485) / 0.229, (1 - 0.406) / 0.225]
    found = pytest.approx([end / 0.018631 + zero for end in ends], abs=1)
    assert table[[0, 255], [0, 2]] == found
    assert np.rint(table).min() >= -128
    assert np.rint(table).max() <= 127
    plain = guess(info, outputs=[scores], structure=ModelStructure(codes={"x": Codes(1, 0)}))
    assert plain.scale == "-128..127"


def test_what_an_agent_observes_is_no_signal(tmp_path):
    nodes: list[Node] = [
        ("MatMul", ["obs", "w"], ["y"], {}),
        ("Identity", ["state_ins"], ["state_outs"], {}),
    ]
    path = saved(
        tmp_path / "m.onnx", {"obs": ["N", 209], "state_ins": ["N"]},
        {"y": (FLOAT, ["N", 5]), "state_outs": (FLOAT, ["N"])}, nodes,
        {"w": np.ones((209, 5), np.float32)},
    )  # fmt: skip
    assert identify(open_model(path)).task == "Unknown task"


@pytest.mark.parametrize(
    ("name", "task"), [("rows", "Recurrent model"), ("audio", "Audio model")]
)
def test_recurrent_layers_alone_make_no_signal_of_rows(tmp_path, name, task):
    nodes: list[Node] = [
        ("Transpose", [name], ["steps"], {"perm": [1, 0, 2]}),
        ("GRU", ["steps", "w", "r", "", "", "hidden"], ["all", "hidden_out"],
         {"hidden_size": 5}),
        ("Squeeze", ["all", "one"], ["y"], {}),
    ]  # fmt: skip
    path = saved(
        tmp_path / "m.onnx", {name: ["N", "T", 3], "hidden": [1, "N", 5]},
        {"y": (FLOAT, ["T", "N", 5]), "hidden_out": (FLOAT, [1, "N", 5])}, nodes,
        {"w": np.ones((1, 15, 3), np.float32), "r": np.ones((1, 15, 5), np.float32),
         "one": np.array([1], np.int64)},
    )  # fmt: skip
    assert identify(open_model(path)).task == task


def test_real_and_imaginary_parts_of_a_spectrum_are_recognized(tmp_path):
    back: Shape = ["a", "b", "c", "d"]  # as exporters name what they do not know
    for bins, task in ((257, "Speech enhancement"), (250, "Streaming signal model")):
        shape: Shape = [1, bins, 1, 2]
        nodes: list[Node] = [
            ("Relu", ["mix"], ["enh"], {}), ("Relu", ["conv_cache"], ["conv_cache_out"], {})
        ]  # fmt: skip
        path = saved(
            tmp_path / "m.onnx", {"mix": shape, "conv_cache": [2, 16, 33]},
            {"enh": (FLOAT, back), "conv_cache_out": (FLOAT, [2, 16, 33])}, nodes,
        )  # fmt: skip
        assert identify(open_model(path)).task == task


TREE: dict[str, object] = {
    "nodes_treeids": [0], "nodes_nodeids": [0], "nodes_featureids": [0], "nodes_values": [0.0],
    "nodes_hitrates": [1.0], "nodes_modes": ["LEAF"], "nodes_truenodeids": [0],
    "nodes_falsenodeids": [0], "nodes_missing_value_tracks_true": [0],
}  # fmt: skip


@pytest.mark.parametrize(
    ("producer", "targets", "headline"),
    [("skl2onnx", 1, "Tabular regression: scikit-learn"),
     ("CatBoost", 1, "Tabular regression: CatBoost"),
     ("", 7, "Tabular model: 7 numbers"),  # or raw scores of seven classes
     ("", 1, "Tabular model: 1 number")],  # or a margin, or a rank
)  # fmt: skip
def test_trees_are_a_regression_where_their_converter_writes_classifiers_as_such(
    tmp_path, producer, targets, headline
):
    leaf = {
        "target_treeids": [0],
        "target_nodeids": [0],
        "target_ids": [0],
        "target_weights": [1.0],
    }
    nodes: list[Node] = [
        ("TreeEnsembleRegressor", ["X"], ["Y"], {**TREE, **leaf, "n_targets": targets})
    ]
    back: dict[str, tuple[int, Shape]] = {"Y": (FLOAT, ["N", targets])}
    path = saved(tmp_path / "m.onnx", {"X": ["N", 12]}, back, nodes, None, producer)
    assert identify(open_model(path)).headline == headline


@pytest.mark.parametrize(
    ("scores", "headline"),
    [(1, "Anomaly detector: scikit-learn"), (4, "Clustering: scikit-learn, 4 clusters")],
)
def test_labels_with_scores_are_no_regression(tmp_path, scores, headline):
    leaf = {
        "target_treeids": [0],
        "target_nodeids": [0],
        "target_ids": [0],
        "target_weights": [1.0],
    }
    nodes: list[Node] = [
        ("TreeEnsembleRegressor", ["X"], ["scores"], {**TREE, **leaf, "n_targets": scores}),
        ("ArgMax", ["scores"], ["label"], {"axis": 1}),
    ]
    back: dict[str, tuple[int, Shape]] = {
        "label": (INT64, ["N", 1]), "scores": (FLOAT, ["N", scores])
    }  # fmt: skip
    path = saved(tmp_path / "m.onnx", {"X": ["N", 12]}, back, nodes, None, "skl2onnx")
    assert identify(open_model(path)).headline == headline


def test_a_row_of_ids_is_no_row_of_a_table(tmp_path):
    nodes: list[Node] = [
        ("Cast", ["x"], ["ids"], {"to": INT64}), ("Gather", ["words", "ids"], ["v"], {}),
        ("ReduceMean", ["v"], ["m"], {"axes": [1], "keepdims": 0}),
        ("Softmax", ["m"], ["y"], {}),
    ]  # fmt: skip
    words = {"words": np.ones((100, 2), np.float32)}
    path = saved(tmp_path / "m.onnx", {"x": ["N", 256]}, {"y": (FLOAT, ["N", 2])}, nodes, words)
    model = open_model(path)
    assert not output_structure.of_model(model).tabular
    assert identify(model).task == "Unknown task"
