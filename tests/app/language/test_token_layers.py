"""The layers of one step, timed again at its context."""

import pytest

from inspector.app.language.token_layers import token_layers
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import BadInput
from inspector.report.run_spec import RunSpec
from tests.language_folders import genai_folder, optimum_folder


def test_roles_are_those_of_a_step_at_the_context(tmp_path):
    model = genai_folder(tmp_path / "m") / "model.onnx"
    with EngineProcess() as engine:
        found = token_layers(engine, model, RunSpec(), 505)  # 7 tokens below the limit
    assert found.context == 505
    names = {role.operator for role in found.roles}
    assert {"GroupQueryAttention", "MatMul"} <= names
    assert 0 < max(role.decode_ns for role in found.roles) <= found.step_ns * 1.5


def test_where_no_layers_are_timed_it_says_why(tmp_path):
    folder = optimum_folder(tmp_path / "pair")
    with EngineProcess() as engine, pytest.raises(BadInput, match="two graphs"):
        token_layers(engine, folder / "decoder_model.onnx", RunSpec(), 8)
