"""A generated text: its tokens with their probabilities and times, and why it ended."""

from enum import StrEnum

from inspector.platform.data_struct import DataStruct

NS_PER_SECOND = 1e9


class StopReason(StrEnum):
    """Why no further token was generated."""

    END_TOKEN = "end token"
    MAX_TOKENS = "max tokens"
    CONTEXT_FULL = "context full"
    STOPPED = "stopped"  # by whoever asked


class Sampling(DataStruct, frozen=True):
    """How the next token is chosen from the logits.

    temperature: 0 takes the most probable token (greedy); else logits are divided by it.
    top_k: choose among the k most probable tokens; 0: among all. top_p: choose among the
    fewest that reach this sum of probabilities, in (0, 1]. seed: equal ones give equal tokens
    on one machine.
    """

    temperature: float = 0.0
    top_k: int = 0
    top_p: float = 1.0
    seed: int = 0


GREEDY = Sampling()


class TokenRules(DataStruct, frozen=True):
    """Which tokens may not be generated, as configurations of encoder-decoders say.

    never: at no place. never_first: not as the first token. only_first: the first token is one
    of these; empty: any.
    """

    never: tuple[int, ...] = ()
    never_first: tuple[int, ...] = ()
    only_first: tuple[int, ...] = ()


NO_RULES = TokenRules()


class Alternative(DataStruct, frozen=True):
    """A token that could have been chosen, with its probability at temperature 1."""

    id: int
    probability: float


class GeneratedToken(DataStruct, frozen=True):
    """A token that was chosen.

    id: its number in the vocabulary. probability: of the softmax of the logits, at temperature
    1. entropy_bits: of that distribution. alternatives: the most probable tokens, it included
    where it is one of them, most probable first. context: tokens in front of it. step_ns: wall
    time since the token before was passed on; of the first one, since generation began (prefill
    and choice). sampling_ns: the part of it that choosing took.
    """

    id: int
    probability: float
    entropy_bits: float
    alternatives: tuple[Alternative, ...]
    context: int
    step_ns: int
    sampling_ns: int


class Generation(DataStruct, frozen=True):
    """Tokens that a model added to a prompt.

    prompt_tokens: length of the prompt. prefill_ns: until the logits of its last position were
    there. cache: how earlier tokens are remembered: "shared" (keys and values stay in one
    buffer), "copied" (each step returns them), "none" (all tokens are computed again each
    step). context_limit: tokens that fit, prompt included. load_ns: of the model, with
    a first run of a few tokens that no other time counts; 0 if it was
    loaded already. reused: tokens of the prompt that were in the cache from the generation
    before, and were not computed again. encode_ns: what the encoder took before, where there is
    one; 0 where what it said was there already.
    """

    tokens: tuple[GeneratedToken, ...]
    stop: StopReason
    prompt_tokens: int
    prefill_ns: int
    cache: str
    context_limit: int
    load_ns: int = 0
    notes: tuple[str, ...] = ()
    reused: int = 0
    encode_ns: int = 0

    @property
    def first_token_ns(self) -> int:
        """Time until the first token was chosen, that of an encoder before included; 0 if there
        is none."""
        return self.encode_ns + self.tokens[0].step_ns if self.tokens else 0

    @property
    def decode_ns(self) -> tuple[int, ...]:
        """Time of each step after the first token, the first decode step included."""
        return tuple(token.step_ns for token in self.tokens[1:])

    @property
    def tokens_per_second(self) -> float | None:
        """Decode speed of the median step, without prefill and the first decode step, which
        takes longer; None for fewer than three tokens."""
        steady = sorted(self.decode_ns[1:])
        middle = steady[
            (len(steady) - 1) // 2 : len(steady) // 2 + 1
        ]  # one, or two of an even count
        step_ns = sum(middle) / len(middle) if middle else 0.0
        return NS_PER_SECOND / step_ns if step_ns else None
