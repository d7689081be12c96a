"""Tensors that a model carries: what they are and where their values lie."""

from typing import Any

from inspector.formats.onnx.external_data import ExternalFiles, place
from inspector.formats.onnx.lazy_scan import FIELD_NAMES, RAW, STRING, LazyScan, Payload
from inspector.formats.onnx.types import LONGEST, element, metadata, text
from inspector.model.model import Place, WeightInfo, packed_bytes, product

_EXTERNAL = 1
_PLACING = {"location", "offset", "length"}
Entries = tuple[tuple[str, str], ...]


class Tensors:
    """Describes the tensors of one skimmed model."""

    def __init__(self, skim: LazyScan, near: ExternalFiles) -> None:
        self._mark, self._payloads, self._near = skim.mark, skim.payloads, near

    def weight(
        self, tensor: Any, origin: str = "initializer", layer: int | None = None, name: str = ""
    ) -> WeightInfo:
        """Describe an onnx.TensorProto of the skimmed model."""
        dtype, shape = element(tensor.data_type), tuple(tensor.dims[:])
        external_entries = metadata(tensor.external_data) if tensor.external_data else ()
        where, size, problem = self._where(tensor, dtype, shape, external_entries)
        return WeightInfo(
            name or text(tensor.name),
            dtype,
            shape,
            size,
            where,
            origin,
            layer,
            problem,
            doc=text(tensor.doc_string)[:LONGEST],
            metadata=metadata(tensor.metadata_props) if tensor.metadata_props else (),
            also=self._also(tensor, name, external_entries),
        )

    def sparse(
        self, tensor: Any, origin: str, layer: int | None = None, name: str = ""
    ) -> WeightInfo:
        """Describe an onnx.SparseTensorProto: its shape is the dense one, the bytes are all."""
        values = self.weight(tensor.values, origin, layer, name)
        indices = self.weight(tensor.indices, origin, layer)
        has_sizes = values.size_bytes is not None and indices.size_bytes is not None
        return WeightInfo(
            values.name,
            values.dtype,
            tuple(tensor.dims),
            (values.size_bytes or 0) + (indices.size_bytes or 0) if has_sizes else None,
            values.place,
            origin,
            layer,
            values.problem or indices.problem,
            values.elements,
            values.doc,
            values.metadata,
            (*values.also, *_of_indices(indices)),
        )

    def _payloads_of(self, external_entries: Entries) -> tuple[Payload, ...]:
        """Return where the fields of a tensor's values lie in the file, in its order.

        A tensor that the file writes in several parts has those of the last part.
        """
        for key, value in reversed(external_entries):
            if key == self._mark:
                return self._payloads[int(value)]
        return ()

    def _also(self, tensor: Any, called: str, external_entries: Entries) -> Entries:
        """What is told of a tensor and used by nobody: a part of a larger one, a checksum."""
        extra_entries = []
        if called and tensor.name and text(tensor.name) != called:
            extra_entries.append(("own name", text(tensor.name)))
        if tensor.HasField("segment"):
            extra_entries.append(("segment", f"{tensor.segment.begin} to {tensor.segment.end}"))
        extra_entries += [
            e for e in external_entries if e[0] != self._mark and e[0] not in _PLACING
        ]
        return tuple(extra_entries)

    def _where(
        self, tensor: Any, dtype: str, shape: tuple[int, ...], external_entries: Entries
    ) -> tuple[Place | None, int | None, str]:
        elements = product(shape)
        if elements is None:
            if min(shape) < 0:
                return None, None, "its shape has a negative length"
            return None, None, "its shape has more elements than any file could hold"
        expected = packed_bytes(dtype, elements)
        if tensor.data_location == _EXTERNAL:
            where, problem = place(dict(external_entries), expected, self._near)
            return (
                where,
                where.length if where else expected,
                problem or _misfit(where, expected),
            )
        payloads = self._payloads_of(external_entries)
        if not payloads:
            size = _inline_bytes(tensor)
            return None, size, "it has no values" if elements and not size else ""
        if len(payloads) > 1:
            size = sum(payload.length for payload in payloads)
            names = " and ".join(FIELD_NAMES[payload.field] for payload in payloads)
            return None, size, f"it has values in {names}, and only one of them can count"
        payload = payloads[0]
        where = Place(
            "", payload.offset, payload.length, FIELD_NAMES[payload.field], payload.records
        )
        if payload.field == STRING and payload.records != elements:
            problem = f"it has {payload.records:,} values, its shape takes {elements:,}"
            return where, payload.length, problem
        return where, payload.length, _misfit(where, expected)


def _of_indices(indices: WeightInfo) -> tuple[tuple[str, str], ...]:
    """What the file says of the indices of a sparse tensor."""
    described_indices = (("indices", indices.name), ("description of the indices", indices.doc))
    shape = "×".join(map(str, indices.shape))
    return (
        *(
            (name, words)
            for name, words in (*described_indices, ("shape of the indices", shape))
            if words
        ),
        *((f"{name} of the indices", words) for name, words in indices.metadata),
        *((f"{name} of the indices", words) for name, words in indices.also),
    )


def _misfit(where: Place | None, expected: int | None) -> str:
    if where is None or where.field != FIELD_NAMES[RAW] or expected in (None, where.length):
        return ""
    return f"it has {where.length:,} B of values, its shape takes {expected:,} B"


def _inline_bytes(tensor: Any) -> int:
    """Bytes of the values of a tensor too small for the walk to have marked it."""
    if tensor.HasField("raw_data"):
        return len(tensor.raw_data)
    fields = (tensor.float_data, tensor.int32_data, tensor.int64_data, tensor.double_data)
    widths = (4, 4, 8, 8)
    numbers = sum(len(field) * width for field, width in zip(fields, widths, strict=True))
    return numbers + 8 * len(tensor.uint64_data) + sum(map(len, tensor.string_data))
