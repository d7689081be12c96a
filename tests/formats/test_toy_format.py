"""A new model format is a reader module and one line in the registry: this adds a toy one."""

import zipfile
from pathlib import Path

import pytest

from inspector.errors import UnreadableFile
from inspector.formats import model_formats
from inspector.formats.model_formats import ModelFormat
from inspector.formats.opening import is_ort, located, models_in, open_bytes, open_model
from inspector.formats.source import Source
from inspector.model.model import Model
from tests.analysis.build import layers, model

TOY = b"TOY1 Relu Add"


def read(source: Source, path: Path | None) -> Model:
    operators = source.read(0, source.size).decode().split()[1:]
    rows = ((operator, f"v{i}", f"v{i + 1}") for i, operator in enumerate(operators))
    return model(layers(*rows), name=source.name, format="toy")


@pytest.fixture
def toy_format(monkeypatch: pytest.MonkeyPatch) -> None:
    toy = ModelFormat("toy", (".toy",), __name__, b"TOY1")
    monkeypatch.setattr(model_formats, "MODEL_FORMATS", (toy, *model_formats.MODEL_FORMATS))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "net.toy"
    path.write_bytes(TOY)
    return path


@pytest.mark.usefixtures("toy_format")
def test_a_registered_format_opens_from_file_bytes_and_archive(file, tmp_path):
    opened = open_model(file)
    assert (opened.format, opened.name) == ("toy", "net.toy")
    assert [layer.operator for layer in opened.layers] == ["Relu", "Add"]
    assert open_bytes(TOY).format == "toy"
    assert not is_ort(file)
    archive = tmp_path / "nets.zip"
    with zipfile.ZipFile(archive, "w") as members:
        members.writestr("a.toy", TOY)
        members.writestr("b.toy", TOY)
    assert [path.name for path in models_in(archive)] == ["a.toy", "b.toy"]
    with located(archive / "a.toy") as unpacked:
        assert open_model(unpacked).format == "toy"


@pytest.mark.usefixtures("toy_format")
def test_a_registered_format_is_offered_in_file_dialogs_and_hints(file):
    assert "*.toy" in model_formats.file_patterns().split()
    with pytest.raises(UnreadableFile) as failed:
        open_model(file.parent)
    assert failed.value.hint == "Choose a model file inside it, for example net.toy."


def test_without_registration_a_toy_file_is_no_model(file):
    with pytest.raises(UnreadableFile):
        open_model(file)
