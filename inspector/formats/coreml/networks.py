"""Neural networks, pipelines and classical models: layers by the name of their field.

The parameters of a layer are messages of the schema: numbers become attributes, arrays of
fractions become weights, and networks inside a layer become graphs.
"""

from collections.abc import Iterator

from inspector.formats.coreml import features
from inspector.formats.coreml.messages import Field, Message
from inspector.formats.coreml.program import DOMAIN, MAX_CLASSES, MAX_DEPTH
from inspector.formats.onnx.weight_values import HIGH_BITS_FIRST
from inspector.formats.protobuf_wire import Malformed
from inspector.model.model import (
    Attribute,
    InnerGraph,
    Layer,
    Place,
    TensorInfo,
    WeightCompression,
    WeightInfo,
    packed_bytes,
    product,
)

# Fields of a Model that hold the model itself, and what people call them.
KINDS = {
    "pipelineClassifier": "pipeline classifier", "pipelineRegressor": "pipeline regressor",
    "pipeline": "pipeline", "glmRegressor": "linear regressor",
    "supportVectorRegressor": "support vector regressor",
    "treeEnsembleRegressor": "tree ensemble regressor",
    "neuralNetworkRegressor": "neural network regressor",
    "bayesianProbitRegressor": "Bayesian probit regressor",
    "glmClassifier": "linear classifier",
    "supportVectorClassifier": "support vector classifier",
    "treeEnsembleClassifier": "tree ensemble classifier",
    "neuralNetworkClassifier": "neural network classifier",
    "kNearestNeighborsClassifier": "nearest neighbors classifier",
    "neuralNetwork": "neural network", "itemSimilarityRecommender": "item recommender",
    "mlProgram": "ML program", "customModel": "custom model", "linkedModel": "linked model",
    "classConfidenceThresholding": "class confidence thresholds",
    "oneHotEncoder": "one-hot encoder", "imputer": "imputer",
    "featureVectorizer": "feature vectorizer", "dictVectorizer": "dictionary vectorizer",
    "scaler": "scaler", "categoricalMapping": "categorical mapping", "normalizer": "normalizer",
    "arrayFeatureExtractor": "array feature extractor",
    "nonMaximumSuppression": "non-maximum suppression", "identity": "identity",
    "textClassifier": "text classifier", "wordTagger": "word tagger",
    "visionFeaturePrint": "Vision feature print",
    "soundAnalysisPreprocessing": "sound preprocessing", "gazetteer": "gazetteer",
    "wordEmbedding": "word embedding", "audioFeaturePrint": "audio feature print",
    "serializedModel": "serialized model",
}  # fmt: skip
NETWORKS = {"neuralNetwork", "neuralNetworkClassifier", "neuralNetworkRegressor"}
PIPELINES = {"pipeline", "pipelineClassifier", "pipelineRegressor"}
LABELS = ("stringClassLabels", "int64ClassLabels")
_LAYER_FIELDS = {"name", "input", "output", "inputTensor", "outputTensor", "isUpdatable"}
_MOST_ITEMS = 16  # of a list that is shown as an attribute
_MOST_MESSAGES = 64  # of a repeated field that are looked into
_MOST_TREES = 1_000_000  # nodes counted
_INNER = {"NeuralNetwork"}
# Fields of WeightParams that hold the values, and their type; of the last, bits say it.
_WEIGHT_FIELDS = (
    ("floatValue", "float32"), ("float16Value", "float16"), ("int8RawValue", "int8"),
    ("rawValue", ""),
)  # fmt: skip
_LEARNED = frozenset({"offset"})  # of linear models, also where there is one for one target
# Shapes of weights by the fields beside them, where they are no plain list.
_SHAPES = {
    ("InnerProductLayerParams", "weights"): ("outputChannels", "inputChannels"),
    ("EmbeddingLayerParams", "weights"): ("outputChannels", "inputDim"),
    ("EmbeddingNDLayerParams", "weights"): ("vocabSize", "embeddingSize"),
    ("BatchedMatMulLayerParams", "weights"): (
        "weightMatrixFirstDimension", "weightMatrixSecondDimension",
    ),
}  # fmt: skip


def parts_of(pipeline: Message) -> tuple[str, ...]:
    """Return the kinds of the models in a pipeline, in order: "feature vectorizer", ..."""
    inner = pipeline.child("pipeline") or pipeline
    kinds = map(kind_of, inner.children("models"))
    return tuple(KINDS.get(kind, kind) for kind in kinds if kind)


def kind_of(model: Message) -> str:
    """Return the field of a Model that says what it is; empty where it is unknown."""
    return next((field.name for field in model.fields() if field.name in KINDS), "")


def labels(body: Message) -> tuple[str, ...]:
    """Return the class names of a classifier, whole numbers as text."""
    for name in LABELS:
        vector = body.child(name) if body.has(name) else None
        if vector is None:
            continue
        if name == "stringClassLabels":
            return tuple(vector.texts("vector")[:MAX_CLASSES])
        return tuple(str(int(n)) for n in vector.numbers("vector", MAX_CLASSES))
    return ()


class Parts:
    """The layers, weights and inner graphs of a model that is no ML program."""

    def __init__(self) -> None:
        self.layers: list[Layer] = []
        self.weights: list[WeightInfo] = []
        self.graphs: list[InnerGraph] = []
        self.values: list[TensorInfo] = []
        self.updatable: list[str] = []

    def add_model(
        self, model: Message, parent: int | None = None, branch: str = "", depth: int = 0
    ) -> None:
        """Take in a Model: its network, the models of its pipeline, or itself as a layer."""
        if depth > MAX_DEPTH:
            raise Malformed(f"it is nested deeper than {MAX_DEPTH} levels", "")
        kind = kind_of(model)
        body = model.child(kind) if kind else None
        if body is None:
            return
        if kind in NETWORKS:
            self.add_network(body, parent, branch, depth)
        elif kind in PIPELINES:
            self._add_pipeline(body, parent, branch, depth)
        else:
            described = model.child("description")
            inputs, outputs = _names(described, "input"), _names(described, "output")
            self._add_layer(kind, kind, body, inputs, outputs, parent, branch, depth)

    def add_network(
        self, network: Message, parent: int | None, branch: str, depth: int
    ) -> None:
        """Take in the layers of a NeuralNetwork, or of a classifier that is one."""
        if depth > MAX_DEPTH:
            raise Malformed(f"it is nested deeper than {MAX_DEPTH} levels", "")
        for layer in network.children("layers"):
            operator = next((f.name for f in layer.fields() if f.name not in _LAYER_FIELDS), "")
            body = layer.child(operator) if operator else None
            name = layer.text("name")
            if layer.number("isUpdatable"):
                self.updatable.append(name)
            self._add_layer(
                operator or "unknown", name, body, tuple(layer.texts("input")),
                tuple(layer.texts("output")), parent, branch, depth,
            )  # fmt: skip

    def _add_pipeline(self, body: Message, parent: int | None, branch: str, depth: int) -> None:
        inner = body.child("pipeline") or body
        names = inner.texts("names")
        for number, model in enumerate(inner.children("models")):
            kind = kind_of(model)
            name = names[number] if number < len(names) else kind
            described = model.child("description")
            inputs, outputs = _names(described, "input"), _names(described, "output")
            self.values += _features(described)
            if kind not in NETWORKS | PIPELINES:
                own = model.child(kind) if kind else None
                self._add_layer(
                    kind or "unknown", name, own, inputs, outputs, parent, branch, depth
                )
                continue
            index = len(self.layers)
            self.layers.append(
                Layer(index, name, kind, DOMAIN, inputs, outputs, (), parent, branch)
            )
            given = tuple(TensorInfo(each, "unknown", "unknown", None) for each in inputs)
            made = tuple(TensorInfo(each, "unknown", "unknown", None) for each in outputs)
            self.graphs.append(InnerGraph(index, "model", "", given, made))
            self.add_model(model, index, "model", depth + 1)

    def _add_layer(
        self, operator: str, name: str, body: Message | None, inputs: tuple[str, ...],
        outputs: tuple[str, ...], parent: int | None, branch: str, depth: int,
    ) -> None:  # fmt: skip
        index = len(self.layers)
        self.layers.append(
            Layer(index, name, operator, DOMAIN, inputs, outputs, (), parent, branch)
        )
        if body is None:
            return
        label = name or f"{operator} {index}"
        attributes: list[Attribute] = []
        weights: list[str] = []
        inner: list[tuple[str, Message]] = []
        self._describe(body, label, "", attributes, weights, inner, 0)
        self.layers[index] = self.layers[index]._replace(
            attributes=tuple(attributes), inputs=(*inputs, *weights)
        )
        for called, network in inner:
            self.graphs.append(InnerGraph(index, called, "", (), ()))
            self.add_network(network, index, called, depth + 1)

    def _describe(
        self, message: Message, label: str, prefix: str, attributes: list[Attribute],
        weights: list[str], inner: list[tuple[str, Message]], depth: int,
    ) -> None:  # fmt: skip
        """Collect the attributes and weights of a message and of those in it."""
        if depth > MAX_DEPTH:
            raise Malformed(f"it is nested deeper than {MAX_DEPTH} levels", "")
        for field in message.fields():
            name = f"{prefix}{field.name}"
            if field.kind == "WeightParams":
                for number, each in enumerate(message.children(field.name)):
                    own = f"{label}.{name}" + (f".{number}" if field.repeated else "")
                    if self._add_weight(own, each, _shape_of(message, field.name)):
                        weights.append(own)
            elif field.kind in _INNER:
                inner += [(name, each) for each in message.children(field.name)]
            elif field.kind == "TreeEnsembleParameters":
                attributes += _of_trees(message.child(field.name))
            elif field.is_message and not field.repeated:
                child = message.child(field.name)
                if child is not None and field.name not in LABELS:
                    if not [*child.fields()]:
                        attributes.append(Attribute(name, "", ""))  # its presence says it all
                    self._describe(
                        child, label, f"{name}.", attributes, weights, inner, depth + 1
                    )
            elif field.is_message:
                self._describe_many(
                    message, field, label, name, attributes, weights, inner, depth
                )
            elif field.repeated and field.kind in ("float", "double"):
                self._add_numbers(message, field, label, name, attributes, weights)
            else:
                attributes.append(Attribute(name, *_value(message, field)))

    def _describe_many(
        self, message: Message, field: Field, label: str, name: str,
        attributes: list[Attribute], weights: list[str], inner: list[tuple[str, Message]],
        depth: int,
    ) -> None:  # fmt: skip
        count = message.count(field.name)
        if count > _MOST_MESSAGES:
            attributes.append(Attribute(name, "messages", f"{count:,} entries"))
            return
        for number, each in enumerate(message.children(field.name)):
            own = f"{name}.{number}."
            self._describe(each, label, own, attributes, weights, inner, depth + 1)

    def _add_numbers(
        self, message: Message, field: Field, label: str, name: str,
        attributes: list[Attribute], weights: list[str],
    ) -> None:  # fmt: skip
        extents = message.extents(field.name)
        width, dtype = (4, "float32") if field.kind == "float" else (8, "float64")
        elements = extents[0].length // width if len(extents) == 1 else 0
        if elements < 1 or (elements == 1 and field.name not in _LEARNED):
            attributes.append(Attribute(name, *_value(message, field)))
            return
        place = Place("", extents[0].at, elements * width)
        own = f"{label}.{name}"
        self.weights.append(WeightInfo(own, dtype, (elements,), place.length, place))
        weights.append(own)

    def _add_weight(self, name: str, weight: Message, shape: tuple[int, ...]) -> bool:
        """Add a WeightParams as a weight; False where it holds nothing."""
        weight.charge_text(len(name))
        found = [(*each, weight.extents(each[0])) for each in _WEIGHT_FIELDS]
        field, dtype, extents = next((each for each in found if each[2]), ("", "", []))
        if not extents:
            return False
        at, length = extents[0]
        compression, field_name, problem = None, "raw_data", ""
        if len(extents) > 1:
            problem = "its values are in several pieces"
        expected = product(shape) if shape else None
        quantization = weight.child("quantization")
        if field == "rawValue" and quantization is not None:
            bits = min(8, max(1, quantization.number("numberOfBits", 8)))
            dtype = f"uint{bits}"
            table = quantization.child("lookupTableQuantization")
            elements = expected if expected is not None else length * 8 // bits
            linear = quantization.child("linearQuantization")
            scales = sum(e.length for e in linear.extents("scale")) // 4 if linear else 0
            compression = WeightCompression(
                "lookup table" if table is not None else "linear",
                "" if table is not None else "per channel" if scales > 1 else "per tensor",
                bits,
                4 * elements,
            )
            field_name = HIGH_BITS_FIRST if bits < 8 else "raw_data"
            if packed_bytes(dtype, elements) != length:
                expected = None
            shape = shape if expected is not None else (length * 8 // bits,)
        else:
            dtype = dtype or "uint8"
            number = length * 8 // ((packed_bytes(dtype, 1) or 1) * 8)
            if expected != number:
                shape = (number,)
        place = Place("", at, length, field_name)
        self.weights.append(
            WeightInfo(
                name, dtype, shape, length, place, problem=problem, compression=compression
            )
        )
        return True


def _shape_of(message: Message, field: str) -> tuple[int, ...]:
    """Return the shape of a weight by the fields beside it; empty where they do not tell."""
    if message.kind == "ConvolutionLayerParams" and field == "weights":
        kernel = message.lengths("kernelSize") or (3, 3)
        out, within = message.number("outputChannels"), message.number("kernelChannels")
        groups = max(1, message.number("nGroups", 1))
        if message.number("isDeconvolution"):
            return (within, max(0, out) // groups, *kernel)
        return (out, within, *kernel)
    names = _SHAPES.get((message.kind, field), ())
    return tuple(message.number(name) for name in names)


def _value(message: Message, field: Field) -> tuple[str, str]:
    """Return kind and text of a field that is no message."""
    if field.kind == "text":
        texts = message.texts(field.name)
        more = ", …" if len(texts) > _MOST_ITEMS else ""
        kind = "strings" if field.repeated else "string"
        return kind, (", ".join(texts[:_MOST_ITEMS]) + more)[:400]
    if field.kind == "bytes":
        return "bytes", f"{sum(e.length for e in message.extents(field.name)):,} B"
    if field.kind.startswith("="):
        return "choice", message.choice(field.name)
    numbers = message.numbers(field.name, _MOST_ITEMS + 1)
    if field.kind == "bool":
        return "bool", ", ".join("true" if n else "false" for n in numbers[:_MOST_ITEMS])
    write = "{:.7g}".format if field.kind in ("float", "double") else lambda n: str(int(n))
    kind = "float" if field.kind in ("float", "double") else "int"
    more = ", …" if len(numbers) > _MOST_ITEMS else ""
    shown = ", ".join(map(write, numbers[:_MOST_ITEMS])) + more
    return kind + "s" * field.repeated, shown


def _of_trees(trees: Message | None) -> Iterator[Attribute]:
    """Return how many trees, nodes and leaves an ensemble has."""
    if trees is None:
        return
    ids, leaves, nodes = set(), 0, 0
    for node, _ in zip(trees.children("nodes"), range(_MOST_TREES), strict=False):
        nodes += 1
        ids.add(node.number("treeId"))
        leaves += node.choice("nodeBehavior") == "LeafNode"
    yield Attribute("trees", "int", f"{len(ids):,}")
    yield Attribute("nodes", "int", f"{nodes:,}")
    yield Attribute("leaves", "int", f"{leaves:,}")
    for field in trees.fields():
        if not field.is_message:
            yield Attribute(field.name, *_value(trees, field))


def _names(description: Message | None, field: str) -> tuple[str, ...]:
    if description is None:
        return ()
    return tuple(each.text("name") for each in description.children(field))


def _features(description: Message | None) -> list[TensorInfo]:
    if description is None:
        return []
    return [
        features.described(each)
        for name in ("input", "output")
        for each in description.children(name)
    ]
