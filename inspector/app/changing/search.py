"""The search for the best recipe: what is tried, what is kept, and what follows from results.

`improvement.py` has the workbench that proves each candidate.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path

from msgspec import Struct, structs

from inspector.analysis.verdicts.language import GOOD_RATIO
from inspector.app.changing import conversion as conversions
from inspector.app.changing.data_sets import InputFolder
from inspector.app.changing.improvement import Recipe, Workbench
from inspector.app.changing.search_clock import SearchClock
from inspector.conversion.action import FLOAT16, WITH_HISTOGRAMS, Step, finds_layers
from inspector.conversion.registry import ACTIONS, LITERT_INT8, recipe_name
from inspector.conversion.result import Conversion
from inspector.errors import BadInput, Cancelled, InspectorError
from inspector.model.model import TFLITE
from inspector.preview.identity import measured_model
from inspector.preview.runs import answers
from inspector.report.float16_check import AUTO
from inspector.report.improvement import (
    LATENCY,
    LOWER_IS_BETTER,
    MIN_INPUTS,
    SIZE,
    WITHIN,
    Candidate,
    DataSet,
    Improvement,
)
from inspector.statistics.significance import Verdict
from inspector.units import clip, plural

Latest = Callable[[], Improvement]
"""Returns the state with the candidate of the last recipe."""
_INT8 = "int8"
_WEIGHTS_4BIT = "weights-4bit"
PACKED_WEIGHTS = Step(_WEIGHTS_4BIT)  # whose layers a search ranks by a text
_WEIGHTS_8BIT = "weights-8bit"
MAX_LOSS = "1%"  # of the accuracy, where nobody says another limit
MAX_RISE = f"{100 * (GOOD_RATIO - 1):g}%"  # of a perplexity
_TIE = 0.01  # share of the original's size or latency
_KEPT_LAYERS = (1, 2, 4, 8, 16)  # in float, of those that quantization harms most


class Goal(Struct, frozen=True):
    """The goal of a search: the lowest latency or size, with accuracy above a limit.

    limit: how much the accuracy may drop, 0.01 for one point; None for any.
    """

    quantity: str = LATENCY
    limit: float | None = 0.01

    def best(self, improvement: Improvement) -> int:
        """Return the index of the best candidate that keeps the limit; -1 if none does.

        Of those that are as good up to 1% of the original, the most accurate one.
        """
        values = {
            index: value
            for index, candidate in enumerate(improvement.candidates)
            if self._may_be_best(improvement, candidate)
            and (value := self._value(candidate)) < self._value(improvement.original)
        }
        if not values:
            return -1
        tied = min(values.values()) + _TIE * self._value(improvement.original)

        def rank(index: int) -> tuple[float, float]:
            measure = improvement.candidates[index].measure(improvement.main)
            gain = measure.gain if measure is not None else None
            return gain[0] if gain is not None else -1.0, -values[index]

        return max((index for index, value in values.items() if value <= tied), key=rank)

    def _may_be_best(self, improvement: Improvement, candidate: Candidate) -> bool:
        if candidate.problem or candidate.broken or candidate.edited:
            return False
        if not candidate.runs_everywhere:
            return False
        return self.limit is None or improvement.verdict(candidate) == WITHIN

    def _value(self, candidate: Candidate) -> float:
        if self.quantity == SIZE:
            return candidate.size_bytes
        if not candidate.steps:
            return 1.0
        timed = candidate.latency
        judgement = None if timed is None else timed.judgement
        # Ratios to the original, since each was measured in turns with it.
        if judgement is None or judgement.verdict is not Verdict.FASTER:
            return float("inf")  # not known to be faster
        return judgement.ratio


def parse_goal(goal: str, keep: str) -> Goal:
    """Read 'p50' or 'size', and a limit such as '0.5%' or 'top1>=-0.5%'; 'any' for none.

    Raises BadInput.
    """
    if goal not in (LATENCY, SIZE):
        raise BadInput(
            f"Could not use the goal '{clip(goal, 40)}'", "the goal must be p50 or size"
        )
    if keep == "any":
        return Goal(goal, None)
    text = keep.rpartition(">=")[2].strip()
    try:
        value = float(text.removesuffix("%"))
    except ValueError as error:
        hint = "Give the points that may be lost, such as 0.5%, or 'any' for no limit."
        raise BadInput(
            f"Could not read the limit '{clip(keep, 40)}'", "the limit must be a number", hint
        ) from error
    share = value / 100 if text.endswith("%") else value
    if ">=" not in keep:
        share = -abs(share)
    if not -1 <= share <= 0:
        raise BadInput(
            f"Could not use the limit '{clip(keep, 40)}'", "the loss must be from 0% to 100%"
        )
    return Goal(goal, -share)


def _expect_right_answers(bench: Workbench, original: Candidate) -> None:
    """Raise BadInput: the true answers do not fit the model, or it is never right."""
    what, none = (
        "Could not use the true answers",
        "--truth none compares with the original only",
    )
    truths = sum(bool(test.truth or test.expected) for test in bench.tests)
    if not truths:
        return
    measure = original.measure(bench.main)
    if measure is None or measure.original is None:
        kind = answers.READ_AS.get(bench.judge.kind, "numbers")
        why = f"the outputs of the model are read as {kind}, for which they say nothing"
        raise BadInput(what, why, f"Check the columns of the table; {none}.")
    labels = dict.fromkeys(test.truth for test in bench.tests if test.truth)
    unknown = [label for label in labels if not answers.is_class(bench.judge, label)]
    if unknown:
        first = plural(len(unknown), "label")
        verb = "is no class" if len(unknown) == 1 else "are no classes"
        why = f"{first} {verb} of the model, such as '{clip(unknown[0], 40)}'"
        raise BadInput(
            what, why, f"Its classes are {answers.classes_text(bench.judge)}; {none}."
        )
    if measure.id not in LOWER_IS_BETTER and not measure.original:
        why = (
            f"the {measure.name} of the original is 0.00% on {plural(measure.count, 'input')}, "
            "so no loss can be measured"
        )
        raise BadInput(
            what, why, f"Check the true answers and how inputs are prepared; {none}."
        )


def start(
    bench: Workbench, goal: Goal, calibration: DataSet | None, test: DataSet | None
) -> Improvement:
    """Return the state before any candidate: the original with its accuracy."""
    identity = measured_model(bench.path, bench.model)
    original = bench.original()
    _expect_right_answers(bench, original)
    notes = []
    if bench.skipped:
        file, why = next(iter(bench.skipped.items()))
        left_out = plural(len(bench.skipped), "test input")
        first = "" if len(bench.skipped) == 1 else "for example "
        notes.append(f"Skipped {left_out}: {first}{clip(file, 60)} ({why}).")
    return Improvement(
        bench.model.name,
        identity.sha256,
        ", ".join(bench.spec.devices) or "cpu",
        original,
        (),
        bench.main,
        goal.limit,
        -1,
        calibration,
        test,
        notes=tuple(notes),
        goal=goal.quantity,
        custom_ops=bench.spec.custom_ops,
    )


def try_recipe(
    bench: Workbench, improvement: Improvement, steps: Sequence[Step], folder: Path
) -> Improvement:
    """Convert, evaluate and add one candidate; one that fails is added with its problem.

    Its files stay in a subfolder of `folder` named after its index. Raises Cancelled.
    """
    own = folder / str(len(improvement.candidates))
    try:
        own.mkdir(exist_ok=True)
    except FileNotFoundError:  # who stopped the work may have deleted its folder
        bench.expect_not_stopped()
        raise
    name, made_by = recipe_name(steps), improvement.made_by
    try:
        made = bench.convert(steps, own)
        candidate = bench.evaluate(name, made)
        if any(map(finds_layers, steps)):
            candidate = structs.replace(candidate, name=recipe_name(made.steps))
        made_by = tuple(dict.fromkeys((*made_by, *made.made_by)))
    except Cancelled:
        raise
    except InspectorError as error:
        texts = tuple(step.text for step in steps)
        candidate = Candidate(name, texts, problem=error.why or error.what)
    return structs.replace(
        improvement, candidates=(*improvement.candidates, candidate), made_by=made_by
    )


def save_best(improvement: Improvement, folder: Path, target: Path) -> None:
    """Save the best candidate with its external data: all files, or none.

    folder: as for `search`, whose workbench has the name of `target`. Raises NotSaved,
    BadInput.
    """
    source = folder / str(improvement.best)
    made = sorted(path.name for path in source.iterdir() if path.is_file())
    model = target.name if target.name in made else made[0]
    ordered = (model, *(name for name in made if name != model))
    conversions.save(Conversion(source / model, (), (), (), (), files=ordered), target)


def search(
    bench: Workbench,
    improvement: Improvement,
    goal: Goal,
    recipes: Sequence[Recipe],
    folder: Path,
    rank_layers: bool = False,
    clock: SearchClock | None = None,
) -> Iterator[Improvement]:
    """Try recipes, and yield the state after each one. Raises Cancelled.

    What was yielded before stays valid, so that a search can be ended at any time.
    rank_layers: where int8 is not within the limit, find out which layers it harms most, and
    try it with some of them in float. clock: notes where the search is.
    """
    states = [improvement]  # the last one is read by the recipes that depend on results
    clock = clock or SearchClock(len(recipes))
    more: Iterator[Recipe] = iter(())
    if rank_layers and bench.text is not None:
        worst = partial(bench.worst_layers, PACKED_WEIGHTS, folder)
        more = refined_weights(lambda: states[-1], worst, clock)
    elif rank_layers:
        precise = refined_float16(lambda: states[-1], clock)
        int8 = static_int8(bench.model.format)
        worst = partial(bench.worst_layers, Step(int8), folder)
        more = chain(precise, refined_int8(lambda: states[-1], worst, clock, int8))
    for steps in chain(recipes, more):
        clock.begin(recipe_name(steps))
        states.append(_added(bench, states[-1], goal, steps, folder))
        clock.finish()
        yield states[-1]


def improve(
    bench: Workbench,
    goal: Goal,
    calibration: InputFolder | None,
    tests: InputFolder | None,
    given: Sequence[Recipe],
    folder: Path,
    clock: SearchClock | None = None,
) -> Iterator[Improvement]:
    """Yield the original, and the state after each recipe. Raises Cancelled.

    calibration, tests: whose inputs the workbench has; no tests where it has a text. given:
    recipes to try; the usual ones, and those that follow from their results, where there are
    none. folder, clock: as for `search`.
    """
    known = calibration.data if calibration is not None else None
    data = tests.data if tests is not None else text_data(bench)
    yield (first := start(bench, goal, known, data))
    recipes = given or bench.usual_recipes()
    clock = clock or SearchClock(0)
    if not given:
        _time_where_needed(bench, goal, clock)
    clock.extend(len(recipes), 0 if given else _possible(bench, goal, recipes))
    states = search(bench, first, goal, recipes, folder, not given, clock)
    yield from states if given else _searched(states, first, clock)


def continue_search(
    bench: Workbench,
    earlier: Improvement | None,
    goal: Goal,
    sets: tuple[DataSet | None, DataSet | None],
    recipes: Iterable[Recipe],
    folder: Callable[[Recipe, int], Path],
    clock: SearchClock,
    again: bool = False,
    later: Callable[[Latest], Iterator[Recipe]] = lambda _: iter(()),
) -> Iterator[Improvement]:
    """Yield the state after each recipe that was not tried yet, from what was proved before.

    earlier: None for nothing, and the original is yielded first. sets: for calibration and for
    tests. folder: makes the one for a recipe, whose files go into the subfolder of that number.
    again: also try those that were tried; a candidate stays where the one of the same steps
    was. later: yields recipes that depend on results, of which it gets the last state. Raises
    Cancelled.
    """
    searched = not again
    if searched:
        _time_where_needed(bench, goal, clock)
    states = [earlier or start(bench, goal, *sets)]
    if earlier is None:
        yield states[-1]
    elif searched:
        states = [structs.replace(earlier, untried=0)]

    def is_new(steps: Recipe) -> bool:
        return again or not _is_tried(states[-1], steps, sets[0])

    usual = [*recipes]
    first = [*filter(is_new, usual)]
    clock.extend(len(first), _possible(bench, goal, usual, states[-1]) if searched else 0)

    def tried() -> Iterator[Improvement]:
        for steps in chain(first, filter(is_new, later(lambda: states[-1]))):
            bench.expect_not_stopped()
            now, texts = states[-1], _texts(steps)
            places = (n for n, each in enumerate(now.candidates) if each.steps == texts)
            place = next(places, len(now.candidates))
            others = tuple(each for each in now.candidates if each.steps != texts)
            before = structs.replace(now, candidates=others, best=-1, calibration=sets[0])
            own = folder(steps, len(others))
            (after,) = search(bench, before, goal, [steps], own, clock=clock)
            states.append(_put_back(after, place))
            yield states[-1]

    yield from _searched(tried(), states[-1], clock) if searched else tried()


def _time_where_needed(bench: Workbench, goal: Goal, clock: SearchClock) -> None:
    """Leave out latencies of a search for the size, unless somebody asked for them."""
    if goal.quantity == SIZE and bench.starts is None:
        bench.starts = 0
        clock.leave_out_latency()


def _searched(
    states: Iterator[Improvement], first: Improvement, clock: SearchClock
) -> Iterator[Improvement]:
    """Yield the states of a search; one that is cancelled ends with what it left untried."""
    last = structs.replace(first, searched=True)
    try:
        for state in states:
            yield (last := structs.replace(state, searched=True))
    except (Cancelled, KeyboardInterrupt):
        yield structs.replace(last, untried=clock.place.untried)
        raise


def _possible(
    bench: Workbench, goal: Goal, usual: Sequence[Recipe], known: Improvement | None = None
) -> int:
    """Return how many recipes may follow from the results of the usual ones, at most.

    known: whose candidates need not be tried again.
    """
    steps = {each[0].action for each in usual}
    if bench.text is not None:
        most = 1 + len(_KEPT_LAYERS) if _WEIGHTS_4BIT in steps else 0
    else:
        action = static_int8(bench.model.format)
        judged = goal.limit is not None and len(bench.tests) >= MIN_INPUTS
        most = int(Step(FLOAT16).text in steps)
        most += len(_methods(action)) + len(_KEPT_LAYERS) if judged and action in steps else 0
    tried = {*map(_texts, usual)}
    done = known.candidates if known is not None else ()
    return max(0, most - sum(each.steps not in tried for each in done))


def _methods(action: str) -> tuple[str, ...]:
    """Return the ways to find ranges that an action can be refined by."""
    named = {option.name for option in ACTIONS[action].options}
    return WITH_HISTOGRAMS if "method" in named else ()


def refined_float16(latest: Latest, clock: SearchClock) -> Iterator[Recipe]:
    """Yield float16 with the layers in float32 that need it.

    Only where float16 alone was tried and is wrong in float16 arithmetic. latest, clock:
    as for `refined_int8`.
    """
    alone = [each for each in latest().candidates if each.steps == (FLOAT16,)]
    if any(each.float16 is not None and each.float16.wrong for each in alone):
        clock.extend(1)
        yield (Step(FLOAT16, (("keep", AUTO),)),)


def static_int8(model_format: str) -> str:
    """Return the action whose layers a search ranks, for models of a format."""
    return LITERT_INT8 if model_format == TFLITE else _INT8


def refined_int8(
    latest: Latest, worst: Callable[[], Sequence[str]], clock: SearchClock, action: str = _INT8
) -> Iterator[Recipe]:
    """Yield int8 with other ranges, then with some of the layers in float that it harms most,
    fewest first.

    Nothing where int8 alone was not tried or is within the limit, and no more once a candidate
    is: more layers in float are larger and slower. latest: returns the state with the candidate
    of the last recipe. worst: ranks the layers, which takes a while. clock: learns how many
    more there may be. action: static int8 of the model's format.
    """
    if not _is_too_inexact(latest(), action):
        return

    def is_within(steps: Recipe) -> bool:
        state, texts = latest(), tuple(step.text for step in steps)
        own = next((each for each in state.candidates if each.steps == texts), None)
        return own is not None and state.verdict(own) == WITHIN

    methods = _methods(action)
    for place, method in enumerate(methods):
        clock.extend(1, len(methods) - place - 1 + len(_KEPT_LAYERS))
        recipe = (Step(action, (("method", method),)),)
        yield recipe
        if is_within(recipe):
            return
    layers = [name for name in worst() if not set(name) & set("+,")]
    counts = [count for count in _KEPT_LAYERS if count < len(layers)]
    for place, count in enumerate(counts):
        clock.extend(1, len(counts) - place - 1)
        recipe = (Step(action, (("keep", "+".join(layers[:count])),)),)
        yield recipe
        if is_within(recipe):
            return


def refined_weights(
    latest: Latest, worst: Callable[[], Sequence[str]], clock: SearchClock
) -> Iterator[Recipe]:
    """Yield 4-bit weights in smaller blocks, then with 8 bits for some of the layers that 4
    bits harm most, fewest first, until one is within the limit, or larger than one that is.

    Arguments: as of `refined_int8`.
    """
    if not _is_too_inexact(latest(), _WEIGHTS_4BIT):
        return
    finer = (("block", "16"),)
    clock.extend(1, len(_KEPT_LAYERS))
    yield (Step(_WEIGHTS_4BIT, finer),)
    layers: Sequence[str] = ()
    for place, count in enumerate(_KEPT_LAYERS):
        state = latest()
        last, best = state.candidates[-1], state.candidates[state.best]
        if state.verdict(last) == WITHIN:
            return
        if state.goal == SIZE and state.best >= 0 and last.size_bytes > best.size_bytes:
            return
        layers = layers or [name for name in worst() if not set(name) & set("+,")]
        if count >= len(layers):
            return
        clock.extend(1, len(_KEPT_LAYERS) - place - 1)
        kept = ("keep", "+".join(layers[:count]))
        yield Step(_WEIGHTS_4BIT, (*finer, kept)), Step(_WEIGHTS_8BIT)


def text_data(bench: Workbench) -> DataSet | None:
    """Return the text of a workbench as a data set, whose inputs are tokens."""
    if bench.text is None:
        return None
    text = bench.text.settings
    digest = hashlib.sha256(text.text.encode()).hexdigest()
    return DataSet(text.name, text.tokens, digest)


def _added(
    bench: Workbench, improvement: Improvement, goal: Goal, steps: Recipe, folder: Path
) -> Improvement:
    improvement = try_recipe(bench, improvement, steps, folder)
    improvement = structs.replace(improvement, best=goal.best(improvement))
    last = len(improvement.candidates) - 1
    if bench.pair_layers or improvement.best == last:
        candidate = bench.in_detail(improvement.candidates[last])
        improvement = structs.replace(
            improvement, candidates=(*improvement.candidates[:-1], candidate)
        )
    return improvement


def _is_too_inexact(improvement: Improvement, action: str) -> bool:
    """Return whether int8 alone was tried on enough inputs, and is not within the limit."""
    alone = [c for c in improvement.candidates if c.steps == (action,) and not c.problem]
    measure = alone[-1].measure(improvement.main) if alone else None
    if improvement.limit is None or measure is None or measure.count < MIN_INPUTS:
        return False
    return improvement.verdict(alone[-1]) != WITHIN


def _texts(steps: Recipe) -> tuple[str, ...]:
    return tuple(step.text for step in steps)


def _is_tried(now: Improvement, steps: Recipe, calibration: DataSet | None) -> bool:
    """Return whether there is a candidate of these steps, made with the same inputs."""
    same = now.calibration == calibration or not any(
        ACTIONS[step.action].calibrates for step in steps
    )
    return same and any(each.steps == _texts(steps) for each in now.candidates)


def _put_back(now: Improvement, place: int) -> Improvement:
    """Put the last candidate where the one was that it replaces, so that no row moves."""
    *others, last = now.candidates
    candidates = (*others[:place], last, *others[place:])
    best = now.best if now.best < place else now.best + 1
    best = place if now.best == len(others) else best
    return structs.replace(now, candidates=candidates, best=best)
