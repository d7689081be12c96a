import numpy as np
import pytest

from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import BadInput, Cancelled
from inspector.formats.opening import open_model
from inspector.model.model import TensorInfo
from inspector.model.tensors.prediction import OutputValue, Prediction
from inspector.preview.inputs import feeds
from inspector.preview.inputs.tokens import Vocabulary
from inspector.preview.runs import generation
from inspector.report.run_spec import RunSpec
from tests.preview import writer


@pytest.mark.engine
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
        found = generation.generate(
            lambda given: engine.predict(path, RunSpec(), given),
            arrays, model.inputs, model.outputs, Vocabulary(beside), 10,
        )  # fmt: skip
    # 1 + 2 = 3, + 3 = 6, + 6 = 12 = 4, + 4 = 16 = 0, which ends the text
    assert [token.number for token in found.tokens] == [3, 6, 4, 0]
    assert (found.text, found.ended, found.cached) == ("sat mat on", True, cached)
    assert found.tokens[0].probability == pytest.approx(np.exp(5) / (np.exp(5) + 7))


IDS = TensorInfo("input_ids", "tensor", "int64", (1, "length"))
OUT = TensorInfo("logits", "tensor", "float32", (1, "length", 4))


def same(given: object) -> Prediction:
    scores = np.array([[[0, 9, 0, 0]]], np.float32)
    return Prediction((OutputValue("logits", "tensor", "float32", scores),), ("cpu",), 1, 0)


def test_it_ends_after_so_many_tokens_and_tells_each():
    told: list[int] = []
    ids = {"input_ids": np.zeros((1, 1), np.int64)}
    found = generation.generate(
        same, ids, (IDS,), (OUT,), None, 3, lambda t: told.append(t.number)
    )
    assert told == [1, 1, 1]
    assert (found.text, found.ended) == ("1 1 1", False)


def test_a_fixed_length_takes_no_further_token():
    fixed = TensorInfo("input_ids", "tensor", "int64", (1, 1))
    ids = {"input_ids": np.zeros((1, 1), np.int64)}
    with pytest.raises(BadInput, match="takes exactly 1 tokens"):
        generation.generate(same, ids, (fixed,), (OUT,), None, 3)


def test_stopping_ends_it_between_two_tokens():
    ids = {"input_ids": np.zeros((1, 1), np.int64)}
    number = iter(range(9))

    def until_stopped(given: object) -> Prediction:
        if next(number) == 2:
            raise Cancelled("Stopped")
        return same(given)

    told: list[int] = []
    with pytest.raises(Cancelled):
        generation.generate(
            until_stopped, ids, (IDS,), (OUT,), None, 9, lambda t: told.append(t.number)
        )
    assert told == [1, 1]
