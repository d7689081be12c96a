"""The command `inspector evaluate`, on files as people have them."""

from pathlib import Path

import numpy as np
import pytest
from onnx import helper
from PIL import Image

from benchmarks import evaluation
from inspector.api import evaluate
from inspector.cli import main
from tests import language_folders, models
from tests.command_line import errors_of, json_of, output_of

pytestmark = pytest.mark.engine


def linear(path: Path, weight: float) -> Path:
    """Save a model that multiplies two numbers by the same one."""
    ends = [[models.value(n, (1, 2))] for n in "xy"]
    nodes = [helper.make_node("Mul", ["x", "w"], ["y"])]
    return models.save(path, nodes, *ends, {"w": np.float32(weight)})


@pytest.fixture(scope="module")
def numbers(tmp_path_factory) -> Path:
    """40 rows of two numbers, and twice as much to expect."""
    place = tmp_path_factory.mktemp("numbers")
    for folder in ("inputs", "expected"):
        (place / folder).mkdir()
    for number in range(40):
        row = np.array([[number, 1.0]], np.float32)
        np.save(place / "inputs" / f"{number}.npy", row)
        np.save(place / "expected" / f"{number}.npy", 2 * row)
    linear(place / "good.onnx", 2.01)
    linear(place / "bad.onnx", 3.0)
    return place


def test_a_better_model_is_told_and_conditions_decide(numbers):
    words = ["evaluate", numbers / "good.onnx", "--test", numbers / "inputs"]
    words += ["--truth", numbers / "expected", "--against", numbers / "bad.onnx"]
    body = json_of(*words, "--fail-if", "rmse>-5%")
    rmse, mae = body["metrics"]
    expected = np.sqrt((0.01 * np.array([[n, 1.0] for n in range(40)])) ** 2).astype(float)
    assert rmse["value"] == pytest.approx(np.sqrt((expected**2).mean()), rel=1e-5)
    assert mae["value"] == pytest.approx(expected.mean(), rel=1e-5)
    assert (rmse["level"], rmse["change"]["high"] < 0) == ("better", True)
    assert rmse["verdict"].startswith("good.onnx is more accurate than bad.onnx: RMSE ")
    assert body["conditions"][0]["outcome"] == "does not hold"
    (own,) = (row for row in body["rows"] if row["file"] == "3.npy")
    assert own["metric"]["value"] == pytest.approx(0.01 * np.sqrt(10 / 2), rel=1e-4)
    text = output_of(*words)
    assert "True answers from expected" in text
    worst = text[text.index("Files") :].splitlines()[2]
    assert worst.split()[0] == "39.npy", "the largest error comes first"


def test_status_3_where_a_condition_holds(numbers, tmp_path):
    words = ["evaluate", str(numbers / "bad.onnx"), "--test", str(numbers)]
    table = tmp_path / "rows.csv"
    assert main.run([*words, "--fail-if", "rmse>0.5", "--csv", str(table)]) == 3
    head, first, *_ = table.read_text().splitlines()
    assert head.endswith("problem,metric,value")
    assert ",RMSE," in first


def test_what_cannot_be_evaluated_says_what_to_do(samples, numbers, tmp_path):
    model = samples / "digits_float32.onnx"
    told = errors_of("evaluate", model, "--test", samples / "inputs")
    assert "no true answers were found in inputs" in told
    (tmp_path / "a.txt").write_text("a text")
    shown = errors_of("evaluate", model, "--test", tmp_path / "a.txt")
    assert "only a language model with a tokenizer" in shown
    table = tmp_path / "labels.csv"
    table.write_text("file,label\n1.npy,cat\n")
    assert "no answer could be compared" in errors_of(
        "evaluate", numbers / "bad.onnx", "--test", numbers / "inputs", "--truth", table
    )


def test_a_language_model_is_evaluated_by_its_perplexity(samples, tmp_path):
    text = (samples / "alice/held_out.txt").read_text("utf-8")
    (tmp_path / "one.txt").write_text(text[:3000], "utf-8")
    (tmp_path / "two.txt").write_text(text[3000:6000], "utf-8")
    words = ["evaluate", samples / "alice", "--test", tmp_path, "--fail-if", "perplexity>1000"]
    body = json_of(*words)
    assert body["schema"] == "quality/1"
    assert 20 < body["perplexity"]["value"] < 400
    assert body["conditions"][0]["outcome"] == "does not hold"


def test_a_model_that_hears_is_evaluated_by_its_words(tmp_path):
    folder = language_folders.encoder_decoder_folder(
        tmp_path / "scribe", size=language_folders.LISTENER
    )
    (tmp_path / "test").mkdir()
    for name in ("a", "b"):
        evaluation.write_sound(tmp_path / "test" / f"{name}.wav", np.zeros(8000, "<i2"))
        (tmp_path / "test" / f"{name}.txt").write_text("two words")
    words = ["evaluate", folder, "--test", tmp_path / "test"]
    body = json_of(*words)
    wer, cer = body["metrics"]
    said = [row["answer"] for row in body["rows"]]
    assert said[0] == said[1] != ""
    own = evaluation.edits(["two", "words"], said[0].casefold().split())
    assert (wer["id"], wer["value"]) == ("wer", own / 2)
    letters = evaluation.edits([*"two words"], [*" ".join(said[0].casefold().split())])
    assert (cer["id"], cer["value"]) == ("cer", letters / 9)
    beside = json_of(*words, "--against", "level=none")["metrics"]
    changes = [(each["id"], each["change"]["value"]) for each in beside]
    assert changes == [("wer", 0.0), ("cer", 0.0)]
    found = evaluate(folder, tmp_path / "test", against=folder)
    assert found.metrics == {"wer": wer["value"], "cer": cer["value"]}
    assert "no folder with an encoder" in errors_of(*words, "--against", "model=a.onnx")


@pytest.mark.parametrize("task", ["boxes", "instances", "masks", "words", "rows", "texts"])
def test_metrics_are_those_of_an_own_computation(task, tmp_path, monkeypatch):
    monkeypatch.setattr(evaluation, "PICTURES", 6)
    ours, own = evaluation.TASKS[task](tmp_path)
    assert {name: ours[name] for name in own} == pytest.approx(own, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("task", ["classes", "values", "perplexity"])
def test_metrics_of_longer_tasks_are_those_of_an_own_computation(task, tmp_path):
    ours, own = evaluation.TASKS[task](tmp_path)
    assert {name: ours[name] for name in own} == pytest.approx(own, rel=1e-7)


def test_classes_of_masks_that_the_model_does_not_have_are_said_once(tmp_path):
    models.save(
        tmp_path / "model.onnx",
        [helper.make_node("Conv", ["image", "W"], ["logits"])],
        [models.value("image", [1, 3, 16, 16])],
        [models.value("logits", [1, 5, 16, 16])],
        {"W": np.eye(5, 3, dtype=np.float32)[:, :, None, None]},
    )
    (tmp_path / "test/masks").mkdir(parents=True)
    for name, other in (("a", 4), ("b", 9)):
        Image.fromarray(np.zeros((16, 16, 3), np.uint8)).save(tmp_path / f"test/{name}.png")
        mask = np.zeros((16, 16), np.uint8)
        mask[0], mask[1] = other, 255
        Image.fromarray(mask).save(tmp_path / f"test/masks/{name}.png")
    body = json_of("evaluate", tmp_path / "model.onnx", "--test", tmp_path / "test")
    assert sum("(9)" in note for note in body["notes"]) == 1
    (found,) = body["metrics"]
    pixels = 2 * 15 * 16
    assert found["value"] == pytest.approx((pixels - 2 * 16) / pixels / 3)
