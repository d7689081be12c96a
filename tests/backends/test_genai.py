"""ONNX Runtime GenAI beside the decoder loop of our own, in confined processes."""

import json
from pathlib import Path

import numpy as np
import pytest

from inspector.backends import registry
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import BadInput, EngineFailed, InspectorError
from inspector.report.language.generation import Sampling, StopReason
from inspector.report.report_values import Device, ModelIdentity
from inspector.report.run_spec import RunSpec
from tests.language_folders import Form, genai_folder

pytest.importorskip("onnxruntime_genai")

PROMPT = tuple(range(40, 140))
GENAI = RunSpec(devices=("genai:cpu",))


def ids(generation):
    return [token.id for token in generation.tokens]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return genai_folder(tmp_path_factory.mktemp("models") / "model")


@pytest.mark.parametrize("form", [Form(), Form("int4"), Form(cache="float16")], ids=str)
def test_both_runtimes_choose_the_same_tokens(tmp_path, form):
    model = genai_folder(tmp_path / "model", form) / "model.onnx"
    with EngineProcess() as engine:
        ours = engine.generate(model, RunSpec(), PROMPT, max_tokens=30)
    with EngineProcess() as engine:
        theirs = engine.generate(model, GENAI, PROMPT, max_tokens=30)
    assert ids(ours) == ids(theirs)
    assert theirs.prompt_tokens == len(PROMPT)
    for one, two in zip(ours.tokens, theirs.tokens, strict=True):
        assert one.probability == pytest.approx(two.probability, abs=2e-3)


def test_a_prompt_that_goes_on_keeps_the_cache_and_a_longer_one_makes_it_anew(folder):
    model = folder / "model.onnx"
    with EngineProcess() as engine:
        first = engine.generate(model, GENAI, PROMPT, max_tokens=8, reuse=True)
        longer = (*PROMPT, *ids(first), 7, 8)
        second = engine.generate(model, GENAI, longer, max_tokens=60, reuse=True)
        anew = engine.generate(model, GENAI, longer, max_tokens=60)
    assert second.reused >= len(PROMPT)
    assert ids(second) == ids(anew)


def test_sampling_with_a_seed_repeats_and_a_context_that_is_full_ends(folder):
    model, warm = folder / "model.onnx", Sampling(temperature=1.5, seed=3)
    with EngineProcess() as engine:
        one, two = (
            engine.generate(model, GENAI, PROMPT[:5], warm, max_tokens=20) for _ in range(2)
        )
        full = engine.generate(model, GENAI, PROMPT, max_tokens=50, context=len(PROMPT) + 4)
    assert ids(one) == ids(two)
    assert full.stop is StopReason.CONTEXT_FULL


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"custom_ops_library": "evil.so"}, "custom_ops_library"),
        ({"enable_profiling": "profile"}, "enable_profiling"),
        ({"session.optimized_model_filepath": "out.onnx"}, "session.optimized_model_filepath"),
        ({"intra_op_num_threads": 100_000}, "100,000"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_configuration_that_runs_code_or_writes_files_is_refused(tmp_path, options, named):
    folder = genai_folder(tmp_path / "model")
    path = folder / "genai_config.json"
    config = json.loads(path.read_text("utf-8"))
    config["model"]["decoder"]["session_options"] |= options
    path.write_text(json.dumps(config), "utf-8")
    with EngineProcess() as engine, pytest.raises(BadInput) as raised:
        engine.generate(folder / "model.onnx", GENAI, PROMPT)
    assert named in str(raised.value)


def test_damaged_folders_and_other_devices_are_errors_with_a_reason(tmp_path, folder):
    bare = tmp_path / "bare"
    bare.mkdir()
    (bare / "model.onnx").write_bytes((folder / "model.onnx").read_bytes())
    broken = genai_folder(tmp_path / "broken")
    (broken / "model.onnx.data").write_bytes(b"")
    elsewhere = RunSpec(devices=("genai:gpu",))
    for path, spec, kind in (
        (bare, GENAI, BadInput),
        (broken, GENAI, EngineFailed),
        (folder, elsewhere, InspectorError),
    ):
        with EngineProcess() as engine, pytest.raises(kind) as raised:
            engine.generate(path / "model.onnx", spec, PROMPT)
        assert raised.value.why


def test_its_device_is_offered_for_its_folders_only(folder, tmp_path):
    devices = (Device("cpu", "", "cpu", ""), Device("genai:cpu", "", "cpu", ""))
    assert registry.offered(devices, folder / "model.onnx") == devices
    assert registry.offered(devices, tmp_path / "model.onnx") == devices[:1]


def test_it_is_measured_token_by_token_without_layers(folder):
    spec = RunSpec(
        devices=GENAI.devices, prompt_tokens=(16,), new_tokens=8, contexts=(0, 16), runs=2
    )
    with EngineProcess() as engine:
        identity = ModelIdentity("model.onnx", "0" * 64, 1, 0, 0)
        report = engine.measure(folder / "model.onnx", identity, spec, {})
    speed = report.generation
    assert speed is not None
    assert speed.loop.startswith("ONNX Runtime GenAI")
    assert [(row.prompt, row.context) for row in speed.rows] == [(0, 0), (16, 16)]
    assert all(len(steps) == 8 for row in speed.rows for steps in row.step_ns)
    assert len(report.prediction_ns) == len(speed.decode.steps)
    assert not report.layers
    with EngineProcess() as engine, pytest.raises(BadInput) as raised:
        engine.measure(folder / "model.onnx", identity, GENAI, {})
    assert "--new-tokens" in raised.value.hint


def test_it_only_generates_text(folder):
    with EngineProcess() as engine, pytest.raises(InspectorError):
        engine.predict(folder / "model.onnx", GENAI, {})


def test_steps_are_those_of_fed_tokens_also_after_others_and_past_an_end(folder, tmp_path):
    """GenAI goes on with the token that it chose; another one takes its place."""
    from inspector.backends.genai.backend import GenAi

    ends = genai_folder(tmp_path / "model")
    config = json.loads((ends / "genai_config.json").read_text("utf-8"))
    config["model"]["eos_token_id"] = [*range(0, 250, 2)]  # nearly each text ends soon
    (ends / "genai_config.json").write_text(json.dumps(config), "utf-8")
    for place in (folder, ends):
        decoder = GenAi().open(place, GENAI, lambda *_: None).decoder
        decoder.begin(60)
        decoder.feed(np.array([PROMPT[:9]]))
        texts = []
        for _ in range(2):
            decoder.rewind(9)
            chosen, text = np.array([[77]]), []
            for _ in range(12):
                chosen, _ = decoder.step(chosen)
                text.append(int(chosen[0, 0]))
            texts.append(text)
        assert texts[0] == texts[1]
        fed = decoder.feed(np.array([[5]]))
        decoder.rewind(9)
        decoder.feed(np.array([[77]]))
        again = decoder.feed(np.array([[*text[:-1], 5]]))
        assert fed == pytest.approx(again, abs=1e-4)
        assert decoder.length == 9 + 1 + 12
