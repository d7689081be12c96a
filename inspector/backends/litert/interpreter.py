"""A model in LiteRT's interpreter: shapes, predictions, values of tensors, partitions."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from time import perf_counter_ns
from typing import Any

import numpy as np
from ai_edge_litert.interpreter import Interpreter, OpResolverType
from msgspec import Struct
from numpy.typing import NDArray

from inspector.backends import signature, type_names
from inspector.backends.array_files import Feed
from inspector.backends.base import QUANTIZED_AXIS_HINT, Described, Outputs
from inspector.backends.call_times import CallTimes
from inspector.backends.litert.layer_times import Partition
from inspector.errors import BadInput, EngineFailed
from inspector.formats import opening
from inspector.formats.tflite.reader import value_names
from inspector.model.axes import known_length
from inspector.model.model import Model, TensorInfo
from inspector.model.tensors.prediction import OutputValue
from inspector.report.run_spec import RunSpec
from inspector.units import clip

REFUSALS: tuple[type[Exception], ...] = (RuntimeError, ValueError, MemoryError)
_LONGEST = 300  # characters of a message of the runtime
DELEGATE = "DELEGATE"
# Messages that come once for each tensor -> why, and what to do.
_KNOWN = (
    (
        r"quantized_dimension must be in range \[0, (?P<axes>\d+)\)\. Was (?P<axis>\d+)",
        "a tensor is quantized along axis {axis}, but has only {axes}",
        QUANTIZED_AXIS_HINT,
    ),
)
_CUSTOM_HINT = "LiteRT needs the library or the delegate that provides this operator."


def failure(
    error: Exception, what: str, phase: str, model: Model | None = None
) -> EngineFailed:
    """Return the error for what LiteRT refused, with the operators that it does not have."""
    text = " ".join(str(error).split())
    # LiteRT puts one sentence after another without a space.
    text = re.sub(r"(?<=\w)\.?(?=(?:Node number|Tensor) \d)", ". ", text)
    custom = () if model is None else _unresolved(model, text)
    if custom:
        named = ", ".join(clip(name, 60) for name in custom[:4])
        return EngineFailed(what, f"LiteRT has no custom operator {named}", _CUSTOM_HINT, phase)
    for pattern, template, hint in _KNOWN:
        match = re.search(pattern, text)
        if match:
            return EngineFailed(what, template.format(**match.groupdict()), hint, phase)
    why = clip(text or type(error).__name__, _LONGEST)
    return EngineFailed(what, f"LiteRT reports: {why}", "", phase)


def _unresolved(model: Model, text: str) -> tuple[str, ...]:
    if "unresolved custom op" not in text.lower():
        return ()
    names = (layer.operator for layer in model.layers if layer.domain == "custom")
    return tuple(dict.fromkeys(name for name in names if name in text)) or (
        text.rpartition(":")[2].strip(),
    )


class Structure(Struct, frozen=True):
    """A model as Inspector reads it. names: of the main graph's values, by their numbers."""

    model: Model
    names: tuple[str, ...]


def structure(path: Path) -> Structure:
    """Read the structure of a model. Raises UnreadableFile."""
    return Structure(opening.open_model(path), value_names(path))


class OpenedInterpreter:
    """A model in an interpreter.

    known: its structure, where it was read before. all_values: keep the values of all tensors.
    """

    devices = ("cpu",)

    def __init__(
        self,
        path: Path,
        spec: RunSpec,
        known: Structure | None = None,
        all_values: bool = False,
    ) -> None:
        known = known or structure(path)
        self.model, self.names, self.path = known.model, known.names, path
        what = f"Could not load {clip(path.name)}"
        resolver = (
            OpResolverType.AUTO
            if spec.xnnpack and not all_values
            else OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES
        )
        began = perf_counter_ns()
        try:
            self.interpreter = Interpreter(
                model_path=str(path),
                num_threads=spec.threads or None,
                experimental_op_resolver_type=resolver,
                experimental_preserve_all_tensors=all_values,
            )
            self._inputs = self.interpreter.get_input_details()
            self._outputs = self.interpreter.get_output_details()
            lengths = {each.name: each.size for each in spec.dimensions}
            shapes = {}
            for info in self.model.inputs:
                axes = [
                    axis
                    if isinstance(axis, int)
                    else known_length(axis or f"{info.name}[{place}]", lengths)
                    for place, axis in enumerate(info.shape or ())
                ]
                if None in (info.shape or ()) and None not in axes:
                    shapes[info.name] = tuple(length for length in axes if length is not None)
            self._resize(shapes)
        except REFUSALS as error:
            raise failure(error, what, "load", self.model) from error
        self.load_ns = perf_counter_ns() - began
        self.calls = CallTimes(self.load_ns)

    @property
    def inputs(self) -> tuple[TensorInfo, ...]:
        """Return the inputs that need a value."""
        return self.model.inputs

    @property
    def outputs(self) -> tuple[TensorInfo, ...]:
        """Return the outputs in the order of their values."""
        return self.model.outputs

    @property
    def notes(self) -> tuple[str, ...]:
        """Return nothing: opening has no remarks."""
        return ()

    def check_inputs(self, feeds: Mapping[str, Described], spec: RunSpec) -> None:
        """Check types and shapes of feeds before they are read. Raises BadInput."""
        signature.check_feeds(self.model.inputs, feeds, (), spec.cast)

    def predict(self, feeds: Mapping[str, Feed], spec: RunSpec, warm: bool) -> Outputs:
        """Predict once; `warm`: time a few more calls. Raises BadInput, EngineFailed."""
        try:
            self.set_inputs(feeds, spec)
            began = perf_counter_ns()
            self.interpreter.invoke()
            spent_ns = perf_counter_ns() - began
            values = tuple(map(self._value, self.outputs, self._outputs))
            if not warm:
                return Outputs(values, spent_ns)
            shapes = tuple((name, np.shape(array)) for name, array in feeds.items())
            self.calls.add(spent_ns, shapes)
            self.calls.go_on(self.interpreter.invoke, shapes, REFUSALS)
        except REFUSALS as error:
            raise failure(error, f"Could not run {self.path.name}", "prediction") from error
        calls = self.calls
        return Outputs(values, spent_ns, calls.first_ns, calls.warm_ns, calls.load_ns)

    def repeated(
        self, feeds: Mapping[str, Feed], spec: RunSpec
    ) -> Callable[[Mapping[str, Feed]], Outputs]:
        """Return what predicts once with other values of the same inputs.

        Types and shapes of `feeds` are checked here; those of later values are LiteRT's to
        check. Raises as `predict`.
        """
        what = f"Could not run {self.path.name}"
        try:
            self.set_inputs(feeds, spec)
        except REFUSALS as error:
            raise failure(error, what, "prediction") from error
        details = dict(zip((info.name for info in self.inputs), self._inputs, strict=True))
        latest: dict[str, Feed] = dict(feeds)

        def once(values: Mapping[str, Feed]) -> Outputs:
            try:
                for name, value in values.items():
                    if value is not latest[name]:
                        latest[name] = value
                        detail = details[name]
                        given = np.asarray(value).astype(detail["dtype"], copy=False)
                        self.interpreter.set_tensor(detail["index"], given)
                began = perf_counter_ns()
                self.interpreter.invoke()
                spent_ns = perf_counter_ns() - began
                return Outputs(tuple(map(self._value, self.outputs, self._outputs)), spent_ns)
            except REFUSALS as error:
                raise failure(error, what, "prediction") from error

        return once

    def set_inputs(self, feeds: Mapping[str, Feed], spec: RunSpec) -> None:
        """Give all inputs their values, and free axes their lengths. Raises BadInput."""
        signature.check_feeds(self.model.inputs, _described(feeds), (), spec.cast)
        arrays = {info.name: np.asarray(feeds[info.name]) for info in self.inputs}
        self._resize({name: array.shape for name, array in arrays.items()})
        for info, detail in zip(self.inputs, self._inputs, strict=True):
            array = arrays[info.name].astype(detail["dtype"], copy=False)
            self.interpreter.set_tensor(detail["index"], array)

    def shapes(self) -> tuple[TensorInfo, ...]:
        """Return all values with the shapes that the runtime gave them."""
        found = {each["index"]: each for each in self.interpreter.get_tensor_details()}
        known = {value.name: value for value in (*self.model.values, *self.model.inputs)}
        values = []
        for number, name in enumerate(self.names):
            value, detail = known.get(name), found.get(number)
            if value is None or detail is None:
                continue
            shape = tuple(int(length) for length in detail["shape"])
            unknown = value.shape is None and not shape  # before a run, as a scalar
            values.append(TensorInfo(name, value.kind, value.dtype, None if unknown else shape))
        return tuple(values)

    def value(self, number: int) -> NDArray[np.generic]:
        """Return the value of a tensor by its number. Raises ValueError: it has none."""
        array: NDArray[np.generic] = self.interpreter.get_tensor(number)
        return array

    def partitions(self) -> tuple[Partition, ...]:
        """Return the parts that delegates run, in the order of the runtime's nodes."""
        nodes = self.interpreter._get_ops_details()
        layers = [node for node in nodes if node["op_name"] != DELEGATE]
        made_by = {int(t): node for node in layers for t in node["outputs"]}
        parts = []
        for node in nodes:
            if node["op_name"] != DELEGATE:
                continue
            inputs = frozenset(int(t) for t in node["inputs"])
            outputs = frozenset(int(t) for t in node["outputs"])
            members: set[int] = set()
            left = list(outputs)
            while left:
                tensor = left.pop()
                maker = made_by.get(tensor)
                if maker is None or tensor in inputs or maker["index"] in members:
                    continue
                members.add(maker["index"])
                left += [int(t) for t in maker["inputs"] if t >= 0]
            parts.append(Partition(node["index"], tuple(sorted(members)), inputs, outputs))
        return tuple(parts)

    def _resize(self, shapes: Mapping[str, tuple[int, ...]]) -> None:
        """Give free axes their lengths and allocate, where anything changed."""
        changed = not self._allocated
        for info, detail in zip(self.inputs, self._inputs, strict=True):
            wanted = shapes.get(info.name)
            present = tuple(int(length) for length in detail["shape"])
            if wanted is not None and wanted != present:
                self.interpreter.resize_tensor_input(detail["index"], list(wanted))
                detail["shape"] = np.array(wanted, np.int32)
                changed = True
        if changed:
            self.interpreter.allocate_tensors()
            self._allocated = True

    _allocated = False

    def _value(self, info: TensorInfo, detail: Mapping[str, Any]) -> OutputValue:
        array = self.interpreter.get_tensor(detail["index"])
        return OutputValue(info.name, info.kind, info.dtype, type_names.widened(array))


def _described(feeds: Mapping[str, Feed]) -> dict[str, Any]:
    """Return arrays with the model's names of their types, as `check_feeds` compares them."""
    for name, feed in feeds.items():
        if isinstance(feed, tuple):
            what = f"Input '{clip(name, 80)}' does not match"
            raise BadInput(what, "LiteRT accepts one tensor, not a sequence", "", "prediction")
    return {name: _Shaped(feed) for name, feed in feeds.items() if not isinstance(feed, tuple)}


class _Shaped:
    """Type and shape of an array."""

    def __init__(self, array: NDArray[np.generic]) -> None:
        self.dtype, self.shape = type_names.type_name(array), array.shape
