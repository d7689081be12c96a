import json

import numpy as np
import onnx
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


@pytest.fixture(scope="module")
def compared(folder):
    """What is told of two models."""
    return json_of(*asked(folder, "--against", str(folder / "int4" / "model.onnx")))


def test_one_model_alone_has_a_perplexity_with_its_interval(folder):
    quality = json_of(*asked(folder))
    perplexity = quality["perplexity"]
    assert 1 < perplexity["low"] < perplexity["value"] < perplexity["high"]
    assert (quality["tokens"], quality["window"], quality["stride"]) == (256, 64, 64)
    assert quality["level"] is None


def test_two_models_are_compared_token_by_token(compared):
    found = pytest.approx(compared["other"]["value"] / compared["perplexity"]["value"])
    assert compared["ratio"]["value"] == found
    assert compared["divergence"]["value"] > 0
    assert compared["level"] in ("good", "degraded", "broken", "undecided")


def test_the_other_model_is_found_from_where_one_is(folder, monkeypatch):
    monkeypatch.chdir(folder / "int4")
    quality = json_of(*asked(folder, "--against", "model.onnx"))
    assert quality["divergence"]["value"] > 0


def test_equal_models_are_good_and_write_the_same_text(folder):
    quality = json_of(*asked(folder, "--against", "level=none"))
    assert quality["level"] == "good"
    assert quality["agreement"] == [quality["agreement_most"]] * len(quality["agreement"])


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


def damaged(folder, target, scale):
    """An int4 model, the scales of whose block 1 are wrong."""
    language_folders.genai_folder(target, Form("int4"))
    model = onnx.load(target / "model.onnx")
    spoiled = {
        node.input[2]
        for node in model.graph.node
        if node.op_type == "MatMulNBits" and "/layers/1/mlp" in node.name
    }
    for tensor in model.graph.initializer:
        if tensor.name in spoiled:
            values = onnx.numpy_helper.to_array(tensor) * scale
            tensor.CopyFrom(onnx.numpy_helper.from_array(values, tensor.name))
    onnx.save(model, target / "model.onnx")
    return target / "model.onnx"


@pytest.mark.parametrize("scale", [np.float32(1.5), np.float32(np.nan)])
def test_a_broken_block_comes_first(scale, folder, tmp_path):
    broken = damaged(folder, tmp_path / "broken", scale)
    quality = json_of(*asked(folder, "--against", str(broken), "--sensitivity"))
    blocks = [part for part in quality["parts"] if not part["within"]]
    assert blocks[0]["name"] == "model.layers.1"
    layers = [part["name"] for part in quality["parts"] if part["within"] == "model.layers.1"]
    assert all("/mlp/" in name for name in layers[:3])
    assert {"model.layers.0", "model.layers.1"} < {part["name"] for part in blocks}


def test_equal_models_have_no_part_to_blame(folder, tmp_path):
    same = language_folders.genai_folder(tmp_path / "same")
    more = ("--against", str(same / "model.onnx"), "--sensitivity")
    assert "no layer" in errors_of(*asked(folder, *more))


def test_a_conversion_of_a_language_model_is_judged_by_a_text(folder, tmp_path):
    model, text = folder / "float" / "model.onnx", folder / "text.txt"
    for steps in ("float16", "float16:keep-io=no", "weights-8bit"):
        target = tmp_path / "made.onnx"
        made = json_of("convert", model, steps, "-o", target, "--text", text, "--overwrite")
        assert made["quality"]["level"] == "good", steps
        assert made["verdict_text"] == made["quality"]["verdict"]


def test_a_broken_language_model_is_not_saved(samples, tmp_path):
    target = tmp_path / "broken.onnx"
    command = ("convert", samples / "alice" / "model.onnx", "weights-2bit", "-o", target)
    assert "Broken" in output_of(*command, status=3)
    assert not target.exists()


def test_without_a_file_the_text_that_comes_with_inspector_is_scored(samples):
    quality = json_of("parity", samples / "alice", "--text", "--text-tokens", "512")
    assert (quality["model"], quality["text"]) == ("alice", "held_out.txt")
    assert quality["perplexity"]["value"] < 200  # of 512 tokens that are equally likely: 512


def test_a_text_is_no_help_to_a_model_of_pictures(samples, folder, tmp_path):
    model, text = samples / "digits_float32.onnx", folder / "text.txt"
    command = ("convert", model, "float16", "-o", tmp_path / "made.onnx", "--text", text)
    assert "--text" in errors_of(*command)


def test_steps_are_ranked_by_what_each_layer_does_to_a_text(folder):
    model, text = folder / "float" / "model.onnx", folder / "text.txt"
    command = ("convert", model, "weights-2bit", "--sensitivity", "--text", text)
    quality = json_of(*command)
    blocks = [part for part in quality["parts"] if not part["within"]]
    assert {"model.layers.0", "model.layers.1"} <= {part["name"] for part in blocks}
    harms = [part["divergence"] for part in blocks]
    assert harms == sorted(harms, reverse=True)
    assert max(harms) < quality["divergence"]["value"]


@pytest.mark.parametrize(
    ("conditions", "status", "outcome"),
    [
        (("perplexity>1", "divergence>1e-6"), 3, "holds"),
        (("perplexity>+300%", "same_top<0.01", "not_finite>0"), 0, "does not hold"),
    ],
)
def test_conditions_on_a_text_decide_the_exit_status(conditions, status, outcome, folder):
    command = asked(folder, "--against", str(folder / "int4" / "model.onnx"))
    for condition in conditions:
        command += ["--fail-if", f"quality.{condition}"]
    quality = json_of(*command, status=status)
    assert [each["outcome"] for each in quality["conditions"]] == [outcome] * len(conditions)
    assert quality["tokens"] == 256  # all: none is saved where the verdict is sure


def test_a_condition_on_a_text_in_another_unit_is_refused(folder):
    command = asked(folder, "--against", str(folder / "int4" / "model.onnx"))
    told = errors_of(*command, "--fail-if", "quality.divergence>0.5nats", status=2)
    assert "quality.divergence" in told


def test_a_limit_within_the_interval_is_inconclusive(folder, compared):
    command = asked(folder, "--against", str(folder / "int4" / "model.onnx"))
    value = compared["divergence"]["value"]
    command += ["--fail-if", f"quality.divergence>{value:.6f}"]
    output_of(*command)
    output_of(*command, "--on-inconclusive", "fail", status=3)


def test_conditions_on_outputs_and_on_a_text_are_told_apart(folder):
    assert "max_abs" in errors_of(*asked(folder, "--fail-if", "max_abs>1"))
    model = str(folder / "float" / "model.onnx")
    command = ["parity", model, "--against", "level=none", "--fail-if", "quality.perplexity>1"]
    assert "--text" in errors_of(*command)


def test_a_diff_of_language_models_judges_them_by_a_text(folder, compared):
    text = ("--text", str(folder / "text.txt"), *QUICK)
    models = folder / "float", folder / "int4"
    said = output_of("diff", *models, *text, "--fail-if", "quality.perplexity>1", status=3)
    assert compared["verdict"] in said
    assert "MatMulNBits" in said
    assert "--text" in errors_of("diff", *models, "--fail-if", "quality.perplexity>1")


def test_a_float16_model_is_ranked_by_its_blocks(folder, tmp_path):
    model, made = folder / "float" / "model.onnx", tmp_path / "half.onnx"
    output_of("convert", model, "float16:keep-io=no", "-o", made)
    quality = json_of(*asked(folder, "--against", str(made), "--sensitivity"))
    blocks = {part["name"] for part in quality["parts"] if not part["within"]}
    assert {"model.layers.0", "model.layers.1"} <= blocks
    assert not quality["notes"]
