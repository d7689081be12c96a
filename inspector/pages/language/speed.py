"""Sections on the speed of a language model: both headlines, rows, tokens, layers by phase."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import nan
from statistics import median

from msgspec import Struct

from inspector.analysis.language.bottleneck import (
    COMPUTE,
    MEMORY,
    OVERHEAD,
    PhaseLimit,
    phase_limits,
)
from inspector.analysis.language.roles import Role, roles
from inspector.analysis.language.slow_token import slowest_token
from inspector.analysis.measured.noise import doubts
from inspector.pages.blocks import (
    Block,
    Chart,
    Column,
    Fact,
    Limits,
    Rank,
    Row,
    Section,
    Side,
    Table,
    Text,
)
from inspector.pages.charts.bars import Bar, whole
from inspector.pages.charts.drawing import Drawing
from inspector.pages.charts.histograms import histogram, small_histogram
from inspector.pages.charts.language.token_plots import curve_plot, curve_points, strip_plot
from inspector.pages.language.quantities import per_second
from inspector.report.device_ids import own_runtime
from inspector.report.language.speed import (
    NS_PER_SECOND,
    EncoderRow,
    GenerationSpeed,
    PhaseLayers,
    SpeedJump,
    SpeedRow,
)
from inspector.report.report import PerformanceReport
from inspector.statistics.intervals import MIN_P95_SAMPLES, MIN_P99_SAMPLES, Interval, mean
from inspector.statistics.intervals import median as median_of
from inspector.wording.values import (
    Count,
    Duration,
    DurationRange,
    Joined,
    Name,
    Noted,
    Number,
    Sentence,
    Share,
    Size,
    Tone,
    Value,
    joined,
)

_BOUNDS = {MEMORY: "Memory bandwidth", COMPUTE: "Arithmetic", OVERHEAD: "Overhead"}
_GIGABYTE = 1e9
_SKEWED = 1.1  # medians: from here on the mean is told beside them
# pixels of the bar in a card, and above it
_BAR_PX = 24.0
_BAR_TOP = 6.0
_FADING = (1.0, 0.6, 0.35)  # opacity of the parts of a bar, the largest first
_ROWS = Limits(terminal=24, document=40)
_ROLES = Limits(terminal=8, document=16, page=200)
# A sum of layers that is farther from the phase than this is said to be (issue 38).
_RECONCILED = 0.10
# Of a jump of the time over the context: operators with less are not named as its place.
_IN_ONE_OPERATOR = 0.5
_SIMILAR = 0.25  # of the layer with the largest part: from there on a layer is counted
# By whether steps take longer behind it.
_JUMPS = {
    True: "Step at context {context}: each token takes {change} longer ({before} to {after}).",
    False: "Step at context {context}: each token takes {change} less ({before} to {after}).",
}
_PLACED_JUMPS = {
    True: "Step at context {context}: each token takes {change} longer ({before} to {after}), "
    "{share} of it in {layers} of type {operator}.",
    False: "Step at context {context}: each token takes {change} less ({before} to {after}), "
    "{share} of it in {layers} of type {operator}.",
}
# Of a phase whose layers explain it only with their waits.
_WITH_WAITS = (
    "Each run waited for the CPU at other layers: with these waits, layers took {share} of a "
    "profiled run."
)
_PHASES = {"prefill": "Prefill", "decode": "Decode"}
_CACHES: dict[str, Value] = {
    "shared": "KV cache in one buffer",
    "copied": "KV cache copied at each step",
    "none": "no KV cache: all tokens are computed again",
}


def headline(speed: GenerationSpeed) -> Sentence | None:
    """Return both speeds with both conditions; None where nothing was measured."""
    decode, prompt = _decode_part(speed.decode), _prompt_part(speed)
    if decode is None or prompt is None:
        return decode or prompt
    return Sentence("{decode} · {first}", decode=decode, first=prompt)


def _decode_part(row: SpeedRow | None) -> Sentence | None:
    if row is None or row.tokens_per_second is None:
        return None
    values: dict[str, Value] = {
        "speed": per_second(row.tokens_per_second, unit=True), "context": Count(row.context),
    }  # fmt: skip
    if row.batch == 1:
        return Sentence("{speed} at context {context}", **values)
    values["batch"] = Count(row.batch)
    return Sentence("{speed} at context {context}, batch {batch}", **values)


def _prompt_part(speed: GenerationSpeed) -> Sentence | None:
    row, encoded = speed.prompt, speed.encoded
    if row is None:
        return None
    time = Duration(median(row.first_token_ns))
    if encoded is not None and encoded.tokens:
        return Sentence("first token {time} (text {tokens})", time, Count(encoded.tokens))
    if encoded is not None:
        return Sentence("first token {time} with the encoder", time)
    return Sentence("first token {time} (prompt {prompt})", time, Count(row.prompt))


class SpeedCard(Struct, frozen=True):
    """One of the few numbers that a reader came for.

    title: its subject. number: the value. about: its statistic and its condition. lines: what
    it consists of, and how sure it is. chart: its parts, or its spread.
    """

    title: Value
    number: Value
    about: Value
    lines: tuple[Value, ...]
    chart: Chart


def speed_cards(report: PerformanceReport) -> tuple[SpeedCard, ...]:
    """Return first token, decode, memory and bottleneck, as far as each was measured.

    The report has `generation`.
    """
    speed = report.generation
    assert speed is not None
    cards = list[SpeedCard]()
    if speed.encoded is not None:
        cards.append(_encoder_card(speed.encoded))
    if speed.prompt is not None:
        cards.append(_first_token_card(speed, speed.prompt))
    if speed.decode is not None:
        busy = any(doubt.busy for doubt in doubts(report))
        cards.append(_decode_card(speed.decode, busy))
    if speed.rows:
        cards.append(_memory_card(report, speed))
    decode = next((each for each in phase_limits(report) if each.phase == "decode"), None)
    if decode is not None:
        cards.append(_limit_card(decode))
    return tuple(cards)


def speed_facts(report: PerformanceReport) -> tuple[Fact, ...]:
    """Return the cards as facts; what limits the phases has a sentence of its own."""
    return tuple(
        Fact(
            card.title,
            card.number,
            Joined(tuple(filter(None, (card.about, *card.lines))), "; "),
        )
        for card in speed_cards(report)
        if card.chart.id != "bottleneck"
    )


def _first_token_card(speed: GenerationSpeed, row: SpeedRow) -> SpeedCard:
    prefill, sample = median(row.prefill_ns), median(row.first_sample_ns)
    parts = [("prefill", prefill), ("sample", sample)]
    if row.encode_ns:
        parts.insert(0, ("encoder", row.encode_ns))
    if speed.tokenize_ns:
        parts.insert(0, ("tokenize", speed.tokenize_ns))
    rate = per_second(row.prefill_per_second, unit=True)
    small = (Sentence("{part} {time}", name, Duration(ns)) for name, ns in parts)
    runs = Count(len(row.prefill_ns), "run")
    return SpeedCard(
        "First token, with the encoder"
        if row.encode_ns
        else Sentence("First token, prompt {prompt}", Count(row.prompt)),
        Duration(row.median_first_token_ns or 0.0),
        Sentence("median of {runs}", runs),
        (Sentence("prefill {speed}", rate), Joined(tuple(small), " · ")),
        _parts_chart("first token", parts, "activity", Duration),
    )


def _encoder_card(row: EncoderRow) -> SpeedCard:
    lines = list[Value]()
    if row.interval is not None:
        lines.append(Sentence("95% CI {range}", DurationRange(*row.interval)))
    lines.append("once for each input, before the first token")
    bars = histogram(row.run_ns, row.median_ns)
    draw = partial(small_histogram, bars, height=_BAR_PX)
    text = Sentence("Encoder, text of {tokens}", Count(row.tokens, "token"))
    return SpeedCard(
        text if row.tokens else "Encoder",
        Duration(row.median_ns),
        Sentence("median of {runs}", Count(len(row.run_ns), "run")),
        tuple(lines),
        Chart("encoder", draw, "How many runs took how long"),
    )


def _decode_card(row: SpeedRow, busy: bool) -> SpeedCard:
    ends, lines = row.interval(median_of), list[Value]()
    if ends is not None:
        lines.append(Sentence("95% CI {range}", DurationRange(*ends)))
    if row.first_step_ns:
        first = Duration(median(row.first_step_ns))
        lines.append(Sentence("first step {time}, not counted", first))
    elif len(row.steps) >= MIN_P95_SAMPLES:
        lines.append(Sentence("p95 {time}", Duration(row.quantile_ns(0.95) or 0.0)))
    middle, average = row.median_step_ns or 0.0, row.statistic(mean) or 0.0
    if average > _SKEWED * middle:
        long = Sentence("mean {time}: some tokens took much longer", Duration(average))
        waits = Sentence("mean {time} with waits for the CPU", Duration(average))
        lines.append(waits if busy else long)
    bars = histogram(row.steps, middle)
    draw = partial(small_histogram, bars, height=_BAR_PX)
    return SpeedCard(
        Sentence("Decode, context {context}", Count(row.context)),
        Duration(middle),
        "per token, median",
        tuple(lines),
        Chart("decode", draw, "How many tokens took how long"),
    )


def _memory_card(report: PerformanceReport, speed: GenerationSpeed) -> SpeedCard:
    largest = max(speed.rows, key=lambda row: row.memory.cache_bytes)
    peak, cache = max(row.memory.peak_bytes for row in speed.rows), largest.memory.cache_bytes
    weights = min(report.memory.weights_bytes, max(0, peak - cache))
    parts = [
        ("weights", weights),
        ("KV cache", cache),
        ("rest", max(0, peak - weights - cache)),
    ]
    token = (speed.cache_token_bytes or 0) * largest.batch
    lines: tuple[Value, ...] = (
        Sentence("weights {weights}, rest {rest}", Size(weights), Size(parts[-1][1])),
    )
    if token and cache:
        tokens = Count(round(cache / token), "token")
        lines += (Sentence("KV cache {size} for {tokens}", Size(cache), tokens),)
    return SpeedCard(
        "Peak memory",
        Size(peak),
        "of the process",
        lines,
        _parts_chart("memory", parts, "activity", Size),
    )


def _limit_card(limit: PhaseLimit) -> SpeedCard:
    reached, peak = (Number(rate / _GIGABYTE, "GB/s") for rate in limit.rates)
    share = min(1.0, limit.share)
    draw = partial(_share_drawing, share)
    return SpeedCard(
        "Bottleneck of decode",
        _BOUNDS[limit.bound],
        "",
        (
            Sentence("reads {size} per token, calculated", Size(limit.read_bytes)),
            Sentence("{reached} of {peak} = {share}", reached, peak, Share(limit.share)),
        ),
        Chart("bottleneck", draw, "Reached bandwidth of the measured peak"),
    )


def _parts_chart(
    name: str, parts: Sequence[tuple[str, float]], tint: str, written: Callable[[float], Value]
) -> Chart:
    """Return one bar of all parts, the largest in full color."""
    order = sorted((amount for _, amount in parts), reverse=True)
    bars = tuple(
        Bar(part, amount, written(amount), tint, _FADING[order.index(amount)])
        for part, amount in parts
    )
    return Chart(name, partial(_whole_drawing, bars), Joined(tuple(bar.said for bar in bars)))


def _whole_drawing(bars: Sequence[Bar], width: float) -> Drawing:
    return Drawing("", width, _BAR_PX, tuple(whole(bars, width, _BAR_TOP)))


def _share_drawing(share: float, width: float) -> Drawing:
    bars = (Bar("", share, tint="cpu"), Bar("", 1 - share, tint="track"))
    return _whole_drawing(bars, width)


def speed_sections(report: PerformanceReport) -> tuple[Section, ...]:
    """Return the sections of a report with `generation`, after the summary."""
    speed = report.generation
    if speed is None:
        return ()
    return (
        Section("speed", "Speed", tuple(_table_blocks(speed)), aside=_aside(speed)),
        _tokens(report),
        _phases(report),
    )


def _aside(speed: GenerationSpeed) -> Value:
    cache = _CACHES.get(speed.cache, "")
    return joined(Name(speed.loop), cache, Sentence("greedy, fixed length"))


def _table_blocks(speed: GenerationSpeed) -> Iterator[Block]:
    batches = {row.batch for row in speed.rows} != {1}
    columns = (
        Column(
            "test",
            "Test",
            help="Other programs call them pp128 (read a prompt of 128 tokens) and "
            "tg64 @ d512 (write 64 tokens after 512)",
        ),
        *((Column("batch", "Batch", Side.RIGHT),) * batches),
        Column("speed", "Tokens/s", Side.RIGHT),
        Column("interval", "95% CI", Side.RIGHT, keep=6),
        Column(
            "time",
            "Median time",
            Side.RIGHT,
            help="Until the first token; of each token that is written",
        ),
        Column("p95", "p95", Side.RIGHT, keep=5),
        Column("p99", "p99", Side.RIGHT, keep=3),
        Column("first", "First step", Side.RIGHT, keep=4),
        Column("count", "Timed", Side.RIGHT, keep=1),
    )
    rows = tuple(_rows(speed, batches))
    yield Table(columns, rows, _ROWS, "row", fixed=True)


def _rows(speed: GenerationSpeed, batches: bool) -> Iterator[Row]:
    for encoded in speed.encoder:
        text = Count(encoded.tokens, "token")
        name = Sentence("Encode a text of {tokens}", text) if encoded.tokens else "Encode"
        rate = encoded.tokens * NS_PER_SECOND / max(1, encoded.median_ns)
        yield Row((
            name, *((Count(1),) * batches), per_second(rate) if encoded.tokens else "",
            "", Duration(encoded.median_ns), "", "", "", Count(len(encoded.run_ns), "run"),
        ), id=f"test-enc{encoded.tokens}")  # fmt: skip
    for row in speed.prompts():
        name = Sentence("Read a prompt of {tokens}", Count(row.prompt, "token"))
        times = row.first_token_ns
        yield Row((
            name, *((Count(row.batch),) * batches), per_second(row.prefill_per_second),
            _interval(row.prefill_interval), Duration(median(times)), "", "", "",
            Count(len(times), "run"),
        ), id=f"test-pp{row.prompt}-{row.batch}")  # fmt: skip
    for row in speed.contexts():
        counted = len(row.step_ns[0])
        written = Count(counted, "token")
        name = Sentence("Write {tokens} after {context}", written, Count(row.context))
        steps = len(row.steps)
        runs = Count(len(row.step_ns), "run")
        yield Row((
            name, *((Count(row.batch),) * batches), per_second(row.tokens_per_second),
            _interval(row.speed_interval), Duration(row.median_step_ns or 0.0),
            Duration(row.quantile_ns(0.95) or 0.0) if steps >= MIN_P95_SAMPLES else "n/a",
            Duration(row.quantile_ns(0.99) or 0.0) if steps >= MIN_P99_SAMPLES else "n/a",
            Duration(median(row.first_step_ns)) if row.first_step_ns else "",
            Sentence("{tokens} in {runs}", Count(steps, "token"), runs),
        ), id=f"test-{counted}-{row.context}-{row.batch}")  # fmt: skip


def _interval(ends: Interval | None) -> Value:
    return "" if ends is None else Sentence("{low} to {high}", *map(per_second, ends))


def _tokens(report: PerformanceReport) -> Section:
    speed = report.generation
    assert speed is not None
    row, blocks = speed.decode, list[Block]()
    if len(curve_points(speed)) > 1:
        text = "Time per token over the context"
        blocks.append(Chart("tokens", partial(curve_plot, speed), text))
    blocks += [Text(_jump_text(report, jump), Tone.CAUTION) for jump in speed.jumps]
    if row is not None:
        text = "Time of each token of one run"
        draw = partial(strip_plot, row, slow=slowest_token(report))
        blocks.append(Chart("strip", draw, text))
    return Section("tokens", "Tokens", tuple(blocks), Rank.DOCUMENT)


def _jump_text(report: PerformanceReport, jump: SpeedJump) -> Sentence:
    """Return where a step begins to take another time, how large the jump is, and in which
    layers it lies if that is known."""
    change = jump.after_ns - jump.before_ns
    values: dict[str, Value] = {
        "context": Count(jump.context), "change": Duration(abs(change)),
        "before": Duration(jump.before_ns), "after": Duration(jump.after_ns),
    }  # fmt: skip
    by_operator = dict[str, list[float]]()
    for layer, time in zip(report.layers, jump.longer_ns, strict=False):
        by_operator.setdefault(layer.operator, []).append((time or 0) / change)
    operator = max(by_operator, key=lambda name: sum(by_operator[name]), default="")
    parts = by_operator.get(operator, [0.0])
    if sum(parts) < _IN_ONE_OPERATOR:
        return Sentence(_JUMPS[change > 0], **values)
    count = sum(part >= max(parts) * _SIMILAR for part in parts)
    values |= {
        "share": Share(min(1.0, sum(parts))), "operator": Name(operator),
        "layers": Count(count, "layer"),
    }  # fmt: skip
    return Sentence(_PLACED_JUMPS[change > 0], **values)


def _phases(report: PerformanceReport) -> Section:
    """Return the layers by role, with the time that each takes in prefill and in decode."""
    speed = report.generation
    assert speed is not None
    prefill, decode = speed.prefill_layers, speed.decode_layers
    if prefill is None and decode is None:
        other = any(map(own_runtime, report.spec.devices))  # one that times no layers
        if not (other and report.spec.profiled_runs and report.complete):
            return Section("phases", "", ())
        runtime = Name(report.environment.runtime_name)
        text = Text(Sentence("{runtime} does not say how long its layers take.", runtime))
        return Section("phases", "Layers by phase", (text,))
    found = roles(report)
    columns = (
        Column("role", "Layer", stretch=True),
        Column("operator", "Operator", keep=4),
        Column("count", "Count", Side.RIGHT, keep=5),
        Column("prefill", _phase_title(prefill, "Prefill"), Side.RIGHT),
        Column("prefill share", "% of prefill", Side.RIGHT, keep=7),
        Column("decode", _phase_title(decode, "Decode"), Side.RIGHT),
        Column("decode share", "% of decode", Side.RIGHT, keep=8),
    )
    table = Table(
        columns, tuple(_role_row(each, prefill, decode) for each in found), _ROLES, "role",
        sorted_by="decode",
    )  # fmt: skip
    sums = (_sum_text(phase) for phase in (prefill, decode) if phase is not None)
    aside = Sentence(
        "{layers} in {roles}", Count(len(report.layers), "layer"), Count(len(found), "role")
    )
    return Section("phases", "Layers by phase", (table, *sums), aside=aside)


def _phase_title(phase: PhaseLayers | None, name: str) -> Value:
    if phase is None:
        return name
    if phase.phase == "decode":
        return Sentence("Decode at {context}", Count(phase.context))
    return Sentence("Prefill, {tokens}", Count(phase.tokens, "token"))


def _role_row(role: Role, prefill: PhaseLayers | None, decode: PhaseLayers | None) -> Row:
    cells = list[Value]()
    for time, phase in ((role.prefill_ns, prefill), (role.decode_ns, decode)):
        if time is None or phase is None:
            cells += [Noted("", order=nan), ""]
            continue
        cells += [Duration(time, phase.profiling.clock_ns), Share(time, phase.kernel_ns)]
    name, count = Name(role.name), Count(len(role.layers))
    key = str(role.layers[0])
    return Row((name, Name(role.operator), count, *cells), key=key, number=role.layers[0])


def _sum_text(phase: PhaseLayers) -> Text:
    explained = phase.explained or 0.0
    values: dict[str, Value] = {
        "phase": _PHASES[phase.phase], "sum": Duration(phase.kernel_ns),
        "between": Duration(phase.profiling.between_ns), "share": Share(explained),
        "time": Duration(phase.run_ns),
    }  # fmt: skip
    tone = Tone.SECONDARY if abs(1 - explained) <= _RECONCILED else Tone.CAUTION
    template = (
        "{phase}: all layers {sum} and the runtime between them {between}, together {share} of "
        "{time} without the profiler."
    )
    if phase.profiling.at_full_speed is False:
        template = (
            "{phase}: all layers {sum} and the runtime between them {between}, together "
            "{share} of {time} without the profiler; all are those of quick runs, since the "
            "CPU was busy."
        )
    text = Sentence(template, **values)
    share = phase.profiling.kernel_share
    held_up = phase.held_up_ns > _RECONCILED * phase.kernel_ns
    if tone is Tone.SECONDARY or not held_up or share is None:
        return Text(text, tone)
    return Text(Joined((text, Sentence(_WITH_WAITS, Share(share))), " "), tone)
