"""The Python API: each function on sample models, its results, and its errors."""

import asyncio
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import inspector
from inspector import api
from inspector.api.tables import library
from inspector.report import sweep
from inspector.report.improvement import convert_code
from tests import language_folders
from tests.preview.families import planted
from tests.sweeps import planned

ROOT = Path(__file__).parents[1]
SAMPLES = ROOT / "sample_models"
DIGITS = SAMPLES / "digits_float32.onnx"


def test_the_package_has_every_name_of_the_api_and_imports_nothing_for_it():
    assert set(inspector._API) == set(api.__all__)
    for name in api.__all__:
        assert getattr(inspector, name) is getattr(api, name)
        assert name in dir(inspector)
    with pytest.raises(AttributeError, match="no attribute 'meassure'"):
        inspector.meassure
    heavy = "{'numpy', 'inspector.api'} & set(sys.modules)"
    script = f"import inspector, sys; print(*({heavy}))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert run.stdout.split() == [], run.stderr


def test_an_opened_model_says_what_it_is(tmp_path):
    model = inspector.open_model(DIGITS)
    assert model.sentence.startswith("Image classifier: 10 classes")
    assert inspector.open_model(model) is model
    shown = model._repr_markdown_()
    assert "picture: float32 batch × 1 × 8 × 8" in shown
    assert "| Parameters | 19,419 |" in shown
    page = model.save(tmp_path / "model.html").read_text("utf-8")
    assert 'href="#layer-4"' in page
    with pytest.raises(inspector.InspectorError, match=r"'\.png' is not"):
        model.save(tmp_path / "model.png")


@pytest.mark.engine
def test_a_language_model_is_scored_on_a_text(tmp_path):
    alice, small = SAMPLES / "alice", tmp_path / "small.onnx"
    made = inspector.convert(alice, "weights-8bit", output=small)
    assert made.checked.quality.level == "good"
    alone = inspector.score_text(alice, tokens=512)
    assert (alone.tokens, alone.ratio, alone.level) == (512, None, "")
    assert alone.intervals["perplexity"][0] < alone.perplexity
    both = inspector.score_text(alice, against=small, tokens=512, sensitivity=True)
    assert both.perplexity == pytest.approx(alone.perplexity)
    assert both.divergence > 0
    assert both.parts[0][1] >= both.parts[1][1]
    assert both.verdict in both._repr_markdown_()
    more = {"goal": "size", "starts": 0, "text": ""}
    found = inspector.improve(alice, None, "weights-8bit", "weights-2bit", **more)
    assert found.improvement.best == 0
    with pytest.raises(inspector.InspectorError, match="against=MODEL"):
        inspector.score_text(alice, sensitivity=True)


@pytest.mark.engine
def test_a_language_model_answers():
    heard: list[str] = []
    alice = SAMPLES / "alice"
    told = inspector.generate(alice, "Who are you?", max_tokens=6, on_text=heard.append)
    assert (told.stop, len(told.tokens)) == ("max tokens", 6)
    assert told.text == str(told) == "".join(heard)
    assert told.prompt.endswith("<|user|>\nWho are you?<|end|>\n<|assistant|>\n")
    assert 0 < told.tokens[0].probability <= 1
    assert told.tokens[0].alternatives[0][1] >= told.tokens[0].probability
    assert told.first_token_ns >= told.prefill_ns > 0
    assert "6 tokens" in told._repr_markdown_()
    messages = [{"role": "user", "content": "Who are you?"}]
    assert inspector.generate(alice, messages, max_tokens=6).text == told.text
    plain = inspector.generate(alice, "Alice was", template="", max_tokens=3, temperature=1)
    assert plain.prompt == "Alice was"
    with pytest.raises(inspector.InspectorError, match="Could not read the messages"):
        inspector.generate(alice, [{"role": "user"}])


@pytest.mark.engine
def test_a_loaded_model_answers_again_without_loading():
    with inspector.load(SAMPLES / "alice") as model:
        assert (model.name, model.context) == ("alice", 512)
        told = [model.generate("Who are you?", max_tokens=6) for _ in range(2)]
    assert told[0].text == told[1].text
    assert told[0].load_ns > 0
    assert told[1].load_ns == 0


@pytest.mark.engine
def test_a_sound_is_written_down(tmp_path):
    folder = language_folders.encoder_decoder_folder(
        tmp_path / "scribe", size=language_folders.LISTENER
    )
    tone = planted.tone(tmp_path / "tone.wav")
    told = inspector.generate(folder, tone, max_tokens=6)
    assert len(told.tokens) == 6
    assert told.first_token_ns > told.prefill_ns
    with pytest.raises(inspector.InspectorError, match="has no encoder"):
        inspector.generate(SAMPLES / "alice", tone)
    with pytest.raises(inspector.InspectorError, match="takes what its encoder reads"):
        inspector.predict(folder, tone)


@pytest.mark.engine
def test_a_prediction_takes_files_arrays_and_recipes():
    answer = inspector.predict(DIGITS, SAMPLES / "inputs" / "digit_3.png")
    name, probability = answer.top(1)[0]
    assert (name, probability > 0.9) == ("3", True)
    assert answer["probabilities"].shape == (1, 10)
    assert "| 3 |" in answer._repr_markdown_()
    zeros = inspector.predict(DIGITS, {"picture": np.zeros((2, 1, 8, 8), np.float32)})
    assert zeros["probabilities"].shape == (2, 10)
    assert inspector.predict(DIGITS, "random:1").prediction_ns > 0


@pytest.mark.engine
def test_a_measurement_gives_numbers_rows_and_files(tmp_path):
    steps = list[str]()
    report = inspector.measure(
        DIGITS, runs=12, settings={"threads": 1}, progress=lambda step, _: steps.append(step)
    )
    assert steps
    assert report.samples().shape == (12,)
    assert 0 < report.p50_ns < 1e9
    assert report.latency()["all_predictions"]["n"] == 12
    rows = report.layers()
    assert [row["operator"] for row in rows][:2] == ["Mul", "Conv"]
    assert isinstance(rows[0]["time_ns"], int)
    assert report.to_dict()["schema"].startswith("report/")
    assert report._repr_html_().startswith("<iframe srcdoc=")
    saved = report.save(tmp_path / "report.json")
    again = inspector.load_report(saved)
    assert again.p50_ns == report.p50_ns
    assert report.save(tmp_path / "report.html").read_bytes().startswith(b"<!doctype html>")
    assert "**Numbers**" in inspector.compare(report, saved)._repr_markdown_()
    with pytest.raises(
        inspector.InspectorError, match="is not a supported file extension here"
    ):
        report.save(tmp_path / "report.doc")


@pytest.mark.engine
def test_a_measurement_does_not_block_an_event_loop():
    async def alive() -> bool:
        return True

    async def both() -> tuple[inspector.Measurement, list[bool]]:
        loop, answers = asyncio.get_running_loop(), list[bool]()

        def ask(_step: str, _share: float) -> None:
            """Wait for the loop, as long as only a blocked one lasts."""
            answers.append(asyncio.run_coroutine_threadsafe(alive(), loop).result(60))

        work = inspector.measure_async(DIGITS, runs=5, layers=False, progress=ask)
        return await work, answers

    report, answers = asyncio.run(both())
    assert report.samples().shape == (5,)
    assert answers


@pytest.mark.engine
def test_a_model_is_converted_compared_and_never_overwritten(tmp_path):
    target = tmp_path / "small.onnx"
    made = inspector.convert(DIGITS, "float16", output=target)
    assert made.path == target
    assert "18 float32 tensors" in made.effects[0]
    assert "Conv" in inspector.diff(DIGITS, target).summary
    assert inspector.diff(DIGITS, DIGITS, values=False).to_dict()["schema"] == "diff/1"
    with pytest.raises(inspector.InspectorError, match="already exists"):
        inspector.convert(DIGITS, "float16", output=target)
    with pytest.raises(inspector.InspectorError, match="would overwrite the model"):
        inspector.convert(DIGITS, "float16", output=DIGITS, overwrite=True)
    nothing = inspector.convert(target, "float16", output=tmp_path / "other.onnx")
    assert nothing.unchanged
    assert nothing.path == tmp_path / "other.onnx"
    assert nothing.path.read_bytes() == target.read_bytes()
    nothing = inspector.convert(target, "float16", output=tmp_path / "no.onnx", copy=False)
    assert nothing.path is None
    assert not (tmp_path / "no.onnx").exists()


@pytest.mark.engine
def test_int8_needs_typical_inputs_and_no_result_that_answers_otherwise_is_saved(tmp_path):
    target = tmp_path / "small.onnx"
    with pytest.raises(inspector.InspectorError, match="needs typical inputs"):
        inspector.convert(DIGITS, "int8", output=target)
    random = np.random.default_rng(0)
    name = inspector.open_model(DIGITS).model.inputs[0].name
    inputs = [{name: random.random((1, 1, 8, 8), np.float32)} for _ in range(9)]
    made = inspector.convert(DIGITS, "int8", output=target, calibration=inputs)
    assert (made.checked.verdict.inputs, made.checked.verdict.held_out) == (4, True)
    assert made.conversion.calibrated == 5
    with pytest.raises(inspector.OutputsDestroyed, match="Do not ship"):
        inspector.convert(
            DIGITS, "sparse:zeros=99", output=tmp_path / "no.onnx", calibration=inputs
        )
    assert not (tmp_path / "no.onnx").exists()


@pytest.mark.engine
def test_the_code_of_a_recipe_runs_with_a_folder_of_typical_inputs(tmp_path):
    model, typical = tmp_path / "net.onnx", tmp_path / "typical inputs"
    shutil.copy(DIGITS, model)
    typical.mkdir()
    shutil.copy(SAMPLES / "inputs" / "digit_3.png", typical)
    exec(convert_code(str(model), ("int8",), str(typical)), {})
    made = inspector.open_model(tmp_path / "net.improved.onnx").model
    assert "int8" in {weight.dtype for weight in made.weights}


@pytest.mark.engine
def test_recipes_are_tried_on_test_inputs(tmp_path):
    test, target = tmp_path / "test", tmp_path / "small.onnx"
    test.mkdir()
    for number in range(3):
        shutil.copy(SAMPLES / "inputs" / "digit_3.png", test / f"{number}.png")
    results = inspector.improve(
        DIGITS, test, "float16", goal="size", keep="any", starts=0, output=target
    )
    assert "48% smaller" in results.headline
    assert "\n    'float16',\n" in results.code
    assert target.stat().st_size < DIGITS.stat().st_size
    assert results.to_dict()["candidates"][0]["levels"] == 4
    assert results.save(tmp_path / "a.md").read_text("utf-8").startswith("### `digits_float32")
    with pytest.raises(inspector.InspectorError, match="already exists"):
        inspector.improve(DIGITS, test, "float16", output=target)


@pytest.mark.engine
def test_support_is_estimated_for_targets():
    found = inspector.support(DIGITS, "apple,webgpu").to_dict()
    assert set(found) == {"apple", "webgpu"}
    assert all(each["sentence"] for each in found.values())


@pytest.mark.engine
def test_a_sweep_is_saved_as_its_suffix_says(tmp_path):
    result = inspector.SweepResult(planned())
    for name, start in (("a.json", b"{"), ("a.html", b"<!doctype"), ("a.pdf", b"%PDF")):
        assert result.save(tmp_path / name).read_bytes().startswith(start)
    assert sweep.load(tmp_path / "a.json") == planned()
    with pytest.raises(inspector.InspectorError, match=r"Use one of .*\.html"):
        result.save(tmp_path / "a.docx")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: inspector.predict(DIGITS, {"image": "zeros"}), "it has no input 'image'"),
        (lambda: inspector.predict("none.onnx"), "none.onnx"),
        (lambda: inspector.measure(DIGITS, settings={"thread": 1}), "thread"),
        (lambda: inspector.predict(SAMPLES / "sequence_loop.onnx", "zeros"), "inputs"),
        (lambda: inspector.convert(DIGITS, "int9", output="x.onnx"), "no such action"),
    ],
)
def test_what_a_caller_can_get_wrong_is_an_inspector_error(call, message):
    with pytest.raises(inspector.InspectorError, match=message):
        call()


def test_a_library_that_is_missing_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(inspector.InspectorError, match="pip install pandas"):
        library("pandas")


@pytest.mark.engine
def test_the_examples_of_the_page_run(tmp_path, monkeypatch):
    page = (ROOT / "docs" / "python_api.md").read_text("utf-8")
    code = "\n".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL))
    shutil.copytree(SAMPLES, tmp_path / "models")
    monkeypatch.chdir(tmp_path / "models")
    exec(compile(code, "python_api.md", "exec"), {})
    assert Path("report.html").stat().st_size > 10_000
    assert Path("small.onnx").exists()
