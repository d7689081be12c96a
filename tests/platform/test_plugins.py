"""Plugins of another distribution, the one of docs/plugins.md, and plugins that are broken."""

import ast
import json
import os
import re
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from inspector import plugin_api
from inspector.analysis import layer_numbers
from inspector.analysis.advice import rules
from inspector.analysis.devices import support_tables
from inspector.backends import registry as backends
from inspector.backends.onnxruntime.placement import absent_devices
from inspector.cli import command_table, main
from inspector.conversion.registry import ONNX_ACTIONS
from inspector.errors import BadInput, InspectorError, NotSaved, UnreadableFile
from inspector.formats import model_formats
from inspector.formats.opening import open_model
from inspector.model.tensors.prediction import OutputValue
from inspector.platform import plugins
from inspector.preview import identity
from inspector.preview.families import family_answers, family_table
from inspector.preview.inputs import feeds
from inspector.render import code_languages
from inspector.render import registry as exports
from inspector.render.registry import Subject
from inspector.report.report import save
from inspector.report.run_spec import RunSpec
from inspector.sandbox import confinement
from inspector.sandbox.decoding import decoder_process
from tests.command_line import output_of, run
from tests.reports import example_report

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "sample_models"
PAGE = (ROOT / "docs" / "plugins.md").read_text("utf-8")
BEFORE = (Path(__file__).parent / "plugins_of_version_1.md").read_text("utf-8")
_OLD = pytest.param(
    "before", marks=pytest.mark.filterwarnings("ignore:import:DeprecationWarning")
)
BOTH = pytest.mark.parametrize("toy", ["today", _OLD], indirect=True)
Install = Callable[..., None]
BACKEND = """
from inspector.backends.base import BackendInfo
import dataclasses
from inspector.backends.onnxruntime.info import ONNXRUNTIME
RUNTIME = dataclasses.replace(ONNXRUNTIME, id="toy")
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delenv("INSPECTOR_PLUGINS", raising=False)
    plugins.found.cache_clear()
    plugins.any_installed.cache_clear()
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
        plugins.any_installed.cache_clear()

    yield add
    plugins.found.cache_clear()
    plugins.any_installed.cache_clear()
    for name in names:
        sys.modules.pop(name, None)


def files_of_page(page: str = PAGE) -> dict[str, str]:
    blocks = re.findall(r"\n`([\w/.]+)`:\n\n```\w+\n(.*?)```", page, re.DOTALL)
    return dict(blocks)


@pytest.fixture(params=["today"])
def toy(
    request: pytest.FixtureRequest,
    install: Install,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Path]:
    """Install the package of the page into a folder of the path; return that folder.

    With "before", that of the page as it was before plugins imported from plugin_api.
    """
    files = files_of_page(PAGE if request.param == "today" else BEFORE)
    pattern = r"""\."inspector\.(\w+)"\]\n\S+ = "(.+)\""""
    groups = dict(re.findall(pattern, files["pyproject.toml"]))
    if request.param == "today":
        assert set(groups) == {group.id for group in plugins.GROUPS}
    install("inspector_toy", "", **groups)
    (tmp_path / "inspector_toy.py").unlink()
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    # Decoders are processes of their own, which need the path too.
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(backends, "BACKENDS", dict(backends.BACKENDS))
    caches = (decoder_process.decoder, support_tables.of_packages, command_table.commands)
    for each in caches:
        each.cache_clear()
    yield tmp_path
    for kind in ("plugin_models", "plugin_inputs"):
        decoder_process.decoder(kind).close()
    for each in caches:
        each.cache_clear()
    for name in [name for name in sys.modules if name.startswith("inspector_toy")]:
        del sys.modules[name]


@BOTH
def test_the_package_of_the_page_adds_one_of_each_group(toy, request):
    today = request.node.callspec.params["toy"] == "today"
    count = len(plugins.GROUPS) if today else BEFORE.count("[project.entry-points")
    assert output_of("plugins").count("loaded") == count
    report = example_report()
    save(report, toy / "r.json")
    assert main.run(["export", str(toy / "r.json"), "--format", "names"]) == 0
    written = (toy / "r.names.txt").read_text().split("\n")
    assert written == [layer.name for layer in report.layers]
    assert "many-layers" in {each.rule for each in rules.advice(report)}
    assert backends.info("toy").name == "Toy Runtime"


def test_plugins_of_others_import_from_one_place():
    code = "".join(text for name, text in files_of_page().items() if name.endswith(".py"))
    assert set(re.findall(r"^from (inspector[.\w]*) ", code, re.M)) == {"inspector.plugin_api"}
    tree = ast.parse(Path(plugin_api.__file__).read_text("utf-8"))
    checked = [
        (node.module, alias.name)
        for block in tree.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    ]
    for module, name in checked:
        assert getattr(plugin_api, name) is getattr(import_module(module), name)
    public = {name for name in dir(plugin_api) if not name.startswith("_")}
    assert public - {name for _, name in checked} == {"Any", "TYPE_CHECKING", "plugins"}
    assert {group.type_name for group in plugins.GROUPS} <= public
    with pytest.raises(AttributeError):
        plugin_api.absent
    script = "import inspector.plugin_api, sys; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert not {"numpy", "msgspec", "onnx"} & set(loaded.stdout.split())


@BOTH
def test_a_format_of_a_plugin_is_read_in_a_confined_process(toy):
    (toy / "net.toy").write_bytes(b"TOY1 Relu Add")
    model = open_model(toy / "net.toy")
    assert [layer.operator for layer in model.layers] == ["Relu", "Add"]
    assert (model.format, model.format_text) == ("toy", "Toy, version 1")
    assert "inspector_toy.toy_format" not in sys.modules  # the reader ran elsewhere
    assert "Toy, version 1" in output_of("info", toy / "net.toy")
    assert "*.toy" in model_formats.file_patterns().split()
    (toy / "renamed.bin").write_bytes(b"TOY1 Relu")
    assert len(open_model(toy / "renamed.bin").layers) == 1
    for content, why in ((b"TOY1", "no operators"), (b"TOY1 \xff", "UnicodeDecodeError")):
        (toy / "net.toy").write_bytes(content)
        with pytest.raises(UnreadableFile, match=why):
            open_model(toy / "net.toy")


def test_a_reader_that_opens_files_or_lies_is_stopped(toy, tmp_path_factory):
    secret = tmp_path_factory.mktemp("elsewhere") / "secret.txt"
    secret.write_text("TOY1 Secret")
    reader = toy / "inspector_toy" / "toy_format.py"
    honest = reader.read_text()
    (toy / "net.toy").write_bytes(b"TOY1 Relu Add")
    opens = f"    open({str(secret)!r}).read()\n    operators = source"
    if confinement.LINUX:
        reader.write_text(honest.replace("    operators = source", opens))
        with pytest.raises(UnreadableFile, match=r"PermissionError|crashed|denied"):
            open_model(toy / "net.toy")
    decoder_process.decoder("plugin_models").close()
    reader.write_text(honest.replace("Layer(i,", "Layer(i + 7,"))
    with pytest.raises(UnreadableFile, match="invalid model"):
        open_model(toy / "net.toy")


@BOTH
def test_an_input_file_and_a_decoder_of_a_plugin_are_used_by_predict(toy):
    rows = "\n".join(" ".join("0.5" for _ in range(8)) for _ in range(8))
    (toy / "digit.rows").write_text(rows)
    path = SAMPLES / "digits_float32.onnx"
    (info,) = open_model(path).inputs
    sized = replace(info, shape=(8, 8))
    filled = feeds.fill(sized, str(toy / "digit.rows"), {})
    assert filled.array.shape == (8, 8)
    assert filled.description.startswith("Rows")
    model = open_model(path)
    family = family_table.recognize(replace(model, doc="not cached"))
    assert family is not None
    scores = np.eye(10, dtype=np.float32)[[3]]
    answer = family_answers.read(family, [OutputValue("scores", "tensor", "float32", scores)])
    assert (answer.lines, answer.values) == (("digit 3",), {"digit": 3})
    assert identity.identify(replace(model, doc="no image")).task


@BOTH
def test_a_support_table_of_a_plugin_is_a_device(toy):
    path = SAMPLES / "digits_float32.onnx"
    result = run("info", path, "--estimate", "toy-chip", "--dim", "batch=1")
    assert result.returncode == 0, result.stderr
    assert "Toy chip" in result.stdout
    assert "Toy SDK 1.0" in result.stdout
    assert "toy-chip" in absent_devices.known()
    (toy / "inspector_toy" / "chip.json").write_text('{"schema": "other/1"}')
    support_tables.of_packages.cache_clear()
    result = run("info", path, "--estimate", "toy-chip")
    assert "no support table for 'toy-chip'" in result.stderr
    assert "could not be read" in run("plugins").stdout


@BOTH
def test_numbers_of_a_plugin_are_one_for_each_layer(toy):
    model = open_model(SAMPLES / "digits_float32.onnx")
    (plugin,) = layer_numbers.sources_of_plugins()
    numbers = layer_numbers.plugin_numbers(plugin, model, None)
    assert numbers.values.tolist() == [len(layer.inputs) for layer in model.layers]
    plugin.value = replace(plugin.value, compute=lambda model, report: [1.0])
    with pytest.raises(BadInput, match="1 numbers for"):
        layer_numbers.plugin_numbers(plugin, model, None)


def test_an_action_of_a_plugin_changes_a_model_in_the_engine(toy, monkeypatch):
    merged = {
        each.id: each for each in plugins.added_to(ONNX_ACTIONS.values(), plugins.ACTIONS)
    }
    assert list(merged)[-1] == "stamp"
    path, target = SAMPLES / "digits_float32.onnx", toy / "stamped.onnx"

    def inspector(*words: object) -> str:
        command = [sys.executable, "-m", "inspector", *map(str, words)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    assert "write a text into the description" in inspector("convert", "--list")
    inspector("convert", path, "stamp:text=mine", "-o", target)
    assert open_model(target).doc == "mine"


def test_a_kind_of_machine_of_a_plugin_is_added_by_its_host(toy):
    assert "'toy:NUMBER' for a toy board" in " ".join(output_of("devices", "--help").split())
    told = output_of("devices", "--add", "mine", "toy:7")
    assert "board 7" in told
    assert "Toy chip" in told
    (machine,) = json.loads(output_of("devices", "--test", "mine", "--json"))["machines"]
    assert machine["hello"]["cpu"] == "board 7"
    refused = run("devices", "--add", "other", "toyz:7")
    assert "no plugin for hosts that begin with 'toyz:' is installed" in refused.stderr
    output_of("devices", "--remove", "mine")


def test_a_language_of_a_plugin_is_one_of_generated_code(toy, monkeypatch):
    assert "basic" in output_of("code", "--help")
    text = output_of("code", SAMPLES / "digits_float32.onnx", "--language", "basic")
    assert text.splitlines()[0] == '10 LOAD "digits_float32.onnx"'
    basic = code_languages.language("BASIC")
    assert basic.session_code(RunSpec(threads=3), "a").endswith("THREADS 3\n")
    assert code_languages.language("python") is code_languages.languages()["Python"]
    with pytest.raises(BadInput, match="no such language"):
        code_languages.language("cobol")
    monkeypatch.setattr("inspector_toy.toy_language.session", lambda *_: 1 / 0)
    with pytest.raises(InspectorError, match=r"inspector_toy 1\.0 failed: ZeroDivisionError"):
        basic.session_code(RunSpec(), "a")


def test_a_command_of_a_plugin_is_listed_helped_and_run(toy, monkeypatch):
    assert "  operators    " in run("--help").stdout
    assert output_of("operators", "--help").startswith("usage: inspector operators [-h]")
    told = output_of("operators", SAMPLES / "digits_float32.onnx")
    assert "Conv" in told.split()
    assert "operators" in output_of("completion", "bash").split()
    monkeypatch.setattr("inspector_toy.toy_command.run", lambda options: 1 / 0)
    failed = run("operators", SAMPLES / "digits_float32.onnx")
    assert failed.returncode == 1
    assert "plugin operators of inspector_toy 1.0 failed: ZeroDivisionError" in failed.stderr


def test_a_command_that_exists_already_is_not_replaced(install, capsys):
    code = (
        "from inspector.cli.command_table import Command\n"
        f"INSPECTOR_PLUGIN_VERSION = {plugins.VERSION}\n"
        "LAB = Command('lab', 'mine', module='other_lab')\n"
    )
    install("other_lab", code, commands="other_lab:LAB")
    command_table.commands.cache_clear()
    assert command_table.commands()["lab"].summary != "mine"
    (plugin,) = plugins.found(plugins.COMMANDS)
    assert plugin.problem == "'lab' already exists"
    command_table.commands.cache_clear()


@pytest.mark.slow
@pytest.mark.skipif(
    not (find_spec("setuptools") and find_spec("setuptools.command.bdist_wheel")),
    reason="builds the package",
)
def test_the_package_installed_by_pip_works_in_processes_of_its_own(tmp_path):
    project, env = tmp_path / "inspector-toy", tmp_path / "env"
    for name, text in files_of_page().items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text)
    venv.create(env, with_pip=False)
    (site,) = env.glob("[Ll]ib/**/site-packages")
    (site / "own.pth").write_text("\n".join((sysconfig.get_path("purelib"), str(ROOT))))
    python = env / ("Scripts" if os.name == "nt" else "bin") / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--no-deps"]
    options = ["--no-build-isolation", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, *options, str(project)], check=True)

    def inspector(*arguments: object) -> str:
        command = [str(python), "-m", "inspector", *map(str, arguments)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    assert inspector("plugins").count("loaded") == len(plugins.GROUPS)
    (tmp_path / "net.toy").write_bytes(b"TOY1 Relu Add")
    assert "Toy, version 1" in inspector("info", tmp_path / "net.toy")
    digits = SAMPLES / "digits_float32.onnx"
    assert "Toy chip" in inspector("info", digits, "--estimate", "toy-chip")
    assert "Recognized as  Toy digits" in inspector("predict", digits)


def test_a_backend_of_a_plugin_is_found_by_its_id(install, monkeypatch):
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
def test_a_broken_plugin_is_a_sentence_and_nothing_else_breaks(install, code, why, capsys):
    before = len(exports.formats_of(Subject.REPORT))
    install("broken_toy", code, exporters="broken_toy:VALUE")
    assert len(exports.formats_of(Subject.REPORT)) == before
    assert main.run(["plugins"]) == 1
    out, err = capsys.readouterr()
    assert why in out
    assert "broken_toy 1.0" in err


def test_a_plugin_that_fails_later_is_said_and_stops_nothing(install):
    code = (
        "from inspector.render.registry import ExportFormat, Subject\n"
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


def test_plugins_can_be_switched_off(install, monkeypatch):
    install("broken_toy", "raise RuntimeError", exporters="broken_toy:VALUE")
    monkeypatch.setenv("INSPECTOR_PLUGINS", "off")
    assert plugins.found(plugins.EXPORTERS) == ()
    assert "lab" in command_table.commands()
    assert "\nPlugins are disabled by $INSPECTOR_PLUGINS.\n" in output_of("plugins")
