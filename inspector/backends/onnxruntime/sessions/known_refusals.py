"""Known errors of ONNX Runtime: a pattern of the message and its explanation.

The first rule that fits counts. Messages are those of ONNX Runtime 1.20 to 1.32
(https://github.com/microsoft/onnxruntime, onnxruntime/core) and of onnx's inference of types
and shapes (https://github.com/onnx/onnx, onnx/defs), which speaks through it.
"""

import re
from dataclasses import dataclass

from inspector.backends.base import DISK_HINT, MEMORY_HINT

EXPORT = (
    "Export the model again; `inspector info MODEL --validate` shows which programs can "
    "load it."
)
REPAIR = "inspector convert MODEL repair -o FILE"
LAYER = "Check the layer's inputs and attributes in the Graph tab, then export the model again."
SHAPES = (
    "Set other sizes for dynamic axes with --dim NAME=N, or other input values with --input "
    "NAME=VALUE; the Graph tab shows the layer's shapes."
)
INDICES = (
    "Set smaller values for the input that holds indices, such as tokens or classes: "
    "--input NAME=zeros."
)
INPUTS = (
    "Set other input values with --input NAME=VALUE; the Graph tab shows the layer's inputs."
)
CAST = "Insert a Cast before the layer, or export the model again."
WEIGHTS = "The file is damaged: download or export it again."
LIBRARY = "Install the missing library; `inspector devices` lists what each device is missing."
OPTIONS = (
    "Check the options of the execution provider in the documentation of ONNX Runtime, "
    "or omit them."
)


@dataclass(frozen=True, slots=True)
class Rule:
    """A known refusal: the named groups of `pattern` fill in `why` and `hint`.

    Groups called `type` or `other_type` are types as the runtime writes them, and groups called
    `shape` or `other_shape` are shapes; both become ours. of_values: another input, or other
    lengths of free axes, may do; the model is no worse for it.
    """

    pattern: re.Pattern[str]
    why: str
    hint: str
    of_values: bool = False


def _rule(pattern: str, why: str, hint: str, of_values: bool = False) -> Rule:
    return Rule(re.compile(pattern, re.DOTALL | re.IGNORECASE), why, hint, of_values)


def _run(pattern: str, why: str, hint: str = SHAPES) -> Rule:
    """Return a refusal of values or shapes, in a prediction or where they are known
    beforehand."""
    return _rule(pattern, why, hint, of_values=True)


_COMPILED_HINT = (
    "Choose the device that it was compiled for; `inspector devices` lists those here."
)
_DIMS = r"\{(?P<shape>[-\d,]*)\}"
_OTHER_DIMS = r"\{(?P<other_shape>[-\d,]*)\}"
NO_MEMORY = _rule(
    r"bad_alloc|failed to allocate memory|unable to allocate|not enough memory"
    r"|out of memory|std::length_error|array is too big",
    "there was not enough memory",
    MEMORY_HINT,
)
_SYSTEM = (
    NO_MEMORY,
    _rule(
        r"No space left on device|Disk quota exceeded|Read-only file system|File too large",
        "there was not enough space for temporary files",
        DISK_HINT,
    ),
    _rule(r"Exiting due to terminate flag", "it was stopped", "Start it again."),
    _rule(r"Load.{0,40}cancel", "it was stopped", "Start it again."),
)
_OPERATORS = (
    _rule(
        r"(?P<domain>ai\.onnx\.contrib|com\.microsoft\.extensions):(?P<operator>\w+)\(-?\d+\) "
        r"is not a registered",
        "ONNX Runtime does not have its operator {operator} (domain '{domain}')",
        "Install the package that provides it: pip install onnxruntime-extensions.",
    ),
    _rule(
        r"(?<![\w.])(?:ai\.onnx(?:\.\w+)?|com\.microsoft)?:(?P<operator>\w+)\(-?\d+\) "
        r"is not a registered",
        "ONNX Runtime does not have its operator {operator}",
        "A newer onnxruntime, or its training build, may have it.",
    ),
    _rule(
        r"(?P<domain>[^\s:]*):(?P<operator>\w+)\(-?\d+\) is not a registered",
        "ONNX Runtime does not have its operator {operator} (domain '{domain}')",
        "If it is a custom operator, give the library that provides it with --custom-ops, or "
        "in the settings.",
    ),
    _rule(
        r"In Node, \([^()]*?, (?P<operator>\w+), .*No opset import for domain "
        r"'(?P<domain>[^']*)'",
        "its operator {operator} belongs to the domain '{domain}', for which the "
        "model has no opset import",
        "Export the model again with an opset import for each domain that it uses.",
    ),
    _rule(
        r"No opset import for domain '?(?P<domain>[\w.]*)'?",
        "one of its operators belongs to the domain '{domain}', for which the model "
        "has no opset import",
        "Export the model again with an opset import for each domain that it uses.",
    ),
    _rule(
        r"Op registered for (?P<operator>\w+) is deprecated in domain_version of "
        r"(?P<version>\d+)",
        "its operator {operator} was removed in opset {version}",
        "Export the model again with a lower opset or another operator.",
    ),
    _rule(
        r"(?:Could not find an implementation|Failed to find kernel) for (?:com\.microsoft\.)?"
        r"EPContext\(|EPContext node generated by '\(unknown\)' is not compatible",
        "a part of it was compiled for one kind of device (an EPContext node), which is not "
        "among the selected ones",
        "Choose the device that it was compiled for: `inspector info MODEL` names it.",
    ),
    _rule(
        r"(?:Could not find an implementation|Failed to find kernel) for "
        r"(?P<operator>[\w.]+)\((?P<version>\d+)\)",
        "none of the selected devices has a kernel for {operator} (opset {version}) "
        "with these data types",
        "Convert the model to another precision or, if its opset is old, to a newer one "
        "(inspector convert MODEL opset:17 -o FILE), or choose another device.",
    ),
    _rule(
        r"Opset (?P<version>\d+) is under development.*till opset (?P<latest>\d+)",
        "it requires opset {version}, but this ONNX Runtime supports up to {latest}",
        "Export it again with opset {latest} or lower, or update onnxruntime.",
    ),
    _rule(
        r"Unsupported model IR version: (?P<version>\d+), max supported IR version: "
        r"(?P<latest>\d+)",
        "it has IR version {version}, but this ONNX Runtime supports up to {latest}",
        "Save it again with an older onnx package, or update onnxruntime.",
    ),
)
_FILES = (
    _rule(
        r"External data path does not exist: \"(?:[^\"]*[\\/])?(?P<file>[^\"\\/]*)\"",
        "its weights file {file} is missing",
        "Put it next to the model, under the name it had when the model was saved.",
    ),
    _rule(
        r"External data path escapes model directory|Absolute path not allowed for external",
        "its weights file is outside the model's folder",
        "Save the model again with its weights next to it.",
    ),
    _rule(
        r"TensorProto: (?P<name>.{0,200}?) external data size mismatch\. Computed size: "
        r"(?P<bytes>\d+), external_data\.length: (?P<written>\d+)",
        "its weight '{name}' needs {bytes} bytes, but the model declares {written} in the "
        "weights file",
        WEIGHTS,
    ),
    _rule(
        r"External initializer: (?P<name>.{0,200}?) offset: .{0,80}? are out of bounds",
        "its weight '{name}' is beyond the end of the weights file",
        "The weights file is truncated or belongs to another model: download it again.",
    ),
    _rule(
        r"Initializer '(?P<name>.{0,200}?)': data field count \((?P<count>\d+)\) does not "
        r"match expected count from shape \((?P<other>\d+)\)",
        "its weight '{name}' has {count} values, but its shape needs {other}",
        WEIGHTS,
    ),
    _rule(
        r"tensor shape size ?\((?P<other>\d+)\) does not match the data size "
        r"?\((?P<count>\d+)\)",
        "one of its weights has {count} values, but its shape needs {other}",
        WEIGHTS,
    ),
    _rule(
        r"Random-access reads require a regular file",
        "its weights file is a folder or a device",
        "Put the weights file next to the model, under the name it had when the "
        "model was saved.",
    ),
    _rule(
        r"Failed to parse value: \"",
        "an offset or length in its weights file is not a number",
        WEIGHTS,
    ),
    _rule(
        r"Protobuf parsing failed|model format error|No graph was found in the protobuf"
        r"|ModelProto does not have a graph",
        "it is not a complete ONNX model",
        "Download or export it again.",
    ),
    _rule(
        r"codec can't decode",
        "its names are not UTF-8 text",
        "Export it again with valid names.",
    ),
    _rule(
        r"Missing opset in the model",
        "it does not declare the opset of its operators",
        "Export it again, or add an opset import with the onnx package.",
    ),
    _rule(
        r"Missing model IR version",
        "it does not declare its IR version",
        "Save it again with the onnx package.",
    ),
)
_DEVICES = (
    _rule(
        r"EPContext node generated by '(?P<provider>\w+?)(?:ExecutionProvider)?' is not "
        r"compatible with any execution provider",
        "a part of it was compiled for {provider}, which is not among the devices",
        _COMPILED_HINT,
    ),
    _rule(
        r"Failed to get a WebGPU adapter",
        "no graphics driver supports what WebGPU requires (Vulkan, Direct3D 12 or Metal)",
        "Install or update the GPU driver; on Linux also the Vulkan loader, libvulkan1.",
    ),
    _rule(
        r"Failed to construct locale with name:(?P<locale>[\w.@-]+?):",
        "it requires the locale {locale}, which this system does not have",
        "Install the language pack for that locale.",
    ),
    _rule(
        r"(?P<file>[\w.+-]+): cannot open shared object file",
        "the library {file}, which the device needs, is missing",
        LIBRARY,
    ),
    _rule(
        r"Library not loaded: (?:\S*/)?(?P<file>[\w.+-]+)",
        "the library {file}, which the device needs, is missing",
        LIBRARY,
    ),
    _rule(
        r"(?:error 126|module could not be found).{0,200}?"
        r"\"(?:[^\"]*[\\/])?(?P<file>[^\"\\/]+)\"",
        "the library {file}, or one that it needs, is missing",
        LIBRARY,
    ),
    _rule(
        r"undefined symbol|version `.{0,40}' not found|wrong ELF class|error 193",
        "a library of the device has the wrong version",
        "Install matching versions; `inspector devices` lists the installed ones.",
    ),
    _rule(
        r"(?:no CUDA-capable device|CUDA driver version is insufficient|CUDA failure 100\b"
        r"|CUDA failure 35\b)",
        "the NVIDIA driver finds no GPU, or is too old for CUDA",
        "Install or update the GPU driver; `nvidia-smi` shows whether it works.",
    ),
    _rule(
        r"(?:CUDA|CUDNN|CUBLAS|HIP|MIOPEN|ROCBLAS) failure (?P<code>\d+): "
        r"(?P<said>[^;\n]{1,80})",
        "the GPU library failed (code {code}: {said})",
        "Run the model on the CPU to rule out the model, then update the driver.",
    ),
    _rule(
        r"(?:Unknown|Invalid|Unsupported|unrecognized) (?:\w+ )?(?:provider )?option"
        r"[^\w\n]{1,4}(?P<option>[\w.]+)",
        "the device does not support the option '{option}' or its value",
        OPTIONS,
    ),
    _rule(
        r"(?:provider|EP) option.{0,60}?(?:invalid|not valid|must be|unknown|not supported)",
        "the device does not support one of the options that were set",
        OPTIONS,
    ),
    _rule(
        r"Specified provider '(?P<provider>\w+)' is not in available",
        "the installed onnxruntime does not have {provider}",
        "Install the package that provides it; `inspector devices` lists it.",
    ),
)
_ATTRIBUTES = (
    _rule(
        r"Unrecognized attribute: (?P<attribute>\S{1,80}) for operator (?P<operator>\w+)",
        "{operator} has no attribute '{attribute}' in the opset that it imports",
        "Export the model again with an opset that has the attribute, or without "
        "the attribute.",
    ),
    _rule(
        r"Mismatched attribute type in '[^']*? ?: (?P<attribute>\w+)'\. "
        r"Expected: '(?P<wanted>\w+)', actual: '(?P<given>\w+)'",
        "its attribute '{attribute}' must be {wanted}, but it is {given}",
        LAYER,
    ),
    _rule(
        r"type field and data field mismatch in attribute (?P<attribute>\w+)",
        "the value of its attribute '{attribute}' does not match the declared type",
        LAYER,
    ),
    _rule(
        r"Required attribute '?(?P<attribute>\w+)'? is missing",
        "its attribute '{attribute}' is missing",
        LAYER,
    ),
    _rule(
        r"Attribute (?P<attribute>\w+) must (?:only contain positive values|be positive)",
        "its attribute '{attribute}' has values that are not positive",
        LAYER,
    ),
    _rule(
        r"has (?P<kind>in|out)put size (?P<count>\d+) not in range \[min=(?P<least>\d+), "
        r"max=(?P=least)\]",
        "its number of {kind}puts is {count}, but the operator has {least}",
        LAYER,
    ),
    _rule(
        r"has (?P<kind>in|out)put size (?P<count>\d+) not in range \[min=(?P<least>\d+), "
        r"max=\d{9,}\]",
        "its number of {kind}puts is {count}, but the operator has {least} or more",
        LAYER,
    ),
    _rule(
        r"has (?P<kind>in|out)put size (?P<count>\d+) not in range \[min=(?P<least>\d+), "
        r"max=(?P<most>\d+)\]",
        "its number of {kind}puts is {count}, but the operator has {least} to {most}",
        LAYER,
    ),
    _rule(
        r"clip_ > 0\.f was false",
        "its attribute 'clip' must be greater than 0",
        LAYER,
    ),
    _rule(
        r"Batchwise recurrent operations \(layout == 1\) are not supported",
        "ONNX Runtime does not support recurrent layers with the batch as first "
        "axis (layout 1)",
        "Export it again with layout 0 (sequence first, then batch).",
    ),
    _rule(
        r"(?P<one>\w+) and (?P<two>\w+) must have the same size, got (?P<a>\d+) and (?P<b>\d+)",
        "its attributes '{one}' and '{two}' differ in length: {a} and {b}",
        LAYER,
    ),
    _rule(
        r"(?P<attribute>\w+) attribute size \((?P<have>\d+)\) is smaller than expected "
        r"\((?P<need>\d+)\)",
        "its attribute '{attribute}' has {have} values, but needs {need}",
        LAYER,
    ),
    _rule(
        r"Pad should be smaller than kernel",
        "its padding must be smaller than its kernel",
        LAYER,
    ),
    _rule(
        r"Neither 'split' input nor 'num_outputs' attribute has been given",
        "the number of its outputs is not declared (split or num_outputs)",
        LAYER,
    ),
    _rule(
        r"fmod attribute must be true for floating",
        "its attribute 'fmod' must be 1 for floating-point inputs",
        LAYER,
    ),
    _rule(
        r"scan_output_axes axis value (?P<axis>-?\d+) is invalid for a tensor of rank "
        r"(?P<rank>\d+)",
        "its output axis {axis} does not exist in a tensor with {rank} axes",
        LAYER,
    ),
)
_TYPES = (
    _rule(
        r"Type '(?P<type>[^']+)' of input parameter \((?P<name>[^)]*)\) of operator "
        r"\((?P<operator>\w+)\) in node \([^)]*\) is invalid",
        "its input '{name}' is {type}, which {operator} does not support",
        CAST,
    ),
    _rule(
        r"Type parameter \(\w+\) of Optype \((?P<operator>\w+)\) bound to different types "
        r"\((?P<type>\S+\)) and (?P<other_type>\S+\))",
        "inputs of {operator} must have the same type, but they are {type} and {other_type}",
        CAST,
    ),
    _rule(
        r"Type \((?P<type>\S+\))\) of output arg \((?P<name>[^)]*)\) of node \([^)]*\) does "
        r"not match expected type \((?P<other_type>\S+?\))\)",
        "its output '{name}' is declared as {type}, but is {other_type}",
        EXPORT,
    ),
    _rule(
        r"element type.{0,12}inferred=(?P<type>\w+) declared=(?P<other_type>\w+)",
        "its output is {type}, but {other_type} is declared or returned by another branch",
        EXPORT,
    ),
    _rule(
        r"Input element type of (?P<type>\d+) does not match existing output type of "
        r"(?P<other_type>\d+)",
        "its body takes {other_type}, but returns {type}",
        LAYER,
    ),
    _rule(
        r"If node has (?P<count>\d+) but subgraphs produce (?P<other>\d+)",
        "it has {count} outputs, but its branches return {other}",
        LAYER,
    ),
    _rule(
        r"validating subgraph inputs\. Got (?P<count>\d+) inputs but subgraph has "
        r"(?P<other>\d+)",
        "its body gets {count} inputs, but takes {other}",
        LAYER,
    ),
    _rule(
        r"does not have valid data type|Invalid tensor data type \d+",
        "one of its tensors has no element type, or one that does not exist",
        WEIGHTS,
    ),
    _rule(
        r"Model (?P<kind>in|out)put \((?P<name>[^)]*)\) does not have type information",
        "its {kind}put '{name}' has no type",
        EXPORT,
    ),
    _rule(
        r"Unexpected input data type\. Actual: \((?P<type>\S+\))\) ?, expected: "
        r"\((?P<other_type>\S+?\))\)",
        "an input got {type}, but the model expects {other_type}",
        "Pass values of that type, or use --cast to convert floating-point values.",
    ),
)
_GRAPHS = (
    _rule(
        r"graph is not acyclic",
        "its graph has a cycle: a layer depends on its own output",
        EXPORT,
    ),
    _rule(
        r"two nodes with same node name \((?P<name>.{0,200}?)\)",
        "two of its layers are called '{name}'",
        f"Give the layers unique names: {REPAIR}.",
    ),
    _rule(
        r"Subgraph output \((?P<name>.{0,200}?)\) is an outer scope value being returned",
        "a branch or loop body returns the outer value '{name}' as it is",
        f"Return it through an Identity layer: {REPAIR}.",
    ),
    _rule(
        r"Duplicate definition of name \((?P<name>.{0,200}?)\)",
        "two of its layers produce a tensor named '{name}'",
        EXPORT,
    ),
    _rule(
        r"Duplicate definition-site for \((?P<name>.{0,200}?)\)",
        "two of its inputs or layers produce a tensor named '{name}'",
        EXPORT,
    ),
    _rule(
        r"(?:Node input|topologically sorted, however input) '(?P<name>.{0,200}?)' "
        r"(?:is not a graph input, initializer|of node)",
        "a layer reads the tensor '{name}', which no input, weight or earlier layer produces",
        "Export the model again or, if a later layer produces it, put the layers in order: "
        f"{REPAIR}.",
    ),
    _rule(
        r"Node \(.{0,200}?\)'s input (?P<place>\d+) is marked single but has an empty string",
        "its input {place} is empty, but the operator requires it",
        EXPORT,
    ),
    _rule(
        r"At least one output should be requested",
        "it has no outputs",
        EXPORT,
    ),
    _rule(
        r"Input (?P<place>\d+) expected to have type but instead is null",
        "the type of its input {place} is unknown: no input, weight or earlier "
        "layer produces it",
        EXPORT,
    ),
    _rule(
        r"Axis has less than the requested k elements",
        "its k is larger than the axis",
        LAYER,
    ),
    _rule(
        r"Input 'depth' must be non-negative",
        "its input 'depth' is negative",
        LAYER,
    ),
    _rule(
        r"Number of input tensors does not match the operands in the equation",
        "its equation does not match its number of inputs",
        LAYER,
    ),
    _rule(
        r"center_point_box only support 0 or 1",
        "its attribute 'center_point_box' is neither 0 nor 1",
        LAYER,
    ),
    _rule(
        r"Graph output \((?P<name>.{0,200}?)\) does not exist in the graph",
        "no layer produces its output '{name}'",
        EXPORT,
    ),
    _rule(
        r"function definitions must not be recursive\. Cycle detected: (?P<name>\S+)",
        "its function {name} calls itself, directly or through other functions",
        EXPORT,
    ),
    _rule(
        r"Duplicate model-local function(?: identifier)?: (?P<name>\S+)",
        "two of its functions are named {name}",
        EXPORT,
    ),
    _rule(
        r"NodeProto for Constant should have 1 output",
        "one of its Constant nodes does not have exactly one output",
        EXPORT,
    ),
    _rule(
        r"references an ORT in-memory address marker",
        "one of its Constant nodes holds a memory address instead of values",
        "Do not trust this file: no exporter writes such a model.",
    ),
    _rule(
        r"OrtValue indexes should have been populated",
        "its graph is empty: there is no layer to run",
        "Choose another model, or export it again.",
    ),
    _rule(
        r"Initializer '(?P<name>.{0,200}?)': .{0,40}?size \((?P<have>\d+) bytes\) does not "
        r"match expected size from shape and data type \((?P<need>\d+) bytes\)",
        "its weight '{name}' has {have} bytes, but its shape needs {need}",
        WEIGHTS,
    ),
    _rule(
        r"Out of bounds dimensions in TypeProto_Tensor|Invalid shape for tensor proto",
        "one of its tensors has an axis whose size is negative or too large",
        WEIGHTS,
    ),
    _rule(
        r"Sparse tensor: .{0,60}?index is out of bounds\. Got:(?P<index>-?\d+)",
        "an index of a sparse weight, {index}, is outside its shape",
        WEIGHTS,
    ),
)
_SHAPES = (
    _run(
        r"axis.{0,30}?(?P<axis>-?\d+) is not in valid range "
        r"\[(?P<low>-?\d+), ?(?P<high>-?\d+)\]",
        "its input has no axis {axis} (valid: {low} to {high})",
    ),
    _run(
        r"'axis' must be in \[(?P<low>-?\d+) ?, ?(?P<high>-?\d+)\]\. Its actual value is: "
        r"(?P<axis>-?\d+)",
        "its input has no axis {axis} (valid: {low} to {high})",
    ),
    _run(
        rf"reshaped to the requested shape\. Input shape:{_DIMS}, "
        rf"requested shape:{_OTHER_DIMS}",
        "it cannot reshape {shape} to {other_shape}",
    ),
    _run(
        r"At most one dimension can be -1",
        "its target shape has -1 more than once",
        INPUTS,
    ),
    _run(
        r"dimension with value zero exceeds the dimension size",
        "its target shape has 0 for an axis that its input does not have",
    ),
    _run(
        r"broadcast an axis by a dimension other than 1\. (?P<one>\d+) by (?P<two>\d+)",
        "the shapes of its inputs do not match: an axis has size {one} in one and {two} in "
        "the other",
    ),
    _run(
        r"Dimension mismatch in unification between (?P<one>\d+) and (?P<two>\d+)",
        "the shapes of its inputs do not match: an axis has size {one} in one and {two} in "
        "the other",
    ),
    _run(
        r"operands could not be broadcast together|Incompatible dimensions(?! for matrix)",
        "the shapes of its inputs cannot be broadcast",
    ),
    _run(
        r"Incompatible dimensions for matrix multiplication|MatMul dimension mismatch"
        r"|Gemm: Dimension mismatch|GEMM: Dimension mismatch",
        "its matrices cannot be multiplied: the columns of the first must equal the "
        "rows of the second",
    ),
    _run(
        r"Axis (?P<axis>\d+) has mismatched dimensions of (?P<one>\d+) and (?P<two>\d+)",
        "the size of axis {axis} of its inputs differs ({one} and {two}); they can only be "
        "concatenated along that axis",
    ),
    _run(
        r"inputs to Concat must have same rank|Ranks of input data are different",
        "its inputs have different numbers of axes",
    ),
    _run(
        r"Both inferred and declared dimension have values but they differ\. "
        r"Inferred=(?P<one>\d+) Declared=(?P<two>\d+) Dimension=(?P<axis>\d+)",
        "axis {axis} of its output has size {one}, but the model declares {two}",
        EXPORT,
    ),
    _run(
        r"inferred and declared dimensions\. inferred=(?P<one>\d+) declared=(?P<two>\d+)",
        "its output has {one} axes, but the model declares {two}",
        EXPORT,
    ),
    _run(
        r"Inputs? (?P<name>'?\w+'?) (?:shall be|is expected to have) (?P<need>\d+) dimensions?"
        r"(?:, got (?P<have>\d+))?",
        "its input {name} must have {need} axes",
    ),
    _run(
        r"(?P<name>\w+) is expected to have (?P<need>\d+) dimensions?, got (?P<have>\d+)",
        "its input {name} must have {need} axes, but it has {have}",
    ),
    _run(
        r"Input '?(?P<name>\w+)'? (?:is expected to|must) have shape \{(?P<shape>[-\d,]+)\}"
        r"(?: or \{[-\d,]+\})?[.,] ?(?:Actual: ?|got )\{(?P<other_shape>[-\d,]+)\}",
        "its input {name} must be {shape}, but it is {other_shape}",
    ),
    _run(
        r"Input channels C is not equal to kernel channels \* group\. C: (?P<have>\d+) kernel "
        r"channels: (?P<need>\d+) group: (?P<group>\d+)",
        "its input has {have} channels, but its weights expect {need} (groups: {group})",
    ),
    _run(
        rf"Invalid input shape: {_DIMS}",
        "its input ({shape}) is smaller than its kernel",
    ),
    _run(
        r"invalid expand shape",
        "its input cannot be expanded to the requested shape",
    ),
    _run(
        r"Dimension of input (?P<axis>\d+) must be 1 instead of (?P<have>\d+)",
        "axis {axis} of its input has size {have}; only axes of size 1 can be squeezed",
    ),
    _run(
        r"perm size: (?P<one>\d+) does not match input rank: (?P<two>\d+)",
        "its permutation has {one} axes, but its input has {two}",
    ),
    _run(
        r"k argument \[(?P<one>-?\d+)\] should not be greater than specified axis dim value "
        r"\[(?P<two>\d+)\]",
        "its k is {one}, but the axis has only {two} values",
    ),
    _run(
        r"'repeat' input tensor must have the same length",
        "it needs one repeat count for each axis of its input",
    ),
    _run(
        r"Split size (?P<one>-?\d+) exceeds the remaining size of the selected axis, "
        r"(?P<two>\d+)",
        "a split has size {one}, but only {two} are left",
    ),
    _run(
        r"split_size_sum \((?P<one>-?\d+)\) != split_dim_size \((?P<two>\d+)\)",
        "its split sizes add up to {one}, but the axis has size {two}",
    ),
    _run(
        r"Cannot split using values in 'split'|Split should be > 0",
        "its split sizes do not add up to the size of the axis",
    ),
    _run(
        r"Scan inputs have inconsistent sequence lengths\. Previous value was (?P<one>\d+) but "
        r"input '(?P<name>[^']*)' dimension \d+ has length of (?P<two>\d+)",
        "its sequence inputs must have the same length, but they have {one} and "
        "{two} ('{name}')",
    ),
    _run(
        r"features_per_batch\[(?P<one>\d+)\] != number of classlabels\[(?P<two>\d+)\]",
        "its input has {one} values per row, but there are {two} labels",
    ),
    _run(
        r"bias tensor's element count must equal B's last dimension \((?P<need>\d+)\), but got "
        r"(?P<have>\d+)",
        "its bias has {have} values, but needs {need}",
    ),
    _run(
        r"per axis quantization, scale must be 1D tensor with size (?P<need>\d+)",
        "its scale must have {need} values, one for each index of the quantized axis",
        LAYER,
    ),
    _run(
        r"Got invalid dimensions for input: (?P<name>.{0,200}?) for the following indices\s+"
        r"index: (?P<axis>\d+) Got: (?P<one>-?\d+) Expected: (?P<two>-?\d+)",
        "axis {axis} of input '{name}' has size {one}, but the model expects {two}",
    ),
    _run(
        r"Invalid rank for input: (?P<name>.{0,200}?) Got: (?P<one>\d+) Expected: (?P<two>\d+)",
        "input '{name}' has {one} axes, but the model expects {two}",
    ),
    _run(
        r"Missing Input: (?P<name>.{0,200}?)(?:\s*$|\n)|Required inputs \(\['(?P<names>[^']*)",
        "an input has no value",
        INPUTS,
    ),
    _run(
        r"Invalid (?:Feed Input|Input|Output) Name|Invalid input name",
        "the model has no input or output with the given name",
        "`inspector info MODEL` lists the names.",
    ),
)
_VALUES = (
    _run(
        r"indices element out of data bounds, idx=(?P<index>-?\d+) must be within[^\[]*"
        r"\[(?P<low>-?\d+), ?(?P<high>-?\d+)\]",
        "its index {index} is out of range ({low} to {high})",
        INDICES,
    ),
    _run(
        r"(?:index|indices).{0,80}?out of (?:data )?(?:bounds|range)",
        "an index is out of range",
        INDICES,
    ),
    _run(
        r"Integer division by zero",
        "integer division by zero",
        "Set nonzero values for the divisor: --input NAME=ones.",
    ),
    _run(
        r"Integer modulo by zero",
        "integer modulo by zero",
        "Set nonzero values for the divisor: --input NAME=ones.",
    ),
    _run(r"'step' value cannot be 0", "its step is 0", INPUTS),
    _run(r"delta in Range operator can not be zero", "its step is 0", INPUTS),
    _run(r"Depth is negative", "its number of classes (depth) is negative", INPUTS),
    _run(
        r"'axes' has (?:a )?duplicate",
        "its list of axes contains a duplicate",
        INPUTS,
    ),
    _run(
        r"Scale value should be greater than|All 'image_shape' values must be positive"
        r"|frame_step must be greater than zero",
        "a size or scale must be greater than zero",
        INPUTS,
    ),
    _run(
        r"'(?P<mode>Linear|Cubic)' mode only supports",
        "mode '{mode}' can resize only two axes, or three of a 5-D tensor",
        INPUTS,
    ),
    _run(
        r"Invalid value/s in sequence_lens.{0,120}?seq_length=(?P<length>\d+)",
        "its sequence lengths must be 0 to {length}",
        INPUTS,
    ),
    _run(
        r"\bsto(?:d|f|i|l|ll|ul|ull)\b",
        "a string that it converts to a number is not a number",
        "Set strings such as 1.5 with --input NAME=VALUE.",
    ),
    _run(
        r"Invalid sequence index \((?P<index>-?\d+)\) specified for sequence of size "
        r"\((?P<length>\d+)\)",
        "its index {index} is out of range for a sequence of {length}",
        INPUTS,
    ),
    _run(
        r"optional type OrtValue which contains no data",
        "it requires an optional value that is absent",
        "Set the optional input with --input NAME=VALUE.",
    ),
    _run(
        r"condition input must have exactly one element|'cond' input should be a scalar|"
        r"'M' input should be a scalar",
        "its condition or trip count must be a single value",
        INPUTS,
    ),
    _run(
        r"inconsistent total_sequence_length",
        "its mask and its cache are for sequences of different lengths",
    ),
    _run(
        r"type float8 should have no zero point",
        "its zero point must be 0 for float8",
        LAYER,
    ),
)
_TOKENIZERS = (
    _rule(
        r"unk_token|vocab(?:ulary)?\b.{0,60}(?:not|fail|empty|invalid)"
        r"|(?:not|fail|empty|invalid).{0,60}\bvocab",
        "its vocabulary is missing, damaged or incomplete",
        "Export the tokenizer again with its full vocabulary.",
    ),
    _rule(
        r"sentencepiece|SentencePieceProcessor",
        "its SentencePiece model cannot be read",
        "Export the tokenizer again with its full vocabulary.",
    ),
    _rule(
        r"regex_error|invalid regex|RE2",
        "its regular expression for splitting text is invalid",
        LAYER,
    ),
)
_LIMITS = (
    _rule(
        r"Only 2b, 4b and 8b quantization is supported",
        "ONNX Runtime supports only 2-, 4- or 8-bit weights here",
        "Quantize the model again with one of these.",
    ),
    _rule(
        r"Non per-tensor quantization is not supported",
        "ONNX Runtime supports only per-tensor quantization here, but the layer has "
        "several zero points",
        "Quantize the model again per tensor instead of per channel.",
    ),
    _rule(
        r"_M_range_check|basic_string|_Map_base::at|map::at|unordered_map|bad_optional_access"
        r"|bad_variant_access|invalid vector subscript",
        "ONNX Runtime hit an unexpected structure in the model",
        EXPORT,
    ),
)
RULES = (
    *_SYSTEM, *_OPERATORS, *_FILES, *_DEVICES, *_ATTRIBUTES, *_TYPES, *_GRAPHS, *_SHAPES,
    *_VALUES, *_TOKENIZERS, *_LIMITS,
)  # fmt: skip
