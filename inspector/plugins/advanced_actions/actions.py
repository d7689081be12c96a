"""The actions of this plugin."""

from inspector.conversion.action import FILE, Action, Option, OptionKind

_HERE = "inspector.plugins.advanced_actions"
ACTIONS = (
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
    Action(
        "ep-context",
        "Save compiled model",
        "save what an execution provider compiled (EP context), so that it loads faster there",
        f"{_HERE}.ep_context:ep_context",
        (
            Option(
                "device",
                OptionKind.TEXT,
                "",
                "device to compile for (default: the first that can)",
                title="Device",
            ),
        ),
        group=FILE,
        library="onnxruntime",
        exact=False,
        advanced=True,
        after="ort-format",
        command="compile",
    ),
)
