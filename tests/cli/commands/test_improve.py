"""`inspector improve` on the sample classifier, with real engines."""

import re
import shlex
from pathlib import Path

import numpy as np
import pytest

from inspector.app.changing import improvement as search
from inspector.engine.client.single_child import EngineProcessOwner
from inspector.errors import NotSaved
from inspector.formats.opening import open_model
from inspector.pages.improvement import improvement_page
from inspector.report import improvement
from tests.command_line import errors_of, json_of, output_of, run
from tests.page_text import text

pytestmark = pytest.mark.engine
DIGITS = Path(__file__).parents[3] / "sample_models" / "digits_float32.onnx"
IMPROVE = ("improve", DIGITS, "--test")


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ...]:
    """32 test images, 4 for calibration and 4 for quick tests, all different.

    The classifier takes their strokes for digits.
    """
    from PIL import Image

    base, random = tmp_path_factory.mktemp("images"), np.random.default_rng(7)
    for name, count in (("test", 32), ("calibration", 4), ("few", 4)):
        (base / name).mkdir()
        for number in range(count):
            pixels = np.zeros((8, 8), np.uint8)
            pixels[1:7, random.integers(1, 7)] = 255
            pixels[random.integers(1, 7), 1:7] = random.integers(128, 255)
            Image.fromarray(pixels).save(base / name / f"{number:02}.png")
    return base / "test", base / "calibration", base / "few"


def test_a_smaller_model_that_answers_the_same_is_found_saved_and_proved(
    folders, tmp_path, monkeypatch
):
    started, start = list[object](), EngineProcessOwner._start

    def counted(
        self: EngineProcessOwner, readable: tuple[str, ...] | None, shapes: bool
    ) -> object:
        started.append(readable)
        return start(self, readable, shapes)

    monkeypatch.setattr(EngineProcessOwner, "_start", counted)
    made, report = tmp_path / "small.onnx", tmp_path / "report.json"
    before = DIGITS.read_bytes()
    out = output_of(
        *IMPROVE, folders[0], "--goal", "size", "--max-loss", "15%", "--processes", 0,
        "--try", "float16", "--try", "opset:19", "-o", made, "--report", report,
    )  # fmt: skip
    assert len(started) == 2, "one process for the original, one for all candidates"
    assert DIGITS.read_bytes() == before
    state = improvement.load(report)
    best = state.candidates[state.best]
    assert best.steps == ("float16",)
    assert best.levels == 4
    same = best.measure("same_class")
    assert (same.value, same.count) == (1.0, 32)
    assert made.stat().st_size < 0.6 * len(before)
    assert {w.dtype for w in open_model(made).weights} == {"float16"}
    assert f"inspector convert {shlex.quote(str(DIGITS))} float16 --test " in out
    assert "best: Float16: 48% smaller, same class on 100.00% of 32 inputs" in out
    (core_ml,) = (each for each in best.targets if "Core ML" in each.target)
    assert core_ml.before.endswith(" of 15")
    assert core_ml.after
    assert core_ml.target in text(improvement_page(state))


def test_an_edit_that_renames_inputs_and_outputs_gets_no_verdict_and_no_benchmark(
    folders, tmp_path
):
    report = tmp_path / "report.json"
    step = "rename:picture=image,probabilities=scores"
    options = ("--goal", "p50", "--processes", 1, "--try", step, "--report", report)
    output_of(*IMPROVE, folders[2], *options)
    (candidate,) = (c for c in improvement.load(report).candidates if c.steps)
    assert candidate.problem == ""
    assert candidate.measure("same_class") is None
    assert candidate.latency is None


def test_a_limit_inside_the_interval_gives_no_best_model(folders, tmp_path):
    made = tmp_path / "small.onnx"
    options = ("--goal", "size", "--max-loss", "0.5%", "--processes", 0, "--try", "float16")
    said = run(*IMPROVE, folders[0], *options, "-o", made)
    assert said.returncode == 1
    assert not made.exists()
    assert re.search(r"\(95% CI .*, 32 inputs", said.stdout)
    assert "small.onnx" in said.stderr
    assert "--max-loss" in said.stderr


@pytest.mark.slow  # the test of other names measures, too
def test_latency_is_measured_in_turns_with_the_original(folders):
    state = json_of(*IMPROVE, folders[2], "--processes", 1, "--try", "float16")
    timed = state["candidates"][0]["latency"]
    assert timed["p50_ns"] > 0
    assert timed["change"] is not None
    # One pair of processes on a busy machine may leave too few runs for an interval.
    assert timed["low"] is None or timed["low"] < timed["change"] < timed["high"]


def test_an_input_of_both_folders_is_refused(folders, tmp_path):
    shared = tmp_path / "calibration"
    shared.mkdir()
    (shared / "other_name.png").write_bytes((folders[0] / "03.png").read_bytes())
    told = errors_of(*IMPROVE, folders[0], "--calibration", shared, "--try", "float16")
    assert "used for both calibration and test" in told


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--goal", "speed"), "the goal must be p50 or size"),
        (("--max-loss", "top1>=now"), "the limit must be a number"),
        (("--max-loss", "500%"), "the loss must be from 0% to 100%"),
        (("--report", "a.txt"), "'.txt' is not a supported file extension here"),
        (("-o", str(DIGITS)), "the output would overwrite the model"),
        (("--try", "int9"), "there is no such action"),
    ],
)
def test_wrong_options_get_a_sentence(folders, options, message):
    assert message in errors_of(*IMPROVE, folders[0], "--processes", 0, *options)


@pytest.mark.slow
def test_a_search_keeps_layers_in_float_where_int8_is_not_within_the_limit(
    folders, monkeypatch
):
    # The other recipes take as long as these and those that follow from them.
    monkeypatch.setattr(search, "_RECIPES", ("float16", "int8"))
    monkeypatch.setattr("inspector.app.changing.search.WITH_HISTOGRAMS", ("entropy",))
    options = ("--goal", "size", "--max-loss", "0.1%", "--processes", 0)
    state = json_of(*IMPROVE, folders[0], "--calibration", folders[1], *options)
    steps = [candidate["steps"] for candidate in state["candidates"]]
    assert ["float16"] in steps
    assert ["int8"] in steps
    assert ["int8:method=entropy"] in steps
    kept = [one[0] for one in steps if one[0].startswith("int8:keep=")]
    assert len(kept) == 2, (
        "the model has four layers to quantize: 1 and 2 of them stay in float"
    )
    assert kept[1].startswith(kept[0])
    assert state["best"] == -1, "32 inputs cannot prove a change of less than 0.1%"


def test_the_original_is_run_at_every_level_and_where_to_save_is_checked_first(
    folders, tmp_path
):
    missing = tmp_path / "none" / "small.onnx"
    said = run(*IMPROVE, folders[2], "--try", "float16", "-o", missing)
    assert (said.returncode, said.stdout) == (1, ""), "it must fail before the search"
    told = json_of(*IMPROVE, folders[2], "--processes", 0, "--try", "float16")
    assert told["original"]["levels"] == 4


def test_results_are_shown_although_the_model_cannot_be_saved(folders, tmp_path, monkeypatch):
    def full(*_: object) -> None:
        raise NotSaved("Could not save small.onnx", "no space is left on the disk")

    monkeypatch.setattr("inspector.app.changing.improvement.conversions.save", full)
    options = ("--goal", "size", "--max-loss", "any", "--processes", 0, "--try", "float16")
    said = run(*IMPROVE, folders[2], *options, "-o", tmp_path / "small.onnx")
    assert said.returncode == 1
    assert "best: Float16" in said.stdout
    assert "Saved" not in said.stdout
    assert "no space is left on the disk" in said.stderr


def test_condition_on_the_best_model_ends_with_status_3(folders):
    options = (folders[2], "--goal", "size", "--max-loss", "any", "--processes", 0)
    shared = (*IMPROVE, *options, "--try", "float16", "--fail-if")
    assert "model.size>-10%" in output_of(*shared, "model.size>-10%")
    assert "FAIL" in output_of(*shared, "model.size>1KiB", status=3)
    errors_of(*shared, "size>1KiB", status=2)


def test_best_model_with_external_data_is_saved_with_it(folders, tmp_path):
    made = tmp_path / "small.onnx"
    step = "float16 external-data"
    options = ("--goal", "size", "--max-loss", "any", "--processes", 0, "--try", step)
    output_of(*IMPROVE, folders[2], *options, "-o", made)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["small.onnx", "small.onnx.data"]
    assert {w.place.file for w in open_model(made).weights if w.place} >= {"small.onnx.data"}


@pytest.mark.slow
def test_detector_is_judged_by_its_boxes_not_by_decibels(shared, tmp_path):
    from PIL import Image, ImageEnhance

    tests, report = tmp_path / "test", tmp_path / "report.json"
    tests.mkdir()
    with Image.open(shared / "media" / "images" / "fastestdet_3.jpg") as street:
        for number in range(32):
            picture = ImageEnhance.Brightness(street).enhance(0.8 + number / 80)
            picture.save(tests / f"{number:02}.jpg")
    model, table = shared / "real" / "fastestdet_opset11.onnx", tmp_path / "boxes.csv"
    # The people in the picture, as somebody would mark them.
    marked = ("40,60,178,294", "290,143,484,296", "160,134,256,267", "228,137,326,278")
    rows = [f"{n:02}.jpg,person,{box}" for n in range(32) for box in marked]
    table.write_text("\n".join(["file,label,left,top,right,bottom", *rows]))
    options = ("--processes", 0, "--try", "int8-dynamic", "--report", report)
    output_of("improve", model, "--test", tests, *options, "--truth", table)
    state = improvement.load(report)
    (candidate,) = state.candidates
    boxes, precision = candidate.measure("same_boxes"), candidate.measure("map50")
    assert state.main == "map50"
    assert boxes.value > 0.9
    assert precision.original > 0.9
    assert precision.value > 0.9
    assert candidate.sqnr_db < 13
