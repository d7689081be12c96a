"""The page of a text that one or two language models predict: is the small one still good?"""

from collections.abc import Iterator, Sequence

from inspector.analysis.verdicts.language import percent
from inspector.comparison.ci_conditions import Finding
from inspector.pages.blocks import (
    Column,
    Fact,
    Facts,
    Limits,
    Page,
    Row,
    Section,
    Side,
    Table,
    Text,
)
from inspector.pages.conditions import conditions_section
from inspector.pages.outputs.prediction import notes_section
from inspector.report.language.quality import Estimate, Quality, QualityLevel
from inspector.wording.values import (
    Count,
    Duration,
    Name,
    Number,
    Probability,
    Real,
    Sentence,
    Tone,
    Toned,
    Value,
)

TONES = {
    QualityLevel.GOOD: Tone.GOOD,
    QualityLevel.DEGRADED: Tone.CAUTION,
    QualityLevel.BROKEN: Tone.BAD,
    QualityLevel.UNDECIDED: Tone.CAUTION,
}
_PERPLEXITY_DIGITS = 4
_NATS_DIGITS = 3
_NS_PER_SECOND = 1e9
_PARTS = Limits(terminal=20, document=40)


def quality_page(quality: Quality, findings: Sequence[Finding] = ()) -> Page:
    """Return the page of one model, or of two on the same text. findings: of conditions."""
    title: Value = Sentence("{model} on {text}", Name(quality.model), Name(quality.text))
    if quality.level is not None:
        title = Sentence(
            "{other} compared with {model} on {text}",
            other=Name(quality.against),
            model=Name(quality.model),
            text=Name(quality.text),
        )
    sections = (
        quality_section(quality),
        conditions_section(findings),
        parts_section(quality),
        Section("text", "Text", (Facts(tuple(_text(quality))),)),
        notes_section(quality.notes),
    )
    return Page("quality", title, sections, verdict_text(quality))


def verdict_text(quality: Quality) -> Text | None:
    """Return the verdict on the second model; None for one alone."""
    if quality.level is None:
        return None
    return Text(quality.verdict, TONES[quality.level], strong=True)


def quality_section(quality: Quality, with_verdict: bool = False) -> Section:
    """Return the numbers of one model, or of two, with their intervals. with_verdict: where
    the page has another one."""
    aside = Sentence(
        "on {tokens} of {text}", Count(quality.tokens, "token"), Name(quality.text)
    )
    verdict = verdict_text(quality) if with_verdict else None
    facts = Facts(tuple(_facts(quality)))
    blocks = (facts,) if verdict is None else (verdict, facts)
    return Section("quality", "Quality", blocks, aside=aside)


def _facts(quality: Quality) -> Iterator[Fact]:
    one = not quality.against
    if quality.perplexity is not None:
        label: Value = "Perplexity"
        if not one:
            label = Sentence("Perplexity of {model}", Name(quality.model))
        yield Fact(label, *_number(quality.perplexity, _PERPLEXITY_DIGITS))
    if quality.other is not None and quality.ratio is not None:
        label = Sentence("Perplexity of {model}", Name(quality.against))
        yield Fact(label, *_number(quality.other, _PERPLEXITY_DIGITS))
        low, high = percent(quality.ratio.low), percent(quality.ratio.high)
        note = Sentence("95% CI: {low} to {high}, token by token", low, high)
        yield Fact("Change of perplexity", percent(quality.ratio.value), note)
    if quality.divergence is not None:
        ends = (max(quality.divergence.low, 0.0), quality.divergence.high)
        between = Sentence(
            "95% CI: {low} to {high}", *(Real(end, _NATS_DIGITS) for end in ends)
        )
        yield Fact("KL divergence, mean", _nats(quality.divergence.value), between)
    if quality.divergence_p99 is not None:
        yield Fact(
            "KL divergence, p99", _nats(quality.divergence_p99), "exceeded by 1% of tokens"
        )
    if quality.same_top is not None:
        top = quality.same_top
        ends_of = (Probability(top.low, 1), Probability(min(top.high, 1.0), 1))
        note = Sentence("of tokens; 95% CI: {low} to {high}", *ends_of)
        yield Fact("Same most probable token", Probability(top.value, 1), note)
    if quality.agreement:
        ordered = sorted(quality.agreement)
        middle = Count(ordered[len(ordered) // 2], "token")
        note = Sentence(
            "median of {prompts}, of at most {most}",
            Count(len(ordered), "prompt"),
            Count(quality.agreement_most, "token"),
        )
        yield Fact("Equal greedy text", middle, note)
    for count, name in (
        (quality.not_finite, quality.model),
        (quality.other_not_finite, quality.against),
    ):
        if count:
            label = Sentence("NaN or infinite logits of {model}", Name(name))
            yield Fact(label, Count(count, "token"), "left out above", Tone.BAD)


def _nats(value: float) -> Value:
    """Return a divergence, of which tiny ones count too."""
    return Sentence("{number} nats", Real(value, _NATS_DIGITS))


def _number(estimate: Estimate, digits: int) -> tuple[Value, Value]:
    """Return an estimate for people, and its interval as the note beside it."""
    low, high = (Number(end, digits=digits) for end in (estimate.low, estimate.high))
    return Number(estimate.value, digits=digits), Sentence("95% CI: {low} to {high}", low, high)


def _text(quality: Quality) -> Iterator[Fact]:
    of = Sentence("of {all}, from all over the text", Count(quality.text_tokens, "token"))
    yield Fact("Scored", Count(quality.tokens, "token"), of)
    window: Value = Sentence("of each, the last {count} count", Count(quality.stride))
    if quality.stride == quality.window:
        window = "each begins with an empty cache; all its tokens count"
    yield Fact("Window", Count(quality.window, "token"), window)
    if quality.begin:
        yield Fact("Begin token", "in front of each window")
    yield Fact("Time", Duration(quality.seconds * _NS_PER_SECOND))


def parts_section(quality: Quality) -> Section:
    """Return the parts of the other model, the one that harms most first."""
    columns = (
        Column("part", "Block or layer", stretch=True),
        Column("layers", "Layers", Side.RIGHT, keep=3),
        Column("divergence", "KL divergence", Side.RIGHT,
               help="Mean over tokens, in nats, if only this part is the other model's"),
        Column("ratio", "Perplexity", Side.RIGHT, keep=6,
               help="Change of perplexity if only this part is the other model's"),
    )  # fmt: skip
    rows = tuple(
        Row(
            (
                Name(part.name),
                Count(part.layers),
                Toned("NaN", Tone.BAD)
                if part.divergence is None
                else Real(part.divergence, _NATS_DIGITS),
                "" if part.ratio is None else percent(part.ratio),
            ),
            depth=1 if part.within else 0,
        )
        for part in quality.parts
    )
    table = Table(columns, rows, _PARTS, "part", quality.parts_total)
    aside = Sentence(
        "the original with only this part of {other}, worst first", Name(quality.against)
    )
    return Section("parts", "Parts that differ", (table,) if rows else (), aside=aside)
