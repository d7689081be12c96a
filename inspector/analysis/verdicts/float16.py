"""Sentences on a model in emulated float16 arithmetic, for all that show it."""

from inspector.analysis.verdicts.outputs import sentence
from inspector.report.float16_check import AUTO, Float16Check, OutOfRange
from inspector.units import clip
from inspector.wording.values import Count, Sentence

LARGEST = 65504.0  # of float16; what is larger becomes infinite
# Half of float16's smallest number, 2^-24: what is smaller is rounded to 0.
SMALLEST = 2.0**-25
_NAMED = 3  # results in a sentence


def summary(check: Float16Check) -> str:
    """Return what float16 hardware makes of the outputs, in one sentence."""
    if check.verdict is None:
        return Sentence("Not checked in emulated float16 arithmetic: {missing}.", check.missing)
    return Sentence(
        "In emulated float16 arithmetic, as on GPUs: {sentence}", sentence(check.verdict)
    )


def ranges(check: Float16Check) -> str:
    """Return which results float16 cannot hold; "" for none."""
    large = [each for each in check.out_of_range if not each.vanishes]
    small = [each for each in check.out_of_range if each.vanishes]
    texts = []
    if large:
        texts.append(
            Sentence(
                "{plural} beyond float16's largest value, 65,504: {named}",
                Count(len(large), "result"),
                _named(large, "up to"),
            )
        )
    if small:
        verb = "is" if len(small) == 1 else "are"
        texts.append(
            Sentence(
                "{plural} {verb} rounded to 0: {named}",
                Count(len(small), "result"),
                verb,
                _named(small, "at most"),
            )
        )
    if not texts:
        return ""
    harmless = "" if check.wrong else " The outputs are not affected."
    return f"{'; '.join(texts)}.{harmless}"


def remedy(check: Float16Check) -> str:
    """Return what to do about outputs that are wrong, as a step to paste; "" if nothing."""
    if not check.wrong:
        return ""
    return f"Keep the layers that need it in float32: float16:keep={AUTO}"


def lines(check: Float16Check) -> tuple[str, ...]:
    """Return all sentences, the verdict first."""
    return tuple(filter(None, (summary(check), ranges(check), remedy(check))))


def _named(results: list[OutOfRange], bound: str) -> str:
    named = [
        f"'{clip(each.layer, 60)}' ({each.operator}, {bound} {each.largest:.3g})"
        for each in results[:_NAMED]
    ]
    more = len(results) - len(named)
    return ", ".join(named) + (f" and {more} more" if more else "")
