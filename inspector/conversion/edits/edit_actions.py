"""The actions that edit a graph: single layers, weights, and the types of its ends."""

from functools import partial

from inspector.conversion.action import INTERFACE, LAYERS, Action, OptionKind

_HERE = "inspector.conversion.edits"
_of_layers = partial(Action, group=LAYERS, exact=False, advanced=True, edits=True)
SET_ATTRIBUTE = "set-attribute"
DELETE_LAYER = "delete-layer"
INSERT_LAYER = "insert-layer"
REPLACE_LAYER = "replace-layer"
SET_WEIGHT = "set-weight"
SET_TYPES = "set-types"
BYPASS = "bypass"
REMOVE = "remove"

_LAYER = OptionKind.TEXT.option("layer", "Layer", "name, output or number of the layer")

EDIT_ACTIONS = (
    Action(
        SET_TYPES,
        "Change types of inputs and outputs",
        "give inputs and outputs other types, converted by Cast layers in the model",
        f"{_HERE}.type_edits:set_types",
        (OptionKind.PAIRS.option("types", "Types", "name=type, ..."),),
        group=INTERFACE,
        exact=False,
        edits=True,
    ),
    _of_layers(
        SET_WEIGHT,
        "Replace weight",
        "take the values of a weight from a NumPy file (.npy)",
        f"{_HERE}.weight_edits:set_weight",
        (
            OptionKind.TEXT.option("weight", "Weight", "name of the weight"),
            OptionKind.FILE.option(
                "file", "File", "NumPy file with an array of the weight's shape"
            ),
        ),
    ),
    _of_layers(
        SET_ATTRIBUTE,
        "Set attribute",
        "set an attribute of a layer; an empty value removes it",
        f"{_HERE}.layer_edits:set_attribute",
        (
            _LAYER,
            OptionKind.TEXT.option("name", "Attribute", "name of the attribute"),
            OptionKind.TEXT.option("value", "Value", "value in JSON, such as [1,1]"),
        ),
    ),
    _of_layers(
        DELETE_LAYER,
        "Delete layer",
        "remove a layer; the layers after it use its first input, or are removed, too",
        f"{_HERE}.layer_edits:delete_layer",
        (
            OptionKind.TEXT.option(
                "layer",
                "Layer",
                "name, output or number of the layer; several separated by '+'",
            ),
            OptionKind.CHOICE.option(
                "after",
                "Layers after it",
                "bypass: the layers after it use its first input; remove: they go, too, and "
                "so do layers whose results nobody uses then",
                choices=(BYPASS, REMOVE),
            ),
        ),
        keeps_ends=False,
    ),
    _of_layers(
        INSERT_LAYER,
        "Insert layer",
        "add a layer after a tensor or layer",
        f"{_HERE}.layer_edits:insert_layer",
        (
            OptionKind.TEXT.option("operator", "Operator", "operator, such as Softmax"),
            OptionKind.TEXT.option("after", "After", "tensor or layer"),
            OptionKind.TEXT.option("name", "Name", "name of the new layer"),
            OptionKind.TEXT.option(
                "attributes", "Attributes", 'attributes in JSON: {"axis":1}'
            ),
            OptionKind.NAMES.option("inputs", "Inputs", "further input tensors"),
        ),
    ),
    _of_layers(
        REPLACE_LAYER,
        "Replace layer",
        "change the operator of a layer; its inputs and outputs stay",
        f"{_HERE}.layer_edits:replace_layer",
        (
            _LAYER,
            OptionKind.TEXT.option("operator", "Operator", "new operator, such as HardSwish"),
            OptionKind.TEXT.option(
                "attributes", "Attributes", 'attributes in JSON: {"alpha":0.1}'
            ),
        ),
    ),
)
