"""A request brings the sentences of what it holds to the worker."""

from dataclasses import replace

import pytest

from inspector.app.subjects import subjects
from inspector.engine.payloads import fetched_request, stored_request
from inspector.engine.requests import Measure
from inspector.report.run_spec import RunSpec
from inspector.wording.values import Sentence


@pytest.mark.parametrize("name", ["digits_float32.onnx", "language_bert.onnx"])
def test_what_a_model_is_stays_a_sentence(name, samples, tmp_path):
    (subject,) = subjects([samples / name])
    assert isinstance(subject.identity.description, Sentence)
    spec = replace(RunSpec(), runs=3)
    request = Measure(subject.path, subject.identity, spec, {})
    with stored_request(tmp_path, request) as body:
        again = fetched_request(tmp_path, Measure, body)
    assert again.identity == subject.identity
    assert isinstance(again.identity.description, Sentence)
    assert again.spec == spec
