"""The VS Code extension: its package, what its editor shows, and that in a real browser."""

import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from inspector.formats.model_formats import model_suffixes
from tests.render.browser import PROGRAM, Browser
from tools.make_vscode_extension import FILES, FOLDER, build

MODEL = Path(__file__).parents[2] / "sample_models" / "digits_float32.onnx"
NODE = shutil.which("node") or ""
needs_node = pytest.mark.skipif(not NODE, reason="no Node on this machine")
# The webview's side of the editor, which keeps what the page sends.
_API = "window.sent = []; window.acquireVsCodeApi = () => ({postMessage: m => sent.push(m)});"


def shown(file: Path, *buttons: str, **settings: Any) -> dict[str, Any]:
    """Return the pages that the editor showed, after opening and after each button."""
    given = {
        "command": sys.executable,
        "arguments": ["-m", "inspector"],
        "measureArguments": ["--runs", "5"],
    }
    script, wanted = FOLDER / "test" / "show.js", json.dumps(given | settings)
    command = [NODE, str(script), str(file), wanted, *buttons]
    done = subprocess.run(command, capture_output=True, check=True, timeout=120)
    return json.loads(done.stdout)


def test_the_package_has_all_that_its_manifest_names(tmp_path):
    path = build(tmp_path / "inspector.vsix")
    assert path.read_bytes() == build(tmp_path / "again.vsix").read_bytes()
    with zipfile.ZipFile(path) as archive:
        names = set(archive.namelist())
        manifest = ElementTree.fromstring(archive.read("extension.vsixmanifest"))
        types = ElementTree.fromstring(archive.read("[Content_Types].xml"))
    assert {f"extension/{name}" for name in FILES} <= names
    assets = {each.attrib["Path"] for each in manifest.iter() if each.tag.endswith("}Asset")}
    assert assets <= names
    known = {each.attrib["Extension"] for each in types}
    assert {Path(name).suffix for name in names} - {""} <= known | {".xml"}
    required = {path.name for path in FOLDER.glob("*.js")}
    assert required <= set(FILES)


def test_its_files_are_models_and_its_commands_exist():
    package = json.loads((FOLDER / "package.json").read_text("utf-8"))
    contributed = package["contributes"]
    (editor,) = contributed["customEditors"]
    suffixes = {each["filenamePattern"].removeprefix("*") for each in editor["selector"]}
    assert suffixes <= set(model_suffixes())
    source = (FOLDER / "extension.js").read_text("utf-8")
    assert all(f'"{each["command"]}"' in source for each in contributed["commands"])
    settings = contributed["configuration"]["properties"]
    restricted = package["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"]
    programs = {name for name, each in settings.items() if each["scope"] != "resource"}
    assert set(restricted) == programs


@needs_node
@pytest.mark.engine
def test_a_failure_is_explained_with_what_to_do(tmp_path):
    (missing,) = shown(MODEL, command="no-such-program", arguments=[])["shown"]
    assert "Inspector is not installed" in missing
    assert "Open settings" in missing
    broken = tmp_path / "<b>broken.onnx"
    broken.write_bytes(b"no model")
    (page,) = shown(broken)["shown"]
    assert "Could not open &lt;b&gt;broken.onnx" in page
    assert "<b>" not in page


@needs_node
@pytest.mark.slow
@pytest.mark.engine
@pytest.mark.skipif(not PROGRAM, reason="no Chromium on this machine")
def test_model_and_report_are_shown_in_a_browser_without_a_violation(tmp_path):
    result = shown(MODEL, "measure", "model", "dark")
    assert result["told"] == []
    model, report, again, dark = result["shown"]
    assert again != dark
    assert 'data-theme="light"' in model
    assert 'data-theme="dark"' in dark
    with Browser(tmp_path / "home") as browser:
        browser.call("Page.addScriptToEvaluateOnNewDocument", source=_API)
        for number, page in enumerate((model, report, dark)):
            path = tmp_path / f"page{number}.html"
            path.write_text(page, "utf-8")
            browser.open(path)
            browser.settle()
        buttons = "[...document.querySelectorAll('#inspector-bar button')].map(b => b.value)"
        assert browser.run(buttons) == ["model", "report", "measure", "openWindow"]
        for value in ("report", "measure"):
            browser.click(f"#inspector-bar button[value={value}]")
        assert browser.run("sent.map(m => m.do)") == ["report", "measure"]
        graph = "+document.querySelector('#graph > svg').getAttribute('width')"
        width = browser.run(graph)
        browser.click("button[title='Zoom in'], button[aria-label='Zoom in']")
        wider = browser.run(graph)
        assert wider > width
        browser.click("#graph a[href='#layer-4']")
        assert "Conv" in browser.run("document.querySelector('tr:target').textContent")
        assert browser.problems == []
        assert all(url.startswith(("file:", "data:")) for url in browser.asked)
