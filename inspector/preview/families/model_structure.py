"""The facts of a model that its family is recognized by: names, shapes, types, operators."""

import re
from functools import cached_property

from inspector.model import operator_names
from inspector.model.model import Axis, Model, TensorInfo
from inspector.model.tensors.element_types import is_float
from inspector.platform.data_struct import DataStruct
from inspector.preview.inputs import default_values
from inspector.preview.inputs.tokens import takes_tokens
from inspector.preview.preprocessing.guess import guess

# A model may have a million layers; those that name a family stand near the beginning.
MOST_LAYERS = 5_000
ML_DOMAIN = "ai.onnx.ml"
_TOKEN_NAMES = re.compile(r"input|x|text|phonemes?|phoneme_ids|character_ids|decoder_input_ids")
_LOGITS = re.compile(r"logits|log_?probs|scores|probabilit|prediction|output", re.I)


class Structure(DataStruct, frozen=True, dict=True, weakref=True):
    """A model as recognizers look at it; names are lower case."""

    model: Model

    @cached_property
    def inputs(self) -> dict[str, TensorInfo]:
        """Tensor inputs by name."""
        return {i.name.lower(): i for i in self.model.inputs if i.kind == "tensor"}

    @cached_property
    def outputs(self) -> dict[str, TensorInfo]:
        """Return outputs by name."""
        return {o.name.lower(): o for o in self.model.outputs}

    @cached_property
    def first(self) -> TensorInfo | None:
        """Return the first output."""
        return self.model.outputs[0] if self.model.outputs else None

    @cached_property
    def tokens(self) -> TensorInfo | None:
        """Return the input that takes numbers of tokens."""
        named = next((i for i in self.inputs.values() if takes_tokens(i)), None)
        rows = (
            i
            for name, i in self.inputs.items()
            if i.dtype in ("int32", "int64") and rank(i) == 2 and _TOKEN_NAMES.fullmatch(name)
        )
        return named or next(rows, None)

    @cached_property
    def takes_picture(self) -> bool:
        """Return whether an input takes a picture."""
        return any(guess(info) is not None for info in self.inputs.values())

    @cached_property
    def floats(self) -> tuple[TensorInfo, ...]:
        """Return the inputs of real numbers that are no memory of the model."""
        return tuple(
            i
            for i in self.inputs.values()
            if is_float(i.dtype) and not default_values.is_state(i)
        )

    @cached_property
    def memory(self) -> tuple[TensorInfo, ...]:
        """Return the inputs that are a memory of the model by their names."""
        return tuple(i for i in self.inputs.values() if default_values.is_state(i))

    @cached_property
    def logits(self) -> TensorInfo | None:
        """Return the output that holds scores, by its name, or the first one."""
        named = self.outputs.get("logits")
        return named or next((o for n, o in self.outputs.items() if _LOGITS.search(n)), None)

    @cached_property
    def classes(self) -> Axis:
        """Return the last axis of the scores."""
        shape = self.logits.shape if self.logits is not None else None
        return shape[-1] if shape else None

    @cached_property
    def operators(self) -> frozenset[tuple[str, str]]:
        """Domain and name of each operator of the first layers, by ONNX's names."""
        return frozenset(
            (layer.domain, operator_names.in_onnx(layer.operator, layer.domain))
            for layer in self.model.layers[:MOST_LAYERS]
        )

    @cached_property
    def layer_names(self) -> str:
        """Return the names of the first layers, each on a line."""
        return "\n".join(layer.name for layer in self.model.layers[:MOST_LAYERS])

    def has(self, *operators: str) -> bool:
        """Return whether the graph has one of these operators, in any domain."""
        return any(name in operators for _, name in self.operators)


def rank(info: TensorInfo | None) -> int | None:
    """Return the number of axes of a value; None where it is not known."""
    return None if info is None or info.shape is None else len(info.shape)


def axis(info: TensorInfo, place: int) -> Axis:
    """Length of an axis; None where there is no such axis or nothing tells its length."""
    shape = info.shape or ()
    return shape[place] if -len(shape) <= place < len(shape) else None
