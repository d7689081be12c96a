"""What is known of a folder that is one model, against how the folder was made."""

import json
import os
import shutil

import pytest

from inspector.analysis.language.facts import counted
from inspector.analysis.language.tensor_classes import Kind
from inspector.api.models import open_model
from inspector.app.language.folder import open_folder
from inspector.pages.language.folder import folder_page
from inspector.render.terminal import Terminal, lines
from inspector.wording import catalog
from sample_models.making.decoder import Form
from tests.command_line import errors_of, json_of, output_of
from tests.language_folders import (
    SIZE,
    SPECIALS,
    genai_folder,
    optimum_folder,
    transformers_js_folder,
    write_json,
)

EMBEDDING = SIZE.vocabulary * SIZE.hidden
HEAD_SIZE = SIZE.hidden // SIZE.heads
IN_BLOCKS = SIZE.layers * (
    2 * SIZE.hidden * HEAD_SIZE * (SIZE.heads + SIZE.kv_heads)
    + 3 * SIZE.hidden * SIZE.feed_forward
)


@pytest.fixture(scope="module")
def genai(tmp_path_factory):
    return genai_folder(tmp_path_factory.mktemp("genai") / "net")


def text_of(opened) -> str:
    page = folder_page(opened.folder, opened.graphs, opened.facts, "")
    return "\n".join(lines(page, Terminal(200, False, 2, catalog.current())))


@pytest.mark.parametrize("form", [Form(), Form("int4"), Form("float16", "float16")])
def test_facts_are_those_of_how_it_was_made(tmp_path, form):
    facts = open_folder(genai_folder(tmp_path / "net", form)).facts
    assert facts.blocks == SIZE.layers
    assert facts.hidden == SIZE.hidden
    assert facts.feed_forward == SIZE.feed_forward
    assert facts.vocabulary == SIZE.vocabulary
    assert facts.context == SIZE.context
    assert (facts.heads, facts.kv_heads, facts.head_size) == (
        SIZE.heads, SIZE.kv_heads, HEAD_SIZE,
    )  # fmt: skip
    assert facts.cache_type == form.cache
    assert facts.rope_base == 10_000
    assert facts.parameters_of(Kind.EMBEDDING) == EMBEDDING
    assert facts.parameters_of(Kind.HEAD) == EMBEDDING
    matrices = facts.parameters_of(Kind.ATTENTION) + facts.parameters_of(Kind.FEED_FORWARD)
    assert matrices == IN_BLOCKS
    assert not facts.tied
    assert facts.notes == ()


def test_a_tied_embedding_is_counted_once(tmp_path):
    facts = open_folder(genai_folder(tmp_path / "net", Form(tied=True))).facts
    assert facts.tied
    assert facts.parameters_of(Kind.EMBEDDING) == EMBEDDING
    assert facts.parameters_of(Kind.HEAD) == 0


def test_four_bit_weights_count_one_by_one_without_their_scales(tmp_path):
    facts = open_folder(genai_folder(tmp_path / "net", Form("int4"))).facts
    (attention,) = (each for each in facts.classes if each.kind is Kind.ATTENTION)
    assert attention.types[0][0] == "int4"
    assert attention.bits == pytest.approx(4 + 32 / 32)  # a float32 scale for 32 numbers


def test_first_step_and_other_steps_are_the_same_weights(tmp_path):
    opened = open_folder(optimum_folder(tmp_path / "net"))
    assert [graph.part.role for graph in counted(opened.graphs)] == ["decoder"]
    assert opened.facts.parameters == opened.graphs[0].model.parameters
    files = sum(path.stat().st_size for path in (tmp_path / "net").glob("*.onnx"))
    assert opened.facts.size_bytes == files
    assert opened.facts.kv_heads == SIZE.kv_heads


def test_variants_are_not_added_up(tmp_path):
    opened = open_folder(transformers_js_folder(tmp_path / "net"))
    first = tmp_path / "net" / "onnx" / "model.onnx"
    assert opened.facts.size_bytes == first.stat().st_size
    assert [graph.part.variant for graph in opened.graphs] == ["float32", "float16", "q4"]


def test_the_size_has_the_weights_beside_the_graph(genai):
    names = ("model.onnx", "model.onnx.data")
    size = sum((genai / name).stat().st_size for name in names)
    assert open_folder(genai).facts.size_bytes == size


def test_the_tokenizer_says_what_it_is(genai):
    tokenizer = open_folder(genai).facts.tokenizer
    assert tokenizer.kind == "BPE"
    assert tokenizer.size == 256 + len(SPECIALS)
    assert [text for _, text in tokenizer.specials] == list(SPECIALS)


@pytest.fixture
def changed(genai, tmp_path):
    """Return a function that copies the folder with other values in a configuration."""

    def change(name, *keys, **values):
        folder = tmp_path / "changed"
        shutil.copytree(genai, folder)
        config = json.loads((folder / name).read_text())
        place = config
        for key in keys:
            place = place[key]
        place |= values
        write_json(folder / name, config)
        return folder

    return change


@pytest.mark.parametrize("layers", [10**9, 1, -1])
def test_the_graph_is_believed_and_the_difference_is_said(changed, layers):
    folder = changed("genai_config.json", "model", "decoder", num_hidden_layers=layers)
    facts = open_folder(folder).facts
    assert facts.blocks == SIZE.layers
    assert "num_hidden_layers" in facts.notes[0]


def test_a_tokenizer_larger_than_the_vocabulary_is_noted(changed):
    folder = changed("tokenizer.json")
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    tokenizer["added_tokens"].append({"id": 999, "content": "<x>", "special": True})
    write_json(folder / "tokenizer.json", tokenizer)
    (note,) = open_folder(folder).facts.notes
    assert "up to number 999" in note


def test_end_tokens_that_disagree_are_noted(changed):
    folder = changed("genai_config.json", "model", eos_token_id=3)
    (note,) = open_folder(folder).facts.notes
    assert "</s>" in note
    assert "ends an answer at 3" in note


@pytest.mark.parametrize("body", [b"\x80\x04.", b"{", b'{"model": 3}', b"[" * 100_000, b"{}"])
def test_a_damaged_tokenizer_is_one_sentence(changed, body):
    folder = changed("genai_config.json")
    (folder / "tokenizer.json").write_bytes(body)
    opened = open_folder(folder)
    problem = opened.facts.tokenizer.problem
    assert problem
    assert f"'tokenizer.json' cannot be used: {problem}" in text_of(opened)


def test_lost_weights_are_named_with_the_part(changed):
    folder = changed("genai_config.json")
    (folder / "model.onnx.data").unlink()
    opened = open_folder(folder)
    assert "model.onnx.data" in opened.graphs[0].problem
    assert "'model.onnx' cannot be used" in text_of(opened)


def test_info_says_what_the_folder_is(genai):
    out = output_of("info", genai, "--no-shapes")
    assert out.startswith("net\nLanguage model: Llama, ")
    assert "4 heads, 2 for keys and values, 16 wide" in out
    assert "Decoder: model.onnx" in out


def test_info_as_json_has_the_folder_beside_the_graph(genai):
    plain = json_of("info", genai, "--json", "--no-shapes")
    assert plain["folder"]["layout"] == "ONNX Runtime GenAI"
    assert plain["folder"]["attention"]["kv_heads"] == SIZE.kv_heads
    assert plain["folder"]["parameters"] == open_model(genai).model.parameters


def test_info_shows_what_is_there_of_a_folder_without_its_graph(changed):
    folder = changed("genai_config.json")
    (folder / "model.onnx").unlink()
    assert errors_of("info", folder).startswith("Could not open changed: 'model.onnx', which")


def test_the_api_opens_a_folder(genai):
    opened = open_model(genai)
    assert opened.path == genai / "model.onnx"
    assert opened.folder.facts.blocks == SIZE.layers
    assert opened.to_dict()["folder"]["context"] == SIZE.context


@pytest.mark.parametrize("suffix", [".md", ".html"])
def test_the_page_of_a_folder_is_saved(genai, tmp_path, suffix):
    opened = open_model(genai)
    text = opened.save(tmp_path / f"net{suffix}").read_text("utf-8")
    assert opened.sentence.startswith("Language model: Llama, ")
    assert "2 blocks, context of 512 tokens" in text
    assert "4 heads" in text
    assert "past_key_values" in text


def test_a_folder_with_short_data_says_how_much_is_missing(tmp_path):
    folder = genai_folder(tmp_path / "short")
    data = folder / "model.onnx.data"
    whole = data.stat().st_size
    os.truncate(data, whole // 2)
    text = output_of("info", folder)
    assert "of weights are missing" in text.splitlines()[4]
    (graph,) = open_folder(folder).graphs
    assert whole // 2 <= graph.lost_bytes < whole
