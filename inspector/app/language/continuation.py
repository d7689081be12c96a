"""A prediction's text, written on by the model from the tokens among its inputs."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from inspector.backends.generation.roles import further_inputs, tokens_input
from inspector.backends.values import Progress
from inspector.engine.client.engine import Engine
from inspector.engine.requests import Generate
from inspector.errors import BadInput
from inspector.formats.folders import reading
from inspector.model.model import Model
from inspector.model.tensors.element_types import Fed
from inspector.preview.inputs.tokens import Vocabulary
from inspector.preview.runs.generation import MOST, Generated, Token
from inspector.report.language.generation import GREEDY, GeneratedToken, Generation, StopReason
from inspector.report.run_spec import RunSpec
from inspector.units import clip


def continue_text(
    engine: Engine,
    path: Path,
    model: Model,
    spec: RunSpec,
    feeds: Mapping[str, Fed],
    vocabulary: Vocabulary | None,
    count: int,
    on_token: Callable[[Token], None] = lambda _: None,
) -> Generated:
    """Add the most probable token again and again, `count` at most, until the text has ended.

    feeds: of all inputs, the prompt in them; a cache among them has to be empty. on_token:
    hears of each token as it comes. Raises BadInput: the model generates no text; EngineFailed.
    """
    ids = tokens_input(model.inputs)
    what = f"Could not generate text with {clip(reading.model_name(path))}"
    prompt = None if ids is None else feeds.get(ids.name)
    if ids is None or prompt is None or isinstance(prompt, tuple):
        hint = "Choose a model with an input named input_ids."
        raise BadInput(what, "no input takes token IDs", hint)
    folder = reading.folder_around(path)
    known = vocabulary.ends if vocabulary is not None else frozenset[int]()
    ends = known | frozenset(folder.end_ids if folder else ())
    more = further_inputs(model.inputs, model.outputs)
    listed: list[Token] = []

    def hear(progress: Progress) -> None:
        for made in progress.tokens:
            listed.append(_token(made, vocabulary))
            on_token(listed[-1])

    request = Generate(
        path,
        spec,
        tuple(int(number) for number in prompt.reshape(-1)),
        GREEDY,
        min(count, MOST),
        tuple(sorted(ends)),
        alternatives=0,
        continuation=str(reading.continuation_of(folder, path) or ""),
        feeds={name: feeds[name] for name in more if name in feeds},
    )
    with engine.listening(hear):
        made = engine.call(request)
    if not listed or made.stop is not StopReason.STOPPED:  # else the engine was ahead
        listed += [_token(token, vocabulary) for token in made.tokens[len(listed) :]]
    numbers = [token.number for token in listed]
    text = " ".join(map(str, numbers)) if vocabulary is None else vocabulary.text(numbers)
    return generated(listed, text, made)


def generated(listed: Sequence[Token], text: str, made: Generation) -> Generated:
    """Return a text as predictions have it. listed: its tokens. made: how it was generated."""
    return Generated(
        tuple(listed),
        text,
        made.stop is StopReason.END_TOKEN,
        made.cache != "none",
        made.stop.value,
        made.prompt_tokens,
        made.prefill_ns,
        made.first_token_ns,
        made.tokens_per_second,
        made.cache,
        made.encode_ns,
    )


def _token(made: GeneratedToken, vocabulary: Vocabulary | None) -> Token:
    text = str(made.id) if vocabulary is None else vocabulary.text([made.id], whole=True)
    return Token(made.id, text, made.probability, made.step_ns)
