"""Which layers devices support, and which programs can load the file."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from inspector import units
from inspector.analysis.devices.support_summary import DeviceSupport, Refusal
from inspector.pages.blocks import (
    Column,
    Fact,
    Facts,
    Item,
    Items,
    Limits,
    Row,
    Section,
    Side,
    Table,
    Text,
)
from inspector.pages.model.file import few
from inspector.report.compatibility import CompatibilityResult, Outcome, summarize
from inspector.wording.values import Count, Duration, Name, Sentence, Tone, Toned, Value

_REASONS = Limits(terminal=24, document=24)
_MOST_OPERATORS = 3
# letters
_OPERATOR = 40
_REASON = 300
_TONES = {Outcome.OPENS: Tone.GOOD, Outcome.SILENT: Tone.CAUTION}


def device_support(supports: Sequence[DeviceSupport], options: str = "") -> Iterator[Section]:
    """Yield the layers that each device does not support, with the reasons.

    options: those that fix the dynamic axes of the model, "" where it has none.
    """
    for support in supports:
        source = [Fact("Estimated from", support.device.source)]
        if support.assumes:
            source.append(Fact("Assumes", support.assumes))
        reasons = (
            *_reasons("Not supported: {reason}", support.refusals, Tone.BAD),
            *_reasons("Not checked: {reason}", support.unknowns, Tone.PLAIN),
        )
        items = (Items(reasons, _REASONS, "reason"),) if reasons else ()
        yield Section(
            f"support-{support.device.id}",
            support.device.name,
            (Text(support.summary, strong=True), Facts(tuple(source)), *items),
        )
    blocked = max((support.axes_in_the_way for support in supports), default=0)
    if blocked and options:
        template = "{layers} cannot be supported while axes are dynamic: set `" + options + "`."
        hint = Sentence(template, layers=Count(blocked, "layer"))
        yield Section("hint", "", (Text(hint, label="Hint"),))


def _reasons(template: str, reasons: Sequence[Refusal], tone: Tone) -> Iterator[Item]:
    """Yield each reason with its layers and their operators, that of most layers first."""
    grouped: dict[str, list[Refusal]] = defaultdict(list)
    for reason in reasons:
        grouped[reason.reason].append(reason)
    ordered = sorted(grouped.items(), key=lambda pair: -DeviceSupport.layers_of(pair[1]))
    for text, own in ordered:
        operators = [Name(units.clip(each.operator, _OPERATOR)) for each in own]
        value = Sentence(template, reason=units.clip(text, _REASON).rstrip("."))
        layers: dict[str, Value] = {
            "layers": Count(DeviceSupport.layers_of(own), "layer"),
            "operators": few(operators, _MOST_OPERATORS),
        }
        yield Item(value, Sentence("{layers} ({operators})", **layers), tone=tone)


def validation(results: Sequence[CompatibilityResult]) -> Section:
    """Return which programs can load the file, with the reasons of those that cannot."""
    columns = (
        Column("program", "Program", stretch=True),
        Column("time", "Time", Side.RIGHT),
        Column("outcome", "Outcome"),
    )
    rows = tuple(
        Row(
            (
                f"{each.program} {each.version}".strip(),
                Duration(each.took_ns) if each.outcome is Outcome.OPENS else "",
                Toned(each.outcome.value, _TONES.get(each.outcome, Tone.BAD)),
            ),
            details=units.clip(each.why),
        )
        for each in results
    )
    verdict = Text(summarize(results), strong=True)
    table = Table(columns, rows, noun="program")
    return Section("validation", "Validation", (verdict, table) if rows else ())
