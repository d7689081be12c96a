"""A model that one can chat with: its decoder, tokenizer, chat template and limits, read from
its folder or found beside a file."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from inspector.analysis.language.attention import position_limit
from inspector.app.language.encoders import Encoder, read_encoder
from inspector.errors import BadInput
from inspector.formats import opening
from inspector.formats.folders import genai, reading
from inspector.model.model_folder import ModelFolder
from inspector.preview.inputs import tokens
from inspector.preview.inputs.tokens import TokenizerSource, Vocabulary
from inspector.preview.language import chat_template
from inspector.preview.language.answers import Prompt
from inspector.preview.language.chat_template import SYSTEM, USER, ChatTemplate, Message
from inspector.preview.language.decoders import why_no_text
from inspector.sandbox.decoding.decoder_process import start_together
from inspector.units import clip, count, plural
from inspector.wording.values import Name, Sentence

MOST_CHARS = 4_000_000  # of all messages: about a million tokens
# Tokens that end a turn in public templates. A configuration often names only the one that
# ends a document, and a chat then goes on with words of the user.
_TURN_ENDS = ("<|im_end|>", "<|eot_id|>", "<end_of_turn>", "<|end|>", "<|end_of_turn|>")
# Roles of parts that a text does not need, with what they are for.
_NOT_TEXT = {"vision": "images", "speech": "sounds"}
_STAGE = "decoder "  # begins the roles of the parts of a pipeline


class ChatModel(Struct, frozen=True, eq=False):
    """A language model as a chat needs it.

    path: of the graph that generates. continuation: of the one for all tokens after the prompt,
    where that is another one; empty where not. ends: tokens that end an answer. context: how
    many tokens fit, prompt included, as its configuration and its positions say; 0 where
    neither does. encoder: what reads the prompt in its place, where there is one. only_genai:
    why no other runtime than ONNX Runtime GenAI generates with it; empty where others do.
    """

    path: Path
    name: str
    vocabulary: Vocabulary
    template: ChatTemplate
    ends: tuple[int, ...] = ()
    context: int = 0
    continuation: str = ""
    encoder: Encoder | None = None
    folder: ModelFolder | None = None
    only_genai: str = ""
    notes: tuple[str, ...] = field(default=())

    def prompt(self, messages: Sequence[Message]) -> Prompt:
        """Return what is sent for some messages.

        Raises BadInput: nothing was said, far too much, or the template refuses it.
        UnreadableFile: the template took too much time or memory.
        """
        length = sum(len(message.content) for message in messages)
        if length > MOST_CHARS:
            why = f"it has {count(length)} characters"
            hint = f"Use a text of at most {count(MOST_CHARS)} characters."
            raise BadInput(f"Could not send the prompt to {clip(self.name)}", why, hint)
        if self.encoder is not None:
            return self._encoded(self.encoder, messages)
        text = self.template.filled(messages)
        # A template writes the marks of beginning and end itself, as transformers assumes, too.
        ids = self.vocabulary.ids(text, marks=not self.template.text)
        if not ids:
            raise BadInput("Could not generate text", "the prompt is empty", "Enter a text.")
        return Prompt(text, ids)

    def _encoded(self, encoder: Encoder, messages: Sequence[Message]) -> Prompt:
        """Return what an encoder reads: the last message, behind the system text. It remembers
        no conversation. Raises BadInput: it reads no text."""
        instructions = [each.content for each in messages if each.role == SYSTEM]
        said = [each.content for each in messages if each.role == USER]
        text = " ".join((*instructions, *said[-1:]))
        ids = self.vocabulary.ids(text, marks=True)
        if not text.strip() or not ids:
            raise BadInput("Could not generate text", "the prompt is empty", "Enter a text.")
        return Prompt(text, encoder.start, encoder.text_feeds(ids), len(ids))

    def tokens_of(self, text: str) -> int:
        """Return how many tokens a text has by itself."""
        return len(self.vocabulary.ids(text))

    def with_template(self, text: str, source: str = "") -> "ChatModel":
        """Return the model with another template; "" continues the text as it is."""
        template = replace(self.template, text=text, source=source)
        known = _turn_ends(template, self.vocabulary)
        return replace(self, template=template, ends=tuple(dict.fromkeys((*self.ends, *known))))


def open_chat(
    path: Path, folder: ModelFolder | None = None, tokenizer: Path | None = None
) -> ChatModel:
    """Open a folder that is a language model, or its decoder file with a tokenizer beside it.

    folder: where it has been read already. tokenizer: another tokenizer.json. Raises BadInput:
    it generates no text, or has no tokenizer. UnreadableFile: a file is damaged.
    """
    start_together("tokenizers", "templates")  # a quarter of a second each
    folder = folder or reading.read_folder(path) or reading.folder_around(path)
    part = reading.encoder_part(folder)
    decoder = reading.main_file(path)
    if part is not None and folder is not None and folder.main is not None:
        decoder = folder.main.path if part.path == decoder else decoder
    name = path.name if folder is None else folder.path.name
    what = f"Could not chat with {clip(name)}"
    model = opening.open_model(decoder)
    only_genai = why_no_text(model, part is not None)
    if only_genai and not _runs_in_genai(folder):
        hint = "Use the folder of a language model, or its decoder with a tokenizer.json."
        raise BadInput(what, only_genai, hint)
    stages = [part for part in folder.parts if part.role.startswith(_STAGE)] if folder else []
    if only_genai and stages:
        only_genai = f"its decoder consists of {plural(len(stages), 'graph')}"
    source: TokenizerSource | None = tokenizer or (folder.tokenizer if folder else None)
    source = source or tokens.tokenizer_of(decoder, model)
    if source is None:
        hint = "Put the model's tokenizer.json next to it."
        raise BadInput(what, "it has no tokenizer", hint)
    vocabulary = Vocabulary(source)
    encoder = None
    if part is not None and folder is not None and why_no_text(model) and not only_genai:
        encoder = read_encoder(folder, part, vocabulary)
    template = ChatTemplate("", {})
    if isinstance(source, Path):
        template = chat_template.read_template(source)
    ends = [*(folder.end_ids if folder else ()), *_turn_ends(template, vocabulary)]
    eos = template.marks.get("eos_token")
    ends += [number for number in vocabulary.numbers([eos] if eos else []) if number >= 0]
    length = folder.config.get("context_length") if folder else None
    said = folder.notes if folder else ()
    limits = [each for each in (length, position_limit(model)) if isinstance(each, int)]
    return ChatModel(
        path=decoder,
        name=name,
        vocabulary=vocabulary,
        template=template,
        ends=tuple(dict.fromkeys(ends or vocabulary.ends)),
        context=min((each for each in limits if each > 0), default=0),
        continuation=str(reading.continuation_of(folder, decoder) or ""),
        encoder=encoder,
        folder=folder,
        only_genai=only_genai,
        notes=tuple(dict.fromkeys((*said, *template.notes, *_unused(folder)))),
    )


def open_encoder_decoder(path: Path, tokenizer: Path | None = None) -> ChatModel | None:
    """Open a folder whose encoder reads an input, and whose decoder writes about it; None for
    any other path, and for the file of a part. Raises as `open_chat`."""
    folder = reading.read_folder(path)
    if reading.encoder_part(folder) is None:
        return None
    model = open_chat(path, folder, tokenizer)
    return model if model.encoder is not None else None


def _unused(folder: ModelFolder | None) -> Iterator[Sentence]:
    """Yield which parts a text does not run: those for images and sounds beside it."""
    parts = folder.parts if folder is not None else ()
    for part in parts:
        if part.role in _NOT_TEXT:
            yield Sentence(
                "Only text goes in: '{file}', the part for {kind}, is not run",
                file=Name(part.path.name), kind=_NOT_TEXT[part.role],
            )  # fmt: skip


def _runs_in_genai(folder: ModelFolder | None) -> bool:
    """Return whether ONNX Runtime GenAI generates text with all parts of a folder: it needs no
    more than tokens."""
    of_genai = folder is not None and folder.layout == genai.TITLE
    return of_genai and reading.encoder_part(folder) is None


def _turn_ends(template: ChatTemplate, vocabulary: Vocabulary) -> list[int]:
    """Return the tokens with which a template ends a turn."""
    written = [mark for mark in _TURN_ENDS if mark in template.text]
    return [number for number in vocabulary.numbers(written) if number >= 0] if written else []
