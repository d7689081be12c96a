"""The inspector tells of the selected event of a trace."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton

from inspector.formats.traces.span_collector import OpenedTrace
from inspector.trace.chrome_json import trace_events
from inspector.trace.trace import FlowKind, Kind, Lane, TracedLayer, Track
from inspector.trace.trace_builder import TraceBuilder
from inspector.ui.documents.trace_document import TraceDocument
from inspector.ui.tabs.trace.span_pane import facts, parent, self_ns
from inspector.ui.window.inspector_pane import InspectorPane
from inspector.ui.window.tabs import Tab

CALLS = Track(Lane.ACTIVITY, "a.onnx", "", "activity", model="a.onnx", thread="main")


@pytest.fixture
def document() -> TraceDocument:
    build = TraceBuilder()
    for run in range(5):
        begin = run * 10_000
        outer = build.add(CALLS, "predict()", begin, 5_000, run=run)
        inner = build.add(CALLS, "run(x)", begin + 1_000, 3_000 + run, run=run)
        build.add(CALLS, "copy x", begin + 1_500, 200, Kind.COPY, run=run)
        build.flow(outer, inner, FlowKind.LAUNCH)
    opened = OpenedTrace(build.trace(zero_ns=0), (), (), "Recording")
    return TraceDocument(Path("run.json"), opened)


def test_parents_and_own_time_are_those_of_the_whole_trace(document):
    trace = document.opened.trace
    own, parents = trace.self_ns(), trace.parents()
    for index in range(len(trace)):
        assert self_ns(trace, index) == own[index]
        assert (-1 if parent(trace, index) is None else parent(trace, index)) == parents[index]


def test_the_facts_name_times_row_model_thread_and_what_is_around(document):
    trace = document.opened.trace
    inner = int(np.flatnonzero(trace.name == trace.names.index("run(x)"))[2])
    pairs = facts(document, trace.span(inner))
    told = dict(pairs)
    assert len(told) == len(pairs), "nothing is said twice"
    assert (told["Start"], told["End"]) == ("0.021 ms", "0.024 ms")
    assert told["Parent"] == "predict()"
    assert (told["Model"], told["Thread"]) == ("a.onnx", "main")
    assert told["Row"] == "a.onnx, depth 1"


def test_an_arrow_leads_to_the_other_event(qtbot, theme, document):
    pane = InspectorPane(theme)
    qtbot.addWidget(pane)
    pane.resize(296, 800)
    pane.show_trace(document)
    assert "Recording" in [label.text() for label in pane.findChildren(QLabel)]
    trace = document.opened.trace
    outer = int(trace.flows.begin[0])
    document.selection.choose(span=outer)
    words = [label.text() for label in pane.findChildren(QLabel)]
    assert "5.00" in words
    assert "self 2.00 µs" in words
    (link,) = (b for b in pane.findChildren(QPushButton) if b.property("role") == "link")
    assert link.accessibleName() == "Launched run(x)"
    qtbot.mouseClick(link, Qt.MouseButton.LeftButton)
    assert document.selection.now.span == int(trace.flows.end[0])
    assert not pane.grab().isNull()


def with_layer(path, layer, model):
    """Save a trace of one kernel of a layer of a model."""
    build = TraceBuilder()
    track = Track(Lane.COMPUTE, "CPU", "cpu", "cpu", model=model)
    build.add(track, "kernel", 1_000, 2_000, Kind.KERNEL, layer.index, 0)
    layers = (TracedLayer(layer.index, layer.name, layer.operator),)
    path.write_bytes(trace_events(build.trace(), layers, {}, ()))
    return path


def link_in(window):
    return next(
        each
        for each in window.inspector.findChildren(QPushButton)
        if each.text() == "Show the layer in its model" and each.isVisible()
    )


def test_an_event_leads_to_the_layer_of_the_open_model(qtbot, window, samples, tmp_path):
    window.resize(1400, 900)
    window.workspace.open(samples / "digits_float32.onnx")
    document = window.document
    qtbot.waitUntil(lambda: document.model is not None)
    layer = next(each for each in document.model.layers if each.operator == "Conv")
    window.workspace.open(with_layer(tmp_path / "run.json", layer, document.name))
    qtbot.waitUntil(lambda: window.trace is not None)
    window.trace.document.selection.choose(layer.index, 0)
    qtbot.waitUntil(lambda: bool(window.inspector.findChildren(QPushButton)))
    qtbot.mouseClick(link_in(window), Qt.MouseButton.LeftButton)
    assert window.document is document
    assert window.view.current is Tab.GRAPH
    assert document.selection.now.layer == layer.index


def test_without_the_model_it_says_what_to_open(qtbot, window, tmp_path):
    window.resize(1400, 900)
    missing = TracedLayer(3, "stem/conv", "Conv")
    window.workspace.open(with_layer(tmp_path / "run.json", missing, "net.onnx"))
    qtbot.waitUntil(lambda: window.trace is not None)
    window.trace.document.selection.choose(3, 0)
    qtbot.mouseClick(link_in(window), Qt.MouseButton.LeftButton)
    message = window.notice.message()
    assert "Open net.onnx first" in message.text
    assert "stem/conv" in message.text
