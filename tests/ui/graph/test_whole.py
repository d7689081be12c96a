"""The whole graph as a file: every layer, whatever is in view or collapsed."""

from threading import Event
from xml.etree import ElementTree

import onnx
import pytest
from onnx import TensorProto, helper
from PIL import Image

from inspector.pages.charts.drawing import Box, Drawing, Line
from inspector.render import png
from inspector.ui.documents.file_dialogs import Exporter
from inspector.ui.window.tabs import Tab

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def graph(qtbot, window, samples):
    window.workspace.open(samples / "digits_float32.onnx")
    qtbot.waitUntil(lambda: window.document.model is not None)
    window.resize(1100, 700)
    tab = window.opened_tab(Tab.GRAPH)
    qtbot.waitUntil(lambda: tab.view.scene is not None and not tab.working)
    tab.search_for("")
    tab._open_frames(True)
    qtbot.waitUntil(lambda: not tab.working)
    return tab


def saved(qtbot, window, graph, path):
    exporter = Exporter(window)
    with qtbot.waitSignal(exporter.done) as done:
        exporter.save_graph(path, graph.whole())
    return done.args[0]


def test_every_layer_is_in_the_vector_file_with_common_fonts(qtbot, window, graph, tmp_path):
    path = tmp_path / "graph.svg"
    graph.view.camera.scale(3.0)  # most of it is out of view
    assert saved(qtbot, window, graph, path) == "Saved graph.svg"
    root = ElementTree.parse(path).getroot()
    titles = {each.text for each in root.iter(f"{SVG}title")}
    assert {layer.label for layer in graph.document.model.layers} <= titles
    assert "Helvetica" in root.get("font-family")
    words = {each.text for each in root.iter(f"{SVG}text")}
    assert "Linear algebra" in words, "the legend is there, too"
    width, height = float(root.get("width")), float(root.get("height"))
    for box in root.iter(f"{SVG}rect"):
        assert 0 <= float(box.get("x")) <= width - float(box.get("width"))
        assert 0 <= float(box.get("y")) <= height - float(box.get("height"))


def test_arrows_point_the_way_that_values_flow(qtbot, graph):
    for sideways in (False, True):
        heads = [
            each.points
            for each in graph.whole()().shapes
            if isinstance(each, Line) and each.fill
        ]
        assert heads
        axis = 0 if sideways else 1
        assert all(tip[axis] > one[axis] == other[axis] for tip, one, other, _ in heads)
        graph.toolbar.sideways.trigger()
        qtbot.waitUntil(
            lambda was=sideways: graph.view.scene.drawing.sideways != was and not graph.working
        )


def nested(path, blocks):
    """Write a chain of layers: five in each block, twenty blocks in each stage."""
    nodes, last = [], "x"
    for place in range(5 * blocks):
        name = f"stage{place // 100}/block{place // 5}/layer{place}{';fused' * (place % 50)}"
        nodes.append(helper.make_node("Relu" if place % 2 else "Neg", [last], [name], name))
        last = name
    ends = [helper.make_tensor_value_info(each, TensorProto.FLOAT, [1]) for each in ("x", last)]
    graph = helper.make_graph(nodes, "nested", ends[:1], ends[1:])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), path)


def test_collapsed_frames_are_open_in_the_file_and_stay_collapsed_in_the_window(
    qtbot, window, tmp_path
):
    model = tmp_path / "nested.onnx"
    nested(model, 200)
    window.workspace.open(model)
    qtbot.waitUntil(lambda: window.document.model is not None)
    tab = window.opened_tab(Tab.GRAPH)
    qtbot.waitUntil(lambda: tab.view.scene is not None and not tab.working)
    tab.view.toggled.emit((1,))
    qtbot.waitUntil(lambda: not tab.working)
    scene, opened = tab.view.scene, tab._laying.opened
    assert len(scene.drawing) < 500, "most is collapsed"
    path = tmp_path / "nested.svg"
    assert saved(qtbot, window, tab, path).startswith("Saved nested.svg")
    root = ElementTree.parse(path).getroot()
    titles = [each.text for each in root.iter(f"{SVG}title")]
    labels = [layer.label for layer in window.document.model.layers]
    assert len(labels) == 1000
    assert [title for title in titles if title in set(labels)] == labels
    words = {each.text for each in root.iter(f"{SVG}text")}
    assert {f"block{place}" for place in range(200)} <= words, "the frames are there"
    assert tab.view.scene is scene
    assert tab._laying.opened == opened


def test_a_file_that_takes_long_is_told_of_meanwhile(qtbot, window, graph, tmp_path):
    path = tmp_path / "slow.svg"
    exporter, ready = Exporter(window), Event()

    def draw():
        ready.wait(10)
        return Drawing("slow", 60, 40, (Box(0, 0, 40, 40, "cpu"),))

    with qtbot.waitSignal(exporter.slow) as slow:
        exporter.save_graph(path, draw)
    assert slow.args == ["Saving slow.svg…", str(path)]
    with qtbot.waitSignal(exporter.done):
        ready.set()


def test_the_picture_has_the_size_of_the_whole(qtbot, window, graph, tmp_path):
    path = tmp_path / "graph.png"
    assert saved(qtbot, window, graph, path) == "Saved graph.png"
    drawing = graph.whole()()
    with Image.open(path) as picture:
        assert picture.size == (int(2 * drawing.width), int(2 * drawing.height))
        assert len(picture.convert("RGB").getcolors(1 << 20)) > 20


def test_a_picture_of_a_very_long_graph_says_how_small_it_is(qtbot, window, tmp_path):
    shapes = (Box(0, 0, 40, 400_000, "cpu"),)
    long = Drawing("long", 60, 400_000, shapes)
    exporter = Exporter(window)
    with qtbot.waitSignal(exporter.done) as done:
        exporter.save_graph(tmp_path / "long.png", lambda: long)
    assert done.args[0] == "Saved long.png at 16% of its size; SVG keeps all names readable"
    with qtbot.waitSignal(exporter.done) as done:
        exporter.save_graph(tmp_path / "long.svg", lambda: long)
    assert "px, a strip to scroll in a browser" in done.args[0]
    with Image.open(tmp_path / "long.png") as picture:
        assert picture.height == int(400_000 * png.fitting_scale(long))


def test_the_command_asks_for_a_file(qtbot, window, graph, tmp_path, monkeypatch):
    path = tmp_path / "asked.svg"
    monkeypatch.setattr(Exporter, "where", lambda self, title, proposed, kinds: path)
    window.run_command("tab/overview")
    window.run_command("graph/save")
    qtbot.waitUntil(path.exists)
    assert path.read_bytes().startswith(b"<?xml")


def test_the_command_waits_for_a_graph_that_was_never_shown(
    qtbot, window, tmp_path, monkeypatch
):
    path = tmp_path / "first.svg"
    monkeypatch.setattr(Exporter, "where", lambda self, title, proposed, kinds: path)
    nested(tmp_path / "net.onnx", 60)
    window.workspace.open(tmp_path / "net.onnx")
    qtbot.waitUntil(lambda: window.document.model is not None)
    window.run_command("graph/save")
    assert window.opened_tab(Tab.GRAPH).whole() is None, "it is still laid out"
    qtbot.waitUntil(path.exists)
