"""An engine in an environment of its own: made from a local package, used, and removed."""

import json
import os
import re
import shutil
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest
from msgspec import structs

from inspector.backends import environments, registry
from inspector.backends.environments import Engine
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import BadInput, Cancelled, EngineDied, EngineFailed
from inspector.formats.tflite.reader import with_valid_axes
from inspector.report.run_spec import RunSpec
from tests import command_line
from tests.conftest import ROOT
from tests.formats.tflite import build

TOY = Engine("litert", "Toy", ("toy-engine>=1",), "toy_engine", "litert")
DIGITS = ROOT / "sample_models/digits_float32.onnx"


def wheel(folder: Path, code: str = "") -> Path:
    info = "toy_engine-1.5.dist-info"
    files = {
        "toy_engine.py": code,
        f"{info}/METADATA": "Metadata-Version: 2.1\nName: toy-engine\nVersion: 1.5\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/RECORD": "",
    }
    folder.mkdir(exist_ok=True)
    with ZipFile(folder / "toy_engine-1.5-py3-none-any.whl", "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return folder


@pytest.fixture(scope="module")
def steps(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    said: list[str] = []
    wheels = wheel(tmp_path_factory.mktemp("wheels"))
    sizes: list[int] = []
    assert environments.install(TOY, said.append, wheels=wheels, loaded=sizes.append) == "1.5"
    assert sizes == sorted(sizes)
    yield said
    environments.remove(TOY.id)


@pytest.mark.slow
def test_an_engine_is_found_in_its_environment_and_runs_there(steps, monkeypatch):
    assert steps[0] == "creating the environment"
    assert steps[-2:] == ["installing the packages", "checking that it works"]
    known = registry.BACKENDS["litert"]
    missing = replace(known, module="toy_engine")
    monkeypatch.setitem(registry.BACKENDS, "litert", missing)
    assert (missing.here, missing.installed, missing.missing) == (False, True, None)
    assert registry.environment_for(missing, ("cpu",)) == "litert"
    assert registry.environment_for(registry.info("onnxruntime"), ("cpu",)) == ""
    python = environments.python_of("litert")
    assert python is not None
    # A process there has what Inspector needs from the Python that Inspector runs in.
    command = environments.command("litert")
    assert command[0] == str(python)
    with EngineProcess(command=command) as engine:
        values = {"picture": np.zeros((1, 1, 8, 8), np.float32)}
        outputs = engine.predict(DIGITS, RunSpec(), values).outputs
    assert outputs[0].array is not None


@pytest.mark.slow
def test_packages_of_an_environment_come_first(tmp_path):
    code = "import msgspec"  # which only the Python of Inspector has
    with pytest.raises(EngineFailed, match="it does not start") as failed:
        environments.install(replace_id(TOY, "broken"), wheels=wheel(tmp_path / "w", code))
    assert "No module named 'msgspec'" in failed.value.why
    assert not environments.folder("broken").exists()


def replace_id(engine: Engine, engine_id: str) -> Engine:
    return structs.replace(engine, id=engine_id)


@pytest.mark.slow
def test_what_cannot_be_installed_leaves_nothing(tmp_path):
    (tmp_path / "empty").mkdir()
    none = replace_id(TOY, "none")
    with pytest.raises(EngineFailed, match="Could not install Toy") as failed:
        environments.install(none, wheels=tmp_path / "empty")
    assert "No matching distribution found for toy-engine>=1" in failed.value.why
    with pytest.raises(Cancelled):
        environments.install(none, stopped=lambda: True, wheels=wheel(tmp_path / "w"))
    assert not list(environments.folder("none").parent.glob("none*"))


@pytest.mark.slow
def test_a_record_of_another_python_does_not_count(steps):
    record = environments.folder("litert") / "engine.json"
    body = record.read_bytes()
    record.write_bytes(body.replace(b"cpython-", b"cpython-9"))
    assert environments.python_of("litert") is None
    record.write_bytes(body)
    assert environments.python_of("litert") is not None


def test_the_question_names_packages_and_place_and_no_password(monkeypatch):
    for name in ("PIP_INDEX_URL", "UV_DEFAULT_INDEX"):  # of pip, or of uv where pip is absent
        monkeypatch.setenv(name, "https://me:secret@mirror.example/simple")
    text = environments.question(TOY)
    assert "toy-engine>=1" in text
    assert "from mirror.example into" in text
    assert str(environments.folder("litert")) in text
    assert "secret" not in text


def test_the_command_lists_engines_and_refuses_what_it_does_not_know():
    listed = json.loads(command_line.run("engines", "--json").stdout)
    assert {"litert", "openvino"} <= {each["id"] for each in listed["engines"]}
    for option in ("--install", "--remove"):
        refused = command_line.run("engines", option, "nothing")
        assert "There is no runtime 'nothing' to install here" in refused.stderr
    with pytest.raises(BadInput):
        registry.engine("nothing")


@pytest.fixture
def made() -> Iterator[Path]:
    place = environments.folder("made")
    (place / "bin").mkdir(parents=True)
    (place / "Scripts").mkdir()
    for python in (place / "bin/python", place / "Scripts/python.exe"):
        python.touch()
    python = environments._this_python()
    record = {"id": "made", "python": python, "versions": {"toy-engine": "1"}}
    (place / "engine.json").write_text(json.dumps(record))
    yield place
    environments.remove("made")


def test_an_environment_that_cannot_be_used_says_why(made):
    assert environments.python_of("made") is not None
    assert environments.why_useless("made") == ""
    assert environments.why_useless("none") == ""
    record = made / "engine.json"
    body = record.read_text()
    record.write_text(body.replace("cpython-", "cpython-9"))
    assert "another version of Python" in environments.why_useless("made")
    record.write_text("garbage")
    assert "damaged" in environments.why_useless("made")
    record.write_text(body)
    for python in (made / "bin/python", made / "Scripts/python.exe"):
        python.unlink()
    assert "is gone" in environments.why_useless("made")
    lost = replace(registry.BACKENDS["openvino"], module="no_such_module", id="made")
    assert lost.missing is not None
    why, hint = lost.missing
    assert why.startswith("OpenVINO has to be installed again: the Python that")
    assert "inspector engines --install made" in hint


def test_what_a_killed_installation_left_goes_with_the_next_one(made):
    left = made.with_name("made.unfinished-999999999-ab")  # no such process
    (left / "lib").mkdir(parents=True)
    running = made.with_name(f"made.unfinished-{os.getpid()}-cd")
    running.mkdir()
    assert environments.remove("made")
    assert (left.exists(), running.exists()) == (False, True)
    running.rmdir()


def test_a_download_is_counted_while_its_folders_come_and_go(tmp_path, monkeypatch):
    """An installer deletes its temporary folders at any moment."""
    for name in "abc":
        (tmp_path / name / "inner").mkdir(parents=True)
        (tmp_path / name / "inner/file").write_bytes(b"12345")
    scandir, left = os.scandir, ["b", "a"]

    def list_while_others_delete(path):
        if not isinstance(path, int) and Path(path) != tmp_path and left:
            shutil.rmtree(tmp_path / left.pop(), ignore_errors=True)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", list_while_others_delete)
    assert environments._size_of(tmp_path) in (5, 10)


def test_installations_at_once_replace_each_other(tmp_path):
    """Whoever comes last wins; none fails, and nothing stays beside it."""
    target, failures = tmp_path / "engine", []

    def put(number: int) -> None:
        new = environments._own_place(target)
        (new / "lib").mkdir(parents=True)
        (new / "lib/number").write_text(str(number))
        try:
            environments._put_in_place(new, target)
        except OSError as error:
            failures.append(error)

    for _ in range(20):
        threads = [threading.Thread(target=put, args=(number,)) for number in range(6)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
    assert failures == []
    assert [*tmp_path.iterdir()] == [target]
    assert (target / "lib/number").read_text() in "012345"


def test_an_engine_whose_packages_are_gone_says_how_to_install_it_again(made):
    program = made / "bin/python"
    program.write_text("#!/bin/sh\necho ModuleNotFoundError: No module named x >&2\nexit 1\n")
    program.chmod(0o755)
    assert environments.engine_of([str(program), "-c"]) == "made"
    assert environments.engine_of([sys.executable]) == ""
    if sys.platform == "win32":
        return  # the stand-in is a shell script
    with (
        EngineProcess(command=[str(program)]) as engine,
        pytest.raises(EngineDied, match="No module named x") as failed,
    ):
        engine.predict(DIGITS, RunSpec(), {})
    assert failed.value.hint == "Install it again: inspector engines --install made"


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (
            "WARNING: Retrying: [Errno -2] Name or service not known",
            "its host name was not found",
        ),
        ("error: dns error: failed to lookup address information", "could not be looked up"),
        ("ERROR: Exception:\nTraceback:\nOSError: [Errno 28] No space left", "no space left"),
        ("ERROR: Exception:\nTraceback:\nValueError: odd", "ValueError: odd"),
    ],
)
def test_why_an_installer_failed_is_said_in_words(said, why):
    last = "" if "Exception" in said else "\nERROR: No matching distribution found for x"
    found, hint = environments._reason((said + last).splitlines())
    assert why in found
    assert "try again" in hint


ON_OPENVINO = RunSpec(devices=("openvino:cpu",))


@pytest.fixture
def without_litert(tmp_path, monkeypatch):
    monkeypatch.setattr(environments, "folder", tmp_path.joinpath)
    missing = replace(registry.BACKENDS["litert"], module="no_such_module")
    monkeypatch.setitem(registry.BACKENDS, "litert", missing)


@pytest.mark.usefixtures("without_litert")
def test_the_runtime_of_a_format_is_chosen_and_said_to_be_missing(tmp_path):
    path = tmp_path / "m.tflite"
    path.write_bytes(build.adding())
    assert registry.for_model(path).id == "litert"
    assert registry.for_model(tmp_path / "missing").id == registry.DEFAULT
    with EngineProcess() as engine, pytest.raises(EngineFailed) as refused:
        engine.load(path, RunSpec())
    assert refused.value.why == "LiteRT is not installed"
    assert refused.value.hint.startswith(
        "Install it with: inspector engines --install litert "
        '(or pip install "onnx-inspector[litert]")'
    )


@pytest.mark.usefixtures("without_litert")
def test_targets_are_estimated_without_the_runtime(tmp_path):
    path = tmp_path / "m.tflite"
    path.write_bytes(build.adding())
    answer = command_line.run("support", path)
    assert re.search(r"Qualcomm DSP +\S+.*Hexagon delegate", answer.stdout)
    assert (
        "LiteRT is not installed. Install it with: inspector engines --install litert"
        in answer.stdout
    )


@pytest.mark.usefixtures("without_litert")
def test_a_file_is_repaired_without_the_runtime_and_what_would_check_it_is_told(tmp_path):
    path, made = tmp_path / "m.tflite", tmp_path / "new.tflite"
    path.write_bytes(build.convolving(bias_axis=3))
    answer = command_line.run("convert", path, "litert-repair", "-o", made)
    assert answer.returncode == 0
    assert made.read_bytes() == with_valid_axes(path)
    assert 'pip install "onnx-inspector[litert]"' in answer.stdout
    refused = command_line.run("convert", path, "litert-float16", "-o", tmp_path / "x.tflite")
    assert refused.returncode == 1
    assert 'pip install "onnx-inspector[litert]"' in refused.stderr


def test_a_device_of_a_missing_runtime_is_listed_with_what_installs_it(monkeypatch):
    missing = replace(registry.BACKENDS["openvino"], module="no_such_module")
    monkeypatch.setitem(registry.BACKENDS, "openvino", missing)
    with EngineProcess() as engine:
        found = {device.id: device for device in engine.devices()}
        assert found["openvino:cpu"].problem == "OpenVINO is not installed"
        assert "onnx-inspector[openvino]" in found["openvino:cpu"].hint
        with pytest.raises(EngineFailed, match="OpenVINO is not installed"):
            engine.load(ROOT / "sample_models/digits_float32.onnx", ON_OPENVINO)


@pytest.mark.usefixtures("without_litert")
def test_another_runtime_that_runs_the_model_is_named(tmp_path, monkeypatch):
    path = tmp_path / "m.tflite"
    path.write_bytes(build.adding())
    openvino = registry.BACKENDS["openvino"]
    monkeypatch.setitem(registry.BACKENDS, "openvino", replace(openvino, module="json"))
    with pytest.raises(EngineFailed) as refused:
        registry.check_installed(registry.BACKENDS["litert"], path)
    assert refused.value.hint.endswith(", or use --device openvino:cpu")
    assert registry.device_instead(registry.BACKENDS["openvino"], "tflite") == ""
    monkeypatch.setitem(
        registry.BACKENDS, "openvino", replace(openvino, module="no_such_module")
    )
    assert registry.device_instead(registry.BACKENDS["litert"], "tflite") == ""
    assert registry.device_instead(registry.BACKENDS["openvino"], "onnx") == "cpu"
