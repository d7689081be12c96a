import wave
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from inspector.preview.inputs import image_files
from tests import models
from tests.command_line import errors_of, json_of, output_of, run
from tests.conftest import SHARED
from tests.preview import writer

pytestmark = pytest.mark.engine
_FASTESTDET = "real/fastestdet_opset11.onnx"
_PERSONS = "media/images/fastestdet_3.jpg"
_IMAGENET = SHARED / "media/labels/imagenet_winml_Labels.json"
_SQUEEZENET = ("--order=bgr", "--scale=255", "--labels", _IMAGENET)


def predicted(*arguments: object) -> dict[str, Any]:
    answer = json_of("predict", *arguments)
    assert answer["schema"] == "prediction/1"
    assert answer["prediction_ns"] > 0
    return answer


def best(answer: dict[str, Any]) -> tuple[int, float]:
    highest = answer["outputs"][0]["top"][0]
    return highest["index"], highest["probability"]


@pytest.fixture
def shifted(tmp_path: Path) -> Path:
    """A model that adds 1 to three numbers a row and carries labels."""
    values = [models.value(n, ["n", 3]) for n in "xy"]
    one = helper.make_tensor("one", TensorProto.FLOAT, [], [1.0])
    node = helper.make_node("Add", ["x", "one"], ["y"])
    model = models.model([node], values[:1], values[1:], [one])
    helper.set_model_props(model, {"labels": '["red", "green", "blue"]'})
    onnx.save(model, tmp_path / "shifted.onnx")
    return tmp_path / "shifted.onnx"


def test_the_object_holds_all_that_is_promised(shifted, tmp_path):
    (tmp_path / "x.csv").write_text("0,2,1\n5,nan,0\n")
    answer = predicted(shifted, "--input", tmp_path / "x.csv", "--top", 2)
    assert answer["device"] == "cpu"
    assert answer["inputs"][0] | {"words": ""} == {
        "name": "x", "value": "x.csv", "given": True, "shape": [2, 3], "words": "",
        "caution": "1 NaN of 6 elements; outputs may become NaN",
        "dtype": "float32",
    }  # fmt: skip
    (output,) = answer["outputs"]
    assert (output["name"], output["dtype"], output["shape"]) == ("y", "float32", [2, 3])
    assert output["statistics"]["maximum"] == 6
    assert output["statistics"]["nan"] == 1
    top = [(entry["index"], entry["label"]) for entry in output["top"]]
    assert top == [(1, "green"), (2, "blue")]
    assert output["rows"][1][0]["value"] == 6
    assert output["values"] == [[1, 3, 2], [6, None, 1]]


def test_the_text_names_device_time_inputs_and_outputs(shifted, tmp_path):
    text = output_of("predict", shifted, "--save", tmp_path / "out")
    assert text.startswith("shifted.onnx on CPU\n")
    assert "First run" in text
    assert "Most likely class: green" in text
    assert np.load(tmp_path / "out" / "y.npy").shape == (1, 3)


def test_options_reach_the_picture_even_those_that_start_with_a_minus(tmp_path, samples):
    (tmp_path / "gray.png").write_bytes(image_files.png(np.full((8, 8, 1), 51, np.uint8)))
    arguments = (samples / "digits_float32.onnx", "--input", tmp_path / "gray.png")
    (told,) = predicted(*arguments)["inputs"]
    assert "0..255 (from the model's metadata" in told["words"]
    (told,) = predicted(*arguments, "--scale", "-1..1", "--mean", "-1")["inputs"]
    assert "GRAY, 0..2 (as specified)" in told["words"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--input", "z=zeros"], "no such input"),
        (["--input", "missing.npy"], "no such file"),
        (["--device", "gpu:7"], "gpu:7"),
        (["--dim", "m=2"], "Did you mean 'n'|Available: 'n'"),
        (["--labels", "missing.txt"], "no such file"),
        (["--dim", "n=9999999999999"], "limit of 2.00 GiB; n is 9,999,999,999,999"),
    ],
)
def test_an_expected_failure_is_one_message_and_status_1(shifted, arguments, reason):
    done = run("predict", shifted, *arguments)
    assert (done.returncode, done.stdout) == (1, "")
    assert any(part in done.stderr for part in reason.split("|"))
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [["--top", "0"], ["--scale", "2"], ["--mean", "a,b"], ["--dim", "n"], ["--order", "brg"],
     ["--report", "page.txt"], []],
)  # fmt: skip
def test_wrong_use_is_status_2(arguments):
    model = ["m.onnx"] if arguments else []
    assert "usage" in errors_of("predict", *model, *arguments, status=2)


@pytest.mark.parametrize(
    ("model", "value", "options", "index", "probability"),
    [
        ("squeezenet1.1_fp16", "images/kitten_224.png", _SQUEEZENET, 281, 0.9316),
        ("squeezenet1.1_fp16", "images/hummingbird.jpg", _SQUEEZENET, 94, 0.984),
        ("squeezenet1.1_fp16", "images/goldfish.jpg", _SQUEEZENET, 1, 0.998),
        ("squeezenet1.1_fp16", "images/wolves.jpg", _SQUEEZENET, 270, 0.992),
        ("mobilenet_qdq_int8_maui", "images/kitten_224.png",
         ("--scale=1", "--mean=0.485,0.456,0.406", "--std=0.229,0.224,0.225"), 281, 0.763),
        ("mobilenet_qdq_int8_maui", "images/goldfish.jpg", (), 1, 0.996),
        ("mnist_cntk_opset7_gray8_meta", "images/mnist_28.png", (), 8, 1.0),
        ("cifar_like_imageclassifier_opset10", "images/hummingbird.jpg", ("--scale", "-1..1"),
         2, 0.362),
        ("xgboost_classifier_tree", "testdata/tract_xgboost_classifier_tree_io.npz", (),
         0, 0.952),
    ],
)  # fmt: skip
def test_models_of_others_give_their_measured_answer(
    shared, model, value, options, index, probability
):
    path = shared / "real" / f"{model}.onnx"
    answer = predicted(path, "--input", shared / "media" / value, *options)
    outputs = [output for output in answer["outputs"] if output["top"]]
    assert best({"outputs": outputs}) == (index, pytest.approx(probability, abs=0.02))
    assert outputs[0]["top"][0]["label"] or _IMAGENET not in options


def test_a_row_of_floats_a_flower(shared, tmp_path):
    (tmp_path / "iris.csv").write_text("5.1,3.5,1.4,0.2\n6.2,2.9,4.3,1.3\n7.7,2.6,6.9,2.3\n")
    path = shared / "real/iris_pytorch_network.onnx"
    (output,) = predicted(path, "--input", tmp_path / "iris.csv")["outputs"]
    assert [row[0]["index"] for row in output["rows"]] == [0, 1, 2]


def test_xgboost_agrees_with_what_another_runtime_answered(shared, tmp_path):
    data = shared / "media/testdata/tract_xgboost_classifier_tree_io.npz"
    path = shared / "real/xgboost_classifier_tree.onnx"
    predicted(path, "--input", data, "--save", tmp_path)
    answered = np.load(tmp_path / "probabilities.npy")
    assert np.abs(answered - np.load(data)["probabilities"]).max() < 1e-6


def test_a_picture_comes_back_three_times_as_large(shared, tmp_path):
    image = shared / "media/images/test_superresolution.png"
    path = shared / "real/superres_pytorch_opset15.onnx"
    predicted(path, "--input", image, "--save", tmp_path)
    large = image_files.read(tmp_path / "output.png")
    assert large.shape == (672, 672, 1)
    gray = image_files.to_gray(image_files.read(image))
    plain = image_files.resize(gray, 672, 672, "crop", "bicubic")
    assert np.abs(large.astype(int) - plain.astype(int)).mean() < 8


def test_four_seconds_of_sound_become_a_probability_of_speech_over_time(shared, tmp_path):
    path = shared / "real/silero_vad_op18_ifless.onnx"
    with wave.open(str(shared / "media/audio/silero_test.wav")) as whole:
        whole.setpos(4 * 16_000)
        with wave.open(str(tmp_path / "part.wav"), "wb") as part:
            part.setparams(whole.getparams())
            part.writeframes(whole.readframes(4 * 16_000))
    answer = predicted(path, f"--input=input={tmp_path / 'part.wav'}")
    given = {told["name"]: told["given"] for told in answer["inputs"]}
    assert given == {"input": True, "state": False, "sr": False}
    assert answer["steps"] == 125
    series = answer["outputs"][0]["series"]
    assert series["mean"] == pytest.approx(0.63484, abs=5e-5)
    assert series["share_over_half"] == pytest.approx(0.616)


def test_speech_quality_of_a_short_noise_is_as_its_authors_compute_it(shared):
    sound = shared / "media/audio/noise_1000ms.wav"
    told = output_of("predict", shared / "real/dnsmos_sig_bak_ovr.onnx", "--input", sound)
    assert "(SIG)      1.19" in told
    assert "(BAK)  1.18" in told
    assert "(OVRL)    1.10" in told


def test_without_feeding_back_every_step_starts_anew(shared, tmp_path):
    sound, path = shared / "media/audio/yes_1000ms.wav", shared / "real/dtln_model_1.onnx"
    said = [path, f"--input=input_2={sound}", "--save", tmp_path]
    fed = predicted(*said)
    kept = np.load(tmp_path / "activation_2.npy")
    predicted(*said, "--input=input_3=zeros", "--state", "none")
    anew = np.load(tmp_path / "activation_2.npy")
    assert fed["steps"] == len(kept) == 125
    assert np.array_equal(kept[0], anew[0])
    assert not np.allclose(kept[1], anew[1])


def test_persons_are_found_with_the_score_their_detector_gives(shared, tmp_path):
    image, path = shared / _PERSONS, shared / _FASTESTDET
    said = [path, "--input", image, "--labels", shared / "media/labels/coco.names"]
    answer = predicted(*said, "--save", tmp_path)
    boxes = answer["scene"]["boxes"]
    assert [(box["label"], round(box["score"], 2)) for box in boxes] == [
        ("person", 0.89), ("person", 0.89), ("person", 0.82), ("person", 0.80)
    ]  # fmt: skip
    drawn, whole = (image_files.read(each).shape for each in (tmp_path / "boxes.png", image))
    assert drawn[:2] == whole[:2]
    few = predicted(*said, "--score", "0.85")["scene"]["boxes"]
    assert len(few) == 2
    assert predicted(*said, "--output-as", "decoder:none")["scene"] is None


def changed_detector(source: Path, kind: str, target: Path, image: Path) -> Path:
    """FastestDet with its cells as a list, or as ONNX Runtime quantizes it to int8."""
    if kind == "list":
        made = onnx.load(source)
        (grid,) = made.graph.output
        shape = numpy_helper.from_array(np.array([1, 85, 484]), "list_shape")
        made.graph.initializer.append(shape)
        columns = helper.make_node("Reshape", [grid.name, "list_shape"], ["columns"])
        rows = helper.make_node("Transpose", ["columns"], ["rows"], perm=[0, 2, 1])
        made.graph.node.extend([columns, rows])
        made.graph.output.remove(grid)
        made.graph.output.append(models.value("rows", [1, 484, 85]))
        onnx.save(made, target)
        return target
    from onnxruntime import quantization  # slow to import

    pixels = image_files.resize(image_files.read(image), 352, 352, "stretch", "area")
    tensor = pixels[None, :, :, ::-1].transpose(0, 3, 1, 2).astype(np.float32) / 255

    class Calibration(quantization.CalibrationDataReader):
        feeds = iter([{"input.1": tensor}])

        def get_next(self) -> dict[str, np.ndarray] | None:
            return next(self.feeds, None)

    way = quantization.QuantFormat[kind]
    quantization.quantize_static(source, target, Calibration(), quant_format=way)
    return target


@pytest.mark.parametrize(
    "kind",
    ["list", *(pytest.param(kind, marks=pytest.mark.slow) for kind in ("QDQ", "QOperator"))],
)
def test_the_same_persons_are_found_in_a_list_of_cells_and_in_int8(kind, shared, tmp_path):
    image, source = shared / _PERSONS, shared / _FASTESTDET
    path = changed_detector(source, kind, tmp_path / "changed.onnx", image)
    scenes = [predicted(each, "--input", image)["scene"] for each in (source, path)]
    assert {scene["decoder"] for scene in scenes} == {"FastestDet"}
    centers = [
        sorted((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes)
        for boxes in (scene["boxes"] for scene in scenes)
    ]
    assert len(centers[0]) == len(centers[1]) == 4
    assert np.allclose(*centers, atol=0.01 if kind == "list" else 20)


def test_wolves_have_no_faces_and_people_have(shared):
    path, media = shared / "real/ultraface_rfb_320_ort_optimized.onnx", shared / "media/images"
    wolves = predicted(path, "--input", media / "wolves.jpg")
    people = predicted(path, "--input", media / "fastestdet_3.jpg")
    assert wolves["scene"]["boxes"] == []
    assert len(people["scene"]["boxes"]) == 4


def test_the_usual_preparations_stand_side_by_side(shared):
    image, path = shared / "media/images/goldfish.jpg", shared / "real/squeezenet1.1_fp16.onnx"
    tried = predicted(path, "--input", image, "--try", "--labels", "none")["tried"]
    assert tried[0]["name"] == "Suggested"
    assert tried[0]["answer"] == "class 1"
    assert len({entry["answer"] for entry in tried}) > 1
    iris = ["predict", str(shared / "real/iris_pytorch_network.onnx"), "--try"]
    assert "no input is set to an image" in errors_of(*iris)


@pytest.mark.parametrize(
    ("name", "label", "share"),
    [("magika_test.pdf", "pdf", 1.0), ("magika_test.csv", "csv", 0.9998)],
)
def test_the_kind_of_a_file_is_told_by_its_bytes(name, label, share, shared):
    labels = shared / "media/labels/magika_v3_3_config.min.json"
    path = shared / "real/magika_standard_v3_3.onnx"
    answer = predicted(path, "--input", shared / "media/text" / name, "--labels", labels)
    best = answer["outputs"][0]["top"][0]
    assert best["label"] == label
    assert best["probability"] == pytest.approx(share, abs=5e-5)


def test_one_table_fills_many_inputs(tmp_path):
    columns = [f"c{i}" for i in range(60)]
    *given, total = (models.value(name, ["n", 1]) for name in (*columns, "total"))
    node = helper.make_node("Sum", columns, ["total"])
    path = models.save(tmp_path / "table.onnx", [node], given, [total])
    lines = [columns, ["1"] * 60, ["2"] * 60]
    (tmp_path / "rows.csv").write_text("\n".join(",".join(line) for line in lines))
    (output,) = predicted(path, "--input", tmp_path / "rows.csv")["outputs"]
    assert output["values"] == [[60], [120]]


@pytest.mark.parametrize("chosen", [("--output-as", "decoder:YOLOX"), ("--decoder", "yolox")])
def test_a_decoder_that_does_not_fit_is_refused(shared, chosen):
    image, path = shared / _PERSONS, shared / _FASTESTDET
    errors = errors_of("predict", str(path), "--input", str(image), *chosen)
    assert "FastestDet" in errors
    assert ("now called --output-as decoder:yolox" in errors) is (chosen[0] == "--decoder")


def test_only_known_decoders_are_saved_and_taken_by_commands_that_decode(shared):
    path = shared / _FASTESTDET
    parity = "parity", path, "--against", path, "--output-as=decoder:yolox"
    assert "not a known meaning" in errors_of(*parity)
    assert "Could not read" in errors_of("prepare", path, "--output-as=decoder:yolo9000")


def test_a_decoder_that_was_saved_reads_the_outputs(shared, tmp_path):
    path = tmp_path / "model.onnx"
    path.write_bytes((shared / _FASTESTDET).read_bytes())
    said = str(path), "--input", str(shared / _PERSONS)
    for given, saved in (("none", "none"), ("fastest", "FastestDet")):
        as_said = f"--output-as=decoder:{given}"
        assert saved in output_of("prepare", path, as_said, "--write-sidecar")
        scene = predicted(*said)["scene"]
        assert (scene and scene["decoder"]) == (None if saved == "none" else saved)
    assert predicted(*said, "--output-as", "decoder:none")["scene"] is None


def test_a_memory_that_the_model_does_not_have_is_refused(shifted):
    assert "'why'" in errors_of("predict", shifted, "--state", "x=why")


def test_an_endless_loop_ends_at_the_time_limit(tmp_path):
    scalar, more, inner, last = (models.value(name, []) for name in ("x", "more", "inner", "y"))
    on, again = (models.value(name, [], TensorProto.BOOL) for name in ("on", "again"))
    turn = models.value("turn", [], TensorProto.INT64)
    steps = [helper.make_node("Identity", ["on"], ["again"]),
             helper.make_node("Add", ["inner", "inner"], ["more"])]  # fmt: skip
    body = helper.make_graph(steps, "body", [turn, on, inner], [again, more])
    yes = helper.make_tensor("yes", TensorProto.BOOL, [], [True])
    node = helper.make_node("Loop", ["", "yes", "x"], ["y"], body=body)
    path = models.save(tmp_path / "endless.onnx", [node], [scalar], [last], [yes])
    said = errors_of("predict", path, "--time-limit", "1")
    assert "it took longer than the 1 s allowed" in said
    errors_of("predict", path, "--time-limit", "0", status=2)


def test_a_text_is_written_on(tmp_path):
    path = writer.made(tmp_path)
    said = [path, "--input", "input_ids=text:the cat", "--generate", 10]
    answer = predicted(*said)
    assert answer["generated"]["text"] == "sat mat on"
    assert answer["generated"]["ended"]
    assert len(answer["generated"]["tokens"]) == 4


def test_vectors_of_two_inputs_are_compared(tmp_path):
    shape = [1, 8]
    x, y = (models.value(name, shape) for name in ("x", "embedding"))
    node = helper.make_node("Mul", ["x", "x"], ["embedding"])
    path = models.save(tmp_path / "space.onnx", [node], [x], [y])
    half = tmp_path / "half.npy"
    np.save(half, np.array([[1, 1, 1, 1, 0, 0, 0, 0]], np.float32))
    said = [path, "--input", "x=ones", "--similar", f"x={half}", "--similar", "x=3"]
    near, far = predicted(*said)["similar"]["embedding"]
    assert (near["name"], near["cosine"]) == ("x=3", pytest.approx(1))
    assert far["cosine"] == pytest.approx(0.5**0.5)


def test_outputs_are_saved_in_the_ways_that_are_asked_for(shifted, tmp_path):
    said = ["--input", "zeros", "--dim", "n=2", "--save", tmp_path / "out", "--save-as"]
    predicted(shifted, *said, "csv,pb,npz,wav")
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["outputs.npz", "y.csv", "y.pb"]
    assert (tmp_path / "out/y.csv").read_text().split() == ["1.0,1.0,1.0"] * 2
    stored = onnx.load_tensor(tmp_path / "out/y.pb")
    assert np.array_equal(onnx.numpy_helper.to_array(stored), np.ones((2, 3), np.float32))
    errors_of("predict", shifted, "--save-as", "exe", status=2)


def test_a_sample_without_an_input_runs_on_its_example_and_says_so(samples):
    text = output_of("predict", samples / "clothes_float32.onnx")
    assert "Most likely class: Ankle boot" in text
    assert "No input given; used the sample input boot.png" in text
