"""Models as they were in a commit, with all that belongs to them."""

import shutil
import subprocess
from pathlib import Path

import onnx
import pytest

from inspector.errors import UnreadableFile
from inspector.formats.opening import open_model
from inspector.formats.revisions import located_at
from tests.conftest import ROOT
from tests.language_folders import genai_folder

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="runs git")


@pytest.fixture
def models(tmp_path: Path) -> Path:
    folder = tmp_path / "repository" / "models"
    folder.mkdir(parents=True)
    model = onnx.load(ROOT / "sample_models" / "digits_float32.onnx")
    place = folder / "net.onnx"
    onnx.save(model, place, save_as_external_data=True, location="net.data", size_threshold=0)
    genai_folder(folder / "language")
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org")
    for command in (("init", "-q"), ("add", "-A"), (*identity, "commit", "-qm", "models")):
        subprocess.run(["git", *command], cwd=folder.parent, check=True)
    for each in (folder / "net.data", place):
        each.unlink()
    shutil.rmtree(folder / "language")
    return folder


@pytest.mark.parametrize("name", ["models/net.onnx", "./models/net.onnx", "ABSOLUTE"])
def test_external_data_comes_with_the_model(models, name, monkeypatch):
    monkeypatch.chdir(models.parent)
    name = str(models / "net.onnx") if name == "ABSOLUTE" else name
    with located_at(Path(f"HEAD:{name}")) as path:
        assert (path.parent / "net.data").stat().st_size > 10_000
        assert all(weight.place is not None for weight in open_model(path).weights)
    assert not path.exists()


def test_a_path_from_the_current_folder_is_taken_too(models, monkeypatch):
    monkeypatch.chdir(models)
    with located_at(Path("HEAD:net.onnx")) as path:
        assert len(open_model(path).layers) == 15


def test_a_folder_that_is_one_model_comes_whole(models):
    with located_at(Path(f"HEAD:{models / 'language'}")) as path:
        assert path.suffix == ".onnx"
        assert (path.parent / "genai_config.json").exists()


@pytest.mark.parametrize(
    ("revision", "why"), [("HEAD", "does not exist in 'HEAD'"), ("gone", "gone"), ("-p", "'-'")]
)
def test_what_is_not_there_is_a_sentence(models, revision, why, monkeypatch):
    monkeypatch.chdir(models.parent)
    with pytest.raises(UnreadableFile, match=why), located_at(Path(f"{revision}:no.onnx")):
        pass
