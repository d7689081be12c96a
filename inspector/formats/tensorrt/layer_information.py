"""Layer information of a TensorRT engine: the JSON of `trtexec --exportLayerInfo`.

With `--profilingVerbosity=detailed` each layer is an object, otherwise only a name.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from inspector.formats.budget import MALFORMED, Parts, json_value, whole_number
from inspector.formats.source import Source
from inspector.model.model import Attribute, Axis, FormatDetails, Layer, Model, TensorInfo

DOMAIN = "tensorrt"
_LARGEST = 256 << 20
_LONGEST = 400
_MOST_ITEMS = 16
_HIDDEN = {"Name", "LayerType", "Inputs", "Outputs", "Metadata"}
_TYPES = (
    ("FP32", "float32"), ("FP16", "float16"), ("BF16", "bfloat16"), ("Int8", "int8"),
    ("INT8", "int8"), ("Int32", "int32"), ("INT32", "int32"), ("INT64", "int64"),
    ("Int64", "int64"), ("FP8", "float8e4m3fn"), ("FP4", "float4e2m1"), ("Bool", "bool"),
)  # fmt: skip


def read(source: Source, path: Path | None = None) -> Model:
    """Read the layers of an engine. Raises UnreadableFile: damaged, or too large.

    path: unused, since there are no weights beside it.
    """
    if source.size > _LARGEST:
        raise source.failure(f"it is larger than {_LARGEST >> 20} MiB of JSON")
    try:
        plain = json_value(source, source.read(0, source.size))
        layers: list[Layer] = []
        values: dict[str, TensorInfo] = {}
        tactics, parts = 0, Parts(source)
        for entry in plain["Layers"]:
            index = len(layers)
            parts.add()
            if isinstance(entry, str):
                layers.append(Layer(index, entry[:_LONGEST], "layer", DOMAIN, (), ()))
                continue
            parts.add(sum(map(_length, entry.values())))
            inputs = [_tensor(each) for each in entry.get("Inputs") or ()]
            outputs = [_tensor(each) for each in entry.get("Outputs") or ()]
            values.update((value.name, value) for value in (*inputs, *outputs))
            tactics += "TacticName" in entry
            origin = str(entry.get("Metadata") or "")[:_LONGEST]
            name = str(entry["Name"])[:2000]
            operator = str(entry.get("LayerType", "layer"))[:_LONGEST]
            layers.append(
                Layer(
                    index, name, operator, DOMAIN, tuple(v.name for v in inputs),
                    tuple(v.name for v in outputs), tuple(_attributes(entry)),
                    metadata=(("made of", origin),) if origin else (),
                )
            )  # fmt: skip
        made = {name for layer in layers for name in layer.outputs}
        taken = {name for layer in layers for name in layer.inputs}
        bindings = [str(name) for name in plain.get("Bindings") or ()]
        unknown = [TensorInfo(name, "unknown", "unknown", None) for name in bindings]
        named = [values.get(info.name, info) for info in unknown]
        facts = (("Layers with a tactic", f"{tactics:,}" if tactics else ""),)
        return Model(
            name=source.name, format="tensorrt", size_bytes=source.size, ir_version=0,
            opsets=(), producer="TensorRT", producer_version="", domain="", version=0, doc="",
            graph_name="", metadata=(),
            inputs=tuple(v for v in named if v.name not in made),
            outputs=tuple(v for v in named if v.name in made and v.name not in taken),
            layers=tuple(layers), weights=(), values=tuple(values.values()),
            details=FormatDetails(
                title="TensorRT layer information",
                facts=tuple((name, value) for name, value in facts if value),
                weights_known=False,
            ),
        )  # fmt: skip
    except MALFORMED as error:
        why = "it is not the layer information of a TensorRT engine"
        raise source.failure(why, "It is damaged: export it again.") from error


def _length(value: Any) -> int:
    return len(value) if isinstance(value, list) else 1


def _tensor(entry: Any) -> TensorInfo:
    form = str(entry.get("Format/Datatype", ""))[:_LONGEST]
    dtype = next((name for mark, name in _TYPES if mark in form), "unknown")
    axes = entry.get("Dimensions")
    shape: tuple[Axis, ...] | None = None
    if isinstance(axes, list):
        shape = tuple(
            whole_number(axis) if isinstance(axis, int) and axis >= 0 else None for axis in axes
        )
    also = (("layout", form),) if form else ()
    return TensorInfo(str(entry["Name"])[:2000], "tensor", dtype, shape, metadata=also)


def _attributes(entry: Any) -> Iterator[Attribute]:
    for key, value in entry.items():
        if key in _HIDDEN or value in (None, "", []):
            continue
        if isinstance(value, list):
            more = ", …" if len(value) > _MOST_ITEMS else ""
            value = ", ".join(str(each)[:60] for each in value[:_MOST_ITEMS]) + more
        elif isinstance(value, dict):
            value = ", ".join(f"{k} {v}"[:60] for k, v in list(value.items())[:_MOST_ITEMS])
        yield Attribute(str(key)[:_LONGEST], "", str(value)[:_LONGEST])
