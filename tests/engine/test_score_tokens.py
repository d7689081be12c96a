from math import exp

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper
from tokenizers import Tokenizer

from inspector.app.language.differing_parts import differing_parts
from inspector.backends.values import ComparisonRun
from inspector.conversion.action import parse_step
from inspector.conversion.apply import convert
from inspector.conversion.registry import ACTIONS
from inspector.engine.requests import ScoreTokens
from inspector.errors import InspectorError
from inspector.formats.opening import open_model
from inspector.report.run_spec import RunSpec
from sample_models.making.decoder import Form
from tests import language_folders, models

pytestmark = pytest.mark.engine
WORDS = "Alice was beginning to get very tired of sitting by her sister on the bank. "


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("language")


@pytest.fixture(scope="module")
def genai(folder):
    return language_folders.genai_folder(folder / "genai") / "model.onnx"


@pytest.fixture(scope="module")
def int4(folder):
    return language_folders.genai_folder(folder / "int4", Form("int4")) / "model.onnx"


@pytest.fixture(scope="module")
def windows(genai):
    tokenizer = Tokenizer.from_file(str(genai.parent / "tokenizer.json"))
    ids = tokenizer.encode(3 * WORDS).ids
    return tuple(tuple(ids[at : at + 65]) for at in (0, 64, 128))


def scored(engine, model, windows, counted=64, **more):
    return engine.call(ScoreTokens(model, RunSpec(), windows, counted, **more))


def own_logits(model, window):
    session = onnxruntime.InferenceSession(str(model))
    feeds = {"input_ids": [window], "attention_mask": [[1] * len(window)]}
    for info in session.get_inputs():
        if info.name.startswith("past"):
            kind = np.float16 if "16" in info.type else np.float32
            lengths = [1, *(axis if isinstance(axis, int) else 0 for axis in info.shape[1:])]
            feeds[info.name] = np.zeros(lengths, kind)
    feeds = {k: np.asarray(v, None if k.startswith("past") else np.int64)
             for k, v in feeds.items()}  # fmt: skip
    logits = session.run(["logits"], feeds)[0][0].astype(np.float64)
    logits -= logits.max(-1, keepdims=True)
    return logits - np.log(np.exp(logits).sum(-1, keepdims=True))


def test_perplexity_and_divergence_equal_an_own_computation(engine, genai, int4, windows):
    against = ComparisonRun(RunSpec(), str(int4))
    scores = scored(engine, genai, windows, against=against)
    losses, divergences = [], []
    for window in windows:
        own, other = (own_logits(model, window[:-1]) for model in (genai, int4))
        losses += (-own[np.arange(64), window[1:]]).tolist()
        divergences += (np.exp(own) * (own - other)).sum(-1).tolist()
    assert exp(np.mean(scores.losses)) == pytest.approx(exp(np.mean(losses)), rel=1e-6)
    assert np.mean(scores.divergences) == pytest.approx(np.mean(divergences), rel=1e-4)


def test_only_the_last_predictions_of_a_window_count(engine, genai, windows):
    whole, half = (scored(engine, genai, windows[:1], count) for count in (64, 32))
    assert half.losses == whole.losses[32:]


def test_all_layouts_of_one_model_predict_alike(engine, folder, genai, windows):
    optimum = language_folders.optimum_folder(folder / "optimum")
    merged = language_folders.optimum_folder(folder / "merged", as_one=True)
    variants = language_folders.transformers_js_folder(folder / "js") / "onnx"
    cached = language_folders.genai_folder(folder / "f16", Form(cache="float16"))
    losses = np.array(scored(engine, genai, windows).losses)
    for model, error in (
        (optimum / "decoder_model.onnx", 1e-4),
        (optimum / "decoder_with_past_model.onnx", 1e-4),
        (merged / "decoder_model_merged.onnx", 1e-4),
        (variants / "model.onnx", 1e-4),
        (variants / "model_fp16.onnx", 0.05),
        (cached / "model.onnx", 0.05),
    ):
        assert np.abs(scored(engine, model, windows).losses - losses).max() < error, model


def test_layers_of_another_model_are_put_into_a_model(engine, genai, int4, windows):
    against = ComparisonRun(RunSpec(), str(int4))
    graph = onnx.load(int4, load_external_data=False).graph
    other = [node.output[0] for node in graph.node if node.op_type == "MatMulNBits"]
    packed = [name.replace("MatMulNBits", "MatMul") for name in other]
    names = {out: out for node in graph.node for out in node.output}
    names |= dict(zip(other, packed, strict=True))
    shared = tuple(names.items())
    whole = scored(engine, genai, windows, against=against)
    every = scored(
        engine, genai, windows, against=against, grafted=tuple(packed), shared=shared
    )
    assert np.allclose(every.other_losses, whole.other_losses, atol=1e-3)
    first = scored(engine, genai, windows, against=against, grafted=(packed[0],), shared=shared)
    assert 0 < np.mean(first.divergences) < np.mean(whole.divergences)


def test_layers_in_another_type_are_cast_at_their_ends(engine, genai, folder, windows):
    half = folder / "half.onnx"
    convert(genai, (parse_step("float16", ACTIONS),), folder, name="half.onnx")
    against = ComparisonRun(RunSpec(), str(half))
    parts = differing_parts((open_model(genai), open_model(half)), (genai, half))
    tensors = tuple(tensor for block in parts.blocks for tensor in block.tensors)
    every = scored(
        engine, genai, windows, against=against, grafted=tensors, shared=parts.shared
    )
    whole = scored(engine, half, windows)
    assert np.allclose(every.other_losses, whole.losses, atol=1e-5)
    first = parts.blocks[1].tensors
    one = scored(engine, genai, windows, against=against, grafted=first, shared=parts.shared)
    assert 0 < np.mean(one.divergences) < np.mean(every.divergences)


def embedding(path, vocabulary, last_only=False):
    table = np.eye(vocabulary, dtype=np.float32)
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["every"])]
    if last_only:
        nodes.append(helper.make_node("Slice", ["every", "from", "to", "axis"], ["logits"]))
    else:
        nodes.append(helper.make_node("Identity", ["every"], ["logits"]))
    return models.save(
        path, nodes,
        [models.value("input_ids", ["batch", "sequence"], TensorProto.INT64)],
        [models.value("logits", ["batch", None, vocabulary])],
        {"table": table, "from": [-1], "to": [1 << 40], "axis": [1]},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("make", "windows", "text"),
    [
        (lambda path: embedding(path, 8, last_only=True), ((1, 2, 3),), "1 of 2 tokens"),
        (lambda path: embedding(path, 8), ((1, 2, 9),), "token 9"),
    ],
)
def test_what_cannot_be_scored_is_said_in_one_sentence(make, windows, text, engine, tmp_path):
    with pytest.raises(InspectorError) as caught:
        scored(engine, make(tmp_path / "a.onnx"), windows, 2)
    assert text in caught.value.why


def test_models_with_other_vocabularies_are_not_compared(engine, tmp_path):
    first, second = (embedding(tmp_path / f"{n}.onnx", n) for n in (8, 9))
    against = ComparisonRun(RunSpec(), str(second))
    with pytest.raises(InspectorError) as caught:
        scored(engine, first, ((1, 2, 3),), 2, against=against)
    assert "8 and 9" in caught.value.why


def test_a_model_that_fills_blanks_is_refused(engine, tmp_path):
    table = np.random.default_rng(0).normal(0, 1, (8, 8)).astype(np.float32)
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["own"]),
        helper.make_node("ReduceMean", ["own"], ["mean"], axes=[1]),
        helper.make_node("Add", ["own", "mean"], ["logits"]),
    ]
    path = models.save(
        tmp_path / "masked.onnx", nodes,
        [models.value("input_ids", ["batch", "sequence"], TensorProto.INT64)],
        [models.value("logits", ["batch", "sequence", 8])], {"table": table},
    )  # fmt: skip
    with pytest.raises(InspectorError) as caught:
        scored(engine, path, ((1, 2, 3, 4, 5),), 4)
    assert "blanks" in caught.value.why
