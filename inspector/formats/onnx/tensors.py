"""Tensors in an ONNX file: type, shape, place of the values, also in external data files.

Paths of external data come from the file, so they are checked before they are opened.
"""

import os
import re
import stat
from pathlib import Path
from typing import Any

from msgspec import Struct

from inspector.formats.coreml.package import model_file, package_of
from inspector.formats.onnx.lazy_scan import FIELD_NAMES, RAW, STRING, LazyScan, Payload
from inspector.formats.onnx.types import LONGEST, element, metadata, text
from inspector.model.model import (
    LinkedProblem,
    OutsideProblem,
    Place,
    WeightInfo,
    packed_bytes,
    product,
)

_MEMORY = "*/_ORT_MEM_ADDR_/*"
_NUMBER = re.compile(r"[0-9]{1,18}\Z")
_SHOWN = 120
_EXTERNAL = 1
_PLACING = {"location", "offset", "length"}


class SideFile(Struct, frozen=True):
    """A file next to a model: its size and real path, or why it must not be read."""

    size_bytes: int = 0
    problem: str = ""
    path: Path | None = None


class ExternalFiles:
    """The files next to a model, or next to the target of its link.

    The second is how download tools that store every file once lay out their links.
    Looks files up, reads none of them.
    """

    def __init__(self, model: Path | None) -> None:
        """Prepare the folder of `model`; None for a model that is no file."""
        if model is None:
            self._folders: tuple[Path, ...] = ()
            self._files: dict[str, SideFile] = {}
            return
        package = package_of(model)
        model = model_file(package) if package is not None else model
        folder_of_name = Path(os.path.realpath(model.parent))
        folder_of_target = Path(os.path.realpath(model)).parent
        self._folders = tuple(dict.fromkeys((folder_of_name, folder_of_target)))
        self._files = {}

    def look_up(self, location: str) -> SideFile:
        """Find the file that a tensor names; each name is looked up once."""
        if location not in self._files:
            self._files[location] = self._locate(location)
        return self._files[location]

    def _locate(self, location: str) -> SideFile:
        problem = forbidden(location)
        if problem:
            return SideFile(problem=OutsideProblem(problem))
        try:
            for folder in self._folders:
                if os.path.lexists(folder / location):
                    return self._checked(Path(os.path.realpath(folder / location)))
        except (OSError, ValueError) as error:
            return SideFile(problem=f"it cannot be accessed ({error})"[:_SHOWN])
        return SideFile(problem="it is not next to the model")

    def _checked(self, real: Path) -> SideFile:
        if not any(real.is_relative_to(folder) for folder in self._folders):
            return SideFile(
                problem=OutsideProblem("it is a link to a file outside the model's folder")
            )
        status = os.lstat(real)
        if not stat.S_ISREG(status.st_mode):
            return SideFile(problem="it is not a regular file")
        if status.st_nlink > 1:
            return SideFile(
                problem=LinkedProblem("it is a hard link to a file with another name")
            )
        return SideFile(status.st_size, path=real)


def forbidden(location: str) -> str:
    """Return why a name cannot be a file next to the model; empty if it can."""
    if not location:
        return "no file name is given"
    if location == _MEMORY:
        return "it refers to memory of a running program, not to a file"
    if "\0" in location:
        return "its name contains a NUL character"
    if "\\" in location:
        return "its name contains a backslash, which is not a path separator on every system"
    if location.startswith("/") or re.match(r"[A-Za-z]:", location):
        return "it has an absolute path"
    if ".." in location.split("/"):
        return "its path leads out of the model's folder"
    return ""


def place(
    entries: dict[str, str], expected: int | None, near: ExternalFiles
) -> tuple[Place | None, str]:
    """Return the place of a tensor's values by its `external_data`, or why it has none.

    expected: bytes by type and shape; used where the file gives no length, None if unknown.
    """
    location = entries.get("location", "")
    external_path = near.look_up(location)
    shown = f"'{location[:_SHOWN]}'"
    if external_path.problem:
        kind = type(external_path.problem)
        return None, kind(f"its values are in {shown}, but {external_path.problem}")
    for key in ("offset", "length"):
        if entries.get(key) and not _NUMBER.match(entries[key]):
            return None, f"its {key} in {shown} is not a number of bytes"
    offset = int(entries.get("offset") or 0)
    rest = external_path.size_bytes - offset
    length = int(entries["length"]) if entries.get("length") else min(rest, expected or rest)
    if offset < 0 or rest < 0 or length > rest:
        ends = offset + max(length, 0)
        return (
            None,
            f"it would end at byte {ends:,} of {shown}, which has only "
            f"{external_path.size_bytes:,}",
        )
    return Place(location, offset, length), ""


def entries(tensor: Any) -> dict[str, str]:
    """Return the `external_data` of an onnx.TensorProto; of a key given twice, the last."""
    return {text(entry.key): text(entry.value) for entry in tensor.external_data}


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
        extra_entries = []
        if name and tensor.name and text(tensor.name) != name:
            extra_entries.append(("own name", text(tensor.name)))
        if tensor.HasField("segment"):
            extra_entries.append(("segment", f"{tensor.segment.begin} to {tensor.segment.end}"))
        extra_entries += [
            e for e in external_entries if e[0] != self._mark and e[0] not in _PLACING
        ]
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
            also=tuple(extra_entries),
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
        """Return the positions of a tensor's value fields in the file, in order.

        A tensor that the file writes in several parts has those of the last part.
        """
        for key, value in reversed(external_entries):
            if key == self._mark:
                return self._payloads[int(value)]
        return ()

    def _where(
        self, tensor: Any, dtype: str, shape: tuple[int, ...], external_entries: Entries
    ) -> tuple[Place | None, int | None, str]:
        elements = product(shape)
        if elements is None:
            if min(shape) < 0:
                return None, None, "its shape has a negative axis size"
            return None, None, "its shape has too many elements for any file"
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
            return None, size, f"it has values in {names}, but only one of these is allowed"
        payload = payloads[0]
        where = Place(
            "", payload.offset, payload.length, FIELD_NAMES[payload.field], payload.records
        )
        if payload.field == STRING and payload.records != elements:
            problem = f"it has {payload.records:,} values, but its shape needs {elements:,}"
            return where, payload.length, problem
        return where, payload.length, _misfit(where, expected)


def _of_indices(indices: WeightInfo) -> tuple[tuple[str, str], ...]:
    """Return what the file says of the indices of a sparse tensor."""
    described_indices = (("indices", indices.name), ("description of the indices", indices.doc))
    shape = "×".join(map(str, indices.shape))
    return (
        *(
            (name, description)
            for name, description in (*described_indices, ("shape of the indices", shape))
            if description
        ),
        *((f"{name} of the indices", description) for name, description in indices.metadata),
        *((f"{name} of the indices", description) for name, description in indices.also),
    )


def _misfit(where: Place | None, expected: int | None) -> str:
    if where is None or where.field != FIELD_NAMES[RAW] or expected in (None, where.length):
        return ""
    return f"it has {where.length:,} B of values, but its shape needs {expected:,} B"


def _inline_bytes(tensor: Any) -> int:
    """Return the bytes of the values of a tensor too small for the walk to have marked it."""
    if tensor.HasField("raw_data"):
        return len(tensor.raw_data)
    fields = (tensor.float_data, tensor.int32_data, tensor.int64_data, tensor.double_data)
    widths = (4, 4, 8, 8)
    numbers = sum(len(field) * width for field, width in zip(fields, widths, strict=True))
    return numbers + 8 * len(tensor.uint64_data) + sum(map(len, tensor.string_data))
