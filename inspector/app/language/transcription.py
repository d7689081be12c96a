"""What an encoder-decoder writes about the input of its encoder: a sound, an image, a text."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from msgspec import Struct

from inspector.app.language import chat, continuation
from inspector.app.language.chat import ChatSettings, OnToken
from inspector.app.language.chat_model import ChatModel
from inspector.app.language.encoders import Encoder
from inspector.app.subjects import Subject
from inspector.engine.client.engine import Engine
from inspector.engine.requests import Generate
from inspector.errors import BadInput
from inspector.preview.inputs.feeds import feeds_by_name
from inspector.preview.inputs.input_choice import only_input
from inspector.preview.language.answers import Answer, Prompt
from inspector.preview.runs.generation import Generated, Token
from inspector.report.language.generation import (
    GeneratedToken,
    Generation,
    StopReason,
    TokenRules,
)
from inspector.units import clip

_LISTED = 400  # letters of the languages in a message
MOST_WRITTEN = 448  # tokens about one piece: the context of Whisper, and more than it speaks


class Transcription(Struct, frozen=True):
    """The text about an input.

    answers: one for each piece of a long sound. language: what is spoken, such as "en", as the
    model found or was told; "" where it knows one language.
    """

    text: str
    answers: tuple[Answer, ...]
    language: str = ""

    @property
    def answer(self) -> Answer:
        """Return it as one answer: to the first piece, with the tokens of all."""
        first = self.answers[0]
        tokens = tuple(token for answer in self.answers for token in answer.generation.tokens)
        known = {number: piece for each in self.answers for number, piece in each.known.items()}
        stop = self.answers[-1].generation.stop
        generation = replace(first.generation, tokens=tokens, stop=stop)
        return replace(first, text=self.text, generation=generation, known=known)

    @property
    def generated(self) -> Generated:
        """Return it as predictions have it, with the times of the first piece."""
        listed = [
            Token(token.id, answer.piece(token.id).text, token.probability, token.step_ns)
            for answer in self.answers
            for token in answer.tokens
        ]
        made = continuation.generated(listed, self.text, self.answers[0].generation)
        ended = self.answers[-1].generation.stop
        return replace(
            made, ended=ended is StopReason.END_TOKEN, stop=ended.value, language=self.language
        )


def transcribe(
    engine: Engine,
    model: ChatModel,
    subject: Subject,
    settings: ChatSettings | None = None,
    on_token: OnToken | None = None,
    kept: Sequence[GeneratedToken] = (),
) -> Transcription:
    """Let a model write about the input of its encoder, piece by piece where it is long.

    subject: the encoder, with what it is given, as of `Encoder.subject`. kept: as of
    `chat.answer`. Raises BadInput: the model has no encoder, does not know the language of the
    settings or does not translate, the input does not fit, or tokens are kept of a sound in
    several pieces. UnreadableFile, EngineFailed.
    """
    settings = settings or ChatSettings()
    encoder, answers = model.encoder, list[Answer]()
    if encoder is None:
        raise _without_encoder(model)
    language, task = _chosen(model, encoder, settings)
    pieces = encoder.pieces(encoder.prepared(subject))
    if kept and len(pieces) > 1:
        what = f"Could not continue the text of {clip(model.name)}"
        hint = "Allow more tokens, and send the sound again."
        raise BadInput(what, f"it is of a sound in {len(pieces)} pieces", hint)
    for piece in pieces:
        filled = piece.filled()
        feeds = feeds_by_name(filled)
        words = next((each.description for each in filled if each.given), "")
        start, speech = encoder.start, encoder.speech
        asked: Generation | None = None
        if speech is not None:
            if speech.languages and language < 0:
                alone = Prompt("", start, feeds)
                asked = _ask_language(engine, model, encoder, alone, settings)
                language = asked.tokens[0].id if asked.tokens else speech.languages[0]
            start = (*start, *((language,) if speech.languages else ()), *task)
        prompt = Prompt(words, start, feeds)
        answer = chat.answer(engine, model, prompt, settings, on_token, kept)
        answers.append(answer if asked is None else _after(asked, answer))
        if answers[-1].generation.stop is StopReason.STOPPED:
            break
    text = " ".join(answer.text.strip() for answer in answers).strip()
    name = "" if language < 0 else model.vocabulary.piece(language).strip("<|>")
    return Transcription(text, tuple(answers), name)


def transcribe_file(
    engine: Engine,
    model: ChatModel,
    path: Path,
    settings: ChatSettings | None = None,
    on_token: OnToken | None = None,
    kept: Sequence[GeneratedToken] = (),
) -> Transcription:
    """Let a model write about a file: a sound, an image, a text. Raises as `transcribe`, and
    BadInput: no input of its encoder takes such a file."""
    settings = settings or ChatSettings()
    if model.encoder is None:
        raise _without_encoder(model)
    subject = model.encoder.subject(settings.spec)
    info = only_input(subject.model, str(path))
    return transcribe(engine, model, subject.with_file(path, info), settings, on_token, kept)


def _chosen(
    model: ChatModel, encoder: Encoder, settings: ChatSettings
) -> tuple[int, tuple[int, ...]]:
    """Return the token of the language that was chosen, -1 for none, and those of the task."""
    speech = encoder.speech
    names = speech.names if speech is not None else ()
    if settings.language and settings.language not in names:
        what = f"Could not write down '{clip(settings.language, 40)}' with {clip(model.name)}"
        why = "it writes down one language only"
        hint = "Omit the language."
        if names:
            why = f"its languages are {clip(', '.join(names), _LISTED)}"
            hint = "Choose one of them, or none: the model finds it then."
        raise BadInput(what, why, hint)
    if settings.translated and (speech is None or not speech.translation):
        what = f"Could not translate with {clip(model.name)}"
        raise BadInput(what, "it only writes down what is said", "Omit the translation.")
    if speech is None:
        return -1, ()
    chosen = speech.languages[names.index(settings.language)] if settings.language else -1
    return chosen, speech.translation if settings.translated else speech.task


def _without_encoder(model: ChatModel) -> BadInput:
    what = f"Could not read an input with {clip(model.name)}"
    return BadInput(what, "it has no encoder", "Chat with it instead: inspector chat FOLDER.")


def _ask_language(
    engine: Engine, model: ChatModel, encoder: Encoder, prompt: Prompt, settings: ChatSettings
) -> Generation:
    """Return the token of the language that is spoken: the most probable one of all."""
    assert encoder.speech is not None, "asked of a model of several languages"
    request = Generate(
        model.path,
        settings.spec,
        prompt.ids,
        max_tokens=1,
        alternatives=0,
        continuation=model.continuation,
        feeds=prompt.feeds,
        encoder=str(encoder.path),
        rules=TokenRules(only_first=encoder.speech.languages),
    )
    return engine.call(request)


def _after(asked: Generation, answer: Answer) -> Answer:
    """Return an answer with the times of the question for the language before it: that one
    loaded the model and ran the encoder, whose result the answer only reads."""
    generation = replace(
        answer.generation,
        load_ns=asked.load_ns + answer.generation.load_ns,
        encode_ns=asked.encode_ns + answer.generation.encode_ns,
    )
    return replace(answer, generation=generation)
