"""Text that `predict --generate` and Preview write on, in the real engine process."""

import threading

import numpy as np
import pytest

from inspector.app.language.continuation import continue_text
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import BadInput
from inspector.formats.opening import open_model
from inspector.preview.inputs import feeds
from inspector.preview.inputs.tokens import Vocabulary
from inspector.preview.runs.generation import Generated, Token
from inspector.report.run_spec import RunSpec
from tests import language_folders, models
from tests.preview import writer

pytestmark = pytest.mark.engine
SPEC = RunSpec()


@pytest.mark.parametrize("cached", [True, False])
def test_a_text_is_written_on_with_and_without_a_memory(tmp_path, cached):
    path = writer.made(tmp_path, cached)
    model, beside = open_model(path), tmp_path / "tokenizer.json"
    values = {"input_ids": "text:the cat"}
    filled = feeds.fill_all(model.inputs, values, {}, tokenizer=beside)
    arrays = {each.name: each.array for each in filled}
    if cached:
        assert arrays["past_key_values.0.key"].shape == (1, 1, 0, 1)
    with EngineProcess() as engine:
        found = continue_text(engine, path, model, SPEC, arrays, Vocabulary(beside), 10)
    # 1 + 2 = 3, + 3 = 6, + 6 = 12 = 4, + 4 = 16 = 0, which ends the text
    assert [token.number for token in found.tokens] == [3, 6, 4, 0]
    assert (found.text, found.ended, found.cached) == ("sat mat on", True, cached)
    assert found.tokens[0].probability == pytest.approx(np.exp(5) / (np.exp(5) + 7))
    assert (found.prompt_tokens, found.stop) == (2, "end token")
    assert found.prefill_ns <= found.first_token_ns == found.tokens[0].prediction_ns


def test_it_ends_after_so_many_tokens_and_tells_each(tmp_path):
    path = writer.made(tmp_path)
    told: list[Token] = []
    with EngineProcess() as engine:
        found = continue_text(
            engine, path, open_model(path), SPEC, {"input_ids": np.ones((1, 1), np.int64)},
            None, 3, told.append,
        )  # fmt: skip
    assert tuple(told) == found.tokens
    assert (found.text, found.ended) == ("1 2 4", False)


def test_the_second_graph_of_a_folder_takes_the_tokens_after_the_prompt(tmp_path):
    folder = language_folders.optimum_folder(tmp_path / "decoder")
    path = folder / "decoder_model.onnx"
    given = {"input_ids": np.array([[72, 105]])}
    with EngineProcess() as engine:
        found = continue_text(engine, path, open_model(path), SPEC, given, None, 4)
    assert (len(found.tokens), found.cache) == (4, "copied")


def test_a_fixed_length_takes_no_further_token(tmp_path):
    whole = models.value("input_ids", [1, 4], models.TensorProto.INT64)
    scores = models.value("logits", [1, 4, 8])
    nodes = [models.helper.make_node("OneHot", ["input_ids", "many", "values"], ["logits"])]
    constants = [
        models.helper.make_tensor("many", models.TensorProto.INT64, [], [8]),
        models.helper.make_tensor("values", models.TensorProto.FLOAT, [2], [0, 5]),
    ]
    path = models.save(tmp_path / "fixed.onnx", nodes, [whole], [scores], constants)
    given = {"input_ids": np.ones((1, 4), np.int64)}
    with EngineProcess() as engine:
        one = continue_text(engine, path, open_model(path), SPEC, given, None, 1)
        assert [token.number for token in one.tokens] == [1]
        with pytest.raises(BadInput, match="takes exactly 4 tokens"):
            continue_text(engine, path, open_model(path), SPEC, given, None, 2)


def test_a_model_without_tokens_generates_no_text(tmp_path):
    x = models.value("x", [1])
    node = models.helper.make_node("Mul", ["x", "x"], ["y"])
    path = models.save(tmp_path / "square.onnx", [node], [x], [models.value("y", [1])])
    with EngineProcess() as engine, pytest.raises(BadInput, match="no input takes token IDs"):
        continue_text(engine, path, open_model(path), SPEC, {"x": np.ones(1)}, None, 2)


def test_stopping_keeps_what_was_written(tmp_path):
    path = writer.made(tmp_path)
    given = {"input_ids": np.ones((1, 1), np.int64)}
    answers: list[Generated] = []
    with EngineProcess() as engine:
        seen = threading.Event()

        def on_token(token: Token) -> None:
            if not seen.is_set():
                seen.set()
                engine.stop()

        answers.append(
            continue_text(engine, path, open_model(path), SPEC, given, None, 9_999, on_token)
        )
    (found,) = answers
    assert 0 < len(found.tokens) < 9_999
    assert found.stop == "stopped"
