"""A model that OpenVINO compiled: inputs, outputs and predictions."""

import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import perf_counter_ns
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inspector.backends import signature, type_names
from inspector.backends.array_files import Feed
from inspector.backends.base import Described, Outputs
from inspector.backends.call_times import CallTimes
from inspector.backends.openvino import runtime
from inspector.backends.openvino.runtime import REFUSALS, openvino
from inspector.errors import BadInput, EngineFailed
from inspector.formats import opening
from inspector.formats.openvino.reader import element
from inspector.model.axes import known_length
from inspector.model.model import Model, TensorInfo
from inspector.model.tensors.prediction import OutputValue
from inspector.report.run_spec import RunSpec
from inspector.units import clip

_TYPES = {  # element types that have no counterpart in numpy
    "bfloat16": openvino.Type.bf16,
    "int4": openvino.Type.i4,
    "uint4": openvino.Type.u4,
    "float8e4m3fn": openvino.Type.f8e4m3,
    "float8e5m2": openvino.Type.f8e5m2,
}


class OpenedModel:
    """A compiled model with one request.

    known: its structure, where it was read before. properties: besides those of the spec.
    prepared: changes the model before it is compiled. blob: a file with what `export` wrote,
    which is loaded instead of compiling the model. Its `phases` are those of loading, in ns.
    """

    def __init__(
        self,
        path: Path,
        spec: RunSpec,
        known: Model | None = None,
        properties: Mapping[str, Any] | None = None,
        prepared: Callable[[Any], object] = lambda model: None,
        blob: Path | None = None,
    ) -> None:
        self.model, self.path, self.spec = known or opening.open_model(path), path, spec
        self.devices = spec.devices
        what = f"Could not load {clip(path.name)}"
        target = runtime.target(spec)
        options = runtime.configuration(spec, **(properties or {}))
        began = perf_counter_ns()
        try:
            if blob is not None:
                body = blob.read_bytes()
                read_ns = perf_counter_ns()
                self.compiled = runtime.core().import_model(body, target, options)
            else:
                read = runtime.read_model(str(path), fixed_shapes(self.model, spec))
                prepared(read)
                read_ns = perf_counter_ns()
                self.compiled = runtime.core().compile_model(read, target, options)
            compiled_ns = perf_counter_ns()
            self.request = self.compiled.create_infer_request()
        except REFUSALS as error:
            raise runtime.failure(error, what, "load") from error
        ended_ns = perf_counter_ns()
        self.load_ns = ended_ns - began
        self.from_cache = blob is None and runtime.from_cache(self.compiled)
        self.phases = (
            ("read the model", read_ns - began),
            ("compile" if blob is None else "import", compiled_ns - read_ns),
            ("prepare a request", ended_ns - compiled_ns),
        )
        self.calls = CallTimes(self.load_ns)
        note = runtime.precision_note(self.compiled, spec)
        self.notes: tuple[str, ...] = (note,) if note else ()

    def export(self, file: Path) -> None:
        """Write the compiled model. Raises EngineFailed: the device cannot."""
        try:
            body = io.BytesIO()
            self.compiled.export_model(body)
            file.write_bytes(body.getbuffer())
        except REFUSALS as error:
            what = f"Could not save the compiled form of {clip(self.path.name)}"
            raise runtime.failure(error, what, "load") from error

    @property
    def inputs(self) -> tuple[TensorInfo, ...]:
        """Return the inputs that need a value."""
        return self.model.inputs

    @property
    def outputs(self) -> tuple[TensorInfo, ...]:
        """Return the outputs in the order of their values."""
        return self.model.outputs

    def check_inputs(self, feeds: Mapping[str, Described], spec: RunSpec) -> None:
        """Check types and shapes of feeds before they are read. Raises BadInput."""
        signature.check_feeds(self.model.inputs, feeds, (), spec.cast)

    def predict(self, feeds: Mapping[str, Feed], spec: RunSpec, warm: bool) -> Outputs:
        """Predict once; `warm`: time a few more calls. Raises BadInput, EngineFailed."""
        run = self.prepare(feeds)
        try:
            began = perf_counter_ns()
            run()
            spent_ns = perf_counter_ns() - began
            values = self.values()
            if not warm:
                return Outputs(values, spent_ns)
            shapes = tuple((name, np.shape(array)) for name, array in feeds.items())
            self.calls.add(spent_ns, shapes)
            self.calls.go_on(run, shapes, REFUSALS)
        except REFUSALS as error:
            what = f"Could not run {clip(self.path.name)}"
            raise runtime.failure(error, what, "prediction") from error
        calls = self.calls
        return Outputs(values, spent_ns, calls.first_ns, calls.warm_ns, calls.load_ns)

    def repeated(
        self, feeds: Mapping[str, Feed], spec: RunSpec
    ) -> Callable[[Mapping[str, Feed]], Outputs]:
        """Return what predicts once with other values of the same inputs.

        Types and shapes of `feeds` are checked here; those of later values are OpenVINO's to
        check. Raises as `predict`.
        """
        run = self.prepare(feeds)
        inputs = enumerate(self.compiled.inputs)
        ports = {self._info(place, port).name: port for place, port in inputs}
        outputs = self._output_ports()
        latest: dict[str, Feed] = dict(feeds)
        kept = {}
        what = f"Could not run {clip(self.path.name)}"

        def once(values: Mapping[str, Feed]) -> Outputs:
            try:
                for name, value in values.items():
                    if value is not latest[name]:
                        latest[name] = value
                        port = ports[name]
                        kept[name] = tensor(np.asarray(value), port.element_type)
                        self.request.set_tensor(port, kept[name])
                began = perf_counter_ns()
                run()
                spent_ns = perf_counter_ns() - began
                return Outputs(self._values(outputs), spent_ns)
            except REFUSALS as error:
                raise runtime.failure(error, what, "prediction") from error

        return once

    def prepare(self, feeds: Mapping[str, Feed], request: Any = None) -> Callable[[], object]:
        """Give a request the values of all inputs, and return what runs it. Raises BadInput.

        The request reads the arrays in place and keeps its outputs in memory of its own.
        """
        request = request or self.request
        for name, feed in feeds.items():
            if isinstance(feed, tuple):
                what = f"Input '{clip(name, 80)}' does not match"
                raise BadInput(
                    what, "OpenVINO accepts one tensor, not a sequence", "", "prediction"
                )
        arrays = {name: np.asarray(feed) for name, feed in feeds.items()}
        described = {name: _Described(array) for name, array in arrays.items()}
        signature.check_feeds(self.model.inputs, described, (), self.spec.cast)
        what = f"Could not run {clip(self.path.name)}"
        kept = []
        try:
            for place, port in enumerate(self.compiled.inputs):
                info = self._info(place, port)
                if info.name not in arrays:
                    why = f"OpenVINO needs a value for the input '{clip(info.name, 80)}'"
                    raise BadInput(what, why, "Set it to zeros or to a file.", "prediction")
                kept.append(tensor(arrays[info.name], port.element_type))
                request.set_tensor(port, kept[-1])
        except REFUSALS as error:
            raise runtime.failure(error, what, "prediction") from error

        def run() -> object:
            assert kept is not None  # the request itself does not keep their memory
            return request.infer(share_outputs=True)  # else each run ends with a copy of them

        return run

    def values(self) -> tuple[OutputValue, ...]:
        """Return the outputs of the last run."""
        return self._values(self._output_ports())

    def _values(self, ports: Sequence[Any]) -> tuple[OutputValue, ...]:
        return tuple(
            OutputValue(info.name, info.kind, info.dtype, array(self.request.get_tensor(port)))
            for info, port in zip(self.outputs, ports, strict=True)
        )

    def _output_ports(self) -> list[Any]:
        """Return OpenVINO's outputs in the order of the model's. Raises EngineFailed: one is
        missing.
        """
        ports = list(self.compiled.outputs)
        by_name = {name: port for port in ports for name in port.get_names()}
        found = [by_name.get(info.name) for info in self.outputs]
        if None in found and len(ports) >= len(found):
            return ports[: len(found)]  # its own models call values by the names of layers
        if None in found:
            missing = clip(self.outputs[found.index(None)].name, 80)
            why = f"OpenVINO removed the output '{missing}', which depends on no input"
            raise EngineFailed(f"Could not run {clip(self.path.name)}", why, "", "prediction")
        return found

    def _info(self, place: int, port: Any) -> TensorInfo:
        """Return the model's input behind one of OpenVINO's, which may have another order."""
        names = {*port.get_names(), port.get_node().get_friendly_name()}
        for info in self.inputs:
            if info.name in names:
                return info
        return self.inputs[place]


def fixed_shapes(model: Model, spec: RunSpec) -> dict[str, Any]:
    """Return the shapes of inputs with free axes, where the settings give all their lengths."""
    lengths = {each.name: each.size for each in spec.dimensions}
    shapes = {}
    for info in model.inputs:
        axes = [
            axis
            if isinstance(axis, int)
            else known_length(axis or f"{info.name}[{place}]", lengths)
            for place, axis in enumerate(info.shape or ())
        ]
        free = any(not isinstance(axis, int) for axis in info.shape or ())
        if free and None not in axes:
            shapes[info.name] = axes
    return shapes


def tensor(values: NDArray[np.generic], kind: Any) -> Any:
    """Return an array as a tensor that shares its memory."""
    name = type_names.type_name(values)
    if name in _TYPES:
        packed = type_names.packed(values)
        return openvino.Tensor(packed, list(values.shape), _TYPES[name])
    if name == type_names.TEXT:
        return openvino.Tensor(values.astype(np.str_))
    wanted = type_names.numpy_type(element(kind.get_type_name()))
    cast = values if wanted is None else values.astype(wanted, copy=False)
    plain = np.ascontiguousarray(cast).reshape(cast.shape)  # it gives a scalar an axis
    return openvino.Tensor(plain if plain.flags.writeable else plain.copy(), shared_memory=True)


def array(value: Any) -> NDArray[np.generic]:
    """Return a copy of a tensor as an array, rare types as wider ones."""
    dtype = element(value.element_type.get_type_name())
    shape = tuple(int(length) for length in value.shape)
    if dtype == type_names.TEXT:
        return np.array(value.str_data, object)
    if dtype in type_names.RARE:
        body = bytes(value.data.tobytes())
        return type_names.widened(type_names.unpacked(body, dtype, shape))
    copied: NDArray[np.generic] = np.array(value.data)
    return copied


class _Described:
    """Type and shape of an array."""

    def __init__(self, values: NDArray[np.generic]) -> None:
        self.dtype, self.shape = type_names.type_name(values), values.shape
