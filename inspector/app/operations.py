"""What one can ask of Inspector: one record for each thing, wherever it can be asked.

The list of commands and the tools for assistants are made from these records, and so is the
table of docs/python_api.md; a test holds the Python API, requests, pages and the window's tabs
against them. A record names what it needs by text: this module loads nothing.
"""

from typing import NamedTuple


class Operation(NamedTuple):
    """Something that one can ask.

    name: that of its command. summary: what it does, in a list. page: "module:function" below
    the package `pages` that makes what there is to say about the result. use_case: the same
    below this package, for all who ask; "" where nothing has to be orchestrated.
    functions, results: of the Python API. requests: classes in `engine.requests` that it is
    answered with. tools, saving_tools: of the server for assistants; the second write files,
    which the user has to allow. tab: the page in docs/tabs of where the window has it; "" if it
    has it nowhere. elsewhere: whether another machine can do it (`--on`). usage, synonyms: of
    its command.
    """

    name: str
    summary: str
    page: str
    use_case: str = ""
    functions: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    requests: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    saving_tools: tuple[str, ...] = ()
    tab: str = ""
    elsewhere: bool = False
    usage: str = ""
    synonyms: tuple[str, ...] = ()


OPERATIONS = (
    Operation(
        "info",
        "show a model's inputs, outputs, operators, precision and compute cost",
        "model.page:model_page",
        functions=("open_model",),
        results=("OpenedModel",),
        requests=("InferShapes", "OpenWith", "OptimizeGraph"),
        tools=("info",),
        tab="overview",
        usage="MODEL [MODEL ...] [options]",
        synonyms=("show", "inspect", "summary", "describe", "stat", "stats"),
    ),
    Operation(
        "devices",
        "list the devices that can run models here, and add other machines",
        "on_devices.devices:devices_page",
        requests=("ListDevices",),
        tools=("devices",),
        tab="machines",
        usage="[--add NAME HOST] [options]",
        synonyms=("providers", "gpu", "gpus", "eps", "machines", "remote"),
    ),
    Operation(
        "predict",
        "run a model once and show its outputs",
        "outputs.prediction:prediction_page",
        use_case="predict:predict",
        functions=("predict",),
        results=("Answer",),
        requests=("Load", "Predict"),
        tools=("predict",),
        tab="preview",
        elsewhere=True,
        usage="MODEL [--input NAME=VALUE ...] [options]",
        synonyms=("run", "infer", "inference", "classify", "detect"),
    ),
    Operation(
        "chat",
        "talk to a language model, and see its tokens, probabilities and speed",
        "language.answer:answer_page",
        use_case="language.chat:answer",
        functions=("generate", "load"),
        results=("GeneratedText", "LoadedModel"),
        requests=("Generate",),
        tools=("chat",),
        tab="chat",
        elsewhere=True,
        usage="MODEL [--prompt TEXT] [options]",
        synonyms=("talk", "ask", "complete", "llm"),
    ),
    Operation(
        "prepare",
        "show or save a model's input preprocessing",
        "outputs.preparation:preparation_page",
        tools=("prepare",),
        tab="preview",
        usage="MODEL [--write-sidecar | --write-model COPY] [options]",
    ),
    Operation(
        "parity",
        "run one input on two devices, optimization levels or models and compare",
        "outputs.parity:parity_page",
        use_case="parity:compare",
        functions=("score_text",),
        results=("TextQuality",),
        tools=("parity", "score_text"),
        requests=("Predict", "Reference", "ScoreTokens"),
        tab="preview",
        usage="MODEL --against RUN [--text [FILE]] [options]",
        synonyms=("perplexity",),
    ),
    Operation(
        "evaluate",
        "measure a model's accuracy on a folder of inputs with true answers",
        "outputs.folder:folder_page",
        use_case="evaluate:of_folder",
        functions=("evaluate",),
        results=("Evaluation",),
        requests=("Predict",),
        tools=("evaluate",),
        tab="preview",
        elsewhere=True,
        usage="MODEL --test DIR [--against RUN] [options]",
        synonyms=("eval", "score", "accuracy", "map", "wer", "f1"),
    ),
    Operation(
        "verify",
        "check a model's outputs against expected outputs",
        "outputs.verify:verify_page",
        use_case="verify:verify",
        requests=("Predict",),
        tools=("verify",),
        tab="preview",
        elsewhere=True,
        usage="MODEL [DATA ...] [options]",
        synonyms=("check", "validate", "test"),
    ),
    Operation(
        "layers",
        "show every layer's output, optionally compared with a second run",
        "outputs.layer_outputs:layer_outputs_page",
        use_case="layers.walking:walk",
        requests=("StepThrough", "GetTensor", "GetTensors", "RunLayer"),
        tools=("layers",),
        tab="activations",
        elsewhere=True,
        usage="MODEL [--against RUN] [options]",
        synonyms=("debug", "step", "activations"),
    ),
    Operation(
        "support",
        "test which layers a device on this machine supports, or estimate support on phones, "
        "NPUs and GPUs",
        "on_devices.support:support_page",
        use_case="target_support:check_devices",
        functions=("support",),
        results=("Support",),
        requests=("CheckSupport",),
        tools=("support",),
        tab="performance",
        usage="MODEL [options]",
    ),
    Operation(
        "compile",
        "compile a model for a device that need not be here, and say what compiled",
        "on_devices.compiled:compiled_page",
        use_case="changing.compiling:compile_for",
        requests=("CompileModel", "CheckSupport"),
        tab="performance",
        usage="MODEL --target TARGET [-o FILE] [options]",
        synonyms=("build", "qnn", "snapdragon", "context", "precompile"),
    ),
    Operation(
        "measure",
        "measure latency, memory and the time of each layer",
        "report.page:report_page",
        use_case="measure:measure",
        functions=("measure", "measure_against", "measure_async"),
        results=("Measurement",),
        requests=("RunShape", "Measure", "MeasurePair", "ListPrepacked", "ProfileCompiled"),
        tools=("measure",),
        saving_tools=("save_report",),
        tab="performance",
        elsewhere=True,
        usage="MODEL [-o REPORT] [options]",
        synonyms=("bench", "benchmark", "profile", "time", "latency", "perf"),
    ),
    Operation(
        "roofline",
        "measure each device's peak compute and memory bandwidth",
        "on_devices.machines:ceilings_page",
        requests=("MeasureCeiling",),
        tab="performance",
    ),
    Operation(
        "estimate",
        "estimate latency and memory of a model on devices that it was not run on",
        "on_devices.estimate:estimate_page",
        use_case="estimating.device_estimates:estimate_on",
        functions=("estimate",),
        results=("LatencyEstimates",),
        requests=("InferShapes", "MeasureCeiling"),
        tools=("estimate",),
        tab="overview",
        usage="MODEL [--target NAME,NAME] [options]",
        synonyms=("foretell", "forecast", "cost", "flash"),
    ),
    Operation(
        "memory",
        "tell how much memory a language model takes by context, and what fits",
        "language.memory:memory_page",
        use_case="language.memory:memory",
        functions=("memory",),
        results=("MemoryTable",),
        tools=("memory",),
        tab="overview",
        usage="MODEL [--context N,N] [--batch N,N] [--fits SIZE] [options]",
        synonyms=("ram", "kv", "cache", "context", "fits"),
    ),
    Operation(
        "sweep",
        "measure models with every combination of some settings",
        "sweep:sweep_page",
        use_case="searches:run_sweep",
        functions=("sweep",),
        results=("SweepResult",),
        requests=("Measure", "MeasurePair"),
        tools=("sweep",),
        tab="sweep",
        elsewhere=True,
        usage="MODEL [MODEL ...] [-o SWEEP] [options]",
    ),
    Operation(
        "tune",
        "find the settings with the lowest latency, most throughput or least memory",
        "tuning:tuning_page",
        use_case="searches:run_search",
        functions=("tune",),
        results=("Tuned",),
        requests=("Measure", "MeasurePair"),
        tools=("tune",),
        tab="sweep",
        elsewhere=True,
        usage="MODEL [options]",
        synonyms=("optimize", "optimise", "autotune"),
    ),
    Operation(
        "export",
        "export a report as a web page, table, plot or trace",
        "report.page:report_page",
        functions=("load_report",),
        tab="performance",
        usage="REPORT [REPORT ...] --format FORMAT [-o PATH] [options]",
    ),
    Operation(
        "compare",
        "compare reports of measurements",
        "comparison:comparison_page",
        functions=("compare",),
        results=("ReportComparison",),
        tools=("compare",),
        tab="compare",
        usage="REPORT REPORT [REPORT ...] [options]",
    ),
    Operation(
        "convert",
        "convert or edit a model (float16, int8, opset, ...) and check the result",
        "conversion:conversion_page",
        use_case="changing.conversion_check:convert_to",
        functions=("convert",),
        results=("Converted",),
        requests=("Convert", "EditModel", "ListEffects", "PreviewEdits"),
        tools=("preview_conversion",),
        saving_tools=("convert",),
        tab="improve",
        usage="MODEL ACTION [ACTION ...] -o FILE [options]",
        synonyms=("quantize", "quantise", "fp16", "simplify", "edit"),
    ),
    Operation(
        "improve",
        "find a smaller or faster version of a model and check its accuracy",
        "improvement:improvement_page",
        use_case="changing.search:improve",
        functions=("improve",),
        results=("Improved",),
        requests=("Convert", "ListEffects", "MeasurePair"),
        tools=("improve",),
        tab="improve",
        usage="MODEL --test FOLDER [--calibration FOLDER] [-o FILE] [options]",
        synonyms=("compress", "shrink"),
    ),
    Operation(
        "diff",
        "compare two models: layers, weights, inputs, outputs and properties",
        "model_diff:model_diff_page",
        functions=("diff",),
        results=("ModelComparison",),
        tools=("diff",),
        tab="diff",
        usage="A B [options]",
        synonyms=("changes", "difference", "delta"),
    ),
    Operation(
        "history",
        "list all saved reports, and when a model became slower or faster",
        "history:history_page",
        tools=("history",),
        tab="compare",
        usage="[MODEL] [--add PATH ...] [-o PAGE] [options]",
        synonyms=("log", "library", "trend", "reports", "team", "dashboard"),
    ),
    Operation(
        "trace",
        "summarize, search and export traces",
        "trace:trace_page",
        tools=("trace",),
        tab="trace",
        usage="FILE [FILE ...] [options]",
    ),
    Operation(
        "record",
        "run a program and record its use of ONNX Runtime",
        "trace:recording_page",
        use_case="record:recorded",
        functions=("recording", "record_program"),
        tab="trace",
        usage="[-o TRACE] [--nodes [RUNS]] [--inputs [N]] [--last N] -- python app.py ...",
    ),
)
