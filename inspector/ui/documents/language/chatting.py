"""A conversation with a language model: asked and kept here, shown by the Chat tab."""

from collections import deque
from collections.abc import Callable
from dataclasses import replace
from enum import Enum, auto
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct, field
from PySide6.QtCore import QObject, Signal

from inspector.errors import Cancelled, InspectorError
from inspector.report.language.generation import GREEDY, GeneratedToken, Sampling
from inspector.ui.background import Debounce, SafeEmitter, TaskRunner
from inspector.ui.documents.language.exchange import ChatSettings, Read, Said, Takes, Written

if TYPE_CHECKING:  # the tokenizer's numpy comes with the first conversation
    from inspector.app.language.token_layers import TokenLayers
    from inspector.preview.language import answers
    from inspector.ui.documents.language.speaking import ModelSpeaker, ModelSpeakers

_COUNT_MS = 120  # after the last key until the draft is counted


class AnswerState(Enum):
    """What becomes of an answer."""

    LOADING = auto()  # the model
    READING = auto()  # the prompt
    WRITING = auto()
    DONE = auto()
    FAILED = auto()


class Answer(Struct, eq=False):
    """An answer as it grows.

    model: how the model is called that answers. tokens, pieces: as they come, with the text of
    each. special: places of tokens that are no text. read: tokens of the prompt that were
    computed so far. whole: what came of it, once it is done.
    forced: tokens at its beginning that were given to the model, as when it goes on from one of
    an earlier answer. sampling: how its tokens were chosen.
    """

    model: str
    state: AnswerState = AnswerState.LOADING
    tokens: list[GeneratedToken] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)
    special: list[int] = field(default_factory=list)
    prompt_tokens: int = 0
    read: int = 0
    context_limit: int = 0
    whole: "answers.Answer | None" = None
    error: InspectorError | None = None
    forced: int = 0
    sampling: Sampling = GREEDY

    @property
    def busy(self) -> bool:
        """Return whether more is to come."""
        return self.state in (AnswerState.LOADING, AnswerState.READING, AnswerState.WRITING)

    @property
    def text(self) -> str:
        """Return the answer as text."""
        if not self.tokens and self.whole is not None:  # of a file that holds texts alone
            return self.whole.text
        special = {*self.special}
        return "".join(p for place, p in enumerate(self.pieces) if place not in special)

    @property
    def context(self) -> int:
        """Return how many tokens the model has before it now, the prompt included."""
        return self.prompt_tokens + len(self.tokens)


class Turn(Struct, eq=False):
    """What somebody asked, and what was answered.

    tokens: of the question; 0 while nobody counted them. answers: of the model, the last one
    is shown and continued; earlier ones were left at a token. other: of the model that it is
    compared with.
    """

    prompt: str
    tokens: int = 0
    answers: list[Answer] = field(default_factory=list)
    other: Answer | None = None

    @property
    def answer(self) -> Answer | None:
        """Return the answer that counts."""
        return self.answers[-1] if self.answers else None


def first_difference(one: Answer, other: Answer) -> int:
    """Return the place of the first token that two answers do not share; -1 for none so far.

    Tokens are compared by their text: the models may have other vocabularies.
    """
    pairs = zip(one.pieces, other.pieces, strict=False)
    return next((place for place, (a, b) in enumerate(pairs) if a != b), -1)


class Room(Struct, frozen=True):
    """How much of the context is used. needed: with the draft and one token of an answer.

    limit: tokens that fit; 0 if unknown. shortest: tokens that the draft needs without any
    earlier turn.
    """

    used: int = 0
    needed: int = 0
    limit: int = 0
    shortest: int = 0


class Host(Protocol):
    """The part of a document that a conversation needs: one job at a time."""

    @property
    def work(self) -> object:
        """Return the job under way; None for none."""

    def say_chatting(self, on: bool) -> None:
        """Say that an answer is being generated, or that it is over."""


class Chatting(QObject):
    """The conversation with a model, and with a second one beside it if wanted.

    speaker: None until the model was looked at; error: why it cannot answer at all.
    left_out: earlier turns that the model does not get any more. chosen: an answer and the
    place of one of its tokens. number: of the conversation, from 1.
    """

    changed = Signal()  # turns, settings, what runs
    grew = Signal(object)  # Answer that has more tokens, or another state
    counted = Signal()  # the draft or the room
    token_chosen = Signal()
    _told = Signal()  # events wait; from the thread of a job

    def __init__(
        self, host: Host, speakers: "ModelSpeakers", parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._host, self._speakers = host, speakers
        self.speaker: ModelSpeaker | None = None
        self.error: InspectorError | None = None
        self.other: ModelSpeaker | None = None
        self.compared: Path | None = None  # the second model, from when it is chosen
        self.other_error: InspectorError | None = None  # why it cannot answer
        self.turns: list[Turn] = []
        self.system = ""
        self.settings = ChatSettings()
        self.left_out = 0
        self.number = 1
        self.room = Room()
        self.system_tokens = 0
        self.prompt_text = ""
        self.running: Answer | None = None
        self.chosen: tuple[Answer, int] | None = None
        self.pieces: dict[int, str] = {}  # of alternatives that were looked at
        # Of steps that were timed again, by the tokens before them; None: being timed.
        self.layers: dict[int, TokenLayers | InspectorError | None] = {}
        self._draft = ""
        self._next: Callable[[], None] | None = None  # what begins when the answer has ended
        self._jobs = TaskRunner(self)
        self._counter = Debounce(self._count, self, _COUNT_MS)
        self._counting = False
        self._emitter = SafeEmitter(self)
        self._events: deque[tuple[Answer, Read | Written]] = deque()
        self._told.connect(self._take_events)
        self._jobs.start(speakers.own, self._begin, self._refuse)

    @property
    def variants(self) -> tuple[tuple[str, Path], ...]:
        """Return what the model's folder has of the same model, by name."""
        return self._speakers.variants

    @property
    def takes(self) -> Takes:
        """Return what the model is given; messages while it is not known."""
        return Takes.MESSAGES if self.speaker is None else self.speaker.takes

    @property
    def is_chat(self) -> bool:
        """Return whether the model answers what it is given; else it continues a text."""
        return self.speaker is not None and self.takes is not Takes.BEGINNING

    @property
    def last(self) -> Turn | None:
        """Return the last turn."""
        return self.turns[-1] if self.turns else None

    @property
    def waits(self) -> bool:
        """Return whether another job of the document has to end first."""
        return self._host.work is not None and self.running is None

    @property
    def ready(self) -> bool:
        """Return whether something can be asked now."""
        return self.speaker is not None and self.running is None and not self.waits

    def send(self, text: str) -> None:
        """Ask something; `changed` and `grew` follow."""
        if self.speaker is None or not self.ready:
            return
        turn = Turn(text)
        self.turns.append(turn)
        self._draft = ""
        self._answer(turn, Answer(self.speaker.name))

    def stop(self) -> None:
        """Let the answer end with what there is; no further model answers."""
        self._next = None
        for speaker in (self.speaker, self.other):
            if speaker is not None and self.running is not None:
                speaker.stop()

    def again(self) -> None:
        """Answer the last question once more, in place of an answer that failed."""
        turn = self.last
        if turn is None or self.speaker is None or not self.ready:
            return
        failed = turn.answer
        if failed is not None and failed.state is AnswerState.FAILED:
            turn.answers.pop()
        self._answer(turn, Answer(self.speaker.name))

    def go_on(self) -> None:
        """Add to the last answer, which was stopped or has reached its length."""
        turn = self.last
        if turn is None or turn.answer is None or not self.ready:
            return
        turn.answer.forced = len(turn.answer.tokens)
        self._answer(turn, turn.answer)

    def continue_from(self, answer: Answer, place: int, token: int) -> None:
        """Go on with another token at a place of the last answer, which stays as a branch.

        An answer under way ends first.
        """
        turn = self.last
        if turn is None or self.speaker is None or turn.answer is not answer:
            return
        chosen = answer.tokens[place]
        probability = next(
            (each.probability for each in chosen.alternatives if each.id == token),
            chosen.probability,
        )
        branch = Answer(self.speaker.name)
        branch.tokens = [
            *answer.tokens[:place],
            replace(chosen, id=token, probability=probability, step_ns=0, sampling_ns=0),
        ]
        piece = answer.pieces[place] if token == chosen.id else self.pieces.get(token, "")
        branch.pieces = [*answer.pieces[:place], piece]
        branch.special = [each for each in answer.special if each < place]
        branch.forced = len(branch.tokens)

        def begin() -> None:
            self._answer(turn, branch)

        if self.ready:
            begin()
        elif self.running is not None:
            self.stop()
            self._next = begin

    def new_chat(self) -> None:
        """Forget the conversation; the system text and the settings stay."""
        if self.running is not None:
            self.stop()
            self._next = self.new_chat
            return
        self.turns, self.left_out, self.chosen = [], 0, None
        self.number += 1
        self.changed.emit()
        self.token_chosen.emit()
        self._counter.call()

    def set_system(self, text: str) -> None:
        """Give the model another system text from the next answer on."""
        if text != self.system:
            self.system = text
            self.changed.emit()
            self._counter.call()

    def set_template(self, text: str) -> None:
        """Give the model another chat template from the next answer on; "" for none."""
        speaker = self.speaker
        if speaker is None or text == speaker.template_text:
            return

        def show(_: None) -> None:
            self.error = None
            self.changed.emit()
            self._counter.call()

        self._jobs.start(partial(speaker.set_template, text), show, self._refuse)

    def set_settings(self, settings: ChatSettings) -> None:
        """Make the next answers in another way."""
        if settings != self.settings:
            self.settings = settings
            self.changed.emit()

    def set_draft(self, text: str) -> None:
        """Count the tokens of what is being written; `counted` follows."""
        self._draft = text
        self._counter.call()

    def leave_out_oldest(self) -> None:
        """Let the model get no more of the oldest turns than fits with the draft."""
        if self.left_out < len(self.turns):
            self.left_out += 1
            self._counter.call()
            self.changed.emit()

    def choose(self, answer: Answer | None, place: int = -1) -> None:
        """Choose a token; none with a place below 0."""
        chosen = (answer, place) if answer is not None and place >= 0 else None
        if chosen != self.chosen:
            self.chosen = chosen
            self.token_chosen.emit()
            if chosen is not None:
                self._read_pieces(chosen[0].tokens[place])

    def time_layers(self, context: int) -> None:
        """Time the layers of a step with so many tokens before it; `token_chosen` follows."""
        speaker = self.speaker
        if speaker is None or not self.ready or None in self.layers.values():
            return

        def show(result: "TokenLayers | InspectorError") -> None:
            self.layers[context] = result
            self.token_chosen.emit()

        self.layers[context] = None
        self.token_chosen.emit()
        self._jobs.start(partial(speaker.layers, context), show, show)

    def compare_with(self, path: Path | None) -> None:
        """Let a second model answer each question after the first; None: no longer."""
        old, self.other, self.compared = self.other, None, path
        self.other_error = None
        if old is not None:
            old.stop()
            self._jobs.start(old.close, lambda _: None, lambda _: None)
        last = self.last
        if last is not None:
            last.other = None  # what another model said
        if path is not None:

            def show(other: "ModelSpeaker") -> None:
                if self.compared != path:
                    self._jobs.start(other.close, lambda _: None, lambda _: None)
                    return
                self.other = other
                self.changed.emit()
                self._answer_other()

            def fail(error: InspectorError) -> None:
                self.compared, self.other_error = None, error
                self.changed.emit()

            self._jobs.start(partial(self._speakers.other, path), show, fail)
        self.changed.emit()

    @property
    def busy(self) -> bool:
        """Return whether an answer is being generated."""
        return self.running is not None

    def show_earlier(
        self, turns: list[Turn], system: str, settings: ChatSettings, pieces: dict[int, str]
    ) -> None:
        """Show other turns in place of the present ones; the model goes on from there. Nothing
        happens while an answer is generated. pieces: texts of tokens and alternatives."""
        if self.running is not None:
            return
        self.turns, self.system, self.settings = turns, system, settings
        self.pieces, self.left_out, self.chosen = pieces, 0, None
        self.number += 1
        self.changed.emit()
        self.token_chosen.emit()
        self._counter.call()

    def close(self) -> None:
        """End the engines; no signal comes any more."""
        self._jobs.discard_results()
        self._emitter.close()
        self._next = None
        for speaker in (self.speaker, self.other):
            if speaker is not None:
                speaker.stop()
                speaker.close()

    def _begin(self, speaker: "ModelSpeaker") -> None:
        self.speaker = speaker
        self.room = Room(limit=speaker.context_limit)
        self.changed.emit()
        self._count()

    def _refuse(self, error: InspectorError) -> None:
        self.error = error
        self.changed.emit()

    def _said(self, turn: Turn) -> list[Said]:
        """Return what the model gets of the conversation, up to a question."""
        said = []
        for each in self.turns[self.left_out :]:
            if each is turn:
                break
            said.append((each.prompt, each.answer.text if each.answer is not None else ""))
        return [*said, (turn.prompt, "")]

    def _answer(self, turn: Turn, answer: Answer) -> None:
        speaker = self.speaker
        assert speaker is not None, "only a model that was looked at is asked"
        if answer not in turn.answers:
            turn.answers.append(answer)
        turn.other = None
        self._run(speaker, turn, answer, self._answer_other)

    def _answer_other(self) -> None:
        """Let the model that is compared with answer the last question, if it has not."""
        turn, other = self.last, self.other
        if turn is None or other is None or not self.ready:
            return
        answer = turn.answer
        done = answer is not None and answer.state is AnswerState.DONE
        if turn.other is None and done:
            turn.other = Answer(other.name)
            self._run(other, turn, turn.other, lambda: None)

    def _run(
        self, speaker: "ModelSpeaker", turn: Turn, answer: Answer, then: Callable[[], None]
    ) -> None:
        answer.state, answer.error, answer.whole = AnswerState.LOADING, None, None
        answer.context_limit, answer.sampling = speaker.context_limit, self.settings.sampling
        self.running, self._next = answer, then
        self._host.say_chatting(True)
        kept = tuple(answer.tokens)
        said, system, settings = self._said(turn), self.system, self.settings

        def tell(event: Read | Written) -> None:
            # Tokens that come faster than the window draws are taken together.
            waiting = bool(self._events)
            self._events.append((answer, event))
            if not waiting:
                self._emitter.emit(self._told)

        def job() -> "tuple[int, answers.Answer]":
            count = turn.tokens or speaker.count(turn.prompt)
            return count, speaker.answer(system, said, kept, settings, tell)

        def show(result: "tuple[int, answers.Answer]") -> None:
            self._take_events()
            turn.tokens, whole = result
            answer.whole = whole
            answer.prompt_tokens, answer.context_limit = len(whole.prompt.ids), whole.context
            for token in whole.tokens[
                len(answer.tokens) :
            ]:  # of an engine that streams nothing
                self._take(answer, Written(token, whole.piece(token.id).text))
            self.pieces.update({each.id: each.text for each in whole.known.values()})
            answer.state = AnswerState.DONE
            self._end(answer)

        def fail(error: InspectorError) -> None:
            answer.error, answer.state = error, AnswerState.FAILED
            if isinstance(error, Cancelled):
                answer.error = None
            self._end(answer)

        self._jobs.start(job, show, fail)
        self.changed.emit()

    def _end(self, answer: Answer) -> None:
        then, self.running, self._next = self._next, None, None
        self._host.say_chatting(False)
        self.changed.emit()
        self._counter.call()
        if then is not None and answer.state is AnswerState.DONE:
            then()

    def _take_events(self) -> None:
        """Add what has come to its answer; `grew` follows once for each."""
        grown = dict[Answer, None]()
        while self._events:
            answer, event = self._events[0]
            self._take(answer, event)
            self._events.popleft()  # not before: until then nobody has to be woken
            grown[answer] = None
        for each in grown:
            self.grew.emit(each)

    @staticmethod
    def _take(answer: Answer, event: Read | Written) -> None:
        if isinstance(event, Read):
            answer.read = event.done
            answer.prompt_tokens = event.total - answer.forced
            if answer.state is AnswerState.LOADING:
                answer.state = AnswerState.READING
        else:
            answer.state = AnswerState.WRITING
            answer.tokens.append(event.token)
            answer.pieces.append(event.piece)
            if event.special:
                answer.special.append(len(answer.tokens) - 1)

    def _count(self) -> None:
        """Count on a thread what is used and what the draft needs."""
        speaker = self.speaker
        if speaker is None:
            return
        if self._counting:
            self._counter.call()
            return
        self._counting = True
        system, draft = self.system, self._draft
        answer = self.last.answer if self.last is not None else None
        done = answer is not None and answer.whole is not None and not self.left_out
        in_context = answer.context if answer is not None and done else 0
        said = [
            (each.prompt, each.answer.text if each.answer is not None else "")
            for each in self.turns[self.left_out :]
        ]

        def job() -> tuple[Room, int, str]:
            used = in_context
            if not used:
                _, used = speaker.prompt(system, said) if said or system else ("", 0)
            text, needed = speaker.prompt(system, [*said, (draft, "")])
            _, shortest = speaker.prompt(system, [(draft, "")])
            in_system = speaker.count(system) if system else 0
            room = Room(used, needed + 1, speaker.context_limit, shortest + 1)
            return room, in_system, text

        def show(result: tuple[Room, int, str]) -> None:
            self._counting = False
            self.room, self.system_tokens, self.prompt_text = result
            if self.error is not None:  # of a template that works now
                self.error = None
                self.changed.emit()
            self.counted.emit()

        def fail(error: InspectorError) -> None:
            self._counting = False
            self._refuse(error)

        self._jobs.start(job, show, fail)

    def _read_pieces(self, token: GeneratedToken) -> None:
        """Look up the texts of the alternatives of a token; `token_chosen` follows."""
        speaker = self.speaker
        missing = [each.id for each in token.alternatives if each.id not in self.pieces]
        if speaker is None or not missing:
            return

        def show(pieces: list[str]) -> None:
            self.pieces.update(zip(missing, pieces, strict=True))
            self.token_chosen.emit()

        self._jobs.start(lambda: speaker.pieces(missing), show, lambda _: None)
