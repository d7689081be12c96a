"""A model in memory that can be changed, with its large weights left in the file.

The memory that a change needs does not grow with the size of the model: weights are read one
at a time, changes of their values are noted and made while the result is written, piece by
piece.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, nullcontext
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, TensorProto, helper, numpy_helper

from inspector.errors import BadInput, UnreadableFile
from inspector.formats import opening
from inspector.formats.onnx.skeleton import tensors
from inspector.formats.onnx.tensors import ExternalFiles
from inspector.formats.protobuf_wire import LENGTH, encode_varint
from inspector.formats.source import Source, open_source
from inspector.model.model import ITEM_BITS
from inspector.units import clip

Values = NDArray[Any]
Arrays = Mapping[str, Values]  # contents of files, by their paths
Places = dict[bytes, tuple[str, int, int]]  # of weights, by what refers to them now
Convert = Callable[[Values], Values]

LONGEST_FILE = (1 << 31) - (1 << 20)  # protobuf reads no message of 2 GiB
_PIECE_ELEMENTS = 1 << 20
_PIECE_BYTES = 4 << 20
_ALIGNMENT = 4096  # of external data: whole pages can be mapped into memory
_PENDING = "inspector-pending"  # number of an entry of EditableModel._pending
_LONG_NAMES = {"float": "float32", "double": "float64"}  # of ONNX's types, as this program says
# Field numbers of onnx.proto.
_MODEL_GRAPH = 7
_GRAPH_INITIALIZER = 5
_TENSOR_RAW_DATA = 9


class _Change(NamedTuple):
    """A change of values; by_piece: each element depends on the same element only."""

    convert: Convert
    by_piece: bool


class _Pending(NamedTuple):
    """A change of the values of a weight while they are written.

    data_type: of the values in the file, as in TensorProto.
    """

    data_type: int
    changes: tuple[_Change, ...] = ()


class EditableModel:
    """An onnx.ModelProto whose large tensors are references into files, until it is written.

    proto: may be changed freely. A large tensor is external data: move it, but change its
    values with `set_values` or `convert_later` only. external: whether the weights will be
    written to a file beside the model; None where only their size decides. finish: makes
    another format of the file that was written, instead of it. arrays: contents of the files
    that steps name, by their paths. checked: whether types are inferred after each edit of
    layers, so that what cannot run is refused. restored: whether the file was in the ORT
    format before.
    """

    def __init__(self, path: Path, source: Path | None = None) -> None:
        """Read a model. source: the file in the ORT format that `path` was restored from.

        Raises UnreadableFile: damaged, or not an ONNX model.
        """
        if opening.is_ort(path):
            raise BadInput(
                f"Could not change {path.name}",
                "the model is in the ORT format, which cannot be edited",
                "Use the ONNX file that it was converted from.",
            )
        self.path, self.proto = source or path, opening.skeleton(path)
        self.restored = source is not None
        if self.restored and not self.proto.graph.name:  # without one, no checker accepts it
            self.proto.graph.name = self.path.stem or "graph"
        self._own, self._near, self._files = path, ExternalFiles(path), ExitStack()
        self._sources: dict[str, Source] = {}
        # A tensor refers to its entry by a number among its external data, which goes along
        # when a pass copies the tensor.
        self._pending: list[_Pending] = []
        self.external: bool | None = None
        self.finish: Callable[[Path], Path] | None = None
        self.arrays: Arrays = {}
        self._sized: tuple[bytes, int] | None = None  # a state, and its size
        self.checked = True

    def close(self) -> None:
        """Close the files of the model."""
        self._files.close()

    def __enter__(self) -> "EditableModel":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def opset(self) -> int:
        """Return the version of the default operator set; 0 if the model imports none."""
        versions = [o.version for o in self.proto.opset_import if o.domain in ("", "ai.onnx")]
        return max(versions, default=0)

    @property
    def has_side_files(self) -> bool:
        """Return whether weights are in files beside the model."""
        return any(
            entry.key == "location" and entry.value != self._own.name
            for tensor in self.tensors()
            for entry in tensor.external_data
        )

    def tensors(self) -> Iterator[TensorProto]:
        """Yield all tensors: initializers, constants and others, those of subgraphs too."""
        yield from tensors(self.proto)

    def size_bytes(self) -> int:
        """Return the expected size of the model with all its weights."""
        body = self.proto.SerializeToString()
        if self._sized is None or self._sized[0] != body:
            graph, growth = int(self.proto.graph.ByteSize()), 0
            for tensor in self.tensors():
                if tensor.data_location == TensorProto.EXTERNAL:
                    values = _framed(_TENSOR_RAW_DATA, stored_bytes(tensor))
                    written = _framed(_GRAPH_INITIALIZER, len(_head(tensor)) + values)
                    growth += written - _framed(_GRAPH_INITIALIZER, int(tensor.ByteSize()))
            before, after = (_framed(_MODEL_GRAPH, n) for n in (graph, graph + growth))
            self._sized = body, int(self.proto.ByteSize()) + after - before
        return self._sized[1]

    def values(self, tensor: TensorProto) -> Values:
        """Return the values of a tensor as they will be written. Raises UnreadableFile."""
        if tensor.data_location != TensorProto.EXTERNAL:
            return np.asarray(numpy_helper.to_array(tensor))
        pending = self._pending_of(tensor)
        whole = np.concatenate([*self._pieces(tensor, pending.data_type)])
        for change in pending.changes:
            whole = change.convert(whole)
        return whole.reshape(tuple(tensor.dims))

    def set_values(self, tensor: TensorProto, values: Values) -> None:
        """Give a tensor other values, of any type and shape; its name stays."""
        new = numpy_helper.from_array(np.ascontiguousarray(values).reshape(values.shape))
        new.name = tensor.name
        tensor.CopyFrom(new)

    def convert_later(
        self, tensor: TensorProto, data_type: int, convert: Convert, by_piece: bool = True
    ) -> None:
        """Change the values of a tensor, at once if it is small, else when it is written.

        data_type: of the result, as in TensorProto. convert: gets and returns flat values, the
        same number of them; by_piece: whether it may be called for parts.
        """
        if tensor.data_location != TensorProto.EXTERNAL:
            values = numpy_helper.to_array(tensor)
            self.set_values(tensor, convert(values.ravel()).reshape(values.shape))
            return
        pending = self._pending_of(tensor)
        changes = (*pending.changes, _Change(convert, by_piece))
        for index, entry in reversed([*enumerate(tensor.external_data)]):
            if entry.key == _PENDING:
                del tensor.external_data[index]
        tensor.external_data.add(key=_PENDING, value=str(len(self._pending)))
        self._pending.append(pending._replace(changes=changes))
        tensor.data_type = data_type

    def write(self, folder: Path, name: str, external: bool | None = None) -> tuple[str, ...]:
        """Write the model into a folder, with external data if it is too long for one file.

        external: instead of the model's own; True for external data in any case, False for one
        file. Returns the names of the files, the model's first. Raises BadInput: one file would
        be too long; OSError.
        """
        size = self.size_bytes()
        external = self.external if external is None else external
        if external is None:
            external = size > LONGEST_FILE
        if not external and size > LONGEST_FILE:
            why = f"it would be {size / (1 << 30):.1f} GiB, and protobuf reads at most 2 GiB"
            raise BadInput(f"Could not write {clip(name)} as a single file", why)
        if external:
            return self.write_beside(folder, name, f"{name}.data")
        with (folder / name).open("wb") as file:
            for piece in self._one_file():
                file.write(piece)
        if self.finish is not None:
            return (self.finish(folder / name).name,)
        return (name,)

    def reload(self, path: Path) -> None:
        """Take another file's model instead; the file must stay until this one is closed."""
        self.close()
        self._sources.clear()
        self._pending.clear()
        self.proto = opening.skeleton(path)
        self._own, self._near = path, ExternalFiles(path)

    def _one_file(self) -> Iterator[bytes | memoryview]:
        """Yield the bytes of the whole model: top-level weights stay in files until then."""
        graph = self.proto.graph
        outside = [t for t in graph.initializer if t.data_location == TensorProto.EXTERNAL]
        top = {id(tensor) for tensor in outside}
        for tensor in self.tensors():
            if tensor.data_location == TensorProto.EXTERNAL and id(tensor) not in top:
                self.set_values(tensor, self.values(tensor))
        rest = ModelProto()
        rest.CopyFrom(self.proto)
        inner = rest.graph
        inner.ClearField("initializer")
        inner.initializer.extend(
            t for t in graph.initializer if t.data_location != TensorProto.EXTERNAL
        )
        body = inner.SerializeToString()
        rest.ClearField("graph")
        yield rest.SerializeToString()
        heads = [_head(tensor) for tensor in outside]
        lengths = [stored_bytes(tensor) for tensor in outside]
        starts = [
            _length_prefix(
                _GRAPH_INITIALIZER,
                len(head) + len(_length_prefix(_TENSOR_RAW_DATA, length)) + length,
            )
            for head, length in zip(heads, lengths, strict=True)
        ]
        total = len(body) + sum(
            len(start) + len(head) + len(_length_prefix(_TENSOR_RAW_DATA, length)) + length
            for start, head, length in zip(starts, heads, lengths, strict=True)
        )
        yield _length_prefix(_MODEL_GRAPH, total)
        yield body
        for tensor, start, head, length in zip(outside, starts, heads, lengths, strict=True):
            yield start + head + _length_prefix(_TENSOR_RAW_DATA, length)
            yield from self._written(tensor)

    def write_beside(
        self, folder: Path, name: str, data_name: str, places: Places | None = None
    ) -> tuple[str, ...]:
        """Write the model, and its large weights into another file of the folder.

        places: of weights that an earlier file of the folder has, and receives those of this
        one; weights that are there are not written again. Returns the names of the files.
        """
        # Small tensors stay inside: a runtime reads shapes and axes while it loads the graph.
        large = [t for t in self.proto.graph.initializer if stored_bytes(t) >= _ALIGNMENT]
        inside = {id(tensor) for tensor in large}
        for tensor in self.tensors():
            if tensor.data_location == TensorProto.EXTERNAL and id(tensor) not in inside:
                self.set_values(tensor, self.values(tensor))
        offset, missing = 0, list[tuple[TensorProto, bytes]]()
        for tensor in large:
            key = tensor.SerializeToString() if places is not None else b""
            if places is not None and key in places:
                _refer(tensor, places[key])
            else:
                missing.append((tensor, key))
        with (folder / data_name).open("wb") if missing else nullcontext() as file:
            for tensor, key in missing:
                assert file is not None
                file.write(bytes(-offset % _ALIGNMENT))
                offset += -offset % _ALIGNMENT
                length = 0
                for piece in self._written(tensor):
                    file.write(piece)
                    length += len(piece)
                place = data_name, offset, length
                if places is not None:
                    places[key] = place
                _refer(tensor, place)
                offset += length
        (folder / name).write_bytes(self.proto.SerializeToString())
        return (name, data_name) if missing else (name,)

    def _written(self, tensor: TensorProto) -> Iterator[bytes]:
        """Yield the bytes of a tensor as raw_data, with its changes made."""
        if tensor.data_location != TensorProto.EXTERNAL:
            yield _raw_data(numpy_helper.to_array(tensor))
            return
        pending = self._pending_of(tensor)
        if not pending.changes:
            source, offset = self._place_of(tensor)
            left = stored_bytes(tensor)
            while left:
                count = min(left, _PIECE_BYTES)
                yield source.read(offset, count)
                offset += count
                left -= count
            return
        if not all(change.by_piece for change in pending.changes):
            yield _raw_data(self.values(tensor))
            return
        for piece in self._pieces(tensor, pending.data_type):
            for change in pending.changes:
                piece = change.convert(piece)
            yield _raw_data(piece)

    def _pending_of(self, tensor: TensorProto) -> _Pending:
        for entry in tensor.external_data:
            if entry.key == _PENDING:
                return self._pending[int(entry.value)]
        return _Pending(tensor.data_type)

    def _pieces(self, tensor: TensorProto, data_type: int) -> Iterator[Values]:
        """Yield the values of an external tensor as its file has them, flat, in pieces."""
        source, offset = self._place_of(tensor)
        item, left = _item_type(data_type), prod(tensor.dims)
        if _bits(data_type) < 8:  # packed: several values to a byte
            packed = TensorProto(data_type=data_type, dims=[left])
            packed.raw_data = source.read(offset, (left * _bits(data_type) + 7) // 8)
            yield numpy_helper.to_array(packed)
            return
        if not left:
            yield np.empty(0, item)
        while left:
            count = min(left, _PIECE_ELEMENTS)
            yield np.frombuffer(source.read(offset, count * item.itemsize), item)
            offset += count * item.itemsize
            left -= count

    def _place_of(self, tensor: TensorProto) -> tuple[Source, int]:
        """Return the file that has the values of an external tensor, and where they begin."""
        place = {entry.key: entry.value for entry in tensor.external_data}
        location = place.get("location", "")
        if location not in self._sources:
            own = location == self._own.name
            file = self._own if own else self._near.look_up(location).path
            if file is None:
                raise UnreadableFile(
                    f"Could not read the weights of {self.path.name}",
                    f"'{clip(location, 80)}' is not in the model's folder or cannot be read",
                    "Put this file in the model's folder, and check its permissions.",
                )
            self._sources[location] = self._files.enter_context(open_source(file))
        return self._sources[location], int(place.get("offset", 0))


def _refer(tensor: TensorProto, place: tuple[str, int, int]) -> None:
    """Let a tensor have its values in a file, at an offset and of a length."""
    head = TensorProto()
    head.ParseFromString(_head(tensor))
    head.data_location = TensorProto.EXTERNAL
    for key, value in zip(("location", "offset", "length"), place, strict=True):
        head.external_data.add(key=key, value=str(value))
    tensor.CopyFrom(head)


def stored_bytes(tensor: TensorProto) -> int:
    """Return the bytes of a tensor's values as raw_data; 0 for strings."""
    if tensor.data_type in (TensorProto.STRING, TensorProto.UNDEFINED):
        return 0
    return int(prod(tensor.dims) * _bits(tensor.data_type) + 7) // 8


def _bits(data_type: int) -> int:
    name = TensorProto.DataType.Name(data_type).lower()
    return ITEM_BITS[_LONG_NAMES.get(name, name)]


def _item_type(data_type: int) -> np.dtype[Any]:
    item: np.dtype[Any] = np.dtype(helper.tensor_dtype_to_np_dtype(data_type))
    return item.newbyteorder("<") if item.kind in "iufc" else item


def _raw_data(values: Values) -> bytes:
    """Return values as raw_data: little-endian, and types below 8 bits packed."""
    return bytes(numpy_helper.from_array(np.ascontiguousarray(values)).raw_data)


def _head(tensor: TensorProto) -> bytes:
    """Return a tensor without its values, as the start of a message."""
    head = TensorProto(name=tensor.name, data_type=tensor.data_type)
    head.doc_string = tensor.doc_string
    head.dims.extend(tensor.dims)
    head.metadata_props.extend(tensor.metadata_props)
    return bytes(head.SerializeToString())


def _length_prefix(field: int, length: int) -> bytes:
    """Return the tag and the length of a field whose bytes follow."""
    return encode_varint(field << 3 | LENGTH) + encode_varint(length)


def _framed(field: int, length: int) -> int:
    """Return the bytes of a field with those of its tag and length."""
    return len(_length_prefix(field, length)) + length
