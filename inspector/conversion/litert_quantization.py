"""Changes to TensorFlow Lite models: quantization with ai-edge-quantizer, and signatures.

These models are flatbuffers, not ONNX: an action here makes the whole new file in one step.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from importlib.metadata import PackageNotFoundError, version
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np

from inspector import units
from inspector.conversion.action import Converted, Effect, Step, option_values
from inspector.conversion.registry import LITERT_ACTIONS, for_other_format
from inspector.errors import BadInput, EngineFailed
from inspector.formats import opening
from inspector.model.model import TFLITE, Model, WeightInfo

LIBRARY = "ai-edge-quantizer"
_HINT = 'Install it with: pip install "onnx-inspector[quantizer]"'
_STATIC, _WEIGHTS, _FLOAT16 = "litert-int8", "litert-int8-weights", "litert-float16"
_CAUTION = "Outputs change: check them on typical inputs."
_SIGNATURE = "litert-signature"
_FLOAT = "float32"
_ONE_STEP = "a recipe for TensorFlow Lite models has one step"
_LEAST_ELEMENTS = 2  # of a weight; single numbers stay
_LEAST_RANK = 2  # of a weight that takes fewer bits; biases stay large
Ranges = Mapping[str, tuple[float, float]]


def convert(
    path: Path,
    steps: Sequence[Step],
    folder: Path,
    ranges: Ranges | None,
    share: Callable[[float], None],
    name: str,
) -> Converted:
    """Quantize a model and write the result into a folder under a name.

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
    if effect.nothing:
        (folder / name).write_bytes(path.read_bytes())
        return Converted((name,), (effect,))
    if step.action == _STATIC and ranges is None:
        observe = [value.name for value in model.values if value.dtype == _FLOAT]
        observe += [value.name for value in model.inputs if value.dtype == _FLOAT]
        return Converted((), (effect,), observe=tuple(dict.fromkeys(observe)))
    share(0.1)
    signature = step.action == _SIGNATURE
    body = (
        _with_main(path, model, dict(step.options)["name"])
        if signature
        else _quantized(path, model, step, ranges or {}, what)
    )
    target = folder / name
    target.write_bytes(body)
    share(1.0)
    made = opening.open_model(target)
    from inspector import __version__

    library = LITERT_ACTIONS[step.action].library
    made_by = (f"Inspector {__version__}", f"{library} {version(library)}")
    if signature:
        return Converted((name,), (effect,), made_by=made_by)
    done = _done(model, made, effect, len(body))
    renamed = tuple(
        (new.name, old.name)
        for after, before in ((made.inputs, model.inputs), (made.outputs, model.outputs))
        for new, old in zip(after, before, strict=False)
        if new.name != old.name
    )
    return Converted((name,), (done,), made_by=made_by, renamed=renamed)


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
    if step.action == _SIGNATURE:
        return _planned_signature(model, options["name"])
    try:
        version(LIBRARY)
    except PackageNotFoundError:
        return Effect(refused=f"{LIBRARY} is not installed", hint=_HINT)
    if any(layer.domain == "custom" for layer in model.layers) and step.action == _STATIC:
        return Effect(refused="it has custom operators, which are not quantized")
    weights = _float_weights(model)
    if not weights and step.action != _STATIC:
        return Effect(nothing="no weights are float32")
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


def _with_main(path: Path, model: Model, name: str) -> bytes:
    """Return a model with two subgraphs exchanged, so that a signature's is the first."""
    from ai_edge_litert.tools import flatbuffer_utils

    body = path.read_bytes()
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
    if not changed:
        why = "no layer has weights that the quantizer supports"
        return Effect(nothing=why, bytes_before=before.size_bytes)
    return Effect(
        touches, planned.layers, before.size_bytes, size_bytes, caution=planned.caution
    )


def _quantized(path: Path, model: Model, step: Step, ranges: Ranges, what: str) -> bytes:
    """Return the new file. Raises EngineFailed with what the library says."""
    options = option_values(step, LITERT_ACTIONS[step.action])
    printed = StringIO()
    try:
        with redirect_stdout(printed), redirect_stderr(printed):
            from ai_edge_quantizer import quantizer

            made = quantizer.Quantizer(_as_expected(path.read_bytes()))
            made.load_quantization_recipe(_recipe(step.action, options))
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
    from ai_edge_litert.tools import flatbuffer_utils

    model = flatbuffer_utils.read_model_from_bytearray(body)
    codes = model.operatorCodes or ()
    old = any(code.builtinCode < code.deprecatedBuiltinCode for code in codes)
    if not old and model.signatureDefs is not None:
        return body
    for code in codes:
        code.builtinCode = max(code.builtinCode, code.deprecatedBuiltinCode)
    model.signatureDefs = model.signatureDefs or []
    return bytes(flatbuffer_utils.convert_object_to_bytearray(model))


def _recipe(action: str, options: Mapping[str, Any]) -> Any:
    from ai_edge_quantizer import algorithm_manager, qtyping, recipe_manager

    operators, algorithms = qtyping.TFLOperationName, algorithm_manager.AlgorithmName
    manager = recipe_manager.RecipeManager()
    everything: dict[str, Any] = {"regex": ".*", "operation_name": operators.ALL_SUPPORTED}
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
    for name in options["keep"]:
        manager.add_quantization_config(
            f".*{re.escape(name)}.*",
            operators.ALL_SUPPORTED,
            algorithm_key=algorithms.NO_QUANTIZE,
        )
    return manager.get_quantization_recipe()


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
