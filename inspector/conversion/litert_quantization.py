"""Changes to TensorFlow Lite models: quantization with ai-edge-quantizer, signatures, parts.

These models are flatbuffers, not ONNX: an action here makes the whole new file in one step.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from inspector import __version__, units
from inspector.conversion.action import LITERT_SIGNATURE, Converted, Effect, Step, option_values
from inspector.conversion.layer_names import no_layer
from inspector.conversion.registry import (
    LITERT_ACTIONS,
    LITERT_EXTRACT,
    LITERT_INT8,
    LITERT_INT8_WEIGHTS,
    LITERT_REPAIR,
    for_other_format,
)
from inspector.errors import BadInput, EngineFailed
from inspector.formats import opening
from inspector.formats.tflite.reader import with_valid_axes
from inspector.model.model import TFLITE, Layer, Model, WeightInfo
from inspector.platform.extras import install_hint
from inspector.platform.late_modules import LateModule

if TYPE_CHECKING:
    from ai_edge_litert.tools import flatbuffer_utils
else:
    # Installed with the extra litert.
    flatbuffer_utils = LateModule("ai_edge_litert.tools.flatbuffer_utils")

LIBRARY = "ai-edge-quantizer"
_STATIC = LITERT_INT8
_WEIGHTS = LITERT_INT8_WEIGHTS
_FLOAT16 = "litert-float16"
_CAUTION = "Outputs change: check them on typical inputs."
_FLOAT = "float32"
_MOST_COUNTED_BYTES = 64 << 20  # of weights of which those that become zero are counted
# These only move values or choose among them, so that they lose nothing of their own.
_MOVING = frozenset(
    ("RESHAPE", "TRANSPOSE", "SLICE", "STRIDED_SLICE", "SPLIT", "UNPACK", "GATHER", "GATHER_ND",
     "BROADCAST_TO", "SPACE_TO_DEPTH", "PAD", "MIRROR_PAD", "MAX_POOL_2D",
     "RESIZE_NEAREST_NEIGHBOR")
)  # fmt: skip
_ONE_STEP = "a recipe for TensorFlow Lite models has one step"
_LEAST_ELEMENTS = 2  # of a weight; single numbers stay
_LEAST_RANK = 2  # of a weight that takes fewer bits; biases stay large
_INT4 = 17  # in the list of the format's types; two values a byte
_NUMPY_TYPES = {0: np.float32, 1: np.float16, 9: np.int8}  # by place in that list
_OTHER_NAMES = {"TRANSPOSE_CONV": "CONV_2D_TRANSPOSE"}  # operator -> what the library calls it
Ranges = Mapping[str, tuple[float, float]]


def convert(
    path: Path,
    steps: Sequence[Step],
    folder: Path,
    ranges: Ranges | None,
    share: Callable[[float], None],
    name: str,
    arrays: Mapping[str, object] | None = None,
) -> Converted:
    """Quantize a model and write the result into a folder under a name.

    arrays: contents of files that steps name; no action here names any.

    Without `ranges`, an action that calibrates only returns the tensors whose ranges it needs.
    Raises InspectorError.
    """
    what = f"Could not convert {units.clip(path.name)}"
    if len(steps) != 1:
        raise BadInput(what, _ONE_STEP, "Specify one action.")
    step, model = steps[0], opening.open_model(path)
    effect = _planned(model, step)
    if effect.refused:
        raise BadInput(what, effect.refused, effect.hint)
    if effect.needs:
        raise BadInput(what, f"the action needs {effect.needs}")
    if effect.nothing:
        (folder / name).write_bytes(path.read_bytes())
        return Converted((name,), (effect,))
    options = option_values(step, LITERT_ACTIONS[step.action])
    if step.action == LITERT_REPAIR:
        (folder / name).write_bytes(with_valid_axes(path))
        return Converted((name,), (effect,), made_by=(f"Inspector {__version__}",))
    if step.action in (LITERT_SIGNATURE, LITERT_EXTRACT):
        change = _with_main if step.action == LITERT_SIGNATURE else _extracted
        (folder / name).write_bytes(change(path, model, options))
        return Converted((name,), (effect,), made_by=_made_by(step))
    weights = _float_weights(model)
    given = {info.name for info in model.inputs}  # which a layer that reads them quantizes
    layers = tuple(
        layer
        for layer in _quantized_by(model, _manager(model, step.action, options))
        if layer.name
        and not set(layer.name) & set("+,")
        and (step.action == _STATIC or not weights.keys().isdisjoint(layer.inputs))
        and (layer.operator not in _MOVING or not given.isdisjoint(layer.inputs))
    )
    shown = tuple((layer.name, layer.operator) for layer in layers)
    results = tuple(layer.outputs[0] for layer in layers)
    if step.action == _STATIC and ranges is None:
        observe = _float_values(model)
        return Converted((), (effect,), observe=observe, layers=shown, results=results)
    share(0.1)
    body = _with_ends_of(model, _quantized(path, model, step, ranges or {}, what))
    target = folder / name
    target.write_bytes(body)
    share(1.0)
    made = opening.open_model(target)
    done = _done(model, made, effect, len(body))
    return Converted(
        (name,), (done,), made_by=_made_by(step), layers=shown,
        results=results, lost=_lost(path, model, layers, body) if ranges is None else (),
    )  # fmt: skip


def _made_by(step: Step) -> tuple[str, ...]:
    library = LITERT_ACTIONS[step.action].library
    return (f"Inspector {__version__}", f"{library} {version(library)}")


def effects_of(
    path: Path, steps: Sequence[Step], others: Sequence[Step], folder: Path
) -> tuple[Effect, ...]:
    """Return what each of other steps would do to a model; it takes one step in all."""
    if steps:
        return tuple(Effect(refused=_ONE_STEP) for _ in others)
    model = opening.open_model(path)
    return tuple(_planned(model, step) for step in others)


def _planned(model: Model, step: Step) -> Effect:
    action = LITERT_ACTIONS.get(step.action)
    if action is None:
        why, hint = for_other_format(units.clip(step.action, 40), TFLITE)
        return Effect(refused=why, hint=hint)
    options = option_values(step, action)
    if step.action == LITERT_SIGNATURE:
        return _planned_signature(model, options["name"])
    if step.action == LITERT_EXTRACT:
        return _planned_extract(model, options["outputs"])
    if step.action == LITERT_REPAIR:
        ranks = {weight.name: len(weight.shape) for weight in model.weights}
        ranks |= {value.name: len(value.shape or ()) for value in model.values}
        axes = [(each.axis, ranks.get(each.value)) for each in model.quantized]
        wrong = sum(axis not in (None, 0) and rank == 1 for axis, rank in axes)
        if not wrong:
            return Effect(nothing="its tensors are quantized along axes that they have")
        touches = units.plural(wrong, "tensor")
        return Effect(touches, len(model.layers), model.size_bytes, model.size_bytes)
    try:
        version(LIBRARY)
    except PackageNotFoundError:
        return Effect(refused=f"{LIBRARY} is not installed", hint=install_hint("quantizer"))
    if any(layer.domain == "custom" for layer in model.layers) and step.action == _STATIC:
        return Effect(refused="it has custom operators, which are not quantized")
    weights = _float_weights(model)
    if not weights and step.action != _STATIC:
        return Effect(nothing="no weights are float32")
    if not weights and not _float_values(model):
        return Effect(nothing="the model already computes with integers")
    count = units.plural(len(weights), "float32 weight") if weights else "values of layers"
    caution = "" if step.action in (_WEIGHTS, _FLOAT16) else _CAUTION
    bits = 16 if step.action == _FLOAT16 else int(options.get("bits", 8))
    saved = sum(
        weight.elements * (32 - bits) // 8
        for weight in weights.values()
        if len(weight.shape) >= _LEAST_RANK
    )
    before = model.size_bytes
    return Effect(count, len(model.layers), before, before - saved, caution=caution)


def _planned_signature(model: Model, name: str) -> Effect:
    names = [each.name for each in model.signatures]
    others = [each.name for each in model.signatures if each.function]
    if not others:
        return Effect(nothing="it has no signature besides that of its main graph")
    if not name:
        return Effect(needs=f"a name: {', '.join(others)}")
    if name not in names:
        why = f"it has no signature '{units.clip(name, 40)}'"
        return Effect(refused=why, hint=f"Its signatures are {', '.join(names)}.")
    if name not in others:
        return Effect(nothing=f"'{units.clip(name, 40)}' runs the main graph already")
    function = next(each.function for each in model.signatures if each.name == name)
    layers = next((len(f.layers) for f in model.functions if f.name == function), 0)
    touches = f"'{units.clip(name, 40)}' becomes the main graph"
    return Effect(touches, layers, model.size_bytes, model.size_bytes)


def _planned_extract(model: Model, ends: Sequence[str]) -> Effect:
    if not ends:
        return Effect(needs="a tensor or layer where the part ends")
    makers = {name: layer for layer in model.layers for name in layer.outputs}
    for name in ends:
        if name not in makers or makers[name].parent is not None:
            error = _no_layer(name, model)
            return Effect(refused=error.why, hint=error.hint)
    needed, open_names = set[int](), [*ends]
    while open_names:
        layer = makers.get(open_names.pop())
        if layer is not None and layer.index not in needed:
            needed.add(layer.index)
            open_names += layer.inputs
    own = [layer for layer in model.layers if layer.parent is None]
    removed = len(own) - len(needed)
    if not removed and {*ends} == {info.name for info in model.outputs}:
        return Effect(nothing="these are already the model's outputs")
    shown = f"outputs become {', '.join(units.clip(name, 40) for name in dict.fromkeys(ends))}"
    touches = f"{units.plural(removed, 'layer')} removed" if removed else shown
    return Effect(touches, removed, model.size_bytes)


def _extracted(path: Path, model: Model, options: Mapping[str, Any]) -> bytes:
    """Return a model that ends at other tensors of its main graph, and computes only these."""
    made = flatbuffer_utils.read_model_from_bytearray(path.read_bytes())
    graph = made.subgraphs[0]
    numbers: dict[str, int] = {}
    for number, tensor in enumerate(graph.tensors):
        numbers.setdefault(tensor.name.decode(errors="replace"), number)
    graph.outputs = [numbers[name] for name in dict.fromkeys(options["outputs"])]
    needed, kept = {*graph.outputs}, []
    for operator in reversed(graph.operators):
        if needed.intersection(operator.outputs) or operator.outputs is None:
            kept.append(operator)
            needed.update(operator.inputs if operator.inputs is not None else ())
    graph.operators = kept[::-1]
    # Others would name outputs that the graph no longer has.
    made.signatureDefs = [each for each in made.signatureDefs or () if each.subgraphIndex]
    return bytes(flatbuffer_utils.convert_object_to_bytearray(made))


def _no_layer(name: str, model: Model) -> BadInput:
    return no_layer(name, [layer.name for layer in model.layers])


def _with_main(path: Path, model: Model, options: Mapping[str, Any]) -> bytes:
    """Return a model with two subgraphs exchanged, so that a signature's is the first."""
    body, name = path.read_bytes(), options["name"]
    made = flatbuffer_utils.read_model_from_bytearray(body)
    index = next(
        each.subgraphIndex
        for each in made.signatureDefs
        if each.signatureKey in (name, name.encode())
    )
    graphs, moved = made.subgraphs, {0: index, index: 0}
    graphs[0], graphs[index] = graphs[index], graphs[0]
    for each in made.signatureDefs:
        each.subgraphIndex = moved.get(each.subgraphIndex, each.subgraphIndex)
    for graph in graphs:
        for operator in graph.operators or ():
            for options in (operator.builtinOptions, operator.builtinOptions2):
                for field, value in vars(options).items() if options is not None else ():
                    if field.lower().endswith("subgraphindex"):
                        setattr(options, field, moved.get(value, value))
    return bytes(flatbuffer_utils.convert_object_to_bytearray(made))


def _with_ends_of(model: Model, body: bytes) -> bytes:
    """Return a quantized model with the names of inputs and outputs that the original has.

    The library gives another name to a value that it converts at an end, and the old one to
    the integers inside.
    """
    made = flatbuffer_utils.read_model_from_bytearray(body)
    graph, changed = made.subgraphs[0], False
    for places, infos in ((graph.inputs, model.inputs), (graph.outputs, model.outputs)):
        for place, info in zip(places, infos, strict=False):
            tensor, name = graph.tensors[place], info.name.encode()
            if tensor.name == name:
                continue
            for inside in graph.tensors:
                if inside.name == name:
                    inside.name = name + b"_quantized"
            tensor.name, changed = name, True
    return bytes(flatbuffer_utils.convert_object_to_bytearray(made)) if changed else body


def _float_values(model: Model) -> tuple[str, ...]:
    values = (*model.values, *model.inputs)
    return tuple(dict.fromkeys(value.name for value in values if value.dtype == _FLOAT))


def _float_weights(model: Model) -> dict[str, WeightInfo]:
    return {
        weight.name: weight
        for weight in model.weights
        if weight.dtype == _FLOAT and weight.elements >= _LEAST_ELEMENTS
    }


def _done(before: Model, after: Model, planned: Effect, size_bytes: int) -> Effect:
    """Return what was done, counted in the new model."""
    first, changed = _float_weights(before), dict[str, int]()
    for weight in after.weights:
        if weight.name in first and weight.dtype != _FLOAT:
            changed[weight.dtype] = changed.get(weight.dtype, 0) + 1
    touches = ", ".join(f"{units.plural(n, 'weight')} in {t}" for t, n in changed.items())
    values = len(after.quantized) - len(before.quantized) - sum(changed.values())
    if not changed and values > 0:
        touches = units.plural(values, "value")
    if not touches:
        why = "no layer has weights that the quantizer supports"
        return Effect(nothing=why, bytes_before=before.size_bytes)
    return Effect(
        touches, planned.layers, before.size_bytes, size_bytes, caution=planned.caution
    )


def _quantized_by(model: Model, manager: Any) -> list[Layer]:
    """Return the layers that a recipe quantizes."""
    qtyping = _library("qtyping")
    none, found = _library("algorithm_manager").AlgorithmName.NO_QUANTIZE, list[Layer]()
    for layer in model.layers:
        try:
            operator = qtyping.TFLOperationName(
                _OTHER_NAMES.get(layer.operator, layer.operator)
            )
        except ValueError:
            continue  # the library leaves it in float
        algorithm, _ = manager.get_quantization_configs(operator, f"{';'.join(layer.outputs)};")
        if algorithm != none:
            found.append(layer)
    return found


def _lost(
    path: Path, model: Model, layers: Iterable[Layer], body: bytes
) -> tuple[tuple[int, int], ...]:
    """Return for each layer how many of its weights become zero, of those that are not.

    Nothing for large models, of which both files would be read into lists a second time.
    """
    if sum(weight.size_bytes or 0 for weight in model.weights) > _MOST_COUNTED_BYTES:
        return ()
    zeros: dict[str, tuple[int, int]] = {}
    first = flatbuffer_utils.read_model_from_bytearray(path.read_bytes())
    second = flatbuffer_utils.read_model_from_bytearray(body)
    stored = {tensor.name: values for tensor, values in _constants(second)}
    for tensor, values in _constants(first):
        after = stored.get(tensor.name)
        if values.dtype == np.float32 and after is not None and after.size >= values.size:
            alive = values != 0
            gone = alive & (after[: values.size] == 0)
            name = tensor.name.decode(errors="replace")
            zeros[name] = int(gone.sum()), int(alive.sum())
    found = ([zeros[name] for name in layer.inputs if name in zeros] for layer in layers)
    return tuple((sum(n for n, _ in each), sum(every for _, every in each)) for each in found)


def _constants(model: Any) -> Iterator[tuple[Any, Any]]:
    """Yield constant tensors with their values, in order; without those of unusual types."""
    for graph in model.subgraphs:
        for tensor in graph.tensors:
            data = model.buffers[tensor.buffer].data
            if data is None or not len(data):
                continue
            values = np.frombuffer(bytes(data), np.uint8)
            dtype = _NUMPY_TYPES.get(tensor.type)
            if dtype is not None and not values.size % np.dtype(dtype).itemsize:
                yield tensor, values.view(dtype)
            elif tensor.type == _INT4:
                yield tensor, np.stack((values & 15, values >> 4), -1).reshape(-1)


def _quantized(path: Path, model: Model, step: Step, ranges: Ranges, what: str) -> bytes:
    """Return the new file. Raises EngineFailed with what the library says."""
    options = option_values(step, LITERT_ACTIONS[step.action])
    printed = StringIO()
    try:
        with redirect_stdout(printed), redirect_stderr(printed):
            made = _library("quantizer").Quantizer(_as_expected(path.read_bytes()))
            manager = _manager(model, step.action, options)
            made.load_quantization_recipe(manager.get_quantization_recipe())
            result = made.quantize(_statistics(model, ranges) if ranges else None)
            body = bytes(result.quantized_model)
    except MemoryError:
        raise
    except Exception as error:
        # The library raises errors of many kinds for a model that it cannot quantize.
        text = " ".join(str(error).split()) or type(error).__name__
        why = f"{LIBRARY} {version(LIBRARY)} failed: {units.clip(text, 300)}"
        hint = "Try another action, or keep the layer in float with keep=NAME."
        raise EngineFailed(what, why, hint, "convert") from error
    return body


def _as_expected(body: bytes) -> bytes:
    """Return a model with what the quantizer expects of files of these years.

    Files from before 2020 have only the deprecated field for an operator, and the quantizer
    would take all their layers for additions. Old files have no list of signatures either.
    """
    model = flatbuffer_utils.read_model_from_bytearray(body)
    codes = model.operatorCodes or ()
    old = any(code.builtinCode < code.deprecatedBuiltinCode for code in codes)
    if not old and model.signatureDefs is not None:
        return body
    for code in codes:
        code.builtinCode = max(code.builtinCode, code.deprecatedBuiltinCode)
    model.signatureDefs = model.signatureDefs or []
    return bytes(flatbuffer_utils.convert_object_to_bytearray(model))


def _manager(model: Model, action: str, options: Mapping[str, Any]) -> Any:
    """Return what holds the library's recipe. Raises BadInput: there is no such layer."""
    known = {layer.name for layer in model.layers}
    for name in (*options["keep"], *options["only"]):
        if name not in known:
            raise _no_layer(name, model)
    operators = _library("qtyping").TFLOperationName
    algorithms = _library("algorithm_manager").AlgorithmName
    manager = _library("recipe_manager").RecipeManager()
    everything: dict[str, Any] = {
        "regex": _scopes(options["only"], model) if options["only"] else ".*",
        "operation_name": operators.ALL_SUPPORTED,
    }
    if action == _STATIC:
        bits = 16 if options["activations"] == "int16" else 8
        manager.add_static_config(**everything, activation_num_bits=bits, weight_num_bits=8)
        for end in (operators.INPUT, operators.OUTPUT):
            manager.add_quantization_config(".*", end, algorithm_key=algorithms.NO_QUANTIZE)
    elif action == _FLOAT16:
        manager.add_weight_only_config(
            **everything, num_bits=16, algorithm_key=algorithms.FLOAT_CASTING
        )
    else:
        bits = int(options["bits"])
        add = (
            manager.add_weight_only_config if action == _WEIGHTS else manager.add_dynamic_config
        )
        add(**everything, num_bits=bits)
    if options["keep"]:
        kept = {*options["keep"]}
        if action == _STATIC:
            kept = _with_islands(kept, model, _quantized_by(model, manager))
        manager.add_quantization_config(
            _scopes(kept, model), operators.ALL_SUPPORTED, algorithm_key=algorithms.NO_QUANTIZE
        )
    return manager


def _library(module: str) -> Any:
    """Import a module of the quantizer, which comes with the extra quantizer and takes long."""
    # TensorFlow's parts of it take seconds
    return import_module(f"ai_edge_quantizer.{module}")


def _scopes(names: Iterable[str], model: Model) -> str:
    """Return the pattern for layers in the library's recipes, which know them by outputs."""
    wanted = {*names}
    outputs = (layer.outputs for layer in model.layers if layer.name in wanted)
    return "^(?:" + "|".join(re.escape(f"{';'.join(each)};") for each in outputs) + ")$"


def _with_islands(kept: set[str], model: Model, quantized: Sequence[Layer]) -> set[str]:
    """Return the layers that stay in float, with those without weights that lose all quantized
    layers before or after them to it: they would only round values."""
    weights = _float_weights(model).keys()
    all_made = {name for layer in quantized for name in layer.outputs}
    all_read = {name for layer in quantized for name in layer.inputs}
    kept = {*kept}
    while True:
        left = [layer for layer in quantized if layer.name not in kept]
        made = {name for layer in left for name in layer.outputs}
        read = {name for layer in left for name in layer.inputs}
        islands = {
            layer.name
            for layer in left
            if weights.isdisjoint(layer.inputs)
            and (
                _loses_all(layer.inputs, all_made, made)
                or _loses_all(layer.outputs, all_read, read)
            )
        }
        if not islands:
            return kept
        kept |= islands


def _loses_all(names: Iterable[str], before: Set[str], after: Set[str]) -> bool:
    return not before.isdisjoint(names) and after.isdisjoint(names)


def _statistics(model: Model, ranges: Ranges) -> dict[str, dict[str, Any]]:
    """Return ranges as the library takes them: arrays of one element, of each tensor's rank."""
    ranks = {value.name: len(value.shape or ()) for value in (*model.values, *model.inputs)}
    return {
        name: {
            "min": np.full((1,) * ranks.get(name, 0), low, np.float32),
            "max": np.full((1,) * ranks.get(name, 0), high, np.float32),
        }
        for name, (low, high) in ranges.items()
    }
