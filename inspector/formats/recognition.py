"""What a file is, where its first bytes are not enough: fields of a message, names in a ZIP.

`model_formats.MODEL_FORMATS` names these functions; they import no reader.
"""

from functools import lru_cache

from inspector.errors import InspectorError
from inspector.formats.protobuf_wire import Malformed, Window, records
from inspector.formats.source import Source
from inspector.formats.zip_members import DAMAGE, open_zip

_CORE_ML_FIRST = 200  # number of the first field that holds a model, in Core ML's Model
# fields of an onnx.ModelProto that Core ML's Model lacks
_ONNX_GRAPH = 7
_ONNX_OPSET = 8
_MOST_FIELDS = 64  # looked at before the question is given up
_ZIP = b"PK\x03\x04"


def is_core_ml(source: Source) -> bool:
    """Return whether a file is Core ML's Model: what it holds is in a field from 200 on."""
    if source.head(1) != b"\x08":  # the version comes first, as in ONNX files
        return False
    try:
        for seen, record in enumerate(records(Window(source), 0, source.size)):
            if record[0] >= _CORE_ML_FIRST:
                return True
            if record[0] in (_ONNX_GRAPH, _ONNX_OPSET) or seen >= _MOST_FIELDS:
                return False
    except (Malformed, IndexError):
        return source.name.lower().endswith(".mlmodel")
    return source.name.lower().endswith(".mlmodel")


def is_exported_program(source: Source) -> bool:
    """Return whether a file is an archive that torch.export.save wrote."""
    names = zip_names(source)
    return any(
        name.endswith(("/models/model.json", "serialized_exported_program.json"))
        or ("/models/" in name and name.endswith(".json"))
        for name in names
    )


def is_torch_script(source: Source) -> bool:
    """Return whether a file is an archive that torch.jit.save wrote: with code beside data."""
    names = zip_names(source)
    return any("/code/" in name for name in names) and any(
        name.endswith("/data.pkl") for name in names
    )


def is_keras(source: Source) -> bool:
    """Return whether a file is an archive that Keras 3 wrote, or HDF5, as it wrote before."""
    if source.head(8) == b"\x89HDF\r\n\x1a\n":
        return True
    return {"config.json", "metadata.json"} <= set(zip_names(source))


def is_safetensors(source: Source) -> bool:
    """Return whether a file begins with the length of a JSON header, and the header."""
    head = source.head(10)
    length = int.from_bytes(head[:8], "little")
    fits = 2 <= length <= source.size - 8 or head[3:8] == bytes(5)  # the file may be cut off
    return fits and head[8:10] in (b'{"', b"{}", b"{ ", b"{\n")


def is_safetensors_index(source: Source) -> bool:
    """Return whether a file is the JSON that says in which files the tensors of a model are."""
    head = source.head(4096).lstrip(b" \t\r\n")
    named = source.name.lower().endswith(".safetensors.index.json")
    return head.startswith(b"{") and (named or b'"weight_map"' in head)


def is_openvino(source: Source) -> bool:
    """Return whether a file is the XML file of an OpenVINO model."""
    head = source.head(4096).lstrip(b"\xef\xbb\xbf \t\r\n")
    return head.startswith(b"<") and b"<net " in head and b"<!DOCTYPE" not in head


def is_tensorrt_layers(source: Source) -> bool:
    """Return whether a file is what `trtexec --exportLayerInfo` writes."""
    head = source.head(200).lstrip(b" \t\r\n")
    return head.startswith(b"{") and head[1:].lstrip(b" \t\r\n").startswith(b'"Layers"')


def zip_names(source: Source) -> tuple[str, ...]:
    """Return the names in a ZIP archive; empty for other and for damaged files."""
    if source.head(4) != _ZIP:
        return ()
    return _names(source)


@lru_cache(maxsize=4)  # several formats ask about one source
def _names(source: Source) -> tuple[str, ...]:
    try:
        with open_zip(source) as archive:
            return tuple(archive.namelist())
    except (*DAMAGE, InspectorError):
        return ()
