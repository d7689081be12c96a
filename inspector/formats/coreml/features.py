"""Inputs and outputs of Core ML models: images, arrays, dictionaries, states."""

from inspector.formats.coreml.messages import Message
from inspector.model.model import Axis, TensorInfo

ARRAYS = {"FLOAT32": "float32", "FLOAT16": "float16", "DOUBLE": "float64", "INT32": "int32",
          "INT8": "int8"}  # fmt: skip
COLORS = {"GRAYSCALE": "grayscale", "RGB": "RGB", "BGR": "BGR",
          "GRAYSCALE_FLOAT16": "grayscale float16"}  # fmt: skip
_SCALARS = {"int64Type": "int64", "doubleType": "float64", "stringType": "string"}
_MOST_SHAPES = 64  # listed of an input with enumerated shapes


def described(feature: Message) -> TensorInfo:
    """Describe a FeatureDescription."""
    name, doc = feature.text("name"), feature.text("shortDescription")
    kind = feature.child("type")
    if kind is None:
        return TensorInfo(name, "unknown", "unknown", None, doc=doc)
    optional = (("optional", "yes"),) if kind.number("isOptional") else ()
    shape: tuple[Axis, ...] | None = None
    full = ""
    for field, dtype in _SCALARS.items():
        if kind.has(field):
            return TensorInfo(name, "tensor", dtype, (), doc=doc, metadata=optional)
    if (array := kind.child("multiArrayType")) is not None:
        dtype, shape, full = _array(array)
        return TensorInfo(name, "tensor", dtype, shape, "", doc, optional, full)
    if (state := kind.child("stateType")) is not None:
        array = state.child("arrayType")
        dtype, shape, full = _array(array) if array is not None else ("unknown", None, "")
        optional = (*optional, ("state", "yes"))
        return TensorInfo(name, "tensor", dtype, shape, "", doc, optional, full)
    if (image := kind.child("imageType")) is not None:
        shape, full = _image(image)
        color = COLORS.get(image.choice("colorSpace"), "unknown color")
        return TensorInfo(name, "image", f"{color} image", shape, "IMAGE", doc, optional, full)
    if (dictionary := kind.child("dictionaryType")) is not None:
        key = "int64" if dictionary.has("int64KeyType") else "string"
        return TensorInfo(name, "map", f"map({key}, float64)", None, "", doc, optional)
    if (sequence := kind.child("sequenceType")) is not None:
        inner = "int64" if sequence.has("int64Type") else "string"
        sizes = sequence.child("sizeRange")
        full = f"sequence({inner})[{_range(sizes)}]" if sizes is not None else ""
        return TensorInfo(name, "sequence", f"sequence({inner})", None, "", doc, optional, full)
    return TensorInfo(name, "unknown", "unknown", None, doc=doc, metadata=optional)


def _array(array: Message) -> tuple[str, tuple[Axis, ...] | None, str]:
    """Return element type, shape, and the shapes that it may have instead."""
    dtype = ARRAYS.get(array.choice("dataType"), "unknown")
    default = array.lengths("shape")
    shape: tuple[Axis, ...] | None = tuple(max(0, axis) for axis in default)
    if (listed := array.child("enumeratedShapes")) is not None:
        shapes = [
            s.lengths("shape")
            for s, _ in zip(listed.children("shapes"), range(_MOST_SHAPES), strict=False)
        ]
        shapes = [each for each in shapes if each]
        if shapes:
            text = " or ".join("x".join(map(str, each)) for each in shapes)
            return dtype, _common(shapes), f"{dtype}[{text}]"
    if (ranges := array.child("shapeRange")) is not None:
        sizes = [_range(each) for each in ranges.children("sizeRanges")]
        if sizes:
            shape = tuple(int(size) if size.isdecimal() else size for size in sizes)
            return dtype, shape, f"{dtype}[{', '.join(sizes)}]"
    return dtype, shape if default else None, ""


def _common(shapes: list[tuple[int, ...]]) -> tuple[Axis, ...] | None:
    if len({len(shape) for shape in shapes}) > 1:
        return None
    axes = [sorted(set(lengths)) for lengths in zip(*shapes, strict=True)]
    return tuple(a[0] if len(a) == 1 else " or ".join(map(str, a[:_MOST_SHAPES])) for a in axes)


def _image(image: Message) -> tuple[tuple[Axis, ...], str]:
    """Return (height, width), and the sizes that it may have instead."""
    width, height = image.number("width"), image.number("height")
    shape: tuple[Axis, ...] = (height, width) if height > 0 and width > 0 else (None, None)
    if (listed := image.child("enumeratedSizes")) is not None:
        sizes: list[tuple[int, ...]] = [
            (each.number("height"), each.number("width"))
            for each, _ in zip(listed.children("sizes"), range(_MOST_SHAPES), strict=False)
        ]
        if sizes:
            shape = (
                _common([*sizes, (height, width)] if height > 0 and width > 0 else sizes)
                or shape
            )
            return shape, " or ".join("x".join(map(str, size)) for size in sizes)
    if (ranges := image.child("imageSizeRange")) is not None:
        axes = [ranges.child("heightRange"), ranges.child("widthRange")]
        sized = [_range(each) if each is not None else "any" for each in axes]
        return (sized[0], sized[1]), f"{sized[0]} x {sized[1]}"
    return shape, ""


def _range(sizes: Message) -> str:
    low, high = sizes.number("lowerBound"), sizes.number("upperBound", -1)
    if high < 0:
        return f"{low} or more"
    return str(low) if low == high else f"{low} to {high}"
