"""A chat: what is sent, what comes back as it comes, and how it goes on."""

import threading
from dataclasses import replace

import onnx
import pytest
from msgspec import structs
from onnx import helper

from inspector.app.language import chat
from inspector.app.language.chat import ChatSettings
from inspector.app.language.chat_model import open_chat
from inspector.errors import BadInput, UnreadableFile
from inspector.preview.language.answers import first_difference
from inspector.preview.language.chat_template import ASSISTANT, SYSTEM, USER, Message
from inspector.report.language.generation import Sampling, StopReason
from sample_models.making.decoder import DecoderSize
from tests import language_folders, models

HELLO = (Message(SYSTEM, "Be brief."), Message(USER, "Hello!"))
SENT = "<|system|>\nBe brief.<|end|>\n<|user|>\nHello!<|end|>\n<|assistant|>\n"
SHORT = ChatSettings(max_tokens=12)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return language_folders.genai_folder(tmp_path_factory.mktemp("models") / "small")


@pytest.fixture(scope="module")
def model(folder):
    return open_chat(folder)


@pytest.fixture(scope="module")
def first(engine, model):
    """An answer of twelve tokens."""
    return chat.answer(engine, model, model.prompt(HELLO), SHORT)


def test_a_folder_says_all_that_a_chat_needs(folder, model):
    assert (model.name, model.context) == ("small", language_folders.SIZE.context)
    assert [model.vocabulary.piece(end) for end in model.ends] == ["</s>", "<|end|>"]
    prompt = model.prompt(HELLO)
    assert prompt.text == SENT
    assert model.vocabulary.text(prompt.ids, whole=True) == SENT


def test_the_decoder_of_a_folder_is_that_model(folder, model):
    opened = open_chat(folder / "model.onnx")
    assert (opened.path, opened.ends) == (model.path, model.ends)


def test_a_file_with_a_tokenizer_beside_it_is_enough(folder, model, tmp_path):
    for name in ("model.onnx", "model.onnx.data", "tokenizer.json", "tokenizer_config.json"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    opened = open_chat(tmp_path / "model.onnx")
    assert (opened.template, opened.context) == (model.template, model.context)
    assert set(opened.ends) == set(model.ends)
    (tmp_path / "tokenizer.json").unlink()
    with pytest.raises(BadInput, match="it has no tokenizer"):
        open_chat(tmp_path / "model.onnx")


def test_an_answer_streams_and_adds_up(engine, model):
    heard = []

    def hear(*pair):
        heard.append(pair)

    answer = chat.answer(engine, model, model.prompt(HELLO), SHORT, hear)
    assert tuple(token for token, _ in heard) == answer.tokens
    assert len(answer.tokens) == 12
    ids = [token.id for token in answer.tokens]
    assert answer.text == model.vocabulary.text(ids)
    assert answer.text.startswith("".join(text for _, text in heard))
    assert answer.used == len(answer.prompt.ids) + 12
    named = {each.id for token in answer.tokens for each in (token, *token.alternatives)}
    assert set(answer.known) == named


def test_all_layouts_give_the_same_answer(engine, first, tmp_path):
    """Their weights are equal."""
    two = language_folders.optimum_folder(tmp_path / "two")
    one = language_folders.optimum_folder(tmp_path / "one", as_one=True)
    web = language_folders.transformers_js_folder(tmp_path / "web")
    for path in (two, one, web):
        opened = open_chat(path)
        answer = chat.answer(engine, opened, opened.prompt(HELLO), SHORT)
        assert answer.text == first.text
        assert first_difference(first, answer) is None


def test_a_second_turn_reads_only_what_is_new(engine, model, first):
    turns = (*HELLO, Message(ASSISTANT, first.text), Message(USER, "And?"))
    chat.answer(engine, model, first.prompt, SHORT)
    again = chat.answer(engine, model, model.prompt(turns), SHORT)
    assert again.generation.reused >= len(first.prompt.ids)
    fresh = structs.replace(SHORT, spec=replace(SHORT.spec, threads=1))
    assert chat.answer(engine, model, model.prompt(turns), fresh).text == again.text


def test_it_goes_on_from_an_alternative(engine, model, first):
    place = 4
    ids = [each.id for each in first.tokens[place].alternatives]
    other = next(each for each in ids if each != first.tokens[place].id)
    branch = chat.continued(engine, model, first, place, other, SHORT)
    ids = [token.id for token in branch.tokens]
    assert ids[: place + 1] == [*(token.id for token in first.tokens[:place]), other]
    assert branch.kept[place].probability < first.tokens[place].probability
    assert first_difference(first, branch) == place
    assert branch.text == model.vocabulary.text(ids)
    same = chat.continued(engine, model, first, place, first.tokens[place].id, SHORT)
    assert [token.id for token in same.tokens][:12] == [token.id for token in first.tokens]


def test_a_chosen_end_ends_the_answer(engine, model, first):
    end = model.ends[0]
    token = first.tokens[2]
    chosen = replace(token, alternatives=(replace(token.alternatives[0], id=end),))
    before = replace(first, generation=replace(
        first.generation, tokens=(*first.tokens[:2], chosen, *first.tokens[3:])
    ))  # fmt: skip
    answer = chat.continued(engine, model, before, 2, end, SHORT)
    assert (answer.generation.stop, len(answer.tokens)) == (StopReason.END_TOKEN, 3)


def test_only_alternatives_can_be_chosen(engine, model, first):
    with pytest.raises(BadInput, match="not among the alternatives"):
        chat.continued(engine, model, first, 0, 1 << 20)


def test_sampling_follows_its_seed(engine, model):
    prompt = model.prompt(HELLO)

    def text(seed):
        sampling = Sampling(temperature=1.5, seed=seed)
        return chat.answer(
            engine, model, prompt, structs.replace(SHORT, sampling=sampling)
        ).text

    assert text(1) == text(1)
    assert text(1) != text(2)


def test_a_prompt_that_is_too_long_is_refused_before_it_is_sent(model):
    prompt = model.prompt((Message(USER, "a" * model.context),))
    over = len(prompt.ids) + 1 - model.context
    assert over > 1
    with pytest.raises(BadInput, match=rf"{over} too many for a context of 512"):
        chat.check_length(model, prompt, SHORT)


def test_far_too_much_text_is_refused_before_it_is_read(model):
    with pytest.raises(BadInput, match=r"it has 4\.00 M characters"):
        model.prompt((Message(USER, "a" * 4_000_001),))


def test_a_context_larger_than_the_model_s_is_refused(model):
    with pytest.raises(BadInput, match="small holds 512 tokens"):
        chat.check_length(model, model.prompt(HELLO), ChatSettings(context=513))


def test_a_full_context_ends_the_answer(engine, model):
    prompt = model.prompt(HELLO)
    settings = ChatSettings(max_tokens=1000, context=len(prompt.ids) + 5)
    answer = chat.answer(engine, model, prompt, settings)
    assert answer.generation.stop is StopReason.CONTEXT_FULL
    assert answer.used <= answer.context == settings.context


def test_an_answer_can_be_stopped(engine, tmp_path):
    size = DecoderSize(context=8192)
    model = open_chat(language_folders.genai_folder(tmp_path / "long", size=size))
    model = structs.replace(model, ends=())  # one may come before the stop does
    begun = threading.Event()
    stopper = threading.Thread(target=lambda: (begun.wait(20), engine.stop()))
    stopper.start()
    settings = ChatSettings(max_tokens=8000)
    answer = chat.answer(engine, model, model.prompt(HELLO), settings, lambda *_: begun.set())
    stopper.join()
    assert answer.generation.stop is StopReason.STOPPED
    assert 0 < len(answer.tokens) < 8000
    assert answer.text == model.vocabulary.text([token.id for token in answer.tokens])


def test_without_a_template_the_text_goes_on(engine, model):
    plain = model.with_template("")
    prompt = plain.prompt((Message(USER, "Hello"),))
    assert prompt.text == "Hello"
    assert chat.answer(engine, plain, prompt, SHORT).text


def test_an_empty_prompt_is_refused(model):
    with pytest.raises(BadInput, match="the prompt is empty"):
        model.with_template("").prompt(())


def test_what_generates_no_text_is_named(tmp_path, folder):
    model = onnx.load(folder / "model.onnx", load_external_data=False)
    model.graph.output[0].name = "scores"
    for node in model.graph.node:
        node.output[:] = ["scores" if name == "logits" else name for name in node.output]
    onnx.save(model, tmp_path / "model.onnx")
    with pytest.raises(BadInput, match="no output has a score for each token"):
        open_chat(tmp_path / "model.onnx")


def test_what_only_genai_runs_says_so(engine, tmp_path):
    """Of a model with images, the decoder takes embeddings."""
    folder = language_folders.genai_folder(tmp_path / "images")
    ends = [[models.value(n, [1, "tokens", 8])] for n in ("inputs_embeds", "logits")]
    nodes = [helper.make_node("Identity", ["inputs_embeds"], ["logits"])]
    models.save(folder / "model.onnx", nodes, *ends)
    model = open_chat(folder)
    with pytest.raises(BadInput, match="takes embeddings") as caught:
        chat.answer(engine, model, model.prompt(HELLO), SHORT)
    assert "genai:cpu" in caught.value.hint


def test_a_context_that_nobody_knows_is_left_out(engine, tmp_path):
    folder = language_folders.transformers_js_folder(tmp_path / "web")
    (folder / "onnx" / "model.onnx").rename(tmp_path / "model.onnx")
    (folder / "tokenizer.json").rename(tmp_path / "tokenizer.json")
    model = open_chat(tmp_path / "model.onnx")
    answer = chat.answer(engine, model, model.prompt(HELLO), SHORT)
    assert (model.context, answer.context) == (0, 0)
    assert answer.generation.stop is StopReason.MAX_TOKENS


def test_a_damaged_tokenizer_is_named(tmp_path):
    folder = language_folders.genai_folder(tmp_path / "small")
    (folder / "tokenizer.json").write_bytes(b"\x80\x04\x95pickled")
    with pytest.raises(UnreadableFile, match=r"tokenizer\.json"):
        open_chat(folder)
