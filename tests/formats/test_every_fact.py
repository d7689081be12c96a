"""Every fact of every model there is, beside a slow computation over onnx.load."""

import warnings
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import onnx
import onnx.backend.test
import pytest
from google.protobuf.message import DecodeError

from inspector.errors import UnreadableFile
from inspector.formats.opening import open_model
from tests.formats.truth import stored, told

pytestmark = pytest.mark.thorough

OF_ONNX = Path(onnx.backend.test.__file__).parent / "data"


def differences(path: Path) -> list[str]:
    found = told(open_model(path))
    proto = onnx.load(path, load_external_data=False)
    expected = stored(proto, path.name, path.stat().st_size)
    if any(graph_inside(proto)):  # inner graphs' inputs and outputs are values, too
        expected["values"] = found["values"]
    if not initializers_in(proto):  # Constants are the parameters then: test_opening.py
        expected["parameters"] = found["parameters"]
    return [name for name, fact in expected.items() if found[name] != fact]


def initializers_in(proto: onnx.ModelProto) -> bool:
    return bool(proto.graph.initializer or proto.graph.sparse_initializer)


def graph_inside(proto: onnx.ModelProto) -> list[bool]:
    return [a.HasField("g") or bool(a.graphs) for n in proto.graph.node for a in n.attribute]


def all_agree(paths: Sequence[Path]) -> int:
    wrong = {str(path): names for path in paths if (names := differences(path))}
    assert wrong == {}
    return len(paths)


def test_facts_of_the_test_models_that_come_with_onnx_agree():
    assert all_agree(sorted(OF_ONNX.rglob("*.onnx"))) > 100


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # onnx computes overflows and the like on purpose
def test_facts_of_the_test_models_of_every_operator_agree(tmp_path):
    from onnx.backend.test.case.node import collect_testcases

    compared = 0
    for case in collect_testcases(None):
        path = tmp_path / f"{case.name}.onnx"
        path.write_bytes(case.model.SerializeToString())
        compared += all_agree([path])
        path.unlink()
    assert compared > 1500


@pytest.mark.slow  # the test models of onnx are tried, too
def test_facts_of_real_and_odd_models_agree(shared, samples):
    paths = [p for part in ("real", "odd") for p in (shared / part).rglob("*.onnx")]
    assert all_agree([p for p in (*samples.glob("*.onnx"), *paths) if p.is_file()]) > 250


def refusal_by_onnx(path: Path) -> str:
    try:
        with warnings.catch_warnings(action="ignore"):
            onnx.load(path)
    except (DecodeError, onnx.checker.ValidationError, OSError, ValueError) as error:
        return f"{type(error).__name__}: {error}"
    return ""


def test_where_onnx_and_the_reader_disagree_something_says_why(shared):
    """Beyond these, both open a file or both refuse it."""
    only_onnx, only_ours = {}, {}
    for part in ("odd", "bad"):
        for path in sorted((shared / part).rglob("*.onnx")):
            refusal, model = refusal_by_onnx(path), None
            with suppress(UnreadableFile):
                model = open_model(path)
            if model is None and not refusal:
                with pytest.raises(UnreadableFile) as failed:
                    open_model(path)
                only_onnx[path.name] = failed.value.why
            if model is not None and refusal:
                only_ours[path.name] = [finding.text for finding in model.findings]
    assert all(only_onnx.values())
    assert only_ours
    for name, findings in only_ours.items():
        assert findings, f"onnx refuses {name}, and nothing here says that it is odd"
