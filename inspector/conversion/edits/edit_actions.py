"""The actions that edit a graph: single layers, weights, and the types of its ends."""

from inspector.conversion.action import INTERFACE, LAYERS, Action, Option, OptionKind

_HERE = "inspector.conversion.edits"
SET_ATTRIBUTE = "set-attribute"
DELETE_LAYER = "delete-layer"
INSERT_LAYER = "insert-layer"
REPLACE_LAYER = "replace-layer"
SET_WEIGHT = "set-weight"
SET_TYPES = "set-types"
BYPASS = "bypass"
REMOVE = "remove"

_LAYER = Option(
    "layer", OptionKind.TEXT, "", "name, output or number of the layer", title="Layer"
)

EDIT_ACTIONS = (
    Action(
        SET_TYPES,
        "Change types of inputs and outputs",
        "give inputs and outputs other types, converted by Cast layers in the model",
        f"{_HERE}.type_edits:set_types",
        (Option("types", OptionKind.PAIRS, "", "name=type, ...", title="Types"),),
        group=INTERFACE,
        exact=False,
        edits=True,
    ),
    Action(
        SET_WEIGHT,
        "Replace weight",
        "take the values of a weight from a NumPy file (.npy)",
        f"{_HERE}.weight_edits:set_weight",
        (
            Option("weight", OptionKind.TEXT, "", "name of the weight", title="Weight"),
            Option(
                "file",
                OptionKind.FILE,
                "",
                "NumPy file with an array of the weight's shape",
                title="File",
            ),
        ),
        group=LAYERS,
        exact=False,
        advanced=True,
        edits=True,
    ),
    Action(
        SET_ATTRIBUTE,
        "Set attribute",
        "set an attribute of a layer; an empty value removes it",
        f"{_HERE}.layer_edits:set_attribute",
        (
            _LAYER,
            Option("name", OptionKind.TEXT, "", "name of the attribute", title="Attribute"),
            Option("value", OptionKind.TEXT, "", "value in JSON, such as [1,1]", title="Value"),
        ),
        group=LAYERS,
        exact=False,
        advanced=True,
        edits=True,
    ),
    Action(
        DELETE_LAYER,
        "Delete layer",
        "remove a layer; the layers after it use its first input, or are removed, too",
        f"{_HERE}.layer_edits:delete_layer",
        (
            Option(
                "layer",
                OptionKind.TEXT,
                "",
                "name, output or number of the layer; several separated by '+'",
                title="Layer",
            ),
            Option(
                "after",
                OptionKind.CHOICE,
                BYPASS,
                "bypass: the layers after it use its first input; remove: they go, too, and "
                "so do layers whose results nobody uses then",
                (BYPASS, REMOVE),
                title="Layers after it",
            ),
        ),
        group=LAYERS,
        exact=False,
        keeps_ends=False,
        advanced=True,
        edits=True,
    ),
    Action(
        INSERT_LAYER,
        "Insert layer",
        "add a layer after a tensor or layer",
        f"{_HERE}.layer_edits:insert_layer",
        (
            Option(
                "operator", OptionKind.TEXT, "", "operator, such as Softmax", title="Operator"
            ),
            Option("after", OptionKind.TEXT, "", "tensor or layer", title="After"),
            Option("name", OptionKind.TEXT, "", "name of the new layer", title="Name"),
            Option(
                "attributes",
                OptionKind.TEXT,
                "",
                'attributes in JSON: {"axis":1}',
                title="Attributes",
            ),
            Option("inputs", OptionKind.NAMES, "", "further input tensors", title="Inputs"),
        ),
        group=LAYERS,
        exact=False,
        advanced=True,
        edits=True,
    ),
    Action(
        REPLACE_LAYER,
        "Replace layer",
        "change the operator of a layer; its inputs and outputs stay",
        f"{_HERE}.layer_edits:replace_layer",
        (
            _LAYER,
            Option(
                "operator",
                OptionKind.TEXT,
                "",
                "new operator, such as HardSwish",
                title="Operator",
            ),
            Option(
                "attributes",
                OptionKind.TEXT,
                "",
                'attributes in JSON: {"alpha":0.1}',
                title="Attributes",
            ),
        ),
        group=LAYERS,
        exact=False,
        advanced=True,
        edits=True,
    ),
)
