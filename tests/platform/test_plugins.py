"""Plugins of another distribution, the one of docs/plugins.md, and plugins that are broken."""

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from inspector.analysis.advice import rules
from inspector.backends import registry as backends
from inspector.cli import main
from inspector.errors import BadInput, NotSaved
from inspector.export import registry as exports
from inspector.export.registry import Subject
from inspector.platform import plugins
from inspector.report.report import save
from tests.reports import example_report

PAGE = (Path(__file__).parents[2] / "docs" / "plugins.md").read_text("utf-8")
Install = Callable[..., None]
BACKEND = """
from inspector.backends.base import BackendInfo
import dataclasses
from inspector.backends.onnxruntime.info import ONNXRUNTIME
RUNTIME = dataclasses.replace(ONNXRUNTIME, id="toy")
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Return what installs a distribution with one module into a folder of the path."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delenv("INSPECTOR_PLUGINS", raising=False)
    plugins.found.cache_clear()
    names = []

    def add(name: str, code: str, **groups: str) -> None:
        names.append(name)
        (tmp_path / f"{name}.py").write_text(code)
        info = tmp_path / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        text = "".join(
            f"[inspector.{group}]\n{value.partition(':')[2].lower()} = {value}\n"
            for group, value in groups.items()
        )
        (info / "entry_points.txt").write_text(text)
        plugins.found.cache_clear()

    yield add
    plugins.found.cache_clear()
    for name in names:
        sys.modules.pop(name, None)


def test_the_package_of_the_page_adds_a_format_and_a_rule(
    install: Install, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    code = code.replace("> 10", "> 2")
    groups = dict(re.findall(r'\."inspector\.(\w+)"\]\n\S+ = "(.+)"', PAGE))
    assert groups.keys() == {"exporters", "advice_rules"}
    install("inspector_toy", code, **groups)
    report = example_report()
    save(report, tmp_path / "r.json")
    assert main.run(["export", str(tmp_path / "r.json"), "--format", "names"]) == 0
    written = (tmp_path / "r.names.txt").read_text().split("\n")
    assert written == [layer.name for layer in report.layers]
    assert "many-layers" in {each.rule for each in rules.advice(report)}
    capsys.readouterr()
    assert main.run(["plugins"]) == 0
    assert capsys.readouterr().out.count("loaded") == 2


def test_a_backend_of_a_plugin_is_found_by_its_id(
    install: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backends, "BACKENDS", dict(backends.BACKENDS))
    code = f"INSPECTOR_PLUGIN_VERSION = {plugins.VERSION}\n{BACKEND}"
    install("toy_runtime", code, backends="toy_runtime:RUNTIME")
    assert backends.info("toy").id == "toy"
    with pytest.raises(BadInput):
        backends.info("none")


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("raise RuntimeError('no licence')", "RuntimeError: no licence"),
        ("VALUE = 1", "INSPECTOR_PLUGIN_VERSION = None"),
        ("INSPECTOR_PLUGIN_VERSION = 99\nVALUE = 1", "this Inspector needs 1"),
        ("INSPECTOR_PLUGIN_VERSION = 1\nVALUE = 1", "is not of the type ExportFormat"),
        ("INSPECTOR_PLUGIN_VERSION = 1", "AttributeError"),
    ],
)
def test_a_broken_plugin_is_a_sentence_and_nothing_else_breaks(
    install: Install, code: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = len(exports.formats_of(Subject.REPORT))
    install("broken_toy", code, exporters="broken_toy:VALUE")
    assert len(exports.formats_of(Subject.REPORT)) == before
    assert main.run(["plugins"]) == 1
    out, err = capsys.readouterr()
    assert why in out
    assert "broken_toy 1.0" in err


def test_a_plugin_that_fails_later_is_said_and_stops_nothing(install: Install) -> None:
    code = (
        "from inspector.export.registry import ExportFormat, Subject\n"
        "from inspector.analysis.advice.rules import on_report\n"
        f"INSPECTOR_PLUGIN_VERSION = {plugins.VERSION}\n"
        "def fail(report):\n"
        "    yield 1 / 0\n"
        "def write(report):\n"
        "    return 1 / 0\n"
        "RULE = on_report(fail)\n"
        "FORM = ExportFormat('bad', Subject.REPORT, '.bad', 'Bad', 'bad', write)\n"
    )
    install("late_toy", code, exporters="late_toy:FORM", advice_rules="late_toy:RULE")
    assert rules.advice(example_report()) is not None
    (rule,) = plugins.found(plugins.ADVICE_RULES)
    assert "ZeroDivisionError" in rule.problem
    with pytest.raises(NotSaved, match=r"late_toy 1\.0 failed: ZeroDivisionError"):
        exports.export(example_report(), "bad")


def test_plugins_can_be_switched_off(install: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    install("broken_toy", "raise RuntimeError", exporters="broken_toy:VALUE")
    monkeypatch.setenv("INSPECTOR_PLUGINS", "off")
    assert plugins.found(plugins.EXPORTERS) == ()
