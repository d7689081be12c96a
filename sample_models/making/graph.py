"""A graph put together node by node, with names in scopes, and saved with its metadata."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, ValueInfoProto, helper, numpy_helper

IR_VERSION, OPSET = 8, 17  # both are older than any runtime that people still have

ELEMENT = {
    "float32": TensorProto.FLOAT,
    "float16": TensorProto.FLOAT16,
    "int64": TensorProto.INT64,
    "uint8": TensorProto.UINT8,
    "bool": TensorProto.BOOL,
    "string": TensorProto.STRING,
}


class GraphInMaking:
    """Nodes and weights so far. A value is called after the node that makes it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[TensorProto] = []

    def weight(self, name: str, value: NDArray[np.generic]) -> str:
        """Add a constant tensor and return its name."""
        self.weights.append(numpy_helper.from_array(np.asarray(value, order="C"), name))
        return name

    def node(self, operator: str, name: str, *inputs: str, **more: object) -> str:
        """Add a node with one output, `name` + "_output", and return that name.

        more: attributes; `doc` is the node's doc string, `domain` its operator's domain.
        """
        return self.node_with(operator, name, inputs, (f"{name}_output",), **more)[0]

    def node_with(
        self,
        operator: str,
        name: str,
        inputs: Sequence[str],
        outputs: Sequence[str],
        doc: str = "",
        domain: str = "",
        **attributes: object,
    ) -> tuple[str, ...]:
        """Add a node whose outputs have names of their own ("" for one that nobody wants)."""
        node = helper.make_node(
            operator, inputs, outputs, name, doc or None, domain, **attributes
        )
        self.nodes.append(node)
        return tuple(outputs)

    def result(self, source: str, name: str) -> str:
        """Call a value `name`, as an output of the graph that people read."""
        for node in self.nodes:
            for place, output in enumerate(node.output):
                if output == source:
                    node.output[place] = name
            for place, value in enumerate(node.input):
                if value == source:
                    node.input[place] = name
        return name

    def proto(
        self, inputs: Sequence[ValueInfoProto], outputs: Sequence[ValueInfoProto], doc: str = ""
    ) -> onnx.GraphProto:
        """Close the graph, for a model or as the body of a Loop."""
        return helper.make_graph(self.nodes, self.name, inputs, outputs, self.weights, doc)


def value(
    name: str,
    dtype: str,
    shape: Sequence[int | str],
    doc: str = "",
    denotation: str = "",
    axes: Sequence[str] = (),
) -> ValueInfoProto:
    """Declare a tensor. denotation, axes: ONNX's words for the meaning ("IMAGE", ...)."""
    info = helper.make_tensor_value_info(
        name, ELEMENT[dtype], shape, doc, list(axes) if axes else None
    )
    if denotation:
        info.type.denotation = denotation
    return info


def save(
    path: Path, graph: onnx.GraphProto, description: str, metadata: Mapping[str, object]
) -> None:
    """Write the model, after ONNX's checker has found nothing wrong with it.

    metadata: texts stay texts, everything else is written as JSON.
    """
    domains = {node.domain for node in graph.node}
    opsets = [helper.make_opsetid("", OPSET)]
    if "ai.onnx.ml" in domains:
        opsets.append(helper.make_opsetid("ai.onnx.ml", 3))
    model = helper.make_model(
        graph,
        opset_imports=opsets,
        ir_version=IR_VERSION,
        producer_name="Inspector sample_models",
        producer_version="1",
        model_version=1,
        domain="inspector.samples",
        doc_string=description,
    )
    finish(path, model, description, metadata)


def finish(
    path: Path, model: onnx.ModelProto, description: str, metadata: Mapping[str, object]
) -> None:
    """Put the metadata into a model that is otherwise complete, check it and write it."""
    texts = {"author": "Inspector", "license": "Apache-2.0", "description": description}
    for key, content in metadata.items():
        is_text = isinstance(content, str)
        texts[key] = content if is_text else json.dumps(content, ensure_ascii=False)
    helper.set_model_props(model, texts)
    onnx.checker.check_model(model, full_check=True)
    path.write_bytes(model.SerializeToString(deterministic=True))
