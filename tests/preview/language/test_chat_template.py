"""Chat templates give the text that their models know, and hostile ones a sentence."""

import json
from collections.abc import Iterator
from datetime import datetime

import pytest

from inspector.errors import BadInput, InspectorError
from inspector.preview.language import chat_template
from inspector.preview.language.chat_template import ChatTemplate, Message, read_template
from inspector.sandbox.decoding.decoder_process import Decoder
from tests.preview.language.public_templates import CHAT, MARKS, TEXTS

MESSAGES = chat_template.checked_messages(CHAT)
HELLO = (Message("user", "Hi"),)
SAYS_BACK = "{{ messages[0].content }}"


@pytest.mark.parametrize("name", TEXTS)
def test_a_well_known_template_gives_its_text(name):
    template, text = TEXTS[name]
    assert ChatTemplate(template, MARKS).filled(MESSAGES) == text


def test_no_answer_is_asked_for_on_request():
    template = ChatTemplate(TEXTS["ChatML"][0], MARKS)
    assert template.filled(HELLO, answer_next=False) == "<|im_start|>user\nHi<|im_end|>\n"


def test_without_a_template_the_text_stands_alone():
    assert ChatTemplate("", {}).filled(HELLO) == "Hi"


def test_names_of_transformers_are_there():
    text = (
        "{{ strftime_now('%d %b %Y') }} {{ messages | tojson }} {{ tools is none }}"
        "{% generation %}!{% endgeneration %}{% for i in [1, 2] %}{% break %}{% endfor %}"
    )
    filled = ChatTemplate(text, {}).filled(
        (Message("user", "<ö>"),), now=datetime(2026, 3, 1, 12)
    )
    assert filled == '01 Mar 2026 [{"role": "user", "content": "<ö>"}] True!'


HOSTILE = {
    "loop": (
        "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}",
        "took longer than 1 s",
    ),
    "long range": ("{% for i in range(10**9) %}a{% endfor %}", "Range too big"),
    "endless text": (
        "{% for i in range(99999) %}{{ 'a' * 10000 }}{% endfor %}",
        "more than 8.00 M characters",
    ),
    "recursion": ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "calls itself"),
    "depth": ("{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}", "nested too deeply"),
    "memory": ("{{ 'a' * 10**10 }}", "needs more memory than allowed"),
    "include": ("{% include '/etc/passwd' %}", "no loader"),
    "class": ("{{ ''.__class__.__mro__ }}", "is unsafe"),
    "change": ("{{ messages.append(1) }}", "is unsafe"),
    "syntax": ("\n\n{% if %}", "line 3 is not valid Jinja"),
    "unknown name": ("{{ nothing.at_all }}", "'nothing' is undefined"),
    "refusal": ("{{ raise_exception('Only users') }}", "refuses these messages: Only users"),
    "length": ("x" * 1_000_001, "1,000,001 characters"),
}


@pytest.fixture(scope="module")
def brief() -> Iterator[Decoder]:
    """A process for templates with a shorter limit than the program's."""
    made = Decoder("templates", seconds=1.0)
    yield made
    made.close()


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_template_gets_one_sentence(name, brief, monkeypatch):
    monkeypatch.setattr(chat_template, "decoder", lambda _: brief)
    text, why = HOSTILE[name]
    with pytest.raises(InspectorError, match="Could not fill in the chat template") as caught:
        ChatTemplate(text, {}).filled(HELLO)
    assert why in caught.value.why
    assert ChatTemplate(SAYS_BACK, {}).filled(HELLO) == "Hi"  # the next one works


def test_a_template_is_read_from_the_configuration_of_the_tokenizer(tmp_path):
    tokenizer = tmp_path / "tokenizer.json"
    config = {
        "bos_token": {"content": "<s>", "special": True},
        "eos_token": "</s>",
        "chat_template": [
            {"name": "tool_use", "template": "tools"},
            {"name": "default", "template": SAYS_BACK},
        ],
    }
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(config))
    read = read_template(tokenizer)
    assert (read.text, read.source) == (SAYS_BACK, "tokenizer_config.json")
    assert read.marks == {"bos_token": "<s>", "eos_token": "</s>"}
    (tmp_path / "chat_template.jinja").write_text("own")
    assert read_template(tokenizer).text == "own"


def test_a_folder_without_a_template_has_none(tmp_path):
    assert read_template(tmp_path / "tokenizer.json") == ChatTemplate("", {})
    (tmp_path / "tokenizer_config.json").write_text('{"chat_template": null}')
    assert read_template(tmp_path / "tokenizer.json").text == ""


@pytest.mark.parametrize("text", ["[" * 200_000, "{", '{"a": \x00}', "\x80\x04pickle"])
def test_a_damaged_configuration_is_a_note(tmp_path, text):
    (tmp_path / "tokenizer_config.json").write_bytes(text.encode("latin-1"))
    read = read_template(tmp_path / "tokenizer.json")
    (note,) = read.notes
    assert (read.text, "tokenizer_config.json" in note) == ("", True)


def test_a_template_that_is_a_link_out_of_the_folder_is_not_read(tmp_path):
    (tmp_path / "secret").write_text("password")
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "chat_template.jinja").symlink_to(tmp_path / "secret")
    assert read_template(folder / "tokenizer.json").text == ""


@pytest.mark.parametrize(
    "messages", ["Hi", [{"role": "user"}], [1], [{"role": 1, "content": ""}]]
)
def test_messages_of_another_form_are_refused(messages):
    with pytest.raises(BadInput, match="Could not read the messages"):
        chat_template.checked_messages(messages)
