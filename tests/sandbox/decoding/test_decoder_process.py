import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from inspector.errors import BadInput, UnreadableFile
from inspector.sandbox.decoding.channel import Request
from inspector.sandbox.decoding.decoder_process import Decoder, decoder

LIBRARIES = {"PIL": "images", "soundfile": "audio", "tokenizers": "tokenizers"}
PROLOGUE = """
import os, sys, time
from io import BufferedReader, FileIO
from inspector.sandbox.decoding import channel
pipe = BufferedReader(FileIO(0))
words = channel.read_line(pipe)
"""

pytestmark = pytest.mark.usefixtures("cold")


def faulty(code: str, seconds: float = 10) -> Decoder:
    return Decoder("images", [sys.executable, "-c", PROLOGUE + code], seconds)


def png(tmp_path: Path) -> bytes:
    path = tmp_path / "picture.png"
    Image.fromarray(np.arange(12, dtype=np.uint8).reshape(2, 2, 3)).save(path)
    return path.read_bytes()


def printed(code: str, *arguments: str) -> list[str]:
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def test_the_pixels_come_back_from_another_process(tmp_path):
    _, pixels = decoder("images").ask(Request("", "a.png"), png(tmp_path), "what")
    assert pixels.tolist() == np.arange(12).reshape(2, 2, 3).tolist()


def test_nothing_native_is_loaded_where_a_stranger_s_sound_or_text_is_asked_for():
    code = (
        "from inspector.preview.inputs import image_files, audio, tokens, feeds\n"
        "import sys; print(*sys.modules)"
    )
    loaded = printed(code)
    assert "inspector.preview.inputs.audio" in loaded
    assert not {"soundfile", "tokenizers"} & set(loaded)


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("os.abort()", "the decoder crashed .*(-6|code 3)"),
        ("sys.exit('no room in the oven')", "its last output: no room in the oven"),
        ("os.write(1, b'\\xff' * 8)", "the decoder returned an invalid response"),
        ("os.write(1, b'\\2\\0\\0\\0{]')", "the decoder returned an invalid response"),
        (
            "channel.send(1, channel.Response(dtype='float32', shape=(-1, 9)))",
            "the decoder returned an invalid response",
        ),
        (
            "channel.send(1, channel.Response(dtype='float32', shape=(1 << 40,)))",
            "the decoder returned an invalid response",
        ),
    ],
)
def test_a_decoder_that_breaks_is_one_sentence(code, why):
    broken = faulty(code)
    with pytest.raises(UnreadableFile, match=why) as caught:
        broken.ask(Request("", "a.png"), b"", "Could not open a.png")
    assert caught.value.what == "Could not open a.png"
    broken.close()


def test_a_decoder_that_never_answers_is_ended():
    hung = faulty("time.sleep(60)", seconds=1)
    with pytest.raises(UnreadableFile, match="took longer than 1 s of CPU time"):
        hung.ask(Request("", "a.png"), b"", "Could not open a.png")


def test_after_a_crash_the_next_file_is_read(tmp_path):
    own = Decoder("images")
    body = png(tmp_path)
    own.ask(Request("", "a.png"), body, "what")
    own._process.kill()
    own._process.wait()
    assert own.ask(Request("", "a.png"), body, "what")[1].shape == (2, 2, 3)
    own.close()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="confinement is Linux's")
@pytest.mark.parametrize("kind", ["images", "audio", "tokenizers"])
def test_a_decoder_is_confined_before_it_gets_a_file(kind):
    shared = decoder(kind)
    with pytest.raises((UnreadableFile, BadInput)):
        shared.ask(Request("load", "torn"), b"torn", "Could not open torn")
    told = Path(f"/proc/{shared._process.pid}/status").read_text().split("\n")
    facts = dict(line.split(":\t", 1) for line in told if ":\t" in line)
    assert (facts["Seccomp"], facts["NoNewPrivs"], facts["Threads"]) == ("2", "1", "1")


def test_a_tokenizer_that_is_forgotten_is_told_again(tmp_path):
    pytest.importorskip("tokenizers")
    from inspector.preview.inputs.tokens import Vocabulary

    texts = decoder("tokenizers")
    with pytest.raises(UnreadableFile, match="not a tokenizer"):
        texts.ask(Request("load", "tokenizer.json", key="k"), b"{}", "what")
    assert texts.ask(Request("piece", key="never", numbers=(1,)), b"", "what")[0].unknown
    with pytest.raises(UnreadableFile):
        Vocabulary(tmp_path / "none.json")


def test_without_a_library_the_extra_is_named(monkeypatch):
    from inspector.sandbox.decoding import audio, tokenizers

    monkeypatch.setattr(audio, "soundfile", None)
    monkeypatch.setattr(tokenizers, "tokenizers", None)
    with pytest.raises(UnreadableFile) as sound:
        audio.answer(Request("", "a.mp3"), memoryview(b""))
    with pytest.raises(BadInput) as text:
        tokenizers.answer(Request("load"), memoryview(b""))
    assert "onnx-inspector[sound]" in sound.value.hint
    assert "onnx-inspector[text]" in text.value.hint
