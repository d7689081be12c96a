"""The graph that the runtime executes, beside the model, with a real runtime."""

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from pytestqt.qtbot import QtBot

from inspector.backends.onnxruntime.backend import OnnxRuntime
from inspector.engine.requests import EXECUTED_FILES, Optimized, OptimizeGraph
from inspector.errors import EngineFailed
from inspector.formats import opening
from inspector.pages.charts.drawing import Box
from inspector.platform.files import sample
from inspector.ui.graph.coloring import ColorBy
from inspector.ui.graph.executed import in_scopes
from inspector.ui.graph.tab import BOTH, EXECUTED, MODEL, GraphTab
from inspector.ui.widgets.theme import Theme
from tests.ui.made_documents import KeepingEngine, opened

FUSED, INSERTED = 2, "ReorderOutput"  # a layer of the sample, and a node that it gets


class OptimizingEngine(KeepingEngine):
    """Optimizes in this process; fails if it is told to."""

    def __init__(self, folder: Path, error: EngineFailed | None = None) -> None:
        super().__init__()
        self._folder, self._error = folder, error
        self.levels: list[str] = []

    def call(self, request: Any) -> Any:
        assert isinstance(request, OptimizeGraph)
        self.levels.append(request.spec.optimization)
        if self._error is not None:
            raise self._error
        files = [self._folder / name for name in EXECUTED_FILES]
        graph = OnnxRuntime().executed_graph(request.model, request.spec, *files)
        return Optimized(opening.open_model(files[0]), graph)


def shown(qtbot: QtBot, theme: Theme, engine: OptimizingEngine) -> GraphTab:
    path = sample("digits_float32.onnx")
    assert path is not None
    made = GraphTab(theme, opened(qtbot, path, engine))
    qtbot.addWidget(made)
    made.resize(1000, 760)
    made.show()
    qtbot.waitUntil(lambda: not made.working)
    return made


@pytest.fixture
def tab(qtbot: QtBot, theme: Theme, tmp_path: Path) -> GraphTab:
    made = shown(qtbot, theme, OptimizingEngine(tmp_path))
    with qtbot.waitSignal(made.executed.drawn):
        made.toolbar.shown.choose(BOTH)
    return made


def test_a_layer_and_the_node_that_carries_it_out_are_selected_together(qtbot, tab):
    graph, document = tab.executed.graph, tab.document
    document.selection.choose(FUSED)
    node = tab.executed.selection.now.layer
    assert node is not None
    assert graph.nodes[node].operator == "Conv"
    assert tab.executed.detail.text() == "Conv: stem/conv, stem/bn, stem/relu"
    other = next(i for i, each in enumerate(graph.nodes) if each.operator == "Softmax")
    scene, camera = tab.executed.view.scene, tab.executed.view.camera
    camera.fit()
    x, y, wide, high = scene.drawing.box[scene.drawing.box_of_layer[other]].tolist()
    place: QPoint = camera.to_view(QPointF(x + wide / 2, y + high / 2)).toPoint()
    qtbot.mouseClick(tab.executed.view, Qt.MouseButton.LeftButton, pos=place)
    model, layer = document.model, document.selection.now.layer
    assert layer is not None
    assert model.layers[layer].operator == "Softmax"


def test_an_inserted_node_says_who_put_it_where(tab):
    graph = tab.executed.graph
    node = next(i for i, each in enumerate(graph.nodes) if each.operator == INSERTED)
    tab.executed.selection.choose(node)
    text = tab.executed.detail.text()
    assert text.startswith("ReorderOutput (layout conversion), inserted by ONNX Runtime ")
    assert text.endswith(" between block2/add and head/flatten")
    assert tab.document.selection.now.layer is None


def test_an_inserted_node_lies_in_the_scope_of_the_value_it_converts(tab):
    graph, model = tab.executed.graph, tab.executed.model
    placed = in_scopes(model, graph)
    for before, after, node in zip(model.layers, placed.layers, graph.nodes, strict=True):
        if node.inserted:
            assert after.name == before.name.removeprefix(f"{node.operator} of ")
            assert "/" in after.name
        else:
            assert after is before
    assert not tab.executed.view.scene.drawing.stubs, "no line had to be left out"


def test_search_and_zoom_work_on_the_graph_that_is_shown(tab):
    tab.toolbar.shown.choose(EXECUTED)
    assert not tab.view.isVisible()
    tab.search.field.setText("op:ReorderOutput")
    tab.search.step(1)
    assert tab.executed.selection.now.layer == tab.search.matches[0]
    zoom = tab.executed.view.camera.zoom
    tab.toolbar.into.click()
    assert tab.executed.view.camera.zoom > zoom
    tab.toolbar.shown.choose(MODEL)
    assert tab.search.matches == ()


def test_other_settings_are_optimized_anew(qtbot, tab):
    with qtbot.waitSignal(tab.executed.drawn):
        tab.document.set_spec(optimization="none")
    graph = tab.executed.graph
    assert "15 layers became 15 nodes" in tab.executed.head.text()
    assert not graph.inserted


def test_every_node_is_in_the_saved_file_though_scopes_are_collapsed(qtbot, tab):
    tab.toolbar.shown.choose(EXECUTED)
    with qtbot.waitSignal(tab.executed.drawn):
        tab.executed.close_all()
    scene = tab.executed.view.scene
    assert len(scene.drawing) < len(tab.executed.model.layers), "most are in collapsed scopes"
    titles = {shape.title for shape in tab.whole()().shapes if isinstance(shape, Box)}
    nodes = in_scopes(tab.executed.model, tab.executed.graph).layers
    assert {node.label for node in nodes} <= titles
    assert tab.executed.view.scene is scene


def test_colors_tell_what_became_of_each_layer(qtbot, tab):
    tab.toolbar.color_by.show_value(ColorBy.EXECUTED.value)
    qtbot.waitUntil(lambda: not tab.working)
    legend = [text for _, text in tab.legend.entries]
    assert legend == ["Runs as a separate node", "Fused into another layer"]


def test_why_there_is_no_graph_is_shown(qtbot, theme, tmp_path):
    error = EngineFailed("Could not optimize", "the device compiled it", "Choose the CPU.")
    tab = shown(qtbot, theme, OptimizingEngine(tmp_path, error))
    tab.toolbar.shown.choose(EXECUTED)
    qtbot.waitUntil(tab.executed.failure.isVisible)
    assert not tab.executed.message.isVisible()


def test_both_graphs_move_together_with_what_belongs_together_level(tab):
    graph, scenes = tab.executed.graph, (tab.view.scene, tab.executed.view.scene)
    assert scenes[0] is not None
    assert scenes[1] is not None
    cameras = tab.view.camera, tab.executed.view.camera
    layer = len(graph.fates) - 1  # Softmax, far from the first one
    node = graph.node_for(layer)
    assert node is not None
    tab.document.selection.choose(layer)

    def heights() -> list[float]:
        tops = []
        for camera, scene, index in zip(cameras, scenes, (layer, node), strict=True):
            x, y, wide, high = scene.drawing.box[scene.drawing.box_of_layer[index]].tolist()
            tops.append(camera.to_view(QPointF(x + wide / 2, y + high / 2)).y())
        return tops

    for moved in cameras:
        moved.scale(1.3)
        moved.pan(QPointF(0, 25))
        assert cameras[0].zoom == pytest.approx(cameras[1].zoom)
        assert heights()[0] == pytest.approx(heights()[1], abs=1)
