"""How fast a language model reads a prompt and writes tokens, measured token by token.

Names and conventions are those of llama-bench: pp512 is reading a prompt of 512 tokens, tg64 @
d512 is generating 64 tokens with 512 in the cache. Unlike there, a step includes the choice of
the next token, and the first step after a prompt stands apart, for it takes longer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np
from msgspec import field

from inspector.platform.data_struct import DataStruct
from inspector.report.layer_timing import Profiling
from inspector.statistics.intervals import Interval, Quantile, Statistic, median
from inspector.statistics.process_starts import pooled_statistic, statistic_interval

NS_PER_SECOND = 1e9
# The conditions that a headline has where they were measured: of our defaults, the prompt that
# most questions have, and a context that a short talk reaches.
HEADLINE_PROMPT = 128
HEADLINE_CONTEXT = 512


class CacheMemory(DataStruct, frozen=True):
    """Memory of the process after a row, and of the cache of keys and values in it.

    resident_bytes: of the process. peak_bytes: the most so far. cache_bytes: allocated for keys
    and values.
    """

    resident_bytes: int = 0
    peak_bytes: int = 0
    cache_bytes: int = 0


class SpeedRow(DataStruct, frozen=True):
    """Times with a prompt or at a context, of several sequences in one batch.

    prompt: tokens that each timed prefill read; 0: none was timed. context: tokens in the cache
    when decoding began. batch: sequences. prefill_ns: until the logits of the last position
    were there, for each repetition. first_sample_ns: choosing the first token. first_step_ns:
    the first decode step after each prefill, which is not counted below. step_ns: each later
    step, with the choice of its token, by repetition; empty where only the prompt was asked
    for. sample_ns: the part of all counted steps that choosing took, by repetition.
    fill_ns: of the prefill that filled the context once, where none was timed. encode_ns: of
    the run of an encoder before, the median: each first token waits for it.
    """

    prompt: int
    context: int
    batch: int = 1
    prefill_ns: tuple[int, ...] = ()
    first_sample_ns: tuple[int, ...] = ()
    first_step_ns: tuple[int, ...] = ()
    step_ns: tuple[tuple[int, ...], ...] = ()
    sample_ns: tuple[int, ...] = ()
    fill_ns: int = 0
    encode_ns: int = 0
    memory: CacheMemory = field(default_factory=CacheMemory)

    @property
    def steps(self) -> tuple[int, ...]:
        """Return the time of each counted step, of all repetitions."""
        return tuple(chain.from_iterable(self.step_ns))

    @property
    def first_token_ns(self) -> tuple[int, ...]:
        """Return the time to the first token of each repetition: prefill and choice, and the
        encoder where there is one."""
        pairs = zip(self.prefill_ns, self.first_sample_ns, strict=True)
        return tuple(self.encode_ns + prefill + sample for prefill, sample in pairs)

    @property
    def median_first_token_ns(self) -> float | None:
        """Return the median time to the first token; None where no prefill was timed."""
        return float(np.median(self.first_token_ns)) if self.prefill_ns else None

    @property
    def first_token_interval(self) -> Interval | None:
        """Return the 95% interval of the median time to the first token; None of few."""
        return median.interval(self.first_token_ns)

    @property
    def tokens_per_second(self) -> float | None:
        """Return the tokens of all sequences by the median step, so that it and the time of a
        token say the same; None without steps."""
        step_ns = self.median_step_ns
        return None if step_ns is None else self.batch * NS_PER_SECOND / step_ns

    @property
    def median_step_ns(self) -> float | None:
        """Return the median time between tokens, over processes as `statistic` has it; None
        without steps."""
        return self.statistic(median)

    @property
    def speed_interval(self) -> Interval | None:
        """Return the 95% interval of `tokens_per_second`, over repetitions and processes."""
        ends = self.interval(median)
        if ends is None:
            return None
        scale = self.batch * NS_PER_SECOND
        return scale / ends[1], scale / ends[0]

    @property
    def prefill_per_second(self) -> float | None:
        """Return the tokens of a prompt read in a second; None where no prefill was timed."""
        if not self.prefill_ns or not self.prompt:
            return None
        prefill_ns = max(1.0, float(median(np.asarray(self.prefill_ns, np.float64))))
        return self.batch * self.prompt * NS_PER_SECOND / prefill_ns

    @property
    def prefill_interval(self) -> Interval | None:
        """Return the 95% interval of `prefill_per_second`; None of few prefills."""
        ends = median.interval(self.prefill_ns)
        if ends is None:
            return None
        scale = self.batch * self.prompt * NS_PER_SECOND
        return scale / max(1.0, ends[1]), scale / max(1.0, ends[0])

    def statistic(self, statistic: Statistic) -> float | None:
        """Return a number of the counted steps in nanoseconds; None without steps."""
        return pooled_statistic(self.steps, self.lengths, statistic) if self.steps else None

    def interval(self, statistic: Statistic) -> Interval | None:
        """Return the 95% interval of a number of the counted steps; None of few."""
        return statistic_interval(self.steps, self.lengths, statistic)

    def quantile_ns(self, q: float) -> float | None:
        """Return a quantile of the time between tokens, q from 0 to 1; None without steps."""
        values = np.asarray(self.steps, np.float64)
        return float(Quantile(q)(values)) if len(values) else None

    @property
    def lengths(self) -> tuple[int, ...]:
        """Return how many counted steps each repetition has."""
        return tuple(map(len, self.step_ns))


class EncoderRow(DataStruct, frozen=True):
    """Times of an encoder, which runs once before the decoder writes.

    tokens: of the text that it read; 0 for a sound or an image. run_ns: of each run.
    """

    tokens: int
    run_ns: tuple[int, ...]

    @property
    def median_ns(self) -> int:
        """Return the median time of a run."""
        return round(np.median(self.run_ns)) if self.run_ns else 0

    @property
    def interval(self) -> Interval | None:
        """Return the 95% interval of the median; None of few runs."""
        return median.interval(self.run_ns)


class CurvePoint(DataStruct, frozen=True):
    """The time of a step at one context: the median, and the tenth and ninetieth percentile.

    steps: how many.
    """

    context: int
    median_ns: int
    low_ns: int
    high_ns: int
    steps: int


class SpeedJump(DataStruct, frozen=True):
    """A context from which on a step takes another time than with one token less before it.

    before_ns, after_ns: medians of steps with one token less, and with `context` tokens.
    layers_before_ns, layers_after_ns: of each layer of the report in them; empty where no layer
    was timed.
    """

    context: int
    before_ns: int
    after_ns: int
    layers_before_ns: tuple[int | None, ...] = ()
    layers_after_ns: tuple[int | None, ...] = ()

    @property
    def longer_ns(self) -> tuple[int | None, ...]:
        """Return how much longer each layer takes with the token more; None where it has no
        time in both."""
        pairs = zip(self.layers_before_ns, self.layers_after_ns, strict=True)
        # A branch that did not run took nothing.
        return tuple(
            None if one is None and other is None else (other or 0) - (one or 0)
            for one, other in pairs
        )


class PhaseLayers(DataStruct, frozen=True):
    """Times of layers in one phase: "prefill" of several tokens, or "decode" of one.

    context: tokens in the cache before it. layers_ns: of each layer of the report; None without
    a time of its own. inserted_ns: of all nodes that the runtime added. kernel_ns: of layers
    and added nodes together. run_ns: of the phase without the profiler and without choosing a
    token: the median, or the same low quantile as of the layers where the CPU was busy.
    profiling: which runs were profiled, and how.
    """

    phase: str
    tokens: int
    context: int
    layers_ns: tuple[int | None, ...]
    inserted_ns: int
    kernel_ns: int
    run_ns: int
    profiling: Profiling = field(default_factory=Profiling)

    @property
    def explained(self) -> float | None:
        """Return kernels and the runtime's own work between them as a share of the phase; None
        where it is unknown."""
        if not self.run_ns:
            return None
        return (self.kernel_ns + self.profiling.between_ns) / self.run_ns

    @property
    def held_up_ns(self) -> int:
        """Return how much longer the kernels of one run took together than each by itself,
        because each run waited for a CPU core at other kernels; 0 where that is unknown."""
        return max(0, self.profiling.together_ns - self.kernel_ns)


class GenerationSpeed(DataStruct, frozen=True):
    """The speed of a language model; a report of one has it besides its usual fields.

    There a run is one decode step at the headline's context, layers are those of decode.

    loop: which program ran the decoder, for people ("ONNX Runtime, loop of Inspector").
    cache: how earlier tokens are remembered, as in `Generation`. seed: of the random tokens
    that prompts and contexts consist of. repetitions: of each row. warmups: before them.
    prompt_text: the text that was measured in place of random tokens; "" for none.
    tokenize_ns: of that text. rows: by batch and context. curve: the time of a step over the
    context, finer than rows. context_limit: tokens that fit, 0 if unknown. weights_read_bytes:
    stored bytes of weights that one decode step reads, calculated; None if unknown.
    cache_token_bytes: of keys and values of one token. decode_layers, prefill_layers: times of
    layers in each phase; None where no layer was timed. encoder: of an encoder-decoder, by
    length of the text; its decoder reads only how it begins, and has the rows.
    """

    rows: tuple[SpeedRow, ...]
    loop: str = ""
    cache: str = ""
    seed: int = 0
    repetitions: int = 0
    warmups: int = 0
    prompt_text: str = ""
    tokenize_ns: int = 0
    curve: tuple[CurvePoint, ...] = ()
    jumps: tuple[SpeedJump, ...] = ()
    context_limit: int = 0
    weights_read_bytes: int | None = None
    cache_token_bytes: int | None = None
    decode_layers: PhaseLayers | None = None
    prefill_layers: PhaseLayers | None = None
    encoder: tuple[EncoderRow, ...] = ()

    @property
    def encoded(self) -> EncoderRow | None:
        """Return the run of the encoder that the headline's first token waits for; None for a
        model without an encoder."""
        return min(
            self.encoder, key=lambda row: abs(row.tokens - HEADLINE_PROMPT), default=None
        )

    @property
    def decode(self) -> SpeedRow | None:
        """Return the row whose steps are the headline's; None without steps."""
        with_steps = [row for row in self.rows if row.step_ns]
        return _nearest(with_steps, [row.context for row in with_steps], HEADLINE_CONTEXT)

    @property
    def prompt(self) -> SpeedRow | None:
        """Return the row whose prefill is the headline's; None where none was timed."""
        timed = [row for row in self.rows if row.prefill_ns]
        return _nearest(timed, [row.prompt for row in timed], HEADLINE_PROMPT)

    @property
    def request_ns(self) -> int | None:
        """Return the median time to the first token of a request: with its tokenization."""
        row = self.prompt
        return None if row is None else self.tokenize_ns + round(np.median(row.first_token_ns))

    def prompts(self) -> Iterator[SpeedRow]:
        """Yield the rows with a timed prefill."""
        return (row for row in self.rows if row.prefill_ns)

    def contexts(self) -> Iterator[SpeedRow]:
        """Yield the rows with counted steps."""
        return (row for row in self.rows if row.step_ns)


def headline_context(contexts: Sequence[int]) -> int | None:
    """Return the context whose steps are the headline's, of those to measure; None of none."""
    return min(contexts, key=lambda each: abs(each - HEADLINE_CONTEXT), default=None)


def pool_speeds(first: GenerationSpeed, others: Sequence[GenerationSpeed]) -> GenerationSpeed:
    """Return the rows of one process with the repetitions of others that measured the same."""
    rows = list(first.rows)
    for other in others:
        keyed = {(row.prompt, row.context, row.batch): row for row in other.rows}
        for place, row in enumerate(rows):
            more = keyed.get((row.prompt, row.context, row.batch))
            if more is not None:
                rows[place] = replace(
                    row,
                    prefill_ns=row.prefill_ns + more.prefill_ns,
                    first_sample_ns=row.first_sample_ns + more.first_sample_ns,
                    first_step_ns=row.first_step_ns + more.first_step_ns,
                    step_ns=row.step_ns + more.step_ns,
                    sample_ns=row.sample_ns + more.sample_ns,
                )
    counts = [len(row.step_ns) or len(row.prefill_ns) for row in rows]
    return replace(
        first,
        rows=tuple(rows),
        repetitions=max(counts, default=0),
        encoder=tuple(_pooled_encoder(first, others)),
    )


def _pooled_encoder(
    first: GenerationSpeed, others: Sequence[GenerationSpeed]
) -> Iterator[EncoderRow]:
    for row in first.encoder:
        alike = (each for other in others for each in other.encoder)
        more = [each.run_ns for each in alike if each.tokens == row.tokens]
        yield replace(row, run_ns=tuple(chain(row.run_ns, *more)))


def _nearest(rows: list[SpeedRow], lengths: list[int], wanted: int) -> SpeedRow | None:
    """Return the row of the fewest sequences whose length is nearest to the wanted one."""
    if not rows:
        return None
    pairs = zip(rows, lengths, strict=True)
    return min(pairs, key=lambda pair: (pair[0].batch, abs(pair[1] - wanted)))[0]
