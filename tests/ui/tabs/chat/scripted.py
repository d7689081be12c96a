"""A model that says what a test wrote down, token by token, and the document around it."""

import re
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from pytestqt.qtbot import QtBot

from inspector.analysis.language.roles import Role
from inspector.app.language.token_layers import TokenLayers
from inspector.errors import BadInput, InspectorError
from inspector.preview.language.answers import Answer, Prompt
from inspector.report.language.generation import (
    Alternative,
    GeneratedToken,
    Generation,
    StopReason,
)
from inspector.ui.documents.language.chatting import Chatting
from inspector.ui.documents.language.exchange import ChatSettings, Read, Said, Takes, Written

NS_PER_MS = 1_000_000


def token(
    place: int = 0,
    id_: int | None = None,
    probability: float = 0.95,
    others: Sequence[tuple[int, float]] = (),
    step_ms: float = 40,
    entropy: float = 0.4,
) -> GeneratedToken:
    """A token with all that a test may not care for."""
    id_ = place if id_ is None else id_
    alternatives = [Alternative(id_, probability)]
    alternatives += [Alternative(*other) for other in others]
    alternatives.sort(key=lambda each: -each.probability)
    step_ns = round(step_ms * NS_PER_MS)
    return GeneratedToken(
        id_, probability, entropy, tuple(alternatives), 10 + place, step_ns, NS_PER_MS
    )


def pieces_of(text: str) -> list[str]:
    """Words with the space in front of them, and signs."""
    return re.findall(r" ?\w+|\n|[^\w\s]", text)


class ScriptedSpeaker:
    """Answers with the texts of a script in turn; each piece has its own id.

    asked: what it was asked, with the tokens that the answer had to begin with. gate: closed,
    it waits before each token. failure: raised in place of the next answer.
    """

    size_bytes = 272_000_000
    vocabulary = 500
    prompts = ()
    languages: tuple[str, ...] = ()
    translates = False

    def __init__(
        self,
        *script: str,
        name: str = "int8",
        template: str = "ChatML",
        context_limit: int = 200,
    ) -> None:
        self.name, self.template, self.context_limit = name, template, context_limit
        self.script = [*script]
        self.asked: list[tuple[str, list[Said], list[int]]] = []
        self.gate = threading.Semaphore(0)
        self.gated = False
        self.failure: InspectorError | None = None
        self.closed = False
        self.timed: list[int] = []
        self._stopped = threading.Event()
        self._ids: dict[str, int] = {}

    @property
    def takes(self) -> Takes:
        return Takes.MESSAGES if self.template else Takes.BEGINNING

    @property
    def template_text(self) -> str:
        return self.template

    def set_template(self, text: str) -> None:
        self.template = text

    def id_of(self, piece: str) -> int:
        return self._ids.setdefault(piece, len(self._ids) + 1)

    def layers(self, context: int) -> TokenLayers:
        self.timed.append(context)
        roles = tuple(
            Role(f"part{n}", "MatMul", (2 * n, 2 * n + 1), 0, (9 - n) * NS_PER_MS)
            for n in range(6)
        )
        return TokenLayers(context, 50 * NS_PER_MS, NS_PER_MS, roles)

    def pieces(self, numbers: Sequence[int]) -> list[str]:
        known = {id_: piece for piece, id_ in self._ids.items()}
        return [known.get(number, f"<{number}>") for number in numbers]

    def count(self, text: str) -> int:
        return len(pieces_of(text))

    def prompt(self, system: str, said: Sequence[Said]) -> tuple[str, int]:
        texts = [f"system {system}"] * bool(system)
        for question, answer in said:
            texts.append(f"user {question}")
            texts.append(f"model {answer}")
        text = "\n".join(texts)
        return text, len(text.split())

    def answer(
        self,
        system: str,
        said: Sequence[Said],
        kept: Sequence[GeneratedToken],
        settings: ChatSettings,
        tell: Callable[[Read | Written], None],
    ) -> Answer:
        self._stopped.clear()
        self.asked.append((system, [*said], [each.id for each in kept]))
        if self.failure is not None:
            failure, self.failure = self.failure, None
            raise failure
        count = self.prompt(system, said)[1]
        tell(Read(0, count + len(kept)))
        tokens = []
        text = self.script.pop(0) if self.script else "."
        ended = StopReason.END_TOKEN
        for place, piece in enumerate(pieces_of(text)):
            if self.gated:
                self.gate.acquire(timeout=30)
            if self._stopped.is_set():
                ended = StopReason.STOPPED
                break
            if place == settings.max_tokens:
                ended = StopReason.MAX_TOKENS
                break
            unsure = piece.strip().isupper() and len(piece) > 2
            others = [(self.id_of(" instead"), 0.2)]
            made = token(place, self.id_of(piece), 0.3 if unsure else 0.95, others)
            tokens.append(made)
            tell(Written(made, piece))
        generation = Generation(
            tuple(tokens), ended, count + len(kept), 1, "shared", self.context_limit
        )
        prompt = Prompt("", (0,) * count)
        return Answer(text, prompt, generation, tuple(kept), {}, self.context_limit)

    def stop(self) -> None:
        self._stopped.set()
        self.gate.release()

    def close(self) -> None:
        self.closed = True


class ScriptedSpeakers:
    """Opens one model, and others by the names of their paths."""

    def __init__(self, own: ScriptedSpeaker, **others: ScriptedSpeaker) -> None:
        self._own, self._others = own, others

    @property
    def variants(self) -> tuple[tuple[str, Path], ...]:
        return tuple((name, Path(name)) for name in self._others)

    def own(self) -> ScriptedSpeaker:
        return self._own

    def other(self, path: Path) -> ScriptedSpeaker:
        if path.name not in self._others:
            raise BadInput("Could not chat", f"{path.name} has no tokenizer", "Add one.")
        return self._others[path.name]


class Host:
    """The document of a conversation: busy with it, or with another job."""

    def __init__(self) -> None:
        self.work: object = None

    def say_chatting(self, on: bool) -> None:
        assert on != (self.work == "chatting")
        self.work = "chatting" if on else None


def begun(qtbot: QtBot, speaker: ScriptedSpeaker, **others: ScriptedSpeaker) -> Chatting:
    """A conversation with a model that was looked at."""
    chatting = Chatting(Host(), ScriptedSpeakers(speaker, **others))
    qtbot.waitUntil(lambda: chatting.speaker is not None)
    return chatting


def answered(qtbot: QtBot, chatting: Chatting, text: str) -> None:
    """Ask something and wait for the whole answer."""
    chatting.send(text)
    qtbot.waitUntil(lambda: chatting.running is None)
