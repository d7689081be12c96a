"""The one list of actions. Window, command line and documents follow from it.

To add one, write a function from an `EditableModel` and its options to a `Plan` in a module of
this package, and add an `Action` here.
"""

from inspector.conversion.action import Action, Option, OptionKind

_HERE = "inspector.conversion"
PRECISION, STRUCTURE, INTERFACE, FILE = "Precision", "Structure", "Inputs and outputs", "File"

_ALL = (
    Action(
        "float16",
        "Float16",
        "store weights and compute in float16",
        f"{_HERE}.float16:float16",
        (
            Option(
                "keep-io",
                OptionKind.SWITCH,
                "yes",
                "whether inputs and outputs stay float32",
                title="Inputs and outputs stay float32",
            ),
            Option(
                "keep",
                OptionKind.NAMES,
                "",
                "names of layers that stay float32, with '+' between them",
                title="Layers that stay float32",
            ),
        ),
        group=PRECISION,
        exact=False,
    ),
    Action(
        "int8",
        "Int8 (static)",
        "store weights and compute in 8-bit integers, with ranges measured on typical inputs",
        f"{_HERE}.int8:int8",
        (
            Option(
                "per-channel",
                OptionKind.SWITCH,
                "yes",
                "whether each output channel of a weight has its own scale",
                title="A scale for each channel",
            ),
            Option(
                "activations",
                OptionKind.CHOICE,
                "uint8",
                "type of the values between layers",
                ("uint8", "int8", "uint16"),
                title="Type of activations",
            ),
            Option(
                "keep",
                OptionKind.NAMES,
                "",
                "names of layers that stay in float, with '+' between them",
                title="Layers that stay in float",
            ),
            Option(
                "operators",
                OptionKind.NAMES,
                "",
                "the only operators to quantize, as in Conv+MatMul; all by default",
                title="Operators to quantize",
            ),
            Option(
                "weights",
                OptionKind.CHOICE,
                "7bit",
                "7bit: exact and fast on all CPUs; int8: for CPUs with VNNI and NPUs; uint8: "
                "exact but slower",
                ("7bit", "int8", "uint8"),
                title="Form of weights",
            ),
        ),
        calibrates=True,
        group=PRECISION,
        exact=False,
    ),
    Action(
        "opset",
        "Update opset",
        "convert the operators to a newer version of the operator set",
        f"{_HERE}.graph_edits:opset",
        (Option("to", OptionKind.COUNT, "21", "the version", title="Version"),),
        group=STRUCTURE,
        library="onnx",
    ),
    Action(
        "simplify",
        "Simplify",
        "compute what follows from constants, remove layers without effect and duplicates",
        f"{_HERE}.simplify:simplify",
        (
            Option(
                "fold",
                OptionKind.SWITCH,
                "yes",
                "compute layers whose inputs are constants or fixed shapes",
                title="Fold constants",
            ),
            Option(
                "duplicates",
                OptionKind.SWITCH,
                "yes",
                "keep one of weights with equal values",
                title="Merge equal weights",
            ),
        ),
        group=STRUCTURE,
    ),
    Action(
        "ir-version",
        "Change IR version",
        "write another version of the file format, without a change of the graph",
        f"{_HERE}.graph_edits:ir_version",
        (Option("to", OptionKind.COUNT, "10", "the version", title="Version"),),
        group=STRUCTURE,
        advanced=True,
    ),
    Action(
        "extract",
        "Extract part",
        "keep only the layers between some tensors or layers",
        f"{_HERE}.graph_edits:extract",
        (
            Option(
                "outputs",
                OptionKind.NAMES,
                "",
                "tensors or layers where the part ends, with '+' between them",
                title="Ends at",
            ),
            Option(
                "inputs",
                OptionKind.NAMES,
                "",
                "tensors or layers where it begins, with '+' between them",
                title="Begins at",
            ),
        ),
        group=STRUCTURE,
        exact=False,
        advanced=True,
    ),
    Action(
        "split",
        "Split in two",
        "keep the part before or behind a cut; outputs of the first are inputs of the second",
        f"{_HERE}.graph_edits:split",
        (
            Option(
                "at",
                OptionKind.TEXT,
                "",
                "layer or tensor after which to cut",
                title="Cut after",
            ),
            Option(
                "part",
                OptionKind.CHOICE,
                "first",
                "which of the two",
                ("first", "second"),
                title="Part",
            ),
        ),
        group=STRUCTURE,
        exact=False,
        advanced=True,
    ),
    Action(
        "weights-not-inputs",
        "Remove weights from inputs",
        "declare weights as constants, so that runtimes can compute with them in advance",
        f"{_HERE}.interface_edits:weights_not_inputs",
        group=INTERFACE,
    ),
    Action(
        "fix-axes",
        "Fix dynamic axes",
        "give dynamic axes a length, by name or as input[axis]",
        f"{_HERE}.interface_edits:fix_axes",
        (Option("axes", OptionKind.PAIRS, "", "axis=length, ...", title="Lengths"),),
        group=INTERFACE,
    ),
    Action(
        "free-axes",
        "Make axes dynamic",
        "let the caller choose the length of axes, given as input[axis]=name",
        f"{_HERE}.interface_edits:free_axes",
        (Option("axes", OptionKind.PAIRS, "", "input[axis]=name, ...", title="Names"),),
        group=INTERFACE,
    ),
    Action(
        "rename",
        "Rename inputs and outputs",
        "give inputs, outputs or inner tensors other names",
        f"{_HERE}.interface_edits:rename",
        (Option("names", OptionKind.PAIRS, "", "old=new, ...", title="Names"),),
        group=INTERFACE,
    ),
    Action(
        "rename-axes",
        "Rename axes",
        "give dynamic axes other names",
        f"{_HERE}.interface_edits:rename_axes",
        (Option("names", OptionKind.PAIRS, "", "old=new, ...", title="Names"),),
        group=INTERFACE,
        advanced=True,
    ),
    Action(
        "rename-layers",
        "Rename layers",
        "give layers other names",
        f"{_HERE}.interface_edits:rename_layers",
        (Option("names", OptionKind.PAIRS, "", "old=new, ...", title="Names"),),
        group=INTERFACE,
        advanced=True,
    ),
    Action(
        "metadata",
        "Edit metadata",
        "set entries of the metadata; an empty value removes one",
        f"{_HERE}.interface_edits:metadata",
        (Option("entries", OptionKind.PAIRS, "", "name=value, ...", title="Entries"),),
        group=INTERFACE,
        advanced=True,
    ),
    Action(
        "strip",
        "Strip",
        "remove documentation, training information and debug metadata",
        f"{_HERE}.graph_edits:strip",
        (
            Option(
                "documentation", OptionKind.SWITCH, "yes", "doc strings", title="Documentation"
            ),
            Option(
                "training",
                OptionKind.SWITCH,
                "yes",
                "training information",
                title="Training information",
            ),
            Option(
                "debug",
                OptionKind.SWITCH,
                "yes",
                "metadata of layers and values, such as stack traces",
                title="Debug metadata",
            ),
            Option(
                "shapes",
                OptionKind.SWITCH,
                "no",
                "shapes of inner values, which tools show",
                title="Shapes of inner values",
            ),
        ),
        group=FILE,
    ),
    Action(
        "external-data",
        "Weights beside the model",
        "keep the weights in a file of their own, which models over 2 GB need",
        f"{_HERE}.graph_edits:external_data",
        group=FILE,
    ),
    Action(
        "one-file",
        "One file",
        "put weights that are in other files into the model",
        f"{_HERE}.graph_edits:one_file",
        group=FILE,
    ),
)
ACTIONS: dict[str, Action] = {action.id: action for action in _ALL}
