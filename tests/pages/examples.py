"""A page of each subject, whose names are what a test wants them to be.

EXAMPLES has one for each builder in `inspector.pages`, by its name; a test fails where one is
missing.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np

from inspector.analysis.cost.estimate import estimate
from inspector.analysis.devices.support_summary import DeviceSupport, Refusal
from inspector.analysis.facts.model_facts import facts
from inspector.analysis.facts.shapes import declared
from inspector.analysis.layer_search import FoundLayers
from inspector.comparison.ci_conditions import judged, parse
from inspector.comparison.comparison import Comparison, compare
from inspector.comparison.file_pairs import FilePair
from inspector.comparison.model_changes import ModelDiff
from inspector.comparison.model_diff import diff
from inspector.conversion.action import Effect, Step
from inspector.conversion.registry import ACTIONS
from inspector.conversion.result import CheckedConversion, Conversion
from inspector.model.model import Finding, FormatDetails, Training
from inspector.pages.blocks import Page
from inspector.pages.comparison import comparison_page
from inspector.pages.conversion import actions_page, case_page, conversion_page, plan_page
from inspector.pages.improvement import improvement_page
from inspector.pages.lists.model_rows import ModelRow
from inspector.pages.model.layers import found_page
from inspector.pages.model.page import model_page
from inspector.pages.model.support import device_support, validation
from inspector.pages.model.weights import weights
from inspector.pages.model_diff import AtAGlance, model_diff_page
from inspector.pages.models import folders_page, models_page, samples_page
from inspector.pages.on_devices.machines import ceilings_page, lab_page, measurements_page
from inspector.pages.outputs.preparation import preparation_page
from inspector.pages.report.page import report_page
from inspector.pages.sensitivity import sensitivity_page
from inspector.pages.sweep import sweep_page
from inspector.preview.identity import identify
from inspector.preview.preprocessing.saved import SavedPreprocessing
from inspector.report.compatibility import CompatibilityResult, Outcome
from inspector.report.environment import SystemLoad
from inspector.report.foretold import Foretold
from inspector.report.improvement import DataSet, Improvement, StepResult
from inspector.report.model_results import ModelResults, TargetAnswer
from inspector.report.report import LoadPhase, PerformanceReport, PreviewedPrediction
from inspector.report.report_values import Device
from inspector.report.roofline import Ceiling
from inspector.report.run_spec import InputSource, ProviderOption
from inspector.report.sensitivity import KeptPoint, LayerSensitivity, Sensitivity
from inspector.report.sweep import MACHINE, Axis, Sweep, plan
from inspector.wording.support_marks import Rule
from tests.analysis.build import layers, model, value
from tests.improvements import improvement
from tests.pages import (
    example_devices,
    example_language,
    example_predictions,
    example_quality,
    example_records,
)
from tests.reports import predicted_report
from tests.sweeps import SPEC, round_of
from tests.sweeps import model as swept

Naming = Callable[[str], str]  # what a file, a person or a runtime calls something


def report(name: Naming = str, **changes: object) -> PerformanceReport:
    """Return a report with everything that a page of it may say."""
    first = predicted_report()
    said = "Partly on the CPU", 3, 22, "3 of 22 layers."
    answer = TargetAnswer(name("NPU"), name("QNN"), *said)
    results = ModelResults(
        improvement=improved(name),
        targets=(answer,),
        tested=DataSet(name("photos"), 8, labeled=8),
    )
    return replace(
        first,
        model=replace(first.model, name=name("net.onnx"), description=name("A classifier.")),
        layers=tuple(
            replace(each, name=name(each.name), operator=name(each.operator))
            for each in first.layers
        ),
        inserted=tuple(replace(each, name=name(each.name)) for each in first.inserted),
        devices=tuple(replace(each, name=name(each.name)) for each in first.devices),
        environment=replace(first.environment, cpu=name("CPU"), packages=(name("ep 1.0"),)),
        outputs=tuple(replace(each, name=name(each.name)) for each in first.outputs),
        spec=replace(
            first.spec,
            inputs=(InputSource(name("picture"), name("cat.png")),),
            custom_ops=(name("ops.so"),),
            provider_options=(ProviderOption("cache_dir", name("cache")),),
        ),
        notes=(*first.notes, name("A plugin said this.")),
        memory=replace(first.memory, closed_bytes=100 << 20, trimmed_bytes=64 << 20),
        loads_ns=(30_000_000, 12_000_000, 14_000_000),
        load_phases=(LoadPhase(name("read"), 1_000_000), LoadPhase("prepare", 9_000_000)),
        surroundings=SystemLoad(others=0.4, stolen=0.25),
        model_results=results,
        previewed=PreviewedPrediction(name("cat.png"), 1, 1, bytes(3), (name("Cat"),), (0.9,)),
        **changes,
    )  # fmt: skip


def improved(name: Naming = str) -> Improvement:
    """Return a finished search for a smaller model."""
    state = improvement()
    candidates = tuple(
        msgspec.structs.replace(
            each,
            layers=tuple(msgspec.structs.replace(e, name=name(e.name)) for e in each.layers),
            worst=tuple(msgspec.structs.replace(e, file=name(e.file)) for e in each.worst),
        )
        for each in state.candidates
    )
    return msgspec.structs.replace(
        state,
        model=name("net.onnx"),
        candidates=candidates,
        calibration=DataSet(name("typical"), 80, "1" * 64),
        test=DataSet(name("test"), 400, "2" * 64, 400),
        custom_ops=(name("ops.so"),),
        notes=(name("A library said this."),),
    )


def compared(name: Naming = str) -> tuple[Comparison, tuple[PerformanceReport, ...]]:
    """Return a comparison of two reports, and the reports."""
    first, other = report(name), report(name, prediction_ns=(3_000_000,) * 30)
    gone = first.layers[-1]
    other = replace(other, layers=(*other.layers[:-1], replace(gone, name=name("other"))))
    return compare((first, other), (name("before.json"), name("after.json"))), (first, other)


def swept_machines(name: Naming = str) -> Sweep:
    """Return a sweep over machines and threads with two models, of which one failed."""
    axes = (Axis(MACHINE, ("nuc", name("pi5"))), Axis("threads", (1, 2)))
    sweep = plan([swept(name("a.onnx")), swept(name("b.onnx"))], SPEC, axes, 1)
    for number, cell in enumerate(sweep.cells[:-1]):
        sweep = sweep.measured(cell.at, round_of(2e6 + 1e5 * number))
    return sweep.failed(sweep.cells[-1].at, f"Could not run {name('b.onnx')}: no kernel.")


def changed(name: Naming = str) -> ModelDiff:
    """Return the differences of two networks: a layer changed, one removed, one added."""
    ends = {"inputs": (value("x"),), "outputs": (value("y"),)}
    first = layers(("Conv", "x", "a"), ("Relu", "a", "b"), ("Softmax", "b", "y"))
    other = layers(("Conv", "x", "a"), ("Tanh", "a", "b"), ("Add", "b", "y"))
    sides = (
        tuple(each._replace(name=name(each.name)) for each in network)
        for network in (first, other)
    )
    before, after = sides
    return diff(
        model(before, name=name("before.onnx"), **ends),
        model(after, name=name("after.onnx"), **ends),
    )


def _comparison(name: Naming) -> Page:
    comparison, reports = compared(name)
    conditions = [parse("latency.p50>+10%"), parse("load>9s")]
    return comparison_page(comparison, judged(conditions, reports, comparison))


def _diff(name: Naming) -> Page:
    glance = AtAGlance("B is faster.", {"Size": ("1 KiB", "2 KiB", "+100%")}, "B is faster.")
    return model_diff_page(changed(name), glance=glance)


def _models(name: Naming) -> Page:
    rows = [
        ModelRow(name(f"{file}.onnx"), 1000, 10, 20, 2, "float32", 17, name("Classifier"), time,
                 runtime="ONNX Runtime", outputs="correct", support="coreml 2/2")
        for file, time in (("a", 1_000_000), ("b", 2_000_000))
    ]  # fmt: skip
    return models_page([*rows, ModelRow(name("c.onnx"), 1000, same_as=name("a.onnx"))])


def _folders(name: Naming) -> Page:
    pairs = (
        FilePair(name("a.onnx"), "changed", Path("a"), Path("b"), changed(name)),
        FilePair(name("b.onnx"), "new", None, Path("b"), problem=name("broken")),
    )
    return folders_page(pairs, {"changed": 1, "new": 1})


def _lab(name: Naming) -> Page:
    said = {"labels": [name("npu")], "cpu": name("A CPU"), "cores": 8, "system": name("Linux")}
    status = {"status": {"load": 0.5, "now": [name("net.onnx")]}, **said}
    return lab_page({name("pi5"): said, "nuc": status}, {"timing-pi5": (2, 1)})


def _conversion(name: Naming) -> Page:
    steps = (Step("int8", (("keep", name("head")),)), Step("opset", (("version", "21"),)))
    effects = (Effect("26 weights", caution=name("It may lose.")), Effect(nothing="new"))
    made = Conversion(
        Path(name("b.onnx")), steps, effects, (name("A note."),), ("onnx 1.19",),
        original=Path("a.onnx"),
    )  # fmt: skip
    results = (
        StepResult("", 26, 1000, 2e6, 1.9e6, 2.1e6),
        StepResult(steps[0].text, 30, 300, 1e6, sqnr_db=31.5, same_top=4, inputs=5),
        StepResult(steps[1].text, 0, 0, problem=name("It does not run.")),
    )
    checked = CheckedConversion(
        made, not_checked=name("There were no inputs."), after_steps=results
    )
    return conversion_page(checked, (1000, 300), advice=("Try:", f"inspector {name('a')}"))


def _plan(name: Naming) -> Page:
    effects = (
        (
            Step("int8"),
            Effect(
                name("26 weights"),
                26,
                1000,
                300,
                not_foretold=True,
                not_foretold_reason=name("few networks"),
            ),
        ),
        (Step("nf4"), Effect(name("8 weights"), 8, 1000, 300, foretold=Foretold(0.6, 0.4, 1))),
        (Step("opset"), Effect(needs=name("version"))),
        (Step("float16"), Effect(nothing=name("nothing is float32"))),
    )
    return plan_page(name("net.onnx"), effects)


def _sensitivity(name: Naming) -> Page:
    ranked = tuple(LayerSensitivity(name(each), "Conv", 20.0) for each in ("a", "b"))
    points = (KeptPoint(0, 35.0), KeptPoint(1, 36.0))
    found = Sensitivity(name("net.onnx"), "int8", ranked, points, total=2, inputs=8)
    return sensitivity_page(found)


def _model(name: Naming) -> Page:
    made = replace(
        model(
            layers(("Conv", name("x"), "a"), (name("Twist"), "a", name("y"))),
            name=name("net.onnx"), inputs=(value(name("x")),), outputs=(value(name("y")),),
        ),
        producer=name("us"), graph_name=name("graph"), doc=name("Tells digits apart"),
        metadata=((name("license"), name("MIT")), ("code", f"{name('a')}\n" * 400)),
        findings=(Finding(name("w"), name("it is not there")),),
        training=(Training((), (), (), (), ((name("w"), name("w1")),)),),
        details=FormatDetails(
            "Net", facts=(("Stage", name("one")),), texts=(("f", name("g")),)
        ),
    )  # fmt: skip
    refusals = (Refusal(name("Conv"), Rule.DYNAMIC_SHAPE, name("The shape is dynamic."), 2),)
    device = Device("qnn", "QNN", "npu", "", source="a table")
    support = DeviceSupport(device, 2, 0, (), refusals, assumes="HTP")
    checked = CompatibilityResult("ONNX Runtime", Outcome.REFUSES, name("no such operator"))
    more = (*device_support([support], "--dim n=1"), weights(made, ()), validation([checked]))
    cost = estimate(made, lambda _: declared(made), {})
    return model_page(made, facts(made), identify(made), cost, more)


def _found(name: Naming) -> Page:
    made = model(layers(("Conv", name("x"), name("y"))), name=name("net.onnx"))
    return found_page(made, FoundLayers(name("op:Conv"), 1, made.layers, ((value("y"),),)))


EXAMPLES: dict[str, Callable[[Naming], Page]] = {
    "report_page": lambda name: report_page(report(name)),
    "comparison_page": _comparison,
    "sweep_page": lambda name: sweep_page(swept_machines(name)),
    "improvement_page": lambda name: improvement_page(improved(name)),
    "model_page": _model,
    "found_page": _found,
    "model_diff_page": _diff,
    "models_page": _models,
    "folders_page": _folders,
    "measurements_page": lambda name: measurements_page(
        {name("nuc"): report(name)}, {name("pi5"): name("the connection ended")}
    ),
    "lab_page": _lab,
    "trace_page": example_records.trace_of,
    "recording_page": example_records.recording_of,
    "trace_comparison_page": example_records.trace_comparison_of,
    "devices_page": example_records.devices_of,
    "runtimes_page": example_records.runtimes_of,
    "tuning_page": example_records.tuning_of,
    "conversion_page": _conversion,
    "plan_page": _plan,
    "case_page": lambda name: case_page(Path(name("a.npz")), [(name("x"), np.ones((1, 2)))]),
    "actions_page": lambda name: actions_page(tuple(ACTIONS.values())),
    "quality_page": example_quality.quality_of,
    "memory_page": example_quality.memory_of,
    "sensitivity_page": _sensitivity,
    "samples_page": lambda name: samples_page(
        [{"file": name("a.onnx"), "task": name("classes"), "shows": name("digits")}]
    ),
    "preparation_page": lambda name: preparation_page(
        name("a.onnx"), SavedPreprocessing(dimensions={name("n"): 2}, labels=(name("cat"),))
    ),
    **example_devices.EXAMPLES,
    "prediction_page": example_predictions.full_page,
    "folder_page": example_predictions.folder_of,
    "parity_page": lambda name: example_predictions.parity_of("max_abs>1e-3", name=name),
    "verify_page": example_predictions.verify_of,
    "layer_outputs_page": example_predictions.layers_of,
    "answer_page": example_language.answered,
    "ceilings_page": lambda name: ceilings_page(
        [Ceiling("cpu", "float32", 1, 1e11, 2e10)], ("none",)
    ),
}
