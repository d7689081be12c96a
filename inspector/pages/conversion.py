"""Pages of conversions: what steps did to a model, what they would do, and which there are."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from inspector.analysis.verdicts import float16
from inspector.conversion.action import Action, Effect, Step
from inspector.conversion.result import KERNELS, CheckedConversion
from inspector.model.tensors.element_types import Tensor
from inspector.pages.blocks import (
    Block,
    Column,
    Fact,
    Facts,
    Item,
    Items,
    Limits,
    Page,
    Rank,
    Row,
    Section,
    Side,
    Snippet,
    Table,
    Text,
)
from inspector.pages.language.quality import TONES, quality_section
from inspector.pages.recipe_steps import step_section
from inspector.preview.runs.parity import Limit
from inspector.wording.values import Change, Code, Joined, Name, Sentence, Size, Tone, Value

_ALL = Limits(terminal=1000, document=1000)
_ACTION_HELP = "The action that would be applied to the model"
_RANGE_HELP = "The measured latency of 90% of other models was within this interval"
_WHOLE_PERCENT = 0.01  # of the size before; a smaller change is written in bytes


def case_page(file: Path, tensors: Sequence[tuple[str, Tensor]]) -> Page:
    """Return the page of a test case of a part: what it gets and gives. file: where it is."""
    columns = (
        Column("tensor", "Tensor", stretch=True),
        Column("type", "Type"),
        Column("shape", "Shape", digits=True),
    )
    rows = tuple(
        Row((Name(name), array.dtype.name, "×".join(map(str, array.shape)) or "scalar"))
        for name, array in tensors
    )
    table = Table(columns, rows, noun="tensor")
    title = Sentence("Test case saved as {file}", Name(file.name))
    return Page("case", title, (Section("tensors", "", (table,)),), Text(title, Tone.GOOD))


def conversion_page(
    checked: CheckedConversion,
    sizes: tuple[int, int],
    limits: Sequence[Limit] = (),
    saved: Value = "",
    advice: tuple[str, str] = ("", ""),
) -> Page:
    """Return what a recipe did to a model, and whether its outputs are still right.

    sizes: in bytes, before and after. limits: conditions that the outputs must not meet. saved:
    what was written, or why nothing was. advice: a command that deals with destroyed answers,
    behind what it is for.
    """
    result = checked.conversion
    steps = Joined(tuple(Code(step.text) for step in result.steps), ", then ")
    title = Sentence("{model}: {steps}", Name(result.original.name), steps)
    facts = [] if result.unchanged else [*_facts(checked, sizes)]
    facts += [_condition(checked, limit) for limit in limits]
    blocks: tuple[Block, ...] = (*((Facts(tuple(facts)),) * bool(facts)), *_exactly(checked))
    notes = tuple(Item(note) for note in (*result.notes, *checked.notes))
    ends = (*((Text(saved),) * bool(saved)), *_remedy(checked, *advice))
    sections = (
        Section("summary", "", blocks),
        *((quality_section(checked.quality),) if checked.quality is not None else ()),
        Section("outputs", "Outputs", _outputs(checked), Rank.DOCUMENT),
        Section("steps", "Steps", _steps(result.steps, result.effects)),
        step_section(checked.after_steps),
        Section("notes", "Notes", (Items(notes, _ALL),) if notes else ()),
        Section("saved", "", ends),
    )
    tone = Tone.BAD if checked.destroyed else Tone.GOOD if checked.proven else Tone.PLAIN
    if checked.quality is not None and checked.quality.level is not None:
        tone = TONES[checked.quality.level]
    return Page("conversion", title, sections, Text(checked.sentence, tone, strong=True))


def _remedy(checked: CheckedConversion, purpose: str, command: str) -> Iterator[Block]:
    """Yield what was tried in place of steps that destroyed the answers, and what to run."""
    remedy = checked.remedy
    if remedy is not None and remedy.sentence:
        yield Text(remedy.sentence)
    if command:
        yield Text(purpose)
        yield Snippet(command, "sh")


def plan_page(
    model: str, effects: Sequence[tuple[Step, Effect]], done: Sequence[Step] = ()
) -> Page:
    """Return what each action would do to a model, those that can be applied first.

    done: steps that come before it, so that sizes are those of their result.
    """
    groups: dict[str, list[tuple[Step, Effect]]] = {}
    for step, effect in effects:
        kind = "do" if effect.applicable else "needs" if effect.needs else "nothing"
        groups.setdefault(kind, []).append((step, effect))
    titles = {
        "do": "Can be applied",
        "needs": "Can be applied with more options",
        "nothing": "Cannot be applied",
    }
    sections = [
        Section(kind, title, _steps(*zip(*groups[kind], strict=True)))
        for kind, title in titles.items()
        if kind in groups
    ]
    sections[1:1] = _latency_section(groups.get("do", ()))
    values: dict[str, Value] = {"model": Name(model)}
    title = Sentence("What each action would do to {model}", **values)
    if done:
        values["steps"] = Joined(tuple(Code(step.text) for step in done))
        title = Sentence("What each action would do to {model} after {steps}", **values)
    return Page("plan", title, tuple(sections))


def _latency_section(effects: Sequence[tuple[Step, Effect]]) -> Iterator[Section]:
    """Yield the estimated latencies with their errors, and which actions have none."""
    told = [(step, effect.foretold) for step, effect in effects if effect.foretold is not None]
    others: dict[str, list[Value]] = {}  # by the reason
    for step, effect in effects:
        if effect.not_foretold:
            others.setdefault(effect.not_foretold_reason, []).append(Code(step.text))
    if not told and not others:
        return
    columns = (
        Column("action", "Action", stretch=True, help=_ACTION_HELP),
        Column("latency", "Latency", Side.RIGHT),
        Column("range", "90% interval", Side.RIGHT, help=_RANGE_HELP),
    )
    rows = tuple(
        Row((Code(step.text), f"{ratio}×", Sentence("{low}× to {high}×", low, high)))
        for step, of in told
        for ratio, low, high in (of.texts.values(),)
    )
    blocks: list[Block] = []
    if rows:
        blocks.append(Table(columns, rows, noun="action"))
        where = (
            "Relative to the original, in ONNX Runtime on this CPU; estimated without running "
            "the model."
        )
        blocks.append(Text(where, Tone.SECONDARY))
    for reason, actions in others.items():
        text = Sentence("Not foretold: {actions}; {reason}.", Joined(tuple(actions)), reason)
        blocks.append(Text(text, Tone.SECONDARY))
    yield Section("latency", "Latency, estimated", tuple(blocks))


def actions_page(actions: Sequence[Action]) -> Page:
    """Return all actions by group, each with its options."""
    groups: dict[str, list[Action]] = {}
    for action in actions:
        groups.setdefault(action.group, []).append(action)
    sections = (
        Section(
            group.casefold().replace(" ", "-"), group,
            (Facts(tuple(fact for each in members for fact in _action(each))),),
        )
        for group, members in groups.items()
    )  # fmt: skip
    return Page("actions", "Actions of `inspector convert`", tuple(sections))


def _action(action: Action) -> Iterator[Fact]:
    by = Sentence(" (by {library})", Name(action.library)) if action.library else ""
    yield Fact(Code(action.id), Joined((action.summary, by), ""))
    for option in action.options:
        choices = f" ({', '.join(option.choices)})" if option.choices else ""
        default = f" [{option.default}]" if option.default else ""
        name = Joined(("  ", Code(option.name)), "")
        yield Fact(name, Joined((option.help, choices, default), ""), tone=Tone.SECONDARY)


def _steps(steps: Sequence[Step], effects: Sequence[Effect]) -> tuple[Block, ...]:
    """Return what each step does, and what may get worse by it."""
    facts = tuple(
        Fact(Code(step.text), effect.text, tone=Tone.CAUTION if effect.refused else Tone.PLAIN)
        for step, effect in zip(steps, effects, strict=True)
    )
    cautions: dict[str, list[Value]] = {}
    for step, effect in zip(steps, effects, strict=True):
        if effect.applicable and effect.caution:
            cautions.setdefault(effect.caution, []).append(Code(step.action))
    texts = (
        Text(Sentence("{steps}: {caution}", Joined(tuple(of)), caution), Tone.CAUTION)
        for caution, of in cautions.items()
    )
    return (Facts(facts), *texts)


def size_change(before: int, after: int) -> Value:
    """Return a change in percent; below 1% in bytes."""
    if before == after:
        return "unchanged"
    whole = abs(after - before) >= _WHOLE_PERCENT * before
    return Change(after / before) if whole else Size(after - before, signed=True)


def _facts(checked: CheckedConversion, sizes: tuple[int, int]) -> Iterator[Fact]:
    """Yield the size, how it was run, and how each output compares with the original."""
    result = checked.conversion
    before, after = map(Size, sizes)
    values: dict[str, Value] = {"before": before, "after": after, "change": size_change(*sizes)}
    yield Fact("Size", Sentence("{before} to {after} ({change})", **values))
    names = tuple(check.level for check in result.levels if not check.problem)
    ran = f"at {len(names)} of 4 optimization levels"
    if names == tuple(KERNELS):
        ran = f"with {' and with '.join(names)}"
    if result.devices:
        ran += f" on {' and '.join(result.devices)}"
    if result.levels:
        yield Fact("Opens and runs", ran)
    if checked.quality is None:
        yield from _compared(checked)


def _outputs(checked: CheckedConversion) -> tuple[Facts, ...]:
    """Return the outputs of a language model, most of which are a cache: a text says more."""
    facts = tuple(_compared(checked))
    return (Facts(facts),) if checked.quality is not None and facts else ()


def _compared(checked: CheckedConversion) -> Iterator[Fact]:
    for output in checked.compared:
        yield Fact(Name(output.parity.name), output.text)
    for name in checked.missing:
        yield Fact(Name(name), "not compared: the original has no such output")


def _condition(checked: CheckedConversion, limit: Limit) -> Fact:
    broken = tuple(map(Name, checked.broken(limit)))
    if broken:
        failed = Sentence("Fails for {outputs}", Joined(broken))
        return Fact(Code(limit.text), failed, tone=Tone.BAD)
    if checked.compared:
        return Fact(Code(limit.text), "Passes", tone=Tone.GOOD)
    return Fact(Code(limit.text), "Not judged: no output was compared", tone=Tone.CAUTION)


def _exactly(checked: CheckedConversion) -> Iterator[Text]:
    """Yield what float16 arithmetic makes of the outputs, as far as the verdict does not
    say it."""
    exact = checked.conversion.float16
    if exact is None or checked.conversion.unchanged:
        return
    if exact.wrong:
        texts: tuple[str, ...] = (float16.ranges(exact),)
    else:
        good = exact.verdict is None or exact.verdict.good
        texts = float16.lines(exact) if good else ()
    yield from (Text(text) for text in texts if text)
