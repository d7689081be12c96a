"""How imports are read; the package's own are tested in tests/test_architecture.py."""

from pathlib import Path

from tools.draw_imports import ImportGraph, describe, read_imports


def write_package(folder: Path, **sources: str) -> ImportGraph:
    package = folder / "inspector"
    package.mkdir()
    for name, source in sources.items():
        (package / f"{name}.py").write_text(source)
    table = folder / "table.py"
    table.write_text('LAYERS = (\n    # values\n    "low",\n    # people\n    "high",\n)\n')
    return read_imports(package, table)


def test_an_upward_arrow_is_reported(tmp_path):
    graph = write_package(tmp_path, low="def f():\n    from inspector import high\n", high="")
    assert graph.upward == [("low", "high")]
    assert list(describe(graph))[-2:] == ["1 upward arrows", "  low imports high"]


def test_a_cycle_is_reported(tmp_path):
    graph = write_package(
        tmp_path, low="import inspector.high.x", high="from inspector.low import y"
    )
    assert graph.cycles == [("high", "low")]
    assert graph.groups == {"low": "values", "high": "people"}


def test_levels_count_the_longest_path(tmp_path):
    graph = write_package(tmp_path, low="", high="import inspector.low\nimport inspector.low")
    assert graph.levels == {"low": 0, "high": 1}
    assert graph.arrows == {("high", "low"): 2}
