"""Models as plain values, for tests that need no file."""

from itertools import count

from inspector.model.model import Attribute, Layer, Model, Opset, Place, TensorInfo, WeightInfo

_OFFSETS = count(0, 1 << 30)  # far enough apart that no weight overlaps another


def value(name: str, dtype: str = "float32", shape: tuple[int, ...] = (4,)) -> TensorInfo:
    return TensorInfo(name, "tensor", dtype, shape)


def weight(
    name: str, dtype: str, elements: int, size: int | None, **more: object
) -> WeightInfo:
    place = None if size is None else Place("", next(_OFFSETS), size)
    return WeightInfo(name, dtype, (elements,), size, place, **more)


def layers(*rows: tuple[str, str, str], **attributes: str) -> tuple[Layer, ...]:
    """Make layers of (operator, inputs, outputs), names parted by spaces; '-' is no name."""
    kept = tuple(Attribute(name, "int", text) for name, text in attributes.items())
    return tuple(
        Layer(
            index=index,
            name="",
            operator=operator.rpartition(".")[2],
            domain=operator.rpartition(".")[0],
            inputs=tuple("" if name == "-" else name for name in inputs.split()),
            outputs=tuple(outputs.split()),
            attributes=kept,
        )
        for index, (operator, inputs, outputs) in enumerate(rows)
    )


def model(nodes: tuple[Layer, ...] = (), opset: int = 17, **more: object) -> Model:
    """Make a model with the input x and the output y."""
    settled: dict[str, object] = {
        "name": "m.onnx", "format": "onnx", "size_bytes": 100, "ir_version": 8,
        "opsets": (Opset("", opset),), "producer": "", "producer_version": "", "domain": "",
        "version": 0, "doc": "", "graph_name": "g", "metadata": (), "inputs": (value("x"),),
        "outputs": (value("y"),), "layers": nodes, "weights": (),
    }  # fmt: skip
    return Model(**settled | more)
