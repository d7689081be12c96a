"""Parts of ONNX models that an execution provider compiled: which one they are for."""

from collections.abc import Iterable

from inspector.model.model import Layer

COMPILED = "EPContext"  # the operator of a network that an execution provider compiled
_PROVIDER = "ExecutionProvider"  # ends the full names of execution providers


def compiled_for(layers: Iterable[Layer]) -> tuple[str, ...]:
    """Return the execution providers that compiled parts of a model, as far as it names
    them: ("QNN",)."""
    makers = (maker(layer) for layer in layers if layer.operator == COMPILED)
    return tuple(dict.fromkeys(filter(None, makers)))


def maker(layer: Layer) -> str:
    """Return the execution provider that an EPContext node names: its `source`, or the start
    of the name that the provider gave to the part or to the node; "" if it names none."""
    named = {attribute.name: attribute.text for attribute in layer.attributes}
    if source := named.get("source", "").strip():
        return source.removesuffix(_PROVIDER)
    for name in (named.get("partition_name", ""), layer.name):
        provider, suffix, _ = name.partition(_PROVIDER)
        if suffix and provider.isidentifier():
            return provider
    return named.get("partition_name", "")
