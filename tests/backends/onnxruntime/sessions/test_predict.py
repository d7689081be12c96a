"""Values of every kind go into a real engine and come out of it."""

import ml_dtypes
import numpy as np
import pytest
from onnx import TensorProto, helper

from inspector.errors import BadInput, EngineFailed
from inspector.report.run_spec import RunSpec
from tests.engine import small_models
from tests.models import save, value

pytestmark = pytest.mark.engine
CPU = RunSpec()
NUMPY_TYPES = [
    *("float64", "float16", "int64", "int32", "int16", "int8"),
    *("uint64", "uint32", "uint16", "uint8", "bool"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("models")


@pytest.fixture
def echo(engine, folder):
    def through(array, kind, shape=("n",), opset=17):
        name = f"echo-{kind}-{'x'.join(map(str, shape))}-{opset}.onnx"
        model = folder / name
        if not model.exists():
            small_models.identity(model, kind, shape, opset)
        (output,) = engine.predict(model, CPU, {"x": array}).outputs
        return output

    return through


@pytest.mark.parametrize("name", NUMPY_TYPES)
def test_a_type_of_numpy_goes_through_as_it_is(echo, name):
    array = np.array([0, 1, 1, 0]).astype(name)
    kind = helper.np_dtype_to_tensor_dtype(array.dtype)
    output = echo(array, kind)
    assert (output.dtype, output.array.dtype) == (name, name)
    assert output.array.tolist() == array.tolist()


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("bfloat16", TensorProto.BFLOAT16),
        ("float8_e4m3fn", TensorProto.FLOAT8E4M3FN),
        ("float8_e5m2", TensorProto.FLOAT8E5M2),
    ],
)
def test_a_float_that_numpy_lacks_comes_back_widened_under_its_own_name(echo, name, kind):
    array = np.array([0.5, -1, 2, 24]).astype(getattr(ml_dtypes, name))
    output = echo(array, kind, opset=21)
    assert output.dtype == name.replace("_", "")
    assert output.array.dtype == np.float32
    assert output.array.tolist() == [0.5, -1, 2, 24]


def test_such_a_float_may_be_given_as_float32(echo):
    output = echo(np.array([0.5, 3.0], np.float32), TensorProto.BFLOAT16)
    assert output.array.tolist() == [0.5, 3.0]


@pytest.mark.parametrize(
    ("name", "kind", "numbers"),
    [
        ("int4", TensorProto.INT4, [[-8, 7, 1], [0, -1, 3]]),
        ("uint4", TensorProto.UINT4, [[15, 0, 1], [2, 9, 3]]),
        ("int2", TensorProto.INT2, [[-2, 1, 0], [1, -1, 1]]),
    ],
)
def test_packed_integers_go_both_ways(engine, folder, name, kind, numbers):
    to_float = helper.make_node("Cast", ["x"], ["f"], to=TensorProto.FLOAT)
    back = helper.make_node("Cast", ["f"], ["y"], to=kind)
    model = save(
        folder / f"{name}.onnx",
        [to_float, back],
        [value("x", ["n", 3], kind)],
        [value("f", ["n", 3]), value("y", ["n", 3], kind)],
        opset=25,
    )
    x = np.array(numbers).astype(getattr(ml_dtypes, name))
    as_float, packed = engine.predict(model, CPU, {"x": x}).outputs
    assert as_float.array.tolist() == numbers
    assert (packed.dtype, packed.array.dtype.kind) == (name, "u" if name[0] == "u" else "i")
    assert packed.array.tolist() == numbers


def test_texts_go_through_whatever_they_hold(echo):
    array = np.array([["plain", "naïve 模型"], ["", "a\nb"]], object)
    output = echo(array, TensorProto.STRING, ("n", 2))
    assert output.dtype == "string"
    assert output.array.tolist() == array.tolist()


@pytest.mark.parametrize(
    "array",
    [
        np.arange(6, dtype=">f4").reshape(2, 3),
        np.asfortranarray(np.arange(6, dtype=np.float32).reshape(2, 3)),
        np.arange(12, dtype=np.float32).reshape(2, 6)[:, ::2] / 2,
        np.arange(6, dtype=np.float32)[::-1].reshape(2, 3)[::-1, ::-1],
    ],
    ids=["big-endian", "Fortran order", "every second", "backwards"],
)
def test_the_memory_layout_of_an_input_does_not_matter(echo, array):
    output = echo(array, TensorProto.FLOAT, ("n", 3))
    assert output.array.tolist() == [[0, 1, 2], [3, 4, 5]]


def test_a_scalar_and_an_empty_tensor_keep_their_shapes(echo):
    assert echo(np.array(2.5, np.float32), TensorProto.FLOAT, ()).shape == ()
    assert echo(np.zeros((0, 3), np.float32), TensorProto.FLOAT, ("n", 3)).shape == (0, 3)


def test_wrong_feeds_are_told_in_words(engine, folder):
    model = small_models.linear(folder / "linear.onnx")
    cases = {
        "Input 'x' has no value: the model expects float32 n×4": {},
        "values are float64, but the model expects float32": {"x": np.zeros((1, 4))},
        "the value has shape 1×5, but the model expects n×4": {
            "x": np.zeros((1, 5), np.float32)
        },
        "the value has shape 4, but the model expects n×4": {"x": np.zeros(4, np.float32)},
        "a model cannot take arrays of type": {"x": np.zeros((1, 4), [("a", "f4")])},
        "not all elements are strings": {"x": np.array([[1, "a", None, 2]], object)},
    }
    for message, feeds in cases.items():
        with pytest.raises(BadInput) as caught:
            engine.predict(model, CPU, feeds)
        assert message in str(caught.value)


def test_float32_for_a_float16_input_is_an_error_that_says_what_to_do(echo):
    with pytest.raises(BadInput, match=r"array\.astype\('float16'\)"):
        echo(np.zeros(2, np.float32), TensorProto.FLOAT16)


def test_an_input_with_a_default_may_be_given_or_left_out(engine, folder):
    graph_inputs = [value("x", ["n"]), value("offset", [1])]
    offset = helper.make_tensor("offset", TensorProto.FLOAT, [1], [10.0])
    add = helper.make_node("Add", ["x", "offset"], ["y"])
    model = save(folder / "default.onnx", [add], graph_inputs, [value("y", ["n"])], [offset])
    x = np.zeros(2, np.float32)
    assert engine.predict(model, CPU, {"x": x}).outputs[0].array.tolist() == [10, 10]
    given = {"x": x, "offset": np.ones(1, np.float32)}
    assert engine.predict(model, CPU, given).outputs[0].array.tolist() == [1, 1]


def test_a_classifiers_maps_become_a_table_with_keys(engine, samples):
    x = np.full((2, 13), 5, np.float32)
    model = samples / "wine_tabular.onnx"
    name = engine.load(model, CPU).inputs[0].name
    prediction = engine.predict(model, CPU, {name: x})
    label, table = prediction.outputs
    assert label.dtype == "string"
    assert table.kind == "sequence"
    assert table.dtype == "sequence(map(string, tensor(float32)))"
    assert table.shape == (2, 3)
    assert set(label.array) <= set(table.keys)
    np.testing.assert_allclose(table.array.sum(axis=1), 1, atol=1e-5)


def test_a_sequence_of_equal_tensors_is_one_array_and_others_are_words(engine, folder):
    split = helper.make_node("SplitToSequence", ["x", "parts"], ["s"], axis=0)
    for sizes, shape in (([2, 2], (2, 2, 3)), ([1, 3], ())):
        parts = helper.make_tensor("parts", TensorProto.INT64, [2], sizes)
        output = helper.make_tensor_sequence_value_info("s", TensorProto.FLOAT, None)
        inputs = [value("x", [4, 3])]
        model = save(folder / f"split{sizes[0]}.onnx", [split], inputs, [output], [parts])
        (found,) = engine.predict(model, CPU, {"x": np.ones((4, 3), np.float32)}).outputs
        assert found.shape == shape
        assert found.text == ("" if shape else "2 tensors: 1×3, 3×3")


def test_a_sequence_can_be_given_as_rows(engine, folder):
    join = helper.make_node("ConcatFromSequence", ["s"], ["y"], axis=0)
    sequence = helper.make_tensor_sequence_value_info("s", TensorProto.FLOAT, None)
    model = save(folder / "join.onnx", [join], [sequence], [value("y", ["n"])])
    rows = np.array([[1, 2], [3, 4]], np.float32)
    assert engine.predict(model, CPU, {"s": rows}).outputs[0].array.tolist() == [1, 2, 3, 4]


def test_a_run_that_fails_names_the_node(engine, folder):
    gather = helper.make_node("Gather", ["x", "i"], ["y"], "pick")
    index = value("i", [1], TensorProto.INT64)
    model = save(
        folder / "gather.onnx", [gather], [value("x", ["n"]), index], [value("y", [1])]
    )
    feeds = {"x": np.zeros(2, np.float32), "i": np.array([9])}
    with pytest.raises(EngineFailed) as caught:
        engine.predict(model, CPU, feeds)
    assert caught.value.phase == "prediction"
    assert caught.value.what == "Could not run gather.onnx"
    assert caught.value.why.startswith("the layer's index 9 is out of range (-2 to 1)")
    assert caught.value.why.endswith("(in layer 'pick' (Gather))")


def test_real_models_answer_as_they_should(engine, shared):
    from PIL import Image

    picture = Image.open(shared / "media" / "images" / "kitten_224.png").convert("RGB")
    bgr = np.asarray(picture, np.float32)[:, :, ::-1].transpose(2, 0, 1)[None]
    model = shared / "real" / "squeezenet1.1_fp16.onnx"
    (scores,) = engine.predict(model, CPU, {"data_0": bgr.astype(np.float16)}).outputs
    assert scores.array.ravel().argmax() == 281
    assert float(scores.array.max()) == pytest.approx(0.9316, abs=2e-3)
