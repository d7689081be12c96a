"""What a conversation and the model that answers in it pass to each other."""

from enum import Enum, auto

from msgspec import Struct

from inspector.report.language.generation import GREEDY, GeneratedToken, Sampling

DEFAULT_TOKENS = 256  # most of an answer
Said = tuple[str, str]  # a question, and the answer; "" for the one that is to come


class Takes(Enum):
    """What a model is given."""

    MESSAGES = auto()  # a conversation
    BEGINNING = auto()  # a text, which it continues
    TEXT = auto()  # a text, which an encoder reads; each is answered by itself
    FILE = auto()  # a sound or an image, which an encoder reads


class ChatSettings(Struct, frozen=True):
    """How answers are made: their length, greedily or by chance, and the seed of chance.

    language: of a sound, "" as the model finds it. translated: whether it is written in
    English.
    """

    max_tokens: int = DEFAULT_TOKENS
    sampling: Sampling = GREEDY
    language: str = ""
    translated: bool = False


class Read(Struct, frozen=True):
    """Of the prompt, so many tokens were computed, of so many; 0 of them before the first."""

    done: int
    total: int


class Written(Struct, frozen=True):
    """A token came, with its text. special: it is none, such as the end."""

    token: GeneratedToken
    piece: str
    special: bool = False
