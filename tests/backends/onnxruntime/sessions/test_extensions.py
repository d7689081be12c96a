import numpy as np
import pytest

from inspector.backends.onnxruntime.sessions import session
from inspector.engine.client.engine_process import EngineProcess
from inspector.report.run_spec import RunSpec


def test_only_operators_of_the_package_ask_for_it():
    lacking = "Fatal error: ai.onnx.contrib:BertTokenizer(-1) is not a registered function/op"
    assert session.missing_extensions(lacking)
    assert not session.missing_extensions(lacking.replace("ai.onnx.contrib", "com.acme"))
    assert not session.missing_extensions("ai.onnx.contrib: the model is damaged")


@pytest.mark.engine
@pytest.mark.skipif(session.library() is None, reason="onnxruntime-extensions is absent")
def test_a_model_runs_with_the_operators_of_the_package(shared):
    feeds = {"text": np.array(["hello world"], object)}
    with EngineProcess() as engine:
        path = shared / "real/bert_tokenizer_customop.onnx"
        answer = engine.predict(path, RunSpec(), feeds)
    assert answer.outputs[0].array.tolist() == [101, 19082, 1362, 102]
