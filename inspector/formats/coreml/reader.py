"""Core ML models from file to Model: the description first, then the model of its kind."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from inspector.formats.coreml import espresso, networks
from inspector.formats.coreml.features import described
from inspector.formats.coreml.messages import File, Message
from inspector.formats.coreml.package import (
    NETWORK,
    all_files,
    is_compiled,
    model_file,
    package_of,
)
from inspector.formats.coreml.program import Blobs, as_function, function_of
from inspector.formats.onnx.tensors import ExternalFiles
from inspector.formats.protobuf_wire import Malformed
from inspector.formats.source import Source
from inspector.formats.weight_files.weight_findings import weight_findings
from inspector.model.model import (
    Finding,
    FormatDetails,
    Function,
    InnerGraph,
    Layer,
    Model,
    TensorInfo,
    WeightInfo,
)
from inspector.platform.gc_policy import uncollected

# The oldest systems that load a version of the specification (Model.proto of coremltools).
_SYSTEMS = {
    1: "iOS 11, macOS 10.13, tvOS 11, watchOS 4",
    2: "iOS 11.2, macOS 10.13.2, tvOS 11.2, watchOS 4.2",
    3: "iOS 12, macOS 10.14, tvOS 12, watchOS 5", 4: "iOS 13, macOS 10.15, tvOS 13, watchOS 6",
    5: "iOS 14, macOS 11, tvOS 14, watchOS 7", 6: "iOS 15, macOS 12, tvOS 15, watchOS 8",
    7: "iOS 16, macOS 13, tvOS 16, watchOS 9", 8: "iOS 17, macOS 14, tvOS 17, watchOS 10",
    9: "iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2",
    10: "iOS 26, macOS 26, tvOS 26, watchOS 26, visionOS 26",
}  # fmt: skip
# The version of the specification from which there is a set of operators of ML programs.
_OPSETS = {"CoreML5": 6, "CoreML6": 7, "CoreML7": 8, "CoreML8": 9, "CoreML9": 10}
_TOOLS = "com.github.apple.coremltools."
_MAIN = "main"
# characters
_LONGEST_LIST = 200
_LONGEST_NAME = 2_000


def read(source: Source, path: Path | None) -> Model:
    """Read a Core ML model; path: the file, its package, or None for bytes.

    Raises UnreadableFile: damaged, or beyond the limits of `messages`.
    """
    try:
        with uncollected():
            return _read(source, path)
    except Malformed as error:
        raise source.failure(str(error), error.hint) from error


def _read(source: Source, path: Path | None) -> Model:
    root = File(source).root("Model")
    kind = networks.kind_of(root)
    if not kind:
        known = root.number("specificationVersion")
        raise Malformed(
            f"Inspector does not support this kind of Core ML model (specification version "
            f"{known})"
            if root.has("description")
            else "it is not a Core ML model",
            "Update Inspector.",
        )
    description = root.child("description")
    body = root.child(kind)
    if body is None:
        raise Malformed(f"its {networks.KINDS[kind]} is not a message")
    default = description.text("defaultFunctionName") if description is not None else ""
    package = package_of(path) if path is not None else None
    layers = model_file(package) if package is not None else None
    if kind == "mlProgram":
        contents = _program(body, path, default)
    elif layers is not None and layers.name == NETWORK:
        contents = _Contents()
        contents.layers, contents.weights, contents.values = espresso.read(layers)
    else:
        contents = _network(root, body, kind)
    declared = _Interface(description, contents.main)
    size = source.size if package is None else sum(f.stat().st_size for f in all_files(package))
    compiled = package is not None and is_compiled(package)
    metadata = _metadata(description)
    user = dict(metadata.user)
    version = root.number("specificationVersion")
    model = Model(
        name=source.name, format="coreml", size_bytes=size, ir_version=0, opsets=(),
        producer="coremltools" if f"{_TOOLS}version" in user else "",
        producer_version=user.get(f"{_TOOLS}version", ""), domain="", version=0,
        doc=metadata.doc, graph_name="", metadata=metadata.user, inputs=declared.inputs,
        outputs=declared.outputs, layers=contents.layers, weights=contents.weights,
        values=contents.values, functions=contents.functions, defaults=declared.states,
        graphs=contents.graphs,
    )  # fmt: skip
    needs, reason = _needs(version, contents.opsets)
    classes = contents.classes
    facts = (
        *metadata.facts, *declared.facts, ("Classes", _listed(classes, "class", "classes")),
        ("Operator set", ", ".join(dict.fromkeys(contents.opsets))), *contents.facts,
        *_training(root, description, contents.updatable),
    )  # fmt: skip
    details = FormatDetails(
        title=f"Core ML, {'compiled ' if compiled else ''}{networks.KINDS[kind]}",
        version=f"specification version {version}",
        needs=needs,
        reason=reason,
        facts=tuple((name, value) for name, value in facts if value),
        classes=classes,
        kind="" if kind in networks.NETWORKS | {"mlProgram"} else networks.KINDS[kind],
        parts=networks.parts_of(body) if kind in networks.PIPELINES else (),
    )
    model = replace(model, details=details)
    return replace(model, findings=(*contents.findings, *weight_findings(model)))


class _Contents:
    """What is inside of a model, of whatever kind."""

    def __init__(self) -> None:
        self.main = ""
        self.layers: tuple[Layer, ...] = ()
        self.weights: tuple[WeightInfo, ...] = ()
        self.values: tuple[TensorInfo, ...] = ()
        self.functions: tuple[Function, ...] = ()
        self.graphs: tuple[InnerGraph, ...] = ()
        self.classes: tuple[str, ...] = ()
        self.opsets: tuple[str, ...] = ()
        self.facts: tuple[tuple[str, str], ...] = ()
        self.findings: tuple[Finding, ...] = ()
        self.updatable: tuple[str, ...] = ()


def _program(body: Message, path: Path | None, default: str) -> _Contents:
    blobs = Blobs(ExternalFiles(path))
    functions = dict(body.entries("functions"))
    contents = _Contents()
    contents.main = next((n for n in (default, _MAIN, *functions) if n in functions), "")
    others = []
    for name, message in functions.items():
        prefix = "" if name == contents.main else f"{name[:_LONGEST_NAME]}/"
        program, inputs, outputs, opset = function_of(name, message, blobs, prefix)
        contents.opsets = (*contents.opsets, opset) if opset else contents.opsets
        contents.weights += tuple(program.weights)
        if name == contents.main:
            contents.layers, contents.graphs = tuple(program.layers), tuple(program.graphs)
            contents.values, contents.classes = (*inputs, *program.values), program.classes
        else:
            others.append(as_function(name, program, inputs, outputs))
    contents.functions = tuple(others)
    if len(functions) > 1:
        contents.facts = (("Functions", ", ".join(functions)[:_LONGEST_LIST]),)
    return contents


def _network(root: Message, body: Message, kind: str) -> _Contents:
    parts = networks.Parts()
    parts.add_model(root)
    contents = _Contents()
    contents.layers, contents.weights = tuple(parts.layers), tuple(parts.weights)
    contents.graphs, contents.values = tuple(parts.graphs), tuple(parts.values)
    contents.updatable = tuple(parts.updatable)
    contents.classes = _labels(root)
    if kind in networks.NETWORKS:
        contents.facts = tuple(_preprocessing(body))
    return contents


def _labels(model: Message, depth: int = 0) -> tuple[str, ...]:
    """Return the classes of a classifier, or of the last model of a pipeline that has some."""
    kind = networks.kind_of(model)
    body = model.child(kind) if kind else None
    if body is None or depth > 8:
        return ()
    if kind in networks.PIPELINES:
        inner = body.child("pipeline") or body
        found = [_labels(each, depth + 1) for each in inner.children("models")]
        return next((classes for classes in reversed(found) if classes), ())
    return networks.labels(body)


class _Metadata:
    """What people wrote about a model."""

    def __init__(
        self, doc: str, facts: tuple[tuple[str, str], ...], user: tuple[tuple[str, str], ...]
    ) -> None:
        self.doc, self.facts, self.user = doc, facts, user


def _metadata(description: Message | None) -> _Metadata:
    message = description.child("metadata") if description is not None else None
    if message is None:
        return _Metadata("", (), ())
    facts = (
        ("Author", message.text("author")),
        ("License", message.text("license")),
        ("Model version", message.text("versionString")),
    )
    user = tuple((e.text("key"), e.text("value")) for e in message.children("userDefined"))
    return _Metadata(message.text("shortDescription"), facts, user)


class _Interface:
    """Inputs, outputs and states of the main function, and what is said of them."""

    def __init__(self, description: Message | None, main: str) -> None:
        self.inputs: tuple[TensorInfo, ...] = ()
        self.outputs: tuple[TensorInfo, ...] = ()
        self.states: tuple[TensorInfo, ...] = ()
        self.facts: tuple[tuple[str, str], ...] = ()
        if description is None:
            return
        shown = description
        functions = list(description.children("functions"))
        if functions:
            default = description.text("defaultFunctionName") or main
            shown = next((f for f in functions if f.text("name") == default), functions[0])
            self.facts += (("Default function", default),)
        self.inputs = tuple(map(described, shown.children("input")))
        self.outputs = tuple(map(described, shown.children("output")))
        self.states = tuple(map(described, shown.children("state")))
        states = ", ".join(state.name for state in self.states)
        flexible = [
            f"{v.name}: {v.full_type}" for v in (*self.inputs, *self.outputs) if v.full_type
        ]
        self.facts += (
            ("Predicted feature", shown.text("predictedFeatureName")),
            ("Predicted probabilities", shown.text("predictedProbabilitiesName")),
            ("State", states[:_LONGEST_LIST]),
            ("Flexible shapes", "; ".join(flexible)[:_LONGEST_LIST]),
        )


def _needs(version: int, opsets: Iterable[str]) -> tuple[str, str]:
    """Return the oldest systems that load the model, and what asks for them."""
    by_opset = max(((_OPSETS.get(opset, 0), opset) for opset in opsets), default=(0, ""))
    if by_opset[0] > version:
        return _SYSTEMS.get(by_opset[0], ""), f"operator set {by_opset[1]}"
    return _SYSTEMS.get(version, ""), f"specification version {version}"


def _training(
    root: Message, description: Message | None, updatable: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    """Yield what is said of training on the device."""
    if not root.number("isUpdatable"):
        return
    yield "Updatable layers", ", ".join(updatable)[:_LONGEST_LIST] or "the model can be updated"
    given = description.children("trainingInput") if description is not None else ()
    yield "Training inputs", ", ".join(each.text("name") for each in given)[:_LONGEST_LIST]
    kind = networks.kind_of(root)
    body = root.child(kind) if kind in networks.NETWORKS else None
    update = body.child("updateParams") if body is not None else None
    if update is None:
        return
    losses = [
        field.name
        for loss in update.children("lossLayers")
        for field in loss.fields()
        if field.is_message
    ]
    yield "Loss", ", ".join(losses)
    optimizer = update.child("optimizer")
    name = next((f.name for f in optimizer.fields()), "") if optimizer is not None else ""
    yield "Optimizer", name.removesuffix("Optimizer").upper()
    epochs = update.child("epochs")
    yield "Epochs", str(epochs.number("defaultValue")) if epochs is not None else ""


def _preprocessing(network: Message) -> Iterator[tuple[str, str]]:
    """Yield how a network changes its images before the first layer."""
    for each in network.children("preprocessing"):
        scaler = each.child("scaler")
        text = "subtracts a mean image" if each.has("meanImage") else ""
        if scaler is not None:
            biases = [
                f"{scaler.real(f'{color}Bias'):.7g}"
                for color in ("red", "green", "blue", "gray")
            ]
            red, green, blue, gray = biases
            text = (
                f"× {scaler.real('channelScale'):.7g}, + red {red}, green {green}, "
                f"blue {blue}, gray {gray}"
            )
        name = each.text("featureName")
        yield "Preprocessing", f"{name}: {text}" if name else text


def _listed(names: tuple[str, ...], one: str, many: str) -> str:
    if not names:
        return ""
    shown = ", ".join(names[:6]) + (", …" if len(names) > 6 else "")
    return f"{len(names):,} {one if len(names) == 1 else many}: {shown}"[:_LONGEST_LIST]
