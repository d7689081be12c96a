"""inspector chat: talk to a language model."""

import argparse
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, redirect_stdout, suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import TextIO

from msgspec import Struct, field

from inspector.app.language import chat
from inspector.app.language.chat import ChatSettings
from inspector.app.language.chat_model import ChatModel, open_chat
from inspector.app.language.conversations import saved_answer
from inspector.backends.values import Progress as Step
from inspector.cli import other_machines, pages
from inspector.cli.commands.chat import NO_TEMPLATE
from inspector.cli.options import option_types
from inspector.cli.progress import Progress
from inspector.engine.client.engine import Engine
from inspector.errors import BadInput, Cancelled, InspectorError
from inspector.pages.language.answer import SEPARATOR, answer_page, difference_text, facts_line
from inspector.platform import files
from inspector.platform.terminal import print_styled, takes_bold
from inspector.preview.language import chat_template
from inspector.preview.language.answers import Answer, Prompt, first_difference
from inspector.preview.language.chat_template import ASSISTANT, SYSTEM, USER, Message
from inspector.report.language.conversation import (
    Conversation,
    SavedAnswer,
    SavedSettings,
    SavedTurn,
)
from inspector.report.language.conversation import Message as SavedMessage
from inspector.report.language.generation import GeneratedToken, Sampling
from inspector.report.run_spec import RunSpec
from inspector.units import clip
from inspector.wording import catalog
from inspector.wording.values import Count, Name, Sentence, Value, joined

if sys.stdin and sys.stdin.isatty() and sys.stdout.isatty():  # it writes to some pipes
    with suppress(ImportError):  # Windows has none; its terminal knows the keys itself
        import readline  # noqa: F401 - gives `input` its keys

_MOST_STDIN_CHARS = 10_000_000  # of a prompt
_YOU = "> "


class _Side(Struct):
    """A model in the chat, its engine, and what was said with it."""

    model: ChatModel
    engine: Engine
    messages: list[Message] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)


def run(options: argparse.Namespace) -> None:
    """Answer one prompt, or chat on the terminal.

    Raises InspectorError: no such model, the prompt is too long, or the runtime refused.
    """
    settings = ChatSettings(
        Sampling(options.temperature, options.top_k, options.top_p, options.seed),
        options.max_tokens,
        options.context,
        spec=RunSpec(
            devices=(options.device,),
            threads=options.threads,
            custom_ops=tuple(options.custom_ops),
        ),
    )
    if options.save is not None and files.exists(options.save):
        what = f"Could not save the conversation in {clip(options.save.name)}"
        raise BadInput(what, "there is such a file", "Choose another name.")
    opened = [_opened(path, options) for path in (options.model, options.against) if path]
    start = [Message(SYSTEM, options.system)] if options.system else []
    prompt = options.prompt
    if options.messages is not None:
        start += chat_template.read_messages(options.messages)
        if prompt is None and start and start[-1].role == USER:
            prompt = start.pop().content
    interactive = prompt is None and sys.stdin is not None and sys.stdin.isatty()
    if interactive and options.json:
        raise BadInput("Could not print JSON", "there is no prompt", "Add --prompt TEXT.")
    if prompt is None and not interactive:
        prompt = _from_stdin()
    for note in dict.fromkeys(note for model in opened for note in model.notes):
        _say(Sentence("note: {text}", note), sys.stderr)
    with ExitStack() as stack:
        progress = stack.enter_context(Progress(sys.stderr))
        limits = option_types.limits(options)
        shown = _Shown(progress)
        sides = [
            _Side(
                model,
                stack.enter_context(other_machines.engine(options, shown.step, limits)),
                [*start],
            )
            for model in opened
        ]
        if interactive:
            _converse(options, sides, settings, shown)
        else:
            answers = _answered(prompt, sides, settings, None if options.json else shown)
            _save(options, sides, settings)
            if options.json:
                sys.stdout.write(_conversation(sides, settings, answers).encode().decode())
            else:
                _say_more(options, sides, answers)


class _Shown:
    """Shows progress until the answer streams, and then the answer."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._streams = False

    def step(self, step: Step) -> None:
        """Show a step, unless text is under way in the same line."""
        if not self._streams:
            self._progress.show(step)

    def token(self, _: GeneratedToken, text: str) -> None:
        """Show what a token adds."""
        if text:
            if not self._streams:
                self._progress.clear()
                self._streams = True
            print(text, end="", flush=True)

    def finish(self, answer: Answer, rest: str) -> None:
        """End the text, and say what it took beside it."""
        if not self._streams:
            self._progress.clear()  # never a line with text
        self._streams = False
        print(rest, flush=True)
        _say(facts_line(answer), sys.stderr)


def _opened(path: Path, options: argparse.Namespace) -> ChatModel:
    model = open_chat(path, tokenizer=options.tokenizer)
    if options.template == NO_TEMPLATE:
        return model.with_template("")
    if options.template:
        own = Path(options.template)
        return model.with_template(chat_template.read_text(own), own.name)
    return model


def _from_stdin() -> str:
    text = sys.stdin.read(_MOST_STDIN_CHARS + 1) if sys.stdin is not None else ""
    text = text.removesuffix("\n")
    if not text:
        raise BadInput("Could not generate text", "there is no prompt", "Add --prompt TEXT.")
    return text


def _answered(
    text: str, sides: Sequence[_Side], settings: ChatSettings, shown: _Shown | None
) -> list[Answer]:
    """Let each model answer, one after the other. Without `shown` nothing is printed."""
    answers = []
    for side in sides:
        side.messages.append(Message(USER, text))
        try:
            prompt = side.model.prompt(side.messages)
            if shown is None:
                answer = chat.answer(side.engine, side.model, prompt, settings)
            else:
                if len(sides) > 1:
                    _say(Sentence("{model}:", Name(side.model.name)))
                answer = _streamed(side, prompt, settings, shown)
        except InspectorError:
            side.messages.pop()  # the next message is not an answer to this one
            raise
        side.messages.append(Message(ASSISTANT, answer.text))
        side.answers.append(answer)
        answers.append(answer)
    return answers


def _streamed(side: _Side, prompt: Prompt, settings: ChatSettings, shown: _Shown) -> Answer:
    written: list[str] = []

    def hear(token: GeneratedToken, text: str) -> None:
        written.append(text)
        shown.token(token, text)

    answer = chat.answer(side.engine, side.model, prompt, settings, hear)
    shown.finish(answer, answer.text[len("".join(written)) :])
    return answer


def _converse(
    options: argparse.Namespace, sides: Sequence[_Side], settings: ChatSettings, shown: _Shown
) -> None:
    """Ask and answer until the input ends."""
    for side in sides:
        _introduce(side.model)
    _say("Ctrl+C stops an answer, Ctrl+D ends.", sys.stderr)
    while True:
        text = _typed()
        if text is None:
            return
        if not text:
            continue
        try:
            with _stopped_by_ctrl_c([side.engine for side in sides]):
                answers = _answered(text, sides, settings, shown)
            _save(options, sides, settings)
            _say_more(options, sides, answers)
        except Cancelled:
            raise
        except InspectorError as error:  # too long, refused by the template: ask again
            print(error.said(catalog.current().translate), file=sys.stderr)


def _typed() -> str | None:
    """Return a line that was typed, with the keys of a shell where there are any; None at the
    end of the input."""
    terminal = sys.__stdout__ if sys.__stdout__ and sys.__stdout__.isatty() else sys.stdout
    with redirect_stdout(terminal):  # the keys need the real one
        try:
            return input(_YOU).strip()
        except EOFError:
            print()
            return None


def _introduce(model: ChatModel) -> None:
    source = Name(model.template.source)
    template = Sentence("template of {file}", source) if model.template.text else "no template"
    parts: list[Value] = [Name(model.name), template]
    if model.context:
        parts.append(Sentence("context {tokens}", Count(model.context, "token")))
    _say(joined(*parts, separator=SEPARATOR), sys.stderr)


@contextmanager
def _stopped_by_ctrl_c(engines: Sequence[Engine]) -> Iterator[None]:
    """Let the first Ctrl+C stop the answer, and a second one the command."""
    before = signal.getsignal(signal.SIGINT)

    def stop(*_: object) -> None:
        signal.signal(signal.SIGINT, before)
        for engine in engines:
            # Not here: the thread that is interrupted may hold the engine's lock.
            threading.Thread(target=engine.stop, daemon=True).start()

    signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _say_more(
    options: argparse.Namespace, sides: Sequence[_Side], answers: Sequence[Answer]
) -> None:
    """Print where two answers differ, and the tokens and times where they are asked for."""
    if len(answers) > 1:
        _say(difference_text(*answers).value)
    for side, answer in zip(sides, answers, strict=True):
        page = answer_page(side.model.name, [(side.model.name, answer)])
        for section in page.sections:
            if options.tokens and section.id.startswith("tokens"):
                pages.show_section(section)
            if options.details and section.id.startswith(("times", "prompt")):
                pages.show_section(section)


def _conversation(
    sides: Sequence[_Side], settings: ChatSettings, answers: Sequence[Answer]
) -> Conversation:
    """Return what was said up to the last answers, for --json."""
    return Conversation(
        messages=tuple(
            SavedMessage(each.role, each.content) for each in sides[0].messages[:-1]
        ),
        settings=SavedSettings(
            **asdict(settings.sampling),
            max_tokens=settings.max_tokens,
            context=settings.context or None,
            device=settings.spec.devices[0],
        ),
        answers=tuple(map(_saved, sides, answers)),
        first_difference=first_difference(*answers) if len(answers) > 1 else None,
    )


def _save(options: argparse.Namespace, sides: Sequence[_Side], settings: ChatSettings) -> None:
    """Save all that was said so far, where --save asks for it. Raises NotSaved."""
    if options.save is None:
        return
    first, *others = sides
    questions = [each.content for each in first.messages if each.role == USER]
    questions = questions[-len(first.answers) :]  # those before are of --messages
    turns = tuple(
        SavedTurn(
            question,
            first.model.tokens_of(question),
            (_saved(first, first.answers[place]),),
            _saved(others[0], others[0].answers[place]) if others else None,
        )
        for place, question in enumerate(questions)
    )
    answers = [side.answers[-1] for side in sides]
    whole = replace(_conversation(sides, settings, answers), turns=turns)
    files.write_atomic(options.save, whole.encode())


def _saved(side: _Side, answer: Answer) -> SavedAnswer:
    template = side.model.template
    source = template.source if template.text else ""
    return saved_answer(answer, side.model.name, source, side.model.notes)


def _say(value: Value, stream: TextIO | None = None) -> None:
    """Print a line beside the answers, in the language of the user, dimmed on a terminal."""
    text = catalog.current().text(value)
    print_styled(f"\x1b[2m{text}\x1b[0m" if takes_bold() else text, stream)
