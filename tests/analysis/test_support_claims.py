"""The support tables against claims that were written from the providers' sources alone.

`support_claims.txt` holds the claims and says how to read them.
"""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from inspector.analysis.devices.support_tables import EVERY_OPERATOR
from inspector.analysis.facts.shapes import declared
from inspector.backends.onnxruntime.placement import absent_devices
from inspector.formats.opening import open_model
from inspector.model.model import TFLITE, Attribute, Layer, Model, TensorInfo, WeightInfo
from inspector.platform import files
from inspector.report.report import Support
from inspector.wording.support_marks import Mark
from tests import models
from tests.analysis.build import model as plain_model

pytestmark = pytest.mark.thorough

CLAIMS = Path(__file__).parent / "support_claims.txt"
FEWEST_CLAIMS = 150  # what issue 16 asks for
# A source decides these, and the tables do not: one node alone beside one that is refused.
OPEN = ("openvino | Add@17 | f32[] f32[] |",)
TYPES = {
    "f32": TensorProto.FLOAT, "f16": TensorProto.FLOAT16, "f64": TensorProto.DOUBLE,
    "i64": TensorProto.INT64, "i32": TensorProto.INT32, "i16": TensorProto.INT16,
    "i8": TensorProto.INT8, "u8": TensorProto.UINT8, "u16": TensorProto.UINT16,
    "u4": TensorProto.UINT4, "u32": TensorProto.UINT32, "bool": TensorProto.BOOL,
    "str": TensorProto.STRING,
}  # fmt: skip
ANSWERS = {
    Mark.SUPPORTED: "takes",
    Mark.DECOMPOSED: "takes",
    Mark.UNSUPPORTED: "refuses",
    Mark.UNKNOWN: "unknown",
}
LISTS = ("axes", "kernel_shape", "dilations", "strides", "pads", "output_padding", "perm")
LISTS += ("starts", "ends", "split")
DEVICES = (*absent_devices.KNOWN, *absent_devices.DELEGATES)


@dataclass(frozen=True)
class Claim:
    """One line: what a device says of one node, and where its source says so."""

    device: str
    operator: str
    inputs: str
    attributes: str
    answer: str
    source: str

    def __str__(self) -> str:
        """The claim as a line of the file."""
        return f"{self.device} | {self.operator} | {self.inputs} | {self.attributes}"


def claims() -> list[Claim]:
    lines = (line for line in CLAIMS.read_text("utf-8").splitlines() if "|" in line)
    return [Claim(*map(str.strip, line.split("|"))) for line in lines if line[0] != "#"]


def made_input(
    text: str, name: str
) -> tuple[onnx.ValueInfoProto | None, onnx.TensorProto | None]:
    """Read one input of a claim: a declaration, a constant, or nothing."""
    if text == "-":
        return None, None
    if "=" in text:
        kind, _, listed = text.partition("=")
        single = listed.endswith("!")
        found = [float(part) for part in listed.removesuffix("!").split(",") if part]
        dtype = helper.tensor_dtype_to_np_dtype(TYPES[kind])
        array = np.array(found[0] if single else found, dtype)
        return None, numpy_helper.from_array(array, name)
    kind, opened, axes = text[: text.find(text[-1]) and -1].partition(
        "[" if text.endswith("]") else "{"
    )
    if axes == "?":
        return helper.make_tensor_value_info(name, TYPES[kind], None), None
    shape = [int(axis) if axis.isdigit() else axis for axis in axes.split(",") if axis]
    if opened == "[":
        return helper.make_tensor_value_info(name, TYPES[kind], shape), None
    dtype = helper.tensor_dtype_to_np_dtype(TYPES[kind])
    return None, numpy_helper.from_array(np.ones([int(n) for n in shape], dtype), name)


def made_attributes(text: str) -> tuple[dict[str, object], int]:
    """Read the attributes of a claim, and how many outputs its node has."""
    found: dict[str, object] = {}
    outputs = 1
    for name, _, value in (word.partition("=") for word in text.split()):
        if name == "outputs":
            outputs = int(value)
        elif name == "to":
            found[name] = TYPES[value]
        elif name in LISTS:
            found[name] = [int(part) for part in value.split(",")]
        elif name == "activations":
            found[name] = value.split(",")
        elif name == "activation_params":
            found[name] = [float(part) for part in value.split(",")]
        elif value.lstrip("-").replace(".", "", 1).isdigit() and "." in value:
            found[name] = float(value)
        else:
            found[name] = int(value) if value.lstrip("-").isdigit() else value
    if "axes" in found and isinstance(found["axes"], int):
        found["axes"] = [found["axes"]]
    for name in ("alpha", "beta"):
        if name in found:
            found[name] = float(str(found[name]))
    return found, outputs


def model_of(claim: Claim) -> onnx.ModelProto:
    """Make a model of the node, a layer that reads it, and others beside it."""
    domain, _, called = claim.operator.rpartition(".")
    operator, _, version = called.partition("@")
    made = [made_input(text, f"i{n}") for n, text in enumerate(claim.inputs.split())]
    names = [f"i{n}" if any(pair) else "" for n, pair in enumerate(made)]
    attributes, count = made_attributes(claim.attributes)
    typed_outputs = str(attributes.pop("out", "")).split("+")
    outputs = [f"o{n}" for n in range(max(count, len(typed_outputs)))]
    node = helper.make_node(operator, names, outputs, "it", domain=domain, **attributes)
    beside = [helper.make_node("Relu", [f"b{n}"], [f"b{n + 1}"], f"b{n}") for n in range(4)]
    declared = [d for d, _ in made if d is not None]
    declared.append(helper.make_tensor_value_info("b0", TensorProto.FLOAT, [1, 2]))
    results = [helper.make_empty_tensor_value_info(name) for name in outputs]
    if any(typed_outputs):
        results = [made_input(text, f"o{n}")[0] for n, text in enumerate(typed_outputs)]
    results.append(helper.make_empty_tensor_value_info("b4"))
    weights = [weight for _, weight in made if weight is not None]
    opset = 17 if domain else int(version)
    versions = {domain: int(version)} if domain else {}
    model = models.model([node, *beside], declared, results, weights, opset, **versions)
    model = onnx.shape_inference.infer_shapes(model)
    if not domain and model.graph.output[0].type.tensor_type.elem_type == TensorProto.FLOAT:
        reader = helper.make_node("Relu", ["o0"], ["r"], "reader")
        model.graph.node.append(reader)
        model.graph.output.append(helper.make_empty_tensor_value_info("r"))
        model = onnx.shape_inference.infer_shapes(model)
    return model


def typed(text: str) -> tuple[str, tuple[int, ...]]:
    """Read type and shape of a tensor: "f32[1,8]" or "i32{4,2}"."""
    kind, shape = text.rstrip("]}").replace("{", "[").split("[")
    name = str(helper.tensor_dtype_to_np_dtype(TYPES[kind]))
    return name, tuple(int(axis) for axis in shape.split(",") if axis)


def lite_model_of(claim: Claim) -> tuple[Model, dict[str, tuple[float, ...]]]:
    """Make a TensorFlow Lite model of the node, and the numbers of its constant lists."""
    operator, _, version = claim.operator.partition("@")
    names: list[str] = []
    inputs: list[TensorInfo] = []
    weights: list[WeightInfo] = []
    numbers: dict[str, tuple[float, ...]] = {}
    for place, text in enumerate(claim.inputs.split()):
        name = "" if text == "-" else f"i{place}"
        names.append(name)
        if "=" in text:
            kind, _, listed = text.partition("=")
            numbers[name] = tuple(map(float, listed.split(",")))
            text = f"{kind}{{{len(numbers[name])}}}"
        if text.endswith("}"):
            weights.append(WeightInfo(name, *typed(text), None, None))
        elif name:
            inputs.append(TensorInfo(name, "tensor", *typed(text)))
    given = dict(word.split("=") for word in claim.attributes.split())
    out = given.pop("out", "")
    made = (
        [typed(text) for text in out.split("+")]
        if out
        else [(inputs[0].dtype, inputs[0].shape)]
    )
    outputs = tuple(TensorInfo(f"o{n}", "tensor", *each) for n, each in enumerate(made))
    attributes = tuple(Attribute(name, "text", value) for name, value in given.items())
    layer = Layer(
        0, "it", operator, TFLITE, tuple(names), tuple(each.name for each in outputs),
        attributes, metadata=(("version", version),),
    )  # fmt: skip
    model = plain_model(
        (layer,), format=TFLITE, inputs=tuple(inputs), outputs=outputs, weights=tuple(weights)
    )
    return model, numbers


def answered(claim: Claim, folder: Path) -> Support:
    if claim.device in absent_devices.DELEGATES:
        lite, numbers = lite_model_of(claim)
        known = {v.name: v for v in (*declared(lite).values, *lite.inputs, *lite.outputs)}
        return absent_devices.predict(lite, [claim.device], known, numbers.get)[claim.device][0]
    path = folder / "claim.onnx"
    path.write_bytes(model_of(claim).SerializeToString())
    model = open_model(path)
    values = {v.name: v for v in (*model.values, *model.inputs, *model.outputs)}
    weights = absent_devices.small_weights(model, path)
    return absent_devices.predict(model, [claim.device], values, weights)[claim.device][0]


def judged(folder: Path) -> Iterator[tuple[Claim, Support]]:
    return ((claim, answered(claim, folder)) for claim in claims())


def test_no_answer_contradicts_the_sources_of_the_providers(tmp_path):
    found = list(judged(tmp_path))
    assert len(found) >= FEWEST_CLAIMS
    wrong, open_ones = [], []
    counted: Counter[tuple[str, str]] = Counter()
    for claim, support in found:
        said = ANSWERS[support.mark]
        right = said == claim.answer
        if not right:
            kept = open_ones if said == "unknown" else wrong
            kept.append(f"{claim}\n    {said}: {support.reason}\n    {claim.source}")
        kind = "right" if right else "unknown" if said == "unknown" else "wrong"
        counted[claim.device, kind] += 1
    for device in DEVICES:
        kinds = {kind: counted[device, kind] for kind in ("right", "unknown", "wrong")}
        print(f"{device}: {sum(kinds.values())} claims, {kinds}")  # noqa: T201
    assert not wrong, "\n".join(wrong)
    assert [text.splitlines()[0].strip() for text in open_ones] == list(OPEN)


def test_every_device_has_a_claim():
    assert {claim.device for claim in claims()} == set(DEVICES)


@pytest.mark.parametrize("device", DEVICES)
def test_answers_name_the_file_of_the_source(device, tmp_path):
    claim = next(claim for claim in claims() if claim.device == device)
    reason = answered(claim, tmp_path).reason
    assert "Estimated from a table: " in reason
    assert absent_devices.table(device).source in reason


ODD_SHAPES: list[list[int | str] | None] = [None, [], [0], [1], ["n"], [2, 3], [1, 2, 4, 4]]
ODD_ATTRIBUTES: list[dict[str, object]] = [
    {},
    {"axis": 9, "axes": [7], "mode": 3.5, "kernel_shape": "odd", "pads": [1], "split": [0]},
    {"axis": "word", "pads": [1, 2, 3], "dilations": [0], "to": 99, "alpha": float("nan")},
]
ODD_VALUES: list[list[float]] = [[], [0], [-7, 0], [float("nan")], [1, 1, 2, 2], [1e30]]


@pytest.mark.parametrize("device", absent_devices.KNOWN)
def test_odd_nodes_of_every_operator_get_an_answer(device, tmp_path):
    """One model with all operators of a table for each kind of oddity: none may raise."""
    path = tmp_path / "odd.onnx"
    known = absent_devices.table(device).operators
    names = sorted(name for name in known if name != "*") or ["Conv"]
    for turn in range(len(ODD_SHAPES)):
        attributes = ODD_ATTRIBUTES[turn % len(ODD_ATTRIBUTES)]
        values = np.array(ODD_VALUES[turn % len(ODD_VALUES)], np.float32)
        nodes = []
        for place, name in enumerate(names):
            domain, _, operator = name.rpartition(".")
            inputs = ["x", *["w"] * (turn % 5)] if turn else []
            outputs = [f"o{place}"] if turn != 1 else []
            nodes.append(
                helper.make_node(operator, inputs, outputs, domain=domain, **attributes)
            )
        declared = [models.value("x", ODD_SHAPES[turn])]
        graph = helper.make_graph(
            nodes, "odd", declared, [], [numpy_helper.from_array(values, "w")]
        )
        path.write_bytes(helper.make_model(graph, ir_version=8).SerializeToString())
        model = open_model(path)
        found = {value.name: value for value in model.inputs}
        read = absent_devices.small_weights(model, path)
        assert len(absent_devices.predict(model, [device], found, read)[device]) == len(nodes)


def test_each_rule_has_a_claim():
    unclaimed = set()
    for path in files.resource("support").glob("*.json"):
        plain = json.loads(path.read_bytes())
        named = {name for rule in plain["rules"] for name in rule["operators"]}
        for device in plain["devices"]:
            claimed = set()
            for claim in claims():
                name = claim.operator.partition("@")[0]
                bare = name.rpartition(".")[2] if plain.get("by_name") else name
                own = next((each for each in (name, bare) if each in named), EVERY_OPERATOR)
                claimed |= {own} if claim.device == device else set()
            unclaimed |= {
                f"{device} | {' '.join(rule['operators'])} | {rule['file']}"
                for rule in plain["rules"]
                if claimed.isdisjoint(rule["operators"])
            }
    assert unclaimed == set(), "write a claim for the rule, from the provider's source"
