"""A conversation as it is saved: to a file that the user names, and for the next start."""

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from inspector.app.language.conversations import answer_of, read_conversation, saved_answer
from inspector.errors import InspectorError
from inspector.platform import files
from inspector.preview.inputs.tokens import TokenPiece
from inspector.preview.language import answers
from inspector.report.language.conversation import (
    Conversation,
    Message,
    SavedAnswer,
    SavedSettings,
    SavedTurn,
)
from inspector.report.language.generation import Generation, Sampling, StopReason
from inspector.ui.background import Debounce, TaskRunner
from inspector.ui.documents.language.chatting import (
    Answer,
    AnswerState,
    Chatting,
    Turn,
    first_difference,
)
from inspector.ui.documents.language.exchange import DEFAULT_TOKENS, ChatSettings

_KEEP_MS = 500  # after the last change until the conversation is written
# The name of a model, what it said, and its tokens as they were shown.
_Answered = tuple[str, answers.Answer, list[TokenPiece]]
_MOST_KEPT = 100  # conversations; the oldest go


def so_far(answer: Answer) -> answers.Answer:
    """Return what came of an answer, or what would if it ended here."""
    if answer.whole is not None:
        return answer.whole
    kept, made = answer.tokens[: answer.forced], answer.tokens[answer.forced :]
    generation = Generation(
        tuple(made),
        StopReason.STOPPED,
        answer.prompt_tokens + len(kept),
        0,
        "shared",
        answer.context_limit,
    )
    prompt = answers.Prompt("", (0,) * answer.prompt_tokens)  # only its length counts
    return answers.Answer("", prompt, generation, tuple(kept), context=answer.context_limit)


def conversation_of(chatting: Chatting, device: str = "") -> Callable[[], Conversation]:
    """Return what makes a conversation of all answers as they are now, on any thread: those of
    thousands of tokens take a tenth of a second."""
    system = [Message("system", chatting.system)] if chatting.system else []
    template = chatting.speaker.template if chatting.speaker is not None else ""
    turns = [
        (turn.prompt, turn.tokens, list(map(_whole, turn.answers)), _whole_other(turn))
        for turn in chatting.turns
    ]
    chance, last = chatting.settings.sampling, chatting.last
    settings = SavedSettings(
        chance.temperature, chance.top_k, chance.top_p, chance.seed,
        chatting.settings.max_tokens, chatting.room.limit or None, device,
    )  # fmt: skip
    difference = _difference(last)

    def saved(answered: _Answered) -> SavedAnswer:
        model, whole, pieces = answered
        return saved_answer(whole, model, template, pieces=pieces)

    def make() -> Conversation:
        every = tuple(
            SavedTurn(prompt, tokens, tuple(map(saved, answered)), other and saved(other))
            for prompt, tokens, answered, other in turns
        )
        messages = list(system)
        for turn in every:
            messages.append(Message("user", turn.prompt))
            if turn is not every[-1] and turn.answers:
                messages.append(Message("assistant", turn.answers[-1].text))
        both = (*every[-1].answers[-1:], every[-1].other) if every else ()
        present = tuple(each for each in both if each is not None)
        return Conversation(tuple(messages), settings, present, difference, every)

    return make


def _whole(answer: Answer) -> _Answered:
    """Return an answer that no longer changes, also of what it was stopped or failed at."""
    pieces = [
        TokenPiece(token.id, piece, place in answer.special)
        for place, (token, piece) in enumerate(zip(answer.tokens, answer.pieces, strict=True))
    ]
    return answer.model, replace(so_far(answer), text=answer.text), pieces


def _whole_other(turn: Turn) -> _Answered | None:
    return _whole(turn.other) if turn.other is not None else None


def _difference(turn: Turn | None) -> int | None:
    if turn is None or turn.answer is None or turn.other is None:
        return None
    place = first_difference(turn.answer, turn.other)
    return place if place >= 0 else None


def show_conversation(chatting: Chatting, conversation: Conversation) -> None:
    """Show a conversation that was saved in place of the present one."""
    saved = conversation.settings
    sampling = Sampling(saved.temperature, saved.top_k, saved.top_p, saved.seed)
    pieces = dict[int, str]()

    def shown(answer: SavedAnswer) -> Answer:
        whole = answer_of(answer)
        pieces.update({each.id: each.text for each in whole.known.values()})
        length = max(0, answer.prompt_tokens - answer.kept)
        return Answer(
            answer.model,
            AnswerState.DONE,
            list(whole.tokens),
            [token.piece for token in answer.tokens],
            [place for place, token in enumerate(answer.tokens) if token.special],
            length,
            length,
            answer.context_limit or 0,
            whole,
            forced=answer.kept,
            sampling=sampling,
        )

    turns = [
        Turn(
            turn.prompt,
            turn.tokens,
            list(map(shown, turn.answers)),
            shown(turn.other) if turn.other is not None else None,
        )
        for turn in conversation.every_turn
    ]
    settings = ChatSettings(saved.max_tokens or DEFAULT_TOKENS, sampling)
    chatting.show_earlier(turns, conversation.system, settings, pieces)


class ChatKeeper(QObject):
    """Writes a conversation after each change into a folder, and reads an earlier one.

    name: of its file; "" before there is something to keep. named: it has another file.
    failed: with why it could not be written or read.
    """

    named = Signal()
    failed = Signal(object)  # InspectorError

    def __init__(
        self, chatting: Chatting, folder: Path | None, name: str, device: Callable[[], str]
    ) -> None:
        super().__init__(chatting)
        self._chatting, self._folder, self._device = chatting, folder, device
        self.name = Path(name).name  # a session is a file that anybody may have written
        self._number = chatting.number
        self._reading = bool(name)
        self._jobs = TaskRunner(self)
        self._soon = Debounce(self._write, self, _KEEP_MS)
        chatting.changed.connect(self._follow)
        if folder is not None and name:
            self._jobs.start(
                partial(read_conversation, folder / f"{self.name}.json"), self._show, self._fail
            )

    def open(self, path: Path) -> None:
        """Show the conversation in a file; `failed` follows where it cannot be read."""
        show = partial(show_conversation, self._chatting)
        self._jobs.start(partial(read_conversation, path), show, self.failed.emit)

    def _show(self, conversation: Conversation) -> None:
        self._reading = False
        if not self._chatting.turns:
            show_conversation(self._chatting, conversation)
            self._number = self._chatting.number

    def _fail(self, error: InspectorError) -> None:
        self._reading = False
        self.name = ""
        self.failed.emit(error)

    def close(self) -> None:
        """Write at once what was not written yet."""
        if self._soon.pending or self._chatting.busy:
            write = self._writing()
            with suppress(InspectorError):
                if write is not None:
                    write()
        self._jobs.discard_results()

    def _follow(self) -> None:
        chatting = self._chatting
        if self._folder is None or self._reading:
            return
        before = self.name
        if chatting.number != self._number or not chatting.turns:
            self._number, self.name = chatting.number, ""  # the file of the earlier one stays
        if chatting.turns and not self.name:
            self.name = f"{datetime.now():%Y%m%d-%H%M%S}-{os.urandom(4).hex()}"
        if self.name != before:
            self.named.emit()
        if chatting.turns and not chatting.busy:
            self._soon.call()

    def _write(self) -> None:
        write = self._writing() if not self._chatting.busy else None
        if write is not None:
            self._jobs.start(write, lambda _: None, self.failed.emit)

    def _writing(self) -> Callable[[], None] | None:
        """Return what writes the conversation as it is now; None where there is none."""
        folder, name = self._folder, self.name
        if folder is None or not name:
            return None
        make = conversation_of(self._chatting, self._device())

        def write() -> None:
            files.make_folder(folder)
            files.write_atomic(folder / f"{name}.json", make().encode())
            for path in sorted(folder.glob("*.json"))[:-_MOST_KEPT]:
                path.unlink(missing_ok=True)

        return write
