"""A model whose runtime is not installed: everything else works, and the rest is told."""

from dataclasses import replace
from pathlib import Path

import pytest

from inspector.backends import registry
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import EngineFailed
from inspector.report.run_spec import RunSpec
from tests.formats.tflite import build


def test_the_runtime_of_a_format_is_chosen_and_said_to_be_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "m.tflite"
    path.write_bytes(build.adding())
    assert registry.for_model(path).id == "litert"
    assert registry.for_model(tmp_path / "missing").id == registry.DEFAULT
    missing = replace(registry.BACKENDS["litert"], module="no_such_module")
    monkeypatch.setitem(registry.BACKENDS, "litert", missing)
    with EngineProcess() as engine, pytest.raises(EngineFailed) as refused:
        engine.load(path, RunSpec())
    assert refused.value.why == "LiteRT is not installed"
    assert refused.value.hint == 'Install it with: pip install "onnx-inspector[litert]"'
