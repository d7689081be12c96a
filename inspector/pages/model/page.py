"""The page of a model: what it is, its numbers, and the order of its sections."""

from collections.abc import Iterator, Sequence

from inspector.analysis.cost.estimate import Estimate
from inspector.analysis.facts.model_facts import Facts as ModelFacts
from inspector.model.model import ONNX_RUNTIME, Model
from inspector.pages.blocks import Fact, Facts, Page, Section, Text
from inspector.pages.model import computed, file, layers
from inspector.preview.identity import ASSUMED, UNREADABLE_WEIGHTS, Evidence, Identity
from inspector.wording.values import (
    Amount,
    Capital,
    Count,
    Joined,
    Name,
    Sentence,
    Size,
    Tone,
    Value,
    joined,
)

_LEAST_EXACT = 10_000  # parameters; fewer are written whole
_LEAST_BYTES = 1024  # of a file whose size is written in a larger unit


def model_page(
    model: Model,
    facts: ModelFacts,
    identity: Identity,
    estimate: Estimate | None = None,
    more: Sequence[Section] = (),
    types_follow: bool = False,
) -> Page:
    """Return the page.

    estimate: shapes and cost, as far as they are computed. more: sections about the model that
    were asked for, such as its weights. types_follow: leave out the types that layers compute
    in, since they will be inferred.
    """
    sections = (
        Section("summary", "", (Facts(tuple(_summary(model, facts)), prominent=True),)),
        file.findings(model),
        file.compiled(model),
        Section("evidence", "Recognized by", (_evidence(identity),), half=True),
        file.facts_section(model, facts, estimate is None and not types_follow, True),
        file.format_details(model),
        file.inputs(model),
        file.outputs(model),
        file.defaults(model),
        file.operators(facts),
        *((computed.computed(estimate),) if estimate is not None else ()),
        *file.declared(model),
        *more,
        layers.graph(model),
        layers.layers(model, estimate),
        *file.texts(model),
    )
    details = Capital(identity.details)
    return Page(
        "model", Name(model.name), sections, Text(identity.headline, strong=True), details
    )


def _summary(model: Model, facts: ModelFacts) -> Iterator[Fact]:
    size = model.size_bytes
    if model.external_bytes:
        files = {each.place.file for each in model.weights if each.place and each.place.file}
        split = Sentence(
            "{size} in the file, {weights} of weights in {files} next to it",
            size=Size(size), weights=Size(model.external_bytes),
            files=Count(len(files), "file"),
        )  # fmt: skip
        yield Fact("Size", Size(model.whole_bytes), split)
    else:
        yield Fact("File size", Size(size), Count(size, "byte") if size >= _LEAST_BYTES else "")
    yield Fact("Layers", Count(len(model.layers)), _inner_layers(model))
    if model.details is not None and not model.details.weights_known:
        yield Fact("Parameters", "unknown")
    else:
        number = model.parameters
        exact: Value = Count(number) if number >= _LEAST_EXACT else ""
        constants = Sentence("{count} more in constants", Amount(facts.constants))
        note = joined(exact, constants if facts.constants else "", separator="; ")
        yield Fact("Parameters", Amount(number), note)
    details, needed = model.details, facts.requirements
    if details is not None:
        if details.needs:
            yield Fact("Requires", _or_later(details.needs, details.reason))
    elif model.refusal(ONNX_RUNTIME) is not None:
        values: dict[str, Value] = {"program": needed.program}
        yield Fact("Requires", Sentence("no release of {program} loads this file", **values),
                   tone=Tone.BAD)  # fmt: skip
    elif needed.runtime:
        release = f"{needed.program} {needed.runtime}"
        yield Fact("Requires", _or_later(release, needed.reason))
    elif needed.elsewhere:
        release = f"{needed.program} {needed.elsewhere}"
        yield Fact("Requires", _or_later(release, needed.elsewhere_reason), tone=Tone.CAUTION)
    else:
        template = "no {program} up to {newest}: {reason}"
        values = {
            "program": needed.program, "newest": needed.newest, "reason": needed.reason,
        }  # fmt: skip
        yield Fact("Requires", Sentence(template, **values), tone=Tone.BAD)
    yield from _compiled(model)


def _inner_layers(model: Model) -> Value:
    inner = sum(layer.parent is not None for layer in model.layers)
    inside = sum(layer.is_part for layer in model.layers)
    nested = Sentence("{count} inside control flow (If, Loop, Scan)", Count(inner - inside))
    parts = Sentence("{count} inside composite layers", Count(inside))
    functions = Count(len(model.functions), "function")
    return joined(
        nested if inner > inside else "",
        parts if inside else "",
        functions if model.functions else "",
    )


def _compiled(model: Model) -> Iterator[Fact]:
    """Yield for which devices parts of the model were compiled, and whether they are there."""
    parts = model.compiled
    if not parts:
        return
    makers = (" ".join(filter(None, (each.provider, each.hardware))) for each in parts)
    binaries = {each.file or str(each.layer): each.size_bytes or 0 for each in parts}
    number, total = Count(len(parts), "part"), sum(binaries.values())
    size = Joined((number, Size(total))) if total else number
    missing = sum(bool(each.problem) for each in parts)
    named = ", ".join(dict.fromkeys(filter(None, makers))) or "an unnamed device"
    unusable = Sentence("{count} cannot be loaded", Count(missing, "part"))
    yield Fact(
        "Compiled for", Name(named), joined(size, unusable if missing else "", separator="; "),
        Tone.BAD if missing else Tone.PLAIN,
    )  # fmt: skip


def _or_later(release: str, reason: Value) -> Value:
    template = "{release} or later ({reason})" if reason else "{release} or later"
    return Sentence(template, release=release, reason=reason)


def _evidence(identity: Identity) -> Facts:
    """Return each statement with its reason; a reason that several share stands once."""
    said = [(each.confidence, each.reason) for each in identity.evidence]
    return Facts(tuple(
        _statement(each, again=said[place] in said[:place])
        for place, each in enumerate(identity.evidence)
    ))  # fmt: skip


def _statement(each: Evidence, again: bool) -> Fact:
    statement: Value = each.statement
    if each.subject != "precision":  # whose first word is the name of a type
        statement = Capital(statement)
    tone = Tone.CAUTION if each.confidence == ASSUMED else Tone.PLAIN
    if each.statement == UNREADABLE_WEIGHTS:
        return Fact(statement, "problem", each.reason, Tone.BAD)
    reason = "" if again else each.reason
    return Fact(statement, each.confidence, reason, tone)
