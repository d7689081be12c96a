from pathlib import Path
from xml.etree import ElementTree

import pytest

from tools import draw_imports
from tools.draw_imports import ImportGraph, describe, read_imports, to_svg

pytestmark = pytest.mark.thorough

MOST_NODES, MOST_LEVELS = 24, 13  # the architecture page promises both


@pytest.fixture(scope="module")
def graph() -> ImportGraph:
    return read_imports()


def test_the_package_has_no_upward_arrow_and_no_cycle(graph: ImportGraph) -> None:
    assert graph.upward == []
    assert graph.cycles == []


def test_the_package_has_few_nodes_and_levels(graph: ImportGraph) -> None:
    assert len(graph.modules) <= MOST_NODES
    assert max(graph.levels.values()) + 1 <= MOST_LEVELS


def test_the_picture_names_every_node_and_every_arrow(graph: ImportGraph) -> None:
    root = ElementTree.fromstring(to_svg(graph))
    texts = {element.text for element in root.iter() if element.text}
    assert graph.modules.keys() <= texts
    titles = {text for text in texts if " imports " in text}
    assert len(titles) == len(graph.arrows)


def test_the_stored_picture_has_the_nodes_of_now(graph: ImportGraph) -> None:
    picture = draw_imports.PICTURE.read_text("utf-8")
    missing = [node for node in graph.modules if f">{node}</text>" not in picture]
    assert not missing, "run python -m tools.draw_imports"


def write_package(folder: Path, **sources: str) -> ImportGraph:
    package = folder / "inspector"
    package.mkdir()
    for name, source in sources.items():
        (package / f"{name}.py").write_text(source)
    table = folder / "table.py"
    table.write_text('LAYERS = (\n    # values\n    "low",\n    # people\n    "high",\n)\n')
    return read_imports(package, table)


def test_an_upward_arrow_is_reported(tmp_path: Path) -> None:
    graph = write_package(tmp_path, low="def f():\n    from inspector import high\n", high="")
    assert graph.upward == [("low", "high")]
    assert list(describe(graph))[-2:] == ["1 upward arrows", "  low imports high"]


def test_a_cycle_is_reported(tmp_path: Path) -> None:
    graph = write_package(
        tmp_path, low="import inspector.high.x", high="from inspector.low import y"
    )
    assert graph.cycles == [("high", "low")]
    assert graph.groups == {"low": "values", "high": "people"}


def test_levels_count_the_longest_path(tmp_path: Path) -> None:
    graph = write_package(tmp_path, low="", high="import inspector.low\nimport inspector.low")
    assert graph.levels == {"low": 0, "high": 1}
    assert graph.arrows == {("high", "low"): 2}
