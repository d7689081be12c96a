import json

import pytest

from sample_models.making.decoder import Form
from tests import language_folders
from tests.command_line import errors_of, json_of, output_of

pytestmark = pytest.mark.engine
WORDS = "Alice was beginning to get very tired of sitting by her sister on the bank. "
# Four windows.
QUICK = ("--text-tokens", "250", "--text-window", "64")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("language")
    language_folders.genai_folder(folder / "float")
    language_folders.genai_folder(folder / "int4", Form("int4"))
    (folder / "text.txt").write_text(20 * WORDS, "utf-8")
    return folder


def asked(folder, *more):
    text = ("--text", str(folder / "text.txt"))
    return ["parity", str(folder / "float" / "model.onnx"), *text, *QUICK, *more]


def test_one_model_alone_has_a_perplexity_with_its_interval(folder):
    quality = json_of(*asked(folder))
    perplexity = quality["perplexity"]
    assert 1 < perplexity["low"] < perplexity["value"] < perplexity["high"]
    assert (quality["tokens"], quality["window"], quality["stride"]) == (256, 64, 64)
    assert quality["level"] is None


def test_two_models_are_compared_token_by_token(folder):
    other = str(folder / "int4" / "model.onnx")
    quality = json_of(*asked(folder, "--against", other))
    assert quality["ratio"]["value"] == pytest.approx(
        quality["other"]["value"] / quality["perplexity"]["value"]
    )
    assert quality["divergence"]["value"] > 0
    assert quality["level"] in ("good", "degraded", "broken", "undecided")
    assert quality["verdict"] in output_of(*asked(folder, "--against", other))


def test_equal_models_are_good(folder):
    quality = json_of(*asked(folder, "--against", "level=none"))
    assert quality["level"] == "good"


@pytest.mark.parametrize(("letters", "status"), [("ab", 1), ("QX", 0)])
def test_two_tokenizers_have_to_read_the_text_alike(letters, status, folder, tmp_path):
    other = language_folders.genai_folder(tmp_path / "other")
    tokenizer = json.loads((other / "tokenizer.json").read_text("utf-8"))
    vocabulary, (one, two) = tokenizer["model"]["vocab"], letters
    vocabulary[one], vocabulary[two] = vocabulary[two], vocabulary[one]
    (other / "tokenizer.json").write_text(json.dumps(tokenizer), "utf-8")
    output_of(*asked(folder, "--against", str(other / "model.onnx")), status=status)


@pytest.mark.parametrize(
    ("text", "says"),
    [(b"short", "window"), (b"\xff\xfe\xff", "UTF-8"), (b"  \n", "empty"), (None, "No such")],
)
def test_a_text_that_cannot_be_scored_is_said_in_one_sentence(text, says, folder, tmp_path):
    path = tmp_path / "text.txt"
    if text is not None:
        path.write_bytes(text)
    model = str(folder / "float" / "model.onnx")
    assert says in errors_of("parity", model, "--text", str(path))


def test_without_a_tokenizer_the_remedy_is_said(folder, tmp_path):
    moved = tmp_path / "alone" / "model.onnx"
    moved.parent.mkdir()
    for name in ("model.onnx", "model.onnx.data"):
        (moved.parent / name).write_bytes((folder / "float" / name).read_bytes())
    text = str(folder / "text.txt")
    assert "--tokenizer" in errors_of("parity", str(moved), "--text", text)


def test_parity_without_a_second_run_and_without_a_text_asks_for_one(folder):
    model = str(folder / "float" / "model.onnx")
    assert "--against" in errors_of("parity", model)
