"""A language model measured token by token: what is measured where nobody says it, and with
which prompt."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from time import perf_counter_ns

from msgspec import structs

from inspector.analysis.language.attention import position_limit
from inspector.app.language.encoders import Encoder, read_encoder
from inspector.app.subjects import Subject
from inspector.backends import registry
from inspector.backends.base import Capability
from inspector.backends.generation.roles import find_roles, further_inputs
from inspector.errors import BadInput
from inspector.formats.folders.reading import (
    continuation_of,
    encoder_of,
    encoder_part,
    folder_around,
    model_name,
)
from inspector.model.model import Model, TensorInfo
from inspector.model.model_folder import ModelFolder
from inspector.preview.inputs.feeds import Filled
from inspector.preview.inputs.tokens import TEXT, Vocabulary, takes_tokens
from inspector.preview.language.decoders import remembers, why_no_text
from inspector.report.output_verdict import RANDOM
from inspector.report.report import PerformanceReport
from inspector.report.run_spec import DEFAULT_SPEC, RunSpec
from inspector.units import clip
from inspector.wording.values import Sentence

# What is measured by default: prompts and lengths that other programs measure too, so that
# numbers compare, and contexts at which a slower step shows.
PROMPT_TOKENS = (128, 512)
NEW_TOKENS = 64
CONTEXTS = (0, 512, 2048)
# Settings of a measurement token by token; its runs and warm-ups are others than of a graph.
OF_TOKENS = ("prompt_tokens", "new_tokens", "contexts", "batches", "runs", "warmup")
REPETITIONS = 6  # of each row: the fewest of which a median has a 95% interval
WARMUPS = 1
BEGINNING = 1  # tokens that the decoder of an encoder-decoder begins with
_TOKENIZED_TIMES = 5  # of which the least counts: the first reads the tokenizer


def is_measured_by_token(model: Model, encoded: bool = False) -> bool:
    """Return whether a model generates text and remembers the tokens before.

    encoded: whether its encoder is there, too.
    """
    return remembers(model) and not why_no_text(model, encoded)


def ids_of(model: Model) -> TensorInfo | None:
    """Return the input that takes tokens; None without one."""
    return next((info for info in model.inputs if takes_tokens(info)), None)


def speed_spec(
    model: Model, spec: RunSpec, limit: int = 0, continued: bool = False, name: str = ""
) -> RunSpec:
    """Return settings that measure a decoder token by token, with what they leave open.

    limit: tokens that fit into the context, as far as its folder says; 0 if unknown. continued:
    whether another graph goes on after it. name: of the model, for messages. Raises BadInput:
    the model is no decoder.
    """
    if not (continued or is_measured_by_token(model)):
        what = Sentence("Could not measure {name} token by token", clip(name or model.name))
        why = why_no_text(model) or "it has no key-value cache"
        raise BadInput(what, why, "Omit --prompt-tokens, --new-tokens, --context and --batch.")
    limits = [each for each in (limit, position_limit(model)) if each]
    most = min(limits, default=max(CONTEXTS) + NEW_TOKENS)
    new_tokens = spec.new_tokens
    if not new_tokens and (spec.contexts or not spec.prompt_tokens):
        new_tokens = min(NEW_TOKENS, max(1, most // 2))
    prompts, contexts = spec.prompt_tokens, spec.contexts
    if not spec.generates and not contexts:
        prompts = tuple(each for each in PROMPT_TOKENS if each < most)
    if not contexts and new_tokens:
        fitting = tuple(each for each in CONTEXTS if each + new_tokens <= most)
        contexts = fitting if len(fitting) > 1 else (0, (most - new_tokens) // 2)
    runs = REPETITIONS if spec.runs == DEFAULT_SPEC.runs else spec.runs
    warmup = WARMUPS if spec.warmup == DEFAULT_SPEC.warmup else spec.warmup
    return replace(
        spec,
        prompt_tokens=prompts,
        new_tokens=new_tokens,
        contexts=contexts,
        runs=runs,
        warmup=warmup,
    )


def as_one_run(spec: RunSpec) -> RunSpec:
    """Return settings of single runs of a graph, with their usual number if `spec` generates
    tokens."""
    if not spec.generates:
        return spec
    usual = {name: getattr(DEFAULT_SPEC, name) for name in OF_TOKENS}
    return replace(spec, **usual)


def token_by_token(subject: Subject, prompt: str = "", by_default: bool = True) -> Subject:
    """Return a model as it is measured: a decoder token by token, with its open settings.

    prompt: a text to measure in place of random tokens. by_default: whether a decoder is
    measured so where no setting asks for it; never where an input or the length of an axis is
    given, for that describes one run of the graph. Raises BadInput: it is asked for, and the
    model is no decoder.
    """
    spec = subject.spec
    asked = bool(spec.generates or spec.contexts or spec.batches or prompt)
    single = bool(subject.given or subject.dimensions)
    able = Capability.GENERATION in registry.for_run(subject.path, spec.devices).capabilities
    reads_text = ids_of(subject.model) is not None
    if not asked and (single or not by_default or not able or not reads_text):
        return subject
    folder = folder_around(subject.path) if reads_text else None
    encoder = _encoder(folder, subject.path)
    continued = continuation_of(folder, subject.path) is not None
    continued |= is_measured_by_token(subject.model, encoder is not None)
    if not asked and not continued:
        return subject
    if not asked and not _has_known_inputs(subject.model, encoder is not None):
        return subject
    said = folder.config.get("context_length") if folder is not None else 0
    limit = said if isinstance(said, int) else 0
    name = model_name(subject.path)
    spec = speed_spec(subject.model, spec, limit, continued, name)
    if encoder is not None and not encoder.takes_text:
        if subject.spec.prompt_tokens:
            what = Sentence("Could not measure {name} with a prompt", clip(name))
            raise BadInput(what, "its encoder reads no text", "Omit --prompt-tokens.")
        spec = replace(spec, prompt_tokens=(BEGINNING,))
    subject = structs.replace(subject, spec=spec)
    ids = ids_of(subject.model)
    if prompt and ids is not None:
        return subject.with_given({**subject.given, ids.name: f"{TEXT}{prompt}"})
    return subject


def _has_known_inputs(model: Model, encoded: bool) -> bool:
    """Return whether all inputs of a decoder are known: those that an encoder fills only where
    it is there."""
    given = further_inputs(model.inputs, model.outputs) if encoded else ()
    try:
        find_roles(model.inputs, model.outputs, model.name, given)
    except BadInput:
        return False
    return not why_no_text(model, encoded)


def _encoder(folder: ModelFolder | None, decoder: Path) -> Encoder | None:
    """Return what runs before a decoder, to measure it; None without one."""
    part = encoder_part(folder) if encoder_of(folder, decoder) is not None else None
    return read_encoder(folder, part, None) if folder is not None and part is not None else None


def name_of(subject: Subject) -> str:
    """Return what a report calls a language model, which is rarely its file; "" where no folder
    of one is around it."""
    folder = folder_around(subject.path)
    return model_name(subject.path) if folder is not None and folder.main is not None else ""


def prompt_feeds(subject: Subject) -> tuple[Filled, ...]:
    """Return the tokens of the prompt that somebody gave; nothing where nobody did. With an
    encoder, its inputs: that prompt, or others that take as long.

    Raises BadInput, UnreadableFile: as `Subject.filled`.
    """
    ids = ids_of(subject.model)
    folder = folder_around(subject.path)
    encoder = _encoder(folder, subject.path)
    if encoder is not None:
        return tuple(_encoder_inputs(subject, encoder))
    if ids is None or ids.name not in subject.given:
        return ()
    return tuple(each for each in subject.filled() if each.name == ids.name)


def _encoder_inputs(subject: Subject, encoder: Encoder) -> Iterator[Filled]:
    ids = ids_of(subject.model)
    value = subject.texts.get(ids.name, "") if ids is not None else ""
    if value.startswith(TEXT) and subject.tokenizer is not None:
        tokens = Vocabulary(subject.tokenizer).ids(value.removeprefix(TEXT), marks=True)
        feeds, said = encoder.text_feeds(tokens), "text"
    else:
        logits = next((info.shape for info in subject.model.outputs if info.shape), (0,))
        last = logits[-1] if logits and isinstance(logits[-1], int) else 0
        longest = max(subject.spec.prompt_tokens, default=BEGINNING)
        feeds, said = encoder.typical_feeds(longest, last), RANDOM
    for name, array in feeds.items():
        yield Filled(name, said, array, given=False)


def with_prompt(report: PerformanceReport, subject: Subject) -> PerformanceReport:
    """Return a report with the text that was measured, and how long its tokens take to make."""
    ids, speed = ids_of(subject.model), report.generation
    value = subject.texts.get(ids.name, "") if ids is not None else ""
    if speed is None or not value.startswith(TEXT):
        return report
    times_ns = list[int]()
    for _ in range(_TOKENIZED_TIMES):
        began = perf_counter_ns()
        prompt_feeds(subject)
        times_ns.append(perf_counter_ns() - began)
    told = replace(speed, prompt_text=value.removeprefix(TEXT), tokenize_ns=min(times_ns))
    return replace(report, generation=told)
