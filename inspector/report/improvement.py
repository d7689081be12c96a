"""Results of a changed model next to the original: size, latency, accuracy, verdict.

Saved as JSON (schema improvement/1), so that window, command line and exports show the same.
"""

import shlex
from collections.abc import Sequence
from dataclasses import replace
from math import ceil, floor, log10
from pathlib import Path, PurePosixPath, PureWindowsPath

import msgspec

from inspector.errors import UnreadableFile
from inspector.platform import files
from inspector.report.float16_check import Float16Check
from inspector.report.foretold import Foretold
from inspector.report.language.quality import Quality, QualityLevel
from inspector.report.output_verdict import DESTROYED, OutputVerdict, UndecidedReason
from inspector.statistics.significance import RatioVerdict, Verdict, verdict_for_interval
from inspector.units import capitalized, clip, plural, size
from inspector.wording import stored
from inspector.wording.values import Count, Sentence, joined

SCHEMA = "improvement/1"
LIMIT_BYTES = 64 << 20
FIRST_ERROR_DB = 40.0  # SQNR of values that count as unharmed; an error of 1%
LEAST_HARM_DB = 0.5  # below, a layer adds next to nothing
MIN_INPUTS = 30  # below, no verdict about accuracy is given
TOO_FEW = "not enough test inputs for a verdict on accuracy"
PERPLEXITY = "perplexity"  # of a text, for language models
LOWER_IS_BETTER = ("rmse", "mae", PERPLEXITY)
# layers that a device supports
FEWER = "fewer"
MORE = "more"
_NAMED_TARGETS = 2  # whose numbers a caution gives
_NAMED_CANDIDATES = 2  # that are better, but not recommended
# Shown as numbers, not as shares of inputs.
_PLAIN = ("rmse", "mae", "cosine", "mean_iou", "same_mask")
COSINE = "cosine"  # similarity of outputs that nothing is read from
# goals of a search
LATENCY = "p50"
SIZE = "size"
_SAME_SIZE = 0.005  # share of the size, which is shown in whole percent
_NOTABLE = 0.1  # how much smaller or faster, as a share, is worth a line of its own
# of a limit
WITHIN = "within"
OVER = "over"
UNDECIDED = "undecided"
# Why an edited candidate has no verdict.
NOT_COMPARED = (
    "The steps change what the model computes or how it is called, so speed and accuracy are "
    "not compared with the original."
)


class DataSet(msgspec.Struct, frozen=True):
    """Inputs that a model was calibrated or tested with.

    digest: SHA-256 over the SHA-256 of all files, sorted. labeled: how many have a true answer.
    """

    folder: str
    inputs: int
    digest: str = ""
    labeled: int = 0

    @property
    def name(self) -> str:
        """Return the folder without where it lies."""
        return relative(self.folder)


def relative(path: str) -> str:
    """Return a path, and of an absolute one its last part.

    What leaves a machine does not say where its user keeps things.
    """
    pure = PureWindowsPath(path) if "\\" in path else PurePosixPath(path)
    return pure.name if pure.is_absolute() else path


class Accuracy(msgspec.Struct, frozen=True):
    """One measure of accuracy or agreement, of the original and of a candidate.

    id: "top1", "same_class", ... name: for people. original: None for an agreement, which the
    original has with itself. value: of the candidate. change: candidate minus original, for an
    agreement minus 1. low, high: its 95% interval. count: inputs behind it. Shares are 0 to 1;
    "sqnr_db" is in dB.
    """

    id: str
    name: str
    value: float
    original: float | None = None
    change: float | None = None
    low: float | None = None
    high: float | None = None
    count: int = 0

    @property
    def gain(self) -> tuple[float, float, float] | None:
        """Return the change with its interval so that below 0 is worse; None without one.

        A measure that is better when lower changes by a share of the original's.
        """
        if self.change is None or self.low is None or self.high is None:
            return None
        if self.id not in LOWER_IS_BETTER:
            return self.change, self.low, self.high
        scale = -(self.original or 1.0)
        return self.change / scale, self.high / scale, self.low / scale


class InputResult(msgspec.Struct, frozen=True):
    """One test input whose answer changed: file in the folder, both answers, as texts.

    scores are probabilities, None where the answer has none. loss: how bad the change is,
    higher is worse; only to sort by.
    """

    file: str
    original: str
    candidate: str
    original_score: float | None = None
    candidate_score: float | None = None
    truth: str = ""
    loss: float = 0.0


class Latency(msgspec.Struct, frozen=True):
    """Latency of a model, measured interleaved with the original. Times in nanoseconds.

    change: ratio to the original minus 1. low, high: its 95% interval. original: the same
    numbers of the original in this measurement. noise: why the measurement is noisy, a
    sentence each. verdict: a `Verdict`, with the reason where estimates of the change
    contradict each other; empty in files of earlier versions, which have the interval alone.
    """

    p50_ns: float
    p95_ns: float | None = None
    load_ns: int | None = None
    change: float | None = None
    low: float | None = None
    high: float | None = None
    original: "Latency | None" = None
    noise: tuple[str, ...] = ()
    verdict: str = ""
    reason: str = ""

    @property
    def judgement(self) -> RatioVerdict | None:
        """Return the verdict on the change; None if it was not measured."""
        if self.change is None:
            return None
        low, high = (None if end is None else 1 + end for end in (self.low, self.high))
        judgement = verdict_for_interval(1 + self.change, low, high)
        if self.verdict not in set(Verdict):
            return judgement
        return replace(judgement, verdict=Verdict(self.verdict), reason=self.reason)

    @property
    def known_change(self) -> float | None:
        """Return the change if it is known with an interval that nothing contradicts."""
        judgement = self.judgement
        if judgement is None or judgement.low is None:
            return None
        return None if judgement.verdict is Verdict.CONTRADICTED else self.change


class TargetLayers(msgspec.Struct, frozen=True):
    """The layers that a target runs of the original and of a candidate, from a support table.

    before, after: "64 of 65"; empty if that can only be found out on the device. verdict: of
    the candidate: "all", "part", "none" or "unknown". unchecked: number of its layers about
    which the table says nothing.
    """

    target: str
    before: str
    after: str
    verdict: str
    unchecked: int = 0

    @property
    def change(self) -> str:
        """Return FEWER or MORE where the known share of layers that run changed; else ""."""
        before, after = _supported_share(self.before), _supported_share(self.after)
        if before is None or after is None:
            return ""
        layers = int(self.after.replace(",", "").rpartition(" ")[2])
        if after + self.unchecked / layers < before:  # even if those unchecked run
            return FEWER
        return MORE if after > before else ""

    @property
    def unsupported(self) -> int:
        """Return how many layers of the candidate are known not to run there."""
        part, _, whole = self.after.replace(",", "").partition(" of ")
        known = part.isdigit() and whole.isdigit()
        return int(whole) - int(part) - self.unchecked if known else 0

    @property
    def unsupported_text(self) -> str:
        """Return the layers of the candidate that do not run there: "8 to 21 of 37", as some
        may not be known to run."""
        layers = self.after.rpartition(" ")[2]
        if not self.unchecked:
            return Sentence("{count} of {layers}", Count(self.unsupported), layers)
        most = Count(self.unsupported + self.unchecked)
        return Sentence("{count} to {most} of {layers}", Count(self.unsupported), most, layers)

    @property
    def after_text(self) -> str:
        """Return the layers of the candidate: "9 of 37 (28 not checked)"."""
        unchecked = f" ({self.unchecked:,} not checked)" if self.unchecked else ""
        return f"{self.after}{unchecked}" if self.after else "unknown"


def _supported_share(count: str) -> float | None:
    """Return "12 of 37" as a share; None where that is not known."""
    part, _, whole = count.replace(",", "").partition(" of ")
    return int(part) / int(whole) if part.isdigit() and whole.isdigit() and int(whole) else None


class LayerError(msgspec.Struct, frozen=True):
    """SQNR in dB of the output of an original layer, in the converted model as a whole.

    sqnr_db: None if nothing differs. drop_db: how much less it is than that of the values that
    the layer reads; None where these do not differ.
    """

    name: str
    operator: str
    sqnr_db: float | None
    drop_db: float | None = None

    @property
    def harm(self) -> float:
        """Return a number to sort by: the drop, or for the first error of all its size."""
        first = FIRST_ERROR_DB - _level(self.sqnr_db)
        return first if self.drop_db is None else self.drop_db


class StepResult(msgspec.Struct, frozen=True):
    """A model after a step of a recipe. step: its text, "" for the original. layers: number.

    median_ns: of a run, in one process, with the ends of its 95% interval; None where it was
    not measured. inputs: of how many the error against the original was taken; 0 for none.
    sqnr_db: of the worst output; None where none was compared, or nothing differs. same_top:
    inputs with the same highest class; None where there are no classes. problem: why it does
    not run. noisy: whether its time is.
    """

    step: str
    layers: int
    size_bytes: int
    median_ns: float | None = None
    low_ns: float | None = None
    high_ns: float | None = None
    sqnr_db: float | None = None
    same_top: int | None = None
    inputs: int = 0
    problem: str = ""
    noisy: bool = False


class Candidate(msgspec.Struct, frozen=True):
    """A model that a recipe made; the original is one with no steps.

    steps: as on the command line. levels: how many ways to run it work, of `of_levels`: the
    optimization levels of ONNX Runtime, or LiteRT with and without XNNPACK. problem: why it
    cannot be used. worst: inputs whose answers changed most, worst first. changed: how many
    changed in all. peak_bytes: highest memory while it predicted. original_peak_bytes: that of
    the original in the same measurement. layers: SQNR of each layer, in order, where it was
    measured. targets: what other devices would run. outputs: verdict on its outputs, None in
    results of earlier versions. float16: the same in emulated float16 arithmetic, None without
    float16. findings: sentences on both, where something speaks against it, and cautions of its
    steps. edited: its
    steps change what is computed or how the model is called, so nothing was compared. quality:
    how a language model predicts a text beside the original; None for others. after_steps: the
    original and the model after each step of a recipe that somebody ran; empty for one step.
    foretold: its latency beside the original's, estimated before; None where that is not
    validated.
    """

    name: str
    steps: tuple[str, ...] = ()
    size_bytes: int = 0
    levels: int = 0
    problem: str = ""
    latency: Latency | None = None
    accuracy: tuple[Accuracy, ...] = ()
    peak_bytes: int | None = None
    sqnr_db: float | None = None
    worst: tuple[InputResult, ...] = ()
    changed: int = 0
    notes: tuple[str, ...] = ()
    original_peak_bytes: int | None = None
    layers: tuple[LayerError, ...] = ()
    targets: tuple[TargetLayers, ...] = ()
    of_levels: int = 4
    outputs: OutputVerdict | None = None
    float16: Float16Check | None = None
    findings: tuple[str, ...] = ()
    edited: bool = False
    quality: Quality | None = None
    after_steps: tuple[StepResult, ...] = ()
    foretold: Foretold | None = None

    @property
    def broken(self) -> bool:
        """Return whether its outputs are destroyed, or are wrong where float16 is real."""
        if self.float16 is not None and self.float16.wrong:
            return True
        if self.quality is not None:
            return self.quality.level is QualityLevel.BROKEN
        return self.outputs is not None and self.outputs.level == DESTROYED

    @property
    def runs_everywhere(self) -> bool:
        """Return whether it works in each way to run it; only then may it be saved."""
        return self.levels >= self.of_levels

    @property
    def worst_layers(self) -> tuple[LayerError, ...]:
        """Return the layers that add most to the error, worst first; none if it is small."""
        if all(_level(each.sqnr_db) >= FIRST_ERROR_DB for each in self.layers):
            return ()
        harmful = (each for each in self.layers if each.harm >= LEAST_HARM_DB)
        return tuple(sorted(harmful, key=lambda each: -each.harm))

    def measure(self, id_: str) -> Accuracy | None:
        """Return a measure of accuracy by id."""
        return next((each for each in self.accuracy if each.id == id_), None)

    @property
    def cautions(self) -> tuple[str, ...]:
        """Return the sentences that belong beside its verdict."""
        others = filter(None, (self.support_caution, self.latency_note, self.noise_note))
        return (*self.findings, *others)

    @property
    def support_caution(self) -> str:
        """Return a sentence on devices that support fewer layers than before; "" for none."""
        fewer = [each for each in self.targets if each.change == FEWER]
        if not fewer:
            return ""
        named = [
            Sentence("{target}: {count}", e.target, e.unsupported_text)
            for e in fewer[:_NAMED_TARGETS]
        ]
        more = len(fewer) - len(named)
        others = Sentence("; also {plural}", Count(more, "other device")) if more else ""
        return Sentence(
            "Other devices support less of this model than of the original. Unsupported "
            "layers: {join}{others}.",
            joined(*named, separator="; "),
            others,
        )

    @property
    def noise_note(self) -> str:
        """Return why its times are noisy, as the card of a measurement does; "" if they are
        not."""
        if self.latency is None or not self.latency.noise:
            return ""
        noise = joined(*self.latency.noise, separator=" ")
        return Sentence("Noisy: {join} Measure again on an idle machine.", noise)

    @property
    def latency_note(self) -> str:
        """Return which latency to trust where the medians say something else; "" if they
        agree."""
        timed = self.latency
        if timed is None or timed.original is None or timed.change is None:
            return ""
        if timed.reason:
            return f"{capitalized(timed.reason)}."
        if timed.low is None or timed.high is None or not timed.original.p50_ns:
            return ""
        medians = timed.p50_ns / timed.original.p50_ns - 1
        if timed.low <= medians <= timed.high:
            return ""
        return Sentence(
            "The medians alone differ by {signed}; trust {signed2}, "
            "which compares runs that followed each other. A median mixes runs of several "
            "processes, and the CPU was not equally fast in all of them.",
            _signed(medians),
            _signed(timed.change),
        )


def _signed(change: float) -> str:
    return f"{change:+.1%}".replace("-", "−")


def _level(ratio: float | None) -> float:
    return float("inf") if ratio is None else ratio


class Improvement(msgspec.Struct, frozen=True):
    """All candidates for a model, and the one that was chosen.

    main: id of the accuracy that the verdict is about. limit: the most that it may drop
    (0.01: one point), 0: no loss on the test inputs, None for no limit. best: index of the
    chosen candidate, -1 for none. goal: LATENCY or SIZE, what the search was for. custom_ops:
    libraries with custom operators of the model. searched: whether a search tried the last
    candidate, not a recipe that somebody made. untried: the most candidates that a cancelled
    search had still to try. recipe: the steps that stood in the window.
    """

    model: str
    sha256: str
    device: str
    original: Candidate
    candidates: tuple[Candidate, ...] = ()
    main: str = ""
    limit: float | None = None
    best: int = -1
    calibration: DataSet | None = None
    test: DataSet | None = None
    made_by: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    schema: str = SCHEMA
    goal: str = LATENCY
    custom_ops: tuple[str, ...] = ()
    searched: bool = False
    untried: int = 0
    recipe: tuple[str, ...] = ()

    def command(self, candidate: Candidate) -> str:
        """Return the command that makes a candidate again, in the folder of the model."""
        return convert_command(self.model, candidate.steps, *self._paths)

    def code(self, candidate: Candidate) -> str:
        """Return Python code that makes a candidate again, in the folder of the model."""
        return convert_code(self.model, candidate.steps, *self._paths)

    @property
    def _paths(self) -> tuple[str, str, tuple[str, ...]]:
        """Return the folders of calibration and test inputs, "" for none, and libraries."""
        calibration, test = self.calibration, self.test
        return (
            calibration.name if calibration else "",
            test.name if test and self.main != PERPLEXITY else "",
            tuple(map(relative, self.custom_ops)),
        )

    def verdict(self, candidate: Candidate) -> str:
        """Return WITHIN, OVER or UNDECIDED: accuracy against the limit.

        A limit of 0 is about the test inputs themselves: no interval of a sample ends at 0.
        OVER: outputs that are broken, whatever the accuracy. Without true answers, the verdict
        on the outputs has to be good, too; it alone decides where nothing else is recognized.
        UNDECIDED: fewer than MIN_INPUTS inputs, no limit, a limit inside the interval, or an
        original that does not repeat.
        """
        measure, outputs = candidate.measure(self.main), candidate.outputs
        if self.limit is None:
            return UNDECIDED
        if candidate.broken:
            return OVER
        if outputs is not None and outputs.reason == UndecidedReason.NOT_REPEATING:
            return UNDECIDED
        if measure is None or measure.count < MIN_INPUTS or measure.gain is None:
            return UNDECIDED
        if outputs is not None and measure.original is None:
            if outputs.bad:
                return OVER
            if self.main == COSINE:
                return WITHIN if outputs.good else UNDECIDED
        gain, low, high = measure.gain
        if self.limit == 0:
            return WITHIN if gain >= 0 else OVER
        if low >= -self.limit:
            return WITHIN
        return OVER if high < -self.limit else UNDECIDED


def value_text(measure: Accuracy, value: float | None = None) -> str:
    """Return a value of a measure as people read it: "97.25%", "31.2 dB", "0.9987".

    value: by default that of the candidate.
    """
    value = measure.value if value is None else value
    if measure.id == "sqnr_db":
        return f"{value:.1f} dB"
    if measure.id == PERPLEXITY:
        return f"{value:.2f}"
    return f"{value:.4f}" if measure.id in _PLAIN else f"{value:.2%}"


def change_text(measure: Accuracy) -> str:
    """Return the change with its interval, "−0.50 points (95% CI −0.90 to −0.10)"; or ""."""
    if measure.change is None or measure.low is None or measure.high is None:
        return ""
    if measure.id in _PLAIN:
        base = measure.value - measure.change
        return f"95% CI {base + measure.low:.4f} to {base + measure.high:.4f}"
    if measure.id == PERPLEXITY and measure.original:
        ends = (measure.change, measure.low, measure.high)
        shares = (each / measure.original for each in ends)
        value, least, most = (f"{share:+.2%}".replace("-", "−") for share in shares)
        return Sentence("{value} (95% CI {low} to {high})", value, least, most)
    change, low, high = (100 * value for value in (measure.change, measure.low, measure.high))
    text = Sentence(
        "{change} points (95% CI {low} to {high})",
        f"{change:+.2f}",
        f"{low:+.2f}",
        f"{high:+.2f}",
    )
    return text.replace("-", "−")


def convert_command(
    model: str,
    steps: Sequence[str],
    calibration: str = "",
    test: str = "",
    custom_ops: Sequence[str] = (),
    inputs: Sequence[str] = (),
    output: str = "",
) -> str:
    """Return the command that applies steps to a model. calibration: a folder, or none; test:
    the folder to compare on, so that no calibration input is held out for that. custom_ops:
    libraries with custom operators of the model. inputs: values of further inputs, as
    NAME=VALUE. output: the new file; by default named after the model."""
    parts = ["inspector convert", *map(shlex.quote, (model, *steps))]
    if calibration:
        parts += ["--calibration", shlex.quote(calibration)]
    if test:
        parts += ["--test", shlex.quote(test)]
    for text in inputs:
        parts += ["--input", shlex.quote(text)]
    for library in custom_ops:
        parts += ["--custom-ops", shlex.quote(library)]
    return " ".join([*parts, "-o", shlex.quote(output or _improved_name(model))])


def convert_code(
    model: str,
    steps: Sequence[str],
    calibration: str = "",
    test: str = "",
    custom_ops: Sequence[str] = (),
) -> str:
    """Return Python code that applies steps to a model. The others: as in `convert_command`."""
    lines = [*map(repr, (model, *steps)), f"output={_improved_name(model)!r}"]
    if calibration:
        lines.append(f"calibration={calibration!r}")
    if test:
        lines.append(f"test={test!r}")
    if custom_ops:
        lines.append(f"custom_ops={[*custom_ops]!r}")
    arguments = "\n".join(f"    {line}," for line in lines)
    return f"import inspector\n\ninspector.convert(\n{arguments}\n)"


def _improved_name(model: str) -> str:
    path = Path(model)
    return str(path.with_name(f"{path.stem}.improved{path.suffix}"))


def to_json(improvement: Improvement) -> bytes:
    """Return it as JSON, indented."""
    return msgspec.json.format(stored.encode(improvement), indent=2) + b"\n"


def load(path: Path) -> Improvement:
    """Read a saved one. Raises UnreadableFile."""
    what = Sentence("Could not read {clip}", clip(path.name))
    try:
        result = stored.decode(
            files.read_capped(path, LIMIT_BYTES), msgspec.json.Decoder(Improvement)
        )
    except (ValueError, RecursionError) as error:
        why = f"it is not a saved result of `inspector improve` ({clip(str(error), 120)})"
        raise UnreadableFile(what, why) from error
    if result.schema != SCHEMA or not -1 <= result.best < len(result.candidates):
        raise UnreadableFile(what, f"it is incomplete or does not follow schema {SCHEMA}")
    return result


def verdict_text(improvement: Improvement, candidate: Candidate) -> str:
    """Return the verdict on a candidate in one line, as a headline."""
    return capitalized(verdict_clause(improvement, candidate))


def verdict_clause(improvement: Improvement, candidate: Candidate) -> str:
    """Return the verdict on a candidate as a sentence that can still be translated."""
    if candidate.problem:
        return Sentence("Cannot be used: {problem}", candidate.problem)
    size = size_change(improvement.original.size_bytes, candidate.size_bytes)
    if candidate.edited:
        ways = Sentence(
            "runs at {levels} of {of_levels} optimization levels",
            candidate.levels,
            candidate.of_levels,
        )
        return Sentence("Edited, {ways}, {size}", ways, size)
    accuracy = accuracy_text(improvement, candidate)
    # What the search was for comes first, with its interval, unless it did not change clearly.
    by_latency = improvement.goal != SIZE
    latency = _latency_text(candidate, by_latency)
    judged = candidate.latency.judgement if candidate.latency is not None else None
    changed = judged is not None and judged.verdict in (Verdict.FASTER, Verdict.SLOWER)
    first = by_latency and changed
    parts = (latency, size, accuracy) if first else (size, accuracy, latency)
    return joined(*parts)


def _latency_text(candidate: Candidate, with_interval: bool = True) -> str:
    """Return the verdict on the latency: "2.00× faster (95% CI 1.90× to 2.10×)".

    Of a noisy measurement it has no number: the direction is sure, how much is not.
    """
    timed = candidate.latency
    judgement = None if timed is None else timed.judgement
    if timed is None or judgement is None:
        return ""
    if judgement.verdict in (Verdict.FASTER, Verdict.SLOWER):
        if timed.noise:
            return Sentence("{verdict} (noisy)", judgement.label)
        return judgement.text() if with_interval else judgement.change()
    if judgement.verdict is Verdict.SAME and judgement.bound is not None:
        return Sentence("same latency within {percent}%", judgement.bound_percent)
    return Sentence("latency {value}", judgement.label.partition(":")[0])


def size_change(before: int, after: int) -> str:
    """Return how two sizes of a file differ: "64% smaller"; "" where one is not known."""
    if not before or not after:
        return ""
    change = after / before - 1
    if abs(change) < _SAME_SIZE:
        return "same size"
    share = f"{abs(change):.0%}"
    return (
        Sentence("{share} smaller", share) if change < 0 else Sentence("{share} larger", share)
    )


def accuracy_text(improvement: Improvement, candidate: Candidate) -> str:
    """Return the verdict on accuracy and outputs in a few words, for all that show it."""
    verdict = improvement.verdict(candidate)
    measure = candidate.measure(improvement.main)
    if measure is not None and measure.original is None and measure.count >= MIN_INPUTS:
        harmed = candidate.broken or (candidate.outputs is not None and candidate.outputs.bad)
        return _loss_text(candidate, False) if harmed else _agreement_text(improvement, measure)
    if verdict == WITHIN:
        if measure is not None and measure.change == 0:
            return "accuracy unchanged"
        return "accuracy not lower" if not improvement.limit else "accuracy loss within limit"
    if verdict == OVER:
        return _loss_text(candidate, improvement.limit == 0)
    if measure is not None and measure.count < MIN_INPUTS:
        return TOO_FEW
    return "accuracy inconclusive" if improvement.limit is not None else "no accuracy limit"


def _agreement_text(improvement: Improvement, measure: Accuracy) -> str:
    """Return what was tested where no true answer was compared: agreement, not accuracy."""
    labeled = improvement.test is not None and improvement.test.labeled
    why = "accuracy not tested" if labeled else "accuracy not tested: no labels"
    count, value = Count(measure.count, "input"), value_text(measure)
    if measure.id == "same_class":
        return Sentence("same class on {value} of {count} ({why})", value, count, why)
    name = measure.name
    return Sentence("{name}: {value} on {count} ({why})", name, value, count, why)


def _loss_text(candidate: Candidate, any_loss: bool) -> str:
    outputs = candidate.outputs
    if candidate.quality is not None and candidate.broken:
        return "predictions broken"
    if outputs is not None and outputs.level == DESTROYED:
        return "outputs broken"
    if candidate.broken:
        return "wrong in emulated float16 arithmetic"
    if outputs is not None and outputs.bad:
        return "outputs degraded"
    return "accuracy lower" if any_loss else "accuracy loss over limit"


def headline(improvement: Improvement) -> str:
    """Return the result in one sentence: the best candidate by the goal, or that none is."""
    if improvement.best >= 0:
        best = improvement.candidates[improvement.best]
        return f"{best.name}: {verdict_text(improvement, best)}"
    if not improvement.candidates:
        return "No candidate was tried"
    result = _no_best(improvement)
    return Sentence("Search cancelled. {result}", result) if improvement.untried else result


def _no_best(improvement: Improvement) -> str:
    """Return why no candidate is the best one."""
    by_size = improvement.goal == SIZE
    if not by_size and not any(each.latency for each in improvement.candidates):
        return "Latency was not measured, so no candidate is known to be faster"
    if open_ones := promising(improvement):
        better = "smaller" if by_size else "faster"
        which = Count(len(open_ones)), Count(len(improvement.candidates), "candidate"), better
        measure = open_ones[0].measure(improvement.main)
        if measure is None or measure.count < MIN_INPUTS:
            least = Count(MIN_INPUTS, "test input")
            text = "No verdict on {open} of {all}: {better}, but accuracy needs {least}"
            return Sentence(text, *which, least)
        if inputs_needed(improvement) is None:
            text = "No verdict on {open} of {all}: {better}, but accuracy inconclusive"
            return Sentence(text, *which)
        noun = "token" if measure.id == PERPLEXITY else "test input"
        tested = Count(measure.count, noun)
        text = "No verdict on {open} of {all}: {better}, but {tested} are too few"
        return Sentence(text, *which, tested)
    none = "No candidate is clearly smaller" if by_size else "No candidate is clearly faster"
    if improvement.limit is None or not any(
        _is_better(improvement, each) for each in improvement.candidates
    ):
        return none
    if by_size:
        return "No candidate is clearly smaller with an accuracy loss within the limit"
    return "No candidate is clearly faster with an accuracy loss within the limit"


def untried_text(improvement: Improvement) -> str:
    """Return that a search was cancelled, and what it left untried; "" where none was."""
    if not improvement.untried:
        return ""
    left = Count(improvement.untried, "candidate")
    return Sentence("The search was cancelled: up to {count} not tried.", left)


def promising(improvement: Improvement) -> tuple[Candidate, ...]:
    """Return the candidates that are better by the goal and may be within the limit, but on
    whose accuracy there is no verdict; the one that loses least first."""
    limit = improvement.limit
    if limit is None:
        return ()

    def gain(each: Candidate) -> float:
        measure = each.measure(improvement.main)
        if measure is None or measure.gain is None or measure.count < MIN_INPUTS:
            return 0.0
        return measure.gain[0]

    def rank(each: Candidate) -> tuple[float, float]:
        return -gain(each), each.size_bytes if improvement.goal == SIZE else _ratio(each)

    found = (
        each
        for each in improvement.candidates
        if _is_better(improvement, each)
        and improvement.verdict(each) == UNDECIDED
        and (not limit or gain(each) > -limit)
    )
    return tuple(sorted(found, key=rank))


def inputs_needed(improvement: Improvement) -> int | None:
    """Return about how many test inputs would show that the most promising candidate is
    within the limit, if it does as well on them as on those tested; None where no number
    would."""
    first = next(iter(promising(improvement)), None)
    measure = first.measure(improvement.main) if first is not None else None
    limit = improvement.limit
    if measure is None or measure.gain is None or not limit or measure.count < MIN_INPUTS:
        return None
    gain, low, _ = measure.gain
    if low >= -limit:  # something else stands against it
        return None
    # An interval narrows with the square root of the number of inputs.
    needed = measure.count * ((gain - low) / (gain + limit)) ** 2
    unit = int(10 ** max(0, floor(log10(needed)) - 1))
    return ceil(needed / unit) * unit


def _is_better(improvement: Improvement, candidate: Candidate) -> bool:
    """Return whether a candidate can be used and is clearly better by the goal."""
    if candidate.problem or candidate.broken or candidate.edited:
        return False
    if not candidate.runs_everywhere:
        return False
    if improvement.goal == SIZE:
        return candidate.size_bytes < improvement.original.size_bytes * (1 - _SAME_SIZE)
    judgement = None if candidate.latency is None else candidate.latency.judgement
    return judgement is not None and judgement.verdict is Verdict.FASTER


def notable(improvement: Improvement) -> Candidate | None:
    """Return the candidate that is worth knowing besides the best one; None for none.

    That is the smallest where the search was for latency, if it is clearly smaller than the
    best one; one that is about as fast as the original comes before a smaller one, and of equal
    sizes the one with less loss. Where the
    search was for size, it is the fastest. Its accuracy must be within the limit, if any.
    """
    best = improvement.candidates[improvement.best] if improvement.best >= 0 else None
    usable = [
        each
        for each in improvement.candidates
        if each is not best
        and not each.problem
        and (improvement.limit is None or improvement.verdict(each) == WITHIN)
    ]
    if improvement.goal == SIZE:
        most = _ratio(best) if best is not None else 1.0
        faster = [each for each in usable if _ratio(each) < min(1.0, most) - _NOTABLE]
        return min(faster, key=_ratio, default=None)
    most_bytes = (best or improvement.original).size_bytes * (1 - _NOTABLE)
    smaller = [each for each in usable if each.size_bytes <= most_bytes]
    as_fast = [each for each in smaller if _ratio(each) < 1 + _NOTABLE]

    found = as_fast or smaller
    least = min((each.size_bytes for each in found), default=0)
    tie = least + _SAME_SIZE * improvement.original.size_bytes

    def rank(each: Candidate) -> tuple[bool, float, float]:
        measure = each.measure(improvement.main)
        gain = measure.gain if measure is not None else None
        loss = -gain[0] if gain is not None else 0.0
        return each.size_bytes > tie, loss, each.size_bytes

    return min(found, key=rank, default=None)


def notable_text(improvement: Improvement) -> str:
    """Return one line on what else is notable: '4-bit weights: 50% smaller, accuracy
    unchanged, 3% slower'; "" for nothing."""
    candidate = notable(improvement)
    if candidate is None:
        return ""
    size = size_change(improvement.original.size_bytes, candidate.size_bytes)
    latency = _latency_text(candidate)
    accuracy = accuracy_text(improvement, candidate)
    parts = (latency, accuracy, size) if improvement.goal == SIZE else (size, accuracy, latency)
    return f"{candidate.name}: {', '.join(filter(None, parts))}"


def passed_over_text(improvement: Improvement) -> str:
    """Return which candidates are smaller than the best one, or faster if that is the goal,
    and why none of them is the best; "" for none.
    """
    if improvement.best < 0:
        return ""
    best, by_size = improvement.candidates[improvement.best], improvement.goal == SIZE
    better = [
        (each, reason)
        for each in improvement.candidates
        if (each.size_bytes < best.size_bytes if by_size else _ratio(each) < _ratio(best))
        and (reason := _reason_against(improvement, each))
    ]
    if not better:
        return ""
    better.sort(key=lambda pair: pair[0].size_bytes if by_size else _ratio(pair[0]))
    named = [
        f"{each.name} ({size(each.size_bytes) if by_size else _latency_text(each)}: {reason})"
        for each, reason in better[:_NAMED_CANDIDATES]
    ]
    more = len(better) - len(named)
    others = f", and {plural(more, 'other candidate')}" if more else ""
    word = "Smaller" if by_size else "Faster"
    return f"{word}, but not recommended: {', '.join(named)}{others}."


def _reason_against(improvement: Improvement, candidate: Candidate) -> str:
    """Return why a candidate cannot be the best one; "" where it can."""
    if candidate.problem or not candidate.size_bytes:
        return ""  # it is not smaller or faster: there is none
    if not candidate.runs_everywhere:
        return Sentence(
            "runs at {levels} of {of_levels} optimization levels",
            candidate.levels,
            candidate.of_levels,
        )
    if improvement.limit is None or improvement.verdict(candidate) == WITHIN:
        return ""
    return accuracy_text(improvement, candidate)


def _ratio(candidate: Candidate) -> float:
    """Return the latency relative to the original's; infinity where nothing can be said."""
    judgement = None if candidate.latency is None else candidate.latency.judgement
    return judgement.ratio if judgement is not None and judgement.decided else float("inf")
