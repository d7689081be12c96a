"""A language model as the Chat tab talks to it: engine, tokenizer and template."""

from collections.abc import Callable, Sequence
from pathlib import Path

from inspector.app.language import chat
from inspector.app.language.chat_model import ChatModel, open_chat
from inspector.app.language.token_layers import TokenLayers, token_layers
from inspector.app.language.transcription import transcribe_file
from inspector.backends.values import Progress
from inspector.engine.client.engine import Engine
from inspector.formats import opening
from inspector.formats.folders.reading import encoder_of, folder_around
from inspector.formats.onnx import weight_values
from inspector.model.model import Model
from inspector.model.model_folder import ModelFolder
from inspector.preview.inputs import tokens
from inspector.preview.inputs.sample_inputs import prompts
from inspector.preview.language.answers import Answer, Prompt
from inspector.preview.language.chat_template import ASSISTANT, SYSTEM, USER, Message
from inspector.preview.language.decoders import why_no_text
from inspector.report.language.generation import GeneratedToken
from inspector.report.run_spec import RunSpec
from inspector.ui.documents.language.exchange import ChatSettings, Read, Said, Takes, Written
from inspector.ui.translate import tr

_PREFILL = "prefill"  # the step of an engine that computes the prompt


def size_of(path: Path) -> int:
    """Return how many bytes a model's files have, those of its weights included."""
    lies_in = weight_values.files_of(path, opening.open_model(path).weights).values()
    return sum(each.stat().st_size for each in {path, *lies_in})


def generates_text(path: Path, model: Model) -> bool:
    """Return whether a model generates text and has a tokenizer, which turns it into words."""
    folder = folder_around(path)
    if why_no_text(model, encoder_of(folder, path) is not None):
        return False
    known = folder.tokenizer if folder is not None else None
    return known is not None or tokens.tokenizer_of(path, model) is not None


def _scores(path: Path) -> int:
    """Return for how many tokens a model gives scores; 0 where its graph does not say."""
    outputs = opening.open_model(path).outputs
    shapes = [each.shape for each in outputs if "logits" in each.name.lower() and each.shape]
    last = shapes[0][-1] if shapes and shapes[0] else 0
    return last if isinstance(last, int) else 0


class ModelSpeakers:
    """Opens the model of a document, and others to compare it with."""

    def __init__(
        self,
        path: Path,
        folder: ModelFolder | None,
        start_engine: Callable[[Callable[[Progress], None]], Engine],
        spec: Callable[[], RunSpec],
    ) -> None:
        self._path, self._folder = path, folder
        self._start, self._spec = start_engine, spec

    @property
    def variants(self) -> tuple[tuple[str, Path], ...]:
        """Return the other files of the folder that hold the same part, by name."""
        parts = self._folder.parts if self._folder is not None else ()
        own = next((part for part in parts if part.path == self._path), None)
        return tuple(
            (part.variant or part.path.stem, part.path)
            for part in parts
            if own is not None and part.role == own.role and part is not own
        )

    def own(self) -> "ModelSpeaker":
        """Open the model of the document. Raises InspectorError."""
        return self._opened(self._path, self._folder)

    def other(self, path: Path) -> "ModelSpeaker":
        """Open a file, or a folder that is one model. Raises InspectorError."""
        is_variant = path in (each for _, each in self.variants)
        return self._opened(path, self._folder if is_variant else None)

    def _opened(self, path: Path, folder: ModelFolder | None) -> "ModelSpeaker":
        model = open_chat(path, folder)
        parts = model.folder.parts if model.folder is not None else ()
        variant = next((part.variant for part in parts if part.path == model.path), "")
        return ModelSpeaker(model, variant or model.name, self._start, self._spec)


class ModelSpeaker:
    """A model that answers in an engine of its own, so that it stays loaded between turns.

    Its methods take time, and are called on a thread. name: how it is told from others, such
    as its variant. size_bytes: of its files; 0 if unknown. template: name of its chat template;
    "" for a model that only continues text. context_limit: tokens that fit; 0 if unknown.
    vocabulary: number of its tokens; 0 if unknown. prompts: what to ask it first, if somebody
    chose that. languages: that it can be told to hear; none where it is not told. translates:
    whether it can write in English what is said in others.
    """

    def __init__(
        self,
        model: ChatModel,
        name: str,
        start_engine: Callable[[Callable[[Progress], None]], Engine],
        spec: Callable[[], RunSpec],
    ) -> None:
        self._model, self._spec, self._start = model, spec, start_engine
        self._engine: Engine | None = None
        self._hear: Callable[[Progress], None] = lambda _: None
        self.name = name
        self.size_bytes = size_of(model.path)
        self._own_template = model.template
        self.template = model.template.source if model.template.text else ""
        self.context_limit = model.context
        self.vocabulary = _scores(model.path) or model.vocabulary.size
        self.prompts = prompts(model.path.parent)
        speech = model.encoder.speech if model.encoder is not None else None
        self.languages = speech.names if speech is not None else ()
        self.translates = speech is not None and bool(speech.translation)

    @property
    def takes(self) -> Takes:
        """Return what it is given."""
        encoder = self._model.encoder
        if encoder is not None:
            return Takes.TEXT if encoder.takes_text else Takes.FILE
        return Takes.MESSAGES if self._model.template.text else Takes.BEGINNING

    @property
    def template_text(self) -> str:
        """Return its chat template; "" without one."""
        return self._model.template.text

    def set_template(self, text: str) -> None:
        """Use another chat template; "" continues texts as they are."""
        own = self._own_template
        source = own.source if text == own.text else tr("edited")
        self._model = self._model.with_template(text, source)
        self.template = source if text else ""

    def count(self, text: str) -> int:
        """Return how many tokens a text has."""
        return 0 if self.takes is Takes.FILE else self._model.tokens_of(text)

    def prompt(self, system: str, said: Sequence[Said]) -> tuple[str, int]:
        """Return the text that the model gets, and how many tokens it has."""
        if not self._model.template.text and not any(said[-1]):
            return "", 0  # nothing is written yet
        if self.takes is Takes.FILE:  # is read when it is sent
            return said[-1][0], 0
        made = self._prompt(system, said)
        return made.text, len(made.ids)

    def pieces(self, numbers: Sequence[int]) -> list[str]:
        """Return the texts of tokens."""
        return [piece.text for piece in self._model.vocabulary.pieces(numbers)]

    def answer(
        self,
        system: str,
        said: Sequence[Said],
        kept: Sequence[GeneratedToken],
        settings: ChatSettings,
        tell: Callable[[Read | Written], None],
    ) -> Answer:
        """Answer the last question; `tell` hears of each step. Raises InspectorError.

        kept: tokens that the answer begins with.
        """
        model = self._model
        prompt = None if self.takes is Takes.FILE else self._prompt(system, said)
        total = len(kept) + (0 if prompt is None else len(prompt.ids))

        def hear(progress: Progress) -> None:
            if progress.step == _PREFILL and not progress.tokens:
                tell(Read(round(max(progress.done, 0.0) * total), total))

        def write(token: GeneratedToken, piece: str) -> None:
            special = token.id in model.ends
            if special or not piece:  # none yet, of a part of a letter; or none at all
                known = model.vocabulary.pieces([token.id])[0].text
                special = special or not known
                if special:
                    piece = known or f"<{token.id}>"
            tell(Written(token, piece, special))

        if self._engine is None:
            self._engine = self._start(lambda progress: self._hear(progress))
        self._hear = hear
        how = chat.ChatSettings(
            settings.sampling, settings.max_tokens, spec=self._spec(),
            language=settings.language, translated=settings.translated,
        )  # fmt: skip
        if prompt is None:
            file = Path(said[-1][0].strip().strip("\"'").removeprefix("file://"))
            return transcribe_file(self._engine, model, file, how, write, kept).answer
        return chat.answer(self._engine, model, prompt, how, write, kept)

    def layers(self, context: int) -> TokenLayers:
        """Time the layers of a step with so many tokens before it. Raises InspectorError."""
        with self._start(lambda _: None) as engine:
            return token_layers(engine, self._model.path, self._spec(), context)

    def stop(self) -> None:
        """Let the answer that is being generated end, from any thread."""
        if self._engine is not None:
            self._engine.stop()

    def close(self) -> None:
        """End the engine."""
        if self._engine is not None:
            self._engine.close()

    def _prompt(self, system: str, said: Sequence[Said]) -> Prompt:
        if self.takes is Takes.TEXT:  # remembers nothing of what was said before
            instructions = [Message(SYSTEM, system)] if system else []
            return self._model.prompt([*instructions, Message(USER, said[-1][0])])
        if not self._model.template.text:  # each text is continued by itself
            return self._model.prompt([Message(USER, "".join(said[-1]))])
        messages = [Message(SYSTEM, system)] if system else []
        for question, answer in said:
            messages.append(Message(USER, question))
            if answer:
                messages.append(Message(ASSISTANT, answer))
        return self._model.prompt(messages)
