"""Text generated in the real engine process, by decoders as exporters write them."""

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper

from inspector.backends import signature
from inspector.backends.base import GenerationRequest, Outputs, StopSignal
from inspector.backends.generation import predicting_decoder
from inspector.backends.onnxruntime.sessions import predict
from inspector.engine.client.engine_process import EngineProcess, Progress
from inspector.errors import BadInput, EngineFailed, InspectorError
from inspector.report.language.generation import (
    GREEDY,
    NO_RULES,
    Generation,
    Sampling,
    StopReason,
)
from inspector.report.run_spec import RunSpec
from sample_models.making.decoder import PLAIN, DecoderSize, Form, decomposed, random_weights
from tests import language_folders, models

pytestmark = pytest.mark.engine
CPU = RunSpec(threads=1)
PROMPT = (72, 101, 108, 108, 111)
LONG = tuple(np.random.default_rng(1).integers(0, 256, 300).tolist())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("decoders")
    language_folders.genai_folder(made / "shared")
    language_folders.genai_folder(made / "float16", Form(cache="float16"))
    language_folders.optimum_folder(made / "pair")
    language_folders.optimum_folder(made / "merged", as_one=True)
    language_folders.transformers_js_folder(made / "copied")
    return made


@pytest.fixture(scope="module")
def heard() -> list[Progress]:
    return []


@pytest.fixture(scope="module")
def engine(folder: Path, heard: list[Progress]) -> Iterator[EngineProcess]:
    with EngineProcess(heard.append, reads=(folder,)) as made:
        yield made


def recomputed(
    model: Path, prompt: tuple[int, ...], count: int
) -> tuple[list[int], list[float]]:
    session = onnxruntime.InferenceSession(model)
    ids, probabilities = list(prompt), []
    for _ in range(count):
        feeds = {
            "input_ids": np.array([ids]),
            "attention_mask": np.ones((1, len(ids)), np.int64),
            "position_ids": np.arange(len(ids))[None],
        }
        row = session.run(["logits"], feeds)[0][0, -1].astype(np.float64)
        ids.append(int(row.argmax()))
        probabilities.append(float(1 / np.exp(row - row.max()).sum()))
    return ids[len(prompt) :], probabilities


LAYOUTS = {
    "shared": ("shared/model.onnx", "", "shared"),
    "pair": ("pair/decoder_model.onnx", "pair/decoder_with_past_model.onnx", "copied"),
    "with past": ("pair/decoder_with_past_model.onnx", "", "copied"),
    "without cache": ("pair/decoder_model.onnx", "", "none"),
    "merged": ("merged/decoder_model_merged.onnx", "", "copied"),
    "transformers.js": ("copied/onnx/model.onnx", "", "copied"),
}


@pytest.mark.parametrize("prompt", [PROMPT, LONG], ids=["short", "in pieces"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_generates_the_tokens_of_a_graph_that_remembers_nothing(
    layout, prompt, folder, engine
):
    file, more, cache = LAYOUTS[layout]
    continuation = str(folder / more) if more else ""
    made = engine.generate(folder / file, CPU, prompt, max_tokens=12, continuation=continuation)
    expected, probabilities = recomputed(folder / "pair/decoder_model.onnx", prompt, 12)
    assert [token.id for token in made.tokens] == expected
    assert [token.probability for token in made.tokens] == pytest.approx(probabilities, 1e-3)
    assert (made.cache, made.stop, made.prompt_tokens) == (
        cache,
        StopReason.MAX_TOKENS,
        len(prompt),
    )
    found = list(range(len(prompt), len(prompt) + 12))
    assert [token.context for token in made.tokens] == found


def test_a_float16_cache_gives_probabilities_close_to_those_of_float32(folder, engine):
    made = engine.generate(folder / "float16/model.onnx", CPU, PROMPT, max_tokens=3)
    expected, probabilities = recomputed(folder / "pair/decoder_model.onnx", PROMPT, 3)
    assert [token.id for token in made.tokens] == expected
    assert [token.probability for token in made.tokens] == pytest.approx(probabilities, 0.05)


def test_tokens_are_heard_as_they_come(folder, engine, heard):
    heard.clear()
    made = engine.generate(folder / "shared/model.onnx", CPU, PROMPT, max_tokens=200)
    told = [token for progress in heard for token in progress.tokens]
    assert tuple(told) == made.tokens
    shares = [progress.done for progress in heard if progress.tokens]
    assert len(shares) > 1
    assert shares == sorted(shares)
    assert shares[-1] == 1


def test_alternatives_and_entropy_are_those_of_the_logits(folder, engine):
    model = folder / "pair/decoder_model.onnx"
    made = engine.generate(model, CPU, PROMPT, max_tokens=1, alternatives=3)
    feeds = {
        "input_ids": np.array([PROMPT]),
        "attention_mask": np.ones((1, len(PROMPT)), np.int64),
        "position_ids": np.arange(len(PROMPT))[None],
    }
    session = onnxruntime.InferenceSession(model)
    row = session.run(["logits"], feeds)[0][0, -1].astype(np.float64)
    shares = np.exp(row - row.max()) / np.exp(row - row.max()).sum()
    (token,) = made.tokens
    assert [each.id for each in token.alternatives] == np.argsort(-shares)[:3].tolist()
    listed = [each.probability for each in token.alternatives]
    assert listed == pytest.approx(sorted(shares)[:-4:-1], 1e-4)
    assert token.entropy_bits == pytest.approx(-(shares * np.log2(shares)).sum(), 1e-4)


def test_an_end_token_or_a_full_context_ends_the_text(folder, engine):
    model = folder / "shared/model.onnx"
    free = [t.id for t in engine.generate(model, CPU, PROMPT, max_tokens=9).tokens]
    ended = engine.generate(model, CPU, PROMPT, max_tokens=9, ends=(free[4],))
    assert [token.id for token in ended.tokens] == free[: free.index(free[4]) + 1]
    assert ended.stop is StopReason.END_TOKEN
    full = engine.generate(model, CPU, PROMPT, max_tokens=9, context=len(PROMPT) + 2)
    assert [token.id for token in full.tokens] == free[:2]
    assert (full.stop, full.context_limit) == (StopReason.CONTEXT_FULL, len(PROMPT) + 2)
    size = language_folders.SIZE.context
    whole = engine.generate(model, CPU, LONG, max_tokens=10 * size)
    assert len(LONG) + len(whole.tokens) == whole.context_limit == size


def test_a_conversation_goes_on_from_what_is_in_the_cache(folder, engine):
    for file in ("shared/model.onnx", "copied/onnx/model.onnx"):
        first = engine.generate(folder / file, CPU, LONG, max_tokens=6)
        said = tuple(token.id for token in first.tokens)
        for following in ((*LONG, *said, 65, 66), (*LONG[:100], 65, 66), LONG):
            fresh = engine.generate(folder / file, CPU, following, max_tokens=6)
            engine.generate(folder / file, CPU, LONG, max_tokens=6)
            again = engine.generate(folder / file, CPU, following, max_tokens=6, reuse=True)
            assert [t.id for t in again.tokens] == [t.id for t in fresh.tokens]
            expected = {308: 305, 102: 100, 300: 299}[len(following)]
            assert (fresh.reused, again.reused, again.load_ns) == (0, expected, 0)


def test_equal_seeds_give_equal_texts(folder, engine):
    def drawn(seed: int) -> list[int]:
        sampling = Sampling(1.5, 50, 0.9, seed)
        made = engine.generate(folder / "shared/model.onnx", CPU, PROMPT, sampling, 20)
        return [token.id for token in made.tokens]

    assert drawn(3) == drawn(3)
    assert drawn(3) != drawn(4)


def test_a_generation_is_stopped_and_the_model_stays(tmp_path):
    size = DecoderSize(
        hidden=256, layers=8, heads=8, kv_heads=4, feed_forward=1024, context=4096
    )
    model = language_folders.genai_folder(tmp_path / "slow", PLAIN, size) / "model.onnx"
    begun = threading.Event()

    def hear(progress: Progress) -> None:
        if progress.tokens:
            begun.set()

    with EngineProcess(hear) as engine:
        engine.load(model, CPU)
        answers: list[Generation | InspectorError] = []

        def generate() -> None:
            answers.append(engine.generate(model, CPU, PROMPT, max_tokens=4000))

        thread = threading.Thread(target=generate)
        thread.start()
        assert begun.wait(60)
        engine.stop()
        thread.join(60)
        (answer,) = answers
        assert answer.stop is StopReason.STOPPED
        assert 0 < len(answer.tokens) < 4000
        more = engine.generate(model, CPU, PROMPT, max_tokens=2)
        assert (more.load_ns, more.stop) == (0, StopReason.MAX_TOKENS)
        assert more.tokens[0].id == answer.tokens[0].id
        engine.stop()  # when nothing runs: the next one is not stopped
        assert len(engine.generate(model, CPU, PROMPT, max_tokens=2).tokens) == 2


@pytest.mark.parametrize(
    ("request_fields", "why"),
    [
        ({"prompt": ()}, "no tokens"),
        ({"prompt": (1, -1)}, "-1"),
        ({"prompt": (1, 5000)}, "5000"),
        ({"prompt": LONG, "context": 100}, "the context holds 100"),
        ({"prompt": LONG * 2}, "the context holds 512"),
        ({"sampling": Sampling(-1.0)}, "temperature is -1"),
        ({"sampling": Sampling(float("nan"))}, "temperature is nan"),
        ({"sampling": Sampling(1.0, top_p=0.0)}, "top_p is 0"),
        ({"max_tokens": -1}, "max_tokens is -1"),
    ],
    ids=[
        "empty",
        "negative",
        "too large",
        "over the context",
        "over the graph's context",
        "negative temperature",
        "no temperature",
        "nothing to draw from",
        "fewer than none",
    ],
)
def test_what_cannot_be_generated_is_said_in_a_sentence(request_fields, why, folder, engine):
    with pytest.raises(BadInput) as caught:
        engine.generate(
            folder / "shared/model.onnx", CPU, **{"prompt": PROMPT, **request_fields}
        )
    assert why in caught.value.why


def table_model(
    path: Path,
    logits: str = "logits",
    state: str = "",
    extra: str = "",
    state_shape: Sequence[int | str] = ("batch", 1, "past_length", 4),
    key: str = "key",
) -> Path:
    """Write a decoder that looks the next token up.

    state: an operator for its cache. extra: a further input, which is added to the logits.
    """
    table = np.random.default_rng(0).standard_normal((16, 16)).astype(np.float32)
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["rows"])]
    inputs = [models.value("input_ids", ["batch", "seq"], TensorProto.INT64)]
    outputs = [models.value("logits", ["batch", "seq", 16])]
    if logits == "flat":
        nodes.append(helper.make_node("Reshape", ["rows", "all"], ["logits"]))
    elif logits == "nan":
        nodes.append(helper.make_node("Div", ["rows", "zero"], ["logits"]))
    else:
        nodes.append(helper.make_node("Identity", ["rows"], ["logits"]))
    if extra:
        nodes[-1] = helper.make_node("Add", ["rows", extra], ["logits"])
        inputs.append(models.value(extra, ["batch", 16]))
    if state:
        after = ["total_length" if axis == "past_length" else axis for axis in state_shape]
        before, behind = f"past_key_values.0.{key}", f"present.0.{key}"
        inputs.append(models.value(before, state_shape))
        outputs.append(models.value(behind, after))
        nodes.append(helper.make_node(state, [before], [behind]))
    weights = {"table": table, "all": [1, 1, -1], "zero": np.zeros(1, np.float32)}
    return models.save(path, nodes, inputs, outputs, weights, opset=21)


@pytest.mark.parametrize(
    ("parts", "prompt", "why"),
    [
        ({"logits": "flat"}, (1, 2, 3), "has the shape 1×1×48"),
        ({"logits": "nan"}, (1,), "not finite"),
        ({"state": "Identity"}, (1, 2, 3), "has the shape 1×1×0×4 after 3 tokens"),
    ],
    ids=["logits of one row", "logits that are NaN", "a cache that does not grow"],
)
def test_a_graph_that_is_no_sound_decoder_is_refused(parts, prompt, why, tmp_path):
    model = table_model(tmp_path / "table.onnx", **parts)
    with EngineProcess() as engine, pytest.raises(EngineFailed) as caught:
        engine.generate(model, CPU, prompt)
    assert why in caught.value.why


def test_a_cache_larger_than_memory_is_refused_before_it_is_made(tmp_path):
    model = tmp_path / "decoder.onnx"
    onnx.save(decomposed(language_folders.SIZE, random_weights(language_folders.SIZE)), model)
    with EngineProcess() as engine, pytest.raises(BadInput) as caught:
        engine.generate(model, CPU, PROMPT, max_tokens=2**31)
    assert "a cache for 2,147,483,653 tokens" in caught.value.why


@pytest.mark.parametrize(
    "shape",
    [
        ["batch", 1 << 20, "past_length", 1 << 20],
        ["batch", 1 << 40, 1 << 20],
        [1 << 40, 1 << 40],
    ],
    ids=["of a token", "of a fixed size", "more than numbers can count"],
)
def test_a_state_larger_than_memory_is_refused(shape, tmp_path):
    model = table_model(tmp_path / "table.onnx", state="Identity", state_shape=shape)
    with EngineProcess() as engine, pytest.raises(InspectorError) as caught:
        engine.generate(model, CPU, (1, 2, 3), max_tokens=2)
    assert "take" in caught.value.why


def test_ten_thousand_tokens_do_not_make_the_engine_grow(folder):
    with EngineProcess() as engine:
        model = folder / "shared/model.onnx"

        def resident() -> int:
            return engine._child._process and _resident(engine._child._process.pid)

        engine.generate(model, CPU, PROMPT, max_tokens=500)
        before, began = resident(), monotonic()
        for _ in range(20):
            engine.generate(model, CPU, PROMPT, max_tokens=500)
        assert resident() - before < 8 << 20
        assert monotonic() - began < 60


def _resident(pid: int) -> int:
    import psutil

    return psutil.Process(pid).memory_info().rss


class OneByOne:
    """An opened model of a runtime that has no loop of its own."""

    notes = ()
    load_ns = 0
    devices = ("cpu",)

    def __init__(self, model: Path) -> None:
        self._session = onnxruntime.InferenceSession(model)
        self.inputs = signature.tensor_infos(self._session.get_inputs())
        self.outputs = signature.tensor_infos(self._session.get_outputs())

    def predict(self, feeds: Any, spec: RunSpec, warm: bool) -> Outputs:
        values, spent_ns = predict.predict(self._session, feeds)
        return Outputs(values, spent_ns)


@pytest.mark.parametrize("layout", ["shared", "with past", "without cache", "merged"])
def test_a_runtime_without_a_loop_of_its_own_generates_by_predictions(layout, folder):
    file, _, cache = LAYOUTS[layout]
    opened = OneByOne(folder / file)
    told: list[int] = []
    asked = GenerationRequest(
        PROMPT, CPU, {}, GREEDY, 12, (), 0, 5, "", False, NO_RULES, StopSignal(),
        lambda *_: None,
        lambda token, _: told.append(token.id),
    )  # fmt: skip
    made = predicting_decoder.generate(opened, file, asked)
    expected, _ = recomputed(folder / "pair/decoder_model.onnx", PROMPT, 12)
    assert [token.id for token in made.tokens] == told == expected
    assert made.cache == ("none" if cache == "none" else "copied")


def test_the_cache_of_an_encoder_is_not_expected_to_grow(tmp_path):
    model = table_model(tmp_path / "table.onnx", state="Identity", key="encoder.key")
    with EngineProcess() as engine:
        made = engine.generate(model, CPU, (1, 2, 3), max_tokens=4)
    assert len(made.tokens) == 4


def test_further_inputs_are_given_to_each_step(tmp_path):
    """The logits are those of a table, plus what an encoder might have said."""
    model = table_model(tmp_path / "table.onnx", extra="encoder_output")
    favored = np.zeros((1, 16), np.float32)
    favored[0, 11] = 100
    with EngineProcess() as engine:
        made = engine.generate(
            model, CPU, (1, 2), max_tokens=3, feeds={"encoder_output": favored}
        )
        assert [token.id for token in made.tokens] == [11, 11, 11]
        with pytest.raises(BadInput) as caught:
            engine.generate(model, CPU, (1, 2), max_tokens=3)
    assert "encoder_output" in caught.value.why
