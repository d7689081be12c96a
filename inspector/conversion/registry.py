"""The one list of actions. Window, command line and documents follow from it.

To add one, write a function from an `EditableModel` and its options to a `Plan` in a module of
this package, and add an `Action` here. Plugins add actions for ONNX models.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from msgspec import structs

from inspector.conversion.action import (
    CALIBRATION,
    FILE,
    FLOAT16,
    INTERFACE,
    LAYERS,
    LITERT_SIGNATURE,
    METHODS,
    PARTS,
    PRECISION,
    RANDOM,
    SMALLER,
    STRUCTURE,
    TENSORFLOW_LITE,
    TYPICAL,
    Action,
    Option,
    OptionKind,
    Step,
)
from inspector.conversion.edits.edit_actions import EDIT_ACTIONS
from inspector.errors import BadInput
from inspector.formats import opening
from inspector.model.model import TFLITE
from inspector.platform import plugins

_HERE = "inspector.conversion"
_precision = partial(Action, group=PRECISION, exact=False)
_smaller = partial(Action, group=SMALLER, exact=False)
_structure = partial(Action, group=STRUCTURE)
_interface = partial(Action, group=INTERFACE)
_file = partial(Action, group=FILE)
_litert = partial(Action, group=TENSORFLOW_LITE)
_quantized_litert = partial(_litert, library="ai-edge-quantizer", exact=False)

_KEEP = OptionKind.NAMES.option(
    "keep",
    "Layers that stay in float",
    "names of layers that stay in float, separated by '+'",
    phrase="{} in float",
)

_NEW_NAMES = (OptionKind.PAIRS.option("names", "Names", "old=new, ..."),)

_PER_CHANNEL = OptionKind.SWITCH.option(
    "per-channel",
    "One scale per channel",
    "whether each output channel of a weight has its own scale",
)

_CALIBRATION = OptionKind.CHOICE.option(
    CALIBRATION,
    "Calibration inputs",
    "inputs that value ranges are measured on. typical: those that you give; random: made-up "
    "ones, to measure only speed, since the predictions are then mostly wrong",
    choices=(TYPICAL, RANDOM),
    phrase="{} calibration",
)

EMULATE_FLOAT16 = "emulate-float16"
ONNX_FORMAT = "onnx-format"
_LITERT_BITS = OptionKind.CHOICE.option(
    "bits", "Bits per weight", "bits per weight", choices=("8", "4"), phrase="{}-bit weights"
)
_ONLY = OptionKind.NAMES.option(
    "only", "Only these layers", "names of the layers to quantize; all by default"
)
LITERT_EXTRACT = "litert-extract"
LITERT_REPAIR = "litert-repair"
LITERT_INT8 = "litert-int8"
LITERT_INT8_WEIGHTS = "litert-int8-weights"
_LITERT = "inspector.conversion.litert_quantization:convert"
_FOR_LITERT = (
    _quantized_litert(
        LITERT_INT8,
        "Int8 (static)",
        "store weights and compute in 8-bit integers, with ranges measured on typical inputs",
        _LITERT,
        (
            OptionKind.CHOICE.option(
                "activations",
                "Activation type",
                "data type of the values between layers",
                choices=("int8", "int16"),
                phrase="{} activations",
            ),
            _KEEP,
            _ONLY,
            _CALIBRATION,
        ),
        calibrates=True,
    ),
    _quantized_litert(
        "litert-int8-dynamic",
        "Int8 (dynamic)",
        "store weights in 8-bit integers, and quantize activations while the model runs",
        _LITERT,
        (_LITERT_BITS, _KEEP, _ONLY),
    ),
    _quantized_litert(
        LITERT_INT8_WEIGHTS,
        "Integer weights",
        "store weights in 8-bit integers, and compute in float32",
        _LITERT,
        (structs.replace(_LITERT_BITS, phrase="{} bits"), _KEEP, _ONLY),
    ),
    _quantized_litert(
        "litert-float16",
        "Float16 weights",
        "store weights in float16, and compute in float32",
        _LITERT,
        (_KEEP, _ONLY),
    ),
    _litert(
        LITERT_SIGNATURE,
        "Set main signature",
        "make another signature the one that runs, such as 'decode' instead of 'encode'",
        _LITERT,
        (OptionKind.TEXT.option("name", "Signature", "name of the signature"),),
        library="ai-edge-litert",
        keeps_ends=False,
    ),
    _litert(
        LITERT_REPAIR,
        "Repair axes of quantization",
        "quantize tensors with one axis along that axis, where the file names another, so that "
        "LiteRT and OpenVINO load it",
        _LITERT,
    ),
    _litert(
        LITERT_EXTRACT,
        "Extract part",
        "keep only the layers up to the given tensors or layers",
        _LITERT,
        (
            OptionKind.NAMES.option(
                "outputs", "Ends at", "tensors or layers where the part ends, separated by '+'"
            ),
        ),
        library="ai-edge-litert",
        exact=False,
        advanced=True,
        keeps_ends=False,
    ),
)
LITERT_ACTIONS: dict[str, Action] = {action.id: action for action in _FOR_LITERT}
# Cuts, names and axes, and a repair of what does not run as it is, so that nothing can be
# compared with it; what `Action.edits` says of others.
_NOT_IN_IMPROVE = frozenset(
    ("extract", "split", "free-axes", "rename", "rename-axes", "rename-layers", "metadata",
     LITERT_REPAIR)
)  # fmt: skip
_EDITS = frozenset(
    ("extract", "split", "rename", "rename-axes", "rename-layers", "fix-axes", "free-axes",
     "metadata", LITERT_EXTRACT, LITERT_SIGNATURE)
)  # fmt: skip


def _block(default: str) -> Option:
    return OptionKind.CHOICE.option(
        "block",
        "Block size",
        "weights that share a scale",
        choices=("16", "32", "64", "128", "256"),
        default=default,
        phrase="blocks of {}",
    )


_FOR_ONNX = (
    _precision(
        FLOAT16,
        "Float16",
        "store weights and compute in float16",
        f"{_HERE}.float16:float16",
        (
            OptionKind.SWITCH.option(
                "keep-io",
                "Inputs and outputs stay float32",
                "whether inputs and outputs stay float32",
            ),
            OptionKind.NAMES.option(
                "keep",
                "Layers that stay float32",
                "names of layers that stay float32, separated by '+'; auto finds those that "
                "need it, by running the model on the inputs in emulated float16 arithmetic",
                phrase="{} in float32",
            ),
        ),
    ),
    _precision(
        "int8",
        "Int8 (static)",
        "store weights and compute in 8-bit integers, with ranges measured on typical inputs",
        f"{_HERE}.int8:int8",
        (
            _PER_CHANNEL,
            OptionKind.CHOICE.option(
                "activations",
                "Activation type",
                "data type of the values between layers",
                choices=("uint8", "int8", "uint16"),
                phrase="{} activations",
            ),
            OptionKind.CHOICE.option(
                "method",
                "Value ranges",
                "how the range of a tensor is determined. minmax: min and max over all inputs; "
                "average: mean of the min and max of each input; percentile: without the "
                "rarest values; entropy: the range that changes the distribution least. All "
                "but minmax cut off outliers",
                choices=METHODS,
                phrase="{} ranges",
            ),
            OptionKind.NUMBER.option(
                "percentile",
                "Percentile",
                "with method=percentile: percentage of the values inside the range",
                "99.99",
            ),
            _KEEP,
            OptionKind.NAMES.option(
                "operators",
                "Operators to quantize",
                "operators to quantize, such as Conv+MatMul; all by default",
            ),
            OptionKind.CHOICE.option(
                "weights",
                "Weight type",
                "7bit: exact and fast on all CPUs; int8: for CPUs with VNNI and NPUs; uint8: "
                "exact but slower",
                choices=("7bit", "int8", "uint8"),
                phrase="{} weights",
            ),
            OptionKind.NAMES.option(
                "only",
                "Only these layers",
                "names of the layers to quantize, among those with weights; all by default",
            ),
            OptionKind.CHOICE.option(
                "parts",
                "What to quantize in a layer",
                "which parts of each layer to quantize, to find the cause of an error: all "
                "(weights and all values around them), own (weights and the outputs of the "
                "layer), or only one of the two",
                choices=PARTS,
            ),
            _CALIBRATION,
        ),
        calibrates=True,
    ),
    _precision(
        "int8-dynamic",
        "Int8 (dynamic)",
        "store weights in 8-bit integers, and quantize activations while the model runs",
        f"{_HERE}.library_quantization:int8_dynamic",
        (_KEEP,),
        library="onnxruntime.quantization",
    ),
    _precision(
        "int8-qoperator",
        "Int8 (integer operators)",
        "compute with ONNX Runtime's integer operators, with ranges measured on typical inputs",
        f"{_HERE}.library_quantization:int8_qoperator",
        (_PER_CHANNEL, _KEEP, _CALIBRATION),
        calibrates=True,
        library="onnxruntime.quantization",
        advanced=True,
    ),
    *(
        _precision(
            f"weights-{bits}bit",
            f"{bits}-bit weights",
            f"store weights of MatMul and Gemm in {bits} bits, with a scale for each block",
            f"{_HERE}.weights.blocks:weights_{bits}bit",
            (_block("32"), _KEEP),
            advanced=bits == 2,
        )
        for bits in (8, 4, 2)
    ),
    *(
        _precision(
            f"embeddings-{bits}bit",
            f"{bits}-bit embeddings",
            f"store the rows that Gather takes in {bits} bits, with a scale for each block",
            f"{_HERE}.weights.blocks:embeddings_{bits}bit",
            (_block("32"), _KEEP),
            advanced=True,
        )
        for bits in (8, 4)
    ),
    _precision(
        "nf4",
        "NF4 weights",
        "store weights of MatMul as 4-bit indices of 16 normally distributed values",
        f"{_HERE}.weights.blocks:nf4",
        (_block("64"), _KEEP),
        advanced=True,
    ),
    _smaller(
        "bfloat16",
        "Bfloat16 weights",
        "store weights in bfloat16, and compute in float32, for which CPUs have kernels",
        f"{_HERE}.weights.compression:bfloat16",
        advanced=True,
    ),
    _smaller(
        "float8",
        "Float8 weights",
        "store weights in float8 with a scale for each output channel, and compute in float32",
        f"{_HERE}.weights.small_floats:float8",
        (
            OptionKind.CHOICE.option(
                "kind",
                "Data type",
                "e4m3: more precise; e5m2: values of a channel may differ more in magnitude",
                choices=("e4m3", "e5m2"),
                phrase="{}",
            ),
            OptionKind.CHOICE.option(
                "expand",
                "Expand weights",
                "when weights become float32. load: once, so that runs are as fast as before; "
                "run: in each run, by DequantizeLinear, which takes less memory and is the "
                "form that TensorRT computes in float8",
                choices=("load", "run"),
                phrase="expanded in each {}",
            ),
        ),
        advanced=True,
    ),
    *(
        _smaller(
            name.lower(),
            f"{name} weights",
            f"store weights in 4-bit floats, with {scales}: a smaller file, not faster",
            f"{_HERE}.weights.small_floats:{name.lower()}",
            advanced=True,
        )
        for name, scales in (
            ("MXFP4", "a power of two for each block of 32"),
            ("NVFP4", "a float8 scale for each block of 16"),
        )
    ),
    _smaller(
        "palettize",
        "Palettized weights",
        "store weights as indices into tables of a few values: a smaller file, not faster",
        f"{_HERE}.weights.compression:palettize",
        (
            OptionKind.COUNT.option(
                "bits", "Bits", "bits per index, 1 to 8", "4", phrase="{} bits"
            ),
            OptionKind.COUNT.option("group", "Rows per table", "rows that share a table", "16"),
        ),
    ),
    _smaller(
        "sparse",
        "Sparse weights",
        "set small weights to zero and store only the others: a smaller file, not faster",
        f"{_HERE}.weights.compression:sparse",
        (
            OptionKind.COUNT.option(
                "zeros",
                "Zeros (%)",
                "percentage of the values that become zero",
                "80",
                phrase="{}% zeros",
            ),
            OptionKind.CHOICE.option(
                "pattern",
                "Pattern",
                "which values become zero: the smallest, or the two smallest in each "
                "group of four",
                choices=("any", "2:4"),
            ),
        ),
        advanced=True,
    ),
    _structure(
        "opset",
        "Update opset",
        "convert the operators to a newer version of the operator set",
        f"{_HERE}.edits.graph_edits:opset",
        (OptionKind.COUNT.option("to", "Version", "new opset version", "21"),),
        library="onnx",
    ),
    _structure(
        "simplify",
        "Simplify",
        "compute constant parts of the graph, and remove duplicates and layers without effect",
        f"{_HERE}.simplify:simplify",
        (
            OptionKind.SWITCH.option(
                "fold",
                "Fold constants",
                "compute layers whose inputs are constants or fixed shapes",
            ),
            OptionKind.SWITCH.option(
                "duplicates",
                "Merge equal weights",
                "keep only one of several weights with equal values",
            ),
        ),
    ),
    _structure(
        "repair",
        "Repair names, order and shapes",
        "give layers unique names and a valid order, return outer values through Identity, and "
        "correct shapes that contradict the inputs",
        f"{_HERE}.edits.graph_edits:repair",
        advanced=True,
    ),
    _structure(
        "ir-version",
        "Change IR version",
        "write the model with another IR version, without changing the graph",
        f"{_HERE}.edits.graph_edits:ir_version",
        (OptionKind.COUNT.option("to", "Version", "new IR version", "10"),),
        advanced=True,
    ),
    _structure(
        "extract",
        "Extract part",
        "keep only the layers between the given tensors or layers",
        f"{_HERE}.edits.graph_edits:extract",
        (
            OptionKind.NAMES.option(
                "outputs", "Ends at", "tensors or layers where the part ends, separated by '+'"
            ),
            OptionKind.NAMES.option(
                "inputs",
                "Begins at",
                "tensors or layers where the part begins, separated by '+'",
            ),
        ),
        exact=False,
        advanced=True,
        keeps_ends=False,
    ),
    _structure(
        "split",
        "Split in two",
        "keep the part before or after a cut; outputs of the first are inputs of the second",
        f"{_HERE}.edits.graph_edits:split",
        (
            OptionKind.TEXT.option("at", "Cut after", "layer or tensor after which to cut"),
            OptionKind.CHOICE.option(
                "part", "Part", "which of the two parts to keep", choices=("first", "second")
            ),
        ),
        exact=False,
        advanced=True,
        keeps_ends=False,
    ),
    _interface(
        "weights-not-inputs",
        "Remove weights from inputs",
        "declare weights as constants, so that runtimes can fold what depends only on them",
        f"{_HERE}.edits.interface_edits:weights_not_inputs",
        keeps_ends=False,
    ),
    _interface(
        "image-input",
        "Image preprocessing in the model",
        "take 8-bit RGB images (height, width, channels), and resize and normalize them in "
        "the model, as Preview does",
        f"{_HERE}.picture_ends:image_input",
        (
            OptionKind.TEXT.option(
                "input-name", "Input", "name of the input (default: the first image)"
            ),
            OptionKind.CHOICE.option(
                "resize",
                "Resize",
                "found: resize as Preview does; none: images already have the model's size",
                choices=("found", "none"),
            ),
            OptionKind.CHOICE.option(
                "interpolation",
                "Interpolation",
                "found: the method that Preview uses; or always the same method",
                choices=("found", "bilinear", "bicubic", "nearest"),
            ),
        ),
        keeps_ends=False,
    ),
    _interface(
        "class-output",
        "Classes as output",
        "make the model return the best classes with their scores, the best class, or "
        "probabilities",
        f"{_HERE}.picture_ends:class_output",
        (
            OptionKind.CHOICE.option(
                "kind",
                "Output",
                "what the output becomes",
                choices=("top-k", "argmax", "softmax"),
            ),
            OptionKind.COUNT.option("k", "Classes", "number of classes for top-k", "5"),
            OptionKind.TEXT.option("output", "Name", "name of the output (default: the first)"),
        ),
        exact=False,
        advanced=True,
        keeps_ends=False,
    ),
    _interface(
        "fix-axes",
        "Fix dynamic axes",
        "set dynamic axes, given by name or as input[axis], to a fixed size",
        f"{_HERE}.edits.interface_edits:fix_axes",
        (OptionKind.PAIRS.option("axes", "Sizes", "axis=size, ..."),),
    ),
    _interface(
        "free-axes",
        "Make axes dynamic",
        "make axes of fixed size, given as input[axis]=name, dynamic",
        f"{_HERE}.edits.interface_edits:free_axes",
        (OptionKind.PAIRS.option("axes", "Names", "input[axis]=name, ..."),),
    ),
    _interface(
        "rename",
        "Rename inputs and outputs",
        "rename inputs, outputs or intermediate tensors",
        f"{_HERE}.edits.interface_edits:rename",
        _NEW_NAMES,
        keeps_ends=False,
    ),
    _interface(
        "rename-axes",
        "Rename axes",
        "rename dynamic axes",
        f"{_HERE}.edits.interface_edits:rename_axes",
        _NEW_NAMES,
        advanced=True,
    ),
    _interface(
        "rename-layers",
        "Rename layers",
        "rename layers",
        f"{_HERE}.edits.interface_edits:rename_layers",
        _NEW_NAMES,
        advanced=True,
    ),
    _interface(
        "metadata",
        "Edit metadata",
        "set metadata entries; an empty value removes an entry",
        f"{_HERE}.edits.interface_edits:metadata",
        (OptionKind.PAIRS.option("entries", "Entries", "name=value, ..."),),
        advanced=True,
    ),
    *EDIT_ACTIONS,
    _file(
        "strip",
        "Strip",
        "remove documentation, training information and debug metadata",
        f"{_HERE}.edits.graph_edits:strip",
        (
            OptionKind.SWITCH.option("documentation", "Documentation", "doc strings"),
            OptionKind.SWITCH.option(
                "training", "Training information", "training information"
            ),
            OptionKind.SWITCH.option(
                "debug", "Debug metadata", "metadata of layers and values, such as stack traces"
            ),
            OptionKind.SWITCH.option(
                "shapes",
                "Shapes of intermediate tensors",
                "shapes of intermediate tensors, which model viewers show",
                default="no",
            ),
        ),
    ),
    _file(
        "external-data",
        "Weights in a separate file",
        "store the weights in a separate file, as models over 2 GB require",
        f"{_HERE}.edits.graph_edits:external_data",
    ),
    _file(
        ONNX_FORMAT,
        "ONNX format",
        "write a model in the ORT format as ONNX, with the layers that ONNX Runtime made",
        f"{_HERE}.edits.graph_edits:onnx_format",
        advanced=True,
    ),
    _file(
        "one-file",
        "One file",
        "put weights that are in other files into the model",
        f"{_HERE}.edits.graph_edits:one_file",
    ),
    _file(
        EMULATE_FLOAT16,
        "Emulate float16",
        "compute a float16 model in float32 and round each result to float16, as GPUs do: for "
        "checks on a CPU, which skips the rounding",
        f"{_HERE}.emulation.float16_emulation:emulate_float16",
        (
            OptionKind.CHOICE.option(
                "accumulate",
                "Sums computed in",
                "data type in which layers add up",
                choices=("float32", "float16"),
                phrase="sums in {}",
            ),
            OptionKind.SWITCH.option(
                "ranges",
                "Measure ranges",
                "whether to measure the range of each result before it is rounded",
                default="no",
            ),
        ),
        exact=False,
        advanced=True,
    ),
)
ONNX_ACTIONS: dict[str, Action] = {
    action.id: action for action in plugins.added_to(_FOR_ONNX, plugins.ACTIONS)
}

ACTIONS: dict[str, Action] = {**ONNX_ACTIONS, **LITERT_ACTIONS}  # each format has its own
# What is listed and offered: without those whose place a command took.
LISTED = {name: action for name, action in ACTIONS.items() if not action.command}


def actions_for(model_format: str) -> dict[str, Action]:
    """Return the actions that change a model of a format; none for one that is only shown."""
    own = _known_for(model_format)
    return {name: action for name, action in LISTED.items() if name in own}


def _known_for(model_format: str) -> dict[str, Action]:
    if model_format == TFLITE:
        return LITERT_ACTIONS
    return ONNX_ACTIONS if model_format in ("onnx", "ort") else {}


def improvements_for(model_format: str) -> dict[str, Action]:
    """Return the actions that make a model of a format smaller, faster or ready to be used.

    Those that change its graph are in edit mode of the graph, where their effect is seen.
    """
    return {
        name: action
        for name, action in actions_for(model_format).items()
        if not action.edits and action.group != LAYERS and name not in _NOT_IN_IMPROVE
    }


def extract_step(model_format: str, names: Iterable[str]) -> Step:
    """Return the step that makes a model of a format end at other tensors."""
    action = LITERT_EXTRACT if model_format == TFLITE else "extract"
    return Step(action, (("outputs", "+".join(dict.fromkeys(names))),))


def is_edit(step: Step) -> bool:
    """Return whether a step changes what a model computes or how it is called.

    Neither a speed nor an accuracy says whether such a step did what it should.
    """
    action = ACTIONS.get(step.action)
    return step.action in _EDITS or (action is not None and action.edits)


def restoring(steps: Sequence[Step], path: Path) -> tuple[Step, ...]:
    """Return steps with the one before them that a model in the ORT format needs."""
    is_named = any(step.action == ONNX_FORMAT for step in steps)
    first = (Step(ONNX_FORMAT),) if opening.is_ort(path) and not is_named else ()
    return (*first, *steps)


def actions_of(path: Path, what: str) -> dict[str, Action]:
    """Return the actions for a file. Raises BadInput: no model of its format can be changed.

    what: did not happen.
    """
    actions = actions_for(opening.format_id(path))
    if not actions:
        opening.expect_onnx(path, what)
    return actions


def expect_own_actions(steps: Iterable[Step], path: Path, what: str) -> None:
    """Raise BadInput if a step is an action for models of another format than a file's.

    what: did not happen.
    """
    model_format = opening.format_id(path)
    own = _known_for(model_format)
    for step in steps:
        if step.action not in own:
            raise BadInput(what, *for_other_format(step.action, model_format))


def for_other_format(action_id: str, model_format: str) -> tuple[str, str]:
    """Return that an action is for models of another format, and the actions for this one."""
    other, title = "ONNX", "TensorFlow Lite"
    if model_format != TFLITE:
        other, title = title, other
    names = ", ".join(actions_for(model_format))
    return f"'{action_id}' is for {other} models", f"Actions for {title} models: {names}."


def recipe_name(steps: Sequence[Step]) -> str:
    """Return the name of a recipe and of what it makes, from the titles of its actions.

    Chosen options follow: "Int8 (static), 2 layers in float".
    """
    return ", ".join(_step_name(step, ACTIONS.get(step.action)) for step in steps)


def _step_name(step: Step, action: Action | None) -> str:
    if action is None or (action.options and action.options[0].kind is OptionKind.PAIRS):
        return step.text if action is None else action.title
    chosen = (action.option(name).text_in_name(value) for name, value in step.options)
    return ", ".join(filter(None, (action.title, *chosen)))
