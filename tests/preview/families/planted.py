"""Small models with the exact inputs and outputs of each family, and answers planted in them.

What a model answers is a constant of the right shape that passes through all of its inputs'
means times zero, so that every input is needed; some check first what they are given.
"""

import wave
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from inspector.preview.inputs import image_files

Axes = Sequence[int | str]
DTYPES = {"float32": TensorProto.FLOAT, "float16": TensorProto.FLOAT16}
INT64 = TensorProto.INT64
_STEPS = 127  # of int8, symmetric


class Graph:
    """Collects inputs, outputs and nodes; precision is float32, float16 or int8 (QDQ heads)."""

    def __init__(self, precision: str = "float32") -> None:
        self.precision = precision
        self.kind = DTYPES.get(precision, TensorProto.FLOAT)
        self.dtype = np.float16 if precision == "float16" else np.float32
        self.inputs: list[onnx.ValueInfoProto] = []
        self.outputs: list[onnx.ValueInfoProto] = []
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []
        self._means: list[str] = []

    def input(self, name: str, shape: Axes, kind: int = 0) -> str:
        """Add an input; of real numbers unless a kind is given. It reaches every output."""
        self.inputs.append(helper.make_tensor_value_info(name, kind or self.kind, shape))
        cast, mean = f"{name}.real", f"{name}.mean"
        self.node("Cast", [name], cast, to=TensorProto.FLOAT)
        self.node("ReduceMean", [cast], mean, keepdims=0)
        self._means.append(mean)
        return name

    def node(self, operator: str, inputs: Sequence[str], output: str, name: str = "",
             domain: str = "", **attributes: object) -> str:  # fmt: skip
        """Add a node with one output."""
        made = helper.make_node(operator, inputs, [output], name, domain=domain, **attributes)
        self.nodes.append(made)
        return output

    def weight(self, name: str, array: np.ndarray) -> str:
        self.weights.append(numpy_helper.from_array(array, name))
        return name

    def answer(self, name: str, planted: np.ndarray, shape: Axes, gate: str = "") -> str:
        """Add an output with planted values; `gate` is a scalar 0 or 1 that they are times."""
        values = self.weight(f"{name}.planted", planted.astype(np.float32))
        if self.precision == "int8":
            values = self._quantized(name, planted)
        zero = self.weight(f"{name}.zero", np.array(0, np.float32))
        terms = []
        for place, mean in enumerate(self._means):
            terms.append(self.node("Mul", [mean, zero], f"{name}.none{place}"))
        whole = self.node("Sum", [values, *terms], f"{name}.whole") if terms else values
        if gate:
            whole = self.node("Mul", [whole, gate], f"{name}.gated")
        self.node("Cast", [whole], name, to=self.kind)
        self.outputs.append(helper.make_tensor_value_info(name, self.kind, shape))
        return name

    def output(self, name: str, shape: Axes | None, kind: int = 0) -> None:
        """Declare an output that nodes of a test's own make."""
        self.outputs.append(helper.make_tensor_value_info(name, kind or self.kind, shape))

    def _quantized(self, name: str, planted: np.ndarray) -> str:
        scale = max(float(np.abs(planted).max()), 1e-6) / _STEPS
        stored = np.rint(planted / scale).astype(np.int8)
        ends = [
            self.weight(f"{name}.int8", stored),
            self.weight(f"{name}.scale", np.array(scale, np.float32)),
            self.weight(f"{name}.point", np.array(0, np.int8)),
        ]
        return self.node("DequantizeLinear", ends, f"{name}.real_again")

    def save(self, path: Path, producer: str = "pytorch", name: str = "main_graph",
             metadata: Mapping[str, str] | None = None) -> Path:  # fmt: skip
        graph = helper.make_graph(self.nodes, name, self.inputs, self.outputs, self.weights)
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 3)]
        model = helper.make_model(
            graph, opset_imports=opsets, ir_version=8, producer_name=producer
        )
        helper.set_model_props(model, dict(metadata or {}))
        path.write_bytes(model.SerializeToString())
        return path


def peaks(shape: Sequence[int], rows: Sequence[int], high: float = 8.0) -> np.ndarray:
    """Scores (1, places, classes), at each place the highest for one class."""
    array = np.zeros(shape, np.float32)
    for place, number in enumerate(rows):
        array[0, place, number] = high
    return array


def text_inputs(graph: Graph, *more: str) -> None:
    for name in ("input_ids", "attention_mask", *more):
        graph.input(name, ["batch", "sequence"], INT64)


def whisper_encoder(path: Path, precision: str) -> Path:
    graph = Graph(precision)
    graph.input("input_features", ["batch", 80, 3000])
    pool = graph.weight("half", np.array(0.5, np.float32))
    graph.node("ReduceMax", ["input_features.real"], "loudest", keepdims=0)
    graph.node("ReduceMin", ["input_features.real"], "softest", keepdims=0)
    graph.node("Sub", ["loudest", "softest"], "range")
    graph.node("Mul", ["range", pool], "gate")  # 8 powers of ten, divided by 4: 2
    planted = np.tile(np.arange(4), (1, 1500, 1))
    graph.answer("last_hidden_state", planted, ["batch", 1500, 4], "gate")
    return graph.save(path)


def whisper_decoder(path: Path, precision: str) -> Path:
    graph = Graph(precision)
    graph.input("input_ids", ["batch", "tokens"], INT64)
    graph.input("encoder_hidden_states", ["batch", 1500, 4])
    graph.answer("logits", peaks((1, 1, 51_865), [50_259]), ["batch", "tokens", 51_865])
    return graph.save(path)


def t5_encoder(path: Path, precision: str) -> Path:
    graph = Graph(precision)
    text_inputs(graph)
    eye = graph.weight("q", np.eye(2, dtype=np.float32))
    graph.node("MatMul", [eye, eye], "q2", "/encoder/block.0/layer.0/SelfAttention/q/MatMul")
    graph.answer("last_hidden_state", np.arange(24).reshape(1, 3, 8), ["batch", "sequence", 8])
    return graph.save(path)


def t5_decoder(path: Path, precision: str) -> Path:
    graph = Graph(precision)
    graph.input("input_ids", ["batch", "tokens"], INT64)
    graph.input("encoder_hidden_states", ["batch", "sequence", 8])
    graph.input("encoder_attention_mask", ["batch", "sequence"], INT64)
    graph.answer("logits", peaks((1, 1, 32_128), [644]), ["batch", "tokens", 32_128])
    return graph.save(path)


def t5_decoder_with_past(path: Path, precision: str) -> Path:
    """The second step: keys and values of the encoder's output stand for it."""
    graph = Graph(precision)
    graph.input("input_ids", ["batch", 1], INT64)
    graph.input("encoder_attention_mask", ["batch", "encoder_sequence"], INT64)
    for side, length in (("decoder", "past_sequence"), ("encoder", "encoder_sequence")):
        for part in ("key", "value"):
            graph.input(f"past_key_values.0.{side}.{part}", ["batch", 2, length, 4])
    graph.answer("logits", peaks((1, 1, 32_128), [644]), ["batch", 1, 32_128])
    for part in ("key", "value"):
        name = f"past_key_values.0.decoder.{part}"
        token = graph.weight(f"new.{part}", np.ones((1, 2, 1, 4), graph.dtype))
        graph.node("Concat", [name, token], f"present.0.decoder.{part}", axis=2)
        graph.output(f"present.0.decoder.{part}", ["batch", 2, "total", 4])
    return graph.save(path)


HELLO = "HELLO WORLD"


def wav2vec2(path: Path, precision: str) -> Path:
    """Spells only where its input has mean 0 and variance 1, as its feature extractor makes."""
    letters = ["<pad>", "<s>", "</s>", "<unk>", "|", *"ETAONIHSRDLUMWCFGYPBVK'XJQZ"]
    spelt = [letters.index("|" if letter == " " else letter) for letter in HELLO]
    path_of = [number for each in spelt for number in (each, each, 0)]
    graph = Graph(precision)
    graph.input("input_values", ["batch", "samples"])
    graph.node("Mul", ["input_values.real"] * 2, "squares")
    graph.node("ReduceMean", ["squares"], "variance", keepdims=0)
    low, high = (graph.weight(f"limit{n}", np.array(n, np.float32)) for n in (0.9, 1.1))
    graph.node("Greater", ["variance", low], "above")
    graph.node("Less", ["variance", high], "below")
    graph.node("And", ["above", "below"], "normalized")
    graph.node("Cast", ["normalized"], "gate", to=TensorProto.FLOAT)
    planted = peaks((1, len(path_of), 32), path_of)
    graph.answer("logits", planted, ["batch", "steps", 32], "gate")
    return graph.save(path)


def vits(path: Path, precision: str) -> Path:
    graph = Graph(precision)
    graph.input("input", ["batch", "phonemes"], INT64)
    graph.input("input_lengths", ["batch"], INT64)
    graph.inputs.append(helper.make_tensor_value_info("scales", TensorProto.FLOAT, [3]))
    # Each of the three scales has its value, or there is no sound.
    wanted = graph.weight("wanted", np.array([0.667, 1.0, 0.8], np.float32))
    graph.node("Sub", ["scales", wanted], "off")
    graph.node("Abs", ["off"], "far")
    graph.node("ReduceMax", ["far"], "farthest", keepdims=0)
    near = graph.weight("near", np.array(1e-3, np.float32))
    graph.node("Less", ["farthest", near], "right")
    graph.node("Cast", ["right"], "gate", to=TensorProto.FLOAT)
    wave = np.sin(np.arange(11_025) / 8)[None, None]
    graph.answer("output", wave, ["batch", 1, "time"], "gate")
    return graph.save(path, metadata={"sample_rate": "22050"})


def silero(path: Path, precision: str, window: int = 576, sr: bool = False) -> Path:
    """Speech from the third step on: the state counts steps; other windows are refused."""
    graph = Graph("float32")  # the half model keeps float32 at its ends
    graph.input("input", ["batch", "sequence"])
    graph.input("state", [2, "batch", 128])
    if sr:
        graph.input("sr", [], INT64)
    size = graph.weight("size", np.array([1, window], np.int64))
    graph.node("Reshape", ["input", size], "row")
    graph.node("ReduceMean", ["row"], "level", keepdims=0)
    zero, one = (graph.weight(f"n{n}", np.array(n, np.float32)) for n in (0, 1))
    graph.node("Mul", ["level", zero], "nothing")
    graph.node("Add", ["nothing", one], "step")
    graph.node("Add", ["state", "step"], "stateN")
    half = graph.weight("two", np.array(2, np.float32))
    graph.node("Greater", ["stateN", half], "late")
    work = TensorProto.FLOAT16 if precision == "float16" else TensorProto.FLOAT
    graph.node("Cast", ["late"], "lately", to=work)
    graph.node("ReduceMean", ["lately"], "share", axes=[0, 2], keepdims=0)
    graph.node("Cast", ["share"], "shared", to=TensorProto.FLOAT)
    shape = graph.weight("one_by_one", np.array([1, 1], np.int64))
    graph.node("Reshape", ["shared", shape], "output")
    graph.output("output", ["batch", 1])
    graph.output("stateN", ["d0", "batch", "d2"])
    return graph.save(path)


def basic_pitch(path: Path, precision: str) -> Path:
    """An A4 from row 65 to row 115 of each window, whatever the sound is."""
    graph = Graph("float32")
    graph.input("audio", ["batch", 43_844, 1])
    graph.node("ReduceMean", ["audio"], "level", axes=[1])
    zero = graph.weight("zero", np.array(0, np.float32))
    graph.node("Mul", ["level", zero], "nothing")
    onset, note = np.full((2, 1, 172, 88), 0.1, np.float32)
    onset[0, 65, 48] = note[0, 65:115, 48] = 0.8
    contour = np.full((1, 172, 264), 0.1, np.float32)
    for name, array in (("call:2", onset), ("call:1", note), ("call:0", contour)):
        graph.node("Add", ["nothing", graph.weight(f"of_{name}", array)], name)
        graph.output(name, ["batch", 172, array.shape[-1]])
    return graph.save(path)


def nan_unless(path: Path, window: int) -> Path:
    """A voice detector that gives NaN to windows of another length than its own."""
    graph = Graph("float32")
    graph.input("input", ["batch", "sequence"])
    graph.input("state", [2, "batch", 128])
    graph.node("Shape", ["input"], "shape")
    graph.node("Gather", ["shape", graph.weight("last", np.array([1], np.int64))], "length")
    graph.node("Cast", ["length"], "long", to=TensorProto.FLOAT)
    own = graph.weight("own", np.array([window], np.float32))
    graph.node("Sub", ["long", own], "off")
    graph.node("Abs", ["off"], "far")
    # The root of what is negative is NaN: 1 less the distance.
    graph.node("Sub", [graph.weight("one", np.ones(1, np.float32)), "far"], "near")
    graph.node("Sqrt", ["near"], "right")
    graph.node("Sub", ["right", "input.mean"], "fits")
    size = graph.weight("size", np.array([1, 1], np.int64))
    graph.node("Reshape", ["fits", size], "output")
    graph.node("Identity", ["state"], "stateN")
    graph.output("output", ["batch", 1])
    graph.output("stateN", ["d0", "batch", "d2"])
    return graph.save(path)


def speaker(path: Path, precision: str) -> Path:
    """Knows the voice only where the mean over time was subtracted."""
    graph = Graph(precision)
    graph.input("feats", ["batch", "frames", 80])
    graph.node("ReduceMean", ["feats.real"], "over_time", axes=[1], keepdims=0)
    graph.node("Abs", ["over_time"], "off")
    graph.node("ReduceMax", ["off"], "most_off", keepdims=0)
    near = graph.weight("near", np.array(0.05, np.float32))
    graph.node("Less", ["most_off", near], "right")
    graph.node("Cast", ["right"], "gate", to=TensorProto.FLOAT)
    planted = np.zeros((1, 192))
    planted[0, :2] = 3, 4
    graph.answer("embs", planted, ["batch", 192], "gate")
    return graph.save(path)


def sam_decoder(path: Path, precision: str) -> Path:
    """Finds the object only under a point in the center that is labeled as inside."""
    graph = Graph(precision)
    graph.input("image_embeddings", [1, 256, 64, 64])
    graph.input("point_coords", [1, "num_points", 2])
    graph.input("point_labels", [1, "num_points"])
    graph.input("mask_input", [1, 1, 256, 256])
    graph.input("has_mask_input", [1])
    graph.input("orig_im_size", [2])
    for name, wanted in (("point_coords", 512), ("point_labels", 1), ("has_mask_input", 0)):
        value = graph.weight(f"wanted.{name}", np.array(wanted, np.float32))
        graph.node("Equal", [f"{name}.mean", value], f"right.{name}")
    graph.node("And", ["right.point_coords", "right.point_labels"], "prompt")
    graph.node("And", ["prompt", "right.has_mask_input"], "right")
    graph.node("Cast", ["right"], "gate", to=TensorProto.FLOAT)
    masks = np.full((1, 4, 64, 64), -8.0)
    masks[0, 2, :32, :32] = 8
    graph.answer("masks", masks, [1, 4, "height", "width"], "gate")
    graph.answer("iou_predictions", np.array([[0.2, 0.5, 0.9, 0.1]]), [1, 4])
    graph.answer("low_res_masks", masks, [1, 4, 256, 256])
    return graph.save(path)


def clip(path: Path, precision: str) -> Path:
    graph = Graph(precision)
    graph.input("input_ids", ["texts", "sequence"], INT64)
    graph.input("pixel_values", ["images", "channels", "height", "width"])
    graph.input("attention_mask", ["texts", "sequence"], INT64)
    graph.answer("logits_per_image", np.array([[1.0, 6.0, 2.0]]), ["images", "texts"])
    graph.answer("logits_per_text", np.array([[1.0], [6.0], [2.0]]), ["texts", "images"])
    return graph.save(path)


def clip_image(path: Path, precision: str) -> Path:
    graph = Graph(precision)
    graph.input("pixel_values", ["batch", 3, 224, 224])
    graph.answer("image_embeds", np.linspace(-1, 1, 512)[None], ["batch", 512])
    return graph.save(path)


def clip_text(path: Path, precision: str) -> Path:
    graph = Graph(precision)
    text_inputs(graph)
    planted = np.linspace(-1, 1, 512)[None]
    graph.answer("text_embeds", planted, ["batch", 512])
    return graph.save(path)


def sentence(path: Path, precision: str) -> Path:
    """Three tokens and one of filling, which the mean must leave out."""
    graph = Graph(precision)
    text_inputs(graph, "token_type_ids")
    hidden = np.zeros((1, 4, 8))
    hidden[0, :3, 0], hidden[0, 3, 1] = 2, 100
    graph.answer("last_hidden_state", hidden, ["batch", "sequence", 8])
    return graph.save(path)


def bert_classes(path: Path, precision: str) -> Path:
    graph = Graph(precision)
    text_inputs(graph)
    graph.answer("logits", np.array([[-3.0, 4.0]]), ["batch", 2])
    return graph.save(path, metadata={"id2label": '{"0": "NEGATIVE", "1": "POSITIVE"}'})


def bert_tags(path: Path, precision: str) -> Path:
    graph = Graph(precision)
    text_inputs(graph)
    graph.answer("logits", peaks((1, 4, 9), [0, 3, 4, 0]), ["batch", "sequence", 9])
    return graph.save(path)


def bert_question(path: Path, precision: str) -> Path:
    graph = Graph(precision)
    text_inputs(graph, "token_type_ids")
    starts, ends = np.zeros((1, 8)), np.zeros((1, 8))
    starts[0, 4], ends[0, 6], ends[0, 1] = 9, 8, 9  # an end before the start is none
    graph.answer("start_logits", starts, ["batch", "sequence"])
    graph.answer("end_logits", ends, ["batch", "sequence"])
    return graph.save(path)


def bert_mask(path: Path, precision: str) -> Path:
    graph = Graph(precision)
    text_inputs(graph, "token_type_ids")
    planted = peaks((1, 4, 30_522), [101, 2_003, 3_000, 102])
    graph.answer("logits", planted, ["batch", "sequence", 30_522])
    return graph.save(path)


def gpt(path: Path, precision: str, cached: bool = False, embeddings: bool = False) -> Path:
    graph = Graph(precision)
    if embeddings:
        graph.input("inputs_embeds", ["batch", "sequence", 16])
    else:
        text_inputs(graph)
    eye = graph.weight("ones", np.ones((2, 2), np.float32))
    graph.node("Trilu", [eye], "causal", upper=0)
    graph.answer("logits", peaks((1, 1, 50_257), [318]), ["batch", "sequence", 50_257])
    if cached:
        for part in ("key", "value"):
            name = f"past_key_values.0.{part}"
            graph.input(name, ["batch", 2, "past_sequence_length", 4])
            token = graph.weight(f"new.{part}", np.ones((1, 2, 1, 4), graph.dtype))
            graph.node("Concat", [name, token], f"present.0.{part}", axis=2)
            graph.output(f"present.0.{part}", ["batch", 2, "total", 4])
    return graph.save(path)


def series(path: Path, precision: str) -> Path:
    graph = Graph(precision)
    graph.input("past_values", ["batch", 96, 2])
    planted = np.stack([np.arange(12) / 4, np.full(12, 1.5)], axis=1)[None]
    graph.answer("forecast", planted, ["batch", 12, 2])
    return graph.save(path)


def regression(path: Path, precision: str) -> Path:
    graph = Graph(precision)
    graph.input("x", ["batch", 13])
    graph.answer("y", np.array([[22.5]]), ["batch", 1])
    return graph.save(path)


def embedding(path: Path, precision: str) -> Path:
    graph = Graph(precision)
    graph.input("x", ["batch", 64])
    planted = np.zeros((1, 128))
    planted[0, 5] = 2
    graph.answer("embedding", planted, ["batch", 128])
    return graph.save(path)


_TREE = {
    "nodes_treeids": [0, 0, 0], "nodes_nodeids": [0, 1, 2], "nodes_featureids": [1, 0, 0],
    "nodes_values": [0.5, 0.0, 0.0], "nodes_modes": ["BRANCH_LEQ", "LEAF", "LEAF"],
    "nodes_truenodeids": [1, 0, 0], "nodes_falsenodeids": [2, 0, 0],
}  # fmt: skip


def trees(path: Path, zipped: bool, producer: str, name: str = "") -> Path:
    """Class 2 where the second column is above 0.5, else 0."""
    graph = Graph()
    graph.inputs.append(helper.make_tensor_value_info("input", TensorProto.FLOAT, [None, 4]))
    votes = {
        "class_treeids": [0] * 3, "class_nodeids": [1, 2, 2], "class_ids": [0, 2, 0],
        "class_weights": [1.0, 0.75, 0.25], "classlabels_int64s": [0, 1, 2],
    }  # fmt: skip
    shares = "shares" if zipped else "probabilities"
    graph.nodes.append(
        helper.make_node("TreeEnsembleClassifier", ["input"], ["label", shares], name,
                         domain="ai.onnx.ml", post_transform="NONE", **_TREE, **votes)
    )  # fmt: skip
    graph.outputs.append(helper.make_tensor_value_info("label", INT64, [None]))
    if zipped:
        graph.node(
            "ZipMap", [shares], "probabilities", domain="ai.onnx.ml",
            classlabels_int64s=[0, 1, 2],
        )  # fmt: skip
        of = helper.make_map_type_proto(INT64, helper.make_tensor_type_proto(1, []))
        kind = helper.make_sequence_type_proto(of)
        graph.outputs.append(helper.make_value_info("probabilities", kind))
    else:
        graph.output("probabilities", ["rows", 3])
    return graph.save(path, producer)


def classifier(path: Path) -> Path:
    """Of pictures, with 1,000 classes, of which 207 is the highest."""
    graph = Graph()
    graph.input("x", [1, 3, 64, 64])
    scores = np.zeros((1, 1000))
    scores[0, 207] = 9
    graph.answer("logits", scores, [1, 1000])
    return graph.save(path)


def image(path: Path) -> Path:
    """A gray picture of 64 by 64."""
    path.write_bytes(image_files.png(np.full((64, 64, 3), 90, np.uint8)))
    return path


def tone(path: Path) -> Path:
    """A second of a tone at 16 kHz with an offset, which normalization takes away."""
    samples = 0.1 + 0.3 * np.sin(np.arange(16_000) / 6)
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, 16_000, 0, "NONE", ""))
        file.writeframes(np.rint(samples * 32_767).astype("<i2").tobytes())
    return path


Maker = Callable[[Path, str], Path]
