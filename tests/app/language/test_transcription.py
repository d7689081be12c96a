"""Encoder-decoders in the real engine: a text or a sound goes in, and a text comes out."""

import wave

import numpy as np
import onnxruntime
import pytest
from msgspec import structs

from inspector.app.language import chat
from inspector.app.language.chat import ChatSettings
from inspector.app.language.chat_model import open_chat
from inspector.app.language.transcription import transcribe
from inspector.errors import BadInput
from inspector.preview.language.chat_template import USER, Message
from inspector.report.run_spec import RunSpec
from tests import language_folders
from tests.language_folders import LISTENER

LAYOUTS = ("pair", "merged", "transformers.js", "genai")
SHORT = ChatSettings(max_tokens=12)
RATE = 16_000
# Special tokens of a small Whisper, the start at 256 as its configuration says.
WHISPER = (
    "<|startoftranscript|>", "</s>", "<|en|>", "<|de|>", "<|translate|>", "<|transcribe|>",
    "<|notimestamps|>",
)  # fmt: skip


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    return written(tmp_path_factory.mktemp("sounds") / "tone.wav", tone(1.0))


def tone(seconds):
    times = np.arange(int(seconds * RATE)) / RATE
    return 0.5 * np.sin(2 * np.pi * (300 + 200 * times) * times)


def written(path, samples):
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes((samples * 32767).astype("<i2").tobytes())
    return path


def run(path, **feeds):
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(None, feeds), strict=True))


def recomputed(folder, feeds, start, count, masked=True):
    """Greedy tokens of the graph without a cache: every step computes all again."""
    hidden = run(folder / "encoder_model.onnx", **feeds)["last_hidden_state"]
    more = {"encoder_attention_mask": feeds["attention_mask"]} if masked else {}
    ids = [*start]
    for _ in range(count):
        logits = run(
            folder / "decoder_model.onnx", input_ids=np.array([ids]),
            encoder_hidden_states=hidden, **more,
        )["logits"]  # fmt: skip
        ids.append(int(logits[0, -1].argmax()))
    return ids[len(start) :]


def heard(engine, folder, sound, settings=SHORT):
    model = open_chat(folder)
    (info,) = model.encoder.model.inputs
    subject = model.encoder.subject(RunSpec()).with_given({info.name: str(sound)})
    return transcribe(engine, model, subject, settings)


def ids_of(answer):
    return [token.id for token in answer.tokens]


def test_a_text_is_read_once_and_answered_in_every_layout(engine, tmp_path):
    wanted = None
    for layout in LAYOUTS[:3]:
        model = open_chat(language_folders.encoder_decoder_folder(tmp_path / layout, layout))
        prompt = model.prompt((Message(USER, "Hello there"),))
        assert (prompt.ids, prompt.encoded) == ((256,), len("Hello there"))
        answer = chat.answer(engine, model, prompt, SHORT)
        wanted = wanted or recomputed(tmp_path / "pair", prompt.feeds, (256,), 12)
        assert ids_of(answer) == wanted
        assert answer.generation.encode_ns > 0
        again = chat.answer(engine, model, prompt, SHORT)
        assert (ids_of(again), again.generation.encode_ns) == (wanted, 0)


def test_another_text_has_another_answer(engine, tmp_path):
    model = open_chat(language_folders.encoder_decoder_folder(tmp_path / "pair"))
    prompts = [model.prompt((Message(USER, text),)) for text in ("Hello there", "Who is it?")]
    for prompt in prompts:
        answer = chat.answer(engine, model, prompt, SHORT)
        assert ids_of(answer) == recomputed(tmp_path / "pair", prompt.feeds, (256,), 12)


def test_a_sound_is_transcribed_in_every_layout(engine, sound, tmp_path):
    wanted = None
    for layout in LAYOUTS:
        path = language_folders.encoder_decoder_folder(tmp_path / layout, layout, LISTENER)
        made = heard(engine, path, sound)
        (answer,) = made.answers
        wanted = wanted or recomputed(path, answer.prompt.feeds, (256,), 12, masked=False)
        assert ids_of(answer) == wanted
        assert made.generated.text == made.text == answer.text.strip()


def test_a_model_of_speech_finds_the_language_and_is_told_the_task(engine, sound, tmp_path):
    path = language_folders.encoder_decoder_folder(
        tmp_path / "whisper", size=LISTENER, specials=WHISPER, suppress_tokens=[88]
    )
    made = heard(engine, path, sound)
    (answer,) = made.answers
    (features,) = answer.prompt.feeds.values()
    hidden = run(path / "encoder_model.onnx", input_features=features)["last_hidden_state"]
    first = {"input_ids": np.array([[256]]), "encoder_hidden_states": hidden}
    logits = run(path / "decoder_model.onnx", **first)["logits"][0, -1]
    spoken = 258 + int(logits[258:260].argmax())
    assert answer.prompt.ids == (256, spoken, 261, 262)
    assert made.language == {258: "en", 259: "de"}[spoken]
    assert not {88, 256, 260, 261} & set(ids_of(answer))
    # Only the question for the language ran the encoder and loaded the model.
    assert answer.generation.encode_ns > 0 < answer.generation.load_ns
    assert made.generated.encode_ns == answer.generation.encode_ns
    assert answer.generation.first_token_ns > answer.generation.encode_ns
    # What is chosen is not asked, and changes what is written.
    told = heard(engine, path, sound, structs.replace(SHORT, language="de", translated=True))
    (answer,) = told.answers
    assert answer.prompt.ids == (256, 259, 260, 262)
    assert told.language == "de"
    ids = [*answer.prompt.ids]
    for token in ids_of(answer):
        first = {"input_ids": np.array([ids]), "encoder_hidden_states": hidden}
        logits = run(path / "decoder_model.onnx", **first)["logits"][0, -1]
        logits[[88, 256, 260, 261]] = -np.inf
        assert token == logits.argmax() or len(ids) == 4  # the first may not be a blank
        ids.append(token)
    with pytest.raises(BadInput, match="its languages are en, de"):
        heard(engine, path, sound, structs.replace(SHORT, language="fr"))


def test_one_language_is_neither_chosen_nor_translated(engine, sound, tmp_path):
    path = language_folders.encoder_decoder_folder(tmp_path / "plain", size=LISTENER)
    for settings in (
        structs.replace(SHORT, language="en"),
        structs.replace(SHORT, translated=True),
    ):
        with pytest.raises(BadInput, match="Could not"):
            heard(engine, path, sound, settings)


def test_a_long_sound_is_cut_where_it_is_quiet(engine, tmp_path):
    samples = tone(40.0)
    samples[int(27.0 * RATE) : int(27.4 * RATE)] = 0
    path = language_folders.encoder_decoder_folder(tmp_path / "pair", size=LISTENER)
    made = heard(engine, path, written(tmp_path / "long.wav", samples))
    assert len(made.answers) == 2
    begins = float(made.answers[1].prompt.text.split()[1])
    assert 27.0 <= begins <= 27.4
    assert made.text == " ".join(answer.text.strip() for answer in made.answers)


def test_a_sound_is_no_message_of_a_chat(tmp_path):
    model = open_chat(language_folders.encoder_decoder_folder(tmp_path / "a", size=LISTENER))
    with pytest.raises(BadInput, match="reads a sound"):
        model.prompt((Message(USER, "Hello"),))


def test_sounds_prepared_in_another_way_are_refused(tmp_path):
    path = language_folders.encoder_decoder_folder(tmp_path / "a", size=LISTENER)
    settings = {"feature_extractor_type": "WhisperFeatureExtractor", "hop_length": 320}
    language_folders.write_json(path / "preprocessor_config.json", settings)
    with pytest.raises(BadInput, match="hop_length is 320, not 160"):
        open_chat(path)
