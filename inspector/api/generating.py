"""A language model generates text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from inspector.api.generated import GeneratedText, generated_text
from inspector.api.models import ModelOrPath, OpenedModel
from inspector.api.running import engine_of, spec_of
from inspector.app.language import chat
from inspector.app.language.chat import ChatSettings
from inspector.app.language.chat_model import open_chat
from inspector.preview.language.chat_template import (
    SYSTEM,
    USER,
    Message,
    checked_messages,
)
from inspector.report.language.generation import GeneratedToken, Sampling

Messages = Sequence[Mapping[str, str] | Message]


def generate(
    model: ModelOrPath,
    prompt: str | Messages,
    *,
    system: str = "",
    max_tokens: int = 256,
    temperature: float = 0.0,
    top_k: int = 0,
    top_p: float = 1.0,
    seed: int = 0,
    context: int = 0,
    template: str | None = None,
    tokenizer: str | Path | None = None,
    device: str = "cpu",
    time_limit: float | None = None,
    on: str = "",
    on_text: Callable[[str], None] | None = None,
) -> GeneratedText:
    """Let a language model answer.

    model: the folder of a language model, or its decoder with a tokenizer.json beside it.
    prompt: a text, or messages such as [{"role": "user", "content": "Hello"}]. system: a text
    in front of them. temperature: 0 takes the most probable token; top_k, top_p and seed are
    for others. context: tokens that prompt and answer may have together; 0: as the model's
    configuration says. template: another chat template, in Jinja; "" continues the text as it
    is. on_text: is told of the text as it comes. on: another machine, as
    `inspector chat --on` takes it. Raises InspectorError.
    """
    path = model.path if isinstance(model, OpenedModel) else Path(model)
    opened = open_chat(path, tokenizer=None if tokenizer is None else Path(tokenizer))
    if template is not None:
        opened = opened.with_template(template)
    said = (Message(USER, prompt),) if isinstance(prompt, str) else checked_messages(prompt)
    messages = (Message(SYSTEM, system), *said) if system else said
    sampling = Sampling(temperature, top_k, top_p, seed)
    settings = ChatSettings(sampling, max_tokens, context, spec=spec_of(device))

    def hear(_: GeneratedToken, text: str) -> None:
        if on_text is not None and text:
            on_text(text)

    with engine_of(None, time_limit, on) as engine:
        answer = chat.answer(engine, opened, opened.prompt(messages), settings, hear)
    return generated_text(answer)
