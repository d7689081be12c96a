"""Links to views of the graph: written, read, and followed in a window."""

from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication

from inspector.errors import BadInput
from inspector.platform.files import sample
from inspector.ui.app.application import Start, _arguments
from inspector.ui.documents.document import Bookmark
from inspector.ui.graph.view_link import ViewLink, layer_of, link_to, parse
from inspector.ui.window.tabs import TABS, Tab
from tests.analysis.build import layers, model

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
    texts = [link_to(MODEL, Bookmark(n, 0.5)).layer for n in range(4)]
    assert texts == ["stem/conv", "#1", "#2", "#3"]
    assert [layer_of(MODEL, ViewLink("graph", text)) for text in texts] == [0, 1, 2, 3]
    with pytest.raises(BadInput, match="has no layer 'other'"):
        layer_of(MODEL, ViewLink("graph", "other"))
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
    graph.copy_link()
    text = QGuiApplication.clipboard().text()
    assert text.startswith("inspector ")
    assert f"{path.name} --view graph:" in text.replace('"', "")
    assert text.endswith("@80")
