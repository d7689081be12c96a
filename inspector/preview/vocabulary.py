"""The keys of a map that a model knows, as far as its file shows them."""

from inspector.model import Model, TensorInfo

_TELLING = ("string_vocabulary", "int64_vocabulary")
_MORE = ", … ("


def known_keys(model: Model, info: TensorInfo) -> tuple[str, ...]:
    """The first keys that a DictVectorizer of the input knows; empty where nothing tells.

    An attribute's text has its first items, parted by commas: a key with a comma in it comes
    apart, which costs nothing but that row.
    """
    for layer in model.layers:
        if info.name in layer.inputs and layer.operator == "DictVectorizer":
            for attribute in layer.attributes:
                if attribute.name in _TELLING:
                    told = attribute.text.partition(_MORE)[0]
                    return tuple(dict.fromkeys(filter(None, told.split(", "))))
    return ()
