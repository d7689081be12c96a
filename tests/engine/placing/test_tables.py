from collections import Counter
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from inspector.analysis.shapes import by_name
from inspector.analysis.support_summary import summarised
from inspector.engine.graphs.shapes import infer
from inspector.engine.placing import tables
from inspector.errors import BadInput
from inspector.readers import open_model
from inspector.report import Dimension, Mark, Rule, Source, Support
from tests.engine.small_models import convolution, save, value


def said(path: Path, device: str, *dimensions: Dimension) -> list[Support]:
    values = by_name(infer(path, dimensions).values)
    return list(tables.predict(open_model(path), [device], values)[device])


@pytest.mark.parametrize("name", tables.KNOWN)
def test_every_table_tells_where_it_comes_from(name: str) -> None:
    table, device = tables.table(name), tables.device(name)
    assert table.device == name
    assert table.kernels
    assert device.source == f"table, {table.source}"
    assert " of 20" in table.source or " of commit " in table.source
    assert set(table.rules) <= set(table.kernels)


@pytest.mark.parametrize("name", tables.KNOWN)
def test_what_every_device_can_is_predicted_so(name: str, tmp_path: Path) -> None:
    conv, *_ = said(convolution(tmp_path / "c.onnx"), name)
    assert (conv.mark, conv.source, conv.rule) == (Mark.SUPPORTED, Source.TABLE, Rule.NONE)
    assert conv.reason.endswith(f"Predicted: table, {tables.table(name).source}.")
    assert conv.words == "Predicted to run here"


def test_a_name_without_a_table_gets_a_suggestion() -> None:
    with pytest.raises(BadInput, match="Did you mean 'coreml'"):
        tables.table("coremll")


def node(path: Path, operator: str, *shapes: list[int | str], **rest: object) -> Path:
    """One operator with float32 inputs "i0", "i1", ...; those in `weights` are constants."""
    weights = rest.pop("weights", ())
    opset, kind = rest.pop("opset", 17), rest.pop("kind", TensorProto.FLOAT)
    assert isinstance(weights, tuple)
    assert isinstance(opset, int)
    assert isinstance(kind, int)
    names = [f"i{place}" for place in range(len(shapes))]
    made = helper.make_node(operator, names, ["y"], "it", **rest)
    inputs = [value(n, s, kind) for n, s in zip(names, shapes, strict=True) if n not in weights]
    stored = [
        numpy_helper.from_array(np.ones(s, np.float32), n)  # type: ignore[arg-type]
        for n, s in zip(names, shapes, strict=True)
        if n in weights
    ]
    output = [onnx.ValueInfoProto(name="y")]
    return save(path, [made], inputs, output, stored, opset)


@pytest.mark.parametrize(
    ("device", "operator", "shapes", "rest", "rule", "sentence"),
    [
        ("nnapi", "Celu", [[2, 3]], {}, Rule.OPERATOR, "NNAPI does not have Celu."),
        (
            "directml", "Abs", [[2]], {"kind": TensorProto.DOUBLE}, Rule.TYPE,
            "DirectML has no kernel for Abs with float64.",
        ),
        (
            "directml", "Softplus", [[2]], {"opset": 22}, Rule.OPSET,
            "DirectML has no kernel for Softplus of opset 22.",
        ),
        (
            "xnnpack", "MaxPool", [[1, 2, 9]], {"kernel_shape": [3]}, Rule.RANK,
            "XNNPACK takes MaxPool only with 4 axes, and here are 3.",
        ),
        (
            "nnapi", "Conv", [[1, 1, 5, 5], [1, 1, 3, 3]], {}, Rule.CONSTANT,
            "NNAPI takes Conv only with constant weights and parameters",
        ),
        (
            "nnapi", "DepthToSpace", [[1, 4, 2, 2]], {"blocksize": 2, "mode": "CRD"},
            Rule.ATTRIBUTE, "NNAPI takes DepthToSpace only with mode DCR, and here it is CRD.",
        ),
        (
            "qnn", "Relu", [["batch", 3]], {}, Rule.DYNAMIC_SHAPE,
            "QNN needs fixed shapes, and an input of the model has a free axis: 'i0'.",
        ),
        (
            "coreml", "Relu", [[1, 1, 1, 1, 1, 1]], {}, Rule.RANK,
            "Core ML takes at most 5 axes, and an input has 6.",
        ),
    ],
)  # fmt: skip
def test_the_rule_that_forbids_is_named(
    tmp_path: Path,
    device: str,
    operator: str,
    shapes: list[list[int | str]],
    rest: dict[str, object],
    rule: Rule,
    sentence: str,
) -> None:
    path = node(tmp_path / "n.onnx", operator, *shapes, **rest)
    (found,) = said(path, device)
    assert (found.mark, found.rule) == (Mark.UNSUPPORTED, rule)
    assert found.reason.startswith(sentence)


def test_constant_weights_and_fixed_axes_change_the_answer(tmp_path: Path) -> None:
    shapes: list[list[int | str]] = [["batch", 1, 5, 5], [1, 1, 3, 3]]
    path = node(tmp_path / "n.onnx", "Conv", *shapes, weights=("i1",))
    (free,) = said(path, "nnapi")
    assert free.rule is Rule.DYNAMIC_SHAPE
    (fixed,) = said(path, "nnapi", Dimension("batch", 1))
    assert fixed.mark is Mark.SUPPORTED


def test_what_an_operator_is_made_of_may_run_instead(tmp_path: Path) -> None:
    path = node(tmp_path / "n.onnx", "Swish", [2, 3], opset=24)
    (found,) = said(path, "directml")
    assert found.mark is Mark.DECOMPOSED
    assert found.reason.startswith("It would run as CastLike, Mul, Sigmoid.")
    (found,) = said(path, "xnnpack")
    assert found.rule is Rule.OPERATOR


def test_what_needs_no_input_is_folded(samples: Path) -> None:
    path = samples / "sequence_loop.onnx"
    answers = said(path, "cuda")
    operators = [layer.operator for layer in open_model(path).layers]
    constants = [a.mark for a, o in zip(answers, operators, strict=True) if o == "Constant"]
    assert set(constants) <= {Mark.FOLDED}


def test_a_summary_counts_layers_by_reason(samples: Path) -> None:
    path = samples / "unsupported_elsewhere.onnx"
    operators = [layer.operator for layer in open_model(path).layers]
    found = summarised(tables.device("webgpu"), operators, said(path, "webgpu"))
    assert {refusal.operator for refusal in found.refusals} >= {"Round", "Unique"}
    assert found.taken + sum(refusal.layers for refusal in found.refusals) == found.layers
    assert found.axes_in_the_way == 0
    assert dict(found.marks) == Counter(s.mark for s in said(path, "webgpu"))
