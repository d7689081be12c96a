"""LiteRT-LM bundles: sections, settings and the graphs in one file, and damaged ones."""

import struct

import pytest

from inspector.errors import UnreadableFile
from inspector.formats.onnx.weight_values import tensor
from inspector.formats.opening import not_run, open_bytes, open_model
from tests.formats.tflite import build
from tests.formats.tflite.build import Number, Union

BLOCK = 16 << 10  # sections begin at multiples of it
MODEL, SETTINGS, TOKENIZER = 3, 5, 6
TEXT = 9  # of a value in the header


def field(number: int, value: int | bytes) -> bytes:
    if isinstance(value, int):
        return bytes([number << 3]) + varint(value)
    return bytes([number << 3 | 2]) + varint(len(value)) + value


def varint(value: int) -> bytes:
    pieces = []
    while value > 127:
        pieces.append(value & 127 | 128)
        value >>= 7
    return bytes([*pieces, value])


SAID = b"".join([
    field(1, field(1, field(1, b"\x02"))),
    field(2, field(2, b"<end_of_turn>")),
    field(2, field(1, field(1, b"\x01\x6a"))),
    field(5, 2048),
    field(6, field(4, b"")),
    field(7, b"{{ messages }}"),
    field(14, b"0.11.0"),
])  # fmt: skip


def bundle(*sections: tuple[int, bytes, str], shift: int = 0) -> bytes:
    at, objects, bodies = BLOCK, [], []
    for kind, body, name in sections:
        value = Union(TEXT, {0: name})
        item = {0: "model_type", 1: value}
        objects.append({
            0: [item] if name else [], 1: Number("u8", at + shift),
            2: Number("u8", at + len(body) + shift), 3: Number("u1", kind),
        })  # fmt: skip
        padded = body + bytes(-len(body) % BLOCK)
        bodies.append(padded)
        at += len(padded)
    header = build.written({0: {0: []}, 1: {0: objects}}, b"    ")
    start = b"LITERTLM" + struct.pack("<IIIIQ", 1, 7, 0, 0, 32 + len(header)) + header
    return start + bytes(BLOCK - len(start)) + b"".join(bodies)


def usual() -> bytes:
    return bundle(
        (SETTINGS, SAID, ""),
        (MODEL, build.convolving(), "tf_lite_embedder"),
        (MODEL, build.convolving(), "tf_lite_prefill_decode"),
        (TOKENIZER, b"packed", ""),
    )


def test_a_bundle_says_what_is_in_it():
    model = open_bytes(usual(), "gemma.litertlm")
    facts = dict(model.details.facts)
    assert model.format == "litertlm"
    unpadded = usual()[: 6 - BLOCK]  # the last section ends with the file
    assert open_bytes(unpadded, "gemma.litertlm").details == model.details
    assert model.details.version == "version 1.7.0"
    assert model.details.needs == "LiteRT-LM 0.11.0"
    assert facts["Model type"] == "Gemma 3"
    assert facts["Context length"] == "2,048"
    assert facts["Starts a text"] == "2"
    assert facts["Ends an answer"] == "<end_of_turn>; 1, 106"
    assert facts["Section 3"].startswith("TensorFlow Lite model, prefill_decode, 1 layer")
    assert dict(model.details.texts) == {"chat template": "{{ messages }}"}


def test_the_graph_is_the_one_that_generates_and_all_weights_count():
    alone = open_bytes(build.convolving(), "net.tflite")
    model = open_bytes(usual(), "gemma.litertlm")
    assert model.layers == alone.layers
    assert model.parameters == 2 * alone.parameters
    named = [weight.name for weight in model.weights]
    assert [name for name in named if name.startswith("embedder: ")]


def test_weights_are_read_at_their_place_in_the_bundle(tmp_path):
    alone, whole = tmp_path / "net.tflite", tmp_path / "gemma.litertlm"
    alone.write_bytes(build.convolving())
    whole.write_bytes(usual())
    weights = {weight.name: weight for weight in open_model(whole).weights}
    for weight in open_model(alone).weights:
        for name in (weight.name, f"embedder: {weight.name}"):
            values = tensor(whole, weights[name], 1 << 20)
            assert values.tobytes() == tensor(alone, weight, 1 << 20).tobytes()


def test_a_bundle_is_run_by_litert_lm(tmp_path):
    (tmp_path / "gemma.litertlm").write_bytes(usual())
    why, hint = not_run(tmp_path / "gemma.litertlm")
    assert "LiteRT-LM" in why
    assert hint


def test_a_damaged_model_in_a_bundle_is_a_problem_of_it():
    body = bundle((MODEL, b"\0\0\0\0TFL3" + bytes(100), "tf_lite_aux"))
    model = open_bytes(body, "gemma.litertlm")
    assert [finding.subject for finding in model.findings] == ["aux"]
    assert model.layers == ()


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"LITERTLM" + bytes(5), "shorter than its header"),
        (b"LITERTLM" + bytes(5000), "its header would end at byte 0"),
        (b"LITERTLM" + bytes(16) + struct.pack("<Q", 1 << 60), "its header would end"),
        (bundle((SETTINGS, SAID, ""), shift=1 << 40), "section 1 lies outside"),
        (bundle((SETTINGS, b"\x0a\xff\x01", "")), "missing at its end"),
        (bundle((SETTINGS, b"\x0a", "")), "section|missing|damaged"),
    ],
)
def test_a_damaged_bundle_is_one_sentence(body, why):
    with pytest.raises(UnreadableFile, match=why) as refusal:
        open_bytes(body, "gemma.litertlm")
    assert refusal.value.hint


@pytest.mark.parametrize("step", [7, 97])
def test_a_bundle_cut_anywhere_is_read_or_refused(step):
    whole = usual()
    for end in [*range(8, 2000, step), *range(BLOCK, len(whole), BLOCK // 3)]:
        try:
            open_bytes(whole[:end], "gemma.litertlm")
        except UnreadableFile:
            continue
