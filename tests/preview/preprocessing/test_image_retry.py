"""A guess that gives nothing makes the command try others by itself, and say so."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper
from PIL import Image

from inspector.app import evaluate
from inspector.app.predict import predicting
from inspector.cli import other_machines
from inspector.engine.client.engine_process import EngineProcess
from inspector.formats.opening import open_model
from inspector.preview.preprocessing import saved
from inspector.preview.preprocessing.guess import guess
from inspector.preview.runs.folder import Row
from inspector.remote import machines, shards
from inspector.report.run_spec import RunSpec
from inspector.ui.tabs.preview.fill_inputs import Choice, ImageChoice, subject_of
from tests import models
from tests.command_line import json_of, output_of

pytestmark = pytest.mark.engine
SIDE, CELLS = 96, 189


def weight(name: str, values: object, kind: type = np.float32) -> onnx.TensorProto:
    return numpy_helper.from_array(np.asarray(values, kind), name)


def model(
    path: Path, outputs: dict[str, tuple[tuple[int, ...], np.ndarray]], fires: str
) -> None:
    """A detector whose scores, of the outputs named `fires`, need pixels in 0..255.

    outputs: shape, and logits (2, numbers): for a picture of mean 0, and what each unit of the
    mean adds.
    """
    nodes = [
        helper.make_node("ReduceMean", ["images", "axes"], ["all"], keepdims=0),
        helper.make_node("Reshape", ["all", "one"], ["mean"]),
    ]
    weights = [weight("axes", range(4), np.int64), weight("one", [1, 1], np.int64)]
    for name, (shape, numbers) in outputs.items():
        weights += [weight(f"b_{name}", numbers[:1]), weight(f"w_{name}", numbers[1:])]
        weights.append(weight(f"s_{name}", shape, np.int64))
        nodes.append(
            helper.make_node("Gemm", ["mean", f"w_{name}", f"b_{name}"], [f"f_{name}"])
        )
        ready = f"r_{name}" if name in fires.split() else name
        nodes.append(helper.make_node("Reshape", [f"f_{name}", f"s_{name}"], [ready]))
        if ready != name:
            nodes.append(helper.make_node("Sigmoid", [ready], [name]))
    taken = [models.value("images", [1, 3, SIDE, SIDE])]
    given = [models.value(name, shape) for name, (shape, _) in outputs.items()]
    models.save(path, nodes, taken, given, weights, opset=18)


def detector(path: Path) -> None:
    """Corners and three scores, of no family that is known."""
    corners, scores = np.zeros((2, 50, 4)), np.zeros((2, 50, 3))
    corners[0] = 0.2, 0.3, 0.4, 0.6
    scores[0] = -9
    scores[1, 7, 1] = 0.5
    rows = {
        "corners": ((1, 50, 4), corners.reshape(2, -1)),
        "scores": ((1, 50, 3), scores.reshape(2, -1)),
    }
    model(path, rows, "scores")


def predicted(path: Path, *more: str) -> dict[str, object]:
    picture = path.with_name("picture.png")
    Image.fromarray(np.full((SIDE, SIDE, 3), 140, np.uint8)).save(picture)
    argv = ["predict", str(path), "--input", f"images={picture}", "--json", *more]
    return dict(json.loads(output_of(*argv)))


def test_a_range_that_gives_no_boxes_is_replaced_by_one_that_does(tmp_path):
    path = tmp_path / "unknown.onnx"
    detector(path)
    answer = predicted(path)
    assert len(answer["scene"]["boxes"]) == 1
    assert "0..255" in answer["second_try"]
    assert "because RGB 0..1 gave no boxes" in answer["second_try"]
    assert "used RGB 0..255" in answer["inputs"][0]["words"]


def test_what_was_chosen_is_not_replaced(tmp_path):
    path = tmp_path / "unknown.onnx"
    detector(path)
    answer = predicted(path, "--scale", "1")
    assert answer["scene"]["boxes"] == []
    assert answer["second_try"] is None


def test_no_clear_answer_leaves_the_guess_and_says_what_was_tried(tmp_path):
    path = tmp_path / "nothing.onnx"
    corners, scores = np.full((2, 200), 0.2), np.zeros((2, 150))
    scores[0] = -9
    rows = {"corners": ((1, 50, 4), corners), "scores": ((1, 50, 3), scores)}
    model(path, rows, "scores")
    answer = predicted(path)
    assert answer["scene"]["boxes"] == []
    assert "nor with" in answer["second_try"]


def test_yolox_with_its_boxes_in_the_graph_is_tried_as_yolox_too(tmp_path):
    path = tmp_path / "decoded.onnx"
    table = np.zeros((2, CELLS, 85))
    table[0, :, :4], table[0, 9, 4] = (48, 32, 24, 16), 1
    table[1, 9, 8] = 1 / 140
    model(path, {"output": ((1, CELLS, 85), table.reshape(2, -1))}, "")
    read = onnx.load(path)
    read.graph.node[-1].output[0] = "plain"
    read.graph.node.append(helper.make_node("Mul", ["plain", "unit"], ["output"]))
    read.graph.initializer.append(weight("unit", [1]))
    onnx.save(read, path)
    answer = predicted(path)
    assert [box["class"] for box in answer["scene"]["boxes"]] == [3]
    assert "used BGR 0..255 with letterbox" in answer["second_try"]


def test_a_list_of_boxes_is_not_offered_as_an_image(tmp_path):
    path = tmp_path / "list.onnx"
    table = np.zeros((2, CELLS, 85))
    table[0, :, :4], table[0, 9, 4:9] = (0.5, 0.5, 0.6, 0.4), 1
    model(path, {"output": ((1, CELLS, 85), table.reshape(2, -1))}, "")
    folder = tmp_path / "saved"
    answer = predicted(path, "--save", str(folder))
    assert answer["scene"]["kind"] == "boxes"
    assert [output["reading"] for output in answer["outputs"]] == ["tensor"]
    assert sorted(each.name for each in folder.iterdir()) == ["boxes.png", "output.npy"]
    picture = path.with_name("picture.png")
    assert "writes as PNG" not in output_of("predict", path, "--input", f"images={picture}")
    undecoded = predicted(path, "--output-as", "decoder:none")
    assert [output["reading"] for output in undecoded["outputs"]] == ["picture"]


COLORS = {"red": (200, 40, 40), "green": (40, 200, 40), "blue": (40, 40, 200)}


@pytest.fixture
def colors(tmp_path: Path) -> Path:
    """A classifier of three colors by their means, sure of pixels in 0..255 only; images."""
    side = 40
    nodes = [
        helper.make_node("ReduceMean", ["images", "axes"], ["means"], keepdims=0),
        helper.make_node("Mul", ["means", "unit"], ["scaled"]),
        helper.make_node("Gemm", ["scaled", "same"], ["logits"]),
        helper.make_node("Softmax", ["logits"], ["shares"], axis=1),
    ]
    weights = [weight("axes", [2, 3], np.int64), weight("unit", [0.02]),
               weight("same", np.eye(3))]  # fmt: skip
    path = models.save(
        tmp_path / "colors.onnx",
        nodes,
        [models.value("images", [1, 3, side, side])],
        [models.value("shares", [1, 3])],
        weights,
        opset=18,
    )
    (tmp_path / "images").mkdir()
    for name, color in COLORS.items():
        pixels = np.tile(np.array(color, np.uint8), (side, side, 1))
        Image.fromarray(pixels).save(tmp_path / "images" / f"{name}.png")
    return path


def answers(path: Path, *more: str) -> tuple[dict[str, str], str]:
    """The class of each image of the folder, and the notes."""
    argv = ["predict", str(path), "--folder", str(path.parent / "images"), "--json", *more]
    body = json.loads(output_of(*argv))
    rows = {row["file"].partition(".")[0]: row["answer"] for row in body["rows"]}
    return rows, " ".join(body["notes"])


def test_an_unsure_class_is_tried_with_other_preprocessing(colors):
    image = colors.parent / "images" / "green.png"
    answer = json_of("predict", colors, "--input", image)
    assert answer["outputs"][0]["top"][0]["probability"] > 0.9
    assert answer["second_try"].startswith("used RGB 0..255, because RGB 0..1 gave no class")
    assert answer["second_try"].endswith("one image says little, so check with others")


def test_an_answer_that_any_large_value_makes_sure_is_no_reason_to_replace_a_guess(tmp_path):
    nodes = [
        helper.make_node("ReduceMean", ["images", "axes"], ["means"], keepdims=0),
        helper.make_node("Gemm", ["means", "same"], ["logits"]),
    ]
    weights = [weight("axes", [2, 3], np.int64), weight("same", 0.24 * np.eye(3))]
    path = models.save(
        tmp_path / "logits.onnx",
        nodes,
        [models.value("images", [1, 3, 40, 40])],
        [models.value("logits", [1, 3])],
        weights,
        opset=18,
    )
    pixels = np.tile(np.array([0, 255, 0], np.uint8), (40, 40, 1))
    Image.fromarray(pixels).save(tmp_path / "green.png")
    answer = json_of("predict", path, "--input", tmp_path / "green.png")
    assert answer["outputs"][0]["top"][0]["probability"] < 0.6
    assert "nor with 6 other presets" in answer["second_try"]


def test_a_folder_is_tried_with_several_images(colors):
    rows, notes = answers(colors)
    assert rows == {"red": "0", "green": "1", "blue": "2"}
    assert "0..255 gave a mean best score of 0.9" in notes
    assert "on 3 images, RGB 0..1 a mean best score of 0.3" in notes
    _, notes = answers(colors, "--scale", "1")
    assert notes == ""


def test_known_classes_decide_over_sure_answers(colors):
    """The model was trained on BGR, which only labels say."""
    truth = colors.parent / "truth.csv"
    truth.write_text("red.png,2\ngreen.png,1\nblue.png,0\n")
    rows, notes = answers(colors, "--truth", str(truth))
    assert rows == {"red": "2", "green": "1", "blue": "0"}
    assert notes.startswith("BGR 0..255 gave 100% right on 3 images, RGB 0..1 33% right")


@pytest.fixture
def of_window(colors: Path) -> Callable[..., tuple[dict[str, str], list[str]]]:
    """What the window's folder view gets: the class of each image, and the notes."""

    def run(choices: Mapping[str, Choice], truth: str = "none", retry: bool = True) -> Any:
        place, model = colors.parent / "images", open_model(colors)
        subject = subject_of(colors, model, choices, RunSpec(), may_retry=retry)
        with EngineProcess() as engine:
            once = predicting(engine, subject)
            test = evaluate.of_folder(subject, place, truth, info=model.inputs[0])
            test = evaluate.with_best_preprocessing(test, once)
            found = [*evaluate.rows(test, once)]
        named = {row.file.partition(".")[0]: row.answer for row in found}
        return named, [test.note] if test.note else []

    return run


def test_the_window_tries_a_folder_as_the_command_does(of_window, colors):
    rows, notes = of_window({})
    assert (rows, " ".join(notes)) == answers(colors)
    assert rows == {"red": "0", "green": "1", "blue": "2"}


def test_the_window_keeps_what_somebody_chose(of_window, colors):
    (info,) = open_model(colors).inputs
    guessed = guess(info)
    assert guessed is not None
    chosen = replace(guessed, scale="-1..1", why="as selected")
    _, notes = of_window({"images": ImageChoice(chosen, colors.parent / "images" / "red.png")})
    assert notes == []
    _, notes = of_window({}, retry=False)  # it was undone
    assert notes == []


def test_shards_of_a_lab_get_the_preprocessing_that_does_best(colors, monkeypatch):
    """Every shard gets the same one, in the file that is saved next to a model."""
    sent: dict[str, bytes] = {}

    def predict(
        lines: Any, job: Any, own: Mapping[str, Path], paths: Any, *_: Any
    ) -> list[Row]:
        sent.update({file.name: own[file.sha256].read_bytes() for file in job.model})
        return [Row(path.name) for path in paths]

    lab = SimpleNamespace(
        in_pool=True, device="", machine=None, width=lambda: 2,
        engine=lambda show, limits: EngineProcess(show, limits),
    )  # fmt: skip
    monkeypatch.setattr(other_machines, "only_target", lambda _: lab)
    monkeypatch.setattr(shards, "predict", predict)
    monkeypatch.setattr(machines, "line_to", lambda _: None)
    _, notes = answers(colors, "--ignore-saved")
    assert "0..255 gave a mean best score of 0.9" in notes
    kept = saved.decode(sent["colors.onnx.inspector.json"], "a shard")
    assert kept.pictures["images"].scale == "255"
