"""A language model measured token by token, in its own process, as a user asks for it."""

import json
from pathlib import Path
from statistics import median

import onnx
import pytest

import inspector
from inspector.app.language.speed import is_measured_by_token, speed_spec, token_by_token
from inspector.app.subjects import Subject
from inspector.errors import BadInput
from inspector.formats.opening import open_model
from inspector.report import report as reports
from inspector.report.run_spec import DEFAULT_SPEC, RunSpec
from tests import command_line
from tests import models as tests_models
from tests.language_folders import (
    LISTENER,
    encoder_decoder_folder,
    genai_folder,
    optimum_folder,
    with_slow_path,
)

SAMPLES = Path(__file__).parents[3] / "sample_models"
QUICK = ("--runs", "2", "--warmup", "1")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return genai_folder(tmp_path_factory.mktemp("lm") / "small")


@pytest.fixture(scope="module")
def saved(folder, tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "speed.json"
    asked = ("--prompt-tokens", "16", "--new-tokens", "6", "--context", "0,32")
    text = command_line.output_of("measure", folder, *asked, *QUICK, "-o", path)
    return text, reports.load(path)


def test_a_report_has_prompts_contexts_and_layers_of_both_phases(saved):
    text, report = saved
    speed = report.generation
    assert [(row.prompt, row.context) for row in speed.rows] == [(0, 0), (16, 16), (0, 32)]
    assert [len(row.steps) for row in speed.rows] == [12, 0, 12]
    assert len(speed.rows[1].prefill_ns) == 2
    assert report.prediction_ns == speed.decode.steps
    assert speed.cache == "shared"
    assert speed.context_limit == 512
    assert speed.decode_layers.context == 32
    assert speed.prefill_layers.tokens == 16
    timed = [ns for ns in speed.prefill_layers.layers_ns if ns is not None]
    assert len(timed) > 20
    assert speed.decode_layers.kernel_ns == report.kernel_ns > 0
    for phase in (speed.prefill_layers, speed.decode_layers):
        assert 0.2 < phase.profiling.kernel_share <= 1
    for name in (
        "prompt of 16 tokens",
        "Write 6 tokens after 0",
        "Write 6 tokens after 32",
        "first token",
        "tokens/s at context 32",
    ):
        assert name in text


def test_phases_are_told_apart_by_the_shapes_of_the_runtime(saved):
    """Attention at the end of the trace works on one token, and its steps are the runs."""
    _, report = saved
    names = [report.trace.names[place] for place in report.trace.name]
    prefills = [name for name in names if name.startswith("prefill, 16 tokens")]
    steps = [name for name in names if name.startswith("step ")]
    assert len(prefills) >= 2
    assert len(steps) >= 8
    runs = {int(run) for run in report.trace.run if run >= 0}
    assert runs == set(range(report.profiled_runs))
    attention = [each for each in report.layers if each.operator == "GroupQueryAttention"]
    assert all("1×1×" in each.output for each in attention)


def test_tied_to_what_the_cache_takes(folder, saved):
    _, report = saved
    model = open_model(folder / "model.onnx")
    past = [info for info in model.inputs if "past" in info.name]
    token = sum(info.shape[1] * info.shape[3] * 4 for info in past)
    assert report.generation.cache_token_bytes == token
    row = report.generation.rows[-1]
    assert row.memory.cache_bytes % token == 0
    assert row.memory.cache_bytes >= token * (32 + 6)


def test_a_prompt_is_measured_with_its_tokens(folder):
    made = command_line.json_of(
        "measure", folder, "--prompt", "Alice was", "--new-tokens", "4", *QUICK, "--no-layers"
    )
    speed = made["generation"]
    assert speed["prompt_text"] == "Alice was"
    assert speed["tokenize_ns"] > 0
    (row,) = speed["rows"]
    assert row["prompt"] == row["context"] >= 5
    derived = made["derived"]["generation"]
    assert derived["tokens_per_second_at_context"] == row["context"]
    middle = median(ns for steps in row["step_ns"] for ns in steps)
    assert derived["tokens_per_second"] == pytest.approx(1e9 / middle)


def test_settings_of_the_api(folder):
    done = inspector.measure(
        folder, runs=2, layers=False, settings={"new_tokens": 4, "contexts": (8,)}
    )
    (row,) = done.report.generation.rows
    assert (row.prompt, row.context, len(row.steps)) == (0, 8, 8)
    plain = inspector.measure(folder / "model.onnx", runs=2, layers=False)
    assert plain.report.generation is None


def test_a_given_length_measures_one_run_of_the_graph(folder, tmp_path):
    path = tmp_path / "one.json"
    command_line.output_of(
        "measure", folder, "--dim", "sequence_length=4", "--dim", "total_sequence_length=4",
        "--dim", "past_sequence_length=0", *QUICK, "--no-layers", "-o", path,
    )  # fmt: skip
    assert reports.load(path).generation is None


def test_defaults_fit_into_the_context(folder):
    model = open_model(folder / "model.onnx")
    spec = speed_spec(model, DEFAULT_SPEC)
    assert spec.prompt_tokens == (128,)
    assert spec.new_tokens == 64
    assert spec.contexts == (0, 224)
    assert (spec.runs, spec.warmup) == (6, 1)
    assert speed_spec(model, RunSpec(prompt_tokens=(9,))).new_tokens == 0
    assert speed_spec(model, RunSpec(contexts=(3,)), 20).new_tokens == 10
    assert speed_spec(model, DEFAULT_SPEC, 100_000).contexts == (0, 224)


def test_a_context_that_does_not_fit_is_refused(folder):
    told = command_line.errors_of("measure", folder, "--context", "600", *QUICK, "--no-layers")
    assert "600" in told or "664" in told
    assert "holds 512" in told


def test_what_is_no_decoder_is_refused():
    model = open_model(SAMPLES / "digits_float32.onnx")
    assert not is_measured_by_token(model)
    with pytest.raises(BadInput, match="token by token"):
        speed_spec(model, RunSpec(new_tokens=3))


def test_a_copied_cache_is_measured_and_said(tmp_path):
    folder = optimum_folder(tmp_path / "optimum", as_one=True)
    made = command_line.json_of(
        "measure", folder, "--new-tokens", "4", "--context", "0,16", *QUICK, "--no-layers"
    )
    assert made["generation"]["cache"] == "copied"
    assert [row["context"] for row in made["generation"]["rows"]] == [0, 16]
    assert json.dumps(made["generation"]["rows"][1]["step_ns"])


def test_two_graphs_take_turns_and_the_page_says_why_no_layer_is_timed(tmp_path):
    folder = optimum_folder(tmp_path / "pair")
    path = tmp_path / "pair.json"
    asked = ("--prompt-tokens", "16", "--new-tokens", "4", "--context", "16")
    text = command_line.output_of("measure", folder, *asked, *QUICK, "-o", path)
    report = reports.load(path)
    (row,) = report.generation.rows
    assert (row.prompt, row.context, len(row.steps)) == (16, 16, 8)
    assert report.model.name == "pair"
    assert "decoder_with_past_model.onnx" in text
    assert report.layers == ()


def test_two_models_take_turns(folder, tmp_path):
    other = genai_folder(tmp_path / "other", seed=1)
    done = command_line.json_of(
        "measure", folder, "--against", other, "--processes", "2", "--new-tokens", "4",
        "--context", "8", *QUICK, "--no-layers",
    )  # fmt: skip
    assert done["turns"]["id"]
    assert [len(steps) for steps in done["generation"]["rows"][0]["step_ns"]] == [4] * 4


def test_an_input_that_an_encoder_fills_leaves_one_run_of_the_graph(folder, tmp_path):
    """As before: nobody asked for tokens, and the loop could not make that input."""
    model = onnx.load(folder / "model.onnx")
    model.graph.input.append(tests_models.value("speaker", ["batch_size", 4]))
    path = tmp_path / "with_speaker.onnx"
    onnx.save(model, path)
    subject = Subject.of(path, open_model(path), DEFAULT_SPEC)
    assert token_by_token(subject) is subject
    plain = Subject.of(folder / "model.onnx", open_model(folder / "model.onnx"), DEFAULT_SPEC)
    assert token_by_token(plain).spec.generates


def measured(folder, *asked):
    path = folder / "report.json"
    command_line.output_of("measure", folder, *asked, *QUICK, "-o", path)
    return reports.load(path)


def test_an_encoder_its_prompt_and_decode_are_timed_apart(tmp_path):
    folder = encoder_decoder_folder(tmp_path / "reader", "merged")
    report = measured(folder, "--prompt-tokens", "16,32", "--new-tokens", "4", "--context", "8")
    speed = report.generation
    assert [row.tokens for row in speed.encoder] == [16, 32]
    assert all(len(row.run_ns) == 2 for row in speed.encoder)
    assert [(row.prompt, row.context) for row in speed.rows] == [(1, 1), (0, 8)]
    first, decoded = speed.rows
    assert first.encode_ns == speed.encoded.median_ns > 0
    assert min(first.first_token_ns) > first.encode_ns
    assert len(decoded.steps) == 8
    assert speed.decode_layers.kernel_ns > 0


def test_the_encoder_of_speech_is_timed_with_a_silent_sound(tmp_path):
    folder = encoder_decoder_folder(tmp_path / "scribe", size=LISTENER)
    report = measured(folder, "--new-tokens", "4", "--context", "0", "--no-layers")
    (row,) = report.generation.encoder
    assert row.tokens == 0
    assert report.spec.inputs[0].name == "input_features"
    said = command_line.errors_of("measure", folder, "--prompt-tokens", "16", status=1)
    assert "its encoder reads no text" in said


def test_a_step_in_the_time_over_the_context_is_told_with_its_layers(tmp_path):
    folder = genai_folder(tmp_path / "small")
    with_slow_path(folder, 150)
    path = tmp_path / "speed.json"
    asked = ("--new-tokens", "4", "--context", "0,400", "--threads", "1", *QUICK)
    text = command_line.output_of("measure", folder, *asked, "-o", path, "-v")
    report = reports.load(path)
    speed = report.generation
    assert len(speed.curve) == 17
    jump = speed.jumps[0]
    assert jump.context == 150  # the mask has one more: the token itself
    assert jump.after_ns > jump.before_ns
    longer = max(range(len(report.layers)), key=lambda layer: jump.longer_ns[layer] or 0)
    assert report.layers[longer].name == "slow_product"
    assert "Step at context 150" in text
    assert "in 1 layer of type MatMul" in text
