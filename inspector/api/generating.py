"""A language model generates text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType

from inspector.api.generated import GeneratedText, generated_text
from inspector.api.models import FolderOrPath, OpenedModel
from inspector.api.python_words import says_parameters
from inspector.api.running import engine_of, spec_of
from inspector.app.language import chat
from inspector.app.language.chat import ChatSettings
from inspector.app.language.chat_model import ChatModel, open_chat
from inspector.app.language.transcription import transcribe_file
from inspector.engine.client.engine import Engine
from inspector.preview.language.chat_template import SYSTEM, USER, Message, checked_messages
from inspector.report.language.generation import GeneratedToken, Sampling

Messages = Sequence[Mapping[str, str] | Message]
Prompt = str | Path | Messages


def load(
    model: FolderOrPath,
    *,
    template: str | None = None,
    tokenizer: str | Path | None = None,
    device: str = "cpu",
    time_limit: float | None = None,
    on: str = "",
) -> LoadedModel:
    """Load a language model that stays loaded, to generate several texts.

    model: the folder of a language model, or its decoder with a tokenizer.json beside it.
    template: another chat template, in Jinja; "" continues texts as they are. tokenizer:
    another tokenizer.json. on: another machine, as `inspector chat --on` takes it. Use it in a
    `with` block, or close it. Raises InspectorError.
    """
    path = model.path if isinstance(model, OpenedModel) else Path(model)
    opened = open_chat(path, tokenizer=None if tokenizer is None else Path(tokenizer))
    if template is not None:
        opened = opened.with_template(template)
    return LoadedModel(opened, engine_of(None, time_limit, on), device)


class LoadedModel:
    """A language model that is ready to generate, until it is closed; `load` makes one.

    Its engine loads the graph with the first text, and keeps it, and what it remembers of the
    last prompt, for the next ones.
    """

    def __init__(self, model: ChatModel, engine: Engine, device: str) -> None:
        self._model, self._engine, self._device = model, engine, device

    @property
    def name(self) -> str:
        """Return the name of the model's folder, or of its file."""
        return self._model.name

    @property
    def context(self) -> int:
        """Return how many tokens fit, prompt and answer together; 0 where nobody knows."""
        return self._model.context

    def generate(
        self,
        prompt: Prompt,
        *,
        system: str = "",
        max_tokens: int = 256,
        temperature: float = 0.0,
        top_k: int = 0,
        top_p: float = 1.0,
        seed: int = 0,
        context: int = 0,
        spoken_language: str = "",
        translate: bool = False,
        on_text: Callable[[str], None] | None = None,
    ) -> GeneratedText:
        """Let the model answer; arguments as those of `generate`. Raises InspectorError."""
        sampling = Sampling(temperature, top_k, top_p, seed)
        settings = ChatSettings(
            sampling, max_tokens, context, spec=spec_of(self._device),
            language=spoken_language, translated=translate,
        )  # fmt: skip

        def hear(_: GeneratedToken, text: str) -> None:
            if on_text is not None and text:
                on_text(text)

        if isinstance(prompt, Path):
            spoken = transcribe_file(self._engine, self._model, prompt, settings, hear)
            return generated_text(spoken.answer)
        said = (Message(USER, prompt),) if isinstance(prompt, str) else checked_messages(prompt)
        messages = (Message(SYSTEM, system), *said) if system else said
        sent = self._model.prompt(messages)
        return generated_text(chat.answer(self._engine, self._model, sent, settings, hear))

    def close(self) -> None:
        """End the engine."""
        self._engine.close()

    def __enter__(self) -> LoadedModel:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


@says_parameters
def generate(
    model: FolderOrPath,
    prompt: Prompt,
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
    spoken_language: str = "",
    translate: bool = False,
    on_text: Callable[[str], None] | None = None,
) -> GeneratedText:
    """Let a language model answer once; `load` keeps it loaded for several texts.

    model: the folder of a language model, or its decoder with a tokenizer.json beside it.
    prompt: a text, or messages such as [{"role": "user", "content": "Hello"}]; for a model with
    an encoder of sounds or images, the file as a `Path`. system: a text in front of them.
    temperature: 0 takes the most probable token; top_k, top_p and seed are for others. context:
    tokens that prompt and answer may have together; 0: as the model's configuration says.
    template: another chat template, in Jinja; "" continues the text as it is. on_text: is told
    of the text as it comes. spoken_language: of a sound, such as "de"; "" lets the model find
    it. translate: write in English what is said. on: another machine, as `inspector chat --on`
    takes it. Raises InspectorError.
    """
    with load(
        model, template=template, tokenizer=tokenizer, device=device, time_limit=time_limit,
        on=on,
    ) as loaded:  # fmt: skip
        return loaded.generate(
            prompt,
            system=system,
            max_tokens=max_tokens,
            temperature=temperature,
            top_k=top_k,
            top_p=top_p,
            seed=seed,
            context=context,
            spoken_language=spoken_language,
            translate=translate,
            on_text=on_text,
        )
