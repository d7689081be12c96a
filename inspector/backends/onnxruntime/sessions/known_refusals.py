"""Known refusals of ONNX Runtime: a pattern of the message, and plain words for it.

The first rule that fits counts. Messages are those of ONNX Runtime 1.20 to 1.32
(https://github.com/microsoft/onnxruntime, onnxruntime/core) and of onnx's inference of types
and shapes (https://github.com/onnx/onnx, onnx/defs), which speaks through it.
"""

import re
from dataclasses import dataclass

from inspector.backends.base import DISK_HINT, MEMORY_HINT

EXPORT = (
    "Export the model again; `inspector info MODEL --validate` shows which other programs "
    "take it."
)
LAYER = "Look at the layer's inputs and attributes in Graph, and export the model again."
SHAPES = (
    "Give the dynamic axes other sizes with --dim NAME=N, or the inputs other values with "
    "--input NAME=VALUE; the layer's shapes are in Graph."
)
INDICES = (
    "Give the input that holds indices, such as tokens or classes, smaller values: "
    "--input NAME=zeros."
)
INPUTS = (
    "Give the inputs other values with --input NAME=VALUE; the layer's inputs are in Graph."
)
CAST = "Insert a Cast before the layer, or export the model again."
WEIGHTS = "The file is damaged: download or export it again."
LIBRARY = "Install what it needs; `inspector devices` lists them all with what they lack."
OPTIONS = "Look up the device's options in ONNX Runtime's documentation, or leave them out."


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


_DIMS = r"\{(?P<shape>[-\d,]*)\}"
_OTHER_DIMS = r"\{(?P<other_shape>[-\d,]*)\}"
_SYSTEM = (
    _rule(
        r"bad_alloc|failed to allocate memory|unable to allocate|not enough memory"
        r"|out of memory|std::length_error|array is too big",
        "there was not enough memory",
        MEMORY_HINT,
    ),
    _rule(
        r"No space left on device|Disk quota exceeded|Read-only file system|File too large",
        "there was no room for temporary files",
        DISK_HINT,
    ),
    _rule(r"Exiting due to terminate flag", "it was stopped", "Start it again."),
    _rule(r"Load.{0,40}cancel", "it was stopped", "Start it again."),
)
_OPERATORS = (
    _rule(
        r"(?P<domain>ai\.onnx\.contrib|com\.microsoft\.extensions):(?P<operator>\w+)\(-?\d+\) "
        r"is not a registered",
        "the runtime does not know its operator {operator} of the domain '{domain}'",
        "Install the package that has it: pip install onnxruntime-extensions.",
    ),
    _rule(
        r"(?<![\w.])(?:ai\.onnx(?:\.\w+)?|com\.microsoft)?:(?P<operator>\w+)\(-?\d+\) "
        r"is not a registered",
        "the runtime does not know its operator {operator}",
        "A later onnxruntime, or its training build, may have it.",
    ),
    _rule(
        r"(?P<domain>[^\s:]*):(?P<operator>\w+)\(-?\d+\) is not a registered",
        "the runtime does not know its operator {operator} of the domain '{domain}'",
        "It is an operator of somebody's own; the library that has it is not loaded.",
    ),
    _rule(
        r"In Node, \([^()]*?, (?P<operator>\w+), .*No opset import for domain "
        r"'(?P<domain>[^']*)'",
        "its operator {operator} is of the domain '{domain}', which it does not import",
        "Export the model again with all operator sets that it uses.",
    ),
    _rule(
        r"No opset import for domain '?(?P<domain>[\w.]*)'?",
        "one of its operators is of the domain '{domain}', which it does not import",
        "Export the model again with all operator sets that it uses.",
    ),
    _rule(
        r"Op registered for (?P<operator>\w+) is deprecated in domain_version of "
        r"(?P<version>\d+)",
        "its operator {operator} is deprecated in opset {version}, which no longer has it",
        "Export the model again; a lower opset, or another operator, is what it needs.",
    ),
    _rule(
        r"(?:Could not find an implementation|Failed to find kernel) for "
        r"(?P<operator>[\w.]+)\((?P<version>\d+)\)",
        "no device asked for implements {operator} (opset {version}) for the types it has here",
        "Convert the model to another precision, or choose another device.",
    ),
    _rule(
        r"Opset (?P<version>\d+) is under development.*till opset (?P<latest>\d+)",
        "it needs opset {version}, and this runtime reads up to {latest}",
        "Export it again with opset {latest} or lower, or update onnxruntime.",
    ),
    _rule(
        r"Unsupported model IR version: (?P<version>\d+), max supported IR version: "
        r"(?P<latest>\d+)",
        "it is written as IR version {version}, and this runtime reads up to {latest}",
        "Save it again with an older onnx package, or update onnxruntime.",
    ),
)
_FILES = (
    _rule(
        r"External data path does not exist: \"(?:[^\"]*[\\/])?(?P<file>[^\"\\/]*)\"",
        "its weights file {file} is missing",
        "Put it beside the model, under the name it had when the model was saved.",
    ),
    _rule(
        r"External data path escapes model directory|Absolute path not allowed for external",
        "its weights lie outside the model's folder",
        "Save the model again with its weights beside it.",
    ),
    _rule(
        r"TensorProto: (?P<name>.{0,200}?) external data size mismatch\. Computed size: "
        r"(?P<bytes>\d+), external_data\.length: (?P<written>\d+)",
        "its weight '{name}' takes {bytes} bytes, and the model says that {written} are in the "
        "weights file",
        WEIGHTS,
    ),
    _rule(
        r"External initializer: (?P<name>.{0,200}?) offset: .{0,80}? are out of bounds",
        "its weight '{name}' lies beyond the end of the weights file",
        "The weights file is cut off or another one: download it again.",
    ),
    _rule(
        r"Initializer '(?P<name>.{0,200}?)': data field count \((?P<count>\d+)\) does not "
        r"match expected count from shape \((?P<other>\d+)\)",
        "its weight '{name}' has {count} values, and its shape needs {other}",
        WEIGHTS,
    ),
    _rule(
        r"tensor shape size ?\((?P<other>\d+)\) does not match the data size "
        r"?\((?P<count>\d+)\)",
        "one of its weights has {count} values, and its shape needs {other}",
        WEIGHTS,
    ),
    _rule(
        r"Random-access reads require a regular file",
        "its weights file is a folder or a device",
        "Put the weights file beside the model, under the name it had at the time of saving.",
    ),
    _rule(
        r"Failed to parse value: \"",
        "a place in its weights file is not written as a number",
        WEIGHTS,
    ),
    _rule(
        r"Protobuf parsing failed|model format error|No graph was found in the protobuf"
        r"|ModelProto does not have a graph",
        "it is not a whole ONNX model",
        "Download or export it again.",
    ),
    _rule(
        r"codec can't decode",
        "its names are not UTF-8 text",
        "Export it again with valid names.",
    ),
    _rule(
        r"Missing opset in the model",
        "it does not say of which operator set (opset) its operators are",
        "Export it again, or add an opset import with the onnx package.",
    ),
    _rule(
        r"Missing model IR version",
        "it does not say its IR version",
        "Save it again with the onnx package.",
    ),
)
_DEVICES = (
    _rule(
        r"Failed to get a WebGPU adapter",
        "no graphics driver offers what WebGPU needs (Vulkan, Direct3D 12 or Metal)",
        "Install or update the card's driver; on Linux also the Vulkan loader, libvulkan1.",
    ),
    _rule(
        r"Failed to construct locale with name:(?P<locale>[\w.@-]+?):",
        "it asks for the locale {locale}, which this system does not have",
        "Install the system's language pack of that locale.",
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
        "a library of the device is of another release than it needs",
        "Install the releases that go together; `inspector devices` lists what there is.",
    ),
    _rule(
        r"(?:no CUDA-capable device|CUDA driver version is insufficient|CUDA failure 100\b"
        r"|CUDA failure 35\b)",
        "NVIDIA's driver finds no card, or is older than CUDA needs",
        "Install or update the card's driver; `nvidia-smi` tells whether it works.",
    ),
    _rule(
        r"(?:CUDA|CUDNN|CUBLAS|HIP|MIOPEN|ROCBLAS) failure (?P<code>\d+): "
        r"(?P<said>[^;\n]{1,80})",
        "the card's library failed (code {code}: {said})",
        "Predict on the CPU to see whether the model is to blame; then update the driver.",
    ),
    _rule(
        r"(?:Unknown|Invalid|Unsupported|unrecognized) (?:\w+ )?(?:provider )?option"
        r"[^\w\n]{1,4}(?P<option>[\w.]+)",
        "the device has no option '{option}', or not with that value",
        OPTIONS,
    ),
    _rule(
        r"(?:provider|EP) option.{0,60}?(?:invalid|not valid|must be|unknown|not supported)",
        "the device does not take one of the options that it was given",
        OPTIONS,
    ),
    _rule(
        r"Specified provider '(?P<provider>\w+)' is not in available",
        "the installed onnxruntime does not have {provider}",
        "Install the package that has it; `inspector devices` tells which.",
    ),
)
_ATTRIBUTES = (
    _rule(
        r"Unrecognized attribute: (?P<attribute>\S{1,80}) for operator (?P<operator>\w+)",
        "{operator} has no attribute '{attribute}' in the opset that it imports",
        "Export the model again for an opset that has the attribute, or leave it out.",
    ),
    _rule(
        r"Mismatched attribute type in '[^']*? ?: (?P<attribute>\w+)'\. "
        r"Expected: '(?P<wanted>\w+)', actual: '(?P<given>\w+)'",
        "its attribute '{attribute}' is of type {given}, and must be {wanted}",
        LAYER,
    ),
    _rule(
        r"type field and data field mismatch in attribute (?P<attribute>\w+)",
        "its attribute '{attribute}' holds another type than it says",
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
        "its number of {kind}puts is {count}, and the operator has {least}",
        LAYER,
    ),
    _rule(
        r"has (?P<kind>in|out)put size (?P<count>\d+) not in range \[min=(?P<least>\d+), "
        r"max=\d{9,}\]",
        "its number of {kind}puts is {count}, and the operator has {least} or more",
        LAYER,
    ),
    _rule(
        r"has (?P<kind>in|out)put size (?P<count>\d+) not in range \[min=(?P<least>\d+), "
        r"max=(?P<most>\d+)\]",
        "its number of {kind}puts is {count}, and the operator has {least} to {most}",
        LAYER,
    ),
    _rule(
        r"clip_ > 0\.f was false",
        "its attribute 'clip' must be greater than 0",
        LAYER,
    ),
    _rule(
        r"Batchwise recurrent operations \(layout == 1\) are not supported",
        "ONNX Runtime does not run recurrent layers whose first axis is the batch (layout 1)",
        "Export it again with layout 0: the sequence first, then the batch.",
    ),
    _rule(
        r"(?P<one>\w+) and (?P<two>\w+) must have the same size, got (?P<a>\d+) and (?P<b>\d+)",
        "its attributes '{one}' and '{two}' differ in length: {a} and {b}",
        LAYER,
    ),
    _rule(
        r"(?P<attribute>\w+) attribute size \((?P<have>\d+)\) is smaller than expected "
        r"\((?P<need>\d+)\)",
        "its attribute '{attribute}' has {have} values and needs {need}",
        LAYER,
    ),
    _rule(
        r"Pad should be smaller than kernel",
        "its padding is as large as its window, or larger",
        LAYER,
    ),
    _rule(
        r"Neither 'split' input nor 'num_outputs' attribute has been given",
        "nothing says into how many parts it splits",
        LAYER,
    ),
    _rule(
        r"fmod attribute must be true for floating",
        "on real numbers its attribute 'fmod' must be 1",
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
        "its input '{name}' is {type}, which {operator} does not take",
        CAST,
    ),
    _rule(
        r"Type parameter \(\w+\) of Optype \((?P<operator>\w+)\) bound to different types "
        r"\((?P<type>\S+\)) and (?P<other_type>\S+\))",
        "inputs of {operator} that must be of one type are {type} and {other_type}",
        CAST,
    ),
    _rule(
        r"Type \((?P<type>\S+\))\) of output arg \((?P<name>[^)]*)\) of node \([^)]*\) does "
        r"not match expected type \((?P<other_type>\S+?\))\)",
        "its output '{name}' is declared as {type}, and is {other_type}",
        EXPORT,
    ),
    _rule(
        r"element type.{0,12}inferred=(?P<type>\w+) declared=(?P<other_type>\w+)",
        "its output is {type}, where {other_type} is declared or comes of another branch",
        EXPORT,
    ),
    _rule(
        r"Input element type of (?P<type>\d+) does not match existing output type of "
        r"(?P<other_type>\d+)",
        "its body takes {other_type} and gives {type} back",
        LAYER,
    ),
    _rule(
        r"If node has (?P<count>\d+) but subgraphs produce (?P<other>\d+)",
        "its number of outputs is {count}, and its branches give {other}",
        LAYER,
    ),
    _rule(
        r"validating subgraph inputs\. Got (?P<count>\d+) inputs but subgraph has "
        r"(?P<other>\d+)",
        "its body is given {count} inputs, and takes {other}",
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
        "an input is given {type}, and the model takes {other_type}",
        "Give it values of that type: --cast does it for real numbers.",
    ),
)
_GRAPHS = (
    _rule(
        r"graph is not acyclic",
        "its layers form a circle: one needs what comes of its own output",
        EXPORT,
    ),
    _rule(
        r"two nodes with same node name \((?P<name>.{0,200}?)\)",
        "two of its layers are called '{name}'",
        "Give its layers different names, for example by saving it from Python with onnx.",
    ),
    _rule(
        r"Duplicate definition of name \((?P<name>.{0,200}?)\)",
        "two of its layers give a tensor called '{name}'",
        EXPORT,
    ),
    _rule(
        r"Duplicate definition-site for \((?P<name>.{0,200}?)\)",
        "two of its inputs or layers give a tensor called '{name}'",
        EXPORT,
    ),
    _rule(
        r"(?:Node input|topologically sorted, however input) '(?P<name>.{0,200}?)' "
        r"(?:is not a graph input, initializer|of node)",
        "a layer needs the tensor '{name}', which no input, weight or earlier layer gives",
        EXPORT,
    ),
    _rule(
        r"Node \(.{0,200}?\)'s input (?P<place>\d+) is marked single but has an empty string",
        "its input {place} has no name, and the operator needs it",
        EXPORT,
    ),
    _rule(
        r"At least one output should be requested",
        "it has no outputs",
        EXPORT,
    ),
    _rule(
        r"Input (?P<place>\d+) expected to have type but instead is null",
        "the type of its input {place} is unknown: no input, weight or earlier layer gives it",
        EXPORT,
    ),
    _rule(
        r"Axis has less than the requested k elements",
        "it asks for more of the largest values (k) than its axis has",
        LAYER,
    ),
    _rule(
        r"Input 'depth' must be non-negative",
        "its input 'depth' is negative",
        LAYER,
    ),
    _rule(
        r"Number of input tensors does not match the operands in the equation",
        "its equation names another number of inputs than it has",
        LAYER,
    ),
    _rule(
        r"center_point_box only support 0 or 1",
        "its attribute 'center_point_box' is neither 0 nor 1",
        LAYER,
    ),
    _rule(
        r"Graph output \((?P<name>.{0,200}?)\) does not exist in the graph",
        "no layer gives its output '{name}'",
        EXPORT,
    ),
    _rule(
        r"function definitions must not be recursive\. Cycle detected: (?P<name>\S+)",
        "its function {name} calls itself, at once or through others",
        EXPORT,
    ),
    _rule(
        r"Duplicate model-local function(?: identifier)?: (?P<name>\S+)",
        "two of its functions are called {name}",
        EXPORT,
    ),
    _rule(
        r"NodeProto for Constant should have 1 output",
        "a Constant of it has no output, or several",
        EXPORT,
    ),
    _rule(
        r"references an ORT in-memory address marker",
        "a Constant of it holds an address in memory in place of values",
        "Do not trust this file: no exporter writes it.",
    ),
    _rule(
        r"OrtValue indexes should have been populated",
        "its graph is empty: there is no layer to run",
        "Choose another model, or export it again.",
    ),
    _rule(
        r"Initializer '(?P<name>.{0,200}?)': .{0,40}?size \((?P<have>\d+) bytes\) does not "
        r"match expected size from shape and data type \((?P<need>\d+) bytes\)",
        "its weight '{name}' holds {have} bytes, and its shape needs {need}",
        WEIGHTS,
    ),
    _rule(
        r"Out of bounds dimensions in TypeProto_Tensor|Invalid shape for tensor proto",
        "one of its tensors has an axis whose length is negative or too large",
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
        "its input has no axis {axis} (it may be {low} to {high})",
    ),
    _run(
        r"'axis' must be in \[(?P<low>-?\d+) ?, ?(?P<high>-?\d+)\]\. Its actual value is: "
        r"(?P<axis>-?\d+)",
        "its input has no axis {axis} (it may be {low} to {high})",
    ),
    _run(
        rf"reshaped to the requested shape\. Input shape:{_DIMS}, "
        rf"requested shape:{_OTHER_DIMS}",
        "it cannot bring {shape} into the shape {other_shape}",
    ),
    _run(
        r"At most one dimension can be -1",
        "its target shape leaves more than one length open (-1)",
        INPUTS,
    ),
    _run(
        r"dimension with value zero exceeds the dimension size",
        "its target shape copies the length of an axis that its input does not have",
    ),
    _run(
        r"broadcast an axis by a dimension other than 1\. (?P<one>\d+) by (?P<two>\d+)",
        "the shapes of its inputs do not fit: an axis has length {one} in one and {two} in the "
        "other",
    ),
    _run(
        r"Dimension mismatch in unification between (?P<one>\d+) and (?P<two>\d+)",
        "the shapes of its inputs do not fit: an axis has length {one} in one and {two} in the "
        "other",
    ),
    _run(
        r"operands could not be broadcast together|Incompatible dimensions(?! for matrix)",
        "the shapes of its inputs do not fit together",
    ),
    _run(
        r"Incompatible dimensions for matrix multiplication|MatMul dimension mismatch"
        r"|Gemm: Dimension mismatch|GEMM: Dimension mismatch",
        "its inputs cannot be multiplied: the columns of one are not the rows of the other",
    ),
    _run(
        r"Axis (?P<axis>\d+) has mismatched dimensions of (?P<one>\d+) and (?P<two>\d+)",
        "its inputs differ in axis {axis}, {one} and {two} long, and can only be put together "
        "along another",
    ),
    _run(
        r"inputs to Concat must have same rank|Ranks of input data are different",
        "its inputs have different numbers of axes",
    ),
    _run(
        r"Both inferred and declared dimension have values but they differ\. "
        r"Inferred=(?P<one>\d+) Declared=(?P<two>\d+) Dimension=(?P<axis>\d+)",
        "axis {axis} of its output is {one} long, and the model declares {two}",
        EXPORT,
    ),
    _run(
        r"inferred and declared dimensions\. inferred=(?P<one>\d+) declared=(?P<two>\d+)",
        "its output has {one} axes, and the model declares {two}",
        EXPORT,
    ),
    _run(
        r"Inputs? (?P<name>'?\w+'?) (?:shall be|is expected to have) (?P<need>\d+) dimensions?"
        r"(?:, got (?P<have>\d+))?",
        "its input {name} must have {need} axes",
    ),
    _run(
        r"(?P<name>\w+) is expected to have (?P<need>\d+) dimensions?, got (?P<have>\d+)",
        "its input {name} has {have} axes, and must have {need}",
    ),
    _run(
        r"Input '?(?P<name>\w+)'? (?:is expected to|must) have shape \{(?P<shape>[-\d,]+)\}"
        r"(?: or \{[-\d,]+\})?[.,] ?(?:Actual: ?|got )\{(?P<other_shape>[-\d,]+)\}",
        "its input {name} is {other_shape}, and must be {shape}",
    ),
    _run(
        r"Input channels C is not equal to kernel channels \* group\. C: (?P<have>\d+) kernel "
        r"channels: (?P<need>\d+) group: (?P<group>\d+)",
        "the channels of its input are {have}, and its weights take {need} (groups: {group})",
    ),
    _run(
        rf"Invalid input shape: {_DIMS}",
        "its input ({shape}) is too small for its window",
    ),
    _run(
        r"invalid expand shape",
        "its input cannot be expanded to the shape asked for",
    ),
    _run(
        r"Dimension of input (?P<axis>\d+) must be 1 instead of (?P<have>\d+)",
        "axis {axis} of its input is {have} long, and only axes of length 1 can be removed",
    ),
    _run(
        r"perm size: (?P<one>\d+) does not match input rank: (?P<two>\d+)",
        "it orders {one} axes, and its input has {two}",
    ),
    _run(
        r"k argument \[(?P<one>-?\d+)\] should not be greater than specified axis dim value "
        r"\[(?P<two>\d+)\]",
        "it picks the {one} largest of {two} values",
    ),
    _run(
        r"'repeat' input tensor must have the same length",
        "its repetitions are not as many as its input has axes",
    ),
    _run(
        r"Split size (?P<one>-?\d+) exceeds the remaining size of the selected axis, "
        r"(?P<two>\d+)",
        "it splits off {one} where {two} are left",
    ),
    _run(
        r"split_size_sum \((?P<one>-?\d+)\) != split_dim_size \((?P<two>\d+)\)",
        "its parts add up to {one}, and the axis is {two} long",
    ),
    _run(
        r"Cannot split using values in 'split'|Split should be > 0",
        "its parts do not add up to the length of the axis",
    ),
    _run(
        r"Scan inputs have inconsistent sequence lengths\. Previous value was (?P<one>\d+) but "
        r"input '(?P<name>[^']*)' dimension \d+ has length of (?P<two>\d+)",
        "it goes through its inputs together, and they are {one} and {two} long ('{name}')",
    ),
    _run(
        r"features_per_batch\[(?P<one>\d+)\] != number of classlabels\[(?P<two>\d+)\]",
        "its input has {one} values in a row, and there are {two} labels",
    ),
    _run(
        r"bias tensor's element count must equal B's last dimension \((?P<need>\d+)\), but got "
        r"(?P<have>\d+)",
        "its bias has {have} values and needs {need}",
    ),
    _run(
        r"per axis quantization, scale must be 1D tensor with size (?P<need>\d+)",
        "its scale must have {need} values, one for each index of the quantized axis",
        LAYER,
    ),
    _run(
        r"Got invalid dimensions for input: (?P<name>.{0,200}?) for the following indices\s+"
        r"index: (?P<axis>\d+) Got: (?P<one>-?\d+) Expected: (?P<two>-?\d+)",
        "axis {axis} of input '{name}' is {one} long, and the model takes {two}",
    ),
    _run(
        r"Invalid rank for input: (?P<name>.{0,200}?) Got: (?P<one>\d+) Expected: (?P<two>\d+)",
        "input '{name}' has {one} axes, and the model takes {two}",
    ),
    _run(
        r"Missing Input: (?P<name>.{0,200}?)(?:\s*$|\n)|Required inputs \(\['(?P<names>[^']*)",
        "an input has no value",
        INPUTS,
    ),
    _run(
        r"Invalid (?:Feed Input|Input|Output) Name|Invalid input name",
        "the model has no input or output of a name that was given",
        "Look up its names: `inspector info MODEL` lists them.",
    ),
)
_VALUES = (
    _run(
        r"indices element out of data bounds, idx=(?P<index>-?\d+) must be within[^\[]*"
        r"\[(?P<low>-?\d+), ?(?P<high>-?\d+)\]",
        "its index {index} is outside {low} to {high}",
        INDICES,
    ),
    _run(
        r"(?:index|indices).{0,80}?out of (?:data )?(?:bounds|range)",
        "an index is outside its input",
        INDICES,
    ),
    _run(
        r"Integer division by zero",
        "it divides whole numbers by zero",
        "Give the input that it divides by other values than zero: --input NAME=ones.",
    ),
    _run(
        r"Integer modulo by zero",
        "it takes the remainder of a division by zero",
        "Give the input that it divides by other values than zero: --input NAME=ones.",
    ),
    _run(r"'step' value cannot be 0", "its step is 0", INPUTS),
    _run(r"delta in Range operator can not be zero", "its step is 0", INPUTS),
    _run(r"Depth is negative", "the number of its classes (depth) is negative", INPUTS),
    _run(
        r"'axes' has (?:a )?duplicate",
        "its list of axes has one twice",
        INPUTS,
    ),
    _run(
        r"Scale value should be greater than|All 'image_shape' values must be positive"
        r"|frame_step must be greater than zero",
        "a size or a scale that it is given must be greater",
        INPUTS,
    ),
    _run(
        r"'(?P<mode>Linear|Cubic)' mode only supports",
        "it can resize in the mode '{mode}' along two axes only, or three with five in all",
        INPUTS,
    ),
    _run(
        r"Invalid value/s in sequence_lens.{0,120}?seq_length=(?P<length>\d+)",
        "its sequence lengths must be 0 to {length}",
        INPUTS,
    ),
    _run(
        r"\bsto(?:d|f|i|l|ll|ul|ull)\b",
        "a text that it reads as a number is none",
        "Give the input texts such as 1.5 with --input NAME=VALUE.",
    ),
    _run(
        r"Invalid sequence index \((?P<index>-?\d+)\) specified for sequence of size "
        r"\((?P<length>\d+)\)",
        "it takes element {index} of a sequence of {length}",
        INPUTS,
    ),
    _run(
        r"optional type OrtValue which contains no data",
        "it needs an optional value that is absent",
        "Give the optional input a value with --input NAME=VALUE.",
    ),
    _run(
        r"condition input must have exactly one element|'cond' input should be a scalar|"
        r"'M' input should be a scalar",
        "its condition or its count must be one value, and is several",
        INPUTS,
    ),
    _run(
        r"inconsistent total_sequence_length",
        "its mask and its cache are for sequences of different lengths",
    ),
    _run(
        r"type float8 should have no zero point",
        "its zero point must be 0 for the type float8",
        LAYER,
    ),
)
_TOKENIZERS = (
    _rule(
        r"unk_token|vocab(?:ulary)?\b.{0,60}(?:not|fail|empty|invalid)"
        r"|(?:not|fail|empty|invalid).{0,60}\bvocab",
        "its vocabulary is missing, damaged, or lacks a token that it needs",
        "Export the tokenizer again with its whole vocabulary.",
    ),
    _rule(
        r"sentencepiece|SentencePieceProcessor",
        "its SentencePiece model cannot be read",
        "Export the tokenizer again with its whole vocabulary.",
    ),
    _rule(
        r"regex_error|invalid regex|RE2",
        "a pattern that it splits texts by is not valid",
        LAYER,
    ),
)
_LIMITS = (
    _rule(
        r"Only 2b, 4b and 8b quantization is supported",
        "ONNX Runtime takes weights of 2, 4 or 8 bits here",
        "Quantize the model again to one of those.",
    ),
    _rule(
        r"Non per-tensor quantization is not supported",
        "ONNX Runtime takes one zero point for all of its weights, and it has several",
        "Quantize the model again by tensor instead of by channel.",
    ),
    _rule(
        r"_M_range_check|basic_string|_Map_base::at|map::at|unordered_map|bad_optional_access"
        r"|bad_variant_access|invalid vector subscript",
        "ONNX Runtime came upon something in the model that it does not expect",
        EXPORT,
    ),
)
RULES = (
    *_SYSTEM, *_OPERATORS, *_FILES, *_DEVICES, *_ATTRIBUTES, *_TYPES, *_GRAPHS, *_SHAPES,
    *_VALUES, *_TOKENIZERS, *_LIMITS,
)  # fmt: skip
