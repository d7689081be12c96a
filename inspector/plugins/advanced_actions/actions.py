"""The actions of this plugin."""

from inspector.conversion.action import FILE, LAYERS, Action, Option, OptionKind

_HERE = "inspector.plugins.advanced_actions"
ACTIONS = (
    Action(
        "set-attribute",
        "Set attribute",
        "set an attribute of a layer; an empty value removes it",
        f"{_HERE}.layer_edits:set_attribute",
        (
            Option(
                "layer",
                OptionKind.TEXT,
                "",
                "name, output or number of the layer",
                title="Layer",
            ),
            Option("name", OptionKind.TEXT, "", "name of the attribute", title="Attribute"),
            Option("value", OptionKind.TEXT, "", "value in JSON, such as [1,1]", title="Value"),
        ),
        group=LAYERS,
        exact=False,
        advanced=True,
        edits=True,
        after="metadata",
    ),
    Action(
        "delete-layer",
        "Delete layer",
        "remove a layer; the layers after it use its first input",
        f"{_HERE}.layer_edits:delete_layer",
        (
            Option(
                "layer",
                OptionKind.TEXT,
                "",
                "name, output or number of the layer",
                title="Layer",
            ),
        ),
        group=LAYERS,
        exact=False,
        advanced=True,
        edits=True,
        after="set-attribute",
    ),
    Action(
        "insert-layer",
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
        after="delete-layer",
    ),
    Action(
        "replace-layer",
        "Replace layer",
        "change the operator of a layer; its inputs and outputs stay",
        f"{_HERE}.layer_edits:replace_layer",
        (
            Option(
                "layer",
                OptionKind.TEXT,
                "",
                "name, output or number of the layer",
                title="Layer",
            ),
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
        after="insert-layer",
    ),
    Action(
        "optimize",
        "Save optimized graph",
        "save the graph as optimized by ONNX Runtime, so that it loads faster",
        f"{_HERE}.library_actions:optimize",
        (
            Option(
                "level",
                OptionKind.CHOICE,
                "basic",
                "optimization level",
                ("basic", "extended", "all"),
                title="Optimization level",
            ),
        ),
        group=FILE,
        library="onnxruntime",
        advanced=True,
        after="one-file",
    ),
    Action(
        "ort-format",
        "ORT format",
        "write the file format that minimal builds of ONNX Runtime load",
        f"{_HERE}.library_actions:ort_format",
        (
            Option(
                "level",
                OptionKind.CHOICE,
                "basic",
                "optimization level",
                ("basic", "extended", "all"),
                title="Optimization level",
            ),
        ),
        group=FILE,
        library="onnxruntime",
        advanced=True,
        after="emulate-float16",
    ),
)
