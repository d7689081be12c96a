"""Pages of records and machines: history, traces, devices, tuning; for `examples`."""

from collections.abc import Callable
from dataclasses import replace

from msgspec import structs

from inspector.analysis.advice.trace_rules import Finding
from inspector.comparison.trace_comparison import ComparedPart, compare_traces
from inspector.formats.traces.span_collector import OpenedTrace
from inspector.pages import trace, trace_comparison, tuning
from inspector.pages.blocks import Page
from inspector.pages.on_devices import devices
from inspector.pages.on_devices.machines import KnownMachine
from inspector.report.report_values import Device, Hardware
from inspector.report.tuning import Trial, Tuning
from inspector.trace.aggregation import GroupBy, aggregate
from tests.reports import example_trace
from tests.sweeps import SPEC, model, round_of

Naming = Callable[[str], str]
USAGE = (Finding("session-per-call", "Each session ran once.", (0,), "Keep the session."),)


def trace_of(name: Naming) -> Page:
    """Return the page of a trace by name of its events."""
    shown = example_trace()
    shown = replace(shown, names=tuple(map(name, shown.names)))
    opened = OpenedTrace(shown, (), (name("No layers."),), "Chrome trace")
    groups = aggregate(shown, (), GroupBy.EVENT)
    order = range(len(groups.names))
    found = [shown.span(0)]
    return trace.trace_page(opened, groups, order, "event", found=found, findings=USAGE)


def recording_of(name: Naming) -> Page:
    """Return the page of a recorded program that was killed."""
    return trace.recording_page(3, name("SIGKILL"), example_trace(), [name("odd")], USAGE)


def trace_comparison_of(name: Naming) -> Page:
    """Return two recordings of which one finding is gone and another is new."""
    shown = example_trace()
    sides = (replace(shown, names=tuple(map(name, shown.names))), shown)
    first, other = (OpenedTrace(each, (), (), "Chrome trace") for each in sides)
    compared = compare_traces(first, other)
    parts = (ComparedPart("runs", 2_000_000, 1_000_000), ComparedPart("before", 0, 10))
    compared = replace(compared, parts=parts, gone=USAGE, came=USAGE, stayed=USAGE,
                       peaks=(("Memory", "bytes", 1e6, 2e6),))  # fmt: skip
    return trace_comparison.trace_comparison_page(compared, (name("a"), name("b")))


def devices_of(name: Naming) -> Page:
    """Return a device, one that is not installed, and another machine."""
    found = Device("cpu", name("A CPU"), "cpu", "CPUExecutionProvider", "Example", "built in")
    absent = replace(found, id="cuda", problem=name("no driver"))
    card = Hardware("Intel", name("An NPU"), kind="npu")
    there = KnownMachine(name("pi5"), name("pi@pi5"), [name("arm")], {"cpu": name("A CPU")})
    return devices.devices_page([found], [absent], [there], [card])


def runtimes_of(name: Naming) -> Page:
    """Return a runtime that is installed, and one that is not."""
    there = devices.Runtime("openvino", "OpenVINO", name("2026.1"), name("venv"))
    return devices.runtimes_page(
        [there, structs.replace(there, id="litert", place="", why=name("why"))]
    )


def tuning_of(name: Naming) -> Page:
    """Return a finished search for settings."""
    failed = Trial(replace(SPEC, threads=2), why=name("no threads"))
    trials = (Trial(SPEC, (round_of(1e6),)), failed)
    return tuning.tuning_page(Tuning(model(name("a.onnx")), SPEC, trials, complete=True))
