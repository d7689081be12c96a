"""A decoder graph that is fed tokens, against the same graph run as a whole."""

from pathlib import Path

import numpy as np
import onnxruntime
import pytest

from inspector.backends.base import StopSignal
from inspector.backends.generation.conversation import FeedStopped
from inspector.backends.onnxruntime.generation.decoder import Decoder, graphs_of
from tests import language_folders

ROWS = np.random.default_rng(2).integers(0, 256, (3, 40))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("decoders")
    language_folders.genai_folder(made / "shared")
    language_folders.optimum_folder(made / "pair")
    return made


@pytest.fixture(params=["shared/model.onnx", "pair/decoder_with_past_model.onnx"])
def decoder(request: pytest.FixtureRequest, folder: Path) -> Decoder:
    path = folder / request.param
    return Decoder(graphs_of(path, onnxruntime.InferenceSession(path)))


def whole(folder: Path, rows: np.ndarray) -> np.ndarray:
    session = onnxruntime.InferenceSession(folder / "pair/decoder_model.onnx")
    feeds = {
        "input_ids": rows,
        "attention_mask": np.ones_like(rows),
        "position_ids": np.broadcast_to(np.arange(rows.shape[1]), rows.shape),
    }
    return session.run(["logits"], feeds)[0][:, -1]


@pytest.mark.parametrize("piece", [0, 7])
@pytest.mark.parametrize("batch", [1, 3])
def test_logits_are_those_of_the_whole_text(decoder, folder, batch, piece):
    rows = ROWS[:batch]
    decoder.begin(64, batch)
    told: list[int] = []
    first = decoder.feed(rows[:, :30], piece=piece, report=told.append)
    assert first == pytest.approx(whole(folder, rows[:, :30]), abs=1e-4)
    in_pieces = piece and (batch == 1 or decoder.cache == "copied")
    assert told == ([7, 14, 21, 28, 30] if in_pieces else [30])
    for place in range(30, 40):
        step = decoder.feed(rows[:, place : place + 1])
        assert step == pytest.approx(whole(folder, rows[:, : place + 1]), abs=1e-4)
    assert decoder.length == 40


@pytest.mark.parametrize("batch", [1, 3])
@pytest.mark.parametrize("prompt", [0, 6])
def test_steps_choose_the_likeliest_tokens_of_the_whole_text(decoder, folder, batch, prompt):
    """Also where no prompt has told the runtime's shapes, and when prompts stand between."""
    rows = ROWS[:batch, : prompt + 1]
    decoder.begin(64, batch)
    for _ in range(2):
        decoder.rewind(0)
        if prompt:
            decoder.feed(rows[:, :prompt])
        text = rows
        for _ in range(5):
            chosen, ended = decoder.step(text[:, -1:])
            assert ended
            assert chosen.tolist() == whole(folder, text).argmax(1, keepdims=True).tolist()
            text = np.concatenate((text, chosen), axis=1)


def test_logits_stay_as_they_were_when_more_tokens_follow(decoder):
    decoder.begin(64)
    decoder.feed(ROWS[:1, :3])
    first = decoder.feed(ROWS[:1, 3:4])
    before = first.copy()
    decoder.feed(ROWS[:1, 4:5])
    assert (first == before).all()


@pytest.mark.parametrize("batch", [1, 2])
def test_it_goes_back_and_another_way(decoder, folder, batch):
    decoder.begin(40, batch)
    decoder.feed(ROWS[:batch])
    decoder.rewind(25)
    other = np.concatenate((ROWS[:batch, :25], ROWS[1 : batch + 1, :9]), axis=1)
    assert decoder.feed(other[:, 25:]) == pytest.approx(whole(folder, other), abs=1e-4)


def test_another_number_of_rows_begins_anew(decoder, folder):
    for batch in (1, 3, 2):
        decoder.begin(41, batch)
        decoder.feed(ROWS[:batch, :39])
        step = decoder.feed(ROWS[:batch, 39:])
        assert step == pytest.approx(whole(folder, ROWS[:batch]), abs=1e-4)


def test_more_room_keeps_what_is_there(decoder, folder):
    decoder.begin(10)
    decoder.feed(ROWS[:1, :10])
    decoder.reserve(20)
    before = decoder.cache_bytes
    decoder.feed(ROWS[:1, 10:39])  # more than was asked for
    assert decoder.cache_bytes > before or decoder.cache == "copied"
    assert decoder.feed(ROWS[:1, 39:]) == pytest.approx(whole(folder, ROWS[:1]), abs=1e-4)


def test_a_stop_that_came_before_takes_no_token(decoder):
    stop = StopSignal()
    stop.request()
    decoder.begin(64)
    with pytest.raises(FeedStopped):
        decoder.feed(ROWS[:1], stop)
    assert decoder.length == 0
    assert decoder.feed(ROWS[:1], StopSignal()).shape == (1, language_folders.SIZE.vocabulary)
