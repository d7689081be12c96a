"""The page of what language models answered: the text, five facts in one order, its tokens."""

from collections.abc import Iterator, Sequence
from statistics import median

from inspector.pages.blocks import (
    Column,
    Fact,
    Facts,
    Limits,
    Page,
    Rank,
    Row,
    Section,
    Side,
    Snippet,
    Text,
)
from inspector.pages.language.quantities import per_second
from inspector.pages.tables import table_of
from inspector.preview.inputs.tokens import TokenPiece
from inspector.preview.language.answers import Answer, first_difference
from inspector.preview.language.text_stream import visible_piece
from inspector.report.language.generation import GeneratedToken, Generation, StopReason
from inspector.wording.values import (
    Count,
    Duration,
    Joined,
    Name,
    Number,
    Probability,
    Sentence,
    Tone,
    Toned,
    Value,
    joined,
)

SEPARATOR = " · "  # between the facts of an answer
_PLACES = 1  # decimal places of a probability in percent
_ALL = Limits(terminal=10_000, document=1000, page=10_000)
_STOPS = {
    StopReason.END_TOKEN: "stopped at end token",
    StopReason.MAX_TOKENS: "stopped at max tokens",
    StopReason.CONTEXT_FULL: "stopped: context full",
    StopReason.STOPPED: "stopped by you",
}
_CACHES = {
    "shared": "keys and values stay in one buffer",
    "copied": "keys and values are copied at each step",
    "none": "no cache: all tokens are computed again at each step",
}


def answer_page(model: str, answers: Sequence[tuple[str, Answer]]) -> Page:
    """Return the page. answers: a name and the answer of each model, one or two."""
    sections = [section for name, each in answers for section in _sections(name, each)]
    title = Sentence("Answer of {model}", Name(model))
    if len(answers) < 2:
        return Page("answer", title, tuple(sections))
    (name, one), (other_name, other) = answers
    title = Sentence("Answers of {model} and {other}", Name(name), Name(other_name))
    verdict = difference_text(one, other)
    return Page("answer", title, tuple(sections), verdict)


def answer_facts(answer: Answer) -> tuple[Value, ...]:
    """Return tokens, first token, speed at its context, how full that is, and why it
    stopped, in this order everywhere; what is not known is left out."""
    generation = answer.generation
    facts: list[Value] = [Count(len(answer.tokens), "token")]
    if generation.tokens:
        facts.append(first_token(generation))
    speed = generation.tokens_per_second
    if speed is not None:
        rate = per_second(speed, unit=True)
        facts.append(Sentence("{rate} at context {context}", rate, Count(answer.speed_context)))
    if answer.context:
        used, limit = Count(answer.used), Count(answer.context, "token")
        facts.append(Sentence("context {used} of {limit}", used, limit))
    return (*facts, _STOPS[generation.stop])


def first_token(generation: Generation) -> Sentence:
    """Return the time to the first token, with the length of the prompt that it depends on."""
    time, prompt = Duration(generation.first_token_ns), Count(generation.prompt_tokens)
    if generation.encode_ns:
        return Sentence("first token {time} with the encoder", time)
    return Sentence("first token {time} (prompt {prompt})", time, prompt)


def facts_line(answer: Answer) -> str:
    """Return the facts of an answer in one line."""
    return joined(*answer_facts(answer), separator=SEPARATOR)


def difference_text(one: Answer, other: Answer) -> Text:
    """Return where two answers differ first, in one sentence."""
    place = first_difference(one, other)
    if place is None:
        agreed = Sentence("Both answers have the same {count}", Count(len(one.pieces), "token"))
        return Text(agreed, Tone.GOOD, strong=True)
    if place == 0:
        return Text("The answers differ from the first token on", Tone.CAUTION, strong=True)
    if place == 1:
        return Text("The answers agree on the first token", Tone.CAUTION, strong=True)
    agreed = Sentence("The answers agree on the first {count}", Count(place, "token"))
    return Text(agreed, Tone.CAUTION, strong=True)


def _sections(name: str, answer: Answer) -> Iterator[Section]:
    line = Text(facts_line(answer), Tone.SECONDARY)
    yield Section(f"answer {name}", Name(name), (Text(Name(answer.text)), line))
    yield Section(f"times {name}", "Times", (Facts(tuple(_times(answer))),), Rank.DOCUMENT)
    sent = (Snippet(answer.prompt.text),)
    yield Section(f"prompt {name}", "Prompt as it was sent", sent, Rank.DOCUMENT)
    yield tokens_section(answer, f"tokens {name}")


def _times(answer: Answer) -> Iterator[Fact]:
    generation = answer.generation
    if answer.prompt.encoded:
        yield Fact("Text", Count(answer.prompt.encoded, "token"), "read by the encoder")
    if generation.encode_ns:
        yield Fact("Encoder", Duration(generation.encode_ns))
    prompt = Count(generation.prompt_tokens, "token")
    note: Value = ""
    if generation.reused:
        reused = Count(generation.reused)
        note = Sentence("{count} of them were in the cache already", reused)
    yield Fact("Prompt", prompt, note)
    yield Fact("Prefill", Duration(generation.prefill_ns))
    if len(generation.tokens) > 1:
        first, *steady = generation.decode_ns
        yield Fact("First step after the prompt", Duration(first))
        if steady:
            yield Fact("Each token after it", Duration(median(steady)), "median")
    if answer.perplexity is not None:
        yield Fact("Perplexity of the answer", Number(answer.perplexity))
    if generation.load_ns:
        yield Fact("Load", Duration(generation.load_ns))
    yield Fact("Cache", _CACHES.get(generation.cache, generation.cache))


def tokens_section(answer: Answer, id_: str = "tokens") -> Section:
    """Return the tokens of an answer with their probabilities, alternatives and times."""
    columns = (
        Column("place", "#", Side.RIGHT, keep=5),
        Column("token", "Token"),
        Column("id", "ID", Side.RIGHT, keep=4),
        Column("probability", "Probability", Side.RIGHT, help="after softmax, temperature 1"),
        Column("entropy", "Entropy", Side.RIGHT, keep=6),
        Column("time", "Time", Side.RIGHT, keep=7),
        Column("alternatives", "Alternatives", stretch=True, keep=3),
    )
    rows = tuple(
        Row(tuple(_cells(answer, place, token)), key=str(place))
        for place, token in enumerate(answer.tokens)
    )
    return Section(id_, "Tokens", table_of(columns, rows, _ALL, "token"))


def _cells(answer: Answer, place: int, token: GeneratedToken) -> Iterator[Value]:
    yield Count(place + 1)
    yield piece_value(answer.piece(token.id))
    yield Count(token.id)
    yield Probability(token.probability, _PLACES)
    yield Number(token.entropy_bits, "bits")
    yield Duration(token.step_ns)
    others = [each for each in token.alternatives if each.id != token.id]
    yield Joined(
        Sentence(
            "{token} {probability}",
            piece_value(answer.piece(each.id)),
            Probability(each.probability, _PLACES),
        )
        for each in others
    )


def piece_value(piece: TokenPiece) -> Value:
    """Return a token as tables show it: blanks as signs, special tokens set apart."""
    shown = Name(visible_piece(piece.text) or f"{piece.id}")
    return Toned(shown, Tone.SECONDARY) if piece.special else shown
