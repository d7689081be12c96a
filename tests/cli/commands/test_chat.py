"""`inspector chat`: one answer, a chat on a terminal, two models, tokens, JSON."""

import io
import json
import signal
import sys

import pytest

from inspector.app.language.conversations import read_conversation
from inspector.cli.runs import chat
from inspector.report.language.generation import StopReason
from sample_models.making.decoder import DecoderSize
from tests import language_folders
from tests.command_line import errors_of, json_of, output_of, run
from tests.language_folders import Form


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return language_folders.genai_folder(tmp_path_factory.mktemp("models") / "small")


def test_a_prompt_gets_its_answer_and_what_it_took(folder):
    done = run("chat", folder, "--prompt", "Hi", "--max-tokens", 8)
    assert done.returncode == 0
    facts = done.stderr.strip().splitlines()[-1].split(" · ")
    assert facts[0] == "8 tokens"
    assert facts[1].startswith("first token ")
    assert " tokens/s at context " in facts[2]
    assert facts[3].startswith("context ")
    assert facts[4] == "stopped at max tokens"
    told = json_of("chat", folder, "--prompt", "Hi", "--max-tokens", 8)
    (answer,) = told["answers"]
    assert len(answer["text"]) > 0
    assert done.stdout.count("\n") == answer["text"].count("\n") + 1


def test_a_conversation_is_saved_once(folder, tmp_path):
    path = tmp_path / "talk.json"
    asked = ("chat", folder, "--prompt", "Hi", "--max-tokens", 4, "--save", path)
    output_of(*asked)
    (turn,) = read_conversation(path).every_turn
    assert (turn.prompt, len(turn.answers[0].tokens)) == ("Hi", 4)
    assert "there is such a file" in errors_of(*asked)


def test_tokens_are_listed(folder):
    text = output_of("chat", folder, "--prompt", "Hi", "--max-tokens", 4, "--tokens")
    table = text[text.index("Tokens") :].splitlines()
    assert table[1].split()[:4] == ["#", "Token", "ID", "Probability"]
    assert len(table) >= 6


def test_json_says_everything(folder):
    told = json_of(
        "chat", folder, "--prompt", "Hi", "--system", "Be brief.", "--max-tokens", 5,
        "--temperature", 0.7, "--top-k", 40, "--top-p", 0.9, "--seed", 3,
    )  # fmt: skip
    assert told["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Hi"},
    ]
    assert told["settings"] == {
        "temperature": 0.7, "top_k": 40, "top_p": 0.9, "seed": 3, "max_tokens": 5,
        "context": None, "device": "cpu",
    }  # fmt: skip
    (answer,) = told["answers"]
    assert answer["prompt"].endswith("<|user|>\nHi<|end|>\n<|assistant|>\n")
    assert len(answer["prompt_ids"]) == answer["prompt_tokens"]
    assert len(answer["tokens"]) == 5
    for token in answer["tokens"]:
        assert 0 < token["probability"] <= 1
        assert len(token["alternatives"]) == 5
        shares = [each["probability"] for each in token["alternatives"]]
        assert shares == sorted(shares, reverse=True)
    assert answer["stop"] == StopReason.MAX_TOKENS
    assert told["first_difference"] is None


def test_a_conversation_in_a_file_is_answered(folder, tmp_path):
    said = [("system", "Be brief."), ("user", "Hi"), ("assistant", "Yes?"), ("user", "Go on")]
    messages = [{"role": role, "content": content} for role, content in said]
    path, saved = tmp_path / "messages.json", tmp_path / "talk.json"
    path.write_text(json.dumps(messages))
    told = json_of("chat", folder, "--messages", path, "--max-tokens", 4, "--save", saved)
    assert told["messages"] == messages
    assert "Hi" in told["answers"][0]["prompt"]
    (turn,) = read_conversation(saved).every_turn
    assert turn.prompt == "Go on"
    path.write_text(json.dumps({"messages": messages[:3]}))
    told = json_of("chat", folder, "--messages", path, "--prompt", "So?", "--max-tokens", 4)
    assert told["messages"] == [*messages[:3], {"role": "user", "content": "So?"}]
    for text, why in (("[", "it is not JSON"), ('{"a": 1}', "they are no list")):
        path.write_text(text)
        assert why in errors_of("chat", folder, "--messages", path)


def test_two_models_answer_one_after_the_other(folder, tmp_path):
    small = language_folders.genai_folder(tmp_path / "int4", Form("int4"))
    told = json_of("chat", folder, "--against", small, "--prompt", "Hi", "--max-tokens", 24)
    mine, theirs = told["answers"]
    assert (mine["model"], theirs["model"]) == ("small", "int4")
    place = told["first_difference"]
    assert place is not None
    ids = [[token["id"] for token in answer["tokens"]] for answer in (mine, theirs)]
    assert ids[0][:place] == ids[1][:place]
    assert ids[0][place] != ids[1][place]
    text = output_of("chat", folder, "--against", folder, "--prompt", "Hi", "--max-tokens", 4)
    assert "Both answers have the same 4 tokens" in text


def test_another_template_or_none(folder, tmp_path):
    own = tmp_path / "own.jinja"
    own.write_text("Q: {{ messages[-1].content }} A:")
    told = json_of("chat", folder, "--prompt", "Hi", "--max-tokens", 1, "--template", own)
    assert told["answers"][0]["prompt"] == "Q: Hi A:"
    assert told["answers"][0]["template"] == "own.jinja"
    told = json_of("chat", folder, "--prompt", "Hi", "--max-tokens", 1, "--template", "none")
    assert told["answers"][0]["prompt"] == "Hi"
    assert told["answers"][0]["template"] == ""


def test_a_prompt_can_come_through_a_pipe(folder, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("Hi\n"))
    told = json_of("chat", folder, "--max-tokens", 1)
    assert told["messages"] == [{"role": "user", "content": "Hi"}]
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert "there is no prompt" in errors_of("chat", folder)


class Terminal(io.StringIO):
    """Lines that somebody types."""

    def isatty(self) -> bool:
        return True


def test_a_chat_on_a_terminal_remembers_what_was_said(folder, monkeypatch):
    monkeypatch.setattr(sys, "stdin", Terminal("Hi\n\nAnd?\n" + "long " * 200 + "\n"))
    done = run("chat", folder, "--max-tokens", 6)
    assert done.returncode == 0
    head, *rest = done.stderr.strip().splitlines()
    assert head == "small · template of tokenizer_config.json · context 512 tokens"
    facts = [line for line in rest if line.startswith("6 tokens")]
    assert len(facts) == 2
    filled = [int(line.rpartition("context ")[2].split()[0]) for line in facts]
    assert filled[1] > 2 * filled[0]  # the second prompt has the first turn in it
    assert "too many for a context of 512" in done.stderr
    assert done.stdout.count("> ") == 5


@pytest.mark.skipif(sys.platform == "win32", reason="its Ctrl+C reaches other programs, too")
def test_ctrl_c_stops_an_answer_and_the_chat_goes_on(tmp_path, monkeypatch):
    folder = language_folders.genai_folder(tmp_path / "long", size=DecoderSize(context=8192))
    monkeypatch.setattr(sys, "stdin", Terminal("Hi\nAnd?\n"))
    show, pressed = chat._Shown.token, []

    def token(self, *given):
        show(self, *given)
        if not pressed:
            pressed.append(True)
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(chat._Shown, "token", token)
    done = run("chat", folder, "--max-tokens", 4000)
    facts = [line for line in done.stderr.splitlines() if "first token" in line]
    assert done.returncode == 0
    assert facts[0].endswith("stopped by you")
    assert len(facts) == 2
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_json_of_a_chat_on_a_terminal_needs_a_prompt(folder, monkeypatch):
    monkeypatch.setattr(sys, "stdin", Terminal(""))
    assert "Add --prompt TEXT." in errors_of("chat", folder, "--json")


def test_what_cannot_chat_is_named(folder, tmp_path):
    (tmp_path / "bad").mkdir()
    assert "is a folder" in errors_of("chat", tmp_path / "bad", "--prompt", "Hi")
    broken = language_folders.genai_folder(tmp_path / "broken")
    (broken / "tokenizer_config.json").write_text('{"chat_template": "{% for %}"}')
    said = errors_of("chat", broken, "--prompt", "Hi")
    assert said.startswith("Could not fill in the chat template: line 1 is not valid Jinja")


@pytest.mark.parametrize(
    "options",
    [("--temperature", "-1"), ("--top-p", "0"), ("--top-p", "2"), ("--max-tokens", "0"),
     ("--seed", "x"), ("--top-k", "-2")],
)  # fmt: skip
def test_settings_have_bounds(folder, options):
    errors_of("chat", folder, "--prompt", "Hi", *options, status=2)
