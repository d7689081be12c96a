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
        "opset",
        "Update opset",
        "convert the operators to a newer version of the operator set",
        f"{_HERE}.graph_edits:opset",
        (Option("to", OptionKind.COUNT, "21", "the version", title="Version"),),
        group=STRUCTURE,
        library="onnx",
    ),
)
ACTIONS: dict[str, Action] = {action.id: action for action in _ALL}
