"""A conversation with a language model as JSON (schema chat/1): printed, saved and opened.

Numbers that follow from others, such as a speed, are there for scripts; reading takes them from
the tokens again.
"""

from dataclasses import fields

from inspector.platform.data_struct import DataStruct
from inspector.report import saved_json
from inspector.wording import stored

SCHEMA = "chat/1"
_FORMAT = saved_json.Format(
    "conversation",
    SCHEMA,
    "Save it again with `inspector chat MODEL --save FILE`, or in the Chat tab.",
    {
        "report": "Open it as a report.",
        "": "Choose a file that `inspector chat MODEL --save FILE` made.",
    },
)
_MOST_LENGTH = 1 << 31  # of tokens, more than any vocabulary


class Message(DataStruct, frozen=True):
    """Who says something, "system", "user" or "assistant", and what."""

    role: str
    content: str


class SavedAlternative(DataStruct, frozen=True):
    """A token that was nearly chosen, its text, and its probability at temperature 1."""

    id: int
    piece: str
    probability: float


class SavedToken(DataStruct, frozen=True):
    """A token of an answer as in `GeneratedToken`, with its text. special: it is no text."""

    id: int
    piece: str
    special: bool
    probability: float
    entropy_bits: float
    context: int
    step_ns: int
    sampling_ns: int
    alternatives: tuple[SavedAlternative, ...] = ()


class SavedAnswer(DataStruct, frozen=True):
    """An answer as in `Generation`, and how the model was asked.

    template: where the chat template came from; "" for none. prompt: as it was sent. text:
    without special tokens. context_limit: None where nobody knows it. kept: so many of the
    first tokens were taken over from another answer.
    """

    model: str
    template: str
    prompt: str
    prompt_ids: tuple[int, ...]
    text: str
    stop: str
    prompt_tokens: int
    reused_tokens: int
    context_limit: int | None
    context_used: int
    cache: str
    load_ns: int
    prefill_ns: int
    first_token_ns: int | None
    tokens_per_second: float | None
    speed_context: int | None
    perplexity: float | None
    tokens: tuple[SavedToken, ...]
    notes: tuple[str, ...] = ()
    kept: int = 0


class SavedTurn(DataStruct, frozen=True):
    """A question with its tokens, answers of the model, the last of which counts, and the
    answer of a model that it was compared with."""

    prompt: str
    tokens: int = 0
    answers: tuple[SavedAnswer, ...] = ()
    other: SavedAnswer | None = None


class SavedSettings(DataStruct, frozen=True):
    """How the next token was chosen, as in `Sampling`, and on which device."""

    temperature: float = 0.0
    top_k: int = 0
    top_p: float = 1.0
    seed: int = 0
    max_tokens: int = 0
    context: int | None = None
    device: str = ""


class Conversation(DataStruct, frozen=True):
    """A conversation.

    messages: up to the last question, the system text first. answers: to it, of the model and
    of one that it was compared with. first_difference: place of the first token in which these
    differ. turns: all of them with their tokens, where a window had them.
    """

    messages: tuple[Message, ...]
    settings: SavedSettings
    answers: tuple[SavedAnswer, ...]
    first_difference: int | None = None
    turns: tuple[SavedTurn, ...] = ()

    def encode(self) -> bytes:
        """Return it as one line of JSON."""
        content = {each.name: getattr(self, each.name) for each in fields(self)}
        return stored.json_text({"schema": SCHEMA} | content).encode() + b"\n"

    @property
    def system(self) -> str:
        """Return the system text; "" without one."""
        first = self.messages[0] if self.messages else Message("", "")
        return first.content if first.role == "system" else ""

    @property
    def every_turn(self) -> tuple[SavedTurn, ...]:
        """Return the turns, of earlier ones the texts alone where no more is known."""
        if self.turns:
            return self.turns
        turns, question = list[SavedTurn](), ""
        for message in self.messages:
            if message.role == "user":
                question = message.content
            elif message.role == "assistant":
                turns.append(SavedTurn(question, answers=(said(message.content),)))
        other = self.answers[1] if len(self.answers) > 1 else None
        return (*turns, SavedTurn(question, answers=self.answers[:1], other=other))


def said(text: str) -> SavedAnswer:
    """Return an answer of which the text alone is known."""
    return SavedAnswer(
        "", "", "", (), text, "", 0, 0, None, 0, "", 0, 0, None, None, None, None, ()
    )


def decode(body: bytes, name: str) -> Conversation:
    """Read a conversation. Raises UnreadableFile: it is none, or damaged. name: for people."""
    return saved_json.decode(body, Conversation, _FORMAT, name, _checked)


def _checked(conversation: Conversation) -> Conversation:
    """Return it. Raises ValueError: a token or a probability that cannot be."""
    answers = [
        answer
        for turn in conversation.every_turn
        for answer in (*turn.answers, *filter(None, (turn.other,)))
    ]
    for answer in answers:
        if answer.kept > len(answer.tokens):
            raise ValueError(
                f"kept is {answer.kept}, but there are {len(answer.tokens)} tokens"
            )
        for token in answer.tokens:
            shares = token.probability, *(each.probability for each in token.alternatives)
            if not all(share <= 1 for share in shares):
                raise ValueError(f"a probability is {max(shares)}, but must be at most 1")
            if token.id >= _MOST_LENGTH:
                raise ValueError(f"a token is {token.id}, which no vocabulary has")
    return conversation
