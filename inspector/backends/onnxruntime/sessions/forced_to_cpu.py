"""Layers that a measurement keeps on the CPU, whatever its devices could take.

The runtime assigns a node by a part of its name ("session.name_based_layer_assignment") or by a
remark in the model ("layer_ann", with "session.layer_assignment_settings"):
https://github.com/microsoft/onnxruntime, docs/annotated_partitioning. The first needs no other
model than the user's, but names that are parts of no other ones.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path

from msgspec import Struct
from onnx import GraphProto, ModelProto, NodeProto

from inspector.backends.onnxruntime.graphs import layer_names
from inspector.errors import BadInput
from inspector.formats import opening
from inspector.model.model import Layer
from inspector.report.run_spec import RunSpec
from inspector.units import clip, plural
from inspector.wording.values import Sentence

_BY_NAME = "session.name_based_layer_assignment"
_BY_REMARK = "session.layer_assignment_settings"
_KEY = "layer_ann"
_REMARK = "forced to the CPU"
_APART = frozenset(",;*")  # what parts names, or stands for several
_PART = set("(),;=\n\r")  # what parts names in the runtime's setting
REMARKED: Mapping[str, str] = {_BY_REMARK: f"cpu(={_REMARK})"}


class ForcedLayers(Struct, frozen=True, eq=False):
    """The layers forced to the CPU, by index, and how the runtime is configured for it.

    body: the model with remarks, to be loaded instead of its file; None where `config` names
    the layers.
    """

    layers: tuple[int, ...]
    config: Mapping[str, str]
    body: bytes | None


def forced_layers(model: Path, requested: Sequence[str]) -> ForcedLayers:
    """Find layers of a model's file. Raises BadInput: no such layer; UnreadableFile."""
    state = model.stat()
    return _forced_layers(model, tuple(requested), state.st_size, state.st_mtime_ns)


def indices(layers: Sequence[Layer], requested: Iterable[str]) -> tuple[int, ...]:
    """Find layers by name, by a pattern of names ("/head/*"), or by index.

    Raises BadInput: there is none.
    """
    chosen: set[int] = set()
    for text in requested:
        matching = {layer.index for layer in layers if layer.label == text}
        if not matching and "*" in text:
            matching = {layer.index for layer in layers if fnmatchcase(layer.label, text)}
        if not matching and text.isdecimal() and int(text) < len(layers):
            matching = {int(text)}
        if not matching:
            near = get_close_matches(text, [layer.label for layer in layers], n=1)
            hint = f"Did you mean '{clip(near[0], 80)}'?" if near else ""
            why = Sentence("the model has no layer '{clip}'", clip(text, 80))
            raise BadInput("Could not force a layer to run on the CPU", why, hint, "load")
        chosen |= matching
    return tuple(sorted(chosen))


def layer_pattern(layers: Sequence[Layer], index: int) -> str:
    """Return what to call a layer in `RunSpec.on_cpu`: its name, or its index where that says
    more."""
    name = layers[index].label
    alone = sum(layer.label == name for layer in layers) == 1
    plain = name == name.strip() and not _APART & set(name)
    return name if alone and plain else str(index)


def annotated(model: ModelProto, layers: Iterable[int]) -> ModelProto:
    """Copy a model with a remark at some layers; sessions of it need `REMARKED`."""
    chosen = set(layers)
    copy = ModelProto()
    copy.CopyFrom(model)
    for index, node in enumerate(_nodes(copy.graph)):
        others = [pair for pair in node.metadata_props if pair.key != _KEY]
        if len(others) < len(node.metadata_props):
            pairs = [(pair.key, pair.value) for pair in others]
            del node.metadata_props[:]
            for key, value in pairs:
                node.metadata_props.add(key=key, value=value)
        if index in chosen:
            node.metadata_props.add(key=_KEY, value=_REMARK)
    return copy


def annotated_body(body: bytes, layers: Iterable[int]) -> bytes:
    """Return the bytes of a model with the same remark at some layers."""
    return bytes(annotated(ModelProto.FromString(body), layers).SerializeToString())


def notes(model: Path, spec: RunSpec) -> tuple[str, ...]:
    """Return how a program keeps these layers there, too."""
    if not spec.on_cpu:
        return ()
    forced = forced_layers(model, spec.on_cpu)
    text = f"{plural(len(forced.layers), 'layer')} forced to the CPU by this configuration; "
    if forced.body is None:
        return (
            f"{text}your program can do the same with the session config entry "
            f"{_config_text(forced.config)}.",
        )
    return (
        f"{text}their names are not unique, so Inspector added metadata ('{_KEY}') to each "
        f"of them and used the session config entry {_config_text(forced.config)}; load time "
        "and memory include this.",
    )


@lru_cache(maxsize=4)
def _forced_layers(
    model: Path, requested: tuple[str, ...], size_bytes: int, changed_ns: int
) -> ForcedLayers:
    layers = opening.open_model(model).layers
    chosen = indices(layers, requested)
    names = [layers[index].name for index in chosen]
    if _tell_apart(names, layers, set(chosen)):
        return ForcedLayers(chosen, {_BY_NAME: f"cpu({','.join(dict.fromkeys(names))})"}, None)
    body = annotated(opening.skeleton(model), chosen).SerializeToString()
    return ForcedLayers(chosen, REMARKED, body)


def _tell_apart(names: Sequence[str], layers: Sequence[Layer], chosen: set[int]) -> bool:
    """Return whether names are unambiguous and valid in the runtime's setting."""
    usable = all(name and name == name.strip() and not _PART & set(name) for name in names)
    others = [layer.name for layer in layers if layer.index not in chosen]
    return usable and not any(name in other for name in set(names) for other in others)


def _nodes(graph: GraphProto) -> Iterator[NodeProto]:
    """Yield all nodes in the order of `Model.layers`."""
    for node in graph.node:
        yield node
        for _, body in layer_names.bodies(node):
            yield from _nodes(body)


def _config_text(config: Mapping[str, str]) -> str:
    return clip("; ".join(f"{key}={value}" for key, value in config.items()), 200)
