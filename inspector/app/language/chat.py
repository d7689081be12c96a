"""A chat with a language model: the next answer, streamed, continued elsewhere, compared.

model = open_chat(folder)
with EngineProcess() as engine:
    answer = chat.answer(engine, model, model.prompt(messages), on_token=show)
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from msgspec import Struct, field

from inspector.app.language.chat_model import ChatModel
from inspector.app.language.encoders import Encoder
from inspector.backends.genai.info import GENAI
from inspector.backends.values import Progress
from inspector.engine.client.engine import Engine
from inspector.engine.requests import Generate
from inspector.errors import BadInput
from inspector.preview.language.answers import Answer, Prompt
from inspector.preview.language.text_stream import TextStream
from inspector.report.language.generation import (
    GREEDY,
    NO_RULES,
    GeneratedToken,
    Generation,
    Sampling,
    StopReason,
    TokenRules,
)
from inspector.report.run_spec import RunSpec
from inspector.units import clip, plural

# Told of each token as it comes, with the text that it completes: "" if none.
OnToken = Callable[[GeneratedToken, str], None]


class ChatSettings(Struct, frozen=True):
    """How answers are generated.

    context: tokens that fit, prompt included; 0: as the model's configuration says.
    alternatives: how many of the most probable tokens are listed at each step. language: of a
    sound, such as "en"; "" lets the model find it. translated: write it in English.
    """

    sampling: Sampling = GREEDY
    max_tokens: int = 256
    context: int = 0
    alternatives: int = 5
    spec: RunSpec = field(default_factory=RunSpec)
    language: str = ""
    translated: bool = False


def answer(
    engine: Engine,
    model: ChatModel,
    prompt: Prompt,
    settings: ChatSettings | None = None,
    on_token: OnToken | None = None,
    kept: Sequence[GeneratedToken] = (),
) -> Answer:
    """Generate the next answer; `Engine.stop` ends it early, from any thread.

    on_token: on the calling thread. kept: tokens that the answer begins with.
    Raises BadInput: the prompt is too long, or the model does not fit. EngineFailed.
    """
    settings = settings or ChatSettings()
    context = _context(model, settings)
    check_length(model, prompt, settings)
    device = settings.spec.devices[0]
    of_genai = device.partition(":")[0] == GENAI.device_prefix
    if model.encoder is not None and of_genai:
        why = "Inspector runs models with an encoder in ONNX Runtime, not in ONNX Runtime GenAI"
        raise BadInput(f"Could not run {clip(model.name)}", why, "Choose the device cpu.")
    if model.only_genai and not of_genai:
        hint = "ONNX Runtime GenAI runs such folders: choose its device, genai:cpu."
        raise BadInput(f"Could not chat with {clip(model.name)}", model.only_genai, hint)
    ids = tuple(token.id for token in kept)
    stream = TextStream(model.vocabulary, () if model.template.text else prompt.ids)
    texts, heard = list(stream.add(*ids)), list[GeneratedToken]()

    def hear(progress: Progress) -> None:
        pieces = stream.add(*(token.id for token in progress.tokens))
        texts.extend(pieces)
        heard.extend(progress.tokens)
        if on_token is not None:
            for token, piece in zip(progress.tokens, pieces, strict=True):
                on_token(token, piece)

    if ids and ids[-1] in model.ends:
        generation = _ended(len(prompt.ids), context)
    else:
        request = Generate(
            model.path,
            settings.spec,
            prompt.ids + ids,
            settings.sampling,
            settings.max_tokens,
            model.ends,
            context,
            settings.alternatives,
            model.continuation,
            reuse=True,  # each turn would read the whole chat again
            feeds=prompt.feeds,
            encoder=str(model.encoder.path) if model.encoder is not None else "",
            rules=_rules(model.encoder, ids),
        )
        with engine.listening(hear):
            generation = engine.call(request)
    missed = generation.tokens[len(heard) :]  # of an engine that streams nothing
    if heard and generation.stop is StopReason.STOPPED:
        missed = ()  # the engine was ahead: whoever stopped it has not seen them
    texts += stream.add(*(token.id for token in missed))
    # Those that were heard, not their equals: a long answer is in memory once.
    generation = replace(generation, tokens=(*heard, *missed))
    text = "".join(texts) + stream.finish()
    whole = (*kept, *generation.tokens)
    named = {token.id for token in whole}
    named |= {each.id for token in whole for each in token.alternatives}
    known = {piece.id: piece for piece in model.vocabulary.pieces(sorted(named))}
    return Answer(text, prompt, generation, tuple(kept), known, context)


def continued(
    engine: Engine,
    model: ChatModel,
    before: Answer,
    place: int,
    token: int,
    settings: ChatSettings | None = None,
    on_token: OnToken | None = None,
) -> Answer:
    """Generate an answer that begins as another one and goes on with one of the alternatives.

    place: of the token that is replaced. token: the alternative. Raises as `answer` does.
    """
    replaced = before.tokens[place]
    shares = {each.id: each.probability for each in replaced.alternatives}
    if token != replaced.id and token not in shares:
        why = f"token {token} is not among the alternatives at this place"
        raise BadInput("Could not continue from there", why)
    chosen = replace(replaced, id=token, probability=shares.get(token, replaced.probability))
    kept = (*before.tokens[:place], chosen)
    return answer(engine, model, before.prompt, settings, on_token, kept)


def check_length(model: ChatModel, prompt: Prompt, settings: ChatSettings) -> None:
    """Raise BadInput if no token of an answer fits behind a prompt, or if the settings ask for
    a larger context than the model's."""
    if model.context and settings.context > model.context:
        raise BadInput(
            f"Could not use a context of {settings.context:,}",
            f"{clip(model.name)} holds {plural(model.context, 'token')}",
            "Use a smaller context.",
        )
    context, length = _context(model, settings), len(prompt.ids)
    if not context or length < context:
        return
    over = length - context + 1
    what = f"Could not send the prompt to {clip(model.name)}"
    why = f"it has {plural(length, 'token')}, {over:,} too many for a context of {context:,}"
    raise BadInput(what, why, "Leave out the oldest messages, or shorten the text.")


def _rules(encoder: Encoder | None, kept: tuple[int, ...]) -> TokenRules:
    """Return which tokens may come behind those that are kept."""
    if encoder is None:
        return NO_RULES
    rules = encoder.rules
    return replace(rules, never_first=(), only_first=()) if kept else rules


def _context(model: ChatModel, settings: ChatSettings) -> int:
    known = [each for each in (settings.context, model.context) if each]
    return min(known, default=0)


def _ended(prompt: int, context: int) -> Generation:
    """Return a generation that is over before it begins."""
    return Generation((), StopReason.END_TOKEN, prompt, 0, "none", context)
