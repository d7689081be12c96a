"""Links to views of the graph: written, read, and followed in a window."""

import shlex
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from inspector.errors import BadInput
from inspector.platform.files import sample
from inspector.report.report import save
from inspector.ui.app.application import Start, _arguments
from inspector.ui.graph.view_link import ViewLink, command, layer_of, link_to, parse
from inspector.ui.window.tabs import TABS, Tab
from tests.analysis.build import layers, model
from tests.reports import example_report

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
IDS = tuple(tab.id for tab in TABS)
NAMES = ("stem/conv", "twice", "twice", "")
ROWS = layers(("Conv", "x", "a"), ("Relu", "a", "b"), ("Relu", "b", "c"), ("Add", "c", "y"))
MODEL = model(tuple(layer._replace(name=name) for layer, name in zip(ROWS, NAMES, strict=True)))


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("graph", ViewLink("graph")),
        ("graph:stem/conv", ViewLink("graph", "stem/conv")),
        ("graph:stem/conv@80", ViewLink("graph", "stem/conv", 0.8)),
        ("weights:a@b", ViewLink("weights", "a@b")),
        ("graph:#3@150", ViewLink("graph", "#3", 1.5)),
    ],
)
def test_links_are_read_as_they_are_written(text, link):
    assert parse(text, IDS) == link
    assert link.text == text


def test_a_link_names_a_layer_or_its_position_if_the_name_is_not_unique():
    document = SimpleNamespace(model=MODEL)
    texts = [link_to(document, "graph", n, 0.5).layer for n in range(4)]
    assert texts == ["stem/conv", "#1", "#2", "#3"]
    links = [ViewLink("graph", text) for text in texts]
    assert [layer_of("m", MODEL.layers, link) for link in links] == [0, 1, 2, 3]
    assert layer_of("m", MODEL.layers, ViewLink("graph", "Add 3")) == 3
    with pytest.raises(BadInput, match="m has no layer 'other'"):
        layer_of("m", MODEL.layers, ViewLink("graph", "other"))
    with pytest.raises(BadInput, match="there is no tab 'grap'"):
        parse("grap", IDS)


def test_the_command_line_takes_a_view(capsys):
    assert _arguments(["m.onnx"]) == Start(("m.onnx",))
    link = ViewLink("graph", "a b", 0.5)
    assert _arguments(["m.onnx", "--view", "graph:a b@50"]) == Start(
        ("m.onnx",), "graph:a b@50", link
    )
    with pytest.raises(SystemExit):
        _arguments(["m.onnx", "--view", "nothing"])
    assert "there is no tab 'nothing'" in capsys.readouterr().err


def test_a_link_shows_its_view_and_the_command_for_it_is_copied(qtbot, window):
    path = sample("digits_float32.onnx")
    with qtbot.waitSignal(window.workspace.opened) as opened:
        window.workspace.open(Path(path))
    document = opened.args[0]
    ViewLink("graph", "block2/add", 0.8).show(document, window)
    qtbot.waitUntil(lambda: window.view is not None and window.view.current is Tab.GRAPH)
    graph = window.view.tab(Tab.GRAPH)
    qtbot.waitUntil(lambda: abs(graph.view.camera.zoom - 0.8) < 1e-6)
    assert document.model.layers[document.selection.now.layer].name == "block2/add"
    window.activateWindow()
    qtbot.keyClick(window, Qt.Key.Key_L, CONTROL | SHIFT)
    text = QGuiApplication.clipboard().text()
    assert text == command(path, ViewLink("graph", "block2/add", 0.8))
    document.selection.choose(0)
    window.run_command("tab/performance")
    window.run_command("copy-link")
    text = QGuiApplication.clipboard().text()
    assert text == command(path, ViewLink("performance", document.model.layers[0].name))
    start = _arguments(shlex.split(text)[1:])
    window.run_command("tab/overview")
    document.selection.choose()
    window.open_named(start.names, start.link)
    qtbot.waitUntil(lambda: document.selection.now.layer == 0)
    assert window.view.current is Tab.PERFORMANCE


def test_a_link_leads_to_a_layer_of_a_report_without_its_model(qtbot, window, tmp_path):
    path = tmp_path / "measured.report.json"
    save(example_report(), path)
    layer = example_report().layers[3]
    link = ViewLink("performance", layer.name)
    window.open_named([str(path)], link)
    qtbot.waitUntil(lambda: window.document is not None)
    document = window.document
    qtbot.waitUntil(lambda: document.selection.now.layer == layer.index)
    window.run_command("copy-link")
    assert QGuiApplication.clipboard().text() == command(path, link)
