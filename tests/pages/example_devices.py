"""Pages of device support, history and the program, with names from outside."""

from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from inspector.analysis.cost.estimate import estimate
from inspector.analysis.cost.latency import Rates
from inspector.analysis.devices.compile_targets import QNN
from inspector.analysis.devices.known_devices import KnownDevice, Source, measured_devices
from inspector.analysis.devices.placement_answers import PlacementAnswers
from inspector.analysis.devices.support_summary import summarised
from inspector.analysis.devices.targets import TARGETS, TargetSupport
from inspector.analysis.facts.shapes import declared
from inspector.analysis.measured.history import PastReport
from inspector.analysis.verdicts.results import Results, Series
from inspector.app.estimating.device_estimates import estimated
from inspector.errors import EngineFailed
from inspector.model.tensors.prediction import Prediction
from inspector.pages.blocks import Page, Text
from inspector.pages.history import history_page
from inspector.pages.lists.results import results_page
from inspector.pages.on_devices.compiled import compile_targets_page, compiled_page
from inspector.pages.on_devices.environments import environments_page
from inspector.pages.on_devices.estimate import estimate_page
from inspector.pages.on_devices.shape_series import series_page
from inspector.pages.on_devices.support import support_page, targets_page
from inspector.pages.program import plugins_page, settings_page
from inspector.platform import plugins, settings
from inspector.preview.runs.runtime_matrix import EnvironmentRow, RuntimeMatrix
from inspector.report.output_verdict import (
    DEGRADED,
    SAME,
    UNDECIDED,
    OutputFinding,
    OutputVerdict,
)
from inspector.report.report_values import (
    CompiledLayers,
    CompiledModel,
    Device,
    ShapeRun,
    Support,
)
from inspector.statistics.significance import RatioVerdict, Verdict
from inspector.wording.support_marks import Mark, Rule
from inspector.wording.support_marks import Source as MarkSource
from tests.analysis.build import layers, model, value

Naming = Callable[[str], str]


def support_of(name: Naming = str, ran: bool = True) -> Page:
    """Return the page of a GPU that fails at one layer, refuses one and runs one."""
    gpu = Device("gpu:0", name("Some GPU"), "gpu", "SomeExecutionProvider")
    network = layers(("Conv", "x", "a"), (name("Twist"), "a", "b"), ("Add", "b", "y"))
    said = (
        Support(Mark.FAILED, MarkSource.MEASURED, name("It failed.")),
        Support(Mark.UNSUPPORTED, MarkSource.PROBED, name("It has no kernel."), Rule.OPERATOR),
        Support(Mark.SUPPORTED, MarkSource.PROBED),
    )
    marks = tuple({"gpu:0": one} for one in said)
    why = "" if ran else name("it hung")
    answers = PlacementAnswers((gpu,), tuple(network), marks, (name("conv"),), ran, why)
    return support_page(name("net.onnx"), answers)


def targets_of(name: Naming = str) -> Page:
    """Return the page of a target that runs a layer and refuses another one."""
    said = (
        Support(Mark.SUPPORTED, MarkSource.TABLE),
        Support(Mark.UNSUPPORTED, MarkSource.TABLE, name("It has no kernel."), Rule.OPERATOR),
    )
    device = Device("coreml", "Core ML", "npu", "", source="ONNX Runtime 1.32")
    summary = summarised(device, ("Conv", name("Twist")), said)
    results = [
        TargetSupport(each, "coreml", "", summary, (0, 1), said, 1) for each in TARGETS[:2]
    ]
    return targets_page(name("net.onnx"), 3, results, (Text("Fix the shapes."),))


def history_of(name: Naming = str) -> Page:
    """Return the page of reports that became slower, and of one that cannot be read."""
    past = [
        PastReport(
            Path(name(f"{day}.json")), name("net.onnx"), "", f"2026-11-{day}T14:05:00",
            "cpu", "", name("A CPU"), "onnxruntime", ns, 0.98 * ns, 1.02 * ns, 1000, 2000, "",
            (name("good"),), name("A note"),
        )
        for day, ns in zip(range(10, 20), (*[2.3e6] * 5, *[2.9e6] * 5), strict=True)
    ]  # fmt: skip
    return history_page([*past, replace(past[0], problem=name("it is cut off"))])


def results_of(name: Naming = str) -> Page:
    """Return the results of a team on two machines, of which one is slower than before."""
    there = [
        PastReport(
            Path(name(f"{day}.json")), name("net.onnx"), "", f"2026-11-{day}T14:05:00",
            "cpu", "", name(cpu), "onnxruntime", 2.3e6, 2.2e6, 2.4e6, 1000, 2000, "",
            (name("good"),), name("A note"),
        )
        for day, cpu in ((10, "A CPU"), (11, "A CPU"), (12, "Another"))
    ]  # fmt: skip
    slower = RatioVerdict(Verdict.SLOWER, 1.2, 1.1, 1.3)
    series = (Series((there[2],)), Series(tuple(there[:2]), there[0], slower))
    authors = {each.path: name("ada@desk") for each in there}
    links = {each.path: name("report.html") for each in there}
    return results_page(Results(series, authors, links, name("main")))


def matrix_of(name: Naming = str, agree: int = 2) -> RuntimeMatrix:
    """Return a model in four environments: the oldest failed, some after it agree."""
    levels = [UNDECIDED, *[DEGRADED] * (2 - agree), *[SAME] * (agree + 1)]
    worst = OutputFinding(name("y"), "error", 0.5)
    rows = [
        EnvironmentRow(
            Path(name(f"env{place}/bin/python")), "3.12.1", name("onnxruntime"), f"1.{place}.0",
            prediction=Prediction((), 1, 1, ()), verdict=OutputVerdict(level, worst=worst),
        )
        for place, level in enumerate(levels)
    ]  # fmt: skip
    rows[0].prediction = rows[-1].verdict = None
    rows[0].problem = EngineFailed("Could not load it", name("it is newer"), "Update it.")
    return RuntimeMatrix((*rows,), rows[-1], name("A note"))


def series_of(name: Naming = str, held: int = 0) -> Page:
    """Return the page of two shapes, of which the second takes much memory."""
    after = (1 << 20, 300 << 20, (1 << 20) + held)
    runs = [ShapeRun(9000, (5000, 4000), 70_000, 0, each) for each in after]
    lengths = [{name("batch"): size} for size in (1, 64, 1)]
    return series_page(name("m.onnx"), [*zip(lengths, runs, strict=True)])


def _plugins(name: Naming) -> Page:
    broken = plugins.Plugin(plugins.EXPORTERS, name("toy"), name("toy 1.0"), None, name("No."))
    return plugins_page([broken], plugins.GROUPS)


def _settings(name: Naming) -> Page:
    value = settings.Value(settings.SETTINGS[0], name("lib"), settings.Source.FILE, "line 1")
    return settings_page(Path(name("config.toml")), [value])


def estimated_of(name: Naming = str) -> Page:
    """Return estimates for a device of a file whose memory is too small, and for this one."""
    made = model(
        layers(("Conv", "x", name("y"))),
        name=name("net.onnx"), inputs=(value("x"),), outputs=(value(name("y")),),
    )  # fmt: skip
    cost = estimate(made, lambda _: declared(made), {})
    mine = KnownDevice(
        id="mine",
        title=name("Mine"),
        kind="board",
        unit="CPU",
        rates=Rates({"float32": 1e9}, 1e9),
        ram_bytes=1,
        sources=(Source(name("1 GFLOP/s"), name("https://example.com"), "2026-11-30"),),
    )
    here = measured_devices()["cpu-1"]
    return estimate_page(
        estimated(Path("net.onnx"), made, cost, [here, mine], lambda *_: (here.rates, True))
    )


def compiled_of(name: Naming = str) -> Page:
    """Return the page of a model of which a chip takes one layer of two."""
    chip = Device("qnn:sm8650", name("A chip"), "npu", QNN, source=name("qnn 2.7"))
    lengths = ((name("batch"), 1),)
    made = CompiledModel(
        ("m.onnx",), chip, 900, (0,), (1,), 1, 10, 20, name("SM8650"), "v2", lengths
    )
    refused = Support(Mark.UNSUPPORTED, MarkSource.PROBED, name("It has no kernel."))
    network = model(layers(("Conv", "x", "a"), (name("Twist"), "a", "y")), name=name("m.onnx"))
    found = CompiledLayers(made, {1: refused}, Path(name("made.onnx")))
    return compiled_page(network, name("m.onnx"), found)


EXAMPLES: dict[str, Callable[[Naming], Page]] = {
    "support_page": lambda name: support_of(name, ran=False),
    "targets_page": targets_of,
    "history_page": history_of,
    "results_page": results_of,
    "estimate_page": estimated_of,
    "compiled_page": compiled_of,
    "compile_targets_page": lambda name: compile_targets_page(
        [Device("openvino", name("A CPU"), "cpu", "")], "pip install onnxruntime-qnn"
    ),
    "environments_page": lambda name: environments_page(name("m.onnx"), matrix_of(name)),
    "series_page": series_of,
    "plugins_page": _plugins,
    "settings_page": _settings,
}
